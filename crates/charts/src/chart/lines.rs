//! Curves and staircases, named at their ends, with a band for intervals.

use super::bars::single;
use super::data::{CONFIDENCE, Panel, Series, Value};
use super::ink::line;
use super::kind::{Area, Axes, Chart, Kind, Look, Page, SweptFields};
use super::page::{axis_name, dot, in_words, names_below, names_room};
use super::text::{MAX_NAMED, Type, sentences};
use crate::svg::canvas::{Canvas, Point, path, point};

/// Height of a plot, in pixels; it grows if the names of the curves need more.
const HEIGHT: f64 = 260.0;
/// Distance between the names of two curves, in pixels.
const LINE: f64 = 17.0;

/// A curve or a staircase for each series.
#[derive(Debug)]
pub(super) enum Lines {
    /// A curve for each series, with a band for the intervals of estimates.
    Curve,
    /// A staircase for each series: the probability of at least the number that the place names.
    Steps,
    /// A curve for each series, with a band for the middle four fifths of all sequences.
    Fan,
}

impl Kind for Lines {
    fn name(&self) -> &'static str {
        match self {
            Lines::Curve => "curve",
            Lines::Steps => "steps",
            Lines::Fan => "fan",
        }
    }

    fn is_free_of_zero(&self) -> bool {
        matches!(self, Lines::Curve)
    }

    fn interval(&self) -> &'static str {
        if matches!(self, Lines::Fan) { "10 to 90 %" } else { CONFIDENCE }
    }

    fn before(&self) -> &'static str {
        if matches!(self, Lines::Steps) { "at least " } else { "" }
    }

    /// There are always at least 0.
    fn is_trivial(&self, place: usize) -> bool {
        matches!(self, Lines::Steps) && place == 0
    }

    /// A curve runs along a field of numbers, even if the table has it in its columns.
    fn axes(&self, swept: &SweptFields) -> Option<Axes> {
        let SweptFields { along, across, is_curved, is_choice, .. } = *swept;
        let (rank, along, across) = match across.filter(|across| is_curved(*across)) {
            Some(across) if !is_curved(along) => (2, across, Some(along)),
            None if across.is_none() && is_curved(along) => (1, along, None),
            _ => (2, along, across),
        };
        let axes = Axes { rank, along, across, on_map: false, most_places: usize::MAX };
        (matches!(self, Lines::Curve) && !is_choice).then_some(axes)
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Area { x, y, width } = area;
        let ticks = page.ticks();
        let numbers = ticks.iter().map(|text| Type::LABEL.room(text)).fold(0.0, f64::max) + 8.0;
        let drawn = panel.series.iter().enumerate();
        let drawn: Vec<(usize, &Series)> =
            drawn.filter(|(_, series)| series.all().next().is_some()).collect();
        let names = names_room(drawn.iter().map(|(_, series)| &series.name), width) + 8.0;
        let plot = Plot {
            page,
            panel,
            left: x + numbers,
            right: x + width - names,
            top: y + 8.0,
            bottom: y + 8.0 + HEIGHT.max(LINE * drawn.len() as f64),
            kind: self,
        };
        for (tick, written) in page.scale.ticks.iter().zip(&ticks) {
            let at = plot.y(*tick);
            canvas.path("grid", &format!("M{:.2},{at:.2} H{:.2}", plot.left, plot.right));
            canvas.words("label end", point(plot.left - 8.0, at + 4.5), written);
        }
        drawn.iter().for_each(|(number, series)| plot.draw_band(canvas, *number, series));
        drawn.iter().for_each(|(number, series)| plot.draw_curve(canvas, *number, series));
        plot.draw_names(canvas, &drawn, names);
        let frame = (plot.left - numbers, x + width);
        names_below(canvas, &panel.places, |place| plot.x(place), plot.bottom + 18.0, frame);
        axis_name(canvas, &page.chart.along, (plot.left, plot.right), plot.bottom + 40.0)
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        let word = if matches!(self, Lines::Steps) { "for" } else { "at" };
        let most = if chart.has_classes() { usize::MAX } else { MAX_NAMED };
        sentences(
            panel.series.iter().filter_map(|series| {
                let ((first, from), (last, to)) = series.all().next().zip(series.all().last())?;
                let at = |place: usize, value: &Value| {
                    let number = chart.unit.written(value.value);
                    format!("{number} {word} {}{}", self.before(), panel.places[place])
                };
                Some(match first == last {
                    true => format!("{} {}", series.name, at(last, to)),
                    false => {
                        format!("{} from {} to {}", series.name, at(first, from), at(last, to))
                    }
                })
            }),
            most,
        )
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        Some(single(chart, look, self.before(), false))
    }
}

struct Plot<'a> {
    page: &'a Page<'a>,
    panel: &'a Panel,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    kind: &'a Lines,
}

impl Plot<'_> {
    /// Returns the x coordinate of the place with this 0-based index.
    fn x(&self, place: usize) -> f64 {
        let wide = self.right - self.left;
        match (self.kind, self.panel.places.len()) {
            (Lines::Steps, places) => self.left + wide * (place as f64 + 0.5) / places as f64,
            (Lines::Curve | Lines::Fan, 1) => self.left + wide / 2.0,
            (Lines::Curve | Lines::Fan, places) => {
                self.left + wide * place as f64 / (places - 1) as f64
            }
        }
    }

    /// Returns the y coordinate of a number.
    fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.page.scale.position(value)
    }

    /// Returns the points that stand for a number: one on a curve, two for a step.
    fn points(&self, place: usize, value: f64) -> Vec<Point> {
        let y = self.y(value);
        let half = (self.right - self.left) / self.panel.places.len() as f64 / 2.0;
        match self.kind {
            Lines::Steps => vec![point(self.x(place) - half, y), point(self.x(place) + half, y)],
            Lines::Curve | Lines::Fan => vec![point(self.x(place), y)],
        }
    }

    fn draw_band(&self, canvas: &mut Canvas, number: usize, series: &Series) {
        for run in runs(series) {
            let ends = |end: fn((f64, f64)) -> f64| {
                let points = run.iter().map(|(place, value)| {
                    let interval = value.finite_interval().unwrap_or((value.value, value.value));
                    self.points(*place, end(interval))
                });
                points.flatten().collect::<Vec<Point>>()
            };
            if run.iter().any(|(_, value)| value.interval.is_some()) {
                let back = ends(|(low, _)| low).into_iter().rev();
                let around: Vec<Point> = ends(|(_, high)| high).into_iter().chain(back).collect();
                canvas.path(
                    &format!("band {}", line(&self.panel.series, number)),
                    &(path(&around) + "z"),
                );
            }
        }
    }

    fn draw_curve(&self, canvas: &mut Canvas, number: usize, series: &Series) {
        for run in runs(series) {
            let at = |(place, value): &(usize, &Value)| self.points(*place, value.value);
            let points: Vec<Point> = run.iter().flat_map(at).collect();
            canvas.path(&format!("curve {}", line(&self.panel.series, number)), &path(&points));
            for (place, value) in run {
                let named = self.kind.before().to_string() + &self.panel.places[place];
                let words = in_words(self.page, &named, &series.name, value);
                dot(
                    canvas,
                    &line(&self.panel.series, number),
                    point(self.x(place), self.y(value.value)),
                    3,
                    &words,
                );
            }
        }
    }

    /// Draws the names of curves beside their right ends, without overlaps.
    fn draw_names(&self, canvas: &mut Canvas, drawn: &[(usize, &Series)], room: f64) {
        let mut ends: Vec<(usize, &str, Point, f64)> = Vec::new();
        for (number, series) in drawn {
            let Some((place, value)) = series.all().last() else { continue };
            let from = self.points(place, value.value).pop();
            ends.extend(from.map(|from| (*number, series.name.as_str(), from, from.y)));
        }
        ends.sort_by(|(.., one), (.., other)| one.total_cmp(other));
        let mut least = self.top;
        for (.., y) in &mut ends {
            *y = y.max(least);
            least = *y + LINE;
        }
        let mut most = self.bottom;
        for (.., y) in ends.iter_mut().rev() {
            *y = y.min(most);
            most = *y - LINE;
        }
        for (number, name, from, y) in ends {
            let to = point(self.right + 12.0, y);
            canvas.path(&format!("lead {}", line(&self.panel.series, number)), &path(&[from, to]));
            let shown = Type::LABEL.fitted(name, room - 16.0);
            canvas.words("label start", point(self.right + 16.0, y + 4.5), &shown);
        }
    }
}

/// Returns the runs of consecutive places that have numbers.
fn runs(series: &Series) -> Vec<Vec<(usize, &Value)>> {
    let all: Vec<(usize, &Value)> = series.all().collect();
    all.chunk_by(|(one, _), (next, _)| one + 1 == *next).map(<[_]>::to_vec).collect()
}
