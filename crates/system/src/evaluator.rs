//! Values of outcomes under an objective: measures of single units, and counts over the whole final
//! state.

use engine::process::{Process, ReportIndex};

use super::Playable;
use super::best_play::{PlayValue, Reward};
use super::counting::{ClassCounts, CountedReport, Counting, OutcomeCounter, Tallied};
use super::objective::Objective;
use super::policy::OutcomeOf;

/// Evaluates an objective for the outcomes of a question.
pub struct ObjectiveEvaluator<'q, Q: Playable> {
    question: &'q Q,
    objective: &'q Objective,
    /// Set if the objective counts units.
    counter: Option<OutcomeCounter<'q, OutcomeOf<Q>>>,
}

impl<'q, Q: Playable> ObjectiveEvaluator<'q, Q> {
    /// Creates the evaluator. Units that start broken are not tracked, so that states stay as they
    /// are without a count.
    pub fn new(question: &'q Q, objective: &'q Objective) -> ObjectiveEvaluator<'q, Q> {
        let counting = |group| Counting { group, ..Counting::IMPLICIT };
        let counter = objective
            .counts()
            .first()
            .and_then(|(measure, _)| OutcomeCounter::new(question, counting(measure.group)))
            .map(OutcomeCounter::without_waiting);
        ObjectiveEvaluator { question, objective, counter }
    }

    /// Whether the objective counts units. Counts are not a sum over units, so they need the whole
    /// process.
    pub fn counts(&self) -> bool {
        self.counter.is_some()
    }

    /// Returns the counter, if the objective counts units.
    pub(super) fn counter(&self) -> Option<&OutcomeCounter<'q, OutcomeOf<Q>>> {
        self.counter.as_ref()
    }

    /// Wraps a process of the question so that units are counted if the objective needs it.
    pub fn counting<P: Process<Outcome = OutcomeOf<Q>>>(&self, process: P) -> Tallied<'_, P> {
        Tallied::counted_by(process, self.counter.as_ref())
    }

    /// Returns the value of a tally at a point.
    fn worth_of(&self, point: ReportIndex, tally: &ClassCounts) -> f64 {
        let Some(counter) = &self.counter else { return 0.0 };
        let words = self.question.words();
        let amounts =
            self.objective.counts().iter().filter(|(measure, _)| measure.point(words) == point);
        amounts
            .map(|(measure, weight)| weight * measure.amount(words.kind(), counter.group(), tally))
            .sum()
    }

    /// Returns the value of an outcome noted at a point. The values of one sequence add up.
    pub fn worth(&self, point: ReportIndex, noted: &CountedReport<OutcomeOf<Q>>) -> f64 {
        match noted {
            CountedReport::Tally(tally) => self.worth_of(point, tally),
            CountedReport::Own(outcome) => self
                .question
                .ending(point, outcome)
                .map_or(0.0, |(_, amounts)| self.objective.worth(&amounts)),
        }
    }

    /// Returns the values for best play: first the objective, then the two measures that break
    /// ties. See [`Playable::TIES`].
    pub fn gain(&'q self) -> Reward<'q, CountedReport<OutcomeOf<Q>>> {
        Box::new(move |point, noted| {
            let amounts = match noted {
                CountedReport::Tally(tally) => return [self.worth_of(point, tally), 0.0, 0.0],
                CountedReport::Own(outcome) => self.question.ending(point, outcome),
            };
            let Some((_, amounts)) = amounts else { return PlayValue::default() };
            let [first, second] =
                Q::TIES.map(|measure| self.objective.worth_by_itself(&amounts, measure));
            [self.objective.worth(&amounts), first, second]
        })
    }
}
