//! Fire without named firers at concealed units (12.13, 12.14).

use lowcrawl::answer_json;
use serde_json::{Value, json};

/// Returns the answer to a question about a stack, without Heat of Battle.
fn answer(kind: &str, stack: &str, fields: Value) -> Value {
    let mut request = json!({ "kind": kind, "stack": stack });
    if !["sniper", "conceal"].contains(&kind) {
        request["hob"] = false.into();
    }
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
    let gain = fault("conceal", "german:4-6-7 + dummy", json!({}));
    assert!(gain.contains("Dummies are concealed already"), "{gain}");
    let struck = json!({ "fp": 8, "san": 4, "sniper-hits": "here" });
    let known = fault("fire", "german:4-6-7 + dummy", struck);
    assert!(known.contains("beside Known units alone"), "{known}");
}

/// 14.23, 14.3: Dummies join the Random Selection among concealed units: a dr that strikes one does
/// nothing else. Of a unit and a Dummy each alone is highest on 15/36; in a tie the unit takes the
/// dr, and beside a Known unit the concealed stack is one candidate.
#[test]
fn dummies_draw_the_fire_of_snipers() {
    let of = |stack: &str, status: &str, slot: u64| {
        let answer = answer("sniper", stack, json!({}));
        let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let rows = rows.iter().filter(|row| row["slot"] == slot && row["status"] == status);
        rows.map(|row| row["probability"].as_f64().unwrap()).sum::<f64>()
    };
    let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    let one = of("german:4-6-7/concealed + dummy", "broken", 1);
    is(one, 1.0 / 6.0 * 21.0 / 36.0);
    is(of("german:4-6-7/concealed", "broken", 1), 1.0 / 6.0);
    // Beside a Known leader, who takes the dr of a tie, the squad is struck by the dr of the call or
    // by a new one.
    let stack = 1.0 / 6.0 * 15.0 / 36.0 + 2.0 / 6.0 * 6.0 / 36.0 * 1.0 / 6.0;
    is(of("german:8-1 + german:4-6-7/concealed + dummy", "broken", 2), stack * 21.0 / 36.0);
    // A Dummy alone beside a Known squad is the concealed stack.
    is(of("german:4-6-7 + dummy", "broken", 1), 1.0 / 6.0 * 21.0 / 36.0);
    // Who takes the check that calls a Sniper has lost his `?`, and Dummies are gone.
    let called = |stack: &str| {
        let fields = json!({ "fp": 8, "san": 5, "sniper-hits": "here" });
        ends(&answer("fire", stack, fields), 1)
    };
    let [with, without] =
        ["german:4-6-7/concealed + 2x dummy", "german:4-6-7/concealed"].map(called);
    assert_alike(with, without);
}

/// 12.14: who has lost its `?` is attacked with the whole FP in the next step.
#[test]
fn next_attack_finds_who_is_revealed() {
    let step = json!({ "do": "fire", "fp": 8, "drm": 2 });
    let both = answer("sequence", "german:4-6-7/concealed", json!({ "step": [step, step] }));
    let unhurt = |answer: &Value, step: u64| {
        let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let is_unhurt = |row: &&Value| {
            let counter = row["counter"].as_str().unwrap_or_default();
            row["status"] == "good-order" && counter.split('/').next() == Some("4-6-7")
        };
        let of = rows.iter().filter(is_unhurt);
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

/// 12.13, 12.14, 12.12, 12.122: figures of an independent program. A loss is the share of Original
/// DR that show anything on the halved column; a gain is a dr.
#[test]
fn losses_and_gains_agree_with_an_independent_program() {
    for (fp, drm, lost) in [
        (4, 0, "7/18"),
        (4, 2, "5/36"),
        (8, 0, "7/12"),
        (8, 2, "5/18"),
        (8, 3, "5/36"),
        (2, 0, "2/9"),
        (12, 3, "5/18"),
        (16, 1, "25/36"),
    ] {
        let found = fire("german:4-6-7/concealed", fp, drm);
        assert_eq!(found["concealment"]["lost"], lost, "{fp} FP {drm:+}");
    }
    // A led attack does not Cower.
    let led = json!({ "fp": 8, "drm": 2, "cowering": false });
    let led = answer("fire", "german:4-6-7/concealed", led);
    assert_eq!(led["concealment"]["lost"], "5/18", "{led}");
    let wooden = json!({ "terrain": "wooden", "enemy": "beyond-16", "los": "yes" });
    let unseen = json!({ "los": "no" });
    for (stack, fields, gained) in [
        ("german:4-6-7", &unseen, 1.0 / 3.0),
        ("german:2-4-7", &unseen, 1.0 / 2.0),
        ("german:8-0", &unseen, 2.0 / 3.0),
        ("german:4-6-7 + german:8-1", &unseen, 1.0 / 2.0),
        ("german:2-4-7 + german:8-1", &unseen, 2.0 / 3.0),
        ("german:hero + german:8-1", &unseen, 1.0),
        ("german:4-6-7 + german:8-1", &wooden, 5.0 / 6.0),
        ("russian:4-2-6", &unseen, 1.0 / 6.0),
    ] {
        let gain = answer("conceal", stack, fields.clone());
        let is_hidden = |(end, _): &&(String, f64)| end.contains("concealed");
        let found: f64 = ends(&gain, 1).iter().filter(is_hidden).map(|(_, chance)| chance).sum();
        assert!((found - gained).abs() < 1e-12, "{stack}: {found}");
    }
}

/// Returns the chance that a unit is concealed after a step.
fn hidden(answer: &Value, slot: u64, step: u64) -> f64 {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let is_hidden = |row: &&Value| {
        let counter = row["counter"].as_str().unwrap_or_default();
        row["slot"] == slot && row["step"] == step && counter.ends_with("/concealed")
    };
    rows.iter().filter(is_hidden).map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// 12.12, 12.122, 12.14: a step is the end of a Player Turn, in which Good Order units that are not
/// concealed gain it, with the dr of `conceal`. Another step takes it.
#[test]
fn steps_gain_and_lose_concealment() {
    let conceal = json!({ "do": "conceal", "los": "no" });
    let of = |stack: &str, steps: Value| answer("sequence", stack, json!({ "step": steps }));
    let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    let (led, squad) = ("german:4-6-7 + german:8-1", "german:4-6-7");
    let twice = of(led, json!([conceal, conceal]));
    is(hidden(&twice, 1, 1), 1.0 / 2.0);
    is(hidden(&twice, 2, 1), 2.0 / 3.0);
    is(hidden(&twice, 1, 2), 3.0 / 4.0);
    let reveal = json!({ "do": "reveal", "slots": "1" });
    let revealed = of(led, json!([conceal, reveal]));
    is(hidden(&revealed, 1, 2), 0.0);
    is(hidden(&revealed, 2, 2), 2.0 / 3.0);
    // Who is broken gains none, who is Lax less, who needs no dr always.
    let check = json!({ "do": "check", "mc": 0 });
    is(hidden(&of(squad, json!([check, conceal])), 1, 2), 21.0 / 36.0 * 2.0 / 6.0);
    is(hidden(&of("german:4-6-7/lax", json!([conceal])), 1, 1), 1.0 / 6.0);
    let woods = json!({ "do": "conceal", "los": "no", "terrain": "woods" });
    is(hidden(&of(squad, json!([woods])), 1, 1), 1.0);
    let if_known = json!({ "do": "conceal", "los": "no", "if": "none concealed" });
    is(hidden(&of(led, json!([conceal, if_known])), 1, 2), 1.0 / 2.0 + 1.0 / 6.0 * 1.0 / 2.0);
    // Fire then finds it concealed, and takes the `?` by any result.
    let fire_step = json!({ "do": "fire", "fp": 8, "drm": 2 });
    let fired = of(squad, json!([conceal, fire_step]));
    is(hidden(&fired, 1, 2), 1.0 / 3.0 * 13.0 / 18.0);
    let broken = |answer: &Value, step: u64| {
        let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let rows = rows.iter().filter(|row| row["status"] == "broken" && row["counter"] == "4-6-7");
        let rows = rows.filter(|row| row["step"].is_null() || row["step"] == step);
        rows.map(|row| row["probability"].as_f64().unwrap()).sum::<f64>()
    };
    let [half, whole] = [4, 8].map(|fp| broken(&fire(squad, fp, 2), 0));
    is(broken(&fired, 2), half / 3.0 + whole * 2.0 / 3.0);
    // Named firers find it concealed as well.
    let by = json!({ "do": "fire", "by": "2x russian:4-4-7", "range": 2, "drm": 2 });
    is(broken(&of(squad, json!([conceal, by])), 2), broken(&fired, 2));
}

/// 12.12: the gain of units beside a leader who may break is that of the whole stack together.
#[test]
fn gains_agree_with_those_of_the_whole_stack() {
    let steps = json!([{ "do": "check", "mc": 2 }, { "do": "conceal", "los": "no" }]);
    let of = |joint: bool| {
        let stack = "german:8-1 + german:4-6-7 + german:2-4-7";
        answer("sequence", stack, json!({ "step": steps, "joint": joint }))
    };
    let whole = of(true);
    for slot in 1..=3 {
        let rows = whole["rows"].as_array().unwrap_or_else(|| panic!("{whole}"));
        let is_hidden = |row: &&Value| {
            let ends = row["ends"].as_array().unwrap();
            let mut own = ends.iter().filter(|end| end["slot"] == slot);
            let counter = |end: &Value| end["counter"].as_str().unwrap_or_default().to_string();
            row["step"] == 2 && own.any(|end| counter(end).ends_with("/concealed"))
        };
        let chances = rows.iter().filter(is_hidden).map(|row| row["probability"].as_f64().unwrap());
        let (together, alone) = (chances.sum::<f64>(), hidden(&of(false), slot, 2));
        assert!((together - alone).abs() < 1e-12, "{slot}: {together}, {alone}");
        assert!(alone > 0.0, "{slot}");
    }
}

/// Faults of the steps that gain and lose concealment name what is wrong.
#[test]
fn faults_of_steps_of_concealment_are_named() {
    for (stack, step, message) in [
        ("german:4-6-7", json!({ "do": "conceal", "slots": 1 }), "`conceal` has no field `slots`"),
        ("german:4-6-7", json!({ "do": "conceal", "los": "maybe" }), "maybe"),
        ("german:4-6-7", json!({ "do": "reveal", "slots": 2 }), "there is no slot 2"),
        ("german:4-6-7/ti", json!({ "do": "conceal" }), "`ti` counts only in Close Combat"),
        (
            "german:4-6-7/concealed + dummy",
            json!({ "do": "conceal" }),
            "Dummies are not followed under a Sniper where units gain concealment",
        ),
    ] {
        let fields = json!({ "step": [step], "san": 4, "sniper-hits": "here" });
        let fault = answer("sequence", stack, fields).to_string();
        assert!(fault.contains(message), "{stack}: {fault}");
    }
}
