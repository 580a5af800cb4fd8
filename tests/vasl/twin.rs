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
const OFTEN: [u8; 16] = [15, 24, 30, 41, 50, 60, 63, 64, 65, 72, 73, 74, 75, 82, 84, 175];

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
        let code = [72, 73, 74, 75, 81, 75, 72, 65][below(&mut dice, 8) as usize];
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

#[test]
fn both_implementations_agree_on_random_boards() {
    let boards = if std::env::var_os("LOWCRAWL_LONG").is_some() { 300 } else { 24 };
    let terrains = TerrainCodes::common();
    let (mut clear, mut hindered, mut blocked) = (0, 0, 0);
    for seed in 0..boards {
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
    assert!(clear > all / 20 && hindered > all / 50 && blocked > all / 20);
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
