//! Where files stand that a question names: below the folder that the process works in, or below
//! the one folder that an article may read, and nowhere else.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

/// A file that was read, by its name, with a hash of what it held.
pub type Read = (String, String);

struct Shelf {
    /// Without links.
    root: PathBuf,
    read: Vec<Read>,
}

thread_local! {
    /// Files are read by the thread that reads the command, before it is answered.
    static SHELF: RefCell<Option<Shelf>> = const { RefCell::new(None) };
}

/// Does something that may read files of one folder only; what it read comes with what it found.
pub fn of<T>(root: &Path, work: impl FnOnce() -> T) -> io::Result<(T, Vec<Read>)> {
    let root = root.canonicalize()?;
    SHELF.set(Some(Shelf { root, read: Vec::new() }));
    let done = work();
    let read = SHELF.take().map_or(Vec::new(), |shelf| shelf.read);
    Ok((done, read))
}

/// Where a file of that name stands.
pub(super) fn place(name: &Path) -> io::Result<PathBuf> {
    let root = SHELF.with_borrow(|shelf| shelf.as_ref().map(|shelf| shelf.root.clone()));
    root.map_or(Ok(name.to_path_buf()), |root| within(&root, name))
}

/// Where a file stands below a folder that is named without links; one that stands outside, by its
/// name or by a link on the way, is refused.
fn within(root: &Path, name: &Path) -> io::Result<PathBuf> {
    let place = root.join(name).canonicalize()?;
    match place.starts_with(root) {
        true => Ok(place),
        false => {
            let why = "it stands outside the folder that the article may read (`--root`)";
            Err(io::Error::new(io::ErrorKind::InvalidData, why))
        }
    }
}

/// What a file held.
pub(super) fn note(name: &Path, bytes: &[u8]) {
    SHELF.with_borrow_mut(|shelf| {
        if let Some(shelf) = shelf {
            shelf.read.push((name.to_string_lossy().to_string(), hash(bytes)));
        }
    });
}

/// Whether a file still holds what it held then.
pub fn is_same(root: &Path, (name, held): &Read) -> bool {
    let place = root.canonicalize().and_then(|root| within(&root, Path::new(name)));
    place.and_then(std::fs::read).is_ok_and(|bytes| hash(&bytes) == *held)
}

/// A hash that stays the same on every machine and in every version.
pub fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}
