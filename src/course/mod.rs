//! Courses of action: what a player can do, what each leads to, and which is best.

pub mod best;
pub mod phase;
pub mod policy;
pub mod rout;
