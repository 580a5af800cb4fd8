//! A cache of the answers in articles, by question, form of the answer and version. An entry that
//! is damaged, or whose listed files have changed, is ignored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::file_root::{FileDigest, FileRoot, hash};
use crate::study::hashed::{hashed, if_whole};
use crate::study::owned::PathEntry;

pub const FOLDER: &str = ".lowcrawl";
const MOST_KEPT: u64 = 1 << 28;

/// A cache of answers: in memory while an article is built, and on the disk for the next run.
pub struct Cache {
    folder: Option<PathBuf>,
    /// The entries by file name, with true for an entry that is not on the disk yet.
    known: RefCell<BTreeMap<String, (Kept, bool)>>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    key: Value,
    read: Vec<FileDigest>,
    value: Value,
    hash: String,
}

/// Returns the cache key of the question `text`, answered in the form `what`.
pub fn key(what: &str, text: &str, files: &FileRoot) -> Value {
    // A rebuilt program may answer differently, so the executable's size and time are in the key.
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
        // A link is not followed, so the cache never writes outside `out`.
        let folder = Some(out.join(FOLDER)).filter(|folder| !folder.is_symlink());
        Cache { folder, ..Cache::in_memory() }
    }

    pub fn in_memory() -> Cache {
        Cache { folder: None, known: RefCell::default() }
    }

    /// Returns the value for `key`; `None` if the cache has no intact and current entry.
    pub fn get<T: DeserializeOwned>(&self, key: &Value, files: &FileRoot) -> Option<T> {
        let name = file(key);
        let mut known = self.known.borrow_mut();
        if !known.contains_key(&name) {
            let kept = self.read(&name, key, files)?;
            known.insert(name.clone(), (kept, false));
        }
        T::deserialize(&known.get(&name)?.0.value).ok()
    }

    /// Reads an entry from the disk; `None` if it is damaged, or one of its files has changed.
    fn read(&self, name: &str, key: &Value, files: &FileRoot) -> Option<Kept> {
        let path = self.folder.as_ref()?.join(name);
        let Ok(PathEntry::File(..=MOST_KEPT)) = PathEntry::from_path(&path) else { return None };
        let text = fs::read_to_string(path).ok()?;
        let kept = if_whole(serde_json::from_str(&text).ok()?, |kept: &mut Kept| &mut kept.hash)?;
        let is_current = kept.key == *key && kept.read.iter().all(|read| files.is_unchanged(read));
        is_current.then_some(kept)
    }

    pub fn put(&self, key: Value, read: &[FileDigest], value: &impl Serialize) {
        let Ok(value) = serde_json::to_value(value) else { return };
        let kept = Kept { key, read: read.to_vec(), value, hash: String::new() };
        let kept = hashed(kept, |kept| &mut kept.hash);
        self.known.borrow_mut().insert(file(&kept.key), (kept, true));
    }

    /// Writes new entries to the disk without a sync, since a damaged entry is computed again.
    pub fn keep(&self) {
        let is_there = |folder: &&PathBuf| folder.parent().is_some_and(Path::is_dir);
        let Some(folder) = self.folder.as_ref().filter(is_there) else { return };
        let mut known = self.known.borrow_mut();
        let mut new = known.iter_mut().filter(|(_, (_, is_new))| *is_new).peekable();
        if new.peek().is_none() || fs::create_dir_all(folder).is_err() {
            return;
        }
        let write = |path: &Path, text: &str| File::create_new(path)?.write_all(text.as_bytes());
        let _ = write(&folder.join(".gitignore"), "*\n");
        for (name, (kept, is_new)) in new {
            let (path, text) = (folder.join(name), serde_json::to_string(kept));
            let _ = fs::remove_file(&path);
            *is_new = text.is_err() || write(&path, &text.unwrap_or_default()).is_err();
        }
    }
}
