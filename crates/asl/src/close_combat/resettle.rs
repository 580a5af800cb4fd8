//! Attacks of ambushers that are applied already and worked out again when their target creates a
//! leader (18.12), by the alternative of interpretation I-116.

use super::combat::{CombatPlay, CombatView};
use super::reckoning::AttackEffects;
use super::state::{AttackOrder, CombatAttack, CombatSide, CombatState, CombatUnits, Fate, Force};
use crate::catalogue::Counter;
use crate::rulebook::Switch;
use crate::unit::{Condition, Unit, UnitIndex};
use engine::process::Log;

impl CombatView<'_> {
    /// Returns how many leaders the ambushed targets of an attack may still create, at most, if
    /// their attacks are not declared yet.
    pub(super) fn leaders_of_ambushed(self, attack: &CombatAttack) -> u16 {
        let side = attack.by.other();
        let is_open =
            self.state.earlier.is_some() && self.state.order == AttackOrder::Ambushers(attack.by);
        let may_create =
            |&unit: &UnitIndex| self.state.force(side).is_here(unit) && self.may_create(side, unit);
        let able = attack.targets.units().filter(|unit| is_open && may_create(unit));
        able.count() as u16
    }

    /// Returns what the DR of an applied attack does with the attackers as they were.
    pub(super) fn effects_again(self, attack: &CombatAttack) -> Option<AttackEffects> {
        let is_again = attack.is_settled && self.state.ambusher() == Some(attack.by);
        let earlier = self.state.earlier.as_ref().filter(|_| is_again)?;
        let mut then = CombatState { earlier: None, ..self.state.clone() };
        *then.force_mut(attack.by) = earlier[attack.by as usize].clone();
        Some(self.combat.view(&then).effects(attack))
    }
}

/// Returns the fate that has made a unit what it is now.
fn fate_of(before: &Unit, now: &Unit, is_capture: bool) -> Fate {
    let is_reduced = now.counter != before.counter;
    match () {
        () if now.is(Condition::Captured) => Fate::Captured,
        () if !now.is_present() => Fate::Eliminated,
        () if is_reduced && is_capture => Fate::HalfCaptured,
        () if is_reduced => Fate::Reduced,
        () if now.is(Condition::Wounded) && !before.is(Condition::Wounded) => Fate::Wounded,
        () => Fate::Spared,
    }
}

impl<L: Log> CombatPlay<'_, L> {
    /// Records the forces before the attacks of ambushers, if these may be worked out again.
    pub(super) fn record_forces(&mut self) {
        if self.now().chooses(Switch::AppliedWorkedOutAgain) && self.combat.creates_leaders {
            self.state.earlier = Some(self.state.forces.clone().into());
        }
    }

    /// Records the ambushers after their attacks: the strength with which they have made them.
    pub(super) fn record_ambushers(&mut self, side: CombatSide) {
        let Some(earlier) = &mut self.state.earlier else { return };
        let mut now: Force = self.state.forces[side as usize].clone();
        for (now, before) in now.standing.iter_mut().zip(&earlier[side as usize].standing) {
            now.is_guard = before.is_guard;
        }
        earlier[side as usize] = now;
    }

    /// Records a leader of the ambushed side as he appears.
    pub(super) fn record_leader(&mut self, side: CombatSide, leader: UnitIndex) {
        let is_ambushed = self.state.order == AttackOrder::Ambushed(side);
        let force = &self.state.forces[side as usize];
        let (unit, standing) = (*force.unit(leader), *force.standing_of(leader));
        if let Some(earlier) = self.state.earlier.as_mut().filter(|_| is_ambushed) {
            earlier[side as usize].location.units.push(unit);
            earlier[side as usize].standing.push(standing);
        }
    }

    /// Takes the results of an applied attack back: its targets that are not gone are as they were
    /// before it, with the fate that it gave them, and its captors guard nobody for it.
    pub(super) fn take_back(&mut self, place: usize) {
        let CombatAttack { by, attackers, targets, is_capture, .. } = self.state.attacks[place];
        let Some(earlier) = self.state.earlier.take() else { return };
        let (combat, side) = (self.combat, by.other());
        let before = &earlier[side as usize];
        let first_created = combat.members(side).len();
        let counts_twice = combat.counts_captured_twice();
        let force = self.state.force_mut(side);
        for unit in targets.units() {
            if force.standing_of(unit).is_away {
                continue;
            }
            let then = *before.unit(unit);
            let fate = fate_of(&then, force.unit(unit), is_capture);
            let counter: &Counter = combat.engagement(side).counter(&then);
            if fate == Fate::Eliminated && usize::from(unit) >= first_created {
                force.settled_lost = force.settled_lost.saturating_sub(combat.points(counter));
            }
            let is_half = fate == Fate::HalfCaptured && counts_twice;
            force.halves_captured = force.halves_captured.saturating_sub(u8::from(is_half));
            *force.location.unit_mut(unit) = then;
            let is_captured = matches!(fate, Fate::Captured | Fate::HalfCaptured);
            let standing = force.standing_of_mut(unit);
            (standing.is_hurt, standing.fate) = (false, fate);
            standing.captors = if is_captured { attackers } else { CombatUnits::NOBODY };
        }
        let own = &earlier[by as usize];
        let force = self.state.force_mut(by);
        for unit in attackers.units() {
            force.standing_of_mut(unit).is_guard = own.standing_of(unit).is_guard;
        }
        self.state.earlier = Some(earlier);
    }
}
