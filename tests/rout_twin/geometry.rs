//! Hexes by column and row (rules section 1). Odd columns stand half a hex higher than even ones.

use super::HexAt;

/// The number of hexsides and directions: 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW.
pub const SIDES: usize = 6;

pub fn neighbour(hex: HexAt, side: usize) -> HexAt {
    let (column, row) = hex;
    // In the neighbouring columns, `upper` is the row to the north-east and north-west. The row
    // after it is to the south-east and south-west.
    let upper = if column.rem_euclid(2) == 1 { row - 1 } else { row };
    match side {
        0 => (column, row - 1),
        1 => (column + 1, upper),
        2 => (column + 1, upper + 1),
        3 => (column, row + 1),
        4 => (column - 1, upper + 1),
        5 => (column - 1, upper),
        _ => panic!("a hex has six sides"),
    }
}

pub fn side_towards(from: HexAt, to: HexAt) -> Option<usize> {
    (0..SIDES).find(|&side| neighbour(from, side) == to)
}

pub fn opposite(side: usize) -> usize {
    (side + 3) % SIDES
}

/// Returns twice the y coordinate of the centre of a hex, so that it is a whole number.
fn double_y(hex: HexAt) -> i32 {
    2 * hex.1 + if hex.0.rem_euclid(2) == 0 { 1 } else { 0 }
}

pub fn range(a: HexAt, b: HexAt) -> i32 {
    let dx = (a.0 - b.0).abs();
    let double_dy = (double_y(a) - double_y(b)).abs();
    (2 * dx).max(dx + double_dy) / 2
}

/// Returns the hexsides of `to` through which the line from the centre of `from` enters: one, or
/// two if the line runs exactly through their vertex.
pub fn sides_entered(from: HexAt, to: HexAt) -> Vec<usize> {
    // The plane is stretched so that centres and corners have whole coordinates. Straight lines
    // stay straight.
    let direction = (3 * (from.0 - to.0), double_y(from) - double_y(to));
    if direction == (0, 0) {
        return Vec::new();
    }
    // The corners are listed clockwise (y grows southward); side k runs from corner k to k + 1.
    let corners = [(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)];
    (0..SIDES)
        .filter(|&side| {
            let (first, second) = (corners[side], corners[(side + 1) % SIDES]);
            turn(first, direction) >= 0 && turn(direction, second) >= 0
        })
        .collect()
}

/// Returns a positive number if `b` lies clockwise of `a` by less than half a turn.
fn turn(a: (i32, i32), b: (i32, i32)) -> i32 {
    a.0 * b.1 - a.1 * b.0
}
