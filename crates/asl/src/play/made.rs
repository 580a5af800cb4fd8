//! How often each shot of a question is made: an engagement that reports only that.

use crate::stack_process::{StackProcess, StackState, StackTerms};
use crate::vocabulary::{LocationState, Stage, Task};
use engine::process::{Due, ExtendedState, Log, Process as _, ReportIndex, Wrapper};

/// An engagement that reports each shot as it is made, by the index of its stage.
pub(crate) struct ShotReporter(pub StackProcess);

/// A state, and whether the shot that is due has been reported.
type ReportedState = ExtendedState<StackState, bool>;

fn is_shot(location: &LocationState) -> bool {
    location.agenda.last() == Some(&Task::Attack)
}

impl ShotReporter {
    /// Returns the number of the step and of the shot in it, from 1, for each stage that is a shot.
    pub(crate) fn numbers(&self) -> Vec<(ReportIndex, u16, u8)> {
        let (mut step, mut shot) = (1, 0);
        let mut numbers = Vec::new();
        for (place, stage) in (0..).zip(&self.0.stages) {
            match stage {
                Stage::Fire(_) | Stage::FireAtClasses(_) | Stage::Shot { .. } => {
                    shot += 1;
                    numbers.push((place, step, shot));
                }
                Stage::Report(number) => (step, shot) = (number + 1, 0),
                _ => {}
            }
        }
        numbers
    }
}

impl Wrapper for ShotReporter {
    type Inner = StackProcess;
    type State = ReportedState;
    type Outcome = ();

    fn process(&self) -> &StackProcess {
        &self.0
    }

    fn due(&self, state: &ReportedState) -> Due<StackTerms> {
        let location = &state.inner;
        match self.0.due(location) {
            Due::Report(_) => Due::Report(location.stage),
            Due::Roll(..) if is_shot(location) && !state.added => Due::Report(location.stage - 1),
            due => due,
        }
    }

    fn report(&self, state: &ReportedState, observe: &mut dyn FnMut(())) {
        if is_shot(&state.inner) {
            observe(());
        }
    }

    fn pass<L: Log>(&self, state: &mut ReportedState, log: &mut L) {
        match is_shot(&state.inner) {
            true => state.added = true,
            false => self.0.pass(&mut state.inner, log),
        }
    }

    fn settle<L: Log>(&self, state: &mut ReportedState, _: &mut L) {
        state.added = false;
    }
}
