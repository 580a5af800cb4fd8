//! Tests that parts of boards lie where VASL puts them, and that nothing below a foreign
//! concealment counter is told.

use std::fmt::Write as _;
use std::time::Instant;

use crate::vasl_writer::{FileBuilder, base64, innermost, layer};
use asl::board::hex::Hex;
use asl::rout::Situation;
use asl::scenario::{as_written, inline, no_files, read, read_unfinished};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use saves::{Save, SaveOptions, off_board, situations};
use schema::from_toml;
use vasl::board::{self, Laid, place};
use vasl::obfuscation::Mask;
use vasl::position::Position;
use vasl::saved::Saved;

/// A board of a map: its name, column, row, whether it is turned, and its crop.
type Part = (&'static str, u32, u32, bool, [i32; 4]);

const WHOLE: [i32; 4] = [0, 0, 1800, 645];

fn record((name, column, row, turned, [x, y, wide, high]): Part) -> String {
    let turned = if turned { "r" } else { "" };
    let crop = match [x, y, wide, high] {
        WHOLE => String::new(),
        _ => format!("\t{x}\t{y}\t{wide}\t{high}"),
    };
    format!("bd\t{column}\t{row}\t{turned}{name}{crop}\tVER\t6")
}

fn situation(parts: &[Part]) -> String {
    let mut text = String::new();
    for (name, column, row, turned, crop) in parts {
        let hexes: String = board_hexes().map(|hex| format!("{hex},open-ground\n")).collect();
        writeln!(text, "[[board]]\nprefix = \"{name}\"\nat = [{column}, {row}]").unwrap();
        writeln!(text, "turned = {turned}\nhexes = \"\"\"\nhex,terrain\n{hexes}\"\"\"").unwrap();
        if *crop != WHOLE {
            writeln!(text, "crop = {crop:?}").unwrap();
        }
    }
    let (name, _, _, _, [left, ..]) = parts[0];
    let column = Hex::new((left / 56 + 3) as i16, 5).to_string();
    text + &format!("[[rout]]\nunit = \"german:4-6-7/broken\"\nat = \"{name}{column}\"\n")
}

fn board_hexes() -> impl Iterator<Item = Hex> {
    (1..=33).flat_map(|column: i16| (column % 2..=10).map(move |row| Hex::new(column, row)))
}

/// Returns the middle of a hex of a board in pixels of the map.
fn middle(laid: &Laid, left: f64, top: f64, hex: Hex) -> (f64, f64) {
    let (column, row) = (f64::from(hex.column - 1), f64::from(hex.row));
    let half = if hex.column % 2 == 1 { -32.25 } else { 0.0 };
    let (x, y) = (56.25 * column - laid.crop[0], 64.5 * row + half - laid.crop[1]);
    let (x, y) = if laid.is_turned { (laid.crop[2] - x, laid.crop[3] - y) } else { (x, y) };
    (left + x, top + y)
}

/// The range of two hexes on the map is that of their middles in pixels, over all seams.
#[test]
fn parts_of_boards_meet_as_their_pixels_do() {
    let (left, right) = ([0, 0, 900, 645], [900, 0, 900, 645]);
    let maps: [&[Part]; 8] = [
        &[("y", 0, 0, false, left), ("z", 1, 0, false, WHOLE)],
        &[("y", 0, 0, false, right), ("z", 1, 0, true, WHOLE)],
        &[("y", 0, 0, false, left), ("z", 1, 0, true, left)],
        &[("y", 0, 0, true, right), ("z", 1, 0, false, right)],
        &[("y", 0, 0, false, [0, 0, 844, 645]), ("z", 1, 0, false, [844, 0, 956, 645])],
        &[("y", 0, 0, false, [0, 0, 956, 645]), ("z", 1, 0, false, [844, 0, 956, 645])],
        &[("y", 0, 0, true, [844, 0, 956, 645]), ("z", 1, 0, true, [0, 0, 844, 645])],
        &[("y", 0, 0, false, left), ("z", 0, 1, false, left), ("a", 1, 0, false, WHOLE)],
    ];
    for parts in maps {
        let boards = board::read(&parts.iter().map(|part| record(*part)).collect::<String>());
        assert_eq!(boards.len(), parts.len());
        let none = |name: &str| inline(name, &no_files);
        let scenario = read(&situation(parts), &as_written, &none);
        let scenario = scenario.unwrap_or_else(|error| panic!("{parts:?}: {error:?}"));
        let map = &scenario.situation.map;
        let mut found: Vec<((f64, f64), Hex)> = Vec::new();
        let mut seam = 0;
        for laid in &boards {
            let before = |axis: usize| -> f64 {
                let square = |laid: &Laid| [laid.column, laid.row];
                let own = square(laid);
                let is_before = |other: &&Laid| {
                    let other = square(other);
                    other[1 - axis] == own[1 - axis] && other[axis] < own[axis]
                };
                boards.iter().filter(is_before).map(|other| other.crop[2 + axis]).sum()
            };
            for own in board_hexes() {
                let (x, y) = middle(laid, before(0), before(1), own);
                let inside = place(&boards, (400.0 + x) as i32, (400.0 + y) as i32);
                let Some(there) = inside.filter(|there| there.board == laid.name) else { continue };
                assert_eq!(there.hex, own.to_string(), "{parts:?} {x} {y}");
                let name = format!("{}{}", there.board, there.hex);
                // Half hexes at an outer edge that is cut are not on the map.
                let Ok(hex) = map.parse(&name) else { continue };
                seam += usize::from(found.iter().any(|(_, other)| *other == hex));
                found.push(((x, y), hex));
            }
        }
        assert!(found.len() > 180, "{parts:?}: {}", found.len());
        assert!(seam < 40, "{parts:?}: {seam} hexes lie on each other");
        for ((x, y), hex) in found.iter().step_by(3) {
            for ((to_x, to_y), other) in &found {
                let columns = ((x - to_x).abs() / 56.25).round();
                let halves = ((y - to_y).abs() / 32.25).round();
                let range = columns + ((halves - columns) / 2.0).max(0.0);
                assert_eq!(f64::from(hex.range(*other)), range, "{parts:?} {hex} {other}");
            }
        }
    }
}

/// Two halves that are cut through different columns have no common hexes.
#[test]
fn parts_that_do_not_meet_are_refused() {
    for parts in [
        [("y", 0, 0, false, [0, 0, 870, 645]), ("z", 1, 0, false, WHOLE)],
        [("y", 0, 0, false, [0, 0, 844, 645]), ("z", 1, 0, false, WHOLE)],
    ] {
        let none = |name: &str| inline(name, &no_files);
        let fault = read(&situation(&parts), &as_written, &none).err().unwrap().in_one();
        assert!(fault.message.contains("does not meet the others hex to hex"), "{fault}");
    }
}

/// 1,000 random stacks under concealment counters of the Russians: whatever a German asks for,
/// none of their values, names and markers is printed.
#[test]
fn nothing_below_a_foreign_concealment_counter_is_told() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(47);
    let mut random = |below: u64| dice.next_u64() % below;
    let plain = open_ground();
    let mut told = 0;
    for number in 0..1000 {
        let mut draft = FileBuilder::default()
            .boards(&["0\t0\ty\tVER\t6"])
            .command("INFO\tAxis\tAxis\t3\t3\t3\t3\t3\t\t\t");
        let open = (400 + 450, 400 + 290);
        let own = |hidden: bool, (x, y): (i32, i32)| {
            let mut piece = vec![
                layer("BRK", &["ge/ges7b"], &["broken +"], if hidden { -1 } else { 1 }),
                layer("SQ", &["ge/ge467S"], &["4-6-7 1sq"], 1),
                innermost("blank", "4-6-7 1sq", x, y),
            ];
            if hidden {
                piece.insert(0, ("hide;H".to_string(), "hunter2".to_string()));
            }
            piece
        };
        let router = draft.piece(&own(false, open));
        draft.stack(open.0, open.1, &[router]);
        let spot = if random(4) == 0 { open } else { (400 + 450, 400 + 290 + 64) };
        let secret = |name: &str, image: &str, owner: &str| {
            let mut piece = vec![
                layer("BRK", &["ru/rus8b"], &["broken +"], -1),
                innermost(image, name, spot.0, spot.1),
            ];
            if !owner.is_empty() {
                piece.insert(0, (format!("{owner};C;x;ru"), "hunter9".to_string()));
            }
            piece
        };
        let mut members = Vec::new();
        if random(3) == 0 {
            members.push(draft.piece(&own(random(2) == 0, spot)));
        }
        let hidden = members.len();
        let kinds = [
            ("9-9-9 SECRETsq", "ru/ru628S"),
            ("SECRET LMG", "ge/geLMG"),
            ("SECRET T-34", "ru/veh/t34"),
            ("SECRET Gun", "ge/gun/geAT75"),
            ("SECRET Wire", "MS/wire"),
            ("Hero SECRET", "ru/ruHero"),
            ("SECRET", ""),
        ];
        for _ in 0..=random(4) {
            let (name, image) = kinds[random(kinds.len() as u64) as usize];
            let owner = ["", "conceal", "hide"][random(3) as usize];
            members.push(draft.piece(&secret(name, image, owner)));
        }
        assert!(members.len() > hidden);
        let mark = vec![
            ("concealment;hunter9;ru".to_string(), String::new()),
            innermost("ru/ru?", "? SECRET", spot.0, spot.1),
        ];
        members.push(draft.piece(&mark));
        if random(3) == 0 {
            let mark = vec![
                ("concealment;hunter2;ge".to_string(), String::new()),
                innermost("ge/ge?", "?", spot.0, spot.1),
            ];
            members.push(draft.piece(&mark));
        }
        match random(5) {
            // Pieces that lie loose on each other.
            0 => {}
            _ => drop(draft.stack(spot.0, spot.1, &members)),
        }
        let saved = Saved::read(&draft.bytes(Mask::Plain).unwrap()).unwrap();
        let position = saved.position(None).unwrap();
        for mine in [None, Some("german"), Some("german-ss"), Some("finnish")] {
            let heaps = position.heaps();
            let names = heaps.iter().flat_map(|heap| heap.known(mine));
            let names: String = names.map(|piece| piece.name.clone() + "; ").collect();
            let options =
                SaveOptions { mine, anyway: vec!["all".to_string()], ..Default::default() };
            let answer = match situations(&saved, "made.vsav", &options) {
                Ok(all) => {
                    let words = all.iter().map(|one| format!("{} {:?}", one.request, one.notes));
                    words.collect::<String>()
                }
                Err(fault) => format!("{fault:?}"),
            };
            let answer = answer + &questions(&position, &options, &plain);
            told += usize::from(answer.contains("4-6-7"));
            for text in [names, answer] {
                let is_told = ["SECRET", "hunter"].iter().any(|word| text.contains(word));
                assert!(!is_told, "{number} {mine:?}: {text}");
            }
        }
    }
    assert!(told > 3600, "{told} of 4000 answers tell the unit in the open");
}

/// Returns a board of Open Ground whose hexes have the prefix `y`.
pub fn open_ground() -> Situation {
    let mut hexes = "hex,terrain\n".to_string();
    for column in 0..33 {
        for row in (if column % 2 == 0 { 1 } else { 0 })..=10 {
            writeln!(hexes, "{}{row},open", board::letters(column)).unwrap();
        }
    }
    let text = format!("[board]\nprefix = \"y\"\nhexes = \"\"\"\n{hexes}\"\"\"\n");
    let open = |name: &str| inline(name, &no_files);
    let entries = from_toml::file(&text).unwrap();
    read_unfinished(&entries, &as_written, &open, &[]).unwrap().situation
}

/// Returns all that is told of attacks, Close Combats, the picture and forces off the boards.
fn questions(position: &Position, options: &SaveOptions, map: &Situation) -> String {
    let Ok(save) = Save::new(position, "made.vsav", options) else { return String::new() };
    let spots = ["yI5", "yI6"];
    let mut told = String::new();
    for at in spots {
        for from in spots {
            write!(told, "{:?} ", save.attack(map, &[from.to_string()], at)).unwrap();
        }
        write!(told, "{:?} ", save.combat(map, at)).unwrap();
    }
    match save.crossing() {
        Ok(crossing) => {
            write!(told, "{} ", crossing.request).unwrap();
            write!(told, "{:?} ", save.crossing_fields(map, crossing)).unwrap();
        }
        Err(fault) => write!(told, "{fault:?} ").unwrap(),
    }
    let drawing = save.drawing();
    write!(told, "{} {:?} ", drawing.request, drawing.nations).unwrap();
    for group in off_board(position, options.mine) {
        write!(told, "{} {:?} ", group.place, group.pieces).unwrap();
    }
    told
}

/// A save and a log can be asked about in JSON, as bytes; no file is opened.
#[test]
fn saves_and_logs_are_requests_in_json() {
    let mut draft = FileBuilder::default()
        .boards(&["0\t0\ty\tVER\t6"])
        .command("INFO\tAxis\tAxis\t3\t4\t3\t3\t3\t\t\t");
    let squad = draft.piece(&[
        layer("BRK", &["ge/ges7b"], &["broken +"], 1),
        layer("SQ", &["ge/ge467S"], &["4-6-7 1sq"], 1),
        innermost("blank", "4-6-7 1sq", 850, 690),
    ]);
    let dm = draft.piece(&[innermost("MS/dm", "DM", 850, 690)]);
    draft.stack(850, 690, &[squad, dm]);
    let roll = "*** (IFT DR) 3,4 ***   <Alice>      [1 / 1   avg   7 (7)]    (01.02)";
    draft.chat(roll);
    let file = base64(&draft.bytes(Mask::Digits(7)).unwrap());
    let answer = |request: String| lowcrawl::answer_json(&request);
    let saved =
        answer(format!("{{\"kind\": \"saved\", \"file\": \"{file}\", \"name\": \"a.vsav\"}}"));
    let request = &saved["situations"][0]["request"];
    assert_eq!(request["kind"], "rout", "{saved}");
    assert_eq!(request["rout"][0]["unit"], "german:4-6-7/broken,dm", "{saved}");
    assert_eq!((&request["elr"], &request["rout"][0]["at"]), (&4.into(), &"yI5".into()), "{saved}");
    let logs =
        format!("[{{\"file\": \"{file}\"}}, {{\"name\": \"b\", \"chat\": \"{roll}\\n{roll}\"}}]");
    let luck = answer(format!("{{\"kind\": \"luck\", \"log\": {logs}, \"anonymous\": true}}"));
    assert_eq!(luck["rows"][0]["player"], "Player A", "{luck}");
    assert_eq!(luck["meta"]["question"], "the dice of log 1, b", "{luck}");
    for (request, words) in [
        ("{\"kind\": \"saved\"}".to_string(), "`file` is missing"),
        ("{\"kind\": \"saved\", \"file\": \"*\"}".to_string(), "not base64"),
        ("{\"kind\": \"saved\", \"file\": \"AAAA\"}".to_string(), "not a ZIP archive"),
        (format!("{{\"kind\": \"saved\", \"file\": \"{file}\", \"mine\": \"xx\"}}"), "no nation"),
        (
            format!("{{\"kind\": \"saved\", \"file\": \"{file}\", \"side\": \"german,ru\"}}"),
            "no visible russian",
        ),
        (format!("{{\"kind\": \"saved\", \"file\": \"{file}\", \"sid\": \"german\"}}"), "sid"),
        ("{\"kind\": \"luck\"}".to_string(), "`log` is missing"),
        (
            "{\"kind\": \"luck\", \"log\": [{\"name\": \"a\"}]}".to_string(),
            "either `file` or `chat`",
        ),
    ] {
        let fault = answer(request.clone());
        let message = fault["fault"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{}: {fault}", &request[..request.len().min(60)]);
    }
}

/// A position of 120 pieces on four boards is understood in a fraction of a second.
#[test]
fn large_position_is_understood_in_no_time() {
    let mut draft = FileBuilder::default()
        .boards(&["0\t0\ty\tVER\t6", "1\t0\trz\tVER\t6", "0\t1\t3\tVER\t6", "1\t1\t4\tVER\t6"])
        .command("INFO\tAxis\tAxis\t3\t4\t3\t3\t3\t\t\t");
    for number in 0..60 {
        let (x, y) = (
            400 + 56 + 225 * (number % 30) / 2,
            400 + 64 + 129 * (number / 30) + 645 * (number % 2),
        );
        let of = ["ge", "ru"][number as usize % 2];
        let name = ["4-6-7 1sq", "4-4-7 1sq"][number as usize % 2];
        let face = format!("{of}/{of}{}S", ["467", "447"][number as usize % 2]);
        let broken = format!("{of}/{of}s7b");
        let level = if number % 3 == 0 { 1 } else { -1 };
        let unit = draft.piece(&[
            layer("BRK", &[&broken], &["broken +"], level),
            layer("SQ", &[&face], &[name], 1),
            innermost("blank", name, x, y),
        ]);
        let mark = if level > 0 { "DM" } else { "Prep Fire" };
        let mark = draft.piece(&[innermost("MS/x", mark, x, y)]);
        draft.stack(x, y, &[unit, mark]);
    }
    let bytes = draft.bytes(Mask::Digits(3)).unwrap();
    let started = Instant::now();
    let saved = Saved::read(&bytes).unwrap();
    let all = situations(&saved, "made.vsav", &SaveOptions::default()).unwrap();
    let taken = started.elapsed();
    eprintln!("120 pieces in {taken:?}");
    assert_eq!(all.len(), 2);
    let entries = |table: &str| all[0].request[table].as_array().unwrap().len();
    assert_eq!(["rout", "friend", "enemy"].map(entries), [10, 20, 30]);
    // The bound is far above the time that it takes, even in a busy machine.
    assert!(taken.as_millis() < 2000, "{taken:?}");
}
