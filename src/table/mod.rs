//! Tables in their formats: aligned text and Markdown, frames to CSV and Parquet.

pub mod frame;
pub mod layout;

pub use crate::system::json;
pub use crate::system::table::*;
