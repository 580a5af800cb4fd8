//! The final states of units in a Location, as outcomes of the process and as labels of a table.

use super::unit::{Status, with_lasting};
use crate::catalogue::{CATALOGUE, CounterId, CounterKind};

/// One reported outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The outcome of one unit.
    Unit(UnitOutcome),
    /// The outcomes of all units together, in the order of their slots.
    Stack(Box<[UnitOutcome]>),
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
}

impl std::hash::Hash for UnitOutcome {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let counter = self.counter.map_or(0, |counter| u64::from(counter.0) + 1);
        let wounded = self.wounded.map_or(0, |wounded| u64::from(wounded) + 1);
        let lasting = u64::from(self.fanatic) | u64::from(self.heroic) << 1;
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
    /// Returns the counter with lasting conditions: `4-6-8/fanatic`. `None` if eliminated.
    /// The catalogue suffices, because every changed counter is printed like one of its counters.
    pub fn counter_text(&self) -> Option<String> {
        let printed = CATALOGUE.get(self.counter?).printed();
        Some(with_lasting(printed, self.fanatic, self.heroic))
    }
}
