//! `--joint`: outcomes of all units together. On the screen and in Markdown, outcomes that differ
//! only by swapping like units are merged; the other formats list each unit.

use std::collections::BTreeMap;

use super::shell::{of_markdown, ok};
use serde_json::Value;
use tempfile::tempdir;

fn output(line: &str) -> String {
    ok(tempdir().unwrap().path(), line)
}

/// Number of units of a sort with each status and counter (with ` wounded`).
type UnitEnds = BTreeMap<(String, String), usize>;

/// Parses a cell of the table. A status alone means the counter that units of this sort began with;
/// a wound from the beginning is not repeated.
fn read(cell: &str, began: &str) -> UnitEnds {
    let mut stand = UnitEnds::new();
    for phrase in cell.split(", ").filter(|phrase| !phrase.is_empty()) {
        let (number, words) = match phrase.split_once(' ') {
            Some((number, words)) if number.parse::<usize>().is_ok() => {
                (number.parse().unwrap(), words)
            }
            _ => (1, phrase),
        };
        let same = began.trim_end_matches(" wounded");
        let wound = &began[same.len()..];
        let (words, wound) = match words.strip_suffix(" wounded") {
            Some(words) => (words, " wounded"),
            None => (words, wound),
        };
        let (status, counter) = words.split_once(' ').unwrap_or((words, same));
        let is_gone = ["eliminated", "dispersed"].contains(&status);
        let counter = if is_gone { String::new() } else { format!("{counter}{wound}") };
        *stand.entry((status.to_string(), counter)).or_default() += number;
    }
    stand
}

/// Counts the final states in a row of JSON, for units whose slot passes `of`.
fn ends_of(row: &Value, of: &dyn Fn(u64) -> bool) -> UnitEnds {
    let mut stand = UnitEnds::new();
    for end in row["ends"].as_array().unwrap() {
        if of(end["slot"].as_u64().unwrap()) {
            let mut counter = end["counter"].as_str().unwrap_or_default().to_string();
            if end["wounded"] == true {
                counter += " wounded";
            }
            let status = end["status"].as_str().unwrap().to_string();
            *stand.entry((status, counter)).or_default() += 1;
        }
    }
    stand
}

/// Checks the Markdown table against JSON. `sorts` has heading, counter at the beginning and slots
/// of each sort; higher slots are created units.
fn assert_merged(line: &str, sorts: &[(&str, &str, &[u64])]) {
    let json: Value = serde_json::from_str(&output(&format!("{line} --format json"))).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let point = ["phase", "step"].into_iter().find(|point| rows[0][*point].is_number());
    let last = point.and_then(|point| rows.iter().filter_map(|row| row[point].as_u64()).max());
    let began = |slot: u64| sorts.iter().any(|(_, _, slots)| slots.contains(&slot));
    let mut expected: BTreeMap<Vec<UnitEnds>, f64> = BTreeMap::new();
    let mut are_created = false;
    for row in rows.iter().filter(|row| point.is_none_or(|point| row[point].as_u64() == last)) {
        let of_sort = |(_, _, slots): &(_, _, &[u64])| ends_of(row, &|slot| slots.contains(&slot));
        let mut key: Vec<UnitEnds> = sorts.iter().map(of_sort).collect();
        let created = ends_of(row, &|slot| !began(slot));
        are_created |= !created.is_empty();
        key.push(created);
        *expected.entry(key).or_default() += row["probability"].as_f64().unwrap();
    }
    assert!((expected.values().sum::<f64>() - 1.0).abs() < 1e-9);
    let (headings, lines) = of_markdown(&output(&format!("{line} --format markdown --digits 6")));
    let names: Vec<&str> = sorts.iter().map(|(name, ..)| *name).collect();
    let created = are_created.then_some("created");
    let names: Vec<&str> = names.into_iter().chain(created).collect();
    assert_eq!(headings[..names.len()], names, "{line}");
    let odds = match last {
        None => names.len(),
        Some(_) => headings.iter().rposition(|_| true).unwrap(),
    };
    let mut read_off: BTreeMap<Vec<UnitEnds>, f64> = BTreeMap::new();
    for cells in &lines {
        let mut key: Vec<UnitEnds> =
            cells.iter().zip(sorts).map(|(cell, (_, began, _))| read(cell, began)).collect();
        key.push(created.map_or(UnitEnds::new(), |_| read(&cells[names.len() - 1], "")));
        let share: f64 =
            cells[odds].trim_start_matches("< ").trim_end_matches(" %").parse().unwrap();
        let known = read_off.insert(key, share / 100.0);
        assert_eq!(known, None, "{line}: {cells:?} twice");
    }
    for (key, share) in &expected {
        let actual = read_off.remove(key).unwrap_or_else(|| panic!("{line}: no {key:?}"));
        assert!((actual - share).abs() < 1.01e-8, "{line}: {key:?} {actual} not {share}");
    }
    // An outcome that is possible at an earlier point only has no odds at the last.
    assert!(read_off.values().all(|share| *share == 0.0 && last.is_some()), "{line}");
}

#[test]
fn like_units_are_merged_in_joint_outcomes() {
    for (line, sorts) in [
        ("check '3x german:4-6-7' --mc 1 --joint", &[("3x 4-6-7", "4-6-7", &[1, 2, 3][..])][..]),
        // Like units are merged wherever they stand, and a wound from the beginning is not
        // repeated.
        (
            "fire 'german:4-6-7 + german:9-1 + german:8-0/wounded + german:4-6-7' --fp 8 --joint --no-hob",
            &[("2x 4-6-7", "4-6-7", &[1, 4]), ("9-1", "9-1", &[2]), ("8-0", "8-0 wounded", &[3])],
        ),
        (
            "rally '2x german:4-6-7/dm + german:4-6-7' --phases 2 --joint",
            &[("2x german:4-6-7/broken,dm", "4-6-7", &[1, 2]), ("german:4-6-7", "4-6-7", &[3])],
        ),
        (
            "fortitude fire '2x unit/base=10 + unit/base=10,casualties=1' --casualties 1 --joint",
            &[
                ("2x unit/base=10", "unit/base=10", &[1, 2]),
                ("unit/base=10,casualties=1", "unit/base=10,casualties=1", &[3]),
            ],
        ),
    ] {
        assert_merged(line, sorts);
    }
}
