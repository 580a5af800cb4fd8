//! Questions of new players: each is answered by one command, on a screen of 80 letters by 24
//! lines.

use super::shell::{in_a_line, ok};
use super::table::rows;
use tempfile::tempdir;

/// The width and the height of a screen, in characters and lines.
pub const SCREEN: (usize, usize) = (80, 24);

/// Returns the first screen of a command, and checks that no line of its output is too long.
fn screen(line: &str) -> String {
    let folder = tempdir().unwrap();
    if line.contains("studies/") {
        ok(folder.path(), "new studies --out studies");
    }
    let output = ok(folder.path(), line);
    let (letters, lines) = SCREEN;
    for line in output.lines() {
        assert!(line.chars().count() <= letters, "{line}");
    }
    output.lines().take(lines).map(|line| line.to_string() + "\n").collect()
}

/// Single questions that are answered in twelve lines, or in sixteen if several kinds of units are
/// counted: the lines, the command, and what it must say.
const FEW_LINES: &str = r#"
    12 | check 4-6-7 --mc 1 --no-hob                                     | 4-6-7: holds 41.67 % (pinned 13.89 %), breaks 58.33 %.
    12 | check 4-6-7 --mc 1 --no-hob                                     | 4-6-7 passes on 6 or less (Morale Level 7, +1).
    12 | check 4-6-7 --mc 1 --no-hob                                     | Exact. ASL v3, Heat of Battle off. 4-6-7 taken as german. --all shows every outcome.
    12 | check german:4-6-7 --ptc --no-hob                               | 4-6-7: holds 100.00 % (pinned 41.67 %).
    12 | check '3x german:4-6-7' --mc 1 --no-hob                         | breaks, at least 92.77 % 62.38 % 19.85 %
    12 | check '10x german:4-6-7' --mc 2 --no-hob                        | of 10 MMC 1 2 4 6 8 10
    16 | check '9-1 + 2x german:4-6-7' --mc 1                            | 4-6-7 (each of 2): holds 50.40 %
    12 | check 4-6-7 --mc 1 --profile aslsk                              | Exact. ASL Starter Kit, Heat of Battle off.
    12 | check 4-6-7 --mc 1 --engine monte-carlo --trials 10000          | Monte Carlo, 10000 sequences, seed 36, 95 % intervals at most +-
    12 | fire 4-6-7 --fp 1 --drm 5                                       | The IFT shows nothing 100.00 %: some effect 0.00 %.
    12 | fire 4-6-7 --fp 12                                              | The IFT shows KIA 2.78 %, K 5.56 %, 3MC 5.56 %, 2MC 25.00 %, 1MC 30.56 %, NMC 13.89 %, PTC 5.56 %, nothing 11.11 %: some effect 88.89 %.
    12 | fire 4-6-7 --fp 36 --drm -2                                     | KIA 69.44 %, K 13.89 %, 4MC 5.56 %, 3MC 8.33 %, 2MC 2.78 %: some effect 100.00 %.
    16 | fire '8-1 + 2x german:4-6-7' --fp 8 --drm 1                     | Broken or worse: at least one of 2 MMC 42.24 %, all 15.90 %.
    16 | fire '8-1 + 3x german:4-6-7' --fp 16 --drm -1                   | 4-6-7 (each of 3): holds 31.02 %
    12 | rally 4-6-7/dm --leader 8-1 --phases 2 --terrain woods --no-hob | 4-6-7 rallies: 27.78 % in the first phase, 87.65 % within 2.
    12 | rally 4-6-7/dm --leader 8-1 --terrain woods --no-hob            | rallies on 5 or less, without DM on 9
    12 | fire 4-6-7 --fp 8                                               | 4-6-7 passes a NMC on 7 or less (Morale Level 7).
    16 | fire '2x russian:6-2-8:e' --by '2x russian:6-2-8:e' --range 1   | 2x russian:6-2-8:e under Prep Fire of 2x russian:6-2-8:e, 1 hex
    16 | fire '4-6-7/concealed + 4-6-7 + 8-1' --by russian:4-4-7 --range 2 | The IFT shows against 4-6-7 [2], 8-1: K 2.78 %, 2MC 5.56 %
    12 | rally 4-6-7/dm --leader 8-1 --terrain woods --no-hob            | by phase 1 2 6 holds 27.78 % 87.65 % 99.79 %
    12 | rally 4-6-7/dm --phases 1 --no-hob                              | 4-6-7 rallies: 2.78 %.
    12 | rally '4x german:4-6-7/dm' --leader 9-1 --phases 4 --no-hob     | by phase 1 2 4 holds 16.67 % 76.47 % 97.66 %
    16 | rally 'german:8-0 + 2x german:4-6-7/dm'                         | holds by phase 1 2 6
    12 | interdict 4-6-7/dm --hexes 2                                    | holds 2.47 % (improved 1.93 %, reduced 0.54 %), through 40.33 %, stopped 29.00 %, lost 26.55 %
    12 | interdict 4-6-7 --hexes 3 --leader 9-1                          | No unit is marked as broken, so all are assumed broken.
    16 | interdict '8-1 + 2x 4-6-7/dm' --hexes 2                         | through, at least 64.39 % 16.26 %
    16 | fire 'german:4-6-7 + german:2-4-7' --fp 4 --joint               | further outcomes, together
    12 | fortitude recover unit/base=10,shaken --turns 6                 | is Normal after the last turn: 80.15 %.
    12 | reaction volley panzer-iv --dice 8 --inches                     | lost 29.05 %.
    12 | reaction morale 6                                               | Expected Army Morale Points lost: 5.9959
    12 | check 467 --mc nmc                                              | 4-6-7 passes on 7 or less (Morale Level 7).
    12 | check 4-6-7/pin --mc 1                                          | holds 40.90 % (improved 1.54 %, pinned 39.35 %), breaks 58.41 %
    12 | check 4-6-7 --mc 1 --given 9                                    | 4-6-7: breaks 100.00 %.
    16 | check 'german 8-1, 467, 467' --mc 1                             | 4-6-7 (each of 2): holds 47.42 %
    16 | check '80 + 61 + 467' --mc 1                                    | 6+1 27.35 % 70.92 %
    12 | fire 467 --fp 7.5                                               | 7.5 FP use the 6 column of the IFT.
    12 | fire 467 --fp 8 --then 'fire fp=8' --then 'rally leader=9-1 terrain=woods' | by step 1 2 3 holds 56.20 % 32.04 % 44.98 %
    16 | fire russian:447 --by 'german:9-2 + 2x german:467/lmg' --range 4 --terrain woods | 14 FP (2x 4-6-7 8, 2x LMG 6) on the 12 column; DRM -1 (leadership -2, woods +1)
    16 | fire '8-0 + russian:4-4-7' --by german:8-3-8/ft,sw-only --terrain stone | FT: used up 16.67 % (X10, A22.1).
    16 | turn russian:4-4-7 --attack 'prep 3, rof 3: german:4-6-7/hmg' --attack 'advancing 2: 2x german:5-4-8' | Step 1: second shot 41.67 %, third shot 17.36 % (A9.2).
    12 | rally 467                                                       | 4-6-7 rallies: 41.67 % in the first phase, 79.41 % within 6.
    12 | rally 467/dm --turns 2                                          | Each Player Turn has one Rally Phase, so `turns` is read as `phases`.
    12 | rally russian:447/dm --leader commissar:9-0                     | 4-4-7 rallies on 8 or less (broken Morale Level 8, Commissar +0).
    16 | rally '9-1/dm + 467/dm + 247/dm' --phases 3                     | Even odds: at least 1 of 2 back by phase 2, 2 by 3.
    12 | interdict 467/dm --hexes 2 --leader 8-1                         | through 54.85 %
    12 | rally 467/dm --leader 9-1 --terrain woods --phases 4            | 4-6-7 rallies: 26.62 % in the first phase, 97.62 % within 4.
    16 | cc german:4-6-7 --against russian:4-4-7                         | theirs 4-4-7 [1] > ours 4-6-7 [1]: 4 to 4 = 1-1, Kill Number 5
    12 | platoon 'german:8-0 + 3x german:4-6-7' --fp 8 --terrain woods --rear woods --no-hob --engine monte-carlo --trials 1000 | position held 89 %
    16 | firefight '9-1 + 8-0 + 4x german:4-6-7' '8-0 + 9x russian:4-4-7' --range 4 --terrain woods --their-terrain woods --rear woods --no-hob --engine monte-carlo --trials 1000 | field: own-only
    16 | cc german:4-6-7 --against russian:4-4-7 --turns 20             | Location by Player Turn 1 4 8 12 16 20
"#;

#[test]
fn question_takes_few_lines() {
    for [most, line, fact] in rows(FEW_LINES) {
        let screen = screen(line);
        let text = in_a_line(&screen);
        assert!(text.contains(fact), "lowcrawl {line}: no `{fact}` in\n{screen}");
        assert!(screen.lines().count() <= most.parse().unwrap(), "lowcrawl {line}:\n{screen}");
        assert!(text.contains("--all shows every outcome"), "lowcrawl {line}:\n{screen}");
    }
}

/// The whole answers are in the answer store.
#[test]
fn questions_of_new_players_are_answered_on_the_first_screen() {
    let compared = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/compare/low-crawl-or-run.toml");
    for (line, fact) in [
        // A 4-6-7 passes a 1MC on 6 or less (15 of 36). Of three (15/36)^3 = 7.23 % all hold, and
        // 3 (15/36)^2 21/36 + (15/36)^3 = 37.62 % at least two.
        (
            "check '3x german:4-6-7' --mc 1 --no-hob",
            "holds, at least   80.15 %  37.62 %   7.23 %\n",
        ),
        ("check '3x german:4-6-7' --mc 1 --no-hob", "4-6-7 passes on 6 or less (Morale Level 7"),
        ("fire '8-1 + 2x german:4-6-7' --fp 8 --drm 1", "holds, at least   83.48 %  57.18 %"),
        (
            "rally '4x german:4-6-7/dm' --leader 9-1 --phases 4 --no-hob",
            "Even odds: at least 1 of 4 back by phase 1, 3 by 2, 4 by 3.",
        ),
        // The chance is 5 of 18 in the first phase, under DM.
        (
            "rally 4-6-7/dm --leader 8-1 --terrain woods --no-hob",
            "\n4-6-7 rallies: 27.78 % in the first phase, 99.79 % within 6.\n",
        ),
        // The leader has broken, so that he lends no leadership.
        ("check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3", "9-1: breaks 100.00 %.\n"),
        // A 9-1 lends as much as an 8-1 (10.6).
        (
            "rally 4-6-7/dm --leader 8-1,9-1 --phases 3 --no-hob",
            "8-1         92.95 %\n9-1         92.95 %\n",
        ),
        (
            "rally 4-6-7/dm --leader 8-1 --terrain open,woods --phases 2 --no-hob",
            "open         76.47 %\nwoods        87.65 %\n",
        ),
        (
            "rally german:4-6-7 --dm=false,true --leader 8-1 --phases 2 --no-hob",
            "false      91.90 %\ntrue       76.47 %\n",
        ),
        (
            "fire '2x german:4-6-7' --fp 4..12/4 --tell 'mmc holds'",
            " 4  1.5619\n 8  1.1240\n12  0.9135\n",
        ),
        ("check '3x german:4-6-7' --mc 0..3 --tell 'mmc holds >= 2' --no-hob", " 1      37.62 %\n"),
        (
            "check '9-2 + german:4-6-7' '8-0 + 2x german:4-6-7' --mc 1 --tell 'mmc holds' --no-hob",
            "9-2 + german:4-6-7     0.5921\n8-0 + 2x german:4-6-7  0.8301\n",
        ),
        (&format!("compare {compared}"), "best play  72.95 %"),
    ] {
        let screen = screen(line);
        assert!(screen.contains(fact), "lowcrawl {line}: no `{fact}` in\n{screen}");
    }
}

/// The commands of the table in `docs/players.md` that need no file have short answers.
#[test]
fn questions_of_the_manual_take_few_lines() {
    let (table, _) = include_str!("../../docs/players.md").split_once("## How a stack").unwrap();
    let commands = table.split("`lowcrawl ").skip(1).map(|rest| rest.split('`').next().unwrap());
    let is_short = |line: &&str| !line.starts_with("trace") && !line.ends_with("--plot");
    let is_whole = |line: &&str| !line.contains(".toml") && !line.contains(".v");
    let commands: Vec<&str> = commands.filter(|line| is_short(line) && is_whole(line)).collect();
    assert!(commands.len() >= 22, "{commands:?}");
    for line in commands {
        let screen = screen(line);
        assert!(screen.lines().count() <= 16, "lowcrawl {line}:\n{screen}");
    }
}

/// Comparisons and best plays of a few lines fit a screen; what is left out is one option away.
#[test]
fn comparisons_and_best_plays_fit_a_screen() {
    for (line, fact) in [
        ("compare", "best play is best for the owner: +5.35 points of P(Good Order at the end)"),
        ("solve", "Best play: 72.95 %."),
        ("solve", "10.23 points more than if the unit runs for the woods (62.72 %)"),
    ] {
        let path = format!("{}/studies/compare/low-crawl-or-run.toml", env!("CARGO_MANIFEST_DIR"));
        let line = format!("{line} {path}");
        let folder = tempdir().unwrap();
        let whole = ok(folder.path(), &line);
        assert!(in_a_line(&whole).contains(fact), "{line}\n{whole}");
        assert!(whole.lines().count() <= SCREEN.1, "{line}\n{whole}");
    }
}

/// Tables with many columns, deep trees, and the lines of studies fit the width too.
#[test]
fn wide_answers_fit_the_width() {
    for (command, file, options) in [
        ("compare", "reaction/pulses.toml", ""),
        ("compare", "compare/low-crawl-or-run.toml", "--engine monte-carlo --trials 2000"),
        ("compare", "compare/9-1-or-two-8-0.toml", "--engine monte-carlo --trials 2000"),
        ("solve", "compare/low-crawl-or-run.toml", "--turns 3 --tree 2"),
        ("study run", "recovery.toml", ""),
        ("study run", "rally-under-dm.toml", "--engine monte-carlo --trials 100"),
    ] {
        let path = format!("{}/studies/{file}", env!("CARGO_MANIFEST_DIR"));
        assert!(!screen(&format!("{command} {path} {options}")).is_empty());
    }
}
