//! Steps of a sequence: their kinds, their fields, and the checked form.

use super::battle::Force;
use super::field::{Army, Facing, UnitIndex};
use super::kinds::Fields;
use super::notation::edges;
use super::order::Order;
use super::unit::{Distance, Edges};
use super::values::{
    AttackDice, AttackValue, Attacks, Casualties, Hexes, OrdersBySlot, Sides, Slots,
};
use engine::text::counted;
use schema::declared::{self, declared_words};
use schema::field::fields;
use schema::{Field, FieldFault, Whole, Word as _};

fields! {
    /// The input fields of a step of a sequence.
    pub struct StepFields, StepSetters {
        "orders" orders: OrdersBySlot, "orders of this turn by slot, such as `1:defend,3:assault`";
        "at" at: Slots, "slots of the target units, or of the unit to place";
        "by" by: Slots, "slots of the attackers";
        "casualties" casualties: Option<Casualties>, "casualties of each attack, instead of dice";
        "dice" dice: Option<AttackDice>, "attack dice of each attack";
        "value" value: Option<AttackValue>, "Attack Value of the dice with everything counted";
        "attacks" attacks: Attacks = "1", "attacks on each unit, by each firing unit";
        "sides" sides: Option<Sides>,
            "sides that the attackers assault, one for each, separated by commas: front, flank, \
                rear (default front)";
        "of" of: Army = "units", "whose General Staff is destroyed: units, enemies";
        "staff" staff: Option<Hexes>, "hexes to the General Staff";
        "edge" edge: Option<Hexes>, "movement to leave the board";
        "own-edge" own_edge: Option<Hexes>,
            "movement to leave over the edge of its own side, if that is not the nearest";
    }
}

declared_words! {
    /// The kinds of steps in a sequence.
    pub enum StepKind: declared::StepKind {
        Turn = declared::StepKind::new("turn", &[&[StepFields::orders]]),
        Fire = declared::StepKind::new("fire", &[BLOW, &[StepFields::attacks]]),
        Assault = declared::StepKind::new("assault", &[BLOW, &[StepFields::sides]]),
        StaffDestroyed = declared::StepKind::new("staff-destroyed", &[&[StepFields::of]]),
        Place = declared::StepKind::new("place",
            &[&[StepFields::at, StepFields::staff, StepFields::edge, StepFields::own_edge]]),
    }
}

/// The fields that name the target and the attacker.
const BLOW: &[Field] =
    &[StepFields::at, StepFields::by, StepFields::casualties, StepFields::dice, StepFields::value];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attackers {
    Units(Vec<UnitIndex>),
    Force(Force),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The start of a turn, with orders by the 0-based index of the unit.
    Turn(Vec<(UnitIndex, Order)>),
    /// Ranged fire of each attacker at each target.
    Fire { at: Vec<UnitIndex>, by: Attackers, attacks: u8 },
    /// An assault, with the side of each attacker.
    Assault { at: UnitIndex, by: Attackers, sides: Vec<Facing> },
    /// The loss of the General Staff of an army.
    StaffLost(Army),
    /// New distances of a unit.
    Place { unit: UnitIndex, staff: Distance, edges: Option<Edges> },
}

impl Step {
    /// Returns whether the step is fire by the unit.
    pub(super) fn is_fire_by(&self, place: UnitIndex) -> bool {
        matches!(self, Step::Fire { by: Attackers::Units(units), .. } if units.contains(&place))
    }
}

impl StepFields {
    /// Builds a checked step. `own` counts the owner's units, `all` counts all units.
    pub(super) fn step(
        &self,
        step_kind: StepKind,
        own: usize,
        all: usize,
    ) -> Result<Step, FieldFault> {
        let place = |field: Field, slot: u8| match usize::from(slot) <= all {
            true => Ok(slot - 1),
            false => refused(
                field,
                format!("there is no slot {slot}: the battle has {}", counted(all as u64, "unit")),
            ),
        };
        let places = |field: Field, slots: &Slots| {
            slots.0.iter().map(|&slot| place(field, slot)).collect::<Result<Vec<_>, _>>()
        };
        let at = places(Self::at, &self.at)?;
        let by = places(Self::by, &self.by)?;
        let is_own = |place: UnitIndex| usize::from(place) < own;
        let attackers = || -> Result<Attackers, FieldFault> {
            if let Some(&same) =
                by.iter().find(|&&by| at.iter().any(|&at| is_own(at) == is_own(by)))
            {
                return refused(Self::by, format!("slot {} cannot attack its own side", same + 1));
            }
            match force(!by.is_empty(), self.casualties, self.dice, self.value)? {
                Some(force) => Ok(Attackers::Force(force)),
                None if by.is_empty() => {
                    let message =
                        "say who attacks: `by` slots, `casualties`, or `dice` and `value`";
                    refused(Self::by, message)
                }
                None => Ok(Attackers::Units(by.clone())),
            }
        };
        let one = || match at[..] {
            [at] => Ok(at),
            _ => {
                let message = format!(
                    "`{}` needs exactly one slot, for example `at = 1`",
                    step_kind.declared().name
                );
                refused(Self::at, message)
            }
        };
        Ok(match step_kind {
            StepKind::Turn => {
                let orders = self
                    .orders
                    .0
                    .iter()
                    .map(|&(slot, order)| Ok((place(Self::orders, slot)?, order)));
                Step::Turn(orders.collect::<Result<_, FieldFault>>()?)
            }
            StepKind::Fire if at.is_empty() => {
                return refused(Self::at, "say who is fired at, for example `at = 1`");
            }
            StepKind::Fire => Step::Fire { by: attackers()?, attacks: self.attacks.u8(), at },
            StepKind::Assault => {
                let (at, by) = (one()?, attackers()?);
                let count = if let Attackers::Units(units) = &by { units.len() } else { 1 };
                let sides =
                    self.sides.as_ref().map_or(vec![Facing::Front; count], |sides| sides.0.clone());
                if matches!(by, Attackers::Units(_)) && sides.len() != count {
                    return refused(Self::sides, sides_that_do_not_fit(count, sides.len()));
                }
                Step::Assault { at, by, sides }
            }
            StepKind::StaffDestroyed => Step::StaffLost(self.of),
            StepKind::Place => {
                let [staff, nearest, own] =
                    [self.staff, self.edge, self.own_edge].map(|hexes| hexes.map(Whole::u8));
                Self::staff.refuse_if(
                    [staff, nearest, own] == [None; 3],
                    "say where to place the unit: `staff`, `edge`, or both",
                )?;
                own.map_or(Ok(()), |own| edges(nearest, own))
                    .map_err(|message| Self::own_edge.fault(message))?;
                Step::Place {
                    unit: one()?,
                    staff,
                    edges: nearest.map(|nearest| Edges { nearest, own }),
                }
            }
        })
    }
}

/// Returns the attacker that is not a unit, or `None`. `by_units` says that units attack.
pub(super) fn force(
    by_units: bool,
    casualties: Option<Casualties>,
    dice: Option<AttackDice>,
    value: Option<AttackValue>,
) -> Result<Option<Force>, FieldFault> {
    let by_fields = [
        (Fields::casualties, casualties.is_some()),
        (Fields::dice, dice.is_some()),
        (Fields::value, value.is_some()),
    ];
    if by_units && let Some((field, _)) = by_fields.into_iter().find(|(_, is_set)| *is_set) {
        return refused(
            field,
            format!("units attack with their own values: use either `by` or `{}`", field.name),
        );
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

pub(super) fn refused<T>(field: Field, message: impl Into<String>) -> Result<T, FieldFault> {
    Err(field.fault(message))
}

/// Returns the message for a number of attackers that differs from the number of sides.
pub(super) fn sides_that_do_not_fit(units: usize, sides: usize) -> String {
    let units =
        if units == 1 { "1 unit assaults".to_string() } else { format!("{units} units assault") };
    let sides = if sides == 1 { "1 side is".to_string() } else { format!("{sides} sides are") };
    format!("{units}, but {sides} named")
}
