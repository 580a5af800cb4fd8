//! Changes in the odds of a question under other values of its rule settings.

use std::collections::{BTreeMap, BTreeSet};

use super::Refused;
use super::odds::table;
use super::request::Context;
use answer::table::{add_label_cells, label_columns};
use answer::{Cell, Column, Engine, Estimate, Options, Shape, Sheet, Table};
use engine::monte_carlo::each;
use engine::process::Label;
use play::{DynQuestion, RuleReading};
use schema::Other;
use serde_json::{Value, json};

/// The changes in the odds of a question under other values of its rule settings.
pub struct Moved {
    pub question: Box<dyn DynQuestion>,
    /// The odds under the question's own settings.
    pub before: Table,
    pub impacts: Vec<Impact>,
}

/// An outcome with its probabilities under the question's own settings and under another value.
pub struct MovedRow {
    pub label: Label,
    pub before: f64,
    pub after: f64,
    /// Standard error of the difference; `None` without an estimate.
    pub std_error: Option<f64>,
    /// Largest error of the difference; `None` unless a probability is certified.
    pub error_bound: Option<f64>,
}

/// The effect of another value of one rule setting on a question.
pub struct Impact {
    pub reading: RuleReading,
    /// The outcomes that differ, the largest difference first. Empty if the question is invalid.
    pub moves: Vec<MovedRow>,
    /// The sentences that differ in what is reckoned before the first roll.
    pub reckoned: Vec<String>,
}

impl MovedRow {
    /// Returns the difference of the probabilities, after minus before.
    pub fn difference(&self) -> f64 {
        self.after - self.before
    }
}

pub(super) fn impact(
    question: Box<dyn DynQuestion>,
    readings: Vec<RuleReading>,
    Context { command, options }: Context,
) -> Result<Moved, Refused> {
    let before = table(question.as_ref(), options, question.meta(command))?;
    // If the question was too big for the exact engine, its variants are taken to be too.
    let engine =
        if before.meta.engine == "monte-carlo" { Engine::MonteCarlo } else { options.engine };
    let options = Options { engine, ..*options };
    let answered = |reading: &RuleReading| match &reading.question {
        Ok(other) => {
            table(other.as_ref(), &options, before.meta.clone()).map(|after| moves(&before, &after))
        }
        Err(_) => Ok(Vec::new()),
    };
    let moves = each(&readings, answered)?;
    let known = reckoned(question.as_ref());
    let impact = |(reading, moves): (RuleReading, Vec<MovedRow>)| {
        let other = reading.question.as_ref().map_or(Vec::new(), |other| reckoned(other.as_ref()));
        let is_new = |sentence: &String| !known.contains(sentence);
        Impact { reckoned: other.into_iter().filter(is_new).collect(), reading, moves }
    };
    let impacts = readings.into_iter().zip(moves).map(impact).collect();
    Ok(Moved { question, before, impacts })
}

/// Returns what a question reckons before its first roll, in sentences.
fn reckoned(question: &dyn DynQuestion) -> Vec<String> {
    let reckoned = question.words().details().reckoned.unwrap_or_default();
    [reckoned.summary, reckoned.after].concat()
}

impl Moved {
    pub(super) fn sheet(&self) -> Sheet {
        let shape =
            Shape { joint: true, steps: true, declared: self.question.words().facts().columns };
        let columns = [("switch", Column::Text), ("value", Column::Text)].into_iter();
        let numbers = ["probability", "difference", "std_error", "error_bound"]
            .map(|name| (name, Column::Float));
        let columns = columns.chain(label_columns(shape)).chain(numbers);
        let row = |(Impact { reading, .. }, row): (&Impact, &MovedRow)| {
            let mut cells = vec![
                Cell::Text(reading.setting.id.to_string()),
                Cell::Text(reading.setting.value.clone()),
            ];
            add_label_cells(&mut cells, &row.label, shape);
            cells.extend([Cell::Float(row.after), Cell::Float(row.difference())]);
            cells.extend(
                [row.std_error, row.error_bound].map(|error| Cell::optional(error, Cell::Float)),
            );
            cells
        };
        let impacts = self.impacts.iter();
        let moves = impacts.flat_map(|impact| impact.moves.iter().map(move |row| (impact, row)));
        let reckoned = |Impact { reading, reckoned, .. }: &Impact| {
            let Other { id, value, .. } = &reading.setting;
            json!({ "switch": id, "value": value, "reckoned": reckoned })
        };
        let impacts = self.impacts.iter().filter(|impact| !impact.reckoned.is_empty());
        let reckoned: Vec<Value> = impacts.map(reckoned).collect();
        let lists = (!reckoned.is_empty()).then(|| ("reckoned", reckoned.into()));
        let meta = self.before.meta.clone();
        let sheet = Sheet::new(columns.collect(), moves.map(row).collect(), meta);
        Sheet { lists: lists.into_iter().collect(), ..sheet }
    }
}

/// Returns the outcomes that differ by more than their error, the largest difference first.
fn moves(before: &Table, after: &Table) -> Vec<MovedRow> {
    let figures = |table: &Table| -> BTreeMap<Label, Estimate> {
        table.rows.iter().map(|row| (row.label.clone(), row.figure)).collect()
    };
    let (before, after) = (figures(before), figures(after));
    let labels: BTreeSet<&Label> = before.keys().chain(after.keys()).collect();
    let moved = labels.into_iter().map(|label| {
        let figures = [before.get(label), after.get(label)];
        let [before, after] = figures.map(|figure| figure.map_or(0.0, Estimate::probability));
        let errors = figures.into_iter().flatten().filter_map(Estimate::std_error);
        let variance = errors.map(|std_error| std_error * std_error).reduce(|a, b| a + b);
        let std_error = variance.map(f64::sqrt);
        let bounds = figures.into_iter().flatten().filter_map(Estimate::error_bound);
        let error_bound = bounds.reduce(|a, b| a + b);
        MovedRow { label: label.clone(), before, after, std_error, error_bound }
    });
    // Exact sums may differ in their last bits, estimates within their error.
    let noise = |row: &MovedRow| match row.std_error {
        Some(std_error) => 1.96 * std_error,
        None => row.error_bound.unwrap_or(1e-14),
    };
    let mut moved: Vec<_> = moved.filter(|row| row.difference().abs() > noise(row)).collect();
    moved.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    moved
}
