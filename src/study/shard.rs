//! A study in shards: a plan assigns cells to shards for several machines, and a merge joins them.
//!
//! A shard is one Parquet file per table of the study, and a small `.sum` file, written last, with
//! the plan, and the lengths and hashes of its files. A shard without a `.sum` does not count, so
//! no lock is needed: two machines that answer the same shard write the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use polars::prelude::{ParquetReader, SerReader as _};
use serde::{Deserialize, Serialize};

use super::answers::answer;
use super::disk::{Disk, DiskOp, Unfinished};
use super::folder::Folder;
use super::grid::{CellFacts, Grid};
use super::hashed::{ResultFile, hashed, if_whole};
use super::manifest::Manifest;
use super::options::Run;
use super::owned::{PathEntry, entries};
use super::part::{PartFile, Rows, Table, Takes, polars_fault, tables, write_table};
use super::plan::ShardPlan;
use super::run_error::RunError;
use super::summary::{CellTally, StudySummary};
use crate::frame::ROWS;
use answer::Meta;
use engine::monitor::Monitor;

/// The folder of the shards, beside their plan file. Each further table has a folder of its own.
const SHARDS: &str = "shards";
const SUM: &[u8] = b"{\"plan\":";
const PARQUET: &[u8] = b"PAR1";
const MOST_SUM: u64 = 1 << 30;
/// The version of `.sum` files; a shard of another version does not count.
const VERSION: u32 = 2;
/// The number of shard rows decoded at once, which is small compared to a row group of the result.
const PIECE: usize = ROWS / 8;

/// The content of a `.sum` file, which is written when a shard is complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    plan: String,
    #[serde(default = "first_version")]
    version: u32,
    pub shard: usize,
    pub tally: CellTally,
    files: Vec<ResultFile>,
    /// The facts of the shard's cells, in order; empty if the study does not need them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facts: Vec<CellFacts>,
    #[serde(default)]
    hash: String,
}

/// Returns the version of a `.sum` that names none.
fn first_version() -> u32 {
    1
}

/// The tally and facts of all cells, or one line per fault of the shards.
pub type MergedCells = Result<(CellTally, Vec<CellFacts>), Vec<String>>;

pub struct Shards<'a> {
    pub plan: &'a ShardPlan,
    pub folder: &'a Path,
    pub disk: &'a dyn Disk,
}

impl Shards<'_> {
    fn folder_of(&self, table: &str) -> PathBuf {
        self.folder.join(format!("{SHARDS}{table}"))
    }

    fn table(&self, table: &Table, shard: usize) -> PathBuf {
        self.folder_of(table.of).join(format!("{shard:05}.parquet"))
    }

    fn sum(&self, shard: usize) -> PathBuf {
        self.folder_of("").join(format!("{shard:05}.sum"))
    }

    /// Returns a shard's (0-based) `.sum`, or why it does not count; `closely` hashes its files.
    pub fn status(
        &self,
        study: &dyn Grid,
        shard: usize,
        closely: bool,
    ) -> Result<Result<Sum, String>, RunError> {
        let wrong = |problem: &str| Ok(Err(format!("shard {shard}: {problem}")));
        let path = self.sum(shard);
        let text = match PathEntry::from_path(&path)? {
            PathEntry::Nothing => return Ok(Err(format!("shard {shard} is missing"))),
            PathEntry::File(..=MOST_SUM) => self.disk.read(&path)?,
            _ => Vec::new(),
        };
        let Ok(sum) = serde_json::from_slice::<Sum>(&text) else {
            return wrong("its `.sum` is damaged");
        };
        if let Some(problem) = self.fault_in(&sum, study, shard) {
            return wrong(&problem);
        }
        for (table, written) in tables(study).iter().zip(&sum.files) {
            let path = self.table(table, shard);
            let stated = closely.then(|| sum.tally.rows_of(table.place));
            if let Some(problem) = self.fault_of(&path, written, stated)? {
                let name = path.strip_prefix(self.folder).unwrap_or(&path).display();
                return wrong(&format!("{name} {problem}"));
            }
        }
        Ok(Ok(sum))
    }

    /// Returns the reason why a `.sum` cannot be that of a shard of this plan; `None` if it can.
    fn fault_in(&self, sum: &Sum, study: &dyn Grid, shard: usize) -> Option<String> {
        let Sum { plan, version, shard: own, files, .. } = sum;
        let cells = self.plan.cells_of(shard);
        let recorded = if study.info().needs_facts { cells.len() } else { 0 };
        Some(if *plan != self.plan.hash {
            "it belongs to another plan".to_string()
        } else if *version != VERSION {
            format!("its `.sum` has version {version}, but version {VERSION} is needed")
        } else if *own != shard {
            format!("it holds shard {own}")
        } else if if_whole(sum.clone(), |sum| &mut sum.hash).is_none() {
            "its `.sum` is damaged".to_string()
        } else if files.len() != tables(study).len() {
            "its `.sum` lists different files".to_string()
        } else if !sum.tally.is_sound(&cells) || sum.facts.len() != recorded {
            "its `.sum` is inconsistent or does not match the plan".to_string()
        } else {
            return None;
        })
    }

    /// Returns the fault of a file of a shard, if any. With a number of rows, all of it is read.
    fn fault_of(
        &self,
        path: &Path,
        written: &ResultFile,
        stated: Option<usize>,
    ) -> Result<Option<String>, RunError> {
        let problem = match PathEntry::from_path(path)? {
            PathEntry::Nothing => Some("is missing".to_string()),
            PathEntry::File(length) if length == written.bytes => None,
            PathEntry::File(length) => {
                Some(format!("has {length} bytes instead of {}", written.bytes))
            }
            PathEntry::Other(what) => Some(format!("is {what}")),
        };
        let (None, Some(stated)) = (&problem, stated) else { return Ok(problem) };
        let bytes = self.disk.read(path)?;
        if ResultFile::new(&written.name, &bytes) != *written {
            return Ok(Some("was changed after it was written".to_string()));
        }
        let mut reader = ParquetReader::new(Cursor::new(bytes));
        let rows = reader.get_metadata().map_err(polars_fault(path))?.num_rows;
        Ok((rows != stated).then(|| format!("has {rows} rows, but its `.sum` says {stated}")))
    }

    /// Fails if a foreign file has the name of a shard file; a damaged one may be replaced.
    fn check_place(&self, path: &Path, begin: &[u8]) -> Result<(), RunError> {
        let Some(1..) = PathEntry::file_at(path, "the shard cannot be written")? else {
            return Ok(());
        };
        let head = |path: &Path| {
            let mut head = Vec::new();
            File::open(path)?.take(begin.len() as u64).read_to_end(&mut head).map(|_| head)
        };
        let head = self.disk.does(DiskOp::Read, path, head)?;
        // A whole Parquet file without a plan in its metadata is not from lowcrawl.
        let is_own = self.plan_of(path).is_some() || parquet_pairs(path).is_none();
        if begin.starts_with(&head) && is_own {
            return Ok(());
        }
        Err(RunError::foreign(path, "this file is not a shard and would be overwritten"))
    }

    /// Describes each file in the folders of shards that is not a file of a shard.
    pub fn foreign(&self, study: &dyn Grid) -> Result<Vec<String>, RunError> {
        let mut foreign = Vec::new();
        for table in tables(study) {
            let shards = 0..self.plan.shards.len();
            let own: BTreeSet<PathBuf> =
                shards.flat_map(|shard| [self.table(&table, shard), self.sum(shard)]).collect();
            for path in entries(&self.folder_of(table.of))? {
                let name = path.strip_prefix(self.folder).unwrap_or(&path).display().to_string();
                // A name that starts with a dot belongs to a file that is being written.
                let is_hidden =
                    path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
                if is_hidden || own.contains(&path) {
                    continue;
                }
                foreign.push(match self.plan_of(&path) {
                    Some((plan, shard)) if plan == self.plan.hash => {
                        format!("{name} is a second copy of shard {shard}")
                    }
                    _ => format!("{name} does not belong to this plan"),
                });
            }
        }
        Ok(foreign)
    }

    /// Reads the hash of the plan and the number of the shard from a shard file or `.sum` file.
    fn plan_of(&self, path: &Path) -> Option<(String, usize)> {
        let Ok(PathEntry::File(length)) = PathEntry::from_path(path) else { return None };
        if length <= MOST_SUM
            && let Ok(Sum { plan, shard, .. }) = serde_json::from_slice(&fs::read(path).ok()?)
        {
            return Some((plan, shard));
        }
        let mut pairs = parquet_pairs(path)?;
        Some((pairs.remove("plan")?, pairs.remove("shard")?.parse().ok()?))
    }

    /// Answers the cells of a shard (0-based), unless it is complete, and returns its `.sum`.
    pub fn run(&self, study: &dyn Grid, shard: usize, run: &Run) -> Result<Sum, RunError> {
        if let Ok(sum) = self.status(study, shard, true)? {
            return Ok(sum);
        }
        let mut files = self.begin(study, shard)?;
        let stopped = |error| match error {
            RunError::Interrupted { .. } => RunError::Stopped { shard },
            error => error,
        };
        // A shard is written as a whole, so its cells are stored only when their block is finished.
        let run = &Run { keep: (usize::MAX, Duration::from_secs(3600)), ..*run };
        let meta = Meta::new(String::new(), String::new());
        // The part file is temporary, and removed in any case.
        let temporary = self.disk.begin(&self.folder_of("").join(format!("{shard:05}.part")))?;
        let mut part = PartFile::read(temporary.reopened()?, study, &self.plan.identity)?;
        let cells = self.plan.cells_of(shard);
        let summary = answer((study, run, &meta), None, cells.clone(), &mut part);
        let summary = summary.map_err(stopped)?;
        let ShardPlan { hash: plan, shards, identity, .. } = self.plan;
        let pairs = [
            ("plan", plan.clone()),
            ("shard", shard.to_string()),
            ("shards", shards.len().to_string()),
            ("version", identity.version.clone()),
        ];
        let pairs = pairs.map(|(key, value)| (key.to_string(), value)).to_vec();
        for (table, file) in tables(study).iter().zip(&mut files) {
            let watch = (run.options.watch, cells.len());
            write_table(table, &part, pairs.clone(), (file, None), watch).map_err(stopped)?;
        }
        let StudySummary { tally, facts, .. } = summary;
        let written = files.iter().map(Unfinished::written).collect();
        let (plan, version, hash) = (plan.clone(), VERSION, String::new());
        let sum = Sum { plan, version, shard, tally, files: written, facts, hash };
        let sum = hashed(sum, |sum| &mut sum.hash);
        files.into_iter().try_for_each(Unfinished::finish)?;
        for table in tables(study) {
            self.disk.sync_folder(&self.folder_of(table.of))?;
        }
        self.disk.write(&self.sum(shard), |mut file| {
            serde_json::to_writer(&mut file, &sum).map_err(io::Error::from)?;
            file.write_all(b"\n")
        })?;
        Ok(sum)
    }

    /// Starts the files of a shard, one for each table. Fails if another file has their name.
    fn begin(&self, study: &dyn Grid, shard: usize) -> Result<Vec<Unfinished<'_>>, RunError> {
        self.check_place(&self.sum(shard), SUM)?;
        let all = tables(study);
        all.iter().try_for_each(|table| self.check_place(&self.table(table, shard), PARQUET))?;
        let begin = |table: &Table| {
            self.disk.make_folder(&self.folder_of(table.of))?;
            Ok(self.disk.begin(&self.table(table, shard))?)
        };
        all.iter().map(begin).collect()
    }

    /// Reads and checks all shards.
    pub fn whole(&self, study: &dyn Grid, watch: Monitor) -> Result<MergedCells, RunError> {
        let mut faults = self.foreign(study)?;
        let (mut tally, mut facts) = (CellTally::default(), Vec::new());
        for shard in 0..self.plan.shards.len() {
            watch.check_cancelled().map_err(|_| RunError::Stopped { shard })?;
            match self.status(study, shard, true)? {
                Ok(sum) => {
                    tally.join(sum.tally);
                    facts.extend(sum.facts);
                }
                Err(fault) => faults.push(fault),
            }
        }
        Ok(if faults.is_empty() { Ok((tally, facts)) } else { Err(faults) })
    }

    /// Joins all shards, checked with `whole`, to the same files that one machine writes.
    pub fn merge(
        &self,
        study: &dyn Grid,
        run: &Run,
        (tally, facts): (CellTally, Vec<CellFacts>),
    ) -> Result<Manifest, RunError> {
        let (folder, complete) = Folder::take(run, study, &self.plan.identity)?;
        match complete {
            Some(manifest) => Ok(manifest),
            None => folder.finish(study, (&tally, &facts), &self.plan.command, self),
        }
    }
}

impl Rows for Shards<'_> {
    fn each(&self, table: &Table, take: Takes) -> Result<(), RunError> {
        for shard in 0..self.plan.shards.len() {
            let path = self.table(table, shard);
            let bytes = self.disk.read(&path)?;
            // Rows are decoded piece by piece, to bound memory however many rows the shard has.
            let mut from = 0;
            loop {
                let reader = ParquetReader::new(Cursor::new(bytes.as_slice()));
                let rows = reader.with_slice(Some((from, PIECE))).finish();
                let rows = rows.map_err(polars_fault(&path))?;
                if rows.height() == 0 {
                    break;
                }
                from += rows.height();
                take(rows)?;
            }
        }
        Ok(())
    }
}

/// Returns the metadata of a Parquet file; `None` if the file is no whole Parquet file.
fn parquet_pairs(path: &Path) -> Option<BTreeMap<String, String>> {
    let mut reader = ParquetReader::new(File::open(path).ok()?);
    let pairs = reader.get_metadata().ok()?.key_value_metadata.clone().unwrap_or_default();
    Some(pairs.into_iter().filter_map(|pair| Some((pair.key, pair.value?))).collect())
}
