//! Builds a question from a filled-in form.

use super::compile::{Compiler, roster};
use super::exchange::{Exchange, ReportScope};
use super::field::Army;
use super::fields::Fields;
use super::kinds::{Head, QuestionKind, StepFields, StepKind};
use super::question::Question;
use super::rules::Rules;
use super::stage::Stage;
use super::{Reaction, policies};
use play::QuestionForm;
use play::question_form;
use schema::{FieldFault, Measure, Whole};

/// A question that is being filled in.
pub type Draft = question_form::Draft<Reaction>;

impl QuestionForm for Reaction {
    type QuestionKind = QuestionKind;
    type Head = Head;
    type StepKind = StepKind;
    type Step = StepFields;
    type Rules = Rules;
    type Question = Question;

    const MEASURES: &'static [Measure] = crate::measures::MEASURES;
    const MOST_STEPS: usize = 60;

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        let Draft { ask, head, rules, .. } = draft;
        let (roster, own) = roster(draft)?;
        let fields = head.fields();
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
            armies: armies(head, fields, rules),
            rally_dice: [fields.own_rally_dice, fields.enemy_rally_dice].map(rally_dice),
            stages: Vec::new(),
            halted_cover: rules.cover_dice(rules.halted_cover),
            hands_on_points: *ask == QuestionKind::Sequence && telling.armies,
            checks_army_morale: rules.army_morale_check && telling.armies,
            uses_staff: false,
            keeps_wild_dice: false,
            telling,
        };
        let mut compiler = Compiler { exchange: &exchange, assumed: Vec::new() };
        let (stages, assumed_values) = (compiler.stages(draft)?, compiler.assumed);
        exchange.uses_staff =
            exchange.checks_army_morale || stages.iter().any(|stage| stage.most_staff() > 0);
        exchange.keeps_wild_dice = stages.iter().any(|stage| {
            matches!(stage, Stage::Volley(_) | Stage::Orders { .. } | Stage::Pulse { .. })
        });
        exchange.stages = stages;
        let policies = policies::that_matter(&exchange);
        Ok(Question { ask: *ask, policies, exchange, assumed_values })
    }
}

/// Returns the armies at the start, the own army first.
fn armies(head: &Head, fields: &Fields, rules: &Rules) -> [Army; 2] {
    let army = |morale: Option<u8>, dice: Option<u8>, staff: u8, wild: u8| {
        let command_dice = dice.unwrap_or(rules.command_dice.count());
        let morale = morale.unwrap_or(rules.army_morale.count());
        Army { morale, command_dice, staff: staff.min(command_dice), wild, ..Army::default() }
    };
    let Fields { points, own_morale, enemy_morale, own_command_dice, enemy_command_dice, .. } =
        fields;
    let (own_dice, enemy_dice) = match head {
        Head::Command { dice, .. } => {
            (dice.dice.map(Whole::u8), Some(fields.enemy_dice.map_or(0, Whole::u8)))
        }
        _ => (own_command_dice.map(Whole::u8), enemy_command_dice.map(Whole::u8)),
    };
    let staff = match head {
        Head::Sequence { .. } => rules.staff_orders.count(),
        _ => fields.staff_order.into(),
    };
    [
        army(points.or(*own_morale).map(Whole::u8), own_dice, staff, fields.wild.u8()),
        army(enemy_morale.map(Whole::u8), enemy_dice, staff, fields.enemy_wild.u8()),
    ]
}
