//! Runs a study: cells in parallel, in blocks that stay on disk, so that a stopped run goes on where it was.
//!
//! While it runs, `FOLDER/batches/` holds the finished cells as Parquet, block by block, and `FOLDER/manifest.json` says of what study.
//! When all cells are there, the blocks are put together one at a time: `NAME.parquet`, `NAME.csv` and the final manifest appear by
//! rename, and the batches go. Memory holds one block, however large the study.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use polars::prelude::{DataFrame, ParquetReader, PolarsError, SerReader, SortMultipleOptions};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::cases::Cases;
use super::disk::{self, FileError, Unfinished};
use super::grid::{CellRows, Grid, fingerprint};
use super::headline;
use crate::dice::stream::SAMPLER;
use crate::system::answer::{Options, Trials};
use crate::table::{Cell, Meta, frame, json};

/// Cells of one block.
const BLOCK: usize = 1024;

/// Why a study did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk did not do what was asked.
    #[error(transparent)]
    File(#[from] FileError),
    /// Ctrl-C; so many cells are kept.
    #[error("interrupted: {kept} of {cells} cells are kept, and the same command goes on from there")]
    Interrupted { kept: usize, cells: usize },
    /// What is in the output folder does not belong to this study, or cannot be read.
    #[error("{}: {problem}; `--fresh` starts anew and throws the unfinished cells away", path.display())]
    Leftover { path: PathBuf, problem: String },
    /// A cell that cannot be answered.
    #[error("case {case}: {problem}")]
    Cell { case: usize, problem: String },
}

/// What the manifest of a study says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub name: String,
    pub version: String,
    pub sampler: String,
    pub command: String,
    /// `auto`, `exact` or `monte-carlo`.
    pub engine: String,
    pub seed: u64,
    pub trials: Option<u64>,
    /// Half-width asked for in place of a number of trials.
    pub precision: Option<f64>,
    /// Stratified rolls, 0 for plain sampling.
    pub stratify: u32,
    /// The rules all cells follow; settings that the study sets or sweeps, with their values.
    #[serde(flatten)]
    pub rules: serde_json::Map<String, serde_json::Value>,
    pub cells: usize,
    pub complete: bool,
    /// Rows of each file, once complete.
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
    /// What is asked, hashed: a stopped run goes on where it is the same.
    #[serde(default)]
    pub requests: String,
    /// The study file.
    pub study: String,
}

/// A finished study.
#[derive(Debug)]
pub struct Finished {
    pub manifest: Manifest,
    /// By cell, the probability that the last unit of the stack ends well at the last phase.
    pub headline: Vec<f64>,
    /// Cells taken over from an earlier, stopped run.
    pub resumed: usize,
    pub folder: PathBuf,
}

impl Finished {
    /// The best choice of each cell of a study of campaigns, which is that of its first row; all of these are in memory at once.
    pub fn best_choices(&self) -> Result<Vec<Option<String>>, RunError> {
        let rows = read_batch(&self.folder.join(format!("{}.parquet", self.manifest.name)))?;
        let mut best = vec![None; self.manifest.cells];
        let Ok(choices) = rows.column("choice").and_then(|column| column.str().cloned()) else { return Ok(best) };
        let mut told = BTreeSet::new();
        for (row, case) in integers(&rows, "case").into_iter().enumerate() {
            let Some(case) = case.map(|case| case as usize).filter(|&case| told.insert(case)) else { continue };
            if let Some(best) = best.get_mut(case - 1) {
                *best = choices.get(row).map(str::to_string);
            }
        }
        Ok(best)
    }
}

impl Finished {
    /// The probability that the last unit is as is hoped for, by case and by phase or turn; all rows are in memory at once.
    pub fn by_phase(&self, study: &Cases) -> Result<Vec<BTreeMap<i64, f64>>, RunError> {
        Ok(headline::by_phase(&read_batch(&self.folder.join(format!("{}.parquet", self.manifest.name)))?, study))
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
    /// Told of further finished cells.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// Runs `study`; `meta` says what every cell shares.
pub fn run(study: &dyn Grid, run: &Run, meta: &Meta) -> Result<Finished, RunError> {
    let mut manifest = manifest(study, run, meta);
    let batches = run.folder.join("batches");
    let kept = leftovers(run, &manifest, &batches)?;
    for folder in [run.folder, &batches] {
        if folder.exists() && !folder.is_dir() {
            return Err(FileError::words(folder, "a file is in the way of the output folder").into());
        }
    }
    fs::create_dir_all(&batches).map_err(FileError::of(&batches))?;
    write_manifest(run.folder, &manifest)?;
    let mut blocks: Vec<Vec<PathBuf>> = vec![Vec::new(); study.cells().div_ceil(BLOCK)];
    let mut finished = 0;
    for path in kept {
        let block = block_of(&path).filter(|&block| block < blocks.len());
        blocks[block.ok_or_else(|| leftover(&path, "this batch is not of the study"))?].push(path);
    }
    let mut resumed = 0;
    for (block, paths) in blocks.iter_mut().enumerate() {
        let mut done = BTreeSet::new();
        for path in paths.iter() {
            done.extend(cases_of(&read_batch(path)?));
        }
        resumed += done.len();
        finished += done.len();
        (run.progress)(done.len());
        let cases = block * BLOCK + 1..=((block + 1) * BLOCK).min(study.cells());
        let open: Vec<usize> = cases.filter(|case| !done.contains(case)).collect();
        let (rows, cells) = answer_cells(study, run, meta, &open)?;
        if cells > 0 {
            let path = batches.join(format!("{block:07}-{}.parquet", paths.len()));
            let mut frame = frame::frame(&study.columns(), &rows).map_err(polars_fault(&path))?;
            disk::write(&path, |file| frame::write_parquet(&mut frame, Vec::new(), file).map_err(as_io))?;
            paths.push(path);
            finished += cells;
        }
        if run.stop.load(Ordering::Relaxed) {
            if finished == 0 {
                let _ = fs::remove_dir(&batches);
            }
            return Err(RunError::Interrupted { kept: finished, cells: study.cells() });
        }
    }
    let headline = finish(study, run, &mut manifest, &blocks)?;
    fs::remove_dir_all(&batches).map_err(FileError::of(&batches))?;
    Ok(Finished { manifest, headline, resumed, folder: run.folder.to_path_buf() })
}

fn manifest(study: &dyn Grid, run: &Run, meta: &Meta) -> Manifest {
    Manifest {
        name: run.name.to_string(),
        version: meta.version.to_string(),
        sampler: SAMPLER.to_string(),
        command: meta.command.clone(),
        engine: run.options.engine.word().to_string(),
        seed: run.options.seed,
        trials: match run.options.trials {
            Trials::Number(trials) => Some(trials).filter(|&trials| trials > 0),
            Trials::HalfWidth(_) => None,
        },
        precision: match run.options.trials {
            Trials::Number(_) => None,
            Trials::HalfWidth(half_width) => Some(half_width),
        },
        stratify: run.options.stratify,
        rules: study.rules().facts.iter().map(|(name, fact)| (name.to_string(), json::fact_value(fact))).collect(),
        cells: study.cells(),
        complete: false,
        rows: 0,
        exact_cells: 0,
        monte_carlo_cells: 0,
        requests: fingerprint(&study.identity()),
        study: study.text().to_string(),
    }
}

/// Answers the open cells of a block; when the run is being stopped, as many as were begun. Their rows, and how many there are.
fn answer_cells(study: &dyn Grid, run: &Run, meta: &Meta, open: &[usize]) -> Result<(Vec<Vec<Cell>>, usize), RunError> {
    let answer_cell = |&case: &usize| {
        if run.stop.load(Ordering::Relaxed) {
            return None;
        }
        let rows = study.answer_rows(case - 1, &run.options, meta);
        (run.progress)(1);
        Some((case, rows))
    };
    let answers: Vec<(usize, CellRows)> = open.par_iter().filter_map(answer_cell).collect();
    let mut all = Vec::new();
    let mut cells = 0;
    for (case, rows) in answers {
        match rows {
            Ok(rows) => {
                let swept = study.swept_cells(case - 1);
                all.extend(rows.into_iter().map(|row| swept.iter().cloned().chain(row).collect()));
                cells += 1;
            }
            Err(_) if run.stop.load(Ordering::Relaxed) => {}
            Err(problem) => return Err(RunError::Cell { case, problem }),
        }
    }
    Ok((all, cells))
}

/// Batches that a stopped run of the same study has left.
fn leftovers(run: &Run, manifest: &Manifest, batches: &Path) -> Result<Vec<PathBuf>, RunError> {
    if run.fresh && batches.is_dir() {
        fs::remove_dir_all(batches).map_err(FileError::of(batches))?;
    }
    if !batches.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(batches).map_err(FileError::of(batches))? {
        let path = entry.map_err(FileError::of(batches))?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Ok(paths);
    }
    let path = run.folder.join("manifest.json");
    let text =
        fs::read_to_string(&path).map_err(|error| leftover(&path, &format!("unfinished cells, but no manifest ({error})")))?;
    let earlier: Manifest =
        serde_json::from_str(&text).map_err(|error| leftover(&path, &format!("the manifest is damaged ({error})")))?;
    // Command and file may be spelt otherwise and ask for the same.
    let (command, study) = (manifest.command.clone(), manifest.study.clone());
    let begun = Manifest { command, study, complete: false, rows: 0, exact_cells: 0, monte_carlo_cells: 0, ..earlier };
    if begun != *manifest {
        return Err(leftover(&path, "unfinished cells of another study, engine, version or seed"));
    }
    Ok(paths)
}

fn leftover(path: &Path, problem: &str) -> RunError {
    RunError::Leftover { path: path.to_path_buf(), problem: problem.to_string() }
}

/// The block a batch belongs to, by its name.
fn block_of(path: &Path) -> Option<usize> {
    path.file_stem()?.to_str()?.split_once('-')?.0.parse().ok()
}

fn read_batch(path: &Path) -> Result<DataFrame, RunError> {
    let file = File::open(path).map_err(FileError::of(path))?;
    ParquetReader::new(file).finish().map_err(|error| leftover(path, &format!("the batch is damaged ({error})")))
}

/// The cells a frame holds.
fn cases_of(frame: &DataFrame) -> BTreeSet<usize> {
    integers(frame, "case").into_iter().flatten().map(|case| case as usize).collect()
}

/// A column of whole numbers; nothing where there is none.
pub(super) fn integers(frame: &DataFrame, name: &str) -> Vec<Option<i64>> {
    let column = frame.column(name).and_then(|column| column.i64().cloned());
    column.map_or(Vec::new(), |column| column.iter().collect())
}

/// A column of texts; nothing where there is none.
pub(super) fn texts(frame: &DataFrame, name: &str) -> Vec<Option<String>> {
    let column = frame.column(name).and_then(|column| column.str().cloned());
    column.map_or(Vec::new(), |column| column.iter().map(|text| text.map(str::to_string)).collect())
}

/// A column of numbers, 0 for null; nothing where there is none.
pub(super) fn floats(frame: &DataFrame, name: &str) -> Vec<f64> {
    let column = frame.column(name).and_then(|column| column.f64().cloned());
    column.map_or(Vec::new(), |column| column.iter().map(|value| value.unwrap_or(0.0)).collect())
}

/// One block from its batches, in order of cells.
fn read_block(paths: &[PathBuf]) -> Result<Option<DataFrame>, RunError> {
    let Some((first, rest)) = paths.split_first() else { return Ok(None) };
    let fault = polars_fault(first);
    let mut block = read_batch(first)?;
    for path in rest {
        block.vstack_mut(&read_batch(path)?).map_err(&fault)?;
    }
    let in_order = SortMultipleOptions::default().with_maintain_order(true);
    block.sort(["case"], in_order).map(Some).map_err(&fault)
}

/// Puts the blocks together and writes the files; the headline odds by cell.
fn finish(study: &dyn Grid, run: &Run, manifest: &mut Manifest, blocks: &[Vec<PathBuf>]) -> Result<Vec<f64>, RunError> {
    let mut headline = vec![0.0; study.cells()];
    let mut estimated = BTreeSet::new();
    for paths in blocks {
        let Some(block) = read_block(paths)? else { continue };
        let (cases, trials) = (integers(&block, "case"), integers(&block, "trials"));
        estimated.extend(cases.into_iter().zip(trials).filter_map(|(case, trials)| trials.and(case)));
        manifest.rows += block.height();
        if let Some(hope) = study.headline() {
            headline::add(&block, study, hope, &mut headline);
        }
    }
    manifest.monte_carlo_cells = estimated.len();
    manifest.exact_cells = manifest.cells - estimated.len();
    manifest.complete = true;

    let parquet_path = run.folder.join(format!("{}.parquet", run.name));
    let csv_path = run.folder.join(format!("{}.csv", run.name));
    let (parquet, csv) = (Unfinished::begin(&parquet_path)?, Unfinished::begin(&csv_path)?);
    let unwritable = |error: serde_json::Error| FileError::words(&parquet_path, &error.to_string());
    let pairs = frame::meta_pairs(&manifest).map_err(unwritable)?;
    let empty = frame::frame(&study.columns(), &[]).map_err(polars_fault(&parquet_path))?;
    let mut parquet_writer = frame::parquet_blocks(&empty, pairs, parquet.file()).map_err(polars_fault(&parquet_path))?;
    let mut csv_writer = io::BufWriter::new(csv.file());
    let mut header = true;
    for paths in blocks {
        let Some(mut block) = read_block(paths)? else { continue };
        parquet_writer.write_batch(&block).map_err(polars_fault(&parquet_path))?;
        frame::write_csv_block(&mut block, header, &mut csv_writer).map_err(polars_fault(&csv_path))?;
        header = false;
    }
    parquet_writer.finish().map_err(polars_fault(&parquet_path))?;
    io::Write::flush(&mut csv_writer).map_err(FileError::of(&csv_path))?;
    drop((parquet_writer, csv_writer));
    parquet.finish()?;
    csv.finish()?;
    write_manifest(run.folder, manifest)?;
    Ok(headline)
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), FileError> {
    disk::write(&folder.join("manifest.json"), |file| {
        serde_json::to_writer_pretty(&mut *file, manifest).map_err(io::Error::from)?;
        io::Write::write_all(file, b"\n")
    })
}

pub(super) fn as_io(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        error => io::Error::other(error.to_string()),
    }
}

pub(super) fn polars_fault(path: &Path) -> impl Fn(PolarsError) -> RunError + '_ {
    |error| RunError::File(FileError::of(path)(as_io(error)))
}
