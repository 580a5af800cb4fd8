//! Charts in the characters of a terminal: bars exact to an eighth of a character, with numbers.

use super::board;
use super::data::{Chart, ChartKind, Panel, Value, signed, written};
use super::ink::letter;
use super::scale::Scale;
use super::text::cut;

/// Options for charts in characters.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub width: usize,
    /// True if parts of a bar are told apart by terminal colours; otherwise by letters.
    pub colours: bool,
}

const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BLOCK: char = '█';
/// The colours of the series, as indices into the 256 colours of a terminal.
const COLOURS: [u8; 6] = [29, 151, 178, 245, 52, 25];

/// Draws a chart in characters: a map as a map, and any other chart as bars. Stacked series share
/// one bar for each place. Lines have at most [`Look::width`] characters, or 40 if that is less.
pub fn plot(chart: &Chart, look: &Look) -> String {
    let look = &Look { width: look.width.max(40), ..*look };
    let scale = Scale::from_chart(chart);
    let is_stack =
        chart.kind == ChartKind::Bars && chart.panels.iter().any(|panel| panel.series.len() > 1);
    let mut text = String::new();
    for panel in &chart.panels {
        if !text.is_empty() {
            text.push('\n');
        }
        if !panel.name.is_empty() {
            text += &format!("{}:\n", cut(&panel.name, look.width - 1));
        }
        text += &match is_stack {
            _ if chart.kind == ChartKind::Map => {
                board::plot(chart, panel, look.width, look.colours)
            }
            true => stacks(chart, &scale, panel, look),
            false => singles(chart, &scale, panel, look),
        };
    }
    if is_stack {
        text += &legend(chart, look);
    }
    if text.is_empty() { "nothing to show\n".to_string() } else { text }
}

/// Draws one bar for each number of a panel.
fn singles(chart: &Chart, scale: &Scale, panel: &Panel, look: &Look) -> String {
    let value_text = |value: &Value| match (chart.kind, &value.word) {
        (ChartKind::Choices, Some(word)) => format!("{word} {}", signed(chart.unit, value.value)),
        (ChartKind::Difference, _) => signed(chart.unit, value.value),
        _ => written(chart.unit, value.value),
    };
    let is_named = panel.series.len() > 1 || chart.kind == ChartKind::Steps;
    let name = |place: usize, series: &str| {
        let place = chart.place_in_words(&panel.places[place]);
        match (is_named, place.is_empty()) {
            (false, _) => place,
            (true, true) => series.to_string(),
            (true, false) => format!("{series}, {place}"),
        }
    };
    let bars: Vec<(String, String, f64)> = panel
        .series
        .iter()
        .flat_map(|series| {
            series
                .all()
                .map(|(place, value)| (name(place, &series.name), value_text(value), value.value))
        })
        .collect();
    let longest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let names = longest(&mut bars.iter().map(|(name, ..)| name)).min(look.width / 3);
    let numbers = longest(&mut bars.iter().map(|(_, text, _)| text)).min(look.width / 3);
    let room = look.width - names - numbers - 3;
    let line = |(name, value_text, value): &(String, String, f64)| {
        let zero = scale.share(0.0);
        let (from, to) = (zero.min(scale.share(*value)), zero.max(scale.share(*value)));
        let bar = eighths(from, to, room);
        format!(
            "{:<names$}  {bar:<room$} {:>numbers$}\n",
            cut(name, names),
            cut(value_text, numbers)
        )
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

/// Draws a stacked bar for each place, beside the number of the first series (see the heading).
fn stacks(chart: &Chart, scale: &Scale, panel: &Panel, look: &Look) -> String {
    let first = |place: usize| panel.series.first().and_then(|series| series.value(place));
    let value_text = |place: usize| {
        first(place).map_or("-".to_string(), |value| written(chart.unit, value.value))
    };
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let places = 0..panel.places.len();
    let names =
        longest(&mut panel.places.iter().map(|name| name.chars().count())).min(look.width / 3);
    let numbers = longest(&mut places.clone().map(|place| value_text(place).chars().count()));
    let room = look.width - names - numbers - 3;
    let line = |place: usize| {
        let mut bar = String::new();
        let (mut sum, mut drawn) = (0.0, 0);
        for (number, series) in panel.series.iter().enumerate() {
            let Some(value) = series.value(place) else { continue };
            sum += value.value.max(0.0);
            let end = (scale.share(sum) * room as f64).round() as usize;
            bar += &part(number, end.saturating_sub(drawn), look);
            drawn = drawn.max(end);
        }
        let rest = " ".repeat(room - drawn.min(room));
        format!(
            "{:<names$}  {bar}{rest} {:>numbers$}\n",
            cut(&panel.places[place], names),
            value_text(place)
        )
    };
    let of = panel.series.first().map_or("", |series| &series.name);
    let heading =
        format!("{:>wide$}\n", cut(of, look.width - 1), wide = names + room + numbers + 3);
    heading + &places.map(line).collect::<String>()
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

fn legend(chart: &Chart, look: &Look) -> String {
    let series = chart.panels.first().map_or(&[][..], |panel| &panel.series);
    let (mut text, mut length) = (String::new(), 0);
    for (number, series) in series.iter().enumerate() {
        let name = cut(&series.name, look.width - 4);
        let wide = name.chars().count() + 2;
        if length > 0 && length + 2 + wide > look.width {
            text.push('\n');
            length = 0;
        }
        if length > 0 {
            text += "  ";
            length += 2;
        }
        text += &format!("{} {name}", part(number, 1, look));
        length += wide;
    }
    if text.is_empty() { text } else { text + "\n" }
}
