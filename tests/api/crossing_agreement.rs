//! Crossings against `attack_twin`, a second, slow implementation of the rules.
//! `LOWCRAWL_CASES=3` compares three times as many.

use std::collections::BTreeMap;

use crate::Comparison;
use crate::attack_twin::crossing::Crossed;
use crate::attack_twin::random_crossing::{crossing_request, random_crossing};
use crate::random::case_factor;
use serde_json::Value;

/// Returns a figure that may be a fraction in a text.
fn figure(value: &Value) -> f64 {
    let Some(text) = value.as_str() else { return value.as_f64().unwrap_or_default() };
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

/// Returns the figures of an answer under names: the ends of the units at the start, how often each
/// attack is made, what becomes of the firers.
fn of_answer(answer: &Value, units: u64) -> BTreeMap<String, f64> {
    let mut figures = BTreeMap::<String, f64>::new();
    let mut add = |name: String, more: f64| *figures.entry(name).or_default() += more;
    for row in answer["rows"].as_array().unwrap() {
        let [location, status, counter] =
            ["location", "status", "counter"].map(|key| row[key].as_str().unwrap_or_default());
        if row["slot"].as_u64().is_some_and(|slot| slot <= units) {
            let name = format!("{} in {location}: {status} {counter}", row["slot"]);
            add(name, row["probability"].as_f64().unwrap());
        }
    }
    for shot in answer["shots"].as_array().unwrap() {
        let slot = shot["slot"].as_u64().unwrap_or_default();
        let by = if shot["by"] == "residual" { "residual" } else { "shots" };
        add(
            format!("{by} at {slot} in {}", shot["location"].as_str().unwrap()),
            figure(&shot["made"]),
        );
    }
    for (name, firers) in answer["firers"].as_object().unwrap() {
        for (key, word) in [
            ("broken", "out"),
            ("disrupted", "out"),
            ("eliminated", "out"),
            ("pinned", "pinned"),
            ("malfunctions", "malfunctions"),
        ] {
            add(format!("{name} {word}"), figure(&firers[key]));
        }
    }
    figures
}

/// Returns the figures of the twin under the same names.
fn of_twin(crossed: &Crossed, units: usize) -> BTreeMap<String, f64> {
    let mut figures = BTreeMap::<String, f64>::new();
    let mut add = |name: String, more: f64| *figures.entry(name).or_default() += more;
    for ((slot, place, status, counter), chance) in &crossed.ends {
        if *slot <= units {
            add(format!("{slot} in {}: {status} {counter}", place + 1), *chance);
        }
    }
    for ((slot, place, number), chance) in &crossed.made {
        let by = if *number == 0 { "residual" } else { "shots" };
        add(format!("{by} at {slot} in {}", place + 1), *chance);
    }
    for (name, chances) in ["A", "B"].into_iter().zip(&crossed.firers) {
        for (word, chance) in ["out", "pinned", "malfunctions"].into_iter().zip(chances) {
            add(format!("{name} {word}"), *chance);
        }
    }
    figures
}

/// Returns the figures that differ.
fn differences(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let of =
        |figures: &BTreeMap<String, f64>, name: &str| figures.get(name).copied().unwrap_or(0.0);
    let pairs = names.into_iter().map(|name| (name, of(one, name), of(other, name)));
    let far = pairs.filter(|(_, one, other)| (one - other).abs() > 1e-8);
    far.map(|(name, one, other)| format!("{name}: {one:.6}, twin {other:.6}")).collect()
}

/// The twin has 4.2, 4.6, 7.2 - 7.9, 8.1 - 8.31, 9.2, 9.3, 9.7, 10.1 - 10.3, 12.14, and Residual
/// FP (8.22), in Locations that units enter together or one by one.
#[test]
fn random_crossings_have_the_figures_of_the_twin() {
    // The dev profile takes a second for one.
    let crossings = if cfg!(debug_assertions) { 40 } else { 200 };
    let mut compared = Comparison::default();
    for seed in 1..=crossings * case_factor() {
        let crossing = random_crossing(seed);
        let request = crossing_request(&crossing).to_string();
        let answer = lowcrawl::answer_json(&request);
        let fault = answer["fault"]["message"].as_str().unwrap_or_default();
        if fault.ends_with("nobody reaches the target") {
            compared.skip("a planned shot is out of reach");
            continue;
        }
        if answer["rows"].is_null() {
            compared.add(false, || format!("{seed} {request}\n  {answer}"));
            continue;
        }
        let units = crossing.stack.len();
        let (own, twin) = (of_answer(&answer, units as u64), of_twin(&crossing.play(), units));
        let different = differences(&own, &twin);
        compared.add(different.is_empty(), || {
            format!("{seed} {request}\n  {}", different.join("\n  "))
        });
    }
    compared.assert_alike(crossings as usize * 19 / 20);
}
