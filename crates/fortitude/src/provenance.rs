//! The assumptions behind an answer. A search through the states of the question finds the
//! assumptions that can matter.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::battle::{Battle, Plan, Reading, Stage, Terms};
use super::field::{Battlefield, By, Facing, Task, TestCause, UnitIndex};
use super::kinds::QuestionKind;
use super::level::{End, Level, Status};
use super::order::Order;
use super::question::{Question, What};
use super::rules::{CombinedMode, DamageRule, Rules};
use super::unit::{Member, UnitValue};
use engine::process::{Due, Process as _, Question as _, Silent};

/// The maximum number of states searched. Assumptions that matter show up in far fewer.
const MOST_STATES: usize = 1 << 15;

/// An assumption an answer may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    Parameter(&'static str),
    /// An assumed value of the unit in a 1-based slot.
    Unit(u8, UnitValue),
    /// The effect of the order Rest.
    Rest,
    /// A value of the firing units that are not part of the battle.
    Firing(UnitValue),
}

impl Question {
    /// Returns the assumed parameters and values that can matter to the answer, each once.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut grounds = BTreeSet::new();
        for battle in self.parts().all() {
            battle.grounds(&mut grounds);
        }
        if self.ask != QuestionKind::Assault {
            // In a sequence every assault is a separate step, so this parameter has no effect.
            grounds.remove(&Ground::Parameter(Rules::assault_each_turn.name));
        }
        let firing: &[Member] = if let What::Fire { by, .. } = &self.what { by } else { &[] };
        let mut lines: Vec<String> = Vec::new();
        for ground in grounds {
            match ground {
                Ground::Rest => add_line(&mut lines, "order rest adds 0".to_string()),
                Ground::Parameter(name) => {
                    add_line(&mut lines, format!("{name} = {}", self.rules.written(name)))
                }
                Ground::Unit(slot, value) => self
                    .member(slot)
                    .into_iter()
                    .for_each(|member| add_value(&mut lines, member, value)),
                Ground::Firing(value) => {
                    firing.iter().for_each(|member| add_value(&mut lines, member, value))
                }
            }
        }
        lines
    }
}

fn add_value(lines: &mut Vec<String>, member: &Member, value: UnitValue) {
    if member.is_assumed(value) {
        add_line(
            lines,
            format!("{}: {} = {}", member.sort.name, value.name(), member.value(value)),
        );
    }
}

fn add_line(lines: &mut Vec<String>, text: String) {
    if !lines.contains(&text) {
        lines.push(text);
    }
}

impl Battle {
    /// Collects the assumptions that matter in any of the first [`MOST_STATES`] states.
    fn grounds(&self, grounds: &mut BTreeSet<Ground>) {
        let start = self.start(&mut Silent);
        let mut seen = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([start]);
        let retreats = |order: &Order| *order == Order::Retreat;
        let ordered = |stage: &Stage| {
            matches!(stage,
            Stage::Planning(plans) if plans.contains(&Plan::Fixed(Order::Retreat)))
        };
        if self.stages.contains(&Stage::Melee)
            && (self.orders.iter().flatten().any(retreats) || self.stages.iter().any(ordered))
        {
            grounds.insert(Ground::Parameter(Rules::retreat_leaves.name));
        }
        self.grounds_of_orders(grounds);
        while let Some(field) = open.pop_front().filter(|_| seen.len() < MOST_STATES) {
            self.grounds_of(&field, grounds);
            for next in self.after(&field) {
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
    }

    /// Collects the assumptions behind orders that a player chooses, not behind orders given.
    fn grounds_of_orders(&self, grounds: &mut BTreeSet<Ground>) {
        let fires = |place: UnitIndex| {
            let by =
                |stage: &Stage| matches!(stage, Stage::Fire { by, .. } if *by == By::Unit(place));
            self.stages.iter().any(by)
        };
        for place in self.places_with_open_orders() {
            let orders = &self.orders[self.fighter(place).army as usize];
            if !self.member(place).has_commander()
                && orders.iter().any(|order| !order.is_sure_without_commander())
            {
                grounds.insert(Ground::Parameter(Rules::orders_without_commander.name));
            }
            if fires(place) && self.orders_of(place).any(|order| !order.is_sure_to_fire()) {
                grounds.insert(Ground::Parameter(Rules::orders_that_fire.name));
            }
        }
    }

    /// Returns the states that can follow a state.
    fn after(&self, field: &Battlefield) -> Vec<Battlefield> {
        match self.due(field) {
            Due::Over => Vec::new(),
            Due::Choice { options, .. } => self.followers(field, options),
            Due::Report(_) => {
                let mut next = field.clone();
                self.pass(&mut next, &mut Silent);
                vec![next]
            }
            Due::Roll(dice, terms) => {
                let comes =
                    |reading: &Reading| dice.all().any(|face| self.read(&terms, face) == *reading);
                let readings = [Reading::Success, Reading::Failure].into_iter().filter(comes);
                readings
                    .map(|reading| {
                        let mut next = field.clone();
                        self.apply(&mut next, reading, &mut Silent);
                        next
                    })
                    .collect()
            }
        }
    }

    /// Collects the assumptions that matter in one state.
    fn grounds_of(&self, field: &Battlefield, grounds: &mut BTreeSet<Ground>) {
        for place in field.places() {
            self.grounds_of_unit(field, place, grounds);
        }
        match (field.tasks.last(), self.due(field)) {
            (Some(&Task::Test { unit, check, .. }), Due::Roll(_, Terms::Test { at_most, .. })) => {
                self.grounds_of_test(field, unit, check, at_most, grounds);
            }
            (Some(&Task::Attack { by, at, .. }), _) => {
                self.grounds_of_attack(field, by, at, grounds)
            }
            (None, Due::Report(_)) => self.grounds_of_turn(field, grounds),
            _ => {}
        }
    }

    /// Collects a unit's number of models, once any are lost, and the effect of the board's edge.
    fn grounds_of_unit(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        grounds: &mut BTreeSet<Ground>,
    ) {
        let (unit, member) = (field.unit(place), self.member(place));
        let report = unit.report();
        let destroyed = report.status == Status::Removed(End::Destroyed);
        if destroyed || (unit.present && unit.casualties > member.casualties) {
            grounds.insert(Ground::Unit(self.fighter(place).slot, UnitValue::Models));
        }
        let stopped = !self.rules.panic_exit_destroys
            && unit.level == Level::Panicked
            && unit.edge == Some(1);
        if report.status == Status::Removed(End::LeftBoard) || stopped {
            grounds.insert(Ground::Parameter(Rules::panic_exit_destroys.name));
        }
    }

    fn grounds_of_test(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        check: TestCause,
        at_most: i8,
        grounds: &mut BTreeSet<Ground>,
    ) {
        grounds.insert(Ground::Unit(self.fighter(place).slot, UnitValue::Base));
        if !(1..20).contains(&at_most) {
            grounds.insert(Ground::Parameter(Rules::natural_rolls.name));
        }
        let unit = field.unit(place);
        match check {
            TestCause::StaffLost if self.rules.staff_lost_penalty.0 != 0 => {
                grounds.insert(Ground::Parameter(Rules::staff_loss_test_stacks.name));
            }
            TestCause::Assault(side) => self.grounds_of_combined(field, place, side, grounds),
            _ => {}
        }
        if unit.order == Order::Rest && check != TestCause::MoralePhase {
            grounds.insert(Ground::Rest);
        }
        if unit.level == Level::Panicked {
            grounds.extend(match check {
                TestCause::StaffLost if !unit.foes.is_empty() => {
                    Some(Ground::Parameter(Rules::panicked_melee_fail.name))
                }
                TestCause::StaffLost | TestCause::Casualties { .. } => {
                    Some(Ground::Parameter(Rules::panicked_nonmelee_fail.name))
                }
                TestCause::MoralePhase | TestCause::Assault(_) => None,
            });
        }
    }

    /// Collects the parameters of a combined assault if further tests of it follow.
    fn grounds_of_combined(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        side: Facing,
        grounds: &mut BTreeSet<Ground>,
    ) {
        let others = field.tasks.iter().rev().skip(1).filter_map(|task| match task {
            Task::Test { unit, check: TestCause::Assault(other), .. } if *unit == place => {
                Some(*other)
            }
            _ => None,
        });
        for other in others {
            grounds.insert(Ground::Parameter(Rules::combined_mode.name));
            if other != side && self.rules.combined_mode == CombinedMode::Sequential {
                grounds.insert(Ground::Parameter(Rules::combined_order.name));
            }
        }
    }

    fn grounds_of_attack(
        &self,
        field: &Battlefield,
        by: By,
        at: UnitIndex,
        grounds: &mut BTreeSet<Ground>,
    ) {
        grounds.insert(Ground::Parameter(Rules::damage_rule.name));
        let resting = |place: UnitIndex| field.unit(place).order == Order::Rest;
        if resting(at) || matches!(by, By::Unit(place) if resting(place)) {
            grounds.insert(Ground::Rest);
        }
        if self.rules.damage_rule != DamageRule::None {
            grounds.insert(Ground::Unit(self.fighter(at).slot, UnitValue::Defense));
            if self.free_defense(field, by, at) < self.rules.defense_floor.0 {
                grounds.insert(Ground::Parameter(Rules::defense_floor.name));
            }
        }
        let value =
            if self.member(at).cavalry { UnitValue::AttackCavalry } else { UnitValue::Attack };
        let values = [UnitValue::Models, UnitValue::Dice, value];
        grounds.extend(values.map(|value| match by {
            By::Unit(place) => Ground::Unit(self.fighter(place).slot, value),
            By::Force(_) => Ground::Firing(value),
        }));
    }

    /// Collects `assault-each-turn` if a melee continues that a new assault would change.
    fn grounds_of_turn(&self, field: &Battlefield, grounds: &mut BTreeSet<Ground>) {
        let mut rest = self.stages.iter().skip(usize::from(field.stage));
        let on = |(by, side): &(By, Facing), at: UnitIndex| {
            let counts = matches!(by, By::Unit(_)) || *side != Facing::Front;
            counts && field.unit(at).foes.has(*by)
        };
        let assaults = self.stages.iter().any(|stage| match stage {
            Stage::Assault { at, ways, .. } => {
                ways.iter().flatten().any(|attacker| on(attacker, *at))
            }
            _ => false,
        });
        if assaults && rest.any(|stage| *stage == Stage::Melee) {
            grounds.insert(Ground::Parameter(Rules::assault_each_turn.name));
        }
    }
}
