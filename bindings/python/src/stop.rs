//! Ctrl-C while an engine is at work: the interpreter is asked now and then whether it was pressed.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lowcrawl_engine::watch::{Progress, Watch};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// How often the interpreter is asked.
pub const PAUSE: Duration = Duration::from_millis(50);
/// How often engines look for a stop before a clock is looked at: they do so every microsecond.
const LOOKS: u32 = 64;

/// Whether some work is to end, and what the interpreter said then.
#[derive(Default)]
pub struct Stop {
    flag: AtomicBool,
    said: Mutex<Option<PyErr>>,
}

impl Stop {
    /// Does some work on this thread, which is interrupted now and then to ask the interpreter.
    pub fn watched<R>(&self, work: impl FnOnce(Watch) -> R) -> R {
        let (begun, asked, looked) = (Instant::now(), AtomicU64::new(0), AtomicU32::new(0));
        let ask = || {
            let now = begun.elapsed().as_millis() as u64;
            if now >= asked.load(Ordering::Relaxed) + PAUSE.as_millis() as u64 {
                asked.store(now, Ordering::Relaxed);
                self.ask();
            }
        };
        let looks = || {
            if looked.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOKS) {
                ask();
            }
        };
        let (ask, progress) = (Some(&looks as _), |_: Progress| ask());
        work(Watch { ask, progress: Some(&progress), ..self.watch() })
    }

    /// Asks the interpreter: only its main thread hears of Ctrl-C.
    pub fn ask(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    /// For those who work meanwhile.
    pub fn watch(&self) -> Watch<'_> {
        Watch::stopped_by(&self.flag)
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
