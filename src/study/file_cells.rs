//! The answers of a study file: one cell per combination of the values of its varied fields.

use std::ops::Range;

use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3Default;

use super::file::Study;
use super::grid::{
    AnsweredCell, CellAnswer, CellCounts, CellFacts, Grid, Longest, RowHash, StudyInfo,
    with_requested_table,
};
use super::number::{self, in_words, success_by_point};
use super::number_table::{Layout, TableDescription};
use answer::counts;
use answer::table;
use answer::{
    Cell, Counting, Estimate, Meta, Options, Provenance, QuestionFacts, QuestionInfo,
    SharedSetting, Success, Table, UnitCounts,
};
use engine::process::ReportIndex;
use play::files::values::with;
use play::{DynQuestion, Form};

impl Study {
    fn form(&self, case: usize) -> Result<Box<dyn Form>, String> {
        with(self.base.form().boxed(), self.swept_values(case)).map_err(|fault| fault.to_string())
    }

    /// Describes the question of the study in one line.
    pub(super) fn in_words(&self) -> String {
        let form = self.base.form();
        self.grid.in_words(form.kind().name, form.canonical(None))
    }

    /// Fills in what all cells share; `layout` is that of the requested table, if any.
    pub(super) fn described(mut self, layout: Option<Layout>) -> Study {
        let first = self.question(0).ok();
        let words = first.as_ref().map(|question| question.words());
        let facts = words.map(|words| words.facts());
        let shape = words.map_or(table::Shape::default(), table::Shape::from_question);
        let held: Vec<SharedSetting> = self
            .finished(0)
            .map_or(Vec::new(), |question| question.words().details().shared_settings);
        let described = |(words, layout): (&dyn QuestionInfo, Layout)| {
            let question = self.in_words();
            let (words, style) = self.telling.in_words(words);
            let is_minimized = self.telling.is_minimized();
            TableDescription { question, words, style, is_minimized, layout }
        };
        let table = words.zip(layout.clone()).map(described);
        self.info = StudyInfo {
            identity: self.identity(layout.as_ref()),
            cells: self.grid.cells(),
            swept_columns: self.grid.columns(),
            answer_columns: table::columns(shape),
            count_columns: facts
                .filter(|_| self.counts.is_some())
                .map(|facts| counts::columns(facts.points)),
            rules: Provenance::of_study(held, |field| self.grid.sweeps(field), self.settings()),
            headline: facts.filter(|facts| !facts.is_joint).and_then(|facts| in_words(&facts)),
            needs_facts: table.is_some(),
            charted: table.clone(),
            table,
            ..self.info.clone()
        };
        self
    }

    /// Returns the kind, all fields, and the requested counts and table, as JSON.
    fn identity(&self, layout: Option<&Layout>) -> String {
        let (kind, base) = (self.base.form().kind().name, self.base.form().canonical(None));
        let mut requested = json!({ "kind": kind, "base": base, "grid": self.grid.to_json() });
        if let Some(group) = self.counts {
            requested["counts"] = group.name.into();
        }
        with_requested_table(requested, layout, self.telling.name())
    }

    /// Returns the [`success_of_unit`] of grid cell `case` (0-based).
    pub(super) fn success(&self, case: usize) -> Option<Success> {
        self.question(case).ok().and_then(|question| success_of_unit(&question.words().facts()))
    }

    /// Returns the rows and facts of grid cell `case` (0-based) from an answer. `question` is the
    /// question of this cell, or a longer one with the same [`RowHash::on`].
    fn answered(
        &self,
        case: usize,
        question: &dyn DynQuestion,
        answer: &Table,
        options: &Options,
    ) -> CellAnswer {
        let shared = question.words().facts();
        let counts = answer.counts.as_ref().map_or_else(Vec::new, |counts| counts.cells(1));
        let by_phase = success_of_unit(&shared).map_or(Vec::new(), |success| {
            success_by_point(&answer.rows, success, shared.units.into())
        });
        let by_phase: Vec<(i64, f64)> =
            by_phase.iter().map(|(point, figure)| (*point, figure.probability())).collect();
        let mut told = None;
        if self.info.table.is_some() {
            let (form, answer) = (self.form(case)?, || Ok(answer.clone()));
            let number = self.telling.number(form.as_ref(), question, answer, options);
            told = number.map_err(|error| error.to_string())?.0.as_ref().map(number::cell_value);
        }
        let is_drawn = |counts: &UnitCounts| counts.footing.trials.is_some();
        let facts = CellFacts {
            told,
            counted: self.counts.map(|_| CellCounts {
                rows: counts.len(),
                estimated: answer.counts.as_ref().is_some_and(is_drawn),
            }),
            estimated: answer.rows.iter().any(|row| !matches!(row.figure, Estimate::Exact { .. })),
            unseen: answer.meta.unseen,
            hoped: by_phase.last().map(|(_, hoped)| *hoped),
            by_phase: if self.has_phases { by_phase } else { Vec::new() },
            ..CellFacts::default()
        };
        let rows = answer.rows.iter().map(|row| row.cells(answer.shape)).collect();
        Ok(AnsweredCell { rows, counts, facts })
    }
}

/// Returns the statuses that count as success for the last unit; `None` for rows of whole stacks.
fn success_of_unit(facts: &QuestionFacts) -> Option<Success> {
    number::success(facts).filter(|_| !facts.is_joint)
}

impl Grid for Study {
    fn info(&self) -> &StudyInfo {
        &self.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.grid.cells_of(case)
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        let form = self.form(case)?;
        let question = form.finish().map_err(|error| error.fault.to_string())?;
        Ok(Value::Object(form.canonical(Some(question.as_ref()))).to_string())
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        Ok(self.answer_part(case, None, options, meta)?.0)
    }

    /// Returns no hashes for a requested table, since its numbers may depend on more than rows.
    fn row_hashes(&self, part: Range<usize>) -> Vec<Option<RowHash>> {
        let mut rests = vec![None; part.len()];
        if self.info.table.is_none() {
            let rest = |form: &dyn Form| {
                let mut on = Xxh3Default::new();
                let until = form.finish().ok()?.rest_on(&mut on)?;
                Some(RowHash { on: on.digest128(), until })
            };
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
            return Ok((answered, None));
        }
        // Every cell was checked when the file was read, so an error is unexpected.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let counting = self.counts.map(|group| Counting {
            group: Some(group),
            is_requested: true,
            ..Counting::IMPLICIT
        });
        let counted = Options { counts: counting, ..*options };
        let table = question.answer(&counted, meta.clone()).map_err(|error| error.to_string())?;
        let answered = self.answered(case, question.as_ref(), &table, options)?;
        Ok((answered, Some(Longest { question, table })))
    }
}
