//! A finished question of whatever kind and game, to be answered, told, compared and solved by
//! those that do not know which.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use super::aim::Aim;
use super::answer::{Options, answer};
use super::best::{Best, Branch, Decision, Gain, Value};
use super::compare::{CompareError, Compared, compare};
use super::count::Counting;
use super::draft::{GIVEN, POLICY};
use super::form::FieldFault;
use super::given::{Begun, Given, Opening, play};
use super::kin::Kin;
use super::kind::{Kind, Play};
use super::objective::Objective;
use super::ruled::{BEST, Outcome, Ruled, Ruling, State, against};
use super::table::{Mean, Meta, Table};
use super::tell::Told;
use super::{Played, Words};
use engine::EngineError;
use engine::dice::script::Script;
use engine::monte_carlo::dice_of_sequence;
use engine::process::{Decisions, Label, Point, Process, Question};
use engine::shelf::Shelf;
use engine::solve::{EQUAL, GroundOf};
use engine::text::notation::{Shown, shown};
use engine::text::{Fault, canonical};
use engine::trace::{self, Rolls, Tale, TraceError};
use engine::watch::Watch;

/// A finished question.
pub trait Asking: Send + Sync {
    /// What it is behind this: a [`Ready`] question.
    fn as_any(&self) -> &dyn Any;
    fn kind(&self) -> &'static Kind;
    fn words(&self) -> &dyn Words;
    /// Whether its best play can be worked out: not where a policy is named, nor behind a choice
    /// that is still to be made.
    fn solvable(&self) -> Result<(), FieldFault>;
    /// The question in full, with the dice already rolled.
    fn in_full(&self) -> String;
    /// What its rows rest on, and its last point: see [`Words::rest_on`]. None where dice are
    /// rolled already, or somebody is said to make choices.
    fn rest_on(&self, what: &mut dyn Hasher) -> Option<Point>;
    /// Whether dice are rolled already.
    fn is_begun(&self) -> bool;
    /// Whether it can be answered by itself: not where the best play is wanted, which needs an
    /// objective.
    fn answerable(&self) -> Result<(), FieldFault>;
    /// What the meta of its answer says before it is answered; `command` asks it again.
    fn meta(&self, command: String) -> Meta;
    /// The same of a course of action, or of what is to be solved.
    fn meta_of_course(&self, command: String) -> Meta;
    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError>;
    /// One number of it, a measure or a count; none where its error would not be known.
    fn told(
        &self,
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<(Option<Told>, Meta), EngineError>;
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
    fn solve(
        &self,
        objective: &Objective,
        depth: Depth,
        watch: Watch,
    ) -> Result<Solved, EngineError> {
        self.solve_among(&Kin::keeping(1), objective, depth, watch)
    }
    /// The same as the next of its kin, all of which are solved for that objective.
    fn solve_among(
        &self,
        kin: &Kin,
        objective: &Objective,
        depth: Depth,
        watch: Watch,
    ) -> Result<Solved, EngineError>;
    /// What each of its policies is worth, the enemy replying; those that come to the same have
    /// their names together, and those that are too big to be worked out are left out. Fails only
    /// when it is stopped.
    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Watch,
    ) -> Result<Vec<(String, f64)>, EngineError>;
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

impl Solved {
    /// The same with the number that the objective asks for in place of what it is worth: see
    /// [`Objective::number`].
    pub fn in_numbers(mut self, objective: &Objective) -> Solved {
        let number = |worth: &mut f64| *worth = objective.number(*worth);
        number(&mut self.value[0]);
        let decisions = self.opening.iter_mut().chain(&mut self.decisions);
        decisions.for_each(|decision| decision.change(&number));
        self.tree.iter_mut().for_each(|(_, branch)| branch.change(&number));
        self
    }
}

/// A finished question, and who makes its choices.
pub struct Ready<Q: Played> {
    question: Arc<Q>,
    kind: &'static Kind,
    ruling: Ruling,
    /// The policy as it was named.
    named: Option<String>,
    past: Option<Past<Q>>,
}

/// The opening of a question.
type OpeningOf<Q> = Arc<Opening<State<Q>, Outcome<Q>>>;

/// Dice already rolled.
struct Past<Q: Played> {
    /// As they were written, with single spaces.
    text: String,
    /// Where they bring the question by its policy.
    closed: OpeningOf<Q>,
    /// Where they bring it with its choices left open; the fault of a roll that lies behind one.
    open: Result<OpeningOf<Q>, Fault>,
}

impl<Q: Played> Past<Q> {
    /// Where the dice bring the question with its choices left open; see [`Asking::solvable`].
    fn opened(&self) -> Result<OpeningOf<Q>, EngineError> {
        self.open.clone().map_err(|_| EngineError::OpenChoice)
    }
}

impl<Q: Played + Sync + 'static> Ready<Q> {
    /// A question, and the policy that is named for it, if there is one.
    pub fn new(
        question: Arc<Q>,
        kind: &'static Kind,
        policy: Option<&str>,
    ) -> Result<Ready<Q>, FieldFault> {
        let ruling = match policy {
            None if kind.play == Play::Best => Ruling::Best,
            None => Ruling::Unsaid,
            Some(text) if canonical(text) == BEST => Ruling::Best,
            Some(text) => {
                Ruling::Named(question.open().policy(text).map_err(FieldFault::of(POLICY))?)
            }
        };
        Ok(Ready { question, kind, ruling, named: policy.map(str::to_string), past: None })
    }

    pub fn question(&self) -> &Q {
        &self.question
    }

    /// The same to be shared.
    pub fn shared(&self) -> Arc<Q> {
        self.question.clone()
    }

    /// The same after dice that are already rolled, written as in a script; choices on the way are
    /// made by the policy that is named, else the first.
    pub fn after(self, given: Option<&str>) -> Result<Ready<Q>, FieldFault> {
        let given = given.filter(|text| !text.trim().is_empty());
        let past = given.map(|text| self.past(text)).transpose().map_err(FieldFault::of(GIVEN))?;
        Ok(Ready { past, ..self })
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
        // What is played best was chosen by nobody before the dice: a choice among several stays
        // open.
        let only = |_: &Q::Process, _: &State<Q>, _, options| (options == 1).then_some(0);
        let open = || play(&self.question.open().whole(), text, only).map(Arc::new);
        let (closed, open) = match self.ruling {
            Ruling::Named(policy) => {
                let opening = opening(self.question.open(), policy)?;
                (opening.clone(), Ok(opening))
            }
            Ruling::Best => {
                let opening = open()?;
                (opening.clone(), Ok(opening))
            }
            Ruling::Unsaid => (opening(self.question.clone(), first(&self.question))?, open()),
        };
        Ok(Past { text: text.split_whitespace().collect::<Vec<_>>().join(" "), closed, open })
    }

    /// With its choices made by a policy, which plays both sides; from where given dice end.
    fn line(&self) -> Begun<Q> {
        let line = match self.ruling {
            Ruling::Named(policy) => Ruled::by_policy(self.question.open(), policy),
            _ => Ruled::unsaid(self.question.clone()),
        };
        Begun::new(line, self.begins())
    }

    /// Where given dice end, if there are any.
    fn begins(&self) -> Option<OpeningOf<Q>> {
        self.past.as_ref().map(|past| past.closed.clone())
    }

    /// The dice already rolled, as they follow a question in words.
    fn given(&self) -> String {
        self.past.as_ref().map_or(String::new(), |past| format!("; given {}", past.text))
    }

    /// What the meta says of the question itself.
    fn plain_meta(&self, command: String) -> Meta {
        let meta = Meta::of(self.question.words(), command);
        match self.past {
            Some(_) => Meta { notes: self.question.words().notes_on_the_way(), ..meta },
            None => meta,
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

/// The same with the dice that are given, and the policy, where there are any.
fn with_words(meta: Meta, given: String, policy: Option<String>) -> Meta {
    let policy = policy.map_or(String::new(), |policy| format!("; policy: {policy}"));
    Meta { question: format!("{}{given}{policy}", meta.question), ..meta }
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

    fn solvable(&self) -> Result<(), FieldFault> {
        if self.named.is_some() {
            let fault =
                FieldFault::new(POLICY, "what is to be solved is played best: it has no policy");
            return Err(fault
                .help(shown("a policy belongs to a course of `{}`", [Shown::Request("compare")])));
        }
        let open = self.past.as_ref().map_or(Ok(()), |past| past.open.as_ref().map(|_| ()));
        open.map_err(|fault| FieldFault { field: GIVEN.to_string(), fault: fault.clone() })
    }

    fn answerable(&self) -> Result<(), FieldFault> {
        if self.ruling != Ruling::Best {
            return Ok(());
        }
        let Some(text) = self.named.clone() else {
            let message = format!(
                "who makes the choices of a `{}`? Name a `policy`, or ask for the best play",
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
                true => "here nobody has anything to choose:".to_string(),
                false => format!("policies here: {};", policies.join(", ")),
            };
            let help = shown(here + " the best play is found by `{}`", [Shown::Request("solve")]);
            return Err(FieldFault::new(POLICY, message).help(help));
        };
        let fault = match self.question.open().policies().is_empty() {
            true => Fault::new(format!("no policy is called `{text}`"), 0..text.len())
                .help("here nobody has anything to choose"),
            false => {
                Fault::new(format!("no policy is called `{text}`"), 0..text.len()).help(shown(
                    "the best play for an objective is found by `{}`, and played in `{}`",
                    [Shown::Request("solve"), Shown::Request("compare")],
                ))
            }
        };
        Err(FieldFault { field: POLICY.to_string(), fault })
    }

    fn rest_on(&self, what: &mut dyn Hasher) -> Option<Point> {
        let is_plain = self.past.is_none() && self.ruling == Ruling::Unsaid;
        self.words().rest_on(what).filter(|_| is_plain)
    }

    fn is_begun(&self) -> bool {
        self.past.is_some()
    }

    fn in_full(&self) -> String {
        self.words().in_full() + &self.given()
    }

    fn meta(&self, command: String) -> Meta {
        with_words(self.plain_meta(command), self.given(), self.policy())
    }

    fn meta_of_course(&self, command: String) -> Meta {
        let meta = Meta { question: self.words().in_full(), ..self.plain_meta(command) };
        let best = (self.ruling == Ruling::Best).then(|| BEST.to_string());
        with_words(meta, self.given(), self.named.clone().or(best))
    }

    fn answer(&self, options: &Options, meta: Meta) -> Result<Table, EngineError> {
        answer(&self.line(), options, meta)
    }

    fn told(
        &self,
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<(Option<Told>, Meta), EngineError> {
        if let Some(tell) = objective.tell() {
            let counts = Counting { group: tell.group, with_created: false, is_asked: true };
            let table = self.answer(&Options { counts: Some(counts), ..*options }, meta)?;
            return Ok((table.counts.as_ref().and_then(|counts| tell.of(counts)), table.meta));
        }
        let compared = compare(&[self.line()], objective, options, meta);
        let compared = compared.map_err(CompareError::into_inner)?;
        let worth = compared.courses[0].objective;
        let mean = Mean { value: worth.value, fraction: None, std_error: worth.std_error };
        Ok((Some(Told::Mean(mean)), compared.meta))
    }

    fn tale(&self, dice: &TaleDice, watch: Watch) -> Result<Tale<Label>, TraceError> {
        let line = self.line();
        let tale = tale(&line.whole(), dice, watch);
        tale.map(|tale| tale.labelled(|point, outcome| line.label(point, outcome)))
    }

    fn compared(
        &self,
        courses: &[Box<dyn Asking>],
        objective: &Objective,
        options: &Options,
        meta: Meta,
    ) -> Result<Compared, CompareError> {
        let of_topic: Vec<&Ready<Q>> =
            courses.iter().filter_map(|course| course.as_any().downcast_ref()).collect();
        let line = |course: &&Ready<Q>| {
            let line = Ruled::new(&course.question, course.ruling, objective, options.watch);
            Ok(Begun::new(line.map_err(CompareError::Course)?, course.begins()))
        };
        let lines = of_topic.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        compare(&lines, objective, options, meta)
    }

    fn solve_among(
        &self,
        kin: &Kin,
        objective: &Objective,
        depth: Depth,
        watch: Watch,
    ) -> Result<Solved, EngineError> {
        // Where dice have led to is known by what was found behind them, not by what kin have found.
        let apart = Kin::keeping(1);
        let kin = if self.is_begun() { &apart } else { kin };
        let (question, family) = kin.of(self.question.open());
        let (process, aim) = (question.whole(), Aim::new(question.as_ref(), objective));
        let opening = match &self.past {
            Some(past) => past.opened()?,
            None => Arc::new(Opening::at_start(&process)),
        };
        let process = Given::new(process, opening, |_, _, _| ());
        solve(&aim.beside(process), aim.gain(), depth, watch, &family.grounds)
    }

    fn policies_worth(
        &self,
        objective: &Objective,
        watch: Watch,
    ) -> Result<Vec<(String, f64)>, EngineError> {
        let question = self.question.open();
        let mut values: Vec<(String, f64)> = Vec::new();
        for policy in question.policies() {
            let process = against(&question, policy.place);
            let aim = Aim::new(question.as_ref(), objective);
            let process = match &self.past {
                Some(past) => Given::under(process, past.opened()?),
                None => Given::from_start(process),
            };
            let process = aim.beside(process);
            let solved = Best::watched(&process, aim.gain(), watch).map(|best| best.value()[0]);
            let worth = match solved {
                Ok(worth) if question.failure().is_none() => worth,
                Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
                _ => continue,
            };
            // Policies that differ in what is not open here come to the same; what is added to one
            // without effect is not told.
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

/// The best play of a process.
fn solve<P: Decisions>(
    process: &P,
    gain: Gain<P::Outcome>,
    depth: Depth,
    watch: Watch,
    grounds: &Shelf<GroundOf<P>>,
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
    grounds.put(best.into_ground());
    Ok(Solved { value, states, opening, decisions, tree })
}

/// One sequence of a process.
pub fn tale<P: Process>(
    process: &P,
    dice: &TaleDice,
    watch: Watch,
) -> Result<Tale<P::Outcome>, TraceError> {
    let rolls = match dice {
        TaleDice::Script(text) => Rolls::Scripted(
            Script::parse(P::BASE, text)
                .map_err(|error| TraceError::Script { error, due: None })?,
        ),
        TaleDice::Seeded { seed, sequence } => {
            Rolls::Seeded(dice_of_sequence(process, *seed, *sequence, watch)?)
        }
    };
    trace::tell(process, rolls)
}
