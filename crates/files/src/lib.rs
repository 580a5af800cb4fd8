//! Questions, courses and studies as files have them, TOML or JSON: values with their places,
//! declared tables, and the questions read from them. Nothing here opens a file or knows a game.

pub mod courses;
pub mod from_json;
pub mod from_toml;
pub mod kinds;
pub mod listed;
pub mod objective;
mod size;
mod steps;
pub mod tables;
pub mod values;
pub mod written;
