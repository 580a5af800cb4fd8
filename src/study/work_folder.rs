//! The work folder of a run: finished cells, checkpoints, and the list of results about to be
//! written. It lies in the output folder, and is removed when the study is complete.
//!
//! A tag file shows that lowcrawl made the folder. In a tagged folder, lowcrawl owns the files
//! whose names are spelt as a run spells them. It never touches other files, or a folder without
//! the tag.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, DiskOp, FileError, is_unfinished};
use super::manifest::Identity;
use super::owned::{PathEntry, entries, foreign};
use super::run::RunError;

const WORK: &str = "lowcrawl-work";
/// The tag file of the folder. It also tells backup programs to skip the folder.
const MARK: &str = "CACHEDIR.TAG";
const MARKED: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # This folder was made by lowcrawl. A study at work keeps its finished cells here.\n";
const RESULTS: &str = "results.json";

pub(super) struct WorkFolder<'a> {
    pub(super) path: PathBuf,
    pub(super) disk: Disk<'a>,
    /// The identity of the run that holds the output folder.
    pub(super) identity: &'a Identity,
}

impl<'a> WorkFolder<'a> {
    pub fn new(folder: &Path, disk: Disk<'a>, identity: &'a Identity) -> WorkFolder<'a> {
        WorkFolder { path: folder.join(WORK), disk, identity }
    }

    /// Returns the path of the list of results that are about to be written.
    pub fn results(&self) -> PathBuf {
        self.path.join(RESULTS)
    }

    /// Returns whether the folder has its tag file; false if the folder is missing or still empty.
    /// Fails if anything else is at the path of the folder, or the folder cannot be read.
    pub fn is_marked(&self) -> Result<bool, RunError> {
        match PathEntry::at(&self.path)? {
            PathEntry::Nothing => return Ok(false),
            PathEntry::Folder => {}
            PathEntry::File(_) => return Err(foreign(&self.path, "a file is in the way")),
            PathEntry::Other(what) => {
                return Err(foreign(&self.path, format!("{what} is in the way")));
            }
        }
        let mark = self.path.join(MARK);
        let read = |mark: &Path| fs::read(mark);
        if PathEntry::at(&mark)? == PathEntry::File(MARKED.len() as u64)
            && self.disk.does(DiskOp::Read, &mark, read)? == MARKED.as_bytes()
        {
            return Ok(true);
        }
        // A run may have been killed before it wrote the tag file.
        match entries(&self.path)?.iter().all(|path| is_unfinished(path)) {
            true => Ok(false),
            false => Err(foreign(&self.path, "lowcrawl did not make this folder")),
        }
    }

    /// Creates the tagged folder if it is missing, and removes unfinished files from it. Fails if
    /// something is in the way, or a disk operation fails.
    pub fn make(&self) -> Result<(), RunError> {
        if !self.is_marked()? {
            self.disk.does(DiskOp::MakeFolder, &self.path, |path| fs::create_dir_all(path))?;
            let mark = self.path.join(MARK);
            self.disk.write(&mark, |file| file.write_all(MARKED.as_bytes()))?;
        }
        Ok(self.disk.clear(&self.path, ".")?)
    }

    /// Returns the files that runs have written in the folder, sorted.
    pub fn files(&self) -> Result<Vec<PathBuf>, RunError> {
        let mut own = Vec::new();
        if self.is_marked()? {
            for path in entries(&self.path)? {
                let is_named = Name::read(&path).is_some() || path.ends_with(RESULTS);
                if is_named && matches!(PathEntry::at(&path)?, PathEntry::File(_)) {
                    own.push(path);
                }
            }
        }
        Ok(own)
    }

    /// Removes the files that runs have written, and the folder if nothing else is in it.
    pub fn clear(&self) -> Result<(), RunError> {
        for path in self.files()? {
            self.disk.remove(&path)?;
        }
        self.disk.clear(&self.path, ".")?;
        self.remove_if_empty()
    }

    /// Removes the folder if nothing but its tag file is in it.
    pub fn remove_if_empty(&self) -> Result<(), RunError> {
        let is_marked = self.is_marked()?;
        let mark = self.path.join(MARK);
        if entries(&self.path)?.iter().any(|path| !is_marked || *path != mark) {
            return Ok(());
        }
        self.disk.remove(&mark)?;
        let remove = |path: &Path| match fs::remove_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        };
        Ok(self.disk.does(DiskOp::Remove, &self.path, remove)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Batch {
        block: usize,
        hash: u64,
    },
    /// The checkpoints of the cell whose question has this hash.
    CellCheckpoints(u128),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Batch { block, hash } => write!(f, "{block:07}-{hash:016x}.parquet"),
            Name::CellCheckpoints(key) => write!(f, "{key:032x}.begun"),
        }
    }
}

impl Name {
    /// Parses a file name; `None` if it is not spelt exactly as a run writes it.
    pub fn read(path: &Path) -> Option<Name> {
        let name = path.file_name()?.to_str()?;
        let read = match name.strip_suffix(".begun") {
            Some(key) => Name::CellCheckpoints(u128::from_str_radix(key, 16).ok()?),
            None => {
                let (block, hash) = name.strip_suffix(".parquet")?.split_once('-')?;
                let hash = u64::from_str_radix(hash, 16).ok()?;
                Name::Batch { block: block.parse().ok()?, hash }
            }
        };
        (read.to_string() == name).then_some(read)
    }
}

/// Returns the files in the work folder of a complete study that no run has written.
///
/// # Errors
///
/// Fails if the folder cannot be read.
pub fn left_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let is_left = |path: &PathBuf| !path.ends_with(MARK);
    Ok(entries(&folder.join(WORK))?.into_iter().filter(is_left).collect())
}
