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

/// Returns the answer to a crossing without Heat of Battle.
fn crossing(fields: Value) -> Value {
    let mut request = json!({ "kind": "cross", "hob": false });
    request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    asked(&request)
}

/// Returns a figure that may be a fraction in a text.
fn figure(value: &Value) -> f64 {
    let Some(text) = value.as_str() else { return value.as_f64().unwrap_or_default() };
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

/// Returns what becomes of a unit of the position G.
fn firer(answer: &Value, unit: &str, fate: &str) -> f64 {
    let units = answer["firers"]["G"]["units"].as_array().unwrap();
    let of_unit = units.iter().find(|one| one["unit"] == unit);
    of_unit.map_or(0.0, |one| figure(&one[fate]))
}

/// 7.53: a leader who has directed some firers does not direct others in the same Player Turn.
#[test]
fn leader_directs_one_group() {
    let answer = crossing(json!({ "stack": "american:6-6-6", "path": "open, open", "fire": "G, G",
        "defender": "G: german:8-1 + german:4-6-7 + german:4-4-7 @ 10, 3" }));
    let shots = answer["shots"].as_array().unwrap().iter();
    let drms: Vec<&Value> = shots.map(|shot| &shot["attacks"][0]["drm"]).collect();
    assert_eq!(drms, [-3, -2], "{answer}");
}

/// 8.31, 10.2: an Original 12 fails the NMC of all firers of FPF, whoever it strikes, and others in
/// their Location take the LLTC. The figures of the latter are those of an independent program.
/// The Random Selection of whom the DR strikes favours no firer.
#[test]
fn final_protective_fire_concerns_the_whole_location() {
    let twelve = crossing(json!({ "stack": "russian:4-4-7", "path": "stone 3 smoke 2",
        "defender": "G: german:8-1 + german:4-6-7 @ 1", "fire": "G G G" }));
    assert_eq!(firer(&twelve, "4-6-7", "pinned"), 0.0, "{twelve}");
    let losses = crossing(json!({ "stack": "german:10-2/fanatic", "fire": "G, G, G G",
        "path": "stone 1 smoke 1, stone 1 smoke 1, stone 1 smoke 1",
        "defender": "G: russian:8-0 + russian:5-2-7 + russian:4-4-7 @ 4, 3, 1" }));
    assert!((firer(&losses, "5-2-7", "pinned") - 0.105).abs() < 0.003, "{losses}");
    let alike = crossing(json!({ "stack": "russian:4-4-7", "path": "stone 3 smoke 2", "hob": true,
        "defender": "G: german:4-6-7 + german:4-4-7 @ 1", "fire": "G G G" }));
    let [one, other] = ["4-6-7", "4-4-7"].map(|unit| firer(&alike, unit, "berserk"));
    assert!(one > 0.0 && one == other, "{alike}");
}

/// I-90: who fires on at a stack that has stopped does not fire at nobody. The figure is that of an
/// independent program.
#[test]
fn nobody_fires_at_an_eliminated_stack() {
    let answer = crossing(json!({ "stack": "russian:2-2-6", "path": "open 2", "fire": "G G",
        "defender": "G: german:4-6-7/mmg @ 1", "stopped": "continue" }));
    let malfunctions = figure(&answer["firers"]["G"]["malfunctions"]);
    assert!((malfunctions - 0.1111).abs() < 0.002, "{answer}");
}

/// B2.3, 9.2: shellholes shelter for 2 MF, and whoever may fires once for each MF.
#[test]
fn movement_factors_count_for_shellholes_and_shots() {
    let rows = |path: &str| {
        let defender = "G: german:4-6-7 @ 4";
        crossing(json!({ "stack": "russian:4-4-7", "path": path, "defender": defender }))["rows"]
            .clone()
    };
    assert_eq!(rows("open 1 works shellhole"), rows("open 1"));
    assert_ne!(rows("open 2 works shellhole"), rows("open 2"));
    let by = |fields: Value| {
        let mut all = json!({ "stack": "russian:9-1", "path": "stone 6",
            "defender": "G: german:8-1 + german:2-4-7/hmg @ 4" });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        figure(&crossing(all)["firers"]["G"]["malfunctions"])
    };
    let (policy, plan) = (by(json!({ "policy": "all" })), by(json!({ "fire": "G G G G G G G G" })));
    assert!(plan > 0.15 && (policy - plan).abs() < 1e-12, "{policy}, {plan}");
}

/// I-89, I-93, I-94, I-103: each interpretation changes what it is about, and nothing by default.
#[test]
fn interpretations_change_what_they_are_about() {
    let attacks = |shots: &Value, key: &str| {
        let shots = shots.as_array().unwrap().iter();
        let of_shot = |shot: &Value| {
            let attacks = shot["attacks"].as_array().unwrap().iter();
            attacks.map(|attack| attack[key].as_str().unwrap().to_string()).collect::<Vec<_>>()
        };
        shots.map(|shot| of_shot(shot).join(" or ")).collect::<Vec<_>>().join(", ")
    };
    for (id, key, fields, facts) in [
        // 12.14: 4 FP, halved against a concealed stack.
        (
            "i89",
            "fp",
            json!({ "path": "open", "move": "assault", "concealed": true, "fire": "G H",
                "defender": "G: british:4-5-7 @ 3; H: british:4-5-7 @ 3" }),
            ["4, 4", "2, 4"],
        ),
        // 9.2: 3/2 MF in the second Location, 2 MF altogether.
        (
            "i93",
            "kind",
            json!({ "path": "open 1/2, open 3/2", "fire": "none, G G",
                "defender": "G: british:8-0 + british:4-5-7/lmg @ none, 3" }),
            ["first", "first, subsequent or subsequent or first"],
        ),
        // 7.9, 8.31: doubles mark a squad Final Fire.
        (
            "i94",
            "kind",
            json!({ "path": "open, open", "fire": "G, G", "defender": "G: german:4-6-7 @ 2, 1" }),
            ["first, subsequent or fpf", "first, subsequent"],
        ),
        (
            "i103",
            "kind",
            json!({ "path": "open", "fire": "G G", "defender": "G: german:4-6-7 @ 2" }),
            ["first", "G: a unit or SW has at most 1 shot in Location 1 (A9.2, I-103)"],
        ),
    ] {
        let found = ["default", "alternative"].map(|value| {
            let mut request = json!({ "kind": "cross", "hob": false, "stack": "russian:4-4-7" });
            request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            request[id] = value.into();
            let answer = lowcrawl::answer_json(&request.to_string());
            match answer["shots"].is_null() {
                true => answer["fault"]["message"].as_str().unwrap_or_default().to_string(),
                false => attacks(&answer["shots"], key),
            }
        });
        assert_eq!(found, facts, "{id}");
    }
}
