//! Signals: Ctrl-C, `kill` and a closed terminal end every command alike. The exit code is 128 plus
//! the number of the signal.
//!
//! The first signal raises a flag, which engines check, and the command ends by itself. A command
//! that has not ended after `GRACE` is not checking the flag; it may wait for a pipe, or lay out a
//! long table. It is then ended from here, unless it holds a [`Hold`] because its files are
//! half-written. A second signal ends the process at once.

use std::io::Write as _;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use engine::monitor::Monitor;

/// Raised by the first signal.
static STOP: AtomicBool = AtomicBool::new(false);
/// The number of the last signal.
static SIGNAL: AtomicUsize = AtomicUsize::new(0);
/// Raised when the whole output is on the disk.
static DONE: AtomicBool = AtomicBool::new(false);
/// The owner of the right to end the process: none yet, the command, or the signal thread.
static OWNER: AtomicU8 = AtomicU8::new(NOBODY);

const NOBODY: u8 = 0;
const COMMAND: u8 = 1;
const MINDER: u8 = 2;

/// The time that a command has to end by itself.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(50);
/// The time between two attempts to end the process or to take a [`Hold`].
const PAUSE: Duration = Duration::from_millis(10);

/// The message of a cancelled command.
pub const INTERRUPTED: &str = "interrupted";

/// Returns a monitor that a signal cancels.
pub fn watch() -> Monitor<'static> {
    Monitor::stopped_by(&STOP)
}

/// Starts to listen for signals. If a handler cannot be installed, that signal ends the process in
/// its default way.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let signals = signals();
        for &signal in &signals {
            // Handlers run in this order, so only a second signal finds the flag raised.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, &STOP);
            let _ = flag::register_usize(signal, &SIGNAL, signal as usize);
            let _ = flag::register(signal, &STOP);
        }
        #[cfg(unix)]
        live_with_limits();
        #[cfg(unix)]
        if let Ok(signals) = signal_hook::iterator::Signals::new(&signals) {
            // Without this thread, engines still check the flag.
            let _ = std::thread::Builder::new()
                .name("signals".to_string())
                .spawn(move || mind(signals));
        }
    });
}

/// Turns limits of the system into errors. A file beyond its limit (`ulimit -f`) fails like a full
/// disk. If memory is refused, Rust reports this and aborts; the process then ends with 1.
#[cfg(unix)]
fn live_with_limits() {
    static KNOWN: AtomicBool = AtomicBool::new(true);
    let _ = flag::register(signal_hook::consts::SIGXFSZ, &KNOWN);
    let _ = flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, &KNOWN);
}

#[cfg(unix)]
fn signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    // With `nohup`, a command must outlive the terminal.
    if !ignores(signal_hook::consts::SIGHUP) {
        signals.push(signal_hook::consts::SIGHUP);
    }
    signals
}

#[cfg(not(unix))]
fn signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Returns whether the process was started to ignore a signal. Only systems with `/proc` can tell.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Ends the process after a signal, if it does not end by itself.
#[cfg(unix)]
fn mind(mut signals: signal_hook::iterator::Signals) {
    if signals.forever().next().is_none() {
        return;
    }
    std::thread::sleep(GRACE);
    while OWNER.compare_exchange(NOBODY, MINDER, SeqCst, SeqCst).is_err() {
        std::thread::sleep(PAUSE);
    }
    let _ = writeln!(std::io::stderr(), "{INTERRUPTED}");
    std::process::exit(code().unwrap_or(128).into());
}

/// Returns the exit code of a cancelled process; `None` if no signal came before the output was
/// complete.
pub fn code() -> Option<u8> {
    let is_stopped = STOP.load(SeqCst) && !DONE.load(SeqCst);
    let signal = is_stopped.then(|| SIGNAL.load(SeqCst))?;
    u8::try_from(128 + signal).ok()
}

/// Declares the output complete. A later signal stops nothing, and the exit code is that of a
/// command that was not cancelled.
pub fn too_late() {
    hold().for_good();
    DONE.store(true, SeqCst);
}

/// A guard against the end of the process by the signal thread. A second signal still ends it.
#[must_use]
pub struct Hold {
    is_first: bool,
}

/// Keeps a first signal from ending the process, while files or the last message are written.
pub fn hold() -> Hold {
    loop {
        match OWNER.compare_exchange(NOBODY, COMMAND, SeqCst, SeqCst) {
            Ok(_) => return Hold { is_first: true },
            Err(COMMAND) => return Hold { is_first: false },
            // The signal thread is about to end the process.
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

impl Hold {
    /// Keeps the hold until the process ends.
    pub fn for_good(self) {
        std::mem::forget(self);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if self.is_first {
            OWNER.store(NOBODY, SeqCst);
        }
    }
}
