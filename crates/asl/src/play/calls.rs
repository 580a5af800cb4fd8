//! The number of calls of a Sniper (14.1): processes that report only that.

use super::engagement::Engagement;
use crate::vocabulary::LocationState;
use engine::process::{CallOutcome, Factored, Process, RollOwner, Selection, Spawns, Wrapper};

/// A process that reports the number of calls of the Sniper that it follows.
#[derive(Clone, Debug)]
pub(crate) struct CallCounter<P>(pub P);

impl<P: Process<State: AsRef<LocationState>>> Wrapper for CallCounter<P> {
    type Inner = P;
    type State = P::State;
    type Outcome = u8;

    fn process(&self) -> &P {
        &self.0
    }

    fn report(&self, state: &P::State, observe: &mut impl FnMut(u8)) {
        observe(state.as_ref().calls);
    }
}

impl Factored for CallCounter<Engagement> {
    fn turn(&self, location: &LocationState) -> RollOwner {
        self.0.turn(location)
    }

    fn draw(&self, location: &mut LocationState, drawn: Selection) {
        self.0.draw(location, drawn);
    }

    fn resolve_call(&self, location: &mut LocationState, called: CallOutcome) {
        self.0.resolve_call(location, called);
    }

    fn merge_first(&self, location: &mut LocationState, first: &LocationState) {
        self.0.merge_first(location, first);
    }

    fn spawned(&self, location: &LocationState) -> Spawns {
        self.0.spawned(location)
    }
}
