//! Engines: algorithms that analyse a [`process::Process`]. They depend on no game.
//!
//! | engine | computes |
//! |---|---|
//! | [`exact`] | the exact distribution, by a forward pass that merges equal states |
//! | [`factored`] | the joint distribution of units, independent given what they share |
//! | [`automaton`] | the process as a flat transition table, explored once |
//! | [`monte_carlo`] | outcome counts of seeded sequences on all cores, over a table |
//! | [`stratified`] | Monte Carlo estimates with all combinations of the first rolls enumerated |
//! | [`paired`] | several courses of action side by side, on common random numbers |
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
pub mod order;
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
use crate::process::{Due, Process, ReportIndex, Silent};

/// The reason why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The pass had to keep more distinct states in memory at once than `bound`.
    #[error("more than {bound} states are possible at once")]
    TooManyStates { bound: usize },
    /// The pass had to process more states in all than `bound`.
    #[error("more than {bound} states to visit in total")]
    TooMuchWork { bound: usize },
    /// The process notes more distinct outcomes than `bound`.
    #[error("more than {bound} different outcomes")]
    TooManyOutcomes { bound: usize },
    #[error("a player has a choice here: name a policy")]
    OpenChoice,
    #[error("interrupted")]
    Interrupted,
}

/// Passes the outcomes of due reports to `observe`. Returns the next roll with its terms, if any.
#[inline]
fn settle<P: Process>(
    process: &P,
    state: &mut P::State,
    mut observe: impl FnMut(ReportIndex, P::Outcome),
) -> Result<Option<(Dice, P::Terms)>, EngineError> {
    loop {
        match process.due(state) {
            Due::Roll(dice, terms) => return Ok(Some((dice, terms))),
            Due::Over => return Ok(None),
            Due::Choice { .. } => return Err(EngineError::OpenChoice),
            Due::Report(point) => {
                process.report(state, &mut |outcome| observe(point, outcome));
                process.pass(state, &mut Silent);
            }
        }
    }
}

/// The distinct readings (meanings) of a roll, each with the number of faces that have it.
pub type Classes<P> = SmallVec<[(<P as Process>::Reading, u8); 8]>;

/// Groups the faces of a due roll by reading (meaning), in the order of the first face of each.
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
