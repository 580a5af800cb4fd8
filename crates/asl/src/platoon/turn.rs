//! The phases of a Player Turn in their order (3), and what an event leaves behind.

use super::model::PlatoonPlay;
use super::state::{EventScope, FireMoment, PlatoonEvent, PlatoonStep, Trooper, Whereabouts};
use crate::rulebook::Switch;
use crate::unit::Condition;
use engine::process::Log;

impl<L: Log> PlatoonPlay<'_, L> {
    /// Carries out everything that needs no dice, up to the next roll, report or the end.
    pub fn advance(&mut self) {
        loop {
            match self.state.event.take_if(|event| event.location.is_quiet()) {
                Some(event) => {
                    self.end_event(event);
                    continue;
                }
                None if self.state.event.is_some() => return,
                None => {}
            }
            let is_over = matches!(self.state.step, PlatoonStep::Report | PlatoonStep::Over);
            if is_over || self.now().next_to_recover().is_some() {
                return;
            }
            self.take_step();
        }
    }

    /// Takes the next action of the present part of the Player Turn, or begins the next part.
    fn take_step(&mut self) {
        let step = self.state.step;
        let goes_on = match step {
            PlatoonStep::Rally(order) => {
                self.side_in_turn(order).is_some_and(|side| self.rally_next(side))
            }
            PlatoonStep::Fire(moment, next) => match self.fire_next(moment, next) {
                Some(next) => {
                    self.state.step = PlatoonStep::Fire(moment, next);
                    true
                }
                None => false,
            },
            PlatoonStep::Movement(next) => match self.move_next(next) {
                Some(next) => {
                    self.state.step = PlatoonStep::Movement(next);
                    true
                }
                None => false,
            },
            PlatoonStep::Rout(order) => {
                self.side_in_turn(order).is_some_and(|side| self.rout_next(side))
            }
            PlatoonStep::Recovery(_) | PlatoonStep::Report | PlatoonStep::Over => false,
        };
        if !goes_on {
            self.begin_next(step);
        }
    }

    /// Begins the part of the Player Turn after `step`.
    fn begin_next(&mut self, step: PlatoonStep) {
        let movers_fire = self.platoon.rulebook.chooses(Switch::MoversFire);
        self.state.step = match step {
            PlatoonStep::Recovery(0) => PlatoonStep::Recovery(1),
            PlatoonStep::Recovery(_) => {
                let all = self.state.sides.iter_mut().flat_map(|troop| &mut troop.units);
                all.for_each(|trooper| trooper.has_tried = false);
                PlatoonStep::Rally(0)
            }
            PlatoonStep::Rally(0) => PlatoonStep::Rally(1),
            PlatoonStep::Rally(_) => {
                self.remove_dm();
                PlatoonStep::Fire(FireMoment::Prep, 0)
            }
            PlatoonStep::Fire(FireMoment::Prep, _) => {
                self.begin_movement();
                PlatoonStep::Movement(0)
            }
            PlatoonStep::Movement(_) => PlatoonStep::Fire(FireMoment::Defensive, 0),
            PlatoonStep::Fire(FireMoment::Defensive, _) if movers_fire => {
                PlatoonStep::Fire(FireMoment::Advancing, 0)
            }
            PlatoonStep::Fire(..) => {
                self.begin_routs();
                PlatoonStep::Rout(0)
            }
            PlatoonStep::Rout(0) => PlatoonStep::Rout(1),
            PlatoonStep::Rout(_) => {
                self.advance_units();
                self.end_turn();
                PlatoonStep::Report
            }
            PlatoonStep::Report | PlatoonStep::Over => PlatoonStep::Over,
        };
    }

    /// Ends the Player Turn: pins are over (7.8), and what counted only in it.
    fn end_turn(&mut self) {
        for trooper in self.state.sides.iter_mut().flat_map(|troop| &mut troop.units) {
            let Trooper { unit, at, weapon, .. } = *trooper;
            *trooper = Trooper { weapon, ..Trooper::new(unit, at) };
            trooper.unit.conditions.clear(Condition::Pinned);
        }
    }

    /// Begins the next Player Turn after the report of one.
    pub fn begin_turn(&mut self) {
        if self.state.turn < self.platoon.turns {
            self.state.turn += 1;
            self.state.step = self.platoon.first_step();
        } else {
            self.state.step = PlatoonStep::Over;
        }
    }

    /// Puts the units of an event back among those of their side, with those it has created.
    fn end_event(&mut self, event: PlatoonEvent) {
        let PlatoonEvent { side, scope, location, .. } = event;
        let side = usize::from(side);
        let leaves = !self.platoon.rulebook.chooses(Switch::BerserkStays);
        let goal = match scope {
            EventScope::Location(at) => Whereabouts::location(at),
            EventScope::Stack(course) => {
                Whereabouts::location(self.platoon.sides[side].goal(course))
            }
            EventScope::Alone(unit) => self.state.sides[side].units[usize::from(unit)].at,
            EventScope::Way { link, left, .. } => Whereabouts::on_way(link, left - 1),
        };
        let mut after = location.units.into_iter();
        let units = &mut self.state.sides[side].units;
        for (index, trooper) in units.iter_mut().enumerate() {
            if scope.includes(index, trooper)
                && let Some(unit) = after.next()
            {
                trooper.unit = unit;
                trooper.unit.conditions.clear(Condition::Tried);
                if leaves && unit.is(Condition::Berserk) {
                    trooper.at = Whereabouts::AWAY;
                }
            }
        }
        units.extend(after.map(|unit| {
            let at = if unit.is(Condition::Berserk) && leaves { Whereabouts::AWAY } else { goal };
            Trooper { has_moved: matches!(scope, EventScope::Stack(_)), ..Trooper::new(unit, at) }
        }));
        for unit in 0..self.state.sides[side].units.len() {
            let trooper = self.state.sides[side].units[unit];
            if trooper.weapon > 0 && !self.now().is_able(&trooper) {
                self.unit_mut(side, unit).weapon = 0;
            }
        }
        match scope {
            EventScope::Stack(course) => self.arrive(side, course),
            EventScope::Way { unit, link, left } => {
                self.after_hex(side, unit.into(), link, left);
            }
            EventScope::Location(_) | EventScope::Alone(_) => {}
        }
    }
}
