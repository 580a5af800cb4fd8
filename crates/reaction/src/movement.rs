//! Movement: the length of moves, the units that can move, and their distance to a goal.

use super::choice::{Choice, Choices};
use super::exchange::{Exchange, Playthrough};
use super::field::{Battlefield, Task, UnitSet};
use super::unit::{Side, Unit};
use engine::process::Log;
use engine::text::counted;

/// The Fixed Move in inches for each die of the chain. A suppressed unit loses it. Each die also
/// adds a D6, or two D6 for a fast unit.
const FIXED_MOVE: u16 = 6;
/// The most dice of a chain that count as one move: a triple move.
pub(super) const LONGEST_MOVE: u8 = 3;

impl Exchange {
    /// Returns the fixed inches of a move and the number of its D6.
    pub(super) fn length_of_move(&self, unit: &Unit, place: usize, chain: u8) -> (u16, u8) {
        let fixed = if unit.suppressed { 0 } else { FIXED_MOVE * u16::from(chain) };
        (fixed, chain * if self.roster[place].fast { 2 } else { 1 })
    }

    /// Returns the moves a side can order. Unactivated units on their way move as a Command Group
    /// or a part of it, the largest first. Suppressed units move alone.
    pub(super) fn possible_moves(&self, field: &Battlefield, side: Side, chain: u8) -> Choices {
        let waits = |unit: &Unit| self.telling.goals && unit.is_on_the_way() && unit.activated == 0;
        let group = self.units_that(field, side, |unit| waits(unit) && unit.may_be_grouped());
        let alone = self.units_that(field, side, |unit| waits(unit) && unit.suppressed);
        let alone = alone.places().map(|place| UnitSet(1 << place));
        group.parts().chain(alone).map(|group| Choice::Move { group, chain }).collect()
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Begins a move. A unit that is dispersed, already activated or at its goal does not move.
    pub(super) fn begin_move(&mut self, place: u8, chain: u8, may_hold: bool) {
        let fate = match self.field.units[usize::from(place)] {
            Unit { dispersed: true, .. } => "is dispersed",
            Unit { goal: Some(0), .. } => "is at its goal",
            Unit { activated: 1.., .. } => "is activated already",
            _ if may_hold => return self.field.agenda.push(Task::MayMove { place, chain }),
            _ => return self.move_group(UnitSet(1 << place), chain),
        };
        let name = || self.exchange.name(place.into());
        self.log.note("Movement", || format!("no move: {} {fate}", name()));
    }

    /// Moves units of a group, which uses up their activations.
    pub(super) fn move_group(&mut self, group: UnitSet, chain: u8) {
        let places: Vec<usize> = group.places().collect();
        for place in places.into_iter().rev() {
            let unit = &mut self.field.units[place];
            unit.activated = self.exchange.rules.rallies_per_gap.count();
            let (inches, dice) = self.exchange.length_of_move(unit, place, chain);
            self.field.agenda.push(Task::Move { place: place as u8, dice, inches, back: false });
            self.limit_move();
        }
    }

    pub(super) fn move_die(&mut self, pips: u8) {
        if let Some(Task::Move { dice, inches, .. }) = self.field.agenda.last_mut() {
            *dice -= 1;
            *inches += u16::from(pips);
        }
        self.limit_move();
    }

    /// Stops a unit at its goal, where its remaining dice are not rolled. A move back is counted up
    /// to the distance from which all moves are equivalent.
    fn limit_move(&mut self) {
        let Some(Task::Move { place, dice, inches, back }) = self.field.agenda.last_mut() else {
            return;
        };
        let unit = &self.field.units[usize::from(*place)];
        if *back {
            *inches = self.exchange.most_inches(unit).min(*inches);
        } else if let Some(goal) = unit.goal.filter(|goal| goal <= inches) {
            (*dice, *inches) = (0, goal);
        }
    }

    pub(super) fn end_move(&mut self, place: u8, inches: u16, back: bool) {
        self.field.agenda.pop();
        if back {
            return self.end_move_back(place, inches);
        }
        let place = usize::from(place);
        let unit = &mut self.field.units[place];
        unit.moved += if self.exchange.telling.inches { inches } else { 0 };
        unit.goal = unit.goal.map(|goal| goal - inches);
        let left = unit.goal;
        self.log.note("Movement", || {
            let left = left
                .map_or(String::new(), |goal| format!(", {} from its goal", counted(goal, "inch")));
            format!("{} moves {}{left}", self.exchange.name(place), counted(inches, "inch"))
        });
    }
}
