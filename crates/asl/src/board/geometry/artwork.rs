//! The artwork of a hex: woods, buildings and grain, roads through them, and bridges.

use std::f64::consts::PI;

use super::View;
use crate::board::hex::{Hex, Hexside};
use crate::board::line::{
    HEX_AREA, Meeting, PlanePoint, Segment, centre_point, distance, moved, step,
};
use crate::board::map::HexContents;
use crate::board::terrain::SightEffect;

/// Half the width of a road, in hexside lengths. A line that comes that close to the middle of a
/// hexside follows the road across it.
const ROAD: f64 = 0.22;
/// The greatest distance of a crossing line from the centre of its bridge, in hexside lengths.
const BRIDGE: f64 = 0.5;

/// The shape in which a terrain covers its hexes: a disc in each hex, and bands to neighbours of
/// the same terrain. The parameters are fitted to the lines of sight of seven geomorphic boards.
struct Artwork {
    /// The radius of the disc, divided by that of a disc with the covered area.
    width: f64,
    /// The reduction of the radius for each band, in hexside lengths, since bands cover area too.
    joint: f64,
    /// Half the width of a band, as a fraction of the smaller of the two radii.
    band: f64,
    /// The shift toward each neighbour of the same terrain, in centre distances; 0 in a full hex.
    lean: f64,
    /// The covered fraction of a hex, from 0 to 1, that counts as the whole hex.
    full: f64,
}

const WOODS: Artwork = Artwork { width: 1.0, joint: 0.0, band: 0.4, lean: 0.0, full: 1.0 };
/// Houses have corners: a square is on average 1.13 times as wide as a disc of its area.
const BUILDING: Artwork = Artwork { width: 1.13, joint: 0.08, band: 0.6, lean: 0.0, full: 1.0 };
/// Grain is drawn as dots, and the fullest hexes are covered by 69 %. Fields cross hexsides, so the
/// artwork of edge hexes is shifted to the middle of the field.
const GRAIN: Artwork = Artwork { width: 1.0, joint: 0.0, band: 0.5, lean: 0.15, full: 0.69 };

/// The kinds of terrain whose artwork can cover a part of a hex.
#[derive(Clone, Copy, PartialEq)]
enum Cover {
    Woods,
    Building(Option<u16>),
    Grain,
    /// Terrain that covers the whole hex: inherent terrain (B.6), or terrain of unknown share.
    Whole,
}

impl Cover {
    fn from_contents(ground: &HexContents) -> Cover {
        match ground.terrain {
            terrain if terrain.is_building => Cover::Building(ground.building),
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

    /// Returns the fraction of a hex that the artwork covers, from 0 to 1.
    fn share(self, ground: &HexContents) -> f64 {
        let percent = match self {
            _ if Cover::from_contents(ground) != self => 0,
            Cover::Woods => ground.shares.woods,
            Cover::Building(_) => ground.shares.building,
            Cover::Grain => ground.shares.grain,
            Cover::Whole => 100,
        };
        (f64::from(percent) / 100.0 / self.artwork().full).min(1.0)
    }
}

/// Returns the radius in hexside lengths of a disc that covers this fraction of a hex.
fn radius(share: f64) -> f64 {
    (share * HEX_AREA / PI).sqrt()
}

impl View<'_> {
    /// Returns whether the line of sight meets the artwork of the terrain in a hex.
    pub(super) fn covers(&self, hex: Hex, ground: &HexContents, meeting: Meeting) -> bool {
        let cover = Cover::from_contents(ground);
        let share = cover.share(ground);
        match meeting {
            Meeting::Vertex => false,
            Meeting::Along(side, _) if share >= 1.0 => self.closes(hex.neighbour(side), ground),
            Meeting::Through(piece) if share >= 1.0 => !follows_road(hex, ground, piece),
            Meeting::Along(_, piece) | Meeting::Through(piece) => {
                !follows_road(hex, ground, piece) && self.touches_artwork(hex, cover, share, piece)
            }
        }
    }

    /// Returns whether a hex whose terrain fills it blocks or hinders a line along its hexside: an
    /// obstacle if the hex beyond is one too, a Hindrance always, as it exceeds its hex (B.6).
    fn closes(&self, other: Hex, ground: &HexContents) -> bool {
        let obstacle = |other: &HexContents| other.terrain.sight == SightEffect::Obstacle;
        ground.terrain.sight == SightEffect::Hindrance || self.map.get(other).is_some_and(obstacle)
    }

    /// Returns whether a segment in a hex meets its disc, or a band to a neighbour's disc.
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
                piece.gap(Segment(middle, moved(centre, step(side), 0.5)))
                    < artwork.band * radius(share.min(other))
            })
    }

    /// Returns the neighbours with the same terrain, each with its covered fraction.
    fn joined(&self, hex: Hex, cover: Cover) -> impl Iterator<Item = (Hexside, f64)> {
        let neighbours = self
            .map
            .neighbours(hex)
            .filter_map(move |(side, other)| Some((side, cover.share(self.map.get(other)?))));
        neighbours.filter(|&(_, share)| share > 0.0)
    }
}

pub(super) fn is_bridge(ground: &HexContents) -> bool {
    ground.terrain.id == "bridge"
}

/// Returns whether a line crosses the bridge of a hex other than along its road (B6.2).
pub(super) fn crosses_bridge(hex: Hex, ground: &HexContents, meeting: Meeting) -> bool {
    match meeting {
        Meeting::Through(piece) => {
            piece.distance(centre_point(hex)) < BRIDGE && !follows_road(hex, ground, piece)
        }
        _ => false,
    }
}

/// Returns whether a line enters and leaves a hex by the road (B3.4).
fn follows_road(hex: Hex, ground: &HexContents, Segment(from, to): Segment) -> bool {
    let near = |point: PlanePoint, side: Hexside| {
        distance(point, moved(centre_point(hex), step(side), 0.5)) < ROAD
    };
    let entered = |point: PlanePoint| ground.road.iter().find(|&side| near(point, side));
    entered(from).zip(entered(to)).is_some_and(|(a, b)| a != b)
}
