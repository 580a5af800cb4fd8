//! Morale Levels, the ways a unit ends, and its statuses.

use std::fmt;

use schema::declared::named;

named! {
    /// A Morale Level. Its discriminant is its number of Morale Markers.
    #[derive(Default)]
    pub enum Level {
        #[default]
        Normal = "normal",
        Hesitant = "hesitant",
        Shaken = "shaken",
        Panicked = "panicked",
    }

    /// A way to leave the game for good.
    pub enum End {
        /// The unit surrendered, which counts as destroyed.
        Surrendered = "surrendered",
        /// The unit has no models left.
        Destroyed = "destroyed",
        /// The unit panicked over the edge of the board, which counts as destroyed.
        LeftBoard = "left-board",
    }

    /// The arrival at a level from which on the reported state of a unit stays as it is.
    #[derive(Default)]
    pub enum Until {
        /// No arrival: each report gives the current state.
        #[default]
        Never = "none",
        Normal = "normal",
        Hesitant = "hesitant",
        Shaken = "shaken",
        /// The first arrival at Shaken or worse.
        Routed = "routed",
        Panicked = "panicked",
    }
}

impl Level {
    /// Returns the number of Morale Markers, 0 to 3.
    #[inline]
    pub const fn markers(self) -> usize {
        self as usize
    }

    /// Returns the level with one marker less.
    pub fn better(self) -> Level {
        Level::ALL[self.markers().saturating_sub(1)]
    }

    /// Returns the level with `markers` more markers, at most three in all.
    pub fn worse(self, markers: u8) -> Level {
        Level::ALL[(self.markers() + usize::from(markers)).min(3)]
    }

    /// Returns whether the level is Shaken or Panicked. A unit at these levels gets no orders and
    /// moves in the Retreat Step.
    pub const fn is_routed(self) -> bool {
        matches!(self, Level::Shaken | Level::Panicked)
    }

    /// Returns the name of the level for sentences, with a capital.
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

/// All statuses in order: the levels, then the ends.
pub const STATUSES: [&str; 7] =
    ["normal", "hesitant", "shaken", "panicked", "surrendered", "destroyed", "left-board"];

/// The status of a unit in an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    At(Level),
    Removed(End),
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Status::At(level) => level.name(),
            Status::Removed(end) => end.name(),
        }
    }
}

impl Until {
    pub fn is_reached(self, level: Level) -> bool {
        match self {
            Until::Never => false,
            Until::Normal => level == Level::Normal,
            Until::Hesitant => level == Level::Hesitant,
            Until::Shaken => level == Level::Shaken,
            Until::Routed => level.is_routed(),
            Until::Panicked => level == Level::Panicked,
        }
    }
}
