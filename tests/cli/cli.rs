//! The built binary with every command, every format and every kind of bad input.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell;
use crate::shell::{Cell, Sheet, assert_markdown, fails, lowcrawl, names, ok, parquet_meta};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const COLUMNS: &str = "case,slot,unit,phase,status,counter,wounded,probability,std_error,ci_low,ci_high,count,trials,fraction";
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
fn every_command_answers() {
    let folder = tempdir().unwrap();
    for (line, fact) in [
        ("rally 4-6-7/dm --leader 8-1 --terrain woods --phases 1 --no-hob", "27.78 % (5/18)"),
        (
            "rally 4-6-7 --leader 8-1 --dm --terrain woods --phases 2 --no-hob",
            "4-6-7 rallies in the first phase: 27.78 % (5/18)",
        ),
        (
            "rally '2x german:4-6-7 + german:8-1' --own-rph never --phases 1 --no-hob",
            "8-1 rallies: 58.33 % (7/12). Holds 58.33 % (7/12)",
        ),
        (
            "check german:4-6-7 --mc 0 --no-hob",
            "4-6-7: holds 58.33 % (7/12, pinned 16.67 %), breaks 41.67 % (5/12).",
        ),
        ("check german:4-6-7 --ptc --no-hob", "PTC of german:4-6-7"),
        (
            "check 'german:9-1 + 4-6-7' --mc 1 --elr 2 --set i01=alternative --no-hob",
            "Interpretation i01: alternative.",
        ),
        (
            "interdict german:4-6-7 --hexes 1 --no-hob",
            "4-6-7: through 80.56 % (29/36), stopped 16.67 % (1/6), lost 2.78 % (1/36).",
        ),
        (
            "interdict german:4-6-7 --hexes 2 --leader 9-1 --no-hob",
            "through 4-6-7  34.03 % (49/144)",
        ),
        ("fire german:4-6-7 --fp 8 --no-hob", "good-order 4-6-7  41.13 % (533/1296)"),
        (
            "fire german:4-6-7 --fp 8 --drm -2 --no-cowering",
            "german:4-6-7 under fire of 8 FP -2, no Cowering, ELR 3",
        ),
        (
            "fire german:4-6-7 --fp 8 --drm 2 --inexperienced --no-hob",
            "4-6-7: holds 78.86 % (511/648, pinned 12.58 %), breaks 21.14 % (137/648).",
        ),
        ("fire german:4-6-7 --fp 24 --joint --no-hob", "28.70 % (31/108)    broken\n"),
        ("fire german:4-6-7 --fp 8 --profile aslsk", "profile aslsk, without Heat of Battle"),
        ("check german:4-6-7 --mc 0", "berserk 4-6-7"),
        ("check german:4-6-7 --mc 0 --captor --all", "captured 4-6-7"),
        ("check german:4-6-7 --mc 0 --no-keu", "NMC of german:4-6-7, ELR 3, no Known enemy in LOS"),
        (
            "check german:4-6-7 --mc 0 --no-quarter --enemy-adjacent",
            ", ELR 3, No Quarter, an enemy ADJACENT",
        ),
        (
            "check german-ss:6-5-8 --mc 0 --enemy russian",
            "NMC of german-ss:6-5-8, ELR 3, against Russians",
        ),
        (
            "interdict 'german:8-1 + german:4-6-7/broken' --hexes 1 --voluntary-rout",
            "8-1: holds 72.22 % (13/18), lost 27.78 % (5/18).",
        ),
        (
            "rally '2x russian:4-4-7/dm' --leader commissar:9-0 --phases 1",
            "led by\n  commissar:9-0",
        ),
        ("units german leader", "ger_ldr_9-1   german  9-1"),
        ("rules i01", "i01  Which Original DR pins"),
        ("rules", "i20"),
        (
            "trace check german:4-6-7 --mc 1 --script 3,4",
            " A10.1  1MC of 4-6-7: Original 7 +1 (1MC) = Final 8 against ML 7",
        ),
        (
            "trace rally german:4-6-7 --phases 1 --script 1,3",
            "Rally attempt of 4-6-7: Original 4 +1 (Self-Rally, 10.63) = Final 5",
        ),
        (
            "trace interdict german:4-6-7 --hexes 1 --script 3,4",
            "4-6-7 is pinned: its rout is over",
        ),
        ("trace interdict german:4-6-7 --hexes 3 --seed 7 --sequence 41", "sequence 41 of seed 7"),
        ("completions bash", "_lowcrawl()"),
        ("completions zsh", "#compdef lowcrawl"),
        ("completions fish", "complete -c lowcrawl"),
        ("--version", concat!("lowcrawl ", env!("CARGO_PKG_VERSION"))),
        ("--help", "interdict"),
        ("fire --help", "--inexperienced"),
        ("check --help", "--no-quarter"),
        ("rally --help", "--own-rph"),
        ("interdict --help", "--voluntary-rout"),
        ("sequence --help", "do = \"fire\""),
        ("compare --help", "[[course]]"),
        ("study --help", "run"),
        ("study run --help", "--replace"),
        ("trace --help", "interdict"),
        ("trace check --help", "--script"),
        ("trace fire --help", "--drm"),
        ("trace sequence --help", "<FILE>"),
        ("trace rally --help", "--sequence"),
        ("trace interdict --help", "--script"),
        ("units --help", "WORDS"),
        ("rules --help", "i01"),
        ("completions --help", "zsh"),
    ] {
        let stdout = ok(folder.path(), line);
        assert!(stdout.contains(fact), "lowcrawl {line}: no `{fact}` in\n{stdout}");
    }
    assert_eq!(names(folder.path()), [""; 0], "a question leaves no files");
}

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
        let folder = folder_with_sequence(SEQUENCE);
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
        let caption = [meta("question"), meta("profile"), meta("command"), engine.to_string()];
        // Markdown merges joint outcomes of like units; the module `joint` compares those.
        if !question.contains("--joint") {
            assert_markdown(&format("markdown"), &csv, &caption.each_ref().map(String::as_str));
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

fn folder_with_sequence(text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("turns.toml"), text).unwrap();
    folder
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
fn seed_fixes_the_result_for_any_number_of_threads() {
    let folder = folder_with_sequence(SEQUENCE);
    for question in [
        "rally german:4-6-7 --leader 8-1 --engine monte-carlo --trials 300_000",
        "fire 'german:8-1 + german:4-6-7' --fp 8 --engine monte-carlo --trials 200000",
        "sequence turns.toml --engine monte-carlo --trials 100000",
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
fn too_big_process_is_refused_or_simulated() {
    let folder = tempdir().unwrap();
    let message = fails(folder.path(), &format!("{TOO_BIG} --engine exact"), 2);
    assert!(
        message.starts_with("error: more than ")
            && message.contains("help: use `--engine monte-carlo`"),
        "{message}"
    );
    let json: Value = serde_json::from_str(&ok(
        folder.path(),
        &format!("{TOO_BIG} --engine auto --trials 5000 --format json"),
    ))
    .unwrap();
    assert_eq!(json["meta"]["engine"], "monte-carlo");
    assert!(
        json["meta"]["reason"].as_str().unwrap().starts_with("too big to be exact"),
        "{}",
        json["meta"]
    );
    assert!(ok(folder.path(), &format!("{TOO_BIG} --trials 5000")).contains("too big to be exact"));
}

#[test]
fn joint_rows_cover_the_whole_stack() {
    let folder = tempdir().unwrap();
    let sheet = Sheet::of_csv(ok(folder.path(), &format!("{JOINT} --format csv")).as_bytes());
    for name in ["slot", "unit", "phase", "status", "counter", "wounded"] {
        assert!(sheet.column(name).iter().all(|cell| *cell == Cell::Null), "{name}");
    }
    sheet.assert_sums();
    let outcomes = sheet.column("outcome");
    assert!(
        outcomes
            .contains(&Cell::Text("1:good-order 9-1; 2:pinned 4-6-7; 3:broken 4-6-7".to_string())),
        "{outcomes:?}"
    );
    assert!(
        (0..outcomes.len()).all(|row| !outcomes[..row].contains(&outcomes[row])),
        "an outcome has two rows"
    );
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

#[test]
fn bad_input_is_reported_with_a_hint() {
    let folder = tempdir().unwrap();
    for (line, message, hint) in [
        (
            "check german:4-6-9 --mc 0",
            "no counter has the printed values `german:4-6-9`",
            "nearest: 4-6-7, 4-6-8",
        ),
        ("check grman:4-6-7 --mc 0", "no nation is called `grman`", "did you mean `german`?"),
        (
            "check german:4-6-7/brokn --mc 0",
            "no condition is called `brokn`",
            "did you mean `broken`?",
        ),
        ("check 9-1 --mc 0", "several nations have different counters `9-1`", "german:9-1"),
        (
            "check german:2-3-7 --mc 0",
            "several german counters have the printed values `2-3-7`",
            "id:ger_2_237, id:ger_2s_237",
        ),
        (
            "check german:4-6-7/wounded --mc 0",
            "4-6-7 is impossible: only an SMC can be wounded (A17.1)",
            "STACK:1:1",
        ),
        ("check 'german:4-6-7 +' --mc 0", "a counter is missing after `+`", "STACK:1:14"),
        ("check '13x german:4-6-7' --mc 0", "expected a number of counters from 1 to 12", "13x"),
        ("check '' --mc 0", "STACK: the stack is empty: expected a counter", "german:4-6-7"),
        ("check '🦀' --mc 0", "no counter has the printed values `🦀`", "lowcrawl units"),
        (
            "check german:4-6-7 --mc 99",
            "`mc` must be a whole number from 0 to 6, not 99",
            "--mc:1:1",
        ),
        (
            "check german:4-6-7 --mc -1",
            "`mc` must be a whole number from 0 to 6, not -1",
            "--mc:1:1",
        ),
        (
            "check german:4-6-7 --mc x",
            "`mc` must be a whole number from 0 to 6, not `x`",
            "--mc:1:1",
        ),
        ("check german:4-6-7", "--mc: say which check: a MC or a PTC", "`--mc 0`"),
        ("check german:4-6-7 --mc 1 --ptc", "--ptc: use either a MC or a PTC, not both", ""),
        (
            "interdict german:4-6-7",
            "--hexes: say how many Interdicted hexes are crossed",
            "`--hexes 2`",
        ),
        (
            "interdict german:4-6-7 --hexes 0",
            "`hexes` must be a whole number from 1 to 6, not 0",
            "6 MF",
        ),
        (
            "interdict german:4-6-7 --hexes 7",
            "`hexes` must be a whole number from 1 to 6, not 7",
            "6 MF",
        ),
        (
            "rally german:4-6-7 --phases 0",
            "`phases` must be a whole number from 1 to 60, not 0",
            "--phases:1:1",
        ),
        (
            "rally german:4-6-7 --elr 9",
            "`elr` must be a whole number from 0 to 6, not 9",
            "--elr:1:1",
        ),
        (
            "rally german:4-6-7 --trials 0",
            "`--trials` must be a whole number from 1 to 100000000000, not `0`",
            "",
        ),
        (
            "rally german:4-6-7 --trials 999999999999999",
            "`--trials` must be a whole number from 1 to 100000000000, not `999999999999999`",
            "",
        ),
        (
            "rally german:4-6-7 --precision 0",
            "`--precision` must be a half-width from 0.000005 to below 0.5, not `0`",
            "0.001",
        ),
        (
            "rally german:4-6-7 --precision 2",
            "`--precision` must be a half-width from 0.000005 to below 0.5, not `2`",
            "0.001",
        ),
        (
            "rally german:4-6-7 --precision nan",
            "`--precision` must be a half-width from 0.000005 to below 0.5, not `nan`",
            "0.001",
        ),
        (
            "rally german:4-6-7 --trials 9 --precision 0.1",
            "the argument '--trials <N>' cannot be used with '--precision <P>'",
            "",
        ),
        (
            "rally german:4-6-7 --seed x",
            "`--seed` must be a whole number or `random`, not `x`",
            "--seed:1:1",
        ),
        (
            "rally german:4-6-7 --threads 0",
            "`--threads` must be a whole number from 1 to 1024, not `0`",
            "--threads:1:1",
        ),
        (
            "rally german:4-6-7 --terrain wods",
            "no terrain is called `wods`",
            "did you mean `woods`?",
        ),
        ("rally german:4-6-7 --own-rph od", "`own-rph` cannot be `od`", "did you mean `odd`?"),
        (
            "rally german:4-6-7 --set i99=alternative",
            "no interpretation is called `i99`",
            "--set:1:1",
        ),
        (
            "rally german:4-6-7 --set i01=alternativ",
            "`i01` has no value `alternativ`",
            "did you mean `alternative`?",
        ),
        ("rally german:4-6-7 --set i01", "expected `NAME=VALUE`", "for example i01=alternative"),
        ("rally german:4-6-7 --profile asl-v9", "no profile is called `asl-v9`", "asl-v3"),
        (
            "rally german:4-6-7 --keep-dm --terrain woods",
            "--keep-dm: DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)",
            "",
        ),
        ("rally german:4-6-7 --leader german:4-6-7", "a 4-6-7 is not a leader", "--leader:1:1"),
        (
            "rally german:4-6-7 --leader 8-1/broken",
            "a leader who is broken lends no leadership: he must be in Good Order",
            "put him into the stack",
        ),
        ("rally german:hero", "no unit in this stack can be broken", "STACK:1:1"),
        (
            "rally german:4-6-7 --format parquet",
            "--format: Parquet cannot be printed: name a file",
            "--out odds.parquet",
        ),
        (
            "rally german:4-6-7 --format xml",
            "invalid value 'xml' for '--format <FORMAT>'",
            "csv, json",
        ),
        (
            "rally german:4-6-7 --engine fast",
            "invalid value 'fast' for '--engine <ENGINE>'",
            "monte-carlo",
        ),
        (
            "trace check german:4-6-7 --mc 0 --script ''",
            "--script: the script ends after 0 roll(s), but a DR is due next",
            "",
        ),
        (
            "trace check german:4-6-7 --mc 0 --script '3,4 2,2 1'",
            "the sequence ends after 1 roll(s), but the script has 2 more",
            "--script:1:5",
        ),
        (
            "trace check 'german:9-1 + german:4-6-7' --mc 0 --script 3,4",
            "the script ends after 1 roll(s), but a DR is due next",
            "--script:1:1",
        ),
        (
            "trace check german:4-6-7 --mc 0 --script 3",
            "roll 1 of the script is a dr, but a DR is due",
            "--script:1:1",
        ),
        (
            "trace check german:4-6-7 --mc 0 --script 3,7",
            "`3,7` (roll 1) is not a valid roll: write a DR as `c,w`, coloured die first (`3,4`), a single die as one digit (`5`)",
            "--script:1:1",
        ),
        (
            "trace check german:4-6-7 --mc 0 --sequence x",
            "`--sequence` must be a whole number below 100000000000, not `x`",
            "--sequence:1:1",
        ),
        ("fire german:4-6-7", "--fp: say how much firepower attacks", "`--fp 8`"),
        (
            "fire german:4-6-7 --fp 0",
            "`fp` must be a whole number from 1 to 1000, not 0",
            "--fp:1:1",
        ),
        (
            "fire german:4-6-7 --fp 1001",
            "`fp` must be a whole number from 1 to 1000, not 1001",
            "--fp:1:1",
        ),
        (
            "fire german:4-6-7 --fp 8 --drm 21",
            "`drm` must be a whole number from -20 to 20, not 21",
            "--drm:1:1",
        ),
        (
            "fire german:4-6-7 --fp 8 --no-cowering --inexperienced",
            "--inexperienced: `inexperienced` and `no-cowering` contradict each other (A19.3)",
            "",
        ),
        (
            "fire german:4-6-7/captured --fp 8",
            "prisoners (A20.5) are not supported",
            "remove them from the stack",
        ),
        (
            "fire german:4-6-7/berserk,broken --fp 8",
            "4-6-7 is impossible: a berserk unit is not broken (A15.4)",
            "STACK:1:1",
        ),
        (
            "fire german:4-6-7 --fp 8 --enemy rusian",
            "no nation is called `rusian`",
            "did you mean `russian`?",
        ),
        (
            "fire german:4-6-7 --fp 8 --impact i99",
            "no interpretation is called `i99`",
            "--impact:1:1",
        ),
        (
            "fire hero --fp 8 --profile aslsk",
            "the Starter Kit has no counter `hero`",
            "`--profile asl-v3` has it",
        ),
        (
            "fire german:4-6-7/fanatic --fp 8 --profile aslsk",
            "the Starter Kit has no fanatic units",
            "STACK:1:1",
        ),
        (
            "interdict german:4-6-7 --hexes 2 --voluntary-rout",
            "--voluntary-rout: expected one leader who can rout with the unit, unbroken, not pinned and not berserk, not 0",
            "german:8-1 + german:4-6-7/broken",
        ),
        (
            "interdict 'german:8-1 + 2x german:4-6-7/broken' --hexes 2 --voluntary-rout",
            "--voluntary-rout: a leader can rout with one broken unit only: remove the others (A10.711)",
            "",
        ),
        ("trace fire german:4-6-7", "--fp: say how much firepower attacks", "`--fp 8`"),
        (
            "trace fire german:4-6-7 --fp 12 --script 3,4",
            "the script ends after 1 roll(s), but a DR is due next",
            "the roll due: 1MC of 4-6-7",
        ),
        (
            "trace fire '2x german:4-6-7' --fp 8 --script '1,1 3,4'",
            "roll 2 of the script is a DR, but a dr is due",
            "the roll due: Random Selection, 4-6-7 [1]",
        ),
        (
            "trace fire german:4-6-7 --fp 8 --script 3,4 --seed 1",
            "the argument '--script <DICE>' cannot be used with '--seed <N>'",
            "",
        ),
        ("sequence", "the following required arguments were not provided:", "<FILE>"),
        ("rules i99", "no interpretation is called `i99`", "ID:1:1"),
        ("units zzz", "no counter matches `zzz`", "WORDS:1:1"),
        ("units german 6-6-6", "no counter matches all of these words", "WORDS:1:1"),
        ("raly german:4-6-7", "`lowcrawl` has no command `raly`", "did you mean `rally`?"),
        ("trace chek german:4-6-7", "`trace` has no command `chek`", "did you mean `check`?"),
        (
            "rally german:4-6-7 --terain woods",
            "--terain: `lowcrawl rally` has no option `--terain`",
            "did you mean `--terrain`?",
        ),
        ("study run", "the following required arguments were not provided:", "<FILE>"),
    ] {
        let report = fails(folder.path(), line, 2);
        assert_eq!(
            report.lines().next(),
            Some(format!("error: {message}").as_str()),
            "lowcrawl {line}"
        );
        assert!(report.contains(hint), "lowcrawl {line}: no `{hint}` in\n{report}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// The command in the JSON meta is enough to repeat the question.
#[test]
fn command_in_the_meta_reproduces_the_answer() {
    let folder = folder_with_sequence(SEQUENCE);
    for question in [
        "fire 'german:8-1 + german:4-6-7' --fp 8 --drm -2 --no-cowering --no-hob --no-keu --captor --elr 4",
        "fire german-ss:6-5-8 --fp 12 --inexperienced --enemy russian --no-quarter --enemy-adjacent --profile asl-v2",
        "interdict 'german:8-1 + german:4-6-7/broken' --hexes 2 --voluntary-rout --set i07=alternative --set i10=alternative",
        "sequence turns.toml --captor --engine monte-carlo --trials 3000 --seed 4",
        "rally '2x german:4-6-7/dm + german:8-0/broken' --own-rph even --keep-dm --elr 4 --phases 2 --set i18=alternative",
        "check 'german:9-1 + german:4-6-7' --ptc --joint",
        "interdict german:4-6-7 --hexes 2 --leader '8-1'",
    ] {
        let first: Value =
            serde_json::from_str(&ok(folder.path(), &format!("{question} --format json"))).unwrap();
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
    assert!(
        fails(folder.path(), &format!("{question} --stratify 4"), 2)
            .contains("`--stratify` must be a whole number from 1 to 3")
    );
}

#[test]
fn sequence_is_printed_step_by_step() {
    let folder = folder_with_sequence(SEQUENCE);
    let shown = ok(folder.path(), "sequence turns.toml");
    for fact in [
        "german:8-1 + german:4-6-7 in a sequence of 2 steps, ELR 3",
        "step 1: fire of 4 FP +0\nstep 2: 1 Rally Phase in woods, if any is broken\n",
        "by step                         1        2\n",
        "Exact; profile asl-v3, without Heat of Battle.",
    ] {
        assert!(shown.contains(fact), "no `{fact}` in\n{shown}");
    }
    let sheet = Sheet::of_csv(ok(folder.path(), "sequence turns.toml --format csv").as_bytes());
    let first = Sheet::of_csv(
        ok(folder.path(), "fire 'german:8-1 + german:4-6-7' --fp 4 --no-hob --format csv")
            .as_bytes(),
    );
    let of_step = |step: f64| {
        sheet.rows.iter().filter(move |row| row[1] == Cell::Number(step)).map(|row| &row[2..])
    };
    assert!(
        of_step(1.0).eq(first.rows.iter().map(|row| &row[1..])),
        "the first step is not the attack alone"
    );
    assert!(of_step(2.0).count() > of_step(1.0).count());
    assert!(ok(folder.path(), "sequence turns.toml --joint").contains("After step 2:\n"));
    assert!(ok(folder.path(), "sequence turns.toml --profile aslsk").contains("profile aslsk"));
}

#[test]
fn every_step_is_named_and_applied() {
    for (stack, step, words, fact) in [
        (
            "8-1 + german:4-6-7",
            "do = 'eliminate'\nslots = [1]",
            "[1] eliminated",
            "8-1 eliminated 100.00 %",
        ),
        (
            "8-1 + german:4-6-7",
            "do = 'break'\nslots = 1",
            "Voluntary Break of [1]",
            "4-6-7 good-order 4-6-7 41.67 % pinned 4-6-7 58.33 %",
        ),
        ("4-6-7/broken", "do = 'dm'", "DM", "100.00 %"),
        ("4-6-7", "do = 'check'\nmc = 0", "NMC", "41.67 %"),
        ("4-6-7", "do = 'check'\nptc = true", "PTC", "58.33 %"),
        ("4-6-7/broken", "do = 'interdict'\nhexes = 1", "1 Interdicted hex", "2.78 %"),
        (
            "8-1 + german:4-6-7/broken",
            "do = 'interdict'\nhexes = 1\nvoluntary-rout = true",
            "1 Interdicted hex",
            "8-1: holds ",
        ),
        (
            "4-6-7/dm",
            "do = 'rally'\nleader = '8-1'\nterrain = 'woods'",
            "1 Rally Phase in woods",
            "27.78 %",
        ),
        (
            "4-6-7",
            "do = 'fire'\nfp = 8\nif = '1 broken'",
            "fire of 8 FP +0, if [1] is broken",
            "100.00 %",
        ),
        (
            "4-6-7",
            "do = 'fire'\nfp = 8\nif = 'all unbroken'",
            "fire of 8 FP +0, if all are unbroken",
            "14.04 %",
        ),
    ] {
        let folder = folder_with_sequence(&format!(
            "stack = \"german:{stack}\"\nno-hob = true\n[[step]]\n{step}\n"
        ));
        let shown = ok(folder.path(), "sequence turns.toml");
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for fact in [&format!("step 1: {words}"), fact] {
            assert!(shown.contains(fact), "{step}: no `{fact}` in\n{shown}");
        }
    }
}

#[test]
fn bad_sequence_files_are_refused_with_their_place() {
    let stack = "stack = \"german:4-6-7\"\n";
    for (text, message, place, hint) in [
        ("", "bad.toml: the stack is missing", "", "for example"),
        (stack, "a sequence needs at least one step", "1:1", "for example [[step]]"),
        ("[[step]]\ndo = 'fire'\nfp = 8\n", "the stack is missing", "1:1", "german:4-6-7"),
        ("S[[step]]\ndo = 'fire'\n", "say how much firepower attacks", "3:6", "fp = 8"),
        (
            "S[[step]]\ndo = 'fire'\nfp = 0\n",
            "`fp` must be a whole number from 1 to 1000, not 0",
            "4:6",
            "",
        ),
        (
            "S[[step]]\ndo = 'fire'\nfp = 8.5\n",
            "`1.fp` must be a whole number from 1 to 1000, not a decimal number",
            "4:6",
            "",
        ),
        (
            "S[[step]]\ndo = 'fire'\nfp = 99999999999999999999\n",
            "`1.fp` must be a whole number from 1 to 1000, not a number that is too big",
            "4:6",
            "",
        ),
        (
            "S[[step]]\ndo = 'fire'\nfp = 8\ndrm = -21\n",
            "`drm` must be a whole number from -20 to 20, not -21",
            "5:7",
            "",
        ),
        (
            "S[[step]]\ndo = 'fir'\n",
            "no kind of step is called `fir`",
            "3:7",
            "did you mean `fire`?",
        ),
        ("S[[step]]\nfp = 8\n", "step 1 has no `do`", "2:1", "do = \"fire\""),
        (
            "S[step]\ndo = 'fire'\n",
            "`step` must be a list of steps, not a table",
            "2:1",
            "[[step]]",
        ),
        (
            "S[[step]]\ndo = 'fire'\nmc = 1\n",
            "a step that does `fire` has no field `mc`",
            "4:1",
            "valid: fp, drm, cowering",
        ),
        (
            "S[[step]]\ndo = 'rally'\nterain = 'woods'\n",
            "a step that does `rally` has no field `terain`",
            "4:1",
            "`terrain`",
        ),
        (
            "S[[step]]\ndo = 'rally'\nphases = 61\n",
            "`phases` must be a whole number from 1 to 60, not 61",
            "4:10",
            "",
        ),
        (
            "S[[step]]\ndo = 'rally'\nleader = 'german:4-6-7'\n",
            "a 4-6-7 is not a leader",
            "4:10",
            "",
        ),
        (
            "S[[step]]\ndo = 'check'\nmc = 1\nptc = true\n",
            "use either a MC or a PTC, not both",
            "5:7",
            "",
        ),
        ("S[[step]]\ndo = 'eliminate'\n", "say who is eliminated", "3:6", "slots = 1"),
        (
            "S[[step]]\ndo = 'eliminate'\nslots = '1,x'\n",
            "`slots` must be slots such as 1 or `1,3`, not `1,x`",
            "4:10",
            "",
        ),
        (
            "S[[step]]\ndo = 'break'\nslots = [0]\n",
            "`slots` must be a whole number from 1 to 255, not 0",
            "4:10",
            "",
        ),
        (
            "S[[step]]\ndo = 'interdict'\n",
            "say how many Interdicted hexes are crossed",
            "3:6",
            "hexes = 2",
        ),
        (
            "S[[step]]\ndo = 'interdict'\nhexes = 1\nvoluntary-rout = true\n",
            "in a sequence the stack must be one leader and one unit (A10.711)",
            "5:18",
            "",
        ),
        (
            "S[[step]]\ndo = 'dm'\nif = 'brokn'\n",
            "no state is called `brokn`",
            "4:7",
            "did you mean `broken`?",
        ),
        (
            "S[[step]]\ndo = 'dm'\nif = '2 broken'\n",
            "`2` must be any, all, none or a slot from 1 to 1",
            "4:7",
            "`none pinned`",
        ),
        ("Sfp = 8\n[[step]]\ndo = 'dm'\n", "`sequence` has no field `fp`", "2:1", ""),
        (
            "Selr = 7\n[[step]]\ndo = 'dm'\n",
            "`elr` must be a whole number from 0 to 6, not 7",
            "2:7",
            "",
        ),
        (
            "Si01 = 'no'\n[[step]]\ndo = 'dm'\n",
            "`i01` has no value `no`",
            "2:8",
            "valid: default, alternative",
        ),
        (
            "Sprofile = 'aslsk'\n[[step]]\ndo = 'break'\nslots = 1\n",
            "the Starter Kit has no Voluntary Break (A10.41)",
            "4:6",
            "",
        ),
        ("SS", "duplicate key", "2:1", ""),
    ] {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("bad.toml"), text.replace('S', stack)).unwrap();
        let report = fails(folder.path(), "sequence bad.toml", 2);
        assert_eq!(report.lines().next(), Some(format!("error: {message}").as_str()), "{text}");
        let place =
            if place.is_empty() { String::new() } else { format!("--> bad.toml:{place}\n") };
        assert!(report.contains(&place) && report.contains(hint), "{text}\n{report}");
        assert_eq!(report, fails(folder.path(), "trace sequence bad.toml", 2));
    }
    let folder = tempdir().unwrap();
    assert!(
        fails(folder.path(), "sequence none.toml", 1)
            .starts_with("error: none.toml: No such file or directory")
    );
    assert!(fails(folder.path(), "sequence .", 1).starts_with("error: .: Is a directory"));
}

#[test]
fn trace_prints_the_probability_of_its_script() {
    let folder = folder_with_sequence(SEQUENCE);
    let pair = "'german:8-1 + german:4-6-7'";
    for (line, facts) in [
        (
            format!("trace fire {pair} --fp 12 --script '3,4 2,2 1,1 2,3'"),
            &[
                "  A7.3  attack of 12 FP: Original 7: 1MC  [11/36 like this]",
                "a hero appears: 1-4-9 [3]",
                "4-6-7 [2] Battle Hardens to 4-6-8",
                "like these, one after the other: 0.08 % (77/93312).",
            ][..],
        ),
        (
            format!("trace fire {pair} --fp 8 --no-hob --script '1,1 1 2'"),
            &[
                "Cowering",
                "1KIA  [1/36 like this]",
                "4-6-7 [2] is eliminated",
                "LLTC",
                "0.08 % (1/1296).\nNo Heat of Battle.",
            ],
        ),
        (
            "trace fire german:4-6-7 --fp 1 --drm 3 --script 6,6".to_string(),
            &["no effect  [36/36 like this]", "100.00 % (1/1)"],
        ),
        (
            "trace sequence turns.toml --script '2,3 5,6 4,4 1,1 2,2'".to_string(),
            &[
                "ELR failure: 8-1 [1] is Replaced by 8-0",
                "        end of step 1, fire of 4 FP +0: 8-1 [1] broken 8-0; 4-6-7 [2] broken\n",
                "Original 4 +0 (8-0 [1], 10.6) +4 (DM, 10.62) -1 (terrain, 10.61) = Final 7 against broken ML 7",
                "        end of step 2, 1 Rally Phase in woods: 8-1 [1] good-order 8-0; 4-6-7 [2] good-order\n",
                "like these, one after the other: 0.01 % (35/279936).\nNo Heat of Battle.",
            ],
        ),
        (
            "trace sequence turns.toml --seed 9 --sequence 3".to_string(),
            &["sequence 3 of seed 9", "end of step 2"],
        ),
    ] {
        let shown = ok(folder.path(), &line);
        for fact in facts {
            assert!(shown.contains(fact), "lowcrawl {line}: no `{fact}` in\n{shown}");
        }
    }
    let report = fails(folder.path(), "trace sequence turns.toml --script '6,6 3,3'", 2);
    assert!(
        report.starts_with("error: the sequence ends after 1 roll(s), but the script has 1 more"),
        "{report}"
    );
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
    let answer = |rest: &str| {
        Sheet::of_csv(ok(folder.path(), &format!("{question} {rest} --format csv")).as_bytes())
    };
    let [before, after] =
        ["", "--set i05=alternative"].map(|rest| by_label(&answer(rest), "probability"));
    let impact = answer("--impact i05");
    let columns = "switch,value,step,slot,unit,phase,status,counter,wounded,outcome,probability,difference,std_error";
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
fn impact_is_printed_largest_first() {
    let folder = folder_with_sequence(SEQUENCE);
    for (line, facts) in [
        (
            "check 'german:8-1 + german:4-6-7' --mc 1 --no-hob --impact",
            &[
                "switch  moves most ",
                "i05     4-6-7 [2] good-order  26.81 %  27.41 %  +0.60 %\ni02 ",
                "interpretations move nothing. ",
            ][..],
        ),
        (
            "check 'german:8-1 + german:4-6-7' --mc 1 --no-hob --impact i05",
            &[
                "to    alternative: the ML after Replacement or wound",
                "moves most ",
                "4-6-7 [2] good-order    26.81 %  27.41 %    +0.60 %",
            ],
        ),
        ("check german:4-6-7 --mc 1 --no-hob --impact i05", &["No odds of this question move."]),
        (
            "fire german:4-6-7 --fp 8 --impact sk-15.1",
            &["from  default: yes\nto    alternative: no\n"],
        ),
        ("sequence turns.toml --impact i05", &["step 1: 4-6-7 [2] "]),
        ("check german:4-6-7 --mc 1 --impact sk-15.1 --joint", &["1:good-order 4-6-7"]),
        (
            "check german:4-6-7 --mc 1 --impact sk-15.1 --engine monte-carlo --trials 5000",
            &["(+- ", "Monte Carlo, 5000 sequences"],
        ),
    ] {
        let shown = ok(folder.path(), line);
        for fact in facts {
            assert!(shown.contains(fact), "lowcrawl {line}: no `{fact}` in\n{shown}");
        }
    }
    let question = "fire german:4-6-7 --fp 8 --impact";
    let csv = Sheet::of_csv(ok(folder.path(), &format!("{question} --format csv")).as_bytes());
    ok(folder.path(), &format!("{question} --out impact.parquet"));
    assert_eq!(Sheet::of_parquet(&folder.path().join("impact.parquet")), csv);
    let markdown = ok(folder.path(), &format!("{question} --format markdown"));
    assert_markdown(&markdown, &csv, &["german:4-6-7 under fire of 8 FP", "Exact; profile asl-v3"]);
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

/// States are added up over the parts of an answer, over courses, and over the units of a rout. A
/// solution reports the same number in JSON and on the screen.
#[test]
fn number_of_states_is_reported() {
    let states = |folder: &Path, line: &str| {
        let json: Value =
            serde_json::from_str(&ok(folder, &format!("{line} --format json"))).unwrap();
        json["meta"]["states"].as_u64()
    };
    let folder = tempdir().unwrap();
    let check = "check german:4-6-7 --mc 0 --no-hob";
    assert_eq!(states(folder.path(), check), Some(1));
    assert_eq!(
        states(folder.path(), "check 'german:4-6-7 + german:4-6-8' --mc 0 --no-hob"),
        Some(2)
    );
    assert_eq!(states(folder.path(), &format!("{check} --engine monte-carlo --trials 100")), None);
    let both = "check 'german:8-1 + 4x german:4-6-7' --mc 1 --trials 100";
    assert!(states(folder.path(), both).is_some_and(|states| states > 5));
    let text = "question = \"rally\"\nobjective = \"good-order\"\n[base]\nstack = \"german:4-6-7/dm\"\nno-hob = true\n\
        [[course]]\nname = \"one\"\nphases = 1\n[[course]]\nname = \"two\"\nphases = 1\nterrain = \"woods\"\n";
    fs::write(folder.path().join("a.toml"), text).unwrap();
    let rally = states(folder.path(), "rally german:4-6-7/dm --no-hob --phases 1");
    assert_eq!((rally, states(folder.path(), "compare a.toml")), (Some(2), Some(4)));
    let solved = states(folder.path(), "solve a.toml").unwrap();
    assert!(ok(folder.path(), "solve a.toml").contains(&format!("{solved} states")));
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rout = |rest: &str| states(home, &format!("rout studies/rout/{rest}")).unwrap();
    assert_eq!(rout("sk08.toml"), 1);
    assert!(rout("a10-533-nearest.toml") < rout("a10-533-nearest.toml --orders"));
    assert!(rout("two-turns-to-cover.toml") < rout("two-turns-to-cover.toml --turns 2"));
}

#[test]
fn conditions_around_the_location_change_heat_of_battle() {
    let folder = tempdir().unwrap();
    let statuses = |rest: &str| {
        let csv = ok(folder.path(), &format!("check german:4-6-7 --mc 0 {rest} --format csv"));
        Sheet::of_csv(csv.as_bytes()).column("status")
    };
    for (rest, present, absent) in [
        ("", "berserk disrupted", "captured"),
        ("--no-hob", "", "berserk disrupted captured"),
        ("--no-keu", "disrupted", "berserk captured"),
        ("--captor", "berserk captured", "disrupted"),
        ("--captor --no-quarter", "berserk", "captured"),
        ("--profile aslsk", "", "berserk disrupted captured"),
    ] {
        let found = statuses(rest);
        assert!(
            present.split_whitespace().all(|status| found.contains(&Cell::of(status))),
            "{rest}: {found:?}"
        );
        assert!(
            absent.split_whitespace().all(|status| !found.contains(&Cell::of(status))),
            "{rest}: {found:?}"
        );
    }
}
