//! Situations for `rout`: maps drawn in rows, units on them, and every option of the command.

use super::boards;
use super::campaigns::objective;
use super::dice::{Dice, Toml, Words};
use super::stacks::{leader, mmc, nation};
use super::words::{NATIONS, Nation, OBJECTIVES, PROFILES, ROUT_SWITCHES, switch};
use super::{Request, request};
use crate::store::Runs;

/// A hex of a map, `C4`.
pub type Hex = String;

/// The hexes of a map of so many columns and rows.
fn hexes(columns: usize, rows: usize) -> Vec<Hex> {
    (0..columns * rows)
        .map(|place| format!("{}{}", (b'A' + (place % columns) as u8) as char, place / columns + 1))
        .collect()
}

/// The hex below, if there is one.
pub fn below(hexes: &[Hex], hex: &str) -> Option<Hex> {
    let (column, row) = hex.split_at(1);
    Some(format!("{column}{}", row.parse::<u8>().ok()? + 1)).filter(|hex| hexes.contains(hex))
}

fn pick(dice: &mut Dice, hexes: &[Hex]) -> Hex {
    hexes[dice.below(hexes.len())].clone()
}

/// `[map]`, drawn; its hexes.
fn map(dice: &mut Dice, file: &mut Toml) -> Vec<Hex> {
    let (columns, rows) = (dice.from(4, 8) as usize, dice.from(4, 7) as usize);
    let hexes = hexes(columns, rows);
    let letters = ". . . . . . . w w b B g o u s y m k ~ r".split(' ').collect::<Vec<_>>();
    let heading: String =
        (0..columns).map(|column| format!("  {}", (b'A' + column as u8) as char)).collect();
    let mut picture = format!("  {heading}\n");
    for row in 1..=rows {
        let letters: String = (0..columns).map(|_| format!("  {}", dice.pick(&letters))).collect();
        picture += &format!("{row:2}{letters}\n");
    }
    file.head("[map]");
    file.key("rows", format!("\"\"\"\n{picture}\"\"\""));
    file.key(
        "legend",
        format!(
            "{{ r = \"{}\" }}",
            dice.pick(&["rubble-stone", "pine-woods", "marketplace", "debris", "bridge"])
        ),
    );
    for name in ["smoke", "blaze", "foxholes", "trenches", "pillboxes", "minefields", "ffe"] {
        if dice.percent(6) {
            file.texts(name, &[pick(dice, &hexes)]);
        }
    }
    let hex = pick(dice, &hexes);
    if dice.percent(20) {
        file.key("levels", format!("{{ {} = [\"{hex}\"] }}", dice.from(1, 2)));
    }
    if let Some(below) = below(&hexes, &hex) {
        if dice.percent(25) {
            let barrier = dice.pick(&["wall", "hedge", "bocage", "roadblock", "cliff"]);
            file.key("hexsides", format!("{{ {barrier} = [\"{hex}-{below}\"] }}"));
        }
        if dice.percent(20) {
            file.key("roads", format!("[[\"{hex}\", \"{below}\"]]"));
        }
        if dice.percent(20) {
            file.head("[[map.building]]");
            file.texts("hexes", &[&hex, &below]);
            file.text("type", dice.pick(&["stone", "wood"]));
            if dice.percent(60) {
                file.key("upper-levels", dice.from(1, 2));
                file.texts("stairways", &[hex]);
            }
            file.flags(dice, 10, &["rowhouse", "factory"]);
        }
    }
    hexes
}

/// `[los]`: lines by hand.
fn sight(dice: &mut Dice, file: &mut Toml, hexes: &[Hex]) {
    file.head("[los]");
    for _ in 0..dice.from(1, 5) {
        let (from, to) = (pick(dice, hexes), pick(dice, hexes));
        match dice.percent(40) {
            true => file.text(&format!("\"{from}-{to}\""), "blocked"),
            false => file.key(&format!("\"{from}-{to}\""), dice.from(0, 2)),
        }
    }
    if dice.percent(15) {
        file.text("others", "blocked");
    }
}

/// `[[rout]]`, `[[friend]]`, `[[enemy]]`; where the routing units are.
pub fn units(dice: &mut Dice, file: &mut Toml, hexes: &[Hex]) -> Vec<Hex> {
    let own = nation(dice);
    let mut routing = Vec::new();
    for number in 0..dice.pick(&[1, 1, 1, 2, 2, 3]) {
        file.head("[[rout]]");
        let condition = dice.pick(&[
            "/broken,dm",
            "/broken,dm",
            "/dm",
            "/broken",
            "",
            "/disrupted",
            "/dm,encircled",
            "/dm,elr=1",
        ]);
        let who = if dice.percent(15) { leader(dice, own) } else { mmc(dice, own) };
        file.text("unit", format!("{who}{condition}"));
        routing.push(pick(dice, hexes));
        file.text("at", &routing[number]);
        if dice.percent(30) {
            file.text("name", ["Kolb", "Meier", "Østergård"][number]);
        }
        if dice.percent(8) {
            file.text("with", leader(dice, own));
        }
        file.flags(dice, 4, &["melee", "outside", "emplaced-gun", "voluntary-break"]);
    }
    for _ in 0..dice.pick(&[0, 0, 0, 1, 2]) {
        file.head("[[friend]]");
        let leads = dice.percent(60);
        file.text("unit", if leads { leader(dice, own) } else { mmc(dice, own) });
        file.text("at", pick(dice, hexes));
        if leads && dice.percent(15) {
            file.key("turn", dice.from(1, 3));
        }
    }
    let theirs = &NATIONS[dice.below(NATIONS.len())];
    (0..dice.pick(&[1, 1, 2, 2, 3, 4])).for_each(|_| enemy(dice, file, hexes, theirs));
    routing
}

fn enemy(dice: &mut Dice, file: &mut Toml, hexes: &[Hex], nation: &Nation) {
    file.head("[[enemy]]");
    match dice.below(10) {
        0 => file.key("range", dice.from(4, 16)),
        1 => {
            let arc =
                dice.pick(&["", ", ca = \"n/ne\"", ", ca = \"s/sw\"", ", malfunctioned = true"]);
            file.key(
                "weapon",
                format!("{{ fp = {}, range = {}{arc} }}", dice.from(2, 8), dice.from(6, 16)),
            );
            if dice.percent(50) {
                file.text("unit", mmc(dice, nation));
            }
        }
        2 => file.text(
            "unit",
            format!(
                "{}/{}",
                mmc(dice, nation),
                dice.pick(&["broken", "pinned", "berserk", "unarmed"])
            ),
        ),
        3 => file.text("unit", leader(dice, nation)),
        _ => file.text("unit", mmc(dice, nation)),
    }
    match dice.percent(10) {
        true => file.texts("at", &[pick(dice, hexes), pick(dice, hexes)]),
        false => file.text("at", pick(dice, hexes)),
    }
    file.flags(dice, 14, &["concealed"]);
    file.flags(
        dice,
        4,
        &["melee", "ti", "spotted-fire", "moving", "stunned", "vehicle", "holds-fire"],
    );
    if dice.percent(8) {
        file.key("fp", dice.from(1, 12));
    }
}

/// Options of the rules at the top of the file.
fn top(dice: &mut Dice, file: &mut Toml) {
    if dice.percent(20) {
        file.text("about", dice.pick(&["Run or crawl?", "Im Kornfeld"]));
    }
    if dice.percent(20) {
        file.text("profile", dice.pick(&PROFILES));
    }
    if dice.percent(20) {
        file.key("elr", dice.from(0, 5));
    }
    if dice.percent(25) {
        let (name, value) = dice.pick(&[("hob", false), ("no-hob", true)]);
        file.key(name, value);
    }
    file.flags(dice, 10, &["no-quarter", "night", "enemy-reveals"]);
    if dice.percent(25) {
        let (id, value) = switch(dice, ROUT_SWITCHES);
        file.text(&format!("\"{id}\""), value);
    }
}

/// Files beside a request's own, with their content.
pub type Tables = Vec<(String, String)>;

/// A situation being written.
pub struct Situation {
    pub file: Toml,
    /// The tables it names.
    pub tables: Tables,
    pub hexes: Vec<Hex>,
    /// Where the routing units are.
    pub routing: Vec<Hex>,
}

pub fn situation(dice: &mut Dice) -> Situation {
    let mut file = Toml::default();
    top(dice, &mut file);
    let (tables, hexes) = match dice.percent(18) {
        true => boards::board(dice, &mut file),
        false => (Tables::new(), map(dice, &mut file)),
    };
    if dice.percent(20) {
        sight(dice, &mut file, &hexes);
    }
    let routing = units(dice, &mut file, &hexes);
    Situation { file, tables, hexes, routing }
}

pub fn rout(dice: &mut Dice) -> Request {
    let Situation { mut file, tables, hexes, routing } = situation(dice);
    let mut words = Words::of("rout map.toml");
    options(dice, &mut words);
    let mut runs = dice.pick(&[Runs::Rows, Runs::Rows, Runs::Rows, Runs::Rows, Runs::PlainAndRows]);
    match dice.below(24) {
        0 | 1 => {
            words.option("explain", pick(dice, &hexes));
            runs = Runs::Plain;
        }
        2 | 3 => words.word("--orders"),
        4 => {
            words.word("--impact");
            if dice.percent(50) {
                words.word(switch(dice, ROUT_SWITCHES).0);
            }
        }
        5..=9 => {
            words.option("turns", dice.pick(&[1, 1, 2, 2, 3]));
            if dice.percent(50) {
                words.option("objective", dice.pick(&OBJECTIVES));
            }
        }
        10 => {
            words.option("svg", "map.svg");
            runs = Runs::Plain;
        }
        11 | 12 => {
            words = Words(vec!["solve".to_string(), "map.toml".to_string()]);
            campaign(dice, &mut file);
        }
        13 | 14 => {
            words.option("engine", "monte-carlo");
            words.option("trials", dice.pick(&[500, 2000]));
            words.option("seed", dice.below(100));
        }
        15 => {
            words.option(
                "order",
                routing.iter().rev().map(String::as_str).collect::<Vec<_>>().join(", "),
            );
            words.option("plans", dice.from(0, 3));
        }
        16 => {
            words.option("unit", pick(dice, &routing));
        }
        _ => {}
    }
    let mut request = request("routs", words, [("map.toml", file.0)], runs);
    request.files.extend(tables);
    request
}

/// `[campaign]`, to be solved.
fn campaign(dice: &mut Dice, file: &mut Toml) {
    file.head("[campaign]");
    file.key("turns", dice.from(1, 3));
    objective(dice, file, true);
    if dice.percent(40) {
        file.text("begin", dice.pick(&["rout", "rally", "fire"]));
    }
    if dice.percent(30) {
        file.text("own-rph", dice.pick(&["odd", "even", "never"]));
    }
    file.flags(dice, 12, &["enemy-holds-fire", "created-stay"]);
}

/// Options of the rules on the command line.
pub fn options(dice: &mut Dice, words: &mut Words) {
    words.flags(dice, 15, &["no-hob"]);
    words.flags(dice, 6, &["no-quarter", "enemy-reveals"]);
    if dice.percent(10) {
        words.option("profile", dice.pick(&PROFILES));
    }
    if dice.percent(10) {
        words.option("elr", dice.from(0, 5));
    }
    if dice.percent(25) {
        let (id, value) = switch(dice, ROUT_SWITCHES);
        words.option("set", format!("{id}={value}"));
    }
    words.flags(dice, 10, &["no-map"]);
}
