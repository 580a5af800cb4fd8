//! Monte Carlo with the first rolls played over all their combinations.
//!
//! Every combination of the first K rolls, as codes of the process's base, is a stratum and gets the same number of sequences, so that chance is left only to the
//! rolls after them. What the first rolls decide has no error at all. The error is that within the strata; the usual intervals and
//! tests, which rest on independent sequences, do not apply.

use rustc_hash::FxHashMap;

use super::EngineError;
use super::monte_carlo::{Plan, over_jobs, play};
use super::watch::Sequences;
use crate::dice::Base;
use crate::dice::stream::Lane;
use crate::process::{Point, Process, Silent};

/// Most rolls that can be stratified: of DR 36^3 strata.
pub const MAX_ROLLS: u32 = 3;

/// The estimate of one outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Sequences that noted it.
    pub count: u64,
    /// Sequences played.
    pub trials: u64,
    /// Standard error of `count / trials`, from the variance within the strata.
    pub std_error: f64,
}

/// Trials that `rolls` stratified rolls round `trials` up to: a multiple of 36^rolls for DR, with two sequences a stratum at least,
/// since one has no variance.
pub fn rounded_trials(base: Base, trials: u64, rolls: u32) -> u64 {
    let strata = strata(base, rolls);
    trials.div_ceil(strata).max(2) * strata
}

fn strata(base: Base, rolls: u32) -> u64 {
    u64::from(base.codes()).pow(rolls.min(MAX_ROLLS))
}

/// Estimates of every outcome, in order of point and outcome; the plan's trials are rounded up by [`rounded_trials`].
pub fn run<P: Process>(process: &P, plan: &Plan, rolls: u32) -> Result<Vec<(Point, P::Outcome, Estimate)>, EngineError> {
    let rolls = rolls.min(MAX_ROLLS);
    let codes = u64::from(P::BASE.codes());
    let strata = strata(P::BASE, rolls);
    let trials = rounded_trials(P::BASE, plan.trials, rolls);
    let sequences = trials / strata;
    let start = process.start(&mut Silent);
    let played = Sequences::of(plan.watch, trials);
    // For each outcome the sum and the sum of squares of its counts by stratum: whole numbers, in whatever order they come.
    let sums = over_jobs(
        plan,
        strata,
        FxHashMap::default,
        |sums: &mut FxHashMap<(Point, P::Outcome), (u64, u128)>, stratum| {
            let mut counts: FxHashMap<(Point, P::Outcome), u64> = FxHashMap::default();
            let mut dice = Lane::of_stratum(P::BASE, plan.seed, stratum);
            for _ in 0..sequences {
                let mut place = rolls;
                let roll = |_: &P::State, due: crate::dice::Dice| {
                    if place == 0 {
                        return dice.roll(due);
                    }
                    place -= 1;
                    due.face_of_code((stratum / codes.pow(place) % codes) as u8)
                };
                play(process, start.clone(), roll, |point, outcome| *counts.entry((point, outcome)).or_default() += 1)?;
                played.add(1)?;
            }
            for (noted, count) in counts {
                let (sum, squares) = sums.entry(noted).or_default();
                *sum += count;
                *squares += u128::from(count) * u128::from(count);
            }
            Ok(())
        },
        |mut a, b| {
            for (noted, (sum, squares)) in b {
                plan.watch.look()?;
                let entry = a.entry(noted).or_default();
                *entry = (entry.0 + sum, entry.1 + squares);
            }
            Ok(a)
        },
    )?;
    let estimate = |((point, outcome), (count, squares)): ((Point, P::Outcome), (u64, u128))| {
        let (n, s) = (sequences as f64, strata as f64);
        // The sum over strata of p (1 - p), with p the share within the stratum.
        let within = (count as f64 / n - squares as f64 / (n * n)).max(0.0);
        let std_error = (within / (n - 1.0)).sqrt() / s;
        (point, outcome, Estimate { count, trials, std_error })
    };
    let mut estimates: Vec<_> = sums.into_iter().map(estimate).collect();
    estimates.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    Ok(estimates)
}
