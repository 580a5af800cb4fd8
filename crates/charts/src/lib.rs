//! Pictures of answers. For a rout: the map with its units, Interdicted hexes and best routes, as
//! SVG or in plain characters. For any odds: a chart.

pub mod chart;
mod look;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod terminal;
mod view;
