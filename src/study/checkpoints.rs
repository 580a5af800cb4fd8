//! Checkpoints of unfinished cells, in one file beside the part file, where a resumed run goes on.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::hashed::{hashed, if_whole};
use super::manifest::Identity;
use super::owned::PathEntry;
use super::run_error::RunError;
use engine::monitor::{Checkpoint, CheckpointStore, DrawnOutcome};

/// The version of the file; a file of another version is discarded.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    identity: Identity,
    /// The checkpoints of each cell, with the hash of its request.
    cells: Vec<(u128, Vec<StoredCheckpoint>)>,
    hash: String,
}

/// A checkpoint as the file has it: sequences, counts of landings, and drawn outcomes.
type StoredCheckpoint = (u64, Vec<u64>, Vec<(u64, u32, Vec<u8>)>);

fn stored(Checkpoint { sequences, by_landing, drawn }: &Checkpoint) -> StoredCheckpoint {
    let drawn = drawn.iter().map(|drawn| (drawn.count, drawn.place, drawn.codes.clone()));
    (*sequences, by_landing.clone(), drawn.collect())
}

fn restored((sequences, by_landing, drawn): StoredCheckpoint) -> Checkpoint {
    let drawn = drawn.into_iter();
    let drawn = drawn.map(|(count, place, codes)| DrawnOutcome { count, place, codes }).collect();
    Checkpoint { sequences, by_landing, drawn }
}

/// The checkpoints of unfinished cells, by the hash of the request.
pub(super) struct Checkpoints<'a> {
    path: PathBuf,
    disk: &'a dyn Disk,
    identity: &'a Identity,
    cells: Mutex<HashMap<u128, Arc<CellCheckpoints>>>,
}

/// The checkpoints of one cell, by index of the engine run, with the number of engine runs begun.
#[derive(Default)]
pub(super) struct CellCheckpoints(Mutex<(usize, Vec<Checkpoint>)>);

impl CheckpointStore for CellCheckpoints {
    fn begin(&self) -> (usize, Option<Checkpoint>) {
        let (next, runs) = &mut *lock(&self.0);
        *next += 1;
        (*next - 1, runs.get(*next - 1).cloned())
    }

    fn keep(&self, run: usize, counted: Checkpoint) {
        let (_, runs) = &mut *lock(&self.0);
        // An engine run that ended before its first checkpoint gets an empty one, and is repeated.
        runs.resize_with(runs.len().max(run + 1), Checkpoint::default);
        runs[run] = counted;
    }
}

impl<'a> Checkpoints<'a> {
    /// Reads the file of a stopped run, and removes a damaged file or one of another version.
    pub fn read(
        path: PathBuf,
        disk: &'a dyn Disk,
        identity: &'a Identity,
    ) -> Result<Checkpoints<'a>, RunError> {
        let mut cells = HashMap::new();
        if PathEntry::file_at(&path, "the checkpoints cannot be written")?.is_some() {
            let text = disk.read(&path)?;
            let saved = serde_json::from_slice(&text).ok();
            let saved =
                saved.and_then(|saved| if_whole(saved, |saved: &mut Saved| &mut saved.hash));
            match saved.filter(|saved| saved.version == VERSION) {
                None => disk.remove(&path)?,
                Some(saved) => {
                    identity.check_kept(&saved.identity, &path)?;
                    let cell = |(key, runs): (u128, Vec<StoredCheckpoint>)| {
                        let runs = runs.into_iter().map(restored).collect();
                        (key, Arc::new(CellCheckpoints(Mutex::new((0, runs)))))
                    };
                    cells.extend(saved.cells.into_iter().map(cell));
                }
            }
        }
        Ok(Checkpoints { path, disk, identity, cells: Mutex::new(cells) })
    }

    /// Returns the checkpoints of a cell that is about to be answered.
    pub fn begin(&self, key: u128) -> Arc<CellCheckpoints> {
        lock(&self.cells).entry(key).or_default().clone()
    }

    /// Forgets the checkpoints of an answered cell.
    pub fn end(&self, key: u128) {
        lock(&self.cells).remove(&key);
    }

    /// Writes the checkpoints of all unfinished cells; nothing if there are none.
    pub fn write(&self) -> Result<(), RunError> {
        let open: Vec<_> =
            lock(&self.cells).iter().map(|(&key, cell)| (key, cell.clone())).collect();
        let cells = open.into_iter().map(|(key, cell)| {
            let runs: Vec<_> = lock(&cell.0).1.iter().map(stored).collect();
            (key, runs)
        });
        let cells: Vec<_> = cells.filter(|(_, runs)| !runs.is_empty()).collect();
        if cells.is_empty() {
            return Ok(());
        }
        let identity = self.identity.clone();
        let saved = Saved { version: VERSION, identity, cells, hash: String::new() };
        let saved = hashed(saved, |saved| &mut saved.hash);
        Ok(self.disk.write(&self.path, |file| Ok(serde_json::to_writer(file, &saved)?))?)
    }
}

/// Locks a mutex, also after a panic of another thread.
pub(super) fn lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
