//! Monte Carlo: seeded sequences on all cores.
//!
//! A small process is compiled to a full transition table, its [`Automaton`]; any other uses a
//! table filled as needed, and its rules beyond. Both take the same dice in the same order, so the
//! counts are equal (a test proves it). Integer counts do not depend on the threads.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Mutex, PoisonError};

use super::automaton::{Automaton, MAX_ROWS, Table};
use super::histogram::{Histogram, Observation};
use super::lazy::{Lane, LazyTable};
use super::monitor::{Checkpoint, DrawnOutcome, Monitor, Sequences};
use super::pool::ObjectPool;
use super::samples;
use super::walk::Walk;
use super::{EngineError, settle};
use crate::dice::stream::{CHUNK, DiceLane, LANES, lane_quota};
use crate::dice::{Dice, Face};
use crate::process::{Process, ReportIndex, Silent};

/// The plan of a Monte Carlo run: the number of sequences, the seed, the threads.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The number of sequences to play.
    pub trials: u64,
    pub seed: u64,
    /// The number of threads; `None` means one per core. It does not affect any count.
    pub threads: Option<usize>,
    /// The monitor. Its progress counts sequences played.
    pub watch: Monitor<'a>,
}

impl Plan<'static> {
    /// Plans `trials` sequences from `seed` on all cores.
    pub fn new(trials: u64, seed: u64) -> Self {
        Plan { trials, seed, threads: None, watch: Monitor::NONE }
    }
}

impl Plan<'_> {
    pub(super) fn chunks(&self) -> u64 {
        self.trials.div_ceil(CHUNK)
    }

    pub(super) fn sequences_of(&self, chunk: u64) -> u64 {
        CHUNK.min(self.trials - chunk * CHUNK)
    }
}

/// The number of chunks between checkpoints over a full table: 17 million sequences, a second.
const KEPT_EVERY: u64 = 256;

/// The number of chunks between checkpoints by the rules: a million sequences, some seconds.
const KEPT_EVERY_SIMULATED: u64 = 16;

/// The largest number of rows of all lazy tables together: mostly some hundred megabytes.
const MOST_ROWS: usize = 1 << 18;

/// The number of sequences from which on a lazy table saves time.
const WORTH_A_TABLE: u64 = 1 << 13;

/// The smallest row limit of one lazy table, even with many threads.
const LEAST_ROWS: usize = 1 << 14;

/// The outcome counts of one Monte Carlo run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCounts<O> {
    /// The number of sequences that noted each outcome, in order of report and outcome.
    pub counts: Vec<(ReportIndex, O, u64)>,
    pub trials: u64,
}

/// A process prepared for Monte Carlo.
#[derive(Debug)]
pub enum Simulator<'a, P: Process> {
    /// A full transition table.
    Table(Automaton<P::Outcome>),
    /// The rules of a process whose table would have too many rows.
    Rules(&'a P),
}

impl<'a, P: Process> Simulator<'a, P> {
    /// Compiles `process` to a table of at most [`MAX_ROWS`] rows, or falls back to its rules. The
    /// progress of the monitor counts rows.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::OpenChoice`] if the process leaves a choice open, and with
    /// [`EngineError::Interrupted`] when it is cancelled.
    pub fn new(process: &'a P, watch: Monitor) -> Result<Self, EngineError> {
        Ok(match Automaton::explore(process, MAX_ROWS, watch)? {
            Some(table) => Simulator::Table(table),
            None => Simulator::Rules(process),
        })
    }

    /// Plays the sequences of `plan`.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::OpenChoice`] at a choice, with [`EngineError::TooManyOutcomes`]
    /// beyond the bound on outcomes, and with [`EngineError::Interrupted`] when it is cancelled.
    pub fn run(&self, plan: &Plan) -> Result<RunCounts<P::Outcome>, EngineError> {
        let played = Sequences::new(plan.watch, plan.trials);
        let counts = match self {
            Simulator::Table(automaton) => {
                let mut counts = automaton.counts(&walked(&automaton.table, plan, &played)?);
                counts.retain(|&(_, _, count)| count > 0);
                counts
            }
            Simulator::Rules(process) => {
                let tally = simulate(*process, plan, &played)?;
                let count = |((point, outcome), drawn): Observation<_, DrawnOutcome>| {
                    (point, outcome, drawn.count)
                };
                tally.into_iter().map(count).collect()
            }
        };
        Ok(RunCounts { counts, trials: plan.trials })
    }
}

fn walked(table: &Table, plan: &Plan, played: &Sequences) -> Result<Checkpoint, EngineError> {
    let walk = Walk::new(table, plan.watch)?;
    let ledger = plan.watch.ledger;
    let (run, before) = ledger.map_or((0, None), |ledger| ledger.begin());
    let mut tally = table.counted_before(before);
    played.add(tally.sequences)?;
    while tally.sequences < plan.trials {
        let first = tally.sequences / CHUNK;
        let every = if ledger.is_some() { KEPT_EVERY } else { u64::MAX };
        let more = over_jobs(
            plan,
            (plan.chunks() - first).min(every),
            || table.empty_tally(),
            |tally, job| {
                let sequences = plan.sequences_of(first + job);
                walk.play_chunk(plan.seed, first + job, sequences, tally, plan.watch)?;
                played.add(sequences)
            },
            |a, b| Ok(a.merged(&b)),
        )?;
        tally = tally.merged(&more);
        if let Some(ledger) = ledger.filter(|_| tally.sequences < plan.trials) {
            ledger.keep(run, tally.clone());
        }
    }
    Ok(tally)
}

/// Plays the sequences of `plan` over one lazy table for each thread, with regular checkpoints.
fn simulate<P: Process>(
    process: &P,
    plan: &Plan,
    played: &Sequences,
) -> Result<Vec<Observation<P::Outcome, DrawnOutcome>>, EngineError> {
    let ledger = plan.watch.ledger;
    let (run, before) = ledger.map_or((0, None), |ledger| ledger.begin());
    let most = match plan.trials >= WORTH_A_TABLE {
        true => (MOST_ROWS / threads_of(plan)).max(LEAST_ROWS),
        false => 0,
    };
    let tables = ObjectPool::default();
    let (mut sequences, mut tally) = samples::counted_before(process, before, plan.watch)
        .unwrap_or_else(|| (0, Histogram::watched(plan.watch)));
    played.add(sequences)?;
    while sequences < plan.trials {
        let first = sequences / CHUNK;
        let every = if ledger.is_some() { KEPT_EVERY_SIMULATED } else { u64::MAX };
        let chunks = (plan.chunks() - first).min(every);
        let mut more = over_jobs(
            plan,
            chunks,
            || Histogram::watched(plan.watch),
            |tally, job| {
                let chunk = first + job;
                let known = tables.take().map(Ok);
                let mut table =
                    known.unwrap_or_else(|| LazyTable::new(process, most, ledger.is_some()))?;
                let lanes: [Lane; LANES] = std::array::from_fn(|lane| {
                    let dice = DiceLane::new(P::BASE, plan.seed, chunk, lane);
                    Lane::new(dice, lane_quota(plan.sequences_of(chunk), lane))
                });
                table.play(lanes, tally, |tally| {
                    tally.check()?;
                    played.add(1)
                })?;
                tables.give_back(table);
                Ok(())
            },
            Histogram::merged,
        )?;
        tables.each(|table| table.count(&mut more))?;
        tally = tally.merged(more)?;
        sequences = plan.trials.min((first + chunks) * CHUNK);
        if let Some(ledger) = ledger.filter(|_| sequences < plan.trials) {
            ledger.keep(run, samples::counted(sequences, &tally));
        }
    }
    tally.sorted()
}

/// Plays one sequence by the rules. `roll` gets the state that waits for its dice.
pub(super) fn play<P: Process>(
    process: &P,
    mut state: P::State,
    mut roll: impl FnMut(&P::State, Dice) -> Face,
    mut note: impl FnMut(ReportIndex, P::Outcome),
) -> Result<(), EngineError> {
    while let Some((due, terms)) = settle(process, &mut state, &mut note)? {
        let reading = process.read(&terms, roll(&state, due));
        process.apply(&mut state, reading, &mut Silent);
    }
    Ok(())
}

/// Returns the total numbers of rolls and of reports in `sequences` sequences, with dice of their
/// own. Successive outcomes at one report count once.
///
/// # Errors
///
/// Fails with [`EngineError::OpenChoice`] if the process leaves a choice open.
pub fn length<P: Process>(
    process: &P,
    sequences: u64,
    seed: u64,
) -> Result<(u64, u64), EngineError> {
    let (mut rolls, mut reports) = (0, 0);
    let mut dice = DiceLane::new(P::BASE, !seed, 0, 0);
    let start = process.start(&mut Silent);
    for _ in 0..sequences {
        let mut last = None;
        let roll = |_: &P::State, due| {
            rolls += 1;
            dice.roll(due)
        };
        play(process, start.clone(), roll, |point, _| {
            reports += u64::from(last != Some(point));
            last = Some(point);
        })?;
    }
    Ok((rolls, reports))
}

/// Returns the dice of the 0-based `sequence` under `seed`. Plays the sequences before it first.
///
/// # Errors
///
/// Fails with [`EngineError::OpenChoice`] at a choice, and with [`EngineError::Interrupted`] when
/// it is cancelled.
pub fn dice_of_sequence<P: Process>(
    process: &P,
    seed: u64,
    sequence: u64,
    watch: Monitor,
) -> Result<DiceLane, EngineError> {
    let (chunk, place) = (sequence / CHUNK, sequence % CHUNK);
    let mut dice = DiceLane::new(P::BASE, seed, chunk, (place % LANES as u64) as usize);
    let start = process.start(&mut Silent);
    for _ in 0..place / LANES as u64 {
        watch.check_cancelled()?;
        play(process, start.clone(), |_, due| dice.roll(due), |_, _| ())?;
    }
    Ok(dice)
}

/// Runs `play(tally, job)` for the 0-based `jobs` on all threads of the plan, and merges tallies.
pub(super) fn over_jobs<T: Send>(
    plan: &Plan,
    jobs: u64,
    empty: impl Fn() -> T + Sync + Send,
    play: impl Fn(&mut T, u64) -> Result<(), EngineError> + Sync + Send,
    merge: impl Fn(T, T) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let tallies = ObjectPool::default();
    let failure = Mutex::new(None);
    share_out(plan.threads, jobs, &|job| {
        let mut tally = tallies.take().unwrap_or_else(&empty);
        match plan.watch.check_cancelled().and_then(|()| play(&mut tally, job)) {
            Ok(()) => {
                tallies.give_back(tally);
                Continue(())
            }
            Err(error) => {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Break(())
            }
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => tallies.into_objects().into_iter().try_fold(empty(), merge),
    }
}

/// Applies `answer` to each item, on all cores if the feature `parallel` is on. Keeps the order.
///
/// # Errors
///
/// Fails with an error of `answer`; with several threads not always the first one.
pub fn each<T: Sync, R: Send, E: Send>(
    items: &[T],
    answer: impl Fn(&T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    let answers = Mutex::new(items.iter().map(|_| None).collect::<Vec<_>>());
    share_out(None, items.len() as u64, &|place| {
        let place = place as usize;
        let answer = answer(&items[place]);
        let next = if answer.is_ok() { Continue(()) } else { Break(()) };
        answers.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(answer);
        next
    });
    // Only after an error are there items without an answer.
    answers.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// Does the 0-based `jobs` on so many threads (`None`: one per core) until one breaks. They are
/// called indirectly, because Rayon's code would be compiled again for every type of job.
#[cfg_attr(not(feature = "parallel"), expect(unused_variables))]
fn share_out(threads: Option<usize>, jobs: u64, job: &(dyn Fn(u64) -> ControlFlow<()> + Sync)) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let jobs = (0..jobs as usize).into_par_iter().with_max_len(1);
        let run = || jobs.try_for_each(|place| job(place as u64));
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let done = match threads {
            None => threads::has_several().then(run),
            Some(several @ 2..) => pool(several).map(|pool| pool.install(run)),
            Some(_) => None,
        };
        if done.is_some() {
            return;
        }
    }
    let _ = (0..jobs).try_for_each(job);
}

/// Access to the threads of the machine.
#[cfg(feature = "parallel")]
pub mod threads {
    use std::error::Error as _;
    use std::sync::LazyLock;

    /// Returns whether the current pool (else the global one, which it builds) has a second thread.
    pub fn has_several() -> bool {
        if rayon::current_thread_index().is_some() {
            return rayon::current_num_threads() > 1;
        }
        static SEVERAL: LazyLock<bool> = LazyLock::new(|| {
            // An error without a source means that other code has built the global pool already.
            rayon::ThreadPoolBuilder::new()
                .build_global()
                .map_or_else(|error| error.source().is_none(), |()| true)
        });
        *SEVERAL
    }

    /// Runs `work` on so many threads (`None`: the global pool), or on the current one if alone.
    pub fn shared_out<R: Send>(threads: Option<usize>, work: impl FnOnce() -> R + Send) -> R {
        let builder = rayon::ThreadPoolBuilder::new();
        let pool = match threads {
            None if has_several() => return work(),
            None => None,
            Some(threads) => builder.num_threads(threads).build().ok(),
        };
        let alone =
            || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
        match pool.or_else(alone) {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn installed_thread_pool_is_used() {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let observed =
                    pool.install(|| (has_several(), shared_out(None, rayon::current_num_threads)));
                assert_eq!(observed, (threads > 1, threads));
            }
            assert_eq!(shared_out(Some(2), rayon::current_num_threads), 2);
        }
    }
}

fn threads_of(plan: &Plan) -> usize {
    #[cfg(feature = "parallel")]
    let all = if threads::has_several() { rayon::current_num_threads() } else { 1 };
    #[cfg(not(feature = "parallel"))]
    let all = 1;
    plan.threads.unwrap_or(all).max(1)
}
