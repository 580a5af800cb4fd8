//! Tests of the output of `rout` on a screen of 80 columns, and its counts of several units.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, fails, in_a_line, lowcrawl, of_markdown, ok};
use serde_json::Value;
use tempfile::tempdir;

const STUDIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/rout");

/// Returns the lines of a text that are too long for a screen.
fn long(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > 80).collect()
}

/// Returns the text below the map, up to the first line that begins with the mark of a unit.
fn below_the_map(text: &str) -> &str {
    let begin = text.find("\n\nU1 ").or_else(|| text.find("\n\nu1 "));
    &text[begin.unwrap_or_else(|| panic!("no unit below the map:\n{text}"))..]
}

/// Every shipped situation fits the screen, with every additional output that can be asked for.
#[test]
fn lines_fit_eighty_columns() {
    let mut situations = 0;
    for entry in fs::read_dir(STUDIES).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let is_situation = text.contains("[[rout]]") || text.contains("\nrout = ");
        if !name.ends_with(".toml") || !is_situation {
            continue;
        }
        situations += 1;
        let is_big = name == "full-board.toml";
        let mut lines = vec!["", " --all", " --plans 0", " --engine monte-carlo --trials 1000"];
        lines.push(if is_big { " --impact i01" } else { " --impact" });
        if !is_big {
            lines.extend([" --turns 2", " --counts units", " --orders"]);
        }
        for line in lines {
            let output = ok(Path::new(STUDIES), &format!("rout {name}{line}"));
            assert!(long(&output).is_empty(), "rout {name}{line}: {:#?}", long(&output));
            let most = if text.matches("[[rout]]").count() == 1 { 12 } else { 16 };
            let is_first = line.is_empty() || line.starts_with(" --engine");
            assert!(!is_first || output.lines().count() <= most, "rout {name}{line}:\n{output}");
        }
        let output = ok(Path::new(STUDIES), &format!("rout {name} --all --map"));
        let below = below_the_map(&output);
        assert!(long(below).is_empty(), "rout {name}: {:#?}", long(below));
    }
    assert!(situations > 20, "{situations}");
}

/// A10.531: two of four squads are always captured, and two come into cover broken.
#[test]
fn counts_of_a_phase_agree_in_every_format() {
    let run = |line: &str| ok(Path::new(STUDIES), &format!("rout a10-531.toml{line}"));
    let output = run(" --all");
    let counts =
        &output[output.find("of 4 MMC").unwrap_or_else(|| panic!("no counts:\n{output}"))..];
    assert!(output.find("One after another") < output.find("of 4 MMC"));
    for line in
        ["breaks 0.00 % 0.00 % 100.00 % 0.00 % 0.00 %", "On average breaks 2.00, lost 2.00."]
    {
        assert!(in_a_line(counts).contains(line), "{line} in\n{counts}");
    }
    let alone = run(" --all --counts squad-equivalents");
    assert!(alone.contains("of 4 squad-equivalents") && !alone.contains("plan"), "{alone}");

    let csv = Sheet::of_csv(run(" --counts --format csv").as_bytes());
    let columns = "case,phase,group,class,number,probability,at_least,std_error,ci_low,ci_high,count,trials,fraction,error_bound";
    assert_eq!(csv.columns.join(","), columns);
    assert_eq!(csv.rows.len(), 4 * 5);
    let json: Value = serde_json::from_str(&run(" --counts --format json")).unwrap();
    assert!(json["rows"].as_array().unwrap().len() > 4);
    let rows = json["counts"].as_array().unwrap();
    let of_json: Vec<f64> = rows.iter().map(|row| row["probability"].as_f64().unwrap()).collect();
    let of_csv: Vec<f64> = csv.column("probability").iter().map(|cell| cell.number()).collect();
    assert_eq!(of_json, of_csv);
    assert_eq!(json["meta"]["counts"]["group"], "mmc");
    assert_eq!(json["expected"][1]["mean"], 2.0);

    let folder = tempdir().unwrap();
    let parquet = folder.path().join("counts.parquet");
    run(&format!(" --counts --out {}", parquet.display()));
    assert_eq!(Sheet::of_parquet(&parquet).rows.len(), csv.rows.len());
    let (headings, _) = of_markdown(&run(" --counts --format markdown"));
    assert_eq!(headings.join(","), "group,class,number,probability,at_least,fraction");
}

#[test]
fn single_unit_is_counted_only_on_request() {
    let output = ok(Path::new(STUDIES), "rout sk06.toml");
    assert!(!output.contains("of 1 MMC"), "{output}");
    let output = ok(Path::new(STUDIES), "rout sk06.toml --counts units");
    assert!(output.contains("of 1 units"), "{output}");
    let output = ok(Path::new(STUDIES), "rout sk06.toml --counts leaders");
    assert!(output.contains("No unit begins in the group `leaders`."), "{output}");
}

#[test]
fn invalid_counts_are_refused() {
    let fault = fails(Path::new(STUDIES), "rout sk06.toml --counts squads", 2);
    assert!(fault.contains("no group of `rout` is called `squads`"), "{fault}");
    for option in ["--explain yZ4", "--impact", "--turns 2", "--orders"] {
        let fault =
            fails(Path::new(STUDIES), &format!("rout sk06.toml --counts units {option}"), 2);
        let name = option.split(' ').next().unwrap();
        assert!(fault.contains("one Rout Phase") && fault.contains(name), "{fault}");
    }
}

/// Returns a map for [`only_an_interdicted_entry_is_marked`] with these contents of B3.
fn with_cover_in_b3(hexes: &str, works: &str) -> String {
    format!(
        "[map]\narea = \"A1-F4\"\nterrain = \"open-ground\"\nhexes = {{ woods = [\"A4\"]{hexes} }}\n{works}\n\
         [[rout]]\nunit = \"german:4-6-7/broken\"\nat = \"C3\"\n[[enemy]]\nunit = \"russian:4-4-7\"\nat = \"F2\"\n"
    )
}

/// B2.4, B27.41, B30.41: a unit that pays for shellholes, a foxhole or a trench as it enters is not
/// in the open.
/// So (A10.531) no mark of Interdiction is on its route.
#[test]
fn only_an_interdicted_entry_is_marked() {
    for (hexes, works, mf, is_interdicted) in [
        (", shellholes = [\"B3\"]", "", 4.0, false),
        ("", "foxholes = [\"B3\"]", 5.0, false),
        ("", "trenches = [\"B3\"]", 5.0, false),
        ("", "", 3.0, true),
    ] {
        let case = format!("{hexes}{works}");
        let folder = tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("b3.toml"), with_cover_in_b3(hexes, works)).unwrap();
        let csv = Sheet::of_csv(ok(path, "rout b3.toml --format csv").as_bytes());
        let json: Value = serde_json::from_str(&ok(path, "rout b3.toml --format json")).unwrap();
        let rows = || json["rows"].as_array().unwrap().iter().zip(&csv.rows);
        let to_woods = |row: &Value| row["plan"] == "run to A4" && row["route"] == "B3 A4";
        let mut runs = rows().filter(|(row, _)| to_woods(row)).peekable();
        assert!(runs.peek().is_some(), "{case}: {json:#}");
        for (row, cells) in runs {
            let marks = if is_interdicted { 1.0 } else { 0.0 };
            assert_eq!((row["mf"].as_f64(), row["interdicted"].as_f64()), (Some(mf), Some(marks)));
            let column = csv.columns.iter().position(|column| column == "interdicted").unwrap();
            assert_eq!(cells[column], Cell::Number(marks), "{case}");
            // Without an Interdiction nothing is rolled.
            assert_eq!(row["probability"] == 1.0, !is_interdicted, "{case}: {row}");
        }
        // The hexes of possible Interdiction are reported before a plan is made.
        assert_eq!(json["units"][0]["interdicted"]["B3"], serde_json::json!(["F2"]), "{case}");

        let text = ok(path, "rout b3.toml --all --map");
        assert_eq!(text.contains("B3! A4"), is_interdicted, "{case}: {text}");
        assert_eq!(text.contains("! Interdicted there (A10.53)"), is_interdicted, "{case}: {text}");
        assert_eq!(text.contains("!1"), is_interdicted, "{case}: {text}");
        let swept = text.lines().find(|line| line.starts_with("! Interdicted by E1:")).unwrap();
        assert_eq!(swept.contains(" B3"), is_interdicted, "{case}: {swept}");
        assert!(lowcrawl(path, "rout b3.toml --svg b3.svg").output().unwrap().status.success());
        let drawn = fs::read_to_string(path.join("b3.svg")).unwrap();
        let map = drawn.split("<g class='names'>").next().unwrap();
        let hatched = map.matches("<polygon class='interdicted'").count();
        assert_eq!(hatched, swept.split_once(": ").unwrap().1.split(' ').count(), "{case}");
        assert_eq!(map.contains("<path class='sight strong'"), is_interdicted, "{case}");
    }
}

/// A10.533: a unit thrown back and forth enters two hexes twice, and each entry is marked.
#[test]
fn repeated_entries_are_each_marked() {
    let run = |line: &str| ok(Path::new(STUDIES), &format!("rout a10-533-nearest.toml {line}"));
    let output = in_a_line(&run("--all"));
    assert!(output.contains("run to 1J4 1I5! 1I4! 4 43.73 %"), "{output}");
    assert!(
        output.contains("56.27 % 1I5! 1I4! run to 1J4, on"),
        "the second line of a route: {output}"
    );
    let csv = Sheet::of_csv(run("--format csv").as_bytes());
    let route = csv.column("route").iter().position(|cell| *cell == Cell::of("1I5 1I4 1I5 1I4"));
    assert_eq!(csv.column("interdicted")[route.unwrap()], Cell::Number(4.0));
}
