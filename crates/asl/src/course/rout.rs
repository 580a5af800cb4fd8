//! The plans of a routing unit: every destination and every end of its rout, under best play.
//!
//! A plan gives the declaration at the start (10.51), and the Location where the rout ends. Its
//! route is the best one that keeps that end within reach. The best route has the greatest chance
//! to survive, then to end in cover unreduced, then the fewest MF. The route with the fewest MF is
//! listed too, if it is another one. All other routes to that end are dominated and left out. A
//! newly Known enemy or a wound can put the end out of reach. The owner then plays best from there.

use std::cmp::Ordering;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::board::map::Location;
use crate::board::terrain::Mf;
use crate::cache::Cache;
use crate::catalogue::Counter;
use crate::counting::FinalState;
use crate::rout::{
    FirstAction, Outlook, Rout, RoutOutcome, RoutPlan, RoutState, Router, Ruling, Situation,
};
use crate::vocabulary::{Status, Verdict};
use engine::EngineError;
use engine::exact::{self, Bound, Chance, Odds};
use engine::monitor::Monitor;
use engine::process::{Due, Player, Process, ReportIndex, Silent, WithPolicy};
use engine::solve::{EQUAL, Solution, SolvedPolicy, ValueVector, is_better};

pub(super) const STATES: usize = 1 << 20;

pub(super) fn solve<P: Process<Outcome = RoutOutcome>>(
    process: &P,
    watch: Monitor,
) -> Result<(Value, SolvedPolicy<P::State>), EngineError> {
    let mut solution = Solution::new(process, worth_of, STATES).watched(watch);
    let worth = solution.worth(&process.start(&mut Silent))?;
    Ok((worth, solution.into_play()))
}

/// Findings about routs by their number, or the error of a rout that could not be solved.
#[derive(Default)]
pub(super) struct PerRout<T>(Cache<u32, Result<Arc<T>, EngineError>>);

impl<T: Default> PerRout<T> {
    /// Returns the findings about a rout, computed by `solve`, or the default if that fails.
    pub fn get(&self, number: u32, solve: impl FnOnce() -> Result<T, EngineError>) -> Arc<T> {
        self.0.get(number, || solve().map(Arc::new)).unwrap_or_default()
    }

    pub fn failure(&self) -> Option<EngineError> {
        self.0.lock().values().find_map(|found| found.clone().err())
    }
}

/// The criterion for the best play of a single rout, in words.
pub const BEST: &str = "survival first, then cover";

/// The value of a rout: survival, cover unreduced, unhurt, cover, minus MF; most important first.
pub(super) type Value = ValueVector<5>;

/// The number of components of `Value` that are probabilities. They come first.
const CHANCES: usize = 4;

/// Returns the value of an outcome. A rout has a single report.
pub(super) fn worth_of(_: ReportIndex, outcome: &RoutOutcome) -> Value {
    value(outcome)
}

fn value(outcome: &RoutOutcome) -> Value {
    let unit = |holds: bool| f64::from(u8::from(holds));
    let survives = outcome.survives();
    let unhurt = survives && !outcome.is_hurt;
    let in_cover = survives && outcome.in_cover;
    [
        unit(survives),
        unit(unhurt && in_cover),
        unit(unhurt),
        unit(in_cover),
        -Mf::halves(outcome.mf).number(),
    ]
}

pub(super) fn expected(chances: &[Chance<RoutOutcome>]) -> Value {
    chances.iter().fold(Value::default(), |mut sum, chance| {
        let parts = sum.iter_mut().zip(value(&chance.outcome));
        parts.for_each(|(sum, part)| *sum += chance.probability * part);
        sum
    })
}

/// Returns the final state of a unit after its rout.
pub fn final_state(outcome: &RoutOutcome, began: &Counter) -> FinalState {
    let state = FinalState::from_outcome(&outcome.unit, Some(began));
    FinalState { in_cover: if outcome.in_cover { state.survives } else { 0.0 }, ..state }
}

/// A plan with its route and its results.
#[derive(Clone, Debug)]
pub struct RoutCourse {
    pub plan: RoutPlan,
    /// True if the route has the fewest MF although a longer one is better.
    pub shortest: bool,
    /// The Locations entered if every check is passed.
    pub route: Vec<Location>,
    /// The MF of `route`.
    pub mf: Mf,
    /// The indices in `route` with Interdiction (10.53), but not where cover is paid for (B2.4).
    pub interdicted: Vec<usize>,
    /// The outcomes with their exact probabilities.
    pub odds: Odds<RoutOutcome>,
}

/// The probabilities (0 to 1) of a course, summed over its outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CourseSummary {
    /// The probability that the unit is neither eliminated nor captured.
    pub survives: f64,
    /// The probability that the unit survives, neither Reduced nor wounded.
    pub unhurt: f64,
    /// The probability that the unit survives unhurt, in woods or a building.
    pub in_cover: f64,
    /// The probability that the unit survives, Reduced or wounded.
    pub hurt: f64,
    /// The probability that the unit survives pinned, hurt or not.
    pub pinned: f64,
    pub eliminated: f64,
    /// The probability that the unit is eliminated for Failure to Rout.
    pub failed: f64,
    pub captured: f64,
}

impl RoutCourse {
    /// Returns the Locations entered, each with true if the unit is Interdicted there.
    pub fn entries(&self) -> impl Iterator<Item = (Location, bool)> {
        let is_interdicted = |place| self.interdicted.contains(&place);
        let entries = self.route.iter().enumerate();
        entries.map(move |(place, &location)| (location, is_interdicted(place)))
    }

    fn misses(&self) -> bool {
        self.route.last().copied() != self.plan.end()
    }

    /// Returns by how much the course is better than another: the first difference in the chances
    /// to survive, to be in cover unreduced, to be unhurt, to be in cover, or 0.
    pub fn lead(&self, other: &RoutCourse) -> f64 {
        let [this, that] = [self, other].map(|course| expected(&course.odds.chances));
        let mut differences = this.iter().zip(that).map(|(this, that)| this - that).take(CHANCES);
        differences.find(|difference| difference.abs() > EQUAL).unwrap_or(0.0)
    }

    pub fn summary(&self) -> CourseSummary {
        CourseSummary::from_chances(&self.odds.chances)
    }
}

impl CourseSummary {
    /// Returns the probabilities that every table shows, with their names in JSON.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("survives", self.survives),
            ("in_cover", self.in_cover),
            ("hurt", self.hurt),
            ("pinned", self.pinned),
            ("eliminated", self.eliminated),
            ("captured", self.captured),
        ]
    }

    pub(super) fn from_chances(chances: &[Chance<RoutOutcome>]) -> CourseSummary {
        CourseSummary::from_odds(chances.iter().map(|chance| (&chance.outcome, chance.probability)))
    }

    /// Sums the probabilities of outcomes. `odds` has each outcome with its probability.
    pub fn from_odds<'a>(odds: impl IntoIterator<Item = (&'a RoutOutcome, f64)>) -> CourseSummary {
        let mut sum = CourseSummary::default();
        for (outcome, chance) in odds {
            let (survives, status) = (outcome.survives(), outcome.unit.status);
            let unhurt = survives && !outcome.is_hurt;
            for (part, holds) in [
                (&mut sum.survives, survives),
                (&mut sum.unhurt, unhurt),
                (&mut sum.in_cover, unhurt && outcome.in_cover),
                (&mut sum.hurt, survives && outcome.is_hurt),
                (&mut sum.pinned, survives && outcome.pinned),
                (&mut sum.eliminated, status == Status::Eliminated),
                (&mut sum.failed, outcome.failed),
                (&mut sum.captured, status == Status::Captured),
            ] {
                *part += if holds { chance } else { 0.0 };
            }
        }
        sum
    }
}

/// The prospects of one routing unit: what the rules demand, its options, and all plans.
pub struct Prospect {
    pub ruling: Ruling,
    pub outlook: Outlook,
    /// The first actions, each with its chances to survive, and to end in cover unreduced.
    pub first_actions: Vec<(FirstAction, [f64; 2])>,
    /// The best plan to each end, best first.
    pub courses: Vec<RoutCourse>,
    /// The number of plans left out because another plan to the same end is at least as good.
    pub dominated: usize,
}

/// Computes the prospects of one unit of a situation, while the others stay in place.
///
/// # Errors
///
/// Fails if a rout has too many states, or if `watch` cancels it.
pub fn prospect(
    situation: &Situation,
    router: &Router,
    watch: Monitor,
) -> Result<Prospect, EngineError> {
    let rout = Rout::new(situation, router);
    let first_actions = first_actions(&rout, watch)?;
    let plans = rout.plans();
    let all = plans.len();
    let mut courses: Vec<(Value, RoutCourse)> = Vec::new();
    for plan in plans {
        let (worth, course) = course(&rout, plan, false, watch)?;
        match courses.iter_mut().find(|(_, other)| {
            other.plan.end() == plan.end() && !crawls(other.plan) && !crawls(plan)
        }) {
            Some(other) if is_better(&worth, &other.0) => *other = (worth, course),
            Some(_) => {}
            None => courses.push((worth, course)),
        }
    }
    let mut shorter = Vec::new();
    for (_, long) in &courses {
        let (worth, short) = course(&rout, long.plan, true, watch)?;
        if short.mf < long.mf && short.route.last() == long.route.last() {
            shorter.push((worth, short));
        }
    }
    let all = all + shorter.len();
    courses.extend(shorter);
    courses.sort_by(|(a, one), (b, other)| by_worth(a, b).then(one.misses().cmp(&other.misses())));
    // Two plans have the same result if a newly Known enemy always prevents one of them.
    let mut kept: Vec<(Value, RoutCourse)> = Vec::new();
    for (worth, course) in courses {
        let same = |(_, other): &(Value, RoutCourse)| {
            other.route == course.route && other.odds.chances == course.odds.chances
        };
        if !(course.misses() && kept.iter().any(same)) {
            kept.push((worth, course));
        }
    }
    let courses: Vec<RoutCourse> = kept.into_iter().map(|(_, course)| course).collect();
    let dominated = all - courses.len();
    let (ruling, outlook) = (rout.ruling().clone(), rout.outlook());
    Ok(Prospect { ruling, outlook, first_actions, courses, dominated })
}

fn crawls(plan: RoutPlan) -> bool {
    matches!(plan, RoutPlan::Crawl(_))
}

/// Compares two values so that the better one is less.
pub(super) fn by_worth(a: &Value, b: &Value) -> Ordering {
    match (is_better(a, b), is_better(b, a)) {
        (true, _) => Ordering::Less,
        (_, true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

/// Returns the first actions, each with its chances under best play afterwards, best first.
fn first_actions(rout: &Rout, watch: Monitor) -> Result<Vec<(FirstAction, [f64; 2])>, EngineError> {
    let mut solution = Solution::new(rout, worth_of, STATES).watched(watch);
    let start = rout.start(&mut Silent);
    if !matches!(rout.due(&start), Due::Choice { .. }) {
        let [survives, in_cover, ..] = solution.worth(&start)?;
        return Ok(vec![(FirstAction::Stay, [survives, in_cover])]);
    }
    // An action can follow a declaration.
    let after = rout.first_actions(&start).flat_map(|(action, next)| match action {
        Some(_) => vec![(action, next)],
        None => rout.first_actions(&next).collect(),
    });
    let mut best: IndexMap<FirstAction, Value> = IndexMap::new();
    for (action, next) in after {
        let Some(action) = action else { continue };
        let worth = solution.worth(&next)?;
        let known = best.entry(action).or_insert(worth);
        if is_better(&worth, known) {
            *known = worth;
        }
    }
    best.sort_by(|a, left, b, right| by_worth(left, right).then(a.cmp(b)));
    Ok(best.into_iter().map(|(action, worth)| (action, [worth[0], worth[1]])).collect())
}

/// A plan under best play, which is a process without choices.
pub type BestRout = WithPolicy<'static, Rout>;

/// Returns a plan under best play. If `shortest` is true, only the shortest routes are allowed.
///
/// # Errors
///
/// Fails if the rout has too many states, or if `watch` cancels it.
pub fn best_play(
    rout: &Rout,
    plan: RoutPlan,
    shortest: bool,
    watch: Monitor,
) -> Result<BestRout, EngineError> {
    let planned = rout.with_plan(plan, shortest);
    let (_, play) = solve(&planned, watch)?;
    Ok(WithPolicy::new(planned, move |_: &Rout, state: &RoutState, _, _| play.best(state)))
}

fn course(
    rout: &Rout,
    plan: RoutPlan,
    shortest: bool,
    watch: Monitor,
) -> Result<(Value, RoutCourse), EngineError> {
    let planned = rout.with_plan(plan, shortest);
    let (worth, play) = solve(&planned, watch)?;
    let (route, interdicted, mf) = route(&planned, &play);
    let under = WithPolicy::new(planned, |_: &Rout, state: &RoutState, _, _| play.best(state));
    let odds = exact::odds(&under, Bound::STANDARD.watched(watch))?;
    Ok((worth, RoutCourse { plan, shortest, route, mf, interdicted, odds }))
}

/// Returns the Locations, the Interdicted ones and the MF of a plan if every check is passed.
fn route(planned: &Rout, play: &SolvedPolicy<RoutState>) -> (Vec<Location>, Vec<usize>, Mf) {
    let mut state = planned.start(&mut Silent);
    let (mut locations, mut interdicted) = (Vec::new(), Vec::<usize>::new());
    loop {
        match planned.due(&state) {
            Due::Choice { player: Player::Enemy, .. } => planned.choose(&mut state, 0, &mut Silent),
            Due::Choice { player: Player::Owner, .. } => {
                let best = play.best(&state);
                let before = planned.position(&state);
                planned.choose(&mut state, best, &mut Silent);
                let after = planned.position(&state);
                // A repulsed rout (10.533) ends in its previous Location, not entered again.
                if after != before {
                    locations.push(after.0);
                }
            }
            Due::Roll(dice, terms) => {
                // Every roll of a rout belongs to an Interdiction in the Location just entered.
                let entry = locations.len().saturating_sub(1);
                if interdicted.last() != Some(&entry) {
                    interdicted.push(entry);
                }
                let mut readings = dice.distinct().map(|(face, _)| planned.read(&terms, face));
                let passed = readings.find(|read| read.verdict == Verdict::Passed && !read.heats);
                let Some(passed) = passed else { break };
                planned.apply(&mut state, passed, &mut Silent);
            }
            Due::Report(_) | Due::Over => break,
        }
    }
    let (_, spent) = planned.position(&state);
    (locations, interdicted, Mf::halves(spent))
}
