//! The trace of one sequence, with seeded or scripted dice, and the exact probability of its rolls.

use super::exact::Fraction;
use super::monitor::Monitor;
use super::monte_carlo::dice_of_sequence;
use super::{EngineError, settle};
use crate::dice::script::{ScriptError, ScriptedDice};
use crate::dice::stream::DiceLane;
use crate::dice::{Dice, Face};
use crate::process::{Due, Event, Listener, Process, ReportIndex};

/// The source of the dice of a trace.
#[derive(Clone, Debug)]
pub enum TraceDice {
    /// Rolls written as text, all of which must be used; see [`ScriptedDice::parse`].
    Script(String),
    /// The dice of one sequence of a Monte Carlo run, by the run's seed and the sequence's number.
    Seeded { seed: u64, sequence: u64 },
}

enum Rolls {
    Scripted(ScriptedDice),
    Seeded(DiceLane),
}

/// One line of the trace of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceLine<O> {
    /// A roll: the face, and the number of faces of `dice` with the same reading (meaning).
    Roll { event: Event, face: Face, faces_read: u8, dice: Dice },
    /// A consequence of the preceding roll.
    Event(Event),
    /// The outcomes noted at a report.
    Noted { point: ReportIndex, outcomes: Vec<O> },
}

/// The trace of one sequence, step by step.
#[derive(Clone, Debug)]
pub struct Trace<O> {
    pub lines: Vec<TraceLine<O>>,
    /// The probability of rolling the readings (meanings) of the trace; `None` beyond 128 bits.
    pub probability: Option<Fraction>,
    /// The probability as a double.
    pub approximately: f64,
}

impl<O> Trace<O> {
    /// Replaces each outcome by the result of `label`.
    pub fn labelled<L>(self, label: impl Fn(ReportIndex, &O) -> L) -> Trace<L> {
        let line = |line| match line {
            TraceLine::Roll { event, face, faces_read, dice } => {
                TraceLine::Roll { event, face, faces_read, dice }
            }
            TraceLine::Event(event) => TraceLine::Event(event),
            TraceLine::Noted { point, outcomes } => TraceLine::Noted {
                point,
                outcomes: outcomes.iter().map(|outcome| label(point, outcome)).collect(),
            },
        };
        let Trace { lines, probability, approximately } = self;
        Trace { lines: lines.into_iter().map(line).collect(), probability, approximately }
    }
}

/// The reason why a sequence could not be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The script does not fit the sequence. `due` describes the roll that was due, if any.
    #[error("{error}{}", due.as_ref().map_or(String::new(), |due| format!(": {due}")))]
    Script { error: ScriptError, due: Option<String> },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

fn listener<O>(lines: &mut Vec<TraceLine<O>>) -> Listener<'_> {
    Listener::new(|event| lines.push(TraceLine::Event(event)))
}

/// Describes the roll that is due, in words that do not depend on the result.
pub fn due_in_words<P: Process>(
    process: &P,
    state: &P::State,
    dice: Dice,
    terms: &P::Terms,
) -> Option<String> {
    // The words before the first colon are the same for every face, so the first face will do.
    let event = process.describe(state, terms, dice.all().next()?);
    event.text.split(": ").next().map(str::to_string)
}

/// Traces one sequence of `process`.
///
/// # Errors
///
/// Fails with [`TraceError::Script`] if a script does not fit the sequence exactly, and with
/// [`TraceError::Engine`] if the process leaves a choice open, or when it is cancelled.
pub fn trace<P: Process>(
    process: &P,
    dice: &TraceDice,
    watch: Monitor,
) -> Result<Trace<P::Outcome>, TraceError> {
    let unfit = |error| TraceError::Script { error, due: None };
    let mut rolls = match dice {
        TraceDice::Script(text) => {
            Rolls::Scripted(ScriptedDice::parse(P::BASE, text).map_err(unfit)?)
        }
        TraceDice::Seeded { seed, sequence } => {
            Rolls::Seeded(dice_of_sequence(process, *seed, *sequence, watch)?)
        }
    };
    let mut lines = Vec::new();
    let (mut shares, mut approximately) = (Some((1u128, 1u128)), 1.0);
    let mut state = process.start(&mut listener(&mut lines));
    loop {
        // Passing reports one at a time keeps their order among the events.
        while let Due::Report(point) = process.due(&state) {
            let mut outcomes = Vec::new();
            process.report(&state, &mut |outcome| outcomes.push(outcome));
            lines.push(TraceLine::Noted { point, outcomes });
            process.pass(&mut state, &mut listener(&mut lines));
        }
        let Some((dice, terms)) = settle(process, &mut state, |_, _| ())? else {
            break;
        };
        let face = match &mut rolls {
            Rolls::Seeded(lane) => lane.roll(dice),
            Rolls::Scripted(script) => script.deal(dice).map_err(|error| TraceError::Script {
                error,
                due: due_in_words(process, &state, dice, &terms),
            })?,
        };
        let reading = process.read(&terms, face);
        let faces_read =
            dice.all().filter(|&other| process.read(&terms, other) == reading).count() as u8;
        let event = process.describe(&state, &terms, face);
        lines.push(TraceLine::Roll { event, face, faces_read, dice });
        shares = shares.and_then(|(n, d)| {
            Some((n.checked_mul(faces_read.into())?, d.checked_mul(dice.faces().into())?))
        });
        approximately *= f64::from(faces_read) / f64::from(dice.faces());
        process.apply(&mut state, reading, &mut listener(&mut lines));
    }
    if let Rolls::Scripted(script) = &rolls {
        script.finish().map_err(unfit)?;
    }
    let probability = shares.map(|(n, d)| Fraction::new(n, d));
    Ok(Trace { lines, probability, approximately })
}
