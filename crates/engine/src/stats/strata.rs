//! Shares of trials in strata of one size: every stratum has trials of its own, and odds of its
//! own.

use super::proportion::wilson;
use super::{FEW, Proportion, of_difference, two_sided_z};

/// A count, and the variance that it has within its strata.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    pub count: u64,
    pub variance: f64,
}

impl Part {
    /// Limits of the count, were there no other strata. Exact ones never are too narrow over
    /// strata, and Wilson's take as many trials as would have the same variance without them.
    fn limits(self, trials: u64, confidence: f64) -> (f64, f64) {
        let n = trials as f64;
        let (low, high) = match self.count {
            0..FEW => Proportion { count: self.count, trials }.interval(confidence),
            _ => {
                let share = self.count as f64 / n;
                let effective = (share * (1.0 - share) * n * n / self.variance).max(n);
                wilson(share, effective, two_sided_z(confidence))
            }
        };
        (low * n, high * n)
    }

    fn and(self, other: Part) -> Part {
        Part { count: self.count + other.count, variance: self.variance + other.variance }
    }
}

/// A share of trials over strata.
///
/// Where most trials of a stratum were counted, what is left to chance is the few that were not:
/// these are kept apart, so that an interval knows how little has been seen of either.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strata {
    /// Trials in all strata.
    pub trials: u64,
    /// Those in strata of which more than half were counted.
    pub mostly: u64,
    /// Trials counted in the other strata.
    pub seldom: Part,
    /// Trials not counted in strata of which more than half were.
    pub missed: Part,
}

impl Strata {
    /// Trials counted.
    pub fn count(&self) -> u64 {
        self.mostly + self.seldom.count - self.missed.count
    }

    /// The share of the trials that was counted, 0 to 1; NaN without trials.
    pub fn estimate(&self) -> f64 {
        self.count() as f64 / self.trials as f64
    }

    /// Standard error of the estimate, from the variance within the strata.
    pub fn std_error(&self) -> f64 {
        (self.seldom.variance + self.missed.variance).sqrt() / self.trials as f64
    }

    /// The interval of this confidence (0 to 1, such as 0.95), within 0 to 1 and around the
    /// estimate; without trials, or at a confidence of 1 or NaN, it is `(0, 1)`.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        if self.trials == 0 || two_sided_z(confidence).is_infinite() {
            return (0.0, 1.0);
        }
        // Where there are no strata of a kind, there is nothing to be unsure of.
        let limits = |part: Part, is_there: bool| {
            let count = part.count as f64;
            (count, if is_there { part.limits(self.trials, confidence) } else { (count, count) })
        };
        let seldom = limits(self.seldom, self.mostly < self.trials || self.seldom.count > 0);
        let missed = limits(self.missed, self.mostly > 0);
        let (low, high) = of_difference(seldom, missed);
        let (n, mostly, estimate) = (self.trials as f64, self.mostly as f64, self.estimate());
        (((mostly + low) / n).clamp(0.0, estimate), ((mostly + high) / n).clamp(estimate, 1.0))
    }

    /// Either of two outcomes that exclude each other. How they meet in a stratum is not kept; as
    /// one is the rarer the likelier the other, the sum of their variances is never too little.
    pub fn or(self, other: Strata) -> Strata {
        Strata {
            trials: self.trials,
            mostly: self.mostly + other.mostly,
            seldom: self.seldom.and(other.seldom),
            missed: self.missed.and(other.missed),
        }
    }
}
