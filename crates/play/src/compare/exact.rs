//! Exact comparison of courses of action.

use std::collections::{BTreeMap, BTreeSet};

use super::{BestCourse, CourseEstimates, Difference, Ending, Lined, NotedBy, Weighed, best_two};
use crate::playable::Playable;
use answer::factored::{COURSES, arithmetic};
use answer::odds::exact_figures;
use answer::{CountedReport, Estimate, Meta};
use engine::EngineError;
use engine::exact::{Arithmetic, Bound};
use engine::monitor::Monitor;
use engine::process::ReportIndex;

struct Odds {
    ends: BTreeMap<Ending, f64>,
    worth: f64,
}

/// Returns the exact probabilities and values of every course. Fails if a course is too big.
pub(super) fn compare<Q: Playable + Sync + 'static>(
    courses: &[Lined<Q>],
    meta: Meta,
    watch: Monitor,
) -> Result<CourseEstimates, EngineError> {
    let mut meta = meta.exact();
    let mut odds = Vec::new();
    for course in courses {
        odds.push(odds_of(course, &mut meta, watch)?);
    }
    let ends: BTreeSet<Ending> = odds.iter().flat_map(|odds| odds.ends.keys().copied()).collect();
    let weighed = |place: usize, value: f64, first: f64| {
        let difference = (place > 0).then_some(Difference { value: value - first, error: None });
        Weighed { value, std_error: None, difference }
    };
    let course = |place: usize| {
        let share = |place: usize, end| odds[place].ends.get(end).copied().unwrap_or(0.0);
        let figures =
            ends.iter().map(|end| weighed(place, share(place, end), share(0, end))).collect();
        (figures, weighed(place, odds[place].worth, odds[0].worth))
    };
    let courses = (0..courses.len()).map(course).collect();
    let possible = |end| {
        odds.iter().map(|odds| odds.ends.get(end).is_some_and(|share| *share > 0.0)).collect()
    };
    let worths: Vec<f64> = odds.iter().map(|odds| odds.worth).collect();
    let (best, next) = best_two(&worths);
    let verdict = BestCourse {
        best,
        next,
        lead: Difference { value: worths[best] - worths[next], error: None },
    };
    let ends = ends.iter().map(|end| (*end, possible(end))).collect();
    Ok(CourseEstimates { ends, courses, verdict, meta })
}

fn odds_of<Q: Playable + Sync + 'static>(
    course: &Lined<Q>,
    meta: &mut Meta,
    watch: Monitor,
) -> Result<Odds, EngineError> {
    let mut odds = Odds { ends: BTreeMap::new(), worth: 0.0 };
    let bound = Bound::STANDARD.watched(watch);
    let factored = course.factored(COURSES.watched(watch))?;
    let (processes, answers) = factored.unwrap_or_else(|| (course.processes(), Vec::new()));
    for process in processes {
        for (noted, figure) in exact_figures(&process, bound, meta)? {
            odds.add(course, noted, figure, watch)?;
        }
    }
    for answer in answers {
        meta.worked(answer.states);
        let noted = answer.noted.iter().map(|(_, figure)| figure);
        let figures = noted.chain(answer.tallies.iter().map(|(.., figure)| figure));
        if arithmetic(figures) == Arithmetic::Float {
            meta.arithmetic = Some("float");
        }
        for ((point, outcome), figure) in answer.noted {
            odds.add(course, (point, CountedReport::Own(outcome)), figure, watch)?;
        }
        for (point, tally, figure) in answer.tallies {
            odds.add(course, (point, CountedReport::Tally(tally)), figure, watch)?;
        }
    }
    Ok(odds)
}

impl Odds {
    fn add<Q: Playable + Sync + 'static>(
        &mut self,
        course: &Lined<Q>,
        (point, noted): (ReportIndex, NotedBy<Q>),
        figure: Estimate,
        watch: Monitor,
    ) -> Result<(), EngineError> {
        watch.check_cancelled()?;
        let probability = figure.probability();
        self.worth += probability * course.worth(point, &noted);
        for end in course.ends(point, &noted) {
            *self.ends.entry(end).or_default() += probability;
        }
        Ok(())
    }
}
