//! Readers for the files of VASL, the module that ASL is played with on a computer: saves and logs
//! ([`saved`]), the dice in them ([`luck`]) and boards as pixels ([`ground`]).
//!
//! No function in this crate opens a file. Functions take bytes and return values or a `Fault`. All
//! lengths, depths and sizes are bounded, so a damaged file is an error, never a panic.

pub mod board;
pub mod chat;
pub mod container;
pub mod ground;
pub mod luck;
pub mod map_units;
pub mod obfuscation;
pub mod piece;
pub mod position;
pub mod saved;
pub mod sequence;
pub mod session;
mod xml;
