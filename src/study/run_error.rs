//! The reasons why a run of a study does not finish.

use std::path::{Path, PathBuf};

use super::disk::FileError;

/// The reason why a run of a study did not finish.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    File(#[from] FileError),
    /// A signal stopped the run after `kept` of all cells were stored.
    #[error(
        "interrupted: {kept} of {cells} cells are saved; the same command continues from there"
    )]
    Interrupted { kept: usize, cells: usize },
    /// A file or folder that lowcrawl did not write is in the way, and is never removed.
    #[error("{}: {problem}; move it away, or use another folder", path.display())]
    Foreign { path: PathBuf, problem: String },
    /// The output folder holds files of another run, or files that no run has written.
    #[error("{}: {problem}; `--replace` deletes it, `--out` uses another folder", path.display())]
    Occupied { path: PathBuf, problem: String },
    /// Another run holds the lock of the output folder.
    #[error("{}: another run uses this folder ({who}); `--wait` waits for it, `--out` uses another \
        folder", path.display())]
    Busy { path: PathBuf, who: String },
    /// A signal stopped a shard, and nothing of that shard is written.
    #[error("interrupted: shard {shard} is not written; the same command starts it again")]
    Stopped { shard: usize },
    /// Some shard files do not match their plan.
    #[error("{}: {problem}", path.display())]
    Shards { path: PathBuf, problem: String },
    /// A cell (1-based) has no answer.
    #[error("case {case}: {problem}")]
    Cell { case: usize, problem: String },
    /// A cell of a study in memory has no answer; `cell` describes the cell by its varied values.
    #[error("{cell}: {problem}")]
    Listed { cell: String, problem: String },
}

impl RunError {
    /// Returns the error for an entry that lowcrawl did not write and never replaces.
    pub fn foreign(path: &Path, problem: impl Into<String>) -> RunError {
        RunError::Foreign { path: path.to_path_buf(), problem: problem.into() }
    }

    /// Returns the error for a file that is replaced only on request.
    pub(super) fn occupied(path: &Path, problem: impl Into<String>) -> RunError {
        RunError::Occupied { path: path.to_path_buf(), problem: problem.into() }
    }
}
