//! Charts of odds: numbers with names, and how they are drawn as SVG that needs nothing else, or in
//! the characters of a terminal.
//!
//! | file | draws |
//! |---|---|
//! | `frame` | the page: heading, legend, panels side by side |
//! | `bars` | how units end, as stacked bars; single bars with their error |
//! | `lines` | curves, and steps of "at least so many" |
//! | `grid` | two fields: a heat map, or the best choice of each cell |
//! | `board` | a number or the best choice for each hex of a map, on its terrain |
//! | `difference` | differences with their intervals |
//! | `finding` | what it all says, in words |
//! | `plain` | bars in characters |
//! | `text`, `scale`, `ink` | widths of texts, axes, colours |

mod bars;
mod board;
mod difference;
mod finding;
mod frame;
mod grid;
mod ink;
mod lines;
mod plain;
mod scale;
pub(crate) mod text;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use asl::board::map::Map;
pub use board::are_hexes;
pub use frame::{draw, label};
pub use plain::{Look, plot};

/// How numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bar for each place, with the series one after the other.
    Bars,
    /// A curve for each series, with a band where numbers have an error.
    Curve,
    /// Steps for each series: the odds of at least as many as the place says.
    Steps,
    /// A cell for each place and series, the darker the higher its number.
    Heat,
    /// A cell for each place and series, which names the best choice and by how much it is better.
    Choices,
    /// A hex of a map for each place, in the colour of its number, or of the best choice there.
    Map,
    /// A dot for each place and series, with its interval, left or right of nothing.
    Difference,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] = [
        Kind::Bars,
        Kind::Curve,
        Kind::Steps,
        Kind::Heat,
        Kind::Choices,
        Kind::Map,
        Kind::Difference,
    ];

    /// The word it is asked for by.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bars => "bars",
            Kind::Curve => "curve",
            Kind::Steps => "steps",
            Kind::Heat => "heat",
            Kind::Choices => "choices",
            Kind::Map => "map",
            Kind::Difference => "difference",
        }
    }
}

/// What numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Shares of 1, written as percentages.
    Odds,
    /// Differences of such shares, written in percentage points.
    Points,
    /// Anything else.
    Number,
}

/// A number of a chart; one that is not finite is not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    pub value: f64,
    /// The 95 % interval of an estimate.
    pub interval: Option<(f64, f64)>,
    /// The best choice, where the number is by how much it is better.
    pub word: Option<String>,
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value { value, ..Value::default() }
    }
}

/// Numbers with a name, one for each place of their panel; `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub values: Vec<Option<Value>>,
}

impl Series {
    /// The number at a place, if it can be drawn.
    fn at(&self, place: usize) -> Option<&Value> {
        self.values.get(place)?.as_ref().filter(|value| value.value.is_finite())
    }

    /// The same with its place, of all places.
    fn all(&self) -> impl Iterator<Item = (usize, &Value)> {
        (0..self.values.len()).filter_map(|place| Some((place, self.at(place)?)))
    }
}

/// One of several charts side by side that share their scale; a chart by itself has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What is the case in it; empty in a chart by itself.
    pub name: String,
    /// Of a map: units on it, each by its hex and what it is called.
    pub units: Vec<(String, String)>,
    /// What the numbers of a series stand for: phases, values of a field, units.
    pub places: Vec<String>,
    pub series: Vec<Series>,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// How it was come by, below the title.
    pub note: String,
    pub kind: Kind,
    pub unit: Unit,
    /// What the places are: `phase`.
    pub along: String,
    /// What the series are: `leader`.
    pub across: String,
    pub panels: Vec<Panel>,
    /// The map whose hexes the places are, in a chart of that kind.
    pub board: Option<Arc<Map>>,
}

impl Chart {
    /// Every number that can be drawn.
    fn values(&self) -> impl Iterator<Item = &Value> {
        let series = self.panels.iter().flat_map(|panel| &panel.series);
        series.flat_map(|series| series.all().map(|(_, value)| value))
    }

    /// What a place of a panel stands for, by itself: without the axis that says it of all.
    fn place_in_words(&self, place: &str) -> String {
        match self.kind {
            Kind::Steps => format!("at least {place}"),
            _ => place.to_string(),
        }
    }

    /// Whether it is of choices, and by how much they are better.
    fn names_choices(&self) -> bool {
        self.values().any(|value| value.word.is_some())
    }
}

/// What stands behind percentage points.
const POINTS: &str = " points";

/// A number as it is written: a percentage, in points, or by itself. What is above nothing, or below
/// all, is not written as if it were so.
fn written(unit: Unit, value: f64) -> String {
    let of = match unit {
        Unit::Odds => " %",
        Unit::Points => POINTS,
        Unit::Number => "",
    };
    short(unit, value) + of
}

/// The same without what it is of.
fn short(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Odds => share(value),
        Unit::Points => format!("{:+.1}", 100.0 * value),
        Unit::Number => number(value),
    }
}

/// A percentage without its sign.
fn share(value: f64) -> String {
    let percent = 100.0 * value;
    match percent {
        _ if percent > 0.0 && percent < 0.05 => "< 0.1".to_string(),
        _ if (99.95..100.0 - 1e-9).contains(&percent) => "> 99.9".to_string(),
        _ => format!("{:.1}", if percent.abs() < 0.05 { 0.0 } else { percent }),
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        size if size < 0.001 => format!("{value:.1e}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// A difference as it is written, with its sign.
fn signed(unit: Unit, value: f64) -> String {
    let sign = if unit == Unit::Number && value >= 0.0 { "+" } else { "" };
    sign.to_string() + &written(unit, value)
}

/// A number with its interval, in full.
fn with_interval(value: &Value, written: impl Fn(f64) -> String) -> String {
    let interval = value.interval.filter(|(low, high)| low.is_finite() && high.is_finite());
    let interval =
        interval.map(|ends| <[f64; 2]>::from(ends).map(|end| written(end).replace(POINTS, "")));
    let interval = interval.map(|[low, high]| format!(" (95 %: {low} to {high})"));
    written(value.value) + &interval.unwrap_or_default()
}
