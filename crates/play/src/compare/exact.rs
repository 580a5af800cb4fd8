//! Exact comparison of courses of action, or certified where one is too big.

use std::collections::{BTreeMap, BTreeSet};

use super::courses::Courses;
use super::{BestCourse, CourseEstimates, Difference, Ending, Weighed, best_two};
use crate::objective::Objective;
use answer::estimate::{MOST_DROPPED, ROUNDING};
use answer::{Engine, Estimate, Meta, Options};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::monte_carlo::each;
use engine::process::ReportIndex;

/// The odds of one course.
pub(super) struct Odds {
    /// The arithmetic, and the number of states.
    pub(super) meta: Meta,
    ends: BTreeMap<Ending, Estimate>,
    /// The value without what was not followed to its end.
    worth: f64,
    /// The chance of what was not followed, summed over all reports with a value.
    missing: f64,
    /// The reason why the odds are not exact, if they are certified.
    pub(super) too_big: Option<EngineError>,
}

/// An outcome that the process of a course has noted.
pub(super) struct Noted {
    pub point: ReportIndex,
    pub figure: Estimate,
    pub worth: f64,
    pub ends: Vec<Ending>,
}

/// The number of courses worked at a time: once one is too big, no other matters.
const AT_ONCE: usize = 2;

/// Returns the probabilities and values of every course, exact or certified. Fails if a course is
/// too big for both.
pub(super) fn compare(
    (courses, objective): (&dyn Courses, &Objective),
    meta: &Meta,
    options: &Options,
) -> Result<CourseEstimates, EngineError> {
    let mut meta = meta.clone().exact();
    let mut odds = Vec::new();
    let numbers: Vec<usize> = (0..courses.number()).collect();
    let may_drop = options.engine == Engine::Auto;
    let odds_of = |&course: &usize| courses.odds(course, objective, may_drop, options.watch);
    for some in numbers.chunks(AT_ONCE) {
        // In the order of the courses, so that no error depends on the threads.
        for of_one in each(some, |course| Ok::<_, EngineError>(odds_of(course)))? {
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
        numbers.iter().map(|&place| odds[place].worth(courses.range(place, objective))).collect();
    let course = |place: usize| {
        let share = |place: usize, end| Bounded::from(odds[place].share(end));
        let figures =
            ends.iter().map(|end| weighed(place, share(place, end), share(0, end))).collect();
        (figures, weighed(place, worths[place], worths[0]))
    };
    let courses: Vec<(Vec<Weighed>, Weighed)> =
        numbers.iter().map(|&place| course(place)).collect();
    let all = courses.iter().flat_map(|(ends, worth)| ends.iter().chain([worth]));
    meta.error_bound = all.filter_map(|weighed| weighed.error_bound).reduce(f64::max);
    if meta.error_bound.is_some_and(|bound| bound > MOST_DROPPED)
        && let Some(too_big) = odds.iter().find_map(|odds| odds.too_big.clone())
    {
        return Err(too_big);
    }
    let possible = |end| odds.iter().map(|odds| odds.share(end).low() > 0.0).collect();
    let (best, next) = best_two(&worths.iter().map(|worth| worth.value).collect::<Vec<_>>());
    let verdict = BestCourse { best, next, lead: worths[best].less(worths[next]) };
    let ends = ends.iter().map(|end| (*end, possible(end))).collect();
    Ok(CourseEstimates { ends, courses, verdict, meta })
}

impl Default for Odds {
    fn default() -> Odds {
        let meta = Meta::default().exact();
        Odds { meta, ends: BTreeMap::new(), worth: 0.0, missing: 0.0, too_big: None }
    }
}

impl Odds {
    /// Adds all that one process or answer notes.
    pub(super) fn add_all(&mut self, all: Vec<Noted>, watch: Monitor) -> Result<(), EngineError> {
        let mut missing: BTreeMap<ReportIndex, f64> = BTreeMap::new();
        for Noted { point, figure, worth, ends } in all {
            watch.check_cancelled()?;
            self.worth += figure.low() * worth;
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
