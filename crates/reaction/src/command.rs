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

/// The reading of a Command Die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandDie {
    One,
    Six,
    /// Another number from 2 to 5, or 0 if the number does not matter.
    Other(u8),
}

impl CommandDie {
    /// Reads a die. The numbers 2 to 5 count only if `compares_first` is true.
    pub(super) fn from_pips(pips: u8, compares_first: bool) -> CommandDie {
        match pips {
            1 => CommandDie::One,
            6 => CommandDie::Six,
            pips => CommandDie::Other(if compares_first { pips } else { 0 }),
        }
    }
}

/// Returns whether the dice are a Command Failure: more 1s than 6s.
pub(super) fn fails(ones: u8, sixes: u8) -> bool {
    ones > sixes
}

impl CommandRoll {
    pub(super) fn from_dice(dice: [u8; 2]) -> CommandRoll {
        CommandRoll { left: dice, ones: [0; 2], sixes: [0; 2], lead: [0; DECIDING] }
    }

    /// Returns the side whose die is rolled next, or `None` if all dice are rolled.
    pub(super) fn side(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.left[side as usize] > 0)
    }

    pub(super) fn fails(&self, side: Side) -> bool {
        fails(self.ones[side as usize], self.sixes[side as usize])
    }

    pub(super) fn add(&mut self, side: Side, die: CommandDie) {
        let place = side as usize;
        self.left[place] -= 1;
        let deciding = match die {
            CommandDie::One => {
                self.ones[place] += 1;
                None
            }
            CommandDie::Six => {
                self.sixes[place] += 1;
                Some(0)
            }
            CommandDie::Other(0) => None,
            CommandDie::Other(pips) => Some(6 - usize::from(pips)),
        };
        if let Some(number) = deciding {
            self.lead[number] += if side == Side::Own { 1 } else { -1 };
        }
        self.forget();
    }

    /// Drops what no longer matters once all own dice are rolled, so that equal states merge.
    /// Dropped are 6s beyond the own 1s, and the order of sides after a failure. Once the enemy
    /// leads in one number, all lower numbers are dropped too.
    fn forget(&mut self) {
        if self.left[0] > 0 {
            return;
        }
        let failed = self.fails(Side::Own);
        self.sixes[0] = if failed { 0 } else { self.ones[0] };
        let decided =
            self.lead.iter().position(|&lead| lead != 0).filter(|&number| self.lead[number] < 0);
        if failed {
            self.lead = [0; DECIDING];
        } else if decided.is_some() {
            self.lead = [-1, 0, 0, 0, 0];
        }
    }
}
