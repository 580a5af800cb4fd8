//! The Rally Phase of one Location (10.6 - 10.64, 10.71, 16.5 of the rules restated) and Leader Creation (18.11, 18.2).

use super::catalogue::CATALOGUE;
use super::engagement::{Engagement, Reading, Stage};
use super::location::{Location, Place, Task};
use super::nation::Nation;
use super::rulebook::Switch;
use super::unit::{Condition, Conditions, Unit};
use crate::process::{Event, Log};

/// 10.62: Desperation Morale.
pub const DM_DRM: i8 = 4;
/// 10.63.
pub const SELF_RALLY_DRM: i8 = 1;
/// 10.61: building, pillbox, trench or woods.
pub const TERRAIN_DRM: i8 = -1;

/// How a broken unit may try to rally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// 10.6: by a Good Order leader, with his DRM.
    Led { leadership: i8 },
    /// 10.63: by itself.
    SelfRally,
    /// 18.11: by itself, as the first MMC of its side in its own RPh; an Original 2 creates a leader, or by I-19 does not.
    FirstSelfRally { creation: bool },
}

/// A Rally attempt: a DR against the broken ML, with everything that modifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyAttempt {
    /// Broken ML.
    pub level: i8,
    pub means: Means,
    pub dm: bool,
    /// Whether the terrain gives its -1.
    pub terrain: bool,
}

impl RallyAttempt {
    /// The sum of all DRM.
    #[inline]
    pub fn drm(&self) -> i8 {
        let means = match self.means {
            Means::Led { leadership } => leadership,
            Means::SelfRally | Means::FirstSelfRally { .. } => SELF_RALLY_DRM,
        };
        means + if self.dm { DM_DRM } else { 0 } + if self.terrain { TERRAIN_DRM } else { 0 }
    }

    /// What an Original DR means. 10.64: a 12 is Fate. 18.11: a 2 by the first MMC to Self-Rally rallies it and creates a leader.
    #[inline]
    pub fn read(&self, original: u8) -> Reading {
        let creation = self.means == Means::FirstSelfRally { creation: true };
        match original {
            12 => Reading::Fate,
            2 if creation => Reading::Rallied { creation },
            _ if original as i8 + self.drm() <= self.level => Reading::Rallied { creation: false },
            _ => Reading::NotRallied,
        }
    }

    /// The attempt in words.
    pub(super) fn words(&self, original: u8, leader: Option<String>) -> String {
        let mut words = format!("Original {original}");
        match self.means {
            Means::Led { leadership } => words += &format!(" {leadership:+} ({}, 10.6)", leader.unwrap_or_default()),
            _ => words += &format!(" {SELF_RALLY_DRM:+} (Self-Rally, 10.63)"),
        }
        if self.dm {
            words += &format!(" {DM_DRM:+} (DM, 10.62)");
        }
        if self.terrain {
            words += &format!(" {TERRAIN_DRM:+} (terrain, 10.61)");
        }
        format!("{words} = Final {} against broken ML {}", original as i8 + self.drm(), self.level)
    }
}

impl Engagement {
    /// 10.6: a Rally Phase begins: pins ended with the last CCPh (7.8), and nobody has tried yet.
    pub(super) fn begin_rally_phase(&self, location: &mut Location) {
        for unit in &mut location.units {
            unit.conditions.clear(Condition::Pinned);
            unit.conditions.clear(Condition::Tried);
        }
        location.push(Task::NextRally);
    }

    /// 10.6: puts the next Rally attempt on the agenda; when nobody is left who can try, the phase ends.
    pub(super) fn next_rally<L: Log>(&self, location: &mut Location, log: &mut L) {
        match self.next_to_rally(location) {
            Some(unit) => location.push(Task::RallyAttempt { unit }),
            None => {
                location.agenda.pop();
                self.remove_dm(location, log);
            }
        }
    }

    /// 10.62: DM goes at the end of every RPh; the owner may keep it outside woods, buildings, pillboxes and trenches.
    fn remove_dm<L: Log>(&self, location: &mut Location, log: &mut L) {
        if self.keeps_dm {
            return;
        }
        for place in location.places() {
            if location.unit(place).is(Condition::Dm) {
                location.unit_mut(place).conditions.clear(Condition::Dm);
                log.tell(|| Event { rule: "10.62", text: format!("{} loses DM", self.name(location, place)) });
            }
        }
    }

    /// The reference order: broken leaders by ML, then MMC in stack order, each as soon as it can try. A unit that could not is
    /// looked at again once a leader has rallied or been created. By the alternative of I-20 the first MMC Self-Rally goes first.
    fn next_to_rally(&self, location: &Location) -> Option<Place> {
        let can_try = |&place: &Place| {
            let unit = location.unit(place);
            unit.is_present() && unit.is(Condition::Broken) && !unit.is(Condition::Tried) && self.means(location, place).is_some()
        };
        let first = |place: Place| matches!(self.means(location, place), Some(Means::FirstSelfRally { .. }));
        location.places().filter(can_try).min_by_key(|&place| {
            if !self.rulebook.is_default(Switch::I20) && first(place) {
                return (0, 0);
            }
            match self.counter(location.unit(place)).kind.is_leader() {
                true => (1, -self.morale_level(location, place)),
                false => (2, 0),
            }
        })
    }

    /// 10.6, 10.63, 10.71, 18.11: how the broken unit may try to rally, if it may.
    ///
    /// A Good Order leader in its Location must lead the attempt. Without one a unit may Self-Rally if it has the capability, or
    /// as the first MMC of its side in its own RPh; 19.12: never when Disrupted.
    pub(super) fn means(&self, location: &Location, place: Place) -> Option<Means> {
        let unit = location.unit(place);
        let counter = self.counter(unit);
        if let Some((_, leadership)) = self.leader_for_rally(location, place) {
            return Some(Means::Led { leadership });
        }
        if unit.is(Condition::Disrupted) {
            return None;
        }
        let own = matches!(self.stage(location), Some(Stage::RallyPhase { own: true }));
        let leaders_may_precede = self.rulebook.is_default(Switch::I20);
        let spoilt = location
            .units
            .iter()
            .any(|other| other.is(Condition::Tried) && !(leaders_may_precede && self.counter(other).kind.is_smc()));
        if own && !counter.kind.is_smc() && !spoilt {
            let creation = self.rulebook.is_default(Switch::I19) || !counter.self_rally;
            return Some(Means::FirstSelfRally { creation });
        }
        counter.self_rally.then_some(Means::SelfRally)
    }

    /// 10.6, 10.72: the Good Order leader with the best DRM for this unit, and that DRM. `None` as the place is the lent leader.
    ///
    /// 10.7: one worse for troops of another nationality. I-49: by the alternative he lends none to a leader of equal or higher
    /// ML. A pin does not keep him from rallying: 7.831 names MC and TC only.
    pub(super) fn leader_for_rally(&self, location: &Location, place: Place) -> Option<(Option<Place>, i8)> {
        let unit = location.unit(place);
        let drm = |leader: &Unit| {
            let lends = self.rulebook.is_default(Switch::I49) || self.may_lend_to(location, place, leader);
            if lends { self.leadership_for(unit, leader) } else { 0 }
        };
        let leads = |&other: &Place| {
            let leader = location.unit(other);
            other != place && self.counter(leader).kind.is_leader() && leader.is_steady()
        };
        let present = location.places().filter(leads).map(|other| (Some(other), drm(location.unit(other))));
        self.lent_leader.iter().map(|leader| (None, drm(leader))).chain(present).min_by_key(|&(_, drm)| drm)
    }

    /// The attempt the unit at `place` is about to make.
    pub(super) fn rally_attempt(&self, location: &Location, place: Place) -> RallyAttempt {
        RallyAttempt {
            level: self.rally_level(location.unit(place)),
            means: self.means(location, place).unwrap_or(Means::SelfRally),
            dm: location.unit(place).is(Condition::Dm),
            terrain: self.rally_terrain,
        }
    }

    /// 10.6: the ML of a Rally attempt; I-18 says whether Encirclement lowers it.
    fn rally_level(&self, unit: &Unit) -> i8 {
        self.morale_level_of(unit, unit.is(Condition::Encircled) && !self.rulebook.is_default(Switch::I18))
    }

    /// Carries out a Rally attempt (10.6, 10.64, 18.11). Fate reduces the unit; a leader who dies by it causes his LLMC at once.
    pub(super) fn resolve_rally<L: Log>(&self, location: &mut Location, place: Place, reading: Reading, log: &mut L) {
        location.unit_mut(place).conditions.set(Condition::Tried);
        match reading {
            Reading::Rallied { creation } => {
                location.unit_mut(place).recover();
                log.tell(|| Event { rule: "10.6", text: format!("{} rallies", self.name(location, place)) });
                if creation && self.creation_nation(location, place) != Nation::Finnish {
                    location.push(Task::LeaderCreation { unit: place });
                }
            }
            Reading::Fate => {
                log.tell(|| Event { rule: "10.64", text: format!("Fate strikes {}", self.name(location, place)) });
                location.push(Task::LeaderLosses);
                self.casualty_reduction(location, place, log);
            }
            _ => {}
        }
    }

    /// Nation of a leader created by the unit; a counter of no nation takes that of its stack.
    fn creation_nation(&self, location: &Location, place: Place) -> Nation {
        let own = self.counter(location.unit(place)).nation;
        let others = location.units.iter().map(|unit| self.counter(unit).nation);
        std::iter::once(own).chain(others).find(|&nation| nation != Nation::Any).unwrap_or(Nation::German)
    }

    /// 18.2: the drm of Leader Creation by a Self-Rally: nationality, the ML of the unit when it rolled (I-34), and broken +1.
    pub(super) fn creation_drm(&self, location: &Location, place: Place) -> i8 {
        let nation = match self.creation_nation(location, place) {
            Nation::American | Nation::British | Nation::German | Nation::GermanSs => -1,
            Nation::Russian | Nation::Italian => 1,
            _ => 0,
        };
        let mut unit = *location.unit(place);
        unit.conditions.set(Condition::Broken);
        let level = if self.rulebook.is_default(Switch::I34) { self.rally_level(&unit) } else { self.counter(&unit).morale };
        let level = match level {
            8.. => -1,
            7 => 0,
            _ => 1,
        };
        nation + level + 1
    }

    /// 18.2: the grade that a modified dr creates.
    pub(super) fn created_grade(modified: i8) -> Reading {
        Reading::Created(match modified {
            ..=1 => Some("8-1"),
            2..=3 => Some("8-0"),
            4..=5 => Some("7-0"),
            6 => Some("6+1"),
            7.. => None,
        })
    }

    /// 18.2: the new leader appears, in Good Order, with the nationality, the ELR and (10.8) the Fanaticism of the unit.
    pub(super) fn create_leader<L: Log>(&self, location: &mut Location, place: Place, grade: Option<&str>, log: &mut L) {
        let nation = self.creation_nation(location, place);
        let counter = grade.and_then(|grade| CATALOGUE.leader(nation, grade));
        let Some(counter) = counter else {
            log.tell(|| Event { rule: "18.2", text: "no leader appears".to_string() });
            return;
        };
        let maker = *location.unit(place);
        let mut conditions = Conditions::default();
        if maker.is(Condition::Fanatic) {
            conditions.set(Condition::Fanatic);
        }
        if location.units.try_push(Unit { counter, elr: maker.elr, conditions }).is_ok() {
            log.tell(|| Event { rule: "18.2", text: format!("a leader appears: {}", self.roster[counter].printed()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dr;

    /// 10.6, 10.61 - 10.64: successes out of 36 by broken ML and total DRM; Fate is 1 of 36 in all of them.
    #[test]
    fn rally_vectors() {
        let table = [(7, 2, 10), (7, 1, 15), (7, 4, 3), (8, 1, 21), (5, 2, 3), (9, 4, 10), (7, -1, 26), (10, -2, 35)];
        for (level, drm, successes) in table {
            let attempt = RallyAttempt { level, means: Means::Led { leadership: drm }, dm: false, terrain: false };
            let count = |reading| Dr::ALL.iter().filter(|dr| attempt.read(dr.total()) == reading).count();
            assert_eq!(count(Reading::Rallied { creation: false }), successes, "ML {level} DRM {drm}");
            assert_eq!(count(Reading::Fate), 1);
        }
        let desperate = RallyAttempt { level: 7, means: Means::Led { leadership: -1 }, dm: true, terrain: true };
        assert_eq!(desperate.drm(), 2);
        assert_eq!(RallyAttempt { means: Means::SelfRally, ..desperate }.drm(), 4);
    }

    /// 18.11: an Original 2 by the first MMC to Self-Rally rallies whatever the total.
    #[test]
    fn first_self_rally() {
        let attempt = RallyAttempt { level: 5, means: Means::FirstSelfRally { creation: true }, dm: true, terrain: false };
        assert_eq!(attempt.read(2), Reading::Rallied { creation: true });
        assert_eq!(attempt.read(3), Reading::NotRallied);
        let boxed = RallyAttempt { means: Means::FirstSelfRally { creation: false }, ..attempt };
        assert_eq!(boxed.read(2), Reading::NotRallied);
    }
}
