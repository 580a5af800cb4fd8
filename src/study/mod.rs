//! Studies from files: their grids of questions, the runs, and the results on disk.

mod answers;
pub mod campaign;
pub mod cases;
pub(crate) mod chart;
mod checkpoints;
pub mod disk;
pub mod file;
pub(crate) mod folder;
pub mod grid;
pub(crate) mod hashed;
pub(crate) mod list_study;
pub(crate) mod manifest;
pub(crate) mod number;
pub(crate) mod number_table;
pub mod options;
pub(crate) mod owned;
mod part;
pub(crate) mod plan;
pub mod rout;
pub mod run;
pub mod run_error;
pub(crate) mod shard;
pub(crate) mod summary;
mod swept;
pub(crate) mod work_folder;
