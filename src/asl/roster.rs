//! The counters of one question: the catalogue, and those with a morale of their own.

use std::ops::Index;
use std::sync::{Arc, LazyLock};

use super::catalogue::{CATALOGUE, Counter, CounterId, Kind};
use super::stack::Member;

/// Counters by place; those of the catalogue come first.
#[derive(Debug)]
pub(super) struct Roster {
    pub counters: Vec<Counter>,
    /// For each counter the first that prints alike, so that rows of a table merge.
    pub alike: Vec<CounterId>,
    /// 15.2: the wounded side of a hero.
    pub wounded_hero: Option<CounterId>,
}

impl Index<CounterId> for Roster {
    type Output = Counter;

    #[inline]
    fn index(&self, CounterId(place): CounterId) -> &Counter {
        &self.counters[usize::from(place)]
    }
}

static CATALOGUE_ROSTER: LazyLock<Arc<Roster>> = LazyLock::new(|| Arc::new(Roster::new(CATALOGUE.counters().to_vec())));

impl Roster {
    fn new(counters: Vec<Counter>) -> Roster {
        let mut alike: Vec<CounterId> = Vec::with_capacity(counters.len());
        let printed: Vec<&str> = counters.iter().map(Counter::printed).collect();
        for (place, text) in printed.iter().enumerate() {
            let first = printed[..place].iter().position(|other| other == text).unwrap_or(place);
            alike.push(CounterId(first as u8));
        }
        let wounded_hero = counters
            .iter()
            .position(|counter| counter.kind == Kind::Hero && counter.morale < 9)
            .map(|place| CounterId(place as u8));
        Roster { counters, alike, wounded_hero }
    }

    /// The counters of these members, and the counter each of them is. A morale or nation given by hand makes a new counter, so
    /// that it ends with the counter: what replaces it has its printed values.
    pub fn of(members: &[Member]) -> (Arc<Roster>, Vec<CounterId>) {
        let standard = &*CATALOGUE_ROSTER;
        let as_printed = |member: &Member| member.morale.is_none() && member.broken_morale.is_none() && member.nation.is_none();
        if members.iter().all(as_printed) {
            return (standard.clone(), members.iter().map(|member| member.counter).collect());
        }
        let mut counters = standard.counters.clone();
        let mut alike = standard.alike.clone();
        let mut places = Vec::new();
        for member in members {
            if as_printed(member) {
                places.push(member.counter);
                continue;
            }
            let printed = member.printed();
            places.push(CounterId(counters.len() as u8));
            alike.push(standard.alike[usize::from(member.counter.0)]);
            counters.push(Counter {
                nation: member.nation.unwrap_or(printed.nation),
                morale: member.morale.unwrap_or(printed.morale),
                broken_morale: member.broken_morale.unwrap_or(printed.broken_morale),
                ..printed.clone()
            });
        }
        (Arc::new(Roster { counters, alike, wounded_hero: standard.wounded_hero }), places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asl::stack::MAX_UNITS;

    /// A place is a byte: the catalogue and a counter of its own for every unit and the leader must fit.
    #[test]
    fn every_counter_has_a_place() {
        assert!(CATALOGUE.counters().len() + MAX_UNITS < usize::from(u8::MAX));
    }
}
