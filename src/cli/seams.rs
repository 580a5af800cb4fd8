//! Lines of sight from one board of VASL to another, over the pixels of both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::board::raster_of;
use super::file_root::{FileRoot, NamedBoard};
use asl::board::geometry::SMOKE;
use asl::board::hex::Hex;
use asl::board::line::HexLine;
use asl::board::map::{BoardPart, Location, Map, PlacedBoard};
use asl::board::sight::{LineOfSight, Remembered};
use asl::rout::fields::{SightLine, TableName};
use asl::scenario::Scenario;
use schema::Spanned;
use vasl::ground::joined::{JoinedBoards, LaidRaster};

/// Lines of sight that go from board to board over pixels, and otherwise as another source says.
struct SeamSight {
    other: Arc<dyn LineOfSight>,
    joined: Arc<JoinedBoards>,
}

/// The texts of a command line that say where a stack crosses a map, and who fires at it.
#[derive(Debug, Default)]
pub struct CrossedPlaces {
    /// The hexes of paths.
    pub paths: String,
    /// True if a path to a hex is sought.
    pub is_sought: bool,
    pub defenders: String,
}

/// The Hindrances that together block a line (A6.7).
const BLOCKING: u8 = 6;
/// The longest way of a stack, in hexes.
const LONGEST_WAY: u16 = 12;

/// Lets lines go over the seams of a situation's boards as over the boards, if there are several
/// and the archives of all of them are found, and returns whether they are. Lines that the
/// situation sets itself take precedence.
pub fn join_boards(
    scenario: &mut Scenario,
    folder: &Path,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> bool {
    let is_set = !scenario.tables.lines.entries.is_empty();
    let boards = scenario.situation.map.boards();
    let names: Vec<&TableName> =
        scenario.tables.boards.iter().filter_map(|board| board.value.vasl.as_ref()).collect();
    if is_set || boards.len() < 2 || names.len() != boards.len() {
        return false;
    }
    let named = names.iter().zip(boards);
    let named = named.map(|(name, board)| (folder.to_path_buf(), name.0.clone(), board.clone()));
    let named = named.collect();
    let Some(joined) = joined_boards(named, (files, folders)) else { return false };
    let situation = &mut scenario.situation;
    let sight = SeamSight { other: situation.sight.clone(), joined };
    situation.sight = Arc::new(Remembered::new(&situation.map, sight));
    true
}

/// Returns the map joined of boards, which is made once for a command: the situations of both sides
/// of a save have the same boards. `None` if the archive of one of them is not found.
fn joined_boards(
    named: Vec<NamedBoard>,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Option<Arc<JoinedBoards>> {
    let mut known = files.joined_boards.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, joined)) = known.iter().find(|(boards, _)| *boards == named) {
        return Some(joined.clone());
    }
    let laid = named.iter().map(|(folder, name, board)| {
        let raster = raster_of(files, folder, name, folders)?;
        let whole = [0, 0, raster.width as i32, raster.height as i32];
        let part = |part: BoardPart| [part.left, part.top, part.width, part.height];
        let (column, row) = board.corner;
        Some(LaidRaster {
            raster,
            corner: (column.into(), row.into()),
            is_turned: board.turned,
            part: board.part.map_or(whole, part),
        })
    });
    let joined = Arc::new(JoinedBoards::new(laid.collect::<Option<_>>()?));
    known.push((named, joined.clone()));
    Some(joined)
}

/// Sets the lines over seams between a stack that crosses the map and all other units, so that a
/// text of the situation has them.
pub fn set_lines(scenario: &mut Scenario, crossed: &CrossedPlaces) {
    let situation = &scenario.situation;
    let (map, sight) = (&situation.map, &situation.sight);
    let named = |text: &str| -> Vec<Hex> {
        let words = text.split([' ', ',', ';', '/', '@']);
        words.filter_map(|word| map.parse(word).ok()).collect()
    };
    let levels = |hex: Hex| {
        let upper = map.get(hex).map_or(0, |ground| ground.upper_levels);
        (0..=upper).map(move |level| Location { hex, level })
    };
    let path = named(&crossed.paths);
    let is_near = |hex: &Hex| path.first().is_some_and(|first| first.range(*hex) <= LONGEST_WAY);
    let around = map.hexes().filter(|hex| crossed.is_sought && is_near(hex));
    let way: BTreeSet<Location> = path.iter().copied().chain(around).flat_map(levels).collect();
    let units = situation.enemies.iter().map(|enemy| enemy.at);
    let units = units.chain(situation.friends.iter().map(|friend| friend.at));
    let units = units.chain(situation.routers.iter().map(|router| router.at));
    let units = units.chain(named(&crossed.defenders).into_iter().flat_map(levels));
    let units: BTreeSet<Location> = units.collect();
    let pairs = units.iter().flat_map(|unit| way.iter().map(move |at| (*unit, *at)));
    // A line between two units on the way is there in both directions.
    let apart = pairs.filter(|(unit, at)| {
        let is_twice = unit > at && way.contains(unit) && units.contains(at);
        unit.hex != at.hex && !is_twice && !are_on_one(map, *unit, *at)
    });
    let Some(place) = scenario.tables.boards.first().map(|board| &board.place) else { return };
    let line = |(unit, at): (Location, Location)| {
        let hindrance = sight.hindrance(map, unit, at).filter(|hindrance| *hindrance < BLOCKING);
        let value = format!("{}-{}", map.location_name(unit), map.location_name(at));
        (Spanned { value, place: place.clone() }, SightLine(hindrance))
    };
    let lines: Vec<(Spanned<String>, SightLine)> = apart.map(line).collect();
    scenario.tables.lines.entries.extend(lines);
}

/// Returns whether two Locations are on one board.
fn are_on_one(map: &Map, from: Location, to: Location) -> bool {
    let has = |board: &PlacedBoard, at: Location| board.on_board(at.hex).is_some();
    map.boards().iter().any(|board| has(board, from) && has(board, to))
}

impl LineOfSight for SeamSight {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        let joined = (!are_on_one(map, from, to) && from.hex != to.hex)
            .then(|| self.joined.board())
            .flatten();
        let Some((board, first)) = joined else { return self.other.hindrance(map, from, to) };
        let place = |at: Location| {
            let column = i32::from(at.hex.column) - 1 - first.0;
            // An odd column begins half a hex higher.
            let row = i32::from(at.hex.row) - 1 - first.1 + column.rem_euclid(2);
            Some((board.grid.hex(column, row)?, i32::from(at.level)))
        };
        let (Some(one), Some(other)) = (place(from), place(to)) else {
            return self.other.hindrance(map, from, to);
        };
        let line = HexLine::new(from.hex, to.hex);
        let is_smoky = |hex: &Hex| {
            map.get(*hex).is_some_and(|ground| ground.smoke || ground.blaze)
                && line.meets(*hex).is_some()
        };
        let smoky = line.hexes().filter(is_smoky).count();
        let smoke = u8::try_from(smoky).unwrap_or(u8::MAX).saturating_mul(SMOKE);
        board.sight_at(one, other).map(|hindrance| hindrance.saturating_add(smoke))
    }
}
