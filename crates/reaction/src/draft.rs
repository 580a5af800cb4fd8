//! Builds a question from a filled-in form: checks its fields together, and makes stages.

use super::exchange::{Exchange, ReportScope, Stage, Volley};
use super::field::Army;
use super::kinds::{Fields, OrderDice, QuestionKind, Shot, Slot, StepFields, StepKind};
use super::notation::PlacedUnit;
use super::question::Question;
use super::rules::{ActivationLimit, HighSuppression, Rules};
use super::unit::{Member, Printed, Side};
use super::{Reaction, relevance};
use engine::text::notation::{each, field, shown, text_field};
use engine::text::{Fault, counted};
use play::{DynQuestion, QuestionForm, StepDraft, question_form};
use schema::common_fields::DO;
use schema::{Field, FieldFault, Measure, Rules as _, Source, Whole, Word as _};

/// A question that is being filled in.
pub type Draft = question_form::Draft<Reaction>;

impl QuestionForm for Reaction {
    type QuestionKind = QuestionKind;
    type Head = (Fields, Shot);
    type StepKind = StepKind;
    type Step = (StepFields, Shot);
    type Rules = Rules;
    type Question = Question;

    const MEASURES: &'static [Measure] = crate::question::MEASURES;
    const MOST_STEPS: usize = 60;

    fn finish(draft: &Draft) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        let Draft { ask, head: (fields, _), rules, .. } = draft;
        let (roster, own) = roster(draft)?;
        let goals = roster.iter().any(|member| member.start.goal.is_some());
        let telling = ReportScope {
            inches: fields.inches || *ask == QuestionKind::Move,
            at_least: fields.at_least.map(Whole::u8),
            forced_back: *ask == QuestionKind::Volley,
            effects: fields.effects,
            goals: goals && matches!(ask, QuestionKind::Sequence | QuestionKind::Move),
            armies: fields.army || *ask == QuestionKind::Morale,
            command: *ask == QuestionKind::Command,
            first: fields.enemy_dice.is_some(),
            check: *ask == QuestionKind::Check,
            joint: fields.joint,
        };
        let rally_dice =
            |dice: Option<Whole<0, 12>>| dice.map_or(rules.rally_dice.count(), Whole::u8);
        let mut exchange = Exchange {
            rules: rules.clone(),
            roster,
            own,
            armies: armies(*ask, fields, rules),
            rally_dice: [fields.own_rally_dice, fields.enemy_rally_dice].map(rally_dice),
            stages: Vec::new(),
            hands_on_points: *ask == QuestionKind::Sequence && telling.armies,
            checks_army_morale: rules.army_morale_check && telling.armies,
            uses_staff: false,
            keeps_wild_dice: false,
            telling,
        };
        let mut compiler = Compiler { exchange: &exchange, assumed: Vec::new() };
        let (stages, assumed_values) = (compiler.stages(draft)?, compiler.assumed);
        exchange.uses_staff = exchange.checks_army_morale
            || stages.iter().any(|stage| {
                matches!(stage, Stage::Orders { staff: 1.., .. } | Stage::Pulse { staff: 1.. })
            });
        exchange.keeps_wild_dice = stages.iter().any(|stage| {
            matches!(stage, Stage::Volley(_) | Stage::Orders { .. } | Stage::Pulse { .. })
        });
        exchange.stages = stages;
        let policies = relevance::policies(&exchange);
        Ok(Question { ask: *ask, policies, exchange, assumed_values })
    }
}

fn armies(ask: QuestionKind, fields: &Fields, rules: &Rules) -> [Army; 2] {
    let (own, enemy) = (fields.own_command_dice, fields.enemy_command_dice);
    let (dice, staff) = match ask {
        QuestionKind::Sequence => {
            ([own, enemy].map(|dice| dice.map(Whole::u8)), rules.staff_orders.count())
        }
        QuestionKind::Command => {
            ([fields.dice.map(Whole::u8), Some(fields.enemy_dice.map_or(0, Whole::u8))], 0)
        }
        _ => ([None; 2], fields.staff_order.into()),
    };
    let [own, enemy] = dice.map(|dice| dice.unwrap_or(rules.command_dice.count()));
    let army = |morale: Option<Whole<0, 60>>, command_dice: u8, wild: OrderDice| {
        let morale = morale.map_or(rules.army_morale.count(), Whole::u8);
        let (staff, wild) = (staff.min(command_dice), wild.u8());
        Army { morale, command_dice, staff, wild, ..Army::default() }
    };
    [
        army(fields.points.or(fields.own_morale), own, fields.wild),
        army(fields.enemy_morale, enemy, fields.enemy_wild),
    ]
}

/// Returns the units of a question, the own units first, and the number of own units.
fn roster(draft: &Draft) -> Result<(Vec<Member>, usize), FieldFault> {
    let (kind, fields) = (draft.ask.declared(), &draft.head.0);
    if kind.groups.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let subject = kind.subject.unwrap_or(Fields::own);
    let missing = || subject.fault("a unit is missing").help("for example `panzer-iv`");
    let lists = [&fields.target.0, &fields.units.0, &fields.mover.0, &fields.own.0];
    let own = lists.into_iter().find(|units| !units.is_empty()).ok_or_else(missing)?;
    let mut roster = members(&draft.rules, subject, own)?;
    let own = roster.len();
    roster.extend(members(&draft.rules, Fields::enemy, &fields.enemy.0)?);
    Ok((roster, own))
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
fn roll(rules: &Rules, dice: u8, shot: &Shot) -> (i8, u8) {
    let ranges = [rules.range_tn_close, rules.range_tn_effective, rules.range_tn_long];
    let moves = [0, rules.move_dice_double.0, rules.move_dice_triple.0];
    let uphill = if shot.uphill { rules.uphill_dice.0 } else { 0 };
    let flank = if shot.flank { rules.flank_tn.0 } else { 0 };
    let tn = rules.fire_tn.0 + ranges[shot.range as usize].0 + flank;
    slide(i16::from(dice) + i16::from(moves[shot.moved as usize] + uphill), tn.into())
}

/// Slides a TN above 6 or below 2 to the nearest that can be rolled, a die for each point.
fn slide(dice: i16, tn: i16) -> (i8, u8) {
    let rolled = tn.clamp(2, 6);
    ((dice + rolled - tn) as i8, rolled as u8)
}

const EITHER_DICE_OR_UNIT: &str = "use either firing dice or a firing unit, not both";

/// The use of the Command Dice of a turn.
#[derive(Clone, Copy)]
struct DiceOfTurn {
    rolled: bool,
    /// True if the turn has pulses, which use the dice.
    pulses: bool,
}

impl DiceOfTurn {
    fn check_rolled(self) -> Result<(), FieldFault> {
        if self.rolled {
            return Ok(());
        }
        let fault = FieldFault::new(DO, "no Command Dice have been rolled in this turn");
        Err(fault.help("put a step `roll` before this step"))
    }

    /// Checks that no pulses use the dice. `help` says what to write instead.
    fn check_free(self, field: &str, help: &'static str) -> Result<(), FieldFault> {
        if !self.pulses {
            return Ok(());
        }
        Err(FieldFault::new(field, "the pulses of this turn use its Command Dice").help(help))
    }
}

/// Compiles the fields of a question for an exchange without stages.
struct Compiler<'a> {
    exchange: &'a Exchange,
    /// Assumed values of units that the answer depends on, such as `us-tank reaction = 5`.
    assumed: Vec<String>,
}

impl Compiler<'_> {
    fn stages(&mut self, draft: &Draft) -> Result<Vec<Stage>, FieldFault> {
        let (fields, shot) = &draft.head;
        let dice = Some(fields.orders.u8());
        let orders = Stage::Orders { side: Side::Own, dice, staff: 0, ends_activations: true };
        let repeated = |stage, times: u16| {
            (1..=times).flat_map(|point| [stage, Stage::Report(point)]).collect()
        };
        let stage = match draft.ask {
            QuestionKind::Volleys => {
                let volley = Stage::Volley(self.volley_at_target(fields, shot)?);
                let points = 1..=fields.volleys.u16();
                let stages = points.flat_map(|point| [orders, volley, Stage::Report(point)]);
                return Ok(stages.skip(1).collect());
            }
            QuestionKind::Rally => return Ok(repeated(orders, fields.turns.u16())),
            QuestionKind::Morale => {
                return Ok(repeated(Stage::MoraleLoss(Side::Own), fields.dispersals.u16()));
            }
            QuestionKind::Sequence => return self.steps(&draft.steps),
            QuestionKind::Volley => Stage::Volley(self.volley_at_target(fields, shot)?),
            QuestionKind::Command => Stage::Command,
            QuestionKind::Check => {
                let default = || {
                    let rules = &draft.rules;
                    self.assumed.extend(rules.default_words(Rules::army_morale_dice.name));
                    rules.army_morale_dice.count()
                };
                Stage::MoraleCheck { dice: fields.dice.map_or_else(default, Whole::u8) }
            }
            QuestionKind::Move => {
                Stage::Move { place: 0, chain: fields.dice.map_or(1, Whole::u8), may_hold: false }
            }
        };
        Ok(vec![stage, Stage::Report(0)])
    }

    /// Returns the dice of a unit, and records them if they are assumed.
    fn dice(
        &mut self,
        member: Member,
        (word, printed): (&str, Printed),
        missing: impl FnOnce(&str) -> FieldFault,
    ) -> Result<u8, FieldFault> {
        let name = member.preset.name;
        let (dice, source) = printed.ok_or_else(|| missing(name))?;
        let assumption = format!("{name} {word} = {dice}");
        if source == Source::Assumed && !self.assumed.contains(&assumption) {
            self.assumed.push(assumption);
        }
        Ok(dice)
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
        let member = self.exchange.roster[target];
        let printed = member.reaction(shot.artillery);
        let reaction = self.dice(member, ("reaction", printed), |name| {
            let fault = field.fault(format!("the Reaction Dice of `{name}` are missing"));
            fault.help("write for example `/reaction=5`")
        })?;
        let rules = &self.exchange.rules;
        let (dice, tn) = roll(rules, dice, shot);
        let is_high = rules.high_suppression == HighSuppression::OfAll
            || rules.high_suppression == HighSuppression::Artillery && shot.artillery;
        Ok(Volley {
            side: self.exchange.side_of(target).other(),
            firer,
            target,
            dice,
            tn,
            reaction,
            cover: rules.cover_dice(shot.cover),
            matched: -i8::from(is_high),
            may_hold: false,
        })
    }

    fn dice_of(&mut self, firer: Member, target: usize, field: Field) -> Result<u8, FieldFault> {
        let soft = self.exchange.roster[target].soft;
        let (word, against) = if soft { ("fp", "soft targets") } else { ("at", "armour") };
        self.dice(firer, (word, firer.fire(soft)), |name| {
            let fault = field.fault(format!("the dice of `{name}` against {against} are missing"));
            fault.help(format!("write for example `/{word}=6`"))
        })
    }

    fn volley_at_target(&mut self, fields: &Fields, shot: &Shot) -> Result<Volley, FieldFault> {
        let dice = match (fields.dice, &fields.by.0[..]) {
            (Some(dice), []) => dice.u8(),
            (Some(_), _) => return Err(Fields::by.fault(EITHER_DICE_OR_UNIT)),
            (None, []) => {
                let fault = Fields::dice.fault("say who fires");
                let examples = [field("dice", 4), text_field("by", "stug-iii")];
                return Err(fault.help(shown("for example `{}`, or `{}`", examples)));
            }
            (None, by) => {
                let firer = members(&self.exchange.rules, Fields::by, by)?[0];
                if !firer.start.may_fire() {
                    let (name, fate) = (firer.preset.name, firer.start.fate());
                    return Err(Fields::by.fault(format!("`{name}` {fate}: it cannot fire")));
                }
                self.dice_of(firer, 0, Fields::by)?
            }
        };
        self.volley(shot, None, dice, 0, Fields::target)
    }

    fn place(&self, slot: Slot, field: Field) -> Result<usize, FieldFault> {
        let (slot, units) = (usize::from(slot.u8()), self.exchange.roster.len());
        if slot <= units {
            return Ok(slot - 1);
        }
        Err(field.fault(format!("there is no slot {slot}: the units have slots 1 to {units}")))
    }

    fn needed_place(
        &self,
        slot: Option<Slot>,
        field: Field,
        missing: &str,
        example: &str,
    ) -> Result<usize, FieldFault> {
        let missing = || field.fault(missing).help(format!("for example `{example}`"));
        self.place(slot.ok_or_else(missing)?, field)
    }

    fn volley_step(&mut self, fields: &StepFields, shot: &Shot) -> Result<Volley, FieldFault> {
        let (field, example) = (StepFields::target, "target = 2");
        let target = self.needed_place(fields.target, field, "say who is fired at", example)?;
        let firer = fields.firer.map(|firer| self.place(firer, StepFields::firer)).transpose()?;
        let side_of = |place| self.exchange.side_of(place);
        field.refuse_if(
            firer.is_some_and(|firer| side_of(firer) == side_of(target)),
            "firer and target are on the same side",
        )?;
        let dice = match (fields.dice, firer) {
            (Some(_), Some(_)) => return Err(StepFields::dice.fault(EITHER_DICE_OR_UNIT)),
            (Some(dice), None) => dice.u8(),
            (None, Some(firer)) => {
                self.dice_of(self.exchange.roster[firer], target, StepFields::firer)?
            }
            (None, None) => {
                let fault = StepFields::firer.fault("say who fires");
                return Err(fault.help("for example `firer = 1`, or `dice = 4`"));
            }
        };
        let volley = self.volley(shot, firer, dice, target, field)?;
        Ok(Volley { may_hold: fields.may_hold, ..volley })
    }

    fn move_step(&self, fields: &StepFields) -> Result<Stage, FieldFault> {
        let field = StepFields::slot;
        let place = self.needed_place(fields.slot, field, "say who moves", "slot = 1")?;
        let member = self.exchange.roster[place];
        if member.start.goal.is_none() {
            let (name, slot) = (member.preset.name, place + 1);
            let fault = field.fault(format!("`{name}` in slot {slot} has no goal to move to"));
            return Err(fault.help("write for example `/goal=24`"));
        }
        let (chain, may_hold) = (fields.dice.map_or(1, Whole::u8), fields.may_hold);
        Ok(Stage::Move { place: place as u8, chain, may_hold })
    }

    fn command_step(&self, fields: &StepFields, turn: DiceOfTurn) -> Result<Stage, FieldFault> {
        let StepFields { side, dice, staff, .. } = fields;
        let (dice, staff) = (dice.map(Whole::u8), staff.u8());
        let field = StepFields::dice.name;
        if dice.map_or(turn.rolled && staff == 0, |dice| dice > 0) {
            let help = "write `dice = 0` with `staff`, or remove the steps `pulse` from this turn";
            turn.check_free(field, help)?;
        }
        if dice.is_none() && !turn.rolled && staff == 0 {
            let fault = FieldFault::new(field, "say how many Command Dice there are");
            return Err(
                fault.help("for example `dice = 2`, or a step `roll` before it in the same turn")
            );
        }
        let ends_activations = self.exchange.rules.activation_limit == ActivationLimit::Pulse;
        Ok(Stage::Orders { side: *side, dice, staff, ends_activations })
    }

    fn step(&mut self, step: &StepDraft<Reaction>, turn: DiceOfTurn) -> Result<Stage, FieldFault> {
        let (fields, shot) = &step.fields;
        let &StepFields { slot, side, dice, staff, sixes, .. } = fields;
        Ok(match step.step_kind {
            StepKind::Volley => Stage::Volley(self.volley_step(fields, shot)?),
            StepKind::Command => self.command_step(fields, turn)?,
            StepKind::Roll => Stage::Command,
            StepKind::Pulse => {
                turn.check_rolled()?;
                Stage::Pulse { staff: staff.u8() }
            }
            StepKind::Restock => {
                let missing = "say how many Command Dice show the same number";
                let missing = || StepFields::dice.fault(missing).help("2, 3 or 4");
                let chain = dice.ok_or_else(missing)?.u8();
                turn.check_rolled()?;
                turn.check_free(DO, "in a step `pulse`, the side may restock Staff Orders")?;
                Stage::Restock { side, chain, sixes }
            }
            StepKind::Move => self.move_step(fields)?,
            StepKind::Turn => Stage::TurnEnds,
            StepKind::Disperse => {
                let (field, missing) = (StepFields::slot, "say who is dispersed");
                Stage::Disperse(self.needed_place(slot, field, missing, "slot = 1")? as u8)
            }
        })
    }

    /// Compiles the steps of a sequence, each followed by its report.
    fn steps(&mut self, steps: &[StepDraft<Reaction>]) -> Result<Vec<Stage>, FieldFault> {
        if steps.is_empty() {
            let fault = FieldFault::new(&format!("1.{DO}"), "a sequence needs at least one step");
            return Err(fault.help(shown("for example {}", [each("step", &[(DO, "volley")])])));
        }
        let (mut stages, mut number) = (Vec::new(), 0);
        for turn in steps.split_inclusive(|step| step.step_kind == StepKind::Turn) {
            let pulses = turn.iter().any(|step| step.step_kind == StepKind::Pulse);
            let mut dice = DiceOfTurn { rolled: false, pulses };
            for step in turn {
                number += 1;
                let stage = self.step(step, dice).map_err(|fault| fault.in_step(number))?;
                stages.extend([stage, Stage::Report(number)]);
                dice.rolled |= step.step_kind == StepKind::Roll;
            }
        }
        Ok(stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_numbers_out_of_range_change_the_dice() {
        for (dice, tn, rolled) in [
            (5, 4, (5, 4)),
            (5, 7, (4, 6)),
            (5, 8, (3, 6)),
            (5, 1, (6, 2)),
            (5, -1, (8, 2)),
            (1, 9, (-2, 6)),
        ] {
            assert_eq!(slide(dice, tn), rolled, "{dice} dice at {tn}");
        }
    }
}
