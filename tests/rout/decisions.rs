#![cfg(feature = "cli")]
//! Tests of decisions by the built binary.
//! They compare `solve` in every format with `compare` and `rout --turns`. They cover studies
//! of campaigns with their break-even tables, and error messages for invalid files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, fails, ok};
use crate::table;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const COLUMNS: [&str; 5] = ["state", "choice", "value", "margin", "error_bound"];

/// 10.52: a choice between Low Crawl and a run, over four Player Turns.
const CAMPAIGN: &str = r#"
question = "campaign"
objective = "good-order"

[base]
unit = "german:4-6-7/broken,dm"
open = 2
leader = "german:8-1"
fp = 6
turns = 4

[[course]]
name = "run"
policy = "run"

[[course]]
name = "Low Crawl"
policy = "crawl"

[[course]]
name = "best"
"#;

/// 10.6, 18.11: a choice of the unit that tries to rally first.
const STACK: &str = r#"
question = "rally"
objective = { good-order = 1.0, cvp = -0.25 }

[base]
stack = "german:6+1/broken + german:4-6-7/broken + german:4-4-7/broken,dm"
phases = 2

[[course]]
name = "leaders"
policy = "leaders-first"

[[course]]
name = "squads"
policy = "mmc-first"

[[course]]
name = "best"
policy = "best"
"#;

const STUDY: &str = r#"
question = "campaign"
objective = "survives"

[base]
unit = "german:4-6-7/broken,dm"
range = 4
no-hob = true
turns = 3

[grid]
interdicted = [1, 2]
fp = [12, 1, 2, 4, 8]

[run]
break-even = "fp"
"#;

fn folder_with(file: &str, text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    folder
}

fn solved(folder: &Path, line: &str) -> Sheet {
    let sheet = Sheet::of_csv(ok(folder, &format!("solve {line} --format csv")).as_bytes());
    assert_eq!(sheet.columns, COLUMNS);
    sheet
}

/// Returns the value of each course of a comparison.
fn worths(folder: &Path, line: &str) -> BTreeMap<String, f64> {
    let sheet = Sheet::of_csv(ok(folder, &format!("compare {line} --format csv")).as_bytes());
    let is_objective = |row: &&Vec<Cell>| row[1] == Cell::of("objective");
    let worth = |row: &Vec<Cell>| match &row[0] {
        Cell::Text(course) => (course.clone(), row[2].number()),
        other => panic!("{other:?} is no course"),
    };
    sheet.rows.iter().filter(is_objective).map(worth).collect()
}

#[test]
fn all_formats_hold_the_same_policy() {
    for (text, objective) in [(CAMPAIGN, "good-order"), (STACK, "good-order - 0.25 x cvp")] {
        let folder = folder_with("a.toml", text);
        let csv = solved(folder.path(), "a.toml");
        assert!(csv.rows.len() > 5);
        assert!(csv.column("margin").iter().all(|margin| margin.number() >= 0.0));
        let json: Value =
            serde_json::from_str(&ok(folder.path(), "solve a.toml --format json")).unwrap();
        assert_eq!(json["meta"]["objective"], objective);
        assert_eq!(json["meta"]["command"], "lowcrawl solve a.toml");
        let rows = json["rows"].as_array().unwrap();
        assert_eq!(rows.len(), csv.rows.len());
        for (row, expected) in rows.iter().zip(&csv.rows) {
            assert_eq!(Cell::of(row["state"].as_str().unwrap()), expected[0]);
            assert!((row["value"].as_f64().unwrap() - expected[2].number()).abs() < 1e-15);
        }
        ok(folder.path(), "solve a.toml --out a.parquet");
        assert_eq!(Sheet::of_parquet(&folder.path().join("a.parquet")), csv);
    }
}

/// The best play is worth what `compare` finds by exact odds of its policy.
/// No named policy is worth more.
#[test]
fn solved_value_equals_the_best_of_compare() {
    // An enemy that may hold its fire replies to every policy, not to the best play only.
    let held = CAMPAIGN.replacen(
        "turns = 4",
        "turns = 4\nbegin = \"fire\"\nhere = \"grain\"\nenemy-holds-fire = true",
        1,
    );
    for text in [CAMPAIGN, STACK, &held] {
        let folder = folder_with("a.toml", text);
        let value = solved(folder.path(), "a.toml").rows[0][2].number();
        let worths = worths(folder.path(), "a.toml");
        assert!((worths["best"] - value).abs() < 1e-12, "{worths:?} {value}");
        assert!(worths.values().all(|worth| *worth <= value + 1e-12), "{worths:?} {value}");
        let words = ok(folder.path(), "solve a.toml");
        // The objective of the stack is a weighted sum, the others are chances.
        let shown = match text == STACK {
            true => format!("Best play: {value:.4}."),
            false => format!("Best play: {:.2} %.", 100.0 * value),
        };
        assert!(words.contains(&shown), "{words}");
    }
}

/// All courses use common dice.
/// The estimates of differences lie within their intervals, which are five standard errors wide.
#[test]
fn campaigns_are_compared_with_common_dice() {
    let folder = folder_with("a.toml", CAMPAIGN);
    let exact = worths(folder.path(), "a.toml");
    let line = "compare a.toml --engine monte-carlo --trials 60000 --seed 4 --format csv";
    let sheet = Sheet::of_csv(ok(folder.path(), line).as_bytes());
    for row in
        sheet.rows.iter().filter(|row| row[1] == Cell::of("objective") && row[0] != Cell::of("run"))
    {
        let Cell::Text(course) = &row[0] else { panic!("{row:?}") };
        let (difference, error) = (row[3].number(), row[4].number());
        assert!((difference - (exact[course] - exact["run"])).abs() < 5.0 * error, "{row:?}");
        // Independent runs would have an error of about the root of twice the variance of one.
        assert!(error < 0.9 * (2.0 * 0.25_f64 / 60_000.0).sqrt(), "{error}");
    }
    assert_eq!(ok(folder.path(), line), ok(folder.path(), &format!("{line} --threads 2")));
}

#[test]
fn tree_begins_with_the_best_choice() {
    let folder = folder_with("a.toml", CAMPAIGN);
    let value = solved(folder.path(), "a.toml --turns 2").rows[0][2].number();
    let tree = ok(folder.path(), "solve a.toml --turns 2 --tree 1");
    let expected = format!(
        "{:.2} % best play\n└─ 100.0 %: Player Turn 1, RtPh: 4-6-7/broken,dm in open ground where it began\n",
        100.0 * value
    );
    assert!(tree.contains(&expected), "{tree}");
    // The chances of the next events add up to 100 percent.
    let next =
        tree.lines().filter(|line| line.starts_with("      ├─ ") || line.starts_with("      └─ "));
    let percent = |line: &str| {
        line.trim_start_matches([' ', '├', '└', '─'])
            .split(' ')
            .next()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    let sum: f64 = next.map(percent).sum();
    assert!((sum - 100.0).abs() < 1.0, "{sum}\n{tree}");
    assert!(fails(folder.path(), "solve a.toml --tree 2 --format csv", 2).contains("not both"));
    let fault = fails(folder.path(), "solve a.toml --tree 13", 2);
    assert!(fault.contains("`--tree` must be a whole number from 1 to 12, not `13`"), "{fault}");
}

/// A situation is solved on its map, and the best first choice is that of `rout --turns`.
#[test]
fn situation_is_solved_on_its_map() {
    let text = include_str!("../../studies/rout/two-turns-to-cover.toml");
    let folder = folder_with("map.toml", text);
    let value =
        solved(folder.path(), "map.toml --turns 3 --objective survives").rows[0][2].number();
    let json = ok(folder.path(), "rout map.toml --turns 3 --objective survives --format json");
    let json: Value = serde_json::from_str(&json).unwrap();
    let first = &json["campaign"][0]["options"][0]["value"];
    assert!((first.as_f64().unwrap() - value).abs() < 1e-12, "{first} {value}");
    let fault = fails(folder.path(), "solve map.toml --turns 3 --objective survives --captor", 2);
    assert!(fault.contains("--captor: in a situation, the map shows the enemy"), "{fault}");
    let bare = folder_with("sk08.toml", include_str!("../../studies/rout/sk08.toml"));
    for table in ["board-z.csv", "los-z.csv", "board-y.csv", "los-y.csv"] {
        fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout").join(table),
            bare.path().join(table),
        )
        .unwrap();
    }
    let fault = fails(bare.path(), "solve sk08.toml", 2);
    assert!(
        fault.contains("does not give the number of Player Turns") && fault.contains("--turns 4"),
        "{fault}"
    );
    let fault = fails(bare.path(), "solve sk08.toml --turns 2", 2);
    assert!(
        fault.contains("does not give the objective") && fault.contains("--objective good-order"),
        "{fault}"
    );
}

/// Every first choice has a row, and a break-even table says where the best choice changes.
/// The margin compares with the best other choice, so it is positive for the best only. The table
/// lists the values of its field along which each choice is best.
#[test]
fn study_lists_where_the_best_choice_flips() {
    let folder = folder_with("flip.toml", STUDY);
    let words = ok(folder.path(), "study run flip.toml");
    let read = |file: &str| {
        Sheet::of_csv(&fs::read(folder.path().join("output/flip").join(file)).unwrap())
    };
    let rows = read("flip.csv");
    assert_eq!(rows.columns, ["interdicted", "fp", "case", "choice", "value", "margin"]);
    assert_eq!(Sheet::of_parquet(&folder.path().join("output/flip/flip.parquet")), rows);
    let mut best: BTreeMap<(i64, i64), (String, f64)> = BTreeMap::new();
    let mut values: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for row in &rows.rows {
        let number = |place: usize| row[place].number();
        let Cell::Text(choice) = &row[3] else { panic!("{row:?}") };
        values.entry(number(2) as i64).or_default().push(number(4));
        if number(5) > 0.0 {
            best.insert((number(0) as i64, number(1) as i64), (choice.clone(), number(4)));
        }
    }
    assert_eq!((best.len(), values.len()), (10, 10));
    assert!(values.values().all(|values| values.len() == 2), "Low Crawl and run");
    for row in &rows.rows {
        let others: Vec<f64> = values[&(row[2].number() as i64)]
            .iter()
            .copied()
            .filter(|value| *value != row[4].number())
            .collect();
        assert!((row[5].number() - (row[4].number() - others[0])).abs() < 1e-15, "{row:?}");
    }
    let table = read("flip-break-even.csv");
    assert_eq!(table.columns, ["interdicted", "choice", "from", "to"]);
    let mut matched = 0;
    for row in &table.rows {
        for fp in [1, 2, 4, 8, 12] {
            if (row[2].number() as i64..=row[3].number() as i64).contains(&fp) {
                assert_eq!(Cell::of(&best[&(row[0].number() as i64, fp)].0), row[1]);
                matched += 1;
            }
        }
    }
    assert_eq!(matched, 10);
    assert!(table.rows.len() > 2, "nothing flips: {table:?}");
    assert!(words.contains("Objective: P(survives).") && words.contains("best by fp"), "{words}");

    // The cell of 8 FP and two Interdicted hexes is also solved by itself.
    let one = STUDY.split("[grid]").next().unwrap().to_string() + "interdicted = 2\nfp = 8\n";
    fs::write(folder.path().join("one.toml"), one).unwrap();
    let value = solved(folder.path(), "one.toml").rows[0][2].number();
    assert!((best[&(2, 8)].1 - value).abs() < 1e-15);
}

/// 7.3: if the enemy chooses first, the words describe its choice, and a lower value is better for
/// it.
#[test]
fn first_choice_of_the_enemy_is_described() {
    let held =
        CAMPAIGN.replacen("turns = 4", "turns = 2\nbegin = \"fire\"\nenemy-holds-fire = true", 1);
    let folder = folder_with("a.toml", &held);
    let words = ok(folder.path(), "solve a.toml");
    assert!(
        words.contains("Now: the enemy fires, ")
            && words.contains(" less than if the enemy holds fire ("),
        "{words}"
    );
}

/// Options that a command would ignore are refused.
#[test]
fn options_without_effect_are_refused() {
    let folder = folder_with("a.toml", STACK);
    let fault = fails(folder.path(), "solve a.toml --objective in-cover", 2);
    assert!(fault.contains("a `rally` has no measure `in-cover`"), "{fault}");
    // The Player Turns of a rally are its Rally Phases.
    assert!(ok(folder.path(), "solve a.toml --turns 3").contains("over 3 Rally"));
    let folder =
        folder_with("a.toml", &CAMPAIGN.replacen("turns = 4", "turns = 4\npolicy = \"run\"", 1));
    let fault = fails(folder.path(), "solve a.toml", 2);
    assert!(
        fault.contains("`solve` finds the best play") && fault.contains("a.toml:11:10"),
        "{fault}"
    );
    let folder = folder_with(
        "a.toml",
        "question = \"check\"\nobjective = \"cvp\"\n[base]\nstack = \"german:4-6-7\"\nmc = 1\n",
    );
    let fault = fails(folder.path(), "solve a.toml", 2);
    assert!(fault.contains("a `check` has no choices"), "{fault}");
    let folder = folder_with("flip.toml", STUDY);
    for option in
        ["--trials 1000", "--seed 3", "--engine monte-carlo", "--precision 0.01", "--stratify 1"]
    {
        let fault = fails(folder.path(), &format!("study run flip.toml {option}"), 2);
        assert!(
            fault.contains("always exact: no dice")
                && fault.contains(option.split(' ').next().unwrap()),
            "{fault}"
        );
    }
}

/// Faults: the command, the file, a text in it, what replaces it, and the message.
const FAULTS: &str = r#"
    solve     | campaign | turns = 4              | turns = 21                     | `turns` must be a whole number from 1 to 20, not 21
    solve     | campaign | turns = 4              | tuns = 4                       | `campaign` has no field `tuns`
    solve     | campaign | "good-order"           | "good-odor"                    | no objective is called `good-odor`
    solve     | campaign | "good-order"           | "good-odor"                    | did you mean `good-order`?
    solve     | campaign | objective = "good-order" |                              | `objective` is missing
    solve     | campaign | unit = "german:4-6-7/broken,dm" |                       | `unit` is missing
    solve     | campaign | german:4-6-7/broken,dm | german:4-6-9/broken            | 4-6-9
    solve     | campaign | german:4-6-7/broken,dm | german:4-6-7/broken + german:8-0 | a campaign can follow one unit only
    solve     | campaign | german:4-6-7/broken,dm | hero                           | a hero never breaks
    solve     | campaign | open = 2               | open = 2\ninterdicted = 3      | 3 Interdicted hexes are more than the 2 Open Ground hexes
    solve     | campaign | open = 2               | open = 2\ninterdicted = 2\nrange = 15 | Interdiction reaches 16 hexes at most
    solve     | campaign | open = 2               | open = 2\ncover = "grain"      | is not cover
    solve     | campaign | open = 2               | open = 2\ncover = "wods"       | no terrain is called `wods`
    solve     | campaign | leader = "german:8-1"  | leader-turn = 2                | needs a `leader`
    solve     | campaign | leader = "german:8-1"  | leader = "german:4-6-7"        | is not a leader
    solve     | campaign | turns = 4              | turns = 4\nbegin = "rot"       | `begin` cannot be `rot`
    solve     | campaign | [base]                 | [grid]\nfp = [1, 2]\n[base]    | a comparison cannot have a `grid`
    compare   | campaign | policy = "run"         | policy = "rum"                 | no policy is called `rum`
    compare   | campaign | policy = "run"         | policy = "rum"                 | did you mean `run`?
    compare   | campaign | policy = "run"         | policy = "run, crawl"          | is a second manner of rout: a policy has only one
    compare   | campaign | policy = "run"         | policy = "stay"                | the unit cannot choose `stay`: it must rout
    compare   | campaign | policy = "run"         | policy = 3                     | `policy` must be a text in quotes, not 3
    compare   | stack    | mmc-first              | mmc-fist                       | no policy of a Rally Phase is called `mmc-fist`
    study run | study    | break-even = "fp"      | break-even = "fq"              | needs a swept field of whole numbers
    study run | study    | break-even = "fp"      | break-even = "ffp"             | did you mean `fp`?
    study run | study    | break-even             | brake-even                     | [run] has no key `brake-even`
    study run | study    | interdicted = [1, 2]   | interdicted = [1, 3]           | 3 Interdicted hexes are more than the 2 Open Ground hexes
"#;

/// Each fault has its place and the nearest valid word.
#[test]
fn invalid_files_are_reported_with_place_and_hint() {
    for [command, file, from, to, expected] in table::rows(FAULTS) {
        let whole = match file {
            "campaign" => CAMPAIGN,
            "stack" => STACK,
            _ => STUDY,
        };
        assert!(whole.contains(from), "{from}");
        let text = whole.replacen(from, &to.replace("\\n", "\n"), 1);
        let folder = folder_with("bad.toml", &text);
        let fault = fails(folder.path(), &format!("{command} bad.toml"), 2);
        assert!(fault.contains(expected), "{expected}:\n{fault}");
        assert!(fault.contains("bad.toml:"), "a fault has its place:\n{fault}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is written");
    }
}

/// Created units that stay with theirs over many turns exceed the bound on states.
/// The message says what to do.
#[test]
fn too_long_a_horizon_is_refused() {
    let long = CAMPAIGN.replacen("turns = 4", "turns = 20\ncreated-stay = true", 1);
    let folder = folder_with("long.toml", &long);
    let fault = fails(folder.path(), "solve long.toml", 2);
    assert!(fault.contains("524288 states") && fault.contains("use fewer Player Turns"), "{fault}");
}
