//! The parts of an engagement in one Location. The other files of this module hold its procedures.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::catalogue::{Counter, CounterKind};
use crate::roster::Roster;
use crate::rulebook::Rulebook;
use crate::vocabulary::choice::Choices;
use crate::vocabulary::location::LocationState;
use crate::vocabulary::outcome_detail::OutcomeDetail;
use crate::vocabulary::rally::Means;
use crate::vocabulary::scene::Scene;
use crate::vocabulary::stage::Stage;
use crate::vocabulary::unit::{Conditions, Unit, UnitIndex};

/// An engagement: the process of units in one Location, and the stages they go through.
#[derive(Clone, Debug)]
pub struct Engagement {
    pub(super) roster: Arc<Roster>,
    pub(super) rulebook: Rulebook,
    pub(crate) scene: Scene,
    pub(super) choices: Choices,
    /// True if an Original 2 causes Heat of Battle (15.1).
    pub(super) heat_of_battle: bool,
    /// True if any unit is a Commissar (A25.22).
    pub(super) commissars: bool,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// A leader outside the stack that gives its leadership DRM in attacks (10.21).
    pub(crate) resident: Option<Unit>,
    pub(super) stages: Vec<Stage>,
    /// The number of units of the stack outside this process. They join Random Selections (A.9).
    pub(super) bystanders: u8,
    /// The indices, as bits, of the units that all factors have, if this is one of several factors.
    pub(super) common: Option<u64>,
    pub(super) telling: OutcomeDetail,
    /// The conditions that no outcome reports. A new stage clears them, so that equal states merge.
    pub(super) unreported: Conditions,
}

pub(crate) struct Setting {
    pub roster: Arc<Roster>,
    pub rulebook: Rulebook,
    pub scene: Scene,
    pub units: SmallVec<[Unit; 14]>,
    /// A leader outside the stack that gives its leadership DRM in attacks (10.21).
    pub resident: Option<Unit>,
    pub stages: Vec<Stage>,
    pub telling: OutcomeDetail,
}

impl Engagement {
    pub(crate) fn without_choices(setting: Setting) -> Engagement {
        let Setting { roster, rulebook, scene, units, resident, stages, telling } = setting;
        let mut all =
            units.iter().chain(&resident).chain(stages.iter().filter_map(Stage::lent_leader));
        Engagement {
            commissars: all.any(|unit| roster[unit.counter].kind == CounterKind::Commissar),
            heat_of_battle: rulebook.plays_heat_of_battle(scene.heat_of_battle),
            choices: Choices::default(),
            bystanders: 0,
            common: None,
            unreported: telling.wording.unreported(),
            roster,
            rulebook,
            scene,
            units,
            resident,
            stages,
            telling,
        }
    }

    pub(crate) fn leaving(self, choices: Choices) -> Engagement {
        Engagement { choices, ..self }
    }

    /// Sets the number of units of the stack that this process leaves out.
    pub(crate) fn without(self, bystanders: usize) -> Engagement {
        Engagement { bystanders: bystanders as u8, ..self }
    }

    /// Makes this engagement one of several factors, which all have the units that `is_common`
    /// picks.
    pub(crate) fn with_common_units(self, is_common: impl Fn(UnitIndex) -> bool) -> Engagement {
        let places = (0..self.units.len() as UnitIndex).filter(|&place| is_common(place));
        let common = places.filter_map(|place| 1u64.checked_shl(place.into())).sum();
        Engagement { common: Some(common), ..self }
    }

    /// Returns whether all factors have a unit, such as a leader that was created (18.2).
    pub(super) fn is_common(&self, location: &LocationState, place: UnitIndex) -> bool {
        let bit = 1u64.checked_shl(place.into()).unwrap_or_default();
        let is_created = || usize::from(place) >= self.units.len() && location.unit(place).leads;
        self.common.is_some_and(|common| common & bit != 0 || is_created())
    }

    /// Returns whether this factor reports a unit. Common units have a factor of their own.
    fn is_own(&self, location: &LocationState, place: UnitIndex) -> bool {
        let all = (1u64 << self.units.len().min(63)) - 1;
        self.is_common(location, place) == (self.common == Some(all))
    }

    /// Returns whether a unit was created in another factor.
    pub(super) fn is_adopted(&self, location: &LocationState, place: UnitIndex) -> bool {
        let (round, _) = location.unit(place).conditions.birth();
        self.common.is_some() && usize::from(place) >= self.units.len() && round == 0
    }

    /// Returns whether a unit of this factor answers a call: it meets the condition, or is the
    /// first MMC to Self-Rally. Returns `None` if that depends on the other factors.
    pub(super) fn answers(&self, location: &LocationState) -> Option<bool> {
        let is_own = |place: &UnitIndex| self.is_own(location, *place);
        match self.stage(location)? {
            Stage::Only { test, .. } => Some(test.is_decided(location, |place| is_own(&place))),
            _ => {
                let mut firsts = location.places().filter(is_own).filter(|&place| {
                    self.can_try_to_rally(location, place)
                        && matches!(self.means(location, place), Some(Means::FirstSelfRally { .. }))
                });
                match firsts.next() {
                    // Created units come after all original units, so a unit of another factor
                    // could be first.
                    Some(place) if usize::from(place) >= self.units.len() => None,
                    first => Some(first.is_some()),
                }
            }
        }
    }

    #[inline]
    pub(super) fn stage(&self, location: &LocationState) -> Option<&Stage> {
        self.stages.get(usize::from(location.stage).checked_sub(1)?)
    }

    #[inline]
    pub(crate) fn counter(&self, unit: &Unit) -> &Counter {
        &self.roster[unit.counter]
    }

    /// Returns the leader outside the stack that gives its leadership DRM now (10.6, 10.21, I-8).
    pub(super) fn lent_leader(&self, location: &LocationState) -> Option<&Unit> {
        match self.stage(location)? {
            stage @ (Stage::RallyPhase(_) | Stage::Gauntlet(_)) => stage.lent_leader(),
            _ => self.resident.as_ref(),
        }
    }
}
