//! Answers about units on a path: the attacks on the way, the fate of each unit, and where it ends.

use indexmap::IndexSet;

use super::document::{Block, Document, aligned, emphasized, paragraph};
use super::layout::Digits;
use super::screen::Screen;
use super::units::{Alike, alike};
use super::{short_percent, sum};
use answer::{QuestionFacts, Row, Table};
use api::odds::rows_at;
use engine::text::counted;
use play::DynQuestion;

/// Largest number of lines of attacks.
const ATTACKS: usize = 6;
/// Largest number of kinds of units with a sentence each.
const SENTENCES: usize = 3;
/// Largest number of columns of Locations.
const LOCATIONS: usize = 7;

/// The columns of the attacks.
const HEADINGS: [&str; 3] = ["into", "attack", "made"];

/// Adds the parts of the first screen: the attacks, the fate of each unit, where it ends, and what
/// becomes of the firers.
pub(super) fn screen(
    screen: &mut Screen,
    question: &dyn DynQuestion,
    table: &Table,
    all: &[Alike],
    digits: Digits,
) {
    let facts = question.words().facts();
    let reckoned = question.reckoned().unwrap_or_default();
    screen.add(1, attacks(&reckoned.rows, reckoned.headings.unwrap_or(HEADINGS)));
    let kinds = if all.len() > SENTENCES { &all[..SENTENCES - 1] } else { all };
    let sentences = kinds.iter().map(|units| sentence(&facts, table, units, all, digits));
    screen.add(0, sentences.map(|text| emphasized(&text)).collect());
    screen.add(3, by_location(&facts, table, all, digits));
    screen.join(2, reckoned.after.iter().map(|sentence| paragraph(sentence)).collect());
    screen.join(4, reckoned.spare.iter().map(|sentence| paragraph(sentence)).collect());
}

/// Returns the fate of all kinds of units, and where each ends.
pub(super) fn whole(facts: &QuestionFacts, table: &Table, digits: Digits) -> Document {
    let all = alike(facts, table, false);
    let sentence = |units| paragraph(&sentence(facts, table, units, &all, digits));
    let mut text = all.iter().map(sentence).collect::<Document>();
    for units in &all {
        let ends = by_location(facts, table, std::slice::from_ref(units), digits);
        if !ends.pieces().is_empty() {
            text += Block::Gap;
            text += paragraph(&units.called(&all));
            text += ends;
        }
    }
    text
}

fn attacks(rows: &[[String; 3]], headings: [&str; 3]) -> Document {
    if rows.is_empty() {
        return Document::default();
    }
    let shown = if rows.len() > ATTACKS { ATTACKS - 1 } else { rows.len() };
    let cells = rows[..shown].iter().map(|row| row.to_vec());
    let text = aligned(headings, cells, &[false, false, true]);
    match rows.len() - shown {
        0 => text,
        further => text + format!("and {}", counted(further as u64, "further attack")),
    }
}

/// Returns the chance of the rows that fit.
fn chance<'a>(rows: &[&'a Row], fits: impl Fn(&Row) -> bool, digits: Digits) -> Option<String> {
    let own: Vec<&'a Row> = rows.iter().filter(|row| fits(row)).copied().collect();
    let figure = sum(&own).filter(|figure| figure.probability() > 0.0)?;
    Some(short_percent(&figure, digits))
}

/// Returns what becomes of equal units: who arrives, who stops on the way and how, who is lost.
fn sentence(
    facts: &QuestionFacts,
    table: &Table,
    units: &Alike,
    all: &[Alike],
    digits: Digits,
) -> String {
    let rows = rows_at(table, units.slots[0], None);
    let kind = facts.kind;
    let status = |row: &Row| row.label.status.unwrap_or_default();
    let is_success = |row: &Row| facts.success.statuses.contains(&status(row));
    let class = |row: &Row| kind.class_of(status(row)).map_or("", |class| kind.classes[class].name);
    let stops = |row: &Row| {
        let place = kind.class_of(status(row));
        place.is_some_and(|place| place < 2) && !is_success(row)
    };
    let last = rows.iter().find(|row| is_success(row)).and_then(|row| row.label.location.clone());
    let mut parts = Vec::new();
    let arrives = chance(&rows, is_success, digits).unwrap_or_else(|| digits.percent(0.0));
    parts.push(format!("{} {arrives}", facts.success.verb.unwrap_or("arrives")));
    if let Some(odds) = chance(&rows, stops, digits) {
        let names: IndexSet<&str> = kind
            .statuses
            .iter()
            .copied()
            .filter(|name| rows.iter().any(|row| stops(row) && status(row) == *name))
            .collect();
        let in_words = |name| if name == "good-order" { "in Good Order" } else { name };
        let names: Vec<&str> = names.into_iter().map(in_words).collect();
        let names = match names.split_last() {
            Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            _ => names.join(""),
        };
        let at_last = |row: &Row| stops(row) && row.label.location == last;
        let at_last = last.as_ref().and_then(|_| chance(&rows, at_last, digits));
        let at_last = at_last.map(|odds| format!(" ({odds} in the last Location)"));
        parts.push(format!("{names} on the way {odds}{}", at_last.unwrap_or_default()));
    }
    let further = kind.classes.iter().skip(2).map(|class| class.name);
    for name in further {
        if let Some(odds) = chance(&rows, |row| class(row) == name, digits) {
            parts.push(format!("{name} {odds}"));
        }
    }
    format!("{}: {}.", units.called(all), parts.join("; "))
}

/// Renders a row for each status that the only kind of units has, or one for each kind of units
/// who stop, and a column for each Location.
fn by_location(facts: &QuestionFacts, table: &Table, all: &[Alike], digits: Digits) -> Document {
    let locations: IndexSet<&str> =
        table.rows.iter().filter_map(|row| row.label.location.as_deref()).collect();
    if locations.len() < 2 || locations.len() > LOCATIONS {
        return Document::default();
    }
    let cell = |rows: &[&Row], location: &str, fits: &dyn Fn(&Row) -> bool| {
        let is_there = |row: &Row| row.label.location.as_deref() == Some(location) && fits(row);
        chance(rows, is_there, digits).unwrap_or_default()
    };
    let kind = facts.kind;
    let headings = std::iter::once("by Location").chain(locations.iter().copied());
    if let [units] = all {
        let rows = rows_at(table, units.slots[0], None);
        let is_met = |status: &&&str| rows.iter().any(|row| row.label.status == Some(**status));
        let row = |status: &&str| {
            let is = |row: &Row| row.label.status == Some(*status);
            let cells = locations.iter().map(|location| cell(&rows, location, &is));
            std::iter::once(status.to_string()).chain(cells).collect::<Vec<_>>()
        };
        let lines: Vec<Vec<String>> = kind.statuses.iter().filter(is_met).map(row).collect();
        return aligned(headings, lines, &[false, true]);
    }
    let row = |units: &Alike| {
        let rows = rows_at(table, units.slots[0], None);
        let is_hit =
            |row: &Row| !facts.success.statuses.contains(&row.label.status.unwrap_or_default());
        let cells = locations.iter().map(|location| cell(&rows, location, &is_hit));
        std::iter::once(units.called(all)).chain(cells).collect::<Vec<_>>()
    };
    let headings = std::iter::once("stopped or lost").chain(locations.iter().copied());
    aligned(headings, all.iter().take(4).map(row), &[false, true])
}
