//! Orders of a turn, the decisions left to a player, and policies.

use super::battle::{Battle, Playthrough, Stage};
use super::field::{Army, Battlefield, By, Facing, Task, UnitIndex, WAYS, Way};
use super::order::Order;
use super::status::Status;
use engine::process::{Decisions, Log, Process as _};
use engine::text::counted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Order(Order),
    Sides(&'static Way),
}

impl Choice {
    const fn name(self) -> &'static str {
        match self {
            Choice::Order(order) => order.name(),
            Choice::Sides(way) => way.name,
        }
    }

    fn in_words(self) -> String {
        match self {
            Choice::Order(Order::None) => "no order".to_string(),
            Choice::Order(order) => format!("the order {}", order.name()),
            Choice::Sides(way) => {
                way.sides.iter().map(|side| side.name()).collect::<Vec<_>>().join(" and ")
            }
        }
    }

    /// Returns the rank of the option for policies that name none offered. The least is taken.
    fn rank(self) -> usize {
        match self {
            Choice::Order(order) => order.runs_away().into(),
            Choice::Sides(way) => WAYS.iter().position(|other| other == way).unwrap_or(0),
        }
    }
}

impl Battle {
    pub(super) fn orders_of(&self, place: UnitIndex) -> impl Iterator<Item = Order> + Clone {
        let fighter = self.fighter(place);
        let orders = self.orders[fighter.army as usize].iter().copied();
        orders.filter(move |&order| fighter.member.can_have(order, &self.rules))
    }

    pub(super) fn plans(&self) -> impl Iterator<Item = &[Option<Order>]> {
        self.stages.iter().filter_map(|stage| match stage {
            Stage::Planning(orders) => Some(&orders[..]),
            _ => None,
        })
    }

    /// Returns the units with more than one order to choose from in some turn.
    pub(super) fn places_with_open_orders(&self) -> impl Iterator<Item = UnitIndex> {
        let open = |place: UnitIndex| {
            let is_open = |orders: &[Option<Order>]| orders[usize::from(place)].is_none();
            self.plans().any(is_open) && self.orders_of(place).count() > 1
        };
        (0..self.fighters.len() as UnitIndex).filter(move |&place| open(place))
    }

    pub(super) fn ways(&self, field: &Battlefield) -> &[Vec<(By, Facing)>] {
        match usize::from(field.stage).checked_sub(1).and_then(|stage| self.stages.get(stage)) {
            Some(Stage::Assault { ways, .. }) => ways,
            _ => &[],
        }
    }

    fn choices(&self, field: &Battlefield) -> Vec<Choice> {
        match field.tasks.last() {
            Some(&Task::Order(unit)) => self.orders_of(unit).map(Choice::Order).collect(),
            Some(Task::Sides(_)) => sides(self.ways(field)).collect(),
            _ => Vec::new(),
        }
    }
}

fn sides(ways: &[Vec<(By, Facing)>]) -> impl Iterator<Item = Choice> {
    let way = |way: &Vec<(By, Facing)>| Way::from_sides(way.iter().map(|&(_, side)| side));
    ways.iter().filter_map(way).map(Choice::Sides)
}

impl<L: Log> Playthrough<'_, L> {
    /// Runs the Planning Phase: each unit able to obey gets its order, or a choice is queued.
    pub(super) fn plan(&mut self, given: &[Option<Order>]) {
        for place in self.field.places().rev() {
            let unit = self.field.unit(place);
            if !unit.present || unit.level.is_routed() {
                continue;
            }
            let mut orders = self.battle.orders_of(place);
            let order = match (given[usize::from(place)], orders.next(), orders.next()) {
                (Some(order), ..) => order,
                (None, Some(_), Some(_)) => {
                    self.field.tasks.push(Task::Order(place));
                    continue;
                }
                (None, only, _) => only.unwrap_or_default(),
            };
            self.field.unit_mut(place).order = order;
        }
    }
}

impl Decisions for Battle {
    fn decision(&self, field: &Battlefield) -> String {
        let (head, place) = match field.tasks.last() {
            Some(&Task::Order(unit)) => ("the order of", unit),
            Some(&Task::Sides(at)) => ("the sides of an assault on", at),
            _ => return String::new(),
        };
        let unit = field.unit(place);
        let models = self.view(field).models_left(place);
        let melee = if unit.foes.is_empty() { "" } else { ", in melee" };
        let side = if self.fighter(place).army == Army::Enemy { "enemy " } else { "" };
        let turn = self.epoch(field) + 1;
        format!(
            "turn {turn}: {head} {side}{}, {}, {}{melee}",
            self.name(place),
            unit.level,
            counted(models, "model")
        )
    }

    fn options(&self, field: &Battlefield) -> Vec<String> {
        self.choices(field).into_iter().map(Choice::in_words).collect()
    }

    fn kinds(&self, field: &Battlefield) -> Vec<&'static str> {
        self.choices(field).into_iter().map(Choice::name).collect()
    }
}

/// A policy: its name, that of the option it takes wherever it is offered, and its words.
pub(super) type Policy = (&'static str, &'static str);

pub(super) const STAND: &str = "stand";
/// Takes Retreat, otherwise Run, while the unit is Hesitant.
const FLEE: &str = "flee-when-hesitant";
/// Offered only if no order is left to choose, since policies of orders choose these sides too.
const WORST: &str = "worst-sides";

/// All policies except the single ways to assault.
const POLICIES: [Policy; 14] = [
    (STAND, "the first of the orders allowed, but never Retreat or Run"),
    (FLEE, "stands until Hesitant, then retreats or runs"),
    (Order::None.name(), "no order"),
    (Order::Defend.name(), "Defend wherever it is allowed"),
    (Order::AllAroundDefense.name(), "All-Around Defense wherever it is allowed"),
    (Order::FireRangedWeapons.name(), "Fire Ranged Weapons wherever it is allowed"),
    (Order::FireAndRetreat.name(), "Fire and Retreat wherever it is allowed"),
    (Order::MoveAndFire.name(), "Move and Fire wherever it is allowed"),
    (Order::Assault.name(), "Assault wherever it is allowed"),
    (Order::March.name(), "March wherever it is allowed"),
    (Order::Rest.name(), "Rest wherever it is allowed"),
    (Order::Retreat.name(), "Retreat wherever it is allowed"),
    (Order::Run.name(), "Run wherever it is allowed"),
    (WORST, "assaults the sides with the greatest penalties of the tests"),
];

pub(super) fn policies() -> impl Iterator<Item = Policy> {
    POLICIES.into_iter().chain(WAYS.iter().map(|way| (way.name, way.about)))
}

pub(super) fn numbered(policies: impl Iterator<Item = Policy>) -> Vec<play::Policy> {
    let numbered = |(place, (name, about))| play::Policy::new(place, name, about);
    policies.enumerate().map(numbered).collect()
}

impl Battle {
    /// Returns the policies that can make a difference; empty where no choice is open.
    pub(super) fn policies(&self) -> Vec<Policy> {
        let open = self.places_with_open_orders();
        let orders: Vec<Order> = open.flat_map(|place| self.orders_of(place)).collect();
        let ways = self.stages.iter().filter_map(|stage| match stage {
            Stage::Assault { ways, .. } if ways.len() > 1 => Some(sides(ways)),
            _ => None,
        });
        let ways: Vec<Choice> = ways.flatten().collect();
        let helps = |(policy, _): &Policy| match *policy {
            STAND => !orders.is_empty(),
            FLEE => orders.iter().any(|order| order.runs_away()),
            WORST => orders.is_empty() && !ways.is_empty(),
            name => {
                orders.iter().any(|order| order.name() == name)
                    || ways.iter().any(|way| way.name() == name)
            }
        };
        policies().filter(helps).collect()
    }

    pub(super) fn option_of(&self, policy: &str, field: &Battlefield) -> usize {
        let choices = self.choices(field);
        let place = |name: &str| choices.iter().position(|choice| choice.name() == name);
        let flees = || match field.tasks.last() {
            Some(&Task::Order(unit)) => field.unit(unit).level == Status::Hesitant,
            _ => false,
        };
        let named = match policy {
            FLEE if flees() => place(Order::Retreat.name()).or_else(|| place(Order::Run.name())),
            name => place(name),
        };
        let usual = || (0..choices.len()).min_by_key(|&option| choices[option].rank());
        named.or_else(usual).unwrap_or(0)
    }
}
