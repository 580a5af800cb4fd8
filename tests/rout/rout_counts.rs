//! Tests of the counts of units by their outcome in a Rout Phase.
//! They are compared with a full list of the joint outcomes of all units, and with dice.
#![cfg(feature = "cli")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use crate::board;
use crate::fit::chi_squared;
use lowcrawl::answer::{Counting, Engine, Options, Trials, UnitCounts};
use lowcrawl::asl::catalogue::{CATALOGUE, CounterKind};
use lowcrawl::asl::outcome::UnitOutcome;
use lowcrawl::asl::rout::{Enemy, PhaseState, RoutOutcome, RoutPhase, Router, Situation};
use lowcrawl::asl::unit::Status;
use lowcrawl::course::phase::{BestPlay, SCHEME, counts, in_order};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::process::{Due, Process, Silent, WithPolicy};
use lowcrawl::scenario::{as_written, read};

/// Returns a shipped situation with `others` more routing units in the hex of each of its units.
fn shipped(name: &str, others: usize) -> Situation {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let open = |table: &str| fs::read_to_string(folder.join(table));
    let mut situation =
        read(&text, &as_written, &open).unwrap_or_else(|error| panic!("{error:?}")).situation;
    let kinds = board::full().routers;
    let once = situation.routers.clone();
    for kind in [2, 4, 0].into_iter().take(others) {
        let member = &kinds[kind].member;
        let copies = once.iter().map(|router| Router { member: member.clone(), ..router.clone() });
        situation.routers.extend(copies);
    }
    situation
}

/// 10.52: adds an enemy to the Location of the units, so that they cannot Low Crawl and must run.
/// The enemy takes no prisoners.
fn driven_out(mut situation: Situation) -> Situation {
    for router in &situation.routers {
        let enemy = Enemy { at: router.at, ..situation.enemies[0].clone() };
        situation.enemies.push(enemy);
    }
    situation.no_quarter = true;
    situation
}

/// Returns a board with a squad, a half-squad, a wounded leader and a Disrupted conscript squad.
fn of_a_board() -> Situation {
    let mut situation = board::full();
    situation.routers = [0, 2, 4, 5].map(|place| situation.routers[place].clone()).to_vec();
    situation
}

type Joint = HashMap<Vec<UnitOutcome>, f64>;

/// Returns the joint outcomes of a process, found roll by roll.
fn joint<P: Process<Outcome = RoutOutcome>>(process: &P) -> Joint {
    let mut ends = Joint::new();
    let mut open: HashMap<(P::State, Vec<UnitOutcome>), f64> =
        HashMap::from([((process.start(&mut Silent), Vec::new()), 1.0)]);
    while !open.is_empty() {
        let mut later = HashMap::new();
        for ((mut state, mut outcomes), odds) in open {
            while let Due::Report(_) = process.due(&state) {
                process.report(&state, &mut |outcome| outcomes.push(outcome.unit));
                process.pass(&mut state, &mut Silent);
            }
            match process.due(&state) {
                Due::Roll(dice, terms) => {
                    let faces: f64 = dice.distinct().map(|(_, weight)| weight as f64).sum();
                    for (face, weight) in dice.distinct() {
                        let mut next = state.clone();
                        process.apply(&mut next, process.read(&terms, face), &mut Silent);
                        let share = odds * weight as f64 / faces;
                        *later.entry((next, outcomes.clone())).or_default() += share;
                    }
                }
                Due::Over => *ends.entry(outcomes).or_default() += odds,
                _ => panic!("every choice is made, every report is passed"),
            }
        }
        open = later;
    }
    ends
}

/// Returns the number of half-squads that a counter stands for (A5.1), or 1 in groups of whole
/// units. It is 0 outside of the group.
fn parts(group: &str, kind: CounterKind) -> u8 {
    use CounterKind::{Commissar, Crew, HalfSquad, Hero, Leader, Squad};
    match (group, kind) {
        ("squad-equivalents", Squad) => 2,
        ("squad-equivalents" | "mmc", HalfSquad | Crew) | ("mmc", Squad) | ("units", _) => 1,
        ("leaders", Leader | Commissar) => 1,
        ("squad-equivalents" | "mmc" | "leaders", _) => 0,
        (group, kind) => panic!("{kind:?} in {group}: {Hero:?} is in none of them"),
    }
}

/// Returns how much of a group holds, breaks, is lost and goes berserk.
fn tally(group: &str, routers: &[&Router], outcomes: &[UnitOutcome]) -> [u8; 4] {
    let mut numbers = [0; 4];
    for (router, outcome) in routers.iter().zip(outcomes) {
        let began = parts(group, router.member.printed().kind);
        let class = match outcome.status {
            Status::Eliminated | Status::Captured => 2,
            Status::Broken | Status::Disrupted => 1,
            Status::Berserk => 3,
            _ => 0,
        };
        let left = match (group, outcome.counter) {
            _ if class == 2 => began,
            ("squad-equivalents", Some(counter)) => parts(group, CATALOGUE.get(counter).kind),
            _ => began,
        };
        numbers[class] += left;
        numbers[2] += began - left;
    }
    numbers
}

fn close(what: &str, a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{what}: {a} and {b}");
}

/// Returns the counts of a phase with units in the order of the file, these units in the order in
/// which they rout, and that order.
fn counted<'a>(
    situation: &'a Situation,
    counting: Counting,
    options: &Options,
) -> (UnitCounts, Vec<&'a Router>, Vec<usize>) {
    let order: Vec<usize> = (0..situation.routers.len()).collect();
    let counts = counts(situation, &order, counting, options).unwrap().unwrap();
    let phase = RoutPhase::new(situation, order).unwrap();
    let order = phase.order().to_vec();
    (counts, order.iter().map(|&unit| &situation.routers[unit]).collect(), order)
}

/// Compares the counts of every group of a situation with all joint outcomes.
/// It compares their means with the odds of each unit by itself, and returns the number of joint
/// outcomes.
fn compare(what: &str, situation: &Situation) -> usize {
    let (_, routers, order) = counted(situation, Counting::IMPLICIT, &Options::default());
    let play = BestPlay::default();
    let phase = RoutPhase::new(situation, order.clone()).unwrap();
    let process = WithPolicy::new(phase, |phase: &RoutPhase, state: &PhaseState, _, _| {
        play.option(phase, state)
    });
    let all = joint(&process);
    close(what, all.values().sum(), 1.0);
    let units = in_order(situation, &order, Monitor::NONE).unwrap().unwrap();
    for group in SCHEME.groups {
        let counting = Counting { group: Some(group), is_requested: true, ..Counting::IMPLICIT };
        let (counts, ..) = counted(situation, counting, &Options::default());
        let what = format!("{what}, {}", group.name);
        let mut twin: BTreeMap<[u8; 4], f64> = BTreeMap::new();
        for (outcomes, odds) in &all {
            *twin.entry(tally(group.name, &routers, outcomes)).or_default() += odds;
        }
        let actual: BTreeMap<[u8; 4], f64> = counts
            .tallies
            .iter()
            .map(|(_, tally, figure)| ([0, 1, 2, 3].map(|class| tally.classes[class]), figure))
            .map(|(tally, figure)| (tally, figure.probability()))
            .collect();
        assert!(actual.keys().eq(twin.keys()), "{what}: {actual:?} and {twin:?}");
        for (tally, odds) in &actual {
            close(&format!("{what}, {tally:?}"), *odds, twin[tally]);
        }
        let whole: u8 =
            routers.iter().map(|router| parts(group.name, router.member.printed().kind)).sum();
        assert_eq!(counts.whole, whole, "{what}");
        for class in 0..4 {
            let rows = || counts.rows().into_iter().filter(move |row| row.class == class);
            close(&what, rows().map(|row| row.figure.probability()).sum(), 1.0);
            let mean = counts.mean(counts.last_point(), class).unwrap().value;
            close(&what, rows().map(|row| row.number * row.figure.probability()).sum(), mean);
            let of_units = units.odds.iter().zip(&routers).flat_map(|(odds, router)| {
                odds.iter().map(move |chance| {
                    let outcomes = [chance.outcome.unit];
                    chance.probability * f64::from(tally(group.name, &[*router], &outcomes)[class])
                })
            });
            close(&what, of_units.sum::<f64>() / f64::from(group.parts), mean);
        }
    }
    all.len()
}

/// A10.5, A10.53: shipped units rout one after another, as they are and driven out.
#[test]
fn counts_agree_with_all_joint_outcomes() {
    let mut many = 0;
    for (name, others) in [
        ("a10-531.toml", 0),
        ("a10-531-no-quarter.toml", 0),
        ("a10-533-nearest.toml", 1),
        ("sk01.toml", 2),
        ("sk03.toml", 1),
        ("sk06b.toml", 2),
        ("sk07.toml", 2),
        ("sk08-leader.toml", 1),
        ("sk10.toml", 2),
        ("two-turns-to-cover.toml", 2),
    ] {
        let situation = shipped(name, others);
        assert!(situation.routers.len() > 1, "{name}");
        let found = compare(name, &situation);
        let driven = compare(&format!("{name}, driven out"), &driven_out(situation));
        eprintln!("{name}: {found}, driven out {driven}");
        many += usize::from(found > 3) + usize::from(driven > 3);
    }
    assert!(many >= 5, "{many}");
}

#[test]
fn counts_of_a_full_board_agree_with_joint_outcomes() {
    compare("board", &of_a_board());
    assert!(compare("board, driven out", &driven_out(of_a_board())) > 3);
}

/// A single unit is a group of one.
#[test]
fn counts_of_a_single_unit_agree_with_joint_outcomes() {
    assert!(compare("alone", &shipped("a10-533-nearest.toml", 0)) > 3);
}

#[test]
fn simulated_counts_agree_with_the_exact_ones() {
    const TRIALS: u64 = 100_000;
    let situation = driven_out(shipped("two-turns-to-cover.toml", 2));
    let exact = counted(&situation, Counting::IMPLICIT, &Options::default()).0;
    let options = Options {
        engine: Engine::MonteCarlo,
        trials: Trials::Number(TRIALS),
        seed: 19,
        ..Options::default()
    };
    let drawn = counted(&situation, Counting::IMPLICIT, &options).0;
    assert_eq!(drawn.footing.engine, "monte-carlo");
    let counts: HashMap<_, u64> = drawn
        .tallies
        .iter()
        .map(|(_, tally, figure)| (*tally, figure.counted().unwrap().0))
        .collect();
    let observed: Vec<u64> = exact
        .tallies
        .iter()
        .map(|(_, tally, _)| counts.get(tally).copied().unwrap_or_default())
        .collect();
    assert_eq!(observed.iter().sum::<u64>(), TRIALS, "something happens that cannot");
    let expected: Vec<f64> =
        exact.tallies.iter().map(|(.., figure)| figure.probability()).collect();
    assert!(expected.len() > 3, "{expected:?}");
    let test = chi_squared(&observed, &expected).unwrap();
    assert!(test.p_value > 1e-5, "{test:?}");
}
