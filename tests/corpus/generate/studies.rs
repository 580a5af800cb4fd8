//! `study run`: small grids of every kind, and cases side by side.

use super::campaigns::{base, objective};
use super::dice::{Dice, Toml, Words};
use super::fortitude;
use super::sequences::scene;
use super::situations::{Situation, Tables, situation};
use super::stacks::{Tilt, mmc, nation, stack};
use super::words::{PROFILES, TERRAIN};
use super::{Request, request};
use crate::store::Runs;

pub fn study(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    if dice.percent(30) {
        file.text("about", "What is it worth?");
    }
    let mut tables = Vec::new();
    let kind = dice.below(12);
    match kind {
        0..=4 => of_stacks(dice, &mut file),
        5 | 6 => of_campaigns(dice, &mut file),
        7 | 8 => tables = of_routs(dice, &mut file),
        9 => of_fortitude(dice, &mut file),
        10 => of_reaction(dice, &mut file),
        _ => cases(dice, &mut file),
    }
    let mut words = Words::of("study run sweep.toml");
    if !(5..=8).contains(&kind) {
        run(dice, &mut words, &mut file);
    }
    if dice.percent(10) {
        words.option("out", "results");
    }
    let mut request = request("studies", words, [("sweep.toml", file.0)], Runs::Plain);
    request.files.extend(tables);
    request
}

/// `[run]`, or the same on the command line.
fn run(dice: &mut Dice, words: &mut Words, file: &mut Toml) {
    match dice.below(6) {
        0 => {
            file.head("[run]");
            file.text("engine", "monte-carlo");
            file.key("trials", dice.pick(&[100, 1000]));
            file.key("seed", dice.below(100));
        }
        1 => {
            words.option("engine", "monte-carlo");
            words.option("trials", 500);
        }
        2 => {
            file.head("[run]");
            file.text("engine", "monte-carlo");
            file.key("precision", 0.05);
        }
        3 => words.option("trials", 1000),
        _ => {}
    }
}

/// A swept field.
type Sweep = (&'static str, &'static str);

fn grid(dice: &mut Dice, file: &mut Toml, sweeps: &[Sweep], most: usize) {
    file.head("[grid]");
    dice.some(sweeps, 1, most).into_iter().for_each(|(name, values)| file.key(name, values));
}

const OF_ALL: [Sweep; 4] = [
    ("elr", "[1, 4]"),
    ("profile", "[\"asl-v3\", \"asl-v2\"]"),
    ("i01", "[\"default\", \"alternative\"]"),
    ("no-hob", "[true, false]"),
];

fn of_stacks(dice: &mut Dice, file: &mut Toml) {
    let kind = dice.pick(&["fire", "check", "rally", "interdict", "sequence"]);
    file.text("question", kind);
    let tilt = if ["rally", "interdict"].contains(&kind) { Tilt::Broken } else { Tilt::Fresh };
    let (stack, _) = stack(dice, tilt);
    file.head("[base]");
    file.text("stack", stack);
    let own: &[Sweep] = match kind {
        "fire" => &[
            ("fp", "{ from = 2, to = 8, step = 3 }"),
            ("drm", "[-1, 1]"),
            ("no-cowering", "[true, false]"),
        ],
        "check" => &[("mc", "{ from = 0, to = 2 }")],
        "rally" => &[
            ("leader", "[\"none\", \"8-0\", \"9-2\"]"),
            ("terrain", "[\"open\", \"woods\"]"),
            ("phases", "[1, 2]"),
        ],
        "interdict" => &[("hexes", "[1, 2, 3]"), ("leader", "[\"none\", \"9-1\"]")],
        _ => &[("1.fp", "[4, 12]"), ("1.drm", "[0, 2]"), ("2.terrain", "[\"open\", \"woods\"]")],
    };
    match kind {
        "fire" => file.key("fp", 6),
        "check" => file.key("mc", 1),
        "interdict" => file.key("hexes", 1),
        "rally" => file.key("phases", 2),
        _ => {
            file.0 +=
                "\n[[step]]\ndo = \"fire\"\nfp = 6\n\n[[step]]\ndo = \"rally\"\nif = \"broken\"\n";
        }
    }
    let sweeps: Vec<Sweep> = own.iter().chain(&OF_ALL).copied().collect();
    grid(dice, file, &sweeps, 2);
    // What is swept does not stand in [base].
    let swept: Vec<&str> = sweeps
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| file.0.contains(&format!("[grid]\n{name} ")))
        .collect();
    for line in ["fp = 6\n", "mc = 1\n", "hexes = 1\n", "phases = 2\n"] {
        let name = line.split(' ').next().unwrap_or_default();
        let place = if name == "fp" { "1.fp" } else { name };
        if swept.contains(&name) || swept.contains(&place) {
            file.0 = file.0.replacen(line, "", 1);
        }
    }
}

fn of_campaigns(dice: &mut Dice, file: &mut Toml) {
    file.text("question", "campaign");
    objective(dice, file, true);
    file.head("[base]");
    base(dice, file);
    let swept = dice.pick(&["fp", "range", "broken-morale"]);
    let list = if swept == "fp" { "[1, 4, 8, 16]" } else { "{ from = 5, to = 8 }" };
    // Once in the file only.
    file.0 = file
        .0
        .lines()
        .filter(|line| !line.starts_with(&format!("{swept} =")))
        .map(|line| format!("{line}\n"))
        .collect();
    file.head("[grid]");
    file.key(swept, list);
    if dice.percent(30) && !file.0.contains("\nelr ") {
        file.key("elr", "[1, 4]");
    }
    if dice.percent(60) {
        file.head("[run]");
        file.text("break-even", swept);
    }
}

fn of_routs(dice: &mut Dice, file: &mut Toml) -> Tables {
    let Situation { file: map, mut tables, hexes, .. } = situation(dice);
    file.text("question", "rout");
    file.head("[base]");
    file.text("situation", "map.toml");
    if dice.percent(30) {
        file.text("plans", dice.pick(&["best", "all"]));
    }
    file.head("[grid]");
    match dice.below(4) {
        0 => file.texts("rout.1.at", &hexes[..3]),
        1 => file.texts("enemy.1.at", &hexes[hexes.len() - 3..]),
        2 => {
            let (one, other) = (nation(dice), nation(dice));
            file.texts("rout.1.unit", &[mmc(dice, one), mmc(dice, other)]);
        }
        _ => file.key("no-quarter", "[true, false]"),
    }
    match dice.below(4) {
        0 => file.texts("profile", &PROFILES[..2]),
        1 => file.key("hob", "[true, false]"),
        2 => file.key("elr", "[2, 4]"),
        _ => file.key("night", "[false, true]"),
    }
    tables.push(("map.toml".to_string(), map.0));
    tables
}

fn of_fortitude(dice: &mut Dice, file: &mut Toml) {
    file.text("system", "fortitude");
    file.text("question", "assault");
    file.head("[base]");
    file.text("units", fortitude::unit(dice));
    file.key("dice", dice.from(2, 6));
    file.key("value", dice.from(4, 10));
    let sweeps = [
        ("sides", "[\"front\", \"flank\", \"flank,rear\"]"),
        ("order", "[\"none\", \"defend\"]"),
        ("damage-rule", "[\"subtract\", \"divide\"]"),
        ("staff-lost", "[false, true]"),
        ("turns", "{ from = 1, to = 2 }"),
    ];
    grid(dice, file, &sweeps, 2);
}

fn of_reaction(dice: &mut Dice, file: &mut Toml) {
    file.text("system", "reaction");
    file.text("question", "volleys");
    file.head("[base]");
    if dice.percent(70) {
        file.key("volleys", dice.from(1, 2));
    }
    file.text("target", dice.pick(&["unit/reaction=3,cohesion=3", "panzer-iv/dp=1", "panther"]));
    let sweeps = [
        ("range", "[\"close\", \"long\"]"),
        ("orders", "[0, 1]"),
        ("cover", "[\"none\", \"heavy\"]"),
        ("flank", "[false, true]"),
        ("fire-tn", "[3, 4]"),
    ];
    file.key("dice", dice.from(2, 6));
    grid(dice, file, &sweeps, 2);
}

/// `[[case]]`s of several systems.
fn cases(dice: &mut Dice, file: &mut Toml) {
    for number in 1..=dice.from(2, 4) {
        file.head("[[case]]");
        file.text("name", format!("case {number}"));
        match dice.below(4) {
            0 => {
                file.text("system", "fortitude");
                file.text("question", "recover");
                file.text("units", fortitude::unit(dice));
                file.key("turns", dice.from(1, 4));
            }
            1 => {
                file.text("system", "reaction");
                file.text("question", "rally");
                file.text("units", format!("unit/reaction=3,dp={},suppressed", dice.from(1, 2)));
                file.key("turns", dice.from(1, 3));
            }
            _ => {
                file.text("question", "rally");
                let nation = nation(dice);
                file.text("stack", format!("{}/dm", mmc(dice, nation)));
                file.text("terrain", dice.pick(&TERRAIN));
                file.key("phases", dice.from(1, 3));
                scene(dice, file);
            }
        }
    }
}
