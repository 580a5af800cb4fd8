//! The result table: one row per outcome, with the same columns in the same order in every format.
//!
//! ```text
//! case, slot, unit, phase, status, counter, wounded,
//! probability, std_error, ci_low, ci_high, count, trials, fraction, error_bound
//! ```
//!
//! Tables whose rows describe all units together have `outcome` after `wounded`. Sequences have
//! `step` after `case`. A kind may declare `side` before `slot`, `location` and `place` before
//! `status`. A study puts the fields it varies first.

use std::fmt;

use serde_json::{Value, json};

use super::counts::UnitCounts;
use super::estimate::Estimate;
use super::mean::Mean;
use super::meta::Meta;
use super::question_info::{QuestionFacts, QuestionInfo};
use super::sheet::{Cell, Column, Sheet, figure_cells, figure_columns};
use engine::process::{Label, ReportIndex, UnitEnding};

/// A row of the result table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// 1-based number of the question in a study; 1 outside studies.
    pub case: u64,
    pub label: Label,
    pub figure: Estimate,
}

/// A table of outcomes, with everything needed to reproduce it.
#[derive(Clone, Debug)]
pub struct Table {
    pub meta: Meta,
    pub rows: Vec<Row>,
    pub shape: Shape,
    pub expected: Vec<Expected>,
    pub counts: Option<UnitCounts>,
}

/// The report at which an outcome is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPoint {
    /// The end of a phase, 1-based.
    Phase(ReportIndex),
    /// The end of a step, 1-based.
    Step(ReportIndex),
    /// The end of a question that reports only there.
    End,
}

impl Table {
    /// Returns the probability that the first unit has a status; see [`Table::estimate`].
    pub fn probability(&self, status: impl Into<&'static str>, at: ReportPoint) -> f64 {
        self.estimate(1, status, at).probability()
    }

    /// Returns the probability that a slot (1-based) has a status at a report; 0 without a row.
    pub fn estimate(&self, slot: u8, status: impl Into<&'static str>, at: ReportPoint) -> Estimate {
        let (phase, step) = match at {
            ReportPoint::Phase(phase) => (Some(phase), None),
            ReportPoint::Step(step) => (None, Some(step)),
            ReportPoint::End => (None, None),
        };
        let wanted = (Some(slot), Some(status.into()), phase, step);
        let key = |Row { label, .. }: &Row| (label.slot, label.status, label.phase, label.step);
        let figures = self.rows.iter().filter(|row| key(row) == wanted).map(|row| row.figure);
        let nothing = || self.rows.first().map_or(Estimate::plain(0.0), |row| row.figure.of_none());
        figures.reduce(Estimate::or).unwrap_or_else(nothing)
    }

    /// Returns the answer to the same question with an earlier last report, or `None` if it is not
    /// a part of this answer. Only integer arithmetic gives equal rows. Counts and expected values
    /// cannot be cut, because they refer to the end.
    pub fn until(&self, last: ReportIndex) -> Option<Table> {
        let Table { meta, rows, shape, expected, counts } = self;
        let is_part = (meta.engine, meta.arithmetic) == ("exact", Some("integer"))
            && expected.is_empty()
            && counts.is_none();
        let is_before = |row: &&Row| row.label.phase.or(row.label.step).is_none_or(|at| at <= last);
        // The number of states of the shorter question is unknown.
        is_part.then(|| Table {
            meta: Meta { states: None, ..meta.clone() },
            rows: rows.iter().filter(is_before).cloned().collect(),
            shape: *shape,
            expected: Vec::new(),
            counts: None,
        })
    }
}

/// The expected value of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Name of the quantity: `casualties of unit 1`.
    pub quantity: String,
    pub mean: Mean,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expected {}: {}", self.quantity, self.mean)
    }
}

/// The optional columns of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// True if each row is an outcome of all units together.
    pub joint: bool,
    /// True if rows are outcomes by step of a sequence.
    pub steps: bool,
    /// The further columns that the kind of question declares: `side`, `place`.
    pub declared: &'static [&'static str],
}

impl Shape {
    /// Returns the shape of the answers to a question.
    pub fn from_question(question: &dyn QuestionInfo) -> Shape {
        let QuestionFacts { is_joint, points, columns, .. } = question.facts();
        Shape { joint: is_joint, steps: points == Some("step"), declared: columns }
    }
}

impl From<&Table> for Sheet {
    fn from(table: &Table) -> Sheet {
        Sheet {
            columns: columns(table.shape),
            rows: table.rows.iter().map(|row| row.cells(table.shape)).collect(),
            json_only: json_only(table.shape, table.rows.iter()),
            lists: lists(&table.expected, table.counts.as_ref()),
            meta: table.meta.clone(),
        }
    }
}

/// Returns the columns that only JSON has: the catalogue entry, and the end of each unit.
pub fn json_only<'a>(
    shape: Shape,
    rows: impl Iterator<Item = &'a Row> + Clone,
) -> Vec<(&'static str, Vec<serde_json::Value>)> {
    let ids = rows.clone().map(|row| row.label.unit_id.clone().into()).collect();
    let end = |end: &UnitEnding| {
        let UnitEnding { slot, status, counter, wounded } = end;
        serde_json::json!({ "slot": slot, "status": status, "counter": counter,
            "wounded": wounded })
    };
    let ends = || rows.map(|row| row.label.ends.iter().map(end).collect()).collect();
    let ends = shape.joint.then(|| ("ends", ends()));
    std::iter::once(("unit_id", ids)).chain(ends).collect()
}

/// Returns the lists that only JSON has: counts, expected values and waiting times.
pub fn lists(
    expected: &[Expected],
    counts: Option<&UnitCounts>,
) -> Vec<(&'static str, serde_json::Value)> {
    let mut lists: Vec<_> = counts.iter().map(|counts| ("counts", counts.in_json())).collect();
    let means = counts.map_or_else(Vec::new, UnitCounts::means_in_json);
    let expected: Vec<_> = expected_in_json(expected).chain(means).collect();
    if !expected.is_empty() {
        lists.push(("expected", expected.into()));
    }
    let waiting = counts.filter(|counts| counts.awaited > 0);
    lists.extend(waiting.map(|counts| ("waiting", counts.waiting_in_json())));
    lists
}

/// Returns the columns of a table, in order.
pub fn columns(shape: Shape) -> Vec<(&'static str, Column)> {
    let case = std::iter::once(("case", Column::Integer));
    case.chain(label_columns(shape)).chain(figure_columns()).collect()
}

type LabelColumn = (&'static str, Column, fn(&Label) -> Cell);

const LABEL_COLUMNS: [LabelColumn; 12] = [
    ("step", Column::Integer, |label| integer(label.step)),
    ("side", Column::Text, |label| text(label.side.as_deref())),
    ("slot", Column::Integer, |label| integer(label.side_slot.or(label.slot))),
    ("unit", Column::Text, |label| text(label.unit.as_deref())),
    ("phase", Column::Integer, |label| integer(label.phase)),
    ("location", Column::Text, |label| text(label.location.as_deref())),
    ("place", Column::Text, |label| text(label.place)),
    ("status", Column::Text, |label| text(label.status)),
    ("counter", Column::Text, |label| text(label.counter.as_deref())),
    ("wounded", Column::Boolean, |label| Cell::optional(label.wounded, Cell::Boolean)),
    ("outcome", Column::Text, |label| text(label.outcome.as_deref())),
    ("sniper", Column::Integer, |label| integer(label.sniper)),
];

fn integer(number: Option<impl Into<i64>>) -> Cell {
    Cell::optional(number, |number| Cell::Integer(number.into()))
}

fn text(text: Option<&str>) -> Cell {
    Cell::optional(text, |text| Cell::Text(text.to_string()))
}

fn of_labels(shape: Shape) -> impl Iterator<Item = &'static LabelColumn> {
    LABEL_COLUMNS.iter().filter(move |(name, ..)| match *name {
        "step" => shape.steps,
        "outcome" => shape.joint,
        "side" | "location" | "place" | "sniper" => shape.declared.contains(name),
        _ => true,
    })
}

/// Returns the columns that describe an outcome, in order.
pub fn label_columns(shape: Shape) -> impl Iterator<Item = (&'static str, Column)> {
    of_labels(shape).map(|(name, column, _)| (*name, *column))
}

/// Adds the cells that describe an outcome, in the order of [`label_columns`].
pub fn add_label_cells(cells: &mut Vec<Cell>, label: &Label, shape: Shape) {
    cells.extend(of_labels(shape).map(|(.., cell)| cell(label)));
}

impl Row {
    /// Returns the cells of the row, in the order of [`columns`].
    pub fn cells(&self, shape: Shape) -> Vec<Cell> {
        let mut cells = vec![Cell::Integer(self.case as i64)];
        add_label_cells(&mut cells, &self.label, shape);
        cells.extend(figure_cells(&self.figure));
        cells
    }
}

/// Returns the expected values of quantities as objects.
pub fn expected_in_json(all: &[Expected]) -> impl Iterator<Item = Value> {
    all.iter().map(|Expected { quantity, mean }| {
        let Mean { value, fraction, std_error, error_bound } = mean;
        let mut json = json!({ "quantity": quantity, "value": value,
            "fraction": fraction.map(|fraction| fraction.to_string()),
            "std_error": std_error });
        if let Some(error_bound) = error_bound {
            json["error_bound"] = (*error_bound).into();
        }
        json
    })
}
