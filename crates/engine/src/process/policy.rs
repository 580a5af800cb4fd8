//! Processes whose choices are made by a policy.

use std::sync::Arc;

use super::wrapper::Wrapper;
use super::{Due, Log, Player, Process};

/// A function of the process, state, choosing player and number of options to a 0-based option.
pub type Chooser<'a, P> =
    Arc<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync + 'a>;

/// A process whose choices are made by a policy. Those of one player may stay open, or all of them.
#[derive(Clone)]
pub struct WithPolicy<'a, P: Process> {
    process: P,
    /// `None` if all choices stay open.
    policy: Option<Chooser<'a, P>>,
    open: Option<Player>,
}

impl<'a, P: Process> WithPolicy<'a, P> {
    /// Wraps `process`, whose choices `policy` makes; see [`Chooser`].
    pub fn new(
        process: P,
        policy: impl Fn(&P, &P::State, Player, usize) -> usize + Send + Sync + 'a,
    ) -> Self {
        WithPolicy::sharing(process, Arc::new(policy))
    }

    /// Wraps `process`, whose choices a shared policy makes.
    pub fn sharing(process: P, policy: Chooser<'a, P>) -> Self {
        WithPolicy { process, policy: Some(policy), open: None }
    }

    /// Wraps `process`, all choices of which stay open.
    pub fn open(process: P) -> Self {
        WithPolicy { process, policy: None, open: None }
    }

    /// Leaves the choices of the player `open` unmade.
    pub fn leaving(self, open: Player) -> Self {
        WithPolicy { open: Some(open), ..self }
    }
}

impl<P: Process> Wrapper for WithPolicy<'_, P> {
    type Inner = P;
    type State = P::State;
    type Outcome = P::Outcome;

    #[inline]
    fn process(&self) -> &P {
        &self.process
    }

    fn report(&self, state: &P::State, observe: &mut dyn FnMut(P::Outcome)) {
        self.process.report(state, observe);
    }

    /// Makes the choices for which `state` waits, except choices that stay open.
    ///
    /// # Panics
    ///
    /// Panics if the policy returns an option that does not exist.
    fn settle<L: Log>(&self, state: &mut P::State, log: &mut L) {
        let Some(policy) = &self.policy else { return };
        while let Due::Choice { player, options } = self.process.due(state) {
            if self.open == Some(player) {
                return;
            }
            let option = policy(&self.process, state, player, options);
            assert!(option < options, "a policy chose option {option} of {options}");
            self.process.choose(state, option, log);
        }
    }
}
