//! Monitoring of a running engine: cancellation, progress and checkpoints.
//!
//! Engines check for cancellation with every state and every sequence, and never read a clock.
//! Results do not depend on the monitor.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::EngineError;

/// The progress of one pass of an engine. A question may need several passes, each starting at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of sequences played, or of states processed.
    pub done: u64,
    /// The number of sequences to play; `None` for states, whose total is unknown.
    pub expected: Option<u64>,
}

/// The number of sequences or states between two reports of progress.
pub const REPORT_EVERY: u64 = 4096;

/// A checkpoint of a Monte Carlo run: its counts so far, in one of two forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of sequences played.
    pub sequences: u64,
    /// The count of each landing (list of outcomes noted by one roll) of a table; else empty.
    pub by_landing: Vec<u64>,
    /// The outcomes of a run without a full table; else empty.
    pub drawn: Vec<DrawnOutcome>,
}

/// The count of an outcome, with a sequence that notes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnOutcome {
    pub count: u64,
    /// The 0-based index of the outcome among those that the sequence notes.
    pub place: u32,
    /// The codes (rolls numbered from 0) of the sequence.
    pub codes: Vec<u8>,
}

/// A store of checkpoints to resume from. A question always has its runs in the same order.
pub trait CheckpointStore: Sync {
    /// Starts a run. Returns its number, and its checkpoint if there is one.
    fn begin(&self) -> (usize, Option<Checkpoint>);
    /// Stores the counts of a run so far.
    fn keep(&self, run: usize, counted: Checkpoint);
}

/// Callbacks to observe and cancel a running engine. The default observes nothing.
#[derive(Clone, Copy, Default)]
pub struct Monitor<'a> {
    /// A flag that cancels the engine, which then fails with [`EngineError::Interrupted`].
    pub stop: Option<&'a AtomicBool>,
    /// A callback that may raise the flag `stop`, for callers without a second thread. It runs
    /// before each check of the flag except at single states, which call `progress` instead.
    pub poll: Option<&'a (dyn Fn() + Sync)>,
    /// A callback for progress, called from any thread but never by two at once.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// The store of checkpoints; `None` if the run keeps none.
    pub ledger: Option<&'a dyn CheckpointStore>,
}

impl Monitor<'static> {
    /// The monitor that observes nothing.
    pub const NONE: Monitor<'static> =
        Monitor { stop: None, poll: None, progress: None, ledger: None };
}

impl<'a> Monitor<'a> {
    /// Creates a monitor that only watches a cancellation flag.
    pub const fn stopped_by(stop: &'a AtomicBool) -> Monitor<'a> {
        Monitor { stop: Some(stop), ..Monitor::NONE }
    }

    /// Calls `poll`, then checks for cancellation.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::Interrupted`] once the flag is raised.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_engine::EngineError;
    /// use lowcrawl_engine::monitor::Monitor;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let flag = AtomicBool::new(true);
    /// assert_eq!(Monitor::stopped_by(&flag).check_cancelled(), Err(EngineError::Interrupted));
    /// ```
    #[inline]
    pub fn check_cancelled(&self) -> Result<(), EngineError> {
        if let Some(poll) = self.poll {
            poll();
        }
        self.flag()
    }

    #[inline]
    fn flag(&self) -> Result<(), EngineError> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(EngineError::Interrupted),
            _ => Ok(()),
        }
    }

    #[inline]
    pub(super) fn state(&self, done: usize) -> Result<(), EngineError> {
        self.states(done, 1)
    }

    #[inline]
    pub(super) fn states(&self, done: usize, more: usize) -> Result<(), EngineError> {
        self.flag()?;
        if let Some(report_progress) = self.progress {
            report_states(report_progress, done as u64, more as u64);
        }
        Ok(())
    }
}

/// Reports the progress of states. Not inlined, to keep the loops of engines small.
#[cold]
fn report_states(report_progress: &(dyn Fn(Progress) + Sync), done: u64, more: u64) {
    if done.next_multiple_of(REPORT_EVERY) < done + more {
        report_progress(Progress { done, expected: None });
    }
}

impl fmt::Debug for Monitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor").field("stop", &self.stop).finish_non_exhaustive()
    }
}

pub(super) struct Sequences<'a> {
    watch: Monitor<'a>,
    expected: u64,
    played: AtomicU64,
    reporting: Mutex<()>,
}

impl<'a> Sequences<'a> {
    pub fn new(watch: Monitor<'a>, expected: u64) -> Sequences<'a> {
        Sequences { watch, expected, played: AtomicU64::new(0), reporting: Mutex::new(()) }
    }

    #[inline]
    pub fn add(&self, more: u64) -> Result<(), EngineError> {
        if let Some(report_progress) = self.watch.progress {
            self.report(report_progress, more);
        }
        self.watch.check_cancelled()
    }

    #[cold]
    fn report(&self, report_progress: &(dyn Fn(Progress) + Sync), more: u64) {
        let before = self.played.fetch_add(more, Ordering::Relaxed);
        if before / REPORT_EVERY != (before + more) / REPORT_EVERY || before + more == self.expected
        {
            // The lock admits one thread at a time, so that the reported number never falls.
            let _turn = self.reporting.lock().unwrap_or_else(PoisonError::into_inner);
            report_progress(Progress {
                done: self.played.load(Ordering::Relaxed),
                expected: Some(self.expected),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_callback_may_cancel_the_run() {
        let flag = AtomicBool::new(false);
        let poll = || flag.store(true, Ordering::Relaxed);
        let watch = Monitor { poll: Some(&poll), ..Monitor::stopped_by(&flag) };
        assert_eq!(watch.state(0), Ok(()), "single states do not ask");
        assert_eq!(watch.check_cancelled(), Err(EngineError::Interrupted));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(Sequences::new(watch, 2).add(1), Err(EngineError::Interrupted));
    }
}
