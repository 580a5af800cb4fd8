//! Units: the side they belong to, printed values with their sources, and states.

use std::fmt;

use super::rules::Rules;
use engine::process::Player;
use schema::kind::Source;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side the question is about.
    Own,
    Enemy,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Own, Side::Enemy];

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

    pub(super) const fn name(self) -> &'static str {
        match self {
            Side::Own => "own",
            Side::Enemy => "enemy",
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

const FOUND: Source = Source::Found;

/// The predefined units; `unit` has no values of its own.
pub static PRESETS: [Preset; 5] = [
    Preset {
        name: "unit",
        about: "any unit: say its dice",
        reaction: None,
        artillery: None,
        at: None,
        fp: None,
    },
    Preset {
        name: "panzer-iv",
        about: "Panzer IV",
        reaction: Some((5, FOUND)),
        artillery: None,
        at: None,
        fp: None,
    },
    Preset {
        name: "panther",
        about: "Panther",
        reaction: Some((7, FOUND)),
        artillery: None,
        at: None,
        fp: None,
    },
    Preset {
        name: "stug-iii",
        about: "Sturmgeschütz III",
        reaction: Some((6, FOUND)),
        artillery: Some((5, FOUND)),
        at: Some((8, FOUND)),
        fp: Some((7, FOUND)),
    },
    Preset {
        name: "us-tank",
        about: "US tank",
        reaction: Some((5, Source::Assumed)),
        artillery: None,
        at: Some((6, Source::Assumed)),
        fp: None,
    },
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
        let mut words = self.values.words();
        words.extend((dp > 0).then(|| format!("dp={dp}")));
        words.extend(suppressed.then(|| "suppressed".to_string()));
        words.extend((moved > 0).then(|| format!("moved={moved}")));
        words.extend(goal.map(|goal| format!("goal={goal}")));
        with_words(self.preset.name, &words)
    }
}

fn override_printed(value: Option<u8>, printed: Printed) -> Printed {
    value.map(|dice| (dice, Source::Seed)).or(printed)
}

fn with_words(name: &str, words: &[String]) -> String {
    if words.is_empty() { name.to_string() } else { format!("{name}/{}", words.join(",")) }
}

impl ValueOverrides {
    fn words(&self) -> Vec<String> {
        let numbers = [
            ("reaction", self.reaction),
            ("artillery", self.artillery),
            ("at", self.at),
            ("fp", self.fp),
            ("cohesion", self.cohesion),
        ];
        let numbers = numbers
            .into_iter()
            .filter_map(|(word, value)| value.map(|value| format!("{word}={value}")));
        let words =
            [("fast", self.fast), ("soft", self.soft)].into_iter().filter(|(_, holds)| *holds);
        numbers.chain(words.map(|(word, _)| word.to_string())).collect()
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unit { dp, suppressed, fired, moved, goal, behind, .. } = self.start;
        let mut words = self.values.words();
        let mut add = |holds: bool, word: String| words.extend(holds.then_some(word));
        add(dp > 0, format!("dp={dp}"));
        add(suppressed, "suppressed".to_string());
        add(fired, "fired".to_string());
        add(moved > 0, format!("moved={moved}"));
        add(goal.is_some(), format!("goal={}", goal.unwrap_or_default()));
        for (word, place) in
            [("edge", behind.edge), ("cover", behind.cover), ("enemy", behind.enemy)]
        {
            add(place.is_some(), format!("{word}={}", place.unwrap_or_default()));
        }
        let (from, to) = behind.friend.unwrap_or_default();
        add(behind.friend.is_some(), format!("friend={from}-{to}"));
        f.write_str(&with_words(self.preset.name, &words))
    }
}
