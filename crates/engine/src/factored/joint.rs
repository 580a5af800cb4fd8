//! The joint states of all units, in place of a distribution of each along every course.
//!
//! Units in known states need no history: whatever led to equal joint states, they merge. So long
//! sequences of events have few of them where units have few states, however many courses there
//! are. Of one factor only the number of units in each state is kept. A report stands for all ways
//! of dealing these states out to its slots, which are equally likely as long as the slots are
//! interchangeable. They are not where it matters which unit is the first to answer a call, nor
//! with units that appear on the way, because their numbers follow the slots.
//!
//! An event changes each unit by itself. What becomes of `k` units in one state is a distribution
//! over combinations of states. It is computed once, one unit at a time, and the joint states that
//! follow are the products of these over all states that units are in.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::number::add;
use super::random_selection::Lots;
use super::unit_paths::{Event, PathState, Waits};
use super::{
    AlikeUnits, Course, Distribution, Lottery, MOST_DRAWN, Number, Same, Stop, Trail, Tree,
    TreeError,
};
use crate::process::{CallOutcome, Factored, RollOwner, Selection, Silent};

/// A unit in a known state: its factor in the upper 8 bits, the index of its state there below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Unit(u32);

impl Unit {
    fn new(factor: usize, state: u32) -> Unit {
        Unit((factor as u32) << 24 | state)
    }

    fn factor(self) -> usize {
        (self.0 >> 24) as usize
    }

    fn state(self) -> u32 {
        self.0 & 0xff_ffff
    }
}

/// The number of joint states that are found in the time in which one is changed.
const FOLLOWERS: usize = 32;

/// Units in ascending order.
type Units = SmallVec<[Unit; 8]>;

/// The shared state, if there is one, and all further units.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Joint {
    common: Option<u32>,
    units: Units,
}

/// What becomes of some units that are alike: combinations of states, with how many candidates of a
/// Random Selection are among these and how many of them are drawn.
type Combinations<W> = Rc<[(Units, Lottery, W)]>;

/// An event, as the units see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Change {
    Event(Event),
    /// A Random Selection with these candidates of the shared state drawn.
    Lots {
        common: u64,
    },
}

/// The joint states after the present event, at a report, and combinations that are known.
struct Level<W> {
    next: Distribution<Joint, W>,
    known: FxHashMap<(Unit, usize, Change), Combinations<W>>,
}

impl<P: Factored, W: Number> Tree<'_, P, W> {
    /// Plays out all joint states that are not dropped, and calls `visit` at each report.
    pub(super) fn play_joint(
        &mut self,
        start: &Course,
        visit: &mut impl FnMut(Stop<P, W>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let slots: Vec<Vec<u8>> = start.groups.iter().map(|group| group.slots.to_vec()).collect();
        let mut level = Level { next: Distribution::default(), known: FxHashMap::default() };
        self.start_joint(start, &mut level)?;
        while !level.next.is_empty() {
            let mut reports: Distribution<Joint, W> = Distribution::default();
            while !level.next.is_empty() {
                for (joint, chance) in std::mem::take(&mut level.next) {
                    if self.drops(chance)? {
                        continue;
                    }
                    match self.joint_waits(&joint)? {
                        Waits::Over => {}
                        Waits::Report(_) => {
                            add(&mut reports, joint, chance).ok_or(TreeError::Overflow)?;
                        }
                        Waits::Common => self.roll_joint(&joint, chance, &mut level)?,
                        Waits::Lots { count, common } => {
                            self.draw_joint(&joint, chance, (count, common), &mut level)?;
                        }
                        Waits::Call => self.call_joint(&joint, chance, &mut level)?,
                        Waits::News => return Err(self.work.too_much()),
                    }
                }
            }
            for (joint, chance) in reports {
                self.visit_joint(&joint, chance, &slots, visit)?;
                self.pass_joint(&joint, chance, &mut level)?;
            }
        }
        Ok(())
    }

    /// Adds the joint states with which the units begin: each has a distribution after its first
    /// rolls.
    fn start_joint(&mut self, start: &Course, level: &mut Level<W>) -> Result<(), TreeError> {
        let mut all: Distribution<Units, W> = Distribution::from_iter([(Units::new(), W::ONE)]);
        for group in &start.groups {
            let spread = self.alone[group.factor].spreads[group.spread as usize].clone();
            for _ in &group.slots {
                let mut next = Distribution::default();
                for (units, weight) in &all {
                    for (PathState { state, .. }, Same(share)) in spread.iter() {
                        let mut units = units.clone();
                        units.push(Unit::new(group.factor, *state));
                        units.sort_unstable();
                        let weight = weight.times(*share).ok_or(TreeError::Overflow)?;
                        add(&mut next, units, weight).ok_or(TreeError::Overflow)?;
                    }
                }
                all = next;
            }
        }
        let joint = |(units, weight)| (Joint { common: start.common, units }, weight);
        level.next = all.into_iter().map(joint).collect();
        Ok(())
    }

    /// Returns the event for which a unit waits, and whether it answers a call.
    fn unit_waits(&self, unit: Unit) -> (Waits, bool) {
        self.alone[unit.factor()].waits[unit.state() as usize]
    }

    fn joint_waits(&self, joint: &Joint) -> Result<Waits, TreeError> {
        let common = self.common.as_ref().zip(joint.common);
        let common = common.map(|(alone, state)| alone.waits[state as usize].0);
        let own = joint.units.iter().map(|&unit| self.unit_waits(unit).0);
        let mut all = common.into_iter().chain(own);
        let first = all.next().unwrap_or(Waits::Over);
        if all.all(|other| other == first) { Ok(first) } else { Err(TreeError::NotFactored) }
    }

    fn roll_joint(
        &mut self,
        joint: &Joint,
        chance: W,
        level: &mut Level<W>,
    ) -> Result<(), TreeError> {
        let common = joint.common.ok_or(TreeError::NotFactored)?;
        for (class, &(reading, share, after)) in self.rolled(common)?.iter().enumerate() {
            let event = Change::Event(Event::Roll { common, class });
            let chance = chance.times(share).ok_or(TreeError::Overflow)?;
            self.follow(
                joint,
                (Some(after), chance),
                (event, None),
                level,
                |process, state, _| process.apply(state, reading, &mut Silent),
            )?;
        }
        Ok(())
    }

    fn draw_joint(
        &mut self,
        joint: &Joint,
        chance: W,
        (count, candidates): (u8, u8),
        level: &mut Level<W>,
    ) -> Result<(), TreeError> {
        if candidates > MOST_DRAWN {
            return Err(TreeError::NotFactored);
        }
        self.work.step()?;
        for common in 0..1u64 << candidates {
            let drawn = Selection { common, own: 0 };
            let event = Some(Event::Draw(drawn));
            let after = self.common_changed(joint.common, event, |process, state| {
                process.draw(state, drawn);
            })?;
            let drawn = Lottery { candidates, drawn: common.count_ones() as u8 };
            let lots = Some(Lots { count, common: drawn });
            let change = (Change::Lots { common }, lots);
            self.follow(joint, (after, chance), change, level, |process, state, own| {
                process.draw(state, Selection { common, own });
            })?;
        }
        Ok(())
    }

    fn call_joint(
        &mut self,
        joint: &Joint,
        chance: W,
        level: &mut Level<W>,
    ) -> Result<(), TreeError> {
        self.work.step()?;
        let common = self.common.as_ref().zip(joint.common);
        let is_common = common.is_some_and(|(alone, state)| alone.waits[state as usize].1);
        let first = joint.units.iter().find(|unit| self.unit_waits(**unit).1);
        if let Some(unit) = first.filter(|_| !is_common) {
            let mut after = |called| {
                let call = |process: &P, state: &mut P::State| process.resolve_call(state, called);
                let factor = &mut self.alone[unit.factor()];
                factor.after(unit.state(), Some(Event::Call(called)), &call, &mut self.work)
            };
            if after(CallOutcome::First)? != after(CallOutcome::Another)? {
                return Err(self.work.too_much());
            }
        }
        let is_answered = is_common || first.is_some();
        let called = if is_answered { CallOutcome::Another } else { CallOutcome::Nobody };
        let event = Event::Call(called);
        let call = |process: &P, state: &mut P::State| process.resolve_call(state, called);
        let after = self.common_changed(joint.common, Some(event), call)?;
        let change = (Change::Event(event), None);
        self.follow(joint, (after, chance), change, level, |process, state, _| call(process, state))
    }

    fn pass_joint(
        &mut self,
        joint: &Joint,
        chance: W,
        level: &mut Level<W>,
    ) -> Result<(), TreeError> {
        let pass = |process: &P, state: &mut P::State| process.pass(state, &mut Silent);
        let after = self.common_changed(joint.common, Some(Event::Pass), pass)?;
        if let Some((alone, state)) = self.common.as_ref().zip(after)
            && alone.waits[state as usize].0 == Waits::Over
        {
            return Ok(());
        }
        let change = (Change::Event(Event::Pass), None);
        self.follow(joint, (after, chance), change, level, |process, state, _| pass(process, state))
    }

    /// Adds the joint states after a change of all units; `common` is the shared state after it.
    fn follow(
        &mut self,
        joint: &Joint,
        (common, chance): (Option<u32>, W),
        (event, lots): (Change, Option<Lots>),
        level: &mut Level<W>,
        change: impl Fn(&P, &mut P::State, u64),
    ) -> Result<(), TreeError> {
        let mut parts: SmallVec<[Combinations<W>; 8]> = SmallVec::new();
        for alike in joint.units.chunk_by(|one, other| one == other) {
            let key = (alike[0], alike.len(), event);
            let combinations = match level.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let new = self.combinations(key, &change)?;
                    level.known.entry(key).or_insert(new).clone()
                }
            };
            parts.push(combinations);
        }
        let mut followers = 0;
        let mut observe = |units: &[Unit], drawn, weight: W| {
            followers += 1;
            let odds = lots.map_or(Some(W::ONE), |lots| lots.odds(drawn))?;
            if odds == W::ZERO {
                return Some(());
            }
            let mut units = Units::from_slice(units);
            units.sort_unstable();
            add(&mut level.next, Joint { common, units }, weight.times(odds)?)
        };
        products(&parts, &mut Units::new(), Lottery::default(), chance, &mut observe)
            .ok_or(TreeError::Overflow)?;
        self.work.steps(followers / FOLLOWERS)
    }

    /// Computes what becomes of some units in one state.
    fn combinations(
        &mut self,
        (unit, units, event): (Unit, usize, Change),
        change: &impl Fn(&P, &mut P::State, u64),
    ) -> Result<Combinations<W>, TreeError> {
        let (factor, state) = (&mut self.alone[unit.factor()], unit.state());
        let own = match (event, factor.process.turn(&factor.states[state as usize])) {
            (Change::Lots { .. }, RollOwner::Lots { own, .. }) => own.min(MOST_DRAWN),
            _ => 0,
        };
        let mut of_one = Vec::new();
        for set in 0..1u64 << own {
            let drawn = Lottery { candidates: own, drawn: set.count_ones() as u8 };
            let event = match event {
                Change::Event(event) => event,
                Change::Lots { common } => Event::Draw(Selection { common, own: set }),
            };
            let change = |process: &P, state: &mut P::State| change(process, state, set);
            for &(next, share) in &*factor.after(state, Some(event), &change, &mut self.work)? {
                if !factor.process.spawned(&factor.states[next as usize]).is_empty() {
                    return Err(self.work.too_much());
                }
                of_one.push((Unit::new(unit.factor(), next), drawn, share));
            }
        }
        let mut all: Distribution<(Units, Lottery), W> =
            Distribution::from_iter([((Units::new(), Lottery::default()), W::ONE)]);
        for _ in 0..units {
            let mut next = Distribution::default();
            for ((units, drawn), weight) in &all {
                for &(unit, more, share) in &of_one {
                    let mut units = units.clone();
                    units.push(unit);
                    units.sort_unstable();
                    let weight = weight.times(share).ok_or(TreeError::Overflow)?;
                    add(&mut next, (units, drawn.with(more)), weight).ok_or(TreeError::Overflow)?;
                }
            }
            all = next;
        }
        Ok(all.into_iter().map(|((units, drawn), weight)| (units, drawn, weight)).collect())
    }

    fn visit_joint(
        &mut self,
        joint: &Joint,
        chance: W,
        slots: &[Vec<u8>],
        visit: &mut impl FnMut(Stop<P, W>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let mut groups: Vec<AlikeUnits> = Vec::new();
        let mut left: Vec<_> = slots.iter().map(|slots| slots.iter()).collect();
        for alike in joint.units.chunk_by(|one, other| one == other) {
            let (factor, state) = (alike[0].factor(), alike[0].state());
            let point = vec![(PathState { state, past: 0 }, Same(W::ONE))];
            let spread = self.alone[factor].spread(point)?;
            let slots = left[factor].by_ref().take(alike.len()).copied().collect();
            groups.push(AlikeUnits { factor, slots, spread });
        }
        let course =
            Course { lots: SmallVec::new(), common: joint.common, trail: Trail::new(), groups };
        visit(self.stop(&course, chance)?)
    }
}

/// Calls `observe` with every product of one combination of each part, after `units` with `drawn`;
/// `None` on overflow.
fn products<W: Number>(
    parts: &[Combinations<W>],
    units: &mut Units,
    drawn: Lottery,
    weight: W,
    observe: &mut impl FnMut(&[Unit], Lottery, W) -> Option<()>,
) -> Option<()> {
    let Some((part, others)) = parts.split_first() else { return observe(units, drawn, weight) };
    let before = units.len();
    for (own, more, share) in &**part {
        units.extend_from_slice(own);
        products(others, units, drawn.with(*more), weight.times(*share)?, observe)?;
        units.truncate(before);
    }
    Some(())
}
