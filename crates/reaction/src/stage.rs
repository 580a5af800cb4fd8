//! The stages of an exchange.

use super::unit::Side;
use engine::process::ReportIndex;

/// A stage of an exchange, such as a volley, a roll or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Fire at one target.
    Volley(Volley),
    /// The orders of one side, with the Command Dice to use (`None` for all that are left of the
    /// roll) and at most `staff` Staff Orders. Afterwards activations may end.
    Orders { side: Side, dice: Option<u8>, staff: u8, ends_activations: bool },
    /// The roll of Command Dice of both sides.
    Command,
    /// The use of a Dice Chain by the side that has the pulse, with at most `staff` Staff Orders.
    Pulse { staff: u8 },
    /// The restocking of Staff Orders with `chain` equal Command Dice; `sixes` is true for 6s.
    Restock { side: Side, chain: u8, sixes: bool },
    /// The end of a turn.
    TurnEnds,
    /// The dispersal of the unit with a 0-based index, whatever the cause.
    Disperse(u8),
    /// The loss of Army Morale Points for one dispersed unit.
    MoraleLoss(Side),
    /// An Army Morale Check of the own side with `dice` dice.
    MoraleCheck { dice: u8 },
    /// A move without an order of the unit with a 0-based index, with a chain of 1 to 3 dice. The
    /// unit may stay where it is if `may_hold` is true.
    Move { place: u8, chain: u8, may_hold: bool },
    /// A report of all units and armies.
    Report(ReportIndex),
}

impl Stage {
    /// Returns whether a unit may be dispersed, or counts as dispersed.
    pub(super) fn loses_units(&self) -> bool {
        matches!(self, Stage::Volley(_) | Stage::Disperse(_) | Stage::MoraleLoss(_))
    }
}

/// Fire of one unit, or from off the table, at one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volley {
    pub side: Side,
    /// The 0-based index of the firing unit; `None` if it is no unit of the question.
    pub firer: Option<usize>,
    /// The 0-based index of the target.
    pub target: usize,
    /// The firing dice after sliding, and their TN.
    pub dice: i8,
    pub tn: u8,
    /// The Reaction Dice of the target, without cover.
    pub reaction: u8,
    /// The Reaction Dice for the cover of the target.
    pub cover: u8,
    /// The unmatched firing sixes at which the target passes the suppression check: 0, since an
    /// equal number passes, but -1 with `high-suppression`, since only more sixes pass.
    pub matched: i8,
    /// True if the firing side may hold its fire.
    pub may_hold: bool,
}
