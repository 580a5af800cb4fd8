//! A chart, and the trait of its kind.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use super::data::{CONFIDENCE, Panel, Unit, Value};
use super::scale::Scale;
use super::text::cut;
use crate::board::{Board, MapHex};
use crate::svg::canvas::Canvas;

/// The quotient of the largest and the least number up to which an axis can leave out 0.
const FAR: f64 = 6.0;

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
    /// The map whose hexes are the places, for a chart on a map; else `None`.
    pub board: Option<Arc<ChartBoard>>,
}

/// The map of a chart.
#[derive(Clone, Debug)]
pub struct ChartBoard {
    pub hexes: Board,
    /// The hexes that the names of places and of the places of units mean.
    pub places: BTreeMap<String, MapHex>,
}

/// The kind of a chart: one of the constants in the table of kinds.
#[derive(Clone, Copy)]
pub struct ChartKind(pub(super) &'static dyn Kind);

impl ChartKind {
    /// Returns the name of the kind for users, such as `bars`.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns what the kind shows of the numbers of a study; `None` if it does not fit them.
    pub fn axes(self, swept: &SweptFields) -> Option<Axes> {
        self.0.axes(swept)
    }
}

impl Debug for ChartKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A kind of chart. It is written in a file of its own, and listed in the table of kinds.
pub(super) trait Kind: Debug + Sync {
    /// Returns the name for users.
    fn name(&self) -> &'static str;

    /// Draws a panel with numbers, and returns the y coordinate of its lower edge.
    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64;

    /// Returns the main numbers of a panel in words; an empty text without numbers.
    fn finding(&self, chart: &Chart, panel: &Panel) -> String;

    /// Draws the chart in characters; `None` if each number is a bar.
    fn text(&self, _: &Chart, _: &Look) -> Option<String> {
        None
    }

    /// Returns what the kind shows of the numbers of a study; `None` if it does not fit them.
    fn axes(&self, _: &SweptFields) -> Option<Axes> {
        None
    }

    /// Draws the legend of the colours, and returns the y coordinate below it.
    fn legend(&self, _: &mut Canvas, _: &Page, area: Area) -> f64 {
        area.y
    }

    /// Defines the shapes that all panels share.
    fn define(&self, _: &mut Canvas, _: &Chart, _id: &str) {}

    /// Returns the smallest width of a panel, in pixels; `None` if panels stand side by side.
    fn row_width(&self, _: &Chart) -> Option<f64> {
        None
    }

    /// Returns the words before a place.
    fn before(&self) -> &'static str {
        ""
    }

    /// Returns whether the number at a place (0-based) is certain, whatever it counts.
    fn is_trivial(&self, _place: usize) -> bool {
        false
    }

    /// Returns whether numbers are shown by their place alone, so that an axis need not have 0.
    fn is_free_of_zero(&self) -> bool {
        false
    }

    /// Returns what the interval of a number is.
    fn interval(&self) -> &'static str {
        CONFIDENCE
    }

    /// Returns whether several series share a bar.
    fn is_stacked(&self, _: &Chart) -> bool {
        false
    }
}

/// The numbers of a study that a chart may show: those of each value of its swept fields, which are
/// given by their 0-based indices.
pub struct SweptFields<'a> {
    /// The field that labels the rows of the study's table.
    pub along: usize,
    /// The field that labels the columns of the table.
    pub across: Option<usize>,
    /// Returns whether a field has several values, all of them numbers.
    pub is_curved: &'a dyn Fn(usize) -> bool,
    /// True if the numbers are best choices with their margins.
    pub is_choice: bool,
    /// A field whose values are hexes of a map, and the number of those hexes.
    pub hexes: Option<(usize, usize)>,
}

/// What a chart shows of the numbers of a study.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// The rank among the charts that fit: the chart with the lowest is preferred.
    pub rank: u8,
    /// The fields whose values are the places and the series.
    pub along: usize,
    pub across: Option<usize>,
    /// True if the places are hexes of the study's map.
    pub on_map: bool,
    /// The largest number of places that a readable panel has.
    pub most_places: usize,
}

/// Options for charts in characters.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub width: usize,
    /// True if terminal colours distinguish the parts of a bar; otherwise by letters.
    pub colours: bool,
}

/// The area of a panel, in pixels: its upper left corner and its width. Its height is not limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
}

/// The chart to draw, with the data that all panels share.
pub(super) struct Page<'a> {
    pub chart: &'a Chart,
    pub scale: Scale,
    pub id: &'a str,
    /// The best choices that occur, in the order of their colours; empty for other charts.
    pub words: Vec<&'a str>,
}

impl Chart {
    /// Returns whether the colours of the series stand for classes of final states.
    pub(super) fn has_classes(&self) -> bool {
        let mut series = self.panels.iter().flat_map(|panel| &panel.series);
        series.any(|series| series.class.is_some())
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        let series = self.panels.iter().flat_map(|panel| &panel.series);
        series.flat_map(|series| series.all().map(|(_, value)| value))
    }

    /// Draws the panels in characters one below the other, each with its name.
    pub(super) fn text(&self, look: &Look, draw: impl Fn(&Panel) -> String) -> String {
        let panel = |panel: &Panel| match panel.name.as_str() {
            "" => draw(panel),
            name => format!("{}:\n{}", cut(name, look.width - 1), draw(panel)),
        };
        let panels = self.panels.iter().map(panel).skip_while(String::is_empty);
        panels.collect::<Vec<_>>().join("\n")
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

    /// Returns the position (0 to 1) of a number on the colour scale; `flat` if all are equal.
    pub(super) fn share(&self, value: f64, flat: f64) -> f64 {
        let (low, high) = self.ends().unwrap_or((0.0, 1.0));
        if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { flat }
    }

    /// Returns the ends of the colour scale: 0 and 1 for probabilities. `None` without numbers.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        let low = self.values().map(|value| value.value).reduce(f64::min)?;
        let high = self.values().map(|value| value.value).reduce(f64::max)?;
        let is_share = self.unit == Unit::Odds && low >= 0.0 && high <= 1.0 + 1e-9;
        Some(if is_share { (0.0, 1.0) } else { (low, high) })
    }

    /// Returns the least and the largest number of an axis that has all numbers, and 0 unless they
    /// are far from it and no bar begins there.
    fn bounds(&self, all: &[f64]) -> [f64; 2] {
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_far = least > 0.0 && (least..=FAR * least).contains(&most);
        match is_far && self.unit == Unit::Number && self.kind.0.is_free_of_zero() {
            true => [least, most],
            false => [least.min(0.0), most.max(0.0)],
        }
    }

    /// Returns the axis that all panels share: 0 to 1 for probabilities, else with round ends.
    pub(super) fn scale(&self) -> Scale {
        let ends = |value: &Value| {
            let (low, high) = value.interval.unwrap_or((value.value, value.value));
            [value.value, low, high].into_iter().filter(|end| end.is_finite())
        };
        let sums = self.panels.iter().flat_map(|panel| {
            (0..panel.places.len()).map(|place| {
                let values = panel.series.iter().filter_map(move |series| series.value(place));
                values.map(|value| value.value.max(0.0)).sum::<f64>()
            })
        });
        let is_stacked = self.kind.0.is_stacked(self);
        let all: Vec<f64> = match is_stacked {
            true => sums.collect(),
            false => self.values().flat_map(ends).collect(),
        };
        let [least, most] = self.bounds(&all);
        // The interval of a probability may extend beyond 0 and 1, but the axis does not.
        let are_odds = |value: &Value| (0.0..=1.0 + 1e-9).contains(&value.value);
        let is_whole = self.unit == Unit::Odds && self.values().all(are_odds);
        match is_whole && (!is_stacked || most <= 1.0 + 1e-9) {
            true => Scale::share(),
            false => Scale::round(least, most),
        }
    }
}
