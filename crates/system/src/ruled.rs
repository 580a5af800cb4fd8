//! A question with its choices made, by a policy it names or by the best play for an objective.

use std::sync::Arc;

use super::aim::Aim;
use super::best::Best;
use super::count::{Beginner, Counted, Group, Stands};
use super::objective::Objective;
use super::{Asked, Played, Words};
use engine::EngineError;
use engine::process::{Label, Limbs, Parts, Player, Point, Process, Question, Under};
use engine::watch::Watch;

/// The policy name for best play.
pub const BEST: &str = "best";

/// State type of a question's process.
pub type State<Q> = <<Q as Question>::Process as Process>::State;
/// Outcome type of a question's process.
pub type Outcome<Q> = <<Q as Question>::Process as Process>::Outcome;

/// A function that chooses an option: from the process, the state, the player and the number of
/// options to the option's index.
pub type Chooser<P> = Box<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync>;
type Shared<P> = Arc<dyn Fn(&P, &<P as Process>::State, Player, usize) -> usize + Send + Sync>;

/// The rule by which the choices of a question are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// No policy is named: the first policy, if there is any.
    Unsaid,
    /// A policy, by its number.
    Named(usize),
    /// The best play.
    Best,
}

/// A question whose choices are made.
pub struct Ruled<Q: Played> {
    question: Arc<Q>,
    chooser: Shared<Q::Process>,
}

impl<Q: Played + Sync + 'static> Ruled<Q> {
    /// Creates a question in which one policy plays both sides.
    pub fn by_policy(question: Arc<Q>, policy: usize) -> Ruled<Q> {
        let played = question.clone();
        let chooser = move |process: &Q::Process, state: &State<Q>, player, options| {
            played.option(policy, process, state, player, options)
        };
        Ruled { question, chooser: Arc::new(chooser) }
    }

    /// Creates a question played by its default policy, the first of those that make a difference.
    /// Without such a policy all choose alike.
    pub fn unsaid(question: Arc<Q>) -> Ruled<Q> {
        let first = question.policies().first().map_or(0, |policy| policy.place);
        Ruled::by_policy(question, first)
    }

    /// Creates a question with choices made according to `ruling`. Best play uses the objective. So
    /// does the enemy's reply to a policy that plays the owner only.
    ///
    /// # Errors
    ///
    /// Fails if the best play has too many states, or the run is cancelled.
    pub fn new(
        question: &Arc<Q>,
        ruling: Ruling,
        objective: &Objective,
        watch: Watch,
    ) -> Result<Ruled<Q>, EngineError> {
        let policy = match ruling {
            Ruling::Unsaid => return Ok(Ruled::unsaid(question.clone())),
            Ruling::Best => {
                let question = question.open();
                let aim = Aim::new(question.as_ref(), objective);
                let play =
                    Best::watched(&aim.beside(question.whole()), aim.gain(), watch)?.into_play();
                let chooser = move |_: &Q::Process, state: &State<Q>, _, _| {
                    play.best(&Stands::of(state.clone()))
                };
                return Ok(Ruled { question, chooser: Arc::new(chooser) });
            }
            Ruling::Named(policy) => policy,
        };
        let question = question.open();
        if !question.enemy_replies() {
            return Ok(Ruled::by_policy(question, policy));
        }
        let aim = Aim::new(question.as_ref(), objective);
        let against = aim.beside(against(&question, policy));
        let reply = Best::watched(&against, aim.gain(), watch)?.into_play();
        let played = question.clone();
        let chooser = move |process: &Q::Process, state: &State<Q>, player, options| match player {
            Player::Enemy => reply.best(&Stands::of(state.clone())),
            Player::Owner => played.option(policy, process, state, player, options),
        };
        Ok(Ruled { question, chooser: Arc::new(chooser) })
    }

    fn chooser(&self) -> Chooser<Q::Process> {
        let chooser = self.chooser.clone();
        Box::new(move |process: &Q::Process, state: &State<Q>, player, options| {
            chooser(process, state, player, options)
        })
    }
}

/// A question whose choices are made, as a course of action in a comparison.
pub trait Line: Asked<Process: Process<Outcome = Outcome<Self::Played>>> {
    /// Type of the question with open choices.
    type Played: Played;

    /// Returns the question with open choices.
    fn question(&self) -> &Self::Played;
}

impl<Q: Played + 'static> Line for Ruled<Q> {
    type Played = Q;

    fn question(&self) -> &Q {
        &self.question
    }
}

/// Returns the process of a question in which a policy plays the owner, and the enemy's choices are
/// left open.
pub fn against<Q: Played + Sync + 'static>(
    question: &Arc<Q>,
    policy: usize,
) -> Under<Q::Process, Chooser<Q::Process>> {
    let played = question.clone();
    let chooser: Chooser<Q::Process> =
        Box::new(move |process: &Q::Process, state: &State<Q>, player, options| {
            played.option(policy, process, state, player, options)
        });
    Under::leaving(Player::Enemy, question.whole(), chooser)
}

impl<Q: Played + 'static> Question for Ruled<Q> {
    type Process = Under<Q::Process, Chooser<Q::Process>>;

    fn whole(&self) -> Self::Process {
        Under::new(self.question.whole(), self.chooser())
    }

    fn parts(&self) -> Parts<Self::Process> {
        let Parts { processes, rest } = self.question.parts();
        let under = |process| Under::new(process, self.chooser());
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn limbs(&self) -> Option<Limbs<Self::Process>> {
        Some(self.question.limbs()?.map(|process| Under::new(process, self.chooser())))
    }

    fn label(&self, point: Point, outcome: &Outcome<Q>) -> Label {
        self.question.label(point, outcome)
    }
}

impl<Q: Played + 'static> Asked for Ruled<Q> {
    fn words(&self) -> &dyn Words {
        self.question.words()
    }

    fn amounts(&self, point: Point, outcome: &Outcome<Q>, tell: &mut dyn FnMut(usize, i64)) {
        self.question.amounts(point, outcome, tell);
    }

    fn begun(&self, group: &Group) -> Vec<Beginner> {
        self.question.begun(group)
    }

    fn counted(&self, group: &Group, outcome: &Outcome<Q>, tell: &mut dyn FnMut(Counted)) {
        self.question.counted(group, outcome, tell);
    }

    fn slot(&self, outcome: &Outcome<Q>) -> Option<u8> {
        self.question.slot(outcome)
    }

    fn in_slot(&self, outcome: Outcome<Q>, slot: u8) -> Outcome<Q> {
        self.question.in_slot(outcome, slot)
    }
}
