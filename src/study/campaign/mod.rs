//! Campaigns from files: studies of where the best choice flips.

pub mod break_even;
pub mod file;
pub mod sweep;
