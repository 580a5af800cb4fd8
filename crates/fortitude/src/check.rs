//! Checks that the fields of a question are consistent.

use super::battle::Force;
use super::kinds::{Fields, QuestionKind};
use super::order::Order;
use super::question::Question;
use super::rules::Rules;
use super::unit::Member;
use super::values::{AttackDice, AttackValue, Casualties, Cause};
use schema::{Field, FieldFault};

impl Question {
    /// Checks everything that holds for all kinds of questions.
    pub(super) fn check(&self) -> Result<(), FieldFault> {
        let (units, head, rules) = (self.units(), &self.head, &self.battle.rules);
        let (enemies, enemies_field) = match self.ask {
            QuestionKind::Sequence => (self.enemies(), Fields::enemies),
            _ => (&head.by.0[..], Fields::by),
        };
        check_order(rules, Fields::order, head.order, units)?;
        Fields::order.refuse_if(
            head.order != Order::None && !head.orders.0.is_empty(),
            "use either `order` or `orders`",
        )?;
        check_choice(rules, Fields::orders, &head.orders.0, units)?;
        check_choice(rules, Fields::enemy_orders, &head.enemy_orders.0, enemies)?;
        check_staff((Fields::units, units), (Fields::staff_lost, head.staff_lost))?;
        check_staff((enemies_field, enemies), (Fields::enemy_staff_lost, head.enemy_staff_lost))?;
        let loses = head.cause == Some(Cause::StaffLost);
        Fields::units.refuse_if(
            loses && units.iter().any(|member| member.general_staff),
            "the General Staff is lost and makes no test: remove it from the units",
        )
    }
}

pub(super) fn check_order<'a>(
    rules: &Rules,
    field: Field,
    order: Order,
    units: impl IntoIterator<Item = &'a Member>,
) -> Result<(), FieldFault> {
    let Some(member) = units.into_iter().find(|member| !member.can_have(order, rules)) else {
        return Ok(());
    };
    let is_horse = member.cavalry && !order.is_for_cavalry();
    let whom = if is_horse { "cavalry" } else { "a unit without a Commander" };
    refused(field, format!("the order {} is not allowed for {whom}", order.name()))
}

/// Checks that every unit can have at least one of the orders to choose from.
fn check_choice(
    rules: &Rules,
    field: Field,
    orders: &[Order],
    army: &[Member],
) -> Result<(), FieldFault> {
    let bare = |member: &&Member| orders.iter().all(|&order| !member.can_have(order, rules));
    let Some(member) = army.iter().find(bare).filter(|_| !orders.is_empty()) else {
        return Ok(());
    };
    let whom = match member.cavalry {
        true if orders.iter().all(|order| !order.is_for_cavalry()) => "cavalry",
        true => "cavalry without a Commander",
        false => "a unit without a Commander",
    };
    refused(field, format!("none of these orders is allowed for {whom}"))
}

fn check_staff(units: (Field, &[Member]), lost: (Field, bool)) -> Result<(), FieldFault> {
    let ((field, army), (lost_field, lost)) = (units, lost);
    let staffs = army.iter().filter(|member| member.general_staff).count();
    field.refuse_if(staffs > 1, "an army has only one General Staff")?;
    let message = "the General Staff is among the units, so it cannot be lost";
    lost_field.refuse_if(lost && staffs > 0, message)?;
    lost_field.refuse_if(
        lost && army.iter().any(|member| member.start.staff.is_some()),
        "a unit has a distance to the General Staff, so the General Staff cannot be lost",
    )
}

/// Returns the attacker that is not a unit, or `None`. `by_units` says that units attack.
pub(super) fn force(
    by_units: bool,
    casualties: Option<Casualties>,
    dice: Option<AttackDice>,
    value: Option<AttackValue>,
) -> Result<Option<Force>, FieldFault> {
    let given = [
        (Fields::casualties, casualties.is_some()),
        (Fields::dice, dice.is_some()),
        (Fields::value, value.is_some()),
    ];
    if let Some((field, _)) = given.into_iter().find(|(_, is_set)| by_units && *is_set) {
        let message = "units attack with their own values: use either `by` or";
        return refused(field, format!("{message} `{}`", field.name));
    }
    match (casualties, dice, value) {
        (None, None, None) => Ok(None),
        (Some(casualties), None, None) => Ok(Some(Force::Fixed(casualties.u8()))),
        (None, Some(dice), Some(value)) => {
            Ok(Some(Force::Dice { dice: dice.u8(), value: value.i8() }))
        }
        (None, Some(_), None) => refused(Fields::value, "say which Attack Value the dice have"),
        (None, None, Some(_)) => refused(Fields::dice, "say how many dice attack"),
        (Some(_), _, _) => {
            refused(Fields::casualties, "use either fixed `casualties` or dice, not both")
        }
    }
}

/// Checks that each of `units` attackers has one of `sides` sides.
pub(super) fn check_sides(field: Field, units: usize, sides: usize) -> Result<(), FieldFault> {
    if units == sides {
        return Ok(());
    }
    let units =
        if units == 1 { "1 unit assaults".to_string() } else { format!("{units} units assault") };
    let sides = if sides == 1 { "1 side is".to_string() } else { format!("{sides} sides are") };
    refused(field, format!("{units}, but {sides} named"))
}

pub(super) fn refused<T>(field: Field, message: impl Into<String>) -> Result<T, FieldFault> {
    Err(field.fault(message))
}
