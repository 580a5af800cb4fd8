//! `--impact`: how far the odds of a question move with each interpretation.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::ask::{OutputArguments, table_of, write};
use super::fault::Failure;
use super::screen;
use crate::asl::question::Question;
use crate::asl::rulebook::{INTERPRETATIONS, Interpretation, Rulebook};
use crate::process::Label;
use crate::study::answer::{Engine, Options};
use crate::table::layout::{aligned, percent};
use crate::table::{Cell, Figure, Kind, Meta, Sheet, Table};
use crate::text::Fault;

/// A row that moves when one interpretation is read the other way.
struct Move {
    interpretation: &'static Interpretation,
    /// The value it is read by.
    value: &'static str,
    label: Label,
    before: f64,
    after: f64,
    /// Of the difference, where either is an estimate.
    std_error: Option<f64>,
}

/// What one interpretation does to a question.
struct Impact {
    interpretation: &'static Interpretation,
    /// Why the question cannot be asked under it.
    turned_away: Option<Fault>,
    /// The rows that differ, widest first.
    moves: Vec<Move>,
}

impl Move {
    fn difference(&self) -> f64 {
        self.after - self.before
    }
}

/// Answers `question` as it is and with the interpretations in `which` read the other way: all, or the one named.
pub fn run(question: &Question, options: &Options, which: &str, meta: Meta, output: &OutputArguments) -> Result<(), Failure> {
    let asked: Vec<&Interpretation> = match which {
        "all" => INTERPRETATIONS.iter().filter(|interpretation| !interpretation.is_of_rout()).collect(),
        id => Rulebook::readings(id).map_err(|fault| Failure::argument("--impact", id, fault))?,
    };
    let before = table_of(question, options, meta.clone())?;
    // What was too big once is so every time.
    let engine = if before.meta.engine == "monte-carlo" { Engine::MonteCarlo } else { options.engine };
    let options = Options { engine, ..*options };
    let impacts: Vec<Impact> = asked
        .par_iter()
        .with_max_len(1)
        .map(|interpretation| {
            let other = match question.flipped(interpretation.switch) {
                Ok(other) => other,
                Err(fault) => return Ok(Impact { interpretation, turned_away: Some(fault), moves: Vec::new() }),
            };
            let after = table_of(&other, &options, meta.clone())?;
            let value = other.rulebook().value(interpretation.switch);
            Ok(Impact { interpretation, turned_away: None, moves: moves(interpretation, value, &before, &after) })
        })
        .collect::<Result<_, Failure>>()?;
    write(output, &sheet(&before, &impacts), || told(question, &before, &impacts))
}

/// The rows that differ by more than their error, widest first.
fn moves(interpretation: &'static Interpretation, value: &'static str, before: &Table, after: &Table) -> Vec<Move> {
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
        Move { interpretation, value, label: label.clone(), before, after, std_error }
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
        ("switch", Kind::Text),
        ("value", Kind::Text),
        ("step", Kind::Integer),
        ("slot", Kind::Integer),
        ("unit", Kind::Text),
        ("phase", Kind::Integer),
        ("status", Kind::Text),
        ("counter", Kind::Text),
        ("wounded", Kind::Boolean),
        ("outcome", Kind::Text),
        ("probability", Kind::Float),
        ("difference", Kind::Float),
        ("std_error", Kind::Float),
    ];
    let text = |text: &Option<String>| text.clone().map_or(Cell::Null, Cell::Text);
    let number = |number: Option<u16>| number.map_or(Cell::Null, |number| Cell::Integer(number.into()));
    let row = |row: &Move| {
        let label = &row.label;
        vec![
            Cell::Text(row.interpretation.id.to_string()),
            Cell::Text(row.value.to_string()),
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
        rows: impacts.iter().flat_map(|impact| &impact.moves).map(row).collect(),
        json_only: None,
        lists: Vec::new(),
        meta: before.meta.clone(),
    }
}

/// A row in words: `4-6-7 [2] broken 4-4-7`.
fn in_words(label: &Label) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    let at = match (label.phase, label.step) {
        (Some(phase), _) => format!("phase {phase}: "),
        (_, Some(step)) => format!("step {step}: "),
        _ => String::new(),
    };
    let unit = label.unit.as_deref().unwrap_or("created");
    let slot = label.slot.map_or(String::new(), |slot| format!(" [{slot}]"));
    let counter = label.counter.as_deref().map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { " wounded" } else { "" };
    format!("{at}{unit}{slot} {}{counter}{wounded}", label.status.unwrap_or_default())
}

fn signed(difference: f64) -> String {
    format!("{}{}", if difference < 0.0 { "-" } else { "+" }, percent(difference.abs()))
}

/// Rows of one interpretation that are shown.
const SHOWN: usize = 20;

fn told(question: &Question, before: &Table, impacts: &[Impact]) -> String {
    let mut text = format!("{}\n\n", before.meta.question);
    let row = |row: &Move| {
        let error = row.std_error.map_or(String::new(), |std_error| format!(" (+- {})", percent(1.96 * std_error)));
        vec![in_words(&row.label), percent(row.before), percent(row.after), format!("{}{error}", signed(row.difference()))]
    };
    let headings = |first: &str| [first, "moves most", "from", "to", "by"].map(str::to_string);
    if let [Impact { interpretation, turned_away, moves: rows }] = impacts {
        text += &format!("{} ({})\n", interpretation.question, interpretation.id);
        let value = |value| if value == interpretation.values[0] { interpretation.default } else { interpretation.alternative };
        let now = question.rulebook().value(interpretation.switch);
        let other = question.rulebook().flipped(interpretation.switch).value(interpretation.switch);
        text += &format!("from  {now}: {}\nto    {other}: {}\n\n", value(now), value(other));
        let lines: Vec<Vec<String>> = rows.iter().take(SHOWN).map(row).collect();
        text += &match (turned_away, lines.is_empty()) {
            (Some(fault), _) => format!("Then the question cannot be asked: {fault}.\n"),
            (None, true) => "No odds of this question move.\n".to_string(),
            (None, false) => aligned(&headings("")[1..], &lines, &[false, true, true, true], false),
        };
        if rows.len() > SHOWN {
            text += &format!("and {} further rows that move less; `--format csv` prints all\n", rows.len() - SHOWN);
        }
    } else {
        let mut touched: Vec<&Move> = impacts.iter().filter_map(|impact| impact.moves.first()).collect();
        touched.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
        let line = |widest: &&Move| [vec![widest.interpretation.name()], row(widest)].concat();
        let lines: Vec<Vec<String>> = touched.iter().map(line).collect();
        text += &match lines.is_empty() {
            true => "No interpretation moves these odds.\n".to_string(),
            false => aligned(&headings("switch"), &lines, &[false, false, true, true, true], false),
        };
        let turned_away = impacts.iter().filter_map(|impact| Some((impact.interpretation.name(), impact.turned_away.as_ref()?)));
        for (id, fault) in turned_away.clone() {
            text += &format!("{id}: then the question cannot be asked: {fault}.\n");
        }
        let untouched = impacts.len() - touched.len() - turned_away.count();
        let chance = if before.meta.trials.is_some() { " that stands out from chance" } else { "" };
        text += &format!("{untouched} interpretations move nothing{chance}. `--impact ID` shows every row of one.\n");
    }
    text + "\n" + &screen::footing(&before.meta)
}
