//! A stack that moves under Defensive First Fire, sequence by sequence: which shots the markers
//! allow (8.1 - 8.31, 9.2), what each does to the stack (A.5) and to its firers, Residual FP (8.22),
//! and who goes on (4.2).

use std::collections::BTreeMap;

use super::firers::{directors, eligible_elements};
use super::outcomes::{Odds, WeaponFate, breakdowns, fp_left, random_selection, read_ift};
use super::reckoning::{Reckoning, TargetClass, reckon};
use super::{
    Attack, Counter, Firer, FiringLocation, HeldWeapon, Hexside, Movement, Phase, TargetState,
    Terrain, UnitKind,
};
use crate::twin::ift::{Effect, after_volley, effect, read_cell};
use crate::twin::tree::{Place, Stack};
use crate::twin::{Scene, TwinUnit};

/// Stacks with the chance of each.
type Mixture = Vec<(Stack, f64)>;

/// A Location of the path.
#[derive(Clone, Debug)]
pub struct CrossedLocation {
    pub terrain: Terrain,
    pub mf: i32,
    pub smoke: i32,
    pub residual: i64,
}

/// What a defender sees of a Location.
#[derive(Clone, Copy, Debug)]
pub struct CrossedSight {
    pub range: i32,
    pub hindrance: i32,
    pub hexside: Hexside,
}

/// A defender: MMC, at most one leader, and their MG.
#[derive(Clone, Debug)]
pub struct Defender {
    pub firers: Vec<Firer>,
    /// The ML of each unit.
    pub morale: Vec<i32>,
    pub sights: Vec<Option<CrossedSight>>,
    pub uses_fpf: bool,
}

/// A crossing: the units, the path, the defenders, and for each Location who fires, in order.
#[derive(Clone, Debug)]
pub struct Crossing {
    pub stack: Vec<(TwinUnit, Counter)>,
    pub path: Vec<CrossedLocation>,
    pub defenders: Vec<Defender>,
    pub fire: Vec<Vec<usize>>,
    pub is_assault: bool,
    pub is_concealed: bool,
    /// True if those who go on where others stop go on one by one.
    pub goes_on_apart: bool,
    pub elr: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    First,
    Final,
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Able,
    Pinned,
    Out,
}

/// An inherent FP (0) or a SW (from 1 on) of a firer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PartState {
    mark: Mark,
    shots: i32,
    is_directed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnitState {
    fate: Fate,
    parts: Vec<PartState>,
}

/// The next event: the entry of a Location with its Residual FP, a shot of the plan, the end of the
/// stay there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Enter,
    Shot(usize),
    Leave,
}

/// A sequence up to an event. The first members are in the order of time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// The unit that moves alone, from 1.
    leg: usize,
    place: usize,
    event: Event,
    stack: Stack,
    is_concealed: bool,
    defenders: Vec<Vec<UnitState>>,
    /// Those who wait in a Location, to go on alone.
    waiting: Vec<usize>,
    waits_in: usize,
    residual: Vec<i64>,
}

/// What becomes of the crossing.
#[derive(Clone, Debug, Default)]
pub struct Crossed {
    /// Slot (from 1), Location (from 0), status, counter.
    pub ends: BTreeMap<(usize, usize, String, String), f64>,
    /// The chance of each attack: who moves alone or 0, Location, 0 for Residual FP or the number
    /// of the shot from 1 on.
    pub made: BTreeMap<(usize, usize, usize), f64>,
    /// For each defender, that a unit is out, that the worst is a pin, that a SW malfunctions.
    pub firers: Vec<[f64; 3]>,
}

/// The parts that fire: unit, and 0 for its inherent FP or the number of the SW.
type Parts = Vec<(usize, usize)>;

fn has_inherent(firer: &Firer) -> bool {
    firer.counter.is_mmc()
}

/// Returns whether so many SW cost a unit its inherent FP (7.351, 7.352).
fn costs_inherent(firer: &Firer, weapons: usize) -> bool {
    weapons > usize::from(firer.counter.kind == UnitKind::Squad)
}

impl Crossing {
    fn start(&self) -> State {
        let scene = Scene::quiet();
        let units: Vec<TwinUnit> = self.stack.iter().map(|(unit, _)| unit.clone()).collect();
        let blank = PartState { mark: Mark::None, shots: 0, is_directed: false };
        let unit = |firer: &Firer| UnitState {
            fate: Fate::Able,
            parts: vec![blank; firer.weapons.len() + 1],
        };
        let of = |defender: &Defender| defender.firers.iter().map(unit).collect();
        State {
            leg: 0,
            place: 0,
            event: Event::Enter,
            stack: Stack::new(&units, Place::under_attack(self.elr, scene)),
            is_concealed: self.is_concealed,
            defenders: self.defenders.iter().map(of).collect(),
            waiting: Vec::new(),
            waits_in: 0,
            residual: self.path.iter().map(|location| location.residual).collect(),
        }
    }

    /// Plays all sequences to their end.
    pub fn play(&self) -> Crossed {
        let mut crossed =
            Crossed { firers: vec![[0.0; 3]; self.defenders.len()], ..Crossed::default() };
        let mut open = BTreeMap::from([(self.start(), 1.0)]);
        while let Some((state, chance)) = open.pop_first() {
            let next = match state.event {
                Event::Enter => self.enter(state, chance, &mut crossed),
                Event::Shot(number) => self.shoot(state, number, chance, &mut crossed),
                Event::Leave => self.leave(state, chance, &mut crossed),
            };
            for (state, share) in next {
                *open.entry(state).or_default() += chance * share;
            }
        }
        crossed
    }

    /// Enters a Location: concealment (12.14), then Residual FP (8.22).
    fn enter(&self, mut state: State, chance: f64, crossed: &mut Crossed) -> Vec<(State, f64)> {
        let of = &self.path[state.place];
        let sees = |(defender, units): (&Defender, &Vec<UnitState>)| {
            let sight = defender.sights[state.place].filter(|sight| sight.range <= 16);
            let is_able = units.iter().any(|unit| unit.fate != Fate::Out);
            sight.is_some_and(|sight| is_able && (!self.is_assault || is_open(of, sight)))
        };
        if self.defenders.iter().zip(&state.defenders).any(sees) {
            state.is_concealed = false;
        }
        let fp = state.residual[state.place];
        state.event = Event::Shot(0);
        if fp == 0 {
            return vec![(state, 1.0)];
        }
        *crossed.made.entry((state.leg, state.place, 0)).or_default() += chance;
        // 8.26: TEM of the hex, SMOKE, FFNAM, FFMO.
        let is_in_open = of.terrain.is_open_ground && of.terrain.tem <= 0 && of.smoke == 0;
        let drm = of.terrain.tem + of.smoke - i32::from(is_in_open) - i32::from(!self.is_assault);
        let slots = self.movers(&state);
        let mut next = Vec::new();
        for (coloured, white) in dice() {
            let effect = effect(fp as i32, drm, 0, coloured, white);
            for (stack, share) in after_volley(&state.stack, &[(slots.clone(), effect)]).iter() {
                let is_concealed = state.is_concealed && effect == Effect::Nothing;
                let stack = stack.clone();
                next.push((State { stack, is_concealed, ..state.clone() }, share / 36.0));
            }
        }
        next
    }

    /// Returns the slots of the units that are still moving.
    fn movers(&self, state: &State) -> Vec<usize> {
        let moves = |slot: &usize| {
            let unit = &state.stack.units[*slot];
            unit.in_location() && !unit.broken && !unit.pinned
        };
        (0..state.stack.units.len()).filter(moves).collect()
    }

    /// Returns the next shot of a defender (8.1, 8.3, 8.31): First Fire, else Subsequent First
    /// Fire, else FPF.
    fn shot(&self, state: &State, number: usize) -> Option<(Phase, Parts, Reckoning)> {
        let defender = &self.defenders[number];
        let units = &state.defenders[number];
        let sight = defender.sights[state.place]?;
        for phase in [Phase::First, Phase::Subsequent, Phase::Fpf] {
            let parts = match phase {
                Phase::First => self.unmarked(defender, units, sight, state.place),
                Phase::Fpf if !defender.uses_fpf || sight.range > 1 => Vec::new(),
                _ => self.marked(defender, units, (sight, state.place), phase),
            };
            if parts.is_empty() {
                continue;
            }
            let attack = self.attack(state, number, phase, &parts);
            let Some(reckoning) = reckon(&attack) else { continue };
            if reckoning.classes.iter().any(|class| class.column().is_some()) {
                return Some((phase, parts, reckoning));
            }
        }
        None
    }

    /// Returns the unmarked parts that reach the stack, without the inherent FP that SW cost.
    fn unmarked(
        &self,
        defender: &Defender,
        units: &[UnitState],
        sight: CrossedSight,
        place: usize,
    ) -> Parts {
        let mut parts = Parts::new();
        for (unit, (firer, state)) in defender.firers.iter().zip(units).enumerate() {
            let fires = |part: usize| {
                let range = if part == 0 {
                    firer.counter.range
                } else {
                    firer.weapons[part - 1].weapon.range
                };
                let of = state.parts[part];
                (part > 0 || has_inherent(firer))
                    && state.fate != Fate::Out
                    && of.mark == Mark::None
                    && sight.range <= 2 * range
                    && of.shots < self.path[place].mf
            };
            parts.extend(fired_by(firer, unit, fires));
        }
        parts
    }

    /// Returns the parts of each unit that fires as Subsequent First Fire or FPF with all its
    /// usable MG; the inherent FP that SW cost is there again (7.353).
    fn marked(
        &self,
        defender: &Defender,
        units: &[UnitState],
        (sight, place): (CrossedSight, usize),
        phase: Phase,
    ) -> Parts {
        let mut parts = Parts::new();
        for (unit, (firer, state)) in defender.firers.iter().zip(units).enumerate() {
            let has = |mark: Mark| state.parts.iter().any(|part| part.mark == mark);
            let marker = if phase == Phase::Fpf { Mark::Final } else { Mark::First };
            let is_marked = has(marker) && (phase == Phase::Fpf || !has(Mark::Final));
            if !is_marked || state.fate == Fate::Out || !firer.counter.is_mmc() {
                continue;
            }
            let usable = |part: usize| {
                let range = if part == 0 {
                    firer.counter.range
                } else {
                    firer.weapons[part - 1].weapon.range
                };
                let reach = if phase == Phase::Fpf { 2 * range } else { range };
                let mark = state.parts[part].mark;
                sight.range <= reach && mark != Mark::Lost && (part > 0 || mark == marker)
            };
            let fired: Parts = fired_by(firer, unit, usable);
            let is_spent =
                |(_, part): &(usize, usize)| state.parts[*part].shots >= self.path[place].mf;
            if !fired.iter().any(is_spent) {
                parts.extend(fired);
            }
        }
        parts
    }

    /// Returns the attack by some parts at the stack.
    fn attack(&self, state: &State, number: usize, phase: Phase, parts: &Parts) -> Attack {
        let defender = &self.defenders[number];
        let units = &state.defenders[number];
        let of = &self.path[state.place];
        let sight = defender.sights[state.place].unwrap();
        let is_barred = is_barred(units, phase, parts);
        let mut firers = Vec::new();
        for (unit, firer) in defender.firers.iter().enumerate() {
            if units[unit].fate == Fate::Out {
                continue;
            }
            let fires = |part: usize| parts.contains(&(unit, part));
            let mut firer = firer.clone();
            let held = std::mem::take(&mut firer.weapons);
            let held: Vec<HeldWeapon> = held
                .into_iter()
                .enumerate()
                .filter(|(place, _)| fires(place + 1))
                .map(|(_, held)| held)
                .collect();
            firer.weapons = held;
            firer.set("sw-only", !fires(0) && has_inherent(&firer));
            firer.set("pinned", units[unit].fate == Fate::Pinned);
            firer.set("no-direct", is_barred && firer.counter.is_leader());
            firers.push(firer);
        }
        let target = |unit: &crate::twin::Unit| TargetState {
            concealed: state.is_concealed,
            pinned: unit.pinned,
            broken: unit.broken,
            berserk: false,
        };
        let present = state.stack.units.iter().filter(|unit| unit.in_location());
        let counter = self.stack[0].1;
        Attack {
            locations: vec![FiringLocation {
                firers,
                range: sight.range,
                ..FiringLocation::default()
            }],
            target: present.map(|unit| (counter, target(unit))).collect(),
            phase,
            terrain: of.terrain,
            hexside: sight.hexside,
            hindrance: sight.hindrance,
            smoke: of.smoke,
            movement: if self.is_assault { Movement::Assault } else { Movement::NonAssault },
            mf: of.mf,
            ..Attack::default()
        }
    }

    /// Plays a shot of the plan, if it is possible.
    fn shoot(
        &self,
        mut state: State,
        number: usize,
        chance: f64,
        crossed: &mut Crossed,
    ) -> Vec<(State, f64)> {
        let planned = self.fire[state.place].get(number).copied();
        let Some(by) = planned.filter(|_| !self.movers(&state).is_empty()) else {
            state.event = Event::Leave;
            return vec![(state, 1.0)];
        };
        state.event = Event::Shot(number + 1);
        let Some((phase, parts, reckoning)) = self.shot(&state, by) else {
            return vec![(state, 1.0)];
        };
        *crossed.made.entry((state.leg, state.place, number + 1)).or_default() += chance;
        let directs =
            directors(&reckoning.attack, &eligible_elements(&reckoning.attack).0).is_some();
        let present: Vec<usize> = (0..state.stack.units.len())
            .filter(|slot| state.stack.units[*slot].in_location())
            .collect();
        // Targets that the attack affects alike are one class (A.5).
        let mut classes: Vec<(TargetClass, Vec<usize>)> = Vec::new();
        for class in &reckoning.classes {
            let slots = class.slots.iter().map(|slot| present[slot - 1]);
            let is_alike = |of: &TargetClass| of.fp == class.fp && of.drm == class.drm;
            match classes.iter_mut().find(|(known, _)| is_alike(known)) {
                Some((_, known)) => known.extend(slots),
                None => classes.push((class.clone(), slots.collect())),
            }
        }
        let mut struck: Vec<(Vec<Effect>, Mixture)> = Vec::new();
        let mut next: BTreeMap<State, f64> = BTreeMap::new();
        for (coloured, white) in dice() {
            let dr = coloured + white;
            let cowered = if coloured == white { reckoning.cowering } else { 0 };
            let effects: Vec<Effect> = classes
                .iter()
                .map(|(class, _)| {
                    match class.column().and_then(|column| column.checked_sub(cowered)) {
                        Some(column) => read_cell(match read_ift(column, dr + class.drm) {
                            "NE" => "-",
                            shown => shown,
                        }),
                        None => Effect::Nothing,
                    }
                })
                .collect();
            if struck.iter().all(|(known, _)| *known != effects) {
                let slots = classes.iter().map(|(_, slots)| slots.clone());
                let volley: Vec<_> = slots.zip(effects.iter().copied()).collect();
                let mix = after_volley(&state.stack, &volley);
                struck.push((effects.clone(), mix.into_branches()));
            }
            let ends = &struck.iter().find(|(known, _)| *known == effects).unwrap().1;
            let is_concealed =
                state.is_concealed && effects.iter().all(|effect| *effect == Effect::Nothing);
            for (after, share) in
                self.firers_after(&state, (by, phase), &parts, &reckoning, (coloured, white))
            {
                let mut state = State { is_concealed, ..after };
                if directs {
                    for &(unit, part) in &parts {
                        state.defenders[by][unit].parts[part].is_directed = true;
                    }
                }
                for (stack, of_stack) in ends {
                    let state = State { stack: stack.clone(), ..state.clone() };
                    *next.entry(state).or_default() += share * of_stack / 36.0;
                }
            }
        }
        next.into_iter().collect()
    }

    /// Returns what becomes of the firers, and the Residual FP, by an Original DR.
    fn firers_after(
        &self,
        state: &State,
        (by, phase): (usize, Phase),
        parts: &Parts,
        reckoning: &Reckoning,
        (coloured, white): (i32, i32),
    ) -> Vec<(State, f64)> {
        let defender = &self.defenders[by];
        let dr = coloured + white;
        let cowered = if coloured == white { reckoning.cowering } else { 0 };
        // The firers of the attack are those who are not out, in order.
        let units: Vec<usize> = (0..defender.firers.len())
            .filter(|unit| state.defenders[by][*unit].fate != Fate::Out)
            .collect();
        let weapons: Parts = parts.iter().copied().filter(|(_, part)| *part > 0).collect();
        let mut all: Odds<State> = Vec::new();
        let mut found = Vec::new();
        for (fates, odds) in breakdowns(&reckoning.weapons, dr) {
            let marks = random_selection(if cowered > 0 { reckoning.can_cower.len() } else { 0 });
            for (marks, of_marks) in marks {
                let marked: Vec<usize> = reckoning
                    .can_cower
                    .iter()
                    .zip(&marks)
                    .filter(|(_, is)| **is)
                    .map(|((_, firer), _)| units[*firer])
                    .collect();
                let mut fates: Vec<WeaponFate> = fates.clone();
                for ((fate, w), (unit, _)) in fates.iter_mut().zip(&reckoning.weapons).zip(&weapons)
                {
                    let is_lost = fate.malfunctions || fate.removed;
                    fate.keeps_rof = coloured <= w.rof && !is_lost && !marked.contains(unit);
                }
                let mut after = state.clone();
                if !state.waiting.is_empty() {
                    let left = fp_left(reckoning, &fates, true, cowered);
                    let lying = &mut after.residual[state.place];
                    *lying = left.max(*lying);
                }
                let of = &mut after.defenders[by];
                for (unit, firer) in defender.firers.iter().enumerate() {
                    let fired = parts.iter().filter(|(of, _)| *of == unit);
                    let weapons_fired = fired.clone().filter(|(_, part)| *part > 0).count();
                    let has_fired = fired.count() > 0;
                    for part in 0..of[unit].parts.len() {
                        let fires = parts.contains(&(unit, part));
                        let fate = weapons
                            .iter()
                            .position(|one| *one == (unit, part))
                            .map(|place| fates[place]);
                        let is_lost = fate.is_some_and(|fate| fate.malfunctions || fate.removed);
                        let keeps = fate.is_some_and(|fate| fate.keeps_rof);
                        let loses = part == 0 && costs_inherent(firer, weapons_fired);
                        let state = &mut of[unit].parts[part];
                        state.shots += i32::from(fires);
                        state.mark = match phase {
                            _ if state.mark == Mark::Lost || is_lost => Mark::Lost,
                            _ if marked.contains(&unit) => Mark::Final,
                            Phase::First if keeps => state.mark,
                            Phase::First if fires || loses => Mark::First,
                            Phase::First => state.mark,
                            _ if has_fired => Mark::Final,
                            _ => state.mark,
                        };
                    }
                    // 8.31: NMC by the Original DR; MMC without leadership.
                    if phase == Phase::Fpf && has_fired {
                        let level = defender.morale[unit];
                        of[unit].fate = match dr {
                            12 => Fate::Out,
                            _ if dr > level => Fate::Out,
                            _ if dr == level.min(11) => of[unit].fate.max(Fate::Pinned),
                            _ => of[unit].fate,
                        };
                    }
                }
                found.push((after, odds.times(of_marks)));
            }
        }
        for (state, odds) in found {
            match all.iter_mut().find(|(known, _)| *known == state) {
                Some((_, sum)) => *sum = sum.plus(odds),
                None => all.push((state, odds)),
            }
        }
        all.into_iter().map(|(state, odds)| (state, odds.value())).collect()
    }

    /// Leaves a Location: who stops is noted, the rest goes on together or one by one (4.2).
    fn leave(&self, mut state: State, chance: f64, crossed: &mut Crossed) -> Vec<(State, f64)> {
        let is_last = state.place + 1 == self.path.len();
        // The path costs at most the 4 MF of a squad; a wounded SMC has 3 (17.2).
        let needed: i32 = self.path.iter().take(state.place + 2).map(|of| of.mf).sum();
        let mut movers = self.movers(&state);
        movers.retain(|slot| needed <= 3 || !state.stack.units[*slot].wounded);
        let mut has_stopped = false;
        for slot in 0..state.stack.units.len() {
            let unit = state.stack.units[slot];
            if unit.left_behind || !is_last && movers.contains(&slot) {
                continue;
            }
            has_stopped = true;
            let status = match unit.status() {
                "good-order" if is_last => "arrived",
                status => status,
            };
            let key = (slot + 1, state.place, status.to_string(), unit.label());
            *crossed.ends.entry(key).or_default() += chance;
            state.stack.units[slot].left_behind = true;
        }
        for part in state.defenders.iter_mut().flatten().flat_map(|unit| &mut unit.parts) {
            part.shots = 0;
        }
        state.event = Event::Enter;
        let goes_on = !is_last && !movers.is_empty();
        if goes_on && !(self.goes_on_apart && state.leg == 0 && has_stopped && movers.len() > 1) {
            state.place += 1;
            return vec![(state, 1.0)];
        }
        if goes_on {
            state.waits_in = state.place;
            movers.iter().for_each(|&slot| state.stack.units[slot].left_behind = true);
            state.waiting = movers;
        }
        if state.waiting.is_empty() {
            self.note_firers(&state, chance, crossed);
            return Vec::new();
        }
        let slot = state.waiting.remove(0);
        state.stack.units[slot].left_behind = false;
        (state.leg, state.place) = (slot + 1, state.waits_in + 1);
        vec![(state, 1.0)]
    }

    fn note_firers(&self, state: &State, chance: f64, crossed: &mut Crossed) {
        for (noted, units) in crossed.firers.iter_mut().zip(&state.defenders) {
            let worst = units.iter().map(|unit| unit.fate).max().unwrap();
            let is_lost =
                units.iter().flat_map(|unit| &unit.parts).any(|part| part.mark == Mark::Lost);
            noted[0] += if worst == Fate::Out { chance } else { 0.0 };
            noted[1] += if worst == Fate::Pinned { chance } else { 0.0 };
            noted[2] += if is_lost { chance } else { 0.0 };
        }
    }
}

/// Returns the parts of a unit that fire, without the inherent FP that its SW cost.
fn fired_by(firer: &Firer, unit: usize, fires: impl Fn(usize) -> bool) -> Parts {
    let weapons: Parts =
        (1..=firer.weapons.len()).filter(|&part| fires(part)).map(|part| (unit, part)).collect();
    let has_inherent = has_inherent(firer) && fires(0) && !costs_inherent(firer, weapons.len());
    has_inherent.then_some((unit, 0)).into_iter().chain(weapons).collect()
}

/// Returns whether the leader has directed others in this Player Turn (7.53).
fn is_barred(units: &[UnitState], phase: Phase, parts: &Parts) -> bool {
    let is_directed = |unit: usize, part: usize| units[unit].parts[part].is_directed;
    let has_directed = units.iter().flat_map(|unit| &unit.parts).any(|part| part.is_directed);
    let knows = |(unit, part): &(usize, usize)| match phase {
        Phase::First => is_directed(*unit, *part),
        _ => (0..units[*unit].parts.len()).any(|part| is_directed(*unit, part)),
    };
    has_directed && !parts.iter().all(knows)
}

/// Returns whether a unit that moves there is in the open to a defender (4.6, 10.531).
fn is_open(of: &CrossedLocation, sight: CrossedSight) -> bool {
    of.terrain.is_open_ground
        && of.terrain.tem <= 0
        && of.smoke == 0
        && sight.hindrance == 0
        && sight.hexside == Hexside::None
}

fn dice() -> impl Iterator<Item = (i32, i32)> {
    (1..=6).flat_map(|coloured| (1..=6).map(move |white| (coloured, white)))
}
