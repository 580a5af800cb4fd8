//! Inputs that are too long, too many or too big are refused with a message, before they take time
//! or memory. Control characters of inputs are never printed.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::shell::{assert_fails, fails, folder_with, lowcrawl, texts};
use tempfile::tempdir;

/// Runs a command; returns exit code, standard output and standard error.
fn run(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let output = lowcrawl(folder, line).stdin(Stdio::null()).output().unwrap();
    let (stdout, message) = texts(&output);
    (output.status.code(), stdout, message)
}

#[test]
fn long_words_are_refused() {
    let folder = tempdir().unwrap();
    let message = fails(folder.path(), &format!("check {} --mc 1", "x".repeat(70_000)), 2);
    let words = "a word of the command line has 68.4 KiB: at most 64 KiB are read";
    assert_eq!(message, format!("error: lowcrawl: {words}\n"));
}

#[test]
fn long_texts_of_files_are_refused() {
    let stack = format!("4-6-7{}", " + 4-6-7".repeat(1 << 20));
    let turns = format!("stack = \"{stack}\"\n[[step]]\ndo = \"fire\"\nfp = 4\n");
    let request = format!("{{\"kind\": \"check\",\n\"mc\": 1, \"stack\": \"{stack}\"}}");
    let folder = folder_with(&[("turns.toml", &turns), ("one.json", &request)]);
    let words = "`stack` has 8.1 MiB: at most 64 KiB are read";
    assert_fails(folder.path(), "sequence turns.toml", 2, &[words]);
    let (code, stdout, _) = run(folder.path(), "ask one.json");
    assert!(code == Some(2) && stdout.contains(words), "{stdout}");
}

#[test]
fn long_files_are_refused() {
    let situation = "[board]\nhexes = \"board.csv\"\n[[rout]]\nunit = \"4-6-7\"\nat = \"A1\"\n";
    let folder = folder_with(&[
        ("long.toml", &"#".repeat(17 << 20)),
        ("board.csv", &"A1,open\n".repeat(3 << 20)),
        ("situation.toml", situation),
    ]);
    let is_refused = |line: &str, file: &str, size: u8| {
        let words = format!("error: {file}: the file has {size} MiB: at most 16 MiB are read\n");
        assert_eq!(fails(folder.path(), line, 2), words, "{line}");
    };
    for command in ["rout", "solve", "compare", "study run", "sequence"] {
        is_refused(&format!("{command} long.toml"), "long.toml", 17);
    }
    is_refused("rout situation.toml", "board.csv", 24);
}

/// Tables are counted before they take memory, in every notation and by every command.
#[test]
fn many_tables_are_refused() {
    let head = "stack = \"german:4-6-7\"\n";
    let many = head.to_string() + &"[[step]]\ndo = \"rally\"\n".repeat(20_001);
    let inline = format!("{head}step = [{}]\n", "{ do = \"rally\" },".repeat(20_001));
    let folder = folder_with(&[("many.toml", &many), ("inline.toml", &inline)]);
    for (command, commands) in [
        ("rout", ""),
        ("solve", ""),
        ("compare", ""),
        ("study run", ""),
        ("study plan", " --shards 2"),
        ("sequence", ""),
        ("sequence", " --elr 2,4"),
        ("trace sequence", " --script 3,4"),
        ("fortitude sequence", ""),
        ("reaction sequence", ""),
    ] {
        for (file, line) in [("many.toml", 40_002), ("inline.toml", 2)] {
            let words = "error: the file has more than 20000 tables\n";
            let parts = [words, &format!("{file}:{line}:"), "split it into several files"];
            assert_fails(folder.path(), &format!("{command} {file}{commands}"), 2, &parts);
        }
    }
    let steps = vec!["{\"do\": \"rally\"}"; 20_001].join(",");
    let text = format!("{{\"kind\": \"sequence\",\n\"stack\": \"4-6-7\", \"step\": [{steps}]}}");
    fs::write(folder.path().join("many.json"), text).unwrap();
    let (code, stdout, _) = run(folder.path(), "ask many.json");
    let message = "the request has more than 20000 objects";
    assert!(code == Some(2) && stdout.contains(message), "{stdout}");
}

/// Courses beyond the limit are counted, but not read.
#[test]
fn many_courses_are_refused_at_once() {
    let head =
        "question = \"rally\"\nobjective = \"good-order\"\n[base]\nstack = \"german:4-6-7/dm\"\n";
    let courses =
        (0..15_000).map(|course| format!("[[course]]\nname = \"c{course}\"\n")).collect::<String>();
    let folder = folder_with(&[("many.toml", &(head.to_string() + &courses))]);
    let words = "expected 2 to 20 courses, not 15000";
    assert_fails(folder.path(), "compare many.toml", 2, &[words]);
}

/// A line that is too long gets a fault, and the other lines are answered.
#[test]
fn long_lines_are_refused() {
    let good = "{\"kind\": \"check\", \"stack\": \"german:4-6-7\", \"mc\": 1}\n";
    let long = format!("{{\"about\": \"{}\"}}\n", "x".repeat(2 << 20));
    let folder = folder_with(&[("lines.json", &format!("{good}{long}{good}"))]);
    let (code, stdout, message) = run(folder.path(), "ask lines.json");
    assert_eq!(
        (code, message.as_str()),
        (Some(2), "error: 1 of 3 requests answered with a `fault`\n")
    );
    let answers: Vec<&str> = stdout.lines().collect();
    assert_eq!(answers.len(), 3);
    assert!(answers[0].contains("\"rows\"") && answers[2].contains("\"rows\""));
    assert!(
        answers[1].contains("the line has 2.1 MiB: at most 1 MiB are read")
            && answers[1].contains("\"line\":2"),
        "{}",
        answers[1]
    );
    #[cfg(target_os = "linux")]
    assert_eq!(
        fails(folder.path(), "ask /dev/zero", 2),
        "error: /dev/zero: line 1 has 16.1 MiB: at most 16 MiB are read\n"
    );
}

#[test]
fn too_many_outcomes_are_refused() {
    let folder = tempdir().unwrap();
    let line = "check 'german:9-1 + 11x german:4-6-7' --mc 1 --joint --trials 1_000_000 --engine monte-carlo";
    let message = fails(folder.path(), line, 2);
    assert_eq!(
        message,
        "error: more than 65536 different outcomes\n  help: use fewer `--trials`, or fewer units; without `--joint` each unit has its own result\n"
    );
}

#[test]
fn control_characters_of_inputs_are_not_printed() {
    let folder = folder_with(&[
        (
            "a.toml",
            "question = \"rally\"\nabout = \"x\\u001b[2Jy\"\n[grid]\nphases = [1, 2]\n[base]\nstack = \"4-6-7/dm\"\n",
        ),
        ("b.toml", "stack = \"german:4-6-7\"\n\"k\\u001b[31m\" = 3\n[[step]]\ndo = \"rally\"\n"),
        ("c.json", "{\"kind\": \"check\u{1b}[2J\", \"stack\": \"4-6-7\"}"),
    ]);
    let lines = [
        "check '\u{1b}[2J' --mc 1",
        "check german:4-6-7 --mc '\u{1b}[2J'",
        "check german:4-6-7 --mc 1 --terrain '\u{202e}sdoow'",
        "check german:4-6-7 --mc 1 --set '\u{1b}[2J=1'",
        "check german:4-6-7 --mc 1 --trials '\u{9b}2J'",
        "check german:4-6-7 --mc 1 --seed '\u{7}'",
        "check german:4-6-7 --mc 1 '--\u{1b}[2J'",
        "check german:4-6-7 --mc 1 --format '\u{1b}[2J'",
        "\u{1b}[2J",
        "units '\u{1b}[2J'",
        "rules '\u{1b}[2J'",
        "describe '\u{1b}[2J'",
        "trace check german:4-6-7 --mc 1 --script '\u{1b}[2J'",
        "rout '\u{1b}[2J.toml'",
        "study run a.toml",
        "sequence b.toml",
        "ask c.json",
    ];
    for line in lines {
        let (code, stdout, message) = run(folder.path(), line);
        assert!(code.is_some_and(|code| code != 0), "{line:?}: {stdout}");
        let raw = |text: &str| {
            text.chars()
                .find(|letter| letter.is_control() && *letter != '\n' || *letter == '\u{202e}')
        };
        assert_eq!((raw(&stdout), raw(&message)), (None, None), "{line:?}: {stdout}{message}");
    }
    assert!(!fails(folder.path(), "units '\u{1b}[2J'", 2).is_empty());
}

/// A link to a file that does not exist yet is followed, and the file is written at its target.
#[cfg(unix)]
#[test]
fn dangling_link_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("far")).unwrap();
    symlink("far/next.csv", at("link.csv")).unwrap();
    symlink("odds.csv", at("far/next.csv")).unwrap();
    symlink("self.csv", at("self.csv")).unwrap();
    assert_eq!(run(folder.path(), "check german:4-6-7 --mc 1 --out link.csv").0, Some(0));
    assert!(fs::read_to_string(at("far/odds.csv")).unwrap().starts_with("case,"));
    assert!(at("link.csv").is_symlink() && at("far/next.csv").is_symlink());
    let (code, _, message) = run(folder.path(), "check german:4-6-7 --mc 1 --out self.csv");
    assert_eq!((code, message.as_str()), (Some(1), "error: self.csv: links lead in a circle\n"));
    let left = fs::read_dir(folder.path()).unwrap().chain(fs::read_dir(at("far")).unwrap());
    let temporary = left
        .map(|entry| entry.unwrap().file_name())
        .find(|name| name.to_string_lossy().starts_with(".lowcrawl"));
    assert_eq!(temporary, None);
}
