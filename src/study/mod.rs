//! Questions from files: studies, courses of action, situations; and sweeps of them on disk.

pub mod campaign;
pub mod cases;
pub mod courses;
pub mod file;
pub mod files;
pub mod grid;
mod headline;
pub mod kinds;
mod nodes;
pub mod objective;
pub mod rout;
pub mod run;
pub mod situation;
mod steps;
mod swept;
mod tables;
mod values;
