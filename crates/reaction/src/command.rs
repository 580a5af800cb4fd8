//! The roll of Command Dice: Command Failure, the side that goes first, and Dice Chains.
//!
//! A Dice Chain consists of all dice with one number. Sixes are wild: a side adds any number of
//! them to another chain, or uses all of them as a chain of their own. Once the side that goes
//! first is known, the numbers 2 to 5 differ only in the length of their chains.

use std::cmp::Ordering;

use super::unit::Side;
use engine::text::counted;

/// The number of faces that decide which side goes first: 6s, then 5s, down to 2s.
const DECIDING: usize = 5;

/// A roll of Command Dice. The own dice are rolled first, then the enemy's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CommandRoll {
    pub(super) left: [u8; 2],
    pub(super) ones: [u8; 2],
    pub(super) sixes: [u8; 2],
    /// Own minus enemy dice that show 6, 5, 4, 3, 2; only 6s if the first side is not asked for.
    pub(super) lead: [i8; DECIDING],
}

fn fails(ones: u8, sixes: u8) -> bool {
    ones > sixes
}

pub(super) fn next_side(left: [u8; 2]) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| left[side as usize] > 0)
}

impl CommandRoll {
    pub(super) fn fails(&self, side: Side) -> bool {
        fails(self.ones[side as usize], self.sixes[side as usize])
    }

    /// Adds the next die; 0 stands for a number that does not matter.
    pub(super) fn add(&mut self, pips: u8) {
        let Some(side) = next_side(self.left) else { return };
        self.left[side as usize] -= 1;
        self.ones[side as usize] += u8::from(pips == 1);
        self.sixes[side as usize] += u8::from(pips == 6);
        if pips > 1 {
            self.lead[6 - usize::from(pips)] += if side == Side::Own { 1 } else { -1 };
        }
        if self.left[0] == 0 {
            self.forget();
        }
    }

    /// Drops what cannot matter once all own dice are rolled, so that equal states merge.
    fn forget(&mut self) {
        if self.fails(Side::Own) {
            self.sixes[0] = 0;
            self.lead = [0; DECIDING];
            return;
        }
        self.sixes[0] = self.ones[0];
        if self.lead.iter().find(|&&lead| lead != 0).is_some_and(|&lead| lead < 0) {
            self.lead = [-1, 0, 0, 0, 0];
        }
    }
}

/// The count of Command Dice for each number from 1 to 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chains([u8; 6]);

impl Chains {
    /// Returns all counts in one word, for hashing. A side has at most ten dice.
    pub(super) fn word(self) -> u64 {
        self.0.iter().rev().fold(0, |word, &count| word << 4 | u64::from(count))
    }

    pub fn is_empty(self) -> bool {
        self == Chains::default()
    }

    pub fn sixes(self) -> u8 {
        self.0[5]
    }

    /// Returns the lengths of all chains of 2s to 5s that are not empty, in order of number.
    pub fn lengths(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take(5).skip(1).filter(|&dice| dice > 0)
    }

    /// Drops the 1s and sorts the chains of 2s to 5s by length, the longest first.
    fn by_length(mut self) -> Chains {
        self.0[0] = 0;
        self.0[1..5].sort_unstable_by(|a, b| b.cmp(a));
        self
    }

    /// Removes the chain with `dice` dice, if any, and a number of sixes.
    pub(super) fn without(mut self, dice: u8, sixes: u8) -> Chains {
        if let Some(used) = self.0[1..5].iter_mut().find(|count| **count == dice) {
            *used = 0;
        }
        self.0[5] -= sixes;
        self.by_length()
    }

    pub(super) fn in_words(self) -> String {
        let lengths: Vec<String> = self.lengths().map(|dice| dice.to_string()).collect();
        match (lengths.is_empty(), self.sixes()) {
            (true, 0) => "none".to_string(),
            (true, sixes) => counted(sixes, "six"),
            (false, 0) => lengths.join(", "),
            (false, sixes) => format!("{} and {}", lengths.join(", "), counted(sixes, "six")),
        }
    }
}

/// A roll of Command Dice for pulses. The own dice are rolled first, then the enemy's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChainRoll {
    pub(super) left: [u8; 2],
    pub(super) shown: [Chains; 2],
    /// The number of rolls before this one in which the sides tied in all numbers.
    pub(super) ties: u8,
}

impl ChainRoll {
    /// Adds the next die. Once all dice of a side are rolled, 1s that cause no failure are dropped.
    pub(super) fn add(&mut self, number: u8) {
        let Some(side) = next_side(self.left) else { return };
        self.left[side as usize] -= 1;
        let Chains(shown) = &mut self.shown[side as usize];
        shown[usize::from(number) - 1] += 1;
        if self.left[side as usize] == 0 && !fails(shown[0], shown[5]) {
            shown[0] = 0;
        }
    }

    /// Returns the side with the first pulse; `None` if both fail or all numbers are equal. A side
    /// that fails is second. Otherwise more 6s go first, then more 5s, and so on down to 2s.
    pub(super) fn first(&self) -> Option<Side> {
        let [own, enemy] = self.shown.map(|shown| shown.0.into_iter().rev().take(5));
        match (self.failures(), own.cmp(enemy)) {
            ([true, false], _) | ([false, false], Ordering::Less) => Some(Side::Enemy),
            ([false, true], _) | ([false, false], Ordering::Greater) => Some(Side::Own),
            _ => None,
        }
    }

    pub(super) fn failures(&self) -> [bool; 2] {
        self.shown.map(|shown| fails(shown.0[0], shown.sixes()))
    }

    /// Returns the chains of a side, with its 1s if it fails (0 otherwise).
    pub(super) fn for_side(&self, side: Side) -> (u8, Chains) {
        let shown = self.shown[side as usize];
        (shown.0[0], shown.by_length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(numbers: &[u8]) -> Chains {
        let mut chains = Chains::default();
        numbers.iter().for_each(|&number| chains.0[usize::from(number) - 1] += 1);
        chains
    }

    /// "Order of steps in a turn": one number is one chain, sixes are separate, 1s are dropped.
    #[test]
    fn chains_are_sorted_by_length() {
        let chains = shown(&[1, 2, 5, 5, 6, 4, 5]).by_length();
        assert_eq!(chains, shown(&[3, 4, 2, 2, 2, 6]).by_length());
        assert_eq!((chains.lengths().collect::<Vec<_>>(), chains.sixes()), (vec![3, 1, 1], 1));
        assert_eq!(chains.in_words(), "3, 1, 1 and 1 six");
        assert_eq!(chains.without(1, 1).in_words(), "3, 1");
        assert_eq!(shown(&[6, 6]).without(0, 2), Chains::default());
    }

    /// "Order of steps in a turn", point 2: the side that goes first.
    #[test]
    fn side_with_more_of_the_highest_number_goes_first() {
        for (own, enemy, first) in [
            (&[6, 2][..], &[5, 5][..], Some(Side::Own)),
            (&[6, 2], &[6, 3], Some(Side::Enemy)),
            (&[1, 5], &[2, 2], Some(Side::Enemy)),
            (&[1, 6], &[6, 1], None),
            (&[1, 1], &[1, 2], None),
        ] {
            let left = [own, enemy].map(|dice| dice.len() as u8);
            let mut roll = ChainRoll { left, ..ChainRoll::default() };
            own.iter().chain(enemy).for_each(|&number| roll.add(number));
            assert_eq!((roll.first(), next_side(roll.left)), (first, None), "{own:?} {enemy:?}");
        }
    }
}
