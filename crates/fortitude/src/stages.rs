//! What a stage puts in hand, and what follows when the level of a unit changes or it is gone.

use super::battle::Battle;
use super::field::{Army, Battlefield, By, Check, Manner, Place, Side, Task, Unit};
use super::level::{End, Level};
use super::order::Order;
use super::rules::{CombinedMode, CombinedOrder, RetreatLeaves};
use super::unit::{Distance, Edges, Value};
use engine::process::{Event, Log};

impl Battle {
    /// C1: every unit with Morale Markers that is not engaged.
    pub(super) fn morale_phase(&self, field: &mut Battlefield) {
        let must = |&place: &Place| {
            let unit = field.unit(place);
            let free = unit.foes.is_empty() || !self.rules.morale_phase_requires_unengaged;
            unit.level != Level::Normal && free
        };
        let units: Vec<Place> = field.present().filter(must).collect();
        field.push_tests(units.into_iter().map(|place| (place, Check::MoralePhase)));
    }

    /// C2 or C3 for every unit that has such a side.
    pub(super) fn test_all(&self, field: &mut Battlefield, side: Side) {
        let units: Vec<Place> =
            field.present().filter(|&place| !field.unit(place).order.has_no_flanks()).collect();
        field.push_tests(units.into_iter().map(|place| (place, Check::Assault(side))));
    }

    /// C2, C3, C4: who is assaulted on a flank or the rear is tested for each such attack before
    /// the melee. A unit that is Shaken or worse assaults nobody.
    pub(super) fn assault<L: Log>(
        &self,
        field: &mut Battlefield,
        at: Place,
        attackers: &[(By, Side)],
        again: bool,
        log: &mut L,
    ) {
        if !field.unit(at).present {
            return;
        }
        let all_around = field.unit(at).order.has_no_flanks();
        let mut tests: Vec<Side> = Vec::new();
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
            let side = if all_around { Side::Front } else { side };
            field.unit_mut(at).foes.add(by);
            if let By::Unit(place) = by {
                let attacker = field.unit_mut(place);
                attacker.foes.add(By::Unit(at));
                attacker.assaults = Some((at, side));
            }
            log.tell(|| self.assault_in_words(by, at, side));
            tests.extend((side != Side::Front).then_some(side));
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
            check: Check::Assault(side),
            at: before,
        });
        field.tasks.extend(tests);
    }

    /// A unit is put so many hexes from its General Staff, or from the nearest edge and its own, or
    /// both.
    pub(super) fn put(
        &self,
        field: &mut Battlefield,
        place: Place,
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

    /// The level of a unit changes. An order ends where Flee or Panic takes its place.
    pub(super) fn set_level<L: Log>(
        &self,
        field: &mut Battlefield,
        place: Place,
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
        log.tell(|| Event { rule, text: format!("{} is {level}", self.name(place)) });
    }

    /// Where a first arrival is asked for, what is told of the unit is settled by it.
    pub(super) fn note_arrival(&self, unit: &mut Unit) {
        if self.until.is_reached(unit.level) {
            unit.told = Some(unit.standing());
        }
    }

    /// A unit is gone for good. Who destroys the enemy in melee earns an Honor Marker; the loss of
    /// the General Staff is felt at once.
    pub(super) fn end<L: Log>(
        &self,
        field: &mut Battlefield,
        place: Place,
        end: End,
        manner: Manner,
        log: &mut L,
    ) {
        log.tell(|| self.end_in_words(place, end));
        let unit = field.unit(place);
        let foes = unit.foes;
        let told = unit.ending(end, self.member(place).value(Value::Models));
        field.disengage(place);
        *field.unit_mut(place) = Unit::gone(told);
        if manner == Manner::Melee {
            for winner in foes.units() {
                if !std::mem::replace(&mut field.unit_mut(winner).honor, true) {
                    log.tell(|| Event {
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
        let is_staff =
            |&place: &Place| self.fighter(place).army == army && self.member(place).general_staff;
        let staff = field.present().find(is_staff);
        match staff {
            Some(place) => self.end(field, place, End::Destroyed, Manner::Ranged, log),
            None => self.feel_loss_of_staff(field, army, log),
        }
    }

    /// C6: every unit of the army is tested, once.
    fn feel_loss_of_staff<L: Log>(&self, field: &mut Battlefield, army: Army, log: &mut L) {
        if std::mem::replace(&mut field.staff_lost[army as usize], true) {
            return;
        }
        log.tell(|| Event { rule: "C6", text: "the General Staff is lost".to_string() });
        let units: Vec<Place> =
            field.present().filter(|&place| self.fighter(place).army == army).collect();
        field.push_tests(units.into_iter().map(|place| (place, Check::StaffLost)));
    }

    /// A unit that retreats leaves its melee, unless it is blocked.
    pub(super) fn leave_melee<L: Log>(
        &self,
        field: &mut Battlefield,
        place: Place,
        when: RetreatLeaves,
        log: &mut L,
    ) {
        let unit = field.unit(place);
        let leaves =
            unit.order == Order::Retreat && !unit.foes.is_empty() && !self.member(place).blocked;
        if leaves && self.rules.retreat_leaves == when {
            field.disengage(place);
            log.tell(|| Event {
                rule: "Retreat",
                text: format!("{} leaves the melee", self.name(place)),
            });
        }
    }
}
