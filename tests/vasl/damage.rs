//! Tests of damaged files: none may crash the program or take long. `LOWCRAWL_LONG=1` tries many
//! more.

use std::sync::LazyLock;

use crate::parts::open_ground;
use crate::vasl_writer::{FileBuilder, board_bytes, empty_board, innermost, layer, put};
use asl::rout::Situation;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use saves::{Save, SaveOptions, off_board, situations_at};
use vasl::ground::raster::{Pixel, Raster};
use vasl::ground::terrain::TerrainCodes;
use vasl::ground::{LosBoard, facts, metadata};
use vasl::obfuscation::Mask;
use vasl::position::Position;
use vasl::saved::Saved;

fn draft() -> FileBuilder {
    let mut draft = FileBuilder::default()
        .boards(&[
            "0\t0\ty\tVER\t6.3\tOVR\twd1\tC3\tC4\tSSR\tNoGrain",
            "1\t0\tr01\t900\t-1\t900\t-1",
        ])
        .command("INFO\tAxis\tAllied\t3\t2/4\t3\t3\t3\t\t\t");
    for number in 0..6 {
        let (x, y) = (400 + 450, 400 + 290 + 64 * number);
        let unit = draft.piece(&[
            ("hide;H".to_string(), "null".to_string()),
            ("conceal;C;x;ge".to_string(), "null;".to_string()),
            layer("BRK", &["ge/ges8b", "ge/ges7b"], &["broken +", "broken +"], 1 - number),
            layer("SQ", &["ge/ge468S", "ge/ge467S"], &["4-6-8 Esq", "4-6-7 1sq"], 1 + number % 2),
            innermost("blank", "x", x, y),
        ]);
        let dm = draft.piece(&[innermost("MS/dm", "DM", x, y)]);
        draft.piece(&[innermost("ru/veh/t34", "T-34", x, y)]);
        draft.piece(&[innermost("ge/geLMG", "LMG", x, y)]);
        draft.piece(&[
            ("concealment;x;ru".to_string(), String::new()),
            innermost("ru/ru?", "?", x, y),
        ]);
        draft.stack(x, y, &[unit.clone(), dm.clone()]);
        draft.chat("*** (IFT DR) 3,4 ***   <Alice>      [1 / 1   avg   7 (7)]    (01.02)");
        draft.step(&format!("M/{unit}/Main Map/850/690/{dm}/Main Map/456/529/null/x"));
    }
    draft
}

fn random(dice: &mut Xoshiro256PlusPlus, below: usize) -> usize {
    (dice.next_u64() % below.max(1) as u64) as usize
}

/// Damages a file: bytes are changed, cut out, doubled, or copied from elsewhere.
fn damaged(bytes: &[u8], dice: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random(dice, 4) {
        let at = random(dice, bytes.len());
        let length = random(dice, 40).min(bytes.len() - at);
        let special = *b"\x1b\t\\/;,'\0\xff9-<>*PK";
        match random(dice, 5) {
            0 if !bytes.is_empty() => bytes[at] = dice.next_u64() as u8,
            1 if !bytes.is_empty() => bytes[at] = special[random(dice, special.len())],
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let copy = bytes[at..at + length].to_vec();
                let to = random(dice, bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => bytes.truncate(bytes.len() - random(dice, 30).min(bytes.len())),
        }
    }
    bytes
}

/// Makes situations of a save, for a stranger and for a player.
fn understand(position: &Position) {
    static MAP: LazyLock<Situation> = LazyLock::new(open_ground);
    for mine in [None, Some("german")] {
        let anyway = vec!["all".to_string()];
        let options = SaveOptions { mine, anyway, ..SaveOptions::default() };
        let _ = situations_at(position, "damaged.vsav", &options);
        if let Ok(save) = Save::new(position, "damaged.vsav", &options) {
            for at in ["yI5", "yI6"] {
                let _ = save.attack(&MAP, &["yI5".to_string()], at);
                let _ = save.combat(&MAP, at);
            }
            let _ = save.crossing().map(|crossing| save.crossing_fields(&MAP, crossing));
            let _ = save.drawing();
        }
        let _ = off_board(position, mine);
    }
}

fn tries(short: usize) -> usize {
    if std::env::var_os("LOWCRAWL_LONG").is_some() { 20 * short } else { short }
}

#[test]
fn damaged_archive_is_refused_or_read() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(24);
    let whole = [Mask::Digits(0x5a), Mask::Bytes(0x5a), Mask::Packed(7), Mask::Plain]
        .map(|mask| draft().bytes(mask).unwrap());
    let (mut read, mut refused) = (0, 0);
    for number in 0..tries(2500) {
        match Saved::read(&damaged(&whole[number % whole.len()], &mut dice)) {
            Ok(saved) => {
                let heaps = saved.position(None).map(|position| position.heaps());
                read += usize::from(heaps.is_ok() && saved.transcript().is_ok());
                saved.position(None).iter().for_each(understand);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}

#[test]
fn damaged_board_is_refused_or_read() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(26);
    let mut raster = empty_board(3, 2);
    for number in 0..2000 {
        let terrain = [0, 24, 60, 63, 72, 75][number % 6];
        put(&mut raster, number as i32 % 112, number as i32 / 13, Pixel { elevation: 1, terrain });
    }
    let whole = board_bytes(&raster);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..tries(1000) {
        let board = Raster::read(&damaged(&whole, &mut dice))
            .and_then(|raster| LosBoard::new(raster, &TerrainCodes::common()));
        match board {
            Ok(ground) => {
                let hexes = facts::table(&ground, &Vec::new()).lines().count();
                assert_eq!(hexes, ground.grid.cells.len() + 1);
                let last = ground.grid.cells.len() - 1;
                read += usize::from(ground.sight(0, last) == ground.sight(last, 0));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0, "{read} read, {refused} refused");
    let xml = b"<a><terrainType name=\"Open Ground\" typeCode=\"0\" height=\"0\"/></a>".to_vec();
    for _ in 0..tries(1000) {
        let _ = TerrainCodes::of_module(&damaged(&xml, &mut dice));
        let _ = metadata::unsupported_elements(&damaged(&xml, &mut dice));
    }
}

#[test]
fn damaged_text_is_refused_or_read() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(25);
    let text = draft().text();
    let names = |position: &Position| -> usize {
        position.heaps().iter().map(|heap| heap.known(None).len()).sum()
    };
    let (mut moved, whole) = (0, names(&Position::read(&text, None).unwrap()));
    for _ in 0..tries(2500) {
        let text = String::from_utf8_lossy(&damaged(text.as_bytes(), &mut dice)).into_owned();
        let Ok(position) = Position::read(&text, None) else { continue };
        understand(&position);
        moved += usize::from(names(&position) != whole);
    }
    assert!(moved > 0, "no damage changed a position");
}
