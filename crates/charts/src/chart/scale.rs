//! Axes: positions of numbers, and round numbers as ticks.

use super::data::Unit;

/// Tolerance for rounding errors, in steps between ticks.
const ROUNDING: f64 = 1e-6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    /// The round numbers marked on the axis, its ends included.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// Creates an axis from 0 to 1, for probabilities.
    pub fn share() -> Scale {
        Scale { low: 0.0, high: 1.0, ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0] }
    }

    /// Creates an axis with round ends that contains both numbers.
    pub fn round(least: f64, most: f64) -> Scale {
        let span = if most - least > 0.0 { most - least } else { 1.0 };
        let rough = span / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|factor| factor * power);
        let step =
            step.clone().find(|step| *step >= rough * (1.0 - ROUNDING)).unwrap_or(10.0 * power);
        let first = (least / step + ROUNDING).floor();
        let last = (most / step - ROUNDING).ceil().max(first + 1.0);
        let ticks = (0..=(last - first) as usize).map(|tick| (first + tick as f64) * step);
        Scale { low: first * step, high: last * step, ticks: ticks.collect() }
    }

    /// Returns the position of a number on the axis, from 0 to 1.
    pub fn position(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Formats a tick without sign and unit; probabilities and their differences in percent.
    pub fn tick(&self, unit: Unit, tick: f64) -> String {
        let step = (self.ticks[1] - self.ticks[0]) * if unit == Unit::Number { 1.0 } else { 100.0 };
        let digits = (-step.log10().floor()).max(0.0) as usize;
        // A step of 2.5 needs one decimal more than a step of 2.
        let scaled = step * 10f64.powi(digits as i32);
        let digits = digits + usize::from((scaled - scaled.round()).abs() > 1e-6);
        let tick = if tick.abs() < 1e-12 { 0.0 } else { tick };
        match unit {
            Unit::Number => format!("{tick:.digits$}"),
            _ => format!("{:.digits$}", 100.0 * tick),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that lie on a tick end the axis there.
    #[test]
    fn round_axes_end_at_the_nearest_ticks_around_their_values() {
        let cases = [
            ((0.0, 1.0), "0.00 0.25 0.50 0.75 1.00"),
            ((0.0, 1.01), "0.0 0.5 1.0 1.5"),
            ((-2.0, 2.0), "-2 -1 0 1 2"),
            ((0.3, 7.9), "0 2 4 6 8"),
            ((3.0, 3.0), "3.00 3.25"),
        ];
        for ((least, most), expected) in cases {
            let scale = Scale::round(least, most);
            let ticks = scale.ticks.iter().map(|&tick| scale.tick(Unit::Number, tick));
            assert_eq!(ticks.collect::<Vec<_>>().join(" "), expected, "{least} to {most}");
        }
    }
}
