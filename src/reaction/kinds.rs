//! The questions, and their fields: what each takes and what it says.

use std::collections::BTreeMap;

use super::notation::Written;
use super::unit::MAX_UNITS;
use crate::system::form::Value;
use crate::system::parameters::one_of;
use crate::system::{Field, Kind, Takes};
use crate::text::{Fault, canonical};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    Volley,
    Volleys,
    Rally,
    Command,
    Morale,
    Check,
    Move,
    Sequence,
}

/// What a field can be.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    Flag,
    Number(i64, i64),
    Words(&'static [&'static str]),
    /// Up to so many units in the notation.
    Units(usize),
}

/// A field with what it can be.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub domain: Domain,
    pub about: &'static str,
}

pub const RANGES: [&str; 3] = ["close", "effective", "long"];
pub const MOVES: [&str; 3] = ["single", "double", "triple"];
pub const COVERS: [&str; 4] = ["none", "light", "medium", "heavy"];
pub const SIDES: [&str; 2] = ["own", "enemy"];

const fn flag(name: &'static str, about: &'static str) -> Entry {
    Entry { name, domain: Domain::Flag, about }
}

const fn number(name: &'static str, low: i64, high: i64, about: &'static str) -> Entry {
    Entry { name, domain: Domain::Number(low, high), about }
}

/// A number whose help tells its range.
macro_rules! number {
    ($name:literal, $low:literal, $high:literal, $about:literal) => {
        number($name, $low, $high, concat!($about, ", ", $low, " to ", $high))
    };
}

const fn words(name: &'static str, words: &'static [&'static str], about: &'static str) -> Entry {
    Entry { name, domain: Domain::Words(words), about }
}

const fn units(name: &'static str, most: usize, about: &'static str) -> Entry {
    Entry { name, domain: Domain::Units(most), about }
}

/// Two lists after each other.
const fn join<const A: usize, const B: usize, const C: usize>(a: [Entry; A], b: [Entry; B]) -> [Entry; C] {
    let mut all = [a[0]; C];
    let mut place = 0;
    while place < C {
        all[place] = if place < A { a[place] } else { b[place - A] };
        place += 1;
    }
    all
}

const SITUATION: [Entry; 6] = [
    words("range", &RANGES, "close, effective (default) or long"),
    flag("flank", "the flank or rear of the target is shot at"),
    flag("uphill", "the target is uphill"),
    words("move", &MOVES, "single (default), double or triple: the firer's move"),
    words("cover", &COVERS, "none (default), light, medium or heavy: the cover of the target"),
    flag("artillery", "the volley is of artillery: Reaction Dice are those against it"),
];
const FIRER: [Entry; 2] =
    [number!("dice", 1, 30, "firing dice, before modifiers"), units("by", 1, "the firing unit, in place of its dice")];
const WILD: [Entry; 2] = [
    number!("wild", 0, 10, "Wild Dice of the own side (default 0)"),
    number!("enemy-wild", 0, 10, "Wild Dice of the enemy (default 0)"),
];
const INCHES: Entry = flag("inches", "tell how far units are moved");
const ARMY: Entry = flag("army", "tell the Army Morale Points that are left");
const EFFECTS: Entry = flag("effects", "tell what each volley did to its target: points taken, sixes not matched");
const JOINT: Entry = flag("joint", "one row for all units and armies together");

const AT_TARGET: [Entry; 13] = join::<8, 5, 13>(join(FIRER, SITUATION), [WILD[0], WILD[1], INCHES, ARMY, JOINT]);

static VOLLEY: [Entry; 14] =
    join([number!("at-least", 1, 99, "inches: moves back of so many are told apart as `forced-back-far`")], AT_TARGET);
static VOLLEYS: [Entry; 16] = join(
    [
        number!("volleys", 1, 50, "how many there are (default 3)"),
        number!("orders", 0, 10, "Command Dice or Staff Orders between two volleys (default 0)"),
        EFFECTS,
    ],
    AT_TARGET,
);
static RALLY: [Entry; 4] = [
    number!("orders", 0, 10, "Command Dice or Staff Orders in each turn (default 1)"),
    number!("turns", 1, 50, "how many turns are told (default 3)"),
    WILD[0],
    JOINT,
];
static COMMAND: [Entry; 2] = [number!("enemy-dice", 1, 10, "Command Dice of the enemy; then it is told who goes first"), JOINT];
static MORALE: [Entry; 2] = [number!("dispersals", 1, 60, "units that are dispersed (default 5)"), JOINT];
static CHECK: [Entry; 2] = [flag("staff-order", "a Staff Order may add a die: policy `add-staff-orders` adds it"), JOINT];
static MOVE: [Entry; 2] = [number("dice", 1, 3, "1 (default), 2 or 3: a single, double or triple move"), JOINT];
static SEQUENCE: [Entry; 14] = [
    units("own", MAX_UNITS, "own units, slots from 1"),
    units("enemy", MAX_UNITS, "those of the enemy, in the slots after"),
    number!("own-morale", 0, 60, "own Army Morale Points (default: `army-morale`)"),
    number!("enemy-morale", 0, 60, "those of the enemy"),
    number!("own-command-dice", 0, 10, "own Command Dice (default: `command-dice`)"),
    number!("enemy-command-dice", 0, 10, "those of the enemy"),
    number!("own-rally-dice", 0, 12, "own Rally Dice (default: `rally-dice`)"),
    number!("enemy-rally-dice", 0, 12, "those of the enemy"),
    WILD[0],
    WILD[1],
    INCHES,
    EFFECTS,
    Entry { about: "Army Morale is told in any case, unless this is false", ..ARMY },
    JOINT,
];

static TARGET: Entry = units("target", 1, "the unit that is fired at");
static GROUP: Entry = units("units", MAX_UNITS, "the units of a Command Group");
static DICE: Entry = number!("dice", 1, 10, "Command Dice");
static POINTS: Entry = number!("points", 0, 60, "Army Morale Points");
static CHECK_DICE: Entry = number!("dice", 1, 12, "own dice");
static MOVER: Entry = units("mover", 1, "the unit that moves");

const fn fields<const N: usize>(entries: &[Entry; N]) -> [Field; N] {
    let mut fields = [entries[0].field(); N];
    let mut place = 0;
    while place < N {
        fields[place] = entries[place].field();
        place += 1;
    }
    fields
}

static VOLLEY_FIELDS: [Field; VOLLEY.len()] = fields(&VOLLEY);
static VOLLEYS_FIELDS: [Field; VOLLEYS.len()] = fields(&VOLLEYS);
static RALLY_FIELDS: [Field; RALLY.len()] = fields(&RALLY);
static COMMAND_FIELDS: [Field; COMMAND.len()] = fields(&COMMAND);
static MORALE_FIELDS: [Field; MORALE.len()] = fields(&MORALE);
static CHECK_FIELDS: [Field; CHECK.len()] = fields(&CHECK);
static MOVE_FIELDS: [Field; MOVE.len()] = fields(&MOVE);
static SEQUENCE_FIELDS: [Field; SEQUENCE.len()] = fields(&SEQUENCE);

const UNITS_HELP: &str = "A unit is written `panzer-iv/dp=1,suppressed`, or `unit/reaction=3,at=4,cohesion=3`. Conditions: \
    reaction=N, artillery=N (Reaction Dice against artillery), at=N and fp=N (dice against armour and soft targets), cohesion=N, soft, \
    fast, dp=N (Disruption Points), suppressed, fired, moved=N (inches), goal=N (inches still to go). What lies behind it, in inches: \
    `edge=12,cover=8,enemy=20,friend=7-10`.";
const STEPS_HELP: &str = "Steps: volley (firer or dice, target, range, flank, uphill, move, cover, artillery, may-hold), command (side, dice, staff), \
    roll, pulse (staff), restock (side, dice, sixes), move (slot, dice, may-hold), turn, disperse (slot).";

const fn kind(name: &'static str, about: &'static str, subject: Option<Field>, fields: &'static [Field]) -> Kind {
    Kind { name, about, subject, fields, help: if subject.is_none() { STEPS_HELP } else { UNITS_HELP } }
}

/// The questions, in the order of [`Ask`].
#[rustfmt::skip]
pub static KINDS: [Kind; 8] = [
    kind("volley", "one volley: Disruption, Suppression, forced back, dispersed", Some(TARGET.field()), &VOLLEY_FIELDS),
    kind("volleys", "several volleys, with orders between them, by volley", Some(TARGET.field()), &VOLLEYS_FIELDS),
    kind("rally", "removing suppression and Disruption Points, by turn", Some(GROUP.field()), &RALLY_FIELDS),
    kind("command", "the roll of Command Dice: Command Failure, dice left, who goes first", Some(DICE.field()), &COMMAND_FIELDS),
    kind("morale", "Army Morale Points as units are dispersed, by dispersal", Some(POINTS.field()), &MORALE_FIELDS),
    kind("check", "an Army Morale Check", Some(CHECK_DICE.field()), &CHECK_FIELDS),
    kind("move", "inches of a move", Some(MOVER.field()), &MOVE_FIELDS),
    kind("sequence", "units of two sides: volleys, orders, Command Dice, turns", None, &SEQUENCE_FIELDS),
];

impl Ask {
    pub const ALL: [Ask; 8] =
        [Ask::Volley, Ask::Volleys, Ask::Rally, Ask::Command, Ask::Morale, Ask::Check, Ask::Move, Ask::Sequence];

    pub fn kind(self) -> &'static Kind {
        &KINDS[self as usize]
    }

    /// The question of a kind.
    pub fn of(kind: &Kind) -> Ask {
        Ask::ALL.into_iter().find(|ask| ask.kind().name == kind.name).unwrap_or(Ask::Sequence)
    }

    /// Its fields, the subject first.
    pub fn entries(self) -> impl Iterator<Item = &'static Entry> + Clone {
        let (subject, entries): (Option<&Entry>, &[Entry]) = match self {
            Ask::Volley => (Some(&TARGET), &VOLLEY),
            Ask::Volleys => (Some(&TARGET), &VOLLEYS),
            Ask::Rally => (Some(&GROUP), &RALLY),
            Ask::Command => (Some(&DICE), &COMMAND),
            Ask::Morale => (Some(&POINTS), &MORALE),
            Ask::Check => (Some(&CHECK_DICE), &CHECK),
            Ask::Move => (Some(&MOVER), &MOVE),
            Ask::Sequence => (None, &SEQUENCE),
        };
        subject.into_iter().chain(entries)
    }
}

/// What a step of a sequence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Volley,
    Command,
    Roll,
    Pulse,
    Restock,
    Move,
    Turn,
    Disperse,
}

static STEP_VOLLEY: [Entry; 10] = join(
    [
        number!("firer", 1, 8, "slot of the firing unit"),
        number!("dice", 1, 30, "firing dice of something off the table, in place of a firing unit"),
        number!("target", 1, 8, "slot of the target"),
        flag("may-hold", "the firing side may hold its fire"),
    ],
    SITUATION,
);
static STEP_COMMAND: [Entry; 3] = [
    words("side", &SIDES, "own (default) or enemy"),
    number!("dice", 0, 10, "Command Dice (default: all that are left of those rolled)"),
    number!("staff", 0, 10, "Staff Orders it may use (default 0)"),
];
static STEP_PULSE: [Entry; 1] = [number!("staff", 0, 10, "Staff Orders the side may use beside its chain (default 0)")];
static STEP_RESTOCK: [Entry; 3] = [
    words("side", &SIDES, "own (default) or enemy"),
    number("dice", 2, 4, "Command Dice of one number: 2, 3 or 4"),
    flag("sixes", "that number is 6"),
];
static STEP_MOVE: [Entry; 3] =
    [number!("slot", 1, 8, "slot of the unit, which has a goal"), MOVE[0], flag("may-hold", "its side may let it stay")];
static STEP_DISPERSE: [Entry; 1] = [number!("slot", 1, 8, "slot of the unit")];

impl Deed {
    pub const ALL: [Deed; 8] =
        [Deed::Volley, Deed::Command, Deed::Roll, Deed::Pulse, Deed::Restock, Deed::Move, Deed::Turn, Deed::Disperse];

    /// The word of a sequence file.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Volley => "volley",
            Deed::Command => "command",
            Deed::Roll => "roll",
            Deed::Pulse => "pulse",
            Deed::Restock => "restock",
            Deed::Move => "move",
            Deed::Turn => "turn",
            Deed::Disperse => "disperse",
        }
    }

    /// The deed of that name.
    pub fn named(text: &str) -> Result<Deed, Fault> {
        let name = canonical(text);
        Deed::ALL.into_iter().find(|deed| deed.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no step does `{text}`"), 0..text.len());
            fault.expecting(text, Deed::ALL.iter().map(|deed| deed.name()))
        })
    }

    /// Its fields.
    pub fn entries(self) -> std::slice::Iter<'static, Entry> {
        let entries: &[Entry] = match self {
            Deed::Volley => &STEP_VOLLEY,
            Deed::Command => &STEP_COMMAND,
            Deed::Pulse => &STEP_PULSE,
            Deed::Restock => &STEP_RESTOCK,
            Deed::Move => &STEP_MOVE,
            Deed::Disperse => &STEP_DISPERSE,
            Deed::Roll | Deed::Turn => &[],
        };
        entries.iter()
    }
}

impl Entry {
    const fn field(&self) -> Field {
        let takes = match self.domain {
            Domain::Flag => Takes::Flag,
            Domain::Number(..) => Takes::Number("N"),
            Domain::Words(_) => Takes::Text("WORD"),
            Domain::Units(1) => Takes::Text("UNIT"),
            Domain::Units(_) => Takes::Text("UNITS"),
        };
        Field { name: self.name, takes, about: self.about }
    }
}

/// A value that was given for a field: a number, a flag as 0 or 1, a word as its place; or units.
#[derive(Clone, Debug)]
enum Given {
    Number(i64),
    Units(Written),
}

/// Fields that are filled in.
#[derive(Clone, Debug, Default)]
pub struct Sheet(BTreeMap<&'static str, Given>);

impl Sheet {
    /// Fills in a field.
    pub fn set(&mut self, entry: &'static Entry, value: Value) -> Result<(), Fault> {
        let name = entry.name;
        let given = match entry.domain {
            Domain::Flag => Given::Number(value.boolean(name)?.into()),
            Domain::Number(low, high) => Given::Number(value.integer(name, low, high)?),
            Domain::Words(words) => {
                let places: Vec<(&str, i64)> = words.iter().copied().zip(0..).collect();
                Given::Number(one_of(name, value, &places)?)
            }
            Domain::Units(most) => Given::Units(Written::parse(value.text(name)?, most)?),
        };
        self.0.insert(name, given);
        Ok(())
    }

    /// The number, or the place of the word, given for a field; all that are read fit 8 bits.
    pub fn number(&self, name: &str) -> Option<u8> {
        match self.0.get(name) {
            Some(Given::Number(number)) => Some(*number as u8),
            _ => None,
        }
    }

    pub fn flag(&self, name: &str) -> bool {
        self.number(name) == Some(1)
    }

    pub fn units(&self, name: &str) -> Option<&Written> {
        match self.0.get(name) {
            Some(Given::Units(units)) => Some(units),
            _ => None,
        }
    }
}
