//! The starts of stages, Fortitude Tests and their consequences, and the Retreat Step.

use super::battle::{Battle, Fighter, Playthrough, Terms, View};
use super::field::{
    Army, AttackManner, By, Distance, Facing, Stance, Task, Test, TestCause, Unit, UnitIndex,
    UnitReport,
};
use super::order::Order;
use super::rules::{CombinedMode, CombinedOrder, Hexes, PanickedFail, RetreatLeaves, TestRule};
use super::status::Status;
use super::unit::UnitValue;
use engine::process::Log;
use engine::text::counted;

impl Battle {
    /// Makes the report of a unit final once the unit has reached the level the question waits for.
    pub(super) fn note_arrival(&self, unit: &mut Unit) {
        if self.until.is_reached(unit.level) {
            unit.settled = Some(unit.report());
        }
    }
}

impl TestCause {
    /// Returns the number of the check in the trace, `C1` to `C6`.
    pub const fn rule(self) -> &'static str {
        match self {
            TestCause::MoralePhase => "C1",
            TestCause::Assault(Facing::Rear) => "C3",
            TestCause::Assault(_) => "C2",
            TestCause::Casualties { .. } => "C5",
            TestCause::StaffLost => "C6",
        }
    }
}

impl View<'_> {
    /// Returns the modifiers of a test with their sources. Orders do not count in a Morale Phase.
    pub(super) fn fortitude_sources(self, test: Test) -> [(i8, &'static str); 12] {
        let Test { unit: place, cause, at } = test;
        let (rules, member, unit) = (&self.battle.rules, self.member(place), self.unit(place));
        let Stance { level, order, assaults } = at.unwrap_or_else(|| unit.stance());
        let when = |holds: bool, modifier: i8| if holds { modifier } else { 0 };
        let of_level = rules.level_fortitude.0[level.markers()].unwrap_or(0);
        let casualties = match cause {
            _ if rules.casualty_fortitude_permanent => unit.casualties,
            TestCause::Casualties { new } => new,
            _ => 0,
        };
        let planned = cause != TestCause::MoralePhase;
        let stacks = planned && level.is_routed() && rules.flee_order_stacks;
        let assault = assaults.map_or(0, |(_, side)| rules.assault_bonus(side).fortitude);
        let near = when(self.is_near_staff(place), rules.staff_near_fortitude.0);
        let lost = when(self.has_lost_staff(place), rules.staff_lost_penalty.0);
        let fatigue = rules.fatigue_fortitude.0[usize::from(member.fatigue)].unwrap_or(0);
        let of_cause = match cause {
            TestCause::Assault(Facing::Flank) => (rules.flank_penalty.0, "flank"),
            TestCause::Assault(Facing::Rear) => (rules.rear_penalty.0, "rear"),
            TestCause::StaffLost if rules.staff_loss_test_stacks => {
                (lost, "General Staff lost just now")
            }
            _ => (0, ""),
        };
        [
            (member.value(UnitValue::Base) as i8, "base"),
            (of_level, level.title()),
            (when(stacks, of_level), "Flee or Panic"),
            (rules.casualty_fortitude.0.saturating_mul(casualties as i8), "casualties"),
            (when(member.has_commander(), rules.commander_bonus.0), "Commander"),
            (when(unit.honor, rules.honor_bonus.0), "Honor"),
            (near, "General Staff near"),
            (lost, "General Staff lost"),
            (when(planned, order.modifiers().fortitude), order.name()),
            (fatigue, "fatigue"),
            (assault, "assault"),
            of_cause,
        ]
    }

    /// Returns the Fortitude in a test. Below 0 it has the same effect as 0.
    pub(super) fn fortitude(self, test: Test) -> i8 {
        let modifiers = self.fortitude_sources(test).map(|(modifier, _)| i16::from(modifier));
        modifiers.iter().sum::<i16>().clamp(-100, 100) as i8
    }

    pub(super) fn test_terms(self, test: Test) -> Terms {
        let below = i8::from(self.battle.rules.test_rule == TestRule::Below);
        let at_most = self.fortitude(test) - below;
        Terms { at_most, natural: self.battle.rules.natural_rolls }
    }

    /// Returns how a Panicked unit surrenders after a failed test, or `None` if it stays. Tests for
    /// casualties in melee (C5) count as tests outside it, since they come after the fighting.
    fn manner_of_surrender(self, test: Test) -> Option<AttackManner> {
        let (rules, engaged) = (&self.battle.rules, !self.unit(test.unit).foes.is_empty());
        let (decides, manner) = match test.cause {
            TestCause::Assault(_) => return Some(AttackManner::Melee),
            TestCause::StaffLost if engaged => (rules.panicked_melee_fail, AttackManner::Melee),
            _ => (rules.panicked_nonmelee_fail, AttackManner::Ranged),
        };
        (decides == PanickedFail::Surrender).then_some(manner)
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Applies the result of a test. Only one in the Morale Phase (C1) removes a Morale Marker.
    pub(super) fn resolve_test(&mut self, test: Test, passed: bool) {
        let (battle, rule) = (self.battle, test.cause.rule());
        let level = self.field.unit(test.unit).level;
        match test.cause {
            TestCause::MoralePhase if passed => self.set_level(test.unit, level.better(), rule),
            TestCause::MoralePhase => {}
            _ if passed => {}
            _ if level != Status::Panicked => {
                self.set_level(test.unit, level.worse(battle.rules.fail_adds.count()), rule);
            }
            _ => match battle.view(self.field).manner_of_surrender(test) {
                Some(manner) => self.end(test.unit, Status::Surrendered, manner),
                None => {
                    self.log.note(rule, || format!("{} stays Panicked", battle.name(test.unit)));
                }
            },
        }
    }

    pub(super) fn test_units(&mut self, cause: TestCause, must: impl Fn(UnitIndex, &Unit) -> bool) {
        for place in self.field.places().rev() {
            let unit = self.field.unit(place);
            if unit.present && must(place, unit) {
                self.field.tasks.push(Task::Test(Test { unit: place, cause, at: None }));
            }
        }
    }

    /// Returns whether an attacker is able to attack. No unit is that is Shaken, Panicked or gone.
    pub(super) fn is_able(&self, by: By) -> bool {
        let able = |unit: &Unit| unit.present && !unit.level.is_routed();
        by.unit().is_none_or(|place| able(self.field.unit(place)))
    }

    /// Starts an assault and queues its tests (C2 to C4), which come before the melee.
    pub(super) fn assault(&mut self, at: UnitIndex, attackers: &[(By, Facing)], again: bool) {
        if !self.field.unit(at).present {
            return;
        }
        let battle = self.battle;
        let all_around = self.field.unit(at).order == Order::AllAroundDefense;
        let mut tests: Vec<Facing> = Vec::new();
        for &(by, side) in attackers {
            if !self.is_able(by) || (again && !self.field.unit(at).foes.has(by)) {
                continue;
            }
            let side = if all_around { Facing::Front } else { side };
            self.field.unit_mut(at).foes.add(by);
            if let By::Unit(place) = by {
                let attacker = self.field.unit_mut(place);
                attacker.foes.add(By::Unit(at));
                attacker.assaults = Some((at, side));
            }
            self.log.note("Assault", || {
                let side = ["in front", "on a flank", "in the rear"][side as usize];
                format!("{} assaults {} {side}", battle.attacker(by), battle.name(at))
            });
            tests.extend((side != Facing::Front).then_some(side));
        }
        tests.sort();
        if battle.rules.combined_order == CombinedOrder::RearFirst {
            tests.reverse();
        }
        let simultaneous = battle.rules.combined_mode == CombinedMode::Simultaneous;
        let stance = (simultaneous && tests.len() > 1).then(|| self.field.unit(at).stance());
        self.field.tasks.extend(tests.into_iter().rev().map(|side| {
            Task::Test(Test { unit: at, cause: TestCause::Assault(side), at: stance })
        }));
    }

    /// Sets the level of a unit. Its order ends if it becomes Shaken or Panicked.
    pub(super) fn set_level(&mut self, place: UnitIndex, level: Status, rule: &'static str) {
        let unit = self.field.unit_mut(place);
        unit.level = level;
        if level.is_routed() {
            unit.order = Order::None;
            unit.assaults = None;
        }
        self.battle.note_arrival(unit);
        self.log.note(rule, || format!("{} is {level}", self.battle.name(place)));
    }

    /// Removes a unit for good. Its opponents in a melee that ended it earn an Honor Marker.
    pub(super) fn end(&mut self, place: UnitIndex, end: Status, manner: AttackManner) {
        let battle = self.battle;
        let (rule, what) = match end {
            Status::Surrendered => ("Surrender", "surrenders"),
            Status::Destroyed => ("Attack", "is destroyed"),
            _ => ("Panic", "leaves the board"),
        };
        self.log.note(rule, || format!("{} {what}", battle.name(place)));
        let Fighter { member, army, .. } = battle.fighter(place);
        let Unit { foes, hexes, .. } = *self.field.unit(place);
        let casualties = member.value(UnitValue::Models);
        let last = UnitReport { status: end, casualties, honor: false, hexes };
        self.field.disengage(place);
        *self.field.unit_mut(place) = self.field.unit(place).removed(last);
        for winner in foes.units().filter(|_| manner == AttackManner::Melee) {
            if !std::mem::replace(&mut self.field.unit_mut(winner).honor, true) {
                let earns = || format!("{} earns an Honor Marker", battle.name(winner));
                self.log.note("Honor", earns);
            }
        }
        if member.general_staff {
            self.feel_loss_of_staff(*army);
        }
    }

    pub(super) fn lose_staff(&mut self, army: Army) {
        let is_staff = |&place: &UnitIndex| {
            let Fighter { member, army: own, .. } = self.battle.fighter(place);
            self.field.unit(place).present && *own == army && member.general_staff
        };
        let staff = self.field.places().find(is_staff);
        match staff {
            Some(place) => self.end(place, Status::Destroyed, AttackManner::Ranged),
            None => self.feel_loss_of_staff(army),
        }
    }

    /// Queues the test for a lost General Staff (C6) for every unit of the army, once in a battle.
    fn feel_loss_of_staff(&mut self, army: Army) {
        if std::mem::replace(&mut self.field.staff_lost[army as usize], true) {
            return;
        }
        self.log.note("C6", || "the General Staff is lost");
        let battle = self.battle;
        self.test_units(TestCause::StaffLost, |place, _| battle.fighter(place).army == army);
    }

    /// Lets a unit that may Retreat leave its melee if `retreat-leaves` is `when`.
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

    /// Runs the Retreat Step: units flee, panic or leave the melee, and then all orders end.
    pub(super) fn retreat_step(&mut self) {
        for place in self.field.places() {
            self.leave_melee(place, RetreatLeaves::AfterMelee);
            let unit = self.field.unit(place);
            let runs = unit.present && unit.level.is_routed();
            if runs && !self.battle.member(place).blocked {
                self.run(place, unit.level == Status::Panicked);
            }
        }
        for unit in &mut self.field.units {
            unit.order = Order::None;
            unit.assaults = None;
        }
    }

    /// Moves a routed unit. A Shaken unit becomes Hesitant beside its General Staff without a test.
    /// Without a staff it flees to its own edge and stops there, as the General Staff itself does.
    fn run(&mut self, place: UnitIndex, panics: bool) {
        let Fighter { member, runs, .. } = self.battle.fighter(place);
        let rules = &self.battle.rules;
        let (rule, verb, rate) = match (panics, member.cavalry) {
            (false, false) => ("Flee", "flees", rules.flee_hexes),
            (false, true) => ("Flee", "flees", rules.flee_hexes_cavalry),
            (true, false) => ("Panic", "panics", rules.panic_hexes),
            (true, true) => ("Panic", "panics", rules.panic_hexes_cavalry),
        };
        let no_staff = self.battle.view(self.field).has_lost_staff(place) || member.general_staff;
        self.field.disengage(place);
        let unit = self.field.unit_mut(place);
        let way = match unit.own_edge {
            _ if !panics && !no_staff => &mut unit.staff,
            Some(_) if !panics => &mut unit.own_edge,
            _ => &mut unit.edge,
        };
        let leaves = panics && rules.panic_exit_destroys;
        let least = if leaves { 0 } else { 1 };
        let moved = walk(way, rate, least, *runs);
        let arrives = *way == Some(least);
        // The nearest edge is never farther than the own edge.
        unit.edge = unit.own_edge.map_or(unit.edge, |own| unit.edge.map(|edge| edge.min(own)));
        unit.hexes = unit.hexes.saturating_add(moved);
        self.log.note(rule, || {
            let hexes =
                if moved == 0 { String::new() } else { format!(" {}", counted(moved, "hex")) };
            format!("{} {verb}{hexes}", self.battle.name(place))
        });
        if arrives && leaves {
            self.end(place, Status::LeftBoard, AttackManner::Ranged);
        } else if arrives && !panics && !no_staff {
            self.set_level(place, Status::Hesitant, rule);
        }
    }
}

fn walk(way: &mut Distance, rate: Hexes, least: u8, runs: bool) -> u16 {
    let Some(hexes) = way else { return if runs { rate.count().into() } else { 0 } };
    let moved = hexes.saturating_sub(least).min(rate.count());
    *hexes -= moved;
    moved.into()
}
