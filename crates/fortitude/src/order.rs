//! Orders, their effects on morale and fighting, and their notation.

use std::ops::Range;

use engine::text::{Fault, canonical};
use schema::declared::named;
use schema::field::words_of;
use schema::{FieldValue, ParameterValue, RawValue};

named! {
    /// An order for one turn.
    #[derive(Default)]
    pub enum Order {
        /// No order, or an order without effect.
        #[default]
        None = "none",
        Defend = "defend",
        AllAroundDefense = "all-around-defense",
        FireRangedWeapons = "fire-ranged-weapons",
        FireAndRetreat = "fire-and-retreat",
        MoveAndFire = "move-and-fire",
        Assault = "assault",
        March = "march",
        /// Rest. The sources do not state its effect, so it is taken to have none.
        Rest = "rest",
        /// Retreat. It leaves a melee, which no other order does.
        Retreat = "retreat",
        Run = "run",
    }
}

/// The modifiers of a unit by its order or its assault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub attack: i8,
    pub defense: i8,
    pub fortitude: i8,
}

impl Order {
    /// Returns the modifiers of the order in melee and in Fortitude Tests.
    pub const fn modifiers(self) -> Modifiers {
        let (attack, defense, fortitude) = match self {
            Order::None | Order::FireRangedWeapons | Order::March | Order::Rest => (0, 0, 0),
            Order::Defend => (0, 1, 1),
            Order::AllAroundDefense => (-2, 1, -1),
            Order::FireAndRetreat => (-2, -1, -1),
            Order::MoveAndFire => (-1, 0, 0),
            Order::Assault => (2, 0, 0),
            Order::Retreat | Order::Run => (-1, -1, -1),
        };
        Modifiers { attack, defense, fortitude }
    }

    /// Returns the modifier to the Attack Value of ranged fire.
    pub const fn firepower(self) -> i8 {
        if let Order::MoveAndFire = self { -2 } else { self.modifiers().attack }
    }

    /// The orders with which the sources show a unit without a Commander.
    pub const SURE_WITHOUT_COMMANDER: [Order; 5] =
        [Order::None, Order::Defend, Order::AllAroundDefense, Order::Rest, Order::March];
    /// The orders whose name alone shows that their unit may fire.
    pub const SURE_TO_FIRE: [Order; 4] =
        [Order::None, Order::FireRangedWeapons, Order::FireAndRetreat, Order::MoveAndFire];

    /// Returns whether the order is Retreat or Run.
    pub const fn runs_away(self) -> bool {
        matches!(self, Order::Retreat | Order::Run)
    }

    /// Returns whether cavalry can have the order. Defend and All-Around Defense need infantry.
    pub const fn is_for_cavalry(self) -> bool {
        !matches!(self, Order::Defend | Order::AllAroundDefense)
    }
}

words_of!(Order, "ORDER", "no order is called", whole = false);

/// Splits a list at commas into trimmed items with their byte ranges.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    text.split(',').map(|piece| {
        let word = piece.trim();
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (word, start..start + word.len())
    })
}

/// Reads orders separated by commas. A repeated order is an error.
pub(super) fn orders(field: &str, value: RawValue) -> Result<Vec<Order>, Fault> {
    let mut orders: Vec<Order> = Vec::new();
    for (piece, span) in pieces(value.text(field)?) {
        let order = Order::read(field, RawValue::Text(piece))
            .map_err(|fault| fault.with_span(span.clone()))?;
        if orders.contains(&order) {
            return Err(Fault::new(format!("`{piece}` is given twice"), span));
        }
        orders.push(order);
    }
    Ok(orders)
}

/// A set of orders. [`Order::None`] always belongs to it, and is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders(Vec<Order>);

impl Orders {
    pub fn has(&self, order: Order) -> bool {
        order == Order::None || self.0.contains(&order)
    }
}

/// The notation is `all`, `none`, or names separated by commas.
impl ParameterValue for Orders {
    const VALUES: &'static str = "orders separated by commas, none, or all";

    fn read(name: &str, value: RawValue) -> Result<Orders, Fault> {
        let listed = match canonical(value.text(name)?).as_str() {
            "all" => Order::ALL.to_vec(),
            _ => orders(name, value)?,
        };
        let others = Order::ALL.into_iter().skip(1);
        Ok(Orders(others.filter(|order| listed.contains(order)).collect()))
    }

    fn written(&self) -> String {
        match self.0.len() {
            0 => Order::None.name().to_string(),
            some if some + 1 == Order::ALL.len() => "all".to_string(),
            _ => self.0.iter().map(|order| order.name()).collect::<Vec<_>>().join(","),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`Order::None`] is always in the set, so a list is written without it.
    #[test]
    fn written_order_lists_parse_to_themselves() {
        for (text, written) in [
            ("all", "all"),
            ("none", "none"),
            ("Rest,none,defend", "defend,rest"),
            ("march", "march"),
        ] {
            let orders = Orders::read("orders-that-fire", RawValue::Text(text)).unwrap();
            assert_eq!(orders.written(), written);
            let read = Orders::read("orders-that-fire", RawValue::Text(written));
            assert_eq!(read.as_ref(), Ok(&orders));
            assert!(orders.has(Order::None) && orders.has(Order::Run) == (text == "all"));
        }
    }
}
