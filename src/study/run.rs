//! A run of a study, which resumes where an earlier run of it was stopped.
//!
//! A run is a line. The requests of the cells are answered ([`answers`](super::answers)) and
//! appended to a [`part`](super::part) file. Its rows become the result tables in the output
//! [`folder`](super::folder). A run of one [`shard`](super::shard) takes the same way
//! with fewer cells, and a merge begins with the tables of all shards.

use super::answers::answer;
use super::folder::Folder;
use super::grid::Grid;
use super::manifest::Manifest;
use super::options::Run;
use super::run_error::RunError;
use super::summary::StudySummary;
use answer::Meta;

/// A finished study.
#[derive(Debug)]
pub struct Finished {
    pub manifest: Manifest,
    /// The summary of all cells; `None` if an earlier run had finished the study.
    pub summary: Option<StudySummary>,
    /// The number of cells that earlier runs had answered.
    pub resumed: usize,
}

/// Runs `study`, or resumes an earlier run of it; `meta` is the metadata that all cells share.
///
/// # Errors
///
/// Fails if the folder is occupied or busy, a disk operation fails, a cell has no answer, or a
/// signal stops the run.
pub fn run(study: &dyn Grid, run: &Run, meta: &Meta) -> Result<Finished, RunError> {
    let identity = run.identity(study, meta);
    let (folder, complete) = Folder::take(run, study, &identity)?;
    if let Some(manifest) = complete {
        return Ok(Finished { manifest, summary: None, resumed: study.info().cells });
    }
    let checkpoints = folder.work.checkpoints()?;
    let mut part = folder.work.part(study)?;
    let resumed = part.cells;
    (run.progress)(resumed);
    let cells = 0..study.info().cells;
    let summary = answer((study, run, meta), Some(&checkpoints), cells, &mut part)?;
    let all = (&summary.tally, &summary.facts[..]);
    let manifest = folder.finish(study, all, &meta.command, &part)?;
    Ok(Finished { manifest, summary: Some(summary), resumed })
}
