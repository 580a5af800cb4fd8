//! Concealment outside of attacks (12.12, 12.14): its gain at the end of a Player Turn, its loss.

use super::engagement::{Play, PlayView};
use crate::catalogue::Class;
use crate::stack::Slots;
use crate::vocabulary::{
    ConcealmentGain, ConcealmentRoll, Condition, Stage, Task, Terms, Unit, UnitIndex, lax_by_kind,
    stealthy_by_kind,
};
use engine::process::Log;

impl PlayView<'_> {
    /// Returns the highest dr with which a unit gains concealment (12.122): 0 never, 6 always. Only
    /// Good Order units that are not concealed gain it.
    pub(crate) fn highest_dr(self, place: UnitIndex, gain: ConcealmentGain) -> u8 {
        let unit = self.unit(place);
        if !unit.is_steady() || unit.is(Condition::Concealed) {
            return 0;
        }
        let leads = |unit: &Unit| unit.leads && unit.is_steady();
        let leaders = || self.location.places().filter(|&other| leads(self.unit(other)));
        let others = leaders().filter(|&other| other != place);
        let counter = self.counter(unit);
        let is_green = || counter.class == Class::Green && leaders().next().is_none();
        let is_inexperienced = unit.is(Condition::Unarmed)
            || !counter.kind.is_smc() && (counter.class == Class::Conscript || is_green());
        gain.highest_dr(ConcealmentRoll {
            kind: counter.kind,
            leadership: others.map(|leader| self.leadership(self.unit(leader))).min(),
            is_lax: gain.lax.has(place) || lax_by_kind(counter) || is_inexperienced,
            is_stealthy: gain.stealthy.has(place) || stealthy_by_kind(counter, unit),
        })
    }

    /// Returns the terms of the dr with which a unit gains concealment.
    pub(super) fn concealment_terms(self, place: UnitIndex) -> Option<Terms> {
        match self.stage()? {
            Stage::Concealment(gain) => Some(Terms::Concealment(self.highest_dr(place, *gain))),
            _ => None,
        }
    }
}

impl<L: Log> Play<'_, L> {
    /// Begins the gain of concealment: one dr for each unit that needs one.
    pub(super) fn begin_concealment(&mut self, gain: ConcealmentGain) {
        let places: Vec<UnitIndex> = self.location.present().collect();
        let drs: Vec<u8> = places.iter().map(|&place| self.now().highest_dr(place, gain)).collect();
        for (&place, highest) in places.iter().zip(drs).rev() {
            match highest {
                0 => {}
                6.. => self.conceal(place),
                _ => self.location.push(Task::Concealment { unit: place }),
            }
        }
    }

    /// Puts a unit under a `?`.
    pub(super) fn conceal(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).conditions.set(Condition::Concealed);
        self.note_unit("12.12", place, "is concealed");
    }

    /// Removes the `?` of units (12.14).
    pub(super) fn reveal_slots(&mut self, slots: Slots) {
        let is_hidden = |place: &UnitIndex| {
            slots.has(*place) && self.location.unit(*place).is(Condition::Concealed)
        };
        let hidden: Vec<UnitIndex> = self.location.present().filter(is_hidden).collect();
        for place in hidden {
            self.location.unit_mut(place).conditions.clear(Condition::Concealed);
            self.note_unit("12.14", place, "is revealed");
        }
    }
}
