//! Exact fractions for the twins, so that ties between plays are exact ties.

use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    top: u128,
    bottom: u128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { top: 0, bottom: 1 };
    pub const ONE: Ratio = Ratio { top: 1, bottom: 1 };

    pub fn new(top: u128, bottom: u128) -> Self {
        let common = greatest_common_divisor(top, bottom);
        Self { top: top / common, bottom: bottom / common }
    }

    pub fn plus(self, other: Self) -> Self {
        let common = greatest_common_divisor(self.bottom, other.bottom);
        Self::new(
            self.top * (other.bottom / common) + other.top * (self.bottom / common),
            self.bottom / common * other.bottom,
        )
    }

    pub fn times(self, other: Self) -> Self {
        let left = Self::new(self.top, other.bottom);
        let right = Self::new(other.top, self.bottom);
        Self { top: left.top * right.top, bottom: left.bottom * right.bottom }
    }

    pub fn value(self) -> f64 {
        self.top as f64 / self.bottom as f64
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.top)?;
        if self.bottom == 1 { Ok(()) } else { write!(f, "/{}", self.bottom) }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.top * other.bottom).cmp(&(other.top * self.bottom))
    }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { greatest_common_divisor(b, a % b) }
}
