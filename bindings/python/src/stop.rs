//! Ctrl-C while an engine is at work: the interpreter is asked now and then whether it was pressed.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lowcrawl_engine::watch::{Progress, Watch};
use lowcrawl_system::answer::Options;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// How often the interpreter is asked.
pub const PAUSE: Duration = Duration::from_millis(50);

/// Whether some work is to end, and what the interpreter said then.
#[derive(Default)]
pub struct Stop {
    flag: AtomicBool,
    said: Mutex<Option<PyErr>>,
}

impl Stop {
    /// Does some work on this thread, which engines interrupt now and then to ask the interpreter.
    pub fn watched<R>(&self, work: impl FnOnce(&Options) -> R) -> R {
        let (begun, asked) = (Instant::now(), AtomicU64::new(0));
        let progress = |_: Progress| {
            let now = begun.elapsed().as_millis() as u64;
            if now >= asked.load(Ordering::Relaxed) + PAUSE.as_millis() as u64 {
                asked.store(now, Ordering::Relaxed);
                self.ask();
            }
        };
        let watch = Watch { progress: Some(&progress), ..Watch::stopped_by(&self.flag) };
        work(&Options { watch, ..Options::default() })
    }

    /// Asks the interpreter: only its main thread hears of Ctrl-C.
    pub fn ask(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    /// For those who work meanwhile.
    pub fn options(&self) -> Options<'_> {
        Options { watch: Watch::stopped_by(&self.flag), ..Options::default() }
    }

    pub fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// What the interpreter said.
    pub fn raised(&self, _: Python) -> PyErr {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).take();
        said.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}
