//! Fields and steps of a question that contradict each other.

use super::draft::Draft;
use super::field::{Army, Foes, Place, Side};
use super::order::Order;
use super::question::{Ask, Cause, What};
use super::step::{Attackers, Step, sides_that_do_not_fit};
use super::unit::Member;
use crate::system::form::FieldFault;

impl Draft {
    /// What is asked, its fields checked against each other.
    pub(super) fn what(&self) -> Result<What, FieldFault> {
        let units = self.units.as_ref().map_or(0, Vec::len);
        Ok(match self.ask {
            Ask::Test => self.test()?,
            Ask::Recover => What::Recover { turns: self.turns, just_routed: self.just_routed },
            Ask::Fire => self.fire()?,
            Ask::Assault => self.assault(units)?,
            Ask::Sequence => What::Sequence(self.sequence(units)?),
        })
    }

    fn test(&self) -> Result<What, FieldFault> {
        let words = "morale, flank, rear, casualties or staff-lost";
        let cause = self.cause.ok_or_else(|| FieldFault::new("cause", format!("say why they are tested: {words}")))?;
        if cause == Cause::Morale && self.order != Order::None {
            return Err(FieldFault::new("order", "orders are given after the Morale Phase: leave `order` out"));
        }
        if cause == Cause::StaffLost && self.staff_lost[0] {
            return Err(FieldFault::new("staff-lost", "the General Staff cannot be lost before it is lost"));
        }
        match self.force.casualties {
            Some(_) if cause != Cause::Casualties => {
                Err(FieldFault::new("casualties", "only the cause `casualties` brings casualties"))
            }
            Some(0) => Err(FieldFault::new("casualties", "without a casualty there is no test")),
            casualties => Ok(What::Test { cause, casualties: casualties.unwrap_or(1) }),
        }
    }

    fn fire(&self) -> Result<What, FieldFault> {
        let force = self.force.finish(!self.by.is_empty())?;
        if self.by.iter().any(|member| member.level.is_routed()) {
            return Err(FieldFault::new("by", "a unit that is Shaken or Panicked does not fire"));
        }
        if self.by.is_empty() && self.by_order.is_some() {
            return Err(FieldFault::new("by-order", "nobody fires who could have an order: say who with `by`"));
        }
        if force.is_none() && self.by.is_empty() {
            let help = "`--casualties 1`, or `--dice 6 --value 10`, or `--by samurai-cavalry`";
            return Err(FieldFault::new("dice", "say what is fired").help(help));
        }
        let by_order = self.by_order.unwrap_or(Order::FireRangedWeapons);
        self.check_order("by-order", by_order, &self.by)?;
        if !self.by.is_empty() && !self.rules.orders_that_fire.has(by_order) {
            return Err(FieldFault::new("by-order", format!("the order {} does not let a unit fire", by_order.name())));
        }
        Ok(What::Fire { force, by: self.by.clone(), by_order, attacks: self.attacks, turns: self.turns })
    }

    fn assault(&self, units: usize) -> Result<What, FieldFault> {
        if units != 1 {
            return Err(FieldFault::new("units", format!("one unit is assaulted, not {units}")));
        }
        let ways = self.ways.clone().unwrap_or(vec![vec![Side::Front; self.by.len().max(1)]]);
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        let force = self.force.finish(!self.by.is_empty())?;
        if !self.by.is_empty() && self.by.len() != most {
            return Err(FieldFault::new("sides", sides_that_do_not_fit(self.by.len(), most)));
        }
        if ways.len() > 1 && self.rules.assault_each_turn {
            return Err(FieldFault::new("sides", "with `assault-each-turn` there is one way to assault, the same every turn"));
        }
        self.check_order("by", Order::Assault, &self.by)?;
        if self.by.iter().any(|member| member.level.is_routed()) {
            return Err(FieldFault::new("by", "a unit that is Shaken or Panicked does not assault"));
        }
        if self.by.is_empty() && (!self.orders[1].is_empty() || self.staff_lost[1]) {
            let field = if self.staff_lost[1] { "enemy-staff-lost" } else { "enemy-orders" };
            return Err(FieldFault::new(field, "no unit assaults: say who with `by`"));
        }
        if self.rules.assault_each_turn && !self.orders[1].is_empty() {
            return Err(FieldFault::new("enemy-orders", "with `assault-each-turn` who assaults has that order every turn"));
        }
        Ok(What::Assault { ways, force, turns: self.turns })
    }

    fn sequence(&self, units: usize) -> Result<Vec<Step>, FieldFault> {
        if self.steps.is_empty() {
            return Err(FieldFault::new("1.do", "a sequence without steps").help("[[step]] with `do = \"turn\"`"));
        }
        if self.rules.assault_each_turn {
            let message = "in a sequence every assault is a step of its own: leave `assault-each-turn` out";
            return Err(FieldFault::new("assault-each-turn", message));
        }
        let all = units + self.enemies.len();
        let mut steps = Vec::new();
        for (number, draft) in (1..).zip(&self.steps) {
            let of_step = |fault: FieldFault| FieldFault { field: format!("{number}.{}", fault.field), ..fault };
            let step = draft.finish(units, all).map_err(of_step)?;
            steps.push(step);
            self.check_turn(&steps).map_err(of_step)?;
        }
        let forces = |step: &Step| match step {
            Step::Assault { by: Attackers::Force(_), sides, .. } => sides.len(),
            _ => 0,
        };
        if steps.iter().map(forces).sum::<usize>() > Foes::MOST_FORCES {
            let message = format!("at most {} assaults of a sequence are by dice or fixed casualties", Foes::MOST_FORCES);
            return Err(FieldFault::new("1.do", message));
        }
        Ok(steps)
    }

    /// The last of some steps against those before it in its turn.
    fn check_turn(&self, steps: &[Step]) -> Result<(), FieldFault> {
        let Some((last, before)) = steps.split_last() else { return Ok(()) };
        if let Step::Turn(orders) = last {
            let refused = |&(place, order): &(Place, Order)| self.check_order("orders", order, self.at(place));
            return orders.iter().try_for_each(refused);
        }
        let Some(start) = before.iter().rposition(|step| matches!(step, Step::Turn(_))) else {
            return Err(FieldFault::new("do", "a sequence begins with a step that does `turn`"));
        };
        if let Step::Place { unit, staff: Some(_), .. } = last {
            self.check_place(*unit, before)?;
        }
        let (turn, before) = (&before[start], &before[start + 1..]);
        let assaults =
            || before.iter().filter_map(|step| if let Step::Assault { at, by, .. } = step { Some((at, by)) } else { None });
        let order_of = |place: Place| match turn {
            Step::Turn(orders) => orders.iter().find(|(other, _)| *other == place).map(|&(_, order)| order),
            _ => None,
        };
        match last {
            Step::Fire { .. } if assaults().next().is_some() => {
                Err(FieldFault::new("do", "fire comes before the assaults of its turn"))
            }
            Step::Fire { by: Attackers::Units(units), .. } => {
                let fires = |order: Order| self.rules.orders_that_fire.has(order);
                let idle = |&place: &Place| Some((place, order_of(place).filter(|&order| !fires(order))?));
                units.iter().find_map(idle).map_or(Ok(()), |(place, order)| {
                    let message = format!("slot {} has the order {}: it cannot fire", place + 1, order.name());
                    Err(FieldFault::new("by", message))
                })
            }
            Step::Assault { at, .. } if assaults().any(|(other, _)| other == at) => {
                Err(FieldFault::new("at", format!("slot {} is assaulted already: name all sides in one step", at + 1)))
            }
            Step::Assault { by: Attackers::Units(units), .. } => {
                let busy =
                    |place: &u8| assaults().any(|(_, by)| matches!(by, Attackers::Units(others) if others.contains(place)));
                let twice = |(number, place): (usize, &u8)| units[..number].contains(place) || busy(place);
                if let Some((_, place)) = units.iter().enumerate().find(|&pair| twice(pair)) {
                    return Err(FieldFault::new("by", format!("slot {} assaults already", place + 1)));
                }
                let other = |&place: &Place| Some((place, order_of(place).filter(|&order| order != Order::Assault)?));
                if let Some((place, order)) = units.iter().find_map(other) {
                    let message = format!("slot {} has the order {}: it cannot assault", place + 1, order.name());
                    return Err(FieldFault::new("by", message));
                }
                let fired = |place: &&Place| before.iter().any(|step| step.is_fire_by(**place));
                if let Some(place) = units.iter().find(fired).filter(|_| !self.rules.orders_that_fire.has(Order::Assault)) {
                    return Err(FieldFault::new(
                        "by",
                        format!("slot {} fires this turn: it cannot have the order assault", place + 1),
                    ));
                }
                units.iter().try_for_each(|&place| self.check_order("by", Order::Assault, self.at(place)))
            }
            _ => Ok(()),
        }
    }

    /// A unit that is given a distance to its General Staff, after those steps.
    fn check_place(&self, place: Place, before: &[Step]) -> Result<(), FieldFault> {
        let own = self.units.as_ref().map_or(0, Vec::len);
        let army = if usize::from(place) < own { Army::Owner } else { Army::Enemy };
        if self.at(place).is_some_and(|member| member.general_staff) {
            return Err(FieldFault::new("staff", "the General Staff has no distance to itself: leave `staff` out"));
        }
        if self.staff_lost[army as usize] || before.contains(&Step::StaffLost(army)) {
            return Err(FieldFault::new("staff", "the General Staff is lost: leave `staff` out"));
        }
        Ok(())
    }

    /// What contradicts itself whatever is asked.
    pub(super) fn check(&self, units: &[Member]) -> Result<(), FieldFault> {
        self.check_order("order", self.order, units)?;
        if self.order != Order::None && !self.orders[0].is_empty() {
            return Err(FieldFault::new("order", "either one order or `orders` to choose from"));
        }
        let chosen = [("orders", units), ("enemy-orders", self.enemies())];
        for ((field, army), orders) in chosen.into_iter().zip(&self.orders) {
            let bare = |member: &&Member| orders.iter().all(|&order| !member.can_have(order, &self.rules));
            if let Some(member) = army.iter().find(bare).filter(|_| !orders.is_empty()) {
                let whom = match member.cavalry {
                    true if orders.iter().all(|order| !order.is_for_cavalry()) => "cavalry",
                    true => "cavalry without a Commander",
                    false => "a unit without a Commander",
                };
                return Err(FieldFault::new(field, format!("none of these orders is for {whom}")));
            }
        }
        let armies = [("units", "staff-lost", units), (self.enemy_field(), "enemy-staff-lost", self.enemies())];
        for ((field, lost_field, army), lost) in armies.into_iter().zip(self.staff_lost) {
            let staffs = army.iter().filter(|member| member.general_staff).count();
            if staffs > 1 {
                return Err(FieldFault::new(field, "an army has one General Staff"));
            }
            if lost && staffs > 0 {
                return Err(FieldFault::new(lost_field, "the General Staff is among the units: it is not lost"));
            }
            if lost && army.iter().any(|member| member.staff.is_some()) {
                return Err(FieldFault::new(lost_field, "a unit has a distance to the General Staff: it is not lost"));
            }
        }
        if self.cause == Some(Cause::StaffLost) && units.iter().any(|member| member.general_staff) {
            return Err(FieldFault::new("units", "the General Staff is lost: it makes no test"));
        }
        Ok(())
    }

    /// An order given to some units.
    fn check_order<'a>(&self, field: &str, order: Order, units: impl IntoIterator<Item = &'a Member>) -> Result<(), FieldFault> {
        let Some(member) = units.into_iter().find(|member| !member.can_have(order, &self.rules)) else { return Ok(()) };
        let whom = if member.cavalry && !order.is_for_cavalry() { "cavalry" } else { "a unit without a Commander" };
        Err(FieldFault::new(field, format!("the order {} is not for {whom}", order.name())))
    }

    /// The unit at a place, of a sequence.
    fn at(&self, place: Place) -> Option<&Member> {
        self.units.iter().flatten().chain(&self.enemies).nth(place.into())
    }

    /// The units on the other side, whatever the field is called.
    pub(super) fn enemies(&self) -> &[Member] {
        if self.ask == Ask::Sequence { &self.enemies } else { &self.by }
    }

    const fn enemy_field(&self) -> &'static str {
        match self.ask {
            Ask::Sequence => "enemies",
            _ => "by",
        }
    }
}
