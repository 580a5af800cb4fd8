//! lowcrawl
#![forbid(unsafe_code)]

pub mod asl;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod dice;
pub mod engine;
pub mod process;
pub mod stats;
#[cfg(feature = "cli")]
pub mod study;
#[cfg(feature = "cli")]
pub mod table;
pub mod text;
