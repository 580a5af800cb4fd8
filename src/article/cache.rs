//! Answers that are kept: each by what is asked, what is wanted of it and the program that answered
//! it, with the files it read. What is damaged, or rests on another file, is asked anew.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::file_root::{FileRoot, Read, hash};
use crate::study::owned::PathEntry;

/// The folder of what is kept, in that of the output.
pub const FOLDER: &str = ".lowcrawl";
/// Most bytes of an answer that is kept.
const MOST_KEPT: u64 = 1 << 28;

/// What is kept for as long as an article is built, and in a folder for the next time.
pub struct Cache {
    folder: Option<PathBuf>,
    /// By the names of their files.
    known: RefCell<BTreeMap<String, Known>>,
}

/// A value that was made or read.
struct Known {
    kept: Kept,
    /// Whether its file is still to be written.
    is_new: bool,
}

/// What is kept in a file.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: Value,
    read: Vec<Read>,
    value: Value,
    /// Of all the others.
    hash: String,
}

impl Kept {
    fn of(key: Value, read: Vec<Read>, value: Value) -> Kept {
        let hash = hash(json!([key, read, value]).to_string().as_bytes());
        Kept { key, read, value, hash }
    }
}

/// What something is kept by.
pub fn key(what: &str, text: &str, files: &FileRoot) -> Value {
    // A program that was built anew may answer otherwise under the same version.
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
    /// A cache that is written to a folder of the output.
    pub fn in_folder(out: &Path) -> Cache {
        // A link is not followed.
        let folder = Some(out.join(FOLDER)).filter(|folder| !folder.is_symlink());
        Cache { folder, ..Cache::in_memory() }
    }

    /// A cache that is gone once the article is built.
    pub fn in_memory() -> Cache {
        Cache { folder: None, known: RefCell::default() }
    }

    /// What is kept, if it can be trusted.
    pub fn get<T: DeserializeOwned>(&self, key: &Value, files: &FileRoot) -> Option<T> {
        let name = file(key);
        let mut known = self.known.borrow_mut();
        if !known.contains_key(&name) {
            let kept = self.read(&name, key, files)?;
            known.insert(name.clone(), Known { kept, is_new: false });
        }
        T::deserialize(&known.get(&name)?.kept.value).ok()
    }

    /// What a file holds of a key, if it is whole and all files that were read are unchanged.
    fn read(&self, name: &str, key: &Value, files: &FileRoot) -> Option<Kept> {
        let path = self.folder.as_ref()?.join(name);
        let Ok(PathEntry::File(..=MOST_KEPT)) = PathEntry::at(&path) else { return None };
        let text = fs::read_to_string(path).ok()?;
        let Kept { key: of, read, value, hash } = serde_json::from_str(&text).ok()?;
        let kept = Kept::of(of, read, value);
        let is_whole = kept.hash == hash && kept.key == *key;
        (is_whole && kept.read.iter().all(|read| files.is_unchanged(read))).then_some(kept)
    }

    /// Keeps something.
    pub fn put(&self, key: Value, read: &[Read], value: &impl Serialize) {
        let Ok(value) = serde_json::to_value(value) else { return };
        let known = Known { kept: Kept::of(key, read.to_vec(), value), is_new: true };
        self.known.borrow_mut().insert(file(&known.kept.key), known);
    }

    /// Writes what was made anew, where there is a folder for it. Nothing waits for the disk: a
    /// file that is not whole is made again.
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
