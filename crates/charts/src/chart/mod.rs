//! Charts of odds, drawn as self-contained SVG or in the characters of a terminal.
//!
//! | file | holds |
//! |---|---|
//! | `data` | numbers: panels with named series |
//! | `kind` | a chart; the trait of a kind of chart |
//! | `bars` | stacked bars; single bars with their error |
//! | `lines` | curves, and steps for "at least this number" |
//! | `grid` | two swept fields: a heat map, or the best choice for each pair of values |
//! | `board` | a number or the best choice for each hex of a map, on its terrain |
//! | `difference` | differences with their intervals |
//! | `frame` | the whole chart: title, legend, panels side by side |
//! | `page` | texts, shapes and axes that all kinds of charts share |
//! | `finding` | sentences of a chart's main numbers |
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
mod kind;
mod lines;
mod page;
mod plain;
mod scale;
pub(crate) mod text;

pub use data::{Panel, Series, Unit, Value};
pub use frame::{draw, label};
pub use kind::{Axes, Chart, ChartBoard, ChartKind, Look, SweptFields};
pub use plain::plot;

/// The table of all kinds of charts. A new kind is a file with its `kind::Kind`, and a constant
/// here.
impl ChartKind {
    pub const BARS: ChartKind = ChartKind(&bars::Bars);
    pub const CURVE: ChartKind = ChartKind(&lines::Curve);
    pub const STEPS: ChartKind = ChartKind(&lines::Steps);
    pub const HEAT: ChartKind = ChartKind(&grid::Heat);
    pub const CHOICES: ChartKind = ChartKind(&grid::Choices);
    pub const MAP: ChartKind = ChartKind(&board::Map);
    pub const DIFFERENCE: ChartKind = ChartKind(&difference::Difference);

    /// All kinds, in the order in which they are listed to users.
    pub const ALL: [ChartKind; 7] = [
        ChartKind::BARS,
        ChartKind::CURVE,
        ChartKind::STEPS,
        ChartKind::HEAT,
        ChartKind::CHOICES,
        ChartKind::MAP,
        ChartKind::DIFFERENCE,
    ];
}
