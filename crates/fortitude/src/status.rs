//! Statuses of units, and the levels that a question can wait for.

use std::fmt;

use schema::declared::named;
use schema::{ChartClass, StatusInCharts};

named! {
    /// The status of a unit: one of the four Morale Levels, or a way to leave the game for good.
    #[derive(Default)]
    pub enum Status {
        #[default]
        Normal = "normal",
        Hesitant = "hesitant",
        Shaken = "shaken",
        Panicked = "panicked",
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
        Normal = Status::Normal.name(),
        Hesitant = Status::Hesitant.name(),
        Shaken = Status::Shaken.name(),
        /// The first arrival at Shaken or worse.
        Routed = "routed",
        Panicked = Status::Panicked.name(),
    }
}

impl Status {
    /// Returns what charts show of the status with a name.
    pub fn in_charts(name: &str) -> Option<StatusInCharts> {
        let status = Status::ALL.into_iter().find(|status| status.name() == name)?;
        let class = match status {
            Status::Normal => ChartClass::Good,
            Status::Hesitant => ChartClass::Pinned,
            Status::Shaken => ChartClass::Broken,
            Status::Panicked => ChartClass::Berserk,
            Status::Surrendered | Status::Destroyed | Status::LeftBoard => ChartClass::Lost,
        };
        Some((class, status.title()))
    }

    /// Returns the number of Morale Markers of a level, 0 to 3.
    #[inline]
    pub const fn markers(self) -> usize {
        self as usize
    }

    /// Returns the level with one marker less.
    pub fn better(self) -> Status {
        Status::ALL[self.markers().saturating_sub(1)]
    }

    /// Returns the level with `markers` more markers, at most three in all.
    pub fn worse(self, markers: u8) -> Status {
        Status::ALL[(self.markers() + usize::from(markers)).min(Status::Panicked.markers())]
    }

    /// Returns whether the level is Shaken or Panicked, so that the unit gets no orders and runs.
    pub const fn is_routed(self) -> bool {
        matches!(self, Status::Shaken | Status::Panicked)
    }

    /// Returns whether the unit has left the game.
    pub const fn is_gone(self) -> bool {
        self.markers() > Status::Panicked.markers()
    }

    /// Returns the name of a level for sentences, with a capital.
    pub const fn title(self) -> &'static str {
        match self {
            Status::Normal => "Normal",
            Status::Hesitant => "Hesitant",
            Status::Shaken => "Shaken",
            Status::Panicked => "Panicked",
            gone => gone.name(),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl Until {
    pub fn is_reached(self, level: Status) -> bool {
        match self {
            Until::Never => false,
            Until::Normal => level == Status::Normal,
            Until::Hesitant => level == Status::Hesitant,
            Until::Shaken => level == Status::Shaken,
            Until::Routed => level.is_routed(),
            Until::Panicked => level == Status::Panicked,
        }
    }
}
