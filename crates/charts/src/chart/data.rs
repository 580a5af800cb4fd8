//! The numbers of a chart, and their formats.

use std::sync::Arc;

use asl::board::map::Map;

/// The kind of a chart. A place is a named position along its axis, such as a phase or a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// A bar for each place, in which the series are stacked.
    Bars,
    /// A curve for each series, with a band for the intervals of estimates.
    Curve,
    /// A staircase for each series: the probability of at least the number that the place names.
    Steps,
    /// A rectangle for each place and series, darker for higher numbers.
    Heat,
    /// A rectangle for each place and series, with the best choice there and its margin.
    Choices,
    /// A hex of a map for each place, in the colour of its number or of its best choice.
    Map,
    /// A dot for each place and series, with its interval, on an axis around zero.
    Difference,
}

impl ChartKind {
    pub const ALL: [ChartKind; 7] = [
        ChartKind::Bars,
        ChartKind::Curve,
        ChartKind::Steps,
        ChartKind::Heat,
        ChartKind::Choices,
        ChartKind::Map,
        ChartKind::Difference,
    ];

    /// Returns the name of the kind for users, such as `bars`.
    pub const fn name(self) -> &'static str {
        match self {
            ChartKind::Bars => "bars",
            ChartKind::Curve => "curve",
            ChartKind::Steps => "steps",
            ChartKind::Heat => "heat",
            ChartKind::Choices => "choices",
            ChartKind::Map => "map",
            ChartKind::Difference => "difference",
        }
    }
}

/// The unit of the numbers of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Probabilities from 0 to 1, written as percentages.
    Odds,
    /// Differences of probabilities, written in percentage points.
    Points,
    /// Numbers without a unit.
    Number,
}

/// A number of a chart. Numbers that are not finite are not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    pub value: f64,
    /// The 95 % confidence interval, if the number is an estimate.
    pub interval: Option<(f64, f64)>,
    /// The best choice; the number is then its margin over the next.
    pub word: Option<String>,
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value { value, ..Value::default() }
    }
}

/// A named series of numbers, one for each place of its panel. `None` leaves a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub values: Vec<Option<Value>>,
}

impl Series {
    /// Returns the number with the 0-based index `place`, or `None` if there is none to draw.
    pub(super) fn value(&self, place: usize) -> Option<&Value> {
        self.values.get(place)?.as_ref().filter(|value| value.value.is_finite())
    }

    /// Returns all numbers that can be drawn, each with the 0-based index of its place.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Value)> {
        (0..self.values.len()).filter_map(|place| Some((place, self.value(place)?)))
    }
}

/// One of several charts that share an axis and stand side by side. A single chart has one panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    pub name: String,
    /// Units to draw on a map: the name of a hex, and the name of the unit there.
    pub units: Vec<(String, String)>,
    /// Names of the positions along the panel, such as phases, values of a field, or units.
    pub places: Vec<String>,
    pub series: Vec<Series>,
}

/// A chart to be drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// Note below the title that says how the numbers were computed.
    pub note: String,
    pub kind: ChartKind,
    pub unit: Unit,
    /// Name for all places, such as `phase`.
    pub along: String,
    /// Name for all series, such as `leader`.
    pub across: String,
    pub panels: Vec<Panel>,
    /// The map whose hexes are the places, for [`ChartKind::Map`]; else `None`.
    pub board: Option<Arc<Map>>,
}

impl Chart {
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        let series = self.panels.iter().flat_map(|panel| &panel.series);
        series.flat_map(|series| series.all().map(|(_, value)| value))
    }

    /// Describes a place without the name of its axis, such as `at least 2`.
    pub(super) fn place_in_words(&self, place: &str) -> String {
        match self.kind {
            ChartKind::Steps => format!("at least {place}"),
            _ => place.to_string(),
        }
    }

    pub(super) fn names_choices(&self) -> bool {
        self.values().any(|value| value.word.is_some())
    }

    /// Returns every best choice that occurs, the most frequent first.
    pub(super) fn choices(&self) -> Vec<&str> {
        let mut counted: Vec<(&str, usize)> = Vec::new();
        for word in self.values().filter_map(|value| value.word.as_deref()) {
            match counted.iter_mut().find(|(known, _)| *known == word) {
                Some((_, times)) => *times += 1,
                None => counted.push((word, 1)),
            }
        }
        counted.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        counted.into_iter().map(|(word, _)| word).collect()
    }

    /// Returns the ends of the colour scale: 0 and 1 for probabilities. `None` without numbers.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        let low = self.values().map(|value| value.value).reduce(f64::min)?;
        let high = self.values().map(|value| value.value).reduce(f64::max)?;
        let is_share = self.unit == Unit::Odds && low >= 0.0 && high <= 1.0 + 1e-9;
        Some(if is_share { (0.0, 1.0) } else { (low, high) })
    }
}

pub(super) const POINTS: &str = " points";

/// Formats a number with its unit. A percentage that is neither 0 nor 100 is never rounded to
/// either.
pub(super) fn written(unit: Unit, value: f64) -> String {
    let of = match unit {
        Unit::Odds => " %",
        Unit::Points => POINTS,
        Unit::Number => "",
    };
    short(unit, value) + of
}

pub(super) fn short(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Odds => share(value),
        Unit::Points => format!("{:+.1}", 100.0 * value),
        Unit::Number => number(value),
    }
}

/// Formats a probability as a percentage without `%`.
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

/// Formats a difference with its sign and its unit.
pub(super) fn signed(unit: Unit, value: f64) -> String {
    let sign = if unit == Unit::Number && value >= 0.0 { "+" } else { "" };
    sign.to_string() + &written(unit, value)
}

/// Formats a number with its 95 % interval, if it has a finite one.
pub(super) fn with_interval(value: &Value, written: impl Fn(f64) -> String) -> String {
    let interval = value.interval.filter(|(low, high)| low.is_finite() && high.is_finite());
    let interval =
        interval.map(|ends| <[f64; 2]>::from(ends).map(|end| written(end).replace(POINTS, "")));
    let interval = interval.map(|[low, high]| format!(" (95 %: {low} to {high})"));
    written(value.value) + &interval.unwrap_or_default()
}
