//! Runs a study: cells in parallel, in batches that stay on disk, so that a stopped run goes on where it was.
//!
//! While it runs, `OUT/batches/` holds finished cells as Parquet and `OUT/manifest.json` says of what study. When all cells are
//! there, `OUT/NAME.parquet`, `OUT/NAME.csv` and the final manifest appear by rename, and the batches go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use polars::prelude::{DataFrame, ParquetReader, SerReader};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Options, Trials, answer};
use super::file::Study;
use crate::dice::stream::SAMPLER;
use crate::engine::EngineError;
use crate::table::{self, Cell, Meta, frame};

/// Cells of one batch. A batch of exact cells takes milliseconds; a batch is also what an interruption may cost at most.
const BATCH: usize = 1024;

/// Why a study did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk did not do what was asked.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Ctrl-C; so many cells are kept.
    #[error("interrupted: {kept} of {cells} cells are kept, and the same command goes on from there")]
    Interrupted { kept: usize, cells: usize },
    /// What is in the output folder does not belong to this study, or cannot be read.
    #[error("{}: {problem}", path.display())]
    Leftover { path: PathBuf, problem: String },
    /// A cell that cannot be answered.
    #[error("case {case}: {source}")]
    Cell { case: usize, source: EngineError },
}

impl RunError {
    fn io(path: &Path) -> impl Fn(io::Error) -> RunError + '_ {
        |source| RunError::Io { path: path.to_path_buf(), source }
    }

    fn frame(path: &Path) -> impl Fn(polars::prelude::PolarsError) -> RunError + '_ {
        |error| RunError::Io { path: path.to_path_buf(), source: io::Error::other(error.to_string()) }
    }
}

/// What the manifest of a study says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub name: String,
    pub version: String,
    pub sampler: String,
    pub seed: u64,
    pub trials: String,
    pub profile: String,
    pub heat_of_battle: bool,
    /// Interpretations that the study sets or sweeps, with their values; all others are at their default.
    pub switches: BTreeMap<String, Vec<String>>,
    pub cells: usize,
    pub complete: bool,
    /// Rows of each file, once complete.
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
    /// The study file.
    pub study: String,
}

/// A finished study.
#[derive(Debug)]
pub struct Finished {
    pub manifest: Manifest,
    pub frame: DataFrame,
    /// Cells taken over from an earlier, stopped run.
    pub resumed: usize,
    pub folder: PathBuf,
}

impl Finished {
    /// Probability that the last unit of the stack ends in one of `statuses` at the last phase, by cell.
    pub fn odds_of(&self, wanted: &[&str]) -> Option<Vec<f64>> {
        let integers = |name: &str| self.frame.column(name).ok()?.i64().ok().cloned();
        let (cases, slots, phases) = (integers("case")?, integers("slot")?, integers("phase")?);
        let statuses = self.frame.column("status").ok()?.str().ok()?.clone();
        let probabilities = self.frame.column("probability").ok()?.f64().ok()?.clone();
        let units = self.frame.column("unit").ok()?.str().ok()?.clone();
        // Phase and slot, the later the better; units created on the way have no starting counter.
        let mut last = vec![(0, 0); self.manifest.cells];
        let place = |row| Some((cases.get(row)? as usize - 1, (phases.get(row).unwrap_or(0), slots.get(row)?)));
        for row in (0..self.frame.height()).filter(|&row| units.get(row).is_some()) {
            let (case, at) = place(row)?;
            last[case] = last[case].max(at);
        }
        let mut odds = vec![0.0; self.manifest.cells];
        for row in 0..self.frame.height() {
            let (case, at) = place(row)?;
            if at == last[case] && statuses.get(row).is_some_and(|status| wanted.contains(&status)) {
                odds[case] += probabilities.get(row)?;
            }
        }
        Some(odds)
    }
}

/// Where and how to run.
pub struct Run<'a> {
    pub name: &'a str,
    pub folder: &'a Path,
    /// Throw away what a stopped run has left.
    pub fresh: bool,
    pub options: Options<'a>,
    pub stop: &'a AtomicBool,
    /// Told the number of finished cells.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// Runs `study`; `meta` says what every cell shares.
pub fn run(study: &Study, run: &Run, meta: &Meta) -> Result<Finished, RunError> {
    let batches = run.folder.join("batches");
    let mut manifest = Manifest {
        name: run.name.to_string(),
        version: meta.version.to_string(),
        sampler: SAMPLER.to_string(),
        seed: run.options.seed,
        trials: match run.options.trials {
            Trials::Number(trials) => trials.to_string(),
            Trials::HalfWidth(half_width) => format!("half-width {half_width}"),
        },
        profile: meta.profile.to_string(),
        heat_of_battle: meta.heat_of_battle,
        switches: study.switches(),
        cells: study.cells(),
        complete: false,
        rows: 0,
        exact_cells: 0,
        monte_carlo_cells: 0,
        study: study.text.clone(),
    };
    let mut frames = resume(run, &manifest, &batches)?;
    fs::create_dir_all(&batches).map_err(RunError::io(&batches))?;
    write_manifest(run.folder, &manifest)?;
    let done: BTreeSet<usize> = frames.iter().flat_map(cases_of).collect();
    let resumed = done.len();
    (run.progress)(resumed);
    let open: Vec<usize> = (1..=study.cells()).filter(|case| !done.contains(case)).collect();
    let mut finished = resumed;
    for batch in open.chunks(BATCH) {
        let answers: Vec<(usize, Result<Answer, EngineError>)> =
            batch.par_iter().filter_map(|&case| answer_cell(study, run, meta, case).map(|answer| (case, answer))).collect();
        let mut rows = Vec::new();
        let mut cells = 0;
        for (case, answer) in answers {
            match answer {
                Ok(answer) => {
                    rows.extend(answer_rows(study, case, &answer));
                    cells += 1;
                }
                Err(EngineError::Interrupted) => {}
                Err(source) => return Err(RunError::Cell { case, source }),
            }
        }
        if cells > 0 {
            let path = batches.join(format!("{:07}.parquet", batch[0]));
            let mut frame = frame::frame(&columns(study), &rows).map_err(RunError::frame(&path))?;
            write_by_rename(&path, |file| frame::write_parquet(&mut frame, Vec::new(), file).map_err(other))?;
            frames.push(frame);
            finished += cells;
        }
        if run.stop.load(Ordering::Relaxed) {
            return Err(RunError::Interrupted { kept: finished, cells: study.cells() });
        }
    }
    finish(study, run, meta, &mut manifest, frames, &batches).map(|frame| Finished {
        manifest,
        frame,
        resumed,
        folder: run.folder.to_path_buf(),
    })
}

/// The answer to one cell; `None` when the run is being stopped.
fn answer_cell(study: &Study, run: &Run, meta: &Meta, case: usize) -> Option<Result<Answer, EngineError>> {
    if run.stop.load(Ordering::Relaxed) {
        return None;
    }
    // Every cell was checked when the file was read.
    let question = study.question(case - 1).ok()?;
    let answered = answer(&question, &run.options, meta.clone());
    (run.progress)(1);
    Some(answered)
}

/// Columns of the study's table: swept fields, the engine of the cell, then the result table.
fn columns(study: &Study) -> Vec<(&str, table::Kind)> {
    let mut columns = study.swept_columns();
    columns.extend(table::columns(study.is_joint()));
    columns
}

fn answer_rows(study: &Study, case: usize, answer: &Answer) -> Vec<Vec<Cell>> {
    let swept = study.swept_cells(case - 1);
    let row = |row: &table::Row| {
        let row = table::Row { case: case as u64, ..row.clone() };
        swept.iter().cloned().chain(row.cells(study.is_joint())).collect()
    };
    answer.rows.iter().map(row).collect()
}

/// Frames of the batches that a stopped run of the same study has left.
fn resume(run: &Run, manifest: &Manifest, batches: &Path) -> Result<Vec<DataFrame>, RunError> {
    let path = run.folder.join("manifest.json");
    let leftover = |path: &Path, problem: &str| {
        let problem = format!("{problem}; `--fresh` starts anew and throws the unfinished cells away");
        RunError::Leftover { path: path.to_path_buf(), problem }
    };
    if run.fresh && batches.exists() {
        fs::remove_dir_all(batches).map_err(RunError::io(batches))?;
    }
    if !batches.exists() {
        return Ok(Vec::new());
    }
    let text =
        fs::read_to_string(&path).map_err(|error| leftover(&path, &format!("unfinished cells, but no manifest ({error})")))?;
    let earlier: Manifest =
        serde_json::from_str(&text).map_err(|error| leftover(&path, &format!("the manifest is damaged ({error})")))?;
    let same = Manifest { complete: false, rows: 0, exact_cells: 0, monte_carlo_cells: 0, ..earlier };
    if same != *manifest {
        return Err(leftover(&path, "unfinished cells of another study, version or seed"));
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(batches).map_err(RunError::io(batches))? {
        let path = entry.map_err(RunError::io(batches))?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let file = File::open(path).map_err(RunError::io(path))?;
        ParquetReader::new(file).finish().map_err(|error| leftover(path, &format!("the batch is damaged ({error})")))
    };
    paths.iter().map(read).collect()
}

/// The cells a frame holds.
fn cases_of(frame: &DataFrame) -> BTreeSet<usize> {
    let cases = frame.column("case").and_then(|column| column.i64().cloned());
    cases.map_or(BTreeSet::new(), |cases| cases.iter().flatten().map(|case| case as usize).collect())
}

/// Puts all batches together, in order of cells, writes the files and clears up.
fn finish(
    study: &Study,
    run: &Run,
    meta: &Meta,
    manifest: &mut Manifest,
    frames: Vec<DataFrame>,
    batches: &Path,
) -> Result<DataFrame, RunError> {
    let parquet = run.folder.join(format!("{}.parquet", run.name));
    let fault = RunError::frame(&parquet);
    let mut frames = frames.into_iter();
    let mut all = match frames.next() {
        Some(first) => first,
        None => frame::frame(&columns(study), &[]).map_err(&fault)?,
    };
    for frame in frames {
        all.vstack_mut(&frame).map_err(&fault)?;
    }
    let mut all =
        all.sort(["case"], polars::prelude::SortMultipleOptions::default().with_maintain_order(true)).map_err(&fault)?;
    manifest.rows = all.height();
    manifest.monte_carlo_cells = estimated_cells(&all);
    manifest.exact_cells = manifest.cells - manifest.monte_carlo_cells;
    manifest.complete = true;
    let mut pairs = frame::meta_pairs(&manifest).map_err(|error| RunError::io(&parquet)(io::Error::other(error)))?;
    pairs.push(("command".to_string(), meta.command.clone()));
    write_by_rename(&parquet, |file| frame::write_parquet(&mut all, pairs, file).map_err(other))?;
    let csv = run.folder.join(format!("{}.csv", run.name));
    write_by_rename(&csv, |file| frame::write_csv(&mut all, file).map_err(other))?;
    write_manifest(run.folder, manifest)?;
    fs::remove_dir_all(batches).map_err(RunError::io(batches))?;
    Ok(all)
}

/// Cells whose rows have trials.
fn estimated_cells(frame: &DataFrame) -> usize {
    let column = |name| frame.column(name).and_then(|column| column.i64().cloned());
    match (column("case"), column("trials")) {
        (Ok(cases), Ok(trials)) => {
            let estimated = cases.iter().zip(trials.iter()).filter(|(_, trials)| trials.is_some());
            estimated.filter_map(|(case, _)| case).collect::<BTreeSet<_>>().len()
        }
        _ => 0,
    }
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), RunError> {
    write_by_rename(&folder.join("manifest.json"), |file| {
        serde_json::to_writer_pretty(&mut *file, manifest).map_err(io::Error::from)?;
        file.write_all(b"\n")
    })
}

fn other(error: polars::prelude::PolarsError) -> io::Error {
    match error {
        polars::prelude::PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        error => io::Error::other(error.to_string()),
    }
}

/// Writes a file beside its place and renames it when it is complete.
pub fn write_by_rename(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), RunError> {
    let fault = RunError::io(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = temporary_file(folder).map_err(&fault)?;
    let mut writer = BufWriter::new(temporary.as_file());
    write(&mut writer).and_then(|()| writer.flush()).map_err(&fault)?;
    drop(writer);
    temporary.persist(path).map(drop).map_err(|error| fault(error.error))
}

/// A temporary file that, once renamed, others may read as any file the user makes.
fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lowcrawl-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
