//! Several shots of the same firers: what each set of them reckons, and which phases allow it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::circumstances::{AttackCircumstances, FirePhase, Sight, TargetState};
use super::firepower::Part;
use super::firers::{FireGroup, Firer};
use super::reckoning::{AttackReckoning, MOST_SHOTS, ReckonedWeapon, Target, reckon};
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{
    Attack, Condition, Firing, FiringWeapon, PartSet, ShotTable, Shots, Stage, StepCondition,
    TARGET_STATES, UnitIndex,
};
use engine::dice::Dr;
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
pub(crate) struct ShotSetting<'a> {
    pub firers: &'a FireGroup,
    pub sights: &'a [Sight],
    pub circumstances: &'a AttackCircumstances,
    /// True if a target can be concealed, which none becomes under fire.
    pub may_be_concealed: bool,
    pub rulebook: Rulebook,
    pub parts: PartList,
}

/// The parts that a set of parts numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartList {
    /// Those that fire together.
    Together,
    /// Also the inherent FP that the use of SW costs, which is there again later (7.353).
    All,
}

/// A shot by some parts, with what is reckoned of it against targets in each state.
pub(crate) struct ReckonedShot {
    pub table: ShotTable,
    /// The reckoning against targets in each state; `None` where the rules forbid the attack.
    pub reckoned: [Option<AttackReckoning>; TARGET_STATES],
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
    pub(super) fn parts(&self, list: PartList) -> Vec<(usize, Part<'_>)> {
        let mut parts = Vec::new();
        let firers = self.locations.iter().flat_map(|location| &location.firers).enumerate();
        for (number, firer) in firers {
            let has_inherent = list.counts_inherent(firer);
            parts.extend(has_inherent.then_some((number, Part::Inherent)));
            parts.extend(firer.weapons.iter().map(|weapon| (number, Part::Weapon(weapon))));
        }
        parts
    }

    /// Returns the number of parts.
    pub(crate) fn part_count(&self) -> u8 {
        self.parts(PartList::Together).len() as u8
    }

    /// Returns the group with these parts firing and all others silent. Who has fired a SW does not
    /// direct (10.7).
    fn with_parts(&self, firing: PartSet, list: PartList) -> FireGroup {
        let mut group = self.clone();
        let mut part = 0;
        let mut fires = || {
            part += 1;
            firing >> (part - 1) & 1 == 1
        };
        for firer in group.locations.iter_mut().flat_map(|location| &mut location.firers) {
            let has_inherent = list.counts_inherent(firer);
            firer.sw_only = !(has_inherent && fires());
            let has_fired = !firer.weapons.is_empty();
            firer.weapons.retain(|_| fires());
            firer.no_direct |= has_fired && firer.weapons.is_empty();
        }
        group
    }
}

/// A part of firers, for the markers of Defensive First Fire (8.1, 8.3).
#[derive(Clone, Copy, Debug)]
pub(crate) struct FiringPart {
    /// The index of its unit.
    pub unit: usize,
    pub is_weapon: bool,
    /// True for what may fire as Subsequent First Fire and FPF (8.3, 9.3).
    pub is_sustained: bool,
    pub normal_range: u8,
    pub reach: u8,
    /// True if it is marked First Fire at the start.
    pub is_marked: bool,
}

impl FireGroup {
    /// Returns all parts of the firers, also inherent FP that the use of SW costs.
    pub(crate) fn firing_parts(&self) -> Vec<FiringPart> {
        let firers: Vec<&Firer> =
            self.locations.iter().flat_map(|location| &location.firers).collect();
        let has_help = firers.iter().any(|firer| firer.assists);
        let part = |(unit, part): (usize, Part)| {
            let firer = firers[unit];
            let is_lone = firer.kind().is_smc() && !has_help;
            let is_sustained = match part {
                Part::Inherent => true,
                Part::Weapon(manned) => manned.weapon.is_mg() && !is_lone,
            };
            FiringPart {
                unit,
                is_weapon: matches!(part, Part::Weapon(_)),
                is_sustained,
                normal_range: part.ranges(firer).0,
                reach: part.reach(firer),
                is_marked: match part {
                    Part::Inherent => firer.marked,
                    Part::Weapon(manned) => manned.marked,
                },
            }
        };
        self.parts(PartList::All).into_iter().map(part).collect()
    }

    /// Returns the group without markers, and with these conditions of its units.
    pub(crate) fn in_conditions(
        &self,
        conditions: impl Fn(usize) -> Option<Condition>,
    ) -> FireGroup {
        let mut group = self.clone();
        let firers = group.locations.iter_mut().flat_map(|location| &mut location.firers);
        for (unit, firer) in firers.enumerate() {
            firer.marked = false;
            firer.weapons.iter_mut().for_each(|manned| manned.marked = false);
            if let Some(condition) = conditions(unit) {
                firer.member.conditions.set(condition);
            }
        }
        group
    }
}

impl PartList {
    fn counts_inherent(self, firer: &Firer) -> bool {
        match self {
            PartList::Together => firer.inherent() > 0,
            PartList::All => firer.held_inherent() > 0,
        }
    }
}

/// Returns the states of targets in the order of their numbers, which are concealed only if some
/// target can be: the others are then attacked alike, and their rolls are independent.
pub(super) fn target_states(may_be_concealed: bool) -> [TargetState; TARGET_STATES] {
    std::array::from_fn(|number| TargetState {
        concealed: may_be_concealed && number >= TARGET_STATES / 2,
        pinned: number % 4 == 1,
        broken: number % 4 == 2,
        berserk: number % 4 == 3,
    })
}

impl ShotSetting<'_> {
    /// Returns the shot by some parts; `None` if the rules forbid it.
    fn shot(&self, firing: PartSet, shots: &Shots) -> Option<ShotTable> {
        self.reckoned_shot(firing, shots, |_, _| 0).map(|shot| shot.table)
    }

    /// Checks that some parts may fire at a target that moves unpinned.
    ///
    /// # Errors
    ///
    /// Fails if the rules forbid it; the message names the rule.
    pub(crate) fn check(&self, firing: PartSet, target: TargetState) -> Result<(), Fault> {
        let group = self.firers.with_parts(firing, self.parts);
        let targets = [(target, vec![1])];
        reckon(&group, self.sights, self.circumstances, &targets, self.rulebook).map(|_| ())
    }

    /// Returns the shot by some parts; `None` if the rules forbid it. `also` tells apart DR that do
    /// the same to targets and firers, but not to what comes later.
    pub(crate) fn reckoned_shot(
        &self,
        firing: PartSet,
        shots: &Shots,
        also: impl Fn(&[Attack], Dr) -> u8,
    ) -> Option<ReckonedShot> {
        let group = self.firers.with_parts(firing, self.parts);
        let reckoned = target_states(self.may_be_concealed).map(|target| {
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
        let matters = |selection, kept| shots.matters(selection, kept);
        let table = ShotTable::new(attacks, firing, matters, also);
        Some(ReckonedShot { table, reckoned })
    }

    /// Returns the shots by these parts alone, without any table yet; `records` as in [`Shots`].
    pub(crate) fn without_tables(&self, names: Vec<String>) -> Shots {
        Shots {
            all: ((1u64 << names.len()) - 1) as PartSet,
            lost_from: Some(0),
            records: true,
            by_parts: FxHashMap::default(),
            names,
            marked_keeps: self.rulebook.chooses(Switch::MarkedKeepsRof),
            tells_costs: true,
        }
    }

    /// Returns the name of each part: `4-6-7`, `HMG`.
    pub(crate) fn part_names(&self) -> Vec<String> {
        let firers: Vec<&Firer> =
            self.firers.locations.iter().flat_map(|location| &location.firers).collect();
        let name = |(unit, part): &(usize, Part)| match part {
            Part::Inherent => firers[*unit].member.printed().printed().to_string(),
            Part::Weapon(manned) => manned.weapon.name.to_uppercase(),
        };
        self.firers.parts(self.parts).iter().map(name).collect()
    }

    /// Returns the parts of each unit that Cowering can mark, whether they fire or not (7.9).
    fn markable(&self, reckoning: &AttackReckoning) -> Vec<PartSet> {
        let parts = self.firers.parts(self.parts);
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
        let parts = self.firers.parts(self.parts).into_iter().enumerate().filter(reaches);
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
        let kept = keeps.map(|(_, place)| 1 << place).sum();
        let group = self.firers.with_parts(kept, self.parts);
        reckon(&group, self.sights, self.circumstances, targets, self.rulebook).ok()
    }

    /// Returns all shots that are possible if each MG may fire `most` times.
    ///
    /// # Errors
    ///
    /// Fails if firers of several phases have too many parts.
    pub(super) fn shots(&self, most: u8, recurrence: Recurrence) -> Result<Shots, Fault> {
        let parts = self.firers.parts(self.parts);
        let Recurrence { is_later, recurs, from } = recurrence;
        if (is_later || recurs) && parts.len() > MOST_PARTS {
            let message = format!(
                "firers of several phases have at most {MOST_PARTS} units and SW that fire"
            );
            return Err(Fault::new(message, 0..0).help("give them in two groups"));
        }
        let mut shots = Shots {
            lost_from: (is_later || recurs).then_some(from),
            records: recurs,
            tells_costs: false,
            ..self.without_tables(self.part_names())
        };
        let all = shots.all;
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
