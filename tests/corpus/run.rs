//! A request run: the built binary in a folder of its own, and all that came of it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use super::json;
use super::store::{Answer, Request, Runs};

/// The answer of the binary as it is.
pub fn answer(request: &Request) -> Answer {
    let folder = tempdir().unwrap();
    for (name, text) in &request.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut answer = Answer::new();
    if request.runs != Runs::Rows {
        let output = run(&mut answer, request, folder.path(), None);
        put(&mut answer, "screen", without_time(&output));
        written(&mut answer, request, folder.path(), "");
    }
    if request.runs != Runs::Plain {
        let csv = run(&mut answer, request, folder.path(), Some("csv"));
        let json = run(&mut answer, request, folder.path(), Some("json"));
        if answer["exit"] == "0" {
            for (part, text) in json::parts(&json, &csv) {
                put(&mut answer, part, text);
            }
        }
        put(&mut answer, "csv", csv);
    }
    answer
}

/// Runs it once; what it prints. Where formats end differently, each has its `exit` and its
/// `errors`.
fn run(answer: &mut Answer, request: &Request, folder: &Path, format: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command
        .current_dir(folder)
        .args(&request.arguments)
        .args(format.into_iter().flat_map(|format| ["--format", format]));
    // One thread each: others run beside it.
    command
        .env("RAYON_NUM_THREADS", "1")
        .env("POLARS_MAX_THREADS", "1")
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR");
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_else(|error| format!("{error}"));
    let exit = output.status.code().map_or("killed".to_string(), |code| code.to_string());
    for (part, text) in [("exit", exit), ("errors", text(output.stderr))] {
        let differs = answer.get(part).is_some_and(|known| *known != text);
        let apart = format!("{part} of {}", format.unwrap_or_default());
        answer.insert(if differs { apart } else { part.to_string() }, text);
    }
    text(output.stdout)
}

/// Longest part that is kept whole, in bytes.
const WHOLE: usize = 12_000;

/// A part that is not empty; of a long one the first lines, and a hash of it all (FNV-1a).
fn put(answer: &mut Answer, part: &str, text: String) {
    if text.len() > WHOLE {
        let lines = text.split_inclusive('\n').scan(0, |length, line| {
            *length += line.len();
            (*length <= WHOLE / 2).then_some(line)
        });
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        answer.insert(
            part.to_string(),
            format!("{}... {} bytes, {hash:016x}\n", lines.collect::<String>(), text.len()),
        );
    } else if !text.is_empty() {
        answer.insert(part.to_string(), text);
    }
}

/// The files it has written: texts with their content, of Parquet that it is there; JSON without
/// version and command, and what hangs on them.
fn written(answer: &mut Answer, request: &Request, folder: &Path, room: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{room}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            written(answer, request, &entry.path(), &format!("{name}/"));
        } else if !request.files.contains_key(&name) {
            let text = fs::read_to_string(entry.path()).unwrap_or_else(|_| "(no text)".to_string());
            let heads = ["\"version\": ", "\"command\": ", "\"bytes\": ", "\"hash\": "];
            let is_told = |line: &&str| {
                !(name.ends_with(".json")
                    && heads.iter().any(|head| line.trim_start().starts_with(head)))
            };
            let lines = text.split_inclusive('\n').filter(is_told).collect();
            put(answer, &format!("file {name}"), lines);
        }
    }
}

/// What is told of a study without how long it took.
fn without_time(text: &str) -> String {
    let Some((before, rest)) = text.split_once(" rows in ") else { return text.to_string() };
    match rest.split_once(" s; ") {
        Some((seconds, after)) if seconds.parse::<f64>().is_ok() => {
            format!("{before} rows; {after}")
        }
        _ => text.to_string(),
    }
}
