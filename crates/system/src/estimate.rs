//! Odds by dice: how many sequences are played, and what their counts tell.

use std::hash::Hash;

use engine::dice::stream::{CHUNK, SAMPLER};
use engine::monte_carlo::{Plan, Simulator, length};
use engine::process::{Point, Process};
use engine::stats::{METHOD, METHOD_OF_STRATA, Proportion, Strata, Unseen, trials_for_half_width};
use engine::{EngineError, stratified};
use rustc_hash::FxHashMap;

use super::answer::{DEFAULT_TRIALS, MAX_TRIALS, Noted, Options, Trials};
use super::table::{CONFIDENCE, Figure, Meta, percent};

/// Rolls and reported units of all usual sequences together, where they are played from the rules:
/// some seconds.
const USUAL_WORK: u64 = 120_000_000;
/// Sequences that tell how long one is.
const MEASURED: u64 = 64;
/// Fewest usual sequences; there are always whole times as many.
const FEWEST: u64 = 50_000;

/// What a run has found.
pub(super) struct Estimates<O> {
    pub noted: Vec<Noted<O>>,
    pub meta: Meta,
    /// Whether every outcome that can happen is among them.
    pub all_known: bool,
}

/// Estimates of the odds of one process of that many units; where it fits a table, of what no sequence drew too.
pub(super) fn estimates<P: Process>(
    process: &P,
    options: &Options,
    units: u8,
    meta: Meta,
    reason: Option<String>,
) -> Result<Estimates<P::Outcome>, EngineError> {
    let plan =
        Plan { trials: 0, seed: options.seed, threads: options.threads, watch: options.watch };
    let simulator = Simulator::watched(process, options.watch)?;
    let (trials, precision) = match options.trials {
        Trials::Usual => (usual_trials(&simulator, units, options.seed)?, None),
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
    let known = simulator.outcomes();
    if options.stratify > 0 {
        let drawn = stratified::run(process, &plan, options.stratify)?;
        let trials = stratified::rounded_trials(P::BASE, trials, options.stratify);
        let (stratify, interval) = (Some(options.stratify), Some(METHOD_OF_STRATA));
        let drawn = drawn
            .into_iter()
            .map(|(point, outcome, strata)| ((point, outcome), Figure::Stratified(strata)));
        return Ok(Estimates {
            noted: with_undrawn(
                drawn,
                known,
                Figure::Stratified(Strata { trials, ..Strata::default() }),
            ),
            meta: Meta { reason, trials: Some(trials), stratify, interval, ..meta },
            all_known: known.is_some(),
        });
    }
    let counts = simulator.run(&plan)?;
    let from_rules =
        known.is_none().then(|| "too many states for a table: played from the rules".to_string());
    let are_few = options.trials == Trials::Usual && trials < DEFAULT_TRIALS;
    let fewer =
        are_few.then(|| "each sequence is long: fewer than usual, more by `--trials`".to_string());
    let reasons: Vec<String> = reason.into_iter().chain(from_rules).chain(fewer).collect();
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    let figure = |count| Figure::Estimate(Proportion { count, trials });
    let drawn =
        counts.counts.into_iter().map(|(point, outcome, count)| ((point, outcome), figure(count)));
    Ok(Estimates {
        noted: with_undrawn(drawn, known, figure(0)),
        meta: Meta { reason, trials: Some(trials), interval: Some(METHOD), ..meta },
        all_known: known.is_some(),
    })
}

/// How many sequences are played where nobody says how many, of that many units.
fn usual_trials<P: Process>(
    simulator: &Simulator<P>,
    units: u8,
    seed: u64,
) -> Result<u64, EngineError> {
    let Simulator::Rules(process) = simulator else { return Ok(DEFAULT_TRIALS) };
    let (rolls, reports) = length(*process, MEASURED, seed)?;
    let work = (rolls + reports * u64::from(units)).max(1);
    let fitting = USUAL_WORK.saturating_mul(MEASURED) / work;
    Ok((fitting / FEWEST * FEWEST).clamp(FEWEST, DEFAULT_TRIALS))
}

/// What was drawn, and in between what can be and was not; both in order.
fn with_undrawn<O: Clone + Eq>(
    drawn: impl Iterator<Item = Noted<O>>,
    known: Option<&[(Point, O)]>,
    never: Figure,
) -> Vec<Noted<O>> {
    let Some(known) = known else { return drawn.collect() };
    let mut drawn = drawn.peekable();
    known
        .iter()
        .map(|noted| {
            drawn.next_if(|(next, _)| next == noted).unwrap_or_else(|| (noted.clone(), never))
        })
        .collect()
}

/// Upper bound of the odds of all outcomes together that no sequence drew, for whichever of the
/// parts it is highest: a sequence has one outcome at most of each. The counts are of every outcome
/// that was drawn, with its part.
pub(super) fn unseen<K: Hash + Eq>(trials: u64, counts: impl Iterator<Item = (K, u64)>) -> f64 {
    let mut parts: FxHashMap<K, Unseen> = FxHashMap::default();
    for (part, count) in counts {
        let part = parts.entry(part).or_insert(Unseen { trials, ..Unseen::default() });
        part.once += u64::from(count == 1);
        part.twice += u64::from(count == 2);
    }
    parts.into_values().map(|part| part.at_most(CONFIDENCE)).fold(0.0, f64::max)
}

impl Meta {
    /// With a note on outcomes that no sequence drew, where some might be missing.
    pub(super) fn with_unseen(mut self, unseen: Option<f64>) -> Meta {
        if self.unseen.is_some() {
            // One of several answers that share this: the highest bound is told.
            self.notes.pop();
        }
        self.unseen = self.unseen.into_iter().chain(unseen).reduce(f64::max);
        self.notes.extend(self.unseen.map(unseen_in_words));
        self
    }
}

/// What is said of outcomes that no sequence drew, by the upper bound of their odds.
pub fn unseen_in_words(share: f64) -> String {
    format!(
        "outcomes that no sequence drew have together at most {} (95 %), for each unit at each point",
        percent(share)
    )
}

/// Trials that make the widest interval of this question narrow enough: a pilot of one chunk, on a
/// stream of its own and never counted, tells which outcome has the widest one. Rounded up to whole
/// chunks.
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

/// The same from the widest interval of a pilot of one chunk: intervals narrow with the root of the
/// trials.
pub(super) fn trials_by_pilot(widest: f64, half_width: f64) -> u64 {
    let chunks = (widest / half_width).powi(2).ceil().max(1.0);
    // A conversion from a float stops at the largest number.
    (chunks as u64).saturating_mul(CHUNK).min(MAX_TRIALS.next_multiple_of(CHUNK))
}
