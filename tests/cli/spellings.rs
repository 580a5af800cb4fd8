//! Spellings of the command line: unambiguous ones are read, others get a suggestion.

use std::fs;
use std::path::Path;

use crate::shell::{fails, in_a_line, lowcrawl, names, ok};
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

/// A fault names its place, the expected value, and advice. The exit code is 2, and no file is
/// written.
#[test]
fn faults_suggest_what_was_meant() {
    let folder = tempdir().unwrap();
    for (line, message, help) in [
        (
            "check 4-6-7 --mc PTC",
            "`mc` must be a whole number from 0 to 6, not `PTC`",
            "a Pin Task Check is `--ptc`",
        ),
        ("check 4-6-7 --mc 7MC", "`mc` must be a whole number from 0 to 6, not 7", "NMC, 1MC, 2MC"),
        ("check '4-6-7 + LMG' --mc 1", "support weapons are not supported", "docs/limits.md"),
        ("check '4-6-7 + tank' --mc 1", "vehicles and Guns are not supported", "docs/limits.md"),
        (
            "check japanese:4-4-7 --mc 1",
            "japanese counters are not supported yet",
            "`lowcrawl units` lists all",
        ),
        (
            "check '3 squads' --mc 1",
            "`squads` is a kind of counter",
            "`lowcrawl units german squad`",
        ),
        (
            "fire 4-6-7 --fp 4 --terrain woods",
            "--terrain: `lowcrawl fire` has no option `--terrain`",
            "TEM belongs to the DRM: for woods use `--drm 1`",
        ),
        ("fire 4-6-7 --fp 4 --terrain=stone", "--terrain: ", "for stone building use `--drm 3`"),
        (
            "check 4-6-7 --mc 1 --terrain woods",
            "--terrain: `lowcrawl check` has no option",
            "it belongs to `lowcrawl rally`",
        ),
        ("check 4-6-7 --mc 1 --leader 8-1", "--leader: ", "into the stack: `8-1 + german:4-6-7`"),
        (
            "trace check 4-6-7 --mc 1 --terain woods",
            "--terain: ",
            "did you mean `--terrain`? It belongs to `lowcrawl trace rally`",
        ),
        (
            "rally 4-6-7 --zzzzzz",
            "--zzzzzz: `lowcrawl rally` has no option",
            "valid options: --leader, --terrain,",
        ),
        ("rally 4-6-7 --terrain wods", "no terrain is called `wods`", "did you mean `woods`?"),
        ("units germann", "no counter matches `germann`", "did you mean `german`?"),
        ("units gurkha", "gurkha counters are not supported yet", "supported: german"),
        (
            "check 4-6-7 --mc 1 --out x.xlsx",
            "unknown file extension `.xlsx`",
            ".csv, .json, .md, .parquet, .txt",
        ),
        ("check 4-6-7 --mc 1 --trials 1.5", "`--trials` must be a whole number", "--trials"),
        ("check 9-1 + 4-6-7 --mc 1", "unexpected `+` after STACK", "in quotes: \"9-1 + 4-6-7\""),
        ("check 4-6-7 1MC", "unexpected `1MC` after STACK", "`lowcrawl check --help` lists them"),
        ("'3 4-6-7' --mc 1", "`3 4-6-7` is a stack: write a command before it", "`check`"),
        ("study rnu", "`study` has no command `rnu`", "did you mean `run`?"),
        ("solve lane.toml --given 7,3", "`7,3` (roll 1) is not a valid roll", "--given"),
        (
            "solve lane.toml --given 6,3",
            "a choice must be made before this roll",
            "only the dice before the choice",
        ),
    ] {
        let lane = "question = \"campaign\"\nobjective = \"survives\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\nopen = 1\ncover = \"woods\"\nturns = 1\nfp = 4\n";
        fs::write(folder.path().join("lane.toml"), lane).unwrap();
        let report = fails(folder.path(), line, 2);
        let first = report.lines().next().unwrap();
        assert!(first.starts_with(&format!("error: {message}")), "{line}: {report}");
        assert!(report.contains(help), "{line}: no `{help}` in {report}");
    }
    assert_eq!(names(folder.path()), ["lane.toml"]);
}

/// Units of two sides in one stack get a note, since the rules of both apply.
#[test]
fn stack_of_two_sides_gets_a_note() {
    let folder = tempdir().unwrap();
    let note =
        "Note: german and russian units are in one stack; all are assumed to be on one side.";
    let output =
        |stack: &str| in_a_line(&ok(folder.path(), &format!("check '{stack}' --mc 1 --no-hob")));
    assert!(output("german:4-6-7 + russian:4-4-7").contains(note));
    assert!(!output("german:4-6-7 + finnish:6-4-8").contains("one side"));
    let enemy = ok(folder.path(), "check german-ss:6-5-8 --mc 1 --no-hob --enemy german");
    let enemy = in_a_line(&enemy);
    assert!(enemy.contains("Note: the enemy is german, but the stack has german-ss units."));
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
    assert!(fails(folder.path(), "study small.toml --replace", 2).contains("small.toml:8:10"));
    assert!(fails(folder.path(), "study nowhere.toml", 1).contains("nowhere.toml: No such file"));
}

/// A routing unit has one name on the map, in the text, in a trace and in options.
#[test]
fn units_on_a_map_have_one_name() {
    let folder = tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout/a10-531-no-quarter.toml");
    let rout = |rest: &str| ok(folder.path(), &format!("rout {} {rest}", file.display()));
    let all = rout("");
    let line = format!("rout {} --svg x.svg", file.display());
    assert!(lowcrawl(folder.path(), &line).output().unwrap().status.success());
    for words in [
        "U2 russian:4-4-7/broken,dm in I4",
        "\nU2 4-4-7 in 1I4 (russian:4-4-7/broken,dm) must rout\n",
        "Normal Range and LOS of E1, E2, E3, E4 (A10.5)",
        "Known enemies: E1 4-6-8 in 1G4, E2 4-6-8 in 1J4, E3 4-6-8 in 1K4, E4 4-6-7 in\n    1H5",
        "\nU2 4-4-7 in 1I4  100.00 %",
        "each by its best play: survival first, then cover (A10.5)",
        "survives by the best play (survival first, then cover) after: ",
    ] {
        assert!(all.contains(words), "no `{words}` in\n{all}");
    }
    let picture = fs::read_to_string(folder.path().join("x.svg")).unwrap();
    for mark in [
        ">U1<",
        ">U2<",
        ">E4<",
        "U2: 4-4-7 in I4 must rout.",
        "best route (survival first, then cover)",
    ] {
        assert!(picture.contains(mark), "{mark}");
    }
    let of = |unit: &str| rout(&format!("--no-map --unit '{unit}'"));
    for name in ["u2", "1I4", "1i4", "4-4-7 in 1I4"] {
        assert_eq!(of(name), of("U2"), "{name}");
    }
    assert_eq!(rout("--order U2,U1"), rout("--order 1I4,1I5"));
    let trace = ok(folder.path(), &format!("trace rout {} --unit U2", file.display()));
    assert!(
        trace.contains("the turn of U2 4-4-7 in 1I4") && trace.contains("\n        U2 4-4-7"),
        "{trace}"
    );
    let report = fails(folder.path(), &format!("rout {} --unit U3", file.display()), 2);
    assert!(report.contains("no routing unit is called `U3`"), "{report}");
}

/// Shells complete the topics of `help` and `man`.
#[test]
fn shells_complete_help_topics() {
    let folder = tempdir().unwrap();
    let script = ok(folder.path(), "completions bash");
    let of = |command: &str| {
        let (_, rest) = script.split_once(&format!("        {command})\n")).unwrap();
        rest.lines().next().unwrap().to_string()
    };
    assert!(
        of("lowcrawl__subcmd__help").contains(" rally ")
            && of("lowcrawl__subcmd__help").contains(" situation"),
        "{}",
        of("lowcrawl__subcmd__help")
    );
    assert!(of("lowcrawl__subcmd__man").contains(" rally "));
}

#[test]
fn headings_name_each_option_that_changes_the_question() {
    let folder = tempdir().unwrap();
    for (line, options) in [
        (
            "rally german:4-6-7",
            &[
                ("--dm", ", with DM"),
                ("--keep-dm", ", DM kept"),
                ("--own-rph even", ", own RPh even"),
                ("--own-rph never", ", own RPh never"),
                ("--leader 8-1", ", led by german:8-1"),
                ("--terrain woods", " in woods"),
                ("--phases 2", " over 2 Rally Phases"),
                ("--elr 2", ", ELR 2"),
                ("--enemy-adjacent", ", an enemy ADJACENT"),
            ][..],
        ),
        (
            "interdict 'german:4-6-7/broken + german:8-1' --hexes 2",
            &[("--voluntary-rout", ", Voluntary Rout"), ("--leader 9-1", ", led by german:9-1")],
        ),
        (
            "fire german:4-6-7 --fp 8",
            &[
                ("--drm -2", " -2"),
                ("--no-cowering", ", no Cowering"),
                ("--inexperienced", ", Inexperienced"),
            ],
        ),
        ("check german:4-6-7 --mc 1", &[("--captor", ", a captor ADJACENT")]),
    ] {
        let plain = ok(folder.path(), line);
        for (option, words) in options {
            let heading = ok(folder.path(), &format!("{line} {option}")).replace("\n  ", " ");
            let heading = heading.lines().next().unwrap().to_string();
            assert!(heading.contains(words), "{line} {option}: {heading}");
            assert!(!plain.lines().next().unwrap().contains(words), "{line}: {plain}");
        }
    }
}
