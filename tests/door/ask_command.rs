#![cfg(feature = "cli")]
//! `ask` and `describe`: requests from a file or standard input, one or one a line; faults in their
//! place among the answers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::tempdir;

const RALLY: &str = r#"{"kind": "rally", "stack": "german:4-6-7/dm", "leader": "8-1"}"#;
const CHECK: &str = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 1}"#;
const BAD: &str = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 9}"#;

/// Exit code, standard output and standard error of a command in a folder that is given a text.
fn run(folder: &Path, words: &[&str], given: &[u8]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command
        .current_dir(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who reads no standard input has closed it.
    let _ = child.stdin.take().unwrap().write_all(given);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What a file of requests is answered with.
fn asked(text: &str) -> (Option<i32>, String, String) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("requests.json"), text).unwrap();
    run(folder.path(), &["ask", "requests.json"], b"")
}

/// Answers that stand one a line.
fn lines(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn a_request_over_several_lines_is_answered_over_several() {
    let pretty =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(RALLY).unwrap()).unwrap();
    let (code, stdout, stderr) = asked(&pretty);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.lines().count() > 20, "{stdout}");
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    let (_, line, _) = asked(RALLY);
    assert_eq!(line.lines().count(), 1);
    assert_eq!(answer["rows"], lines(&line)[0]["rows"]);
    assert_eq!(answer["meta"]["question"], lines(&line)[0]["meta"]["question"]);
    // Of a fault over several lines the line is told.
    let (code, stdout, _) = asked(&pretty.replace("german:", "grman:"));
    let fault: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (code, fault["fault"]["line"].as_u64(), fault["fault"]["near"][0].as_str()),
        (Some(2), Some(3), Some("german"))
    );
}

#[test]
fn a_bad_line_is_answered_with_its_fault_and_the_others_go_on() {
    let (code, stdout, stderr) =
        asked(&format!("{RALLY}\n{BAD}\n\n{{\"kind\": rally}}\n{CHECK}\n"));
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
    assert_eq!(answers[2]["fault"]["message"], "no value begins so");
    assert_eq!(answers[3]["rows"][0]["status"], "good-order");
}

#[test]
fn lines_that_end_as_windows_has_it_are_the_same() {
    let (_, plain, _) = asked(&format!("{RALLY}\n\n{CHECK}\n"));
    let (code, stdout, stderr) = asked(&format!("{RALLY}\r\n\r\n{CHECK}\r\n"));
    assert_eq!((code, stdout, stderr.as_str()), (Some(0), plain, ""));
}

#[test]
fn nothing_is_asked_by_an_empty_file() {
    for text in ["", "\n", "\r\n \n\t\n"] {
        assert_eq!(asked(text), (Some(0), String::new(), String::new()), "{text:?}");
    }
}

#[test]
fn a_dash_is_standard_input() {
    let folder = tempdir().unwrap();
    let (code, stdout, stderr) =
        run(folder.path(), &["ask", "-"], format!("{RALLY}\n{CHECK}").as_bytes());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let (_, of_file, _) = asked(&format!("{RALLY}\n{CHECK}"));
    assert_eq!(stdout, of_file);
    // What is not UTF-8 is no JSON.
    let (code, stdout, _) = run(folder.path(), &["ask", "-"], b"{\"kind\": \xff}\n");
    assert_eq!(
        (code, lines(&stdout)[0]["fault"]["message"].as_str()),
        (Some(2), Some("no value begins so"))
    );
}

#[test]
fn the_command_of_an_answer_asks_it_again() {
    let (_, stdout, _) = asked(&RALLY.replace("leader", "about\": \"it's\", \"leader"));
    let answer = &lines(&stdout)[0];
    let command = answer["meta"]["command"].as_str().unwrap();
    let request = command
        .strip_prefix("printf %s '")
        .and_then(|rest| rest.strip_suffix("' | lowcrawl ask -"))
        .unwrap();
    let (_, again, _) = asked(&request.replace(r"'\''", "'"));
    assert_eq!(
        (&lines(&again)[0]["rows"], lines(&again)[0]["meta"]["command"].as_str()),
        (&answer["rows"], Some(command))
    );
}

#[test]
fn a_file_that_is_not_there_is_told() {
    let folder = tempdir().unwrap();
    let (code, stdout, stderr) = run(folder.path(), &["ask", "none.json"], b"");
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.starts_with("error: none.json: "), "{stderr}");
}

#[test]
fn the_tables_of_a_situation_stand_beside_its_file() {
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
    // The same where it stands in the request.
    let inline = named.replace("\"board.csv\"", &serde_json::to_string(board).unwrap());
    let (_, inlined, _) = run(folder.path(), &["ask", "-"], inline.as_bytes());
    assert_eq!(lines(&stdout)[0]["rows"], lines(&inlined)[0]["rows"]);
    assert!(lines(&stdout)[0]["rows"].as_array().is_some_and(|rows| !rows.is_empty()));
    // Where it is not beside it, there is no such file.
    let (code, stdout, _) = run(folder.path(), &["ask", "-"], named.as_bytes());
    let fault = &lines(&stdout)[0]["fault"]["message"];
    assert!(code == Some(2) && fault.as_str().unwrap().starts_with("`board.csv`: "), "{fault}");
}

#[test]
fn a_described_kind_is_a_part_of_the_whole() {
    let folder = tempdir().unwrap();
    let told = |words: &[&str]| {
        let (code, stdout, stderr) = run(folder.path(), words, b"");
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{words:?}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let all = told(&["describe"]);
    assert_eq!(told(&["describe", "--format", "json"]), all);
    for system in all["systems"].as_array().unwrap() {
        let name = system["name"].as_str().unwrap();
        assert_eq!(told(&["describe", name]), *system);
        for kind in system["kinds"].as_array().unwrap() {
            assert_eq!(told(&["describe", name, kind["name"].as_str().unwrap()]), *kind);
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
