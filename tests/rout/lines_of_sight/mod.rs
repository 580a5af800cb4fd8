//! Tests of lines of sight found from the map, each with its required answer and the reason.
//! A line runs straight from centre to centre. The terrain stands on nine by nine hexes of open
//! ground.

mod artwork;
mod bridges;
mod depressions;
mod heights;
mod hindrances;

use lowcrawl::board::geometry::Geometry;
use lowcrawl::board::hex::{Hex, Hexside};
use lowcrawl::board::map::{BOARD, Barrier, HexContents, Location, Map, PlacedBoard};
use lowcrawl::board::sight::LineOfSight as _;
use lowcrawl::board::table::read_hexes;
use lowcrawl::board::terrain::Terrain;

pub fn hex(name: &str) -> Hex {
    Hex::parse(name).unwrap()
}

pub fn terrain(name: &str) -> HexContents {
    HexContents::from_terrain(Terrain::named(name).unwrap())
}

/// Returns a map of nine columns of nine open hexes, in which the hexes in `others` are replaced.
pub fn map(others: &[(&str, HexContents)]) -> Map {
    let open =
        (1..=9).flat_map(|column| (1..=9).map(move |row| (Hex::new(column, row), terrain("open"))));
    let others = others.iter().map(|(name, ground)| (hex(name), ground.clone()));
    Map::new(vec![PlacedBoard::alone()], open.chain(others))
}

pub fn sees_from(map: &Map, from: (&str, u8), to: (&str, u8)) -> Option<u8> {
    let site = |(name, level)| Location { hex: hex(name), level };
    Geometry.hindrance(map, site(from), site(to))
}

pub fn sees(others: &[(&str, HexContents)], from: &str, to: &str) -> Option<u8> {
    sees_from(&map(others), (from, 0), (to, 0))
}

pub fn hill(level: i8) -> HexContents {
    HexContents { level, ..terrain("open") }
}

pub fn behind(side: Hexside, barrier: Barrier) -> HexContents {
    let mut ground = terrain("open");
    ground.sides[side as usize] = Some(barrier);
    ground
}

pub fn house(building: u16, upper_levels: u8) -> HexContents {
    HexContents { building: Some(building), upper_levels, ..terrain("building") }
}

pub fn road(terrain_name: &str, sides: &[Hexside]) -> HexContents {
    HexContents { road: sides.iter().copied().collect(), ..terrain(terrain_name) }
}

/// Returns the contents of a hex at a level of a hill.
pub fn raised(level: i8, ground: HexContents) -> HexContents {
    HexContents { level, ..ground }
}

/// 6.2: woods between two open hexes block a line; woods at its ends do not.
#[test]
fn woods_between_the_ends_block_a_line() {
    assert_eq!(sees(&[], "E2", "E8"), Some(0));
    assert_eq!(sees(&[("E5", terrain("woods"))], "E2", "E8"), None);
    assert_eq!(sees(&[("E2", terrain("woods")), ("E8", terrain("woods"))], "E2", "E8"), Some(0));
    assert_eq!(sees(&[("E5", terrain("woods"))], "E5", "E5"), Some(0));
    assert_eq!(sees(&[], "E5", "Z5"), None);
}

/// 6.1: obstacles on both sides of a hexside block a line along it.
#[test]
fn obstacles_on_both_sides_block_a_hexside() {
    assert_eq!(sees(&[("E4", terrain("woods"))], "D4", "F4"), Some(0));
    assert_eq!(sees(&[("E4", terrain("woods")), ("E5", terrain("woods"))], "D4", "F4"), None);
    assert_eq!(sees(&[("E4", terrain("woods")), ("E5", terrain("building"))], "D4", "F4"), None);
}

/// B9.2: a wall between two others blocks a line.
/// A wall of a viewer's own hex does not, nor a wall at the vertex by which the line leaves that
/// hex.
#[test]
fn wall_between_other_hexes_blocks_a_line() {
    let wall = |name| [(name, behind(Hexside::South, Barrier::Wall))];
    assert_eq!(sees(&wall("E5"), "E3", "E8"), None);
    assert_eq!(sees(&wall("E3"), "E3", "E8"), Some(0));
    assert_eq!(sees(&wall("E7"), "E3", "E8"), Some(0));
    assert_eq!(sees(&wall("E4"), "D4", "F4"), Some(0));
    assert_eq!(sees(&wall("E4"), "B4", "H4"), None);
    assert_eq!(sees(&[("E5", behind(Hexside::South, Barrier::Cliff))], "E3", "E8"), Some(0));
}

/// 6.1: a line has one answer in both directions, on maps of every terrain.
#[test]
fn lines_are_equal_in_both_directions() {
    let mut state = 36_u64;
    let mut below = |limit: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for _ in 0..50 {
        let hexes: Vec<(Hex, HexContents)> = (1..=81)
            .map(|number| {
                let kinds =
                    ["open", "open", "woods", "orchard", "grain", "gully", "rubble", "open"];
                let ground =
                    HexContents { level: below(3) as i8, ..terrain(kinds[below(8) as usize]) };
                (Hex::new(number % 9 + 1, number / 9 + 1), ground)
            })
            .collect();
        let map = Map::new(vec![PlacedBoard::alone()], hexes.clone());
        for _ in 0..200 {
            let [a, b] = [below(81), below(81)]
                .map(|place| Location { hex: hexes[place as usize].0, level: below(3) as u8 });
            assert_eq!(
                Geometry.hindrance(&map, a, b),
                Geometry.hindrance(&map, b, a),
                "{a:?} {b:?}"
            );
        }
    }
}

/// All lines up to range 8 on the board of the studies.
/// The test counts the blocked lines, and those with each number of Hindrances. The board has
/// woods, houses, grain and orchards of every share, and the figures depend on the widths of their
/// artwork.
#[test]
fn board_of_artwork_has_expected_line_counts() {
    let board = PlacedBoard { size: BOARD, ..PlacedBoard::alone() };
    let map = Map::new(
        vec![board],
        read_hexes(include_str!("../../../studies/rout/board-lowcrawl.csv"), 0).unwrap(),
    );
    let hexes: Vec<Hex> = map.hexes().collect();
    let (mut blocked, mut clear) = (0, [0; 6]);
    for (place, &a) in hexes.iter().enumerate() {
        for &b in hexes[place + 1..].iter().filter(|b| b.range(a) <= 8) {
            match Geometry.hindrance(&map, Location::ground(a), Location::ground(b)) {
                Some(hindrances) => clear[usize::from(hindrances)] += 1,
                None => blocked += 1,
            }
        }
    }
    assert_eq!((blocked, clear), (16_281, [4_544, 882, 549, 182, 37, 7]));
}
