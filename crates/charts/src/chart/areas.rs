//! Areas one upon the other: how a whole is made up at each place.

use super::bars::Bars;
use super::data::{Panel, Series};
use super::ink::Paint;
use super::kind::{Area, Chart, Kind, Look, Page};
use super::page::{axis_name, names_below};
use super::text::Type;
use crate::svg::canvas::{Canvas, Point, escape, path, point};

/// Height of a plot, in pixels.
const HEIGHT: f64 = 260.0;

/// An area for each series, from the sum of those before it to its own.
#[derive(Debug)]
pub(super) struct Areas;

impl Kind for Areas {
    fn name(&self) -> &'static str {
        "areas"
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Area { x, y, width } = area;
        let ticks = page.ticks();
        let numbers = ticks.iter().map(|text| Type::LABEL.room(text)).fold(0.0, f64::max) + 8.0;
        let (left, right) = (x + numbers, x + width - 8.0);
        let (top, bottom) = (y + 8.0, y + 8.0 + HEIGHT);
        let across = |place: usize| {
            let steps = panel.places.len().saturating_sub(1).max(1) as f64;
            left + (right - left) * place as f64 / steps
        };
        let up = |value: f64| bottom - (bottom - top) * page.scale.position(value);
        for (tick, written) in page.scale.ticks.iter().zip(&ticks) {
            canvas.path("grid", &format!("M{left:.2},{:.2} H{right:.2}", up(*tick)));
            canvas.words("label end", point(left - 8.0, up(*tick) + 4.5), written);
        }
        let mut below = vec![0.0; panel.places.len()];
        for (number, series) in panel.series.iter().enumerate() {
            let above: Vec<f64> = sums(&below, series);
            let edge = |sums: &[f64]| -> Vec<Point> {
                let points = sums.iter().enumerate();
                let points = points.map(|(place, sum)| point(across(place), up(*sum)));
                // A single place is as wide as the plot.
                let end = sums.first().filter(|_| sums.len() == 1);
                points.chain(end.map(|sum| point(right, up(*sum)))).collect()
            };
            let back = edge(&below).into_iter().rev();
            let around: Vec<Point> = edge(&above).into_iter().chain(back).collect();
            let paint = Paint::of_series(&panel.series, number);
            fill(canvas, paint, &(path(&around) + "z"), &extent(page.chart, panel, series));
            below = above;
        }
        names_below(canvas, &panel.places, across, bottom + 18.0, (x, x + width));
        axis_name(canvas, &page.chart.along, (left, right), bottom + 40.0)
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        Bars::Classes.finding(chart, panel)
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        Bars::Classes.text(chart, look)
    }

    fn legend(&self, canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
        Bars::Classes.legend(canvas, page, area)
    }

    fn is_stacked(&self, _: &Chart) -> bool {
        true
    }
}

/// Returns the upper edge of a series on those before it.
fn sums(below: &[f64], series: &Series) -> Vec<f64> {
    let own = |place: usize| series.value(place).map_or(0.0, |value| value.value.max(0.0));
    below.iter().enumerate().map(|(place, sum)| sum + own(place)).collect()
}

/// Returns a series with its numbers at the first and the last place, in words.
fn extent(chart: &Chart, panel: &Panel, series: &Series) -> String {
    let ends = series.all().next().zip(series.all().last());
    let Some(((first, from), (last, to))) = ends else { return series.name.clone() };
    let [from, to] = [from, to].map(|value| chart.unit.written(value.value));
    let places = &panel.places;
    match first == last {
        true => format!("{}: {to} at {}", series.name, places[last]),
        false => {
            format!("{}: {from} at {}, {to} at {}", series.name, places[first], places[last])
        }
    }
}

/// Draws an area with a tooltip. A tint is paler.
fn fill(canvas: &mut Canvas, paint: Paint, around: &str, words: &str) {
    let shade = paint.shade.name;
    let words = escape(words);
    canvas
        .add(format_args!("<path class='mark {shade}' d='{around}'><title>{words}</title></path>"));
    if let Some(tint) = paint.tint {
        canvas.add(format_args!(
            "<path class='tint' d='{around}' fill-opacity='{tint}' pointer-events='none'/>"
        ));
    }
}
