//! A whole board (`studies/rout/board-lowcrawl.csv`) with the units of
//! `studies/rout/full-board.toml`. A test checks that the units agree with the file.
#![allow(dead_code)]

use std::sync::Arc;

use lowcrawl::asl::rout::{Circumstances, Enemy, Router, Situation, Weapon};
use lowcrawl::asl::stack::{Member, Stack};
use lowcrawl::board::geometry::Geometry;
use lowcrawl::board::hex::Hexside;
use lowcrawl::board::map::{BOARD, Location, Map, PlacedBoard};
use lowcrawl::board::sight::{LineOfSight, Remembered};
use lowcrawl::board::table::read_hexes;

/// The table of the board's hexes (CSV).
pub const TABLE: &str = include_str!("../../studies/rout/board-lowcrawl.csv");

/// The routing units: counter, Location, and the leader who accompanies the unit.
const ROUTERS: [(&str, &str, Option<&str>); 10] = [
    ("german:4-6-7/broken,dm", "P7", None),
    ("german:4-6-8/broken,dm", "P7", Some("german:8-0")),
    ("german:2-4-7/broken", "O4", None),
    ("german:4-6-7/broken,dm", "N6", None),
    ("german:8-1/broken,dm,wounded", "O7", None),
    ("german:4-3-6/disrupted", "T3", None),
    ("german:4-6-7/broken,dm", "R6", None),
    ("german:4-4-7/broken,dm", "M6", None),
    ("german:4-6-8/broken,dm", "BB10", None),
    ("german:2-4-8/broken,dm", "X7", None),
];

/// The FP and range of a weapon.
type Arms = Option<(u8, u16)>;

/// The enemies: counter, Location, weapon, and a note as in the situation file. The note is
/// concealment, or the Covered Arc of the weapon.
const ENEMIES: [(&str, &str, Arms, &str); 20] = [
    ("russian:4-4-7", "T4", None, ""),
    ("russian:4-4-7", "U4 level 1", None, ""),
    ("russian:9-1", "U4 level 1", None, ""),
    ("russian:6-2-8:e", "S2", None, ""),
    ("russian:5-2-7", "T2", None, ""),
    ("russian:6-2-8:e", "S6", None, ""),
    ("russian:8-0", "S6", None, ""),
    ("russian:5-2-7", "U7", None, ""),
    ("russian:2-3-7", "U7 level 1", Some((4, 12)), ""),
    ("russian:4-4-7", "V5", None, ""),
    ("russian:4-4-7/broken", "W4", None, ""),
    ("russian:4-5-8", "S9", None, ""),
    ("russian:2-2-8", "W6", Some((8, 40)), "sw/nw"),
    ("russian:4-4-7/pinned", "V7", None, ""),
    ("russian:4-2-6", "W7", None, "concealed"),
    ("russian:2-3-7", "N8", None, "concealed"),
    ("russian:4-5-8", "K7", None, "concealed"),
    ("russian:2-4-8", "L3", None, ""),
    ("russian:4-5-8/cx", "U9", None, ""),
    ("russian:5-2-7", "P2", None, ""),
];

/// Builds the map of the board.
pub fn map() -> Map {
    let board = PlacedBoard { size: BOARD, ..PlacedBoard::alone() };
    Map::new(vec![board], read_hexes(TABLE, 0).unwrap())
}

fn member(text: &str) -> Member {
    Stack::parse(text).unwrap().members.remove(0)
}

/// Creates a routing unit in the Location `at`.
pub fn router(map: &Map, unit: &str, at: &str) -> Router {
    Router {
        name: format!("{unit} in {at}"),
        member: member(unit),
        at: map.parse_location(at).unwrap(),
        sheltered: true,
        in_melee: false,
        mans_emplaced_gun: false,
        escort: None,
    }
}

/// Creates an enemy without a weapon or circumstances.
pub fn enemy(unit: &str, at: Location) -> Enemy {
    let level = if at.level == 0 { String::new() } else { format!(" level {}", at.level) };
    Enemy {
        name: format!("{unit} in {}{level}", at.hex),
        member: Some(member(unit)),
        at,
        firepower: None,
        range: None,
        weapon: None,
        circumstances: Circumstances::default(),
    }
}

/// Creates a situation from units on the board.
pub fn situation(
    map: Map,
    sight: Arc<dyn LineOfSight>,
    routers: Vec<Router>,
    enemies: Vec<Enemy>,
) -> Situation {
    Situation { routers, enemies, ..Situation::new(map, sight) }
}

/// Builds the situation with ten routing units and twenty enemies.
pub fn full() -> Situation {
    let map = map();
    let routers = ROUTERS.iter().enumerate().map(|(number, &(unit, at, leader))| {
        let router = router(&map, unit, at);
        Router { name: format!("{number} {}", router.name), escort: leader.map(member), ..router }
    });
    let enemies = ENEMIES.iter().map(|&(unit, at, weapon, words)| {
        let covered_arc = words
            .split_once('/')
            .map(|(a, b)| (Hexside::named(a).unwrap(), Hexside::named(b).unwrap()));
        let weapon = weapon.map(|(firepower, range)| Weapon {
            firepower,
            range,
            covered_arc,
            malfunctioned: false,
        });
        let circumstances =
            Circumstances { concealed: words == "concealed", ..Circumstances::default() };
        Enemy { weapon, circumstances, ..enemy(unit, map.parse_location(at).unwrap()) }
    });
    let (routers, enemies, sight) =
        (routers.collect(), enemies.collect(), Arc::new(Remembered::new(&map, Geometry)));
    situation(map, sight, routers, enemies)
}
