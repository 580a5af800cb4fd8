//! An exchange of fire and orders: its units, armies and stages, and what is reported of it.

use super::field::{Army, Battlefield, Task};
use super::pool::Pool;
use super::rules::Rules;
use super::stage::{Stage, Volley};
use super::unit::{Member, Side};

/// An exchange of fire and orders as a process.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub(super) rules: Rules,
    /// The own units, then the enemy's.
    pub(super) roster: Vec<Member>,
    /// The number of own units.
    pub(super) own: usize,
    /// The armies at the start.
    pub(super) armies: [Army; 2],
    /// The Rally Dice of both sides.
    pub(super) rally_dice: [u8; 2],
    pub(super) stages: Vec<Stage>,
    /// The Reaction Dice for cover that a unit has halted in.
    pub(super) halted_cover: u8,
    /// Whether the enemy army gains the points a side loses below zero.
    pub(super) hands_on_points: bool,
    /// Whether a loss of 3 points causes an Army Morale Check.
    pub(super) checks_army_morale: bool,
    /// Whether some stage can use Staff Orders.
    pub(super) uses_staff: bool,
    /// Whether Wild Dice of a Command Failure can still be used.
    pub(super) keeps_wild_dice: bool,
    pub(super) telling: ReportScope,
}

/// The reported quantities, which decide what has to be rolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportScope {
    /// The inches moved.
    pub inches: bool,
    /// Whether a unit was forced back by at least this many inches.
    pub at_least: Option<u8>,
    /// Whether a unit was forced back.
    pub forced_back: bool,
    /// The effect of each volley on its target.
    pub effects: bool,
    /// Whether a unit has reached its goal; it can then be ordered to move.
    pub goals: bool,
    /// Army Morale Points.
    pub armies: bool,
    /// The state of the armies after a roll of Command Dice.
    pub command: bool,
    /// The side that goes first.
    pub first: bool,
    /// Whether the Army Morale Check was passed.
    pub check: bool,
    /// Whether there is one outcome for all units and armies together.
    pub joint: bool,
}

impl ReportScope {
    /// Whether the distance of moves matters.
    pub(super) fn counts_inches(&self) -> bool {
        self.inches || self.at_least.is_some()
    }
}

impl Exchange {
    /// The current stage.
    #[inline]
    pub(super) fn stage(&self, field: &Battlefield) -> Option<&Stage> {
        self.stages.get(usize::from(field.stage).checked_sub(1)?)
    }

    /// The volley of the current stage.
    #[inline]
    pub(super) fn volley(&self, field: &Battlefield) -> Option<&Volley> {
        match self.stage(field) {
            Some(Stage::Volley(volley)) => Some(volley),
            _ => None,
        }
    }

    /// The side of the unit at a place.
    pub(super) fn side_of(&self, place: usize) -> Side {
        if place < self.own { Side::Own } else { Side::Enemy }
    }

    /// The places of the units of a side.
    pub(super) fn places(&self, side: Side) -> std::ops::Range<usize> {
        match side {
            Side::Own => 0..self.own,
            Side::Enemy => self.own..self.roster.len(),
        }
    }

    /// The side and the pool of a roll that Wild Dice can join.
    pub(super) fn pool_of(&self, field: &Battlefield, task: Task) -> Option<(Side, Pool)> {
        match task {
            Task::Fire { pool, .. } => Some((self.volley(field)?.side, pool)),
            Task::React { pool, .. } => Some((self.volley(field)?.side.other(), pool)),
            Task::Rally { side, pool, .. } => Some((side, pool)),
            _ => None,
        }
    }
}
