//! The numbers of a chart, and their formats. A place is a named position along the axis of a
//! chart, such as a phase or a unit.

use schema::ChartClass;

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
    /// The 95 % confidence interval, if the number is an estimate; see also `Kind::interval`.
    pub interval: Option<(f64, f64)>,
    /// The best choice; the number is then its margin over the next.
    pub word: Option<String>,
}

impl Value {
    /// Returns the interval, if it has one with finite ends.
    pub(super) fn finite_interval(&self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| (high - low).is_finite())
    }
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
    /// The class of the final states, which decides the colour.
    pub class: Option<ChartClass>,
    /// True for the sum of all series that are not named.
    pub is_rest: bool,
}

impl Series {
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = Option<Value>>) -> Series {
        let (name, values) = (name.into(), values.into_iter().collect());
        Series { name, values, ..Series::default() }
    }

    /// Sets the class.
    pub fn of_class(self, class: Option<ChartClass>) -> Series {
        Series { class, ..self }
    }

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

impl Panel {
    /// Creates a panel without a name.
    pub fn new(places: Vec<String>, series: Vec<Series>) -> Panel {
        Panel { places, series, ..Panel::default() }
    }

    /// Creates a panel with a nameless series, from the place and the value of each number.
    pub fn single(numbers: impl IntoIterator<Item = (String, Option<Value>)>) -> Panel {
        let (places, values): (_, Vec<Option<Value>>) = numbers.into_iter().unzip();
        Panel::new(places, vec![Series::new("", values)])
    }

    /// Returns all numbers that can be drawn, each with the names of its place and its series.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.series.iter().flat_map(|series| {
            let place = |place: usize| Some(self.places.get(place)?.as_str());
            series.all().filter_map(move |(at, value)| Some((place(at)?, &*series.name, value)))
        })
    }
}

pub(super) const POINTS: &str = " points";

impl Unit {
    /// Formats a number with its unit. No percentage is rounded to 0 or 100.
    pub(super) fn written(self, value: f64) -> String {
        let unit = match self {
            Unit::Odds => " %",
            Unit::Points => POINTS,
            Unit::Number => "",
        };
        self.short(value) + unit
    }

    pub(super) fn short(self, value: f64) -> String {
        let percent = 100.0 * value;
        match self {
            Unit::Odds if percent > 0.0 && percent < 0.05 => "< 0.1".to_string(),
            Unit::Odds if (99.95..100.0 - 1e-9).contains(&percent) => "> 99.9".to_string(),
            Unit::Odds => format!("{:.1}", if percent.abs() < 0.05 { 0.0 } else { percent }),
            Unit::Points => format!("{percent:+.1}"),
            Unit::Number => match value.abs() {
                0.0 => "0".to_string(),
                size if size < 0.001 => format!("{value:.1e}"),
                size if size < 1.0 => format!("{value:.3}"),
                size if size < 100.0 => format!("{value:.2}"),
                _ => format!("{value:.0}"),
            },
        }
    }

    /// Formats a difference with its sign and its unit.
    pub(super) fn signed(self, value: f64) -> String {
        let sign = if self == Unit::Number && value >= 0.0 { "+" } else { "" };
        sign.to_string() + &self.written(value)
    }
}

/// What the interval of a number is, if its chart does not say otherwise.
pub(super) const CONFIDENCE: &str = "95 %";

/// Formats a number with its 95 % interval, if it has a finite one.
pub(super) fn with_interval(value: &Value, written: impl Fn(f64) -> String) -> String {
    with_named_interval(value, CONFIDENCE, written)
}

/// Formats a number with its interval and what that is, if it has a finite one.
pub(super) fn with_named_interval(
    value: &Value,
    name: &str,
    written: impl Fn(f64) -> String,
) -> String {
    let end = |end: f64| written(end).replace(POINTS, "");
    let interval = value.finite_interval();
    let interval = interval.map(|(low, high)| format!(" ({name}: {} to {})", end(low), end(high)));
    written(value.value) + &interval.unwrap_or_default()
}
