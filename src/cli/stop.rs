//! Signals: Ctrl-C, `kill` and a closed terminal end commands alike. The exit code is 128 + signal.
//!
//! The first signal raises a flag that engines check, and the command then ends by itself. If it
//! still runs after `GRACE`, say in a wait for a pipe, the signal thread ends the process, unless
//! the command [holds](hold) it because it is writing files. A second signal ends it at once.

#[cfg(unix)]
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Once, PoisonError, RwLock, RwLockReadGuard};
#[cfg(unix)]
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use engine::monitor::Monitor;

/// The flag that the first signal raises.
static STOP: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicUsize = AtomicUsize::new(0);
/// The flag that is raised when the whole output is on the disk.
static DONE: AtomicBool = AtomicBool::new(false);
/// The right to end the process: a read lock keeps the signal thread from its write lock.
static OWNER: RwLock<()> = RwLock::new(());

/// The time in which a command may end by itself after the first signal.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(50);
/// The time between two attempts of the signal thread to end the process.
#[cfg(unix)]
const PAUSE: Duration = Duration::from_millis(10);

pub const INTERRUPTED: &str = "interrupted";

/// Returns a monitor that the first signal cancels.
pub fn watch() -> Monitor<'static> {
    Monitor::stopped_by(&STOP)
}

/// Starts to listen for signals. Without a handler, a signal acts in its default way.
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
            // Without the signal thread, engines still check the flag.
            let _ = std::thread::Builder::new()
                .name("signals".to_string())
                .spawn(move || mind(signals));
        }
    });
}

/// Makes a file beyond `ulimit -f` fail like a full disk, and refused memory end with exit code 1.
#[cfg(unix)]
fn live_with_limits() {
    static KNOWN: AtomicBool = AtomicBool::new(true);
    let _ = flag::register(signal_hook::consts::SIGXFSZ, &KNOWN);
    let _ = flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, &KNOWN);
}

#[cfg(unix)]
fn signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    // With `nohup`, a command must go on when the terminal is closed.
    if !ignores(signal_hook::consts::SIGHUP) {
        signals.push(signal_hook::consts::SIGHUP);
    }
    signals
}

#[cfg(not(unix))]
fn signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Returns whether the process was started to ignore a signal; false without `/proc`.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Waits for a signal, and then ends the process unless it ends by itself.
#[cfg(unix)]
fn mind(mut signals: signal_hook::iterator::Signals) {
    if signals.forever().next().is_none() {
        return;
    }
    std::thread::sleep(GRACE);
    // An attempt, unlike a wait for the lock, does not stop the command from holding it again.
    let _owner = loop {
        match OWNER.try_write() {
            Ok(owner) => break owner,
            Err(_) => std::thread::sleep(PAUSE),
        }
    };
    let _ = writeln!(std::io::stderr(), "{INTERRUPTED}");
    std::process::exit(code().unwrap_or(128).into());
}

/// Returns the exit code of a process that was cancelled before its output was complete.
pub fn code() -> Option<u8> {
    let is_stopped = STOP.load(SeqCst) && !DONE.load(SeqCst);
    let signal = is_stopped.then(|| SIGNAL.load(SeqCst))?;
    u8::try_from(128 + signal).ok()
}

/// Declares the output complete, so that a later signal changes neither it nor the exit code.
pub fn too_late() {
    hold_for_good();
    DONE.store(true, SeqCst);
}

/// Keeps a first signal from ending the process while the guard lives. A second signal ends it.
pub fn hold() -> RwLockReadGuard<'static, ()> {
    OWNER.read().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a first signal from ending the process, since the command will end by itself.
pub fn hold_for_good() {
    std::mem::forget(hold());
}
