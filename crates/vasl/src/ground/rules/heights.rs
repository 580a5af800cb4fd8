//! Effects of terrain between both ends of a line: ground, obstacles and Hindrances by height.

use super::{At, End, Walk};
use crate::ground::grid::{HexId, distance, inside};
use crate::ground::terrain::{Category, Named, TerrainCode};

impl Walk<'_> {
    /// Applies the terrain at a pixel between both ends, and returns whether it blocks the line.
    pub(super) fn between(&mut self, at: &At) -> bool {
        let terrain = at.terrain;
        if terrain.category == Category::Bridge {
            self.excused = Some(at.hex);
        }
        let cliff = self.cliff_along(at).map(|(lower, _)| lower);
        let is_excused = self.excused == Some(at.hex);
        let is_over_cliff = cliff.is_some_and(|lower| lower <= self.high);
        if !is_over_cliff && at.ground > self.high && !is_excused {
            return true;
        }
        let (low, high) = (self.low, self.high);
        let is_level = |height: i32| height == low && height == high;
        let is_bocage = terrain.named == Named::Bocage;
        let is_half = terrain.is_half_level && !terrain.is_hexside;
        let top = at.ground + terrain.height;
        let is_own_level = terrain.is_split && is_level(at.ground);
        if is_own_level {
            if terrain.is_lower_obstacle {
                return true;
            }
            if terrain.is_lower_hindrance {
                self.hinder(at);
            }
        }
        if is_half && is_level(top) {
            if terrain.is_obstacle {
                return true;
            }
            self.hinder(at);
        }
        if !is_own_level && !is_bocage && 2 * top + i32::from(is_half) > 2 * self.high {
            if terrain.is_obstacle && terrain.named != Named::LightWoods {
                return true;
            }
            let is_road = terrain.category == Category::Bridge || terrain.named == Named::Road;
            if !(is_road && at.ground > self.high) {
                self.hinder(at);
            }
        }
        !is_bocage && (self.as_high(at, cliff) || self.blind_hexes(at))
    }

    /// Applies terrain as high as the upper unit and higher than the lower one.
    fn as_high(&mut self, at: &At, cliff: Option<i32>) -> bool {
        let TerrainCode { height, is_half_level, is_building, .. } = *at.terrain;
        let top = 2 * (at.ground + height) + i32::from(is_half_level && is_building);
        if top != 2 * self.high || top <= 2 * self.low {
            return false;
        }
        let own = &self.ground.hexes[at.hex];
        let is_own_half = |end: &End, range: i32| {
            top == 2 * at.ground && range == 1 && end.level > own.base && self.is_nearer(at, end)
        };
        if is_own_half(&self.source, at.from_source)
            || is_own_half(&self.target, at.to_target)
            || self.is_water_below(at)
            || cliff.is_some_and(|lower| lower < self.high)
        {
            return false;
        }
        let is_excused =
            self.excused.is_some_and(|hex| inside(&self.ground.grid.cells[hex].wide, at.pixel));
        let is_in_way = !is_excused && !(own.is_gully && (self.exits || self.enters));
        if !(is_in_way || own.is_gully && height >= 1) {
            return false;
        }
        let is_hindrance = at.terrain.named == Named::OutOfSeason;
        if is_hindrance {
            self.hinder(at);
        }
        !is_hindrance
    }

    /// Returns whether low terrain of a water hex is next to the upper unit, and the lower one is
    /// on water too.
    fn is_water_below(&self, at: &At) -> bool {
        let is_water = |hex: HexId| {
            self.ground.terrain(self.ground.hexes[hex].centre).category == Category::Water
        };
        let is_below = |upper: &End, lower: &End, range: i32| {
            range == 1 && upper.level > lower.level && is_water(lower.hex)
        };
        at.terrain.height < 1
            && is_water(at.hex)
            && (is_below(&self.source, &self.target, at.from_source)
                || is_below(&self.target, &self.source, at.to_target))
    }

    /// Returns the lower level at a cliff and the hex across it, if the line runs along that cliff.
    fn cliff_along(&self, at: &At) -> Option<(i32, Option<HexId>)> {
        let spine = self.source.spine.filter(|_| at.from_source % 2 == 1)?;
        let cell = &self.ground.grid.cells[at.hex];
        let [one, other] = [(spine + 1) % 6, (spine + 4) % 6];
        let away = |side: usize| distance(cell.sides[side], at.pixel);
        let side = if away(one) < away(other) { one } else { other };
        let own = &self.ground.hexes[at.hex];
        let is_cliff = self.ground.is(own.sides[side], TerrainCode::is_cliff);
        let across = cell.neighbours[side].filter(|hex| !self.is_end(*hex));
        let lower = across.map_or(own.base, |hex| own.base.min(self.ground.hexes[hex].base));
        is_cliff.then_some((lower, across))
    }

    /// Applies terrain below the upper and above the lower unit, which may hide the lower one.
    pub(super) fn blind_hexes(&mut self, at: &At) -> bool {
        let terrain = at.terrain;
        let ground = at.ground + i32::from(terrain.is_cliff());
        let is_between = |height: i32| self.low < height && height < self.high;
        if !is_between(ground + terrain.height) {
            return false;
        }
        let is_cliff = self.is_cliff_there(at);
        if !self.is_blind(at, terrain.height, is_cliff) {
            return false;
        }
        if terrain.is_obstacle && !terrain.is_hexside {
            let is_passed =
                terrain.is_building && self.source.spine.is_some() && at.to_target % 2 == 1;
            return !is_passed;
        }
        if is_between(ground) && self.is_blind(at, 0, is_cliff) {
            return true;
        }
        if terrain.named != Named::OutOfSeason || at.to_target == 1 {
            self.hinder(at);
        }
        false
    }

    fn is_cliff_there(&self, at: &At) -> bool {
        let has_cliff = |hex: HexId, side: usize| {
            self.ground.is(self.ground.hexes[hex].walls[side % 6], TerrainCode::is_cliff)
        };
        if self.source.spine.is_none() {
            let (x, y) = at.pixel;
            let hex = self.ground.grid.hex_at(x, y);
            let side = hex.and_then(|hex| Some((hex, self.ground.grid.nearest(hex, at.pixel)?)));
            return side.is_some_and(|(hex, side)| has_cliff(hex, side));
        }
        [self.source, self.target].iter().any(|end| {
            let spine = end.spine.filter(|_| self.ground.hexes[end.hex].is_gully);
            spine.is_some_and(|spine| has_cliff(end.hex, spine) && has_cliff(end.hex, spine + 1))
        })
    }

    pub(super) fn is_blind(&self, at: &At, height: i32, is_cliff: bool) -> bool {
        let is_up = self.source.level > self.target.level;
        let to_upper = if is_up { at.from_source } else { at.to_target };
        self.is_blind_from(at, to_upper, height, is_cliff)
    }

    /// Returns whether the lower unit is in a hex that terrain hides from the upper one, which is
    /// at the range `to_upper` from it.
    pub(super) fn is_blind_from(
        &self,
        at: &At,
        to_upper: i32,
        height: i32,
        is_cliff: bool,
    ) -> bool {
        let is_up = self.source.level > self.target.level;
        let (upper, lower, to_lower) = match is_up {
            true => (&self.source, &self.target, at.to_target),
            false => (&self.target, &self.source, at.from_source),
        };
        let own = &self.ground.hexes[at.hex];
        if is_cliff && self.source.spine.is_none() {
            let near = self.ground.grid.nearest(at.hex, at.pixel);
            let there = near.map_or(Some(own.centre), |side| own.sides[side]);
            let is_over = to_upper == 1 && self.is_nearer(at, upper)
                || to_lower == 1 && self.is_farther(at, lower);
            if self.ground.is(there, TerrainCode::is_cliff) && self.high > height && is_over {
                return false;
            }
        }
        let ground = match self.cliff_along(at) {
            Some((lower, Some(_))) => lower,
            _ => at.ground,
        };
        let far = to_upper / 5 - self.high - self.low;
        if height == 0 && !is_cliff {
            let into_gully = self.crossed(at.hex).next().is_some_and(|side| own.gully_sides[side]);
            return to_lower <= (2 * (ground - i32::from(into_gully)) + far).max(0);
        }
        to_lower <= (2 * (ground + height) + far + 1).max(1)
    }
}
