//! Units: their sorts, values with sources, and their condition at the start of a question.

use std::fmt;

use super::level::Level;
use super::order::Order;
use super::rules::Rules;
use schema::kind::Source;

/// The maximum number of units on one side.
pub const MAX_UNITS: usize = 8;

/// A value of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitValue {
    /// Base Fortitude.
    Base,
    /// Attack Value against infantry.
    Attack,
    /// Attack Value against cavalry.
    AttackCavalry,
    Defense,
    Models,
    /// Attack dice for each model.
    Dice,
}

impl UnitValue {
    pub const ALL: [UnitValue; 6] = [
        UnitValue::Base,
        UnitValue::Attack,
        UnitValue::AttackCavalry,
        UnitValue::Defense,
        UnitValue::Models,
        UnitValue::Dice,
    ];

    /// Returns the name of the value in the notation of units.
    pub const fn name(self) -> &'static str {
        match self {
            UnitValue::Base => "base",
            UnitValue::Attack => "attack",
            UnitValue::AttackCavalry => "attack-cavalry",
            UnitValue::Defense => "defense",
            UnitValue::Models => "models",
            UnitValue::Dice => "dice",
        }
    }

    /// Returns the least and the greatest allowed value.
    pub const fn range(self) -> (u8, u8) {
        match self {
            UnitValue::Base => (1, 40),
            UnitValue::Attack | UnitValue::AttackCavalry => (0, 20),
            UnitValue::Defense => (0, 20),
            UnitValue::Models => (1, 12),
            UnitValue::Dice => (1, 6),
        }
    }
}

/// A sort of unit. Each value comes with its source, in the order of [`UnitValue::ALL`].
#[derive(Debug, PartialEq, Eq)]
pub struct Sort {
    pub name: &'static str,
    pub about: &'static str,
    values: [(u8, Source); 6],
    pub cavalry: bool,
}

impl Sort {
    /// Returns the description of the sort, with its values and their sources.
    pub fn in_words(&self) -> String {
        let value = |(value, (number, source)): (UnitValue, (u8, Source))| {
            format!("{} {number} ({})", value.name(), source.name())
        };
        let values: Vec<String> = UnitValue::ALL.into_iter().zip(self.values).map(value).collect();
        format!("{}: {}", self.about, values.join(", "))
    }
}

/// All sorts of units.
pub static SORTS: [Sort; 4] = {
    use Source::{Assumed, Found, Inferred};
    [
        Sort {
            name: "unit",
            about: "a unit with the values that you give; by default plain values and the \
                Fortitude of the known cards",
            values: [
                (10, Assumed),
                (4, Assumed),
                (4, Assumed),
                (1, Assumed),
                (5, Assumed),
                (1, Assumed),
            ],
            cavalry: false,
        },
        Sort {
            name: "ashigaru-archers",
            about: "Ashigaru archers, infantry",
            values: [
                (10, Found),
                (2, Assumed),
                (2, Assumed),
                (1, Assumed),
                (5, Assumed),
                (1, Assumed),
            ],
            cavalry: false,
        },
        Sort {
            name: "sample-card",
            about: "the unit of an illustrated card, probably Ashigaru spearmen, infantry",
            values: [
                (10, Found),
                (4, Inferred),
                (6, Inferred),
                (1, Inferred),
                (5, Assumed),
                (1, Assumed),
            ],
            cavalry: false,
        },
        Sort {
            name: "samurai-cavalry",
            about: "Samurai cavalry",
            values: [
                (14, Assumed),
                (8, Found),
                (8, Assumed),
                (2, Assumed),
                (3, Assumed),
                (3, Found),
            ],
            cavalry: true,
        },
    ]
};

/// A distance: hexes to the General Staff, or movement to reach an edge. `None` if not given.
pub type Distance = Option<u8>;

/// The distances to the edges of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    pub nearest: u8,
    /// The distance to the unit's own edge, given only if that is not the nearest.
    pub own: Distance,
}

/// A unit as the question starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub sort: &'static Sort,
    /// Values given in the question, by [`UnitValue::ALL`]; `None` keeps the value of the sort.
    pub overrides: [Option<u8>; 6],
    pub cavalry: bool,
    pub level: Level,
    pub casualties: u8,
    pub fatigue: u8,
    pub commander: bool,
    pub honor: bool,
    /// True if the unit is in melee with an opponent outside the question.
    pub engaged: bool,
    /// True if the unit can neither flee nor panic.
    pub blocked: bool,
    /// True if the unit is the General Staff of its army.
    pub general_staff: bool,
    pub staff: Distance,
    pub edge: Distance,
    /// The distance to the unit's own edge, given only if that is not the nearest.
    pub own_edge: Distance,
}

impl Member {
    pub fn from_sort(sort: &'static Sort) -> Member {
        Member {
            sort,
            overrides: [None; 6],
            cavalry: sort.cavalry,
            level: Level::Normal,
            casualties: 0,
            fatigue: 0,
            commander: false,
            honor: false,
            engaged: false,
            blocked: false,
            general_staff: false,
            staff: None,
            edge: None,
            own_edge: None,
        }
    }

    #[inline]
    pub fn value(&self, value: UnitValue) -> u8 {
        self.overrides[value as usize].unwrap_or(self.sort.values[value as usize].0)
    }

    /// Returns whether the unit has a Commander. The General Staff counts as having one.
    pub fn has_commander(&self) -> bool {
        self.commander || self.general_staff
    }

    /// Returns whether `rules` allow the unit to have the order.
    pub fn can_have(&self, order: Order, rules: &Rules) -> bool {
        (order.is_for_cavalry() || !self.cavalry)
            && (self.has_commander() || rules.orders_without_commander.has(order))
    }

    /// Returns whether a value is an assumption that the question does not override.
    pub fn is_assumed(&self, value: UnitValue) -> bool {
        self.overrides[value as usize].is_none()
            && self.sort.values[value as usize].1 == Source::Assumed
    }

    /// Returns the notation of the unit: permanent traits, the given casualties and Honor Marker.
    pub fn lasting(&self, casualties: u8, honor: bool) -> String {
        let mut words = self.trait_words();
        if casualties > 0 {
            words.push(format!("casualties={casualties}"));
        }
        words.extend(honor.then(|| "honor".to_string()));
        join(self.sort.name, &words)
    }

    /// Returns the words of the notation for traits that never change.
    fn trait_words(&self) -> Vec<String> {
        let overrides = UnitValue::ALL.into_iter().zip(self.overrides);
        let mut words: Vec<String> = overrides
            .filter_map(|(value, number)| number.map(|number| format!("{}={number}", value.name())))
            .collect();
        if self.cavalry != self.sort.cavalry {
            words.push(if self.cavalry { "cavalry" } else { "infantry" }.to_string());
        }
        words.extend(self.general_staff.then(|| "general-staff".to_string()));
        words.extend(self.commander.then(|| "commander".to_string()));
        if self.fatigue > 0 {
            words.push(format!("fatigue={}", self.fatigue));
        }
        words
    }
}

fn join(name: &str, words: &[String]) -> String {
    if words.is_empty() { name.to_string() } else { format!("{name}/{}", words.join(",")) }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.trait_words();
        if self.level != Level::Normal {
            words.push(self.level.name().to_string());
        }
        if self.casualties > 0 {
            words.push(format!("casualties={}", self.casualties));
        }
        for (holds, word) in
            [(self.honor, "honor"), (self.engaged, "engaged"), (self.blocked, "blocked")]
        {
            words.extend(holds.then(|| word.to_string()));
        }
        for (distance, word) in
            [(self.staff, "staff"), (self.edge, "edge"), (self.own_edge, "own-edge")]
        {
            words.extend(distance.map(|hexes| format!("{word}={hexes}")));
        }
        f.write_str(&join(self.sort.name, &words))
    }
}
