//! Orders: those a turn gives, and those that are left to a player.

use super::battle::{Battle, Plan, Stage};
use super::field::{Army, Field, Place, Task};
use super::level::Level;
use super::order::Order;
use super::telling::counted;
use crate::process::{Decisions, Process as _};

impl Battle {
    /// The orders a unit can be given, of those its army chooses from.
    pub(super) fn orders_of(&self, place: Place) -> impl Iterator<Item = Order> + Clone {
        let fighter = self.fighter(place);
        let orders = self.orders[fighter.army as usize].iter().copied();
        orders.filter(|order| order.is_for_cavalry() || !fighter.member.cavalry)
    }

    /// Planning Phase: every unit gets its order, or is to be given one; a unit that is Shaken or worse gets none.
    pub(super) fn plan(&self, field: &mut Field, plans: &[Plan]) {
        let ready: Vec<Place> = field.present().filter(|&place| !field.unit(place).level.is_routed()).collect();
        for place in ready.into_iter().rev() {
            let choices = self.orders_of(place).take(2).count();
            match plans.get(usize::from(place)) {
                Some(&Plan::Fixed(order)) => field.unit_mut(place).order = order,
                Some(Plan::Open) if choices > 1 => field.tasks.push(Task::Order { unit: place }),
                _ => field.unit_mut(place).order = self.orders_of(place).next().unwrap_or_default(),
            }
        }
    }

    /// The unit that waits for its order.
    fn waiting(&self, field: &Field) -> Option<Place> {
        match field.tasks.last() {
            Some(&Task::Order { unit }) => Some(unit),
            _ => None,
        }
    }

    /// The orders the unit that waits can be given; nothing where none waits.
    pub fn orders_at(&self, field: &Field) -> Vec<Order> {
        self.waiting(field).into_iter().flat_map(|place| self.orders_of(place)).collect()
    }

    /// The level of the unit that waits for its order.
    pub fn level_at(&self, field: &Field) -> Option<Level> {
        self.waiting(field).map(|place| field.unit(place).level)
    }
}

impl Decisions for Battle {
    fn decision(&self, field: &Field) -> String {
        let Some(place) = self.waiting(field) else { return String::new() };
        let unit = field.unit(place);
        let models = self.models_left(field, place);
        let melee = if unit.foes.is_empty() { "" } else { ", in melee" };
        let whose = if self.fighter(place).army == Army::Enemy { "enemy " } else { "" };
        let turn = self.epoch(field) + 1;
        format!(
            "turn {turn}: the order of {whose}{}, {}, {}{melee}",
            self.name(place),
            unit.level,
            counted(models, "model", "models")
        )
    }

    fn options(&self, field: &Field) -> Vec<String> {
        let in_words = |order: Order| match order {
            Order::None => "no order".to_string(),
            _ => format!("the order {}", order.name()),
        };
        self.orders_at(field).into_iter().map(in_words).collect()
    }

    fn kinds(&self, field: &Field) -> Vec<&'static str> {
        self.orders_at(field).into_iter().map(Order::name).collect()
    }
}

/// How an order is chosen where the question leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// The first order but Retreat and Run.
    Stand,
    /// Retreat once Hesitant, or Run; before that as above.
    FleeWhenHesitant,
    /// That order wherever it can be given, else as the first policy.
    Always(Order),
}

/// Every policy: name, what it does.
const POLICIES: [(&str, &str); 12] = [
    ("stand", "the first of the orders allowed, but never Retreat or Run"),
    ("flee-when-hesitant", "retreats once Hesitant, or runs, and stands before that"),
    ("none", "no order"),
    ("defend", "Defend wherever it is allowed"),
    ("all-around-defense", "All-Around Defense wherever it is allowed"),
    ("fire-ranged-weapons", "Fire Ranged Weapons wherever it is allowed"),
    ("fire-and-retreat", "Fire and Retreat wherever it is allowed"),
    ("move-and-fire", "Move and Fire wherever it is allowed"),
    ("assault", "Assault wherever it is allowed"),
    ("march", "March wherever it is allowed"),
    ("retreat", "Retreat wherever it is allowed"),
    ("run", "Run wherever it is allowed"),
];

impl Battle {
    /// Policies that can make a difference: none where no order is open.
    pub(super) fn policies(&self) -> Vec<Policy> {
        let plans = self.stages.iter().flat_map(|stage| match stage {
            Stage::Planning(plans) => plans.as_slice(),
            _ => &[],
        });
        let places = (0..self.fighters.len() as Place).cycle();
        let open = places.zip(plans).filter(|(_, plan)| **plan == Plan::Open).map(|(place, _)| self.orders_of(place));
        let open: Vec<Order> = open.filter(|orders| orders.clone().count() > 1).flatten().collect();
        let helps = |policy: &Policy| match policy {
            Policy::Stand => !open.is_empty(),
            Policy::FleeWhenHesitant => open.iter().any(|order| order.runs_away()),
            Policy::Always(order) => open.contains(order),
        };
        let every = [Policy::Stand, Policy::FleeWhenHesitant].into_iter().chain(Order::ALL.map(Policy::Always));
        every.filter(helps).collect()
    }
}

impl Policy {
    /// Its name, and what it does.
    pub(super) fn in_words(self) -> (&'static str, &'static str) {
        let name = match self {
            Policy::Stand => "stand",
            Policy::FleeWhenHesitant => "flee-when-hesitant",
            Policy::Always(order) => order.name(),
        };
        POLICIES.into_iter().find(|(known, _)| *known == name).unwrap_or((name, ""))
    }

    /// The option it takes of these orders, for a unit at that level.
    pub(super) fn option(self, orders: &[Order], level: Level) -> usize {
        let place = |wanted: Order| orders.iter().position(|&order| order == wanted);
        let stands = orders.iter().position(|order| !order.runs_away()).unwrap_or(0);
        match self {
            Policy::FleeWhenHesitant if level == Level::Hesitant => {
                place(Order::Retreat).or_else(|| place(Order::Run)).unwrap_or(stands)
            }
            Policy::Always(order) => place(order).unwrap_or(stands),
            Policy::Stand | Policy::FleeWhenHesitant => stands,
        }
    }
}
