//! Two or more courses of action side by side: the odds of each, what it is worth, and the
//! difference to the first with its error.

mod exact;
mod numbered;
mod paired;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::aim::Aim;
use super::answer::{Engine, Options, is_too_big, too_big_to_be_exact};
use super::apart::{Told, Wanted, told};
use super::count::{Group, Noted, Tallied};
use super::kind::Kind;
use super::objective::Objective;
use super::ruled::{Line, Outcome};
use super::table::{Cell, Column, Meta};
use super::{Played as _, Words};
use engine::EngineError;
use engine::exact::Bound;
use engine::process::{Point, Process, Question};
pub use numbered::Numbered;

/// Differences of exact figures below this are rounding.
pub const ROUNDING: f64 = 1e-12;

/// Why courses could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// A course whose best play is too big.
    Course(EngineError),
    Engine(EngineError),
}

impl CompareError {
    /// What it comes from.
    pub fn into_inner(self) -> EngineError {
        let (CompareError::Course(error) | CompareError::Engine(error)) = self;
        error
    }
}

/// How a unit ends, in the order of the statuses of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Status {
    is_other: bool,
    /// Among the statuses; none of what they come to, which goes before them.
    rank: Option<usize>,
    name: &'static str,
    /// What it is called before its status.
    of: &'static str,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.of, self.name)
    }
}

/// What a course comes to: how one unit ends, or how much of the group that the objective counts is
/// in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// A unit by its slot.
    Unit(u8, Status),
    /// A class by its place, and parts of units.
    Count(usize, u8),
}

/// A course, and what it is compared by.
struct Lined<'q, L: Line> {
    line: &'q L,
    aim: Aim<'q, L::Played>,
}

/// A process of a course.
type CourseProcess<'q, L> = Tallied<'q, <L as Question>::Process>;
/// Its parts that tell how each unit ends, and what comes of what is common in it.
type Apart<'q, L> = (Vec<CourseProcess<'q, L>>, Vec<Told<Outcome<<L as Line>::Played>>>);
/// What it notes.
type NotedBy<L> = Noted<<<L as Question>::Process as Process>::Outcome>;

impl<'q, L: Line> Lined<'q, L> {
    fn new(line: &'q L, objective: &'q Objective) -> Lined<'q, L> {
        Lined { line, aim: Aim::new(line.question(), objective) }
    }

    fn words(&self) -> &dyn Words {
        self.line.words()
    }

    fn whole(&self) -> CourseProcess<'_, L> {
        self.aim.beside(self.line.whole())
    }

    /// What only the whole of it tells, where it comes apart and that is wanted: created units, and
    /// what counts.
    fn apart(&self, bound: Bound) -> Result<Option<Apart<'_, L>>, EngineError> {
        let Some(limbs) = self.line.limbs() else { return Ok(None) };
        let parts = self.line.parts();
        let created = !limbs.parted || parts.rest.is_some();
        let wanted: Vec<Wanted<Outcome<L::Played>>> = [
            (!limbs.parted).then_some(Wanted::Rows),
            created.then_some(Wanted::Created),
            self.aim.counter().map(Wanted::Counts),
        ]
        .into_iter()
        .flatten()
        .collect();
        match told(self.line.question(), &wanted, &limbs, bound) {
            Err(too_big) if is_too_big(&too_big) => Ok(None),
            found => Ok(found?.map(|told| {
                let parts = parts.processes.into_iter().filter(|_| limbs.parted);
                (parts.map(Tallied::plain).collect(), told)
            })),
        }
    }

    /// Processes that together tell all of it.
    fn processes(&self) -> Vec<CourseProcess<'_, L>> {
        match self.aim.counts() {
            true => vec![self.whole()],
            false => self.line.parts().all().map(|process| self.aim.beside(process)).collect(),
        }
    }

    /// How one unit ends, and whether it holds; or what is counted in the end.
    fn ends(&self, point: Point, noted: &NotedBy<L>) -> impl Iterator<Item = Ending> + use<L> {
        let ends = match noted {
            Noted::Own(outcome) => self.end(point, outcome).unwrap_or_default(),
            Noted::Tally(tally) if point == self.words().last_point() => {
                let classes = 0..self.words().kind().classes.len();
                let parts = classes.map(|class| Ending::Count(class, tally.parts(class)));
                parts.filter(|end| !matches!(end, Ending::Count(_, 0))).collect()
            }
            Noted::Tally(_) => Vec::new(),
        };
        ends.into_iter()
    }

    fn end(&self, point: Point, outcome: &Outcome<L::Played>) -> Option<Vec<Ending>> {
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

    fn worth(&self, point: Point, noted: &NotedBy<L>) -> f64 {
        self.aim.worth(point, noted)
    }
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
    pub fn reversed(self) -> Difference {
        // Not -0.
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
    /// Of an estimate.
    pub std_error: Option<f64>,
    /// None for the first course, and for a unit that the first course has not.
    pub difference: Option<Difference>,
}

impl Weighed {
    /// The same of what is less the more there is of this.
    fn reversed(self) -> Weighed {
        // Not -0.
        let value = 0.0 - self.value;
        Weighed { value, difference: self.difference.map(Difference::reversed), ..self }
    }
}

/// One way for one unit to end.
#[derive(Clone, Debug)]
pub struct End {
    /// 1-based place of the unit.
    pub slot: u8,
    pub status: String,
    pub weighed: Weighed,
    /// Whether it can happen in this course; of what no sequence drew, as far as all that can is
    /// known.
    pub is_possible: bool,
}

/// What is told of one course.
#[derive(Clone, Debug)]
pub struct Course {
    /// In order of slot and status: the same ones for the same units in all courses.
    pub ends: Vec<End>,
    /// By class, how many of the group that the objective counts are in it in the end, on average;
    /// empty where it counts none.
    pub counted: Vec<f64>,
    /// The number that the objective asks for: see [`Objective::number`].
    pub objective: Weighed,
}

/// The course that is worth most, and how much more than the next: of what is bad how much less
/// there is.
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
    /// What kind of question the courses are.
    pub kind: &'static Kind,
    /// The group that the objective counts, in all courses; none where it counts none.
    pub group: Option<&'static Group>,
    /// Every status that any unit of any course ends in, in order, and before them what holds.
    pub statuses: Vec<String>,
    pub verdict: Verdict,
    /// Whether any course begins with more than one unit: then the slot is in the name of every
    /// outcome.
    pub stacks: bool,
    pub meta: Meta,
}

/// What an engine has found.
struct Found {
    /// Ends that any course can have, and of every course whether it can.
    ends: BTreeMap<Ending, Vec<bool>>,
    /// Of every course a figure for each of these, and what it is worth.
    courses: Vec<(Vec<Weighed>, Weighed)>,
    verdict: Verdict,
    meta: Meta,
}

/// Compares courses, of which there is at least one; `meta` says what was asked and gets how it was
/// answered.
pub fn compare<L: Line>(
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
        Engine::Auto | Engine::Exact => match exact::found(&lines, meta.clone(), options.watch) {
            Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => {
                Err(Some(too_big_to_be_exact(&too_big)))
            }
            found => Ok(found.map_err(CompareError::Engine)?),
        },
    };
    let found = match exactly {
        Ok(found) => found,
        Err(reason) => {
            paired::found(&lines, options, meta, reason).map_err(CompareError::Engine)?
        }
    };
    match courses.iter().find_map(|course| course.question().failure()) {
        Some(error) => Err(CompareError::Course(error)),
        None => Ok(assembled(courses, objective, found, group)),
    }
}

/// The group that an objective counts in all courses: where it names none, the first that any course
/// has units of.
fn group<L: Line>(courses: &[L], objective: &Objective) -> Option<&'static Group> {
    let (tell, _) = objective.counts().first()?;
    let groups = courses[0].words().kind().groups;
    let begins = |course: &L, group: &Group| course.begun(group).iter().any(|unit| unit.parts > 0);
    let begun = groups.iter().find(|group| courses.iter().any(|course| begins(course, group)));
    tell.group.or(begun).or(groups.first())
}

/// Each course with the ends of its own units, and differences between units of the stacks or
/// between created ones only.
fn assembled<L: Line>(
    courses: &[L],
    aim: &Objective,
    found: Found,
    group: Option<&'static Group>,
) -> Compared {
    let units = |course: usize| courses[course].words().units();
    let created = |slot: u8, course: usize| slot > units(course);
    let course = |place: usize| {
        let (figures, objective) = &found.courses[place];
        let mut ends = Vec::new();
        let classes = courses[0].words().kind().classes.len();
        let mut counted = vec![0.0; if group.is_some() { classes } else { 0 }];
        for (number, (end, possible)) in found.ends.iter().enumerate() {
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
                ends.push(End {
                    slot: *slot,
                    status: status.to_string(),
                    weighed,
                    is_possible: possible[place],
                });
            }
        }
        let objective = if aim.is_minimized() { objective.reversed() } else { *objective };
        Course { ends, counted, objective }
    };
    Compared {
        kind: courses[0].words().kind(),
        group,
        courses: (0..courses.len()).map(course).collect(),
        statuses: found
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
        verdict: found.verdict,
        stacks: (0..courses.len()).any(|course| units(course) > 1),
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
    /// What the numbers of a table of courses count: a group, units where there are several, and
    /// nothing where they are odds of a single unit.
    pub fn counted(&self) -> Option<&'static str> {
        let units = self.several().then_some("units");
        self.group.map(|group| group.name).or(units)
    }

    /// Whether more than one unit counts, created ones included: then what they are worth is a sum.
    pub fn several(&self) -> bool {
        self.stacks || self.courses.iter().flat_map(|course| &course.ends).any(|end| end.slot > 1)
    }

    /// An outcome as the table names it: `1:good-order`, of a single unit `good-order`.
    fn outcome(&self, end: &End) -> String {
        if self.stacks || end.slot > 1 {
            format!("{}:{}", end.slot, end.status)
        } else {
            end.status.clone()
        }
    }

    /// The table, with the names of the courses: columns, rows, and for JSON the standard error of
    /// each value.
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

/// The cells of a row, and the standard error of its value.
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
