//! A question being filled in: which fields it has, and what it becomes.

use super::Reaction;
use super::kinds::{Ask, Deed, Head, StepFields};
use super::question::Question;
use super::rules::Rules;
use system::draft::{self, Topic};
use system::form::FieldFault;

/// A question being filled in.
pub type Draft = draft::Draft<Reaction>;
/// A step of it.
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
