//! Questions of new players: each is answered by one command, on a screen of 80 letters by 24
//! lines.

use super::shell::{fails, ok};
use tempfile::tempdir;

/// The width and the height of a screen, in characters and lines.
const SCREEN: (usize, usize) = (80, 24);

/// Returns the first screen of a command, and checks that no line of its output is too long.
fn screen(line: &str) -> String {
    let folder = tempdir().unwrap();
    let output = ok(folder.path(), line);
    let (letters, lines) = SCREEN;
    for line in output.lines() {
        assert!(line.chars().count() <= letters, "{line}");
    }
    output.lines().take(lines).map(|line| line.to_string() + "\n").collect()
}

fn assert_shows(line: &str, facts: &[&str]) {
    let screen = screen(line);
    for fact in facts {
        assert!(screen.contains(fact), "lowcrawl {line}: no `{fact}` in\n{screen}");
    }
}

/// A 1MC of a 4-6-7 is passed on 6 or less: 15 of 36 hold. Of three (15/36)^3 = 7.23 % all, and
/// 3 (15/36)^2 21/36 + (15/36)^3 = 37.62 % at least two.
#[test]
fn check_shows_how_many_of_three_hold() {
    assert_shows(
        "check '3x german:4-6-7' --mc 1 --no-hob",
        &[
            "1MC of 3x german:4-6-7, ELR 3\n",
            "4-6-7 (each of 3): holds 41.67 % (5/12, pinned 13.89 %), breaks 58.33 % (7/12).\n",
            "4-6-7 passes on 6 or less (Morale Level 7, +1).\n",
            "of 3 mmc               0        1        2        3\n",
            "holds            19.85 %  42.53 %  30.38 %   7.23 %\n",
            "holds, at least           80.15 %  37.62 %   7.23 %\n",
            "On average holds 1.25, breaks 1.75.\n",
        ],
    );
}

#[test]
fn fire_shows_how_many_of_a_platoon_hold() {
    assert_shows(
        "fire '8-1 + 2x german:4-6-7' --fp 8 --drm 1",
        &["4-6-7 (each of 2): holds 70.33 %", "holds, at least           83.48 %  57.18 %"],
    );
}

#[test]
fn rally_shows_when_half_a_platoon_is_back() {
    assert_shows(
        "rally '4x german:4-6-7/dm' --leader 9-1 --phases 4 --no-hob",
        &[
            "4-6-7 rallies on 4 or less, without DM on 8 (broken Morale Level 7, leader -1,\n",
            "back together  even odds by phase  on average  not within 4\n",
            "2 of 4                          2",
        ],
    );
}

/// The chance is 5 of 18 in the first phase, under DM. The mean counts units that rally only.
#[test]
fn rally_shows_how_long_one_unit_takes() {
    assert_shows(
        "rally 4-6-7/dm --leader 8-1 --terrain woods --no-hob",
        &[
            "4-6-7 rallies in the first phase: 27.78 % (5/18); within 6 phases: 99.79 %; even\n  odds by phase 2, on average phase 1.87 of those who come back.\n",
        ],
    );
}

/// 15.3: Original 2 of a 2MC, then Heat of Battle: a 2-4-7 that becomes a 2-4-8 is no smaller.
#[test]
fn hardened_half_squad_is_improved() {
    for (line, holds) in [
        ("check german:2-4-7 --mc 2", "(175/648, improved 1.54 %, pinned 11.11 %)"),
        ("interdict german:2-4-7 --hexes 2", "(improved 1.74 %)"),
        ("rally german:2-4-7 --phases 1 --leader german:9-2", "(307/432, improved 1.39 %)"),
    ] {
        assert_shows(line, &[holds]);
        assert!(!screen(line).contains("reduced"), "{line}");
    }
}

#[test]
fn given_dice_show_the_odds_after_the_leader_broke() {
    assert_shows(
        "check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3",
        &["9-1: breaks 100.00 %.\n", "4-6-7 (each of 2): holds"],
    );
}

/// Without DM a 4-6-7 needs 8 or less beside an 8-1, with it 4; a 9-1 lends as much as an 8-1.
#[test]
fn lists_compare_leaders_terrain_and_dm() {
    assert_shows(
        "rally 4-6-7/dm --leader 8-1,9-1 --phases 3 --no-hob",
        &["over leader 8-1, 9-1", "8-1         92.95 %\n9-1         92.95 %\n"],
    );
    assert_shows(
        "rally 4-6-7/dm --leader 8-1 --terrain open,woods --phases 2 --no-hob",
        &["open         76.47 %\nwoods        87.65 %\n"],
    );
    assert_shows(
        "rally german:4-6-7 --dm=false,true --leader 8-1 --phases 2 --no-hob",
        &["false      91.90 %\ntrue       76.47 %\n"],
    );
}

/// The lists are the average of two squads that hold under 4, 8 and 12 FP, and the odds that two of
/// three pass a MC of 0 to 3.
#[test]
fn lists_compare_firepower_and_checks() {
    assert_shows(
        "fire '2x german:4-6-7' --fp 4..12/4 --tell 'mmc holds'",
        &[" 4  1.5619\n 8  1.1240\n12  0.9135\n"],
    );
    assert_shows(
        "check '3x german:4-6-7' --mc 0..3 --tell 'mmc holds >= 2' --no-hob",
        &["P(mmc holds >= 2)", " 1      37.62 %\n"],
    );
}

/// Compares one squad with a 9-2 to two with an 8-0.
#[test]
fn two_stacks_are_compared_by_units_that_hold() {
    assert_shows(
        "check '9-2 + german:4-6-7' '8-0 + 2x german:4-6-7' --mc 1 --tell 'mmc holds' --no-hob",
        &["9-2 + german:4-6-7     0.5921\n8-0 + 2x german:4-6-7  0.8301\n"],
    );
}

/// Compares Low Crawl, run and best play.
#[test]
fn comparison_shows_low_crawl_run_and_best_play() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/compare/low-crawl-or-run.toml");
    assert_shows(
        &format!("compare {file}"),
        &["run        60.11 %", "Low Crawl  67.60 %", "best play  72.95 %"],
    );
}

/// A 12 always fails (10.31, 10.64). Under DM some units cannot rally at all (10.62). Units that
/// have rolled already need no number.
#[test]
fn needed_rolls_are_shown_for_each_unit() {
    assert_shows(
        "check '10-3 + german:8-3-8/fanatic' --mc 0",
        &["8-3-8 passes on 11 or less (Morale Level 9, leader -3).\n"],
    );
    let hopeless = "rally german:4-3-6/dm --own-rph never --leader 6+1 --phases 2";
    assert_shows(
        &format!("{hopeless} --no-hob"),
        &["4-3-6 cannot rally under DM, without DM on 4 (broken Morale Level 5, leader +1,\n"],
    );
    assert_shows(
        hopeless,
        &["4-3-6 cannot rally under DM but by Heat of Battle, without DM on 4 "],
    );
    let rolled = screen("check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3");
    assert!(!rolled.contains("passes on"), "{rolled}");
}

#[test]
fn counts_option_prints_the_named_group_only() {
    let squads = screen("check '2x german:4-6-7' --mc 1 --no-hob --counts squad-equivalents");
    assert!(squads.contains("of 2 squad-equivalents"), "{squads}");
    assert!(!squads.contains("good-order 4-6-7"), "{squads}");
    let folder = tempdir().unwrap();
    let fault = fails(folder.path(), "check german:4-6-7 --mc 1 --counts leader", 2);
    assert!(fault.contains("no group of `check` is called `leader`"), "{fault}");
    assert!(fault.contains("did you mean `leaders`?"), "{fault}");
    let fault = fails(folder.path(), "check german:4-6-7 --mc 1 --counts --impact", 2);
    assert!(fault.contains("`--impact` compares outcome by outcome"), "{fault}");
}

/// `--all` prints rare outcomes, and `--digits` sets the number of digits.
#[test]
fn all_and_digits_options_print_rare_outcomes() {
    let line = "check '9-1 + german:4-6-7' --mc 1";
    let few = screen(line);
    assert!(few.contains("rarer outcomes, each below 0.1 %: `--all` shows them too."), "{few}");
    let folder = tempdir().unwrap();
    let all = ok(folder.path(), &format!("{line} --all"));
    assert!(!all.contains("rarer outcome") && all.contains("good-order 4-6-8/fanatic"), "{all}");
    assert!(all.contains("< 0.01 %"), "{all}");
    let digits = ok(folder.path(), &format!("{line} --all --digits 6"));
    assert!(digits.contains("0.000221 %") && !digits.contains("< 0.01 %"), "{digits}");
}

/// The answers to all examples of the help fit the width of a screen.
#[test]
fn every_example_fits_the_width() {
    let registry = lowcrawl::games();
    let mut checked = 0;
    for game in registry.games() {
        for kind in game.kinds().iter().filter(|kind| kind.subject.is_some()) {
            for example in kind.examples.iter().filter(|example| !example.contains("--joint")) {
                let system = if game.name() == registry.first().name() { "" } else { game.name() };
                screen(&format!("{system} {} {example}", kind.name));
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}
