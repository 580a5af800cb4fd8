//! Pieces of a question being filled in: lists, forces, and steps of a sequence.

use std::ops::Range;

use super::battle::Force;
use super::field::{Army, Place, Side};
use super::kinds::STEP_FIELDS;
use super::notation::edges;
use super::order::Order;
use super::telling::counted;
use super::unit::{Distance, Edges};
use super::way::Way;
use crate::system::form::{FieldFault, Value};
use crate::text::{Fault, canonical};

/// Most attacks of a turn on one unit.
pub(super) const MAX_ATTACKS: i64 = 12;

/// The pieces of a list, parted by commas, each with its place.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    text.split(',').map(|piece| {
        let word = piece.trim();
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (word, start..start + word.len())
    })
}

/// Orders parted by commas.
pub(super) fn orders(field: &str, value: Value) -> Result<Vec<Order>, Fault> {
    let text = value.text(field)?;
    let mut orders: Vec<Order> = Vec::new();
    for (word, span) in pieces(text) {
        let order = Order::named(word).map_err(|fault| Fault { span: span.clone(), ..fault })?;
        if orders.contains(&order) {
            return Err(Fault::new(format!("`{word}` is said twice"), span));
        }
        orders.push(order);
    }
    Ok(orders)
}

/// Most attackers of each side, by the sides of a hex.
const SIDES: [(Side, usize); 3] = [(Side::Front, 3), (Side::Flank, 2), (Side::Rear, 1)];

/// Sides parted by commas.
pub(super) fn sides(value: Value) -> Result<Vec<Side>, Fault> {
    sides_of(value.text("sides")?)
}

/// Lists of sides with ` or ` between them: ways to assault that the attacker chooses from.
pub(super) fn ways(value: Value) -> Result<Vec<Vec<Side>>, Fault> {
    let text = value.text("sides")?;
    let mut ways: Vec<Vec<Side>> = Vec::new();
    for list in text.split(" or ") {
        let start = list.as_ptr() as usize - text.as_ptr() as usize;
        let way = sides_of(list).map_err(|fault| Fault { span: start + fault.span.start..start + fault.span.end, ..fault })?;
        let span = start..start + list.len();
        if ways.contains(&way) {
            return Err(Fault::new(format!("`{}` is said twice", list.trim()), span));
        }
        if list.len() < text.len() && Way::of(&way).is_none() {
            let fault = Fault::new(format!("`{}` is no choice: it has more than two attackers", list.trim()), span);
            return Err(fault.help("for example `front or flank or flank,rear`"));
        }
        ways.push(way);
    }
    Ok(ways)
}

fn sides_of(text: &str) -> Result<Vec<Side>, Fault> {
    let mut sides: Vec<Side> = Vec::new();
    for (word, span) in pieces(text) {
        let name = canonical(word);
        let side = Side::ALL.into_iter().find(|side| side.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no side is called `{word}`"), span.clone());
            fault.expecting(word, Side::ALL.map(Side::name))
        })?;
        sides.push(side);
        for (side, most) in SIDES {
            if sides.iter().filter(|&&other| other == side).count() > most {
                let assault = if most == 1 { "assaults" } else { "assault" };
                return Err(Fault::new(format!("at most {most} {assault} the {}", side.name()), span));
            }
        }
    }
    Ok(sides)
}

/// Slots, as a number or parted by commas.
fn slots(field: &str, value: Value) -> Result<Vec<u8>, Fault> {
    let read = |word: &str, span: Range<usize>| {
        let slot = word.parse().ok().filter(|slot| (1..=16).contains(slot));
        slot.ok_or_else(|| Fault::new(format!("`{field}` must be slots, such as `2` or `\"1,3\"`, not `{word}`"), span))
    };
    match value {
        Value::Integer(slot) => Ok(vec![read(&slot.to_string(), 0..0)?]),
        _ => pieces(value.text(field)?).map(|(word, span)| read(word, span)).collect(),
    }
}

/// An attacker who is no unit, being filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct ForceDraft {
    pub casualties: Option<u8>,
    dice: Option<u8>,
    value: Option<i8>,
}

impl ForceDraft {
    pub(super) fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "casualties" => self.casualties = Some(value.integer(name, 0, 12)? as u8),
            "dice" => self.dice = Some(value.integer(name, 1, 72)? as u8),
            _ => self.value = Some(value.integer(name, 0, 40)? as i8),
        }
        Ok(())
    }

    /// The force, if one is given; `by_units` where units attack.
    pub(super) fn finish(&self, by_units: bool) -> Result<Option<Force>, FieldFault> {
        let given = [("casualties", self.casualties.is_some()), ("dice", self.dice.is_some()), ("value", self.value.is_some())];
        if by_units && let Some((field, _)) = given.into_iter().find(|(_, given)| *given) {
            return Err(FieldFault::new(field, format!("units attack with their own values: either `by` or `{field}`")));
        }
        match (self.casualties, self.dice, self.value) {
            (None, None, None) => Ok(None),
            (Some(casualties), None, None) => Ok(Some(Force::Fixed(casualties))),
            (None, Some(dice), Some(value)) => Ok(Some(Force::Dice { dice, value })),
            (None, Some(_), None) => Err(FieldFault::new("value", "say at which Attack Value the dice are")),
            (None, None, Some(_)) => Err(FieldFault::new("dice", "say how many dice attack")),
            _ => Err(FieldFault::new("casualties", "casualties are fixed, or come of dice: not both")),
        }
    }
}

/// Who attacks in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attackers {
    Units(Vec<Place>),
    Force(Force),
}

/// A step of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A turn begins; orders by place.
    Turn(Vec<(Place, Order)>),
    Fire {
        at: Vec<Place>,
        by: Attackers,
        attacks: u8,
    },
    Assault {
        at: Place,
        by: Attackers,
        sides: Vec<Side>,
    },
    StaffLost(Army),
    Place {
        unit: Place,
        staff: Distance,
        edges: Option<Edges>,
    },
}

impl Step {
    /// Whether the unit at that place fires.
    pub(super) fn is_fire_by(&self, place: Place) -> bool {
        matches!(self, Step::Fire { by: Attackers::Units(units), .. } if units.contains(&place))
    }
}

/// A step being filled in.
#[derive(Clone, Debug)]
pub(super) struct StepDraft {
    pub deed: &'static str,
    orders: Vec<(u8, Order)>,
    at: Vec<u8>,
    by: Vec<u8>,
    force: ForceDraft,
    sides: Option<Vec<Side>>,
    attacks: u8,
    army: Army,
    staff: Distance,
    edge: Distance,
    own_edge: Distance,
}

impl StepDraft {
    /// A step that does that, with every field at its default.
    pub(super) fn named(text: &str) -> Result<StepDraft, Fault> {
        let name = canonical(text);
        let known = STEP_FIELDS.iter().find(|(deed, _)| *deed == name).ok_or_else(|| {
            let fault = Fault::new(format!("no step does `{text}`"), 0..text.len());
            fault.expecting(text, STEP_FIELDS.iter().map(|(deed, _)| *deed))
        })?;
        Ok(StepDraft {
            deed: known.0,
            orders: Vec::new(),
            at: Vec::new(),
            by: Vec::new(),
            force: ForceDraft::default(),
            sides: None,
            attacks: 1,
            army: Army::Owner,
            staff: None,
            edge: None,
            own_edge: None,
        })
    }

    pub(super) fn fields(&self) -> &'static [&'static str] {
        STEP_FIELDS.iter().find(|(deed, _)| *deed == self.deed).map_or(&[], |(_, fields)| fields)
    }

    /// Fills in one of its fields.
    pub(super) fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "orders" => self.orders = orders_by_slot(value)?,
            "at" => self.at = slots(name, value)?,
            "by" => self.by = slots(name, value)?,
            "sides" => self.sides = Some(sides(value)?),
            "attacks" => self.attacks = value.integer(name, 1, MAX_ATTACKS)? as u8,
            "of" => self.army = army(value)?,
            "staff" => self.staff = Some(value.integer(name, 1, 60)? as u8),
            "edge" => self.edge = Some(value.integer(name, 1, 60)? as u8),
            "own-edge" => self.own_edge = Some(value.integer(name, 1, 60)? as u8),
            _ => self.force.set(name, value)?,
        }
        Ok(())
    }

    /// Checks its fields against each other and the units: so many of the owner, so many in all.
    pub(super) fn finish(&self, own: usize, all: usize) -> Result<Step, FieldFault> {
        let place = |field: &str, slot: u8| match usize::from(slot) <= all {
            true => Ok(slot - 1),
            false => Err(FieldFault::new(
                field,
                format!("there is no slot {slot}: the battle has {}", counted(all as u64, "unit", "units")),
            )),
        };
        let places = |field: &str, slots: &[u8]| slots.iter().map(|&slot| place(field, slot)).collect::<Result<Vec<_>, _>>();
        let at = places("at", &self.at)?;
        let by = places("by", &self.by)?;
        let is_own = |place: Place| usize::from(place) < own;
        let attackers = || -> Result<Attackers, FieldFault> {
            if let Some(&same) = by.iter().find(|&&by| at.iter().any(|&at| is_own(at) == is_own(by))) {
                return Err(FieldFault::new("by", format!("slot {} is on the side that is attacked", same + 1)));
            }
            match self.force.finish(!by.is_empty())? {
                Some(force) => Ok(Attackers::Force(force)),
                None if by.is_empty() => {
                    Err(FieldFault::new("by", "say who attacks: `by` slots, or `casualties`, or `dice` and `value`"))
                }
                None => Ok(Attackers::Units(by.clone())),
            }
        };
        let one = || match at[..] {
            [at] => Ok(at),
            _ => Err(FieldFault::new("at", format!("`{}` is about one slot, for example `at = 1`", self.deed))),
        };
        Ok(match self.deed {
            "turn" => {
                let orders = self.orders.iter().map(|&(slot, order)| Ok((place("orders", slot)?, order)));
                Step::Turn(orders.collect::<Result<_, FieldFault>>()?)
            }
            "fire" if at.is_empty() => return Err(FieldFault::new("at", "say who is fired at, for example `at = 1`")),
            "fire" => Step::Fire { by: attackers()?, attacks: self.attacks, at },
            "assault" => {
                let (at, by) = (one()?, attackers()?);
                let count = if let Attackers::Units(units) = &by { units.len() } else { 1 };
                let sides = self.sides.clone().unwrap_or(vec![Side::Front; count]);
                if matches!(by, Attackers::Units(_)) && sides.len() != count {
                    return Err(FieldFault::new("sides", sides_that_do_not_fit(count, sides.len())));
                }
                Step::Assault { at, by, sides }
            }
            "staff-destroyed" => Step::StaffLost(self.army),
            _ if self.staff.is_none() && self.edge.is_none() && self.own_edge.is_none() => {
                return Err(FieldFault::new("staff", "say where the unit is put: `staff`, `edge`, or both"));
            }
            _ => {
                self.own_edge
                    .map_or(Ok(()), |own| edges(self.edge, own))
                    .map_err(|message| FieldFault::new("own-edge", message))?;
                let edges = self.edge.map(|nearest| Edges { nearest, own: self.own_edge });
                Step::Place { unit: one()?, staff: self.staff, edges }
            }
        })
    }
}

/// Attackers and sides of different numbers.
pub(super) fn sides_that_do_not_fit(units: usize, sides: usize) -> String {
    let units = if units == 1 { "1 unit assaults".to_string() } else { format!("{units} units assault") };
    let sides = if sides == 1 { "1 side is".to_string() } else { format!("{sides} sides are") };
    format!("{units}, but {sides} named")
}

/// `1:defend,3:march`.
fn orders_by_slot(value: Value) -> Result<Vec<(u8, Order)>, Fault> {
    let mut orders: Vec<(u8, Order)> = Vec::new();
    for (piece, span) in pieces(value.text("orders")?) {
        let fault = || Fault::new(format!("`{piece}` is no order by slot"), span.clone()).help("for example `1:defend,3:march`");
        let (slot, word) = piece.split_once(':').ok_or_else(fault)?;
        let slot: u8 = slot.parse().ok().filter(|slot| (1..=16).contains(slot)).ok_or_else(fault)?;
        let order = Order::named(word).map_err(|fault| Fault { span: span.end - word.len()..span.end, ..fault })?;
        if orders.iter().any(|&(other, _)| other == slot) {
            return Err(Fault::new(format!("slot {slot} gets two orders"), span));
        }
        orders.push((slot, order));
    }
    Ok(orders)
}

fn army(value: Value) -> Result<Army, Fault> {
    let text = value.text("of")?;
    match canonical(text).as_str() {
        "units" => Ok(Army::Owner),
        "enemies" => Ok(Army::Enemy),
        _ => Err(Fault::new(format!("no side is called `{text}`"), 0..text.len()).expecting(text, ["units", "enemies"])),
    }
}
