//! Pictures of answers. Of a rout the map with its units, Interdicted hexes and best routes, as SVG
//! and in plain characters; of any odds a chart.

pub mod chart;
mod look;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod terminal;
mod view;
