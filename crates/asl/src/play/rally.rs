//! The Rally Phase of one Location (10.6 - 10.64, 10.71, 16.5 of the rules restated) and Leader
//! Creation (18.11, 18.2).

use super::engagement::Engagement;
use crate::catalogue::{CATALOGUE, Counter, CounterKind};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::vocabulary::location::{Location, Place, Task};
use crate::vocabulary::rally::{Means, RallyAttempt, RallyPhase};
use crate::vocabulary::stage::Stage;
use crate::vocabulary::unit::{Condition, Conditions, Unit};
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::{Called, Event, Log};

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

    /// 10.6: puts the next Rally attempt on the agenda; when nobody is left who can try, the phase
    /// ends.
    pub(super) fn next_rally<L: Log>(&self, location: &mut Location, log: &mut L) {
        match self.next_to_rally(location) {
            next if self.waits_for_the_first(location, next) => location.push(Task::Call),
            Some(unit) => {
                if self.common.is_some() && !self.is_common(location, unit) {
                    location.begin_last_round();
                }
                location.push(Task::RallyAttempt { unit });
            }
            None => self.end_attempts(location, log),
        }
    }

    /// 18.11: whether it is the turn of the first MMC to Self-Rally, which may be any of those played
    /// beside what is common: no leader is left to try or to lead.
    fn waits_for_the_first(&self, location: &Location, next: Option<Place>) -> bool {
        let phase = self.common.and_then(|_| self.rally_phase(location));
        let Some(phase) = phase else { return false };
        phase.own
            && phase.lent_leader.is_none()
            && !self.is_spoilt(location)
            && !next.is_some_and(|next| self.is_common(location, next))
            && !location.units.iter().any(|unit| unit.leads && unit.is_steady())
    }

    /// Whether the first MMC to Self-Rally in this Rally Phase is known, who may be played in
    /// another process.
    fn is_spoilt(&self, location: &Location) -> bool {
        location.agenda.first() == Some(&Task::Spoilt)
    }

    /// 18.11: a call for the first MMC to Self-Rally has ended.
    pub(super) fn end_call(&self, location: &mut Location, called: Called) {
        match called {
            Called::Nobody => location.agenda.insert(0, Task::Spoilt),
            Called::Another => location.push(Task::News { leader: None, own: false }),
            Called::First => {
                let first = self.next_to_rally(location);
                location.begin_last_round();
                location.push(Task::News { leader: None, own: true });
                location.agenda.extend(first.map(|unit| Task::RallyAttempt { unit }));
            }
        }
    }

    /// 18.11, 18.2: what has become of the first MMC to Self-Rally, in that state of it: the leader
    /// it has created is in the Location of all.
    pub(super) fn take_over(&self, location: &mut Location, news: &Location) {
        let own = location.agenda.pop();
        location.agenda.insert(0, Task::Spoilt);
        location.begin_round();
        if let (
            Some(Task::News { own: false, .. }),
            Some(Task::News { leader: Some(leader), .. }),
        ) = (own, news.agenda.last())
        {
            let unit = *news.unit(*leader);
            // It appeared in no round of this process.
            location.units.push(Unit { conditions: unit.conditions.born(0, 0), ..unit });
        }
    }

    /// 10.6: nobody tries any more in this Rally Phase; what is left is to remove DM (10.62), or to
    /// ask whether it is kept.
    pub(super) fn end_attempts<L: Log>(&self, location: &mut Location, log: &mut L) {
        location.agenda.pop();
        if self.choices.dm && self.may_keep_dm(location) {
            location.push(Task::DmRemoval);
        } else {
            self.remove_dm(location, log);
        }
    }

    /// 10.62: DM goes at the end of every RPh; the owner may keep it outside woods, buildings,
    /// pillboxes and trenches. ADJACENT to a Known armed enemy every broken unit has it again at
    /// once, by the alternative of I-28 only when one moves there anew.
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
                log.tell(|| Event {
                    rule: "10.62",
                    text: format!("{} loses DM", self.name(location, place)),
                });
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

    /// The reference order: broken Commissars, broken leaders by ML, then MMC in stack order, each
    /// as soon as it can try. A unit that could not is looked at again once a leader has rallied or
    /// been created. By the alternative of I-20 the first MMC Self-Rally goes first.
    pub(super) fn next_to_rally(&self, location: &Location) -> Option<Place> {
        let can_try = |&place: &Place| self.can_try_to_rally(location, place);
        let first = |place: Place| {
            matches!(self.means(location, place), Some(Means::FirstSelfRally { .. }))
        };
        location.places().filter(can_try).min_by_key(|&place| {
            if self.rulebook.chooses(Switch::SelfRallyFirstOfAll) && first(place) {
                return (0, 0);
            }
            match self.counter(location.unit(place)).kind {
                CounterKind::Commissar => (1, 0),
                CounterKind::Leader => (2, -self.morale_level(location, place)),
                _ => (3, 0),
            }
        })
    }

    /// 10.6: whether the unit can try to rally now.
    #[inline]
    pub(super) fn can_try_to_rally(&self, location: &Location, place: Place) -> bool {
        let unit = location.unit(place);
        unit.is(Condition::Broken)
            && !unit.is(Condition::Tried)
            && self.means(location, place).is_some()
    }

    /// 10.6, 10.63, 10.71, 18.11: how the broken unit may try to rally, if it may.
    ///
    /// A Good Order leader in its Location must lead the attempt. Without one a unit may Self-Rally
    /// if it has the capability, or as the first MMC of its side in its own RPh; 19.12: never when
    /// Disrupted. A25.22: a Commissar always Self-Rallies.
    pub(super) fn means(&self, location: &Location, place: Place) -> Option<Means> {
        let unit = location.unit(place);
        let counter = self.counter(unit);
        if counter.kind == CounterKind::Commissar {
            return Some(Means::SelfRally);
        }
        if let Some(leader) = self.leader_for_rally(location, place) {
            let leadership = leader.leadership;
            return Some(if leader.commissar {
                Means::CommissarLed { leadership }
            } else {
                Means::Led { leadership }
            });
        }
        if unit.is(Condition::Disrupted) {
            return None;
        }
        let own = self.rally_phase(location).is_some_and(|phase| phase.own);
        let leaders_may_precede = !self.rulebook.chooses(Switch::SelfRallyFirstOfAll);
        let is_spoilt = || {
            self.is_spoilt(location)
                || location.units.iter().any(|other| {
                    other.is(Condition::Tried)
                        && !(leaders_may_precede && self.counter(other).kind.is_smc())
                })
        };
        let may_self_rally = self.self_rallies(counter);
        if own && !counter.kind.is_smc() && !is_spoilt() {
            let creation = !self.rulebook.chooses(Switch::NoCreationWithBox) || !may_self_rally;
            return Some(Means::FirstSelfRally { creation });
        }
        may_self_rally.then_some(Means::SelfRally)
    }

    /// 10.6, 10.63: Self-Rally is printed; the older edition gives it to all Finns, Conscripts too.
    fn self_rallies(&self, counter: &Counter) -> bool {
        counter.self_rally
            || (counter.nation == Nation::Finnish
                && self.rulebook.chooses(Switch::AllFinnsSelfRally))
    }

    /// 10.6, 10.72: the Good Order leader with the best DRM for this unit; A25.22: a Commissar
    /// before all others, with no DRM unless I-64 says so.
    ///
    /// 10.7: one worse for troops of another nationality. I-49: by the alternative he lends none to
    /// a leader of equal or higher ML. A pin does not keep him from rallying: 7.831 names MC and TC
    /// only.
    pub(super) fn leader_for_rally(
        &self,
        location: &Location,
        place: Place,
    ) -> Option<RallyLeader> {
        let unit = location.unit(place);
        let candidate = |at: Option<Place>, leader: &Unit| {
            let commissar = self.commissars && self.counter(leader).kind == CounterKind::Commissar;
            let lends = match commissar {
                true => self.rulebook.chooses(Switch::CommissarDrmAlways),
                false => {
                    !self.rulebook.chooses(Switch::NoDrmToBetterLeader)
                        || self.may_lend_to(location, place, leader)
                }
            };
            let leadership = if lends { self.leadership_for(unit, leader) } else { 0 };
            RallyLeader { place: at, leadership, commissar }
        };
        let lent = self
            .rally_phase(location)
            .and_then(|phase| phase.lent_leader.as_ref())
            .map(|leader| candidate(None, leader));
        let leads = |(other, leader): &(usize, &Unit)| {
            leader.leads && leader.is_steady() && *other != usize::from(place)
        };
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
        let encircled =
            unit.is(Condition::Encircled) && self.rulebook.chooses(Switch::EncirclementInRally);
        self.morale_level_of(unit, self.has_commissar(location, place), encircled)
    }

    /// Carries out a Rally attempt (10.6, 10.64, 18.11). Fate reduces the unit; a leader who dies
    /// by it causes his LLMC at once. A25.22: failing under a Commissar has its price; I-51 says
    /// whether Fate has it too.
    pub(super) fn resolve_rally<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        reading: Reading,
        log: &mut L,
    ) {
        let under_commissar = self.commissars
            && matches!(self.means(location, place), Some(Means::CommissarLed { .. }));
        location.unit_mut(place).conditions.set(Condition::Tried);
        if reading.verdict == Verdict::Fate || reading.heats || under_commissar {
            location.push(Task::LeaderLosses);
        }
        self.note_heat(location, place, reading);
        match reading.verdict {
            Verdict::Rallied { creation } => {
                location.unit_mut(place).recover();
                log.tell(|| Event {
                    rule: "10.6",
                    text: format!("{} rallies", self.name(location, place)),
                });
                if creation && self.creation_nation(location, place) != Nation::Finnish {
                    location.push(Task::LeaderCreation { unit: place });
                }
            }
            Verdict::NotRallied if under_commissar => {
                location.push(Task::CommissarsPrice { unit: place })
            }
            Verdict::Fate => {
                log.tell(|| Event {
                    rule: "10.64",
                    text: format!("Fate strikes {}", self.name(location, place)),
                });
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

    /// 18.2: the drm of Leader Creation by a Self-Rally, by source: nationality, the ML of the unit
    /// when it rolled (I-34), and broken.
    pub(super) fn creation_sources(
        &self,
        location: &Location,
        place: Place,
    ) -> [(i8, &'static str); 3] {
        let nation = match self.creation_nation(location, place) {
            Nation::American | Nation::British | Nation::German | Nation::GermanSs => -1,
            Nation::Russian | Nation::Italian => 1,
            _ => 0,
        };
        let mut unit = *location.unit(place);
        unit.conditions.set(Condition::Broken);
        let encircled =
            unit.is(Condition::Encircled) && self.rulebook.chooses(Switch::EncirclementInRally);
        let broken_level =
            self.morale_level_of(&unit, self.has_commissar(location, place), encircled);
        let level = if self.rulebook.chooses(Switch::CreationByPrintedMorale) {
            self.counter(&unit).morale
        } else {
            broken_level
        };
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

    /// 18.2: the new leader appears, in Good Order, with the nationality, the ELR and (10.8) the
    /// Fanaticism of the unit.
    pub(super) fn create_leader<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        grade: Option<&str>,
        log: &mut L,
    ) {
        let nation = self.creation_nation(location, place);
        let counter = grade.and_then(|grade| CATALOGUE.leader(nation, grade));
        let Some(counter) = counter else {
            log.tell(|| Event { rule: "18.2", text: "no leader appears".to_string() });
            return;
        };
        let maker = *location.unit(place);
        let shared = [Condition::Fanatic, Condition::Encircled]
            .into_iter()
            .filter(|&shared| maker.is(shared));
        let unit = Unit {
            counter,
            elr: maker.elr,
            leads: true,
            conditions: shared.collect::<Conditions>(),
        };
        if let Some(created) = location.appear(unit, place) {
            if let Some(Task::News { leader, .. }) = location.agenda.last_mut() {
                *leader = Some(created);
            }
            log.tell(|| Event {
                rule: "18.2",
                text: format!("a leader appears: {}", self.roster[counter].printed()),
            });
        }
    }
}
