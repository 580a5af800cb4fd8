//! A question whose choices are made, by one of its policies or by best play for an objective.

use std::sync::Arc;

use super::best_play::Best;
use super::dice_prefix::{Conditioned, ConditionedState, DicePrefix};
use super::evaluator::ObjectiveEvaluator;
use super::objective::Objective;
use super::playable::Playable;
use answer::{
    Answerable, CountedState, CountedUnit, Factors, OutcomeOf, QuestionInfo, StateOf, Tallied,
    UnitInClass,
};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Chooser, Label, Parts, Player, Process, Question, ReportIndex, WithPolicy};
use schema::{Group, UnitEnd};

/// The policy name for best play.
pub const BEST: &str = "best";

/// The way in which the choices of a question are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyChoice {
    /// By the default policy, because the request names none.
    Unsaid,
    /// By the policy with this `Policy::place`.
    Named(usize),
    Best,
}

/// A question with the function that makes its choices, from its start or after given dice: one
/// type, so that engines are compiled once. After given dice the question is answered as a whole,
/// because the dice follow the order of the whole process, which processes of single units do not.
pub struct PolicyQuestion<Q: Playable> {
    /// The question with open choices.
    pub(super) question: Arc<Q>,
    chooser: Chooser<'static, Q::Process>,
    opening: Option<OpeningOf<Q>>,
}

pub(super) type OpeningOf<Q> = Arc<DicePrefix<StateOf<Q>, OutcomeOf<Q>>>;

impl<Q: Playable + Sync + 'static> PolicyQuestion<Q> {
    /// Creates a question in which its default policy plays both sides.
    pub fn by_default(question: Arc<Q>) -> PolicyQuestion<Q> {
        let policy = default_policy(question.as_ref());
        PolicyQuestion::by_policy(question, policy)
    }

    /// Creates a question in which one policy plays both sides.
    pub fn by_policy(question: Arc<Q>, policy: usize) -> PolicyQuestion<Q> {
        let chooser = Arc::new(chooser(&question, policy));
        PolicyQuestion { question, chooser, opening: None }
    }

    /// Creates a question with its choices made as `choice` says. The objective is used for best
    /// play, and for the enemy's reply to a policy that plays only the owner.
    ///
    /// # Errors
    ///
    /// Fails if best play has too many states, or the run is cancelled.
    pub fn new(
        question: &Arc<Q>,
        choice: PolicyChoice,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<PolicyQuestion<Q>, EngineError> {
        let policy = match choice {
            PolicyChoice::Unsaid => return Ok(PolicyQuestion::by_default(question.clone())),
            PolicyChoice::Best => None,
            PolicyChoice::Named(policy) => Some(policy),
        };
        let question = question.open();
        if let Some(policy) = policy.filter(|_| !question.enemy_replies()) {
            return Ok(PolicyQuestion::by_policy(question, policy));
        }
        let evaluator = ObjectiveEvaluator::new(question.as_ref(), objective);
        let process = evaluator.counting(open_process(&question, policy, None));
        let best = Best::solve(&process, evaluator.gain(), watch)?.solution.into_play();
        let named = policy.map(|policy| chooser(&question, policy));
        let chooser = move |process: &Q::Process, state: &StateOf<Q>, player, options| match &named
        {
            Some(named) if player == Player::Owner => named(process, state, player, options),
            _ => best.best(&CountedState::from(ConditionedState::from(state.clone()))),
        };
        Ok(PolicyQuestion { question, chooser: Arc::new(chooser), opening: None })
    }

    pub(super) fn after(self, opening: Option<OpeningOf<Q>>) -> PolicyQuestion<Q> {
        PolicyQuestion { opening, ..self }
    }

    fn under(&self, process: Q::Process) -> PlayedProcess<Q::Process> {
        let process = WithPolicy::sharing(process, self.chooser.clone());
        Conditioned::under(process, self.opening.clone())
    }
}

/// Returns the first policy that makes a difference, or else policy 0.
pub(super) fn default_policy<Q: Playable>(question: &Q) -> usize {
    question.policies().first().map_or(0, |policy| policy.place)
}

fn chooser<Q: Playable + Sync + 'static>(
    question: &Arc<Q>,
    policy: usize,
) -> impl Fn(&Q::Process, &StateOf<Q>, Player, usize) -> usize + Send + Sync + use<Q> {
    let played = question.clone();
    move |process, state, player, options| played.option(policy, process, state, player, options)
}

/// Returns the process of a question in which a policy plays the owner, if one does. All other
/// choices stay open.
pub(super) fn open_process<Q: Playable + Sync + 'static>(
    question: &Arc<Q>,
    owner: Option<usize>,
    opening: Option<OpeningOf<Q>>,
) -> PlayedProcess<Q::Process> {
    let process = question.whole();
    let process = match owner {
        Some(policy) => WithPolicy::new(process, chooser(question, policy)).leaving(Player::Enemy),
        None => WithPolicy::open(process),
    };
    Conditioned::under(process, opening)
}

/// A process with its choices made or open, from its start or after given dice: one type, so that
/// engines are compiled once for each process.
pub type PlayedProcess<P> = Conditioned<WithPolicy<'static, P>>;

/// Wraps a process for engines that are compiled for the questions of this process.
pub fn uncounted<P: Process>(process: P) -> Tallied<'static, PlayedProcess<P>> {
    Tallied::plain(Conditioned::under(WithPolicy::open(process), None))
}

impl<Q: Playable + Sync + 'static> Question for PolicyQuestion<Q> {
    type Process = PlayedProcess<Q::Process>;

    fn whole(&self) -> Self::Process {
        self.under(self.question.whole())
    }

    fn compact(&self) -> Self::Process {
        match self.opening {
            Some(_) => self.whole(),
            None => self.under(self.question.compact()),
        }
    }

    fn parts(&self) -> Parts<Self::Process> {
        if self.opening.is_some() {
            return Parts::whole(self.whole());
        }
        let Parts { processes, rest } = self.question.parts();
        let under = |process| self.under(process);
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn label(&self, point: ReportIndex, outcome: &OutcomeOf<Q>) -> Label {
        self.question.label(point, outcome)
    }
}

impl<Q: Playable + Sync + 'static> Answerable for PolicyQuestion<Q> {
    fn words(&self) -> &dyn QuestionInfo {
        self.question.words()
    }

    fn amounts(
        &self,
        point: ReportIndex,
        outcome: &OutcomeOf<Q>,
        observe: &mut dyn FnMut(usize, i64),
    ) {
        self.question.amounts(point, outcome, observe);
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        self.question.counted_units(group)
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &OutcomeOf<Q>,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        self.question.counted(group, end, outcome, observe);
    }

    fn slot(&self, outcome: &OutcomeOf<Q>) -> Option<u8> {
        self.question.slot(outcome)
    }

    fn in_slot(&self, outcome: OutcomeOf<Q>, slot: u8) -> OutcomeOf<Q> {
        self.question.in_slot(outcome, slot)
    }

    fn factors(&self) -> Option<Box<dyn Factors<OutcomeOf<Q>>>> {
        self.question.factors().filter(|_| self.opening.is_none())
    }
}
