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

/// Lines of sight from lists: lines that a user has set, and tables of ground-level lines.
pub struct ListedSight<L> {
    /// The Hindrances of each line, or `None` if it is blocked.
    lines: HashMap<(Location, Location), Option<u8>>,
    /// The boards on which every other ground-level line is blocked, or `None` for the whole map.
    boards: Option<Vec<PlacedBoard>>,
    /// The source of all other lines, which are blocked without it.
    other: Option<L>,
}

impl<L: LineOfSight> ListedSight<L> {
    /// Builds the source from a table of the whole map. `upper` supplies the lines of upper levels.
    pub fn new(
        lines: impl IntoIterator<Item = ListedLine, IntoIter: DoubleEndedIterator>,
        upper: Option<L>,
    ) -> ListedSight<L> {
        let mut sight = ListedSight { lines: HashMap::new(), boards: None, other: upper };
        sight.list(lines);
        sight
    }

    /// Builds a source without lines. `other` supplies those between boards and of upper levels.
    pub fn of_boards(boards: Vec<PlacedBoard>, other: L) -> ListedSight<L> {
        ListedSight { lines: HashMap::new(), boards: Some(boards), other: Some(other) }
    }

    /// Adds the lines of a table, of which the last entry counts. Lines that are set stay.
    pub fn list(
        &mut self,
        lines: impl IntoIterator<Item = ListedLine, IntoIter: DoubleEndedIterator>,
    ) {
        for (from, to, hindrance) in lines.into_iter().rev() {
            let line = ends(Location::ground(from), Location::ground(to));
            self.lines.entry(line).or_insert(Some(hindrance));
        }
    }

    /// Sets the Hindrances of a line (`None` blocks it). Returns a previous, different setting.
    pub fn set(
        &mut self,
        from: Location,
        to: Location,
        hindrance: Option<u8>,
    ) -> Option<Option<u8>> {
        self.lines.insert(ends(from, to), hindrance).filter(|&before| before != hindrance)
    }
}

impl<L: LineOfSight> LineOfSight for ListedSight<L> {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        let both = |board: &PlacedBoard| {
            board.on_board(from.hex).is_some() && board.on_board(to.hex).is_some()
        };
        let is_listed = || self.boards.as_ref().is_none_or(|boards| boards.iter().any(both));
        match self.lines.get(&ends(from, to)) {
            _ if from.hex == to.hex => Some(0),
            Some(&line) => line,
            None if from.level == 0 && to.level == 0 && is_listed() => None,
            None => self.other.as_ref()?.hindrance(map, from, to),
        }
    }
}

/// A cache of the lines of sight of one map, shared by all units and situations.
pub struct Remembered<L> {
    other: L,
    /// The index in `lines` of the ground level of each hex. Its upper levels follow.
    numbers: Vec<usize>,
    /// A lazy row per Location, a byte per Location: 0 unknown, 1 blocked, else 2 plus Hindrances.
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
            let building = ground.terrain.is_building.then_some(number as u16);
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
                    "{a:?} {b:?}"
                );
            }
        }
    }
}
