//! Statistics of counts: how far a Monte Carlo figure can be trusted, how many trials a precision
//! takes, and whether counts fit exact probabilities.
//!
//! Every interval holds the true figure in 95 of 100 runs on average over outcomes that are counted
//! 5 times or more, and in at least as many where fewer are. What it is made of stands in
//! [`METHOD`], [`METHOD_OF_STRATA`] and [`METHOD_OF_PAIRS`]:
//!
//! | of | fewer than 5 counted | otherwise |
//! |---|---|---|
//! | [a share of independent trials](Proportion) | exact limits: C. J. Clopper, E. S. Pearson, *The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial*, Biometrika 26 (1934), 404-413 | the score interval: E. B. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of the American Statistical Association 22 (1927), 209-212 |
//! | [the same over strata](Strata) | the same of the strata that seldom and of those that mostly have it, where exact limits are never too narrow: W. Hoeffding, *On the Distribution of the Number of Successes in Independent Trials*, Annals of Mathematical Statistics 27 (1956), 713-721 | Wilson's with the effective number of trials: E. L. Korn, B. I. Graubard, *Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data*, Survey Methodology 24 (1998), 193-201 |
//! | [a difference of shares of the same trials](PairedProportions) | exact limits of what is gained and what is lost, put together | the score interval: T. Tango, *Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design*, Statistics in Medicine 17 (1998), 891-908 |
//! | [the mean of a difference](PairedMean) | limits of a weighted sum of rare events, of what is gained and what is lost, put together: M. P. Fay, E. J. Feuer, *Confidence Intervals for Directly Standardized Rates: a Method Based on the Gamma Distribution*, Statistics in Medicine 16 (1997), 791-801 | Tango's for differences of one size each way, as many as have the same sum and the same squares: A. J. Dobson, K. Kuulasmaa, E. Eberle, J. Scherer, *Confidence Intervals for Weighted Sums of Poisson Parameters*, Statistics in Medicine 10 (1991), 457-462 |
//!
//! Limits of a sum or difference are put together from those of its parts: G. Y. Zou, A. Donner,
//! *Construction of Confidence Limits about Effect Measures: a General Approach*, Statistics in
//! Medicine 27 (2008), 1693-1702.

mod fit;
mod paired;
mod proportion;
mod strata;
mod unseen;

pub use fit::{ChiSquared, ChiSquaredError, chi_squared};
pub use paired::{Amounts, PairedMean, PairedProportions};
pub use proportion::{Proportion, trials_for_half_width};
use statrs::distribution::{ContinuousCDF, Normal};
pub use strata::{Part, Strata};
pub use unseen::Unseen;

/// Counts below this have exact limits: score intervals are too narrow there.
const FEW: u64 = 5;

/// What intervals of shares of independent trials are.
pub const METHOD: &str = "Clopper-Pearson below 5 counted, Wilson score otherwise, 95 %";
/// What those over strata are.
pub const METHOD_OF_STRATA: &str = "within strata: Clopper-Pearson below 5 counted, Wilson score with effective trials otherwise, by MOVER, 95 %";
/// What those of differences of paired shares are, and of differences of means.
pub const METHOD_OF_PAIRS: &str = "odds: Clopper-Pearson by MOVER below 5 that differ, Tango score otherwise; \
                                   objective: Fay-Feuer by MOVER below 5 that differ, Tango score with effective counts otherwise; 95 %";

/// Half the width of the interval of an estimate that is no probability, by the normal
/// approximation.
pub fn normal_half_width(std_error: f64, confidence: f64) -> f64 {
    two_sided_z(confidence) * std_error
}

/// How many standard deviations either side of the mean hold this share of a normal distribution:
/// 1.96 for 0.95.
fn two_sided_z(confidence: f64) -> f64 {
    if confidence.is_nan() {
        return f64::INFINITY;
    }
    -Normal::standard().inverse_cdf((1.0 - confidence.clamp(0.0, 1.0)) / 2.0)
}

/// The limits of `gained - lost`, two figures that do not depend on each other, each with its own
/// limits.
fn of_difference(gained: (f64, (f64, f64)), lost: (f64, (f64, f64))) -> (f64, f64) {
    let ((gained, (least_gained, most_gained)), (lost, (least_lost, most_lost))) = (gained, lost);
    let difference = gained - lost;
    let below = (gained - least_gained).hypot(most_lost - lost);
    let above = (most_gained - gained).hypot(lost - least_lost);
    (difference - below, difference + above)
}

/// Fails where a figure is not close to the published one.
#[cfg(test)]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} instead of {expected}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.959964 is the 97.5 % point, 2.575829 the 99.5 % point of the standard normal distribution
    /// in every table.
    #[test]
    fn two_sided_points_of_the_normal_distribution() {
        for (confidence, expected) in [(0.95, 1.959_963_985), (0.99, 2.575_829_304), (0.0, 0.0)] {
            assert!((two_sided_z(confidence) - expected).abs() < 1e-9, "{confidence}");
        }
        assert_eq!(two_sided_z(1.0), f64::INFINITY);
    }

    /// With a second part that is sure, a difference has the limits of the first; of 3-4-5
    /// triangles it has those of the third side.
    #[test]
    fn limits_of_a_difference() {
        assert_eq!(of_difference((5.0, (4.0, 7.0)), (2.0, (2.0, 2.0))), (2.0, 5.0));
        assert_eq!(of_difference((10.0, (7.0, 15.0)), (6.0, (-6.0, 10.0))), (-1.0, 17.0));
    }
}
