//! How the units of a Location end, as outcomes of the process and as labels of a table.

use super::catalogue::{Counter, CounterId};
use super::engagement::Engagement;
use super::location::{Location, Place};
use super::unit::{Condition, Status};

/// One noted outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Of one unit.
    Unit(UnitOutcome),
    /// Of every unit at once, by slot.
    Stack(Box<[UnitOutcome]>),
}

/// How one unit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitOutcome {
    /// 1-based place in the stack; created units come after it.
    pub slot: u8,
    pub status: Status,
    /// Its counter at the end, the first in the catalogue that prints alike; none when eliminated.
    pub counter: Option<CounterId>,
    pub fanatic: bool,
    pub heroic: bool,
    /// For an SMC that is still there.
    pub wounded: Option<bool>,
}

impl UnitOutcome {
    /// The counter with its lasting conditions: `4-6-8/fanatic`.
    pub(super) fn counter_text(&self, counters: &[Counter]) -> Option<String> {
        let printed = counters[usize::from(self.counter?.0)].printed();
        let lasting = [("fanatic", self.fanatic), ("heroic", self.heroic)];
        let lasting: Vec<&str> = lasting.into_iter().filter(|(_, holds)| *holds).map(|(word, _)| word).collect();
        Some(if lasting.is_empty() { printed } else { format!("{printed}/{}", lasting.join(",")) })
    }
}

impl Engagement {
    /// Tells how every unit stands.
    pub(super) fn tell_outcomes(&self, location: &Location, tell: &mut impl FnMut(Outcome)) {
        let told = |place: &Place| self.telling.told.get(usize::from(*place)).copied().unwrap_or(true);
        let outcomes = location.places().filter(told).map(|place| self.unit_outcome(location, place));
        if self.telling.joint {
            tell(Outcome::Stack(outcomes.collect()));
        } else {
            outcomes.for_each(|outcome| tell(Outcome::Unit(outcome)));
        }
    }

    fn unit_outcome(&self, location: &Location, place: Place) -> UnitOutcome {
        let unit = location.unit(place);
        let there = !unit.is(Condition::Eliminated);
        UnitOutcome {
            slot: self.telling.slot(place),
            status: Status::of(unit, self.telling.wording),
            counter: there.then(|| self.roster.alike[usize::from(unit.counter.0)]),
            fanatic: there && unit.is(Condition::Fanatic),
            heroic: there && unit.is(Condition::Heroic),
            wounded: (there && self.counter(unit).kind.is_smc()).then(|| unit.is(Condition::Wounded)),
        }
    }
}
