//! The stages of an exchange.

use super::pool::PoolRoll;
use super::unit::Side;
use engine::process::ReportIndex;

/// A stage of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Volley(Volley),
    Orders(Orders),
    /// The roll of Command Dice of both sides.
    Command,
    /// The use of a Dice Chain by the side whose pulse it is, with at most `staff` Staff Orders.
    Pulse {
        staff: u8,
    },
    /// The restocking of Staff Orders with a chain of Command Dice; `sixes` if they are sixes.
    Restock {
        side: Side,
        chain: u8,
        sixes: bool,
    },
    TurnEnds,
    /// The dispersal of a unit, whatever the cause.
    Disperse(u8),
    /// The loss of Army Morale Points for one dispersed unit.
    MoraleLoss(Side),
    /// An Army Morale Check of the own side with that many dice.
    MoraleCheck {
        dice: u8,
    },
    /// The move of a unit.
    Move(Move),
    /// A report of all units and armies.
    Report(ReportIndex),
}

impl Stage {
    /// The maximum number of Staff Orders usable for orders in the stage.
    pub(super) fn most_staff(&self) -> u8 {
        match self {
            Stage::Orders(Orders { staff, .. }) | Stage::Pulse { staff } => *staff,
            _ => 0,
        }
    }
}

/// Fire of one unit, or of something off the table, at one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volley {
    /// The side that fires.
    pub side: Side,
    /// The place of the firing unit, if it is a unit of the question.
    pub firer: Option<u8>,
    /// The place of the target.
    pub target: u8,
    pub roll: PoolRoll,
    /// The Reaction Dice of the target, without cover.
    pub reaction: u8,
    /// The Reaction Dice for the cover of the target.
    pub cover: u8,
    /// Whether a firing six suppresses unless the target has more sixes.
    pub high_suppression: bool,
    /// Whether the side may hold its fire.
    pub may_hold: bool,
}

impl Volley {
    /// The number of unmatched sixes at which the suppression check is passed for certain. As many
    /// sixes as the firer's pass; by high suppression only more do.
    pub(super) fn matched(&self) -> i8 {
        if self.high_suppression { -1 } else { 0 }
    }
}

/// The orders a side can give in one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    pub side: Side,
    /// Its Command Dice. With `None` all that are left of the roll can be used.
    pub dice: Option<u8>,
    /// The maximum number of Staff Orders it uses.
    pub staff: u8,
    /// Whether activations end afterwards, so that units can be rallied again.
    pub ends_activations: bool,
}

impl Orders {
    /// The maximum number of orders.
    pub(super) fn most(&self) -> u8 {
        self.dice.map_or(u8::MAX, |dice| dice + self.staff)
    }
}

/// A move that needs no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The place of the unit.
    pub place: u8,
    /// The dice of the move: 1, 2 or 3 for a single, double or triple move.
    pub chain: u8,
    /// Whether its side may let it stay.
    pub may_hold: bool,
}
