//! Given dice on the command line and in files.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::shell::{fails, ok};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn assert_output(folder: &Path, line: &str, facts: &[&str]) {
    let shown = ok(folder, line);
    for fact in facts {
        assert!(shown.contains(fact), "lowcrawl {line}: no `{fact}` in\n{shown}");
    }
}

const STEPS: &str = "stack = \"german:4-6-7\"\nno-hob = true\ngiven = \"5,4\"\n[[step]]\ndo = \"check\"\nmc = 0\n[[step]]\ndo = \"rally\"\nleader = \"8-0\"\n";

const COURSES: &str = "question = \"check\"\nobjective = \"good-order\"\n[base]\nstack = \"german:4-6-7\"\nmc = 0\nno-hob = true\n\
                       [[course]]\nname = \"rolled\"\ngiven = \"2,2\"\n[[course]]\nname = \"to roll\"\n";

const SOLVED: &str = "question = \"sequence\"\nobjective = \"good-order\"\n[base]\nstack = \"german:8-0 + german:4-6-7/dm\"\n\
                      no-hob = true\ngiven = \"6,1\"\n[[step]]\ndo = \"check\"\nmc = 1\n[[step]]\ndo = \"rally\"\n";

/// With a broken 9-1, 25 of 216 squads are unharmed (10.21, 10.2). The command in the meta contains
/// the given dice.
#[test]
fn every_command_accepts_given_dice() {
    let folder =
        folder(&[("turns.toml", STEPS), ("courses.toml", COURSES), ("solved.toml", SOLVED)]);
    let path = folder.path();
    assert_output(
        path,
        "check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3",
        &["; given 6,3\n", "9-1: breaks 100.00 %.\n", "11.57 %"],
    );
    let json =
        ok(path, "check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given '6,3 2,3' --format json");
    assert!(
        json.contains("--given \\\"6,3 2,3\\\"") || json.contains("--given '6,3 2,3'"),
        "{json}"
    );
    assert_output(
        path,
        "fortitude recover unit/shaken --turns 2 --given 5",
        &["; given 5", "45.00 % (9/20)"],
    );
    assert_output(path, "sequence turns.toml", &["; given 5,4", "8.33 %"]);
    assert_output(
        path,
        "sequence turns.toml --given '5,4 1,1'",
        &["; given 5,4 1,1", "good-order"],
    );
    assert_output(path, "compare courses.toml", &["given 2,2", "100.00 %"]);
    assert_output(path, "solve solved.toml", &["; given 6,1\n"]);
    fs::write(path.join("behind.toml"), SOLVED.replace("6,1", "6,1 3,4 3,4")).unwrap();
    let report = fails(path, "solve behind.toml", 2);
    assert!(
        report.starts_with("error: a choice must be made before this roll")
            && report.contains("behind.toml:6:18"),
        "{report}"
    );
    // Typed dice give the same answer as dice in the file, and their faults have a place too.
    let of_file = ok(path, "solve solved.toml --format json");
    fs::write(path.join("plain.toml"), SOLVED.replace("given = \"6,1\"\n", "")).unwrap();
    let typed = ok(path, "solve plain.toml --given 6,1 --format json");
    assert_eq!(typed.replace("plain.toml --given 6,1", "solved.toml"), of_file);
    let report = fails(path, "solve plain.toml --given '6,1 3,4 3,4'", 2);
    assert!(
        report.starts_with("error: a choice must be made before this roll")
            && report.contains("--given:1:9"),
        "{report}"
    );
    assert_output(
        path,
        "trace check '9-1 + german:4-6-7' --mc 1 --no-hob --given 6,3 --script '2,3 1,1'",
        &["; given 6,3; dice as scripted", "  [given]\n", "/36 like this]", "LLTC"],
    );
}

#[test]
fn faults_of_given_dice_have_their_place() {
    let grid = "question = \"check\"\n[base]\nstack = \"german:4-6-7\"\n[grid]\nmc = [0, 1]\ngiven = [\"6,3\", \"1,1\"]\n";
    let base = "question = \"check\"\n[base]\nstack = \"german:4-6-7\"\ngiven = \"6,3 5\"\n[grid]\nmc = [0, 1]\n";
    let folder = folder(&[
        ("grid.toml", grid),
        ("base.toml", base),
        ("turns.toml", &STEPS.replace("5,4", "5,4 7")),
    ]);
    for (line, message, place) in [
        (
            "check german:4-6-7 --mc 0 --given 6,7",
            "`6,7` (roll 1) is not a valid roll",
            "--given:1:1",
        ),
        (
            "check '9-1 + german:4-6-7' --mc 0 --given ' 1,1  3'",
            "roll 2 of `given` is a dr, but a DR is due",
            "--given:1:7",
        ),
        (
            "check german:4-6-7 --mc 0 --given '3,4 2,2'",
            "the sequence ends after 1 roll(s), but `given` has 1 more",
            "--given:1:5",
        ),
        ("sequence turns.toml", "`7` (roll 2) is not a valid roll", "turns.toml:3:14"),
        ("study run grid.toml", "`given` cannot be swept", "grid.toml:6:1"),
        (
            "study run base.toml",
            "the sequence ends after 1 roll(s), but `given` has 1 more",
            "base.toml:4:14",
        ),
    ] {
        let report = fails(folder.path(), line, 2);
        assert!(report.contains(message) && report.contains(place), "lowcrawl {line}:\n{report}");
    }
}

/// The answer of a rout is a list of plans, and given dice cannot belong to all of them.
#[test]
fn rout_on_a_map_refuses_given_dice_with_advice() {
    let map = "[map]\nrows = \"\"\"\n  A B C\n1 . . w\n2 . . w\n\"\"\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"A1\"\n\
               [[enemy]]\nunit = \"russian:4-4-7\"\nat = \"A2\"\n";
    let json = r#"{"kind": "rout", "given": "6,3", "map": {"area": "A1-C2"}, "rout": [{"unit": "german:4-6-7/broken", "at": "A1"}]}"#;
    let folder = folder(&[("map.toml", map)]);
    ok(folder.path(), "rout map.toml");
    let fault =
        lowcrawl::api::read(json, &lowcrawl::api::games(), &lowcrawl::api::no_files).err().unwrap();
    assert_eq!(fault.span, 18..23);
    assert!(fault.to_string().contains("`given` is not supported on a map"), "{fault}");
    for line in [
        "rout map.toml --given 6,3",
        "trace rout map.toml --given 6,3",
        "solve map.toml --turns 2 --given 6,3",
    ] {
        let report = fails(folder.path(), line, 2);
        for part in [
            "`given` is not supported on a map",
            "write the current position into the situation",
            "`script`",
        ] {
            assert!(report.contains(part), "lowcrawl {line}: no `{part}` in\n{report}");
        }
    }
}
