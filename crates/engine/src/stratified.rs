//! Monte Carlo with all combinations of the first rolls enumerated.
//!
//! A stratum is one combination of the first K rolls. All strata get the same number of sequences,
//! so that chance is left only to the later rolls. The error is the one within the strata
//! ([`Strata`]). Tests that assume independent sequences do not apply.

use std::ops::AddAssign;

use super::EngineError;
use super::histogram::{Histogram, Observation};
use super::monitor::Sequences;
use super::monte_carlo::{Plan, over_jobs, play};
use crate::dice::Base;
use crate::dice::stream::DiceLane;
use crate::process::{Process, ReportIndex, Silent};
use crate::stats::{Strata, StratumCount};

/// The largest number of rolls that can be stratified. For DR it makes 36^3 strata.
pub const MAX_ROLLS: u32 = 3;

/// The counts of one outcome, summed over *mostly* and *seldom* strata (see [`Strata`]).
#[derive(Clone, Copy, Default)]
struct Sums {
    mostly: u64,
    /// The count of the outcome in seldom strata, and the sum of `count * (sequences - count)`.
    seldom: (u64, u128),
    /// The sequences of mostly strata that do not note the outcome, and the same sum.
    missed: (u64, u128),
}

impl Sums {
    fn new(count: u64, sequences: u64) -> Sums {
        let others = sequences - count;
        let part = (count.min(others), u128::from(count) * u128::from(others));
        match count > others {
            true => Sums { mostly: sequences, missed: part, ..Sums::default() },
            false => Sums { seldom: part, ..Sums::default() },
        }
    }

    fn estimate(self, trials: u64, sequences: u64) -> Strata {
        // The unbiased variance of a count x of n is x (n - x) / (n - 1).
        let part = |(count, products)| StratumCount {
            count,
            variance: products as f64 / (sequences - 1) as f64,
        };
        Strata { trials, mostly: self.mostly, seldom: part(self.seldom), missed: part(self.missed) }
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        let part = |a: &mut (u64, u128), b: (u64, u128)| *a = (a.0 + b.0, a.1 + b.1);
        self.mostly += other.mostly;
        part(&mut self.seldom, other.seldom);
        part(&mut self.missed, other.missed);
    }
}

/// Rounds `trials` up so that all strata of `rolls` rolls get equally many: for DR a multiple of
/// 36^rolls. Each stratum gets at least two sequences, since the variance of one is unknown.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::dice::Base;
/// use lowcrawl_engine::stratified::rounded_trials;
///
/// assert_eq!(rounded_trials(Base::Dr, 100, 1), 108);
/// ```
pub fn rounded_trials(base: Base, trials: u64, rolls: u32) -> u64 {
    let strata = strata(base, rolls);
    trials.div_ceil(strata).max(2) * strata
}

fn strata(base: Base, rolls: u32) -> u64 {
    u64::from(base.codes()).pow(rolls.min(MAX_ROLLS))
}

/// Estimates the odds of every outcome, by report and outcome, from [`rounded_trials`] of the plan.
///
/// # Errors
///
/// Fails in the same cases as [`super::monte_carlo::Simulator::run`].
pub fn run<P: Process>(
    process: &P,
    plan: &Plan,
    rolls: u32,
) -> Result<Vec<(ReportIndex, P::Outcome, Strata)>, EngineError> {
    let rolls = rolls.min(MAX_ROLLS);
    let codes = u64::from(P::BASE.codes());
    let strata = strata(P::BASE, rolls);
    let trials = rounded_trials(P::BASE, plan.trials, rolls);
    let sequences = trials / strata;
    let start = process.start(&mut Silent);
    let played = Sequences::new(plan.watch, trials);
    let sums = over_jobs(
        plan,
        strata,
        || Histogram::watched(plan.watch),
        |sums: &mut Histogram<P::Outcome, Sums>, stratum| {
            let mut counts = Histogram::watched(plan.watch);
            // No plain run has so many chunks.
            let mut dice = DiceLane::new(P::BASE, plan.seed, (1 << 63) + stratum, 0);
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
                counts.check()?;
                played.add(1)?;
            }
            for ((point, outcome), count) in counts.sorted()? {
                sums.add(point, outcome, Sums::new(count, sequences));
                sums.check()?;
            }
            Ok(())
        },
        Histogram::merged,
    )?;
    let estimate = |((point, outcome), sums): Observation<P::Outcome, Sums>| {
        (point, outcome, sums.estimate(trials, sequences))
    };
    Ok(sums.sorted()?.into_iter().map(estimate).collect())
}
