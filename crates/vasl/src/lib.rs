//! Files of VASL, which ASL is played with: saves and logs ([`saved`]), the dice in them
//! ([`luck`]), and boards as pixels ([`ground`]).
//!
//! Nothing here opens a file: bytes come in, facts go out, or a fault. Every length, depth and size
//! has a bound, and a damaged file is a fault, never a panic.

pub mod board;
pub mod chat;
pub mod command;
pub mod container;
pub mod ground;
pub mod luck;
pub mod obfuscation;
pub mod piece;
pub mod position;
pub mod saved;
pub mod sequence;
pub mod session;
pub mod standing;
pub mod sums;
pub mod write;
mod xml;
