//! Files that a question names: anywhere, or below the one folder that an article may read.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_128;

use super::board_import;
use super::fault::Failure;
use asl::rout::asked::VASL;
use engine::text::{Fault, MOST_FILE, within};

/// The name of a file that was read, and a hash of its content.
pub type Read = (String, String);

/// Reads the files that a question may read; of those below a folder it remembers which.
pub struct FileRoot {
    /// The folder whose files may be read, without links; without one all files may be.
    folder: Option<PathBuf>,
    read: Mutex<Vec<Read>>,
}

impl FileRoot {
    /// Allows all files.
    pub fn anywhere() -> FileRoot {
        FileRoot { folder: None, read: Mutex::default() }
    }

    /// Allows files below a folder only; names are relative to it.
    pub fn below(folder: &Path) -> io::Result<FileRoot> {
        Ok(FileRoot { folder: Some(folder.canonicalize()?), ..FileRoot::anywhere() })
    }

    /// The folder, where there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The files that were read so far.
    pub fn into_read(self) -> Vec<Read> {
        self.read.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The path of a file. One outside the folder, by its name or by a link on the way, is refused.
    pub fn path(&self, name: &Path) -> io::Result<PathBuf> {
        let Some(folder) = &self.folder else { return Ok(name.to_path_buf()) };
        let path = folder.join(name).canonicalize()?;
        match path.starts_with(folder) {
            true => Ok(path),
            false => {
                let why = "it stands outside the folder that the article may read (`--root`)";
                Err(io::Error::new(io::ErrorKind::InvalidData, why))
            }
        }
    }

    /// Whether a file or folder is there, and may be read.
    pub fn has(&self, name: &Path) -> bool {
        self.path(name).is_ok_and(|path| path.exists())
    }

    /// The content of a file, of at most so many bytes.
    pub fn bytes(&self, name: &Path, most: usize) -> io::Result<Vec<u8>> {
        let file = File::open(self.path(name)?)?;
        let mut bytes = Vec::new();
        // No more than says that it is too long: it may be a device without end.
        (&file).take(most as u64 + 1).read_to_end(&mut bytes)?;
        let length = file.metadata().map_or(0, |metadata| metadata.len() as usize).max(bytes.len());
        within("the file", if bytes.len() > most { length } else { bytes.len() }, most)
            .map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault.message))?;
        if self.folder.is_some() {
            let read = (name.to_string_lossy().to_string(), hash(&bytes));
            self.read.lock().unwrap_or_else(PoisonError::into_inner).push(read);
        }
        Ok(bytes)
    }

    /// A text file that another one in this folder names.
    pub fn text_beside(&self, folder: &Path, name: &str) -> io::Result<String> {
        self.text_among(folder, name, &[])
    }

    /// A text file, or a table of a board of VASL, which may lie in one of these folders.
    pub fn text_among(&self, folder: &Path, name: &str, boards: &[PathBuf]) -> io::Result<String> {
        if let Some(board) = name.strip_prefix(VASL) {
            return board_import::table(self, folder, board, boards);
        }
        let bytes = self.bytes(&folder.join(name), MOST_FILE)?;
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let why = format!("not a text file: byte {at} is not UTF-8");
            io::Error::new(io::ErrorKind::InvalidData, why)
        })
    }

    /// A text file that was named on the command line.
    pub fn text(&self, path: &Path) -> Result<String, Failure> {
        let text = self.text_beside(Path::new(""), &path.to_string_lossy());
        text.map_err(|error| unreadable(path, error))
    }

    /// The content of a file that was named on the command line, of at most so many bytes.
    pub fn named(&self, path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
        self.bytes(path, most).map_err(|error| unreadable(path, error))
    }

    /// Whether a file still has the content that was read.
    pub fn is_unchanged(&self, (name, content): &Read) -> bool {
        let bytes = self.path(Path::new(name)).and_then(std::fs::read);
        bytes.is_ok_and(|bytes| hash(&bytes) == *content)
    }
}

/// A fault in a file, or a failure to read it.
fn unreadable(path: &Path, error: io::Error) -> Failure {
    let place = path.display().to_string();
    match error.kind() {
        io::ErrorKind::InvalidData => {
            Failure::file(&place, "", Fault::new(error.to_string(), 0..0))
        }
        _ => Failure::io(&place, error),
    }
}

/// A hash that stays the same on every machine and in every version.
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
        // Without a root, all files may be read.
        assert!(FileRoot::anywhere().has(&outside.path().join("out.txt")));
    }
}
