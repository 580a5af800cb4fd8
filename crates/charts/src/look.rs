//! The appearance of terrain in a picture.

use asl::board::terrain::Terrain;

/// The drawing style of a terrain; several terrains share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    Open,
    Road,
    Woods,
    Wooden,
    Stone,
    Grain,
    Orchard,
    Brush,
    Marsh,
    Water,
    Stream,
    Gully,
    Shellholes,
    Rubble,
}

impl Look {
    pub const ALL: [Look; 14] = [
        Look::Open,
        Look::Road,
        Look::Woods,
        Look::Wooden,
        Look::Stone,
        Look::Grain,
        Look::Orchard,
        Look::Brush,
        Look::Marsh,
        Look::Water,
        Look::Stream,
        Look::Gully,
        Look::Shellholes,
        Look::Rubble,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Look::Open => "open ground",
            Look::Road => "road or bridge",
            Look::Woods => "woods",
            Look::Wooden => "wooden building",
            Look::Stone => "stone building",
            Look::Grain => "grain",
            Look::Orchard => "orchard",
            Look::Brush => "brush",
            Look::Marsh => "marsh",
            Look::Water => "water",
            Look::Stream => "stream",
            Look::Gully => "gully",
            Look::Shellholes => "shellholes",
            Look::Rubble => "rubble",
        }
    }

    pub fn from_terrain(terrain: &Terrain) -> Look {
        let id = terrain.id.as_str();
        let has = |words: &[&str]| words.iter().any(|word| id.contains(word));
        match () {
            _ if terrain.is_building() && has(&["wood", "lumber", "market"]) => Look::Wooden,
            _ if terrain.is_building() => Look::Stone,
            _ if has(&["rubble", "debris", "crag", "graveyard", "rail-car"]) => Look::Rubble,
            _ if terrain.is_cover => Look::Woods,
            _ if has(&["grain"]) => Look::Grain,
            _ if has(&["orchard", "olive", "vineyard"]) => Look::Orchard,
            _ if has(&["brush", "cactus"]) => Look::Brush,
            _ if has(&["marsh", "mudflat"]) => Look::Marsh,
            _ if has(&["water"]) => Look::Water,
            _ if has(&["stream-s", "stream-deep"]) => Look::Stream,
            _ if has(&["gully", "stream-dry", "sunken"]) => Look::Gully,
            _ if has(&["shellhole"]) => Look::Shellholes,
            _ if has(&["road", "runway", "bridge"]) => Look::Road,
            _ => Look::Open,
        }
    }

    /// Returns whether a strip, such as a gully, is drawn into the next hex with terrain `other`.
    pub fn runs_into(self, other: &Terrain) -> bool {
        matches!(Look::from_terrain(other), Look::Gully | Look::Stream | Look::Water)
            || other.id == "bridge"
    }
}
