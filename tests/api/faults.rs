//! Every fault of a request has its place in it.

use lowcrawl::api::{json, no_files, read};

use super::{GAMES, answer_request};

/// Returns the message of the fault, and the text at its place.
fn fault_of(text: &str) -> (String, String) {
    let fault = match read(text, &GAMES, &no_files) {
        Err(fault) => json::fault(&fault, text),
        Ok(request) => match answer_request(text).err().and_then(|unanswered| unanswered.refused) {
            Some(refused) => json::refused(refused, &request.node, text),
            None => panic!("{text} is answered"),
        },
    };
    let [start, end] = [0, 1].map(|end| fault["fault"]["span"][end].as_u64().unwrap() as usize);
    (fault["fault"]["message"].as_str().unwrap().to_string(), text[start..end].to_string())
}

fn assert_fault(text: &str, message: &str, place: &str) {
    assert_eq!(fault_of(text), (message.to_string(), place.to_string()), "{text}");
}

#[test]
fn request_that_is_no_object_is_refused() {
    assert_fault("[1]", "a request must be an object, not a list", "[1]");
    let help =
        read("[1]", &GAMES, &no_files).err().and_then(|fault| fault.help).unwrap().to_string();
    assert!(help.starts_with("{\"kind\": \"rally\""), "{help}");
    assert_fault(
        r#"{"kind": "rally", "options": 3}"#,
        "`options` must be an object, not a whole number",
        "3",
    );
    assert_fault(
        r#"{"kind": "rout", "map": 3}"#,
        "`map` must be an object, not a whole number",
        "3",
    );
}

#[test]
fn missing_key_is_reported_at_the_whole_request() {
    let text = r#"{"request": "compare", "kind": "rally"}"#;
    let (message, place) = fault_of(text);
    assert!(message.starts_with("`objective` is missing") && place == text, "{message}: {place}");
    let text = r#"{"request": "compare", "objective": "good-order"}"#;
    let (message, place) = fault_of(text);
    assert!(message.starts_with("`kind` is missing") && place == text, "{message}: {place}");
}

#[test]
fn keys_of_comparison_files_are_refused_in_requests() {
    for (name, value) in [("question", "\"rally\""), ("run", "{}"), ("corse", "[]")] {
        let text = format!(
            r#"{{"request": "compare", "kind": "rally", "objective": "good-order", "{name}": {value}}}"#
        );
        assert_fault(&text, &format!("a request has no key `{name}`"), name);
    }
}

#[test]
fn script_fault_points_into_the_script() {
    let trace = |script: &str| {
        format!(
            r#"{{"request": "trace", "kind": "rally", "stack": "german:4-6-7/dm", "script": "{script}"}}"#
        )
    };
    let (message, place) = fault_of(&trace("3,x"));
    assert!(message.contains("3,x") && place.contains("3,x"), "{message}: {place}");
    let (_, place) = fault_of(&trace("3,4 1,1 6,6 5"));
    assert!(!place.is_empty() && trace("3,4 1,1 6,6 5").contains(&place));
}

#[test]
fn unit_and_order_together_are_refused() {
    let map = r#""map": {"area": "A1-C3"}, "rout": [{"unit": "german:4-6-7/dm", "at": "A1"}], "enemy": [{"unit": "american:6-6-6", "at": "C3"}]"#;
    assert_fault(
        &format!(r#"{{"kind": "rout", {map}, "unit": "A1", "order": "A1"}}"#),
        "use either `unit` or `order`, not both",
        "\"A1\"",
    );
    assert_fault(
        &format!(r#"{{"kind": "rout", {map}, "explain": "K9"}}"#),
        "the hex `K9` is not on the map",
        "K9",
    );
    assert_fault(
        &format!(r#"{{"kind": "rout", {map}, "explain": "B2", "turns": 2}}"#),
        "use either `explain` or `turns`, not both",
        r#""B2""#,
    );
    let of_unit = |name: &str| {
        read(&format!(r#"{{"kind": "rout", {map}, "unit": "{name}"}}"#), &GAMES, &no_files)
    };
    for name in ["A1", "a1", "U1", "u1", "4-6-7 in A1"] {
        assert!(of_unit(name).is_ok(), "{name}");
    }
    assert_fault(
        &format!(r#"{{"kind": "rout", {map}, "unit": "4-6-8 in A1"}}"#),
        "no routing unit is called `4-6-8 in A1`",
        "4-6-8 in A1",
    );
    assert_eq!(of_unit("4-6-8 in A1").err().unwrap().near, ["4-6-7 in A1"]);
}

#[test]
fn stratify_is_limited_to_its_range() {
    let text = |rolls: &str| {
        format!(r#"{{"kind": "check", "stack": "4-6-7", "mc": 1, "options": {{{rolls}}}}}"#)
    };
    assert_fault(
        &text(r#""stratify": 4"#),
        "`stratify` must be a whole number from 1 to 3, not 4",
        "4",
    );
    let fault = read(&text(r#""stratfy": 1"#), &GAMES, &no_files).err().unwrap();
    assert_eq!(
        (fault.message.as_str(), fault.near),
        ("`options` has no key `stratfy`", vec!["stratify".to_string()])
    );
}
