//! Statistics of counts: how far a Monte Carlo proportion can be trusted, how many trials a precision takes, and whether counts
//! fit exact probabilities; and how far a difference of courses of action with common random numbers can be.
//!
//! Everything here rests on plain independent sampling.

mod paired;

pub use paired::{PairedMean, PairedProportions};
use statrs::distribution::{ChiSquared as ChiSquaredDistribution, ContinuousCDF, Normal};

/// A count out of a number of independent trials; `count` is at most `trials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    pub count: u64,
    pub trials: u64,
}

impl Proportion {
    /// The share of the trials that was counted, 0 to 1; NaN without trials.
    pub fn estimate(self) -> f64 {
        self.count as f64 / self.trials as f64
    }

    /// Standard error of the estimate by the binomial distribution, `sqrt(p (1 - p) / n)`; NaN without trials.
    ///
    /// 0 at a count of none or all, which says nothing about the error left: see [`Proportion::wilson`] for that.
    pub fn std_error(self) -> f64 {
        let estimate = self.estimate();
        (estimate * (1.0 - estimate) / self.trials as f64).sqrt()
    }

    /// The score interval `(low, high)` of this confidence (0 to 1, such as 0.95), within 0 to 1 and around the estimate.
    ///
    /// Without trials, or at a confidence of 1 or NaN, it is `(0, 1)`. E. B. Wilson, *Probable Inference, the Law of Succession,
    /// and Statistical Inference*, Journal of the American Statistical Association 22 (1927), 209-212.
    pub fn wilson(self, confidence: f64) -> (f64, f64) {
        let z = two_sided_z(confidence);
        if self.trials == 0 || z.is_infinite() {
            return (0.0, 1.0);
        }
        let (estimate, trials) = (self.estimate(), self.trials as f64);
        let centre = (estimate + z * z / (2.0 * trials)) / (1.0 + z * z / trials);
        let half_width = wilson_half_width(estimate, trials, z);
        // At none and at all the interval ends there exactly, rounding or not; it never leaves the estimate out.
        let low = if self.count == 0 { 0.0 } else { (centre - half_width).clamp(0.0, 1.0).min(estimate) };
        let high = if self.count == self.trials { 1.0 } else { (centre + half_width).clamp(0.0, 1.0).max(estimate) };
        (low, high)
    }
}

/// The interval of an estimate with a standard error of its own, by the normal approximation, within 0 to 1.
pub fn normal_interval(estimate: f64, std_error: f64, confidence: f64) -> (f64, f64) {
    let half_width = normal_half_width(std_error, confidence);
    ((estimate - half_width).clamp(0.0, 1.0), (estimate + half_width).clamp(0.0, 1.0))
}

/// Half the width of the interval of an estimate that is no probability, by the normal approximation.
pub fn normal_half_width(std_error: f64, confidence: f64) -> f64 {
    two_sided_z(confidence) * std_error
}

/// The fewest trials (at least 1) for which the Wilson interval around `probability` is at most `half_width` to either side of
/// its middle, at this confidence.
///
/// A probability of 0.5 wants the most trials. The result is `u64::MAX` where no number of trials is enough: a half width of 0,
/// below 0 or NaN, or a confidence of 1 or NaN. A probability outside 0 to 1 counts as the nearer end, NaN as 0.5.
pub fn trials_for_half_width(probability: f64, half_width: f64, confidence: f64) -> u64 {
    let z = two_sided_z(confidence);
    let probability = if probability.is_nan() { 0.5 } else { probability.clamp(0.0, 1.0) };
    let enough = |trials: u64| z.is_finite() && wilson_half_width(probability, trials as f64, z) <= half_width;
    if !enough(u64::MAX) {
        return u64::MAX;
    }
    // The half width falls with the trials, whatever the probability.
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

/// Half the width of the Wilson interval; `trials` is not 0, `z` finite.
fn wilson_half_width(probability: f64, trials: f64, z: f64) -> f64 {
    let variance = probability * (1.0 - probability) / trials + z * z / (4.0 * trials * trials);
    z * variance.sqrt() / (1.0 + z * z / trials)
}

/// How many standard deviations either side of the mean hold this share of a normal distribution: 1.96 for 0.95.
fn two_sided_z(confidence: f64) -> f64 {
    if confidence.is_nan() {
        return f64::INFINITY;
    }
    -Normal::standard().inverse_cdf((1.0 - confidence.clamp(0.0, 1.0)) / 2.0)
}

/// Result of a chi-squared test of goodness of fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// `sum((observed - expected)^2 / expected)` over the pooled cells.
    pub statistic: f64,
    /// Pooled cells less one.
    pub degrees_of_freedom: u64,
    /// How likely counts of the expected distribution are to be at least this far off, 0 to 1.
    pub p_value: f64,
}

/// Why counts cannot be tested against probabilities.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChiSquaredError {
    /// Every count needs its probability.
    #[error("{observed} counts cannot be tested against {expected} probabilities")]
    LengthsDiffer { observed: usize, expected: usize },
    /// The probabilities are negative, NaN, or do not sum to 1 within 1e-9.
    #[error("the expected probabilities are no distribution: they sum to {sum}")]
    NoDistribution { sum: f64 },
    /// Nothing was observed.
    #[error("there are no observations to test")]
    NoObservations,
    /// Something was observed that cannot happen.
    #[error("cell {cell} was observed {count} time(s), but its probability is 0")]
    Impossible { cell: usize, count: u64 },
}

/// Least expected count of a cell that stands by itself.
const LEAST_EXPECTED: f64 = 5.0;
/// How far the sum of the expected probabilities may be from 1.
const SUM_TOLERANCE: f64 = 1e-9;

/// Tests whether counts come from exact probabilities that sum to 1, by Pearson's chi-squared test of goodness of fit.
///
/// Both slices have one entry per cell. Cells whose expected count is under 5 are pooled into one, and if that is still under 5
/// it joins the smallest cell left: W. G. Cochran, *Some Methods for Strengthening the Common Chi-squared Tests*, Biometrics
/// 10 (1954), 417-451. Cells of probability 0 take no part. Where a single cell is left nothing can be contradicted: the
/// statistic is 0 with 0 degrees of freedom and a p-value of 1.
///
/// Fails if the lengths differ, the probabilities are no distribution, nothing was observed, or a cell of probability 0 was.
pub fn chi_squared(observed: &[u64], expected_probabilities: &[f64]) -> Result<ChiSquared, ChiSquaredError> {
    let (cells, expected) = (observed.len(), expected_probabilities.len());
    if cells != expected {
        return Err(ChiSquaredError::LengthsDiffer { observed: cells, expected });
    }
    let sum = expected_probabilities.iter().fold(0.0, |sum, probability| sum + probability);
    let possible = |&probability: &f64| probability >= 0.0;
    if !expected_probabilities.iter().all(possible) || (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(ChiSquaredError::NoDistribution { sum });
    }
    let trials: f64 = observed.iter().map(|&count| count as f64).sum();
    if trials == 0.0 {
        return Err(ChiSquaredError::NoObservations);
    }
    let cells = observed.iter().zip(expected_probabilities);
    if let Some((cell, (&count, _))) =
        cells.clone().enumerate().find(|(_, (count, probability))| **count > 0 && **probability == 0.0)
    {
        return Err(ChiSquaredError::Impossible { cell, count });
    }
    let cells = cells.filter(|(_, probability)| **probability > 0.0);
    let pooled =
        pool(cells.map(|(&count, probability)| Cell { observed: count as f64, expected: trials * probability }).collect());
    let degrees_of_freedom = pooled.len() as u64 - 1;
    if degrees_of_freedom == 0 {
        return Ok(ChiSquared { statistic: 0.0, degrees_of_freedom, p_value: 1.0 });
    }
    let statistic = pooled.iter().map(Cell::deviation).sum();
    let distribution = ChiSquaredDistribution::new(degrees_of_freedom as f64);
    // Only a freedom of 0 has no distribution.
    let p_value = distribution.map_or(1.0, |distribution| distribution.sf(statistic));
    Ok(ChiSquared { statistic, degrees_of_freedom, p_value })
}

/// Counts of one cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    observed: f64,
    expected: f64,
}

impl Cell {
    fn deviation(&self) -> f64 {
        (self.observed - self.expected).powi(2) / self.expected
    }

    fn join(self, other: &Cell) -> Cell {
        Cell { observed: self.observed + other.observed, expected: self.expected + other.expected }
    }
}

/// Pools the cells with too small an expected count.
fn pool(cells: Vec<Cell>) -> Vec<Cell> {
    let (mut large, small): (Vec<Cell>, Vec<Cell>) = cells.into_iter().partition(|cell| cell.expected >= LEAST_EXPECTED);
    let Some(pool) = small.iter().copied().reduce(|pool, cell| pool.join(&cell)) else { return large };
    let smallest = large.iter_mut().min_by(|a, b| a.expected.total_cmp(&b.expected));
    match smallest {
        Some(smallest) if pool.expected < LEAST_EXPECTED => *smallest = smallest.join(&pool),
        _ => large.push(pool),
    }
    large
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.959964 standard errors to either side.
    #[test]
    fn normal_intervals() {
        let (low, high) = normal_interval(0.5, 0.01, 0.95);
        assert!((low - 0.480_400_36).abs() < 1e-8 && (high - 0.519_599_64).abs() < 1e-8, "{low} {high}");
        assert_eq!(normal_interval(0.001, 0.01, 0.95).0, 0.0);
    }
    use proptest::prelude::*;

    fn close(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} instead of {expected}");
    }

    /// 1.959964 is the 97.5 % point, 2.575829 the 99.5 % point of the standard normal distribution in every table.
    #[test]
    fn two_sided_points_of_the_normal_distribution() {
        close(two_sided_z(0.95), 1.959_963_985, 1e-9);
        close(two_sided_z(0.99), 2.575_829_304, 1e-9);
        close(two_sided_z(0.0), 0.0, 1e-15);
        assert_eq!(two_sided_z(1.0), f64::INFINITY);
    }

    /// 8 of 10 at 95 %: 0.4902 to 0.9433, a figure of many textbooks. 0 of 10: 0 to z^2 / (n + z^2) = 3.8415 / 13.8415 = 0.2775.
    #[test]
    fn published_wilson_intervals() {
        let (low, high) = Proportion { count: 8, trials: 10 }.wilson(0.95);
        close(low, 0.4902, 5e-5);
        close(high, 0.9433, 5e-5);
        let (low, high) = Proportion { count: 0, trials: 10 }.wilson(0.95);
        assert_eq!(low, 0.0);
        close(high, 3.841_458_821 / 13.841_458_821, 1e-9);
        let (low, high) = Proportion { count: 10, trials: 10 }.wilson(0.95);
        close(low, 10.0 / 13.841_458_821, 1e-9);
        assert_eq!(high, 1.0);
    }

    /// A fair coin thrown 100 times: sqrt(0.25 / 100) = 0.05.
    #[test]
    fn binomial_standard_error() {
        let half = Proportion { count: 50, trials: 100 };
        close(half.estimate(), 0.5, 0.0);
        close(half.std_error(), 0.05, 1e-15);
        assert_eq!(Proportion { count: 7, trials: 7 }.std_error(), 0.0);
    }

    #[test]
    fn intervals_without_a_bound_on_the_error() {
        assert_eq!(Proportion { count: 0, trials: 0 }.wilson(0.95), (0.0, 1.0));
        assert_eq!(Proportion { count: 3, trials: 9 }.wilson(1.0), (0.0, 1.0));
        assert_eq!(Proportion { count: 3, trials: 9 }.wilson(f64::NAN), (0.0, 1.0));
    }

    /// At p = 1/2 the half width is z / (2 sqrt(n + z^2)), so n = z^2 (1 / (4 w^2) - 1): for w = 0.01 and z^2 = 3.841459 that is
    /// 9599.81, for w = 0.001 it is 960360.87. At p = 0 it is z^2 / (2 (n + z^2)), so n = z^2 (1 / (2 w) - 1) = 188.23.
    #[test]
    fn trials_worked_out_by_hand() {
        assert_eq!(trials_for_half_width(0.5, 0.01, 0.95), 9_600);
        assert_eq!(trials_for_half_width(0.5, 0.001, 0.95), 960_361);
        assert_eq!(trials_for_half_width(0.0, 0.01, 0.95), 189);
        assert_eq!(trials_for_half_width(1.0, 0.01, 0.95), 189);
    }

    #[test]
    fn trials_at_the_ends() {
        assert_eq!(trials_for_half_width(0.5, 0.5, 0.95), 1);
        for half_width in [0.0, -1.0, f64::NAN] {
            assert_eq!(trials_for_half_width(0.5, half_width, 0.95), u64::MAX);
        }
        assert_eq!(trials_for_half_width(0.5, 0.1, 1.0), u64::MAX);
        assert_eq!(trials_for_half_width(0.5, 1e-12, 0.95), u64::MAX);
        assert_eq!(trials_for_half_width(f64::NAN, 0.01, 0.95), trials_for_half_width(0.5, 0.01, 0.95));
    }

    /// Mendel's peas (1866), 315 : 108 : 101 : 32 against 9 : 3 : 3 : 1, as in Pearson's tradition: 0.470 with 3 degrees of
    /// freedom, p = 0.925. By hand: 2.25^2/312.75 + 3.75^2/104.25 + 3.25^2/104.25 + 2.75^2/34.75 = 0.470024.
    #[test]
    fn mendels_peas() {
        let test = chi_squared(&[315, 108, 101, 32], &[9.0 / 16.0, 3.0 / 16.0, 3.0 / 16.0, 1.0 / 16.0]).unwrap();
        close(test.statistic, 0.470_024, 1e-6);
        assert_eq!(test.degrees_of_freedom, 3);
        close(test.p_value, 0.925_426, 1e-5);
    }

    /// 60 heads of 100: (10^2 + 10^2) / 50 = 4, that is 2 standard deviations, which 4.55 % of samples exceed.
    #[test]
    fn sixty_heads_of_a_hundred() {
        let test = chi_squared(&[60, 40], &[0.5, 0.5]).unwrap();
        close(test.statistic, 4.0, 1e-12);
        close(test.p_value, 0.045_500_264, 1e-8);
        assert_eq!(chi_squared(&[50, 50], &[0.5, 0.5]).unwrap().p_value, 1.0);
    }

    /// Cochran: expected 90, 6, 2, 2 of 100. The two 2 come to 4, still under 5, and join the 6: cells of 90 and 10, observed 80
    /// and 20: 100/90 + 100/10 = 11.11. Of 200 the two 4 come to 8 and stand: cells of 180, 12, 8.
    #[test]
    fn small_cells_are_pooled() {
        let probabilities = [0.9, 0.06, 0.02, 0.02];
        let test = chi_squared(&[80, 10, 4, 6], &probabilities).unwrap();
        close(test.statistic, 100.0 / 9.0, 1e-9);
        assert_eq!(test.degrees_of_freedom, 1);
        let test = chi_squared(&[180, 10, 4, 6], &probabilities).unwrap();
        close(test.statistic, 4.0 / 12.0 + 4.0 / 8.0, 1e-9);
        assert_eq!(test.degrees_of_freedom, 2);
    }

    #[test]
    fn one_cell_contradicts_nothing() {
        let certain = ChiSquared { statistic: 0.0, degrees_of_freedom: 0, p_value: 1.0 };
        assert_eq!(chi_squared(&[7, 0], &[1.0, 0.0]), Ok(certain));
        assert_eq!(chi_squared(&[2, 1], &[0.5, 0.5]), Ok(certain));
    }

    #[test]
    fn what_cannot_be_tested() {
        let text = |observed: &[u64], expected: &[f64]| chi_squared(observed, expected).unwrap_err().to_string();
        assert_eq!(text(&[1, 2], &[1.0]), "2 counts cannot be tested against 1 probabilities");
        assert_eq!(text(&[10, 1], &[1.0, 0.0]), "cell 1 was observed 1 time(s), but its probability is 0");
        assert_eq!(text(&[0, 0], &[0.5, 0.5]), "there are no observations to test");
        assert_eq!(text(&[1, 1], &[0.5, 0.25]), "the expected probabilities are no distribution: they sum to 0.75");
        assert_eq!(text(&[1, 1], &[1.5, -0.5]), "the expected probabilities are no distribution: they sum to 1");
        assert_eq!(text(&[1], &[f64::NAN]), "the expected probabilities are no distribution: they sum to NaN");
        assert_eq!(text(&[], &[]), "the expected probabilities are no distribution: they sum to 0");
    }

    fn seeded() -> ProptestConfig {
        let rng_seed = proptest::test_runner::RngSeed::Fixed(12);
        ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(seeded())]

        #[test]
        fn an_interval_lies_around_its_estimate(trials in 1..1_000_000u64, share in 0.0..=1.0f64, confidence in 0.0..=1.0f64) {
            let proportion = Proportion { count: (share * trials as f64) as u64, trials };
            let (low, high) = proportion.wilson(confidence);
            prop_assert!(0.0 <= low && low <= proportion.estimate() && proportion.estimate() <= high && high <= 1.0);
        }

        #[test]
        fn an_interval_narrows_with_trials_and_widens_with_confidence(
            trials in 1..1_000_000u64, share in 0.0..=1.0f64, times in 2..50u64, confidence in 0.5..0.999f64,
        ) {
            let width = |(low, high)| high - low;
            let count = (share * trials as f64) as u64;
            let few = Proportion { count, trials };
            let many = Proportion { count: count * times, trials: trials * times };
            prop_assert!(width(many.wilson(confidence)) < width(few.wilson(confidence)));
            prop_assert!(width(few.wilson(confidence * 0.9)) < width(few.wilson(confidence)));
        }

        #[test]
        fn the_mirror_image_has_the_mirrored_interval(trials in 1..100_000u64, share in 0.0..=1.0f64) {
            let count = (share * trials as f64) as u64;
            let (low, high) = Proportion { count, trials }.wilson(0.95);
            let (mirrored_low, mirrored_high) = Proportion { count: trials - count, trials }.wilson(0.95);
            prop_assert!((low - (1.0 - mirrored_high)).abs() < 1e-12 && (high - (1.0 - mirrored_low)).abs() < 1e-12);
        }

        #[test]
        fn trials_are_enough_and_one_less_is_not(
            probability in 0.0..=1.0f64, half_width in 1e-5..0.4f64, confidence in 0.5..0.9999f64,
        ) {
            let trials = trials_for_half_width(probability, half_width, confidence);
            let z = two_sided_z(confidence);
            prop_assert!(wilson_half_width(probability, trials as f64, z) <= half_width);
            prop_assert!(trials == 1 || wilson_half_width(probability, (trials - 1) as f64, z) > half_width);
            prop_assert!(trials <= trials_for_half_width(0.5, half_width, confidence));
        }

        #[test]
        fn a_fit_has_a_probability(counts in prop::collection::vec((0..1000u64, 1..100u32), 1..20)) {
            let (observed, weights): (Vec<u64>, Vec<u32>) = counts.into_iter().unzip();
            prop_assume!(observed.iter().any(|&count| count > 0));
            let total: u32 = weights.iter().sum();
            let probabilities: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / f64::from(total)).collect();
            let test = chi_squared(&observed, &probabilities).unwrap();
            prop_assert!(test.statistic >= 0.0 && (0.0..=1.0).contains(&test.p_value));
            prop_assert!(test.degrees_of_freedom < observed.len() as u64);
        }
    }
}
