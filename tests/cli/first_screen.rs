//! What a new player asks is answered by one command, on a screen of 80 letters by 24 lines.

use super::shell::{fails, ok};
use tempfile::tempdir;

/// Letters of a line of a screen, and its lines.
const SCREEN: (usize, usize) = (80, 24);

/// The first screen of a command; no line of all it tells is too long.
fn screen(line: &str) -> String {
    let folder = tempdir().unwrap();
    let told = ok(folder.path(), line);
    let (letters, lines) = SCREEN;
    for line in told.lines() {
        assert!(line.chars().count() <= letters, "{line}");
    }
    told.lines().take(lines).map(|line| line.to_string() + "\n").collect()
}

fn assert_tells(line: &str, facts: &[&str]) {
    let screen = screen(line);
    for fact in facts {
        assert!(screen.contains(fact), "lowcrawl {line}: no `{fact}` in\n{screen}");
    }
}

/// A 1MC of a 4-6-7 is passed on 6 or less: 15 of 36 hold. Of three (15/36)^3 = 7.23 % all, and
/// 3 (15/36)^2 21/36 + (15/36)^3 = 37.62 % at least two.
#[test]
fn how_many_of_three_hold() {
    assert_tells(
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

/// Three MMC and their leader: all of it still is on one screen.
#[test]
fn a_platoon_under_fire() {
    assert_tells(
        "fire '8-1 + 2x german:4-6-7' --fp 8 --drm 1",
        &["4-6-7 (each of 2): holds 70.33 %", "holds, at least           83.48 %  57.18 %"],
    );
}

/// When half of four squads are back.
#[test]
fn when_half_a_platoon_is_back() {
    assert_tells(
        "rally '4x german:4-6-7/dm' --leader 9-1 --phases 4 --no-hob",
        &[
            "4-6-7 rallies on 4 or less, without DM on 8 (broken Morale Level 7, leader -1,\n",
            "back together  even odds by phase  on average  not within 4\n",
            "2 of 4                          2",
        ],
    );
}

/// 5 of 18 each phase under DM: the mean is that of who comes back.
#[test]
fn one_unit_waits() {
    assert_tells(
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
        assert_tells(line, &[holds]);
        assert!(!screen(line).contains("reduced"), "{line}");
    }
}

#[test]
fn what_now_that_the_leader_broke() {
    assert_tells(
        "check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3",
        &["9-1: breaks 100.00 %.\n", "4-6-7 (each of 2): holds"],
    );
}

/// Without DM a 4-6-7 needs 8 or less beside an 8-1, with it 4; a 9-1 lends as much as an 8-1.
#[test]
fn which_leader_which_terrain_with_dm_or_without() {
    assert_tells(
        "rally 4-6-7/dm --leader 8-1,9-1 --phases 3 --no-hob",
        &["over leader 8-1, 9-1", "8-1         92.95 %\n9-1         92.95 %\n"],
    );
    assert_tells(
        "rally 4-6-7/dm --leader 8-1 --terrain open,woods --phases 2 --no-hob",
        &["open         76.47 %\nwoods        87.65 %\n"],
    );
    assert_tells(
        "rally german:4-6-7 --dm=false,true --leader 8-1 --phases 2 --no-hob",
        &["false      91.90 %\ntrue       76.47 %\n"],
    );
}

/// How many of two hold 4, 8, 12 FP; how many of three a MC of 0 to 3, two at least.
#[test]
fn what_firepower_and_what_check() {
    assert_tells(
        "fire '2x german:4-6-7' --fp 4..12/4 --tell 'mmc holds'",
        &[" 4  1.5619\n 8  1.1240\n12  0.9135\n"],
    );
    assert_tells(
        "check '3x german:4-6-7' --mc 0..3 --tell 'mmc holds >= 2' --no-hob",
        &["P(mmc holds >= 2)", " 1      37.62 %\n"],
    );
}

/// Is one squad with a 9-2 better than two with an 8-0?
#[test]
fn one_squad_or_two() {
    assert_tells(
        "check '9-2 + german:4-6-7' '8-0 + 2x german:4-6-7' --mc 1 --tell 'mmc holds' --no-hob",
        &["9-2 + german:4-6-7     0.5921\n8-0 + 2x german:4-6-7  0.8301\n"],
    );
}

/// Low Crawl or run: what each leaves, and which is better.
#[test]
fn low_crawl_or_run() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/compare/low-crawl-or-run.toml");
    assert_tells(
        &format!("compare {file}"),
        &["run        60.11 %", "Low Crawl  67.60 %", "best play  72.95 %"],
    );
}

/// 10.31, 10.64: a 12 fails whatever the number is; 10.62: under DM some cannot rally at all. What
/// has been rolled needs nothing any more.
#[test]
fn what_a_roll_needs_is_read_off_the_rule() {
    assert_tells(
        "check '10-3 + german:8-3-8/fanatic' --mc 0",
        &["8-3-8 passes on 11 or less (Morale Level 9, leader -3).\n"],
    );
    let hopeless = "rally german:4-3-6/dm --own-rph never --leader 6+1 --phases 2";
    assert_tells(
        &format!("{hopeless} --no-hob"),
        &["4-3-6 cannot rally under DM, without DM on 4 (broken Morale Level 5, leader +1,\n"],
    );
    assert_tells(
        hopeless,
        &["4-3-6 cannot rally under DM but by Heat of Battle, without DM on 4 "],
    );
    let begun = screen("check '9-1 + 2x german:4-6-7' --mc 1 --no-hob --given 6,3");
    assert!(!begun.contains("passes on"), "{begun}");
}

/// What is asked for is told by itself, in the group that is named.
#[test]
fn counts_by_themselves() {
    let squads = screen("check '2x german:4-6-7' --mc 1 --no-hob --counts squad-equivalents");
    assert!(squads.contains("of 2 squad-equivalents"), "{squads}");
    assert!(!squads.contains("good-order 4-6-7"), "{squads}");
    let folder = tempdir().unwrap();
    let fault = fails(folder.path(), "check german:4-6-7 --mc 1 --counts leader", 2);
    assert!(fault.contains("no group of `check` is called `leader`"), "{fault}");
    assert!(fault.contains("did you mean `leaders`?"), "{fault}");
    let fault = fails(folder.path(), "check german:4-6-7 --mc 1 --counts --impact", 2);
    assert!(fault.contains("readings of the rules are compared outcome by outcome"), "{fault}");
}

/// All that is rare comes with `--all`, and digits as many as are wanted.
#[test]
fn rare_outcomes_and_digits() {
    let line = "check '9-1 + german:4-6-7' --mc 1";
    let few = screen(line);
    assert!(few.contains("rarer outcomes, each below 0.1 %: `--all` tells them too."), "{few}");
    let folder = tempdir().unwrap();
    let all = ok(folder.path(), &format!("{line} --all"));
    assert!(!all.contains("rarer outcome") && all.contains("good-order 4-6-8/fanatic"), "{all}");
    assert!(all.contains("< 0.01 %"), "{all}");
    let digits = ok(folder.path(), &format!("{line} --all --digits 6"));
    assert!(digits.contains("0.000221 %") && !digits.contains("< 0.01 %"), "{digits}");
}

/// Whatever the help of a kind of question proposes fits a screen's width.
#[test]
fn every_example_keeps_to_the_width() {
    let registry = lowcrawl::games();
    let mut tried = 0;
    for game in registry.games() {
        for kind in game.kinds().iter().filter(|kind| kind.subject.is_some()) {
            for example in kind.examples.iter().filter(|example| !example.contains("--joint")) {
                let system = if game.name() == registry.first().name() { "" } else { game.name() };
                screen(&format!("{system} {} {example}", kind.name));
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
}
