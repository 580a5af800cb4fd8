//! The value that the end of a Close Combat has for an objective.

use super::combat::CombatView;
use super::objective::{
    CombatObjective, Count, CountedClass, CountedGroup, NamedObjective, Threshold,
};
use super::state::CombatSide;
use crate::unit::{Condition, UnitIndex};

impl CombatObjective {
    /// Returns what a CVP lost by each side is worth to us, ours first, if nothing else counts and
    /// no unit is captured.
    pub(super) fn weights_of_losses(&self) -> Option<[f64; 2]> {
        match self {
            CombatObjective::Named(NamedObjective::Net | NamedObjective::NetFinal) => {
                Some([-1.0, 1.0])
            }
            CombatObjective::Named(NamedObjective::Kills) => Some([0.0, 1.0]),
            CombatObjective::Named(NamedObjective::Losses) => Some([-1.0, 0.0]),
            _ => None,
        }
    }

    /// Returns the value of the end for us.
    pub(super) fn value(&self, end: CombatView) -> f64 {
        let lost = |side, times| f64::from(end.lost(side) + times * end.captured(side));
        let [ours, theirs] = CombatSide::ALL;
        let is_left = |side: CombatSide| !end.state.force(side).here().is_empty();
        let number = match self {
            CombatObjective::Count(_, count) => count.value(end),
            CombatObjective::Named(named) => match named {
                NamedObjective::Net => lost(theirs, 0) - lost(ours, 0),
                NamedObjective::NetFinal => lost(theirs, 1) - lost(ours, 1),
                NamedObjective::Kills => lost(theirs, 0),
                NamedObjective::Losses => lost(ours, 0),
                NamedObjective::Clear => f64::from(u8::from(is_left(ours) && !is_left(theirs))),
                NamedObjective::Kept => {
                    let holds = |unit: UnitIndex| {
                        let is_mmc = !end.counter(ours, unit).kind.is_smc();
                        is_mmc && !end.is(ours, unit, Condition::Broken)
                    };
                    let here = end.state.force(ours).here();
                    f64::from(u8::from(here.units().any(holds)))
                }
                NamedObjective::Survive => f64::from(u8::from(end.lost_units(ours) == 0)),
            },
        };
        self.sign() * number
    }
}

impl Count {
    fn value(&self, end: CombatView) -> f64 {
        let force = end.state.force(self.side);
        let members = end.combat.members(self.side);
        let counts = |(unit, member): &(UnitIndex, &crate::stack::Member)| {
            let kind = member.printed().kind;
            let is_of_group = match self.group {
                CountedGroup::Units => true,
                CountedGroup::Mmc => !kind.is_smc(),
                CountedGroup::Leaders => kind.is_leader(),
            };
            let of = force.unit(*unit);
            let class = match () {
                () if !of.is_present() => Some(CountedClass::Lost),
                () if of.is(Condition::Broken) => Some(CountedClass::Breaks),
                () if of.is(Condition::Berserk) => None,
                () => Some(CountedClass::Holds),
            };
            is_of_group && class == Some(self.class)
        };
        let number = force.all().zip(members).filter(counts).count() as i16;
        let reached = match self.threshold {
            None => return number.into(),
            Some(Threshold::AtLeast(least)) => number >= least,
            Some(Threshold::AtMost(most)) => number <= most,
            Some(Threshold::Exactly(exactly)) => number == exactly,
        };
        f64::from(u8::from(reached))
    }
}
