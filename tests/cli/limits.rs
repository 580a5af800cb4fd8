//! Limits of the machine and of its file systems: each is reported with an exit code, and no
//! partial file is left.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::shell::{fails, folder_with, lowcrawl, names, ok, texts};

const CHECK: &str = "check german:4-6-7 --mc 1";
const STUDY: &str = "question = \"check\"\ncounts = \"mmc\"\n[base]\nstack = \"german:4-6-7\"\n[grid]\nmc = [0, 1]\n";

fn folder() -> TempDir {
    folder_with(&[("study.toml", STUDY), ("a.md", &format!("```lowcrawl\n{CHECK}\n```\n"))])
}

/// Returns the exit code and standard error of a command line under limits of the shell.
fn limited(folder: &Path, limits: &str, line: &str) -> (Option<i32>, String) {
    let line = format!("{limits}; exec {} {line}", env!("CARGO_BIN_EXE_lowcrawl"));
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    (output.status.code(), texts(&output).1)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn replaced_file_keeps_its_permissions() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("built")).unwrap();
    for (name, line) in [
        ("odds.csv", format!("{CHECK} --out odds.csv")),
        ("odds.svg", format!("{CHECK} --chart odds.svg")),
        ("built/a.md", "article a.md --out built --replace".to_string()),
    ] {
        for kept in [0o600, 0o755] {
            fs::write(at(name), "old").unwrap();
            fs::set_permissions(at(name), Permissions::from_mode(kept)).unwrap();
            let output = lowcrawl(folder.path(), &line).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{line}: {}", texts(&output).1);
            assert_ne!(fs::read_to_string(at(name)).unwrap(), "old", "{line}");
            assert_eq!(mode(&at(name)), kept, "{line}");
        }
    }
}

#[test]
fn read_only_file_is_not_replaced() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("built")).unwrap();
    symlink("odds.csv", at("link.csv")).unwrap();
    for (name, place, line) in [
        ("odds.csv", "odds.csv", format!("{CHECK} --out odds.csv")),
        ("odds.csv", "odds.csv", format!("{CHECK} --out link.csv")),
        ("odds.svg", "odds.svg", format!("{CHECK} --chart odds.svg")),
        ("plan.json", "plan.json", "study plan study.toml --shards 2 --out plan.json".to_string()),
        ("built/a.md", "built/a.md", "article a.md --out built --replace".to_string()),
    ] {
        fs::write(at(name), "old").unwrap();
        fs::set_permissions(at(name), Permissions::from_mode(0o444)).unwrap();
        let message = fails(folder.path(), &line, 1);
        let words = "this file is read-only: make it writable, or write to another";
        assert_eq!(message, format!("error: {place}: {words}\n"), "{line}");
        assert_eq!(fs::read_to_string(at(name)).unwrap(), "old", "{line}");
        fs::remove_file(at(name)).unwrap();
    }
    assert_eq!(names(folder.path()), ["a.md", "built", "link.csv", "study.toml"]);
}

#[test]
fn longest_possible_file_names_are_written() {
    let folder = folder();
    for length in [216, 240, 251, 255] {
        let name = |ending: &str| "n".repeat(length - ending.len()) + ending;
        ok(folder.path(), &format!("{CHECK} --out {}", name(".csv")));
        fs::write(folder.path().join(name(".toml")), STUDY).unwrap();
        ok(folder.path(), &format!("study run {}", name(".toml")));
        ok(folder.path(), &format!("study plan {} --shards 2 --out {}", name(".toml"), name("p")));
    }
    let studies = names(&folder.path().join("output"));
    let mut lengths: Vec<usize> = studies.iter().map(String::len).collect();
    lengths.sort();
    assert_eq!(lengths, [211, 235, 240, 240]);
    for study in studies {
        let files = names(&folder.path().join("output").join(&study));
        let mut all = ["-counts.csv", "-counts.parquet", ".csv", ".parquet"]
            .map(|ending| format!("{study}{ending}"))
            .to_vec();
        all.insert(0, "manifest.json".to_string());
        all.sort();
        assert_eq!(files, all);
    }
}

#[test]
fn file_size_limit_is_reported_like_a_full_disk() {
    let folder = folder();
    let before = names(folder.path());
    for (place, line) in [
        ("odds.json", format!("{CHECK} --out odds.json")),
        ("odds.parquet", format!("{CHECK} --out odds.parquet")),
        ("odds.svg", format!("{CHECK} --chart odds.svg")),
        ("output/study/lowcrawl-work/", "study run study.toml".to_string()),
        ("built/a.md", "article a.md --out built".to_string()),
        ("standard output", format!("{CHECK} --format json > printed")),
    ] {
        let (code, message) = limited(folder.path(), "ulimit -f 1", &line);
        assert_eq!(code, Some(1), "{line}: {message}");
        assert!(
            message.starts_with(&format!("error: {place}")) && message.contains("File too large"),
            "{line}: {message}"
        );
    }
    let is_new = |name: &String| {
        !before.contains(name) && !["built", "output", "printed"].contains(&name.as_str())
    };
    assert_eq!(names(folder.path()).into_iter().find(is_new), None);
    assert!(names(&folder.path().join("built")).is_empty());
}

/// Polars panics if it gets no thread, and Rust aborts if it gets no memory.
#[test]
fn refused_threads_and_memory_are_reported_without_panic() {
    let folder = folder();
    let lines = [format!("{CHECK} --format csv"), "study run study.toml --out out".to_string()];
    for line in &lines {
        // Stacks of 2 MiB each.
        let limits = "ulimit -v 1500000; export POLARS_MAX_THREADS=1024; unset RUST_BACKTRACE";
        let (code, message) = limited(folder.path(), limits, line);
        assert_eq!(code, Some(1), "{line}: {message}");
        let words = "error: lowcrawl: the operating system refused memory or a thread: ";
        assert!(message.starts_with(words), "{line}: {message}");
        assert!(!message.contains("panicked"), "{line}: {message}");
    }
    // The limits range from too little to load the binary, which is not tested, to enough memory.
    let loaded = fs::metadata(env!("CARGO_BIN_EXE_lowcrawl")).unwrap().len() / 1024;
    for more in (0..100_000).step_by(8_000) {
        let limits = format!("ulimit -v {}; unset RUST_BACKTRACE", loaded / 4 + more);
        for line in &lines {
            let (code, message) = limited(folder.path(), &limits, line);
            assert!(!message.contains("panicked"), "{limits}; {line}: {message}");
            if message.starts_with("error: ") || message.starts_with("memory allocation") {
                assert_eq!(code, Some(1), "{limits}; {line}: {message}");
            }
        }
    }
}

#[test]
fn thread_variables_have_the_bounds_of_the_option() {
    let folder = folder();
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "POLARS_MAX_THREADS"] {
        let run = |value: &str, line: &str| lowcrawl(folder.path(), line).env(name, value).output();
        for value in ["0", "1025", "1000000", "many"] {
            let output = run(value, CHECK).unwrap();
            let (_, message) = texts(&output);
            let words =
                format!("error: `{name}` must be a whole number from 1 to 1024, not `{value}`\n");
            assert_eq!(output.status.code(), Some(2), "{name}={value}: {message}");
            assert!(message.starts_with(&words), "{name}={value}: {message}");
            // Help is printed in spite of the bad variable.
            assert_eq!(run(value, "check --help").unwrap().status.code(), Some(0));
        }
        for value in ["", "1", "3"] {
            let output = run(value, CHECK).unwrap();
            assert_eq!(output.status.code(), Some(0), "{name}={value}: {}", texts(&output).1);
        }
    }
}

#[test]
fn too_many_states_are_reported_with_the_file() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let campaign = "question = \"campaign\"\nobjective = \"good-order\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\nopen = 8\ninterdicted = 8\n\
        leader = \"8-1\"\nleader-here = \"8-0\"\nturns = 20\nenemy-holds-fire = true\ncreated-stay = true\n";
    let stack = "stack = \"german:9-1 + 7x german:4-6-7\"\n";
    write("solve.toml", &format!("{campaign}fp = 6\n"));
    write("campaigns.toml", &format!("{campaign}[grid]\nfp = [6]\n"));
    write("turns.toml", &format!("{stack}[[step]]\ndo = \"fire\"\nfp = 8\n"));
    let again = "[[step]]\ndo = \"fire\"\nfp = 8\nif = \"mmc holds <= 5\"\n";
    write("again.toml", &format!("{stack}[[step]]\ndo = \"fire\"\nfp = 8\n{again}"));
    let bound = |bound: usize| format!("more than {bound} states are possible at once");
    for (line, words) in [
        ("solve solve.toml", format!("solve.toml: {}", bound(1 << 19))),
        ("study run campaigns.toml", format!("campaigns.toml: case 1: {}", bound(1 << 19))),
        ("sequence turns.toml --joint --engine exact", format!("turns.toml: {}", bound(1 << 17))),
        (
            "sequence again.toml --engine exact --elr 2,3",
            format!("again.toml: case 1 (elr 2): {}", bound(1 << 17)),
        ),
    ] {
        let message = fails(folder.path(), line, 2);
        assert!(message.starts_with(&format!("error: {words}")), "{line}: {message}");
    }
}
