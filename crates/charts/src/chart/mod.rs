//! Charts of odds, drawn as self-contained SVG or in the characters of a terminal.

mod areas;
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
pub use ink::{SHADES, Shade};
pub use kind::{Axes, Chart, ChartBoard, ChartKind, Look, SweptFields};
pub use text::in_lines;

/// Declares the table of all kinds of charts, in the order in which they are listed to users. A new
/// kind is a file that implements `kind::Kind`, and a line of the table.
macro_rules! kinds {
    ($($name:ident: $kind:expr,)*) => {
        #[allow(non_upper_case_globals)] // Named as the kinds.
        impl ChartKind {
            $(pub const $name: ChartKind = ChartKind(&$kind);)*
            pub const ALL: [ChartKind; [$(stringify!($name)),*].len()] = [$(ChartKind::$name),*];
        }
    };
}

kinds! {
    Bars: bars::Bars::Classes,
    Details: bars::Bars::Details,
    Curve: lines::Lines::Curve,
    Steps: lines::Lines::Steps,
    Fan: lines::Lines::Fan,
    Areas: areas::Areas,
    Heat: grid::Cells::Heat,
    Choices: grid::Cells::Choices,
    Map: board::Map,
    Difference: difference::Difference,
}
