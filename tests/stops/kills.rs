//! Studies of the built binary that are killed, stopped and started side by side: no wrong row, no
//! mixed file, no leftover.
//!
//! A short version; `LOWCRAWL_LONG=1 cargo test --release --test stops kills -- --nocapture` plays
//! 200 kills and 100 races and prints how soon a signal was obeyed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{is_ignored, names, ok, texts};
use tempfile::{TempDir, tempdir};

/// Some 300 cells of a few milliseconds each, with their counts.
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

/// All files of a folder, with what is in them.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    names(folder)
        .into_iter()
        .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap_or_default()))
        .collect()
}

/// The results of an undisturbed run.
fn whole(folder: &Path, seed: u64) -> BTreeMap<String, Vec<u8>> {
    let name = format!("whole-{seed}");
    ok(folder, &format!("study run kills.toml --seed {seed} --out {name}"));
    content(&folder.join(name))
}

/// Numbers below `below`, from place to place.
fn number(place: u64, below: u64) -> u64 {
    (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % below
}

#[test]
fn whatever_kills_a_run_the_next_goes_on_to_the_same_bytes() {
    let folder = study();
    let began = Instant::now();
    let expected = whole(folder.path(), 36);
    let takes = began.elapsed().as_millis() as u64;
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
            // Stopped again and again, at any time.
            loop {
                let mut child = start(folder.path(), "study run kills.toml --out out");
                std::thread::sleep(Duration::from_millis(number(
                    time + 100 * number_of as u64 + latencies.len() as u64,
                    takes + takes / 4,
                )));
                let _ = Command::new("kill")
                    .args([&format!("-{signal}"), &child.id().to_string()])
                    .stderr(Stdio::null())
                    .status();
                let sent = Instant::now();
                let status = child.wait().unwrap();
                if status.success() {
                    break;
                }
                latencies.push(sent.elapsed());
                match code {
                    None => assert_eq!(status.signal(), Some(9)),
                    // A signal that comes before anyone listens has its usual end.
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
                            .is_none_or(|whole| whole == bytes)),
                        "{signal}"
                    );
                }
            }
            let there = content(&out);
            assert!(there == expected, "{signal}: {:?}", there.keys());
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

/// What was finished over five seconds before a kill is not lost: a run is killed when it has been
/// at work for longer.
#[test]
fn a_kill_costs_a_few_seconds_at_most() {
    let folder = study();
    let study = STUDY.replace("1_000_000", "20_000_000");
    fs::write(folder.path().join("kills.toml"), study).unwrap();
    let mut child = start(folder.path(), "study run kills.toml --out out --threads 1");
    let batches = folder.path().join("out/lowcrawl-work");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(7) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    if child.wait().unwrap().success() {
        return; // a machine so fast that the study was over
    }
    let written = |name: &String| fs::metadata(batches.join(name)).unwrap().modified().unwrap();
    let kept: Vec<_> =
        names(&batches).iter().filter(|name| name.ends_with(".parquet")).map(written).collect();
    let last = kept.iter().max().expect("nothing was kept in seven seconds");
    assert!(
        last.elapsed().unwrap() < Duration::from_secs(6),
        "the last batch is {:?} old",
        last.elapsed()
    );
}

/// One cell that takes seconds is not begun anew: neither over a table, nor played from the rules.
#[test]
fn a_long_cell_goes_on_where_it_was() {
    let cell = |question: &str, base: &str, trials: u64| {
        format!(
            "question = \"{question}\"\n[base]\n{base}\n[run]\nengine = \"monte-carlo\"\ntrials = {trials}\n"
        )
    };
    let table = cell("rally", "stack = \"german:4-6-7/dm\"\nleader = \"8-1\"", 1_500_000_000);
    let rules = cell("check", "stack = \"german:9-1 + 6x german:4-6-7\"\nmc = 2", 8_000_000);
    [table, rules].iter().for_each(|text| a_cell_goes_on_where_it_was(text));
}

fn a_cell_goes_on_where_it_was(one: &str) {
    let folder = study();
    fs::write(folder.path().join("kills.toml"), one).unwrap();
    let expected = whole(folder.path(), 36);
    let out = folder.path().join("out");
    let batches = out.join("lowcrawl-work");
    for signal in ["TERM", "KILL"] {
        let mut child = start(folder.path(), "study run kills.toml --out out");
        // Nothing where there is no such file, or the run ends and takes its folder away meanwhile.
        let kept = || {
            let mut entries = fs::read_dir(&batches).ok()?.filter_map(Result::ok);
            let begun = entries.find(|entry| entry.path().extension() == Some("begun".as_ref()))?;
            fs::read(begun.path()).ok()
        };
        let is_kept = || kept().is_some();
        let before = kept();
        if signal == "KILL" {
            // Every two seconds it is kept; a fast machine is over before.
            let began = Instant::now();
            while (!is_kept() || kept() == before)
                && began.elapsed() < Duration::from_secs(30)
                && child.try_wait().unwrap().is_none()
            {
                std::thread::sleep(Duration::from_millis(10));
            }
        } else {
            // As long as it takes to count what is kept at once.
            std::thread::sleep(Duration::from_millis(700));
            let began = Instant::now();
            while !is_kept()
                && began.elapsed() < Duration::from_secs(30)
                && child.try_wait().unwrap().is_none()
            {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let _ = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        if child.wait().unwrap().success() {
            break;
        }
        // Of a run that was at its end the cell is whole.
        let is_whole = || {
            fs::read_dir(&batches).map_or(true, |mut entries| {
                entries.any(|entry| entry.unwrap().path().extension() == Some("parquet".as_ref()))
            })
        };
        assert!(is_kept() || is_whole(), "{signal}: nothing was kept");
    }
    ok(folder.path(), "study run kills.toml --out out");
    assert!(content(&out) == expected);
}

#[test]
fn runs_side_by_side_are_never_mixed() {
    let folder = study();
    let expected: Vec<_> = (1..=3).map(|seed| whole(folder.path(), seed)).collect();
    let races = if is_long() { 100 } else { 8 };
    for race in 0..races {
        let out = folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        let runners = 2 + number(race, 2);
        let is_same = race % 2 == 0;
        let seeds: Vec<u64> = (1..=runners).map(|seed| if is_same { 1 } else { seed }).collect();
        let wait = if race % 4 < 2 { "" } else { " --wait" };
        let begin = |(place, seed): (u64, &u64)| {
            std::thread::sleep(Duration::from_millis(number(race * 3 + place, 40)));
            start(
                folder.path(),
                &format!("study run kills.toml --threads 1 --out out --seed {seed}{wait}"),
            )
        };
        let children: Vec<Child> = (0..).zip(&seeds).map(begin).collect();
        let ends: Vec<Output> =
            children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let there = content(&out);
        let winner = expected.iter().position(|whole| *whole == there);
        let winner = winner.unwrap_or_else(|| {
            panic!(
                "race {race}: {:?} {:?}",
                there.keys(),
                ends.iter().map(texts).collect::<Vec<_>>()
            )
        });
        for (seed, end) in seeds.iter().zip(&ends) {
            let (_, message) = texts(end);
            match end.status.code() {
                Some(0) => assert_eq!(*seed, winner as u64 + 1, "race {race}"),
                Some(2) if message.contains("a run is at work in this folder (") => {
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
