//! Monte Carlo with the first rolls played over all their combinations.
//!
//! Every combination of the first K rolls, as codes of the process's base, is a stratum and gets the same number of sequences, so that chance is left only to the
//! rolls after them. The error is that within the strata, none at all where the first rolls decide; the intervals are those of
//! [`Strata`], and tests that rest on independent sequences do not apply.

use rustc_hash::FxHashMap;

use super::EngineError;
use super::monte_carlo::{Plan, over_jobs, play};
use super::watch::Sequences;
use crate::dice::Base;
use crate::dice::stream::Lane;
use crate::process::{Point, Process, Silent};
use crate::stats::{Part, Strata};

/// Most rolls that can be stratified: of DR 36^3 strata.
pub const MAX_ROLLS: u32 = 3;

/// Counts of one outcome, whole numbers in whatever order the strata come.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Sequences in strata that note it mostly.
    mostly: u64,
    /// Sequences that note it in the other strata, and the sum over strata of those that do times those that do not.
    seldom: (u64, u128),
    /// Those that do not in strata that mostly do, and the same sum.
    missed: (u64, u128),
}

impl Sums {
    fn add(&mut self, count: u64, sequences: u64) {
        let others = sequences - count;
        let part = if count > others {
            self.mostly += sequences;
            &mut self.missed
        } else {
            &mut self.seldom
        };
        part.0 += count.min(others);
        part.1 += u128::from(count) * u128::from(others);
    }

    fn joined(self, other: Sums) -> Sums {
        let part = |a: (u64, u128), b: (u64, u128)| (a.0 + b.0, a.1 + b.1);
        Sums {
            mostly: self.mostly + other.mostly,
            seldom: part(self.seldom, other.seldom),
            missed: part(self.missed, other.missed),
        }
    }

    fn estimate(self, trials: u64, sequences: u64) -> Strata {
        // A count x of n has the variance x (n - x) / n, which the sample underrates by (n - 1) / n.
        let part = |(count, products)| Part { count, variance: products as f64 / (sequences - 1) as f64 };
        Strata { trials, mostly: self.mostly, seldom: part(self.seldom), missed: part(self.missed) }
    }
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
pub fn run<P: Process>(process: &P, plan: &Plan, rolls: u32) -> Result<Vec<(Point, P::Outcome, Strata)>, EngineError> {
    let rolls = rolls.min(MAX_ROLLS);
    let codes = u64::from(P::BASE.codes());
    let strata = strata(P::BASE, rolls);
    let trials = rounded_trials(P::BASE, plan.trials, rolls);
    let sequences = trials / strata;
    let start = process.start(&mut Silent);
    let played = Sequences::of(plan.watch, trials);
    let sums = over_jobs(
        plan,
        strata,
        FxHashMap::default,
        |sums: &mut FxHashMap<(Point, P::Outcome), Sums>, stratum| {
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
                sums.entry(noted).or_default().add(count, sequences);
            }
            Ok(())
        },
        |mut a, b| {
            for (noted, sums) in b {
                plan.watch.look()?;
                let entry = a.entry(noted).or_default();
                *entry = entry.joined(sums);
            }
            Ok(a)
        },
    )?;
    let estimate = |((point, outcome), sums): ((Point, P::Outcome), Sums)| (point, outcome, sums.estimate(trials, sequences));
    let mut estimates: Vec<_> = sums.into_iter().map(estimate).collect();
    estimates.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    Ok(estimates)
}
