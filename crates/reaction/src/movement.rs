//! Movement: lengths of moves, units that can move, distances to goals, and units forced back.

use super::choice::{Choice, Choices};
use super::exchange::{Exchange, Playthrough};
use super::field::{Battlefield, Status, Task, UnitSet};
use super::unit::{Behind, Side, Unit};
use engine::process::Log;
use engine::text::counted;

/// The Fixed Move in inches for each die of the chain. A suppressed unit loses it.
const FIXED_MOVE: u16 = 6;
/// The most dice of a chain that count as one move: a triple move.
pub(super) const LONGEST_MOVE: u8 = 3;

impl Exchange {
    /// Returns the fixed inches of a move and the number of its D6.
    pub(super) fn length_of_move(&self, unit: &Unit, place: usize, chain: u8) -> (u16, u8) {
        let fixed = if unit.suppressed { 0 } else { FIXED_MOVE * u16::from(chain) };
        (fixed, chain * if self.roster[place].fast { 2 } else { 1 })
    }

    /// Returns the moves a side can order, the largest first. Suppressed units move alone.
    pub(super) fn possible_moves(&self, field: &Battlefield, side: Side, chain: u8) -> Choices {
        let waits = |unit: &Unit| self.telling.goals && unit.is_on_the_way() && unit.activated == 0;
        let group = self.units_that(field, side, |unit| waits(unit) && unit.may_be_grouped());
        let alone = self.units_that(field, side, |unit| waits(unit) && unit.suppressed);
        let alone = alone.places().map(|place| UnitSet(1 << place));
        group.parts().chain(alone).map(|group| Choice::Move { group, chain }).collect()
    }

    /// Returns the inches from which all moves back are equivalent; `u16::MAX` if each counts.
    pub(super) fn most_inches(&self, unit: &Unit) -> u16 {
        match unit.goal {
            None if !self.telling.inches => {
                unit.behind.beyond().max(self.telling.at_least.unwrap_or(0).into())
            }
            _ => u16::MAX,
        }
    }
}

impl<L: Log> Playthrough<'_, L> {
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

    /// Stops a unit at its goal, where its remaining dice are not rolled. Limits a move back.
    fn limit_move(&mut self) {
        let task = self.field.agenda.last_mut();
        let Some(Task::Move { place, dice, inches, back }) = task else { return };
        let unit = &self.field.units[usize::from(*place)];
        if *back {
            *inches = self.exchange.most_inches(unit).min(*inches);
        } else if let Some(goal) = unit.goal.filter(|goal| goal <= inches) {
            (*dice, *inches) = (0, goal);
        }
    }

    /// Ends a move. If a move back reaches cover, the owner may halt there.
    pub(super) fn end_move(&mut self, place: u8, inches: u16, back: bool) {
        self.field.agenda.pop();
        let unit = &mut self.field.units[usize::from(place)];
        if back {
            return match cover_on_the_way(unit.behind, inches) {
                Some(_) => self.field.agenda.push(Task::Halt { place, inches }),
                None => self.move_back(place.into(), inches, false),
            };
        }
        unit.moved += if self.exchange.telling.inches { inches } else { 0 };
        unit.goal = unit.goal.map(|goal| goal - inches);
        let left = unit.goal;
        self.log.note("Movement", || {
            let left = left
                .map_or(String::new(), |goal| format!(", {} from its goal", counted(goal, "inch")));
            format!("{} moves {}{left}", self.exchange.name(place.into()), counted(inches, "inch"))
        });
    }

    /// Forces a unit back. If the distance does not matter, nothing is rolled.
    pub(super) fn force_back(&mut self, place: usize, unmatched: u8) {
        let (exchange, unit) = (self.exchange, &mut self.field.units[place]);
        unit.forced_back = exchange.telling.forced_back;
        self.log.note("Forced back", || format!("{} is forced back", exchange.name(place)));
        if exchange.most_inches(unit) > 0 {
            let dice = unmatched * exchange.rules.forced_back_per_six.count();
            let inches = exchange.rules.forced_back_base.count().into();
            self.field.agenda.push(Task::Move { place: place as u8, dice, inches, back: true });
        }
    }

    /// Moves a unit straight back, to cover if it `halts`. An enemy on the way disperses it.
    pub(super) fn move_back(&mut self, place: usize, inches: u16, halts: bool) {
        let behind = self.field.units[place].behind;
        let cover = cover_on_the_way(behind, inches).filter(|_| halts);
        let inches = end_of_move(behind, cover.unwrap_or(inches));
        if behind.enemy.is_some_and(|enemy| u16::from(enemy) <= inches) {
            self.note_effect(Status::Dispersed, 0, 0);
            return self.disperse(place, "Forced back");
        }
        let unit = &mut self.field.units[place];
        unit.behind = behind.after(inches);
        unit.goal = unit.goal.map(|goal| goal + inches);
        unit.moved += if self.exchange.telling.counts_inches() { inches } else { 0 };
        self.log.note("Forced back", || {
            format!("{} ends {} back", self.exchange.name(place), counted(inches, "inch"))
        });
    }
}

/// Returns the distance to cover that the move reaches. Cover behind an enemy does not count.
fn cover_on_the_way(behind: Behind, inches: u16) -> Option<u16> {
    let reached = behind.cover.map(u16::from).filter(|&cover| cover > 0 && cover <= inches);
    reached.filter(|&cover| behind.enemy.is_none_or(|enemy| u16::from(enemy) > cover))
}

/// Returns the distance in inches at which a move ends. Enemies are ignored.
fn end_of_move(behind: Behind, inches: u16) -> u16 {
    let inches = behind.edge.map_or(inches, |edge| inches.min(edge.into()));
    match behind.friend {
        Some((from, to)) if (u16::from(from)..to.into()).contains(&inches) => to.into(),
        _ => inches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Behind = Behind { edge: None, cover: None, enemy: None, friend: None };

    /// Forced back: a move halts at the edge, and continues past a friend it would end on.
    #[test]
    fn move_halts_at_the_edge_and_passes_friends() {
        assert_eq!(end_of_move(OPEN, 9), 9);
        assert_eq!(end_of_move(Behind { edge: Some(7), ..OPEN }, 9), 7);
        let friend = Behind { friend: Some((7, 10)), edge: Some(12), ..OPEN };
        assert_eq!(
            [6, 7, 9, 10, 11, 13].map(|inches| end_of_move(friend, inches)),
            [6, 10, 10, 10, 11, 12]
        );
    }

    /// Forced back: a move that is long enough reaches cover, but not cover behind an enemy.
    #[test]
    fn cover_is_reached_before_an_enemy() {
        let cover = Behind { cover: Some(8), ..OPEN };
        assert_eq!(
            [7, 8, 9].map(|inches| cover_on_the_way(cover, inches)),
            [None, Some(8), Some(8)]
        );
        assert_eq!(cover_on_the_way(Behind { enemy: Some(8), ..cover }, 9), None);
        assert_eq!(cover_on_the_way(Behind { enemy: Some(9), ..cover }, 9), Some(8));
        assert_eq!(cover_on_the_way(Behind { cover: Some(0), ..OPEN }, 9), None);
    }

    #[test]
    fn distances_shrink_after_a_move() {
        let behind =
            Behind { edge: Some(20), cover: Some(6), enemy: Some(15), friend: Some((6, 9)) };
        let after = behind.after(6);
        assert_eq!(
            after,
            Behind { edge: Some(14), cover: Some(0), enemy: Some(9), friend: Some((0, 3)) }
        );
        assert_eq!(after.after(0), after);
        assert_eq!(
            after.after(5),
            Behind { edge: Some(9), cover: None, enemy: Some(4), friend: None }
        );
    }
}
