//! The measures of two sides: they are the numbers that the answer shows.

use serde_json::{Value, json};

fn asked(request: &Value) -> Value {
    let answer = lowcrawl::answer_json(&request.to_string());
    assert!(answer["fault"].is_null(), "{answer}");
    answer
}

/// Returns the objective of each course of a comparison.
fn objectives(request: &Value) -> Vec<f64> {
    let answer = asked(request);
    let rows = answer["rows"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["outcome"] == "objective");
    rows.map(|row| row["probability"].as_f64().unwrap()).collect()
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
}

/// 26.21: the objective `net` is the CVP taken less those given of a Close Combat.
#[test]
fn net_of_a_comparison_is_that_of_the_answer() {
    let combat = |plan: &str| {
        json!({ "stack": "german:4-6-7 + german:8-1", "against": "russian:4-4-7", "plan": plan,
            "reply": "all" })
    };
    let net = |plan: &str| {
        let mut request = combat(plan);
        request["kind"] = "cc".into();
        asked(&request)["expected"][0]["value"].as_f64().unwrap()
    };
    let mut courses = ["all", "none"].map(combat);
    for (course, name) in courses.iter_mut().zip(["all", "none"]) {
        course["name"] = name.into();
    }
    let request =
        json!({ "request": "compare", "kind": "cc", "objective": "net", "course": courses });
    let found = objectives(&request);
    assert!(found[0] > 0.0 && found[1] < 0.0, "{found:?}");
    assert_close(found[0], net("all"));
    assert_close(found[1], net("none"));
}

/// The objective `field` is how often the own position is held alone, less how often that of the
/// enemy is. It does not depend on `for`, which only says who is better off.
#[test]
fn field_of_a_comparison_is_that_of_the_answer() {
    let base = json!({ "stack": "german:4-6-7", "against": "russian:4-4-7", "range": 3,
        "terrain": "woods", "their-terrain": "woods", "turns": 1, "hob": false });
    let field = |fp: u32| {
        let mut request = base.clone();
        request["kind"] = "firefight".into();
        request["fp"] = fp.into();
        let answer = asked(&request);
        let rows = answer["rows"].as_array().unwrap();
        let odds = |status: &str| {
            let is_meant = |row: &&Value| row["place"] == "field" && row["status"] == status;
            let row = rows.iter().find(is_meant);
            row.map_or(0.0, |row| row["probability"].as_f64().unwrap())
        };
        odds("own-only") - odds("enemy-only")
    };
    let courses = [8, 16].map(|fp| json!({ "name": fp.to_string(), "fp": fp }));
    let request = json!({ "request": "compare", "kind": "firefight", "objective": "field",
        "base": base, "course": courses });
    let found = objectives(&request);
    assert!(found[1] < found[0] && found[0] < 0.0, "{found:?}");
    assert_close(found[0], field(8));
    assert_close(found[1], field(16));
}

/// Measures of two sides are refused where there is one.
#[test]
fn one_side_has_no_field() {
    for (kind, measure) in [("platoon", "field"), ("rally", "net"), ("campaign", "field")] {
        let courses = [json!({ "name": "a" }), json!({ "name": "b" })];
        let request = json!({ "request": "compare", "kind": kind, "objective": measure,
            "base": {}, "course": courses });
        let answer = lowcrawl::answer_json(&request.to_string());
        let message = answer["fault"]["message"].as_str().unwrap();
        assert_eq!(message, format!("a `{kind}` has no measure `{measure}`"));
    }
}
