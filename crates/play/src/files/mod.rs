//! Questions, comparisons and studies as TOML or JSON: [`tables`] and their readers. Opens no file.

pub mod courses;
pub mod kinds;
pub mod partial_question;
mod steps;
pub mod tables;
pub mod values;
