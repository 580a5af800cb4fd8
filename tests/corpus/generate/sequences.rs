//! `sequence` files of one to six steps, and steps for comparisons and studies.

use super::dice::{Dice, Toml, Words};
use super::stacks::{Tilt, engine, lent, nation, rules, stack};
use super::words::{MORALE_SWITCHES, OWN_RPH, PROFILES, TERRAIN, TESTS, switch};
use super::{Request, request};
use crate::store::Runs;

pub fn sequence(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    if dice.percent(30) {
        file.text(
            "about",
            dice.pick(&[
                "What is left?",
                "Two turns under fire",
                "Ein Zug unter Feuer: was bleibt übrig?",
            ]),
        );
    }
    let (stack, units) = stack(dice, Tilt::Fresh);
    file.text("stack", stack);
    scene(dice, &mut file);
    steps(dice, &mut file, units);
    let mut words = Words::of("sequence chain.toml");
    if dice.percent(25) {
        rules(dice, &mut words);
    }
    words.flags(dice, if units == 1 { 10 } else { 0 }, &["joint"]);
    if units <= 2 && dice.percent(4) {
        words.word("--impact");
    }
    engine(dice, &mut words, units > 2);
    let runs = if dice.percent(20) { Runs::PlainAndRows } else { Runs::Rows };
    request("sequences", words, [("chain.toml", file.0)], runs)
}

/// The situation that all steps share.
pub fn scene(dice: &mut Dice, file: &mut Toml) {
    if dice.percent(40) {
        file.key("elr", dice.from(0, 5));
    }
    if dice.percent(40) {
        let (name, value) = dice.pick(&[("no-hob", true), ("hob", false), ("hob", true)]);
        file.key(name, value);
    }
    if dice.percent(8) {
        file.key("keu", false);
    }
    file.flags(dice, 6, &["no-keu", "captor", "no-quarter", "enemy-adjacent"]);
    if dice.percent(10) {
        file.text("profile", dice.pick(&PROFILES));
    }
    if dice.percent(6) {
        file.text("enemy", nation(dice).name);
    }
    if dice.percent(20) {
        let (id, value) = switch(dice, MORALE_SWITCHES);
        // A key with a point in it is written in quotes.
        let id = if id.contains('.') { format!("\"{id}\"") } else { id };
        file.text(&id, value);
    }
}

/// One to six steps.
pub fn steps(dice: &mut Dice, file: &mut Toml, units: usize) {
    for number in 0..dice.pick(&[1, 2, 2, 3, 3, 4, 5, 6]) {
        file.head("[[step]]");
        let deed = dice.pick(if number == 0 { &DEEDS[..4] } else { &DEEDS[..] });
        file.text("do", deed);
        deed_fields(dice, file, deed, units);
        if number > 0 && dice.percent(35) {
            file.text("if", dice.pick(&TESTS));
        }
    }
}

const DEEDS: [&str; 10] =
    ["fire", "check", "fire", "break", "rally", "rally", "rally", "dm", "eliminate", "interdict"];

fn deed_fields(dice: &mut Dice, file: &mut Toml, deed: &str, units: usize) {
    match deed {
        "fire" => {
            file.key("fp", dice.pick(&[2, 4, 6, 8, 12, 16, 24]));
            if dice.percent(50) {
                file.key("drm", dice.from(-2, 3));
            }
            if dice.percent(20) {
                let (name, value) = dice.pick(&[
                    ("no-cowering", true),
                    ("cowering", false),
                    ("inexperienced", true),
                ]);
                file.key(name, value);
            }
        }
        "check" => match dice.percent(25) {
            true => file.key("ptc", true),
            false => file.key("mc", dice.from(0, 3)),
        },
        "eliminate" => match dice.percent(70) {
            true => file.key("slots", 1),
            false => file.text("slots", if units > 1 { "1,2" } else { "1" }),
        },
        "break" if dice.percent(60) => file.key("slots", dice.from(1, units as i64)),
        "interdict" => {
            file.key("hexes", dice.from(1, 3));
            if dice.percent(20) {
                file.text("leader", lent(dice));
            }
        }
        "rally" => {
            if dice.percent(30) {
                file.text("leader", lent(dice));
            }
            if dice.percent(50) {
                file.text("terrain", dice.pick(&TERRAIN));
            }
            if dice.percent(40) {
                file.key("phases", dice.from(1, 2));
            }
            if dice.percent(20) {
                file.text("own-rph", dice.pick(&OWN_RPH));
            }
            file.flags(dice, 10, &["dm", "keep-dm"]);
        }
        _ => {}
    }
}
