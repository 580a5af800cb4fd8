//! Statistics of counts: errors of Monte Carlo estimates, and the trials that a precision needs.
//!
//! Every 95 % interval covers the true value in 95 of 100 runs, on average over outcomes counted 5
//! times or more; for others at least as often. Each kind of estimate has one method for counts
//! below 5 and another otherwise ([`METHOD`], [`METHOD_OF_STRATA`] and [`METHOD_OF_PAIRS`]).
//!
//! [A share of independent trials](Proportion):
//!
//! * Fewer than 5: exact limits, C. J. Clopper, E. S. Pearson, *The Use of Confidence or Fiducial
//!   Limits Illustrated in the Case of the Binomial*, Biometrika 26 (1934), 404-413.
//! * Otherwise: the score interval, E. B. Wilson, *Probable Inference, the Law of Succession, and
//!   Statistical Inference*, Journal of the American Statistical Association 22 (1927), 209-212.
//!
//! [A share over strata](Strata):
//!
//! * Fewer than 5: exact limits of two parts, the strata that seldom and those that mostly have the
//!   outcome. They are never too narrow there: W. Hoeffding, *On the Distribution of the Number of
//!   Successes in Independent Trials*, Annals of Mathematical Statistics 27 (1956), 713-721.
//! * Otherwise: Wilson's interval with the effective number of trials, E. L. Korn, B. I. Graubard,
//!   *Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated
//!   from Survey Data*, Survey Methodology 24 (1998), 193-201.
//!
//! [A difference of shares of the same trials](PairedProportions):
//!
//! * Fewer than 5: exact limits of gains and of losses, combined.
//! * Otherwise: the score interval, T. Tango, *Equivalence Test and Confidence Interval for the
//!   Difference in Proportions for the Paired-Sample Design*, Statistics in Medicine 17 (1998),
//!   891-908.
//!
//! [The mean of a difference](PairedMean):
//!
//! * Fewer than 5: limits of a weighted sum of rare events, for gains and for losses, combined. M.
//!   P. Fay, E. J. Feuer, *Confidence Intervals for Directly Standardized Rates: a Method Based on
//!   the Gamma Distribution*, Statistics in Medicine 16 (1997), 791-801.
//! * Otherwise: Tango's interval for differences of one size each way, with the same sum and the
//!   same sum of squares. A. J. Dobson, K. Kuulasmaa, E. Eberle, J. Scherer, *Confidence Intervals
//!   for Weighted Sums of Poisson Parameters*, Statistics in Medicine 10 (1991), 457-462.
//!
//! Limits of a sum or difference are combined from those of its parts (MOVER): G. Y. Zou, A.
//! Donner, *Construction of Confidence Limits about Effect Measures: a General Approach*,
//! Statistics in Medicine 27 (2008), 1693-1702.

mod paired;
mod proportion;
mod strata;
mod unseen;

pub use paired::{Amounts, PairedMean, PairedProportions};
pub use proportion::{Proportion, trials_for_half_width};
use statrs::distribution::{ContinuousCDF, Normal};
pub use strata::{Strata, StratumCount};
pub use unseen::Unseen;

/// The count below which limits are exact, because score intervals are too narrow there.
const FEW: u64 = 5;

/// The method of intervals for shares (proportions) of independent trials.
pub const METHOD: &str = "Clopper-Pearson below 5 counted, Wilson score otherwise, 95 %";
/// The method of intervals for shares (proportions) over strata.
pub const METHOD_OF_STRATA: &str = "within strata: Clopper-Pearson below 5 counted, Wilson score \
    with effective trials otherwise, by MOVER, 95 %";
/// The methods of intervals for differences between paired shares (proportions) and between means.
pub const METHOD_OF_PAIRS: &str = "odds: Clopper-Pearson by MOVER below 5 that differ, Tango score \
    otherwise; \
                                   objective: Fay-Feuer by MOVER below 5 that differ, Tango score \
                                   with effective counts otherwise; 95 %";

/// Returns half the width of a two-sided normal interval. `confidence` is from 0 to 1.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::stats::normal_half_width;
///
/// assert!((normal_half_width(0.1, 0.95) - 0.196).abs() < 0.001);
/// ```
pub fn normal_half_width(std_error: f64, confidence: f64) -> f64 {
    two_sided_z(confidence) * std_error
}

/// Returns the two-sided quantile of a normal distribution: 1.96 for 0.95, infinite for 1 and NaN.
fn two_sided_z(confidence: f64) -> f64 {
    if confidence.is_nan() {
        return f64::INFINITY;
    }
    -Normal::standard().inverse_cdf((1.0 - confidence.clamp(0.0, 1.0)) / 2.0)
}

/// Returns the limits of `gained - lost`, two independent estimates with limits of their own.
fn of_difference(gained: (f64, (f64, f64)), lost: (f64, (f64, f64))) -> (f64, f64) {
    let ((gained, (least_gained, most_gained)), (lost, (least_lost, most_lost))) = (gained, lost);
    let difference = gained - lost;
    let below = (gained - least_gained).hypot(most_lost - lost);
    let above = (most_gained - gained).hypot(lost - least_lost);
    (difference - below, difference + above)
}

#[cfg(test)]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} instead of {expected}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sided_normal_points_match_tables() {
        for (confidence, expected) in [(0.95, 1.959_963_985), (0.99, 2.575_829_304), (0.0, 0.0)] {
            assert!((two_sided_z(confidence) - expected).abs() < 1e-9, "{confidence}");
        }
        assert_eq!(two_sided_z(1.0), f64::INFINITY);
    }

    /// Without an error of `lost`, the limits are those of `gained`, shifted. The errors of the
    /// second case form 3-4-5 triangles.
    #[test]
    fn limits_of_a_difference_add_in_quadrature() {
        assert_eq!(of_difference((5.0, (4.0, 7.0)), (2.0, (2.0, 2.0))), (2.0, 5.0));
        assert_eq!(of_difference((10.0, (7.0, 15.0)), (6.0, (-6.0, 10.0))), (-1.0, 17.0));
    }
}
