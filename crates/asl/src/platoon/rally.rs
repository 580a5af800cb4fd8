//! The Rally Phase of a whole side: MG that are recovered (4.44), the order of the Rally attempts
//! (10.6), and the first MMC Self-Rally of the side (18.11).

use super::model::{Platoon, PlatoonPlay, PlatoonView};
use super::orders::RallyWord;
use super::state::{EventScope, PlatoonEvent, PlatoonStep, Trooper};
use crate::catalogue::CounterKind;
use crate::engagement::Engagement;
use crate::rulebook::Switch;
use crate::unit::UnitIndex;
use crate::vocabulary::rally::Means;
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::Log;

/// A unit that can try to rally.
#[derive(Clone, Copy)]
struct Candidate {
    unit: usize,
    /// True if it can try as the first MMC of its side only (18.11).
    is_first_only: bool,
    /// True if it would try as the first MMC of its side.
    is_first: bool,
    /// The highest Original DR that rallies it.
    needs: i8,
}

impl<'a> PlatoonView<'a> {
    /// Returns the units that are where a unit is.
    fn company(self, side: usize, unit: usize) -> EventScope {
        let at = self.units(side)[unit].at;
        at.as_location().map_or(EventScope::Alone(unit as u8), EventScope::Location)
    }

    /// Returns whether the first MMC Self-Rally is still to be had for a unit in the RPh of its own
    /// side (18.11): nobody of the side, or by the alternative of I-151 of its Location, has tried.
    fn may_be_first(self, side: usize, unit: usize) -> bool {
        let of_location = self.chooses(Switch::FirstMmcInEachLocation);
        let before_leaders = self.chooses(Switch::SelfRallyFirstOfAll);
        let at = self.units(side)[unit].at;
        let spoils = |other: &Trooper| {
            other.has_tried
                && (before_leaders || self.is_mmc(&other.unit))
                && (!of_location || other.at == at)
        };
        self.platoon.attacker(self.state.turn) == side as u8 && !self.units(side).iter().any(spoils)
    }

    /// Returns the Rally attempt that a unit could make now.
    fn candidate(self, side: usize, unit: usize) -> Option<Candidate> {
        let trooper = &self.units(side)[unit];
        if !trooper.is_broken() || trooper.has_tried {
            return None;
        }
        let scope = self.company(side, unit);
        let mut location = self.participants(side, scope);
        let stage = Platoon::rally_stage(self.may_be_first(side, unit));
        let rules = self.rules_of(side, unit);
        let place = self.place_in(side, scope, unit);
        let (means, attempt) = rules.rally_of(stage, &mut location, place)?;
        let is_first = matches!(means, Means::FirstSelfRally { .. });
        let other = Platoon::rally_stage(false);
        let is_first_only = is_first && rules.rally_of(other, &mut location, place).is_none();
        Some(Candidate { unit, is_first_only, is_first, needs: attempt.level - attempt.drm() })
    }

    /// Returns the rules of the place of a unit.
    fn rules_of(self, side: usize, unit: usize) -> &'a Engagement {
        let at = self.units(side)[unit].at;
        let own = &self.side(side).locations;
        let place = at.as_location().map_or(own.len(), usize::from);
        self.platoon.rules_at(side, place, self.facts(side, at))
    }

    /// Returns the index of a unit among those of an event.
    pub fn place_in(self, side: usize, scope: EventScope, unit: usize) -> UnitIndex {
        let before = self.units(side)[..unit].iter().enumerate();
        before.filter(|(index, other)| scope.includes(*index, other)).count() as UnitIndex
    }

    /// Returns all units that can try now, those in Locations first, in the order of the file.
    fn candidates(self, side: usize) -> Vec<Candidate> {
        let mut all: Vec<Candidate> =
            (0..self.units(side).len()).filter_map(|unit| self.candidate(side, unit)).collect();
        all.sort_by_key(|candidate| self.units(side)[candidate.unit].at);
        all
    }

    fn is_leader(self, side: usize, unit: usize) -> bool {
        self.counter(&self.units(side)[unit].unit).kind.is_leader()
    }

    /// Returns the leader who tries next: a Commissar, else the one of the highest ML.
    fn next_leader(self, side: usize, all: &[Candidate]) -> Option<usize> {
        let leaders = all.iter().filter(|candidate| self.is_leader(side, candidate.unit));
        let rank = |candidate: &&Candidate| {
            let unit = &self.units(side)[candidate.unit].unit;
            let is_commissar = self.counter(unit).kind == CounterKind::Commissar;
            let level = self.rules_of(side, candidate.unit).morale_level_of(unit, false, false);
            (self.units(side)[candidate.unit].at, !is_commissar, -level)
        };
        leaders.min_by_key(rank).map(|candidate| candidate.unit)
    }

    /// Returns the MMC with the best chance to rally of those that `fit`.
    fn best_first(all: &[Candidate], fit: impl Fn(&Candidate) -> bool) -> Option<usize> {
        let first = all.iter().filter(|candidate| fit(candidate));
        // Of equals the first.
        let best = first.reduce(|best, one| if one.needs > best.needs { one } else { best });
        best.map(|candidate| candidate.unit)
    }

    /// Returns the unit of a side that tries to rally next, by the word of the side.
    pub fn next_to_rally(self, side: usize) -> Option<usize> {
        let waits = |trooper: &Trooper| trooper.is_broken() && !trooper.has_tried;
        if !self.units(side).iter().any(waits) {
            return None;
        }
        let all = self.candidates(side);
        let leader = || self.next_leader(side, &all);
        let first_only = || PlatoonView::best_first(&all, |one| one.is_first_only);
        let first = || first_only().or_else(|| PlatoonView::best_first(&all, |one| one.is_first));
        let any = || all.first().map(|candidate| candidate.unit);
        match self.side(side).orders.rally {
            RallyWord::UnledFirst => leader().or_else(first_only).or_else(any),
            RallyWord::MmcFirst => first().or_else(leader).or_else(any),
            RallyWord::Reference => self.next_by_location(side, &all),
        }
    }

    /// Returns the next unit by the reference order of each Location in turn.
    fn next_by_location(self, side: usize, all: &[Candidate]) -> Option<usize> {
        let first = all.first()?.unit;
        let scope = self.company(side, first);
        let mut location = self.participants(side, scope);
        let stage = Platoon::rally_stage(self.may_be_first(side, first));
        let place = self.rules_of(side, first).first_to_rally(stage, &mut location)?;
        let units = self.units(side).iter().enumerate();
        let in_event = units.filter(|(index, trooper)| scope.includes(*index, trooper));
        in_event.map(|(index, _)| index).nth(place.into())
    }
}

impl PlatoonView<'_> {
    /// Returns the side and the MMC that tries next to recover a MG (4.44), with the number of the
    /// MG in its Location, from 1: one that nobody has, and the first who is able and has none.
    pub fn next_to_recover(self) -> Option<(usize, usize, u8)> {
        let PlatoonStep::Recovery(order) = self.state.step else { return None };
        let attacker = usize::from(self.platoon.attacker(self.state.turn));
        let side = if order == 0 { attacker } else { 1 - attacker };
        self.units(side).iter().enumerate().find_map(|(unit, trooper)| {
            let is_free = trooper.weapon == 0 && !trooper.has_tried;
            let is_fit = is_free && self.is_able(trooper) && self.is_mmc(&trooper.unit);
            let at = trooper.at.as_location().filter(|_| is_fit)?;
            let number = self.side(side).locations[usize::from(at)].weapons.len() as u8;
            let has_it = |weapon: u8| self.in_location(side, at).any(|one| one.weapon == weapon);
            (1..=number).find(|weapon| !has_it(*weapon)).map(|weapon| (side, unit, weapon))
        })
    }
}

impl<L: Log> PlatoonPlay<'_, L> {
    /// Lets a unit recover a MG, if its dr does (4.44).
    pub fn recover(&mut self, reading: Reading) {
        let Some((side, unit, weapon)) = self.now().next_to_recover() else { return };
        let trooper = self.unit_mut(side, unit);
        trooper.has_tried = true;
        if reading.verdict == Verdict::Recovered(true) {
            trooper.weapon = weapon;
        }
    }

    /// Lets the next unit of a side try to rally. Returns false if nobody can.
    pub fn rally_next(&mut self, side: usize) -> bool {
        let Some(unit) = self.now().next_to_rally(side) else { return false };
        let scope = self.now().company(side, unit);
        let stage = Platoon::rally_stage(self.now().may_be_first(side, unit));
        let scene = self.now().facts(side, self.now().units(side)[unit].at);
        let place = self.now().place_in(side, scope, unit);
        let location = self.now().participants(side, scope);
        let mut event = PlatoonEvent { side: side as u8, scope, scene, location };
        self.unit_mut(side, unit).has_tried = true;
        let rules = self.platoon.engagement(&event);
        let troop = &self.state.sides[side];
        let mut log = self.platoon.event_log(self.log, troop, (side, scope));
        rules.begin_rally(stage, &mut event.location, place, &mut log);
        self.state.event = Some(event);
        true
    }

    /// Removes DM from the broken units of both sides at the end of the RPh (10.62).
    pub fn remove_dm(&mut self) {
        for side in 0..self.platoon.sides.len() {
            for unit in 0..self.state.sides[side].units.len() {
                let trooper = self.state.sides[side].units[unit];
                self.unit_mut(side, unit).has_tried = false;
                if !trooper.is_broken() {
                    continue;
                }
                let platoon = self.platoon;
                let facts = self.now().facts(side, trooper.at);
                let place = trooper
                    .at
                    .as_location()
                    .map_or(platoon.sides[side].locations.len(), usize::from);
                let rules = platoon.rules_at(side, place, facts);
                rules.remove_dm_of(&mut self.unit_mut(side, unit).unit);
            }
        }
    }
}
