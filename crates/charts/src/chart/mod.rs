//! Charts of odds: numbers with names, drawn as self-contained SVG or in the characters of a
//! terminal.
//!
//! | file | draws |
//! |---|---|
//! | `data` | the numbers of a chart, and how they are written |
//! | `page` | texts, marks and axes of all kinds of charts |
//! | `frame` | the chart: heading, legend, panels side by side |
//! | `bars` | how units end, as stacked bars; single bars with their error |
//! | `lines` | curves, and steps of "at least so many" |
//! | `grid` | two fields: a heat map, or the best choice of each cell |
//! | `board` | a number or the best choice for each hex of a map, on its terrain |
//! | `difference` | differences with their intervals |
//! | `finding` | the finding of a chart, in words |
//! | `plain` | bars in characters |
//! | `text`, `scale`, `ink` | widths of texts, axes, colours |

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
