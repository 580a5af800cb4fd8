//! A map with counters, dangers and the routes of units, as it is drawn. A game fills these values.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, MapHex};

/// The ground level or an upper level of a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapLocation {
    pub hex: MapHex,
    pub level: u8,
}

/// A map with counters and the routes of units.
pub struct RouteMap {
    pub board: Board,
    /// The units of the side that moves. Counters in a hex lie one on the other, the first lowest.
    pub units: Vec<Token>,
    /// The further units of that side, which lie below `units`.
    pub friends: Vec<Token>,
    /// The enemies, which lie below both.
    pub enemies: Vec<Token>,
    /// The units whose routes are drawn.
    pub moving: Vec<MovingUnit>,
    /// The dangerous hexes, with the 0-based indices of the enemies that make them so.
    pub dangers: BTreeMap<MapHex, BTreeSet<usize>>,
    pub words: MapWords,
}

/// The words of a game in a picture.
pub struct MapWords {
    /// The title of pictures without one.
    pub title: &'static str,
    /// The name of the best route of a unit, and the name of a dashed route.
    pub best_route: String,
    /// The word for a route without a step.
    pub stay: &'static str,
    pub dashed_route: &'static str,
    /// The name of a dangerous hex, and the name of the line from the enemy that makes it so.
    pub danger: &'static str,
    pub line_of_sight: &'static str,
    /// The names of enemies that are known and of others.
    pub known: &'static str,
    pub unknown: &'static str,
    /// The meaning of the letters of counters on a terminal, one by one.
    pub letters: Vec<&'static str>,
}

/// A counter on the map.
pub struct Token {
    pub at: MapLocation,
    /// The mark, such as `E1`; empty for a counter that accompanies the next.
    pub mark: String,
    /// The mark on a terminal, which also tells the state of the unit.
    pub sign: String,
    /// The unit's own name; empty if the unit is named after its counter.
    pub name: String,
    /// The text for the tooltip.
    pub tooltip: String,
    /// The text for a list of units: the unit with its place, and what accompanies it.
    pub listed: [String; 2],
    /// The colour, and whether the print on it is white.
    pub colour: (&'static str, bool),
    pub figure: Figure,
    pub printed: String,
    /// The text above the upper edge; may be empty.
    pub weapon: String,
    /// The word in a band across the counter, and the CSS class of the band.
    pub band: Option<(&'static str, &'static str)>,
    /// The text at the upper right corner; may be empty.
    pub corner: &'static str,
    /// The abbreviations at the right edge.
    pub tags: Vec<&'static str>,
    pub is_concealed: bool,
    pub is_known: bool,
    /// True if a white flag is drawn.
    pub surrenders: bool,
}

/// The drawing on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    OneMan,
    TwoMen,
    ThreeMen,
    Vehicle,
    Gun,
}

/// A unit with its routes.
pub struct MovingUnit {
    pub at: MapLocation,
    pub number: usize,
    /// The sentences about the unit above the map.
    pub caption: String,
    /// The routes, the best first.
    pub routes: Vec<Route>,
}

/// A route of a unit.
pub struct Route {
    /// The Locations entered; none if the unit stays.
    pub steps: Vec<MapLocation>,
    /// The hexes of dangerous steps.
    pub dangerous: Vec<MapHex>,
    /// The probability of survival.
    pub survives: f64,
    pub is_dashed: bool,
    /// True if the route ends in the open.
    pub is_exposed: bool,
    /// True if the route is the shortest to its end, though not the best.
    pub is_shortest: bool,
    /// The text for the tooltip.
    pub tooltip: String,
    /// The text for a list of routes.
    pub listed: String,
}

/// Formats a probability as a percentage; only certain values are 0% or 100%.
pub fn percent(chance: f64) -> String {
    match 100.0 * chance {
        sure if sure >= 100.0 - 1e-9 => "100%".to_string(),
        near if near >= 99.95 => ">99.9%".to_string(),
        near if near >= 99.5 => format!("{near:.1}%"),
        none if none <= 1e-9 => "0%".to_string(),
        low if low < 0.5 => "<1%".to_string(),
        some => format!("{some:.0}%"),
    }
}
