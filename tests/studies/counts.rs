//! `counts = GROUP`: a second table of how many units of a group hold, break or are lost in every
//! cell. It equals the counts of single commands.

use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, assert_fails, folder_with, names, ok};
use serde_json::Value;

fn csv(folder: &Path, name: &str) -> Sheet {
    Sheet::of_csv(&fs::read(folder.join("output/study").join(name)).unwrap())
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("output/study/manifest.json")).unwrap()).unwrap()
}

/// Checks that the counts of each cell equal the answer of its command exactly.
fn assert_as_single(folder: &Path, swept: usize, commands: &[String]) {
    let counts = csv(folder, "study-counts.csv");
    assert_eq!(counts, Sheet::of_parquet(&folder.join("output/study/study-counts.parquet")));
    let of_case = |case: usize| {
        let rows = counts.rows.iter();
        rows.filter(move |row| row[swept] == Cell::Number(case as f64))
    };
    for (case, command) in (1..).zip(commands) {
        let single = ok(folder, &format!("{command} --format csv"));
        let single = Sheet::of_csv(single.as_bytes());
        assert_eq!(counts.columns[swept..], single.columns);
        let rows: Vec<&[Cell]> = of_case(case).map(|row| &row[swept + 1..]).collect();
        let expected: Vec<&[Cell]> = single.rows.iter().map(|row| &row[1..]).collect();
        assert!(!rows.is_empty());
        assert_eq!(rows, expected, "{command}");
    }
    assert_eq!(of_case(commands.len() + 1).count(), 0);
}

const CHECK: &str = "question = \"check\"\ncounts = \"mmc\"\n[base]\nstack = \"8-1 + 3x german:4-6-7\"\n[grid]\nelr = \"2..3\"\nmc = [0, 2]\n";

#[test]
fn counts_equal_those_of_single_commands() {
    let folder = folder_with(&[("study.toml", CHECK)]);
    let shown = ok(folder.path(), "study run study.toml");
    let path = |end: &str| format!("output/study/study{end}");
    let files = [".parquet", ".csv", "-counts.parquet", "-counts.csv"].map(path);
    let written = format!("Written: {} and manifest", files.join(", "));
    let in_a_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(in_a_line.contains(&written), "{shown}");
    assert!(shown.contains("\nCounts: 64 rows (all exact).\n"), "{shown}");
    let line =
        |(elr, mc)| format!("check '8-1 + 3x german:4-6-7' --elr {elr} --mc {mc} --counts mmc");
    let commands = [(2, 0), (2, 2), (3, 0), (3, 2)].map(line);
    assert_as_single(folder.path(), 2, &commands);
    let summary = manifest(folder.path());
    assert_eq!(
        summary["counts"],
        serde_json::json!({ "rows": 64, "exact_cells": 4, "monte_carlo_cells": 0 })
    );
    let listed = summary["files"].as_array().unwrap();
    let listed: Vec<&str> = listed.iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(listed, ["study.parquet", "study.csv", "study-counts.parquet", "study-counts.csv"]);
    let written = listed.iter().map(|name| name.to_string()).chain(["manifest.json".to_string()]);
    let mut written: Vec<String> = written.collect();
    written.sort();
    assert_eq!(names(&folder.path().join("output/study")), written);
    let again = ok(folder.path(), "study run study.toml");
    assert!(again.starts_with("All 4 cells are complete"), "{again}");
}

/// Units are counted by phase, by step, in halves of squads, and in other games.
#[test]
fn every_kind_with_units_is_counted() {
    let rally = folder_with(&[(
        "study.toml",
        "question = \"rally\"\ncounts = \"squad-equivalents\"\n[base]\nstack = \"2x german:4-6-7/dm\"\nphases = 2\n[grid]\nleader = \"none,9-1\"\n",
    )]);
    ok(rally.path(), "study run study.toml");
    let line = "rally '2x german:4-6-7/dm' --phases 2 --counts squad-equivalents";
    assert_as_single(rally.path(), 1, &[line.to_string(), format!("{line} --leader 9-1")]);

    let sequence = "[[step]]\ndo = \"fire\"\nfp = 8\n[[step]]\ndo = \"rally\"\n";
    let chain = folder_with(&[(
        "study.toml",
        &format!(
            "question = \"sequence\"\ncounts = \"units\"\n[base]\nstack = \"8-1 + german:4-6-7\"\n[grid]\nelr = [1, 2]\n{sequence}"
        ),
    )]);
    ok(chain.path(), "study run study.toml");
    let file = format!("stack = \"8-1 + german:4-6-7\"\n{sequence}");
    fs::write(chain.path().join("chain.toml"), file).unwrap();
    let line = |elr| format!("sequence chain.toml --elr {elr} --counts units");
    assert_as_single(chain.path(), 1, &[1, 2].map(line));

    let recover = folder_with(&[(
        "study.toml",
        "system = \"fortitude\"\nquestion = \"recover\"\ncounts = \"units\"\n[base]\nunits = \"2x unit/base=10,shaken\"\n[grid]\nturns = \"1..2\"\n",
    )]);
    ok(recover.path(), "study run study.toml");
    let line = |turns| {
        format!("fortitude recover '2x unit/base=10,shaken' --turns {turns} --counts units")
    };
    assert_as_single(recover.path(), 1, &[1, 2].map(line));
}

/// Estimated counts have their error. If counts are too big for the exact engine, the rows stay
/// exact.
#[test]
fn estimated_counts_have_their_error() {
    let by_dice = "[run]\nengine = \"monte-carlo\"\ntrials = 2000\nseed = 7\n";
    let folder = folder_with(&[("study.toml", &format!("{CHECK}{by_dice}"))]);
    ok(folder.path(), "study run study.toml");
    let line = |(elr, mc)| {
        format!(
            "check '8-1 + 3x german:4-6-7' --elr {elr} --mc {mc} --counts mmc --engine monte-carlo --trials 2000 --seed 7"
        )
    };
    assert_as_single(folder.path(), 2, &[(2, 0), (2, 2), (3, 0), (3, 2)].map(line));
    let errors = csv(folder.path(), "study-counts.csv").column("std_error");
    assert!(errors.iter().all(|error| matches!(error, Cell::Number(_))), "{errors:?}");

    let stack = "9-1 + 8-1 + 8-0 + 2x german:4-6-7 + 2x german:4-6-8";
    let large = folder_with(&[(
        "study.toml",
        &format!(
            "question = \"fire\"\ncounts = \"mmc\"\n[base]\nfp = 12\n[grid]\nstack = [\"german:4-6-7\", \"{stack}\"]\n[run]\ntrials = 1000\n"
        ),
    )]);
    let shown = ok(large.path(), "study run study.toml");
    let counts = &manifest(large.path())["counts"];
    assert_eq!((&counts["exact_cells"], &counts["monte_carlo_cells"]), (&1.into(), &1.into()));
    assert!(shown.contains("(1 exact, 1 Monte Carlo, 1000 sequences, seed 36).\n"), "{shown}");
    let line = |stack: &str| format!("fire '{stack}' --fp 12 --counts mmc --trials 1000");
    assert_as_single(large.path(), 1, &[line("german:4-6-7"), line(stack)]);
}

/// Another group makes another study; counts do not change the results of a study without them.
#[test]
fn counts_are_part_of_the_identity_of_a_study() {
    let plain = CHECK.replace("counts = \"mmc\"\n", "");
    let folder = folder_with(&[("study.toml", &plain)]);
    ok(folder.path(), "study run study.toml");
    let without = manifest(folder.path());
    assert_eq!(without.get("counts"), None);
    fs::write(folder.path().join("study.toml"), CHECK).unwrap();
    assert_fails(folder.path(), "study run study.toml", 2, &["the questions differ"]);
    ok(folder.path(), "study run study.toml --replace");
    assert_ne!(manifest(folder.path())["requests"], without["requests"]);
    let rows = csv(folder.path(), "study.csv");
    fs::write(folder.path().join("study.toml"), CHECK.replace("\"mmc\"", "\"units\"")).unwrap();
    assert_fails(folder.path(), "study run study.toml", 2, &["the questions differ"]);
    // A study that is replaced by one without counts leaves none behind.
    fs::write(folder.path().join("study.toml"), plain).unwrap();
    ok(folder.path(), "study run study.toml --replace");
    let there = names(&folder.path().join("output/study"));
    assert_eq!(there, ["manifest.json", "study.csv", "study.parquet"]);
    assert_eq!(csv(folder.path(), "study.csv"), rows);
    assert_eq!(manifest(folder.path())["requests"], without["requests"]);
}
