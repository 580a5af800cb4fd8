//! Units: the side they belong to, printed values with their sources, and states.

use std::fmt;

use super::rules::Rules;
use engine::process::Player;
use schema::Source;
use schema::declared::named;
use schema::roster::{condition, numbered, written};

named! {
    /// One of the two sides. The question is about the own side.
    pub enum Side { Own = "own", Enemy = "enemy" }
}

impl Side {
    pub const fn other(self) -> Side {
        match self {
            Side::Own => Side::Enemy,
            Side::Enemy => Side::Own,
        }
    }

    pub(super) const fn player(self) -> Player {
        match self {
            Side::Own => Player::Owner,
            Side::Enemy => Player::Enemy,
        }
    }
}

/// The maximum number of units on one side. They form one Command Group.
pub const MAX_UNITS: usize = 4;

/// A number of dice with its source; `None` if unknown.
pub type Printed = Option<(u8, Source)>;

/// A unit with published values.
#[derive(Debug)]
pub struct Preset {
    /// The word for the unit in the notation.
    pub name: &'static str,
    pub about: &'static str,
    pub reaction: Printed,
    /// Reaction Dice against artillery, if these differ.
    pub artillery: Printed,
    /// Dice against armour.
    pub at: Printed,
    /// Dice against soft targets.
    pub fp: Printed,
}

const fn found(dice: u8) -> Printed {
    Some((dice, Source::Found))
}

const fn assumed(dice: u8) -> Printed {
    Some((dice, Source::Assumed))
}

/// A unit without values of its own.
const ANY: Preset = Preset {
    name: "unit",
    about: "any unit: say its dice",
    reaction: None,
    artillery: None,
    at: None,
    fp: None,
};

/// The predefined units.
pub static PRESETS: [Preset; 5] = [
    ANY,
    Preset { name: "panzer-iv", about: "Panzer IV", reaction: found(5), ..ANY },
    Preset { name: "panther", about: "Panther", reaction: found(7), ..ANY },
    Preset {
        name: "stug-iii",
        about: "Sturmgeschütz III",
        reaction: found(6),
        artillery: found(5),
        at: found(8),
        fp: found(7),
    },
    Preset { name: "us-tank", about: "US tank", reaction: assumed(5), at: assumed(6), ..ANY },
];

impl fmt::Display for Preset {
    /// Writes for example `Panzer IV: reaction 5 (found)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about)?;
        let values = [
            ("reaction", self.reaction),
            ("against artillery", self.artillery),
            ("AT", self.at),
            ("FP", self.fp),
        ];
        let known = values
            .into_iter()
            .filter_map(|(word, printed)| printed.map(|(dice, source)| (word, dice, source)));
        for (place, (word, dice, source)) in known.enumerate() {
            write!(f, "{} {word} {dice} ({})", if place == 0 { ":" } else { "," }, source.name())?;
        }
        Ok(())
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
    /// The distances to the near and the far end of a friendly unit. A move that would end between
    /// them continues to the far end.
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

    /// Returns an inch more than the distance to the farthest item; 0 if nothing is behind. All
    /// moves of at least this length are equivalent.
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
        let marks = u8::from(suppressed)
            | u8::from(fired) << 1
            | u8::from(dispersed) << 2
            | u8::from(forced_back) << 3;
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
    /// A dispersed unit, with all other values reset so that equal states merge.
    pub(super) const DISPERSED: Unit = Unit {
        dp: 0,
        suppressed: false,
        fired: false,
        dispersed: true,
        forced_back: false,
        activated: 0,
        moved: 0,
        goal: None,
        behind: Behind { edge: None, cover: None, enemy: None, friend: None },
    };

    /// Returns whether the unit may fire: it is not dispersed, suppressed or marked as fired.
    pub fn may_fire(&self) -> bool {
        !self.dispersed && !self.suppressed && !self.fired
    }

    /// Returns whether the unit can be part of a Command Group: it is not dispersed or suppressed.
    pub fn may_be_grouped(&self) -> bool {
        !self.dispersed && !self.suppressed
    }
}

/// Values given in the question for a unit. They replace the printed values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueOverrides {
    pub reaction: Option<u8>,
    pub artillery: Option<u8>,
    pub at: Option<u8>,
    pub fp: Option<u8>,
    pub cohesion: Option<u8>,
    /// True if the unit is fast. Otherwise its speed is average.
    pub fast: bool,
    /// True if the unit is a soft target. Otherwise it is armoured.
    pub soft: bool,
}

/// A unit of a question: its preset, given values and state at the start.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub preset: &'static Preset,
    pub values: ValueOverrides,
    pub start: Unit,
}

impl Member {
    /// Returns the Reaction Dice. Against artillery these are the dice for artillery, if the unit
    /// has any. The result is `None` if the number is unknown.
    pub fn reaction(&self, artillery: bool) -> Printed {
        let against_all = override_printed(self.values.reaction, self.preset.reaction);
        let against_artillery = override_printed(
            self.values.artillery,
            self.preset.artillery.filter(|_| self.values.reaction.is_none()),
        );
        if artillery { against_artillery.or(against_all) } else { against_all }
    }

    /// Returns the firing dice against a soft (FP) or armoured target (AT); `None` if unknown.
    pub fn fire(&self, soft: bool) -> Printed {
        if soft {
            override_printed(self.values.fp, self.preset.fp)
        } else {
            override_printed(self.values.at, self.preset.at)
        }
    }

    pub fn cohesion(&self, rules: &Rules) -> u8 {
        self.values.cohesion.unwrap_or(rules.cohesion.count())
    }

    /// Returns the notation of the unit with changed points, suppression, inches and goal.
    pub fn in_notation(&self, dp: u8, suppressed: bool, moved: u16, goal: Option<u16>) -> String {
        let start = Unit { dp, suppressed, moved, goal, ..Unit::default() };
        Member { start, ..*self }.to_string()
    }
}

fn override_printed(value: Option<u8>, printed: Printed) -> Printed {
    value.map(|dice| (dice, Source::Seed)).or(printed)
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueOverrides { reaction, artillery, at, fp, cohesion, fast, soft } = self.values;
        let Unit { dp, suppressed, fired, moved, goal, behind, .. } = self.start;
        let Behind { edge, cover, enemy, friend } = behind;
        let conditions = [
            numbered("reaction", reaction),
            numbered("artillery", artillery),
            numbered("at", at),
            numbered("fp", fp),
            numbered("cohesion", cohesion),
            condition("fast", fast),
            condition("soft", soft),
            numbered("dp", Some(dp).filter(|dp| *dp > 0)),
            condition("suppressed", suppressed),
            condition("fired", fired),
            numbered("moved", Some(moved).filter(|inches| *inches > 0)),
            numbered("goal", goal),
            numbered("edge", edge),
            numbered("cover", cover),
            numbered("enemy", enemy),
            numbered("friend", friend.map(|(from, to)| format!("{from}-{to}"))),
        ];
        f.write_str(&written(self.preset.name, conditions))
    }
}
