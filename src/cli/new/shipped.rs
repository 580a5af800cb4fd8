//! The shipped files of the folder `studies`, including the tables that they name.

use include_dir::{Dir, DirEntry, include_dir};

static STUDIES: Dir = include_dir!("$CARGO_MANIFEST_DIR/studies");

/// Returns the files by their paths from the root of the repository, in order.
pub fn shipped() -> Vec<(String, &'static str)> {
    let mut files = Vec::new();
    let mut open: Vec<&DirEntry> = STUDIES.entries().iter().rev().collect();
    while let Some(entry) = open.pop() {
        match entry {
            DirEntry::Dir(folder) => open.extend(folder.entries().iter().rev()),
            DirEntry::File(file) => {
                let path = file.path().to_string_lossy().replace('\\', "/");
                let text = file.contents_utf8().unwrap_or_default();
                files.push((format!("studies/{path}"), text));
            }
        }
    }
    files
}
