//! The assumptions behind an answer, found by a search through the states of the question.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::battle::{Battle, Fighter, Stage, View};
use super::field::{Attack, Battlefield, By, Facing, Task, Test, TestCause, UnitIndex};
use super::kinds::QuestionKind;
use super::order::Order;
use super::question::Question;
use super::rules::{CombinedMode, DamageRule, Rules};
use super::status::Status;
use super::unit::{Member, UnitValue};
use engine::process::{Due, Process as _, Question as _, Silent};
use schema::{Parameter, Rules as _};

/// The maximum number of states searched. Assumptions that matter show up in far fewer.
const MOST_STATES: usize = 1 << 15;

/// An assumption an answer may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    Parameter(&'static str),
    /// An assumed value of the unit in a 1-based slot.
    Unit(u8, UnitValue),
    Rest,
    /// A value of the firing units that are not part of the battle.
    Firing(UnitValue),
}

impl Question {
    /// Returns the assumed parameters and values that can matter to the answer, each once.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut grounds = BTreeSet::new();
        for battle in self.parts().all() {
            let mut search = Search { battle: &battle, grounds };
            search.run();
            grounds = search.grounds;
        }
        if self.ask != QuestionKind::Assault {
            // In a sequence every assault is a separate step, so this parameter has no effect.
            grounds.remove(&Ground::Parameter(Rules::assault_each_turn.name));
        }
        let mut lines: Vec<String> = Vec::new();
        for ground in grounds {
            let texts = match ground {
                Ground::Rest => vec!["order rest adds 0".to_string()],
                Ground::Parameter(name) => {
                    vec![format!("{name} = {}", self.battle.rules.written(name))]
                }
                Ground::Unit(slot, value) => {
                    assumed_values(self.fighter(slot).map(|fighter| &fighter.member), value)
                }
                Ground::Firing(value) => assumed_values(&self.head.by.0, value),
            };
            for text in texts {
                if !lines.contains(&text) {
                    lines.push(text);
                }
            }
        }
        lines
    }
}

fn assumed_values<'a>(
    members: impl IntoIterator<Item = &'a Member>,
    value: UnitValue,
) -> Vec<String> {
    let in_words = |member: &Member| {
        format!("{}: {} = {}", member.sort.name, value.name(), member.value(value))
    };
    members.into_iter().filter(|member| member.is_assumed(value)).map(in_words).collect()
}

struct Search<'a> {
    battle: &'a Battle,
    grounds: BTreeSet<Ground>,
}

impl Search<'_> {
    fn add(&mut self, matters: bool, parameter: Parameter) {
        if matters {
            self.grounds.insert(Ground::Parameter(parameter.name));
        }
    }

    fn add_value(&mut self, place: UnitIndex, value: UnitValue) {
        self.grounds.insert(Ground::Unit(self.battle.fighter(place).slot, value));
    }

    /// Collects the assumptions that matter in any of the first [`MOST_STATES`] states.
    fn run(&mut self) {
        let battle = self.battle;
        let retreat = battle.orders.iter().any(|orders| orders.contains(&Order::Retreat))
            || battle.plans().any(|orders| orders.contains(&Some(Order::Retreat)));
        self.add(retreat && battle.stages.contains(&Stage::Melee), Rules::retreat_leaves);
        // Assumptions behind orders that a player chooses matter, not behind orders given.
        for place in battle.places_with_open_orders() {
            let Fighter { member, army, .. } = battle.fighter(place);
            let unsure = |order: &Order| !Order::SURE_WITHOUT_COMMANDER.contains(order);
            self.add(
                !member.has_commander() && battle.orders[*army as usize].iter().any(unsure),
                Rules::orders_without_commander,
            );
            let fires =
                |stage: &Stage| matches!(stage, Stage::Fire { by, .. } if *by == By::Unit(place));
            let unsure = battle.orders_of(place).any(|order| !Order::SURE_TO_FIRE.contains(&order));
            self.add(unsure && battle.stages.iter().any(fires), Rules::orders_that_fire);
        }
        let start = battle.start(&mut Silent);
        let mut seen = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([start]);
        while let Some(field) = open.pop_front().filter(|_| seen.len() < MOST_STATES) {
            self.search_state(battle.view(&field));
            for next in battle.after(&field) {
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
    }

    fn search_state(&mut self, view: View) {
        for place in view.field.places() {
            self.search_unit(view, place);
        }
        match (view.field.tasks.last(), self.battle.due(view.field)) {
            (Some(&Task::Test(test)), Due::Roll(_, terms)) => {
                self.add(!(1..20).contains(&terms.at_most), Rules::natural_rolls);
                self.search_test(view, test);
            }
            (Some(&Task::Attack(attack)), _) => self.search_attack(view, attack),
            (None, Due::Report(_)) => self.search_turn(view.field),
            _ => {}
        }
    }

    /// Collects a unit's number of models, once any are lost, and the effect of the board's edge.
    fn search_unit(&mut self, view: View, place: UnitIndex) {
        let (unit, status) = (view.unit(place), view.unit(place).report().status);
        let hurt = unit.present && unit.casualties > view.member(place).start.casualties;
        if hurt || status == Status::Destroyed {
            self.add_value(place, UnitValue::Models);
        }
        let stopped = !self.battle.rules.panic_exit_destroys
            && unit.level == Status::Panicked
            && unit.edge == Some(1);
        self.add(stopped || status == Status::LeftBoard, Rules::panic_exit_destroys);
    }

    fn search_test(&mut self, view: View, test: Test) {
        let (rules, unit) = (&self.battle.rules, view.unit(test.unit));
        let (panicked, engaged) = (unit.level == Status::Panicked, !unit.foes.is_empty());
        self.add_value(test.unit, UnitValue::Base);
        match test.cause {
            TestCause::MoralePhase => return,
            TestCause::StaffLost => {
                self.add(rules.staff_lost_penalty.0 != 0, Rules::staff_loss_test_stacks);
                self.add(panicked && engaged, Rules::panicked_melee_fail);
                self.add(panicked && !engaged, Rules::panicked_nonmelee_fail);
            }
            TestCause::Casualties { .. } => self.add(panicked, Rules::panicked_nonmelee_fail),
            TestCause::Assault(side) => {
                // Further tests of a combined assault follow.
                let sequential = rules.combined_mode == CombinedMode::Sequential;
                for task in view.field.tasks.iter().rev().skip(1) {
                    if let Task::Test(Test { unit, cause: TestCause::Assault(other), .. }) = task
                        && *unit == test.unit
                    {
                        self.add(true, Rules::combined_mode);
                        self.add(*other != side && sequential, Rules::combined_order);
                    }
                }
            }
        }
        if unit.order == Order::Rest {
            self.grounds.insert(Ground::Rest);
        }
    }

    fn search_attack(&mut self, view: View, Attack { by, at, .. }: Attack) {
        let battle = self.battle;
        self.add(true, Rules::damage_rule);
        let rests = |place: UnitIndex| view.unit(place).order == Order::Rest;
        if rests(at) || by.unit().is_some_and(rests) {
            self.grounds.insert(Ground::Rest);
        }
        if battle.rules.damage_rule != DamageRule::None {
            self.add_value(at, UnitValue::Defense);
            let defense = view.free_defense(by, at);
            self.add(defense < battle.rules.defense_floor.0, Rules::defense_floor);
        }
        let cavalry = view.member(at).cavalry;
        let value = if cavalry { UnitValue::AttackCavalry } else { UnitValue::Attack };
        for value in [UnitValue::Models, UnitValue::Dice, value] {
            let slot = by.unit().map(|place| battle.fighter(place).slot);
            let ground = slot.map_or(Ground::Firing(value), |slot| Ground::Unit(slot, value));
            self.grounds.insert(ground);
        }
    }

    /// Collects `assault-each-turn` if a melee continues that a new assault would change.
    fn search_turn(&mut self, field: &Battlefield) {
        let counts = |&(by, side): &(By, Facing), at: UnitIndex| {
            (by.unit().is_some() || side != Facing::Front) && field.unit(at).foes.has(by)
        };
        let goes_on = |stage: &Stage| match stage {
            Stage::Assault { at, ways, .. } => ways.iter().flatten().any(|by| counts(by, *at)),
            _ => false,
        };
        let stages = &self.battle.stages;
        let melee = stages[field.stage.into()..].contains(&Stage::Melee);
        self.add(melee && stages.iter().any(goes_on), Rules::assault_each_turn);
    }
}

impl Battle {
    fn after(&self, field: &Battlefield) -> Vec<Battlefield> {
        let next = |step: &dyn Fn(&mut Battlefield)| {
            let mut next = field.clone();
            step(&mut next);
            next
        };
        match self.due(field) {
            Due::Over => Vec::new(),
            Due::Choice { options, .. } => self.followers(field, options),
            Due::Report(_) => vec![next(&|next| self.pass(next, &mut Silent))],
            Due::Roll(dice, terms) => {
                let comes = |success| dice.all().any(|face| self.read(&terms, face) == success);
                let after = |success| next(&|next| self.apply(next, success, &mut Silent));
                [true, false].into_iter().filter(|success| comes(*success)).map(after).collect()
            }
        }
    }
}
