//! A whole chart: title, legend, panels side by side, and a description for screen readers.

use super::data::{Chart, ChartKind, Panel, Series, Value, written};
use super::finding::finding;
use super::ink::{MOST_FILLS, style};
use super::page::{Anchor, Area, Page, filled, write};
use super::scale::Scale;
use super::text::Type;
use super::{bars, board, difference, grid, lines};
use crate::svg::canvas::{Canvas, escape, mixed, point};
use crate::svg::routes::ramp as colour;

/// Free space around the chart, in pixels.
const MARGIN: f64 = 16.0;
/// Smallest width of panels that stand side by side, in pixels.
const LEAST_PANEL: f64 = 340.0;
/// Smallest width of a chart, in pixels.
const LEAST_WIDTH: f64 = 280.0;
const GAP: f64 = 24.0;
const LEGEND: f64 = 22.0;

/// Draws a chart as an SVG document, `width` pixels wide and as high as it needs. Equal charts give
/// equal bytes.
pub fn draw(chart: &Chart, width: f64) -> String {
    let chart = &folded(chart);
    let summary = finding(chart);
    let id = format!("chart-{:08x}", mixed(&format!("{chart:?}{width}")));
    let width = width.max(LEAST_WIDTH).max(board::least_width(chart) + 2.0 * MARGIN);
    let page = Page { chart, scale: Scale::from_chart(chart), id: &id, words: chart.choices() };

    let mut inside = Canvas::default();
    let inner = width - 2.0 * MARGIN;
    let mut y = heading(&mut inside, chart, inner);
    y = legend(&mut inside, &page, inner, y);
    let columns = match chart.panels.len() {
        0 | 1 => 1,
        _ if chart.kind == ChartKind::Map => 1,
        panels => ((inner + GAP) / (LEAST_PANEL + GAP)).floor().clamp(1.0, panels as f64) as usize,
    };
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
        write(&mut inside, (Type::Note, Anchor::Middle, ""), at, "nothing to show");
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
    board::define(&mut svg, chart, &id);
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
    for (style, text, most) in [(Type::Title, &chart.title, 3), (Type::Note, &chart.note, 4)] {
        for line in style.wrapped(text, inner, most) {
            y += 1.25 * style.size();
            write(canvas, (style, Anchor::Start, ""), point(MARGIN, y), &line);
        }
        y += 3.0;
    }
    y + 10.0
}

/// Draws the legend of the colours, if there are several, and returns the y coordinate below it.
fn legend(canvas: &mut Canvas, page: &Page, inner: f64, top: f64) -> f64 {
    let series = page.chart.panels.first().map_or(&[][..], |panel| &panel.series);
    let names: Vec<&str> = match page.chart.kind {
        ChartKind::Bars if series.len() > 1 => {
            series.iter().map(|series| series.name.as_str()).collect()
        }
        ChartKind::Choices | ChartKind::Map if !page.words.is_empty() => page.words.clone(),
        ChartKind::Heat | ChartKind::Map => return ramp(canvas, page, top),
        _ => return top,
    };
    let (mut x, mut y) = (MARGIN, top);
    for (number, name) in names.into_iter().enumerate() {
        let shown = Type::Label.fitted(name, inner - 24.0);
        let wide = 20.0 + Type::Label.room(&shown);
        if x > MARGIN && x + wide > MARGIN + inner {
            (x, y) = (MARGIN, y + LEGEND);
        }
        let box_of = (point(x, y), point(14.0, 14.0));
        match page.chart.kind {
            ChartKind::Choices => {
                filled(canvas, page, grid::fill_of(number), box_of, Some(grid::DEEPEST), "");
            }
            ChartKind::Map => filled(canvas, page, board::fill_of(number), box_of, None, ""),
            _ => filled(canvas, page, number, box_of, None, ""),
        }
        write(canvas, (Type::Label, Anchor::Start, ""), point(x + 20.0, y + 11.5), &shown);
        x += wide + 14.0;
    }
    y + LEGEND + 8.0
}

/// Draws the colour scale from the lowest number to the highest; returns the y coordinate below.
fn ramp(canvas: &mut Canvas, page: &Page, top: f64) -> f64 {
    let Some((low, high)) = page.chart.ends() else { return top };
    let [low, high] = [low, high].map(|end| written(page.chart.unit, end));
    write(canvas, (Type::Label, Anchor::Start, ""), point(MARGIN, top + 11.5), &low);
    let mut x = MARGIN + Type::Label.room(&low) + 4.0;
    let is_map = page.chart.kind == ChartKind::Map;
    let (steps, wide) = if is_map { (24, 6.0) } else { (5, 18.0) };
    for step in 0..steps {
        let share = f64::from(step) / f64::from(steps - 1);
        let fill = match is_map {
            true => format!("fill='{}'", colour(share)),
            false => format!("class='ramp' fill-opacity='{:.3}'", grid::depth(share)),
        };
        // Opaque steps overlap a little, so that the page does not show between them.
        let covers = if is_map { wide + 0.5 } else { wide };
        let place = format!("x='{x:.1}' y='{top:.1}' width='{covers}' height='14'");
        canvas.add(format_args!("<rect {fill} {place}/>"));
        x += wide;
    }
    write(canvas, (Type::Label, Anchor::Start, ""), point(x + 6.0, top + 11.5), &high);
    top + LEGEND + 8.0
}

/// Draws a panel with its name, and returns the y coordinate of its lower edge.
fn draw_panel(canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
    let mut area = area;
    if !panel.name.is_empty() {
        let shown = Type::Head.fitted(&panel.name, area.width);
        write(canvas, (Type::Head, Anchor::Start, ""), point(area.x, area.y + 12.0), &shown);
        area.y += 24.0;
    }
    if panel.series.iter().all(|series| series.all().next().is_none()) {
        return area.y;
    }
    match page.chart.kind {
        ChartKind::Bars => bars::draw(canvas, page, panel, area),
        ChartKind::Curve | ChartKind::Steps => lines::draw(canvas, page, panel, area),
        ChartKind::Heat | ChartKind::Choices => grid::draw(canvas, page, panel, area),
        ChartKind::Map => board::draw(canvas, page, panel, area),
        ChartKind::Difference => difference::draw(canvas, page, panel, area),
    }
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
