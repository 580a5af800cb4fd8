//! Attacks by named firers on the command line: one command each, its first screen, the reckoning
//! alone, the numbers of `--tell`, and attacks as files.

use super::shell::{assert_fails, fails, folder_with, in_a_line, json, ok};
use tempfile::tempdir;

/// The size of a first screen, in characters and lines.
const SCREEN: (usize, usize) = (80, 16);

/// Twenty attacks as players say them: the command, then what its first screen must say.
const SAID: &str = r#"
fire '8-0 + 2x russian:4-4-7' --by '9-2 + 2x german:4-6-7 + hmg' --range 3 --terrain stone --hindrance 1 --phase prep => 15 FP (2x 4-6-7 8, HMG 7) on the 12 column; DRM +2 (leadership -2, stone +3, Hindrance +1); no Cowering. => 3MC 2.78 %, 2MC 13.89 %, 1MC 25.00 %, NMC 16.67 %, PTC 13.89 %, nothing 27.78 % => HMG: fires again 50.00 % (ROF 3, A9.2), malfunctions 2.78 % (B12, A9.7).
fire russian:4-4-7 --by german:4-6-7 --range 6 => 4 FP (4-6-7 4) on the 4 column; DRM +0; Cowering costs one column. => K 2.78 %, 2MC 5.56 %, 1MC 19.44 %, NMC 11.11 %, PTC 19.44 %, nothing 41.67 %
fire russian:4-4-7 --by '2x german:5-4-8' --range 7 => 5 FP (2x 5-4-8 5) on the 4 column; DRM +0
fire russian:5-2-7 --by '8-1 + german:4-6-7/lmg' --range 1 --terrain wooden => 14 FP (4-6-7 8, LMG 6) on the 12 column; DRM +1 (leadership -1, wood +2); no Cowering. => LMG: fires again 16.67 % (ROF 1, A9.2)
fire german:4-6-7 --by '2x american:6-6-6' --range 2 --phase advancing --terrain woods => 8 FP (2x 6-6-6 8) on the 8 column; DRM +1 (woods +1)
fire german:4-6-7/concealed --by 'russian:4-4-7/mmg' --range 4 --terrain woods => 4 FP (4-4-7 2, MMG 2) on the 4 column; DRM +1 (woods +1) => MMG: fires again 27.78 % (ROF 2, A9.2), malfunctions 8.33 % (B11, A9.7).
fire german:2-2-8 --by '9-1 + russian:4-5-8/mmg @3 | 8-0 + russian:4-5-8 @4' --terrain stone => 12 FP (4-5-8 @3 4, MMG @3 4, 4-5-8 @4 4) on the 12 column; DRM +3 (stone +3); no Cowering.
fire russian:4-4-7 --by '8-1 + german:2-2-8/hmg' --range 20 --terrain woods => 7/4 FP (HMG 7/4) on the 1 column; DRM +0 (leadership -1, woods +1); no Cowering. => 1MC 8.33 %, NMC 8.33 %, PTC 11.11 %, nothing 72.22 %
fire german:4-4-7 --by '3x russian:4-2-6 + 8-0/no-direct' --range 2 => 12 FP (3x 4-2-6 12) on the 12 column; DRM +0; Cowering costs two columns. => KIA 2.78 %, K 5.56 %, 3MC 5.56 %, 2MC 25.00 %, 1MC 30.56 %, NMC 11.11 %, PTC 8.33 %, nothing 11.11 %
fire german:4-6-7 --by '2x british:4-5-7 + mmg' --range 5 --hexside hedge => 12 FP (2x 4-5-7 8, MMG 4) on the 12 column; DRM +1 (hedge +1); no Cowering.
fire russian:4-4-7 --by german:4-6-7/mmg --range 3 --phase first --move non-assault => 9 FP (4-6-7 4, MMG 5) on the 8 column; DRM -2 (FFNAM -1, FFMO -1) => Residual FP left: 1 in 2.78 %, 2 in 13.89 %, 4 in 83.33 % (A8.2).
fire russian:4-4-7 --by german:4-6-7/mmg --range 3 --phase first --move assault --hexside wall => 9 FP (4-6-7 4, MMG 5) on the 8 column; DRM +2 (wall +2) => Residual FP left: 0 in 16.67 %, 1 in 83.33 % (A8.2).
fire russian:6-2-8:e --by german:4-6-7/mmg --range 2 --phase subsequent --move non-assault => 9/2 FP (4-6-7 2, MMG 5/2) on the 4 column; DRM -2 (FFNAM -1, FFMO -1) => MMG: malfunctions 16.67 % (B10 X12, A9.7).
fire russian:6-2-8:e --by '8-1 + german:4-6-7/lmg' --range 1 --phase fpf --move non-assault --terrain woods => 7 FP (4-6-7 4, LMG 3) on the 6 column; DRM -1 (leadership -1, woods +1, FFNAM -1); no Cowering. => By the same DR, 8-1: holds => By the same DR, 4-6-7: holds
fire german:4-6-8 --by '2x russian:4-4-7' --range 3 --level -1 => 8 FP (2x 4-4-7 8) on the 8 column; DRM +1 (Height Advantage +1)
fire german:4-6-8 --by '3x russian:4-4-7' --range 3 --terrain woods --works foxhole --smoke 2 => 12 FP (3x 4-4-7 12) on the 12 column; DRM +4 (foxhole +2, SMOKE +2)
fire german:4-6-8 --by hero/american:mmg --range 8 => 4 FP (MMG 4) on the 4 column; DRM +0 (hero with a MG +1, hero -1); no Cowering.
fire '8-0 + russian:4-4-7' --by german:8-3-8/ft,sw-only --range 1 --terrain stone => 24 FP (FT 24) on the 24 column; DRM +0; Cowering costs one column. => FT: used up 16.67 % (X10, A22.1).
fire '8-0 + russian:4-4-7' --by german:8-3-8/dc,sw-only --phase advancing --terrain stone => 30 FP (DC 30) on the 30 column; DRM +3 (stone +3); no Cowering. => DC: used up 100.00 % (X12, A23.2).
fire german:4-6-7 --by russian:4-4-7/german:lmg,cx --range 2 --night => 7 FP (4-4-7 4, LMG 3) on the 6 column; DRM +2 (Low Visibility +1, CX +1) => LMG: malfunctions 16.67 % (B10 X12, A9.7).
"#;

#[test]
fn attack_as_it_is_said_is_one_command_and_one_screen() {
    let rows: Vec<Vec<&str>> = SAID.trim().lines().map(|row| row.split(" => ").collect()).collect();
    assert_eq!(rows.len(), 20);
    for row in rows {
        let screen = ok(tempdir().unwrap().path(), row[0]);
        let (letters, lines) = SCREEN;
        assert!(screen.lines().count() <= lines, "lowcrawl {}:\n{screen}", row[0]);
        assert!(screen.lines().all(|line| line.chars().count() <= letters), "{screen}");
        for fact in &row[1..] {
            assert!(
                in_a_line(&screen).contains(fact),
                "lowcrawl {}: no `{fact}`:\n{screen}",
                row[0]
            );
        }
    }
}

/// One group or two shots: both are one command, and the firer is told which is better.
#[test]
fn group_and_two_shots_are_compared_for_the_firer() {
    let screen = ok(
        tempdir().unwrap().path(),
        "compare \"fire russian:4-4-7 --by '2x german:4-6-7'\" \
            \"fire russian:4-4-7 --by german:4-6-7 --then 'fire by=german:4-6-7'\" \
            --objective 'mmc holds' --for firer",
    );
    let better = "--by german:4-6-7 --then 'fire by=german:4-6-7' is better for the firer";
    assert!(in_a_line(&screen).contains(better), "{screen}");
    let (letters, lines) = SCREEN;
    assert!(screen.lines().count() <= lines, "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= letters), "{screen}");
}

#[test]
fn reckoning_alone_has_no_odds_of_units() {
    let folder = tempdir().unwrap();
    let command = "fire '8-0 + 2x russian:4-4-7' --by '9-2 + 2x german:4-6-7 + hmg' --range 3 \
        --terrain stone --hindrance 1 --reckon";
    let screen = ok(folder.path(), command);
    for line in [
        "2x 4-6-7     8\n",
        "HMG          7\n",
        "FP          15  on the 12 column\n",
        "leadership  -2  (A7.531)\n",
        "stone       +3  (B23)\n",
        "Hindrance   +1  (A6.7)\n",
        "DRM         +2  no Cowering (A7.9)\n",
        "HMG: fires again 50.00 % (ROF 3, A9.2), malfunctions 2.78 % (B12, A9.7).\n",
        "Note: the HMG is fired by the first 4-6-7 (I-71).\n",
    ] {
        assert!(screen.contains(line), "no `{line}` in\n{screen}");
    }
    assert!(!screen.contains("holds"), "{screen}");
    let plain = ok(folder.path(), "fire russian:4-4-7 --fp 9 --drm -1 --reckon");
    assert!(plain.contains("fp 9, drm -1, column 8.\n"), "{plain}");
    let answer = json(folder.path(), command);
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["meta", "attack"]);
    let whole = json(folder.path(), &command.replace(" --reckon", ""));
    assert_eq!(answer["attack"], whole["attack"]);
    assert_eq!(answer["attack"]["lines"].as_array().unwrap().len(), 3);
    // The command of the answer repeats it.
    assert!(answer["meta"]["command"].as_str().unwrap().ends_with("--reckon"), "{answer}");
    let csv = ok(folder.path(), &format!("{command} --format csv"));
    assert!(csv.starts_with("part,value,how\n2x 4-6-7,8,\"\"\n"), "{csv}");
    assert_fails(
        folder.path(),
        "check russian:4-4-7 --mc 1 --reckon",
        2,
        &["a `check` reckons nothing before its first roll"],
    );
    assert_fails(
        folder.path(),
        "fire russian:4-4-7 --by german:4-6-7 --range 1..3 --reckon",
        2,
        &["--reckon", "with lists of values, only one number per question is shown"],
    );
}

/// FP, DRM and column are numbers of an attack: over lists, in studies, and in comparisons.
#[test]
fn numbers_of_the_reckoning_are_told() {
    let file = "question = \"fire\"\ntell = \"drm\"\n[base]\nstack = \"russian:4-4-7\"\n\
        by = \"9-1 + german:4-6-7\"\nrange = 3\n[grid]\nterrain = [\"open\", \"woods\", \"stone\"]\n";
    let folder = folder_with(&[("drm.toml", file)]);
    let run = |line: &str| ok(folder.path(), line);
    let fire = "fire russian:4-4-7 --terrain stone";
    let screen = run(&format!("{fire} --by german:4-6-7/hmg --range 1,6,7,13 --tell fp"));
    for row in [" 1     22\n", " 6     11\n", " 7      9\n", "13      7\n"] {
        assert!(screen.contains(row), "no `{row}` in\n{screen}");
    }
    // What makes no difference to one number may make one to another.
    let terrain = run("fire russian:4-4-7 --by german:4-6-7 --terrain open,woods --tell fp");
    let note = "`terrain` makes no difference to `fp`; try `--tell drm`.";
    assert!(terrain.contains(note), "{terrain}");
    // Concealment halves the FP against one of two units (A12.13), and both have one DRM.
    let both = "fire 'russian:4-4-7/concealed + russian:4-4-7' --by german:4-6-7 --range 3,4";
    let refused = fails(folder.path(), &format!("{both} --tell fp"), 2);
    let words = "`fp` is not the same for all units\n  help: `--reckon` shows it for each";
    assert!(refused.contains(words), "{refused}");
    assert!(run(&format!("{both} --tell drm")).contains(" 3      0\n"));
    let screen = run(&format!(
        "{fire} --by 'german:4-6-7' --by '9-2 + german:4-6-7' --range 1,7 --tell column"
    ));
    assert!(screen.contains("column of the attack on the IFT"), "{screen}");
    let screen = run("study run drm.toml");
    assert!(screen.contains("DRM of the attack"), "{screen}");
    let compared = run("compare 'fire russian:4-4-7 --by german:4-6-7 --range 6' \
            'fire russian:4-4-7 --by german:5-4-8 --range 6' --objective fp --for firer");
    assert!(compared.contains("FP of the attack"), "{compared}");
    let refused = fails(folder.path(), "check russian:4-4-7 --mc 0..1 --tell fp", 2);
    assert!(refused.contains("no objective is called `fp`"), "{refused}");
}

/// A reading that changes the reckoning but no odds of the target is told too.
#[test]
fn impact_tells_what_is_reckoned_otherwise() {
    let folder = tempdir().unwrap();
    let fire = "fire russian:4-4-7 --by german:4-6-7/mmg --range 3 --no-hob --impact";
    let one = in_a_line(&ok(folder.path(), &format!("{fire} i81")));
    let told = "MMG: fires again 33.33 % (ROF 2, A9.2), malfunctions 2.78 % (B12, A9.7).";
    assert!(one.contains(&format!("No odds of this question move. Then {told}")), "{one}");
    let all = in_a_line(&ok(folder.path(), fire));
    assert!(all.contains(&format!("i81: {told}")), "{all}");
    let answer = json(folder.path(), fire);
    let reckoned = answer["reckoned"].as_array().unwrap();
    assert!(reckoned.iter().any(|one| one["switch"] == "i81"), "{answer}");
    let by_wall = format!("{} i76", fire.replace("--range 3", "--terrain stone --hexside hedge"));
    let one = in_a_line(&ok(folder.path(), &by_wall));
    assert!(one.contains("DRM +1 (hedge +1)"), "{one}");
}

const PLAIN: &str = "question = \"fire\"\nabout = \"an attack\"\nstack = \"8-0 + 2x russian:4-4-7\"\n\
    range = 3\nterrain = \"stone\"\nhindrance = 1\nby = \"9-2 + 2x german:4-6-7/hmg\"\n";

/// A file asks what the options ask; options override it.
#[test]
fn attack_is_read_from_a_file() {
    let group = ok(tempdir().unwrap().path(), "new attack");
    let folder = folder_with(&[
        ("attack.toml", PLAIN),
        ("group.toml", &group),
        ("check.toml", "stack = \"russian:4-4-7\"\nmc = 1\n"),
        ("steps.toml", "stack = \"russian:4-4-7\"\nfp = 4\n[[step]]\ndo = \"rally\"\n"),
    ]);
    let rows = |line: &str| json(folder.path(), line)["rows"].clone();
    let options = "fire '8-0 + 2x russian:4-4-7' --by '9-2 + 2x german:4-6-7/hmg' --terrain stone";
    assert_eq!(rows("fire attack.toml"), rows(&format!("{options} --hindrance 1 --range 3")));
    assert_eq!(
        rows("fire attack.toml --range 5 --hindrance 0"),
        rows(&format!("{options} --range 5"))
    );
    assert_eq!(
        rows("fire group.toml"),
        rows(
            "fire '8-0 + 2x russian:4-4-7' --terrain stone --by '9-1 + german:4-6-7/mmg @3 | 8-1 + \
                german:4-6-7 @4, hindrance 2, level 1'"
        )
    );
    assert_eq!(rows("check check.toml"), rows("check russian:4-4-7 --mc 1"));
    let traced = ok(folder.path(), "trace fire attack.toml");
    assert!(traced.contains("attack of 22 FP"), "{traced}");
    for (line, message) in [
        ("check attack.toml", "this file asks a `fire`, not a `check`"),
        ("fire steps.toml", "a `fire` question has no steps"),
        ("fire attack.toml --terrain moor", "moor"),
    ] {
        assert_fails(folder.path(), line, 2, &[message]);
    }
    assert_fails(folder.path(), "fire none.toml", 2, &["none.toml", "check the name"]);
    let broken = folder_with(&[("attack.toml", &PLAIN.replace("range = 3", "range = 99"))]);
    assert_fails(broken.path(), "fire attack.toml", 2, &["attack.toml:4", "`range`"]);
    let broken = folder_with(&[("attack.toml", &PLAIN.replace("4-6-7/hmg", "4-6-7/broken"))]);
    let message = "broken units do not fire (A10.4)";
    assert_fails(broken.path(), "fire attack.toml", 2, &["attack.toml:7", message]);
}
