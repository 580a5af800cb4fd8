//! The reckoning of an attack: who fires what, FP, column, DRM and Cowering (7.3, 7.5, 7.9).

use super::circumstances::{
    AttackCircumstances, DemolitionUse, Direction, FirePhase, Sight, TargetState, WallAdvantage,
};
use super::firepower::{FARTHEST_ALONE, FpLine, FpSetting, Part};
use super::firers::{FireGroup, Firer, FiringLocation, MannedWeapon};
use super::modifiers::{DrmSetting, FirerDrm, Modifier};
use super::weapons::WeaponKind;
use crate::catalogue::{Class, CounterKind};
use crate::nation::Nation;
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{Attack, Condition};
use engine::text::Fault;

/// An attack, reckoned to its FP, column and DRM.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackReckoning {
    /// The reckoning for each class of targets (A.5), at least one.
    pub classes: Vec<ReckonedClass>,
    /// The columns that Cowering costs: 0, 1 or 2 (7.9, 19.33).
    pub cowering: u8,
    /// The number of firing units that Cowering can mark.
    pub(super) markable: usize,
    /// The SW that fire.
    pub weapons: Vec<ReckonedWeapon>,
    /// The number of shots that a MG can have at the target in the phase (9.2).
    pub most_shots: u8,
    /// Whether Residual FP is left (8.2), and by how many columns it is reduced (8.26).
    pub(super) residual: Option<u8>,
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
    /// The FP against each class of targets.
    pub(super) fp: Vec<f64>,
}

impl ReckonedClass {
    /// Returns the sum of the DRM.
    pub fn drm(&self) -> i8 {
        self.modifiers.iter().map(|modifier| modifier.drm).sum()
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
        }
    }
}

/// A firer of a group, with where it is.
struct Placed<'g> {
    firer: &'g Firer,
    location: usize,
}

/// The group and its circumstances, while the attack is reckoned.
struct Reckoner<'g> {
    group: &'g FireGroup,
    sights: &'g [Sight],
    circumstances: &'g AttackCircumstances,
    rulebook: Rulebook,
    placed: Vec<Placed<'g>>,
    /// The firing parts, with the indices of their units.
    parts: Vec<(usize, Part<'g>)>,
    notes: Vec<String>,
}

fn refused(message: impl Into<String>, help: &str) -> Fault {
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
    targets: &[(TargetState, Vec<u8>)],
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
    let weapons = reckoner.weapons(&classes, &markable);
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
        markable: markable.iter().filter(|is| **is).count(),
        classes,
        cowering,
        weapons,
        most_shots,
        residual: circumstances.phase.is_in_movement().then_some(reduced),
        notes: reckoner.notes,
    })
}

/// The FP of a MOL (22.611).
const MOLOTOV: u8 = 4;
/// The largest number of shots at one target that is told.
pub const MOST_SHOTS: u8 = 3;
/// The DRM of Hindrance, SMOKE and Low Visibility that blocks the LOS (B.10).
const BLOCKED: u8 = 6;

impl<'g> Reckoner<'g> {
    fn sight(&self, firer: usize) -> Sight {
        self.sights[self.placed[firer].location]
    }

    fn check_circumstances(&self) -> Result<(), Fault> {
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
                self.notes.push(format!("{message} and stays out (I-73)"));
            }
        }
        Ok(())
    }

    fn check_parts(&mut self) -> Result<(), Fault> {
        let AttackCircumstances { phase, spraying, demolition, molotov, .. } = *self.circumstances;
        if self.parts.is_empty() {
            let far = self.notes.iter().find(|note| note.contains("does not reach"));
            let message = match far {
                Some(_) => "nobody reaches the target",
                None => "nobody fires: leaders have no FP of their own",
            };
            return Err(refused(message, "give a unit with FP, or a SW"));
        }
        for &(number, part) in &self.parts {
            let firer = self.placed[number].firer;
            let range = self.sight(number).range;
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
                Part::Inherent => firer.member.printed().spraying_fire && range <= 3,
                Part::Weapon(manned) => manned.weapon.is_mg(),
            };
            if spraying && !sprays {
                return Err(refused(
                    "Spraying Fire takes MG, and squads of underscored range up to 3 hexes (A7.34)",
                    "leave out the others, or let the MG fire alone by `sw-only`",
                ));
            }
            self.check_weapon(firer, part, range)?;
        }
        if molotov && self.sights.iter().any(|sight| sight.range > 1) {
            return Err(refused(
                "a MOL reaches the next hex only (A22.6)",
                "use a range of 1 or 0",
            ));
        }
        let is_special = |part: &Part| matches!(part, Part::Weapon(manned) if is_special(manned));
        if let Some((_, Part::Weapon(manned))) =
            self.parts.iter().find(|(_, part)| is_special(part))
        {
            let (name, rule) = (manned.weapon.name.to_uppercase(), special_rule(manned));
            if self.parts.len() > 1 {
                return Err(refused(
                    format!("a {name} attacks alone ({rule})"),
                    "the others may fire apart: two attacks; `sw-only` holds a squad's own FP",
                ));
            }
            let is_charge = manned.weapon.kind == WeaponKind::DemolitionCharge;
            let is_placed = is_charge && demolition == DemolitionUse::Placed;
            if is_placed && phase != FirePhase::Advancing {
                return Err(refused(
                    "a DC that is placed attacks in the AFPh (A23.1)",
                    "the phase is `advancing`; `dc` may be thrown",
                ));
            }
        }
        let is_heavy = |part: &Part| {
            let Part::Weapon(MannedWeapon { weapon, .. }) = part else { return false };
            weapon.is_mg() && !weapon.name.starts_with("lmg") && !weapon.name.starts_with("dm")
        };
        if phase == FirePhase::Advancing && self.parts.iter().any(|(_, part)| is_heavy(part)) {
            self.notes.push("a MMG or HMG that has moved does not fire in the AFPh (A4.41)".into());
        }
        Ok(())
    }

    fn check_weapon(&self, firer: &Firer, part: Part, range: u8) -> Result<(), Fault> {
        let Part::Weapon(manned) = part else { return Ok(()) };
        let name = manned.weapon.name.to_uppercase();
        if is_special(manned) && firer.is(Condition::Pinned) {
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

    /// Returns whether a second SMC helps a unit at its SW (9.12).
    fn has_help(&self, firer: &Firer) -> bool {
        let with = |location: &&FiringLocation| {
            location.firers.iter().any(|other| std::ptr::eq(other, firer))
        };
        let of = self.group.locations.iter().find(with);
        of.is_some_and(|location| location.firers.iter().any(|other| other.assists))
    }

    fn fires(&self, number: usize) -> bool {
        self.parts.iter().any(|(of, _)| *of == number)
    }

    /// Returns who directs in each Location with his rating (7.53, 7.531, 10.72).
    fn directors(&self) -> Vec<Option<(usize, i8)>> {
        (0..self.group.locations.len()).map(|location| self.director(location)).collect()
    }

    fn director(&self, location: usize) -> Option<(usize, i8)> {
        let AttackCircumstances { direction, .. } = *self.circumstances;
        if direction == Direction::None {
            return None;
        }
        let here = || (0..self.placed.len()).filter(|&n| self.placed[n].location == location);
        let is_far = self.sights[location].range > FARTHEST_ALONE;
        let rating = |number: usize| {
            let firer = self.placed[number].firer;
            let unfit = [Condition::Pinned, Condition::Berserk, Condition::Broken];
            let is_free = firer.weapons.is_empty() && !firer.assists && !firer.no_direct;
            let leads = firer.kind().is_leader() && !unfit.into_iter().any(|not| firer.is(not));
            let nation = firer.member.nationality();
            let directed: Vec<Nation> = here()
                .filter(|&other| other != number && self.fires(other))
                .map(|other| self.placed[other].firer.member.nationality())
                .collect();
            let is_partisan = |nation: Nation| nation == Nation::Partisan;
            let may = directed.iter().all(|&of| is_partisan(of) == is_partisan(nation));
            if !leads || !is_free || directed.is_empty() || !may {
                return None;
            }
            let is_foreign = directed.iter().any(|&of| of.is_foreign_to(nation));
            let rating = firer.member.printed().leadership
                + i8::from(firer.is(Condition::Wounded))
                + i8::from(is_foreign);
            let limit = match () {
                _ if direction == Direction::Force || is_far => i8::MAX,
                _ if self.rulebook.chooses(Switch::EveryLeaderDirects) => i8::MAX,
                _ if self.rulebook.chooses(Switch::OnlyNegativeLeadersDirect) => -1,
                _ => 0,
            };
            (rating <= limit).then_some((number, rating))
        };
        here().filter_map(rating).min_by_key(|(_, rating)| *rating)
    }

    /// Returns the leadership DRM: the lowest quality of all Locations that fire (7.531). There is
    /// none if one lacks a director, or if a berserk unit, FT or DC fires.
    fn leadership(&self, directors: &[Option<(usize, i8)>]) -> Option<i8> {
        let is_barred = self.parts.iter().any(|(number, part)| {
            let is_special = matches!(part, Part::Weapon(manned) if is_special(manned));
            is_special || self.placed[*number].firer.is(Condition::Berserk)
        });
        if is_barred {
            return None;
        }
        let mut lowest = None;
        for (location, director) in directors.iter().enumerate() {
            let fires =
                self.parts.iter().any(|(number, _)| self.placed[*number].location == location);
            if fires {
                let (_, rating) = (*director)?;
                lowest = lowest.max(Some(rating));
            }
        }
        lowest
    }

    fn check_distance(
        &self,
        directors: &[Option<(usize, i8)>],
        targets: &[(TargetState, Vec<u8>)],
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

    fn can_cower(&self, firer: &Firer) -> bool {
        let class = firer.member.printed().class;
        let nation = firer.member.nationality();
        let is_kit = self.rulebook.chooses(Switch::PlainUnitsOnly);
        let knows_exemptions = !is_kit || self.rulebook.chooses(Switch::ExemptInKit);
        let is_exempt = match nation {
            Nation::British => matches!(class, Class::Elite | Class::First),
            Nation::Finnish => class != Class::Conscript,
            _ => false,
        };
        let never = firer.is(Condition::Berserk) || firer.is(Condition::Fanatic);
        !(firer.kind().is_smc() || never || is_exempt && knows_exemptions)
    }

    /// Returns whether a unit is Inexperienced (19.2, 19.3): a Conscript, or Green without an
    /// unbroken leader in its Location.
    fn is_inexperienced(&self, number: usize) -> bool {
        let Placed { firer, location } = &self.placed[number];
        let leads = |other: &Firer| other.kind().is_leader() && !other.is(Condition::Broken);
        let is_mmc = matches!(firer.kind(), CounterKind::Squad | CounterKind::HalfSquad);
        is_mmc
            && match firer.member.printed().class {
                Class::Conscript => true,
                Class::Green => !self.group.locations[*location].firers.iter().any(leads),
                _ => false,
            }
    }

    /// Returns the columns that Cowering costs (7.9, 19.33), and which units it can mark.
    fn cowering(&self, leadership: Option<i8>) -> (u8, Vec<bool>) {
        let is_charge = |part: &Part| {
            matches!(part, Part::Weapon(manned)
                if manned.weapon.kind == WeaponKind::DemolitionCharge)
        };
        let numbers = 0..self.placed.len();
        let firing: Vec<usize> = numbers.clone().filter(|&number| self.fires(number)).collect();
        let cowers = |number: &usize| self.can_cower(self.placed[*number].firer);
        let able: Vec<usize> = firing.iter().copied().filter(cowers).collect();
        let spared = leadership.is_some() || self.parts.iter().any(|(_, part)| is_charge(part));
        let spared = spared
            || self.rulebook.chooses(Switch::ExemptUnitsSpareAll) && able.len() < firing.len();
        if spared || able.is_empty() {
            return (0, vec![false; self.placed.len()]);
        }
        let counts =
            if self.rulebook.chooses(Switch::ImmuneInexperienced) { &able } else { &firing };
        let two = counts.iter().any(|&number| self.is_inexperienced(number));
        let marked = if self.rulebook.chooses(Switch::AnyFirerIsMarked) { &firing } else { &able };
        (1 + u8::from(two), numbers.map(|number| marked.contains(&number)).collect())
    }

    fn firer_drm(&self, directors: &[Option<(usize, i8)>], leadership: Option<i8>) -> FirerDrm {
        let directs = |number: usize| {
            leadership.is_some() && directors.iter().flatten().any(|(of, _)| *of == number)
        };
        let (mut heroes, mut with_mg) = (0, 0);
        let mut leadership = leadership;
        for number in 0..self.placed.len() {
            let firer = self.placed[number].firer;
            let range = self.sight(number).range;
            let mut parts = self.parts.iter().filter(|(of, _)| *of == number);
            let is_near = parts.clone().any(|(_, part)| range <= part.ranges(firer).0);
            if !firer.is_hero() || !is_near || parts.clone().any(|(_, part)| is_barred(part)) {
                continue;
            }
            if directs(number) {
                // Never both: leadership, or by the alternative the better (15.21, I-96).
                let is_better = leadership.is_some_and(|rating| rating > -1);
                if !is_better || !self.rulebook.chooses(Switch::HeroicDrmIfBetter) {
                    continue;
                }
                leadership = Some(0);
            }
            heroes += 1;
            let is_mg = parts
                .any(|(_, part)| matches!(part, Part::Weapon(manned) if manned.weapon.is_mg()));
            with_mg += u8::from(is_mg && firer.kind() == CounterKind::Hero);
        }
        let takes_part = |number: &usize| self.fires(*number) || directs(*number);
        let numbers = (0..self.placed.len()).filter(takes_part);
        let any = |condition| numbers.clone().any(|number| self.placed[number].firer.is(condition));
        let special = self.parts.iter().find_map(|(_, part)| match part {
            Part::Weapon(manned) if is_special(manned) => Some(manned.weapon.kind),
            _ => None,
        });
        FirerDrm {
            leadership,
            heroes,
            heroes_with_mg: with_mg,
            is_cx: any(Condition::Cx),
            is_encircled: any(Condition::Encircled),
            special,
        }
    }

    /// Returns the sights with what is worst of all Locations (7.52): any DRM that hurts hurts all.
    fn worst_sights(&self) -> impl Iterator<Item = Sight> {
        let fires = |location: &usize| {
            self.parts.iter().any(|(number, _)| self.placed[*number].location == *location)
        };
        let sights: Vec<Sight> =
            (0..self.sights.len()).filter(fires).map(|location| self.sights[location]).collect();
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
    /// the target hex. A hexside counts if its TEM could have been claimed (B9.31).
    fn residual_steps(&self, classes: &[ReckonedClass]) -> u8 {
        let Some(class) = classes.first() else { return 0 };
        let hexsides: Vec<&str> = self.sights.iter().map(|sight| sight.hexside.name()).collect();
        let outside = class.modifiers.iter().filter(|modifier| {
            modifier.is_outside && modifier.drm > 0 && !hexsides.contains(&modifier.name.as_str())
        });
        let steps: i8 = outside.map(|modifier| modifier.drm).sum();
        let claimed = match self.circumstances.wall_advantage {
            WallAdvantage::Firer => 0,
            _ => self
                .sights
                .iter()
                .map(|sight| {
                    let above = (sight.level - sight.range.min(100) as i8).max(0);
                    (sight.hexside.tem() - above).max(0)
                })
                .max()
                .unwrap_or_default(),
        };
        (steps + claimed) as u8
    }

    fn weapons(&self, classes: &[ReckonedClass], markable: &[bool]) -> Vec<ReckonedWeapon> {
        let weapon = |(place, &(number, part)): (usize, &(usize, Part))| {
            let Part::Weapon(manned) = part else { return None };
            let fp = classes.iter().map(|class| class.lines[place].fp).collect();
            Some(ReckonedWeapon {
                fp,
                is_markable: markable[number],
                ..self.weapon(number, manned)
            })
        };
        self.parts.iter().enumerate().filter_map(weapon).collect()
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
            fp: Vec::new(),
        };
        let lowered = 2 * u8::from(is_captured) + u8::from(firer.ammo_shortage);
        if !is_special(manned) {
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

fn is_special(manned: &MannedWeapon) -> bool {
    matches!(manned.weapon.kind, WeaponKind::Flamethrower | WeaponKind::DemolitionCharge)
}

fn special_rule(manned: &MannedWeapon) -> &'static str {
    if manned.weapon.kind == WeaponKind::Flamethrower { "A22.31" } else { "A23.1" }
}

fn is_barred(part: &Part) -> bool {
    matches!(part, Part::Weapon(manned) if is_special(manned))
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
