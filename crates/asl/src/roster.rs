//! The counters of one question: the catalogue, and the counters whose values the user changed.

use std::ops::Index;
use std::sync::{Arc, LazyLock};

use super::catalogue::{CATALOGUE, Counter, CounterId, HERO, WOUNDED_HERO};
use super::nation::Nation;
use super::stack::Member;
use crate::vocabulary::{Elr, Unit};

/// Counters by index. The counters of the catalogue come first.
#[derive(Clone, Debug)]
pub(super) struct Roster {
    pub counters: Vec<Counter>,
    /// By counter index, the first counter with the same printed name, so that equal rows merge.
    pub alike: Vec<CounterId>,
    /// The hero counter of each nation (15.2). The first entry is the hero without a nation.
    heroes: Vec<(Nation, CounterId)>,
}

impl Index<CounterId> for Roster {
    type Output = Counter;

    #[inline]
    fn index(&self, CounterId(place): CounterId) -> &Counter {
        &self.counters[usize::from(place)]
    }
}

static CATALOGUE_ROSTER: LazyLock<Arc<Roster>> =
    LazyLock::new(|| Arc::new(Roster::new(CATALOGUE.counters().to_vec())));

impl Roster {
    fn new(counters: Vec<Counter>) -> Roster {
        let mut alike: Vec<CounterId> = Vec::with_capacity(counters.len());
        let printed: Vec<&str> = counters.iter().map(Counter::printed).collect();
        for (place, text) in printed.iter().enumerate() {
            let first = printed[..place].iter().position(|other| other == text).unwrap_or(place);
            alike.push(CounterId(first as u8));
        }
        let heroes = CATALOGUE.find(HERO).map(|hero| (Nation::Any, hero)).into_iter().collect();
        Roster { counters, alike, heroes }
    }

    /// Returns the hero counter of a nation (15.21), or the one without a nation by default.
    pub fn hero_of(&self, nation: Nation) -> CounterId {
        let (_, hero) = self.heroes.iter().find(|(of, _)| *of == nation).unwrap_or(&self.heroes[0]);
        *hero
    }

    /// Adds both sides of a hero of a nation. Mixed stacks (10.7) and Finns (10.2) need them.
    fn add_hero_of(&mut self, nation: Nation) {
        let wounded_side = CATALOGUE.find(WOUNDED_HERO).map(|side| self.add(side, nation, |_| {}));
        if let Some(hero) = CATALOGUE.find(HERO) {
            let hero = self.add(hero, nation, |counter| counter.wounded_side = wounded_side);
            self.heroes.push((nation, hero));
        }
    }

    fn add(
        &mut self,
        like: CounterId,
        nation: Nation,
        change: impl FnOnce(&mut Counter),
    ) -> CounterId {
        let mut counter = Counter { nation, ..CATALOGUE.get(like).clone() };
        change(&mut counter);
        let place = CounterId(self.counters.len() as u8);
        self.alike.push(self.alike[usize::from(like.0)]);
        self.counters.push(counter);
        place
    }

    /// Returns whether the indices of all counters fit a byte, with those of these members and of
    /// some further leaders.
    pub fn has_room_for<'a>(members: impl Iterator<Item = &'a Member>, leaders: usize) -> bool {
        let own = |member: &Member| match Roster::is_as_printed(member) {
            true => 0,
            false => 1 + usize::from(member.printed().half_squad.is_some()),
        };
        let further = 2 * Nation::ALL.len() + leaders + members.map(own).sum::<usize>();
        CATALOGUE.counters().len() + further < u8::MAX.into()
    }

    fn is_as_printed(member: &Member) -> bool {
        member.morale.or(member.broken_morale).is_none() && member.nation.is_none()
    }

    /// Returns the roster, and each member's counter: a new one if the user set a morale or nation.
    pub fn from_members(members: &[Member]) -> (Arc<Roster>, Vec<CounterId>) {
        let standard = &*CATALOGUE_ROSTER;
        let nations = members.iter().map(Member::nationality);
        let mut nations: Vec<Nation> = nations.filter(|&nation| nation != Nation::Any).collect();
        nations.sort();
        nations.dedup();
        let one_sort_of_hero = nations.len() < 2 && !nations.contains(&Nation::Finnish);
        if members.iter().all(Roster::is_as_printed) && one_sort_of_hero {
            return (standard.clone(), members.iter().map(|member| member.counter).collect());
        }
        let mut roster = standard.as_ref().clone();
        nations.into_iter().for_each(|nation| roster.add_hero_of(nation));
        let mut places = Vec::new();
        for member in members {
            if Roster::is_as_printed(member) {
                places.push(member.counter);
                continue;
            }
            let nation = member.nationality();
            let wounded_side = roster[roster.hero_of(nation)].wounded_side;
            let half_squad = roster.half_squad_of(member, nation);
            places.push(roster.add(member.counter, nation, |counter| {
                counter.wounded_side = counter.wounded_side.and(wounded_side);
                counter.half_squad = half_squad.or(counter.half_squad);
                counter.morale = member.morale.unwrap_or(counter.morale);
                counter.broken_morale = member.broken_morale.unwrap_or(counter.broken_morale);
            }));
        }
        (Arc::new(roster), places)
    }

    /// Adds the half-squad of a squad with a set morale (1.122): that morale, one lower if broken.
    fn half_squad_of(&mut self, member: &Member, nation: Nation) -> Option<CounterId> {
        let half_squad = member
            .printed()
            .half_squad
            .filter(|_| member.morale.or(member.broken_morale).is_some())?;
        let place = self.add(half_squad, nation, |counter| {
            counter.morale = member.morale.unwrap_or(counter.morale);
            counter.broken_morale =
                member.broken_morale.map_or(counter.broken_morale, |broken| broken - 1);
        });
        Some(place)
    }
}

impl Unit {
    /// Builds a unit in play. `counter` is its counter in the roster, `elr` the ELR of its side.
    pub(super) fn from_member(member: &Member, counter: CounterId, elr: u8) -> Unit {
        let leads = member.is_leader();
        let elr = member.elr.map_or(Elr::Side(elr), Elr::Own);
        Unit { counter, elr, leads, conditions: member.conditions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Stacks;
    use play::QuestionForm as _;

    const MAX_STEPS: usize = Stacks::MOST_STEPS;
    use crate::stack::MAX_UNITS;

    /// The catalogue, own counters, leaders of all steps and heroes of every nation fit a byte.
    #[test]
    fn all_counter_indices_fit_a_byte() {
        let own = 2 * MAX_UNITS + MAX_STEPS;
        assert!(CATALOGUE.counters().len() + own + 2 * Nation::ALL.len() < usize::from(u8::MAX));
    }
}
