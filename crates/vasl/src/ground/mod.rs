//! Boards as pixels: their hexes, and lines of sight between them.
//!
//! | file | what |
//! |---|---|
//! | `raster` | pixels, as they are on disk |
//! | `terrain` | what their codes stand for |
//! | `grid` | where hexes lie in them |
//! | `hexes` | what a hex is to lines of sight |
//! | `line`, `rules`, `walls` | a line from hex to hex, pixel by pixel |
//! | `facts` | what a hex is to players |
//! | `about` | what a board's own file says beside its pixels |

pub mod about;
pub mod facts;
pub mod grid;
pub mod hexes;
mod line;
pub mod raster;
mod rules;
pub mod terrain;
mod walls;

use std::collections::BTreeMap;

use grid::{Grid, HexId};
use hexes::Hexes;
use raster::{Pixel, Raster};
use terrain::{Terrain, Terrains};

use engine::text::Fault;

/// A board that can be asked for its lines.
#[derive(Clone, Debug)]
pub struct Ground {
    pub grid: Grid,
    pub hexes: Hexes,
    pub raster: Raster,
    terrains: Vec<Terrain>,
    /// How high each terrain reaches above its ground where only that matters.
    tops: Vec<i32>,
}

/// Hexes that a fault names.
const NAMED: usize = 8;

impl Ground {
    /// A board of pixels; a fault where a pixel has a code that nobody knows, with its hexes.
    pub fn new(raster: Raster, terrains: &Terrains) -> Result<Ground, Fault> {
        let grid = Grid::new(raster.columns, raster.rows, raster.width, raster.height);
        let unknown = hexes_with(&raster, &grid, |code| terrains.get(code).is_none());
        if let Some((code, hexes)) = unknown.first_key_value() {
            let named: Vec<String> = hexes.iter().take(NAMED).map(|hex| grid.name(*hex)).collect();
            let more = match hexes.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} others"),
            };
            let message =
                format!("terrain of code {code} is not known, in {}{more}", named.join(", "));
            return Err(Fault::new(message, 0..0)
                .help("`--module VASL.vmod` reads the table of the module that knows it"));
        }
        let none = terrains.get(0).cloned();
        let terrain = |code: u8| terrains.get(code).cloned().or_else(|| none.clone());
        let terrains: Vec<Terrain> = (0..=255).filter_map(terrain).collect();
        if terrains.len() < 256 {
            return Err(Fault::new("the table of terrain has no Open Ground (code 0)", 0..0));
        }
        let hexes = hexes::read(&raster, &grid, &terrains);
        let tops = terrains.iter().map(Terrain::top).collect();
        Ok(Ground { grid, hexes, raster, terrains, tops })
    }

    /// The terrain of a code.
    pub fn terrain(&self, code: u8) -> &Terrain {
        &self.terrains[usize::from(code)]
    }

    /// A pixel that is on the board.
    fn pixel(&self, x: i32, y: i32) -> Pixel {
        self.raster.pixels[(x * self.grid.height + y) as usize]
    }

    /// The Hindrance of the line between two hexes at ground level; nothing where it is blocked in
    /// either direction.
    pub fn sight(&self, one: HexId, other: HexId) -> Option<u8> {
        let there = line::sight(self, one, other)?;
        Some(there.max(line::sight(self, other, one)?))
    }

    /// The name of a terrain that the rules of lines do not have in full, where a board has it.
    pub fn unproven(&self) -> Vec<(&str, Vec<String>)> {
        let is_unproven = |code| facts::is_unproven(self.terrain(code));
        let found = hexes_with(&self.raster, &self.grid, is_unproven);
        let named = |(code, hexes): (u8, Vec<HexId>)| {
            let hexes = hexes.iter().map(|hex| self.grid.name(*hex)).collect();
            (self.terrains[usize::from(code)].name.as_str(), hexes)
        };
        found.into_iter().map(named).collect()
    }
}

/// Finds the hexes with terrain of some codes, by code; both in the order of their pixels.
fn hexes_with(
    raster: &Raster,
    grid: &Grid,
    is_meant: impl Fn(u8) -> bool,
) -> BTreeMap<u8, Vec<HexId>> {
    let is_meant: Vec<bool> = (0..=255).map(is_meant).collect();
    let mut is_found = vec![false; grid.cells.len() << 8];
    let mut found: BTreeMap<u8, Vec<HexId>> = BTreeMap::new();
    for (number, Pixel { terrain, .. }) in raster.pixels.iter().enumerate() {
        if is_meant[usize::from(*terrain)] {
            let (x, y) = (number / raster.height, number % raster.height);
            let hexes = found.entry(*terrain).or_default();
            let hex = grid.at(x as i32, y as i32);
            let is_new = |hex: &HexId| {
                !std::mem::replace(&mut is_found[hex << 8 | usize::from(*terrain)], true)
            };
            hexes.extend(hex.filter(is_new));
        }
    }
    found
}

/// Whether a pair lies along the upper or the lower edge, where VASL has no answer to some.
pub fn along_edge(grid: &Grid, one: HexId, other: HexId) -> bool {
    let [one, other] = [one, other].map(|hex| &grid.cells[hex]);
    let is_at = |row: i32| [one, other].iter().all(|cell| cell.column % 2 == 1 && cell.row == row);
    is_at(0) || is_at(grid.rows)
}
