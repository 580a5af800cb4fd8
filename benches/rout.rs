//! Benchmark: the rout on a whole board of 346 hexes. One job has ten routing units among twenty
//! enemies. Another has one unit and one enemy in any hexes, as in a study. The third computes the
//! lines of sight from the hexes.

mod board;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::asl::rout::{INTERDICTION_RANGE, Situation};
use lowcrawl::board::geometry::Geometry;
use lowcrawl::board::map::{Location, Map};
use lowcrawl::board::sight::{LineOfSight, Remembered};
use lowcrawl::course::rout::prospect;
use lowcrawl::engine::monitor::Monitor;

/// The number of situations per iteration. They are spread evenly over all pairs of hexes, and the
/// same in each iteration.
const PLACEMENTS: usize = 500;
/// The number of pairs of hexes within the range of Interdiction, and of such pairs with LOS.
const PAIRS: (usize, usize) = (44_657, 6_696);

/// Counts the plans of all units, and checks that the odds of each plan sum to 1.
fn plans(situation: &Situation) -> usize {
    let of_unit = |router| {
        let found = prospect(situation, router, Monitor::NONE).unwrap();
        for course in &found.courses {
            let sum: f64 = course.odds.chances.iter().map(|chance| chance.probability).sum();
            assert!((sum - 1.0).abs() < 1e-9, "the odds of {:?} sum to {sum}", course.plan);
        }
        found.courses.len()
    };
    situation.routers.iter().map(of_unit).sum()
}

/// Benchmarks ten units and twenty enemies, from the table of hexes to the odds of every plan, on
/// one core.
fn full_board(criterion: &mut Criterion) {
    let situation = board::full();
    assert_eq!(
        (situation.map.hexes().count(), situation.routers.len(), situation.enemies.len()),
        (346, 10, 20)
    );
    assert_eq!(plans(&situation), 100);
    let mut group = criterion.benchmark_group("rout on a board of 346 hexes");
    group.sample_size(20);
    group.bench_function("10 units, 20 enemies: the map, all plans and odds", |bencher| {
        bencher.iter(|| plans(&board::full()));
    });
    group.finish();
}

/// Returns situations with one unit in any hex and one enemy in any other hex.
fn placements() -> Vec<Situation> {
    let map = board::map();
    let sight: Arc<dyn LineOfSight> = Arc::new(Remembered::new(&map, Geometry));
    let locations: Vec<Location> = map.hexes().map(Location::ground).collect();
    let pairs: Vec<(Location, Location)> = locations
        .iter()
        .flat_map(|&a| locations.iter().map(move |&b| (a, b)))
        .filter(|(a, b)| a != b)
        .collect();
    // The step has no common divisor with the number of pairs, so it reaches all pairs.
    let chosen = (0..PLACEMENTS).map(|number| pairs[number * 23_869 % pairs.len()]);
    let place = |(at, enemy_at): (Location, Location)| {
        let router = board::router(&map, "german:4-6-7/broken,dm", &map.location_name(at));
        board::situation(
            map.clone(),
            sight.clone(),
            vec![router],
            vec![board::enemy("russian:4-4-7", enemy_at)],
        )
    };
    chosen.map(place).collect()
}

fn sweep(criterion: &mut Criterion) {
    let situations = placements();
    assert_eq!(situations.iter().map(plans).sum::<usize>(), 5186);
    let mut group = criterion.benchmark_group("rout on a board of 346 hexes");
    group.throughput(Throughput::Elements(PLACEMENTS as u64)).sample_size(10);
    group.bench_function("one unit and one enemy anywhere", |bencher| {
        bencher.iter(|| situations.iter().map(plans).sum::<usize>());
    });
    group.finish();
}

/// Counts the pairs of hexes within the range of Interdiction, and the pairs among them with LOS.
fn lines(map: &Map) -> (usize, usize) {
    let locations: Vec<Location> = map.hexes().map(Location::ground).collect();
    let pairs = locations
        .iter()
        .enumerate()
        .flat_map(|(place, &a)| locations[place + 1..].iter().map(move |&b| (a, b)));
    let near = pairs.filter(|(a, b)| a.hex.range(b.hex) <= INTERDICTION_RANGE);
    near.fold((0, 0), |(all, seen), (a, b)| {
        (all + 1, seen + usize::from(Geometry.hindrance(map, a, b).is_some()))
    })
}

fn sight(criterion: &mut Criterion) {
    let map = board::map();
    assert_eq!(lines(&map), PAIRS);
    let mut group = criterion.benchmark_group("LOS on a board of 346 hexes");
    group.throughput(Throughput::Elements(PAIRS.0 as u64)).sample_size(10);
    group.bench_function("all pairs within 16 hexes", |bencher| {
        bencher.iter(|| lines(black_box(&map)))
    });
    group.finish();
}

criterion_group!(benches, full_board, sweep, sight);
criterion_main!(benches);
