//! A study in shards. A plan assigns cells (combinations of varied values) to shards, and each
//! shard can be answered on another machine. A merge then checks the shard files and joins them.
//!
//! A shard is one Parquet file per table of the study, and a small `.sum` file that is written
//! last. The `.sum` names the plan of the shard, and the lengths and hashes of its files. A shard
//! without a `.sum` does not count, so no lock is needed. Two machines may answer the same shard:
//! both write the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Cursor, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use polars::prelude::{DataFrame, ParquetReader, SerReader as _};
use serde::{Deserialize, Serialize};

use super::batches::{CASE, Keeps, own_rows, polars_fault, side_by_side};
use super::disk::{Disk, DiskOp};
use super::folder::{Folder, Source, Takes};
use super::grid::{AnsweredCell, CellFacts, Grid, Tabled, tables};
use super::manifest::Manifest;
use super::owned::{PathEntry, entries, foreign};
use super::plan::ShardPlan;
use super::result_file::{Product, ResultFile};
use super::run::{BLOCK, Run, RunError};
use super::runner::{Sweep, cells_of};
use super::summary::CellTally;
use crate::frame::{ROWS, RowGroups};
use answer::meta::Meta;
use answer::options::Options;
use engine::monitor::{Checkpoint, Monitor};

/// The folder of the shards, beside their plan file. Each further table has a folder of its own.
const SHARDS: &str = "shards";
const SUM: &[u8] = b"{\"plan\":";
const PARQUET: &[u8] = b"PAR1";
const MOST_SUM: u64 = 1 << 30;
/// The number of shard rows decoded at once, which is small compared to a row group of the result.
const PIECE: usize = ROWS / 8;

/// The content of a `.sum` file, which is written when a shard is complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    /// The hash of the plan that the shard belongs to.
    plan: String,
    pub shard: usize,
    pub tally: CellTally,
    files: Vec<ResultFile>,
    /// The facts of the shard's cells by 0-based cell; empty if the study does not need them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    facts: BTreeMap<usize, CellFacts>,
}

impl Sum {
    /// Returns whether the numbers agree with each other, and with the cells that the plan assigns.
    fn is_sound(&self, cells: &Range<usize>, needs_facts: bool) -> bool {
        let recorded = if needs_facts { cells.clone() } else { 0..0 };
        self.tally.is_sound(cells) && self.facts.keys().copied().eq(recorded)
    }

    /// Returns the number of rows that a table of the shard should have; table 0 has the answers.
    fn rows(&self, table: usize) -> usize {
        if table == 0 { self.tally.rows } else { self.tally.rows_of_counts() }
    }
}

/// The state of a shard on the disk.
#[derive(Clone, Debug, PartialEq)]
pub enum ShardStatus {
    /// The shard has no `.sum` file.
    Missing,
    /// The shard does not count, for this reason.
    Wrong(String),
    /// The shard is complete, with this `.sum`.
    There(Sum),
}

/// The tally and facts of all cells, or one line per fault of the shards.
pub type MergedCells = Result<(CellTally, Vec<CellFacts>), Vec<String>>;

/// The shards of a plan, in the folder of the plan file.
pub struct Shards<'a> {
    pub plan: &'a ShardPlan,
    pub folder: &'a Path,
    pub disk: Disk<'a>,
}

impl Shards<'_> {
    fn folder_of(&self, table: &str) -> PathBuf {
        self.folder.join(format!("{SHARDS}{table}"))
    }

    fn table(&self, table: &Tabled, shard: usize) -> PathBuf {
        self.folder_of(table.of).join(format!("{shard:05}.parquet"))
    }

    fn sum(&self, shard: usize) -> PathBuf {
        self.folder_of("").join(format!("{shard:05}.sum"))
    }

    /// Returns the state of a shard (0-based). With `closely` the shard files are read and hashed,
    /// otherwise only their lengths are checked.
    ///
    /// # Errors
    ///
    /// Fails if a disk operation fails; a damaged shard is no error.
    pub fn status(
        &self,
        study: &dyn Grid,
        shard: usize,
        closely: bool,
    ) -> Result<ShardStatus, RunError> {
        let Some(sum) = self.read_sum(shard)? else { return Ok(ShardStatus::Missing) };
        let wrong = |words: &str| Ok(ShardStatus::Wrong(words.to_string()));
        let Ok(sum) = sum else { return wrong("its `.sum` is damaged") };
        if sum.plan != self.plan.hash {
            return wrong("it belongs to another plan");
        }
        if sum.shard != shard {
            return Ok(ShardStatus::Wrong(format!("it holds shard {}", sum.shard)));
        }
        let tables = tables(study);
        if sum.files.len() != tables.len() {
            return wrong("its `.sum` lists different files");
        }
        let cells = self.plan.cells_of(shard);
        if !sum.is_sound(&cells, study.needs_facts()) {
            return wrong("its `.sum` is inconsistent or does not match the plan");
        }
        for (number, (table, written)) in tables.iter().zip(&sum.files).enumerate() {
            let path = self.table(table, shard);
            let name = path.strip_prefix(self.folder).unwrap_or(&path).display();
            let problem = match PathEntry::at(&path)? {
                PathEntry::Nothing => Some("is missing".to_string()),
                PathEntry::File(length) if length == written.bytes => None,
                PathEntry::File(length) => {
                    Some(format!("has {length} bytes instead of {}", written.bytes))
                }
                other => other.in_the_way().map(|what| format!("is {what}")),
            };
            let problem = match problem {
                None if closely => self.read_closely(&path, written, sum.rows(number))?,
                problem => problem,
            };
            if let Some(problem) = problem {
                return Ok(ShardStatus::Wrong(format!("{name} {problem}")));
            }
        }
        Ok(ShardStatus::There(sum))
    }

    /// Reads the `.sum` of a shard; `None` if it is missing, `Some(Err(()))` if it is damaged.
    fn read_sum(&self, shard: usize) -> Result<Option<Result<Sum, ()>>, RunError> {
        let path = self.sum(shard);
        Ok(match PathEntry::at(&path)? {
            PathEntry::Nothing => None,
            PathEntry::File(length) if length <= MOST_SUM => {
                let text = self.disk.does(DiskOp::Read, &path, |path| fs::read(path))?;
                Some(serde_json::from_slice(&text).map_err(|_| ()))
            }
            _ => Some(Err(())),
        })
    }

    /// Reads a whole file of a shard and counts its rows. Returns the fault of the file; `None` if
    /// there is none.
    fn read_closely(
        &self,
        path: &Path,
        written: &ResultFile,
        stated: usize,
    ) -> Result<Option<String>, RunError> {
        let bytes = self.disk.does(DiskOp::Read, path, |path| fs::read(path))?;
        if ResultFile::new(&written.name, &bytes) != *written {
            return Ok(Some("was changed after it was written".to_string()));
        }
        let cases = ParquetReader::new(Cursor::new(bytes));
        let cases = cases.with_columns(Some(vec![CASE.to_string()])).finish();
        let rows = cases.map_err(polars_fault(path))?.height();
        Ok((rows != stated).then(|| format!("has {rows} rows, but its `.sum` says {stated}")))
    }

    /// Fails if another file has the name of a shard file. A damaged shard file is recognised by
    /// its first bytes, and may be replaced.
    fn check_place(&self, path: &Path, begin: &[u8], is_known: bool) -> Result<(), RunError> {
        let entry = PathEntry::at(path)?;
        if let Some(what) = entry.in_the_way() {
            return Err(foreign(path, format!("the shard cannot be written: {what} has its name")));
        }
        let PathEntry::File(1..) = entry else { return Ok(()) };
        let head = |path: &Path| {
            let mut head = Vec::new();
            File::open(path)?.take(begin.len() as u64).read_to_end(&mut head).map(|_| head)
        };
        let head = self.disk.does(DiskOp::Read, path, head)?;
        // A whole Parquet file without a plan in its metadata is not from lowcrawl.
        let is_own = is_known || self.plan_of(path).is_some() || !is_whole_parquet(path);
        match begin.starts_with(&head) && is_own {
            true => Ok(()),
            false => Err(foreign(path, "this file is not a shard and would be overwritten")),
        }
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

    /// Reads the hash of the plan and the number of the shard from a shard file or `.sum` file;
    /// `None` if the file is neither.
    fn plan_of(&self, path: &Path) -> Option<(String, usize)> {
        let Ok(PathEntry::File(length)) = PathEntry::at(path) else { return None };
        if length <= MOST_SUM
            && let Ok(Sum { plan, shard, .. }) = serde_json::from_slice(&fs::read(path).ok()?)
        {
            return Some((plan, shard));
        }
        let mut reader = ParquetReader::new(File::open(path).ok()?);
        let pairs = reader.get_metadata().ok()?.key_value_metadata.clone()?;
        let value = |key: &str| pairs.iter().find(|pair| pair.key == key)?.value.clone();
        Some((value("plan")?, value("shard")?.parse().ok()?))
    }

    /// Answers the cells of a shard (0-based), unless the shard is complete already, and returns
    /// its `.sum`. `report_progress` receives the number of cells answered so far.
    ///
    /// # Errors
    ///
    /// Fails if a disk operation fails, a cell has no answer, or a signal stops the run.
    pub fn run(
        &self,
        study: &dyn Grid,
        shard: usize,
        options: Options,
        report_progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Sum, RunError> {
        if let ShardStatus::There(sum) = self.status(study, shard, true)? {
            return Ok(sum);
        }
        let (cells, all) = (self.plan.cells_of(shard), tables(study));
        let is_known = matches!(self.read_sum(shard)?, Some(Ok(_)));
        self.check_place(&self.sum(shard), SUM, is_known)?;
        for table in &all {
            self.check_place(&self.table(table, shard), PARQUET, is_known)?;
        }
        let mut files = Vec::new();
        for table in &all {
            let folder = self.folder_of(table.of);
            self.disk.does(DiskOp::MakeFolder, &folder, |folder| fs::create_dir_all(folder))?;
            let name = format!("{SHARDS}{}/{shard:05}.parquet", table.of);
            files.push(Product::begin(self.disk, self.folder, name)?);
        }
        let pairs = [
            ("plan", self.plan.hash.clone()),
            ("shard", shard.to_string()),
            ("shards", self.plan.shards.len().to_string()),
            ("version", self.plan.identity.version.clone()),
        ];
        let pairs = pairs.map(|(key, value)| (key.to_string(), value)).to_vec();
        let path = self.table(&all[0], shard);
        let fault = polars_fault(&path);
        let mut groups = Vec::new();
        for (table, file) in all.iter().zip(&mut files) {
            groups.push(RowGroups::begin(&table.columns, pairs.clone(), file).map_err(&fault)?);
        }
        // A shard is written as a whole, so its cells are stored only when their block is finished.
        let keep = (usize::MAX, Duration::from_secs(3600));
        let run = Run { keep, ..Run::new(&self.plan.identity.name, self.folder, options) };
        let meta = Meta { version: env!("CARGO_PKG_VERSION"), ..Meta::default() };
        let mut sweep = Sweep::new(study, &run, &meta, &InMemory);
        let mut sum = Sum { plan: self.plan.hash.clone(), shard, ..Sum::default() };
        for block in cells.start / BLOCK..cells.end.div_ceil(BLOCK) {
            let open: Vec<usize> = cells_of(block, cells.clone()).collect();
            let (parts, failed) = sweep.answer(block, &open);
            failed?;
            if run.is_stopped() {
                return Err(RunError::Stopped { shard });
            }
            let mut finished = parts.concat();
            finished.sort_by_key(|(case, _)| *case);
            for (case, answered) in &finished {
                let facts = answered.with_row_count();
                sum.tally.add(*case, &facts);
                if study.needs_facts() {
                    sum.facts.insert(*case, facts);
                }
            }
            let frame = side_by_side(study, &finished).map_err(&fault)?;
            let mut first = 0;
            for (table, groups) in all.iter().zip(&mut groups) {
                let columns = frame.columns()[first..first + table.columns.len()].to_vec();
                let own = DataFrame::new(frame.height(), columns);
                let own = own.and_then(|own| own_rows(table, own)).map_err(&fault)?;
                groups.add(own).map_err(&fault)?;
                first += table.columns.len();
            }
            report_progress(sum.tally.cells);
        }
        for groups in groups {
            groups.finish().map_err(&fault)?;
        }
        sum.files = files.iter().map(Product::written).collect();
        files.into_iter().try_for_each(Product::finish)?;
        for table in &all {
            self.disk.sync_folder(&self.folder_of(table.of))?;
        }
        self.disk.write(&self.sum(shard), |mut file| {
            serde_json::to_writer(&mut file, &sum).map_err(io::Error::from)?;
            file.write_all(b"\n")
        })?;
        Ok(sum)
    }

    /// Reads and checks all shards. Returns the tally and facts of all cells, or one line per
    /// fault.
    ///
    /// # Errors
    ///
    /// Fails if a disk operation fails, or if `watch` cancels.
    pub fn whole(&self, study: &dyn Grid, watch: Monitor) -> Result<MergedCells, RunError> {
        let mut faults = self.foreign(study)?;
        let (mut tally, mut facts) = (CellTally::default(), Vec::new());
        for shard in 0..self.plan.shards.len() {
            watch.check_cancelled().map_err(|_| RunError::Stopped { shard })?;
            match self.status(study, shard, true)? {
                ShardStatus::There(sum) => {
                    tally.join(sum.tally);
                    facts.extend(sum.facts.into_values());
                }
                ShardStatus::Missing => faults.push(format!("shard {shard} is missing")),
                ShardStatus::Wrong(words) => faults.push(format!("shard {shard}: {words}")),
            }
        }
        Ok(if faults.is_empty() { Ok((tally, facts)) } else { Err(faults) })
    }

    /// Joins all shards in the folder of `run`; check them first with `whole`. The result
    /// files equal, byte for byte, those that one machine writes.
    ///
    /// # Errors
    ///
    /// Fails if the folder is occupied or busy, a disk operation fails, or a signal stops the run.
    pub fn merge(
        &self,
        study: &dyn Grid,
        run: &Run,
        (tally, facts): (CellTally, Vec<CellFacts>),
    ) -> Result<Manifest, RunError> {
        let identity = &self.plan.identity;
        let (folder, complete) = Folder::take(run, study, identity)?;
        if let Some(manifest) = complete {
            return Ok(manifest);
        }
        let all = tables(study);
        let table = |number: usize, shard: usize, take: Takes| {
            let path = self.table(&all[number], shard);
            let bytes = self.disk.does(DiskOp::Read, &path, |path| fs::read(path))?;
            // Rows are decoded piece by piece, to bound memory however many rows the shard has.
            let mut from = 0;
            loop {
                let reader = ParquetReader::new(Cursor::new(bytes.as_slice()));
                let rows = reader.with_slice(Some((from, PIECE))).finish();
                let rows = rows.map_err(polars_fault(&path))?;
                if rows.height() == 0 {
                    return Ok(());
                }
                from += rows.height();
                take(rows)?;
            }
        };
        let source = Source { blocks: self.plan.shards.len(), block: &table };
        let manifest = tally.manifest(study, identity, &self.plan.command);
        folder.finish(study, manifest, &facts, source, run.options.watch)
    }
}

fn is_whole_parquet(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| ParquetReader::new(file).get_metadata().is_ok())
}

/// A store that keeps finished cells in memory only.
struct InMemory;

impl Keeps for InMemory {
    type Kept = Vec<(usize, Arc<AnsweredCell>)>;

    fn keep(
        &self,
        _: &dyn Grid,
        _: usize,
        finished: Vec<(usize, Arc<AnsweredCell>)>,
    ) -> Result<Self::Kept, RunError> {
        Ok(finished)
    }

    fn keep_counted(&self, _: u128, _: Vec<Checkpoint>) -> Result<(), RunError> {
        Ok(())
    }
}
