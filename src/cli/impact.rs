//! `--impact`: how far the odds of a question move with each point of the rules that can be read otherwise.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::fault::Failure;
use super::output::{OutputArguments, table_of, write};
use super::screen;
use crate::process::Label;
use crate::system::answer::{Engine, Options};
use crate::system::asking::Asking;
use crate::system::form::Reading;
use crate::table::layout::{aligned, percent};
use crate::table::{Cell, Column, Figure, Meta, Sheet, Table};

/// A row that moves under a reading.
struct Move {
    label: Label,
    before: f64,
    after: f64,
    /// Of the difference, where either is an estimate.
    std_error: Option<f64>,
}

/// What one reading does to a question.
struct Impact<'a> {
    reading: &'a Reading,
    /// The rows that differ, widest first.
    moves: Vec<Move>,
}

impl Move {
    fn difference(&self) -> f64 {
        self.after - self.before
    }
}

/// The word for all points of the rules at once.
pub const ALL: &str = "all";

/// Answers `question` as it is and under each of the readings.
pub fn run(
    question: &dyn Asking,
    readings: &[Reading],
    options: &Options,
    meta: Meta,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let before = table_of(question, options, meta.clone())?;
    // What was too big once is so every time.
    let engine = if before.meta.engine == "monte-carlo" { Engine::MonteCarlo } else { options.engine };
    let options = Options { engine, ..*options };
    let answered = |reading: &Reading| match &reading.question {
        Ok(other) => table_of(other.as_ref(), &options, meta.clone()).map(|after| moves(&before, &after)),
        Err(_) => Ok(Vec::new()),
    };
    let moves: Vec<Vec<Move>> = readings.par_iter().with_max_len(1).map(answered).collect::<Result<_, Failure>>()?;
    let (footing, point) = (question.words().footing(), question.words().points().unwrap_or_default());
    let points = footing.setting.to_lowercase();
    let impacts: Vec<Impact> = readings.iter().zip(moves).map(|(reading, moves)| Impact { reading, moves }).collect();
    write(output, &sheet(&before, &impacts), || told(&before, &impacts, &points, point))
}

/// The rows that differ by more than their error, widest first.
fn moves(before: &Table, after: &Table) -> Vec<Move> {
    let figures =
        |table: &Table| -> BTreeMap<Label, Figure> { table.rows.iter().map(|row| (row.label.clone(), row.figure)).collect() };
    let (before, after) = (figures(before), figures(after));
    let mut labels: Vec<&Label> = before.keys().chain(after.keys()).collect();
    labels.sort();
    labels.dedup();
    let probability = |figures: &BTreeMap<Label, Figure>, label| figures.get(label).map_or(0.0, Figure::probability);
    let variance = |figures: &BTreeMap<Label, Figure>, label| {
        figures.get(label).and_then(Figure::std_error).map(|std_error| std_error * std_error)
    };
    let moved = labels.into_iter().map(|label| {
        let variances = (variance(&before, label), variance(&after, label));
        let std_error = match variances {
            (None, None) => None,
            (a, b) => Some((a.unwrap_or(0.0) + b.unwrap_or(0.0)).sqrt()),
        };
        let (before, after) = (probability(&before, label), probability(&after, label));
        Move { label: label.clone(), before, after, std_error }
    });
    // Sums in another order may differ in the last bit of a double; estimates by their error.
    let noise = |row: &Move| row.std_error.map_or(1e-14, |std_error| 1.96 * std_error);
    let mut moved: Vec<Move> = moved.filter(|row| row.difference().abs() > noise(row)).collect();
    moved.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    moved
}

/// Every row that moves, for analysis.
fn sheet(before: &Table, impacts: &[Impact]) -> Sheet {
    let columns = vec![
        ("switch", Column::Text),
        ("value", Column::Text),
        ("step", Column::Integer),
        ("slot", Column::Integer),
        ("unit", Column::Text),
        ("phase", Column::Integer),
        ("status", Column::Text),
        ("counter", Column::Text),
        ("wounded", Column::Boolean),
        ("outcome", Column::Text),
        ("probability", Column::Float),
        ("difference", Column::Float),
        ("std_error", Column::Float),
    ];
    let text = |text: &Option<String>| text.clone().map_or(Cell::Null, Cell::Text);
    let number = |number: Option<u16>| number.map_or(Cell::Null, |number| Cell::Integer(number.into()));
    let row = |(reading, row): (&Reading, &Move)| {
        let label = &row.label;
        vec![
            Cell::Text(reading.id.to_string()),
            Cell::Text(reading.value.clone()),
            number(label.step),
            number(label.slot.map(u16::from)),
            text(&label.unit),
            number(label.phase),
            label.status.map_or(Cell::Null, |status| Cell::Text(status.to_string())),
            text(&label.counter),
            label.wounded.map_or(Cell::Null, Cell::Boolean),
            text(&label.outcome),
            Cell::Float(row.after),
            Cell::Float(row.difference()),
            row.std_error.map_or(Cell::Null, Cell::Float),
        ]
    };
    Sheet {
        columns,
        rows: impacts.iter().flat_map(|impact| impact.moves.iter().map(|row| (impact.reading, row))).map(row).collect(),
        json_only: None,
        lists: Vec::new(),
        meta: before.meta.clone(),
    }
}

/// A row in words: `4-6-7 [2] broken 4-4-7`; `point` is what the outcomes are told by, slots are named where there are several.
fn in_words(label: &Label, point: &str, several: bool) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    let at = label.phase.or(label.step).map_or(String::new(), |number| format!("{point} {number}: "));
    let unit = label.unit.as_deref().unwrap_or("created");
    let slot = label.slot.filter(|_| several).map_or(String::new(), |slot| format!(" [{slot}]"));
    let counter = label.counter.as_ref().filter(|_| label.counter != label.unit);
    let counter = counter.map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { " wounded" } else { "" };
    format!("{at}{unit}{slot} {}{counter}{wounded}", label.status.unwrap_or_default())
}

fn signed(difference: f64) -> String {
    format!("{}{}", if difference < 0.0 { "-" } else { "+" }, percent(difference.abs()))
}

/// Rows of one interpretation that are shown.
const SHOWN: usize = 20;

fn told(before: &Table, impacts: &[Impact], points: &str, point: &str) -> String {
    let several = before.rows.iter().any(|row| row.label.slot != before.rows[0].label.slot);
    let row = |row: &Move| {
        let error = row.std_error.map_or(String::new(), |std_error| format!(" (+- {})", percent(1.96 * std_error)));
        let words = in_words(&row.label, point, several);
        vec![words, percent(row.before), percent(row.after), format!("{}{error}", signed(row.difference()))]
    };
    let is_one = impacts.iter().all(|impact| impact.reading.id == impacts[0].reading.id);
    let moved = match is_one {
        true => impacts.iter().map(|impact| every_row(impact, row)).collect::<Vec<_>>().join("\n"),
        false => widest_rows(impacts, points, before.meta.trials.is_some(), row),
    };
    format!("{}\n\n{moved}\n{}", before.meta.question, screen::footing(&before.meta))
}

/// Headings of the rows that move, after those in front.
fn headings(front: &[&str]) -> Vec<String> {
    front.iter().chain(&["moves most", "from", "to", "by"]).map(|heading| heading.to_string()).collect()
}

/// All that one reading moves.
fn every_row(Impact { reading, moves }: &Impact, row: impl Fn(&Move) -> Vec<String>) -> String {
    let lines: Vec<Vec<String>> = moves.iter().take(SHOWN).map(row).collect();
    let mut text = format!("{}\n", reading.about);
    text += &match (&reading.question, lines.is_empty()) {
        (Err(fault), _) => format!("Then the question cannot be asked: {fault}.\n"),
        (Ok(_), true) => "No odds of this question move.\n".to_string(),
        (Ok(_), false) => aligned(&headings(&[]), &lines, &[false, true, true, true], false),
    };
    if moves.len() > SHOWN {
        text += &format!("and {} further rows that move less; `--format csv` prints all\n", moves.len() - SHOWN);
    }
    text
}

/// What each reading moves most.
fn widest_rows(impacts: &[Impact], points: &str, by_chance: bool, row: impl Fn(&Move) -> Vec<String>) -> String {
    let mut touched: Vec<(&Reading, &Move)> =
        impacts.iter().filter_map(|impact| Some((impact.reading, impact.moves.first()?))).collect();
    touched.sort_by(|(_, a), (_, b)| b.difference().abs().total_cmp(&a.difference().abs()));
    let lines: Vec<Vec<String>> =
        touched.iter().map(|(reading, widest)| [vec![reading.name.clone()], row(widest)].concat()).collect();
    let mut text = match lines.is_empty() {
        true => format!("No {points} moves these odds.\n"),
        false => aligned(&headings(&["switch"]), &lines, &[false, false, true, true, true], false),
    };
    let mut told: BTreeSet<&str> = touched.iter().map(|(reading, _)| reading.id).collect();
    for (reading, fault) in impacts.iter().filter_map(|impact| Some((impact.reading, impact.reading.question.as_ref().err()?))) {
        text += &format!("{}: then the question cannot be asked: {fault}.\n", reading.name);
        told.insert(reading.id);
    }
    let all: BTreeSet<&str> = impacts.iter().map(|impact| impact.reading.id).collect();
    let chance = if by_chance { " that stands out from chance" } else { "" };
    text + &format!("{} {points}s move nothing{chance}. `--impact NAME` shows every row of one.\n", all.len() - told.len())
}
