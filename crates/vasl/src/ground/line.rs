//! A line of sight between two hexes at ground level: its pixels in order, with the hex of each.

use super::LosBoard;
use super::grid::{BoardPoint, GridHex, HexId, inside};
use super::rules::{Sides, Walk};

/// The tolerances within which the slope of a line follows hexsides. Each is for ranges below its
/// first number, in hexes.
const NEAR: [(i32, f64); 3] = [(5, 0.05), (16, 0.03), (i32::MAX, 0.015)];

/// The maximum horizontal distance, in pixels, of the pixels of a hex from its point of sight.
const REACH: i32 = 42;

/// Returns the Hindrance of a line from one hex to another, or `None` if it is blocked.
pub(super) fn sight(ground: &LosBoard, from: HexId, to: HexId) -> Option<u8> {
    let grid = &ground.grid;
    let [start, end] = [from, to].map(|hex| grid.cells[hex].point);
    let mut walk = Walk::new(ground, from, to, spines(start, end, grid.range(from, to)));
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
        let mut y = enter.trunc() as i32;
        let last = exit.trunc() as i32;
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

/// Returns the hexspines at both ends if the line runs along hexsides, otherwise `None`.
fn spines(start: BoardPoint, end: BoardPoint, range: i32) -> Option<Sides> {
    let (right, down) = (end.0 - start.0, end.1 - start.1);
    if down == 0 {
        let (leaves, enters) = if right > 0 { (2, 5) } else { (5, 2) };
        return Some(Sides { leaves, enters });
    }
    let slope = (f64::from(down) / f64::from(right)).abs();
    let near = NEAR.iter().find(|(below, _)| range < *below).map_or(0.0, |(_, near)| *near);
    if (slope - 60f64.to_radians().tan()).abs() >= near {
        return None;
    }
    let (leaves, enters) = match (right > 0, down > 0) {
        (true, true) => (3, 0),
        (true, false) => (1, 4),
        (false, true) => (4, 1),
        (false, false) => (0, 3),
    };
    Some(Sides { leaves, enters })
}
