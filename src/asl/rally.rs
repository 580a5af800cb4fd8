//! The Rally Phase of one Location (10.6 - 10.64, 10.71, 16.5 of the rules restated) and Leader Creation (18.11, 18.2).

use super::catalogue::{CATALOGUE, Counter, Kind};
use super::engagement::{Engagement, Reading, Stage, Verdict};
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

/// A Rally Phase, as far as the units do not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyPhase {
    /// 18.11: whether it is that of the side's own Player Turn.
    pub own: bool,
    /// 10.6: a Good Order leader who only lends his leadership.
    pub lent_leader: Option<Unit>,
    /// 10.61: whether the terrain gives its -1.
    pub terrain: bool,
    /// 10.62: whether the owner keeps DM.
    pub keeps_dm: bool,
}

/// How a broken unit may try to rally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// 10.6: by a Good Order leader, with his DRM.
    Led { leadership: i8 },
    /// A25.22: by a Commissar, to whom DM does not count.
    CommissarLed { leadership: i8 },
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
    /// Whether an Original 2 brings Heat of Battle (15.1).
    pub heats: bool,
}

impl RallyAttempt {
    /// The sum of all DRM.
    #[inline]
    pub fn drm(&self) -> i8 {
        let means = match self.means {
            Means::Led { leadership } | Means::CommissarLed { leadership } => leadership,
            Means::SelfRally | Means::FirstSelfRally { .. } => SELF_RALLY_DRM,
        };
        means + if self.dm { DM_DRM } else { 0 } + if self.terrain { TERRAIN_DRM } else { 0 }
    }

    /// What an Original DR means. 10.64: a 12 is Fate. 18.11: a 2 by the first MMC to Self-Rally rallies it and creates a leader.
    #[inline]
    pub fn read(&self, original: u8) -> Reading {
        let creation = self.means == Means::FirstSelfRally { creation: true };
        let verdict = match original {
            12 => Verdict::Fate,
            2 if creation => Verdict::Rallied { creation },
            _ if original as i8 + self.drm() <= self.level => Verdict::Rallied { creation: false },
            _ => Verdict::NotRallied,
        };
        Reading { verdict, heats: self.heats && original == 2 }
    }

    /// The attempt in words.
    pub(super) fn words(&self, original: u8, leader: Option<String>) -> String {
        let mut words = format!("Original {original}");
        match self.means {
            Means::Led { leadership } => words += &format!(" {leadership:+} ({}, 10.6)", leader.unwrap_or_default()),
            Means::CommissarLed { leadership } => {
                words += &format!(" {leadership:+} (Commissar {}, A25.22)", leader.unwrap_or_default());
            }
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

/// Who leads a Rally attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RallyLeader {
    /// `None` for the leader who is only lent.
    pub place: Option<Place>,
    pub leadership: i8,
    pub commissar: bool,
}

impl Engagement {
    /// 10.6: a Rally Phase begins: pins ended with the last CCPh (7.8), and nobody has tried yet.
    pub(super) fn begin_rally_phase(&self, location: &mut Location) {
        for unit in &mut location.units {
            for over in [Condition::Pinned, Condition::Tried] {
                unit.conditions.clear(over);
            }
        }
        location.push(Task::NextRally);
    }

    /// 10.6: puts the next Rally attempt on the agenda; when nobody is left who can try, the phase ends.
    pub(super) fn next_rally<L: Log>(&self, location: &mut Location, log: &mut L) {
        match self.next_to_rally(location) {
            Some(unit) => location.push(Task::RallyAttempt { unit }),
            None => self.end_attempts(location, log),
        }
    }

    /// 10.6: nobody tries any more in this Rally Phase; what is left is to remove DM (10.62), or to ask whether it is kept.
    pub(super) fn end_attempts<L: Log>(&self, location: &mut Location, log: &mut L) {
        location.agenda.pop();
        if self.choices.dm && self.may_keep_dm(location) {
            location.push(Task::DmRemoval);
        } else {
            self.remove_dm(location, log);
        }
    }

    /// 10.62: DM goes at the end of every RPh; the owner may keep it outside woods, buildings, pillboxes and trenches. ADJACENT to
    /// a Known armed enemy every broken unit has it again at once, by the alternative of I-28 only when one moves there anew.
    pub(super) fn remove_dm<L: Log>(&self, location: &mut Location, log: &mut L) {
        if self.rally_phase(location).is_none_or(|phase| phase.keeps_dm) {
            return;
        }
        if self.scene.enemy_adjacent && !self.rulebook.chooses(Switch::DmOnlyByNewEnemy) {
            return self.gain_dm(location);
        }
        for place in location.places() {
            if location.unit(place).is(Condition::Dm) {
                location.unit_mut(place).conditions.clear(Condition::Dm);
                log.tell(|| Event { rule: "10.62", text: format!("{} loses DM", self.name(location, place)) });
            }
        }
    }

    /// 10.62: every broken unit gains DM.
    pub(super) fn gain_dm(&self, location: &mut Location) {
        for unit in location.units.iter_mut().filter(|unit| unit.is(Condition::Broken)) {
            unit.conditions.set(Condition::Dm);
        }
    }

    /// The Rally Phase being worked through.
    pub(super) fn rally_phase(&self, location: &Location) -> Option<&RallyPhase> {
        match self.stage(location) {
            Some(Stage::RallyPhase(phase)) => Some(phase),
            _ => None,
        }
    }

    /// The reference order: broken Commissars, broken leaders by ML, then MMC in stack order, each as soon as it can try. A unit
    /// that could not is looked at again once a leader has rallied or been created. By the alternative of I-20 the first MMC
    /// Self-Rally goes first.
    pub(super) fn next_to_rally(&self, location: &Location) -> Option<Place> {
        let can_try = |&place: &Place| self.can_try_to_rally(location, place);
        let first = |place: Place| matches!(self.means(location, place), Some(Means::FirstSelfRally { .. }));
        location.places().filter(can_try).min_by_key(|&place| {
            if self.rulebook.chooses(Switch::SelfRallyFirstOfAll) && first(place) {
                return (0, 0);
            }
            match self.counter(location.unit(place)).kind {
                Kind::Commissar => (1, 0),
                Kind::Leader => (2, -self.morale_level(location, place)),
                _ => (3, 0),
            }
        })
    }

    /// 10.6: whether the unit can try to rally now.
    #[inline]
    pub(super) fn can_try_to_rally(&self, location: &Location, place: Place) -> bool {
        let unit = location.unit(place);
        unit.is(Condition::Broken) && !unit.is(Condition::Tried) && self.means(location, place).is_some()
    }

    /// 10.6, 10.63, 10.71, 18.11: how the broken unit may try to rally, if it may.
    ///
    /// A Good Order leader in its Location must lead the attempt. Without one a unit may Self-Rally if it has the capability, or
    /// as the first MMC of its side in its own RPh; 19.12: never when Disrupted. A25.22: a Commissar always Self-Rallies.
    pub(super) fn means(&self, location: &Location, place: Place) -> Option<Means> {
        let unit = location.unit(place);
        let counter = self.counter(unit);
        if counter.kind == Kind::Commissar {
            return Some(Means::SelfRally);
        }
        if let Some(leader) = self.leader_for_rally(location, place) {
            let leadership = leader.leadership;
            return Some(if leader.commissar { Means::CommissarLed { leadership } } else { Means::Led { leadership } });
        }
        if unit.is(Condition::Disrupted) {
            return None;
        }
        let own = self.rally_phase(location).is_some_and(|phase| phase.own);
        let leaders_may_precede = !self.rulebook.chooses(Switch::SelfRallyFirstOfAll);
        let spoilt = location
            .units
            .iter()
            .any(|other| other.is(Condition::Tried) && !(leaders_may_precede && self.counter(other).kind.is_smc()));
        let may_self_rally = self.self_rallies(counter);
        if own && !counter.kind.is_smc() && !spoilt {
            let creation = !self.rulebook.chooses(Switch::NoCreationWithBox) || !may_self_rally;
            return Some(Means::FirstSelfRally { creation });
        }
        may_self_rally.then_some(Means::SelfRally)
    }

    /// 10.6, 10.63: Self-Rally is printed; the older edition gives it to all Finns, Conscripts too.
    fn self_rallies(&self, counter: &Counter) -> bool {
        counter.self_rally || (counter.nation == Nation::Finnish && self.rulebook.chooses(Switch::AllFinnsSelfRally))
    }

    /// 10.6, 10.72: the Good Order leader with the best DRM for this unit; A25.22: a Commissar before all others, with no DRM
    /// unless I-64 says so.
    ///
    /// 10.7: one worse for troops of another nationality. I-49: by the alternative he lends none to a leader of equal or higher
    /// ML. A pin does not keep him from rallying: 7.831 names MC and TC only.
    pub(super) fn leader_for_rally(&self, location: &Location, place: Place) -> Option<RallyLeader> {
        let unit = location.unit(place);
        let candidate = |at: Option<Place>, leader: &Unit| {
            let commissar = self.commissars && self.counter(leader).kind == Kind::Commissar;
            let lends = match commissar {
                true => self.rulebook.chooses(Switch::CommissarDrmAlways),
                false => !self.rulebook.chooses(Switch::NoDrmToBetterLeader) || self.may_lend_to(location, place, leader),
            };
            let leadership = if lends { self.leadership_for(unit, leader) } else { 0 };
            RallyLeader { place: at, leadership, commissar }
        };
        let lent = self.rally_phase(location).and_then(|phase| phase.lent_leader.as_ref()).map(|leader| candidate(None, leader));
        let leads = |(other, leader): &(usize, &Unit)| leader.leads && leader.is_steady() && *other != usize::from(place);
        let present = location.units.iter().enumerate().filter(leads);
        let present = present.map(|(other, leader)| candidate(Some(other as Place), leader));
        lent.into_iter().chain(present).min_by_key(|leader| (!leader.commissar, leader.leadership))
    }

    /// The attempt the unit at `place` is about to make.
    #[inline(always)]
    pub(super) fn rally_attempt(&self, location: &Location, place: Place) -> RallyAttempt {
        let unit = location.unit(place);
        let means = self.means(location, place).unwrap_or(Means::SelfRally);
        let led_by_commissar = matches!(means, Means::CommissarLed { .. });
        let led = led_by_commissar || matches!(means, Means::Led { .. });
        RallyAttempt {
            level: self.rally_level(location, place),
            means,
            dm: unit.is(Condition::Dm) && !led_by_commissar,
            terrain: self.rally_phase(location).is_some_and(|phase| phase.terrain),
            heats: led && self.can_be_heated(unit),
        }
    }

    /// 10.6: the ML of a Rally attempt; I-18 says whether Encirclement lowers it.
    #[inline(always)]
    fn rally_level(&self, location: &Location, place: Place) -> i8 {
        let unit = location.unit(place);
        let encircled = unit.is(Condition::Encircled) && self.rulebook.chooses(Switch::EncirclementInRally);
        self.morale_level_of(unit, self.has_commissar(location, place), encircled)
    }

    /// Carries out a Rally attempt (10.6, 10.64, 18.11). Fate reduces the unit; a leader who dies by it causes his LLMC at once.
    /// A25.22: failing under a Commissar has its price; I-51 says whether Fate has it too.
    pub(super) fn resolve_rally<L: Log>(&self, location: &mut Location, place: Place, reading: Reading, log: &mut L) {
        let under_commissar = self.commissars && matches!(self.means(location, place), Some(Means::CommissarLed { .. }));
        location.unit_mut(place).conditions.set(Condition::Tried);
        if reading.verdict == Verdict::Fate || reading.heats || under_commissar {
            location.push(Task::LeaderLosses);
        }
        self.note_heat(location, place, reading);
        match reading.verdict {
            Verdict::Rallied { creation } => {
                location.unit_mut(place).recover();
                log.tell(|| Event { rule: "10.6", text: format!("{} rallies", self.name(location, place)) });
                if creation && self.creation_nation(location, place) != Nation::Finnish {
                    location.push(Task::LeaderCreation { unit: place });
                }
            }
            Verdict::NotRallied if under_commissar => location.push(Task::CommissarsPrice { unit: place }),
            Verdict::Fate => {
                log.tell(|| Event { rule: "10.64", text: format!("Fate strikes {}", self.name(location, place)) });
                if under_commissar && self.rulebook.chooses(Switch::FateHasPriceToo) {
                    location.push(Task::CommissarsPrice { unit: place });
                }
                self.casualty_reduction(location, place, log);
            }
            _ => {}
        }
    }

    /// Nation of a leader created by the unit; a counter that was given none makes a German.
    fn creation_nation(&self, location: &Location, place: Place) -> Nation {
        let own = self.counter(location.unit(place)).nation;
        if own == Nation::Any { Nation::German } else { own }
    }

    /// 18.2: the drm of Leader Creation by a Self-Rally, by source: nationality, the ML of the unit when it rolled (I-34), and broken.
    pub(super) fn creation_sources(&self, location: &Location, place: Place) -> [(i8, &'static str); 3] {
        let nation = match self.creation_nation(location, place) {
            Nation::American | Nation::British | Nation::German | Nation::GermanSs => -1,
            Nation::Russian | Nation::Italian => 1,
            _ => 0,
        };
        let mut unit = *location.unit(place);
        unit.conditions.set(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.rulebook.chooses(Switch::EncirclementInRally);
        let broken_level = self.morale_level_of(&unit, self.has_commissar(location, place), encircled);
        let level =
            if self.rulebook.chooses(Switch::CreationByPrintedMorale) { self.counter(&unit).morale } else { broken_level };
        let level = match level {
            8.. => -1,
            7 => 0,
            _ => 1,
        };
        [(nation, "nationality"), (level, "Morale Level"), (1, "broken")]
    }

    /// 18.2: the sum of them.
    pub(super) fn creation_drm(&self, location: &Location, place: Place) -> i8 {
        self.creation_sources(location, place).iter().map(|(drm, _)| drm).sum()
    }

    /// 18.2: the grade that a modified dr creates.
    pub(super) fn created_grade(modified: i8) -> Reading {
        Reading::of(Verdict::Created(match modified {
            ..=1 => Some("8-1"),
            2..=3 => Some("8-0"),
            4..=5 => Some("7-0"),
            6 => Some("6+1"),
            7.. => None,
        }))
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
        let shared = [Condition::Fanatic, Condition::Encircled].into_iter().filter(|&shared| maker.is(shared));
        if location.appear(Unit { counter, elr: maker.elr, leads: true, conditions: shared.collect::<Conditions>() }).is_some() {
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
            let means = Means::Led { leadership: drm };
            let attempt = RallyAttempt { level, means, dm: false, terrain: false, heats: false };
            let count = |verdict| Dr::ALL.iter().filter(|dr| attempt.read(dr.total()).verdict == verdict).count();
            assert_eq!(count(Verdict::Rallied { creation: false }), successes, "ML {level} DRM {drm}");
            assert_eq!(count(Verdict::Fate), 1);
        }
        let means = Means::Led { leadership: -1 };
        let desperate = RallyAttempt { level: 7, means, dm: true, terrain: true, heats: false };
        assert_eq!(desperate.drm(), 2);
        assert_eq!(RallyAttempt { means: Means::SelfRally, ..desperate }.drm(), 4);
    }

    /// 18.11: an Original 2 by the first MMC to Self-Rally rallies whatever the total.
    #[test]
    fn first_self_rally() {
        let means = Means::FirstSelfRally { creation: true };
        let attempt = RallyAttempt { level: 5, means, dm: true, terrain: false, heats: false };
        assert_eq!(attempt.read(2).verdict, Verdict::Rallied { creation: true });
        assert_eq!(attempt.read(3).verdict, Verdict::NotRallied);
        let boxed = RallyAttempt { means: Means::FirstSelfRally { creation: false }, ..attempt };
        assert_eq!(boxed.read(2).verdict, Verdict::NotRallied);
    }
}
