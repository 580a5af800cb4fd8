//! Walls and hedges that do not block because they belong to a unit's own hex.

use super::LosBoard;
use super::grid::{HexId, opposite};
use super::terrain::Named;

/// Returns whether the wall at a side of `hex` does not matter to a unit in `own`. `spine` is the
/// hexspine of `own` along which the line runs, if any.
pub(super) fn is_ignored(
    ground: &LosBoard,
    own: HexId,
    spine: Option<usize>,
    hex: HexId,
    side: Option<usize>,
) -> bool {
    let Some(side) = side else { return true };
    let grid = &ground.grid;
    let range = grid.range(own, hex);
    if range > 2 {
        return false;
    }
    let direction = grid.cells[own].neighbours.iter().position(|near| *near == Some(hex));
    if hex == own || direction.is_some_and(|towards| side == opposite(towards)) {
        return true;
    }
    let of = &ground.hexes[hex];
    let wall = of.walls[side].map(|code| ground.terrain(code));
    if direction.is_some_and(|towards| side == (towards + 2) % 6 || side == (towards + 4) % 6)
        && wall.is_none_or(|wall| wall.named != Named::Bocage)
    {
        return true;
    }
    if range == 1 && of.sides[side].is_none_or(|code| !ground.terrain(code).is_hexside) {
        return true;
    }
    spine.is_some_and(|spine| is_at_end(ground, own, spine, hex, side))
}

/// Returns whether a side is at the far end of a hexspine that has a wall itself.
fn is_at_end(ground: &LosBoard, own: HexId, spine: usize, hex: HexId, side: usize) -> bool {
    let grid = &ground.grid;
    let (hex, side) = match grid.range(own, hex) {
        2 => match grid.cells[hex].neighbours[side] {
            None => return true,
            Some(across) if grid.range(own, across) > 1 => return false,
            Some(across) => (across, opposite(side)),
        },
        _ => (hex, side),
    };
    let before = (spine + 5) % 6;
    let [left, right] = [before, spine].map(|side| grid.cells[own].neighbours[side]);
    let has_wall = |hex: Option<HexId>, side: usize| {
        hex.is_some_and(|hex| ground.hexes[hex].walls[side % 6].is_some())
    };
    let is_one = (Some(hex), side) == (left, spine) || (Some(hex), side) == (right, before);
    has_wall(right, spine + 4) && is_one && !(has_wall(left, spine) && has_wall(right, before))
}
