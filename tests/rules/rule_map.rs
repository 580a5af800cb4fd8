//! The rule map: where each rule is implemented, and which tests cover it. The page
//! `crates/asl/src/rule_map.md` of the crate documentation is generated from the sources.
//! `LOWCRAWL_WRITE=1 cargo test --release --test rules rule_map` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "crates/asl/src/rule_map.md";

/// Numbers of the personnel morale rules that this crate implements.
const ANSWERED_FOR: &str = "A.7 A.9 A.18 1.11 1.121 1.122 1.123 1.23 1.25 7.21 7.22 7.3 7.301 7.302 7.303 7.304 7.305 7.7 7.8 7.831 7.9 10.1 10.2 10.21 10.22 10.3 10.31 \
    10.4 10.41 10.5 10.51 10.52 10.53 10.531 10.532 10.533 10.6 10.61 10.62 10.63 10.64 10.7 10.71 10.711 10.72 10.8 15.1 15.2 15.21 15.3 15.4 15.41 15.42 15.44 15.5 \
    17.1 17.11 17.2 17.3 18.11 18.2 19.1 19.11 19.12 19.13 19.132 19.3 20.21 20.3 20.4 25.22 A.5 A.11 4.43 4.6 4.61 4.62 7.1 7.2 7.23 7.24 7.25 7.34 7.35 7.351 7.352 \
    7.36 7.52 7.53 7.531 7.6 8.1 8.14 8.15 8.2 8.221 8.23 8.26 8.3 8.31 8.4 15.23 19.131 19.2 19.33 25.11 25.35 25.53 25.74 25.75 \
    4.51 4.8 11.11 11.12 11.14 11.141 11.15 11.16 11.17 11.18 11.19 11.2 11.22 11.32 11.4 11.41 \
    1.5 4.1 4.11 4.12 4.14 4.2 4.44 4.5 4.63 4.7 7.353 7.5 7.55 8.22 15.431 19.31 20.1 \
    15.24 15.432 15.46 18.12 19.35 19.36 20.22 20.221 20.52 25.24 25.25 25.63 25.64 25.7 25.71";

/// Other rules that are not implemented, each with the reason.
const OUT_OF_SCOPE: [(&str, &str); 6] = [
    ("4.42", "carrying capacity: no equipment is on the map"),
    ("8.41", "an example of a pinned leader; the rule is 7.831"),
    ("15.43", "the charge of berserk units is movement; that they must attack in CC is checked"),
    ("20.2", "prisoners: a captured unit leaves the Location and is only counted"),
    ("20.5", "guarding prisoners; what an unarmed unit's checks do is worked out"),
    ("20.54", "prisoners take no checks: they are turned away"),
];

/// Points of the implemented rules that are not implemented, each with the reason.
const LEFT_OPEN: [(&str, &str); 6] = [
    (
        "I-26",
        "a broken unit in Melee that rallies: `cc` has no Rally Phase between its Player Turns",
    ),
    (
        "10.53, second edition",
        "DM for other units in the Interdicted Location: routing units are alone in theirs",
    ),
    ("10.21", "the moving stack: all units of a Location move, or none does"),
    ("10.62", "DM by Snipers, WP and Blazes: the step `dm` of a sequence gives it"),
    (
        "15.1, 15.5",
        "Japanese, Gurkhas, Allied Minors, Hungarians facing Romanians: not in the catalogue",
    ),
    (
        "10.6, Starter Kit",
        "the separate Self-Rally step before Rally: the order is that of the full rules",
    ),
];

/// A rule number, ordered by chapter, then by paragraph digit by digit. Chapter 0 is the general
/// part of chapter A.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule(u8, String);

impl Rule {
    /// Parses a rule number: `10.62`, `A10.62`, or `A.9` for the general part.
    fn parse(word: &str) -> Option<Rule> {
        let lettered = word.starts_with('A');
        let (chapter, paragraph) = word.trim_start_matches('A').split_once('.')?;
        let numbered = !paragraph.is_empty() && paragraph.bytes().all(|byte| byte.is_ascii_digit());
        let chapter = if chapter.is_empty() && lettered { Some(0) } else { chapter.parse().ok() };
        let known = chapter
            .filter(|chapter| [0, 1, 4, 7, 8, 10, 11, 15, 17, 18, 19, 20, 25].contains(chapter));
        known.filter(|_| numbered).map(|chapter| Rule(chapter, paragraph.to_string()))
    }

    /// Returns the rules named in a text.
    fn all_in(text: &str) -> BTreeSet<Rule> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
        words.filter_map(|word| Rule::parse(word.trim_end_matches('.'))).collect()
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let chapter = if self.0 == 0 { String::new() } else { self.0.to_string() };
        write!(f, "A{chapter}.{}", self.1)
    }
}

type Places = BTreeMap<Rule, BTreeSet<String>>;

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(path.to_str().unwrap()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the name that a line declares: a function, type, constant or table.
fn item(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let keyword = words.iter().position(|word| {
        ["fn", "struct", "enum", "const", "static", "trait", "type"].contains(word)
    })?;
    let name = words.get(keyword + 1).filter(|_| {
        words[..keyword].iter().all(|word| word.starts_with("pub") || word.ends_with(')'))
    })?;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
}

/// Collects the rules named in doc comments and in events of a source, by item. `tests_only`
/// restricts it to items marked `#[test]`.
fn collect_rules(text: &str, file: &str, tests_only: bool, places: &mut Places) {
    let (mut docs, mut current, mut marked) = (String::new(), String::new(), false);
    let claim = |text: &str, item: &str, places: &mut Places| {
        for rule in Rule::all_in(text).into_iter().filter(|_| !item.is_empty()) {
            places.entry(rule).or_default().insert(format!("{file}: {item}"));
        }
    };
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            docs += words;
            docs.push('\n');
        } else if line == "#[test]" {
            marked = true;
        } else if let Some(name) = item(line) {
            current = if !tests_only || marked { name.to_string() } else { String::new() };
            claim(&docs, &current, places);
            docs.clear();
            marked = false;
        } else if !line.starts_with("#[") && !docs.is_empty() {
            // The comment of a field or variant belongs to the enclosing item.
            claim(&docs, &current, places);
            docs.clear();
        }
        let events = ["rule: \"", "self.note(\"", "log.note(\"", "note_unit(\""];
        for (_, event) in events.iter().filter_map(|event| line.split_once(event)) {
            claim(event.split('"').next().filter(|_| !tests_only).unwrap_or(""), &current, places);
        }
    }
}

/// Returns where rules are implemented, and where they are tested.
fn places() -> (Places, Places) {
    let (mut worked_out, mut tested) = (Places::new(), Places::new());
    // These folders build on the rules and implement none.
    let excluded =
        ["board", "course", "scenario"].map(|room| Path::new("crates/asl/src").join(room));
    for path in sources("crates/asl/src")
        .into_iter()
        .filter(|path| !excluded.iter().any(|room| path.starts_with(room)))
    {
        let text = fs::read_to_string(&path).unwrap();
        let (code, tests) = text.split_once("#[cfg(test)]\nmod tests").unwrap_or((&text, ""));
        let file = path.strip_prefix("crates/asl/src").unwrap().display().to_string();
        collect_rules(code, &file, false, &mut worked_out);
        collect_rules(tests, &format!("crates/asl/src/{file}"), true, &mut tested);
    }
    for path in sources("tests").iter().filter(|path| !path.starts_with("tests/twin")) {
        collect_rules(
            &fs::read_to_string(path).unwrap(),
            &path.display().to_string(),
            true,
            &mut tested,
        );
    }
    (worked_out, tested)
}

fn page(worked_out: &Places, tested: &Places) -> String {
    let mut page =
        "Where each rule is worked out and tested. Made by `tests/rule_map.rs` from the sources; the numbers are those of the \
                    rulebook's chapter A.\n\n| rule | worked out in | tested by |\n|---|---|---|\n"
            .to_string();
    let by_file = |places: &BTreeSet<String>| {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in places {
            let (file, item) = place.split_once(": ").unwrap();
            files.entry(file).or_default().push(item);
        }
        files
            .into_iter()
            .map(|(file, items)| format!("{file}: `{}`", items.join("`, `")))
            .collect::<Vec<_>>()
            .join("; ")
    };
    for (rule, code) in worked_out.iter().filter(|(rule, _)| !out_of_scope().contains(rule)) {
        let tests = tested.get(rule).map_or(String::new(), by_file);
        page += &format!("| {rule} | {} | {tests} |\n", by_file(code));
    }
    page += "\nLeft out:\n\n| rule | why |\n|---|---|\n";
    for (rule, why) in OUT_OF_SCOPE {
        page += &format!("| {} | {why} |\n", Rule::parse(rule).unwrap());
    }
    page += "\nLeft open in the rules above:\n\n| point | why |\n|---|---|\n";
    for (point, why) in LEFT_OPEN {
        page += &format!("| {point} | {why} |\n");
    }
    page
}

fn out_of_scope() -> BTreeSet<Rule> {
    OUT_OF_SCOPE.iter().map(|(rule, _)| Rule::parse(rule).unwrap()).collect()
}

/// Every listed rule is implemented, every implemented rule is tested, and no listed rule is left
/// out.
#[test]
fn every_listed_rule_is_implemented_and_tested() {
    let (worked_out, tested) = places();
    let answered_for: BTreeSet<Rule> =
        ANSWERED_FOR.split_whitespace().map(|word| Rule::parse(word).unwrap()).collect();
    let left_out = out_of_scope();
    let missing: Vec<String> = answered_for
        .iter()
        .filter(|rule| !worked_out.contains_key(rule))
        .map(Rule::to_string)
        .collect();
    assert!(missing.is_empty(), "worked out nowhere: {missing:?}");
    let untested: Vec<_> = worked_out
        .iter()
        .filter(|(rule, _)| !tested.contains_key(rule) && !left_out.contains(rule))
        .collect();
    assert!(untested.is_empty(), "worked out, but covered by no test: {untested:?}");
    let both: Vec<String> = answered_for.intersection(&left_out).map(Rule::to_string).collect();
    assert!(both.is_empty(), "answered for and left out: {both:?}");
    let unlisted: Vec<String> = worked_out
        .keys()
        .filter(|rule| !answered_for.contains(rule) && !left_out.contains(rule))
        .map(Rule::to_string)
        .collect();
    assert!(unlisted.is_empty(), "worked out, but neither answered for nor left out: {unlisted:?}");
}

/// The page of the crate documentation matches the sources.
#[test]
fn rule_map_page_is_up_to_date() {
    let (worked_out, tested) = places();
    let page = page(&worked_out, &tested);
    if std::env::var_os("LOWCRAWL_WRITE").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    let written = fs::read_to_string(Path::new(PAGE)).unwrap_or_default();
    assert!(
        written == page,
        "{PAGE} is out of date: LOWCRAWL_WRITE=1 cargo test --release --test rules rule_map"
    );
}
