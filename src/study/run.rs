//! The options of a run of a study, and the reasons why a run does not finish.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{Disk, FileError};
use super::grid::{Grid, fingerprint};
use super::manifest::Identity;
use answer::meta::Meta;
use answer::options::{DEFAULT_TRIALS, Options, Trials};
use engine::dice::stream::SAMPLER;

/// The number of consecutive cells in a block, the unit of work of a run.
pub(super) const BLOCK: usize = 1024;

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

/// The options of a run of a study: its folder, engine and disk.
pub struct Run<'a> {
    pub name: &'a str,
    pub folder: &'a Path,
    /// True to delete results of other runs, and to overwrite foreign files with names of results.
    pub replace: bool,
    /// True to wait until no other run locks the folder.
    pub wait: bool,
    pub options: Options<'a>,
    /// A callback that receives the number of cells finished since its last call.
    pub progress: &'a (dyn Fn(usize) + Sync),
    pub disk: Disk<'a>,
    /// Finished cells are stored when there are this many, or after this time.
    pub keep: (usize, Duration),
}

impl<'a> Run<'a> {
    /// Creates a run with default options and the output folder `folder`.
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

    /// Returns the inputs that decide the results.
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
            engine: self.options.engine.name().to_string(),
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
