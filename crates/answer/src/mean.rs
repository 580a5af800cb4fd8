//! Expected values, exact or estimated.

use std::fmt;

use super::estimate::{CONFIDENCE, Estimate, ROUNDING, SHORT_FRACTION};
use engine::exact::Fraction;
use engine::stats::{Proportion, normal_half_width};

/// An expected value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub value: f64,
    /// The value as a fraction, if it is exact and not too long.
    pub fraction: Option<Fraction>,
    /// Standard error of an estimate; `None` if the value is exact or certified.
    pub std_error: Option<f64>,
    /// Largest error of a certified value, rounded up; `None` for all others.
    pub error_bound: Option<f64>,
}

impl Mean {
    /// Returns the 95 % interval of an estimate, or `None` if the value is exact or certified.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half_width = normal_half_width(self.std_error?, CONFIDENCE);
        Some((self.value - half_width, self.value + half_width))
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Fraction { numerator, denominator: 1 }) = self.fraction {
            return write!(f, "{numerator}");
        }
        let value = if self.value.abs() < VISIBLE { 0.0 } else { self.value };
        write!(f, "{value:.4}")?;
        match (self.interval(), self.fraction.map(|fraction| fraction.to_string())) {
            (Some((low, high)), _) => write!(f, " (95 %: {low:.4} - {high:.4})"),
            (None, Some(fraction)) if fraction.len() <= SHORT_FRACTION => {
                write!(f, " ({fraction})")
            }
            (None, _) => match self.error_bound.filter(|bound| *bound >= VISIBLE) {
                Some(bound) => write!(f, " (certain to {bound:.4})"),
                None => Ok(()),
            },
        }
    }
}

/// The smallest error that changes the decimals shown.
const VISIBLE: f64 = 0.00005;

pub(super) struct Sum {
    mean: f64,
    squares: f64,
    fraction: Option<Fraction>,
    trials: Option<u64>,
    is_stratified: bool,
    /// The chance of what was not followed to its end.
    missing: Option<f64>,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum {
            mean: 0.0,
            squares: 0.0,
            fraction: Some(Fraction::new(0, 1)),
            trials: None,
            is_stratified: false,
            missing: None,
        }
    }
}

impl Sum {
    pub(super) fn add(&mut self, figure: &Estimate, amount: i64) {
        let (probability, times) = (figure.low(), amount as f64);
        self.mean += probability * times;
        self.squares += probability * times * times;
        match figure {
            Estimate::Exact { fraction, .. } => {
                let share = |fraction: Fraction| {
                    let numerator = fraction.numerator.checked_mul(amount.try_into().ok()?)?;
                    Some(Fraction::new(numerator, fraction.denominator))
                };
                self.fraction = self
                    .fraction
                    .zip(fraction.and_then(share))
                    .and_then(|(sum, share)| sum.checked_add(share));
            }
            Estimate::Certified { missing, .. } => {
                self.fraction = None;
                self.missing = Some(self.missing.unwrap_or_default().max(*missing));
            }
            Estimate::Estimate(Proportion { trials, .. }) => self.trials = Some(*trials),
            Estimate::Stratified(_) => self.is_stratified = true,
        }
    }

    /// Returns the mean of amounts in a range that contains 0; `None` under stratified sampling,
    /// where its error is unknown.
    pub(super) fn mean(self, (least, most): (f64, f64)) -> Option<Mean> {
        let variance = (self.squares - self.mean * self.mean).max(0.0);
        let std_error = self.trials.map(|trials| (variance / trials as f64).sqrt());
        let fraction = self.fraction.filter(|_| self.trials.is_none());
        let half = self.missing.map(|missing| missing * (most - least) / 2.0);
        let middle = self.missing.map(|missing| missing * (most + least) / 2.0);
        let value = self.mean + middle.unwrap_or_default();
        // The sum is rounded once for each of a few thousand outcomes.
        let error_bound = half.map(|half| half + value.abs() * ROUNDING);
        (!self.is_stratified).then_some(Mean { value, fraction, std_error, error_bound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wherever the missing chance goes, the mean lies within its error bound.
    #[test]
    fn certified_means_lie_within_their_bounds() {
        let (least, most, missing) = (-5.0, 7.0, 0.1);
        let mut sum = Sum::default();
        sum.add(&Estimate::Certified { low: 0.3, missing }, -2);
        sum.add(&Estimate::Certified { low: 0.6, missing }, 4);
        let mean = sum.mean((least, most)).unwrap();
        let bound = mean.error_bound.unwrap();
        for amount in [least, -2.0, 0.0, 4.0, most] {
            let all = -2.0 * 0.3 + 4.0 * 0.6 + amount * missing;
            assert!((mean.value - all).abs() <= bound, "{amount}: {all}, not {mean:?}");
        }
        assert!(bound < 0.6 + 1e-9);
        assert_eq!(mean.to_string(), "1.9000 (certain to 0.6000)");
    }
}
