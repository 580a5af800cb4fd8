//! Differences: a dot with its interval for each place and series, and a line at zero.

use super::data::{POINTS, Panel, Unit, Value, signed, with_interval};
use super::ink::line;
use super::page::{
    Anchor, Area, Page, axis_name, names_room, side_name, ticks_below, whisker, write,
};
use super::text::Type;
use crate::svg::canvas::{Canvas, escape, point};

const STEP: f64 = 30.0;

pub(super) fn draw(canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
    let Area { x, y, width } = side_name(canvas, &page.chart.along, area);
    let unit = page.chart.unit;
    let name = |place: usize, series: usize| {
        let (place, series) = (&panel.places[place], &panel.series[series].name);
        if panel.series.len() > 1 { format!("{place}, {series}") } else { place.clone() }
    };
    let dots: Vec<(String, usize, &Value)> = (0..panel.places.len())
        .flat_map(|place| (0..panel.series.len()).map(move |series| (place, series)))
        .filter_map(|(place, series)| {
            Some((name(place, series), series, panel.series[series].value(place)?))
        })
        .collect();
    let with_sign = |value: f64| signed(unit, value);
    let number = |value: f64| with_sign(value).replace(POINTS, "");
    let numbers = dots.iter().map(|(.., value)| Type::Label.room(&number(value.value)));
    let numbers = numbers.fold(24.0, f64::max) + 10.0;
    let names = names_room(dots.iter().map(|(name, ..)| name.as_str()), width);
    let (left, right) = (x + names, x + width - numbers);
    let bottom = y + STEP * dots.len() as f64;
    ticks_below(canvas, page, (left, right), (y, bottom), (x, x + width));
    let at = |value: f64| left + (right - left) * page.scale.share(value);
    canvas.path("axis", &format!("M{:.2},{y:.2} V{bottom:.2}", at(0.0)));
    for (row, (name, series, value)) in dots.into_iter().enumerate() {
        let middle = y + STEP * (row as f64 + 0.5);
        let shown = Type::Label.fitted(&name, names - 8.0);
        write(canvas, (Type::Label, Anchor::End, ""), point(left - 8.0, middle + 4.5), &shown);
        if let Some((low, high)) = value.interval.filter(|(low, high)| (high - low).is_finite()) {
            whisker(canvas, (at(low), at(high)), middle, 10.0);
        }
        let words = escape(&format!("{name}: {}", with_interval(value, with_sign)));
        canvas.add(format_args!(
            "<circle class='dot {}' cx='{:.2}' cy='{middle:.2}' r='6' \
                stroke='none'><title>{words}</title></circle>",
            line(series),
            at(value.value)
        ));
        let shown = number(value.value);
        write(canvas, (Type::Label, Anchor::Start, ""), point(right + 8.0, middle + 4.5), &shown);
    }
    let name = if unit == Unit::Points { "percentage points" } else { "" };
    axis_name(canvas, name, (left, right), bottom + 38.0)
}
