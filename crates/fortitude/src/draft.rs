//! Builds a question from a filled-in form.

use super::Fortitude;
use super::check::Check;
use super::kinds::{Fields, QuestionKind};
use super::order::Order;
use super::question::{Question, What};
use super::rules::Rules;
use super::step::{StepFields, StepKind};
use engine::process::Question as _;
use play::QuestionForm;
use play::question_form;
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
        let units = &head.units.as_ref().ok_or_else(missing)?.0;
        let check = Check { ask: *ask, head, steps, rules, units };
        let what = check.what()?;
        let fights = matches!(what, What::Assault { .. } | What::Sequence(_));
        let mut question = Question {
            ask: *ask,
            units: units.clone(),
            enemies: if fights { check.enemies().to_vec() } else { Vec::new() },
            order: head.order,
            orders: check.orders().map(<[Order]>::to_vec),
            staff_lost: check.staff_lost(),
            until: head.until,
            joint: head.joint,
            rules: rules.clone(),
            what,
            policies: Vec::new(),
        };
        question.policies = question.whole().policies();
        Ok(question)
    }
}
