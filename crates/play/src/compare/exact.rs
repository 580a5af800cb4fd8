//! Exact comparison of courses of action, or certified where one is too big.

use std::collections::{BTreeMap, BTreeSet};

use super::{BestCourse, CourseEstimates, Difference, Ending, Lined, NotedBy, Weighed, best_two};
use crate::playable::Playable;
use answer::estimate::{MOST_DROPPED, ROUNDING};
use answer::factored::{COURSES, arithmetic, dropping};
use answer::odds::{certain_figures, is_too_big};
use answer::{CountedReport, Engine, Estimate, Meta, Options};
use engine::EngineError;
use engine::exact::Bound;
use engine::monitor::Monitor;
use engine::monte_carlo::each;
use engine::process::ReportIndex;

struct Odds {
    /// The arithmetic, and the number of states.
    meta: Meta,
    ends: BTreeMap<Ending, Estimate>,
    /// The value without what was not followed to its end.
    worth: f64,
    /// The chance of what was not followed, summed over all reports with a value.
    missing: f64,
}

/// Returns the probabilities and values of every course, exact or certified. Fails if a course is
/// too big for both.
pub(super) fn compare<Q: Playable + Sync + 'static>(
    courses: &[Lined<Q>],
    meta: &Meta,
    options: &Options,
) -> Result<CourseEstimates, EngineError> {
    match compared(courses, meta, None, options.watch) {
        Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => {
            // The reason for dice is that of the exact engine.
            let certified = compared(courses, meta, Some(MOST_DROPPED), options.watch);
            certified.map_err(|error| if is_too_big(&error) { too_big } else { error })
        }
        exact => exact,
    }
}

/// The number of courses worked at a time: once one is too big, no other matters.
const AT_ONCE: usize = 2;

/// Compares the courses. `allowed` is the chance of all that may be dropped from an answer whose
/// values are from 0 to 1; `None` to drop nothing.
fn compared<Q: Playable + Sync + 'static>(
    courses: &[Lined<Q>],
    meta: &Meta,
    allowed: Option<f64>,
    watch: Monitor,
) -> Result<CourseEstimates, EngineError> {
    let mut meta = meta.clone().exact();
    let mut odds = Vec::new();
    for some in courses.chunks(AT_ONCE) {
        // In the order of the courses, so that no error depends on the threads.
        for of_one in each(some, |course| Ok::<_, EngineError>(odds_of(course, allowed, watch)))? {
            let of_one = of_one?;
            meta.add_part(&of_one.meta);
            odds.push(of_one);
        }
    }
    let ends: BTreeSet<Ending> = odds.iter().flat_map(|odds| odds.ends.keys().copied()).collect();
    let weighed = |place: usize, value: Bounded, first: Bounded| {
        let difference = (place > 0).then(|| value.less(first));
        Weighed { value: value.value, std_error: None, error_bound: value.bound, difference }
    };
    let worths: Vec<Bounded> =
        courses.iter().zip(&odds).map(|(course, odds)| odds.worth(course.range())).collect();
    let course = |place: usize| {
        let share = |place: usize, end| Bounded::from(odds[place].share(end));
        let figures =
            ends.iter().map(|end| weighed(place, share(place, end), share(0, end))).collect();
        (figures, weighed(place, worths[place], worths[0]))
    };
    let courses: Vec<(Vec<Weighed>, Weighed)> = (0..courses.len()).map(course).collect();
    let all = courses.iter().flat_map(|(ends, worth)| ends.iter().chain([worth]));
    meta.error_bound = all.filter_map(|weighed| weighed.error_bound).reduce(f64::max);
    if meta.error_bound.is_some_and(|bound| bound > MOST_DROPPED) {
        return Err(EngineError::TooMuchWork { bound: COURSES.worked });
    }
    let possible = |end| odds.iter().map(|odds| odds.share(end).low() > 0.0).collect();
    let (best, next) = best_two(&worths.iter().map(|worth| worth.value).collect::<Vec<_>>());
    let verdict = BestCourse { best, next, lead: worths[best].less(worths[next]) };
    let ends = ends.iter().map(|end| (*end, possible(end))).collect();
    Ok(CourseEstimates { ends, courses, verdict, meta })
}

fn odds_of<Q: Playable + Sync + 'static>(
    course: &Lined<Q>,
    allowed: Option<f64>,
    watch: Monitor,
) -> Result<Odds, EngineError> {
    let meta = Meta::default().exact();
    let mut odds = Odds { meta, ends: BTreeMap::new(), worth: 0.0, missing: 0.0 };
    let bound = Bound::STANDARD.watched(watch);
    // The value is certain enough, too, if less is dropped: by the range of values and the number
    // of answers.
    let (low, high) = course.range();
    let processes = course.processes();
    let allowed = allowed.map(|most| most / (high - low).max(1.0) / (processes.len() + 2) as f64);
    if allowed == Some(0.0) {
        return Err(EngineError::TooMuchWork { bound: bound.worked });
    }
    let factored = course.factored(COURSES.watched(watch), allowed.map(dropping))?;
    let (processes, answers) = factored.unwrap_or((processes, Vec::new()));
    for process in processes {
        let figures = certain_figures(&process, bound, allowed, &mut odds.meta)?;
        odds.add_all(course, figures, watch)?;
    }
    for answer in answers {
        odds.meta.worked(answer.states);
        let own = |((point, outcome), figure)| ((point, CountedReport::Own(outcome)), figure);
        let tally = |(point, tally, figure)| ((point, CountedReport::Tally(tally)), figure);
        let figures: Vec<_> = answer
            .noted
            .into_iter()
            .map(own)
            .chain(answer.tallies.into_iter().map(tally))
            .collect();
        odds.meta.computed_in(arithmetic(figures.iter().map(|(_, figure)| figure)));
        odds.add_all(course, figures, watch)?;
    }
    Ok(odds)
}

impl Odds {
    /// Adds the odds of one process or answer.
    fn add_all<Q: Playable + Sync + 'static>(
        &mut self,
        course: &Lined<Q>,
        figures: Vec<((ReportIndex, NotedBy<Q>), Estimate)>,
        watch: Monitor,
    ) -> Result<(), EngineError> {
        let mut missing: BTreeMap<ReportIndex, f64> = BTreeMap::new();
        for ((point, noted), figure) in figures {
            watch.check_cancelled()?;
            let worth = course.worth(point, &noted);
            self.worth += figure.low() * worth;
            let ends = course.ends(point, &noted);
            if figure.missing() > 0.0 && (worth != 0.0 || !ends.is_empty()) {
                let at_point = missing.entry(point).or_default();
                *at_point = at_point.max(figure.missing());
            }
            for end in ends {
                let known = self.ends.entry(end);
                known.and_modify(|known| *known = known.or(figure)).or_insert(figure);
            }
        }
        self.missing += missing.values().sum::<f64>();
        Ok(())
    }

    fn share(&self, end: &Ending) -> Estimate {
        let nothing =
            || self.ends.values().next().map_or(Estimate::plain(0.0), |any| any.of_none());
        self.ends.get(end).copied().unwrap_or_else(nothing)
    }

    /// Returns the value, with what is missing in the middle of the range of values.
    fn worth(&self, (low, high): (f64, f64)) -> Bounded {
        if self.missing == 0.0 {
            return Bounded { value: self.worth, bound: None };
        }
        let value = self.worth + self.missing * (low + high) / 2.0;
        let rounded = ROUNDING * (1.0 + value.abs());
        Bounded { value, bound: Some(self.missing * (high - low) / 2.0 + rounded) }
    }
}

/// A number and, if it is certified, its largest error.
#[derive(Clone, Copy)]
struct Bounded {
    value: f64,
    bound: Option<f64>,
}

impl From<Estimate> for Bounded {
    fn from(figure: Estimate) -> Bounded {
        Bounded { value: figure.probability(), bound: figure.error_bound() }
    }
}

impl Bounded {
    fn less(self, other: Bounded) -> Difference {
        let bound = match (self.bound, other.bound) {
            (None, None) => None,
            (one, two) => Some(one.unwrap_or_default() + two.unwrap_or_default()),
        };
        Difference { value: self.value - other.value, error: None, error_bound: bound }
    }
}
