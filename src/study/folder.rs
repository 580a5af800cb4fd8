//! The output folder of a study: it belongs to one study, and to one run at a time.
//!
//! While a study runs, `batches/` holds its finished cells. Each batch is a Parquet file that says
//! of which study it is and what is told of its cells beside the rows, and is called by its block
//! and a hash of its bytes, so that a damaged one is known and its cells are asked again. Of a long
//! cell that is still being played, a file holds what has been counted so far. When all cells are
//! there, the results are put together and appear by rename; the manifest comes last, and names
//! them with their hashes. What no manifest names is no result. Whoever works in it holds its
//! [`lock`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use polars::prelude::{
    DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader, SortMultipleOptions,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::chart;
use super::disk::{Deed, Disk, FileError};
use super::grid::{Answered, Facts, Further, Grid, Tabled, tables};
use super::lock::{LOCK, Lock, lock};
use super::manifest::{Identity, Manifest};
use super::product::{Product, Written};
use super::run::{BLOCK, Keeps, Run, RunError, page};
use crate::table::frame::RowGroups;
use crate::table::{Cell, Column, frame};
use engine::watch::{Counted, Watch};

const MANIFEST: &str = "manifest.json";
const BATCHES: &str = "batches";
/// The column of the number of a cell, which every row has.
const CASE: &str = "case";

/// How often one who waits looks whether the folder is free.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Where the tables of a study are put together from, block by block.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub blocks: usize,
    /// Gives the rows of a block of a table, each by its number, part by part.
    pub block: Block<'a>,
}

type Block<'a> = &'a dyn Fn(usize, usize, Takes) -> Result<(), RunError>;
/// Takes further rows.
pub(super) type Takes<'a> = &'a mut dyn FnMut(DataFrame) -> Result<(), RunError>;

/// Finished cells of one block.
pub(super) struct Batch {
    pub block: usize,
    pub path: PathBuf,
    pub cells: Vec<usize>,
}

/// What has been counted of cells that are not finished, by what they ask.
pub(super) type CountedBefore = HashMap<u128, Vec<Counted>>;

/// What has been counted so far of a long cell. Its file begins with a hash of the rest.
#[derive(Serialize, Deserialize)]
struct Begun {
    identity: Identity,
    asked: u128,
    runs: Vec<Counted>,
}

impl Begun {
    fn read(bytes: &[u8]) -> Option<Begun> {
        let (hash, json) = bytes.split_at_checked(16)?;
        let hash = u64::from_str_radix(std::str::from_utf8(hash).ok()?, 16).ok()?;
        serde_json::from_slice(json).ok().filter(|_| hash == xxh3_64(json))
    }
}

/// The folder, while a run has it.
pub(super) struct Folder<'a> {
    path: &'a Path,
    disk: Disk<'a>,
    identity: &'a Identity,
    /// Whether it was made by this run.
    is_new: bool,
    // Dropped last of all.
    lock: File,
}

impl<'a> Folder<'a> {
    /// Takes the folder for a run, and the manifest of the same study if that has come to its end.
    pub fn take(
        run: &Run<'a>,
        identity: &'a Identity,
    ) -> Result<(Folder<'a>, Option<Manifest>), RunError> {
        let (path, disk) = (run.folder, run.disk);
        if path.exists() && !path.is_dir() {
            return Err(FileError::words(path, "a file is in the way of the output folder").into());
        }
        let is_new = !path.exists();
        let lock = loop {
            match lock(path, disk)? {
                Lock::Taken(lock) => break lock,
                Lock::Held(_) if run.wait => {
                    run.options
                        .watch
                        .look()
                        .map_err(|_| RunError::Interrupted { kept: 0, cells: identity.cells })?;
                    std::thread::sleep(LOOK_AGAIN);
                }
                Lock::Held(who) => return Err(RunError::Busy { path: path.to_path_buf(), who }),
            }
        };
        let mut folder = Folder { path, disk, identity, is_new, lock };
        // A closed file is no reason to fail.
        let _ = folder.lock.set_len(0).and_then(|()| {
            write!(folder.lock, "process {}, seed {}", std::process::id(), identity.seed)
        });
        if run.replace {
            folder.empty()?;
        }
        disk.clear(path, ".")?;
        disk.clear(&folder.batches(), ".")?;
        let complete = folder.complete()?;
        if complete.is_some() {
            folder.throw_batches()?;
        } else {
            let batches = folder.batches();
            disk.does(Deed::MakeFolder, &batches, |path| fs::create_dir_all(path))?;
        }
        Ok((folder, complete))
    }

    fn batches(&self) -> PathBuf {
        self.path.join(BATCHES)
    }

    fn occupied(&self, path: &Path, problem: String) -> RunError {
        RunError::Occupied { path: path.to_path_buf(), problem }
    }

    /// The manifest that is there, which must be of this study, with its results.
    fn complete(&self) -> Result<Option<Manifest>, RunError> {
        let path = self.path.join(MANIFEST);
        let text = match self.disk.does(Deed::Read, &path, |path| fs::read(path)) {
            Err(error) if error.source.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| {
            self.occupied(&path, "this manifest is damaged or of another version".to_string())
        })?;
        if let Some(words) = manifest.identity.other_than(self.identity) {
            return Err(
                self.occupied(&path, format!("the results here are of another run: {words}"))
            );
        }
        for file in &manifest.files {
            let path = self.path.join(&file.name);
            let bytes = self.disk.does(Deed::Read, &path, |path| fs::read(path))?;
            if Written::of(&file.name, &bytes) != *file {
                return Err(
                    self.occupied(&path, "this is not what the run has written".to_string())
                );
            }
        }
        Ok(Some(manifest))
    }

    /// The batches of a stopped run of this study, and what it had counted of cells it was at, by
    /// what they ask; what is damaged is removed.
    pub fn kept(&self) -> Result<(Vec<Batch>, CountedBefore), RunError> {
        let (mut kept, mut counted) = (Vec::new(), HashMap::new());
        for path in paths_in(&self.batches())? {
            let bytes = self.disk.does(Deed::Read, &path, |path| fs::read(path))?;
            if let Some(Begun { identity, asked, runs }) = Begun::read(&bytes) {
                match identity.other_than(self.identity) {
                    None => drop(counted.insert(asked, runs)),
                    Some(words) => return Err(self.other_cells(&path, &words)),
                }
                continue;
            }
            let named = Named::read(&path).filter(|named| named.hash == xxh3_64(&bytes));
            let batch = named.and_then(|Named { block, .. }| {
                let (identity, facts) = told_in(bytes)?;
                let cells: Vec<usize> = facts.into_keys().collect();
                // The hash does not cover the name: a copy under another is no further batch.
                let is_own = cells.iter().all(|case| case / BLOCK == block);
                is_own.then(|| (identity, Batch { block, path: path.clone(), cells }))
            });
            match batch {
                None => self.disk.remove(&path)?,
                Some((identity, batch)) => match identity.other_than(self.identity) {
                    None => kept.push(batch),
                    Some(words) => return Err(self.other_cells(&path, &words)),
                },
            }
        }
        Ok((kept, counted))
    }

    /// What is told of the cells of some batches.
    pub fn facts(&self, batches: &[PathBuf]) -> Result<BTreeMap<usize, Facts>, RunError> {
        let mut told = BTreeMap::new();
        for path in batches {
            let bytes = self.disk.does(Deed::Read, path, |path| fs::read(path))?;
            let damaged = || FileError::words(path, "these finished cells have been damaged");
            told.extend(told_in(bytes).ok_or_else(damaged)?.1);
        }
        Ok(told)
    }

    fn other_cells(&self, path: &Path, words: &str) -> RunError {
        self.occupied(path, format!("finished cells of another run are here: {words}"))
    }

    /// One block of a table, by its number among all of a study, from the block's batches.
    pub fn block(
        &self,
        study: &dyn Grid,
        table: usize,
        paths: &[PathBuf],
    ) -> Result<Option<DataFrame>, RunError> {
        let all = tables(study);
        let first = all[..table].iter().map(|table| table.columns.len()).sum();
        self.of_batches(&all[table], first, paths)
    }

    /// One block of a table from its batches, in order of cells; its columns begin behind so many
    /// of others.
    fn of_batches(
        &self,
        table: &Tabled,
        first: usize,
        paths: &[PathBuf],
    ) -> Result<Option<DataFrame>, RunError> {
        let mut block: Option<DataFrame> = None;
        for path in paths {
            let bytes = self.disk.does(Deed::Read, path, |path| fs::read(path))?;
            let columns = (first..first + table.columns.len()).collect();
            let read = ParquetReader::new(Cursor::new(bytes)).with_projection(Some(columns));
            let frame = read.finish().and_then(|frame| own_rows(table, frame));
            let frame = frame.map_err(polars_fault(path))?;
            match &mut block {
                None => block = Some(frame),
                Some(block) => drop(block.vstack_mut(&frame).map_err(polars_fault(path))?),
            }
        }
        // One batch is in order as it is.
        if paths.len() == 1 {
            return Ok(block);
        }
        let in_order = SortMultipleOptions::default().with_maintain_order(true);
        block.map(|block| block.sort([CASE], in_order)).transpose().map_err(polars_fault(self.path))
    }

    /// Puts all blocks together, with pages by their endings beside them, and says so in the
    /// manifest.
    pub fn finish(
        &self,
        study: &dyn Grid,
        manifest: Manifest,
        facts: &[Facts],
        source: Source,
        watch: Watch,
    ) -> Result<Manifest, RunError> {
        let Manifest { identity: Identity { name, .. }, .. } = &manifest;
        let pages = [
            ("md", page(study, facts, &manifest)),
            ("svg", chart::drawn(study, facts, &manifest.engines())),
        ];
        let further = study.further(facts);
        let mut results = Vec::new();
        for (number, table) in tables(study).iter().enumerate() {
            results.extend(self.put_together(table, number, &manifest, source, watch)?);
        }
        if let Some(Further { name: of, columns, rows }) = further {
            let mut table = Product::begin(self.disk, self.path, format!("{name}-{of}.csv"))?;
            let columns: Vec<(&str, Column)> =
                columns.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
            let path = table.path.clone();
            let mut frame = frame::frame(&columns, &rows).map_err(polars_fault(&path))?;
            frame::write_csv(&mut frame, &mut table).map_err(polars_fault(&path))?;
            results.push(table);
        }
        for (ending, page) in pages {
            let Some(page) = page else { continue };
            let mut file = Product::begin(self.disk, self.path, format!("{name}.{ending}"))?;
            file.write_all(page.as_bytes()).map_err(FileError::of(&file.path))?;
            results.push(file);
        }
        let files = results.into_iter().map(Product::finish).collect::<Result<_, _>>()?;
        self.disk.sync_folder(self.path)?;
        let manifest = Manifest { files, ..manifest };
        self.disk.write(&self.path.join(MANIFEST), |mut file| {
            serde_json::to_writer_pretty(&mut file, &manifest).map_err(io::Error::from)?;
            file.write_all(b"\n")
        })?;
        self.throw_batches()?;
        Ok(manifest)
    }

    /// A table from all blocks, as Parquet and as CSV.
    fn put_together(
        &self,
        table: &Tabled,
        number: usize,
        manifest: &Manifest,
        source: Source,
        watch: Watch,
    ) -> Result<[Product<'a>; 2], RunError> {
        let Identity { name, cells, .. } = &manifest.identity;
        let name = format!("{name}{}", table.of);
        let mut parquet = Product::begin(self.disk, self.path, format!("{name}.parquet"))?;
        let mut csv = Product::begin(self.disk, self.path, format!("{name}.csv"))?;
        let pairs = manifest.of_results().and_then(|meta| frame::meta_pairs(&meta));
        let pairs = pairs
            .map_err(|error| FileError::words(&parquet.path, &error.to_string()))?;
        let path = parquet.path.clone();
        let mut groups =
            RowGroups::begin(&table.columns, pairs, &mut parquet).map_err(polars_fault(&path))?;
        let mut header = true;
        for block in 0..source.blocks {
            (source.block)(number, block, &mut |mut rows| {
                let interrupted = |_| RunError::Interrupted { kept: *cells, cells: *cells };
                watch.look().map_err(interrupted)?;
                let csv_path = csv.path.clone();
                frame::write_csv_block(&mut rows, std::mem::take(&mut header), &mut csv)
                    .map_err(polars_fault(&csv_path))?;
                groups.add(rows).map_err(polars_fault(&path))
            })?;
        }
        groups.finish().map_err(polars_fault(&path))?;
        Ok([parquet, csv])
    }

    fn throw_batches(&self) -> Result<(), RunError> {
        let folder = self.batches();
        for path in paths_in(&folder)? {
            self.disk.remove(&path)?;
        }
        let remove = |path: &Path| match fs::remove_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        };
        Ok(self.disk.does(Deed::Remove, &folder, remove)?)
    }

    /// Removes what a run has left or written here, and nothing else: the manifest last, since it
    /// says what that is.
    fn empty(&self) -> Result<(), RunError> {
        self.throw_batches()?;
        let path = self.path.join(MANIFEST);
        let manifest: Option<Manifest> =
            fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        for Written { name, .. } in manifest.iter().flat_map(|manifest| &manifest.files) {
            // A manifest may have been written by anyone.
            if Path::new(name).components().count() == 1 {
                self.disk.remove(&self.path.join(name))?;
            }
        }
        Ok(self.disk.remove(&path)?)
    }
}

impl Keeps for Folder<'_> {
    type Kept = Batch;

    /// Keeps what has been counted so far of a cell that asks this, in place of what was before.
    fn keep_counted(&self, asked: u128, runs: Vec<Counted>) -> Result<(), RunError> {
        let path = self.batches().join(format!("{asked:032x}.begun"));
        let begun = Begun { identity: self.identity.clone(), asked, runs };
        let json = serde_json::to_string(&begun)
            .map_err(|error| FileError::words(&path, &error.to_string()))?;
        let mut file = self.disk.begin(&path)?;
        file.write_all(format!("{:016x}{json}", xxh3_64(json.as_bytes())).as_bytes())
            .map_err(FileError::of(&path))?;
        Ok(file.finish()?)
    }

    /// Keeps finished cells of a block, in order: all that is told of them in one file, which is
    /// there with everything or not at all.
    fn keep(
        &self,
        study: &dyn Grid,
        block: usize,
        finished: Vec<(usize, Arc<Answered>)>,
    ) -> Result<Batch, RunError> {
        let told = |(case, answered): &(usize, Arc<Answered>)| (*case, answered.as_told());
        let facts: BTreeMap<usize, Facts> = finished.iter().map(told).collect();
        let cells = finished.iter().map(|(case, _)| *case).collect();
        let folder = self.batches();
        let fault = polars_fault(&folder);
        let json = |value: Result<String, serde_json::Error>| {
            value.map_err(|error| FileError::words(&folder, &error.to_string()))
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
        let path = folder.join(Named { block, hash: xxh3_64(&bytes) }.to_string());
        let mut file = self.disk.begin(&path)?;
        file.write_all(&bytes).map_err(FileError::of(&path))?;
        // What is lost when the machine fails is asked again.
        file.finish()?;
        Ok(Batch { block, path, cells })
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // What cannot be removed is in nobody's way.
        let remove =
            |folder: &Path| self.disk.does(Deed::Remove, folder, |folder| fs::remove_dir(folder));
        let _ = remove(&self.batches());
        let _ = self.disk.remove(&self.path.join(LOCK));
        if self.is_new {
            let _ = remove(self.path);
        }
    }
}

/// The files of a folder that are not unfinished, in order; none where it is missing.
pub(super) fn paths_in(folder: &Path) -> Result<BTreeSet<PathBuf>, FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(FileError::of(folder))?,
    };
    entries.map(|entry| Ok(entry.map_err(FileError::of(folder))?.path())).collect()
}

/// Of which study a batch says it is, and what it tells of its cells.
fn told_in(bytes: Vec<u8>) -> Option<(Identity, BTreeMap<usize, Facts>)> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let pairs = reader.get_metadata().ok()?.key_value_metadata.clone()?;
    let value = |key: &str| pairs.iter().find(|pair| pair.key == key)?.value.as_deref();
    let identity = serde_json::from_str(value("identity")?).ok()?;
    Some((identity, serde_json::from_str(value("facts")?).ok()?))
}

/// The name of a batch.
struct Named {
    block: usize,
    hash: u64,
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:07}-{:016x}.parquet", self.block, self.hash)
    }
}

impl Named {
    fn read(path: &Path) -> Option<Named> {
        let (block, hash) =
            path.file_name()?.to_str()?.strip_suffix(".parquet")?.split_once('-')?;
        Some(Named { block: block.parse().ok()?, hash: u64::from_str_radix(hash, 16).ok()? })
    }
}

/// The rows of all tables of a study in one frame: those of each have its columns, in which the
/// others are null.
pub(super) fn side_by_side(
    study: &dyn Grid,
    finished: &[(usize, Arc<Answered>)],
) -> PolarsResult<DataFrame> {
    let tables = tables(study);
    // Before the columns of the answers stand the swept ones, and behind the first of those, which
    // counts every cell as the only one, its own.
    let swept: Vec<Vec<Cell>> = finished.iter().map(|(case, _)| study.swept_cells(*case)).collect();
    let numbers: Vec<Cell> =
        finished.iter().map(|(case, _)| Cell::Integer(*case as i64 + 1)).collect();
    let before = study.swept_columns().len();
    let rows_of = |table: usize| {
        let rows = move |(_, answered): &'_ (usize, Arc<Answered>)| answered.tables()[table].len();
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

/// The rows of a table among those of others, under the names of its own columns.
pub(super) fn own_rows(table: &Tabled, mut frame: DataFrame) -> PolarsResult<DataFrame> {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    frame.set_column_names(&names)?;
    let own = frame.column(CASE)?.is_not_null();
    if own.all() { Ok(frame) } else { frame.filter(&own) }
}

fn as_io(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        error => io::Error::other(error.to_string()),
    }
}

pub(super) fn polars_fault(path: &Path) -> impl Fn(PolarsError) -> RunError + '_ {
    |error| RunError::File(FileError::of(path)(as_io(error)))
}
