//! Values of outcomes under an objective: weighted measures of units, or weighted counts.

use std::sync::atomic::{AtomicBool, Ordering};

use super::best_play::{PlayValue, Reward};
use super::measure::MeasureExpr;
use super::objective::Objective;
use super::playable::Playable;
use answer::{
    ClassCounts, CountedReport, Counting, OutcomeCounter, OutcomeOf, QuestionFacts, Tallied,
};
use engine::process::{Process, ReportIndex};

/// Evaluates an objective for the outcomes of a question.
pub struct ObjectiveEvaluator<'q, Q: Playable> {
    question: &'q Q,
    facts: QuestionFacts,
    pub(super) objective: &'q Objective,
    /// The counter if the objective counts units, which needs the whole process.
    pub(super) counter: Option<OutcomeCounter<'q, OutcomeOf<Q>>>,
    /// Set as soon as a created unit has a value.
    values_created: AtomicBool,
}

impl<'q, Q: Playable> ObjectiveEvaluator<'q, Q> {
    /// Creates the evaluator. To add no states, it does not track which broken units have held.
    pub fn new(question: &'q Q, objective: &'q Objective) -> ObjectiveEvaluator<'q, Q> {
        let facts = question.words().facts();
        let end = objective.counts().find_map(|(measure, _)| measure.further_end(facts.kind));
        let counting = |group| Counting { group, end, ..Counting::IMPLICIT };
        let counter = objective
            .counts()
            .next()
            .and_then(|(measure, _)| OutcomeCounter::new(question, counting(measure.group)))
            .map(OutcomeCounter::without_waiting);
        ObjectiveEvaluator { question, facts, objective, counter, values_created: false.into() }
    }

    /// Returns true if an outcome that was evaluated adds the value of a created unit.
    pub fn values_created(&self) -> bool {
        self.values_created.load(Ordering::Relaxed)
    }

    /// Wraps a process of the question so that units are counted if the objective counts them.
    pub fn counting<P: Process<Outcome = OutcomeOf<Q>>>(&self, process: P) -> Tallied<'_, P> {
        Tallied::counted_by(process, self.counter.as_ref())
    }

    fn worth_of(&self, point: ReportIndex, tally: &ClassCounts) -> f64 {
        let Some(counter) = &self.counter else { return 0.0 };
        let QuestionFacts { kind, last_point, .. } = self.facts;
        let of_point = |measure: &MeasureExpr| measure.at.unwrap_or(last_point) == point;
        let amounts = self.objective.counts().filter(|(measure, _)| of_point(measure));
        amounts.map(|(measure, weight)| weight * measure.amount(kind, counter.group, tally)).sum()
    }

    /// Returns an outcome's values by the objective and by [`Playable::TIES`]; reports add up.
    pub fn value(&self, point: ReportIndex, noted: &CountedReport<OutcomeOf<Q>>) -> PlayValue {
        let ending = match noted {
            CountedReport::Tally(tally) => return [self.worth_of(point, tally), 0.0, 0.0],
            CountedReport::Own(outcome) => self.question.ending(point, outcome),
        };
        let Some((slot, amounts)) = ending else { return PlayValue::default() };
        let [first, second] =
            Q::TIES.map(|measure| self.objective.worth_by_itself(&amounts, measure));
        let worth = self.objective.worth(&amounts);
        // Higher slots can also be those of an enemy, who has a prefix.
        if slot > self.facts.units && self.facts.others.is_empty() && worth != 0.0 {
            self.values_created.store(true, Ordering::Relaxed);
        }
        [worth, first, second]
    }

    /// Returns the least and the largest value of all outcomes noted at one report.
    pub fn range(&self) -> (f64, f64) {
        let (low, high) = self.objective.range_of_unit();
        let units = f64::from(self.question.most_units());
        let counts = self.counter.as_ref().map_or((0.0, 0.0), |counter| {
            self.objective.range_of_counts(counter.group.number(u8::MAX.into()))
        });
        (units * low + counts.0, units * high + counts.1)
    }

    /// Returns [`ObjectiveEvaluator::value`] as the reward for best play.
    pub fn gain(&'q self) -> Reward<'q, CountedReport<OutcomeOf<Q>>> {
        Box::new(move |point, noted| self.value(point, noted))
    }
}
