//! The FP of each unit and SW of an attack, factor by factor (7.2).

use super::circumstances::{AttackCircumstances, FirePhase, Movement, Sight, TargetState};
use super::firers::{Firer, MannedWeapon};
use super::weapons::WeaponKind;
use crate::catalogue::CounterKind;
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::Condition;

/// A cause that changes the FP of one unit or SW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FpFactor {
    pub name: &'static str,
    pub rule: &'static str,
    pub effect: FpEffect,
}

/// What a cause does to FP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FpEffect {
    /// It multiplies the FP.
    Times(u8),
    /// It halves the FP.
    Half,
    /// Assault Fire: it adds 1, and the sum is rounded up to this (7.36).
    UpTo(u8),
}

/// The FP of one unit or SW.
#[derive(Clone, Debug, PartialEq)]
pub struct FpLine {
    /// The counter or the SW: `4-6-7`, `hmg`.
    pub name: String,
    /// The index of the unit in the attack that fires.
    pub firer: usize,
    /// True for a SW, false for inherent FP.
    pub is_weapon: bool,
    pub printed: u8,
    /// The range from its Location, in hexes.
    pub range: u8,
    pub factors: Vec<FpFactor>,
    /// The FP, a multiple of a negative power of two, which a double holds exactly.
    pub fp: f64,
}

/// A part of an attack: inherent FP, or a SW.
#[derive(Clone, Copy)]
pub(super) enum Part<'f> {
    Inherent,
    Weapon(&'f MannedWeapon),
}

impl Part<'_> {
    /// Returns the Normal Range and whether Long Range is possible (7.22).
    pub fn ranges(self, firer: &Firer) -> (u8, bool) {
        match self {
            Part::Inherent => (firer.normal_range(), true),
            Part::Weapon(MannedWeapon { weapon, .. }) => {
                let doubles =
                    matches!(weapon.kind, WeaponKind::MachineGun | WeaponKind::Flamethrower);
                (weapon.normal_range(), doubles)
            }
        }
    }

    /// Returns the longest range, in hexes, at which the part can attack.
    pub fn reach(self, firer: &Firer) -> u8 {
        let (normal, doubles) = self.ranges(firer);
        if doubles { normal.saturating_mul(2) } else { normal }
    }

    /// Returns whether the part reaches a target at a range.
    pub fn reaches(self, firer: &Firer, range: u8) -> bool {
        range <= self.reach(firer)
    }

    fn kind(self) -> Option<WeaponKind> {
        match self {
            Part::Inherent => None,
            Part::Weapon(manned) => Some(manned.weapon.kind),
        }
    }

    /// Returns the kind of a FT or DC, which attacks alone (22.31, 23.1).
    pub fn special(self) -> Option<WeaponKind> {
        self.kind()
            .filter(|kind| matches!(kind, WeaponKind::Flamethrower | WeaponKind::DemolitionCharge))
    }

    /// Returns whether the part is marked in this phase and so fires halved (8.3, 8.4).
    pub fn is_marked(self, firer: &Firer, phase: FirePhase) -> bool {
        let marked = match self {
            Part::Inherent => firer.marked,
            Part::Weapon(manned) => manned.marked,
        };
        marked || phase.is_by_marked()
    }
}

impl Firer {
    /// Returns the Normal Range of the inherent FP; 0 without any (15.2).
    pub(super) fn normal_range(&self) -> u8 {
        let hero = if self.is(Condition::Wounded) { 3 } else { 4 };
        match self.member.printed().range {
            Some(range) => range,
            None if self.is(Condition::Heroic) => hero,
            None => 0,
        }
    }

    /// Returns the inherent FP that the unit uses in the attack; 0 for none (7.35, 15.2).
    pub(super) fn inherent(&self) -> u8 {
        if self.loses_inherent(self.weapons.len()) { 0 } else { self.held_inherent() }
    }

    /// Returns whether the use of so many SW costs the inherent FP (7.351, 7.352, 15.23).
    pub(crate) fn loses_inherent(&self, weapons: usize) -> bool {
        match self.kind() {
            CounterKind::Squad => weapons > 1,
            _ => weapons > 0,
        }
    }

    /// Returns the inherent FP of the unit if it fires no SW; 0 if it is not to be used.
    pub(crate) fn held_inherent(&self) -> u8 {
        let printed = match self.kind() {
            CounterKind::Leader | CounterKind::Commissar => u8::from(self.is(Condition::Heroic)),
            _ => self.member.printed().firepower.unwrap_or_default(),
        };
        if self.sw_only || self.assists { 0 } else { printed }
    }

    /// Returns whether the unit mans a MG as one SMC that is no hero, so that it is halved (9.12).
    fn is_one_smc(&self, has_help: bool) -> bool {
        self.kind().is_smc() && !self.is_hero() && !has_help
    }
}

/// What the FP of a part depends on, beside the firer.
pub(super) struct FpSetting<'c> {
    pub circumstances: &'c AttackCircumstances,
    pub sight: Sight,
    pub target: TargetState,
    pub rulebook: Rulebook,
    /// True if a second SMC helps at the SW (9.12).
    pub has_help: bool,
}

impl FpSetting<'_> {
    /// Returns the FP of a part with its factors (7.2). Fractions are kept.
    pub fn line(&self, number: usize, firer: &Firer, part: Part) -> FpLine {
        let (name, printed) = match part {
            Part::Inherent => (firer.member.printed().printed().to_string(), firer.inherent()),
            Part::Weapon(manned) => (manned.weapon.name.clone(), manned.weapon.firepower),
        };
        let factors = self.factors(firer, part);
        let mut fp = f64::from(printed);
        for factor in &factors {
            fp = match factor.effect {
                FpEffect::Times(times) => fp * f64::from(times),
                FpEffect::Half => fp / 2.0,
                FpEffect::UpTo(_) => (fp + 1.0).ceil(),
            };
        }
        let is_weapon = matches!(part, Part::Weapon(_));
        let last = |factor: FpFactor| match factor.effect {
            FpEffect::UpTo(_) => FpFactor { effect: FpEffect::UpTo(fp as u8), ..factor },
            _ => factor,
        };
        let factors = factors.into_iter().map(last).collect();
        let range = self.sight.range;
        FpLine { name, firer: number, is_weapon, printed, range, factors, fp }
    }

    /// Returns whether a target in the next hex, or on another level of the same, is in PBF (7.21).
    fn is_point_blank(&self, level: i8) -> bool {
        let is_adjacent = self.rulebook.chooses(Switch::AdjacentForPointBlank);
        let highest = if is_adjacent { 1 } else { i8::MAX };
        self.rulebook.chooses(Switch::PointBlankAtAnyLevel) || (-1..=highest).contains(&level)
    }

    fn factors(&self, firer: &Firer, part: Part) -> Vec<FpFactor> {
        let AttackCircumstances { phase, movement, spraying, snap_shot, area, pillbox, .. } =
            *self.circumstances;
        let (Sight { range, level, .. }, kind) = (self.sight, part.kind());
        let is_small = kind.is_none();
        let is_mg = kind == Some(WeaponKind::MachineGun);
        let is_ft = kind == Some(WeaponKind::Flamethrower);
        // Small Arms, MG and ATR.
        let is_bullet = is_small || is_mg || kind == Some(WeaponKind::AntiTankRifle);
        let (normal, _) = part.ranges(firer);
        let is_long = range > normal;
        let mut factors = Vec::new();
        let mut add = |holds: bool, name, rule, effect| {
            if holds {
                factors.push(FpFactor { name, rule, effect });
            }
        };
        if is_bullet {
            match range {
                0 if level == 0 || self.rulebook.chooses(Switch::TripleWithinHex) => {
                    add(true, "TPBF", "A7.21", FpEffect::Times(3));
                }
                0 | 1 => add(self.is_point_blank(level), "PBF", "A7.21", FpEffect::Times(2)),
                _ => {}
            }
        }
        add(is_long, "Long Range", "A7.22", FpEffect::Half);
        let is_far = is_ft && level.abs() == 2;
        add(is_far, "two levels", "A22.1", FpEffect::Half);
        let is_concealed = self.target.concealed && pillbox.is_none();
        add(is_concealed, "concealed target", "A12.13", FpEffect::Half);
        add(is_bullet && firer.is(Condition::Pinned), "pinned", "A7.8", FpEffect::Half);
        let is_marked = part.is_marked(firer, phase) && (is_small || is_mg);
        let (name, rule) = match phase {
            FirePhase::Fpf => ("FPF", "A8.31"),
            FirePhase::FinalAgain => ("Final Fire", "A8.4"),
            _ => ("Subsequent First Fire", "A8.3"),
        };
        add(is_marked, name, rule, FpEffect::Half);
        add(spraying && (is_small || is_mg), "Spraying Fire", "A7.34", FpEffect::Half);
        add(snap_shot && (is_small || is_mg), "Snap Shot", "A8.15", FpEffect::Half);
        add(movement == Movement::Dash, "Dash", "A4.63", FpEffect::Half);
        add(is_mg && firer.is_one_smc(self.has_help), "one SMC", "A9.12", FpEffect::Half);
        let is_clear = !self.target.concealed && !self.target.broken && !self.target.berserk;
        let is_distant = is_mg && range > FARTHEST_ALONE && is_clear;
        let is_distant = is_distant && self.circumstances.overstacked_target == 0;
        add(is_distant, "over 16 hexes", "A9.4", FpEffect::Half);
        add(is_bullet && phase == FirePhase::Advancing, "AFPh", "A7.24", FpEffect::Half);
        for _ in 0..area {
            add(is_small || is_mg, "Area Fire", "A7.23", FpEffect::Half);
        }
        let assaults = is_small && firer.assault_fire && phase == FirePhase::Advancing;
        add(assaults && !is_long, "Assault Fire", "A7.36", FpEffect::UpTo(0));
        factors
    }
}

/// The farthest range at which a MG fires without a leader who directs (9.4).
pub(super) const FARTHEST_ALONE: u8 = 16;
