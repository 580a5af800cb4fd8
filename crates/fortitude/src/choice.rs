//! Orders of a turn, the decisions left to a player, and policies.

use super::battle::{Battle, Plan, Playthrough, Stage};
use super::field::{Army, Battlefield, By, Facing, Task, UnitIndex};
use super::level::Level;
use super::order::Order;
use super::way::{WAYS, Way};
use engine::process::{Decisions, Log, Process as _};
use engine::text::counted;

impl Battle {
    /// Returns the orders a unit can have, among those its army chooses from.
    pub(super) fn orders_of(&self, place: UnitIndex) -> impl Iterator<Item = Order> + Clone {
        let fighter = self.fighter(place);
        let orders = self.orders[fighter.army as usize].iter().copied();
        orders.filter(move |&order| fighter.member.can_have(order, &self.rules))
    }

    /// Returns the units with more than one order to choose from in some turn.
    pub(super) fn places_with_open_orders(&self) -> impl Iterator<Item = UnitIndex> {
        let open = |place: UnitIndex| {
            let planned = |stage: &Stage| {
                matches!(stage,
                Stage::Planning(plans) if plans.get(usize::from(place)) == Some(&Plan::Open))
            };
            self.stages.iter().any(planned) && self.orders_of(place).count() > 1
        };
        (0..self.fighters.len() as UnitIndex).filter(move |&place| open(place))
    }

    /// Returns the ways to assault in the current stage; empty outside an assault.
    pub(super) fn ways(&self, field: &Battlefield) -> &[Vec<(By, Facing)>] {
        match usize::from(field.stage).checked_sub(1).and_then(|stage| self.stages.get(stage)) {
            Some(Stage::Assault { ways, .. }) => ways,
            _ => &[],
        }
    }

    /// Returns the choice that is due, or `None` if the next task is no choice.
    fn open(&self, field: &Battlefield) -> Option<Open> {
        match *field.tasks.last()? {
            Task::Order { unit } => Some(Open::Order(unit, self.orders_of(unit).collect())),
            Task::Sides { at } => Some(Open::Sides(
                at,
                self.ways(field).iter().filter_map(|attackers| way(attackers)).collect(),
            )),
            Task::Test { .. } | Task::Attack { .. } | Task::Casualties => None,
        }
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Runs the Planning Phase: each unit able to obey gets its order, or a choice is queued.
    pub(super) fn plan(&mut self, plans: &[Plan]) {
        let ready: Vec<UnitIndex> = self
            .field
            .present()
            .filter(|&place| !self.field.unit(place).level.is_routed())
            .collect();
        for place in ready.into_iter().rev() {
            let choices = self.battle.orders_of(place).take(2).count();
            match plans.get(usize::from(place)) {
                Some(&Plan::Fixed(order)) => self.field.unit_mut(place).order = order,
                Some(Plan::Open) if choices > 1 => {
                    self.field.tasks.push(Task::Order { unit: place })
                }
                _ => {
                    self.field.unit_mut(place).order =
                        self.battle.orders_of(place).next().unwrap_or_default()
                }
            }
        }
    }
}

/// A choice that is due.
enum Open {
    Order(UnitIndex, Vec<Order>),
    Sides(UnitIndex, Vec<&'static Way>),
}

/// Returns the named way with the sides of these attackers, or `None` if no way has them.
fn way(attackers: &[(By, Facing)]) -> Option<&'static Way> {
    let sides: Vec<Facing> = attackers.iter().map(|&(_, side)| side).collect();
    Way::from_sides(&sides)
}

impl Decisions for Battle {
    fn decision(&self, field: &Battlefield) -> String {
        let (head, place) = match self.open(field) {
            Some(Open::Order(place, _)) => ("the order of", place),
            Some(Open::Sides(place, _)) => ("the sides of an assault on", place),
            None => return String::new(),
        };
        let unit = field.unit(place);
        let models = self.models_left(field, place);
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
        let in_words = |order: Order| match order {
            Order::None => "no order".to_string(),
            _ => format!("the order {}", order.name()),
        };
        match self.open(field) {
            Some(Open::Order(_, orders)) => orders.into_iter().map(in_words).collect(),
            Some(Open::Sides(_, ways)) => ways.into_iter().map(Way::in_words).collect(),
            None => Vec::new(),
        }
    }

    fn kinds(&self, field: &Battlefield) -> Vec<&'static str> {
        match self.open(field) {
            Some(Open::Order(_, orders)) => orders.into_iter().map(Order::name).collect(),
            Some(Open::Sides(_, ways)) => ways.into_iter().map(|way| way.name).collect(),
            None => Vec::new(),
        }
    }
}

/// A policy for orders and for the sides of an assault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Takes the first order other than Retreat and Run.
    Stand,
    /// Takes Retreat, otherwise Run, while the unit is Hesitant; otherwise as [`Policy::Stand`].
    FleeWhenHesitant,
    /// Takes the given order wherever it is allowed, otherwise as [`Policy::Stand`].
    Always(Order),
    /// Assaults in the worst way for the unit, as policies of orders do too. Offered only if no
    /// order is left to choose.
    WorstSides,
    /// Assaults in the given way wherever it is offered.
    From(&'static Way),
}

/// All policies except the single ways to assault, with names and descriptions.
const POLICIES: [(Policy, &str, &str); 14] = {
    use Policy::{FleeWhenHesitant, Stand, WorstSides};
    [
        (Stand, "stand", "the first of the orders allowed, but never Retreat or Run"),
        (FleeWhenHesitant, "flee-when-hesitant", "stands until Hesitant, then retreats or runs"),
        always(Order::None, "no order"),
        always(Order::Defend, "Defend wherever it is allowed"),
        always(Order::AllAroundDefense, "All-Around Defense wherever it is allowed"),
        always(Order::FireRangedWeapons, "Fire Ranged Weapons wherever it is allowed"),
        always(Order::FireAndRetreat, "Fire and Retreat wherever it is allowed"),
        always(Order::MoveAndFire, "Move and Fire wherever it is allowed"),
        always(Order::Assault, "Assault wherever it is allowed"),
        always(Order::March, "March wherever it is allowed"),
        always(Order::Rest, "Rest wherever it is allowed"),
        always(Order::Retreat, "Retreat wherever it is allowed"),
        always(Order::Run, "Run wherever it is allowed"),
        (WorstSides, "worst-sides", "assaults the sides with the greatest penalties of the tests"),
    ]
};

const fn always(order: Order, about: &'static str) -> (Policy, &'static str, &'static str) {
    (Policy::Always(order), order.name(), about)
}

impl Battle {
    /// Returns the policies that can make a difference; empty where no choice is open.
    pub(super) fn policies(&self) -> Vec<Policy> {
        let open: Vec<Order> =
            self.places_with_open_orders().flat_map(|place| self.orders_of(place)).collect();
        let ways: Vec<&Way> = self.stages.iter().flat_map(open_ways).collect();
        let helps = |policy: &Policy| match policy {
            Policy::Stand => !open.is_empty(),
            Policy::FleeWhenHesitant => open.iter().any(|order| order.runs_away()),
            Policy::Always(order) => open.contains(order),
            Policy::WorstSides => open.is_empty() && !ways.is_empty(),
            Policy::From(way) => ways.contains(way),
        };
        Policy::every().filter(helps).collect()
    }
}

/// Returns the ways to assault that a stage leaves open; empty if it has only one.
fn open_ways(stage: &Stage) -> impl Iterator<Item = &'static Way> {
    let ways = if let Stage::Assault { ways, .. } = stage { ways.as_slice() } else { &[] };
    ways.iter().filter(|_| ways.len() > 1).filter_map(|attackers| way(attackers))
}

impl Policy {
    pub(super) fn every() -> impl Iterator<Item = Policy> {
        POLICIES.into_iter().map(|(policy, ..)| policy).chain(WAYS.iter().map(Policy::From))
    }

    pub(super) fn described(policies: impl Iterator<Item = Policy>) -> Vec<play::playable::Policy> {
        let in_words = |(place, policy): (usize, Policy)| {
            let (name, about) = policy.in_words();
            play::playable::Policy::new(place, name, about)
        };
        policies.enumerate().map(in_words).collect()
    }

    fn in_words(self) -> (&'static str, &'static str) {
        if let Policy::From(way) = self {
            return (way.name, way.about);
        }
        let declared = POLICIES.into_iter().find(|(policy, ..)| *policy == self);
        declared.map_or(("", ""), |(_, name, about)| (name, about))
    }

    /// Returns the index of the option the policy takes.
    pub(super) fn option(self, battle: &Battle, field: &Battlefield) -> usize {
        match battle.open(field) {
            Some(Open::Order(place, orders)) => self.order(&orders, field.unit(place).level),
            Some(Open::Sides(_, ways)) => self.way(&ways),
            None => 0,
        }
    }

    fn order(self, orders: &[Order], level: Level) -> usize {
        let place = |wanted: Order| orders.iter().position(|&order| order == wanted);
        let hold = orders.iter().position(|order| !order.runs_away()).unwrap_or(0);
        match self {
            Policy::FleeWhenHesitant if level == Level::Hesitant => {
                place(Order::Retreat).or_else(|| place(Order::Run)).unwrap_or(hold)
            }
            Policy::Always(order) => place(order).unwrap_or(hold),
            Policy::Stand | Policy::FleeWhenHesitant | Policy::WorstSides | Policy::From(_) => hold,
        }
    }

    /// Returns the index of the way the policy assaults: the one it names, otherwise the worst.
    fn way(self, ways: &[&'static Way]) -> usize {
        let named = ways.iter().position(|&way| self == Policy::From(way));
        let worst = || WAYS.iter().find_map(|way| ways.iter().position(|&other| other == way));
        named.or_else(worst).unwrap_or(0)
    }
}
