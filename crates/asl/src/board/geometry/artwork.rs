//! What of a hex a line comes upon: woods, buildings and grain as wide as their artwork, roads
//! through them, bridges.

use std::f64::consts::PI;

use super::View;
use crate::board::hex::{Hex, Side};
use crate::board::line::{HEX_AREA, Meeting, Point, Segment, centre_point, distance, moved, step};
use crate::board::map::Ground;
use crate::board::terrain::Sight;

/// A line keeps to a road if it crosses the hexside this near to the road, in hexsides: half the
/// width of a road.
const ROAD: f64 = 0.22;
/// How near to its centre a line must come to cross the bridge of a hex, in hexsides.
const BRIDGE: f64 = 0.5;

/// How the artwork of a terrain covers its hexes. The numbers fit the lines of seven geomorphic
/// boards best.
struct Artwork {
    /// What covers a hex is a disc of that area, so much wider.
    width: f64,
    /// A disc is this much narrower for each neighbour it is joined to, in hexsides: what covers
    /// the band is missing from the disc.
    joint: f64,
    /// Half the width of the band to a neighbour of the same kind, in radii of the lesser of their
    /// discs.
    band: f64,
    /// How far a disc that does not fill its hex moves towards its neighbours: by this part of the
    /// way to their centres, for an empty hex.
    lean: f64,
    /// The share of a full hex.
    full: f64,
}

const WOODS: Artwork = Artwork { width: 1.0, joint: 0.0, band: 0.4, lean: 0.0, full: 1.0 };
/// Houses have corners: a square is in the mean 1.13 times as wide as a disc of its area.
const BUILDING: Artwork = Artwork { width: 1.13, joint: 0.08, band: 0.6, lean: 0.0, full: 1.0 };
/// Grain is drawn in dots: the fullest hexes are covered by 69 %. Fields run across hexsides, so
/// what is in the hexes of their edges leans to the middle.
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

impl View<'_> {
    /// Whether the line comes upon the terrain of a hex.
    pub(super) fn covers(&self, hex: Hex, ground: &Ground, meeting: Meeting) -> bool {
        let cover = Cover::of(ground);
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

    /// Whether a line along a hexside with something filling the hex on one side finds no way past
    /// what is on the other. A Hindrance fills its hex to the edge and beyond (B.6).
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
                piece.gap(Segment(middle, moved(centre, step(side), 0.5)))
                    < artwork.band * radius(share.min(other))
            })
    }

    /// The neighbours that go on with what is in a hex, with their shares.
    fn joined(&self, hex: Hex, cover: Cover) -> impl Iterator<Item = (Side, f64)> {
        let neighbours = self
            .map
            .neighbours(hex)
            .filter_map(move |(side, other)| Some((side, cover.share(self.map.get(other)?))));
        neighbours.filter(|&(_, share)| share > 0.0)
    }
}

pub(super) fn is_bridge(ground: &Ground) -> bool {
    ground.terrain.id == "bridge"
}

/// B6.2: whether a line crosses the bridge of a hex, and not along its road.
pub(super) fn crosses_bridge(hex: Hex, ground: &Ground, meeting: Meeting) -> bool {
    match meeting {
        Meeting::Through(piece) => {
            piece.distance(centre_point(hex)) < BRIDGE && !follows_road(hex, ground, piece)
        }
        _ => false,
    }
}

/// B3.4: whether a line enters and leaves a hex by the road.
fn follows_road(hex: Hex, ground: &Ground, Segment(from, to): Segment) -> bool {
    let near = |point: Point, side: Side| {
        distance(point, moved(centre_point(hex), step(side), 0.5)) < ROAD
    };
    let entered = |point: Point| ground.road.iter().find(|&side| near(point, side));
    entered(from).zip(entered(to)).is_some_and(|(a, b)| a != b)
}
