//! A stack as a course of action: a question, and who makes the choices of its Rally Phases.

use std::sync::Arc;

use super::policy::{BEST, Ruled};
use super::{Comparable, Ending};
use crate::asl::choice::Choices;
use crate::asl::engagement::Engagement;
use crate::asl::location::Location;
use crate::asl::outcome::Outcome;
use crate::asl::question::Question;
use crate::asl::unit::Status;
use crate::course::objective::Objective;
use crate::course::rally::{POLICIES, best};
use crate::course::standing::Standing;
use crate::engine::EngineError;
use crate::engine::solve::Play;
use crate::process::{Label, Parts, Player, Point, Question as _, Under};
use crate::text::canonical;

/// A question about a stack, played by a policy.
pub struct StackCourse {
    question: Question,
    /// None where nobody chooses: the reference order is played.
    plays: Option<Plays>,
}

/// Who makes the choices.
#[derive(Clone)]
enum Plays {
    Named(crate::course::rally::Policy),
    Best(Arc<Play<Location>>),
}

/// Which option is taken in a state, by whom, of how many.
type Chooser = Box<dyn Fn(&Engagement, &Location, Player, usize) -> usize + Send + Sync>;

impl StackCourse {
    /// The best play fails with [`EngineError`] where it has too many states.
    pub fn new(ruled: Ruled<Question>, objective: &Objective) -> Result<StackCourse, EngineError> {
        let Ruled { question, policy } = ruled;
        let Some(policy) = policy.map(|policy| canonical(&policy)) else { return Ok(StackCourse { question, plays: None }) };
        let question = question.with_choices(Choices::ALL);
        let plays = match POLICIES.iter().find(|(word, _)| *word == policy) {
            Some((_, named)) => Plays::Named(*named),
            None => {
                debug_assert_eq!(policy, BEST);
                let worth = |point, outcome: &Outcome| {
                    let ending = question.ending(point, outcome);
                    [ending.map_or(0.0, |ending| objective.worth(&ending.standing))]
                };
                Plays::Best(Arc::new(best(&question.whole(), worth)?.1))
            }
        };
        Ok(StackCourse { question, plays: Some(plays) })
    }

    fn chooser(&self) -> Chooser {
        match self.plays.clone() {
            None => Box::new(|_: &Engagement, _: &Location, _, _| 0),
            Some(Plays::Named(policy)) => Box::new(policy),
            Some(Plays::Best(play)) => Box::new(move |_: &Engagement, location: &Location, _, _| play.best(location)),
        }
    }
}

impl crate::process::Question for StackCourse {
    type Process = Under<Engagement, Chooser>;

    fn whole(&self) -> Self::Process {
        Under::new(self.question.whole(), self.chooser())
    }

    fn parts(&self) -> Parts<Self::Process> {
        let Parts { processes, rest } = self.question.parts();
        let under = |process| Under::new(process, self.chooser());
        Parts { processes: processes.into_iter().map(under).collect(), rest: rest.map(under) }
    }

    fn label(&self, point: Point, outcome: &Outcome) -> Label {
        self.question.label(point, outcome)
    }
}

impl Comparable for StackCourse {
    type End = Status;
    type Standing = Standing;

    fn units(&self) -> u8 {
        self.question.units()
    }

    fn ending(&self, point: Point, outcome: &Outcome) -> Option<Ending<Status, Standing>> {
        self.question.ending(point, outcome)
    }
}
