//! A process conditioned on dice already rolled, which determine the beginning of its sequence.

use std::sync::Arc;

use engine::dice::script::{ScriptError, ScriptedDice, roll};
use engine::process::{
    Decisions, Due, Event, ExtendedState, Listener, Log, Player, Process, ReportIndex, WithPolicy,
    Wrapper,
};
use engine::text::Fault;
use engine::trace::due_in_words;

/// A report made before the given dice end.
#[derive(Clone, Debug)]
struct Report<O> {
    point: ReportIndex,
    outcomes: Vec<O>,
    events: Vec<Event>,
}

/// The state of a sequence after given dice, with the reports and events before that state.
#[derive(Clone, Debug)]
pub struct DicePrefix<S, O> {
    /// The state after the last of the given dice. A choice or a report may be due.
    state: S,
    reports: Vec<Report<O>>,
    events: Vec<Event>,
}

impl<S, O> DicePrefix<S, O> {
    /// Returns the initial state of a sequence, without given dice.
    pub fn at_start<P: Process<State = S, Outcome = O>>(process: &P) -> DicePrefix<S, O> {
        let mut events = Vec::new();
        let state = process.start(&mut Listener::appending(&mut events));
        DicePrefix { state, reports: Vec::new(), events }
    }
}

/// The [`DicePrefix`] of a process.
pub type DicePrefixOf<P> = DicePrefix<<P as Process>::State, <P as Process>::Outcome>;

/// Plays `process` from its start with the dice of `text`, written as in a script. `choose` returns
/// the option taken, or `None` if the choice must stay open.
///
/// # Errors
///
/// Fails if a word is not the roll that is due, if a roll follows an open choice, or if dice are
/// left at the end of the sequence.
pub fn play<P: Decisions>(
    process: &P,
    text: &str,
    choose: impl Fn(&P, &P::State, Player, usize) -> Option<usize>,
) -> Result<DicePrefixOf<P>, Fault> {
    let (mut reports, mut events) = (Vec::new(), Vec::new());
    let mut state = process.start(&mut Listener::appending(&mut events));
    let words = text.split_whitespace().count();
    let fault = |error: &ScriptError, due: Option<&str>| script_fault("`given`", text, error, due);
    for (used, word) in text.split_whitespace().enumerate() {
        let (dice, terms) = loop {
            match process.due(&state) {
                Due::Roll(dice, terms) => break (dice, terms),
                Due::Over => {
                    return Err(fault(&ScriptError::LeftOver { used, left: words - used }, None));
                }
                Due::Choice { player, options } => {
                    let Some(option) = choose(process, &state, player, options) else {
                        // Invalid rolls are reported before the open choice.
                        ScriptedDice::parse(P::BASE, text).map_err(|error| fault(&error, None))?;
                        let start = word.as_ptr() as usize - text.as_ptr() as usize;
                        let message = format!(
                            "a choice must be made before this roll: {}",
                            process.decision(&state)
                        );
                        let fault = Fault::new(message, start..start + word.len());
                        return Err(
                            fault.help("give only the dice before the choice, or name a policy")
                        );
                    };
                    process.choose(&mut state, option, &mut Listener::appending(&mut events));
                }
                Due::Report(point) => {
                    let mut outcomes = Vec::new();
                    process.report(&state, &mut |outcome| outcomes.push(outcome));
                    reports.push(Report { point, outcomes, events: std::mem::take(&mut events) });
                    process.pass(&mut state, &mut Listener::appending(&mut events));
                }
            }
        };
        let face = roll(used + 1, word, dice).map_err(|error| {
            let due = due_in_words(process, &state, dice, &terms);
            fault(&error, due.as_deref())
        })?;
        let Event { rule, text } = process.describe(&state, &terms, face);
        events.push(Event { rule, text: format!("{text}  [given]") });
        let reading = process.read(&terms, face);
        process.apply(&mut state, reading, &mut Listener::appending(&mut events));
    }
    Ok(DicePrefix { state, reports, events })
}

/// Converts a script error to a fault at the faulty word, with the roll that is due as help.
/// `called` is the name of the script in the message.
pub fn script_fault(called: &str, text: &str, error: &ScriptError, due: Option<&str>) -> Fault {
    let fault = Fault::new(error.in_words(called), error.span(text));
    match due {
        Some(due) => fault.help(format!("the roll due: {due}")),
        None => fault,
    }
}

/// A process that starts where the given dice end. Earlier reports are repeated as certain.
pub struct Conditioned<P: Process> {
    process: P,
    opening: Arc<DicePrefixOf<P>>,
    start: P::State,
    events: Vec<Event>,
}

/// A state after given dice, with the number of earlier reports already repeated.
pub type ConditionedState<S> = ExtendedState<S, usize>;

impl<P: Process> Conditioned<P> {
    /// Creates the process. A choice that is due after the dice stays open.
    pub fn new(process: P, opening: Arc<DicePrefixOf<P>>) -> Conditioned<P> {
        let (start, events) = (opening.state.clone(), opening.events.clone());
        Conditioned { process, opening, start, events }
    }

    /// Logs the events before an earlier report (0-based), or before the end of the dice.
    fn record_until<L: Log>(&self, reports_passed: usize, log: &mut L) {
        let events =
            self.opening.reports.get(reports_passed).map_or(&self.events, |report| &report.events);
        events.iter().for_each(|event| log.record(|| event.clone()));
    }

    fn report_due(&self, state: &ConditionedState<P::State>) -> Option<&Report<P::Outcome>> {
        self.opening.reports.get(state.added)
    }
}

impl<'a, P: Process> Conditioned<WithPolicy<'a, P>> {
    /// Creates a process with a policy, starting after the given dice, if any.
    pub fn under(process: WithPolicy<'a, P>, opening: Option<Arc<DicePrefixOf<P>>>) -> Self {
        let opening = opening.unwrap_or_else(|| Arc::new(DicePrefix::at_start(&process)));
        let mut conditioned = Conditioned::new(process, opening);
        let Conditioned { process, start, events, .. } = &mut conditioned;
        process.settle(start, &mut Listener::appending(events));
        conditioned
    }
}

impl<P: Process> Wrapper for Conditioned<P> {
    type Inner = P;
    type State = ConditionedState<P::State>;
    type Outcome = P::Outcome;

    #[inline]
    fn process(&self) -> &P {
        &self.process
    }

    fn start<L: Log>(&self, log: &mut L) -> Self::State {
        self.record_until(0, log);
        self.start.clone().into()
    }

    fn due(&self, state: &Self::State) -> Due<P::Terms> {
        self.report_due(state)
            .map_or_else(|| self.process.due(&state.inner), |report| Due::Report(report.point))
    }

    fn report(&self, state: &Self::State, observe: &mut dyn FnMut(P::Outcome)) {
        match self.report_due(state) {
            Some(report) => report.outcomes.iter().cloned().for_each(observe),
            None => self.process.report(&state.inner, observe),
        }
    }

    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L) {
        if self.report_due(state).is_none() {
            return self.process.pass(&mut state.inner, log);
        }
        state.added += 1;
        self.record_until(state.added, log);
    }
}
