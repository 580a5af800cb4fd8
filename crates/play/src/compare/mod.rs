//! Comparison of courses: odds of outcomes, values, and differences to the first with their errors.

mod courses;
mod exact;
mod paired;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::objective::Objective;
use super::playable::Playable;
use super::policy::PolicyQuestion;
use answer::odds::exactly;
use answer::{Cell, Column, Meta, Options};
use courses::{Courses, Lines};
use engine::EngineError;
use schema::{Group, Kind};

/// Differences of exact values up to this size are rounding errors.
pub const ROUNDING: f64 = 1e-12;

/// The reason why courses could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// A course cannot be played: it has too many states for best play, or its policy failed.
    Course(EngineError),
    Engine(EngineError),
}

impl CompareError {
    /// Returns the error of the engine, whatever part of the comparison it stopped.
    pub fn into_inner(self) -> EngineError {
        let (CompareError::Course(error) | CompareError::Engine(error)) = self;
        error
    }
}

/// The final status of a unit. It sorts in the order of the game's statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Status {
    is_other: bool,
    /// 0-based rank; `None` for the class of units that hold, which sorts first.
    rank: Option<usize>,
    name: &'static str,
    of: &'static str,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.of, self.name)
    }
}

/// One thing that can be true at the end: a unit's status, or the units in a counted class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// The final status of the unit in a slot (1-based).
    Unit(u8, Status),
    /// A class by its 0-based position, and its number of parts.
    Count(usize, u8),
}

/// The difference between the values of two courses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// Sampling error of an estimate; `None` if the difference is exact or certified.
    pub error: Option<SamplingError>,
    /// Largest error of a certified difference; `None` for all others.
    pub error_bound: Option<f64>,
}

/// The sampling error of an estimated difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingError {
    pub std_error: f64,
    /// The 95 % confidence interval: its lower and upper bound.
    pub interval: (f64, f64),
}

impl SamplingError {
    /// Returns half the width of the interval.
    pub fn half_width(self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl Difference {
    /// Returns true if the difference is significant: above its error bound or [`ROUNDING`], or an
    /// interval without 0.
    pub fn is_clear(&self) -> bool {
        match self.error {
            None => self.value.abs() > self.error_bound.unwrap_or(ROUNDING),
            Some(SamplingError { interval: (low, high), .. }) => low > 0.0 || high < 0.0,
        }
    }

    /// Returns the difference with the two courses swapped.
    pub fn reversed(self) -> Difference {
        // Subtraction from 0 avoids -0.
        let reversed = |error: SamplingError| SamplingError {
            interval: (0.0 - error.interval.1, 0.0 - error.interval.0),
            ..error
        };
        Difference { value: 0.0 - self.value, error: self.error.map(reversed), ..self }
    }
}

/// A probability or an expected value, and its difference to the first course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    pub value: f64,
    /// Standard error of an estimate; `None` if the value is exact or certified.
    pub std_error: Option<f64>,
    /// Largest error of a certified value; `None` for all others.
    pub error_bound: Option<f64>,
    /// `None` for the first course, and for units that the first course does not have.
    pub difference: Option<Difference>,
}

impl Weighed {
    fn reversed(self) -> Weighed {
        let value = 0.0 - self.value;
        Weighed { value, difference: self.difference.map(Difference::reversed), ..self }
    }
}

/// The probability that one unit ends with one status.
#[derive(Clone, Debug)]
pub struct EndingRow {
    /// 1-based slot of the unit.
    pub slot: u8,
    pub status: String,
    pub weighed: Weighed,
    /// True if the unit can end so, or, in a course too big to search, if a sampled one did.
    pub is_possible: bool,
}

/// One course in a comparison.
#[derive(Clone, Debug)]
pub struct ComparedCourse {
    /// Endings by slot and status; of one slot, courses list the same statuses.
    pub ends: Vec<EndingRow>,
    /// Mean number of units at the end in each counted class; empty without counts.
    pub counted: Vec<f64>,
    /// The number shown for the objective; see [`Objective::number`].
    pub objective: Weighed,
}

/// The best course, and its lead over the next best. For a loss, the lead is how much less is lost.
#[derive(Clone, Copy, Debug)]
pub struct BestCourse {
    pub best: usize,
    /// 0-based position of the next best course, or of the best if there is only one.
    pub next: usize,
    pub lead: Difference,
}

/// A comparison of courses.
#[derive(Clone, Debug)]
pub struct Compared {
    pub courses: Vec<ComparedCourse>,
    pub kind: &'static Kind,
    /// Group that the objective counts in all courses; `None` if it counts no units.
    pub group: Option<&'static Group>,
    /// Every status of a unit in any course, in order; the class of units that hold is first.
    pub statuses: Vec<String>,
    pub verdict: BestCourse,
    /// True if any course starts with more than one unit. Names of outcomes then contain the slot.
    pub stacks: bool,
    /// The word for the side for which the best course is best: `firer`.
    pub side: &'static str,
    pub meta: Meta,
}

struct CourseEstimates {
    /// All endings; for each course, true if the ending is possible in it.
    ends: BTreeMap<Ending, Vec<bool>>,
    /// For each course, the values of all endings in order, and that of the objective.
    courses: Vec<(Vec<Weighed>, Weighed)>,
    verdict: BestCourse,
    meta: Meta,
}

impl CourseEstimates {
    /// Replaces the values of the objective by a number that each course reckons, and judges by it.
    fn with_reckoned(
        mut self,
        courses: &dyn Courses,
        objective: &Objective,
        name: &str,
    ) -> CourseEstimates {
        let worth = |course| {
            let reckoned = courses.words(course).details().reckoned;
            let number = reckoned.and_then(|reckoned| reckoned.number(name)).unwrap_or_default();
            objective.of_side(objective.worth_of_reckoned(number))
        };
        let worths: Vec<f64> = (0..courses.number()).map(worth).collect();
        let lead = |value: f64| Difference { value, error: None, error_bound: None };
        for (place, (_, weighed)) in self.courses.iter_mut().enumerate() {
            let difference = (place > 0).then(|| lead(worths[place] - worths[0]));
            let value = worths[place];
            *weighed = Weighed { value, std_error: None, error_bound: None, difference };
        }
        let (best, next) = best_two(&worths);
        self.verdict = BestCourse { best, next, lead: lead(worths[best] - worths[next]) };
        self
    }
}

/// Compares courses and completes `meta`.
///
/// # Errors
///
/// Fails if a course cannot be played, an engine gives up, or the run is cancelled.
///
/// # Panics
///
/// Panics if `courses` is empty.
pub fn compare<Q: Playable + Sync + 'static>(
    courses: &[PolicyQuestion<Q>],
    objective: &Objective,
    options: &Options,
    meta: Meta,
) -> Result<Compared, CompareError> {
    compared(&Lines(courses), objective, options, meta)
}

fn compared(
    courses: &dyn Courses,
    objective: &Objective,
    options: &Options,
    meta: Meta,
) -> Result<Compared, CompareError> {
    let group = group(courses, objective);
    let objective = &objective.counting_in(group);
    let meta = Meta { objective: Some(objective.to_string()), ..meta };
    let exact = exactly(options.engine, || exact::compare((courses, objective), &meta, options));
    let estimates = match exact.map_err(CompareError::Engine)? {
        Ok(estimates) => estimates,
        Err(reason) => paired::compare((courses, objective), options, meta, reason)
            .map_err(CompareError::Engine)?,
    };
    let estimates = match objective.reckoned() {
        Some(number) => estimates.with_reckoned(courses, objective, number.name),
        None => estimates,
    };
    match courses.failure() {
        Some(error) => Err(CompareError::Course(error)),
        None => Ok(assembled(courses, objective, estimates, group)),
    }
}

/// Returns the group that an objective counts: the named one, or the first that a course has.
fn group(courses: &dyn Courses, objective: &Objective) -> Option<&'static Group> {
    let (measure, _) = objective.counts().next()?;
    let groups = courses.words(0).facts().kind.groups;
    let begins = |group: &&Group| (0..courses.number()).any(|course| courses.has(course, group));
    let at_start = groups.iter().find(begins);
    measure.group.or(at_start).or(groups.first())
}

/// Returns the word for the side of an objective: that of the first course, if all have it.
fn side_of(courses: &dyn Courses, objective: &Objective) -> &'static str {
    let word = |course| objective.side().word(&courses.words(course).facts().sides);
    let is_same = (0..courses.number()).all(|course| word(course) == word(0));
    if is_same { word(0) } else { objective.side().name() }
}

/// Builds the comparison. Initial units are never compared with created ones, even in one slot.
fn assembled(
    courses: &dyn Courses,
    aim: &Objective,
    estimates: CourseEstimates,
    group: Option<&'static Group>,
) -> Compared {
    let (number, kind) = (courses.number(), courses.words(0).facts().kind);
    let units = |course: usize| courses.words(course).facts().units;
    let created = |slot: u8, course: usize| slot > units(course);
    let course = |place: usize| {
        let (figures, objective) = &estimates.courses[place];
        let mut ends = Vec::new();
        let mut counted = vec![0.0; if group.is_some() { kind.classes.len() } else { 0 }];
        for (figure, (end, possible)) in estimates.ends.iter().enumerate() {
            let (slot, status) = match end {
                Ending::Unit(slot, status) => (slot, status),
                Ending::Count(class, parts) => {
                    let units = group.map_or(0.0, |group| group.number((*parts).into()));
                    counted[*class] += units * figures[figure].value;
                    continue;
                }
            };
            let alike = |other: usize| created(*slot, other) == created(*slot, place);
            if (0..number).any(|other| alike(other) && possible[other]) {
                let difference = figures[figure].difference.filter(|_| alike(0));
                let weighed = Weighed { difference, ..figures[figure] };
                ends.push(EndingRow {
                    slot: *slot,
                    status: status.to_string(),
                    weighed,
                    is_possible: possible[place],
                });
            }
        }
        let objective = if aim.is_minimized() { objective.reversed() } else { *objective };
        ComparedCourse { ends, counted, objective }
    };
    let is_created = |(end, possible): (&Ending, &Vec<bool>)| match end {
        Ending::Unit(slot, status) if !status.is_other => {
            possible.iter().enumerate().any(|(course, is)| *is && created(*slot, course))
        }
        _ => false,
    };
    let mut meta = estimates.meta;
    if group.is_none() && estimates.ends.iter().any(is_created) {
        meta.notes.push(created_count(kind));
    }
    Compared {
        kind,
        group,
        courses: (0..number).map(course).collect(),
        statuses: statuses(estimates.ends.keys()),
        verdict: estimates.verdict,
        stacks: (0..number).any(|course| units(course) > 1),
        side: side_of(courses, aim),
        meta,
    }
}

/// Returns the statuses of units, each once, in their order.
fn statuses<'a>(ends: impl Iterator<Item = &'a Ending>) -> Vec<String> {
    let of_units = ends.filter_map(|end| match end {
        Ending::Unit(_, status) => Some(*status),
        Ending::Count(..) => None,
    });
    of_units.collect::<BTreeSet<_>>().iter().map(Status::to_string).collect()
}

/// Returns the note that a number counts created units.
pub fn created_count(kind: &Kind) -> String {
    let others = kind.groups.first().zip(kind.classes.first()).map(|(group, class)| {
        format!("; a count such as `{} {}` leaves them out", group.name, class.name)
    });
    format!("created units count too{}", others.unwrap_or_default())
}

/// Returns the 0-based positions of the two highest values. The earlier of equal ones comes first.
fn best_two(worths: &[f64]) -> (usize, usize) {
    let mut places: Vec<usize> = (0..worths.len()).collect();
    places.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
    (places[0], places.get(1).copied().unwrap_or(places[0]))
}

impl Compared {
    /// Returns what the table counts: the group, or `units`; `None` for a single unit.
    pub fn counted(&self) -> Option<&'static str> {
        let units = self.several().then_some("units");
        self.group.map(|group| group.written).or(units)
    }

    /// Returns true if any course has several units (with created ones), whose values add up.
    pub fn several(&self) -> bool {
        self.stacks || self.courses.iter().flat_map(|course| &course.ends).any(|end| end.slot > 1)
    }

    fn outcome(&self, end: &EndingRow) -> String {
        if self.stacks || end.slot > 1 {
            format!("{}:{}", end.slot, end.status)
        } else {
            end.status.clone()
        }
    }

    /// Returns the table's rows for `names`: the cells, and the error of the value (only for JSON).
    pub fn rows(&self, names: &[String]) -> Vec<(Vec<Cell>, Cell)> {
        let mut rows = Vec::new();
        for (course, name) in self.courses.iter().zip(names) {
            rows.extend(course.ends.iter().map(|end| row(name, self.outcome(end), &end.weighed)));
            rows.push(row(name, "objective".to_string(), &course.objective));
        }
        rows
    }
}

/// The columns of a comparison, in order.
pub const COLUMNS: [(&str, Column); 8] = [
    ("course", Column::Text),
    ("outcome", Column::Text),
    ("probability", Column::Float),
    ("difference", Column::Float),
    ("std_error", Column::Float),
    ("ci_low", Column::Float),
    ("ci_high", Column::Float),
    ("error_bound", Column::Float),
];

fn row(course: &str, outcome: String, weighed: &Weighed) -> (Vec<Cell>, Cell) {
    let float = |number: Option<f64>| {
        number.filter(|number| number.is_finite()).map_or(Cell::Null, Cell::Float)
    };
    let error = weighed.difference.and_then(|difference| difference.error);
    let cells = vec![
        Cell::Text(course.to_string()),
        Cell::Text(outcome),
        Cell::Float(weighed.value),
        float(weighed.difference.map(|difference| difference.value)),
        float(error.map(|error| error.std_error)),
        float(error.map(|error| error.interval.0)),
        float(error.map(|error| error.interval.1)),
        // The bound of the difference is also one of the probability.
        float(weighed.difference.map_or(weighed.error_bound, |difference| difference.error_bound)),
    ];
    (cells, float(weighed.std_error))
}
