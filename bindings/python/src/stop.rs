//! Ctrl-C during a computation: the interpreter is polled for signals.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lowcrawl_engine::monitor::{Monitor, Progress};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Shortest time between two polls of the interpreter.
pub const PAUSE: Duration = Duration::from_millis(50);
/// Number of engine callbacks (about one each microsecond) between two looks at the clock.
const CALLS_PER_POLL: u32 = 64;

/// The cancellation flag of a computation, with the exception that the interpreter raised.
#[derive(Default)]
pub struct Stop {
    flag: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Stop {
    /// Runs `work` on this thread, and polls the interpreter from the callbacks of its monitor.
    pub fn watched<R>(&self, work: impl FnOnce(Monitor) -> R) -> R {
        let (start, last_poll, calls) = (Instant::now(), AtomicU64::new(0), AtomicU32::new(0));
        let poll = || {
            let now = start.elapsed().as_millis() as u64;
            if now >= last_poll.load(Ordering::Relaxed) + PAUSE.as_millis() as u64 {
                last_poll.store(now, Ordering::Relaxed);
                self.poll();
            }
        };
        let poll_sometimes = || {
            if calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(CALLS_PER_POLL) {
                poll();
            }
        };
        let (poll_callback, progress) = (Some(&poll_sometimes as _), |_: Progress| poll());
        work(Monitor { poll: poll_callback, progress: Some(&progress), ..self.watch() })
    }

    /// Polls the interpreter for signals. Only Python's main thread receives Ctrl-C.
    pub fn poll(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.exception.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    /// Returns a monitor for other threads that work on the same computation.
    pub fn watch(&self) -> Monitor<'_> {
        Monitor::stopped_by(&self.flag)
    }

    pub fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Returns the exception that the interpreter raised, or a KeyboardInterrupt without one.
    pub fn raised(&self, _: Python) -> PyErr {
        let exception = self.exception.lock().unwrap_or_else(PoisonError::into_inner).take();
        exception.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}
