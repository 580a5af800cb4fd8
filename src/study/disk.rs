//! Files of results: they appear by rename when they are complete, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written beside its place.
#[derive(Debug)]
pub struct Unfinished {
    temporary: tempfile::NamedTempFile,
    path: PathBuf,
}

/// A file or folder that did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl FileError {
    /// An error of `path` from any error of a library.
    pub fn of<E: Into<io::Error>>(path: &Path) -> impl Fn(E) -> FileError + '_ {
        |error| FileError { path: path.to_path_buf(), source: plain(error.into()) }
    }

    /// An error of `path` in words.
    pub fn words(path: &Path, words: &str) -> FileError {
        FileError { path: path.to_path_buf(), source: io::Error::other(words.to_string()) }
    }
}

/// The operating system's own words, without the names of temporary files.
fn plain(error: io::Error) -> io::Error {
    let source = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>()).and_then(io::Error::raw_os_error);
    match error.raw_os_error().or(source) {
        Some(code) => io::Error::from_raw_os_error(code),
        None if error.kind() == io::ErrorKind::Other => error,
        None => io::Error::from(error.kind()),
    }
}

impl Unfinished {
    /// Begins a file that will stand at `path`.
    pub fn begin(path: &Path) -> Result<Unfinished, FileError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(FileError::words(path, &format!("there is no folder `{}`", folder.display())));
        }
        if path.is_dir() {
            return Err(FileError::words(path, "a folder is in the way"));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lowcrawl-");
        // Others may read it as any file the user makes.
        #[cfg(unix)]
        let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder).map_err(FileError::of(path))?;
        Ok(Unfinished { temporary, path: path.to_path_buf() })
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Puts the complete file into its place.
    pub fn finish(self) -> Result<(), FileError> {
        let fault = FileError::of(&self.path);
        self.temporary.persist(&self.path).map(drop).map_err(|error| fault(error.error))
    }
}

/// Writes a whole file, to appear when it is complete.
pub fn write(path: &Path, content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), FileError> {
    let unfinished = Unfinished::begin(path)?;
    let mut writer = BufWriter::new(unfinished.file());
    content(&mut writer).and_then(|()| writer.flush()).map_err(FileError::of(path))?;
    drop(writer);
    unfinished.finish()
}

/// The same for a path the user gave: a link is followed, and a pipe or device is written to as it is.
pub fn write_out(path: &Path, content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), FileError> {
    let target = target(path)?;
    let special = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if !special {
        return write(&target, content);
    }
    let fault = FileError::of(path);
    let file = File::options().write(true).open(&target).map_err(&fault)?;
    let mut writer = BufWriter::new(&file);
    content(&mut writer).and_then(|()| writer.flush()).map_err(&fault)
}

/// Where a path leads, link by link: the last may lead to a file that is not there yet.
fn target(path: &Path) -> Result<PathBuf, FileError> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        // What is no link, or is not there, is the end.
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(FileError::words(path, "links lead in a circle"))
}

/// Links that are followed one after another, as many as systems follow.
const MOST_LINKS: usize = 40;
