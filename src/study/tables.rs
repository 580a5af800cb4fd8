//! The result tables of a study, written as Parquet and CSV.

use std::path::Path;

use polars::prelude::{DataFrame, PolarsError};

use super::disk::{FileError, Unfinished};
use super::grid::{Grid, StudyInfo};
use super::run_error::RunError;
use crate::frame::{self, RowGroups};
use answer::Column;
use engine::monitor::Monitor;

/// The column with the 1-based number of the cell, which every row has.
pub(super) const CASE: &str = "case";

pub(super) struct Table<'a> {
    /// The index (0-based) among the tables of the study.
    pub place: usize,
    /// The suffix after the name of the study, such as `-counts`.
    pub of: &'static str,
    /// The columns of the varied fields, then the columns of the answers.
    pub columns: Vec<(&'a str, Column)>,
}

/// Returns the result tables of a study: the answers, then the unit counts if there are any.
pub(super) fn tables(study: &dyn Grid) -> Vec<Table<'_>> {
    let StudyInfo { swept_columns, answer_columns, count_columns, .. } = study.info();
    let swept = swept_columns.iter().map(|(field, kind)| (field.as_str(), *kind));
    let table = |place, of, own: &[(&'static str, Column)]| {
        let columns = swept.clone().chain(own.iter().copied()).collect();
        Table { place, of, columns }
    };
    let counts = count_columns.as_ref().map(|own| table(1, "-counts", own));
    [table(0, "", answer_columns)].into_iter().chain(counts).collect()
}

pub(super) type Takes<'a> = &'a mut dyn FnMut(DataFrame) -> Result<(), RunError>;

/// The rows of all tables of a study, or of one shard of it.
pub(super) trait Rows {
    /// Passes the rows of a table to a callback, in the order of cells, a part at a time.
    fn each(&self, table: &Table, take: Takes) -> Result<(), RunError>;
}

/// Writes a table as Parquet with `meta` as key-value metadata, and as CSV if there is a file for
/// it. Fails if a file cannot be written, or `watch` cancels; `cells` is the number of cells.
pub(super) fn write_table(
    table: &Table,
    rows: &dyn Rows,
    meta: Vec<(String, String)>,
    (parquet, mut csv): (&mut Unfinished, Option<&mut Unfinished>),
    (watch, cells): (Monitor, usize),
) -> Result<(), RunError> {
    let path = parquet.path().to_path_buf();
    let fault = polars_fault(&path);
    let mut groups = RowGroups::begin(&table.columns, meta, parquet).map_err(&fault)?;
    let mut header = true;
    rows.each(table, &mut |mut rows| {
        let interrupted = |_| RunError::Interrupted { kept: cells, cells };
        watch.check_cancelled().map_err(interrupted)?;
        if let Some(csv) = &mut csv {
            let path = csv.path().to_path_buf();
            frame::write_csv_block(&mut rows, std::mem::take(&mut header), csv)
                .map_err(polars_fault(&path))?;
        }
        groups.add(rows).map_err(&fault)
    })?;
    groups.finish().map_err(&fault)
}

pub(super) fn polars_fault(path: &Path) -> impl Fn(PolarsError) -> RunError + '_ {
    |error| RunError::File(FileError::at_path(path)(frame::as_io(error)))
}
