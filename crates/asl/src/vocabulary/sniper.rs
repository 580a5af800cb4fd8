//! A Sniper beside a question (14): the DR that call it, and the units that its attack can strike.

use super::unit::UnitIndex;

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

/// The target of a Sniper dr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SniperTarget {
    /// The Location, in which a Random Selection finds the unit (14.23).
    Location,
    /// The concealed units of the Location, which are one candidate (14.23).
    Concealed,
    Unit(UnitIndex),
}
