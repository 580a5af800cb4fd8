//! The map. So far: which terrain gives a Rally its bonus.

pub mod terrain;
