//! Studies of campaigns: best play per cell, and where the best choice changes.

pub mod break_even;
pub mod file;
pub mod sweep;
