//! Types of field values and their notation: units, orders, sides, slots.

use std::ops::Range;

use super::field::{Army, Facing, Way};
use super::notation;
use super::order::{Order, orders, pieces};
use super::status::Until;
use super::unit::Member;
use engine::text::Fault;
use schema::declared::named;
use schema::field::words_of;
use schema::{FieldValue, Json, RawValue, Takes, Whole};

/// The number of casualties of one attack.
pub type Casualties = Whole<0, 12>;
/// The number of attack dice of one attack.
pub type AttackDice = Whole<1, 72>;
pub type AttackValue = Whole<0, 40>;
/// The number of attacks on one unit in a turn.
pub type Attacks = Whole<1, 12>;
/// The number of hexes to the General Staff, or to an edge.
pub type Hexes = Whole<1, 60>;
pub type Turns = Whole<1, 60>;

/// Declares field types of lists: placeholder, parser, separator and the writer of one item.
macro_rules! lists {
    ($($(#[$about:meta])* $name:ident($of:ty) = $placeholder:literal, $read:expr, $between:literal,
        $write:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        pub struct $name(pub Vec<$of>);

        impl FieldValue for $name {
            const TAKES: Takes = Takes::Text($placeholder);

            fn read(field: &str, value: RawValue) -> Result<$name, Fault> {
                let read: fn(&str, RawValue) -> Result<Vec<$of>, Fault> = $read;
                read(field, value).map($name)
            }

            fn to_json(&self) -> Json {
                let write: fn(&$of) -> String = $write;
                match self.0.is_empty() {
                    true => Json::Null,
                    false => self.0.iter().map(write).collect::<Vec<_>>().join($between).into(),
                }
            }
        }
    )+};
}

lists! {
    /// The units of one side.
    Units(Member) = "UNITS", |field, value| notation::parse(value.text(field)?), " + ",
        Member::to_string;
    /// Orders to choose from.
    Choices(Order) = "ORDERS", orders, ",", |order| order.name().to_string();
    /// The orders of a turn, each with the slot of its unit.
    OrdersBySlot((u8, Order)) = "ORDERS", orders_by_slot, ",",
        |(slot, order)| format!("{slot}:{}", order.name());
    /// The side of each attacker, in order.
    Sides(Facing) = "SIDES", |field, value| sides(field, value.text(field)?), ",",
        |side| side.name().to_string();
    /// Ways to assault, each with the sides of its attackers. The attacker chooses one way.
    Ways(Vec<Facing>) = "SIDES", ways, " or ", |way| way.iter().map(|side| side.name())
        .collect::<Vec<_>>().join(",");
    /// 1-based slots of units.
    Slots(u8) = "SLOTS", slots, ",", u8::to_string;
}

named! {
    /// The cause of a Fortitude Test, as a question states it.
    pub enum Cause {
        Morale = "morale",
        Flank = "flank",
        Rear = "rear",
        Casualties = "casualties",
        StaffLost = "staff-lost",
    }
}

words_of!(Cause, "CAUSE", "unknown cause");
words_of!(Army, "ARMY", "no side is called");
words_of!(Facing, "SIDE", "no side is called");
words_of!(Until, "LEVEL", "`until` has no value", whole = false);

/// Reads orders by slot, such as `1:defend,3:march`.
fn orders_by_slot(field: &str, value: RawValue) -> Result<Vec<(u8, Order)>, Fault> {
    let mut orders: Vec<(u8, Order)> = Vec::new();
    for (piece, span) in pieces(value.text(field)?) {
        let fault = || {
            Fault::new(format!("`{piece}` is not an order by slot"), span.clone())
                .help("for example `1:defend,3:march`")
        };
        let (slot, name) = piece.split_once(':').ok_or_else(fault)?;
        let slot = self::slot(slot).ok_or_else(fault)?;
        let order = Order::read(field, RawValue::Text(name))
            .map_err(|fault| fault.with_span(span.end - name.len()..span.end))?;
        if orders.iter().any(|&(other, _)| other == slot) {
            return Err(Fault::new(format!("slot {slot} gets two orders"), span));
        }
        orders.push((slot, order));
    }
    Ok(orders)
}

fn sides(field: &str, text: &str) -> Result<Vec<Facing>, Fault> {
    let mut sides: Vec<Facing> = Vec::new();
    for (piece, span) in pieces(text) {
        let side = Facing::read(field, RawValue::Text(piece))
            .map_err(|fault| fault.with_span(span.clone()))?;
        sides.push(side);
        // The maximum follows from the six sides of a hex.
        let (most, assault) = match side {
            Facing::Front => (3, "assault"),
            Facing::Flank => (2, "assault"),
            Facing::Rear => (1, "assaults"),
        };
        if sides.iter().filter(|&&other| other == side).count() > most {
            let message = format!("at most {most} {assault} the {}", side.name());
            return Err(Fault::new(message, span));
        }
    }
    Ok(sides)
}

/// Reads lists of sides separated by ` or `.
fn ways(field: &str, value: RawValue) -> Result<Vec<Vec<Facing>>, Fault> {
    let text = value.text(field)?;
    let mut ways: Vec<Vec<Facing>> = Vec::new();
    for list in text.split(" or ") {
        let start = list.as_ptr() as usize - text.as_ptr() as usize;
        let way = sides(field, list).map_err(|fault| {
            let span = start + fault.span.start..start + fault.span.end;
            fault.with_span(span)
        })?;
        let (name, span) = (list.trim(), start..start + list.len());
        if ways.contains(&way) {
            return Err(Fault::new(format!("`{name}` is given twice"), span));
        }
        if list.len() < text.len() && Way::from_sides(way.iter().copied()).is_none() {
            let message = format!("`{name}` has more than two attackers, so it cannot be chosen");
            let help = "for example `front or flank or flank,rear`";
            return Err(Fault::new(message, span).help(help));
        }
        ways.push(way);
    }
    Ok(ways)
}

fn slot(word: &str) -> Option<u8> {
    word.parse().ok().filter(|slot| (1..=16).contains(slot))
}

fn slots(field: &str, value: RawValue) -> Result<Vec<u8>, Fault> {
    let read = |word: &str, span: Range<usize>| {
        let message = || format!("`{field}` must be slots, such as `2` or `\"1,3\"`, not `{word}`");
        slot(word).ok_or_else(|| Fault::new(message(), span))
    };
    match value {
        RawValue::Integer(slot) => Ok(vec![read(&slot.to_string(), 0..0)?]),
        _ => pieces(value.text(field)?).map(|(word, span)| read(word, span)).collect(),
    }
}
