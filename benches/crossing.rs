//! Benchmark: a stack that moves under Defensive First Fire. A leader and two squads cross three
//! Locations under two defenders with a MMG, without Heat of Battle and with it, and a squad finds
//! the safest path over a board of 346 hexes.

use std::fmt::Write as _;

use criterion::{Criterion, criterion_group, criterion_main};
use lowcrawl::answer_json;
use serde_json::{Value, json};

/// Returns a leader and two squads that cross three Locations.
fn three_locations(heat_of_battle: bool) -> Value {
    json!({ "kind": "cross", "stack": "8-1 + 2x russian:4-4-7", "path": "open, open, stone 2",
        "defender": "A: 8-1 + german:4-6-7/mmg @ 4, 3, 2; B: german:4-6-7 @ 5, 4, 3",
        "hob": heat_of_battle })
}

/// Returns a board of 346 hexes, a third of them with cover, and six enemy squads.
fn board() -> String {
    let column = |number: usize| "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG".as_bytes()[number] as char;
    let name = |number: usize, row: usize| {
        let letters = if number < 26 { 1 } else { 2 };
        column(number).to_string().repeat(letters) + &row.to_string()
    };
    let mut terrain = [String::new(), String::new(), String::new()];
    let mut word = 1u64;
    for number in 0..33 {
        for row in 1..=10 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if let Some(list) = terrain.get_mut((word >> 60) as usize % 9) {
                write!(list, "\"{}\", ", name(number, row)).unwrap();
            }
        }
    }
    let [woods, grain, brush] = terrain;
    let mut text = format!(
        "[map]\narea = \"A1-GG10\"\nhexes = {{ woods = [{woods}], grain = [{grain}], brush = [{brush}] }}\n"
    );
    for at in ["P2", "R3", "N2", "L4", "T4", "Q1"] {
        write!(text, "[[enemy]]\nunit = \"german:4-6-7\"\nat = \"{at}\"\n").unwrap();
    }
    text
}

fn crossings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("crossing");
    group.sample_size(10);
    let safest = json!({ "kind": "cross", "stack": "8-0 + russian:4-4-7", "map": board(),
        "path": "P9", "to": "Q4", "hob": false });
    for (name, request) in [
        ("three Locations, no Heat of Battle", three_locations(false)),
        ("three Locations, with Heat of Battle", three_locations(true)),
        ("the safest path over a board", safest),
    ] {
        let request = request.to_string();
        let rows = answer_json(&request)["rows"].clone();
        assert!(rows.is_array(), "{}", answer_json(&request));
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(answer_json(&request)["rows"], rows));
        });
    }
    group.finish();
}

criterion_group!(benches, crossings);
criterion_main!(benches);
