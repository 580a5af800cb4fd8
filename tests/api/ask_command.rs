#![cfg(feature = "cli")]
//! The commands `ask` and `describe`. Requests come from a file or standard input, one in all or
//! one per line. A fault takes the place of its answer.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::tempdir;

const RALLY: &str = r#"{"kind": "rally", "stack": "german:4-6-7/dm", "leader": "8-1"}"#;
const CHECK: &str = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 1}"#;
const BAD: &str = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 9}"#;

/// Runs a command in a folder with a text as standard input; returns exit code, standard output and
/// standard error.
fn run(folder: &Path, words: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command
        .current_dir(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no standard input may have closed it.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs `ask` on a file with this text.
fn ask(text: &str) -> (Option<i32>, String, String) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("requests.json"), text).unwrap();
    run(folder.path(), &["ask", "requests.json"], b"")
}

/// Parses answers in JSON, one per line.
fn lines(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn multiline_request_gets_a_multiline_answer() {
    let pretty =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(RALLY).unwrap()).unwrap();
    let (code, stdout, stderr) = ask(&pretty);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.lines().count() > 20, "{stdout}");
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    let (_, line, _) = ask(RALLY);
    assert_eq!(line.lines().count(), 1);
    assert_eq!(answer["rows"], lines(&line)[0]["rows"]);
    assert_eq!(answer["meta"]["question"], lines(&line)[0]["meta"]["question"]);
    // A fault in a request of several lines names its line.
    let (code, stdout, _) = ask(&pretty.replace("german:", "grman:"));
    let fault: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (code, fault["fault"]["line"].as_u64(), fault["fault"]["near"][0].as_str()),
        (Some(2), Some(3), Some("german"))
    );
}

#[test]
fn bad_line_gets_its_fault_and_other_lines_are_answered() {
    let (code, stdout, stderr) = ask(&format!("{RALLY}\n{BAD}\n\n{{\"kind\": rally}}\n{CHECK}\n"));
    assert_eq!(
        (code, stderr.as_str()),
        (Some(2), "error: 2 of 4 requests answered with a `fault`\n")
    );
    let answers = lines(&stdout);
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["rows"][0]["status"], "rallied");
    assert_eq!(answers[1]["fault"]["message"], "`mc` must be a whole number from 0 to 6, not 9");
    assert_eq!(
        (answers[1]["fault"]["line"].as_u64(), answers[1]["fault"]["column"].as_u64()),
        (Some(1), Some(50))
    );
    assert_eq!(answers[2]["fault"]["message"], "expected value");
    assert_eq!(answers[3]["rows"][0]["status"], "good-order");
}

#[test]
fn crlf_lines_get_the_same_answers() {
    let (_, plain, _) = ask(&format!("{RALLY}\n\n{CHECK}\n"));
    let (code, stdout, stderr) = ask(&format!("{RALLY}\r\n\r\n{CHECK}\r\n"));
    assert_eq!((code, stdout, stderr.as_str()), (Some(0), plain, ""));
}

#[test]
fn empty_file_gets_no_answers() {
    for text in ["", "\n", "\r\n \n\t\n"] {
        assert_eq!(ask(text), (Some(0), String::new(), String::new()), "{text:?}");
    }
}

#[test]
fn dash_reads_standard_input() {
    let folder = tempdir().unwrap();
    let (code, stdout, stderr) =
        run(folder.path(), &["ask", "-"], format!("{RALLY}\n{CHECK}").as_bytes());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let (_, of_file, _) = ask(&format!("{RALLY}\n{CHECK}"));
    assert_eq!(stdout, of_file);
    // Text that is not UTF-8 is no JSON.
    let (code, stdout, _) = run(folder.path(), &["ask", "-"], b"{\"kind\": \xff}\n");
    assert_eq!(
        (code, lines(&stdout)[0]["fault"]["message"].as_str()),
        (Some(2), Some("expected value"))
    );
}

/// Writes parts to a pipe that stays open, and returns the first `wanted` lines of the answers.
fn while_open(words: &[&str], parts: &[&str], wanted: usize) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lowcrawl"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, answers) = std::sync::mpsc::channel();
    let read = move || {
        let mut lines = BufReader::new(stdout).lines();
        while lines.next().is_some_and(|line| sender.send(line.unwrap()).is_ok()) {}
    };
    let reader = std::thread::spawn(read);
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            std::thread::sleep(Duration::from_millis(400));
        }
        stdin.write_all(part.as_bytes()).unwrap();
    }
    let line = |_| answers.recv_timeout(Duration::from_secs(120));
    let lines: Result<Vec<String>, _> = (0..wanted).map(line).collect();
    drop(stdin);
    child.wait().unwrap();
    reader.join().unwrap();
    let lines = lines.unwrap_or_else(|error| panic!("nothing is answered to {parts:?}: {error}"));
    assert_eq!(answers.try_iter().collect::<Vec<_>>(), Vec::<String>::new(), "{parts:?}");
    lines.join("\n")
}

#[test]
fn incomplete_line_does_not_stop_a_stream() {
    let (cut, good) = ("{\"kind\":\"rally\",\n", format!("{CHECK}\n"));
    let many = "{\"kind\":\n".repeat(8000);
    let cases: [(&[&str], &[&str], usize, u64); 6] = [
        (&["ask", "-"], &[cut, &good], 1, 2),
        (&["ask", "-"], &["\n", cut, &good], 1, 3),
        // The first part ends inside a line.
        (&["ask", "-"], &["{\"kind\":\n{\"kind\"", ":\n", &good], 2, 3),
        // The part is larger than one read of the pipe.
        (&["ask", "-"], &[&many, &good], 8000, 8001),
        (&["ask", "-", "--lines"], &[&(cut.to_string() + &good)], 1, 2),
        (&["ask", "--lines", "-"], &["{\n", "}\n", &good], 2, 3),
    ];
    for (words, parts, faults, line) in cases {
        let answers = lines(&while_open(words, parts, faults + 1));
        assert!(answers[..faults].iter().all(|answer| answer["fault"].is_object()), "{parts:?}");
        assert_eq!(answers[faults]["line"].as_u64(), Some(line), "{parts:?}");
        assert_eq!(answers[faults]["rows"][0]["status"], "good-order", "{parts:?}");
    }
}

/// Text that arrives in one piece is one request, as in a file. It is answered before the pipe
/// ends.
#[test]
fn multiline_request_can_be_piped() {
    let folder = tempdir().unwrap();
    let pretty =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(RALLY).unwrap()).unwrap();
    let (_, of_file, _) = ask(&pretty);
    let (code, stdout, _) = run(folder.path(), &["ask", "-"], pretty.as_bytes());
    assert_eq!((code, &stdout), (Some(0), &of_file));
    let length = of_file.lines().count();
    let output = while_open(&["ask", "-"], &[&pretty, &format!("\n{CHECK}\n")], length + 1);
    let (first, second) = output.rsplit_once('\n').unwrap();
    assert_eq!(first, of_file.trim_end());
    assert_eq!(lines(second)[0]["line"], pretty.lines().count() + 1);
    // A file has an end, so a request that begins in its first line may be long.
    let long = pretty.replace("\"kind\"", &format!("{}\"kind\"", "\n".repeat(70_000)));
    fs::write(folder.path().join("long.json"), &long).unwrap();
    let (code, stdout, _) = run(folder.path(), &["ask", "long.json"], b"");
    let rows = |text: &str| serde_json::from_str::<Value>(text).unwrap()["rows"].clone();
    assert_eq!((code, rows(&stdout)), (Some(0), rows(&of_file)));
    #[cfg(unix)]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_lowcrawl"))
            .args(["ask", "-"])
            .stdin(fs::File::open(folder.path().join("long.json")).unwrap())
            .output()
            .unwrap();
        assert_eq!(rows(&String::from_utf8(output.stdout).unwrap()), rows(&of_file));
    }
}

/// In a file too, a complete request after an incomplete line is answered.
#[test]
fn incomplete_line_does_not_stop_a_file() {
    let (code, stdout, stderr) = ask(&format!("{{\"kind\":\"rally\",\n{CHECK}\n"));
    let complaint = "error: 1 of 2 requests answered with a `fault`\n";
    assert_eq!((code, stderr.as_str()), (Some(2), complaint));
    let answers = lines(&stdout);
    assert_eq!(answers[0]["fault"]["message"], "EOF while parsing an object");
    assert_eq!(answers[1]["rows"][0]["status"], "good-order");
}

#[test]
fn command_of_an_answer_reproduces_it() {
    let (_, stdout, _) = ask(&RALLY.replace("leader", "about\": \"it's\", \"leader"));
    let answer = &lines(&stdout)[0];
    let command = answer["meta"]["command"].as_str().unwrap();
    let request = command
        .strip_prefix("printf %s '")
        .and_then(|rest| rest.strip_suffix("' | lowcrawl ask -"))
        .unwrap();
    let (_, again, _) = ask(&request.replace(r"'\''", "'"));
    assert_eq!(
        (&lines(&again)[0]["rows"], lines(&again)[0]["meta"]["command"].as_str()),
        (&answer["rows"], Some(command))
    );
}

#[test]
fn missing_file_is_reported() {
    let folder = tempdir().unwrap();
    let (code, stdout, stderr) = run(folder.path(), &["ask", "none.json"], b"");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.starts_with("error: none.json: "), "{stderr}");
    assert!(stderr.contains("help: check the name"), "{stderr}");
}

#[test]
fn tables_are_found_next_to_the_situation_file() {
    let folder = tempdir().unwrap();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    let board = "hex,terrain,level\nA1,open-ground,0\nA2,woods,0\nB1,open-ground,0\nB2,open-ground,0\nC1,open-ground,0\nC2,open-ground,0\n";
    fs::write(below.join("board.csv"), board).unwrap();
    let units = r#""rout": [{"unit": "german:4-6-7/dm", "at": "A1"}], "enemy": [{"unit": "american:6-6-6", "at": "C2"}]"#;
    let named = format!(r#"{{"kind": "rout", "board": {{"hexes": "board.csv"}}, {units}}}"#);
    fs::write(below.join("rout.json"), &named).unwrap();
    let (code, stdout, stderr) = run(folder.path(), &["ask", "below/rout.json"], b"");
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    // A table inside the request gives the same answer.
    let inline = named.replace("\"board.csv\"", &serde_json::to_string(board).unwrap());
    let (_, inlined, _) = run(folder.path(), &["ask", "-"], inline.as_bytes());
    assert_eq!(lines(&stdout)[0]["rows"], lines(&inlined)[0]["rows"]);
    assert!(lines(&stdout)[0]["rows"].as_array().is_some_and(|rows| !rows.is_empty()));
    // Standard input has no folder, so the table is not found.
    let (code, stdout, _) = run(folder.path(), &["ask", "-"], named.as_bytes());
    let fault = &lines(&stdout)[0]["fault"]["message"];
    assert!(code == Some(2) && fault.as_str().unwrap().starts_with("`board.csv`: "), "{fault}");
}

#[test]
fn one_described_kind_equals_its_part_of_the_whole() {
    let folder = tempdir().unwrap();
    let describe = |words: &[&str]| {
        let (code, stdout, stderr) = run(folder.path(), words, b"");
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{words:?}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let all = describe(&["describe"]);
    assert_eq!(describe(&["describe", "--format", "json"]), all);
    for system in all["systems"].as_array().unwrap() {
        let name = system["name"].as_str().unwrap();
        assert_eq!(describe(&["describe", name]), *system);
        for kind in system["kinds"].as_array().unwrap() {
            assert_eq!(describe(&["describe", name, kind["name"].as_str().unwrap()]), *kind);
        }
    }
    for (words, near) in [
        (["describe", "fortitud", "recover"], "fortitude"),
        (["describe", "asl", "ralley"], "rally"),
    ] {
        let (code, stdout, stderr) = run(folder.path(), &words, b"");
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert!(stderr.contains(&format!("did you mean `{near}`?")), "{stderr}");
    }
}
