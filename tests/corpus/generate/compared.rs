//! `compare`: courses of campaigns and of stacks.

use super::campaigns::{base, objective};
use super::dice::{Dice, Toml, Words};
use super::sequences::{scene, steps};
use super::stacks::{Tilt, lent, rules, stack};
use super::words::TERRAIN;
use super::{Request, request};
use crate::store::Runs;

const NAMES: [&str; 4] = ["as it is", "the other", "a third", "und noch einer"];

pub fn compare(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    if dice.percent(30) {
        file.text("about", "Which is better?");
    }
    if dice.percent(45) {
        campaigns(dice, &mut file)
    } else {
        stacks(dice, &mut file)
    }
    let mut words = Words::of("compare courses.toml");
    if dice.percent(20) {
        words.option("elr", dice.from(0, 5));
    }
    if dice.percent(10) {
        rules(dice, &mut words);
    }
    run(dice, &mut words, &mut file);
    let runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    request("comparisons", words, [("courses.toml", file.0)], runs)
}

/// The engine, in the file or on the command line.
pub fn run(dice: &mut Dice, words: &mut Words, file: &mut Toml) {
    match dice.below(8) {
        0 => {
            file.head("[run]");
            file.text("engine", "monte-carlo");
            file.key("trials", dice.pick(&[100, 2000, 5000]));
            file.key("seed", dice.below(100));
        }
        1 => {
            words.option("engine", "monte-carlo");
            words.option("trials", dice.pick(&[100, 2000, 5000]));
            words.option("seed", dice.below(100));
        }
        2 => {
            file.head("[run]");
            file.text("engine", "exact");
        }
        3 => {
            words.option("engine", "monte-carlo");
            words.option("precision", "0.05");
        }
        _ => {
            file.head("[run]");
            file.key("trials", 2000);
        }
    }
}

fn campaigns(dice: &mut Dice, file: &mut Toml) {
    file.text("question", "campaign");
    objective(dice, file, true);
    file.head("[base]");
    base(dice, file);
    let policies = [
        "run",
        "crawl",
        "run-if-one",
        "stay",
        "best-rout",
        "best",
        "run, keep-dm",
        "crawl, break",
        "keep-dm",
        "best-rout, break",
    ];
    for (name, policy) in NAMES.iter().zip(dice.some(&policies, 2, 4)) {
        file.head("[[course]]");
        file.text("name", name);
        if dice.percent(75) {
            file.text("policy", policy);
        } else {
            file.key("fp", dice.from(1, 24));
        }
    }
}

fn stacks(dice: &mut Dice, file: &mut Toml) {
    let kind = dice.pick(&["rally", "rally", "sequence", "sequence", "check", "fire", "interdict"]);
    file.text("question", kind);
    objective(dice, file, false);
    let tilt = if ["rally", "interdict"].contains(&kind) { Tilt::Broken } else { Tilt::Fresh };
    let (shared, units) = stack(dice, tilt);
    file.head("[base]");
    file.text("stack", shared);
    scene(dice, file);
    match kind {
        "rally" if dice.percent(80) => file.key("phases", dice.from(1, 3)),
        "rally" => {}
        "check" => file.key("mc", dice.from(0, 2)),
        "fire" => file.key("fp", dice.pick(&[4, 8, 12])),
        "interdict" => file.key("hexes", dice.from(1, 3)),
        _ => steps(dice, file, units),
    }
    let policies = ["reference", "leaders-first", "mmc-first", "hopeful", "keep-dm", "best"];
    for name in &NAMES[..dice.pick(&[2, 2, 3, 4])] {
        file.head("[[course]]");
        file.text("name", name);
        match kind {
            "rally" | "sequence" if dice.percent(40) => file.text("policy", dice.pick(&policies)),
            "rally" if dice.percent(50) => file.text("terrain", dice.pick(&TERRAIN)),
            "rally" => file.text("leader", lent(dice)),
            "sequence" => file.key("elr", dice.from(0, 5)),
            "check" if dice.percent(50) => file.key("no-hob", true),
            "fire" => file.key("drm", dice.from(-2, 3)),
            "interdict" => file.text("leader", lent(dice)),
            _ => file.key("elr", dice.from(0, 5)),
        }
    }
}
