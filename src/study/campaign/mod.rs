//! Studies of campaigns: the best play in each cell of a grid, and the values where the best choice
//! changes.

pub mod break_even;
pub mod file;
pub mod sweep;
