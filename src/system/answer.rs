//! One question answered: exactly where that fits the bound, else by Monte Carlo.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use super::Asked;
use super::field::words_of;
use super::table::{CONFIDENCE, Expected, Figure, Meta, Row};
use crate::dice::stream::{CHUNK, SAMPLER};
use crate::engine::exact::{Arithmetic, Bound, Fraction, odds};
use crate::engine::monte_carlo::{Plan, Simulator};
use crate::engine::watch::Watch;
use crate::engine::{EngineError, stratified};
use crate::process::{Label, Point, Process};
use crate::stats::{Proportion, trials_for_half_width};

/// Which engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Exact unless the process is too big.
    #[default]
    Auto,
    Exact,
    MonteCarlo,
}

words_of!(Engine, "ENGINE", "" {
    "auto" = Engine::Auto,
    "exact" = Engine::Exact,
    "monte-carlo" = Engine::MonteCarlo,
});

impl Engine {
    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Exact => "exact",
            Engine::MonteCarlo => "monte-carlo",
        }
    }
}

/// How many sequences a Monte Carlo run plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trials {
    /// This many.
    Number(u64),
    /// As many as make every 95 % interval at most this wide on either side.
    HalfWidth(f64),
}

/// Trials of a Monte Carlo run that asks for nothing else.
pub const DEFAULT_TRIALS: u64 = 1_000_000;
/// Seed of a run that asks for none.
pub const DEFAULT_SEED: u64 = 36;
/// Most trials of one run.
pub const MAX_TRIALS: u64 = 100_000_000_000;

/// How to answer.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    pub threads: Option<usize>,
    /// Rolls to play over all their combinations, 0 for plain sampling.
    pub stratify: u32,
    /// Looks on, and may give up.
    pub watch: Watch<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            engine: Engine::Auto,
            trials: Trials::Number(DEFAULT_TRIALS),
            seed: DEFAULT_SEED,
            threads: None,
            stratify: 0,
            watch: Watch::NONE,
        }
    }
}

/// Rows, and how they were come by.
#[derive(Clone, Debug)]
pub struct Answer {
    pub rows: Vec<Row>,
    pub expected: Vec<Expected>,
    pub meta: Meta,
}

/// An outcome with its odds.
pub type Noted<O> = ((Point, O), Figure);

/// All outcomes of a process, and how their odds were come by.
pub type Figures<P> = (Vec<Noted<<P as Process>::Outcome>>, Meta);

/// Odds of every outcome of one process, in order; `meta` gets how they were come by.
pub fn figures<P: Process>(process: &P, options: &Options, meta: Meta) -> Result<Figures<P>, EngineError> {
    let reason = match options.engine {
        Engine::MonteCarlo => None,
        Engine::Auto | Engine::Exact => {
            let mut meta = Meta { engine: "exact", arithmetic: Some("integer"), ..meta.clone() };
            match exact_figures(process, Bound::STANDARD.watched(options.watch), &mut meta) {
                Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => Some(too_big_to_be_exact(&too_big)),
                figures => return Ok((figures?, meta)),
            }
        }
    };
    estimates(process, options, meta, reason)
}

/// Answers `question`; `meta` says what was asked and gets how it was answered.
pub fn answer<Q: Asked>(question: &Q, options: &Options, meta: Meta) -> Result<Answer, EngineError> {
    let reason = match options.engine {
        Engine::MonteCarlo => None,
        Engine::Auto | Engine::Exact => match exact(question, options, &meta) {
            Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => Some(too_big_to_be_exact(&too_big)),
            answer => return answer,
        },
    };
    monte_carlo(question, &question.whole(), options, meta, reason)
}

pub(super) fn is_too_big(error: &EngineError) -> bool {
    use EngineError::{TooManyOutcomes, TooManyStates, TooMuchWork};
    matches!(error, TooManyStates { .. } | TooMuchWork { .. } | TooManyOutcomes { .. })
}

pub(super) fn too_big_to_be_exact(error: &EngineError) -> String {
    format!("too big to be exact: {error}")
}

/// How much the exact odds of created units may cost, where all others come from smaller processes.
const REST: Bound = Bound { alive: 1 << 14, worked: 1 << 17, ..Bound::STANDARD };

fn exact<Q: Asked>(question: &Q, options: &Options, meta: &Meta) -> Result<Answer, EngineError> {
    let parts = question.parts();
    let mut meta = Meta { engine: "exact", arithmetic: Some("integer"), ..meta.clone() };
    let mut noted = Vec::new();
    for part in &parts.processes {
        noted.extend(exact_figures(part, Bound::STANDARD.watched(options.watch), &mut meta)?);
    }
    if let Some(rest) = &parts.rest {
        let bound = if options.engine == Engine::Exact { Bound::STANDARD } else { REST };
        match exact_figures(rest, bound.watched(options.watch), &mut meta) {
            Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => {
                let reason = "all units of the stack exactly; units created on the way depend on all of them, too many states";
                let Answer { rows: created, meta: of_rest, .. } =
                    monte_carlo(question, rest, options, meta.clone(), Some(reason.to_string()))?;
                meta = Meta { engine: "exact+monte-carlo", arithmetic: meta.arithmetic, ..of_rest };
                noted.sort_by(|(a, _), (b, _)| a.cmp(b));
                let expected = expected(question, &noted, options.watch)?;
                let stack = rows(question, noted, options.watch)?;
                return Ok(Answer { rows: by_point(stack.into_iter().chain(created).collect()), expected, meta });
            }
            figures => noted.extend(figures?),
        }
    }
    noted.sort_by(|(a, _), (b, _)| a.cmp(b));
    told(question, noted, options, meta)
}

/// The answer that these odds are.
fn told<Q: Asked>(
    question: &Q,
    noted: Vec<Noted<<Q::Process as Process>::Outcome>>,
    options: &Options,
    meta: Meta,
) -> Result<Answer, EngineError> {
    let expected = expected(question, &noted, options.watch)?;
    Ok(Answer { expected, rows: rows(question, noted, options.watch)?, meta })
}

/// The expected value of every quantity of the question. Its error is that of plain sampling; of stratified sampling it is not known.
fn expected<Q: Asked>(
    question: &Q,
    noted: &[Noted<<Q::Process as Process>::Outcome>],
    watch: Watch,
) -> Result<Vec<Expected>, EngineError> {
    let mut sums: Vec<Sum> = question.words().quantities().iter().map(|_| Sum::default()).collect();
    for ((point, outcome), figure) in noted {
        watch.look()?;
        question.amounts(*point, outcome, &mut |quantity, amount| sums[quantity].add(figure, amount));
    }
    let whole = question.words().quantities().into_iter().zip(sums);
    Ok(whole.filter(|(_, sum)| !sum.is_stratified).map(|(quantity, sum)| sum.expected(quantity)).collect())
}

/// An amount summed up over its distribution.
struct Sum {
    mean: f64,
    squares: f64,
    fraction: Option<Fraction>,
    trials: Option<u64>,
    is_stratified: bool,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { mean: 0.0, squares: 0.0, fraction: Some(Fraction::new(0, 1)), trials: None, is_stratified: false }
    }
}

impl Sum {
    fn add(&mut self, figure: &Figure, amount: i64) {
        let (probability, times) = (figure.probability(), amount as f64);
        self.mean += probability * times;
        self.squares += probability * times * times;
        match figure {
            Figure::Exact { fraction, .. } => {
                let share = |fraction: Fraction| {
                    let numerator = fraction.numerator.checked_mul(amount.try_into().ok()?)?;
                    Some(Fraction::new(numerator, fraction.denominator))
                };
                self.fraction = self.fraction.zip(fraction.and_then(share)).and_then(|(sum, share)| sum.checked_add(share));
            }
            Figure::Estimate(Proportion { trials, .. }) => self.trials = Some(*trials),
            Figure::Stratified(_) => self.is_stratified = true,
        }
    }

    fn expected(self, quantity: String) -> Expected {
        let variance = (self.squares - self.mean * self.mean).max(0.0);
        let std_error = self.trials.map(|trials| (variance / trials as f64).sqrt());
        Expected { quantity, value: self.mean, fraction: self.fraction.filter(|_| self.trials.is_none()), std_error }
    }
}

/// Rows in the order of steps and phases, those of a point as they come.
fn by_point(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| (row.label.step, row.label.phase));
    rows
}

/// One row for each outcome; those that are told alike are one.
fn rows<Q: Asked>(
    question: &Q,
    noted: Vec<Noted<<Q::Process as Process>::Outcome>>,
    watch: Watch,
) -> Result<Vec<Row>, EngineError> {
    let mut rows: IndexMap<Label, Figure, FxBuildHasher> = IndexMap::with_capacity_and_hasher(noted.len(), FxBuildHasher);
    for ((point, outcome), figure) in noted {
        watch.look()?;
        match rows.entry(question.label(point, &outcome)) {
            Entry::Occupied(mut known) => *known.get_mut() = known.get().or(figure),
            Entry::Vacant(new) => drop(new.insert(figure)),
        }
    }
    Ok(rows.into_iter().map(|(label, figure)| Row { case: 1, label, figure }).collect())
}

/// The exact odds of one process.
pub(super) fn exact_figures<P: Process>(
    process: &P,
    bound: Bound,
    meta: &mut Meta,
) -> Result<Vec<Noted<P::Outcome>>, EngineError> {
    let odds = odds(process, bound)?;
    meta.worked(odds.states);
    if odds.arithmetic == Arithmetic::Float {
        meta.arithmetic = Some("float");
    }
    let noted = odds.chances.into_iter().map(|chance| {
        let figure = Figure::Exact { probability: chance.probability, fraction: chance.fraction };
        ((chance.point, chance.outcome), figure)
    });
    Ok(noted.collect())
}

fn monte_carlo<Q: Asked>(
    question: &Q,
    process: &Q::Process,
    options: &Options,
    meta: Meta,
    reason: Option<String>,
) -> Result<Answer, EngineError> {
    let (noted, meta) = estimates(process, options, meta, reason)?;
    told(question, noted, options, meta)
}

/// Estimates of the odds of one process.
fn estimates<P: Process>(process: &P, options: &Options, meta: Meta, reason: Option<String>) -> Result<Figures<P>, EngineError> {
    let plan = Plan { trials: 0, seed: options.seed, threads: options.threads, watch: options.watch };
    let sampled = |trials, meta, reason| stratified(process, &Plan { trials, ..plan }, options.stratify, meta, reason);
    if let (Trials::Number(trials), 1..) = (options.trials, options.stratify) {
        return sampled(trials, meta, reason);
    }
    let simulator = Simulator::watched(process, options.watch)?;
    let (trials, precision) = match options.trials {
        Trials::Number(trials) => (trials, None),
        Trials::HalfWidth(half_width) => (trials_for(&simulator, &plan, half_width)?, Some(half_width)),
    };
    if options.stratify > 0 {
        let meta = Meta { precision, pilot_trials: precision.map(|_| CHUNK), ..meta };
        return sampled(trials, meta, reason);
    }
    let counts = simulator.run(&Plan { trials, ..plan })?;
    let from_rules =
        matches!(simulator, Simulator::Rules(_)).then(|| "too many states for a table: played from the rules".to_string());
    let reasons: Vec<String> = reason.into_iter().chain(from_rules).collect();
    let meta = Meta {
        engine: "monte-carlo",
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        sampler: Some(SAMPLER),
        seed: Some(options.seed),
        trials: Some(trials),
        precision,
        pilot_trials: precision.map(|_| CHUNK),
        ..meta
    };
    let trials = counts.trials;
    let figure = |count| Figure::Estimate(Proportion { count, trials });
    let noted = counts.counts.into_iter().map(|(point, outcome, count)| ((point, outcome), figure(count)));
    Ok((noted.collect(), meta))
}

/// The same with the first rolls played over all their combinations.
fn stratified<P: Process>(
    process: &P,
    plan: &Plan,
    rolls: u32,
    meta: Meta,
    reason: Option<String>,
) -> Result<Figures<P>, EngineError> {
    let estimates = stratified::run(process, plan, rolls)?;
    let meta = Meta {
        engine: "monte-carlo",
        reason,
        sampler: Some(SAMPLER),
        seed: Some(plan.seed),
        trials: Some(stratified::rounded_trials(P::BASE, plan.trials, rolls)),
        stratify: Some(rolls),
        ..meta
    };
    let noted = estimates.into_iter().map(|(point, outcome, estimate)| ((point, outcome), Figure::Stratified(estimate)));
    Ok((noted.collect(), meta))
}

/// Trials that make the widest interval of this question narrow enough: a pilot of one chunk, on a stream of its own and never
/// counted, tells which outcome has the widest one. Rounded up to whole chunks.
fn trials_for<P: Process>(simulator: &Simulator<P>, plan: &Plan, half_width: f64) -> Result<u64, EngineError> {
    let pilot = simulator.run(&Plan { trials: CHUNK, seed: !plan.seed, ..*plan })?;
    let shares = pilot.counts.iter().map(|(_, _, count)| *count as f64 / CHUNK as f64);
    let widest = shares.min_by(|a, b| (a - 0.5).abs().total_cmp(&(b - 0.5).abs())).unwrap_or(0.5);
    let trials = trials_for_half_width(widest, half_width, CONFIDENCE);
    Ok(trials.min(MAX_TRIALS).div_ceil(CHUNK) * CHUNK)
}

/// The same from the widest interval of a pilot of one chunk: intervals narrow with the root of the trials.
pub(super) fn trials_by_pilot(widest: f64, half_width: f64) -> u64 {
    let chunks = (widest / half_width).powi(2).ceil().max(1.0);
    // A conversion from a float stops at the largest number.
    (chunks as u64).saturating_mul(CHUNK).min(MAX_TRIALS.next_multiple_of(CHUNK))
}
