//! Requests with typical mistakes, each with its message and help, which must use the notation of
//! JSON. `LOWCRAWL_WRITE=1` writes the stored answers again, for review.

use std::path::Path;
use std::{env, fs};

use lowcrawl::api::{ask, json, no_files, read};
use serde_json::Value;

use super::GAMES;

/// Notation of the command line and of TOML, which help for JSON must not contain.
const FOREIGN: &[&str] = &[
    "--",
    "[[step",
    "[[course",
    "[[rout",
    "question =",
    " = \"",
    "[base]",
    "[run]",
    "[map]",
    "lowcrawl solve",
    "lowcrawl compare",
];

/// Describes the answer to a request: the message of its fault, its place, and its help.
fn describe_fault(request: &str) -> String {
    let fault = match read(request, &GAMES, &no_files) {
        Err(fault) => json::fault(&fault, request),
        Ok(parsed) => {
            let places = parsed.node.clone();
            match ask(parsed.request, String::new(), &parsed.options) {
                Err(refused) => json::refused(refused, &places, request),
                Ok(_) => return "  answered\n".to_string(),
            }
        }
    };
    let fault = &fault["fault"];
    let word = |key: &str| fault[key].as_str().map(str::to_string);
    let at = |end: usize| fault["span"][end].as_u64().map(|at| at as usize);
    let mut text = format!("  {}\n", word("message").unwrap());
    if let (Some(start), Some(end)) = (at(0), at(1)) {
        text += &format!(
            "  at: {}\n",
            if (start, end) == (0, request.len()) { "the whole" } else { &request[start..end] }
        );
    }
    text + &word("help")
        .map_or(String::new(), |help| format!("  help: {}\n", help.replace('\n', "\n    ")))
}

#[test]
fn json_faults_use_json_notation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/mistakes.txt");
    let stored = fs::read_to_string(&path).unwrap();
    let requests: Vec<&str> =
        stored.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    let now: Vec<String> =
        requests.iter().map(|request| format!("{request}\n{}", describe_fault(request))).collect();
    let now = now.join("\n");
    if env::var_os("LOWCRAWL_WRITE").is_some() {
        fs::write(&path, &now).unwrap();
    }
    assert!(requests.len() >= 80, "{}", requests.len());
    for (was, is) in stored.split("\n\n").zip(now.split("\n\n")) {
        assert_eq!(was.trim_end(), is.trim_end());
        let (request, advice) = is.split_once('\n').unwrap();
        let foreign =
            FOREIGN.iter().find(|word| advice.contains(*word) && !request.contains(*word));
        assert!(foreign.is_none() && !advice.contains("answered"), "{foreign:?} in\n{is}");
    }
    assert_eq!(stored, now);
}

#[test]
fn fault_is_written_as_one_object() {
    let fault: Value = json::fault(&read("[", &GAMES, &no_files).err().unwrap(), "[");
    assert_eq!(fault["fault"]["message"], "EOF while parsing a list");
    assert_eq!(fault["fault"]["help"], "close it with `]`");
}
