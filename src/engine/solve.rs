//! The best play of a process that leaves choices: backward induction over its states, each worked out once.
//!
//! What an outcome is worth is a list of numbers, compared from the first on: survival first, say, and among equals cover. The owner
//! takes the greatest expectation, the enemy the least. Expectations are doubles; two that differ by less than [`EQUAL`] count as
//! equal, and of equal options the first is taken.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{EngineError, roll_classes};
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
    solved: FxHashMap<P::State, (Worth<N>, u16)>,
}

impl<'a, P: Process, G: Fn(Point, &P::Outcome) -> Worth<N>, const N: usize> Solution<'a, P, G, N> {
    /// Nothing solved yet. `gain` is what an outcome noted at a point is worth; reports of one sequence add up. No more than `bound` states are kept.
    pub fn new(process: &'a P, gain: G, bound: usize) -> Solution<'a, P, G, N> {
        Solution { process, gain, bound, solved: FxHashMap::default() }
    }

    /// States solved in which something is rolled or chosen.
    pub fn states(&self) -> usize {
        self.solved.len()
    }

    /// What a state is worth under best play.
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond the bound.
    pub fn worth(&mut self, state: &P::State) -> Result<Worth<N>, EngineError> {
        match self.solved.get(state) {
            Some((worth, _)) => Ok(*worth),
            None => self.worth_of(state.clone()),
        }
    }

    /// The same. States that report or are over are not kept: what they come to is quickly found again.
    fn worth_of(&mut self, mut state: P::State) -> Result<Worth<N>, EngineError> {
        let mut sum = [0.0; N];
        loop {
            match self.process.due(&state) {
                Due::Over => return Ok(sum),
                Due::Report(point) => {
                    self.process.report(&state, &mut |outcome| add(&mut sum, &(self.gain)(point, &outcome), 1.0));
                    self.process.pass(&mut state, &mut Silent);
                }
                Due::Roll(..) | Due::Choice { .. } => break,
            }
        }
        let worth = match self.solved.get(&state) {
            Some((worth, _)) => *worth,
            None => {
                let found = self.solve(&state)?;
                if self.solved.len() >= self.bound {
                    return Err(EngineError::TooManyStates { bound: self.bound });
                }
                self.solved.insert(state, found);
                found.0
            }
        };
        add(&mut sum, &worth, 1.0);
        Ok(sum)
    }

    /// Of a state in which something is due to be rolled or chosen.
    fn solve(&mut self, state: &P::State) -> Result<(Worth<N>, u16), EngineError> {
        match self.process.due(state) {
            Due::Roll(dice, terms) => {
                let mut sum = [0.0; N];
                for (reading, faces) in roll_classes(self.process, dice, &terms) {
                    let mut next = state.clone();
                    self.process.apply(&mut next, reading, &mut Silent);
                    add(&mut sum, &self.worth_of(next)?, f64::from(faces) / f64::from(dice.faces()));
                }
                Ok((sum, 0))
            }
            Due::Choice { player, options } => {
                let worths = self.options(state, options)?;
                let mut best = 0;
                for (option, worth) in worths.iter().enumerate().skip(1) {
                    let beats = match player {
                        Player::Owner => is_better(worth, &worths[best]),
                        Player::Enemy => is_better(&worths[best], worth),
                    };
                    best = if beats { option } else { best };
                }
                Ok((worths[best], best as u16))
            }
            Due::Report(_) | Due::Over => Ok(([0.0; N], 0)),
        }
    }

    /// What each option of a state that waits for a choice is worth.
    pub fn options(&mut self, state: &P::State, options: usize) -> Result<Vec<Worth<N>>, EngineError> {
        self.process.followers(state, options).into_iter().map(|next| self.worth_of(next)).collect()
    }

    /// The best option of every state solved.
    pub fn into_play(self) -> Play<P::State> {
        let other_than_first = self.solved.into_iter().filter(|(_, (_, best))| *best > 0);
        Play(other_than_first.map(|(state, (_, best))| (state, best)).collect())
    }

    /// The best option of a state; 0 where it was never reached.
    pub fn best(&self, state: &P::State) -> usize {
        self.solved.get(state).map_or(0, |(_, best)| usize::from(*best))
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

    /// Halved pips are 0 1 1 2 2 3, in the mean 1.5: the owner takes his 2. Were the enemy to leave them alone, he would roll.
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
        assert!(is_better(&[1.0, 0.5], &[1.0 + 1e-15, 0.4]) && !is_better(&[1.0, 0.5], &[1.0, 0.5]));
    }
}
