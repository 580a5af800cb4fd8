//! Courses of action: the options of a player, their results, their values, and the best one.

pub mod campaign;
// For its forms all engines are compiled, which takes minutes. No unit test asks a question, so it
// is left out of them, and so is what only it uses.
#[cfg(not(test))]
pub mod game;
pub mod phase;
pub mod policy;
pub mod rout;
pub mod stack;
