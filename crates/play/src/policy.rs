//! A question whose choices are made, by one of its policies or by best play for an objective.

use std::sync::Arc;

use super::best_play::Best;
use super::dice_prefix::{Conditioned, DicePrefix};
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

/// A question together with the function that makes its choices, from its start or after given
/// dice. One type covers both, so that engines are compiled once.
///
/// After given dice the question is answered as a whole. The dice follow the order of the whole
/// process, which the smaller processes of single units do not.
pub struct PolicyQuestion<Q: Playable> {
    question: Arc<Q>,
    chooser: Shared<Q::Process>,
    opening: Option<OpeningOf<Q>>,
}

/// The [`DicePrefix`] of a question.
pub(super) type OpeningOf<Q> = Arc<DicePrefix<StateOf<Q>, OutcomeOf<Q>>>;

impl<Q: Playable + Sync + 'static> PolicyQuestion<Q> {
    /// Creates a question in which one policy plays both sides.
    pub fn by_policy(question: Arc<Q>, policy: usize) -> PolicyQuestion<Q> {
        let played = question.clone();
        let chooser = move |process: &Q::Process, state: &StateOf<Q>, player, options| {
            played.option(policy, process, state, player, options)
        };
        PolicyQuestion { question, chooser: Arc::new(chooser), opening: None }
    }

    /// Creates a question played by its first policy that makes a difference, or else policy 0.
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
                return Ok(PolicyQuestion { question, chooser: Arc::new(chooser), opening: None });
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
        Ok(PolicyQuestion { question, chooser: Arc::new(chooser), opening: None })
    }

    /// Starts the question after given dice, if there are any.
    pub(super) fn after(self, opening: Option<OpeningOf<Q>>) -> PolicyQuestion<Q> {
        PolicyQuestion { opening, ..self }
    }

    /// Returns the question with open choices.
    pub(super) fn question(&self) -> &Q {
        &self.question
    }

    fn under(&self, process: Q::Process) -> ProcessOf<Q> {
        Conditioned::under(WithPolicy::new(process, self.chooser()), self.opening.clone())
    }

    fn chooser(&self) -> Chooser<Q::Process> {
        let chooser = self.chooser.clone();
        Box::new(move |process: &Q::Process, state: &StateOf<Q>, player, options| {
            chooser(process, state, player, options)
        })
    }
}

/// Returns the process in which a policy plays the owner; the enemy's choices stay open.
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

/// The process of a [`PolicyQuestion`].
type ProcessOf<Q> =
    Conditioned<WithPolicy<<Q as Question>::Process, Chooser<<Q as Question>::Process>>>;

impl<Q: Playable + Sync + 'static> Question for PolicyQuestion<Q> {
    type Process = ProcessOf<Q>;
    type Factor = Q::Factor;

    fn whole(&self) -> Self::Process {
        self.under(self.question.whole())
    }

    fn parts(&self) -> Parts<Self::Process> {
        if self.opening.is_some() {
            return Parts::whole(self.whole());
        }
        let Parts { processes, rest } = self.question.parts();
        let under = |process| self.under(process);
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn factorization(&self) -> Option<Factorization<Self::Factor>> {
        self.question.factorization().filter(|_| self.opening.is_none())
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
