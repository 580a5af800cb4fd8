//! Spellings of the command line that mean the same get the same answer.

use std::fs;
use std::path::Path;

use crate::shell::{assert_fails, ok};
use tempfile::tempdir;

/// Every spelling gives the answer of the first.
#[test]
fn spellings_of_one_question_get_one_answer() {
    let folder = tempdir().unwrap();
    let of = |line: &str| ok(folder.path(), &format!("{line} --no-hob --format csv"));
    for lines in [
        &[
            "check '2x german:4-6-7' --mc 1",
            "check '2 4-6-7' --mc 1MC",
            "check '2*4-6-7' --mc 1mc",
            "check '2 x 4-6-7' --mc +1",
            "check '4-6-7, 4-6-7' --mc '1 MC'",
            "check 'GERMAN 4-6-7 and german 4-6-7' --mc 1",
            "check '4-6-7 x2' --mc 1",
        ][..],
        &["check 4-6-7 --mc 0", "check 4-6-7 --mc NMC", "check 4-6-7 --mc nmc"],
        &[
            "rally 4-6-7/dm --terrain bldg-stone --phases 2",
            "rally '4-6-7 DM' --terrain stone --phases 2",
            "rally 4-6-7/broken,dm --terrain 'Stone building' --phases 2",
        ],
        &[
            "check 4-6-7 --mc 1 --engine monte-carlo --trials 20000",
            "check 4-6-7 --mc 1 --engine monte-carlo --trials 2e4",
            "check 4-6-7 --mc 1 --engine monte-carlo --trials 20_000",
            "check 4-6-7 --mc 1 --engine monte-carlo --trials 20k",
        ],
        &["check 4-6-7 --mc 1 --enemy russian", "check 4-6-7 --mc 1 --enemy Russians"],
    ] {
        let first = of(lines[0]);
        for line in &lines[1..] {
            assert_eq!(of(line), first, "{line}");
        }
    }
    let list = |words: &str| ok(folder.path(), &format!("units {words}"));
    assert_eq!(list("Germans squads"), list("german squad"));
    assert_eq!(list("ss half-squad"), list("german-ss hs"));
    let units = |units: &str| {
        let line = format!("fortitude recover '{units}' --turns 2 --format csv");
        ok(folder.path(), &line)
    };
    assert_eq!(units("2 unit/shaken, honor, unit"), units("2x unit/shaken,honor + unit"));
}

/// `study FILE` is `study run FILE`, and files have trials as people write them.
#[test]
fn study_runs_without_the_word_run() {
    let folder = tempdir().unwrap();
    let study = |trials: &str| {
        let text = format!(
            "question = \"check\"\n[base]\nstack = \"2 4-6-7\"\nmc = \"1MC\"\n[grid]\nelr = [2, 3]\n[run]\nengine = \"monte-carlo\"\ntrials = {trials}\n"
        );
        fs::write(folder.path().join("small.toml"), text).unwrap();
        ok(folder.path(), "study small.toml --replace");
        fs::read(folder.path().join("output/small/small.csv")).unwrap()
    };
    let first = study("2000");
    for trials in ["2e3", "\"2k\"", "2_000", "\"2_000\""] {
        assert_eq!(study(trials), first, "{trials}");
    }
    fs::write(folder.path().join("small.toml"), "question = \"check\"\n[base]\nstack = \"4-6-7\"\nmc = 1\n[grid]\nelr = [2, 3]\n[run]\ntrials = 0.5\n").unwrap();
    assert_fails(folder.path(), "study small.toml --replace", 2, &["small.toml:8:10"]);
    assert_fails(folder.path(), "study nowhere.toml", 2, &["nowhere.toml: no such file"]);
}

/// A routing unit is found by its mark, its hex, and its name on the map.
#[test]
fn spellings_of_a_unit_on_a_map_get_one_answer() {
    let folder = tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout/a10-531-no-quarter.toml");
    let rout = |rest: &str| ok(folder.path(), &format!("rout {} {rest}", file.display()));
    let of = |unit: &str| rout(&format!("--no-map --unit '{unit}'"));
    for name in ["u2", "1I4", "1i4", "4-4-7 in 1I4"] {
        assert_eq!(of(name), of("U2"), "{name}");
    }
    assert_eq!(rout("--order U2,U1"), rout("--order 1I4,1I5"));
}

/// Shells complete the commands, and the topics of `help` and `man`.
#[test]
fn completion_scripts_name_their_shell_and_the_topics() {
    let folder = tempdir().unwrap();
    let script = |shell: &str| ok(folder.path(), &format!("completions {shell}"));
    assert!(script("zsh").starts_with("#compdef lowcrawl"));
    assert!(script("fish").contains("complete -c lowcrawl"));
    let bash = script("bash");
    let of = |command: &str| {
        let (_, rest) = bash.split_once(&format!("        {command})\n")).unwrap();
        rest.lines().next().unwrap().to_string()
    };
    let topics = of("lowcrawl__subcmd__help");
    assert!(topics.contains(" rally ") && topics.contains(" situation"), "{topics}");
    assert!(of("lowcrawl__subcmd__man").contains(" rally "));
}
