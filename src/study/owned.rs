//! The files in an output folder that lowcrawl has written, named with their hashes in a list
//! beside them. No other file is removed, or replaced without permission.
//!
//! Anyone may have written such a list. A name that leads out of the folder, a link or a device is
//! never opened. The length of a file is compared before its content is read.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, DiskOp, FileError, if_there};
use super::hashed::{Measured, ResultFile};
use super::run_error::RunError;

const MOST_LIST: u64 = 1 << 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEntry {
    Nothing,
    File(u64),
    /// An entry that is no regular file, in words.
    Other(&'static str),
}

impl PathEntry {
    pub(super) const FOLDER: PathEntry = PathEntry::Other("a folder");

    /// Returns the kind of entry at a path, without following a link.
    pub fn from_path(path: &Path) -> Result<PathEntry, FileError> {
        let metadata = if_there(fs::symlink_metadata(path)).map_err(FileError::at_path(path))?;
        let Some(metadata) = metadata else { return Ok(PathEntry::Nothing) };
        Ok(match metadata.file_type() {
            kind if kind.is_file() => PathEntry::File(metadata.len()),
            kind if kind.is_dir() => PathEntry::FOLDER,
            kind if kind.is_symlink() => PathEntry::Other("a link"),
            _ => PathEntry::Other("a device or a pipe"),
        })
    }

    /// Returns the length of the file at a path, if any; `problem` is what another entry prevents.
    pub fn file_at(path: &Path, problem: &str) -> Result<Option<u64>, RunError> {
        match PathEntry::from_path(path)? {
            PathEntry::Nothing => Ok(None),
            PathEntry::File(length) => Ok(Some(length)),
            PathEntry::Other(what) => {
                Err(RunError::foreign(path, format!("{problem}: {what} has its name")))
            }
        }
    }
}

pub(super) fn read_list(disk: &dyn Disk, path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match PathEntry::file_at(path, "the list of results cannot be written")? {
        Some(length) if length > MOST_LIST => {
            Err(RunError::occupied(path, "this file is too long for a list of results"))
        }
        Some(_) => Ok(Some(disk.read(path)?)),
        None => Ok(None),
    }
}

impl ResultFile {
    /// Returns the reason why the file in `folder` differs from this entry; `None` if they agree.
    pub(super) fn fault_in(
        &self,
        disk: &dyn Disk,
        folder: &Path,
    ) -> Result<Option<String>, FileError> {
        if Path::new(&self.name).file_name() != Some(OsStr::new(&self.name)) {
            return Ok(Some("this name is outside the folder".to_string()));
        }
        let path = folder.join(&self.name);
        Ok(match PathEntry::from_path(&path)? {
            PathEntry::Nothing => Some("this result file is missing".to_string()),
            PathEntry::File(length) if length == self.bytes => {
                // The file may grow meanwhile, so at most one byte more is read.
                let mut measured = Measured::default();
                disk.does(DiskOp::Read, &path, |path| {
                    io::copy(&mut File::open(path)?.take(self.bytes + 1), &mut measured)
                })?;
                (measured.written(&self.name) != *self)
                    .then(|| "this file was changed after the run".to_string())
            }
            PathEntry::File(length) => {
                Some(format!("this file has {length} bytes instead of {}", self.bytes))
            }
            PathEntry::Other(what) => Some(format!("{what} has the name of a result file")),
        })
    }

    fn is_in(&self, disk: &dyn Disk, folder: &Path) -> Result<bool, FileError> {
        self.fault_in(disk, folder).map(|fault| fault.is_none())
    }
}

/// A list of the files that lowcrawl has written, or is about to write, in a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenList {
    #[serde(default)]
    files: Vec<ResultFile>,
}

impl WrittenList {
    /// Reads only the `files` of a list, maybe of another version. An invalid list is empty.
    pub fn read(disk: &dyn Disk, list: &Path) -> Result<WrittenList, RunError> {
        let text = read_list(disk, list)?;
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default())
    }

    /// Adds files that are about to be written. Older entries stay, for files not yet replaced.
    pub fn add(&mut self, files: &[ResultFile]) {
        let new = files.iter().filter(|file| !self.files.contains(file)).cloned();
        self.files.extend(new.collect::<Vec<_>>());
    }

    /// Refuses to replace a link, a folder or, unless `replace` is set, a file that is not listed.
    pub fn check(
        &self,
        (disk, folder): (&dyn Disk, &Path),
        name: &str,
        replace: bool,
    ) -> Result<(), RunError> {
        let path = folder.join(name);
        if PathEntry::file_at(&path, "the result cannot be written")?.is_none() || replace {
            return Ok(());
        }
        for file in self.files.iter().filter(|file| file.name == name) {
            if file.is_in(disk, folder)? {
                return Ok(());
            }
        }
        Err(RunError::occupied(&path, "lowcrawl did not write this file, and would overwrite it"))
    }

    /// Returns the listed files that are unchanged in the folder, sorted by name.
    pub fn still_in(&self, disk: &dyn Disk, folder: &Path) -> Result<WrittenList, FileError> {
        let mut there = WrittenList::default();
        for file in &self.files {
            if file.is_in(disk, folder)? {
                there.files.push(file.clone());
            }
        }
        there.files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(there)
    }

    pub(super) fn remove(&self, disk: &dyn Disk, folder: &Path) -> Result<(), FileError> {
        let there = self.still_in(disk, folder)?.files;
        there.iter().try_for_each(|file| disk.remove(&folder.join(&file.name)))
    }
}

/// Returns the entries of a folder, sorted; none if the folder is missing.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = if_there(fs::read_dir(folder)).map_err(FileError::at_path(folder))?;
    let paths = entries.into_iter().flatten().map(|entry| Ok(entry?.path()));
    let paths = paths.collect::<io::Result<BTreeSet<PathBuf>>>();
    Ok(paths.map_err(FileError::at_path(folder))?.into_iter().collect())
}
