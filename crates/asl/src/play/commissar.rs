//! Commissars (A25.22): their effect on other units, and the penalty for failing under them.

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::{CounterKind, Replacement};
use crate::rulebook::Switch;
use crate::vocabulary::{Condition, Stage, Unit, UnitIndex};
use engine::process::Log;

impl Engagement {
    #[inline]
    pub(super) fn is_commissar(&self, unit: &Unit) -> bool {
        self.counter(unit).kind == CounterKind::Commissar
    }
}

impl PlayView<'_> {
    /// Returns whether the unit at `place` has the +1 ML of a Commissar (A25.22). Every unit but a
    /// Commissar has it while a Commissar is with it that is neither broken, pinned nor berserk.
    #[inline]
    pub(super) fn has_commissar(self, place: UnitIndex) -> bool {
        self.commissars && self.is_with_commissar(place)
    }

    fn is_with_commissar(self, place: UnitIndex) -> bool {
        let acts = |unit: &Unit| {
            self.is_commissar(unit) && unit.is_steady() && !unit.is(Condition::Pinned)
        };
        if self.is_commissar(self.unit(place)) {
            return false;
        }
        match self.stage() {
            // A routing unit has left all others behind, except the leader on a Voluntary Rout.
            Some(Stage::Gauntlet(gauntlet)) => {
                let escort = gauntlet
                    .escort
                    .filter(|&escort| escort != place)
                    .map(|escort| *self.unit(escort));
                escort.iter().chain(&gauntlet.lent_leader).any(acts)
            }
            Some(Stage::RallyPhase(phase))
                if phase.lent_leader.as_ref().is_some_and(|leader| self.is_commissar(leader)) =>
            {
                true
            }
            _ => self.resident.iter().chain(self.location.units.iter()).any(acts),
        }
    }
}

impl<L: Log> Play<'_, L> {
    /// Applies the penalty for a failed Rally under a Commissar (A25.22). The unit is Replaced by
    /// the next lower class or grade and stays broken. An underlined squad becomes two half-squads.
    /// If there is no lower unit, a squad is Reduced, and any other unit is eliminated.
    /// Interpretation I-50 can exempt leaders. The penalty Disrupts no unit.
    pub(super) fn pay_the_commissar(&mut self, place: UnitIndex) {
        let unit = *self.location.unit(place);
        let kind = self.counter(&unit).kind;
        if !unit.is_present()
            || !unit.is(Condition::Broken)
            || (kind.is_leader() && self.chooses(Switch::LeadersSparedPrice))
        {
            return;
        }
        self.note_unit("25.22", place, "pays for its failure");
        match (self.counter(&unit).replacement, kind) {
            (Replacement::By(_) | Replacement::TwoHalfSquads(_), _) => self.replace(place, "25.22"),
            (_, CounterKind::Squad) => self.casualty_reduction(place),
            _ => self.lose(place, "25.22"),
        }
    }
}
