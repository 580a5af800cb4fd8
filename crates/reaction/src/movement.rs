//! Movement: the length of moves, the units that can move, and their distance to a goal.

use super::choice::{Choice, Choices};
use super::exchange::Exchange;
use super::field::{Battlefield, Task, UnitSet};
use super::plural::counted;
use super::stage::{Move, Stage};
use super::unit::{Side, Unit};
use engine::process::{Event, Log};

/// The Fixed Move in inches for each die of the chain. A suppressed unit loses it. Each die also
/// adds a D6, or two D6 for a fast unit.
const FIXED_MOVE: u16 = 6;
/// The most dice of a chain that count as one move: a triple move.
pub(super) const LONGEST_MOVE: u8 = 3;

impl Exchange {
    /// Returns the fixed inches of a move and the number of its D6.
    pub(super) fn length_of_move(&self, unit: &Unit, place: usize, chain: u8) -> (u16, u8) {
        let fixed = if unit.suppressed { 0 } else { FIXED_MOVE * u16::from(chain) };
        (fixed, chain * if self.roster[place].values.fast { 2 } else { 1 })
    }

    /// Begins a move. A unit that is dispersed, already activated or at its goal does not move.
    pub(super) fn begin_move<L: Log>(&self, field: &mut Battlefield, of: &Move, log: &mut L) {
        let place = usize::from(of.place);
        let fate = match field.units[place] {
            Unit { dispersed: true, .. } => "is dispersed",
            Unit { goal: Some(0), .. } => "is at its goal",
            Unit { activated: 1.., .. } => "is activated already",
            _ if of.may_hold => return field.agenda.push(Task::MayMove),
            _ => {
                return self.move_group(
                    field,
                    UnitSet::from_indices([place].into_iter()),
                    of.chain,
                );
            }
        };
        log.record(|| Event {
            rule: "Movement",
            text: format!("no move: {} {fate}", self.name(place)),
        });
    }

    pub(super) fn answer_may_move(&self, field: &mut Battlefield, goes: bool) {
        field.agenda.pop();
        if let (Some(Stage::Move(Move { place, chain, .. })), true) = (self.stage(field), goes) {
            self.move_group(
                field,
                UnitSet::from_indices([usize::from(*place)].into_iter()),
                *chain,
            );
        }
    }

    /// Returns the moves a side can order. Unactivated units on their way move as a Command Group
    /// or a part of it, the largest first. Suppressed units move alone.
    pub(super) fn possible_moves(&self, field: &Battlefield, side: Side, chain: u8) -> Choices {
        let waits = |unit: &Unit| unit.goal.is_some_and(|goal| goal > 0) && unit.activated == 0;
        let waiting =
            || self.places(side).filter(|&place| self.telling.goals && waits(&field.units[place]));
        let group =
            UnitSet::from_indices(waiting().filter(|&place| field.units[place].may_be_grouped()));
        let alone = waiting()
            .filter(|&place| field.units[place].suppressed)
            .map(|place| UnitSet::from_indices([place].into_iter()));
        group.parts().chain(alone).map(|group| Choice::Move { group, chain }).collect()
    }

    /// Moves units of a group, which uses up their activations.
    pub(super) fn move_group(&self, field: &mut Battlefield, group: UnitSet, chain: u8) {
        let places: Vec<usize> = group.places().collect();
        for place in places.into_iter().rev() {
            let unit = &mut field.units[place];
            unit.activated = self.rules.rallies_per_gap.count();
            let (inches, dice) = self.length_of_move(unit, place, chain);
            field.agenda.push(Task::Move { place: place as u8, dice, inches });
            self.halt_at_goal(field);
        }
    }

    pub(super) fn move_die(&self, field: &mut Battlefield, pips: u8) {
        if let Some(Task::Move { dice, inches, .. }) = field.agenda.last_mut() {
            *dice -= 1;
            *inches += u16::from(pips);
        }
        self.halt_at_goal(field);
    }

    /// Stops a unit at its goal. Its remaining dice are not rolled.
    fn halt_at_goal(&self, field: &mut Battlefield) {
        let Some(Task::Move { place, dice, inches }) = field.agenda.last_mut() else { return };
        if let Some(goal) = field.units[usize::from(*place)].goal.filter(|goal| goal <= inches) {
            (*dice, *inches) = (0, goal);
        }
    }

    pub(super) fn end_move<L: Log>(
        &self,
        field: &mut Battlefield,
        place: usize,
        inches: u16,
        log: &mut L,
    ) {
        field.agenda.pop();
        let unit = &mut field.units[place];
        unit.moved += if self.telling.inches { inches } else { 0 };
        unit.goal = unit.goal.map(|goal| goal - inches);
        let left = unit.goal;
        log.record(|| {
            let left = left
                .map_or(String::new(), |goal| format!(", {} from its goal", counted(goal, "inch")));
            Event {
                rule: "Movement",
                text: format!("{} moves {}{left}", self.name(place), counted(inches, "inch")),
            }
        });
    }
}
