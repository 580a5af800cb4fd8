//! Charts of odds, drawn as self-contained SVG or in the characters of a terminal.
//!
//! | file | holds |
//! |---|---|
//! | `data` | numbers: panels with named series |
//! | `kind` | a chart, and the kinds of charts |
//! | `bars` | stacked bars; single bars with their error |
//! | `lines` | curves, and steps for "at least this number" |
//! | `grid` | two swept fields: a heat map, or the best choice for each pair of values |
//! | `board` | a number or the best choice for each hex of a map, on its terrain |
//! | `difference` | differences with their intervals |
//! | `frame` | the whole chart: title, legend, panels side by side |
//! | `page` | texts, shapes and axes that all kinds of charts share |
//! | `plain` | bars in characters of a terminal |
//! | `text`, `scale`, `ink` | text widths, axes, colours |

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
mod plain;
mod scale;
pub(crate) mod text;

pub use data::{Panel, Series, Unit, Value};
pub use frame::{draw, label, plot};
pub use kind::{Axes, Chart, ChartBoard, ChartKind, Look, SweptFields};
