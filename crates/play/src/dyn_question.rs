//! A finished question of any kind and game behind a trait object, for code that knows no game.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use super::best_play::{Best, Branch, Decision, PlayValue, Reward};
use super::compare::{CompareError, Compared, compare};
use super::dice_prefix::play;
use super::evaluator::ObjectiveEvaluator;
use super::measure::Measurement;
use super::objective::Objective;
use super::playable::Playable;
use super::policy::{BEST, OpeningOf, PolicyChoice, PolicyQuestion, default_policy, open_process};
use super::shared_graph::SharedGraph;
use answer::odds::answer;
use answer::{
    Counting, Engine, Mean, Meta, Options, QuestionFacts, QuestionInfo, Reckoned, StateOf, Table,
};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::pool::ObjectPool;
use engine::process::{Decisions, Label, Question, ReportIndex};
use engine::solve::{EQUAL, StateGraphOf};
use engine::text::notation::{CodePiece, shown};
use engine::text::{Fault, canonical};
use engine::trace::{self, Trace, TraceDice, TraceError};
use schema::common_fields::{GIVEN, POLICY};
use schema::field::single_spaced;
use schema::{ChoiceMaker, FieldFault};

/// A finished question of any kind and game.
pub trait DynQuestion: Send + Sync {
    /// Returns the concrete question, a [`PreparedQuestion`].
    fn as_any(&self) -> &dyn Any;
    /// Returns the description of the question.
    fn words(&self) -> &dyn QuestionInfo;
    /// Returns the question in one line, with all that happens in it and the dice already rolled.
    fn in_full(&self) -> String;
    /// Hashes what rows depend on, and returns the last report; see [`QuestionInfo::hash_inputs`].
    /// Returns `None` if dice are given, or if a policy or best play is requested.
    fn rest_on(&self, what: &mut dyn Hasher) -> Option<ReportIndex>;
    /// Returns true if dice are already rolled.
    fn has_given_dice(&self) -> bool;
    /// Returns what is reckoned, unless dice already rolled change it.
    fn reckoned(&self) -> Option<Reckoned> {
        let details = self.words().details();
        details.reckoned.filter(|_| !(details.reckons_course && self.has_given_dice()))
    }
    /// Checks that the question can be answered without an objective.
    ///
    /// # Errors
    ///
    /// Fails if best play makes its choices, which needs an objective.
    fn answerable(&self) -> Result<(), FieldFault>;
    /// Returns the metadata known before the answer, with the command that repeats it.
    fn meta(&self, command: String) -> Meta;
    /// Returns the probability of every outcome.
    ///
    /// # Errors
    ///
    /// Fails if an engine gives up or is cancelled.
    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError>;
    /// Returns the value of an objective and the metadata. It is `None` if its error is unknown.
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
    /// Returns the trace of one sequence: every roll with its consequences.
    ///
    /// # Errors
    ///
    /// Fails if the scripted dice do not fit the rolls, or the run is cancelled.
    fn trace(&self, dice: &TraceDice, watch: Monitor) -> Result<Trace<Label>, TraceError>;
    /// Checks that best play can be computed.
    ///
    /// # Errors
    ///
    /// Fails if a policy is named, or if a given roll follows an open choice.
    fn solvable(&self) -> Result<(), FieldFault>;
    /// Returns the metadata for a comparison or best play, with the command that repeats it.
    fn meta_of_course(&self, command: String) -> Meta;
    /// Compares `courses` in order. Those whose type of question differs are skipped.
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
    /// Fails if there are too many states, if a given roll follows an open choice, or if the run is
    /// cancelled.
    fn solve(
        &self,
        objective: &Objective,
        depth: Depth,
        watch: Monitor,
    ) -> Result<Solved, EngineError> {
        self.solve_among(&SharedGraph::keeping(1), objective, depth, Engine::Auto, watch)
    }
    /// Returns the best play for an objective, reusing the state graphs in `shared_graph`. All
    /// questions that use `shared_graph` must be solved for that objective. The values are exact.
    /// Unless `engine` is the exact one, they are certified if there are too many states.
    ///
    /// # Errors
    ///
    /// Fails under the same conditions as [`DynQuestion::solve`].
    fn solve_among(
        &self,
        shared_graph: &SharedGraph,
        objective: &Objective,
        depth: Depth,
        engine: Engine,
        watch: Monitor,
    ) -> Result<Solved, EngineError>;
    /// Returns the name and value of each policy of the owner, while the enemy plays best. Policies
    /// of equal value share one entry. Policies that cannot be solved are omitted.
    ///
    /// # Errors
    ///
    /// Fails if a given roll follows an open choice, or if the run is cancelled.
    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<Vec<(String, f64)>, EngineError>;
}

/// The part of the best play to be listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Depth {
    /// The first choice only.
    Opening,
    /// Every decision that best play can reach.
    Policy,
    /// A tree with this many decisions on a path; those below the second number are summarised.
    Tree(usize, f64),
}

/// The best play of a question.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Value of the question: the objective, then the two tie-breakers.
    pub value: PlayValue,
    /// Largest error of the objective's value if it is certified; `None` if it is exact.
    pub error_bound: Option<f64>,
    /// True if created units count too.
    pub counts_created: bool,
    /// Number of states in the state graph.
    pub states: usize,
    /// The first choice, if the question starts with one.
    pub opening: Option<Decision>,
    pub decisions: Vec<Decision>,
    pub tree: Vec<(f64, Branch)>,
}

impl Solved {
    /// Returns true if the value adds up over units: several at the start, or created ones.
    pub fn several(&self, facts: &QuestionFacts) -> bool {
        facts.units > 1 || self.counts_created
    }

    /// Replaces each value by the number shown for the objective; see [`Objective::number`].
    pub fn in_numbers(mut self, objective: &Objective) -> Solved {
        let number = |worth: &mut f64| *worth = objective.number(*worth);
        number(&mut self.value[0]);
        let decisions = self.opening.iter_mut().chain(&mut self.decisions);
        decisions.for_each(|decision| decision.change(&number));
        self.tree.iter_mut().for_each(|(_, branch)| branch.change(&number));
        self
    }
}

/// A finished question, and the way in which its choices are made.
pub struct PreparedQuestion<Q: Playable> {
    /// The question without its policy and given dice.
    pub question: Arc<Q>,
    choice: PolicyChoice,
    named: Option<String>,
    past: Option<Past<Q>>,
}

struct Past<Q: Playable> {
    text: String,
    /// The state after the dice if the question's policy makes the choices.
    closed: OpeningOf<Q>,
    /// The state after the dice with choices left open, or the fault of a roll behind one.
    open: Result<OpeningOf<Q>, Fault>,
}

impl<Q: Playable> Past<Q> {
    fn opened(&self) -> Result<OpeningOf<Q>, EngineError> {
        self.open.clone().map_err(|_| EngineError::OpenChoice)
    }
}

impl<Q: Playable + Sync + 'static> PreparedQuestion<Q> {
    /// Creates a question with the named policy; `None` is the default (the first, or best play).
    ///
    /// # Errors
    ///
    /// Fails if no policy has that name.
    pub fn new(question: Arc<Q>, policy: Option<&str>) -> Result<PreparedQuestion<Q>, FieldFault> {
        let choice = match policy {
            None if question.words().facts().kind.play == ChoiceMaker::Best => PolicyChoice::Best,
            None => PolicyChoice::Unsaid,
            Some(text) if canonical(text) == BEST => PolicyChoice::Best,
            Some(text) => PolicyChoice::Named(
                question.open().policy(text).map_err(FieldFault::in_field(POLICY))?,
            ),
        };
        Ok(PreparedQuestion { question, choice, named: policy.map(str::to_string), past: None })
    }

    /// Conditions the question on dice already rolled, written as in a script. Choices before those
    /// rolls are made by the named policy, else by the first. With best play they stay open. Blank
    /// text gives no dice.
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
        // Best play made no choices before the given dice, so real choices stay open.
        let only = |_: &Q::Process, _: &StateOf<Q>, _, options| (options == 1).then_some(0);
        let open = || play(&self.question.open().whole(), text, only).map(Arc::new);
        if self.choice == PolicyChoice::Best {
            let open = open()?;
            return Ok(Past { text: single_spaced(text), closed: open.clone(), open: Ok(open) });
        }
        let (question, policy) = self.played();
        let choose = |process: &_, state: &_, player, options| {
            Some(question.option(policy, process, state, player, options))
        };
        let closed = play(&question.whole(), text, choose).map(Arc::new)?;
        let open = match self.choice {
            PolicyChoice::Unsaid => open(),
            _ => Ok(closed.clone()),
        };
        Ok(Past { text: single_spaced(text), closed, open })
    }

    /// Returns the question with the policy that plays it, by default its first one.
    fn played(&self) -> (Arc<Q>, usize) {
        match self.choice {
            PolicyChoice::Named(policy) => (self.question.open(), policy),
            _ => (self.question.clone(), default_policy(self.question.as_ref())),
        }
    }

    /// Returns the question played by its policy on both sides, starting after the given dice.
    fn with_policy(&self) -> PolicyQuestion<Q> {
        let (question, policy) = self.played();
        PolicyQuestion::by_policy(question, policy).after(self.begins())
    }

    fn begins(&self) -> Option<OpeningOf<Q>> {
        self.past.as_ref().map(|past| past.closed.clone())
    }

    /// Adds all that happens in the question to its description.
    fn with_steps(&self, in_words: String) -> String {
        let steps = self.words().details().steps;
        if steps.is_empty() { in_words } else { format!("{in_words}: {}", steps.join("; ")) }
    }

    /// Returns the given dice as a suffix to the question's description, or an empty text.
    fn given_dice_words(&self) -> String {
        self.past.as_ref().map_or(String::new(), |past| format!("; given {}", past.text))
    }

    /// Returns the metadata of the question, without words for the policy and the given dice.
    fn plain_meta(&self, command: String) -> Meta {
        let meta = Meta::from_question(self.question.words(), command);
        let on_the_way = self.past.as_ref().and_then(|_| self.words().details().notes_on_the_way);
        match on_the_way {
            Some(notes) => Meta { notes, ..meta },
            None => meta,
        }
    }

    /// Returns the name of the policy, or `None` if there is nothing to choose.
    fn policy(&self) -> Option<String> {
        if self.choice == PolicyChoice::Best {
            return Some(BEST.to_string());
        }
        let (question, policy) = self.played();
        let mut policies = question.policies().into_iter();
        policies.find(|known| known.place == policy).map(|known| known.name)
    }
}

fn with_words(meta: Meta, given: String, policy: Option<String>) -> Meta {
    let policy = policy.map_or(String::new(), |policy| format!("; policy: {policy}"));
    Meta { question: format!("{}{given}{policy}", meta.question), ..meta }
}

impl<Q: Playable + Sync + 'static> DynQuestion for PreparedQuestion<Q> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn words(&self) -> &dyn QuestionInfo {
        self.question.words()
    }

    fn answerable(&self) -> Result<(), FieldFault> {
        if self.choice != PolicyChoice::Best {
            return Ok(());
        }
        let Some(text) = self.named.clone() else {
            let message = format!(
                "a `{}` has choices to make: name a `policy`, or ask for the best play",
                self.words().facts().kind.name
            );
            let policies = self.question.open().policies();
            let policies: Vec<String> =
                policies.iter().map(|policy| format!("`{}`", policy.name)).collect();
            let here = match policies.is_empty() {
                true => "this question leaves no choices:".to_string(),
                false => format!("policies here: {};", policies.join(", ")),
            };
            let help = shown(here + " `{}` finds the best play", [CodePiece::Request("solve")]);
            return Err(FieldFault::new(POLICY, message).help(help));
        };
        let fault = Fault::new(format!("no policy is called `{text}`"), 0..text.len());
        let fault = match self.question.open().policies().is_empty() {
            true => fault.help("remove the option: this question leaves no choices"),
            false => fault.help(shown(
                "`{}` finds the best play for an objective, and `{}` plays it",
                [CodePiece::Request("solve"), CodePiece::Request("compare")],
            )),
        };
        Err(FieldFault { field: POLICY.to_string(), fault })
    }

    fn rest_on(&self, what: &mut dyn Hasher) -> Option<ReportIndex> {
        let is_plain = self.past.is_none() && self.choice == PolicyChoice::Unsaid;
        self.words().hash_inputs(what).filter(|_| is_plain)
    }

    fn has_given_dice(&self) -> bool {
        self.past.is_some()
    }

    fn in_full(&self) -> String {
        self.with_steps(self.words().texts().in_words) + &self.given_dice_words()
    }

    fn meta(&self, command: String) -> Meta {
        with_words(self.plain_meta(command), self.given_dice_words(), self.policy())
    }

    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError> {
        answer(&self.with_policy(), options, meta)
    }

    fn measure(
        &self,
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<(Option<Measurement>, Meta), EngineError> {
        if let Some(number) = objective.reckoned() {
            let reckoned = self.words().details().reckoned;
            let value = reckoned.and_then(|reckoned| reckoned.number(number.name));
            let mean = |value| Mean { value, fraction: None, std_error: None, error_bound: None };
            return Ok((value.map(mean).map(Measurement::Mean), Meta { engine: "exact", ..meta }));
        }
        if let Some(measure) = objective.measure() {
            let end = measure.further_end(self.question.words().facts().kind);
            let counts =
                Counting { group: measure.group, end, is_requested: true, ..Counting::IMPLICIT };
            let table = self.answer(&Options { counts: Some(counts), ..*options }, meta)?;
            return Ok((
                table.counts.as_ref().and_then(|counts| measure.evaluate(counts)),
                table.meta,
            ));
        }
        let compared = compare(&[self.with_policy()], objective, options, meta);
        let compared = compared.map_err(CompareError::into_inner)?;
        let worth = compared.courses[0].objective;
        let mean = Mean {
            value: worth.value,
            fraction: None,
            std_error: worth.std_error,
            error_bound: worth.error_bound,
        };
        Ok((Some(Measurement::Mean(mean)), compared.meta))
    }

    fn trace(&self, dice: &TraceDice, watch: Monitor) -> Result<Trace<Label>, TraceError> {
        let line = self.with_policy();
        let trace = trace::trace(&line.whole(), dice, watch);
        trace.map(|trace| trace.labelled(|point, outcome| line.label(point, outcome)))
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

    fn meta_of_course(&self, command: String) -> Meta {
        let mut meta = self.plain_meta(command);
        meta.question = self.with_steps(meta.question);
        let best = (self.choice == PolicyChoice::Best).then(|| BEST.to_string());
        with_words(meta, self.given_dice_words(), self.named.clone().or(best))
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
                PolicyQuestion::new(&course.question, course.choice, objective, options.watch);
            Ok(line.map_err(CompareError::Course)?.after(course.begins()))
        };
        let lines = of_topic.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        compare(&lines, objective, options, meta)
    }

    fn solve_among(
        &self,
        shared_graph: &SharedGraph,
        objective: &Objective,
        depth: Depth,
        engine: Engine,
        watch: Monitor,
    ) -> Result<Solved, EngineError> {
        // Given dice change what follows equal states, so other questions cannot share the graph.
        let own_graph = SharedGraph::keeping(1);
        let shared_graph = if self.has_given_dice() { &own_graph } else { shared_graph };
        let (question, group) = shared_graph.join(self.question.open());
        let evaluator = ObjectiveEvaluator::new(question.as_ref(), objective);
        let opening = self.past.as_ref().map(Past::opened).transpose()?;
        let process = open_process(&question, None, opening);
        let (low, high) = evaluator.range();
        let range = (engine == Engine::Auto).then_some([low, high]);
        let process = evaluator.counting(process);
        let solved = solve(&process, evaluator.gain(), range, depth, watch, &group.graphs)?;
        Ok(Solved { counts_created: evaluator.values_created(), ..solved })
    }

    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<Vec<(String, f64)>, EngineError> {
        let question = self.question.open();
        let mut values: Vec<(String, f64)> = Vec::new();
        for policy in question.policies() {
            let evaluator = ObjectiveEvaluator::new(question.as_ref(), objective);
            let opening = self.past.as_ref().map(Past::opened).transpose()?;
            let process = evaluator.counting(open_process(&question, Some(policy.place), opening));
            let solved = Best::solve(&process, evaluator.gain(), watch).map(|best| best.value[0]);
            let worth = match solved {
                Ok(worth) if question.failure().is_none() => worth,
                Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
                _ => continue,
            };
            // Policies that differ only in unused choices are equal; longer names are omitted.
            match values.iter_mut().find(|(_, of)| (of - worth).abs() <= EQUAL) {
                Some((names, _))
                    if names.split(" or ").any(|name| policy.name.starts_with(name)) => {}
                Some((names, _)) => *names += &format!(" or {}", policy.name),
                None => values.push((policy.name, worth)),
            }
        }
        Ok(values)
    }
}

fn solve<P: Decisions>(
    process: &P,
    gain: Reward<P::Outcome>,
    range: Option<[f64; 2]>,
    depth: Depth,
    watch: Monitor,
    graphs: &ObjectPool<StateGraphOf<P>>,
) -> Result<Solved, EngineError> {
    let mut best = Best::on(graphs.take().unwrap_or_default(), process, gain, range, watch)?;
    let (value, states) = (best.value, best.solution.states);
    let error_bound = best.error_bound();
    let (mut decisions, mut tree) = (Vec::new(), Vec::new());
    match depth {
        Depth::Opening => {}
        Depth::Policy => decisions = best.policy()?,
        Depth::Tree(depth, rare) => tree = best.tree(depth, rare)?,
    }
    let opening = best.opening()?;
    graphs.give_back(best.solution.ground);
    Ok(Solved { value, error_bound, counts_created: false, states, opening, decisions, tree })
}
