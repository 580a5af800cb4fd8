//! Morale Checks and Task Checks (10.1 - 10.4, 7.305, 7.8, 10.31).

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::{
    Cause, Check, Condition, Elr, Fall, Reading, Task, Unit, UnitIndex, Verdict,
};
use engine::process::Log;

impl Engagement {
    /// Returns the ELR for a check of the unit, which an underlined counter has of its own (A1.23).
    /// Returns `None` if the unit is immune (19.1, 19.11).
    fn elr_at_stake(&self, unit: &Unit) -> Option<i8> {
        let counter = self.counter(unit);
        let immune = matches!(counter.kind, CounterKind::Crew | CounterKind::Commissar)
            || self.is_hero(unit)
            || unit.conditions.has_any(Condition::Broken, Condition::Unarmed)
            || unit.is(Condition::Berserk);
        let elr = match unit.elr {
            Elr::Side(_) if counter.underlined => 5,
            Elr::Side(elr) | Elr::Own(elr) => elr,
        };
        (!immune).then_some(elr as i8)
    }
}

impl PlayView<'_> {
    /// Returns the ML and the modifiers of a Morale Check of the unit at `place`. Leadership helps
    /// against an attack or Interdiction (10.21), never against the loss of a leader. Only attacks
    /// and Interdiction (10.53) can pin (7.8), unless interpretation I-2 says otherwise.
    pub(super) fn morale_check(self, place: UnitIndex, drm: i8, cause: Cause) -> Check {
        let unit = self.unit(place);
        let can_be_pinned = self.can_be_pinned(place);
        let (leader, pins) = match cause {
            Cause::Attack => (self.leader_for_check(place), can_be_pinned),
            Cause::Interdiction => {
                (self.leadership_in_hex(place), unit.is(Condition::Broken) || can_be_pinned)
            }
            Cause::LeaderLoss => (None, can_be_pinned && self.chooses(Switch::LlmcPins)),
        };
        Check {
            level: self.morale_level(place),
            drm,
            leadership: leader.map_or(0, |(_, drm)| drm),
            elr: self.elr_at_stake(unit),
            pins,
            heats: self.can_be_heated(unit),
        }
    }

    /// Returns whether the unit can be pinned (7.8). Broken or berserk units and heroes cannot.
    pub(super) fn can_be_pinned(self, place: UnitIndex) -> bool {
        let unit = self.unit(place);
        unit.is_steady() && !self.is_hero(unit)
    }
}

impl<L: Log> Play<'_, L> {
    /// Applies the result of a Morale Check (10.3, 10.31, 7.8), before Heat of Battle (15.1).
    pub(super) fn resolve_morale_check(&mut self, place: UnitIndex, reading: Reading) {
        self.note_heat(place, reading);
        match reading.verdict {
            Verdict::Pinned => self.pin(place),
            Verdict::Failed { elr_failure } => self.fail(place, elr_failure),
            Verdict::Casualty { elr_failure } => self.casualty_morale_check(place, elr_failure),
            Verdict::Passed => {}
            other => unreachable!("a Morale Check does not read as {other:?}"),
        }
    }

    /// Adds the Heat of Battle DR to the agenda if the roll causes one (15.1).
    pub(super) fn note_heat(&mut self, place: UnitIndex, reading: Reading) {
        if reading.heats {
            let was_broken = self.location.unit(place).is(Condition::Broken);
            self.location.push(Task::HeatOfBattle { unit: place, was_broken });
        }
    }

    pub(super) fn pin(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).conditions.set(Condition::Pinned);
        self.note_unit("7.8", place, "is pinned");
    }

    /// Applies a failed Morale Check other than an Original 12 (10.3).
    pub(super) fn fail(&mut self, place: UnitIndex, elr_failure: bool) {
        let unit = *self.location.unit(place);
        if unit.is(Condition::Broken) {
            self.location.unit_mut(place).conditions.set(Condition::Dm);
            self.casualty_reduction(place);
        } else if self.is_hero(&unit) {
            self.hit_hero(place, 0);
        } else if unit.is(Condition::Berserk) || unit.is(Condition::Unarmed) {
            self.casualty_reduction(place);
        } else {
            let mut rank = self.now().rank(place);
            if elr_failure {
                self.replace(place, "19.1");
                rank = self.now().rank_after(rank, place);
            }
            self.break_unit(place);
            self.note_fall(place, Fall::Broke, rank);
        }
    }

    /// Breaks the unit, which gains DM (10.3, 10.62).
    pub(super) fn break_unit(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).break_down();
        self.note_unit("10.3", place, "breaks");
    }

    /// Applies a Voluntary Break (10.41) to unbroken units that are neither heroes nor berserk nor
    /// unarmed. Leaders that break cause a LLTC, unless interpretation I-35 says otherwise.
    pub(super) fn break_voluntarily(&mut self, slots: Slots) {
        let accepts_loss = !self.chooses(Switch::NoLltcForVoluntaryBreak);
        self.location.push(Task::LeaderLosses);
        for (place, rank) in self.now().ranks(|place| slots.has(place)) {
            let unit = self.location.unit(place);
            if !unit.can_break() || self.is_hero(unit) {
                continue;
            }
            self.location.unit_mut(place).break_down();
            self.note_unit("10.41", place, "breaks voluntarily");
            if accepts_loss {
                self.note_fall(place, Fall::Broke, rank);
            }
        }
    }
}
