//! The roll of Command Dice: Command Failure and the side that goes first.

use super::unit::Side;

/// The number of faces that decide which side goes first: 6s, then 5s, down to 2s.
const DECIDING: usize = 5;

/// A roll of Command Dice. The own dice are rolled first, then the enemy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommandRoll {
    left: [u8; 2],
    pub(super) ones: [u8; 2],
    sixes: [u8; 2],
    /// Own dice minus enemy dice that show 6, 5, 4, 3 and 2. Only 6s count if the question does not
    /// ask which side goes first.
    pub(super) lead: [i8; DECIDING],
}

/// Returns whether the dice are a Command Failure: more 1s than 6s.
pub(super) fn fails(ones: u8, sixes: u8) -> bool {
    ones > sixes
}

/// Returns the side whose die is rolled next, or `None` if all dice are rolled.
pub(super) fn next_side(left: [u8; 2]) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| left[side as usize] > 0)
}

impl CommandRoll {
    pub(super) fn from_dice(dice: [u8; 2]) -> CommandRoll {
        CommandRoll { left: dice, ones: [0; 2], sixes: [0; 2], lead: [0; DECIDING] }
    }

    pub(super) fn side(&self) -> Option<Side> {
        next_side(self.left)
    }

    pub(super) fn fails(&self, side: Side) -> bool {
        fails(self.ones[side as usize], self.sixes[side as usize])
    }

    /// Adds the next die; 0 stands for a number that does not matter.
    pub(super) fn add(&mut self, pips: u8) {
        let Some(side) = self.side() else { return };
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

    /// Drops what no longer matters once all own dice are rolled, so that equal states merge.
    /// Dropped are 6s beyond the own 1s, and the order of sides after a failure. Once the enemy
    /// leads in one number, all lower numbers are dropped too.
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
