//! The geometry of the hexes of a board: points of sight, polygons and hexsides in pixels.
//!
//! As in VASL, columns are 56.25 pixels apart, rows 64.5, hexsides 37.5 (exact in floating point).

use crate::board::{COLUMN, ROW, letters};

/// The horizontal distance in pixels from the point of sight to the middles of the slanted sides.
const SLANT: f64 = 32.25 * 0.866_025_403_784_438_6;
/// The corners of a hex, clockwise from the upper left, in pixels from the point of sight.
const CORNERS: [(f64, f64); 6] =
    [(-18.75, -32.25), (18.75, -32.25), (37.5, 0.0), (18.75, 32.25), (-18.75, 32.25), (-37.5, 0.0)];
/// The offsets in pixels that widen a polygon. As in VASL, the second corner moves inwards.
const WIDER: [(i32, i32); 6] = [(-1, -1), (-1, 1), (1, 0), (1, 1), (-1, 1), (-1, 0)];
/// The hexes to search for a pixel outside its presumed hex, as offsets in columns and rows.
const AROUND: [(i32, i32); 8] =
    [(0, -1), (0, 1), (1, 0), (1, -1), (1, 1), (-1, 0), (-1, -1), (-1, 1)];

/// A point of a board in pixels: x from the left, y from the top.
pub type BoardPoint = (i32, i32);
/// The 0-based index of a hex on a board, column by column.
pub type HexId = usize;

/// Returns the squared distance of two points.
pub fn distance(one: BoardPoint, other: BoardPoint) -> i32 {
    let (x, y) = (one.0 - other.0, one.1 - other.1);
    x * x + y * y
}

/// Returns the opposite of a hexside. Sides are 0 to 5, clockwise from the top.
pub const fn opposite(side: usize) -> usize {
    (side + 3) % 6
}

/// A hex of a board.
#[derive(Clone, Debug)]
pub struct GridHex {
    pub column: i32,
    pub row: i32,
    /// The point of sight, from which lines of sight are drawn.
    pub point: BoardPoint,
    /// A point near the middle of each side, clockwise from the top.
    pub sides: [BoardPoint; 6],
    /// True for each usable side. At the edge of the board some sides are not usable.
    pub is_usable: [bool; 6],
    pub neighbours: [Option<HexId>; 6],
    pub border: [BoardPoint; 6],
    pub wide: [BoardPoint; 6],
}

/// The hexes of a board.
#[derive(Clone, Debug)]
pub struct HexGrid {
    pub columns: i32,
    pub rows: i32,
    pub width: i32,
    pub height: i32,
    pub cells: Vec<GridHex>,
    /// The hex of each pixel, column by column; [`NONE`] where there is none.
    hexes: Vec<u16>,
}

const NONE: u16 = u16::MAX;

/// The width of four columns and the height of two rows, in pixels.
const PERIOD: (i32, i32) = (225, 129);

impl HexGrid {
    /// Builds a board's hexes. Odd columns have one more than `rows`. Width and height are pixels.
    pub fn new(columns: usize, rows: usize, width: usize, height: usize) -> HexGrid {
        let mut grid = HexGrid {
            columns: columns as i32,
            rows: rows as i32,
            width: width as i32,
            height: height as i32,
            cells: Vec::new(),
            hexes: vec![NONE; width * height],
        };
        for column in 0..grid.columns {
            for row in 0..grid.rows + column % 2 {
                let cell = grid.cell(column, row);
                grid.cells.push(cell);
            }
        }
        for id in 0..grid.cells.len() {
            let GridHex { column, row, .. } = grid.cells[id];
            // An odd column begins half a hex higher.
            let (up, down) = if column % 2 == 0 { (0, 1) } else { (-1, 0) };
            let around = [(0, -1), (1, up), (1, down), (0, 1), (-1, down), (-1, up)];
            grid.cells[id].neighbours =
                around.map(|(columns, rows)| grid.hex(column + columns, row + rows));
        }
        grid.fill();
        grid
    }

    /// Finds the hex of each pixel. Hexes repeat in whole pixels, every four columns and every two
    /// rows, so most pixels away from the edges take the hex of an earlier one.
    fn fill(&mut self) {
        let (right, down) = ((PERIOD.0 * self.height) as usize, PERIOD.1 as usize);
        let (columns, rows) = (4 * self.rows as u16 + 2, 2);
        for x in 0..self.width {
            for y in 0..self.height {
                let place = (x * self.height + y) as usize;
                let earlier = if (2 * PERIOD.0..self.width - PERIOD.0).contains(&x) {
                    Some((self.hexes[place - right], columns))
                } else if (2 * PERIOD.1..self.height - PERIOD.1).contains(&y) {
                    Some((self.hexes[place - down], rows))
                } else {
                    None
                };
                self.hexes[place] = match earlier {
                    Some((NONE, _)) => NONE,
                    Some((id, further)) => id + further,
                    None => self.find(x, y).map_or(NONE, |id| id as u16),
                };
            }
        }
    }

    fn cell(&self, column: i32, row: i32) -> GridHex {
        let is_odd = column % 2 == 1;
        let x = COLUMN * f64::from(column);
        let y = 32.25 + ROW * f64::from(row) - if is_odd { 32.25 } else { 0.0 };
        let clamped = |x: f64, y: f64| (clamp(x, self.width), clamp(y, self.height));
        let truncated = |(x, y): (f64, f64)| (x as i32, y as i32);
        let corners = CORNERS.map(|(right, down)| clamped(x + right, y + down));
        let border = corners.map(|(x, y)| ((x + 0.5).floor() as i32, (y + 0.5).floor() as i32));
        let wide: [BoardPoint; 6] = std::array::from_fn(|corner| {
            let ((x, y), (right, down)) = (truncated(corners[corner]), WIDER[corner]);
            (x + right, y + down)
        });
        let sides = [
            (x, y - 31.25),
            (x + SLANT - 1.0, y - 15.125),
            (x + SLANT - 1.0, y + 15.125),
            (x, y + 31.25),
            (x - SLANT + 1.0, y + 15.125),
            (x - SLANT + 1.0, y - 15.125),
        ];
        let sides = sides.map(|side| {
            let (x, y) = truncated(side);
            truncated(clamped(x.into(), y.into()))
        });
        let last = (self.columns - 1, self.rows);
        let is_usable = std::array::from_fn(|side| {
            let is_at_side =
                column == 0 && matches!(side, 4 | 5) || column == last.0 && matches!(side, 1 | 2);
            let is_above = is_odd && row == 0 && matches!(side, 5 | 0 | 1);
            let is_below = is_odd && row == last.1 && matches!(side, 2..=4);
            !(is_at_side || is_above || is_below)
        });
        let point = truncated(clamped(x, y));
        GridHex { column, row, point, sides, is_usable, neighbours: [None; 6], border, wide }
    }

    /// Returns the hex of a 0-based column and row, or `None` off the board.
    pub fn hex(&self, column: i32, row: i32) -> Option<HexId> {
        let is_there = (0..self.columns).contains(&column)
            && (0..self.rows + column.rem_euclid(2)).contains(&row);
        is_there.then(|| (column * self.rows + column / 2 + row) as HexId)
    }

    /// Returns the hex of a pixel of the board. At the lower edge some pixels have none.
    ///
    /// # Panics
    ///
    /// Panics if the pixel is far off the board.
    pub fn hex_at(&self, x: i32, y: i32) -> Option<HexId> {
        let id = self.hexes[(x * self.height + y) as usize];
        (id != NONE).then_some(id as HexId)
    }

    fn find(&self, x: i32, y: i32) -> Option<HexId> {
        let third = (f64::from(x) / 18.75) as i32;
        let row = |column: i32| {
            let half = if column % 2 == 0 { 0.0 } else { 32.25 };
            ((f64::from(y) + half) / ROW) as i32
        };
        if (third - 1).rem_euclid(3) != 0 {
            let column = (third + 2) / 3;
            return self.hex(column, row(column));
        }
        let column = (third - 1) / 3;
        let row = row(column);
        let holds = |id: &HexId| inside(&self.cells[*id].border, (x, y));
        let own = self.hex(column, row).filter(holds);
        let from_above = || {
            let near =
                AROUND.iter().filter_map(|(right, down)| self.hex(column + right, row + down));
            let cell = near.into_iter().find(holds);
            let is_last = column % 2 == 1 && row == self.rows && column < self.columns - 1;
            cell.or_else(|| self.hex(column + 1, self.rows - 1).filter(|_| is_last))
        };
        own.or_else(from_above)
    }

    /// Returns the side of a hex that is nearest to a pixel, or `None` if the middle is nearer.
    ///
    /// # Panics
    ///
    /// Panics if the hex is not on the board.
    pub fn nearest(&self, hex: HexId, pixel: BoardPoint) -> Option<usize> {
        let cell = &self.cells[hex];
        let mut best = (distance(cell.point, pixel), None);
        for side in 0..6 {
            if cell.is_usable[side] {
                let away = distance(cell.sides[side], pixel);
                if away < best.0 {
                    best = (away, Some(side));
                }
            }
        }
        best.1
    }

    /// Returns the range between two hexes, counted in hexes.
    ///
    /// # Panics
    ///
    /// Panics if a hex is not on the board.
    pub fn range(&self, one: HexId, other: HexId) -> i32 {
        let (one, other) = (&self.cells[one], &self.cells[other]);
        let height = |cell: &GridHex| 2 * cell.row - cell.column % 2;
        let columns = (one.column - other.column).abs();
        columns + ((height(one) - height(other)).abs() - columns).max(0) / 2
    }

    /// Returns the sides of a hex, widened by about a pixel, that a line between two points meets.
    ///
    /// # Panics
    ///
    /// Panics if the hex is not on the board.
    pub fn crossed(
        &self,
        hex: HexId,
        from: BoardPoint,
        to: BoardPoint,
    ) -> impl Iterator<Item = usize> {
        let wide = self.cells[hex].wide;
        (0..6).filter(move |side| meet(wide[*side], wide[(side + 1) % 6], from, to))
    }

    /// Returns the name of a hex, such as `K5`.
    ///
    /// # Panics
    ///
    /// Panics if the hex is not on the board.
    pub fn name(&self, hex: HexId) -> String {
        let GridHex { column, row, .. } = self.cells[hex];
        format!("{}{}", letters(column as usize), row + 1 - column % 2)
    }
}

/// Moves a coordinate just off the board to the edge. Coordinates farther out stay.
fn clamp(value: f64, limit: i32) -> f64 {
    let whole = value as i32;
    if value == -1.0 {
        0.0
    } else if whole == limit || whole == limit + 1 {
        f64::from(limit - 1)
    } else {
        value
    }
}

/// Returns whether a polygon contains a pixel, with its left and upper edges but no others.
pub fn inside(polygon: &[BoardPoint; 6], (x, y): BoardPoint) -> bool {
    let mut holds = false;
    let mut bounds = [i32::MAX, i32::MIN, i32::MAX, i32::MIN];
    for (corner, &(x1, y1)) in polygon.iter().enumerate() {
        let (x2, y2) = polygon[(corner + 1) % 6];
        bounds = [bounds[0].min(x1), bounds[1].max(x1), bounds[2].min(y1), bounds[3].max(y1)];
        let ((low_x, low), (high_x, high)) =
            if y1 < y2 { ((x1, y1), (x2, y2)) } else { ((x2, y2), (x1, y1)) };
        let right = (low_x - x) * (high - low) + (y - low) * (high_x - low_x);
        holds ^= low <= y && y < high && right > 0;
    }
    holds && (bounds[0]..bounds[1]).contains(&x) && (bounds[2]..bounds[3]).contains(&y)
}

/// Returns whether two segments meet, including at an end.
fn meet(a: BoardPoint, b: BoardPoint, c: BoardPoint, d: BoardPoint) -> bool {
    let turn = |a: BoardPoint, b: BoardPoint, c: BoardPoint| {
        ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
    };
    let within = |a: BoardPoint, b: BoardPoint, c: BoardPoint| {
        (a.0.min(b.0)..=a.0.max(b.0)).contains(&c.0) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&c.1)
    };
    let turns = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
    if turns[0] * turns[1] < 0 && turns[2] * turns[3] < 0 {
        return true;
    }
    turns[0] == 0 && within(a, b, c)
        || turns[1] == 0 && within(a, b, d)
        || turns[2] == 0 && within(c, d, a)
        || turns[3] == 0 && within(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_has_the_hex_that_is_found_by_its_polygon() {
        for (columns, rows, width, height) in
            [(33, 10, 1800, 645), (17, 20, 900, 1290), (13, 7, 676, 452), (3, 2, 113, 129)]
        {
            let grid = HexGrid::new(columns, rows, width, height);
            for (x, y) in (0..grid.width).flat_map(|x| (0..grid.height).map(move |y| (x, y))) {
                assert_eq!(grid.hex_at(x, y), grid.find(x, y), "{columns} by {rows}: {x}, {y}");
            }
        }
    }
}
