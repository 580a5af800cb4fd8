//! Everything under `studies/`, and every command of the manual as it stands when the corpus is
//! made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::dice::Words;
use super::{Request, request};
use crate::store::Runs;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder and of those in it, by their paths from the root of the repository.
fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(home().join(folder)).unwrap();
    let mut paths: Vec<String> = entries
        .map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| if home().join(&path).is_dir() { files(&path) } else { vec![path] })
        .collect()
}

/// A file and those it names, with their content.
fn with_needs(path: &str, found: &mut BTreeMap<String, String>) {
    let Ok(text) = fs::read_to_string(home().join(path)) else { return };
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    found.insert(path.to_string(), text.clone());
    for name in text.split('"').filter(|name| name.ends_with(".csv") || name.ends_with(".toml")) {
        let needed = format!("{folder}{name}");
        if !found.contains_key(&needed) {
            with_needs(&needed, found);
        }
    }
}

/// A command as it is typed, with the files it names.
fn typed(line: &str, runs: Runs) -> Request {
    let mut request = request("shipped", Words(words(line)), [], runs);
    request.arguments.iter().for_each(|word| with_needs(word, &mut request.files));
    request
}

/// Words as a shell tells them apart: quotes hold them together.
pub fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (number, part) in line.split('"').enumerate() {
        match number % 2 {
            1 => words.push(part.to_string()),
            _ => words.extend(part.split_whitespace().map(str::to_string)),
        }
    }
    words
}

pub fn shipped() -> Vec<Request> {
    let mut requests = manual();
    for path in files("studies") {
        let text = fs::read_to_string(home().join(&path)).unwrap();
        let mut ask = |line: &str, runs| requests.push(typed(&line.replace("FILE", &path), runs));
        if let Some(name) = path.strip_prefix("studies/rout/board-") {
            if home().join(format!("studies/rout/los-{name}")).exists() {
                ask(
                    &format!("board check --hexes FILE --los studies/rout/los-{name}"),
                    Runs::Plain,
                );
            }
        } else if path.starts_with("studies/rout/") && path.ends_with(".toml") {
            ask("rout FILE", Runs::PlainAndRows);
            for options in [
                "--orders",
                "--impact",
                "--turns 2",
                "--engine monte-carlo --trials 1000",
                "--profile aslsk",
            ] {
                ask(&format!("rout FILE {options}"), Runs::Rows);
            }
            ask("rout FILE --no-map --svg map.svg", Runs::Plain);
            ask("trace rout FILE --seed 7", Runs::Plain);
            ask("solve FILE --turns 2 --objective survives", Runs::Rows);
        } else if text.contains("[[course]]") {
            ask("compare FILE", Runs::PlainAndRows);
            ask("compare FILE --engine monte-carlo --trials 2000", Runs::Rows);
            ask("solve FILE", Runs::PlainAndRows);
        } else if text.contains("[[step]]") && !text.contains("question = ") {
            let of = path.split('/').nth(1).filter(|room| *room != "sequences").unwrap_or_default();
            ask(&format!("{of} sequence FILE --trials 2000"), Runs::PlainAndRows);
            ask(&format!("{of} sequence FILE --engine monte-carlo --trials 2000"), Runs::Rows);
            ask(&format!("trace {of} sequence FILE --seed 3"), Runs::Plain);
        } else if path.ends_with(".toml") {
            if text.contains("break-even") {
                let mut request = typed(&format!("study run {path}"), Runs::Plain);
                request.files.insert(path.clone(), shortened(&text));
                requests.push(request);
                continue;
            }
            let trials = if text.contains("\"campaign\"") { "" } else { " --trials 1000" };
            ask(&format!("study run FILE{trials}"), Runs::Plain);
        }
    }
    requests
}

/// A study with the first two values of every field it sweeps.
fn shortened(text: &str) -> String {
    let is_list = |line: &str| line.contains(" = [") && line.matches(", ").count() > 1;
    let short = |line: &str| line.split(", ").take(2).collect::<Vec<_>>().join(", ") + "]";
    text.lines()
        .map(|line| if is_list(line) { short(line) + "\n" } else { format!("{line}\n") })
        .collect()
}

/// The commands of README.md and `docs/` that read no file but shipped ones, each once.
fn manual() -> Vec<Request> {
    let pages = fs::read_dir(home().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        pages.filter(|page| page.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages.insert(0, home().join("README.md"));
    let mut known = BTreeSet::new();
    let mut command = |line: &str| {
        let line = line.split(" #").next()?.trim();
        let line =
            line.strip_prefix("cargo run --release -- ").or(line.strip_prefix("lowcrawl "))?;
        let is_shipped =
            line.split(' ').all(|word| !word.ends_with(".toml") || word.starts_with("studies/"));
        let is_told = ["--format", "--svg", "--out", "--explain", "--tree", "trace ", "study "]
            .iter()
            .any(|word| line.contains(word));
        let has_no_rows = ["units", "rules", "fortitude parameters"].contains(&line)
            || line.starts_with("units ");
        let runs = if is_told || has_no_rows { Runs::Plain } else { Runs::PlainAndRows };
        (is_shipped && known.insert(line.to_string())).then(|| typed(line, runs))
    };
    let mut requests = Vec::new();
    for page in pages {
        let text = fs::read_to_string(page).unwrap();
        let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
        requests.extend(blocks.flat_map(str::lines).filter_map(&mut command));
    }
    requests
}
