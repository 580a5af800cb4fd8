//! A Sniper beside a question (14): the DR that call it, and the units that its attack can strike.

use super::unit::UnitIndex;

/// The least SAN: with a lower one there is no Sniper (14.1).
pub const LEAST_SAN: u8 = 2;

/// The highest Sniper dr that does something (14.2).
pub const MOST_EFFECTIVE: u8 = 2;

/// The number of parts in which the share of a Sniper's attacks is counted: the faces of two DR.
pub const SHARES: u16 = 36 * 36;

/// A Sniper whose calls a question follows (14.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniper {
    /// The SAN of the present moment, such as that of night (E1.76).
    pub san: u8,
    /// True for the Sniper of the stack's own side, which the DR of attacks call. MC and TC of the
    /// stack call that of the enemy.
    pub is_own: bool,
    /// The share of its attacks that strike the stack, out of [`SHARES`]. At 0 calls are counted.
    pub share: u16,
}

impl Sniper {
    /// Returns whether some of its attacks strike the stack.
    pub(crate) fn strikes(self) -> bool {
        self.share > 0
    }
}

/// The result of a Sniper Check (14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SniperSearch {
    /// The Sniper is eliminated: its SAN is one less.
    Eliminated,
    /// The Sniper is pinned: it does not attack again in this Player Turn (14.31).
    Pinned,
    InVain,
}

impl SniperSearch {
    /// The highest Final DR that eliminates the Sniper, and the one that pins it.
    pub(crate) const ELIMINATED_ON: i8 = 2;
    pub(crate) const PINNED_ON: i8 = 3;

    pub(super) fn from_final(number: i8) -> SniperSearch {
        match number {
            ..=SniperSearch::ELIMINATED_ON => SniperSearch::Eliminated,
            SniperSearch::PINNED_ON => SniperSearch::Pinned,
            _ => SniperSearch::InVain,
        }
    }
}

/// What Sniper Checks have done so far (14.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SniperHunt {
    /// The effective attacks so far, if outcomes of the whole stack tell them.
    pub attacks: u8,
    /// How much lower the SAN is.
    pub lost: u8,
    /// True if the Sniper is pinned in this Player Turn.
    pub is_pinned: bool,
    /// The Dummies that it has struck (14.3).
    pub dummies: u8,
    /// The units, as bits, that have searched in this Player Turn, and so are TI.
    pub searchers: u32,
}

impl SniperHunt {
    /// Returns whether a unit has searched in this Player Turn.
    pub fn has_searched(self, unit: UnitIndex) -> bool {
        unit < 32 && self.searchers >> unit & 1 == 1
    }

    /// Returns what the checks of this Player Turn have found.
    pub fn found(self) -> SniperSearch {
        match self {
            SniperHunt { lost: 1.., .. } => SniperSearch::Eliminated,
            SniperHunt { is_pinned: true, .. } => SniperSearch::Pinned,
            _ => SniperSearch::InVain,
        }
    }

    /// Ends the Player Turn.
    pub fn end_turn(&mut self) {
        let SniperHunt { attacks, lost, dummies, .. } = *self;
        *self = SniperHunt { attacks, lost, dummies, ..SniperHunt::default() };
    }
}

/// The target of a Sniper dr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SniperTarget {
    /// The Location, in which a Random Selection finds the unit (14.23).
    Location,
    /// The concealed units of the Location, which are one candidate (14.23).
    Concealed,
    Unit(UnitIndex),
    Dummy,
}
