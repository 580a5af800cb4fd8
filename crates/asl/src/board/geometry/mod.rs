//! Lines of sight (LOS) computed from the width and height of the terrain in each hex.
//!
//! # Modelled rules
//!
//! * 6.1: the line runs from centre to centre, and the hexes at its ends never block it.
//! * 6.2: an obstacle higher than both ends blocks. One as high as the higher end blocks too,
//!   unless both ends have the same height. Woods are one level high (B13.2), forest two. A
//!   building is one level high (B23.21), or 1½ or 2½ with one or two upper levels (B23.22,
//!   B23.23). Rubble is half a level high.
//! * 6.3: a Depression (B4, B19, B20) is seen from a neighbour, along the Depression, or from as
//!   many levels above as the range.
//! * 6.4: there are Blind Hexes behind lower obstacles, and behind crest lines (B10.23).
//! * 6.7: each hex can be a Hindrance, but only one counts at each range. Six Hindrances block. At
//!   the ends of the line only SMOKE counts.
//! * B9.2: walls, hedges and roadblocks are half a level high, bocage one level (B9.5). They do not
//!   block lines to the two hexes beside them, nor at a vertex of a hex at an end of the line.
//! * B3.4: woods do not block a line along the road through them.
//! * B6.2: a bridge is a Hindrance to lines that are not along its road.
//! * B14.2, B15.2, B12: orchards are one level high, grain and brush half a level. An orchard fills
//!   its hex (B.6).
//! * B23.25: there is no LOS between different levels of two hexes of one building.
//!
//! # Simplifications
//!
//! The real artwork is unknown. Woods, buildings and grain are modelled as discs with the right
//! share of their hex, and bands between the discs of neighbours. An open hex stays open even if
//! the artwork of its neighbour reaches into it.
//!
//! The ground of a hex has the level of its centre, so crest lines are hexsides. Entrenchments and
//! Cliffs do not rise above the ground. SMOKE has one strength, and a Blaze counts as SMOKE.
//! Slopes, rooftops, cellars, vertices (Bypass), vehicles, wrecks, weather and night are left out.

use smallvec::SmallVec;

use self::artwork::{crosses_bridge, is_bridge};
use super::hex::{Hex, Hexside};
use super::line::{HexLine, Meeting};
use super::map::{HexContents, Location, Map};
use super::movement::same_building;
use super::sight::LineOfSight;
use super::terrain::SightEffect;

mod artwork;

/// The number of Hindrances that together block a line (6.7).
pub(crate) const BLOCKING: u8 = 6;
/// The Hindrances of a hex of SMOKE in this model: as many as dispersed smoke has (A24.2).
pub const SMOKE: u8 = 2;
/// The height of SMOKE in half-levels (A24.4).
const SMOKE_HEIGHT: i32 = 4;

/// A source of lines of sight that computes them from the map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry;

impl LineOfSight for Geometry {
    fn hindrance(&self, map: &Map, from: Location, to: Location) -> Option<u8> {
        if from.hex == to.hex { Some(0) } else { View::new(map, from, to)?.hindrance() }
    }
}

struct View<'a> {
    map: &'a Map,
    line: HexLine,
    /// The lower end, then the higher one. Ends of equal height are in the order of Locations.
    ends: [Location; 2],
    /// The levels of the ends, in half-levels.
    levels: [i32; 2],
}

impl View<'_> {
    /// Builds the view between two Locations in any order, or `None` if an end is off the map.
    fn new(map: &Map, from: Location, to: Location) -> Option<View<'_>> {
        let mut ends = [(elevation(map, from)?, from), (elevation(map, to)?, to)];
        ends.sort_unstable();
        let [(lower, low), (higher, high)] = ends;
        Some(View {
            map,
            line: HexLine::new(low.hex, high.hex),
            ends: [low, high],
            levels: [lower, higher],
        })
    }

    fn hindrance(&self) -> Option<u8> {
        if self.between_floors() || !self.reaches_depression() {
            return None;
        }
        let mut hindrances = Hindrances::default();
        for hex in self.line.hexes() {
            let (Some(ground), Some(meeting)) = (self.map.get(hex), self.line.meets(hex)) else {
                continue;
            };
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

    /// Returns whether the ends are on different levels of two hexes of one building (B23.25).
    fn between_floors(&self) -> bool {
        let [low, high] = self.ends;
        low.level != high.level && same_building(self.map, low, high)
    }

    /// Returns whether terrain on a hexside, as seen from the lower hex, blocks the line (B9.2).
    fn behind_side(&self, hex: Hex, ground: &HexContents) -> bool {
        Hexside::ALL.into_iter().any(|side| {
            let height = ground.side(side).map_or(0, |barrier| barrier.height());
            let other = hex.neighbour(side);
            if height == 0 || self.is_end(other) || !self.line.touches(hex, side) {
                return false;
            }
            let level =
                self.map.get(other).map_or(ground.level, |other| other.level.min(ground.level));
            self.is_cut(2 * i32::from(level) + i32::from(height), hex, Rise::Obstacle)
        })
    }

    /// Returns whether the ground of a hex, or an obstacle in it, blocks the line.
    fn blocked_in(&self, hex: Hex, ground: &HexContents, meeting: Meeting) -> bool {
        let base = rim(self.map, hex, ground);
        let neighbour = match meeting {
            Meeting::Vertex => return false,
            Meeting::Along(side, _) => {
                self.map.get(hex.neighbour(side)).map_or(base, |other| 2 * i32::from(other.level))
            }
            Meeting::Through(_) => base,
        };
        if !ground.terrain.is_depression && self.is_cut(base.min(neighbour), hex, Rise::Ground) {
            return true;
        }
        ground.terrain.sight == SightEffect::Obstacle
            && self.is_cut(base + height(ground), hex, Rise::Obstacle)
            && self.covers(hex, ground, meeting)
    }

    fn hinder(
        &self,
        hex: Hex,
        ground: &HexContents,
        meeting: Meeting,
        hindrances: &mut Hindrances,
    ) {
        if meeting == Meeting::Vertex {
            return;
        }
        let base = rim(self.map, hex, ground);
        if is_smoky(ground)
            && matches!(meeting, Meeting::Through(_))
            && self.is_cut(base + SMOKE_HEIGHT, hex, Rise::Obstacle)
        {
            hindrances.smoke += SMOKE;
        }
        let covered = match ground.terrain.sight {
            SightEffect::Hindrance => self.covers(hex, ground, meeting),
            _ => is_bridge(ground) && crosses_bridge(hex, ground, meeting),
        };
        if covered && self.is_cut(base + height(ground).max(1), hex, Rise::Obstacle) {
            hindrances.add(hex.range(self.ends[0].hex));
        }
    }

    /// Returns whether the line satisfies 6.3 if an end is in a Depression, bridges included.
    fn reaches_depression(&self) -> bool {
        let of = |hex: Hex, also: fn(&HexContents) -> bool| {
            self.map.get(hex).is_some_and(|ground| ground.terrain.is_depression || also(ground))
        };
        let is_low = |end: &Location| end.level == 0 && of(end.hex, |_| false);
        if !self.ends.iter().any(is_low) {
            return true;
        }
        let crossed = |hex: Hex| {
            !self.is_end(hex)
                && self.line.meets(hex).is_some_and(|meeting| meeting != Meeting::Vertex)
        };
        let above = (self.levels[1] - self.levels[0]) / 2
            >= i32::from(self.ends[0].hex.range(self.ends[1].hex));
        above || self.line.hexes().filter(|&hex| crossed(hex)).all(|hex| of(hex, is_bridge))
    }

    /// Returns whether a feature of the hex `at` blocks the line (6.2, 6.4). `top` is its level in
    /// half-levels. If it is half a level above the lower end, it blocks no line from a higher end.
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

    /// Returns the number of Blind Hexes behind a feature lower than the viewer (6.41, 6.42). It is
    /// the height in levels above the lower end, plus 1 for each five hexes from the viewer. Each
    /// level of the viewer's advantage above the first takes 1 away. An obstacle hides at least one
    /// hex. The crest of a hill hides one less, and none along a continuous slope (B10.23).
    fn blind_hexes(&self, top: i32, at: Hex, rise: Rise) -> i32 {
        let [lower, higher] = self.levels;
        let (height, advantage) = ((top - lower) / 2, (higher - top) / 2);
        let hidden = height - (advantage - 1) + i32::from(at.range(self.ends[1].hex)) / 5;
        if rise == Rise::Obstacle { hidden.max(1) } else { (hidden - 1).max(0) }
    }
}

/// Returns whether a hex has SMOKE, or a Blaze with its smoke (A24, B25.2).
fn is_smoky(ground: &HexContents) -> bool {
    ground.smoke || ground.blaze
}

#[derive(Default)]
struct Hindrances {
    /// The ranges of the counted Hindrances from the lower end.
    ranges: SmallVec<[u16; BLOCKING as usize]>,
    smoke: u8,
}

impl Hindrances {
    /// Counts a Hindrance at a range, unless one at this range has been counted already (6.7).
    fn add(&mut self, range: u16) {
        if !self.ranges.contains(&range) {
            self.ranges.push(range);
        }
    }

    fn total(&self) -> u8 {
        self.ranges.len() as u8 + self.smoke
    }
}

/// Returns the level in half-levels, for a Depression that of the lowest neighbour that is none.
fn rim(map: &Map, hex: Hex, ground: &HexContents) -> i32 {
    let own = i32::from(ground.level);
    if !ground.terrain.is_depression {
        return 2 * own;
    }
    let neighbours = map.neighbours(hex).filter_map(|(_, hex)| map.get(hex));
    2 * neighbours
        .filter(|ground| !ground.terrain.is_depression)
        .map(|ground| i32::from(ground.level))
        .min()
        .unwrap_or(own + 1)
}

/// Returns the level of a Location in half-levels, or `None` off the map. A Depression is at least
/// one level below the ground around it, whatever the map says.
fn elevation(map: &Map, location: Location) -> Option<i32> {
    let ground = map.get(location.hex)?;
    let own = 2 * i32::from(ground.level);
    let base = if ground.terrain.is_depression {
        own.min(rim(map, location.hex, ground) - 2)
    } else {
        own
    };
    Some(base + 2 * i32::from(location.level))
}

/// The kind of feature that can block a line of sight.
#[derive(Clone, Copy, PartialEq)]
enum Rise {
    Ground,
    Obstacle,
}

/// Returns the height of the terrain above its hex, in half-levels (B23.21 to B23.23).
fn height(ground: &HexContents) -> i32 {
    if ground.terrain.is_building && ground.upper_levels > 0 {
        return 2 * i32::from(ground.upper_levels) + 1;
    }
    i32::from(ground.terrain.height)
}
