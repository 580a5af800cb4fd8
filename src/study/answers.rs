//! The answers of the cells of a run; cells with equal requests are answered once. Threads answer
//! the requests of a block of cells, and one more appends finished cells to the part file, so that
//! a stopped run can resume. Memory holds only one block. A slow cell does not delay storing the
//! others; its checkpoints are stored meanwhile.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::checkpoints::{Checkpoints, lock};
use super::grid::{AnsweredCell, Grid, Longest, RowHash};
use super::options::{BLOCK, Run};
use super::part::{FinishedCell, PartFile};
use super::run_error::RunError;
use super::summary::StudySummary;
use answer::{Meta, Options};
use engine::monitor::{CheckpointStore, Monitor};
use engine::process::ReportIndex;

const MOST_ROWS: usize = 1 << 15;

/// How much sooner finished cells are stored for the first time than later.
const SOONER: u32 = 8;

struct Answerer<'a> {
    study: &'a dyn Grid,
    run: &'a Run<'a>,
    meta: &'a Meta,
    /// The checkpoints of unfinished cells; `None` if the run keeps none.
    checkpoints: Option<&'a Checkpoints<'a>>,
    cache: Mutex<AnswerCache>,
    /// True when something could not be stored, so that no further cell is begun.
    is_broken: AtomicBool,
}

/// The cells of a request with their answer, or the reason why they have none.
type Answered<'a> = (&'a [usize], Result<Arc<AnsweredCell>, String>);

/// Answers and stores cells (0-based) that `part` lacks, even after an error; returns the summary.
pub(super) fn answer(
    (study, run, meta): (&dyn Grid, &Run, &Meta),
    checkpoints: Option<&Checkpoints>,
    cells: Range<usize>,
    part: &mut PartFile,
) -> Result<StudySummary, RunError> {
    let (cache, is_broken) = (Mutex::default(), AtomicBool::new(false));
    let answerer = Answerer { study, run, meta, checkpoints, cache, is_broken };
    let (mut summary, mut pace) = (StudySummary::new(study), Pace::new(run.keep.1));
    for block in cells.start / BLOCK..cells.end.div_ceil(BLOCK) {
        let own = cells.start.max(block * BLOCK)..cells.end.min((block + 1) * BLOCK);
        let open: Vec<usize> = own.filter(|case| !part.has(*case)).collect();
        answerer.answer_block((block, &open), part, &mut pace)?;
        if run.is_stopped() {
            let (kept, cells) = (part.cells, study.info().cells);
            return Err(RunError::Interrupted { kept, cells });
        }
        for (case, facts) in part.take_facts(block) {
            summary.add(study, case, facts);
        }
    }
    Ok(summary)
}

impl Answerer<'_> {
    /// Answers and stores the open cells of a block. Fails with the first cell without an answer.
    fn answer_block(
        &self,
        (block, open): (usize, &[usize]),
        part: &mut PartFile,
        pace: &mut Pace,
    ) -> Result<(), RunError> {
        let groups = distinct_requests(self.study, open);
        let (sender, answered) = channel();
        let (answerer, waiting) = (self, Vec::new());
        let store = CellStore { answerer, block, part, pace, waiting, failed: None, error: None };
        let store = Mutex::new((store, answered));
        let store_all = || {
            let (store, answered) = &mut *lock(&store);
            store.store_all(answered);
        };
        thread::scope(|scope| {
            let _ = thread::Builder::new().spawn_scoped(scope, store_all);
            groups
                .par_iter()
                .for_each_with(sender, |sender, group| self.answer_group(group, sender));
        });
        // If no thread could be spawned, all cells are stored here.
        store_all();
        let (CellStore { failed, error, .. }, _) =
            store.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let failed = failed.map(|(case, problem)| RunError::Cell { case: case + 1, problem });
        error.or(failed).map_or(Ok(()), Err)
    }

    /// Answers requests that differ only in their last report point, longest first.
    fn answer_group<'r>(&self, group: &'r [Request], sender: &Sender<Answered<'r>>) {
        let Some((first, others)) = group.split_first() else { return };
        let longest = self.answer_request(first, None, sender);
        let answer = |request| drop(self.answer_request(request, longest.as_ref(), sender));
        others.par_iter().for_each(answer);
    }

    /// Answers a request, by the rows of `longest` if they serve; returns an engine's full answer.
    fn answer_request<'r>(
        &self,
        request: &'r Request,
        longest: Option<&Longest>,
        sender: &Sender<Answered<'r>>,
    ) -> Option<Longest> {
        if self.run.is_stopped() || self.is_broken.load(Ordering::Relaxed) {
            return None;
        }
        let known = lock(&self.cache).answers.get(&request.key).cloned();
        let answered =
            known.map_or_else(|| self.compute(request, longest), |known| Ok((known, None)));
        // The cell may have been cancelled, which is no error of the cell.
        if answered.is_err() && self.run.is_stopped() {
            return None;
        }
        let (answered, full) = answered
            .map_or_else(|problem| (Err(problem), None), |(answered, full)| (Ok(answered), full));
        (self.run.progress)(request.cells.len());
        // The receiver lives until all senders are dropped.
        let _ = sender.send((&request.cells, answered));
        full
    }

    fn compute(
        &self,
        Request { key, until, cells }: &Request,
        longest: Option<&Longest>,
    ) -> Result<(Arc<AnsweredCell>, Option<Longest>), String> {
        let own = self.checkpoints.map(|checkpoints| checkpoints.begin(*key));
        let ledger = own.as_deref().map(|own| own as &dyn CheckpointStore);
        let watch = Monitor { ledger, ..self.run.options.watch };
        let options = Options { watch, ..self.run.options };
        let longest = longest.map(|longest| (longest, *until));
        let (answered, full) = self.study.answer_part(cells[0], longest, &options, self.meta)?;
        if let Some(checkpoints) = self.checkpoints {
            checkpoints.end(*key);
        }
        let answered = Arc::new(answered);
        lock(&self.cache).add(*key, answered.clone());
        Ok((answered, full))
    }
}

struct CellStore<'a, 'b> {
    answerer: &'a Answerer<'a>,
    block: usize,
    part: &'a mut PartFile<'b>,
    pace: &'a mut Pace,
    waiting: Vec<FinishedCell>,
    /// The first cell (0-based) without an answer, and the reason.
    failed: Option<(usize, String)>,
    error: Option<RunError>,
}

impl CellStore<'_, '_> {
    /// Stores all answers until no further answer can come.
    fn store_all(&mut self, answered: &Receiver<Answered>) {
        loop {
            match answered.recv_timeout(self.pace.left()) {
                Ok((cells, Ok(answer))) => {
                    self.waiting.extend(cells.iter().map(|&case| (case, answer.clone())));
                }
                Ok((cells, Err(problem))) => {
                    if self.failed.as_ref().is_none_or(|(case, _)| cells[0] < *case) {
                        self.failed = Some((cells[0], problem));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.store(),
            }
            if self.waiting.len() >= self.answerer.run.keep.0 || self.pace.left().is_zero() {
                self.store();
            }
        }
    }

    /// Stores waiting cells, and the checkpoints of unfinished cells.
    fn store(&mut self) {
        let finished = std::mem::take(&mut self.waiting);
        let mut stored = Ok(());
        if !finished.is_empty() {
            stored = self.part.append(self.answerer.study, self.block, finished);
        }
        let checkpoints = self.answerer.checkpoints;
        let stored = stored.and_then(|()| checkpoints.map_or(Ok(()), Checkpoints::write));
        if let Err(error) = stored {
            self.answerer.is_broken.store(true, Ordering::Relaxed);
            self.error.get_or_insert(error);
        }
        self.pace.restart();
    }
}

/// The intervals at which finished cells are stored: first short, then doubled up to the longest.
struct Pace {
    since: Instant,
    interval: Duration,
    longest: Duration,
}

impl Pace {
    fn new(longest: Duration) -> Pace {
        Pace { since: Instant::now(), interval: longest / SOONER, longest }
    }

    /// Returns the time until the interval ends; zero after its end.
    fn left(&self) -> Duration {
        self.interval.saturating_sub(self.since.elapsed())
    }

    fn restart(&mut self) {
        self.since = Instant::now();
        self.interval = self.longest.min(self.interval * 2);
    }
}

/// A cache of answers by the hash of the request; the oldest answer is evicted first.
#[derive(Default)]
struct AnswerCache {
    answers: HashMap<u128, Arc<AnsweredCell>>,
    order: VecDeque<u128>,
    rows: usize,
}

impl AnswerCache {
    fn add(&mut self, key: u128, answered: Arc<AnsweredCell>) {
        let rows = answered.all_rows();
        if self.answers.insert(key, answered).is_some() {
            return;
        }
        self.rows += rows;
        self.order.push_back(key);
        while self.rows > MOST_ROWS
            && let Some(oldest) = self.order.pop_front().and_then(|key| self.answers.remove(&key))
        {
            self.rows -= oldest.all_rows();
        }
    }
}

/// The number of cells whose forms are filled in together, each shared value once.
const SLICE: usize = 128;

/// A request, with the cells (0-based) that it answers.
struct Request {
    /// The hash of everything that decides the rows.
    key: u128,
    /// The last report point; 0 if unknown.
    until: ReportIndex,
    cells: Vec<usize>,
}

/// Returns distinct requests, grouped if only the last point differs: the longest serves others.
fn distinct_requests(study: &dyn Grid, cells: &[usize]) -> Vec<Vec<Request>> {
    let hashes = cells.par_chunks(SLICE).flat_map_iter(|slice| row_hashes(study, slice));
    let hashes: Vec<RowHash> = hashes.collect();
    type Lengths = BTreeMap<Reverse<ReportIndex>, Vec<usize>>;
    let mut groups: IndexMap<u128, Lengths> = IndexMap::new();
    for (&case, RowHash { on, until }) in cells.iter().zip(hashes) {
        groups.entry(on).or_default().entry(Reverse(until)).or_default().push(case);
    }
    let group = |(on, lengths): (u128, Lengths)| {
        let lengths = lengths.into_iter().map(|(Reverse(until), cells)| (until, cells));
        let key = |until: ReportIndex| on.wrapping_add(until.into());
        lengths.map(|(until, cells)| Request { key: key(until), until, cells }).collect()
    };
    groups.into_iter().map(group).collect()
}

/// Returns per cell a hash of what decides its rows, or of its request, or one of its own.
fn row_hashes(study: &dyn Grid, cells: &[usize]) -> Vec<RowHash> {
    let [first, ..] = *cells else { return Vec::new() };
    let known = study.row_hashes(first..cells[cells.len() - 1] + 1);
    let canonical = |case| study.canonical(case).unwrap_or_else(|_| format!("case {case}"));
    let hash = |&case: &usize| {
        let of_text = || RowHash { on: xxh3_128(canonical(case).as_bytes()), until: 0 };
        known[case - first].unwrap_or_else(of_text)
    };
    cells.iter().map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_cells_are_stored_after_a_quarter_of_a_second() {
        let mut pace = Pace::new(Duration::from_secs(2));
        let intervals = [0; 5].map(|_| {
            pace.restart();
            pace.interval
        });
        assert_eq!(Pace::new(Duration::from_secs(2)).interval, Duration::from_millis(250));
        assert_eq!(intervals.map(|interval| interval.as_millis()), [500, 1000, 2000, 2000, 2000]);
    }
}
