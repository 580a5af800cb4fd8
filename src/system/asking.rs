//! A finished question of whatever kind and game, to be answered, told, compared and solved by those that do not know which.

use std::any::Any;
use std::sync::Arc;

use super::answer::{Answer, Options, answer};
use super::best::{Best, Branch, Decision, Value};
use super::compare::{CompareError, Compared, compare};
use super::draft::POLICY;
use super::form::FieldFault;
use super::kind::{Kind, Play};
use super::objective::Objective;
use super::ruled::{BEST, Ruled, Ruling, against, gain};
use super::table::Meta;
use super::{Played, Words};
use crate::dice::script::Script;
use crate::engine::EngineError;
use crate::engine::monte_carlo::dice_of_sequence;
use crate::engine::solve::EQUAL;
use crate::engine::trace::{self, Rolls, Tale, TraceError};
use crate::engine::watch::Watch;
use crate::process::{Label, Process, Question};
use crate::text::{Fault, canonical};

/// A finished question.
pub trait Asking: Send + Sync {
    /// What it is behind this: a [`Ready`] question.
    fn as_any(&self) -> &dyn Any;
    fn kind(&self) -> &'static Kind;
    fn words(&self) -> &dyn Words;
    /// Whether a policy is named.
    fn names_policy(&self) -> bool;
    /// Whether it can be answered by itself: not where the best play is wanted, which needs an objective.
    fn answerable(&self) -> Result<(), FieldFault>;
    /// What the meta of its answer says before it is answered; `command` asks it again.
    fn meta(&self, command: String) -> Meta;
    /// The same of a course of action, or of what is to be solved.
    fn meta_of_course(&self, command: String) -> Meta;
    fn answer(&self, options: &Options, meta: Meta) -> Result<Answer, EngineError>;
    /// One sequence, told.
    fn tale(&self, dice: &TaleDice, watch: Watch) -> Result<Tale<Label>, TraceError>;
    /// Itself and others of its topic side by side, in order.
    fn compared(
        &self,
        courses: &[Box<dyn Asking>],
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<Compared, CompareError>;
    /// Its best play for an objective.
    fn solve(&self, objective: &Objective, depth: Depth, watch: Watch) -> Result<Solved, EngineError>;
    /// What each of its policies is worth, the enemy replying; those that come to the same have their names together, and those that are
    /// too big to be worked out are left out. Fails only when it is stopped.
    fn policies_worth(&self, objective: &Objective, watch: Watch) -> Result<Vec<(String, f64)>, EngineError>;
    /// Who does what the options of a choice say, where they do not.
    fn subject(&self) -> &'static str;
}

/// Where the dice of a told sequence come from.
#[derive(Clone, Debug)]
pub enum TaleDice {
    /// As they would be typed.
    Script(String),
    /// A sequence of a Monte Carlo run.
    Seeded { seed: u64, sequence: u64 },
}

/// How much of the best play is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Depth {
    /// Its first choice.
    Opening,
    /// Every decision it can meet.
    Policy,
    /// So many decisions on every path; what comes next with a smaller chance is told together.
    Tree(usize, f64),
}

/// The best play of a question.
#[derive(Clone, Debug)]
pub struct Solved {
    pub value: Value,
    pub states: usize,
    /// The choice made at once, if it begins with one.
    pub opening: Option<Decision>,
    pub decisions: Vec<Decision>,
    pub tree: Vec<(f64, Branch)>,
}

/// A finished question, and who makes its choices.
pub struct Ready<Q> {
    question: Arc<Q>,
    kind: &'static Kind,
    ruling: Ruling,
    /// The policy as it was named.
    named: Option<String>,
}

impl<Q: Played + Sync + 'static> Ready<Q> {
    /// A question, and the policy that is named for it, if there is one.
    pub fn new(question: Arc<Q>, kind: &'static Kind, policy: Option<&str>) -> Result<Ready<Q>, FieldFault> {
        let ruling = match policy {
            None if kind.play == Play::Best => Ruling::Best,
            None => Ruling::Unsaid,
            Some(text) if canonical(text) == BEST => Ruling::Best,
            Some(text) => Ruling::Named(question.open().policy(text).map_err(FieldFault::of(POLICY))?),
        };
        Ok(Ready { question, kind, ruling, named: policy.map(str::to_string) })
    }

    pub fn question(&self) -> &Q {
        &self.question
    }

    /// The same to be shared.
    pub fn shared(&self) -> Arc<Q> {
        self.question.clone()
    }

    /// With its choices made by a policy, which plays both sides.
    fn line(&self) -> Ruled<Q> {
        match self.ruling {
            Ruling::Named(policy) => Ruled::by_policy(self.question.open(), policy),
            _ => Ruled::unsaid(self.question.clone()),
        }
    }

    /// The policy in words, where there is anything to choose.
    fn policy(&self) -> Option<String> {
        let policies = match self.ruling {
            Ruling::Best => return Some(BEST.to_string()),
            Ruling::Unsaid => self.question.policies(),
            Ruling::Named(_) => self.question.open().policies(),
        };
        let is_meant = |place: usize| match self.ruling {
            Ruling::Named(policy) => place == policy,
            _ => true,
        };
        policies.into_iter().find(|policy| is_meant(policy.place)).map(|policy| policy.name)
    }
}

/// The same with the policy, where there is one.
fn with_policy(meta: Meta, policy: Option<String>) -> Meta {
    let policy = policy.map_or(String::new(), |policy| format!("; policy: {policy}"));
    Meta { question: format!("{}{policy}", meta.question), ..meta }
}

impl<Q: Played + Sync + 'static> Asking for Ready<Q> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn kind(&self) -> &'static Kind {
        self.kind
    }

    fn words(&self) -> &dyn Words {
        self.question.words()
    }

    fn names_policy(&self) -> bool {
        self.named.is_some()
    }

    fn answerable(&self) -> Result<(), FieldFault> {
        if self.ruling != Ruling::Best {
            return Ok(());
        }
        let text = self.named.clone().unwrap_or(BEST.to_string());
        let fault = match self.question.open().policies().is_empty() {
            true => Fault::new(format!("no policy is called `{text}`"), 0..text.len()).help("here nobody has anything to choose"),
            false => Fault::new(format!("no policy is called `{text}`"), 0..text.len())
                .help("the best play for an objective is found by `lowcrawl solve`, and played in `lowcrawl compare`"),
        };
        Err(FieldFault { field: POLICY.to_string(), fault })
    }

    fn meta(&self, command: String) -> Meta {
        with_policy(Meta::of(self.words(), command), self.policy())
    }

    fn meta_of_course(&self, command: String) -> Meta {
        let meta = Meta { question: self.words().in_full(), ..Meta::of(self.words(), command) };
        let best = (self.ruling == Ruling::Best).then(|| BEST.to_string());
        with_policy(meta, self.named.clone().or(best))
    }

    fn answer(&self, options: &Options, meta: Meta) -> Result<Answer, EngineError> {
        answer(&self.line(), options, meta)
    }

    fn tale(&self, dice: &TaleDice, watch: Watch) -> Result<Tale<Label>, TraceError> {
        let line = self.line();
        tale(&line.whole(), dice, watch).map(|tale| tale.labelled(|point, outcome| line.label(point, outcome)))
    }

    fn compared(
        &self,
        courses: &[Box<dyn Asking>],
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<Compared, CompareError> {
        let of_topic = courses.iter().filter_map(|course| course.as_any().downcast_ref::<Ready<Q>>());
        let lines = of_topic
            .map(|course| Ruled::new(&course.question, course.ruling, objective, options.watch))
            .collect::<Result<Vec<_>, _>>();
        compare(&lines.map_err(CompareError::Course)?, objective, options, meta)
    }

    fn solve(&self, objective: &Objective, depth: Depth, watch: Watch) -> Result<Solved, EngineError> {
        let question = self.question.open();
        let process = question.whole();
        let mut best = Best::watched(&process, gain(question.as_ref(), objective), watch)?;
        let (value, states) = (best.value(), best.states());
        let (mut decisions, mut tree) = (Vec::new(), Vec::new());
        match depth {
            Depth::Opening => {}
            Depth::Policy => decisions = best.policy()?,
            Depth::Tree(depth, rare) => tree = best.tree(depth, rare)?,
        }
        Ok(Solved { value, states, opening: best.opening()?, decisions, tree })
    }

    fn policies_worth(&self, objective: &Objective, watch: Watch) -> Result<Vec<(String, f64)>, EngineError> {
        let question = self.question.open();
        let mut values: Vec<(String, f64)> = Vec::new();
        for policy in question.policies() {
            let worth = match Best::watched(&against(&question, policy.place), gain(question.as_ref(), objective), watch) {
                Ok(best) if question.failure().is_none() => best.value()[0],
                Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
                _ => continue,
            };
            // Policies that differ in what is not open here come to the same; what is added to one without effect is not told.
            match values.iter_mut().find(|(_, of)| (of - worth).abs() <= EQUAL) {
                Some((names, _)) if names.split(" or ").any(|name| policy.name.starts_with(name)) => {}
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

/// One sequence of a process.
pub fn tale<P: Process>(process: &P, dice: &TaleDice, watch: Watch) -> Result<Tale<P::Outcome>, TraceError> {
    let rolls = match dice {
        TaleDice::Script(text) => {
            Rolls::Scripted(Script::parse(P::BASE, text).map_err(|error| TraceError::Script { error, due: None })?)
        }
        TaleDice::Seeded { seed, sequence } => Rolls::Seeded(dice_of_sequence(process, *seed, *sequence, watch)?),
    };
    trace::tell(process, rolls)
}
