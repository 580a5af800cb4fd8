//! The game Fortitude: Morale Levels and Fortitude Tests of Samurai Battles.

mod case;
mod choices;
mod engines;
mod enumerated;
mod faults;
mod figures;
mod parameters;
mod properties;
mod questions;
mod random;
mod sequences;
mod twin;
