//! A result file, with its size and hash.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::disk::{Disk, FileError, Unfinished};

/// A finished result file, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultFile {
    pub name: String,
    pub bytes: u64,
    /// The XXH3-64 hash of the bytes, with the name of the algorithm in front.
    pub hash: String,
}

impl ResultFile {
    /// Returns the entry of a file with the content `bytes`.
    pub fn new(name: &str, bytes: &[u8]) -> ResultFile {
        let mut measured = Measured::default();
        measured.add(bytes);
        measured.written(name)
    }

    /// Counts and hashes a file while it is read.
    pub(super) fn read(name: &str, mut content: impl Read) -> io::Result<ResultFile> {
        let mut measured = Measured::default();
        io::copy(&mut content, &mut measured)?;
        Ok(measured.written(name))
    }
}

#[derive(Default)]
struct Measured {
    bytes: u64,
    hash: Xxh3Default,
}

impl Measured {
    fn add(&mut self, content: &[u8]) {
        self.bytes += content.len() as u64;
        self.hash.update(content);
    }

    fn written(&self, name: &str) -> ResultFile {
        let hash = format!("xxh3-64:{:016x}", self.hash.digest());
        ResultFile { name: name.to_string(), bytes: self.bytes, hash }
    }
}

impl Write for Measured {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.add(content);
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct Product<'a> {
    file: io::BufWriter<Unfinished<'a>>,
    pub path: PathBuf,
    name: String,
    measured: Measured,
}

impl<'a> Product<'a> {
    /// Starts a result file, which is renamed to `name` in `folder` when it is finished.
    pub fn begin(disk: Disk<'a>, folder: &Path, name: String) -> Result<Product<'a>, FileError> {
        let path = folder.join(&name);
        let file = io::BufWriter::new(disk.begin(&path)?);
        Ok(Product { file, path, name, measured: Measured::default() })
    }

    /// Returns the entry of the bytes written so far.
    pub fn written(&self) -> ResultFile {
        self.measured.written(&self.name)
    }

    /// Syncs the complete file, and renames it to its final path.
    pub fn finish(self) -> Result<(), FileError> {
        let Product { file, path, .. } = self;
        let file =
            file.into_inner().map_err(|error| FileError::at_path(&path)(error.into_error()))?;
        file.sync()?;
        file.finish()
    }
}

impl Write for Product<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let taken = self.file.write(content)?;
        self.measured.add(&content[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
