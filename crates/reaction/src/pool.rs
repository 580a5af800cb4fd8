//! Pools of D6: Target Numbers and sliding dice.

use engine::dice::Face;

/// The dice of a roll that are still to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// The number of dice. A negative number counts dice lost by sliding beyond all there were.
    /// Each of these takes up one Wild Die.
    pub left: i8,
    /// True if no further Wild Die can join the roll.
    pub closed: bool,
}

impl Pool {
    pub(super) fn new(dice: i8) -> Pool {
        Pool { left: dice, closed: false }
    }

    pub(super) fn dice(self) -> u8 {
        self.left.max(0) as u8
    }
}

/// A number of dice and their Target Number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRoll {
    pub dice: i8,
    pub tn: u8,
}

impl PoolRoll {
    /// Applies sliding dice: each point of the TN above 6 costs a die, each point below 2 adds one.
    pub fn slid(dice: i16, tn: i16) -> PoolRoll {
        let rolled = tn.clamp(2, 6);
        PoolRoll { dice: (dice + rolled - tn) as i8, tn: rolled as u8 }
    }
}

/// The result of a die of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieResult {
    Miss,
    Success,
    /// A six, where sixes count as more than a success.
    Six,
}

impl DieResult {
    /// Reads a die. A six is always a success, because no TN is above 6.
    #[inline]
    pub(super) fn from_face(face: Face, tn: u8, sixes_count: bool) -> DieResult {
        match face.dr() {
            6 if sixes_count => DieResult::Six,
            pips if pips >= tn => DieResult::Success,
            _ => DieResult::Miss,
        }
    }

    #[inline]
    pub(super) fn is_success(self) -> bool {
        self != DieResult::Miss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers TNs from -1 to 9, and a loss of more dice than there are.
    #[test]
    fn target_numbers_out_of_range_change_the_dice() {
        for (dice, tn, rolled) in [
            (5, 4, (5, 4)),
            (5, 7, (4, 6)),
            (5, 8, (3, 6)),
            (5, 1, (6, 2)),
            (5, -1, (8, 2)),
            (1, 9, (-2, 6)),
        ] {
            let roll = PoolRoll::slid(dice, tn);
            assert_eq!((roll.dice, roll.tn), rolled, "{dice} dice at {tn}");
        }
    }
}
