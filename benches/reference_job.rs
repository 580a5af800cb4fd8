//! Benchmark R, the reference job: a squad in six Rally Phases, played as fast as possible. The
//! baseline plays the same job in plain Rust, with one struct per sequence. Each engine counts the
//! same rows (status and counter, by phase), and must agree with the exact probabilities.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::engine::automaton::{Automaton, MAX_ROWS};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::process::Question as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const TRIALS: u64 = 1 << 24;
/// The number of sequences played straight from the rules, which takes a hundred times as long.
const FEW_TRIALS: u64 = 1 << 19;
const PHASES: usize = 6;
/// The number of statuses: rallied 4-6-7, rallied 2-4-7, broken 4-6-7, broken 2-4-7, eliminated.
const STATUSES: usize = 5;

#[derive(Clone, Copy)]
struct Squad {
    half: bool,
    broken: bool,
    dm: bool,
    eliminated: bool,
}

impl Squad {
    fn status(self) -> usize {
        match (self.eliminated, self.broken, self.half) {
            (true, ..) => 4,
            (_, false, half) => usize::from(half),
            (_, true, half) => 2 + usize::from(half),
        }
    }
}

/// Rolls one die (0 to 5) from the lower half of a word, by multiplication and shift.
fn dr(half_word: u64) -> u64 {
    ((half_word & 0xffff_ffff) * 6) >> 32
}

/// Plays the job in plain Rust, with one xoshiro256++ generator and an array of counts.
fn baseline(trials: u64, seed: u64) -> [[u64; STATUSES]; PHASES] {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = [[0; STATUSES]; PHASES];
    for _ in 0..trials {
        let mut squad = Squad { half: false, broken: true, dm: true, eliminated: false };
        for phase in &mut tally {
            if squad.broken && !squad.eliminated {
                let word = generator.next_u64();
                let original = dr(word) + dr(word >> 32) + 2;
                let level = 7 - i64::from(squad.half);
                let drm = if squad.dm { 4 } else { 0 } - 1 - 1;
                if original == 12 {
                    squad.eliminated = squad.half;
                    squad.half = true;
                } else if original as i64 + drm <= level {
                    squad.broken = false;
                }
                squad.dm = false;
            }
            phase[squad.status()] += 1;
        }
    }
    tally
}

/// Asserts that `share` is the probability to be rallied after six phases, as 4-6-7 or 2-4-7
/// (A10.6).
fn assert_rallied(share: f64, trials: f64) {
    let exact: f64 = common::rallied_after_six(&common::reference_job());
    let error = (exact * (1.0 - exact) / trials).sqrt();
    assert!((share - exact).abs() < 6.0 * error, "{share} instead of {exact}");
}

fn rallied_share(
    question: &lowcrawl::asl::question::Question,
    simulator: &Simulator<lowcrawl::asl::stack_process::StackProcess>,
    plan: &Plan,
) -> f64 {
    let counts = simulator.run(plan).unwrap();
    let rallied = counts.counts.iter().filter(|(point, outcome, _)| {
        *point == PHASES as u16 && question.label(*point, outcome).status == Some("rallied")
    });
    rallied.map(|(_, _, count)| *count as f64).sum::<f64>() / counts.trials as f64
}

fn sequences(criterion: &mut Criterion) {
    let question = common::reference_job();
    let process = question.whole();
    let mut group = criterion.benchmark_group("R");
    group.throughput(Throughput::Elements(TRIALS)).sample_size(20);
    group.bench_function("plain xoshiro baseline, one core", |bencher| {
        bencher.iter(|| {
            let tally = baseline(black_box(TRIALS), 36);
            assert_rallied((tally[5][0] + tally[5][1]) as f64 / TRIALS as f64, TRIALS as f64);
        });
    });
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    assert!(matches!(simulator, Simulator::Table(_)));
    let rules = Simulator::Rules(&process);
    let entrants = [
        ("table walk, one core", &simulator, Some(1), TRIALS),
        ("table walk, all cores", &simulator, None, TRIALS),
        ("straight from the rules, one core", &rules, Some(1), FEW_TRIALS),
    ];
    for (name, simulator, threads, trials) in entrants {
        group.throughput(Throughput::Elements(trials));
        group.bench_function(name, |bencher| {
            let plan = Plan { threads, ..Plan::new(trials, 36) };
            bencher.iter(|| {
                assert_rallied(rallied_share(&question, simulator, black_box(&plan)), trials as f64)
            });
        });
    }
    group.finish();
}

fn exact(criterion: &mut Criterion) {
    let question = common::reference_job();
    let mut group = criterion.benchmark_group("exact R");
    group.bench_function("rules to fractions", |bencher| {
        bencher.iter(|| {
            let odds = odds(&black_box(&question).whole(), Bound::STANDARD).unwrap();
            assert_eq!(odds.chances.len(), common::ROWS_OF_R);
            odds
        });
    });
    group.bench_function("rules to table", |bencher| {
        bencher.iter(|| {
            let table = Automaton::explore(&black_box(&question).whole(), MAX_ROWS, Monitor::NONE);
            assert_eq!(table.unwrap().unwrap().noted.len(), common::ROWS_OF_R);
        });
    });
    assert!(common::rallied_after_six(&question) > 0.99);
    group.finish();
}

criterion_group!(benches, sequences, exact);
criterion_main!(benches);
