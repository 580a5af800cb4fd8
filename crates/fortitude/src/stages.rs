//! The start of each stage, and the consequences of a changed level or a lost unit.

use super::battle::Battle;
use super::field::{Army, AttackManner, Battlefield, By, Facing, Task, TestCause, Unit, UnitIndex};
use super::level::{End, Level};
use super::order::Order;
use super::rules::{CombinedMode, CombinedOrder, RetreatLeaves};
use super::unit::{Distance, Edges, UnitValue};
use engine::process::{Event, Log};

impl Battle {
    /// Queues the Morale Phase test (C1) for every unit with Morale Markers that must make it.
    pub(super) fn morale_phase(&self, field: &mut Battlefield) {
        let must = |&place: &UnitIndex| {
            let unit = field.unit(place);
            let free = unit.foes.is_empty() || !self.rules.morale_phase_requires_unengaged;
            unit.level != Level::Normal && free
        };
        let units: Vec<UnitIndex> = field.present().filter(must).collect();
        field.push_tests(units.into_iter().map(|place| (place, TestCause::MoralePhase)));
    }

    /// Queues a flank (C2) or rear test (C3) for every unit, except those in All-Around Defense.
    pub(super) fn test_all(&self, field: &mut Battlefield, side: Facing) {
        let units: Vec<UnitIndex> =
            field.present().filter(|&place| !field.unit(place).order.has_no_flanks()).collect();
        field.push_tests(units.into_iter().map(|place| (place, TestCause::Assault(side))));
    }

    /// Starts an assault and queues its flank and rear tests (C2 to C4), which come before the
    /// melee. Shaken and Panicked units do not assault.
    pub(super) fn assault<L: Log>(
        &self,
        field: &mut Battlefield,
        at: UnitIndex,
        attackers: &[(By, Facing)],
        again: bool,
        log: &mut L,
    ) {
        if !field.unit(at).present {
            return;
        }
        let all_around = field.unit(at).order.has_no_flanks();
        let mut tests: Vec<Facing> = Vec::new();
        for &(by, side) in attackers {
            let able = match by {
                By::Unit(place) => {
                    field.unit(place).present && !field.unit(place).level.is_routed()
                }
                By::Force(_) => true,
            };
            if !able || (again && !field.unit(at).foes.has(by)) {
                continue;
            }
            let side = if all_around { Facing::Front } else { side };
            field.unit_mut(at).foes.add(by);
            if let By::Unit(place) = by {
                let attacker = field.unit_mut(place);
                attacker.foes.add(By::Unit(at));
                attacker.assaults = Some((at, side));
            }
            log.record(|| self.assault_in_words(by, at, side));
            tests.extend((side != Facing::Front).then_some(side));
        }
        tests.sort();
        if self.rules.combined_order == CombinedOrder::RearFirst {
            tests.reverse();
        }
        let simultaneous =
            tests.len() > 1 && self.rules.combined_mode == CombinedMode::Simultaneous;
        let before = simultaneous.then(|| field.unit(at).stance());
        let tests = tests.into_iter().rev().map(|side| Task::Test {
            unit: at,
            check: TestCause::Assault(side),
            at: before,
        });
        field.tasks.extend(tests);
    }

    /// Places a unit at a distance from its General Staff, from the edges, or both.
    pub(super) fn put(
        &self,
        field: &mut Battlefield,
        place: UnitIndex,
        staff: Distance,
        edges: Option<Edges>,
    ) {
        let unit = field.unit_mut(place);
        if unit.present {
            unit.staff = staff.or(unit.staff);
            if let Some(Edges { nearest, own }) = edges {
                (unit.edge, unit.own_edge) = (Some(nearest), own);
            }
        }
    }

    /// Sets the level of a unit. Its order ends if it becomes Shaken or Panicked.
    pub(super) fn set_level<L: Log>(
        &self,
        field: &mut Battlefield,
        place: UnitIndex,
        level: Level,
        rule: &'static str,
        log: &mut L,
    ) {
        let unit = field.unit_mut(place);
        unit.level = level;
        if level.is_routed() {
            unit.order = Order::None;
            unit.assaults = None;
        }
        self.note_arrival(unit);
        log.record(|| Event { rule, text: format!("{} is {level}", self.name(place)) });
    }

    /// Makes the report of a unit final once the unit has reached the level the question waits for.
    pub(super) fn note_arrival(&self, unit: &mut Unit) {
        if self.until.is_reached(unit.level) {
            unit.settled = Some(unit.report());
        }
    }

    /// Removes a unit for good. If it ended in melee, its opponents there earn an Honor Marker.
    /// Loss of the General Staff takes effect at once.
    pub(super) fn end<L: Log>(
        &self,
        field: &mut Battlefield,
        place: UnitIndex,
        end: End,
        manner: AttackManner,
        log: &mut L,
    ) {
        log.record(|| self.end_in_words(place, end));
        let unit = field.unit(place);
        let foes = unit.foes;
        let report = unit.ending(end, self.member(place).value(UnitValue::Models));
        field.disengage(place);
        *field.unit_mut(place) = Unit::removed(report);
        if manner == AttackManner::Melee {
            for winner in foes.units() {
                if !std::mem::replace(&mut field.unit_mut(winner).honor, true) {
                    log.record(|| Event {
                        rule: "Honor",
                        text: format!("{} earns an Honor Marker", self.name(winner)),
                    });
                }
            }
        }
        if self.member(place).general_staff {
            self.feel_loss_of_staff(field, self.fighter(place).army, log);
        }
    }

    pub(super) fn lose_staff<L: Log>(&self, field: &mut Battlefield, army: Army, log: &mut L) {
        let is_staff = |&place: &UnitIndex| {
            self.fighter(place).army == army && self.member(place).general_staff
        };
        let staff = field.present().find(is_staff);
        match staff {
            Some(place) => self.end(field, place, End::Destroyed, AttackManner::Ranged, log),
            None => self.feel_loss_of_staff(field, army, log),
        }
    }

    /// Queues the test for a lost General Staff (C6) for every unit of the army, once in a battle.
    fn feel_loss_of_staff<L: Log>(&self, field: &mut Battlefield, army: Army, log: &mut L) {
        if std::mem::replace(&mut field.staff_lost[army as usize], true) {
            return;
        }
        log.record(|| Event { rule: "C6", text: "the General Staff is lost".to_string() });
        let units: Vec<UnitIndex> =
            field.present().filter(|&place| self.fighter(place).army == army).collect();
        field.push_tests(units.into_iter().map(|place| (place, TestCause::StaffLost)));
    }

    /// Lets a unit with the order Retreat leave its melee if `retreat-leaves` is `when`, unless it
    /// is blocked.
    pub(super) fn leave_melee<L: Log>(
        &self,
        field: &mut Battlefield,
        place: UnitIndex,
        when: RetreatLeaves,
        log: &mut L,
    ) {
        let unit = field.unit(place);
        let leaves =
            unit.order == Order::Retreat && !unit.foes.is_empty() && !self.member(place).blocked;
        if leaves && self.rules.retreat_leaves == when {
            field.disengage(place);
            log.record(|| Event {
                rule: "Retreat",
                text: format!("{} leaves the melee", self.name(place)),
            });
        }
    }
}
