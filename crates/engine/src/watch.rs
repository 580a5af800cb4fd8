//! Who looks on while an engine works: he may stop it, and is told how far it has come.
//!
//! Engines look at the flag with every state and every sequence, and never at a clock. What they
//! find does not depend on who looks on.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::EngineError;

/// How far one pass of an engine has come. An answer may take several, each of which begins at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Sequences played, or states worked through.
    pub done: u64,
    /// Sequences to play; nobody knows how many states there are before all are met.
    pub expected: Option<u64>,
}

/// Sequences or states after which progress is told again.
pub const TOLD_EVERY: u64 = 4096;

/// So many sequences, and the counts by landing of the table they were played on; or of outcomes
/// drawn from the rules, each with its count, and with its place in a sequence of the dice that
/// come last.
pub type Counted = (u64, Vec<u64>, Vec<(u64, u32, Vec<u8>)>);

/// Where long runs keep what they have counted, so that others can go on from there. An answer may
/// take several runs, which come in the same order whenever it is asked.
pub trait Ledger: Sync {
    /// The number of the run that begins, and what was kept of it before.
    fn begin(&self) -> (usize, Option<Counted>);
    /// What a run has counted so far.
    fn keep(&self, run: usize, counted: Counted);
}

/// Who looks on; by default nobody.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Raised from outside to give up: then the engine fails with [`EngineError::Interrupted`].
    pub stop: Option<&'a AtomicBool>,
    /// Asked wherever that flag is looked at, but for single states, of which progress is told:
    /// whoever has no thread to raise it from does so here.
    pub ask: Option<&'a (dyn Fn() + Sync)>,
    /// Told of progress, from any thread, by one at a time.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Keeps what long runs have counted.
    pub ledger: Option<&'a dyn Ledger>,
}

impl Watch<'static> {
    /// Nobody.
    pub const NONE: Watch<'static> = Watch { stop: None, ask: None, progress: None, ledger: None };
}

impl<'a> Watch<'a> {
    /// Somebody who may raise a flag, and wants to be told nothing.
    pub const fn stopped_by(stop: &'a AtomicBool) -> Watch<'a> {
        Watch { stop: Some(stop), ..Watch::NONE }
    }

    /// Fails once the flag is raised.
    #[inline]
    pub fn look(&self) -> Result<(), EngineError> {
        if let Some(ask) = self.ask {
            ask();
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

    /// Another state is begun, after `done` others.
    #[inline]
    pub(super) fn state(&self, done: usize) -> Result<(), EngineError> {
        self.flag()?;
        if let Some(tell) = self.progress {
            tell_of_state(tell, done as u64);
        }
        Ok(())
    }
}

/// Apart, so that the loops of engines stay small.
#[cold]
fn tell_of_state(tell: &(dyn Fn(Progress) + Sync), done: u64) {
    if done.is_multiple_of(TOLD_EVERY) {
        tell(Progress { done, expected: None });
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("stop", &self.stop)
            .field("progress", &self.progress.map(|_| "told"))
            .finish()
    }
}

/// The sequences of a run, counted over all threads.
pub(super) struct Sequences<'a> {
    watch: Watch<'a>,
    expected: u64,
    played: AtomicU64,
    telling: Mutex<()>,
}

impl<'a> Sequences<'a> {
    pub fn of(watch: Watch<'a>, expected: u64) -> Sequences<'a> {
        Sequences { watch, expected, played: AtomicU64::new(0), telling: Mutex::new(()) }
    }

    /// Fails once the flag is raised.
    #[inline]
    pub fn look(&self) -> Result<(), EngineError> {
        self.watch.look()
    }

    /// So many more have been played.
    #[inline]
    pub fn add(&self, more: u64) -> Result<(), EngineError> {
        if let Some(tell) = self.watch.progress {
            self.tell(tell, more);
        }
        self.look()
    }

    #[cold]
    fn tell(&self, tell: &(dyn Fn(Progress) + Sync), more: u64) {
        let before = self.played.fetch_add(more, Ordering::Relaxed);
        if before / TOLD_EVERY != (before + more) / TOLD_EVERY || before + more == self.expected {
            // One thread at a time, so that the number told never falls.
            let _turn = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
            tell(Progress {
                done: self.played.load(Ordering::Relaxed),
                expected: Some(self.expected),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One who is asked, and raises the flag then, ends whoever looks, before the next sequence.
    #[test]
    fn who_is_asked_may_raise_the_flag() {
        let flag = AtomicBool::new(false);
        let ask = || flag.store(true, Ordering::Relaxed);
        let watch = Watch { ask: Some(&ask), ..Watch::stopped_by(&flag) };
        assert_eq!(watch.state(0), Ok(()), "single states do not ask");
        assert_eq!(watch.look(), Err(EngineError::Interrupted));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(Sequences::of(watch, 2).add(1), Err(EngineError::Interrupted));
    }
}
