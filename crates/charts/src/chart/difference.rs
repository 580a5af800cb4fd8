//! Differences: a dot with its interval for each place and series, and a line at zero.

use super::bars::single;
use super::data::{POINTS, Panel, Unit, Value, with_interval};
use super::ink::line;
use super::kind::{Area, Chart, Kind, Look, Page};
use super::page::{axis_name, dot, names_room, row_name, side_name, ticks_below, whisker};
use super::text::{MAX_NAMED, Type, sentences};
use crate::svg::canvas::{Canvas, point};

const STEP: f64 = 30.0;

/// A dot with its interval for each place and series, and a line at zero.
#[derive(Debug)]
pub(super) struct Difference;

impl Kind for Difference {
    fn name(&self) -> &'static str {
        "difference"
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Area { x, y, width } = side_name(canvas, &page.chart.along, area);
        let dots = dots(panel);
        let with_sign = |value: f64| page.chart.unit.signed(value);
        let number = |value: f64| with_sign(value).replace(POINTS, "");
        let numbers = dots.iter().map(|(.., value)| Type::LABEL.room(&number(value.value)));
        let numbers = numbers.fold(24.0, f64::max) + 10.0;
        let names = names_room(dots.iter().map(|(name, ..)| name), width);
        let (left, right) = (x + names, x + width - numbers);
        let bottom = y + STEP * dots.len() as f64;
        ticks_below(canvas, page, (left, right), (y, bottom), (x, x + width));
        let at = |value: f64| left + (right - left) * page.scale.position(value);
        canvas.path("axis", &format!("M{:.2},{y:.2} V{bottom:.2}", at(0.0)));
        for (row, (name, series, value)) in dots.into_iter().enumerate() {
            let middle = y + STEP * (row as f64 + 0.5);
            row_name(canvas, &name, point(left, middle + 4.5), names);
            let words = format!("{name}: {}", with_interval(value, with_sign));
            let line = line(&panel.series, series);
            dot(canvas, &line, point(at(value.value), middle), 5, &words);
            // The ends of a whisker that is shorter than the dot stand out above and below it.
            whisker(canvas, value, at, middle, 16.0);
            let shown = number(value.value);
            canvas.words("label start", point(right + 8.0, middle + 4.5), &shown);
        }
        let name = if page.chart.unit == Unit::Points { "percentage points" } else { "" };
        axis_name(canvas, name, (left, right), bottom + 38.0)
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        sentences(
            panel.all().map(|(place, _, value)| {
                let difference = with_interval(value, |value| chart.unit.signed(value));
                format!("{place} {difference}{}", clear(value))
            }),
            MAX_NAMED,
        )
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        Some(single(chart, look, "", true))
    }
}

/// Returns the name, the 0-based series and the number of each dot, place by place.
fn dots(panel: &Panel) -> Vec<(String, usize, &Value)> {
    let mut dots = Vec::new();
    for (at, place) in panel.places.iter().enumerate() {
        for (number, series) in panel.series.iter().enumerate() {
            let name = match panel.series.len() {
                1 => place.clone(),
                _ => format!("{place}, {}", series.name),
            };
            dots.extend(series.value(at).map(|value| (name, number, value)));
        }
    }
    dots
}

/// Returns a remark if the interval of an estimate includes zero; else an empty text.
fn clear(value: &Value) -> &'static str {
    match value.interval {
        Some((low, high)) if low <= 0.0 && high >= 0.0 => ", not clear of its error",
        _ => "",
    }
}
