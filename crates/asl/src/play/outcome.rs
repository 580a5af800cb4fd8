//! Reports the final states of the units in a Location.

use super::engagement::PlayView;
use crate::vocabulary::{Condition, Outcome, Status, UnitIndex, UnitOutcome};

impl PlayView<'_> {
    /// Reports the outcome of every unit that `telling` selects, or one of the whole stack.
    pub(super) fn report_outcomes(self, observe: &mut impl FnMut(Outcome)) {
        let is_reported = |&place: &UnitIndex| {
            *self.telling.reported.get(usize::from(place)).unwrap_or(&self.telling.created)
                && !self.is_adopted(place)
        };
        let outcomes =
            self.location.places().filter(is_reported).map(|place| self.unit_outcome(place));
        if self.telling.joint {
            return observe(Outcome::Stack(outcomes.collect()));
        }
        for outcome in outcomes {
            observe(Outcome::Unit(outcome));
            for &slot in
                self.telling.equals.iter().filter(|_| outcome.slot < self.telling.first_created)
            {
                observe(Outcome::Unit(UnitOutcome { slot, ..outcome }));
            }
        }
    }

    pub(crate) fn unit_outcome(self, place: UnitIndex) -> UnitOutcome {
        let unit = self.unit(place);
        let there = !unit.is(Condition::Eliminated);
        UnitOutcome {
            slot: self.telling.slot(place),
            status: Status::of_conditions(unit.conditions, self.telling.wording),
            counter: there.then(|| self.roster.alike[usize::from(unit.counter.0)]),
            fanatic: there && unit.is(Condition::Fanatic),
            heroic: there && unit.is(Condition::Heroic),
            wounded: (there && self.counter(unit).kind.is_smc())
                .then(|| unit.is(Condition::Wounded)),
            created: (!self.telling.is_of_stack(place)).then(|| self.counter(unit).kind),
        }
    }
}
