//! The best play of a process with choices: backward induction over its states, each solved once.
//!
//! The value of an outcome is a vector of numbers, compared lexicographically: for example survival
//! first, then cover. The owner maximises its expected value, the enemy minimises it. Two numbers
//! that differ by at most [`EQUAL`] count as equal. Among equal options the first is taken.
//!
//! # Why dropped states leave the value certain
//!
//! Where a process has too many states, [`Solution::certified_worth`] follows only those that play
//! reaches most. All others count with the least possible value, then with the largest. Means, and
//! the better of options for either player, grow with the values they are taken of. So no value is
//! below the one found first or above the one found second, whichever states were dropped.

use std::collections::VecDeque;
use std::hash::Hash;

use indexmap::IndexMap;
use indexmap::map::raw_entry_v1::{RawEntryApiV1 as _, RawEntryMut};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::monitor::Monitor;
use super::{Classes, EngineError, roll_classes};
use crate::dice::Dice;
use crate::process::{Due, Player, Process, ReportIndex, Silent};

/// The largest difference at which two components of a value count as equal.
pub const EQUAL: f64 = 1e-12;

/// The value of a state or an outcome for the owner, most important number first.
pub type ValueVector<const N: usize> = [f64; N];

/// Returns whether `a` beats `b` for the owner, by the first numbers more than [`EQUAL`] apart.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::solve::is_better;
///
/// assert!(is_better(&[1.0, 0.5], &[1.0, 0.4]));
/// ```
pub fn is_better<const N: usize>(a: &ValueVector<N>, b: &ValueVector<N>) -> bool {
    let differing = a.iter().zip(b).find(|(a, b)| (*a - *b).abs() > EQUAL);
    differing.is_some_and(|(a, b)| a > b)
}

/// The states of a process with their successors, as far as needed. Another process can reuse the
/// graph if it has equal states and, after equal readings, equal successors.
pub struct StateGraph<S, R> {
    /// States are boxed because the map moves its entries when it grows.
    states: IndexMap<Box<S>, Ahead<R>, FxBuildHasher>,
}

enum Ahead<R> {
    Unknown,
    Over,
    /// The state after each reading, as far as needed yet.
    Roll(Vec<(R, u32)>),
    Choice(Player, Vec<u32>),
    Report(ReportIndex, u32),
}

impl<S, R> Default for StateGraph<S, R> {
    fn default() -> StateGraph<S, R> {
        StateGraph { states: IndexMap::default() }
    }
}

impl<S: Eq + Hash, R> StateGraph<S, R> {
    fn number(&mut self, state: S) -> u32 {
        let number = match self.states.raw_entry_mut_v1().from_key(&state) {
            RawEntryMut::Occupied(known) => known.index(),
            RawEntryMut::Vacant(new) => {
                let number = new.index();
                new.insert(Box::new(state), Ahead::Unknown);
                number
            }
        };
        number as u32
    }

    fn state(&self, place: usize) -> (&S, &Ahead<R>) {
        let Some((state, ahead)) = self.states.get_index(place) else {
            unreachable!("only states have numbers")
        };
        (state, ahead)
    }
}

/// The states of a process `P` with their successors.
pub type StateGraphOf<P> = StateGraph<<P as Process>::State, <P as Process>::Reading>;

/// A solver with its results: the value of each solved state, and the best option of each choice.
pub struct Solution<'a, P: Process, G, const N: usize> {
    process: &'a P,
    gain: G,
    bound: usize,
    watch: Monitor<'a>,
    /// The state graph, which may come from another process (see [`StateGraph`]).
    pub ground: StateGraphOf<P>,
    /// The value and the best option of each solved state, by the index of the state in the graph.
    solved: Vec<Option<(ValueVector<N>, u16)>>,
    /// The number of solved states.
    pub states: usize,
    kept: Option<Kept<N>>,
}

/// The states that are followed if not all are.
struct Kept<const N: usize> {
    /// Whether each state of the graph is followed. Later states are not.
    states: Vec<bool>,
    value_of_others: ValueVector<N>,
    /// The least and the largest value of a state that is not followed.
    range: [f64; 2],
    /// The least and the largest value of each state of the graph.
    ranges: Vec<[f64; 2]>,
}

/// The part of the bound that is kept if not all states fit: all are then worked several times.
const PART_KEPT: usize = 2;

/// More choices than any sequence has. Each may miss the best option by [`EQUAL`].
const MOST_CHOICES: f64 = 1000.0;

impl<const N: usize> Kept<N> {
    fn has(&self, place: usize) -> bool {
        self.states.get(place).copied().unwrap_or_default()
    }
}

impl<'a, P: Process, G: Fn(ReportIndex, &P::Outcome) -> ValueVector<N>, const N: usize>
    Solution<'a, P, G, N>
{
    /// Creates a solver without solved states. `gain` returns the value of an outcome noted at a
    /// report; the values of one sequence add up. At most `bound` states can be solved.
    pub fn new(process: &'a P, gain: G, bound: usize) -> Solution<'a, P, G, N> {
        let (watch, ground) = (Monitor::NONE, StateGraph::default());
        Solution { process, gain, bound, watch, ground, solved: Vec::new(), states: 0, kept: None }
    }

    /// Sets the monitor. Its progress counts solved states.
    pub fn watched(self, watch: Monitor<'a>) -> Solution<'a, P, G, N> {
        Solution { watch, ..self }
    }

    /// Returns the value of a state under best play.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond the bound, and with
    /// [`EngineError::Interrupted`] when it is cancelled.
    pub fn worth(&mut self, state: &P::State) -> Result<ValueVector<N>, EngineError> {
        let number = match self.ground.states.get_index_of(state) {
            Some(known) => known as u32,
            None => self.ground.number(state.clone()),
        };
        self.worth_of(number)
    }

    /// Returns the value of `start` without following all states, but only those that play reaches
    /// most; [`Solution::error_bound`] tells its error. `range` is the least and the largest value,
    /// by its most important number, of whatever can follow a state.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::TooManyStates`] if the error exceeds `most`, and with
    /// [`EngineError::Interrupted`] when it is cancelled.
    pub fn certified_worth(
        &mut self,
        start: &P::State,
        range: [f64; 2],
        most: f64,
    ) -> Result<ValueVector<N>, EngineError> {
        (self.ground, self.solved, self.kept) = (StateGraph::default(), Vec::new(), None);
        let number = self.ground.number(start.clone());
        let [low, high] = range;
        let states = self.most_reached(number, most / (high - low).max(1.0))?;
        let mut ranges = vec![range; states.len()];
        self.kept = Some(Kept { states, value_of_others: [0.0; N], range, ranges: Vec::new() });
        for end in 0..2 {
            self.solve_anew(number, range[end])?;
            for (range, solved) in ranges.iter_mut().zip(&self.solved) {
                range[end] = solved.map_or(range[end], |(worth, _)| worth[0]);
            }
        }
        let worth = self.solve_anew(number, (low + high) / 2.0)?;
        self.kept.iter_mut().for_each(|kept| kept.ranges = std::mem::take(&mut ranges));
        match self.error_bound(start) {
            Some(bound) if bound > most => Err(EngineError::TooManyStates { bound: self.bound }),
            _ => Ok(worth),
        }
    }

    /// Solves all states that are kept, with this value of all others.
    fn solve_anew(&mut self, start: u32, of_others: f64) -> Result<ValueVector<N>, EngineError> {
        (self.solved, self.states) = (Vec::new(), 0);
        self.kept.iter_mut().for_each(|kept| kept.value_of_others[0] = of_others);
        self.worth_of(start)
    }

    /// Returns which states of the graph are followed if not all are: those that are reached most,
    /// until the chance of all others is at most `left`, or a part of the bound is spent. Each
    /// option is reached with the whole chance of its choice, since any may be the best.
    fn most_reached(&mut self, start: u32, left: f64) -> Result<Vec<bool>, EngineError> {
        // The chance that has reached each state and was not passed on yet.
        let (mut chances, mut kept, mut states) = (Vec::new(), Vec::new(), 0);
        chances.resize(start as usize + 1, 1.0);
        let mut least = 1.0;
        while chances.iter().sum::<f64>() > left {
            let heavy = (0..).zip(&chances).filter(|(_, chance)| **chance >= least);
            let mut queue: VecDeque<u32> = heavy.map(|(state, _)| state).collect();
            while let Some(state) = queue.pop_front() {
                kept.resize(self.ground.states.len(), false);
                let is_known = std::mem::replace(&mut kept[state as usize], true);
                let (chance, mut open) = (std::mem::take(&mut chances[state as usize]), Vec::new());
                self.enter(state, &mut open);
                let Some(mut open) = open.pop() else { continue };
                if !is_known {
                    self.watch.state(states)?;
                    states += 1;
                }
                while let Some(next) = self.next_of(&mut open) {
                    chances.resize(self.ground.states.len(), 0.0);
                    let sum = &mut chances[next as usize];
                    let before = std::mem::replace(sum, *sum + chance * open.weight);
                    queue.extend((before < least && *sum >= least).then_some(next));
                }
                if states >= self.bound / PART_KEPT {
                    kept.resize(self.ground.states.len(), false);
                    return Ok(kept);
                }
            }
            least /= 16.0;
        }
        kept.resize(self.ground.states.len(), false);
        Ok(kept)
    }

    /// Returns whether a state is not followed. Its value is the middle of all that are possible.
    pub fn is_dropped(&self, state: &P::State) -> bool {
        let place = self.ground.states.get_index_of(state).unwrap_or(usize::MAX);
        self.kept.as_ref().is_some_and(|kept| !kept.has(place))
    }

    /// Returns the largest error of a value by its most important number, rounded up; `None` if
    /// all states are followed.
    pub fn error_bound(&self, state: &P::State) -> Option<f64> {
        let kept = self.kept.as_ref()?;
        let place = self.ground.states.get_index_of(state);
        let [low, high] = place.and_then(|place| kept.ranges.get(place)).unwrap_or(&kept.range);
        let solved = place.and_then(|place| *self.solved.get(place)?);
        let worth = solved.map_or((low + high) / 2.0, |(worth, _)| worth[0]);
        let rounding = MOST_CHOICES * EQUAL * worth.abs().max(1.0);
        Some(((high - worth).max(worth - low) + rounding).next_up())
    }

    /// Finds the value with an explicit stack, since a sequence may be thousands of steps long.
    fn worth_of(&mut self, state: u32) -> Result<ValueVector<N>, EngineError> {
        let mut open: Vec<Open<P, N>> = Vec::new();
        let mut solved = self.enter(state, &mut open);
        loop {
            self.watch.check_cancelled()?;
            match (solved, open.last_mut()) {
                (Some(worth), None) => return Ok(worth),
                (Some(worth), Some(before)) => before.take(worth),
                (None, _) => {}
            }
            let Some(last) = open.last_mut() else { continue };
            solved = match self.next_of(last) {
                Some(next) => self.enter(next, &mut open),
                None => self.close(&mut open)?,
            };
        }
    }

    /// Returns the value of a state if it is known. Otherwise pushes the state on the stack.
    fn enter(&mut self, state: u32, open: &mut Vec<Open<P, N>>) -> Option<ValueVector<N>> {
        let place = state as usize;
        if let Some(Some((worth, _))) = self.solved.get(place) {
            return Some(*worth);
        }
        if let Some(kept) = self.kept.as_ref().filter(|kept| !kept.has(place)) {
            return Some(kept.value_of_others);
        }
        let mut rolled = None;
        if let Ahead::Unknown = self.ground.states[place] {
            let ahead = self.ahead_of(place, &mut rolled);
            self.ground.states[place] = ahead;
        }
        let (mut sum, mut player) = ([0.0; N], None);
        let (state_of, ahead) = self.ground.state(place);
        match ahead {
            Ahead::Unknown | Ahead::Over => return Some(sum),
            Ahead::Report(point, _) => {
                let note = &mut |outcome| add(&mut sum, &(self.gain)(*point, &outcome), 1.0);
                self.process.report(state_of, note);
            }
            Ahead::Choice(who, _) => player = Some(*who),
            Ahead::Roll(_) if rolled.is_none() => {
                if let Due::Roll(dice, terms) = self.process.due(state_of) {
                    rolled = Some(self.rolled(dice, &terms));
                }
            }
            Ahead::Roll(_) => {}
        }
        open.push(Open { state, rolled, weight: 1.0, player, sum, entered: 0, best: 0 });
        None
    }

    fn rolled(&self, dice: Dice, terms: &P::Terms) -> Rolled<P> {
        (roll_classes(self.process, dice, terms).into_iter(), f64::from(dice.faces()))
    }

    fn ahead_of(&mut self, place: usize, rolled: &mut Option<Rolled<P>>) -> Ahead<P::Reading> {
        let (state, _) = self.ground.state(place);
        match self.process.due(state) {
            Due::Over => Ahead::Over,
            Due::Roll(dice, terms) => {
                let (readings, _) = rolled.insert(self.rolled(dice, &terms));
                Ahead::Roll(Vec::with_capacity(readings.len()))
            }
            Due::Report(point) => {
                let mut next = state.clone();
                self.process.pass(&mut next, &mut Silent);
                Ahead::Report(point, self.ground.number(next))
            }
            Due::Choice { player, options } => {
                let followers = self.process.followers(state, options).into_iter();
                Ahead::Choice(player, followers.map(|next| self.ground.number(next)).collect())
            }
        }
    }

    fn next_of(&mut self, open: &mut Open<P, N>) -> Option<u32> {
        let place = open.state as usize;
        let next_index = usize::from(open.entered);
        let next = match (&self.ground.states[place], &mut open.rolled) {
            (Ahead::Roll(known), Some((classes, faces))) => {
                let (reading, of) = classes.next()?;
                open.weight = f64::from(of) / *faces;
                match known.iter().find(|(read, _)| *read == reading) {
                    Some((_, next)) => *next,
                    None => self.after(place, reading),
                }
            }
            (Ahead::Choice(_, followers), _) => *followers.get(next_index)?,
            (Ahead::Report(_, next), _) if next_index == 0 => *next,
            _ => return None,
        };
        open.entered += 1;
        Some(next)
    }

    fn after(&mut self, place: usize, reading: P::Reading) -> u32 {
        let mut next = self.ground.state(place).0.clone();
        self.process.apply(&mut next, reading, &mut Silent);
        let next = self.ground.number(next);
        if let Ahead::Roll(known) = &mut self.ground.states[place] {
            known.push((reading, next));
        }
        next
    }

    /// Pops the state on top of the stack, whose value is complete, and stores that value.
    fn close(&mut self, open: &mut Vec<Open<P, N>>) -> Result<Option<ValueVector<N>>, EngineError> {
        let Some(Open { state, sum, best, .. }) = open.pop() else { return Ok(None) };
        if self.states >= self.bound {
            return Err(EngineError::TooManyStates { bound: self.bound });
        }
        self.watch.state(self.states)?;
        self.states += 1;
        if self.solved.len() <= state as usize {
            self.solved.resize(self.ground.states.len(), None);
        }
        self.solved[state as usize] = Some((sum, best));
        Ok(Some(sum))
    }

    /// Returns the value of each option of a state that waits for a choice.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Solution::worth`].
    pub fn options(
        &mut self,
        state: &P::State,
        options: usize,
    ) -> Result<Vec<ValueVector<N>>, EngineError> {
        let followers = self.process.followers(state, options).into_iter();
        followers.map(|next| self.worth(&next)).collect()
    }

    /// Converts the solver into a policy that takes the best option in every solved state.
    pub fn into_play(self) -> SolvedPolicy<P::State> {
        let best = self.solved.into_iter().map(|solved| solved.map_or(0, |(_, best)| best));
        let other_than_first =
            self.ground.states.into_keys().zip(best).filter(|(_, best)| *best > 0);
        SolvedPolicy(other_than_first.map(|(state, best)| (*state, best)).collect())
    }

    /// Returns the 0-based index of the best option of a state. States not solved have option 0.
    pub fn best(&self, state: &P::State) -> usize {
        let solved =
            self.ground.states.get_index_of(state).and_then(|place| *self.solved.get(place)?);
        solved.map_or(0, |(_, best)| usize::from(best))
    }
}

/// The readings of a roll, each with its number of faces, and the total number of faces.
type Rolled<P> = (<Classes<P> as IntoIterator>::IntoIter, f64);

struct Open<P: Process, const N: usize> {
    state: u32,
    rolled: Option<Rolled<P>>,
    /// The probability of the successor that is being solved.
    weight: f64,
    player: Option<Player>,
    sum: ValueVector<N>,
    entered: u16,
    best: u16,
}

impl<P: Process, const N: usize> Open<P, N> {
    fn take(&mut self, worth: ValueVector<N>) {
        let beats = match self.player {
            None => return add(&mut self.sum, &worth, self.weight),
            Some(Player::Owner) => is_better(&worth, &self.sum),
            Some(Player::Enemy) => is_better(&self.sum, &worth),
        };
        let option = self.entered - 1;
        if beats || option == 0 {
            (self.sum, self.best) = (worth, option);
        }
    }
}

/// A policy computed by a solver: the 0-based option to take in every state of a process.
pub struct SolvedPolicy<S>(FxHashMap<S, u16>);

impl<S> Default for SolvedPolicy<S> {
    fn default() -> SolvedPolicy<S> {
        SolvedPolicy(FxHashMap::default())
    }
}

impl<S: Eq + Hash> SolvedPolicy<S> {
    /// Returns the best option of a state; 0 if the solver did not reach the state.
    pub fn best(&self, state: &S) -> usize {
        self.0.get(state).map_or(0, |&best| usize::from(best))
    }
}

fn add<const N: usize>(sum: &mut ValueVector<N>, worth: &ValueVector<N>, weight: f64) {
    for (sum, worth) in sum.iter_mut().zip(worth) {
        *sum += weight * worth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Face};
    use crate::process::{Event, Log};

    /// The owner takes 2, or rolls a die for its number of pips, which the enemy may then halve.
    struct Wager;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum WagerState {
        Begin,
        Rolling,
        Holding(u8),
        Paid(u8),
        Done,
    }

    impl Process for Wager {
        type State = WagerState;
        type Terms = ();
        type Reading = u8;
        type Outcome = u8;

        fn start<L: Log>(&self, _: &mut L) -> WagerState {
            WagerState::Begin
        }
        fn due(&self, state: &WagerState) -> Due<()> {
            match state {
                WagerState::Begin => Due::Choice { player: Player::Owner, options: 2 },
                WagerState::Rolling => Due::Roll(Dice::One, ()),
                WagerState::Holding(_) => Due::Choice { player: Player::Enemy, options: 2 },
                WagerState::Paid(_) => Due::Report(0),
                WagerState::Done => Due::Over,
            }
        }
        fn read(&self, (): &(), face: Face) -> u8 {
            face.number()
        }
        fn apply<L: Log>(&self, state: &mut WagerState, pips: u8, _: &mut L) {
            *state = WagerState::Holding(pips);
        }
        fn choose<L: Log>(&self, state: &mut WagerState, option: usize, _: &mut L) {
            *state = match (&state, option) {
                (WagerState::Begin, 0) => WagerState::Paid(2),
                (WagerState::Begin, _) => WagerState::Rolling,
                (WagerState::Holding(pips), 0) => WagerState::Paid(*pips),
                (WagerState::Holding(pips), _) => WagerState::Paid(pips / 2),
                _ => WagerState::Done,
            };
        }
        fn report(&self, state: &WagerState, observe: &mut dyn FnMut(u8)) {
            if let WagerState::Paid(pips) = state {
                observe(*pips);
            }
        }
        fn pass<L: Log>(&self, state: &mut WagerState, _: &mut L) {
            *state = WagerState::Done;
        }
        fn describe(&self, _: &WagerState, (): &(), _: Face) -> Event {
            Event { rule: "", text: String::new() }
        }
    }

    /// Halved pips are 0 1 1 2 2 3, with mean 1.5, so the owner takes 2.
    #[test]
    fn both_sides_choose_their_best_option() {
        let mut solution = Solution::new(&Wager, |_, &pips: &u8| [f64::from(pips)], 100);
        let options = solution.options(&WagerState::Begin, 2).unwrap();
        assert!((options[0][0] - 2.0).abs() < EQUAL && (options[1][0] - 1.5).abs() < EQUAL);
        assert_eq!(solution.worth(&WagerState::Begin).unwrap(), [2.0]);
        assert_eq!(
            (solution.best(&WagerState::Begin), solution.best(&WagerState::Holding(6))),
            (0, 1)
        );
    }

    #[test]
    fn too_many_states_are_refused() {
        let mut solution = Solution::new(&Wager, |_, &pips: &u8| [f64::from(pips)], 3);
        assert_eq!(
            solution.worth(&WagerState::Begin),
            Err(EngineError::TooManyStates { bound: 3 })
        );
    }

    /// A walk of some steps among numbered places, decided by dice and by both players. The place
    /// where it ends is the value. Its steps depend on a seed.
    struct Walk(u64);

    const STEPS: u8 = 7;
    const PLACES: u64 = 97;

    impl Walk {
        fn next(&self, (step, place): (u8, u8), way: u64) -> (u8, u8) {
            let mixed = (self.0 + 1) * 7919 + u64::from(step) * 131 + u64::from(place) * 31 + way;
            (step + 1, (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).rem_euclid(PLACES) as u8)
        }
    }

    impl Process for Walk {
        type State = (u8, u8);
        type Terms = ();
        type Reading = u8;
        type Outcome = u8;

        fn start<L: Log>(&self, _: &mut L) -> (u8, u8) {
            (0, 0)
        }
        fn due(&self, &(step, place): &(u8, u8)) -> Due<()> {
            let options = 2 + usize::from(place % 2);
            match (step, (step + place) % 4) {
                (STEPS, _) => Due::Report(0),
                (STEPS.., _) => Due::Over,
                (_, 0) => Due::Choice { player: Player::Owner, options },
                (_, 1) => Due::Choice { player: Player::Enemy, options },
                _ => Due::Roll(Dice::One, ()),
            }
        }
        fn read(&self, (): &(), face: Face) -> u8 {
            face.number().min(4)
        }
        fn apply<L: Log>(&self, state: &mut (u8, u8), pips: u8, _: &mut L) {
            *state = self.next(*state, pips.into());
        }
        fn choose<L: Log>(&self, state: &mut (u8, u8), option: usize, _: &mut L) {
            *state = self.next(*state, 10 + option as u64);
        }
        fn report(&self, &(_, place): &(u8, u8), observe: &mut dyn FnMut(u8)) {
            observe(place);
        }
        fn pass<L: Log>(&self, state: &mut (u8, u8), _: &mut L) {
            state.0 += 1;
        }
        fn describe(&self, _: &(u8, u8), (): &(), _: Face) -> Event {
            Event { rule: "", text: String::new() }
        }
    }

    #[test]
    fn exact_values_lie_in_certified_intervals() {
        let gain = |_, &place: &u8| [f64::from(place) / (PLACES - 1) as f64];
        let (mut dropped, mut followed, mut narrow) = (0, 0, 0);
        for seed in 0..40 {
            let walk = Walk(seed);
            let mut exact = Solution::new(&walk, gain, usize::MAX);
            exact.worth(&(0, 0)).unwrap();
            for part in [64, 16, 4, 2, 1] {
                let kept = exact.states / part + 1;
                let mut certified = Solution::new(&walk, gain, PART_KEPT * kept);
                let refused = certified.certified_worth(&(0, 0), [0.0, 1.0], 0.0);
                assert!(refused.is_err() && certified.states <= kept);
                let states: Vec<(u8, u8)> =
                    exact.ground.states.keys().map(|state| **state).collect();
                for state in states.into_iter().filter(|(step, _)| *step <= STEPS) {
                    let bound = certified.error_bound(&state).unwrap();
                    let value = certified.worth(&state).unwrap()[0];
                    let expected = exact.worth(&state).unwrap()[0];
                    assert!((value - expected).abs() <= bound, "{seed} {part} {state:?}");
                    dropped += u32::from(certified.is_dropped(&state));
                    followed += u32::from(!certified.is_dropped(&state));
                    narrow += u32::from((1e-8..0.4).contains(&bound));
                }
                if part == 1 {
                    assert!(certified.error_bound(&(0, 0)).unwrap() < 1e-8);
                }
            }
        }
        assert!(dropped > 1000 && followed > 1000 && narrow > 100, "{dropped} {followed} {narrow}");
    }

    #[test]
    fn value_is_refused_unless_it_is_certain_enough() {
        let gain = |_, &place: &u8| [f64::from(place) / (PLACES - 1) as f64];
        let mut solution = Solution::new(&Walk(1), gain, 60);
        let error = solution.certified_worth(&(0, 0), [0.0, 1.0], 1e-6);
        assert_eq!(error, Err(EngineError::TooManyStates { bound: 60 }));
        let bound = solution.error_bound(&(0, 0)).unwrap();
        assert!(solution.certified_worth(&(0, 0), [0.0, 1.0], bound).is_ok());
    }

    #[test]
    fn values_are_compared_lexicographically() {
        assert!(is_better(&[1.0, 0.0], &[0.5, 1.0]) && !is_better(&[0.5, 1.0], &[1.0, 0.0]));
        assert!(
            is_better(&[1.0, 0.5], &[1.0 + 1e-15, 0.4]) && !is_better(&[1.0, 0.5], &[1.0, 0.5])
        );
    }
}
