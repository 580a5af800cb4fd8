//! Differences between two courses of action on the same trials (common random numbers).

use statrs::function::gamma::gamma_lr;

use super::{FEW, Proportion, of_difference, two_sided_z};

/// The numbers of trials that count (such as note an outcome) in only one of two courses of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedProportions {
    /// The number of trials in which only the second course counts.
    pub gained: u64,
    /// The number of trials in which only the first course counts.
    pub lost: u64,
    /// The number of all trials, at least `gained + lost`.
    pub trials: u64,
}

impl PairedProportions {
    /// Returns `(gained - lost) / trials`, from -1 to 1; NaN without trials.
    pub fn difference(self) -> f64 {
        (self.gained as f64 - self.lost as f64) / self.trials as f64
    }

    /// Returns the standard error of the difference,
    /// `sqrt(gained + lost - (gained - lost)^2 / n) / n`; NaN without trials.
    ///
    /// It is 0 if all trials agree, where [`PairedProportions::interval`] has the true error.
    pub fn std_error(self) -> f64 {
        let (net, trials) = (self.gained as f64 - self.lost as f64, self.trials as f64);
        // Rounding must not make the variance negative.
        ((self.gained + self.lost) as f64 - net * net / trials).max(0.0).sqrt() / trials
    }

    /// Returns the interval `(low, high)` around the difference at this confidence (0 to 1).
    ///
    /// If fewer than 5 trials differ, the interval combines exact limits of gains and of losses.
    /// Otherwise it is Tango's score interval. Without trials, or at a confidence of 1 or NaN, it
    /// is `(-1, 1)`.
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
            let [gained, lost] =
                [self.gained, self.lost].map(|count| Events { count: count as f64, size: 1.0 });
            score_interval(gained, lost, self.trials as f64, z)
        };
        (low.clamp(-1.0, difference), high.clamp(difference, 1.0))
    }
}

/// The number of trials with a gain (or a loss) of one size, possibly not whole.
#[derive(Clone, Copy)]
struct Events {
    count: f64,
    size: f64,
}

fn score_interval(gained: Events, lost: Events, trials: f64, z: f64) -> (f64, f64) {
    (least(gained, lost, trials, z), -least(lost, gained, trials, z))
}

/// Returns Tango's lower score limit: the least difference within `z` of its own standard errors.
fn least(gained: Events, lost: Events, n: f64, z: f64) -> f64 {
    let (gain, loss) = (gained.size, lost.size);
    let times = 1.0 + loss / gain;
    let is_too_low = |difference: f64| {
        // The likeliest share of lost trials at this difference solves a quadratic equation.
        let slope = (n - gained.count) * times / loss + (gained.count + lost.count) / gain;
        let half = slope * difference - gained.count - lost.count;
        let squared = half * half
            + 4.0 * times * n * lost.count * difference * (1.0 - difference / gain) / loss;
        let of_lost =
            ((squared.max(0.0).sqrt() - half) / (2.0 * times * n)).max(0.0).max(-difference / loss);
        let variance = (loss * (gain + loss) * of_lost + difference * (gain - difference)).max(0.0);
        gain * gained.count - loss * lost.count - n * difference > z * (n * variance).sqrt()
    };
    let (mut low, mut high) = (-loss, (gain * gained.count - loss * lost.count) / n);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if is_too_low(middle) { low = middle } else { high = middle }
    }
    high
}

/// The sum of some positive amounts, either gains or losses, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amounts {
    pub sum: f64,
    pub squares: f64,
}

impl Amounts {
    /// Adds one amount.
    pub fn add(&mut self, amount: f64) {
        self.sum += amount;
        self.squares += amount * amount;
    }

    /// Adds the sums of two sets of amounts.
    pub fn joined(self, other: Amounts) -> Amounts {
        Amounts { sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// Returns events of one size with equal sum and sum of squares. The default size is `unseen`.
    fn events(self, unseen: f64) -> Events {
        if self.sum > 0.0 {
            Events { count: self.sum * self.sum / self.squares, size: self.squares / self.sum }
        } else {
            Events { count: 0.0, size: unseen }
        }
    }

    /// Returns the limits of the sum by Fay and Feuer. No single amount may exceed `most`.
    fn limits(self, most: f64, confidence: f64) -> (f64, f64) {
        let tail = (1.0 - confidence.clamp(0.0, 1.0)) / 2.0;
        let limit = |amounts: Amounts, chance| {
            let Events { count, size } = amounts.events(0.0);
            if count > 0.0 { size * gamma_with(count, chance) } else { 0.0 }
        };
        let mut one_more = self;
        one_more.add(most);
        (limit(self, tail).min(self.sum), limit(one_more, 1.0 - tail).max(self.sum))
    }
}

/// Returns the quantile at `chance` of a gamma distribution. `shape` must be at least 1.
fn gamma_with(shape: f64, chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while gamma_lr(shape, high) < chance && high < 1e6 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if gamma_lr(shape, middle) < chance { low = middle } else { high = middle }
    }
    high
}

/// The mean of the difference between two courses of action on the same trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedMean {
    /// The mean of the difference; NaN without trials.
    pub mean: f64,
    /// The variance of the difference in one trial; NaN for fewer than two trials.
    pub variance: f64,
    pub trials: u64,
    /// The sum of the positive differences, and the sum of their squares.
    pub gained: Amounts,
    /// The sums of the negative differences, taken as positive, and of their squares.
    pub lost: Amounts,
    /// The largest absolute difference assumed for unseen trials. Seen ones may be larger.
    pub most: f64,
}

impl PairedMean {
    /// Returns the standard error of the mean, `sqrt(variance / n)`; NaN where the variance is.
    ///
    /// It is 0 if no trial makes a difference, where [`PairedMean::interval`] has the true error.
    pub fn std_error(self) -> f64 {
        (self.variance / self.trials as f64).sqrt()
    }

    /// Returns the interval `(low, high)` around the mean difference at this confidence (0 to 1).
    ///
    /// With fewer than 5 trials that differ, the interval combines limits of gains and of losses.
    /// Otherwise it is the score interval for differences of one size with equal sums. It is the
    /// whole real line with fewer than two trials, and at a confidence of 1 or NaN.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let (z, n) = (two_sided_z(confidence), self.trials as f64);
        if self.trials < 2 || z.is_infinite() || self.mean.is_nan() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let most = [self.gained, self.lost]
            .map(|amounts| amounts.events(0.0).size)
            .into_iter()
            .fold(self.most, f64::max);
        let (low, high) = if self.gained.joined(self.lost).events(0.0).count < FEW as f64 {
            let part = |amounts: Amounts| {
                let (low, high) = amounts.limits(most, confidence);
                (amounts.sum / n, (low / n, high / n))
            };
            of_difference(part(self.gained), part(self.lost))
        } else {
            score_interval(self.gained.events(most), self.lost.events(most), n, z)
        };
        (low.min(self.mean), high.max(self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close((low, high): (f64, f64), expected: (f64, f64)) {
        assert!(
            (low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6,
            "{low} to {high} instead of {expected:?}"
        );
    }

    /// A. Agresti, *Categorical Data Analysis*, 2nd edition, section 10.1: 1600 people were asked
    /// twice, and 944, then 880 approved of the prime minister. 150 changed to disapproval and 86
    /// to approval. The difference is -0.06 to -0.02 at 95 %, with standard error 0.0095. By hand:
    /// -64 / 1600 = -0.04 and sqrt(236 - 64^2 / 1600) / 1600 = 0.0095492.
    #[test]
    fn paired_difference_matches_agresti() {
        let paired = PairedProportions { gained: 86, lost: 150, trials: 1600 };
        assert_eq!(paired.difference(), -0.04);
        assert!((paired.std_error() - 0.009_549_2).abs() < 1e-7, "{}", paired.std_error());
        let (low, high) = paired.interval(0.95);
        assert!((low + 0.06).abs() < 0.002 && (high + 0.02).abs() < 0.002, "{low} {high}");
    }

    /// M. W. Fagerland, S. Lydersen, P. Laake, *Statistical Analysis of Contingency Tables* (2017),
    /// chapter 8: the airways of 7 of 21 children respond only before a transplantation, of 1 only
    /// after it. The difference is -0.286 (-0.517 to -0.026).
    #[test]
    fn score_interval_matches_published_value() {
        let (low, high) = PairedProportions { gained: 1, lost: 7, trials: 21 }.interval(0.95);
        assert!((low + 0.517).abs() < 5e-4 && (high + 0.026).abs() < 5e-4, "{low} {high}");
    }

    /// The score limits are two roots of a polynomial of degree four: Z. Yang, X. Sun, J. W.
    /// Hardin, *A Non-iterative Implementation of Tango's Score Confidence Interval for a Paired
    /// Difference of Proportions*, Statistics in Medicine 32 (2013), 1336-1342. Without losses, the
    /// upper limit is Wilson's.
    #[test]
    fn score_limits_are_roots_of_their_polynomial() {
        for (gained, lost, trials) in [
            (16u64, 6u64, 161u64),
            (1, 7, 21),
            (40, 20, 160),
            (3, 9, 5_000),
            (12, 0, 40),
            (7, 7, 100_000),
        ] {
            let (low, high) = PairedProportions { gained, lost, trials }.interval(0.95);
            let [n, net, sum] =
                [trials as f64, gained as f64 - lost as f64, (gained + lost) as f64];
            let g = two_sided_z(0.95).powi(2);
            let polynomial = |x: f64| {
                n * n * (n / g + 1.0).powi(2) * x.powi(4)
                    - n * net * (n / g + 1.0) * (4.0 * n / g + 1.0) * x.powi(3)
                    + (2.0 * n * net * net * (3.0 * n / g + 2.0) / g - n * n * (sum / g + 1.0))
                        * x
                        * x
                    + (n * net * (2.0 * sum / g + 1.0) - net.powi(3) * (4.0 * n / g + 1.0) / g) * x
                    + net * net * (net * net / g - sum) / g
            };
            for limit in [low, high] {
                let neighbours =
                    [limit - 1e-6 * (high - low), limit + 1e-6 * (high - low)].map(polynomial);
                assert!(neighbours[0] * neighbours[1] < 0.0, "{gained} {lost} {trials}: {limit}");
            }
        }
        for (gained, trials) in [(5, 20), (9, 1000), (40, 1_000_000), (700, 100_000_000_000)] {
            let (_, high) = PairedProportions { gained, lost: 0, trials }.interval(0.95);
            let (_, most) = Proportion { count: gained, trials }.interval(0.95);
            assert!((high / most - 1.0).abs() < 1e-9, "{high} {most}");
        }
    }

    /// The exact upper limit of 0 of 10 is 1 - 0.025^(1/10) = 0.308497, for gains and for losses.
    /// The limits of 2 of 10 are 0.025211 and 0.556095. Without losses that gives 0.2 -
    /// hypot(0.174789, 0.308497) to 0.556095.
    #[test]
    fn limits_at_none_and_all_are_exact() {
        let none = PairedProportions { gained: 0, lost: 0, trials: 10 };
        assert_eq!((none.difference(), none.std_error()), (0.0, 0.0));
        close(none.interval(0.95), (-0.308_497, 0.308_497));
        close(
            PairedProportions { gained: 2, lost: 0, trials: 10 }.interval(0.95),
            (0.2 - 0.354_573, 0.556_095),
        );
        let all = PairedProportions { gained: 10, lost: 0, trials: 10 };
        assert_eq!((all.difference(), all.std_error()), (1.0, 0.0));
        let (low, high) = all.interval(0.95);
        assert!((low - 0.444_934).abs() < 1e-6 && high == 1.0, "{low} {high}");
        assert_eq!(
            PairedProportions { gained: 0, lost: 10, trials: 10 }.interval(0.95),
            (-1.0, -low)
        );
    }

    /// The coverage is computed exactly. `expected` of 200 trials differ, `part` of them as losses.
    #[test]
    fn paired_intervals_cover_at_least_92_5_percent() {
        let trials = 200;
        let intervals: Vec<Vec<(f64, f64)>> = (0..60)
            .map(|gained| {
                (0..60)
                    .map(|lost| PairedProportions { gained, lost, trials }.interval(0.95))
                    .collect()
            })
            .collect();
        let coverage = |expected: f64, part: f64| {
            let [plus, minus] =
                [expected * (1.0 - part), expected * part].map(|expected| expected / trials as f64);
            let mut sum = 0.0;
            let mut of_gained = (1.0 - plus).powi(trials as i32);
            for (gained, of_lost) in intervals.iter().enumerate() {
                let (others, odds) = (trials as f64 - gained as f64, minus / (1.0 - plus));
                let mut chance = of_gained * (others * (-odds).ln_1p()).exp();
                for (lost, (low, high)) in of_lost.iter().enumerate() {
                    sum += if (low - 1e-12..=high + 1e-12).contains(&(plus - minus)) {
                        chance
                    } else {
                        0.0
                    };
                    chance *= (others - lost as f64) / (lost as f64 + 1.0) * odds / (1.0 - odds);
                }
                of_gained *= others / (gained as f64 + 1.0) * plus / (1.0 - plus);
            }
            sum
        };
        for part in [0.0, 0.05, 0.2, 0.35, 0.5] {
            for (from, to, most) in
                [(0, 10, 1.0), (10, 50, 1.0), (50, 200, 0.965), (200, 300, 0.96)]
            {
                let all: Vec<f64> = (from + 1..=to)
                    .step_by(3)
                    .map(|tenths| coverage(f64::from(tenths) / 10.0, part))
                    .collect();
                let (mean, least) = (
                    all.iter().sum::<f64>() / all.len() as f64,
                    all.iter().copied().fold(1.0, f64::min),
                );
                assert!(
                    (0.94..=most).contains(&mean) && least >= 0.925,
                    "{part}, to {to}: {mean}, at least {least}"
                );
            }
        }
    }

    /// Builds a mean from the number of trials of each difference. `most` bounds unseen ones.
    fn mean_of(differences: &[(f64, u64)], trials: u64, most: f64) -> PairedMean {
        let (mut gained, mut lost) = (Amounts::default(), Amounts::default());
        for &(difference, count) in differences {
            let amounts = if difference > 0.0 { &mut gained } else { &mut lost };
            (0..count).for_each(|_| amounts.add(difference.abs()));
        }
        let n = trials as f64;
        let mean = (gained.sum - lost.sum) / n;
        let variance = (gained.squares + lost.squares - n * mean * mean) / (n - 1.0);
        PairedMean { mean, variance, trials, gained, lost, most }
    }

    /// With many differing trials, the limits are about 1.96 standard errors to either side.
    #[test]
    fn mean_has_the_interval_of_its_standard_error() {
        let amounts = Amounts::default();
        let paired = PairedMean {
            mean: 2.0,
            variance: 9.0,
            trials: 900,
            gained: amounts,
            lost: amounts,
            most: 3.0,
        };
        assert_eq!((paired.mean, paired.std_error()), (2.0, 0.1));
        let many = mean_of(
            &[(1.0, 400_000), (-1.0, 300_000), (2.0, 100_000), (-0.5, 100_000)],
            1_000_000,
            2.0,
        );
        let (low, high) = many.interval(0.95);
        let [below, above] =
            [many.mean - low, high - many.mean].map(|width| width / many.std_error());
        assert!(
            (below - 1.959_964).abs() < 1e-2 && (above - 1.959_964).abs() < 1e-2,
            "{below} {above}"
        );
    }

    /// For differences of 1, -1 or 0 in any unit, the interval is Tango's, or with few of them that
    /// of rare events (Poisson: 0 to 3.688879 for a count of 0, 0.025318 to 5.571643 for 1).
    #[test]
    fn mean_of_unit_differences_equals_score_interval() {
        for (gained, lost) in [(86, 150), (12, 0), (0, 5), (3, 2)] {
            let (low, high) = PairedProportions { gained, lost, trials: 1600 }.interval(0.95);
            for unit in [1.0, 2.5] {
                let (least, most) =
                    mean_of(&[(unit, gained), (-unit, lost)], 1600, unit).interval(0.95);
                close((least / unit, most / unit), (low, high));
            }
        }
        close(mean_of(&[], 1000, 2.0).interval(0.95), (-0.007_377_759, 0.007_377_759));
        let below = (1.0f64 - 0.025_318).hypot(3.688_879);
        close(
            mean_of(&[(1.0, 1)], 1000, 1.0).interval(0.95),
            ((1.0 - below) / 1000.0, 5.571_643 / 1000.0),
        );
        // An unseen trial might have made 3. That is (1 + 3)^2 / (1 + 9) = 1.6 events of size 10 /
        // 4 each. The 97.5 % point for 1.6 events is 4.859161.
        let (_, high) = mean_of(&[(1.0, 1)], 1000, 3.0).interval(0.95);
        close((high * 1000.0 / 2.5, 0.0), (4.859_161, 0.0));
        assert!(
            (gamma_with(1.0, 0.975) - 3.688_879).abs() < 1e-6
                && (gamma_with(2.0, 0.975) - 5.571_643).abs() < 1e-6
        );
    }

    #[test]
    fn intervals_without_information_are_unbounded() {
        assert_eq!(PairedProportions { gained: 0, lost: 0, trials: 0 }.interval(0.95), (-1.0, 1.0));
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(mean_of(&[], 0, 1.0).interval(0.95), all);
        assert_eq!(mean_of(&[(1.0, 1)], 1, 1.0).interval(0.95), all);
        for confidence in [1.0, f64::NAN] {
            assert_eq!(
                PairedProportions { gained: 3, lost: 1, trials: 9 }.interval(confidence),
                (-1.0, 1.0)
            );
            assert_eq!(mean_of(&[(1.0, 9)], 9, 1.0).interval(confidence), all);
        }
    }

    #[test]
    fn interval_contains_the_difference() {
        for trials in 1..12u64 {
            for (gained, lost) in (0..=trials)
                .flat_map(|gained| (0..=trials - gained).map(move |lost| (gained, lost)))
            {
                let (paired, mirrored) = (
                    PairedProportions { gained, lost, trials },
                    PairedProportions { gained: lost, lost: gained, trials },
                );
                for confidence in [0.0, 0.1, 0.5, 0.95, 0.999] {
                    let (low, high) = paired.interval(confidence);
                    assert!(
                        -1.0 <= low
                            && low <= paired.difference()
                            && paired.difference() <= high
                            && high <= 1.0,
                        "{paired:?}"
                    );
                    close(mirrored.interval(confidence), (-high, -low));
                }
            }
        }
    }
}
