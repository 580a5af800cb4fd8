//! temporary
pub struct Asked;
pub fn read() {}
