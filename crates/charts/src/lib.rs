//! Pictures of answers: charts, and maps with counters and routes. Both are SVG or plain
//! characters. A game fills the values to be drawn.

pub mod board;
pub mod chart;
#[cfg(feature = "png")]
pub mod png;
pub mod route_map;
pub mod svg;
pub mod terminal;
mod view;
