//! The output folder of a study. It belongs to one study, and is locked by one run at a time.
//!
//! While a study runs, its [`work_folder`](super::work_folder) holds the finished cells (one cell
//! is one combination of the varied values). When all cells are finished, the result files are
//! built from them and appear by rename. The manifest is written last and lists the results with
//! their hashes; a file that it does not list is no result. Files that no run has written are not
//! touched.

use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use polars::prelude::{DataFrame, ParquetReader, SerReader, SortMultipleOptions};

use super::batches::{CASE, own_rows, polars_fault};
use super::chart;
use super::disk::{Disk, DiskOp, FileError};
use super::grid::{CellFacts, Further, Grid, Tabled, tables};
use super::lock::{LOCK, LOCKED_BY, Lock, lock};
use super::manifest::{Identity, Manifest};
use super::number_table::Numbers;
use super::owned::{WrittenList, occupied, read_list};
use super::result_file::Product;
use super::run::{Run, RunError};
use super::work_folder::WorkFolder;
use crate::frame::{self, RowGroups};
use answer::sheet::Column;
use engine::monitor::Monitor;
use render::escape;

const MANIFEST: &str = "manifest.json";

/// The time between two attempts to lock a busy folder.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The rows of all tables of a study, block by block (a block is a range of consecutive cells).
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub blocks: usize,
    /// Passes the rows of a table (first argument) in a block (second argument) to a callback, a
    /// part at a time.
    pub block: Block<'a>,
}

type Block<'a> = &'a dyn Fn(usize, usize, Takes) -> Result<(), RunError>;
/// A callback that receives further rows.
pub(super) type Takes<'a> = &'a mut dyn FnMut(DataFrame) -> Result<(), RunError>;

/// The output folder of a study, locked by the present run.
pub(super) struct Folder<'a> {
    path: &'a Path,
    disk: Disk<'a>,
    pub work: WorkFolder<'a>,
    is_new: bool,
    /// True if results may replace files that no run has written.
    replace: bool,
    // The last field is dropped last, so the folder stays locked while it is cleaned up.
    lock: File,
}

impl<'a> Folder<'a> {
    /// Locks the folder for a run. Also returns the manifest, if an earlier run finished this
    /// study. Fails if the folder is busy or holds results of another study, a foreign file has the
    /// name of a result, or a disk operation fails.
    pub fn take(
        run: &Run<'a>,
        study: &dyn Grid,
        identity: &'a Identity,
    ) -> Result<(Folder<'a>, Option<Manifest>), RunError> {
        let (path, disk) = (run.folder, run.disk);
        if path.exists() && !path.is_dir() {
            return Err(FileError::words(
                path,
                "the output folder cannot be created: a file has its name",
            )
            .into());
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
        // The text only names the holder of the lock, so a failed write is ignored.
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

    /// Returns the manifest in the folder; `None` if there is none. Fails if the manifest belongs
    /// to another study, or a result file was changed.
    fn complete(&self, identity: &Identity) -> Result<Option<Manifest>, RunError> {
        let path = self.path.join(MANIFEST);
        let Some(text) = read_list(self.disk, &path)? else { return Ok(None) };
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|_| occupied(&path, "this manifest is damaged or has an unknown version"))?;
        if let Some(words) = manifest.identity.other_than(identity) {
            let problem = format!("the results here belong to another run: {words}");
            return Err(occupied(&path, problem));
        }
        for file in &manifest.files {
            if let Some(problem) = file.fault_in(self.disk, self.path)? {
                return Err(occupied(&self.path.join(&file.name), problem));
            }
        }
        Ok(Some(manifest))
    }

    /// Returns the results that a killed run left before it wrote its manifest.
    fn owned(&self) -> Result<WrittenList, RunError> {
        WrittenList::read(self.disk, &self.work.results())
    }

    /// Fails if a result would replace a file that no run has written, unless `--replace` is set.
    fn check<'b>(
        &self,
        owned: &WrittenList,
        mut names: impl Iterator<Item = &'b str>,
    ) -> Result<(), RunError> {
        names.try_for_each(|name| owned.check((self.disk, self.path), name, self.replace))
    }

    /// Reads one block of a table from its batch files, in the order of cells; `None` if there are
    /// no rows. `table` is the index among all tables of the study.
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

    /// Reads one block of a table from its batch files. `first` is the index of the table's first
    /// column in a batch.
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
        if paths.len() == 1 {
            return Ok(block);
        }
        let in_order = SortMultipleOptions::default().with_maintain_order(true);
        block.map(|block| block.sort([CASE], in_order)).transpose().map_err(polars_fault(self.path))
    }

    /// Writes all results (tables, a Markdown page, a chart), then the manifest, and clears the
    /// work folder.
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
            results.extend(self.write_table(table, number, &manifest, source, watch)?);
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
        // If this run is killed before it writes the manifest, the next run finds its results by
        // this list.
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

    fn write_table(
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

    /// Removes the files that earlier runs have written, and nothing else. The manifest goes last,
    /// since it lists them.
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
        // A file that stays behind does no harm, so errors are ignored.
        let _ = self.work.remove_if_empty();
        let _ = self.disk.remove(&self.path.join(LOCK));
        if self.is_new {
            let remove = |folder: &Path| fs::remove_dir(folder);
            let _ = self.disk.does(DiskOp::Remove, self.path, remove);
        }
    }
}

/// Returns the names of the result files that are known before a study runs.
fn result_names(study: &dyn Grid, name: &str) -> Vec<String> {
    let of_table =
        |table: Tabled| ["parquet", "csv"].map(|end| format!("{name}{}.{end}", table.of));
    let mut names: Vec<String> = tables(study).into_iter().flat_map(of_table).collect();
    names.extend(study.table_description().map(|_| format!("{name}.md")));
    names.push(MANIFEST.to_string());
    names
}

/// Returns the Markdown page with the requested table, its engines and rules; `None` without a
/// requested table.
fn page(study: &dyn Grid, facts: &[CellFacts], manifest: &Manifest) -> Option<String> {
    let meant = study.table_description()?;
    let numbers = Numbers::from_facts(study, facts);
    let about =
        study.about().map_or(String::new(), |about| format!("{}\n\n", escape::lines(about.trim())));
    let errors = numbers.widest(meant.style).map_or(String::new(), |widest| format!(" {widest}"));
    let engines = manifest.engines();
    Some(format!(
        "{about}**{}.** {} cells ({engines}); {}.{errors}\n\n{}",
        escape::text(&meant.question),
        manifest.identity.cells,
        study.rules().words,
        numbers.markdown(&meant)
    ))
}
