//! Benchmark: an exact study of 10,000 cells (combinations of values), from the text of the study
//! file to Parquet and CSV on disk.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::answer::{Meta, Options};
use lowcrawl::api::games;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::study::file::{Extent, Study};
use lowcrawl::study::grid::Grid as _;
use lowcrawl::study::options::Run;
use lowcrawl::study::run::run;

const STUDY: &str = r#"
question = "rally"
[grid]
stack = ["german:4-6-7/broken", "german:4-6-8/broken", "german:4-3-6/broken", "russian:4-4-7/broken", "american:6-6-6/broken"]
leader = ["none", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3", "7-0"]
terrain = ["open", "woods", "building", "trench", "pillbox"]
dm = [true, false]
elr = { from = 0, to = 4 }
phases = { from = 2, to = 6 }
"#;

fn sweep(criterion: &mut Criterion) {
    let cells = Study::parse(STUDY, &games(), Extent::WHOLE, Monitor::NONE).unwrap().info().cells;
    assert_eq!(cells, 10_000);
    let mut group = criterion.benchmark_group("exact sweep");
    group.throughput(Throughput::Elements(cells as u64)).sample_size(10);
    group.bench_function(format!("{cells} cells to Parquet and CSV"), |bencher| {
        bencher.iter(|| {
            let folder = tempfile::tempdir().unwrap();
            let study = Study::parse(STUDY, &games(), Extent::WHOLE, Monitor::NONE).unwrap();
            let job = Run::new("sweep", folder.path(), Options::default());
            let finished = run(&study, &job, &Meta::default()).unwrap();
            assert_eq!(finished.manifest.exact_cells, cells);
            // A DM 4-6-7 alone never rallies with certainty, and every cell has a probability of
            // success.
            let by_stack = &finished.summary.unwrap().by_value[0];
            assert_eq!(by_stack.len(), 5);
            assert!(by_stack.values().all(|odds| odds.cells == cells / 5));
            assert!(by_stack.values().all(|odds| odds.lowest > 0.0 && odds.highest < 1.0));
        });
    });
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);
