//! Readers that turn TOML and JSON files into questions, courses and studies. The crate opens no
//! file and depends on no game.

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
