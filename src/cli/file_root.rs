//! Access to the files that a question names: to all files, or only to those below a folder.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_128;

use super::fault::{Failure, Result};
use asl::board::map::PlacedBoard;
use engine::text::{MOST_FILE, plain, within};
use vasl::ground::joined::JoinedBoards;

/// The name of a file that was read, and a hash of its content.
pub type FileDigest = (String, String);

/// A reader of files for a question. If access is limited to a folder, it records the files read.
pub struct FileRoot {
    /// The canonical path of the folder; `None` allows all files.
    folder: Option<PathBuf>,
    read: Mutex<Vec<FileDigest>>,
    /// The tables made of VASL boards, by the hash of a board's pixels: hexes, lines of sight.
    pub(super) board_tables: Mutex<BTreeMap<String, [String; 2]>>,
    /// The maps joined of the pixels of VASL boards, by their boards.
    pub(super) joined_boards: Mutex<Vec<(Vec<NamedBoard>, Arc<JoinedBoards>)>>,
}

/// A VASL board on a map: the folder of the situation that names it, its name, and its place.
pub(super) type NamedBoard = (PathBuf, String, PlacedBoard);

impl FileRoot {
    pub fn anywhere() -> FileRoot {
        FileRoot {
            folder: None,
            read: Mutex::default(),
            board_tables: Mutex::default(),
            joined_boards: Mutex::default(),
        }
    }

    /// Returns a reader that allows only files below `folder`, with names relative to it.
    pub fn below(folder: &Path) -> io::Result<FileRoot> {
        Ok(FileRoot { folder: Some(folder.canonicalize()?), ..FileRoot::anywhere() })
    }

    /// Returns the folder to which access is limited; `None` if all files are allowed.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the files that were read; none if all files are allowed.
    pub fn into_read(self) -> Vec<FileDigest> {
        self.read.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the path of a file. Fails if it leads outside the allowed folder, even by a link.
    pub fn path(&self, name: &Path) -> io::Result<PathBuf> {
        let Some(folder) = &self.folder else { return Ok(name.to_path_buf()) };
        let path = folder.join(name).canonicalize()?;
        match path.starts_with(folder) {
            true => Ok(path),
            false => Err(invalid("it is outside the folder that the article may read (`--root`)")),
        }
    }

    /// Returns whether a file or folder exists and may be read.
    pub fn has(&self, name: &Path) -> bool {
        self.path(name).is_ok_and(|path| path.exists())
    }

    /// Reads an allowed file of at most `most` bytes.
    pub fn bytes(&self, name: &Path, most: usize) -> io::Result<Vec<u8>> {
        let file = File::open(self.path(name)?)?;
        let mut bytes = Vec::new();
        // A device may have no end, so only one byte more than allowed is read.
        (&file).take(most as u64 + 1).read_to_end(&mut bytes)?;
        let length = file.metadata().map_or(0, |metadata| metadata.len() as usize).max(bytes.len());
        within("the file", if bytes.len() > most { length } else { bytes.len() }, most)
            .map_err(|fault| invalid(fault.message))?;
        if self.folder.is_some() {
            let read = (name.to_string_lossy().to_string(), hash(&bytes));
            self.read.lock().unwrap_or_else(PoisonError::into_inner).push(read);
        }
        Ok(bytes)
    }

    /// Reads a text file. Fails if the file cannot be read, or is not UTF-8.
    pub fn plain_text(&self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.bytes(path, MOST_FILE)?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            invalid(format!("not a text file: byte {at} is not UTF-8"))
        })
    }

    /// Reads a file named on the command line, of at most `most` bytes.
    pub fn named(&self, path: &Path, most: usize) -> Result<Vec<u8>> {
        self.bytes(path, most).map_err(|error| unreadable(path, error))
    }

    /// Returns whether a file still has the content that was read.
    pub fn is_unchanged(&self, (name, content): &FileDigest) -> bool {
        let bytes = self.path(Path::new(name)).and_then(std::fs::read);
        bytes.is_ok_and(|bytes| hash(&bytes) == *content)
    }
}

fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

/// The error for a VASL board whose archive is in no folder.
#[derive(Debug)]
pub struct MissingBoard {
    pub board: String,
    /// The folders that were searched, and how to name others.
    pub help: String,
}

impl Error for MissingBoard {}

impl fmt::Display for MissingBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Path::new(&self.board).file_name().unwrap_or_default().to_string_lossy();
        let start = if name.starts_with("bd") { "" } else { "bd" };
        write!(f, "VASL's archive `{start}{}` of the board was not found", plain(&name))
    }
}

/// Returns the failure for an unreadable file: an input fault or an I/O error.
pub fn unreadable(path: &Path, error: io::Error) -> Failure {
    let missing = error.get_ref().and_then(|inner| inner.downcast_ref::<MissingBoard>());
    if let Some(missing) = missing {
        let failure = Failure::refused(&missing.board, "", missing.to_string());
        return failure.help(missing.help.clone());
    }
    let place = path.display().to_string();
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::refused(&place, "", error.to_string()),
        io::ErrorKind::IsADirectory => {
            Failure::refused(&place, "", "expected a file, not a folder").help("name a file in it")
        }
        _ => Failure::io(&place, error),
    }
}

/// Returns a hash that is the same on every machine and in every version.
pub fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_a_root_are_refused_in_every_thread() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("in.txt"), "in").unwrap();
        std::fs::write(outside.path().join("out.txt"), "out").unwrap();
        let files = FileRoot::below(&root).unwrap();
        let read = |name: &str| files.bytes(Path::new(name), 9).map_err(|error| error.kind());
        let refused = Err(io::ErrorKind::InvalidData);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    assert_eq!(read("in.txt"), Ok(b"in".to_vec()));
                    assert_eq!(read("../out.txt"), refused);
                    assert_eq!(read(&outside.path().join("out.txt").to_string_lossy()), refused);
                    assert!(!files.has(Path::new("../out.txt")));
                });
            }
        });
        let read = files.into_read();
        assert_eq!(read.len(), 2);
        let again = FileRoot::below(&root).unwrap();
        assert!(read.iter().all(|read| read.0 == "in.txt" && again.is_unchanged(read)));
        std::fs::write(root.join("in.txt"), "on").unwrap();
        assert!(!again.is_unchanged(&read[0]));
        assert!(FileRoot::anywhere().has(&outside.path().join("out.txt")));
    }
}
