//! Limits of the machine: refused threads or memory, and environment variables that set threads.

use std::io::{self, ErrorKind, Write as _};
use std::sync::{Mutex, PoisonError};
use std::{panic, process};

use super::fault::{Failure, Result};
use super::run::{MOST_THREADS, number};
use crate::study::disk::os_code;
use render::layout::wrapped_report;

const VARIABLES: [&str; 3] = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "POLARS_MAX_THREADS"];

/// Fails if an environment variable sets a number of threads beyond 1 to [`MOST_THREADS`].
pub fn check_threads() -> Result<()> {
    for name in VARIABLES {
        let text = std::env::var_os(name).unwrap_or_default();
        if !text.is_empty() {
            number(name, &text.to_string_lossy(), 1, MOST_THREADS)?;
        }
    }
    Ok(())
}

/// The address space in bytes that is reserved for the report of a refusal.
const RESERVE: usize = 1 << 20;

/// Ends the process with advice if a library panics because the machine refuses a thread or memory.
/// Unwinding and the report need memory, so the hook releases a reserve and does not return.
pub fn report_refusals() {
    let previous = panic::take_hook();
    let mut reserve = Mutex::new(Vec::<u8>::new());
    // Without a reserve there is nothing to release.
    let _ = reserve.get_mut().map(|reserve| reserve.try_reserve_exact(RESERVE));
    panic::set_hook(Box::new(move |panic| {
        // Another panicking thread waits at this lock while the first one ends the process.
        let mut kept = reserve.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Vec::new();
        if !panic.payload_as_str().is_some_and(is_refusal) {
            return previous(panic);
        }
        let words = "the operating system refused memory or a thread: raise its limits (`ulimit \
            -v`, `ulimit -u`), or use JSON instead of CSV, Parquet and studies";
        let failure = Failure::io("lowcrawl", io::Error::other(words));
        // If standard error is closed or full, nothing can be reported.
        let _ = write!(io::stderr(), "{}", wrapped_report(&failure.report()));
        process::exit(failure.exit_code().into());
    }));
}

/// Returns whether a panic message has the kind or the number of a refused thread or memory.
fn is_refusal(message: &str) -> bool {
    let kind = os_code(message).map(|code| io::Error::from_raw_os_error(code).kind());
    matches!(kind, Some(ErrorKind::WouldBlock | ErrorKind::OutOfMemory))
        || ["kind: WouldBlock", "kind: OutOfMemory"].iter().any(|kind| message.contains(kind))
}

#[cfg(test)]
mod tests {
    use super::is_refusal;

    #[test]
    fn only_thread_and_memory_errors_are_refusals() {
        for (message, refused) in [
            ("failed to spawn thread: Os { code: 11, kind: WouldBlock, message: \"..\" }", true),
            (
                "no pool: ThreadPoolBuildError { kind: IOError(Os { code: 12, kind: OutOfMemory })",
                true,
            ),
            ("index out of bounds: the len is 3 but the index is 3", false),
            ("called `Result::unwrap()`: No such file or directory (os error 2)", false),
        ] {
            assert_eq!(is_refusal(message), refused, "{message}");
        }
        #[cfg(target_os = "linux")]
        assert!(is_refusal("OS can't spawn worker thread: try again (os error 11)"));
    }
}
