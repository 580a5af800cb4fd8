#![cfg(feature = "cli")]
//! Samurai Battles and Reaction Dice with the built binary: commands, formats, files, and messages
//! for invalid input.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Sheet, fails, in_a_line, lowcrawl, names, ok, parquet_meta};
use crate::table;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn study_path(room: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("studies").join(room)
}

fn folder_with(file: &str, text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    folder
}

fn read_study(name: &str) -> String {
    fs::read_to_string(study_path(name)).unwrap()
}

/// Commands, and a text in the answer of each.
const ANSWERS: &str = r#"
    fortitude --help                                                                            | recover
    fortitude recover --help                                                                    | --turns
    fortitude test --help                                                                       | Usage: lowcrawl fortitude test [OPTIONS] <UNITS>
    fortitude sequence --help                                                                   | <FILE>
    reaction --help                                                                             | volleys
    reaction volley --help                                                                      | --impact
    trace --help                                                                                | reaction
    trace fortitude recover --help                                                              | --script
    # FT-01, FT-03.6 and FT-03.E.
    fortitude test ashigaru-archers/staff=2,casualties=1 --cause flank --order fire-and-retreat | is Normal: 45.00 % (9/20)
    fortitude recover unit/base=10,shaken --turns 6                                             | is Normal after the last turn: 80.15 %
    fortitude recover unit/base=10,shaken --turns 6                                             | after 85/18 = 4.722 Morale Phases
    # FT-08.b: flank and rear.
    fortitude assault unit/base=10,panicked --sides flank,rear --all                            | 98.00 %
    fortitude assault unit/base=10,panicked --sides flank,rear --all                            | combined-order = flank-first
    fortitude recover unit/base=10,shaken --set level-fortitude=0,-1,-1,-1                      | Parameter level-fortitude: 0,-1,-1,-1.
    fortitude recover unit/base=10,shaken --engine monte-carlo --trials 20000                   | Monte Carlo, 20000 sequences, seed 36
    fortitude fire '2x unit/base=10' --casualties 1 --joint --all                               | probability        2x unit/base=10\n49.50 % (99/200)   1 normal
    fortitude fire unit/base=10 --dice 6 --value 10 --impact damage-rule                        | from  subtract\nto    divide\n
    fortitude recover unit/base=10,shaken --impact morale-phase-requires-unengaged              | (morale-phase-requires-unengaged)\nfrom  true\nto    false
    fortitude fire unit/base=10 --dice 6 --value 10 --impact                                    | parameters move nothing
    # One less and one more than 3: 8 + 3 is passed by 11 of 20.
    fortitude recover unit/base=10,shaken,commander --turns 1 --impact commander-bonus          | from  3\nto    2\n\nmoves most                                  from       to       by\nturn 1: unit/base=10,commander hesitant  55.00 %  50.00 %  -5.00 %\n
    fortitude recover unit/base=10,shaken,commander --turns 1 --impact commander-bonus          | hesitant  55.00 %  60.00 %  +5.00 %\n
    fortitude parameters staff                                                                  | staff-near-range
    fortitude units cavalry                                                                     | samurai-cavalry
    trace fortitude recover unit/base=10,shaken --turns 2 --script '8 15'                       | C1  Fortitude Test of unit at 8 (base 10, Shaken -2): 8, passed  [8/20 like this]
    # RD-05.5uD, RD-02.E.
    reaction volley unit/reaction=5 --dice 8 --all                                              | 29.05 % (595/2048)
    reaction volley unit/reaction=3 --dice 4                                                    | Expected Disruption Points
    reaction volleys unit/reaction=3 --dice 4 --volleys 3 --orders 1 --all                      | Assumed: rally-tn = 4
    reaction rally unit/reaction=3,dp=2 --turns 1                                               | is fresh after the last turn: 68.75 % (11/16)
    reaction command 6                                                                          | own army is in command: 64.18 % (4991/7776)
    # RD-15.4, and RD-15.5 with a Staff Order.
    reaction check 4 --staff-order                                                              | 50.00 % (1/2)
    reaction check 4 --staff-order --policy add-staff-orders                                    | 63.67 % (163/256)
    reaction parameters                                                                         | assumed
    reaction units panther                                                                      | panther
    trace reaction volley unit/reaction=3 --dice 4 --script '4 6 2 1 3 4 6'                     | fire at unit, 4+: 4 6 2 1
"#;

#[test]
fn every_command_prints_the_expected_answer() {
    let folder = tempdir().unwrap();
    for [line, fact] in table::rows(ANSWERS) {
        let stdout = ok(folder.path(), line);
        let is_in = |text: &str| text.contains(&fact.replace("\\n", "\n"));
        assert!(
            is_in(&stdout) || in_a_line(&stdout).contains(&in_a_line(fact)),
            "lowcrawl {line}: no `{fact}` in\n{stdout}"
        );
    }
    assert_eq!(names(folder.path()), [""; 0], "a question leaves no files");
}

/// Files for the faulty commands below, with a `;` between lines.
const FILES: &str = r#"
    turns.toml   | units = "unit/base=10" ; [[step]] ; do = "trun"
    fire.toml    | own = "unit/reaction=3" ; [[step]] ; do = "volley" ; target = 3
    study.toml   | system = "fortitud" ; question = "recover"
    cases.toml   | [[case]] ; name = "a" ; system = "fortitude" ; question = "recovr"
    rout.toml    | system = "reaction" ; question = "rout"
    compare.toml | system = "reaction" ; question = "volleys" ; objective = "normal"
"#;

/// Faulty commands, with the message and its place or help.
const FAULTS: &str = "
    fortitude recover unitt/base=10                                    | no unit is called `unitt`                             | UNITS:1:1
    fortitude recover unit/bse=10                                      | no condition is called `bse=`                         | did you mean `base`?
    fortitude recover unit/base=10 --turns 0                           | `turns` must be a whole number from 1 to              | --turns:1:1
    fortitude recover unit/base=10 --set fail-ads=2                    | no parameter is called `fail-ads`                     | did you mean `fail-adds`?
    fortitude recover unit/base=10 --set fail-adds=7                   | `fail-adds` must be a whole number from 1 to 3, not 7 | --set:1:11
    fortitude recover unit/base=10 --set fail-adds                     | expected `NAME=VALUE`                                 | for example damage-rule=divide
    fortitude recover unit/base=10 --policy stan                       | no policy is called `stan`                            | --policy:1:1
    fortitude recover unit/base=10 --impact fail-ads                   | no parameter is called `fail-ads`                     | did you mean `fail-adds`?
    fortitude recover unit/base=10 --impact level-attack               | `level-attack` has no other value to try              | study
    fortitude recover unit/base=10 --set fail-adds=2 --set fail_adds=3 | `fail-adds` is set twice                              | fail_adds=3
    reaction sequence fire.toml --army=no                              | `army` must be true or false, not `no`                | --army:1:1
    fortitude recovr unit/base=10                                      | `fortitude` has no command `recovr`                   | did you mean `recover`?
    fortitude sequence turns.toml                                      | no kind of step is called `trun`                      | turns.toml:3:
    fortitude sequence nowhere.toml                                    | nowhere.toml: no such file                            |
    reaction volley unit/reaction=3                                    | --dice: say who fires                                 | help: for example `--dice 4`
    reaction sequence fire.toml                                        | there is no slot 3                                    | fire.toml:4:10
    trace reaction volley unit/reaction=3 --dice 4 --script '4 6'      | the script ends after 2 roll(s)                       | --script
    trace fortitude recover unit/base=10,shaken --script '21'          | write a d20 as a number from 1 to 20                  | --script:1:1
    study run study.toml                                               | no morale system is called `fortitud`                 | did you mean `fortitude`?
    study run cases.toml                                               | `question` cannot be `recovr`                         | cases.toml:4:
    study run rout.toml                                                | `question` cannot be `rout`                           | rout.toml:2:12
    compare compare.toml                                               | no objective is called `normal`                       | compare.toml:3:
";

#[test]
fn bad_input_is_rejected_with_message_and_place() {
    let folder = tempdir().unwrap();
    for [file, text] in table::rows(FILES) {
        fs::write(folder.path().join(file), text.replace(" ; ", "\n")).unwrap();
    }
    for [line, message, place] in table::rows(FAULTS) {
        let report = fails(folder.path(), line, 2);
        assert!(
            report.starts_with("error: ") && report.contains(message),
            "lowcrawl {line}: no `{message}` in\n{report}"
        );
        assert!(report.contains(place), "lowcrawl {line}: no `{place}` in\n{report}");
    }
}

#[test]
fn all_formats_hold_the_same_table() {
    let folder = tempdir().unwrap();
    for question in [
        "fortitude recover '2x unit/base=10,shaken' --turns 3",
        &format!("fortitude sequence {}", study_path("fortitude/melee.toml").display()),
        "fortitude fire unit/base=10 --dice 6 --value 10 --engine monte-carlo --trials 4000",
        "reaction volley unit/reaction=3 --dice 4 --inches",
        "reaction volleys unit/reaction=3 --dice 4 --joint",
    ] {
        let csv = Sheet::of_csv(ok(folder.path(), &format!("{question} --format csv")).as_bytes());
        csv.assert_sums();
        ok(folder.path(), &format!("{question} --out table.parquet"));
        let path = folder.path().join("table.parquet");
        assert_eq!(Sheet::of_parquet(&path), csv, "{question}");
        let meta = parquet_meta(&path);
        assert!(question.starts_with(&meta["system"]) && !meta.contains_key("elr"), "{meta:?}");
        let json: Value =
            serde_json::from_str(&ok(folder.path(), &format!("{question} --format json"))).unwrap();
        assert_eq!(json["rows"].as_array().unwrap().len(), csv.rows.len());
        assert!(json["expected"][0]["value"].is_number(), "{}", json["expected"]);
        assert!(!json["meta"]["uncertain"].is_null());
    }
}

/// The fields in the JSON metadata are enough to repeat the question.
#[test]
fn command_in_the_meta_repeats_the_answer() {
    let folder = tempdir().unwrap();
    fs::copy(study_path("fortitude/melee.toml"), folder.path().join("melee.toml")).unwrap();
    for question in [
        "fortitude recover '2x unit/base=10,shaken' --turns 3 --staff-lost --set fail-adds=2",
        "fortitude assault unit/base=10 --sides flank,rear --dice 5 --value 8 --turns 2 --orders defend,retreat --policy defend",
        "fortitude sequence melee.toml --joint --set damage-rule=divide",
        "reaction volleys unit/reaction=3 --dice 4 --orders 2 --engine monte-carlo --trials 3000 --seed 4",
    ] {
        let first: Value =
            serde_json::from_str(&ok(folder.path(), &format!("{question} --format json"))).unwrap();
        let command = first["meta"]["command"].as_str().unwrap().strip_prefix("lowcrawl ").unwrap();
        let output = lowcrawl(folder.path(), &format!("{command} --format json")).output().unwrap();
        let second: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(second, first, "{question}");
    }
}

#[test]
fn every_shipped_file_runs() {
    let folder = tempdir().unwrap();
    let mut run = 0;
    for room in ["fortitude", "reaction"] {
        for name in names(&study_path(room)) {
            let path = study_path(room).join(&name);
            let (text, path) = (fs::read_to_string(&path).unwrap(), path.display().to_string());
            let commands = match () {
                () if text.contains("[grid]") => {
                    vec![format!("study run {path} --out out-{room}-{name}")]
                }
                () if text.contains("[[course]]") => {
                    vec![format!("compare {path}"), format!("solve {path}")]
                }
                () => {
                    vec![format!("{room} sequence {path}"), format!("trace {room} sequence {path}")]
                }
            };
            for command in commands {
                let shown = ok(folder.path(), &command);
                assert!(shown.lines().count() > 5, "lowcrawl {command}\n{shown}");
                run += 1;
            }
        }
    }
    assert!(run >= 14, "only {run} commands");
}

/// Studies, with a `;` between lines, and the begin and a text of their output: RD-14.6F, RD-13.5,
/// RD-15.4. In the sequence are 4 dice against 7: neither dispersed nor suppressed. The enemy's unit
/// and the armies have later slots.
const HEADLINES: &str = r#"
    question = "command" ; [grid] ; dice = [5, 6]      | How often the own side is in command, over               | 64.18 %
    question = "morale" ; [grid] ; dispersals = [5, 6] | How often the own army is holding after the last         | 99.59 %
    question = "check" ; [grid] ; dice = [3, 4]        | How often the own army is through its Army Morale Check, | 50.00 %
    question = "sequence" ; base = { own = "panther/at=7", enemy = "panzer-iv/at=4" } ; step = [{ do = "volley", firer = 2, target = 1 }, { do = "disperse", slot = 2 }] ; grid = { own-morale = [2, 3] } | How often the unit is ready after the last step | makes no difference here  79.83 %
    question = "move" ; [grid] ; mover = ["panther", "panther/suppressed"] | 2 cells (all exact), | 12 rows;
"#;

/// The headline of a study is about the last own unit, or about the side or army of the question.
#[test]
fn study_headlines_name_the_measured_unit_or_side() {
    for [text, headline, share] in table::rows(HEADLINES) {
        let text = format!("system = \"reaction\"\n{}\n", text.replace(" ; ", "\n"));
        let folder = folder_with("study.toml", &text);
        let output = ok(folder.path(), "study run study.toml");
        assert!(
            output.starts_with(headline) && output.contains(share),
            "{text}: no `{headline}` and `{share}` in\n{output}"
        );
    }
}

/// A flag of a sequence file can be reset on the command line, and the command in the meta shows
/// it.
#[test]
fn flag_of_a_file_can_be_reset_on_the_command_line() {
    let text = "own = \"unit/reaction=3\"\njoint = true\n[[step]]\ndo = \"disperse\"\nslot = 1\n";
    let folder = folder_with("file.toml", text);
    let rows = |line: &str| {
        Sheet::of_csv(ok(folder.path(), &format!("{line} --format csv")).as_bytes()).rows.len()
    };
    let line = "reaction sequence file.toml";
    // One outcome of all together for each face of the D3; the unit and both armies; the unit
    // alone.
    assert_eq!(rows(line), 3);
    assert_eq!(rows(&format!("{line} --joint=false")), 5);
    assert_eq!(rows(&format!("{line} --joint=false --army=false")), 1);
    let json: Value =
        serde_json::from_str(&ok(folder.path(), &format!("{line} --joint=false --format json")))
            .unwrap();
    assert_eq!(json["meta"]["command"], "lowcrawl reaction sequence file.toml --joint=false");
}

/// Campaigns and routs belong to the first game, which a file may name.
#[test]
fn campaign_and_rout_studies_may_name_their_game() {
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    for study in ["two-turns.toml", "rally-under-dm.toml"] {
        let text =
            format!("system = \"asl\"\n{}", fs::read_to_string(studies.join(study)).unwrap());
        let folder = folder_with("study.toml", &text);
        assert!(ok(folder.path(), "study run study.toml").contains("cells"));
    }
    let situation = studies.join("rout/sk01.toml");
    let rout =
        format!("system = \"asl\"\nquestion = \"rout\"\n[base]\nsituation = {situation:?}\n");
    let folder = folder_with("study.toml", &rout);
    assert!(ok(folder.path(), "study run study.toml").contains("1 cell"));
}

/// A study compares recovery in three games.
#[test]
fn recovery_study_covers_three_games() {
    let folder = tempdir().unwrap();
    let shown = ok(
        folder.path(),
        &format!("study run {} --out out", study_path("recovery.toml").display()),
    );
    assert!(shown.contains("Reaction Dice") && shown.contains("even odds by"), "{shown}");
    let in_a_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let settings = "profile asl-v3, Heat of Battle on; system fortitude; system reaction";
    assert!(in_a_line.contains(settings), "{shown}");
    let sheet = Sheet::of_csv(&fs::read(folder.path().join("out/recovery.csv")).unwrap());
    sheet.assert_sums();
    // FT-03.2 to FT-03.5.
    let line = shown.lines().find(|line| line.contains("18.00 %")).unwrap();
    for odds in ["38.70 %", "56.56 %", "70.28 %"] {
        assert!(line.starts_with("Fortitude:") && line.contains(odds), "{line}");
    }
}

#[test]
fn bad_cases_are_rejected_and_write_nothing() {
    let good = "[[case]]\nname = \"a\"\nquestion = \"rally\"\nstack = \"german:4-6-7/dm\"\n";
    for (text, message) in [
        (format!("{good}{good}"), "two cases have the name `a`"),
        (good.replace("name = \"a\"\n", ""), "the case has no `name`"),
        (good.replace("question = \"rally\"\n", ""), "`question` is missing"),
        (good.replace("rally", "raly"), "`question` cannot be `raly`"),
        (good.replace("stack", "stak"), "`rally` has no field `stak`"),
        (good.replace("[[case]]", "[case]"), "write a case as `[[case]]`"),
        (format!("grid = 1\n{good}"), "a study of cases has no key `grid`"),
        (
            format!(
                "{good}[[case]]\nname = \"b\"\nquestion = \"rally\"\nstack = \"german:4-6-7/dm\"\njoint = true\n"
            ),
            "the tables of `b` and `a` have different columns",
        ),
    ] {
        let folder = folder_with("cases.toml", &text);
        let report = fails(folder.path(), "study run cases.toml", 2);
        assert!(
            report.contains(message) && report.contains("cases.toml:"),
            "no `{message}` in\n{report}"
        );
        assert_eq!(names(folder.path()), ["cases.toml"], "nothing is written");
    }
}

/// A policy that a file names is played; the best play is never worse than any of them.
#[test]
fn solved_best_play_is_no_worse_than_any_policy() {
    let folder = folder_with("flee.toml", &read_study("fortitude/stand-or-flee.toml"));
    let compared: Value =
        serde_json::from_str(&ok(folder.path(), "compare flee.toml --format json")).unwrap();
    let objective = |compared: &Value, course: &str| {
        let rows = compared["rows"].as_array().unwrap();
        let row = rows
            .iter()
            .find(|row| row["course"] == course && row["outcome"] == "objective")
            .unwrap();
        row["probability"].as_f64().unwrap()
    };
    let worth = |course: &str| objective(&compared, course);
    for course in ["stands and defends", "goes when Hesitant", "goes at once"] {
        assert!(worth("best") >= worth(course) - 1e-12, "{course}");
    }
    let solved = ok(folder.path(), "solve flee.toml");
    let best = format!("Best play: {:.2} %.", 100.0 * worth("best"));
    assert!(solved.contains(&best), "{solved}");
    // The value of one side's policy against the best reply never exceeds the best play.
    for study in ["fortitude/stand-or-flee.toml", "fortitude/sides.toml", "reaction/pulses.toml"] {
        let solved = ok(folder.path(), &format!("solve {}", study_path(study).display()));
        let best = solved.lines().find_map(|line| line.strip_prefix("Best play: ")).unwrap();
        // Chances are in percent, and so are the numbers of the table.
        let best = best.trim_end_matches('.');
        let (best, scale) = best.strip_suffix(" %").map_or((best, 1.0), |best| (best, 0.01));
        let best = scale * best.parse::<f64>().unwrap();
        let rows = solved.lines().skip_while(|line| !line.starts_with("always the same")).skip(1);
        // A long name goes on below its numbers.
        let numbers = rows.take_while(|line| !line.is_empty()).map(|line| {
            let numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
            numbers.collect::<Vec<f64>>()
        });
        let values: Vec<[f64; 2]> = numbers.filter_map(|two| two.try_into().ok()).collect();
        assert!(!values.is_empty(), "{solved}");
        for [value, short] in values.into_iter().map(|two| two.map(|one| scale * one)) {
            assert!(
                (best - value - short).abs() < 2e-4 && short >= 0.0,
                "{study}: {value} short by {short}\n{solved}"
            );
        }
    }
    let sampled: Value = serde_json::from_str(&ok(
        folder.path(),
        "compare flee.toml --engine monte-carlo --trials 100000 --format json",
    ))
    .unwrap();
    // 100,000 sequences have a standard error of at most 0.0016.
    for course in ["stands and defends", "goes when Hesitant", "goes at once", "best"] {
        assert!((objective(&sampled, course) - worth(course)).abs() < 0.008, "{course}");
    }
    assert!(
        ok(folder.path(), "solve flee.toml --turns 2 --objective survives --tree 2")
            .contains("P(survives)")
    );
}
