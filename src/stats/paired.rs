//! Differences of paired samples: the same trials seen by two courses of action, as a run with common random numbers gives them.

use super::two_sided_z;

/// How often one of two proportions of the same trials had what the other had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedProportions {
    /// Trials counted in the second only.
    pub gained: u64,
    /// Trials counted in the first only.
    pub lost: u64,
    /// All trials, at least `gained + lost`.
    pub trials: u64,
}

impl PairedProportions {
    /// The second proportion less the first, -1 to 1; NaN without trials.
    pub fn difference(self) -> f64 {
        (self.gained as f64 - self.lost as f64) / self.trials as f64
    }

    /// Standard error of the difference, `sqrt(gained + lost - (gained - lost)^2 / n) / n`; NaN without trials.
    ///
    /// 0 where all trials say the same, which says nothing about the error left: see [`PairedProportions::interval`] for that.
    pub fn std_error(self) -> f64 {
        wald(self.gained as f64, self.lost as f64, self.trials as f64).1
    }

    /// The adjusted Wald interval `(low, high)` of this confidence (0 to 1, such as 0.95), within -1 to 1 and around the difference:
    /// that of the counts with half a trial more in each of the four cells of the table of both proportions.
    ///
    /// Without trials, or at a confidence of 1 or NaN, it is `(-1, 1)`. A. Agresti, Y. Min, *Simple Improved Confidence Intervals
    /// for Comparing Matched Proportions*, Statistics in Medicine 24 (2005), 729-740.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let z = two_sided_z(confidence);
        if self.trials == 0 || z.is_infinite() {
            return (-1.0, 1.0);
        }
        let (centre, std_error) = wald(self.gained as f64 + 0.5, self.lost as f64 + 0.5, self.trials as f64 + 2.0);
        let (half_width, difference) = (z * std_error, self.difference());
        ((centre - half_width).max(-1.0).min(difference), (centre + half_width).min(1.0).max(difference))
    }
}

/// The difference and its standard error.
fn wald(gained: f64, lost: f64, trials: f64) -> (f64, f64) {
    let net = gained - lost;
    // Rounding must not take it below 0.
    let variance = (gained + lost - net * net / trials).max(0.0);
    (net / trials, variance.sqrt() / trials)
}

/// The mean of a difference taken trial by trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedMean {
    /// Mean of the difference.
    pub mean: f64,
    /// Its variance in one trial.
    pub variance: f64,
    pub trials: u64,
}

impl PairedMean {
    /// The mean difference.
    pub fn difference(self) -> f64 {
        self.mean
    }

    /// Standard error of the mean, `sqrt(variance / n)`; NaN where the variance is.
    pub fn std_error(self) -> f64 {
        (self.variance / self.trials as f64).sqrt()
    }

    /// The interval `(low, high)` of this confidence (0 to 1, such as 0.95), by the normal approximation.
    ///
    /// Without a bound on the error, as with fewer than two trials or at a confidence of 1 or NaN, it is all numbers.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let half_width = two_sided_z(confidence) * self.std_error();
        if !half_width.is_finite() || self.trials < 2 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        (self.mean - half_width, self.mean + half_width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close((low, high): (f64, f64), expected: (f64, f64)) {
        assert!((low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6, "{low} to {high} instead of {expected:?}");
    }

    /// A. Agresti, *Categorical Data Analysis*, 2nd edition, section 10.1: of 1600 asked twice, 944 and then 880 approve of the prime
    /// minister, 150 no longer and 86 only now; at 95 % the difference is -0.06 to -0.02, its standard error 0.0095. By hand:
    /// -64 / 1600 = -0.04 and sqrt(236 - 64^2 / 1600) / 1600 = 0.0095492; adjusted -64 / 1602 = -0.0399501 and
    /// sqrt(237 - 64^2 / 1602) / 1602 = 0.0095578, times 1.959964 = 0.0187329.
    #[test]
    fn approval_asked_twice() {
        let paired = PairedProportions { gained: 86, lost: 150, trials: 1600 };
        assert_eq!(paired.difference(), -0.04);
        assert!((paired.std_error() - 0.009_549_2).abs() < 1e-7, "{}", paired.std_error());
        close(paired.interval(0.95), (-0.058_683, -0.021_217));
    }

    /// None of 10: (1/2 - 1/2) / 12 = 0 and sqrt(1) / 12, times 1.959964 = 0.163330. All of 10: 10 / 12 = 0.833333 and
    /// sqrt(11 - 100 / 12) / 12 = 0.136083, times 1.959964 = 0.266717: cut off at 1.
    #[test]
    fn at_none_and_at_all() {
        let none = PairedProportions { gained: 0, lost: 0, trials: 10 };
        assert_eq!((none.difference(), none.std_error()), (0.0, 0.0));
        close(none.interval(0.95), (-0.163_330, 0.163_330));
        let all = PairedProportions { gained: 10, lost: 0, trials: 10 };
        assert_eq!((all.difference(), all.std_error()), (1.0, 0.0));
        close(all.interval(0.95), (0.566_616, 1.0));
        close(all.interval(0.1), (0.833_333 - 0.017_100, 1.0));
        close(PairedProportions { gained: 0, lost: 10, trials: 10 }.interval(0.95), (-1.0, -0.566_616));
    }

    /// 9 / 900 = 0.1^2, and 1.959964 standard errors to either side.
    #[test]
    fn a_mean_and_its_error() {
        let paired = PairedMean { mean: 2.0, variance: 9.0, trials: 900 };
        assert_eq!((paired.difference(), paired.std_error()), (2.0, 0.1));
        close(paired.interval(0.95), (1.804_004, 2.195_996));
        close(PairedMean { mean: 0.0, variance: 0.0, trials: 9 }.interval(0.95), (0.0, 0.0));
    }

    #[test]
    fn intervals_without_a_bound_on_the_error() {
        assert_eq!(PairedProportions { gained: 0, lost: 0, trials: 0 }.interval(0.95), (-1.0, 1.0));
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(PairedMean { mean: f64::NAN, variance: f64::NAN, trials: 0 }.interval(0.95), all);
        assert_eq!(PairedMean { mean: 1.0, variance: f64::NAN, trials: 1 }.interval(0.95), all);
        for confidence in [1.0, f64::NAN] {
            assert_eq!(PairedProportions { gained: 3, lost: 1, trials: 9 }.interval(confidence), (-1.0, 1.0));
            assert_eq!(PairedMean { mean: 1.0, variance: 0.0, trials: 9 }.interval(confidence), all);
        }
    }

    #[test]
    fn the_interval_lies_around_the_difference() {
        for trials in 1..12u64 {
            for (gained, lost) in (0..=trials).flat_map(|gained| (0..=trials - gained).map(move |lost| (gained, lost))) {
                let (paired, mirrored) =
                    (PairedProportions { gained, lost, trials }, PairedProportions { gained: lost, lost: gained, trials });
                for confidence in [0.0, 0.1, 0.5, 0.95, 0.999] {
                    let (low, high) = paired.interval(confidence);
                    assert!(
                        -1.0 <= low && low <= paired.difference() && paired.difference() <= high && high <= 1.0,
                        "{paired:?}"
                    );
                    close(mirrored.interval(confidence), (-high, -low));
                }
            }
        }
    }
}
