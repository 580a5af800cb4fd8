//! Lines of sight from one board of VASL to another, over the pixels of both.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::board::raster_of;
use super::file_root::FileRoot;
use asl::board::geometry::SMOKE;
use asl::board::hex::Hex;
use asl::board::line::HexLine;
use asl::board::map::{BoardPart, Location, Map};
use asl::board::sight::{LineOfSight, Remembered};
use asl::rout::fields::TableName;
use asl::scenario::Scenario;
use vasl::ground::LosBoard;
use vasl::ground::joined::LaidRaster;
use vasl::ground::raster::Raster;
use vasl::ground::terrain::TerrainCodes;

/// The boards of a map as one, which is built when a line first goes over a seam.
struct JoinedBoards {
    boards: Vec<LaidRaster>,
    joined: OnceLock<Option<(LosBoard, (i32, i32))>>,
}

/// Lines of sight that go from board to board over pixels, and otherwise as another source says.
struct SeamSight {
    other: Arc<dyn LineOfSight>,
    joined: JoinedBoards,
}

/// Lets lines go over the seams of a situation's boards as over the boards, if there are several
/// and the archives of all of them are found. Lines that the situation sets itself take precedence.
pub fn join_boards(
    scenario: &mut Scenario,
    folder: &Path,
    (files, folders): (&FileRoot, &[PathBuf]),
) {
    let is_set = !scenario.tables.lines.entries.is_empty();
    let boards = scenario.situation.map.boards();
    let names: Vec<&TableName> =
        scenario.tables.boards.iter().filter_map(|board| board.value.vasl.as_ref()).collect();
    if is_set || boards.len() < 2 || names.len() != boards.len() {
        return;
    }
    let laid = names.iter().zip(boards).map(|(name, board)| {
        let raster = raster_of(files, folder, &name.0, folders)?;
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
    let Some(boards) = laid.collect::<Option<_>>() else { return };
    let joined = JoinedBoards { boards, joined: OnceLock::new() };
    let situation = &mut scenario.situation;
    let sight = SeamSight { other: situation.sight.clone(), joined };
    situation.sight = Arc::new(Remembered::new(&situation.map, sight));
}

impl JoinedBoards {
    fn board(&self) -> Option<&(LosBoard, (i32, i32))> {
        let build = || {
            let (raster, first) = Raster::joined(&self.boards);
            Some((LosBoard::new(raster, &TerrainCodes::common()).ok()?, first))
        };
        self.joined.get_or_init(build).as_ref()
    }
}

impl LineOfSight for SeamSight {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        let is_on_one = map
            .boards()
            .iter()
            .any(|board| board.on_board(from.hex).is_some() && board.on_board(to.hex).is_some());
        let is_at_ground = from.level == 0 && to.level == 0 && from.hex != to.hex;
        let joined = (!is_on_one && is_at_ground).then(|| self.joined.board()).flatten();
        let Some((board, first)) = joined else { return self.other.hindrance(map, from, to) };
        let place = |at: Location| {
            let column = i32::from(at.hex.column) - 1 - first.0;
            // An odd column begins half a hex higher.
            board.grid.hex(column, i32::from(at.hex.row) - 1 - first.1 + column.rem_euclid(2))
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
        board.sight(one, other).map(|hindrance| hindrance.saturating_add(smoke))
    }
}
