//! A whole chart as SVG or in characters, and its description for screen readers.

use super::bars::single;
use super::data::{Panel, Series, Value};
use super::ink::{MOST_FILLS, style};
use super::kind::{Area, Chart, Look, Page};
use super::text::Type;
use crate::svg::canvas::{Canvas, escape, mixed, point};

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
    let kind = chart.kind.0;
    let row_width = kind.row_width(chart);
    let width = width.max(LEAST_WIDTH).max(row_width.unwrap_or(0.0) + 2.0 * MARGIN);
    let page = Page { chart, scale: chart.scale(), id: &id, words: chart.choices() };

    let mut inside = Canvas::default();
    let inner = width - 2.0 * MARGIN;
    let y = heading(&mut inside, chart, inner);
    let mut y = kind.legend(&mut inside, &page, Area { x: MARGIN, y, width: inner });
    let beside = ((inner + GAP) / (LEAST_BESIDE + GAP)) as usize;
    let columns = row_width.map_or(beside, |_| 1).min(chart.panels.len()).max(1);
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
    kind.define(&mut svg, chart, &id);
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
        false => page.chart.kind.0.draw(canvas, page, panel, area),
    }
}

/// Returns the main numbers of a chart in words.
fn finding(chart: &Chart) -> String {
    let panel = |panel: &Panel| {
        let sentence = chart.kind.0.finding(chart, panel);
        let name = if panel.name.is_empty() { String::new() } else { panel.name.clone() + ": " };
        (!sentence.is_empty()).then(|| name + &sentence)
    };
    let findings: Vec<String> = chart.panels.iter().filter_map(panel).collect();
    if findings.is_empty() { "Nothing to show.".to_string() } else { findings.join(" ") }
}

/// Draws a chart in characters, with a bar for each number unless its kind has another drawing.
/// Lines have at most [`Look::width`] characters, or 40 if that is less.
pub fn plot(chart: &Chart, look: &Look) -> String {
    let look = &Look { width: look.width.max(40), ..*look };
    let text = chart.kind.0.text(chart, look).unwrap_or_else(|| single(chart, look, "", false));
    if text.is_empty() { "nothing to show\n".to_string() } else { text }
}

/// Limits a stacked chart to as many series as there are fills; surplus series are summed.
fn folded(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    let longest = chart.panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0);
    if !chart.kind.0.is_stacked(&chart) || longest <= MOST_FILLS {
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
