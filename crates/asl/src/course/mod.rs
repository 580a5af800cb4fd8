//! Courses of action: the options of a player, their results, their values, and the best one.

pub mod campaign;
pub mod game;
pub mod phase;
pub mod policy;
pub mod rout;
pub mod stack;
