//! How outcomes are told: of which units, in which words, by which slots.

use super::location::Place;
use super::unit::Wording;

/// How outcomes are told.
#[derive(Clone, Debug)]
pub struct Telling {
    pub wording: Wording,
    /// Slot of each unit of this process.
    pub slots: Vec<u8>,
    /// Slot of the first created unit.
    pub first_created: u8,
    /// Places told about.
    pub told: Vec<bool>,
    /// Slots of further units, equal to the one told about: their odds are the same.
    pub equals: Vec<u8>,
    /// Whether created units are told about.
    pub created: bool,
    /// One outcome for the whole stack in place of one per unit.
    pub joint: bool,
}

impl Telling {
    /// As it stands, of the first of so many units, which are a stack by themselves.
    pub(crate) fn of_the_first(units: usize) -> Telling {
        Telling {
            wording: Wording::Check,
            slots: (1..=units as u8).collect(),
            first_created: units as u8 + 1,
            told: vec![true],
            equals: Vec::new(),
            created: false,
            joint: false,
        }
    }

    /// Whether the unit in a place is one of the stack, not one created.
    pub(crate) fn is_of_stack(&self, place: Place) -> bool {
        usize::from(place) < self.slots.len()
    }

    /// Slot of the unit in a place (section 21): that of the stack, then created units in order of
    /// appearance.
    pub(crate) fn slot(&self, place: Place) -> u8 {
        let place = usize::from(place);
        let created = || self.first_created.saturating_add((place - self.slots.len()) as u8);
        self.slots.get(place).copied().unwrap_or_else(created)
    }
}
