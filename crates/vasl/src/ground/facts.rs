//! Hexes as players describe them: terrain, buildings, roads and hexsides.
//!
//! Terrain follows from shares of pixels, as the middle pixel is often part of a printed dot.

use std::collections::BTreeMap;

use super::LosBoard;
use super::grid::{BoardPoint, GridHex, HexId, distance};
use super::terrain::{Category, TerrainCode};

/// The column names of the table of hexes.
pub const COLUMNS: &str = "hex,terrain,level,building,building_type,upper_levels,stairway,road,road_sides,n,ne,se,s,sw,nw,depression,half,woods_pct,building_pct,grain_pct,orchard_pct,road_pct,confidence";

/// The ring around a middle, in squared distances in pixels.
const RING: std::ops::RangeInclusive<i32> = 9..=49;
/// Thresholds in percent of the pixels of a hex from which on it has the named feature.
const BUILDING: f64 = 5.0;
const SHELLHOLES: f64 = 8.0;
const WOODS_OF_ROAD: f64 = 25.0;
const WOODS: f64 = 35.0;
const ROAD: f64 = 3.0;
/// Thresholds in percent of the ring: for features printed with gaps, for roads, for other terrain.
const PRINTED: f64 = 30.0;
const ROAD_OF_RING: f64 = 35.0;
const MOST_OF_RING: f64 = 50.0;
/// Thresholds in percent of a ring or of a hex from which on the terrain is certain.
const SURE_OPEN: f64 = 60.0;
const SURE: f64 = 75.0;
const SURE_GRAIN: f64 = 45.0;
const SURE_BUILDING: f64 = 12.0;
/// The distance in pixels from the middle of a hexside within which a road crosses it.
const OVER: i32 = 2;

struct Count<'a> {
    ground: &'a LosBoard,
    codes: BTreeMap<u8, u32>,
}

impl Count<'_> {
    /// Returns the percentage of pixels with a sort of terrain.
    fn share(&self, sort: impl Fn(&TerrainCode) -> bool) -> f64 {
        let all: u32 = self.codes.values().sum();
        let some = self.codes.iter().filter(|(code, _)| sort(self.ground.terrain(**code)));
        100.0 * f64::from(some.map(|(_, count)| count).sum::<u32>()) / f64::from(all.max(1))
    }

    fn most(&self, sort: impl Fn(&TerrainCode) -> bool) -> Option<u8> {
        let some = self.codes.iter().filter(|(code, _)| sort(self.ground.terrain(**code)));
        some.max_by_key(|(_, count)| **count).map(|(code, _)| *code)
    }
}

fn is_named(word: &'static str) -> impl Fn(&TerrainCode) -> bool {
    move |terrain| terrain.word.as_deref() == Some(word)
}

fn is_road(terrain: &TerrainCode) -> bool {
    terrain.category == Category::Road
}

fn is_woods(terrain: &TerrainCode) -> bool {
    let woods = ["woods", "forest", "pine-woods", "light-woods"];
    terrain.word.as_deref().is_some_and(|word| woods.contains(&word))
}

/// Features of a board that no rule looks at, such as slopes, each with the names of its hexes.
pub type Ignored = Vec<(String, Vec<String>)>;

/// The name of the column with the features of a hex that no rule looks at.
const IGNORED: &str = "ignored";

/// Returns the table of all hexes of a board as CSV text. `ignored` adds a column, if it has any.
pub fn table(ground: &LosBoard, ignored: &Ignored) -> String {
    let shares = shares(ground);
    let is_building: Vec<bool> =
        shares.iter().map(|share| share.share(|terrain| terrain.is_building) >= BUILDING).collect();
    let buildings = buildings(ground, &is_building);
    let rows = shares.iter().enumerate().map(|(hex, share)| row(ground, hex, share, &buildings));
    let words = |name: &str| {
        let own = ignored.iter().filter(|(_, hexes)| hexes.iter().any(|hex| hex == name));
        own.map(|(what, _)| what.as_str()).collect::<Vec<_>>().join(" ")
    };
    let with_ignored = |row: String, word: String| match ignored.is_empty() {
        true => row + "\n",
        false => format!("{row},{word}\n"),
    };
    let head = with_ignored(COLUMNS.to_string(), IGNORED.to_string());
    let rows = rows.enumerate().map(|(hex, row)| with_ignored(row, words(&ground.grid.name(hex))));
    std::iter::once(head).chain(rows).collect()
}

fn row(ground: &LosBoard, hex: HexId, share: &Count, buildings: &[Option<HexId>]) -> String {
    let (own, cell) = (&ground.hexes[hex], &ground.grid.cells[hex]);
    let (terrain, is_sure) = terrain(ground, hex, share, buildings[hex].is_some());
    let building = share.most(|terrain| terrain.is_building && !terrain.is_hexside);
    let building = building.filter(|_| buildings[hex].is_some()).map(|code| ground.terrain(code));
    let quoted = |name: &str| match name.contains(',') {
        true => format!("\"{name}\""),
        false => name.to_string(),
    };
    let name = |code: Option<u8>| {
        let terrain = code.map(|code| ground.terrain(code));
        let is_known = |terrain: &&TerrainCode| terrain.word.is_some() || terrain.is_inner_wall();
        let known = terrain.filter(is_known);
        known.map_or(String::new(), |terrain| quoted(&terrain.name))
    };
    let stairway = building.is_some() && ground.raster.stairways[hex];
    let mut cells = vec![
        ground.grid.name(hex),
        terrain,
        own.base.to_string(),
        buildings[hex].map_or(String::new(), |first| ground.grid.name(first)),
        building.map_or(String::new(), |terrain| quoted(&terrain.name)),
        building.map_or(0, TerrainCode::upper_levels).to_string(),
        u8::from(stairway).to_string(),
        u8::from(share.share(is_road) >= ROAD).to_string(),
        road_sides(ground, cell),
    ];
    cells.extend(own.walls.map(name));
    cells.push(name(Some(own.middle).filter(|_| own.is_gully)));
    cells.push(half(ground, cell).to_string());
    let sorts: [&dyn Fn(&TerrainCode) -> bool; 5] = [
        &is_woods,
        &|terrain| terrain.is_building,
        &is_named("grain"),
        &is_named("orchard"),
        &is_road,
    ];
    cells.extend(sorts.map(|sort| (share.share(sort) + 0.5).floor().to_string()));
    cells.push(if is_sure { "high" } else { "medium" }.to_string());
    cells.join(",")
}

fn terrain(ground: &LosBoard, hex: HexId, share: &Count, is_building: bool) -> (String, bool) {
    let ring = ring(ground, hex);
    let word = |code: Option<u8>| code.and_then(|code| ground.terrain(code).word.clone());
    let most = ring.most(|_| true).map(|code| ground.terrain(code));
    let has_most = |least: f64| most.is_some_and(|most| ring.share(|other| other == most) >= least);
    let is_clear = has_most(SURE);
    if is_building {
        let is_sure = share.share(|terrain| terrain.is_building) >= SURE_BUILDING;
        return ("building".to_string(), is_sure);
    }
    let inherent = Some(ground.hexes[hex].centre).filter(|code| ground.terrain(*code).is_inherent);
    if let Some(inherent) = word(inherent) {
        return (inherent, true);
    }
    if share.share(is_named("shellholes")) >= SHELLHOLES {
        return ("shellholes".to_string(), is_clear);
    }
    let is_bridge = |terrain: &TerrainCode| terrain.category == Category::Bridge;
    if ring.share(is_bridge) >= PRINTED {
        return ("bridge".to_string(), is_clear);
    }
    let gully =
        ring.most(TerrainCode::is_gully).filter(|_| ring.share(TerrainCode::is_gully) >= PRINTED);
    if let Some(gully) = word(gully) {
        return (gully, is_clear);
    }
    let has_road = ring.share(is_road) >= ROAD_OF_RING;
    if has_road && share.share(is_woods) >= WOODS_OF_ROAD {
        return ("woods_road".to_string(), is_clear);
    }
    if ring.share(is_woods) >= MOST_OF_RING {
        let is_sure = is_clear && most.is_some_and(is_woods);
        return (word(ring.most(is_woods)).unwrap_or_default(), is_sure);
    }
    let is_other = |terrain: &TerrainCode| {
        let is_elsewhere = terrain.is_hexside || terrain.is_building || is_road(terrain);
        terrain.word.is_some() && !is_elsewhere && !is_woods(terrain)
    };
    if let Some(code) = ring.most(is_other) {
        let terrain = ground.terrain(code);
        let least = if terrain.is_lower_hindrance { PRINTED } else { MOST_OF_RING };
        if ring.share(|other| other == terrain) >= least && !is_named("shellholes")(terrain) {
            let is_grain = is_named("grain")(terrain);
            let is_sure =
                if is_grain { share.share(is_named("grain")) >= SURE_GRAIN } else { is_clear };
            return (terrain.word.clone().unwrap_or_default(), is_sure);
        }
    }
    if share.share(is_woods) >= WOODS && !has_road {
        return (word(share.most(is_woods)).unwrap_or_default(), false);
    }
    ("open".to_string(), has_most(SURE_OPEN))
}

fn ring(ground: &LosBoard, hex: HexId) -> Count<'_> {
    let (x, y) = ground.grid.cells[hex].point;
    let mut codes = BTreeMap::new();
    for pixel in (x - 7..=x + 7).flat_map(|x| (y - 7..=y + 7).map(move |y| (x, y))) {
        let code = ground.code(pixel).filter(|_| RING.contains(&distance((x, y), pixel)));
        if let Some(code) = code {
            *codes.entry(code).or_default() += 1;
        }
    }
    Count { ground, codes }
}

/// Returns the hex with the nearest middle, as if all hexes were regular. The first hex wins a tie.
fn owner(ground: &LosBoard, (x, y): BoardPoint) -> Option<HexId> {
    let grid = &ground.grid;
    let mut best: Option<(i64, HexId)> = None;
    for column in x * 4 / 225 - 1..=x * 4 / 225 + 2 {
        let half = if column.rem_euclid(2) == 0 { 129 } else { 0 };
        let row = (4 * y - half).div_euclid(258);
        for row in row - 1..=row + 2 {
            let Some(hex) = grid.hex(column, row) else { continue };
            let right = i64::from(4 * x - 225 * column);
            let down = i64::from(4 * y - half - 258 * row);
            // Hexes are 258 quarter pixels high, where a regular hex would have 75 * sqrt(12).
            let away = right * right * 129 * 129 + down * down * 75 * 75 * 3;
            if best.is_none_or(|(least, _)| away < least) {
                best = Some((away, hex));
            }
        }
    }
    best.map(|(_, hex)| hex)
}

fn shares(ground: &LosBoard) -> Vec<Count<'_>> {
    let mut counts: Vec<[u32; 256]> = vec![[0; 256]; ground.grid.cells.len()];
    for x in 0..ground.grid.width {
        for y in 0..ground.grid.height {
            if let Some(hex) = owner(ground, (x, y)) {
                counts[hex][usize::from(ground.pixel(x, y).terrain)] += 1;
            }
        }
    }
    let count = |counts: [u32; 256]| {
        let codes = (0..=255u8).zip(counts).filter(|(_, count)| *count > 0).collect();
        Count { ground, codes }
    };
    counts.into_iter().map(count).collect()
}

/// Returns for each hex the first hex of its building, which meets its hexsides.
fn buildings(ground: &LosBoard, is_building: &[bool]) -> Vec<Option<HexId>> {
    let mut first: Vec<HexId> = (0..is_building.len()).collect();
    fn root(first: &[HexId], mut hex: HexId) -> HexId {
        while first[hex] != hex {
            hex = first[hex];
        }
        hex
    }
    let at = |x: i32, y: i32| {
        let is_part = ground.is(ground.code((x, y)), |terrain| terrain.is_building);
        owner(ground, (x, y)).filter(|hex| is_part && is_building[*hex])
    };
    for x in 0..ground.grid.width {
        let mut above: Option<HexId> = None;
        for y in 0..ground.grid.height {
            let own = at(x, y);
            if let Some(own) = own {
                for other in [above, at(x + 1, y)].into_iter().flatten() {
                    let (one, other) = (root(&first, own), root(&first, other));
                    first[one.max(other)] = one.min(other);
                }
            }
            above = own;
        }
    }
    (0..is_building.len()).map(|hex| is_building[hex].then(|| root(&first, hex))).collect()
}

/// Returns the sides of a hex that a road crosses, as digits 0 to 5 clockwise from the top.
fn road_sides(ground: &LosBoard, cell: &GridHex) -> String {
    let goes_over = |side: &usize| {
        // The middle of the side, in eighths of a pixel from the middle of the hex.
        let (right, down) =
            [(0, -258), (225, -129), (225, 129), (0, 258), (-225, 129), (-225, -129)][*side];
        let half = if cell.column % 2 == 0 { 258 } else { 0 };
        let x = (450 * cell.column + right) / 8;
        let y = (half + 516 * cell.row + down) / 8;
        let mut near =
            (x - OVER..=x + OVER).flat_map(|x| (y - OVER..=y + OVER).map(move |y| (x, y)));
        near.any(|pixel| ground.is(ground.code(pixel), is_road))
    };
    (0..6).filter(goes_over).map(|side| side.to_string()).collect()
}

/// Returns the edge at which a half hex lies: `L`, `R`, `T`, `B`, or nothing.
fn half(ground: &LosBoard, cell: &GridHex) -> &'static str {
    match (cell.column, cell.row) {
        (0, _) => "L",
        (column, _) if column + 1 == ground.grid.columns => "R",
        (column, 0) if column % 2 == 1 => "T",
        (column, row) if column % 2 == 1 && row == ground.grid.rows => "B",
        _ => "",
    }
}
