//! Processes whose outcomes contain the number of their course.

use engine::dice::{Base, Face};
use engine::process::{CallOutcome, Due, Event, Log, Process, RollOwner, Selection, Spawns};

/// The process of a course. Its outcomes contain the course's number, because their value depends
/// on the question of that course.
#[derive(Clone, Debug)]
pub struct Numbered<P> {
    pub number: usize,
    pub process: P,
}

impl<P: Process> Process for Numbered<P> {
    type State = P::State;
    type Terms = P::Terms;
    type Reading = P::Reading;
    type Outcome = (usize, P::Outcome);
    const BASE: Base = P::BASE;

    fn start<L: Log>(&self, log: &mut L) -> P::State {
        self.process.start(log)
    }
    fn due(&self, state: &P::State) -> Due<P::Terms> {
        self.process.due(state)
    }
    fn epoch(&self, state: &P::State) -> u32 {
        self.process.epoch(state)
    }
    fn read(&self, terms: &P::Terms, face: Face) -> P::Reading {
        self.process.read(terms, face)
    }
    fn apply<L: Log>(&self, state: &mut P::State, reading: P::Reading, log: &mut L) {
        self.process.apply(state, reading, log);
    }
    fn choose<L: Log>(&self, state: &mut P::State, option: usize, log: &mut L) {
        self.process.choose(state, option, log);
    }
    fn followers(&self, state: &P::State, options: usize) -> Vec<P::State> {
        self.process.followers(state, options)
    }
    fn report(&self, state: &P::State, observe: &mut impl FnMut((usize, P::Outcome))) {
        self.process.report(state, &mut |outcome| observe((self.number, outcome)));
    }
    fn pass<L: Log>(&self, state: &mut P::State, log: &mut L) {
        self.process.pass(state, log);
    }
    fn describe(&self, state: &P::State, terms: &P::Terms, face: Face) -> Event {
        self.process.describe(state, terms, face)
    }
    fn turn(&self, state: &P::State) -> RollOwner {
        self.process.turn(state)
    }
    fn draw(&self, state: &mut P::State, drawn: Selection) {
        self.process.draw(state, drawn);
    }
    fn resolve_call(&self, state: &mut P::State, called: CallOutcome) {
        self.process.resolve_call(state, called);
    }
    fn merge_first(&self, state: &mut P::State, first: &P::State) {
        self.process.merge_first(state, first);
    }
    fn spawned(&self, state: &P::State) -> Spawns {
        self.process.spawned(state)
    }
}
