//! Effects on units that Close Combat (11) shares with the rest of the rules, without LLMC or LLTC
//! (11.141): elimination, Casualty Reduction, DM and created leaders.

use super::engagement::Engagement;
use crate::catalogue::CounterId;
use crate::location::LocationState;
use crate::unit::{Condition, Conditions, Unit, UnitIndex};
use engine::process::Log;

impl Engagement {
    /// Eliminates a unit by a rule.
    pub(crate) fn eliminate<L: Log>(
        &self,
        location: &mut LocationState,
        unit: UnitIndex,
        rule: &'static str,
        log: &mut L,
    ) {
        let mut play = self.play_on(location, log);
        play.lose(unit, None, rule);
        play.settle();
    }

    /// Applies a Casualty Reduction (7.302). The severity dr of an SMC is due next.
    pub(crate) fn reduce_unit<L: Log>(
        &self,
        location: &mut LocationState,
        unit: UnitIndex,
        log: &mut L,
    ) {
        let mut play = self.play_on(location, log);
        play.reduce(unit, None);
        play.settle();
    }

    /// Gives a broken unit DM that was attacked in Close Combat (10.62), but not by the Starter
    /// Kit.
    pub(crate) fn gain_dm_in_combat(&self, location: &mut LocationState, unit: UnitIndex) {
        let gains = location.unit(unit).is_present()
            && location.unit(unit).is(Condition::Broken)
            && self.rulebook.profile() != crate::rulebook::Profile::AslSk;
        if gains {
            location.unit_mut(unit).conditions.set(Condition::Dm);
        }
    }

    /// Adds a leader created by a unit of his side, Fanatic like it (10.8, 18.12).
    pub(crate) fn add_leader(
        &self,
        location: &mut LocationState,
        creator: UnitIndex,
        counter: CounterId,
    ) -> Option<UnitIndex> {
        let of = *location.unit(creator);
        let mut conditions = of.conditions;
        conditions.keep_only(Conditions::from_array([Condition::Fanatic, Condition::Encircled]));
        location.appear(Unit { counter, elr: of.elr, leads: true, conditions }, creator)
    }
}
