//! From a question to its table: one answer, or a sweep of them.

pub mod answer;
pub mod campaign;
pub mod cases;
pub mod compare;
pub mod file;
pub mod files;
pub mod grid;
mod headline;
mod keys;
mod objective;
pub mod rout;
pub mod run;
pub mod situation;
mod steps;
mod swept;
pub mod systems;
mod values;
