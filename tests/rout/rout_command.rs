#![cfg(feature = "cli")]
//! Tests of `rout`: its picture, its map, its tables and the order of units.
//! The tests of its dice are in `rout_dice`, those of invalid input in `board_command`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, assert_markdown, fails, lowcrawl, names, ok, parquet_meta, texts};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

const SITUATION: &str = r#"
about = "Low Crawl, or run?"

[map]
rows = """
   P  Q  R  S
3  .  .  w  .
4  g  .  .  b
"""

[[rout]]
name = "Kolb"
unit = "german:4-6-7/broken,dm"
at = "R4"

[[rout]]
name = "Meyer"
unit = "german:4-6-7/broken,dm"
at = "S3"

[[enemy]]
unit = "american:6-6-6"
at = "P3"
"#;

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("village.toml"), SITUATION).unwrap();
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn picture_is_written_beside_the_answer() {
    let folder = folder();
    let plain = ok(folder.path(), "rout village.toml");
    let output = lowcrawl(folder.path(), "rout village.toml --svg village.svg").output().unwrap();
    assert_eq!(texts(&output), (plain, "picture: village.svg\n".to_string()));
    let picture = read(folder.path(), "village.svg");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert!(
        picture.contains("<title>Low Crawl, or run?</title>")
            && picture.contains("Kolb")
            && picture.contains("Meyer in S3")
    );
    assert_eq!(names(folder.path()), ["village.svg", "village.toml"]);
}

#[test]
fn picture_of_one_unit_is_written_beside_csv_rows() {
    let folder = folder();
    let line = "rout village.toml --unit Kolb --format csv";
    let rows = ok(folder.path(), line);
    let output = lowcrawl(folder.path(), &format!("{line} --svg one.svg")).output().unwrap();
    assert_eq!(texts(&output).0, rows);
    let picture = read(folder.path(), "one.svg");
    assert!(picture.contains("1: Kolb in R4") && !picture.contains("2: Meyer"));
}

#[test]
fn file_name_is_the_title_without_about() {
    let folder = folder();
    fs::write(
        folder.path().join("a&b.toml"),
        SITUATION.replace("about = \"Low Crawl, or run?\"\n", ""),
    )
    .unwrap();
    lowcrawl(folder.path(), "rout a&b.toml --svg x.svg").output().unwrap();
    assert!(read(folder.path(), "x.svg").contains("<title>a&amp;b.toml</title>"));
}

#[test]
fn unwritable_picture_is_reported() {
    let folder = folder();
    fs::create_dir(folder.path().join("inside")).unwrap();
    for (line, code, expected) in [
        ("--svg nowhere/x.svg", 1, "nowhere/x.svg: there is no folder `nowhere`"),
        ("--svg inside", 1, "inside: a folder is in the way"),
        ("--svg -", 2, "a picture cannot go to standard output"),
        ("--svg village.toml", 2, "this command already uses this file"),
        ("--svg x.csv --out x.csv", 2, "this command already uses this file"),
        ("--svg x.svg --explain R3", 2, "not both"),
        ("--svg x.svg --unit Nobody", 2, "no routing unit is called `Nobody`"),
    ] {
        let report = fails(folder.path(), &format!("rout village.toml {line}"), code);
        assert!(report.contains(expected), "{line}: {report}");
    }
    assert_eq!(read(folder.path(), "village.toml"), SITUATION);
    assert_eq!(names(folder.path()), ["inside", "village.toml"]);
}

/// The map is printed above the text, in plain characters where no colours are shown.
#[test]
fn map_is_printed_above_the_text() {
    let folder = folder();
    let output = ok(folder.path(), "rout village.toml --all --map");
    let bare = ok(folder.path(), "rout village.toml --all");
    assert_eq!(ok(folder.path(), "rout village.toml --all --map --no-map"), bare);
    assert!(
        output.contains("/ R4 \\")
            && output.contains("U1 Kolb (german:4-6-7/broken,dm) in R4")
            && !output.contains('\x1b'),
        "{output}"
    );
    assert!(
        !bare.contains("/ R4 \\") && bare.starts_with("Low Crawl, or run?\n\nU1 Kolb "),
        "{bare}"
    );
    let words = bare.strip_prefix("Low Crawl, or run?\n\n").unwrap();
    assert!(output.ends_with(words));
    assert!(ok(folder.path(), "rout village.toml --unit S3").contains("U2 Meyer"));
    for format in ["table", "markdown", "json", "csv"] {
        assert!(
            !ok(folder.path(), &format!("rout village.toml --format {format}")).contains("/ R4 \\"),
            "{format}"
        );
    }
    ok(folder.path(), "rout village.toml --all --map --out told.txt");
    assert_eq!(read(folder.path(), "told.txt"), output);
}

const COLUMNS: &str = "case,unit,hex,plan,route,mf,interdicted,status,at,in_cover,pinned,end,counter,wounded,probability,std_error,ci_low,ci_high,count,trials,fraction,error_bound";
/// The command for two squads: one runs through Interdicted hexes, and one is lost.
const RUN: &str = "rout a10-531-no-quarter.toml";
/// The command for four squads: two may rout, and two surrender.
const FOUR: &str = "rout a10-531.toml";

/// A folder with the published examples of A10.531.
fn published() -> TempDir {
    let folder = tempdir().unwrap();
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    for name in ["a10-531.toml", "a10-531-no-quarter.toml", "board-01.csv", "los-01.csv"] {
        fs::copy(studies.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn csv(folder: &Path, line: &str) -> Sheet {
    Sheet::of_csv(ok(folder, &format!("{line} --format csv")).as_bytes())
}

fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&ok(folder, &format!("{line} --format json"))).unwrap()
}

#[test]
fn every_format_has_the_same_rows() {
    let folder = published();
    let sheet = csv(folder.path(), RUN);
    assert_eq!(sheet.columns.join(","), COLUMNS);
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (row, probability) in sheet.rows.iter().zip(sheet.column("probability")) {
        *sums.entry(format!("{:?} {:?}", row[1], row[3])).or_default() += probability.number();
    }
    assert!(sums.len() > 8 && sums.values().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");

    let rows = json(folder.path(), RUN)["rows"].clone();
    let of_json = |value: &Value| match value {
        Value::Null => Cell::Null,
        Value::Number(number) => Cell::Number(number.as_f64().unwrap()),
        Value::Bool(value) => Cell::Text(value.to_string()),
        value => Cell::of(value.as_str().unwrap()),
    };
    assert_eq!(rows.as_array().unwrap().len(), sheet.rows.len());
    for (row, expected) in rows.as_array().unwrap().iter().zip(&sheet.rows) {
        for (column, expected) in sheet.columns.iter().zip(expected) {
            // The JSON reader may be off by the last bit.
            match (of_json(&row[column.as_str()]), expected) {
                (Cell::Number(found), Cell::Number(expected)) => {
                    assert!((found - expected).abs() <= 1e-15, "{column}: {row}")
                }
                (found, expected) => assert_eq!(found, *expected, "{column}: {row}"),
            }
        }
        assert!(
            row["case"].is_i64()
                && row["mf"].is_f64()
                && row["interdicted"].is_i64()
                && row["in_cover"].is_boolean()
        );
        assert!(
            row["pinned"].is_boolean()
                && row["probability"].is_f64()
                && row["fraction"].is_string()
                && row["count"].is_null()
        );
    }

    ok(folder.path(), &format!("{RUN} --out rows.parquet"));
    // Parquet distinguishes an empty text from no value.
    let mut parquet = Sheet::of_parquet(&folder.path().join("rows.parquet"));
    parquet
        .rows
        .iter_mut()
        .flatten()
        .filter(|cell| **cell == Cell::Text(String::new()))
        .for_each(|cell| *cell = Cell::Null);
    assert!(parquet == sheet);
    let meta = parquet_meta(&folder.path().join("rows.parquet"));
    assert_eq!(meta["command"], "lowcrawl rout a10-531-no-quarter.toml");
    assert_eq!(meta["question"], "the rout of 2 units before 4 enemy units, No Quarter");

    let markdown = ok(folder.path(), &format!("{RUN} --format markdown"));
    assert_markdown(
        &markdown,
        &sheet,
        &["before 4 enemy units, No Quarter", "Exact. ASL v3, Heat of Battle on."],
    );
    let table = ok(folder.path(), &format!("{RUN} --format table"));
    assert_eq!(
        table.lines().next().unwrap().split_whitespace().collect::<Vec<_>>().join(","),
        COLUMNS
    );
    for (line, fraction) in table.lines().skip(1).zip(sheet.column("fraction")) {
        assert_eq!(Cell::of(line.split_whitespace().next_back().unwrap()), fraction);
    }
}

#[test]
fn json_has_the_facts_of_every_unit() {
    let folder = published();
    let found = json(folder.path(), RUN);
    let unit = &found["units"][1];
    let keys: Vec<&str> = unit.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "unit",
        "hex",
        "verdict",
        "surrenders",
        "known",
        "first_steps",
        "cover",
        "ignorable",
        "destinations",
    ];
    expected.extend(["free_rout", "low_crawl", "interdicted", "best"]);
    assert_eq!(keys, expected);
    assert_eq!(
        (&unit["unit"], &unit["hex"], &unit["verdict"]),
        (&json!("4-4-7 in 1I4"), &json!("1I4"), &json!("must"))
    );
    assert_eq!((&unit["first_steps"], &unit["low_crawl"]), (&json!(["1I3"]), &json!(["1I3"])));
    assert_eq!(
        (&unit["known"], &unit["cover"]["1H2"]),
        (&json!(["1G4", "1H5", "1J4", "1K4"]), &json!(3.0))
    );
    assert_eq!(unit["interdicted"]["1I3"], json!(["1H5", "1J4", "1K4"]));

    // The value of the best play follows from the rows of the plans.
    let sheet = csv(folder.path(), RUN);
    let survives = |plan: &str| -> f64 {
        let lost = [Cell::Text("eliminated".to_string()), Cell::Text("captured".to_string())];
        let of_plan = |row: &&Vec<Cell>| {
            row[1] == Cell::Text("4-4-7 in 1I4".to_string())
                && row[3] == Cell::Text(plan.to_string())
        };
        let rows = sheet.rows.iter().filter(of_plan).filter(|row| !lost.contains(&row[7]));
        rows.map(|row| row[14].number()).sum()
    };
    for (action, plan) in [("low-crawl 1I3", "Low Crawl to 1I3"), ("1I3", "run to 1H2")] {
        assert!(
            (unit["best"][action][0].as_f64().unwrap() - survives(plan)).abs() < 1e-12,
            "{action}"
        );
    }
    let in_order = &found["in_order"];
    assert_eq!(
        (&in_order["units"][0]["unit"], &in_order["units"][1]["unit"]),
        (&json!("4-4-7 in 1I5"), &json!("4-4-7 in 1I4"))
    );
    assert_eq!(
        (&in_order["units"][0]["eliminated"], &in_order["survivors"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(json(folder.path(), &format!("{RUN} --unit 1I4")).get("in_order").is_none());
}

#[test]
fn unit_is_selected_by_name_or_hex() {
    let folder = published();
    let all = csv(folder.path(), FOUR);
    let one = csv(folder.path(), &format!("{FOUR} --unit 1J2"));
    let of_unit: Vec<_> =
        all.rows.iter().filter(|row| row[2] == Cell::Text("1J2".to_string())).cloned().collect();
    assert!(!of_unit.is_empty() && of_unit.len() < all.rows.len());
    assert_eq!(one.rows, of_unit);
    assert_eq!(csv(folder.path(), &format!("{FOUR} --unit '4-4-7 in 1J2'")), one);
}

/// A situation in which the first unit that routs takes the last place in C4.
/// In the Starter Kit a full hex is closed.
const CROWD: &str = r#"
hob = false
map = { area = "A1-G9", hexes = { woods = ["C4", "F4"] } }
rout = [
  { name = "Kolb", unit = "german:4-6-7/broken,dm", at = "B4" },
  { name = "Meyer", unit = "german:4-6-7/broken,dm", at = "D4" },
]
friend = [{ unit = "german:4-6-7", at = ["C4", "C4"] }]
enemy = [{ unit = "russian:4-4-7", at = ["C8", "E7"] }]
"#;

#[test]
fn order_and_profile_decide_which_unit_finds_cover() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("crowd.toml"), CROWD).unwrap();
    let in_cover = |line: &str| {
        let found = json(folder.path(), &format!("rout crowd.toml {line}"));
        let units = found["in_order"]["units"].as_array().unwrap().iter();
        units
            .map(|unit| {
                (unit["unit"].as_str().unwrap().to_string(), unit["in_cover"].as_f64().unwrap())
            })
            .collect::<Vec<_>>()
    };
    let unit = |name: &str, chance: f64| (name.to_string(), chance);
    assert_eq!(in_cover(""), [unit("Kolb", 1.0), unit("Meyer", 1.0)]);
    assert_eq!(in_cover("--profile aslsk"), [unit("Kolb", 1.0), unit("Meyer", 0.0)]);
    assert_eq!(
        in_cover("--profile aslsk --order Meyer,B4"),
        [unit("Meyer", 1.0), unit("Kolb", 0.0)]
    );
    assert!(
        ok(folder.path(), "rout crowd.toml --profile aslsk")
            .contains("ASL Starter Kit, Heat of Battle off.")
    );
    assert_eq!(json(folder.path(), "rout crowd.toml --profile aslsk")["meta"]["profile"], "aslsk");

    let orders = json(folder.path(), "rout crowd.toml --profile aslsk --orders")["orders"].clone();
    assert_eq!(orders.as_array().unwrap().len(), 2);
    for order in orders.as_array().unwrap() {
        let names = order["units"]
            .as_array()
            .unwrap()
            .iter()
            .map(|unit| unit["unit"].as_str().unwrap())
            .collect::<Vec<_>>();
        let alone = json(
            folder.path(),
            &format!("rout crowd.toml --profile aslsk --order {}", names.join(",")),
        );
        assert_eq!(alone["in_order"], *order);
    }
    for (line, expected) in [
        ("--order Kolb", "every routing unit must be named once"),
        ("--order Kolb,Kolb,Kolb,Kolb,Kolb,Kolb", "help: --order \"Kolb, Meyer\""),
        ("--order Kolb,Mayer", "did you mean `Meyer`?"),
        ("--order Kolb,Meyer --unit Kolb", "not both"),
        ("--orders --unit Kolb", "not both"),
    ] {
        let report = fails(folder.path(), &format!("rout crowd.toml {line}"), 2);
        assert!(report.contains(expected), "{line}: {report}");
    }
}

#[test]
fn orders_of_seven_units_are_refused() {
    let folder = tempdir().unwrap();
    fs::write(
        folder.path().join("crowd.toml"),
        CROWD.replace("at = \"D4\"", "at = [\"D4\", \"D4\", \"D4\", \"D4\", \"D4\", \"D4\"]"),
    )
    .unwrap();
    let report = fails(folder.path(), "rout crowd.toml --orders", 2);
    assert!(
        report.contains("at most 6 units, not 7") && report.contains("--order \"NAME, NAME, ...\""),
        "{report}"
    );
}

/// The changes that `--impact` reports equal those of the answer under that reading.
#[test]
fn impact_lists_the_changes_of_each_reading() {
    let folder = published();
    let all = csv(folder.path(), &format!("{FOUR} --impact"));
    assert_eq!(all.columns.join(","), "switch,value,unit,hex,what,from,to,difference");
    let one = csv(folder.path(), &format!("{FOUR} --impact i14"));
    let of_i14: Vec<_> =
        all.rows.iter().filter(|row| row[0] == Cell::Text("i14".to_string())).cloned().collect();
    assert_eq!(one.rows, of_i14);
    let nearest: Vec<_> =
        one.rows.iter().filter(|row| row[1] == Cell::Text("nearest".to_string())).collect();
    assert_eq!(nearest.len(), 1);
    let destinations = |line: &str| {
        let units = json(folder.path(), &format!("{FOUR} --unit 1I4 {line}"))["units"].clone();
        let mut names: Vec<_> = units[0]["destinations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hex| hex.as_str().unwrap().to_string())
            .collect();
        names.sort();
        Cell::Text(names.join(", "))
    };
    assert_eq!(nearest[0][4], Cell::Text("destinations".to_string()));
    assert_eq!(
        (&nearest[0][5], &nearest[0][6]),
        (&destinations(""), &destinations("--set i14=nearest"))
    );
    assert_ne!(nearest[0][5], nearest[0][6]);
    assert!(
        ok(folder.path(), &format!("{FOUR} --set i14=nearest --all"))
            .contains("rules: asl-v3, i14=nearest")
    );
    assert!(
        ok(folder.path(), &format!("{FOUR} --impact"))
            .contains("sk-20.21=alternative  U3 4-4-7 in 1I5  verdict")
    );
    let output = ok(folder.path(), &format!("{FOUR} --impact i58 --unit 1G2"));
    assert!(
        output.starts_with("When does a unit re-figure its destination? (i58)")
            && output.contains("none      100.00 %"),
        "{output}"
    );
    let report = fails(folder.path(), &format!("{FOUR} --impact nonsense"), 2);
    assert!(
        report.contains("no interpretation is called `nonsense`")
            && report.contains("valid: i01, "),
        "{report}"
    );
}

#[test]
fn explain_gives_the_rule_for_a_destination() {
    let folder = published();
    for (line, expected) in [
        (
            "--explain 1I3 --unit 1I4",
            "U2 4-4-7 in 1I4: 1I3\n  it is neither woods nor building (A10.51)\n",
        ),
        ("--explain K4 --unit 1I4", "  a Known enemy is there 4-6-8 in 1K4 (A10.51)\n"),
        ("--explain 1H2 --unit 1I4", "  may be declared the destination (A10.51)\n"),
    ] {
        let words = ok(folder.path(), &format!("{RUN} {line}"));
        assert!(
            words.starts_with("U2 4-4-7 in 1I4: ") && words.contains(expected),
            "{line}: {words}"
        );
    }
    assert_eq!(ok(folder.path(), &format!("{RUN} --explain 1I3")).matches(": 1I3\n").count(), 2);
    for (line, expected) in [
        ("--explain 1Z9", "the hex `1Z9` is not on the map"),
        ("--explain i3", "did you mean `I3`?"),
        ("--explain '1I3 level 4'", "it only has the ground level"),
        ("--explain 1I3 --orders", "not both"),
    ] {
        let report = fails(folder.path(), &format!("{RUN} {line}"), 2);
        assert!(report.contains(expected), "{line}: {report}");
    }
    let csv = ok(folder.path(), &format!("{RUN} --explain 1H2 --unit 1I4 --format csv"));
    assert!(csv.starts_with("unit,hex,rule,reason\n"), "{csv}");
    assert!(csv.ends_with("4-4-7 in 1I4,1H2,A10.51,may be declared the destination\n"), "{csv}");
}
