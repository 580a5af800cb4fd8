//! The number of calls of a Sniper (14.1): an engagement that reports only that.

use super::engagement::Engagement;
use crate::vocabulary::LocationState;
use engine::process::{CallOutcome, Factored, RollOwner, Selection, Spawns, Wrapper};

/// An engagement that reports the number of calls of the Sniper that it follows.
#[derive(Clone, Debug)]
pub(crate) struct CallCounter(pub Engagement);

impl Wrapper for CallCounter {
    type Inner = Engagement;
    type State = LocationState;
    type Outcome = u8;

    fn process(&self) -> &Engagement {
        &self.0
    }

    fn report(&self, location: &LocationState, observe: &mut impl FnMut(u8)) {
        observe(location.calls);
    }
}

impl Factored for CallCounter {
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
