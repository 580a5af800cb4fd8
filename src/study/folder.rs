//! The output folder of a study: it belongs to one study, and to one run at a time.
//!
//! While a study runs, its [`work_folder`](super::work_folder) holds finished cells. When all cells
//! are there, the results are put together and appear by rename; the manifest comes last, and names
//! them with their hashes. What no manifest names is no result. Whoever works in the folder holds
//! its [`lock`]. What no run has written there is not touched.

use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use polars::prelude::{
    DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader, SortMultipleOptions,
};

use super::chart;
use super::disk::{Disk, DiskOp, FileError};
use super::grid::{AnsweredCell, CellFacts, Further, Grid, Tabled, tables};
use super::lock::{LOCK, LOCKED_BY, Lock, lock};
use super::manifest::{Identity, Manifest};
use super::owned::{WrittenList, occupied, read_list};
use super::product::Product;
use super::run::{Run, RunError, page};
use super::work_folder::WorkFolder;
use crate::table::frame::RowGroups;
use crate::table::{Cell, Column, frame};
use engine::watch::Monitor;

const MANIFEST: &str = "manifest.json";
/// The column of the number of a cell, which every row has.
pub(super) const CASE: &str = "case";

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

/// The folder, while a run has it.
pub(super) struct Folder<'a> {
    path: &'a Path,
    disk: Disk<'a>,
    pub work: WorkFolder<'a>,
    /// Whether this run has made the folder.
    is_new: bool,
    /// Whether results may take the place of files that no run has written.
    replace: bool,
    // Dropped last of all.
    lock: File,
}

impl<'a> Folder<'a> {
    /// Takes the folder for a run, and the manifest of the same study if that has come to its end.
    pub fn take(
        run: &Run<'a>,
        study: &dyn Grid,
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
                        .check_cancelled()
                        .map_err(|_| RunError::Interrupted { kept: 0, cells: identity.cells })?;
                    std::thread::sleep(LOOK_AGAIN);
                }
                Lock::Held(who) => return Err(RunError::Busy { path: path.to_path_buf(), who }),
            }
        };
        let work = WorkFolder::new(path, disk, identity);
        let mut folder = Folder { path, disk, work, is_new, replace: run.replace, lock };
        // A closed file is no reason to fail.
        let _ = folder.lock.set_len(0).and_then(|()| {
            write!(folder.lock, "{LOCKED_BY} {}, seed {}", std::process::id(), identity.seed)
        });
        if run.replace {
            folder.empty()?;
        }
        disk.clear(path, ".")?;
        let complete = folder.complete(identity)?;
        if complete.is_some() {
            folder.work.clear()?;
        } else {
            folder.work.make()?;
            let names = result_names(study, &identity.name);
            folder.check(&folder.owned()?, names.iter().map(String::as_str))?;
        }
        Ok((folder, complete))
    }

    /// The manifest that is there, which must be of this study, with its results.
    fn complete(&self, identity: &Identity) -> Result<Option<Manifest>, RunError> {
        let path = self.path.join(MANIFEST);
        let Some(text) = read_list(self.disk, &path)? else { return Ok(None) };
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|_| occupied(&path, "this manifest is damaged or of another version"))?;
        if let Some(words) = manifest.identity.other_than(identity) {
            let problem = format!("the results here are of another run: {words}");
            return Err(occupied(&path, problem));
        }
        for file in &manifest.files {
            if let Some(problem) = file.fault_in(self.disk, self.path)? {
                return Err(occupied(&self.path.join(&file.name), problem));
            }
        }
        Ok(Some(manifest))
    }

    /// Results of a run that was killed before it could write its manifest.
    fn owned(&self) -> Result<WrittenList, RunError> {
        WrittenList::read(self.disk, &self.work.results())
    }

    /// Refuses results that would take the place of what no run has written.
    fn check<'b>(
        &self,
        owned: &WrittenList,
        mut names: impl Iterator<Item = &'b str>,
    ) -> Result<(), RunError> {
        names.try_for_each(|name| owned.check((self.disk, self.path), name, self.replace))
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
            let bytes = self.disk.does(DiskOp::Read, path, |path| fs::read(path))?;
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
        facts: &[CellFacts],
        source: Source,
        watch: Monitor,
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
            file.write_all(page.as_bytes()).map_err(FileError::at_path(&file.path))?;
            results.push(file);
        }
        let files: Vec<_> = results.iter().map(Product::written).collect();
        let mut owned = self.owned()?;
        let names = files.iter().map(|file| file.name.as_str());
        // If this run is killed before the manifest is there, the next one knows them by it.
        owned.add(&files);
        self.check(&owned, names.chain([MANIFEST]))?;
        owned.write(self.disk, &self.work.results())?;
        results.into_iter().try_for_each(Product::finish)?;
        self.disk.sync_folder(self.path)?;
        let manifest = Manifest { files, ..manifest };
        self.disk.write(&self.path.join(MANIFEST), |mut file| {
            serde_json::to_writer_pretty(&mut file, &manifest).map_err(io::Error::from)?;
            file.write_all(b"\n")
        })?;
        self.work.clear()?;
        Ok(manifest)
    }

    /// A table from all blocks, as Parquet and as CSV.
    fn put_together(
        &self,
        table: &Tabled,
        number: usize,
        manifest: &Manifest,
        source: Source,
        watch: Monitor,
    ) -> Result<[Product<'a>; 2], RunError> {
        let Identity { name, cells, .. } = &manifest.identity;
        let name = format!("{name}{}", table.of);
        let mut parquet = Product::begin(self.disk, self.path, format!("{name}.parquet"))?;
        let mut csv = Product::begin(self.disk, self.path, format!("{name}.csv"))?;
        let pairs = manifest
            .of_results()
            .and_then(|meta| frame::meta_pairs(&meta))
            .map_err(|error| FileError::words(&parquet.path, &error.to_string()))?;
        let path = parquet.path.clone();
        let mut groups =
            RowGroups::begin(&table.columns, pairs, &mut parquet).map_err(polars_fault(&path))?;
        let mut header = true;
        for block in 0..source.blocks {
            (source.block)(number, block, &mut |mut rows| {
                let interrupted = |_| RunError::Interrupted { kept: *cells, cells: *cells };
                watch.check_cancelled().map_err(interrupted)?;
                let csv_path = csv.path.clone();
                frame::write_csv_block(&mut rows, std::mem::take(&mut header), &mut csv)
                    .map_err(polars_fault(&csv_path))?;
                groups.add(rows).map_err(polars_fault(&path))
            })?;
        }
        groups.finish().map_err(polars_fault(&path))?;
        Ok([parquet, csv])
    }

    /// Removes what a run has left or written here, and nothing else: the manifest last, since it
    /// says what that is.
    fn empty(&self) -> Result<(), RunError> {
        let path = self.path.join(MANIFEST);
        if self.work.is_marked()? {
            self.owned()?.remove(self.disk, self.path)?;
        }
        WrittenList::read(self.disk, &path)?.remove(self.disk, self.path)?;
        self.work.clear()?;
        Ok(self.disk.remove(&path)?)
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // What cannot be removed is in nobody's way.
        let _ = self.work.remove_if_empty();
        let _ = self.disk.remove(&self.path.join(LOCK));
        if self.is_new {
            let remove = |folder: &Path| fs::remove_dir(folder);
            let _ = self.disk.does(DiskOp::Remove, self.path, remove);
        }
    }
}

/// The names of the results of a study, as far as they are known before it has run.
fn result_names(study: &dyn Grid, name: &str) -> Vec<String> {
    let of_table =
        |table: Tabled| ["parquet", "csv"].map(|end| format!("{name}{}.{end}", table.of));
    let mut names: Vec<String> = tables(study).into_iter().flat_map(of_table).collect();
    names.extend(study.meant().map(|_| format!("{name}.md")));
    names.push(MANIFEST.to_string());
    names
}

/// The rows of all tables of a study in one frame: those of each have its columns, in which the
/// others are null.
pub(super) fn side_by_side(
    study: &dyn Grid,
    finished: &[(usize, Arc<AnsweredCell>)],
) -> PolarsResult<DataFrame> {
    let tables = tables(study);
    // Before the columns of the answers stand the swept ones, and behind the first of those, which
    // counts every cell as the only one, its own.
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

/// The rows of a table among those of others, under the names of its own columns.
pub(super) fn own_rows(table: &Tabled, mut frame: DataFrame) -> PolarsResult<DataFrame> {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    frame.set_column_names(&names)?;
    let own = frame.column(CASE)?.is_not_null();
    if own.all() { Ok(frame) } else { frame.filter(&own) }
}

pub(super) fn polars_fault(path: &Path) -> impl Fn(PolarsError) -> RunError + '_ {
    |error| RunError::File(FileError::at_path(path)(frame::as_io(error)))
}
