//! Odds of a Random Selection (A.9) with candidates of the shared state and candidates of one unit.
//!
//! Of `n` candidates, each with one dr, the `count` highest are drawn, ties for the last place
//! included. Let `t` be the lowest dr drawn: the `s` drawn candidates have rolled at least `t`,
//! fewer than `count` of them more than `t`, all others less. So one particular set of `s >= count`
//! candidates is drawn with the probability (of `n` and `s` only)
//! `sum over t of (t-1)^(n-s) * sum over k < count of C(s,k) (6-t)^k / 6^n`.

use smallvec::SmallVec;

use super::number::Number;

/// A Random Selection before a report, with its result within the state that all units share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lots {
    /// The number of candidates to select.
    pub count: u8,
    /// The result among the candidates of the shared state.
    pub common: Lottery,
}

/// A partial result of a Random Selection: the number of candidates, and the number of them drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lottery {
    pub candidates: u8,
    pub drawn: u8,
}

/// The results of all Random Selections so far, in order.
pub type Lotteries = SmallVec<[Lottery; 2]>;

impl Lottery {
    /// Adds the results of two groups of candidates in one selection.
    pub fn with(self, other: Lottery) -> Lottery {
        let candidates = self.candidates.saturating_add(other.candidates);
        Lottery { candidates, drawn: self.drawn.saturating_add(other.drawn) }
    }
}

impl Lots {
    /// Returns the odds of one drawn set; `others` are not in the shared state. `None` on overflow.
    pub fn odds<W: Number>(self, others: Lottery) -> Option<W> {
        let Lottery { candidates, drawn } = self.common.with(others);
        let (candidates, drawn) = (u32::from(candidates), u32::from(drawn));
        if candidates == 0 {
            return Some(W::ONE);
        }
        // If there are fewer candidates than are to be selected, all are drawn.
        let count = u32::from(self.count).min(candidates);
        if drawn < count {
            return Some(W::ZERO);
        }
        let left = candidates - drawn;
        let mut ways: u128 = 0;
        for last in 1..=6u128 {
            let mut above: u128 = 0;
            let mut choose: u128 = 1;
            for more in 0..count {
                above = above.checked_add(choose.checked_mul((6 - last).checked_pow(more)?)?)?;
                choose = choose * u128::from(drawn - more) / u128::from(more + 1);
            }
            ways = ways.checked_add(above.checked_mul((last - 1).checked_pow(left)?)?)?;
        }
        W::ratio(ways, 6u128.checked_pow(candidates)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Fraction;

    #[test]
    fn drawn_sets_have_the_odds_of_all_drs() {
        for (candidates, count) in [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (5, 3), (3, 3), (2, 3)]
        {
            let mut sets = vec![0u128; 1 << candidates];
            for rolls in 0..6u32.pow(candidates) {
                let drs: Vec<u32> = (0..candidates).map(|of| rolls / 6u32.pow(of) % 6).collect();
                let above = |dr: u32| drs.iter().filter(|&&other| other > dr).count();
                let drawn = (0..candidates as usize).filter(|&of| above(drs[of]) < count);
                sets[drawn.map(|of| 1 << of).sum::<usize>()] += 1;
            }
            for (set, ways) in sets.into_iter().enumerate() {
                let fate = Lottery { candidates: candidates as u8, drawn: set.count_ones() as u8 };
                let of = Lots { count: count as u8, common: Lottery::default() };
                let odds: Fraction = of.odds(fate).unwrap();
                assert_eq!(odds, Fraction::new(ways, 6u128.pow(candidates)), "{set:b} of {count}");
            }
        }
    }
}
