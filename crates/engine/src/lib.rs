//! Engines: algorithms that analyse a [`process::Process`]. They depend on no game.
//!
//! | engine | computes |
//! |---|---|
//! | [`exact`] | the exact distribution, by a forward pass that merges equal states |
//! | [`factored`] | the joint distribution of units that are independent given a common part |
//! | [`automaton`] | the process as a flat transition table, explored once |
//! | [`monte_carlo`] | outcome counts of seeded sequences on all cores, over a table |
//! | [`stratified`] | Monte Carlo estimates with all combinations of the first rolls enumerated |
//! | [`paired`] | courses of action side by side, on common random numbers |
//! | [`solve`] | the best play where choices are open, by backward induction |
//! | [`trace`] | one sequence, step by step |
//!
//! A caller can observe and cancel a running engine: see [`monitor`].

pub mod automaton;
pub mod dice;
pub mod exact;
pub mod factored;
mod histogram;
mod lazy;
pub mod monitor;
pub mod monte_carlo;
pub mod paired;
pub mod pool;
pub mod process;
mod samples;
pub mod solve;
pub mod stats;
pub mod stratified;
pub mod text;
pub mod trace;
mod walk;

use smallvec::SmallVec;

use crate::dice::Dice;
use crate::process::{Due, Log, Process, ReportIndex};

/// The reason why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// More distinct states are alive at once than the bound allows.
    #[error("more than {bound} states are alive at once")]
    TooManyStates { bound: usize },
    /// More states have to be worked through in all than the bound allows.
    #[error("more than {bound} states to visit in total")]
    TooMuchWork { bound: usize },
    /// More distinct outcomes come up than are counted.
    #[error("more than {bound} different outcomes")]
    TooManyOutcomes { bound: usize },
    /// A player has to choose, and no policy makes the choice.
    #[error("a player has a choice here: name a policy")]
    OpenChoice,
    /// The run was cancelled from outside.
    #[error("interrupted")]
    Interrupted,
}

/// Passes every report that is due. Returns the next roll, or `None` if the sequence is over.
#[inline]
fn settle<P: Process, L: Log>(
    process: &P,
    state: &mut P::State,
    log: &mut L,
    mut observe: impl FnMut(ReportIndex, P::Outcome),
) -> Result<Option<(Dice, P::Terms)>, EngineError> {
    loop {
        match process.due(state) {
            Due::Roll(dice, terms) => return Ok(Some((dice, terms))),
            Due::Over => return Ok(None),
            Due::Choice { .. } => return Err(EngineError::OpenChoice),
            Due::Report(point) => {
                process.report(state, &mut |outcome| observe(point, outcome));
                process.pass(state, log);
            }
        }
    }
}

/// The distinct readings of a roll, each with the number of faces that read so.
pub type Classes<P> = SmallVec<[(<P as Process>::Reading, u8); 8]>;

/// Returns the distinct readings of a due roll, each with the number of faces that read so.
///
/// Readings come in the order of their first face. The counts sum to [`Dice::faces`].
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
