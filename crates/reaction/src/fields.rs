//! The fields of questions and of steps, with their types.

use super::notation::UnitList;
use super::rules::Cover;
use super::unit::{MAX_UNITS, Side};
use schema::Whole;
use schema::declared::named;
use schema::field::{fields, words_of};

named! {
    /// The range of a volley.
    pub enum Range { Close = "close", Effective = "effective", Long = "long" }

    /// The length of the move the firer has made in its turn.
    pub enum Pace { Single = "single", Double = "double", Triple = "triple" }
}

words_of!(Range, "WORD", "`range` has no value");
words_of!(Pace, "WORD", "`move` has no value");
words_of!(Cover, "WORD", "`cover` has no value");
words_of!(Side, "WORD", "`side` has no value");

/// A number of Wild Dice, Command Dice or Staff Orders.
pub type OrderDice = Whole<0, 10>;
/// The 1-based slot of a unit.
pub type Slot = Whole<1, { 2 * MAX_UNITS as i64 }>;

fields! {
    /// The fields of questions, without those of [`Shot`].
    pub struct Fields, FieldSetters {
        "wild" wild: OrderDice = "0", "Wild Dice of the own side";
        "enemy-wild" enemy_wild: OrderDice = "0", "Wild Dice of the enemy";
        "inches" inches: bool, "include how far units move";
        "effects" effects: bool, "include the effect of each volley on its target: points taken, \
            unmatched sixes";
        "joint" joint: bool,
            "outcomes of all units and armies together, instead of each alone", once;
        "target" target: UnitList<1>, "the unit that is fired at";
        "dice" dice: Option<Whole<1, 30>>, "firing dice, before modifiers";
        "at-least" at_least: Option<Whole<1, 99>>,
            "inches; a move back of at least this distance counts as `forced-back-far`";
        "volleys" volleys: Whole<1, 50> = "3", "number of volleys";
        "orders" orders: OrderDice = "0", "Command Dice or Staff Orders between two volleys";
        "by" by: UnitList<1>, "the firing unit, instead of its dice";
        "army" army: bool, "show the remaining Army Morale Points too";
        "units" units: UnitList<MAX_UNITS>, "the units of a Command Group";
        "turns" turns: Whole<1, 50> = "3", "number of turns";
        "enemy-dice" enemy_dice: Option<Whole<1, 10>>,
            "Command Dice of the enemy; adds who goes first";
        "points" points: Option<Whole<0, 60>>, "Army Morale Points";
        "dispersals" dispersals: Whole<1, 60> = "5", "units that are dispersed";
        "staff-order" staff_order: bool,
            "a Staff Order may add a die: policy `add-staff-orders` adds it";
        "mover" mover: UnitList<1>, "the unit that moves";
        "own" own: UnitList<MAX_UNITS>, "own units; their numbers (slots) begin with 1";
        "enemy" enemy: UnitList<MAX_UNITS>,
            "units of the enemy; their slots follow those of the own units";
        "own-morale" own_morale: Option<Whole<0, 60>>,
            "own Army Morale Points (default: `army-morale`)";
        "enemy-morale" enemy_morale: Option<Whole<0, 60>>, "Army Morale Points of the enemy";
        "own-command-dice" own_command_dice: Option<OrderDice>,
            "own Command Dice (default: `command-dice`)";
        "enemy-command-dice" enemy_command_dice: Option<OrderDice>, "Command Dice of the enemy";
        "own-rally-dice" own_rally_dice: Option<Whole<0, 12>>,
            "own Rally Dice (default: `rally-dice`)";
        "enemy-rally-dice" enemy_rally_dice: Option<Whole<0, 12>>, "Rally Dice of the enemy";
    }
}
fields! {
    /// The circumstances of a volley, which modify its dice.
    pub struct Shot, ShotSetters {
        "range" range: Range = "effective", "close, effective or long";
        "flank" flank: bool, "the volley is fired at the flank or rear of the target";
        "uphill" uphill: bool, "the target is uphill";
        "move" moved: Pace = "single", "single, double or triple: the firer's move";
        "cover" cover: Cover = "none", "none, light, medium or heavy: the cover of the target";
        "artillery" artillery: bool,
            "the volley is from artillery, so the Reaction Dice against artillery count";
    }
}

fields! {
    /// The fields of steps, without those of [`Shot`].
    pub struct StepFields {
        "firer" firer: Option<Slot>, "slot of the firing unit";
        "target" target: Option<Slot>, "slot of the target";
        "slot" slot: Option<Slot>, "slot of the unit";
        "side" side: Side = "own", "own or enemy";
        "dice" dice: Option<Whole<0, 30>>,
            "firing dice of a unit off the table, instead of a firing unit";
        "staff" staff: OrderDice = "0", "Staff Orders that the side may use";
        "sixes" sixes: bool, "these dice show sixes";
        "may-hold" may_hold: bool, "the firing side may hold its fire";
    }
}
