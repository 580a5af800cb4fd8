//! A probability, exact or estimated, and how it is printed.

use std::fmt;

use engine::exact::Fraction;
use engine::process::ReportIndex;
use engine::stats::{Proportion, Strata};

/// Confidence level of every printed interval.
pub const CONFIDENCE: f64 = 0.95;

/// Largest relative error of a number that is computed in doubles.
pub const ROUNDING: f64 = 1e-12;

/// The chance of all that may be left out of certified odds. Each is then within half of it, 1e-6
/// with rounding.
pub const MOST_DROPPED: f64 = 1.999e-6;

/// The probability of one outcome: exact, or an estimate with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The exact probability, also as a fraction unless the arithmetic was floating point.
    Exact { probability: f64, fraction: Option<Fraction> },
    /// The probability is at least `low` and exceeds it by at most `missing`, the chance of what
    /// was not followed to its end.
    Certified { low: f64, missing: f64 },
    /// An estimate by plain sampling.
    Estimate(Proportion),
    /// An estimate with the first rolls stratified: all their combinations are played.
    Stratified(Strata),
}

impl Estimate {
    /// Returns the probability of either of two mutually exclusive outcomes of one question.
    pub fn or(self, other: Estimate) -> Estimate {
        match (self, other) {
            (
                Estimate::Exact { probability: p, fraction: f },
                Estimate::Exact { probability: q, fraction: g },
            ) => Estimate::Exact {
                probability: p + q,
                fraction: f.zip(g).and_then(|(f, g)| f.checked_add(g)),
            },
            (Estimate::Estimate(a), Estimate::Estimate(b)) => {
                Estimate::Estimate(Proportion { count: a.count + b.count, trials: a.trials })
            }
            (Estimate::Stratified(a), Estimate::Stratified(b)) => Estimate::Stratified(a.or(b)),
            // The missing sequences have one outcome or the other, but not both.
            (Estimate::Certified { .. }, _) | (_, Estimate::Certified { .. }) => {
                let missing = self.missing().max(other.missing());
                Estimate::Certified { low: self.low() + other.low(), missing }
            }
            // All probabilities of one question come from one engine.
            (figure, _) => figure,
        }
    }

    /// Returns the probability of an outcome that never occurred, from the same engine as `self`.
    pub fn of_none(self) -> Estimate {
        match self {
            Estimate::Exact { fraction, .. } => Estimate::Exact {
                probability: 0.0,
                fraction: fraction.map(|_| Fraction::new(0, 1)),
            },
            Estimate::Certified { missing, .. } => Estimate::Certified { low: 0.0, missing },
            Estimate::Estimate(proportion) => {
                Estimate::Estimate(Proportion { count: 0, ..proportion })
            }
            Estimate::Stratified(strata) => {
                Estimate::Stratified(Strata { trials: strata.trials, ..Strata::default() })
            }
        }
    }

    /// Returns an exact probability without a fraction.
    pub fn plain(probability: f64) -> Estimate {
        Estimate::Exact { probability, fraction: None }
    }

    /// Returns the probability or its estimate, from 0 to 1; if certified, the middle of its range.
    pub fn probability(&self) -> f64 {
        match self {
            Estimate::Exact { probability, .. } => *probability,
            Estimate::Certified { .. } => {
                self.range().map_or(0.0, |(low, high)| (low + high) / 2.0)
            }
            Estimate::Estimate(proportion) => proportion.estimate(),
            Estimate::Stratified(strata) => strata.estimate(),
        }
    }

    /// Returns the chance of what was not followed to its end; 0 unless certified.
    pub fn missing(&self) -> f64 {
        if let Estimate::Certified { missing, .. } = self { *missing } else { 0.0 }
    }

    /// Returns the probability without what is missing; the probability itself unless certified.
    pub fn low(&self) -> f64 {
        if let Estimate::Certified { low, .. } = self { *low } else { self.probability() }
    }

    /// Returns the bounds between which a certified probability lies; `None` for all others.
    pub fn range(&self) -> Option<(f64, f64)> {
        let Estimate::Certified { low, missing } = *self else { return None };
        Some((low, (low + missing).next_up().min(1.0)))
    }

    /// Returns the largest difference between a certified probability and the true one, rounded up;
    /// `None` for all others.
    pub fn error_bound(&self) -> Option<f64> {
        let (middle, (low, high)) = (self.probability(), self.range()?);
        Some((middle - low).max(high - middle).next_up())
    }

    /// Returns the standard error of an estimate, or `None` if the probability is exact or
    /// certified.
    pub fn std_error(&self) -> Option<f64> {
        match self {
            Estimate::Exact { .. } | Estimate::Certified { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.std_error()),
            Estimate::Stratified(strata) => Some(strata.std_error()),
        }
    }

    /// Returns the 95 % interval of an estimate, or `None` if the probability is exact or
    /// certified.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Estimate::Exact { .. } | Estimate::Certified { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.interval(CONFIDENCE)),
            Estimate::Stratified(strata) => Some(strata.interval(CONFIDENCE)),
        }
    }

    /// Returns the sequences with the outcome and all sequences; `None` if none were played.
    pub fn counted(&self) -> Option<(u64, u64)> {
        match self {
            Estimate::Exact { .. } | Estimate::Certified { .. } => None,
            Estimate::Estimate(Proportion { count, trials }) => Some((*count, *trials)),
            Estimate::Stratified(strata) => Some((strata.count(), strata.trials)),
        }
    }
}

/// Writes a percentage with two or the given decimals, and its interval or a short fraction.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share| percent_to(share, f.precision().unwrap_or(2));
        let odds = percent(self.probability());
        match (self, self.interval(), self.counted()) {
            (_, Some((_, high)), Some((0, trials))) => {
                write!(f, "0 of {trials}, at most {}", percent(high))
            }
            (_, Some((low, high)), _) => {
                write!(f, "{odds} (95 %: {} - {})", percent(low), percent(high))
            }
            (Estimate::Exact { fraction: Some(fraction), .. }, ..)
                if fraction.to_string().len() <= SHORT_FRACTION =>
            {
                write!(f, "{odds} ({fraction})")
            }
            _ => {
                f.write_str(&odds)?;
                self.error_bound().map_or(Ok(()), |bound| write!(f, ", {}", certain_to(bound)))
            }
        }
    }
}

/// Returns the largest error bound of certified probabilities; `None` if there are none.
pub fn largest_error_bound<'a>(figures: impl IntoIterator<Item = &'a Estimate>) -> Option<f64> {
    figures.into_iter().filter_map(Estimate::error_bound).reduce(f64::max)
}

/// Formats a bound of the error of a probability, rounded up to a power of ten.
///
/// # Examples
///
/// ```
/// use lowcrawl_answer::estimate::certain_to;
///
/// assert_eq!(certain_to(0.8e-6), "certain to 0.0001 points");
/// ```
pub fn certain_to(error_bound: f64) -> String {
    let points = error_bound * 100.0;
    let digits = (0..17).find(|digits| 0.1f64.powi(digits + 1) < points).unwrap_or(17) as usize;
    format!("certain to {:.digits$} points", 0.1f64.powi(digits as i32))
}

/// Longest fraction shown next to a decimal, in characters.
pub const SHORT_FRACTION: usize = 11;

/// Formats a probability as a percentage with two decimals. A small one that is not 0 prints as `<
/// 0.01 %`, and a large one that is not certain as `> 99.99 %`.
///
/// # Examples
///
/// ```
/// use lowcrawl_answer::estimate::percent;
///
/// assert_eq!(percent(5.0 / 18.0), "27.78 %");
/// assert_eq!(percent(0.000012), "< 0.01 %");
/// ```
pub fn percent(probability: f64) -> String {
    percent_to(probability, 2)
}

/// Formats a difference of probabilities in percentage points with `digits` decimals.
pub fn points_to(difference: f64, digits: usize) -> String {
    format!("{:+.digits$} points", difference * 100.0)
}

/// Formats a probability as [`percent`] does, with `digits` decimals.
pub fn percent_to(probability: f64, digits: usize) -> String {
    let percent = probability * 100.0;
    let least = 10f64.powi(-(digits as i32));
    // Rounding may have removed the last bits of a probability of 1.
    let is_certain = (percent - 100.0).abs() < 1e-9;
    if percent > 0.0 && percent < least / 2.0 {
        format!("< {least:.digits$} %")
    } else if percent > 100.0 - least / 2.0 && !is_certain {
        format!("> {:.digits$} %", 100.0 - least)
    } else {
        format!("{percent:.digits$} %")
    }
}

/// An outcome at a report, with its probability.
pub type OutcomeEstimate<O> = ((ReportIndex, O), Estimate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_never_round_to_0_or_100() {
        assert_eq!(percent(5.0 / 18.0), "27.78 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(1.0), "100.00 %");
        assert_eq!(percent(0.000012), "< 0.01 %");
        assert_eq!(percent(0.00006), "0.01 %");
        assert_eq!(percent(0.99993), "99.99 %");
        assert_eq!(percent(0.99999), "> 99.99 %");
        assert_eq!(percent(1.0 - 1e-8), "> 99.99 %");
        assert_eq!(percent_to(0.000012, 4), "0.0012 %");
        assert_eq!(percent_to(1.0 / 3.0, 0), "33 %");
        assert_eq!(format!("{:.4}", Estimate::plain(0.000012)), "0.0012 %");
        assert_eq!(
            (percent(1.0 - 1e-15).as_str(), percent(1.0 + 1e-15).as_str()),
            ("100.00 %", "100.00 %")
        );
        assert_eq!(percent(1e-13), "< 0.01 %");
    }
}
