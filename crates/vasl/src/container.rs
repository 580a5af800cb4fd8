//! Archives: what a save, a log, a board or a module is packed in. A file is never believed: every
//! entry has a bound of its own, whatever length it claims.

use std::io::{Cursor, Read as _};

use engine::text::Fault;
use zip::ZipArchive;
use zip::result::ZipError;

/// Most bytes of an archive.
pub const MOST_ARCHIVE: usize = 256 << 20;

/// A ZIP archive in memory.
pub struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    /// Finds what is in an archive; a fault where it is none.
    pub fn open(bytes: &'a [u8]) -> Result<Archive<'a>, Fault> {
        engine::text::within("the archive", bytes.len(), MOST_ARCHIVE)?;
        ZipArchive::new(Cursor::new(bytes)).map(Archive).map_err(|error| {
            Fault::new(format!("not a ZIP archive: {error}"), 0..0)
                .help("saves, logs, boards and modules of VASL are ZIP archives")
        })
    }

    /// Whether the bytes begin as an archive does.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK")
    }

    /// What an entry holds, at most so many bytes; nothing where there is none of that name.
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
