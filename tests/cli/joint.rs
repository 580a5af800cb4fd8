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

/// Of a 1MC a 4-6-7 stays in Good Order by 10 of 36, is pinned by 5, breaks by 15, is Replaced by 5
/// and Reduced by 1: of three one stays and two break by 3 x 10/36 x (15/36)^2 = 14.47 %.
#[test]
fn three_squads_print_merged_outcomes() {
    let text = output("check '3x german:4-6-7' --mc 1 --joint --no-hob");
    let lines = "1MC of 3x german:4-6-7, ELR 3\n\n\
        probability        3x 4-6-7\n\
        14.47 % (125/864)  2 broken, 1 good-order\n\
        9.65 % (125/1296)  1 good-order, 1 pinned, 1 broken\n\
        9.65 % (125/1296)  1 good-order, 1 broken, 1 broken 4-4-7\n\
        9.65 % (125/1296)  2 good-order, 1 broken\n";
    assert!(text.starts_with(lines), "{text}");
    let rest = "\nand 15 further outcomes, together 4.94 %; `--all` prints them\n";
    assert!(text.contains(rest), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" % (")).count(), 20);
    let all = output("check '3x german:4-6-7' --mc 1 --joint --no-hob --all");
    assert_eq!(all.lines().filter(|line| line.contains(" % (")).count(), 35);
}

/// A 9-1 stays in Good Order by 21 of 36 and helps: one squad stays by 15, one breaks by 12.
#[test]
fn leader_and_two_squads_get_separate_columns() {
    let text = output("check 'german:9-1 + 2x german:4-6-7' --mc 1 --joint --no-hob");
    let lines = "1MC of german:9-1 + 2x german:4-6-7, ELR 3\n\n\
        probability           9-1         2x 4-6-7\n\
        16.20 % (35/216)      good-order  1 good-order, 1 broken\n\
        10.13 % (175/1728)    good-order  2 good-order\n";
    assert!(text.starts_with(lines), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// Each of three units passes its test with 9 of 20. Long cells continue on the next line.
#[test]
fn fortitude_stack_prints_merged_outcomes() {
    let text = output("fortitude fire '3x ashigaru-archers' --casualties 1 --joint");
    let table = "After turn 1:\n\
        probability          3x ashigaru-archers\n\
        40.84 % (3267/8000)  2 hesitant ashigaru-archers/casualties=1, 1 normal\n                     \
        ashigaru-archers/casualties=1\n\
        33.41 % (2673/8000)  2 normal ashigaru-archers/casualties=1, 1 hesitant\n                     \
        ashigaru-archers/casualties=1\n\
        16.64 % (1331/8000)  3 hesitant ashigaru-archers/casualties=1\n\
        9.11 % (729/8000)    3 normal ashigaru-archers/casualties=1\n";
    assert!(text.contains(table), "{text}");
}

/// Created units have a column of their own, and estimates the error of merged outcomes.
#[test]
fn created_units_get_a_column_and_estimates_an_error() {
    let line = "rally '2x german:4-6-7/dm + german:4-6-7' --phases 2 --joint";
    let text = output(line);
    assert!(
        text.contains("2x german:4-6-7/broken,dm   german:4-6-7  created\n")
            && text.contains("2 rallied                   good-order    good-order 8-0\n"),
        "{text}"
    );
    let text = output(&format!("{line} --engine monte-carlo --trials 10000"));
    assert!(text.contains("95 % intervals of single outcomes are at most +- 0.4"), "{text}");
    let counted = output("check '2x german:4-6-7' --mc 1 --joint --counts --format markdown");
    assert!(of_markdown(&counted).0.contains(&"class".to_string()), "{counted}");
}
