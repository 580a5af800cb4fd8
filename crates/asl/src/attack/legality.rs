//! The rules that forbid an attack, or a unit or SW to take part in it.

use super::circumstances::{AttackCircumstances, DemolitionUse, FirePhase};
use super::firepower::{FARTHEST_ALONE, Part};
use super::firers::{Firer, MannedWeapon};
use super::reckoning::{Director, Reckoner, Target, refused};
use super::weapons::WeaponKind;
use crate::rulebook::Switch;
use crate::vocabulary::Condition;
use engine::text::Fault;

/// The DRM of Hindrance, SMOKE and Low Visibility that blocks the LOS (B.10).
const BLOCKED: u8 = 6;
/// The farthest range of Spraying Fire by a squad (7.34).
const SPRAYED: u8 = 3;

impl Reckoner<'_> {
    pub(super) fn check_circumstances(&self) -> Result<(), Fault> {
        let AttackCircumstances { smoke, low_visibility, night, phase, .. } = *self.circumstances;
        for sight in self.sights {
            let out = if sight.smoke_out > 0 { sight.smoke_out + 1 } else { 0 };
            let between = sight.hindrance + sight.smoke_los + out;
            if between + smoke + low_visibility + u8::from(night) >= BLOCKED {
                return Err(refused(
                    "Hindrance, SMOKE and Low Visibility of +6 or more block the LOS (B.10)",
                    "with less than +6 there is an attack",
                ));
            }
            let is_near = sight.range <= 1;
            let is_inside = phase == FirePhase::Fpf && sight.range == 0;
            if is_inside && self.rulebook.chooses(Switch::PlainFireOnly) {
                return Err(refused(
                    "in the Starter Kit FPF is at the next hex only: nobody enters an enemy's hex",
                    "use a range of 1",
                ));
            }
            if matches!(phase, FirePhase::Fpf | FirePhase::FinalAgain) && !is_near {
                let (what, rule) = match phase {
                    FirePhase::Fpf => ("FPF", "A8.31"),
                    _ => ("Final Fire by marked units", "A8.4"),
                };
                return Err(refused(
                    format!("{what} is at ADJACENT targets or in the same hex only ({rule})"),
                    "use a range of 1 or 0",
                ));
            }
        }
        Ok(())
    }

    pub(super) fn check_parts(&mut self) -> Result<(), Fault> {
        let AttackCircumstances { phase, molotov, .. } = *self.circumstances;
        if self.parts.is_empty() {
            let with_fp = "give a unit with FP, or a SW";
            return Err(match self.too_short {
                Some(reach) => refused(
                    "nobody reaches the target",
                    &format!("use a range of {reach} or less, or {with_fp} of longer range"),
                ),
                None => refused("nobody fires: leaders have no FP of their own", with_fp),
            });
        }
        for &(number, part) in &self.parts {
            self.check_part(self.placed[number].firer, part, self.sight(number).range)?;
        }
        if molotov && self.sights.iter().any(|sight| sight.range > 1) {
            return Err(refused(
                "a MOL reaches the next hex only (A22.6)",
                "use a range of 1 or 0",
            ));
        }
        self.check_group()?;
        self.check_special()?;
        let is_heavy = |part: &Part| {
            let Part::Weapon(MannedWeapon { weapon, .. }) = part else { return false };
            weapon.is_mg() && !weapon.name.starts_with("lmg") && !weapon.name.starts_with("dm")
        };
        if phase == FirePhase::Advancing && self.parts.iter().any(|(_, part)| is_heavy(part)) {
            self.notes.push("a MMG or HMG that has moved does not fire in the AFPh (A4.41)".into());
        }
        Ok(())
    }

    /// Checks that the firers may form a Fire Group if they are in several Locations.
    fn check_group(&self) -> Result<(), Fault> {
        let locations = (0..self.sights.len()).filter(|&location| self.fires_from(location));
        if locations.count() < 2 {
            return Ok(());
        }
        let mut firers = self.parts.iter().map(|(number, _)| self.placed[*number].firer);
        let reason = match firers.any(|firer| firer.is(Condition::Berserk)) {
            _ if self.circumstances.night => {
                "at night units of several Locations form no Fire Group (E1.75)"
            }
            true => "a berserk unit forms no Fire Group with other Locations (A7.54)",
            false => return Ok(()),
        };
        Err(refused(reason, "they may fire apart: one attack for each Location"))
    }

    fn check_part(&self, firer: &Firer, part: Part, range: u8) -> Result<(), Fault> {
        let AttackCircumstances { phase, spraying, .. } = *self.circumstances;
        if firer.is(Condition::Berserk) && phase == FirePhase::Prep {
            return Err(refused(
                "berserk units do not fire in the PFPh (A15.432)",
                "name another `phase`",
            ));
        }
        let (normal, _) = part.ranges(firer);
        if phase == FirePhase::Subsequent && range > normal {
            return Err(refused(
                "Subsequent First Fire is possible only within Normal Range (A8.3)",
                "use a shorter range, or leave out what does not reach so far",
            ));
        }
        let sprays = match part {
            Part::Inherent => firer.member.printed().spraying_fire && range <= SPRAYED,
            Part::Weapon(manned) => manned.weapon.is_mg(),
        };
        if spraying && !sprays {
            return Err(refused(
                "Spraying Fire takes MG, and squads of underscored range up to 3 hexes (A7.34)",
                "leave out the others, or let the MG fire alone by `sw-only`",
            ));
        }
        self.check_weapon(firer, part, range)
    }

    /// Checks that a FT or DC attacks alone, and a DC in its phase (22.31, 23.1).
    fn check_special(&self) -> Result<(), Fault> {
        let AttackCircumstances { phase, demolition, .. } = *self.circumstances;
        let Some(kind) = self.special() else { return Ok(()) };
        let is_charge = kind == WeaponKind::DemolitionCharge;
        if self.parts.len() > 1 {
            let what = if is_charge {
                "a DC attacks alone (A23.1)"
            } else {
                "a FT attacks alone (A22.31)"
            };
            return Err(refused(
                what,
                "the others may fire apart: two attacks; `sw-only` holds a squad's own FP",
            ));
        }
        let is_placed = is_charge && demolition == DemolitionUse::Placed;
        if is_placed && phase != FirePhase::Advancing {
            return Err(refused(
                "a DC that is placed attacks in the AFPh (A23.1)",
                "the phase is `advancing`; `dc` may be thrown",
            ));
        }
        Ok(())
    }

    fn check_weapon(&self, firer: &Firer, part: Part, range: u8) -> Result<(), Fault> {
        let Part::Weapon(manned) = part else { return Ok(()) };
        let name = manned.weapon.name.to_uppercase();
        if part.special().is_some() && firer.is(Condition::Pinned) {
            let message = format!("a pinned unit does not use a {name} (A7.8)");
            return Err(refused(message, "leave out `pinned`"));
        }
        if manned.weapon.kind == WeaponKind::DemolitionCharge && range > 1 {
            return Err(refused("a DC reaches the next hex only (A23)", "use a range of 1 or 0"));
        }
        let is_sustained = part.is_marked(firer, self.circumstances.phase) && manned.weapon.is_mg();
        if is_sustained && firer.kind().is_smc() && !self.has_help(firer) {
            return Err(refused(
                "a lone SMC does not use Sustained Fire (A9.3)",
                "give the MG to a squad, half-squad or crew",
            ));
        }
        Ok(())
    }

    pub(super) fn check_distance(
        &self,
        directors: &[Option<Director>],
        targets: &[Target],
    ) -> Result<(), Fault> {
        let is_clear = targets.iter().any(|(target, _)| !target.concealed);
        for (number, part) in &self.parts {
            let Part::Weapon(manned) = part else { continue };
            let location = self.placed[*number].location;
            let is_far = self.sights[location].range > FARTHEST_ALONE;
            if manned.weapon.is_mg() && is_far && is_clear && directors[location].is_none() {
                return Err(refused(
                    "beyond 16 hexes a MG needs a leader who directs (A9.4)",
                    "put a leader into its Location",
                ));
            }
        }
        Ok(())
    }
}
