//! For whom something is better, further steps, several policies, and comparisons of command lines.

use std::fs;

use crate::shell::{assert_fails, folder_with, in_a_line, json, ok};
use crate::table;
use tempfile::tempdir;

const ATTACKS: &str = "compare \"fire german:4-6-7 --no-hob --fp 16\" \
    \"fire german:4-6-7 --no-hob --fp 8 --then 'fire fp=8'\"";

const IN_A_FILE: &str = r#"
question = "sequence"
objective = "good-order"
for = "firer"
[base]
stack = "german:4-6-7"
no-hob = true
[[course]]
name = "--fp 16"
[[course.step]]
do = "fire"
fp = 16
[[course]]
name = "--fp 8 --then 'fire fp=8'"
[[course.step]]
do = "fire"
fp = 8
[[course.step]]
do = "fire"
fp = 8
"#;

/// One attack of 16 FP or two of 8: the firer's choice, in words and as JSON, from the command line
/// and from a file.
#[test]
fn a_comparison_of_the_firer_has_his_verdict() {
    let folder = folder_with(&[("attacks.toml", IN_A_FILE)]);
    let path = folder.path();
    for [options, side, word] in table::rows(
        "
        --for firer                      | enemy | firer
        --for enemy --objective breaks   | enemy | firer
        --for target                     | owner | target
                                         | owner | target
        ",
    ) {
        let line = format!("{ATTACKS} {options}");
        let best = if side == "enemy" { "--fp 8 --then 'fire fp=8'" } else { "--fp 16" };
        let screen = in_a_line(&ok(path, &line));
        let verdict = format!("{best} is better for the {word}: ");
        assert!(screen.contains(&verdict), "{line}\n{screen}");
        let json = json(path, &line);
        assert!(json["verdict"].as_str().unwrap().starts_with(&verdict), "{json}");
    }
    let [typed, written] = [format!("{ATTACKS} --for firer"), "compare attacks.toml".to_string()]
        .map(|line| json(path, &line));
    assert_eq!([&typed["rows"], &typed["verdict"]], [&written["rows"], &written["verdict"]]);
    let turned = json(path, "compare attacks.toml --for owner");
    assert_eq!(turned["rows"], written["rows"]);
    assert!(turned["verdict"].as_str().unwrap().contains("for the target"), "{turned}");
}

/// A step added on the command line, and the sequence file that means the same.
#[test]
fn further_steps_equal_a_sequence_file() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    for [line, steps] in table::rows(
        "
        fire 'german:8-1 + german:4-6-7' --fp 8 --drm -1 --then 'fire fp=4 drm=-2' | fire fp=8 drm=-1; fire fp=4 drm=-2
        fire 'german:8-1 + german:4-6-7' --fp 8 --then 'rally leader=9-1 if=broken' | fire fp=8; rally leader='9-1' if='broken'
        check 'german:8-1 + german:4-6-7' --mc 1 --then dm --then 'rally phases=2 if=any broken' | check mc=1; dm; rally phases=2 if='any broken'
        check 'german:8-1 + german:4-6-7' --ptc --then 'fire --fp=4 --no-cowering' | check ptc=true; fire fp=4 cowering=false
        ",
    ) {
        let mut file = "stack = \"german:8-1 + german:4-6-7\"\n".to_string();
        for step in steps.split("; ") {
            let (kind, fields) = step.split_once(' ').unwrap_or((step, ""));
            file += &format!("[[step]]\ndo = \"{kind}\"\n");
            let mut rest = fields;
            while let Some((key, value)) = rest.split_once('=') {
                let end = match value.starts_with('\'') {
                    true => value[1..].find('\'').unwrap() + 2,
                    false => value.find(' ').unwrap_or(value.len()),
                };
                file += &format!("{key} = {}\n", &value[..end]);
                rest = value[end..].trim_start();
            }
        }
        fs::write(path.join("steps.toml"), &file).unwrap();
        let [typed, written] = [line, "sequence steps.toml"].map(|line| json(path, line));
        for key in ["rows", "counts", "headline"] {
            assert_eq!(typed[key], written[key], "{line}: {key}\n{file}");
        }
    }
    // The first question keeps its own reading: nobody is called broken, so all are.
    let [plain, broken] = ["german:4-6-7", "german:4-6-7/broken"].map(|stack| {
        json(path, &format!("rally {stack} --phases 1 --then 'fire fp=2'"))["rows"].clone()
    });
    assert_eq!(plain, broken);
    // Lists and traces take steps too.
    let table = ok(path, "fire german:4-6-7 --fp 4,8 --then 'fire fp=4' --tell breaks");
    assert!(table.contains("fp 4") || table.contains("fp"), "{table}");
    let trace = ok(path, "trace fire german:4-6-7 --fp 8 --then 'fire fp=4'");
    assert!(!trace.is_empty());
}

#[test]
fn several_policies_are_compared() {
    let folder = tempdir().unwrap();
    let stack = "'german:6+1/broken + german:4-6-7/broken'";
    let line = format!("rally {stack} --phases 2 --policy leaders-first,mmc-first,best");
    let screen = in_a_line(&ok(folder.path(), &line));
    assert!(screen.contains("for the owner"), "{screen}");
    let courses = json(folder.path(), &line)["courses"].clone();
    let names: Vec<&str> =
        courses.as_array().unwrap().iter().map(|one| one["course"].as_str().unwrap()).collect();
    assert_eq!(names, ["leaders-first", "mmc-first", "best"]);
}

/// The cells that are best for a side, chances as percentages, and fields without effect.
#[test]
fn lists_name_the_best_cell_of_a_side() {
    let folder = tempdir().unwrap();
    let of = |line: &str| in_a_line(&ok(folder.path(), line));
    for [options, expected] in table::rows(
        "
        --fp 4,8,16 --for firer                   | Best for the firer: fp 16 (
        --fp 4,8,16 --for target                  | Best for the target: fp 4 (
        --fp 4,8,16 --tell breaks --for target    | Best for the target: fp 4 (
        --fp 8 --drm 0..2 --tell lost --for enemy | Best for the firer: drm 0 (
        --by russian:4-4-7 --range 2,8 --for firer | Best for the firer: range 2 (
        --fp 4,8 --tell breaks                    | P(breaks)
        --fp 4,8 --tell survives                  | %
        --fp 4,8 --tell pinned                    | P(pinned)
        --fp 8 --elr 1..4 --tell lost             | `elr` makes no difference to `lost`; try `--tell replaced`
        ",
    ) {
        let line = format!("fire german:4-6-7 --no-hob {options}");
        let screen = of(&line);
        assert!(screen.contains(expected), "{line}\n{screen}");
    }
    // A rally has `--turns` for `--phases`, so both at once contradict each other.
    let both = "rally 467/dm --turns 2 --phases 3";
    assert_fails(folder.path(), both, 2, &["use either `--turns` or `--phases`, not both"]);
    // One answer is the best of nothing.
    for line in ["fire 467 --fp 8 --tell holds --for firer", "fire 467 --fp 8 --for firer"] {
        assert_fails(folder.path(), line, 2, &["--for", "nothing is compared"]);
    }
    let several = of("fire '2x german:4-6-7' --fp 4,8 --tell breaks");
    assert!(
        several.contains("average number of units counted as `breaks`") && !several.contains('%'),
        "{several}"
    );
    let single = of("fire german:4-6-7 --fp 4,8 --tell holds");
    assert!(!single.contains("makes no difference"), "{single}");
}

/// A wrong command line, and what its message says.
const WRONG: &str = "
    fire 4-6-7 --fp 8 --fp 12 --for shooter | no side is called `shooter`
    fire german:4-6-7 --fp 8 --then 'shoot fp=4' | no kind of step is called `shoot`
    fire german:4-6-7 --fp 8 --then 'fire power=4' | has no field `power`
    fire german:4-6-7 --fp 8 --then 'fire fp=x' | --then
    fire german:4-6-7 --fp 8 --then fire | how much firepower attacks
    fire german:4-6-7 --then 'fire fp=4' | --fp
    rally german:4-6-7/dm --policy keep-dm,nonsense | nonsense
    rally german:4-6-7/dm --phases 1,2 --policy keep-dm,leaders-first | one question only
    compare 'fire german:4-6-7 --fp 8' | expected 2 to 20 questions
    compare 'fire german:4-6-7 --fp 8' 'fire german:4-6-7 --fp 8' | given twice
    compare 'fire german:4-6-7 --fp 8' 'rally german:4-6-7/dm' | cannot be compared
    compare 'fire german:4-6-7 --fp 8' 'units' | expected a question
    compare 'fire german:4-6-7 --fp 8' 'fire german:4-6-7 --fp 4,8' | one question
    compare 'fire german:4-6-7 --fp 8' 'fire german:4-6-8/dmm --fp 8' | STACK of `fire german:4-6-8/dmm --fp 8`:1
    compare 'fire german:4-6-7 --fp 8' 'fire german:4-6-7 --fp 4 --seed 3' | `--seed` is not an option of a course
    compare 'fire german:4-6-7 --fp 8' 'fire german:4-6-7 --fp 4' --objective hold | did you mean `holds`
";

#[test]
fn wrong_sides_steps_and_courses_are_refused() {
    let folder = tempdir().unwrap();
    for [line, message] in table::rows(WRONG) {
        assert_fails(folder.path(), line, 2, &[message]);
    }
}
