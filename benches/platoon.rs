//! Benchmark: a platoon and firefights by dice. Each answer is one chunk of 65,536 sequences on one
//! thread, from the first state on.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::engine::dice::stream::CHUNK;
use lowcrawl::{Engine, Options, Trials};
use serde_json::{Value, json};

/// Returns a platoon of three squads and a leader, or a firefight with more of them on each side.
fn request(squads: u8, leaders: u8, is_firefight: bool) -> Value {
    let leaders = ["german:8-0", "2x german:8-0", "3x german:8-0"][usize::from(leaders) - 1];
    let mut request = json!({ "kind": "platoon", "turns": 6, "hob": false, "rear": "woods",
        "stack": format!("{leaders} + {squads}x german:4-6-7"), "terrain": "stone-building",
        "interdicted": 1 });
    if is_firefight {
        request["kind"] = "firefight".into();
        request["against"] = format!("russian:8-0 + {squads}x russian:4-4-7").into();
        for (field, value) in
            [("range", json!(4)), ("their-terrain", json!("woods")), ("their-rear", json!("woods"))]
        {
            request[field] = value;
        }
    } else {
        request["fp"] = 8.into();
        request["drm"] = (-1).into();
    }
    request
}

fn answer(request: &Value) -> u64 {
    let read = lowcrawl::read(&request.to_string(), &lowcrawl::games(), &lowcrawl::no_files);
    let options = Options {
        engine: Engine::MonteCarlo,
        trials: Trials::Number(CHUNK),
        threads: Some(1),
        ..Options::default()
    };
    let answer = lowcrawl::ask(read.unwrap().request, String::new(), &options).ok().unwrap();
    answer.meta().trials.unwrap()
}

fn sequences(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("platoon over 6 Player Turns");
    group.sample_size(10);
    group.throughput(Throughput::Elements(CHUNK));
    for (name, request) in [
        ("3 squads and a leader", request(3, 1, false)),
        ("firefight, 3 and a leader a side", request(3, 1, true)),
        ("9 squads and 3 leaders", request(9, 3, false)),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(answer(&request), CHUNK));
        });
    }
    group.finish();
}

criterion_group!(benches, sequences);
criterion_main!(benches);
