//! `describe` lists exactly what `read` accepts: every field of every kind of question, with its
//! range or its words.

use std::collections::BTreeSet;

use lowcrawl::api::{describe, no_files, read};
use lowcrawl::text::Fault;
use serde_json::{Value, json};

use super::GAMES;
use super::translate::canonical;

/// A function that returns a request with a value for a field.
type Around<'a> = &'a dyn Fn(&str, Value) -> Value;

/// Reads a request; returns its fault, if it has one.
fn fault(request: &Value) -> Option<Fault> {
    read(&request.to_string(), &GAMES, &no_files).err()
}

/// Returns whether a request is refused because a name is unknown there.
fn is_unknown(request: &Value, name: &str) -> bool {
    let fault = fault(request);
    reports_unknown(fault.as_ref(), name) || reports_unknown(fault.as_ref(), &canonical(name))
}

fn reports_unknown(fault: Option<&Fault>, name: &str) -> bool {
    let words = [
        format!("has no field `{name}`"),
        format!("has no key `{name}`"),
        format!("no field is called `{name}`"),
    ];
    fault.is_some_and(|fault| words.iter().any(|words| fault.message.contains(words)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Returns the names and negations of the fields or parameters in a list.
fn names(fields: &Value) -> BTreeSet<String> {
    let of =
        |field: &Value| ["name", "negation"].map(|key| field[key].as_str().map(str::to_string));
    list(fields).iter().flat_map(of).flatten().collect()
}

/// Returns a value that a field may take.
fn sample(takes: &Value) -> Value {
    match text(&takes["type"]) {
        "flag" => json!(true),
        "number" => takes["from"].clone(),
        "numbers" => json!(1),
        "word" => takes["words"][0].clone(),
        "table" => json!({}),
        "list" => json!([sample(&takes["of"])]),
        _ => json!("x"),
    }
}

/// Returns the message that refuses a value of a field, with the value replaced by `it`.
fn refusal(around: Around, name: &str, value: Value) -> Option<String> {
    let shown = value.as_str().map_or(value.to_string(), str::to_string);
    fault(&around(name, value)).map(|fault| {
        fault
            .message
            .replace(&format!("`{shown}`"), "it")
            .replace(&format!("not {shown}"), "not it")
    })
}

/// Numbers of checked fields, by type.
#[derive(Debug, Default)]
struct FieldCounts {
    fields: usize,
    numbers: usize,
    words: usize,
    flags: usize,
}

/// Checks that a field takes the values of its range or its words, and no others.
fn assert_taken(around: Around, field: &Value, counts: &mut FieldCounts, wrong: &mut Vec<String>) {
    let name = text(&field["name"]);
    let takes = &field["takes"];
    let mut claim = |holds: bool, words: &str| {
        if !holds {
            wrong.push(format!("{words}: {name} in {}", around(name, sample(takes))));
        }
    };
    claim(!is_unknown(&around(name, sample(takes)), name), "unknown");
    if let Some(negation) = field["negation"].as_str() {
        claim(!is_unknown(&around(negation, json!(true)), negation), "unknown opposite");
    }
    counts.fields += 1;
    match text(&takes["type"]) {
        "number" => {
            let [low, high] = ["from", "to"].map(|key| takes[key].as_i64().unwrap());
            let is_out = |number: i64| {
                let refusal = refusal(around, name, json!(number));
                refusal.is_some_and(|refusal| {
                    refusal.starts_with(&format!(
                        "`{name}` must be a whole number from {low} to {high}"
                    ))
                })
            };
            claim(!is_out(low) && !is_out(high), "an end of its range is refused");
            let below = low.checked_sub(1).is_none_or(is_out);
            let above = high.checked_add(1).is_none_or(is_out);
            claim(below && above, "a number out of its range is taken");
            counts.numbers += 1;
        }
        "word" => {
            let other = refusal(around, name, json!("no-such-word"));
            claim(other.is_some(), "any word is taken");
            for word in list(&takes["words"]) {
                claim(
                    refusal(around, name, word.clone()) != other,
                    &format!("the word {word} is refused"),
                );
            }
            let number = refusal(around, name, json!(7));
            claim(
                number.is_some() && number != refusal(around, name, takes["words"][0].clone()),
                "a number is taken for a word",
            );
            counts.words += 1;
        }
        "flag" => {
            let other = refusal(around, name, json!("maybe"));
            claim(
                other.as_ref().is_some_and(|other| other.contains("must be true or false")),
                "any word is taken for a flag",
            );
            for flag in [true, false] {
                let refusal = refusal(around, name, json!(flag));
                claim(
                    !refusal.is_some_and(|refusal| refusal.contains("must be true or false")),
                    "a flag is refused",
                );
            }
            counts.flags += 1;
        }
        _ => {}
    }
}

fn assert_right(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// Returns requests for a kind of question of a game, with one more key.
fn of_kind<'a>(system: &'a str, kind: &'a str) -> impl Fn(&str, Value) -> Value + 'a {
    move |name, value| {
        let mut request = json!({ "system": system, "kind": kind });
        request[name] = value;
        request
    }
}

fn of_step<'a>(
    system: &'a str,
    kind: &'a str,
    step_kind: &'a str,
) -> impl Fn(&str, Value) -> Value + 'a {
    move |name, value| {
        let mut step = json!({ "do": step_kind });
        step[name] = value;
        json!({ "system": system, "kind": kind, "step": [step] })
    }
}

#[test]
fn every_field_is_read_as_described() {
    let description = describe(&GAMES, None, None).unwrap();
    let (mut counts, mut wrong) = (FieldCounts::default(), Vec::new());
    for system in list(&description["systems"]) {
        let name = text(&system["name"]);
        for kind in list(&system["kinds"]).iter().filter(|kind| kind["name"] != "rout") {
            let around = of_kind(name, text(&kind["name"]));
            for field in list(&kind["fields"]) {
                assert_taken(&around, field, &mut counts, &mut wrong);
            }
            for point in list(&system["parameters"]) {
                let name = text(&point["name"]);
                if is_unknown(&around(name, json!("x")), name) {
                    wrong.push(format!("unknown point {name}"));
                }
                let default = refusal(&around, name, point["default"].clone());
                if default.as_ref().is_some_and(|refusal| refusal.contains(&format!("`{name}`"))) {
                    wrong.push(format!("the default of {name}: {default:?}"));
                }
            }
            for step in list(&kind["steps"]) {
                let around = of_step(name, text(&kind["name"]), text(&step["do"]));
                list(&step["fields"])
                    .iter()
                    .for_each(|field| assert_taken(&around, field, &mut counts, &mut wrong));
            }
        }
    }
    assert_right(&wrong);
    assert!(
        counts.fields > 250 && counts.numbers > 80 && counts.words > 30 && counts.flags > 60,
        "{counts:?}"
    );
}

#[test]
fn undescribed_names_are_refused() {
    let description = describe(&GAMES, None, None).unwrap();
    let mut all: BTreeSet<String> =
        ["zzz", "", "stack ", "ELR", "no-elr", "not-hob", "options.engine", "kinds"]
            .map(str::to_string)
            .into();
    for system in list(&description["systems"]) {
        all.extend(names(&system["parameters"]));
        for kind in list(&system["kinds"]) {
            all.extend(names(&kind["fields"]));
            all.extend(list(&kind["steps"]).iter().flat_map(|step| names(&step["fields"])));
        }
    }
    for (_, fields) in description["requests"].as_object().unwrap() {
        all.extend(names(fields));
    }
    let (mut refused, mut wrong) = (0, Vec::new());
    for system in list(&description["systems"]) {
        let name = text(&system["name"]);
        for kind in list(&system["kinds"]).iter().filter(|kind| kind["name"] != "rout") {
            let around = of_kind(name, text(&kind["name"]));
            let mut known = names(&kind["fields"]);
            known.extend(names(&kind["aliases"]));
            known.extend(names(&system["parameters"]));
            let of_question: [BTreeSet<String>; 2] =
                ["every", "question"].map(|part| names(&description["requests"][part]));
            for other in &all {
                let is_known = known.contains(&canonical(other));
                if is_known || of_question.iter().any(|names| names.contains(other)) {
                    continue;
                }
                refused += 1;
                if !is_unknown(&around(other, json!(1)), other) {
                    wrong.push(format!(
                        "{other} of {name} {}: {:?}",
                        kind["name"],
                        fault(&around(other, json!(1)))
                    ));
                }
            }
            for step in list(&kind["steps"]) {
                let around = of_step(name, text(&kind["name"]), text(&step["do"]));
                let known = names(&step["fields"]);
                for other in all
                    .iter()
                    .filter(|other| !known.contains(&canonical(other)) && other.as_str() != "do")
                {
                    refused += 1;
                    if !is_unknown(&around(other, json!(1)), other) {
                        wrong.push(format!(
                            "{other} of step {}: {:?}",
                            step["do"],
                            fault(&around(other, json!(1)))
                        ));
                    }
                }
            }
        }
    }
    assert_right(&wrong);
    assert!(refused > 3_000, "{refused} names refused");
}

/// Returns requests with one more key in the given part of `requests`.
fn of_request(part: &str) -> impl Fn(&str, Value) -> Value + '_ {
    move |name, value| {
        let mut request = match part {
            "compare" => json!({ "request": "compare" }),
            "every" => json!({}),
            "options" => {
                return json!({ "kind": "check", "stack": "4-6-7", "mc": 1, "options": { name: value } });
            }
            "question" => json!({ "kind": "check", "stack": "4-6-7", "mc": 1 }),
            "reckon" => json!({ "request": part, "kind": "fire", "stack": "4-6-7", "fp": 4 }),
            _ => {
                json!({ "request": part, "kind": "rally", "stack": "4-6-7/dm", "objective": "good-order" })
            }
        };
        if part != "solve" && name != "objective" {
            request.as_object_mut().unwrap().shift_remove("objective");
        }
        request[name] = value;
        request
    }
}

#[test]
fn request_keys_besides_fields_are_read_as_described() {
    let description = describe(&GAMES, None, None).unwrap();
    let requests = description["requests"].as_object().unwrap();
    let parts: Vec<&str> = requests.keys().map(String::as_str).collect();
    let known = ["every", "options", "question", "compare", "solve", "trace", "impact", "reckon"];
    assert_eq!(parts, known);
    let (mut counts, mut wrong) = (FieldCounts::default(), Vec::new());
    for (part, fields) in requests {
        let around = of_request(part);
        list(fields).iter().for_each(|field| assert_taken(&around, field, &mut counts, &mut wrong));
        let known: BTreeSet<String> =
            [names(fields), names(&requests["every"])].into_iter().flatten().collect();
        let others =
            requests.values().flat_map(names).chain(["zzz".to_string(), "threads".to_string()]);
        for other in others.filter(|other| !known.contains(other) && part != "every") {
            if !is_unknown(&around(&other, json!(1)), &other) {
                wrong.push(format!("{other} of {part}: {:?}", fault(&around(&other, json!(1)))));
            }
        }
    }
    assert_right(&wrong);
    let read = ["engine", "trials", "precision", "seed", "stratify"].map(str::to_string);
    assert!(
        read.iter().all(|name| names(&requests["options"]).contains(name)),
        "{:?}",
        names(&requests["options"])
    );
    assert!(counts.fields > 25, "{counts:?}");
}

/// Returns a situation with one key in the table at `path`.
fn of_table(path: &str, name: &str, value: Value) -> Value {
    let parts: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
    let inner = json!({ name: value });
    let mut request = parts.iter().rev().fold(inner, |inner, part| {
        if *part == "N" { json!([inner]) } else { json!({ *part: inner }) }
    });
    request["kind"] = json!("rout");
    request
}

#[test]
fn situation_tables_are_read_as_described() {
    let description = describe(&GAMES, Some("asl"), Some("rout")).unwrap();
    let (mut counts, mut wrong) = (FieldCounts::default(), Vec::new());
    let top = |name: &str, value: Value| of_table("", name, value);
    list(&description["fields"])
        .iter()
        .for_each(|field| assert_taken(&top, field, &mut counts, &mut wrong));
    for table in list(&description["tables"]) {
        let path = text(&table["path"]);
        let around = |name: &str, value: Value| of_table(path, name, value);
        list(&table["fields"])
            .iter()
            .for_each(|field| assert_taken(&around, field, &mut counts, &mut wrong));
        if table["keyed"].is_null() {
            let is_refused = fault(&around("zzz", json!(1)))
                .is_some_and(|fault| fault.message.contains("has no key `zzz`"));
            if !is_refused {
                wrong.push(format!("zzz of {path}: {:?}", fault(&around("zzz", json!(1)))));
            }
        }
    }
    assert_right(&wrong);
    assert!(list(&description["tables"]).len() >= 10 && counts.fields > 70, "{counts:?}");
}

#[test]
fn unknown_names_get_the_nearest_known_name() {
    let fault = |system, kind| describe(&GAMES, Some(system), kind).unwrap_err();
    let of_system = fault("fortitud", None);
    assert_eq!(
        (of_system.near.as_slice(), of_system.span),
        (["fortitude".to_string()].as_slice(), 0..8)
    );
    let of_kind = fault("asl", Some("ralley"));
    assert_eq!((of_kind.near.as_slice(), of_kind.span), (["rally".to_string()].as_slice(), 0..6));
    assert!(describe(&GAMES, Some("fortitude"), Some("rout")).is_err());
}

/// Where files of VASL are read, the keys of such requests are described, and others are refused.
#[cfg(feature = "cli")]
#[test]
fn requests_about_files_are_read_as_described() {
    let description = describe(&GAMES, None, None).unwrap();
    let files = &description["files"];
    let parts: Vec<&String> = files.as_object().unwrap().keys().collect();
    assert_eq!(parts, ["saved", "board", "luck", "log"]);
    for kind in ["saved", "luck"] {
        let known = names(&files[kind]);
        assert!(known.contains("kind") && known.contains("id"), "{known:?}");
        for name in known.iter().map(String::as_str).chain(["zzz"]) {
            let mut request = json!({ "kind": kind });
            request[name] = json!(if name == "kind" { kind } else { "1" });
            let fault = lowcrawl::answer_json(&request.to_string())["fault"]["message"].to_string();
            assert_eq!(fault.contains("zzz"), name == "zzz", "{name} of {kind}: {fault}");
        }
    }
}

/// Returns a value of a hint as a request has it.
fn hinted(field: &Value, value: &Value) -> Value {
    match text(&field["takes"]["type"]) {
        "number" => json!(text(value).parse::<i64>().unwrap()),
        _ => value.clone(),
    }
}

#[test]
fn form_hints_name_fields_and_hold_values_that_are_taken() {
    let (mut values, mut wrong) = (0, Vec::new());
    for game in GAMES.games() {
        let (system, name) = (describe(&GAMES, Some(game.name()), None).unwrap(), game.name());
        let kinds = list(&system["kinds"]);
        let fields = || {
            kinds.iter().flat_map(|kind| {
                let steps = list(&kind["steps"]).iter().flat_map(|step| list(&step["fields"]));
                list(&kind["fields"]).iter().chain(steps)
            })
        };
        let hints = game.form_hints();
        for hint in hints.kinds {
            if !kinds.iter().any(|kind| kind["name"] == hint.kind && kind["label"] == hint.label) {
                wrong.push(format!("no kind {}", hint.kind));
            }
        }
        for hint in hints.fields {
            for other in hint.replaces.iter().chain([&hint.field]) {
                if !fields().any(|field| field["name"] == *other) {
                    wrong.push(format!("no field {other}"));
                }
            }
        }
        for unit in hints.units {
            if !list(&system["units"]).iter().any(|known| known["name"] == *unit) {
                wrong.push(format!("no unit {unit}"));
            }
        }
        for kind in kinds.iter().filter(|kind| kind["name"] != "rout") {
            let around = of_kind(name, text(&kind["name"]));
            for field in list(&kind["fields"]) {
                let initial = Some(&field["initial"]).filter(|value| !value.is_null());
                for value in list(&field["common"]).iter().chain(initial) {
                    values += 1;
                    let field_name = text(&field["name"]);
                    let fault = fault(&around(field_name, hinted(field, value)));
                    // The question is not complete, which is no fault of the value.
                    if fault.is_some_and(|fault| fault.message.contains(text(value))) {
                        wrong.push(format!("{value} of {field_name} in {}", kind["name"]));
                    }
                }
            }
        }
    }
    assert_right(&wrong);
    assert!(values > 100, "{values} values");
}
