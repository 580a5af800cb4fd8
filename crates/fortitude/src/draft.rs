//! Builds a question from a filled-in form.

use super::Fortitude;
use super::battle::Battle;
use super::kinds::{Fields, QuestionKind, StepFields, StepKind};
use super::question::Question;
use super::rules::Rules;
use play::{QuestionForm, question_form};
use schema::{FieldFault, Measure};

/// A question that is being filled in.
pub type Draft = question_form::Draft<Fortitude>;
/// A builder of questions for programs, with one method for each field.
pub type QuestionBuilder = question_form::QuestionBuilder<Fortitude>;

impl QuestionForm for Fortitude {
    type QuestionKind = QuestionKind;
    type Head = Fields;
    type StepKind = StepKind;
    type Step = StepFields;
    type Rules = Rules;
    type Question = Question;

    const MEASURES: &'static [Measure] = crate::question_info::MEASURES;

    const MOST_STEPS: usize = 40;

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        let Draft { ask, head, steps, rules, .. } = draft;
        let missing =
            || Fields::units.fault("units are missing").help("for example `unit/base=10,shaken`");
        head.units.as_ref().ok_or_else(missing)?;
        let battle = Battle {
            rules: rules.clone(),
            fighters: Vec::new(),
            forces: Vec::new(),
            stages: Vec::new(),
            orders: [&head.orders, &head.enemy_orders].map(|orders| orders.0.clone()),
            staff_lost: [head.staff_lost, head.enemy_staff_lost],
            until: head.until,
            joint: head.joint,
        };
        let (head, policies) = (head.clone(), Vec::new());
        let mut question = Question { ask: *ask, head, battle, force: None, policies };
        question.compile(steps)?;
        question.policies = question.battle.policies();
        Ok(question)
    }
}
