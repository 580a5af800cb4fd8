//! Courses of action: what a player can do, what each leads to, what that is worth, and which is
//! best.

pub mod campaign;
pub mod game;
pub mod opening;
pub mod phase;
pub mod policy;
pub mod rally;
pub mod rout;
pub mod stack;
pub mod standing;
