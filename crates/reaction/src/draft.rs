//! Builds a question from a filled-in form.

use super::Reaction;
use super::kinds::{Head, QuestionKind, StepFields, StepKind};
use super::question::Question;
use super::rules::Rules;
use system::form::FieldFault;
use system::question_form::{self, QuestionForm};

/// A question that is being filled in.
pub type Draft = question_form::Draft<Reaction>;
/// A step of such a question.
pub type Step = question_form::StepDraft<Reaction>;

impl QuestionForm for Reaction {
    type QuestionKind = QuestionKind;
    type Head = Head;
    type StepKind = StepKind;
    type Step = StepFields;
    type Rules = Rules;
    type Question = Question;
    const MOST_STEPS: usize = 60;

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        Question::from_draft(draft)
    }
}
