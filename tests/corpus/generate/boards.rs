//! Boards as tables: hexes and lines of sight as CSV, for situations and for `board check`.

use super::dice::{Dice, Toml, Words};
use super::situations::{Hex, Tables, below};
use super::{Request, request};
use crate::store::Runs;

const TERRAIN: [&str; 22] = [
    "open-ground",
    "open-ground",
    "open-ground",
    "open-ground",
    "woods",
    "woods",
    "bldg-wood",
    "bldg-stone",
    "grain",
    "orchard",
    "brush",
    "gully",
    "marsh",
    "crag",
    "water",
    "shellhole",
    "vineyard",
    "graveyard",
    "pine-woods",
    "stream-shallow",
    "rubble-stone",
    "bridge",
];

/// A table of hexes, and the hexes of it.
fn hexes(dice: &mut Dice) -> (String, Vec<Hex>) {
    let hexes: Vec<Hex> = (b'A'..b'A' + dice.from(5, 8) as u8)
        .flat_map(|column| (1..=6).map(move |row| format!("{}{row}", column as char)))
        .collect();
    let mut table =
        "hex,terrain,level,building,upper_levels,stairway,road_sides,n,s,woods_pct,grain_pct\n"
            .to_string();
    for hex in &hexes {
        let terrain = dice.pick(&TERRAIN);
        let is_building = terrain.starts_with("bldg");
        let level = if dice.percent(12) { dice.from(-1, 2) } else { 0 };
        let levels = if is_building && dice.percent(40) { "1" } else { "" };
        let stairs = if levels.is_empty() { "" } else { "1" };
        let road = if dice.percent(10) { "03" } else { "" };
        let sides: Vec<&str> = (0..2)
            .map(|_| if dice.percent(5) { dice.pick(&["wall", "hedge", "bocage"]) } else { "" })
            .collect();
        let share = |dice: &mut Dice, of: &str| {
            if terrain == of { dice.from(20, 90).to_string() } else { String::new() }
        };
        let (woods, grain) = (share(dice, "woods"), share(dice, "grain"));
        let building = if is_building { hex.as_str() } else { "" };
        table += &format!(
            "{hex},{terrain},{level},{building},{levels},{stairs},{road},{},{},{woods},{grain}\n",
            sides[0], sides[1]
        );
    }
    (table, hexes)
}

/// A table of lines between some of the hexes.
fn lines(dice: &mut Dice, hexes: &[Hex]) -> String {
    let mut table = "a,b,hindrance\n".to_string();
    for place in 0..hexes.len() {
        let other = (place + 1 + dice.below(hexes.len() - 1)) % hexes.len();
        table += &format!("{},{},{}\n", hexes[place], hexes[other], dice.pick(&[0, 0, 0, 1, 2]));
    }
    table
}

/// `[board]` with its tables, and its hexes.
pub fn board(dice: &mut Dice, file: &mut Toml) -> (Tables, Vec<Hex>) {
    let (table, mut hexes) = hexes(dice);
    let mut tables = vec![("board.csv".to_string(), table)];
    file.head("[board]");
    file.text("hexes", "board.csv");
    if dice.percent(40) {
        file.text("los", "los.csv");
        tables.push(("los.csv".to_string(), lines(dice, &hexes)));
    }
    if dice.percent(25) {
        file.text("prefix", "y");
        hexes.iter_mut().for_each(|hex| *hex = format!("y{hex}"));
    } else if let Some(below) = below(&hexes, "C2").filter(|_| dice.percent(25)) {
        file.head("[map]");
        file.key("hexsides", format!("{{ hedge = [\"C2-{below}\"] }}"));
        file.texts("smoke", &["C3"]);
    }
    (tables, hexes)
}

/// How well computed lines agree with a table.
pub fn check(dice: &mut Dice) -> Request {
    let (table, hexes) = hexes(dice);
    let lines = lines(dice, &hexes);
    let words = Words::of("board check --hexes hexes.csv --los lines.csv");
    request("lists", words, [("hexes.csv", table), ("lines.csv", lines)], Runs::Plain)
}
