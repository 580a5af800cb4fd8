#![cfg(feature = "cli")]
//! The built binary: every command, every format, every kind of bad input.

mod shell;

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use shell::{Cell, Sheet, fails, lowcrawl, names, ok, parquet_meta};
use tempfile::tempdir;

const COLUMNS: &str = "case,slot,unit,phase,status,counter,wounded,probability,std_error,ci_low,ci_high,count,trials,fraction";
const JOINT: &str = "check '9-1 + 2x german:4-6-7' --mc 1 --joint";
/// A stack whose joint process is above the bound of the exact engine.
const TOO_BIG: &str = "check '9-1 + 8-1 + 2x german:4-6-7 + german:4-6-8 + 2x german:4-3-6' --mc 1 --joint";

#[test]
fn every_command_answers() {
    let folder = tempdir().unwrap();
    for (line, fact) in [
        ("rally 4-6-7/dm --leader 8-1 --terrain woods --phases 1 --no-hob", "27.78 % (5/18)"),
        ("rally 4-6-7 --leader 8-1 --dm --terrain woods --phases 2 --no-hob", "4-6-7 rallies in the first phase: 27.78 % (5/18)"),
        ("rally '2x german:4-6-7 + german:8-1' --own-rph never --phases 1 --no-hob", "8-1 [3] rallies: "),
        ("check german:4-6-7 --mc 0 --no-hob", "4-6-7 is unharmed: 41.67 % (5/12)."),
        ("check german:4-6-7 --ptc --no-hob", "PTC of german:4-6-7"),
        ("check 'german:9-1 + 4-6-7' --mc 1 --elr 2 --set i01=alternative --no-hob", "Interpretation i01: alternative."),
        ("interdict german:4-6-7 --hexes 1 --no-hob", "4-6-7 gets through: 80.56 % (29/36)"),
        ("interdict german:4-6-7 --hexes 2 --leader 9-1 --no-hob", "through     4-6-7  34.03 % (49/144)"),
        ("units german leader", "ger_ldr_9-1   german  9-1"),
        ("rules i01", "i01  Which Original DR pins"),
        ("rules", "i20"),
        ("trace check german:4-6-7 --mc 1 --script 3,4", " A10.1  1MC of 4-6-7: Original 7 +1 (1MC) = Final 8 against ML 7"),
        (
            "trace rally german:4-6-7 --phases 1 --script 1,3",
            "Rally attempt of 4-6-7: Original 4 +1 (Self-Rally, 10.63) = Final 5",
        ),
        ("trace interdict german:4-6-7 --hexes 1 --script 3,4", "4-6-7 is pinned: its rout is over"),
        ("trace interdict german:4-6-7 --hexes 3 --seed 7 --sequence 41", "sequence 41 of seed 7"),
        ("completions bash", "_lowcrawl()"),
        ("completions zsh", "#compdef lowcrawl"),
        ("completions fish", "complete -c lowcrawl"),
        ("--version", concat!("lowcrawl ", env!("CARGO_PKG_VERSION"))),
        ("--help", "interdict"),
        ("check --help", "--ptc"),
        ("rally --help", "--own-rph"),
        ("interdict --help", "--hexes"),
        ("study --help", "run"),
        ("study run --help", "--fresh"),
        ("trace --help", "interdict"),
        ("trace check --help", "--script"),
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
    for question in [rally, stack, JOINT, &format!("{stack} {estimate}"), &format!("{JOINT} {estimate}")] {
        let folder = tempdir().unwrap();
        let format = |name: &str| ok(folder.path(), &format!("{question} --format {name}"));
        let csv = Sheet::of_csv(format("csv").as_bytes());
        let columns =
            if question.contains("--joint") { COLUMNS.replace("wounded", "wounded,outcome") } else { COLUMNS.to_string() };
        assert_eq!(csv.columns.join(","), columns);
        csv.assert_sums();
        let exact = !question.contains(estimate);
        assert!(csv.column("fraction").iter().all(|cell| (*cell != Cell::Null) == exact));
        for name in ["std_error", "ci_low", "ci_high", "count", "trials"] {
            assert!(csv.column(name).iter().all(|cell| (*cell == Cell::Null) == exact), "{question}: {name}");
        }

        let text = format("json");
        assert_eq!(of_json(&text), csv, "{question}: JSON");
        let json: Value = serde_json::from_str(&text).unwrap();
        for key in ["version", "command", "profile", "switches", "engine", "arithmetic", "sampler", "seed", "trials"] {
            assert!(json["meta"].get(key).is_some(), "meta has no {key}");
        }
        assert_eq!(json["meta"]["engine"], if exact { "exact" } else { "monte-carlo" });
        assert_eq!(json["rows"][0]["unit_id"].is_null(), question.contains("--joint"));

        assert_eq!(of_markdown(&format("markdown")), csv, "{question}: Markdown");
        let mut lines = csv.rows.iter();
        for line in format("table").lines().skip(1) {
            let cells: Vec<Cell> = line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(Cell::of).collect();
            let expected: Vec<Cell> = lines.next().unwrap().iter().filter(|cell| **cell != Cell::Null).cloned().collect();
            assert_eq!(cells, expected, "{question}: table");
        }
        assert!(lines.next().is_none());

        ok(folder.path(), &format!("{question} --format parquet --out odds.parquet"));
        let parquet = folder.path().join("odds.parquet");
        assert_eq!(Sheet::of_parquet(&parquet), csv, "{question}: Parquet");
        let meta = parquet_meta(&parquet);
        for (key, value) in json["meta"].as_object().unwrap() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            assert_eq!(meta.get(key), Some(&value), "{question}: Parquet metadata {key}");
        }
    }
}

/// The rows of a JSON answer; numbers are read from its text, since serde_json may read them one bit off.
fn of_json(text: &str) -> Sheet {
    let json: Value = serde_json::from_str(text).unwrap();
    let mut words =
        text.split("\"rows\": [").nth(1).unwrap().lines().filter_map(|line| line.split_once("\": ")).map(|(_, word)| word);
    let mut cell = |value: &Value| match (value, words.next().unwrap().trim_end_matches(',')) {
        (Value::Null, "null") => Cell::Null,
        (Value::String(text), _) => Cell::Text(text.clone()),
        (_, word) => Cell::of(word),
    };
    let rows: Vec<_> = json["rows"].as_array().unwrap().iter().map(|row| row.as_object().unwrap()).collect();
    let mut columns: Vec<String> = rows[0].keys().cloned().collect();
    assert_eq!(columns.pop().as_deref(), Some("unit_id"));
    let mut row = |row: &serde_json::Map<String, Value>| {
        let mut cells: Vec<Cell> = row.values().map(&mut cell).collect();
        cells.pop();
        cells
    };
    Sheet { rows: rows.into_iter().map(&mut row).collect(), columns }
}

fn of_markdown(text: &str) -> Sheet {
    let split = |line: &str| line.trim_matches('|').split('|').map(|word| word.trim().to_string()).collect::<Vec<_>>();
    let mut lines = text.lines().map(split);
    let columns = lines.next().unwrap();
    let rule = lines.next().unwrap();
    assert!(rule.iter().all(|word| word.trim_matches('-').is_empty()), "{rule:?}");
    Sheet { columns, rows: lines.map(|line| line.iter().map(|word| Cell::of(word)).collect()).collect() }
}

#[test]
fn a_seed_fixes_the_result_whatever_the_threads() {
    let folder = tempdir().unwrap();
    for question in
        ["rally german:4-6-7 --leader 8-1 --engine monte-carlo --trials 300_000", &format!("{TOO_BIG} --trials 200000")]
    {
        let run = |rest: &str| ok(folder.path(), &format!("{question} --format csv {rest}"));
        let one = run("--seed 5 --threads 1");
        assert_eq!(run("--seed 5 --threads 2"), one);
        assert_eq!(run("--seed 5 --threads 7"), one);
        assert_ne!(run("--seed 6"), one);
        assert_eq!(run(""), run("--seed 36"), "the default seed is 36");
    }
}

#[test]
fn a_random_seed_is_told_and_reproduces_the_run() {
    let folder = tempdir().unwrap();
    let run = |seed: &str| -> Value {
        let question = "rally german:4-6-7 --leader 8-1 --engine monte-carlo --trials 70000 --format json";
        serde_json::from_str(&ok(folder.path(), &format!("{question} --seed {seed}"))).unwrap()
    };
    let (first, second) = (run("random"), run("random"));
    assert_ne!(first["meta"]["seed"], second["meta"]["seed"]);
    assert_eq!(run(&first["meta"]["seed"].to_string())["rows"], first["rows"]);
}

#[test]
fn precision_chooses_the_trials() {
    let folder = tempdir().unwrap();
    for half_width in ["0.01", "0.002"] {
        let question = format!("rally german:4-6-7 --leader 8-1 --engine monte-carlo --precision {half_width} --format json");
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
fn a_process_too_big_is_refused_or_simulated() {
    let folder = tempdir().unwrap();
    let message = fails(folder.path(), &format!("{TOO_BIG} --engine exact"), 2);
    assert!(message.starts_with("error: more than ") && message.contains("help: `--engine monte-carlo`"), "{message}");
    let json: Value =
        serde_json::from_str(&ok(folder.path(), &format!("{TOO_BIG} --engine auto --trials 5000 --format json"))).unwrap();
    assert_eq!(json["meta"]["engine"], "monte-carlo");
    assert!(json["meta"]["reason"].as_str().unwrap().starts_with("too big to be exact"), "{}", json["meta"]);
    assert!(ok(folder.path(), &format!("{TOO_BIG} --trials 5000")).contains("too big to be exact"));
}

#[test]
fn joint_rows_tell_of_the_whole_stack() {
    let folder = tempdir().unwrap();
    let sheet = Sheet::of_csv(ok(folder.path(), &format!("{JOINT} --format csv")).as_bytes());
    for name in ["slot", "unit", "phase", "status", "counter", "wounded"] {
        assert!(sheet.column(name).iter().all(|cell| *cell == Cell::Null), "{name}");
    }
    sheet.assert_sums();
    let outcomes = sheet.column("outcome");
    assert!(outcomes.contains(&Cell::Text("1:good-order 9-1; 2:pinned 4-6-7; 3:broken 4-6-7".to_string())), "{outcomes:?}");
    assert!((0..outcomes.len()).all(|row| !outcomes[..row].contains(&outcomes[row])), "an outcome has two rows");
}

#[test]
fn a_file_appears_when_it_is_complete_or_not_at_all() {
    let folder = tempdir().unwrap();
    let question = "rally german:4-6-7 --phases 2";
    for format in ["table", "csv", "json", "markdown"] {
        let shown = ok(folder.path(), &format!("{question} --format {format}"));
        assert_eq!(ok(folder.path(), &format!("{question} --format {format} --out odds.{format}")), "");
        assert_eq!(fs::read_to_string(folder.path().join(format!("odds.{format}"))).unwrap(), shown);
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
            let message = fails(folder.path(), &format!("{question} --format {format} --out {out}"), 1);
            assert!(message.starts_with(&format!("error: {place}: {problem}")), "{message}");
        }
    }
    fs::remove_dir(folder.path().join("dir")).unwrap();
    assert_eq!(names(folder.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not_told() {
    let run = |line: &str, stdout: Stdio| {
        let binary = env!("CARGO_BIN_EXE_lowcrawl");
        Command::new(binary).args(shell::words(line)).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap()
    };
    for line in [
        "rally german:4-6-7",
        "units",
        "rules",
        "completions bash",
        "trace rally german:4-6-7 --phases 1",
        "rally german:4-6-7 --format csv",
    ] {
        let output = run(line, File::create("/dev/full").unwrap().into()).wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "lowcrawl {line}");
        assert!(message.starts_with("error: standard output: No space left on device"), "lowcrawl {line}: {message}");

        let mut child = run(line, Stdio::piped());
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "lowcrawl {line}, closed pipe");
    }
}

#[test]
fn bad_input_is_named() {
    let folder = tempdir().unwrap();
    for (line, message, hint) in [
        ("check german:4-6-9 --mc 0", "no counter is printed `german:4-6-9`", "nearest: 4-6-7, 4-6-8"),
        ("check grman:4-6-7 --mc 0", "no nation is called `grman`", "did you mean `german`?"),
        ("check german:4-6-7/brokn --mc 0", "no condition is called `brokn`", "did you mean `broken`?"),
        ("check 9-1 --mc 0", "`9-1` is printed by several nations, and they differ", "german:9-1"),
        ("check german:2-3-7 --mc 0", "`2-3-7` is printed on several german counters", "id:ger_2_237, id:ger_2s_237"),
        ("check german:4-6-7/wounded --mc 0", "an impossible 4-6-7: only an SMC can be wounded (A17.1)", "STACK:1:1"),
        ("check 'german:4-6-7+german:4-6-7' --mc 0", "no counter is printed `german:4-6-7+german:4-6-7`", "write ` + `"),
        ("check 'german:4-6-7 +' --mc 0", "a counter is missing after `+`", "STACK:1:14"),
        ("check '13x german:4-6-7' --mc 0", "expected a number of counters from 1 to 12", "13x"),
        ("check '' --mc 0", "STACK: an empty stack: expected a counter", "german:4-6-7"),
        ("check '🦀' --mc 0", "no counter is printed `🦀`", "lowcrawl units"),
        ("check german:4-6-7 --mc 99", "`mc` must be a whole number from 0 to 6, not 99", "--mc:1:1"),
        ("check german:4-6-7 --mc -1", "`mc` must be a whole number from 0 to 6, not -1", "--mc:1:1"),
        ("check german:4-6-7 --mc x", "`mc` must be a whole number from 0 to 6, not `x`", "--mc:1:1"),
        ("check german:4-6-7", "--mc: say which check: a MC or a PTC", "`--mc 0`"),
        ("check german:4-6-7 --mc 1 --ptc", "--ptc: either a MC or a PTC, not both", ""),
        ("interdict german:4-6-7", "--hexes: say how many Interdicted hexes are crossed", "`--hexes 2`"),
        ("interdict german:4-6-7 --hexes 0", "`hexes` must be a whole number from 1 to 6, not 0", "6 MF"),
        ("interdict german:4-6-7 --hexes 7", "`hexes` must be a whole number from 1 to 6, not 7", "6 MF"),
        ("rally german:4-6-7 --phases 0", "`phases` must be a whole number from 1 to 60, not 0", "--phases:1:1"),
        ("rally german:4-6-7 --elr 9", "`elr` must be a whole number from 0 to 6, not 9", "--elr:1:1"),
        ("rally german:4-6-7 --trials 0", "`--trials` must be a whole number from 1 to 100000000000, not `0`", ""),
        (
            "rally german:4-6-7 --trials 999999999999999",
            "`--trials` must be a whole number from 1 to 100000000000, not `999999999999999`",
            "",
        ),
        ("rally german:4-6-7 --precision 0", "`--precision` must be a half-width from 0.000005 to below 0.5, not `0`", "0.001"),
        ("rally german:4-6-7 --precision 2", "`--precision` must be a half-width from 0.000005 to below 0.5, not `2`", "0.001"),
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
        ("rally german:4-6-7 --seed x", "`--seed` must be a whole number or `random`, not `x`", "--seed:1:1"),
        ("rally german:4-6-7 --threads 0", "`--threads` must be a whole number from 1 to 1024, not `0`", "--threads:1:1"),
        ("rally german:4-6-7 --terrain wods", "no terrain is called `wods`", "did you mean `woods`?"),
        ("rally german:4-6-7 --own-rph od", "`own-rph` cannot be `od`", "did you mean `odd`?"),
        ("rally german:4-6-7 --set i99=alternative", "no interpretation is called `i99`", "--set:1:1"),
        ("rally german:4-6-7 --set i01=alternativ", "`i01` has no value `alternativ`", "did you mean `alternative`?"),
        ("rally german:4-6-7 --set i01", "expected `ID=VALUE`", "for example i01=alternative"),
        ("rally german:4-6-7 --profile asl-v9", "no profile is called `asl-v9`", "asl-v3"),
        (
            "rally german:4-6-7 --keep-dm --terrain woods",
            "--keep-dm: DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)",
            "",
        ),
        ("rally german:4-6-7 --leader german:4-6-7", "a 4-6-7 is no leader", "--leader:1:1"),
        (
            "rally german:4-6-7 --leader 8-1/broken",
            "a leader who is broken lends no leadership: he must be in Good Order",
            "put him into the stack",
        ),
        ("rally german:hero", "nobody in this stack can be broken", "STACK:1:1"),
        ("rally german:4-6-7 --format parquet", "--format: Parquet is no text: say where it goes", "--out odds.parquet"),
        ("rally german:4-6-7 --format xml", "invalid value 'xml' for '--format <FORMAT>'", "csv, json"),
        ("rally german:4-6-7 --engine fast", "invalid value 'fast' for '--engine <ENGINE>'", "monte-carlo"),
        ("trace check german:4-6-7 --mc 0 --script ''", "--script: the script ends after 0 roll(s), but a DR is due next", ""),
        (
            "trace check german:4-6-7 --mc 0 --script '3,4 2,2 1'",
            "the sequence is over after 1 roll(s), but the script has 2 more",
            "--script:1:5",
        ),
        (
            "trace check 'german:9-1 + german:4-6-7' --mc 0 --script 3,4",
            "the script ends after 1 roll(s), but a DR is due next",
            "--script:1:1",
        ),
        ("trace check german:4-6-7 --mc 0 --script 3", "roll 1 of the script is a dr, but a DR is due", "--script:1:1"),
        (
            "trace check german:4-6-7 --mc 0 --script 3,7",
            "`3,7` (roll 1) is no roll: write a DR as `c,w`, coloured die first (`3,4`), a dr as one digit (`5`)",
            "--script:1:1",
        ),
        (
            "trace check german:4-6-7 --mc 0 --sequence x",
            "`--sequence` must be a whole number below 100000000000, not `x`",
            "--sequence:1:1",
        ),
        ("rules i99", "no interpretation is called `i99`", "ID:1:1"),
        ("units zzz", "no counter fits all of these words", "WORDS:1:1"),
        ("raly german:4-6-7", "unrecognized subcommand 'raly'", "'rally'"),
        ("trace chek german:4-6-7", "unrecognized subcommand 'chek'", "'check'"),
        ("rally german:4-6-7 --terain woods", "unexpected argument '--terain' found", "'--terrain'"),
        ("study run", "the following required arguments were not provided:", "<FILE>"),
    ] {
        let report = fails(folder.path(), line, 2);
        assert_eq!(report.lines().next(), Some(format!("error: {message}").as_str()), "lowcrawl {line}");
        assert!(report.contains(hint), "lowcrawl {line}: no `{hint}` in\n{report}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Every `lowcrawl` command in a `sh` block of the README, as a shell would run it.
#[test]
fn every_command_of_the_readme_works() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(home.join("README.md")).unwrap().replace("\\\n", " ");
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let command = |line: &str| Some(line.strip_prefix("cargo run --release -- ").or(line.strip_prefix("lowcrawl "))?.to_string());
    let commands: Vec<String> = blocks.flat_map(str::lines).map(str::trim).filter_map(command).collect();
    assert!(commands.len() >= 8, "only {} commands found: {commands:?}", commands.len());

    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("studies")).unwrap();
    for name in names(&home.join("studies")) {
        fs::copy(home.join("studies").join(&name), folder.path().join("studies").join(&name)).unwrap();
    }
    let binary = std::path::PathBuf::from(env!("CARGO_BIN_EXE_lowcrawl"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    for command in commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("lowcrawl {command}")]).env("PATH", &path).current_dir(folder.path());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "lowcrawl {command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The fields of a question in the JSON meta are enough to ask it again.
#[test]
fn the_command_in_the_meta_asks_the_same_again() {
    let folder = tempdir().unwrap();
    for question in [
        "rally '2x german:4-6-7/dm + german:8-0/broken' --own-rph even --keep-dm --elr 4 --phases 2 --set i18=alternative",
        "check 'german:9-1 + german:4-6-7' --ptc --joint",
        "interdict german:4-6-7 --hexes 2 --leader '8-1'",
    ] {
        let first: Value = serde_json::from_str(&ok(folder.path(), &format!("{question} --format json"))).unwrap();
        let command = first["meta"]["command"].as_str().unwrap().strip_prefix("lowcrawl ").unwrap();
        let output = lowcrawl(folder.path(), &format!("{command} --format json")).output().unwrap();
        let second: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(second, first);
    }
}

#[test]
fn stratified_rolls_cut_the_error() {
    let folder = tempdir().unwrap();
    let question = "rally german:4-6-7/dm --leader 8-1 --phases 2 --no-hob --engine monte-carlo --trials 100000 --format csv";
    let plain = Sheet::of_csv(ok(folder.path(), question).as_bytes());
    let stratified = Sheet::of_csv(ok(folder.path(), &format!("{question} --stratify 1")).as_bytes());
    assert_eq!(stratified.column("trials")[0], Cell::Number(100_008.0));
    // The first attempt is decided by the first DR: no error is left.
    assert_eq!(stratified.column("std_error")[0], Cell::Number(0.0));
    let sum = |sheet: &Sheet| sheet.column("std_error").iter().map(Cell::number).sum::<f64>();
    assert!(sum(&stratified) < 0.7 * sum(&plain));
    assert!(
        fails(folder.path(), &format!("{question} --stratify 4"), 2).contains("`--stratify` must be a whole number from 1 to 3")
    );
}
