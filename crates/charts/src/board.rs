//! A map of hexes, as it is drawn: the terrain of each hex by its style, and its features. A game
//! fills these values.

use std::collections::{BTreeMap, BTreeSet};

/// The number of sides of a hex. Sides are numbered clockwise from the top.
pub(super) const SIDES: usize = 6;

/// The columns and half hexes from a hex to its neighbours, by side.
const NEIGHBOURS: [(i16, i32); SIDES] = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];

/// Hexside terrain that can be drawn: its name, and its character on a terminal.
pub const BARRIERS: [(&str, &str); 7] = [
    ("wall", "+"),
    ("hedge", "%"),
    ("bocage", "&"),
    ("roadblock", "X"),
    ("cliff", "^"),
    ("rowhouse-wall", "#"),
    ("interior-factory-wall", "#"),
];

/// Features of a hex besides its terrain, in the order of drawing: the name of each, and its
/// character on a terminal.
pub const FEATURES: [(&str, &str); 6] = [
    ("foxhole", "f"),
    ("trench", "t"),
    ("pillbox", "p"),
    ("SMOKE", "s"),
    ("Blaze", "*"),
    (MINEFIELD, "m"),
];

/// The feature of a minefield and of other dangers.
pub const MINEFIELD: &str = "minefield or FFE";

/// A hex of a map whose hexes have flat tops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapHex {
    /// The column, from left to right.
    pub column: i16,
    /// The height of the centre, in half hexes from the top.
    pub height: i32,
}

impl MapHex {
    /// Returns the range in hexes.
    pub(super) fn range(self, other: MapHex) -> u32 {
        let columns = u32::from(self.column.abs_diff(other.column));
        columns.max((columns + self.height.abs_diff(other.height)) / 2)
    }

    pub(super) fn neighbour(self, side: usize) -> MapHex {
        let (right, down) = NEIGHBOURS[side];
        MapHex { column: self.column + right, height: self.height + down }
    }
}

/// The hexes of a map with their contents.
pub type Board = BTreeMap<MapHex, MapGround>;

/// The contents of a hex to be drawn.
#[derive(Clone, Debug, Default)]
pub struct MapGround {
    /// The name of the hex, as printed on the map.
    pub name: String,
    pub style: TerrainStyle,
    /// The name of a terrain that its style does not tell; may be empty.
    pub terrain: &'static str,
    pub is_bridge: bool,
    pub level: i8,
    /// The number of the building that the hex belongs to.
    pub building: Option<u16>,
    /// True if the hex is a building of its own, whatever `building` says.
    pub is_rowhouse: bool,
    pub has_stairs: bool,
    /// The number of levels of the building above its ground floor.
    pub upper_levels: u8,
    /// True for each side that a road crosses.
    pub roads: [bool; SIDES],
    /// The hexside terrain of each side, one of [`BARRIERS`]; may be empty.
    pub barriers: [&'static str; SIDES],
    /// The features of the hex, by their names in [`FEATURES`].
    pub features: Vec<&'static str>,
}

impl MapGround {
    pub(super) fn has_road(&self) -> bool {
        self.roads.contains(&true)
    }
}

/// The drawing style of a terrain; several terrains share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TerrainStyle {
    #[default]
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
pub(super) type Colours = &'static str;

/// The name of each style, and its character and colours on a terminal.
const STYLES: [(TerrainStyle, &str, &str, Colours); 14] = [
    (TerrainStyle::Open, "open ground", " ", "38;5;16;48;5;151"),
    (TerrainStyle::Road, "road or bridge", "=", "38;5;240;48;5;230"),
    (TerrainStyle::Woods, "woods", "\"", "38;5;22;48;5;71"),
    (TerrainStyle::Wooden, "wooden building", "H", "38;5;230;48;5;94"),
    (TerrainStyle::Stone, "stone building", "#", "38;5;255;48;5;243"),
    (TerrainStyle::Grain, "grain", ":", "38;5;94;48;5;221"),
    (TerrainStyle::Orchard, "orchard", "o", "38;5;22;48;5;114"),
    (TerrainStyle::Brush, "brush", ";", "38;5;22;48;5;107"),
    (TerrainStyle::Marsh, "marsh", "-", "38;5;24;48;5;109"),
    (TerrainStyle::Water, "water", "~", "38;5;18;48;5;74"),
    (TerrainStyle::Stream, "stream", "~", "38;5;18;48;5;74"),
    (TerrainStyle::Gully, "gully", "v", "38;5;18;48;5;138"),
    (TerrainStyle::Shellholes, "shellholes", ".", "38;5;52;48;5;144"),
    (TerrainStyle::Rubble, "rubble", "@", "38;5;16;48;5;145"),
];

impl TerrainStyle {
    /// Returns the styles of all hexes that do not look open, each once, in the order of the table.
    pub(super) fn of_hexes<'a>(
        grounds: impl Iterator<Item = &'a MapGround>,
    ) -> BTreeSet<TerrainStyle> {
        grounds.map(|ground| ground.style).filter(|style| *style != TerrainStyle::Open).collect()
    }

    pub(super) fn name(self) -> &'static str {
        STYLES[self as usize].1
    }

    /// Returns the character that fills a hex.
    pub(super) fn texture(self) -> &'static str {
        STYLES[self as usize].2
    }

    pub(super) fn colours(self) -> Colours {
        STYLES[self as usize].3
    }
}
