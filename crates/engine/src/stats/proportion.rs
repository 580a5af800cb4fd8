//! Proportions of independent trials, with standard errors and confidence intervals.

use super::{FEW, two_sided_z};

/// A proportion: `count` of `trials` independent trials. `count` is at most `trials`.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::stats::Proportion;
///
/// let (low, high) = Proportion { count: 50, trials: 100 }.interval(0.95);
/// assert!(0.40 < low && low < 0.41 && 0.59 < high && high < 0.60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    /// The number of trials that count, such as those that noted an outcome.
    pub count: u64,
    pub trials: u64,
}

impl Proportion {
    /// Returns the proportion `count / trials`, 0 to 1; NaN without trials.
    pub fn estimate(self) -> f64 {
        self.count as f64 / self.trials as f64
    }

    /// Returns the standard error of the proportion by the binomial distribution,
    /// `sqrt(p (1 - p) / n)`; NaN without trials.
    ///
    /// It is 0 at a proportion of 0 or 1, where [`Proportion::interval`] has the true error.
    pub fn std_error(self) -> f64 {
        let estimate = self.estimate();
        (estimate * (1.0 - estimate) / self.trials as f64).sqrt()
    }

    /// Returns the interval `(low, high)` around the estimate at this confidence (0 to 1).
    ///
    /// Its limits are exact if fewer than 5 trials count, or fewer than 5 do not. Otherwise it is
    /// the score interval. Without trials, or at a confidence of 1 or NaN, it is `(0, 1)`.
    ///
    /// # Panics
    ///
    /// Debug builds panic if `count` is more than `trials`.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let Proportion { count, trials } = self;
        let z = two_sided_z(confidence);
        if trials == 0 || z.is_infinite() {
            return (0.0, 1.0);
        }
        let few = count.min(trials - count);
        if few >= FEW {
            return wilson(self.estimate(), trials as f64, z);
        }
        let tail = (1.0 - confidence.clamp(0.0, 1.0)) / 2.0;
        let share = few as f64 / trials as f64;
        let low = if few == 0 { 0.0 } else { share_with(few - 1, trials, 1.0 - tail).min(share) };
        let high = if few == trials { 1.0 } else { share_with(few, trials, tail).max(share) };
        if few == count { (low, high) } else { (1.0 - high, (1.0 - low).max(self.estimate())) }
    }
}

/// Returns the proportion at which up to `count` (below `trials`) trials have this `chance`.
fn share_with(count: u64, trials: u64, chance: f64) -> f64 {
    let n = trials as f64;
    let (mut low, mut high) = (0.0, 1.0);
    let mut share = (count as f64 + 1.0) / (n + 1.0);
    // Newton's steps, kept within the known bounds.
    for _ in 0..2000 {
        let mut term = (n * (-share).ln_1p()).exp();
        let mut at_most = term;
        for counted in 0..count {
            let counted = counted as f64;
            term *= (n - counted) / (counted + 1.0) * share / (1.0 - share);
            at_most += term;
        }
        if at_most > chance {
            low = share
        } else {
            high = share
        }
        let next = share + (at_most - chance) * (1.0 - share) / ((n - count as f64) * term);
        let next = if next > low && next < high { next } else { f64::midpoint(low, high) };
        if (next - share).abs() <= 1e-15 * share {
            return next;
        }
        share = next;
    }
    share
}

/// Returns the Wilson score interval, around the estimate. `trials` may be fractional, `z` finite.
pub(super) fn wilson(estimate: f64, trials: f64, z: f64) -> (f64, f64) {
    let centre = (estimate + z * z / (2.0 * trials)) / (1.0 + z * z / trials);
    let half_width = wilson_half_width(estimate, trials, z);
    ((centre - half_width).clamp(0.0, estimate), (centre + half_width).clamp(estimate, 1.0))
}

/// Returns the least number of trials (at least 1) for a Wilson interval of at most `half_width` to
/// either side of its middle. `probability` is the estimate.
///
/// A probability of 0.5 needs the most trials. The result is `u64::MAX` if no number of trials is
/// enough. That happens for a half width of 0, below 0 or NaN, and for a confidence of 1 or NaN. A
/// probability outside 0 to 1 counts as the nearer end, NaN as 0.5.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::stats::trials_for_half_width;
///
/// assert_eq!(trials_for_half_width(0.5, 0.01, 0.95), 9_600);
/// ```
pub fn trials_for_half_width(probability: f64, half_width: f64, confidence: f64) -> u64 {
    let z = two_sided_z(confidence);
    let probability = if probability.is_nan() { 0.5 } else { probability.clamp(0.0, 1.0) };
    let enough = |trials: u64| {
        z.is_finite() && wilson_half_width(probability, trials as f64, z) <= half_width
    };
    if !enough(u64::MAX) {
        return u64::MAX;
    }
    let (mut too_few, mut enough_trials) = (0, u64::MAX);
    while enough_trials - too_few > 1 {
        let middle = too_few + (enough_trials - too_few) / 2;
        if enough(middle) {
            enough_trials = middle;
        } else {
            too_few = middle;
        }
    }
    enough_trials
}

/// Returns half the width of the Wilson interval. `trials` must not be 0, and `z` must be finite.
fn wilson_half_width(probability: f64, trials: f64, z: f64) -> f64 {
    let variance = probability * (1.0 - probability) / trials + z * z / (4.0 * trials * trials);
    z * variance.sqrt() / (1.0 + z * z / trials)
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;
    use proptest::prelude::*;

    /// Textbooks give 0.4902 to 0.9433 for 8 of 10 at 95 %. For 0 of 10 the limits are 0 and z^2 /
    /// (n + z^2) = 3.8415 / 13.8415 = 0.2775.
    #[test]
    fn wilson_intervals_match_published_values() {
        let z = two_sided_z(0.95);
        let (low, high) = wilson(0.8, 10.0, z);
        close(low, 0.4902, 5e-5);
        close(high, 0.9433, 5e-5);
        close(wilson(0.0, 10.0, z).1, 3.841_458_821 / 13.841_458_821, 1e-9);
        close(wilson(1.0, 10.0, z).0, 10.0 / 13.841_458_821, 1e-9);
        let many = Proportion { count: 5, trials: 20 };
        assert_eq!(many.interval(0.95), wilson(0.25, 20.0, z));
    }

    /// The upper limit of 0 of n is 1 - 0.025^(1/n); tables give 0.3085 for n = 10. The limits of 2
    /// of 10 are 0.0252 and 0.5561, those of 1 of 20 are 0.0013 and 0.2487. For very many trials
    /// the limits times n are those of Poisson's distribution (F. Garwood, Biometrika 28, 1936): 0
    /// and 3.6889 for a count of 0, 0.0253 and 5.5716 for 1, 1.0899 and 10.2416 for 4.
    #[test]
    fn exact_limits_match_published_values() {
        let assert_limits = |count, trials, (low, high): (f64, f64), tolerance| {
            let interval = Proportion { count, trials }.interval(0.95);
            close(interval.0, low, tolerance);
            close(interval.1, high, tolerance);
            let mirrored = Proportion { count: trials - count, trials }.interval(0.95);
            close(mirrored.0, 1.0 - high, tolerance);
            close(mirrored.1, 1.0 - low, tolerance);
        };
        assert_limits(0, 10, (0.0, 1.0 - 0.025f64.powf(0.1)), 1e-12);
        assert_limits(0, 10, (0.0, 0.3085), 5e-5);
        assert_limits(2, 10, (0.0252, 0.5561), 5e-5);
        assert_limits(1, 20, (0.0013, 0.2487), 5e-5);
        for trials in [1_000_000, 100_000_000_000] {
            for (count, low, high) in
                [(0, 0.0, 3.688_879), (1, 0.025_318, 5.571_643), (4, 1.089_865, 10.241_589)]
            {
                let n = trials as f64;
                assert_limits(count, trials, (low / n, high / n), 1e-4 / n + 1e-16);
            }
        }
        assert_limits(1, 1, (0.025, 1.0), 1e-12);
    }

    fn coverage(intervals: &[(f64, f64)], share: f64) -> f64 {
        let trials = intervals.len() as f64 - 1.0;
        let (mut chance, mut sum) = ((trials * (-share).ln_1p()).exp(), 0.0);
        for (count, (low, high)) in intervals.iter().enumerate() {
            sum += if (low..=high).contains(&&share) { chance } else { 0.0 };
            chance *= (trials - count as f64) / (count as f64 + 1.0) * share / (1.0 - share);
        }
        sum
    }

    /// The coverage is computed exactly. Score intervals alone would cover 84 % at worst.
    #[test]
    fn intervals_cover_at_least_92_5_percent() {
        for trials in [100, 1_000, 20_000] {
            let intervals: Vec<_> =
                (0..=trials).map(|count| Proportion { count, trials }.interval(0.95)).collect();
            for (from, to, most) in
                [(0, 100, 1.0), (100, 500, 1.0), (500, 2_000, 0.96), (2_000, 5_000, 0.96)]
            {
                let expected =
                    (from + 1..=to).step_by(7).map(|hundredths| f64::from(hundredths) / 100.0);
                let all: Vec<f64> = expected
                    .map(|expected| coverage(&intervals, expected / trials as f64))
                    .collect();
                let (mean, least) = (
                    all.iter().sum::<f64>() / all.len() as f64,
                    all.iter().copied().fold(1.0, f64::min),
                );
                assert!(
                    (0.94..=most).contains(&mean) && least >= 0.925,
                    "{trials} trials, to {to}: {mean}, at least {least}"
                );
            }
        }
    }

    #[test]
    fn standard_error_is_binomial() {
        let half = Proportion { count: 50, trials: 100 };
        close(half.estimate(), 0.5, 0.0);
        close(half.std_error(), 0.05, 1e-15);
        assert_eq!(Proportion { count: 7, trials: 7 }.std_error(), 0.0);
    }

    #[test]
    fn intervals_without_information_are_unbounded() {
        assert_eq!(Proportion { count: 0, trials: 0 }.interval(0.95), (0.0, 1.0));
        assert_eq!(Proportion { count: 3, trials: 9 }.interval(1.0), (0.0, 1.0));
        assert_eq!(Proportion { count: 3, trials: 9 }.interval(f64::NAN), (0.0, 1.0));
    }

    /// At p = 1/2 the half width is z / (2 sqrt(n + z^2)), so n = z^2 (1 / (4 w^2) - 1). With z^2 =
    /// 3.841459 that is 9599.81 for w = 0.01, and 960360.87 for w = 0.001. At p = 0 the half width
    /// is z^2 / (2 (n + z^2)), so n = z^2 (1 / (2 w) - 1) = 188.23.
    #[test]
    fn trials_for_half_width_match_hand_computation() {
        assert_eq!(trials_for_half_width(0.5, 0.01, 0.95), 9_600);
        assert_eq!(trials_for_half_width(0.5, 0.001, 0.95), 960_361);
        assert_eq!(trials_for_half_width(0.0, 0.01, 0.95), 189);
        assert_eq!(trials_for_half_width(1.0, 0.01, 0.95), 189);
    }

    #[test]
    fn trials_for_extreme_half_widths_are_bounded() {
        assert_eq!(trials_for_half_width(0.5, 0.5, 0.95), 1);
        for half_width in [0.0, -1.0, f64::NAN] {
            assert_eq!(trials_for_half_width(0.5, half_width, 0.95), u64::MAX);
        }
        assert_eq!(trials_for_half_width(0.5, 0.1, 1.0), u64::MAX);
        assert_eq!(trials_for_half_width(0.5, 1e-12, 0.95), u64::MAX);
        assert_eq!(
            trials_for_half_width(f64::NAN, 0.01, 0.95),
            trials_for_half_width(0.5, 0.01, 0.95)
        );
    }

    fn seeded() -> ProptestConfig {
        let rng_seed = proptest::test_runner::RngSeed::Fixed(12);
        ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(seeded())]

        #[test]
        fn interval_contains_its_estimate(trials in 1..1_000_000u64, share in 0.0..=1.0f64, confidence in 0.0..=1.0f64) {
            let proportion = Proportion { count: (share * trials as f64) as u64, trials };
            let (low, high) = proportion.interval(confidence);
            prop_assert!(0.0 <= low && low <= proportion.estimate() && proportion.estimate() <= high && high <= 1.0);
        }

        #[test]
        fn interval_narrows_with_trials_and_widens_with_confidence(
            trials in 1..1_000_000u64, share in 0.0..=1.0f64, times in 2..50u64, confidence in 0.5..0.999f64,
        ) {
            let width = |(low, high)| high - low;
            let count = (share * trials as f64) as u64;
            let few = Proportion { count, trials };
            let many = Proportion { count: count * times, trials: trials * times };
            prop_assert!(width(many.interval(confidence)) < width(few.interval(confidence)));
            prop_assert!(width(few.interval(confidence * 0.9)) < width(few.interval(confidence)));
        }

        #[test]
        fn mirrored_proportion_has_the_mirrored_interval(trials in 1..100_000u64, share in 0.0..=1.0f64) {
            let count = (share * trials as f64) as u64;
            let (low, high) = Proportion { count, trials }.interval(0.95);
            let (mirrored_low, mirrored_high) = Proportion { count: trials - count, trials }.interval(0.95);
            prop_assert!((low - (1.0 - mirrored_high)).abs() < 1e-12 && (high - (1.0 - mirrored_low)).abs() < 1e-12);
        }

        #[test]
        fn trials_for_half_width_are_minimal(
            probability in 0.0..=1.0f64, half_width in 1e-5..0.4f64, confidence in 0.5..0.9999f64,
        ) {
            let trials = trials_for_half_width(probability, half_width, confidence);
            let z = two_sided_z(confidence);
            prop_assert!(wilson_half_width(probability, trials as f64, z) <= half_width);
            prop_assert!(trials == 1 || wilson_half_width(probability, (trials - 1) as f64, z) > half_width);
            prop_assert!(trials <= trials_for_half_width(0.5, half_width, confidence));
        }
    }
}
