//! A chart and its kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::data::{Panel, Unit, Value};
use super::scale::Scale;
use crate::board::{Board, MapHex};

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

/// The kind of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Bars, one for each place; several series are stacked.
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
    /// A dot with its interval for each place and series, and a line at zero.
    Difference,
}

/// The fewest hexes of a field for which the map is preferred to other charts.
const MANY_HEXES: usize = 20;

impl ChartKind {
    /// All kinds, in the order in which they are listed to users.
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
    pub fn name(self) -> &'static str {
        ["bars", "curve", "steps", "heat", "choices", "map", "difference"][self as usize]
    }

    /// Returns what the kind shows of the numbers of a study; `None` if it does not fit them.
    pub fn axes(self, swept: &SweptFields) -> Option<Axes> {
        let SweptFields { along, across, is_curved, is_choice, hexes } = *swept;
        let axes = |rank, along, across| Axes { rank, along, across };
        Some(match self {
            ChartKind::Map => {
                let (field, hexes) = hexes?;
                axes(if hexes >= MANY_HEXES { 0 } else { u8::MAX }, field, None)
            }
            ChartKind::Choices if is_choice => axes(1, along, across),
            _ if is_choice => return None,
            ChartKind::Bars => {
                axes(if across.is_none() && !is_curved(along) { 1 } else { 3 }, along, None)
            }
            ChartKind::Heat => axes(1, along, Some(across?)),
            // A curve runs along a field of numbers, even if the table has it in its columns.
            ChartKind::Curve => match across.filter(|across| is_curved(*across)) {
                Some(across) if !is_curved(along) => axes(2, across, Some(along)),
                None if across.is_none() && is_curved(along) => axes(1, along, None),
                _ => axes(2, along, across),
            },
            ChartKind::Steps | ChartKind::Choices | ChartKind::Difference => return None,
        })
    }

    /// Returns the largest number of places that a readable panel has.
    pub fn most_places(self) -> usize {
        if matches!(self, ChartKind::Bars | ChartKind::Choices) { 200 } else { usize::MAX }
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
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        let series = self.panels.iter().flat_map(|panel| &panel.series);
        series.flat_map(|series| series.all().map(|(_, value)| value))
    }

    /// Returns whether several series share a bar.
    pub(super) fn is_stacked(&self) -> bool {
        self.kind == ChartKind::Bars && self.panels.iter().any(|panel| panel.series.len() > 1)
    }

    /// Describes a place without the name of its axis, such as `at least 2`.
    pub(super) fn place_in_words(&self, place: &str) -> String {
        if self.kind == ChartKind::Steps { format!("at least {place}") } else { place.to_string() }
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
        let is_stacked = self.is_stacked();
        let all: Vec<f64> = match is_stacked {
            true => sums.collect(),
            false => self.values().flat_map(ends).collect(),
        };
        let least = all.iter().copied().fold(0.0, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        // The interval of a probability may extend beyond 0 and 1, but the axis does not.
        let are_odds = |value: &Value| (0.0..=1.0 + 1e-9).contains(&value.value);
        let is_whole = self.unit == Unit::Odds && self.values().all(are_odds);
        match is_whole && (!is_stacked || most <= 1.0 + 1e-9) {
            true => Scale::share(),
            false => Scale::round(least, most),
        }
    }
}
