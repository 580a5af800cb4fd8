//! `board check`, and what `rout` must not overwrite.

use std::fs;
use std::path::Path;

use crate::shell::{assert_fails, folder_with, names, ok};

#[test]
fn situation_file_is_not_overwritten() {
    let text =
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"A1\"\n";
    let folder = folder_with(&[("s.toml", text)]);
    for (line, code, words) in [
        ("--out s.toml", 2, "this would overwrite the situation file"),
        ("--out ./s.toml --format csv", 2, "this would overwrite the situation file"),
        ("--svg ./s.toml", 2, "this command already uses this file"),
        ("--out nowhere/x.csv", 1, "there is no folder `nowhere`"),
        ("--out x.csv --svg ./x.csv", 2, "this command already uses this file"),
    ] {
        assert_fails(folder.path(), &format!("rout s.toml {line}"), code, &[words]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("s.toml")).unwrap(), text);
    assert_eq!(names(folder.path()), ["s.toml"]);
}

#[test]
fn board_check_counts_agreement_with_known_lines() {
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    let table = |rest: &str| -> Vec<Vec<String>> {
        let text = ok(&studies, &format!("board check --hexes board-y.csv --los los-y.csv{rest}"));
        let cells = |line: &str| {
            line.trim()
                .split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_string)
                .collect()
        };
        text.lines().map(cells).collect()
    };
    let rows = table("");
    assert_eq!(
        rows[0],
        ["range", "pairs", "clear", "agreement", "recall", "precision", "same Hindrances"]
    );
    let number = |cell: &str| cell.parse::<u32>().unwrap();
    let sum = |column: usize| rows[3..].iter().map(|row| number(&row[column])).sum::<u32>();
    assert_eq!(
        (rows[1][0].as_str(), number(&rows[1][1]), number(&rows[1][2])),
        ("all", sum(1), sum(2))
    );
    assert_eq!(rows[3], ["1", "134", "134", "100.00 %", "100.00 %", "100.00 %", "100.00 %"]);
    assert!(number(&table(" --edges")[1][1]) > sum(1));
}
