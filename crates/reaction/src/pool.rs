//! Pools of D6: Target Numbers and sliding dice.

use super::unit::Side;

/// The dice of a roll that are still to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub side: Side,
    /// The number of dice. A negative number counts dice lost by sliding beyond all there were.
    /// Each of these takes up one Wild Die.
    pub left: i8,
    /// True if no further Wild Die can join the roll.
    pub closed: bool,
}

impl Pool {
    pub(super) fn new(side: Side, dice: i8) -> Pool {
        Pool { side, left: dice, closed: false }
    }

    pub(super) fn dice(self) -> u8 {
        self.left.max(0) as u8
    }
}

/// Applies sliding dice: each point of the TN above 6 costs a die, each point below 2 adds one.
/// Returns the dice and the TN that are rolled.
pub(super) fn slide(dice: i16, tn: i16) -> (i8, u8) {
    let rolled = tn.clamp(2, 6);
    ((dice + rolled - tn) as i8, rolled as u8)
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
            assert_eq!(slide(dice, tn), rolled, "{dice} dice at {tn}");
        }
    }
}
