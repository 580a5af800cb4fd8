//! What a hex is to lines of sight: its level, the terrain at its middle, and on its sides.

use super::grid::{Cell, Grid, HexId, Point, opposite};
use super::raster::Raster;
use super::terrain::{Category, Terrain};

/// A hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex {
    /// Level of who stands in it.
    pub base: i32,
    /// Code of the terrain at its middle.
    pub centre: u8,
    /// The same before terrain that fills the hex takes its place, and whether it is a depression.
    pub middle: u8,
    pub is_gully: bool,
    /// Code of the terrain on each side that is one.
    pub sides: [Option<u8>; 6],
    /// The walls among them, the same for both hexes.
    pub walls: [Option<u8>; 6],
    /// Whether the point of a side, as this hex has it, is in a depression.
    pub gully_sides: [bool; 6],
}

/// All hexes of a board.
pub type Hexes = Vec<Hex>;

/// What makes hexes.
struct Reader<'a> {
    raster: &'a Raster,
    grid: &'a Grid,
    terrains: &'a [Terrain],
}

impl Reader<'_> {
    fn code(&self, (x, y): Point) -> Option<u8> {
        self.raster.at(x, y).map(|pixel| pixel.terrain)
    }

    fn is(&self, code: Option<u8>, sort: impl Fn(&Terrain) -> bool) -> bool {
        code.is_some_and(|code| sort(&self.terrains[usize::from(code)]))
    }

    fn building(&self, point: Point) -> Option<u8> {
        self.code(point).filter(|code| self.terrains[usize::from(*code)].is_building)
    }

    /// The terrain at the middle, as far as pixels near it say.
    fn centre(&self, cell: &Cell) -> u8 {
        let (x, y) = cell.point;
        let diagonal = [(x + 1, y - 1), (x - 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)];
        let centre = diagonal.into_iter().find_map(|point| self.code(point)).unwrap_or_default();
        if self.terrains[usize::from(centre)].is_building {
            return centre;
        }
        let probes = [(x + 5, y), (x - 5, y), (x, y + 5), (x, y - 5)];
        let on_side = cell.sides.iter().find_map(|point| self.building(*point));
        let beside = || probes.into_iter().rev().find_map(|point| self.building(point));
        on_side.or_else(beside).unwrap_or(centre)
    }

    /// Terrain that fills the hex, if a pixel of it is nearest to its middle.
    fn inherent(&self, id: HexId) -> Option<u8> {
        let [xs, ys] = [0, 1].map(|axis| {
            let of = |point: &Point| if axis == 0 { point.0 } else { point.1 };
            let all = || self.grid.cells[id].border.iter().map(of);
            all().min().unwrap_or_default()..all().max().unwrap_or_default()
        });
        let mut pixels = xs.flat_map(|x| ys.clone().map(move |y| (x, y)));
        let fills = |point: &Point| {
            self.is(self.code(*point), |terrain| terrain.is_inherent)
                && self.grid.nearest(id, *point).is_none()
        };
        pixels.find(fills).and_then(|point| self.code(point))
    }

    fn hex(&self, id: HexId) -> Hex {
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
        Hex {
            base: self.raster.at(x, y).map_or(0, |pixel| pixel.elevation.into()),
            is_gully: self.terrains[usize::from(centre)].category == Category::Depression,
            centre: self.inherent(id).unwrap_or(centre),
            middle: centre,
            sides,
            walls: sides.map(|side| side.filter(|side| is_wall(Some(*side)))),
            gully_sides: std::array::from_fn(|side| self.is(own(side), Terrain::is_gully)),
        }
    }
}

/// Reads the hexes of a board.
pub(super) fn read(raster: &Raster, grid: &Grid, terrains: &[Terrain]) -> Hexes {
    let reader = Reader { raster, grid, terrains };
    let mut hexes: Hexes = (0..grid.cells.len()).map(|id| reader.hex(id)).collect();
    // If two kinds meet, that of the earlier hex stands.
    for id in 0..hexes.len() {
        for side in 0..6 {
            if let Some(before) = grid.cells[id].neighbours[side].filter(|before| *before < id) {
                hexes[id].walls[side] = hexes[before].walls[opposite(side)];
            }
        }
    }
    hexes
}
