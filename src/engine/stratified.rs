//! Monte Carlo with the first rolls played over all their combinations.
//!
//! Every combination of the first K rolls, as codes of the process's base, is a stratum and gets the same number of sequences, so that chance is left only to the
//! rolls after them. What the first rolls decide has no error at all. The error is that within the strata; the usual intervals and
//! tests, which rest on independent sequences, do not apply.

use std::ops::AddAssign;

use super::EngineError;
use super::monte_carlo::{Plan, over_jobs, play};
use super::tally::{Noted, Tally};
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
    // Whole numbers, in whatever order they come.
    let sums = over_jobs(
        plan,
        strata,
        || Tally::watched(plan.watch),
        |sums: &mut Tally<P::Outcome, Sums>, stratum| {
            let mut counts = Tally::watched(plan.watch);
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
                play(process, start.clone(), roll, |point, outcome| counts.add(point, outcome, 1))?;
                counts.tidy()?;
                played.add(1)?;
            }
            for ((point, outcome), count) in counts.sorted()? {
                let count: u64 = count;
                sums.add(point, outcome, Sums { count, squares: u128::from(count) * u128::from(count) });
                sums.tidy()?;
            }
            Ok(())
        },
        Tally::merged,
    )?;
    let estimate = |((point, outcome), Sums { count, squares }): Noted<P::Outcome, Sums>| {
        let (n, s) = (sequences as f64, strata as f64);
        // The sum over strata of p (1 - p), with p the share within the stratum.
        let within = (count as f64 / n - squares as f64 / (n * n)).max(0.0);
        let std_error = (within / (n - 1.0)).sqrt() / s;
        (point, outcome, Estimate { count, trials, std_error })
    };
    Ok(sums.sorted()?.into_iter().map(estimate).collect())
}

/// The sum of the counts by stratum of an outcome, and that of their squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: u64,
    squares: u128,
}

impl AddAssign for Sums {
    fn add_assign(&mut self, more: Sums) {
        (self.count, self.squares) = (self.count + more.count, self.squares + more.squares);
    }
}
