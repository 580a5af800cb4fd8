//! What in an output folder is lowcrawl's own: files that a list beside them names with their
//! hashes. Nothing else is removed, or replaced without being asked.
//!
//! A list may have been written by anyone. A name that leads out of the folder, a link or a device
//! is never opened, and the length of a file is compared before its contents are read.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, DiskOp, FileError};
use super::product::ResultFile;
use super::run::RunError;

/// Most bytes of a list, such as the manifest of a study.
const MOST_LIST: u64 = 1 << 28;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEntry {
    Nothing,
    /// A file of this length.
    File(u64),
    Folder,
    /// What a run never opens, in words: a link, a device, a pipe.
    Other(&'static str),
}

impl PathEntry {
    /// Looks at a path without following a link.
    pub fn at(path: &Path) -> Result<PathEntry, FileError> {
        let metadata = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PathEntry::Nothing),
            metadata => metadata.map_err(FileError::at_path(path))?,
        };
        Ok(match metadata.file_type() {
            kind if kind.is_file() => PathEntry::File(metadata.len()),
            kind if kind.is_dir() => PathEntry::Folder,
            kind if kind.is_symlink() => PathEntry::Other("a link"),
            _ => PathEntry::Other("a device or a pipe"),
        })
    }

    /// What is in the way where a file is wanted.
    pub fn in_the_way(self) -> Option<&'static str> {
        match self {
            PathEntry::Nothing | PathEntry::File(_) => None,
            PathEntry::Folder => Some("a folder"),
            PathEntry::Other(what) => Some(what),
        }
    }
}

/// Refuses what is not lowcrawl's own and cannot be replaced.
pub(super) fn foreign(path: &Path, problem: impl Into<String>) -> RunError {
    RunError::Foreign { path: path.to_path_buf(), problem: problem.into() }
}

/// Refuses a file that would be replaced only when that is wanted.
pub(super) fn occupied(path: &Path, problem: impl Into<String>) -> RunError {
    RunError::Occupied { path: path.to_path_buf(), problem: problem.into() }
}

/// Reads a list; nothing where it is missing.
pub(super) fn read_list(disk: Disk, path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    let entry = PathEntry::at(path)?;
    if let Some(what) = entry.in_the_way() {
        return Err(foreign(path, format!("{what} is in the way of a list of results")));
    }
    match entry {
        PathEntry::File(length) if length > MOST_LIST => {
            Err(occupied(path, "this file is longer than any list of results"))
        }
        PathEntry::File(_) => Ok(Some(disk.does(DiskOp::Read, path, |path| fs::read(path))?)),
        _ => Ok(None),
    }
}

impl ResultFile {
    /// Says why the file in `folder` is not this one; nothing where it is.
    pub(super) fn fault_in(&self, disk: Disk, folder: &Path) -> Result<Option<String>, FileError> {
        if Path::new(&self.name).file_name() != Some(OsStr::new(&self.name)) {
            return Ok(Some("this name leads out of the folder".to_string()));
        }
        let path = folder.join(&self.name);
        match PathEntry::at(&path)? {
            PathEntry::Nothing => return Ok(Some("this result is missing".to_string())),
            PathEntry::File(length) if length == self.bytes => {}
            PathEntry::File(length) => {
                let words = format!("this has {length} bytes of {}", self.bytes);
                return Ok(Some(words));
            }
            other => {
                let what = other.in_the_way().unwrap_or_default();
                return Ok(Some(format!("{what} is in the place of a result")));
            }
        }
        // It may grow while it is read.
        let bytes =
            |path: &Path| ResultFile::read(&self.name, File::open(path)?.take(self.bytes + 1));
        let there = disk.does(DiskOp::Read, &path, bytes)?;
        Ok((there != *self).then(|| "this is not what the run has written".to_string()))
    }

    fn is_in(&self, disk: Disk, folder: &Path) -> Result<bool, FileError> {
        self.fault_in(disk, folder).map(|fault| fault.is_none())
    }
}

/// Files of a folder that lowcrawl has written, or is about to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenList {
    #[serde(default)]
    files: Vec<ResultFile>,
}

impl WrittenList {
    /// Reads a list, of which nothing but `files` is looked at: it may be of another version.
    pub fn read(disk: Disk, list: &Path) -> Result<WrittenList, RunError> {
        let text = read_list(disk, list)?;
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default())
    }

    /// Writes the list.
    pub fn write(&self, disk: Disk, list: &Path) -> Result<(), FileError> {
        disk.write(list, |mut file| {
            serde_json::to_writer_pretty(&mut file, self).map_err(io::Error::from)?;
            file.write_all(b"\n")
        })
    }

    /// Adds files that are about to be written; what is there with the same bytes is no loss. What
    /// they replace stays on the list, since it is there until then.
    pub fn add(&mut self, files: &[ResultFile]) {
        let new = files.iter().filter(|file| !self.files.contains(file)).cloned();
        self.files.extend(new.collect::<Vec<_>>());
    }

    /// Refuses a file that is not on the list to be replaced, unless that is wanted; a link is
    /// never followed, nor replaced.
    pub fn check(
        &self,
        (disk, folder): (Disk, &Path),
        name: &str,
        replace: bool,
    ) -> Result<(), RunError> {
        let path = folder.join(name);
        let entry = PathEntry::at(&path)?;
        if let Some(what) = entry.in_the_way() {
            return Err(foreign(&path, format!("{what} is in the way of a result")));
        }
        if entry == PathEntry::Nothing || replace {
            return Ok(());
        }
        for file in self.files.iter().filter(|file| file.name == name) {
            if file.is_in(disk, folder)? {
                return Ok(());
            }
        }
        Err(occupied(&path, "this file, which lowcrawl has not written, is in the way of a result"))
    }

    /// The listed files that are in the folder as they were written, by their names.
    pub fn still_in(&self, disk: Disk, folder: &Path) -> Result<WrittenList, FileError> {
        let mut there = WrittenList::default();
        for file in &self.files {
            if file.is_in(disk, folder)? {
                there.files.push(file.clone());
            }
        }
        there.files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(there)
    }

    /// Removes the listed files that are in the folder as they were written.
    pub(super) fn remove(&self, disk: Disk, folder: &Path) -> Result<(), FileError> {
        let there = self.still_in(disk, folder)?.files;
        there.iter().try_for_each(|file| disk.remove(&folder.join(&file.name)))
    }
}

/// The entries of a folder, in order; none where it is missing.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(FileError::at_path(folder))?,
    };
    let paths = entries.map(|entry| Ok(entry.map_err(FileError::at_path(folder))?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, FileError>>()?;
    paths.sort();
    Ok(paths)
}
