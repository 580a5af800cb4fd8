//! Processes whose choices are made by a policy.

use super::wrapper::Wrapper;
use super::{Due, Log, Player, Process};

/// A process whose choices are made by a policy. Optionally one player's choices stay open.
#[derive(Clone, Debug)]
pub struct WithPolicy<P, F> {
    process: P,
    policy: F,
    open: Option<Player>,
}

impl<P, F> WithPolicy<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    /// Wraps `process`. `policy` gets the process, the state, the player who chooses and the number
    /// of options. It returns the 0-based index of an option.
    pub fn new(process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: None }
    }

    /// Wraps `process`, and leaves the choices of the player `open` unmade.
    pub fn leaving(open: Player, process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: Some(open) }
    }
}

impl<P, F> Wrapper for WithPolicy<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    type Inner = P;
    type State = P::State;
    type Outcome = P::Outcome;

    #[inline]
    fn process(&self) -> &P {
        &self.process
    }

    fn report(&self, state: &P::State, observe: &mut impl FnMut(P::Outcome)) {
        self.process.report(state, observe);
    }

    /// Makes the choices for which `state` waits, except choices that stay open.
    ///
    /// # Panics
    ///
    /// Panics if the policy returns an option that does not exist.
    fn settle<L: Log>(&self, state: &mut P::State, log: &mut L) {
        while let Due::Choice { player, options } = self.process.due(state) {
            if self.open == Some(player) {
                return;
            }
            let option = (self.policy)(&self.process, state, player, options);
            assert!(option < options, "a policy chose option {option} of {options}");
            self.process.choose(state, option, log);
        }
    }
}
