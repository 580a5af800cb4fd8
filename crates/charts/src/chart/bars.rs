//! Bars, one for each place. Several series are stacked in a bar. A single series has error bars,
//! and its numbers stand at the ends of the bars.

use super::data::{Panel, Value, short, written};
use super::ink::{is_hatched, on_fill};
use super::page::{
    Anchor, Area, Page, filled, in_words, names_room, side_name, ticks_below, whisker, write,
};
use super::text::Type;
use crate::svg::canvas::{Canvas, point};

/// Height of a bar, and distance from one bar to the next, in pixels.
const BAR: f64 = 24.0;
const STEP: f64 = 32.0;

pub(super) fn draw(canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
    let Area { x, y, width } = side_name(canvas, &page.chart.along, area);
    let unit = page.chart.unit;
    let is_stack = page.chart.panels.iter().any(|panel| panel.series.len() > 1);
    let names = names_room(panel.places.iter().map(String::as_str), width);
    let longest =
        |room: f64, value: &Value| room.max(Type::Label.room(&written(unit, value.value)));
    let numbers = page.chart.values().fold(24.0, longest);
    let left = x + names;
    let right = x + width - if is_stack { 24.0 } else { numbers + 10.0 };
    let bottom = y + STEP * panel.places.len() as f64;
    ticks_below(canvas, page, (left, right), (y, bottom), (x, x + width));
    let at = |value: f64| left + (right - left) * page.scale.share(value);
    let zero = at(0.0);

    for (place, name) in panel.places.iter().enumerate() {
        let top = y + (STEP - BAR) / 2.0 + STEP * place as f64;
        let base = top + BAR / 2.0 + 4.5;
        let shown = Type::Label.fitted(name, names - 8.0);
        write(canvas, (Type::Label, Anchor::End, ""), point(left - 8.0, base), &shown);
        let mut sum = 0.0;
        for (number, series) in panel.series.iter().enumerate() {
            let Some(value) = series.value(place) else { continue };
            let (from, to) = match is_stack {
                true => (at(sum), at(sum + value.value.max(0.0))),
                false => (zero.min(at(value.value)), zero.max(at(value.value))),
            };
            sum += value.value.max(0.0);
            if to - from < 0.005 {
                continue;
            }
            let words = in_words(page, name, &series.name, value);
            filled(canvas, page, number, (point(from, top), point(to - from, BAR)), None, &words);
            let inside = short(unit, value.value);
            let fits = Type::Figure.room(&inside) + 4.0 <= to - from;
            if is_stack && fits && !is_hatched(number) {
                let at = point((from + to) / 2.0, base - 0.5);
                write(canvas, (Type::Figure, Anchor::Middle, on_fill(number)), at, &inside);
            }
        }
        if let (false, Some(value)) =
            (is_stack, panel.series.first().and_then(|one| one.value(place)))
        {
            let mut end = zero.max(at(value.value));
            if let Some((low, high)) = value.interval.filter(|(low, high)| (high - low).is_finite())
            {
                whisker(canvas, (at(low), at(high)), top + BAR / 2.0, 8.0);
                end = end.max(at(high));
            }
            let text = written(unit, value.value);
            write(canvas, (Type::Label, Anchor::Start, ""), point(end + 6.0, base), &text);
        }
    }
    canvas.path("axis", &format!("M{zero:.2},{y:.2} V{bottom:.2}"));
    bottom + 24.0
}
