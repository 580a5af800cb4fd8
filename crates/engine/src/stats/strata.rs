//! Proportions of trials in strata of equal size, each with its own odds.

use super::proportion::wilson;
use super::{FEW, Proportion, of_difference, two_sided_z};

/// The number of trials that count in some strata, and the variance of that number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StratumCount {
    pub count: u64,
    pub variance: f64,
}

impl StratumCount {
    /// Returns limits of the count, as if there were no other strata. Exact limits are never too
    /// narrow over strata. Wilson's use the number of independent trials with the same variance.
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

    fn and(self, other: StratumCount) -> StratumCount {
        StratumCount { count: self.count + other.count, variance: self.variance + other.variance }
    }
}

/// A proportion of trials over strata of equal size. If most trials of a stratum count, its error
/// comes from the few that do not, which are kept separately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strata {
    pub trials: u64,
    /// The number of trials in *mostly* strata, in which more than half of the trials count.
    pub mostly: u64,
    /// The trials that count in the other strata.
    pub seldom: StratumCount,
    /// The trials that do not count in mostly strata.
    pub missed: StratumCount,
}

impl Strata {
    /// Returns the number of trials that count, over all strata.
    pub fn count(&self) -> u64 {
        self.mostly + self.seldom.count - self.missed.count
    }

    /// Returns the proportion of trials that count, 0 to 1; NaN without trials.
    pub fn estimate(&self) -> f64 {
        self.count() as f64 / self.trials as f64
    }

    /// Returns the standard error of the proportion, from the variance within the strata.
    pub fn std_error(&self) -> f64 {
        (self.seldom.variance + self.missed.variance).sqrt() / self.trials as f64
    }

    /// Returns the confidence interval `(low, high)`, within 0 to 1 and around the estimate.
    /// Without trials, or at a confidence of 1 or NaN, it is `(0, 1)`.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        if self.trials == 0 || two_sided_z(confidence).is_infinite() {
            return (0.0, 1.0);
        }
        // Without strata of one kind, the count of that kind has no error.
        let limits = |part: StratumCount, is_there: bool| {
            let count = part.count as f64;
            (count, if is_there { part.limits(self.trials, confidence) } else { (count, count) })
        };
        let seldom = limits(self.seldom, self.mostly < self.trials || self.seldom.count > 0);
        let missed = limits(self.missed, self.mostly > 0);
        let (low, high) = of_difference(seldom, missed);
        let (n, mostly, estimate) = (self.trials as f64, self.mostly as f64, self.estimate());
        (((mostly + low) / n).clamp(0.0, estimate), ((mostly + high) / n).clamp(estimate, 1.0))
    }

    /// Adds proportions of exclusive outcomes, without their covariance, which is never positive.
    pub fn or(self, other: Strata) -> Strata {
        Strata {
            trials: self.trials,
            mostly: self.mostly + other.mostly,
            seldom: self.seldom.and(other.seldom),
            missed: self.missed.and(other.missed),
        }
    }
}
