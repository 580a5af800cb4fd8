//! Drawing functions that all kinds of charts share: texts, boxes, axes and tooltips.

use super::data::{Chart, Unit, Value, signed, with_interval, written};
use super::ink::{fill, is_hatched};
use super::scale::Scale;
use super::text::Type;
use crate::svg::canvas::{Canvas, Point, escape, point};

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

impl Page<'_> {
    pub fn ticks(&self) -> Vec<String> {
        let unit = self.chart.unit;
        let sign = if unit == Unit::Odds { " %" } else { "" };
        self.scale.ticks.iter().map(|tick| self.scale.tick(unit, *tick) + sign).collect()
    }
}

/// The part of a text that lies at the given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    pub const fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Writes a text with its baseline at `at`; `class` names further CSS classes.
pub(super) fn write(
    canvas: &mut Canvas,
    (style, anchor, class): (Type, Anchor, &str),
    at: Point,
    text: &str,
) {
    if !text.is_empty() {
        let class = format!("{} {} {class}", style.name(), anchor.name());
        canvas.words(class.trim_end(), at, text);
    }
}

/// Draws a box in the fill of a 0-based series, given by its corner and size, with `words` as
/// tooltip. Series after the sixth are hatched.
pub(super) fn filled(
    canvas: &mut Canvas,
    page: &Page,
    series: usize,
    (Point { x, y }, Point { x: wide, y: high }): (Point, Point),
    opacity: Option<f64>,
    words: &str,
) {
    let opacity = opacity.map_or(String::new(), |depth| format!(" fill-opacity='{depth:.3}'"));
    let words = match words {
        "" => String::new(),
        words => format!("<title>{}</title>", escape(words)),
    };
    let place = format!("x='{x:.2}' y='{y:.2}' width='{wide:.2}' height='{high:.2}'");
    canvas.add(format_args!("<rect class='mark {}' {place}{opacity}>{words}</rect>", fill(series)));
    if is_hatched(series) {
        let id = page.id;
        canvas.add(format_args!("<rect {place} fill='url(#{id}-hatch)' pointer-events='none'/>"));
    }
}

/// Returns the tooltip of a number: its place, its series and its value.
pub(super) fn in_words(page: &Page, place: &str, series: &str, value: &Value) -> String {
    let unit = page.chart.unit;
    let text = match &value.word {
        Some(word) => format!("{word} {}", with_interval(value, |value| signed(unit, value))),
        None => with_interval(value, |value| written(unit, value)),
    };
    let named: Vec<&str> = [place, series].into_iter().filter(|name| !name.is_empty()).collect();
    format!("{}: {text}", named.join(", "))
}

/// Returns the width of the column of names left of a panel, at most 38 % of the panel.
pub(super) fn names_room<'a>(names: impl Iterator<Item = &'a str>, width: f64) -> f64 {
    let longest = names.map(|name| Type::Label.room(name)).fold(0.0, f64::max);
    longest.min(0.38 * width) + 8.0
}

/// Draws names below an axis, centred on their places. Names without room are omitted.
pub(super) fn names_below(
    canvas: &mut Canvas,
    names: &[String],
    at: impl Fn(usize) -> f64,
    y: f64,
    (left, right): (f64, f64),
) {
    let most = (right - left) / 2.0;
    let mut end = left;
    for (place, name) in names.iter().enumerate() {
        let shown = Type::Label.fitted(name, most.min(120.0));
        let half = Type::Label.room(&shown) / 2.0;
        let x = at(place).clamp(left + half, (right - half).max(left + half));
        // A name further away would be read as the name of the next place.
        if x - half >= end && (x - at(place)).abs() <= half {
            write(canvas, (Type::Label, Anchor::Middle, ""), point(x, y), &shown);
            end = x + half + 8.0;
        }
    }
}

/// Draws a heading above the column of names, and returns the area below.
pub(super) fn side_name(canvas: &mut Canvas, name: &str, area: Area) -> Area {
    let shown = Type::Head.fitted(name, area.width);
    write(canvas, (Type::Head, Anchor::Start, ""), point(area.x, area.y + 11.0), &shown);
    if shown.is_empty() { area } else { Area { y: area.y + 20.0, ..area } }
}

/// Draws the name of an axis, centred below it, and returns the y coordinate of its lower edge.
pub(super) fn axis_name(canvas: &mut Canvas, name: &str, (left, right): (f64, f64), y: f64) -> f64 {
    let shown = Type::Head.fitted(name, right - left);
    write(canvas, (Type::Head, Anchor::Middle, ""), point((left + right) / 2.0, y), &shown);
    if shown.is_empty() { y - 14.0 } else { y + 4.0 }
}

/// Draws a horizontal error bar with vertical ends of `size` pixels.
pub(super) fn whisker(canvas: &mut Canvas, (low, high): (f64, f64), middle: f64, size: f64) {
    let ends = [low, high].map(|x| format!(" M{x:.2},{:.2} v{size}", middle - size / 2.0));
    canvas.path("whisker", &format!("M{low:.2},{middle:.2} H{high:.2}{}", ends.concat()));
}

/// Draws vertical grid lines across a plot, with their labels below.
pub(super) fn ticks_below(
    canvas: &mut Canvas,
    page: &Page,
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
    frame: (f64, f64),
) {
    let at = |tick: f64| left + (right - left) * page.scale.share(tick);
    for tick in &page.scale.ticks {
        let x = at(*tick);
        canvas.path("grid", &format!("M{x:.2},{top:.2} V{bottom:.2}"));
    }
    let names = page.ticks();
    names_below(canvas, &names, |place| at(page.scale.ticks[place]), bottom + 16.0, frame);
}
