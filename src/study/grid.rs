//! What a run asks of a study: its cells, and the rows of each.

use super::answer::{Options, answer};
use super::file::Study;
use crate::system::form::Form;
use crate::system::{Asked, Footing, Hope};
use crate::table::{self, Cell, Meta};

/// The rows of one cell; or in words why there are none.
pub type CellRows = Result<Vec<Vec<Cell>>, String>;

/// A study that can be run, cell by cell.
pub trait Grid: Sync {
    /// The study file, and what else decides the answers.
    fn text(&self) -> &str;
    /// What it is about, in its own words.
    fn about(&self) -> Option<&str>;
    /// Number of cells.
    fn cells(&self) -> usize;
    /// Swept fields, with the kinds of their columns.
    fn swept_columns(&self) -> Vec<(&str, table::Kind)>;
    /// The swept values of a cell, from 0.
    fn swept_cells(&self, case: usize) -> Vec<Cell>;
    /// Columns of the answers, after the swept ones; one is `case`.
    fn answer_columns(&self) -> Vec<(&'static str, table::Kind)>;
    /// The rows of a cell, from 0; their `case` counts from 1. Fails in words.
    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows;
    /// The rules that all cells follow.
    fn rules(&self) -> Footing;
    /// What a reader hopes for of the last unit; nothing where rows are of whole stacks.
    fn headline(&self) -> Option<Hope>;
    /// The slot of the last unit of a cell, from 0; rows of later ones are of others.
    fn last_slot(&self, case: usize) -> Option<i64>;

    /// All columns.
    fn columns(&self) -> Vec<(&str, table::Kind)> {
        let mut columns = self.swept_columns();
        columns.extend(self.answer_columns());
        columns
    }
}

impl<F: Form<Filled: Asked>> Grid for Study<F> {
    fn text(&self) -> &str {
        &self.text
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.cells()
    }

    fn swept_columns(&self) -> Vec<(&str, table::Kind)> {
        self.swept_columns()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.swept_cells(case)
    }

    fn answer_columns(&self) -> Vec<(&'static str, table::Kind)> {
        table::columns(self.question(0).map_or(table::Shape::default(), |question| table::Shape::of(&question)))
    }

    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows {
        // Every cell was checked when the file was read; should one fail all the same, it is not lost in silence.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let shape = table::Shape::of(&question);
        let answer = answer(&question, options, meta.clone()).map_err(|error| error.to_string())?;
        let row = |row: table::Row| table::Row { case: case as u64 + 1, ..row }.cells(shape);
        Ok(answer.rows.into_iter().map(row).collect())
    }

    fn rules(&self) -> Footing {
        self.rules_of(|question| question.held())
    }

    fn headline(&self) -> Option<Hope> {
        let question = self.question(0).ok().filter(|question| !question.is_joint())?;
        Some(question.hoped()).filter(|hope| !hope.statuses.is_empty())
    }

    fn last_slot(&self, case: usize) -> Option<i64> {
        self.question(case).ok().map(|question| question.units().into())
    }
}
