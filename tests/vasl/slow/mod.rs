//! A second, slow implementation of lines of sight, to test the first. It answers every query from
//! the pixels of the board. Lengths are in eighths of a pixel, unless a comment says otherwise.

mod rules;

use std::collections::BTreeMap;

use vasl::ground::raster::Raster;
use vasl::ground::terrain::{Category, Named, TerrainCode, TerrainCodes};

/// The 0-based column and row of a hex.
pub type Hex = (i32, i32);
type Point = (i32, i32);

const EIGHTHS: i32 = 8;

pub struct Slow<'a> {
    raster: &'a Raster,
    terrains: &'a TerrainCodes,
    facts: BTreeMap<Hex, Facts>,
}

/// The properties of a hex, as read from its pixels.
struct Facts {
    base: i32,
    centre: u8,
    gully: bool,
    side: [Option<u8>; 6],
    wall: [Option<u8>; 6],
    gully_side: [bool; 6],
}

struct Line {
    s: Hex,
    t: Hex,
    from: Point,
    to: Point,
    range: i32,
    /// The sides at the two ends of a line that runs along hexsides; `None` for other lines.
    along: Option<(usize, usize)>,
    ls: i32,
    lt: i32,
    exit: bool,
    entry: bool,
}

/// The state of the walk from pixel to pixel along a line.
#[derive(Default)]
struct WalkState {
    current: Option<Hex>,
    previous: Option<Hex>,
    excused: Option<Hex>,
    only_building: bool,
    hindrance: BTreeMap<i32, u8>,
}

fn d2(a: Point, b: Point) -> i32 {
    (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)
}

fn range(a: Hex, b: Hex) -> i32 {
    let v = |(c, r): Hex| 2 * r + if c % 2 == 0 { 1 } else { 0 };
    let (dx, dv) = ((a.0 - b.0).abs(), (v(a) - v(b)).abs());
    dx + 0.max((dv - dx) / 2)
}

fn truncated(eighths: i32) -> i32 {
    eighths / EIGHTHS
}

impl<'a> Slow<'a> {
    pub fn new(raster: &'a Raster, terrains: &'a TerrainCodes) -> Slow<'a> {
        let mut slow = Slow { raster, terrains, facts: BTreeMap::new() };
        let columns = 0..raster.columns as i32;
        let hexes = columns.flat_map(|c| (0..raster.rows as i32 + c % 2).map(move |r| (c, r)));
        slow.facts = hexes.map(|hex| (hex, slow.facts(hex))).collect();
        slow
    }

    fn t(&self, code: u8) -> &TerrainCode {
        self.terrains.get(code).unwrap()
    }

    fn size(&self) -> (i32, i32) {
        (self.raster.width as i32, self.raster.height as i32)
    }

    fn on_grid(&self, (c, r): Hex) -> bool {
        let (columns, rows) = (self.raster.columns as i32, self.raster.rows as i32);
        c >= 0 && c < columns && r >= 0 && r < rows + c.rem_euclid(2)
    }

    fn code(&self, (x, y): Point) -> Option<u8> {
        self.raster.pixel(x, y).map(|pixel| pixel.terrain)
    }

    fn is(&self, code: Option<u8>, what: impl Fn(&TerrainCode) -> bool) -> bool {
        code.is_some_and(|code| what(self.t(code)))
    }

    fn neighbour(&self, (c, r): Hex, side: usize) -> Option<Hex> {
        let shift = if c % 2 == 0 { 0 } else { -1 };
        let hex = match side % 6 {
            0 => (c, r - 1),
            1 => (c + 1, r + shift),
            2 => (c + 1, r + 1 + shift),
            3 => (c, r + 1),
            4 => (c - 1, r + 1 + shift),
            _ => (c - 1, r + shift),
        };
        Some(hex).filter(|hex| self.on_grid(*hex))
    }

    /// Moves a coordinate just outside of the board to its edge.
    fn clamp(&self, v: i32, limit: i32) -> i32 {
        if v == -EIGHTHS {
            0
        } else if [limit, limit + 1].contains(&truncated(v)) {
            (limit - 1) * EIGHTHS
        } else {
            v
        }
    }

    /// Returns the middle of a hex in eighths, which may lie outside of the board.
    fn middle(&self, (c, r): Hex) -> Point {
        (450 * c, 258 + 516 * r - if c % 2 == 1 { 258 } else { 0 })
    }

    /// Returns the middle of a hex in whole pixels, on the board.
    fn point(&self, hex: Hex) -> Point {
        let ((x, y), (w, h)) = (self.middle(hex), self.size());
        (truncated(self.clamp(x, w)), truncated(self.clamp(y, h)))
    }

    fn corners(&self, hex: Hex) -> Vec<Point> {
        let ((x, y), (w, h)) = (self.middle(hex), self.size());
        let away = [(-150, -258), (150, -258), (300, 0), (150, 258), (-150, 258), (-300, 0)];
        away.iter().map(|(a, b)| (self.clamp(x + a, w), self.clamp(y + b, h))).collect()
    }

    /// Returns the corners of a hex, rounded to whole pixels.
    fn border(&self, hex: Hex) -> Vec<Point> {
        let rounded = |v: i32| (v + EIGHTHS / 2).div_euclid(EIGHTHS);
        self.corners(hex).iter().map(|(x, y)| (rounded(*x), rounded(*y))).collect()
    }

    fn wide(&self, hex: Hex) -> Vec<Point> {
        let more = [(-1, -1), (-1, 1), (1, 0), (1, 1), (-1, 1), (-1, 0)];
        let corners = self.corners(hex);
        let wide =
            corners.iter().zip(more).map(|((x, y), (a, b))| (truncated(*x) + a, truncated(*y) + b));
        wide.collect()
    }

    /// Returns whether a hexagon contains a pixel. Crossings are computed as fractions.
    fn holds(polygon: &[Point], (x, y): Point) -> bool {
        let [xs, ys]: [Vec<i32>; 2] =
            [polygon.iter().map(|p| p.0).collect(), polygon.iter().map(|p| p.1).collect()];
        let within =
            |v: i32, all: &[i32]| all.iter().min() <= Some(&v) && Some(&v) < all.iter().max();
        if !within(x, &xs) || !within(y, &ys) {
            return false;
        }
        let crossed = (0..6).filter(|n| {
            let (mut a, mut b) = (polygon[*n], polygon[(n + 1) % 6]);
            if a.1 > b.1 {
                (a, b) = (b, a);
            }
            if a.1 == b.1 || y < a.1 || y >= b.1 {
                return false;
            }
            // a.0 + (y - a.1) (b.0 - a.0) / (b.1 - a.1) > x
            let (numerator, denominator) = ((y - a.1) * (b.0 - a.0), b.1 - a.1);
            numerator > (x - a.0) * denominator
        });
        crossed.count() % 2 == 1
    }

    /// Returns a pixel at the middle of a side; k is the square root of 32.25 squared times 3/4.
    fn side_point(&self, hex: Hex, side: usize) -> Point {
        let ((x, y), (w, h)) = (self.middle(hex), self.size());
        // Whole pixels of x + k - 1, or of x - k + 1, by trial: (8 n)^2 against (258 k / 32.25)^2.
        let slanted = |sign: i32| -> i32 {
            let reaches = |n: i32| {
                let rest = i64::from(sign * (EIGHTHS * n - x) + EIGHTHS);
                rest <= 0 || 4 * rest * rest <= 3 * 258 * 258
            };
            let mut n = x / EIGHTHS + sign * 28 - 4 * sign;
            match sign {
                // The largest n with n - x + 1 <= k; then rounded towards zero.
                1 => {
                    while reaches(n + 1) {
                        n += 1;
                    }
                    if n < 0 { n + 1 } else { n }
                }
                // x - k + 1 lies between n and n + 1 for the largest n with x - n + 1 >= k.
                _ => {
                    n += 10;
                    while reaches(n) {
                        n -= 1;
                    }
                    if n < 0 { n + 1 } else { n }
                }
            }
        };
        let (px, py) = match side {
            0 => (truncated(x), truncated(y - 250)),
            1 => (slanted(1), truncated(y - 121)),
            2 => (slanted(1), truncated(y + 121)),
            3 => (truncated(x), truncated(y + 250)),
            4 => (slanted(-1), truncated(y + 121)),
            _ => (slanted(-1), truncated(y - 121)),
        };
        (truncated(self.clamp(px * EIGHTHS, w)), truncated(self.clamp(py * EIGHTHS, h)))
    }

    /// Returns whether a side of a hex lies on the board.
    fn usable(&self, (c, r): Hex, side: usize) -> bool {
        let (columns, rows) = (self.raster.columns as i32, self.raster.rows as i32);
        !(c == 0 && [4, 5].contains(&side)
            || c == columns - 1 && [1, 2].contains(&side)
            || c % 2 == 1 && r == 0 && [5, 0, 1].contains(&side)
            || c % 2 == 1 && r == rows && [2, 3, 4].contains(&side))
    }

    /// Returns the side that is nearest to a pixel; `None` if the middle of the hex is nearer.
    fn nearest(&self, hex: Hex, at: Point) -> Option<usize> {
        let (mut best, mut found) = (d2(self.point(hex), at), None);
        for side in (0..6).filter(|side| self.usable(hex, *side)) {
            if d2(self.side_point(hex, side), at) < best {
                (best, found) = (d2(self.side_point(hex, side), at), Some(side));
            }
        }
        found
    }

    /// Returns the hex of a pixel; `None` outside of the grid.
    fn hex_at(&self, (x, y): Point) -> Option<Hex> {
        let rows = self.raster.rows as i32;
        // 18.75 is 75/4, 64.5 is 129/2, 32.25 is 129/4.
        let z = 4 * x / 75;
        let row = |c: i32| if c % 2 == 0 { 2 * y / 129 } else { (4 * y + 129) / 258 };
        if (z - 1) % 3 != 0 {
            let c = z / 3 + i32::from(z % 3 != 0);
            return Some((c, row(c)));
        }
        let c = (z - 1) / 3;
        let r = row(c);
        let around = [(0, 0), (0, -1), (0, 1), (1, 0), (1, -1), (1, 1), (-1, 0), (-1, -1), (-1, 1)];
        let near = around.iter().map(|(a, b)| (c + a, r + b)).filter(|hex| self.on_grid(*hex));
        for hex in near {
            if Slow::holds(&self.border(hex), (x, y)) {
                return Some(hex);
            }
        }
        let at_end = c % 2 == 1 && r == rows && c < self.raster.columns as i32 - 1;
        at_end.then_some((c + 1, rows - 1))
    }

    /// Returns the sides of a hex whose corners are on both sides of a line, or one is on it.
    fn crossed(&self, hex: Hex, line: &Line) -> Vec<usize> {
        let wide = self.wide(hex);
        let area = |a: Point, b: Point, c: Point| {
            i64::from(b.0 - a.0) * i64::from(c.1 - a.1)
                - i64::from(b.1 - a.1) * i64::from(c.0 - a.0)
        };
        let between = |a: i32, b: i32, c: i32, d: i32| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
        let meets = |side: &usize| {
            let (a, b, c, d) = (wide[*side], wide[(side + 1) % 6], line.from, line.to);
            between(a.0, b.0, c.0, d.0)
                && between(a.1, b.1, c.1, d.1)
                && area(a, b, c).signum() * area(a, b, d).signum() <= 0
                && area(c, d, a).signum() * area(c, d, b).signum() <= 0
        };
        (0..6).filter(meets).collect()
    }

    fn own_side(&self, hex: Hex, side: usize) -> Option<u8> {
        self.code(self.side_point(hex, side)).filter(|_| self.usable(hex, side))
    }

    /// Returns the terrain code of a side, which is hexside terrain if either hex has it.
    fn side_terrain(&self, hex: Hex, side: usize) -> Option<u8> {
        let own = self.own_side(hex, side)?;
        let across = self.neighbour(hex, side);
        let other = across.and_then(|hex| self.code(self.side_point(hex, (side + 3) % 6)));
        let is_wall = |code: Option<u8>| self.is(code, |t| t.is_hexside);
        if !is_wall(Some(own)) && is_wall(other) { other } else { Some(own) }
    }

    /// Returns the code of the hexside terrain on a side, or `None`; both hexes agree on it.
    fn wall(&self, hex: Hex, side: usize) -> Option<u8> {
        let across = self.neighbour(hex, side).filter(|other| *other < hex);
        match across {
            Some(other) => self.wall(other, (side + 3) % 6),
            None => self.side_terrain(hex, side).filter(|code| self.t(*code).is_hexside),
        }
    }

    fn facts(&self, hex: Hex) -> Facts {
        let (x, y) = self.point(hex);
        let building = |at: Point| self.code(at).filter(|code| self.t(*code).is_building);
        let corner = [(1, -1), (-1, -1), (1, 1), (-1, 1)].iter();
        let mut centre = corner.filter_map(|(a, b)| self.code((x + a, y + b))).next().unwrap();
        // A building at a hexside or near the middle makes a building hex.
        if !self.t(centre).is_building {
            let side = (0..6).find_map(|side| building(self.side_point(hex, side)));
            let probes = [(x + 5, y), (x - 5, y), (x, y + 5), (x, y - 5)];
            let probe = probes.iter().rev().find_map(|at| building(*at));
            centre = side.or(probe).unwrap_or(centre);
        }
        let gully = self.t(centre).category == Category::Depression;
        // Inherent terrain nearest to the middle replaces the terrain of the hex.
        let border = self.border(hex);
        let bound = |coordinate: fn(&Point) -> i32| {
            (
                border.iter().map(coordinate).min().unwrap(),
                border.iter().map(coordinate).max().unwrap(),
            )
        };
        let ((left, right), (top, bottom)) = (bound(|p| p.0), bound(|p| p.1));
        'scan: for x in left..right {
            for y in top..bottom {
                let code = self.code((x, y));
                if self.is(code, |t| t.is_inherent) && self.nearest(hex, (x, y)).is_none() {
                    centre = code.unwrap();
                    break 'scan;
                }
            }
        }
        Facts {
            base: self.raster.pixel(x, y).unwrap().elevation.into(),
            centre,
            gully,
            side: std::array::from_fn(|side| self.side_terrain(hex, side)),
            wall: std::array::from_fn(|side| self.wall(hex, side)),
            gully_side: std::array::from_fn(|side| {
                self.is(self.own_side(hex, side), |t| t.category == Category::Depression)
            }),
        }
    }

    /// Returns the sides at the ends of a line that runs along hexsides; `None` for other lines.
    fn along(&self, from: Point, to: Point, range: i32) -> Option<(usize, usize)> {
        let (dx, dy) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
        if dy == 0 {
            return Some(if dx > 0 { (2, 5) } else { (5, 2) });
        }
        if dx == 0 {
            return None;
        }
        let tol = if range < 5 {
            50
        } else if range <= 15 {
            30
        } else {
            15
        };
        let (top, under) = (1000 * dy.abs(), dx.abs());
        // slope - tol < sqrt(3) < slope + tol, with all terms times 1000 `under`
        let root = 3_000_000 * under * under;
        let (less, more) = (top - tol * under, top + tol * under);
        let is_near = (less < 0 || less * less < root) && more * more > root;
        is_near.then_some(match (dx > 0, dy > 0) {
            (true, true) => (3, 0),
            (true, false) => (1, 4),
            (false, true) => (4, 1),
            (false, false) => (0, 3),
        })
    }

    /// Returns the hindrance of a line; `None` if it is blocked in either direction.
    pub fn sight(&self, a: Hex, b: Hex) -> Option<u8> {
        self.sight_at((a, 0), (b, 0))
    }

    /// Returns the hindrance of a line between levels above the ground.
    pub fn sight_at(&self, a: (Hex, i32), b: (Hex, i32)) -> Option<u8> {
        Some(self.walk(a, b)?.max(self.walk(b, a)?))
    }
}
