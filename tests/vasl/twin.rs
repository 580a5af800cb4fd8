//! Tests of lines of sight over pixels against `slow`, a second implementation. It uses exact
//! fractions, except for the walk, which uses floating point. Both must agree on random boards with
//! all terrain.

use crate::slow::Slow;
use crate::vasl_writer::{board_bytes, empty_board, put};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use vasl::ground::LosBoard;
use vasl::ground::raster::{Pixel, Raster};
use vasl::ground::terrain::TerrainCodes;

fn below(dice: &mut Xoshiro256PlusPlus, limit: i32) -> i32 {
    (dice.next_u64() % limit as u64) as i32
}

/// Codes of terrain that appears often, so that rules interact. One code in three comes from the
/// whole table instead.
const OFTEN: [u8; 18] = [8, 9, 15, 24, 30, 41, 50, 60, 63, 64, 65, 72, 73, 74, 75, 82, 84, 175];

/// The levels above the ground of both ends of further lines.
const LEVELS: [(i32, i32); 5] = [(1, 0), (0, 2), (1, 1), (2, 1), (3, 3)];

/// Creates a random board: hills, patches of terrain, walls and cliffs on hexsides, gullies.
fn board(seed: u64, terrains: &TerrainCodes) -> Raster {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut raster = empty_board(9, 4);
    let (width, height) = (raster.width as i32, raster.height as i32);
    let is_hilly = !seed.is_multiple_of(3);
    let mut change = |at: (i32, i32), size: i32, change: &dyn Fn(&mut Pixel)| {
        for x in at.0 - size..=at.0 + size {
            for y in at.1 - size..=at.1 + size {
                let away = (x - at.0).pow(2) + (y - at.1).pow(2);
                if let Some(mut pixel) = raster.pixel(x, y).filter(|_| away <= size * size) {
                    change(&mut pixel);
                    put(&mut raster, x, y, pixel);
                }
            }
        }
    };
    let place = |dice: &mut Xoshiro256PlusPlus| (below(dice, width), below(dice, height));
    if is_hilly {
        for _ in 0..5 {
            let (at, size, level) =
                (place(&mut dice), 20 + below(&mut dice, 70), below(&mut dice, 3));
            change(at, size, &|pixel| pixel.elevation = level as i8);
        }
    }
    for _ in 0..14 {
        let code = match below(&mut dice, 3) {
            0 => (0..)
                .map(|_| below(&mut dice, 256) as u8)
                .find(|code| terrains.get(*code).is_some()),
            _ => Some(OFTEN[below(&mut dice, OFTEN.len() as i32) as usize]),
        };
        let (at, size) = (place(&mut dice), 6 + below(&mut dice, 34));
        let Some(code) = code else { continue };
        let sinks = terrains.get(code).is_some_and(|terrain| terrain.is_gully());
        change(at, size, &|pixel| {
            pixel.terrain = code;
            pixel.elevation -= i8::from(sinks);
        });
    }
    // Hexsides, corner by corner, at the standard distances.
    for _ in 0..22 {
        let code = [72, 73, 74, 75, 81, 75, 72, 65, 76, 77, 78, 172][below(&mut dice, 12) as usize];
        let (column, row, side) = (below(&mut dice, 9), below(&mut dice, 4), below(&mut dice, 3));
        let (x, y) = (225 * column, 129 + 258 * row - if column % 2 == 1 { 129 } else { 0 });
        let corners = [(-75, -129), (75, -129), (150, 0), (75, 129)];
        let (from, to) = (corners[side as usize], corners[side as usize + 1]);
        for step in 0..=60 {
            let at =
                |from: i32, to: i32, middle: i32| (middle + from + (to - from) * step / 60) / 4;
            let at = (at(from.0, to.0, x), at(from.1, to.1, y));
            change(at, 1, &|pixel| pixel.terrain = code);
        }
    }
    // A gully from left to right, one level below the ground.
    if seed.is_multiple_of(2) {
        let (mut y, bridge) = (below(&mut dice, height), below(&mut dice, width));
        for x in 0..width {
            y += below(&mut dice, 5) - 2;
            change((x, y), 9, &|pixel| {
                pixel.terrain = if (x - bridge).abs() < 8 { 82 } else { 30 };
                pixel.elevation = -1;
            });
        }
    }
    raster
}

/// Compares both implementations on one half of the random boards: the halves are two tests, which
/// run side by side.
fn compare_boards(half: u64) {
    let boards = if std::env::var_os("LOWCRAWL_LONG").is_some() { 150 } else { 12 };
    let terrains = TerrainCodes::common();
    let (mut clear, mut hindered, mut blocked, mut changed) = (0, 0, 0, 0);
    for seed in half * boards..(half + 1) * boards {
        let raster = board(seed, &terrains);
        let slow = Slow::new(&raster, &terrains);
        let ground = LosBoard::new(raster.clone(), &terrains).unwrap();
        for first in 0..ground.grid.cells.len() {
            for second in first + 1..ground.grid.cells.len() {
                let found = ground.sight(first, second);
                let [a, b] = [first, second].map(|hex| {
                    let cell = &ground.grid.cells[hex];
                    (cell.column, cell.row)
                });
                assert_eq!(found, slow.sight(a, b), "board {seed}: {a:?} to {b:?}");
                let (up, above) = LEVELS[(first + second) % LEVELS.len()];
                let found_above = ground.sight_at((first, up), (second, above));
                let expected = slow.sight_at((a, up), (b, above));
                assert_eq!(found_above, expected, "board {seed}: {a:?}/{up} to {b:?}/{above}");
                changed += usize::from(found != found_above);
                match found {
                    None => blocked += 1,
                    Some(0) => clear += 1,
                    Some(_) => hindered += 1,
                }
            }
        }
    }
    let all = clear + hindered + blocked;
    eprintln!("{all} pairs: {clear} clear, {hindered} hindered, {blocked} blocked");
    assert_eq!(all, boards * 780);
    assert!(changed > 0);
    assert!(clear > all / 20 && hindered > all / 50 && blocked > all / 20);
}

#[test]
fn both_implementations_agree_on_random_boards() {
    compare_boards(0);
}

#[test]
fn both_implementations_agree_on_further_random_boards() {
    compare_boards(1);
}

#[test]
fn written_board_reads_back_unchanged() {
    let mut raster = empty_board(33, 10);
    assert_eq!((raster.width, raster.height, raster.stairways.len()), (1800, 645, 346));
    put(&mut raster, 1799, 644, Pixel { elevation: -1, terrain: 200 });
    put(&mut raster, 1800, 0, Pixel { elevation: 3, terrain: 1 });
    raster.stairways[345] = true;
    assert_eq!(Raster::read(&board_bytes(&raster)).unwrap(), raster);
    assert_eq!(raster.pixel(1799, 644), Some(Pixel { elevation: -1, terrain: 200 }));
    assert_eq!((raster.pixel(-1, 0), raster.pixel(0, 645)), (None, None));
}

/// Fills a rectangle of pixels, given by its middle and half its sides.
fn fill(raster: &mut Raster, (x, y): (i32, i32), (wide, high): (i32, i32), pixel: Pixel) {
    for x in x - wide..=x + wide {
        for y in y - high..=y + high {
            put(raster, x, y, pixel);
        }
    }
}

/// Returns the lines of sight between two hexes by both implementations, which agree.
fn both(raster: &Raster, a: (i32, i32), b: (i32, i32)) -> Option<u8> {
    let terrains = TerrainCodes::common();
    let ground = LosBoard::new(raster.clone(), &terrains).unwrap();
    let [one, other] = [a, b].map(|(column, row)| ground.grid.hex(column, row).unwrap());
    let found = ground.sight(one, other);
    assert_eq!(found, Slow::new(raster, &terrains).sight(a, b), "{a:?} to {b:?}");
    found
}

/// LOS 7a.2: the wall of a rowhouse or within a factory blocks in every hex, ADJACENT ones too.
#[test]
fn inner_wall_blocks_adjacent_hexes() {
    // The middle of the side between C3 and C4, the second and third hex of the third column.
    let side = (112, 129);
    for (code, is_blocked) in [(0, false), (72, false), (76, true), (77, true), (172, true)] {
        let mut raster = empty_board(9, 4);
        fill(&mut raster, side, (18, 2), Pixel { elevation: 0, terrain: code });
        let across = both(&raster, (2, 1), (2, 2));
        assert_eq!(across.is_none(), is_blocked, "code {code}");
        // A wall blocks lines that begin two hexes away, a line beside it does not.
        assert_eq!(both(&raster, (2, 0), (2, 3)).is_none(), is_blocked || code == 72, "{code}");
        assert_eq!(both(&raster, (2, 1), (2, 0)), Some(0), "code {code}");
        // Three levels do not help over a wall next to the lower unit (blind hexes).
        let mut hill = raster.clone();
        fill(&mut hill, (112, 161), (37, 28), Pixel { elevation: 3, terrain: 0 });
        assert_eq!(both(&hill, (2, 1), (2, 2)).is_none(), is_blocked, "code {code}");
    }
}

/// LOS 7a.1: ground as high as the upper unit in a water hex next to it does not hide another one.
#[test]
fn water_next_to_the_upper_unit_hides_no_water_beyond() {
    let sight = |middle: u8, last: u8| {
        let mut raster = empty_board(9, 4);
        let water = |raster: &mut Raster, y: i32, code: u8| {
            fill(raster, (112, y), (30, 28), Pixel { elevation: 0, terrain: code });
        };
        // C1 is a hill, and C2 is as high in its far half.
        fill(&mut raster, (112, 32), (37, 32), Pixel { elevation: 1, terrain: 0 });
        water(&mut raster, 96, middle);
        water(&mut raster, 161, last);
        fill(&mut raster, (112, 115), (4, 3), Pixel { elevation: 1, terrain: 0 });
        both(&raster, (2, 0), (2, 2))
    };
    assert_eq!(sight(0, 0), None);
    assert_eq!(sight(8, 0), None);
    assert_eq!(sight(0, 8), None);
    assert_eq!(sight(8, 8), Some(0));
    assert_eq!(sight(9, 10), Some(0));
}

/// Boards of 17 by 20 hexes are one pixel wider than their hexes.
#[test]
fn board_of_901_pixels_is_read() {
    let mut raster = empty_board(17, 20);
    assert_eq!((raster.width, raster.height), (900, 1290));
    raster.width += 1;
    raster.pixels.extend(vec![Pixel::default(); raster.height]);
    put(&mut raster, 900, 1289, Pixel { elevation: 0, terrain: 60 });
    assert_eq!(Raster::read(&board_bytes(&raster)).unwrap(), raster);
    let terrains = TerrainCodes::common();
    let ground = LosBoard::new(raster.clone(), &terrains).unwrap();
    assert_eq!(ground.grid.cells.len(), 17 * 20 + 8);
    let last = &ground.grid.cells[ground.grid.cells.len() - 1];
    assert_eq!((last.column, last.row, last.point.0), (16, 19, 900));
    let slow = Slow::new(&raster, &terrains);
    for other in 0..ground.grid.cells.len() {
        let [a, b] = [0, other].map(|hex: usize| {
            let cell = &ground.grid.cells[hex];
            (cell.column, cell.row)
        });
        assert_eq!(ground.sight(0, other), slow.sight(a, b), "{a:?} to {b:?}");
    }
    raster.width += 1;
    raster.pixels.extend(vec![Pixel::default(); raster.height]);
    assert!(Raster::read(&board_bytes(&raster)).is_err());
}

/// From upper levels: over a one-level obstacle, and into the hex that it hides.
#[test]
fn upper_levels_look_over_obstacles() {
    let mut raster = empty_board(9, 4);
    let terrains = TerrainCodes::common();
    let grid = LosBoard::new(raster.clone(), &terrains).unwrap().grid;
    let hex = |row: i32| grid.hex(0, row).unwrap();
    let woods = Pixel { elevation: 0, terrain: 60 };
    fill(&mut raster, grid.cells[hex(1)].point, (20, 20), woods);
    let ground = LosBoard::new(raster, &terrains).unwrap();
    let line = |up: i32, row: i32, above: i32| ground.sight_at((hex(0), up), (hex(row), above));
    assert_eq!([line(0, 3, 0), line(1, 3, 0), line(2, 2, 0)], [None; 3]);
    assert_eq!([line(1, 3, 1), line(2, 3, 0), line(2, 2, 1)], [Some(0); 3]);
}

/// Five hexes from the upper unit, an obstacle hides one hex more. The range to the lower unit does
/// not count.
#[test]
fn distant_obstacle_hides_two_hexes_from_an_upper_level() {
    let mut raster = empty_board(9, 9);
    let terrains = TerrainCodes::common();
    let grid = LosBoard::new(raster.clone(), &terrains).unwrap().grid;
    let hex = |row: i32| grid.hex(0, row).unwrap();
    let woods = Pixel { elevation: 0, terrain: 60 };
    fill(&mut raster, grid.cells[hex(5)].point, (20, 20), woods);
    let ground = LosBoard::new(raster, &terrains).unwrap();
    let down = |up: i32, low: i32| ground.sight_at((hex(up), 2), (hex(low), 0));
    let up = |up: i32, low: i32| ground.sight_at((hex(low), 0), (hex(up), 2));
    for (upper, lower, expected) in [(0, 7, None), (0, 8, Some(0)), (8, 4, None), (8, 3, Some(0))] {
        let found = [down(upper, lower), up(upper, lower)];
        assert_eq!(found, [expected; 2], "level 2 of row {upper}, row {lower}");
    }
}
