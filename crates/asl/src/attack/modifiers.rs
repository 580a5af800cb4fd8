//! The DRM of an attack: leadership, TEM, Hindrance, movement and the rest (7.53, 7.6, 4.6).

use super::circumstances::{
    AttackCircumstances, CrossedHexside, DemolitionUse, Movement, Sight, TargetState, TargetWorks,
    WallAdvantage,
};
use super::weapons::WeaponKind;
use crate::board::terrain::{OpenGround, SightEffect};
use crate::rulebook::{Rulebook, Switch};

/// A DRM with its name and the rule that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    pub drm: i8,
    pub name: String,
    pub rule: String,
    /// True if it comes from outside the target hex, so that it reduces Residual FP (8.26).
    pub is_outside: bool,
}

/// What the firers give or suffer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirerDrm {
    /// The rating of the leaders who direct; `None` if nobody does.
    pub leadership: Option<i8>,
    /// The heroes who fire within Normal Range.
    pub heroes: u8,
    /// The heroes who fire a MG.
    pub heroes_with_mg: u8,
    pub is_cx: bool,
    pub is_encircled: bool,
    /// The FT or DC that makes the attack, if one does.
    pub special: Option<WeaponKind>,
}

/// What the DRM of a class of targets depend on.
pub(super) struct DrmSetting<'c> {
    pub circumstances: &'c AttackCircumstances,
    pub sight: Sight,
    pub target: TargetState,
    pub rulebook: Rulebook,
    pub firers: FirerDrm,
}

/// The TEM of a target: the DRM, its name and rule, and whether it is of a hexside.
struct Tem {
    drm: i8,
    name: String,
    rule: String,
    is_hexside: bool,
}

impl DrmSetting<'_> {
    /// Returns all DRM, in the order of the answer.
    pub fn modifiers(&self) -> Vec<Modifier> {
        let AttackCircumstances { smoke, movement, overstacked_firers, overstacked_target, .. } =
            *self.circumstances;
        let FirerDrm { leadership, heroes, heroes_with_mg, is_cx, is_encircled, special } =
            self.firers;
        let Sight { hindrance, smoke_los, smoke_out, range, level, .. } = self.sight;
        let is_dc = special == Some(WeaponKind::DemolitionCharge);
        let is_thrown = self.circumstances.demolition == DemolitionUse::Thrown;
        let is_hazardous = movement == Movement::Hazardous && !self.target.pinned;
        let mut all = Vec::new();
        let mut add = |drm: i8, name: &str, rule: &str, is_outside: bool| {
            if drm != 0 {
                let (name, rule) = (name.to_string(), rule.to_string());
                all.push(Modifier { drm, name, rule, is_outside });
            }
        };
        add(leadership.unwrap_or(0), "leadership", "A7.531", true);
        add(heroes_with_mg as i8, "hero with a MG", "A15.23", true);
        add(-(heroes as i8), "hero", "A15.24", false);
        let tem = self.tem();
        if let Some(tem) = &tem {
            add(tem.drm, &tem.name, &tem.rule, tem.is_hexside);
        }
        let height = self.has_height_advantage(tem.as_ref());
        add(i8::from(height), "Height Advantage", "B10.31", false);
        if !is_dc {
            add(hindrance as i8, "Hindrance", "A6.7", true);
            add(smoke as i8, "SMOKE", "A24.2", false);
            add(smoke_los as i8, "SMOKE in the LOS", "A24.2", true);
            let within = range == 0 && level == 0 && smoke > 0;
            let out = if smoke_out > 0 { smoke_out as i8 + 1 } else { i8::from(within) };
            add(out, "SMOKE of the firer", "A24.8", true);
            add(self.low_visibility(height), "Low Visibility", "E1.7", false);
        }
        add(i8::from(is_cx), "CX", "A4.51", true);
        let reduces = !self.rulebook.chooses(Switch::OnlyNamedDrmReduce);
        add(i8::from(is_encircled), "Encircled", "A7.7", reduces);
        add(overstacked_firers as i8, "overstacked firers", "A5.12", reduces);
        add(-(overstacked_target as i8), "overstacked target", "A5.131", false);
        let carried = self.circumstances.target_flamethrowers;
        add(-(carried as i8), "FT of the target", "A22.4", false);
        if is_dc && is_thrown {
            let advancing = self.circumstances.phase == super::circumstances::FirePhase::Advancing;
            add(2 + i8::from(advancing), "thrown DC", "A23.6", false);
        }
        if is_hazardous {
            add(-2, "Hazardous Movement", "A4.62", false);
        } else if self.is_moving() {
            add(-i8::from(self.moves_without_assault()), "FFNAM", "A4.6", false);
            let in_the_open = self.moves_in_the_open(tem.as_ref(), height);
            add(-i8::from(in_the_open), "FFMO", "A4.6", false);
        }
        add(self.circumstances.drm, "given", "A7.3", false);
        all
    }

    /// Returns whether FFNAM and FFMO are possible (4.6, 8.14).
    fn is_moving(&self) -> bool {
        let AttackCircumstances { phase, movement, snap_shot, .. } = *self.circumstances;
        let is_ignored = self.firers.special == Some(WeaponKind::Flamethrower)
            && self.rulebook.chooses(Switch::FlamethrowerIgnoresMovement);
        let moves = !matches!(movement, Movement::None | Movement::Hazardous);
        phase.is_in_movement() && moves && !snap_shot && !self.target.pinned && !is_ignored
    }

    /// Returns whether the target does not use Assault Movement, or no longer (4.61).
    fn moves_without_assault(&self) -> bool {
        let assaults = self.circumstances.movement == Movement::Assault;
        !assaults || self.target.broken || self.target.berserk
    }

    /// Returns whether the target moves in the open (4.6, B1.16). Low Visibility does not count.
    fn moves_in_the_open(&self, tem: Option<&Tem>, height: bool) -> bool {
        let AttackCircumstances { terrain, smoke, .. } = *self.circumstances;
        let Sight { hindrance, smoke_los, smoke_out, .. } = self.sight;
        let is_open = matches!(terrain.open_ground, OpenGround::Yes | OpenGround::AtMinimum);
        let is_covered = tem.is_some_and(|tem| tem.drm > 0) || height;
        is_open && !is_covered && hindrance == 0 && smoke + smoke_los + smoke_out == 0
    }

    /// Returns the TEM that counts (7.6): that of a pillbox, else of the hex, its works, or the
    /// hexside, by Wall Advantage (B9.3). None counts against a FT (22.2).
    fn tem(&self) -> Option<Tem> {
        let AttackCircumstances { pillbox, wall_advantage, .. } = *self.circumstances;
        let special = self.firers.special;
        if special == Some(WeaponKind::Flamethrower) {
            return None;
        }
        if let Some(drm) = pillbox {
            return Some(Tem {
                drm,
                name: "pillbox".to_string(),
                rule: "B30.3".to_string(),
                is_hexside: false,
            });
        }
        let of_hex = self.tem_of_hex();
        let is_placed = special == Some(WeaponKind::DemolitionCharge)
            && self.circumstances.demolition == DemolitionUse::Placed;
        let of_hexside = self.tem_of_hexside().filter(|_| !is_placed);
        match (wall_advantage, of_hexside) {
            (_, None) | (WallAdvantage::Firer, _) => of_hex,
            (WallAdvantage::Target, hexside) => hexside,
            (WallAdvantage::None, Some(hexside)) => {
                let is_better = of_hex.as_ref().is_some_and(|hex| hex.drm >= hexside.drm);
                let takes_hex = self.rulebook.chooses(Switch::InHexTemTaken)
                    || is_better && !self.rulebook.chooses(Switch::HexsideTemTaken);
                if takes_hex { of_hex } else { Some(hexside) }
            }
        }
    }

    /// Returns the TEM of the target hex and its works. A Snap Shot is at a unit on the hexside, so
    /// it has none (8.15).
    fn tem_of_hex(&self) -> Option<Tem> {
        let AttackCircumstances { terrain, tem, works, snap_shot, .. } = *self.circumstances;
        if snap_shot {
            return None;
        }
        let word = |id: &str| match id.split_once('-') {
            Some(("bldg", kind)) => kind.to_string(),
            _ => id.replace('-', " "),
        };
        let rule = terrain.rules.split(' ').next().unwrap_or_default();
        let of_terrain = Tem {
            drm: tem.unwrap_or(terrain.tem),
            name: word(&terrain.id),
            rule: rule.to_string(),
            is_hexside: false,
        };
        let sinks =
            matches!(works, TargetWorks::Foxhole | TargetWorks::Trench | TargetWorks::Shellhole);
        let of_works = Tem {
            drm: if sinks { self.sight.lowered(works.tem()) } else { works.tem() },
            name: works.name().to_string(),
            rule: works.rule().to_string(),
            is_hexside: false,
        };
        let adds = works == TargetWorks::Wreck && self.rulebook.chooses(Switch::WreckIsCumulative);
        match (works, adds) {
            (TargetWorks::None, _) => Some(of_terrain),
            (_, true) => Some(Tem { drm: of_terrain.drm + of_works.drm, ..of_works }),
            _ if of_terrain.drm >= of_works.drm => Some(of_terrain),
            _ => Some(of_works),
        }
    }

    fn tem_of_hexside(&self) -> Option<Tem> {
        let hexside = self.sight.hexside;
        if hexside == CrossedHexside::None {
            return None;
        }
        let (name, rule) = (hexside.name().to_string(), hexside.rule().to_string());
        Some(Tem { drm: self.sight.hexside_tem(), name, rule, is_hexside: true })
    }

    /// Returns whether Height Advantage counts (B10.31): the target is higher, and nothing else
    /// gives it positive TEM.
    fn has_height_advantage(&self, tem: Option<&Tem>) -> bool {
        let counts = match self.firers.special {
            Some(WeaponKind::Flamethrower) => false,
            Some(WeaponKind::DemolitionCharge) => {
                self.circumstances.demolition == DemolitionUse::Thrown
                    || self.rulebook.chooses(Switch::HeightAgainstCharges)
            }
            _ => true,
        };
        let is_covered = tem.is_some_and(|tem| tem.drm > 0);
        counts && self.sight.level < 0 && !self.circumstances.crest && !is_covered
    }

    /// Returns the DRM of Low Visibility and night (E3.1, E1.7).
    fn low_visibility(&self, height: bool) -> i8 {
        let AttackCircumstances { night, terrain, low_visibility, .. } = *self.circumstances;
        let Sight { range, level, .. } = self.sight;
        let rises = terrain.sight != SightEffect::Open
            && i16::from(terrain.height) >= 2 * (i16::from(level) + 1)
            && !self.rulebook.chooses(Switch::NightHindersAlways);
        low_visibility as i8 + i8::from(night && range > 0 && !height && !rises)
    }
}
