//! Questions, courses of action and studies in the form of TOML or JSON files. Their tables are
//! declared ([`tables`]), and readers turn them into questions. No file is opened here.

pub mod courses;
pub mod kinds;
pub mod partial_question;
mod steps;
pub mod tables;
pub mod values;
