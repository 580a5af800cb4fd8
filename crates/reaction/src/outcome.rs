//! Outcomes of units, armies and volleys, and their notation.

use super::exchange::Exchange;
use super::field::{Battlefield, Effect, Status};
use super::unit::{Side, Unit};
use engine::text::counted;

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

    pub(super) fn report_outcomes(&self, field: &Battlefield, observe: &mut impl FnMut(Outcome)) {
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
