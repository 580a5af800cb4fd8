//! Pictures of a rout: the map with its units, Interdicted hexes and best routes, as SVG and in
//! plain characters.

mod look;
pub mod svg;
pub mod terminal;
mod view;
