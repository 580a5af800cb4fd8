//! Two or more courses of action side by side: the odds of each, what it is worth, and the difference to the first with its error.

pub mod campaign;
mod exact;
pub mod file;
pub mod line;
mod numbered;
mod paired;
pub mod policy;
mod question;
pub mod stack;

use std::collections::BTreeSet;
use std::fmt;

use super::answer::{Engine, Options, is_too_big, too_big_to_be_exact};
use crate::course::objective::{Counted, Objective};
use crate::engine::EngineError;
use crate::process::{self, Point, Process};
use crate::table::{Cell, Kind, Meta};

/// Differences of exact figures below this are rounding.
pub const ROUNDING: f64 = 1e-12;

/// A course of action that can be set beside others of its kind.
pub trait Comparable: process::Question {
    /// How a unit ends, in order of the rows of a table.
    type End: Copy + Ord + fmt::Display + Send + Sync;
    /// How it stands then.
    type Standing: Counted;

    /// Units it begins with; slots above are of units created on the way.
    fn units(&self) -> u8;
    /// How a unit ends, where the outcome is noted at the end of the course.
    fn ending(&self, point: Point, outcome: &<Self::Process as Process>::Outcome) -> Option<Ending<Self::End, Self::Standing>>;
    /// Why the course was not kept to, where that was so; to be asked when all is played.
    fn failure(&self) -> Option<EngineError> {
        None
    }
}

/// How one unit ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending<E, S> {
    /// 1-based place of the unit.
    pub slot: u8,
    pub end: E,
    pub standing: S,
}

/// How much more of something there is in one course than in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// Of an estimate.
    pub error: Option<SamplingError>,
}

/// How far an estimate can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingError {
    pub std_error: f64,
    /// 95 % interval.
    pub interval: (f64, f64),
}

impl SamplingError {
    /// Half the width of the interval.
    pub fn half_width(self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl Difference {
    /// Whether it is more than its error.
    pub fn is_clear(&self) -> bool {
        match self.error {
            None => self.value.abs() > ROUNDING,
            Some(SamplingError { interval: (low, high), .. }) => low > 0.0 || high < 0.0,
        }
    }

    /// The same seen from the other course.
    fn reversed(self) -> Difference {
        let reversed = |error: SamplingError| SamplingError { interval: (-error.interval.1, -error.interval.0), ..error };
        // Not -0.
        Difference { value: 0.0 - self.value, error: self.error.map(reversed) }
    }
}

/// A probability or an expected value, and its difference to the first course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    pub value: f64,
    /// Of an estimate.
    pub std_error: Option<f64>,
    /// None for the first course, and for a unit that the first course has not.
    pub difference: Option<Difference>,
}

/// One way for one unit to end.
#[derive(Clone, Debug)]
pub struct End {
    /// 1-based place of the unit.
    pub slot: u8,
    pub status: String,
    pub weighed: Weighed,
}

/// What is told of one course.
#[derive(Clone, Debug)]
pub struct Course {
    /// In order of slot and status: the same ones for the same units in all courses.
    pub ends: Vec<End>,
    pub objective: Weighed,
}

/// The course that is worth most, and how much more than the next.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    pub best: usize,
    pub next: usize,
    pub lead: Difference,
}

/// Courses side by side.
#[derive(Clone, Debug)]
pub struct Compared {
    pub courses: Vec<Course>,
    /// Every status that any unit of any course ends in, in order.
    pub statuses: Vec<String>,
    pub verdict: Verdict,
    /// Whether any course begins with more than one unit: then the slot is in the name of every outcome.
    pub stacks: bool,
    pub meta: Meta,
}

/// What an engine has found.
struct Found<E> {
    /// Ends that any course has.
    ends: BTreeSet<(u8, E)>,
    /// Of every course a figure for each of these, and what it is worth.
    courses: Vec<(Vec<Weighed>, Weighed)>,
    verdict: Verdict,
    meta: Meta,
}

/// Compares courses, of which there is at least one; `meta` says what was asked and gets how it was answered.
pub fn compare<C: Comparable>(
    courses: &[C],
    objective: &Objective,
    options: &Options,
    meta: Meta,
) -> Result<Compared, EngineError> {
    let meta = Meta { objective: Some(objective.to_string()), ..meta };
    let reason = match options.engine {
        Engine::MonteCarlo => None,
        Engine::Auto | Engine::Exact => match exact::found(courses, objective, meta.clone(), options.stop) {
            Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => Some(too_big_to_be_exact(&too_big)),
            found => return Ok(assembled(courses, found?)),
        },
    };
    Ok(assembled(courses, paired::found(courses, objective, options, meta, reason)?))
}

/// Each course with the ends of its own units, and differences between units of the stacks or between created ones only.
fn assembled<C: Comparable>(courses: &[C], found: Found<C::End>) -> Compared {
    let created = |slot: u8, course: usize| slot > courses[course].units();
    let course = |place: usize| {
        let (figures, objective) = &found.courses[place];
        let mut ends = Vec::new();
        for (number, (slot, status)) in found.ends.iter().enumerate() {
            let alike = |other: usize| created(*slot, other) == created(*slot, place);
            let happens = |other: usize| alike(other) && found.courses[other].0[number].value > 0.0;
            if (0..courses.len()).any(happens) {
                let difference = figures[number].difference.filter(|_| alike(0));
                let weighed = Weighed { difference, ..figures[number] };
                ends.push(End { slot: *slot, status: status.to_string(), weighed });
            }
        }
        Course { ends, objective: *objective }
    };
    Compared {
        courses: (0..courses.len()).map(course).collect(),
        statuses: found.ends.iter().map(|(_, end)| *end).collect::<BTreeSet<_>>().iter().map(C::End::to_string).collect(),
        verdict: found.verdict,
        stacks: courses.iter().any(|course| course.units() > 1),
        meta: found.meta,
    }
}

/// The two courses that are worth most, the first of equals first.
fn best_two(worths: &[f64]) -> (usize, usize) {
    let mut places: Vec<usize> = (0..worths.len()).collect();
    places.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
    (places[0], places.get(1).copied().unwrap_or(places[0]))
}

impl Compared {
    /// Whether more than one unit counts, created ones included: then what they are worth is a sum.
    pub fn several(&self) -> bool {
        self.stacks || self.courses.iter().flat_map(|course| &course.ends).any(|end| end.slot > 1)
    }

    /// An outcome as the table names it: `1:good-order`, of a single unit `good-order`.
    fn outcome(&self, end: &End) -> String {
        if self.stacks || end.slot > 1 { format!("{}:{}", end.slot, end.status) } else { end.status.clone() }
    }

    /// The table, with the names of the courses: columns, rows, and for JSON the standard error of each value.
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
pub const COLUMNS: [(&str, Kind); 7] = [
    ("course", Kind::Text),
    ("outcome", Kind::Text),
    ("probability", Kind::Float),
    ("difference", Kind::Float),
    ("std_error", Kind::Float),
    ("ci_low", Kind::Float),
    ("ci_high", Kind::Float),
];

/// The cells of a row, and the standard error of its value.
fn row(course: &str, outcome: String, weighed: &Weighed) -> (Vec<Cell>, Cell) {
    let float = |number: Option<f64>| number.filter(|number| number.is_finite()).map_or(Cell::Null, Cell::Float);
    let error = weighed.difference.and_then(|difference| difference.error);
    let cells = vec![
        Cell::Text(course.to_string()),
        Cell::Text(outcome),
        Cell::Float(weighed.value),
        float(weighed.difference.map(|difference| difference.value)),
        float(error.map(|error| error.std_error)),
        float(error.map(|error| error.interval.0)),
        float(error.map(|error| error.interval.1)),
    ];
    (cells, float(weighed.std_error))
}
