//! Lists in place of values: they make a study of a question. Each cell equals a single question.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::shell::{
    Cell, Sheet, csv, folder_with, in_percent, json, of_markdown, ok, parquet_meta,
};
use lowcrawl::api::games;
use lowcrawl::schema::ChoiceMaker;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const TURNS: &str = "stack = \"german:8-1 + german:4-6-7\"\nno-hob = true\n[[step]]\ndo = \"fire\"\nfp = 4\n[[step]]\ndo = \"rally\"\nif = \"broken\"\n";

fn folder() -> TempDir {
    let folder = folder_with(&[("turns.toml", TURNS)]);
    for file in ["fortitude/melee.toml", "reaction/exchange.toml"] {
        let text = ok(folder.path(), &format!("new studies/{file}"));
        fs::write(folder.path().join(file.rsplit('/').next().unwrap()), text).unwrap();
    }
    folder
}

/// For every kind of every game: a question without the swept fields, the lists, and the options of
/// each cell. With the question `*`, the list stands for the subject.
const QUESTIONS: [(&str, &str, &str, &[&str]); 31] = [
    ("sniper", "*", "--san 3,4", &["--san 3", "--san 4"]),
    (
        "conceal",
        "german:4-6-7",
        "--terrain woods,building",
        &["--terrain woods", "--terrain building"],
    ),
    (
        "platoon",
        "german:4-6-7 --fp 4 --turns 2 --terrain woods",
        "--elr 2,3",
        &["--elr 2", "--elr 3"],
    ),
    (
        "firefight",
        "german:4-6-7 --against russian:4-4-7 --turns 2 --terrain woods --their-terrain woods",
        "--range 3..4",
        &["--range 3", "--range 4"],
    ),
    (
        "cross",
        "russian:4-4-7 --path open --defender 'G: german:4-6-7 @ 3' --no-hob",
        "--move assault,non-assault",
        &["--move assault", "--move non-assault"],
    ),
    (
        "cc",
        "german:4-6-7 --against russian:4-4-7",
        "--terrain open,building",
        &["--terrain open", "--terrain building"],
    ),
    ("turn", "russian:4-4-7 --attack 'prep 3: german:4-6-7'", "--elr 2,3", &["--elr 2", "--elr 3"]),
    ("fire", "german:4-6-7 --no-hob", "--fp 4..12/4", &["--fp 4", "--fp 8", "--fp 12"]),
    (
        "fire",
        "'german:8-1 + german:4-6-7' --no-hob --fp 8",
        "--inexperienced=false,true --drm -1,2",
        &["--drm -1", "--drm 2", "--inexperienced --drm -1", "--inexperienced --drm 2"],
    ),
    ("check", "'german:8-1 + german:4-6-7'", "--mc 0..2", &["--mc 0", "--mc 1", "--mc 2"]),
    ("check", "german:4-6-7 --mc 1", "--no-hob=false,true", &["", "--no-hob"]),
    ("check", "german:4-6-7 --mc 1", "--enemy none,russian", &["", "--enemy russian"]),
    (
        "check",
        "german:4-6-7 --mc 1 --no-hob",
        "--set i05=default,alternative",
        &["--set i05=default", "--set i05=alternative"],
    ),
    (
        "rally",
        "german:4-6-7/dm --phases 2",
        "--leader none,8-1 --terrain open,woods",
        &[
            "--terrain open",
            "--terrain woods",
            "--leader 8-1 --terrain open",
            "--leader 8-1 --terrain woods",
        ],
    ),
    (
        "rally",
        "german:4-6-7 --no-hob",
        "--leader 8-1/wounded,heroic --leader 9-1",
        &["--leader 8-1/wounded,heroic", "--leader 9-1"],
    ),
    (
        "rally",
        "german:4-6-7 --phases 1",
        "--own-rph odd,never",
        &["--own-rph odd", "--own-rph never"],
    ),
    ("interdict", "german:4-6-7 --no-hob", "--hexes 1..2", &["--hexes 1", "--hexes 2"]),
    ("sequence", "turns.toml", "--elr 2,4", &["--elr 2", "--elr 4"]),
    ("sequence", "turns.toml", "--no-hob=true,false", &["--no-hob", "--no-hob=false"]),
    ("fortitude test", "unit/base=10", "--cause flank,rear", &["--cause flank", "--cause rear"]),
    ("fortitude recover", "unit/base=10,shaken", "--turns 1..2", &["--turns 1", "--turns 2"]),
    (
        "fortitude fire",
        "unit/base=10,models=5 --casualties 1",
        "--attacks 1,2",
        &["--attacks 1", "--attacks 2"],
    ),
    (
        "fortitude assault",
        "unit/base=10,models=5 --dice 5 --value 8",
        "--sides flank,rear --sides front,front",
        &["--sides flank,rear", "--sides front,front"],
    ),
    ("fortitude sequence", "melee.toml", "--staff-lost=false,true", &["", "--staff-lost"]),
    ("reaction volley", "panzer-iv", "--dice 6,8", &["--dice 6", "--dice 8"]),
    ("reaction volleys", "panzer-iv --dice 6", "--volleys 1..2", &["--volleys 1", "--volleys 2"]),
    ("reaction rally", "panzer-iv/dp=2", "--orders 0..1", &["--orders 0", "--orders 1"]),
    ("reaction command", "*", "3..4", &["3", "4"]),
    ("reaction morale", "6", "--dispersals 2,3", &["--dispersals 2", "--dispersals 3"]),
    ("reaction check", "3", "--staff-order=false,true", &["", "--staff-order"]),
    ("reaction move", "panzer-iv", "--dice 1..3", &["--dice 1", "--dice 2", "--dice 3"]),
];

#[test]
fn every_kind_accepts_lists() {
    let folder = folder();
    let mut tested = BTreeSet::from(["reaction sequence".to_string()]);
    let sequence = ("reaction sequence", "exchange.toml --trials 500 --engine monte-carlo");
    let lists = "--own-morale 1..2";
    assert_like_single(folder.path(), sequence, lists, &["--own-morale 1", "--own-morale 2"]);
    for (kind, question, lists, singles) in QUESTIONS {
        tested.insert(kind.to_string());
        assert_like_single(folder.path(), (kind, question), lists, singles);
    }
    let registry = games();
    let all = registry.games().iter().flat_map(|game| {
        let name = if game.name() == "asl" { String::new() } else { format!("{} ", game.name()) };
        let kinds = game.kinds().iter().filter(|kind| kind.play != ChoiceMaker::Best);
        kinds.map(|kind| format!("{name}{}", kind.name)).collect::<Vec<_>>()
    });
    assert_eq!(tested, all.collect());
}

/// Checks that lists give the answers of their single questions.
fn assert_like_single(
    folder: &Path,
    (kind, question): (&str, &str),
    lists: &str,
    singles: &[&str],
) {
    let line = |options: &str| match question {
        "*" => format!("{kind} {options}"),
        _ => format!("{kind} {question} {options}"),
    };
    let all = csv(folder, &line(lists));
    let case = all.columns.iter().position(|name| name == "case").unwrap();
    assert!(case > 0, "{:?}", all.columns);
    let mut rows = all.rows.iter();
    let mut cells: BTreeSet<String> = BTreeSet::new();
    for (number, single) in (1..).zip(singles) {
        let alone = csv(folder, &line(single));
        assert_eq!(all.columns[case..], alone.columns, "{kind} {lists}");
        let mut own = None;
        for row in &alone.rows {
            let cell = rows.next().unwrap_or_else(|| panic!("{kind} {lists}: too few rows"));
            assert_eq!(cell[case], Cell::Number(number.into()), "{kind} {lists}");
            assert_eq!(cell[case + 1..], row[1..], "{kind} {single}");
            own = Some(format!("{:?}", &cell[..case]));
        }
        assert!(cells.insert(own.unwrap()), "{kind} {lists}: a cell twice");
    }
    assert!(rows.next().is_none(), "{kind} {lists}");

    let json: Value =
        serde_json::from_str(&ok(folder, &format!("{} --format json", line(lists)))).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), all.rows.len());
    for (row, cells) in rows.iter().zip(&all.rows) {
        let row_cells = all.columns.iter().map(|name| match &row[name] {
            Value::Null => Cell::Null,
            Value::String(text) => Cell::of(text),
            other => Cell::of(&other.to_string()),
        });
        assert!(row_cells.eq(cells.iter().cloned()), "{kind} {lists}: {row}");
    }
    ok(folder, &format!("{} --out all.parquet", line(lists)));
    let mut parquet = Sheet::of_parquet(&folder.join("all.parquet"));
    // A text of digits is read as a number from CSV.
    for cell in parquet.rows.iter_mut().flatten() {
        if let Cell::Text(text) = cell {
            *cell = Cell::of(text);
        }
    }
    assert!(parquet == all, "{kind} {lists}");
    let command = parquet_meta(&folder.join("all.parquet"))["command"].clone();
    assert_eq!(json["meta"]["command"], command);
    let again = command.strip_prefix("lowcrawl ").unwrap();
    assert!(csv(folder, again) == all, "{command}");

    // The number of each cell is in the table of the screen and of Markdown.
    let shown_numbers = json["told"].as_array().unwrap();
    assert_eq!(shown_numbers.len(), singles.len());
    let screen = ok(folder, &line(lists));
    // The mean number of one unit is the chance that it is counted.
    let is_share = screen.contains("\nP(");
    let number = |cell: &Value| match (cell["probability"].as_f64(), cell["mean"].as_f64()) {
        (Some(odds), _) => in_percent(odds, cell["ci_high"].as_f64()),
        (None, Some(mean)) if is_share => in_percent(mean, None),
        (None, mean) => format!("{:.4}", mean.unwrap()),
    };
    let markdown = ok(folder, &format!("{} --format markdown", line(lists)));
    let (_, rows) = of_markdown(&markdown);
    let keys = if case > 1 { case - 1 } else { 1 };
    let numbers: Vec<&String> = rows.iter().flat_map(|row| &row[keys..]).collect();
    assert_eq!(
        numbers,
        shown_numbers.iter().map(number).collect::<Vec<_>>().iter().collect::<Vec<_>>()
    );
    for cell in shown_numbers {
        assert!(screen.contains(&number(cell)), "no {} in\n{screen}", number(cell));
    }
    let question = json["meta"]["question"].as_str().unwrap();
    let first = screen.split("\n\n").next().unwrap().replace("\n  ", " ");
    assert_eq!(first, question);
    let caption = markdown.lines().next().unwrap();
    assert!(caption.starts_with(&format!("**{question}.** ")), "{caption}");
    assert!(caption.ends_with(&format!(" `{command}`")), "{caption}");
}

/// Without `--tell`, the table shows the probability that one unit holds, or how many of several
/// units hold on average. Kinds with another success, such as a rally, show that.
#[test]
fn lists_show_how_many_units_hold_by_default() {
    let folder = folder();
    let answer = |line: &str| -> Value { json(folder.path(), line) };
    // The leader is the last unit, and is in another group.
    let stack = "2x german:4-6-7 + german:9-1";
    for engine in ["", " --engine monte-carlo --trials 20000"] {
        let line = |fp: u8, list: &str| format!("fire '{stack}' --fp {fp}{list}{engine}");
        let shown = ok(folder.path(), &line(4, ",8"));
        assert!(shown.contains("\nHow many of 2 MMC hold on average:\n\nfp   value\n"), "{shown}");
        let all = answer(&line(4, ",8"));
        assert_eq!(all["meta"].get("counts"), None);
        for (cell, fp) in all["told"].as_array().unwrap().iter().zip([4, 8]) {
            let single = answer(&line(fp, ""));
            let holds = single["expected"].as_array().unwrap().iter();
            let holds = holds.clone().find(|mean| mean["class"] == "holds").unwrap();
            for key in ["mean", "std_error", "fraction"] {
                assert_eq!(cell[key], holds[key], "{fp}");
            }
            assert!(
                shown.contains(&format!("  {:.4}\n", cell["mean"].as_f64().unwrap())),
                "{shown}"
            );
        }
        assert_eq!(shown.contains("95 % intervals are at most"), !engine.is_empty(), "{shown}");
    }
    let shown = ok(folder.path(), "fire german:4-6-7 --fp 4,8");
    assert!(shown.contains("\nHow often the unit holds:\n\nfp  probability\n"), "{shown}");
    let single = answer("fire german:4-6-7 --fp 8");
    let holds = single["counts"].as_array().unwrap().iter();
    let holds = holds.clone().find(|row| row["class"] == "holds" && row["number"] == 1.0).unwrap();
    assert!(shown.contains(&in_percent(holds["probability"].as_f64().unwrap(), None)), "{shown}");
}

/// `--tell` shows another number of each cell, equal to the counts of single questions.
#[test]
fn tell_option_selects_another_number() {
    let folder = folder();
    for (question, list, singles, group, class, least) in [
        ("check '3x german:4-6-7'", "--mc 0..1", &["--mc 0", "--mc 1"], "mmc", "holds", Some(2.0)),
        ("check '3x german:4-6-7'", "--mc 0..1", &["--mc 0", "--mc 1"], "mmc", "holds", None),
        (
            "rally '2x german:4-6-7/dm' --phases 2",
            "--leader 8-0,9-1",
            &["--leader 8-0", "--leader 9-1"],
            "mmc",
            "holds",
            Some(1.0),
        ),
        (
            "check '2x german:4-6-7'",
            "--mc 1,2",
            &["--mc 1", "--mc 2"],
            "squad-equivalents",
            "lost",
            Some(0.5),
        ),
        (
            "interdict german:4-6-7",
            "--hexes 1,2",
            &["--hexes 1", "--hexes 2"],
            "units",
            "through",
            Some(1.0),
        ),
        (
            "check '3x german:4-6-7' --engine monte-carlo --trials 2000",
            "--mc 1,2",
            &["--mc 1", "--mc 2"],
            "mmc",
            "breaks",
            Some(1.0),
        ),
    ] {
        let tell = match least {
            Some(least) => format!("{group} {class} >= {least}"),
            None => format!("{group} {class}"),
        };
        let sheet = csv(folder.path(), &format!("{question} {list} --tell '{tell}'"));
        let names = if least.is_some() {
            "case,tell,probability,std_error,ci_low,ci_high,count,trials,fraction,error_bound"
        } else {
            "case,tell,mean,std_error,ci_low,ci_high,fraction,error_bound"
        };
        assert_eq!(sheet.columns[1..].join(","), names);
        assert_eq!(sheet.rows.len(), singles.len());
        let markdown =
            ok(folder.path(), &format!("{question} {list} --tell '{tell}' --format markdown"));
        let (_, rows) = of_markdown(&markdown);
        for (single, (row, shown)) in singles.iter().zip(sheet.rows.iter().zip(rows)) {
            assert_eq!(row[2], Cell::of(&tell));
            let counts = csv(folder.path(), &format!("{question} {single} --counts {group}"));
            let [point, of, number, odds] =
                ["phase", "class", "number", "probability"].map(|name| counts.column(name));
            let last = point.last().unwrap();
            let here = (0..counts.rows.len())
                .filter(|row| point[*row] == *last && of[*row] == Cell::of(class));
            let expected: f64 = match least {
                Some(least) => here
                    .filter(|row| number[*row].number() >= least)
                    .map(|row| odds[row].number())
                    .sum(),
                None => here.map(|row| number[row].number() * odds[row].number()).sum(),
            };
            assert!((row[3].number() - expected).abs() < 1e-12, "{tell}, {single}: {expected}");
            let high = Some(&row[6]).filter(|high| least.is_some() && **high != Cell::Null);
            let words = match least {
                Some(_) => in_percent(row[3].number(), high.map(Cell::number)),
                None => format!("{:.4}", row[3].number()),
            };
            assert_eq!(shown[1], words);
        }
    }
}

/// The answer has 83,000 rows. Their shared parts are kept once, and their text is never kept as a
/// whole.
#[cfg(target_os = "linux")]
#[test]
fn long_lists_take_little_memory() {
    let line = "rally 4-6-7/dm --phases 1..60 --leader none,8-1 --terrain woods,open --threads 1 --format json";
    let bounded = format!("ulimit -v 400000 && exec \"$0\" {line} > answer.json");
    let folder = tempdir().unwrap();
    let status = std::process::Command::new("sh")
        .args(["-c", &bounded, env!("CARGO_BIN_EXE_lowcrawl")])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    assert!(fs::metadata(folder.path().join("answer.json")).unwrap().len() > 30_000_000);
}

/// If quotes and `+` may have been forgotten, a note says how units of one Location are written.
#[test]
fn separate_units_get_a_note_in_json() {
    let json = json(tempdir().unwrap().path(), "check german:8-1 german:4-6-7 --mc 1");
    let note = "each is a separate question; write units that are together, as in one Location, as one stack: \"german:8-1 + german:4-6-7\"";
    assert_eq!(json["meta"]["notes"], serde_json::json!([note]));
}
