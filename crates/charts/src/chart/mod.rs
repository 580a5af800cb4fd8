//! Charts of odds, drawn as self-contained SVG or in the characters of a terminal.
//!
//! | file | draws |
//! |---|---|
//! | `data` | a chart: panels with named series of numbers |
//! | `page` | texts, shapes and axes that all kinds of charts share |
//! | `frame` | the whole chart: title, legend, panels side by side |
//! | `bars` | stacked bars; single bars with their error |
//! | `lines` | curves, and steps for "at least this number" |
//! | `grid` | two swept fields: a heat map, or the best choice for each pair of values |
//! | `board` | a number or the best choice for each hex of a map, on its terrain |
//! | `difference` | differences with their intervals |
//! | `finding` | a chart's main numbers, in words |
//! | `plain` | bars in characters of a terminal |
//! | `text`, `scale`, `ink` | text widths, axes, colours |

mod bars;
mod board;
mod data;
mod difference;
mod finding;
mod frame;
mod grid;
mod ink;
mod lines;
mod page;
mod plain;
mod scale;
pub(crate) mod text;

#[cfg(test)]
mod tests;

pub use board::are_hexes;
pub use data::{Chart, ChartKind, Panel, Series, Unit, Value};
pub use frame::{draw, label};
pub use plain::{Look, plot};
