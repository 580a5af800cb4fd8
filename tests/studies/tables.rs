//! Tables of studies: the place of each number on the screen and in Markdown, with the figures of
//! the CSV.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::{
    Cell, Sheet, assert_fails, folder_with, in_a_line, in_percent, names, of_markdown, ok,
    parquet_meta,
};
use tempfile::tempdir;

const BASE: &str = "question = \"rally\"\nabout = \"Which leader?\"\n";
const GRID: &str = "[base]\nstack = \"german:4-6-7\"\n[grid]\nleader = [\"none\", \"8-0\", \"9-1\"]\ndm = [false, true]\nphases = { from = 1, to = 2 }\n";

fn run(folder: &Path) -> String {
    ok(folder, "study run study.toml")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("output/study").join(name)).unwrap()
}

/// Returns the table of a screen, without the text above and below.
fn table(shown: &str) -> String {
    shown.split(":\n\n").nth(1).unwrap().split("\n\n").next().unwrap().to_string()
}

/// Returns the odds that the unit is rallied after the last phase, by the swept values, from the
/// CSV.
fn rallied(folder: &Path) -> BTreeMap<Vec<String>, f64> {
    let sheet = Sheet::of_csv(read(folder, "study.csv").as_bytes());
    let mut odds = BTreeMap::new();
    for row in &sheet.rows {
        let cell = |name: &str| &row[sheet.columns.iter().position(|known| known == name).unwrap()];
        let key: Vec<String> = row[..3].iter().map(|cell| format!("{cell:?}")).collect();
        let sum: &mut f64 = odds.entry(key).or_default();
        if cell("phase") == cell("phases") && *cell("status") == Cell::of("rallied") {
            *sum += cell("probability").number();
        }
    }
    odds
}

#[test]
fn study_prints_the_requested_table() {
    let folder = folder_with(&[(
        "study.toml",
        &format!("{BASE}rows = \"leader\"\ncolumns = \"dm\"\n{GRID}"),
    )]);
    let shown = run(folder.path());
    let expected = "\
Which leader?

How often the unit is rallied after the last phase:

phases 1:
leader  dm false  dm true
none     41.67 %   2.78 %
8-0      57.18 %   7.18 %
9-1      71.06 %  15.51 %

phases 2:
leader  dm false  dm true
none     41.67 %   2.78 %
8-0      80.67 %  59.26 %
9-1      90.58 %  74.51 %

12 cells (all exact), ";
    assert!(shown.starts_with(expected), "{shown}");
    let files = "output/study/study.csv, output/study/study.md and manifest.json";
    assert!(in_a_line(&shown).contains(files), "{shown}");
    let page = read(folder.path(), "study.md");
    let caption = "**rally of stack german:4-6-7, over leader none, 8-0, 9-1; dm false, true; phases 1, 2.** 12 cells (all exact); \
                   profile asl-v3, Heat of Battle on.";
    assert!(page.lines().any(|line| line == caption), "{page}");
    // Each value of a field that is neither in rows nor in columns has a table of its own, below
    // its name.
    let parts: Vec<&str> = page.split("**phases ").skip(1).collect();
    let odds = rallied(folder.path());
    assert_eq!((parts.len(), odds.len()), (2, 12));
    for (part, phases) in parts.iter().zip(1..) {
        let (headings, rows) = of_markdown(part);
        assert_eq!(headings, ["leader", "dm false", "dm true"]);
        for row in rows {
            for (column, dm) in [(1, "false"), (2, "true")] {
                let key =
                    [&row[0], dm, &phases.to_string()].map(|word| format!("{:?}", Cell::of(word)));
                assert_eq!(row[column], in_percent(odds[&key.to_vec()], None), "{row:?}");
            }
        }
    }
    // A finished study prints its table again.
    let again = run(folder.path());
    assert!(again.starts_with(&page) && again.contains("All 12 cells are complete"), "{again}");
}

#[test]
fn fields_are_averaged_on_request_only() {
    let folder = folder_with(&[(
        "study.toml",
        &format!("{BASE}rows = \"leader\"\naverage = [\"dm\", \"phases\"]\n{GRID}"),
    )]);
    let shown = table(&run(folder.path()));
    let odds = rallied(folder.path());
    for leader in ["none", "8-0", "9-1"] {
        let own = odds.iter().filter(|(key, _)| key[0] == format!("{:?}", Cell::of(leader)));
        let mean = own.map(|(_, odds)| odds).sum::<f64>() / 4.0;
        let line = shown.lines().find(|line| line.starts_with(leader)).unwrap();
        assert!(line.ends_with(&in_percent(mean, None)), "{line}: {mean}");
    }
    assert_eq!(shown.lines().count(), 4, "{shown}");
    let all = folder_with(&[("study.toml", &format!("{BASE}columns = \"phases\"\n{GRID}"))]);
    let shown = table(&run(all.path()));
    assert!(shown.starts_with("leader  dm     phases 1  phases 2\n"), "{shown}");
    assert_eq!(shown.lines().count(), 7, "{shown}");
    // Without a table, the screen is the usual one and no Markdown is written.
    let plain = folder_with(&[("study.toml", &format!("{BASE}{GRID}"))]);
    assert!(in_a_line(&run(plain.path())).contains("over the cells of each value"));
    let written = names(&plain.path().join("output/study"));
    assert_eq!(written, ["manifest.json", "study.csv", "study.parquet"]);
}

#[test]
fn grid_accepts_lists_of_the_command_line() {
    let typed = GRID
        .replace("[\"none\", \"8-0\", \"9-1\"]", "\"none,8-0,9-1\"")
        .replace("[false, true]", "\"false, true\"")
        .replace("{ from = 1, to = 2 }", "\"1..2\"");
    assert_ne!(typed, GRID);
    let folder = folder_with(&[("study.toml", &format!("{BASE}{GRID}"))]);
    run(folder.path());
    fs::write(folder.path().join("study.toml"), format!("{BASE}{typed}")).unwrap();
    assert!(run(folder.path()).starts_with("All 12 cells are complete"));
    let line =
        "rally german:4-6-7 --leader none,8-0,9-1 --dm=false,true --phases 1..2 --format csv";
    assert_eq!(ok(folder.path(), line), read(folder.path(), "study.csv"));
    // Lists may contain ranges, and `none` is a value.
    let orders = "question = \"recover\"\nsystem = \"fortitude\"\n[base]\nunits = \"unit/base=10,shaken\"\n[grid]\nturns = \"1,3..4\"\n";
    let orders = folder_with(&[("study.toml", orders)]);
    run(orders.path());
    let turns = Sheet::of_csv(read(orders.path(), "study.csv").as_bytes()).column("turns");
    assert!([1.0, 3.0, 4.0].iter().all(|turn| turns.contains(&Cell::Number(*turn))), "{turns:?}");
    let none = folder_with(&[(
        "study.toml",
        "question = \"check\"\n[base]\nstack = \"german:4-6-7\"\nmc = 1\n[grid]\nenemy = [\"none\", \"russian\"]\n",
    )]);
    run(none.path());
    assert!(read(none.path(), "study.csv").contains("\nnone,1,"));
}

/// Joint rows are shown unit by unit. Campaigns show the best first choice, its value or its
/// margin, and routs the best plan.
#[test]
fn every_kind_of_study_has_a_table() {
    let check = |more: &str| {
        format!(
            "question = \"check\"\nrows = \"mc\"\n[base]\nstack = \"9-1 + 2x german:4-6-7\"\n{more}[grid]\nmc = \"0..2\"\n"
        )
    };
    let [joint, apart] =
        ["joint = true\n", ""].map(|more| folder_with(&[("study.toml", &check(more))]));
    assert_eq!(table(&run(joint.path())), table(&run(apart.path())));

    let campaign = |tell: &str| {
        format!(
            "question = \"campaign\"\nobjective = \"good-order\"\n{tell}columns = \"fp\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\ncover = \"woods\"\nopen = 3\ninterdicted = 1\nturns = 2\n[grid]\nleader = \"none,8-1\"\nfp = \"2,20\"\n"
        )
    };
    let folder = folder_with(&[("study.toml", &campaign(""))]);
    let shown = run(folder.path());
    assert!(shown.contains("The best first choice for P(Good Order at the end):\n\n"), "{shown}");
    let sheet = Sheet::of_csv(read(folder.path(), "study.csv").as_bytes());
    // The best choice comes first in each cell.
    let mut best: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
    for row in &sheet.rows {
        best.entry(format!("{:?}", row[2])).or_insert(row.clone());
    }
    for (tell, column) in [("", 3), ("tell = \"value\"\n", 4), ("tell = \"margin\"\n", 5)] {
        let folder = folder_with(&[("study.toml", &campaign(tell))]);
        run(folder.path());
        let (headings, rows) = of_markdown(&read(folder.path(), "study.md"));
        assert_eq!(headings, ["leader", "fp 2", "fp 20"]);
        let output: Vec<&String> = rows.iter().flat_map(|row| &row[1..]).collect();
        let expected = best.values().map(|row| match &row[column] {
            Cell::Number(number) if column == 4 => in_percent(*number, None),
            Cell::Number(number) => format!("{:+.2} points", 100.0 * number),
            Cell::Text(text) => text.clone(),
            Cell::Null => String::new(),
        });
        assert_eq!(output, expected.collect::<Vec<_>>().iter().collect::<Vec<_>>(), "{tell}");
    }

    let folder = tempdir().unwrap();
    ok(folder.path(), "new studies --out studies");
    let text = fs::read_to_string(folder.path().join("studies/anywhere.toml")).unwrap();
    let text =
        text.replacen("question", "rows = \"rout.1.at\"\ncolumns = \"enemy.1.at\"\nquestion", 1);
    fs::write(folder.path().join("studies/study.toml"), text).unwrap();
    let shown = ok(folder.path(), "study run studies/study.toml");
    // A long table says how many lines are left, and where they are.
    assert!(shown.contains("\n(306 more lines are in output/study/study.md)\n"), "{shown}");
    let (headings, rows) = of_markdown(&read(folder.path(), "study.md"));
    assert_eq!((headings.len(), rows.len()), (7, 346));
    let sheet = Sheet::of_csv(read(folder.path(), "study.csv").as_bytes());
    let odds = |hex: &str, enemy: &str| -> f64 {
        let [at, by, safe, status] =
            ["rout.1.at", "enemy.1.at", "in_cover", "status"].map(|name| sheet.column(name));
        let odds = sheet.column("probability");
        (0..sheet.rows.len())
            .filter(|row| at[*row] == Cell::of(hex) && by[*row] == Cell::of(enemy))
            .filter(|row| safe[*row] == Cell::of("true") && status[*row] != Cell::of("captured"))
            .map(|row| odds[row].number())
            .sum()
    };
    for row in rows.iter().step_by(25) {
        for (column, heading) in headings.iter().enumerate().skip(1) {
            let enemy = heading.strip_prefix("enemy.1.at ").unwrap();
            assert_eq!(row[column], in_percent(odds(&row[0], enemy), None), "{row:?} {enemy}");
        }
    }
}

/// `tell` selects another number, equal to that of the same lists on the command line.
#[test]
fn tell_key_selects_another_number() {
    let text = "question = \"check\"\ntell = \"mmc holds >= 2\"\n[base]\nmc = 1\n[grid]\nstack = [\"2x german:4-6-7\", \"3x german:4-6-7\"]\nelr = \"2..3\"\n";
    let folder = folder_with(&[("study.toml", text)]);
    let shown = run(folder.path());
    assert!(
        shown.starts_with("P(mmc holds >= 2):\n\nstack              elr 2    elr 3\n"),
        "{shown}"
    );
    let line =
        "check '2x german:4-6-7' '3x german:4-6-7' --elr 2..3 --mc 1 --tell 'mmc holds >= 2'";
    let listed = of_markdown(&ok(folder.path(), &format!("{line} --format markdown")));
    assert_eq!(of_markdown(&read(folder.path(), "study.md")), listed);
    // Another number is another run.
    fs::write(folder.path().join("study.toml"), text.replace(">= 2", ">= 1")).unwrap();
    assert_fails(folder.path(), "study run study.toml", 2, &["the questions differ"]);
    let late = text.replace("holds >= 2", "holds >= 2 @ 2");
    let late = folder_with(&[("study.toml", &late)]);
    let parts = ["study.toml:2:8", "results only at its end"];
    assert_fails(late.path(), "study run study.toml", 2, &parts);
}

#[test]
fn estimates_in_a_table_have_their_error() {
    let run_by = "[run]\nengine = \"monte-carlo\"\ntrials = 1000\n";
    let folder = folder_with(&[(
        "study.toml",
        &format!("{BASE}rows = \"leader\"\ncolumns = \"dm\"\n{GRID}{run_by}"),
    )]);
    let shown = run(folder.path());
    assert!(shown.contains("\n95 % intervals are at most +- 3.0"), "{shown}");
    let page = read(folder.path(), "study.md");
    assert!(page.contains(" 95 % intervals are at most +- 3.0"), "{page}");
    let odds = rallied(folder.path());
    let first = &of_markdown(&page).1[0][1];
    let key = ["none", "false", "1"].map(|word| format!("{:?}", Cell::of(word)));
    assert_eq!(*first, in_percent(odds[&key.to_vec()], None));
}

/// Equal studies give equal bytes for any name, folder and spelling of the study file. Its name,
/// command and text are in the manifest only.
#[test]
fn renamed_study_has_the_same_results() {
    let text = format!("{BASE}rows = \"leader\"\n[chart]\n{GRID}")
        .replace("\"rally\"\n", "\"rally\"\ncounts = \"mmc\"\n");
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("deep")).unwrap();
    fs::write(folder.path().join("study.toml"), &text).unwrap();
    fs::write(folder.path().join("deep/other.toml"), format!("# Once more\n{text}")).unwrap();
    ok(folder.path(), "study run study.toml --out one");
    ok(folder.path(), "study run deep/other.toml --out other --threads 1");
    ok(folder.path(), "study plan deep/other.toml --shards 1 --out plan.json");
    ok(folder.path(), "study run plan.json --shard 0");
    ok(folder.path(), "study merge plan.json --out merged");
    let endings = ["-counts.csv", "-counts.parquet", ".csv", ".md", ".parquet", ".svg"];
    assert_eq!(names(&folder.path().join("one")).len(), endings.len() + 1);
    for ending in endings {
        let bytes = |name: &str| fs::read(folder.path().join(format!("{name}{ending}"))).unwrap();
        let one = bytes("one/study");
        assert!(one == bytes("other/other") && one == bytes("merged/other"), "{ending}");
        let says = |words: &str| one.windows(words.len()).any(|part| part == words.as_bytes());
        assert!(!says("study run") && !says("study.toml"), "{ending}");
    }
    let meta = parquet_meta(&folder.path().join("one/study.parquet"));
    let keys: Vec<&str> = meta.keys().map(String::as_str).collect();
    assert!(["name", "command", "study"].iter().all(|key| !keys.contains(key)), "{keys:?}");
    let manifest = fs::read_to_string(folder.path().join("one/manifest.json")).unwrap();
    assert!(manifest.contains("\"command\": \"lowcrawl study run study.toml\""), "{manifest}");
}
