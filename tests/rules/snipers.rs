//! Snipers (A14): exact figures from an independent program.

use lowcrawl::answer_json;
use serde_json::{Value, json};

fn number(text: &str) -> f64 {
    let (numerator, denominator) = text.split_once('/').unwrap();
    numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap()
}

/// Returns the chance of rows that fit.
fn chance(answer: &Value, fits: impl Fn(&Value) -> bool) -> f64 {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    rows.iter().filter(|row| fits(row)).map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// Returns what a row of the table asks for.
fn value(answer: &Value, what: &str) -> f64 {
    match what.split_once(':') {
        None if what == "expected" => answer["sniper"]["expected"].as_f64().unwrap(),
        None => chance(answer, |row| row["status"] == what),
        Some((slot, what)) => chance(answer, |row| {
            if row["slot"] != slot.parse::<u64>().unwrap() {
                return false;
            }
            let counter = row["counter"].as_str().unwrap_or_default();
            let began = row["unit"].as_str().unwrap_or_default();
            let name = |text: &str| text.split('/').next().unwrap_or_default().to_string();
            let is_other = !counter.is_empty() && name(counter) != name(began);
            let is_wounded = row["wounded"] == true && !began.contains("wounded");
            match what {
                "dm" => counter.split(['/', ',']).any(|word| word == "dm"),
                "wounded" => is_wounded,
                "reduced" => is_other,
                "unharmed" => row["status"] == "good-order" && !is_other && !is_wounded,
                status => row["status"] == status,
            }
        }),
    }
}

/// 14.1 - 14.3, 14.23, 17.11, 10.62: calls in a game, and what one attack does.
#[test]
fn figures_agree_with_an_independent_program() {
    let mut reader = csv::Reader::from_reader(include_bytes!("../fixtures/snipers.csv").as_slice());
    let mut wrong = Vec::new();
    for record in reader.records().map(Result::unwrap) {
        let mut request = json!({ "kind": "sniper" });
        if !record[1].is_empty() {
            request["stack"] = record[1].into();
        }
        for field in record[2].split_whitespace() {
            let (name, number) = field.split_once('=').unwrap();
            request[name] = number.parse::<i64>().unwrap().into();
        }
        let found = value(&answer_json(&request.to_string()), &record[3]);
        let expected = number(&record[4]);
        if (found - expected).abs() > 1e-12 {
            wrong.push(format!("{} {}: {found}, expected {expected}", &record[0], &record[3]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 14.4, I-134: a squad beside the one that is hit searches with -2: the Sniper is eliminated on 4
/// or less, pinned on 5. A tie has the other one take a new dr, of which 3 to 6 do nothing.
#[test]
fn those_that_may_search_for_a_sniper() {
    let request = |check: &str| {
        let request = json!({ "kind": "sniper", "stack": "2x german:4-6-7", "i134": check });
        answer_json(&request.to_string())
    };
    let found = |answer: &Value, status: &str| {
        chance(answer, |row| row["place"] == "Sniper" && row["status"] == status)
    };
    let able = 1.0 / 3.0 * (30.0 + 6.0 * 4.0 / 6.0) / 36.0;
    let always = request("always");
    assert!((found(&always, "eliminated") - able * 6.0 / 36.0).abs() < 1e-12, "{always}");
    assert!((found(&always, "pinned") - able * 4.0 / 36.0).abs() < 1e-12, "{always}");
    assert_eq!(always["check"]["eliminated_on"], 6, "{always}");
    let none = request("none");
    assert_eq!(chance(&none, |row| row["place"] == "Sniper"), 0.0, "{none}");
    assert_eq!(chance(&none, |row| row["slot"] == 1), chance(&always, |row| row["slot"] == 1));
}

/// 12.122: the dr for each size, with leadership, Lax and Stealthy units, and TEM.
#[test]
fn concealment_is_gained_with_the_dr_of_the_rules() {
    for (stack, fields, slot, expected) in [
        ("german:4-6-7", json!({ "los": "no" }), 1, 2.0 / 6.0),
        ("german:2-4-7", json!({ "los": "no" }), 1, 0.5),
        ("german:8-0", json!({ "los": "no" }), 1, 4.0 / 6.0),
        ("german:4-6-7 + german:8-1", json!({ "los": "no" }), 1, 0.5),
        ("german:4-6-7 + german:8-1", json!({ "los": "no" }), 2, 4.0 / 6.0),
        ("german:2-4-7 + german:8-1", json!({ "los": "no" }), 1, 4.0 / 6.0),
        ("german:8-0/stealthy + german:8-1", json!({ "los": "no" }), 1, 1.0),
        ("russian:4-2-6", json!({ "los": "no" }), 1, 1.0 / 6.0),
        ("german:4-6-7", json!({ "los": "no", "terrain": "woods" }), 1, 1.0),
        ("german:4-6-7", json!({ "terrain": "woods", "enemy": "beyond-16" }), 1, 0.5),
        ("german:4-6-7", json!({ "terrain": "woods" }), 1, 0.0),
        ("german:4-6-7/broken", json!({ "los": "no" }), 1, 0.0),
        ("german:4-6-7", json!({ "enemy": "none" }), 1, 1.0),
    ] {
        let mut request = json!({ "kind": "conceal", "stack": stack });
        for (name, value) in fields.as_object().unwrap() {
            request[name] = value.clone();
        }
        let answer = answer_json(&request.to_string());
        let found = chance(&answer, |row| {
            let counter = row["counter"].as_str().unwrap_or_default();
            row["slot"] == slot && counter.ends_with("concealed")
        });
        assert!((found - expected).abs() < 1e-12, "{request}: {found}, expected {expected}");
    }
}
