//! Drawing functions that all kinds of charts share: boxes, axes, legends and tooltips.

use super::data::{Panel, Unit, Value, with_interval, with_named_interval};
use super::ink::Paint;
use super::kind::{Area, Chart, Page};
use super::text::{MAX_NAMED, Type, sentences};
use crate::svg::canvas::{Canvas, Point, escape, frame, point};

/// Height of a line of the legend, in pixels.
const LEGEND: f64 = 22.0;

/// A box, given by its corner and its size, in pixels.
pub(super) type Frame = (Point, Point);

impl Page<'_> {
    /// Returns the texts of the ticks of the axis.
    pub fn ticks(&self) -> Vec<String> {
        let unit = self.chart.unit;
        let sign = if unit == Unit::Odds { " %" } else { "" };
        self.scale.ticks.iter().map(|tick| self.scale.tick(unit, *tick) + sign).collect()
    }
}

/// Draws a box of a CSS class, with `words` as tooltip.
pub(super) fn boxed(
    canvas: &mut Canvas,
    class: &str,
    (at, size): Frame,
    opacity: Option<f64>,
    words: &str,
) {
    let opacity = opacity.map_or(String::new(), |depth| format!(" fill-opacity='{depth:.3}'"));
    let words = match words {
        "" => String::new(),
        words => format!("<title>{}</title>", escape(words)),
    };
    let place = frame(at, size, 2);
    canvas.add(format_args!("<rect class='mark {class}' {place}{opacity}>{words}</rect>"));
}

/// Draws a box with a tooltip. A tint is paler within a border in the full colour.
pub(super) fn filled(
    canvas: &mut Canvas,
    page: &Page,
    paint: Paint,
    (at, size): Frame,
    opacity: Option<f64>,
    words: &str,
) {
    boxed(canvas, paint.shade.name, (at, size), opacity, words);
    let border = point(1.5, 1.5);
    if let Some(tint) = paint.tint.filter(|_| size.x > 2.0 * border.x) {
        let place = frame(at + border, size - border * 2.0, 2);
        canvas.add(format_args!(
            "<rect class='tint' {place} fill-opacity='{tint}' pointer-events='none'/>"
        ));
    }
    if paint.is_hatched {
        let (id, place) = (page.id, frame(at, size, 2));
        canvas.add(format_args!("<rect {place} fill='url(#{id}-hatch)' pointer-events='none'/>"));
    }
}

/// Draws a dot in the colour of a curve, given by its CSS classes, with `words` as tooltip.
pub(super) fn dot(canvas: &mut Canvas, line: &str, at: Point, radius: u8, words: &str) {
    canvas.add(format_args!(
        "<circle class='dot {}' cx='{:.2}' cy='{:.2}' r='{radius}' \
            stroke='none'><title>{}</title></circle>",
        line,
        at.x,
        at.y,
        escape(words)
    ));
}

/// Returns the tooltip of a number: its place, its series and its value.
pub(super) fn in_words(page: &Page, place: &str, series: &str, value: &Value) -> String {
    let text = match &value.word {
        Some(word) => {
            format!("{word} {}", with_interval(value, |value| page.chart.unit.signed(value)))
        }
        None => {
            let written = |value| page.chart.unit.written(value);
            with_named_interval(value, page.chart.kind.0.interval(), written)
        }
    };
    let named: Vec<&str> = [place, series].into_iter().filter(|name| !name.is_empty()).collect();
    format!("{}: {text}", named.join(", "))
}

/// Returns in words for how many places each choice is best. `places` is the word for them.
pub(super) fn choices(chart: &Chart, panel: &Panel, places: &str) -> String {
    let values = || panel.all().map(|(.., value)| value);
    let all = values().count();
    let one = |word: &str| {
        let of_word = || values().filter(|value| value.word.as_deref() == Some(word));
        let widest = of_word().map(|value| value.value).reduce(f64::max)?;
        let (times, margin) = (of_word().count(), chart.unit.signed(widest));
        Some(format!("{word} is best in {times} of {all} {places}, by {margin} at most"))
    };
    sentences(chart.choices().into_iter().filter_map(one), MAX_NAMED)
}

/// Returns the width of the column of names left of a panel, at most 38 % of the panel.
pub(super) fn names_room(names: impl Iterator<Item = impl AsRef<str>>, width: f64) -> f64 {
    let longest = names.map(|name| Type::LABEL.room(name.as_ref())).fold(0.0, f64::max);
    longest.min(0.38 * width) + 8.0
}

/// Writes the name of a row left of `x`, cut to the width of the column of names.
pub(super) fn row_name(canvas: &mut Canvas, name: &str, at: Point, names: f64) {
    let shown = Type::LABEL.fitted(name, names - 8.0);
    canvas.words("label end", point(at.x - 8.0, at.y), &shown);
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
        let shown = Type::LABEL.fitted(name, most.min(120.0));
        let half = Type::LABEL.room(&shown) / 2.0;
        let x = at(place).clamp(left + half, (right - half).max(left + half));
        // A name further away would be read as the name of the next place.
        if x - half >= end && (x - at(place)).abs() <= half {
            canvas.words("label middle", point(x, y), &shown);
            end = x + half + 8.0;
        }
    }
}

/// Draws a heading above the column of names, and returns the area below.
pub(super) fn side_name(canvas: &mut Canvas, name: &str, area: Area) -> Area {
    let shown = Type::HEAD.fitted(name, area.width);
    canvas.words("head start", point(area.x, area.y + 11.0), &shown);
    if shown.is_empty() { area } else { Area { y: area.y + 20.0, ..area } }
}

/// Draws the name of an axis, centred below it, and returns the y coordinate of its lower edge.
pub(super) fn axis_name(canvas: &mut Canvas, name: &str, (left, right): (f64, f64), y: f64) -> f64 {
    let shown = Type::HEAD.fitted(name, right - left);
    canvas.words("head middle", point((left + right) / 2.0, y), &shown);
    if shown.is_empty() { y - 14.0 } else { y + 4.0 }
}

/// Draws the error bar of a number, with ends of `size` pixels, and returns its right end.
pub(super) fn whisker(
    canvas: &mut Canvas,
    value: &Value,
    at: impl Fn(f64) -> f64,
    middle: f64,
    size: f64,
) -> Option<f64> {
    let (low, high) = value.finite_interval()?;
    let (low, high) = (at(low), at(high));
    let ends = [low, high].map(|x| format!(" M{x:.2},{:.2} v{size}", middle - size / 2.0));
    canvas.path("whisker", &format!("M{low:.2},{middle:.2} H{high:.2}{}", ends.concat()));
    Some(high)
}

/// Draws vertical grid lines across a plot, with their labels below.
pub(super) fn ticks_below(
    canvas: &mut Canvas,
    page: &Page,
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
    frame: (f64, f64),
) {
    let at = |place: usize| left + (right - left) * page.scale.position(page.scale.ticks[place]);
    for x in (0..page.scale.ticks.len()).map(at) {
        canvas.path("grid", &format!("M{x:.2},{top:.2} V{bottom:.2}"));
    }
    names_below(canvas, &page.ticks(), at, bottom + 16.0, frame);
}

/// Draws a legend with the paint of each name, if any, and returns the y coordinate below it.
pub(super) fn paint_names(
    canvas: &mut Canvas,
    page: &Page,
    area: Area,
    names: &[(&str, Paint)],
    opacity: Option<f64>,
) -> f64 {
    let (mut x, mut y) = (area.x, area.y);
    for (name, paint) in names {
        let shown = Type::LABEL.fitted(name, area.width - 24.0);
        let wide = 20.0 + Type::LABEL.room(&shown);
        if x > area.x && x + wide > area.x + area.width {
            (x, y) = (area.x, y + LEGEND);
        }
        filled(canvas, page, *paint, (point(x, y), point(14.0, 14.0)), opacity, "");
        canvas.words("label start", point(x + 20.0, y + 11.5), &shown);
        x += wide + 14.0;
    }
    if names.is_empty() { y } else { y + LEGEND + 8.0 }
}

/// Draws the colour scale from the lowest number to the highest in `steps` steps that are `wide`
/// pixels apart and cover `covers` pixels. Returns the y coordinate below it.
pub(super) fn colour_scale(
    canvas: &mut Canvas,
    page: &Page,
    area: Area,
    (steps, wide, covers): (u32, f64, f64),
    fill: impl Fn(f64) -> String,
) -> f64 {
    let top = area.y;
    let Some((low, high)) = page.chart.ends() else { return top };
    let [low, high] = [low, high].map(|end| page.chart.unit.written(end));
    canvas.words("label start", point(area.x, top + 11.5), &low);
    let mut x = area.x + Type::LABEL.room(&low) + 4.0;
    for step in 0..steps {
        let fill = fill(f64::from(step) / f64::from(steps - 1));
        let place = format!("x='{x:.1}' y='{top:.1}' width='{covers}' height='14'");
        canvas.add(format_args!("<rect {fill} {place}/>"));
        x += wide;
    }
    canvas.words("label start", point(x + 6.0, top + 11.5), &high);
    top + LEGEND + 8.0
}
