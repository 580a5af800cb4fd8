//! The values of hexes that lines of sight use: level, terrain in the middle, terrain on the sides.

use super::LosBoard;
use super::grid::{BoardPoint, GridHex, HexId, opposite};
use super::terrain::TerrainCode;

/// The values of a hex that lines of sight use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexGround {
    /// The level of units in the hex.
    pub base: i32,
    /// The code of the terrain in the middle of the hex; inherent terrain takes precedence.
    pub centre: u8,
    /// The code of the terrain in the middle of the hex, inherent terrain ignored.
    pub middle: u8,
    /// True if the terrain in `middle` is a depression.
    pub is_gully: bool,
    /// The code of the terrain on each side; `None` for a side that is not usable.
    pub sides: [Option<u8>; 6],
    /// The code of the wall, hedge or cliff on each side, equal for both hexes of the side.
    pub walls: [Option<u8>; 6],
    /// True for each side whose point within this hex lies in a depression.
    pub gully_sides: [bool; 6],
}

impl LosBoard {
    pub(super) fn code(&self, (x, y): BoardPoint) -> Option<u8> {
        self.raster.pixel(x, y).map(|pixel| pixel.terrain)
    }

    fn building(&self, point: BoardPoint) -> Option<u8> {
        self.code(point).filter(|code| self.terrain(*code).is_building)
    }

    /// Returns the code of the terrain in the middle, judged by the pixels near the middle.
    fn centre(&self, cell: &GridHex) -> u8 {
        let (x, y) = cell.point;
        let diagonal = [(x + 1, y - 1), (x - 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)];
        let centre = diagonal.into_iter().find_map(|point| self.code(point)).unwrap_or_default();
        if self.terrain(centre).is_building {
            return centre;
        }
        let probes = [(x + 5, y), (x - 5, y), (x, y + 5), (x, y - 5)];
        let on_side = cell.sides.iter().find_map(|point| self.building(*point));
        let nearby = || probes.into_iter().rev().find_map(|point| self.building(point));
        on_side.or_else(nearby).unwrap_or(centre)
    }

    /// Returns the inherent terrain of a hex, or `None` if no pixel of it is nearest to the middle.
    fn inherent(&self, id: HexId) -> Option<u8> {
        let [xs, ys] = [0, 1].map(|axis| {
            let of = |point: &BoardPoint| if axis == 0 { point.0 } else { point.1 };
            let all = || self.grid.cells[id].border.iter().map(of);
            all().min().unwrap_or_default()..all().max().unwrap_or_default()
        });
        let mut pixels = xs.flat_map(|x| ys.clone().map(move |y| (x, y)));
        let fills = |point: &BoardPoint| {
            self.is(self.code(*point), |terrain| terrain.is_inherent)
                && self.grid.nearest(id, *point).is_none()
        };
        pixels.find(fills).and_then(|point| self.code(point))
    }

    fn hex(&self, id: HexId) -> HexGround {
        let cell = &self.grid.cells[id];
        let centre = self.centre(cell);
        let own = |side: usize| self.code(cell.sides[side]).filter(|_| cell.is_usable[side]);
        let is_wall = |code: Option<u8>| self.is(code, |terrain| terrain.is_hexside);
        let sides = std::array::from_fn(|side| {
            let across = cell.neighbours[side]
                .and_then(|id| self.code(self.grid.cells[id].sides[opposite(side)]))
                .filter(|_| cell.is_usable[side]);
            if !is_wall(own(side)) && is_wall(across) { across } else { own(side) }
        });
        let (x, y) = cell.point;
        HexGround {
            base: self.raster.pixel(x, y).map_or(0, |pixel| pixel.elevation.into()),
            is_gully: self.terrain(centre).is_gully(),
            centre: self.inherent(id).unwrap_or(centre),
            middle: centre,
            sides,
            walls: sides.map(|side| side.filter(|side| is_wall(Some(*side)))),
            gully_sides: std::array::from_fn(|side| self.is(own(side), TerrainCode::is_gully)),
        }
    }
}

pub(super) fn read(board: &LosBoard) -> Vec<HexGround> {
    let mut hexes: Vec<HexGround> = (0..board.grid.cells.len()).map(|id| board.hex(id)).collect();
    // If the two hexes of a side disagree, the earlier hex decides.
    for id in 0..hexes.len() {
        for side in 0..6 {
            if let Some(before) =
                board.grid.cells[id].neighbours[side].filter(|before| *before < id)
            {
                hexes[id].walls[side] = hexes[before].walls[opposite(side)];
            }
        }
    }
    hexes
}
