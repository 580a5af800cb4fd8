//! Pools of D6: Target Numbers, sliding dice, and Wild Dice that join a roll.

use super::exchange::Exchange;
use super::field::{Battlefield, Side, Task};
use super::rules::WildDieTiming;
use engine::dice::Face;

/// Dice of a roll that are still to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// Below 0 where so many Wild Dice would be lost before one is rolled.
    pub left: i8,
    /// Nobody is asked any more whether a Wild Die joins it.
    pub closed: bool,
}

/// Most pips of a die.
const MOST: i16 = 6;
/// The least Target Number that is rolled against.
const LEAST_TN: i16 = 2;

/// A number of dice to be rolled against a Target Number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    pub dice: i8,
    pub tn: u8,
}

impl Roll {
    /// Sliding dice: what a TN is beyond 6 costs dice, what it is short of 2 brings dice.
    pub fn slid(dice: i16, tn: i16) -> Roll {
        let rolled = tn.clamp(LEAST_TN, MOST);
        Roll { dice: (dice + rolled - tn) as i8, tn: rolled as u8 }
    }
}

impl Pool {
    pub(super) fn of(dice: i8) -> Pool {
        Pool { left: dice, closed: false }
    }

    /// Dice that are still to be rolled.
    pub(super) fn dice(self) -> u8 {
        self.left.max(0) as u8
    }

    pub(super) fn roll_one(&mut self) {
        self.left -= 1;
    }
}

/// What a die of a pool shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Miss,
    Success,
    /// A six, where sixes count for more.
    Six,
}

impl Shown {
    /// Every six is a success, whatever the TN.
    #[inline]
    pub(super) fn of(face: Face, tn: u8, sixes_count: bool) -> Shown {
        match face.dr() {
            6 if sixes_count => Shown::Six,
            pips if pips >= tn => Shown::Success,
            _ => Shown::Miss,
        }
    }

    #[inline]
    pub(super) fn is_success(self) -> bool {
        self != Shown::Miss
    }
}

impl Exchange {
    /// Wild Dice a side can still add to a roll.
    pub(super) fn wild_dice(&self, field: &Battlefield, side: Side, pool: Pool) -> u8 {
        if pool.closed { 0 } else { field.army(side).wild }
    }

    /// Whether the side is to be asked for a Wild Die now: before the first die is rolled, or by
    /// `wild-die-timing` after the last.
    pub(super) fn asks_for_wild_die(&self, field: &Battlefield, side: Side, pool: Pool) -> bool {
        self.wild_dice(field, side, pool) > 0
            && (self.rules.wild_die_timing == WildDieTiming::Before || pool.left <= 0)
    }

    /// Adds a Wild Die to the roll in hand, or closes the roll.
    pub(super) fn answer_wild_die(&self, field: &mut Battlefield, side: Side, adds: bool) {
        if adds {
            field.army_mut(side).wild -= 1;
        }
        if let Some(Task::Fire { pool, .. } | Task::React { pool, .. } | Task::Rally { pool, .. }) =
            field.agenda.last_mut()
        {
            if adds {
                pool.left += 1;
            } else {
                pool.closed = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sliding dice: five dice at 4, 7, 8 and 1, and more points than there are dice.
    #[test]
    fn dice_slide() {
        for (dice, tn, rolled) in [
            (5, 4, (5, 4)),
            (5, 7, (4, 6)),
            (5, 8, (3, 6)),
            (5, 1, (6, 2)),
            (5, -1, (8, 2)),
            (1, 9, (-2, 6)),
        ] {
            let roll = Roll::slid(dice, tn);
            assert_eq!((roll.dice, roll.tn), rolled, "{dice} dice at {tn}");
        }
    }
}
