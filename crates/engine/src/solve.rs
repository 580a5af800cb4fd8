//! The best play of a process that leaves choices: backward induction over its states, each worked
//! out once.
//!
//! What an outcome is worth is a list of numbers, compared from the first on: survival first, say,
//! and among equals cover. The owner takes the greatest expectation, the enemy the least.
//! Expectations are doubles; two that differ by less than [`EQUAL`] count as equal, and of equal
//! options the first is taken.

use std::hash::Hash;

use indexmap::IndexMap;
use indexmap::map::raw_entry_v1::{RawEntryApiV1 as _, RawEntryMut};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::watch::Watch;
use super::{Classes, EngineError, roll_classes};
use crate::dice::Dice;
use crate::process::{Due, Player, Point, Process, Silent};

/// What is worth no more than this is worth the same.
pub const EQUAL: f64 = 1e-12;

/// What a state is worth, most important first.
pub type Worth<const N: usize> = [f64; N];

/// The first of two that differ, seen from the owner: whether `a` is worth more than `b`.
pub fn is_better<const N: usize>(a: &Worth<N>, b: &Worth<N>) -> bool {
    let differing = a.iter().zip(b).find(|(a, b)| (*a - *b).abs() > EQUAL);
    differing.is_some_and(|(a, b)| a > b)
}

/// The states of a process, and which follows on which as far as that was asked. Another process
/// may be solved on it that has the same states and goes on alike after equal readings, whatever
/// its faces read.
pub struct Ground<S, R> {
    /// Boxed: the map grows by moving its entries.
    states: IndexMap<Box<S>, Ahead<R>, FxBuildHasher>,
}

/// What follows on a state: others, by their numbers.
enum Ahead<R> {
    Unknown,
    Over,
    /// The state after each reading, as far as that was asked.
    Roll(Vec<(R, u32)>),
    Choice(Player, Vec<u32>),
    Report(Point, u32),
}

impl<S, R> Default for Ground<S, R> {
    fn default() -> Ground<S, R> {
        Ground { states: IndexMap::default() }
    }
}

impl<S: Eq + Hash, R> Ground<S, R> {
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
}

impl<S, R> Ground<S, R> {
    /// A state, and what follows on it.
    fn at(&self, place: usize) -> (&S, &Ahead<R>) {
        let Some((state, ahead)) = self.states.get_index(place) else {
            unreachable!("only states have numbers")
        };
        (state, ahead)
    }
}

/// That of a process.
pub type GroundOf<P> = Ground<<P as Process>::State, <P as Process>::Reading>;

/// States solved so far: their worth, and the best option where one is to be chosen.
pub struct Solution<'a, P: Process, G, const N: usize> {
    process: &'a P,
    gain: G,
    bound: usize,
    watch: Watch<'a>,
    ground: GroundOf<P>,
    /// By the numbers of the ground.
    solved: Vec<Option<(Worth<N>, u16)>>,
    states: usize,
}

impl<'a, P: Process, G: Fn(Point, &P::Outcome) -> Worth<N>, const N: usize> Solution<'a, P, G, N> {
    /// Nothing solved yet. `gain` is what an outcome noted at a point is worth; reports of one
    /// sequence add up. No more than `bound` states are kept.
    pub fn new(process: &'a P, gain: G, bound: usize) -> Solution<'a, P, G, N> {
        let (watch, ground) = (Watch::NONE, Ground::default());
        Solution { process, gain, bound, watch, ground, solved: Vec::new(), states: 0 }
    }

    /// The same with somebody who looks on; he is told of states solved.
    pub fn watched(self, watch: Watch<'a>) -> Solution<'a, P, G, N> {
        Solution { watch, ..self }
    }

    /// The same on what was found about another process, which has the same states and goes on
    /// alike after equal readings.
    pub fn on(self, ground: GroundOf<P>) -> Solution<'a, P, G, N> {
        Solution { ground, ..self }
    }

    /// What was found, for another process.
    pub fn into_ground(self) -> GroundOf<P> {
        self.ground
    }

    /// States solved.
    pub fn states(&self) -> usize {
        self.states
    }

    /// What a state is worth under best play.
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond the bound, and with
    /// [`EngineError::Interrupted`] once the flag is raised.
    pub fn worth(&mut self, state: &P::State) -> Result<Worth<N>, EngineError> {
        let number = self.ground.states.get_index_of(state);
        let number = number.map(|number| number as u32);
        let number = number.unwrap_or_else(|| self.ground.number(state.clone()));
        self.worth_of(number)
    }

    /// The same, the states that lead on put on a stack of their own: a sequence may be thousands
    /// of steps long.
    fn worth_of(&mut self, state: u32) -> Result<Worth<N>, EngineError> {
        let mut open: Vec<Open<P, N>> = Vec::new();
        let mut found = self.enter(state, &mut open);
        loop {
            self.watch.look()?;
            match (found, open.last_mut()) {
                (Some(worth), None) => return Ok(worth),
                (Some(worth), Some(before)) => before.take(worth),
                (None, _) => {}
            }
            let Some(last) = open.last_mut() else { continue };
            found = match self.next_of(last) {
                Some(next) => self.enter(next, &mut open),
                None => self.close(&mut open)?,
            };
        }
    }

    /// What a state is worth, if that is known; else it is put on the stack.
    fn enter(&mut self, state: u32, open: &mut Vec<Open<P, N>>) -> Option<Worth<N>> {
        let place = state as usize;
        if let Some(Some((worth, _))) = self.solved.get(place) {
            return Some(*worth);
        }
        let mut rolled = None;
        if let Ahead::Unknown = self.ground.states[place] {
            let ahead = self.ahead_of(place, &mut rolled);
            self.ground.states[place] = ahead;
        }
        let (mut sum, mut player) = ([0.0; N], None);
        let (state_of, ahead) = self.ground.at(place);
        match ahead {
            Ahead::Unknown | Ahead::Over => return Some(sum),
            Ahead::Report(point, _) => {
                let note = &mut |outcome| add(&mut sum, &(self.gain)(*point, &outcome), 1.0);
                self.process.report(state_of, note);
            }
            Ahead::Choice(who, _) => player = Some(*who),
            // What faces read may be new where the followers are known.
            Ahead::Roll(_) if rolled.is_none() => {
                if let Due::Roll(dice, terms) = self.process.due(state_of) {
                    rolled = Some(self.rolled(dice, &terms));
                }
            }
            Ahead::Roll(_) => {}
        }
        open.push(Open { state, rolled, weight: 1.0, player, sum, begun: 0, best: 0 });
        None
    }

    /// The readings of a roll, each with the number of its faces, of so many.
    fn rolled(&self, dice: Dice, terms: &P::Terms) -> Rolled<P> {
        (roll_classes(self.process, dice, terms).into_iter(), f64::from(dice.faces()))
    }

    /// What follows on a state, and what is rolled in it.
    fn ahead_of(&mut self, place: usize, rolled: &mut Option<Rolled<P>>) -> Ahead<P::Reading> {
        let (state, _) = self.ground.at(place);
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

    /// The next of the states after an open one.
    fn next_of(&mut self, open: &mut Open<P, N>) -> Option<u32> {
        let place = open.state as usize;
        let begun = usize::from(open.begun);
        let next = match (&self.ground.states[place], &mut open.rolled) {
            (Ahead::Roll(known), Some((classes, faces))) => {
                let (reading, of) = classes.next()?;
                open.weight = f64::from(of) / *faces;
                match known.iter().find(|(read, _)| *read == reading) {
                    Some((_, next)) => *next,
                    None => self.after(place, reading),
                }
            }
            (Ahead::Choice(_, followers), _) => *followers.get(begun)?,
            (Ahead::Report(_, next), _) if begun == 0 => *next,
            _ => return None,
        };
        open.begun += 1;
        Some(next)
    }

    /// The state after a reading that nobody has asked for.
    fn after(&mut self, place: usize, reading: P::Reading) -> u32 {
        let mut next = self.ground.at(place).0.clone();
        self.process.apply(&mut next, reading, &mut Silent);
        let next = self.ground.number(next);
        if let Ahead::Roll(known) = &mut self.ground.states[place] {
            known.push((reading, next));
        }
        next
    }

    /// The state on top of the stack is solved: it is kept.
    fn close(&mut self, open: &mut Vec<Open<P, N>>) -> Result<Option<Worth<N>>, EngineError> {
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

    /// What each option of a state that waits for a choice is worth.
    pub fn options(
        &mut self,
        state: &P::State,
        options: usize,
    ) -> Result<Vec<Worth<N>>, EngineError> {
        let followers = self.process.followers(state, options).into_iter();
        followers.map(|next| self.worth(&next)).collect()
    }

    /// The best option of every state solved.
    pub fn into_play(self) -> Play<P::State> {
        let best = self.solved.into_iter().map(|solved| solved.map_or(0, |(_, best)| best));
        let other_than_first =
            self.ground.states.into_keys().zip(best).filter(|(_, best)| *best > 0);
        Play(other_than_first.map(|(state, best)| (*state, best)).collect())
    }

    /// The best option of a state; 0 where it was never reached.
    pub fn best(&self, state: &P::State) -> usize {
        let solved =
            self.ground.states.get_index_of(state).and_then(|place| *self.solved.get(place)?);
        solved.map_or(0, |(_, best)| usize::from(best))
    }
}

/// Readings of a roll, each with the number of its faces, of so many.
type Rolled<P> = (<Classes<P> as IntoIterator>::IntoIter, f64);

/// A state that waits for the worth of those after it.
struct Open<P: Process, const N: usize> {
    state: u32,
    rolled: Option<Rolled<P>>,
    /// Weight of the state that is being solved.
    weight: f64,
    /// Who chooses; nobody where dice are rolled, or outcomes noted.
    player: Option<Player>,
    /// What it is worth as far as that is known.
    sum: Worth<N>,
    /// States begun that follow on it, and the best option of those solved.
    begun: u16,
    best: u16,
}

impl<P: Process, const N: usize> Open<P, N> {
    /// Takes in what the state begun last is worth.
    fn take(&mut self, worth: Worth<N>) {
        let beats = match self.player {
            None => return add(&mut self.sum, &worth, self.weight),
            Some(Player::Owner) => is_better(&worth, &self.sum),
            Some(Player::Enemy) => is_better(&self.sum, &worth),
        };
        let option = self.begun - 1;
        if beats || option == 0 {
            (self.sum, self.best) = (worth, option);
        }
    }
}

/// What to do in every state of a process: a policy.
pub struct Play<S>(FxHashMap<S, u16>);

impl<S> Default for Play<S> {
    /// The first option everywhere.
    fn default() -> Play<S> {
        Play(FxHashMap::default())
    }
}

impl<S: Eq + Hash> Play<S> {
    /// The best option of a state; the first where it was never reached.
    pub fn best(&self, state: &S) -> usize {
        self.0.get(state).map_or(0, |&best| usize::from(best))
    }
}

fn add<const N: usize>(sum: &mut Worth<N>, worth: &Worth<N>, weight: f64) {
    for (sum, worth) in sum.iter_mut().zip(worth) {
        *sum += weight * worth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Face};
    use crate::process::{Event, Log};

    /// The owner takes 2, or rolls a die for its pips; then the enemy may halve that.
    struct Wager;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum Stand {
        Begin,
        Rolling,
        Holding(u8),
        Paid(u8),
        Done,
    }

    impl Process for Wager {
        type State = Stand;
        type Terms = ();
        type Reading = u8;
        type Outcome = u8;

        fn start<L: Log>(&self, _: &mut L) -> Stand {
            Stand::Begin
        }
        fn due(&self, state: &Stand) -> Due<()> {
            match state {
                Stand::Begin => Due::Choice { player: Player::Owner, options: 2 },
                Stand::Rolling => Due::Roll(Dice::One, ()),
                Stand::Holding(_) => Due::Choice { player: Player::Enemy, options: 2 },
                Stand::Paid(_) => Due::Report(0),
                Stand::Done => Due::Over,
            }
        }
        fn read(&self, (): &(), face: Face) -> u8 {
            face.dr()
        }
        fn apply<L: Log>(&self, state: &mut Stand, pips: u8, _: &mut L) {
            *state = Stand::Holding(pips);
        }
        fn choose<L: Log>(&self, state: &mut Stand, option: usize, _: &mut L) {
            *state = match (&state, option) {
                (Stand::Begin, 0) => Stand::Paid(2),
                (Stand::Begin, _) => Stand::Rolling,
                (Stand::Holding(pips), 0) => Stand::Paid(*pips),
                (Stand::Holding(pips), _) => Stand::Paid(pips / 2),
                _ => Stand::Done,
            };
        }
        fn report(&self, state: &Stand, tell: &mut impl FnMut(u8)) {
            if let Stand::Paid(pips) = state {
                tell(*pips);
            }
        }
        fn pass<L: Log>(&self, state: &mut Stand, _: &mut L) {
            *state = Stand::Done;
        }
        fn describe(&self, _: &Stand, (): &(), _: Face) -> Event {
            Event { rule: "", text: String::new() }
        }
    }

    /// Halved pips are 0 1 1 2 2 3, in the mean 1.5: the owner takes his 2. Were the enemy to leave
    /// them alone, he would roll.
    #[test]
    fn both_sides_play_their_best() {
        let mut solution = Solution::new(&Wager, |_, &pips: &u8| [f64::from(pips)], 100);
        let options = solution.options(&Stand::Begin, 2).unwrap();
        assert!((options[0][0] - 2.0).abs() < EQUAL && (options[1][0] - 1.5).abs() < EQUAL);
        assert_eq!(solution.worth(&Stand::Begin).unwrap(), [2.0]);
        assert_eq!((solution.best(&Stand::Begin), solution.best(&Stand::Holding(6))), (0, 1));
    }

    #[test]
    fn the_bound_is_kept() {
        let mut solution = Solution::new(&Wager, |_, &pips: &u8| [f64::from(pips)], 3);
        assert_eq!(solution.worth(&Stand::Begin), Err(EngineError::TooManyStates { bound: 3 }));
    }

    #[test]
    fn numbers_are_compared_from_the_first_on() {
        assert!(is_better(&[1.0, 0.0], &[0.5, 1.0]) && !is_better(&[0.5, 1.0], &[1.0, 0.0]));
        assert!(
            is_better(&[1.0, 0.5], &[1.0 + 1e-15, 0.4]) && !is_better(&[1.0, 0.5], &[1.0, 0.5])
        );
    }
}
