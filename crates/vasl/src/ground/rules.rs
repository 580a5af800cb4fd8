//! What the terrain at a pixel does to a line of sight.
//!
//! Heights are whole levels; where half levels matter, both sides are doubled.

use super::Ground;
use super::grid::{HexId, Point, distance, inside};
use super::raster::Pixel;
use super::terrain::{Category, Named, Terrain};
use super::walls::is_ignored;

/// A total Hindrance that blocks.
const BLOCKING: u8 = 6;

/// The spines along which a line leaves its first hex and enters its last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub leaves: usize,
    pub enters: usize,
}

/// What a pixel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    Blocked,
}

impl Effect {
    pub(super) fn is_blocked(self) -> bool {
        self == Effect::Blocked
    }

    fn when(is_blocked: bool) -> Effect {
        if is_blocked { Effect::Blocked } else { Effect::Nothing }
    }
}

/// An end of a line.
#[derive(Clone, Copy, Debug)]
struct End {
    hex: HexId,
    point: Point,
    level: i32,
    spine: Option<usize>,
}

/// A line on its way.
pub(super) struct Walk<'a> {
    ground: &'a Ground,
    source: End,
    target: End,
    range: i32,
    low: i32,
    high: i32,
    /// Of a line along hexsides: the spine along which it leaves.
    along: Option<usize>,
    /// Whether it may have to climb out of a depression, or go down into one.
    exits: bool,
    enters: bool,
    leaves_building: bool,
    /// Whether nothing but what blocks or hinders by itself has to be looked at.
    is_plain: bool,
    current: HexId,
    previous: Option<HexId>,
    excused: Option<HexId>,
    before: Option<(Pixel, HexId)>,
    /// The largest Hindrance at each range from the source.
    hindrances: Vec<u8>,
}

/// What the rules of a pixel look at.
struct At<'a> {
    pixel: Point,
    hex: HexId,
    terrain: &'a Terrain,
    ground: i32,
    from_source: i32,
    to_target: i32,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        ground: &'a Ground,
        from: HexId,
        to: HexId,
        along: Option<Sides>,
    ) -> Walk<'a> {
        let end = |hex: HexId, spine: Option<usize>| End {
            hex,
            point: ground.grid.cells[hex].point,
            level: ground.hexes[hex].base,
            spine,
        };
        let source = end(from, along.map(|sides| sides.leaves));
        let target = end(to, along.map(|sides| sides.enters));
        let range = ground.grid.range(from, to);
        let is_gully = |end: &End| ground.hexes[end.hex].is_gully;
        let exits = is_gully(&source) && target.level - source.level <= range;
        let enters = is_gully(&target) && source.level - target.level <= range;
        Walk {
            ground,
            range,
            low: source.level.min(target.level),
            high: source.level.max(target.level),
            along: along.map(|sides| sides.leaves),
            exits,
            enters,
            leaves_building: ground.terrain(ground.hexes[from].centre).is_building,
            is_plain: along.is_none() && !exits && !enters,
            current: from,
            previous: None,
            excused: None,
            before: None,
            hindrances: vec![0; range as usize + 1],
            source,
            target,
        }
    }

    /// Whether a pixel does nothing to this line wherever it is: low terrain, of the kind that no
    /// rule but those of height asks for.
    pub(super) fn is_quiet(&mut self, pixel: Pixel, y: i32) -> bool {
        if self.leaves_building {
            self.leaves_building = self.ground.terrain(pixel.terrain).is_building;
            return false;
        }
        let most = self.ground.tops[usize::from(pixel.terrain)];
        self.is_plain
            && i32::from(pixel.elevation) + most <= self.low
            && y + 1 < self.ground.grid.height
    }

    /// Whether a pixel is like the one before in all that rules ask for: of a line between equal
    /// levels, out of depressions, where on its hex a pixel lies is asked for of walls only.
    pub(super) fn is_as_before(&mut self, pixel: Pixel, hex: HexId) -> bool {
        let is_same = self.before == Some((pixel, hex));
        let is_anywhere = self.is_plain && self.low == self.high && !self.leaves_building;
        self.before = Some((pixel, hex));
        is_same && is_anywhere && !self.ground.terrain(pixel.terrain).is_hexside
    }

    /// What is in the way so far; nothing where it is too much.
    pub(super) fn hindrance(&self) -> Option<u8> {
        let total: u8 = self.hindrances.iter().fold(0, |total, one| total.saturating_add(*one));
        (total < BLOCKING).then_some(total)
    }

    /// Goes over a pixel that is taken for one of a hex; a line along hexsides looks at the hex on
    /// the other side too.
    pub(super) fn meet(&mut self, (x, y): Point, hex: HexId) -> Effect {
        let Pixel { terrain: mut code, elevation } = self.ground.pixel(x, y);
        let partner = self.partner((x, y), hex);
        let Some(partner) = partner else { return self.apply((x, y), hex, code, elevation.into()) };
        for hex in [hex, partner] {
            let is_there = inside(&self.ground.grid.cells[hex].wide, (x, y));
            if !is_there || self.is_end(hex) {
                continue;
            }
            let centre = self.ground.hexes[hex].centre;
            if self.ground.terrain(centre).is_inherent {
                let is_wall = self.ground.terrain(code).is_hexside;
                if is_wall && self.apply((x, y), hex, code, elevation.into()).is_blocked() {
                    return Effect::Blocked;
                }
                // It stays so for the other hex.
                code = centre;
            }
            if self.apply((x, y), hex, code, elevation.into()).is_blocked() {
                return Effect::Blocked;
            }
        }
        Effect::Nothing
    }

    fn is_end(&self, hex: HexId) -> bool {
        hex == self.source.hex || hex == self.target.hex
    }

    /// The hex on the other side of the hexside that the line lies on there.
    fn partner(&self, pixel: Point, hex: HexId) -> Option<HexId> {
        self.along?;
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

    /// Counts a Hindrance, if the hex lies between both ends.
    fn hinders(&mut self, at: &At, value: u8) -> Effect {
        if at.from_source < self.range && at.to_target < self.range {
            let value = match at.terrain.named {
                Named::LightWoods if self.along.is_none() || at.from_source % 2 == 0 => 2,
                _ => value,
            };
            let known = &mut self.hindrances[at.from_source as usize];
            *known = value.max(*known);
        }
        Effect::Nothing
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

    fn is(&self, code: Option<u8>, sort: impl Fn(&Terrain) -> bool) -> bool {
        code.is_some_and(|code| sort(self.ground.terrain(code)))
    }

    /// Notes which hex the line is in, and whether its depression is no matter.
    fn enter(&mut self, pixel: Point, hex: HexId) {
        if hex == self.current {
            return;
        }
        let is_back = self.previous == Some(hex);
        if !is_back {
            self.previous = Some(self.current);
        }
        self.current = hex;
        if is_back || self.along.is_some() || !(self.exits || self.enters) {
            return;
        }
        let own = &self.ground.hexes[hex];
        let is_low = |side: usize| {
            own.gully_sides[side]
                || self.is(own.sides[side], |terrain| terrain.category == Category::Water)
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

    fn apply(&mut self, pixel: Point, hex: HexId, code: u8, ground: i32) -> Effect {
        self.enter(pixel, hex);
        let at = At {
            pixel,
            hex,
            terrain: self.ground.terrain(code),
            ground,
            from_source: self.ground.grid.range(hex, self.source.hex),
            to_target: self.ground.grid.range(hex, self.target.hex),
        };
        if self.depression(&at) || self.building_left(&at) || self.wall(&at) {
            return Effect::Blocked;
        }
        let is_between =
            !self.is_end(hex) && at.from_source != self.range && at.to_target != self.range;
        let is_spill = at.terrain.is_inherent && self.ground.hexes[hex].centre != code;
        if is_between && !is_spill { self.between(&at) } else { Effect::Nothing }
    }

    /// Whether the rim of a depression at either end blocks.
    fn depression(&mut self, at: &At) -> bool {
        if !(self.exits || self.enters) {
            return false;
        }
        let ways = [
            (self.exits, self.source, self.target, at.to_target),
            (self.enters, self.target, self.source, at.from_source),
        ];
        for (number, (is_on, below, above, away)) in ways.into_iter().enumerate() {
            if is_on && self.rim(at, below, above, away, number == 1) {
                return true;
            }
        }
        false
    }

    /// The same for the end that is below, so far away from the one above; entering is the other way
    /// round.
    fn rim(&mut self, at: &At, below: End, above: End, away: i32, is_entry: bool) -> bool {
        let own = &self.ground.hexes[at.hex];
        let is_bridge = self.ground.terrain(own.centre).category == Category::Bridge;
        let (is_gully, base) =
            if is_bridge { (true, own.base - 1) } else { (own.is_gully, own.base) };
        let is_road = matches!(at.terrain.category, Category::Bridge | Category::Road)
            && !(self.along.is_none() && self.is_road_side(at.hex, is_entry));
        let rises = !(is_gully && (at.ground == base || below.level >= at.ground || is_road))
            && !(!is_gully && at.ground <= below.level);
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
        if at.hex == below.hex && at.terrain.is_cliff() && self.blind_hexes(at).is_blocked() {
            return true;
        }
        // The two sides beside the spine.
        let is_crest = |side: usize| self.is_crest(below.hex, side % 6);
        below.level >= above.level
            && below.spine.is_some_and(|spine| is_crest(spine + 5) || is_crest(spine))
    }

    /// Whether a line that lies along no hexside leaves its first hex by a side in a depression.
    fn leaves_by_gully(&self) -> bool {
        let (start, end) = (self.source.point, self.target.point);
        let side = match start.0 == end.0 {
            true => Some(if end.1 < start.1 { 0 } else { 3 }),
            false => self.crossed(self.source.hex).next(),
        };
        let sides = &self.ground.hexes[self.source.hex].gully_sides;
        self.along.is_none() && side.is_some_and(|side| sides[side])
    }

    /// Whether a road goes over the side by which the line comes into a hex: the first that it
    /// crosses or, on the way into a depression, that towards the hex before.
    fn is_road_side(&self, hex: HexId, is_entry: bool) -> bool {
        let side = match is_entry {
            true => {
                let near = self.ground.grid.cells[hex].neighbours;
                near.iter().position(|near| near.is_some() && *near == self.previous)
            }
            false => self.crossed(hex).next(),
        };
        let terrain = side.and_then(|side| self.ground.hexes[hex].sides[side]);
        self.is(terrain, |terrain| terrain.category == Category::Road)
    }

    /// Whether the ground changes its level at a side.
    fn is_crest(&self, hex: HexId, side: usize) -> bool {
        let own = &self.ground.hexes[hex];
        let across = self.ground.grid.cells[hex].neighbours[side];
        across.is_some_and(|across| {
            let other = &self.ground.hexes[across];
            own.base != other.base || own.gully_sides[side] && own.is_gully != other.is_gully
        })
    }

    /// Whether it is still in the building it began in, in another hex.
    fn building_left(&self, at: &At) -> bool {
        self.leaves_building
            && at.hex != self.source.hex
            && matches!(at.terrain.category, Category::Building | Category::Marketplace)
            && self.source.level <= at.ground + at.terrain.height
            && self.source.level != self.target.level
    }

    /// Whether a wall or hedge blocks, which it does in the hexes of both ends too.
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
        if [source, target]
            .iter()
            .any(|end| is_ignored(self.ground, end.hex, end.spine, at.hex, side))
        {
            return false;
        }
        if !is_bocage {
            return true;
        }
        let top = at.ground + at.terrain.height;
        let is_high = top > self.high || top == self.high && top > self.low;
        is_high || self.low < top && top < self.high && self.is_blind(at, at.terrain.height, false)
    }

    /// What terrain between both ends does.
    fn between(&mut self, at: &At) -> Effect {
        let terrain = at.terrain;
        if terrain.category == Category::Bridge {
            self.excused = Some(at.hex);
        }
        let cliff = self.cliff_along(at).map(|(lower, _)| lower);
        let is_excused = self.excused == Some(at.hex);
        let is_over_cliff = cliff.is_some_and(|lower| lower <= self.high);
        if !is_over_cliff && at.ground > self.high && !is_excused {
            return Effect::Blocked;
        }
        let (low, high) = (self.low, self.high);
        let is_level = |height: i32| height == low && height == high;
        let is_bocage = terrain.named == Named::Bocage;
        let is_half = terrain.is_half_level && !terrain.is_hexside;
        let top = at.ground + terrain.height;
        let is_own_level = terrain.is_split && is_level(at.ground);
        if is_own_level {
            if terrain.is_lower_obstacle {
                return Effect::Blocked;
            }
            if terrain.is_lower_hindrance {
                self.hinders(at, 1);
            }
        }
        if is_half && is_level(top) {
            if terrain.is_obstacle {
                return Effect::Blocked;
            }
            self.hinders(at, 1);
        }
        if !is_own_level && !is_bocage && 2 * top + i32::from(is_half) > 2 * self.high {
            if terrain.is_obstacle && terrain.named != Named::LightWoods {
                return Effect::Blocked;
            }
            let is_road = terrain.category == Category::Bridge || terrain.named == Named::Road;
            if !(is_road && at.ground > self.high) {
                self.hinders(at, 1);
            }
        }
        if !is_bocage && self.as_high(at, cliff).is_blocked() {
            return Effect::Blocked;
        }
        if is_bocage { Effect::Nothing } else { self.blind_hexes(at) }
    }

    /// What is as high as the upper unit, and higher than the other.
    fn as_high(&mut self, at: &At, cliff: Option<i32>) -> Effect {
        let Terrain { height, is_half_level, is_building, .. } = *at.terrain;
        let top = 2 * (at.ground + height) + i32::from(is_half_level && is_building);
        if top != 2 * self.high || top <= 2 * self.low {
            return Effect::Nothing;
        }
        let own = &self.ground.hexes[at.hex];
        let is_own_half = |end: &End, range: i32| {
            top == 2 * at.ground && range == 1 && end.level > own.base && self.is_nearer(at, end)
        };
        if is_own_half(&self.source, at.from_source)
            || is_own_half(&self.target, at.to_target)
            || cliff.is_some_and(|lower| lower < self.high)
        {
            return Effect::Nothing;
        }
        let is_excused =
            self.excused.is_some_and(|hex| inside(&self.ground.grid.cells[hex].wide, at.pixel));
        let is_in_way = !is_excused && !(own.is_gully && (self.exits || self.enters));
        if !is_in_way && !(own.is_gully && height >= 1) {
            return Effect::Nothing;
        }
        match at.terrain.named {
            Named::OutOfSeason => self.hinders(at, 1),
            _ => Effect::Blocked,
        }
    }

    /// Of a line along hexsides, where the one it is on is a cliff: the lower level there, and the
    /// hex across.
    fn cliff_along(&self, at: &At) -> Option<(i32, Option<HexId>)> {
        let spine = self.along.filter(|_| at.from_source % 2 == 1)?;
        let cell = &self.ground.grid.cells[at.hex];
        let [one, other] = [(spine + 1) % 6, (spine + 4) % 6];
        let away = |side: usize| distance(cell.sides[side], at.pixel);
        let side = if away(one) < away(other) { one } else { other };
        let own = &self.ground.hexes[at.hex];
        let is_cliff = self.is(own.sides[side], Terrain::is_cliff);
        let across = cell.neighbours[side].filter(|hex| !self.is_end(*hex));
        let lower = across.map_or(own.base, |hex| own.base.min(self.ground.hexes[hex].base));
        is_cliff.then_some((lower, across))
    }

    /// What is below the upper unit and above the lower one, which it may hide.
    fn blind_hexes(&mut self, at: &At) -> Effect {
        let terrain = at.terrain;
        let ground = at.ground + i32::from(terrain.is_cliff());
        let is_between = |height: i32| self.low < height && height < self.high;
        if !is_between(ground + terrain.height) {
            return Effect::Nothing;
        }
        let is_cliff = self.is_cliff_there(at);
        if !self.is_blind(at, terrain.height, is_cliff) {
            return Effect::Nothing;
        }
        if terrain.is_obstacle && !terrain.is_hexside {
            let is_passed = terrain.is_building && self.along.is_some() && at.to_target % 2 == 1;
            return Effect::when(!is_passed);
        }
        if is_between(ground) && self.is_blind(at, 0, is_cliff) {
            return Effect::Blocked;
        }
        match terrain.named {
            Named::OutOfSeason if at.to_target != 1 => Effect::Nothing,
            _ => self.hinders(at, 1),
        }
    }

    /// Whether the pixel is at a cliff.
    fn is_cliff_there(&self, at: &At) -> bool {
        let has_cliff = |hex: HexId, side: usize| {
            self.is(self.ground.hexes[hex].walls[side % 6], Terrain::is_cliff)
        };
        if self.along.is_none() {
            let (x, y) = at.pixel;
            let hex = self.ground.grid.at(x, y);
            let side = hex.and_then(|hex| Some((hex, self.ground.grid.nearest(hex, at.pixel)?)));
            return side.is_some_and(|(hex, side)| has_cliff(hex, side));
        }
        [self.source, self.target].iter().any(|end| {
            let spine = end.spine.filter(|_| self.ground.hexes[end.hex].is_gully);
            spine.is_some_and(|spine| has_cliff(end.hex, spine) && has_cliff(end.hex, spine + 1))
        })
    }

    /// Whether the lower unit is in a blind hex behind a height that stands on the ground here.
    fn is_blind(&self, at: &At, height: i32, is_cliff: bool) -> bool {
        let is_up = self.source.level > self.target.level;
        let (upper, lower, to_upper, to_lower) = match is_up {
            true => (&self.source, &self.target, at.from_source, at.to_target),
            false => (&self.target, &self.source, at.to_target, at.from_source),
        };
        let own = &self.ground.hexes[at.hex];
        if is_cliff && self.along.is_none() {
            let near = self.ground.grid.nearest(at.hex, at.pixel);
            let there = near.map_or(Some(own.centre), |side| own.sides[side]);
            let is_over = to_upper == 1 && self.is_nearer(at, upper)
                || to_lower == 1 && self.is_farther(at, lower);
            if self.is(there, Terrain::is_cliff) && self.high > height && is_over {
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
