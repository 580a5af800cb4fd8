//! Steps of a sequence: their kinds and their fields.

use super::field::Army;
use super::values::{
    AttackDice, AttackValue, Attacks, Casualties, Hexes, OrdersBySlot, Sides, Slots,
};
use schema::Field;
use schema::declared::{self, declared_words};
use schema::field::fields;

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
