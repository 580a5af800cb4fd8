//! Differences of paired samples: the same trials seen by two courses of action, as a run with common random numbers gives them.

use super::{FEW, Proportion, of_difference, two_sided_z};

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
        let (net, trials) = (self.gained as f64 - self.lost as f64, self.trials as f64);
        // Rounding must not take it below 0.
        ((self.gained + self.lost) as f64 - net * net / trials).max(0.0).sqrt() / trials
    }

    /// The interval `(low, high)` of this confidence (0 to 1, such as 0.95), within -1 to 1 and around the difference: put together from
    /// exact limits of what is gained and of what is lost where these are less than 5 trials, and the score interval otherwise.
    ///
    /// Without trials, or at a confidence of 1 or NaN, it is `(-1, 1)`.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let z = two_sided_z(confidence);
        if self.trials == 0 || z.is_infinite() {
            return (-1.0, 1.0);
        }
        let difference = self.difference();
        let (low, high) = if self.gained + self.lost < FEW {
            let part = |count| {
                let share = Proportion { count, trials: self.trials };
                (share.estimate(), share.interval(confidence))
            };
            of_difference(part(self.gained), part(self.lost))
        } else {
            let mirrored = PairedProportions { gained: self.lost, lost: self.gained, ..self };
            (self.least(z), -mirrored.least(z))
        };
        (low.clamp(-1.0, difference), high.clamp(difference, 1.0))
    }

    /// Tango's lower limit: the least difference that is not more than `z` standard errors of its own away.
    fn least(self, z: f64) -> f64 {
        let (gained, lost, n) = (self.gained as f64, self.lost as f64, self.trials as f64);
        let is_too_low = |difference: f64| {
            // The likeliest share of lost trials, if the difference is this: the greater root of a quadratic equation.
            let half = (2.0 * n - gained + lost) * difference - gained - lost;
            let squared = half * half + 8.0 * n * lost * difference * (1.0 - difference);
            let of_lost = ((squared.max(0.0).sqrt() - half) / (4.0 * n)).max(0.0).max(-difference);
            let variance = (2.0 * of_lost + difference * (1.0 - difference)).max(0.0);
            gained - lost - n * difference > z * (n * variance).sqrt()
        };
        let (mut low, mut high) = (-1.0, self.difference());
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if is_too_low(middle) { low = middle } else { high = middle }
        }
        high
    }
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
    /// -64 / 1600 = -0.04 and sqrt(236 - 64^2 / 1600) / 1600 = 0.0095492.
    #[test]
    fn approval_asked_twice() {
        let paired = PairedProportions { gained: 86, lost: 150, trials: 1600 };
        assert_eq!(paired.difference(), -0.04);
        assert!((paired.std_error() - 0.009_549_2).abs() < 1e-7, "{}", paired.std_error());
        let (low, high) = paired.interval(0.95);
        assert!((low + 0.06).abs() < 0.002 && (high + 0.02).abs() < 0.002, "{low} {high}");
    }

    /// M. W. Fagerland, S. Lydersen, P. Laake, *Statistical Analysis of Contingency Tables* (2017), chapter 8: of 21 children the airways of
    /// 7 respond only before a transplantation and those of 1 only after it: -0.286 (-0.517 to -0.026).
    #[test]
    fn published_score_interval() {
        let (low, high) = PairedProportions { gained: 1, lost: 7, trials: 21 }.interval(0.95);
        assert!((low + 0.517).abs() < 5e-4 && (high + 0.026).abs() < 5e-4, "{low} {high}");
    }

    /// Squared, the equation of the score limits is one of the fourth degree: Z. Yang, X. Sun, J. W. Hardin, *A Non-iterative Implementation
    /// of Tango's Score Confidence Interval for a Paired Difference of Proportions*, Statistics in Medicine 32 (2013), 1336-1342. The
    /// limits lie at two of its roots; where nothing is lost, the upper one is Wilson's.
    #[test]
    fn score_limits_are_roots() {
        for (gained, lost, trials) in
            [(16u64, 6u64, 161u64), (1, 7, 21), (40, 20, 160), (3, 9, 5_000), (12, 0, 40), (7, 7, 100_000)]
        {
            let (low, high) = PairedProportions { gained, lost, trials }.interval(0.95);
            let [n, net, sum] = [trials as f64, gained as f64 - lost as f64, (gained + lost) as f64];
            let g = two_sided_z(0.95).powi(2);
            let polynomial = |x: f64| {
                n * n * (n / g + 1.0).powi(2) * x.powi(4) - n * net * (n / g + 1.0) * (4.0 * n / g + 1.0) * x.powi(3)
                    + (2.0 * n * net * net * (3.0 * n / g + 2.0) / g - n * n * (sum / g + 1.0)) * x * x
                    + (n * net * (2.0 * sum / g + 1.0) - net.powi(3) * (4.0 * n / g + 1.0) / g) * x
                    + net * net * (net * net / g - sum) / g
            };
            for limit in [low, high] {
                let beside = [limit - 1e-6 * (high - low), limit + 1e-6 * (high - low)].map(polynomial);
                assert!(beside[0] * beside[1] < 0.0, "{gained} {lost} {trials}: {limit}");
            }
        }
        for (gained, trials) in [(5, 20), (9, 1000), (40, 1_000_000), (700, 100_000_000_000)] {
            let (_, high) = PairedProportions { gained, lost: 0, trials }.interval(0.95);
            let (_, most) = Proportion { count: gained, trials }.interval(0.95);
            assert!((high / most - 1.0).abs() < 1e-9, "{high} {most}");
        }
    }

    /// None of 10, whose exact upper limit is 1 - 0.025^(1/10) = 0.308497, both ways. 2 of 10 are 0.025211 to 0.556095: with none lost
    /// 0.2 - hypot(0.174789, 0.308497) to 0.556095.
    #[test]
    fn at_none_and_at_all() {
        let none = PairedProportions { gained: 0, lost: 0, trials: 10 };
        assert_eq!((none.difference(), none.std_error()), (0.0, 0.0));
        close(none.interval(0.95), (-0.308_497, 0.308_497));
        close(PairedProportions { gained: 2, lost: 0, trials: 10 }.interval(0.95), (0.2 - 0.354_573, 0.556_095));
        let all = PairedProportions { gained: 10, lost: 0, trials: 10 };
        assert_eq!((all.difference(), all.std_error()), (1.0, 0.0));
        let (low, high) = all.interval(0.95);
        assert!((low - 0.444_934).abs() < 1e-6 && high == 1.0, "{low} {high}");
        assert_eq!(PairedProportions { gained: 0, lost: 10, trials: 10 }.interval(0.95), (-1.0, -low));
    }

    /// The coverage itself, of pairs that differ this often in 200 trials, this part of them the other way: no run, no seed.
    #[test]
    fn coverage_by_expected_count() {
        let trials = 200;
        let intervals: Vec<Vec<(f64, f64)>> = (0..60)
            .map(|gained| (0..60).map(|lost| PairedProportions { gained, lost, trials }.interval(0.95)).collect())
            .collect();
        let coverage = |expected: f64, part: f64| {
            let [plus, minus] = [expected * (1.0 - part), expected * part].map(|expected| expected / trials as f64);
            let mut sum = 0.0;
            // Chances of so many gained, and of so many lost of the others.
            let mut of_gained = (1.0 - plus).powi(trials as i32);
            for (gained, of_lost) in intervals.iter().enumerate() {
                let (others, odds) = (trials as f64 - gained as f64, minus / (1.0 - plus));
                let mut chance = of_gained * (others * (-odds).ln_1p()).exp();
                for (lost, (low, high)) in of_lost.iter().enumerate() {
                    sum += if (low - 1e-12..=high + 1e-12).contains(&(plus - minus)) { chance } else { 0.0 };
                    chance *= (others - lost as f64) / (lost as f64 + 1.0) * odds / (1.0 - odds);
                }
                of_gained *= others / (gained as f64 + 1.0) * plus / (1.0 - plus);
            }
            sum
        };
        for part in [0.0, 0.05, 0.2, 0.35, 0.5] {
            for (from, to, most) in [(0, 10, 1.0), (10, 50, 1.0), (50, 200, 0.965), (200, 300, 0.96)] {
                let all: Vec<f64> = (from + 1..=to).step_by(3).map(|tenths| coverage(f64::from(tenths) / 10.0, part)).collect();
                let (mean, least) = (all.iter().sum::<f64>() / all.len() as f64, all.iter().copied().fold(1.0, f64::min));
                assert!((0.94..=most).contains(&mean) && least >= 0.925, "{part}, to {to}: {mean}, at least {least}");
            }
        }
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
