//! The ends of a line: rims of depressions, roads that lead out, and walls of a unit's own hex.

use super::{At, End, Walk};
use crate::ground::grid::{HexId, opposite};
use crate::ground::terrain::{Category, Named};

impl Walk<'_> {
    /// Returns whether the rim of a depression at either end blocks the line.
    pub(super) fn depression(&mut self, at: &At) -> bool {
        self.exits && self.rim(at, self.source, self.target, at.to_target, false)
            || self.enters && self.rim(at, self.target, self.source, at.from_source, true)
    }

    /// Returns whether the rim at the end `below` blocks the line; `away` is the range to `above`.
    fn rim(&mut self, at: &At, below: End, above: End, away: i32, is_entry: bool) -> bool {
        let own = &self.ground.hexes[at.hex];
        let is_bridge = self.ground.terrain(own.centre).category == Category::Bridge;
        let (is_gully, base) =
            if is_bridge { (true, own.base - 1) } else { (own.is_gully, own.base) };
        let is_road = matches!(at.terrain.category, Category::Bridge | Category::Road)
            && !(self.source.spine.is_none() && self.is_road_side(at.hex, is_entry));
        let rises = match is_gully {
            true => !(at.ground == base || below.level >= at.ground || is_road),
            false => at.ground > below.level,
        };
        let is_near =
            away == 1 && above.level > own.base && own.is_gully && self.is_nearer(at, &above);
        let steep = away > above.level - below.level
            && at.hex != above.hex
            && rises
            && !(self.range == 1 && self.leaves_by_gully())
            && !is_near;
        let last = away == 1
            && is_gully
            && at.ground != base
            && at.ground > below.level
            && at.ground >= above.level
            && !is_road
            && self.is_farther(at, &above);
        if steep || last {
            return true;
        }
        if at.hex == below.hex && at.terrain.is_cliff() && self.blind_hexes(at) {
            return true;
        }
        // The two sides beside the hexspine.
        let is_crest = |side: usize| self.is_crest(below.hex, side % 6);
        below.level >= above.level
            && below.spine.is_some_and(|spine| is_crest(spine + 5) || is_crest(spine))
    }

    /// Returns whether a line, not along hexsides, leaves its first hex by a side in a depression.
    fn leaves_by_gully(&self) -> bool {
        let (start, end) = (self.source.point, self.target.point);
        let side = match start.0 == end.0 {
            true => Some(if end.1 < start.1 { 0 } else { 3 }),
            false => self.crossed(self.source.hex).next(),
        };
        let sides = &self.ground.hexes[self.source.hex].gully_sides;
        self.source.spine.is_none() && side.is_some_and(|side| sides[side])
    }

    /// Returns whether a road crosses the side by which the line enters a hex. That is the first
    /// side it crosses. On the way into a depression it is the side towards the previous hex.
    fn is_road_side(&self, hex: HexId, is_entry: bool) -> bool {
        let side = match is_entry {
            true => {
                let near = self.ground.grid.cells[hex].neighbours;
                near.iter().position(|near| near.is_some() && *near == self.previous)
            }
            false => self.crossed(hex).next(),
        };
        let terrain = side.and_then(|side| self.ground.hexes[hex].sides[side]);
        self.ground.is(terrain, |terrain| terrain.category == Category::Road)
    }

    /// Returns whether the level of the ground changes at a side.
    fn is_crest(&self, hex: HexId, side: usize) -> bool {
        let own = &self.ground.hexes[hex];
        let across = self.ground.grid.cells[hex].neighbours[side];
        across.is_some_and(|across| {
            let other = &self.ground.hexes[across];
            own.base != other.base || own.gully_sides[side] && own.is_gully != other.is_gully
        })
    }

    /// Returns whether the wall at a side of `hex` does not matter to the unit at an end.
    pub(super) fn is_ignored(&self, end: End, hex: HexId, side: Option<usize>) -> bool {
        let Some(side) = side else { return true };
        let (grid, own) = (&self.ground.grid, end.hex);
        let range = grid.range(own, hex);
        if range > 2 {
            return false;
        }
        let direction = grid.cells[own].neighbours.iter().position(|near| *near == Some(hex));
        if hex == own || direction.is_some_and(|towards| side == opposite(towards)) {
            return true;
        }
        let of = &self.ground.hexes[hex];
        let wall = of.walls[side].map(|code| self.ground.terrain(code));
        if direction.is_some_and(|towards| side == (towards + 2) % 6 || side == (towards + 4) % 6)
            && wall.is_none_or(|wall| wall.named != Named::Bocage)
        {
            return true;
        }
        if range == 1 && !self.ground.is(of.sides[side], |terrain| terrain.is_hexside) {
            return true;
        }
        end.spine.is_some_and(|spine| self.is_at_far_end(own, spine, hex, side))
    }

    /// Returns whether a side is at the far end of a hexspine that has a wall itself.
    fn is_at_far_end(&self, own: HexId, spine: usize, hex: HexId, side: usize) -> bool {
        let grid = &self.ground.grid;
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
            hex.is_some_and(|hex| self.ground.hexes[hex].walls[side % 6].is_some())
        };
        let is_one = (Some(hex), side) == (left, spine) || (Some(hex), side) == (right, before);
        has_wall(right, spine + 4) && is_one && !(has_wall(left, spine) && has_wall(right, before))
    }
}
