//! Commissars (A25.22): what they do for others, and the price of it.

use super::engagement::Engagement;
use crate::catalogue::{CounterKind, Replacement};
use crate::rulebook::Switch;
use crate::vocabulary::location::{Location, Place};
use crate::vocabulary::stage::Stage;
use crate::vocabulary::unit::{Condition, Unit};
use engine::process::{Event, Log};

impl Engagement {
    /// A25.22: whether the unit at `place` has the +1 ML of a Commissar.
    ///
    /// All but Commissars have it while one is with them who is neither broken nor pinned nor
    /// berserk.
    #[inline]
    pub(super) fn has_commissar(&self, location: &Location, place: Place) -> bool {
        self.commissars && self.commissar_beside(location, place)
    }

    fn commissar_beside(&self, location: &Location, place: Place) -> bool {
        let is_commissar = |unit: &Unit| self.counter(unit).kind == CounterKind::Commissar;
        let acts =
            |unit: &Unit| is_commissar(unit) && unit.is_steady() && !unit.is(Condition::Pinned);
        if is_commissar(location.unit(place)) {
            return false;
        }
        match self.stage(location) {
            // A routing unit has left the others behind, but for the leader who goes along.
            Some(Stage::Gauntlet(gauntlet)) => {
                let escort = gauntlet
                    .escort
                    .filter(|&escort| escort != place)
                    .map(|escort| *location.unit(escort));
                escort.iter().chain(&gauntlet.lent_leader).any(acts)
            }
            Some(Stage::RallyPhase(phase))
                if phase.lent_leader.as_ref().is_some_and(is_commissar) =>
            {
                true
            }
            _ => self.resident.iter().chain(location.units.iter()).any(acts),
        }
    }

    /// A25.22: a unit that fails to rally under a Commissar is Replaced by the next lower class or
    /// grade and stays broken, an underlined squad by two half-squads. With none lower a squad is
    /// Reduced, and all others are eliminated; I-50 lets leaders off. Nobody is Disrupted.
    pub(super) fn pay_the_commissar<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        log: &mut L,
    ) {
        let unit = location.unit(place);
        let kind = self.counter(unit).kind;
        if !unit.is_present()
            || !unit.is(Condition::Broken)
            || (kind.is_leader() && self.rulebook.chooses(Switch::LeadersSparedPrice))
        {
            return;
        }
        log.tell(|| Event {
            rule: "25.22",
            text: format!("{} pays for its failure", self.name(location, place)),
        });
        match (self.counter(unit).replacement, kind) {
            (Replacement::By(_) | Replacement::TwoHalfSquads(_), _) => {
                self.replace(location, place, "25.22", log)
            }
            (_, CounterKind::Squad) => self.casualty_reduction(location, place, log),
            _ => self.lose(location, place, "25.22", log),
        }
    }
}
