//! Boards as pixels: their hexes, and lines of sight between them.

pub mod facts;
pub mod grid;
pub mod hexes;
pub mod joined;
pub mod metadata;
pub mod raster;
mod rules;
pub mod terrain;

use std::collections::BTreeMap;

use grid::{HexGrid, HexId};
use hexes::HexGround;
use raster::{Pixel, Raster};
use terrain::{TerrainCode, TerrainCodes};

use engine::text::Fault;

/// A board on which lines of sight can be traced.
#[derive(Clone, Debug)]
pub struct LosBoard {
    pub grid: HexGrid,
    /// The values of all hexes, by [`HexId`].
    pub hexes: Vec<HexGround>,
    pub raster: Raster,
    terrains: Vec<TerrainCode>,
    /// The height in levels of each terrain code; very large if more than the height matters.
    tops: Vec<i32>,
}

/// The maximum number of hexes that an error names.
const NAMED: usize = 8;

impl LosBoard {
    /// Builds a board from pixels.
    ///
    /// # Errors
    ///
    /// Fails if a pixel has an unknown terrain code, and names its hexes. Fails if the table lacks
    /// code 0.
    pub fn new(raster: Raster, terrains: &TerrainCodes) -> Result<LosBoard, Fault> {
        let grid = HexGrid::new(raster.columns, raster.rows, raster.width, raster.height);
        let unknown = hexes_with(&raster, &grid, |code| terrains.get(code).is_none());
        if let Some((code, hexes)) = unknown.first_key_value() {
            let named: Vec<String> = hexes.iter().take(NAMED).map(|hex| grid.name(*hex)).collect();
            let more = match hexes.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} others"),
            };
            let message = format!("unknown terrain code {code} in {}{more}", named.join(", "));
            return Err(Fault::new(message, 0..0)
                .help("use `--module VASL.vmod` to read the table of a module that has it"));
        }
        let none = terrains.get(0).cloned();
        let terrain = |code: u8| terrains.get(code).cloned().or_else(|| none.clone());
        let terrains: Vec<TerrainCode> = (0..=255).filter_map(terrain).collect();
        if terrains.len() < 256 {
            return Err(Fault::new("the terrain table has no Open Ground (code 0)", 0..0));
        }
        let tops = terrains.iter().map(TerrainCode::top).collect();
        let mut board = LosBoard { grid, hexes: Vec::new(), raster, terrains, tops };
        board.hexes = hexes::read(&board);
        Ok(board)
    }

    /// Returns the terrain of a code.
    pub fn terrain(&self, code: u8) -> &TerrainCode {
        &self.terrains[usize::from(code)]
    }

    fn is(&self, code: Option<u8>, sort: impl Fn(&TerrainCode) -> bool) -> bool {
        code.is_some_and(|code| sort(self.terrain(code)))
    }

    fn pixel(&self, x: i32, y: i32) -> Pixel {
        self.raster.pixels[(x * self.grid.height + y) as usize]
    }

    /// Returns the Hindrance between two hexes at ground level; `None` if blocked either way.
    ///
    /// # Panics
    ///
    /// Panics if a hex is not on the board.
    pub fn sight(&self, one: HexId, other: HexId) -> Option<u8> {
        self.sight_at((one, 0), (other, 0))
    }

    /// Returns the Hindrance between two hexes, each with a level above its ground; `None` if
    /// blocked either way.
    ///
    /// # Panics
    ///
    /// Panics if a hex is not on the board.
    pub fn sight_at(&self, one: (HexId, i32), other: (HexId, i32)) -> Option<u8> {
        let there = rules::sight(self, one, other)?;
        Some(there.max(rules::sight(self, other, one)?))
    }

    /// Returns the hexes of hillocks, whose rules of lines of sight are not known.
    pub fn hillocks(&self) -> Vec<String> {
        let by_code = hexes_with(&self.raster, &self.grid, |code| {
            self.terrain(code).name.starts_with("Hillock")
        });
        let mut hexes: Vec<HexId> = by_code.into_values().flatten().collect();
        hexes.sort_unstable();
        hexes.dedup();
        hexes.into_iter().map(|hex| self.grid.name(hex)).collect()
    }

    /// Returns the terrain with unconfirmed rules of lines of sight, with its hexes.
    pub fn unproven(&self) -> Vec<(&str, Vec<String>)> {
        let is_unproven = |code| !self.terrain(code).is_proven;
        let by_code = hexes_with(&self.raster, &self.grid, is_unproven);
        let named = |(code, hexes): (u8, Vec<HexId>)| {
            let hexes = hexes.iter().map(|hex| self.grid.name(*hex)).collect();
            (self.terrains[usize::from(code)].name.as_str(), hexes)
        };
        by_code.into_iter().map(named).collect()
    }
}

/// Returns the hexes with pixels of the meant terrain codes, by code, in order of the pixels.
fn hexes_with(
    raster: &Raster,
    grid: &HexGrid,
    is_meant: impl Fn(u8) -> bool,
) -> BTreeMap<u8, Vec<HexId>> {
    let is_meant: Vec<bool> = (0..=255).map(is_meant).collect();
    let mut is_listed = vec![false; grid.cells.len() << 8];
    let mut hexes_by_terrain: BTreeMap<u8, Vec<HexId>> = BTreeMap::new();
    for (number, Pixel { terrain, .. }) in raster.pixels.iter().enumerate() {
        if is_meant[usize::from(*terrain)] {
            let (x, y) = (number / raster.height, number % raster.height);
            let hexes = hexes_by_terrain.entry(*terrain).or_default();
            let hex = grid.hex_at(x as i32, y as i32);
            let is_new = |hex: &HexId| {
                !std::mem::replace(&mut is_listed[hex << 8 | usize::from(*terrain)], true)
            };
            hexes.extend(hex.filter(is_new));
        }
    }
    hexes_by_terrain
}
