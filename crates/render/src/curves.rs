//! Answers whose main figures are numbers of units at each report point: a table of their means and
//! of who holds the place, and the distribution at the end.

use super::document::{Document, aligned, emphasized, paragraph};
use super::layout::Digits;
use super::screen::Screen;
use super::sentence;
use super::units::rows_of_place;
use answer::estimate::percent_to;
use answer::{Curve, CurveGoal, CurvePart, QuestionDetails, Row, Table};
use indexmap::IndexMap;
use play::DynQuestion;
use schema::ChartClass;

/// Largest number of columns of report points.
const POINTS: usize = 9;

/// What units out of Good Order are called at the end, with their parts in charts. The first two
/// are always shown.
const HARMED: [(&str, &[ChartClass]); 3] = [
    ("broken", &[ChartClass::Broken, ChartClass::Stopped]),
    ("lost", &[ChartClass::Lost]),
    ("berserk", &[ChartClass::Berserk]),
];
/// The smallest mean number that is not rounded to 0.
const LEAST: f64 = 0.005;

/// Adds the parts of the first screen: the curves with the place, the end, and the number that
/// matters. With several sides the shorter form has only the main curve of each. Returns
/// whether there are several.
pub(super) fn screen(
    screen: &mut Screen,
    question: &dyn DynQuestion,
    table: &Table,
    digits: Digits,
) -> bool {
    let (facts, details) = (question.words().facts(), question.words().details());
    let points = facts.points.unwrap_or_default();
    let main: Vec<&Curve> = details.curves.iter().filter(|curve| curve.is_main).collect();
    let several = main.len() > 1;
    let place = if several { places(table) } else { IndexMap::new() };
    let short = several.then(|| curves(&main, &place, points, table));
    let all: Vec<&Curve> = details.curves.iter().collect();
    screen.add_or(0, curves(&all, &place, points, table), short);
    for curve in main {
        let of = if several { format!(", {}", curve.side) } else { String::new() };
        let harmed = harmed(&details, &curve.side, table);
        let whole = format!("At the end{of}: {}; {harmed}.", numbers_at_end(curve, table));
        let short = paragraph(&format!("At the end{of}: {harmed}."));
        screen.join_or(0, paragraph(&whole), Some(short));
    }
    if let Some(goal) = &details.curve_goal {
        screen.join(0, emphasized(&sentence(&of_goal(goal, table, digits))));
    }
    several
}

/// Returns the rows about the place, by what is said of it, in the order of the last report.
fn places(table: &Table) -> IndexMap<String, Vec<&Row>> {
    let mut all: IndexMap<String, Vec<&Row>> = IndexMap::new();
    let mut rows: Vec<&Row> = rows_of_place(table).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.label.phase));
    for row in rows {
        let (place, status) = (row.label.place.unwrap_or_default(), row.label.status);
        all.entry(format!("{place}: {}", status.unwrap_or_default())).or_default().push(row);
    }
    all
}

/// Renders a row for each curve and each thing said of the place, with a column for each report
/// point, or for as many of the last ones as fit.
fn curves(
    shown: &[&Curve],
    places: &IndexMap<String, Vec<&Row>>,
    points: &str,
    table: &Table,
) -> Document {
    let reports = shown.first().map_or(0, |curve| curve.quantities.len());
    let last = |most: usize| {
        let at = reports.saturating_sub(most)..reports;
        let of_curve = |curve: &&Curve| {
            let cell = |quantity: &usize| {
                let mean = mean_of(table, *quantity);
                if curve.most == 1 { percent_to(mean, 0) } else { format!("{mean:.2}") }
            };
            let of = if curve.most > 1 { format!("of {}", curve.most) } else { String::new() };
            let cells = curve.quantities[at.clone()].iter().map(cell);
            let cells = std::iter::once(curve.words.clone()).chain(cells).chain([of]);
            (curve.is_main, cells.collect::<Vec<_>>())
        };
        let of_place = |(words, rows): (&String, &Vec<&Row>)| {
            let cell = |report: usize| {
                let here = rows.iter().filter(|row| row.label.phase == Some(report as u16 + 1));
                percent_to(here.fold(0.0, |sum, row| sum + row.figure.probability()), 0)
            };
            std::iter::once(words.clone()).chain(at.clone().map(cell)).collect()
        };
        let heading = format!("after {points}");
        let numbers = at.clone().map(|point| (point + 1).to_string());
        let headings = std::iter::once(heading).chain(numbers).chain([String::new()]);
        let mut rows: Vec<_> = shown.iter().map(of_curve).collect();
        // One row is enough while all units of a side are in front.
        rows.dedup_by(|(is_main, row), (_, before)| !*is_main && row[1..] == before[1..]);
        let rows = rows.into_iter().map(|(_, row)| row).chain(places.iter().map(of_place));
        aligned(headings, rows, &[false, true])
    };
    (2..=POINTS).rev().map(last).find(Document::fits).unwrap_or_else(|| last(1))
}

/// Returns a mean of a table by its 0-based position.
pub(super) fn mean_of(table: &Table, quantity: usize) -> f64 {
    table.expected.get(quantity).map_or(f64::NAN, |one| one.mean.value)
}

/// Returns the mean number of a part of the units at each report.
pub(super) fn means_of(part: &CurvePart, table: &Table) -> impl Iterator<Item = f64> {
    part.quantities.iter().map(|(all, less)| {
        let less = less.map_or(0.0, |less| mean_of(table, less));
        (mean_of(table, *all) - less).max(0.0)
    })
}

/// Returns the rows of a number of units at a report, each with the number.
pub(super) fn rows_of<'t>(
    table: &'t Table,
    side: &str,
    status: &str,
    point: u16,
) -> impl Iterator<Item = (u8, &'t Row)> {
    table.rows.iter().filter_map(move |row| {
        let label = &row.label;
        let is_meant = label.slot.is_none()
            && label.side.as_deref() == Some(side)
            && label.status == Some(status)
            && label.phase == Some(point);
        let number = label.counter.as_ref()?.parse().ok()?;
        is_meant.then_some((number, row))
    })
}

/// Returns the distribution of a number at the end: `3 26.6 %, 2 25.5 % MMC in Good Order`.
fn numbers_at_end(curve: &Curve, table: &Table) -> String {
    let last = curve.quantities.len() as u16;
    let mut rows: Vec<(u8, &Row)> = rows_of(table, &curve.side, curve.status, last).collect();
    rows.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    let number = |(number, row): &(u8, &Row)| {
        let number = if *number == 0 { "none".to_string() } else { number.to_string() };
        format!("{number} {}", percent_to(row.figure.probability(), 1))
    };
    let numbers: Vec<String> = rows.iter().map(number).collect();
    format!("{} {}", numbers.join(", "), curve.status)
}

/// Returns the mean numbers of units of a side out of Good Order at the end.
fn harmed(details: &QuestionDetails, side: &str, table: &Table) -> String {
    let number = |(place, (words, classes)): (usize, (&str, &[ChartClass]))| {
        let parts = details.parts.iter();
        let parts = parts.filter(|part| part.side == side && classes.contains(&part.class));
        let mean: f64 = parts.filter_map(|part| means_of(part, table).last()).sum();
        (place < 2 || mean >= LEAST).then(|| format!("{mean:.2} {words}"))
    };
    HARMED.into_iter().enumerate().filter_map(number).collect::<Vec<_>>().join(", ")
}

/// Returns the number that matters, with its error.
fn of_goal(goal: &CurveGoal, table: &Table, digits: Digits) -> String {
    let rows: Vec<(u8, &Row)> = rows_of(table, &goal.side, goal.status, goal.point).collect();
    let figure = match goal.at_least {
        Some(least) => {
            let fitting = rows.iter().filter(|(number, _)| *number >= least);
            let fitting: Vec<&Row> = fitting.map(|(_, row)| *row).collect();
            let figure = super::sum(&fitting);
            figure.map_or(digits.percent(0.0), |figure| digits.in_full(&figure))
        }
        None => {
            let mean: f64 = rows
                .iter()
                .map(|(number, row)| f64::from(*number) * row.figure.probability())
                .sum();
            format!("{mean:.2}")
        }
    };
    format!("{}: {figure}.", goal.words)
}
