//! The parts of an engagement in one Location. The other files of this module hold its procedures.

use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::catalogue::{Counter, CounterKind};
use crate::roster::Roster;
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{
    Choices, Condition, Conditions, LocationState, Means, OutcomeDetail, Scene, Sniper, Stage,
    Unit, UnitIndex,
};
use engine::process::Log;

/// An engagement: the process of units in one Location, and the stages they go through.
#[derive(Clone, Debug)]
pub struct Engagement {
    setup: EngagementSetup,
    /// True if an Original 2 causes Heat of Battle (15.1).
    pub(super) heat_of_battle: bool,
    /// True if any unit is a Commissar (A25.22).
    pub(super) commissars: bool,
    /// The indices, as bits, of the units that all factors have, if this is one of several factors.
    pub(super) common: Option<u64>,
    /// The Dummies that a Sniper may strike (14.23), at the start.
    dummies: u8,
    /// The conditions that no outcome reports. A new stage clears them, so that equal states merge.
    pub(super) unreported: Conditions,
}

/// The play in one Location at one moment. It reads the settings of its engagement as its own.
#[derive(Clone, Copy)]
pub(crate) struct PlayView<'a> {
    pub(super) engagement: &'a Engagement,
    pub(super) location: &'a LocationState,
}

/// The play in one Location as it goes on, with a log of what happens.
pub(crate) struct Play<'a, L> {
    pub(super) engagement: &'a Engagement,
    pub(super) location: &'a mut LocationState,
    pub(super) log: &'a mut L,
}

impl Deref for PlayView<'_> {
    type Target = Engagement;

    fn deref(&self) -> &Engagement {
        self.engagement
    }
}

impl<L> Deref for Play<'_, L> {
    type Target = Engagement;

    fn deref(&self) -> &Engagement {
        self.engagement
    }
}

impl<L: Log> Play<'_, L> {
    #[inline]
    pub(super) fn now(&self) -> PlayView<'_> {
        self.engagement.view(self.location)
    }

    pub(super) fn note(&mut self, rule: &'static str, text: impl FnOnce(PlayView) -> String) {
        let now = self.engagement.view(self.location);
        self.log.note(rule, || text(now));
    }

    pub(super) fn note_unit(&mut self, rule: &'static str, place: UnitIndex, what: &str) {
        self.note(rule, |now| format!("{} {what}", now.name(place)));
    }
}

/// The settings from which an engagement is built.
#[derive(Clone, Debug)]
pub struct EngagementSetup {
    pub(crate) roster: Arc<Roster>,
    pub(crate) rulebook: Rulebook,
    pub(crate) scene: Scene,
    pub(crate) choices: Choices,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// A leader outside the stack that gives its leadership DRM in attacks (10.21).
    pub(crate) resident: Option<Unit>,
    pub(crate) stages: Vec<Stage>,
    /// The Sniper whose calls are followed.
    pub(crate) sniper: Option<Sniper>,
    /// The number of units of the stack outside this process. They join Random Selections (A.9).
    pub(crate) bystanders: u8,
    pub(crate) telling: OutcomeDetail,
}

impl Deref for Engagement {
    type Target = EngagementSetup;

    #[inline]
    fn deref(&self) -> &EngagementSetup {
        &self.setup
    }
}

impl Engagement {
    pub(crate) fn new(setup: EngagementSetup) -> Engagement {
        let EngagementSetup { roster, rulebook, scene, units, resident, stages, telling, .. } =
            &setup;
        let lent = stages.iter().filter_map(Stage::lent_leader);
        let mut all = units.iter().chain(resident).chain(lent);
        Engagement {
            commissars: all.any(|unit| roster[unit.counter].kind == CounterKind::Commissar),
            heat_of_battle: rulebook.plays_heat_of_battle(scene.heat_of_battle),
            common: None,
            dummies: 0,
            unreported: telling.wording.unreported(),
            setup,
        }
    }

    #[inline]
    pub(crate) fn view<'a>(&'a self, location: &'a LocationState) -> PlayView<'a> {
        PlayView { engagement: self, location }
    }

    #[inline]
    pub(super) fn play_on<'a, L>(
        &'a self,
        location: &'a mut LocationState,
        log: &'a mut L,
    ) -> Play<'a, L> {
        Play { engagement: self, location, log }
    }

    /// Returns whether an Original 2 causes Heat of Battle (15.1).
    pub(crate) fn plays_heat_of_battle(&self) -> bool {
        self.heat_of_battle
    }

    /// Returns the engagement with other stages, none of which has a leader from outside.
    pub(crate) fn with_stages(mut self, stages: Vec<Stage>) -> Engagement {
        self.setup.stages = stages;
        self
    }

    /// Returns the engagement in another scene.
    pub(crate) fn with_scene(mut self, scene: Scene) -> Engagement {
        self.heat_of_battle = self.setup.rulebook.plays_heat_of_battle(scene.heat_of_battle);
        self.setup.scene = scene;
        self
    }

    /// Returns the engagement with those units concealed that `is_concealed` picks.
    pub(crate) fn with_concealed(mut self, is_concealed: impl Fn(usize) -> bool) -> Engagement {
        for (place, unit) in self.setup.units.iter_mut().enumerate() {
            if is_concealed(place) {
                unit.conditions.set(Condition::Concealed);
            }
        }
        self
    }

    /// Returns the engagement with Dummies that a Sniper may strike (14.23).
    pub(crate) fn with_dummies(self, dummies: usize) -> Engagement {
        Engagement { dummies: dummies as u8, ..self }
    }

    /// Makes this engagement one of several factors, all with the units that `is_common` picks.
    pub(crate) fn with_common_units(self, is_common: impl Fn(UnitIndex) -> bool) -> Engagement {
        let places = (0..self.units.len() as UnitIndex).filter(|&place| is_common(place));
        let common = places.filter_map(|place| 1u64.checked_shl(place.into())).sum();
        Engagement { common: Some(common), ..self }
    }

    #[inline]
    pub(super) fn chooses(&self, switch: Switch) -> bool {
        self.rulebook.chooses(switch)
    }

    #[inline]
    pub(crate) fn counter(&self, unit: &Unit) -> &Counter {
        &self.roster[unit.counter]
    }
}

impl<'a> PlayView<'a> {
    #[inline]
    pub(super) fn unit(self, place: UnitIndex) -> &'a Unit {
        self.location.unit(place)
    }

    #[inline]
    pub(super) fn kind(self, place: UnitIndex) -> CounterKind {
        self.counter(self.unit(place)).kind
    }

    /// Returns the Dummies left. Those that began under the `?` of units go with it (12.11).
    pub(super) fn dummies(self) -> u8 {
        let is_hidden = |unit: &Unit| unit.is(Condition::Concealed);
        let went = self.engagement.units.iter().any(is_hidden)
            && !self.location.present().any(|place| is_hidden(self.unit(place)));
        if went { 0 } else { self.engagement.dummies.saturating_sub(self.location.hunt.dummies) }
    }

    /// Returns whether all factors have a unit, such as a leader that was created (18.2).
    pub(super) fn is_common(self, place: UnitIndex) -> bool {
        let bit = 1u64.checked_shl(place.into()).unwrap_or_default();
        let is_created = || usize::from(place) >= self.units.len() && self.unit(place).leads;
        self.common.is_some_and(|common| common & bit != 0 || is_created())
    }

    /// Returns whether this factor reports a unit. Common units have a factor of their own.
    pub(super) fn is_own(self, place: UnitIndex) -> bool {
        let all = (1u64 << self.units.len().min(63)) - 1;
        self.is_common(place) == (self.common == Some(all))
    }

    /// Returns whether this is a process by itself, or the factor of the common units.
    pub(super) fn is_common_factor(self) -> bool {
        let all = (1u64 << self.units.len().min(63)) - 1;
        self.common.is_none_or(|common| common == all)
    }

    pub(super) fn is_adopted(self, place: UnitIndex) -> bool {
        let (round, _) = self.unit(place).conditions.birth();
        self.common.is_some() && usize::from(place) >= self.units.len() && round == 0
    }

    /// Returns whether a unit of this factor answers a call; `None` if other factors decide that.
    pub(super) fn answers(self) -> Option<bool> {
        let is_own = |place: &UnitIndex| self.is_own(*place);
        match self.stage()? {
            Stage::Only { test, .. } => {
                Some(test.is_decided(self.location, |place| is_own(&place)))
            }
            _ => {
                let mut firsts = self.location.places().filter(is_own).filter(|&place| {
                    self.can_try_to_rally(place)
                        && matches!(self.means(place), Some(Means::FirstSelfRally { .. }))
                });
                match firsts.next() {
                    // Created units come last, so a unit of another factor could be first.
                    Some(place) if usize::from(place) >= self.units.len() => None,
                    first => Some(first.is_some()),
                }
            }
        }
    }

    #[inline]
    pub(super) fn stage(self) -> Option<&'a Stage> {
        self.engagement.stages.get(usize::from(self.location.stage).checked_sub(1)?)
    }

    /// Returns the leader outside the stack that gives its leadership DRM now (10.6, 10.21, I-8).
    pub(super) fn lent_leader(self) -> Option<&'a Unit> {
        match self.stage()? {
            stage @ (Stage::RallyPhase(_) | Stage::Gauntlet(_)) => stage.lent_leader(),
            _ => self.engagement.resident.as_ref(),
        }
    }
}
