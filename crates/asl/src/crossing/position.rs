//! A defender's Location as a crossing sees it: what its firers can do at each Location of the
//! path, and the shots that each state of their markers allows.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::defenders::CrossingDefender;
use super::marks::{
    FireMarker, FireTier, FirerFate, FiringChance, MOST_CREW, MOST_PARTS, MarkerRules, MarkerState,
    ShotCost,
};
use super::path::{PathLocation, most_shots};
use crate::attack::aftermath::residual_left;
use crate::attack::circumstances::{AttackCircumstances, Movement, Sight, TargetState};
use crate::attack::firers::FireGroup;
use crate::attack::reckoning::AttackReckoning;
use crate::attack::shots::{PartList, ReckonedShot, ShotSetting};
use crate::rulebook::{Rulebook, Switch};
use crate::stack::Member;
use crate::vocabulary::{
    Attack, Condition, FirerSelection, Firing, FiringWeapon, PartSet, Shots, TARGET_STATES,
};
use engine::dice::Dr;
use engine::text::Fault;

/// The firers of one Location, against a stack on a path.
#[derive(Clone, Debug)]
pub struct FiringPosition {
    pub name: String,
    pub(crate) group: FireGroup,
    pub(crate) rules: MarkerRules,
    /// What they see of each Location of the path.
    pub(crate) chances: Vec<Option<FiringChance>>,
    sights: Vec<Option<Sight>>,
    /// The markers before the first shot.
    pub(crate) begin: MarkerState,
}

/// The figures of a shot against targets in each state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShotFigures {
    /// FP, column and DRM; `None` where the rules forbid the attack.
    pub by_state: [Option<(f64, Option<u16>, i8)>; TARGET_STATES],
    /// The units that check by the DR of a FPF (8.31).
    pub checking: Vec<usize>,
    /// The leader who directs.
    pub director: Option<usize>,
    /// The reckoning against targets in each state.
    reckoned: [Option<AttackReckoning>; TARGET_STATES],
}

impl ShotFigures {
    /// Returns whether the rules allow the shot at a stack all of whose units are concealed, or at
    /// another.
    fn has_attack(&self, is_concealed: bool) -> bool {
        let (known, concealed) = self.by_state.split_at(TARGET_STATES / 2);
        let of_kind = if is_concealed { concealed } else { known };
        of_kind.iter().any(|figures| figures.is_some_and(|(_, column, _)| column.is_some()))
    }

    /// Returns the Residual FP that the shot leaves (8.2 - 8.26), whose SW are the parts `weapons`.
    /// The SW among `out` leave none. `target` has this state; doubles Cower.
    pub fn residual(
        &self,
        (target, is_double): (u8, bool),
        (weapons, out): (&[FiringWeapon], PartSet),
        rulebook: Rulebook,
    ) -> u8 {
        let out = weapons.iter().enumerate().filter(|(_, weapon)| weapon.part & out != 0);
        let out = out.map(|(place, _)| 1 << place).sum();
        let is_alike = |dr: &&Dr| (dr.coloured() == dr.white()) == is_double;
        let original = Dr::ALL.iter().find(is_alike).copied();
        let left = self.reckoned[usize::from(target)].as_ref().zip(original);
        left.and_then(|(of, original)| residual_left(of, original, out, rulebook)).unwrap_or(0)
    }
}

/// All shots of a kind by one position at a stack in one Location.
#[derive(Clone, Debug)]
pub(crate) struct TierShots {
    pub shots: Arc<Shots>,
    pub figures: FxHashMap<PartSet, ShotFigures>,
}

/// The shots found so far at one Location, by kind.
type FoundShots = [(Shots, FxHashMap<PartSet, ShotFigures>); 3];

/// The circumstances of a crossing that its attacks share.
pub(crate) struct ExploredPath<'a> {
    pub path: &'a [PathLocation],
    pub setting: PathSetting,
    /// For each Location, the largest number of shots that the plan gives the position.
    pub most: &'a [usize],
}

/// What all attacks on a path share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathSetting {
    pub movement: Movement,
    pub rulebook: Rulebook,
    /// True if units go on one by one where others stop (4.2), so that Residual FP counts.
    pub goes_on_apart: bool,
    pub night: bool,
    pub low_visibility: u8,
}

impl PathSetting {
    /// Returns whether each Location is entered in a Player Turn of its own: Assault Movement
    /// enters one (4.61).
    pub fn has_turns(self) -> bool {
        self.movement == Movement::Assault
    }

    /// Takes markers from one Location of the path to the next.
    pub fn leave_location(self, markers: &mut MarkerState) {
        match self.has_turns() {
            true => markers.end_turn(),
            false => markers.leave_location(),
        }
    }
}

/// The largest number of states of one position's markers.
const MOST_STATES: usize = 1 << 14;

impl FiringPosition {
    /// Builds the position of a defender.
    ///
    /// # Errors
    ///
    /// Fails if too many units and SW fire.
    pub(crate) fn new(
        defender: &CrossingDefender,
        path: &[PathLocation],
        rulebook: Rulebook,
    ) -> Result<FiringPosition, Fault> {
        let group = match rulebook.chooses(Switch::HeavyFinnishLmg) {
            true => defender.by.with_heavy_finnish_lmg(),
            false => defender.by.clone(),
        };
        let parts = group.firing_parts();
        let firers = group.locations.iter().flat_map(|location| &location.firers);
        let costs: Vec<[bool; 2]> =
            firers.map(|firer| [1, 2].map(|weapons| firer.loses_inherent(weapons))).collect();
        if parts.len() > MOST_PARTS || costs.len() > MOST_CREW {
            let message = format!(
                "{}: at most {MOST_PARTS} units and SW fire from one Location, of {MOST_CREW} \
                    units",
                defender.name
            );
            return Err(Fault::new(message, defender.span.clone()).help("give two defenders"));
        }
        let locations = || path.iter().enumerate();
        let chance = |(place, _): (usize, &PathLocation)| {
            let sight = defender.sight(place)?;
            let most_shots = most_shots(path, place, rulebook).min(15);
            Some(FiringChance { range: sight.range, is_nearer: sight.is_nearer, most_shots })
        };
        let sight = |(place, of): (usize, &PathLocation)| {
            let sight = defender.sight(place)?;
            Some(Sight {
                range: sight.range,
                level: sight.level,
                hindrance: sight.hindrance.unwrap_or(of.hindrance),
                hexside: sight.hexside.unwrap_or(of.hexside),
                smoke_los: sight.smoke_los,
                smoke_out: sight.smoke_out,
            })
        };
        Ok(FiringPosition {
            name: defender.name.clone(),
            chances: locations().map(chance).collect(),
            sights: locations().map(sight).collect(),
            begin: MarkerState::begin(&parts),
            rules: MarkerRules {
                parts,
                costs,
                uses: defender.uses,
                cowered: match rulebook.chooses(Switch::CoweredHasNoFpf) {
                    true => FireMarker::Cowered,
                    false => FireMarker::Final,
                },
            },
            group,
        })
    }

    /// Returns the units in order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        let firers = self.group.locations.iter().flat_map(|location| &location.firers);
        firers.map(|firer| &firer.member)
    }

    /// Returns whether any of these units is a leader.
    fn leads(&self, units: &[usize]) -> bool {
        let mut members = self.members().enumerate();
        members.any(|(unit, member)| units.contains(&unit) && member.printed().kind.is_leader())
    }

    /// Returns what the position sees of a Location; `None` without LOS.
    pub(crate) fn sight(&self, location: usize) -> Option<Sight> {
        self.sights[location]
    }

    /// Returns the name of each unit and SW that fires.
    pub(crate) fn part_names(&self, rulebook: Rulebook) -> Vec<String> {
        let circumstances = AttackCircumstances::default();
        self.setting(&self.group, &[], &circumstances, rulebook).part_names()
    }

    fn setting<'a>(
        &self,
        firers: &'a FireGroup,
        sights: &'a [Sight],
        circumstances: &'a AttackCircumstances,
        rulebook: Rulebook,
    ) -> ShotSetting<'a> {
        ShotSetting {
            firers,
            sights,
            circumstances,
            may_be_concealed: true,
            rulebook,
            parts: PartList::All,
        }
    }

    /// Returns the group in which the units are as a key says.
    fn group_of(&self, fate: impl Fn(usize) -> Option<FirerFate>) -> FireGroup {
        self.group.in_conditions(|unit| {
            fate(unit).map(|fate| match fate {
                FirerFate::Pinned => Condition::Pinned,
                _ => Condition::Broken,
            })
        })
    }

    /// Returns the shot of a kind by the parts of a key at a Location; `None` if it is forbidden.
    fn shot(
        &self,
        shots: &Shots,
        explored: &ExploredPath,
        (place, tier, key): (usize, FireTier, PartSet),
    ) -> Option<ReckonedShot> {
        let sights = [self.sights[place]?];
        let circumstances = explored.circumstances(place, tier);
        let (parts, fate) = MarkerRules::of_key(key);
        let mut group = self.group_of(fate);
        let mut firers = group.locations.iter_mut().flat_map(|location| &mut location.firers);
        if let Some(firer) = MarkerRules::barred_of_key(key).and_then(|unit| firers.nth(unit)) {
            firer.no_direct = true;
        }
        let setting = self.setting(&group, &sights, &circumstances, explored.setting.rulebook);
        let also = |attacks: &[Attack], original: Dr| {
            let of_fpf = if tier == FireTier::Fpf { original.total() } else { 0 };
            // Residual FP counts the columns that Cowering costs.
            let cowers = attacks.iter().any(|attack| attack.cowering > 0);
            2 * of_fpf + u8::from(cowers && original.coloured() == original.white())
        };
        setting.reckoned_shot(parts, shots, also)
    }

    /// Checks that the first shot at a Location is allowed, at a concealed stack or another.
    ///
    /// # Errors
    ///
    /// Fails with the rule that forbids it.
    pub(crate) fn check(
        &self,
        explored: &ExploredPath,
        (place, concealed): (usize, bool),
    ) -> Result<(), Fault> {
        let Some((sight, chance)) = self.sights[place].zip(self.chances[place]) else {
            return Ok(());
        };
        let circumstances = explored.circumstances(place, FireTier::First);
        let (sights, group) = ([sight], self.group_of(|_| None));
        let setting = self.setting(&group, &sights, &circumstances, explored.setting.rulebook);
        let first = self.rules.shots(self.begin, chance).next();
        let target = TargetState { concealed, ..TargetState::default() };
        match first {
            Some((FireTier::First, parts)) => setting.check(parts, target),
            Some(_) => Ok(()),
            None => {
                let all = (1 << self.rules.parts.len()) - 1;
                setting.check(all, target)
            }
        }
    }

    /// Finds every shot that the position can come to fire, by Location and kind.
    ///
    /// # Errors
    ///
    /// Fails if there are too many states of its markers.
    pub(crate) fn explore(&self, explored: &ExploredPath) -> Result<Vec<[TierShots; 3]>, Fault> {
        let names = self.part_names(explored.setting.rulebook);
        let circumstances = AttackCircumstances::default();
        let setting = self.setting(&self.group, &[], &circumstances, explored.setting.rulebook);
        let blank = setting.without_tables(names);
        let blank = || FireTier::ALL.map(|_| (blank.clone_without_tables(), FxHashMap::default()));
        let mut all: Vec<FoundShots> = explored.path.iter().map(|_| blank()).collect();
        let mut entering = FxHashSet::from_iter([self.begin]);
        // Units that go on one by one come to a Location after others have left any.
        loop {
            let known = entering.len();
            for (place, found) in all.iter_mut().enumerate() {
                entering = self.explore_location(found, explored, place, entering)?;
            }
            if !explored.setting.goes_on_apart || entering.len() == known {
                break;
            }
        }
        let tiers = |found: FoundShots| {
            found.map(|(shots, figures)| TierShots { shots: Arc::new(shots), figures })
        };
        Ok(all.into_iter().map(tiers).collect())
    }

    /// Finds every shot at a Location from the states in which the stack enters it. Returns the
    /// states in which it leaves, of which these are some.
    fn explore_location(
        &self,
        found: &mut FoundShots,
        explored: &ExploredPath,
        place: usize,
        entering: FxHashSet<MarkerState>,
    ) -> Result<FxHashSet<MarkerState>, Fault> {
        let mut level: Vec<MarkerState> = entering.iter().copied().collect();
        let mut known = entering;
        for _ in 0..explored.most[place] {
            let mut next = Vec::new();
            for state in std::mem::take(&mut level) {
                let Some((tier, parts)) = self.next_shot(found, explored, place, state) else {
                    continue;
                };
                let after = self.followers(&found[tier as usize], state, (tier, parts));
                next.extend(after.into_iter().filter(|state| known.insert(*state)));
            }
            level = next;
            if known.len() > MOST_STATES {
                let message = format!("{}: too many units and SW fire", self.name);
                return Err(Fault::new(message, 0..0).help("give them as two defenders"));
            }
        }
        let left = known.into_iter().map(|mut state| {
            explored.setting.leave_location(&mut state);
            state
        });
        Ok(left.collect())
    }

    /// Returns the shot that a state leads to, and adds its table.
    fn next_shot(
        &self,
        found: &mut FoundShots,
        explored: &ExploredPath,
        place: usize,
        state: MarkerState,
    ) -> Option<(FireTier, PartSet)> {
        let chance = self.chances[place]?;
        for (tier, parts) in self.rules.shots(state, chance) {
            let key = self.rules.key(state, (tier, parts));
            let (shots, figures) = &mut found[tier as usize];
            if let Entry::Vacant(vacant) = figures.entry(key) {
                let Some(shot) = self.shot(shots, explored, (place, tier, key)) else { continue };
                let ReckonedShot { table, reckoned } = shot;
                vacant.insert(figures_of(reckoned));
                shots.by_parts.insert(key, table);
            }
            return Some((tier, parts));
        }
        None
    }

    /// Returns the states to which a shot can lead, whatever the dice.
    fn followers(
        &self,
        found: &(Shots, FxHashMap<PartSet, ShotFigures>),
        state: MarkerState,
        shot: (FireTier, PartSet),
    ) -> Vec<MarkerState> {
        let (shots, figures) = found;
        let key = self.rules.key(state, shot);
        let Some((table, figures)) = shots.by_parts.get(&key).zip(figures.get(&key)) else {
            return Vec::new();
        };
        let costs = costs(table.firing(), shots.marked_keeps, figures.director);
        let mut after: Vec<MarkerState> =
            costs.into_iter().map(|cost| self.rules.after(state, shot, cost)).collect();
        if shot.0 == FireTier::Fpf {
            let loses_leader = self.leads(&figures.checking);
            let hurt = |unit: &usize| loses_leader || figures.checking.contains(unit);
            for unit in (0..self.rules.costs.len()).filter(hurt) {
                let worse = [FirerFate::Pinned, FirerFate::Broken];
                let states = std::mem::take(&mut after);
                for state in states {
                    after.push(state);
                    for fate in worse.into_iter().filter(|fate| *fate > state.fate(unit)) {
                        let mut checked = state;
                        checked.set_fate(unit, fate);
                        after.push(checked);
                    }
                }
            }
        }
        after
    }

    /// Returns the shot that a state of the markers allows at a stack in a Location, with its key.
    /// An undirected MG fires beyond 16 hexes at a stack that is wholly concealed only (9.4).
    pub(crate) fn shot_of(
        &self,
        tiers: &[TierShots; 3],
        (place, is_concealed): (usize, bool),
        state: MarkerState,
    ) -> Option<(FireTier, PartSet, PartSet)> {
        let chance = self.chances[place]?;
        let shots = self.rules.shots(state, chance);
        let keyed = shots.map(|(tier, parts)| (tier, parts, self.rules.key(state, (tier, parts))));
        let mut allowed = keyed.filter(|(tier, _, key)| {
            let figures = tiers[*tier as usize].figures.get(key);
            figures.is_some_and(|figures| figures.has_attack(is_concealed))
        });
        allowed.next()
    }

    /// Returns whether somebody there sees the stack from within 16 hexes and is in Good Order.
    pub(crate) fn watches(&self, place: usize, state: MarkerState) -> bool {
        let is_able = |unit: usize| state.fate(unit).is_able();
        let is_near = self.sights[place].is_some_and(|sight| sight.range <= FARTHEST_SEEN);
        is_near && (0..self.rules.costs.len()).any(is_able)
    }

    /// Returns the names of the SW that have malfunctioned.
    pub(crate) fn lost(&self, state: MarkerState) -> impl Iterator<Item = usize> + '_ {
        (0..self.rules.parts.len()).filter(move |&part| state.marker(part) == FireMarker::Lost)
    }
}

/// The farthest range at which movement costs concealment (12.14).
const FARTHEST_SEEN: u8 = 16;

fn figures_of(reckoned: [Option<AttackReckoning>; TARGET_STATES]) -> ShotFigures {
    let by_state = reckoned.each_ref().map(|reckoned| {
        let class = &reckoned.as_ref()?.classes[0];
        Some((class.fp, class.column(), class.drm()))
    });
    let checking = reckoned.iter().flatten().next().map_or_else(Vec::new, |reckoned| {
        reckoned.checking.iter().flatten().map(|(unit, _)| *unit).collect()
    });
    let mut directing = reckoned.iter().flatten();
    let director = directing.find_map(|reckoned| reckoned.directing.first().copied());
    ShotFigures { by_state, checking, director, reckoned }
}

/// Returns what a shot can cost its firers, whatever the dice.
fn costs(firing: &Firing, marked_keeps: bool, director: Option<usize>) -> Vec<ShotCost> {
    let subsets = |candidates: Vec<PartSet>| -> Vec<PartSet> {
        match candidates.len() {
            0 => vec![0],
            number => (1u32..1 << number)
                .map(|set| {
                    let chosen = candidates.iter().enumerate();
                    let chosen = chosen.filter(|(place, _)| set >> place & 1 == 1);
                    chosen.fold(0, |all, (_, parts)| all | parts)
                })
                .collect(),
        }
    };
    let mut all = BTreeSet::new();
    for &original in Dr::ALL.iter() {
        let kept = firing.kept(original, false);
        for cowered in subsets(firing.candidates(FirerSelection::Marked, original)) {
            for lost in subsets(firing.candidates(FirerSelection::Breakdown, original)) {
                let kept = kept & !lost & if marked_keeps { PartSet::MAX } else { !cowered };
                all.insert((kept, cowered, lost));
            }
        }
    }
    all.into_iter()
        .map(|(kept, cowered, lost)| ShotCost { kept, cowered, lost, director })
        .collect()
}

impl ExploredPath<'_> {
    /// Returns the circumstances of an attack on the stack in a Location.
    pub(crate) fn circumstances(&self, place: usize, tier: FireTier) -> AttackCircumstances {
        let of = &self.path[place];
        // Only the road of a Dash is crossed (4.63).
        let PathSetting { rulebook, night, low_visibility, .. } = self.setting;
        let movement = match self.setting.movement {
            Movement::Dash if place > 0 => Movement::NonAssault,
            movement => movement,
        };
        AttackCircumstances {
            phase: tier.phase(),
            terrain: of.terrain,
            works: of.works_at_entry(),
            smoke: of.smoke,
            movement,
            mf: most_shots(self.path, place, rulebook),
            night,
            low_visibility,
            ..AttackCircumstances::default()
        }
    }
}
