//! Tests of studies that are killed, stopped, or run concurrently by the built binary. No row may
//! be wrong, no file mixed, and no temporary file may stay.
//!
//! By default the tests are short. `LOWCRAWL_LONG=1 cargo test --release --test stops kills --
//! --nocapture` runs 200 kills and 100 races, and prints how soon a signal was obeyed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{content, is_ignored, ok, send_signal, texts};
use tempfile::{TempDir, tempdir};

/// A study of some 300 cells of a few milliseconds each, with their counts.
const STUDY: &str = r#"
question = "rally"
counts = "mmc"

[grid]
stack = ["german:4-6-7", "german:4-6-8"]
leader = ["7-0", "8-0", "8-1", "9-1", "9-2"]
elr = { from = 1, to = 5 }
phases = { from = 5, to = 10 }

[run]
engine = "monte-carlo"
trials = 1_000_000
"#;

fn is_long() -> bool {
    std::env::var_os("LOWCRAWL_LONG").is_some()
}

fn study() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("kills.toml"), STUDY).unwrap();
    folder
}

fn start(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command.args(line.split(' ')).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Returns the files of an uninterrupted run.
fn uninterrupted(folder: &Path, seed: u64) -> BTreeMap<String, Vec<u8>> {
    let name = format!("whole-{seed}");
    ok(folder, &format!("study run kills.toml --seed {seed} --out {name}"));
    content(&folder.join(name))
}

/// Returns a pseudorandom number below `below`, determined by its index.
fn number(index: u64, below: u64) -> u64 {
    (index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % below
}

#[test]
fn killed_run_resumes_to_same_bytes() {
    let folder = study();
    let started = Instant::now();
    let expected = uninterrupted(folder.path(), 36);
    let duration = started.elapsed().as_millis() as u64;
    let times = if is_long() { 50 } else { 4 };
    let signals =
        [("KILL", 9, None), ("TERM", 15, Some(143)), ("INT", 2, Some(130)), ("HUP", 1, Some(129))];
    for (signal, number_of, code) in
        signals.into_iter().filter(|(_, number, _)| !is_ignored(*number))
    {
        let mut latencies = Vec::new();
        for time in 0..times {
            let out = folder.path().join("out");
            let _ = fs::remove_dir_all(&out);
            // The run is stopped at random times until it finishes.
            loop {
                let mut child = start(folder.path(), "study run kills.toml --out out");
                std::thread::sleep(Duration::from_millis(number(
                    time + 100 * number_of as u64 + latencies.len() as u64,
                    duration + duration / 4,
                )));
                send_signal(&child, signal);
                let sent = Instant::now();
                let status = child.wait().unwrap();
                if status.success() {
                    break;
                }
                latencies.push(sent.elapsed());
                match code {
                    None => assert_eq!(status.signal(), Some(9)),
                    // Before the handler is installed, a signal has its default effect.
                    Some(code) => {
                        assert!(
                            status.code() == Some(code) || status.signal() == Some(number_of),
                            "{signal}: {status}"
                        )
                    }
                }
                if out.join("manifest.json").exists() {
                    assert!(
                        content(&out).iter().all(|(name, bytes)| expected
                            .get(name)
                            .is_none_or(|uninterrupted| uninterrupted == bytes)),
                        "{signal}"
                    );
                }
            }
            let files = content(&out);
            assert!(files == expected, "{signal}: {:?}", files.keys());
        }
        latencies.sort();
        if let Some(longest) = latencies.last() {
            println!(
                "{signal}: {} ended, half within {:?}, all within {longest:?}",
                latencies.len(),
                latencies[latencies.len() / 2]
            );
            assert!(*longest < Duration::from_secs(20), "{signal} was obeyed after {longest:?}");
        }
    }
}

/// A killed run keeps all work that was finished more than five seconds before. The test kills it
/// after seven seconds.
#[test]
fn kill_loses_a_few_seconds_of_work_at_most() {
    let folder = study();
    let study = STUDY.replace("1_000_000", "20_000_000");
    fs::write(folder.path().join("kills.toml"), study).unwrap();
    let mut child = start(folder.path(), "study run kills.toml --out out --threads 1");
    let part = folder.path().join("out/lowcrawl-work/finished.part");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(7) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    if child.wait().unwrap().success() {
        return; // On a very fast machine the study is complete.
    }
    let metadata = fs::metadata(part).expect("no cell was stored in seven seconds");
    let age = metadata.modified().unwrap().elapsed().unwrap();
    assert!(age < Duration::from_secs(6), "the last cells were stored {age:?} ago");
}

/// A cell that takes seconds resumes from its checkpoint, with a table and with rules.
#[test]
fn killed_long_cell_resumes_where_it_was() {
    let cell = |question: &str, base: &str, trials: u64| {
        format!(
            "question = \"{question}\"\n[base]\n{base}\n[run]\nengine = \"monte-carlo\"\ntrials = {trials}\n"
        )
    };
    let table = cell("rally", "stack = \"german:4-6-7/dm\"\nleader = \"8-1\"", 1_000_000_000);
    let rules = cell("check", "stack = \"german:9-1 + 6x german:4-6-7\"\nmc = 2", 5_000_000);
    [table, rules].iter().for_each(|text| assert_cell_resumes(text));
}

fn assert_cell_resumes(study_text: &str) {
    let folder = study();
    fs::write(folder.path().join("kills.toml"), study_text).unwrap();
    let expected = uninterrupted(folder.path(), 36);
    let out = folder.path().join("out");
    let work = out.join("lowcrawl-work");
    for signal in ["TERM", "KILL"] {
        let mut child = start(folder.path(), "study run kills.toml --out out");
        // `None` if there is no checkpoint, or if the run ends and removes its folder meanwhile.
        let checkpoint = || fs::read(work.join("checkpoints.json")).ok();
        let has_checkpoint = || checkpoint().is_some();
        let before = checkpoint();
        if signal == "KILL" {
            // A checkpoint is written every two seconds; a fast machine finishes before.
            let started = Instant::now();
            while (!has_checkpoint() || checkpoint() == before)
                && started.elapsed() < Duration::from_secs(30)
                && child.try_wait().unwrap().is_none()
            {
                std::thread::sleep(Duration::from_millis(10));
            }
        } else {
            // This is as long as one checkpoint takes to count.
            std::thread::sleep(Duration::from_millis(700));
            let started = Instant::now();
            while !has_checkpoint()
                && started.elapsed() < Duration::from_secs(30)
                && child.try_wait().unwrap().is_none()
            {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        send_signal(&child, signal);
        if child.wait().unwrap().success() {
            break;
        }
        // The cell is complete if the run was at its end.
        let is_complete = || {
            let part = fs::read(work.join("finished.part"));
            part.map_or(true, |part| !part.is_empty())
        };
        assert!(has_checkpoint() || is_complete(), "{signal}: no checkpoint was written");
    }
    ok(folder.path(), "study run kills.toml --out out");
    assert!(content(&out) == expected);
}

#[test]
fn concurrent_runs_are_never_mixed() {
    let folder = study();
    let expected: Vec<_> = (1..=3).map(|seed| uninterrupted(folder.path(), seed)).collect();
    let races = if is_long() { 100 } else { 8 };
    for race in 0..races {
        let out = folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        let runners = 2 + number(race, 2);
        let is_same = race % 2 == 0;
        let seeds: Vec<u64> = (1..=runners).map(|seed| if is_same { 1 } else { seed }).collect();
        let wait = if race % 4 < 2 { "" } else { " --wait" };
        let start_run = |(place, seed): (u64, &u64)| {
            std::thread::sleep(Duration::from_millis(number(race * 3 + place, 40)));
            start(
                folder.path(),
                &format!("study run kills.toml --threads 1 --out out --seed {seed}{wait}"),
            )
        };
        let children: Vec<Child> = (0..).zip(&seeds).map(start_run).collect();
        let ends: Vec<Output> =
            children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let files = content(&out);
        let winner = expected.iter().position(|uninterrupted| *uninterrupted == files);
        let winner = winner.unwrap_or_else(|| {
            panic!(
                "race {race}: {:?} {:?}",
                files.keys(),
                ends.iter().map(texts).collect::<Vec<_>>()
            )
        });
        for (seed, end) in seeds.iter().zip(&ends) {
            let (_, message) = texts(end);
            match end.status.code() {
                Some(0) => assert_eq!(*seed, winner as u64 + 1, "race {race}"),
                Some(2) if message.contains("another run uses this folder (") => {
                    assert_eq!(wait, "", "race {race}")
                }
                Some(2) => assert!(
                    *seed != winner as u64 + 1 && message.contains("another run"),
                    "race {race}: {message}"
                ),
                _ => panic!("race {race}: {message}"),
            }
        }
    }
}
