//! An exchange of fire and orders: its units, armies, stages, reported quantities and outcomes.

use super::field::{Army, Battlefield, Effect, Status, UnitSet};
use super::rules::Rules;
use super::unit::{Member, Side, Unit};
use engine::process::ReportIndex;
use engine::text::counted;

/// An exchange of fire and orders as a process.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub(super) rules: Rules,
    /// The own units, then the enemy's, in order of slots.
    pub(super) roster: Vec<Member>,
    pub(super) own: usize,
    pub(super) armies: [Army; 2],
    pub(super) rally_dice: [u8; 2],
    pub(super) stages: Vec<Stage>,
    /// True if the enemy gains the points that a side would lose below zero.
    pub(super) hands_on_points: bool,
    /// True if a loss of 3 points causes an Army Morale Check.
    pub(super) checks_army_morale: bool,
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
    pub target: usize,
    /// The firing dice after sliding, and their TN.
    pub dice: i8,
    pub tn: u8,
    /// The Reaction Dice of the target, without cover.
    pub reaction: u8,
    pub cover: u8,
    /// The unmatched sixes that suppress no target: 0, or -1 with `high-suppression`.
    pub matched: i8,
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
    pub armies: bool,
    /// True if the armies are reported after a roll of Command Dice.
    pub command: bool,
    pub first: bool,
    pub check: bool,
    pub joint: bool,
}

impl ReportScope {
    pub(super) fn counts_inches(&self) -> bool {
        self.inches || self.at_least.is_some()
    }
}

/// The outcome that one report observes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    One(End),
    /// All units and armies together.
    All(Box<[End]>),
}

impl Outcome {
    /// Returns the ends of all units, armies and volleys in the outcome.
    pub fn ends(&self) -> &[End] {
        match self {
            Outcome::One(end) => std::slice::from_ref(end),
            Outcome::All(ends) => ends,
        }
    }
}

/// The state of one unit, army or volley at a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// A unit by 0-based index: Disruption Points, inches moved, and inches to the goal.
    Unit { place: u8, status: Status, dp: u8, moved: u16, goal: Option<u16> },
    /// An army: its points or Command Dice left, and the dice lost by Army Morale Checks.
    Army { side: Side, status: Status, left: u8, dice_lost: u8 },
    /// The effect of the last volley on its target.
    Volley(Effect),
}

impl Exchange {
    #[inline]
    pub(super) fn stage(&self, field: &Battlefield) -> Option<&Stage> {
        self.stages.get(usize::from(field.stage).checked_sub(1)?)
    }

    #[inline]
    pub(super) fn volley(&self, field: &Battlefield) -> Option<Volley> {
        let Some(&Stage::Volley(volley)) = self.stage(field) else { return None };
        Some(volley)
    }

    pub(super) fn side_of(&self, place: usize) -> Side {
        if place < self.own { Side::Own } else { Side::Enemy }
    }

    pub(super) fn places(&self, side: Side) -> std::ops::Range<usize> {
        match side {
            Side::Own => 0..self.own,
            Side::Enemy => self.own..self.roster.len(),
        }
    }

    pub(super) fn units_that(
        &self,
        field: &Battlefield,
        side: Side,
        holds: impl Fn(&Unit) -> bool,
    ) -> UnitSet {
        UnitSet::from_indices(self.places(side).filter(|&place| holds(&field.units[place])))
    }

    pub(super) fn reported_armies(&self) -> &'static [Side] {
        let telling = &self.telling;
        if telling.armies && self.hands_on_points || telling.first {
            &Side::ALL
        } else if telling.armies || telling.command || telling.check {
            &[Side::Own]
        } else {
            &[]
        }
    }

    pub(super) fn report_outcomes(&self, field: &Battlefield, observe: &mut dyn FnMut(Outcome)) {
        let units = field.units.iter().enumerate().map(|(place, unit)| self.unit_end(place, unit));
        let armies = self.reported_armies().iter().map(|&side| self.army_end(field, side));
        let volley = self.volley(field).filter(|_| self.telling.effects);
        let not_fired = Effect { status: Status::NotFired, points: 0, sixes: 0 };
        let effect = volley.map(|_| End::Volley(field.effect.unwrap_or(not_fired)));
        let ends = units.chain(armies).chain(effect);
        if self.telling.joint {
            observe(Outcome::All(ends.collect()))
        } else {
            ends.for_each(|end| observe(Outcome::One(end)))
        }
    }

    fn unit_end(&self, place: usize, unit: &Unit) -> End {
        let before = self.roster[place].start.moved;
        let is_far = |inches| unit.moved >= before + u16::from(inches);
        let status = match unit {
            Unit { dispersed: true, .. } => Status::Dispersed,
            Unit { forced_back: true, .. } if self.telling.at_least.is_some_and(is_far) => {
                Status::ForcedBackFar
            }
            Unit { forced_back: true, .. } => Status::ForcedBack,
            Unit { suppressed: true, .. } => Status::Suppressed,
            Unit { goal: Some(0), .. } if self.telling.goals => Status::Arrived,
            _ => Status::Ready,
        };
        let moved = if unit.dispersed || self.telling.inches { unit.moved } else { before };
        End::Unit { place: place as u8, status, dp: unit.dp, moved, goal: unit.goal }
    }

    fn army_end(&self, field: &Battlefield, side: Side) -> End {
        let army = field.army(side);
        let left = match (self.telling.command, self.telling.check) {
            (true, _) => army.command.unwrap_or(0),
            (_, true) => army.command_dice,
            _ => army.morale,
        };
        let start = self.armies[side as usize].command_dice;
        let dice_lost = if self.checks_army_morale { start - army.command_dice } else { 0 };
        let by_points = if army.morale == 0 { Status::AtZero } else { Status::Holds };
        End::Army { side, status: army.condition.unwrap_or(by_points), left, dice_lost }
    }

    /// Returns the 1-based slot of an end: own units, enemy units, armies, then the volley.
    pub(super) fn slot(&self, end: &End) -> u8 {
        match end {
            End::Unit { place, .. } => place + 1,
            End::Army { side, .. } => self.roster.len() as u8 + 1 + *side as u8,
            End::Volley(_) => (self.roster.len() + 1 + self.reported_armies().len()) as u8,
        }
    }

    /// Returns the notation of a 1-based slot, without its changing state.
    pub(super) fn beginner(&self, slot: u8) -> String {
        let place = usize::from(slot) - 1;
        match self.roster.get(place) {
            Some(member) => member.in_notation(0, false, 0, None),
            None => self.beyond_units(place - self.roster.len()),
        }
    }

    /// Returns the name of an army or the volley, by its 0-based index after all units.
    pub(super) fn beyond_units(&self, place: usize) -> String {
        let army = self.reported_armies().get(place);
        army.map_or_else(|| "volley".to_string(), |side| format!("{} army", side.name()))
    }

    /// Returns the notation of an end; `None` for dispersed units and targets and unfired volleys.
    pub(super) fn counter(&self, end: &End) -> Option<String> {
        Some(match *end {
            End::Unit { status: Status::Dispersed, .. }
            | End::Volley(Effect { status: Status::Dispersed | Status::NotFired, .. }) => {
                return None;
            }
            End::Unit { place, status, dp, moved, goal } => {
                self.roster[usize::from(place)].in_notation(dp, !status.may_answer(), moved, goal)
            }
            End::Army { left, dice_lost: 0, .. } => left.to_string(),
            End::Army { left, dice_lost, .. } => {
                format!("{left}, {} lost", counted(dice_lost, "Command Die"))
            }
            End::Volley(Effect { points, sixes: 0, .. }) => counted(points, "point"),
            End::Volley(Effect { points, sixes, .. }) => {
                format!("{}, {}", counted(points, "point"), counted(sixes, "unmatched six"))
            }
        })
    }
}
