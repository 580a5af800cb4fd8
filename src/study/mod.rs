//! Studies from files: their grids of questions, the runner, and the results on disk.

mod batches;
pub mod campaign;
pub mod cases;
pub mod chart;
pub mod disk;
pub mod file;
mod file_cells;
pub mod folder;
pub mod grid;
pub mod list_rows;
pub mod list_study;
mod lock;
pub mod manifest;
pub mod number;
pub mod number_table;
pub mod owned;
pub mod plan;
pub mod result_file;
pub mod rout;
pub mod run;
pub mod runner;
pub mod shard;
pub mod summary;
mod swept;
pub mod work_folder;
