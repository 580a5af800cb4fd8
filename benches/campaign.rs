//! Benchmark of decisions: one solved campaign, exact and simulated odds of its best play, and the
//! shipped break-even study.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::answer::{Meta, Options};
use lowcrawl::api::games;
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::course::campaign::{Campaigning, gain, worth};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::play::{Best, Objective, PolicyChoice, PolicyQuestion};
use lowcrawl::process::Question as _;
use lowcrawl::study::campaign::CampaignFile;
use lowcrawl::study::grid::Grid as _;
use lowcrawl::study::options::Run;
use lowcrawl::study::run::run;
use std::sync::Arc;

const STUDY: &str = include_str!("../studies/low-crawl-break-even.toml");
const TRIALS: u64 = 1 << 18;

/// Solves and plays a campaign of six Player Turns under 6 FP, five Open Ground hexes from a leader
/// in woods.
fn one(criterion: &mut Criterion) {
    let lane = common::lane();
    let objective = Objective::named("good-order", MEASURES, &[]).unwrap();
    let campaign = Arc::new(lane.campaign());
    let value = Best::solve(campaign.as_ref(), gain(&campaign, &objective), Monitor::NONE)
        .unwrap()
        .value[0];
    let best = PolicyQuestion::new(
        &Arc::new(Campaigning::of_lane(&lane)),
        PolicyChoice::Best,
        &objective,
        Monitor::NONE,
    )
    .unwrap()
    .whole();

    let mut group = criterion.benchmark_group("a campaign of six Player Turns");
    group.bench_function("solved, from its fields", |bencher| {
        bencher.iter(|| {
            let campaign = lane.campaign();
            assert_eq!(
                Best::solve(&campaign, gain(&campaign, &objective), Monitor::NONE).unwrap().value
                    [0],
                value
            );
        });
    });
    group.bench_function("exact odds of its best play", |bencher| {
        bencher.iter(|| {
            let chances = odds(&best, Bound::STANDARD).unwrap().chances;
            let sum: f64 = chances
                .iter()
                .map(|chance| chance.probability * worth(&campaign, &objective, &chance.outcome)[0])
                .sum();
            assert!((sum - value).abs() < 1e-12);
        });
    });
    group.throughput(Throughput::Elements(TRIALS)).sample_size(10);
    let simulator = Simulator::new(&best, Monitor::NONE).unwrap();
    group.bench_function("its best play simulated, one core", |bencher| {
        bencher.iter(|| {
            let counts =
                simulator.run(&Plan { threads: Some(1), ..Plan::new(TRIALS, 36) }).unwrap();
            let worths = counts.counts.iter().map(|(_, outcome, count)| {
                *count as f64 * worth(&campaign, &objective, outcome)[0]
            });
            assert!((worths.sum::<f64>() / TRIALS as f64 - value).abs() < 0.01);
        });
    });
    group.finish();
}

/// Runs the break-even study as `study run` does.
fn break_even(criterion: &mut Criterion) {
    let cells = CampaignFile::parse(STUDY, &games(), Monitor::NONE).unwrap().study.info().cells;
    assert!(cells >= 5_000);
    let mut group = criterion.benchmark_group("the break-even study");
    group.throughput(Throughput::Elements(cells as u64)).sample_size(10);
    group.bench_function(
        format!("{cells} campaigns of six Player Turns, solved, to Parquet and CSV"),
        |bencher| {
            bencher.iter(|| {
                let folder = tempfile::tempdir().unwrap();
                let study = CampaignFile::parse(STUDY, &games(), Monitor::NONE).unwrap();
                let job = Run::new("break-even", folder.path(), Options::default());
                let finished = run(&study, &job, &Meta::default()).unwrap();
                assert_eq!(
                    finished
                        .summary
                        .unwrap()
                        .facts
                        .iter()
                        .filter(|facts| facts.best.is_some())
                        .count(),
                    cells
                );
            });
        },
    );
    group.finish();
}

criterion_group!(benches, one, break_even);
criterion_main!(benches);
