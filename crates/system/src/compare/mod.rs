//! Comparison of courses of action: the odds of each, its value, and the difference to the first
//! course with its error.

mod exact;
mod numbered;
mod paired;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::answer::{Engine, Options, is_too_big, too_big_to_be_exact};
use super::counting::{CountedReport, Group, Tallied};
use super::evaluator::ObjectiveEvaluator;
use super::factored::{FactoredAnswer, FactoredRequest, answer_factored};
use super::kind::Kind;
use super::objective::Objective;
use super::policy::{CourseQuestion, OutcomeOf};
use super::table::{Cell, Column, Meta};
use super::{Playable as _, QuestionInfo};
use engine::EngineError;
use engine::exact::Bound;
use engine::process::{Process, Question, ReportIndex};
pub use numbered::Numbered;

/// Differences of exact values below this are rounding errors.
pub const ROUNDING: f64 = 1e-12;

/// The reason why courses could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// A course cannot be played: its best play is too big, or its policy failed.
    Course(EngineError),
    Engine(EngineError),
}

impl CompareError {
    /// Returns the error of the engine.
    pub fn into_inner(self) -> EngineError {
        let (CompareError::Course(error) | CompareError::Engine(error)) = self;
        error
    }
}

/// The end of a unit, in the order of the game's statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Status {
    is_other: bool,
    /// Position among the statuses; none for the class that holds, which comes first.
    rank: Option<usize>,
    name: &'static str,
    /// Prefix before the status.
    of: &'static str,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.of, self.name)
    }
}

/// An end of a course: of one unit, or a number of units in a class of the group that the objective
/// counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// The end of the unit in a slot (1-based).
    Unit(u8, Status),
    /// A class by its position (0-based), with a number of parts.
    Count(usize, u8),
}

/// A course with its objective.
struct Lined<'q, L: CourseQuestion> {
    line: &'q L,
    aim: ObjectiveEvaluator<'q, L::Played>,
}

/// A process of a course.
type CourseProcess<'q, L> = Tallied<'q, <L as Question>::Process>;
/// The processes of single units, and the results of the factorisation.
type FactoredParts<'q, L> =
    (Vec<CourseProcess<'q, L>>, Vec<FactoredAnswer<OutcomeOf<<L as CourseQuestion>::Played>>>);
/// Outcome type of such a process.
type NotedBy<L> = CountedReport<<<L as Question>::Process as Process>::Outcome>;

impl<'q, L: CourseQuestion> Lined<'q, L> {
    fn new(line: &'q L, objective: &'q Objective) -> Lined<'q, L> {
        Lined { line, aim: ObjectiveEvaluator::new(line.question(), objective) }
    }

    fn words(&self) -> &dyn QuestionInfo {
        self.line.words()
    }

    fn whole(&self) -> CourseProcess<'_, L> {
        self.aim.counting(self.line.whole())
    }

    /// Returns the processes of single units and, from the factorisation, the results that need the
    /// whole course. None if the course does not factorise, or is too big.
    fn factored(&self, bound: Bound) -> Result<Option<FactoredParts<'_, L>>, EngineError> {
        let Some(factorization) = self.line.factorization() else { return Ok(None) };
        let parts = self.line.parts();
        let created = !factorization.has_parts || parts.rest.is_some();
        let wanted: Vec<FactoredRequest<OutcomeOf<L::Played>>> = [
            (!factorization.has_parts).then_some(FactoredRequest::Rows),
            created.then_some(FactoredRequest::Created),
            self.aim.counter().map(FactoredRequest::Counts),
        ]
        .into_iter()
        .flatten()
        .collect();
        match answer_factored(self.line.question(), &wanted, &factorization, bound) {
            Err(too_big) if is_too_big(&too_big) => Ok(None),
            result => Ok(result?.map(|answers| {
                let parts = parts.processes.into_iter().filter(|_| factorization.has_parts);
                (parts.map(Tallied::plain).collect(), answers)
            })),
        }
    }

    /// Returns processes that together have all outcomes of the course.
    fn processes(&self) -> Vec<CourseProcess<'_, L>> {
        match self.aim.counts() {
            true => vec![self.whole()],
            false => self.line.parts().all().map(|process| self.aim.counting(process)).collect(),
        }
    }

    /// Returns the ends in an outcome: how its unit ends and whether it holds, or what is counted
    /// at the last point.
    fn ends(
        &self,
        point: ReportIndex,
        noted: &NotedBy<L>,
    ) -> impl Iterator<Item = Ending> + use<L> {
        let ends = match noted {
            CountedReport::Own(outcome) => self.end(point, outcome).unwrap_or_default(),
            CountedReport::Tally(tally) if point == self.words().last_point() => {
                let classes = 0..self.words().kind().classes.len();
                let parts = classes.map(|class| Ending::Count(class, tally.parts(class)));
                parts.filter(|end| !matches!(end, Ending::Count(_, 0))).collect()
            }
            CountedReport::Tally(_) => Vec::new(),
        };
        ends.into_iter()
    }

    fn end(&self, point: ReportIndex, outcome: &OutcomeOf<L::Played>) -> Option<Vec<Ending>> {
        let (slot, _) = self.line.question().ending(point, outcome)?;
        let name = self.line.label(point, outcome).status?;
        let words = self.words();
        let is_other = slot > words.units() && !words.others().is_empty();
        let of = if is_other { words.others() } else { "" };
        let status = |rank, name| Ending::Unit(slot, Status { is_other, rank, name, of });
        let holds = words.kind().classes.first().filter(|class| class.statuses.contains(&name));
        let statuses = std::iter::once(status(Some(words.rank(name)), name));
        Some(statuses.chain(holds.map(|class| status(None, class.name))).collect())
    }

    fn worth(&self, point: ReportIndex, noted: &NotedBy<L>) -> f64 {
        self.aim.worth(point, noted)
    }
}

/// The difference of a value between two courses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// Sampling error of an estimate; none if exact.
    pub error: Option<SamplingError>,
}

/// The sampling error of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingError {
    pub std_error: f64,
    /// 95 % interval.
    pub interval: (f64, f64),
}

impl SamplingError {
    /// Returns half the width of the interval.
    pub fn half_width(self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl Difference {
    /// Whether the difference is significant: it exceeds rounding, or its interval excludes 0.
    pub fn is_clear(&self) -> bool {
        match self.error {
            None => self.value.abs() > ROUNDING,
            Some(SamplingError { interval: (low, high), .. }) => low > 0.0 || high < 0.0,
        }
    }

    /// Returns the difference of the two courses in opposite order.
    pub fn reversed(self) -> Difference {
        // Subtraction from 0 avoids -0.
        let reversed = |error: SamplingError| SamplingError {
            interval: (0.0 - error.interval.1, 0.0 - error.interval.0),
            ..error
        };
        Difference { value: 0.0 - self.value, error: self.error.map(reversed) }
    }
}

/// A probability or an expected value, and its difference to the first course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    pub value: f64,
    /// Standard error of an estimate; none if exact.
    pub std_error: Option<f64>,
    /// None for the first course, and for units that the first course does not have.
    pub difference: Option<Difference>,
}

impl Weighed {
    /// Negates the value and the difference.
    fn reversed(self) -> Weighed {
        // The subtraction avoids -0.
        let value = 0.0 - self.value;
        Weighed { value, difference: self.difference.map(Difference::reversed), ..self }
    }
}

/// One end of one unit.
#[derive(Clone, Debug)]
pub struct EndingRow {
    /// 1-based slot of the unit.
    pub slot: u8,
    pub status: String,
    pub weighed: Weighed,
    /// Whether the end is possible in this course. If not all possible ends are known, whether it
    /// was drawn.
    pub is_possible: bool,
}

/// One course in a comparison.
#[derive(Clone, Debug)]
pub struct ComparedCourse {
    /// Ends by slot and status, equal for equal units in all courses.
    pub ends: Vec<EndingRow>,
    /// Mean number of units at the end in each class of the counted group; empty if the objective
    /// counts none.
    pub counted: Vec<f64>,
    /// The number asked for by the objective; see [`Objective::number`].
    pub objective: Weighed,
}

/// The best course, and its lead over the next best. For a loss, the lead is how much less there
/// is.
#[derive(Clone, Copy, Debug)]
pub struct BestCourse {
    /// 0-based position of the best course.
    pub best: usize,
    /// 0-based position of the next best course; the best if there is only one.
    pub next: usize,
    pub lead: Difference,
}

/// A comparison of courses.
#[derive(Clone, Debug)]
pub struct Compared {
    pub courses: Vec<ComparedCourse>,
    /// Kind of question of the courses.
    pub kind: &'static Kind,
    /// Group counted by the objective, common to all courses; none if it counts none.
    pub group: Option<&'static Group>,
    /// Every status in which a unit of any course ends, in order, with the class that holds first.
    pub statuses: Vec<String>,
    pub verdict: BestCourse,
    /// Whether any course starts with more than one unit. Names of outcomes then have the slot.
    pub stacks: bool,
    pub meta: Meta,
}

/// The result of an engine.
struct CourseEstimates {
    /// Possible ends; for each course, whether the end is possible in it.
    ends: BTreeMap<Ending, Vec<bool>>,
    /// Values of each end and of the objective, for each course.
    courses: Vec<(Vec<Weighed>, Weighed)>,
    verdict: BestCourse,
    meta: Meta,
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
pub fn compare<L: CourseQuestion>(
    courses: &[L],
    objective: &Objective,
    options: &Options,
    meta: Meta,
) -> Result<Compared, CompareError> {
    let group = group(courses, objective);
    let objective = &objective.counting_in(group);
    let meta = Meta { objective: Some(objective.to_string()), ..meta };
    let lines: Vec<Lined<L>> = courses.iter().map(|line| Lined::new(line, objective)).collect();
    let exactly = match options.engine {
        Engine::MonteCarlo => Err(None),
        Engine::Auto | Engine::Exact => match exact::compare(&lines, meta.clone(), options.watch) {
            Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => {
                Err(Some(too_big_to_be_exact(&too_big)))
            }
            estimates => Ok(estimates.map_err(CompareError::Engine)?),
        },
    };
    let estimates = match exactly {
        Ok(estimates) => estimates,
        Err(reason) => {
            paired::compare(&lines, options, meta, reason).map_err(CompareError::Engine)?
        }
    };
    match courses.iter().find_map(|course| course.question().failure()) {
        Some(error) => Err(CompareError::Course(error)),
        None => Ok(assembled(courses, objective, estimates, group)),
    }
}

/// Returns the group that an objective counts in all courses. By default it is the first group of
/// which any course has units.
fn group<L: CourseQuestion>(courses: &[L], objective: &Objective) -> Option<&'static Group> {
    let (measure, _) = objective.counts().first()?;
    let groups = courses[0].words().kind().groups;
    let begins =
        |course: &L, group: &Group| course.counted_units(group).iter().any(|unit| unit.parts > 0);
    let at_start = groups.iter().find(|group| courses.iter().any(|course| begins(course, group)));
    measure.group.or(at_start).or(groups.first())
}

/// Builds the comparison. Each course has the ends of its own units. Differences compare units of
/// the stack, or created units, but never one with the other.
fn assembled<L: CourseQuestion>(
    courses: &[L],
    aim: &Objective,
    estimates: CourseEstimates,
    group: Option<&'static Group>,
) -> Compared {
    let units = |course: usize| courses[course].words().units();
    let created = |slot: u8, course: usize| slot > units(course);
    let course = |place: usize| {
        let (figures, objective) = &estimates.courses[place];
        let mut ends = Vec::new();
        let classes = courses[0].words().kind().classes.len();
        let mut counted = vec![0.0; if group.is_some() { classes } else { 0 }];
        for (number, (end, possible)) in estimates.ends.iter().enumerate() {
            let (slot, status) = match end {
                Ending::Unit(slot, status) => (slot, status),
                Ending::Count(class, parts) => {
                    let units = group.map_or(0.0, |group| group.number((*parts).into()));
                    counted[*class] += units * figures[number].value;
                    continue;
                }
            };
            let alike = |other: usize| created(*slot, other) == created(*slot, place);
            if (0..courses.len()).any(|other| alike(other) && possible[other]) {
                let difference = figures[number].difference.filter(|_| alike(0));
                let weighed = Weighed { difference, ..figures[number] };
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
    Compared {
        kind: courses[0].words().kind(),
        group,
        courses: (0..courses.len()).map(course).collect(),
        statuses: estimates
            .ends
            .keys()
            .filter_map(|end| match end {
                Ending::Unit(_, status) => Some(*status),
                Ending::Count(..) => None,
            })
            .collect::<BTreeSet<_>>()
            .iter()
            .map(Status::to_string)
            .collect(),
        verdict: estimates.verdict,
        stacks: (0..courses.len()).any(|course| units(course) > 1),
        meta: estimates.meta,
    }
}

/// Returns the positions of the two courses with the highest values, the first of equal ones first.
fn best_two(worths: &[f64]) -> (usize, usize) {
    let mut places: Vec<usize> = (0..worths.len()).collect();
    places.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
    (places[0], places.get(1).copied().unwrap_or(places[0]))
}

impl Compared {
    /// Returns what the numbers of the table count: a group, `units` for several units, none for a
    /// single unit.
    pub fn counted(&self) -> Option<&'static str> {
        let units = self.several().then_some("units");
        self.group.map(|group| group.name).or(units)
    }

    /// Whether more than one unit counts, created ones included. The value of the objective is then
    /// a sum.
    pub fn several(&self) -> bool {
        self.stacks || self.courses.iter().flat_map(|course| &course.ends).any(|end| end.slot > 1)
    }

    /// Returns an outcome as the table names it: `1:good-order`, or `good-order` for a single unit.
    fn outcome(&self, end: &EndingRow) -> String {
        if self.stacks || end.slot > 1 {
            format!("{}:{}", end.slot, end.status)
        } else {
            end.status.clone()
        }
    }

    /// Returns the rows of the table: the cells, and the standard error of each value for JSON.
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
pub const COLUMNS: [(&str, Column); 7] = [
    ("course", Column::Text),
    ("outcome", Column::Text),
    ("probability", Column::Float),
    ("difference", Column::Float),
    ("std_error", Column::Float),
    ("ci_low", Column::Float),
    ("ci_high", Column::Float),
];

/// Returns the cells of a row, and the standard error of its value.
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
    ];
    (cells, float(weighed.std_error))
}
