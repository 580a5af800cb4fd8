//! `--joint`: outcomes of all units together, those that differ only by which of alike units is
//! which as one, in words and in Markdown; each unit by itself in the other formats.

use std::collections::BTreeMap;

use super::shell::{of_markdown, ok};
use serde_json::Value;
use tempfile::tempdir;

fn told(line: &str) -> String {
    ok(tempdir().unwrap().path(), line)
}

/// How units of a sort stand: how often each status, with its counter and whether it is wounded.
type Stand = BTreeMap<(String, String), usize>;

/// A cell of the table; a status stands for the counter that units of this sort began with, and a
/// wound that they began with is not told again.
fn read(cell: &str, began: &str) -> Stand {
    let mut stand = Stand::new();
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

/// The same from the rows of JSON, for units in some slots.
fn stands(row: &Value, of: &dyn Fn(u64) -> bool) -> Stand {
    let mut stand = Stand::new();
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

/// The headings, and which slots they are of; slots above are those of created units.
fn assert_together(line: &str, sorts: &[(&str, &str, &[u64])]) {
    let json: Value = serde_json::from_str(&told(&format!("{line} --format json"))).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let point = ["phase", "step"].into_iter().find(|point| rows[0][*point].is_number());
    let last = point.and_then(|point| rows.iter().filter_map(|row| row[point].as_u64()).max());
    let began = |slot: u64| sorts.iter().any(|(_, _, slots)| slots.contains(&slot));
    let mut expected: BTreeMap<Vec<Stand>, f64> = BTreeMap::new();
    let mut are_created = false;
    for row in rows.iter().filter(|row| point.is_none_or(|point| row[point].as_u64() == last)) {
        let of_sort = |(_, _, slots): &(_, _, &[u64])| stands(row, &|slot| slots.contains(&slot));
        let mut key: Vec<Stand> = sorts.iter().map(of_sort).collect();
        let created = stands(row, &|slot| !began(slot));
        are_created |= !created.is_empty();
        key.push(created);
        *expected.entry(key).or_default() += row["probability"].as_f64().unwrap();
    }
    assert!((expected.values().sum::<f64>() - 1.0).abs() < 1e-9);
    let (headings, lines) = of_markdown(&told(&format!("{line} --format markdown --digits 6")));
    let names: Vec<&str> = sorts.iter().map(|(name, ..)| *name).collect();
    let created = are_created.then_some("created");
    let names: Vec<&str> = names.into_iter().chain(created).collect();
    assert_eq!(headings[..names.len()], names, "{line}");
    let odds = match last {
        None => names.len(),
        Some(_) => headings.iter().rposition(|_| true).unwrap(),
    };
    let mut read_off: BTreeMap<Vec<Stand>, f64> = BTreeMap::new();
    for cells in &lines {
        let mut key: Vec<Stand> =
            cells.iter().zip(sorts).map(|(cell, (_, began, _))| read(cell, began)).collect();
        key.push(created.map_or(Stand::new(), |_| read(&cells[names.len() - 1], "")));
        let share: f64 =
            cells[odds].trim_start_matches("< ").trim_end_matches(" %").parse().unwrap();
        let known = read_off.insert(key, share / 100.0);
        assert_eq!(known, None, "{line}: {cells:?} twice");
    }
    for (key, share) in &expected {
        let told = read_off.remove(key).unwrap_or_else(|| panic!("{line}: no {key:?}"));
        assert!((told - share).abs() < 1.01e-8, "{line}: {key:?} {told} not {share}");
    }
    // What can only be at an earlier point has no odds in the end.
    assert!(read_off.values().all(|share| *share == 0.0 && last.is_some()), "{line}");
}

#[test]
fn alike_units_are_told_together() {
    for (line, sorts) in [
        ("check '3x german:4-6-7' --mc 1 --joint", &[("3x 4-6-7", "4-6-7", &[1, 2, 3][..])][..]),
        // What stands apart is put together, and a wound of the start is not told again.
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
        assert_together(line, sorts);
    }
}

/// Of a 1MC a 4-6-7 stays in Good Order by 10 of 36, is pinned by 5, breaks by 15, is Replaced by 5
/// and Reduced by 1: of three one stays and two break by 3 x 10/36 x (15/36)^2 = 14.47 %.
#[test]
fn three_squads_in_words() {
    let text = told("check '3x german:4-6-7' --mc 1 --joint --no-hob");
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
    let all = told("check '3x german:4-6-7' --mc 1 --joint --no-hob --all");
    assert_eq!(all.lines().filter(|line| line.contains(" % (")).count(), 35);
}

/// A 9-1 stays in Good Order by 21 of 36 and helps: one squad stays by 15, one breaks by 12.
#[test]
fn a_leader_and_two_squads_in_words() {
    let text = told("check 'german:9-1 + 2x german:4-6-7' --mc 1 --joint --no-hob");
    let lines = "1MC of german:9-1 + 2x german:4-6-7, ELR 3\n\n\
        probability           9-1         2x 4-6-7\n\
        16.20 % (35/216)      good-order  1 good-order, 1 broken\n\
        10.13 % (175/1728)    good-order  2 good-order\n";
    assert!(text.starts_with(lines), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// Each of three tests on 9 of 20. Long counters go on below.
#[test]
fn a_stack_of_fortitude_in_words() {
    let text = told("fortitude fire '3x ashigaru-archers' --casualties 1 --joint");
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

/// Created units have a column of their own, and estimates the error of what is told together.
#[test]
fn created_units_and_estimates() {
    let line = "rally '2x german:4-6-7/dm + german:4-6-7' --phases 2 --joint";
    let text = told(line);
    assert!(
        text.contains("2x german:4-6-7/broken,dm   german:4-6-7  created\n")
            && text.contains("2 rallied                   good-order    good-order 8-0\n"),
        "{text}"
    );
    let text = told(&format!("{line} --engine monte-carlo --trials 10000"));
    assert!(text.contains("95 % intervals of single outcomes are at most +- 0.4"), "{text}");
    let counted = told("check '2x german:4-6-7' --mc 1 --joint --counts --format markdown");
    assert!(of_markdown(&counted).0.contains(&"class".to_string()), "{counted}");
}
