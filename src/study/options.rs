//! The options of a run of a study.

use std::path::Path;
use std::time::Duration;

use super::disk::{Disk, RealDisk};
use super::grid::Grid;
use super::hashed::fingerprint;
use super::manifest::Identity;
use answer::options::DEFAULT_TRIALS;
use answer::{Meta, Options, Trials};
use engine::dice::stream::SAMPLER;

/// The number of consecutive cells in a block, the unit of work of a run.
pub(super) const BLOCK: usize = 1024;

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
    pub disk: &'a dyn Disk,
    /// Finished cells are stored at this number or after this time, and sooner early in a run.
    pub keep: (usize, Duration),
}

impl<'a> Run<'a> {
    /// Creates a run with default options and the output folder `folder`.
    pub fn new(name: &'a str, folder: &'a Path, options: Options<'a>) -> Run<'a> {
        Run {
            name,
            folder,
            replace: false,
            wait: false,
            options,
            progress: &|_| (),
            disk: &RealDisk,
            keep: (BLOCK, Duration::from_secs(2)),
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
            cells: study.info().cells,
            requests: fingerprint(&study.info().identity),
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.options.watch.check_cancelled().is_err()
    }
}
