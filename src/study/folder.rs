//! The output folder of a study. It belongs to one study, and is locked by one run at a time.
//!
//! While a study runs, its [`work_folder`](super::work_folder) holds the finished cells. Then the
//! result files are built from them and appear by rename. The manifest, written last, lists them
//! with hashes; another file is no result. Files that no run has written are not touched.
//!
//! The lock is a locked file in the folder, whose text names its process. The operating system
//! releases it when the process ends, so an unlocked file means nothing. Another process may have
//! removed a locked file, so after locking it must still be the one in the folder.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::chart;
use super::disk::{DiskOp, FileError, Unfinished};
use super::grid::{CellFacts, Further, Grid, StudyInfo};
use super::manifest::{Identity, Manifest};
use super::number_table::Numbers;
use super::options::Run;
use super::owned::{PathEntry, WrittenList, read_list};
use super::part::{Rows, Table, polars_fault, tables, write_table};
use super::run_error::RunError;
use super::summary::CellTally;
use super::work_folder::WorkFolder;
use crate::frame;
use answer::Column;
use render::escape;

pub(crate) const MANIFEST: &str = "manifest.json";

pub(super) struct Folder<'a> {
    run: &'a Run<'a>,
    pub work: WorkFolder<'a>,
    is_new: bool,
    // The last field is dropped last, so the folder stays locked while it is cleaned up.
    _lock: File,
}

impl<'a> Folder<'a> {
    /// Locks the folder for a run; also returns the manifest if an earlier run finished this study.
    pub fn take(
        run: &'a Run<'a>,
        study: &dyn Grid,
        identity: &'a Identity,
    ) -> Result<(Folder<'a>, Option<Manifest>), RunError> {
        let path = run.folder;
        if path.exists() && !path.is_dir() {
            let words = "the output folder cannot be created: a file has its name";
            return Err(FileError::words(path, words).into());
        }
        let is_new = !path.exists();
        let lock = lock(run, identity)?;
        let work = WorkFolder::new(path, run.disk, identity);
        let folder = Folder { run, work, is_new, _lock: lock };
        if run.replace {
            folder.empty()?;
        }
        run.disk.clear(path, ".")?;
        let complete = folder.complete()?;
        if complete.is_some() {
            folder.work.clear()?;
        } else {
            folder.work.make()?;
            folder.check(&folder.owned()?, &result_names(study, &identity.name))?;
        }
        Ok((folder, complete))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.run.folder.join(name)
    }

    /// Returns the manifest in the folder, if any. Fails for another study, or changed results.
    fn complete(&self) -> Result<Option<Manifest>, RunError> {
        let path = self.path(MANIFEST);
        let Some(text) = read_list(self.run.disk, &path)? else { return Ok(None) };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| {
            RunError::occupied(&path, "this manifest is damaged or has an unknown version")
        })?;
        if let Some(words) = manifest.identity.other_than(self.work.identity) {
            let problem = format!("the results here belong to another run: {words}");
            return Err(RunError::occupied(&path, problem));
        }
        for file in &manifest.files {
            if let Some(problem) = file.fault_in(self.run.disk, self.run.folder)? {
                return Err(RunError::occupied(&self.path(&file.name), problem));
            }
        }
        Ok(Some(manifest))
    }

    /// Returns the results that a killed run left before it wrote its manifest.
    fn owned(&self) -> Result<WrittenList, RunError> {
        WrittenList::read(self.run.disk, &self.work.results())
    }

    /// Fails if a result would replace a file that no run has written, unless `--replace` is set.
    fn check(&self, owned: &WrittenList, names: &[String]) -> Result<(), RunError> {
        let Run { disk, folder, replace, .. } = *self.run;
        names.iter().try_for_each(|name| owned.check((disk, folder), name, replace))
    }

    /// Writes all results (tables, page, chart), then the manifest, and clears the work folder.
    pub fn finish(
        &self,
        study: &dyn Grid,
        (tally, facts): (&CellTally, &[CellFacts]),
        command: &str,
        rows: &dyn Rows,
    ) -> Result<Manifest, RunError> {
        let manifest = tally.manifest(study, self.work.identity, command);
        let Identity { name, cells, .. } = self.work.identity;
        let watch = (self.run.options.watch, *cells);
        let begin = |ending: &str| self.run.disk.begin(&self.path(&format!("{name}{ending}")));
        let pages = [
            ("md", page(study, facts, &manifest)),
            ("svg", chart::drawn(study, facts, &manifest.engines())),
        ];
        let mut results = Vec::new();
        for table in tables(study) {
            let begin = |ending: &str| begin(&format!("{}.{ending}", table.of));
            let (mut parquet, mut csv) = (begin("parquet")?, begin("csv")?);
            let meta = manifest.of_results().and_then(|meta| frame::meta_pairs(&meta));
            let meta = meta.map_err(FileError::at_path(parquet.path()))?;
            write_table(&table, rows, meta, (&mut parquet, Some(&mut csv)), watch)?;
            results.extend([parquet, csv]);
        }
        if let Some(Further { name: of, columns, rows }) = study.further(facts) {
            let mut table = begin(&format!("-{of}.csv"))?;
            let columns: Vec<(&str, Column)> =
                columns.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
            let path = table.path().to_path_buf();
            let mut frame = frame::frame(&columns, &rows).map_err(polars_fault(&path))?;
            frame::write_csv_block(&mut frame, true, &mut table).map_err(polars_fault(&path))?;
            results.push(table);
        }
        for (ending, page) in pages {
            let Some(page) = page else { continue };
            let mut file = begin(&format!(".{ending}"))?;
            file.write_all(page.as_bytes()).map_err(FileError::at_path(file.path()))?;
            results.push(file);
        }
        let files: Vec<_> = results.iter().map(Unfinished::written).collect();
        let mut owned = self.owned()?;
        let names = files.iter().map(|file| file.name.clone());
        let names: Vec<String> = names.chain([MANIFEST.to_string()]).collect();
        // If this run is killed before its manifest, the next run finds its results by this list.
        owned.add(&files);
        self.check(&owned, &names)?;
        self.run.disk.write_json(&self.work.results(), &owned)?;
        results.into_iter().try_for_each(Unfinished::finish)?;
        self.run.disk.sync_folder(self.run.folder)?;
        let manifest = Manifest { files, ..manifest };
        self.run.disk.write_json(&self.path(MANIFEST), &manifest)?;
        self.work.clear()?;
        Ok(manifest)
    }

    /// Removes only files that earlier runs have written: the manifest last, since it lists them.
    fn empty(&self) -> Result<(), RunError> {
        let path = self.path(MANIFEST);
        if self.work.is_marked()? {
            self.owned()?.remove(self.run.disk, self.run.folder)?;
        }
        WrittenList::read(self.run.disk, &path)?.remove(self.run.disk, self.run.folder)?;
        self.work.clear()?;
        Ok(self.run.disk.remove(&path)?)
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // A file that stays behind does no harm, so errors are ignored.
        let _ = self.work.remove_if_empty();
        let _ = self.run.disk.remove(&self.path(LOCK));
        if self.is_new {
            let _ = self.run.disk.remove_folder(self.run.folder);
        }
    }
}

fn result_names(study: &dyn Grid, name: &str) -> Vec<String> {
    let of_table = |table: Table| ["parquet", "csv"].map(|end| format!("{name}{}.{end}", table.of));
    let mut names: Vec<String> = tables(study).into_iter().flat_map(of_table).collect();
    names.extend(study.info().table.as_ref().map(|_| format!("{name}.md")));
    names.push(MANIFEST.to_string());
    names
}

/// Returns the Markdown page with the requested table, its engines and rules, if any.
fn page(study: &dyn Grid, facts: &[CellFacts], manifest: &Manifest) -> Option<String> {
    let StudyInfo { table: Some(meant), about, rules, .. } = study.info() else { return None };
    let numbers = Numbers::from_facts(study, facts);
    let about = about.as_ref().map(|about| format!("{}\n\n", escape::lines(about.trim())));
    let errors = numbers.widest(meant.style).map_or(String::new(), |widest| format!(" {widest}"));
    let engines = manifest.engines();
    Some(format!(
        "{}**{}.** {} cells ({engines}); {}.{errors}\n\n{}",
        about.unwrap_or_default(),
        escape::text(&meant.question),
        manifest.identity.cells,
        rules.words,
        numbers.markdown(meant)
    ))
}

const LOCK: &str = ".lowcrawl-lock";
/// The first word of a lock file, once the process that holds the lock has written its text.
const LOCKED_BY: &str = "process";

const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Creates a run's folder, locked while the returned file is open. Fails if held, unless it waits.
fn lock(run: &Run, identity: &Identity) -> Result<File, RunError> {
    let path = run.folder.join(LOCK);
    loop {
        run.disk.make_folder(run.folder)?;
        PathEntry::file_at(&path, "the lock cannot be created")?;
        let mut file = match run.disk.open(DiskOp::Lock, &path) {
            // The run that had created the folder has removed the folder.
            Err(error)
                if error.source.kind() == io::ErrorKind::NotFound && !run.folder.exists() =>
            {
                continue;
            }
            file => file?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => return taken(file, &path, identity),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if run.wait => {
                drop(file);
                let (watch, cells) = (run.options.watch, identity.cells);
                watch.check_cancelled().map_err(|_| RunError::Interrupted { kept: 0, cells })?;
                std::thread::sleep(LOOK_AGAIN);
            }
            Err(TryLockError::WouldBlock) => {
                let who = holder(&mut file).filter(|who| !who.is_empty());
                let who = who.unwrap_or("another process".to_string());
                return Err(RunError::Busy { path: run.folder.to_path_buf(), who });
            }
            // A file system without locks is used unlocked.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return taken(file, &path, identity);
            }
            Err(TryLockError::Error(error)) => return Err(FileError::at_path(&path)(error).into()),
        }
    }
}

/// Returns the lock, unless the file has foreign content, which would be overwritten.
fn taken(mut file: File, path: &Path, identity: &Identity) -> Result<File, RunError> {
    match holder(&mut file) {
        Some(who) if who.is_empty() || who.starts_with(LOCKED_BY) => {
            file.rewind().map_err(FileError::at_path(path))?;
            // The text only names the holder of the lock, so a failed write is ignored.
            let who = format!("{LOCKED_BY} {}, seed {}", std::process::id(), identity.seed);
            let _ = file.set_len(0).and_then(|()| file.write_all(who.as_bytes()));
            Ok(file)
        }
        _ => Err(RunError::foreign(path, "this file is not a lock of lowcrawl")),
    }
}

/// Reads the text of a lock file from its start; `None` if it cannot be read.
fn holder(file: &mut File) -> Option<String> {
    let mut who = Vec::new();
    file.rewind().and_then(|()| file.take(MOST_HOLDER).read_to_end(&mut who)).ok()?;
    String::from_utf8(who).ok()
}

const MOST_HOLDER: u64 = 100;

/// Returns whether `path` still names the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::{fs, os::unix::fs::MetadataExt as _};
    let same = |(a, b): (fs::Metadata, fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(same)
}

/// Returns true, since outside Unix an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
