//! The states of one process, and the distributions over them along all courses, each stored once.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::TreeError;
use super::number::{Distribution, Number, Same, add};
use super::random_selection::Lotteries;
use crate::exact::Bound;
use crate::process::{
    CallOutcome, Due, Factored, Process, ReportIndex, RollOwner, Selection, Silent,
};
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

/// The number of courses from which the states of all can be judged.
const FORESEEN: usize = 16;

impl Work<'_> {
    pub fn step(&mut self) -> Result<(), TreeError> {
        self.steps(1)
    }

    pub fn steps(&mut self, number: usize) -> Result<(), TreeError> {
        self.bound.watch.states(self.worked, number)?;
        self.worked += number;
        if self.worked > self.bound.worked { Err(self.too_much()) } else { Ok(()) }
    }

    /// Fails early if `all` courses will take far too many states, judged by those played so far.
    pub fn foresee(&self, before: usize, played: usize, all: usize) -> Result<(), TreeError> {
        let left = self.bound.worked.saturating_sub(before);
        let so_far = self.worked - before;
        let is_hopeless = played >= FORESEEN && so_far.saturating_mul(all) / played / 4 > left;
        if is_hopeless { Err(self.too_much()) } else { Ok(()) }
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
    /// A call, as the unit sees it.
    Call(CallOutcome),
    /// The result of a Random Selection.
    Draw(Selection),
    /// The merge of the first unit's outcome: its factor, and the index of its state there.
    First { factor: usize, state: u32 },
}

impl Event {
    /// Returns whether the states it takes count again each time that it recurs, so that no limit
    /// depends on what is remembered.
    fn counts_again(self) -> bool {
        matches!(self, Event::Call(_) | Event::First { .. })
    }
}

/// A distribution over pairs of state and history, in ascending order.
pub(super) type Numbered<W> = Rc<[(PathState, Same<W>)]>;

pub(super) type Pasts = IndexSet<Past, FxBuildHasher>;

/// The indices of the states after a change, each with its probability.
pub(super) type Followers<W> = Rc<[(u32, W)]>;

pub(super) struct OneUnit<'a, P: Process, W> {
    pub process: &'a P,
    /// States are boxed because the set moves its entries when it grows.
    pub states: IndexSet<Box<P::State>, FxBuildHasher>,
    /// The event for which each state waits, and whether this unit answers a call or was first.
    pub waits: Vec<(Waits, bool)>,
    after: FxHashMap<(u32, Event), Followers<W>>,
    pub spreads: IndexSet<Numbered<W>, FxBuildHasher>,
    /// The event for which all states of each distribution wait; `None` if they do not wait for
    /// one.
    spread_waits: Vec<Option<Waits>>,
    /// The distribution after each event, and the states that this took.
    moved: FxHashMap<(u32, Event), (u32, usize)>,
    /// What follows a state that waits for a roll of its own, and the states that this took.
    settled: IndexMap<Box<P::State>, (Followers<W>, usize), FxBuildHasher>,
}

impl<'a, P: Factored, W: Number> OneUnit<'a, P, W> {
    pub fn new(process: &'a P) -> Self {
        OneUnit {
            process,
            states: IndexSet::default(),
            waits: Vec::new(),
            after: FxHashMap::default(),
            spreads: IndexSet::default(),
            spread_waits: Vec::new(),
            moved: FxHashMap::default(),
            settled: IndexMap::default(),
        }
    }

    /// Returns the index of a state. Fails unless the state waits for a common event.
    pub fn number(&mut self, state: P::State) -> Result<u32, TreeError> {
        if let Some(known) = self.states.get_index_of(&state) {
            return Ok(known as u32);
        }
        let mut is_own = false;
        let waits = match self.process.turn(&state) {
            RollOwner::Common => Waits::Common,
            RollOwner::Lots { count, common, .. } => Waits::Lots { count, common },
            RollOwner::Call { answers } => {
                is_own = answers;
                Waits::Call
            }
            RollOwner::News { own } => {
                is_own = own;
                Waits::News
            }
            RollOwner::Unknown => return Err(TreeError::NotFactored),
            RollOwner::Own => match self.process.due(&state) {
                Due::Over => Waits::Over,
                Due::Report(point) => Waits::Report(point),
                Due::Roll(..) | Due::Choice { .. } => return Err(TreeError::NotFactored),
            },
        };
        self.waits.push((waits, is_own));
        Ok(self.states.insert_full(Box::new(state)).0 as u32)
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
        let (start, before) = (Box::new(state.clone()), work.worked);
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
    pub fn after(
        &mut self,
        state: u32,
        event: Option<Event>,
        change: &impl Fn(&P, &mut P::State),
        work: &mut Work,
    ) -> Result<Followers<W>, TreeError> {
        let event = event.filter(|event| !event.counts_again()).map(|event| (state, event));
        if let Some(known) = event.as_ref().and_then(|event| self.after.get(event)) {
            return Ok(known.clone());
        }
        let mut next = P::State::clone(&self.states[state as usize]);
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
        if !fits {
            return Err(TreeError::Overflow);
        }
        let waits = |(stand, _): &(PathState, _)| self.waits[stand.state as usize].0;
        let first = all.first().map(waits);
        let first = first.filter(|first| all.iter().all(|stand| waits(stand) == *first));
        let (number, is_new) = self.spreads.insert_full(all.into());
        self.spread_waits.extend(is_new.then_some(first));
        Ok(number as u32)
    }

    /// Returns the event for which all states of a distribution wait.
    pub fn waits_of(&self, spread: u32) -> Result<Waits, TreeError> {
        self.spread_waits[spread as usize].ok_or(TreeError::NotFactored)
    }

    /// Returns whether a state of the distribution answers a call, or was the first to answer it.
    pub fn is_own(&self, stand: PathState) -> bool {
        self.waits[stand.state as usize].1
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
        if let Some(&(known, states)) = before.as_ref().and_then(|before| self.moved.get(before)) {
            work.steps(if event.is_some_and(Event::counts_again) { states } else { 0 })?;
            return Ok(known);
        }
        let worked = work.worked;
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
            self.moved.insert(before, (next, work.worked - worked));
        }
        Ok(next)
    }

    /// Returns the distribution given `is` with the probability of `is`; `None` if that is 0.
    pub fn condition_on(
        &mut self,
        spread: u32,
        is: impl Fn(&Self, PathState) -> bool,
    ) -> Result<Option<(u32, W)>, TreeError> {
        let all = &self.spreads[spread as usize];
        let meets = |(stand, _): &&(PathState, _)| is(self, *stand);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_are_given_up_only_if_all_take_four_times_what_is_left() {
        let bound = Bound { worked: 10_000, ..Bound::STANDARD };
        let foresees = |worked, played, all| Work { bound, worked }.foresee(2_000, played, all);
        // A hundred courses took 4,000 states, so that 800 take 32,000: four times the 8,000 left.
        assert_eq!(foresees(6_000, 100, 800), Ok(()));
        assert!(foresees(6_000, 100, 801).is_err());
        assert_eq!(foresees(9_999, FORESEEN - 1, usize::MAX), Ok(()));
        assert_eq!(foresees(2_000, 0, 0), Ok(()));
    }
}
