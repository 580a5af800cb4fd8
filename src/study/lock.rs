//! The lock of an output folder: a locked file inside it, whose text names the process that holds
//! it.
//!
//! The operating system releases a lock when its process ends, so an unlocked file means nothing. A
//! locked file may also have been removed by another process. After locking, a process must
//! therefore check that the locked file is still the one in the folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

use super::disk::{Disk, DiskOp, FileError};
use super::owned::PathEntry;
use super::run_error::RunError;

pub(super) const LOCK: &str = ".lowcrawl-lock";
/// The first word of a lock file, once the process that holds the lock has written its text.
pub(super) const LOCKED_BY: &str = "process";

pub(super) enum Lock {
    /// The folder is locked while this file stays open.
    Taken(File),
    /// Another process holds the lock; the text of the file describes that process.
    Held(String),
}

/// Locks a folder, and creates it if it is missing. Fails if the folder or its lock file cannot be
/// created or opened.
pub(super) fn lock(folder: &Path, disk: &dyn Disk) -> Result<Lock, RunError> {
    let path = folder.join(LOCK);
    loop {
        disk.does(DiskOp::MakeFolder, folder, |folder| fs::create_dir_all(folder))?;
        PathEntry::file_at(&path, "the lock cannot be created")?;
        let open = |path: &Path| {
            File::options().create(true).truncate(false).read(true).write(true).open(path)
        };
        let mut file = match disk.does(DiskOp::Lock, &path, open) {
            // The run that had created the folder has removed the folder.
            Err(error) if error.source.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                continue;
            }
            file => file?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => return taken(file, &path),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Ok(Lock::Held(match holder(&mut file) {
                    Some(who) if !who.is_empty() => who,
                    _ => "another process".to_string(),
                }));
            }
            // A file system without locks is used unlocked.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return taken(file, &path);
            }
            Err(TryLockError::Error(error)) => return Err(FileError::at_path(&path)(error).into()),
        }
    }
}

/// Returns the lock, unless the file has foreign content, which would be overwritten.
fn taken(mut file: File, path: &Path) -> Result<Lock, RunError> {
    match holder(&mut file) {
        Some(who) if who.is_empty() || who.starts_with(LOCKED_BY) => {
            file.rewind().map_err(FileError::at_path(path))?;
            Ok(Lock::Taken(file))
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
    use std::os::unix::fs::MetadataExt as _;
    let same = |(a, b): (fs::Metadata, fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(same)
}

/// Returns true, since outside Unix an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
