//! What the outcomes of a question are worth by an objective: units by how they stand, and counts
//! of the whole final state.

use engine::process::{Point, Process};

use super::Played;
use super::best::{Gain, Value};
use super::count::{Counter, Counting, Noted, Tallied, Tally};
use super::objective::Objective;
use super::ruled::Outcome;

/// An objective, of a question.
pub struct Aim<'q, Q: Played> {
    question: &'q Q,
    objective: &'q Objective,
    /// At work where the objective counts.
    counter: Option<Counter<'q, Outcome<Q>>>,
}

impl<'q, Q: Played> Aim<'q, Q> {
    pub fn new(question: &'q Q, objective: &'q Objective) -> Aim<'q, Q> {
        let counting = |group| Counting { group, ..Counting::BESIDE };
        let counter = objective
            .counts()
            .first()
            .and_then(|(tell, _)| Counter::of(question, counting(tell.group)))
            .map(Counter::without_waiting);
        Aim { question, objective, counter }
    }

    /// Whether it takes the whole process: counts are no sum over units.
    pub fn counts(&self) -> bool {
        self.counter.is_some()
    }

    /// What it counts.
    pub(super) fn counter(&self) -> Option<&Counter<'q, Outcome<Q>>> {
        self.counter.as_ref()
    }

    /// A process of the question, counted where that is needed.
    pub fn beside<P: Process<Outcome = Outcome<Q>>>(&self, process: P) -> Tallied<'_, P> {
        Tallied::beside(process, self.counter.as_ref())
    }

    /// What a tally at a point is worth.
    fn worth_of(&self, point: Point, tally: &Tally) -> f64 {
        let Some(counter) = &self.counter else { return 0.0 };
        let words = self.question.words();
        let told = self.objective.counts().iter().filter(|(tell, _)| tell.point(words) == point);
        told.map(|(tell, weight)| weight * tell.amount(words.kind(), counter.group(), tally)).sum()
    }

    /// What an outcome noted at a point is worth; those of one sequence add up.
    pub fn worth(&self, point: Point, noted: &Noted<Outcome<Q>>) -> f64 {
        match noted {
            Noted::Tally(tally) => self.worth_of(point, tally),
            Noted::Own(outcome) => self
                .question
                .ending(point, outcome)
                .map_or(0.0, |(_, amounts)| self.objective.worth(&amounts)),
        }
    }

    /// The same for the best play: among what is equal by the objective, what counts most by
    /// itself.
    pub fn gain(&'q self) -> Gain<'q, Noted<Outcome<Q>>> {
        Box::new(move |point, noted| {
            let amounts = match noted {
                Noted::Tally(tally) => return [self.worth_of(point, tally), 0.0, 0.0],
                Noted::Own(outcome) => self.question.ending(point, outcome),
            };
            let Some((_, amounts)) = amounts else { return Value::default() };
            let [first, second] =
                Q::TIES.map(|measure| self.objective.worth_by_itself(&amounts, measure));
            [self.objective.worth(&amounts), first, second]
        })
    }
}
