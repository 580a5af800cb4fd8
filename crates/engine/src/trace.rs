//! One sequence told step by step, with dice of the seed or of a script, and the exact probability
//! of what was rolled.

use super::exact::Fraction;
use super::{EngineError, settle};
use crate::dice::script::{Script, ScriptError};
use crate::dice::stream::Lane;
use crate::dice::{Dice, Face};
use crate::process::{Due, Event, Log, Point, Process};

/// Where a told sequence gets its rolls.
#[derive(Clone, Debug)]
pub enum Rolls {
    /// From a lane of the seeded stream.
    Seeded(Lane),
    /// From a script, which must fit exactly.
    Scripted(Script),
}

impl Rolls {
    fn deal(&mut self, due: Dice) -> Result<Face, ScriptError> {
        match self {
            Rolls::Seeded(lane) => Ok(lane.roll(due)),
            Rolls::Scripted(script) => script.deal(due),
        }
    }
}

/// One line of the tale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaleLine<O> {
    /// A roll: its face, and the faces that read alike out of all faces.
    Roll { event: Event, face: Face, faces_read: u8, dice: Dice },
    /// What followed from it.
    Event(Event),
    /// Outcomes noted at a point.
    Noted { point: Point, outcomes: Vec<O> },
}

/// A told sequence.
#[derive(Clone, Debug)]
pub struct Tale<O> {
    /// What happened, in order.
    pub lines: Vec<TaleLine<O>>,
    /// Probability that the rolls of a sequence read like these, one after the other; `None` beyond
    /// 128 bits.
    pub probability: Option<Fraction>,
    /// The same as a double.
    pub approximately: f64,
}

impl<O> Tale<O> {
    /// The same with its outcomes in other words.
    pub fn labelled<L>(self, label: impl Fn(Point, &O) -> L) -> Tale<L> {
        let line = |line| match line {
            TaleLine::Roll { event, face, faces_read, dice } => {
                TaleLine::Roll { event, face, faces_read, dice }
            }
            TaleLine::Event(event) => TaleLine::Event(event),
            TaleLine::Noted { point, outcomes } => TaleLine::Noted {
                point,
                outcomes: outcomes.iter().map(|outcome| label(point, outcome)).collect(),
            },
        };
        let Tale { lines, probability, approximately } = self;
        Tale { lines: lines.into_iter().map(line).collect(), probability, approximately }
    }
}

/// Why no tale could be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The dice do not fit the roll that is due: what it is for, unless the sequence is over.
    #[error("{error}{}", due.as_ref().map_or(String::new(), |due| format!(": {due}")))]
    Script { error: ScriptError, due: Option<String> },
    /// The process does not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

struct Teller<O>(Vec<TaleLine<O>>);

impl<O> Log for Teller<O> {
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.0.push(TaleLine::Event(event()));
    }
}

/// What the roll that is due is for.
pub fn due_in_words<P: Process>(
    process: &P,
    state: &P::State,
    dice: Dice,
    terms: &P::Terms,
) -> Option<String> {
    // Up to the dice, the words are the same for every face.
    let event = process.describe(state, terms, dice.all().next()?);
    event.text.split(": ").next().map(str::to_string)
}

/// Tells one sequence of `process` with the dice of `rolls`.
pub fn tell<P: Process>(process: &P, mut rolls: Rolls) -> Result<Tale<P::Outcome>, TraceError> {
    let mut teller = Teller(Vec::new());
    let (mut numerator, mut denominator) = (Some(1u128), Some(1u128));
    let mut approximately = 1.0;
    let mut state = process.start(&mut teller);
    loop {
        // Reports go past one at a time, so that the tale keeps their order among the events.
        while let Due::Report(point) = process.due(&state) {
            let mut outcomes = Vec::new();
            process.report(&state, &mut |outcome| outcomes.push(outcome));
            teller.0.push(TaleLine::Noted { point, outcomes });
            process.pass(&mut state, &mut teller);
        }
        let Some((dice, terms)) = settle(process, &mut state, &mut teller, |_, _| ())? else {
            break;
        };
        let face = rolls.deal(dice).map_err(|error| TraceError::Script {
            error,
            due: due_in_words(process, &state, dice, &terms),
        })?;
        let reading = process.read(&terms, face);
        let faces_read =
            dice.all().filter(|&other| process.read(&terms, other) == reading).count() as u8;
        let event = process.describe(&state, &terms, face);
        teller.0.push(TaleLine::Roll { event, face, faces_read, dice });
        numerator = numerator.and_then(|n| n.checked_mul(u128::from(faces_read)));
        denominator = denominator.and_then(|d| d.checked_mul(u128::from(dice.faces())));
        approximately *= f64::from(faces_read) / f64::from(dice.faces());
        process.apply(&mut state, reading, &mut teller);
    }
    if let Rolls::Scripted(script) = &rolls {
        script.finish().map_err(|error| TraceError::Script { error, due: None })?;
    }
    let probability = numerator.zip(denominator).map(|(n, d)| Fraction::new(n, d));
    Ok(Tale { lines: teller.0, probability, approximately })
}
