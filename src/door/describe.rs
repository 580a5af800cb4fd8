//! temporary
pub fn describe() {}
