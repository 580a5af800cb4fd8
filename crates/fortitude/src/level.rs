//! Morale Levels: how willing a unit is to go on.

use std::fmt;

/// A Morale Level; its number of Morale Markers is its place here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    #[default]
    Normal,
    Hesitant,
    Shaken,
    Panicked,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Normal, Level::Hesitant, Level::Shaken, Level::Panicked];

    /// Morale Markers on the unit's flag.
    #[inline]
    pub const fn markers(self) -> usize {
        self as usize
    }

    /// The level with one marker less.
    pub fn better(self) -> Level {
        Level::ALL[self.markers().saturating_sub(1)]
    }

    /// The level with so many more markers, three at most.
    pub fn worse(self, markers: u8) -> Level {
        Level::ALL[(self.markers() + usize::from(markers)).min(3)]
    }

    /// Shaken or Panicked: such a unit gets no orders and moves in the Retreat Step.
    pub const fn is_routed(self) -> bool {
        matches!(self, Level::Shaken | Level::Panicked)
    }

    /// The word of a status and of the notation.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Normal => "normal",
            Level::Hesitant => "hesitant",
            Level::Shaken => "shaken",
            Level::Panicked => "panicked",
        }
    }

    /// The word of a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Level::Normal => "Normal",
            Level::Hesitant => "Hesitant",
            Level::Shaken => "Shaken",
            Level::Panicked => "Panicked",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// How a unit left the game, for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// It surrendered, which counts as destroyed.
    Surrendered,
    /// It has no models left.
    Destroyed,
    /// It panicked over the edge of the board, which counts as destroyed.
    LeftBoard,
}

/// Every status, in order: the levels, then the ends.
pub const STATUSES: [&str; 7] =
    ["normal", "hesitant", "shaken", "panicked", "surrendered", "destroyed", "left-board"];

/// What an outcome says of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    At(Level),
    Gone(End),
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Status::At(level) => level.name(),
            Status::Gone(End::Surrendered) => STATUSES[4],
            Status::Gone(End::Destroyed) => STATUSES[5],
            Status::Gone(End::LeftBoard) => STATUSES[6],
        }
    }
}

/// A first arrival that ends what is told of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// There is none: a unit is told of as it stands.
    #[default]
    Never,
    /// The first arrival at that level.
    At(Level),
    /// The first arrival at Shaken or worse.
    Routed,
}

impl Until {
    pub const ALL: [Until; 6] = [
        Until::Never,
        Until::At(Level::Normal),
        Until::At(Level::Hesitant),
        Until::At(Level::Shaken),
        Until::Routed,
        Until::At(Level::Panicked),
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Until::Never => "none",
            Until::At(level) => level.name(),
            Until::Routed => "routed",
        }
    }

    pub fn is_reached(self, level: Level) -> bool {
        match self {
            Until::Never => false,
            Until::At(aim) => level == aim,
            Until::Routed => level.is_routed(),
        }
    }
}
