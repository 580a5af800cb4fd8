//! Fire without named firers at concealed units (12.13, 12.14).

use lowcrawl::answer_json;
use serde_json::{Value, json};

/// Returns the answer to a question about a stack, without Heat of Battle.
fn answer(kind: &str, stack: &str, fields: Value) -> Value {
    let mut request = json!({ "kind": kind, "stack": stack, "hob": false });
    fields.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
    answer_json(&request.to_string())
}

fn fire(stack: &str, fp: u16, drm: i8) -> Value {
    answer("fire", stack, json!({ "fp": fp, "drm": drm }))
}

/// Returns the chance of each end of a unit.
fn ends(answer: &Value, slot: u64) -> Vec<(String, f64)> {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let of = rows.iter().filter(|row| row["slot"] == slot);
    let end = |row: &Value| format!("{} {}", row["status"], row["counter"]);
    of.map(|row| (end(row), row["probability"].as_f64().unwrap())).collect()
}

fn assert_alike(one: Vec<(String, f64)>, other: Vec<(String, f64)>) {
    assert_eq!(one.len(), other.len(), "{one:?} {other:?}");
    for (one, other) in one.iter().zip(&other) {
        assert!(one.0 == other.0 && (one.1 - other.1).abs() < 1e-12, "{one:?} {other:?}");
    }
}

/// 12.13, 12.14: 8 FP are read on the 4 column, and any result there takes the `?`.
#[test]
fn firepower_is_halved_against_concealed_units() {
    let concealed = fire("german:4-6-7/concealed", 8, 2);
    assert_alike(ends(&concealed, 1), ends(&fire("german:4-6-7", 4, 2), 1));
    assert_eq!(concealed["concealment"]["lost"], "5/18", "{concealed}");
    assert_eq!(concealed["concealment"]["column"], 4);
    // Less than 1 FP is no attack.
    let weak = fire("german:4-6-7/concealed", 1, -5);
    assert_eq!(weak["concealment"]["lost"], "0", "{weak}");
    assert_eq!(ends(&weak, 1), [("\"good-order\" \"4-6-7\"".to_string(), 1.0)]);
}

/// 12.13: one DR, read in two columns: each kind of units has its own result.
#[test]
fn mixed_stack_reads_one_roll_in_two_columns() {
    let mixed = fire("german:4-6-7 + german:2-4-7/concealed", 8, 0);
    assert_alike(ends(&mixed, 1), ends(&fire("german:4-6-7", 8, 0), 1));
    assert_alike(ends(&mixed, 2), ends(&fire("german:2-4-7", 4, 0), 1));
}

/// 12.11: Dummies are no units: they go with the `?`, and change no figure.
#[test]
fn dummies_go_with_the_concealment() {
    let with = fire("german:4-6-7/concealed + 2x dummy", 8, 2);
    assert_alike(ends(&with, 1), ends(&fire("german:4-6-7/concealed", 8, 2), 1));
    assert!(with["meta"]["notes"].to_string().contains("Dummies go"), "{with}");
    let fault = |kind: &str, stack: &str, fields: Value| answer(kind, stack, fields).to_string();
    let alone = fault("fire", "dummy", json!({ "fp": 8 }));
    assert!(alone.contains("Dummies alone are no units"), "{alone}");
    let check = fault("check", "german:4-6-7 + dummy", json!({ "mc": 1 }));
    assert!(check.contains("Dummies count only under fire"), "{check}");
    let sniper = json!({ "kind": "sniper", "stack": "german:4-6-7 + dummy" }).to_string();
    let sniper = answer_json(&sniper).to_string();
    assert!(sniper.contains("a Sniper may strike them"), "{sniper}");
}

/// 12.14: who has lost its `?` is attacked with the whole FP in the next step.
#[test]
fn next_attack_finds_who_is_revealed() {
    let step = json!({ "do": "fire", "fp": 8, "drm": 2 });
    let both = answer("sequence", "german:4-6-7/concealed", json!({ "step": [step, step] }));
    let unhurt = |answer: &Value, step: u64| {
        let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let of =
            rows.iter().filter(|row| row["status"] == "good-order" && row["counter"] == "4-6-7");
        let of = of.filter(|row| row["step"].is_null() || row["step"] == step);
        of.map(|row| row["probability"].as_f64().unwrap()).sum::<f64>()
    };
    let [half, whole] = [4, 8].map(|fp| unhurt(&fire("german:4-6-7", fp, 2), 0));
    let nothing = 13.0 / 18.0;
    let expected = nothing * half + (half - nothing) * whole;
    let found = unhurt(&both, 2);
    assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    // A condition sees who is still concealed.
    let later = json!({ "do": "eliminate", "slots": "1", "if": "concealed" });
    let gone = answer("sequence", "german:4-6-7/concealed", json!({ "step": [step, later] }));
    let rows = gone["rows"].as_array().unwrap();
    let dead = rows.iter().filter(|row| row["step"] == 2 && row["status"] == "eliminated");
    let dead: f64 = dead.map(|row| row["probability"].as_f64().unwrap()).sum();
    assert!(dead >= nothing, "{dead}");
}
