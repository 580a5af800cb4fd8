//! The runner of a study. It answers cells in parallel and stores finished cells on the disk, so
//! that a stopped run can resume.
//!
//! Cells (combinations of varied values) are answered block by block, and memory holds only one
//! block. Finished cells are stored every few seconds, or as soon as there are many. A separate
//! thread does this, so one slow cell does not delay storing the others. Checkpoints of unfinished
//! cells are stored too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use indexmap::IndexMap;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::batches::{Batch, CountedBefore, Keeps};
use super::folder::{Folder, Source, Takes};
use super::grid::{AnsweredCell, Grid, Longest, RowHash};
use super::manifest::Manifest;
use super::run::{BLOCK, Run, RunError};
use super::summary::StudySummary;
use answer::meta::Meta;
use answer::options::Options;
use engine::monitor::{Checkpoint, CheckpointStore, Monitor};
use engine::process::ReportIndex;

/// The number of cells whose forms are filled in together; cells that share a value fill it in
/// once.
const SLICE: usize = 128;
/// The number of rows that the cache of answers may hold.
const REMEMBERED: usize = 1 << 15;

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
        return Ok(Finished { manifest, summary: None, resumed: study.cells() });
    }
    let cells = study.cells();
    let mut is_done = vec![false; cells];
    let mut blocks: Vec<Vec<PathBuf>> = vec![Vec::new(); cells.div_ceil(BLOCK)];
    let (batches, checkpoints) = folder.work.kept()?;
    let mut sweep = Sweep {
        checkpoints: Mutex::new(checkpoints),
        ..Sweep::new(study, run, meta, &folder.work)
    };
    let mut kept = 0;
    let mut add = |batches: Vec<Batch>, is_done: &mut [bool], blocks: &mut [Vec<PathBuf>]| {
        for Batch { block, path, cells } in batches {
            kept += cells.len();
            cells.into_iter().for_each(|case| is_done[case] = true);
            blocks[block].push(path);
        }
        kept
    };
    let resumed = add(batches, &mut is_done, &mut blocks);
    (run.progress)(resumed);
    let mut summary = StudySummary::new(study);
    for block in 0..blocks.len() {
        let open: Vec<usize> = cells_of(block, 0..cells).filter(|&case| !is_done[case]).collect();
        let (batches, failed) = sweep.answer(block, &open);
        let kept = add(batches, &mut is_done, &mut blocks);
        // Finished cells were stored above even if another cell failed.
        failed?;
        if run.is_stopped() {
            return Err(RunError::Interrupted { kept, cells });
        }
        for (case, facts) in folder.work.facts(&blocks[block])? {
            summary.add(study, case, facts);
        }
    }
    let manifest = summary.tally.manifest(study, &identity, &meta.command);
    let table = |table, block: usize, take: Takes| {
        folder.block(study, table, &blocks[block])?.map_or(Ok(()), take)
    };
    let source = Source { blocks: blocks.len(), block: &table };
    let manifest = folder.finish(study, manifest, &summary.facts, source, run.options.watch)?;
    Ok(Finished { manifest, summary: Some(summary), resumed })
}

/// Returns the cells (0-based) of a block that lie in `part`.
pub(super) fn cells_of(block: usize, part: Range<usize>) -> Range<usize> {
    part.start.max(block * BLOCK)..part.end.min((block + 1) * BLOCK)
}

/// A study that is being answered, with its cache of answers.
pub(super) struct Sweep<'a, K: Keeps> {
    study: &'a dyn Grid,
    run: &'a Run<'a>,
    meta: &'a Meta,
    folder: &'a K,
    remembered: Remembered,
    /// The checkpoints that an earlier run left of unfinished cells.
    checkpoints: Mutex<CountedBefore>,
}

/// The checkpoints of one cell while it is answered, by index of the engine run, with the number of
/// engine runs begun.
#[derive(Default)]
struct CellLedger(Mutex<(usize, Vec<Checkpoint>)>);

impl CheckpointStore for CellLedger {
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

fn lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, K: Keeps> Sweep<'a, K> {
    pub fn new(study: &'a dyn Grid, run: &'a Run<'a>, meta: &'a Meta, folder: &'a K) -> Self {
        let (remembered, checkpoints) = (Remembered::default(), Mutex::default());
        Sweep { study, run, meta, folder, remembered, checkpoints }
    }

    /// Answers the open cells of a block and stores them. Returns the results of storing, and the
    /// error of the first cell without an answer. No further cells are begun after a stop.
    ///
    /// Cells with the same question are answered once. Among cells that differ only in their last
    /// report point, the longest is answered, and its rows serve the others. When stored cells are
    /// due, the thread that finishes a cell writes them to the disk. A separate thread does so
    /// while all others are busy. No lock is held while writing: rayon may give the writing thread
    /// another cell meanwhile, which needs the lock.
    pub fn answer(&mut self, block: usize, open: &[usize]) -> (Vec<K::Kept>, Result<(), RunError>) {
        let keys = open.par_chunks(SLICE).flat_map_iter(|slice| self.cache_keys(slice));
        let keys: Vec<(u128, ReportIndex)> = keys.collect();
        let mut groups: IndexMap<u128, BTreeMap<Reverse<ReportIndex>, Vec<usize>>> =
            IndexMap::new();
        for (&case, (on, until)) in open.iter().zip(keys) {
            groups.entry(on).or_default().entry(Reverse(until)).or_default().push(case);
        }
        let of_group = |(on, lengths): (u128, BTreeMap<Reverse<ReportIndex>, Vec<usize>>)| {
            let alike = lengths.into_iter().map(|(Reverse(until), cells)| {
                let key = on.wrapping_add(until.into());
                Alike { key, until, cells }
            });
            alike.collect()
        };
        let groups: Vec<Vec<Alike>> = groups.into_iter().map(of_group).collect();
        let own = Mutex::new(RunState::new(std::mem::take(&mut self.remembered)));
        let desk = &own;
        let sweep = &*self;
        let answer = |Alike { key, until, cells }: &Alike, longest: Option<&Longest>| {
            let longest = longest.map(|longest| (longest, *until));
            if sweep.run.is_stopped()
                || lock(desk).failed.as_ref().is_some_and(|(case, _)| case.is_none())
            {
                return None;
            }
            let known = lock(desk).remembered.answers.get(key).cloned();
            let (answered, answer) = match known {
                Some(known) => (Ok(known), None),
                None => match sweep.answer_one(*key, cells[0], longest, desk) {
                    Ok((answered, answer)) => (Ok(Arc::new(answered)), answer),
                    Err(problem) => (Err(problem), None),
                },
            };
            (sweep.run.progress)(cells.len());
            let due = lock(desk).take(*key, cells, answered, sweep.run);
            sweep.put(block, due, desk);
            answer
        };
        let answer_group = |group: &Vec<Alike>| {
            let Some((first, others)) = group.split_first() else { return };
            let longest = answer(first, None);
            others.par_iter().for_each(|alike| drop(answer(alike, longest.as_ref())));
        };
        let (done, waiting) = channel::<()>();
        let look = move || {
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(sweep.run.keep.1) {
                let due = lock(desk).due(sweep.run);
                sweep.put(block, due, desk);
                sweep.store_checkpoints(desk);
            }
        };
        thread::scope(|scope| {
            // If no thread can be spawned, the threads that finish cells still store them.
            let _ = thread::Builder::new().spawn_scoped(scope, look);
            groups.par_iter().for_each(answer_group);
            drop(done);
        });
        let rest = lock(desk).all();
        self.put(block, rest, desk);
        self.store_checkpoints(desk);
        let RunState { batches, failed, remembered, .. } =
            own.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.remembered = remembered;
        (batches, failed.map_or(Ok(()), |(_, error)| Err(error)))
    }

    /// Answers a cell; meanwhile its checkpoints are in `desk`, where other threads store them.
    fn answer_one(
        &self,
        key: u128,
        case: usize,
        longest: Option<(&Longest, ReportIndex)>,
        desk: &Mutex<RunState<K::Kept>>,
    ) -> Result<(AnsweredCell, Option<Longest>), String> {
        let runs = lock(&self.checkpoints).remove(&key).unwrap_or_default();
        let ledger = Arc::new(CellLedger(Mutex::new((0, runs))));
        lock(desk).open.insert(key, ledger.clone());
        let watch = Monitor { ledger: Some(&*ledger), ..self.run.options.watch };
        let options = Options { watch, ..self.run.options };
        let answered = self.study.answer_part(case, longest, &options, self.meta);
        if answered.is_ok() {
            lock(desk).open.remove(&key);
        }
        answered
    }

    fn store_checkpoints(&self, desk: &Mutex<RunState<K::Kept>>) {
        let open: Vec<_> =
            lock(desk).open.iter().map(|(&key, ledger)| (key, lock(&ledger.0).1.clone())).collect();
        for (key, runs) in open.into_iter().filter(|(_, runs)| !runs.is_empty()) {
            if let Err(error) = self.folder.keep_counted(key, runs) {
                lock(desk).failed = Some((None, error));
            }
        }
    }

    /// Returns for each cell, in order, a hash of everything that decides its rows, and its last
    /// report point. If that hash is unknown, returns the hash of the question and the point 0. A
    /// cell without a question gets a hash of its own.
    fn cache_keys(&self, cells: &[usize]) -> Vec<(u128, ReportIndex)> {
        let [first, ..] = *cells else { return Vec::new() };
        let rests = self.study.row_hashes(first..cells[cells.len() - 1] + 1);
        let canonical =
            |case| self.study.canonical(case).unwrap_or_else(|_| format!("case {case}"));
        let of = |&case: &usize| match rests[case - first] {
            Some(RowHash { on, until }) => (on, until),
            None => (xxh3_128(canonical(case).as_bytes()), 0),
        };
        cells.iter().map(of).collect()
    }

    fn put(
        &self,
        block: usize,
        mut finished: Vec<(usize, Arc<AnsweredCell>)>,
        desk: &Mutex<RunState<K::Kept>>,
    ) {
        if finished.is_empty() {
            return;
        }
        finished.sort_by_key(|(case, _)| *case);
        let kept = self.folder.keep(self.study, block, finished);
        let mut desk = lock(desk);
        match kept {
            Ok(batch) => desk.batches.push(batch),
            Err(error) => desk.failed = Some((None, error)),
        }
    }
}

/// Cells of a block that ask the same question.
struct Alike {
    key: u128,
    /// The last report point of these cells; 0 if unknown.
    until: ReportIndex,
    cells: Vec<usize>,
}

/// Finished cells that wait to be stored, with the other state that threads share.
struct RunState<B> {
    finished: Vec<(usize, Arc<AnsweredCell>)>,
    /// Checkpoints of cells that are being answered, by the hash of the question.
    open: HashMap<u128, Arc<CellLedger>>,
    since: Instant,
    batches: Vec<B>,
    /// The first cell (0-based) without an answer, and its error. The cell is `None` for an error
    /// of storing.
    failed: Option<(Option<usize>, RunError)>,
    remembered: Remembered,
}

impl<B> RunState<B> {
    fn new(remembered: Remembered) -> RunState<B> {
        RunState {
            finished: Vec::new(),
            open: HashMap::new(),
            since: Instant::now(),
            batches: Vec::new(),
            failed: None,
            remembered,
        }
    }

    /// Adds the answer shared by `cells`, or records their error. Returns the finished cells that
    /// must be stored now.
    fn take(
        &mut self,
        key: u128,
        cells: &[usize],
        answered: Result<Arc<AnsweredCell>, String>,
        run: &Run,
    ) -> Vec<(usize, Arc<AnsweredCell>)> {
        match answered {
            Ok(answered) => {
                self.finished.extend(cells.iter().map(|&case| (case, answered.clone())));
                self.remembered.add(key, answered);
            }
            // The cell was cancelled, which is no error of the cell.
            Err(_) if run.is_stopped() => {}
            Err(problem) => {
                let case = cells[0];
                if self
                    .failed
                    .as_ref()
                    .is_none_or(|(other, _)| other.is_some_and(|other| case < other))
                {
                    self.failed = Some((Some(case), RunError::Cell { case: case + 1, problem }));
                }
            }
        }
        if self.finished.len() >= run.keep.0 { self.all() } else { self.due(run) }
    }

    /// Returns all finished cells if the time between two writes has passed; otherwise none.
    fn due(&mut self, run: &Run) -> Vec<(usize, Arc<AnsweredCell>)> {
        if self.since.elapsed() >= run.keep.1 { self.all() } else { Vec::new() }
    }

    fn all(&mut self) -> Vec<(usize, Arc<AnsweredCell>)> {
        self.since = Instant::now();
        std::mem::take(&mut self.finished)
    }
}

/// A cache of answers by the hash of the question; the oldest answer is evicted first.
#[derive(Default)]
struct Remembered {
    answers: HashMap<u128, Arc<AnsweredCell>>,
    order: VecDeque<u128>,
    rows: usize,
}

impl Remembered {
    fn add(&mut self, key: u128, answered: Arc<AnsweredCell>) {
        if self.answers.insert(key, answered.clone()).is_some() {
            return;
        }
        self.rows += answered.all_rows();
        self.order.push_back(key);
        while self.rows > REMEMBERED {
            let Some(forgotten) = self.order.pop_front().and_then(|key| self.answers.remove(&key))
            else {
                break;
            };
            self.rows -= forgotten.all_rows();
        }
    }
}
