//! The answer to a situation as rows and JSON: the duty of each unit, and each plan's result.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::board::map::Location;
use crate::board::terrain::Mf;
use crate::course::rout::{CourseSummary, Prospect, RoutCourse, best_play, prospect};
use crate::rout::{Cover, FirstAction, Rout, RoutOutcome, RoutPlan, Router, Situation};
use answer::odds::{figures, figures_of_odds};
use answer::sheet::{figure_cells, figure_columns};
use answer::{Cell, Column, Engine, Estimate, Meta, Options, OutcomeEstimate, Sheet};
use engine::EngineError;

/// One routing unit with its answer.
pub struct RouterAnswer {
    /// The index of the unit in the situation.
    pub unit: usize,
    pub prospect: Prospect,
    /// For each plan its outcomes with their probabilities (0 to 1), by the requested engine.
    pub odds: Vec<Vec<(RoutOutcome, Estimate)>>,
}

impl RouterAnswer {
    /// Returns each plan in words with its results, best first.
    pub fn plans(&self, situation: &Situation) -> impl Iterator<Item = (String, CourseSummary)> {
        let courses = self.prospect.courses.iter();
        courses.map(|course| (course_words(situation, course), course.summary()))
    }
}

/// Returns the probability of the outcomes in which something holds; `None` without outcomes.
pub fn chance_of(
    odds: &[(RoutOutcome, Estimate)],
    holds: impl Fn(&RoutOutcome) -> bool,
) -> Option<Estimate> {
    let none = odds.first()?.1.of_none();
    let held = odds.iter().filter(|(outcome, _)| holds(outcome));
    Some(held.fold(none, |sum, (_, figure)| sum.or(*figure)))
}

/// Answers for one unit while others stay in place. `meta` receives the engine and the arithmetic.
///
/// # Errors
///
/// Fails if a rout has too many states, or if the request is cancelled.
pub fn answer(
    situation: &Situation,
    unit: usize,
    options: &Options,
    meta: &mut Meta,
) -> Result<RouterAnswer, EngineError> {
    let router = &situation.routers[unit];
    let prospect = prospect(situation, router, options.watch)?;
    let played = (options.engine == Engine::MonteCarlo).then(|| Rout::new(situation, router));
    let mut odds = Vec::new();
    for course in &prospect.courses {
        odds.push(merged(match &played {
            Some(rout) => {
                let play = best_play(rout, course.plan, course.shortest, options.watch)?;
                let (noted, how) = figures(&play, options, meta.clone())?;
                *meta = how;
                noted
            }
            None => {
                meta.engine = "exact";
                meta.arithmetic.get_or_insert("integer");
                figures_of_odds(course.odds.clone(), meta)
            }
        }));
    }
    Ok(RouterAnswer { unit, prospect, odds })
}

/// Drops the MF spent from outcomes, and merges those that differ in nothing else.
fn merged(odds: Vec<OutcomeEstimate<RoutOutcome>>) -> Vec<(RoutOutcome, Estimate)> {
    let mut all: IndexMap<RoutOutcome, Estimate> = IndexMap::new();
    for ((_, outcome), figure) in odds {
        let same = all.entry(RoutOutcome { mf: 0, ..outcome });
        same.and_modify(|sum| *sum = sum.or(figure)).or_insert(figure);
    }
    all.into_iter().collect()
}

/// Returns a plan in words: `run to K5, on to K4`, `free to L3`, `Low Crawl to K6`, `stay`.
fn plan_words(situation: &Situation, plan: RoutPlan) -> String {
    let to =
        |words: &str, location| format!("{words} to {}", situation.map.location_name(location));
    match plan {
        RoutPlan::Stay => "stay".to_string(),
        RoutPlan::Crawl(end) => to("Low Crawl", end),
        RoutPlan::Destination { declared, end } if declared == end => to("run", end),
        RoutPlan::Destination { declared, end } => to("run", declared) + &to(", on", end),
        RoutPlan::Free { end } => to("free", end),
    }
}

/// Returns the plan of a course in words, and whether it takes the shortest route.
pub fn course_words(situation: &Situation, course: &RoutCourse) -> String {
    plan_words(situation, course.plan) + if course.shortest { " the shortest way" } else { "" }
}

/// Returns a text followed by the names of enemies, given by their indices.
pub fn with_enemies(situation: &Situation, text: &str, enemies: &[usize]) -> String {
    let names = enemies.iter().map(|&place| format!(" {}", situation.enemies[place].name));
    text.to_string() + &names.collect::<Vec<_>>().join(",")
}

/// Returns a first action in words. `crawl` is the word for a Low Crawl.
pub fn action_words(situation: &Situation, action: FirstAction, crawl: &str) -> String {
    let name = |location| situation.map.location_name(location);
    match action {
        FirstAction::Stay => "stay".to_string(),
        FirstAction::Crawl(location) => format!("{crawl} {}", name(location)),
        FirstAction::Step(location) => name(location),
    }
}

/// Returns the names of Locations in a line, or `none`.
pub fn names_of(situation: &Situation, locations: impl IntoIterator<Item = Location>) -> String {
    let names: Vec<String> =
        locations.into_iter().map(|location| situation.map.location_name(location)).collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

struct PlanOutcome<'a> {
    situation: &'a Situation,
    router: &'a Router,
    course: &'a RoutCourse,
    outcome: &'a RoutOutcome,
}

/// A column of the table before those of the probability: its name, its type, and its cell.
type PlanColumn = (&'static str, Column, fn(&PlanOutcome) -> Cell);

/// The columns of an outcome of a plan: `mf` and `interdicted` are of the route if every check is
/// passed, `at` is where the unit ends, and `end` is why.
const COLUMNS: [PlanColumn; 13] = [
    ("unit", Column::Text, |row| Cell::Text(row.router.name.clone())),
    ("hex", Column::Text, |row| row.place(row.router.at)),
    ("plan", Column::Text, |row| Cell::Text(course_words(row.situation, row.course))),
    ("route", Column::Text, |row| {
        let route = row.course.route.iter().map(|&at| row.situation.map.location_name(at));
        optional(Some(route.collect::<Vec<_>>().join(" ")).filter(|route| !route.is_empty()))
    }),
    ("mf", Column::Float, |row| Cell::Float(row.course.mf.number())),
    ("interdicted", Column::Integer, |row| Cell::Integer(row.course.interdicted.len() as i64)),
    ("status", Column::Text, |row| Cell::Text(row.outcome.unit.status.name().to_string())),
    ("at", Column::Text, |row| row.place(row.outcome.at)),
    ("in_cover", Column::Boolean, |row| Cell::Boolean(row.outcome.in_cover)),
    ("pinned", Column::Boolean, |row| Cell::Boolean(row.outcome.pinned)),
    ("end", Column::Text, |row| {
        let RoutOutcome { failed, end, .. } = row.outcome;
        Cell::Text(if *failed { "failure-to-rout" } else { end.name() }.to_string())
    }),
    ("counter", Column::Text, |row| optional(row.outcome.unit.counter_text())),
    ("wounded", Column::Boolean, |row| row.outcome.unit.wounded.map_or(Cell::Null, Cell::Boolean)),
];

impl PlanOutcome<'_> {
    fn place(&self, location: Location) -> Cell {
        Cell::Text(self.situation.map.location_name(location))
    }
}

fn optional(text: Option<String>) -> Cell {
    text.map_or(Cell::Null, Cell::Text)
}

/// Returns the columns of the table.
pub fn columns() -> Vec<(&'static str, Column)> {
    let own = COLUMNS.map(|(name, column, _)| (name, column)).into_iter();
    [("case", Column::Integer)].into_iter().chain(own).chain(figure_columns()).collect()
}

/// Returns one row for each outcome of the first `plans` plans of a unit, all of case 1.
pub fn rows(situation: &Situation, answered: &RouterAnswer, plans: usize) -> Vec<Vec<Cell>> {
    let RouterAnswer { unit, prospect, odds } = answered;
    let router = &situation.routers[*unit];
    let courses = prospect.courses.iter().zip(odds).take(plans);
    let outcomes = courses.flat_map(|(course, odds)| odds.iter().map(move |odds| (course, odds)));
    let row = |(course, (outcome, figure)): (_, &(RoutOutcome, Estimate))| {
        let row = PlanOutcome { situation, router, course, outcome };
        let own = COLUMNS.iter().map(|(.., cell)| cell(&row));
        [Cell::Integer(1)].into_iter().chain(own).chain(figure_cells(figure)).collect()
    };
    outcomes.map(row).collect()
}

/// Returns the table of every outcome of every plan, and the facts of every unit for JSON.
pub fn sheet(situation: &Situation, answers: &[RouterAnswer], meta: Meta) -> Sheet {
    let rows = answers.iter().flat_map(|answered| rows(situation, answered, usize::MAX));
    let units = answers.iter().map(|answered| unit_json(situation, answered)).collect();
    Sheet { lists: vec![("units", units)], ..Sheet::new(columns(), rows.collect(), meta) }
}

fn unit_json(situation: &Situation, answered: &RouterAnswer) -> Value {
    let Prospect { ruling, outlook, first_actions, .. } = &answered.prospect;
    let router = &situation.routers[answered.unit];
    let name = |location: Location| situation.map.location_name(location);
    let names = |locations: &[Location]| locations.iter().map(|&at| name(at)).collect::<Vec<_>>();
    let hexes = |enemies: &[usize]| {
        let hexes = enemies.iter().map(|&place| situation.enemies[place].at);
        hexes.collect::<BTreeSet<Location>>().into_iter().map(name).collect::<Vec<_>>()
    };
    let all = &outlook.choice.cover;
    let cover = all.iter().map(|cover| (name(cover.location), Mf::halves(cover.cost).number()));
    let cover_that = |holds: fn(&Cover) -> bool| {
        let cover = all.iter().filter(|cover| holds(cover));
        cover.map(|cover| name(cover.location)).collect::<Vec<_>>()
    };
    let interdicted = outlook.interdicted.iter().map(|(at, by)| (name(*at), hexes(by)));
    let best = first_actions.iter();
    let best = best.map(|(first, odds)| (action_words(situation, *first, "low-crawl"), *odds));
    json!({
        "unit": router.name,
        "hex": name(router.at),
        "verdict": ruling.verdict.name(),
        "surrenders": ruling.surrenders,
        "known": hexes(&outlook.known),
        "first_steps": names(&outlook.first_steps),
        "cover": cover.collect::<Value>(),
        "ignorable": cover_that(|cover| cover.is_ignorable),
        "destinations": cover_that(|cover| cover.is_destination),
        "free_rout": outlook.choice.is_free,
        "low_crawl": names(&outlook.low_crawl),
        "interdicted": interdicted.collect::<Value>(),
        "best": best.collect::<Value>(),
    })
}
