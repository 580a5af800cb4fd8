//! Morale Checks and Task Checks (10.1 - 10.4, 7.305, 7.8, 10.31).

use super::engagement::Engagement;
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::check::{Cause, Check};
use crate::vocabulary::location::{Fall, LocationState, Task};
use crate::vocabulary::unit::{Condition, Unit, UnitIndex};
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::{Event, Log};

impl Engagement {
    /// Returns the ML and the modifiers of a Morale Check of the unit at `place`. Leadership helps
    /// against an attack or Interdiction (10.21), never against the loss of a leader. Only attacks
    /// and Interdiction (10.53) can pin (7.8), unless interpretation I-2 says otherwise.
    pub(super) fn morale_check(
        &self,
        location: &LocationState,
        place: UnitIndex,
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

    /// Returns the ML and the modifiers of a Pin Task Check, with leadership (7.305).
    pub(super) fn pin_task_check(&self, location: &LocationState, place: UnitIndex) -> Check {
        self.morale_check(location, place, 0, Cause::Attack)
    }

    /// Returns whether the unit can be pinned (7.8). Broken or berserk units and heroes cannot.
    pub(super) fn can_be_pinned(&self, location: &LocationState, place: UnitIndex) -> bool {
        let unit = location.unit(place);
        unit.is_steady() && !self.is_hero(unit)
    }

    /// Applies the result of a Morale Check (10.3, 10.31, 7.8), before Heat of Battle (15.1).
    pub(super) fn resolve_morale_check<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
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

    /// Adds the Heat of Battle DR to the agenda if the roll causes one (15.1).
    pub(super) fn note_heat(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        reading: Reading,
    ) {
        if reading.heats {
            let was_broken = location.unit(place).is(Condition::Broken);
            location.push(Task::HeatOfBattle { unit: place, was_broken });
        }
    }

    pub(super) fn pin<L: Log>(&self, location: &mut LocationState, place: UnitIndex, log: &mut L) {
        location.unit_mut(place).conditions.set(Condition::Pinned);
        log.record(|| Event {
            rule: "7.8",
            text: format!("{} is pinned", self.name(location, place)),
        });
    }

    /// Applies a failed Morale Check other than an Original 12 (10.3).
    pub(super) fn fail<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        elr_failure: bool,
        log: &mut L,
    ) {
        let unit = *location.unit(place);
        if unit.is(Condition::Broken) {
            location.unit_mut(place).conditions.set(Condition::Dm);
            self.casualty_reduction(location, place, log);
        } else if self.is_hero(&unit) {
            // A wounded hero is eliminated without a dr (15.2).
            if unit.is(Condition::Wounded) {
                self.lose(location, place, "15.2", log);
            } else {
                self.wound(location, place, 0, log);
            }
        } else if unit.is(Condition::Berserk) || unit.is(Condition::Unarmed) {
            self.casualty_reduction(location, place, log);
        } else {
            let mut rank = self.rank(location, place);
            if elr_failure {
                self.replace(location, place, "19.1", log);
                rank = self.rank_after(rank, location, place);
            }
            self.break_unit(location, place, log);
            self.note_fall(location, place, Fall::Broke, rank);
        }
    }

    /// Breaks the unit, which gains DM (10.3, 10.62).
    pub(super) fn break_unit<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        log: &mut L,
    ) {
        location.unit_mut(place).break_down();
        log.record(|| Event {
            rule: "10.3",
            text: format!("{} breaks", self.name(location, place)),
        });
    }

    /// Applies a Voluntary Break (10.41) to unbroken units that are neither heroes nor berserk nor
    /// unarmed. Leaders that break cause a LLTC, unless interpretation I-35 says otherwise.
    pub(super) fn break_voluntarily<L: Log>(
        &self,
        location: &mut LocationState,
        slots: Slots,
        log: &mut L,
    ) {
        let accepts_loss = !self.rulebook.chooses(Switch::NoLltcForVoluntaryBreak);
        location.push(Task::LeaderLosses);
        for (place, rank) in self.ranks(location, |place| slots.has(place)) {
            let unit = location.unit(place);
            if !unit.can_break() || self.is_hero(unit) {
                continue;
            }
            location.unit_mut(place).break_down();
            log.record(|| Event {
                rule: "10.41",
                text: format!("{} breaks voluntarily", self.name(location, place)),
            });
            if accepts_loss {
                self.note_fall(location, place, Fall::Broke, rank);
            }
        }
    }

    /// Returns the ELR for a check of the unit, or `None` if it is immune (19.1, 19.11).
    fn elr_at_stake(&self, unit: &Unit) -> Option<i8> {
        let counter = self.counter(unit);
        let immune = matches!(counter.kind, CounterKind::Crew | CounterKind::Commissar)
            || self.is_hero(unit)
            || unit.conditions.has_any(Condition::Broken, Condition::Unarmed)
            || unit.is(Condition::Berserk);
        (!immune).then(|| unit.elr.of_counter(counter.underlined) as i8)
    }
}
