//! Lines of sight: whether one Location sees another, and through how many Hindrances.
//!
//! Rules ask a [`LineOfSight`] and know nothing of how it is found: from the hexes, from a table, or by hand. What is given by hand
//! always wins.

use std::collections::HashMap;

use super::map::{Map, Placed, Site};
use super::table::ListedLine;

/// What finds lines of sight. A line is the same in both directions.
pub trait LineOfSight: Send + Sync {
    /// The Hindrances between two Locations; `None` where there is no LOS.
    fn hindrance(&self, map: &Map, from: Site, to: Site) -> Option<u8>;
}

/// Both ends of a line, the lower first.
fn ends(from: Site, to: Site) -> (Site, Site) {
    if from <= to { (from, to) } else { (to, from) }
}

/// Lines of sight from a table: a pair that is not listed has none. A table lists ground level.
pub struct Listed<L> {
    lines: HashMap<(Site, Site), u8>,
    /// The boards whose lines are listed; all, if none is named.
    boards: Vec<Placed>,
    /// What finds the lines between other hexes, and those of upper levels.
    other: L,
}

impl<L: LineOfSight> Listed<L> {
    /// The lines of a table whose hexes are those of the map.
    pub fn new(lines: impl IntoIterator<Item = ListedLine>, upper: L) -> Listed<L> {
        Listed::of_boards(Vec::new(), lines, upper)
    }

    /// The lines of tables of some boards; `other` finds those from board to board.
    pub fn of_boards(boards: Vec<Placed>, lines: impl IntoIterator<Item = ListedLine>, other: L) -> Listed<L> {
        let line = |(from, to, hindrance)| (ends(Site::ground(from), Site::ground(to)), hindrance);
        Listed { lines: lines.into_iter().map(line).collect(), boards, other }
    }
}

impl<L> Listed<L> {
    fn lists(&self, from: Site, to: Site) -> bool {
        let both = |board: &Placed| board.own(from.hex).is_some() && board.own(to.hex).is_some();
        self.boards.is_empty() || self.boards.iter().any(both)
    }
}

impl<L: LineOfSight> LineOfSight for Listed<L> {
    fn hindrance(&self, map: &Map, from: Site, to: Site) -> Option<u8> {
        match (from.level, to.level) {
            _ if from.hex == to.hex => Some(0),
            (0, 0) if self.lists(from, to) => self.lines.get(&ends(from, to)).copied(),
            _ => self.other.hindrance(map, from, to),
        }
    }
}

/// Lines of sight some of which are given by hand.
pub struct Overridden<L> {
    /// Hindrances of a line, or `None` where it is blocked.
    lines: HashMap<(Site, Site), Option<u8>>,
    other: L,
}

impl<L: LineOfSight> Overridden<L> {
    /// `other`, with no line given by hand yet.
    pub fn new(other: L) -> Overridden<L> {
        Overridden { lines: HashMap::new(), other }
    }

    /// Gives a line; what was given for it before, if it was something else.
    pub fn set(&mut self, from: Site, to: Site, hindrance: Option<u8>) -> Option<Option<u8>> {
        self.lines.insert(ends(from, to), hindrance).filter(|&before| before != hindrance)
    }
}

impl<L: LineOfSight> LineOfSight for Overridden<L> {
    fn hindrance(&self, map: &Map, from: Site, to: Site) -> Option<u8> {
        match self.lines.get(&ends(from, to)) {
            Some(&line) => line,
            None => self.other.hindrance(map, from, to),
        }
    }
}

impl LineOfSight for Box<dyn LineOfSight> {
    fn hindrance(&self, map: &Map, from: Site, to: Site) -> Option<u8> {
        (**self).hindrance(map, from, to)
    }
}
