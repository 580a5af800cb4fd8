//! The interface between a study and its run. A cell is a combination of varied values, or a case.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::number_table::{CellValue, Layout, Numbers, StudyBoard, TableDescription};
use answer::{Cell, Column, Meta, Options, Provenance, Table};
use engine::process::ReportIndex;
use play::{DynQuestion, EngineRequest};
use render::layout::Digits;

/// The answer of a grid cell, or the reason why the cell has no answer.
pub type CellAnswer = Result<AnsweredCell, String>;

/// The result rows of a grid cell, and the facts about the cell that the summary needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnsweredCell {
    /// Result rows in the order of [`StudyInfo::answer_columns`]; the case number is always 1.
    pub rows: Vec<Vec<Cell>>,
    /// The rows of unit counts, in the order of [`StudyInfo::count_columns`].
    pub counts: Vec<Vec<Cell>>,
    pub facts: CellFacts,
}

impl AnsweredCell {
    pub(super) fn tables(&self) -> [&[Vec<Cell>]; 2] {
        [&self.rows, &self.counts]
    }

    pub(super) fn all_rows(&self) -> usize {
        self.rows.len() + self.counts.len()
    }
}

/// The facts about a grid cell that the summary and the manifest need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellFacts {
    pub rows: usize,
    /// True if any probability of the cell is an estimate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Upper bound of the probability of outcomes that no sequence drew, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// The probability of success at the end of the sequence; `None` if nothing counts as success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hoped: Option<f64>,
    /// Phase, turn or step, and the cumulative probability of success; empty for a grid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_phase: Vec<(i64, f64)>,
    /// The best first choice, if the question has choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<CellCounts>,
    /// The number that the requested table shows; `None` without such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<CellValue>,
}

/// The facts about the unit counts of a grid cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellCounts {
    pub rows: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// A hash of everything that decides the rows of a grid cell except its last report point, and that
/// point. Cells with equal hashes have the same rows up to the earlier of their last points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHash {
    pub on: u128,
    pub until: ReportIndex,
}

/// The answer of the cell that runs longest among cells with equal [`RowHash::on`].
pub struct Longest {
    pub(super) question: Box<dyn DynQuestion>,
    pub(super) table: Table,
}

/// An additional table about the whole study, computed from the facts of its cells.
pub struct Further {
    /// The suffix of its file name after the name of the study, such as `break-even`.
    pub name: &'static str,
    pub columns: Vec<(String, Column)>,
    pub rows: Vec<Vec<Cell>>,
}

/// The parts of a study that do not depend on a cell, filled in once when the study is read.
#[derive(Clone, Debug, Default)]
pub struct StudyInfo {
    /// The text of the study file, and of all other files that decide the answers.
    pub text: String,
    /// The description of the study from its file, if any.
    pub about: Option<String>,
    /// The engine, the number of sequences and the seed of the file.
    pub engine_request: EngineRequest,
    /// A canonical text of what decides the answers, without the file's spacing and comments.
    pub identity: String,
    /// The number of grid cells.
    pub cells: usize,
    /// The names of the varied fields with the types of their columns.
    pub swept_columns: Vec<(String, Column)>,
    /// The columns of the answers, without those of the varied fields; the first is `case`.
    pub answer_columns: Vec<(&'static str, Column)>,
    /// The columns of unit counts, `case` first, without varied fields; `None` if none are counted.
    pub count_columns: Option<Vec<(&'static str, Column)>>,
    /// The rules that all cells follow, and their sources.
    pub rules: Provenance,
    /// The event whose probability sums up a cell, such as `the last unit` and
    /// `rallied after the last phase`. `None` if cells differ in this event.
    pub headline: Option<(&'static str, &'static str)>,
    /// The requested table with one number per cell, if any.
    pub table: Option<TableDescription>,
    /// The table that a chart shows.
    pub charted: Option<TableDescription>,
    /// The map with its units, if the study has one.
    pub board: Option<StudyBoard>,
    /// True if tables or charts of the whole study need the facts of each cell.
    pub needs_facts: bool,
}

/// A study that a run answers cell by cell. A cell is one combination of the varied values.
pub trait Grid: Sync {
    /// Returns what all cells share.
    fn info(&self) -> &StudyInfo;
    /// Returns the values of the varied fields in grid cell `case` (0-based).
    fn swept_cells(&self, case: usize) -> Vec<Cell>;
    /// Returns the canonical request of cell `case` (0-based); equal texts have equal answers.
    fn canonical(&self, case: usize) -> Result<String, String>;
    /// Answers grid cell `case` (0-based).
    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer;
    /// Returns the [`RowHash`] of each cell (0-based); `None`: compare by [`Grid::canonical`].
    fn row_hashes(&self, part: Range<usize>) -> Vec<Option<RowHash>> {
        vec![None; part.len()]
    }
    /// Answers cell `case` (0-based) with the rows of `longest` up to its last report point, or
    /// else by an engine, whose full answer is returned for other cells.
    fn answer_part(
        &self,
        case: usize,
        _longest: Option<(&Longest, ReportIndex)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(AnsweredCell, Option<Longest>), String> {
        self.answer(case, options, meta).map(|answered| (answered, None))
    }
    /// Returns a text about the facts of all cells, in order, which stands before the summary.
    fn preface(&self, _: &[CellFacts]) -> String {
        String::new()
    }
    /// Returns an additional table, computed from the facts of all cells in order, if any.
    fn further(&self, _: &[CellFacts]) -> Option<Further> {
        None
    }
}

impl Numbers {
    /// Returns the numbers of a study for its table from the facts of all cells, in order.
    pub fn from_facts(study: &dyn Grid, facts: &[CellFacts]) -> Numbers {
        let cell =
            |(case, facts): (usize, &CellFacts)| (study.swept_cells(case), facts.told.clone());
        Numbers {
            fields: study.info().swept_columns.iter().map(|(field, _)| field.clone()).collect(),
            cells: facts.iter().enumerate().map(cell).collect(),
            digits: Digits::default(),
        }
    }
}

/// Adds the requested table to the canonical text of a study; without a table only serialises it.
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
