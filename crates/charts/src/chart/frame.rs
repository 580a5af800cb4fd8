//! A whole chart as SVG or in characters, and its description for screen readers.

use std::cmp::Ordering::Equal;
use std::collections::{BTreeMap, BTreeSet};

use schema::ChartClass;

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
/// Share of a bar below which rare series may be drawn as one.
const RARE: f64 = 0.02;

/// Draws a chart as an SVG document, `width` pixels wide and as high as it needs. Equal charts give
/// equal bytes.
pub fn draw(chart: &Chart, width: f64) -> String {
    let chart = &arranged(chart);
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
        escape(&title(chart)),
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
    format!("{}. {}", chart.title, finding(&arranged(chart)))
}

/// Returns the title with the largest number.
fn title(chart: &Chart) -> String {
    match largest(chart).as_str() {
        "" => chart.title.clone(),
        largest => format!("{}: {largest}", chart.title),
    }
}

/// Returns the largest number of a chart of classes in words; else an empty text.
fn largest(chart: &Chart) -> String {
    let kind = chart.kind.0;
    let mut numbers = Vec::new();
    for panel in chart.panels.iter().filter(|_| chart.has_classes()) {
        for series in &panel.series {
            let told = series.all().filter(|(place, _)| !kind.is_trivial(*place));
            numbers.extend(told.map(|(place, value)| (value.value, panel, place, &series.name)));
        }
    }
    let largest =
        numbers.into_iter().reduce(|one, other| if other.0 > one.0 { other } else { one });
    let Some((value, panel, place, name)) = largest else { return String::new() };
    let is_only = chart.panels.iter().map(|panel| panel.places.len()).sum::<usize>() == 1;
    let place = panel.places.get(place).filter(|_| !is_only);
    // A bare number gets the name of its field: `phase 6`.
    let is_bare = |place: &str| place.parse::<f64>().is_ok() && !chart.along.contains(' ');
    let place = place.map_or(String::new(), |place| match is_bare(place) {
        true => format!("{} {place}", chart.along).trim().to_string(),
        false => format!("{}{place}", kind.before()),
    });
    let at = [panel.name.as_str(), &place].into_iter().filter(|name| !name.is_empty());
    let at = at.collect::<Vec<_>>().join(", ");
    let at = if at.is_empty() { at } else { format!(" ({at})") };
    format!("{name} {}{at}", chart.unit.written(value))
}

/// Draws the title and the note, and returns the y coordinate below them.
fn heading(canvas: &mut Canvas, chart: &Chart, inner: f64) -> f64 {
    let mut y = MARGIN;
    let largest = largest(chart);
    let texts =
        [(Type::TITLE, &chart.title, 3), (Type::HEAD, &largest, 2), (Type::NOTE, &chart.note, 4)];
    for (style, text, most) in texts {
        for line in style.wrapped(text, inner, most) {
            y += 1.25 * style.size;
            canvas.words(&format!("{} start", style.name), point(MARGIN, y), &line);
        }
        y += if text.is_empty() { 0.0 } else { 3.0 };
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
    let chart = &arranged(chart);
    let text = chart.kind.0.text(chart, look).unwrap_or_else(|| single(chart, look, "", false));
    if text.is_empty() { "nothing to show\n".to_string() } else { text }
}

/// Returns the chart as it is drawn: classes by size, and the rarest of many series as one.
fn arranged(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    let mut rest = rare(&chart);
    if rest.len() < 2 {
        rest.clear();
    }
    let by_size = chart.has_classes();
    let sum = |series: &Series| series.all().map(|(_, value)| value.value).sum::<f64>();
    let mut sizes: BTreeMap<(Option<ChartClass>, &str), f64> = BTreeMap::new();
    let whole = chart.panels.clone();
    for series in whole.iter().flat_map(|panel| &panel.series) {
        *sizes.entry((series.class, "")).or_default() += sum(series);
        *sizes.entry((series.class, &series.name)).or_default() += sum(series);
    }
    for panel in &mut chart.panels {
        let (rare, mut named): (Vec<Series>, Vec<Series>) =
            panel.series.drain(..).partition(|series| rest.contains(&series.name));
        if by_size {
            let size =
                |series: &Series| ["", &series.name].map(|name| sizes[&(series.class, name)]);
            named.sort_by(|one, other| size(other).partial_cmp(&size(one)).unwrap_or(Equal));
        }
        let sum = |place: usize| {
            let values = rare.iter().filter_map(|series| series.value(place));
            values.map(|value| value.value).reduce(|sum, value| sum + value).map(Value::from)
        };
        if !rare.is_empty() {
            let values = (0..panel.places.len()).map(sum);
            let name = format!("{} others", rare.len());
            named.push(Series { is_rest: true, ..Series::new(name, values) });
        }
        panel.series = named;
    }
    chart
}

/// Returns the names of the rarest of many stacked series, which are less than [`RARE`] together.
fn rare(chart: &Chart) -> BTreeSet<String> {
    let longest = chart.panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0);
    if !chart.kind.0.is_stacked(chart) || longest <= MOST_FILLS {
        return BTreeSet::new();
    }
    // The shares of a series in the bars of all panels.
    let mut shares: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let bars: usize = chart.panels.iter().map(|panel| panel.places.len()).sum();
    let mut first = 0;
    for panel in &chart.panels {
        for place in 0..panel.places.len() {
            let size = |series: &Series| series.value(place).map_or(0.0, |value| value.value.abs());
            let whole: f64 = panel.series.iter().map(size).sum();
            for series in &panel.series {
                let all = shares.entry(&series.name).or_insert_with(|| vec![0.0; bars]);
                all[first + place] += if whole > 0.0 { size(series) / whole } else { 0.0 };
            }
        }
        first += panel.places.len();
    }
    let mut by_size: Vec<(&str, Vec<f64>)> = shares.into_iter().collect();
    let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max);
    by_size.sort_by(|(_, one), (_, other)| most(one).total_cmp(&most(other)));
    let mut sums = vec![0.0; bars];
    let fits = by_size.into_iter().take_while(|(_, shares)| {
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        most(&sums) < RARE
    });
    fits.map(|(name, _)| name.to_string()).collect()
}
