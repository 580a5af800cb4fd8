//! Atomic writes of result files: a rename makes a file visible once it is whole and on the disk.
//!
//! Disk operations go through a [`Disk`]. A test's can fail any, or kill the process after it.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::hashed::{Measured, ResultFile};

/// A kind of disk operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskOp {
    MakeFolder,
    Create,
    Write,
    Sync,
    Rename,
    SyncFolder,
    Remove,
    Read,
    Lock,
}

/// The result that a [`Disk`] gives an operation.
#[derive(Debug)]
pub enum OpResult {
    /// The operation runs normally.
    Done,
    /// A write takes only the first half of its bytes, as a disk may do at any time.
    Short,
    /// The operation fails with this error.
    Fails(io::Error),
}

/// The access of a run to the disk.
pub trait Disk: Sync {
    /// Decides the result of an operation on a path, before it runs.
    fn result(&self, _operation: DiskOp, _path: &Path) -> OpResult {
        OpResult::Done
    }
}

/// The disk without injected faults.
pub struct RealDisk;

impl Disk for RealDisk {}

/// A failed operation on a file or folder.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl FileError {
    /// Returns a function that converts a library's error to an error about `path`.
    pub(crate) fn at_path<E: Into<io::Error>>(path: &Path) -> impl Fn(E) -> FileError + '_ {
        |error| FileError { path: path.to_path_buf(), source: plain(error.into()) }
    }

    pub(crate) fn words(path: &Path, words: &str) -> FileError {
        FileError { path: path.to_path_buf(), source: io::Error::other(words.to_string()) }
    }
}

/// Reduces an error to that of the operating system, which libraries may keep only as a text.
fn plain(error: io::Error) -> io::Error {
    match error.raw_os_error().or_else(|| os_code(&error.to_string())) {
        Some(code) => io::Error::from_raw_os_error(code),
        None if error.kind() == io::ErrorKind::Other => error,
        None => io::Error::from(error.kind()),
    }
}

/// Returns the operating system's error number from a text such as `(os error 28)`, if any.
pub(crate) fn os_code(text: &str) -> Option<i32> {
    text.rsplit_once("(os error ")?.1.split_once(')')?.0.parse().ok()
}

/// Returns the result of an operation on a file or folder; `None` if there is nothing.
pub(super) fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

const UNFINISHED: &str = ".lowcrawl-part";

/// Returns whether a path is an unfinished file of lowcrawl: `.NAME.PROCESS-NUMBER.lowcrawl-part`.
pub(super) fn is_unfinished(path: &Path) -> bool {
    let number = |name: &str| {
        let (_, own) = name.strip_prefix('.')?.strip_suffix(UNFINISHED)?.rsplit_once('.')?;
        let (process, number) = own.split_once('-')?;
        process.parse::<u32>().ok()?;
        u32::from_str_radix(number, 16).ok().filter(|_| number.len() == 8)
    };
    let is_named =
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| number(name).is_some());
    is_named && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

impl dyn Disk + '_ {
    /// Returns false if an injected fault makes the operation partial.
    fn whole(&self, operation: DiskOp, path: &Path) -> io::Result<bool> {
        match self.result(operation, path) {
            OpResult::Done => Ok(true),
            OpResult::Short => Ok(false),
            OpResult::Fails(error) => Err(error),
        }
    }

    /// Runs an operation on `path`, unless a fault is injected.
    pub(super) fn does<T>(
        &self,
        operation: DiskOp,
        path: &Path,
        done: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, FileError> {
        self.whole(operation, path).and_then(|_| done(path)).map_err(FileError::at_path(path))
    }

    pub(super) fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.does(DiskOp::Read, path, |path| fs::read(path))
    }

    pub(super) fn make_folder(&self, path: &Path) -> Result<(), FileError> {
        self.does(DiskOp::MakeFolder, path, |path| fs::create_dir_all(path))
    }

    /// Opens a file for reading and writing, and creates it if it is missing.
    pub(super) fn open(&self, operation: DiskOp, path: &Path) -> Result<File, FileError> {
        let mut options = File::options();
        let options = options.create(true).truncate(false).read(true).write(true);
        self.does(operation, path, |path| options.open(path))
    }

    pub(super) fn remove(&self, path: &Path) -> Result<(), FileError> {
        self.does(DiskOp::Remove, path, |path| if_there(fs::remove_file(path)).map(drop))
    }

    pub(super) fn remove_folder(&self, path: &Path) -> Result<(), FileError> {
        self.does(DiskOp::Remove, path, |path| if_there(fs::remove_dir(path)).map(drop))
    }

    pub(super) fn sync_folder(&self, folder: &Path) -> Result<(), FileError> {
        // Outside Unix a folder cannot be opened as a file.
        let sync = |folder: &Path| if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) };
        self.does(DiskOp::SyncFolder, folder, sync)
    }

    /// Removes [unfinished files](is_unfinished) named `begin..` that no process writes.
    pub(super) fn clear(&self, folder: &Path, begin: &str) -> Result<(), FileError> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // A process that is writing a file holds the lock of that file.
            let is_left = || File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
            if name.starts_with(begin) && is_unfinished(&path) && is_left() {
                self.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Creates a temporary file that will replace the file at `path`, with its permissions.
    pub(crate) fn begin<'a>(&'a self, path: &Path) -> Result<Unfinished<'a>, FileError> {
        let folder = folder_of(path);
        if !folder.is_dir() {
            let words = format!("there is no folder `{}`", folder.display());
            return Err(FileError::words(path, &words));
        }
        if path.is_dir() {
            return Err(FileError::words(path, "a folder is in the way"));
        }
        let kept = permissions(path)?;
        // A hash keeps the temporary name short, since `name` may already have the greatest length.
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let begin = format!(".{:016x}.", xxh3_64(name));
        self.clear(folder, &begin)?;
        // Processes on two machines may have the same number.
        let own = format!("{}-{:08x}", std::process::id(), rand::random::<u32>());
        let temporary = folder.join(format!("{begin}{own}{UNFINISHED}"));
        let file = self
            .whole(DiskOp::Create, path)
            .and_then(|_| File::options().read(true).write(true).create_new(true).open(&temporary))
            .map_err(FileError::at_path(path))?;
        // The lock is optional: some file systems have none.
        let _ = file.try_lock();
        let content = BufWriter::new(DiskFile { disk: self, path: path.to_path_buf(), file });
        let unfinished = Unfinished { content, temporary, measured: Measured::default() };
        unfinished.set_permissions(kept).map_err(FileError::at_path(path))?;
        Ok(unfinished)
    }

    /// Writes a whole file, which appears at `path` only when it is complete and on the disk.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let mut unfinished = self.begin(path)?;
        content(&mut unfinished).map_err(FileError::at_path(path))?;
        unfinished.finish()?;
        self.sync_folder(folder_of(path))
    }

    pub(crate) fn write_json(&self, path: &Path, value: &impl Serialize) -> Result<(), FileError> {
        self.write(path, |mut file| {
            serde_json::to_writer_pretty(&mut file, value)?;
            file.write_all(b"\n")
        })
    }
}

/// Returns the permissions of the file at `path`, if any. Read-only fails, though renames work.
fn permissions(path: &Path) -> Result<Option<Permissions>, FileError> {
    let Some(file) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return Ok(None) };
    if file.permissions().readonly() {
        let words = "this file is read-only: make it writable, or write to another";
        return Err(FileError::words(path, words));
    }
    File::options().append(true).open(path).map_err(FileError::at_path(path))?;
    Ok(Some(file.permissions()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An open file whose writes may be partial.
pub(super) struct DiskFile<'a> {
    pub disk: &'a dyn Disk,
    pub path: PathBuf,
    pub file: File,
}

impl Write for DiskFile<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let whole = self.disk.whole(DiskOp::Write, &self.path)?;
        let part = if whole { content } else { &content[..content.len().div_ceil(2)] };
        self.file.write(part)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A temporary file beside its final path, which measures its content; a drop removes it.
pub(crate) struct Unfinished<'a> {
    content: BufWriter<DiskFile<'a>>,
    temporary: PathBuf,
    measured: Measured,
}

impl<'a> Unfinished<'a> {
    pub(crate) fn path(&self) -> &Path {
        &self.content.get_ref().path
    }

    /// Returns the entry of the bytes written so far.
    pub(crate) fn written(&self) -> ResultFile {
        self.measured.written(&self.path().file_name().unwrap_or_default().to_string_lossy())
    }

    /// Opens the file at its temporary path once more.
    pub(super) fn reopened(&self) -> Result<DiskFile<'a>, FileError> {
        let DiskFile { disk, path, file } = self.content.get_ref();
        let file = file.try_clone().map_err(FileError::at_path(path))?;
        Ok(DiskFile { disk: *disk, path: self.temporary.clone(), file })
    }

    /// Sets the permissions; call this before any private content is written.
    fn set_permissions(&self, kept: Option<Permissions>) -> io::Result<()> {
        // A file system with one set of permissions for all files may refuse this.
        let file = &self.content.get_ref().file;
        let own = file.metadata()?.permissions();
        kept.filter(|kept| *kept != own).map_or(Ok(()), |kept| file.set_permissions(kept))
    }

    /// Waits until all written bytes are on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), FileError> {
        let flushed = self.content.flush();
        let DiskFile { disk, path, file } = self.content.get_ref();
        flushed.map_err(FileError::at_path(path))?;
        disk.does(DiskOp::Sync, path, |_| file.sync_all())
    }

    /// Waits until all written bytes are on the disk, and renames the file to its final path.
    pub(crate) fn finish(mut self) -> Result<(), FileError> {
        self.sync()?;
        let DiskFile { disk, path, .. } = self.content.get_ref();
        disk.does(DiskOp::Rename, path, |path| fs::rename(&self.temporary, path))
    }
}

impl Write for Unfinished<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let taken = self.content.write(content)?;
        self.measured.write(&content[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // After `finish` the temporary name is gone; the next write to this path clears it.
        let _ = self.content.get_ref().disk.remove(&self.temporary);
    }
}

/// Writes a whole file to a path of the user: through links, and directly to a pipe or device.
pub(crate) fn write_out(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let target = target(path)?;
    let special =
        fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if !special {
        let disk: &dyn Disk = &RealDisk;
        return disk.write(&target, content);
    }
    let fault = FileError::at_path(path);
    let file = File::options().write(true).open(&target).map_err(&fault)?;
    let mut writer = BufWriter::new(&file);
    content(&mut writer).and_then(|()| writer.flush()).map_err(&fault)
}

/// Follows the links of a path; the target need not exist.
fn target(path: &Path) -> Result<PathBuf, FileError> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        // A path that is no link, or does not exist, ends the search.
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(FileError::words(path, "links lead in a circle"))
}

const MOST_LINKS: usize = 40;
