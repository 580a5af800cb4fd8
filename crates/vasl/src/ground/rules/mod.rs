//! A line of sight between two hexes, each at some level: the effects of the terrain at its pixels.
//!
//! Heights are whole levels. Where half levels matter, both sides of a comparison are doubled.

mod heights;
mod rims;

use super::LosBoard;
use super::grid::{BoardPoint, GridHex, HexId, distance, inside};
use super::raster::Pixel;
use super::terrain::{Category, Named, TerrainCode};

/// The total Hindrance that blocks a line.
const BLOCKING: u8 = 6;
/// The tolerances within which a slope follows hexsides, each below a range in hexes.
const NEAR: [(i32, f64); 3] = [(5, 0.05), (16, 0.03), (i32::MAX, 0.015)];

/// The maximum horizontal distance, in pixels, of the pixels of a hex from its point of sight.
const REACH: i32 = 42;

#[derive(Clone, Copy, Debug)]
struct End {
    hex: HexId,
    point: BoardPoint,
    level: i32,
    /// The hexspine along which the line runs here; `None` if it does not run along hexsides.
    spine: Option<usize>,
}

struct Walk<'a> {
    ground: &'a LosBoard,
    source: End,
    target: End,
    range: i32,
    low: i32,
    high: i32,
    /// True if the line may have to climb out of a depression.
    exits: bool,
    /// True if the line may have to descend into a depression.
    enters: bool,
    leaves_building: bool,
    /// True if only pixels that block or hinder on their own matter.
    is_plain: bool,
    current: HexId,
    previous: Option<HexId>,
    excused: Option<HexId>,
    before: Option<(Pixel, HexId)>,
    /// The largest Hindrance at each range from the source, by range in hexes.
    hindrances: Vec<u8>,
}

/// A pixel with all values that the rules consult.
struct At<'a> {
    pixel: BoardPoint,
    hex: HexId,
    terrain: &'a TerrainCode,
    ground: i32,
    from_source: i32,
    to_target: i32,
}

impl<'a> Walk<'a> {
    fn new(
        ground: &'a LosBoard,
        (from, to): ((HexId, i32), (HexId, i32)),
        spines: Option<[usize; 2]>,
    ) -> Walk<'a> {
        let end = |(hex, level): (HexId, i32), spine: Option<usize>| End {
            hex,
            point: ground.grid.cells[hex].point,
            level: ground.hexes[hex].base + level,
            spine,
        };
        let source = end(from, spines.map(|[leaves, _]| leaves));
        let target = end(to, spines.map(|[_, enters]| enters));
        let (from, range) = (from.0, ground.grid.range(from.0, to.0));
        let is_gully = |end: &End| ground.hexes[end.hex].is_gully;
        let exits = is_gully(&source) && target.level - source.level <= range;
        let enters = is_gully(&target) && source.level - target.level <= range;
        Walk {
            ground,
            range,
            low: source.level.min(target.level),
            high: source.level.max(target.level),
            exits,
            enters,
            leaves_building: ground.terrain(ground.hexes[from].centre).is_building,
            is_plain: spines.is_none() && !exits && !enters,
            current: from,
            previous: None,
            excused: None,
            before: None,
            hindrances: vec![0; range as usize + 1],
            source,
            target,
        }
    }

    /// Returns whether a pixel cannot affect this line: only its height matters, and is at most the
    /// lower end. The last row always counts, as some of its pixels have no hex.
    fn is_quiet(&mut self, pixel: Pixel, y: i32) -> bool {
        if self.leaves_building {
            self.leaves_building = self.ground.terrain(pixel.terrain).is_building;
            return false;
        }
        let most = self.ground.tops[usize::from(pixel.terrain)];
        self.is_plain
            && i32::from(pixel.elevation) + most <= self.low
            && y + 1 < self.ground.grid.height
    }

    /// Returns whether a pixel has the same effect as the one before. On a line between equal
    /// levels and without depressions, the place of a pixel within its hex matters for walls only.
    fn is_as_before(&mut self, pixel: Pixel, hex: HexId) -> bool {
        let is_same = self.before == Some((pixel, hex));
        let is_anywhere = self.is_plain && self.low == self.high && !self.leaves_building;
        self.before = Some((pixel, hex));
        is_same && is_anywhere && !self.ground.terrain(pixel.terrain).is_hexside
    }

    /// Returns the total Hindrance so far, or `None` if it blocks.
    fn hindrance(&self) -> Option<u8> {
        let total: u8 = self.hindrances.iter().fold(0, |total, one| total.saturating_add(*one));
        (total < BLOCKING).then_some(total)
    }

    /// Returns whether a pixel blocks the line. Along hexsides the hex across counts too.
    fn is_blocked_at(&mut self, pixel: BoardPoint, hex: HexId) -> bool {
        let Pixel { terrain: mut code, elevation } = self.ground.pixel(pixel.0, pixel.1);
        let Some(partner) = self.partner(pixel, hex) else {
            return self.apply(pixel, hex, code, elevation.into());
        };
        [hex, partner].into_iter().any(|hex| {
            if !inside(&self.ground.grid.cells[hex].wide, pixel) || self.is_end(hex) {
                return false;
            }
            let centre = self.ground.hexes[hex].centre;
            if self.ground.terrain(centre).is_inherent {
                let is_wall = self.ground.terrain(code).is_hexside;
                if is_wall && self.apply(pixel, hex, code, elevation.into()) {
                    return true;
                }
                // The inherent terrain also applies to the other hex, as in VASL.
                code = centre;
            }
            self.apply(pixel, hex, code, elevation.into())
        })
    }

    fn is_end(&self, hex: HexId) -> bool {
        hex == self.source.hex || hex == self.target.hex
    }

    /// Returns the hex across the hexside that the line runs along, or `None` if there is none.
    fn partner(&self, pixel: BoardPoint, hex: HexId) -> Option<HexId> {
        self.source.spine?;
        let grid = &self.ground.grid;
        let is_at_end =
            [self.source, self.target].iter().any(|end| inside(&grid.cells[end.hex].wide, pixel));
        if is_at_end || grid.range(self.source.hex, hex) % 2 == 0 {
            return None;
        }
        let near = grid.cells[hex].neighbours;
        let holds = |id: &HexId| inside(&grid.cells[*id].wide, pixel) && !self.is_end(*id);
        let across = || near[grid.nearest(hex, pixel)?].filter(|id| !self.is_end(*id));
        near.iter().flatten().copied().find(holds).or_else(across)
    }

    fn hinder(&mut self, at: &At) {
        if at.from_source < self.range && at.to_target < self.range {
            let value = match at.terrain.named {
                Named::LightWoods if self.source.spine.is_none() || at.from_source % 2 == 0 => 2,
                _ => 1,
            };
            let known = &mut self.hindrances[at.from_source as usize];
            *known = value.max(*known);
        }
    }

    fn is_nearer(&self, at: &At, end: &End) -> bool {
        distance(at.pixel, end.point) < distance(self.ground.grid.cells[at.hex].point, end.point)
    }

    fn is_farther(&self, at: &At, end: &End) -> bool {
        distance(at.pixel, end.point) > distance(self.ground.grid.cells[at.hex].point, end.point)
    }

    fn crossed(&self, hex: HexId) -> impl Iterator<Item = usize> {
        self.ground.grid.crossed(hex, self.source.point, self.target.point)
    }

    /// Records a hex. Its high ground is excused where the line leaves or enters a depression.
    fn enter(&mut self, pixel: BoardPoint, hex: HexId) {
        if hex == self.current {
            return;
        }
        let is_back = self.previous == Some(hex);
        if !is_back {
            self.previous = Some(self.current);
        }
        self.current = hex;
        if is_back || self.source.spine.is_some() || !(self.exits || self.enters) {
            return;
        }
        let own = &self.ground.hexes[hex];
        let is_low = |side: usize| {
            own.gully_sides[side]
                || self.ground.is(own.sides[side], |terrain| terrain.category == Category::Water)
        };
        let near = self.ground.grid.nearest(hex, pixel);
        let climbs = self.exits && self.target.level > self.source.level;
        let descends =
            self.enters && self.source.level > self.target.level && hex != self.target.hex;
        let is_excused = self
            .crossed(hex)
            .filter(|side| is_low(*side))
            .any(|side| if near == Some(side) { climbs } else { descends });
        if is_excused {
            self.excused = Some(hex);
        }
    }

    /// Applies a terrain code at a pixel, and returns whether it blocks the line.
    fn apply(&mut self, pixel: BoardPoint, hex: HexId, code: u8, ground: i32) -> bool {
        self.enter(pixel, hex);
        let at = At {
            pixel,
            hex,
            terrain: self.ground.terrain(code),
            ground,
            from_source: self.ground.grid.range(hex, self.source.hex),
            to_target: self.ground.grid.range(hex, self.target.hex),
        };
        if self.depression(&at)
            || self.inner_wall(&at, code)
            || self.building_left(&at)
            || self.wall(&at)
        {
            return true;
        }
        let is_between =
            !self.is_end(hex) && at.from_source != self.range && at.to_target != self.range;
        let is_spill = at.terrain.is_inherent && self.ground.hexes[hex].centre != code;
        is_between && !is_spill && self.between(&at)
    }

    /// Returns whether the line is still in the building it began in, in another hex.
    fn building_left(&self, at: &At) -> bool {
        self.leaves_building
            && at.hex != self.source.hex
            && matches!(at.terrain.category, Category::Building | Category::Marketplace)
            && self.source.level <= at.ground + at.terrain.height
            && self.source.level != self.target.level
    }

    /// Returns whether the wall of a rowhouse or within a factory blocks here, in any hex.
    fn inner_wall(&self, at: &At, code: u8) -> bool {
        if !at.terrain.is_inner_wall() || !self.meets_inner_wall(at, code) {
            return false;
        }
        let top = at.ground + at.terrain.height;
        let (low, high) = (self.low, self.high);
        let is_half_over = at.terrain.is_half_level && top == low && top == high;
        if top > high || is_half_over || top == high && top > low {
            return true;
        }
        let grid = &self.ground.grid;
        let across = grid.nearest(at.hex, at.pixel);
        let across = across.and_then(|side| grid.cells[at.hex].neighbours[side]);
        let upper = if self.source.level > self.target.level { self.source } else { self.target };
        let own = grid.range(at.hex, upper.hex);
        let to_upper = across.map_or(own, |hex| own.min(grid.range(hex, upper.hex)));
        low < top && top < high && self.is_blind_from(at, to_upper, at.terrain.height, false)
    }

    /// Returns whether an inner wall counts. Where a line along hexsides begins or ends, it does
    /// only if one of the two sides beside the hexspine has it.
    fn meets_inner_wall(&self, at: &At, code: u8) -> bool {
        let end = [self.source, self.target].into_iter().find(|end| end.hex == at.hex);
        let spine = end.and_then(|end| end.spine);
        spine.is_none_or(|spine| {
            let walls = &self.ground.hexes[at.hex].walls;
            [spine + 5, spine].iter().any(|side| walls[side % 6] == Some(code))
        })
    }

    /// Returns whether a wall, hedge or Bocage blocks here, even in the first or the last hex.
    fn wall(&mut self, at: &At) -> bool {
        if !at.terrain.is_hexside || at.terrain.is_cliff() {
            return false;
        }
        let (source, target) = (self.source, self.target);
        let is_level = at.ground == source.level && at.ground == target.level;
        let is_bocage = at.terrain.named == Named::Bocage;
        if !is_level && !is_bocage {
            return false;
        }
        let side = self.ground.grid.nearest(at.hex, at.pixel);
        if [source, target].into_iter().any(|end| self.is_ignored(end, at.hex, side)) {
            return false;
        }
        if !is_bocage {
            return true;
        }
        let top = at.ground + at.terrain.height;
        let is_high = top > self.high || top == self.high && top > self.low;
        is_high || self.low < top && top < self.high && self.is_blind(at, at.terrain.height, false)
    }
}

pub(super) fn sight(ground: &LosBoard, one: (HexId, i32), other: (HexId, i32)) -> Option<u8> {
    let (grid, from, to) = (&ground.grid, one.0, other.0);
    let [start, end] = [from, to].map(|hex| grid.cells[hex].point);
    let mut walk = Walk::new(ground, (one, other), spines(start, end, grid.range(from, to)));
    let columns = (end.0 - start.0).abs() + 1;
    let step = f64::from(end.1 - start.1) / f64::from(columns);
    let right = if end.0 < start.0 { -1 } else { 1 };
    let down = if end.1 < start.1 { -1 } else { 1 };
    let (mut enter, mut exit) = (f64::from(start.1), f64::from(start.1) + step);
    let is_in = |hex: HexId, (x, y): BoardPoint| {
        let GridHex { point, wide, .. } = &grid.cells[hex];
        (x - point.0).abs() < REACH && inside(wide, (x, y))
    };
    for column in 0..columns {
        let x = start.0 + right * column;
        let mut y = enter as i32;
        let last = exit as i32;
        loop {
            let pixel = ground.pixel(x, y);
            if !walk.is_quiet(pixel, y) {
                let hex = if is_in(from, (x, y)) {
                    Some(from)
                } else if is_in(to, (x, y)) {
                    Some(to)
                } else {
                    grid.hex_at(x, y)
                };
                // Beyond the hexes of the board nothing can block.
                let Some(hex) = hex else { return walk.hindrance() };
                if !walk.is_as_before(pixel, hex) && walk.is_blocked_at((x, y), hex) {
                    return None;
                }
            }
            if y == last {
                break;
            }
            y += down;
        }
        enter = exit;
        exit += step;
    }
    walk.hindrance()
}

/// Returns the hexspines at both ends of a line along hexsides; `None` for any other line.
fn spines(start: BoardPoint, end: BoardPoint, range: i32) -> Option<[usize; 2]> {
    let (right, down) = (end.0 - start.0, end.1 - start.1);
    if down == 0 {
        return Some(if right > 0 { [2, 5] } else { [5, 2] });
    }
    let slope = (f64::from(down) / f64::from(right)).abs();
    let near = NEAR.iter().find(|(below, _)| range < *below).map_or(0.0, |(_, near)| *near);
    if (slope - 60f64.to_radians().tan()).abs() >= near {
        return None;
    }
    Some(match (right > 0, down > 0) {
        (true, true) => [3, 0],
        (true, false) => [1, 4],
        (false, true) => [4, 1],
        (false, false) => [0, 3],
    })
}
