//! A process conditioned on dice already rolled. They determine the beginning of its sequence, and
//! the odds are conditional on them.

use std::sync::Arc;

use super::count::{Beginner, Counted, Group};
use super::ruled::{Chooser, Line, Outcome, Ruled, State};
use super::{Asked, Played, Words};
use engine::dice::script::{Script, ScriptError, roll};
use engine::dice::{Base, Face};
use engine::process::{
    Births, Called, Decisions, Drawn, Due, Event, Label, Limbs, Log, Parts, Player, Point, Process,
    Question, Turn, Under,
};
use engine::text::Fault;
use engine::trace::due_in_words;

/// A report made before the given dice end.
#[derive(Clone, Debug)]
struct Report<O> {
    point: Point,
    outcomes: Vec<O>,
    /// Events before the report, since the report before.
    events: Vec<Event>,
}

/// The state of a sequence after given dice.
#[derive(Clone, Debug)]
pub struct Opening<S, O> {
    /// State right after the last of the dice; a choice or a report may be due.
    state: S,
    reports: Vec<Report<O>>,
    /// Events since the last report.
    events: Vec<Event>,
}

impl<S, O> Opening<S, O> {
    /// Returns the state of a sequence without given dice.
    pub fn at_start<P: Process<State = S, Outcome = O>>(process: &P) -> Opening<S, O> {
        let mut events = Vec::new();
        Opening { state: process.start(&mut events), reports: Vec::new(), events }
    }
}

/// The state of a process after given dice.
pub type OpeningOf<P> = Opening<<P as Process>::State, <P as Process>::Outcome>;

/// Plays `process` from its start by the dice of `text`, written as in a script. `choose` returns
/// the option taken, or none if the choice must stay open.
///
/// # Errors
///
/// Fails on a word that is not the roll due, on dice behind an open choice, and on dice after the
/// end of the sequence.
pub fn play<P: Decisions>(
    process: &P,
    text: &str,
    choose: impl Fn(&P, &P::State, Player, usize) -> Option<usize>,
) -> Result<OpeningOf<P>, Fault> {
    let (mut reports, mut events) = (Vec::new(), Vec::new());
    let mut state = process.start(&mut events);
    let words = text.split_whitespace().count();
    for (used, word) in text.split_whitespace().enumerate() {
        let (dice, terms) = loop {
            match process.due(&state) {
                Due::Roll(dice, terms) => break (dice, terms),
                Due::Over => {
                    return Err(script_fault(
                        "`given`",
                        text,
                        &ScriptError::LeftOver { used, left: words - used },
                        None,
                    ));
                }
                Due::Choice { player, options } => {
                    let Some(option) = choose(process, &state, player, options) else {
                        // Invalid rolls are reported before the open choice.
                        Script::parse(P::BASE, text)
                            .map_err(|error| script_fault("`given`", text, &error, None))?;
                        let start = word.as_ptr() as usize - text.as_ptr() as usize;
                        let message = format!(
                            "this roll lies behind a choice that is still to be made: {}",
                            process.decision(&state)
                        );
                        let fault = Fault::new(message, start..start + word.len());
                        return Err(fault.help("give the dice before it only; the odds under a policy take all of them"));
                    };
                    process.choose(&mut state, option, &mut events);
                }
                Due::Report(point) => {
                    let mut outcomes = Vec::new();
                    process.report(&state, &mut |outcome| outcomes.push(outcome));
                    reports.push(Report { point, outcomes, events: std::mem::take(&mut events) });
                    process.pass(&mut state, &mut events);
                }
            }
        };
        let face = roll(used + 1, word, dice).map_err(|error| {
            let due = due_in_words(process, &state, dice, &terms);
            script_fault("`given`", text, &error, due.as_deref())
        })?;
        let Event { rule, text } = process.describe(&state, &terms, face);
        events.push(Event { rule, text: format!("{text}  [given]") });
        let reading = process.read(&terms, face);
        process.apply(&mut state, reading, &mut events);
    }
    Ok(Opening { state, reports, events })
}

/// Turns a script error into a fault of its word, with the roll that is due as help. `called` is
/// the name of the script in the message.
pub fn script_fault(called: &str, text: &str, error: &ScriptError, due: Option<&str>) -> Fault {
    let fault = Fault::new(error.in_words(called), error.span(text));
    match due {
        Some(due) => fault.help(format!("due is: {due}")),
        None => fault,
    }
}

/// A process that starts where given dice end. Earlier reports are repeated with certainty.
pub struct Given<P: Process> {
    process: P,
    opening: Arc<OpeningOf<P>>,
    start: P::State,
    /// Events between the last report and the start.
    events: Vec<Event>,
}

/// A state of a process that started after given dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct After<S> {
    state: S,
    /// Number of earlier reports already repeated.
    told: usize,
}

impl<P: Process> Given<P> {
    /// Creates the conditioned process. `settle` makes the choices due at the end of the dice that
    /// must not stay open.
    pub fn new(
        process: P,
        opening: Arc<OpeningOf<P>>,
        settle: impl FnOnce(&P, &mut P::State, &mut Vec<Event>),
    ) -> Given<P> {
        let (mut start, mut events) = (opening.state.clone(), opening.events.clone());
        settle(&process, &mut start, &mut events);
        Given { process, opening, start, events }
    }

    /// Logs the events before the next report, or before the end of the dice.
    fn tell<L: Log>(&self, told: usize, log: &mut L) {
        let events = self.opening.reports.get(told).map_or(&self.events, |report| &report.events);
        events.iter().for_each(|event| log.tell(|| event.clone()));
    }

    fn report_due(&self, state: &After<P::State>) -> Option<&Report<P::Outcome>> {
        self.opening.reports.get(state.told)
    }
}

impl<P, F> Given<Under<P, F>>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    /// Creates a process with a policy and without given dice.
    pub fn from_start(process: Under<P, F>) -> Self {
        let opening = Arc::new(Opening::at_start(&process));
        Given::under(process, opening)
    }

    /// Creates a process with a policy, from the end of the given dice.
    pub fn under(process: Under<P, F>, opening: Arc<OpeningOf<P>>) -> Self {
        Given::new(process, opening, |process, state, events| process.settle(state, events))
    }
}

impl<P: Process> Process for Given<P> {
    type State = After<P::State>;
    type Terms = P::Terms;
    type Reading = P::Reading;
    type Outcome = P::Outcome;
    const BASE: Base = P::BASE;

    fn start<L: Log>(&self, log: &mut L) -> After<P::State> {
        self.tell(0, log);
        After { state: self.start.clone(), told: 0 }
    }
    fn due(&self, state: &After<P::State>) -> Due<P::Terms> {
        self.report_due(state)
            .map_or_else(|| self.process.due(&state.state), |report| Due::Report(report.point))
    }
    fn epoch(&self, state: &After<P::State>) -> u32 {
        self.process.epoch(&state.state)
    }
    fn read(&self, terms: &P::Terms, face: Face) -> P::Reading {
        self.process.read(terms, face)
    }
    fn apply<L: Log>(&self, state: &mut After<P::State>, reading: P::Reading, log: &mut L) {
        self.process.apply(&mut state.state, reading, log);
    }
    fn choose<L: Log>(&self, state: &mut After<P::State>, option: usize, log: &mut L) {
        self.process.choose(&mut state.state, option, log);
    }
    fn followers(&self, state: &After<P::State>, options: usize) -> Vec<After<P::State>> {
        let after = |next| After { state: next, told: state.told };
        self.process.followers(&state.state, options).into_iter().map(after).collect()
    }
    fn report(&self, state: &After<P::State>, tell: &mut impl FnMut(P::Outcome)) {
        match self.report_due(state) {
            Some(report) => report.outcomes.iter().cloned().for_each(tell),
            None => self.process.report(&state.state, tell),
        }
    }
    fn pass<L: Log>(&self, state: &mut After<P::State>, log: &mut L) {
        if self.report_due(state).is_none() {
            return self.process.pass(&mut state.state, log);
        }
        state.told += 1;
        self.tell(state.told, log);
    }
    fn describe(&self, state: &After<P::State>, terms: &P::Terms, face: Face) -> Event {
        self.process.describe(&state.state, terms, face)
    }
    fn turn(&self, state: &After<P::State>) -> Turn {
        self.process.turn(&state.state)
    }
    fn draw(&self, state: &mut After<P::State>, drawn: Drawn) {
        self.process.draw(&mut state.state, drawn);
    }
    fn called(&self, state: &mut After<P::State>, called: Called) {
        self.process.called(&mut state.state, called);
    }
    fn hear(&self, state: &mut After<P::State>, news: &After<P::State>) {
        self.process.hear(&mut state.state, &news.state);
    }
    fn births(&self, state: &After<P::State>) -> Births {
        self.process.births(&state.state)
    }
}

/// The choices after the given dice.
impl<P: Decisions> Decisions for Given<P> {
    fn decision(&self, state: &After<P::State>) -> String {
        self.process.decision(&state.state)
    }

    fn options(&self, state: &After<P::State>) -> Vec<String> {
        self.process.options(&state.state)
    }

    fn kinds(&self, state: &After<P::State>) -> Vec<&'static str> {
        self.process.kinds(&state.state)
    }
}

/// A question whose choices are made, from its start or from the end of given dice. One type covers
/// both, so that engines are compiled once.
///
/// After given dice it is answered as a whole. Dice are given in the order of the whole process,
/// and the dice of smaller processes differ.
pub struct Begun<Q: Played> {
    line: Ruled<Q>,
    opening: Option<Arc<Opening<State<Q>, Outcome<Q>>>>,
}

impl<Q: Played> Begun<Q> {
    /// Creates the question; without an opening no dice are given.
    pub fn new(line: Ruled<Q>, opening: Option<Arc<Opening<State<Q>, Outcome<Q>>>>) -> Begun<Q> {
        Begun { line, opening }
    }
}

impl<Q: Played + Sync + 'static> Question for Begun<Q> {
    type Process = Given<Under<Q::Process, Chooser<Q::Process>>>;

    fn whole(&self) -> Self::Process {
        match &self.opening {
            Some(opening) => Given::under(self.line.whole(), opening.clone()),
            None => Given::from_start(self.line.whole()),
        }
    }

    fn parts(&self) -> Parts<Self::Process> {
        if self.opening.is_some() {
            return Parts::whole(self.whole());
        }
        let Parts { processes, rest } = self.line.parts();
        let processes = processes.into_iter().map(Given::from_start).collect();
        Parts { processes, rest: rest.map(Given::from_start) }
    }

    fn limbs(&self) -> Option<Limbs<Self::Process>> {
        let limbs = self.line.limbs().filter(|_| self.opening.is_none())?;
        Some(limbs.map(Given::from_start))
    }

    fn label(&self, point: Point, outcome: &Outcome<Q>) -> Label {
        self.line.label(point, outcome)
    }
}

impl<Q: Played + Sync + 'static> Asked for Begun<Q> {
    fn words(&self) -> &dyn Words {
        self.line.words()
    }

    fn amounts(&self, point: Point, outcome: &Outcome<Q>, tell: &mut dyn FnMut(usize, i64)) {
        self.line.amounts(point, outcome, tell);
    }

    fn begun(&self, group: &Group) -> Vec<Beginner> {
        self.line.begun(group)
    }

    fn counted(&self, group: &Group, outcome: &Outcome<Q>, tell: &mut dyn FnMut(Counted)) {
        self.line.counted(group, outcome, tell);
    }

    fn slot(&self, outcome: &Outcome<Q>) -> Option<u8> {
        self.line.slot(outcome)
    }

    fn in_slot(&self, outcome: Outcome<Q>, slot: u8) -> Outcome<Q> {
        self.line.in_slot(outcome, slot)
    }
}

impl<Q: Played + Sync + 'static> Line for Begun<Q> {
    type Played = Q;

    fn question(&self) -> &Q {
        self.line.question()
    }
}
