//! For whom something is better: the keys `for`, `most` and `fewest` of comparisons and solved
//! requests. Numbers are the same for both sides; only the verdict changes.

use serde_json::{Value, json};

use super::{answer_request, canonical, document, table};

/// One attack of 16 FP on a squad, or two of 8 FP, with the given keys of an objective.
fn attacks(goal: &str) -> String {
    let step = |fp: u8| json!({ "do": "fire", "fp": fp });
    let mut request = json!({ "request": "compare", "kind": "sequence",
        "base": { "stack": "german:4-6-7", "no-hob": true },
        "course": [{ "name": "one 16", "step": [step(16)] },
            { "name": "two 8", "step": [step(8), step(8)] }] });
    for (key, value) in table::fields(goal) {
        request[key] = match value {
            lowcrawl::schema::RawValue::Text(text) => text.into(),
            _ => panic!("{goal}"),
        };
    }
    request.to_string()
}

/// The keys of an objective, the side of the verdict, its word, and the side that gains if the
/// number grows.
const GOALS: &str = "
    objective=good-order                        | owner | target | owner
    objective=good-order; for=owner             | owner | target | owner
    objective=good-order; for=enemy             | enemy | firer  | owner
    objective='holds >= 1'; for=firer           | enemy | firer  | owner
    objective=breaks; for=target                | owner | target | enemy
    objective=breaks; for=Firer                 | enemy | firer  | enemy
    objective=cvp                               | owner | target | enemy
    objective=cvp; for=enemy                    | enemy | firer  | enemy
    most=good-order                             | owner | target | owner
    most=cvp                                    | enemy | firer  | enemy
    most=lost                                   | enemy | firer  | enemy
    fewest=breaks                               | owner | target | enemy
    fewest=holds                                | enemy | firer  | owner
    most=breaks; for=owner                      | owner | target | owner
    fewest=breaks; for=enemy                    | enemy | firer  | owner
    fewest=holds; for=owner                     | owner | target | enemy
";

#[test]
fn verdicts_are_those_of_their_side() {
    for [goal, side, word, gains] in table::rows(GOALS) {
        let answer = document(&attacks(goal)).unwrap();
        let rows = answer["rows"].as_array().unwrap();
        let numbers: Vec<f64> = rows
            .iter()
            .filter(|row| row["outcome"] == "objective")
            .map(|row| row["probability"].as_f64().unwrap())
            .collect();
        assert!(numbers.iter().all(|number| *number > 0.0), "{goal}: {numbers:?}");
        let is_second = (numbers[1] > numbers[0]) == (gains == side);
        let best = ["one 16", "two 8"][usize::from(is_second)];
        let headline = &answer["headline"];
        assert_eq!([&headline["best"], &headline["for"]], [best, side], "{goal}: {numbers:?}");
        assert!(headline["lead"].as_f64().unwrap() > 0.0, "{goal}: {headline}");
        let verdict = answer["verdict"].as_str().unwrap();
        let sign = if gains == side { '+' } else { '-' };
        let expected = format!("{best} is better for the {word}: {sign}");
        assert!(verdict.starts_with(&expected), "{goal}: {verdict}");
    }
}

/// The firer does best by the most attacks that can break a squad, whatever counts it.
#[test]
fn two_attacks_of_8_are_better_for_the_firer_than_one_of_16() {
    for goal in ["objective=holds; for=firer", "most=breaks", "fewest=good-order"] {
        let answer = document(&attacks(goal)).unwrap();
        let headline = &answer["headline"];
        assert_eq!([&headline["best"], &headline["for"]], ["two 8", "enemy"], "{goal}");
    }
}

/// Both sides see the same numbers, and each difference is the later course minus the first.
#[test]
fn numbers_do_not_depend_on_the_side() {
    for objective in ["good-order", "cvp", "breaks", "holds >= 1"] {
        let rows = |side: &str| {
            document(&attacks(&format!("objective='{objective}'; for={side}"))).unwrap()["rows"]
                .clone()
        };
        assert_eq!(rows("owner"), rows("enemy"), "{objective}");
    }
}

#[test]
fn canonical_requests_have_the_side_if_it_is_not_the_owner() {
    let keys = |goal: &str| {
        let canonical = canonical(&attacks(goal));
        ["objective", "most", "fewest", "for"].map(|key| canonical[key].clone())
    };
    let owner = keys("objective=cvp; for=target");
    assert_eq!(owner, [json!("cvp"), Value::Null, Value::Null, Value::Null]);
    assert_eq!(keys("fewest=cvp"), owner);
    assert_eq!(keys("most=cvp"), keys("objective=cvp; for=firer"));
    assert_eq!(keys("most=cvp")[3], "enemy");
    assert_eq!(
        keys("most=breaks; for=owner"),
        [Value::Null, json!("breaks"), Value::Null, json!("owner")]
    );
}

#[test]
fn solved_requests_keep_their_play_and_name_the_side() {
    let request = |side: &str| {
        format!(
            "{{\"request\":\"solve\",\"kind\":\"rally\",\"stack\":\"german:6+1/broken + \
            german:4-6-7/broken\",\"phases\":2,\"no-hob\":true,\"objective\":\"good-order\"{side}}}"
        )
    };
    let [owner, enemy] = ["", ",\"for\":\"enemy\""]
        .map(|side| document(&request(side)).unwrap()["headline"].clone());
    assert_eq!([&owner["for"], &enemy["for"]], ["owner", "enemy"]);
    for key in ["value", "choice", "margin"] {
        assert_eq!(owner[key], enemy[key], "{key}");
    }
}

/// A wrong objective or side, the marked part of the request, and a part of the message.
const WRONG: &str = "
    objective=holds; for=shooter     | shooter      | no side is called `shooter`
    objective=holds; most=holds      | holds        | use one of `objective`, `most` and `fewest`
    most=holdz                       | holdz        | did you mean `holds`
    for=firer                        |              | `objective` is missing
";

#[test]
fn wrong_sides_have_a_place() {
    for [goal, marked, message] in table::rows(WRONG) {
        let text = attacks(goal);
        let fault = answer_request(&text).err().unwrap().fault;
        assert!(fault.to_string().contains(message), "{goal}: {fault}");
        if !marked.is_empty() {
            assert_eq!(text[fault.span].trim_matches('"'), marked, "{goal}");
        }
    }
}
