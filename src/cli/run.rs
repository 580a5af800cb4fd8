//! The options on how to compute an answer: engine, number of sequences, seed, threads.

use clap::Args;

use super::fault::{Failure, Result};
use super::shell_words::repeated;
use super::stop::watch;
use answer::options::{DEFAULT_SEED, DEFAULT_TRIALS, MAX_TRIALS};
use answer::{Engine, Options, Trials};
use engine::process::Player;
use engine::stratified::MAX_ROLLS;
use engine::text::whole_number;
use play::files::tables::MIN_PRECISION;
use play::{EngineRequest, FOR, Objective};
use schema::{Kind, side_named};

pub const MOST_THREADS: u64 = 1024;

/// The heading in help of options on how to compute an answer.
const ENGINE: &str = "Engine";

/// How to run, for every command that does.
#[derive(Debug, Args)]
#[command(next_help_heading = ENGINE)]
pub struct RunArguments {
    #[command(flatten)]
    plain: PlainRunArguments,
    /// Give every combination of the first K rolls (1 to 3) the same number of sequences; this
    /// lowers the error
    #[arg(long, allow_hyphen_values = true, value_name = "K")]
    stratify: Option<String>,
}

impl RunArguments {
    pub fn options(&self) -> Result<Options<'static>> {
        self.over((Engine::Auto, Trials::Usual, DEFAULT_SEED))
    }

    /// Returns the options; an option that is not given is taken from `file`.
    pub fn over(&self, file: EngineRequest) -> Result<Options<'static>> {
        let stratify = optional("--stratify", self.stratify.as_deref(), 1, MAX_ROLLS.into())?;
        Ok(Options { stratify: stratify.unwrap_or(0) as u32, ..self.plain.over(file)? })
    }

    /// Returns the options as text for a command line, with the `seed` that was used.
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
#[command(next_help_heading = ENGINE)]
pub struct PlainRunArguments {
    /// Engine to use; auto is exact unless the question is too big
    #[arg(long, default_value = "auto", value_parser = Engine::ALL.map(Engine::name))]
    engine: String,
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
    /// Returns the options; an option that is not given is taken from the file.
    pub fn over(&self, (engine, trials, seed): EngineRequest) -> Result<Options<'static>> {
        let engine =
            engine_called(&self.engine).filter(|engine| *engine != Engine::Auto).unwrap_or(engine);
        let trials = self.trials()?.unwrap_or(trials);
        let seed = self::seed(self.seed.as_deref())?.unwrap_or(seed);
        let threads = optional("--threads", self.threads.as_deref(), 1, MOST_THREADS)?;
        let threads = threads.map(|number| number as usize);
        Ok(Options { engine, trials, seed, threads, watch: watch(), ..Options::default() })
    }

    /// Returns the given options, each with its value.
    fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let engine = Some(&self.engine).filter(|engine| *engine != Engine::Auto.name());
        let given = [
            ("--engine", engine),
            ("--trials", self.trials.as_ref()),
            ("--precision", self.precision.as_ref()),
            ("--seed", self.seed.as_ref()),
        ];
        given.into_iter().filter_map(|(option, value)| Some((option, value?.as_str())))
    }

    /// Returns the options as text for a command line, with the `seed` that was used.
    pub fn words(&self, seed: u64) -> String {
        let words = |(option, value): (&str, &str)| match option {
            "--seed" => format!(" --seed {seed}"),
            _ => format!(" {option} {value}"),
        };
        self.given().map(words).collect()
    }

    fn trials(&self) -> Result<Option<Trials>> {
        if let Some(trials) = optional("--trials", self.trials.as_deref(), 1, MAX_TRIALS)? {
            return Ok(Some(Trials::Number(trials)));
        }
        let Some(text) = &self.precision else { return Ok(None) };
        let half_width =
            text.parse().ok().filter(|half_width| (MIN_PRECISION..0.5).contains(half_width));
        let fault = || {
            let message = format!(
                "`--precision` must be a half-width from {MIN_PRECISION} to below 0.5, not `{text}`"
            );
            Failure::refused("--precision", text, message).help("for example 0.001")
        };
        half_width.map(|half_width| Some(Trials::HalfWidth(half_width))).ok_or_else(fault)
    }

    /// Returns the first given option that only Monte Carlo uses; `None` if there is none.
    fn of_dice(&self) -> Option<&'static str> {
        let mut given = self.given().filter(|given| *given != ("--engine", Engine::Exact.name()));
        given.next().map(|(option, _)| option)
    }
}

pub fn engine_called(name: &str) -> Option<Engine> {
    Engine::ALL.into_iter().find(|engine| engine.name() == name)
}

/// Returns, as text for a command line, the options that differ from those of a file.
pub fn beyond(options: &Options, (engine, trials, seed): EngineRequest) -> String {
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
    let differ = differ.into_iter().filter(|(differs, _)| *differs);
    differ.map(|(_, words)| format!(" {words}")).collect()
}

/// Parses a seed; `random` draws one. Fails if the text is neither a whole number nor `random`.
pub fn seed(text: Option<&str>) -> Result<Option<u64>> {
    match text {
        None => Ok(None),
        Some("random") => Ok(Some(rand::random::<u64>() >> 1)),
        Some(text) => text.replace('_', "").parse().map(Some).map_err(|_| {
            let message = format!("`--seed` must be a whole number or `random`, not `{text}`");
            Failure::refused("--seed", text, message)
        }),
    }
}

/// Parses the whole number of an argument, from `low` to `high`.
pub fn number(place: &str, text: &str, low: u64, high: u64) -> Result<u64> {
    let number = whole_number(text).filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| {
        let message =
            format!("`{place}` must be a whole number from {low} to {high}, not `{text}`");
        Failure::refused(place, text, message)
    })
}

/// Parses the whole number of an argument like [`number`], if it is given.
pub fn optional(place: &str, text: Option<&str>, low: u64, high: u64) -> Result<Option<u64>> {
    text.map(|text| number(place, text, low, high)).transpose()
}

/// The option with the side for which something is better.
#[derive(Debug, Default, Args)]
pub struct SideArgument {
    /// Side for which something is called better: owner (of the units in question) or enemy; where
    /// there is fire, target or firer [default: owner]
    #[arg(id = FOR, long = FOR, value_name = "SIDE")]
    side: Option<String>,
}

impl SideArgument {
    /// Returns the side, if given, in the words of one of the kinds.
    pub fn side(&self, kinds: &[&'static Kind]) -> Result<Option<Player>> {
        let read = |text: &String| {
            side_named(text, kinds)
                .map_err(|fault| Failure::argument(&format!("--{FOR}"), text, fault))
        };
        self.side.as_ref().map(read).transpose()
    }

    /// Returns the side, if given, or else another.
    pub fn or(&self, usual: Player) -> SideArgument {
        SideArgument { side: self.side.clone().or_else(|| Some(usual.name().to_string())) }
    }

    /// Returns an objective for the side, if given, or else as it is.
    pub fn over(&self, objective: Objective, kinds: &[&'static Kind]) -> Result<Objective> {
        Ok(match self.side(kinds)? {
            Some(side) => objective.for_side(side),
            None => objective,
        })
    }

    /// Fails if a side is given where nothing is called better.
    pub fn refuse(&self) -> Result<()> {
        let Some(side) = &self.side else { return Ok(()) };
        let message = "one question has no better side: nothing is compared";
        let help = "give an option several values, or remove it";
        Err(Failure::refused(&format!("--{FOR}"), side, message).help(help))
    }

    /// Returns the option as text for a command line.
    pub fn words(&self) -> String {
        repeated(FOR, &self.side)
    }
}
