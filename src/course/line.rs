//! A question of any morale system with its choices made: by a policy it names, or by the best play for an objective.

use std::sync::Arc;

use super::best::{Best, Gain, Value};
use super::objective::Objective;
use crate::engine::EngineError;
use crate::engine::solve::Play;
use crate::process::{Label, Parts, Player, Point, Process, Question, Under};
use crate::system::form::FieldFault;
use crate::system::{Asked, Footing, Held, Hope, Played};
use crate::text::{Fault, canonical};

/// The word for the best play.
const BEST: &str = "best";

/// The state of a question's process.
type State<Q> = <<Q as Question>::Process as Process>::State;
/// What it notes.
type Outcome<Q> = <<Q as Question>::Process as Process>::Outcome;

/// Which option is taken in a state, by whom, of how many.
type Chooser<P> = Box<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync>;

/// A question whose choices are made.
pub struct Line<Q: Played> {
    question: Arc<Q>,
    plays: Plays<State<Q>>,
}

/// Who makes the choices.
enum Plays<S> {
    /// A policy by its place in the list of the question.
    Policy(usize),
    Best(Arc<Play<S>>),
}

impl<S> Clone for Plays<S> {
    fn clone(&self) -> Plays<S> {
        match self {
            Plays::Policy(place) => Plays::Policy(*place),
            Plays::Best(play) => Plays::Best(play.clone()),
        }
    }
}

impl<Q: Played> Line<Q> {
    /// By the policy of that name, or by the first.
    pub fn named(question: Q, policy: Option<&str>) -> Result<Line<Q>, FieldFault> {
        let plays = match policy {
            None => Plays::Policy(0),
            Some(text) => {
                let names: Vec<&str> = question.policies().into_iter().map(|(name, _)| name).collect();
                let place = names.iter().position(|name| *name == canonical(text)).ok_or_else(|| {
                    let fault = Fault::new(format!("no policy is called `{text}`"), 0..text.len());
                    let fault = match canonical(text).as_str() {
                        _ if names.is_empty() => fault.help("here nobody has anything to choose"),
                        BEST => fault.help(
                            "the best play for an objective is found by `lowcrawl solve`, and played in `lowcrawl compare`",
                        ),
                        _ => fault.expecting(text, names),
                    };
                    FieldFault { field: "policy".to_string(), fault }
                })?;
                Plays::Policy(place)
            }
        };
        Ok(Line { question: Arc::new(question), plays })
    }

    /// By the best play for the objective.
    ///
    /// Fails with [`EngineError`] where it has too many states.
    pub fn best(question: Q, objective: &Objective) -> Result<Line<Q>, EngineError> {
        let process = question.whole();
        let play = Best::solve(&process, gain(&question, objective))?.into_play();
        Ok(Line { plays: Plays::Best(Arc::new(play)), question: Arc::new(question) })
    }

    pub fn question(&self) -> &Q {
        &self.question
    }

    /// The policy, in words, where there is anything to choose.
    fn policy(&self) -> Option<&'static str> {
        match self.plays {
            Plays::Policy(place) => self.question.policies().get(place).map(|(name, _)| *name),
            Plays::Best(_) => Some(BEST),
        }
    }
}

/// What outcomes are worth by an objective; among what is equal by it, what counts most by itself.
pub fn gain<'a, Q: Played>(question: &'a Q, objective: &'a Objective) -> Gain<'a, Outcome<Q>> {
    Box::new(move |point, outcome| {
        let Some((_, amounts)) = question.ending(point, outcome) else { return Value::default() };
        [objective.worth(&amounts), objective.worth_by_itself(&amounts, 0), objective.worth_by_itself(&amounts, 1)]
    })
}

impl<Q: Played + Send + 'static> Line<Q> {
    fn chooser(&self) -> Chooser<Q::Process> {
        let question = self.question.clone();
        match self.plays.clone() {
            Plays::Policy(place) => Box::new(move |process: &Q::Process, state: &State<Q>, player, options| {
                question.option(place, process, state, player, options)
            }),
            Plays::Best(play) => Box::new(move |_: &Q::Process, state: &State<Q>, _, _| play.best(state)),
        }
    }
}

impl<Q: Played + Send + 'static> Question for Line<Q> {
    type Process = Under<Q::Process, Chooser<Q::Process>>;

    fn whole(&self) -> Self::Process {
        Under::new(self.question.whole(), self.chooser())
    }

    fn parts(&self) -> Parts<Self::Process> {
        let Parts { processes, rest } = self.question.parts();
        let under = |process| Under::new(process, self.chooser());
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn label(&self, point: Point, outcome: &Outcome<Q>) -> Label {
        self.question.label(point, outcome)
    }
}

impl<Q: Played + Send + 'static> Asked for Line<Q> {
    fn in_words(&self) -> String {
        let policy = self.policy().map_or(String::new(), |policy| format!("; policy: {policy}"));
        self.question.in_words() + &policy
    }
    fn units(&self) -> u8 {
        self.question.units()
    }
    fn points(&self) -> Option<&'static str> {
        self.question.points()
    }
    fn point_in_words(&self, point: Point) -> String {
        self.question.point_in_words(point)
    }
    fn statuses(&self) -> &'static [&'static str] {
        self.question.statuses()
    }
    fn hoped(&self) -> Hope {
        self.question.hoped()
    }
    fn is_joint(&self) -> bool {
        self.question.is_joint()
    }
    fn footing(&self) -> Footing {
        self.question.footing()
    }
    fn held(&self) -> Vec<Held> {
        self.question.held()
    }
    fn notes(&self) -> Vec<String> {
        self.question.notes()
    }
    fn uncertain(&self) -> Vec<String> {
        self.question.uncertain()
    }
    fn rule(&self, rule: &str) -> String {
        self.question.rule(rule)
    }
    fn quantities(&self) -> Vec<String> {
        self.question.quantities()
    }
    fn amounts(&self, point: Point, outcome: &Outcome<Q>, tell: &mut dyn FnMut(usize, i64)) {
        self.question.amounts(point, outcome, tell);
    }
}
