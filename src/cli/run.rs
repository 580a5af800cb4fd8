//! The options on how to compute an answer: engine, number of sequences, seed, threads.

use clap::{Args, ValueEnum};

use super::fault::Failure;
use super::stop::watch;
use answer::options::{DEFAULT_SEED, DEFAULT_TRIALS, MAX_TRIALS};
use answer::{Engine, Options, Trials};
use engine::stratified::MAX_ROLLS;
use engine::text::{Fault, whole_number};
use play::files::tables::MIN_PRECISION;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EngineName {
    Auto,
    Exact,
    MonteCarlo,
}

/// The most threads that `--threads` accepts.
pub const MOST_THREADS: u64 = 1024;

/// How to run, for every command that does.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    plain: PlainRunArguments,
    /// Give every combination of the first K rolls (1 to 3) the same number of sequences; this
    /// lowers the error
    #[arg(long, allow_hyphen_values = true, value_name = "K")]
    stratify: Option<String>,
}

impl RunArguments {
    pub fn options(&self) -> Result<Options<'static>, Failure> {
        Ok(Options { stratify: self.stratify()?, ..self.plain.options()? })
    }

    /// Returns the options; an option that is not given is taken from `file` (engine, trials,
    /// seed). Fails if a value is invalid.
    pub fn over(&self, file: (Engine, Trials, u64)) -> Result<Options<'static>, Failure> {
        Ok(Options { stratify: self.stratify()?, ..self.plain.over(file)? })
    }

    fn stratify(&self) -> Result<u32, Failure> {
        let rolls = self
            .stratify
            .as_deref()
            .map_or(Ok(0), |text| number("--stratify", text, 1, MAX_ROLLS.into()));
        rolls.map(|rolls| rolls as u32)
    }

    /// Returns the options as text for a command line. For `--seed random`, `seed` is the number
    /// that was drawn.
    pub fn words(&self, seed: u64) -> String {
        let stratify =
            self.stratify.as_ref().map_or(String::new(), |rolls| format!(" --stratify {rolls}"));
        stratify + &self.plain.words(seed)
    }

    /// Returns the first given option that only Monte Carlo uses; `None` if there is none.
    pub fn of_dice(&self) -> Option<&'static str> {
        self.stratify.as_ref().map(|_| "--stratify").or_else(|| self.plain.of_dice())
    }
}

/// Run options of all other commands.
#[derive(Debug, Args)]
pub struct PlainRunArguments {
    /// Engine to use; auto is exact unless the question is too big
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineName,
    /// Number of Monte Carlo sequences
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    trials: Option<String>,
    /// Play until every 95 % interval is at most +- P wide
    #[arg(long, allow_hyphen_values = true, value_name = "P", conflicts_with = "trials")]
    precision: Option<String>,
    /// Seed of the dice; `random` chooses and prints one
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    seed: Option<String>,
    /// Number of threads; it never changes a result
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    threads: Option<String>,
}

impl PlainRunArguments {
    /// Returns the options; an option that is not given is taken from the file. Fails if a value is
    /// invalid.
    pub fn over(
        &self,
        (engine, trials, seed): (Engine, Trials, u64),
    ) -> Result<Options<'static>, Failure> {
        Ok(Options {
            engine: self.engine().unwrap_or(engine),
            trials: self.trials()?.unwrap_or(trials),
            seed: self.seed()?.unwrap_or(seed),
            stratify: 0,
            counts: None,
            threads: self
                .threads
                .as_deref()
                .map(|text| number("--threads", text, 1, MOST_THREADS))
                .transpose()?
                .map(|n| n as usize),
            watch: watch(),
        })
    }

    fn options(&self) -> Result<Options<'static>, Failure> {
        self.over((Engine::Auto, Trials::Usual, DEFAULT_SEED))
    }

    /// Returns the options as text for a command line. For `--seed random`, `seed` is the number
    /// that was drawn.
    pub fn words(&self, seed: u64) -> String {
        let given = [
            ("--engine", self.engine().map(|engine| engine.name().to_string())),
            ("--trials", self.trials.clone()),
            ("--precision", self.precision.clone()),
            ("--seed", self.seed.as_ref().map(|_| seed.to_string())),
        ];
        given
            .into_iter()
            .filter_map(|(option, value)| Some(format!(" {option} {}", value?)))
            .collect()
    }

    fn trials(&self) -> Result<Option<Trials>, Failure> {
        if let Some(text) = &self.trials {
            return number("--trials", text, 1, MAX_TRIALS)
                .map(|trials| Some(Trials::Number(trials)));
        }
        let Some(text) = &self.precision else { return Ok(None) };
        let half_width =
            text.parse().ok().filter(|half_width: &f64| (MIN_PRECISION..0.5).contains(half_width));
        let fault = || {
            let message = format!(
                "`--precision` must be a half-width from {MIN_PRECISION} to below 0.5, not `{text}`"
            );
            Failure::argument(
                "--precision",
                text,
                Fault::new(message, 0..text.len()).help("for example 0.001"),
            )
        };
        half_width.map(|half_width| Some(Trials::HalfWidth(half_width))).ok_or_else(fault)
    }

    fn seed(&self) -> Result<Option<u64>, Failure> {
        seed(self.seed.as_deref())
    }

    /// Returns the first given option that only Monte Carlo uses; `None` if there is none.
    fn of_dice(&self) -> Option<&'static str> {
        let given = [
            ("--engine", matches!(self.engine, EngineName::MonteCarlo)),
            ("--trials", self.trials.is_some()),
            ("--precision", self.precision.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    fn engine(&self) -> Option<Engine> {
        match self.engine {
            EngineName::Auto => None,
            EngineName::Exact => Some(Engine::Exact),
            EngineName::MonteCarlo => Some(Engine::MonteCarlo),
        }
    }
}

/// Returns, as text for a command line, the options that differ from those of a file.
pub fn beyond(options: &Options, (engine, trials, seed): (Engine, Trials, u64)) -> String {
    let number = match options.trials {
        Trials::Usual => format!("--trials {DEFAULT_TRIALS}"),
        Trials::Number(number) => format!("--trials {number}"),
        Trials::HalfWidth(half_width) => format!("--precision {half_width}"),
    };
    let differ = [
        (options.engine != engine, format!("--engine {}", options.engine.name())),
        (options.trials != trials, number),
        (options.seed != seed, format!("--seed {}", options.seed)),
        (options.stratify > 0, format!("--stratify {}", options.stratify)),
    ];
    differ
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, words)| format!(" {words}"))
        .collect()
}

/// Parses a seed; `random` draws one. Fails if the text is neither a whole number nor `random`.
pub fn seed(text: Option<&str>) -> Result<Option<u64>, Failure> {
    match text {
        None => Ok(None),
        Some("random") => Ok(Some(rand::random::<u64>() >> 1)),
        Some(text) => text.replace('_', "").parse().map(Some).map_err(|_| {
            let fault = Fault::new(
                format!("`--seed` must be a whole number or `random`, not `{text}`"),
                0..text.len(),
            );
            Failure::argument("--seed", text, fault)
        }),
    }
}

/// Parses the whole number of an argument, from `low` to `high`. Fails if the text is not such a
/// number.
pub fn number(place: &str, text: &str, low: u64, high: u64) -> Result<u64, Failure> {
    let number = whole_number(text).filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| {
        let message =
            format!("`{place}` must be a whole number from {low} to {high}, not `{text}`");
        Failure::argument(place, text, Fault::new(message, 0..text.len()))
    })
}
