//! Engines: what is done with a process. They know no game.
//!
//! | engine | answers |
//! |---|---|
//! | [`exact`] | the true distribution, by merging equal states and pushing probability forward |
//! | [`courses`] | the same of units that touch each other only through a common cause, however many |
//! | [`automaton`] | the process as a flat transition table, explored once |
//! | [`monte_carlo`] | seeded sequences on all cores: over the table, or as far as it is explored where it would be too big |
//! | [`stratified`] | the same with the first rolls played over all their combinations |
//! | [`paired`] | courses of action side by side, with the same dice for all |
//! | [`solve`] | the best play where choices are left, by backward induction |
//! | [`trace`] | one sequence told step by step |
//!
//! Whoever has one at work may look on: [`watch`].

pub mod automaton;
pub mod courses;
pub mod dice;
mod drawn;
pub mod exact;
mod lazy;
pub mod monte_carlo;
pub mod paired;
pub mod process;
pub mod shelf;
pub mod solve;
pub mod stats;
pub mod stratified;
mod tally;
pub mod text;
pub mod trace;
mod walk;
pub mod watch;

use smallvec::SmallVec;

use crate::dice::Dice;
use crate::process::{Due, Log, Point, Process};

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// More distinct states than the bound.
    #[error("more than {bound} states are alive at once")]
    TooManyStates { bound: usize },
    /// More states in all than the bound on work.
    #[error("more than {bound} states have to be worked through")]
    TooMuchWork { bound: usize },
    /// More distinct outcomes than are counted.
    #[error("more than {bound} different outcomes come up")]
    TooManyOutcomes { bound: usize },
    /// A player has to choose, and no policy says what.
    #[error("the process leaves a choice open: name a policy")]
    OpenChoice,
    /// The run was stopped from outside.
    #[error("interrupted")]
    Interrupted,
}

/// Goes past every report that is due; then a roll is due, or the sequence is over.
#[inline]
fn settle<P: Process, L: Log>(
    process: &P,
    state: &mut P::State,
    log: &mut L,
    mut tell: impl FnMut(Point, P::Outcome),
) -> Result<Option<(Dice, P::Terms)>, EngineError> {
    loop {
        match process.due(state) {
            Due::Roll(dice, terms) => return Ok(Some((dice, terms))),
            Due::Over => return Ok(None),
            Due::Choice { .. } => return Err(EngineError::OpenChoice),
            Due::Report(point) => {
                process.report(state, &mut |outcome| tell(point, outcome));
                process.pass(state, log);
            }
        }
    }
}

/// Readings of a roll, each with the number of faces that read so.
pub type Classes<P> = SmallVec<[(<P as Process>::Reading, u8); 8]>;

/// The readings of all faces of a due roll, each with the number of faces that read so.
pub fn roll_classes<P: Process>(process: &P, dice: Dice, terms: &P::Terms) -> Classes<P> {
    let mut classes: Classes<P> = SmallVec::new();
    for (face, faces) in dice.distinct() {
        let reading = process.read(terms, face);
        match classes.iter_mut().find(|(known, _)| *known == reading) {
            Some((_, sum)) => *sum += faces,
            None => classes.push((reading, faces)),
        }
    }
    classes
}
