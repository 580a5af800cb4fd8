//! Instruction counts of the hot loops, as a guard that a busy machine cannot blur: `cargo install gungraun-runner --version 0.20.0`
//! once, then `cargo bench --manifest-path benches/instructions/Cargo.toml` (needs valgrind). It fails where a count has grown by more
//! than 5 % over the last run.

#![allow(missing_docs)]

#[path = "../../common/mod.rs"]
mod common;

use std::hint::black_box;

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use lowcrawl::asl::engagement::Engagement;
use lowcrawl::dice::Base;
use lowcrawl::dice::stream::{CODES_PER_WORD, ChunkStream, next_code};
use lowcrawl::engine::exact::{Bound, Odds, odds};
use lowcrawl::engine::monte_carlo::{Counts, Plan, Simulator};
use lowcrawl::process::{Process, Question as _};

type Outcome = <Engagement as Process>::Outcome;

#[library_benchmark]
fn stream() -> usize {
    let mut stream = ChunkStream::new(Base::Dr, black_box(36), 0);
    let sum = (0..10_000)
        .map(|_| {
            let mut word = stream.next_word();
            (0..CODES_PER_WORD).map(|_| next_code(Base::Dr, &mut word)).sum::<usize>()
        })
        .sum();
    // The mean code is 17.5.
    assert!((1_560_000..1_590_000).contains(&sum), "{sum}");
    sum
}

fn reference_process() -> Engagement {
    common::reference_job().whole()
}

#[library_benchmark]
#[bench::r(reference_process())]
fn exact(process: Engagement) -> Odds<Outcome> {
    let odds = odds(black_box(&process), Bound::STANDARD).unwrap();
    assert_eq!(odds.chances.len(), common::ROWS_OF_R);
    odds
}

#[library_benchmark]
#[bench::r(reference_process())]
fn table_walk(process: Engagement) -> Counts<Outcome> {
    let simulator = Simulator::new(black_box(&process)).unwrap();
    let counts = simulator.run(&Plan { threads: Some(1), ..Plan::new(65_536, 36) }).unwrap();
    assert_eq!(counts.counts.len(), common::ROWS_OF_R);
    counts
}

#[library_benchmark]
#[bench::big_stack(common::big_stack().whole())]
fn from_the_rules(process: Engagement) -> Counts<Outcome> {
    let counts = Simulator::Rules(black_box(&process)).run(&Plan { threads: Some(1), ..Plan::new(1000, 36) }).unwrap();
    assert!(counts.counts.len() > 30);
    counts
}

library_benchmark_group!(name = hot, benchmarks = [stream, exact, table_walk, from_the_rules]);
main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)])),
    library_benchmark_groups = hot
);
