//! Readings of Close Combat that are open, worked by hand.

use lowcrawl::answer_json;
use serde_json::{Value, json};

/// Returns the chance of rows of one unit that fit.
fn chance(answer: &Value, side: &str, slot: u64, fits: impl Fn(&Value) -> bool) -> f64 {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let of = rows.iter().filter(|row| row["side"] == side && row["slot"] == slot && fits(row));
    of.map(|row| row["probability"].as_f64().unwrap()).sum()
}

fn has_counter(counter: &str) -> impl Fn(&Value) -> bool {
    move |row| row["counter"] == counter
}

fn assert_chance(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-12, "{what}: {found}, expected {expected}");
}

/// 18.12, I-116: ours ambush two Russian squads at 1-2, KN 4, -1: on 5 one of them is Reduced, or
/// by a tie both. What is left creates a leader on a 2 with 5 of 6 dr. With him the attack is 4 to
/// 9, 1-4, KN 3, and a 5 does nothing.
#[test]
fn applied_attack_of_ambushers_is_worked_out_again_for_a_created_leader() {
    let answer = |reading: &str| {
        let request = json!({ "kind": "cc", "stack": "german:4-6-7", "against": "2x russian:4-4-7",
            "plan": "all", "reply": "all", "ambush": "ours", "i116": reading });
        answer_json(&request.to_string())
    };
    let [stands, again] = ["default", "alternative"].map(answer);
    let reduced = 4.0 / 36.0 * 21.0 / 36.0;
    let created = 1.0 / 36.0 * 5.0 / 6.0;
    for slot in [1, 2] {
        let half = |answer| chance(answer, "theirs", slot, has_counter("2-3-7"));
        assert_chance(half(&stands), reduced, "its results stand");
        assert_chance(half(&again), reduced * (1.0 - created), "worked out again");
        let lost = |answer| chance(answer, "theirs", slot, |row| row["status"] == "eliminated");
        assert_chance(lost(&again), lost(&stands), "both are dead on 4 or less, and create nobody");
    }
    let net = |answer: &Value| answer["summary"]["net"].as_f64().unwrap();
    assert!(net(&again) < net(&stands), "{again}");
}

/// 18.12, I-116: a broken squad that ambushers have killed with the unbroken one beside it is there
/// again, and the created leader is one more target: 8 to 9, 1-2, KN 4, -1.
#[test]
fn worked_out_again_an_attack_spares_and_strikes() {
    let answer = |reading: &str| {
        let request = json!({ "kind": "cc", "stack": "2x german:4-6-7",
            "against": "russian:4-4-7/broken + russian:4-4-7", "plan": "all", "reply": "all",
            "ambush": "ours", "i116": reading });
        answer_json(&request.to_string())
    };
    let [stands, again] = ["default", "alternative"].map(answer);
    // 8 to 8, 1-1, KN 5, -1, broken -2: the broken one is dead on 7 or less, half on 8; the other
    // one on 5 or less, half on 6. With the leader: on 6 or less, half on 7; on 4 or less, half on
    // 5. At odds below 1-1 every dr creates a leader.
    let created = 1.0 / 36.0;
    let ways = |original: f64| (6.0 - (original - 7.0f64).abs()) / 36.0;
    let lost = |answer| chance(answer, "theirs", 1, |row| row["status"] == "eliminated");
    let dead: f64 = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0].into_iter().map(ways).sum();
    assert_chance(lost(&stands), dead, "its results stand");
    assert_chance(lost(&again), dead - ways(7.0) * created, "7 only halves it now");
    let is_half = |row: &Value| row["counter"].as_str().unwrap_or_default().starts_with("2-3-7");
    let half = |answer| chance(answer, "theirs", 1, is_half);
    let halves = ways(8.0) * (1.0 - created) + ways(7.0) * created;
    assert_chance(half(&again), halves, "8 does nothing now, 7 halves it");
    // On a 6 the other one was half and is spared with the leader; on a 5 and less it was dead.
    let other = |answer| chance(answer, "theirs", 2, has_counter("2-3-7"));
    assert_chance(other(&stands), ways(6.0), "its results stand");
    assert_chance(other(&again), ways(6.0) * (1.0 - created), "6 spares it now");
}

/// 20.5, I-122: prisoners whose only captor dies in the same round have no Guard who can hold them.
/// 4 to 4, KN 5, +1: captured on 3 or less; the captor is dead on 4 or less.
#[test]
fn prisoners_beyond_the_capacity_of_their_captors_are_freed() {
    let answer = |reading: &str| {
        let request = json!({ "kind": "cc", "stack": "2x german:4-6-7",
            "against": "russian:4-4-7", "plan": "1>1 !capture", "reply": "1>1",
            "creation": false, "i122": reading });
        answer_json(&request.to_string())
    };
    let [captured, freed] = ["default", "alternative"].map(answer);
    let taken = |answer| chance(answer, "theirs", 1, |row| row["status"] == "captured");
    assert_chance(taken(&captured), 3.0 / 36.0, "captured");
    assert_chance(taken(&freed), 3.0 / 36.0 * 30.0 / 36.0, "freed if the captor is dead");
    let unarmed = chance(&freed, "theirs", 1, has_counter("4-4-7/unarmed"));
    assert_chance(unarmed, 3.0 / 36.0 * 6.0 / 36.0, "there without arms");
}

/// 20.5, I-122: an SMC holds five US#: of two squads that it captures one is freed.
#[test]
fn leader_alone_holds_one_squad() {
    let answer = |reading: &str| {
        let request = json!({ "kind": "cc", "stack": "german:8-0/alone",
            "against": "2x russian:4-4-7/unarmed", "plan": "capture", "reply": "none",
            "i122": reading });
        answer_json(&request.to_string())
    };
    // 1 to 2, KN 4, -1: both on 4 or less, one half of a squad on 5.
    let second = |answer| chance(answer, "theirs", 2, |row| row["status"] == "captured");
    let [captured, freed] = ["default", "alternative"].map(answer);
    assert_chance(second(&captured), 6.0 / 36.0, "captured");
    assert_chance(second(&freed), 0.0, "freed");
}
