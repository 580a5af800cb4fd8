//! A cache of answers. The key of an entry has the question, the form of the answer and the version
//! of the program. Each entry also lists the files that were read. An entry that is damaged, or
//! that rests on a changed file, is ignored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::file_root::{FileDigest, FileRoot, hash};
use crate::study::owned::PathEntry;

/// The name of the cache folder inside the output folder.
pub const FOLDER: &str = ".lowcrawl";
/// Most bytes of an answer that is kept.
const MOST_KEPT: u64 = 1 << 28;

/// Cached values: in memory while an article is built, and on disk for the next run.
pub struct Cache {
    folder: Option<PathBuf>,
    /// Entries by the name of their file.
    known: RefCell<BTreeMap<String, Known>>,
}

/// An entry in memory.
struct Known {
    kept: Kept,
    /// Whether the entry has yet to be written to disk.
    is_new: bool,
}

/// The content of a cache file.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: Value,
    read: Vec<FileDigest>,
    value: Value,
    /// A hash of all the other fields.
    hash: String,
}

impl Kept {
    fn new(key: Value, read: Vec<FileDigest>, value: Value) -> Kept {
        let hash = hash(json!([key, read, value]).to_string().as_bytes());
        Kept { key, read, value, hash }
    }
}

/// Returns the cache key of `text` in the form `what`.
pub fn key(what: &str, text: &str, files: &FileRoot) -> Value {
    // A rebuilt program may give other answers under the same version, so size and time count too.
    let built = std::env::current_exe().and_then(std::fs::metadata);
    let built = built.and_then(|file| Ok((file.len(), file.modified()?)));
    let built = built.map_or(String::new(), |built| format!("{built:?}"));
    let root = files.folder().map(|folder| folder.display().to_string());
    json!([env!("CARGO_PKG_VERSION"), built, root, what, text])
}

fn file(key: &Value) -> String {
    format!("{}.json", hash(key.to_string().as_bytes()))
}

impl Cache {
    /// Creates a cache that [`Cache::keep`] writes to a folder inside `out`.
    pub fn in_folder(out: &Path) -> Cache {
        // A link is not followed.
        let folder = Some(out.join(FOLDER)).filter(|folder| !folder.is_symlink());
        Cache { folder, ..Cache::in_memory() }
    }

    /// Creates a cache that is never written to disk.
    pub fn in_memory() -> Cache {
        Cache { folder: None, known: RefCell::default() }
    }

    /// Returns the value for `key`, if the cache has one that is intact and up to date.
    pub fn get<T: DeserializeOwned>(&self, key: &Value, files: &FileRoot) -> Option<T> {
        let name = file(key);
        let mut known = self.known.borrow_mut();
        if !known.contains_key(&name) {
            let kept = self.read(&name, key, files)?;
            known.insert(name.clone(), Known { kept, is_new: false });
        }
        T::deserialize(&known.get(&name)?.kept.value).ok()
    }

    /// Reads an entry from disk, if it is intact and none of the files it read has changed.
    fn read(&self, name: &str, key: &Value, files: &FileRoot) -> Option<Kept> {
        let path = self.folder.as_ref()?.join(name);
        let Ok(PathEntry::File(..=MOST_KEPT)) = PathEntry::at(&path) else { return None };
        let text = fs::read_to_string(path).ok()?;
        let Kept { key: of, read, value, hash } = serde_json::from_str(&text).ok()?;
        let kept = Kept::new(of, read, value);
        let is_whole = kept.hash == hash && kept.key == *key;
        (is_whole && kept.read.iter().all(|read| files.is_unchanged(read))).then_some(kept)
    }

    /// Stores a value with the files that it was made from.
    pub fn put(&self, key: Value, read: &[FileDigest], value: &impl Serialize) {
        let Ok(value) = serde_json::to_value(value) else { return };
        let known = Known { kept: Kept::new(key, read.to_vec(), value), is_new: true };
        self.known.borrow_mut().insert(file(&known.kept.key), known);
    }

    /// Writes the new entries to disk, if the parent of the cache folder exists. Files are not
    /// synced: a damaged one is ignored, and its entry is made again.
    pub fn keep(&self) {
        let is_there = |folder: &&PathBuf| folder.parent().is_some_and(Path::is_dir);
        let Some(folder) = self.folder.as_ref().filter(is_there) else { return };
        let mut known = self.known.borrow_mut();
        let mut new = known.iter_mut().filter(|(_, known)| known.is_new).peekable();
        if new.peek().is_none() || fs::create_dir_all(folder).is_err() {
            return;
        }
        let write = |path: &Path, text: &str| File::create_new(path)?.write_all(text.as_bytes());
        let _ = write(&folder.join(".gitignore"), "*\n");
        for (name, Known { kept, is_new }) in new {
            let (path, text) = (folder.join(name), serde_json::to_string(kept));
            let _ = fs::remove_file(&path);
            *is_new = text.is_err() || write(&path, &text.unwrap_or_default()).is_err();
        }
    }
}
