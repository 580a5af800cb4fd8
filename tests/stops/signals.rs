//! Tests of signals to the built binary. At any work it ends soon, with the exit code of the
//! signal, and leaves no incomplete file.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{is_ignored, lowcrawl, send_signal};
use tempfile::{TempDir, tempdir};

/// The name of each signal, and the exit code of a command that it stops.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// Returns the signals that a command started here does not ignore.
fn signals() -> impl Iterator<Item = (&'static str, i32)> {
    SIGNALS.into_iter().filter(|(_, code)| !is_ignored(code - 128))
}

/// The time that a command runs before it is stopped. No command here would finish within minutes.
const AT_WORK: Duration = Duration::from_millis(300);

/// The time within which a command must end. It is generous, because the machine may be busy.
const SOON: Duration = Duration::from_secs(5);

const SEQUENCE: &str = "stack = \"german:9-1 + 5x german:4-6-7\"\n[[step]]\ndo = \"fire\"\nfp = 8\n[[step]]\ndo = \"rally\"\n";
const COURSES: &str = "question = \"rally\"\nobjective = \"good-order\"\n[base]\nstack = \"german:9-1/dm + german:8-0/dm + 5x german:4-6-7/dm\"\n\
    phases = 12\n[[course]]\nname = \"open\"\n[[course]]\nname = \"woods\"\nterrain = \"woods\"\n";
const CAMPAIGN: &str = "question = \"campaign\"\nobjective = \"good-order\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\nopen = 8\n\
    interdicted = 8\nfp = 6\nleader = \"8-1\"\nleader-here = \"8-0\"\nturns = 20\nenemy-holds-fire = true\ncreated-stay = true\n";
const STUDY: &str = "question = \"check\"\n[base]\nstack = \"german:9-1 + 9x german:4-6-7\"\n[grid]\nmc = [0, 1, 2]\n[run]\n\
    engine = \"monte-carlo\"\ntrials = 10_000_000_000\n";
const REQUEST: &str = r#"{"kind": "check", "stack": "9-1 + 9x german:4-6-7", "mc": 1,
    "options": {"engine": "monte-carlo", "trials": 10000000000}}"#;

const ARTICLE: &str = "```lowcrawl\ncheck 'german:9-1 + 9x german:4-6-7' --mc 1 --engine monte-carlo --trials 100_000_000_000\n```\n";

/// Returns a situation of six units among woods before ten enemies, with 720 orders of the units.
fn situation() -> String {
    let column = |column: u8| char::from(b'A' + column);
    let mut text = "[map]\narea = \"A1-Z10\"\nhexes = { woods = [".to_string();
    let woods = (0..26u8).flat_map(|at| {
        (1..=10u8).filter(move |row| (7 * at + 3 * row) % 11 == 0).map(move |row| (at, row))
    });
    text +=
        &woods.map(|(at, row)| format!("\"{}{row}\"", column(at))).collect::<Vec<_>>().join(", ");
    text += "] }\n";
    for unit in 0..6 {
        text += &format!(
            "[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"{}5\"\nname = \"u{unit}\"\n",
            column(8 + 2 * unit)
        );
    }
    for enemy in 0..10u8 {
        text += &format!(
            "[[enemy]]\nunit = \"american:6-6-6\"\nat = \"{}{}\"\n",
            column(1 + 2 * enemy),
            1 + enemy % 2
        );
    }
    text
}

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let files = [
        ("turns.toml", SEQUENCE),
        ("courses.toml", COURSES),
        ("campaign.toml", CAMPAIGN),
        ("study.toml", STUDY),
        ("one.json", REQUEST),
        ("article.md", ARTICLE),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::write(folder.path().join("rout.toml"), situation()).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    folder
}

fn spawn(folder: &Path, line: &str) -> Child {
    lowcrawl(folder, line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of a command, and returns its exit code and standard error. A command that
/// takes too long is killed and has no exit code.
fn wait_for_end(child: &mut Child) -> (Option<i32>, String) {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > SOON {
            child.kill().unwrap();
            child.wait().unwrap();
            return (None, "still at work".to_string());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    (child.wait().unwrap().code(), message)
}

#[test]
fn every_command_obeys_every_signal() {
    let folder = folder();
    let endless = "--engine monte-carlo --trials 100_000_000_000";
    let lines = [
        &format!("check 'german:9-1 + 9x german:4-6-7' --mc 1 {endless}"),
        &format!("check german:4-6-7 --mc 1 --impact {endless}"),
        &format!("fire 'german:8-1 + german:4-6-7' --fp 8 {endless} --stratify 3"),
        "check 'german:9-1 + 9x german:4-6-7' --mc 1 --engine monte-carlo --precision 0.00001",
        &format!("interdict '2x german:4-6-7' --hexes 6 {endless}"),
        &format!("sequence turns.toml {endless}"),
        &format!("compare courses.toml {endless}"),
        "solve campaign.toml",
        "solve campaign.toml --tree 12",
        "ask one.json",
        // These commands only wait: for lines, for a file, or for a reader.
        "ask -",
        "rout pipe",
        "ask pipe",
        "describe",
        "check german:4-6-7 --mc 1 --out pipe",
        "rout rout.toml --orders",
        &format!("rout rout.toml {endless}"),
        "study run study.toml --replace",
        "article article.md --out built",
    ];
    for line in lines {
        for (signal, code) in signals() {
            let mut child = spawn(folder.path(), line);
            std::thread::sleep(AT_WORK);
            assert_eq!(child.try_wait().unwrap(), None, "{line}: ended without a signal");
            assert!(send_signal(&child, signal));
            let (exit_code, message) = wait_for_end(&mut child);
            assert_eq!(exit_code, Some(code), "{line}, {signal}: {message}");
            let is_expected = if line.starts_with("study") {
                message.starts_with("error: interrupted: 0 of 3 cells")
            } else {
                message == "interrupted\n"
            };
            assert!(is_expected, "{line}, {signal}: {message}");
        }
    }
}

/// A command started by `nohup` keeps ignoring the hangup of the terminal.
#[test]
fn signal_ignored_by_nohup_stays_ignored() {
    let folder = folder();
    let line = format!(
        "exec {} check german:4-6-7 --mc 1 --engine monte-carlo --trials 100000000000",
        env!("CARGO_BIN_EXE_lowcrawl")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' HUP; {line}")]).current_dir(folder.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(AT_WORK);
    assert!(send_signal(&child, "HUP"));
    std::thread::sleep(AT_WORK);
    if Path::new("/proc/self/status").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "ended by an ignored signal");
    }
    assert!(send_signal(&child, "TERM"));
    assert!(wait_for_end(&mut child).0.is_some());
}

/// Answers printed before the signal are complete.
#[test]
fn answers_before_a_signal_are_complete() {
    let folder = folder();
    let mut child = spawn(folder.path(), "ask -");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"kind\": \"check\", \"stack\": \"german:4-6-7\", \"mc\": 1}\n").unwrap();
    std::thread::sleep(2 * AT_WORK);
    assert!(send_signal(&child, "INT"));
    assert_eq!(wait_for_end(&mut child), (Some(130), "interrupted\n".to_string()));
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert_eq!(answers.lines().count(), 1);
    assert!(
        serde_json::from_str::<serde_json::Value>(&answers)
            .is_ok_and(|answer| answer["rows"].is_array()),
        "{answers}"
    );
}

#[test]
fn stopped_study_leaves_no_temporary_file() {
    let folder = folder();
    for (signal, code) in signals() {
        let mut child = spawn(folder.path(), "study run study.toml");
        std::thread::sleep(AT_WORK);
        assert!(send_signal(&child, signal));
        assert_eq!(wait_for_end(&mut child).0, Some(code), "{signal}");
    }
    assert!(
        !folder.path().join("output/study").exists(),
        "no cell was finished, but files are left"
    );
}

/// A signal after the last file is written has no effect: the command ends with success.
#[cfg(target_os = "linux")]
#[test]
fn signal_after_the_last_write_has_no_effect() {
    let folder = tempdir().unwrap();
    let study =
        "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nphases = [1, 2]\n";
    fs::write(folder.path().join("s.toml"), study).unwrap();
    fs::write(folder.path().join("a.md"), "One: `{lowcrawl} rally german:4-6-7/dm --phases 1`\n")
        .unwrap();
    crate::shell::ok(folder.path(), "study plan s.toml --shards 1 --out plan.json");
    for (line, last) in [
        ("study run s.toml --out run", "run/manifest.json"),
        ("study run plan.json --shard 0", "shards/00000.sum"),
        ("study merge plan.json --out merged", "merged/manifest.json"),
        ("article a.md --out built", "built/a.md"),
    ] {
        for (signal, _) in signals() {
            for place in ["run", "shards", "merged", "built"] {
                let _ = fs::remove_dir_all(folder.path().join(place));
            }
            if line.contains("merge") {
                crate::shell::ok(folder.path(), "study run plan.json --shard 0");
            }
            // Its output pipe is full and is not read, so the command waits.
            let (mut reader, mut writer) = std::io::pipe().unwrap();
            writer.write_all(&[b' '; 1 << 16]).unwrap();
            let mut command = lowcrawl(folder.path(), line);
            let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
            drop(command);
            let started = Instant::now();
            while !folder.path().join(last).exists() && started.elapsed() < 4 * SOON {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(AT_WORK);
            assert_eq!(child.try_wait().unwrap(), None, "{line}: it does not wait");
            assert!(send_signal(&child, signal));
            std::thread::sleep(AT_WORK);
            let mut output = String::new();
            reader.read_to_string(&mut output).unwrap();
            assert_eq!(wait_for_end(&mut child), (Some(0), String::new()), "{line}, {signal}");
            assert!(!output.trim().is_empty(), "{line}, {signal}");
        }
    }
}
