//! The interface between a study and its runner: the cells and their answers.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::file::Study;
use super::number::{self, in_words, success_by_point};
use super::number_table::{CellValue, Layout, StudyBoard, TableDescription};
use crate::table::{self, Cell, Column, Estimate, Meta, Table};
use engine::process::ReportIndex;
use files::values::with;
use system::answer::Options;
use system::counting::Counting;
use system::counts::{self, UnitCounts};
use system::dyn_question::DynQuestion;
use system::form::Form;
use system::{Provenance, Success};

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
/// [`QuestionInfo::hash_inputs`](system::QuestionInfo::hash_inputs).
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
    question: Box<dyn DynQuestion>,
    table: Table,
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

impl Study {
    /// Returns the filled-in form of a cell (0-based).
    fn form(&self, case: usize) -> Result<Box<dyn Form>, String> {
        with(self.base.form().boxed(), self.swept_values(case)).map_err(|fault| fault.to_string())
    }

    /// Returns the question of the study in one line.
    pub(super) fn in_words(&self) -> String {
        let form = self.base.form();
        self.grid.in_words(form.kind().name, form.canonical(None))
    }

    /// Returns the statuses that count as success for the last unit of a cell. `None` if rows
    /// describe whole stacks, or nothing counts as success.
    pub(super) fn success(&self, case: usize) -> Option<Success> {
        let question = self.question(case).ok().filter(|question| !question.words().is_joint())?;
        Some(question.words().success()).filter(|success| !success.statuses.is_empty())
    }

    /// Answers a cell (0-based) and returns all its facts, including those by phase, and the answer
    /// itself.
    pub(super) fn answer_by_phase(
        &self,
        case: usize,
        options: &Options,
        meta: &Meta,
    ) -> Result<(AnsweredCell, Longest), String> {
        // Every cell was checked when the file was read. If one fails now, the error is reported.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let counting = self.counts.map(|group| Counting {
            group: Some(group),
            is_requested: true,
            ..Counting::IMPLICIT
        });
        let counted = Options { counts: counting, ..*options };
        let table = question.answer(&counted, meta.clone()).map_err(|error| error.to_string())?;
        let answered = self.answered(case, question.as_ref(), &table, options)?;
        Ok((answered, Longest { question, table }))
    }

    /// Returns the rows and facts of a cell (0-based) from an answer. `question` is the question of
    /// the cell, or a longer one with the same [`RowHash::on`].
    fn answered(
        &self,
        case: usize,
        question: &dyn DynQuestion,
        answer: &Table,
        options: &Options,
    ) -> CellAnswer {
        let words = question.words();
        let counts = answer.counts.as_ref().map_or_else(Vec::new, |counts| counts.cells(1));
        let success = Some(words.success())
            .filter(|success| !success.statuses.is_empty() && !words.is_joint());
        let by_phase: Vec<(i64, f64)> = success
            .map_or(Vec::new(), |success| {
                success_by_point(&answer.rows, success, words.units().into())
            })
            .into_iter()
            .map(|(point, figure)| (point, figure.probability()))
            .collect();
        let shown = match &self.layout {
            None => None,
            Some(_) => {
                let form = self.form(case)?;
                let answer = || Ok(answer.clone());
                let number = self.telling.number(form.as_ref(), question, answer, options);
                number.map_err(|error| error.to_string())?.0.as_ref().map(number::cell_value)
            }
        };
        let is_drawn = |counts: &UnitCounts| counts.footing.trials.is_some();
        let facts = CellFacts {
            told: shown,
            counted: self.counts.map(|_| CellCounts {
                rows: counts.len(),
                estimated: answer.counts.as_ref().is_some_and(is_drawn),
            }),
            estimated: answer.rows.iter().any(|row| !matches!(row.figure, Estimate::Exact { .. })),
            unseen: answer.meta.unseen,
            hoped: by_phase.last().map(|(_, hoped)| *hoped),
            by_phase,
            ..CellFacts::default()
        };
        Ok(AnsweredCell {
            rows: answer
                .rows
                .iter()
                .map(|row| row.cells(table::Shape::from_question(words)))
                .collect(),
            counts,
            facts,
        })
    }
}

/// Removes the facts by phase, which the summary of a grid does not use.
fn without_phases(answered: AnsweredCell) -> AnsweredCell {
    AnsweredCell { facts: CellFacts { by_phase: Vec::new(), ..answered.facts }, ..answered }
}

impl Grid for Study {
    fn text(&self) -> &str {
        &self.text
    }

    /// Returns the kind, the base fields and the swept values as JSON, with the requested counts
    /// and table.
    fn identity(&self) -> String {
        let (kind, base) = (self.base.form().kind().name, self.base.form().canonical(None));
        let mut requested = json!({ "kind": kind, "base": base, "grid": self.grid.to_json() });
        if let Some(group) = self.counts {
            requested["counts"] = group.name.into();
        }
        with_requested_table(requested, self.layout.as_ref(), self.telling.name())
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.grid.cells()
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        self.grid.columns()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.grid.cells_of(case)
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        table::columns(self.question(0).map_or(table::Shape::default(), |question| {
            table::Shape::from_question(question.words())
        }))
    }

    fn count_columns(&self) -> Option<Vec<(&'static str, Column)>> {
        self.counts?;
        self.question(0).ok().map(|question| counts::columns(question.words().points()))
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        let form = self.form(case)?;
        let question = form.finish().map_err(|error| error.fault.to_string())?;
        Ok(Value::Object(form.canonical(Some(question.as_ref()))).to_string())
    }

    fn table_description(&self) -> Option<TableDescription> {
        let layout = self.layout.clone()?;
        let question = self.question(0).ok()?;
        let (words, style) = self.telling.in_words(question.words());
        let is_minimized = self.telling.is_minimized();
        Some(TableDescription { question: self.in_words(), words, style, is_minimized, layout })
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        Ok(without_phases(self.answer_by_phase(case, options, meta)?.0))
    }

    /// Returns no hashes if a table is requested: its number may depend on more than the rows.
    fn row_hashes(&self, part: Range<usize>) -> Vec<Option<RowHash>> {
        let mut rests = vec![None; part.len()];
        if self.layout.is_none() {
            let rest = |form: &dyn Form| RowHash::from_question(form.finish().ok()?.as_ref());
            let mut show = |case, form: &dyn Form| {
                rests[case - part.start] = rest(form);
                Ok(())
            };
            // A cell whose form cannot be filled in has no hash.
            let _ = self.each(&part, &mut show);
        }
        rests
    }

    fn answer_part(
        &self,
        case: usize,
        longest: Option<(&Longest, ReportIndex)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(AnsweredCell, Option<Longest>), String> {
        let part = longest
            .and_then(|(Longest { question, table }, until)| Some((question, table.until(until)?)));
        if let Some((question, table)) = part {
            let answered = self.answered(case, question.as_ref(), &table, options)?;
            return Ok((without_phases(answered), None));
        }
        let (answered, answer) = self.answer_by_phase(case, options, meta)?;
        Ok((without_phases(answered), Some(answer)))
    }

    fn rules(&self) -> Provenance {
        self.rules_of()
    }

    fn headline(&self) -> Option<(&'static str, &'static str)> {
        let question = self.question(0).ok().filter(|question| !question.words().is_joint())?;
        in_words(question.words())
    }
}
