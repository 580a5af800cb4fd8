//! Spellings of a request are equivalent: keys in another order, a flag by its opposite, and TOML
//! instead of JSON.

use lowcrawl::api::read::of_node;
use lowcrawl::api::{self, json, no_files};
use lowcrawl::schema::from_toml;
use serde_json::{Value, json};

use super::answered::is_small;
use super::translate::{self, Object};
use super::{Comparison, GAMES, answered_questions, canonical, document};

/// Flags that have an opposite.
const OPPOSITES: &[(&str, &str)] =
    &[("hob", "no-hob"), ("keu", "no-keu"), ("cowering", "no-cowering")];

/// One of so many stored requests is answered here.
const OF: usize = 4;

/// Reverses the order of the keys, also in steps, courses, base and options.
fn reversed(object: &Object) -> Value {
    let below = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("options" | "base", Value::Object(fields)) => reversed(fields),
            ("step" | "course", Value::Array(each)) => each
                .iter()
                .map(|each| each.as_object().map_or_else(|| each.clone(), reversed))
                .collect(),
            (_, value) => value.clone(),
        };
        (key.clone(), value)
    };
    Value::Object(object.iter().rev().map(below).collect())
}

/// Replaces each flag by its opposite, and counts the replaced flags.
fn opposed(object: &Object) -> (Value, usize) {
    let mut count = 0;
    let mut all = Object::new();
    for (key, value) in object {
        let opposite = OPPOSITES.iter().find_map(|(one, other)| match key.as_str() {
            key if key == *one => Some(*other),
            key if key == *other => Some(*one),
            _ => None,
        });
        let (key, value) = match (opposite, value, key.as_str()) {
            (Some(other), Value::Bool(flag), _) => {
                count += 1;
                (other, json!(!flag))
            }
            (_, Value::Object(fields), "base") => {
                let (fields, more) = opposed(fields);
                count += more;
                (key.as_str(), fields)
            }
            (_, Value::Array(each), "step" | "course") => {
                let each = each.iter().map(|each| match each {
                    Value::Object(fields) => {
                        let (fields, more) = opposed(fields);
                        count += more;
                        fields
                    }
                    other => other.clone(),
                });
                (key.as_str(), each.collect())
            }
            _ => (key.as_str(), value.clone()),
        };
        all.insert(key.to_string(), value);
    }
    (Value::Object(all), count)
}

/// Returns the answer to a request in TOML, and its canonical form.
fn of_toml(text: &str) -> (Value, Value) {
    let node = from_toml::node(text, "a request").unwrap();
    let request =
        of_node(&node, &GAMES, &no_files).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let canonical = request.canonical.clone();
    let answer =
        json::answer(&api::ask(request.request, "it".to_string(), &request.options).unwrap())
            .unwrap();
    (answer, canonical)
}

/// Returns a sample of the stored requests that have an answer which takes little time.
fn requests() -> impl Iterator<Item = Object> {
    let short = answered_questions().filter(|(_, answer)| is_small(answer));
    short.filter_map(|(request, _)| translate::request(request).ok()).step_by(OF)
}

#[test]
fn key_order_and_negated_flags_do_not_change_answers() {
    let (mut turned, mut flags) = (0, 0);
    for object in requests() {
        let answer = document(&Value::Object(object.clone()).to_string()).unwrap();
        let known = canonical(&Value::Object(object.clone()).to_string());
        let other = reversed(&object);
        assert_eq!(canonical(&other.to_string()).to_string(), known.to_string(), "{other}");
        assert_eq!(document(&other.to_string()).unwrap(), answer, "{other}");
        turned += 1;
        let (other, count) = opposed(&object);
        if count > 0 {
            assert_eq!(canonical(&other.to_string()).to_string(), known.to_string(), "{other}");
            assert_eq!(document(&other.to_string()).unwrap(), answer, "{other}");
            flags += 1;
        }
    }
    assert!(turned >= 350 && flags >= 60, "{turned} the other way round, {flags} with opposites");
}

#[test]
fn toml_is_read_like_json() {
    let mut alike = 0;
    for object in requests() {
        let value = Value::Object(object);
        let answer = document(&value.to_string()).unwrap();
        let text = toml::to_string(&value).unwrap();
        let (of_toml, canonical_toml) = of_toml(&text);
        assert_eq!(of_toml, answer, "{text}");
        assert_eq!(canonical_toml.to_string(), canonical(&value.to_string()).to_string(), "{text}");
        alike += 1;
    }
    assert!(alike >= 350, "{alike} in TOML");
}

/// A map has one canonical form, whether it is drawn or given as an area with hexes, and in any
/// order of letters and rows.
#[test]
fn map_spellings_have_one_canonical_form() {
    let canonical_map = |map: &str| {
        let rout = r#"[{"unit": "german:4-6-7/broken", "at": "A1"}]"#;
        let text = format!(r#"{{"kind": "rout", "map": {map}, "rout": {rout}}}"#);
        let known = canonical(&text).to_string();
        assert_eq!(canonical(&known).to_string(), known);
        known
    };
    let picture = canonical_map(
        r#"{"rows": "A B C\n1 . w r\n2 . . -", "legend": {"r": "rubble-stone", "x": "grain"}}"#,
    );
    for other in [
        r#"{"area": "A1-B2", "hexes": {"woods": ["B1"], "rubble-stone": ["C1"]}}"#,
        r#"{"rows": "C A B\n2 - . .\n1 q . T", "legend": {"T": "woods", "q": "rubble-stone"}}"#,
        r#"{"rows": "A B\n1 w w\n2 . .", "hexes": {"open": ["A1"], "rubble-stone": ["C1"]}}"#,
        r#"{"area": "A1-B2", "terrain": "woods", "hexes": {"open": ["A2", "B2", "A1"], "rubble-stone": ["C1"]}}"#,
    ] {
        assert_eq!(canonical_map(other), picture, "{other}");
    }
    let wall = r#""hexsides": {"wall": ["A1-B1"]}"#;
    assert_ne!(
        canonical_map(&format!(r#"{{"area": "A1-B2", {wall}}}"#)),
        canonical_map(r#"{"area": "A1-B2"}"#)
    );
}

#[test]
fn canonical_form_is_its_own_canonical_form() {
    let mut comparison = Comparison::default();
    for (request, _) in answered_questions() {
        let Ok(object) = translate::request(request) else { continue };
        let text = Value::Object(object).to_string();
        let known = canonical(&text).to_string();
        let again = api::read(&known, &GAMES, &no_files).map(|again| again.canonical.to_string());
        let is_same = again.as_ref().is_ok_and(|again| *again == known);
        comparison.add(is_same, || format!("{text}\n  {known}\n  {again:?}"));
    }
    comparison.assert_alike(1_800);
}

#[test]
fn command_of_a_request_gets_the_same_answer() {
    let mut comparison = Comparison::default();
    for object in requests() {
        let text = Value::Object(object).to_string();
        let request = api::read(&text, &GAMES, &no_files).unwrap();
        let command = request.command();
        let again = command
            .strip_prefix("printf %s '")
            .and_then(|rest| rest.strip_suffix("' | lowcrawl ask -"))
            .unwrap()
            .replace(r"'\''", "'");
        let answer =
            json::answer(&api::ask(request.request, "it".to_string(), &request.options).unwrap())
                .unwrap();
        let other = document(&again);
        let is_same = other.as_ref().is_ok_and(|other| {
            other["rows"] == answer["rows"] && other["lines"] == answer["lines"]
        });
        comparison.add(is_same, || {
            format!("{text}\n  {again}\n  {:?}", other.map(|other| other["meta"].to_string()))
        });
    }
    comparison.assert_alike(350);
}
