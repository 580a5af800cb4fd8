//! A stack that moves under fire: exact figures from an independent program, and the rules one by
//! one.

use std::collections::BTreeMap;

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::catalogue::CATALOGUE;
use lowcrawl::asl::crossing::question::{CrossingQuestion, Crossings};
use lowcrawl::asl::crossing::state::CrossingOutcome;
use lowcrawl::engine::exact::{Bound, Fraction, odds};
use lowcrawl::play::Draft;
use lowcrawl::process::Question as _;
use lowcrawl::schema::{RawValue, Settable as _};
use serde_json::Value;

/// The worked cases: input, and the figures of the answer.
const CASES: &str = include_str!("../fixtures/crossing.json");

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Builds the question of a case. X-16 tests shots alone.
fn question(case: &Value) -> Option<CrossingQuestion> {
    let input = &case["input"];
    let mut draft = Draft::<Crossings>::new(lowcrawl::asl::crossing::question::CrossingKind::Cross);
    let mut set = |name: &str, value: RawValue| {
        draft.set(name, value).unwrap_or_else(|fault| panic!("{}: {name}: {fault}", case["id"]));
    };
    set("hob", RawValue::Boolean(false));
    set("stack", RawValue::Text(input["stack"].as_str()?));
    set("path", RawValue::Text(&input["path"].to_string()));
    set("defender", RawValue::Text(&input["defenders"].to_string()));
    set("fire", RawValue::Text(&input["fire"].to_string()));
    for name in ["move", "elr", "concealed"] {
        match &input[name] {
            Value::String(word) => set(name, RawValue::Text(word)),
            Value::Number(number) => set(name, RawValue::Integer(number.as_i64().unwrap())),
            Value::Bool(value) => set(name, RawValue::Boolean(*value)),
            _ => {}
        }
    }
    Some(draft.question().unwrap_or_else(|fault| panic!("{}: {fault:?}", case["id"])))
}

type Ends = BTreeMap<(String, String, String), Fraction>;

fn add(ends: &mut Ends, key: (String, String, String), more: Fraction) {
    let sum = ends.entry(key).or_insert(Fraction::new(0, 1));
    *sum = sum.checked_add(more).unwrap();
}

fn fraction(text: &str) -> Fraction {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    Fraction::new(above.parse().unwrap(), below.parse().unwrap())
}

/// Returns the ends of the units: Location, status, counter.
fn ends(question: &CrossingQuestion) -> Ends {
    let mut ends = Ends::new();
    for process in question.parts().all() {
        for chance in odds(&process, Bound::STANDARD).unwrap().chances {
            let CrossingOutcome::Unit(end) = chance.outcome else { continue };
            let location = question.path.locations[usize::from(end.location)].name.clone();
            // The cases call both broken, and an arrived unit `through`.
            let status = match end.unit.status.name() {
                "arrived" => "through",
                "disrupted" => "broken",
                status => status,
            };
            let counter = end.unit.counter_text().unwrap_or_default();
            add(&mut ends, (location, status.to_string(), counter), chance.fraction.unwrap());
        }
    }
    ends
}

fn expected_ends(case: &Value) -> Ends {
    let mut ends = Ends::new();
    for end in case["answer"]["ends"].as_array().unwrap() {
        let id = end["counter"].as_str().unwrap();
        let counter = match CATALOGUE.find(id) {
            Some(counter) => CATALOGUE.get(counter).printed().to_string(),
            None => String::new(),
        };
        let key = (text(&end["location"]), text(&end["status"]), counter);
        add(&mut ends, key, fraction(end["p"].as_str().unwrap()));
    }
    ends
}

/// Returns the JSON value beside the rows.
fn reckoned(question: &CrossingQuestion, name: &str) -> Value {
    let reckoned = question.details().reckoned.unwrap();
    reckoned.json.into_iter().find(|(known, _)| *known == name).unwrap().1
}

/// One attack row: Location, firer, how often, kinds with FP, column, DRM, results.
type ShotRow =
    (String, String, Fraction, Vec<(String, String, u64, i64)>, BTreeMap<String, Fraction>);

fn shot_rows(rows: &Value, results: &str) -> Vec<ShotRow> {
    let row = |row: &Value| {
        let attack = |attack: &Value| {
            let column = attack["column"].as_u64().unwrap();
            (text(&attack["kind"]), text(&attack["fp"]), column, attack["drm"].as_i64().unwrap())
        };
        let mut attacks: Vec<_> = row["attacks"].as_array().unwrap().iter().map(attack).collect();
        attacks.sort();
        let results = row[results].as_object().unwrap().iter();
        let result = |(name, odds): (&String, &Value)| {
            (name.replace("NE", "-"), fraction(odds.as_str().unwrap()))
        };
        let (location, by) = (text(&row["location"]), text(&row["by"]));
        let made = fraction(row["made"].as_str().unwrap());
        (location, by, made, attacks, results.map(result).collect())
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// 8.1 - 8.31, 8.22, 9.22: ends, attacks and firers of the worked cases, to the last fraction.
#[test]
fn worked_cases_have_their_exact_figures() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let Some(question) = question(case) else { continue };
        let id = text(&case["id"]);
        let (found, expected) = (ends(&question), expected_ends(case));
        if found != expected {
            wrong.push(format!("{id} ends\n  {found:?}\n  {expected:?}"));
        }
        let found = shot_rows(&reckoned(&question, "shots"), "results");
        let expected = shot_rows(&case["answer"]["rows"], "dist");
        if found != expected {
            wrong.push(format!("{id} shots\n  {found:?}\n  {expected:?}"));
        }
        let firers = firers(&reckoned(&question, "firers"));
        let expected = case["answer"]["firers"].as_object().unwrap().iter();
        let expected: BTreeMap<String, Fraction> =
            expected.map(|(name, odds)| (name.clone(), fraction(odds.as_str().unwrap()))).collect();
        if firers != expected {
            wrong.push(format!("{id} firers\n  {firers:?}\n  {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns what becomes of the firers, in the words of the cases.
fn firers(json: &Value) -> BTreeMap<String, Fraction> {
    let mut firers = BTreeMap::new();
    let mut add = |name: String, odds: &Value| {
        let sum = firers.entry(name).or_insert(Fraction::new(0, 1));
        *sum = sum.checked_add(fraction(odds.as_str().unwrap())).unwrap();
    };
    for (name, of) in json.as_object().unwrap() {
        for (key, word) in [
            ("malfunctions", "SW malfunctions"),
            ("pinned", "firer pinned"),
            ("broken", "firer broken"),
            ("disrupted", "firer broken"),
            ("eliminated", "firer broken"),
        ] {
            if let Some(odds) = of.get(key) {
                add(format!("{name}: {word}"), odds);
            }
        }
    }
    firers
}
