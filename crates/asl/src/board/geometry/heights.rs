//! Heights in half-levels, and the features that block a line of sight (6.2 to 6.4).

use super::View;
use super::artwork::is_bridge;
use crate::board::hex::Hex;
use crate::board::line::Meeting;
use crate::board::map::{HexContents, Location, Map};

pub(super) fn is_depression(ground: &HexContents) -> bool {
    ground.terrain.is_depression()
}

/// Returns the level of the ground around a hex, in half-levels. For a Depression it is the level
/// of the lowest neighbour that is no Depression; otherwise it is the hex's own level.
pub(super) fn rim(map: &Map, hex: Hex, ground: &HexContents) -> i32 {
    let own = i32::from(ground.level);
    if !is_depression(ground) {
        return 2 * own;
    }
    let neighbours = map.neighbours(hex).filter_map(|(_, hex)| map.get(hex));
    2 * neighbours
        .filter(|ground| !is_depression(ground))
        .map(|ground| i32::from(ground.level))
        .min()
        .unwrap_or(own + 1)
}

/// Returns the level of a Location in half-levels, or `None` off the map. A Depression is at least
/// one level below the ground around it, whatever the map says.
pub(super) fn elevation(map: &Map, location: Location) -> Option<i32> {
    let ground = map.get(location.hex)?;
    let own = 2 * i32::from(ground.level);
    let base =
        if is_depression(ground) { own.min(rim(map, location.hex, ground) - 2) } else { own };
    Some(base + 2 * i32::from(location.level))
}

/// The kind of feature that can block a line of sight.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rise {
    /// The bare ground of a hex.
    Ground,
    /// An obstacle or Hindrance on the ground.
    Obstacle,
}

/// Returns the height of the terrain above its hex, in half-levels (B23.21 to B23.23).
pub(super) fn height(ground: &HexContents) -> i32 {
    if ground.terrain.is_building() && ground.upper_levels > 0 {
        return 2 * i32::from(ground.upper_levels) + 1;
    }
    i32::from(ground.terrain.height)
}

impl View<'_> {
    /// Returns whether the line satisfies 6.3 if an end is in a Depression. It must run along the
    /// Depression, bridges included, or come from as many levels above as its range in hexes.
    pub(super) fn reaches_depression(&self) -> bool {
        let of = |hex: Hex, also: fn(&HexContents) -> bool| {
            self.map.get(hex).is_some_and(|ground| is_depression(ground) || also(ground))
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
    pub(super) fn is_cut(&self, top: i32, at: Hex, rise: Rise) -> bool {
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
