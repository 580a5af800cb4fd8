//! Runs a request with a binary in a temporary folder, and collects everything it writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::tempdir;

use super::is_progress;
use super::store::{Answer, MOST_OF_A_FILE, Request, Runs, cut};
use super::summary;

/// A binary under test, and whether its answers are kept whole or cut as in the store.
pub struct Binary {
    pub path: PathBuf,
    pub whole: bool,
}

/// Runs a request and returns everything it writes, part by part.
pub fn answer(request: &Request, binary: &Binary) -> Answer {
    let folder = tempdir().unwrap();
    for (name, text) in &request.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut answer = Answer::new();
    if request.runs != Runs::Rows {
        let output = binary.run(&mut answer, request, folder.path(), None);
        put(&mut answer, "screen", without_time(&output));
        add_written(&mut answer, request, folder.path(), "");
    }
    if request.runs != Runs::Plain {
        let csv = binary.run(&mut answer, request, folder.path(), Some("csv"));
        let json = binary.run(&mut answer, request, folder.path(), Some("json"));
        if answer["exit"] == "0" {
            let differs = if summary::is_like_csv(&json, &csv) { "" } else { "not as the CSV\n" };
            let document =
                if binary.whole { without_command(&json) } else { summary::summarize(&json) };
            put(&mut answer, "json", document + differs);
        }
        put(&mut answer, "csv", csv);
    }
    if !binary.whole {
        answer.iter_mut().for_each(|(part, text)| *text = cut(text, most(part, text)));
    }
    answer
}

impl Binary {
    /// Runs a request once and returns its output. If formats have different results, each has its
    /// own `exit` and `errors`.
    fn run(
        &self,
        answer: &mut Answer,
        request: &Request,
        folder: &Path,
        format: Option<&str>,
    ) -> String {
        let mut command = Command::new(&self.path);
        command
            .current_dir(folder)
            .args(&request.arguments)
            .args(format.into_iter().flat_map(|format| ["--format", format]));
        // One thread each, since other requests run in parallel.
        command
            .env("RAYON_NUM_THREADS", "1")
            .env("POLARS_MAX_THREADS", "1")
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR");
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text =
            |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_else(|error| format!("{error}"));
        let exit = output.status.code().map_or("killed".to_string(), |code| code.to_string());
        // A busy machine has progress to tell after a minute.
        let errors = text(output.stderr);
        let errors = errors.split_inclusive('\n').filter(|line| !is_progress(line)).collect();
        for (part, text) in [("exit", exit), ("errors", errors)] {
            let differs = answer.get(part).is_some_and(|known| *known != text);
            let own_part = format!("{part} of {}", format.unwrap_or_default());
            answer.insert(if differs { own_part } else { part.to_string() }, text);
        }
        text(output.stdout)
    }
}

/// Returns the number of bytes stored of a part: all of screens and errors, the first rows of a
/// table.
fn most(part: &str, text: &str) -> usize {
    let is_table = part == "csv" || text.starts_with(['{', '[']) || text.starts_with("case,");
    match part {
        "screen" if !is_table => 12_000,
        "screen" | "csv" => 300,
        part if part.starts_with("file ") => MOST_OF_A_FILE,
        _ => usize::MAX,
    }
}

/// Adds a part that is not empty.
fn put(answer: &mut Answer, part: &str, text: String) {
    if !text.is_empty() {
        answer.insert(part.to_string(), text);
    }
}

/// Adds the files that the request has written. Parquet files are listed without their content.
fn add_written(answer: &mut Answer, request: &Request, folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add_written(answer, request, &entry.path(), &format!("{name}/"));
        } else if !request.files.contains_key(&name) {
            let text = fs::read_to_string(entry.path()).unwrap_or_else(|_| "(no text)".to_string());
            let is_json = name.ends_with(".json");
            let text = if is_json { without_command(&text) } else { text };
            put(answer, &format!("file {name}"), text);
        }
    }
}

/// Removes version and command from a document, and the sizes and hashes that depend on them.
fn without_command(json: &str) -> String {
    let heads = ["\"version\": ", "\"command\": ", "\"bytes\": ", "\"hash\": "];
    let is_kept = |line: &&str| !heads.iter().any(|head| line.trim_start().starts_with(head));
    json.split_inclusive('\n').filter(is_kept).collect()
}

/// Removes the line with the duration of a study.
fn without_time(text: &str) -> String {
    let seconds = |line: &str| line.strip_prefix("Took ")?.strip_suffix(" s.\n")?.parse().ok();
    let is_time = |line: &&str| seconds(line).is_some_and(|seconds: f64| seconds >= 0.0);
    text.split_inclusive('\n').filter(|line| !is_time(line)).collect()
}
