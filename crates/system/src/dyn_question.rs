//! A finished question of any kind and game behind a trait object. It can be answered, traced,
//! compared and solved by code that knows no game.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use super::answer::{Options, answer};
use super::best_play::{Best, Branch, Decision, PlayValue, Reward};
use super::compare::{CompareError, Compared, compare};
use super::counting::Counting;
use super::dice_prefix::{Conditioned, ConditionedQuestion, DicePrefix, play};
use super::evaluator::ObjectiveEvaluator;
use super::form::FieldFault;
use super::kind::{ChoiceMaker, Kind};
use super::measure::Measurement;
use super::objective::Objective;
use super::policy::{BEST, OutcomeOf, PolicyChoice, PolicyQuestion, StateOf, against};
use super::question_form::{GIVEN, POLICY};
use super::shared_graph::SharedGraph;
use super::table::{Mean, Meta, Table};
use super::{Playable, QuestionInfo};
use engine::EngineError;
use engine::dice::script::ScriptedDice;
use engine::monitor::Monitor;
use engine::monte_carlo::dice_of_sequence;
use engine::pool::ObjectPool;
use engine::process::{Decisions, Label, Process, Question, ReportIndex};
use engine::solve::{EQUAL, StateGraphOf};
use engine::text::notation::{CodePiece, shown};
use engine::text::{Fault, canonical};
use engine::trace::{self, Rolls, Trace, TraceError};

/// A finished question.
pub trait DynQuestion: Send + Sync {
    /// Returns the concrete question, a [`PreparedQuestion`].
    fn as_any(&self) -> &dyn Any;
    /// Returns the kind of the question.
    fn kind(&self) -> &'static Kind;
    /// Returns the question in words.
    fn words(&self) -> &dyn QuestionInfo;
    /// Checks that the best play can be computed.
    ///
    /// # Errors
    ///
    /// Fails if a policy is named, or the given dice lie behind an open choice.
    fn solvable(&self) -> Result<(), FieldFault>;
    /// Returns the question in full, with the dice already rolled.
    fn in_full(&self) -> String;
    /// Hashes everything the rows depend on and returns the last point; see [`QuestionInfo::hash_inputs`].
    /// None if dice are already rolled, or a policy or best play is asked for.
    fn rest_on(&self, what: &mut dyn Hasher) -> Option<ReportIndex>;
    /// Whether dice are already rolled.
    fn has_given_dice(&self) -> bool;
    /// Checks that the question can be answered on its own.
    ///
    /// # Errors
    ///
    /// Fails if it asks for the best play, which needs an objective.
    fn answerable(&self) -> Result<(), FieldFault>;
    /// Returns the metadata of its answer, known before it is answered. `command` is the command
    /// that repeats it.
    fn meta(&self, command: String) -> Meta;
    /// Returns the metadata of the question as a course of action, or as a question to be solved.
    fn meta_of_course(&self, command: String) -> Meta;
    /// Returns the odds of every outcome.
    ///
    /// # Errors
    ///
    /// Fails if an engine gives up or is cancelled.
    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError>;
    /// Returns one number, a measure or a count, with the metadata. None if its error is unknown.
    ///
    /// # Errors
    ///
    /// Fails if an engine gives up or is cancelled.
    fn measure(
        &self,
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<(Option<Measurement>, Meta), EngineError>;
    /// Returns the trace of one sequence.
    ///
    /// # Errors
    ///
    /// Fails if the script does not fit the rolls, or the run is cancelled.
    fn trace(&self, dice: &TraceDice, watch: Monitor) -> Result<Trace<Label>, TraceError>;
    /// Compares `courses` in order; those of another topic than this question are left out.
    ///
    /// # Errors
    ///
    /// Fails if a course cannot be played, an engine gives up, or the run is cancelled.
    fn compared(
        &self,
        courses: &[Box<dyn DynQuestion>],
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<Compared, CompareError>;
    /// Returns the best play for an objective.
    ///
    /// # Errors
    ///
    /// Fails if there are too many states, the given dice lie behind an open choice, or the run is
    /// cancelled.
    fn solve(
        &self,
        objective: &Objective,
        depth: Depth,
        watch: Monitor,
    ) -> Result<Solved, EngineError> {
        self.solve_among(&SharedGraph::keeping(1), objective, depth, watch)
    }
    /// Returns the best play for an objective, reusing state graphs from `shared_graph`. All
    /// questions of `shared_graph` must be solved for that objective.
    ///
    /// # Errors
    ///
    /// Fails under the same conditions as [`DynQuestion::solve`].
    fn solve_among(
        &self,
        shared_graph: &SharedGraph,
        objective: &Objective,
        depth: Depth,
        watch: Monitor,
    ) -> Result<Solved, EngineError>;
    /// Returns the value of each policy, with the enemy replying. Policies of equal value share one
    /// entry. Policies too big to be solved are left out.
    ///
    /// # Errors
    ///
    /// Fails if the given dice lie behind an open choice, or the run is cancelled.
    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<Vec<(String, f64)>, EngineError>;
    /// Returns the subject for options that do not name one.
    fn subject(&self) -> &'static str;
}

/// Source of the dice in a trace.
#[derive(Clone, Debug)]
pub enum TraceDice {
    /// A script, as it is typed.
    Script(String),
    /// A sequence of a Monte Carlo run, by its number.
    Seeded { seed: u64, sequence: u64 },
}

/// The extent of a best play to be listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Depth {
    /// The first choice.
    Opening,
    /// Every decision that best play can meet.
    Policy,
    /// A tree with this many decisions on every path. Next decisions with a chance below the second
    /// number are summarised.
    Tree(usize, f64),
}

/// The best play of a question.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Value of the question: the objective, then the tie-breakers.
    pub value: PlayValue,
    /// Number of solved states.
    pub states: usize,
    /// The choice made at once, if the question starts with one.
    pub opening: Option<Decision>,
    pub decisions: Vec<Decision>,
    pub tree: Vec<(f64, Branch)>,
}

impl Solved {
    /// Replaces values by the number the objective asks for; see [`Objective::number`].
    pub fn in_numbers(mut self, objective: &Objective) -> Solved {
        let number = |worth: &mut f64| *worth = objective.number(*worth);
        number(&mut self.value[0]);
        let decisions = self.opening.iter_mut().chain(&mut self.decisions);
        decisions.for_each(|decision| decision.change(&number));
        self.tree.iter_mut().for_each(|(_, branch)| branch.change(&number));
        self
    }
}

/// A finished question, and the rule by which its choices are made.
pub struct PreparedQuestion<Q: Playable> {
    question: Arc<Q>,
    kind: &'static Kind,
    ruling: PolicyChoice,
    /// The policy as it was named.
    named: Option<String>,
    past: Option<Past<Q>>,
}

/// The state of a question after given dice.
type OpeningOf<Q> = Arc<DicePrefix<StateOf<Q>, OutcomeOf<Q>>>;

/// The dice already rolled.
struct Past<Q: Playable> {
    /// The dice as they were written, with single spaces.
    text: String,
    /// The state they lead to under the question's policy.
    closed: OpeningOf<Q>,
    /// The state they lead to with choices left open, or the fault of a roll behind an open choice.
    open: Result<OpeningOf<Q>, Fault>,
}

impl<Q: Playable> Past<Q> {
    /// Returns the state after the dice with choices left open; see [`DynQuestion::solvable`].
    fn opened(&self) -> Result<OpeningOf<Q>, EngineError> {
        self.open.clone().map_err(|_| EngineError::OpenChoice)
    }
}

impl<Q: Playable + Sync + 'static> PreparedQuestion<Q> {
    /// Creates a question with the policy named for it, if any.
    ///
    /// # Errors
    ///
    /// Fails if no policy has that name.
    pub fn new(
        question: Arc<Q>,
        kind: &'static Kind,
        policy: Option<&str>,
    ) -> Result<PreparedQuestion<Q>, FieldFault> {
        let ruling = match policy {
            None if kind.play == ChoiceMaker::Best => PolicyChoice::Best,
            None => PolicyChoice::Unsaid,
            Some(text) if canonical(text) == BEST => PolicyChoice::Best,
            Some(text) => PolicyChoice::Named(
                question.open().policy(text).map_err(FieldFault::in_field(POLICY))?,
            ),
        };
        Ok(PreparedQuestion {
            question,
            kind,
            ruling,
            named: policy.map(str::to_string),
            past: None,
        })
    }

    /// Returns the question.
    pub fn question(&self) -> &Q {
        &self.question
    }

    /// Returns the question as a shared pointer.
    pub fn shared(&self) -> Arc<Q> {
        self.question.clone()
    }

    /// Conditions the question on dice already rolled, written as in a script. Choices on the way
    /// are made by the named policy, else by the first.
    ///
    /// # Errors
    ///
    /// Fails if the dice do not fit the rolls that are due.
    pub fn after(self, given: Option<&str>) -> Result<PreparedQuestion<Q>, FieldFault> {
        let given = given.filter(|text| !text.trim().is_empty());
        let past =
            given.map(|text| self.past(text)).transpose().map_err(FieldFault::in_field(GIVEN))?;
        Ok(PreparedQuestion { past, ..self })
    }

    fn past(&self, text: &str) -> Result<Past<Q>, Fault> {
        let first =
            |question: &Arc<Q>| question.policies().first().map_or(0, |policy| policy.place);
        let opening = |question: Arc<Q>, policy: usize| {
            let choose = |process: &_, state: &_, player, options| {
                Some(question.option(policy, process, state, player, options))
            };
            play(&question.whole(), text, choose).map(Arc::new)
        };
        // Best play made no choices before the given dice, so a choice between several options
        // stays open.
        let only = |_: &Q::Process, _: &StateOf<Q>, _, options| (options == 1).then_some(0);
        let open = || play(&self.question.open().whole(), text, only).map(Arc::new);
        let (closed, open) = match self.ruling {
            PolicyChoice::Named(policy) => {
                let opening = opening(self.question.open(), policy)?;
                (opening.clone(), Ok(opening))
            }
            PolicyChoice::Best => {
                let opening = open()?;
                (opening.clone(), Ok(opening))
            }
            PolicyChoice::Unsaid => {
                (opening(self.question.clone(), first(&self.question))?, open())
            }
        };
        Ok(Past { text: text.split_whitespace().collect::<Vec<_>>().join(" "), closed, open })
    }

    /// Returns the question played by its policy on both sides, from the end of the given dice.
    fn line(&self) -> ConditionedQuestion<Q> {
        let line = match self.ruling {
            PolicyChoice::Named(policy) => PolicyQuestion::by_policy(self.question.open(), policy),
            _ => PolicyQuestion::with_default_policy(self.question.clone()),
        };
        ConditionedQuestion::new(line, self.begins())
    }

    /// Returns the state after the given dice, if there are any.
    fn begins(&self) -> Option<OpeningOf<Q>> {
        self.past.as_ref().map(|past| past.closed.clone())
    }

    /// Returns the given dice as a suffix to the question in words.
    fn given_dice_words(&self) -> String {
        self.past.as_ref().map_or(String::new(), |past| format!("; given {}", past.text))
    }

    /// Returns the metadata of the question alone.
    fn plain_meta(&self, command: String) -> Meta {
        let meta = Meta::from_question(self.question.words(), command);
        match self.past {
            Some(_) => Meta { notes: self.question.words().notes_on_the_way(), ..meta },
            None => meta,
        }
    }

    /// Returns the name of the policy, if there is anything to choose.
    fn policy(&self) -> Option<String> {
        let policies = match self.ruling {
            PolicyChoice::Best => return Some(BEST.to_string()),
            PolicyChoice::Unsaid => self.question.policies(),
            PolicyChoice::Named(_) => self.question.open().policies(),
        };
        let is_meant = |place: usize| match self.ruling {
            PolicyChoice::Named(policy) => place == policy,
            _ => true,
        };
        policies.into_iter().find(|policy| is_meant(policy.place)).map(|policy| policy.name)
    }
}

/// Appends the given dice and the policy, if any, to the question.
fn with_words(meta: Meta, given: String, policy: Option<String>) -> Meta {
    let policy = policy.map_or(String::new(), |policy| format!("; policy: {policy}"));
    Meta { question: format!("{}{given}{policy}", meta.question), ..meta }
}

impl<Q: Playable + Sync + 'static> DynQuestion for PreparedQuestion<Q> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn kind(&self) -> &'static Kind {
        self.kind
    }

    fn words(&self) -> &dyn QuestionInfo {
        self.question.words()
    }

    fn solvable(&self) -> Result<(), FieldFault> {
        if self.named.is_some() {
            let fault =
                FieldFault::new(POLICY, "`solve` finds the best play, so a policy is not allowed");
            return Err(fault
                .help(shown("use a policy in a course of `{}`", [CodePiece::Request("compare")])));
        }
        let open = self.past.as_ref().map_or(Ok(()), |past| past.open.as_ref().map(|_| ()));
        open.map_err(|fault| FieldFault { field: GIVEN.to_string(), fault: fault.clone() })
    }

    fn answerable(&self) -> Result<(), FieldFault> {
        if self.ruling != PolicyChoice::Best {
            return Ok(());
        }
        let Some(text) = self.named.clone() else {
            let message = format!(
                "a `{}` has choices to make: name a `policy`, or ask for the best play",
                self.kind.name
            );
            let policies = self
                .question
                .open()
                .policies()
                .into_iter()
                .map(|policy| policy.name)
                .collect::<Vec<_>>();
            let here = match policies.is_empty() {
                true => "this question leaves no choices:".to_string(),
                false => format!("policies here: {};", policies.join(", ")),
            };
            let help = shown(here + " `{}` finds the best play", [CodePiece::Request("solve")]);
            return Err(FieldFault::new(POLICY, message).help(help));
        };
        let fault = match self.question.open().policies().is_empty() {
            true => Fault::new(format!("no policy is called `{text}`"), 0..text.len())
                .help("remove the option: this question leaves no choices"),
            false => {
                Fault::new(format!("no policy is called `{text}`"), 0..text.len()).help(shown(
                    "`{}` finds the best play for an objective, and `{}` plays it",
                    [CodePiece::Request("solve"), CodePiece::Request("compare")],
                ))
            }
        };
        Err(FieldFault { field: POLICY.to_string(), fault })
    }

    fn rest_on(&self, what: &mut dyn Hasher) -> Option<ReportIndex> {
        let is_plain = self.past.is_none() && self.ruling == PolicyChoice::Unsaid;
        self.words().hash_inputs(what).filter(|_| is_plain)
    }

    fn has_given_dice(&self) -> bool {
        self.past.is_some()
    }

    fn in_full(&self) -> String {
        self.words().in_full() + &self.given_dice_words()
    }

    fn meta(&self, command: String) -> Meta {
        with_words(self.plain_meta(command), self.given_dice_words(), self.policy())
    }

    fn meta_of_course(&self, command: String) -> Meta {
        let meta = Meta { question: self.words().in_full(), ..self.plain_meta(command) };
        let best = (self.ruling == PolicyChoice::Best).then(|| BEST.to_string());
        with_words(meta, self.given_dice_words(), self.named.clone().or(best))
    }

    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError> {
        answer(&self.line(), options, meta)
    }

    fn measure(
        &self,
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<(Option<Measurement>, Meta), EngineError> {
        if let Some(measure) = objective.measure() {
            let counts = Counting { group: measure.group, with_created: false, is_requested: true };
            let table = self.answer(&Options { counts: Some(counts), ..*options }, meta)?;
            return Ok((
                table.counts.as_ref().and_then(|counts| measure.evaluate(counts)),
                table.meta,
            ));
        }
        let compared = compare(&[self.line()], objective, options, meta);
        let compared = compared.map_err(CompareError::into_inner)?;
        let worth = compared.courses[0].objective;
        let mean = Mean { value: worth.value, fraction: None, std_error: worth.std_error };
        Ok((Some(Measurement::Mean(mean)), compared.meta))
    }

    fn trace(&self, dice: &TraceDice, watch: Monitor) -> Result<Trace<Label>, TraceError> {
        let line = self.line();
        let trace = trace_with_dice(&line.whole(), dice, watch);
        trace.map(|trace| trace.labelled(|point, outcome| line.label(point, outcome)))
    }

    fn compared(
        &self,
        courses: &[Box<dyn DynQuestion>],
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<Compared, CompareError> {
        let of_topic: Vec<&PreparedQuestion<Q>> =
            courses.iter().filter_map(|course| course.as_any().downcast_ref()).collect();
        let line = |course: &&PreparedQuestion<Q>| {
            let line =
                PolicyQuestion::new(&course.question, course.ruling, objective, options.watch);
            Ok(ConditionedQuestion::new(line.map_err(CompareError::Course)?, course.begins()))
        };
        let lines = of_topic.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        compare(&lines, objective, options, meta)
    }

    fn solve_among(
        &self,
        shared_graph: &SharedGraph,
        objective: &Objective,
        depth: Depth,
        watch: Monitor,
    ) -> Result<Solved, EngineError> {
        // Given dice change the successors of equal states, so other questions cannot share the
        // graph.
        let own_graph = SharedGraph::keeping(1);
        let shared_graph = if self.has_given_dice() { &own_graph } else { shared_graph };
        let (question, family) = shared_graph.join(self.question.open());
        let (process, aim) =
            (question.whole(), ObjectiveEvaluator::new(question.as_ref(), objective));
        let opening = match &self.past {
            Some(past) => past.opened()?,
            None => Arc::new(DicePrefix::at_start(&process)),
        };
        let process = Conditioned::new(process, opening, |_, _, _| ());
        solve(&aim.counting(process), aim.gain(), depth, watch, &family.grounds)
    }

    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<Vec<(String, f64)>, EngineError> {
        let question = self.question.open();
        let mut values: Vec<(String, f64)> = Vec::new();
        for policy in question.policies() {
            let process = against(&question, policy.place);
            let aim = ObjectiveEvaluator::new(question.as_ref(), objective);
            let process = match &self.past {
                Some(past) => Conditioned::under(process, past.opened()?),
                None => Conditioned::from_start(process),
            };
            let process = aim.counting(process);
            let solved = Best::watched(&process, aim.gain(), watch).map(|best| best.value()[0]);
            let worth = match solved {
                Ok(worth) if question.failure().is_none() => worth,
                Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
                _ => continue,
            };
            // Policies that differ only in choices that do not occur here have equal values. A name
            // that extends one already listed is left out.
            match values.iter_mut().find(|(_, of)| (of - worth).abs() <= EQUAL) {
                Some((names, _))
                    if names.split(" or ").any(|name| policy.name.starts_with(name)) => {}
                Some((names, _)) => *names += &format!(" or {}", policy.name),
                None => values.push((policy.name, worth)),
            }
        }
        Ok(values)
    }

    fn subject(&self) -> &'static str {
        self.question.subject()
    }
}

/// Returns the best play of a process.
fn solve<P: Decisions>(
    process: &P,
    gain: Reward<P::Outcome>,
    depth: Depth,
    watch: Monitor,
    grounds: &ObjectPool<StateGraphOf<P>>,
) -> Result<Solved, EngineError> {
    let mut best = Best::on(grounds.take().unwrap_or_default(), process, gain, watch)?;
    let (value, states) = (best.value(), best.states());
    let (mut decisions, mut tree) = (Vec::new(), Vec::new());
    match depth {
        Depth::Opening => {}
        Depth::Policy => decisions = best.policy()?,
        Depth::Tree(depth, rare) => tree = best.tree(depth, rare)?,
    }
    let opening = best.opening()?;
    grounds.give_back(best.into_ground());
    Ok(Solved { value, states, opening, decisions, tree })
}

/// Returns the trace of one sequence of a process.
///
/// # Errors
///
/// Fails if the script does not fit the rolls, or the run is cancelled.
pub fn trace_with_dice<P: Process>(
    process: &P,
    dice: &TraceDice,
    watch: Monitor,
) -> Result<Trace<P::Outcome>, TraceError> {
    let rolls = match dice {
        TraceDice::Script(text) => Rolls::Scripted(
            ScriptedDice::parse(P::BASE, text)
                .map_err(|error| TraceError::Script { error, due: None })?,
        ),
        TraceDice::Seeded { seed, sequence } => {
            Rolls::Seeded(dice_of_sequence(process, *seed, *sequence, watch)?)
        }
    };
    trace::trace(process, rolls)
}
