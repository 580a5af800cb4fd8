//! The map: hexes, terrain, lines of sight, and what it costs to move.

pub mod agreement;
pub mod geometry;
pub mod hex;
pub mod line;
pub mod map;
pub mod movement;
pub mod sight;
pub mod table;
pub mod terrain;
