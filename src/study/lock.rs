//! The lock of an output folder: a file in it, which names the one who is at work.
//!
//! A lock ends with its process, however that ends; so the name of the file alone means nothing,
//! and one that another has removed meanwhile is not the lock: after locking one has to look
//! whether the file locked is still the one in the folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

use super::disk::{Deed, Disk, FileError};
use super::run::RunError;

/// The file.
pub(super) const LOCK: &str = ".lowcrawl-lock";

/// What comes of asking for a lock.
pub(super) enum Lock {
    Taken(File),
    /// Someone else has it, who says this of himself.
    Held(String),
}

/// Takes the lock of a folder, which is made if need be.
pub(super) fn lock(folder: &Path, disk: Disk) -> Result<Lock, RunError> {
    let path = folder.join(LOCK);
    loop {
        disk.does(Deed::MakeFolder, folder, |folder| fs::create_dir_all(folder))?;
        let open = |path: &Path| {
            File::options().create(true).truncate(false).read(true).write(true).open(path)
        };
        let mut file = match disk.does(Deed::Lock, &path, open) {
            // The folder was removed by the run that had made it.
            Err(error) if error.source.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                continue;
            }
            file => file?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => return Ok(Lock::Taken(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut who = String::new();
                let read = file.rewind().and_then(|()| file.read_to_string(&mut who));
                return Ok(Lock::Held(if read.is_ok() && !who.is_empty() {
                    who
                } else {
                    "another process".to_string()
                }));
            }
            // Where the file system knows no locks, there is none to be had.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(Lock::Taken(file));
            }
            Err(TryLockError::Error(error)) => return Err(FileError::of(&path)(error).into()),
        }
    }
}

/// Whether an open file is still the one that is called so.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |(a, b): (fs::Metadata, fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(same)
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
