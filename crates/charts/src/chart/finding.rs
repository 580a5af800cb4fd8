//! The main numbers of a chart, in words.

use super::data::{Chart, ChartKind, Panel, Series, Value, signed, with_interval, written};

/// Largest number of series or places that are named singly.
const MAX_NAMED: usize = 6;

pub(super) fn finding(chart: &Chart) -> String {
    let panel = |panel: &Panel| {
        let sentence = of_panel(chart, panel);
        match (panel.name.is_empty(), sentence.is_empty()) {
            (_, true) => None,
            (true, false) => Some(sentence),
            (false, false) => Some(format!("{}: {sentence}", panel.name)),
        }
    };
    let findings: Vec<String> = chart.panels.iter().filter_map(panel).collect();
    if findings.is_empty() { "Nothing to show.".to_string() } else { findings.join(" ") }
}

/// Returns the highest and the lowest number of a map in words, with their hexes.
fn on_map(panel: &Panel, format_value: &dyn Fn(f64) -> String) -> String {
    let hexes: Vec<(&str, f64)> = panel
        .series
        .iter()
        .flat_map(Series::all)
        .filter_map(|(place, value)| Some((panel.places.get(place)?.as_str(), value.value)))
        .collect();
    let most = hexes.iter().map(|(_, value)| *value).reduce(f64::max);
    let least = hexes.iter().map(|(_, value)| *value).reduce(f64::min);
    let Some((most, least)) = most.zip(least) else { return String::new() };
    if format_value(most) == format_value(least) {
        return format!("{} everywhere.", format_value(most));
    }
    let end = |word: &str, end: f64| {
        let there: Vec<&str> = hexes
            .iter()
            .filter(|(_, value)| format_value(*value) == format_value(end))
            .map(|(hex, _)| *hex)
            .collect();
        let named = there[..there.len().min(MAX_NAMED)].join(", ");
        match there.len().saturating_sub(MAX_NAMED) {
            0 => format!("{word} {} at {named}", format_value(end)),
            more => format!("{word} {} at {named} and {more} others", format_value(end)),
        }
    };
    sentences([end("lowest", least), end("highest", most)].into_iter())
}

fn of_panel(chart: &Chart, panel: &Panel) -> String {
    let format_value = |value: f64| written(chart.unit, value);
    match chart.kind {
        ChartKind::Bars if panel.series.len() > 1 => {
            let one = |series: &Series| extremes(panel, series, &format_value);
            sentences(panel.series.iter().filter_map(one))
        }
        ChartKind::Bars => sentences(panel.series.iter().flat_map(|series| {
            series.all().map(|(place, value)| {
                format!("{} {}", panel.places[place], with_interval(value, format_value))
            })
        })),
        ChartKind::Curve | ChartKind::Steps => {
            sentences(panel.series.iter().filter_map(|series| {
                let ((first, from), (last, to)) = series.all().next().zip(series.all().last())?;
                let word = if chart.kind == ChartKind::Steps { "for" } else { "at" };
                let [start, end] =
                    [first, last].map(|place| chart.place_in_words(&panel.places[place]));
                Some(match first == last {
                    true => format!("{} {} {word} {end}", series.name, format_value(to.value)),
                    false => format!(
                        "{} from {} {word} {start} to {} {word} {end}",
                        series.name,
                        format_value(from.value),
                        format_value(to.value)
                    ),
                })
            }))
        }
        ChartKind::Map if chart.names_choices() => choices(chart, panel, "hexes"),
        ChartKind::Map => on_map(panel, &format_value),
        ChartKind::Heat => {
            let cells = || {
                panel.series.iter().flat_map(|series| {
                    series
                        .all()
                        .map(|(place, value)| (&panel.places[place], &series.name, value.value))
                })
            };
            let most = cells().max_by(|(.., one), (.., other)| one.total_cmp(other));
            let least = cells().min_by(|(.., one), (.., other)| one.total_cmp(other));
            let cell = |word: &str, (place, series, value): (&String, &String, f64)| {
                format!("{word} {} at {place}, {series}", format_value(value))
            };
            sentences(
                [most.map(|most| cell("highest", most)), least.map(|least| cell("lowest", least))]
                    .into_iter()
                    .flatten(),
            )
        }
        ChartKind::Choices => choices(chart, panel, "cells"),
        ChartKind::Difference => sentences(panel.series.iter().flat_map(|series| {
            series.all().map(|(place, value)| {
                let difference = with_interval(value, |value| signed(chart.unit, value));
                format!("{} {difference}{}", panel.places[place], clear(value))
            })
        })),
    }
}

/// Returns in words for how many places each choice is best. `places` is the word for them.
fn choices(chart: &Chart, panel: &Panel, places: &str) -> String {
    let values = || panel.series.iter().flat_map(Series::all).map(|(_, value)| value);
    let all = values().count();
    let one = |word: &str| {
        let of_word = || values().filter(|value| value.word.as_deref() == Some(word));
        let widest = of_word().map(|value| value.value).reduce(f64::max)?;
        let margin = signed(chart.unit, widest);
        let times = of_word().count();
        Some(format!("{word} is best in {times} of {all} {places}, by {margin} at most"))
    };
    sentences(chart.choices().into_iter().filter_map(one))
}

/// Returns in words the places where a series is highest and lowest; `None` without numbers.
fn extremes(
    panel: &Panel,
    series: &Series,
    format_value: &impl Fn(f64) -> String,
) -> Option<String> {
    let by_value = |(_, one): &(usize, &Value), (_, other): &(usize, &Value)| {
        one.value.total_cmp(&other.value)
    };
    let (most, high) = series.all().max_by(by_value)?;
    let (least, low) = series.all().min_by(by_value)?;
    let (high, low) = (format_value(high.value), format_value(low.value));
    Some(match high == low {
        true => format!("{} {high}", series.name),
        false => format!(
            "{} {low} ({}) to {high} ({})",
            series.name, panel.places[least], panel.places[most]
        ),
    })
}

/// Returns a remark if the interval of an estimate includes zero; else an empty text.
fn clear(value: &Value) -> &'static str {
    match value.interval {
        Some((low, high)) if low <= 0.0 && high >= 0.0 => ", not clear of its error",
        _ => "",
    }
}

/// Joins up to [`MAX_NAMED`] sentences, and counts the others.
fn sentences(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    let more = parts.len().saturating_sub(MAX_NAMED);
    let mut text = parts[..parts.len() - more].join("; ");
    if more > 0 {
        text += &format!("; and {more} more");
    }
    if text.is_empty() { text } else { text + "." }
}
