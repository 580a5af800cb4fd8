//! Pictures of answers: charts, and maps with counters and routes. Both are SVG or plain
//! characters. A game fills the values to be drawn.

pub mod board;
pub mod chart;
#[cfg(feature = "png")]
mod png;
pub mod route_map;
pub mod svg;
pub mod terminal;
mod view;

/// Converts an SVG picture to PNG in its light theme, at two PNG pixels per SVG pixel. Large
/// pictures are scaled to at most 8192 pixels. It fails with a message if the text is not a valid
/// SVG picture.
pub type PngConverter = fn(&str) -> Result<Vec<u8>, String>;

/// The converter; `None` in a build without PNG.
pub const TO_PNG: Option<PngConverter> = {
    #[cfg(feature = "png")]
    let convert = Some(png::from_svg as PngConverter);
    #[cfg(not(feature = "png"))]
    let convert = None;
    convert
};
