//! Instruction counts of the hot loops, which do not depend on the load of the machine. Run
//! `cargo install gungraun-runner --version 0.20.0` once, then
//! `cargo bench --manifest-path benches/instructions/Cargo.toml` (needs valgrind). The run fails if
//! a count has grown by more than 3 % since the last run.

#![allow(missing_docs)]

#[path = "../../common/mod.rs"]
mod common;

use std::hint::black_box;

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use lowcrawl::asl::campaign::LaneCampaign;
use lowcrawl::asl::stack_process::StackProcess;
use lowcrawl::asl::question::Question;
use lowcrawl::course::campaign::gain;
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::dice::Base;
use lowcrawl::dice::stream::{CODES_PER_WORD, ChunkStream, next_code};
use lowcrawl::engine::exact::{Bound, Odds, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, RunCounts, Simulator};
use lowcrawl::process::{Process, Question as _};
use lowcrawl::play::{Best, Objective};

type Outcome = <StackProcess as Process>::Outcome;

#[library_benchmark]
fn stream() -> usize {
    let mut stream = ChunkStream::new(Base::Dr, black_box(36), 0);
    let sum = (0..10_000)
        .map(|_| {
            let mut word = stream.next_word();
            (0..CODES_PER_WORD).map(|_| next_code(Base::Dr, &mut word)).sum::<usize>()
        })
        .sum();
    // A roll code is 17.5 on average.
    assert!((1_560_000..1_590_000).contains(&sum), "{sum}");
    sum
}

fn reference_process() -> StackProcess {
    common::reference_job().whole()
}

#[library_benchmark]
#[bench::r(reference_process())]
fn exact(process: StackProcess) -> Odds<Outcome> {
    let odds = odds(black_box(&process), Bound::STANDARD).unwrap();
    assert_eq!(odds.chances.len(), common::ROWS_OF_R);
    odds
}

#[library_benchmark]
#[bench::r(reference_process())]
fn table_walk(process: StackProcess) -> RunCounts<Outcome> {
    let simulator = Simulator::new(black_box(&process), Monitor::NONE).unwrap();
    let counts = simulator.run(&Plan { threads: Some(1), ..Plan::new(65_536, 36) }).unwrap();
    assert_eq!(counts.counts.len(), common::ROWS_OF_R);
    counts
}

// Each stack has seven units. The number is how often in 1000 sequences the third unit is broken at
// the end. The dice are fixed, so this number is fixed too.
#[library_benchmark]
#[bench::big_stack(common::big_stack(), 652)]
#[bench::under_fire(common::big_stack_under_fire(), 534)]
#[bench::big_rally(common::big_rally(), 26)]
fn from_the_rules(question: Question, expected: u64) -> RunCounts<Outcome> {
    let process = question.whole();
    let counts = Simulator::Rules(black_box(&process))
        .run(&Plan { threads: Some(1), ..Plan::new(1000, 36) })
        .unwrap();
    let last = counts.counts.iter().map(|(point, _, _)| *point).max().unwrap();
    let broken = counts.counts.iter().filter(|(point, outcome, _)| {
        let label = question.label(*point, outcome);
        *point == last && label.slot == Some(3) && label.status == Some("broken")
    });
    assert_eq!(broken.map(|(_, _, count)| count).sum::<u64>(), expected);
    counts
}

#[library_benchmark]
#[bench::lane(common::lane(), Objective::named("good-order", MEASURES, &[]).unwrap())]
fn campaign(lane: LaneCampaign, objective: Objective) -> f64 {
    let campaign = black_box(&lane).campaign();
    let best = Best::solve(&campaign, gain(&campaign, &objective), Monitor::NONE).unwrap();
    let value = best.value[0];
    assert!((value - 0.729_482_818_875_068_7).abs() < 1e-12, "{value}");
    value
}

library_benchmark_group!(
    name = hot,
    benchmarks = [stream, exact, table_walk, from_the_rules, campaign]
);
main!(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().soft_limits([(EventKind::Ir, 3.0)])),
    library_benchmark_groups = hot
);
