//! From fields to stages: the fields of a question are checked against each other and made what happens.

use super::draft::Draft;
use super::exchange::Stage;
use super::field::Side;
use super::kinds::{Ask, COVERS, Deed, Sheet};
use super::movement::Move;
use super::notation::Written;
use super::orders::Orders;
use super::pool::Roll;
use super::rules::{ActivationLimit, Cover, HighSuppression, Rules};
use super::telling::counted;
use super::unit::{Member, Printed};
use super::volley::Volley;
use crate::system::Source;
use crate::system::form::FieldFault;
use crate::text::Fault;

/// The units of a question, and the rules it is played by.
pub(super) struct Cast<'a> {
    pub rules: &'a Rules,
    /// Own units, then those of the enemy.
    pub roster: Vec<Member>,
    pub own: usize,
    /// Values of units that are assumed, as they are asked for: `us-tank reaction = 5`.
    pub assumed: Vec<String>,
}

/// The units of a question, and how many are own.
pub(super) fn roster(draft: &Draft) -> Result<(Vec<Member>, usize), FieldFault> {
    let Draft { ask, rules, sheet, .. } = draft;
    let subject = match ask {
        Ask::Volley | Ask::Volleys => "target",
        Ask::Rally => "units",
        Ask::Move => "mover",
        Ask::Sequence => "own",
        Ask::Command | Ask::Morale | Ask::Check => return Ok((Vec::new(), 0)),
    };
    let missing = || FieldFault::new(subject, "a unit is missing").help("for example `panzer-iv`");
    let mut roster = members(rules, subject, sheet.units(subject).ok_or_else(missing)?)?;
    let own = roster.len();
    if let Some(enemy) = sheet.units("enemy") {
        roster.extend(members(rules, "enemy", enemy)?);
    }
    Ok((roster, own))
}

/// What happens.
pub(super) fn stages(draft: &Draft, cast: &mut Cast) -> Result<Vec<Stage>, FieldFault> {
    let Draft { ask, sheet, .. } = draft;
    let number = |field, default| sheet.number(field).unwrap_or(default);
    let orders = |default| {
        let dice = Some(number("orders", default));
        Stage::Orders(Orders { side: Side::Own, dice, staff: 0, ends_activations: true })
    };
    let once = |stage| vec![stage, Stage::Report(0)];
    Ok(match ask {
        Ask::Volley => once(Stage::Volley(cast.volley_at_target(sheet)?)),
        Ask::Volleys => {
            let volley = Stage::Volley(cast.volley_at_target(sheet)?);
            let each = (1..=number("volleys", 3).into()).flat_map(|point| {
                let gap = (point > 1).then(|| orders(0));
                gap.into_iter().chain([volley, Stage::Report(point)])
            });
            each.collect()
        }
        Ask::Rally => (1..=number("turns", 3).into()).flat_map(|point| [orders(1), Stage::Report(point)]).collect(),
        Ask::Command => once(Stage::Command),
        Ask::Morale => {
            let dispersals = 1..=number("dispersals", 5).into();
            dispersals.flat_map(|point| [Stage::MoraleLoss(Side::Own), Stage::Report(point)]).collect()
        }
        Ask::Check => {
            let dice = sheet.number("dice").unwrap_or_else(|| cast.dice_of_check());
            once(Stage::MoraleCheck { dice })
        }
        Ask::Move => once(Stage::Move(Move { place: 0, chain: number("dice", 1), may_hold: false })),
        Ask::Sequence => cast.steps(draft)?,
    })
}

/// The units given for a field, each fit to be there at all.
pub(super) fn members(rules: &Rules, field: &str, written: &Written) -> Result<Vec<Member>, FieldFault> {
    let checked = written.0.iter().map(|(member, span)| {
        let cohesion = member.cohesion(rules);
        if member.start.dp < cohesion {
            return Ok(*member);
        }
        let disperse = if member.start.dp == 1 { "disperses" } else { "disperse" };
        let points = counted(member.start.dp, "Disruption Point");
        let message = format!("{points} {disperse} a unit of cohesion {cohesion}");
        Err(FieldFault { field: field.to_string(), fault: Fault::new(message, span.clone()) })
    });
    checked.collect()
}

/// Grades of cover, by the place of their word.
const GRADES: [Cover; COVERS.len()] = [Cover::None, Cover::Light, Cover::Medium, Cover::Heavy];
/// Place of effective range among the ranges.
const EFFECTIVE: u8 = 1;

/// Firing dice and TN: what the sheet says of the shot changes both, then the dice slide.
fn roll(rules: &Rules, dice: u8, sheet: &Sheet) -> Roll {
    let ranges = [rules.range_tn_close, rules.range_tn_effective, rules.range_tn_long];
    let range = ranges[usize::from(sheet.number("range").unwrap_or(EFFECTIVE))].0;
    let moved = [0, rules.move_dice_double.0, rules.move_dice_triple.0][usize::from(sheet.number("move").unwrap_or(0))];
    let uphill = if sheet.flag("uphill") { rules.uphill_dice.0 } else { 0 };
    let flank = if sheet.flag("flank") { rules.flank_tn.0 } else { 0 };
    Roll::slid(i16::from(dice) + i16::from(moved) + i16::from(uphill), i16::from(rules.fire_tn.0 + range + flank))
}

/// What becomes of the Command Dice of a turn.
#[derive(Clone, Copy)]
struct DiceOfTurn {
    /// They have been rolled.
    rolled: bool,
    /// They are used in pulses.
    pulses: bool,
}

fn dice_are_for_pulses(field: &str) -> FieldFault {
    FieldFault::new(field, "the Command Dice of this turn are used in its pulses")
}

impl Cast<'_> {
    /// The side of a place.
    fn side_of(&self, place: usize) -> Side {
        if place < self.own { Side::Own } else { Side::Enemy }
    }

    /// A value of a unit that the answer rests on.
    fn asked(&mut self, what: &str, member: &Member, printed: Printed) -> Option<u8> {
        let (dice, source) = printed?;
        let told = format!("{} {what} = {dice}", member.preset.name);
        if source == Source::Assumed && !self.assumed.contains(&told) {
            self.assumed.push(told);
        }
        Some(dice)
    }

    /// Dice of an Army Morale Check that names none.
    pub fn dice_of_check(&mut self) -> u8 {
        self.assumed.extend(self.rules.told_at_default("army-morale-dice"));
        self.rules.army_morale_dice.count()
    }

    /// A volley of so many dice; the field to blame is the one that names the target.
    fn volley(
        &mut self,
        sheet: &Sheet,
        firer: Option<usize>,
        dice: u8,
        target: usize,
        field: &str,
    ) -> Result<Volley, FieldFault> {
        let member = self.roster[target];
        let reaction = self.asked("reaction", &member, member.reaction(sheet.flag("artillery"))).ok_or_else(|| {
            let fault = FieldFault::new(field, format!("no Reaction Dice are known of `{}`", member.preset.name));
            fault.help("write for example `/reaction=5`")
        })?;
        Ok(Volley {
            side: self.side_of(target).other(),
            firer: firer.map(|firer| firer as u8),
            target: target as u8,
            roll: roll(self.rules, dice, sheet),
            reaction,
            cover: self.rules.cover_dice(GRADES[usize::from(sheet.number("cover").unwrap_or(0))]),
            high_suppression: match self.rules.high_suppression {
                HighSuppression::OfNone => false,
                HighSuppression::OfAll => true,
                HighSuppression::Artillery => sheet.flag("artillery"),
            },
            may_hold: sheet.flag("may-hold"),
        })
    }

    /// Dice of a firing unit against a target.
    fn dice_of(&mut self, firer: Member, target: usize, field: &str) -> Result<u8, FieldFault> {
        let soft = self.roster[target].values.soft;
        let (word, against) = if soft { ("fp", "soft targets") } else { ("at", "armour") };
        self.asked(word, &firer, firer.fire(soft)).ok_or_else(|| {
            let fault = FieldFault::new(field, format!("no dice of `{}` against {against} are known", firer.preset.name));
            fault.help(&format!("write for example `/{word}=6`"))
        })
    }

    /// The volley of a question that is about its target: by dice, or by a unit that is not otherwise in it.
    pub fn volley_at_target(&mut self, sheet: &Sheet) -> Result<Volley, FieldFault> {
        let dice = match (sheet.number("dice"), sheet.units("by")) {
            (Some(_), Some(_)) => return Err(FieldFault::new("by", "either firing dice or a firing unit, not both")),
            (Some(dice), None) => dice,
            (None, Some(written)) => {
                let firer = members(self.rules, "by", written)?[0];
                if !firer.start.may_fire() {
                    let fate = if firer.start.suppressed { "is suppressed" } else { "has fired" };
                    return Err(FieldFault::new("by", format!("`{}` {fate}: it cannot fire", firer.preset.name)));
                }
                self.dice_of(firer, 0, "by")?
            }
            (None, None) => {
                return Err(FieldFault::new("dice", "say who fires").help("for example `dice = 4`, or `by = \"stug-iii\"`"));
            }
        };
        self.volley(sheet, None, dice, 0, "target")
    }

    /// The place that a slot names.
    fn place(&self, sheet: &Sheet, field: &str) -> Result<Option<usize>, FieldFault> {
        let Some(slot) = sheet.number(field).map(usize::from) else { return Ok(None) };
        match self.roster.len() {
            units if slot <= units => Ok(Some(slot - 1)),
            units => Err(FieldFault::new(field, format!("there is no slot {slot}: the units have slots 1 to {units}"))),
        }
    }

    /// A volley of a sequence.
    fn volley_step(&mut self, sheet: &Sheet) -> Result<Volley, FieldFault> {
        let target = self.place(sheet, "target")?;
        let target = target.ok_or_else(|| FieldFault::new("target", "say who is fired at").help("for example `target = 2`"))?;
        let firer = self.place(sheet, "firer")?;
        if firer.is_some_and(|firer| self.side_of(firer) == self.side_of(target)) {
            return Err(FieldFault::new("target", "firer and target are on the same side"));
        }
        let dice = match (sheet.number("dice"), firer) {
            (Some(_), Some(_)) => return Err(FieldFault::new("dice", "either firing dice or a firing unit, not both")),
            (Some(dice), None) => dice,
            (None, Some(firer)) => self.dice_of(self.roster[firer], target, "firer")?,
            (None, None) => {
                return Err(FieldFault::new("firer", "say who fires").help("for example `firer = 1`, or `dice = 4`"));
            }
        };
        self.volley(sheet, firer, dice, target, "target")
    }

    /// A move of a sequence.
    fn move_step(&mut self, sheet: &Sheet) -> Result<Move, FieldFault> {
        let place = self.place(sheet, "slot")?;
        let place = place.ok_or_else(|| FieldFault::new("slot", "say who moves").help("for example `slot = 1`"))?;
        let member = self.roster[place];
        if member.start.goal.is_none() {
            let fault = FieldFault::new("slot", format!("`{}` in slot {} has no goal to move to", member.preset.name, place + 1));
            return Err(fault.help("write for example `/goal=24`"));
        }
        Ok(Move { place: place as u8, chain: sheet.number("dice").unwrap_or(1), may_hold: sheet.flag("may-hold") })
    }

    /// What a step does, in a turn of which Command Dice have come to that.
    fn step(&mut self, deed: Deed, sheet: &Sheet, dice_of_turn: DiceOfTurn) -> Result<Stage, FieldFault> {
        let DiceOfTurn { rolled, pulses } = dice_of_turn;
        let side = if sheet.number("side") == Some(1) { Side::Enemy } else { Side::Own };
        Ok(match deed {
            Deed::Volley => Stage::Volley(self.volley_step(sheet)?),
            Deed::Command => {
                let (dice, staff) = (sheet.number("dice"), sheet.number("staff").unwrap_or(0));
                if pulses && (dice.is_some_and(|dice| dice > 0) || dice.is_none() && rolled && staff == 0) {
                    return Err(dice_are_for_pulses("dice").help("`dice = 0` with `staff`, or a turn without steps `pulse`"));
                }
                if dice.is_none() && !rolled && staff == 0 {
                    let fault = FieldFault::new("dice", "say how many Command Dice there are");
                    return Err(fault.help("for example `dice = 2`, or a step `roll` before it in the same turn"));
                }
                Stage::Orders(Orders {
                    side,
                    dice,
                    staff,
                    ends_activations: self.rules.activation_limit == ActivationLimit::Pulse,
                })
            }
            Deed::Roll => Stage::Command,
            Deed::Pulse if !rolled => {
                let fault = FieldFault::new("do", "no Command Dice have been rolled in this turn");
                return Err(fault.help("a step `roll` before it"));
            }
            Deed::Pulse => Stage::Pulse { staff: sheet.number("staff").unwrap_or(0) },
            Deed::Restock => {
                let chain = sheet
                    .number("dice")
                    .ok_or_else(|| FieldFault::new("dice", "say how many Command Dice of one number").help("2, 3 or 4"))?;
                if !rolled {
                    let fault = FieldFault::new("do", "no Command Dice have been rolled in this turn");
                    return Err(fault.help("a step `roll` before it"));
                }
                if pulses {
                    return Err(dice_are_for_pulses("do").help("a pulse restocks Staff Orders where its side likes"));
                }
                Stage::Restock { side, chain, sixes: sheet.flag("sixes") }
            }
            Deed::Turn => Stage::TurnEnds,
            Deed::Move => Stage::Move(self.move_step(sheet)?),
            Deed::Disperse => {
                let place = self.place(sheet, "slot")?;
                Stage::Disperse(
                    place.ok_or_else(|| FieldFault::new("slot", "say who is dispersed").help("for example `slot = 1`"))? as u8,
                )
            }
        })
    }

    /// The stages of a sequence, each followed by its report.
    pub fn steps(&mut self, draft: &Draft) -> Result<Vec<Stage>, FieldFault> {
        if draft.steps.is_empty() {
            return Err(FieldFault::new("1.do", "a sequence without steps").help("[[step]] with `do = \"volley\"` or the like"));
        }
        let mut stages = Vec::new();
        for (number, (deed, sheet)) in (1..).zip(&draft.steps) {
            let (before, from) = draft.steps.split_at(usize::from(number) - 1);
            let ends_turn = |(deed, _): &(Deed, Sheet)| *deed == Deed::Turn;
            let before = before.rsplit(ends_turn).next().unwrap_or_default();
            let from = from.split(ends_turn).next().unwrap_or_default();
            let has = |steps: &[(Deed, Sheet)], wanted| steps.iter().any(|(deed, _)| *deed == wanted);
            let pulses = has(before, Deed::Pulse) || has(from, Deed::Pulse);
            let dice_of_turn = DiceOfTurn { rolled: has(before, Deed::Roll), pulses };
            let stage = self
                .step(*deed, sheet, dice_of_turn)
                .map_err(|fault| FieldFault { field: format!("{number}.{}", fault.field), ..fault })?;
            stages.extend([stage, Stage::Report(number)]);
        }
        Ok(stages)
    }
}
