//! Platoons and firefights: figures of an independent program, exact or with their errors.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The sequences of a simulated answer.
const TRIALS: u64 = 4_000;
/// The number of standard errors by which simulated figures may differ.
const SIGMAS: f64 = 4.0;
/// The largest difference of exact figures, which are given to 12 digits.
const ROUNDING: f64 = 1e-11;

/// The names of the mean numbers in the worked cases, and in an answer.
const MEANS: [(&str, &str); 9] = [
    ("hold", "MMC in Good Order"),
    ("front", "MMC in Good Order in front"),
    ("broken_front", "MMC broken in front"),
    ("broken_rear", "MMC broken behind"),
    ("on_way", "MMC on the way"),
    ("lost", "MMC lost"),
    ("berserk", "MMC berserk"),
    ("leaders", "leaders in Good Order"),
    ("position", "position held"),
];

fn cases() -> Vec<Value> {
    let text = include_str!("../fixtures/platoon/examples.json");
    let examples: Value = serde_json::from_str(text).unwrap();
    examples["cases"].as_array().unwrap().clone()
}

/// Returns the questions of a case with their figures by Player Turn: one, or one for each value.
fn variants(case: &Value) -> Vec<(Value, Value)> {
    let file = &case["file"];
    let Some(values) = case["values"].as_array() else {
        return vec![(file.clone(), case["turns"].clone())];
    };
    let varied = case["varied"].as_str().unwrap();
    let variant = |value: &Value| {
        let mut file = file.clone();
        let sides = file["side"].as_array_mut().unwrap();
        let (side, field) = match varied.split_once('.') {
            Some((name, field)) => {
                (sides.iter().position(|side| side["name"] == name).unwrap(), field)
            }
            None => (0, varied),
        };
        sides[side][field] = value["value"].clone();
        if value["value"] == "separate" {
            file["i155"] = "alternative".into();
        }
        (file, value["turns"].clone())
    };
    values.iter().map(variant).collect()
}

/// A figure with its standard error, 0 if it is exact.
#[derive(Clone, Copy, Debug)]
struct Figure {
    value: f64,
    error: f64,
}

impl Figure {
    fn chance(value: f64, trials: f64) -> Figure {
        // A chance that no sequence has met may still be some ten thousandths.
        let at = value.clamp(1e-3, 1.0 - 1e-3);
        Figure { value, error: (at * (1.0 - at) / trials).sqrt() }
    }
}

/// An answer: means by quantity, and chances by side, Player Turn, status and number.
struct Figures {
    means: BTreeMap<String, Figure>,
    chances: BTreeMap<(String, u64, String, String), f64>,
}

fn figures(file: &Value, is_exact: bool) -> Figures {
    let mut request = file.clone();
    let is_firefight = file["side"].as_array().unwrap().len() == 2;
    request["kind"] = if is_firefight { "firefight" } else { "platoon" }.into();
    request["options"] = match is_exact {
        true => json!({ "engine": "exact" }),
        false => json!({ "engine": "monte-carlo", "trials": TRIALS, "seed": 7 }),
    };
    let answer = lowcrawl::answer_json(&request.to_string());
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{request}: {answer}"));
    let mean = |expected: &Value| {
        let error = expected["std_error"].as_f64().unwrap_or_default();
        let figure = Figure { value: expected["value"].as_f64()?, error };
        Some((expected["quantity"].as_str()?.to_string(), figure))
    };
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_string();
    let of_all = rows.iter().filter(|row| row["slot"].is_null());
    let chance = |row: &Value| {
        let turn = row["phase"].as_u64().unwrap();
        let key = (text(row, "side"), turn, text(row, "status"), text(row, "counter"));
        (key, row["probability"].as_f64().unwrap())
    };
    Figures {
        means: answer["expected"].as_array().unwrap().iter().filter_map(mean).collect(),
        chances: of_all.map(chance).collect(),
    }
}

/// Notes a figure that differs too much from that of the case.
fn compare(what: String, expected: Figure, found: Figure, faults: &mut Vec<String>) {
    let error = expected.error.hypot(found.error) * SIGMAS;
    let difference = (expected.value - found.value).abs();
    if difference > error.max(ROUNDING) {
        faults.push(format!("{what}: expected {}, found {}", expected.value, found.value));
    }
}

fn check(case: &Value, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let is_exact = case["engine"] == "exact";
    let trials = case["trials"].as_f64().unwrap_or(f64::INFINITY);
    let own_trials = if is_exact { f64::INFINITY } else { TRIALS as f64 };
    let mut faults = Vec::new();
    for (file, turns) in variants(case) {
        let found = figures(&file, is_exact);
        let sides = file["side"].as_array().unwrap();
        for at in turns.as_array().unwrap() {
            let turn = at["turn"].as_u64().unwrap();
            for side in sides {
                let name = side["name"].as_str().unwrap();
                let of_side = &at[name];
                let chance = |status: &str, number: usize| {
                    let key = (name.to_string(), turn, status.to_string(), number.to_string());
                    found.chances.get(&key).copied().unwrap_or_default()
                };
                let place = |what: &str| format!("{} {turn} {name} {what}", case["case"]);
                for (key, quantity) in MEANS {
                    let expected = Figure {
                        value: of_side[format!("mean_{key}")].as_f64().unwrap(),
                        error: of_side[format!("se_{key}")].as_f64().unwrap_or_default(),
                    };
                    let of = if sides.len() == 2 { format!("{name}: ") } else { String::new() };
                    let own = found.means[&format!("{of}{quantity} after Player Turn {turn}")];
                    // A number that is always the same by chance has no error of its own.
                    let least = (1.0 / trials).max(1.0 / own_trials);
                    let own = Figure { error: own.error.max(least), ..own };
                    compare(place(key), expected, own, &mut faults);
                }
                for (key, status) in [("hold", MEANS[0].1), ("front", MEANS[1].1)] {
                    for (number, expected) in of_side[key].as_array().unwrap().iter().enumerate() {
                        let expected = Figure::chance(expected.as_f64().unwrap(), trials);
                        let own = Figure::chance(chance(status, number), own_trials);
                        compare(place(&format!("{key} {number}")), expected, own, &mut faults);
                    }
                }
            }
            for (status, holder) in
                [("own-only", 0), ("enemy-only", 1), ("both", 2), ("neither", 3)]
            {
                let name = sides.get(holder).map_or(status, |side| side["name"].as_str().unwrap());
                let Some(expected) = at["field"][name].as_f64() else { continue };
                let key = (String::new(), turn, status.to_string(), String::new());
                let own = found.chances.get(&key).copied().unwrap_or_default();
                let expected = Figure::chance(expected, trials);
                let own = Figure::chance(own, own_trials);
                let what = format!("{} {turn} field {status}", case["case"]);
                compare(what, expected, own, &mut faults);
            }
        }
    }
    faults.retain(|fault| !is_known(fault));
    faults
}

fn assert_cases(are_meant: impl Fn(&Value) -> bool, number: usize) {
    let all = cases();
    let cases: Vec<&Value> = all.iter().filter(|case| are_meant(case)).collect();
    assert_eq!(cases.len(), number);
    let faults: Vec<String> = cases.iter().flat_map(|case| check(case, |_| false)).collect();
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
}

fn is_of_one_side(case: &Value) -> bool {
    case["file"]["side"].as_array().unwrap().len() == 1
}

#[test]
fn exact_platoons_equal_those_of_an_independent_program() {
    assert_cases(|case| case["engine"] == "exact" && is_of_one_side(case), 9);
}

/// 3.3, 4.7: among them by the next hex in the APh.
#[test]
fn exact_firefights_equal_those_of_an_independent_program() {
    assert_cases(|case| case["engine"] == "exact" && !is_of_one_side(case), 3);
}

#[test]
fn simulated_platoons_agree_with_an_independent_program() {
    assert_cases(|case| case["engine"] != "exact" && is_of_one_side(case), 9);
}

/// 7.5, 7.55: among them by one Fire Group of all, by Location, and unit by unit.
#[test]
fn simulated_firefights_agree_with_an_independent_program() {
    assert_cases(|case| case["engine"] != "exact" && !is_of_one_side(case), 4);
}

/// Returns the chance of each end of a unit at a report: `pinned` is Good Order once pins are over.
fn ends(request: &Value, point: &str, at: u64) -> BTreeMap<String, f64> {
    let answer = lowcrawl::answer_json(&request.to_string());
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{request}: {answer}"));
    let mut ends = BTreeMap::new();
    for row in rows.iter().filter(|row| row["slot"].is_number() && row[point] == at) {
        let status = row["status"].as_str().unwrap().replace("pinned", "good-order");
        let end = format!("{} {status} {} {}", row["slot"], row["counter"], row["wounded"]);
        *ends.entry(end).or_insert(0.0) += row["probability"].as_f64().unwrap();
    }
    ends
}

fn assert_equal(expected: &BTreeMap<String, f64>, found: &BTreeMap<String, f64>, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for ((end, chance), (other, expected)) in found.iter().zip(expected) {
        assert_eq!(end, other, "{what}");
        assert!((chance - expected).abs() < 1e-12, "{what} {end}: {chance}, not {expected}");
    }
}

/// In one Location, without moves, a platoon is a sequence of Rally Phases and attacks.
#[test]
fn platoon_of_one_location_equals_a_sequence() {
    let stack = "german:8-1 + german:4-6-7/broken";
    let platoon = json!({ "kind": "platoon", "turns": 2, "begins": "enemy", "hob": false,
        "side": [{ "name": "own", "policy": "hold", "rally": "reference",
            "location": [{ "name": "front", "terrain": "woods", "units": stack }] }],
        "attack": [{ "at": "front", "fp": 8, "drm": -1 }], "options": { "engine": "exact" } });
    let fire = json!({ "do": "fire", "fp": 8, "drm": 0 });
    let rally = |own: &str| json!({ "do": "rally", "own-rph": own, "terrain": "woods" });
    let sequence = json!({ "kind": "sequence", "stack": stack, "hob": false,
        "step": [rally("never"), fire, rally("odd"), fire], "options": { "engine": "exact" } });
    for turn in 1..=2 {
        let expected = ends(&sequence, "step", 2 * turn);
        let found = ends(&platoon, "phase", turn);
        assert_equal(&expected, &found, &format!("Player Turn {turn}"));
    }
}

/// Adds up the chances of ends that differ in the counter alone, which a campaign does not tell.
fn without_counters(ends: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for (end, chance) in ends {
        let words: Vec<&str> = end.split(' ').collect();
        let told = [words[0], words[1], words[words.len() - 1]].join(" ");
        *sums.entry(told).or_insert(0.0) += chance;
    }
    sums
}

/// A leader alone, who routs to woods behind whenever he may and waits there, is a campaign.
#[test]
fn platoon_of_one_leader_equals_a_campaign() {
    for (unit, begins, fp, drm) in
        [("german:8-0", "enemy", 8, 0), ("german:9-1/broken", "own", 12, -1)]
    {
        let platoon = json!({ "kind": "platoon", "turns": 3, "begins": begins, "hob": false,
            "side": [{ "name": "own", "leader": "stay", "rout": "rout", "return": "wait",
                "link": [{ "from": "house", "to": "woods" }], "location": [
                    { "name": "house", "terrain": "wooden-building", "units": unit },
                    { "name": "woods", "terrain": "woods" },
                ] }],
            "attack": [{ "at": "house", "fp": fp, "drm": drm }], "options": { "engine": "exact" } });
        let own = if begins == "own" { "odd" } else { "even" };
        let campaign = json!({ "kind": "campaign", "unit": unit, "here": "wooden-building",
            "exposed": true, "open": 0, "cover": "woods", "fp": fp, "drm": drm, "begin": "rally",
            "own-rph": own, "turns": 3, "hob": false, "policy": "run",
            "options": { "engine": "exact" } });
        for turn in 1..=3 {
            let (expected, found) = (ends(&campaign, "phase", turn), ends(&platoon, "phase", turn));
            let (expected, found) = (without_counters(&expected), without_counters(&found));
            assert_equal(&expected, &found, &format!("{unit}, Player Turn {turn}"));
        }
    }
}

/// The dice of a told game, laid again, tell the same game with the same chance.
#[test]
fn told_games_play_again_with_their_dice() {
    for (case, file) in cases().iter().map(|case| (&case["case"], &case["file"])).skip(8).take(12) {
        let mut request = file.clone();
        let is_firefight = file["side"].as_array().unwrap().len() == 2;
        request["kind"] = if is_firefight { "firefight" } else { "platoon" }.into();
        request["request"] = "trace".into();
        request["sequence"] = 17.into();
        let told = lowcrawl::answer_json(&request.to_string());
        let lines = told["lines"].as_array().unwrap_or_else(|| panic!("{case}: {told}"));
        let script: Vec<&str> = lines.iter().filter_map(|line| line["rolled"].as_str()).collect();
        assert!(script.len() > 1, "{case}: {told}");
        request.as_object_mut().unwrap().remove("sequence");
        request["script"] = script.join(" ").into();
        let again = lowcrawl::answer_json(&request.to_string());
        assert_eq!(again["lines"], told["lines"], "{case}");
        assert_eq!(again["headline"], told["headline"], "{case}");
    }
}

#[test]
fn number_of_threads_does_not_change_a_firefight() {
    let request = json!({ "kind": "firefight", "stack": "german:8-0 + german:4-6-7",
        "against": "2x russian:4-4-7", "range": 3, "terrain": "woods", "their-terrain": "woods",
        "turns": 2 });
    let answer = |threads: usize| {
        let read =
            lowcrawl::read(&request.to_string(), &crate::GAMES, &lowcrawl::no_files).unwrap();
        let options = lowcrawl::Options {
            engine: lowcrawl::Engine::MonteCarlo,
            trials: lowcrawl::Trials::Number(40_000),
            threads: Some(threads),
            ..lowcrawl::Options::default()
        };
        let answer = lowcrawl::ask(read.request, String::new(), &options).ok().unwrap();
        let document = lowcrawl::api::json::answer(&answer).unwrap();
        (document["rows"].clone(), document["expected"].clone())
    };
    assert_eq!(answer(1), answer(3));
}

#[test]
fn faults_have_their_place_in_the_tables() {
    for (side, at, message) in [
        (
            r#"{"location": [{"name": "a", "terrain": "wods", "units": "german:4-6-7"}]}"#,
            "wods",
            "no terrain is called `wods`",
        ),
        (
            r#"{"location": [{"name": "a", "terrain": "woods", "units": "german:4-6-9"}]}"#,
            "german:4-6-9",
            "no counter has the printed values",
        ),
        (
            r#"{"location": [{"name": "a", "terrain": "woods", "units": "german:4-6-7"}], "link": [{"from": "a", "to": "b"}]}"#,
            "b",
            "no Location is called `b`",
        ),
        (
            r#"{"policy": "holds", "location": [{"terrain": "woods", "units": "german:4-6-7"}]}"#,
            "holds",
            "no policy is called `holds`",
        ),
        (
            r#"{"location": [{"name": "a", "units": "german:4-6-7"}]}"#,
            r#"{"name": "a", "units": "german:4-6-7"}"#,
            "`a` is Open Ground in sight of the enemy",
        ),
    ] {
        let text = format!(r#"{{"kind": "platoon", "side": [{side}]}}"#);
        let fault = lowcrawl::read(&text, &crate::GAMES, &lowcrawl::no_files).err().unwrap();
        assert!(fault.message.contains(message), "{}", fault.message);
        assert_eq!(text[fault.span].trim_matches('"'), at, "{message}");
    }
}

/// Returns the answer of one Player Turn of a side in front of woods behind, by the exact engine.
fn turn_of(units: &str, fields: Value) -> Value {
    let at = json!([
        { "name": "a1", "terrain": "woods", "units": units, "adjacent": true },
        { "name": "a2", "terrain": "woods" },
    ]);
    let link = json!([{ "from": "a1", "to": "a2", "interdicted": 1 }]);
    let mut request = json!({ "kind": "platoon", "turns": 1, "begins": "enemy", "hob": false,
        "attack": [{ "at": "a1", "fp": 20, "no-cowering": true }], "options": { "engine": "exact" },
        "side": [{ "name": "own", "policy": "hold", "location": at, "link": link }] });
    request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let answer = lowcrawl::answer_json(&request.to_string());
    assert!(answer["fault"].is_null(), "{answer}");
    answer
}

/// Returns the chance that the first unit ends in a status.
fn chance(answer: &Value, status: &str) -> f64 {
    let rows = answer["rows"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["slot"] == 1 && row["status"] == status);
    rows.map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// 17.8, 20.3: whom an ADJACENT enemy would capture routs if he does not surrender.
#[test]
fn exempt_units_and_no_quarter_know_no_surrender() {
    let plain = turn_of("german:4-6-7", json!({}));
    assert!(chance(&plain, "captured") > 0.6, "{plain}");
    for (units, fields) in [
        ("german:4-6-7", json!({ "no-quarter": true })),
        ("german:4-6-7/disrupted", json!({ "no-quarter": true })),
        ("partisan:3-3-7", json!({})),
    ] {
        let answer = turn_of(units, fields);
        assert!(chance(&answer, "captured") == 0.0, "{units}: {answer}");
    }
    // SS who cannot rout from Russians are lost, and other Germans surrender.
    for (units, status) in
        [("german-ss:6-5-8/broken", "eliminated"), ("german:4-6-7/broken", "captured")]
    {
        let side = |name: &str, at: &str, units: &str| {
            json!({ "name": name, "policy": "hold",
                "location": [{ "name": at, "terrain": "woods", "units": units }] })
        };
        let request = json!({ "kind": "firefight", "turns": 1, "begins": "foe", "hob": false,
            "range": 1, "options": { "engine": "exact" },
            "side": [side("own", "a1", units), side("foe", "b1", "russian:8-0")] });
        let answer = lowcrawl::answer_json(&request.to_string());
        assert_eq!(chance(&answer, status), 1.0, "{units}: {answer}");
    }
}

/// S-4 and 10.531: a hero gives no DRM of his own, and a Hindrance cancels Open Ground.
#[test]
fn heroes_are_plain_and_hindrances_cover() {
    let firefight = |own: &str, terrain: &str, enemy: &str, hindrance: u8| {
        let request = json!({ "kind": "firefight", "turns": 1, "begins": "foe", "hob": false,
            "range": 4, "hindrance": { "a1-b1": hindrance }, "options": { "engine": "exact" },
            "side": [
                { "name": "own", "policy": "hold", "link": [{ "from": "a1", "to": "a2" }],
                    "location": [{ "name": "a1", "terrain": terrain, "units": own },
                        { "name": "a2", "terrain": "woods" }] },
                { "name": "foe", "policy": "hold",
                    "location": [{ "name": "b1", "terrain": "woods", "units": enemy }] },
            ] });
        let answer = lowcrawl::answer_json(&request.to_string());
        assert!(answer["fault"].is_null(), "{answer}");
        answer
    };
    let by_hero = firefight("german:4-6-7", "woods", "any:1-4-9", 0);
    let plain = json!({ "kind": "fire", "stack": "german:4-6-7", "fp": 1, "drm": 1,
        "cowering": false, "hob": false });
    let plain = lowcrawl::answer_json(&plain.to_string());
    let (found, expected) = (chance(&by_hero, "broken"), chance(&plain, "broken"));
    assert!(expected > 0.0 && (found - expected).abs() < ROUNDING, "{found}, {expected}");

    let in_rear = |hindrance| {
        let answer = firefight("german:4-6-7/broken", "open", "russian:4-4-7", hindrance);
        let rows = answer["rows"].as_array().unwrap().clone().into_iter();
        let rear = rows.filter(|row| row["side"] == "own" && row["place"] == "rear");
        rear.map(|row| row["probability"].as_f64().unwrap()).sum::<f64>()
    };
    assert!(in_rear(0) > 0.9);
    assert!(in_rear(1) < 0.1);
}
