//! Lines of sight (LOS) between Locations, with the number of Hindrances on each.
//!
//! The rules use a [`LineOfSight`], which hides the source of the lines: the geometry of the map, a
//! table, or the user. Lines set by the user take precedence.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use super::map::{Location, Map, PlacedBoard};
use super::table::ListedLine;

/// A source of lines of sight. A line is the same in both directions.
pub trait LineOfSight: Send + Sync {
    /// Returns the number of Hindrances between two Locations, or `None` if there is no LOS.
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8>;
}

fn ends(from: Location, to: Location) -> (Location, Location) {
    if from <= to { (from, to) } else { (to, from) }
}

/// Lines of sight from a table of ground-level lines. A pair that is not listed has no LOS.
pub struct ListedSight<L> {
    lines: HashMap<(Location, Location), u8>,
    /// The boards whose lines are listed, or no boards if the lines of the whole map are.
    boards: Vec<PlacedBoard>,
    /// The source of lines between boards and of upper levels.
    other: L,
}

impl<L: LineOfSight> ListedSight<L> {
    /// Builds the source from a table of the whole map. `upper` supplies the lines of upper levels.
    pub fn new(lines: impl IntoIterator<Item = ListedLine>, upper: L) -> ListedSight<L> {
        ListedSight::of_boards(Vec::new(), lines, upper)
    }

    /// Builds the source from tables of some boards. `other` supplies all other lines.
    pub fn of_boards(
        boards: Vec<PlacedBoard>,
        lines: impl IntoIterator<Item = ListedLine>,
        other: L,
    ) -> ListedSight<L> {
        let line =
            |(from, to, hindrance)| (ends(Location::ground(from), Location::ground(to)), hindrance);
        ListedSight { lines: lines.into_iter().map(line).collect(), boards, other }
    }
}

impl<L> ListedSight<L> {
    fn lists(&self, from: Location, to: Location) -> bool {
        let both = |board: &PlacedBoard| {
            board.on_board(from.hex).is_some() && board.on_board(to.hex).is_some()
        };
        self.boards.is_empty() || self.boards.iter().any(both)
    }
}

impl<L: LineOfSight> LineOfSight for ListedSight<L> {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        match (from.level, to.level) {
            _ if from.hex == to.hex => Some(0),
            (0, 0) if self.lists(from, to) => self.lines.get(&ends(from, to)).copied(),
            _ => self.other.hindrance(map, from, to),
        }
    }
}

/// Lines of sight, some of which the user has set.
pub struct Overridden<L> {
    /// The Hindrances of each line that the user has set, or `None` if it is blocked.
    lines: HashMap<(Location, Location), Option<u8>>,
    other: L,
}

impl<L: LineOfSight> Overridden<L> {
    /// Wraps the source `other`, without any line set yet.
    pub fn new(other: L) -> Overridden<L> {
        Overridden { lines: HashMap::new(), other }
    }

    /// Sets the Hindrances of a line, or blocks it with `None`. Returns the previous setting if
    /// that was a different one.
    pub fn set(
        &mut self,
        from: Location,
        to: Location,
        hindrance: Option<u8>,
    ) -> Option<Option<u8>> {
        self.lines.insert(ends(from, to), hindrance).filter(|&before| before != hindrance)
    }
}

impl<L: LineOfSight> LineOfSight for Overridden<L> {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        match self.lines.get(&ends(from, to)) {
            Some(&line) => line,
            None => self.other.hindrance(map, from, to),
        }
    }
}

/// A cache of the lines of sight of one map, shared by all units and situations.
pub struct Remembered<L> {
    other: L,
    /// The index in `lines` of the ground level of each hex. Its upper levels follow.
    numbers: Vec<usize>,
    /// A row for each Location, built on first use, with one byte for each Location. The byte is 0
    /// if unknown, 1 if blocked, otherwise 2 more than the Hindrances.
    lines: Vec<OnceLock<Box<[AtomicU8]>>>,
}

impl<L> Remembered<L> {
    /// Builds an empty cache of the lines that `other` finds on `map`, the only map it serves.
    pub fn new(map: &Map, other: L) -> Remembered<L> {
        let mut levels = vec![0; map.places() + 1];
        for hex in map.hexes() {
            if let (Some(place), Some(ground)) = (map.place(hex), map.get(hex)) {
                levels[place + 1] = 1 + usize::from(ground.upper_levels);
            }
        }
        let mut all = 0;
        for number in &mut levels {
            all += *number;
            *number = all;
        }
        let (numbers, lines) = (levels, (0..all).map(|_| OnceLock::new()).collect());
        Remembered { other, numbers, lines }
    }

    fn number(&self, map: &Map, location: Location) -> Option<usize> {
        let place = map.place(location.hex)?;
        let number = self.numbers.get(place)? + usize::from(location.level);
        (number < *self.numbers.get(place + 1)?).then_some(number)
    }
}

impl<L: LineOfSight> LineOfSight for Remembered<L> {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        let (Some(a), Some(b)) = (self.number(map, from), self.number(map, to)) else {
            return self.other.hindrance(map, from, to);
        };
        let row =
            self.lines[a].get_or_init(|| self.lines.iter().map(|_| AtomicU8::new(0)).collect());
        match row[b].load(Ordering::Relaxed) {
            0 => {
                let line = self.other.hindrance(map, from, to);
                let code = line.map_or(1, |hindrance| hindrance.saturating_add(2));
                row[b].store(code, Ordering::Relaxed);
                line
            }
            code => code.checked_sub(2),
        }
    }
}

impl LineOfSight for Box<dyn LineOfSight> {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        (**self).hindrance(map, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Geometry;
    use super::super::hex::Hex;
    use super::super::map::{HexContents, hex_terrain};
    use super::*;

    /// The cache equals its source in both directions, at upper levels and off the map.
    #[test]
    fn cached_lines_equal_those_of_their_source() {
        let kinds = ["open", "open", "woods", "grain", "building", "open", "orchard"];
        let hexes = (0..81_i16).map(|number| {
            let ground = HexContents::from_terrain(
                hex_terrain(kinds[usize::from(number as u16) * 5 % 7]).unwrap(),
            );
            let building = ground.terrain.is_building().then_some(number as u16);
            (
                Hex::new(number % 9 + 1, number / 9 + 1),
                HexContents { building, upper_levels: u8::from(building.is_some()), ..ground },
            )
        });
        let map = Map::new(vec![PlacedBoard::alone()], hexes.collect::<Vec<_>>());
        let remembered = Remembered::new(&map, Geometry);
        let locations =
            || (0..=10).flat_map(|column| (0..=10).map(move |row| Hex::new(column, row)));
        let locations: Vec<Location> =
            locations().flat_map(|hex| (0..=2).map(move |level| Location { hex, level })).collect();
        for _ in 0..2 {
            for (&a, &b) in locations.iter().flat_map(|a| locations.iter().map(move |b| (a, b))) {
                assert_eq!(
                    remembered.hindrance(&map, a, b),
                    Geometry.hindrance(&map, a, b),
                    "{a} {b}"
                );
            }
        }
    }
}
