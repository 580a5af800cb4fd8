//! Monte Carlo estimates: the number of trials, and the estimates from the counts of outcomes.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::estimate::{CONFIDENCE, Estimate, OutcomeEstimate, percent};
use super::meta::Meta;
use super::options::{DEFAULT_TRIALS, MAX_TRIALS, Options, Trials};
use super::question_info::QuestionFacts;
use engine::dice::stream::{CHUNK, SAMPLER};
use engine::monte_carlo::{Plan, Simulator, length};
use engine::process::{Process, ReportIndex};
use engine::stats::{METHOD, METHOD_OF_STRATA, Proportion, Strata, Unseen, trials_for_half_width};
use engine::{EngineError, stratified};

/// Work of a default run without a transition table, in rolls and reported units: some seconds.
const USUAL_WORK: u64 = 120_000_000;
/// Number of sequences played to measure the mean length of a sequence.
const MEASURED: u64 = 64;
/// Fewest trials by default. The default is a multiple of this number.
const FEWEST: u64 = 50_000;

pub(super) struct Estimates<O> {
    pub noted: Vec<OutcomeEstimate<O>>,
    pub meta: Meta,
    /// True if the list contains every possible outcome.
    pub all_known: bool,
}

/// The work of a roll and of a report, where that of a roll of a stack is 1.
#[derive(Clone, Copy)]
pub struct RunWork {
    pub roll: u64,
    pub report: u64,
}

impl QuestionFacts {
    /// Returns the work of a roll and of a report of the question.
    pub fn run_work(&self) -> RunWork {
        RunWork { roll: self.work, report: self.work * u64::from(self.units) }
    }
}

/// Estimates the odds of a process. A table adds outcomes never sampled.
pub(super) fn estimates<P: Process>(
    process: &P,
    options: &Options,
    work: RunWork,
    meta: Meta,
    reason: Option<String>,
) -> Result<Estimates<P::Outcome>, EngineError> {
    let plan =
        Plan { trials: 0, seed: options.seed, threads: options.threads, watch: options.watch };
    let simulator = Simulator::new(process, options.watch)?;
    let (trials, precision) = match options.trials {
        Trials::Usual => match &simulator {
            Simulator::Table(_) => (DEFAULT_TRIALS, None),
            Simulator::Rules(process) => (usual_trials(*process, work, options.seed)?, None),
        },
        Trials::Number(trials) => (trials, None),
        Trials::HalfWidth(half_width) => {
            (trials_for(&simulator, &plan, half_width)?, Some(half_width))
        }
    };
    let plan = Plan { trials, ..plan };
    let meta = Meta {
        engine: "monte-carlo",
        sampler: Some(SAMPLER),
        seed: Some(options.seed),
        precision,
        pilot_trials: precision.map(|_| CHUNK),
        ..meta
    };
    let known = match &simulator {
        Simulator::Table(table) => Some(&table.noted[..]),
        Simulator::Rules(_) => None,
    };
    let all_known = known.is_some();
    if options.stratify > 0 {
        let drawn = stratified::run(process, &plan, options.stratify)?;
        let trials = stratified::rounded_trials(P::BASE, trials, options.stratify);
        let (stratify, interval) = (Some(options.stratify), Some(METHOD_OF_STRATA));
        let never = Estimate::Stratified(Strata { trials, ..Strata::default() });
        let noted = with_undrawn(drawn, known, never, Estimate::Stratified);
        let meta = Meta { reason, trials: Some(trials), stratify, interval, ..meta };
        return Ok(Estimates { noted, meta, all_known });
    }
    let counts = simulator.run(&plan)?.counts;
    let from_rules = "too many states for a lookup table, so the run is slower";
    let from_rules = (!all_known).then(|| from_rules.to_string());
    let reason = joined([reason, from_rules, why_few(options, trials)]);
    let figure = |count| Estimate::Estimate(Proportion { count, trials });
    let noted = with_undrawn(counts, known, figure(0), figure);
    let meta = Meta { reason, trials: Some(trials), interval: Some(METHOD), ..meta };
    Ok(Estimates { noted, meta, all_known })
}

/// Returns the default number of trials of a process that is played by its rules: fewer if
/// sequences are long.
///
/// # Errors
///
/// Fails with [`EngineError::OpenChoice`] if the process leaves a choice open.
pub fn usual_trials<P: Process>(process: &P, work: RunWork, seed: u64) -> Result<u64, EngineError> {
    let (rolls, reports) = length(process, MEASURED, seed)?;
    let work = (rolls * work.roll + reports * work.report).max(1);
    let fitting = USUAL_WORK.saturating_mul(MEASURED) / work;
    Ok((fitting / FEWEST * FEWEST).clamp(FEWEST, DEFAULT_TRIALS))
}

/// Returns the reason for fewer trials than there are by default.
pub fn why_few(options: &Options, trials: u64) -> Option<String> {
    let fewer = "sequences are long, so fewer are played; `--trials` sets how many";
    (options.trials == Trials::Usual && trials < DEFAULT_TRIALS).then(|| fewer.to_string())
}

/// Joins the reasons why an answer is an estimate; `None` without any.
pub fn joined(reasons: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    reasons.into_iter().flatten().reduce(|all, more| format!("{all}; {more}"))
}

/// Returns the estimates of sampled outcomes, and `never` for others; both lists are in order.
fn with_undrawn<O: Clone + Eq, N>(
    drawn: Vec<(ReportIndex, O, N)>,
    known: Option<&[(ReportIndex, O)]>,
    never: Estimate,
    estimate: impl Fn(N) -> Estimate,
) -> Vec<OutcomeEstimate<O>> {
    let drawn = drawn.into_iter();
    let mut drawn = drawn.map(|(point, outcome, number)| ((point, outcome), estimate(number)));
    let Some(known) = known else { return drawn.collect() };
    let mut drawn = drawn.by_ref().peekable();
    let estimate = |noted: &(ReportIndex, O)| {
        drawn.next_if(|(next, _)| next == noted).unwrap_or_else(|| (noted.clone(), never))
    };
    known.iter().map(estimate).collect()
}

/// Returns the upper bound of the total probability of outcomes never sampled, the highest over all
/// parts. A part is a set of outcomes of which a sequence has at most one, such as those of one
/// unit at one report. `counts` has the part and the count of every sampled outcome.
pub fn unseen<K: Hash + Eq>(trials: u64, counts: impl Iterator<Item = (K, u64)>) -> f64 {
    let mut parts: FxHashMap<K, Unseen> = FxHashMap::default();
    for (part, count) in counts {
        let part = parts.entry(part).or_insert(Unseen { trials, ..Unseen::default() });
        part.once += u64::from(count == 1);
        part.twice += u64::from(count == 2);
    }
    parts.into_values().map(|part| part.at_most(CONFIDENCE)).fold(0.0, f64::max)
}

impl Meta {
    /// Adds a note on outcomes never sampled, if some may be missing.
    pub fn with_unseen(mut self, unseen: Option<f64>) -> Meta {
        if self.unseen.is_some() {
            // Several answers may share this metadata. The highest bound is shown.
            self.notes.pop();
        }
        self.unseen = self.unseen.into_iter().chain(unseen).reduce(f64::max);
        self.notes.extend(self.unseen.map(unseen_in_words));
        self
    }
}

/// Returns the note on outcomes never sampled for an upper bound (0 to 1) of their probability.
pub fn unseen_in_words(share: f64) -> String {
    format!(
        "all outcomes that never came up have a probability of at most {} (95 %) together, for \
            each unit at each point",
        percent(share)
    )
}

/// Returns the trials, in whole chunks, that narrow all intervals enough, by a separate pilot.
fn trials_for<P: Process>(
    simulator: &Simulator<P>,
    plan: &Plan,
    half_width: f64,
) -> Result<u64, EngineError> {
    let pilot = simulator.run(&Plan { trials: CHUNK, seed: !plan.seed, ..*plan })?;
    let shares = pilot.counts.iter().map(|(_, _, count)| *count as f64 / CHUNK as f64);
    let widest = shares.min_by(|a, b| (a - 0.5).abs().total_cmp(&(b - 0.5).abs())).unwrap_or(0.5);
    let trials = trials_for_half_width(widest, half_width, CONFIDENCE);
    Ok(trials.min(MAX_TRIALS).div_ceil(CHUNK) * CHUNK)
}

/// Returns the trials by a one-chunk pilot's widest half-width, which falls with their square root.
pub fn trials_by_pilot(widest: f64, half_width: f64) -> u64 {
    let chunks = (widest / half_width).powi(2).ceil().max(1.0);
    // A conversion from float to integer saturates.
    (chunks as u64).saturating_mul(CHUNK).min(MAX_TRIALS.next_multiple_of(CHUNK))
}
