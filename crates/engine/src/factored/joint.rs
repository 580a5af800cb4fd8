//! The joint states of all units, in place of a distribution of each along every course.
//!
//! Units in known states need no history: whatever led to equal joint states, they merge. So long
//! sequences of events have few of them where units have few states, however many courses there
//! are. Of one factor only the number of units in each state is kept. A report stands for all ways
//! of dealing these states out to its slots, which are equally likely as long as the slots are
//! interchangeable. They are not where it matters which unit is the first to answer a call, nor
//! with units that appear on the way, because their numbers follow the slots.
//!
//! A joint state is a shared state with a list of units, each known by its own part
//! ([`Factored::own_part`]). An event changes each unit by itself: a [`Change`] gives the own parts
//! that may follow. Most shared states make no difference to a unit: if no leader helps its Morale
//! Check, it does not matter why. So changes are numbered by what they do, not by the shared state
//! that led to them. What follows a list of units is computed once for equal changes, and only
//! chances are left to be added up for each joint state.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::number::add;
use super::random_selection::Lots;
use super::unit_paths::{Event, PathState, Waits};
use super::{
    AlikeUnits, Course, Distribution, Lottery, MOST_DRAWN, Number, Same, Stop, Trail, Tree,
    TreeError,
};
use crate::process::{CallOutcome, Factored, Process, RollOwner, Selection, Silent};

/// A unit: its factor in the upper 8 bits, the index of its own part there below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Unit(u32);

impl Unit {
    fn new(factor: usize, part: u32) -> Unit {
        Unit((factor as u32) << 24 | part)
    }

    fn factor(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// The number of joint states that are found in the time in which one is changed.
const FOLLOWERS: usize = 256;

/// The number of followers that are remembered, some 16 MB.
const MOST_KEPT: usize = 1 << 20;

/// Units in ascending order.
type Units = SmallVec<[Unit; 8]>;

/// The chance of each list of units, given by its index, beside one shared state.
type Lists<W> = Vec<(u32, W)>;

/// Chances that are being added up, by the index of a list of units.
struct Sums<W> {
    /// The sum of each list; zero for those not in `added`.
    all: Vec<W>,
    added: Vec<u32>,
}

impl<W: Number> Sums<W> {
    fn new() -> Self {
        Sums { all: Vec::new(), added: Vec::new() }
    }

    /// Adds the chance of a list; `None` on overflow.
    fn add(&mut self, list: u32, chance: W) -> Option<()> {
        let place = list as usize;
        if place >= self.all.len() {
            self.all.resize(place + 1, W::ZERO);
        }
        if self.all[place] == W::ZERO {
            self.added.push(list);
        }
        self.all[place] = self.all[place].plus(chance)?;
        Some(())
    }

    /// Takes out all sums, in the order in which their lists were first added.
    fn take(&mut self) -> Lists<W> {
        let all = &mut self.all;
        let sum = |list: u32| (list, std::mem::replace(&mut all[list as usize], W::ZERO));
        self.added.drain(..).map(sum).collect()
    }
}

/// The change of a unit by an event: each own part that may follow, with how many candidates of a
/// Random Selection the unit has and how many of them are drawn.
type Change<W> = Rc<[(Unit, Lottery, Same<W>)]>;

/// An event, as the units see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cause {
    Event(Event),
    /// A Random Selection with these candidates of the shared state drawn.
    Lots {
        common: u64,
    },
}

/// An event of all units beside one shared state.
#[derive(Clone, Copy)]
struct Step<W> {
    before: u32,
    /// The shared state after the event.
    after: u32,
    cause: Cause,
    lots: Option<Lots>,
    chance: W,
}

/// A number of units with equal changes: the number in the lower 8 bits, the index of the change
/// above. One number is compared faster than two.
type Alike = u32;

/// The changes of all units, and the Random Selection that they are part of.
type Changes = (SmallVec<[Alike; 8]>, Option<Lots>);

/// All joint states after the present event, and what is known of units and their changes.
struct Joint<P: Process, W: Number> {
    next: IndexMap<u32, Lists<W>, FxBuildHasher>,
    sums: Sums<W>,
    /// The own parts of the states of each factor.
    parts: Vec<IndexSet<P::State, FxBuildHasher>>,
    /// The index of the state of a unit beside a shared state.
    states: FxHashMap<(u32, Unit), u32>,
    lists: IndexSet<Units, FxBuildHasher>,
    changes: IndexSet<Change<W>, FxBuildHasher>,
    /// The index of the change that leads to a shared state from a state of a factor.
    known: FxHashMap<(u32, usize, u32, Cause), u32>,
    /// What follows some units with equal changes.
    of_alike: FxHashMap<Alike, Combinations<W>>,
    /// What follows a list of units, with its chance in a Random Selection.
    followers: FxHashMap<Changes, Rc<[(u32, W)]>>,
    /// The number of chances in `followers`, at most [`MOST_KEPT`].
    kept: usize,
}

/// Lists of units that may follow some alike units, with their results in a Random Selection.
type Combinations<W> = Rc<[(Units, Lottery, W)]>;

impl<P: Process, W: Number> Joint<P, W> {
    fn new(factors: usize) -> Self {
        Joint {
            next: IndexMap::default(),
            sums: Sums::new(),
            parts: (0..factors).map(|_| IndexSet::default()).collect(),
            states: FxHashMap::default(),
            lists: IndexSet::default(),
            changes: IndexSet::default(),
            known: FxHashMap::default(),
            of_alike: FxHashMap::default(),
            followers: FxHashMap::default(),
            kept: 0,
        }
    }

    /// Returns what follows some units with equal changes; `None` on overflow.
    fn combinations(&mut self, alike: Alike) -> Option<Combinations<W>> {
        if let Some(known) = self.of_alike.get(&alike) {
            return Some(known.clone());
        }
        let (change, units) = (&self.changes[(alike >> 8) as usize], alike & 0xff);
        let mut all: Distribution<(Units, Lottery), W> =
            Distribution::from_iter([((Units::new(), Lottery::default()), W::ONE)]);
        for _ in 0..units {
            let mut next = Distribution::default();
            for ((units, drawn), weight) in &all {
                for &(unit, more, Same(share)) in &**change {
                    let mut units = units.clone();
                    units.push(unit);
                    units.sort_unstable();
                    add(&mut next, (units, drawn.with(more)), weight.times(share)?)?;
                }
            }
            all = next;
        }
        let all = all.into_iter().map(|((units, drawn), weight)| (units, drawn, weight));
        let all: Combinations<W> = all.collect();
        self.of_alike.insert(alike, all.clone());
        Some(all)
    }

    /// Returns the lists of units that follow, given the changes of all units; `None` on overflow.
    fn followers(&mut self, changes: Changes) -> Option<Rc<[(u32, W)]>> {
        if let Some(known) = self.followers.get(&changes) {
            return Some(known.clone());
        }
        let (all, lots) = &changes;
        let parts: Option<Vec<_>> = all.iter().map(|&alike| self.combinations(alike)).collect();
        let mut all: Distribution<u32, W> = Distribution::default();
        let mut observe = |units: &[Unit], drawn, weight: W| {
            let odds = lots.map_or(Some(W::ONE), |lots| lots.odds(drawn))?;
            if odds == W::ZERO {
                return Some(());
            }
            let mut units = Units::from_slice(units);
            units.sort_unstable();
            let list = self.lists.insert_full(units).0 as u32;
            add(&mut all, list, weight.times(odds)?)
        };
        products(&parts?, &mut Units::new(), Lottery::default(), W::ONE, &mut observe)?;
        let all: Rc<[(u32, W)]> = all.into_iter().collect();
        self.kept += all.len();
        if self.kept > MOST_KEPT {
            self.followers.clear();
            self.kept = all.len();
        }
        self.followers.insert(changes, all.clone());
        Some(all)
    }
}

impl<P: Factored, W: Number> Tree<'_, P, W> {
    /// Plays out all joint states that are not dropped, and calls `visit` at each report.
    pub(super) fn play_joint(
        &mut self,
        start: &Course,
        visit: &mut impl FnMut(Stop<P, W>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let slots: Vec<Vec<u8>> = start.groups.iter().map(|group| group.slots.to_vec()).collect();
        let mut joint = Joint::new(self.alone.len());
        self.start_joint(start, &mut joint)?;
        while !joint.next.is_empty() {
            let mut reports: IndexMap<u32, Lists<W>, FxBuildHasher> = IndexMap::default();
            while !joint.next.is_empty() {
                for (common, lists) in self.earliest(&mut joint) {
                    let lists = self.without_dropped(lists)?;
                    match self.waits_of_common(common)? {
                        Waits::Over => {}
                        Waits::Report(_) => {
                            let of_common = reports.entry(common).or_default();
                            let mut all = of_common.drain(..).chain(lists);
                            all.try_for_each(|(list, chance)| joint.sums.add(list, chance))
                                .ok_or(TreeError::Overflow)?;
                            drop(all);
                            *of_common = joint.sums.take();
                        }
                        Waits::Common => self.roll_joint(common, &lists, &mut joint)?,
                        Waits::Lots { count, common: candidates } => {
                            self.draw_joint(common, &lists, (count, candidates), &mut joint)?;
                        }
                        Waits::Call => self.call_joint(common, &lists, &mut joint)?,
                        Waits::News => return Err(self.work.too_much()),
                    }
                }
            }
            for (common, lists) in reports {
                for &(list, chance) in &lists {
                    self.visit_joint((common, list, chance), &slots, &mut joint, visit)?;
                }
                self.pass_joint(common, &lists, &mut joint)?;
            }
        }
        Ok(())
    }

    /// Takes out the joint states in the earliest epoch: with all of them, later ones merge.
    fn earliest(&self, joint: &mut Joint<P, W>) -> IndexMap<u32, Lists<W>, FxBuildHasher> {
        let epoch = |common: u32| {
            let alone = self.common.as_ref()?;
            Some(alone.process.epoch(&alone.states[common as usize]))
        };
        let all = std::mem::take(&mut joint.next);
        let first = all.keys().map(|&common| epoch(common)).min().flatten();
        let (now, later) = all.into_iter().partition(|&(common, _)| epoch(common) == first);
        joint.next = later;
        now
    }

    fn without_dropped(&mut self, mut lists: Lists<W>) -> Result<Lists<W>, TreeError> {
        let mut result = Ok(());
        lists.retain(|(_, chance)| match self.drops(*chance) {
            Ok(is_dropped) => !is_dropped,
            Err(error) => {
                result = Err(error);
                true
            }
        });
        result.map(|()| lists)
    }

    fn waits_of_common(&self, common: u32) -> Result<Waits, TreeError> {
        let alone = self.common.as_ref().ok_or(TreeError::NotFactored)?;
        Ok(alone.waits[common as usize].0)
    }

    /// Adds the joint states with which the units begin: each has a distribution after its first
    /// rolls. Fails without a shared state, which alone makes for many courses.
    fn start_joint(&mut self, start: &Course, joint: &mut Joint<P, W>) -> Result<(), TreeError> {
        let Some(common) = start.common else { return Err(self.work.too_much()) };
        let mut all: Distribution<Units, W> = Distribution::from_iter([(Units::new(), W::ONE)]);
        for group in &start.groups {
            let spread = self.alone[group.factor].spreads[group.spread as usize].clone();
            for _ in &group.slots {
                let mut next = Distribution::default();
                for (units, weight) in &all {
                    for (PathState { state, .. }, Same(share)) in spread.iter() {
                        let mut units = units.clone();
                        units.push(self.unit_beside(common, (group.factor, *state), joint)?);
                        units.sort_unstable();
                        let weight = weight.times(*share).ok_or(TreeError::Overflow)?;
                        add(&mut next, units, weight).ok_or(TreeError::Overflow)?;
                    }
                }
                all = next;
            }
        }
        let list = |(units, weight)| (joint.lists.insert_full(units).0 as u32, weight);
        let all = all.into_iter().map(list).collect();
        joint.next.insert(common, all);
        Ok(())
    }

    /// Returns the unit in this state of a factor. Fails unless it waits for the same event as the
    /// shared state, which with the unit's own part gives its state.
    fn unit_beside(
        &mut self,
        common: u32,
        (factor, state): (usize, u32),
        joint: &mut Joint<P, W>,
    ) -> Result<Unit, TreeError> {
        let alone = &self.alone[factor];
        let part = alone.process.own_part(&alone.states[state as usize]);
        let unit = Unit::new(factor, joint.parts[factor].insert_full(part).0 as u32);
        let waits = alone.waits[state as usize].0;
        let known = *joint.states.entry((common, unit)).or_insert(state);
        match known == state && waits == self.waits_of_common(common)? {
            true => Ok(unit),
            false => Err(TreeError::NotFactored),
        }
    }

    fn roll_joint(
        &mut self,
        before: u32,
        lists: &[(u32, W)],
        joint: &mut Joint<P, W>,
    ) -> Result<(), TreeError> {
        for (class, &(reading, chance, after)) in self.rolled(before)?.iter().enumerate() {
            let cause = Cause::Event(Event::Roll { common: before, class });
            let step = Step { before, after, cause, lots: None, chance };
            self.follow(lists, step, joint, |process, state, _| {
                process.apply(state, reading, &mut Silent)
            })?;
        }
        Ok(())
    }

    fn draw_joint(
        &mut self,
        before: u32,
        lists: &[(u32, W)],
        (count, candidates): (u8, u8),
        joint: &mut Joint<P, W>,
    ) -> Result<(), TreeError> {
        if candidates > MOST_DRAWN {
            return Err(TreeError::NotFactored);
        }
        self.work.step()?;
        for common in 0..1u64 << candidates {
            let drawn = Selection { common, own: 0 };
            let after = self.after_joint(before, Event::Draw(drawn), |process, state| {
                process.draw(state, drawn);
            })?;
            let drawn = Lottery { candidates, drawn: common.count_ones() as u8 };
            let lots = Some(Lots { count, common: drawn });
            let step = Step { before, after, cause: Cause::Lots { common }, lots, chance: W::ONE };
            self.follow(lists, step, joint, |process, state, own| {
                process.draw(state, Selection { common, own });
            })?;
        }
        Ok(())
    }

    fn call_joint(
        &mut self,
        before: u32,
        lists: &[(u32, W)],
        joint: &mut Joint<P, W>,
    ) -> Result<(), TreeError> {
        self.work.step()?;
        let is_common = self.common.as_ref().is_some_and(|alone| alone.waits[before as usize].1);
        let (mut answered, mut silent) = (Lists::default(), Lists::default());
        for &(list, chance) in lists {
            let units = joint.lists[list as usize].iter();
            let mut states = units.map(|unit| (unit.factor(), joint.states[&(before, *unit)]));
            let first = states.find(|&(factor, state)| self.alone[factor].waits[state as usize].1);
            if let Some((factor, state)) = first.filter(|_| !is_common) {
                let mut after = |called| {
                    let call =
                        |process: &P, state: &mut P::State| process.resolve_call(state, called);
                    let factor = &mut self.alone[factor];
                    factor.after(state, Some(Event::Call(called)), &call, &mut self.work)
                };
                if after(CallOutcome::First)? != after(CallOutcome::Another)? {
                    return Err(self.work.too_much());
                }
            }
            let side = if is_common || first.is_some() { &mut answered } else { &mut silent };
            side.push((list, chance));
        }
        for (called, lists) in [(CallOutcome::Another, answered), (CallOutcome::Nobody, silent)] {
            let event = Event::Call(called);
            let call = |process: &P, state: &mut P::State| process.resolve_call(state, called);
            let after = self.after_joint(before, event, call)?;
            let cause = Cause::Event(event);
            let step = Step { before, after, cause, lots: None, chance: W::ONE };
            self.follow(&lists, step, joint, |process, state, _| call(process, state))?;
        }
        Ok(())
    }

    fn pass_joint(
        &mut self,
        before: u32,
        lists: &[(u32, W)],
        joint: &mut Joint<P, W>,
    ) -> Result<(), TreeError> {
        let pass = |process: &P, state: &mut P::State| process.pass(state, &mut Silent);
        let after = self.after_joint(before, Event::Pass, pass)?;
        if self.waits_of_common(after)? == Waits::Over {
            return Ok(());
        }
        let cause = Cause::Event(Event::Pass);
        let step = Step { before, after, cause, lots: None, chance: W::ONE };
        self.follow(lists, step, joint, |process, state, _| pass(process, state))
    }

    fn after_joint(
        &mut self,
        before: u32,
        event: Event,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<u32, TreeError> {
        self.common_changed(Some(before), Some(event), change)?.ok_or(TreeError::NotFactored)
    }

    /// Adds the joint states after a change of all units beside one shared state.
    fn follow(
        &mut self,
        lists: &[(u32, W)],
        step: Step<W>,
        joint: &mut Joint<P, W>,
        change: impl Fn(&P, &mut P::State, u64),
    ) -> Result<(), TreeError> {
        let mut sums = std::mem::replace(&mut joint.sums, Sums::new());
        let mut earlier = joint.next.swap_remove(&step.after).into_iter().flatten();
        earlier.try_for_each(|(list, chance)| sums.add(list, chance)).ok_or(TreeError::Overflow)?;
        let mut changes: FxHashMap<Unit, u32> = FxHashMap::default();
        let mut added = 0;
        for &(list, chance) in lists {
            let mut all: SmallVec<[Alike; 8]> = SmallVec::new();
            let units = joint.lists[list as usize].clone();
            for alike in units.chunk_by(|one, other| one == other) {
                let number = match changes.get(&alike[0]) {
                    Some(known) => *known,
                    None => {
                        let new = self.change(alike[0], step, joint, &change)?;
                        *changes.entry(alike[0]).or_insert(new)
                    }
                };
                all.push(number << 8 | alike.len() as u32);
            }
            let chance = chance.times(step.chance).ok_or(TreeError::Overflow)?;
            let followers = joint.followers((all, step.lots)).ok_or(TreeError::Overflow)?;
            for &(list, share) in &*followers {
                let chance = chance.times(share).ok_or(TreeError::Overflow)?;
                sums.add(list, chance).ok_or(TreeError::Overflow)?;
            }
            added += followers.len();
        }
        let next = sums.take();
        if !next.is_empty() {
            joint.next.insert(step.after, next);
        }
        joint.sums = sums;
        self.work.steps(added / FOLLOWERS)
    }

    /// Returns the index of the change of a unit.
    fn change(
        &mut self,
        unit: Unit,
        Step { before, after, cause, .. }: Step<W>,
        joint: &mut Joint<P, W>,
        change: &impl Fn(&P, &mut P::State, u64),
    ) -> Result<u32, TreeError> {
        let (place, state) = (unit.factor(), joint.states[&(before, unit)]);
        let key = (after, place, state, cause);
        if let Some(known) = joint.known.get(&key) {
            return Ok(*known);
        }
        let factor = &self.alone[place];
        let own = match (cause, factor.process.turn(&factor.states[state as usize])) {
            (Cause::Lots { .. }, RollOwner::Lots { own, .. }) => own.min(MOST_DRAWN),
            _ => 0,
        };
        let mut all = Vec::new();
        for set in 0..1u64 << own {
            let drawn = Lottery { candidates: own, drawn: set.count_ones() as u8 };
            let event = match cause {
                Cause::Event(event) => event,
                Cause::Lots { common } => Event::Draw(Selection { common, own: set }),
            };
            let change = |process: &P, state: &mut P::State| change(process, state, set);
            let factor = &mut self.alone[place];
            let followers = factor.after(state, Some(event), &change, &mut self.work)?;
            for &(next, share) in &*followers {
                let factor = &self.alone[place];
                if !factor.process.spawned(&factor.states[next as usize]).is_empty() {
                    return Err(self.work.too_much());
                }
                all.push((self.unit_beside(after, (place, next), joint)?, drawn, Same(share)));
            }
        }
        let number = joint.changes.insert_full(all.into()).0 as u32;
        joint.known.insert(key, number);
        Ok(number)
    }

    fn visit_joint(
        &mut self,
        (common, list, chance): (u32, u32, W),
        slots: &[Vec<u8>],
        joint: &mut Joint<P, W>,
        visit: &mut impl FnMut(Stop<P, W>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let mut groups: Vec<AlikeUnits> = Vec::new();
        let mut left: Vec<_> = slots.iter().map(|slots| slots.iter()).collect();
        for alike in joint.lists[list as usize].chunk_by(|one, other| one == other) {
            let (factor, state) = (alike[0].factor(), joint.states[&(common, alike[0])]);
            let point = vec![(PathState { state, past: 0 }, Same(W::ONE))];
            let spread = self.alone[factor].spread(point)?;
            let slots = left[factor].by_ref().take(alike.len()).copied().collect();
            groups.push(AlikeUnits { factor, slots, spread });
        }
        let course =
            Course { lots: SmallVec::new(), common: Some(common), trail: Trail::new(), groups };
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
