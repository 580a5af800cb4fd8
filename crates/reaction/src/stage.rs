//! The stages of an exchange.

use super::pool::PoolRoll;
use super::unit::Side;
use engine::process::ReportIndex;

/// A stage of an exchange, such as a volley, a roll or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Fire at one target.
    Volley(Volley),
    /// The orders of one side.
    Orders(Orders),
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
    /// A move without an order.
    Move(Move),
    /// A report of all units and armies.
    Report(ReportIndex),
}

impl Stage {
    pub(super) fn most_staff(&self) -> u8 {
        match self {
            Stage::Orders(Orders { staff, .. }) | Stage::Pulse { staff } => *staff,
            _ => 0,
        }
    }

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
    pub firer: Option<u8>,
    /// The 0-based index of the target.
    pub target: u8,
    pub roll: PoolRoll,
    /// The Reaction Dice of the target, without cover.
    pub reaction: u8,
    /// The Reaction Dice for the cover of the target.
    pub cover: u8,
    /// True if a firing six suppresses unless the target has more sixes.
    pub high_suppression: bool,
    /// True if the firing side may hold its fire.
    pub may_hold: bool,
}

impl Volley {
    /// Returns the number of unmatched firing sixes at which the target passes the suppression
    /// check. It is 0, since an equal number of sixes passes. With `high-suppression` it is -1,
    /// since only more sixes pass.
    pub(super) fn matched(&self) -> i8 {
        if self.high_suppression { -1 } else { 0 }
    }
}

/// The orders a side can give in one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    pub side: Side,
    /// The Command Dice to use; `None` for all that are left of the roll.
    pub dice: Option<u8>,
    /// The maximum number of Staff Orders to use.
    pub staff: u8,
    /// True if activations end afterwards, so that units can be rallied again.
    pub ends_activations: bool,
}

/// A move that needs no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The 0-based index of the unit.
    pub place: u8,
    /// The number of dice of the move: 1, 2 or 3 for a single, double or triple move.
    pub chain: u8,
    /// True if the unit may stay where it is.
    pub may_hold: bool,
}
