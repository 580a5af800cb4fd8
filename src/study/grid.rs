//! The interface between a study and its runner: the cells and their answers.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::number_table::{CellValue, Layout, Numbers, StudyBoard, TableDescription};
use answer::meta::Meta;
use answer::options::Options;
use answer::provenance::Provenance;
use answer::sheet::{Cell, Column};
use answer::table::Table;
use engine::process::ReportIndex;
use play::dyn_question::DynQuestion;
use render::layout::Digits;

/// The answer of a cell, or the message that says why there is none.
pub type CellAnswer = Result<AnsweredCell, String>;

/// The rows of a cell, and its facts for the summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnsweredCell {
    /// Rows in the order of [`Grid::answer_columns`], with the case numbered 1.
    pub rows: Vec<Vec<Cell>>,
    /// Rows of unit counts in the order of [`Grid::count_columns`].
    pub counts: Vec<Vec<Cell>>,
    pub facts: CellFacts,
}

impl AnsweredCell {
    /// Returns the rows of each table, in the order of [`tables`].
    pub(super) fn tables(&self) -> [&[Vec<Cell>]; 2] {
        [&self.rows, &self.counts]
    }

    /// Returns the facts, with the number of rows filled in.
    pub(super) fn with_row_count(&self) -> CellFacts {
        CellFacts { rows: self.rows.len(), ..self.facts.clone() }
    }

    /// Returns the number of rows of all tables.
    pub(super) fn all_rows(&self) -> usize {
        self.rows.len() + self.counts.len()
    }
}

/// Facts of a cell that the summary and the manifest need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellFacts {
    /// The number of rows.
    pub rows: usize,
    /// Whether any probability of the cell is an estimate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Upper bound of the probability of outcomes that no sequence drew. `None` if every possible
    /// outcome has a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// The probability of success at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hoped: Option<f64>,
    /// The cumulative probability of success by phase, turn or step; empty in a grid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_phase: Vec<(i64, f64)>,
    /// The best first choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Facts of the unit counts, if the study counts units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<CellCounts>,
    /// The number that the table shows, if the file asks for a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<CellValue>,
}

/// Facts of the unit counts of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellCounts {
    /// The number of rows of the counts.
    pub rows: usize,
    /// Whether the counts are estimates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// A hash of everything that decides the rows of a cell, and its last report point. Cells with the
/// same hash differ only in that point: see
/// [`QuestionInfo::hash_inputs`](answer::question_info::QuestionInfo::hash_inputs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHash {
    pub on: u128,
    pub until: ReportIndex,
}

impl RowHash {
    /// Returns the hash of a question and its last point, if the question knows them.
    pub(super) fn from_question(question: &dyn DynQuestion) -> Option<RowHash> {
        let mut on = Xxh3Default::new();
        question.rest_on(&mut on).map(|until| RowHash { on: on.digest128(), until })
    }
}

/// The answer of the longest cell among those with the same [`RowHash::on`].
pub struct Longest {
    pub(super) question: Box<dyn DynQuestion>,
    pub(super) table: Table,
}

/// The name and columns of a result table of the study.
pub(super) struct Tabled<'a> {
    /// The suffix after the name of the study, such as `-counts`.
    pub of: &'static str,
    /// The swept columns, then the columns of the answers.
    pub columns: Vec<(&'a str, Column)>,
}

/// A further table about the whole study, computed from the facts of its cells.
pub struct Further {
    /// The suffix after the name of the study, such as `break-even`.
    pub name: &'static str,
    pub columns: Vec<(String, Column)>,
    pub rows: Vec<Vec<Cell>>,
}

/// A study that a runner answers cell by cell.
pub trait Grid: Sync {
    /// Returns the text of the study file, and of further files that decide the answers.
    fn text(&self) -> &str;
    /// Returns a canonical text of everything that decides the answers. Layout and comments of the
    /// file do not change it.
    fn identity(&self) -> String;
    /// Returns the description in the file, if any.
    fn about(&self) -> Option<&str>;
    /// Returns the number of cells.
    fn cells(&self) -> usize;
    /// Returns the swept fields with the types of their columns.
    fn swept_columns(&self) -> Vec<(&str, Column)>;
    /// Returns the swept values of a cell (0-based).
    fn swept_cells(&self, case: usize) -> Vec<Cell>;
    /// Returns the columns of the answers, which follow the swept columns; the first is `case`.
    fn answer_columns(&self) -> Vec<(&'static str, Column)>;
    /// Returns the columns of the unit counts, which follow the swept columns; the first is `case`.
    /// `None` if the study counts no units.
    fn count_columns(&self) -> Option<Vec<(&'static str, Column)>> {
        None
    }
    /// Returns the canonical request of a cell (0-based). Cells with the same text have the same
    /// answer.
    fn canonical(&self, case: usize) -> Result<String, String>;
    /// Answers a cell (0-based).
    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer;
    /// Returns the [`RowHash`] of each cell of a part (0-based). `None` means that cells can only
    /// be compared by [`Grid::canonical`].
    fn row_hashes(&self, part: Range<usize>) -> Vec<Option<RowHash>> {
        vec![None; part.len()]
    }
    /// Answers a cell (0-based) from the answer of `longest`, up to the last point of this cell.
    /// Without `longest` the cell is answered by an engine, and its own answer is returned too.
    fn answer_part(
        &self,
        case: usize,
        _longest: Option<(&Longest, ReportIndex)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(AnsweredCell, Option<Longest>), String> {
        self.answer(case, options, meta).map(|answered| (answered, None))
    }
    /// Returns the rules that all cells follow.
    fn rules(&self) -> Provenance;
    /// Returns the units and statuses of the probability of success, such as `the last unit` and
    /// `rallied after the last phase`. `None` if cells differ in them.
    fn headline(&self) -> Option<(&'static str, &'static str)>;
    /// Returns the table that a chart shows: the requested one, or by default the probability of
    /// success.
    fn charted(&self) -> Option<TableDescription> {
        self.table_description()
    }
    /// Returns the map whose hexes are swept, with its units.
    fn board(&self) -> Option<StudyBoard> {
        None
    }
    /// Returns the table that the file asks for, with one number per cell.
    fn table_description(&self) -> Option<TableDescription> {
        None
    }
    /// Returns whether tables or charts of the whole study need the facts of each cell.
    fn needs_facts(&self) -> bool {
        self.charted().is_some()
    }
    /// Returns a further table, computed from the facts of all cells.
    fn further(&self, _: &[CellFacts]) -> Option<Further> {
        None
    }
}

/// Returns the tables of a study: the answers, then the unit counts if there are any.
pub(super) fn tables(study: &dyn Grid) -> Vec<Tabled<'_>> {
    let all = [("", Some(study.answer_columns())), ("-counts", study.count_columns())];
    let table = |(of, own): (&'static str, Option<Vec<(&'static str, Column)>>)| {
        Some(Tabled { of, columns: study.swept_columns().into_iter().chain(own?).collect() })
    };
    all.into_iter().filter_map(table).collect()
}

impl<'a> Numbers<'a> {
    /// Returns the numbers of a study; `facts` are those of all cells, in order.
    pub fn from_facts(study: &'a dyn Grid, facts: &[CellFacts]) -> Numbers<'a> {
        let cell =
            |(case, facts): (usize, &CellFacts)| (study.swept_cells(case), facts.told.clone());
        Numbers {
            fields: study.swept_columns().into_iter().map(|(field, _)| field).collect(),
            cells: facts.iter().enumerate().map(cell).collect(),
            digits: Digits::default(),
        }
    }
}

/// Returns a hash of a text with the name of its algorithm in front. It is the same on every
/// machine and in every version.
pub(super) fn fingerprint(text: &str) -> String {
    format!("xxh3-128:{:032x}", xxh3_128(text.as_bytes()))
}

/// Adds the requested table to the canonical text of a study; without one the text stays as it is.
pub(super) fn with_requested_table(
    mut requested: Value,
    layout: Option<&Layout>,
    tell: Option<String>,
) -> String {
    if let Some(layout) = layout {
        requested["table"] = json!({ "tell": tell, "layout": layout });
    }
    requested.to_string()
}
