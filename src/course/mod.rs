//! Courses of action: what a player can do, what each leads to, and which is best.

pub mod phase;
pub mod rout;
