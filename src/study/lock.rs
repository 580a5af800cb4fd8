//! The lock of an output folder: a locked file inside it, whose text names the process that holds
//! it.
//!
//! The operating system releases a lock when its process ends, so an unlocked file means nothing. A
//! locked file may also have been removed by another process. After locking, a process must
//! therefore check that the locked file is still the one in the folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use super::disk::{DiskOp, FileError};
use super::manifest::Identity;
use super::options::Run;
use super::owned::PathEntry;
use super::run_error::RunError;

pub(super) const LOCK: &str = ".lowcrawl-lock";
/// The first word of a lock file, once the process that holds the lock has written its text.
const LOCKED_BY: &str = "process";

const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Locks the folder of a run, and creates it if it is missing. The folder is locked
/// while the returned file stays open. Fails if the folder or its lock file cannot be created or
/// opened, or is locked by another process and the run does not wait.
pub(super) fn lock(run: &Run, identity: &Identity) -> Result<File, RunError> {
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
    use std::os::unix::fs::MetadataExt as _;
    let same = |(a, b): (fs::Metadata, fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(same)
}

/// Returns true, since outside Unix an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
