//! Orders of a turn, the decisions left to a player, and policies.

use super::battle::{Battle, Playthrough, Stage};
use super::field::{Army, Battlefield, By, Facing, Task, UnitIndex};
use super::order::Order;
use super::status::Status;
use super::way::{WAYS, Way};
use engine::process::{Decisions, Log, Process as _};
use engine::text::counted;

/// An option of a decision.
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

    /// Returns the rank of the option for policies that do not name one of those offered. The least
    /// is taken: an order other than Retreat and Run, or the worst way for the assaulted unit.
    fn rank(self) -> usize {
        match self {
            Choice::Order(order) => order.runs_away().into(),
            Choice::Sides(way) => WAYS.iter().position(|other| other == way).unwrap_or(0),
        }
    }
}

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
            let planned = |stage: &Stage| matches!(stage, Stage::Planning(orders) if orders[usize::from(place)].is_none());
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

    /// Returns the options of the choice that is due; empty if the next task is no choice.
    fn choices(&self, field: &Battlefield) -> Vec<Choice> {
        match field.tasks.last() {
            Some(&Task::Order { unit }) => self.orders_of(unit).map(Choice::Order).collect(),
            Some(Task::Sides { .. }) => sides(self.ways(field)).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the ways to assault as options.
fn sides(ways: &[Vec<(By, Facing)>]) -> impl Iterator<Item = Choice> {
    ways.iter().filter_map(|attackers| Way::of(attackers)).map(Choice::Sides)
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
                    self.field.tasks.push(Task::Order { unit: place });
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
            Some(&Task::Order { unit }) => ("the order of", unit),
            Some(&Task::Sides { at }) => ("the sides of an assault on", at),
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

/// A policy for orders and for the sides of an assault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    name: &'static str,
    about: &'static str,
    takes: Preference,
}

/// The option a policy takes. Where that is not offered it takes the one of the least rank.
#[derive(Clone, Copy, Debug)]
enum Preference {
    /// An order to stand.
    Stand,
    /// Retreat, otherwise Run, while the unit is Hesitant.
    FleeWhenHesitant,
    /// The given order or way.
    Always(Choice),
    /// The worst way for the unit. Offered only if no order is left to choose.
    Worst,
}

/// All policies except the single ways to assault.
const POLICIES: [Policy; 14] = {
    use Preference::{FleeWhenHesitant, Stand, Worst};
    [
        policy("stand", "the first of the orders allowed, but never Retreat or Run", Stand),
        policy(
            "flee-when-hesitant",
            "stands until Hesitant, then retreats or runs",
            FleeWhenHesitant,
        ),
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
        policy("worst-sides", "assaults the sides with the greatest penalties of the tests", Worst),
    ]
};

const fn policy(name: &'static str, about: &'static str, takes: Preference) -> Policy {
    Policy { name, about, takes }
}

const fn always(order: Order, about: &'static str) -> Policy {
    policy(order.name(), about, Preference::Always(Choice::Order(order)))
}

impl Policy {
    /// Returns all policies.
    pub(super) fn every() -> impl Iterator<Item = Policy> {
        let from =
            |way: &'static Way| policy(way.name, way.about, Preference::Always(Choice::Sides(way)));
        POLICIES.into_iter().chain(WAYS.iter().map(from))
    }

    /// Returns the policies for a list of policies, numbered from 0.
    pub(super) fn numbered(policies: impl Iterator<Item = Policy>) -> Vec<play::playable::Policy> {
        let numbered = |(place, policy): (usize, Policy)| {
            play::playable::Policy::new(place, policy.name, policy.about)
        };
        policies.enumerate().map(numbered).collect()
    }
}

impl Battle {
    /// Returns the policies that can make a difference; empty where no choice is open.
    pub(super) fn policies(&self) -> Vec<Policy> {
        let orders: Vec<Choice> = self
            .places_with_open_orders()
            .flat_map(|place| self.orders_of(place).map(Choice::Order))
            .collect();
        let open_ways = |stage| match stage {
            &Stage::Assault { ref ways, .. } if ways.len() > 1 => sides(ways),
            _ => sides(&[]),
        };
        let ways: Vec<Choice> = self.stages.iter().flat_map(open_ways).collect();
        let runs_away =
            |choice: &Choice| matches!(choice, Choice::Order(order) if order.runs_away());
        let helps = |policy: &Policy| match policy.takes {
            Preference::Stand => !orders.is_empty(),
            Preference::FleeWhenHesitant => orders.iter().any(runs_away),
            Preference::Always(choice) => orders.contains(&choice) || ways.contains(&choice),
            Preference::Worst => orders.is_empty() && !ways.is_empty(),
        };
        Policy::every().filter(helps).collect()
    }

    /// Returns the index of the option a policy takes.
    pub(super) fn option_of(&self, policy: Option<&Policy>, field: &Battlefield) -> usize {
        let choices = self.choices(field);
        let place = |wanted: Choice| choices.iter().position(|&choice| choice == wanted);
        let hesitant = || match field.tasks.last() {
            Some(&Task::Order { unit }) => field.unit(unit).level == Status::Hesitant,
            _ => false,
        };
        let taken = match policy.map(|policy| policy.takes) {
            Some(Preference::Always(choice)) => place(choice),
            Some(Preference::FleeWhenHesitant) if hesitant() => {
                let orders = [Order::Retreat, Order::Run].map(Choice::Order);
                orders.into_iter().find_map(place)
            }
            _ => None,
        };
        let usual = || (0..choices.len()).min_by_key(|&option| choices[option].rank());
        taken.or_else(usual).unwrap_or(0)
    }
}
