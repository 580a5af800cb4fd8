//! ZIP archives of VASL's files. Claimed lengths are not trusted: every entry has a limit.

use std::io::{Cursor, Read as _};

use engine::text::Fault;
use zip::ZipArchive;
use zip::result::ZipError;

/// The maximum size of an archive in bytes.
pub const MOST_ARCHIVE: usize = 256 << 20;

/// A ZIP archive in memory.
pub struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a ZIP archive or exceed [`MOST_ARCHIVE`].
    pub fn open(bytes: &'a [u8]) -> Result<Archive<'a>, Fault> {
        engine::text::within("the archive", bytes.len(), MOST_ARCHIVE)?;
        ZipArchive::new(Cursor::new(bytes)).map(Archive).map_err(|error| {
            Fault::new(format!("not a ZIP archive: {error}"), 0..0)
                .help("saves, logs, boards and modules of VASL are ZIP archives")
        })
    }

    /// Returns whether the bytes start like an archive.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK")
    }

    /// Returns the content of an entry, or `None` if the archive has no entry of that name.
    ///
    /// # Errors
    ///
    /// Fails if the entry is damaged or has more than `most` bytes.
    pub fn entry(&mut self, name: &str, most: usize) -> Result<Option<Vec<u8>>, Fault> {
        let damaged = |why: &dyn std::fmt::Display| {
            Fault::new(format!("`{name}` in the archive cannot be read: {why}"), 0..0)
        };
        let entry = match self.0.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(&error)),
        };
        let mut bytes = Vec::new();
        entry.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
        engine::text::within(&format!("`{name}` in the archive"), bytes.len(), most)?;
        Ok(Some(bytes))
    }
}
