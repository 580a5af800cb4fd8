//! The work folder of a run, in the output folder: the part file with finished cells, checkpoints,
//! and the list of results about to be written. It is removed when the study is complete.
//!
//! A tag file shows that lowcrawl made the folder and owns these three files. It touches no others.

use std::path::{Path, PathBuf};

use super::checkpoints::Checkpoints;
use super::disk::{Disk, DiskFile, DiskOp, FileError, is_unfinished};
use super::grid::Grid;
use super::manifest::Identity;
use super::owned::{PathEntry, entries};
use super::part::PartFile;
use super::run_error::RunError;

const WORK: &str = "lowcrawl-work";
/// The tag file of the folder. It also tells backup programs to skip the folder.
const MARK: &str = "CACHEDIR.TAG";
const MARKED: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # This folder was made by lowcrawl. A study at work keeps its finished cells here.\n";
const PART: &str = "finished.part";
const CHECKPOINTS: &str = "checkpoints.json";
const RESULTS: &str = "results.json";

pub(super) struct WorkFolder<'a> {
    path: PathBuf,
    disk: &'a dyn Disk,
    pub identity: &'a Identity,
}

impl<'a> WorkFolder<'a> {
    pub fn new(folder: &Path, disk: &'a dyn Disk, identity: &'a Identity) -> WorkFolder<'a> {
        WorkFolder { path: folder.join(WORK), disk, identity }
    }

    pub fn results(&self) -> PathBuf {
        self.path.join(RESULTS)
    }

    /// Opens the part file, which holds the finished cells of a stopped run of this study.
    pub fn part(&self, study: &dyn Grid) -> Result<PartFile<'a>, RunError> {
        let path = self.path.join(PART);
        PathEntry::file_at(&path, "the finished cells cannot be written")?;
        let file = self.disk.open(DiskOp::Create, &path)?;
        PartFile::read(DiskFile { disk: self.disk, path, file }, study, self.identity)
    }

    /// Reads the checkpoints that a stopped run of this study left.
    pub fn checkpoints(&self) -> Result<Checkpoints<'a>, RunError> {
        Checkpoints::read(self.path.join(CHECKPOINTS), self.disk, self.identity)
    }

    /// Returns whether the folder has its tag file. Fails if lowcrawl did not make what is there.
    pub fn is_marked(&self) -> Result<bool, RunError> {
        match PathEntry::from_path(&self.path)? {
            PathEntry::Nothing => return Ok(false),
            PathEntry::FOLDER => {}
            other => {
                let what = if let PathEntry::Other(what) = other { what } else { "a file" };
                return Err(RunError::foreign(&self.path, format!("{what} is in the way")));
            }
        }
        let mark = self.path.join(MARK);
        if PathEntry::from_path(&mark)? == PathEntry::File(MARKED.len() as u64)
            && self.disk.read(&mark)? == MARKED.as_bytes()
        {
            return Ok(true);
        }
        // A run may have been killed before it wrote the tag file.
        match entries(&self.path)?.iter().all(|path| is_unfinished(path)) {
            true => Ok(false),
            false => Err(RunError::foreign(&self.path, "lowcrawl did not make this folder")),
        }
    }

    /// Creates the tagged folder if it is missing, and removes unfinished files from it.
    pub fn make(&self) -> Result<(), RunError> {
        if !self.is_marked()? {
            self.disk.make_folder(&self.path)?;
            let mark = self.path.join(MARK);
            self.disk.write(&mark, |file| file.write_all(MARKED.as_bytes()))?;
        }
        Ok(self.disk.clear(&self.path, ".")?)
    }

    /// Removes the files that runs have written, and the folder if nothing else is in it.
    pub fn clear(&self) -> Result<(), RunError> {
        if self.is_marked()? {
            for path in [PART, CHECKPOINTS, RESULTS].map(|name| self.path.join(name)) {
                if let PathEntry::File(_) = PathEntry::from_path(&path)? {
                    self.disk.remove(&path)?;
                }
            }
        }
        self.disk.clear(&self.path, ".")?;
        self.remove_if_empty()
    }

    pub fn remove_if_empty(&self) -> Result<(), RunError> {
        let is_marked = self.is_marked()?;
        let mark = self.path.join(MARK);
        if entries(&self.path)?.iter().any(|path| !is_marked || *path != mark) {
            return Ok(());
        }
        self.disk.remove(&mark)?;
        Ok(self.disk.remove_folder(&self.path)?)
    }
}

/// Returns the files in the work folder of a complete study that no run has written.
pub fn left_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let is_left = |path: &PathBuf| !path.ends_with(MARK);
    Ok(entries(&folder.join(WORK))?.into_iter().filter(is_left).collect())
}
