//! Limits of the machine and of its file systems: each is told in words, with an end code, and
//! nothing half-written is left.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::shell::{fails, lowcrawl, names, ok, texts};

const CHECK: &str = "check german:4-6-7 --mc 1";
const STUDY: &str = "question = \"check\"\ncounts = \"mmc\"\n[base]\nstack = \"german:4-6-7\"\n[grid]\nmc = [0, 1]\n";

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("study.toml"), STUDY).unwrap();
    fs::write(folder.path().join("a.md"), format!("```lowcrawl\n{CHECK}\n```\n")).unwrap();
    folder
}

/// The end code of a command line under limits of the shell, and its words on standard error.
fn limited(folder: &Path, limits: &str, line: &str) -> (Option<i32>, String) {
    let line = format!("{limits}; exec {} {line}", env!("CARGO_BIN_EXE_lowcrawl"));
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    (output.status.code(), texts(&output).1)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("built")).unwrap();
    for (name, line) in [
        ("odds.csv", format!("{CHECK} --out odds.csv")),
        ("odds.svg", format!("{CHECK} --chart odds.svg")),
        ("built/a.md", "article a.md --out built".to_string()),
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
fn a_read_only_file_is_not_replaced() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("built")).unwrap();
    symlink("odds.csv", at("link.csv")).unwrap();
    for (name, place, line) in [
        ("odds.csv", "odds.csv", format!("{CHECK} --out odds.csv")),
        ("odds.csv", "odds.csv", format!("{CHECK} --out link.csv")),
        ("odds.svg", "odds.svg", format!("{CHECK} --chart odds.svg")),
        ("plan.json", "plan.json", "study plan study.toml --shards 2 --out plan.json".to_string()),
        ("built/a.md", "built/a.md", "article a.md --out built".to_string()),
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
fn names_as_long_as_a_file_system_takes_are_written() {
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
