//! Questions of new players: each is answered by one command, on a screen of 80 letters by 24
//! lines.

use super::shell::ok;
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

/// The whole answers are in the answer store.
#[test]
fn questions_of_new_players_are_answered_on_the_first_screen() {
    let compared = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/compare/low-crawl-or-run.toml");
    for (line, fact) in [
        // A 4-6-7 passes a 1MC on 6 or less (15 of 36). Of three (15/36)^3 = 7.23 % all hold, and
        // 3 (15/36)^2 21/36 + (15/36)^3 = 37.62 % at least two.
        (
            "check '3x german:4-6-7' --mc 1 --no-hob",
            "holds, at least           80.15 %  37.62 %   7.23 %\n",
        ),
        ("check '3x german:4-6-7' --mc 1 --no-hob", "4-6-7 passes on 6 or less (Morale Level 7"),
        (
            "fire '8-1 + 2x german:4-6-7' --fp 8 --drm 1",
            "holds, at least           83.48 %  57.18 %",
        ),
        (
            "rally '4x german:4-6-7/dm' --leader 9-1 --phases 4 --no-hob",
            "2 of 4                          2",
        ),
        // The chance is 5 of 18 in the first phase, under DM. The mean counts units that rally.
        (
            "rally 4-6-7/dm --leader 8-1 --terrain woods --no-hob",
            "4-6-7 rallies in the first phase: 27.78 % (5/18); within 6 phases: 99.79 %; even\n  odds by phase 2, on average phase 1.87 of those who come back.\n",
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
