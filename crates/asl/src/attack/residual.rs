//! Attacks that nobody rolls for anew: Residual FP (8.22, 8.26) and Fire Lanes (9.22, 9.222).

use super::circumstances::{AttackCircumstances, CrossedHexside, Sight};
use super::modifiers::{DrmSetting, FirerDrm, Modifier};
use super::shots::target_states;
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{Attack, Firing, ShotTable, TARGET_STATES};
use engine::dice::Dr;

/// FP that lies in a Location and attacks who enters it.
#[derive(Clone, Debug)]
pub(crate) struct LyingFire {
    pub firepower: u8,
    pub circumstances: AttackCircumstances,
    /// The hexside and the Hindrances that count: none for Residual FP.
    pub sight: Sight,
    /// True for a Fire Lane, to which SMOKE adds nothing.
    pub is_lane: bool,
    /// True if soft Hindrances, which add nothing to a Fire Lane, cancel FFMO.
    pub is_soft: bool,
    /// The Original DR at which the MG of a Fire Lane malfunctions.
    pub breakdown: Option<u8>,
}

impl LyingFire {
    /// Returns the DRM against targets in each state (8.26, 9.222): TEM, FFNAM, FFMO. Concealment,
    /// leadership and Low Visibility have no part.
    pub fn modifiers(&self, rulebook: Rulebook) -> [Vec<Modifier>; TARGET_STATES] {
        let circumstances = AttackCircumstances {
            night: false,
            low_visibility: 0,
            drm: 0,
            ..self.circumstances.clone()
        };
        target_states(true).map(|target| {
            let (sight, firers) = (self.sight, FirerDrm::default());
            let setting =
                DrmSetting { circumstances: &circumstances, sight, target, rulebook, firers };
            let mut modifiers = setting.modifiers();
            modifiers.retain(|one| {
                let is_smoke = self.is_lane && one.name == "SMOKE";
                let is_cancelled = self.is_soft && one.name == "FFMO";
                !is_smoke && !is_cancelled
            });
            modifiers
        })
    }

    /// Returns the attack as a shot without firers.
    pub fn table(&self, rulebook: Rulebook) -> ShotTable {
        let ends_at_fifteen = rulebook.chooses(Switch::TableEndsAtFifteen);
        let attacks = self.modifiers(rulebook).map(|modifiers| {
            let drm = modifiers.iter().map(|modifier| modifier.drm).sum();
            let attack = Attack::new(self.firepower.into(), drm, 0);
            Attack { ends_at_fifteen, ..attack }
        });
        let malfunctions = |_: &[Attack], original: Dr| {
            u8::from(self.breakdown.is_some_and(|breakdown| original.total() >= breakdown))
        };
        ShotTable::new(attacks, Firing::default(), |_, _| 0, malfunctions)
    }
}

/// Returns whether a Location is Open Ground (10.531) for a firer who sees it so, to a unit that
/// moves in it unpinned.
pub(crate) fn is_open_to(
    circumstances: &AttackCircumstances,
    sight: Sight,
    rulebook: Rulebook,
) -> bool {
    let (target, firers) = (Default::default(), FirerDrm::default());
    let setting = DrmSetting { circumstances, sight, target, rulebook, firers };
    setting.modifiers().iter().any(|modifier| modifier.name == "FFMO")
}

/// What Residual FP sees: no hexside, and no Hindrance.
pub(crate) const NOTHING_BETWEEN: Sight = Sight {
    range: 1,
    level: 0,
    hindrance: 0,
    hexside: CrossedHexside::None,
    smoke_los: 0,
    smoke_out: 0,
};
