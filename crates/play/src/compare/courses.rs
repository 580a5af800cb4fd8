//! The courses of a comparison: all that depends on the type of their question.

use std::collections::BTreeSet;

use super::exact::{Noted, Odds};
use super::{Ending, Status};
use crate::evaluator::ObjectiveEvaluator;
use crate::objective::Objective;
use crate::playable::Playable;
use crate::policy::PolicyQuestion;
use answer::estimate::MOST_DROPPED;
use answer::factored::{COURSES, arithmetic, dropping};
use answer::odds::{certain_figures, figures_within, is_too_big};
use answer::options::DEFAULT_TRIALS;
use answer::sampling::usual_trials;
use answer::{
    Answerable, CountedReport, Estimate, FactoredAnswer, FactoredRequest, OutcomeOf, QuestionFacts,
    QuestionInfo, Tallied,
};
use engine::EngineError;
use engine::automaton::Automaton;
use engine::exact::Bound;
use engine::factored::Dropping;
use engine::monitor::Monitor;
use engine::monte_carlo::Plan;
use engine::paired::{self, Paired};
use engine::process::{Question, ReportIndex};
use schema::Group;

/// The courses of a comparison, by their 0-based numbers. A trait object holds them, so that the
/// comparison is compiled once for all types of questions.
pub(super) trait Courses: Sync {
    fn number(&self) -> usize;
    fn words(&self, course: usize) -> &dyn QuestionInfo;
    /// Returns true if a course starts with units of a group.
    fn has(&self, course: usize, group: &Group) -> bool;
    /// Returns the error of a course that cannot be played, if there is one.
    fn failure(&self) -> Option<EngineError>;
    /// Returns the least and the largest value of all outcomes noted at one report.
    fn range(&self, course: usize, objective: &Objective) -> (f64, f64);
    /// Returns the exact odds of a course. If it is too big, and something may be dropped, returns
    /// the certified ones.
    fn odds(
        &self,
        course: usize,
        objective: &Objective,
        may_drop: bool,
        watch: Monitor,
    ) -> Result<Odds, EngineError>;
    /// Returns the possible endings of a course, and the largest value of an outcome; `None` for a
    /// course of more than [`MAX_STATES`] states.
    fn possible(
        &self,
        course: usize,
        objective: &Objective,
        plan: &Plan,
    ) -> Result<Option<(BTreeSet<Ending>, f64)>, EngineError>;
    /// Returns the default number of trials: that of the course with the longest sequences.
    fn usual_trials(&self, seed: u64) -> Result<u64, EngineError>;
    /// Plays courses with the same dice.
    fn played(
        &self,
        courses: &[usize],
        objective: &Objective,
        plan: &Plan,
    ) -> Result<Paired<Ending>, EngineError>;
}

/// Most states of a course that is searched for endings; of others, sampled ones are known.
const MAX_STATES: usize = 1 << 12;

/// Courses of one type of question.
pub(super) struct Lines<'q, Q: Playable>(pub &'q [PolicyQuestion<Q>]);

impl<Q: Playable + Sync + 'static> Courses for Lines<'_, Q> {
    fn number(&self) -> usize {
        self.0.len()
    }

    fn words(&self, course: usize) -> &dyn QuestionInfo {
        self.0[course].words()
    }

    fn has(&self, course: usize, group: &Group) -> bool {
        self.0[course].counted_units(group).iter().any(|unit| unit.parts > 0)
    }

    fn failure(&self) -> Option<EngineError> {
        self.0.iter().find_map(|course| course.question.failure())
    }

    fn range(&self, course: usize, objective: &Objective) -> (f64, f64) {
        PlayedCourse::new(&self.0[course], objective).range()
    }

    fn odds(
        &self,
        course: usize,
        objective: &Objective,
        may_drop: bool,
        watch: Monitor,
    ) -> Result<Odds, EngineError> {
        let course = PlayedCourse::new(&self.0[course], objective);
        match course.odds(None, watch) {
            Err(too_big) if is_too_big(&too_big) && may_drop => {
                match course.odds(Some(MOST_DROPPED), watch) {
                    Ok(mut odds) => {
                        odds.too_big = Some(too_big);
                        Ok(odds)
                    }
                    // The reason for dice is that of the exact engine.
                    Err(error) => Err(if is_too_big(&error) { too_big } else { error }),
                }
            }
            odds => odds,
        }
    }

    fn possible(
        &self,
        course: usize,
        objective: &Objective,
        plan: &Plan,
    ) -> Result<Option<(BTreeSet<Ending>, f64)>, EngineError> {
        let course = PlayedCourse::new(&self.0[course], objective);
        let table = Automaton::explore(&course.whole(), MAX_STATES, plan.watch)?;
        Ok(table.map(|table| {
            let (mut ends, mut most) = (BTreeSet::new(), 0.0f64);
            for (point, outcome) in &table.noted {
                ends.extend(course.ends(*point, outcome));
                most = most.max(course.worth(*point, outcome).abs());
            }
            (ends, most)
        }))
    }

    fn usual_trials(&self, seed: u64) -> Result<u64, EngineError> {
        self.0.iter().try_fold(DEFAULT_TRIALS, |least, course| {
            let work = course.words().facts().run_work();
            Ok(least.min(usual_trials(&course.whole(), work, seed)?))
        })
    }

    fn played(
        &self,
        courses: &[usize],
        objective: &Objective,
        plan: &Plan,
    ) -> Result<Paired<Ending>, EngineError> {
        let courses: Vec<PlayedCourse<Q>> =
            courses.iter().map(|&course| PlayedCourse::new(&self.0[course], objective)).collect();
        let processes: Vec<_> = courses.iter().map(PlayedCourse::whole).collect();
        paired::run(
            &processes,
            plan,
            |place, point, outcome| courses[place].ends(point, outcome),
            |place, point, outcome| courses[place].worth(point, outcome),
        )
    }
}

/// A course with the policy that plays it, and the evaluator of the objective.
struct PlayedCourse<'q, Q: Playable + Sync + 'static> {
    line: &'q PolicyQuestion<Q>,
    facts: QuestionFacts,
    evaluator: ObjectiveEvaluator<'q, Q>,
}

type CourseProcess<'q, Q> = Tallied<'q, <PolicyQuestion<Q> as Question>::Process>;
/// The processes of single units, and the answers from the factorisation.
type FactoredParts<'q, Q> = (Vec<CourseProcess<'q, Q>>, Vec<FactoredAnswer<OutcomeOf<Q>>>);
type NotedBy<Q> = CountedReport<OutcomeOf<Q>>;

impl<'q, Q: Playable + Sync + 'static> PlayedCourse<'q, Q> {
    fn new(line: &'q PolicyQuestion<Q>, objective: &'q Objective) -> PlayedCourse<'q, Q> {
        let evaluator = ObjectiveEvaluator::new(line.question.as_ref(), objective);
        PlayedCourse { line, facts: line.words().facts(), evaluator }
    }

    fn whole(&self) -> CourseProcess<'_, Q> {
        self.evaluator.counting(self.line.whole())
    }

    /// Returns processes of single units and factored answers; `None` if not factored or too big.
    fn factored(
        &self,
        bound: Bound,
        dropping: Option<Dropping>,
    ) -> Result<Option<FactoredParts<'_, Q>>, EngineError> {
        let Some(factors) = self.line.factors() else { return Ok(None) };
        let parts = self.line.parts();
        let created = !factors.has_parts() || parts.rest.is_some();
        let wanted: Vec<FactoredRequest<OutcomeOf<Q>>> = [
            (!factors.has_parts()).then_some(FactoredRequest::Rows),
            created.then_some(FactoredRequest::Created),
            self.evaluator.counter.as_ref().map(FactoredRequest::Counts),
        ]
        .into_iter()
        .flatten()
        .collect();
        let question = self.line.question.as_ref();
        let answers = factors.answers(question, &wanted, bound, dropping)?;
        let answers = answers.and_then(|answers| answers.into_iter().collect::<Option<Vec<_>>>());
        Ok(answers.map(|answers| {
            let parts = parts.processes.into_iter().filter(|_| factors.has_parts());
            (parts.map(Tallied::plain).collect(), answers)
        }))
    }

    fn processes(&self) -> Vec<CourseProcess<'_, Q>> {
        match &self.evaluator.counter {
            Some(_) => vec![self.whole()],
            None => {
                self.line.parts().all().map(|process| self.evaluator.counting(process)).collect()
            }
        }
    }

    /// Returns the exact odds. With `allowed`, the chance of all that may be dropped from an answer
    /// whose values are from 0 to 1, returns the certified ones.
    fn odds(&self, allowed: Option<f64>, watch: Monitor) -> Result<Odds, EngineError> {
        let mut odds = Odds::default();
        let bound = Bound::STANDARD.watched(watch);
        // The value is certain enough, too, if less is dropped: by the range of values and the
        // number of answers.
        let (low, high) = self.range();
        let processes = self.processes();
        let allowed =
            allowed.map(|most| most / (high - low).max(1.0) / (processes.len() + 2) as f64);
        if allowed == Some(0.0) {
            return Err(EngineError::TooMuchWork { bound: bound.worked });
        }
        let factored = self.factored(COURSES.watched(watch), allowed.map(dropping))?;
        let is_alone = factored.is_none() && processes.len() == 1;
        let (processes, answers) = factored.unwrap_or((processes, Vec::new()));
        let noted = |((point, noted), figure): ((ReportIndex, NotedBy<Q>), Estimate)| Noted {
            point,
            figure,
            worth: self.worth(point, &noted),
            ends: self.ends(point, &noted),
        };
        for process in processes {
            // A single process that may be certified has been found too big to be exact before.
            let figures = match is_alone {
                true => figures_within(&process, bound, allowed, &mut odds.meta)?,
                false => certain_figures(&process, bound, allowed, &mut odds.meta)?,
            };
            odds.add_all(figures.into_iter().map(noted).collect(), watch)?;
        }
        for answer in answers {
            odds.meta.worked(answer.states);
            let own = |((point, outcome), figure)| ((point, CountedReport::Own(outcome)), figure);
            let tally = |(point, tally, figure)| ((point, CountedReport::Tally(tally)), figure);
            let own = answer.noted.into_iter().map(own);
            let all: Vec<Noted> =
                own.chain(answer.tallies.into_iter().map(tally)).map(noted).collect();
            odds.meta.computed_in(arithmetic(all.iter().map(|noted| &noted.figure)));
            odds.add_all(all, watch)?;
        }
        Ok(odds)
    }

    /// Returns the endings in an outcome: of its unit, or all counts at the last report.
    fn ends(&self, point: ReportIndex, noted: &NotedBy<Q>) -> Vec<Ending> {
        match noted {
            CountedReport::Own(outcome) => self.end(point, outcome).unwrap_or_default(),
            CountedReport::Tally(tally) if point == self.facts.last_point => {
                let classes = 0..self.facts.kind.classes.len();
                let parts = classes.map(|class| Ending::Count(class, tally.classes[class]));
                parts.filter(|end| !matches!(end, Ending::Count(_, 0))).collect()
            }
            CountedReport::Tally(_) => Vec::new(),
        }
    }

    fn end(&self, point: ReportIndex, outcome: &OutcomeOf<Q>) -> Option<Vec<Ending>> {
        let (slot, _) = self.line.question.ending(point, outcome)?;
        if slot == 0 {
            return None;
        }
        let name = self.line.label(point, outcome).status?;
        let QuestionFacts { kind, units, others, ranks, .. } = self.facts;
        let is_other = slot > units && !others.is_empty();
        let of = if is_other { others } else { "" };
        let status = |rank, name| Ending::Unit(slot, Status { is_other, rank, name, of });
        let holds = kind.classes.first().filter(|class| class.statuses.contains(&name));
        let rank = ranks.iter().position(|known| *known == name).unwrap_or(usize::MAX);
        let statuses = std::iter::once(status(Some(rank), name));
        Some(statuses.chain(holds.map(|class| status(None, class.name))).collect())
    }

    /// Returns the value for the side of the objective.
    fn worth(&self, point: ReportIndex, noted: &NotedBy<Q>) -> f64 {
        self.evaluator.objective.of_side(self.evaluator.value(point, noted)[0])
    }

    /// Returns the least and the largest value of all outcomes noted at one report.
    fn range(&self) -> (f64, f64) {
        let (low, high) = self.evaluator.range();
        let ends = [low, high].map(|end| self.evaluator.objective.of_side(end));
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    }
}
