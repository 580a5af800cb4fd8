//! The map: hexes, terrain, lines of sight, and what it costs to move.

pub mod hex;
pub mod map;
pub mod movement;
pub mod sight;
pub mod table;
pub mod terrain;
