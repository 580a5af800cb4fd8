//! The reckoning of an attack: who fires what, FP, column, DRM and Cowering (7.3, 7.5, 7.9).

use super::circumstances::{AttackCircumstances, FirePhase, Sight, TargetState, WallAdvantage};
use super::firepower::{FpLine, FpSetting, Part};
use super::firers::{FireGroup, Firer, FiringLocation, MannedWeapon};
use super::modifiers::{DrmSetting, FirerDrm, Modifier};
use super::weapons::WeaponKind;
use crate::catalogue::{Class, CounterKind};
use crate::nation::Nation;
use crate::rulebook::{Rulebook, Switch};
use crate::stack::Member;
use crate::vocabulary::{Attack, Condition};
use engine::text::Fault;

/// An attack, reckoned to its FP, column and DRM.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackReckoning {
    /// The reckoning for each class of targets (A.5), at least one.
    pub classes: Vec<ReckonedClass>,
    /// The columns that Cowering costs: 0, 1 or 2 (7.9, 19.33).
    pub cowering: u8,
    /// For each unit, true if it fires and Cowering can mark it.
    pub(super) markable: Vec<bool>,
    /// The SW that fire.
    pub weapons: Vec<ReckonedWeapon>,
    /// The number of shots that a MG can have at the target in the phase (9.2).
    pub most_shots: u8,
    /// Whether Residual FP is left (8.2), and by how many columns it is reduced (8.26).
    pub(super) residual: Option<u8>,
    /// True if a Final DR above 15 has no effect (I-70).
    pub(super) ends_at_fifteen: bool,
    /// The units of each Location that check by the DR of a FPF (8.31), each with its place among
    /// all firers; none in other attacks.
    pub(crate) checking: Vec<Vec<(usize, Member)>>,
    /// The leaders who direct.
    pub(crate) directing: Vec<usize>,
    pub notes: Vec<String>,
}

/// The reckoning for a class of targets, which one Final DR is for.
#[derive(Clone, Debug, PartialEq)]
pub struct ReckonedClass {
    pub target: TargetState,
    /// The slots of the units, from 1.
    pub slots: Vec<u8>,
    pub lines: Vec<FpLine>,
    /// FP that no line has: that of a MOL (22.611).
    pub molotov: u8,
    /// The sum of the FP.
    pub fp: f64,
    pub modifiers: Vec<Modifier>,
}

/// A SW of an attack, with the numbers that apply to this shot.
#[derive(Clone, Debug, PartialEq)]
pub struct ReckonedWeapon {
    pub name: String,
    /// The index of the unit that fires it.
    pub(super) firer: usize,
    /// True if Cowering can mark that unit.
    pub(super) is_markable: bool,
    pub rof: u8,
    /// The Original DR at which it malfunctions (9.7); `None` for a FT or DC.
    pub breakdown: Option<u8>,
    /// The Original DR at which it is removed (9.7, 22.1).
    pub x_number: Option<u8>,
    /// True for a DC, which is always used up.
    pub is_spent: bool,
    /// True for an ATR.
    pub(super) is_rifle: bool,
}

impl ReckonedClass {
    /// Returns the sum of the DRM.
    pub fn drm(&self) -> i8 {
        self.modifiers.iter().map(|modifier| modifier.drm).sum()
    }

    /// Returns the FP of each SW, in the order of the reckoning.
    pub(super) fn weapon_fp(&self) -> impl Iterator<Item = f64> {
        self.lines.iter().filter(|line| line.is_weapon).map(|line| line.fp)
    }

    /// Returns the FP of the IFT column; `None` if the FP is below 1, so that there is no attack.
    pub fn column(&self) -> Option<u16> {
        Attack::column_of(self.fp as u16)
    }
}

impl AttackReckoning {
    /// Returns the attack on a class of targets.
    pub fn attack(&self, class: &ReckonedClass) -> Attack {
        let charge = self.weapons.iter().find(|weapon| weapon.is_spent);
        Attack {
            firepower: class.fp as u16,
            drm: class.drm(),
            cowering: self.cowering,
            dud: charge.and_then(|charge| charge.x_number),
            ends_at_fifteen: self.ends_at_fifteen,
        }
    }
}

/// A firer of a group, with the index of its Location.
pub(super) struct Placed<'g> {
    pub firer: &'g Firer,
    pub location: usize,
}

/// The index of a unit that directs, with its rating.
pub(super) type Director = (usize, i8);
/// A state of target units, with their slots.
pub type Target = (TargetState, Vec<u8>);

/// The group and its circumstances, while the attack is reckoned.
pub(super) struct Reckoner<'g> {
    pub group: &'g FireGroup,
    pub sights: &'g [Sight],
    pub circumstances: &'g AttackCircumstances,
    pub rulebook: Rulebook,
    pub placed: Vec<Placed<'g>>,
    /// The firing parts, with the indices of their units.
    pub parts: Vec<(usize, Part<'g>)>,
    /// The longest reach, in hexes, of the parts that stay out because the target is too far away.
    pub too_short: Option<u8>,
    pub notes: Vec<String>,
}

pub(super) fn refused(message: impl Into<String>, help: &str) -> Fault {
    Fault::new(message, 0..0).help(help.to_string())
}

/// Reckons the attack of a group, of which each Location has a sight, on classes of targets.
///
/// # Errors
///
/// Fails if the rules forbid the attack; the message names the rule.
pub fn reckon(
    group: &FireGroup,
    sights: &[Sight],
    circumstances: &AttackCircumstances,
    targets: &[Target],
    rulebook: Rulebook,
) -> Result<AttackReckoning, Fault> {
    let placed =
        group.locations.iter().enumerate().flat_map(|(location, of)| {
            of.firers.iter().map(move |firer| Placed { firer, location })
        });
    let notes = group.notes.clone();
    let mut reckoner = Reckoner {
        group,
        sights,
        circumstances,
        rulebook,
        placed: placed.collect(),
        parts: Vec::new(),
        too_short: None,
        notes,
    };
    reckoner.check_circumstances()?;
    reckoner.find_parts()?;
    reckoner.check_parts()?;
    let directors = reckoner.directors();
    reckoner.check_distance(&directors, targets)?;
    let leadership = reckoner.leadership(&directors);
    let (cowering, markable) = reckoner.cowering(leadership);
    let firers = reckoner.firer_drm(&directors, leadership);
    let mut classes: Vec<ReckonedClass> = targets
        .iter()
        .map(|(target, slots)| reckoner.class(*target, slots.clone(), firers))
        .collect();
    let weapons = reckoner.weapons(&markable);
    if circumstances.molotov {
        classes.iter_mut().for_each(|class| {
            class.molotov = MOLOTOV;
            class.fp += f64::from(MOLOTOV);
        });
    }
    let most_shots = match circumstances.phase.is_in_movement() {
        true => circumstances.mf.clamp(1, MOST_SHOTS),
        false => MOST_SHOTS,
    };
    let reduced = reckoner.residual_steps(&classes);
    // A Snap Shot leaves none (8.15).
    let reduced = if circumstances.snap_shot { u8::MAX } else { reduced };
    Ok(AttackReckoning {
        markable,
        classes,
        cowering,
        weapons,
        most_shots,
        residual: circumstances.phase.is_in_movement().then_some(reduced),
        ends_at_fifteen: rulebook.chooses(Switch::TableEndsAtFifteen),
        checking: reckoner.checking(&directors),
        directing: reckoner.directing(&directors, leadership),
        notes: reckoner.notes,
    })
}

/// The FP of a MOL (22.611).
const MOLOTOV: u8 = 4;
/// The largest number of shots at one target in an answer.
pub const MOST_SHOTS: u8 = 3;

impl<'g> Reckoner<'g> {
    pub(super) fn sight(&self, firer: usize) -> Sight {
        self.sights[self.placed[firer].location]
    }

    /// Finds all inherent FP and SW that fire. What does not reach the target stays out (I-73).
    fn find_parts(&mut self) -> Result<(), Fault> {
        for (number, Placed { firer, location }) in self.placed.iter().enumerate() {
            let range = self.sights[*location].range;
            let inherent = (firer.inherent() > 0).then_some(Part::Inherent);
            let weapons = firer.weapons.iter().map(Part::Weapon);
            for part in inherent.into_iter().chain(weapons) {
                if part.reaches(firer, range) {
                    self.parts.push((number, part));
                    continue;
                }
                let name = match part {
                    Part::Inherent => firer.member.printed().printed().to_string(),
                    Part::Weapon(manned) => manned.weapon.name.to_uppercase(),
                };
                let message = format!("the {name} does not reach {range} hexes (A7.22)");
                if self.rulebook.chooses(Switch::FarMemberRefused) {
                    return Err(refused(message, "leave it out"));
                }
                self.too_short = self.too_short.max(Some(part.reach(firer)));
                self.notes.push(format!("{message} and stays out (I-73)"));
            }
        }
        Ok(())
    }

    /// Returns whether a second SMC helps a unit at its SW (9.12).
    pub(super) fn has_help(&self, firer: &Firer) -> bool {
        let with = |location: &&FiringLocation| {
            location.firers.iter().any(|other| std::ptr::eq(other, firer))
        };
        let of = self.group.locations.iter().find(with);
        of.is_some_and(|location| location.firers.iter().any(|other| other.assists))
    }

    pub(super) fn fires(&self, number: usize) -> bool {
        self.parts.iter().any(|(of, _)| *of == number)
    }

    /// Returns the leaders who direct the firers of their Locations (7.53).
    fn directing(&self, directors: &[Option<Director>], leadership: Option<i8>) -> Vec<usize> {
        let all = (0..directors.len()).filter(|&location| self.fires_from(location));
        let all = all.filter_map(|location| directors[location]);
        all.map(|(leader, _)| leader).filter(|_| leadership.is_some()).collect()
    }

    /// Returns the units of each Location that check by the DR of a FPF (8.31): all that fire, and
    /// the leaders who direct them.
    fn checking(&self, directors: &[Option<Director>]) -> Vec<Vec<(usize, Member)>> {
        let is_fpf = self.circumstances.phase == FirePhase::Fpf;
        let checks = |number: &usize| {
            let Placed { location, .. } = self.placed[*number];
            let directs = directors[location].is_some_and(|(leader, _)| leader == *number);
            self.fires(*number) || directs && self.fires_from(location)
        };
        let in_location = |location| {
            let here = (0..self.placed.len()).filter(|&n| self.placed[n].location == location);
            let member = |number: usize| (number, self.placed[number].firer.member.clone());
            here.filter(checks).map(member).collect()
        };
        (0..self.sights.len()).filter(|_| is_fpf).map(in_location).collect()
    }

    pub(super) fn fires_from(&self, location: usize) -> bool {
        self.parts.iter().any(|(number, _)| self.placed[*number].location == location)
    }

    /// Returns the kind of the FT or DC that takes part, if there is one.
    pub(super) fn special(&self) -> Option<WeaponKind> {
        self.parts.iter().find_map(|(_, part)| part.special())
    }

    /// Returns the sights with the worst values of all Locations (7.52): a DRM that hurts one hurts
    /// all.
    fn worst_sights(&self) -> impl Iterator<Item = Sight> {
        let firing = (0..self.sights.len()).filter(|&location| self.fires_from(location));
        let sights: Vec<Sight> = firing.map(|location| self.sights[location]).collect();
        let most = |value: fn(&Sight) -> u8| sights.iter().map(value).max().unwrap_or_default();
        let hindrance = most(|sight| sight.hindrance);
        let (smoke_los, smoke_out) = (most(|sight| sight.smoke_los), most(|sight| sight.smoke_out));
        sights.into_iter().map(move |sight| Sight { hindrance, smoke_los, smoke_out, ..sight })
    }

    fn class(&self, target: TargetState, slots: Vec<u8>, firers: FirerDrm) -> ReckonedClass {
        let (circumstances, rulebook) = (self.circumstances, self.rulebook);
        let line = |&(number, part): &(usize, Part)| {
            let (firer, sight) = (self.placed[number].firer, self.sight(number));
            let has_help = self.has_help(firer);
            let setting = FpSetting { circumstances, sight, target, rulebook, has_help };
            setting.line(number, firer, part)
        };
        let lines: Vec<FpLine> = self.parts.iter().map(line).collect();
        let modifiers = self
            .worst_sights()
            .map(|sight| DrmSetting { circumstances, sight, target, rulebook, firers }.modifiers());
        let sum = |all: &Vec<Modifier>| all.iter().map(|one| i16::from(one.drm)).sum::<i16>();
        // The first of equals.
        let modifiers =
            modifiers.reduce(|best, other| if sum(&other) > sum(&best) { other } else { best });
        ReckonedClass {
            target,
            slots,
            fp: lines.iter().map(|line| line.fp).sum(),
            lines,
            molotov: 0,
            modifiers: modifiers.unwrap_or_default(),
        }
    }

    /// Returns the columns by which Residual FP is reduced (8.26): all positive DRM from outside
    /// the target hex. A hexside counts if its TEM could have been claimed (B9.31): not in a
    /// pillbox (B30.3), nor against a FT (22.2).
    fn residual_steps(&self, classes: &[ReckonedClass]) -> u8 {
        let Some(class) = classes.first() else { return 0 };
        let hexsides: Vec<&str> = self.sights.iter().map(|sight| sight.hexside.name()).collect();
        let outside = class.modifiers.iter().filter(|modifier| {
            modifier.is_outside && modifier.drm > 0 && !hexsides.contains(&modifier.name.as_str())
        });
        let steps: i8 = outside.map(|modifier| modifier.drm).sum();
        let AttackCircumstances { wall_advantage, pillbox, .. } = *self.circumstances;
        let is_claimable = wall_advantage != WallAdvantage::Firer
            && pillbox.is_none()
            && self.special() != Some(WeaponKind::Flamethrower);
        let hexsides = self.worst_sights().map(|sight| sight.hexside_tem());
        let claimed = hexsides.filter(|_| is_claimable).max().unwrap_or_default();
        (steps + claimed) as u8
    }

    fn weapons(&self, markable: &[bool]) -> Vec<ReckonedWeapon> {
        let weapon = |&(number, part): &(usize, Part)| {
            let Part::Weapon(manned) = part else { return None };
            Some(ReckonedWeapon { is_markable: markable[number], ..self.weapon(number, manned) })
        };
        self.parts.iter().filter_map(weapon).collect()
    }

    /// Returns a SW with its ROF, B# and X# in this attack (9.1, 9.3, 22.3, 23.2, A.11).
    fn weapon(&self, number: usize, manned: &MannedWeapon) -> ReckonedWeapon {
        let firer = self.placed[number].firer;
        let MannedWeapon { weapon, captured, .. } = manned;
        let phase = self.circumstances.phase;
        let is_captured = *captured
            || firer.member.nationality() == Nation::Partisan
                && self.rulebook.chooses(Switch::PartisanWeaponsCaptured);
        let is_sustained = Part::Weapon(manned).is_marked(firer, phase) && weapon.is_mg();
        let is_one = firer.kind().is_smc() && !self.has_help(firer);
        let inexperienced = u8::from(self.is_inexperienced(number));
        let has_rof = weapon.is_mg()
            && phase != FirePhase::Advancing
            && !firer.is(Condition::Pinned)
            && !is_sustained
            && !(is_one && self.rulebook.chooses(Switch::OneManHasNoRof));
        let own = ReckonedWeapon {
            name: weapon.name.clone(),
            firer: number,
            is_markable: false,
            rof: if has_rof { weapon.rof.saturating_sub(u8::from(is_captured)) } else { 0 },
            breakdown: None,
            x_number: None,
            is_spent: weapon.kind == WeaponKind::DemolitionCharge,
            is_rifle: weapon.kind == WeaponKind::AntiTankRifle,
        };
        let lowered = 2 * u8::from(is_captured) + u8::from(firer.ammo_shortage);
        if Part::Weapon(manned).special().is_none() {
            let lowered = lowered + 2 * u8::from(is_sustained) + inexperienced;
            return ReckonedWeapon {
                breakdown: Some(weapon.breakdown - lowered),
                x_number: (lowered > 0).then_some(weapon.breakdown).or(weapon.x_number),
                ..own
            };
        }
        let is_lay = !is_elite(firer);
        let inexperienced =
            if self.rulebook.chooses(Switch::InexperiencedSpareX) { 0 } else { inexperienced };
        // Captured use counts twice in non-elite hands (21.12).
        let captured = 2 * u8::from(is_captured && is_lay);
        let lowered = lowered + captured + 2 * u8::from(is_lay) + inexperienced;
        ReckonedWeapon { x_number: weapon.x_number.map(|x| x - lowered), ..own }
    }
}

/// Returns whether a unit is elite (1.11, 1.123, 25.74): of class E, an SMC but of Partisans, an
/// Infantry crew, or a Finn of the 1st Line.
fn is_elite(firer: &Firer) -> bool {
    let nation = firer.member.nationality();
    match firer.kind() {
        CounterKind::Leader | CounterKind::Commissar | CounterKind::Hero => {
            nation != Nation::Partisan
        }
        CounterKind::Crew => true,
        CounterKind::Squad | CounterKind::HalfSquad => {
            let class = firer.member.printed().class;
            class == Class::Elite || nation == Nation::Finnish && class == Class::First
        }
    }
}
