//! Answers that are kept: each by what is asked, what is wanted of it and the program that answered
//! it, with the files it read. What is damaged, or rests on another file, is asked anew.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::file_root::{FileRoot, Read, hash};
use crate::study::disk::Disk;

/// The folder of what is kept, in that of the output.
pub const FOLDER: &str = ".lowcrawl";

/// What is kept in a folder.
pub struct Cache {
    folder: PathBuf,
    /// What was made anew, to be kept in a file of that name.
    fresh: RefCell<Vec<(String, String)>>,
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
    pub fn in_folder(out: &Path) -> Cache {
        Cache { folder: out.join(FOLDER), fresh: RefCell::default() }
    }

    /// What is kept, if it can be trusted.
    pub fn get<T: DeserializeOwned>(&self, key: &Value, files: &FileRoot) -> Option<T> {
        let text = std::fs::read_to_string(self.folder.join(file(key))).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        let again = Kept::of(key.clone(), kept.read, kept.value);
        let is_whole = again.hash == kept.hash && kept.key == *key;
        let is_fresh = || again.read.iter().all(|read| files.is_unchanged(read));
        (is_whole && is_fresh()).then(|| serde_json::from_value(again.value).ok())?
    }

    /// Keeps something once the work is done.
    pub fn put(&self, key: Value, read: &[Read], value: &impl Serialize) {
        let Ok(value) = serde_json::to_value(value) else { return };
        let name = file(&key);
        if let Ok(text) = serde_json::to_string(&Kept::of(key, read.to_vec(), value)) {
            self.fresh.borrow_mut().push((name, text));
        }
    }

    /// Writes down what was made anew, where there is a folder for it. What cannot be kept is made
    /// again.
    pub fn keep(&self) {
        if !self.folder.parent().is_some_and(Path::is_dir) {
            return;
        }
        let fresh = self.fresh.take();
        if fresh.is_empty() {
            return;
        }
        let write = |name: &str, text: &str| {
            let content = |file: &mut dyn std::io::Write| file.write_all(text.as_bytes());
            let _ = Disk::default().write(&self.folder.join(name), content);
        };
        if std::fs::create_dir_all(&self.folder).is_ok() {
            write(".gitignore", "*\n");
            fresh.iter().for_each(|(name, text)| write(name, text));
        }
    }
}
