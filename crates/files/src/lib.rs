//! Questions, courses and studies in the form of TOML or JSON files. The crate has values with
//! source positions, declared tables, and readers that turn them into questions. It opens no file
//! and depends on no game.

pub mod courses;
pub mod from_json;
pub mod from_toml;
pub mod kinds;
pub mod objective;
pub mod partial_question;
mod size;
mod steps;
pub mod tables;
pub mod value_list;
pub mod values;
