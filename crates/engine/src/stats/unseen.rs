//! A bound on the total probability of outcomes that no trial has shown.

use super::Proportion;

/// The numbers of outcomes seen once and seen twice. Each trial shows at most one such outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// The number of outcomes seen in exactly one trial.
    pub once: u64,
    /// The number of outcomes seen in exactly two trials.
    pub twice: u64,
    pub trials: u64,
}

impl Unseen {
    /// Returns an upper bound of the total probability of all unseen outcomes: the upper limit of a
    /// two-sided interval of this confidence (0 to 1).
    ///
    /// The estimate is `once / trials`: I. J. Good, *The Population Frequencies of Species and the
    /// Estimation of Population Parameters*, Biometrika 40 (1953), 237-264. Its error is that of a
    /// count of `once + 2 * twice`: W. W. Esty, *A Normal Limit Law for a Nonparametric Estimator
    /// of the Coverage of a Random Sample*, Annals of Statistics 11 (1983), 905-912.
    pub fn at_most(self, confidence: f64) -> f64 {
        let count = (self.once + 2 * self.twice).min(self.trials);
        let spread = Proportion { count, trials: self.trials };
        let (_, high) = spread.interval(confidence);
        if self.trials == 0 {
            1.0
        } else {
            (self.once as f64 / self.trials as f64 + high - spread.estimate()).min(1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_rare_outcomes_bound_is_that_of_none_seen() {
        let unseen = Unseen { trials: 1000, ..Unseen::default() };
        assert_eq!(unseen.at_most(0.95), Proportion { count: 0, trials: 1000 }.interval(0.95).1);
        assert_eq!(Unseen::default().at_most(0.95), 1.0);
        assert_eq!(Unseen { once: 9, twice: 0, trials: 9 }.at_most(0.95), 1.0);
    }

    /// The normal approximation is 100 + 1.96 sqrt(200) = 127.7 trials; Wilson's limit is higher.
    #[test]
    fn many_rare_outcomes_raise_the_bound() {
        let share = Unseen { once: 100, twice: 50, trials: 10_000 }.at_most(0.95);
        assert!((share * 10_000.0 - 129.5).abs() < 1.0, "{share}");
    }
}
