//! Charts in the characters of a terminal: bars exact to an eighth of a character, with numbers.

use super::data::{Panel, Value};
use super::kind::{Chart, ChartKind, Look};
use super::text::cut;

const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
pub(super) const BLOCK: char = '█';

/// Draws one bar for each number of a panel.
pub(super) fn bars(chart: &Chart, panel: &Panel, look: &Look) -> String {
    let (scale, kind) = (chart.scale(), chart.kind);
    let value_text = |value: &Value| match &value.word {
        Some(word) => format!("{word} {}", chart.unit.signed(value.value)),
        None if kind == ChartKind::Difference => chart.unit.signed(value.value),
        None => chart.unit.written(value.value),
    };
    let is_named = panel.series.len() > 1 || !kind.before_place().is_empty();
    let name = |place: &str, series: &str| {
        let place = chart.place_in_words(place);
        match (is_named, place.is_empty()) {
            (false, _) => place,
            (true, true) => series.to_string(),
            (true, false) => format!("{series}, {place}"),
        }
    };
    let bars = panel.all().map(|(place, series, value)| {
        (name(place, series), value_text(value), scale.position(value.value))
    });
    let zero = scale.position(0.0);
    let bar = |end: &f64, room: usize| {
        let bar = eighths(zero.min(*end), zero.max(*end), room);
        format!("{bar:<room$}")
    };
    named_bars(&bars.collect::<Vec<_>>(), look.width, bar)
}

/// Draws a line for each bar: its name, the bar in the room that is left, and its number.
pub(super) fn named_bars<T>(
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
