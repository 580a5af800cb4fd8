//! The result table: one row per outcome, with the same columns in the same order in every format.
//!
//! ```text
//! case, slot, unit, phase, status, counter, wounded,
//! probability, std_error, ci_low, ci_high, count, trials, fraction
//! ```
//!
//! Tables whose rows describe all units together have `outcome` after `wounded`. Sequences have
//! `step` after `case`. A study puts the fields it varies first.

use std::fmt;

use serde::Serialize;

use super::counts::{CountProvenance, UnitCounts};
use super::{Provenance, QuestionInfo, json};
use engine::exact::Fraction;
use engine::process::{Label, ReportIndex, UnitEnding};
use engine::stats::{Proportion, Strata, normal_half_width};

/// Confidence level of every printed interval.
pub const CONFIDENCE: f64 = 0.95;

/// The probability of one outcome: exact, or an estimate with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The exact probability, also as a fraction unless the arithmetic was floating point.
    Exact { probability: f64, fraction: Option<Fraction> },
    /// An estimate by plain sampling.
    Estimate(Proportion),
    /// An estimate with the first rolls stratified: all their combinations are played.
    Stratified(Strata),
}

impl Estimate {
    /// Returns the probability of either of two mutually exclusive outcomes of one question.
    pub fn or(self, other: Estimate) -> Estimate {
        match (self, other) {
            (
                Estimate::Exact { probability: p, fraction: f },
                Estimate::Exact { probability: q, fraction: g },
            ) => Estimate::Exact {
                probability: p + q,
                fraction: f.zip(g).and_then(|(f, g)| f.checked_add(g)),
            },
            (Estimate::Estimate(a), Estimate::Estimate(b)) => {
                Estimate::Estimate(Proportion { count: a.count + b.count, trials: a.trials })
            }
            (Estimate::Stratified(a), Estimate::Stratified(b)) => Estimate::Stratified(a.or(b)),
            // All probabilities of one question come from one engine.
            (figure, _) => figure,
        }
    }

    /// Returns the probability of an outcome that never occurred, from the same engine as `self`.
    pub fn of_none(self) -> Estimate {
        match self {
            Estimate::Exact { fraction, .. } => Estimate::Exact {
                probability: 0.0,
                fraction: fraction.map(|_| Fraction::new(0, 1)),
            },
            Estimate::Estimate(proportion) => {
                Estimate::Estimate(Proportion { count: 0, ..proportion })
            }
            Estimate::Stratified(strata) => {
                Estimate::Stratified(Strata { trials: strata.trials, ..Strata::default() })
            }
        }
    }

    /// Returns an exact probability without a fraction.
    pub fn plain(probability: f64) -> Estimate {
        Estimate::Exact { probability, fraction: None }
    }

    /// Returns the probability or its estimate, from 0 to 1.
    pub fn probability(&self) -> f64 {
        match self {
            Estimate::Exact { probability, .. } => *probability,
            Estimate::Estimate(proportion) => proportion.estimate(),
            Estimate::Stratified(strata) => strata.estimate(),
        }
    }

    /// Returns the standard error of an estimate, or `None` if the probability is exact.
    pub fn std_error(&self) -> Option<f64> {
        match self {
            Estimate::Exact { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.std_error()),
            Estimate::Stratified(strata) => Some(strata.std_error()),
        }
    }

    /// Returns the 95 % interval of an estimate, or `None` if the probability is exact.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Estimate::Exact { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.interval(CONFIDENCE)),
            Estimate::Stratified(strata) => Some(strata.interval(CONFIDENCE)),
        }
    }

    /// Returns the number of sequences with the outcome and of all sequences, or `None` if the
    /// probability is exact.
    pub fn counted(&self) -> Option<(u64, u64)> {
        match self {
            Estimate::Exact { .. } => None,
            Estimate::Estimate(Proportion { count, trials }) => Some((*count, *trials)),
            Estimate::Stratified(strata) => Some((strata.count(), strata.trials)),
        }
    }
}

/// Writes the probability as a percentage, with two decimals or the given precision. Estimates have
/// their interval. Exact probabilities have their fraction if it is short.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share| percent_to(share, f.precision().unwrap_or(2));
        let odds = percent(self.probability());
        match (self, self.interval(), self.counted()) {
            (_, Some((_, high)), Some((0, trials))) => {
                write!(f, "0 of {trials}, at most {}", percent(high))
            }
            (_, Some((low, high)), _) => {
                write!(f, "{odds} (95 %: {} - {})", percent(low), percent(high))
            }
            (Estimate::Exact { fraction: Some(fraction), .. }, ..)
                if fraction.to_string().len() <= SHORT_FRACTION =>
            {
                write!(f, "{odds} ({fraction})")
            }
            _ => f.write_str(&odds),
        }
    }
}

/// A row of the result table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// 1-based number of the question in a study; 1 outside studies.
    pub case: u64,
    pub label: Label,
    pub figure: Estimate,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Null,
}

impl Cell {
    fn optional<T>(value: Option<T>, cell: impl Fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Null, cell)
    }

    /// Returns the value as it is printed. Floats have their shortest round-trip form. Null is
    /// empty.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Float(number) => number.to_string(),
            Cell::Boolean(value) => value.to_string(),
            Cell::Null => String::new(),
        }
    }
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

impl Table {
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

/// An expected value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub value: f64,
    /// The value as a fraction, if it is exact and not too long.
    pub fraction: Option<Fraction>,
    /// Standard error of an estimate; `None` if the value is exact.
    pub std_error: Option<f64>,
}

impl Mean {
    /// Returns the 95 % interval of an estimate, or `None` if the value is exact.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half_width = normal_half_width(self.std_error?, CONFIDENCE);
        Some((self.value - half_width, self.value + half_width))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expected {}: {}", self.quantity, self.mean)
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Fraction { numerator, denominator: 1 }) = self.fraction {
            return write!(f, "{numerator}");
        }
        write!(f, "{:.4}", self.value)?;
        match (self.interval(), self.fraction.map(|fraction| fraction.to_string())) {
            (Some((low, high)), _) => write!(f, " (95 %: {low:.4} - {high:.4})"),
            (None, Some(fraction)) if fraction.len() <= SHORT_FRACTION => {
                write!(f, " ({fraction})")
            }
            (None, _) => Ok(()),
        }
    }
}

/// Longest fraction shown next to a decimal, in characters.
pub const SHORT_FRACTION: usize = 11;

/// Formats a probability as a percentage with two decimals. A small one that is not 0 prints as `<
/// 0.01 %`, and a large one that is not certain as `> 99.99 %`.
///
/// # Examples
///
/// ```
/// use lowcrawl_system::table::percent;
///
/// assert_eq!(percent(5.0 / 18.0), "27.78 %");
/// assert_eq!(percent(0.000012), "< 0.01 %");
/// ```
pub fn percent(probability: f64) -> String {
    percent_to(probability, 2)
}

/// Formats a difference of probabilities in percentage points with `digits` decimals.
pub fn points_to(difference: f64, digits: usize) -> String {
    format!("{:+.digits$} points", difference * 100.0)
}

/// Formats a probability as [`percent`] does, with `digits` decimals.
pub fn percent_to(probability: f64, digits: usize) -> String {
    let percent = probability * 100.0;
    let least = 10f64.powi(-(digits as i32));
    // Rounding may have removed the last bits of a probability of 1.
    let is_certain = (percent - 100.0).abs() < 1e-9;
    if percent > 0.0 && percent < least / 2.0 {
        format!("< {least:.digits$} %")
    } else if percent > 100.0 - least / 2.0 && !is_certain {
        format!("> {:.digits$} %", 100.0 - least)
    } else {
        format!("{percent:.digits$} %")
    }
}

/// The optional columns of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// True if each row is an outcome of all units together.
    pub joint: bool,
    /// True if rows are outcomes by step of a sequence.
    pub steps: bool,
}

impl Shape {
    /// Returns the shape of the answers to a question.
    pub fn from_question(question: &dyn QuestionInfo) -> Shape {
        Shape { joint: question.is_joint(), steps: question.points() == Some("step") }
    }
}

/// A table to be written: typed columns, rows, and what is needed to reproduce it.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub columns: Vec<(&'static str, Column)>,
    pub rows: Vec<Vec<Cell>>,
    /// Further columns for JSON only, one value per row.
    pub json_only: Vec<(&'static str, Vec<serde_json::Value>)>,
    /// Further lists in addition to the rows, for JSON only.
    pub lists: Vec<(&'static str, serde_json::Value)>,
    pub meta: Meta,
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

/// Returns the columns that only JSON has: the catalogue entry of a unit, and the end of each unit
/// if a row describes all units.
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
    let expected: Vec<_> = json::expected(expected).chain(means).collect();
    if !expected.is_empty() {
        lists.push(("expected", expected.into()));
    }
    let waiting = counts.filter(|counts| counts.awaited > 0);
    lists.extend(waiting.map(|counts| ("waiting", counts.waiting_in_json())));
    lists
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Text,
    Integer,
    Float,
    Boolean,
}

/// Returns the columns of a table, in order.
pub fn columns(shape: Shape) -> Vec<(&'static str, Column)> {
    let mut columns = vec![("case", Column::Integer)];
    if shape.steps {
        columns.push(("step", Column::Integer));
    }
    columns.extend([
        ("slot", Column::Integer),
        ("unit", Column::Text),
        ("phase", Column::Integer),
        ("status", Column::Text),
        ("counter", Column::Text),
        ("wounded", Column::Boolean),
    ]);
    if shape.joint {
        columns.push(("outcome", Column::Text));
    }
    columns.extend(figure_columns());
    columns
}

/// Returns the columns of a probability, in order.
pub fn figure_columns() -> [(&'static str, Column); 7] {
    [
        ("probability", Column::Float),
        ("std_error", Column::Float),
        ("ci_low", Column::Float),
        ("ci_high", Column::Float),
        ("count", Column::Integer),
        ("trials", Column::Integer),
        ("fraction", Column::Text),
    ]
}

/// Returns the cells of a probability, in the order of [`figure_columns`].
pub fn figure_cells(figure: &Estimate) -> [Cell; 7] {
    let interval = figure.interval();
    let (count, trials) = figure.counted().unzip();
    let fraction = if let Estimate::Exact { fraction, .. } = figure { *fraction } else { None };
    let integer =
        |number: Option<u64>| Cell::optional(number, |number| Cell::Integer(number as i64));
    [
        Cell::Float(figure.probability()),
        Cell::optional(figure.std_error(), Cell::Float),
        Cell::optional(interval, |(low, _)| Cell::Float(low)),
        Cell::optional(interval, |(_, high)| Cell::Float(high)),
        integer(count),
        integer(trials),
        Cell::optional(fraction, |fraction| Cell::Text(fraction.to_string())),
    ]
}

impl Row {
    /// Returns the cells of the row, in the order of [`columns`].
    pub fn cells(&self, shape: Shape) -> Vec<Cell> {
        let Label { slot, unit, phase, step, status, counter, wounded, outcome, .. } = &self.label;
        let text = |text: &String| Cell::Text(text.clone());
        let mut cells = vec![Cell::Integer(self.case as i64)];
        if shape.steps {
            cells.push(Cell::optional(*step, |step| Cell::Integer(step.into())));
        }
        cells.extend([
            Cell::optional(*slot, |slot| Cell::Integer(slot.into())),
            Cell::optional(unit.as_ref(), text),
            Cell::optional(*phase, |phase| Cell::Integer(phase.into())),
            Cell::optional(*status, |status| Cell::Text(status.to_string())),
            Cell::optional(counter.as_ref(), text),
            Cell::optional(*wounded, Cell::Boolean),
        ]);
        if shape.joint {
            cells.push(Cell::optional(outcome.as_ref(), text));
        }
        cells.extend(figure_cells(&self.figure));
        cells
    }
}

impl Meta {
    /// Returns the metadata known before a question is answered. `command` is the command that
    /// repeats the answer.
    pub fn from_question(question: &dyn QuestionInfo, command: String) -> Meta {
        Meta {
            version: env!("CARGO_PKG_VERSION"),
            command,
            question: question.in_words(),
            footing: question.provenance(),
            notes: question.notes(),
            uncertain: question.uncertain(),
            ..Meta::default()
        }
    }

    /// Adds to the number of states that the exact engine has worked.
    pub fn worked(&mut self, states: usize) {
        self.states = Some(self.states.unwrap_or_default() + states as u64);
    }
}

/// Metadata of a table: what is needed to reproduce it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Meta {
    pub version: &'static str,
    pub command: String,
    pub question: String,
    /// The rules that the answer follows.
    #[serde(flatten, serialize_with = "json::facts")]
    pub footing: Provenance,
    /// The objective by which courses of action are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// `exact`, `monte-carlo`, or `exact+monte-carlo` if only the rows of created units are
    /// estimates. Empty if no engine was used.
    #[serde(serialize_with = "json::or_null")]
    pub engine: &'static str,
    /// `integer`, `float`, or null for Monte Carlo.
    pub arithmetic: Option<&'static str>,
    /// Number of states worked or solved exactly, over all parts of the answer. Null if unknown, or
    /// for Monte Carlo.
    pub states: Option<u64>,
    /// The reason why Monte Carlo replaced an exact answer, or why it simulated the rules without
    /// a transition table.
    pub reason: Option<String>,
    pub sampler: Option<&'static str>,
    pub seed: Option<u64>,
    pub trials: Option<u64>,
    /// Requested half-width of the 95 % intervals, as a fraction (0 to 1).
    pub precision: Option<f64>,
    /// Number of trials in the pilot run that chose `trials`. The pilot run contributes to no
    /// estimate.
    pub pilot_trials: Option<u64>,
    /// Number of first rolls whose combinations are all played.
    pub stratify: Option<u32>,
    /// Method of the intervals of estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<&'static str>,
    /// Upper bound of the total probability of outcomes never sampled, for each unit at each
    /// report. Null if every possible outcome has a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountProvenance>,
    pub notes: Vec<String>,
    /// Uncertain values that the answer depends on.
    pub uncertain: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_never_round_to_0_or_100() {
        assert_eq!(percent(5.0 / 18.0), "27.78 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(1.0), "100.00 %");
        assert_eq!(percent(0.000012), "< 0.01 %");
        assert_eq!(percent(0.00006), "0.01 %");
        assert_eq!(percent(0.99993), "99.99 %");
        assert_eq!(percent(0.99999), "> 99.99 %");
        assert_eq!(percent(1.0 - 1e-8), "> 99.99 %");
        assert_eq!(percent_to(0.000012, 4), "0.0012 %");
        assert_eq!(percent_to(1.0 / 3.0, 0), "33 %");
        assert_eq!(format!("{:.4}", Estimate::plain(0.000012)), "0.0012 %");
        assert_eq!(
            (percent(1.0 - 1e-15).as_str(), percent(1.0 + 1e-15).as_str()),
            ("100.00 %", "100.00 %")
        );
        assert_eq!(percent(1e-13), "< 0.01 %");
    }
}
