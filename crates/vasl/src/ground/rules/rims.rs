//! Depressions at the ends of a line: their rims, and roads that lead out.

use super::{At, End, Walk};
use crate::ground::grid::HexId;
use crate::ground::terrain::Category;

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
}
