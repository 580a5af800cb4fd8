//! Dice Chains: Command Dice grouped by the number they show.
//!
//! A Dice Chain consists of all dice with one number. Sixes are wild: a side adds any number of
//! them to another chain, or uses all of them as a chain of their own. Once the side that goes
//! first is known, the numbers 2 to 5 differ only in the length of their chains.

use std::cmp::Ordering;

use super::command::fails;
use super::unit::Side;
use engine::text::counted;

/// The number of a die that can join any chain.
const WILD: u8 = 6;

/// The count of Command Dice for each number, in four bits a number. A side has at most ten dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chains([u8; 3]);

impl Chains {
    /// Returns the number of dice that show a number.
    ///
    /// # Panics
    ///
    /// Panics if the number is not from 1 to 6.
    pub fn count(self, number: u8) -> u8 {
        let pair = self.0[usize::from(number - 1) / 2];
        if number % 2 == 1 { pair & 0xf } else { pair >> 4 }
    }

    fn with(self, number: u8, dice: u8) -> Chains {
        let Chains(mut pairs) = self;
        let pair = &mut pairs[usize::from(number - 1) / 2];
        *pair = if number % 2 == 1 { *pair & 0xf0 | dice } else { *pair & 0xf | dice << 4 };
        Chains(pairs)
    }

    /// Returns all counts in one word, for hashing.
    pub(super) fn word(self) -> u64 {
        let [low, middle, high] = self.0;
        u64::from_le_bytes([low, middle, high, 0, 0, 0, 0, 0])
    }

    pub fn is_empty(self) -> bool {
        self == Chains::default()
    }

    pub fn sixes(self) -> u8 {
        self.count(WILD)
    }

    /// Returns the lengths of all chains of 2s to 5s that are not empty, in order of number.
    pub fn lengths(self) -> impl Iterator<Item = u8> {
        (2..WILD).map(move |number| self.count(number)).filter(|&dice| dice > 0)
    }

    /// Drops the 1s and sorts the chains of 2s to 5s by length, the longest first.
    fn by_length(self) -> Chains {
        let mut lengths: [u8; 4] = std::array::from_fn(|place| self.count(place as u8 + 2));
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        let sixes = Chains::default().with(WILD, self.sixes());
        (2..).zip(lengths).fold(sixes, |chains, (number, dice)| chains.with(number, dice))
    }

    /// Removes the chain with `dice` dice, if any, and a number of sixes.
    pub(super) fn without(self, dice: u8, sixes: u8) -> Chains {
        let used = (2..WILD).find(|&number| self.count(number) == dice);
        let rest = used.map_or(self, |number| self.with(number, 0));
        rest.with(WILD, self.sixes() - sixes).by_length()
    }

    /// Describes the chains, such as `2, 1 and 1 six`.
    pub(super) fn in_words(self) -> String {
        let lengths: Vec<String> = self.lengths().map(|dice| dice.to_string()).collect();
        let sixes = (self.sixes() > 0).then(|| counted(self.sixes(), "six"));
        let words: Vec<String> =
            (!lengths.is_empty()).then(|| lengths.join(", ")).into_iter().chain(sixes).collect();
        if words.is_empty() { "none".to_string() } else { words.join(" and ") }
    }
}

/// A roll of Command Dice for pulses. The own dice are rolled first, then the enemy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChainRoll {
    left: [u8; 2],
    shown: [Chains; 2],
    /// The number of rolls before this one in which the sides tied in all numbers.
    pub(super) ties: u8,
}

impl ChainRoll {
    pub(super) fn rolled(dice: [u8; 2], ties: u8) -> ChainRoll {
        ChainRoll { left: dice, shown: [Chains::default(); 2], ties }
    }

    /// Returns the side whose die is rolled next, or `None` if all dice are rolled.
    pub(super) fn side(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.left[side as usize] > 0)
    }

    fn fails(&self, side: Side) -> bool {
        let shown = self.shown[side as usize];
        fails(shown.count(1), shown.sixes())
    }

    /// Adds a die. Once all dice of a side are rolled, 1s that cause no failure are dropped.
    pub(super) fn add(&mut self, side: Side, number: u8) {
        let shown = &mut self.shown[side as usize];
        self.left[side as usize] -= 1;
        *shown = shown.with(number, shown.count(number) + 1);
        if self.left[side as usize] == 0 && !self.fails(side) {
            let shown = &mut self.shown[side as usize];
            *shown = shown.with(1, 0);
        }
    }

    /// Returns the side with the first pulse, or `None` if both fail or all numbers are equal. A
    /// side that fails goes second. Otherwise the side with more 6s goes first; if these are equal,
    /// 5s decide, and so on down to 2s.
    pub(super) fn first(&self) -> Option<Side> {
        let [own, enemy] =
            self.shown.map(|shown| [6, 5, 4, 3, 2].map(|number| shown.count(number)));
        match (self.failures(), own.cmp(&enemy)) {
            ([true, false], _) => Some(Side::Enemy),
            ([false, true], _) => Some(Side::Own),
            ([false, false], Ordering::Greater) => Some(Side::Own),
            ([false, false], Ordering::Less) => Some(Side::Enemy),
            _ => None,
        }
    }

    pub(super) fn failures(&self) -> [bool; 2] {
        Side::ALL.map(|side| self.fails(side))
    }

    /// Returns the chains of a side, with its 1s if it fails (0 otherwise).
    pub(super) fn for_side(&self, side: Side) -> (u8, Chains) {
        let shown = self.shown[side as usize];
        (shown.count(1), shown.by_length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(numbers: &[u8]) -> Chains {
        numbers.iter().fold(Chains::default(), |chains, &number| {
            chains.with(number, chains.count(number) + 1)
        })
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
            let mut roll = ChainRoll::rolled([own, enemy].map(|dice| dice.len() as u8), 0);
            own.iter().for_each(|&number| roll.add(Side::Own, number));
            enemy.iter().for_each(|&number| roll.add(Side::Enemy, number));
            assert_eq!((roll.first(), roll.side()), (first, None), "{own:?} {enemy:?}");
        }
    }
}
