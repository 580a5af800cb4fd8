//! Builds a question from a filled-in form.

use super::compile::{Cast, roster, stages};
use super::exchange::{Exchange, ReportScope};
use super::field::Army;
use super::fields::Wild;
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
        let mut cast = Cast { rules, roster, own, assumed: Vec::new() };
        let stages = stages(draft, &mut cast)?;
        let goals = cast.roster.iter().any(|member| member.start.goal.is_some());
        let telling = ReportScope {
            goals: goals && matches!(ask, QuestionKind::Sequence | QuestionKind::Move),
            ..report_scope(head)
        };
        let (armies, rally_dice) = armies(head, rules);
        let happens = |holds: fn(&Stage) -> bool| stages.iter().any(holds);
        let exchange = Exchange {
            rules: rules.clone(),
            armies,
            rally_dice,
            halted_cover: rules.cover_dice(rules.halted_cover),
            hands_on_points: *ask == QuestionKind::Sequence && telling.armies,
            checks_army_morale: rules.army_morale_check && telling.armies,
            keeps_wild_dice: happens(|stage| {
                matches!(stage, Stage::Volley(_) | Stage::Orders(_) | Stage::Pulse { .. })
            }),
            uses_staff: rules.army_morale_check && telling.armies
                || stages.iter().any(|stage| stage.most_staff() > 0),
            roster: cast.roster,
            own,
            stages,
            telling,
        };
        Ok(Question {
            ask: *ask,
            policies: policies::that_matter(&exchange),
            exchange,
            assumed_values: cast.assumed,
        })
    }
}

fn report_scope(head: &Head) -> ReportScope {
    let common = head.common();
    let scope = ReportScope {
        inches: common.inches,
        effects: common.effects,
        joint: common.joint,
        ..ReportScope::default()
    };
    match head {
        Head::Volley { fields, .. } => ReportScope {
            at_least: fields.at_least.map(Whole::u8),
            forced_back: true,
            armies: fields.army,
            ..scope
        },
        Head::Volleys { fields, .. } => ReportScope { armies: fields.army, ..scope },
        Head::Rally { .. } => scope,
        Head::Command { fields, .. } => {
            ReportScope { command: true, first: fields.enemy_dice.is_some(), ..scope }
        }
        Head::Morale { .. } => ReportScope { armies: true, ..scope },
        Head::Check { .. } => ReportScope { check: true, ..scope },
        Head::Move { .. } => ReportScope { inches: true, ..scope },
        Head::Sequence { fields, .. } => ReportScope { armies: fields.army, ..scope },
    }
}

/// Returns the armies at the start (own, enemy) and the Rally Dice of both.
fn armies(head: &Head, rules: &Rules) -> ([Army; 2], [u8; 2]) {
    let usual = |wild: Wild| Army {
        morale: rules.army_morale.count(),
        command_dice: rules.command_dice.count(),
        wild: wild.u8(),
        ..Army::default()
    };
    let [mut own, mut enemy] = [head.common().wild, head.common().enemy_wild].map(usual);
    let mut rally_dice = [rules.rally_dice.count(); 2];
    let mut staff = 0;
    match head {
        Head::Volley { .. } | Head::Volleys { .. } | Head::Rally { .. } | Head::Move { .. } => {}
        Head::Command { fields, .. } => {
            own.command_dice = fields.dice.map_or(own.command_dice, Whole::u8);
            enemy.command_dice = fields.enemy_dice.map_or(0, Whole::u8);
        }
        Head::Morale { fields, .. } => own.morale = fields.points.map_or(own.morale, Whole::u8),
        Head::Check { fields, .. } => staff = fields.staff_order.into(),
        Head::Sequence { fields, .. } => {
            own.morale = fields.own_morale.map_or(own.morale, Whole::u8);
            enemy.morale = fields.enemy_morale.map_or(enemy.morale, Whole::u8);
            own.command_dice = fields.own_command_dice.map_or(own.command_dice, Whole::u8);
            enemy.command_dice = fields.enemy_command_dice.map_or(enemy.command_dice, Whole::u8);
            rally_dice = [fields.own_rally_dice, fields.enemy_rally_dice]
                .map(|dice| dice.map_or(rules.rally_dice.count(), Whole::u8));
            staff = rules.staff_orders.count();
        }
    }
    ([own, enemy].map(|army| Army { staff: staff.min(army.command_dice), ..army }), rally_dice)
}
