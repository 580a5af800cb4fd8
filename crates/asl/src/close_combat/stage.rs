//! A Close Combat as a step of a sequence: how it begins with the units as they are then, how a
//! Melee goes on, and what is left of it.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::combat::CloseCombat;
use super::engagements::with_counters;
use super::plan::BestPlans;
use super::state::{CombatSide, CombatState, CombatStep, Standing};
use crate::board::terrain::Terrain;
use crate::catalogue::CounterId;
use crate::engagement::Engagement;
use crate::outcome::UnitOutcome;
use crate::roster::Roster;
use crate::stack::Stack;
use crate::unit::{Condition, Unit, UnitIndex};
use crate::vocabulary::{Scene, SniperHunt, Stage};
use engine::process::{Log, Process as _};

/// A Close Combat as a step of a sequence.
#[derive(Clone, Debug)]
pub struct CombatStage {
    pub combat: CloseCombat,
    /// The enemy at the start of his Close Combat.
    pub theirs: Stack,
    pub terrain: &'static Terrain,
    /// The index among the Close Combats of the sequence.
    pub place: u8,
    /// True if the step goes on with the Melee that an earlier step has left.
    pub goes_on: bool,
    /// The slots of the enemy among the units of both sides.
    pub(crate) slots: EnemySlots,
    /// The rules for the enemy under fire in the Melee.
    pub(crate) under_fire: Option<Engagement>,
}

/// The slots of the enemy of a Close Combat among the units of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EnemySlots {
    /// The slot of its first unit. Others have the next slots.
    pub first: u8,
    /// The number of the Close Combat, from 0, which tells its created units apart.
    pub number: u8,
}

/// The slot of the first unit that an enemy creates: above all others.
const FIRST_CREATED: u8 = 128;
/// The number of slots for the units that one enemy creates.
const MOST_CREATED: u8 = 6;

impl EnemySlots {
    /// Returns the slot of a unit, one of `units` at the start; `None` if too many were created.
    fn slot(self, unit: UnitIndex, units: u8) -> Option<u8> {
        match unit.checked_sub(units) {
            None => Some(self.first + unit),
            Some(created) if created < MOST_CREATED => {
                Some(FIRST_CREATED + MOST_CREATED * self.number + created)
            }
            Some(_) => None,
        }
    }

    /// Returns the number of a created unit of the enemy by its slot, from 1; `None` for others.
    pub(crate) fn created(slot: u8) -> Option<u8> {
        slot.checked_sub(FIRST_CREATED).map(|place| place + 1)
    }

    fn has(self, slot: u8, units: u8) -> bool {
        let created = FIRST_CREATED + MOST_CREATED * self.number;
        (self.first..self.first + units).contains(&slot)
            || (created..created + MOST_CREATED).contains(&slot)
    }
}

/// The units of a stack in play.
pub(crate) type StackUnits = SmallVec<[Unit; 14]>;

impl CombatStage {
    /// Returns the stage with the counters of a roster: those of the stack, and of its enemy.
    pub(crate) fn with_roster(
        &self,
        roster: &Arc<Roster>,
        counters: [&[CounterId]; 2],
        slots: EnemySlots,
        (scene, elr): (Scene, u8),
    ) -> CombatStage {
        let CloseCombat { ref members, rulebook, .. } = self.combat;
        let engagements = with_counters(members, counters, (roster, elr), rulebook);
        // An attack is resolved as the one stage of an engagement.
        let stages = vec![Stage::MoraleCheck { drm: 0 }];
        let [_, theirs] = engagements.clone();
        let under_fire = theirs.with_stages(stages).with_scene(scene);
        let policy = self.combat.policy.as_ref().map(|_| Arc::new(BestPlans::on_demand()));
        let combat = CloseCombat { engagements, policy, ..self.combat.clone() };
        CombatStage { combat, slots, under_fire: Some(under_fire), ..self.clone() }
    }

    /// Returns the outcomes of the enemy in a Close Combat, or before it.
    pub(crate) fn enemies(&self, combat: Option<&CombatState>) -> Vec<UnitOutcome> {
        let opening;
        let force = match combat {
            Some(combat) => combat.force(CombatSide::Theirs),
            None => {
                opening = self.combat.opening();
                opening.force(CombatSide::Theirs)
            }
        };
        let engagement = self.combat.engagement(CombatSide::Theirs);
        let units = self.theirs.members.len() as u8;
        let outcome = |unit: UnitIndex| {
            let &Standing { is_away, is_concealed, .. } = force.standing_of(unit);
            let slot = self.slots.slot(unit, units)?;
            let outcome = engagement.view(&force.location).unit_outcome(unit);
            let is_concealed = is_concealed && outcome.counter.is_some();
            Some(UnitOutcome { slot, is_away, is_concealed, ..outcome })
        };
        force.all().filter_map(outcome).collect()
    }

    /// Returns whether an outcome is that of a unit of the enemy.
    pub(crate) fn is_of_enemy(&self, outcome: &UnitOutcome) -> bool {
        self.slots.has(outcome.slot, self.theirs.members.len() as u8)
    }

    /// Begins with these units of ours, or goes on with a Melee.
    pub(crate) fn begin<L: Log>(
        &self,
        melee: Option<CombatState>,
        mut units: StackUnits,
        hunt: SniperHunt,
        log: &mut L,
    ) -> CombatState {
        let is_fresh = melee.is_none();
        let mut state = melee.unwrap_or_else(|| self.combat.opening());
        let is_concealed: SmallVec<[bool; 14]> =
            units.iter().map(|unit| unit.is(Condition::Concealed)).collect();
        units.iter_mut().for_each(|unit| unit.conditions.clear(Condition::Concealed));
        if is_fresh {
            *state.force_mut(CombatSide::Ours) = self.combat.force(CombatSide::Ours, units);
        } else {
            state.turn = LATER;
            let ours = state.force_mut(CombatSide::Ours);
            // Heroes may have appeared under fire.
            let new = ours.standing.len() as UnitIndex..units.len() as UnitIndex;
            ours.standing.extend(new.map(Standing::alone));
            ours.location.units = units;
        }
        let standing = &mut state.force_mut(CombatSide::Ours).standing;
        for ((unit, standing), is_concealed) in (0..).zip(standing).zip(is_concealed) {
            standing.is_concealed = is_concealed;
            // A unit that has searched for a Sniper is TI (14.4).
            standing.is_ti |= hunt.has_searched(unit);
        }
        self.combat.appraise(&mut state);
        self.combat.begin(&mut state, log);
        self.pass_reports(&mut state, log);
        state
    }

    /// Goes on over the reports at the end of each Player Turn but the last.
    pub(crate) fn pass_reports<L: Log>(&self, state: &mut CombatState, log: &mut L) {
        while state.step == CombatStep::Report && state.turn < self.combat.turns {
            self.combat.pass(state, log);
        }
    }

    /// Takes our units out of a Close Combat that is over. Returns them, and the Melee if units of
    /// both sides are left in the Location.
    pub(crate) fn end(&self, mut state: CombatState) -> (StackUnits, Option<CombatState>) {
        let is_held = CombatSide::ALL.into_iter().all(|side| !state.force(side).here().is_empty());
        let ours = state.force_mut(CombatSide::Ours);
        let mut units = std::mem::take(&mut ours.location.units);
        for (unit, standing) in units.iter_mut().zip(&mut ours.standing) {
            if std::mem::take(&mut standing.is_concealed) {
                unit.conditions.set(Condition::Concealed);
            }
        }
        // A sequence counts no CVP: without them equal states merge.
        for force in &mut state.forces {
            (force.settled_lost, force.halves_captured) = (0, 0);
            force.standing.iter_mut().for_each(|standing| standing.worth = 0);
        }
        (state.turn, state.step) = (0, CombatStep::Over);
        (units, is_held.then_some(state))
    }
}

impl fmt::Display for CombatStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.goes_on { "Melee with" } else { "Close Combat against" };
        write!(f, "{what} {}, {}", self.theirs.in_words(), self.terrain.name.to_lowercase())?;
        let [plan, reply] = self.combat.orders.each_ref().map(|orders| orders.plan.then.text());
        write!(f, "; plan {plan}, reply {reply}")?;
        match self.combat.policy.is_some() && !self.combat.is_for_net() {
            true => write!(f, ", for {}", self.combat.objective.text()),
            false => Ok(()),
        }
    }
}

/// The number of a Player Turn that is not the first of its Close Combat.
const LATER: u16 = 2;

/// Ends the pins of the enemy with the Player Turn (7.8).
pub(crate) fn end_enemy_pins(melee: &mut CombatState) {
    for unit in &mut melee.force_mut(CombatSide::Theirs).location.units {
        unit.conditions.clear(Condition::Pinned);
    }
}
