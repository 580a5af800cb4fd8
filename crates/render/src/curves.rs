//! Answers whose main figures are numbers of units at each report point: a table of their means,
//! and the distribution at the end.

use super::document::{Document, aligned, emphasized, paragraph};
use super::layout::{Digits, NUMBERS};
use super::screen::Screen;
use super::sentence;
use super::two_sides::of_place;
use answer::estimate::percent_to;
use answer::{Curve, CurveGoal, QuestionDetails, Row, Table};
use play::DynQuestion;

/// Largest number of columns of report points.
const POINTS: usize = 9;

/// Adds the parts of the first screen: the curves, the end, and the number that matters.
pub(super) fn screen(
    screen: &mut Screen,
    question: &dyn DynQuestion,
    table: &Table,
    digits: Digits,
) {
    let (facts, details) = (question.words().facts(), question.words().details());
    screen.add(0, curves(&details, facts.points.unwrap_or_default(), table));
    let ends = details.curves.iter().filter(|curve| curve.is_main);
    let several = details.curves.iter().filter(|curve| curve.is_main).count() > 1;
    for curve in ends {
        screen.join(if several { 2 } else { 0 }, paragraph(&at_the_end(curve, table, several)));
    }
    if facts.kind.sides != engine::process::Player::NAMES {
        screen.join(0, of_place(table, facts.points, NUMBERS, digits));
    }
    if let Some(goal) = &details.curve_goal {
        screen.join(0, emphasized(&sentence(&of_goal(goal, table, digits))));
    }
}

/// Renders a row for each curve and a column for each report point, or for the last ones.
fn curves(details: &QuestionDetails, points: &str, table: &Table) -> Document {
    let reports = details.curves.first().map_or(0, |curve| curve.quantities.len());
    let first = reports.saturating_sub(POINTS);
    let row = |curve: &Curve| {
        let cell = |quantity: &usize| {
            let mean = table.expected.get(*quantity).map_or(0.0, |one| one.mean.value);
            if curve.most == 1 { percent_to(mean, 0) } else { format!("{mean:.2}") }
        };
        let of = if curve.most > 1 { format!("of {}", curve.most) } else { String::new() };
        let cells = curve.quantities[first..].iter().map(cell);
        std::iter::once(curve.words.clone()).chain(cells).chain([of]).collect()
    };
    let heading = format!("after {points}");
    let numbers = (first + 1..=reports).map(|point| point.to_string());
    let headings = std::iter::once(heading).chain(numbers).chain([String::new()]);
    aligned(headings, details.curves.iter().map(row), &[false, true])
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

/// Returns the distribution of a number at the end: `3 in 26.6 %, 2 in 25.5 %`.
fn at_the_end(curve: &Curve, table: &Table, several: bool) -> String {
    let last = curve.quantities.len() as u16;
    let mut rows: Vec<(u8, &Row)> = rows_of(table, &curve.side, curve.status, last).collect();
    rows.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    let number = |(number, row): &(u8, &Row)| {
        let number = if *number == 0 { "none".to_string() } else { number.to_string() };
        format!("{number} {}", percent_to(row.figure.probability(), 1))
    };
    let numbers: Vec<String> = rows.iter().map(number).collect();
    let of = if several { format!(", {}", curve.side) } else { String::new() };
    let what = curve.status;
    format!("At the end{of}: {} {what}.", numbers.join(", "))
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
