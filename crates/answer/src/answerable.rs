//! Questions that can be answered and rendered.

use super::countable::{Countable, CountedUnit, UnitInClass};
use super::factored::Factors;
use super::question_info::{QuestionFacts, QuestionInfo};
pub use engine::process::{OutcomeOf, StateOf};
use engine::process::{Question, ReportIndex};
use schema::{Group, UnitEnd};

/// A question that can be answered and rendered.
pub trait Answerable: Question {
    /// Returns the description of the question.
    fn words(&self) -> &dyn QuestionInfo;
    /// Reports the amount of each quantity in an outcome, with the 0-based position of the quantity
    /// in [`QuestionInfo::quantities`]. Every sequence reports each quantity once.
    fn amounts(
        &self,
        _point: ReportIndex,
        _outcome: &OutcomeOf<Self>,
        _observe: &mut dyn FnMut(usize, i64),
    ) {
    }
    /// Returns the units of a group that are present at the start.
    fn counted_units(&self, _group: &Group) -> Vec<CountedUnit> {
        Vec::new()
    }
    /// Reports the status of each unit of a group in an outcome.
    fn counted(
        &self,
        _group: &Group,
        _end: Option<&UnitEnd>,
        _outcome: &OutcomeOf<Self>,
        _observe: &mut dyn FnMut(UnitInClass),
    ) {
    }
    /// Returns the slot of the unit that an outcome describes, or `None` if it describes all units.
    fn slot(&self, outcome: &OutcomeOf<Self>) -> Option<u8>;
    /// Returns the outcome moved to another slot, for a unit created on the way.
    fn in_slot(&self, outcome: OutcomeOf<Self>, _slot: u8) -> OutcomeOf<Self> {
        outcome
    }
    /// Returns the factorisation, in which nobody has a choice; `None` (the default) without one.
    fn factors(&self) -> Option<Box<dyn Factors<OutcomeOf<Self>>>> {
        None
    }
}

impl<Q: Answerable> Countable for Q {
    type Outcome = OutcomeOf<Q>;

    fn facts(&self) -> QuestionFacts {
        self.words().facts()
    }
    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        Answerable::counted_units(self, group)
    }
    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &OutcomeOf<Q>,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        Answerable::counted(self, group, end, outcome, observe);
    }
    fn slot(&self, outcome: &OutcomeOf<Q>) -> Option<u8> {
        Answerable::slot(self, outcome)
    }
    fn in_slot(&self, outcome: OutcomeOf<Q>, slot: u8) -> OutcomeOf<Q> {
        Answerable::in_slot(self, outcome, slot)
    }
}
