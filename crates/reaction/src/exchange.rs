//! An exchange of fire and orders: its units, armies, stages and reported quantities.

use super::field::{Army, Battlefield, UnitSet};
use super::rules::Rules;
use super::unit::{Member, Side, Unit};
use engine::process::ReportIndex;

/// An exchange of fire and orders as a process.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub(super) rules: Rules,
    /// The own units, then the enemy's, in order of slots.
    pub(super) roster: Vec<Member>,
    pub(super) own: usize,
    pub(super) armies: [Army; 2],
    /// The Rally Dice of the own side and of the enemy.
    pub(super) rally_dice: [u8; 2],
    pub(super) stages: Vec<Stage>,
    /// True if the enemy gains the points that a side would lose below zero.
    pub(super) hands_on_points: bool,
    /// True if a loss of 3 points causes an Army Morale Check.
    pub(super) checks_army_morale: bool,
    /// True if some stage can use Staff Orders.
    pub(super) uses_staff: bool,
    /// True if Wild Dice from a Command Failure can still be used.
    pub(super) keeps_wild_dice: bool,
    pub(super) telling: ReportScope,
}

/// A stage of an exchange, such as a volley, a roll or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Fire at one target.
    Volley(Volley),
    /// The orders of one side, with the Command Dice to use (`None` for all that are left).
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
    /// A move without an order, with a chain of 1 to 3 dice.
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
pub(super) struct Volley {
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
    /// The unmatched sixes that suppress no target: 0, or -1 with `high-suppression`.
    pub matched: i8,
    /// True if the firing side may hold its fire.
    pub may_hold: bool,
}

/// A sequence of an exchange in progress: the rules change its field, and note what happens.
pub(super) struct Playthrough<'a, L> {
    pub exchange: &'a Exchange,
    pub field: &'a mut Battlefield,
    pub log: &'a mut L,
}

/// The quantities that a question reports. Dice that decide none of these are not rolled.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportScope {
    pub inches: bool,
    /// The inches from which a unit forced back gets a status of its own, if any.
    pub at_least: Option<u8>,
    /// True if statuses tell units that were forced back from other suppressed units.
    pub forced_back: bool,
    pub effects: bool,
    /// True if statuses tell units at their goals. Units can then be ordered to move.
    pub goals: bool,
    /// True if Army Morale Points are reported.
    pub armies: bool,
    /// True if the armies are reported after a roll of Command Dice.
    pub command: bool,
    /// True if the side that goes first is reported.
    pub first: bool,
    /// True if the result of the Army Morale Check is reported.
    pub check: bool,
    pub joint: bool,
}

impl ReportScope {
    /// Returns whether the length of moves back is reported.
    pub(super) fn counts_inches(&self) -> bool {
        self.inches || self.at_least.is_some()
    }
}

impl Exchange {
    #[inline]
    pub(super) fn stage(&self, field: &Battlefield) -> Option<&Stage> {
        self.stages.get(usize::from(field.stage).checked_sub(1)?)
    }

    /// Returns the volley of the current stage, or `None` in another stage.
    #[inline]
    pub(super) fn volley(&self, field: &Battlefield) -> Option<Volley> {
        match self.stage(field) {
            Some(&Stage::Volley(volley)) => Some(volley),
            _ => None,
        }
    }

    pub(super) fn side_of(&self, place: usize) -> Side {
        if place < self.own { Side::Own } else { Side::Enemy }
    }

    /// Returns the 0-based indices of the units of a side.
    pub(super) fn places(&self, side: Side) -> std::ops::Range<usize> {
        match side {
            Side::Own => 0..self.own,
            Side::Enemy => self.own..self.roster.len(),
        }
    }

    /// Returns the units of a side that fulfil a condition.
    pub(super) fn units_that(
        &self,
        field: &Battlefield,
        side: Side,
        holds: impl Fn(&Unit) -> bool,
    ) -> UnitSet {
        UnitSet::from_indices(self.places(side).filter(|&place| holds(&field.units[place])))
    }
}
