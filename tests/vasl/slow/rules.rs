//! The walk along a line of sight, and the effect of each pixel on the way.

use super::*;

struct Blocked;
type RuleResult = Result<(), Blocked>;

fn blocked(is_so: bool) -> RuleResult {
    if is_so { Err(Blocked) } else { Ok(()) }
}

impl Slow<'_> {
    fn h(&self, hex: Hex) -> &Facts {
        &self.facts[&hex]
    }

    pub(super) fn walk(&self, (s, up): (Hex, i32), (t, above): (Hex, i32)) -> Option<u8> {
        let (from, to, range) = (self.point(s), self.point(t), range(s, t));
        let (ls, lt) = (self.h(s).base + up, self.h(t).base + above);
        let line = Line {
            s,
            t,
            from,
            to,
            range,
            along: self.along(from, to, range),
            ls,
            lt,
            exit: self.h(s).gully && lt - ls <= range,
            entry: self.h(t).gully && ls - lt <= range,
        };
        let mut way = WalkState { current: Some(s), only_building: true, ..WalkState::default() };
        // The line is walked from pixel column to pixel column.
        let n = (to.0 - from.0).abs() + 1;
        let d = f64::from(to.1 - from.1) / f64::from(n);
        let (mut enter, mut exit) = (f64::from(from.1), f64::from(from.1) + d);
        let hindrance = |way: &WalkState| {
            let all: u32 = way.hindrance.values().map(|one| u32::from(*one)).sum();
            (all < 6).then_some(all as u8)
        };
        for i in 0..n {
            let x = if to.0 < from.0 { from.0 - i } else { from.0 + i };
            let (first, last) = (enter.trunc() as i32, exit.trunc() as i32);
            let mut rows: Vec<i32> = (first.min(last)..=first.max(last)).collect();
            if to.1 < from.1 {
                rows.reverse();
            }
            for y in rows {
                // The end hexes have wider borders than other hexes.
                let in_wide = |hex: Hex| Slow::holds(&self.wide(hex), (x, y));
                let hex = if in_wide(s) {
                    s
                } else if in_wide(t) {
                    t
                } else {
                    match self.hex_at((x, y)) {
                        Some(hex) => hex,
                        None => return hindrance(&way),
                    }
                };
                if self.pixel(&line, &mut way, hex, (x, y)).is_err() {
                    return None;
                }
            }
            enter = exit;
            exit += d;
        }
        hindrance(&way)
    }

    /// Applies the rules to a pixel, once for each hex if the line runs along a hexside.
    fn pixel(&self, line: &Line, way: &mut WalkState, hex: Hex, at: Point) -> RuleResult {
        let code = self.code(at).unwrap();
        way.only_building &= self.t(code).is_building;
        let in_wide = |hex: Hex| Slow::holds(&self.wide(hex), at);
        let is_end = |hex: Hex| hex == line.s || hex == line.t;
        let mut partner = None;
        if line.along.is_some()
            && !in_wide(line.s)
            && !in_wide(line.t)
            && range(line.s, hex) % 2 == 1
        {
            partner = (0..6)
                .filter_map(|side| self.neighbour(hex, side))
                .find(|other| in_wide(*other) && !is_end(*other));
            if partner.is_none() {
                let across = self.nearest(hex, at).and_then(|side| self.neighbour(hex, side));
                partner = across.filter(|other| !is_end(*other));
            }
        }
        let Some(partner) = partner else { return self.rules(line, way, hex, at, code) };
        let mut code = code;
        for hex in [hex, partner] {
            if !in_wide(hex) || is_end(hex) {
                continue;
            }
            let centre = self.h(hex).centre;
            if self.t(centre).is_inherent {
                if self.t(code).is_hexside {
                    self.rules(line, way, hex, at, code)?;
                }
                code = centre;
            }
            self.rules(line, way, hex, at, code)?;
        }
        Ok(())
    }

    /// Applies the rules to a pixel with the terrain `code` in the hex `h`.
    fn rules(&self, line: &Line, way: &mut WalkState, h: Hex, at: Point, code: u8) -> RuleResult {
        let t = self.t(code);
        let g = i32::from(self.raster.pixel(at.0, at.1).unwrap().elevation);
        let (rs, rt) = (range(h, line.s), range(h, line.t));
        let (hi, lo) = (line.ls.max(line.lt), line.ls.min(line.lt));
        let height = t.height;
        let facts = self.h(h);
        let nearest = self.nearest(h, at);
        // A hex is entered, perhaps through a gully or water.
        if way.current != Some(h) {
            let back = way.previous == Some(h);
            if !back {
                way.previous = way.current;
            }
            way.current = Some(h);
            if !back && line.along.is_none() {
                for side in self.crossed(h, line) {
                    let low = facts.gully_side[side]
                        || self.is(facts.side[side], |t| t.category == Category::Water);
                    let up = line.exit && line.lt > line.ls && nearest == Some(side);
                    let down =
                        line.entry && line.ls > line.lt && h != line.t && nearest != Some(side);
                    if low && (up || down) {
                        way.excused = Some(h);
                    }
                }
            }
        }
        // Lines out of and into gullies
        let bridge = self.t(facts.centre).category == Category::Bridge;
        let gully = facts.gully || bridge;
        let b = facts.base - i32::from(bridge);
        let point = self.point(h);
        for entry in [false, true] {
            if !(if entry { line.entry } else { line.exit }) {
                continue;
            }
            let (own, other, l_own, l_other, r) = match entry {
                false => (line.s, line.t, line.ls, line.lt, rt),
                true => (line.t, line.s, line.lt, line.ls, rs),
            };
            let other_point = self.point(other);
            let road_side = if entry {
                (0..6)
                    .find(|side| way.previous.is_some() && self.neighbour(h, *side) == way.previous)
            } else {
                self.crossed(h, line).first().copied()
            };
            let by_road = road_side
                .is_some_and(|side| self.is(facts.side[side], |t| t.category == Category::Road));
            let road = [Category::Bridge, Category::Road].contains(&t.category)
                && !(line.along.is_none() && by_road);
            let leaving = if line.from.0 == line.to.0 {
                Some(if line.to.1 < line.from.1 { 0 } else { 3 })
            } else {
                self.crossed(line.s, line).first().copied()
            };
            let waived = line.range == 1
                && line.along.is_none()
                && leaving.is_some_and(|side| self.h(line.s).gully_side[side])
                || r == 1
                    && l_other > facts.base
                    && facts.gully
                    && d2(at, other_point) < d2(point, other_point);
            let first = r > l_other - l_own
                && h != other
                && !(gully && (g == b || l_own >= g || road))
                && (gully || g > l_own);
            let second = r == 1
                && gully
                && g != b
                && g > l_own
                && g >= l_other
                && !road
                && d2(at, other_point) > d2(point, other_point);
            blocked(first && !waived || second)?;
            if h == own && t.is_cliff() {
                self.blind_rule(line, way, h, at, code)?;
            }
            if let Some((e, f)) = line.along.filter(|_| l_own >= l_other) {
                let spine = if entry { f } else { e };
                for side in [(spine + 5) % 6, spine] {
                    let crest = self.neighbour(own, side).is_some_and(|across| {
                        self.h(across).base != self.h(own).base
                            || self.h(own).gully_side[side]
                                && self.h(across).gully != self.h(own).gully
                    });
                    blocked(crest)?;
                }
            }
        }
        // Walls within rowhouses and factories
        if t.is_hexside && [Category::Building, Category::Factory].contains(&t.category) {
            let beside = |hex: Hex, spine: usize| {
                h != hex || (5..=6).any(|turn| facts.wall[(spine + turn) % 6] == Some(code))
            };
            if line.along.is_none_or(|(e, f)| beside(line.s, e) && beside(line.t, f)) {
                let v = g + height;
                blocked(v > line.ls && v > line.lt)?;
                blocked(t.is_half_level && v == line.ls && v == line.lt)?;
                blocked(v == hi && v > lo)?;
                let upper = if line.ls > line.lt { line.s } else { line.t };
                let across = nearest.and_then(|side| self.neighbour(h, side));
                let ru = [Some(h), across].into_iter().flatten().map(|hex| range(hex, upper));
                let ru = ru.min().unwrap();
                blocked(lo < v && v < hi && self.blind_at(line, h, at, (height, ru), false))?;
            }
        }
        // A building blocks lines between its levels.
        blocked(
            self.t(self.h(line.s).centre).is_building
                && way.only_building
                && h != line.s
                && [Category::Building, Category::Marketplace].contains(&t.category)
                && line.ls <= g + height
                && line.ls != line.lt,
        )?;
        // Walls, hedges and bocage
        if t.is_hexside && !t.is_cliff() {
            let ignored = self.ignorable(line.s, line.along.map(|(e, _)| e), h, nearest)
                || self.ignorable(line.t, line.along.map(|(_, f)| f), h, nearest);
            if !ignored && t.named == Named::Bocage {
                let top = g + height;
                blocked(top > line.ls && top > line.lt || top == hi && top > lo)?;
                blocked(lo < top && top < hi && self.blind(line, h, at, height, false))?;
            } else if !ignored {
                blocked(g == line.ls && g == line.lt)?;
            }
        }
        // Only the rules above apply in and around the end hexes.
        if [line.s, line.t].contains(&h) || rs == line.range || rt == line.range {
            return Ok(());
        }
        if t.is_inherent && facts.centre != code {
            return Ok(());
        }
        // Ground above both ends blocks.
        let bridge_pixel = t.category == Category::Bridge;
        if bridge_pixel {
            way.excused = Some(h);
        }
        let cliff = self.along_cliff(line, h, at);
        if cliff.is_none_or(|(lower, _)| lower > hi) {
            blocked(g > line.ls && g > line.lt && way.excused != Some(h))?;
        }
        // Split and half-level terrain at the level of both ends
        let level = |v: i32| v == line.ls && v == line.lt;
        let bocage = t.named == Named::Bocage;
        let half = t.is_half_level && !t.is_hexside;
        if t.is_split && level(g) {
            blocked(t.is_lower_obstacle)?;
            if t.is_lower_hindrance {
                self.plus(line, way, h, t);
            }
        }
        if half && level(g + height) {
            blocked(t.is_obstacle)?;
            self.plus(line, way, h, t);
        }
        // Terrain above the higher end, compared in half levels
        let top = 2 * (g + height) + i32::from(half);
        if !(bocage || t.is_split && level(g)) && top > 2 * hi {
            blocked(t.is_obstacle && t.named != Named::LightWoods)?;
            let way_up = (bridge_pixel || t.name.contains("Road")) && g > hi;
            if !way_up {
                self.plus(line, way, h, t);
            }
        }
        // Terrain as high as the higher end
        let top = 2 * (g + height) + i32::from(t.is_half_level && t.is_building);
        if top == 2 * hi && top > 2 * lo && !bocage {
            let own_half = |end: Hex, r: i32, l: i32| {
                let there = self.point(end);
                top == 2 * g && r == 1 && l > facts.base && d2(at, there) < d2(point, there)
            };
            let wet = |hex: Hex| self.t(self.h(hex).centre).category == Category::Water;
            let over_water = wet(h)
                && height == 0
                && (rs == 1 && line.ls > line.lt && wet(line.t)
                    || rt == 1 && line.lt > line.ls && wet(line.s));
            let nothing = over_water
                || own_half(line.s, rs, line.ls)
                || own_half(line.t, rt, line.lt)
                || cliff.is_some_and(|(lower, _)| lower < hi);
            let free = way.excused.is_some_and(|hex| Slow::holds(&self.wide(hex), at))
                || (line.exit || line.entry) && facts.gully;
            if !nothing && (!free || facts.gully && height >= 1) {
                blocked(t.named != Named::OutOfSeason)?;
                self.plus(line, way, h, t);
            }
        }
        if bocage { Ok(()) } else { self.blind_rule(line, way, h, at, code) }
    }

    /// Applies the rules for hexes that an obstacle hides from the higher end (Blind Hexes).
    fn blind_rule(
        &self,
        line: &Line,
        way: &mut WalkState,
        h: Hex,
        at: Point,
        code: u8,
    ) -> RuleResult {
        let t = self.t(code);
        let g = i32::from(self.raster.pixel(at.0, at.1).unwrap().elevation);
        let c = i32::from(t.is_cliff());
        let (hi, lo) = (line.ls.max(line.lt), line.ls.min(line.lt));
        let between = |v: i32| lo < v && v < hi;
        let has_cliff =
            |hex: Hex, side: usize| self.is(self.h(hex).wall[side % 6], TerrainCode::is_cliff);
        let cl = match line.along {
            None => self
                .hex_at(at)
                .is_some_and(|hex| self.nearest(hex, at).is_some_and(|side| has_cliff(hex, side))),
            Some((e, f)) => [(line.s, e), (line.t, f)].iter().any(|(hex, spine)| {
                self.h(*hex).gully && has_cliff(*hex, *spine) && has_cliff(*hex, spine + 1)
            }),
        };
        if !between(g + t.height + c) || !self.blind(line, h, at, t.height, cl) {
            return Ok(());
        }
        let rt = range(h, line.t);
        if t.is_obstacle && !t.is_hexside {
            blocked(!(t.is_building && line.along.is_some() && rt % 2 == 1))
        } else if between(g + c) && self.blind(line, h, at, 0, cl) {
            Err(Blocked)
        } else {
            if t.named != Named::OutOfSeason || rt == 1 {
                self.plus(line, way, h, t);
            }
            Ok(())
        }
    }

    fn blind(&self, line: &Line, h: Hex, at: Point, x: i32, cl: bool) -> bool {
        let upper = if line.ls > line.lt { line.s } else { line.t };
        self.blind_at(line, h, at, (x, range(h, upper)), cl)
    }

    /// Tests for a blind hex with the height `x` and the range `ru` to the upper unit.
    fn blind_at(&self, line: &Line, h: Hex, at: Point, (x, ru): (i32, i32), cl: bool) -> bool {
        let g = i32::from(self.raster.pixel(at.0, at.1).unwrap().elevation);
        let (upper, lower, u, d) = match line.ls > line.lt {
            true => (line.s, line.t, line.ls, line.lt),
            false => (line.t, line.s, line.lt, line.ls),
        };
        let rd = range(h, lower);
        let point = self.point(h);
        if cl && line.along.is_none() {
            let code = match self.nearest(h, at) {
                Some(side) => self.h(h).side[side],
                None => Some(self.h(h).centre),
            };
            let (up, down) = (self.point(upper), self.point(lower));
            if self.is(code, TerrainCode::is_cliff)
                && u > x
                && (ru == 1 && d2(at, up) < d2(point, up)
                    || rd == 1 && d2(at, down) > d2(point, down))
            {
                return false;
            }
        }
        let g = match self.along_cliff(line, h, at) {
            Some((lower, true)) => lower,
            _ => g,
        };
        if x == 0 && !cl {
            let first = self.crossed(h, line).first().copied();
            let a = if first.is_some_and(|side| self.h(h).gully_side[side]) { -1 } else { 0 };
            return rd <= 0.max(2 * (g + a) + ru / 5 - u - d);
        }
        rd <= 1.max(2 * (g + x) + ru / 5 - u - d + 1)
    }

    /// Returns the lower level at the cliff along which a line runs, and whether a hex other than
    /// the ends lies across. `None` if the line runs along no cliff here.
    fn along_cliff(&self, line: &Line, h: Hex, at: Point) -> Option<(i32, bool)> {
        let (e, _) = line.along?;
        if range(line.s, h) % 2 == 0 {
            return None;
        }
        let (one, other) = ((e + 1) % 6, (e + 4) % 6);
        let is_one = d2(self.side_point(h, one), at) < d2(self.side_point(h, other), at);
        let side = if is_one { one } else { other };
        if !self.is(self.h(h).side[side], TerrainCode::is_cliff) {
            return None;
        }
        let own = self.h(h).base;
        Some(match self.neighbour(h, side).filter(|hex| ![line.s, line.t].contains(hex)) {
            Some(across) => (own.min(self.h(across).base), true),
            None => (own, false),
        })
    }

    /// Returns whether hexside terrain near the end hex `q` has no effect on the line.
    fn ignorable(&self, q: Hex, spine: Option<usize>, h: Hex, side: Option<usize>) -> bool {
        let Some(mut s) = side else { return true };
        let r = range(q, h);
        if r > 2 {
            return false;
        }
        let towards = (0..6).find(|k| self.neighbour(q, *k) == Some(h));
        let facts = self.h(h);
        if h == q || towards.is_some_and(|k| s == (k + 3) % 6) {
            return true;
        }
        let bocage = self.is(facts.wall[s], |t| t.named == Named::Bocage);
        if towards.is_some_and(|k| s == (k + 2) % 6 || s == (k + 4) % 6) && !bocage {
            return true;
        }
        if r == 1 && !self.is(facts.side[s], |t| t.is_hexside) {
            return true;
        }
        let Some(spine) = spine else { return false };
        let mut hex = h;
        if r == 2 {
            let Some(across) = self.neighbour(h, s) else { return true };
            if range(across, q) > 1 {
                return false;
            }
            (hex, s) = (across, (s + 3) % 6);
        }
        let before = (spine + 5) % 6;
        let (a, b) = (self.neighbour(q, before), self.neighbour(q, spine));
        let wall = |hex: Option<Hex>, side: usize| {
            hex.is_some_and(|hex| self.h(hex).wall[side % 6].is_some())
        };
        wall(b, spine + 4)
            && (Some(hex) == a && s == spine || Some(hex) == b && s == before)
            && !(wall(a, spine) && wall(b, before))
    }

    /// Adds a Hindrance. Only the largest one counts at each range.
    fn plus(&self, line: &Line, way: &mut WalkState, h: Hex, t: &TerrainCode) {
        let (rs, rt) = (range(line.s, h), range(line.t, h));
        if rs < line.range && rt < line.range {
            let two = t.named == Named::LightWoods && (line.along.is_none() || rs % 2 == 0);
            let value = way.hindrance.entry(rs).or_default();
            *value = (*value).max(if two { 2 } else { 1 });
        }
    }
}
