//! Bars, one for each place. Several series are stacked in a bar. A single series has error bars,
//! and its numbers stand at the ends of the bars. In characters of a terminal, bars are exact to an
//! eighth of a character.

use super::data::{Panel, Series, Value, with_interval};
use super::ink::{is_hatched, letter, on_fill};
use super::kind::{Area, Axes, Chart, Kind, Look, Page, SweptFields};
use super::page::{
    fill_names, filled, in_words, names_room, row_name, side_name, ticks_below, whisker,
};
use super::text::{Type, cut, joined, sentences};
use crate::svg::canvas::{Canvas, point};

/// Height of a bar, and distance from one bar to the next, in pixels.
const BAR: f64 = 24.0;
const STEP: f64 = 32.0;
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BLOCK: char = '█';
/// The colours of the series, as indices into the 256 colours of a terminal.
const COLOURS: [u8; 6] = [29, 151, 178, 245, 52, 25];

/// Bars, one for each place; several series are stacked.
#[derive(Debug)]
pub(super) struct Bars;

impl Kind for Bars {
    fn name(&self) -> &'static str {
        "bars"
    }

    fn axes(&self, swept: &SweptFields) -> Option<Axes> {
        let along = swept.along;
        let rank = if swept.across.is_none() && !(swept.is_curved)(along) { 1 } else { 3 };
        let axes = Axes { rank, along, across: None, on_map: false, most_places: 200 };
        (!swept.is_choice).then_some(axes)
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Area { x, y, width } = side_name(canvas, &page.chart.along, area);
        let is_stack = self.is_stacked(page.chart);
        let names = names_room(panel.places.iter(), width);
        let longest = |room: f64, value: &Value| {
            room.max(Type::LABEL.room(&page.chart.unit.written(value.value)))
        };
        let numbers = page.chart.values().fold(24.0, longest);
        let left = x + names;
        let right = x + width - if is_stack { 24.0 } else { numbers + 10.0 };
        let bottom = y + STEP * panel.places.len() as f64;
        ticks_below(canvas, page, (left, right), (y, bottom), (x, x + width));
        let plot = Plot { page, panel, left, right };
        for (place, name) in panel.places.iter().enumerate() {
            let top = y + (STEP - BAR) / 2.0 + STEP * place as f64;
            row_name(canvas, name, point(left, top + BAR / 2.0 + 4.5), names);
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
            return sentences(series.filter_map(|series| extremes(chart, panel, series)));
        }
        sentences(panel.all().map(|(place, _, value)| {
            format!("{place} {}", with_interval(value, |value| chart.unit.written(value)))
        }))
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        let series = chart.panels.iter().take(1).flat_map(|panel| &panel.series);
        let names = series.enumerate().map(|(number, series)| {
            let name = cut(&series.name, look.width - 4);
            (format!("{} {name}", part(number, 1, look)), name.chars().count() + 2)
        });
        let stacks = || chart.text(look, |panel| stacks(chart, panel, look));
        self.is_stacked(chart).then(|| stacks() + &joined(names, look.width))
    }

    fn legend(&self, canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
        let series = page.chart.panels.first().map_or(&[][..], |panel| &panel.series);
        let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
        let names = if names.len() > 1 { &names[..] } else { &[] };
        fill_names(canvas, page, area, names, |series| series, None)
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
            let inside = self.page.chart.unit.short(value.value);
            let wide = to - from;
            if wide >= 0.005 && Type::FIGURE.room(&inside) + 4.0 <= wide && !is_hatched(number) {
                let class = format!("figure middle {}", on_fill(number));
                let at = point((from + to) / 2.0, top + BAR / 2.0 + 4.0);
                canvas.words(&class, at, &inside);
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
        filled(canvas, self.page, number, frame, None, &words);
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
            bar += &part(number, end.saturating_sub(drawn), look);
            drawn = drawn.max(end);
        }
        bar + &" ".repeat(room - drawn.min(room))
    };
    let of = first.map_or("", |series| &series.name);
    let heading = format!("{:>wide$}\n", cut(of, look.width - 1), wide = look.width);
    heading + &named_bars(&rows, look.width, bar)
}

/// Draws the part of a bar for one series.
fn part(number: usize, length: usize, look: &Look) -> String {
    match (length, look.colours) {
        (0, _) => String::new(),
        (_, true) => {
            let colour = COLOURS[number % COLOURS.len()];
            // Series after the last colour have another character.
            let block = if number < COLOURS.len() { BLOCK } else { '▒' };
            format!("\u{1b}[38;5;{colour}m{}\u{1b}[0m", block.to_string().repeat(length))
        }
        (_, false) => letter(number).to_string().repeat(length),
    }
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
