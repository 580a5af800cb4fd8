//! The states of one process, and the distributions over them along all courses, each stored once.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::TreeError;
use super::number::{Distribution, Number, Same, add};
use super::random_selection::Lotteries;
use crate::exact::Bound;
use crate::process::{Due, Factored, Process, ReportIndex, RollOwner, Silent};
use crate::{EngineError, roll_classes};

/// A unit at a moment of a course: the indices of its state and of its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PathState {
    pub state: u32,
    pub past: u32,
}

/// The history of a unit, as far as it matters beside the state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Past {
    /// The results of the Random Selections so far, among the candidates of this unit.
    pub fates: Lotteries,
    pub trail: Trail,
}

/// The numbers that the caller's `mark` has given a state at earlier reports, without gaps.
pub type Trail = SmallVec<[u8; 8]>;

pub(super) struct Work<'a> {
    pub bound: Bound<'a>,
    pub worked: usize,
}

impl Work<'_> {
    pub fn step(&mut self) -> Result<(), TreeError> {
        self.steps(1)
    }

    pub fn steps(&mut self, number: usize) -> Result<(), TreeError> {
        self.bound.watch.states(self.worked, number)?;
        self.worked += number;
        if self.worked > self.bound.worked { Err(self.too_much()) } else { Ok(()) }
    }

    pub fn too_much(&self) -> TreeError {
        EngineError::TooMuchWork { bound: self.bound.worked }.into()
    }
}

/// The common event for which a state waits once its own rolls are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    Common,
    Lots { count: u8, common: u8 },
    Call,
    News,
    Report(ReportIndex),
    Over,
}

/// A change of all states of a factor that can recur. Its effect is therefore cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Event {
    /// The move past a report.
    Pass,
    /// A roll of the shared state, given by the index of that state and the 0-based roll class.
    Roll { common: u32, class: usize },
}

/// A distribution over pairs of state and history, in ascending order.
pub(super) type Numbered<W> = Rc<[(PathState, Same<W>)]>;

pub(super) type Pasts = IndexSet<Past, FxBuildHasher>;

/// The indices of the states after a change, each with its probability.
pub(super) type Followers<W> = Rc<[(u32, W)]>;

pub(super) struct OneUnit<'a, P: Process, W> {
    pub process: &'a P,
    pub states: IndexSet<P::State, FxBuildHasher>,
    pub waits: Vec<Waits>,
    after: FxHashMap<(u32, Event), Followers<W>>,
    pub spreads: IndexSet<Numbered<W>, FxBuildHasher>,
    moved: FxHashMap<(u32, Event), u32>,
    /// What follows a state that waits for a roll of its own, and the states that this took.
    settled: FxHashMap<P::State, (Followers<W>, usize)>,
}

impl<'a, P: Factored, W: Number> OneUnit<'a, P, W> {
    pub fn new(process: &'a P) -> Self {
        OneUnit {
            process,
            states: IndexSet::default(),
            waits: Vec::new(),
            after: FxHashMap::default(),
            spreads: IndexSet::default(),
            moved: FxHashMap::default(),
            settled: FxHashMap::default(),
        }
    }

    /// Returns the index of a state. Fails unless the state waits for a common event.
    pub fn number(&mut self, state: P::State) -> Result<u32, TreeError> {
        if let Some(known) = self.states.get_index_of(&state) {
            return Ok(known as u32);
        }
        let waits = match self.process.turn(&state) {
            RollOwner::Common => Waits::Common,
            RollOwner::Lots { count, common, .. } => Waits::Lots { count, common },
            RollOwner::Call { .. } => Waits::Call,
            RollOwner::News { .. } => Waits::News,
            RollOwner::Unknown => return Err(TreeError::NotFactored),
            RollOwner::Own => match self.process.due(&state) {
                Due::Over => Waits::Over,
                Due::Report(point) => Waits::Report(point),
                Due::Roll(..) | Due::Choice { .. } => return Err(TreeError::NotFactored),
            },
        };
        self.waits.push(waits);
        Ok(self.states.insert_full(state).0 as u32)
    }

    /// Returns the distribution of states after all of the unit's own rolls that are due.
    pub fn settled(&mut self, state: P::State, work: &mut Work) -> Result<Followers<W>, TreeError> {
        let process = self.process;
        let rolls = |state: &P::State| {
            process.turn(state) == RollOwner::Own && matches!(process.due(state), Due::Roll(..))
        };
        if !rolls(&state) {
            return Ok([(self.number(state)?, W::ONE)].into());
        }
        // States count each time, so that no limit depends on what is remembered.
        if let Some((known, states)) = self.settled.get(&state) {
            work.steps(*states)?;
            return Ok(known.clone());
        }
        let (start, before) = (state.clone(), work.worked);
        let mut waiting: Distribution<u32, W> = Distribution::default();
        let mut level: Distribution<P::State, W> = Distribution::from_iter([(state, W::ONE)]);
        while !level.is_empty() {
            let mut next = Distribution::default();
            for (state, weight) in level {
                let due = (process.turn(&state) == RollOwner::Own).then(|| process.due(&state));
                let Some(Due::Roll(dice, terms)) = due else {
                    add(&mut waiting, self.number(state)?, weight).ok_or(TreeError::Overflow)?;
                    continue;
                };
                work.step()?;
                for (reading, faces) in roll_classes(process, dice, &terms) {
                    let mut after = state.clone();
                    process.apply(&mut after, reading, &mut Silent);
                    let share = W::ratio(faces.into(), dice.faces().into());
                    let share = share.and_then(|share| share.times(weight));
                    let added = share.and_then(|share| add(&mut next, after, share));
                    added.ok_or(TreeError::Overflow)?;
                }
            }
            level = next;
        }
        let waiting: Followers<W> = waiting.into_iter().collect();
        self.settled.insert(start, (waiting.clone(), work.worked - before));
        Ok(waiting)
    }

    /// Returns the distribution of states after a change and the unit's own rolls that follow.
    fn after(
        &mut self,
        state: u32,
        event: Option<Event>,
        change: &impl Fn(&P, &mut P::State),
        work: &mut Work,
    ) -> Result<Followers<W>, TreeError> {
        let event = event.map(|event| (state, event));
        if let Some(known) = event.as_ref().and_then(|event| self.after.get(event)) {
            return Ok(known.clone());
        }
        let mut next = self.states[state as usize].clone();
        change(self.process, &mut next);
        let after = self.settled(next, work)?;
        if let Some(event) = event {
            self.after.insert(event, after.clone());
        }
        Ok(after)
    }

    /// Returns the index of a distribution. The weights of equal entries are added.
    pub fn spread(&mut self, mut all: Vec<(PathState, Same<W>)>) -> Result<u32, TreeError> {
        all.sort_unstable_by_key(|(stand, _)| *stand);
        let mut fits = true;
        all.dedup_by(|(next, more), (stand, weight)| {
            let is_same = next == stand;
            if is_same {
                let sum = weight.0.plus(more.0);
                fits &= sum.is_some();
                weight.0 = sum.unwrap_or(W::ZERO);
            }
            is_same
        });
        if fits {
            Ok(self.spreads.insert_full(all.into()).0 as u32)
        } else {
            Err(TreeError::Overflow)
        }
    }

    /// Returns the index of the distribution after a change of every state. `part` splits a state
    /// into numbered branches, and must not do so if `event` is `Some`.
    pub fn changed<I: IntoIterator<Item = (u64, u32)>>(
        &mut self,
        spread: u32,
        event: Option<Event>,
        mut part: impl FnMut(&P, &P::State, u32) -> I,
        change: impl Fn(&P, &mut P::State, u64),
        work: &mut Work,
    ) -> Result<u32, TreeError> {
        let before = event.map(|event| (spread, event));
        if let Some(known) = before.as_ref().and_then(|before| self.moved.get(before)) {
            return Ok(*known);
        }
        let all = self.spreads[spread as usize].clone();
        let mut next = Vec::with_capacity(2 * all.len());
        for (stand, weight) in all.iter() {
            let parts = part(self.process, &self.states[stand.state as usize], stand.past);
            for (number, past) in parts {
                let change = |process: &P, state: &mut P::State| change(process, state, number);
                for &(state, share) in self.after(stand.state, event, &change, work)?.iter() {
                    let share = share.times(weight.0).ok_or(TreeError::Overflow)?;
                    next.push((PathState { state, past }, Same(share)));
                }
            }
        }
        let next = self.spread(next)?;
        if let Some(before) = before {
            self.moved.insert(before, next);
        }
        Ok(next)
    }

    /// Returns the distribution given `is` with the probability of `is`; `None` if that is 0.
    pub fn condition_on(
        &mut self,
        spread: u32,
        is: impl Fn(&P, &P::State) -> bool,
    ) -> Result<Option<(u32, W)>, TreeError> {
        let all = &self.spreads[spread as usize];
        let meets =
            |(stand, _): &&(PathState, _)| is(self.process, &self.states[stand.state as usize]);
        let part: Vec<(PathState, Same<W>)> = all.iter().filter(meets).cloned().collect();
        if part.len() == all.len() {
            return Ok(Some((spread, W::ONE)));
        }
        let sum = part.iter().try_fold(W::ZERO, |sum, (_, weight)| sum.plus(weight.0));
        let sum = sum.ok_or(TreeError::Overflow)?;
        let share =
            |(stand, weight): (PathState, Same<W>)| Some((stand, Same(weight.0.over(sum)?)));
        if part.is_empty() {
            return Ok(None);
        }
        let part: Option<Vec<_>> = part.into_iter().map(share).collect();
        Ok(Some((self.spread(part.ok_or(TreeError::Overflow)?)?, sum)))
    }
}
