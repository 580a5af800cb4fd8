//! The start of each stage, and the consequences of a changed level or a lost unit.

use super::battle::{Battle, Playthrough};
use super::field::{Army, AttackManner, By, Facing, Task, TestCause, Unit, UnitIndex};
use super::level::{End, Level};
use super::order::Order;
use super::rules::{CombinedMode, CombinedOrder, RetreatLeaves};
use super::unit::{Distance, Edges, UnitValue};
use engine::process::Log;

impl Battle {
    /// Makes the report of a unit final once the unit has reached the level the question waits for.
    pub(super) fn note_arrival(&self, unit: &mut Unit) {
        if self.until.is_reached(unit.level) {
            unit.settled = Some(unit.report());
        }
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Queues the Morale Phase test (C1) for every unit with Morale Markers that must make it.
    pub(super) fn morale_phase(&mut self) {
        let must = |&place: &UnitIndex| {
            let unit = self.field.unit(place);
            let free = unit.foes.is_empty() || !self.battle.rules.morale_phase_requires_unengaged;
            unit.level != Level::Normal && free
        };
        let units: Vec<UnitIndex> = self.field.present().filter(must).collect();
        self.field.push_tests(units.into_iter().map(|place| (place, TestCause::MoralePhase)));
    }

    /// Queues a flank (C2) or rear test (C3) for every unit, except those in All-Around Defense.
    pub(super) fn test_all(&mut self, side: Facing) {
        let units: Vec<UnitIndex> = self
            .field
            .present()
            .filter(|&place| !self.field.unit(place).order.has_no_flanks())
            .collect();
        self.field.push_tests(units.into_iter().map(|place| (place, TestCause::Assault(side))));
    }

    /// Starts an assault and queues its flank and rear tests (C2 to C4), which come before the
    /// melee. Shaken and Panicked units do not assault.
    pub(super) fn assault(&mut self, at: UnitIndex, attackers: &[(By, Facing)], again: bool) {
        if !self.field.unit(at).present {
            return;
        }
        let all_around = self.field.unit(at).order.has_no_flanks();
        let mut tests: Vec<Facing> = Vec::new();
        for &(by, side) in attackers {
            let able = match by {
                By::Unit(place) => {
                    self.field.unit(place).present && !self.field.unit(place).level.is_routed()
                }
                By::Force(_) => true,
            };
            if !able || (again && !self.field.unit(at).foes.has(by)) {
                continue;
            }
            let side = if all_around { Facing::Front } else { side };
            self.field.unit_mut(at).foes.add(by);
            if let By::Unit(place) = by {
                let attacker = self.field.unit_mut(place);
                attacker.foes.add(By::Unit(at));
                attacker.assaults = Some((at, side));
            }
            self.log.record(|| self.battle.assault_in_words(by, at, side));
            tests.extend((side != Facing::Front).then_some(side));
        }
        tests.sort();
        if self.battle.rules.combined_order == CombinedOrder::RearFirst {
            tests.reverse();
        }
        let simultaneous =
            tests.len() > 1 && self.battle.rules.combined_mode == CombinedMode::Simultaneous;
        let before = simultaneous.then(|| self.field.unit(at).stance());
        let tests = tests.into_iter().rev().map(|side| Task::Test {
            unit: at,
            check: TestCause::Assault(side),
            at: before,
        });
        self.field.tasks.extend(tests);
    }

    /// Places a unit at a distance from its General Staff, from the edges, or both.
    pub(super) fn put(&mut self, place: UnitIndex, staff: Distance, edges: Option<Edges>) {
        let unit = self.field.unit_mut(place);
        if unit.present {
            unit.staff = staff.or(unit.staff);
            if let Some(Edges { nearest, own }) = edges {
                (unit.edge, unit.own_edge) = (Some(nearest), own);
            }
        }
    }

    /// Sets the level of a unit. Its order ends if it becomes Shaken or Panicked.
    pub(super) fn set_level(&mut self, place: UnitIndex, level: Level, rule: &'static str) {
        let unit = self.field.unit_mut(place);
        unit.level = level;
        if level.is_routed() {
            unit.order = Order::None;
            unit.assaults = None;
        }
        self.battle.note_arrival(unit);
        self.log.note(rule, || format!("{} is {level}", self.battle.name(place)));
    }

    /// Removes a unit for good. If it ended in melee, its opponents there earn an Honor Marker.
    /// Loss of the General Staff takes effect at once.
    pub(super) fn end(&mut self, place: UnitIndex, end: End, manner: AttackManner) {
        self.log.record(|| self.battle.end_in_words(place, end));
        let unit = self.field.unit(place);
        let foes = unit.foes;
        let report = unit.ending(end, self.battle.member(place).value(UnitValue::Models));
        self.field.disengage(place);
        *self.field.unit_mut(place) = Unit::removed(report);
        if manner == AttackManner::Melee {
            for winner in foes.units() {
                if !std::mem::replace(&mut self.field.unit_mut(winner).honor, true) {
                    self.log.note("Honor", || {
                        format!("{} earns an Honor Marker", self.battle.name(winner))
                    });
                }
            }
        }
        if self.battle.member(place).general_staff {
            self.feel_loss_of_staff(self.battle.fighter(place).army);
        }
    }

    pub(super) fn lose_staff(&mut self, army: Army) {
        let is_staff = |&place: &UnitIndex| {
            self.battle.fighter(place).army == army && self.battle.member(place).general_staff
        };
        let staff = self.field.present().find(is_staff);
        match staff {
            Some(place) => self.end(place, End::Destroyed, AttackManner::Ranged),
            None => self.feel_loss_of_staff(army),
        }
    }

    /// Queues the test for a lost General Staff (C6) for every unit of the army, once in a battle.
    fn feel_loss_of_staff(&mut self, army: Army) {
        if std::mem::replace(&mut self.field.staff_lost[army as usize], true) {
            return;
        }
        self.log.note("C6", || "the General Staff is lost");
        let units: Vec<UnitIndex> =
            self.field.present().filter(|&place| self.battle.fighter(place).army == army).collect();
        self.field.push_tests(units.into_iter().map(|place| (place, TestCause::StaffLost)));
    }

    /// Lets a unit with the order Retreat leave its melee if `retreat-leaves` is `when`, unless it
    /// is blocked.
    pub(super) fn leave_melee(&mut self, place: UnitIndex, when: RetreatLeaves) {
        let unit = self.field.unit(place);
        let leaves = unit.order == Order::Retreat
            && !unit.foes.is_empty()
            && !self.battle.member(place).blocked;
        if leaves && self.battle.rules.retreat_leaves == when {
            self.field.disengage(place);
            self.log.note("Retreat", || format!("{} leaves the melee", self.battle.name(place)));
        }
    }
}
