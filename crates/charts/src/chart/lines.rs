//! Curves and staircases, named at their ends, with a band for the intervals of estimates.

use super::data::{ChartKind, Panel, Series, Value};
use super::ink::line;
use super::page::{Anchor, Area, Page, axis_name, in_words, names_below, names_room, write};
use super::text::Type;
use crate::svg::canvas::{Canvas, Point, escape, point};

/// Height of a plot, in pixels; it grows if the names of the curves need more.
const HEIGHT: f64 = 260.0;
/// Distance between the names of two curves, in pixels.
const LINE: f64 = 17.0;

struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    places: usize,
    is_step: bool,
}

impl Plot {
    /// Returns the x coordinate of the place with this 0-based index.
    fn x(&self, place: usize) -> f64 {
        let wide = self.right - self.left;
        match (self.is_step, self.places) {
            (true, places) => self.left + wide * (place as f64 + 0.5) / places as f64,
            (false, 1) => self.left + wide / 2.0,
            (false, places) => self.left + wide * place as f64 / (places - 1) as f64,
        }
    }

    /// Returns the points that stand for a number: one on a curve, two for a step.
    fn points(&self, place: usize, y: f64) -> Vec<Point> {
        let half = (self.right - self.left) / self.places as f64 / 2.0;
        match self.is_step {
            true => vec![point(self.x(place) - half, y), point(self.x(place) + half, y)],
            false => vec![point(self.x(place), y)],
        }
    }
}

pub(super) fn draw(canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
    let Area { x, y, width } = area;
    let ticks = page.ticks();
    let numbers = ticks.iter().map(|tick| Type::Label.room(tick)).fold(0.0, f64::max) + 8.0;
    let drawn: Vec<(usize, &Series)> = panel
        .series
        .iter()
        .enumerate()
        .filter(|(_, series)| series.all().next().is_some())
        .collect();
    let names = names_room(drawn.iter().map(|(_, series)| series.name.as_str()), width) + 8.0;
    let plot = Plot {
        left: x + numbers,
        right: x + width - names,
        top: y + 8.0,
        bottom: y + 8.0 + HEIGHT.max(LINE * drawn.len() as f64),
        places: panel.places.len(),
        is_step: page.chart.kind == ChartKind::Steps,
    };
    let level = |value: f64| plot.bottom - (plot.bottom - plot.top) * page.scale.share(value);
    for (tick, written) in page.scale.ticks.iter().zip(&ticks) {
        let at = level(*tick);
        canvas.path("grid", &format!("M{:.2},{at:.2} H{:.2}", plot.left, plot.right));
        let place = point(plot.left - 8.0, at + 4.5);
        write(canvas, (Type::Label, Anchor::End, ""), place, written);
    }
    for &(number, series) in &drawn {
        draw_band(canvas, &plot, &level, number, series);
    }
    for &(number, series) in &drawn {
        draw_curve(canvas, &plot, &level, (number, series), page, panel);
    }
    draw_names(canvas, &plot, &level, &drawn, names);
    let frame = (plot.left - numbers, x + width);
    names_below(canvas, &panel.places, |place| plot.x(place), plot.bottom + 18.0, frame);
    axis_name(canvas, &page.chart.along, (plot.left, plot.right), plot.bottom + 40.0)
}

/// Returns the runs of consecutive places that have numbers.
fn runs(series: &Series) -> Vec<Vec<(usize, &Value)>> {
    let mut runs: Vec<Vec<(usize, &Value)>> = Vec::new();
    for (place, value) in series.all() {
        match runs.last_mut().filter(|run| run.last().is_some_and(|(last, _)| last + 1 == place)) {
            Some(run) => run.push((place, value)),
            None => runs.push(vec![(place, value)]),
        }
    }
    runs
}

fn path(points: &[Point]) -> String {
    let points = points.iter().map(|Point { x, y }| format!("{x:.2},{y:.2}"));
    format!("M{}", points.collect::<Vec<_>>().join(" L"))
}

fn draw_band(
    canvas: &mut Canvas,
    plot: &Plot,
    level: &impl Fn(f64) -> f64,
    number: usize,
    series: &Series,
) {
    for run in runs(series) {
        let ends = |end: fn((f64, f64)) -> f64| {
            let points = run.iter().map(|(place, value)| {
                let interval = value.interval.filter(|(low, high)| (high - low).is_finite());
                plot.points(*place, level(end(interval.unwrap_or((value.value, value.value)))))
            });
            points.flatten().collect::<Vec<Point>>()
        };
        if run.iter().any(|(_, value)| value.interval.is_some()) {
            let back = ends(|(low, _)| low).into_iter().rev();
            let around: Vec<Point> = ends(|(_, high)| high).into_iter().chain(back).collect();
            canvas.path(&format!("band {}", line(number)), &(path(&around) + "z"));
        }
    }
}

fn draw_curve(
    canvas: &mut Canvas,
    plot: &Plot,
    level: &impl Fn(f64) -> f64,
    (number, series): (usize, &Series),
    page: &Page,
    panel: &Panel,
) {
    let class = line(number);
    for run in runs(series) {
        let at = |(place, value): &(usize, &Value)| plot.points(*place, level(value.value));
        let points: Vec<Point> = run.iter().flat_map(at).collect();
        canvas.path(&format!("curve {class}"), &path(&points));
        for (place, value) in run {
            let place_in_words = page.chart.place_in_words(&panel.places[place]);
            let words = escape(&in_words(page, &place_in_words, &series.name, value));
            canvas.add(format_args!(
                "<circle class='dot {class}' cx='{:.2}' cy='{:.2}' r='3' \
                    stroke='none'><title>{words}</title></circle>",
                plot.x(place),
                level(value.value)
            ));
        }
    }
}

/// Draws the names of curves beside their right ends, without overlaps.
fn draw_names(
    canvas: &mut Canvas,
    plot: &Plot,
    level: &impl Fn(f64) -> f64,
    drawn: &[(usize, &Series)],
    room: f64,
) {
    let end = |&(number, series): &(usize, &'_ Series)| {
        let (place, value) = series.all().last()?;
        let from = plot.points(place, level(value.value)).pop()?;
        Some((number, from, from.y))
    };
    let mut ends: Vec<(usize, Point, f64)> = drawn.iter().filter_map(end).collect();
    ends.sort_by(|(_, _, one), (_, _, other)| one.total_cmp(other));
    let mut least = plot.top;
    for (.., y) in &mut ends {
        *y = y.max(least);
        least = *y + LINE;
    }
    let mut most = plot.bottom;
    for (.., y) in ends.iter_mut().rev() {
        *y = y.min(most);
        most = *y - LINE;
    }
    for (number, from, y) in ends {
        let Some((_, series)) = drawn.iter().find(|(known, _)| *known == number) else { continue };
        let to = point(plot.right + 12.0, y);
        canvas.path(&format!("lead {}", line(number)), &path(&[from, to]));
        let shown = Type::Label.fitted(&series.name, room - 16.0);
        write(canvas, (Type::Label, Anchor::Start, ""), point(plot.right + 16.0, y + 4.5), &shown);
    }
}
