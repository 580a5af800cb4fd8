//! Lines of sight found from the map alone: what stands in a hex, how wide and how high it is.
//!
//! # What is modelled
//!
//! * 6.1: the line runs from centre to centre; the hexes of its ends are never in its way.
//! * 6.2: an obstacle higher than both ends blocks, and one as high as the higher end unless both are equally high. Woods are one level
//!   high (B13.2), forest two, a building one (B23.21), 1½ or 2½ with one or two upper levels (B23.22, B23.23), rubble half.
//! * 6.3: a Depression (B4, B19, B20) is seen from a neighbour, along the Depression, or from as many levels above as the range.
//! * 6.4: Blind Hexes behind lower obstacles, and behind crest lines (B10.23).
//! * 6.7: a Hindrance for each hex, not more than one at each range; six block. The hexes of the ends do not count, SMOKE in them does.
//! * B9.2: walls, hedges and roadblocks are half a level high, bocage one (B9.5), and not in the way of a hex they belong to or whose
//!   vertex the line leaves by.
//! * B3.4: woods do not block a line that keeps to the road through them; B6.2: a bridge is a Hindrance beside its road.
//! * B14.2, B15.2, B12: orchards are one level high, grain and brush half; an orchard fills its hex (B.6).
//! * B23.25: between two hexes of a building there is no line from level to level.
//!
//! # What is not
//!
//! The artwork. Woods, buildings and grain are discs of the share of their hex, with bands between the discs of neighbours; an open hex
//! into which its neighbour's artwork reaches is open. The ground of a hex has the level of its centre, so crest lines are hexsides.
//! Slopes, rooftops, cellars, vertices (Bypass), vehicles and wrecks, weather and night are left out, and so is the height of entrenchments
//! and Cliffs other than that of the ground. SMOKE has one strength, and a Blaze is SMOKE.

use std::f64::consts::PI;

use super::hex::{Hex, Side};
use super::line::{HEX_AREA, Line, Meeting, Point, Segment, centre_point, distance, moved, step};
use super::map::{Ground, Map, Site};
use super::sight::LineOfSight;
use super::terrain::Sight;

/// Hindrances that together block (6.7).
const BLOCKING: u8 = 6;
/// Hindrance of a hex of SMOKE: that of dispersed smoke, between WP and fresh smoke (A24.2).
pub const SMOKE: u8 = 2;
/// Height of SMOKE in half-levels (A24.4).
const SMOKE_HEIGHT: i32 = 4;
/// A line keeps to a road if it crosses the hexside this near to the road, in hexsides: half the width of a road.
const ROAD: f64 = 0.22;
/// How near to its centre a line must come to cross the bridge of a hex, in hexsides.
const BRIDGE: f64 = 0.5;

/// How the artwork of a terrain covers its hexes. The numbers fit the lines of seven geomorphic boards best.
struct Artwork {
    /// What covers a hex is a disc of that area, so much wider.
    width: f64,
    /// A disc is this much narrower for each neighbour it is joined to, in hexsides: what covers the band is missing from the disc.
    joint: f64,
    /// Half the width of the band to a neighbour of the same kind, in radii of the lesser of their discs.
    band: f64,
    /// How far a disc that does not fill its hex moves towards its neighbours: by this part of the way to their centres, for an empty hex.
    lean: f64,
    /// The share of a full hex.
    full: f64,
}

const WOODS: Artwork = Artwork { width: 1.0, joint: 0.0, band: 0.4, lean: 0.0, full: 1.0 };
/// Houses have corners: a square is in the mean 1.13 times as wide as a disc of its area.
const BUILDING: Artwork = Artwork { width: 1.13, joint: 0.08, band: 0.6, lean: 0.0, full: 1.0 };
/// Grain is drawn in dots: the fullest hexes are covered by 69 %. Fields run across hexsides, so what is in the hexes of their edges leans
/// to the middle.
const GRAIN: Artwork = Artwork { width: 1.0, joint: 0.0, band: 0.5, lean: 0.15, full: 0.69 };

/// Kinds of terrain whose artwork may cover a part of a hex.
#[derive(Clone, Copy, PartialEq)]
enum Cover {
    Woods,
    Building(Option<u16>),
    Grain,
    /// Inherent terrain (B.6), and all whose share is not known: the whole hex.
    Whole,
}

impl Cover {
    fn of(ground: &Ground) -> Cover {
        match ground.terrain {
            terrain if terrain.is_building() => Cover::Building(ground.building),
            terrain if terrain.is_cover => Cover::Woods,
            terrain if terrain.id == "grain" => Cover::Grain,
            _ => Cover::Whole,
        }
    }

    fn artwork(self) -> &'static Artwork {
        match self {
            Cover::Building(_) => &BUILDING,
            Cover::Grain => &GRAIN,
            Cover::Woods | Cover::Whole => &WOODS,
        }
    }

    /// The share of a hex it covers, of 1.
    fn share(self, ground: &Ground) -> f64 {
        let percent = match self {
            _ if Cover::of(ground) != self => 0,
            Cover::Woods => ground.shares.woods,
            Cover::Building(_) => ground.shares.building,
            Cover::Grain => ground.shares.grain,
            Cover::Whole => 100,
        };
        (f64::from(percent) / 100.0 / self.artwork().full).min(1.0)
    }
}

/// Radius of a disc that covers a share of a hex.
fn radius(share: f64) -> f64 {
    (share * HEX_AREA / PI).sqrt()
}

/// Finds lines of sight from the hexes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry;

impl LineOfSight for Geometry {
    fn hindrance(&self, map: &Map, from: Site, to: Site) -> Option<u8> {
        if from.hex == to.hex { Some(0) } else { View::new(map, from, to)?.hindrance() }
    }
}

/// Whether a hex is a Depression (6.3).
fn is_depression(ground: &Ground) -> bool {
    ground.terrain.is_depression()
}

/// The level of the ground around a hex, in half-levels: that of the lowest neighbour of a Depression, of any other hex its own.
fn rim(map: &Map, hex: Hex, ground: &Ground) -> i32 {
    let own = i32::from(ground.level);
    if !is_depression(ground) {
        return 2 * own;
    }
    let neighbours = map.neighbours(hex).filter_map(|(_, hex)| map.get(hex));
    2 * neighbours.filter(|ground| !is_depression(ground)).map(|ground| i32::from(ground.level)).min().unwrap_or(own + 1)
}

/// The level of a Location, in half-levels; a Depression lies a level below its rim, whether the map says so or not.
fn elevation(map: &Map, site: Site) -> Option<i32> {
    let ground = map.get(site.hex)?;
    let own = 2 * i32::from(ground.level);
    let base = if is_depression(ground) { own.min(rim(map, site.hex, ground) - 2) } else { own };
    Some(base + 2 * i32::from(site.level))
}

/// What may be in the way.
#[derive(Clone, Copy, PartialEq)]
enum Rise {
    /// The bare ground of a hex.
    Ground,
    /// What stands on it.
    Obstacle,
}

/// Two Locations, and the line between them.
struct View<'a> {
    map: &'a Map,
    line: Line,
    /// The lower end, then the higher one; of two equally high the first in the order of Locations.
    ends: [Site; 2],
    /// Their levels in half-levels.
    levels: [i32; 2],
}

impl View<'_> {
    /// `None` where an end is off the map. Both orders of the ends give the same.
    fn new(map: &Map, from: Site, to: Site) -> Option<View<'_>> {
        let mut ends = [(elevation(map, from)?, from), (elevation(map, to)?, to)];
        ends.sort_unstable();
        let [(lower, low), (higher, high)] = ends;
        Some(View { map, line: Line::new(low.hex, high.hex), ends: [low, high], levels: [lower, higher] })
    }

    fn hindrance(&self) -> Option<u8> {
        if self.between_floors() || !self.reaches_depression() {
            return None;
        }
        let mut hindrances = Hindrances::default();
        for hex in self.line.hexes() {
            let (Some(ground), Some(meeting)) = (self.map.get(hex), self.line.meets(hex)) else { continue };
            if self.is_end(hex) {
                hindrances.smoke += if is_smoky(ground) { SMOKE } else { 0 };
            } else if self.behind_side(hex, ground) || self.blocked_in(hex, ground, meeting) {
                return None;
            } else {
                self.hinder(hex, ground, meeting, &mut hindrances);
            }
            if hindrances.total() >= BLOCKING {
                return None;
            }
        }
        Some(hindrances.total())
    }

    fn is_end(&self, hex: Hex) -> bool {
        self.ends.iter().any(|end| end.hex == hex)
    }

    /// B23.25: the ends are on different levels of two hexes of a building.
    fn between_floors(&self) -> bool {
        let [low, high] = self.ends.map(|end| (end.level, self.map.get(end.hex)));
        let (Some(a), Some(b)) = (low.1, high.1) else { return true };
        low.0 != high.0 && a.building.is_some() && a.building == b.building && !a.rowhouse && !b.rowhouse
    }

    /// 6.3: whether ends in a Depression can be seen at all: along it, or from as many levels above as the range. A bridge leads over it.
    fn reaches_depression(&self) -> bool {
        let of =
            |hex: Hex, also: fn(&Ground) -> bool| self.map.get(hex).is_some_and(|ground| is_depression(ground) || also(ground));
        let is_low = |end: &Site| end.level == 0 && of(end.hex, |_| false);
        if !self.ends.iter().any(is_low) {
            return true;
        }
        let crossed = |hex: Hex| !self.is_end(hex) && self.line.meets(hex).is_some_and(|meeting| meeting != Meeting::Vertex);
        let above = (self.levels[1] - self.levels[0]) / 2 >= i32::from(self.ends[0].hex.range(self.ends[1].hex));
        above || self.line.hexes().filter(|&hex| crossed(hex)).all(|hex| of(hex, is_bridge))
    }

    /// Whether something that rises to a height at a hex is in the way (6.2, 6.4). Half a level above the lower end is nothing to a higher
    /// one.
    fn is_cut(&self, top: i32, at: Hex, rise: Rise) -> bool {
        let [lower, higher] = self.levels;
        let full = top - top.rem_euclid(2);
        match () {
            _ if top > higher => true,
            _ if lower == higher || full <= lower => false,
            _ if top == higher => true,
            _ => i32::from(at.range(self.ends[0].hex)) <= self.blind_hexes(full, at, rise),
        }
    }

    /// Hexes behind an obstacle lower than the viewer that cannot be seen (6.41, 6.42): as many as the obstacle is levels high, one more
    /// for each five hexes from the viewer, one less for each level above the first by which the viewer is higher; at least one. The
    /// crest of a hill hides one less, and down a continuous slope none (B10.23).
    fn blind_hexes(&self, top: i32, at: Hex, rise: Rise) -> i32 {
        let [lower, higher] = self.levels;
        let (height, advantage) = ((top - lower) / 2, (higher - top) / 2);
        let hidden = height - (advantage - 1) + i32::from(at.range(self.ends[1].hex)) / 5;
        if rise == Rise::Obstacle { hidden.max(1) } else { (hidden - 1).max(0) }
    }

    /// B9.2: whether a hexside of a hex blocks. A hexside is higher than the lower of its two hexes.
    fn behind_side(&self, hex: Hex, ground: &Ground) -> bool {
        Side::ALL.into_iter().any(|side| {
            let height = ground.side(side).map_or(0, |barrier| barrier.height());
            let other = hex.neighbour(side);
            if height == 0 || self.is_end(other) || !self.line.touches(hex, side) {
                return false;
            }
            let level = self.map.get(other).map_or(ground.level, |other| other.level.min(ground.level));
            self.is_cut(2 * i32::from(level) + i32::from(height), hex, Rise::Obstacle)
        })
    }

    /// Whether the ground of a hex, or what stands there, blocks.
    fn blocked_in(&self, hex: Hex, ground: &Ground, meeting: Meeting) -> bool {
        let base = rim(self.map, hex, ground);
        let beside = match meeting {
            Meeting::Vertex => return false,
            Meeting::Along(side, _) => self.map.get(hex.neighbour(side)).map_or(base, |other| 2 * i32::from(other.level)),
            Meeting::Through(_) => base,
        };
        if !is_depression(ground) && self.is_cut(base.min(beside), hex, Rise::Ground) {
            return true;
        }
        ground.terrain.sight == Sight::Obstacle
            && self.is_cut(base + height(ground), hex, Rise::Obstacle)
            && self.covers(hex, ground, meeting)
    }

    /// Counts what hinders in a hex.
    fn hinder(&self, hex: Hex, ground: &Ground, meeting: Meeting, hindrances: &mut Hindrances) {
        if meeting == Meeting::Vertex {
            return;
        }
        let base = rim(self.map, hex, ground);
        if is_smoky(ground) && matches!(meeting, Meeting::Through(_)) && self.is_cut(base + SMOKE_HEIGHT, hex, Rise::Obstacle) {
            hindrances.smoke += SMOKE;
        }
        let covered = match ground.terrain.sight {
            Sight::Hindrance => self.covers(hex, ground, meeting),
            _ => is_bridge(ground) && crosses_bridge(hex, ground, meeting),
        };
        if covered && self.is_cut(base + height(ground).max(1), hex, Rise::Obstacle) {
            hindrances.add(hex.range(self.ends[0].hex));
        }
    }

    /// Whether the line comes upon the terrain of a hex.
    fn covers(&self, hex: Hex, ground: &Ground, meeting: Meeting) -> bool {
        let cover = Cover::of(ground);
        let share = cover.share(ground);
        match meeting {
            Meeting::Vertex => false,
            Meeting::Along(side, _) if share >= 1.0 => self.closes(hex.neighbour(side), ground),
            Meeting::Through(piece) if share >= 1.0 => !follows_road(hex, ground, piece),
            Meeting::Along(_, piece) | Meeting::Through(piece) => {
                share > 0.0 && !follows_road(hex, ground, piece) && self.touches_artwork(hex, cover, share, piece)
            }
        }
    }

    /// Whether a line along a hexside with something filling the hex on one side finds no way past what is on the other. A Hindrance fills
    /// its hex to the edge and beyond (B.6).
    fn closes(&self, other: Hex, ground: &Ground) -> bool {
        let obstacle = |other: &Ground| other.terrain.sight == Sight::Obstacle;
        ground.terrain.sight == Sight::Hindrance || self.map.get(other).is_some_and(obstacle)
    }

    /// Whether a piece of line in a hex comes upon the disc there or a band to a neighbour's.
    fn touches_artwork(&self, hex: Hex, cover: Cover, share: f64, piece: Segment) -> bool {
        let artwork = cover.artwork();
        let centre = centre_point(hex);
        let (mut middle, mut joints) = (centre, 0.0);
        for (side, _) in self.joined(hex, cover) {
            middle = moved(middle, step(side), artwork.lean * (1.0 - share));
            joints += 1.0;
        }
        let reach = artwork.width * radius(share) - artwork.joint * joints;
        piece.distance(middle) < reach
            || self.joined(hex, cover).any(|(side, other)| {
                piece.gap(Segment(middle, moved(centre, step(side), 0.5))) < artwork.band * radius(share.min(other))
            })
    }

    /// The neighbours that go on with what is in a hex, with their shares.
    fn joined(&self, hex: Hex, cover: Cover) -> impl Iterator<Item = (Side, f64)> {
        let neighbours =
            self.map.neighbours(hex).filter_map(move |(side, other)| Some((side, cover.share(self.map.get(other)?))));
        neighbours.filter(|&(_, share)| share > 0.0)
    }
}

/// Height of what is in a hex, in half-levels (B23.21 to B23.23).
fn height(ground: &Ground) -> i32 {
    if ground.terrain.is_building() && ground.upper_levels > 0 {
        return 2 * i32::from(ground.upper_levels) + 1;
    }
    i32::from(ground.terrain.height)
}

/// A24, B25.2: SMOKE, or a Blaze and its smoke.
fn is_smoky(ground: &Ground) -> bool {
    ground.smoke || ground.blaze
}

fn is_bridge(ground: &Ground) -> bool {
    ground.terrain.id == "bridge"
}

/// B6.2: whether a line crosses the bridge of a hex, and not along its road.
fn crosses_bridge(hex: Hex, ground: &Ground, meeting: Meeting) -> bool {
    match meeting {
        Meeting::Through(piece) => piece.distance(centre_point(hex)) < BRIDGE && !follows_road(hex, ground, piece),
        _ => false,
    }
}

/// B3.4: whether a line enters and leaves a hex by the road.
fn follows_road(hex: Hex, ground: &Ground, Segment(from, to): Segment) -> bool {
    let near = |point: Point, side: Side| distance(point, moved(centre_point(hex), step(side), 0.5)) < ROAD;
    let entered = |point: Point| ground.road.iter().find(|&side| near(point, side));
    entered(from).zip(entered(to)).is_some_and(|(a, b)| a != b)
}

/// Hindrances counted so far.
#[derive(Default)]
struct Hindrances {
    /// Ranges at which there is one.
    ranges: [u16; BLOCKING as usize],
    count: u8,
    smoke: u8,
}

impl Hindrances {
    /// Counts one at a range (6.7).
    fn add(&mut self, range: u16) {
        let counted = &self.ranges[..self.count.into()];
        if !counted.contains(&range) && self.count < BLOCKING {
            self.ranges[usize::from(self.count)] = range;
            self.count += 1;
        }
    }

    fn total(&self) -> u8 {
        self.count + self.smoke
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::map::{Barrier, Placed};
    use crate::board::terrain::Terrain;

    fn hex(name: &str) -> Hex {
        Hex::parse(name).unwrap()
    }

    fn terrain(name: &str) -> Ground {
        Ground::of(Terrain::named(name).unwrap())
    }

    /// Nine columns of nine open hexes, with some that are not.
    fn map(others: &[(&str, Ground)]) -> Map {
        let open = (1..=9).flat_map(|column| (1..=9).map(move |row| (Hex::new(column, row), terrain("open"))));
        let others = others.iter().map(|(name, ground)| (hex(name), ground.clone()));
        Map::new(vec![Placed::alone()], open.chain(others))
    }

    fn sees_from(map: &Map, from: (&str, u8), to: (&str, u8)) -> Option<u8> {
        let site = |(name, level)| Site { hex: hex(name), level };
        Geometry.hindrance(map, site(from), site(to))
    }

    fn sees(others: &[(&str, Ground)], from: &str, to: &str) -> Option<u8> {
        sees_from(&map(others), (from, 0), (to, 0))
    }

    fn hill(level: i8) -> Ground {
        Ground { level, ..terrain("open") }
    }

    fn behind(side: Side, barrier: Barrier) -> Ground {
        let mut ground = terrain("open");
        ground.sides[side as usize] = Some(barrier);
        ground
    }

    fn house(building: u16, upper_levels: u8) -> Ground {
        Ground { building: Some(building), upper_levels, ..terrain("building") }
    }

    /// 6.2: woods between two open hexes block, and those of the ends do not.
    #[test]
    fn woods_block() {
        assert_eq!(sees(&[], "E2", "E8"), Some(0));
        assert_eq!(sees(&[("E5", terrain("woods"))], "E2", "E8"), None);
        assert_eq!(sees(&[("E2", terrain("woods")), ("E8", terrain("woods"))], "E2", "E8"), Some(0));
        assert_eq!(sees(&[("E5", terrain("woods"))], "E5", "E5"), Some(0));
        assert_eq!(sees(&[], "E5", "Z5"), None);
    }

    /// 6.1: what covers a part of a hex is passed at its edge, but not between neighbours of one woods.
    #[test]
    fn artwork_covers_a_part() {
        let mut half = terrain("woods");
        half.shares.woods = 40;
        assert_eq!(sees(&[("E5", half.clone())], "E2", "E8"), None);
        assert_eq!(sees(&[("E5", half.clone())], "D4", "F5"), None);
        assert_eq!(sees(&[("E5", half.clone())], "D3", "F4"), Some(0));
        assert_eq!(sees(&[("E5", half.clone())], "D4", "F4"), Some(0));
        assert_eq!(sees(&[("E5", half.clone()), ("E4", half)], "D4", "F4"), None);
    }

    /// 6.1: a line along a hexside is blocked if there is an obstacle on both sides of it.
    #[test]
    fn along_a_hexside() {
        assert_eq!(sees(&[("E4", terrain("woods"))], "D4", "F4"), Some(0));
        assert_eq!(sees(&[("E4", terrain("woods")), ("E5", terrain("woods"))], "D4", "F4"), None);
        assert_eq!(sees(&[("E4", terrain("woods")), ("E5", terrain("building"))], "D4", "F4"), None);
    }

    /// B3.4: the road through the woods lets a line pass that keeps to it.
    #[test]
    fn woods_road() {
        let road = Ground { road: [Side::North, Side::South].into_iter().collect(), ..terrain("woods") };
        assert_eq!(sees(&[("E5", road.clone())], "E2", "E8"), Some(0));
        assert_eq!(sees(&[("E5", road)], "C4", "G6"), None);
    }

    /// B9.2: a wall between two others blocks; that of a viewer's own hex does not, nor one whose vertex the line leaves his hex by.
    #[test]
    fn walls() {
        let wall = |name| [(name, behind(Side::South, Barrier::Wall))];
        assert_eq!(sees(&wall("E5"), "E3", "E8"), None);
        assert_eq!(sees(&wall("E3"), "E3", "E8"), Some(0));
        assert_eq!(sees(&wall("E7"), "E3", "E8"), Some(0));
        assert_eq!(sees(&wall("E4"), "D4", "F4"), Some(0));
        assert_eq!(sees(&wall("E4"), "B4", "H4"), None);
        assert_eq!(sees(&[("E5", behind(Side::South, Barrier::Cliff))], "E3", "E8"), Some(0));
    }

    /// B9.2, B9.5: half a level is nothing to a higher viewer, bocage has Blind Hexes.
    #[test]
    fn over_walls() {
        let map = |barrier| map(&[("E2", house(1, 1)), ("E5", behind(Side::South, barrier))]);
        assert_eq!(sees_from(&map(Barrier::Hedge), ("E2", 1), ("E7", 0)), Some(0));
        assert_eq!(sees_from(&map(Barrier::Hedge), ("E2", 0), ("E7", 0)), None);
        assert_eq!(sees_from(&map(Barrier::Bocage), ("E2", 1), ("E7", 0)), None);
    }

    /// 6.2: from hill to hill over woods of their height.
    #[test]
    fn over_woods() {
        let hills = |level| [("E2", hill(level)), ("E5", terrain("woods")), ("E8", hill(level))];
        assert_eq!(sees(&hills(1), "E2", "E8"), Some(0));
        assert_eq!(sees(&hills(0), "E2", "E8"), None);
        assert_eq!(sees(&[("E2", hill(1)), ("E3", terrain("woods"))], "E2", "E9"), None);
        assert_eq!(sees(&[("E2", hill(1)), ("E5", hill(2)), ("E8", hill(1))], "E2", "E8"), None);
        assert_eq!(sees(&[("E2", hill(1)), ("E5", hill(1)), ("E8", hill(1))], "E2", "E8"), Some(0));
    }

    /// 6.41, 6.42: the hex behind an obstacle one level lower is blind; behind one two levels high two are; five hexes away one more is.
    #[test]
    fn blind_hexes() {
        let blind = |top: &str, woods: Ground, level| {
            let map = map(&[("E1", hill(level)), (top, woods)]);
            let row = hex(top).row;
            (row + 1..=9).take_while(|&row| sees_from(&map, ("E1", 0), (&format!("E{row}"), 0)).is_none()).count()
        };
        assert_eq!(blind("E3", terrain("woods"), 2), 1);
        assert_eq!(blind("E3", terrain("woods"), 4), 1);
        assert_eq!(blind("E3", terrain("forest"), 3), 2);
        assert_eq!(blind("E3", terrain("forest"), 4), 1);
        assert_eq!(blind("E6", terrain("woods"), 2), 2);
    }

    /// B10.23: a slope of one level a hex hides nothing; flat ground at the viewer's level hides what is below.
    #[test]
    fn crest_lines() {
        assert_eq!(sees(&[("E2", hill(2)), ("E3", hill(1))], "E2", "E4"), Some(0));
        assert_eq!(sees(&[("E2", hill(1)), ("E3", hill(1))], "E2", "E6"), None);
        assert_eq!(sees(&[("E3", hill(1))], "E3", "E8"), Some(0));
    }

    /// 6.3: out of a gully one sees the neighbours, along it, and from high above.
    #[test]
    fn depressions() {
        let gully = [("E4", terrain("gully")), ("E5", terrain("gully")), ("E6", terrain("gully"))];
        assert_eq!(sees(&gully, "E4", "E6"), Some(0));
        assert_eq!(sees(&gully, "D4", "E5"), Some(0));
        assert_eq!(sees(&gully, "C4", "E5"), None);
        assert_eq!(sees(&gully, "C5", "G5"), Some(0));
        assert_eq!(sees(&[gully.as_slice(), &[("C4", hill(1))]].concat(), "C4", "E5"), Some(0));
    }

    /// 6.7, B14.2, B15.2: one Hindrance a hex between the ends, one at each range, and six block; grain is nothing to a higher viewer.
    #[test]
    fn hindrances() {
        let grain =
            |rows: std::ops::RangeInclusive<i16>| rows.map(|row| (Hex::new(5, row), terrain("grain"))).collect::<Vec<_>>();
        let field = |rows| {
            let grain = grain(rows).into_iter().map(|(hex, ground)| (hex.to_string(), ground)).collect::<Vec<_>>();
            map(&grain.iter().map(|(name, ground)| (name.as_str(), ground.clone())).collect::<Vec<_>>())
        };
        assert_eq!(sees_from(&field(3..=5), ("E2", 0), ("E8", 0)), Some(3));
        assert_eq!(sees_from(&field(3..=5), ("E3", 0), ("E5", 0)), Some(1));
        assert_eq!(sees_from(&field(2..=7), ("E1", 0), ("E9", 0)), None);
        assert_eq!(sees(&[("E2", hill(1)), ("E5", terrain("grain"))], "E2", "E8"), Some(0));
        assert_eq!(sees(&[("E4", terrain("orchard")), ("E5", terrain("orchard"))], "D4", "F4"), Some(1));
        assert_eq!(sees(&[("E4", terrain("orchard"))], "D4", "F4"), Some(1));
        assert_eq!(sees(&[("E2", hill(1)), ("E7", terrain("orchard"))], "E2", "E8"), Some(1));
    }

    /// A24.2: SMOKE hinders through, out of and into its hex.
    #[test]
    fn smoke() {
        let smoke = |name| [(name, Ground { smoke: true, ..terrain("open") })];
        for name in ["E2", "E5", "E8"] {
            assert_eq!(sees(&smoke(name), "E2", "E8"), Some(SMOKE), "{name}");
        }
        assert_eq!(sees(&smoke("D5"), "E2", "E8"), Some(0));
    }

    /// B23.22, B23.23, B23.25: an upper level does not see through its own building, nor a level of the hex beside it; out of it, over woods.
    #[test]
    fn upper_levels() {
        let row = map(&[("E2", house(1, 2)), ("E3", house(1, 2)), ("E4", house(1, 2)), ("E7", terrain("woods"))]);
        assert_eq!(sees_from(&row, ("E2", 1), ("E3", 1)), Some(0));
        assert_eq!(sees_from(&row, ("E2", 1), ("E3", 0)), None);
        assert_eq!(sees_from(&row, ("E2", 2), ("E4", 2)), None);
        assert_eq!(sees_from(&row, ("E4", 2), ("E9", 0)), Some(0));
        assert_eq!(sees_from(&row, ("E4", 2), ("E8", 0)), None);
        assert_eq!(sees_from(&row, ("E4", 1), ("E9", 0)), None);
    }

    /// 6.1: a line is the same in both directions, on maps of every terrain.
    #[test]
    fn lines_go_both_ways() {
        let mut state = 36_u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for _ in 0..50 {
            let hexes: Vec<(Hex, Ground)> = (1..=81)
                .map(|number| {
                    let kinds = ["open", "open", "woods", "orchard", "grain", "gully", "rubble", "open"];
                    let ground = Ground { level: below(3) as i8, ..terrain(kinds[below(8) as usize]) };
                    (Hex::new(number % 9 + 1, number / 9 + 1), ground)
                })
                .collect();
            let map = Map::new(vec![Placed::alone()], hexes.clone());
            for _ in 0..200 {
                let [a, b] = [below(81), below(81)].map(|place| Site { hex: hexes[place as usize].0, level: below(3) as u8 });
                assert_eq!(Geometry.hindrance(&map, a, b), Geometry.hindrance(&map, b, a), "{a} {b}");
            }
        }
    }
}
