//! Stored command lines as JSON requests: each must give the stored rows, meta and lists.

use std::collections::BTreeSet;

use lowcrawl::api::describe;
use serde_json::Value;

use super::store::{Answer, CUT, MOST_OF_A_FILE, Request, cut};
use super::{Comparison, GAMES, STORED, document, summary, translate};

/// Largest numbers of states and of random sequences of a request that this test answers.
const MOST_STATES: u64 = 10_000;
const MOST_TRIALS: u64 = 66_000;

/// The stored answer in JSON or CSV.
enum Stored<'a> {
    Described(&'a str),
    /// The first rows as CSV.
    Csv(&'a str),
    /// The beginning of the JSON, without version and command.
    Json(&'a str),
}

impl Stored<'_> {
    fn find<'a>(request: &Request, answer: &'a Answer) -> Option<Stored<'a>> {
        let value_of =
            |option: &str| request.arguments.iter().skip_while(|word| *word != option).nth(1);
        let part = |name: &str| answer.get(name).map(String::as_str);
        if let Some(json) = part("json") {
            return Some(Stored::Described(json));
        }
        match (value_of("--format").map(String::as_str), value_of("--out")) {
            (Some("csv"), None) => part("screen").map(Stored::Csv),
            (None, Some(name)) if name.ends_with(".json") => {
                part(&format!("file {name}")).map(Stored::Json)
            }
            _ => None,
        }
    }

    /// Lists the differences from an answer.
    fn differences(&self, mut document: Value) -> Vec<String> {
        let object = document.as_object_mut().unwrap();
        let notes = object.shift_remove("notes").unwrap();
        object.shift_remove("headline").unwrap();
        let mut found = Vec::new();
        let of_meta = object["meta"]["notes"].as_array().unwrap();
        if !notes.as_array().unwrap().starts_with(of_meta) {
            found.push(format!("notes {notes}"));
        }
        let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
        match self {
            Stored::Described(stored) => {
                let described = summary::summarize(&text);
                let lines = described.lines().zip(stored.lines());
                found.extend(
                    lines.filter(|(a, b)| a != b).map(|(a, b)| format!("{a}\n  stored {b}")),
                );
                if described.lines().count() != stored.lines().count() {
                    found.push("members".to_string());
                }
            }
            Stored::Csv(stored) => {
                let kept = stored.find(CUT).map_or(*stored, |end| &stored[..end]);
                let rows = kept.lines().count() - 1;
                document["rows"].as_array_mut().unwrap().truncate(rows);
                if rows == 0 || !summary::is_like_csv(&document.to_string(), kept) {
                    found.push("rows".to_string());
                }
            }
            Stored::Json(stored) => {
                let heads = ["\"version\": ", "\"command\": "];
                let is_compared =
                    |line: &&str| !heads.iter().any(|head| line.trim_start().starts_with(head));
                let compared: String = text.split_inclusive('\n').filter(is_compared).collect();
                if cut(&compared, MOST_OF_A_FILE) != *stored {
                    found.push(format!("json {compared}"));
                }
            }
        }
        found
    }
}

/// Returns a number of the stored meta, such as 12 from `"states":12`; 0 if it is missing.
fn stored_number(answer: &Answer, name: &str) -> u64 {
    let mark = format!("\"{name}\":");
    let after = answer.get("json").and_then(|json| json.split(&mark).nth(1)).unwrap_or_default();
    let end = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().unwrap_or(0)
}

/// Returns whether a request is too long to be answered here. This depends on its states and
/// sequences, never on a clock.
pub fn is_long(request: &Request, answer: &Answer) -> bool {
    let trials = request
        .arguments
        .iter()
        .skip_while(|word| *word != "--trials")
        .nth(1)
        .and_then(|text| text.parse().ok());
    stored_number(answer, "states") > MOST_STATES
        || stored_number(answer, "trials").max(trials.unwrap_or(0)) > MOST_TRIALS
}

/// Returns whether requests similar to this one are short too.
pub fn is_small(answer: &Answer) -> bool {
    stored_number(answer, "states") <= 300 && stored_number(answer, "trials") <= MOST_TRIALS
}

const UNMET: &[&str] = &[
    "assault of fortitude: left-board",
    "cc of asl: disrupted",
    "cc of asl: pinned",
    "conceal of asl: berserk",
    "conceal of asl: broken",
    "conceal of asl: captured",
    "conceal of asl: disrupted",
    "conceal of asl: eliminated",
    "conceal of asl: pinned",
    "cross of asl: arrived",
    "cross of asl: berserk",
    "cross of asl: broken",
    "cross of asl: captured",
    "cross of asl: disrupted",
    "cross of asl: eliminated",
    "cross of asl: good-order",
    "cross of asl: pinned",
    "fire of fortitude: left-board",
    "fire of fortitude: surrendered",
    "firefight of asl: berserk",
    "firefight of asl: broken",
    "firefight of asl: captured",
    "firefight of asl: disrupted",
    "firefight of asl: eliminated",
    "firefight of asl: good-order",
    "firefight of asl: pinned",
    "interdict of asl: broken",
    "platoon of asl: captured",
    "platoon of asl: pinned",
    "recover of fortitude: destroyed",
    "recover of fortitude: surrendered",
    "rout of asl: pinned",
    "sequence of asl: captured",
    "sequence of reaction: arrived",
    "sequence of reaction: at-zero",
    "sequence of reaction: collapsed",
    "sequence of reaction: disrupted",
    "sequence of reaction: draw",
    "sequence of reaction: forced-back",
    "sequence of reaction: held",
    "sequence of reaction: missed",
    "sequence of reaction: not-fired",
    "sniper of asl: captured",
    "sniper of asl: disrupted",
    "test of fortitude: left-board",
    "turn of asl: berserk",
    "turn of asl: broken",
    "turn of asl: captured",
    "turn of asl: disrupted",
    "turn of asl: eliminated",
    "turn of asl: good-order",
    "turn of asl: pinned",
    "volley of reaction: at-zero",
    "volleys of reaction: at-zero",
];

/// The statuses and policies in the answers, as `KIND of SYSTEM: STATUS`.
#[derive(Default)]
struct Ends {
    statuses: BTreeSet<String>,
    policies: BTreeSet<String>,
}

impl Ends {
    fn note(&mut self, request: &str, document: &Value) {
        let request_json: Value = serde_json::from_str(request).unwrap();
        if request_json.get("request").is_some() {
            return;
        }
        let kind = format!(
            "{} of {}",
            request_json["kind"].as_str().unwrap(),
            request_json["system"].as_str().unwrap_or("asl")
        );
        // Rows of a place, which have no slot, tell numbers or who is there, not what units become.
        let is_of_place = |row: &&Value| row["slot"].is_null() && row["place"].is_string();
        let rows = document["rows"].as_array().unwrap().iter().filter(|row| !is_of_place(row));
        let statuses = rows.filter_map(|row| row["status"].as_str());
        self.statuses.extend(statuses.map(|status| format!("{kind}: {status}")));
        let policy = document["meta"]["question"].as_str().unwrap().split_once("; policy: ");
        self.policies.extend(policy.map(|(_, policy)| format!("{kind}: {policy}")));
    }

    /// Checks that every status and policy in the answers is declared. Every declared status must
    /// occur, except those in `UNMET`.
    fn assert_declared(&self) {
        let description = describe(&GAMES, None, None).unwrap();
        let (mut statuses, mut policies) = (BTreeSet::new(), BTreeSet::new());
        for system in description["systems"].as_array().unwrap() {
            // A campaign is answered by best play or in a comparison; neither has statuses in its
            // rows.
            for kind in
                system["kinds"].as_array().unwrap().iter().filter(|kind| kind["choices"] != "best")
            {
                let named = |word: &Value| {
                    format!(
                        "{} of {}: {}",
                        kind["name"].as_str().unwrap(),
                        system["name"].as_str().unwrap(),
                        word.as_str().unwrap()
                    )
                };
                statuses.extend(kind["statuses"].as_array().unwrap().iter().map(named));
                policies.extend(
                    kind["policies"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|policy| named(&policy["name"])),
                );
            }
        }
        let undeclared = |met: &BTreeSet<String>, declared| {
            met.difference(declared).cloned().collect::<Vec<_>>()
        };
        assert_eq!(undeclared(&self.statuses, &statuses), [""; 0]);
        assert_eq!(undeclared(&self.policies, &policies), [""; 0]);
        assert!(self.policies.len() >= 8, "{:?}", self.policies);
        let unmet: Vec<&String> = statuses.difference(&self.statuses).collect();
        assert_eq!(unmet, UNMET);
    }
}

/// Reasons why some stored command lines are not compared.
const SKIPPED: &[&str] = &[
    // No request asks for these.
    "a request draws nothing",
    "a study is many requests",
    // Boards, lists and help are no questions.
    "help",
    "no question",
    // The answer is stored as a screen only; the module `traces` compares traces.
    "only a screen",
    // Options that repeat are tables: `attacks` and `platoons` test those.
    "tables",
    // These would take too long here.
    "too long",
];

#[test]
fn command_lines_and_json_get_the_same_answers() {
    let (mut comparison, mut ends) = (Comparison::default(), Ends::default());
    for (request, answer) in STORED.iter().filter(|(_, answer)| answer["exit"] == "0") {
        let stored = Stored::find(request, answer).ok_or("only a screen");
        let object =
            translate::request(request).and_then(|object| match is_long(request, answer) {
                true => Err("too long"),
                false => stored.map(|stored| (object, stored)),
            });
        let (object, stored) = match object {
            Ok(both) => both,
            Err(reason) => {
                comparison.skip(reason);
                continue;
            }
        };
        let text = Value::Object(object).to_string();
        let found = match document(&text) {
            Ok(document) => {
                ends.note(&text, &document);
                stored.differences(document)
            }
            Err(unanswered) => vec![format!("{unanswered:?}")],
        };
        comparison.add(found.is_empty(), || {
            format!("{}\n  {text}\n  {}", request.command(), found.join("\n  "))
        });
    }
    ends.assert_declared();
    comparison.assert_alike(1_700);
    comparison.assert_skipped(SKIPPED);
}

#[test]
fn json_explains_hexes_as_the_screen_does() {
    let mut alike = 0;
    let is_explained = |request: &Request| request.arguments.iter().any(|word| word == "--explain");
    for (request, answer) in
        STORED.iter().filter(|(request, answer)| is_explained(request) && answer["exit"] == "0")
    {
        let document =
            document(&Value::Object(translate::request(request).unwrap()).to_string()).unwrap();
        let (mut explanation, mut unit) = (String::new(), &Value::Null);
        let text = |cell: &Value| cell.as_str().unwrap().to_string();
        for row in document["rows"].as_array().unwrap() {
            if row["unit"] != *unit {
                unit = &row["unit"];
                explanation += &format!("{}: {}\n", text(unit), text(&row["hex"]));
            }
            explanation += &format!("  {} ({})\n", text(&row["reason"]), text(&row["rule"]));
        }
        // On the screen, the mark of a unit stands before its name.
        let name = |line: &str| match line.split_once(' ') {
            Some((mark, name)) if mark.starts_with('U') => format!("{name}\n"),
            _ => format!("{line}\n"),
        };
        let screen: String = answer["screen"].lines().map(name).collect();
        assert_eq!(explanation, screen, "{}", request.arguments.join(" "));
        let may_be = |unit: &Value| unit["is_destination"] == true;
        let destinations =
            document["headline"].as_array().unwrap().iter().filter(|unit| may_be(unit)).count();
        assert_eq!(
            destinations,
            explanation.matches("may be declared the destination").count(),
            "{explanation}"
        );
        alike += 1;
    }
    assert!(alike >= 10, "{alike} explained");
}
