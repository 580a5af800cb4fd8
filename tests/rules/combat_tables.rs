//! The tables of Close Combat (11.11, 11.4) and of Snipers (14), row by row, in the answers.

use lowcrawl::answer_json;
use serde_json::{Value, json};

fn close_combat(ours: &str, theirs: &str, fields: &Value) -> Value {
    let mut request =
        json!({ "kind": "cc", "stack": ours, "against": theirs, "plan": "all", "reply": "none" });
    fields.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
    answer_json(&request.to_string())
}

/// 11.11, J2.31: every column of the Close Combat Table, with its black and its red Kill Number.
#[test]
fn close_combat_table_has_all_its_columns() {
    for (ours, theirs, odds, black, red) in [
        ("russian:8-0", "3x german:4-6-7", "<1-8", 0, 2),
        ("russian:8-0", "2x german:4-6-7", "1-8", 1, 3),
        ("german:8-0", "russian:6-2-8:e", "1-6", 2, 4),
        ("russian:8-0", "german:4-6-7", "1-4", 3, 5),
        ("russian:2-3-7", "german:4-6-7", "1-2", 4, 6),
        ("german:4-6-7", "russian:4-4-7", "1-1", 5, 7),
        ("russian:6-2-8:e", "german:4-6-7", "3-2", 6, 8),
        ("2x german:4-6-7", "russian:4-4-7", "2-1", 7, 9),
        ("3x german:4-6-7", "russian:4-4-7", "3-1", 8, 10),
        ("2x german:4-6-7", "russian:2-3-7", "4-1", 9, 11),
        ("russian:6-2-8:e", "german:8-0", "6-1", 10, 12),
        ("2x german:4-6-7", "russian:8-0", "8-1", 11, 13),
        ("german:4-6-7 + german-ss:6-5-8", "russian:8-0", "10-1", 12, 14),
        ("3x german:4-6-7", "russian:8-0", ">10-1", 13, 15),
    ] {
        for (hand_to_hand, kill) in [(false, black), (true, red)] {
            let fields = json!({ "hand-to-hand": hand_to_hand });
            let answer = close_combat(ours, theirs, &fields);
            let attack = &answer["attacks"][0];
            assert_eq!(attack["odds"], odds, "{ours} at {theirs}: {answer}");
            assert_eq!(attack["kill"], kill, "{ours} at {theirs}: {answer}");
        }
    }
}

/// 11.4: every cause of a drm to the Ambush dr that Infantry can have, with its rule.
#[test]
fn ambush_has_all_its_drm() {
    for (stack, drms) in [
        ("german:4-6-7", json!([])),
        ("german:4-6-7/cx", json!([["cx", 1, "A4.51"]])),
        ("german:4-6-7/lax", json!([["lax", 1, "A11.18"]])),
        ("german:4-6-7/broken", json!([["broken", 1, "A11.4"]])),
        ("german:4-6-7/pinned", json!([["pinned", 1, "A11.4"]])),
        ("german:4-6-7/berserk", json!([["lax", 1, "A11.18"], ["berserk", 1, "A11.4"]])),
        ("german:4-6-7/stealthy", json!([["stealthy", -1, "A11.17"]])),
        ("german:4-6-7/concealed", json!([["concealed", -2, "A11.4"]])),
        ("german:9-2 + german:4-6-7", json!([["leadership", -2, "A10.72"]])),
    ] {
        let answer = close_combat(stack, "russian:4-4-7", &json!({ "terrain": "building" }));
        let found =
            answer["ambush"]["drm"]["ours"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let found = found.iter().map(|of| json!([of["name"], of["drm"], of["rule"]]));
        assert_eq!(found.collect::<Value>(), drms, "{stack}: {answer}");
    }
}

fn sniper(stack: &str, dr: u8) -> Value {
    answer_json(&json!({ "kind": "sniper", "stack": stack, "dr": dr }).to_string())
}

/// 14.3, 17.11: what a Sniper dr of 1 and of 2 does to a unit of each kind.
#[test]
fn sniper_has_all_its_results() {
    let wounded = [("good-order", 4), ("eliminated", 2)];
    for (stack, dr, ends, counter) in [
        ("german:8-0", 1, &[("eliminated", 6)][..], ""),
        ("german:hero", 1, &[("eliminated", 6)], ""),
        ("commissar:9-0", 1, &[("eliminated", 6)], ""),
        ("german:4-6-7", 1, &[("broken", 6)], "4-6-7/dm"),
        ("german:4-6-7/pinned", 1, &[("broken", 6)], "4-6-7/dm"),
        ("german:4-6-7/broken", 1, &[("broken", 6)], "2-4-7/dm"),
        ("german:4-6-7/berserk", 1, &[("berserk", 6)], "2-4-7"),
        ("german:4-6-7/unarmed", 1, &[("good-order", 6)], "2-4-7"),
        ("german:2-4-7/broken", 1, &[("eliminated", 6)], ""),
        ("german:8-0", 2, &wounded, ""),
        ("german:hero", 2, &wounded, ""),
        ("commissar:9-0", 2, &wounded, ""),
        ("german:4-6-7", 2, &[("pinned", 6)], "4-6-7"),
        ("german:4-6-7/pinned", 2, &[("pinned", 6)], "4-6-7"),
        ("german:4-6-7/broken", 2, &[("broken", 6)], "4-6-7/dm"),
        ("german:4-6-7/berserk", 2, &[("berserk", 6)], "4-6-7"),
        ("german:4-6-7/unarmed", 2, &[("good-order", 6)], "4-6-7"),
        ("german:4-6-7", 3, &[("good-order", 6)], "4-6-7"),
        ("german:8-0", 6, &[("good-order", 6)], "8-0"),
    ] {
        let answer = sniper(stack, dr);
        let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(rows.len(), ends.len(), "{stack} {dr}: {answer}");
        for (status, sixths) in ends {
            let row = rows.iter().find(|row| row["status"] == *status);
            let row = row.unwrap_or_else(|| panic!("{stack} {dr}, {status}: {answer}"));
            let found = row["probability"].as_f64().unwrap();
            assert!((found - f64::from(*sixths) / 6.0).abs() < 1e-12, "{stack} {dr}: {row}");
            if !counter.is_empty() {
                assert_eq!(row["counter"], counter, "{stack} {dr}: {row}");
            }
        }
    }
    // Broken units gain DM by whatever unit is hit.
    let beside = sniper("german:8-0 + german:4-6-7/broken", 1);
    let rows = beside["rows"].as_array().unwrap_or_else(|| panic!("{beside}"));
    let squad = rows.iter().filter(|row| row["slot"] == 2);
    assert!(squad.clone().all(|row| row["counter"].as_str().unwrap().ends_with("dm")), "{beside}");
}

/// 14.4: the DRM of a Sniper Check, the Original DR that eliminate and pin the Sniper, and the
/// chance of each.
#[test]
fn sniper_check_has_all_its_drm() {
    for (stack, drm, eliminates, pins) in [
        ("german:8-1 + german:4-6-7 + german:2-4-7", -4, 15, 6),
        ("german:4-6-7", -2, 6, 4),
        ("german:2-4-7", -1, 3, 3),
        ("russian:hero", -1, 3, 3),
        ("german:8-0", 0, 1, 2),
        ("german:9-2", 0, 1, 2),
    ] {
        let request = json!({ "kind": "sniper", "stack": stack, "i134": "always" });
        let answer = answer_json(&request.to_string());
        let check = &answer["check"];
        assert_eq!(check["drm"], drm, "{stack}: {answer}");
        let ways = |dr: i64| 6 - (dr - 7).abs();
        let on = check["eliminated_on"].as_i64().unwrap();
        assert_eq!((2..=on).map(ways).sum::<i64>(), eliminates, "{stack}: {answer}");
        assert_eq!(ways(check["pinned_on"].as_i64().unwrap()), pins, "{stack}: {answer}");
    }
    // Of two half-squads the one that is not hit searches with -1.
    let request = json!({ "kind": "sniper", "stack": "2x german:2-4-7", "i134": "always" });
    let answer = answer_json(&request.to_string());
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let able = 1.0 / 3.0 * (30.0 + 6.0 * 4.0 / 6.0) / 36.0;
    for status in ["eliminated", "pinned"] {
        let of = rows.iter().filter(|row| row["place"] == "Sniper" && row["status"] == status);
        let found: f64 = of.map(|row| row["probability"].as_f64().unwrap()).sum();
        assert!((found - able * 3.0 / 36.0).abs() < 1e-12, "{status}: {answer}");
    }
}
