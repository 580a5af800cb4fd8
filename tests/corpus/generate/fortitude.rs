//! Fortitude: its kinds with their fields and parameters, sequences, what is solved and compared.

use super::dice::{Dice, Toml, Words};
use super::stacks::engine;
use super::{Request, request};
use crate::store::Runs;

const ORDERS: [&str; 11] = [
    "none",
    "defend",
    "all-around-defense",
    "fire-ranged-weapons",
    "fire-and-retreat",
    "move-and-fire",
    "assault",
    "march",
    "rest",
    "retreat",
    "run",
];
const UNTIL: [&str; 6] = ["none", "normal", "hesitant", "shaken", "routed", "panicked"];
const SIDES: [&str; 8] = [
    "front",
    "flank",
    "rear",
    "front,flank",
    "flank,flank",
    "flank,rear",
    "front,front,rear",
    "front,front,flank",
];
const WAYS: [&str; 3] =
    ["front or flank", "front or flank or flank,flank or flank,rear", "flank or rear"];
const OBJECTIVES: [&str; 5] = ["survives", "ready", "normal", "models", "destroys"];
const PARAMETERS: [&str; 38] = [
    "test-rule=below",
    "natural-roll-exceptions=1-passes",
    "natural-roll-exceptions=20-fails",
    "natural-roll-exceptions=both",
    "level-fortitude=0,-2,-3,-5",
    "level-attack=0,-1,-2,-3",
    "level-defense=0,0,-1,zero",
    "commander-bonus=5",
    "honor-bonus=1",
    "honor-attack=3",
    "staff-near-fortitude=2",
    "staff-near-range=4",
    "staff-lost-penalty=-4",
    "staff-loss-test-stacks=true",
    "flank-penalty=-1",
    "rear-penalty=-7",
    "casualty-fortitude=-2",
    "casualty-fortitude-permanent=false",
    "assault-flank-attack=4",
    "assault-rear-defense=0",
    "fatigue-fortitude=0,-2,-4",
    "morale-phase-requires-unengaged=false",
    "fail-adds=2",
    "combined-mode=simultaneous",
    "combined-order=rear-first",
    "casualty-tests=per-casualty",
    "panicked-nonmelee-fail=surrender",
    "panicked-melee-fail=stay",
    "flee-hexes=4",
    "panic-hexes=5",
    "panic-exit-destroys=false",
    "flee-order-stacks=true",
    "damage-rule=divide",
    "damage-rule=none",
    "defense-floor=1",
    "assault-each-turn=true",
    "retreat-leaves=before-melee",
    "orders-without-commander=none",
];

/// A unit with its conditions and values.
pub fn unit(dice: &mut Dice) -> String {
    let sort =
        dice.pick(&["unit", "unit", "unit", "ashigaru-archers", "sample-card", "samurai-cavalry"]);
    let mut conditions: Vec<String> = Vec::new();
    if dice.percent(45) {
        conditions.push(dice.pick(&["hesitant", "shaken", "panicked"]).to_string());
    }
    for (condition, share) in [
        ("commander", 20),
        ("honor", 12),
        ("engaged", 6),
        ("blocked", 6),
        ("general-staff", 4),
        ("cavalry", 8),
        ("casualties=1", 12),
    ] {
        if dice.percent(share) {
            conditions.push(condition.to_string());
        }
    }
    for (value, low, high, share) in [
        ("base", 7, 15, 50),
        ("attack", 2, 8, 25),
        ("attack-cavalry", 2, 8, 8),
        ("defense", 0, 3, 25),
        ("models", 3, 7, 25),
        ("dice", 1, 2, 8),
        ("staff", 1, 5, 10),
        ("edge", 2, 12, 20),
        ("fatigue", 0, 2, 8),
    ] {
        if dice.percent(share) {
            conditions.push(format!("{value}={}", dice.from(low, high)));
        }
    }
    if conditions.is_empty() {
        sort.to_string()
    } else {
        format!("{sort}/{}", conditions.join(","))
    }
}

fn units(dice: &mut Dice, most: usize) -> String {
    let count = 1 + dice.below(most);
    (0..count).map(|_| unit(dice)).collect::<Vec<_>>().join(" + ")
}

fn orders(dice: &mut Dice) -> String {
    dice.some(&ORDERS, 2, 3).join(",")
}

/// Who attacks, as pairs of a field and its value.
fn force(dice: &mut Dice) -> Vec<(&'static str, String)> {
    match dice.below(3) {
        0 => vec![("casualties", dice.from(0, 3).to_string())],
        1 => vec![("by", unit(dice))],
        _ => vec![("dice", dice.from(1, 8).to_string()), ("value", dice.from(2, 12).to_string())],
    }
}

/// A kind of question, its units, and its fields but the flags.
fn asked(dice: &mut Dice) -> (&'static str, String, Vec<(&'static str, String)>) {
    let kind = dice.pick(&["test", "recover", "fire", "assault", "assault"]);
    let mut fields: Vec<(&str, String)> = Vec::new();
    match kind {
        "test" => {
            let cause = dice.pick(&["morale", "flank", "rear", "casualties", "staff-lost"]);
            fields.push(("cause", cause.to_string()));
            if cause == "casualties" && dice.percent(60) {
                fields.push(("casualties", dice.from(1, 3).to_string()));
            }
        }
        "recover" if dice.percent(60) => fields.push(("turns", dice.from(1, 5).to_string())),
        "recover" => {}
        "fire" => {
            fields.extend(force(dice));
            if dice.percent(50) {
                fields.push(("turns", dice.from(1, 2).to_string()));
            }
            if dice.percent(50) {
                fields.push(("attacks", dice.from(1, 2).to_string()));
            }
        }
        _ => {
            fields.extend(force(dice));
            let is_one = fields[0].0 == "by";
            if dice.percent(60) {
                fields.push(("turns", dice.from(1, 3).to_string()));
            }
            if dice.percent(70) {
                fields.push((
                    "sides",
                    dice.pick(if is_one { &SIDES[..3] } else { &SIDES[..] }).to_string(),
                ));
            }
        }
    }
    if ["fire", "assault"].contains(&kind) && dice.percent(25) {
        fields.push(("orders", orders(dice)));
    } else if kind != "recover" && dice.percent(30) {
        fields.push(("order", dice.pick(&ORDERS).to_string()));
    }
    if kind != "test" && dice.percent(30) {
        fields.push(("until", dice.pick(&UNTIL).to_string()));
    }
    let most = if ["assault", "fire"].contains(&kind) { 1 } else { 3 };
    (kind, units(dice, most), fields)
}

fn flags_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "test" => &["staff-lost", "joint"],
        "recover" => &["just-routed", "staff-lost"],
        _ => &["staff-lost", "enemy-staff-lost"],
    }
}

fn settings(dice: &mut Dice, words: &mut Words) {
    for _ in 0..dice.pick(&[0, 0, 1, 1, 2]) {
        words.option("set", dice.pick(&PARAMETERS));
    }
}

/// A question on the command line; for `trace` without how to answer it.
pub fn question(dice: &mut Dice, words: &mut Words) {
    let (kind, units, fields) = asked(dice);
    words.word(kind);
    words.word(units);
    fields.iter().for_each(|(name, value)| words.option(name, value));
    words.flags(dice, 12, flags_of(kind));
    if fields.iter().any(|(name, _)| *name == "orders") && dice.percent(80) {
        words.option(
            "policy",
            dice.pick(&["stand", "flee-when-hesitant", "best", "defend", "none"]),
        );
    }
    settings(dice, words);
}

pub fn fortitude(dice: &mut Dice) -> Request {
    if dice.percent(35) {
        return if dice.percent(45) { sequence(dice) } else { decided(dice) };
    }
    let mut words = Words::of("fortitude");
    question(dice, &mut words);
    if dice.percent(6) {
        words.word("--impact");
    }
    engine(dice, &mut words, false);
    let runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    request("fortitude", words, [], runs)
}

/// A sequence file.
fn sequence(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    file.text("units", units(dice, 2));
    file.text("enemies", unit(dice));
    if dice.percent(20) {
        file.text("until", dice.pick(&UNTIL));
    }
    if dice.percent(20) {
        file.key("staff-lost", dice.percent(70));
    }
    if dice.percent(25) {
        let (name, value) = dice.pick(&PARAMETERS).split_once('=').unwrap();
        let is_text = value.contains(|letter: char| letter.is_alphabetic() || letter == ',')
            && !["true", "false"].contains(&value);
        if is_text { file.text(name, value) } else { file.key(name, value) }
    }
    for _ in 0..dice.from(1, 3) {
        file.head("[[step]]");
        file.text("do", "turn");
        if dice.percent(40) {
            file.text("orders", format!("1:{}", dice.pick(&ORDERS)));
        }
        for _ in 0..dice.from(0, 2) {
            step(dice, &mut file);
        }
    }
    let mut words = Words::of("fortitude sequence battle.toml");
    if dice.percent(15) {
        words.word(dice.pick(&[
            "--staff-lost=false",
            "--enemy-staff-lost",
            "--until=shaken",
            "--joint",
        ]));
    }
    settings(dice, &mut words);
    engine(dice, &mut words, true);
    let runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    request("fortitude", words, [("battle.toml", file.0)], runs)
}

fn step(dice: &mut Dice, file: &mut Toml) {
    file.head("[[step]]");
    match dice.below(5) {
        0 => {
            file.text("do", "staff-destroyed");
            file.text("of", dice.pick(&["units", "enemies"]));
        }
        1 => {
            file.text("do", "place");
            file.key("at", 1);
            file.key(dice.pick(&["staff", "edge"]), dice.from(1, 9));
        }
        2 => {
            file.text("do", "assault");
            file.key("at", 1);
            file.key("dice", dice.from(2, 6));
            file.key("value", dice.from(4, 10));
            file.text("sides", dice.pick(&SIDES));
        }
        _ => {
            file.text("do", "fire");
            file.key("at", 1);
            file.key("casualties", dice.from(0, 2));
        }
    }
}

/// What is solved or compared: an assault or fire with orders, or ways, to choose from.
fn decided(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    file.text("system", "fortitude");
    let kind = dice.pick(&["assault", "assault", "fire"]);
    file.text("question", kind);
    match dice.percent(25) {
        true => file.key("objective", "{ ready = 1, models = 0.2 }"),
        false => file.text("objective", dice.pick(&OBJECTIVES)),
    }
    file.head("[base]");
    file.text("units", unit(dice));
    let by_two = kind == "assault" && dice.percent(35);
    if by_two {
        file.text("by", format!("2x {}", unit(dice)));
        file.text("sides", dice.pick(&WAYS));
    } else {
        file.key("dice", dice.from(2, 6));
        file.key("value", dice.from(4, 10));
    }
    file.key("turns", dice.from(1, 3));
    file.text("orders", orders(dice));
    let solved = dice.percent(40);
    for (name, policy) in [("one", "stand"), ("two", "flee-when-hesitant"), ("three", "best")] {
        file.head("[[course]]");
        file.text("name", name);
        file.text("policy", policy);
    }
    let mut words = Words::of(if solved { "solve stand.toml" } else { "compare stand.toml" });
    if solved && dice.percent(25) {
        words.option("turns", dice.from(1, 3));
    }
    if dice.percent(20) {
        let (name, value) = dice.pick(&PARAMETERS).split_once('=').unwrap();
        words.option("set", format!("{name}={value}"));
    }
    let runs = dice.pick(&[Runs::Rows, Runs::PlainAndRows]);
    request("fortitude", words, [("stand.toml", file.0)], runs)
}
