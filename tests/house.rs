//! The house rules, kept by reading the source: who may use whom (the table of `src/lib.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Room and what it may use, from the table of the front page.
fn law() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string("src/lib.rs").unwrap();
    let mut law = BTreeMap::new();
    for line in page.lines().filter(|line| line.contains("| [`")) {
        let row = &line[line.find("| [`").unwrap()..];
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let room = cells[1].trim_matches(&['[', ']', '`'][..]).to_string();
        let uses = cells[3].trim_end_matches("\")]").split(',').map(|word| word.trim().trim_matches('`').to_string());
        law.insert(room, uses.filter(|word| !word.is_empty()).collect());
    }
    law
}

/// A file without its test module.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// Names in front of `::` in code, comments left out.
fn paths(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for (place, _) in code.match_indices("::") {
        let word: String = code[..place]
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
            .chars()
            .rev()
            .collect();
        let before = code[..place - word.len()].chars().next_back();
        if before != Some(':') || code[..place - word.len()].ends_with("crate::") {
            names.insert(word);
        }
    }
    names
}

#[test]
fn no_arrow_leads_back_up() {
    let law = law();
    assert!(law.len() >= 10, "the table of src/lib.rs was not found: {law:?}");
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let dependencies: BTreeSet<String> = manifest
        .split("\n[dependencies]")
        .nth(1)
        .unwrap()
        .split("\n[")
        .next()
        .unwrap()
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect();
    assert!(dependencies.contains("polars") && dependencies.contains("rayon"));
    for file in sources(Path::new("src")) {
        let room = file.components().nth(1).unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        if room == "lib" || room == "main" {
            continue;
        }
        let allowed = law.get(&room).unwrap_or_else(|| panic!("{room} is not in the table of src/lib.rs"));
        let text = fs::read_to_string(&file).unwrap();
        for name in paths(without_tests(&text)) {
            let known = law.contains_key(&name) || dependencies.contains(&name);
            assert!(!known || name == room || allowed.contains(&name), "{}: {room} may not use {name}", file.display());
            let sequential = room == "engine" && !file.ends_with("monte_carlo.rs");
            assert!(!(sequential && name == "rayon"), "{}: only monte_carlo may use rayon", file.display());
        }
    }
}

/// The words of the ASL rules know nothing of play, and the files of play know of each other only the engagement they add to.
#[test]
fn the_words_of_asl_know_nothing_of_play() {
    let uses = |file: &Path| -> Vec<String> {
        let text = fs::read_to_string(file).unwrap();
        without_tests(&text).lines().filter(|line| line.starts_with("use ")).map(str::to_string).collect()
    };
    let words = sources(Path::new("src/asl/vocabulary"));
    let play = sources(Path::new("src/asl/play"));
    assert!(words.len() > 10 && play.len() > 10, "the two rooms were not found");
    for file in &words {
        let knows = |line: &&String| ["::play", "::engagement", "::question"].iter().any(|room| line.contains(room));
        assert_eq!(uses(file).iter().find(knows), None, "{}", file.display());
    }
    for file in &play {
        let knows = |line: &&String| line.starts_with("use super::") && !line.starts_with("use super::engagement::");
        assert_eq!(uses(file).iter().find(knows), None, "{}", file.display());
        let roundabout = |line: &&String| line.contains("asl::play") || line.contains("asl::engagement");
        assert_eq!(uses(file).iter().find(roundabout), None, "{}", file.display());
    }
}
