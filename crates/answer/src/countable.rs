//! What a question tells about its units so that they can be counted.

use super::question_info::QuestionFacts;
use schema::{Group, UnitEnd};

/// A unit of a group in an outcome, with its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitInClass {
    /// 1-based slot of the unit; for a created unit, of the unit it was created from.
    pub slot: u8,
    pub status: &'static str,
    pub parts: u8,
    /// True if the unit counts only where units created on the way count.
    pub created: bool,
    /// True if the unit ends in the way that is asked for, if one is.
    pub ends_so: bool,
}

/// A unit of a group as the question starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedUnit {
    pub slot: u8,
    pub parts: u8,
    /// True if the unit holds at the start. Otherwise the waiting times ask when it holds again.
    pub holds: bool,
}

/// Something whose units can be counted: a question, or one phase of a longer question.
pub trait Countable: Sync {
    /// Type of the outcomes.
    type Outcome;

    /// Returns the kind, the number of units and the report points.
    fn facts(&self) -> QuestionFacts;
    /// Returns the units of a group that are present at the start.
    fn counted_units(&self, group: &Group) -> Vec<CountedUnit>;
    /// Reports the status of each unit of a group in an outcome, and whether it ends as in `end`.
    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &Self::Outcome,
        observe: &mut dyn FnMut(UnitInClass),
    );
    /// Returns the slot of the unit that an outcome describes, or `None` if it describes all units.
    fn slot(&self, outcome: &Self::Outcome) -> Option<u8>;
    /// Returns the outcome moved to another slot.
    fn in_slot(&self, outcome: Self::Outcome, slot: u8) -> Self::Outcome;
    /// Returns true if each unit is reported at the end of its own turn, so that counts accumulate.
    fn is_reported_in_turns(&self) -> bool {
        false
    }
}
