//! A probability, exact or estimated, and how it is printed.

use std::fmt;

use engine::exact::Fraction;
use engine::process::ReportIndex;
use engine::stats::{Proportion, Strata};

/// Confidence level of every printed interval.
pub const CONFIDENCE: f64 = 0.95;

/// The probability of one outcome: exact, or an estimate with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The exact probability, also as a fraction unless the arithmetic was floating point.
    Exact { probability: f64, fraction: Option<Fraction> },
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

    /// Returns the probability or its estimate, from 0 to 1.
    pub fn probability(&self) -> f64 {
        match self {
            Estimate::Exact { probability, .. } => *probability,
            Estimate::Estimate(proportion) => proportion.estimate(),
            Estimate::Stratified(strata) => strata.estimate(),
        }
    }

    /// Returns the standard error of an estimate, or `None` if the probability is exact.
    pub fn std_error(&self) -> Option<f64> {
        match self {
            Estimate::Exact { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.std_error()),
            Estimate::Stratified(strata) => Some(strata.std_error()),
        }
    }

    /// Returns the 95 % interval of an estimate, or `None` if the probability is exact.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Estimate::Exact { .. } => None,
            Estimate::Estimate(proportion) => Some(proportion.interval(CONFIDENCE)),
            Estimate::Stratified(strata) => Some(strata.interval(CONFIDENCE)),
        }
    }

    /// Returns the sequences with the outcome and all sequences; `None` if the odds are exact.
    pub fn counted(&self) -> Option<(u64, u64)> {
        match self {
            Estimate::Exact { .. } => None,
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
            _ => f.write_str(&odds),
        }
    }
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
