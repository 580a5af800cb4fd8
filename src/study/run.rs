//! The options of a run, and the reasons why it does not finish.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{Disk, FileError};
use super::grid::{Grid, fingerprint};
use super::manifest::Identity;
use answer::meta::Meta;
use answer::options::{DEFAULT_TRIALS, Options, Trials};
use engine::dice::stream::SAMPLER;

/// The number of cells of one block.
pub(super) const BLOCK: usize = 1024;

/// A study that did not finish, and why.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A disk operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A signal stopped the run; `kept` cells are stored.
    #[error(
        "interrupted: {kept} of {cells} cells are saved; the same command continues from there"
    )]
    Interrupted { kept: usize, cells: usize },
    /// Something stands in the way that is not lowcrawl's own, and is never removed.
    #[error("{}: {problem}; move it away, or use another folder", path.display())]
    Foreign { path: PathBuf, problem: String },
    /// The output folder holds files that do not belong to this run.
    #[error("{}: {problem}; `--replace` deletes it, `--out` uses another folder", path.display())]
    Occupied { path: PathBuf, problem: String },
    /// Another run holds the lock of the output folder.
    #[error("{}: another run uses this folder ({who}); `--wait` waits for it, `--out` uses another \
        folder", path.display())]
    Busy { path: PathBuf, who: String },
    /// A signal stopped a shard; nothing is written.
    #[error("interrupted: shard {shard} is not written; the same command starts it again")]
    Stopped { shard: usize },
    /// Shard files do not match their plan.
    #[error("{}: {problem}", path.display())]
    Shards { path: PathBuf, problem: String },
    /// A cell (1-based) cannot be answered.
    #[error("case {case}: {problem}")]
    Cell { case: usize, problem: String },
    /// A cell of a list cannot be answered; `cell` describes its own values.
    #[error("{cell}: {problem}")]
    Listed { cell: String, problem: String },
}

/// The options of a run: its folder, engine and disk.
pub struct Run<'a> {
    pub name: &'a str,
    pub folder: &'a Path,
    /// Discard whatever is in the folder.
    pub replace: bool,
    /// Wait until the lock of the folder is free.
    pub wait: bool,
    pub options: Options<'a>,
    /// A callback that receives the number of further finished cells.
    pub progress: &'a (dyn Fn(usize) + Sync),
    pub disk: Disk<'a>,
    /// Finished cells are stored after this many cells, or after this long.
    pub keep: (usize, Duration),
}

impl<'a> Run<'a> {
    /// Creates a run with default options in a folder of its own.
    pub fn new(name: &'a str, folder: &'a Path, options: Options<'a>) -> Run<'a> {
        let keep = (BLOCK, Duration::from_secs(2));
        Run {
            name,
            folder,
            replace: false,
            wait: false,
            options,
            progress: &|_| (),
            disk: Disk::default(),
            keep,
        }
    }

    /// Returns everything that decides the results.
    pub fn identity(&self, study: &dyn Grid, meta: &Meta) -> Identity {
        let (trials, precision) = match self.options.trials {
            Trials::Usual => (Some(DEFAULT_TRIALS), None),
            Trials::Number(trials) => (Some(trials).filter(|&trials| trials > 0), None),
            Trials::HalfWidth(half_width) => (None, Some(half_width)),
        };
        Identity {
            name: self.name.to_string(),
            version: meta.version.to_string(),
            sampler: SAMPLER.to_string(),
            engine: self.options.engine.word().to_string(),
            seed: self.options.seed,
            trials,
            precision,
            stratify: self.options.stratify,
            cells: study.cells(),
            requests: fingerprint(&study.identity()),
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.options.watch.check_cancelled().is_err()
    }
}
