//! The appearance of terrain in a picture.

use std::collections::BTreeSet;

use asl::board::map::HexContents;
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

/// The colours of a character: the numbers of an ANSI escape sequence.
pub(super) type Style = &'static str;

/// The name of each look, and its character and colours on a terminal.
const LOOKS: [(Look, &str, &str, Style); 14] = [
    (Look::Open, "open ground", " ", "38;5;16;48;5;151"),
    (Look::Road, "road or bridge", "=", "38;5;240;48;5;230"),
    (Look::Woods, "woods", "\"", "38;5;22;48;5;71"),
    (Look::Wooden, "wooden building", "H", "38;5;230;48;5;94"),
    (Look::Stone, "stone building", "#", "38;5;255;48;5;243"),
    (Look::Grain, "grain", ":", "38;5;94;48;5;221"),
    (Look::Orchard, "orchard", "o", "38;5;22;48;5;114"),
    (Look::Brush, "brush", ";", "38;5;22;48;5;107"),
    (Look::Marsh, "marsh", "-", "38;5;24;48;5;109"),
    (Look::Water, "water", "~", "38;5;18;48;5;74"),
    (Look::Stream, "stream", "~", "38;5;18;48;5;74"),
    (Look::Gully, "gully", "v", "38;5;18;48;5;138"),
    (Look::Shellholes, "shellholes", ".", "38;5;52;48;5;144"),
    (Look::Rubble, "rubble", "@", "38;5;16;48;5;145"),
];

impl Look {
    /// Returns the looks of all hexes that do not look open, each once.
    pub fn of_hexes<'a>(grounds: impl Iterator<Item = &'a HexContents>) -> Vec<Look> {
        let met: BTreeSet<Look> = grounds.map(Look::from_hex).collect();
        met.into_iter().filter(|look| *look != Look::Open).collect()
    }

    pub fn name(self) -> &'static str {
        LOOKS[self as usize].1
    }

    /// Returns the character that fills a hex.
    pub fn texture(self) -> &'static str {
        LOOKS[self as usize].2
    }

    pub fn style(self) -> Style {
        LOOKS[self as usize].3
    }

    pub fn from_hex(ground: &HexContents) -> Look {
        Look::from_terrain(ground.terrain)
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
