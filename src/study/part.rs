//! The part file of a run: the finished cells of a study, or of one shard of it. A cell is one
//! combination of varied values. The result tables are written from its rows. The file is only
//! appended to. A record is a line with the facts of some cells of one block, and then their rows,
//! as one Parquet table after the other. The line begins with a hash of the record. Reading stops
//! at the first record of another hash or version; the cells from there on are answered again.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Cursor, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use polars::prelude::{
    DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader as _, SortMultipleOptions,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::disk::{DiskFile, DiskOp, FileError, Unfinished};
use super::grid::{AnsweredCell, CellFacts, Grid, StudyInfo};
use super::manifest::Identity;
use super::options::BLOCK;
use super::run_error::RunError;
use crate::frame::{self, RowGroups};
use answer::{Cell, Column};
use engine::monitor::Monitor;

const VERSION: u32 = 2;

const MOST_LINE: u64 = 1 << 28;

/// The length of the hash at the start of a line, with the space after it.
const HASH: usize = 17;

/// A cell (0-based) with its answer, which equal cells share.
pub(super) type FinishedCell = (usize, Arc<AnsweredCell>);

#[derive(Serialize, Deserialize)]
struct RecordHead {
    version: u32,
    identity: Identity,
    block: usize,
    facts: BTreeMap<usize, CellFacts>,
    tables: Vec<u64>,
}

pub(super) struct PartFile<'a> {
    file: DiskFile<'a>,
    identity: &'a Identity,
    end: u64,
    /// The places of the tables of each record, by block.
    records: BTreeMap<usize, Vec<Vec<Range<u64>>>>,
    pub cells: usize,
    /// The facts of finished cells (0-based), until they are taken.
    facts: BTreeMap<usize, CellFacts>,
}

impl<'a> PartFile<'a> {
    /// Reads the part file of a run, which may be empty. Fails if it belongs to another run.
    pub fn read(
        file: DiskFile<'a>,
        study: &dyn Grid,
        identity: &'a Identity,
    ) -> Result<PartFile<'a>, RunError> {
        let (records, facts) = (BTreeMap::new(), BTreeMap::new());
        let DiskFile { disk, path, .. } = &file;
        let (disk, path) = (*disk, path.clone());
        let opened = disk.does(DiskOp::Read, &path, |_| file.file.try_clone())?;
        let mut part = PartFile { file, identity, end: 0, records, cells: 0, facts };
        let (mut reader, tables) = (BufReader::new(opened), tables(study).len());
        let mut next = || next(&mut reader, tables);
        while let Some((head, line)) = next().map_err(FileError::at_path(&path))? {
            identity.check_kept(&head.identity, &path)?;
            let is_new = |case: &usize| {
                case / BLOCK == head.block && *case < identity.cells && !part.has(*case)
            };
            if !head.facts.keys().all(is_new) {
                break;
            }
            part.add(head, line);
        }
        disk.does(DiskOp::Write, &path, |_| part.file.file.set_len(part.end))?;
        Ok(part)
    }

    /// Returns whether a cell (0-based) is finished, and its facts were not taken yet.
    pub fn has(&self, case: usize) -> bool {
        self.facts.contains_key(&case)
    }

    /// Takes the facts of all finished cells (0-based) of a block. Blocks must come in order.
    pub fn take_facts(&mut self, block: usize) -> BTreeMap<usize, CellFacts> {
        let later = self.facts.split_off(&((block + 1) * BLOCK));
        std::mem::replace(&mut self.facts, later)
    }

    /// Appends finished cells of a block. Cells that could not be written leave no trace.
    pub fn append(
        &mut self,
        study: &dyn Grid,
        block: usize,
        mut finished: Vec<FinishedCell>,
    ) -> Result<(), RunError> {
        finished.sort_by_key(|(case, _)| *case);
        let (mut rows, mut lengths) = (Vec::new(), Vec::new());
        for table in tables(study) {
            let mut bytes = Vec::new();
            let frame = frame(study, &table, &finished);
            let written =
                frame.and_then(|mut frame| frame::write_parquet_for_now(&mut frame, &mut bytes));
            written.map_err(polars_fault(&self.file.path))?;
            lengths.push(bytes.len() as u64);
            rows.extend(bytes);
        }
        let facts = finished.iter().map(|(case, answered)| {
            (*case, CellFacts { rows: answered.rows.len(), ..answered.facts.clone() })
        });
        let (facts, identity) = (facts.collect(), self.identity.clone());
        let head = RecordHead { version: VERSION, identity, block, facts, tables: lengths };
        let json =
            serde_json::to_string(&head).map_err(FileError::at_path(&self.file.path))? + "\n";
        let line = format!("{:016x} {json}", hash(json.as_bytes(), &rows));
        // A failed write leaves the place as it is. Without sync, lost cells are answered again.
        let written = self
            .file
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&[line.as_bytes(), &rows].concat()));
        written.map_err(FileError::at_path(&self.file.path))?;
        self.add(head, line.len() as u64);
        Ok(())
    }

    /// Enters a record that stands at the end; `line` is the length of its line.
    fn add(&mut self, RecordHead { block, facts, tables, .. }: RecordHead, line: u64) {
        self.end += line;
        let take = |length: u64| {
            self.end += length;
            self.end - length..self.end
        };
        let tables = tables.into_iter().map(take).collect();
        self.records.entry(block).or_default().push(tables);
        self.cells += facts.len();
        self.facts.extend(facts);
    }
}

impl Rows for PartFile<'_> {
    fn each(&self, table: &Table, take: Takes) -> Result<(), RunError> {
        let DiskFile { disk, path, file } = &self.file;
        let fault = polars_fault(path);
        for records in self.records.values() {
            let mut rows = frame::frame(&table.columns, &[]).map_err(&fault)?;
            for record in records {
                let Range { start, end } = record[table.place];
                let (mut bytes, mut file) = (vec![0; (end - start) as usize], file);
                disk.does(DiskOp::Read, path, |_| {
                    file.seek(SeekFrom::Start(start))?;
                    file.read_exact(&mut bytes)
                })?;
                let own = ParquetReader::new(Cursor::new(bytes)).finish().map_err(&fault)?;
                rows.vstack_mut(&own).map_err(&fault)?;
            }
            if records.len() > 1 {
                let in_order = SortMultipleOptions::default().with_maintain_order(true);
                rows = rows.sort([CASE], in_order).map_err(&fault)?;
            }
            take(rows)?;
        }
        Ok(())
    }
}

impl Drop for PartFile<'_> {
    fn drop(&mut self) {
        // A file that stays behind does no harm, so errors are ignored.
        let DiskFile { disk, path, file } = &self.file;
        if file.metadata().is_ok_and(|file| file.len() == 0) {
            let _ = disk.remove(path);
        }
    }
}

fn hash(json: &[u8], rows: &[u8]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(json);
    hash.update(rows);
    hash.digest()
}

/// Reads the next record and the length of its line; `None` if damaged or of another version.
fn next(reader: &mut impl BufRead, tables: usize) -> io::Result<Option<(RecordHead, u64)>> {
    let (mut line, mut rows) = (Vec::new(), Vec::new());
    reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut line)?;
    let Some((stated, json)) = line.split_at_checked(HASH) else { return Ok(None) };
    let head = serde_json::from_slice(json).ok();
    let head =
        head.filter(|head: &RecordHead| head.version == VERSION && head.tables.len() == tables);
    let Some(head) = head else { return Ok(None) };
    let length = head.tables.iter().fold(0, |sum: u64, own| sum.saturating_add(*own));
    reader.by_ref().take(length).read_to_end(&mut rows)?;
    let is_whole = *stated == *format!("{:016x} ", hash(json, &rows)).as_bytes();
    let is_whole = is_whole && rows.len() as u64 == length;
    Ok(is_whole.then_some((head, line.len() as u64)))
}

fn frame(study: &dyn Grid, table: &Table, finished: &[FinishedCell]) -> PolarsResult<DataFrame> {
    // Varied values and the cell's number replace the first column, in which an answer has 1.
    let front = |case: usize| [study.swept_cells(case), vec![Cell::Integer(case as i64 + 1)]];
    let fronts: Vec<Vec<Cell>> = finished.iter().map(|(case, _)| front(*case).concat()).collect();
    let rows = finished.iter().zip(&fronts).flat_map(|((_, answered), front)| {
        answered.tables()[table.place].iter().map(move |row| (front, row))
    });
    let rows: Vec<(&Vec<Cell>, &Vec<Cell>)> = rows.collect();
    let column = |(place, (name, kind)): (usize, &(&str, _))| {
        let cells = rows
            .iter()
            .map(|(front, row)| front.get(place).unwrap_or_else(|| &row[place + 1 - front.len()]));
        frame::column(name, *kind, cells)
    };
    DataFrame::new(rows.len(), table.columns.iter().enumerate().map(column).collect())
}

/// The column with the 1-based number of the cell, which every row has.
const CASE: &str = "case";

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

/// Writes a table as Parquet with `meta`, and as CSV if there is a file. `cells` is their number.
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
