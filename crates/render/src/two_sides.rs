//! Answers about the units of two sides in one place: the sides left there, and the fate of each
//! unit.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::document::{Document, aligned, emphasized, paragraph};
use super::layout::{Digits, NUMBERS, evenly_spaced};
use super::screen::Screen;
use super::units::{Alike, HERE, rows_of_place};
use super::{sentence, short_percent, sum};
use answer::{Row, Table};
use api::odds::{last_point, point, rows_at};
use play::DynQuestion;
use schema::Kind;
use schema::classes::LOST;

const UNCHANGED: &str = "unchanged";

/// The rank of what units are created, which gives way first.
const CREATED: u8 = 4;

/// Largest number of kinds of units in a table, and the most and fewest in one on a crowded screen.
const KINDS: usize = 8;
const FEW_KINDS: usize = 4;
const FEWEST_KINDS: usize = 3;

/// Adds the parts of the first screen: the arithmetic, the place, and the units of both sides. Of
/// the arithmetic there are as many sentences as fit into `room` lines, but the first at least.
pub(super) fn screen(
    screen: &mut Screen,
    question: &dyn DynQuestion,
    table: &Table,
    all: &[Alike],
    (digits, room): (Digits, usize),
) {
    let (facts, details) = (question.words().facts(), question.words().details());
    let summary = details.reckoned.map(|reckoned| reckoned.summary).unwrap_or_default();
    let place = of_place(table, facts.points, NUMBERS, digits);
    let fates = by_fate(question, table, all, (digits, KINDS));
    let shown = |number: usize| -> Document {
        summary[..number].iter().map(|sentence| paragraph(sentence)).collect()
    };
    let rest = screen.lines() + place.lines() + fates.lines();
    let fits = |text: &Document| rest + text.lines() <= room;
    let most = (1..=summary.len()).rev().map(shown).find(fits);
    let is_crowded = most.is_none();
    screen.join(0, most.unwrap_or_else(|| shown(summary.len().min(1))));
    let at_end = facts.points.filter(|_| is_crowded);
    let at_end = at_end.map(|points| of_place_at_end(table, points, digits));
    let left = room.saturating_sub(screen.lines() + at_end.as_ref().unwrap_or(&place).lines());
    screen.add_or(0, place, at_end);
    let few = |most: usize| by_fate(question, table, all, (digits, most));
    let fitting = || (FEWEST_KINDS..=FEW_KINDS).rev().map(few).find(|few| few.lines() <= left);
    let is_long = is_crowded && all.len() > FEWEST_KINDS;
    let short = is_long.then(|| fitting().unwrap_or_else(|| few(FEWEST_KINDS)));
    screen.join_or(0, fates, short);
    screen.join(CREATED, created(table, facts.units, digits));
}

/// Renders who is left in the place: in one line, or by report point, of which `most` are shown.
pub(super) fn of_place(
    table: &Table,
    points: Option<&str>,
    most: usize,
    digits: Digits,
) -> Document {
    let mut statuses: IndexMap<&'static str, Vec<&Row>> = IndexMap::new();
    for row in rows_of_place(table) {
        statuses.entry(row.label.status.unwrap_or_default()).or_default().push(row);
    }
    let place = rows_of_place(table).find_map(|row| row.label.place);
    let Some(place) = place else { return Document::default() };
    let Some(points) = points else { return in_one_line(place, rows_of_place(table), digits) };
    let at: BTreeSet<_> = rows_of_place(table).filter_map(|row| point(&row.label)).collect();
    let at: Vec<u16> = at.into_iter().collect();
    let at: Vec<u16> = evenly_spaced(at.len(), most).map(|place| at[place]).collect();
    let row = |(status, rows): (&&str, &Vec<&Row>)| {
        let cell = |at: &u16| {
            let here: Vec<&Row> =
                rows.iter().filter(|row| point(&row.label) == Some(*at)).copied().collect();
            sum(&here).map_or(digits.percent(0.0), |figure| short_percent(&figure, digits))
        };
        std::iter::once(status.to_string()).chain(at.iter().map(cell)).collect()
    };
    let shown: Vec<Vec<String>> = statuses.iter().map(row).collect();
    let tables = |across: usize| -> Document {
        let mut text = Document::default();
        for first in (0..at.len()).step_by(across) {
            let last = (first + across).min(at.len());
            let cells = |row: &Vec<String>| {
                let cells = std::iter::once(&row[0]).chain(&row[first + 1..=last]);
                cells.cloned().collect::<Vec<_>>()
            };
            let heading = std::iter::once(format!("{place} by {points}"));
            let headings = heading.chain(at.iter().skip(first).take(across).map(u16::to_string));
            text += aligned(headings, shown.iter().map(cells), &[false, true]);
        }
        text
    };
    (1..=at.len().min(8)).rev().map(tables).find(Document::fits).unwrap_or_else(|| tables(1))
}

/// Renders who is left in the place at the last report point, in one line.
fn of_place_at_end(table: &Table, points: &str, digits: Digits) -> Document {
    let last = last_point(table);
    let rows = || rows_of_place(table).filter(|row| point(&row.label) == last);
    let Some((place, last)) = rows().find_map(|row| row.label.place).zip(last) else {
        return Document::default();
    };
    in_one_line(&format!("{place} after {points} {last}"), rows(), digits)
}

fn in_one_line<'a>(place: &str, rows: impl Iterator<Item = &'a Row>, digits: Digits) -> Document {
    let mut statuses: IndexMap<&'static str, Vec<&Row>> = IndexMap::new();
    for row in rows {
        statuses.entry(row.label.status.unwrap_or_default()).or_default().push(row);
    }
    let status = |(status, rows): (&&str, &Vec<&Row>)| {
        let figure = sum(rows).map(|figure| short_percent(&figure, digits));
        format!("{status} {}", figure.unwrap_or_default())
    };
    let all: Vec<String> = statuses.iter().map(status).collect();
    emphasized(&format!("{place}: {}.", all.join(", ")))
}

/// Returns what became of a unit in one word: lost how, away, changed how, or unchanged.
fn fate(question: &dyn DynQuestion, kind: &Kind, row: &Row) -> &'static str {
    let label = &row.label;
    let status = label.status.unwrap_or_default();
    let is_lost = kind.class_of(status).is_some_and(|class| kind.classes[class].name == LOST);
    match label.place.filter(|place| *place != HERE) {
        _ if is_lost => status,
        Some(away) => away,
        None => question.words().change(label).unwrap_or(UNCHANGED),
    }
}

/// Renders a row for each kind of unit, up to `most` rows, and a column for each fate that is met.
fn by_fate(
    question: &dyn DynQuestion,
    table: &Table,
    all: &[Alike],
    (digits, most): (Digits, usize),
) -> Document {
    if all.is_empty() {
        return Document::default();
    }
    let facts = question.words().facts();
    let last = last_point(table);
    let fates = |units: &Alike| {
        let mut fates: IndexMap<&'static str, Vec<&Row>> = IndexMap::new();
        for row in rows_at(table, units.slots[0], last) {
            fates.entry(fate(question, facts.kind, row)).or_default().push(row);
        }
        fates
    };
    let found: Vec<_> = all.iter().map(fates).collect();
    let mut met: BTreeSet<&'static str> =
        found.iter().flat_map(|fates| fates.keys().copied()).collect();
    met.remove(UNCHANGED);
    let lost = |fate: &&'static str| {
        facts.kind.class_of(fate).is_some_and(|class| facts.kind.classes[class].name == LOST)
    };
    let (last_ones, first_ones): (Vec<_>, Vec<_>) = met.into_iter().partition(lost);
    let columns: Vec<&str> =
        std::iter::once(UNCHANGED).chain(first_ones).chain(last_ones).collect();
    let row = |(units, fates): (&Alike, &IndexMap<&'static str, Vec<&Row>>)| {
        let cell = |fate: &&str| {
            let figure = fates.get(fate).and_then(|rows| sum(rows));
            figure.map_or(digits.percent(0.0), |figure| short_percent(&figure, digits))
        };
        std::iter::once(units.called(all)).chain(columns.iter().map(cell)).collect::<Vec<_>>()
    };
    let headings = std::iter::once("").chain(columns.iter().copied());
    let shown = if all.len() > most { most - 1 } else { all.len() };
    let text = aligned(headings, all[..shown].iter().zip(&found).map(row), &[false, true]);
    match all.len() - shown {
        0 => text,
        further => text + format!("and {further} further kinds of units"),
    }
}

/// Renders the chance that a unit has been created on each side.
fn created(table: &Table, units: u8, digits: Digits) -> Document {
    let last = last_point(table);
    let mut sides: IndexMap<&str, Vec<&Row>> = IndexMap::new();
    for row in &table.rows {
        let (Some(side), Some(slot)) = (row.label.side.as_deref(), row.label.slot) else {
            continue;
        };
        let firsts = table.rows.iter().filter(|other| {
            other.label.side.as_deref() == Some(side)
                && other.label.slot.is_some_and(|slot| slot > units)
        });
        let first = firsts.filter_map(|other| other.label.slot).min();
        if slot > units && Some(slot) == first && point(&row.label) == last {
            sides.entry(side).or_default().push(row);
        }
    }
    let side = |(side, rows): (&&str, &Vec<&Row>)| {
        let figure = sum(rows).map(|figure| short_percent(&figure, digits));
        format!("{side} {}", figure.unwrap_or_default())
    };
    let all: Vec<String> = sides.iter().map(side).collect();
    if all.is_empty() {
        return Document::default();
    }
    paragraph(&sentence(&format!("a unit is created: {}.", all.join(", "))))
}
