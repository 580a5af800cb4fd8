//! Common random numbers: dice that depend on sequence and epoch of a roll, never on earlier rolls.
//!
//! Compared processes should have equal luck, so that only their own difference remains. In a
//! single stream, one extra roll of a process would shift all later dice. So each *epoch* of a
//! sequence (see [`Process::epoch`](crate::process::Process::epoch)) has its own dice.
//!
//! **Sampler paired 1.** Sequence `j` has its own seed, mixed from the seed of the run and `j`.
//! Epoch `e` reads chunk `e` of the roll stream (`ChunkStream`) under that seed. Its dice are the
//! nine codes of each accepted word, one code a roll. The words are not divided into lanes.

use super::stream::{DiceLane, mixed};
use super::{Base, Dice, Face};

/// The name of the scheme that turns seed, sequence and epoch into rolls. A change gets a new name.
pub const SAMPLER: &str = "lowcrawl-paired-1";

/// The dice of one sequence. Each epoch (such as a phase) has dice of its own.
#[derive(Clone, Debug)]
pub struct CommonDice {
    base: Base,
    seed: u64,
    dealing: Option<(u32, DiceLane<1>)>,
}

impl CommonDice {
    /// Creates the dice of the 0-based `sequence` under `seed`, all of `base`.
    pub fn new(base: Base, seed: u64, sequence: u64) -> Self {
        CommonDice { base, seed: mixed(seed, sequence), dealing: None }
    }

    /// Rolls `dice` in `epoch`. A roll of an earlier epoch gets the next dice of the present one.
    ///
    /// # Panics
    ///
    /// Debug builds panic if `dice` are not of the base of this sequence.
    #[inline]
    pub fn roll(&mut self, epoch: u32, dice: Dice) -> Face {
        let lane = match &mut self.dealing {
            Some((number, lane)) if epoch <= *number => lane,
            dealing => {
                let lane = DiceLane::undivided(self.base, self.seed, epoch.into());
                &mut dealing.insert((epoch, lane)).1
            }
        };
        lane.roll(dice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes<const N: usize>(dice: &mut CommonDice, epoch: u32) -> [usize; N] {
        std::array::from_fn(|_| dice.roll(epoch, Dice::Dr).index())
    }

    /// These values, computed by a separate program, define sampler paired 1 and never change.
    #[test]
    fn paired_sampler_keeps_its_values() {
        let mut dice = CommonDice::new(Base::Dr, 36, 0);
        assert_eq!(codes(&mut dice, 0), PINNED_EPOCH_0);
        assert_eq!(codes(&mut dice, 3), PINNED_EPOCH_3);
        assert_eq!(codes(&mut CommonDice::new(Base::Dr, 36, 1), 0), PINNED_SEQUENCE_1);
    }

    const PINNED_EPOCH_0: [usize; 12] = [10, 31, 28, 14, 2, 23, 27, 1, 21, 7, 33, 0];
    const PINNED_EPOCH_3: [usize; 6] = [30, 23, 10, 33, 17, 11];
    const PINNED_SEQUENCE_1: [usize; 6] = [9, 29, 9, 16, 32, 17];

    #[test]
    fn dice_of_an_epoch_do_not_depend_on_earlier_rolls() {
        for rolled in 0..20 {
            let mut dice = CommonDice::new(Base::Dr, 7, 5);
            (0..rolled).for_each(|_| assert!(dice.roll(0, Dice::One).number() <= 6));
            assert_eq!(
                codes::<12>(&mut dice, 2),
                codes::<12>(&mut CommonDice::new(Base::Dr, 7, 5), 2)
            );
        }
    }

    #[test]
    fn dice_are_never_dealt_twice() {
        let (mut dice, mut later) =
            (CommonDice::new(Base::Dr, 7, 5), CommonDice::new(Base::Dr, 7, 5));
        let [first, second] = codes(&mut later, 2);
        assert_eq!((codes(&mut dice, 2), codes(&mut dice, 1)), ([first], [second]));
    }
}
