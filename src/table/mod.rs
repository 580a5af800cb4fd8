//! Tables in their formats: aligned text and Markdown, frames to CSV and Parquet.

pub mod frame;

pub use render::layout;
pub use system::json;
pub use system::table::*;
