//! Files with the finished cells of a running study, and with checkpoints of unfinished cells. A
//! cell is one combination of the varied values.
//!
//! A batch is a Parquet file with the rows of some finished cells. Its metadata holds the identity
//! of the study and the facts of the cells. Its name contains the block of the cells and a hash of
//! the file's bytes. A batch that does not match its hash is damaged, and its cells are answered
//! again. The checkpoints of an unfinished cell have a file of their own.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::{DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader as _};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::disk::{DiskOp, FileError};
use super::grid::{AnsweredCell, CellFacts, Grid, Tabled, tables};
use super::manifest::Identity;
use super::owned::occupied;
use super::run::{BLOCK, RunError};
use super::work_folder::{Name, WorkFolder};
use crate::frame;
use answer::sheet::Cell;
use engine::monitor::Checkpoint;

/// The column with the 1-based number of the cell, which every row has.
pub(super) const CASE: &str = "case";

/// A file with finished cells of one block (a range of consecutive cells).
pub(super) struct Batch {
    pub block: usize,
    pub path: PathBuf,
    pub cells: Vec<usize>,
}

/// The checkpoints of unfinished cells, by the hash of the question of each cell.
pub(super) type CountedBefore = HashMap<u128, Vec<Checkpoint>>;

/// The checkpoints of an unfinished cell. The file starts with a hash of the JSON that follows, in
/// 16 hexadecimal digits.
#[derive(Serialize, Deserialize)]
struct CellCheckpoints {
    identity: Identity,
    asked: u128,
    runs: Vec<Checkpoint>,
}

impl CellCheckpoints {
    fn read(bytes: &[u8]) -> Option<CellCheckpoints> {
        let (hash, json) = bytes.split_at_checked(16)?;
        let hash = u64::from_str_radix(std::str::from_utf8(hash).ok()?, 16).ok()?;
        serde_json::from_slice(json).ok().filter(|_| hash == xxh3_64(json))
    }
}

/// A store for the finished cells of a block.
pub(super) trait Keeps: Sync {
    type Kept: Send;
    fn keep(
        &self,
        study: &dyn Grid,
        block: usize,
        finished: Vec<(usize, Arc<AnsweredCell>)>,
    ) -> Result<Self::Kept, RunError>;
    /// Stores the checkpoints of an unfinished cell, whose question has the hash `key`.
    fn keep_counted(&self, key: u128, runs: Vec<Checkpoint>) -> Result<(), RunError>;
}

impl WorkFolder<'_> {
    /// Returns the batches and checkpoints of a stopped run of this study, and removes damaged
    /// files. Fails if a file belongs to another run, or a disk operation fails.
    pub fn kept(&self) -> Result<(Vec<Batch>, CountedBefore), RunError> {
        let (mut kept, mut counted) = (Vec::new(), HashMap::new());
        for path in self.files()? {
            let Some(name) = Name::read(&path) else { continue };
            let bytes = self.disk.does(DiskOp::Read, &path, |path| fs::read(path))?;
            match name {
                Name::CellCheckpoints(_) => match CellCheckpoints::read(&bytes) {
                    None => self.disk.remove(&path)?,
                    Some(CellCheckpoints { identity, asked, runs }) => {
                        self.check_identity(&path, &identity)?;
                        counted.insert(asked, runs);
                    }
                },
                Name::Batch { block, hash } => match self.batch(&path, block, hash, bytes) {
                    None => self.disk.remove(&path)?,
                    Some((identity, batch)) => {
                        self.check_identity(&path, &identity)?;
                        kept.push(batch);
                    }
                },
            }
        }
        Ok((kept, counted))
    }

    /// Reads a batch and the identity of its run; `None` if the batch is damaged.
    fn batch(
        &self,
        path: &Path,
        block: usize,
        hash: u64,
        bytes: Vec<u8>,
    ) -> Option<(Identity, Batch)> {
        if hash != xxh3_64(&bytes) {
            return None;
        }
        let (identity, facts) = read_metadata(bytes)?;
        let cells: Vec<usize> = facts.into_keys().collect();
        // The hash does not cover the file name, so a copy with another block in its name is
        // rejected.
        let is_own = |case: &usize| case / BLOCK == block && *case < identity.cells;
        cells
            .iter()
            .all(is_own)
            .then(|| (identity, Batch { block, path: path.to_path_buf(), cells }))
    }

    /// Fails if finished cells belong to another run.
    fn check_identity(&self, path: &Path, identity: &Identity) -> Result<(), RunError> {
        match identity.other_than(self.identity) {
            None => Ok(()),
            Some(words) => Err(occupied(
                path,
                format!("the folder has finished cells of another run: {words}"),
            )),
        }
    }

    /// Returns the facts of all cells in some batches, by 0-based cell. Fails if a batch is damaged
    /// or cannot be read.
    pub fn facts(&self, batches: &[PathBuf]) -> Result<BTreeMap<usize, CellFacts>, RunError> {
        let mut all = BTreeMap::new();
        for path in batches {
            let bytes = self.disk.does(DiskOp::Read, path, |path| fs::read(path))?;
            let damaged = || FileError::words(path, "these finished cells are damaged");
            all.extend(read_metadata(bytes).ok_or_else(damaged)?.1);
        }
        Ok(all)
    }
}

impl Keeps for WorkFolder<'_> {
    type Kept = Batch;

    fn keep_counted(&self, key: u128, runs: Vec<Checkpoint>) -> Result<(), RunError> {
        let path = self.path.join(Name::CellCheckpoints(key).to_string());
        let checkpoints = CellCheckpoints { identity: self.identity.clone(), asked: key, runs };
        let json = serde_json::to_string(&checkpoints)
            .map_err(|error| FileError::words(&path, &error.to_string()))?;
        let mut file = self.disk.begin(&path)?;
        file.write_all(format!("{:016x}{json}", xxh3_64(json.as_bytes())).as_bytes())
            .map_err(FileError::at_path(&path))?;
        Ok(file.finish()?)
    }

    /// Stores finished cells of a block, in order, in one file. The file appears complete or not at
    /// all.
    fn keep(
        &self,
        study: &dyn Grid,
        block: usize,
        finished: Vec<(usize, Arc<AnsweredCell>)>,
    ) -> Result<Batch, RunError> {
        let numbered =
            |(case, answered): &(usize, Arc<AnsweredCell>)| (*case, answered.with_row_count());
        let facts: BTreeMap<usize, CellFacts> = finished.iter().map(numbered).collect();
        let cells = finished.iter().map(|(case, _)| *case).collect();
        let fault = polars_fault(&self.path);
        let json = |value: Result<String, serde_json::Error>| {
            value.map_err(|error| FileError::words(&self.path, &error.to_string()))
        };
        let pairs = [
            ("identity", json(serde_json::to_string(self.identity))?),
            ("facts", json(serde_json::to_string(&facts))?),
        ];
        let mut bytes = Vec::new();
        let mut frame = side_by_side(study, &finished).map_err(&fault)?;
        frame::write_parquet_for_now(
            &mut frame,
            pairs.map(|(key, value)| (key.to_string(), value)).to_vec(),
            &mut bytes,
        )
        .map_err(&fault)?;
        let path = self.path.join(Name::Batch { block, hash: xxh3_64(&bytes) }.to_string());
        let mut file = self.disk.begin(&path)?;
        file.write_all(&bytes).map_err(FileError::at_path(&path))?;
        // The file is not synced: cells that are lost in a power failure are answered again.
        file.finish()?;
        Ok(Batch { block, path, cells })
    }
}

fn read_metadata(bytes: Vec<u8>) -> Option<(Identity, BTreeMap<usize, CellFacts>)> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let pairs = reader.get_metadata().ok()?.key_value_metadata.clone()?;
    let value = |key: &str| pairs.iter().find(|pair| pair.key == key)?.value.as_deref();
    let identity = serde_json::from_str(value("identity")?).ok()?;
    Some((identity, serde_json::from_str(value("facts")?).ok()?))
}

/// Joins the rows of all tables of a study in one frame. Each table has its own columns, which are
/// null in the rows of other tables.
pub(super) fn side_by_side(
    study: &dyn Grid,
    finished: &[(usize, Arc<AnsweredCell>)],
) -> PolarsResult<DataFrame> {
    let tables = tables(study);
    // A row begins with the values of the varied fields and the number of its cell. An answer
    // numbers its only cell 1, so the first column of the answer is replaced.
    let swept: Vec<Vec<Cell>> = finished.iter().map(|(case, _)| study.swept_cells(*case)).collect();
    let numbers: Vec<Cell> =
        finished.iter().map(|(case, _)| Cell::Integer(*case as i64 + 1)).collect();
    let before = study.swept_columns().len();
    let rows_of = |table: usize| {
        let rows =
            move |(_, answered): &'_ (usize, Arc<AnsweredCell>)| answered.tables()[table].len();
        finished.iter().map(rows).sum::<usize>()
    };
    let heights: Vec<usize> = (0..tables.len()).map(rows_of).collect();
    let height = heights.iter().sum();
    let mut columns = Vec::new();
    for (table, Tabled { of, columns: own }) in tables.iter().enumerate() {
        let above: usize = heights[..table].iter().sum();
        let below = height - above - heights[table];
        for (place, (name, kind)) in own.iter().enumerate() {
            let cells = finished.iter().enumerate().flat_map(|(cell, (_, answered))| {
                let shared = match place.checked_sub(before) {
                    None => Some(&swept[cell][place]),
                    Some(0) => Some(&numbers[cell]),
                    Some(_) => None,
                };
                let rows = answered.tables()[table];
                rows.iter().map(move |row| shared.unwrap_or_else(|| &row[place - before]))
            });
            let null = |rows| std::iter::repeat_n(&Cell::Null, rows);
            let cells = null(above).chain(cells).chain(null(below));
            columns.push(frame::column(&format!("{name}{of}"), *kind, cells));
        }
    }
    DataFrame::new(height, columns)
}

/// Returns the rows of one table from a frame of `side_by_side`, with the table's column names.
pub(super) fn own_rows(table: &Tabled, mut frame: DataFrame) -> PolarsResult<DataFrame> {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    frame.set_column_names(&names)?;
    let own = frame.column(CASE)?.is_not_null();
    if own.all() { Ok(frame) } else { frame.filter(&own) }
}

pub(super) fn polars_fault(path: &Path) -> impl Fn(PolarsError) -> RunError + '_ {
    |error| RunError::File(FileError::at_path(path)(frame::as_io(error)))
}
