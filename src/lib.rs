//! lowcrawl
#![forbid(unsafe_code)]

pub mod asl;
pub mod board;
pub mod dice;
pub mod engine;
pub mod process;
pub mod stats;
pub mod text;
