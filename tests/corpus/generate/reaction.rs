//! Reaction Dice: its kinds with their fields and parameters, sequences, what is solved and
//! compared.

use super::dice::{Dice, Toml, Words};
use super::stacks::engine;
use super::{Request, request};
use crate::store::Runs;

const RANGE: [&str; 3] = ["close", "effective", "long"];
const MOVE: [&str; 3] = ["single", "double", "triple"];
const COVER: [&str; 4] = ["none", "light", "medium", "heavy"];
const OBJECTIVES: [&str; 7] = [
    "may-fire",
    "survives",
    "disruption-points",
    "army-morale",
    "enemy-dispersed",
    "enemy-morale",
    "reaches-goal",
];
const POLICIES: [&str; 5] =
    ["unsuppress-then-rally", "rally-then-unsuppress", "unsuppress", "elsewhere", "best"];
const PARAMETERS: [&str; 34] = [
    "fire-tn=3",
    "reaction-tn=5",
    "reaction-tn-suppressed=6",
    "cohesion=4",
    "dp-rule=all-if-more",
    "range-tn-close=-2",
    "range-tn-effective=1",
    "range-tn-long=2",
    "flank-tn=-2",
    "move-dice-double=-2",
    "move-dice-triple=-3",
    "uphill-dice=-2",
    "cover-dice-light=2",
    "cover-dice-medium=3",
    "cover-dice-heavy=4",
    "halted-cover=none",
    "halted-cover=heavy",
    "high-suppression=true",
    "high-suppression=artillery",
    "forced-back-base=4",
    "forced-back-per-six=2",
    "forced-back-when-already-suppressed=false",
    "morale-loss=d6",
    "army-morale=10",
    "command-dice=4",
    "staff-orders=2",
    "rally-dice=6",
    "rally-tn=5",
    "rally-effect=one-per-roll",
    "rally-opposed=true",
    "activation-limit=gap",
    "wild-die-timing=after",
    "army-morale-check=true",
    "both-at-zero=play-on",
];

/// A unit with its dice and conditions.
fn unit(dice: &mut Dice) -> String {
    let sort = dice.pick(&["unit", "unit", "unit", "panzer-iv", "panther", "stug-iii", "us-tank"]);
    let mut conditions: Vec<String> = Vec::new();
    if sort == "unit" {
        conditions
            .extend([format!("reaction={}", dice.from(2, 6)), format!("at={}", dice.from(2, 6))]);
    }
    for (value, low, high, share) in [
        ("cohesion", 2, 4, 50),
        ("dp", 1, 2, 30),
        ("fp", 2, 6, 10),
        ("artillery", 2, 5, 10),
        ("moved", 1, 9, 6),
    ] {
        if dice.percent(share) {
            conditions.push(format!("{value}={}", dice.from(low, high)));
        }
    }
    for (condition, share) in
        [("suppressed", 25), ("fired", 8), ("soft", 8), ("fast", 8), ("goal=7", 8)]
    {
        if dice.percent(share) {
            conditions.push(condition.to_string());
        }
    }
    if dice.percent(20) {
        conditions.push(
            dice.pick(&["edge=12", "cover=8", "enemy=20", "friend=7-10", "edge=9,cover=5"])
                .to_string(),
        );
    }
    if conditions.is_empty() {
        sort.to_string()
    } else {
        format!("{sort}/{}", conditions.join(","))
    }
}

fn settings(dice: &mut Dice, words: &mut Words) {
    for _ in 0..dice.pick(&[0, 0, 1, 1, 2]) {
        words.option("set", dice.pick(&PARAMETERS));
    }
}

/// How a volley is fired, as pairs of a field and a word.
fn situation(dice: &mut Dice) -> Vec<(&'static str, &'static str)> {
    let all =
        [("range", dice.pick(&RANGE)), ("move", dice.pick(&MOVE)), ("cover", dice.pick(&COVER))];
    all.into_iter().filter(|_| dice.percent(30)).collect()
}

/// A question on the command line; for `trace` without how to answer it.
pub fn question(dice: &mut Dice, words: &mut Words) {
    let kind = dice.pick(&[
        "volley", "volley", "volleys", "volleys", "rally", "rally", "command", "morale", "check",
        "move",
    ]);
    words.word(kind);
    match kind {
        "volley" | "volleys" => {
            words.word(unit(dice));
            match dice.percent(80) {
                true => words.option("dice", dice.from(2, 8)),
                false => words.option("by", unit(dice)),
            }
            situation(dice).into_iter().for_each(|(name, word)| words.option(name, word));
            words.flags(dice, 12, &["flank", "uphill", "artillery", "inches", "army"]);
            for (name, share) in [("wild", 10), ("enemy-wild", 10)] {
                if dice.percent(share) {
                    words.option(name, dice.from(0, 2));
                }
            }
            if kind == "volley" && dice.percent(15) {
                words.option("at-least", dice.from(3, 12));
            } else if kind == "volleys" {
                if dice.percent(60) {
                    words.option("volleys", dice.from(1, 2));
                }
                words.flags(dice, 20, &["effects"]);
                if dice.percent(50) {
                    words.option("orders", dice.from(0, 2));
                }
            }
        }
        "rally" => {
            words.word(
                (0..dice.pick(&[1, 1, 2])).map(|_| unit(dice)).collect::<Vec<_>>().join(" + "),
            );
            if dice.percent(60) {
                words.option("turns", dice.from(1, 2));
            }
            if dice.percent(60) {
                words.option("orders", dice.from(0, 3));
            }
        }
        "command" => {
            words.word(dice.from(1, 6));
            if dice.percent(40) {
                words.option("enemy-dice", dice.from(1, 5));
            }
        }
        "morale" => {
            words.word(dice.from(0, 15));
            if dice.percent(60) {
                words.option("dispersals", dice.from(1, 6));
            }
        }
        "check" => {
            words.word(dice.from(1, 8));
            words.flags(dice, 30, &["staff-order"]);
        }
        _ => {
            words.word(unit(dice));
            if dice.percent(70) {
                words.option("dice", dice.from(2, 3));
            }
        }
    }
    settings(dice, words);
}

pub fn reaction(dice: &mut Dice) -> Request {
    if dice.percent(35) {
        return steps(dice);
    }
    let mut words = Words::of("reaction");
    question(dice, &mut words);
    words.flags(dice, 5, &["joint"]);
    if dice.percent(5) {
        words.word("--impact");
    }
    engine(dice, &mut words, false);
    let runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    request("reaction", words, [], runs)
}

/// A sequence file; or the same solved, or compared under several policies.
fn steps(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    let does = dice.pick(&["sequence", "sequence", "solve", "compare"]);
    if does != "sequence" {
        file.text("system", "reaction");
        file.text("question", "sequence");
        match dice.percent(20) {
            true => file.key("objective", "{ survives = 1, may-fire = 0.5 }"),
            false => file.text("objective", dice.pick(&OBJECTIVES)),
        }
        file.head("[base]");
    }
    file.text("own", (0..dice.pick(&[1, 2])).map(|_| unit(dice)).collect::<Vec<_>>().join(" + "));
    let with_enemy = dice.percent(50);
    if with_enemy {
        file.text("enemy", unit(dice));
    }
    if dice.percent(60) {
        file.key("army", dice.percent(20));
    }
    for (name, low, high, share) in [
        ("own-command-dice", 1, 3, 30),
        ("enemy-command-dice", 1, 3, 20),
        ("own-rally-dice", 2, 5, 10),
        ("own-morale", 3, 15, 15),
        ("wild", 0, 2, 8),
    ] {
        if dice.percent(share) {
            file.key(name, dice.from(low, high));
        }
    }
    if dice.percent(20) {
        let (name, value) = dice.pick(&PARAMETERS).split_once('=').unwrap();
        let is_text = value.contains(char::is_alphabetic) && !["true", "false"].contains(&value);
        if is_text { file.text(name, value) } else { file.key(name, value) }
    }
    for _ in 0..dice.from(2, 4) {
        step(dice, &mut file);
    }
    if does == "compare" {
        for (number, policy) in (1..).zip(dice.some(&POLICIES, 2, 3)) {
            file.head("[[course]]");
            file.text("name", format!("course {number}"));
            file.text("policy", policy);
        }
    }
    let mut words = Words::of(if does == "sequence" { "reaction sequence" } else { does });
    words.word("steps.toml");
    if does == "sequence" {
        words.flags(dice, 10, &["inches", "effects", "army=false", "joint"]);
        if dice.percent(30) {
            words.option("policy", dice.pick(&POLICIES));
        }
        settings(dice, &mut words);
        engine(dice, &mut words, true);
    }
    let runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    request("reaction", words, [("steps.toml", file.0)], runs)
}

fn step(dice: &mut Dice, file: &mut Toml) {
    file.head("[[step]]");
    let does = dice.pick(&[
        "volley", "volley", "volley", "command", "command", "turn", "disperse", "roll", "pulse",
        "restock", "move",
    ]);
    file.text("do", does);
    match does {
        "volley" => {
            file.key("dice", dice.from(2, 5));
            file.key("target", 1);
            situation(dice).into_iter().for_each(|(name, word)| file.text(name, word));
            file.flags(dice, 12, &["flank", "may-hold"]);
        }
        "command" => {
            file.key("dice", dice.from(1, 2));
            if dice.percent(20) {
                file.text("side", dice.pick(&["own", "enemy"]));
            }
            if dice.percent(20) {
                file.key("staff", 1);
            }
        }
        "pulse" if dice.percent(30) => file.key("staff", 1),
        "restock" => {
            file.key("dice", dice.from(2, 4));
            file.flags(dice, 30, &["sixes"]);
        }
        "move" => {
            file.key("slot", 1);
            file.key("dice", dice.from(1, 3));
        }
        "disperse" => file.key("slot", 1),
        _ => {}
    }
}
