//! Tests of the coverage of 95 % intervals, over many seeds. The intervals of plain, stratified and
//! paired runs are compared with the exact odds.
//!
//! The long run takes some minutes:
//! `LOWCRAWL_SEEDS=4000 cargo test --release --no-default-features --test engines coverage --
//! --nocapture`.
//! It prints the coverage of every band and applies the exact limits. The short run allows for its
//! own random error.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::common::{ask, exact_odds, slot};
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::{paired, stratified};
use lowcrawl::play::{Objective, Playable as _};
use lowcrawl::process::{Question as _, ReportIndex};
use lowcrawl::stats::{PairedMean, PairedProportions, Proportion, Strata, Unseen};

const CONFIDENCE: f64 = 0.95;

fn seeds() -> u64 {
    let number = std::env::var("LOWCRAWL_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    number.unwrap_or(if cfg!(debug_assertions) { 300 } else { 1000 })
}

/// Ranges of expected counts, each with the range that the mean coverage of its outcomes must have.
const BANDS: [(Range<f64>, Range<f64>); 4] = [
    (0.0..1.0, 0.94..1.0),
    (1.0..5.0, 0.94..1.0),
    (5.0..20.0, 0.94..0.96),
    (20.0..f64::INFINITY, 0.94..0.96),
];

/// Smallest coverage that any single outcome may have.
const LEAST: f64 = 0.92;

/// Results for one outcome over all runs.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// The expected number of successes or of failures in a run, whichever is smaller.
    expected: f64,
    runs: u64,
    held: u64,
}

impl Tally {
    fn record(&mut self, truth: f64, (low, high): (f64, f64)) {
        self.runs += 1;
        // Rounding errors do not count.
        self.held += u64::from(low - 1e-12 <= truth && truth <= high + 1e-12);
    }

    fn coverage(&self) -> f64 {
        self.held as f64 / self.runs as f64
    }
}

/// Panics unless every band and every outcome has the required coverage, and no band is empty.
fn assert_covered(what: &str, tallies: &[Tally]) {
    let runs = tallies[0].runs as f64;
    // Outcomes of a run are correlated, so the mean of a band is no more precise than one outcome.
    let (of_mean, of_one) = if runs < 4000.0 { (2.5, 4.0) } else { (0.0, 0.0) };
    let slack = |share: f64, errors: f64| errors * (share * (1.0 - share) / runs).sqrt();
    for (expected, required) in BANDS {
        let band: Vec<f64> = tallies
            .iter()
            .filter(|tally| expected.contains(&tally.expected))
            .map(Tally::coverage)
            .collect();
        assert!(!band.is_empty(), "{what}: nothing is expected {expected:?} times");
        let (mean, least) = (
            band.iter().sum::<f64>() / band.len() as f64,
            band.iter().copied().fold(1.0, f64::min),
        );
        println!(
            "{what}, {expected:?} expected: {} outcomes, {mean:.4} on average, {least:.4} at least",
            band.len()
        );
        let slack_of_mean = slack(CONFIDENCE, of_mean);
        assert!(
            required.start - slack_of_mean <= mean && mean <= required.end + slack_of_mean,
            "{what}, {expected:?}: {mean}"
        );
        assert!(least >= LEAST - slack(LEAST, of_one), "{what}, {expected:?}: {least}");
    }
}

fn questions() -> [Question; 3] {
    let stack = "stack=german:8-1 + german:4-6-7";
    [
        ask(QuestionKind::Fire, &format!("{stack}; fp=8; hob")),
        ask(QuestionKind::Check, &format!("{stack}; mc=1; hob")),
        ask(QuestionKind::Rally, "stack=german:4-6-7/dm; leader=8-1; phases=4; hob"),
    ]
}

/// Returns the exact odds of the outcomes that are not certain.
fn truths(question: &Question) -> BTreeMap<(ReportIndex, Outcome), f64> {
    let chances = exact_odds(&question.whole()).chances;
    chances
        .into_iter()
        .map(|chance| ((chance.point, chance.outcome), chance.probability))
        .filter(|(_, p)| *p < 1.0)
        .collect()
}

fn expected(truth: f64, trials: u64) -> f64 {
    truth.min(1.0 - truth) * trials as f64
}

#[test]
fn plain_intervals_have_95_percent_coverage() {
    let mut tallies = Vec::new();
    for question in questions() {
        let (process, truths) = (question.whole(), truths(&question));
        let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
        for trials in [300, 4_000] {
            let new = |(outcome, truth): (&(ReportIndex, Outcome), &f64)| {
                (
                    outcome.clone(),
                    (*truth, Tally { expected: expected(*truth, trials), ..Tally::default() }),
                )
            };
            let mut of_run: BTreeMap<(ReportIndex, Outcome), (f64, Tally)> =
                truths.iter().map(new).collect();
            for seed in 0..seeds() {
                let run =
                    simulator.run(&Plan { threads: Some(1), ..Plan::new(trials, seed) }).unwrap();
                let counts: BTreeMap<_, u64> = run
                    .counts
                    .into_iter()
                    .map(|(point, outcome, count)| ((point, outcome), count))
                    .collect();
                for (outcome, (truth, tally)) in &mut of_run {
                    let count = counts.get(outcome).copied().unwrap_or(0);
                    tally.record(*truth, Proportion { count, trials }.interval(CONFIDENCE));
                }
            }
            tallies.extend(of_run.into_values().map(|(_, tally)| tally));
        }
    }
    assert_covered("plain", &tallies);
}

/// The expected count of stratified runs is the variance within the strata, which is due to the
/// rolls after the first ones. For a rare outcome that is its count.
#[test]
fn stratified_intervals_have_95_percent_coverage() {
    let mut tallies = Vec::new();
    for question in questions() {
        let (process, truths) = (question.whole(), truths(&question));
        for (rolls, trials) in [(1, 360), (1, 3_600), (2, 2_592)] {
            let mut of_run: BTreeMap<(ReportIndex, Outcome), Tally> =
                truths.keys().map(|outcome| (outcome.clone(), Tally::default())).collect();
            let mut left_to_chance: BTreeMap<(ReportIndex, Outcome), f64> = BTreeMap::new();
            for seed in 0..seeds() {
                let run = stratified::run(
                    &process,
                    &Plan { threads: Some(1), ..Plan::new(trials, seed) },
                    rolls,
                )
                .unwrap();
                let found: BTreeMap<_, Strata> = run
                    .into_iter()
                    .map(|(point, outcome, strata)| ((point, outcome), strata))
                    .collect();
                for (outcome, tally) in &mut of_run {
                    let strata = found
                        .get(outcome)
                        .copied()
                        .unwrap_or(Strata { trials, ..Strata::default() });
                    tally.record(truths[outcome], strata.interval(CONFIDENCE));
                    *left_to_chance.entry(outcome.clone()).or_default() +=
                        (strata.std_error() * trials as f64).powi(2) / seeds() as f64;
                }
            }
            // Outcomes decided by the first rolls have no error.
            let left = of_run
                .into_iter()
                .map(|(outcome, tally)| Tally { expected: left_to_chance[&outcome], ..tally });
            tallies.extend(left.filter(|tally| tally.expected > 0.0));
        }
    }
    assert_covered("stratified", &tallies);
}

/// The expected count of a difference to the first course is the number of sequences that differ.
#[test]
fn paired_intervals_have_95_percent_coverage() {
    let mut tallies = Vec::new();
    let stack = "stack=german:8-1 + german:4-6-7";
    let fire = |fp, drm| ask(QuestionKind::Fire, &format!("{stack}; fp={fp}; drm={drm}; hob"));
    let rally = |leader| {
        ask(QuestionKind::Rally, &format!("stack=german:4-6-7/dm; leader={leader}; phases=4; hob"))
    };
    for courses in
        [[fire(8, 0), fire(8, 1)], [fire(8, 0), fire(6, 0)], [rally("8-0"), rally("8-1")]]
    {
        let processes = courses.each_ref().map(|question| question.whole());
        let truths = courses.each_ref().map(truths);
        for trials in [300, 4_000] {
            let mut of_run: BTreeMap<(ReportIndex, Outcome), (u64, Tally)> = BTreeMap::new();
            let all = truths.iter().flat_map(BTreeMap::keys).cloned();
            of_run.extend(all.map(|outcome| (outcome, Default::default())));
            for seed in 0..seeds() {
                let plan = Plan { threads: Some(1), ..Plan::new(trials, seed) };
                let run = paired::run(
                    &processes,
                    &plan,
                    |_, point, outcome| Some((point, outcome.clone())),
                    |_, _, _| 0.0,
                )
                .unwrap();
                for (outcome, (differing, tally)) in &mut of_run {
                    let [first, second] =
                        truths.each_ref().map(|truths| truths.get(outcome).copied().unwrap_or(0.0));
                    let paired::Share { gained, lost, .. } = run.courses[1].share(outcome);
                    *differing += gained + lost;
                    tally.record(
                        second - first,
                        PairedProportions { gained, lost, trials }.interval(CONFIDENCE),
                    );
                }
            }
            // If no sequence ever differs, there is nothing to estimate.
            let found = of_run.into_values().filter(|(differing, _)| *differing > 0);
            tallies.extend(found.map(|(differing, tally)| Tally {
                expected: differing as f64 / seeds() as f64,
                ..tally
            }));
        }
    }
    assert_covered("paired", &tallies);
}

/// The gain of a course over the first is measured by objectives that count units. The expected
/// count is the number of sequences that differ.
#[test]
fn objective_intervals_have_95_percent_coverage() {
    let mut tallies = Vec::new();
    let squads = "german:8-1 + 2x german:4-6-7";
    let fire = |stack, fp, drm| {
        ask(QuestionKind::Fire, &format!("stack={stack}; fp={fp}; drm={drm}; hob"))
    };
    let check = |stack, mc| ask(QuestionKind::Check, &format!("stack={stack}; mc={mc}; hob"));
    let courses = [
        [fire(squads, 8, 0), fire(squads, 8, 1)],
        [fire(squads, 2, 1), fire(squads, 1, 2)],
        [fire(squads, 12, 0), fire("german:9-2 + 2x german:4-6-7", 12, 0)],
        [check(squads, 0), check("german:10-2 + 2x german:4-6-7", 0)],
    ];
    for (courses, name) in courses
        .iter()
        .flat_map(|courses| ["good-order", "squad-equivalents", "cvp"].map(|name| (courses, name)))
    {
        let objective = Objective::named(name, MEASURES, &[]).unwrap();
        let processes = courses.each_ref().map(|question| question.whole());
        let gain = |point, outcome: &Outcome| {
            courses[0].ending(point, outcome).map_or(0.0, |(_, amounts)| objective.worth(&amounts))
        };
        let worth = processes.each_ref().map(|process| {
            let chances = exact_odds(process).chances;
            chances
                .iter()
                .map(|chance| chance.probability * gain(chance.point, &chance.outcome))
                .sum::<f64>()
        });
        // The bound that a comparison knows before any sequence is drawn.
        let possible = processes.iter().flat_map(|process| exact_odds(process).chances);
        let most =
            possible.map(|chance| gain(chance.point, &chance.outcome).abs()).fold(0.0, f64::max);
        for trials in [30, 300, 1_500] {
            let (mut differing, mut tally) = (0.0, Tally::default());
            for seed in 0..seeds() {
                let plan = Plan { threads: Some(1), ..Plan::new(trials, seed) };
                let run = paired::run(
                    &processes,
                    &plan,
                    |_, _, _| None::<()>,
                    |_, point, outcome| gain(point, outcome),
                )
                .unwrap();
                let found = run.courses[1].difference;
                assert!(found.most <= most);
                let found = PairedMean { most, ..found };
                let all = found.gained.joined(found.lost);
                differing += if all.sum > 0.0 { all.sum * all.sum / all.squares } else { 0.0 };
                tally.record(worth[1] - worth[0], found.interval(CONFIDENCE));
            }
            tallies.push(Tally { expected: differing / seeds() as f64, ..tally });
        }
    }
    assert_covered("objective", &tallies);
}

/// The bound on all undrawn outcomes of a unit together, at a report point, holds in at least 95 of
/// 100 runs.
#[test]
fn bound_on_undrawn_outcomes_holds_in_95_percent_of_runs() {
    for question in questions() {
        let (process, truths) = (question.whole(), truths(&question));
        let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
        for trials in [30, 300, 4_000] {
            let mut of_run: BTreeMap<(ReportIndex, u8), (u64, u64)> = BTreeMap::new();
            for seed in 0..seeds() {
                let run =
                    simulator.run(&Plan { threads: Some(1), ..Plan::new(trials, seed) }).unwrap();
                let counts: BTreeMap<_, u64> = run
                    .counts
                    .into_iter()
                    .map(|(point, outcome, count)| ((point, outcome), count))
                    .collect();
                let mut units: BTreeMap<(ReportIndex, u8), (f64, Unseen)> = BTreeMap::new();
                for (outcome, truth) in &truths {
                    let unit = units
                        .entry((outcome.0, slot(&outcome.1)))
                        .or_insert((0.0, Unseen { trials, ..Unseen::default() }));
                    match counts.get(outcome) {
                        None => unit.0 += truth,
                        Some(1) => unit.1.once += 1,
                        Some(2) => unit.1.twice += 1,
                        Some(_) => {}
                    }
                }
                for (unit, (missing, unseen)) in units {
                    let (held, runs) = of_run.entry(unit).or_default();
                    (*held, *runs) =
                        (*held + u64::from(missing <= unseen.at_most(CONFIDENCE)), *runs + 1);
                }
            }
            for (unit, (held, runs)) in of_run {
                assert!(
                    held as f64 / runs as f64 >= 0.95,
                    "{trials} trials, {unit:?}: {held} of {runs}"
                );
            }
        }
    }
}
