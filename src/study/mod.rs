//! Sweeps: studies from files, their grids, and their results on disk.

mod batches;
pub mod campaign;
pub mod cases;
pub mod chart;
pub mod disk;
pub mod file;
pub mod folder;
pub mod grid;
pub mod listed;
pub mod listing;
mod lock;
pub mod manifest;
pub mod number;
pub mod owned;
pub mod plan;
pub mod product;
pub mod rout;
pub mod run;
pub mod shard;
pub mod summary;
mod swept;
mod tally;
pub mod told;
pub mod work_folder;
