//! Options for answering a question: the engine, trials, seed and threads.

use super::counting::Counting;
use engine::monitor::Monitor;
use schema::declared::named;
use schema::field::words_of;

named! {
    /// The engine that computes an answer.
    #[derive(Default)]
    pub enum Engine {
        /// The exact engine, or Monte Carlo if the process is too big.
        #[default]
        Auto = "auto",
        Exact = "exact",
        MonteCarlo = "monte-carlo",
    }
}

words_of!(Engine, "ENGINE", "");

/// The number of sequences in a Monte Carlo run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Trials {
    /// [`DEFAULT_TRIALS`], or fewer if sequences are so long that the run would take minutes.
    #[default]
    Usual,
    Number(u64),
    /// The number that makes the half-width of every 95 % interval at most this fraction.
    HalfWidth(f64),
}

/// Default number of sequences in a Monte Carlo run.
pub const DEFAULT_TRIALS: u64 = 1_000_000;

/// Default seed of a Monte Carlo run.
pub const DEFAULT_SEED: u64 = 36;

/// Largest number of sequences in one Monte Carlo run.
pub const MAX_TRIALS: u64 = 100_000_000_000;

/// Options for answering a question.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    /// Number of threads; `None` uses those of the current rayon pool, or one per core.
    pub threads: Option<usize>,
    /// Number of first rolls whose combinations are all played; 0 for plain sampling.
    pub stratify: u32,
    /// Units to be counted in addition to the rows of single units; `None` to count none.
    pub counts: Option<Counting>,
    pub watch: Monitor<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            engine: Engine::Auto,
            trials: Trials::Usual,
            seed: DEFAULT_SEED,
            threads: None,
            stratify: 0,
            counts: None,
            watch: Monitor::NONE,
        }
    }
}
