//! Pictures of answers: for a rout the map with units, Interdicted hexes and best routes, else
//! charts. Both are SVG or plain characters.

pub mod chart;
mod look;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod terminal;
mod view;
