//! The joint distribution of units that affect each other only through state they share.
//!
//! Two leaders and ten squads under attack have far too many joint outcomes to list. But squads
//! affect no other unit. Only a part of the state links the units, the *shared state*: the leaders.
//!
//! # Why the course of the shared state is the condition
//!
//! A question that factorises ([`Factorization`]) has one process of the shared state, and one of
//! each further unit with the shared state. In all of them the shared state rolls alike. A unit's
//! own rolls depend only on the shared state and the unit itself. Dice are independent. So the
//! shared state evolves by itself, and *given its whole course* the units are independent.
//!
//! The condition is the course, not its last state: leaders who broke before or after the squads
//! checked end alike, but affected them differently. Courses form a tree, played out roll by roll.
//! Along each course, every unit is a distribution over its own states, which only its own rolls
//! change. At a report, the joint odds are the products of these distributions, summed over
//! courses. Courses with equal states and distributions there have equal futures, and are merged.
//!
//! Two kinds of events involve all units. The tree branches on their results.
//!
//! A *call* asks all units in the order of their slots, until one answers. The first unit to answer
//! may do something, such as a Self-Rally, or a step happens if any unit answers. Unit `k` is first
//! if its own state answers and that of no unit before it does. These are conditions on single
//! units, so the units stay independent given `k`. What follows concerns the first unit alone. Its
//! outcome is then merged into all states, with one branch for each effect on the shared state.
//!
//! A Random Selection (its odds are in `random_selection.rs`) branches on the set of candidates
//! drawn within the shared state. For a unit all results are kept: its candidates, and how many are
//! drawn. The probability of the selection is multiplied in at the report, where both are known.
//!
//! After many events nearly every course ends in distributions of its own, and few merge. Where
//! that makes too many courses, the joint states of the units may be few enough: see `joint.rs`.
//!
//! Where there are too many courses, those with less than a given chance may be dropped. What a
//! report then gathers is too small by at most their chance.

mod joint;
mod number;
mod random_selection;
mod unit_paths;

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::exact::Bound;
use super::process::{
    CallOutcome, Due, Factored, Factorization, Process, ReportIndex, RollOwner, Selection, Silent,
};
use super::{EngineError, roll_classes};
pub use number::{Distribution, Number, Same, add};
pub use random_selection::{Lots, Lotteries, Lottery};
use unit_paths::{Event, OneUnit, Pasts, PathState, Waits, Work};
pub use unit_paths::{Past, Trail};

/// A group of units of one factor with equal distributions along a course (of the shared state).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AlikeUnits {
    /// The 0-based index of the factor in the factorisation.
    pub factor: usize,
    /// The 1-based slots (places in the list of units) of the units.
    pub slots: SmallVec<[u8; 8]>,
    /// The 0-based index of their distribution among all distributions of the factor.
    pub spread: u32,
}

/// A report, with the courses (of the shared state) that reach it in equal states.
pub struct Stop<'a, P: Process, W> {
    pub point: ReportIndex,
    /// The probability of the courses at this report, without that of their Random Selections.
    pub chance: W,
    /// The Random Selections on the way, whose probability has to be multiplied in.
    pub lots: &'a [Lots],
    /// The state that all units share; `None` if they share nothing.
    pub common: Option<&'a P::State>,
    /// The numbers that the caller's `mark` has given the shared state at earlier reports.
    pub trail: &'a Trail,
    /// The units outside the shared state, grouped by distribution.
    pub groups: &'a [AlikeUnits],
    alone: &'a [OneUnit<'a, P, W>],
    pasts: &'a Pasts,
}

impl<'a, P: Process, W: Number> Stop<'a, P, W> {
    /// Returns the distribution of a group: each history and state with its probability.
    pub fn spread(&self, group: &AlikeUnits) -> impl Iterator<Item = (&'a Past, &'a P::State, W)> {
        let (factor, pasts) = (&self.alone[group.factor], self.pasts);
        let spread = factor.spreads[group.spread as usize].iter();
        spread.map(|(stand, weight)| {
            (&pasts[stand.past as usize], &*factor.states[stand.state as usize], weight.0)
        })
    }
}

/// The reason why the courses of a factorisation could not be played to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// A fraction exceeds 128 bits.
    Overflow,
    /// The factorisation does not hold: for example, units wait for different events.
    NotFactored,
    Engine(EngineError),
}

impl From<EngineError> for TreeError {
    fn from(error: EngineError) -> TreeError {
        match error {
            EngineError::OpenChoice => TreeError::NotFactored,
            error => TreeError::Engine(error),
        }
    }
}

/// What it took to play out the courses of a factorisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The number of states and courses processed.
    pub states: usize,
    /// An upper bound of the chance of all dropped courses.
    pub dropped: f64,
    /// True if joint states were followed: see [`Manner::joint`].
    pub is_joint: bool,
}

/// The way in which courses are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// The courses that are not followed; `None` to follow all.
    pub dropping: Option<Dropping>,
    /// True to follow joint states of all units instead of distributions of each. A report then
    /// tells how many units of a factor are alike, but not in which of its slots, and nothing of
    /// earlier reports.
    pub joint: bool,
}

/// The courses that are not followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropping {
    /// The chance below which a course is dropped.
    pub below: f64,
    /// The largest chance of all that may be dropped.
    pub at_most: f64,
}

/// Plays out every course of the shared state that is not dropped, and calls `visit` at each
/// report. There `mark` may give each state a number to remember.
///
/// # Errors
///
/// Fails with [`TreeError::Overflow`] if a fraction does not fit, with [`TreeError::NotFactored`]
/// if the factorisation does not hold, and with [`TreeError::Engine`] beyond `bound`, if too
/// much is dropped, or if cancelled. Joint states also fail so where the slots of a factor are not
/// interchangeable, and in fractions with [`TreeError::Overflow`].
pub fn play<P: Factored, W: Number>(
    factorization: &Factorization<P>,
    bound: Bound,
    Manner { dropping, joint }: Manner,
    mark: impl Fn(&P, &P::State) -> Option<u8>,
    visit: &mut impl FnMut(Stop<P, W>) -> Result<(), TreeError>,
) -> Result<Played, TreeError> {
    let work = Work { bound, worked: 0 };
    let mut tree = Tree {
        work,
        dropping,
        dropped: 0.0,
        common: factorization.common.as_ref().map(OneUnit::new),
        alone: factorization.factors.iter().map(|factor| OneUnit::new(&factor.process)).collect(),
        rolls: FxHashMap::default(),
        moved: FxHashMap::default(),
        pasts: IndexSet::from_iter([Past::default()]),
    };
    let start = tree.start(factorization)?;
    if joint {
        // Constants of the types: what they do not need is not compiled for them.
        if W::IS_FRACTION || !P::SHARES_STATE {
            return Err(TreeError::Overflow);
        }
        tree.play_joint(&start, visit)?;
    }
    let mut level: Level<W> = Distribution::default();
    level.extend((!joint).then_some((start, W::ONE)));
    while !level.is_empty() {
        let mut reports = Level::default();
        let (before, all) = (tree.work.worked, level.len());
        for (played, (course, chance)) in level.into_iter().enumerate() {
            tree.work.foresee(before, played, all)?;
            tree.play(course, chance, &mut reports)?;
        }
        level = Level::default();
        for (course, chance) in reports {
            visit(tree.stop(&course, chance)?)?;
            if let Some(next) = tree.passed(course, &mark)? {
                add(&mut level, next, chance).ok_or(TreeError::Overflow)?;
            }
        }
    }
    Ok(Played { states: tree.work.worked, dropped: tree.dropped, is_joint: joint })
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Course {
    lots: SmallVec<[Lots; 1]>,
    common: Option<u32>,
    trail: Trail,
    groups: Vec<AlikeUnits>,
}

type Level<W> = Distribution<Course, W>;

/// The readings of a roll of the shared state, with probabilities and indices of the next states.
type Rolled<P, W> = Rc<[(<P as Process>::Reading, W, u32)]>;

struct Tree<'a, P: Process, W> {
    work: Work<'a>,
    dropping: Option<Dropping>,
    dropped: f64,
    common: Option<OneUnit<'a, P, W>>,
    alone: Vec<OneUnit<'a, P, W>>,
    rolls: FxHashMap<u32, Rolled<P, W>>,
    /// The shared state after each event.
    moved: FxHashMap<(u32, Event), u32>,
    pasts: Pasts,
}

impl<P: Factored, W: Number> Tree<'_, P, W> {
    fn start(&mut self, factorization: &Factorization<P>) -> Result<Course, TreeError> {
        let common = self.common_after(|process| process.start(&mut Silent))?;
        let mut groups = Vec::new();
        for (place, (factor, alone)) in
            factorization.factors.iter().zip(&mut self.alone).enumerate()
        {
            let start = alone.process.start(&mut Silent);
            let stand = |&(state, weight): &(u32, W)| (PathState { state, past: 0 }, Same(weight));
            let spread = alone.settled(start, &mut self.work)?.iter().map(stand).collect();
            let slots = SmallVec::from_slice(&factor.slots);
            groups.push(AlikeUnits { factor: place, slots, spread: alone.spread(spread)? });
        }
        Ok(Course { lots: SmallVec::new(), common, trail: Trail::new(), groups })
    }

    fn common_after(&mut self, state: impl Fn(&P) -> P::State) -> Result<Option<u32>, TreeError> {
        let Some(common) = &mut self.common else { return Ok(None) };
        let state = state(common.process);
        Ok(Some(common.number(state)?))
    }

    fn common_changed(
        &mut self,
        common: Option<u32>,
        event: Option<Event>,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<Option<u32>, TreeError> {
        let Some((alone, number)) = self.common.as_mut().zip(common) else { return Ok(None) };
        let event = event.map(|event| (number, event));
        if let Some(known) = event.as_ref().and_then(|event| self.moved.get(event)) {
            return Ok(Some(*known));
        }
        let mut state = P::State::clone(&alone.states[number as usize]);
        change(alone.process, &mut state);
        let next = alone.number(state)?;
        self.moved.extend(event.map(|event| (event, next)));
        Ok(Some(next))
    }

    fn changed(
        &mut self,
        course: &Course,
        event: Option<Event>,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<Course, TreeError> {
        let common = self.common_changed(course.common, event, &change)?;
        let mut next = Course { common, ..course.clone() };
        self.all_changed(&mut next.groups, event, change)?;
        Ok(next)
    }

    fn all_changed(
        &mut self,
        groups: &mut Vec<AlikeUnits>,
        event: Option<Event>,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<(), TreeError> {
        for group in groups.iter_mut() {
            self.one_changed(group, event, &change)?;
        }
        joined(groups);
        Ok(())
    }

    fn one_changed(
        &mut self,
        group: &mut AlikeUnits,
        event: Option<Event>,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<(), TreeError> {
        let factor = &mut self.alone[group.factor];
        let whole = |_: &P, _: &P::State, past| [(0, past)];
        let change = |process: &P, state: &mut P::State, _| change(process, state);
        group.spread = factor.changed(group.spread, event, whole, change, &mut self.work)?;
        Ok(())
    }

    fn play(&mut self, course: Course, chance: W, reports: &mut Level<W>) -> Result<(), TreeError> {
        if self.drops(chance)? {
            return Ok(());
        }
        match self.waits(&course)? {
            Waits::Over => Ok(()),
            Waits::Report(_) => add(reports, course, chance).ok_or(TreeError::Overflow),
            _ if !P::SHARES_STATE => Err(TreeError::NotFactored),
            Waits::Common => self.roll(&course, chance, reports),
            Waits::Lots { count, common } => self.draw(&course, chance, (count, common), reports),
            Waits::Call => self.call(&course, chance, reports),
            Waits::News => self.branch_on_first(&course, chance, reports),
        }
    }

    /// Returns true if a course of this chance is dropped. Fails if too much is dropped in all.
    fn drops(&mut self, chance: W) -> Result<bool, TreeError> {
        let Some(Dropping { below, at_most }) = self.dropping else { return Ok(false) };
        let is_dropped = chance.probability() < below;
        if is_dropped {
            self.dropped += chance.probability();
        }
        if self.dropped > at_most { Err(self.work.too_much()) } else { Ok(is_dropped) }
    }

    /// Returns the event for which all units wait. Fails if they wait for different events.
    fn waits(&self, course: &Course) -> Result<Waits, TreeError> {
        let common = self.common.as_ref().zip(course.common);
        let common = common.map(|(alone, state)| Ok(alone.waits[state as usize].0));
        let own = course.groups.iter().map(|group| self.alone[group.factor].waits_of(group.spread));
        let mut all = common.into_iter().chain(own);
        let Some(first) = all.next().transpose()? else { return Ok(Waits::Over) };
        match all.all(|other| other == Ok(first)) {
            true => Ok(first),
            false => Err(TreeError::NotFactored),
        }
    }

    fn stop<'s>(&'s self, course: &'s Course, chance: W) -> Result<Stop<'s, P, W>, TreeError> {
        let Waits::Report(point) = self.waits(course)? else { return Err(TreeError::NotFactored) };
        let common = self.common.as_ref().zip(course.common);
        Ok(Stop {
            point,
            chance,
            lots: &course.lots,
            common: common.map(|(alone, state)| &*alone.states[state as usize]),
            trail: &course.trail,
            groups: &course.groups,
            alone: &self.alone,
            pasts: &self.pasts,
        })
    }

    /// Moves a course past a report, after `mark`; `None` if the shared state has ended.
    fn passed(
        &mut self,
        mut course: Course,
        mark: &impl Fn(&P, &P::State) -> Option<u8>,
    ) -> Result<Option<Course>, TreeError> {
        let pass = |process: &P, state: &mut P::State| process.pass(state, &mut Silent);
        if let Some((alone, state)) = self.common.as_ref().zip(course.common) {
            let state = &alone.states[state as usize];
            course.trail.extend(mark(alone.process, state));
            let mut next = P::State::clone(state);
            pass(alone.process, &mut next);
            if alone.process.turn(&next) == RollOwner::Own
                && matches!(alone.process.due(&next), Due::Over)
            {
                return Ok(None);
            }
        }
        for group in &mut course.groups {
            let factor = &mut self.alone[group.factor];
            let mut marked = factor.spreads[group.spread as usize].to_vec();
            for (stand, _) in &mut marked {
                if let Some(more) = mark(factor.process, &factor.states[stand.state as usize]) {
                    let mut past = self.pasts[stand.past as usize].clone();
                    past.trail.push(more);
                    stand.past = self.pasts.insert_full(past).0 as u32;
                }
            }
            group.spread = factor.spread(marked)?;
        }
        Ok(Some(self.changed(&course, Some(Event::Pass), pass)?))
    }

    fn roll(
        &mut self,
        course: &Course,
        chance: W,
        reports: &mut Level<W>,
    ) -> Result<(), TreeError> {
        let common = course.common.ok_or(TreeError::NotFactored)?;
        for (class, &(reading, share, after)) in self.rolled(common)?.iter().enumerate() {
            let mut next = Course { common: Some(after), ..course.clone() };
            let event = Some(Event::Roll { common, class });
            self.all_changed(&mut next.groups, event, |process, state| {
                process.apply(state, reading, &mut Silent)
            })?;
            self.play(next, chance.times(share).ok_or(TreeError::Overflow)?, reports)?;
        }
        Ok(())
    }

    fn rolled(&mut self, number: u32) -> Result<Rolled<P, W>, TreeError> {
        self.work.step()?;
        if let Some(known) = self.rolls.get(&number) {
            return Ok(known.clone());
        }
        let common = self.common.as_mut().ok_or(TreeError::NotFactored)?;
        let (process, state) = (common.process, P::State::clone(&common.states[number as usize]));
        let Due::Roll(dice, terms) = process.due(&state) else {
            return Err(TreeError::NotFactored);
        };
        let mut rolled = Vec::new();
        for (reading, faces) in roll_classes(process, dice, &terms) {
            let mut after = state.clone();
            process.apply(&mut after, reading, &mut Silent);
            let share = W::ratio(faces.into(), dice.faces().into()).ok_or(TreeError::Overflow)?;
            rolled.push((reading, share, common.number(after)?));
        }
        let rolled: Rolled<P, W> = rolled.into();
        self.rolls.insert(number, rolled.clone());
        Ok(rolled)
    }

    /// Branches on the candidates drawn within the shared state. Units keep all their own results.
    fn draw(
        &mut self,
        course: &Course,
        chance: W,
        (count, candidates): (u8, u8),
        reports: &mut Level<W>,
    ) -> Result<(), TreeError> {
        if candidates > MOST_DRAWN {
            return Err(TreeError::NotFactored);
        }
        for common in 0..1u64 << candidates {
            self.work.step()?;
            let drawn = common.count_ones() as u8;
            let fate = Lottery { candidates, drawn };
            let of_common = self.common_changed(course.common, None, |process, state| {
                process.draw(state, Selection { common, own: 0 });
            })?;
            let mut next = Course { common: of_common, ..course.clone() };
            next.lots.push(Lots { count, common: fate });
            let pasts = &mut self.pasts;
            let mut part = |process: &P, state: &P::State, past: u32| {
                let own = match process.turn(state) {
                    RollOwner::Lots { own, .. } => own.min(MOST_DRAWN),
                    _ => 0,
                };
                let mut of = |set: u64| {
                    let mut past = pasts[past as usize].clone();
                    past.fates.push(Lottery { candidates: own, drawn: set.count_ones() as u8 });
                    (set, pasts.insert_full(past).0 as u32)
                };
                (0..1u64 << own).map(&mut of).collect::<SmallVec<[(u64, u32); 4]>>()
            };
            let draw = |process: &P, state: &mut P::State, own| {
                process.draw(state, Selection { common, own });
            };
            for group in &mut next.groups {
                let factor = &mut self.alone[group.factor];
                group.spread =
                    factor.changed(group.spread, None, &mut part, draw, &mut self.work)?;
            }
            joined(&mut next.groups);
            self.play(next, chance, reports)?;
        }
        Ok(())
    }

    /// Branches on a call (a question to all units in turn) by the first unit to answer.
    fn call(
        &mut self,
        course: &Course,
        chance: W,
        reports: &mut Level<W>,
    ) -> Result<(), TreeError> {
        let answers = OneUnit::<P, W>::is_own;
        let common = self.common.as_ref().zip(course.common);
        if common.is_some_and(|(alone, state)| answers(alone, PathState { state, past: 0 })) {
            let called = |process: &P, state: &mut P::State| {
                process.resolve_call(state, CallOutcome::Another)
            };
            let next = self.changed(course, Some(Event::Call(CallOutcome::Another)), called)?;
            return self.play(next, chance, reports);
        }
        let mut calls: Vec<(u8, usize)> = Vec::new();
        let (mut who_do, mut who_do_not) = (Vec::new(), Vec::new());
        for (place, group) in course.groups.iter().enumerate() {
            calls.extend(group.slots.iter().map(|&slot| (slot, place)));
            let factor = &mut self.alone[group.factor];
            who_do.push(factor.condition_on(group.spread, answers)?);
            who_do_not
                .push(factor.condition_on(group.spread, |factor, stand| !answers(factor, stand))?);
        }
        calls.sort_unstable();
        let mut chance = chance;
        for &(slot, place) in &calls {
            if let Some((of_first, share)) = who_do[place] {
                let share = chance.times(share).ok_or(TreeError::Overflow)?;
                let next = self.answered(course, Some((slot, of_first)), &who_do_not)?;
                self.play(next, share, reports)?;
            }
            let Some((_, share)) = who_do_not[place] else { return Ok(()) };
            chance = chance.times(share).ok_or(TreeError::Overflow)?;
        }
        let next = self.answered(course, None, &who_do_not)?;
        self.play(next, chance, reports)
    }

    /// Returns the course after a call. `first` is the first slot to answer, with its distribution.
    fn answered(
        &mut self,
        course: &Course,
        first: Option<(u8, u32)>,
        who_do_not: &[Option<(u32, W)>],
    ) -> Result<Course, TreeError> {
        self.work.step()?;
        let of_others = if first.is_some() { CallOutcome::Another } else { CallOutcome::Nobody };
        let event = Some(Event::Call(of_others));
        let of_common = self.common_changed(course.common, event, |process, state| {
            process.resolve_call(state, of_others);
        })?;
        let mut groups = Vec::new();
        for (group, silent) in course.groups.iter().zip(who_do_not) {
            let is_before = |slot: u8| first.is_none_or(|(first, _)| slot < first);
            let is_after = |slot: u8| first.is_some_and(|(first, _)| slot > first);
            let silent = silent.map_or(group.spread, |(silent, _)| silent);
            let mut part = |is: &dyn Fn(u8) -> bool, spread, called| {
                let slots = group.slots.iter().copied().filter(|&slot| is(slot)).collect();
                let mut part = AlikeUnits { factor: group.factor, slots, spread };
                if !part.slots.is_empty() {
                    let event = Some(Event::Call(called));
                    self.one_changed(&mut part, event, |process, state| {
                        process.resolve_call(state, called);
                    })?;
                    groups.push(part);
                }
                Ok::<_, TreeError>(())
            };
            part(&is_before, silent, of_others)?;
            part(&is_after, group.spread, of_others)?;
            if let Some((first, spread)) = first {
                part(&|slot| slot == first, spread, CallOutcome::First)?;
            }
        }
        joined(&mut groups);
        Ok(Course { common: of_common, groups, ..course.clone() })
    }

    /// Merges the first unit's outcome into all states, one branch per change of the shared state.
    fn branch_on_first(
        &mut self,
        course: &Course,
        chance: W,
        reports: &mut Level<W>,
    ) -> Result<(), TreeError> {
        let is_responder = |group: &&AlikeUnits| {
            let factor = &self.alone[group.factor];
            let mut spread = factor.spreads[group.spread as usize].iter();
            spread.any(|(stand, _)| factor.is_own(*stand))
        };
        let responder = course.groups.iter().find(is_responder).ok_or(TreeError::NotFactored)?;
        let spread = self.alone[responder.factor].spreads[responder.spread as usize].clone();
        let mut by_common: IndexMap<Option<u32>, Vec<u32>, FxBuildHasher> = IndexMap::default();
        for &(PathState { state, .. }, _) in spread.iter() {
            let changed = self.merged(course.common, (responder.factor, state))?;
            by_common.entry(changed).or_default().push(state);
        }
        for (common, states) in by_common {
            self.work.step()?;
            let factor = &mut self.alone[responder.factor];
            let Some((spread, share)) =
                factor.condition_on(responder.spread, |_, stand| states.contains(&stand.state))?
            else {
                return Err(TreeError::NotFactored);
            };
            let (event, first) = self.first(responder.factor, states[0]);
            let mut next = Course { common, ..course.clone() };
            for group in &mut next.groups {
                if group.slots == responder.slots {
                    group.spread = spread;
                }
                self.one_changed(group, Some(event), |process, state| {
                    process.merge_first(state, &first)
                })?;
            }
            joined(&mut next.groups);
            self.play(next, chance.times(share).ok_or(TreeError::Overflow)?, reports)?;
        }
        Ok(())
    }

    /// Returns the event of a first unit, given by its factor and the index of its state there.
    fn first(&self, factor: usize, state: u32) -> (Event, P::State) {
        let first = P::State::clone(&self.alone[factor].states[state as usize]);
        (Event::First { factor, state }, first)
    }

    /// Returns the shared state after the outcome of the first unit was merged into it.
    fn merged(
        &mut self,
        common: Option<u32>,
        (factor, state): (usize, u32),
    ) -> Result<Option<u32>, TreeError> {
        let event = Event::First { factor, state };
        if let Some(known) = common.and_then(|common| self.moved.get(&(common, event))) {
            return Ok(Some(*known));
        }
        let (event, first) = self.first(factor, state);
        self.common_changed(common, Some(event), |process, state| {
            process.merge_first(state, &first);
        })
    }
}

/// The largest number of candidates of the shared state, and of each factor, in a Random Selection.
const MOST_DRAWN: u8 = 12;

fn joined(groups: &mut Vec<AlikeUnits>) {
    groups.sort_unstable_by_key(|group| (group.factor, group.spread));
    groups.dedup_by(|next, group| {
        let is_alike = (next.factor, next.spread) == (group.factor, group.spread);
        if is_alike {
            group.slots.append(&mut next.slots);
            group.slots.sort_unstable();
        }
        is_alike
    });
    groups.sort_unstable();
}
