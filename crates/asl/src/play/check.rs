//! Morale Check and Task Check (10.1 - 10.4, 7.305, 7.8, 10.31).

use super::engagement::Engagement;
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::check::{Cause, Check};
use crate::vocabulary::location::{Fall, Location, Place, Task};
use crate::vocabulary::unit::{Condition, Unit};
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::{Event, Log};

impl Engagement {
    /// A Morale Check of the unit at `place`: 10.21 leadership helps against an attack, never
    /// against a leader's loss; 7.8 a pin comes from attacks and (10.53) from Interdiction only,
    /// unless I-2 says otherwise.
    pub(super) fn morale_check(
        &self,
        location: &Location,
        place: Place,
        drm: i8,
        cause: Cause,
    ) -> Check {
        let unit = location.unit(place);
        let leadership = match cause {
            Cause::Attack => self.leader_for_check(location, place).map_or(0, |(_, drm)| drm),
            Cause::Interdiction => {
                self.leadership_in_hex(location, place).map_or(0, |(_, drm)| drm)
            }
            Cause::LeaderLoss => 0,
        };
        let pins = match cause {
            Cause::Attack => self.can_be_pinned(location, place),
            Cause::LeaderLoss => {
                self.can_be_pinned(location, place) && self.rulebook.chooses(Switch::LlmcPins)
            }
            Cause::Interdiction => {
                unit.is(Condition::Broken) || self.can_be_pinned(location, place)
            }
        };
        let level = self.morale_level(location, place);
        Check {
            level,
            drm,
            leadership,
            elr: self.elr_at_stake(unit),
            pins,
            heats: self.can_be_heated(unit),
        }
    }

    /// 7.305: a Pin Task Check, with leadership.
    pub(super) fn pin_task_check(&self, location: &Location, place: Place) -> Check {
        self.morale_check(location, place, 0, Cause::Attack)
    }

    /// 7.8: broken and berserk units and heroes are not pinned by attacks.
    pub(super) fn can_be_pinned(&self, location: &Location, place: Place) -> bool {
        let unit = location.unit(place);
        unit.is_steady() && !self.is_hero(unit)
    }

    /// Carries out a Morale Check (10.3, 10.31, 7.8); Heat of Battle (15.1) comes when the unit is
    /// done with it.
    pub(super) fn resolve_morale_check<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        reading: Reading,
        log: &mut L,
    ) {
        self.note_heat(location, place, reading);
        match reading.verdict {
            Verdict::Pinned => self.pin(location, place, log),
            Verdict::Failed { elr_failure } => self.fail(location, place, elr_failure, log),
            Verdict::Casualty { elr_failure } => {
                self.casualty_morale_check(location, place, elr_failure, log)
            }
            Verdict::Passed => {}
            other => unreachable!("a Morale Check does not read as {other:?}"),
        }
    }

    /// 15.1: puts the Heat of Battle DR of an Original 2 on the agenda.
    pub(super) fn note_heat(&self, location: &mut Location, place: Place, reading: Reading) {
        if reading.heats {
            let was_broken = location.unit(place).is(Condition::Broken);
            location.push(Task::HeatOfBattle { unit: place, was_broken });
        }
    }

    /// 7.8: the unit is pinned.
    pub(super) fn pin<L: Log>(&self, location: &mut Location, place: Place, log: &mut L) {
        location.unit_mut(place).conditions.set(Condition::Pinned);
        log.tell(|| Event {
            rule: "7.8",
            text: format!("{} is pinned", self.name(location, place)),
        });
    }

    /// 10.3: what failing a Morale Check does, short of an Original 12.
    pub(super) fn fail<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        elr_failure: bool,
        log: &mut L,
    ) {
        let unit = *location.unit(place);
        if unit.is(Condition::Broken) {
            location.unit_mut(place).conditions.set(Condition::Dm);
            self.casualty_reduction(location, place, log);
        } else if self.is_hero(&unit) {
            // 15.2: a wounded hero is eliminated without a dr.
            if unit.is(Condition::Wounded) {
                self.lose(location, place, "15.2", log);
            } else {
                self.wound(location, place, 0, log);
            }
        } else if unit.is(Condition::Berserk) || unit.is(Condition::Unarmed) {
            self.casualty_reduction(location, place, log);
        } else {
            let mut standing = self.standing(location, place);
            if elr_failure {
                self.replace(location, place, "19.1", log);
                standing = self.standing_after(standing, location, place);
            }
            self.break_unit(location, place, log);
            self.note_fall(location, place, Fall::Broke, standing);
        }
    }

    /// 10.3, 10.62: the unit breaks and gains DM.
    pub(super) fn break_unit<L: Log>(&self, location: &mut Location, place: Place, log: &mut L) {
        location.unit_mut(place).break_down();
        log.tell(|| Event { rule: "10.3", text: format!("{} breaks", self.name(location, place)) });
    }

    /// 10.41: units break of their own accord: unbroken ones, but no heroes nor berserk or unarmed
    /// units. I-35: leaders who do bring a LLTC.
    pub(super) fn break_voluntarily<L: Log>(
        &self,
        location: &mut Location,
        slots: Slots,
        log: &mut L,
    ) {
        let accepts_loss = !self.rulebook.chooses(Switch::NoLltcForVoluntaryBreak);
        location.push(Task::LeaderLosses);
        for (place, standing) in self.standings(location, |place| slots.has(place)) {
            let unit = location.unit(place);
            if !unit.can_break() || self.is_hero(unit) {
                continue;
            }
            location.unit_mut(place).break_down();
            log.tell(|| Event {
                rule: "10.41",
                text: format!("{} breaks voluntarily", self.name(location, place)),
            });
            if accepts_loss {
                self.note_fall(location, place, Fall::Broke, standing);
            }
        }
    }

    /// 19.1, 19.11: the ELR a check of this unit is measured by; none for those immune.
    fn elr_at_stake(&self, unit: &Unit) -> Option<i8> {
        let counter = self.counter(unit);
        let immune = matches!(counter.kind, CounterKind::Crew | CounterKind::Commissar)
            || self.is_hero(unit)
            || unit.conditions.has_any(Condition::Broken, Condition::Unarmed)
            || unit.is(Condition::Berserk);
        (!immune).then(|| unit.elr.of_counter(counter.underlined) as i8)
    }
}
