//! What `rout` tells on a screen of 80 columns, and how many of several units end how.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use crate::shell::{Sheet, fails, in_a_line, of_markdown, ok};
use serde_json::Value;
use tempfile::tempdir;

const STUDIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/rout");

/// Lines of a screen that are too long.
fn long(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > 80).collect()
}

/// What stands below the map, which goes to the first line that begins with the mark of a unit.
fn below_the_map(text: &str) -> &str {
    let begin = text.find("\n\nU1 ").or_else(|| text.find("\n\nu1 "));
    &text[begin.unwrap_or_else(|| panic!("no unit below the map:\n{text}"))..]
}

/// Every shipped situation, with all that can be asked of it beside.
#[test]
fn lines_have_eighty_letters() {
    let mut situations = 0;
    for entry in fs::read_dir(STUDIES).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let asks = text.contains("[[rout]]") || text.contains("\nrout = ");
        if !name.ends_with(".toml") || !asks {
            continue;
        }
        situations += 1;
        let is_big = name == "full-board.toml";
        let mut lines = vec!["", " --plans 0", " --engine monte-carlo --trials 1000"];
        lines.push(if is_big { " --impact i01" } else { " --impact" });
        if !is_big {
            lines.extend([" --turns 2", " --counts units", " --orders"]);
        }
        for line in lines {
            let told = ok(Path::new(STUDIES), &format!("rout {name} --no-map{line}"));
            assert!(long(&told).is_empty(), "rout {name}{line}: {:#?}", long(&told));
        }
        let told = ok(Path::new(STUDIES), &format!("rout {name}"));
        let below = below_the_map(&told);
        assert!(long(below).is_empty(), "rout {name}: {:#?}", long(below));
    }
    assert!(situations > 20, "{situations}");
}

/// A10.531: two of four squads are captured whatever they do, and two come into cover, broken.
#[test]
fn counts_of_a_phase() {
    let ask = |line: &str| ok(Path::new(STUDIES), &format!("rout a10-531.toml --no-map{line}"));
    let told = ask("");
    let counts = &told[told.find("of 4 mmc").unwrap_or_else(|| panic!("no counts:\n{told}"))..];
    assert!(told.find("One after another") < told.find("of 4 mmc"));
    for line in
        ["breaks 0.00 % 0.00 % 100.00 % 0.00 % 0.00 %", "On average breaks 2.00, lost 2.00."]
    {
        assert!(in_a_line(counts).contains(line), "{line} in\n{counts}");
    }
    let alone = ask(" --counts squad-equivalents");
    assert!(alone.contains("of 4 squad-equivalents") && !alone.contains("plan"), "{alone}");

    let csv = Sheet::of_csv(ask(" --counts --format csv").as_bytes());
    let columns = "case,phase,group,class,number,probability,at_least,std_error,ci_low,ci_high,count,trials,fraction";
    assert_eq!(csv.columns.join(","), columns);
    assert_eq!(csv.rows.len(), 4 * 5);
    let json: Value = serde_json::from_str(&ask(" --counts --format json")).unwrap();
    assert!(json["rows"].as_array().unwrap().len() > 4);
    let rows = json["counts"].as_array().unwrap();
    let of_json: Vec<f64> = rows.iter().map(|row| row["probability"].as_f64().unwrap()).collect();
    let of_csv: Vec<f64> = csv.column("probability").iter().map(|cell| cell.number()).collect();
    assert_eq!(of_json, of_csv);
    assert_eq!(json["meta"]["counts"]["group"], "mmc");
    assert_eq!(json["expected"][1]["mean"], 2.0);

    let folder = tempdir().unwrap();
    let parquet = folder.path().join("counts.parquet");
    ask(&format!(" --counts --out {}", parquet.display()));
    assert_eq!(Sheet::of_parquet(&parquet).rows.len(), csv.rows.len());
    let (headings, _) = of_markdown(&ask(" --counts --format markdown"));
    assert_eq!(headings.join(","), "group,class,number,probability,at_least,fraction");
}

/// One unit is counted where somebody asks.
#[test]
fn counts_of_one_unit() {
    let told = ok(Path::new(STUDIES), "rout sk06.toml --no-map");
    assert!(!told.contains("of 1 mmc"), "{told}");
    let told = ok(Path::new(STUDIES), "rout sk06.toml --no-map --counts units");
    assert!(told.contains("of 1 units"), "{told}");
    let told = ok(Path::new(STUDIES), "rout sk06.toml --no-map --counts leaders");
    assert!(told.contains("No unit begins in the group `leaders`."), "{told}");
}

#[test]
fn what_cannot_be_counted() {
    let fault = fails(Path::new(STUDIES), "rout sk06.toml --counts squads", 2);
    assert!(fault.contains("no group of `rout` is called `squads`"), "{fault}");
    for other in ["--explain yZ4", "--impact", "--turns 2", "--orders"] {
        let fault = fails(Path::new(STUDIES), &format!("rout sk06.toml --counts units {other}"), 2);
        let other = other.split(' ').next().unwrap();
        assert!(fault.contains("one Rout Phase") && fault.contains(other), "{fault}");
    }
}
