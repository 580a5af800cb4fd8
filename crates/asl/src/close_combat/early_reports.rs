//! Reports of units before the end of a round: with many small attacks the units of each have their
//! results long before the last DR. They are reported at once and forgotten, so that states merge
//! which differ in them alone. Only what nobody else depends on may be forgotten.

use super::combat::{CloseCombat, CombatPlay, CombatView};
use super::state::{AttackOrder, CombatSide, CombatUnits, Fate, Standing};
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use engine::process::Log;

impl CloseCombat {
    /// Returns the Close Combat that reports units as soon as their results are known: one of a
    /// single Player Turn in which nobody leaves the Location. `None` where others depend on them.
    pub(super) fn reporting_early(&self) -> Option<CloseCombat> {
        let opening = self.opening();
        let now = self.view(&opening);
        let is_plain = |side: CombatSide| {
            let orders = &self.orders[side as usize];
            let is_bound = |unit: UnitIndex| {
                let is = |condition| now.is(side, unit, condition);
                is(Condition::Berserk)
                    || is(Condition::Disrupted)
                    || self.begins_in_melee && is(Condition::Broken)
            };
            let leaves = orders.leaves_before || orders.leaves_after || now.infiltrates(side);
            let is_crowded = now.overstacked(side) > 0;
            !leaves && !is_crowded && !opening.force(side).all().any(is_bound)
        };
        let is_plain = self.turns == 1
            && !self.joint
            && !now.chooses(Switch::AppliedWorkedOutAgain)
            && CombatSide::ALL.into_iter().all(is_plain);
        is_plain.then(|| CloseCombat { reports_early: true, ..self.clone() })
    }
}

impl CombatView<'_> {
    /// Returns the units of each side that have no part any more in the attacks of a round, if
    /// further attacks follow.
    fn settled(self) -> [CombatUnits; 2] {
        let state = self.state;
        let takes = |side: CombatSide| {
            let force = state.force(side);
            force.all().any(|unit| {
                let Standing { withdraws, fate, .. } = *force.standing_of(unit);
                withdraws || matches!(fate, Fate::Captured | Fate::HalfCaptured)
            })
        };
        let is_open = !self.combat.reports_early
            || matches!(state.order, AttackOrder::Ambushers(_))
            || state.due_attack().is_none()
            || state.attacks.iter().any(|attack| attack.is_capture)
            || CombatSide::ALL.into_iter().any(takes);
        if is_open {
            return Default::default();
        }
        let mut part = [CombatUnits::NOBODY; 2];
        for attack in &state.attacks {
            for (side, units) in
                [(attack.by, attack.attackers), (attack.by.other(), attack.targets)]
            {
                part[side as usize] = part[side as usize].with_all(units);
            }
        }
        CombatSide::ALL.map(|side| {
            let force = state.force(side);
            let is_new = |unit: &UnitIndex| !force.standing_of(*unit).is_reported;
            let unreported: CombatUnits = force.all().filter(is_new).collect();
            unreported.without(part[side as usize])
        })
    }
}

impl<L: Log> CombatPlay<'_, L> {
    /// Applies the results of units that have no further part in the round, which are due to be
    /// reported. Returns the units; nobody if there are none.
    pub(super) fn settle(&mut self) -> [CombatUnits; 2] {
        let settled = self.now().settled();
        for side in CombatSide::ALL {
            for unit in settled[side as usize].units() {
                self.apply_fate(side, unit);
                self.give_dm(side, unit);
            }
        }
        settled
    }

    /// Forgets units that have been reported, but for what counts at the end.
    pub(super) fn forget(&mut self, reported: [CombatUnits; 2]) {
        for side in CombatSide::ALL {
            let lost = self.now().lost(side);
            for unit in reported[side as usize].units() {
                let kind = self.now().counter(side, unit).kind;
                let force = self.state.force_mut(side);
                force.is_held |= force.is_here(unit);
                force.location.eliminate(unit, kind);
                *force.standing_of_mut(unit) =
                    Standing { is_reported: true, ..Standing::alone(unit) };
            }
            let left = self.now().lost(side);
            let force = self.state.force_mut(side);
            force.settled_lost = force.settled_lost.saturating_add((lost - left) as u8);
            force.location.forget_lost_leaders();
        }
    }
}
