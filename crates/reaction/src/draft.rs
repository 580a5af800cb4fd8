//! Builds a question from a filled-in form.

use super::Reaction;
use super::kinds::{Ask, Deed, Head, StepFields};
use super::question::Question;
use super::rules::Rules;
use system::draft::{self, Topic};
use system::form::FieldFault;

/// A question that is being filled in.
pub type Draft = draft::Draft<Reaction>;
/// A step of such a question.
pub type Step = draft::Step<Reaction>;

impl Topic for Reaction {
    type Ask = Ask;
    type Head = Head;
    type Deed = Deed;
    type Step = StepFields;
    type Rules = Rules;
    type Question = Question;
    const MOST_STEPS: usize = 60;

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        Question::of(draft)
    }
}
