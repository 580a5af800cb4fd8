//! The final states of units in a Location, as outcomes and as labels, and how they are reported.

use super::unit::{Condition, Status, UnitIndex, Wording, with_lasting};
use crate::catalogue::{CATALOGUE, CounterId, CounterKind};

/// One reported outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The outcome of one unit.
    Unit(UnitOutcome),
    /// The outcomes of all units together, in the order of their slots, with the effective attacks
    /// of a Sniper that can strike them.
    Stack { units: Box<[UnitOutcome]>, sniper: Option<u8> },
    /// The number of calls of the Sniper that is followed (14.1).
    Calls(u8),
}

/// The kind of outcomes that a process reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Report {
    /// The outcome of each unit.
    Units,
    /// One outcome of the whole stack.
    Stack,
    /// The number of calls of a Sniper alone.
    Calls,
}

/// The final state of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitOutcome {
    /// The slot in the stack, counted from 1. Created units come after the stack.
    pub slot: u8,
    pub status: Status,
    /// The first catalogue counter with the printed name of the unit. `None` if eliminated.
    pub counter: Option<CounterId>,
    pub fanatic: bool,
    pub heroic: bool,
    /// True if the unit is a wounded SMC. `None` for an MMC or an eliminated unit.
    pub wounded: Option<bool>,
    /// The kind of a unit that was created during the process. `None` for a unit of the stack.
    pub created: Option<CounterKind>,
    /// True for a unit that has left the Location of a Close Combat (11.2).
    pub is_away: bool,
    /// True for a unit under a `?` (12.1), where outcomes tell it.
    pub is_concealed: bool,
}

impl std::hash::Hash for UnitOutcome {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let counter = self.counter.map_or(0, |counter| u64::from(counter.0) + 1);
        let wounded = self.wounded.map_or(0, |wounded| u64::from(wounded) + 1);
        let lasting = u64::from(self.fanatic) | u64::from(self.heroic) << 1;
        let lasting = lasting | u64::from(self.is_away) << 2 | u64::from(self.is_concealed) << 3;
        let created = self.created.map_or(0, |kind| kind as u64 + 1);
        hasher.write_u64(
            u64::from(self.slot)
                | (self.status as u64) << 8
                | counter << 16
                | wounded << 32
                | lasting << 40
                | created << 48,
        );
    }
}

impl UnitOutcome {
    /// Returns the counter with lasting conditions: `4-6-8/fanatic`, with `concealed`, and with
    /// `away` if it has left a Close Combat. `None` if eliminated.
    /// The catalogue suffices, because every changed counter is printed like one of its counters.
    pub fn counter_text(&self) -> Option<String> {
        let printed = CATALOGUE.get(self.counter?).printed();
        let counter = with_lasting(printed, self.fanatic, self.heroic);
        let words = [(self.is_concealed, Condition::Concealed.name()), (self.is_away, AWAY)];
        let words = words.into_iter().filter(|(holds, _)| *holds);
        Some(words.fold(counter, |counter, (_, word)| {
            let sign = if counter.contains('/') { ',' } else { '/' };
            format!("{counter}{sign}{word}")
        }))
    }
}

/// The word for a unit that has left the Location.
pub(crate) const AWAY: &str = "away";

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
    /// True if outcomes tell who is concealed.
    pub tells_concealment: bool,
    pub report: Report,
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
            tells_concealment: false,
            report: Report::Units,
        }
    }

    /// Returns whether the unit at this index began in the stack. Created units did not.
    pub(crate) fn is_of_stack(&self, place: UnitIndex) -> bool {
        usize::from(place) < self.slots.len()
    }

    /// Returns the index of the unit in a slot.
    pub(crate) fn place(&self, slot: u8) -> Option<UnitIndex> {
        let created = slot.checked_sub(self.first_created);
        let created = created.map(|place| self.slots.len() as UnitIndex + place);
        let of_stack = || self.slots.iter().position(|own| *own == slot);
        created.or_else(|| of_stack().map(|place| place as UnitIndex))
    }

    /// Returns the slot of the unit at this index, from 1. Created units come after the stack.
    pub(crate) fn slot(&self, place: UnitIndex) -> u8 {
        let place = usize::from(place);
        let created = || self.first_created.saturating_add((place - self.slots.len()) as u8);
        self.slots.get(place).copied().unwrap_or_else(created)
    }
}
