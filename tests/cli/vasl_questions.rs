//! `fire --from-vasl`, `cc --from-vasl` and the picture of a position, on generated saves.

use std::fs;

use crate::shell::{fails, lowcrawl, ok};
use crate::vasl_saves::{
    NO_INFO, Traits, boards, german, leader, marker, pixel, plain_piece, plains, russian, saved,
    squad, stack,
};
use crate::vasl_writer::{
    FileBuilder, archive, base64, board_bytes, empty_board, innermost, layer, put,
};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use vasl::board::letters;
use vasl::ground::raster::{Pixel, Raster};
use vasl::obfuscation::Mask;

/// Returns a concealment counter of a nation.
fn mask(of: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    vec![
        (format!("concealment;hunter2;{of}"), String::new()),
        innermost(&format!("{of}/{of}?"), "?", x, y),
    ]
}

fn malfunctioned(image: &str, name: &str, hex: &str) -> Traits {
    let mut piece = plain_piece(image, name, hex);
    piece.insert(0, layer("BRK", &["x"], &["Malf +"], 1));
    piece
}

fn asked(folder: &TempDir, kind: &str, rest: &str) -> String {
    ok(folder.path(), &format!("{kind} made.vsav --from-vasl --boards {} {rest}", boards()))
}

fn refused(folder: &TempDir, kind: &str, rest: &str) -> String {
    let line = format!("{kind} made.vsav --from-vasl --boards {} {rest}", boards());
    fails(folder.path(), &line, 2).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn by_hand(folder: &TempDir, line: &str) -> String {
    ok(folder.path(), &format!("{line} --format csv"))
}

/// Draws a save, and returns its text.
fn drawn(folder: &TempDir, rest: &str) -> String {
    let line = format!("vasl show made.vsav --svg made.svg {rest}");
    let output = lowcrawl(folder.path(), &line).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "picture: made.svg\n");
    String::from_utf8(output.stdout).unwrap()
}

const INFO: &str = "Axis\tAxis\t3\t4\t2\t2\t2\t\t\t";

/// A save's attack equals the one that a player writes down: SW with their units, a captured SW,
/// the leader, range, Hindrance, terrain, works, hexside, level, ELR, CX, Pin and the phase.
#[test]
fn attack_of_a_save_equals_the_attack_by_hand() {
    let folder = tempdir().unwrap();
    let group = |draft: &mut FileBuilder| {
        let hmg = plain_piece("ge/geHMG", "HMG", "N4");
        let lmg = plain_piece("ru/ruLMG", "LMG", "N4");
        let units = [german(false, "N4"), hmg, german(false, "N4"), lmg, leader("ge", "9-2", "N4")];
        stack(draft, "N4", &units);
        stack(
            draft,
            "I4",
            &[russian(false, "I4"), russian(false, "I4"), leader("ru", "8-0", "I4")],
        );
    };
    saved(&folder, "y", INFO, group);
    let csv = asked(&folder, "fire", "--from N4 --at yI4 --format csv");
    let target = "fire \"russian:8-0 + 2x russian:4-4-7\"";
    let firers = "german:9-2 + german:4-6-7/hmg + german:4-6-7/russian:lmg";
    let seen = "--range 5 --hindrance 1 --terrain bldg-stone --elr 2";
    assert_eq!(csv, by_hand(&folder, &format!("{target} --by \"{firers}\" {seen}")));
    let text = asked(&folder, "fire", "--from N4 --at I4");
    for part in ["made.vsav on board y", "german units in yN4 fire at the russian units in yI4"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().count() <= 18 && text.lines().all(|line| line.len() <= 80), "{text}");
    // What the player sets replaces what is read, and lists and reckonings work as ever.
    let csv =
        asked(&folder, "fire", "--from N4 --at I4 --by german:4-6-7 --hindrance 0 --format csv");
    let plain = "--range 5 --terrain bldg-stone --elr 2 --hindrance 0";
    assert_eq!(csv, by_hand(&folder, &format!("{target} --by german:4-6-7 {plain}")));
    let reckoned = asked(&folder, "fire", "--from N4 --at I4 --reckon");
    assert!(reckoned.contains("Hindrance"), "{reckoned}");
    let list = asked(&folder, "fire", "--from N4 --at I4 --drm 0..2");
    assert!(list.contains("made.vsav on board y"), "{list}");

    // In the DFPh, by the phase wheel; a foxhole; CX and Pin.
    saved(&folder, "y", INFO, |draft| {
        let cx = [russian(false, "N3"), marker("CX", "N3"), russian(false, "N3")];
        stack(draft, "N3", &[&cx[..], &[marker("Pin", "N3")]].concat());
        stack(draft, "N4", &[marker("Foxhole 1S", "N4"), german(false, "N4")]);
        draft.piece(&marker("Axis Turn 3 - DFPh", "A1"));
    });
    let csv = asked(&folder, "fire", "--from N3 --at N4 --format csv");
    let firers = "russian:4-4-7/pinned,cx + russian:4-4-7/pinned";
    let seen = "--range 1 --terrain open-ground --works foxhole --elr 4 --phase final --captor";
    assert_eq!(csv, by_hand(&folder, &format!("fire german:4-6-7 --by \"{firers}\" {seen}")));

    // Over a wall, with and without Wall Advantage.
    for advantage in [false, true] {
        saved(&folder, "03", NO_INFO, |draft| {
            draft.piece(&german(false, "M3"));
            let mut members = vec![russian(false, "L2")];
            members.extend(advantage.then(|| marker("Wall Advan", "L2")));
            stack(draft, "L2", &members);
        });
        let csv = asked(&folder, "fire", "--from M3 --at L2 --format csv");
        let wall = if advantage { "--wall-advantage target" } else { "" };
        let seen = format!("--range 1 --terrain grain --hexside wall --captor {wall}");
        assert_eq!(csv, by_hand(&folder, &format!("fire russian:4-4-7 --by german:4-6-7 {seen}")));
    }
}

/// Several Locations fire as one Fire Group: each with its own firers, range, level, Hindrance and
/// hexside, as behind the `@` of `--by`; what they see alike are fields.
#[test]
fn fire_group_of_a_save_equals_the_group_by_hand() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", INFO, |draft| {
        let hmg = plain_piece("ge/geHMG", "HMG", "N4");
        stack(draft, "N4", &[german(false, "N4"), hmg, leader("ge", "9-2", "N4")]);
        stack(draft, "O4", &[german(false, "O4"), german(true, "O4"), leader("ge", "8-1", "O4")]);
        draft.piece(&german(false, "O5"));
        draft.piece(&german(false, "S8"));
        draft.piece(&leader("ge", "8-0", "N5"));
        draft.piece(&russian(false, "R4"));
        draft.piece(&russian(false, "U4"));
        draft.piece(&russian(false, "N3"));
        draft.piece(&russian(false, "M4"));
    });
    let (first, second) = ("german:9-2 + german:4-6-7/hmg", "german:8-1 + german:4-6-7");
    let line = "--from N4 --from yO4 --at U4";
    let csv = asked(&folder, "fire", &format!("{line} --format csv"));
    let by = format!("--by \"{first} @ 7 | {second} @ 6\"");
    let target = "fire russian:4-4-7";
    let seen = "--terrain open-ground --elr 2";
    assert_eq!(csv, by_hand(&folder, &format!("{target} {by} {seen}")));
    let text = asked(&folder, "fire", line);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in
        ["german units in yN4 and yO4 fire at the russian units in yU4", "yO4: broken 4-6-7"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What all see alike can be replaced; what differs needs `--by`.
    let csv = asked(&folder, "fire", &format!("{line} --hindrance 1 --format csv"));
    let seen = "--terrain open-ground --elr 2 --hindrance 1";
    assert_eq!(csv, by_hand(&folder, &format!("{target} {by} {seen}")));
    let csv = asked(&folder, "fire", &format!("{line} --by german:4-6-7 --range 5 --format csv"));
    let seen = "--range 5 --terrain open-ground --elr 2";
    assert_eq!(csv, by_hand(&folder, &format!("{target} --by german:4-6-7 {seen}")));
    // The third Location joins the others.
    let chain = asked(&folder, "fire", "--from N4 --from O5 --from O4 --at R4 --format csv");
    let third = "german:4-6-7 @ 3, hindrance 1";
    let by = format!("--by \"{first} @ 4, hindrance 2 | {third} | {second} @ 3, hindrance 0\"");
    let seen = "--terrain open-ground --elr 2";
    assert_eq!(chain, by_hand(&folder, &format!("{target} {by} {seen}")));
    for (rest, parts) in [
        (
            "--from N4 --from S8 --at U4",
            &["--from", "not ADJACENT to yN4: no Fire Group (A7.5)", "two attacks"][..],
        ),
        ("--from N4 --from yN4 --at U4", &["this Location is named twice"]),
        (
            "--from N4 --from N3 --at U4",
            &["on the other side than those of the first `--from`", "Locations of german units"],
        ),
        ("--from N4 --from K7 --at U4", &["no unit that you may know is there"]),
        (
            "--from N4 --from N5 --at R4",
            &["a leader who fires nothing is no part of a Fire Group (A7.5)"],
        ),
        (
            "--from N4 --from O4 --at U4 --range 5",
            &["--range", "the Locations of `--from` differ in it", "--by"],
        ),
    ] {
        let report = refused(&folder, "fire", rest);
        assert!(parts.iter().all(|part| report.contains(part)), "{rest}: {report}");
    }

    // Over a wall from one Location only.
    for advantage in [false, true] {
        saved(&folder, "03", NO_INFO, |draft| {
            let mut members = vec![german(false, "M3")];
            members.extend(advantage.then(|| marker("Wall Advan", "M3")));
            stack(draft, "M3", &members);
            draft.piece(&german(false, "M2"));
            draft.piece(&russian(false, "L2"));
        });
        let csv = asked(&folder, "fire", "--from M3 --from M2 --at L2 --format csv");
        let wall = if advantage { "--wall-advantage firer" } else { "" };
        let by = "--by \"german:4-6-7 @ hexside wall | german:4-6-7 @ hexside none\"";
        let seen = format!("--range 1 --terrain grain --captor {wall}");
        assert_eq!(csv, by_hand(&folder, &format!("{target} {by} {seen}")));
    }
}

/// What cannot fire is left out and said so; fire markers, vehicles and concealed units are noted.
#[test]
fn what_does_not_fire_is_left_out_with_its_reason() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", INFO, |draft| {
        let units = [
            german(true, "N4"),
            plain_piece("ge/geLMG", "LMG", "N4"),
            marker("DM", "N4"),
            german(false, "N4"),
            malfunctioned("ge/geMMG", "MMG", "N4"),
            plain_piece("ge/geFT", "FT", "N4"),
            plain_piece("ge/geDC", "DC", "N4"),
            plain_piece("ge/geMTR50", "MTR 50", "N4"),
            plain_piece("ge/geATR", "ATR", "N4"),
            marker("First Fire", "N4"),
        ];
        stack(draft, "N4", &units);
        draft.piece(&plain_piece("ge/veh/stug", "StuG IIIG", "N4"));
        draft.piece(&plain_piece("ge/geHMG", "HMG", "O4"));
        let (lower, under) = (squad("ru", "628", "6-2-8 Esq", 8, false, "N3"), mask("ru", "N3"));
        stack(draft, "N3", &[lower, under]);
        stack(draft, "N3", &[russian(false, "N3")]);
    });
    let text = asked(&folder, "fire", "--from N4 --at N3 --all");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "broken 4-6-7",
        "LMG of the 4-6-7",
        "malfunctioned MMG",
        "FT: attacks alone (A22.31)",
        "DC: attacks alone (A23)",
        "MTR 50: must hit first (C3)",
        "german:4-6-7/atr",
        "First Fire in yN4: markers of fire are not read",
        "StuG IIIG in yN4: its fire is left out",
        "concealed units are in yN3 too",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Loose pieces of one hex: nothing of what is concealed is told.
    assert!(!text.contains("6-2-8"), "{text}");
}

#[test]
fn attacks_that_a_save_cannot_have_are_refused() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", INFO, |draft| {
        draft.piece(&german(false, "N4"));
        stack(draft, "N3", &[german(false, "N3"), russian(false, "N3"), marker("Melee", "N3")]);
        stack(draft, "M4", &[squad("ru", "628", "6-2-8 Esq", 8, false, "M4"), mask("ru", "M4")]);
        draft.piece(&german(false, "O4"));
        draft.piece(&russian(false, "I4"));
        draft.piece(&russian(false, "CC9"));
        draft.piece(&russian(false, "P7"));
        stack(draft, "P5", &[german(true, "P5"), marker("DM", "P5")]);
        stack(draft, "L4", &[russian(false, "L4"), marker("Wire", "L4")]);
    });
    for (rest, parts) in [
        ("--from N4", &["--at", "expected a Location"][..]),
        ("--at N4", &["--from"]),
        ("--from N4 --at K7", &["no unit that you may know is there", "yI4"]),
        ("--from K7 --at I4", &["no unit that you may know is there", "yN4"]),
        (
            "--from N4 --at O4",
            &["on the side of the firers", "enemies are in yI4, yL4, yN3, yP7, yCC9"],
        ),
        ("--from N4 --at N3", &["fire at a Melee hits both (A11.15)", "lowcrawl cc"]),
        ("--from N3 --at I4", &["no fire leaves a Melee (A11.15)"]),
        ("--from N4 --at P7", &["no LOS leads there from yN4", "yI4"]),
        ("--from N4 --at CC9", &["nobody reaches the target", "12 or less"]),
        ("--from P5 --at I4", &["nobody there can fire: broken 4-6-7"]),
        ("--from M4 --at N4", &["only concealed units are there", "--mine"]),
        (
            "--from N4 --at M4",
            &["only concealed units are there", "--by german:4-6-7 --range 1 --terrain"],
        ),
        ("--from N4 --at L4", &["Wire in yL4", "--anyway=piece:yL4"]),
        ("--from N4 --at \"I4 level 3\"", &["level 3"]),
        ("--from N99 --at I4", &["N99"]),
    ] {
        let report = refused(&folder, "fire", rest);
        assert!(parts.iter().all(|part| report.contains(part)), "{rest}: {report}");
        assert!(!report.contains("6-2-8"), "{rest}: {report}");
    }
    // His own player reads the concealed squad; the enemy's is attacked as concealed.
    let own = asked(&folder, "fire", "--from M4 --at N4 --mine russian");
    assert!(own.contains("russian:6-2-8"), "{own}");
    let own = asked(&folder, "fire", "--from N4 --at M4 --mine russian");
    assert!(own.contains("russian:6-2-8:e/concealed"), "{own}");
    let report = fails(folder.path(), "fire made.vsav", 2);
    assert!(report.contains("--from-vasl"), "{report}");
    fails(folder.path(), "fire german:4-6-7 --fp 4 --from N4", 2);
    fails(folder.path(), "fire made.vsav made.vsav --from-vasl --from N4 --at I4", 2);
}

/// Close Combat is that of the units in the Location, ours by `--mine` or by who moves.
#[test]
fn close_combat_of_a_save_equals_the_one_by_hand() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", "Axis\tAllied\t3\t4\t2\t2\t2\t\t\t", |draft| {
        let melee = [
            german(false, "N3"),
            marker("CX", "N3"),
            marker("T/I", "N3"),
            russian(true, "N3"),
            leader("ru", "8-1", "N3"),
            marker("Melee", "N3"),
        ];
        stack(draft, "N3", &melee);
        let (ours, theirs) =
            (squad("ge", "468", "4-6-8 Esq", 8, false, "P5"), russian(false, "P5"));
        stack(draft, "P5", &[ours, mask("ge", "P5")]);
        stack(draft, "P5", &[theirs]);
        draft.piece(&russian(false, "I4"));
    });
    let germans = "german:4-6-7/cx,ti";
    let russians = "russian:8-1 + russian:4-4-7/broken";
    let open = "--terrain open-ground --melee";
    let line = format!("cc \"{russians}\" --against {germans} {open}");
    assert_eq!(asked(&folder, "cc", "--at N3 --format csv"), by_hand(&folder, &line));
    let line = format!("cc {germans} --against \"{russians}\" {open} --phasing theirs");
    let own = asked(&folder, "cc", "--at N3 --mine german --format csv");
    assert_eq!(own, by_hand(&folder, &line));
    let text = asked(&folder, "cc", "--at N3");
    assert!(text.contains("ours are the russian, theirs the german units in yN3"), "{text}");
    // One side only, as far as the player may know.
    let report = refused(&folder, "cc", "--at P5");
    assert!(report.contains("only russian units") && report.contains("yN3"), "{report}");
    assert!(!report.contains("4-6-8"), "{report}");
    let line = "cc german:4-6-8/concealed --against russian:4-4-7 --terrain bldg-stone \
        --phasing theirs";
    let own = asked(&folder, "cc", "--at P5 --mine german --format csv");
    assert_eq!(own, by_hand(&folder, line));
    for (rest, part) in [
        ("", "--at: with `--from-vasl`, expected a Location"),
        ("--at K7", "no unit that you may know is there"),
        ("--at I4", "only russian units"),
    ] {
        let report = refused(&folder, "cc", rest);
        assert!(report.contains(part), "{rest}: {report}");
    }
}

/// The picture has the boards and what the player may know; forces off the boards are told by
/// group.
#[test]
fn position_is_drawn_and_forces_off_the_boards_are_told() {
    let folder = tempdir().unwrap();
    plains(&folder);
    saved(&folder, "y", INFO, |draft| {
        stack(draft, "N4", &[german(true, "N4"), marker("DM", "N4"), leader("ge", "9-2", "N4")]);
        stack(draft, "I4", &[squad("ru", "628", "6-2-8 Esq", 8, false, "I4"), mask("ru", "I4")]);
        draft.piece(&squad("ja", "447", "4-4-7 1sq", 8, false, "K5"));
        draft.piece(&plain_piece("ru/veh/t34", "T-34 M43", "J5"));
        let beside = |piece: Traits, x: i32, y: i32| {
            let mut piece = piece;
            let last = piece.len() - 1;
            piece[last].1 = format!("Main Map;{x};{y};2/5705");
            piece
        };
        for (x, y) in [(200, 500), (200, 560), (2300, 500)] {
            draft.piece(&beside(german(false, "A1"), x, y));
        }
        draft.piece(&beside(plain_piece("ge/geHMG", "HMG", "A1"), 210, 500));
        let hidden =
            draft.piece(&beside(squad("ru", "527", "5-2-7 1sq", 7, false, "A1"), 900, 100));
        let mark = draft.piece(&beside(mask("ru", "A1"), 900, 100));
        draft.stack(900, 100, &[hidden, mark]);
    });
    let text = drawn(&folder, "");
    for part in [
        "Off the map, left of the boards: 2x german 4-6-7 1sq, german HMG.",
        "Off the map, above the boards: russian ?.",
        "Off the map, right of the boards: german 4-6-7 1sq.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let picture = fs::read_to_string(folder.path().join("made.svg")).unwrap();
    for part in ["<svg", "4-6-7", "9-2", "T-34 M43", "japanese 4-4-7", "made.vsav"] {
        assert!(picture.contains(part), "{part}");
    }
    for text in [text, picture] {
        assert!(!text.contains("6-2-8") && !text.contains("5-2-7"), "{text}");
    }
    let own = drawn(&folder, "--mine russian");
    assert!(own.contains("5-2-7"), "{own}");
    assert!(fs::read_to_string(folder.path().join("made.svg")).unwrap().contains("6-2-8"));
    let json = ok(folder.path(), "vasl show made.vsav --format json");
    assert!(json.contains("\"off_board\"") && json.contains("right of the boards"), "{json}");
    fails(folder.path(), "vasl show made.vsav --svg made.txt", 2);
}

/// Moves a piece by some pixels.
fn moved(mut piece: Traits, (right, down): (i32, i32)) -> Traits {
    let last = piece.len() - 1;
    let spot: Vec<&str> = piece[last].1.split(';').collect();
    let [x, y] = [1, 2].map(|place| spot[place].parse::<i32>().unwrap());
    piece[last].1 = format!("Main Map;{};{};2/5705", x + right, y + down);
    piece
}

/// Boards of 17 by 20 hexes lie beside each other and beside others, turned or not.
#[test]
fn boards_of_17_by_20_hexes_lie_beside_others() {
    let folder = tempdir().unwrap();
    plains(&folder);
    let ground = board_bytes(&empty_board(17, 20));
    for board in ["bd1a", "bd1b"] {
        let bytes = archive(&[("LOSData", &ground)]).unwrap();
        fs::write(folder.path().join(board), bytes).unwrap();
    }
    ok(folder.path(), "board import bd1a bd1b bdy --out .");
    let (tall, wide) = (901, 1800);
    for (boards, offset, [from, at], [named, seen]) in [
        (["1a", "1b"], (tall, 0), ["P12", "B12"], ["1aP12", "1bB12"]),
        (["1a", "r1b"], (tall, 0), ["P12", "B12"], ["1aP12", "1bP8"]),
        (["r1a", "1b"], (tall, 0), ["P12", "B12"], ["1aB8", "1bB12"]),
        (["y", "1a"], (wide, 0), ["FF5", "B5"], ["yFF5", "1aB5"]),
        (["1a", "y"], (tall, 0), ["P5", "B5"], ["1aP5", "yB5"]),
    ] {
        let records =
            [format!("0\t0\t{}\tVER\t6", boards[0]), format!("1\t0\t{}\tVER\t6", boards[1])];
        let mut draft = FileBuilder::default()
            .boards(&[&records[0], &records[1]])
            .command(&format!("INFO\t{NO_INFO}"));
        draft.piece(&german(false, from));
        draft.piece(&moved(russian(false, at), offset));
        let bytes = draft.bytes(Mask::Plain).unwrap();
        fs::write(folder.path().join("made.vsav"), bytes).unwrap();
        let line = format!("fire made.vsav --from-vasl --from {named} --at {seen}");
        let csv = ok(folder.path(), &format!("{line} --format csv"));
        let hand = "fire russian:4-4-7 --by german:4-6-7 --range 2";
        assert_eq!(csv, by_hand(&folder, hand), "{boards:?}");
    }
}

/// A crossing in a save equals that of a situation with its units, in which the enemies' SW are
/// those of defenders.
#[test]
fn crossing_of_a_save_equals_the_one_by_hand() {
    let folder = tempdir().unwrap();
    plains(&folder);
    saved(&folder, "y", "Axis\tAllied\t3\t4\t2\t2\t2\t\t\t", |draft| {
        draft.piece(&russian(false, "O4"));
        let hmg = plain_piece("ge/geHMG", "HMG", "O9");
        stack(draft, "O9", &[german(false, "O9"), hmg, leader("ge", "9-1", "O9")]);
        stack(draft, "S6", &[squad("ge", "468", "4-6-8 Esq", 8, false, "S6"), mask("ge", "S6")]);
        stack(draft, "T6", &[german(true, "T6"), marker("DM", "T6")]);
    });
    let situation = "elr = 2\n[board]\nvasl = \"bdy\"\nprefix = \"y\"\n\
        [[friend]]\nunit = \"russian:4-4-7\"\nat = \"yO4\"\n\
        [[enemy]]\nunit = \"german:4-6-7\"\nat = \"yO9\"\n\
        [[enemy]]\nunit = \"german:9-1\"\nat = \"yO9\"\n\
        [[enemy]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"yT6\"\n";
    fs::write(folder.path().join("own.toml"), situation).unwrap();
    let path = "--path \"yO4 yO5\"";
    let defender = "--defender \"yO9: german:9-1 + german:4-6-7/hmg @ yO9\"";
    let expected = by_hand(&folder, &format!("cross --map own.toml {path} {defender}"));
    let csv = ok(folder.path(), &format!("cross made.vsav --from-vasl {path} --format csv"));
    assert_eq!(csv, expected);
    let text = ok(folder.path(), &format!("cross made.vsav --from-vasl {path} --all"));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["the russian stack moves", "concealed enemies are left out"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("4-6-8"), "{text}");
    let other = ok(folder.path(), "cross made.vsav --from-vasl --side german --path \"yO9 yO10\"");
    assert!(other.contains("the german stack moves"), "{other}");
    saved(&folder, "y", NO_INFO, |draft| {
        draft.piece(&russian(false, "O4"));
        draft.piece(&german(false, "O9"));
    });
    let report = fails(folder.path(), &format!("cross made.vsav --from-vasl {path}"), 2);
    assert!(report.contains("--side german"), "{report}");
}

/// The questions that a save gives in JSON are those of the command line, to the last figure.
#[test]
fn questions_of_a_save_in_json_are_those_of_the_command_line() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", "Axis\tAllied\t3\t4\t2\t2\t2\t\t\t", |draft| {
        let hmg = plain_piece("ge/geHMG", "HMG", "N4");
        stack(draft, "N4", &[german(false, "N4"), hmg, leader("ge", "9-1", "N4")]);
        stack(draft, "I4", &[russian(false, "I4"), leader("ru", "8-0", "I4")]);
        stack(draft, "O6", &[german(true, "O6"), marker("DM", "O6"), leader("ge", "8-1", "O6")]);
        stack(draft, "X5", &[german(false, "X5"), russian(false, "X5")]);
    });
    let table = |name: &str| fs::read_to_string(format!("{}/{name}-y.csv", boards())).unwrap();
    let board = json!({"name": "bdy", "hexes": table("board"), "los": table("los")});
    let file = base64(&fs::read(folder.path().join("made.vsav")).unwrap());
    let answer = |more: Value| {
        let mut request = json!({"kind": "saved", "file": file, "name": "made.vsav"});
        more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        ::lowcrawl::answer_json(&request.to_string())
    };
    let path = "yI4 yJ4";
    for (kind, more, line) in [
        ("fire", json!({"from": ["N4"], "at": "I4"}), "--from N4 --at I4"),
        ("cc", json!({"at": "yX5"}), "--at yX5"),
        ("cross", json!({}), "--path \"yI4 yJ4\""),
        ("rally", json!({}), "--phases 2"),
    ] {
        let mut wanted = more.clone();
        (wanted["question"], wanted["board"]) = (json!(kind), json!([board]));
        let made = answer(wanted);
        let mut request = made["questions"][0]["request"].clone();
        assert_eq!(request["kind"], kind, "{made}");
        match kind {
            "cross" => request["path"] = json!(path),
            "rally" => request["phases"] = json!(2),
            _ => {}
        }
        let rows = ::lowcrawl::answer_json(&request.to_string())["rows"].clone();
        let of_line = asked(&folder, kind, &format!("{line} --format json"));
        let of_line: Value = serde_json::from_str(&of_line).unwrap();
        if kind == "rally" {
            let rallied = |row: &&Value| row["phase"] == 1 && row["status"] == "rallied";
            // Heat of Battle may make it another counter, which has a row of its own.
            let rallied = rows.as_array().unwrap().iter().filter(rallied);
            let first: f64 = rallied.filter_map(|row| row["probability"].as_f64()).sum();
            let of_line = of_line["rows"][0]["first_phase"].as_f64().unwrap();
            assert!((first - of_line).abs() < 1e-12, "{first} {of_line} {made}");
            assert_eq!(made["questions"][0]["about"], "yO6", "{made}");
        } else {
            assert!(rows.as_array().is_some_and(|rows| !rows.is_empty()), "{request}");
            assert_eq!(rows, of_line["rows"], "{kind}");
        }
        let mut without = more.clone();
        without["question"] = json!(kind);
        let fault = answer(without);
        let message = fault["fault"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("give the tables of the board under `board`"), "{kind}: {fault}");
    }
    for (more, words) in [
        (json!({"question": "fire", "at": "I4"}), "`from` is missing"),
        (json!({"question": "cc"}), "`at` is missing"),
        (json!({"question": "interdict"}), "no save answers `interdict`"),
        (json!({"question": "cc", "at": "zz", "board": [board]}), "zz"),
    ] {
        let fault = answer(more.clone());
        let message = fault["fault"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{more}: {fault}");
    }
}

/// Lines over the seam of two boards are those of one board with the same pixels.
#[test]
fn lines_over_a_seam_are_those_of_the_pixels_of_both_boards() {
    let folder = tempdir().unwrap();
    let mut boards = [(); 3].map(|()| empty_board(33, 10));
    let patched = |board: &mut Raster, seed: i32| {
        for number in 0..40 {
            let (x, y) = ((number + seed) * 7919 % 1800, (number + seed) * 104_729 % 645);
            let terrain = [60, 24, 41, 24, 60][number as usize % 5];
            for right in -24..=24 {
                for down in -24..=24 {
                    put(board, x + right, y + down, Pixel { elevation: 0, terrain });
                }
            }
        }
    };
    patched(&mut boards[0], 0);
    patched(&mut boards[1], 41);
    for x in 0..1800 {
        for y in 0..645 {
            let (board, at) = if x < 900 { (0, x + 900) } else { (1, x - 900) };
            let pixel = boards[board].pixel(at, y).unwrap();
            put(&mut boards[2], x, y, pixel);
        }
    }
    for (board, name) in boards.iter().zip(["bdy", "bdz", "bdw"]) {
        let bytes = archive(&[("LOSData", &board_bytes(board))]).unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    // Tables of whole boards take long to compute.
    ok(folder.path(), "board import bdy bdz bdw --out .");
    let name = |column: i32, row: i32| format!("{}{row}", letters(column as usize));
    let (mut seen, mut unseen, mut crossings) = (0, 0, 0);
    for number in 0..12 {
        let [from, to] = [(29 + number % 3, 2 + number % 7), (1 + number * 5 % 4, 8 - number % 6)];
        let write = |records: &[&str], from: &str, [to, next]: [&str; 2], offset: i32| {
            let mut draft =
                FileBuilder::default().boards(records).command(&format!("INFO\t{NO_INFO}"));
            draft.piece(&german(false, from));
            draft.piece(&moved(russian(false, to), (offset, 0)));
            draft.piece(&moved(russian(false, next), (offset, 0)));
            let bytes = draft.bytes(Mask::Plain).unwrap();
            fs::write(folder.path().join("made.vsav"), bytes).unwrap();
        };
        let answer = |from: &str, to: &str| {
            let line = format!("fire made.vsav --from-vasl --from {from} --at {to} --format csv");
            let output = lowcrawl(folder.path(), &line).output().unwrap();
            let is_seen = output.status.success();
            assert!(is_seen || String::from_utf8_lossy(&output.stderr).contains("no LOS"));
            is_seen.then(|| String::from_utf8(output.stdout).unwrap())
        };
        // The names of the hexes differ, the odds of the crossing do not.
        let crossing = |next: &str, at: &str| {
            let line = format!(
                "cross made.vsav --from-vasl --side russian --path \"{next} {at}\" --format csv"
            );
            let output = lowcrawl(folder.path(), &line).output().unwrap();
            let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            text.concat().replace(next, "the next hex").replace(at, "the hex")
        };
        let next = if to.1 > 5 { to.1 - 1 } else { to.1 + 1 };
        let (own, target, next_to) = (name(from.0, from.1), name(to.0, to.1), name(to.0, next));
        write(&["0\t0\ty\tVER\t6", "1\t0\tz\tVER\t6"], &own, [&target, &next_to], 1800);
        let over = answer(&format!("y{own}"), &format!("z{target}"));
        let crossed = crossing(&format!("z{next_to}"), &format!("z{target}"));
        let (own, target, next_to) =
            (name(from.0 - 16, from.1), name(to.0 + 16, to.1), name(to.0 + 16, next));
        write(&["0\t0\tw\tVER\t6"], &own, [&target, &next_to], 0);
        let within = answer(&format!("w{own}"), &format!("w{target}"));
        assert_eq!(over, within, "{own} {target}");
        let crossed_within = crossing(&format!("w{next_to}"), &format!("w{target}"));
        assert_eq!(crossed, crossed_within, "{own} {target}");
        crossings += usize::from(crossed.starts_with("case,"));
        match over {
            Some(_) => seen += 1,
            None => unseen += 1,
        }
    }
    assert!(seen > 1 && unseen > 1 && crossings > 1, "{seen} {unseen} {crossings}");
}
