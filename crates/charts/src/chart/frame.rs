//! A whole chart as SVG or in characters, and its description for screen readers.

use super::data::{Panel, Series, Value};
use super::ink::{MOST_FILLS, style};
use super::kind::{Area, Chart, ChartKind, Look, Page};
use super::page::{colour_scale, fill_names};
use super::text::{Type, cut, sentences};
use super::{bars, board, difference, grid, lines};
use crate::svg::canvas::{Canvas, escape, mixed, point};
use crate::svg::routes::ramp;

/// Free space around the chart, in pixels.
const MARGIN: f64 = 16.0;
/// Smallest width of a chart, in pixels.
const LEAST_WIDTH: f64 = 280.0;
/// Smallest width of panels that stand side by side, in pixels.
const LEAST_BESIDE: f64 = 340.0;
const GAP: f64 = 24.0;

/// Draws a chart as an SVG document, `width` pixels wide and as high as it needs. Equal charts give
/// equal bytes.
pub fn draw(chart: &Chart, width: f64) -> String {
    let chart = &folded(chart);
    let summary = finding(chart);
    let id = format!("chart-{:08x}", mixed(&format!("{chart:?}{width}")));
    let on_map = chart.kind == ChartKind::Map;
    let least = if on_map { board::least_width(chart) } else { 0.0 };
    let width = width.max(LEAST_WIDTH).max(least + 2.0 * MARGIN);
    let page = Page { chart, scale: chart.scale(), id: &id, words: chart.choices() };

    let mut inside = Canvas::default();
    let inner = width - 2.0 * MARGIN;
    let y = heading(&mut inside, chart, inner);
    let mut y = legend(&mut inside, &page, Area { x: MARGIN, y, width: inner });
    // Maps stand one below the other.
    let most = if on_map { 1 } else { ((inner + GAP) / (LEAST_BESIDE + GAP)) as usize };
    let columns = most.min(chart.panels.len()).max(1);
    let wide = (inner + GAP) / columns as f64 - GAP;
    for row in chart.panels.chunks(columns) {
        let bottoms = row.iter().zip(0..).map(|(panel, column)| {
            let x = MARGIN + f64::from(column) * (wide + GAP);
            draw_panel(&mut inside, &page, panel, Area { x, y, width: wide })
        });
        y = bottoms.fold(y, f64::max) + GAP;
    }
    if chart.values().next().is_none() {
        let at = point(width / 2.0, y + 24.0);
        inside.words("note middle", at, "nothing to show");
        y += 64.0;
    }

    let high = y - GAP + MARGIN;
    let mut svg = Canvas::default();
    svg.add(format_args!(
        "<svg xmlns='http://www.w3.org/2000/svg' id='{id}' width='{width:.0}' height='{high:.0}' \
            viewBox='0 0 {width:.0} {high:.0}' role='img' aria-label='{}'>",
        escape(&label(chart))
    ));
    svg.add(format_args!(
        "<title>{}</title>\n<desc>{}</desc>",
        escape(&chart.title),
        escape(&summary)
    ));
    svg.add(format_args!("<style>{}</style>", style(&id)));
    svg.add(format_args!(
        "<defs><pattern id='{id}-hatch' width='7' height='7' patternUnits='userSpaceOnUse' \
            patternTransform='rotate(45)'>\
         <path class='hatch' d='M0,3.5 H7' stroke-width='2.4'/></pattern></defs>"
    ));
    if on_map {
        board::define(&mut svg, chart, &id);
    }
    svg.add(format_args!("<rect class='page' width='{width:.0}' height='{high:.0}'/>"));
    svg.add(format_args!("{}</svg>", inside.text));
    svg.text
}

/// Describes a chart and its main numbers in words, for screen readers.
pub fn label(chart: &Chart) -> String {
    format!("{}. {}", chart.title, finding(&folded(chart)))
}

/// Draws the title and the note, and returns the y coordinate below them.
fn heading(canvas: &mut Canvas, chart: &Chart, inner: f64) -> f64 {
    let mut y = MARGIN;
    for (style, text, most) in [(Type::TITLE, &chart.title, 3), (Type::NOTE, &chart.note, 4)] {
        for line in style.wrapped(text, inner, most) {
            y += 1.25 * style.size;
            canvas.words(&format!("{} start", style.name), point(MARGIN, y), &line);
        }
        y += 3.0;
    }
    y + 10.0
}

/// Draws a panel with its name, and returns the y coordinate of its lower edge.
fn draw_panel(canvas: &mut Canvas, page: &Page, panel: &Panel, mut area: Area) -> f64 {
    if !panel.name.is_empty() {
        let shown = Type::HEAD.fitted(&panel.name, area.width);
        canvas.words("head start", point(area.x, area.y + 12.0), &shown);
        area.y += 24.0;
    }
    match panel.series.iter().all(|series| series.all().next().is_none()) {
        true => area.y,
        false => match page.chart.kind {
            ChartKind::Bars => bars::draw(canvas, page, panel, area),
            ChartKind::Curve | ChartKind::Steps => lines::draw(canvas, page, panel, area),
            ChartKind::Heat | ChartKind::Choices => grid::draw(canvas, page, panel, area),
            ChartKind::Map => board::draw(canvas, page, panel, area),
            ChartKind::Difference => difference::draw(canvas, page, panel, area),
        },
    }
}

/// Draws the legend of the colours, and returns the y coordinate below it.
fn legend(canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
    let words = || page.words.iter().enumerate();
    match page.chart.kind {
        ChartKind::Bars => {
            let series = page.chart.panels.first().map_or(&[][..], |panel| &panel.series);
            let names = series.iter().map(|series| series.name.as_str()).enumerate();
            if series.len() > 1 { fill_names(canvas, page, area, names, None) } else { area.y }
        }
        ChartKind::Heat => {
            let fill =
                |share: f64| format!("class='ramp' fill-opacity='{:.3}'", grid::depth(share));
            colour_scale(canvas, page, area, (5, 18.0, 18.0), fill)
        }
        // Opaque steps overlap a little, so that the page does not show between them.
        ChartKind::Map if page.words.is_empty() => {
            let fill = |share: f64| format!("fill='{}'", ramp(share));
            colour_scale(canvas, page, area, (24, 6.0, 6.5), fill)
        }
        ChartKind::Map => {
            let names = words().map(|(choice, word)| (board::fill_of(choice), *word));
            fill_names(canvas, page, area, names, None)
        }
        ChartKind::Choices if !page.words.is_empty() => {
            let names = words().map(|(choice, word)| (grid::fill_of(choice), *word));
            fill_names(canvas, page, area, names, Some(grid::DEEPEST))
        }
        _ => area.y,
    }
}

/// Returns the main numbers of a chart in words.
fn finding(chart: &Chart) -> String {
    let panel = |panel: &Panel| {
        let has_choices = chart.values().any(|value| value.word.is_some());
        let sentence = match chart.kind {
            ChartKind::Bars => bars::finding(chart, panel),
            ChartKind::Curve | ChartKind::Steps => lines::finding(chart, panel),
            ChartKind::Heat => grid::finding(chart, panel),
            ChartKind::Choices => choices(chart, panel, "cells"),
            ChartKind::Map if has_choices => choices(chart, panel, "hexes"),
            ChartKind::Map => board::finding(chart, panel),
            ChartKind::Difference => difference::finding(chart, panel),
        };
        match (panel.name.is_empty(), sentence.is_empty()) {
            (_, true) => None,
            (true, false) => Some(sentence),
            (false, false) => Some(format!("{}: {sentence}", panel.name)),
        }
    };
    let findings: Vec<String> = chart.panels.iter().filter_map(panel).collect();
    if findings.is_empty() { "Nothing to show.".to_string() } else { findings.join(" ") }
}

/// Returns in words for how many places each choice is best. `places` is the word for them.
fn choices(chart: &Chart, panel: &Panel, places: &str) -> String {
    let values = || panel.all().map(|(.., value)| value);
    let all = values().count();
    let one = |word: &str| {
        let of_word = || values().filter(|value| value.word.as_deref() == Some(word));
        let widest = of_word().map(|value| value.value).reduce(f64::max)?;
        let (times, margin) = (of_word().count(), chart.unit.signed(widest));
        Some(format!("{word} is best in {times} of {all} {places}, by {margin} at most"))
    };
    sentences(chart.choices().into_iter().filter_map(one))
}

/// Draws a chart in characters: a map as a map, and any other chart as bars. Stacked series share
/// one bar for each place. Lines have at most [`Look::width`] characters, or 40 if that is less.
pub fn plot(chart: &Chart, look: &Look) -> String {
    let look = &Look { width: look.width.max(40), ..*look };
    let is_stacked = chart.is_stacked();
    let panel = |panel: &Panel| {
        let name = match panel.name.as_str() {
            "" => String::new(),
            name => format!("{}:\n", cut(name, look.width - 1)),
        };
        name + &match chart.kind {
            ChartKind::Map => board::plot(chart, panel, look),
            _ if is_stacked => bars::stacks(chart, panel, look),
            _ => bars::single(chart, panel, look),
        }
    };
    let panels = chart.panels.iter().map(panel).skip_while(String::is_empty);
    let mut text = panels.collect::<Vec<_>>().join("\n");
    if is_stacked {
        text += &bars::legend(chart, look);
    }
    if text.is_empty() { "nothing to show\n".to_string() } else { text }
}

/// Limits a chart of bars to as many series as there are fills; surplus series are summed.
fn folded(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    let longest = chart.panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0);
    if chart.kind != ChartKind::Bars || longest <= MOST_FILLS {
        return chart;
    }
    for panel in &mut chart.panels {
        let rest = panel.series.split_off((MOST_FILLS - 1).min(panel.series.len()));
        let sum = |place: usize| {
            let values = rest.iter().filter_map(|series| series.value(place));
            values.map(|value| value.value).reduce(|sum, value| sum + value).map(Value::from)
        };
        let values = (0..panel.places.len()).map(sum).collect();
        panel.series.push(Series { name: format!("{} others", rest.len()), values });
    }
    chart
}
