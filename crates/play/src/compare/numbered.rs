//! Processes whose outcomes contain the number of their course.

use engine::process::{Process, Wrapper};

/// The process of a course. The value of an outcome depends on the course's question.
#[derive(Clone, Debug)]
pub struct Numbered<P> {
    pub number: usize,
    pub process: P,
}

impl<P: Process> Wrapper for Numbered<P> {
    type Inner = P;
    type State = P::State;
    type Outcome = (usize, P::Outcome);

    #[inline]
    fn process(&self) -> &P {
        &self.process
    }

    fn report(&self, state: &P::State, observe: &mut impl FnMut((usize, P::Outcome))) {
        self.process.report(state, &mut |outcome| observe((self.number, outcome)));
    }
}
