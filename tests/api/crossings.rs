//! Best play of the defenders of a crossing, against plans that are written.

use serde_json::{Value, json};

fn asked(request: &Value) -> Value {
    let answer = lowcrawl::answer_json(&request.to_string());
    assert!(answer["fault"].is_null(), "{answer}");
    answer
}

fn base(path: &str, defender: &str) -> Value {
    json!({ "stack": "russian:4-4-7", "path": path, "defender": defender, "hob": false })
}

/// Returns how many units are in Good Order at the end if the defenders fire as well as they can.
fn solved(base: &Value) -> f64 {
    let mut request = base.clone();
    request["request"] = "solve".into();
    request["kind"] = "cross".into();
    request["objective"] = "good-order".into();
    asked(&request)["headline"]["value"].as_f64().unwrap()
}

/// Returns the same number for each plan of fire.
fn by_plan(base: &Value, plans: &[&str]) -> Vec<f64> {
    let courses = plans.iter().map(|plan| json!({ "name": plan, "fire": plan }));
    let request = json!({ "request": "compare", "kind": "cross", "objective": "good-order",
        "base": base, "course": courses.collect::<Vec<_>>() });
    let answer = asked(&request);
    let rows = answer["rows"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["outcome"] == "objective");
    rows.map(|row| row["probability"].as_f64().unwrap()).collect()
}

/// With a single shot, best play is the better of both plans.
#[test]
fn best_play_of_one_shot_is_the_better_plan() {
    let base = base("open", "G: german:4-6-7 @ 3");
    let plans = by_plan(&base, &["none", "G"]);
    assert!(plans[1] < plans[0], "{plans:?}");
    assert!((solved(&base) - plans[1]).abs() < 1e-12);
}

/// A defender who sees the effects of his shots does at least as well as by any plan.
#[test]
fn best_play_is_no_worse_than_any_plan() {
    let base = base("woods 2, open", "G: german:4-6-7/lmg @ 3, 1");
    let shots = ["none", "G", "G G"];
    let plans: Vec<String> = shots
        .iter()
        .flat_map(|first| shots.iter().map(move |then| format!("{first}, {then}")))
        .collect();
    let plans: Vec<&str> = plans.iter().map(String::as_str).collect();
    let values = by_plan(&base, &plans);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let best = solved(&base);
    assert!(best <= least + 1e-12, "{best}, {least}: {values:?}");
    assert!(least < values[0]);
}

/// Who stops on the way is counted as who stops in the last Location is: the same shot costs the
/// mover the same at either.
#[test]
fn units_that_stop_on_the_way_are_counted() {
    let base = base("open, open", "G: german:4-6-7 @ 3, 2");
    let plans = by_plan(&base, &["G, none", "none, G"]);
    assert!((plans[0] - plans[1]).abs() < 1e-12, "{plans:?}");
    // 4 FP at -2 with Cowering, against ML 7: in Good Order, pinned or not, on 5/9.
    assert!((plans[0] - 5.0 / 9.0).abs() < 1e-12, "{plans:?}");
}

/// The counts of a crossing are those of its end, not of the attacks on the way.
#[test]
fn counts_of_a_crossing_are_those_of_its_end() {
    let mut request = base("open, woods 2", "G: german:4-6-7 @ 3, 2");
    request["kind"] = "cross".into();
    request["options"] = json!({ "counts": "mmc" });
    let answer = asked(&request);
    let counts = answer["counts"].as_array().unwrap();
    for class in ["holds", "breaks", "lost"] {
        let rows = counts.iter().filter(|row| row["class"] == class);
        let sum: f64 = rows.map(|row| row["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{class}: {sum}");
    }
}
