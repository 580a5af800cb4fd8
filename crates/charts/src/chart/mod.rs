//! Charts of odds, drawn as self-contained SVG or in the characters of a terminal.

mod bars;
mod board;
mod data;
mod difference;
mod frame;
mod grid;
mod ink;
mod kind;
mod lines;
mod page;
mod scale;
pub(crate) mod text;

pub use data::{Panel, Series, Unit, Value};
pub use frame::{draw, label, plot};
pub use kind::{Axes, Chart, ChartBoard, ChartKind, Look, SweptFields};
pub use text::in_lines;
