//! How outcomes are reported: for which units, with which names and slots.

use super::unit::{UnitIndex, Wording};

/// The settings by which outcomes are reported.
#[derive(Clone, Debug)]
pub struct OutcomeDetail {
    pub wording: Wording,
    /// The slot of each unit of this process.
    pub slots: Vec<u8>,
    /// The slot of the first created unit.
    pub first_created: u8,
    /// For each unit, whether its outcome is reported.
    pub reported: Vec<bool>,
    /// The slots of further units that equal the reported one. Their probabilities are equal.
    pub equals: Vec<u8>,
    /// Whether created units are reported.
    pub created: bool,
    /// Whether one outcome is reported for the whole stack, instead of one per unit.
    pub joint: bool,
}

impl OutcomeDetail {
    /// Builds the settings that report the first of `units` units, which are a stack by themselves.
    pub(crate) fn of_the_first(units: usize) -> OutcomeDetail {
        OutcomeDetail {
            wording: Wording::Check,
            slots: (1..=units as u8).collect(),
            first_created: units as u8 + 1,
            reported: vec![true],
            equals: Vec::new(),
            created: false,
            joint: false,
        }
    }

    /// Returns whether the unit at this index is one of the stack, and not a created one.
    pub(crate) fn is_of_stack(&self, place: UnitIndex) -> bool {
        usize::from(place) < self.slots.len()
    }

    /// Returns the slot of the unit at this index (section 21). Created units follow the stack in
    /// order of appearance.
    pub(crate) fn slot(&self, place: UnitIndex) -> u8 {
        let place = usize::from(place);
        let created = || self.first_created.saturating_add((place - self.slots.len()) as u8);
        self.slots.get(place).copied().unwrap_or_else(created)
    }
}
