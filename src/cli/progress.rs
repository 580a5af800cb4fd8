//! A bar for whatever takes its time, on a terminal only; it says which engine is at work.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::watch::{Progress, Watch};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Does some work, and shows how far it is.
pub fn shown<R>(work: impl FnOnce(Watch) -> R) -> R {
    if !std::io::stderr().is_terminal() {
        return work(super::watch());
    }
    let (started, bar) = (Instant::now(), Mutex::new(None));
    let was_exact = AtomicBool::new(false);
    let progress = |progress: Progress| {
        let is_exact = progress.expected.is_none();
        let was_exact = was_exact.fetch_or(is_exact, Ordering::Relaxed);
        if started.elapsed() < PATIENCE {
            return;
        }
        // Whoever shows it already is enough.
        let Ok(mut bar) = bar.try_lock() else { return };
        let bar: &mut ProgressBar = bar.get_or_insert_with(|| ProgressBar::new(progress.expected.unwrap_or(1)));
        let (style, engine) = match (is_exact, was_exact) {
            (true, _) => ("{msg}, {pos} states", "exact"),
            (false, true) => ("{bar:40} {percent} % of {len} sequences, {eta} left ({msg})", "too big to be exact: Monte Carlo"),
            (false, false) => ("{bar:40} {percent} % of {len} sequences, {eta} left ({msg})", "Monte Carlo"),
        };
        if bar.message() != engine {
            bar.set_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()));
            bar.set_message(engine);
            bar.reset_eta();
        }
        progress.expected.into_iter().for_each(|expected| bar.set_length(expected));
        bar.set_position(progress.done);
    };
    let done = work(Watch { progress: Some(&progress), ..super::watch() });
    if let Ok(Some(bar)) = bar.into_inner() {
        bar.finish_and_clear();
    }
    done
}
