//! Tests of studies of situations by the built binary (10.5 - 10.533).
//! They cover swept fields, written files, and error messages for invalid files.
#![cfg(feature = "cli")]

use std::fs;

use crate::shell::{Cell, Sheet, fails, in_percent, of_markdown, ok};
use crate::table;
use tempfile::{TempDir, tempdir};

const SITUATION: &str = r#"
[map]
rows = """
   P Q R S T
3  . . w . .
4  g . . b .
5  . . . . w
"""

[[rout]]
unit = "german:4-6-7/broken,dm"
at = "R4"

[[enemy]]
unit = "american:6-6-6"
at = "Q4"
"#;

fn study(grid: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/small.toml"), SITUATION).unwrap();
    let text = format!(
        "question = \"rout\"\nabout = \"Small\"\n[base]\nsituation = \"maps/small.toml\"\n{grid}"
    );
    fs::write(folder.path().join("study.toml"), text).unwrap();
    folder
}

fn csv(folder: &TempDir) -> Sheet {
    Sheet::of_csv(&fs::read(folder.path().join("output/study/study.csv")).unwrap())
}

fn text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        other => panic!("{other:?} is no text"),
    }
}

/// Every hex in which the squad may begin is a cell, whose odds add up to 1.
#[test]
fn every_hex_is_a_cell() {
    let folder = study("[grid]\nrout.1.at = \"every hex\"\nenemy.1.at = [\"Q4\", \"T3\"]\n");
    let shown = ok(folder.path(), "study run study.toml");
    assert!(shown.contains("Small") && shown.contains("30 cells (all exact)"), "{shown}");
    let sheet = csv(&folder);
    sheet.assert_sums();
    assert_eq!(sheet.columns[..3], ["rout.1.at", "enemy.1.at", "case"]);
    assert_eq!(sheet.column("case").last(), Some(&Cell::Number(30.0)));
    for (swept, hex) in sheet.column("rout.1.at").iter().zip(sheet.column("hex")) {
        assert_eq!(*swept, hex);
    }
    let parquet = Sheet::of_parquet(&folder.path().join("output/study/study.parquet"));
    assert_eq!(parquet, sheet);
}

/// A cell gives the answer of `rout` for its situation.
#[test]
fn cell_equals_the_answer_of_rout() {
    let folder = study(
        "plans = \"all\"\n[grid]\nenemy.1.unit = [\"german:8-1\", \"american:6-6-6\"]\nprofile = [\"asl-v3\", \"aslsk\"]\n",
    );
    ok(folder.path(), "study run study.toml");
    let sheet = csv(&folder);
    for (case, profile) in [(3.0, "asl-v3"), (4.0, "aslsk")] {
        let answer =
            ok(folder.path(), &format!("rout maps/small.toml --profile {profile} --format csv"));
        let answer = Sheet::of_csv(answer.as_bytes());
        for column in ["plan", "route", "status", "at", "probability", "fraction"] {
            let (all, cases) = (sheet.column(column), sheet.column("case"));
            let of_case: Vec<Cell> = all
                .into_iter()
                .zip(cases)
                .filter(|(_, number)| *number == Cell::Number(case))
                .map(|(cell, _)| cell)
                .collect();
            assert_eq!(of_case, answer.column(column), "{column} of case {case}");
        }
    }
}

/// Options of the rules are swept, and a unit keeps a name made of its counter and hex.
#[test]
fn swept_options_and_units_are_recorded() {
    let grid = "[grid]\nno-quarter = [true, false]\nelr = [0, 5]\ni14 = [\"any\", \"nearest\", \"all\"]\nrout.1.unit = [\"german:4-6-7/dm\", \"german:2-4-7/dm\"]\n";
    let folder = study(grid);
    assert!(ok(folder.path(), "study run study.toml").contains("24 cells"));
    let sheet = csv(&folder);
    for (swept, unit) in sheet.column("rout.1.unit").iter().zip(sheet.column("unit")) {
        let counter = text(swept).trim_start_matches("german:").trim_end_matches("/dm").to_string();
        assert_eq!(text(&unit), format!("{counter} in R4"));
    }
    let manifest = fs::read_to_string(folder.path().join("output/study/manifest.json")).unwrap();
    assert!(manifest.contains("\"i14\"") && manifest.contains("\"nearest\""), "{manifest}");
    // The text of the situation is part of the record of the run.
    assert!(manifest.contains("unit = \\\"american:6-6-6\\\""), "{manifest}");
}

/// An interpretation holds in every profile, in any order within the file.
#[test]
fn interpretations_hold_in_every_profile() {
    let rows = |grid: &str| {
        let folder = study(&format!("plans = \"all\"\n[grid]\n{grid}"));
        ok(folder.path(), "study run study.toml");
        let sheet = csv(&folder);
        let columns = ["sk-20.21", "i55", "profile", "plan", "at", "status", "probability"]
            .map(|name| sheet.column(name));
        let row = |row: usize| columns.each_ref().map(|column| format!("{:?}", column[row]));
        let mut rows: Vec<_> = (0..sheet.rows.len()).map(row).collect();
        rows.sort();
        rows
    };
    let profile = "profile = [\"asl-v3\", \"aslsk\"]\nrout.1.at = [\"P3\"]\n";
    let both = "[\"default\", \"alternative\"]";
    let points = format!("\"sk-20.21\" = {both}\ni55 = {both}\n");
    let first = rows(&format!("{profile}{points}"));
    assert_eq!(first, rows(&format!("{points}{profile}")));
    let captured = |row: &&[String; 7]| {
        row[0].contains("default") && row[2].contains("aslsk") && row[5].contains("captured")
    };
    assert!(first.iter().any(|row| captured(&row)), "{first:?}");
}

#[test]
fn units_on_one_hex_keep_separate_names() {
    let folder = study("[grid]\nrout.1.at = [\"R4\", \"S5\"]\nrout.2.at = [\"R4\", \"S5\"]\n");
    let two = SITUATION.replace("at = \"R4\"", "at = [\"R4\", \"T5\"]");
    fs::write(folder.path().join("maps/small.toml"), two).unwrap();
    ok(folder.path(), "study run study.toml");
    let sheet = csv(&folder);
    sheet.assert_sums();
    let units: Vec<String> =
        sheet.column("unit").iter().map(|unit| text(unit).to_string()).collect();
    assert!(
        units.contains(&"4-6-7 in R4 (2)".to_string())
            && units.contains(&"4-6-7 in S5".to_string()),
        "{units:?}"
    );
}

#[test]
fn monte_carlo_rows_agree_with_exact_rows() {
    let grid = "plans = \"all\"\n[grid]\nenemy.1.at = [\"Q4\", \"T3\"]\n[run]\nseed = 7\n";
    let folder = study(grid);
    ok(folder.path(), "study run study.toml --out exact");
    ok(folder.path(), "study run study.toml --out played --engine monte-carlo --trials 100000");
    let sheet_of =
        |name: &str| Sheet::of_csv(&fs::read(folder.path().join(name).join("study.csv")).unwrap());
    let rows = |sheet: &Sheet| {
        let columns = ["case", "plan", "status", "at", "counter", "pinned", "probability"]
            .map(|name| sheet.column(name));
        (0..sheet.rows.len())
            .map(|row| columns.each_ref().map(|column| column[row].clone()))
            .collect::<Vec<_>>()
    };
    let (exact, played) = (sheet_of("exact"), sheet_of("played"));
    let (errors, played) = (played.column("std_error"), rows(&played));
    for (row, error) in played.iter().zip(&errors) {
        let same = rows(&exact)
            .into_iter()
            .find(|other| other[..6] == row[..6])
            .unwrap_or_else(|| panic!("{row:?}"));
        let (estimate, truth) = (row[6].number(), same[6].number());
        assert!(
            (estimate - truth).abs() <= 5.0 * error.number() + 1e-12,
            "{row:?} instead of {truth}"
        );
    }
}

/// The figure of a cell follows from its rows.
/// It describes the best plan of the last unit, or all units together.
#[test]
fn tables_show_the_best_plan() {
    let results_of = |tell: &str| {
        let grid =
            "plans = \"all\"\n[grid]\nrout.1.at = \"every hex\"\nno-quarter = [true, false]\n";
        let folder = study(grid);
        let text = fs::read_to_string(folder.path().join("study.toml")).unwrap();
        let text = format!("tell = \"{tell}\"\nrows = [\"rout.1.at\", \"no-quarter\"]\n{text}");
        fs::write(folder.path().join("study.toml"), text).unwrap();
        let shown = ok(folder.path(), "study run study.toml");
        let page = fs::read_to_string(folder.path().join("output/study/study.md")).unwrap();
        let rows = of_markdown(&page).1;
        (shown, csv(&folder), rows.into_iter().map(|row| row[2].clone()).collect::<Vec<_>>())
    };
    let (_, sheet, choices) = results_of("choice");
    let [case, plan, status, at, in_cover, odds] =
        ["case", "plan", "status", "at", "in_cover", "probability"].map(|name| sheet.column(name));
    let lost = |row: &usize| ["eliminated", "captured"].contains(&text(&status[*row]));
    let sum = |case_of: usize, plan_of: &str, is: &dyn Fn(&usize) -> bool| -> f64 {
        let rows = (0..sheet.rows.len()).filter(|row| case[*row] == Cell::Number(case_of as f64));
        let rows = rows.filter(|row| text(&plan[*row]) == plan_of).filter(is);
        rows.map(|row| odds[row].number()).fold(0.0, |sum, odds| sum + odds)
    };
    let plans = |case_of: usize| {
        let rows = (0..sheet.rows.len()).filter(|row| case[*row] == Cell::Number(case_of as f64));
        rows.map(|row| text(&plan[row])).collect::<Vec<_>>()
    };
    let kind = |plan: &str| {
        let kinds = ["stay", "Low Crawl", "run", "free"];
        kinds.into_iter().find(|kind| plan.starts_with(kind)).unwrap().to_string()
    };
    let (_, _, survives) = results_of("survives");
    let (_, _, in_cover_of) = results_of("in-cover");
    let (shown, _, are_lost) = results_of("mmc lost >= 1");
    assert!(shown.contains("\nP(mmc lost >= 1), by best play:\n"), "{shown}");
    let (_, _, margins) = results_of("margin");
    assert_eq!(choices.len(), 30);
    let mut met = std::collections::BTreeSet::new();
    for cell in 0..30 {
        let plans = plans(cell + 1);
        let best = plans[0];
        let percent_of = |is: &dyn Fn(&usize) -> bool| in_percent(sum(cell + 1, best, is), None);
        assert_eq!(survives[cell], percent_of(&|row| !lost(row)), "{cell}");
        assert_eq!(are_lost[cell], percent_of(&lost), "{cell}");
        let covered = |row: &usize| !lost(row) && in_cover[*row] == Cell::of("true");
        assert_eq!(in_cover_of[cell], percent_of(&covered), "{cell} {best} {at:?}");
        let surrenders = choices[cell] == "surrender";
        let expected = if kind(best) == "free" { "rout freely".to_string() } else { kind(best) };
        assert!(surrenders || choices[cell] == expected, "{cell}: {} {best}", choices[cell]);
        let other = plans.iter().find(|plan| kind(plan) != kind(best)).filter(|_| !surrenders);
        if let Some(other) = other {
            let alive = |plan| sum(cell + 1, plan, &|row| !lost(row));
            let lead = alive(best) - alive(other);
            if lead > 1e-9 {
                assert_eq!(margins[cell], format!("{:+.2} points", 100.0 * lead), "{cell}");
            }
        } else {
            assert_eq!(margins[cell], "+0.00 points", "{cell}");
        }
        met.insert(choices[cell].clone());
    }
    assert!(met.len() >= 3, "{met:?}");
}

/// Faults: a line of the file below the line before it, the message and its place.
const FAULTS: &str = r#"
    [grid] | rout.2.at = ["R4"]                | no `rout` unit 2                 | study.toml:6:6
    [grid] | rout.1.hex = ["R4"]               | `hex`                            | study.toml:6:8
    [grid] | rout.1.at = ["Z9"]                | `Z9`                             | study.toml:6:15
    [grid] | rout.1.at = []                    | the list of `rout.1.at` is empty | study.toml:6:13
    [grid] | rout.1.at = "somewhere"           | every hex                        | study.toml:6:13
    [grid] | profil = ["asl-v3"]               | `profile`                        | study.toml:6:1
    [grid] | i14 = ["nearst"]                  | `nearest`                        | study.toml:6:9
    [grid] | elr = [9]                         | 0 to 6                           | study.toml:6:8
    [grid] | enemy.1.unit = ["american:6-6-9"] | 6-6-6                            | study.toml:6:
    [grid] | rout.1.unit = ["german:hero"]     | never broken                     | study.toml:6:16
    [grid] | elr = [1, 1]                      | twice                            | study.toml:6:11
           | plans = "some"                    | `plans`                          | study.toml:6:9
           | [step]                            | `step`                           | study.toml:6:2
"#;

/// Faults of `tell` and of a line after it.
const FAULTS_OF_TELL: &str = r#"
    "choise"     |                   | did you mean `choice`?
    "surivves"   |                   | did you mean `survives`?
    "holds @ 2"  |                   | a rout has results only at its end: remove `@`
    "mcm holds"  |                   | mmc
    "choice"     | average = ["elr"] | choices cannot be averaged
"#;

#[test]
fn invalid_files_are_reported_with_their_place() {
    for [before, line, message, place] in table::rows(FAULTS) {
        let folder = study(&format!("{before}\n{line}\n"));
        let found = fails(folder.path(), "study run study.toml", 2);
        assert!(found.contains(message) && found.contains(place), "{line}\n{found}");
        assert!(!folder.path().join("output").exists());
    }
    for [tell, line, message] in table::rows(FAULTS_OF_TELL) {
        let folder = study("[grid]\nelr = [1, 2]\n");
        let text = fs::read_to_string(folder.path().join("study.toml")).unwrap();
        let text = format!("tell = {tell}\n{line}\n{text}");
        fs::write(folder.path().join("study.toml"), text).unwrap();
        let found = fails(folder.path(), "study run study.toml", 2);
        assert!(found.contains(message) && found.contains("study.toml:"), "{tell}\n{found}");
    }
    let folder = study("");
    fs::write(folder.path().join("maps/small.toml"), SITUATION.replace("6-6-6", "6-6-9")).unwrap();
    assert!(fails(folder.path(), "study run study.toml", 2).contains("maps/small.toml:"));
    fs::remove_file(folder.path().join("maps/small.toml")).unwrap();
    assert!(
        fails(folder.path(), "study run study.toml", 2)
            .contains("there is no file `maps/small.toml`")
    );
}
