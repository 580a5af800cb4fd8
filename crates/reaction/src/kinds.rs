//! The kinds of questions and of steps, with the fields of each.

use super::field::Status::{self, *};
use super::notation::UnitList;
use super::rules::Cover;
use super::unit::{MAX_UNITS, Side};
use schema::classes::LOST;
use schema::declared::{self, declared_words, named};
use schema::field::{fields, words_of};
use schema::{Field, Fields as _, Group, Kind, StatusClass, Whole};

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

/// The last fields of questions about volleys at one target.
const WITH_TARGET: &[Field] =
    &[Fields::wild, Fields::enemy_wild, Fields::inches, Fields::army, Fields::joint];

const ORDERS_BY_TURN: Field =
    Fields::orders.by_default("1", "Command Dice or Staff Orders in each turn");
const ARMY_BY_DEFAULT: Field =
    Fields::army.by_default("true", "include Army Morale; false leaves it out");

const LENGTH_OF_MOVE: Field =
    Fields::dice.within(1, 3).by_default("1", "a single, double or triple move");

const UNITS_HELP: &str = "A unit is written `panzer-iv/dp=1,suppressed`, or \
    `unit/reaction=3,at=4,cohesion=3`. Conditions: reaction=N, artillery=N (Reaction Dice against \
    artillery), at=N and fp=N (dice against armour and soft targets), cohesion=N, soft, fast, dp=N \
    (Disruption Points), suppressed, fired, moved=N (inches), goal=N (inches still to go). \
    Obstacles behind it, in inches: `edge=12,cover=8,enemy=20,friend=7-10`.";
const STEPS_HELP: &str = "Steps: volley (firer or dice, target, range, flank, uphill, move, cover, \
    artillery, may-hold), command (side, dice, staff), roll, pulse (staff), restock (side, dice, \
    sixes), move (slot, dice, may-hold), turn, disperse (slot).";

const fn kind(
    name: &'static str,
    about: &'static str,
    subject: Option<Field>,
    fields: &'static [&'static [Field]],
) -> Kind {
    let help = if subject.is_none() { STEPS_HELP } else { UNITS_HELP };
    Kind::new(name, about, subject, fields).help(help)
}

const fn names<const N: usize>(statuses: [Status; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut place = 0;
    while place < N {
        names[place] = statuses[place].name();
        place += 1;
    }
    names
}

const CLASSES: &[StatusClass] = &[
    StatusClass::good("may-fire", &names([Arrived, Fresh, Ready])),
    StatusClass::bad(Suppressed.name(), &names([Suppressed, ForcedBack, ForcedBackFar])),
    StatusClass::bad(LOST, &names([Dispersed])),
];

const VOLLEY_ENDS: &[&str] =
    &names([Ready, Suppressed, ForcedBack, ForcedBackFar, Dispersed, Holds, AtZero]);
const VOLLEYS_ENDS: &[&str] = &names([
    Ready, Suppressed, Dispersed, Holds, AtZero, NotFired, Missed, Held, Disrupted, ForcedBack,
]);
const COMMAND_ENDS: &[&str] = &names([First, Second, RollAgain, Commands, Failure, TurnOver]);
const SEQUENCE_ENDS: &[&str] = &names([
    Arrived, Ready, Suppressed, Dispersed, Holds, AtZero, Collapsed, Draw, NotFired, Missed, Held,
    Disrupted, ForcedBack,
]);

pub(super) const UNITS: Group = Group::whole_units("units", "the own units");
const GROUPS: &[Group] = &[UNITS, Group::whole_units("enemies", "the units of the enemy")];
const OWN: &[Group] = &[UNITS];

declared_words! {
    /// The kinds of questions.
    pub enum QuestionKind: Kind {
        Volley = kind("volley", "one volley: Disruption, Suppression, forced back, dispersed",
            Some(Fields::target),
            &[&[Fields::at_least, Fields::dice, Fields::by], Shot::ALL, WITH_TARGET])
            .ends(VOLLEY_ENDS, Status::in_charts).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --inches",
            "unit/reaction=5,cohesion=3 --dice 6 --range long --cover light",
            "panzer-iv --dice 8 --flank --wild 1"]),
        Volleys = kind("volleys",
            "several volleys with orders between them, with odds after each volley",
            Some(Fields::target), &[&[Fields::volleys, Fields::orders, Fields::effects,
            Fields::dice, Fields::by], Shot::ALL, WITH_TARGET])
            .ends(VOLLEYS_ENDS, Status::in_charts).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --volleys 3 --orders 2",
            "unit/reaction=3,cohesion=3 --dice 6 --volleys 4",
            "panzer-iv --dice 6 --volleys 2 --effects"]),
        Rally = kind("rally",
            "removal of suppression and Disruption Points, with odds after each turn",
            Some(Fields::units),
            &[&[ORDERS_BY_TURN, Fields::turns, Fields::wild, Fields::joint]])
            .ends(const { &names([Fresh, Ready, Suppressed]) }, Status::in_charts).counted(CLASSES, OWN)
            .examples(&["panzer-iv/dp=2,suppressed --turns 4", "unit/reaction=3,dp=1 --orders 2",
            "\"panzer-iv/dp=2,suppressed + panzer-iv/dp=1\" --turns 3 --joint"]),
        Command = kind("command",
            "the roll of Command Dice: Command Failure, dice left, who goes first",
            Some(Fields::dice.within(1, 10).meaning("Command Dice")),
            &[&[Fields::enemy_dice, Fields::joint]])
            .ends(COMMAND_ENDS, Status::in_charts)
            .examples(&["4", "4 --enemy-dice 5", "6 --enemy-dice 3 --joint"]),
        Morale = kind("morale", "Army Morale Points after each unit that is dispersed",
            Some(Fields::points), &[&[Fields::dispersals, Fields::joint]])
            .ends(const { &names([Holds, AtZero]) }, Status::in_charts)
            .examples(&["6", "6 --dispersals 3", "4 --dispersals 2 --joint"]),
        Check = kind("check", "an Army Morale Check",
            Some(Fields::dice.within(1, 12).meaning("own dice")),
            &[&[Fields::staff_order, Fields::joint]]).ends(const { &names([Passed, Failed]) }, Status::in_charts)
            .examples(&["3", "3 --staff-order", "5 --set rally-tn=5"]),
        Move = kind("move", "inches of a move", Some(Fields::mover),
            &[&[LENGTH_OF_MOVE, Fields::joint]])
            .ends(const { &names([Arrived, Ready, Suppressed]) }, Status::in_charts).counted(CLASSES, OWN)
            .examples(&["panzer-iv", "panzer-iv --dice 2", "panzer-iv/goal=12 --dice 3"]),
        Sequence = kind("sequence", "units of two sides: volleys, orders, Command Dice, turns",
            None, &[&[Fields::own, Fields::enemy, Fields::own_morale, Fields::enemy_morale,
            Fields::own_command_dice, Fields::enemy_command_dice, Fields::own_rally_dice,
            Fields::enemy_rally_dice, Fields::wild, Fields::enemy_wild, Fields::inches,
            Fields::effects, ARMY_BY_DEFAULT, Fields::joint]])
            .ends(SEQUENCE_ENDS, Status::in_charts).counted(CLASSES, GROUPS),
    }
}

const FIRING_DICE: Field = StepFields::dice.within(1, 30);
const ORDER_DICE: Field = StepFields::dice
    .within(0, 10)
    .meaning("Command Dice (default: all that are left of those rolled)");
const PULSE_STAFF: Field =
    StepFields::staff.meaning("Staff Orders that the side may use in addition to its Dice Chain");
const CHAIN: Field =
    StepFields::dice.within(2, 4).meaning("number of Command Dice that show the same number");
const MOVER: Field = StepFields::slot.meaning("slot of the unit, which must have a goal");
const STEP_LENGTH: Field = StepFields::dice.within(1, 3).by_default("1", LENGTH_OF_MOVE.about);
const MAY_STAY: Field = StepFields::may_hold.meaning("the side may let the unit stay");

declared_words! {
    /// The kinds of steps in a sequence.
    pub enum StepKind: declared::StepKind {
        /// A volley at one target.
        Volley = declared::StepKind::new("volley", &[&[StepFields::firer, FIRING_DICE,
            StepFields::target, StepFields::may_hold], Shot::ALL]),
        /// Orders of one side.
        Command = declared::StepKind::new("command",
            &[&[StepFields::side, ORDER_DICE, StepFields::staff]]),
        Roll = declared::StepKind::new("roll", &[]),
        /// A Command Pulse, in which a side uses a Dice Chain.
        Pulse = declared::StepKind::new("pulse", &[&[PULSE_STAFF]]),
        Restock = declared::StepKind::new("restock",
            &[&[StepFields::side, CHAIN, StepFields::sixes]]),
        /// The move of a unit towards its goal.
        Move = declared::StepKind::new("move", &[&[MOVER, STEP_LENGTH, MAY_STAY]]),
        Turn = declared::StepKind::new("turn", &[]),
        /// The dispersal of a unit, whatever the cause.
        Disperse = declared::StepKind::new("disperse", &[&[StepFields::slot]]),
    }
}
