//! The progress of long work and its engine: a bar on a terminal, otherwise a line per minute.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::stop::watch;
use answer::Options;
use api::{Answer, Refused, Request};
use engine::monitor::{Monitor, Progress};

/// The time before any progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);
const MINUTE: Duration = Duration::from_secs(60);

/// Answers a request, and shows the progress of the engine.
pub fn ask(request: Request, command: String, options: &Options) -> Result<Answer, Refused> {
    let (sign, was_exact) = (Sign::of_life(), AtomicBool::new(false));
    let progress = |progress: Progress| {
        let is_exact = progress.expected.is_none();
        let was_exact = was_exact.fetch_or(is_exact, Ordering::Relaxed);
        let engine = match (is_exact, was_exact) {
            (true, _) => "exact",
            (false, true) => "too big to be exact: Monte Carlo",
            (false, false) => "Monte Carlo",
        };
        sign.update(engine, progress, if is_exact { "states" } else { "sequences" });
    };
    let watch = Monitor { progress: Some(&progress), ..watch() };
    let answer = api::ask(request, command, &Options { watch, ..*options });
    sign.finish();
    answer
}

/// A progress display of long work on standard error.
pub struct Sign {
    started: Instant,
    /// The bar, created on first use; `None` if standard error is no terminal.
    bar: Option<Mutex<Option<ProgressBar>>>,
    done: AtomicU64,
    /// The number of minutes for which a line of progress has been written.
    lines: Mutex<u32>,
}

impl Sign {
    /// Starts the display for work that begins now.
    pub fn of_life() -> Sign {
        let bar = std::io::stderr().is_terminal().then(|| Mutex::new(None));
        Sign { started: Instant::now(), bar, done: AtomicU64::new(0), lines: Mutex::new(0) }
    }

    /// Counts further finished parts of `all`, and shows the progress of the work.
    pub fn add(&self, parts: usize, all: usize, work: &str, of: &str) {
        let done = self.done.fetch_add(parts as u64, Ordering::Relaxed) + parts as u64;
        self.update(work, Progress { done, expected: Some(all as u64) }, of);
    }

    /// Shows the current progress; `of` is the unit of the counted work, such as `states`.
    fn update(&self, engine: &str, progress: Progress, of: &str) {
        let elapsed = self.started.elapsed();
        match &self.bar {
            _ if elapsed < PATIENCE => {}
            Some(bar) => self.show(bar, engine, progress, of),
            None => {
                // If the lock is taken, another thread is showing the progress.
                let Ok(mut lines) = self.lines.try_lock() else { return };
                if let Some(line) = line(&mut lines, elapsed, engine, progress, of) {
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
        }
    }

    fn show(&self, bar: &Mutex<Option<ProgressBar>>, engine: &str, progress: Progress, of: &str) {
        let Ok(mut bar) = bar.try_lock() else { return };
        let bar: &mut ProgressBar =
            bar.get_or_insert_with(|| ProgressBar::new(progress.expected.unwrap_or(1)));
        if bar.message() != engine {
            let style = match progress.expected.is_some() {
                true => format!("{{bar:40}} {{percent}} % of {{len}} {of}, {{eta}} left ({{msg}})"),
                false => format!("{{msg}}, {{pos}} {of}"),
            };
            let style = ProgressStyle::with_template(&style);
            bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
            bar.set_message(engine.to_string());
            bar.reset_eta();
        }
        progress.expected.into_iter().for_each(|expected| bar.set_length(expected));
        bar.set_position(progress.done);
    }

    pub fn finish(&self) {
        if let Some(bar) = self.bar.as_ref().and_then(|bar| bar.lock().ok()?.take()) {
            bar.finish_and_clear();
        }
    }
}

/// Returns the line of progress for this minute; `None` if it was returned already.
fn line(
    reported: &mut u32,
    elapsed: Duration,
    engine: &str,
    Progress { done, expected }: Progress,
    of: &str,
) -> Option<String> {
    if elapsed < MINUTE * (*reported + 1) {
        return None;
    }
    let minutes = elapsed.as_secs() / MINUTE.as_secs();
    *reported = minutes as u32;
    let far = match expected {
        None => format!("{done} {of}"),
        Some(expected) => format!("{} % of {expected} {of}", 100 * done / expected.max(1)),
    };
    Some(format!("{minutes} min: {engine}, {far}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_prints_at_most_a_line_a_minute() {
        let mut last_minute = 0;
        let mut at = |seconds, done, expected| {
            line(
                &mut last_minute,
                Duration::from_secs(seconds),
                "Monte Carlo",
                Progress { done, expected },
                "sequences",
            )
        };
        assert_eq!(at(59, 10, Some(40)), None);
        assert_eq!(
            at(61, 10, Some(40)).as_deref(),
            Some("1 min: Monte Carlo, 25 % of 40 sequences")
        );
        assert_eq!(at(119, 20, Some(40)), None);
        assert_eq!(at(245, 30, None).as_deref(), Some("4 min: Monte Carlo, 30 sequences"));
        assert_eq!(at(299, 30, None), None);
        assert!(at(300, 30, None).is_some());
    }
}
