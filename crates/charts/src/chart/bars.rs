//! Bars, one for each place. Several series are stacked in a bar. A single series has error bars,
//! and its numbers stand at the ends of the bars. In characters of a terminal, bars are exact to an
//! eighth of a character.

use super::data::{Panel, Series, Unit, Value, with_interval};
use super::ink::{Paint, letter, of_terminal};
use super::kind::{Area, Axes, Chart, Kind, Look, Page, SweptFields};
use super::page::{
    filled, in_words, names_room, paint_names, row_name, side_name, ticks_below, whisker,
};
use super::text::{MAX_NAMED, Type, cut, joined, sentences};
use crate::svg::canvas::{Canvas, point};

/// Height of a bar, and distance from one bar to the next, in pixels.
const BAR: f64 = 24.0;
const STEP: f64 = 32.0;
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BLOCK: char = '█';
/// Height of a place's name above its bar, and the width in pixels at which even a small part has
/// room for its number. A narrower stack has its names above.
const NAME: f64 = 20.0;
const WIDE: f64 = 200.0;

/// Bars, one for each place; several series are stacked.
#[derive(Debug)]
pub(super) enum Bars {
    /// A part for each class of final states, or for each series.
    Classes,
    /// A part for each final state, in a tint of its class.
    Details,
}

impl Kind for Bars {
    fn name(&self) -> &'static str {
        if matches!(self, Bars::Classes) { "bars" } else { "details" }
    }

    fn axes(&self, swept: &SweptFields) -> Option<Axes> {
        let along = swept.along;
        let rank = if swept.across.is_none() && !(swept.is_curved)(along) { 1 } else { 3 };
        let axes = Axes { rank, along, across: None, on_map: false, most_places: 200 };
        (matches!(self, Bars::Classes) && !swept.is_choice).then_some(axes)
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Area { x, y, width } = side_name(canvas, &page.chart.along, area);
        let is_stack = self.is_stacked(page.chart);
        let names = names_room(panel.places.iter(), width);
        let longest = |room: f64, value: &Value| {
            room.max(Type::LABEL.room(&page.chart.unit.written(value.value)))
        };
        let numbers = page.chart.values().fold(24.0, longest);
        let right = x + width - if is_stack { 24.0 } else { numbers + 10.0 };
        let is_above = is_stack && right - x - names < WIDE;
        let left = if is_above { x + 8.0 } else { x + names };
        let step = if is_above { STEP + NAME } else { STEP };
        let bottom = y + step * panel.places.len() as f64;
        ticks_below(canvas, page, (left, right), (y, bottom), (x, x + width));
        let plot = Plot { page, panel, left, right };
        for (place, name) in panel.places.iter().enumerate() {
            let top = y + step * (place + 1) as f64 - (STEP + BAR) / 2.0;
            match is_above {
                true => {
                    let shown = Type::LABEL.fitted(name, right - left - 4.0);
                    canvas.words("label start", point(left + 4.0, top - 6.0), &shown);
                }
                false => row_name(canvas, name, point(left, top + BAR / 2.0 + 4.5), names),
            }
            match is_stack {
                true => plot.draw_stack(canvas, place, top),
                false => plot.draw_single(canvas, place, top),
            }
        }
        canvas.path("axis", &format!("M{:.2},{y:.2} V{bottom:.2}", plot.x(0.0)));
        bottom + 24.0
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        if panel.series.len() > 1 {
            let series = panel.series.iter();
            let most = if chart.has_classes() { usize::MAX } else { MAX_NAMED };
            return sentences(series.filter_map(|series| extremes(chart, panel, series)), most);
        }
        sentences(
            panel.all().map(|(place, _, value)| {
                format!("{place} {}", with_interval(value, |value| chart.unit.written(value)))
            }),
            MAX_NAMED,
        )
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        let stacks =
            || chart.text(look, |panel| stacks(chart, panel, look) + &key(chart, panel, look));
        self.is_stacked(chart).then(stacks)
    }

    fn legend(&self, canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
        let series = page.chart.panels.first().map_or(&[][..], |panel| &panel.series);
        let paint = |number: usize| (&*series[number].name, Paint::of_series(series, number));
        let names: Vec<(&str, Paint)> = (0..series.len()).map(paint).collect();
        paint_names(canvas, page, area, if names.len() > 1 { &names } else { &[] }, None)
    }

    fn is_stacked(&self, chart: &Chart) -> bool {
        chart.panels.iter().any(|panel| panel.series.len() > 1)
    }
}

struct Plot<'a> {
    page: &'a Page<'a>,
    panel: &'a Panel,
    left: f64,
    right: f64,
}

impl Plot<'_> {
    /// Returns the x coordinate of a number.
    fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * self.page.scale.position(value)
    }

    /// Draws the parts of a stacked bar, with their numbers where these fit.
    fn draw_stack(&self, canvas: &mut Canvas, place: usize, top: f64) {
        let mut sum = 0.0;
        for (number, series) in self.panel.series.iter().enumerate() {
            let Some(value) = series.value(place) else { continue };
            let from = self.x(sum);
            sum += value.value.max(0.0);
            let to = self.x(sum);
            self.draw_bar(canvas, (from, to), top, (number, place));
            let paint = Paint::of_series(&self.panel.series, number);
            let unit = self.page.chart.unit;
            let brief = match unit {
                Unit::Number => format!("{:.1}", value.value),
                _ => format!("{:.0}", 100.0 * value.value),
            };
            let inside = [(unit.short(value.value), 4.0), (brief, 1.0)];
            let fits = |(text, spare): &(String, f64)| Type::FIGURE.room(text) + spare <= to - from;
            if let Some((inside, _)) = inside.iter().find(|text| fits(text) && !paint.is_hatched) {
                let at = point((from + to) / 2.0, top + BAR / 2.0 + 4.0);
                canvas.words(&format!("figure middle {}", paint.ink()), at, inside);
            }
        }
    }

    /// Draws a single bar with its error bar and its number.
    fn draw_single(&self, canvas: &mut Canvas, place: usize, top: f64) {
        let series = self.panel.series.first();
        let Some(value) = series.and_then(|series| series.value(place)) else { return };
        let (zero, end) = (self.x(0.0), self.x(value.value));
        self.draw_bar(canvas, (zero.min(end), zero.max(end)), top, (0, place));
        let right = whisker(canvas, value, |value| self.x(value), top + BAR / 2.0, 8.0);
        let end = right.map_or(zero.max(end), |right| zero.max(end).max(right));
        let text = self.page.chart.unit.written(value.value);
        canvas.words("label start", point(end + 6.0, top + BAR / 2.0 + 4.5), &text);
    }

    /// Draws the bar of a series between two x coordinates, unless it is too short to be seen.
    fn draw_bar(&self, canvas: &mut Canvas, ends: (f64, f64), top: f64, of: (usize, usize)) {
        let ((from, to), (number, place)) = (ends, of);
        let series = &self.panel.series[number];
        let Some(value) = series.value(place).filter(|_| to - from >= 0.005) else { return };
        let frame = (point(from, top), point(to - from, BAR));
        let words = in_words(self.page, &self.panel.places[place], &series.name, value);
        let paint = Paint::of_series(&self.panel.series, number);
        filled(canvas, self.page, paint, frame, None, &words);
    }
}

/// Returns in words the places where a series is highest and lowest; `None` without numbers.
fn extremes(chart: &Chart, panel: &Panel, series: &Series) -> Option<String> {
    let by_value = |(_, one): &(usize, &Value), (_, other): &(usize, &Value)| {
        one.value.total_cmp(&other.value)
    };
    let (most, high) = series.all().max_by(by_value)?;
    let (least, low) = series.all().min_by(by_value)?;
    let [high, low] = [high, low].map(|value| chart.unit.written(value.value));
    Some(match high == low {
        true => format!("{} {high}", series.name),
        false => format!(
            "{} {low} ({}) to {high} ({})",
            series.name, panel.places[least], panel.places[most]
        ),
    })
}

/// Draws a stacked bar for each place, beside the number of the first series (see the heading).
fn stacks(chart: &Chart, panel: &Panel, look: &Look) -> String {
    let scale = chart.scale();
    let first = panel.series.first();
    let row = |(place, name): (usize, &String)| {
        let number = first.and_then(|series| series.value(place));
        let number = number.map_or("-".to_string(), |value| chart.unit.written(value.value));
        (name.clone(), number, place)
    };
    let rows: Vec<(String, String, usize)> = panel.places.iter().enumerate().map(row).collect();
    let bar = |place: &usize, room: usize| {
        let mut bar = String::new();
        let (mut sum, mut drawn) = (0.0, 0);
        for (number, series) in panel.series.iter().enumerate() {
            let Some(value) = series.value(*place) else { continue };
            sum += value.value.max(0.0);
            let end = (scale.position(sum) * room as f64).round() as usize;
            bar += &part(&panel.series, number, end.saturating_sub(drawn), look);
            drawn = drawn.max(end);
        }
        bar + &" ".repeat(room - drawn.min(room))
    };
    let of = first.map_or("", |series| &series.name);
    let heading = format!("{:>wide$}\n", cut(of, look.width - 1), wide = look.width);
    heading + &named_bars(&rows, look.width, bar)
}

/// Returns lines that name the series below their stacks, with their numbers.
fn key(chart: &Chart, panel: &Panel, look: &Look) -> String {
    let named = panel.series.iter().enumerate().filter_map(|(number, series)| {
        let name = cut(&extremes(chart, panel, series)?, look.width - 4);
        Some((format!("{} {name}", part(&panel.series, number, 1, look)), name.chars().count() + 2))
    });
    joined(named, look.width)
}

/// Draws the part of a bar for the series with this 0-based number.
fn part(all: &[Series], number: usize, length: usize, look: &Look) -> String {
    if length == 0 || !look.colours {
        return letter(number).to_string().repeat(length);
    }
    let Paint { shade, tint, is_hatched } = Paint::of_series(all, number);
    // Another character stands for a tint or hatching.
    let block = if tint.is_some() || is_hatched { '▒' } else { BLOCK };
    let (colour, blocks) = (of_terminal(shade.line), block.to_string().repeat(length));
    format!("\u{1b}[38;5;{colour}m{blocks}\u{1b}[0m")
}

/// Draws one bar for each number. The words `before` stand before each place.
pub(super) fn single(chart: &Chart, look: &Look, before: &str, is_signed: bool) -> String {
    let scale = chart.scale();
    let value_text = |value: &Value| match &value.word {
        Some(word) => format!("{word} {}", chart.unit.signed(value.value)),
        None if is_signed => chart.unit.signed(value.value),
        None => chart.unit.written(value.value),
    };
    let zero = scale.position(0.0);
    let bar = |end: &f64, room: usize| {
        let bar = eighths(zero.min(*end), zero.max(*end), room);
        format!("{bar:<room$}")
    };
    chart.text(look, |panel| {
        let is_named = panel.series.len() > 1 || !before.is_empty();
        let bars = panel.all().map(|(place, series, value)| {
            let place = format!("{before}{place}");
            let name = match (is_named, place.is_empty()) {
                (false, _) => place,
                (true, true) => series.to_string(),
                (true, false) => format!("{series}, {place}"),
            };
            (name, value_text(value), scale.position(value.value))
        });
        named_bars(&bars.collect::<Vec<_>>(), look.width, bar)
    })
}

/// Draws a line for each bar: its name, the bar in the room that is left, and its number.
fn named_bars<T>(
    bars: &[(String, String, T)],
    width: usize,
    draw: impl Fn(&T, usize) -> String,
) -> String {
    let longest = |text: fn(&(String, String, T)) -> &String| {
        let lengths = bars.iter().map(|bar| text(bar).chars().count());
        lengths.max().unwrap_or(0).min(width / 3)
    };
    let (names, numbers) = (longest(|(name, ..)| name), longest(|(_, number, _)| number));
    let room = width - names - numbers - 3;
    let line = |(name, number, bar): &(String, String, T)| {
        let (name, number) = (cut(name, names), cut(number, numbers));
        format!("{name:<names$}  {} {number:>numbers$}\n", draw(bar, room))
    };
    bars.iter().map(line).collect()
}

/// Draws a bar between two positions (0 to 1) of a line of `room` characters.
fn eighths(from: f64, to: f64, room: usize) -> String {
    let start = (from * room as f64).round() as usize;
    let eighths = ((to * room as f64 - start as f64) * 8.0).round().max(0.0) as usize;
    let (whole, rest) = (eighths / 8, eighths % 8);
    let mut bar = " ".repeat(start);
    bar.extend(std::iter::repeat_n(BLOCK, whole));
    bar.extend(rest.checked_sub(1).map(|part| EIGHTHS[part]));
    bar
}
