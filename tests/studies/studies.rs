//! Studies by the built binary: their files, and runs resumed after Ctrl-C.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::shell;
use crate::shell::{
    Cell, Sheet, assert_fails, fails, folder_with, frame, names, ok, parquet_meta, texts, unwrapped,
};
use polars::prelude::DataType;
use serde_json::Value;
use tempfile::tempdir;

const SMALL: &str = r#"
question = "rally"
about = "A small one"

[base]
stack = "german:4-6-7"

[grid]
phases = { from = 1, to = 5, step = 2 }
dm = [false, true]
leader = ["none", "8-1"]
"#;

/// A study of more cells than a batch holds, each with enough sequences to be interrupted.
const LONG: &str = r#"
question = "rally"

[grid]
stack = ["german:4-6-7", "german:4-6-8", "german:4-3-6"]
leader = ["7-0", "8-0", "8-1", "9-1", "9-2"]
elr = { from = 0, to = 5 }
phases = { from = 1, to = 14 }
dm = [true, false]

[run]
engine = "monte-carlo"
trials = 400_000
"#;

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// The outcomes of simulated cells are not all known. The manifest and the metadata of the rows
/// bound the probability of outcomes that no sequence drew, and name their cells.
#[test]
fn outcomes_that_no_sequence_drew_are_noted() {
    let text = "question = \"fire\"\n[base]\nfp = 12\n[grid]\nstack = [\"german:4-6-7\", \"8-1 + 6x german:4-6-7\"]\n\
                [run]\nengine = \"monte-carlo\"\ntrials = 2000\n";
    let folder = folder_with(&[("large.toml", text)]);
    let shown = ok(folder.path(), "study run large.toml");
    let manifest = manifest(&folder.path().join("output/large"));
    let unseen = manifest["unseen"].as_f64().unwrap();
    assert!(3.6 / 2000.0 < unseen && unseen < 0.1, "{unseen}");
    let note = manifest["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("case 2: all outcomes that never came up have a probability of at most "),
        "{note}"
    );
    let in_a_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(in_a_line.contains(&note[1..]), "{shown}");
    let meta = parquet_meta(&folder.path().join("output/large/large.parquet"));
    assert_eq!(meta["notes"], manifest["notes"].to_string());
    let json = ok(
        folder.path(),
        "fire '8-1 + 6x german:4-6-7' --fp 12 --engine monte-carlo --trials 2000 --format json",
    );
    let alone: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(alone["meta"]["unseen"], manifest["unseen"]);
}

#[test]
fn study_writes_parquet_csv_and_manifest() {
    let folder = folder_with(&[("small.toml", SMALL)]);
    let shown = ok(folder.path(), "study run small.toml");
    for fact in
        ["A small one", "12 cells (all exact)", "phases  1", "Written: output/small/small.parquet"]
    {
        assert!(shown.contains(fact), "no `{fact}` in\n{shown}");
    }
    let out = folder.path().join("output/small");
    assert_eq!(names(&out), ["manifest.json", "small.csv", "small.parquet"]);
    let parquet = out.join("small.parquet");
    let csv = Sheet::of_csv(&fs::read(out.join("small.csv")).unwrap());
    assert_eq!(csv, Sheet::of_parquet(&parquet));
    assert_eq!(csv.columns[..6].join(","), "phases,dm,leader,case,slot,unit");
    csv.assert_sums();

    let frame = frame(&parquet);
    let types = ["phases", "dm", "leader", "case", "probability", "wounded"]
        .map(|name| frame.column(name).unwrap().dtype().clone());
    let [whole, truth, text] = [DataType::Int64, DataType::Boolean, DataType::String];
    assert_eq!(types, [whole.clone(), truth.clone(), text, whole, DataType::Float64, truth]);

    let manifest = manifest(&out);
    assert_eq!((&manifest["rows"], &manifest["cells"]), (&csv.rows.len().into(), &12.into()));
    assert_eq!((&manifest["complete"], &manifest["study"]), (&true.into(), &SMALL.into()));
    assert_eq!((&manifest["exact_cells"], &manifest["monte_carlo_cells"]), (&12.into(), &0.into()));
    let meta = parquet_meta(&parquet);
    assert_eq!(meta["seed"], "36");
    assert_eq!(meta["requests"], manifest["requests"].as_str().unwrap());

    // Cell 8 of 12: the last field runs fastest.
    let row = csv.rows.iter().find(|row| row[3] == Cell::Number(8.0)).unwrap();
    assert_eq!(row[..3], ["3", "true", "8-1"].map(Cell::of));
    let single = shell::csv(folder.path(), "rally german:4-6-7 --phases 3 --dm --leader 8-1");
    let mut cell = csv.rows.iter().filter(|row| row[3] == Cell::Number(8.0)).map(|row| &row[4..]);
    assert!(single.rows.iter().all(|row| cell.next() == Some(&row[1..])) && cell.next().is_none());

    let before = [fs::read(&parquet).unwrap(), fs::read(out.join("small.csv")).unwrap()];
    ok(folder.path(), "study run small.toml --threads 1");
    assert_eq!(
        [fs::read(&parquet).unwrap(), fs::read(out.join("small.csv")).unwrap()],
        before,
        "the second run differs"
    );
}

#[test]
fn options_override_the_file() {
    let folder = folder_with(&[("small.toml", SMALL)]);
    let shown = ok(
        folder.path(),
        "study run small.toml --out there --engine monte-carlo --trials 1000 --seed 5",
    );
    assert!(shown.contains("12 cells (all Monte Carlo, 1000 sequences, seed 5)"), "{shown}");
    let sheet = Sheet::of_parquet(&folder.path().join("there/small.parquet"));
    assert!(sheet.column("trials").iter().all(|trials| *trials == Cell::Number(1000.0)));
    assert_eq!(
        (
            &manifest(&folder.path().join("there"))["seed"],
            manifest(&folder.path().join("there"))["trials"].as_u64()
        ),
        (&5.into(), Some(1000))
    );
}

#[test]
fn crlf_and_byte_order_mark_are_accepted() {
    let folder =
        folder_with(&[("small.toml", &format!("\u{feff}{}", SMALL.replace('\n', "\r\n")))]);
    assert!(ok(folder.path(), "study run small.toml").contains("12 cells"));
    let folder = folder_with(&[(
        "bad.toml",
        "question = \"rally\"\r\n[base]\r\nstak = \"german:4-6-7\"\r\n",
    )]);
    assert_fails(folder.path(), "study run bad.toml", 2, &["bad.toml:3:1"]);
}

#[test]
fn shipped_studies_run() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    let studies: Vec<String> =
        names(&home).into_iter().filter(|name| name.ends_with(".toml")).collect();
    assert!(studies.len() >= 4, "{studies:?}");
    let folder = tempdir().unwrap();
    for file in studies {
        let name = file.trim_end_matches(".toml");
        // A study of decisions (10.52) has values instead of odds, no dice, and a table of where
        // the best choice changes.
        let of_decisions = name == "low-crawl-break-even";
        let dice = if of_decisions { "" } else { " --trials 1000" };
        ok(folder.path(), &format!("study run '{}'{dice}", home.join(&file).display()));
        let out = folder.path().join("output").join(name);
        let mut expected =
            vec![format!("{name}.csv"), format!("{name}.parquet"), "manifest.json".to_string()];
        expected.extend(of_decisions.then(|| format!("{name}-break-even.csv")));
        expected.sort();
        assert_eq!(names(&out), expected);
        if !of_decisions {
            Sheet::of_csv(&fs::read(out.join(format!("{name}.csv"))).unwrap()).assert_sums();
        }
        assert_eq!(manifest(&out)["complete"], true);
    }
}

#[test]
fn shipped_sequences_run() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/sequences");
    let sequences = names(&home);
    assert!(!sequences.is_empty());
    let folder = tempdir().unwrap();
    for file in sequences {
        let line = format!("sequence '{}' --trials 1000 --format csv", home.join(&file).display());
        Sheet::of_csv(ok(folder.path(), &line).as_bytes()).assert_sums();
    }
}

const TURNS: &str = r#"
question = "sequence"
about = "Two turns"

[base]
stack = "german:8-1 + german:4-6-7"
no-hob = true

[[step]]
do = "fire"
drm = 1

[[step]]
do = "rally"
if = "broken"

[grid]
1.fp = [4, 8, 12]
2.terrain = ["open", "woods"]
elr = [2, 3]
"#;

/// Returns the percentages in those lines of a table that end in a count of cells.
fn shares(shown: &str) -> Vec<f64> {
    let words = shown
        .lines()
        .filter(|line| line.ends_with(char::is_numeric) && line.contains(" %"))
        .flat_map(str::split_whitespace);
    let words: Vec<&str> = words.collect();
    words.windows(2).filter(|pair| pair[1] == "%").map(|pair| pair[0].parse().unwrap()).collect()
}

#[test]
fn study_can_sweep_steps_of_a_sequence() {
    let folder = folder_with(&[("turns.toml", TURNS)]);
    let shown = ok(folder.path(), "study run turns.toml");
    for fact in [
        "Two turns",
        "is unbroken after the last step",
        "1.fp       4 ",
        "2.terrain  open ",
        "12 cells (all exact)",
    ] {
        assert!(shown.contains(fact), "no `{fact}` in\n{shown}");
    }
    let shares = shares(&shown);
    assert!(
        shares.len() == 21 && shares.iter().all(|share| (0.0..=100.0).contains(share)),
        "{shares:?}\n{shown}"
    );

    let out = folder.path().join("output/turns");
    let csv = Sheet::of_csv(&fs::read(out.join("turns.csv")).unwrap());
    assert_eq!(csv, Sheet::of_parquet(&out.join("turns.parquet")));
    assert_eq!(csv.columns[..6].join(","), "1.fp,2.terrain,elr,case,step,slot");
    csv.assert_sums();
    assert_eq!(csv.sums().len(), 12 * 2 * 2, "cells, steps and slots");

    // Cell 7 of 12 equals a sequence of its own.
    let row = csv.rows.iter().find(|row| row[3] == Cell::Number(7.0)).unwrap();
    assert_eq!(row[..3], ["8", "woods", "2"].map(Cell::of));
    let (top, steps) = TURNS.split_once("[[step]]").unwrap();
    let top = top.replace("question = \"sequence\"", "elr = 2").replace("[base]", "");
    let steps = steps.split("[grid]").next().unwrap().replace("drm = 1", "drm = 1\nfp = 8")
        + "terrain = \"woods\"\n";
    fs::write(folder.path().join("one.toml"), format!("{top}[[step]]{steps}")).unwrap();
    let single = shell::csv(folder.path(), "sequence one.toml");
    let mut cell = csv.rows.iter().filter(|row| row[3] == Cell::Number(7.0)).map(|row| &row[4..]);
    assert!(single.rows.iter().all(|row| cell.next() == Some(&row[1..])) && cell.next().is_none());
}

#[test]
fn output_folder_that_is_a_file_is_refused() {
    let folder = folder_with(&[("small.toml", SMALL), ("file", "")]);
    for (out, code) in [("file", 1), ("file/out", 2)] {
        let message = fails(folder.path(), &format!("study run small.toml --out {out}"), code);
        assert!(message.starts_with(&format!("error: {out}")), "{message}");
    }
    assert_eq!(names(folder.path()), ["file", "small.toml"]);
}

/// Results of an earlier run are not mixed with others. They are reported, and removed only with
/// `--replace`.
#[test]
fn damaged_and_other_results_are_kept_without_replace() {
    let folder = folder_with(&[("small.toml", SMALL)]);
    let out = folder.path().join("output/small");
    ok(folder.path(), "study run small.toml");
    let files = ["manifest.json", "small.csv", "small.parquet"];
    let results = || files.map(|file| fs::read(out.join(file)).unwrap());
    let whole = results();
    let there = "All 12 cells are complete: output/small/small.parquet, output/small/small.csv\n  and manifest.json\n\
                 `--replace` runs the study again.\n";
    assert_eq!(ok(folder.path(), "study run small.toml"), there);
    assert!(results() == whole);

    for (file, text, problem) in [
        (
            "manifest.json",
            "{\"name\": \"sm".to_string(),
            "manifest.json: this manifest is damaged or has an unknown version",
        ),
        ("small.csv", "case\n".to_string(), "small.csv: this file has 5 bytes instead of "),
        (
            "manifest.json",
            String::from_utf8(whole[0].clone()).unwrap().replace("\"seed\": 36", "\"seed\": 37"),
            "manifest.json: the results here belong to another run: seed 37, not 36",
        ),
    ] {
        fs::write(out.join(file), text).unwrap();
        let report = fails(folder.path(), "study run small.toml", 2);
        assert!(
            report.starts_with("error: output/small/")
                && report.contains(problem)
                && report.contains("`--replace`"),
            "{report}"
        );
        assert_eq!(report.lines().count(), 1, "{report}");
        ok(folder.path(), "study run small.toml --replace");
        assert!(results() == whole);
        assert_eq!(names(&out), files);
    }
}

/// Results are reused for equal questions in any spelling, and for no others.
#[test]
fn results_are_reused_for_equal_questions_only() {
    let folder = folder_with(&[("small.toml", SMALL)]);
    ok(folder.path(), "study run small.toml");
    for (is_same, from, to) in [
        (true, "[grid]", "elr = 3 # the default\n[grid]"),
        (true, "about = \"A small one\"", "about = \"The same\" # once more"),
        (true, "stack = \"german:4-6-7\"", "no_hob=false\nstack  =  'german:4-6-7'"),
        (false, "stack = \"german:4-6-7\"", "stack = \"german:4-6-8\""),
        (false, "[grid]", "elr = 4\n[grid]"),
        (false, "step = 2", "step = 1"),
        (false, "\"8-1\"", "\"8-0\""),
    ] {
        fs::write(folder.path().join("small.toml"), SMALL.replace(from, to)).unwrap();
        match is_same {
            true => assert!(
                ok(folder.path(), "study run small.toml").starts_with("All 12 cells are complete"),
                "{to}"
            ),
            false => {
                let report = fails(folder.path(), "study run small.toml", 2);
                assert!(
                    report.contains("the results here belong to another run")
                        && report.contains("the questions differ"),
                    "{report}"
                )
            }
        }
    }
}

/// Starts a study, and sends Ctrl-C as soon as some cells are stored.
#[cfg(unix)]
fn interrupted(folder: &Path, line: &str, out: &Path) -> Output {
    let binary = env!("CARGO_BIN_EXE_lowcrawl");
    let mut command = Command::new(binary);
    command
        .args(shell::words(line))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let start_time = Instant::now();
    while crate::fault_injection::records(out).is_empty()
        && child.try_wait().unwrap().is_none()
        && start_time.elapsed() < Duration::from_secs(120)
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(shell::send_signal(&child, "INT"));
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn stopped_study_resumes_to_the_same_bytes() {
    let folder = folder_with(&[("long.toml", LONG)]);
    let out = folder.path().join("output/long");
    let stopped = interrupted(folder.path(), "study run long.toml", &out);
    let (stdout, message) = texts(&stopped);
    assert_eq!((stopped.status.code(), stdout.as_str()), (Some(130), ""), "{message}");
    assert_eq!(names(&out), ["lowcrawl-work"], "results before the end");
    let kept = message
        .strip_prefix("error: interrupted: ")
        .and_then(|rest| rest.split(' ').next())
        .unwrap()
        .to_string();
    assert!((1..2520).contains(&kept.parse::<usize>().unwrap()), "{message}");
    let hidden =
        names(&out.join("lowcrawl-work")).into_iter().filter(|name| name.starts_with('.')).count();
    assert_eq!(hidden, 0, "a temporary file is left");

    for other in ["--seed 37", "--trials 5", "--engine exact"] {
        let parts = ["the folder has finished cells of another run", "`--replace`"];
        assert_fails(folder.path(), &format!("study run long.toml {other}"), 2, &parts);
    }

    let shown = unwrapped(&ok(folder.path(), "study run long.toml"));
    assert!(
        shown.contains(&format!(
            "2520 cells, {kept} from an earlier run (all Monte Carlo, 400000 sequences, seed 36)"
        )),
        "{shown}"
    );
    assert_eq!(names(&out), ["long.csv", "long.parquet", "manifest.json"]);

    ok(folder.path(), "study run long.toml --out whole --threads 1");
    for file in ["long.csv", "manifest.json"] {
        assert!(
            fs::read(out.join(file)).unwrap()
                == fs::read(folder.path().join("whole").join(file)).unwrap(),
            "{file} differs"
        );
    }
    let whole = Sheet::of_csv(&fs::read(out.join("long.csv")).unwrap());
    whole.assert_sums();
    assert_eq!(whole.column("case").last(), Some(&Cell::Number(2520.0)));
}
