//! Effects on units that Close Combat (11) shares with the rest of the rules, without LLMC or LLTC
//! (11.141): elimination, Casualty Reduction, DM and created leaders.

use super::engagement::Engagement;
use crate::catalogue::CounterId;
use crate::location::LocationState;
use crate::unit::{Condition, Conditions, Unit, UnitIndex};
use crate::vocabulary::terms::Terms;
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

    /// Returns the terms of the severity dr of an SMC that suffers a Casualty Reduction (17.11), if
    /// one is rolled.
    pub(crate) fn severity(&self, location: &LocationState, unit: UnitIndex) -> Option<Terms> {
        let view = self.view(location);
        let is_rolled = !view.dies_of_second_wound(unit);
        is_rolled.then(|| Terms::Severity(view.severity_drm(unit, 0)))
    }

    /// Gives an SMC a light wound (17.2).
    pub(crate) fn wound_lightly<L: Log>(
        &self,
        location: &mut LocationState,
        unit: UnitIndex,
        log: &mut L,
    ) {
        self.play_on(location, log).resolve_severity(unit, false, false);
    }

    /// Reduces a squad to its half-squad (7.302).
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
