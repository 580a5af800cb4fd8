//! What a run asks of a study: its cells, and the rows of each.

use super::file::Study;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use super::swept::Sweep;
use crate::system::answer::Options;
use crate::system::{Footing, Hope};
use crate::table::{self, Cell, Column, Meta};

/// The rows of one cell; or in words why there are none.
pub type CellRows = Result<Vec<Vec<Cell>>, String>;

/// A study that can be run, cell by cell.
pub trait Grid: Sync {
    /// The study file, and what else decides the answers.
    fn text(&self) -> &str;
    /// What decides the answers, in one spelling: what only changes the looks of the file does not change it.
    fn identity(&self) -> String {
        self.text().to_string()
    }
    /// What it is about, in its own words.
    fn about(&self) -> Option<&str>;
    /// Number of cells.
    fn cells(&self) -> usize;
    /// Swept fields, with the kinds of their columns.
    fn swept_columns(&self) -> Vec<(&str, Column)>;
    /// The swept values of a cell, from 0.
    fn swept_cells(&self, case: usize) -> Vec<Cell>;
    /// Columns of the answers, after the swept ones; one is `case`.
    fn answer_columns(&self) -> Vec<(&'static str, Column)>;
    /// The rows of a cell, from 0; their `case` counts from 1. Fails in words.
    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows;
    /// The rules that all cells follow.
    fn rules(&self) -> Footing;
    /// What a reader hopes for of the last unit; nothing where rows are of whole stacks.
    fn headline(&self) -> Option<Hope>;
    /// The slot of the last unit of a cell, from 0; rows of later ones are of others.
    fn last_slot(&self, case: usize) -> Option<i64>;

    /// All columns.
    fn columns(&self) -> Vec<(&str, Column)> {
        let mut columns = self.swept_columns();
        columns.extend(self.answer_columns());
        columns
    }
}

/// A hash of a text that stays the same on every machine and in every version, with its name in front.
pub(super) fn fingerprint(text: &str) -> String {
    format!("xxh3-128:{:032x}", xxh3_128(text.as_bytes()))
}

impl Grid for Study {
    fn text(&self) -> &str {
        &self.text
    }

    /// Its canonical request, without what is swept, and the values of that.
    fn identity(&self) -> String {
        let base = self.base.form().understood(None);
        let values = |sweep: &Sweep| json!(sweep.values.iter().map(|placed| placed.value.cell()).collect::<Vec<_>>());
        let grid: Map<String, Value> = self.grid.iter().map(|sweep| (sweep.field.clone(), values(sweep))).collect();
        json!({ "kind": self.base.form().kind().name, "base": base, "grid": grid }).to_string()
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.grid.iter().map(|sweep| sweep.values.len()).product()
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        let kind = |sweep: &Sweep| sweep.values.first().map_or(Column::Text, |placed| placed.value.kind());
        self.grid.iter().map(|sweep| (sweep.field.as_str(), kind(sweep))).collect()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.swept_values(case).map(|(_, placed)| placed.value.cell()).collect()
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        table::columns(self.question(0).map_or(table::Shape::default(), |question| table::Shape::of(question.words())))
    }

    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows {
        // Every cell was checked when the file was read; should one fail all the same, it is not lost in silence.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let shape = table::Shape::of(question.words());
        let answer = question.answer(options, meta.clone()).map_err(|error| error.to_string())?;
        let row = |row: table::Row| table::Row { case: case as u64 + 1, ..row }.cells(shape);
        Ok(answer.rows.into_iter().map(row).collect())
    }

    fn rules(&self) -> Footing {
        self.rules_of()
    }

    fn headline(&self) -> Option<Hope> {
        let question = self.question(0).ok().filter(|question| !question.words().is_joint())?;
        Some(question.words().hoped()).filter(|hope| !hope.statuses.is_empty())
    }

    fn last_slot(&self, case: usize) -> Option<i64> {
        self.question(case).ok().map(|question| question.words().units().into())
    }
}
