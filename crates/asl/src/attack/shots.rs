//! Several shots of the same firers: what each set of them reckons, and which phases allow it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::circumstances::{AttackCircumstances, FirePhase, Sight, TargetState};
use super::firepower::Part;
use super::firers::{FireGroup, Firer};
use super::reckoning::{AttackReckoning, MOST_SHOTS, ReckonedWeapon, Target, reckon};
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{
    Attack, Firing, FiringWeapon, PartSet, ShotTable, Shots, Stage, StepCondition, TARGET_STATES,
    UnitIndex,
};
use engine::text::Fault;

/// The shots of one step.
#[derive(Clone, Debug)]
pub struct ShotPlan {
    pub(crate) shots: Arc<Shots>,
    /// The number of shots that are made at most.
    pub(crate) most: u8,
    /// The condition after which firing ends.
    pub(crate) stop: Option<StepCondition>,
}

/// The largest number of parts of firers that attack in several phases.
const MOST_PARTS: usize = 6;

/// An attack of firers at targets in any state.
pub(super) struct ShotSetting<'a> {
    pub firers: &'a FireGroup,
    pub sights: &'a [Sight],
    pub circumstances: &'a AttackCircumstances,
    /// True if a target is concealed, which none becomes under fire.
    pub has_concealed: bool,
    pub rulebook: Rulebook,
}

/// The place of an attack among several by the same firers in one Player Turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recurrence {
    /// True if the firers have attacked before.
    pub(crate) is_later: bool,
    /// True if the firers attack again.
    pub(crate) recurs: bool,
    /// The first of the bits that record the parts that fire no more.
    pub(crate) from: u8,
}

impl FireGroup {
    /// Returns all parts in the order of the firers, each with the index of its unit.
    fn parts(&self) -> Vec<(usize, Part<'_>)> {
        let mut parts = Vec::new();
        let firers = self.locations.iter().flat_map(|location| &location.firers).enumerate();
        for (number, firer) in firers {
            parts.extend((firer.inherent() > 0).then_some((number, Part::Inherent)));
            parts.extend(firer.weapons.iter().map(|weapon| (number, Part::Weapon(weapon))));
        }
        parts
    }

    /// Returns the number of parts.
    pub(crate) fn part_count(&self) -> u8 {
        self.parts().len() as u8
    }

    /// Returns the group with these parts firing and all others silent. Who has fired a SW does not
    /// direct (10.7).
    fn with_parts(&self, firing: PartSet) -> FireGroup {
        let mut group = self.clone();
        let mut part = 0;
        let mut fires = || {
            part += 1;
            firing >> (part - 1) & 1 == 1
        };
        for firer in group.locations.iter_mut().flat_map(|location| &mut location.firers) {
            let has_inherent = firer.inherent() > 0;
            firer.sw_only = !(has_inherent && fires());
            let has_fired = !firer.weapons.is_empty();
            firer.weapons.retain(|_| fires());
            firer.no_direct |= has_fired && firer.weapons.is_empty();
        }
        group
    }
}

/// Returns the states of targets in the order of their numbers, which are concealed only if some
/// target is: the others are then attacked alike, and their rolls are independent.
fn target_states(has_concealed: bool) -> [TargetState; TARGET_STATES] {
    std::array::from_fn(|number| TargetState {
        concealed: has_concealed && number >= TARGET_STATES / 2,
        pinned: number % 4 == 1,
        broken: number % 4 == 2,
        berserk: number % 4 == 3,
    })
}

impl ShotSetting<'_> {
    /// Returns the shot by some parts; `None` if the rules forbid it.
    fn shot(&self, firing: PartSet, shots: &Shots) -> Option<ShotTable> {
        let group = self.firers.with_parts(firing);
        let reckoned = target_states(self.has_concealed).map(|target| {
            let targets = [(target, vec![1])];
            reckon(&group, self.sights, self.circumstances, &targets, self.rulebook).ok()
        });
        // Below 1 FP there is no DR (7.3).
        let first = reckoned.iter().flatten().find(|of| of.classes[0].column().is_some())?;
        let firing = Firing {
            cowering: first.cowering,
            markable: self.markable(first),
            weapons: self.weapons(firing, first),
        };
        // A state at which the rules forbid to fire has no attack.
        let attacks = reckoned.each_ref().map(|reckoned| match reckoned {
            Some(reckoned) => reckoned.attack(&reckoned.classes[0]),
            None => Attack::new(0, 0, 0),
        });
        Some(ShotTable::new(attacks, firing, |selection, kept| shots.matters(selection, kept)))
    }

    /// Returns the parts of each unit that Cowering can mark, whether they fire or not (7.9).
    fn markable(&self, reckoning: &AttackReckoning) -> Vec<PartSet> {
        let parts = self.firers.parts();
        let of_unit = |unit: usize| {
            let own = parts.iter().enumerate().filter(|(_, (number, _))| *number == unit);
            own.map(|(part, _)| 1 << part).sum()
        };
        let units = reckoning.markable.iter().enumerate().filter(|(_, is_markable)| **is_markable);
        units.map(|(unit, _)| of_unit(unit)).collect()
    }

    /// Returns the places among the parts of the SW that reach the target.
    fn reaching(&self) -> Vec<usize> {
        let locations = self.firers.locations.iter().zip(self.sights);
        let firers: Vec<(&Firer, u8)> = locations
            .flat_map(|(location, sight)| location.firers.iter().map(|firer| (firer, sight.range)))
            .collect();
        let reaches = |(_, (unit, part)): &(usize, (usize, Part))| {
            let (firer, range) = firers[*unit];
            matches!(part, Part::Weapon(_)) && part.reaches(firer, range)
        };
        let parts = self.firers.parts().into_iter().enumerate().filter(reaches);
        parts.map(|(place, _)| place).collect()
    }

    fn weapons(&self, firing: PartSet, reckoning: &AttackReckoning) -> Vec<FiringWeapon> {
        let places = self.reaching().into_iter().filter(|place| firing >> place & 1 == 1);
        let weapon = |(place, weapon): (usize, &ReckonedWeapon)| {
            let (rof, breakdown, x_number) = (weapon.rof, weapon.breakdown, weapon.x_number);
            FiringWeapon { part: 1 << place, rof, breakdown, x_number }
        };
        places.zip(&reckoning.weapons).map(weapon).collect()
    }

    /// Reckons a later shot by the SW that keep their ROF (9.2); bit `i` of `kept` is the `i`-th of
    /// those that reach the target. Returns `None` if the rules forbid it.
    pub(super) fn later(&self, kept: u32, targets: &[Target]) -> Option<AttackReckoning> {
        let reaching = self.reaching().into_iter().enumerate();
        let keeps = reaching.filter(|(number, _)| kept >> number & 1 == 1);
        let group = self.firers.with_parts(keeps.map(|(_, place)| 1 << place).sum());
        reckon(&group, self.sights, self.circumstances, targets, self.rulebook).ok()
    }

    /// Returns all shots that are possible if each MG may fire `most` times.
    ///
    /// # Errors
    ///
    /// Fails if firers of several phases have too many parts.
    pub(super) fn shots(&self, most: u8, recurrence: Recurrence) -> Result<Shots, Fault> {
        let parts = self.firers.parts();
        let Recurrence { is_later, recurs, from } = recurrence;
        if (is_later || recurs) && parts.len() > MOST_PARTS {
            let message = format!(
                "firers of several phases have at most {MOST_PARTS} units and SW that fire"
            );
            return Err(Fault::new(message, 0..0).help("give them in two groups"));
        }
        let firers: Vec<&Firer> =
            self.firers.locations.iter().flat_map(|location| &location.firers).collect();
        let name = |(unit, part): &(usize, Part)| match part {
            Part::Inherent => firers[*unit].member.printed().printed().to_string(),
            Part::Weapon(manned) => manned.weapon.name.to_uppercase(),
        };
        let all = ((1u64 << parts.len()) - 1) as PartSet;
        let mut shots = Shots {
            all,
            lost_from: (is_later || recurs).then_some(from),
            records: recurs,
            by_parts: FxHashMap::default(),
            names: parts.iter().map(name).collect(),
            marked_keeps: self.rulebook.chooses(Switch::MarkedKeepsRof),
        };
        let first = if is_later { 1..=all } else { all..=all };
        for firing in first {
            if let Some(shot) = self.shot(firing, &shots) {
                shots.by_parts.insert(firing, shot);
            }
        }
        let with_rof = |shot: &ShotTable| -> PartSet {
            let weapons = shot.firing().weapons.iter().filter(|weapon| weapon.rof > 0);
            weapons.map(|weapon| weapon.part).sum()
        };
        let mgs = shots.by_parts.values().map(with_rof).fold(0, |all, mgs| all | mgs);
        // Every set of MG can be the one that keeps its ROF.
        let mut firing = if most > 1 { mgs } else { 0 };
        while firing != 0 {
            if !shots.by_parts.contains_key(&firing)
                && let Some(shot) = self.shot(firing, &shots)
            {
                shots.by_parts.insert(firing, shot);
            }
            firing = (firing - 1) & mgs;
        }
        Ok(shots)
    }
}

impl ShotPlan {
    /// Returns the stages of the step. `place_of` maps stack indices to those of the process.
    pub(crate) fn stages(&self, place_of: impl Fn(usize) -> Option<UnitIndex>) -> Vec<Stage> {
        let tests = self.stop.as_ref().map_or(0, StepCondition::len);
        let words: Arc<str> =
            self.stop.as_ref().map_or(String::new(), |stop| stop.as_stop()).into();
        let mut stages = Vec::new();
        for number in 1..=self.most {
            let left = usize::from(self.most - number) * (tests + 1);
            let stop = self.stop.iter().filter(|_| number > 1);
            let ends = stop.flat_map(|stop| stop.tests_against(left + 1));
            stages.extend(ends.map(|(test, skip, leaves_out)| Stage::Only {
                test: test.within(&place_of),
                skip: skip as u16,
                leaves_out: leaves_out.then(|| words.clone()),
            }));
            stages.push(Stage::Shot {
                shots: self.shots.clone(),
                is_first: number == 1,
                is_last: number == self.most,
                left: left as u16,
            });
        }
        stages
    }
}

/// Returns the largest number of shots at one target in the phase (9.2).
pub(super) fn most_shots(reckoning: &AttackReckoning, rof: u8) -> u8 {
    rof.min(reckoning.most_shots).min(MOST_SHOTS)
}

/// Checks that firers may attack in a phase after others of the same Player Turn (7.1, 8.3, 8.4).
///
/// # Errors
///
/// Fails with the rule that forbids it.
pub(crate) fn check_again(before: &[FirePhase], now: FirePhase) -> Result<(), Fault> {
    use FirePhase::*;
    let Some(&last) = before.last() else { return Ok(()) };
    let refused =
        |message: String, help: &str| Err(Fault::new(message, 0..0).help(help.to_string()));
    match (last, now) {
        (First, Subsequent | FinalAgain) | (Subsequent, Fpf) => Ok(()),
        (First, Final) => refused(
            "units marked First Fire use Final Fire only at ADJACENT targets, halved (A8.4)".into(),
            "the phase is `final-again`",
        ),
        (First, Fpf) => refused(
            "FPF is by units marked Final Fire, as Subsequent First Fire marks them (A8.31)".into(),
            "put an attack in phase `subsequent` between them",
        ),
        (Fpf, Fpf) => refused(
            "a second FPF depends on the NMC of the first (A8.31)".into(),
            "ask for one FPF",
        ),
        (Prep, Opportunity) => refused(
            "Opportunity Fire is by units that have not fired in the PFPh (A7.25)".into(),
            "ask for one of both",
        ),
        _ if last == now => refused(
            "who has fired fires again in its phase only by ROF (A9.2)".into(),
            "give the attack `rof`: the largest number of shots",
        ),
        _ => refused(
            format!(
                "who has fired in one phase of a Player Turn fires in no other: {} after {} (A7.1)",
                now.in_words(),
                last.in_words()
            ),
            "give other firers another `name`",
        ),
    }
}
