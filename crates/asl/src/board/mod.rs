//! The map: hexes, terrain, lines of sight, and the costs of movement.

pub mod agreement;
pub mod geometry;
pub mod hex;
pub mod line;
pub mod map;
pub mod movement;
pub mod sight;
pub mod table;
pub mod terrain;
