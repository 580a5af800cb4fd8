//! The questions and their fields.

use super::notation;
use crate::system::{Field, Kind, Takes};

const fn text(name: &'static str, of: &'static str, about: &'static str) -> Field {
    Field { name, takes: Takes::Text(of), about }
}

const fn number(name: &'static str, about: &'static str) -> Field {
    Field { name, takes: Takes::Number("N"), about }
}

const fn flag(name: &'static str, about: &'static str) -> Field {
    Field { name, takes: Takes::Flag, about }
}

/// Words of a field, and the orders.
macro_rules! with_orders {
    ($about:literal) => {
        concat!(
            $about,
            ": none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat, move-and-fire, assault, march, rest, retreat, run"
        )
    };
}

const UNITS: Field = text("units", "UNITS", "the units asked about");
const JOINT: Field = flag("joint", "outcomes of all units together");
const STAFF_LOST: Field = flag("staff-lost", "the General Staff has been lost");
const ENEMY_STAFF_LOST: Field = flag("enemy-staff-lost", "the enemy's General Staff has been lost");
const TURNS: Field = number("turns", "turns to play, 1 to 60 (default 1)");
const RECOVER_TURNS: Field = number("turns", "turns to play, 1 to 60 (default 6)");
const UNTIL: Field = text(
    "until",
    "LEVEL",
    "tell of a unit as it was on its first arrival there: none, normal (again, where it begins so), hesitant, shaken, routed (Shaken or worse), panicked (default none)",
);
const ORDER: Field = text("order", "ORDER", with_orders!("the order of the units in every turn (default none)"));
const ORDERS: Field = text("orders", "ORDERS", with_orders!("orders to choose from in every turn, parted by commas"));
const ENEMY_ORDERS: Field =
    text("enemy-orders", "ORDERS", with_orders!("orders the enemy chooses from in every turn, parted by commas"));
const CASUALTIES: Field = number("casualties", "casualties of each attack, 0 to 12, in place of dice");
const DICE: Field = number("dice", "attack dice of each attack, 1 to 72");
const VALUE: Field =
    number("value", "Attack Value of the dice with everything counted, such as Firepower -2 of Move and Fire, 0 to 40");

/// The kinds of questions, in the order of [`super::question::Ask`].
pub(super) static KINDS: [Kind; 5] = [
    Kind {
        name: "test",
        about: "one Fortitude Test of each unit, and what follows from it",
        subject: Some(UNITS),
        fields: &[
            text("cause", "CAUSE", "why they are tested: morale, flank, rear, casualties, staff-lost"),
            number("casualties", "new casualties of the cause casualties, 1 to 12 (default 1)"),
            text("order", "ORDER", with_orders!("the order of the units (default none)")),
            STAFF_LOST,
            JOINT,
        ],
        help: notation::HELP,
    },
    Kind {
        name: "recover",
        about: "Morale Phases and Retreat Steps, turn by turn",
        subject: Some(UNITS),
        fields: &[
            RECOVER_TURNS,
            flag("just-routed", "units that are Shaken or Panicked became so this turn: a Retreat Step comes first"),
            UNTIL,
            STAFF_LOST,
            JOINT,
        ],
        help: notation::HELP,
    },
    Kind {
        name: "fire",
        about: "ranged attacks on each unit, turn by turn; the first turn begins after its Morale Phase",
        subject: Some(UNITS),
        fields: &[
            CASUALTIES,
            DICE,
            VALUE,
            text("by", "UNITS", "who fires, with their own values, in place of dice"),
            text("by-order", "ORDER", with_orders!("the order of who fires, one that lets it (default fire-ranged-weapons)")),
            number("attacks", "attacks on each unit in a turn, by each of who fires, 1 to 12 (default 1)"),
            TURNS,
            ORDER,
            ORDERS,
            UNTIL,
            STAFF_LOST,
            ENEMY_STAFF_LOST,
            JOINT,
        ],
        help: notation::HELP,
    },
    Kind {
        name: "assault",
        about: "an assault on one unit: tests before the melee, melee, Retreat Step, turn by turn while it lasts; the first turn begins after its Morale Phase",
        subject: Some(UNITS),
        fields: &[
            text(
                "sides",
                "SIDES",
                "the side each attacker assaults, parted by commas: front, flank, rear (default front); with ` or ` between such lists of one or two the enemy chooses",
            ),
            CASUALTIES,
            DICE,
            VALUE,
            text("by", "UNITS", "who assaults, one for each side, with their own values; they are struck back"),
            TURNS,
            ORDER,
            ORDERS,
            ENEMY_ORDERS,
            UNTIL,
            STAFF_LOST,
            ENEMY_STAFF_LOST,
            JOINT,
        ],
        help: notation::HELP,
    },
    Kind {
        name: "sequence",
        about: "turns of several units on two sides, told in steps",
        subject: None,
        fields: &[
            UNITS,
            text("enemies", "UNITS", "the units of the enemy; their slots follow on those of the units"),
            ORDERS,
            ENEMY_ORDERS,
            UNTIL,
            STAFF_LOST,
            ENEMY_STAFF_LOST,
            JOINT,
        ],
        help: "A step has `do`: `turn` begins a turn with its Morale Phase (`orders = \"1:defend,3:assault\"` by slot); `fire` (`at` slots, \
`by` slots, or `casualties`, or `dice` and `value`; `attacks`); `assault` (`at` one slot, `by` slots or `casualties` or `dice` and `value`; `sides`, one for \
each attacker), after all fire of its turn; `staff-destroyed` (`of = \"units\"` or `\"enemies\"`); `place` (`at` one slot, `staff`, `edge`, `own-edge`). \
Each turn ends with the melee of all that are engaged and the Retreat Step; then outcomes are told, and their phase is the number of the turn. \
Who assaults has the order Assault; who fires needs an order that lets it (`orders-that-fire`), or none.",
    },
];

/// The fields of a step, by what it does.
pub(super) const STEP_FIELDS: [(&str, &[&str]); 5] = [
    ("turn", &["orders"]),
    ("fire", &["at", "by", "casualties", "dice", "value", "attacks"]),
    ("assault", &["at", "by", "casualties", "dice", "value", "sides"]),
    ("staff-destroyed", &["of"]),
    ("place", &["at", "staff", "edge", "own-edge"]),
];
