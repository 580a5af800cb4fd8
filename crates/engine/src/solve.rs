//! The best play of a process that leaves choices: backward induction over its states, each worked
//! out once.
//!
//! What an outcome is worth is a list of numbers, compared from the first on: survival first, say,
//! and among equals cover. The owner takes the greatest expectation, the enemy the least.
//! Expectations are doubles; two that differ by less than [`EQUAL`] count as equal, and of equal
//! options the first is taken.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::watch::Watch;
use super::{Classes, EngineError, roll_classes};
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

/// States solved so far: their worth, and the best option where one is to be chosen.
pub struct Solution<'a, P: Process, G, const N: usize> {
    process: &'a P,
    gain: G,
    bound: usize,
    watch: Watch<'a>,
    /// States are boxed: the table grows by moving its entries.
    solved: FxHashMap<Box<P::State>, (Worth<N>, u16)>,
}

impl<'a, P: Process, G: Fn(Point, &P::Outcome) -> Worth<N>, const N: usize> Solution<'a, P, G, N> {
    /// Nothing solved yet. `gain` is what an outcome noted at a point is worth; reports of one
    /// sequence add up. No more than `bound` states are kept.
    pub fn new(process: &'a P, gain: G, bound: usize) -> Solution<'a, P, G, N> {
        Solution { process, gain, bound, watch: Watch::NONE, solved: FxHashMap::default() }
    }

    /// The same with somebody who looks on; he is told of states solved.
    pub fn watched(self, watch: Watch<'a>) -> Solution<'a, P, G, N> {
        Solution { watch, ..self }
    }

    /// States solved.
    pub fn states(&self) -> usize {
        self.solved.len()
    }

    /// What a state is worth under best play.
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond the bound, and with
    /// [`EngineError::Interrupted`] once the flag is raised.
    pub fn worth(&mut self, state: &P::State) -> Result<Worth<N>, EngineError> {
        match self.solved.get(state) {
            Some((worth, _)) => Ok(*worth),
            None => self.worth_of(state.clone()),
        }
    }

    /// The same, the states that lead on put on a stack of their own: a sequence may be thousands
    /// of steps long.
    fn worth_of(&mut self, state: P::State) -> Result<Worth<N>, EngineError> {
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
    fn enter(&self, state: P::State, open: &mut Vec<Open<P, N>>) -> Option<Worth<N>> {
        if let Some((worth, _)) = self.solved.get(&state) {
            return Some(*worth);
        }
        let mut sum = [0.0; N];
        let (ahead, player) = match self.process.due(&state) {
            Due::Over => return Some(sum),
            Due::Report(point) => {
                self.process.report(&state, &mut |outcome| {
                    add(&mut sum, &(self.gain)(point, &outcome), 1.0)
                });
                let mut next = state.clone();
                self.process.pass(&mut next, &mut Silent);
                (Ahead::Report(Some(next)), None)
            }
            Due::Roll(dice, terms) => {
                let classes = roll_classes(self.process, dice, &terms).into_iter();
                (Ahead::Roll { classes, faces: f64::from(dice.faces()) }, None)
            }
            Due::Choice { player, options } => {
                (Ahead::Choice(self.process.followers(&state, options).into_iter()), Some(player))
            }
        };
        open.push(Open { state, ahead, weight: 1.0, player, sum, options: 0, best: 0 });
        None
    }

    /// The next of the states after an open one.
    fn next_of(&self, open: &mut Open<P, N>) -> Option<P::State> {
        match &mut open.ahead {
            Ahead::Roll { classes, faces } => {
                let (reading, of) = classes.next()?;
                open.weight = f64::from(of) / *faces;
                let mut next = open.state.clone();
                self.process.apply(&mut next, reading, &mut Silent);
                Some(next)
            }
            Ahead::Choice(followers) => followers.next(),
            Ahead::Report(next) => next.take(),
        }
    }

    /// The state on top of the stack is solved: it is kept.
    fn close(&mut self, open: &mut Vec<Open<P, N>>) -> Result<Option<Worth<N>>, EngineError> {
        let Some(Open { state, sum, best, .. }) = open.pop() else { return Ok(None) };
        if self.solved.len() >= self.bound {
            return Err(EngineError::TooManyStates { bound: self.bound });
        }
        self.watch.state(self.solved.len())?;
        self.solved.insert(Box::new(state), (sum, best));
        Ok(Some(sum))
    }

    /// What each option of a state that waits for a choice is worth.
    pub fn options(
        &mut self,
        state: &P::State,
        options: usize,
    ) -> Result<Vec<Worth<N>>, EngineError> {
        self.process.followers(state, options).into_iter().map(|next| self.worth_of(next)).collect()
    }

    /// The best option of every state solved.
    pub fn into_play(self) -> Play<P::State> {
        let other_than_first = self.solved.into_iter().filter(|(_, (_, best))| *best > 0);
        Play(other_than_first.map(|(state, (_, best))| (*state, best)).collect())
    }

    /// The best option of a state; 0 where it was never reached.
    pub fn best(&self, state: &P::State) -> usize {
        self.solved.get(state).map_or(0, |(_, best)| usize::from(*best))
    }
}

/// What is still to be solved after a state.
enum Ahead<P: Process> {
    /// Readings of a roll, each with the number of its faces.
    Roll { classes: <Classes<P> as IntoIterator>::IntoIter, faces: f64 },
    /// The states after each option.
    Choice(std::vec::IntoIter<P::State>),
    /// The state after a report.
    Report(Option<P::State>),
}

/// A state that waits for the worth of those after it.
struct Open<P: Process, const N: usize> {
    state: P::State,
    ahead: Ahead<P>,
    /// Weight of the state that is being solved.
    weight: f64,
    /// Who chooses; nobody where dice are rolled, or outcomes noted.
    player: Option<Player>,
    /// What it is worth as far as that is known.
    sum: Worth<N>,
    /// Options solved so far, and the best of them.
    options: u16,
    best: u16,
}

impl<P: Process, const N: usize> Open<P, N> {
    /// Takes in what the next state is worth.
    fn take(&mut self, worth: Worth<N>) {
        let beats = match self.player {
            None => return add(&mut self.sum, &worth, self.weight),
            Some(Player::Owner) => is_better(&worth, &self.sum),
            Some(Player::Enemy) => is_better(&self.sum, &worth),
        };
        if beats || self.options == 0 {
            (self.sum, self.best) = (worth, self.options);
        }
        self.options += 1;
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
