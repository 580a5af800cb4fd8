//! Charts of two fields, with a cell (a rectangle) for each pair of values. In a heat map a higher
//! number has a deeper colour. In a map of choices, lines separate cells whose best choices differ.

use super::data::{Panel, Unit, Value};
use super::ink::{Paint, on_ramp};
use super::kind::{Area, Axes, Chart, Kind, Page, SweptFields};
use super::page::{
    Frame, axis_name, boxed, choices, colour_scale, filled, in_words, names_below, names_room,
    paint_names, row_name, side_name,
};
use super::text::{MAX_NAMED, Type, sentences};
use crate::svg::canvas::{Canvas, Point, point};

/// Heights of a cell, in pixels: with one line of text, and with two.
const CELL: f64 = 28.0;
const CHOICE: f64 = 42.0;
const MOST_WIDE: f64 = 130.0;
/// Depth (0 to 1) of the colour of the lowest number; it keeps the cell visible.
const SHALLOW: f64 = 0.06;
/// Largest depth of the colour of a choice; up to it a text has the page's text colour.
const DEEPEST: f64 = 0.4;
/// Depth of the colour of a choice that is no better than the next.
const FAINTEST: f64 = 0.12;

/// A rectangle for each place and series.
#[derive(Debug)]
pub(super) enum Cells {
    /// Rectangles that are darker for higher numbers.
    Heat,
    /// Rectangles with the best choice there and its margin.
    Choices,
}

impl Kind for Cells {
    fn name(&self) -> &'static str {
        if matches!(self, Cells::Heat) { "heat" } else { "choices" }
    }

    fn axes(&self, swept: &SweptFields) -> Option<Axes> {
        let SweptFields { along, across, is_choice, .. } = *swept;
        let most_places = match self {
            Cells::Heat if !is_choice && across.is_some() => usize::MAX,
            Cells::Choices if is_choice => 200,
            _ => return None,
        };
        Some(Axes { rank: 1, along, across, on_map: false, most_places })
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let is_choice = matches!(self, Cells::Choices);
        let names = names_room(panel.series.iter().map(|series| &series.name), area.width);
        let (columns, rows) = (panel.places.len(), panel.series.len());
        let area = side_name(canvas, &page.chart.across, area);
        let (y, left) = (area.y, area.x + names);
        let wide = ((area.x + area.width - left) / columns as f64).min(MOST_WIDE);
        let high = if is_choice { CHOICE } else { CELL };
        let fits =
            |value: &Value| Type::FIGURE.room(&page.chart.unit.signed(value.value)) + 4.0 <= wide;
        let in_full = if page.chart.values().all(fits) { Unit::signed } else { Unit::short };
        let corner =
            |row: usize, column: usize| point(left + wide * column as f64, y + high * row as f64);

        for (row, series) in panel.series.iter().enumerate() {
            let middle = corner(row, 0).y + high / 2.0 + 4.5;
            row_name(canvas, &series.name, point(left, middle), names);
            for (column, value) in series.all() {
                let frame = (corner(row, column), point(wide, high));
                let words = in_words(page, &panel.places[column], &series.name, value);
                let margin = || in_full(page.chart.unit, value.value);
                match is_choice {
                    true => draw_choice(canvas, page, frame, (&words, &margin()), value),
                    false => draw_heat(canvas, page, frame, &words, value.value),
                }
            }
        }
        if is_choice {
            canvas.path("flip", &flips(panel, &corner));
        }
        let (right, bottom) = (left + wide * columns as f64, y + high * rows as f64);
        let middle = |column: usize| left + wide * (column as f64 + 0.5);
        names_below(canvas, &panel.places, middle, bottom + 18.0, (area.x, area.x + area.width));
        let names = (left, right.max(left + 120.0).min(area.x + area.width));
        axis_name(canvas, &page.chart.along, names, bottom + 40.0)
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        type Cell<'a> = (&'a str, &'a str, &'a Value);
        if matches!(self, Cells::Choices) {
            return choices(chart, panel, "cells");
        }
        let by_value = |(.., one): &Cell, (.., other): &Cell| one.value.total_cmp(&other.value);
        let cell = |word: &str, cell: Option<Cell>| {
            let (place, series, value) = cell?;
            Some(format!("{word} {} at {place}, {series}", chart.unit.written(value.value)))
        };
        let highest = cell("highest", panel.all().max_by(by_value));
        let lowest = cell("lowest", panel.all().min_by(by_value));
        sentences([highest, lowest].into_iter().flatten(), MAX_NAMED)
    }

    fn legend(&self, canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
        let fill = |share: f64| format!("class='ramp' fill-opacity='{:.3}'", depth(share));
        match self {
            Cells::Heat => colour_scale(canvas, page, area, (5, 18.0, 18.0), fill),
            Cells::Choices => {
                let words = page.words.iter().enumerate();
                let names: Vec<(&str, Paint)> =
                    words.map(|(number, word)| (*word, Paint::plain(number))).collect();
                paint_names(canvas, page, area, &names, Some(DEEPEST))
            }
        }
    }
}

/// Returns the depth of a heat map's colour at a share (0 to 1) of its scale.
fn depth(share: f64) -> f64 {
    SHALLOW + (1.0 - SHALLOW) * share
}

fn draw_heat(canvas: &mut Canvas, page: &Page, (at, size): Frame, words: &str, value: f64) {
    let depth = depth(page.chart.share(value, 0.0));
    boxed(canvas, "ramp", (at, size), Some(depth), words);
    let shown = page.chart.unit.short(value);
    if Type::FIGURE.room(&shown) + 4.0 <= size.x {
        let class = format!("figure middle on-ramp {}", on_ramp(depth));
        let at = point(at.x + size.x / 2.0, at.y + size.y / 2.0 + 4.2);
        canvas.words(class.trim_end(), at, &shown);
    }
}

fn draw_choice(
    canvas: &mut Canvas,
    page: &Page,
    (at, size): Frame,
    (words, margin): (&str, &str),
    value: &Value,
) {
    let word = value.word.as_deref().unwrap_or_default();
    let number = page.words.iter().position(|known| *known == word).unwrap_or(0);
    let widest = page.chart.values().map(|value| value.value.abs()).fold(0.0, f64::max);
    let share = if widest > 0.0 { value.value.abs() / widest } else { 0.0 };
    let depth = FAINTEST + (DEEPEST - FAINTEST) * share;
    filled(canvas, page, Paint::plain(number), (at, size), Some(depth), words);
    let fits = |text: &str| Type::FIGURE.room(text) + 4.0 <= size.x;
    let middle = point(at.x + size.x / 2.0, at.y + size.y / 2.0);
    let mut line = |text: &str, down: f64| {
        canvas.words("figure middle ink", point(middle.x, middle.y + down), text);
    };
    match (fits(word), fits(margin)) {
        (true, true) => {
            line(word, -4.0);
            line(margin, 12.0);
        }
        (true, false) => line(word, 4.2),
        (false, true) => line(margin, 4.2),
        (false, false) => {}
    }
}

/// Returns the path of the lines between adjacent cells whose best choices differ.
fn flips(panel: &Panel, corner: &impl Fn(usize, usize) -> Point) -> String {
    let word = |row: usize, column: usize| panel.series.get(row)?.value(column)?.word.as_deref();
    let differ =
        |one: Option<&str>, other: Option<&str>| one.zip(other).is_some_and(|(a, b)| a != b);
    let mut path = String::new();
    for row in 0..panel.series.len() {
        for column in 0..panel.places.len() {
            let here = word(row, column);
            let at = corner(row, column);
            if column > 0 && differ(word(row, column - 1), here) {
                path += &format!("M{:.2},{:.2} V{:.2} ", at.x, at.y, corner(row + 1, column).y);
            }
            if row > 0 && differ(word(row - 1, column), here) {
                path += &format!("M{:.2},{:.2} H{:.2} ", at.x, at.y, corner(row, column + 1).x);
            }
        }
    }
    path
}
