//! Units: the side they belong to, printed values with their sources, and states.

use super::rules::Rules;
use schema::Source;
use schema::declared::named;

named! {
    /// One of the two sides. The question is about the own side.
    pub enum Side { Own = "own", Enemy = "enemy" }
}

impl Side {
    pub const fn other(self) -> Side {
        [Side::Enemy, Side::Own][self as usize]
    }
}

/// The maximum number of units on one side. They form one Command Group.
pub const MAX_UNITS: usize = 4;

/// Reaction Dice, those against artillery, dice against armour (AT) and soft targets (FP).
pub type UnitDice<T> = [T; 4];

/// A number of dice with its source; `None` if unknown.
pub type Printed = Option<(u8, Source)>;

/// A unit with published values.
#[derive(Debug)]
pub struct Preset {
    /// The word for the unit in the notation.
    pub name: &'static str,
    about: &'static str,
    dice: UnitDice<Printed>,
}

/// The predefined units.
pub static PRESETS: [Preset; 5] = {
    use Source::{Assumed, Found};
    const fn preset(name: &'static str, about: &'static str, dice: UnitDice<Printed>) -> Preset {
        Preset { name, about, dice }
    }
    let stug = [Some((6, Found)), Some((5, Found)), Some((8, Found)), Some((7, Found))];
    [
        preset("unit", "any unit: say its dice", [None; 4]),
        preset("panzer-iv", "Panzer IV", [Some((5, Found)), None, None, None]),
        preset("panther", "Panther", [Some((7, Found)), None, None, None]),
        preset("stug-iii", "Sturmgeschütz III", stug),
        preset("us-tank", "US tank", [Some((5, Assumed)), None, Some((6, Assumed)), None]),
    ]
};

impl Preset {
    /// Describes the unit, for example `Panzer IV: reaction 5 (found)`.
    pub fn in_words(&self) -> String {
        let known = ["reaction", "against artillery", "AT", "FP"].into_iter().zip(self.dice);
        let dice = |(word, printed): (&str, Printed)| {
            printed.map(|(dice, source)| format!("{word} {dice} ({})", source.name()))
        };
        let known: Vec<String> = known.filter_map(dice).collect();
        let colon = if known.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.about, known.join(", "))
    }
}

/// The surroundings behind a unit. All distances are inches from the unit; `None` if absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    pub edge: Option<u8>,
    /// The distance to the nearest cover; 0 if the unit is in this cover.
    pub cover: Option<u8>,
    /// The distance to an enemy unit.
    pub enemy: Option<u8>,
    /// The near and far end of a friendly unit. A move that would end between goes on to the far.
    pub friend: Option<(u8, u8)>,
}

impl Behind {
    /// Returns the distances after a move back. Things the unit has passed become `None`.
    pub(super) fn after(self, inches: u16) -> Behind {
        let still = |place: Option<u8>| {
            place.filter(|&place| u16::from(place) >= inches).map(|place| place - inches as u8)
        };
        let friend = self.friend.filter(|&(from, _)| u16::from(from) >= inches);
        Behind {
            edge: still(self.edge),
            // A unit that leaves its cover has passed it.
            cover: still(self.cover).filter(|_| inches == 0 || self.cover != Some(0)),
            enemy: still(self.enemy),
            friend: friend.map(|(from, to)| (from - inches as u8, to - inches as u8)),
        }
    }

    /// Returns the least length of a move at which all longer moves are equivalent.
    pub(super) fn beyond(self) -> u16 {
        let places = [self.edge, self.cover, self.enemy, self.friend.map(|(_, to)| to)];
        places.into_iter().flatten().max().map_or(0, |farthest| u16::from(farthest) + 1)
    }
}

/// The state of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Disruption Points, fewer than the unit's cohesion.
    pub dp: u8,
    pub suppressed: bool,
    /// True if the unit has fired this turn.
    pub fired: bool,
    pub dispersed: bool,
    /// True if the volley that the question reports on has forced the unit back.
    pub forced_back: bool,
    /// Rally Group orders since activations last ended. A move sets this to the maximum.
    pub activated: u8,
    /// Inches moved; 0 if the question does not report inches.
    pub moved: u16,
    /// Inches to the unit's goal; 0 if the unit is there, `None` without a goal.
    pub goal: Option<u16>,
    pub behind: Behind,
}

impl std::hash::Hash for Unit {
    /// Hashes all fields as two words, for speed: states are hashed once a roll.
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let Unit { dp, suppressed, fired, dispersed, forced_back, activated, moved, goal, behind } =
            *self;
        let marks = [forced_back, dispersed, fired, suppressed];
        let marks = marks.into_iter().fold(0, |marks, mark| marks << 1 | u8::from(mark));
        let ([low, high], [near, far]) =
            (moved.to_le_bytes(), goal.unwrap_or(u16::MAX).to_le_bytes());
        hasher.write_u64(u64::from_le_bytes([dp, marks, activated, low, high, near, far, 0]));
        let place = |place: Option<u8>| place.unwrap_or(u8::MAX);
        let (from, to) = behind.friend.unwrap_or((u8::MAX, u8::MAX));
        let places =
            [place(behind.edge), place(behind.cover), place(behind.enemy), from, to, 0, 0, 0];
        hasher.write_u64(u64::from_le_bytes(places));
    }
}

impl Unit {
    /// Returns whether the unit may fire: it is not dispersed, suppressed or marked as fired.
    pub fn may_fire(&self) -> bool {
        self.may_be_grouped() && !self.fired
    }

    /// Returns whether the unit can be part of a Command Group: it is not dispersed or suppressed.
    pub fn may_be_grouped(&self) -> bool {
        !self.dispersed && !self.suppressed
    }

    /// Returns whether the unit has a goal that it has not reached.
    pub(super) fn is_on_the_way(&self) -> bool {
        self.goal.is_some_and(|goal| goal > 0)
    }

    /// Returns the reason why the unit does not take part in a volley.
    pub(super) fn fate(&self) -> &'static str {
        match self {
            Unit { dispersed: true, .. } => "is dispersed",
            Unit { suppressed: true, .. } => "is suppressed",
            _ => "has fired",
        }
    }
}

/// A unit of a question: its preset, given values and state at the start.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub preset: &'static Preset,
    /// Dice given in the question. They replace the published dice.
    pub dice: UnitDice<Option<u8>>,
    pub cohesion: Option<u8>,
    /// True if the unit is fast. Otherwise its speed is average.
    pub fast: bool,
    /// True if the unit is a soft target. Otherwise it is armoured.
    pub soft: bool,
    pub start: Unit,
}

impl Member {
    fn dice(&self) -> UnitDice<Printed> {
        let given = self.dice.map(|dice| Some((dice?, Source::Seed)));
        std::array::from_fn(|place| given[place].or(self.preset.dice[place]))
    }

    /// Returns the Reaction Dice, or `None` if unknown. Against artillery those for it come first.
    pub fn reaction(&self, artillery: bool) -> Printed {
        let [against_all, against_artillery, ..] = self.dice();
        let only_all_given = matches!(self.dice, [Some(_), None, ..]);
        against_artillery.filter(|_| artillery && !only_all_given).or(against_all)
    }

    /// Returns the firing dice against a soft (FP) or armoured target (AT); `None` if unknown.
    pub fn fire(&self, soft: bool) -> Printed {
        let [.., at, fp] = self.dice();
        if soft { fp } else { at }
    }

    /// Returns the Disruption Points that disperse the unit.
    pub fn cohesion(&self, rules: &Rules) -> u8 {
        self.cohesion.unwrap_or(rules.cohesion.count())
    }

    /// Returns the notation of the unit with changed points, suppression, inches and goal.
    pub fn in_notation(&self, dp: u8, suppressed: bool, moved: u16, goal: Option<u16>) -> String {
        let start = Unit { dp, suppressed, moved, goal, ..Unit::default() };
        Member { start, ..*self }.to_string()
    }
}
