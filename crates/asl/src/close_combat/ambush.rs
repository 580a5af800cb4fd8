//! Ambush (11.4): whether it is possible, and the drm of both sides.

use super::combat::{CombatModifier, CombatModifiers, CombatView};
use super::state::CombatSide;
use super::tables::AmbushCause;
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::concealment::{lax_by_kind, stealthy_by_kind};

/// How far a Final dr must be below that of the enemy (11.4), and that of the ATTACKER at night
/// (E1.77).
const MARGIN: i8 = 3;
const NIGHT_MARGIN: i8 = 2;

impl CombatView<'_> {
    /// Returns the drm of a force to its Ambush dr, each with its rule (11.4). A cause counts once,
    /// whichever unit brings it.
    pub fn ambush_drms(self, side: CombatSide) -> CombatModifiers {
        let force = self.state.force(side);
        let causes = AmbushCause::ALL
            .into_iter()
            .filter(|&cause| force.here().units().any(|unit| self.brings(side, unit, cause)));
        let mut drms: CombatModifiers = causes
            .map(|cause| {
                let (drm, rule) = cause.drm();
                CombatModifier { name: cause.name(), drm, rule }
            })
            .collect();
        if let Some(drm) = self.ambush_leadership(side).filter(|drm| *drm != 0) {
            drms.push(CombatModifier { name: "leadership", drm, rule: "A10.72" });
        }
        drms
    }

    fn brings(self, side: CombatSide, unit: UnitIndex, cause: AmbushCause) -> bool {
        let is = |condition| self.is(side, unit, condition);
        match cause {
            AmbushCause::Cx => is(Condition::Cx),
            AmbushCause::Broken => is(Condition::Broken),
            AmbushCause::Pinned => is(Condition::Pinned),
            AmbushCause::Berserk => is(Condition::Berserk),
            AmbushCause::Concealed => self.state.force(side).standing_of(unit).is_concealed,
            AmbushCause::Lax => self.is_lax(side, unit),
            AmbushCause::Stealthy => self.is_stealthy(side, unit),
        }
    }

    /// Returns whether a unit is Lax (11.18, 15.432, 19.36, 25.64). Interpretation I-117 says
    /// whether a berserk unit brings that drm too.
    fn is_lax(self, side: CombatSide, unit: UnitIndex) -> bool {
        let counter = self.counter(side, unit);
        let is_berserk = self.is(side, unit, Condition::Berserk);
        self.combat.role(side, unit).is_some_and(|role| role.lax)
            || is_berserk && !self.chooses(Switch::BerserkNotLax)
            || self.is_inexperienced(side, unit)
            || lax_by_kind(counter)
    }

    /// Returns whether a Good Order unit is Stealthy (11.17, 15.24, 25.7, 25.24), and not Lax.
    fn is_stealthy(self, side: CombatSide, unit: UnitIndex) -> bool {
        let (counter, of) = (self.counter(side, unit), self.unit(side, unit));
        let is_by_kind = stealthy_by_kind(counter, of);
        let is_told = self.combat.role(side, unit).is_some_and(|role| role.stealthy);
        of.is_steady() && (is_by_kind || is_told) && !self.is_lax(side, unit)
    }

    /// Returns the leadership that counts in the Ambush dr: the best of a Good Order, unpinned
    /// leader (11.4). It does not count for a leader alone, nor beside a berserk unit. By the
    /// alternative of interpretation I-118 a positive one is left out.
    fn ambush_leadership(self, side: CombatSide) -> Option<i8> {
        let force = self.state.force(side);
        let here = force.here();
        let is_berserk = here.units().any(|unit| self.is(side, unit, Condition::Berserk));
        if here.count() < 2 || is_berserk {
            return None;
        }
        let engagement = self.combat.engagement(side);
        let leaders = here.units().map(|unit| self.unit(side, unit)).filter(|unit| unit.can_lead());
        let best = leaders.map(|leader| engagement.leadership(leader)).min();
        let spares = self.chooses(Switch::AmbushLeadershipOptional);
        best.map(|drm| if spares { drm.min(0) } else { drm })
    }

    /// Returns whether 11.4 allows an Ambush: in the first round, in woods or a building, or if any
    /// unit is concealed.
    pub fn may_be_ambush(self) -> bool {
        let is_concealed = |side: CombatSide| {
            let force = self.state.force(side);
            force.here().units().any(|unit| force.standing_of(unit).is_concealed)
        };
        let is_covered =
            self.combat.is_woods_or_building || CombatSide::ALL.into_iter().any(is_concealed);
        self.state.turn == 1 && !self.state.is_melee && is_covered
    }

    /// Returns by how much the Final dr of each side must be lower: less by night for the ATTACKER
    /// (E1.77).
    pub fn margins(self) -> [i8; 2] {
        CombatSide::ALL.map(|side| {
            let is_attacker = side == self.combat.phasing(self.state.turn);
            if self.combat.is_night && is_attacker { NIGHT_MARGIN } else { MARGIN }
        })
    }
}
