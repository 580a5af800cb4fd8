//! The built binary: answers in every format, from every engine and for any number of threads.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::shell;
use crate::shell::{
    Cell, Sheet, assert_fails, assert_markdown, csv, fails, folder_with, json, lowcrawl, names, ok,
    parquet_meta,
};
use serde_json::Value;
use tempfile::tempdir;

const COLUMNS: &str = "case,slot,unit,phase,status,counter,wounded,probability,std_error,ci_low,ci_high,count,trials,fraction,error_bound";
const JOINT: &str = "check '9-1 + 2x german:4-6-7' --mc 1 --joint";
const SEQUENCE: &str = r#"
about = "What is left?"
stack = "german:8-1 + german:4-6-7"
no-hob = true

[[step]]
do = "fire"
fp = 4

[[step]]
do = "rally"
if = "broken"
terrain = "woods"
"#;
/// A stack whose joint process exceeds the bound of the exact engine.
const TOO_BIG: &str =
    "check '9-1 + 8-1 + 2x german:4-6-7 + german:4-6-8 + 2x german:4-3-6' --mc 1 --joint";

#[test]
fn all_formats_hold_the_same_table() {
    let stack = "check 'german:9-1 + german:4-6-7 + hero' --mc 2";
    let rally = "rally german:4-6-7/dm --leader 8-1 --terrain woods --phases 3";
    let estimate = "--engine monte-carlo --trials 20000 --seed 9";
    let fire = "fire 'german:8-1 + german:4-6-7' --fp 8 --drm 1";
    let sequence = "sequence turns.toml";
    for question in [
        rally,
        stack,
        fire,
        sequence,
        JOINT,
        &format!("{sequence} --joint"),
        &format!("{stack} {estimate}"),
        &format!("{sequence} {estimate}"),
        &format!("{JOINT} {estimate}"),
    ] {
        let folder = folder_with(&[("turns.toml", SEQUENCE)]);
        let format = |name: &str| ok(folder.path(), &format!("{question} --format {name}"));
        let csv = Sheet::of_csv(format("csv").as_bytes());
        assert_eq!(csv.columns.join(","), columns(question));
        csv.assert_sums();
        let exact = !question.contains(estimate);
        assert!(csv.column("fraction").iter().all(|cell| (*cell != Cell::Null) == exact));
        for name in ["std_error", "ci_low", "ci_high", "count", "trials"] {
            assert!(
                csv.column(name).iter().all(|cell| (*cell == Cell::Null) == exact),
                "{question}: {name}"
            );
        }

        let text = format("json");
        assert_eq!(of_json(&text), csv, "{question}: JSON");
        let json: Value = serde_json::from_str(&text).unwrap();
        for key in [
            "version",
            "command",
            "profile",
            "switches",
            "engine",
            "arithmetic",
            "sampler",
            "seed",
            "trials",
        ] {
            assert!(json["meta"].get(key).is_some(), "meta has no {key}");
        }
        assert_eq!(json["meta"]["engine"], if exact { "exact" } else { "monte-carlo" });
        assert_eq!(json["rows"][0]["unit_id"].is_null(), question.contains("--joint"));

        let meta = |key: &str| json["meta"][key].as_str().unwrap().to_string();
        let engine = if exact { "Exact" } else { "Monte Carlo" };
        let caption = [&meta("question"), "ASL v3", &meta("command"), engine];
        // Markdown merges joint outcomes of like units; the module `joint` compares those.
        if !question.contains("--joint") {
            assert_markdown(&format("markdown --all"), &csv, &caption);
        }
        let mut lines = csv.rows.iter();
        for line in format("table").lines().skip(1) {
            let cells: Vec<Cell> = line
                .split("  ")
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(Cell::of)
                .collect();
            let expected: Vec<Cell> =
                lines.next().unwrap().iter().filter(|cell| **cell != Cell::Null).cloned().collect();
            assert_eq!(cells, expected, "{question}: table");
        }
        assert!(lines.next().is_none());

        ok(folder.path(), &format!("{question} --format parquet --out odds.parquet"));
        let parquet = folder.path().join("odds.parquet");
        assert_eq!(Sheet::of_parquet(&parquet), csv, "{question}: Parquet");
        let meta = parquet_meta(&parquet);
        // Counts are next to the rows in JSON only.
        let shared = json["meta"].as_object().unwrap().iter().filter(|(key, _)| *key != "counts");
        for (key, value) in shared {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            assert_eq!(meta.get(key), Some(&value), "{question}: Parquet metadata {key}");
        }
    }
}

/// Returns the columns of the table of a question.
fn columns(question: &str) -> String {
    let columns = if question.contains("--joint") {
        COLUMNS.replace("wounded", "wounded,outcome")
    } else {
        COLUMNS.to_string()
    };
    if question.starts_with("sequence") { columns.replace("case", "case,step") } else { columns }
}

/// Returns the rows of a JSON answer. Numbers are read from its text, since serde_json may read
/// them one bit off.
fn of_json(text: &str) -> Sheet {
    let json: Value = serde_json::from_str(text).unwrap();
    let rows_of = |text: &str| text.split("\"rows\": [").nth(1).unwrap().to_string();
    // The ends of the units of a joint outcome are in `outcome` as well.
    let mut rows = rows_of(text);
    while let Some(start) = rows.find("\"ends\": [") {
        let end = start + rows[start..].find(']').unwrap();
        rows.replace_range(start..=end, "");
    }
    let mut words = rows.lines().filter_map(|line| line.split_once("\": ")).map(|(_, word)| word);
    let mut cell = |value: &Value| match (value, words.next().unwrap().trim_end_matches(',')) {
        (Value::Null, "null") => Cell::Null,
        (Value::String(text), _) => Cell::Text(text.clone()),
        (_, word) => Cell::of(word),
    };
    let rows: Vec<_> =
        json["rows"].as_array().unwrap().iter().map(|row| row.as_object().unwrap()).collect();
    let mut columns: Vec<String> = rows[0].keys().cloned().collect();
    columns.retain(|column| column != "ends");
    assert_eq!(columns.pop().as_deref(), Some("unit_id"));
    let mut row = |row: &serde_json::Map<String, Value>| {
        let values = row.iter().filter(|(name, _)| *name != "ends").map(|(_, value)| value);
        let mut cells: Vec<Cell> = values.map(&mut cell).collect();
        cells.pop();
        cells
    };
    Sheet { rows: rows.into_iter().map(&mut row).collect(), columns }
}

#[test]
fn files_that_are_not_text_are_refused() {
    let bytes = |name: &str| format!("{name}: not a text file: byte 1 is not UTF-8");
    let board = "board.hexes = \"bytes.csv\"\n[[rout]]\nunit = \"german:4-6-7\"\nat = \"A1\"\n";
    let folder = folder_with(&[("s.toml", board)]);
    for name in ["bytes.toml", "bytes.csv"] {
        fs::write(folder.path().join(name), [b'a', 0xff, b'b']).unwrap();
    }
    for (line, name) in [
        ("rout bytes.toml", "bytes.toml"),
        ("rout s.toml", "bytes.csv"),
        ("compare bytes.toml", "bytes.toml"),
        ("study run bytes.toml", "bytes.toml"),
        ("board check --hexes bytes.csv --los bytes.csv", "bytes.csv"),
    ] {
        assert_fails(folder.path(), line, 2, &[&bytes(name)]);
    }
}

#[test]
fn seed_fixes_the_result_for_any_number_of_threads() {
    let folder = folder_with(&[("turns.toml", SEQUENCE)]);
    for question in [
        "rally german:4-6-7 --leader 8-1 --engine monte-carlo --trials 300_000",
        "fire 'german:8-1 + german:4-6-7' --fp 8 --engine monte-carlo --trials 200000",
        "sequence turns.toml --engine monte-carlo --trials 100000",
        "check german:4-6-7 --mc 0..1 --engine monte-carlo --trials 1000",
        &format!("{TOO_BIG} --trials 200000"),
    ] {
        let run = |rest: &str| ok(folder.path(), &format!("{question} --format csv {rest}"));
        let one = run("--seed 5 --threads 1");
        assert_eq!(run("--seed 5 --threads 2"), one);
        assert_eq!(run("--seed 5 --threads 7"), one);
        assert_ne!(run("--seed 6"), one);
        assert_eq!(run(""), run("--seed 36"), "the default seed is 36");
    }
}

#[test]
fn random_seed_is_reported_and_reproduces_the_run() {
    let folder = tempdir().unwrap();
    let run = |seed: &str| -> Value {
        let question =
            "rally german:4-6-7 --leader 8-1 --engine monte-carlo --trials 70000 --format json";
        serde_json::from_str(&ok(folder.path(), &format!("{question} --seed {seed}"))).unwrap()
    };
    let (first, second) = (run("random"), run("random"));
    assert_ne!(first["meta"]["seed"], second["meta"]["seed"]);
    assert_eq!(run(&first["meta"]["seed"].to_string())["rows"], first["rows"]);
}

#[test]
fn precision_sets_the_number_of_trials() {
    let folder = tempdir().unwrap();
    for half_width in ["0.01", "0.002"] {
        let question = format!(
            "rally german:4-6-7 --leader 8-1 --engine monte-carlo --precision {half_width} --format json"
        );
        let json: Value = serde_json::from_str(&ok(folder.path(), &question)).unwrap();
        let most: f64 = half_width.parse().unwrap();
        assert_eq!(json["meta"]["precision"], most);
        assert_eq!(json["meta"]["pilot_trials"], 65536);
        assert_eq!(json["meta"]["trials"].as_u64().unwrap() % 65536, 0);
        for row in json["rows"].as_array().unwrap() {
            let reach = (row["ci_high"].as_f64().unwrap() - row["ci_low"].as_f64().unwrap()) / 2.0;
            assert!(reach <= most, "{reach}: {row}");
            assert_eq!(row["trials"], json["meta"]["trials"]);
        }
    }
}

#[test]
fn output_file_is_written_completely_or_not_at_all() {
    let folder = tempdir().unwrap();
    let question = "rally german:4-6-7 --phases 2";
    for format in ["table", "csv", "json", "markdown"] {
        let shown = ok(folder.path(), &format!("{question} --format {format}"));
        assert_eq!(
            ok(folder.path(), &format!("{question} --format {format} --out odds.{format}")),
            ""
        );
        assert_eq!(
            fs::read_to_string(folder.path().join(format!("odds.{format}"))).unwrap(),
            shown
        );
    }
    ok(folder.path(), &format!("{question} --format parquet --out odds.parquet"));
    ok(folder.path(), &format!("{question} --out odds.csv"));
    let before = ["odds.csv", "odds.json", "odds.markdown", "odds.parquet", "odds.table"];
    assert_eq!(names(folder.path()), before);
    fs::create_dir(folder.path().join("dir")).unwrap();
    for (out, place, problem) in [
        ("none/odds.csv", "none/odds.csv", "there is no folder `none`"),
        ("odds.csv/odds.csv", "odds.csv/odds.csv", "there is no folder `odds.csv`"),
        ("dir", "dir", "a folder is in the way"),
    ] {
        for format in ["csv", "parquet"] {
            let message =
                fails(folder.path(), &format!("{question} --format {format} --out {out}"), 1);
            assert!(message.starts_with(&format!("error: {place}: {problem}")), "{message}");
        }
    }
    fs::remove_dir(folder.path().join("dir")).unwrap();
    assert_eq!(names(folder.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error_and_closed_pipe_is_silent() {
    let run = |line: &str, stdout: Stdio| {
        let binary = env!("CARGO_BIN_EXE_lowcrawl");
        Command::new(binary)
            .args(shell::words(line))
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for line in [
        "rally german:4-6-7",
        "units",
        "rules",
        "completions bash",
        "trace rally german:4-6-7 --phases 1",
        "rally german:4-6-7 --format csv",
        "--help",
        "--version",
        "rally --help",
        "study run -h",
        "fortitude --help",
        "help rally",
        "help situation",
    ] {
        let output =
            run(line, File::create("/dev/full").unwrap().into()).wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "lowcrawl {line}");
        assert!(
            message.starts_with("error: standard output: No space left on device"),
            "lowcrawl {line}: {message}"
        );

        let mut child = run(line, Stdio::piped());
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "lowcrawl {line}, closed pipe");
    }
}

/// The command in the JSON meta is enough to repeat the question.
#[test]
fn command_in_the_meta_reproduces_the_answer() {
    let folder = folder_with(&[("turns.toml", SEQUENCE)]);
    for question in [
        "fire 'german:8-1 + german:4-6-7' --fp 8 --drm -2 --no-cowering --no-hob --no-keu --captor --elr 4",
        "fire german-ss:6-5-8 --fp 12 --inexperienced --enemy russian --no-quarter --enemy-adjacent --profile asl-v2",
        "interdict 'german:8-1 + german:4-6-7/broken' --hexes 2 --voluntary-rout --set i07=alternative --set i10=alternative",
        "sequence turns.toml --captor --engine monte-carlo --trials 3000 --seed 4",
        "rally '2x german:4-6-7/dm + german:8-0/broken' --own-rph even --keep-dm --elr 4 --phases 2 --set i18=alternative",
        "check 'german:9-1 + german:4-6-7' --ptc --joint",
        "interdict german:4-6-7 --hexes 2 --leader '8-1'",
    ] {
        let first: Value = json(folder.path(), question);
        let command = first["meta"]["command"].as_str().unwrap().strip_prefix("lowcrawl ").unwrap();
        let output = lowcrawl(folder.path(), &format!("{command} --format json")).output().unwrap();
        let second: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(second, first);
    }
}

#[test]
fn stratified_rolls_reduce_the_error() {
    let folder = tempdir().unwrap();
    let question = "rally german:4-6-7/dm --leader 8-1 --phases 2 --no-hob --engine monte-carlo --trials 100000 --format csv";
    let plain = Sheet::of_csv(ok(folder.path(), question).as_bytes());
    let stratified =
        Sheet::of_csv(ok(folder.path(), &format!("{question} --stratify 1")).as_bytes());
    assert_eq!(stratified.column("trials")[0], Cell::Number(100_008.0));
    // The first attempt is decided by the first DR: no error is left.
    assert_eq!(stratified.column("std_error")[0], Cell::Number(0.0));
    let sum = |sheet: &Sheet| sheet.column("std_error").iter().map(Cell::number).sum::<f64>();
    assert!(sum(&stratified) < 0.7 * sum(&plain));
    let message = fails(folder.path(), &format!("{question} --stratify 4"), 2);
    assert!(message.contains("`--stratify` must be a whole number from 1 to 3"), "{message}");
}

#[test]
fn first_step_of_a_sequence_equals_the_attack_alone() {
    let folder = folder_with(&[("turns.toml", SEQUENCE)]);
    let sheet = csv(folder.path(), "sequence turns.toml");
    let first = csv(folder.path(), "fire 'german:8-1 + german:4-6-7' --fp 4 --no-hob");
    let of_step = |step: f64| {
        sheet.rows.iter().filter(move |row| row[1] == Cell::Number(step)).map(|row| &row[2..])
    };
    assert!(
        of_step(1.0).eq(first.rows.iter().map(|row| &row[1..])),
        "the first step is not the attack alone"
    );
    assert!(of_step(2.0).count() > of_step(1.0).count());
}

/// Returns a column of numbers by the words that identify its rows.
fn by_label(sheet: &Sheet, name: &str) -> BTreeMap<String, f64> {
    let words = ["slot", "phase", "status", "counter", "wounded"].map(|name| sheet.column(name));
    let label = |row: usize| format!("{:?}", words.each_ref().map(|column| column[row].clone()));
    sheet.column(name).iter().enumerate().map(|(row, cell)| (label(row), cell.number())).collect()
}

#[test]
fn impact_is_the_difference_of_two_answers() {
    let folder = tempdir().unwrap();
    let question = "check 'german:8-1 + german:4-6-7' --mc 1";
    let answer = |rest: &str| csv(folder.path(), &format!("{question} {rest}"));
    let [before, after] =
        ["", "--set i05=alternative"].map(|rest| by_label(&answer(rest), "probability"));
    let impact = answer("--impact i05");
    let columns = "switch,value,step,slot,unit,phase,status,counter,wounded,outcome,probability,difference,std_error,error_bound";
    assert_eq!(impact.columns.join(","), columns);
    assert!(impact.column("value").iter().all(|value| *value == Cell::of("alternative")));
    assert!(impact.column("std_error").iter().all(|error| *error == Cell::Null));

    let [probabilities, differences] =
        ["probability", "difference"].map(|name| by_label(&impact, name));
    let of = |odds: &BTreeMap<String, f64>, label: &str| odds.get(label).copied().unwrap_or(0.0);
    for label in before.keys().chain(after.keys()) {
        let difference = of(&after, label) - of(&before, label);
        assert_eq!(
            probabilities.contains_key(label),
            difference.abs() > 1e-14,
            "{label}: {difference}"
        );
        assert!((of(&differences, label) - difference).abs() < 1e-14, "{label}");
        assert!(
            probabilities.get(label).is_none_or(|probability| *probability == of(&after, label)),
            "{label}"
        );
    }
}

#[test]
fn impact_has_equal_rows_in_every_format() {
    let folder = tempdir().unwrap();
    let question = "fire german:4-6-7 --fp 8 --impact";
    let csv = csv(folder.path(), question);
    ok(folder.path(), &format!("{question} --out impact.parquet"));
    assert_eq!(Sheet::of_parquet(&folder.path().join("impact.parquet")), csv);
    let markdown = ok(folder.path(), &format!("{question} --format markdown"));
    assert_markdown(
        &markdown,
        &csv,
        &["german:4-6-7 under fire of 8 FP", "Exact. ASL v3, Heat of Battle on."],
    );
}

#[test]
fn created_units_with_many_leaders_are_estimated() {
    let folder = tempdir().unwrap();
    let question = "fire '3x german:8-1 + 2x german:4-6-7' --fp 1 --trials 5000";
    let shown = ok(folder.path(), question);
    assert!(
        shown.contains("Exact; created units by Monte Carlo, 5000 sequences, seed 36"),
        "{shown}"
    );
    let text = ok(folder.path(), &format!("{question} --format json"));
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&json["meta"]["engine"], &json["meta"]["arithmetic"]),
        (&"exact+monte-carlo".into(), &"integer".into())
    );
    assert!(json["meta"]["reason"].as_str().unwrap().starts_with("all units of the stack exactly"));
    let csv = ok(folder.path(), &format!("{question} --format csv"));
    let sheet = Sheet::of_csv(csv.as_bytes());
    sheet.assert_sums();
    let [unit, fraction, trials] = ["unit", "fraction", "trials"].map(|name| sheet.column(name));
    for row in 0..sheet.rows.len() {
        let of_the_stack = unit[row] != Cell::Null;
        assert_eq!(fraction[row] != Cell::Null, of_the_stack, "{:?}", sheet.rows[row]);
        assert_eq!(trials[row] == Cell::Null, of_the_stack, "{:?}", sheet.rows[row]);
    }
    assert!(unit.contains(&Cell::Null), "no unit is created");
    let exact = |csv: &str| {
        csv.lines().filter(|line| !line.contains(",5000,")).map(str::to_string).collect::<Vec<_>>()
    };
    let other = ok(folder.path(), &format!("{question} --seed 8 --threads 1 --format csv"));
    assert!(other != csv && exact(&other) == exact(&csv), "the seed moves what is exact");
}
