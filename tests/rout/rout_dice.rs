#![cfg(feature = "cli")]
//! Tests of the dice of `rout`: Monte Carlo against the exact odds, and the traces of `trace rout`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, fails, ok};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// The command for two squads: one runs through Interdicted hexes, and one is lost.
const RUN: &str = "rout a10-531-no-quarter.toml";
const TRACE: &str = "trace rout a10-531-no-quarter.toml";
const MONTE_CARLO: &str = "--engine monte-carlo --trials 20000";

fn published() -> TempDir {
    let folder = tempdir().unwrap();
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    for name in ["a10-531-no-quarter.toml", "board-01.csv", "los-01.csv"] {
        fs::copy(studies.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn csv(folder: &Path, line: &str) -> Sheet {
    Sheet::of_csv(ok(folder, &format!("{line} --format csv")).as_bytes())
}

/// Returns the probability and the number of sequences of each outcome; equal ones are added.
fn chances(sheet: &Sheet) -> BTreeMap<String, (f64, Cell)> {
    let figure = sheet.columns.iter().position(|column| column == "probability").unwrap();
    let mut chances = BTreeMap::new();
    for ((row, probability), trials) in
        sheet.rows.iter().zip(sheet.column("probability")).zip(sheet.column("trials"))
    {
        chances.entry(format!("{:?}", &row[..figure])).or_insert((0.0, trials)).0 +=
            probability.number();
    }
    chances
}

#[test]
fn seed_gives_same_rows_for_any_thread_count() {
    let folder = published();
    let rows = |rest: &str| ok(folder.path(), &format!("{RUN} {MONTE_CARLO} {rest} --format csv"));
    let one = rows("--seed 7 --threads 1");
    assert_eq!(one, rows("--seed 7 --threads 2"));
    assert_eq!(one, rows("--seed 7"));
    assert_ne!(one, rows("--seed 8"));
    let meta: Value = serde_json::from_str(&ok(
        folder.path(),
        &format!("{RUN} {MONTE_CARLO} --seed 7 --format json"),
    ))
    .unwrap();
    let meta = &meta["meta"];
    assert_eq!(
        (meta["engine"].as_str(), meta["seed"].as_u64(), meta["trials"].as_u64()),
        (Some("monte-carlo"), Some(7), Some(20_000))
    );
    let again = meta["command"].as_str().unwrap().strip_prefix("lowcrawl ").unwrap();
    assert_eq!(ok(folder.path(), &format!("{again} --format csv")), one);
    let output = ok(folder.path(), &format!("{RUN} {MONTE_CARLO} --seed 7 --all"));
    assert!(
        output.contains(
            "plans by Monte Carlo, 20000 sequences each, seed 7; rules: asl-v3, No Quarter"
        ) && output.contains(" +- ")
    );
}

/// Every outcome is within five standard errors of its exact chance, and no other outcome occurs.
#[test]
fn monte_carlo_agrees_with_the_exact_odds() {
    let folder = published();
    let exact = chances(&csv(folder.path(), RUN));
    for seed in [1, 2] {
        let played = chances(&csv(folder.path(), &format!("{RUN} {MONTE_CARLO} --seed {seed}")));
        let impossible: Vec<_> =
            played.keys().filter(|outcome| !exact.contains_key(*outcome)).collect();
        assert!(impossible.is_empty(), "{impossible:?}");
        let mut uncertain = 0;
        for (outcome, (chance, _)) in &exact {
            let trials = 20_000.0;
            let (found, row_trials) =
                played.get(outcome).cloned().unwrap_or((0.0, Cell::Number(trials)));
            assert_eq!(row_trials, Cell::Number(trials));
            let error = (chance * (1.0 - chance) / trials).sqrt();
            // A difference of one sequence is allowed, for outcomes that hardly ever occur.
            assert!(
                (found - chance).abs() <= 5.0 * error + 1.0 / trials,
                "{outcome}: {found} for {chance}"
            );
            uncertain += usize::from(error > 1e-3);
        }
        assert!(uncertain > 10, "{uncertain}");
    }
}

#[test]
fn invalid_run_options_are_reported() {
    let folder = published();
    for (line, part) in [
        ("--engine monte-carlo --precision", "`--precision` needs a value"),
        ("--engine monte-carlo --precision 0", "`--precision` must be a half-width"),
        ("--engine monte-carlo --trials 0", "`--trials` must be a whole number from 1"),
        ("--engine monte-carlo --trials 9 --precision 0.01", "not both"),
        (
            "--engine monte-carlo --stratify 9",
            "`--stratify` must be a whole number from 1 to 3, not `9`",
        ),
        ("--engine monte-carlo --seed x", "`--seed` must be a whole number or `random`, not `x`"),
        ("--engine dice", "help: valid: auto, exact, monte-carlo"),
        ("--threads 0", "`--threads` must be a whole number from 1"),
        ("--plans -1", "`--plans` must be a whole number from 0 to 1000000, not `-1`"),
        ("--plans many", "`--plans` must be a whole number"),
        ("--elr 9", "`elr` must be a whole number from 0 to 6, not 9"),
        ("--profile aslk", "did you mean `aslsk`?"),
        ("--set i14=nearst", "did you mean `nearest`?"),
        ("--set i14", "expected `NAME=VALUE`"),
    ] {
        let report = fails(folder.path(), &format!("{RUN} {line}"), 2);
        assert!(report.contains(part), "{line}: {report}");
    }
}

/// One Interdiction check, traced for each of the 36 DR, adds up to the exact odds of the plan.
#[test]
fn traces_of_all_36_dr_add_up_to_the_odds() {
    let folder = published();
    let mut ends: BTreeMap<&str, f64> = BTreeMap::new();
    for dr in 0..36 {
        let (coloured, white) = (dr / 6 + 1, dr % 6 + 1);
        let output = ok(
            folder.path(),
            &format!("{TRACE} --unit 1I4 --plan 2 --no-hob --script {coloured},{white}"),
        );
        let sum = format!("NMC of 4-4-7: Original {} against ML 7", coloured + white);
        assert!(
            output.contains("plan: run to 1H2; dice as scripted") && output.contains(&sum),
            "{output}"
        );
        let end = [
            "eliminated in 1I3",
            "broken 2-3-7 in 1I3",
            "broken 2-3-7 in 1H2",
            "broken 4-4-7 in 1I3, pinned",
            "broken 4-4-7 in 1H2",
        ];
        let end = end
            .into_iter()
            .find(|end| output.contains(&format!("        U2 4-4-7 in 1I4: {end}")))
            .unwrap_or_else(|| panic!("{output}"));
        *ends.entry(end).or_default() += 1.0 / 36.0;
    }
    let sheet = csv(folder.path(), &format!("{RUN} --unit 1I4 --no-hob"));
    let text = |cell: &Cell| if let Cell::Text(text) = cell { text.clone() } else { String::new() };
    let mut odds: BTreeMap<String, f64> = BTreeMap::new();
    for row in sheet.rows.iter().filter(|row| text(&row[3]) == "run to 1H2") {
        let counter =
            if row[12] == Cell::Null { String::new() } else { format!(" {}", text(&row[12])) };
        let pinned = if text(&row[10]) == "true" { ", pinned" } else { "" };
        *odds
            .entry(format!("{}{counter} in {}{pinned}", text(&row[7]), text(&row[8])))
            .or_default() += row[14].number();
    }
    assert_eq!(odds.len(), ends.len(), "{odds:?} {ends:?}");
    for (end, chance) in ends {
        assert!((odds[end] - chance).abs() < 1e-12, "{end}: {odds:?}");
    }
}

#[test]
fn rout_phase_is_traced_unit_by_unit() {
    let folder = published();
    let output = ok(folder.path(), &format!("{TRACE} --seed 3 --sequence 2"));
    assert!(
        output.contains("\nsequence 2 of seed 3\n") && output.contains("Low Crawl to 1I3"),
        "{output}"
    );
    assert!(
        output.find("the turn of U1 4-4-7 in 1I5").unwrap()
            < output.find("the turn of U2 4-4-7 in 1I4").unwrap(),
        "{output}"
    );
    let reversed = ok(folder.path(), &format!("{TRACE} --order 1I4,1I5"));
    assert!(
        reversed.find("the turn of U2 4-4-7 in 1I4").unwrap()
            < reversed.find("the turn of U1 4-4-7 in 1I5").unwrap(),
        "{reversed}"
    );
    // One seed and number always give one run of dice; another number gives another run.
    let run = |number: u32| {
        ok(folder.path(), &format!("{TRACE} --unit 1I4 --plan 2 --seed 3 --sequence {number}"))
    };
    let dice =
        |output: &str| output.lines().find(|line| line.contains("Original")).unwrap().to_string();
    assert_eq!(run(4), run(4));
    assert!(
        (0..8).map(|number| dice(&run(number))).collect::<std::collections::BTreeSet<_>>().len()
            > 2
    );
    for (line, expected) in [
        (
            "--unit 1I4 --plan 2 --script '3,4 1,1'",
            "the sequence ends after 1 roll(s), but the script has 1 more",
        ),
        ("--unit 1I4 --plan 2 --script 1,1", "help: the roll due: Heat of Battle for 4-4-7"),
        ("--unit 1I4 --plan 2 --script 1", "roll 1 of the script is a dr, but a DR is due"),
        ("--unit 1I4 --plan 2 --script 7,1", "`7,1` (roll 1) is not a valid roll"),
        ("--unit 1I4 --plan 99", "`plan` must be a whole number from 1 to 11, not `99`"),
        ("--plan 1", "--unit <NAME>"),
        ("--unit 1I9", "no routing unit is called `1I9`"),
        ("--sequence x", "`--sequence` must be a whole number"),
        ("--script 1,1 --seed 3", "not both"),
    ] {
        let report = fails(folder.path(), &format!("{TRACE} {line}"), 2);
        assert!(report.contains(expected), "{line}: {report}");
    }
}
