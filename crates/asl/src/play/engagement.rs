//! A Location in which an engagement is played: what it is made of. What happens in it, to whom and
//! in which order, is in the other files of this room.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::catalogue::{Counter, CounterKind};
use crate::roster::Roster;
use crate::rulebook::Rulebook;
use crate::vocabulary::choice::Choices;
use crate::vocabulary::location::{Location, Place};
use crate::vocabulary::rally::Means;
use crate::vocabulary::scene::Scene;
use crate::vocabulary::stage::Stage;
use crate::vocabulary::telling::Telling;
use crate::vocabulary::unit::{Conditions, Unit};

/// A Location with units, and what happens there: the process of an ASL question.
#[derive(Clone, Debug)]
pub struct Engagement {
    pub(super) roster: Arc<Roster>,
    pub(super) rulebook: Rulebook,
    pub(crate) scene: Scene,
    /// What is left to the owner.
    pub(super) choices: Choices,
    /// 15.1: whether an Original 2 brings Heat of Battle.
    pub(super) heat_of_battle: bool,
    /// A25.22: whether there is a Commissar at all.
    pub(super) commissars: bool,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// 10.21: a Good Order leader in the Location who only lends his leadership in attacks.
    pub(crate) resident: Option<Unit>,
    pub(super) stages: Vec<Stage>,
    /// A.9: units of the stack that are left out of this process but roll in a Random Selection.
    pub(super) bystanders: u8,
    /// Of a unit played beside what is common to all: the places of that, as bits.
    pub(super) common: Option<u64>,
    pub(super) telling: Telling,
    /// What a unit was that nobody is told of: when a stage begins it is forgotten, so that
    /// sequences which differ in nothing else merge.
    pub(super) untold: Conditions,
}

/// What an engagement is made of.
pub(crate) struct Setting {
    pub roster: Arc<Roster>,
    pub rulebook: Rulebook,
    pub scene: Scene,
    pub units: SmallVec<[Unit; 14]>,
    /// 10.21: a Good Order leader in the Location who only lends his leadership in attacks.
    pub resident: Option<Unit>,
    pub stages: Vec<Stage>,
    pub telling: Telling,
}

impl Engagement {
    /// An engagement in which nothing is left to the owner.
    pub(crate) fn of(setting: Setting) -> Engagement {
        let Setting { roster, rulebook, scene, units, resident, stages, telling } = setting;
        let mut all =
            units.iter().chain(&resident).chain(stages.iter().filter_map(Stage::lent_leader));
        Engagement {
            commissars: all.any(|unit| roster[unit.counter].kind == CounterKind::Commissar),
            heat_of_battle: rulebook.plays_heat_of_battle(scene.heat_of_battle),
            choices: Choices::default(),
            bystanders: 0,
            common: None,
            untold: telling.wording.untold(),
            roster,
            rulebook,
            scene,
            units,
            resident,
            stages,
            telling,
        }
    }

    /// The same with these choices left to the owner.
    pub(crate) fn leaving(self, choices: Choices) -> Engagement {
        Engagement { choices, ..self }
    }

    /// The same with so many units of the stack left out of it.
    pub(crate) fn without(self, bystanders: usize) -> Engagement {
        Engagement { bystanders: bystanders as u8, ..self }
    }

    /// The same in which the units that `is_common` picks are common to several such engagements.
    pub(crate) fn beside(self, is_common: impl Fn(Place) -> bool) -> Engagement {
        let places = (0..self.units.len() as Place).filter(|&place| is_common(place));
        let common = places.filter_map(|place| 1u64.checked_shl(place.into())).sum();
        Engagement { common: Some(common), ..self }
    }

    /// Whether a unit is common to several engagements of which this is one: so is a leader who was
    /// created (18.2), once he has been told of.
    pub(super) fn is_common(&self, location: &Location, place: Place) -> bool {
        let bit = 1u64.checked_shl(place.into()).unwrap_or_default();
        let is_created = || usize::from(place) >= self.units.len() && location.unit(place).leads;
        self.common.is_some_and(|common| common & bit != 0 || is_created())
    }

    /// Whether a unit is told of in this one of several engagements: what is common in that which
    /// is of nothing else.
    fn is_own(&self, location: &Location, place: Place) -> bool {
        let all = (1u64 << self.units.len().min(63)) - 1;
        self.is_common(location, place) == (self.common == Some(all))
    }

    /// Whether a unit appeared in another of several engagements.
    pub(super) fn is_adopted(&self, location: &Location, place: Place) -> bool {
        let (round, _) = location.unit(place).conditions.birth();
        self.common.is_some() && usize::from(place) >= self.units.len() && round == 0
    }

    /// Whether a call is answered: nothing where that cannot be said without the others.
    pub(super) fn answers(&self, location: &Location) -> Option<bool> {
        let is_own = |place: &Place| self.is_own(location, *place);
        match self.stage(location)? {
            Stage::Only { test, .. } => Some(test.is_decided(location, |place| is_own(&place))),
            _ => {
                let mut firsts = location.places().filter(is_own).filter(|&place| {
                    self.can_try_to_rally(location, place)
                        && matches!(self.means(location, place), Some(Means::FirstSelfRally { .. }))
                });
                match firsts.next() {
                    // Those who were not there at the start come after all who were.
                    Some(place) if usize::from(place) >= self.units.len() => None,
                    first => Some(first.is_some()),
                }
            }
        }
    }

    /// The stage being worked through.
    #[inline]
    pub(super) fn stage(&self, location: &Location) -> Option<&Stage> {
        self.stages.get(usize::from(location.stage).checked_sub(1)?)
    }

    /// The counter a unit is at present.
    #[inline]
    pub(crate) fn counter(&self, unit: &Unit) -> &Counter {
        &self.roster[unit.counter]
    }

    /// 10.6, 10.21, I-8: the leader who only lends his leadership in this stage.
    pub(super) fn lent_leader(&self, location: &Location) -> Option<&Unit> {
        match self.stage(location)? {
            stage @ (Stage::RallyPhase(_) | Stage::Gauntlet(_)) => stage.lent_leader(),
            _ => self.resident.as_ref(),
        }
    }
}
