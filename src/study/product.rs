//! A file of results, with its size and hash.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::disk::{Disk, FileError, Unfinished};

/// A file of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    pub name: String,
    pub bytes: u64,
    /// XXH3-64 of the bytes, with its name in front.
    pub hash: String,
}

impl Written {
    pub(super) fn of(name: &str, bytes: &[u8]) -> Written {
        Written {
            name: name.to_string(),
            bytes: bytes.len() as u64,
            hash: format!("xxh3-64:{:016x}", xxh3_64(bytes)),
        }
    }
}

/// A file of results that is being written.
pub(super) struct Product<'a> {
    file: io::BufWriter<Unfinished<'a>>,
    pub path: PathBuf,
    name: String,
    bytes: u64,
    hash: Xxh3Default,
}

impl<'a> Product<'a> {
    pub fn begin(disk: Disk<'a>, folder: &Path, name: String) -> Result<Product<'a>, FileError> {
        let path = folder.join(&name);
        let file = io::BufWriter::new(disk.begin(&path)?);
        Ok(Product { file, path, name, bytes: 0, hash: Xxh3Default::new() })
    }

    pub fn finish(self) -> Result<Written, FileError> {
        let Product { file, path, name, bytes, hash } = self;
        let file = file.into_inner().map_err(|error| FileError::of(&path)(error.into_error()))?;
        file.sync()?;
        file.finish()?;
        Ok(Written { name, bytes, hash: format!("xxh3-64:{:016x}", hash.digest()) })
    }
}

impl Write for Product<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let taken = self.file.write(content)?;
        self.hash.update(&content[..taken]);
        self.bytes += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
