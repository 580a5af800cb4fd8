//! The kinds of questions and of steps, with their fields.

use super::field::Army;
use super::notation::{
    AttackDice, AttackValue, Attacks, Casualties, Cause, Choices, HELP, Hexes, OrdersBySlot, Sides,
    Slots, Turns, Units, Ways,
};
use super::order::Order;
use super::status::{Status, Until};
use schema::classes::{HOLDS, LOST};
use schema::declared::{self, declared_words};
use schema::field::fields;
use schema::{Field, Group, Kind, StatusClass};

macro_rules! with_orders {
    ($about:literal) => {
        concat!(
            $about,
            ": none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat, \
                move-and-fire, assault, march, rest, retreat, run"
        )
    };
}

fields! {
    /// The input fields of a question.
    pub struct Fields, FieldSetters {
        "units" units: Option<Units>, "the units";
        "enemies" enemies: Units,
            "the units of the enemy; their numbers (slots) follow those of the units";
        "cause" cause: Option<Cause>,
            "cause of the test: morale, flank, rear, casualties, staff-lost";
        "just-routed" just_routed: bool,
            "Shaken and Panicked units became so this turn, so a Retreat Step comes first";
        "sides" sides: Option<Ways>,
            "sides that the attackers assault, one for each, separated by commas: front, flank, \
                rear (default front); with ` or ` between lists of one or two sides the enemy \
                chooses";
        "casualties" casualties: Option<Casualties>, "casualties of each attack, instead of dice";
        "dice" dice: Option<AttackDice>, "attack dice of each attack";
        "value" value: Option<AttackValue>,
            "Attack Value of the dice with all modifiers, such as Firepower -2 of Move and Fire";
        "by" by: Units, "firing units, with their own values, instead of dice";
        "by-order" by_order: Option<Order>,
            with_orders!("order of the firing units, which must allow fire (default \
            fire-ranged-weapons)");
        "attacks" attacks: Attacks = "1", "attacks on each unit in a turn, by each firing unit";
        "turns" turns: Turns = "1", "turns to play";
        "order" order: Order = "none", with_orders!("the order of the units in every turn");
        "orders" orders: Choices, with_orders!("orders to choose from in every turn, separated by commas");
        "enemy-orders" enemy_orders: Choices,
            with_orders!("orders that the enemy chooses from in every turn, separated by commas");
        "until" until: Until = "none",
            "show each unit as it first reaches this level, whatever happens to it later: none, \
                normal (again, if the unit begins Normal), hesitant, shaken, routed (Shaken or \
                worse), panicked";
        "staff-lost" staff_lost: bool, "the General Staff has been lost";
        "enemy-staff-lost" enemy_staff_lost: bool, "the enemy's General Staff has been lost";
        "joint" joint: bool, "outcomes of all units together, instead of each alone", once;
    }
}

/// The fields of an attacker that is not a unit but dice or fixed casualties.
const FORCE: &[Field] = &[Fields::casualties, Fields::dice, Fields::value];
/// The last fields of all kinds of questions with two armies.
const ENDING: &[Field] =
    &[Fields::until, Fields::staff_lost, Fields::enemy_staff_lost, Fields::joint];

const TEST_CASUALTIES: Field = Fields::casualties
    .meaning("casualties that cause the test; with the cause `casualties` the default is 1");
const TEST_ORDER: Field = Fields::order.meaning(with_orders!("the order of the units"));
const RECOVERY_TURNS: Field = Fields::turns.by_default("6", Fields::turns.about);
const ASSAULTING_UNITS: Field = Fields::by.meaning(
    "assaulting units, one for each side, with their own values; the target attacks them too",
);

const CLASSES: &[StatusClass] = &[
    StatusClass::good(HOLDS, &[Status::Normal.name(), Status::Hesitant.name()]),
    StatusClass::bad("routed", &[Status::Shaken.name(), Status::Panicked.name()]),
    StatusClass::bad(
        LOST,
        &[Status::Surrendered.name(), Status::Destroyed.name(), Status::LeftBoard.name()],
    ),
];

pub(super) const UNITS: Group = Group::whole_units("units", "the units");
const GROUPS: &[Group] = &[UNITS, Group::whole_units("enemies", "the units of the enemy")];

const fn kind(
    name: &'static str,
    about: &'static str,
    subject: Option<Field>,
    fields: &'static [&'static [Field]],
) -> Kind {
    Kind::new(name, about, subject, fields)
        .ends(&Status::NAMES, Status::in_charts)
        .counted(CLASSES, GROUPS)
}

declared_words! {
    /// The kinds of questions.
    pub enum QuestionKind: Kind {
        Test = kind("test", "one Fortitude Test of each unit, with its effects",
            Some(Fields::units), &[&[Fields::cause, TEST_CASUALTIES, TEST_ORDER,
            Fields::staff_lost, Fields::joint]])
            .help(HELP).examples(&["unit/base=10 --cause flank",
            "unit/base=10,models=5 --cause casualties --casualties 2",
            "unit/base=12,shaken,commander --cause staff-lost"]),
        Recover = kind("recover", "Morale Phases and Retreat Steps, turn by turn",
            Some(Fields::units), &[&[RECOVERY_TURNS, Fields::just_routed, Fields::until,
            Fields::staff_lost, Fields::joint]])
            .help(HELP).examples(&["unit/base=10,shaken --turns 6",
            "unit/base=10,shaken,commander --until normal",
            "unit/base=10,panicked,commander --just-routed --turns 4"]),
        Fire = kind("fire", "ranged attacks on each unit, turn by turn; the first turn begins \
            after its Morale Phase", Some(Fields::units),
            &[FORCE, &[Fields::by, Fields::by_order, Fields::attacks, Fields::turns, Fields::order,
            Fields::orders], ENDING])
            .help(HELP).examples(&["unit/base=10,models=5,defense=1 --dice 5 --value 6",
            "unit/base=10,models=5 --by ashigaru-archers --turns 3",
            "unit/base=10 --casualties 1 --attacks 2 --order defend"]),
        Assault = kind("assault",
            "an assault on one unit: tests before the melee, melee, Retreat Step, turn by turn \
            while it lasts; the first turn begins after its Morale Phase", Some(Fields::units),
            &[&[Fields::sides], FORCE, &[ASSAULTING_UNITS, Fields::turns, Fields::order,
            Fields::orders, Fields::enemy_orders], ENDING])
            .help(HELP).examples(&["unit/base=10,models=5 --sides flank,rear --dice 5 --value 8",
            "unit/base=10,models=5 --by unit/attack=6,models=5 --turns 3",
            "unit/base=10,models=5 --dice 5 --value 8 --turns 3 --joint"]),
        Sequence = kind("sequence", "turns of several units on two sides, given as steps",
            None, &[&[Fields::units, Fields::enemies, Fields::orders, Fields::enemy_orders],
            ENDING]).help("A step has `do`: \
            `turn` begins a turn with its Morale Phase (`orders = \"1:defend,3:assault\"` by \
            slot); `fire` (`at` slots, \
`by` slots, or `casualties`, or `dice` and `value`; `attacks`); `assault` (`at` one slot, `by` \
slots or `casualties` or `dice` and `value`; `sides`, one for \
each attacker), after all fire of its turn; `staff-destroyed` (`of = \"units\"` or `\"enemies\"`); \
`place` (`at` one slot, `staff`, `edge`, `own-edge`). \
Each turn ends with the melee of all that are engaged and the Retreat Step; then outcomes are \
reported, and their phase is the number of the turn. An assaulting unit has the order Assault. A \
firing unit needs an order that allows fire (`orders-that-fire`), or none."),
    }
}

fields! {
    /// The input fields of a step of a sequence.
    pub struct StepFields {
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
