//! Command lines that players type, one case a row of `words.txt`: `arguments => error; fix: ..`,
//! or `answered`. `LOWCRAWL_WRITE=1` writes the right sides again, for review.

use std::path::Path;
use std::{env, fs};

use crate::shell::{lowcrawl, unwrapped};
use tempfile::tempdir;

/// The sign between a case and its result.
const IS: &str = " => ";
/// The largest number of characters of a fix: one clear line, never a list of all valid words.
const LONGEST_FIX: usize = 240;

/// Words of a message that itself says what to write.
const NAMED: [&str; 4] = ["must be", "expected", "missing", "use either"];

/// A situation with a misspelt table, and a study that sweeps a field of a step.
const FILES: [(&str, &str); 2] = [
    (
        "enemies.toml",
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n[[enemies]]\n",
    ),
    (
        "terrain.toml",
        "question = \"sequence\"\n[base]\nstack = \"4-6-7/dm\"\n[[step]]\ndo = \"rally\"\n[grid]\nterrain = [\"woods\"]\n",
    ),
];

#[test]
fn command_lines_of_players_are_read_or_refused_with_their_fix() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/words.txt");
    let stored = fs::read_to_string(&path).unwrap();
    let folder = tempdir().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let (mut refused, mut unclear, mut now) = (0, Vec::new(), String::new());
    for case in stored.lines().map(|line| line.split(IS).next().unwrap()) {
        let output = lowcrawl(folder.path(), case).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.lines().all(|line| line.chars().count() <= 80), "{case}: {errors}");
        let errors = unwrapped(&errors);
        let result = match output.status.code() {
            Some(0) => "answered".to_string(),
            code => {
                assert_eq!(code, Some(2), "{case}: {errors}");
                refused += 1;
                let message = errors.lines().next().unwrap().strip_prefix("error: ").unwrap();
                let fix = errors.split_once("help: ").map_or("", |(_, fix)| fix.trim());
                let is_named = !fix.is_empty() || NAMED.iter().any(|word| message.contains(word));
                if !is_named || fix.len() > LONGEST_FIX || fix.contains('\n') {
                    unclear.push(case);
                }
                format!("{message}; fix: {fix}")
            }
        };
        now += &format!("{case}{IS}{result}\n");
    }
    if env::var_os("LOWCRAWL_WRITE").is_some() {
        fs::write(&path, &now).unwrap();
    }
    for (was, is) in stored.lines().zip(now.lines()) {
        assert_eq!(was, is);
    }
    assert!(unclear.is_empty(), "{unclear:#?}");
    assert!(refused >= 120, "{refused}");
}
