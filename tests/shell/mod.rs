//! Helpers for tests of the built binary: running commands in a folder, and reading tables.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

#[path = "../common/progress.rs"]
mod progress;
#[path = "../common/report.rs"]
pub mod report;

use lowcrawl::answer::estimate::percent;
use polars::prelude::{AnyValue, DataFrame, ParquetReader, SerReader};
pub use progress::is_progress;
pub use report::unwrapped;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A cell of a table, independent of the file format.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Number(f64),
    Text(String),
}

impl Cell {
    /// Parses a cell from its text. Empty text is null.
    pub fn of(text: &str) -> Cell {
        match text.parse() {
            _ if text.is_empty() => Cell::Null,
            Ok(number) => Cell::Number(number),
            Err(_) => Cell::Text(text.to_string()),
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Cell::Number(number) => *number,
            other => panic!("{other:?} is no number"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

impl Sheet {
    pub fn column(&self, name: &str) -> Vec<Cell> {
        let place = self
            .columns
            .iter()
            .position(|column| column == name)
            .unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[place].clone()).collect()
    }

    pub fn of_csv(bytes: &[u8]) -> Sheet {
        let mut reader = csv::Reader::from_reader(bytes);
        let columns = reader.headers().unwrap().iter().map(str::to_string).collect();
        let rows =
            reader.records().map(|record| record.unwrap().iter().map(Cell::of).collect()).collect();
        Sheet { columns, rows }
    }

    pub fn of_parquet(path: &Path) -> Sheet {
        let frame = frame(path);
        let columns: Vec<String> =
            frame.get_column_names().iter().map(|name| name.to_string()).collect();
        let cell = |value: AnyValue| match value {
            AnyValue::Null => Cell::Null,
            AnyValue::Boolean(value) => Cell::Text(value.to_string()),
            AnyValue::Int64(number) => Cell::Number(number as f64),
            AnyValue::Float64(number) => Cell::Number(number),
            AnyValue::String(text) => Cell::Text(text.to_string()),
            other => panic!("a column of an odd type: {other:?}"),
        };
        let of = |name: &String, row| cell(frame.column(name).unwrap().get(row).unwrap());
        Sheet {
            rows: (0..frame.height())
                .map(|row| columns.iter().map(|name| of(name, row)).collect())
                .collect(),
            columns,
        }
    }

    /// Returns the sum of the probabilities for each case, slot, phase and step. Created units are
    /// omitted. For a rout it is the sum for each plan.
    pub fn sums(&self) -> BTreeMap<String, f64> {
        if self.columns.iter().any(|name| name == "plan") {
            let [case, unit, plan] = ["case", "unit", "plan"].map(|name| self.column(name));
            let mut sums = BTreeMap::new();
            for (row, probability) in self.column("probability").iter().enumerate() {
                *sums
                    .entry(format!("{:?} {:?} {:?}", case[row], unit[row], plan[row]))
                    .or_insert(0.0) += probability.number();
            }
            return sums;
        }
        let [case, slot, phase, unit] =
            ["case", "slot", "phase", "unit"].map(|name| self.column(name));
        let step = if self.columns.iter().any(|name| name == "step") {
            self.column("step")
        } else {
            case.clone()
        };
        let mut sums = BTreeMap::new();
        for (row, probability) in self.column("probability").iter().enumerate() {
            if unit[row] != Cell::Null || slot[row] == Cell::Null {
                let group =
                    format!("{:?} {:?} {:?} {:?}", case[row], slot[row], phase[row], step[row]);
                *sums.entry(group).or_insert(0.0) += probability.number();
            }
        }
        sums
    }

    pub fn assert_sums(&self) {
        assert!(!self.rows.is_empty());
        for (group, sum) in self.sums() {
            assert!((sum - 1.0).abs() < 1e-9, "{group}: {sum}");
        }
    }
}

/// Parses a Markdown table: its headings and its rows.
pub fn of_markdown(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let split = |line: &str| {
        line.trim_matches('|').split('|').map(|word| word.trim().to_string()).collect::<Vec<_>>()
    };
    let mut lines = text.lines().filter(|line| line.starts_with('|')).map(split);
    let (headings, rule) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(rule.iter().all(|word| word.trim_matches('-').is_empty()), "{rule:?}");
    (headings, lines.collect())
}

/// Formats a probability as answers show it. `high` is the upper end of an estimate's interval.
pub fn in_percent(odds: f64, high: Option<f64>) -> String {
    match (odds, high) {
        (0.0, Some(high)) => format!("< {}", percent(high.max(0.0001))),
        _ => percent(odds),
    }
}

/// Panics unless the Markdown text has the table of one case, below a line with each `caption`.
/// Every row is in percent, report points stand side by side, and no column is empty.
pub fn assert_markdown(text: &str, csv: &Sheet, caption: &[&str]) {
    const FIGURE: [&str; 8] = [
        "probability",
        "std_error",
        "ci_low",
        "ci_high",
        "count",
        "trials",
        "fraction",
        "error_bound",
    ];
    let above = text.lines().next().unwrap();
    caption.iter().for_each(|words| assert!(above.contains(words), "no `{words}` in\n{text}"));
    let (headings, rows) = of_markdown(text);
    for (column, heading) in headings.iter().enumerate() {
        assert!(rows.iter().any(|row| !row[column].is_empty()), "`{heading}` is empty in\n{text}");
    }
    let place = |name: &str| csv.columns.iter().position(|column| column == name);
    let words = |cell: &Cell| match cell {
        Cell::Null => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
    };
    let mut told = 0;
    for row in &csv.rows {
        let at = ["step", "phase"].into_iter().find_map(|name| {
            let at = format!("{name} {}", words(&row[place(name)?]));
            headings.iter().position(|heading| *heading == at)
        });
        let at = at.or(headings.iter().position(|heading| heading == FIGURE[0])).unwrap();
        let is_row = |told: &&Vec<String>| {
            let keys = headings.iter().zip(told.iter());
            let mut keys = keys.filter(|(heading, _)| !FIGURE.contains(&heading.as_str()));
            keys.all(|(heading, text)| {
                place(heading)
                    .is_none_or(|column| heading == "difference" || words(&row[column]) == *text)
            })
        };
        let found: Vec<&Vec<String>> = rows.iter().filter(is_row).collect();
        assert_eq!(found.len(), 1, "{row:?} in\n{text}");
        let high = place("ci_high").map(|column| &row[column]).filter(|high| **high != Cell::Null);
        let odds = row[place(FIGURE[0]).unwrap()].number();
        assert_eq!(found[0][at], in_percent(odds, high.map(Cell::number)), "{row:?} in\n{text}");
        told += 1;
    }
    assert!(told >= rows.len(), "{text}");
}

pub fn frame(path: &Path) -> DataFrame {
    ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
}

/// Returns the key-value metadata of a Parquet file.
pub fn parquet_meta(path: &Path) -> BTreeMap<String, String> {
    let mut reader = ParquetReader::new(File::open(path).unwrap());
    let pairs = reader.get_metadata().unwrap().key_value_metadata().clone().unwrap_or_default();
    pairs.into_iter().map(|pair| (pair.key, pair.value.unwrap_or_default())).collect()
}

/// Splits a command line into words; single and double quotes hold words together.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => (quote, word) = (Some(letter), Some(word.unwrap_or_default())),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Creates a command that runs the binary in `folder`.
pub fn lowcrawl(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command.current_dir(folder).args(words(line)).stdin(Stdio::null());
    command
}

/// Runs a line in a shell, with the program on the path.
pub fn run_in_shell(folder: &Path, line: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_lowcrawl")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("PATH", path).current_dir(folder).stdin(Stdio::null());
    shell.output().unwrap()
}

/// Sends a signal to a process, and returns whether it was still there.
pub fn send_signal(child: &Child, signal: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args([&format!("-{signal}"), &child.id().to_string()]).stderr(Stdio::null());
    kill.status().unwrap().success()
}

/// Runs a command that must succeed with nothing on standard error but its progress, which a busy
/// machine has after a minute, and returns its output.
pub fn ok(folder: &Path, line: &str) -> String {
    let output = lowcrawl(folder, line).output().unwrap();
    let (stdout, stderr) = texts(&output);
    let faults: Vec<&str> = stderr.lines().filter(|line| !is_progress(line)).collect();
    assert_eq!((output.status.code(), faults), (Some(0), vec![]), "lowcrawl {line}\n{stdout}");
    assert_narrow(line, &stdout);
    stdout
}

/// Commands and options whose output is for programs or files, at any width. Studies print Markdown.
const FOR_PROGRAMS: [&str; 9] = [
    "--format",
    "--as-situation",
    "ask",
    "completions",
    "describe",
    "man",
    "new",
    "article",
    "study",
];

/// Checks that no line of a screen is wider than 80 columns, unless a word (a path) is.
fn assert_narrow(line: &str, screen: &str) {
    let words = words(line);
    let mut names = words.iter().map(|word| word.split('=').next().unwrap_or(word));
    if names.any(|name| FOR_PROGRAMS.contains(&name)) {
        return;
    }
    let width = |text: &str| text.chars().count();
    let is_long = |line: &&str| line.split(' ').all(|word| width(word) < 72) && width(line) > 80;
    let wide = screen.lines().find(is_long);
    assert_eq!(wide, None, "lowcrawl {line}");
}

/// Runs a command that must fail with the exit code `code` and nothing on standard output. Returns
/// its message, as if it were not wrapped.
pub fn fails(folder: &Path, line: &str, code: i32) -> String {
    let output = lowcrawl(folder, line).output().unwrap();
    let (stdout, stderr) = texts(&output);
    assert_eq!(
        (output.status.code(), stdout.as_str()),
        (Some(code), ""),
        "lowcrawl {line}\n{stderr}"
    );
    assert!(
        !stderr.contains("panicked") && !stderr.contains("RUST_BACKTRACE"),
        "lowcrawl {line}\n{stderr}"
    );
    assert_narrow(line, &stderr);
    unwrapped(&stderr)
}

/// Runs a command that must fail with the exit code `code`, and whose message has these parts.
pub fn assert_fails(folder: &Path, line: &str, code: i32, parts: &[&str]) {
    let message = fails(folder, line, code);
    for part in parts {
        assert!(message.contains(part), "lowcrawl {line}: no `{part}` in\n{message}");
    }
}

/// Returns the answer of a command as JSON.
pub fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&ok(folder, &format!("{line} --format json"))).unwrap()
}

/// Returns the answer of a command as CSV.
pub fn csv(folder: &Path, line: &str) -> Sheet {
    Sheet::of_csv(ok(folder, &format!("{line} --format csv")).as_bytes())
}

/// Creates a folder with these files.
pub fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

pub fn texts(output: &Output) -> (String, String) {
    (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

/// Joins a text to one line with single spaces.
pub fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    names.sort();
    names
}

/// Returns all files of a folder with their content; that of a folder in it is empty.
pub fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap_or_default());
    names(folder).into_iter().map(read).collect()
}

/// Returns whether this process, and so its children, ignores a signal. Under `nohup` this is so
/// for the hangup of the terminal.
pub fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
