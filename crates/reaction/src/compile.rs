//! Compiles a question: its fields are checked against each other and become stages.

use super::Reaction;
use super::fields::{
    CommandStep, DisperseStep, MoveFields, MoveStep, OrderDice, Pace, RallyFields, Range,
    RestockStep, SequenceFields, Shot, Slot, TargetFields, VolleyStep,
};
use super::kinds::{Head, StepFields, StepKind};
use super::notation::PlacedUnit;
use super::pool::PoolRoll;
use super::rules::{ActivationLimit, HighSuppression, Rules};
use super::stage::{Move, Orders, Stage, Volley};
use super::unit::{Member, Printed, Side};
use engine::text::notation::{each, field, shown, text_field};
use engine::text::{Fault, counted};
use play::{Draft, StepDraft};
use schema::common_fields::DO;
use schema::{Field, FieldFault, Source};

/// The units of a question and its rules, as input of the compiler.
pub(super) struct Cast<'a> {
    pub rules: &'a Rules,
    /// The own units, then the enemy's, in order of slots.
    pub roster: Vec<Member>,
    pub own: usize,
    /// Assumed values of units that the answer depends on, such as `us-tank reaction = 5`.
    pub assumed: Vec<String>,
}

pub(super) fn roster(draft: &Draft<Reaction>) -> Result<(Vec<Member>, usize), FieldFault> {
    let (subject, own, enemy): (Field, &[PlacedUnit], &[PlacedUnit]) = match &draft.head {
        Head::Volley { fields, .. } | Head::Volleys { fields, .. } => {
            (TargetFields::target, &fields.target.0, &[])
        }
        Head::Rally { fields, .. } => (RallyFields::units, &fields.units.0, &[]),
        Head::Move { fields, .. } => (MoveFields::mover, &fields.mover.0, &[]),
        Head::Sequence { fields, .. } => (SequenceFields::own, &fields.own.0, &fields.enemy.0),
        Head::Command { .. } | Head::Morale { .. } | Head::Check { .. } => {
            return Ok((Vec::new(), 0));
        }
    };
    if own.is_empty() {
        return Err(subject.fault("a unit is missing").help("for example `panzer-iv`"));
    }
    let mut roster = members(&draft.rules, subject, own)?;
    let own = roster.len();
    roster.extend(members(&draft.rules, SequenceFields::enemy, enemy)?);
    Ok((roster, own))
}

pub(super) fn stages(draft: &Draft<Reaction>, cast: &mut Cast) -> Result<Vec<Stage>, FieldFault> {
    let orders = |dice: OrderDice| {
        Stage::Orders(Orders {
            side: Side::Own,
            dice: Some(dice.u8()),
            staff: 0,
            ends_activations: true,
        })
    };
    let once = |stage| vec![stage, Stage::Report(0)];
    Ok(match &draft.head {
        Head::Volley { fields, shot, .. } => {
            once(Stage::Volley(cast.volley_at_target(fields, shot)?))
        }
        Head::Volleys { fields, shot, .. } => {
            let volley = Stage::Volley(cast.volley_at_target(fields, shot)?);
            let each = (1..=fields.volleys.u16()).flat_map(|point| {
                let gap = (point > 1).then(|| orders(fields.orders));
                gap.into_iter().chain([volley, Stage::Report(point)])
            });
            each.collect()
        }
        Head::Rally { fields, .. } => (1..=fields.turns.u16())
            .flat_map(|point| [orders(fields.orders), Stage::Report(point)])
            .collect(),
        Head::Command { .. } => once(Stage::Command),
        Head::Morale { fields, .. } => {
            let dispersals = 1..=fields.dispersals.u16();
            dispersals
                .flat_map(|point| [Stage::MoraleLoss(Side::Own), Stage::Report(point)])
                .collect()
        }
        Head::Check { fields, .. } => {
            let dice = fields.dice.map_or_else(|| cast.dice_of_check(), |dice| dice.u8());
            once(Stage::MoraleCheck { dice })
        }
        Head::Move { fields, .. } => {
            once(Stage::Move(Move { place: 0, chain: fields.dice.u8(), may_hold: false }))
        }
        Head::Sequence { .. } => cast.steps(&draft.steps)?,
    })
}

/// Checks that each unit has fewer Disruption Points than would disperse it.
fn members(rules: &Rules, field: Field, written: &[PlacedUnit]) -> Result<Vec<Member>, FieldFault> {
    let checked = written.iter().map(|(member, span)| {
        let cohesion = member.cohesion(rules);
        if member.start.dp < cohesion {
            return Ok(*member);
        }
        let disperse = if member.start.dp == 1 { "disperses" } else { "disperse" };
        let points = counted(member.start.dp, "Disruption Point");
        let message = format!("{points} {disperse} a unit of cohesion {cohesion}");
        Err(FieldFault::in_field(field.name)(Fault::new(message, span.clone())))
    });
    checked.collect()
}

/// Returns the firing dice and their TN, with the modifiers of the shot, after sliding.
fn roll(rules: &Rules, dice: u8, shot: &Shot) -> PoolRoll {
    let range = match shot.range {
        Range::Close => rules.range_tn_close.0,
        Range::Effective => rules.range_tn_effective.0,
        Range::Long => rules.range_tn_long.0,
    };
    let moved = match shot.moved {
        Pace::Single => 0,
        Pace::Double => rules.move_dice_double.0,
        Pace::Triple => rules.move_dice_triple.0,
    };
    let uphill = if shot.uphill { rules.uphill_dice.0 } else { 0 };
    let flank = if shot.flank { rules.flank_tn.0 } else { 0 };
    PoolRoll::slid(
        i16::from(dice) + i16::from(moved) + i16::from(uphill),
        i16::from(rules.fire_tn.0 + range + flank),
    )
}

const EITHER_DICE_OR_UNIT: &str = "use either firing dice or a firing unit, not both";

/// The use of the Command Dice of a turn.
#[derive(Clone, Copy)]
struct DiceOfTurn {
    /// True if the dice have been rolled before this step.
    rolled: bool,
    /// True if the turn has pulses, which use the dice.
    pulses: bool,
}

fn dice_are_for_pulses(field: &str) -> FieldFault {
    FieldFault::new(field, "the pulses of this turn use its Command Dice")
}

fn rolled_before(dice: DiceOfTurn) -> Result<(), FieldFault> {
    let fault = || {
        FieldFault::new(DO, "no Command Dice have been rolled in this turn")
            .help("put a step `roll` before this step")
    };
    if dice.rolled { Ok(()) } else { Err(fault()) }
}

impl Cast<'_> {
    fn side_of(&self, place: usize) -> Side {
        if place < self.own { Side::Own } else { Side::Enemy }
    }

    /// Returns a value of a unit, and records it if it is assumed. The result is `None` if unknown.
    fn printed_value(&mut self, what: &str, member: &Member, printed: Printed) -> Option<u8> {
        let (dice, source) = printed?;
        let assumption = format!("{} {what} = {dice}", member.preset.name);
        if source == Source::Assumed && !self.assumed.contains(&assumption) {
            self.assumed.push(assumption);
        }
        Some(dice)
    }

    /// Returns the default dice of an Army Morale Check; records the parameter if assumed.
    fn dice_of_check(&mut self) -> u8 {
        self.assumed.extend(self.rules.default_words(Rules::army_morale_dice.name));
        self.rules.army_morale_dice.count()
    }

    /// Builds a volley. Faults are reported at `field`, which names the target.
    fn volley(
        &mut self,
        shot: &Shot,
        firer: Option<usize>,
        dice: u8,
        target: usize,
        field: Field,
    ) -> Result<Volley, FieldFault> {
        let member = self.roster[target];
        let reaction = self
            .printed_value("reaction", &member, member.reaction(shot.artillery))
            .ok_or_else(|| {
                let name = member.preset.name;
                let fault = field.fault(format!("the Reaction Dice of `{name}` are missing"));
                fault.help("write for example `/reaction=5`")
            })?;
        Ok(Volley {
            side: self.side_of(target).other(),
            firer: firer.map(|firer| firer as u8),
            target: target as u8,
            roll: roll(self.rules, dice, shot),
            reaction,
            cover: self.rules.cover_dice(shot.cover),
            high_suppression: match self.rules.high_suppression {
                HighSuppression::OfNone => false,
                HighSuppression::OfAll => true,
                HighSuppression::Artillery => shot.artillery,
            },
            may_hold: false,
        })
    }

    fn dice_of(&mut self, firer: Member, target: usize, field: Field) -> Result<u8, FieldFault> {
        let soft = self.roster[target].values.soft;
        let (word, against) = if soft { ("fp", "soft targets") } else { ("at", "armour") };
        self.printed_value(word, &firer, firer.fire(soft)).ok_or_else(|| {
            let name = firer.preset.name;
            let fault = field.fault(format!("the dice of `{name}` against {against} are missing"));
            fault.help(format!("write for example `/{word}=6`"))
        })
    }

    /// Builds the volley of a question about its target. Given dice fire it, or a unit that takes
    /// no other part.
    fn volley_at_target(
        &mut self,
        fields: &TargetFields,
        shot: &Shot,
    ) -> Result<Volley, FieldFault> {
        let dice = match (fields.dice, fields.by.0.is_empty()) {
            (Some(_), false) => return Err(TargetFields::by.fault(EITHER_DICE_OR_UNIT)),
            (Some(dice), true) => dice.u8(),
            (None, false) => {
                let firer = members(self.rules, TargetFields::by, &fields.by.0)?[0];
                if !firer.start.may_fire() {
                    let fate = if firer.start.suppressed { "is suppressed" } else { "has fired" };
                    let message = format!("`{}` {fate}: it cannot fire", firer.preset.name);
                    return Err(TargetFields::by.fault(message));
                }
                self.dice_of(firer, 0, TargetFields::by)?
            }
            (None, true) => {
                let fault = TargetFields::dice.fault("say who fires");
                return Err(fault.help(shown(
                    "for example `{}`, or `{}`",
                    [field("dice", 4), text_field("by", "stug-iii")],
                )));
            }
        };
        self.volley(shot, None, dice, 0, TargetFields::target)
    }

    fn place(&self, slot: Option<Slot>, field: Field) -> Result<Option<usize>, FieldFault> {
        let Some(slot) = slot.map(|slot| usize::from(slot.u8())) else { return Ok(None) };
        match self.roster.len() {
            units if slot <= units => Ok(Some(slot - 1)),
            units => {
                let message = format!("there is no slot {slot}: the units have slots 1 to {units}");
                Err(field.fault(message))
            }
        }
    }

    /// Returns the 0-based index of the unit in a slot. `missing` says which slot is needed.
    fn needed_place(
        &self,
        slot: Option<Slot>,
        field: Field,
        missing: &str,
        example: &str,
    ) -> Result<usize, FieldFault> {
        let place = self.place(slot, field)?;
        place.ok_or_else(|| field.fault(missing).help(format!("for example `{example}`")))
    }

    fn volley_step(&mut self, fields: &VolleyStep, shot: &Shot) -> Result<Volley, FieldFault> {
        let target = self.needed_place(
            fields.target,
            VolleyStep::target,
            "say who is fired at",
            "target = 2",
        )?;
        let firer = self.place(fields.firer, VolleyStep::firer)?;
        VolleyStep::target.refuse_if(
            firer.is_some_and(|firer| self.side_of(firer) == self.side_of(target)),
            "firer and target are on the same side",
        )?;
        let dice = match (fields.dice, firer) {
            (Some(_), Some(_)) => return Err(VolleyStep::dice.fault(EITHER_DICE_OR_UNIT)),
            (Some(dice), None) => dice.u8(),
            (None, Some(firer)) => self.dice_of(self.roster[firer], target, VolleyStep::firer)?,
            (None, None) => {
                let fault = VolleyStep::firer.fault("say who fires");
                return Err(fault.help("for example `firer = 1`, or `dice = 4`"));
            }
        };
        let volley = self.volley(shot, firer, dice, target, VolleyStep::target)?;
        Ok(Volley { may_hold: fields.may_hold, ..volley })
    }

    fn move_step(&self, fields: &MoveStep) -> Result<Move, FieldFault> {
        let field = MoveStep::slot;
        let place = self.needed_place(fields.slot, field, "say who moves", "slot = 1")?;
        let member = self.roster[place];
        if member.start.goal.is_none() {
            let message =
                format!("`{}` in slot {} has no goal to move to", member.preset.name, place + 1);
            return Err(field.fault(message).help("write for example `/goal=24`"));
        }
        Ok(Move { place: place as u8, chain: fields.dice.u8(), may_hold: fields.may_hold })
    }

    fn command_step(&self, fields: &CommandStep, turn: DiceOfTurn) -> Result<Orders, FieldFault> {
        let CommandStep { side, dice, staff } = fields;
        let (dice, staff) = (dice.map(|dice| dice.u8()), staff.u8());
        let field = CommandStep::dice.name;
        if turn.pulses
            && (dice.is_some_and(|dice| dice > 0) || dice.is_none() && turn.rolled && staff == 0)
        {
            return Err(dice_are_for_pulses(field).help(
                "write `dice = 0` with `staff`, or remove the steps `pulse` from this turn",
            ));
        }
        if dice.is_none() && !turn.rolled && staff == 0 {
            let fault = FieldFault::new(field, "say how many Command Dice there are");
            return Err(
                fault.help("for example `dice = 2`, or a step `roll` before it in the same turn")
            );
        }
        Ok(Orders {
            side: *side,
            dice,
            staff,
            ends_activations: self.rules.activation_limit == ActivationLimit::Pulse,
        })
    }

    fn restock_step(fields: &RestockStep, turn: DiceOfTurn) -> Result<Stage, FieldFault> {
        let missing = || RestockStep::dice.fault("say how many Command Dice show the same number");
        let chain = fields.dice.ok_or_else(|| missing().help("2, 3 or 4"))?.u8();
        rolled_before(turn)?;
        if turn.pulses {
            return Err(dice_are_for_pulses(DO)
                .help("in a step `pulse`, the side may restock Staff Orders"));
        }
        Ok(Stage::Restock { side: fields.side, chain, sixes: fields.sixes })
    }

    /// Compiles a step. `turn` gives the use of the Command Dice in the turn of the step.
    fn step(&mut self, fields: &StepFields, turn: DiceOfTurn) -> Result<Stage, FieldFault> {
        Ok(match fields {
            StepFields::Volley { fields, shot } => Stage::Volley(self.volley_step(fields, shot)?),
            StepFields::Command { fields } => Stage::Orders(self.command_step(fields, turn)?),
            StepFields::Roll {} => Stage::Command,
            StepFields::Pulse { fields } => {
                rolled_before(turn)?;
                Stage::Pulse { staff: fields.staff.u8() }
            }
            StepFields::Restock { fields } => Self::restock_step(fields, turn)?,
            StepFields::Move { fields } => Stage::Move(self.move_step(fields)?),
            StepFields::Turn {} => Stage::TurnEnds,
            StepFields::Disperse { fields } => {
                let (slot, field) = (fields.slot, DisperseStep::slot);
                let place = self.needed_place(slot, field, "say who is dispersed", "slot = 1")?;
                Stage::Disperse(place as u8)
            }
        })
    }

    /// Compiles the steps of a sequence, each followed by its report.
    fn steps(&mut self, steps: &[StepDraft<Reaction>]) -> Result<Vec<Stage>, FieldFault> {
        if steps.is_empty() {
            let fault = FieldFault::new(&format!("1.{DO}"), "a sequence needs at least one step");
            return Err(fault.help(shown("for example {}", [each("step", &[(DO, "volley")])])));
        }
        let mut stages = Vec::new();
        for (number, step) in (1..).zip(steps) {
            let (before, from) = steps.split_at(usize::from(number) - 1);
            let ends_turn = |step: &StepDraft<Reaction>| step.step_kind == StepKind::Turn;
            let before = before.rsplit(ends_turn).next().unwrap_or_default();
            let from = from.split(ends_turn).next().unwrap_or_default();
            let has = |steps: &[StepDraft<Reaction>], wanted| {
                steps.iter().any(|step| step.step_kind == wanted)
            };
            let turn = DiceOfTurn {
                rolled: has(before, StepKind::Roll),
                pulses: has(before, StepKind::Pulse) || has(from, StepKind::Pulse),
            };
            let stage = self.step(&step.fields, turn).map_err(|fault| fault.in_step(number))?;
            stages.extend([stage, Stage::Report(number)]);
        }
        Ok(stages)
    }
}
