//! Number types for probabilities: exact 128-bit fractions, or doubles.

use std::hash::{Hash, Hasher};

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use crate::exact::Fraction;

/// A number type for probabilities: a double, or an exact fraction that may overflow (`None`).
pub trait Number: Copy + PartialEq + Send + Sync {
    /// The number 1.
    const ONE: Self;
    /// The number 0.
    const ZERO: Self;
    /// True if numbers are exact fractions, which may overflow.
    const IS_FRACTION: bool;
    /// Returns `numerator / denominator`. The denominator must not be 0.
    fn ratio(numerator: u128, denominator: u128) -> Option<Self>;
    /// Multiplies two numbers.
    fn times(self, other: Self) -> Option<Self>;
    /// Adds two numbers.
    fn plus(self, other: Self) -> Option<Self>;
    /// Divides by `whole`, which must not be 0.
    fn over(self, whole: Self) -> Option<Self>;
    /// Returns the number as a double.
    fn probability(self) -> f64;
    /// Returns the number as a fraction; `None` for a double.
    fn fraction(self) -> Option<Fraction>;
    /// A key for hashing. Equal keys mean equal numbers.
    type Key: Eq + Hash;
    /// Returns the hash key of the number.
    fn key(self) -> Self::Key;
}

impl Number for Fraction {
    const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };
    const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };
    const IS_FRACTION: bool = true;

    fn ratio(numerator: u128, denominator: u128) -> Option<Fraction> {
        Some(Fraction::new(numerator, denominator))
    }
    fn times(self, other: Fraction) -> Option<Fraction> {
        // Reduce crosswise first, so that multiplication overflows only if the result does not fit.
        let one = Fraction::new(self.numerator, other.denominator);
        let two = Fraction::new(other.numerator, self.denominator);
        Some(Fraction {
            numerator: one.numerator.checked_mul(two.numerator)?,
            denominator: one.denominator.checked_mul(two.denominator)?,
        })
    }
    fn plus(self, other: Fraction) -> Option<Fraction> {
        self.checked_add(other)
    }
    fn over(self, whole: Fraction) -> Option<Fraction> {
        self.times(Fraction { numerator: whole.denominator, denominator: whole.numerator })
    }
    fn probability(self) -> f64 {
        self.to_f64()
    }
    fn fraction(self) -> Option<Fraction> {
        Some(self)
    }
    type Key = (u128, u128);
    fn key(self) -> (u128, u128) {
        (self.numerator, self.denominator)
    }
}

impl Number for f64 {
    const ONE: f64 = 1.0;
    const ZERO: f64 = 0.0;
    const IS_FRACTION: bool = false;

    fn ratio(numerator: u128, denominator: u128) -> Option<f64> {
        Some(numerator as f64 / denominator as f64)
    }
    fn times(self, other: f64) -> Option<f64> {
        Some(self * other)
    }
    fn plus(self, other: f64) -> Option<f64> {
        Some(self + other)
    }
    fn over(self, whole: f64) -> Option<f64> {
        Some(self / whole)
    }
    fn probability(self) -> f64 {
        self
    }
    fn fraction(self) -> Option<Fraction> {
        None
    }
    type Key = u64;
    fn key(self) -> u64 {
        self.to_bits()
    }
}

/// A distribution: the probability of each key, in order of insertion.
pub type Distribution<K, W> = IndexMap<K, W, FxBuildHasher>;

/// Adds `weight` to the probability of `key`. Returns `None` if the sum overflows.
pub fn add<K: std::hash::Hash + Eq, W: Number>(
    spread: &mut Distribution<K, W>,
    key: K,
    weight: W,
) -> Option<()> {
    match spread.entry(key) {
        Entry::Vacant(new) => drop(new.insert(weight)),
        Entry::Occupied(mut sum) => *sum.get_mut() = sum.get().plus(weight)?,
    }
    Some(())
}

/// A wrapper that compares and hashes a number by `Number::key`.
#[derive(Clone, Copy, Debug)]
pub struct Same<W>(pub W);

impl<W: Number> PartialEq for Same<W> {
    fn eq(&self, other: &Same<W>) -> bool {
        self.0.key() == other.0.key()
    }
}

impl<W: Number> Eq for Same<W> {}

impl<W: Number> Hash for Same<W> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.key().hash(hasher);
    }
}
