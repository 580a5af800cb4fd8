//! Benchmark of the roll stream, which deals unbiased DR. The baseline rolls two dice by
//! `random_range`, as a plain program would.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::dice::Base;
use lowcrawl::dice::stream::{CODES_PER_WORD, ChunkStream, DiceLane, next_code};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const ROLLS: u64 = 9 << 20;

/// Asserts that the mean of all DR is within six standard errors of 7.
fn assert_mean(sum: u64) {
    let mean = sum as f64 / ROLLS as f64;
    let std_error = (35.0 / 6.0 / ROLLS as f64).sqrt();
    assert!((mean - 7.0).abs() < 6.0 * std_error, "mean {mean}");
}

fn total(code: u64) -> u64 {
    code / 6 + code % 6 + 2
}

fn stream(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("DR");
    group.throughput(Throughput::Elements(ROLLS)).sample_size(20);
    group.bench_function("one word a die, baseline", |bencher| {
        bencher.iter(|| {
            let mut generator = Xoshiro256PlusPlus::seed_from_u64(black_box(36));
            let die = |word: u64| ((u128::from(word) * 6) >> 64) as u64 + 1;
            assert_mean(
                (0..ROLLS).map(|_| die(generator.next_u64()) + die(generator.next_u64())).sum(),
            );
        });
    });
    group.bench_function("nine codes a word", |bencher| {
        bencher.iter(|| {
            let mut stream = ChunkStream::new(Base::Dr, black_box(36), 0);
            let mut sum = 0;
            for _ in 0..ROLLS / u64::from(CODES_PER_WORD) {
                let mut word = stream.next_word();
                for _ in 0..CODES_PER_WORD {
                    sum += total(next_code(Base::Dr, &mut word) as u64);
                }
            }
            assert_mean(sum);
        });
    });
    group.bench_function("one lane, roll by roll", |bencher| {
        bencher.iter(|| {
            let mut lane = DiceLane::new(Base::Dr, black_box(36), 0, 0);
            assert_mean((0..ROLLS).map(|_| total(lane.next_code().into())).sum());
        });
    });
    group.finish();
}

criterion_group!(benches, stream);
criterion_main!(benches);
