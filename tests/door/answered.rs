//! Command lines of the corpus as JSON: rows, meta and lists are those that are stored.

use std::collections::{BTreeMap, BTreeSet};

use lowcrawl::door::describe;
use serde_json::Value;

use super::store::{Answer, Request};
use super::{CORPUS, HOUSE, document, stored, translate};

/// Most states that are worked here, and most random sequences that are played.
const MOST_STATES: u64 = 60_000;
const MOST_TRIALS: u64 = 66_000;

/// What is stored of an answer in JSON or CSV.
struct Stored<'a> {
    csv: Option<&'a str>,
    json: Option<String>,
    parts: Option<&'a Answer>,
}

impl Stored<'_> {
    fn of<'a>(request: &Request, answer: &'a Answer) -> Option<Stored<'a>> {
        let given =
            |option: &str| request.arguments.iter().skip_while(|word| *word != option).nth(1);
        if answer["exit"] != "0" {
            return None;
        }
        if answer.contains_key("meta") {
            return Some(Stored {
                csv: answer.get("csv").map(String::as_str),
                json: None,
                parts: Some(answer),
            });
        }
        let file = |name: &String| answer.get(&format!("file {name}"));
        match (given("--format").map(String::as_str), given("--out")) {
            (Some("csv"), None) => Some(Stored {
                csv: answer.get("screen").map(String::as_str),
                json: None,
                parts: None,
            }),
            (None, Some(name)) if name.ends_with(".json") => {
                Some(Stored { csv: None, json: file(name).cloned(), parts: None })
            }
            _ => None,
        }
    }
}

/// A number that the stored meta says: `"states": 12`.
fn said(answer: &Answer, name: &str) -> u64 {
    let line = answer.get("meta").and_then(|meta| {
        meta.lines().find(|line| line.trim_start().starts_with(&format!("\"{name}\": ")))
    });
    line.and_then(|line| line.split(": ").nth(1)?.trim_end_matches(',').parse().ok()).unwrap_or(0)
}

/// Whether a request is not asked here: by its states and sequences, never by a clock.
pub fn is_long(request: &Request, answer: &Answer) -> bool {
    let asked = request
        .arguments
        .iter()
        .skip_while(|word| *word != "--trials")
        .nth(1)
        .and_then(|text| text.parse().ok());
    said(answer, "states") > MOST_STATES
        || said(answer, "trials").max(asked.unwrap_or(0)) > MOST_TRIALS
}

/// Whether what is much like it is asked in no time either.
pub fn is_small(answer: &Answer) -> bool {
    said(answer, "states") <= 300 && said(answer, "trials") <= MOST_TRIALS
}

/// A long part as it is stored: its first lines, and a hash of it all (FNV-1a).
fn cut(text: &str) -> String {
    const WHOLE: usize = 12_000;
    if text.len() <= WHOLE {
        return text.to_string();
    }
    let lines = text.split_inclusive('\n').scan(0, |length, line| {
        *length += line.len();
        (*length <= WHOLE / 2).then_some(line)
    });
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{}... {} bytes, {hash:016x}\n", lines.collect::<String>(), text.len())
}

/// What differs from what is stored, by part.
fn differences(mut document: Value, stored: &Stored) -> Vec<String> {
    let object = document.as_object_mut().unwrap();
    let notes = object.shift_remove("notes").unwrap();
    object.shift_remove("headline").unwrap();
    let mut found = Vec::new();
    let of_meta = object["meta"]["notes"].as_array().unwrap();
    if !notes.as_array().unwrap().starts_with(of_meta) {
        found.push(format!("notes {notes}"));
    }
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    if let Some(file) = &stored.json {
        let heads = ["\"version\": ", "\"command\": "];
        let is_told = |line: &&str| !heads.iter().any(|head| line.trim_start().starts_with(head));
        let told: String = text.split_inclusive('\n').filter(is_told).collect();
        if cut(&told) != *file {
            found.push(format!("json {told}"));
        }
    }
    let Some(csv) = stored.csv else { return found };
    let is_cut = csv.lines().last().is_some_and(|line| line.starts_with("... "));
    match stored.parts {
        // Of what is cut the first rows are told.
        _ if is_cut => {
            let kept: Vec<&str> = csv.lines().collect();
            let kept = kept[..kept.len() - 1].join("\n") + "\n";
            let mut first = document.clone();
            let rows = csv::Reader::from_reader(kept.as_bytes()).records().count();
            first["rows"].as_array_mut().unwrap().truncate(rows);
            let first = serde_json::to_string_pretty(&first).unwrap() + "\n";
            if !stored::parts(&first, &kept)[1].1.starts_with("as CSV; ") {
                found.push("first rows".to_string());
            }
        }
        None => {
            if !stored::parts(&text, csv)[1].1.starts_with("as CSV; ") {
                found.push("rows".to_string());
            }
        }
        Some(_) => {}
    }
    let Some(answer) = stored.parts else { return found };
    for (part, told) in stored::parts(&text, csv) {
        let known = answer.get(part).map_or("", String::as_str);
        if cut(&told) != known && !(is_cut && part == "rows") {
            let line = told.lines().zip(known.lines()).find(|(told, known)| told != known);
            found.push(format!("{part}: {line:?} of {} against {} bytes", told.len(), known.len()));
        }
    }
    found
}

/// Statuses that are declared, and that no command line of the corpus that is asked here comes to.
const UNMET: &[&str] = &[
    "assault of fortitude: left-board",
    "fire of fortitude: left-board",
    "fire of fortitude: surrendered",
    "interdict of asl: broken",
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
    "test of fortitude: left-board",
    "volley of reaction: at-zero",
    "volleys of reaction: at-zero",
];

/// The statuses and policies that answers to questions came to, as `KIND of SYSTEM: STATUS`.
#[derive(Default)]
struct Ends {
    statuses: BTreeSet<String>,
    policies: BTreeSet<String>,
}

impl Ends {
    fn note(&mut self, request: &str, document: &Value) {
        let asked: Value = serde_json::from_str(request).unwrap();
        if asked.get("request").is_some() {
            return;
        }
        let kind = format!(
            "{} of {}",
            asked["kind"].as_str().unwrap(),
            asked["system"].as_str().unwrap_or("asl")
        );
        let statuses =
            document["rows"].as_array().unwrap().iter().filter_map(|row| row["status"].as_str());
        self.statuses.extend(statuses.map(|status| format!("{kind}: {status}")));
        let policy = document["meta"]["question"].as_str().unwrap().split_once("; policy: ");
        self.policies.extend(policy.map(|(_, policy)| format!("{kind}: {policy}")));
    }

    /// What they came to is declared, and all that is declared is come to but for what is listed.
    fn assert_declared(&self) {
        let told = describe(&HOUSE, None, None).unwrap();
        let (mut statuses, mut policies) = (BTreeSet::new(), BTreeSet::new());
        for system in told["systems"].as_array().unwrap() {
            // A campaign is answered by the best play, or in a comparison: neither has statuses in
            // its rows.
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

/// Why command lines that are answered are not compared here.
const LEFT: &[&str] = &[
    // What no request asks for yet.
    "a request draws nothing",
    "a study is many requests",
    // What is no question: boards, lists, help.
    "help",
    "no question",
    // What is stored as a screen only, which `tales` compares where a sequence is told.
    "only a screen",
    // What would take too long here.
    "too long",
];

#[test]
fn words_and_json_are_answered_alike() {
    let (mut alike, mut differ) = (0, Vec::new());
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ends = Ends::default();
    for (number, (request, answer)) in
        (1..).zip(CORPUS.iter()).filter(|(_, (_, answer))| answer["exit"] == "0")
    {
        let stored = Stored::of(request, answer).ok_or("only a screen");
        let object =
            translate::request(request).and_then(|object| match is_long(request, answer) {
                true => Err("too long"),
                false => stored.map(|stored| (object, stored)),
            });
        let (object, stored) = match object {
            Ok(both) => both,
            Err(reason) => {
                *left.entry(reason).or_default() += 1;
                continue;
            }
        };
        let text = Value::Object(object).to_string();
        let found = match document(&text) {
            Ok(document) => {
                ends.note(&text, &document);
                differences(document, &stored)
            }
            Err(no) => vec![format!("{no:?}")],
        };
        match found.is_empty() {
            true => alike += 1,
            false => differ.push(format!(
                "{number} {}\n  {text}\n  {}",
                request.arguments.join(" "),
                found.join("\n  ")
            )),
        }
    }
    eprintln!("{alike} answered alike, {} differ; left: {left:?}", differ.len());
    ends.assert_declared();
    assert!(differ.is_empty(), "{}", differ[..differ.len().min(10)].join("\n"));
    assert!(left.keys().eq(LEFT), "{left:?}");
    assert!(alike >= 1_700, "{alike} alike");
}

#[test]
fn a_hex_is_explained_in_the_words_of_the_screen() {
    let mut alike = 0;
    let is_explained = |request: &Request| request.arguments.iter().any(|word| word == "--explain");
    for (request, answer) in
        CORPUS.iter().filter(|(request, answer)| is_explained(request) && answer["exit"] == "0")
    {
        let document =
            document(&Value::Object(translate::request(request).unwrap()).to_string()).unwrap();
        let (mut told, mut unit) = (String::new(), &Value::Null);
        let text = |cell: &Value| cell.as_str().unwrap().to_string();
        for row in document["rows"].as_array().unwrap() {
            if row["unit"] != *unit {
                unit = &row["unit"];
                told += &format!("{}: {}\n", text(unit), text(&row["hex"]));
            }
            told += &format!("  {} ({})\n", text(&row["reason"]), text(&row["rule"]));
        }
        // The screen has the mark of a unit before its name.
        let name = |line: &str| match line.split_once(' ') {
            Some((mark, name)) if mark.starts_with('U') => format!("{name}\n"),
            _ => format!("{line}\n"),
        };
        let screen: String = answer["screen"].lines().map(name).collect();
        assert_eq!(cut(&told), screen, "{}", request.arguments.join(" "));
        let may_be = |unit: &Value| unit["is_destination"] == true;
        let destinations =
            document["headline"].as_array().unwrap().iter().filter(|unit| may_be(unit)).count();
        assert_eq!(destinations, told.matches("may be declared the destination").count(), "{told}");
        alike += 1;
    }
    assert!(alike >= 10, "{alike} explained");
}
