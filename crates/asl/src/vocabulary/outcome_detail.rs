//! The reporting of outcomes: for which units, with which names and slots.

use super::unit::{UnitIndex, Wording};

/// Settings that say which outcomes are reported, and with which names and slots.
#[derive(Clone, Debug)]
pub struct OutcomeDetail {
    pub wording: Wording,
    /// The slot in the stack, from 1, of each unit of this process.
    pub slots: Vec<u8>,
    /// The slot of the first created unit. Later created units have the next slots.
    pub first_created: u8,
    /// For each unit, true if its outcome is reported.
    pub reported: Vec<bool>,
    /// The slots of further units equal to the reported one. Each has the same probabilities.
    pub equals: Vec<u8>,
    /// True if created units are reported.
    pub created: bool,
    /// True if one outcome is reported for the whole stack, instead of one per unit.
    pub joint: bool,
}

impl OutcomeDetail {
    /// Builds the settings for a stack of `units` units of which only the first is reported.
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

    /// Returns whether the unit at this index began in the stack. Created units did not.
    pub(crate) fn is_of_stack(&self, place: UnitIndex) -> bool {
        usize::from(place) < self.slots.len()
    }

    /// Returns the slot of the unit at this index, from 1. Created units come after the stack.
    pub(crate) fn slot(&self, place: UnitIndex) -> u8 {
        let place = usize::from(place);
        let created = || self.first_created.saturating_add((place - self.slots.len()) as u8);
        self.slots.get(place).copied().unwrap_or_else(created)
    }
}
