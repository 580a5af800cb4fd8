//! Formats of the values of an objective: chances in percent, all else as numbers.

use answer::estimate::percent_to;
use play::{Objective, SamplingError};

/// Format of the values of an objective and of their differences.
#[derive(Clone, Copy, Debug)]
pub enum NumberFormat {
    /// Chances as percentages with this number of decimals; differences in percentage points.
    Percent(usize),
    /// Means and weighted sums with four decimals.
    Plain,
}

impl NumberFormat {
    /// Returns the format of an objective; the values of `several` units are means.
    pub fn new(objective: &Objective, several: bool, digits: usize) -> NumberFormat {
        match objective.is_odds(several) {
            true => NumberFormat::Percent(digits),
            false => NumberFormat::Plain,
        }
    }

    /// Formats a value: `72.95 %`, `1.2119`.
    pub fn value(self, value: f64) -> String {
        match self {
            NumberFormat::Percent(digits) => percent_to(value, digits),
            NumberFormat::Plain => plain(value),
        }
    }

    /// Formats a difference for a table: `+5.35 %`, `+0.0535`.
    pub fn difference(self, difference: f64) -> String {
        match self {
            NumberFormat::Percent(_) => format!("{} %", self.signed(difference)),
            NumberFormat::Plain => self.signed(difference),
        }
    }

    /// Formats the size of a difference for a sentence: `5.35 points`, `0.0535`.
    pub fn margin(self, size: f64) -> String {
        match self {
            NumberFormat::Percent(digits) => format!("{} points", short(100.0 * size, digits)),
            NumberFormat::Plain => plain(size),
        }
    }

    /// Formats a gain of `what` for a sentence: `+5.35 points of P(holds)`, `+0.0535 units`.
    pub fn gain(self, gain: f64, what: &str) -> String {
        let unit = if let NumberFormat::Percent(_) = self { " points of" } else { "" };
        format!("{}{unit} {what}", self.signed(gain))
    }

    /// Formats the interval of a difference: `+1.20 % to +3.40 %`, or `unknown` if it is infinite.
    pub fn interval(self, error: SamplingError) -> String {
        let (low, high) = error.interval;
        match low.is_finite() {
            true => format!("{} to {}", self.difference(low), self.difference(high)),
            false => "unknown".to_string(),
        }
    }

    fn signed(self, difference: f64) -> String {
        let number = match self {
            NumberFormat::Percent(digits) => short(100.0 * difference, digits),
            NumberFormat::Plain => plain(difference),
        };
        if number.starts_with('-') { number } else { format!("+{number}") }
    }
}

/// The size below which a difference is an error of rounding.
const NOISE: f64 = 1e-12;

/// Formats a number with `digits` decimals, or a smaller one that is not 0 as `2.2e-3`.
fn short(number: f64, digits: usize) -> String {
    let number = if number.abs() < NOISE { 0.0 } else { number };
    let least = 0.5 * 0.1f64.powi(digits as i32);
    match number == 0.0 || number.abs() >= least {
        true => format!("{number:.digits$}"),
        false => format!("{number:.1e}"),
    }
}

/// Formats a number with four decimals (`0.2500`), a small one with three digits (`1.25e-4`).
pub fn plain(number: f64) -> String {
    let number = if number.abs() < NOISE { 0.0 } else { number };
    match number == 0.0 || number.abs() >= 0.001 {
        true => format!("{number:.4}"),
        false => format!("{number:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_significant_digits() {
        assert_eq!([plain(0.25), plain(0.000_125)], ["0.2500", "1.25e-4"]);
        let [percent, number] = [NumberFormat::Percent(2), NumberFormat::Plain];
        assert_eq!([percent.value(0.25), number.value(0.25)], ["25.00 %", "0.2500"]);
        assert_eq!([percent.difference(0.25), number.difference(0.25)], ["+25.00 %", "+0.2500"]);
        assert_eq!(
            [percent.difference(-2.7e-16), number.difference(1e-16)],
            ["+0.00 %", "+0.0000"]
        );
        assert_eq!(percent.gain(-0.000_022, "P(holds)"), "-2.2e-3 points of P(holds)");
        assert_eq!([percent.margin(0.053_5), number.margin(0.053_5)], ["5.35 points", "0.0535"]);
    }
}
