//! The distribution of the sum of some dice.

/// The smallest probability that is not dropped.
const LEAST: f64 = 1e-40;

/// The distribution of the sum of some six-sided dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// The smallest sum whose probability is kept.
    from: usize,
    chances: Vec<f64>,
}

impl Sums {
    /// Returns the distribution for a number of dice, by convolution.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_vasl::sums::Sums;
    ///
    /// assert!((Sums::new(2).at_most(3) - 3.0 / 36.0).abs() < 1e-12);
    /// ```
    pub fn new(dice: usize) -> Sums {
        let mut all = Sums { from: 0, chances: vec![1.0] };
        for bit in (0..usize::BITS - dice.leading_zeros()).rev() {
            all = all.with(&all);
            if dice >> bit & 1 == 1 {
                all = all.with(&Sums { from: 1, chances: vec![1.0 / 6.0; 6] });
            }
        }
        all
    }

    /// Returns the distribution of the sum of two independent sums.
    fn with(&self, other: &Sums) -> Sums {
        let mut chances = vec![0.0; self.chances.len() + other.chances.len() - 1];
        for (place, one) in self.chances.iter().enumerate() {
            for (sum, other) in chances[place..].iter_mut().zip(&other.chances) {
                *sum += one * other;
            }
        }
        let counts = |chance: &f64| *chance >= LEAST;
        let first = chances.iter().position(counts).unwrap_or(0);
        let last = chances.iter().rposition(counts).unwrap_or(0);
        Sums { from: self.from + other.from + first, chances: chances[first..=last].to_vec() }
    }

    /// Returns the probability of a sum or a lower one.
    pub fn at_most(&self, sum: usize) -> f64 {
        let places = (sum + 1).saturating_sub(self.from).min(self.chances.len());
        self.chances[..places].iter().sum::<f64>().min(1.0)
    }

    /// Returns the probability of a sum or a higher one.
    pub fn at_least(&self, sum: usize) -> f64 {
        let place = sum.saturating_sub(self.from).min(self.chances.len());
        self.chances[place..].iter().rev().sum::<f64>().min(1.0)
    }

    /// Returns the bounds of the central interval with probability `chance` (0 to 1).
    pub(super) fn middle(&self, chance: f64) -> (usize, usize) {
        let tail = (1.0 - chance) / 2.0;
        let end = |mut places: Box<dyn Iterator<Item = (usize, &f64)> + '_>| {
            let mut sum = 0.0;
            let is_in = |(_, share): &(usize, &f64)| {
                sum += *share;
                sum > tail
            };
            places.find(is_in).map_or(0, |(place, _)| self.from + place)
        };
        let all = || self.chances.iter().enumerate();
        (end(Box::new(all())), end(Box::new(all().rev())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the results of several DR by total. Every multiset is visited once, weighted by the
    /// number of its orders.
    fn listed(rolls: u32) -> Vec<u128> {
        let mut ways = vec![0u128; 12 * rolls as usize + 1];
        fn list(total: usize, left: u32, sum: usize, weight: u128, ways: &mut [u128]) {
            if total == 13 {
                if left == 0 {
                    ways[sum] += weight;
                }
                return;
            }
            let faces = 6 - (total as i128 - 7).unsigned_abs();
            let mut chosen = 1u128;
            for count in 0..=left {
                list(total + 1, left - count, sum + total * count as usize, weight * chosen, ways);
                // One more of this total, placed anywhere among the rolls left.
                chosen = chosen * faces * u128::from(left - count) / u128::from(count + 1);
            }
        }
        list(2, rolls, 0, 1, &mut ways);
        ways
    }

    #[test]
    fn tail_odds_equal_an_enumeration() {
        for rolls in [1, 2, 3, 5, 8, 12] {
            let (ways, all) = (listed(rolls), 36f64.powi(rolls as i32));
            assert_eq!(ways.iter().sum::<u128>(), 36u128.pow(rolls));
            let sums = Sums::new(2 * rolls as usize);
            for total in 2 * rolls as usize..=12 * rolls as usize {
                let low = ways[..=total].iter().sum::<u128>() as f64 / all;
                let high = ways[total..].iter().sum::<u128>() as f64 / all;
                let odds = (sums.at_most(total), sums.at_least(total));
                assert!((odds.0 / low - 1.0).abs() < 1e-12, "{rolls} {total}: {odds:?} {low}");
                assert!((odds.1 / high - 1.0).abs() < 1e-12, "{rolls} {total}: {odds:?} {high}");
            }
        }
        assert_eq!((Sums::new(0).at_most(0), Sums::new(1).at_least(7)), (1.0, 0.0));
        assert!((Sums::new(1).at_most(2) - 1.0 / 3.0).abs() < 1e-15);
    }
}
