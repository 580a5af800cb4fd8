//! A question whose choices are made, by one of its policies or by best play for an objective.

use std::sync::Arc;

use super::best_play::Best;
use super::evaluator::ObjectiveEvaluator;
use super::objective::Objective;
use super::playable::Playable;
use answer::{
    Answerable, CountedState, CountedUnit, OutcomeOf, QuestionInfo, StateOf, UnitInClass,
};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{
    Factorization, Label, Parts, Player, Process, Question, ReportIndex, WithPolicy,
};
use schema::Group;

/// The policy name for best play.
pub const BEST: &str = "best";

/// A function that chooses an option. Its arguments are the process, the state, the player who
/// chooses and the number of options; its result is the 0-based index of the option.
pub type Chooser<P> = Box<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync>;

type Shared<P> = Arc<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync>;

/// The way in which the choices of a question are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyChoice {
    /// By the default policy, because the request names none.
    Unsaid,
    /// By the policy with this `Policy::place`.
    Named(usize),
    Best,
}

/// A question together with the function that makes its choices.
pub struct PolicyQuestion<Q: Playable> {
    question: Arc<Q>,
    chooser: Shared<Q::Process>,
}

impl<Q: Playable + Sync + 'static> PolicyQuestion<Q> {
    /// Creates a question in which one policy plays both sides.
    pub fn by_policy(question: Arc<Q>, policy: usize) -> PolicyQuestion<Q> {
        let played = question.clone();
        let chooser = move |process: &Q::Process, state: &StateOf<Q>, player, options| {
            played.option(policy, process, state, player, options)
        };
        PolicyQuestion { question, chooser: Arc::new(chooser) }
    }

    /// Creates a question played by its default policy, the first that makes a difference. If none
    /// does, policy 0 plays.
    pub fn with_default_policy(question: Arc<Q>) -> PolicyQuestion<Q> {
        let first = question.policies().first().map_or(0, |policy| policy.place);
        PolicyQuestion::by_policy(question, first)
    }

    /// Creates a question with its choices made as `ruling` says. The objective is used for best
    /// play, and for the enemy's reply to a policy that plays only the owner.
    ///
    /// # Errors
    ///
    /// Fails if best play has too many states, or the run is cancelled.
    pub fn new(
        question: &Arc<Q>,
        ruling: PolicyChoice,
        objective: &Objective,
        watch: Monitor,
    ) -> Result<PolicyQuestion<Q>, EngineError> {
        let policy = match ruling {
            PolicyChoice::Unsaid => {
                return Ok(PolicyQuestion::with_default_policy(question.clone()));
            }
            PolicyChoice::Best => {
                let question = question.open();
                let aim = ObjectiveEvaluator::new(question.as_ref(), objective);
                let play =
                    Best::watched(&aim.counting(question.whole()), aim.gain(), watch)?.into_play();
                let chooser = move |_: &Q::Process, state: &StateOf<Q>, _, _| {
                    play.best(&CountedState::from(state.clone()))
                };
                return Ok(PolicyQuestion { question, chooser: Arc::new(chooser) });
            }
            PolicyChoice::Named(policy) => policy,
        };
        let question = question.open();
        if !question.enemy_replies() {
            return Ok(PolicyQuestion::by_policy(question, policy));
        }
        let aim = ObjectiveEvaluator::new(question.as_ref(), objective);
        let against = aim.counting(against(&question, policy));
        let reply = Best::watched(&against, aim.gain(), watch)?.into_play();
        let played = question.clone();
        let chooser = move |process: &Q::Process, state: &StateOf<Q>, player, options| match player
        {
            Player::Enemy => reply.best(&CountedState::from(state.clone())),
            Player::Owner => played.option(policy, process, state, player, options),
        };
        Ok(PolicyQuestion { question, chooser: Arc::new(chooser) })
    }

    fn chooser(&self) -> Chooser<Q::Process> {
        let chooser = self.chooser.clone();
        Box::new(move |process: &Q::Process, state: &StateOf<Q>, player, options| {
            chooser(process, state, player, options)
        })
    }
}

/// A question whose choices are made, as one course of action in a comparison.
pub trait CourseQuestion: Answerable<Process: Process<Outcome = OutcomeOf<Self::Played>>> {
    /// Type of the question with open choices.
    type Played: Playable;

    /// Returns the question with open choices.
    fn question(&self) -> &Self::Played;
}

impl<Q: Playable + 'static> CourseQuestion for PolicyQuestion<Q> {
    type Played = Q;

    fn question(&self) -> &Q {
        &self.question
    }
}

/// Returns the process of a question in which a policy plays the owner. The enemy's choices stay
/// open.
pub fn against<Q: Playable + Sync + 'static>(
    question: &Arc<Q>,
    policy: usize,
) -> WithPolicy<Q::Process, Chooser<Q::Process>> {
    let played = question.clone();
    let chooser: Chooser<Q::Process> =
        Box::new(move |process: &Q::Process, state: &StateOf<Q>, player, options| {
            played.option(policy, process, state, player, options)
        });
    WithPolicy::leaving(Player::Enemy, question.whole(), chooser)
}

impl<Q: Playable + 'static> Question for PolicyQuestion<Q> {
    type Process = WithPolicy<Q::Process, Chooser<Q::Process>>;
    type Factor = Q::Factor;

    fn whole(&self) -> Self::Process {
        WithPolicy::new(self.question.whole(), self.chooser())
    }

    fn parts(&self) -> Parts<Self::Process> {
        let Parts { processes, rest } = self.question.parts();
        let under = |process| WithPolicy::new(process, self.chooser());
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn factorization(&self) -> Option<Factorization<Self::Factor>> {
        self.question.factorization()
    }

    fn label(&self, point: ReportIndex, outcome: &OutcomeOf<Q>) -> Label {
        self.question.label(point, outcome)
    }
}

impl<Q: Playable + 'static> Answerable for PolicyQuestion<Q> {
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

    fn counted(&self, group: &Group, outcome: &OutcomeOf<Q>, observe: &mut dyn FnMut(UnitInClass)) {
        self.question.counted(group, outcome, observe);
    }

    fn slot(&self, outcome: &OutcomeOf<Q>) -> Option<u8> {
        self.question.slot(outcome)
    }

    fn in_slot(&self, outcome: OutcomeOf<Q>, slot: u8) -> OutcomeOf<Q> {
        self.question.in_slot(outcome, slot)
    }
}
