//! `rout --from-vasl` on generated saves.

use std::fs;
use std::path::Path;

use crate::shell::{assert_fails, fails, ok};
use crate::vasl_writer::{FileBuilder, archive, board_bytes, empty_board, innermost, layer};
use tempfile::{TempDir, tempdir};
use vasl::obfuscation::Mask;

type Traits = Vec<(String, String)>;

/// Returns the pixel in the middle of a hex such as `BB8`.
fn pixel(hex: &str) -> (i32, i32) {
    let letters = hex.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let row: f64 = hex[letters.len()..].parse().unwrap();
    let column = letters.as_bytes()[0] - b'A';
    let column = f64::from(column) + 26.0 * (letters.len() as f64 - 1.0);
    let half = if column % 2.0 == 0.0 { 0.5 } else { 0.0 };
    let y = 64.5 * (row - if half > 0.0 { 1.0 } else { 0.0 } + half);
    (400 + (56.25 * column) as i32, 400 + y as i32)
}

/// Returns a squad of a nation (two letters), with its printed values, name and broken morale.
fn squad(of: &str, printed: &str, name: &str, morale: u8, is_broken: bool, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    let (broken, face) = (format!("{of}/{of}s{morale}b"), format!("{of}/{of}{printed}S"));
    vec![
        layer("BRK", &[&broken], &["broken +"], if is_broken { 1 } else { -1 }),
        layer("SQ", &[&face], &[name], 1),
        innermost("blank", name, x, y),
    ]
}

fn leader(of: &str, name: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    let face = format!("{of}/{of}L{}", name.replace(['-', '+'], ""));
    vec![
        layer("BRK", &["x"], &["broken +"], -1),
        layer("", &[&face], &[name], 1),
        innermost("", name, x, y),
    ]
}

fn marker(name: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    vec![innermost("MS/x", name, x, y)]
}

/// Adds a stack of pieces in a hex.
fn stack(draft: &mut FileBuilder, hex: &str, pieces: &[Traits]) {
    let members: Vec<String> = pieces.iter().map(|piece| draft.piece(piece)).collect();
    let (x, y) = pixel(hex);
    draft.stack(x, y, &members);
}

fn german(is_broken: bool, hex: &str) -> Traits {
    squad("ge", "467", "4-6-7 1sq", 7, is_broken, hex)
}

fn russian(is_broken: bool, hex: &str) -> Traits {
    squad("ru", "447", "4-4-7 1sq", 7, is_broken, hex)
}

/// Writes a save of one board to a folder.
fn saved(folder: &TempDir, board: &str, info: &str, place: impl Fn(&mut FileBuilder)) {
    let mut draft = FileBuilder::default()
        .boards(&[&format!("0\t0\t{board}\tVER\t6.3")])
        .command(&format!("INFO\t{info}"));
    place(&mut draft);
    fs::write(folder.path().join("made.vsav"), draft.bytes(Mask::Digits(0x21)).unwrap()).unwrap();
}

/// Returns the folder of the shipped tables of boards.
fn boards() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    folder.display().to_string()
}

/// Writes boards of Open Ground next to the save.
fn plains(folder: &TempDir) {
    let ground = board_bytes(&empty_board(33, 10));
    for board in ["bdy", "bdz"] {
        fs::write(folder.path().join(board), archive(&[("LOSData", &ground)]).unwrap()).unwrap();
    }
}

fn on_plains(folder: &TempDir, rest: &str) -> String {
    ok(folder.path(), &format!("rout --from-vasl made.vsav{rest}"))
}

fn not_on_plains(folder: &TempDir, rest: &str) -> String {
    fails(folder.path(), &format!("rout --from-vasl made.vsav{rest}"), 2)
}

fn rout(folder: &TempDir, rest: &str) -> String {
    ok(folder.path(), &format!("rout --from-vasl made.vsav --boards {}{rest}", boards()))
}

fn refused(folder: &TempDir, rest: &str) -> String {
    fails(folder.path(), &format!("rout --from-vasl made.vsav --boards {}{rest}", boards()), 2)
}

const NO_INFO: &str = "?\t?\t?\t?\t?\t?\t?\t\t\t";

#[test]
fn saves_of_published_examples_get_their_answers() {
    let american = |hex: &str| squad("am", "666", "6-6-6 1sq", 8, false, hex);
    type Place = Box<dyn Fn(&mut FileBuilder)>;
    let examples: [(&str, &str, &str, Place); 3] = [
        (
            "a10-51",
            "03",
            "",
            Box::new(|draft| {
                stack(draft, "M2", &[russian(true, "M2"), marker("DM", "M2")]);
                draft.piece(&german(false, "M3"));
            }),
        ),
        (
            "a10-5",
            "05",
            " --no-quarter",
            Box::new(|draft| {
                stack(draft, "L2", &[russian(true, "L2"), marker("DM", "L2")]);
                for hex in ["M2", "K2", "K4"] {
                    draft.piece(&german(false, hex));
                }
            }),
        ),
        (
            "sk02",
            "y",
            " --profile aslsk",
            Box::new(move |draft| {
                stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
                for hex in ["N3", "P5"] {
                    draft.piece(&american(hex));
                }
            }),
        ),
    ];
    for (example, board, rules, place) in examples {
        let folder = tempdir().unwrap();
        saved(&folder, board, NO_INFO, place);
        let expected = ok(folder.path(), &format!("rout {}/{example}.toml --format csv", boards()));
        assert_eq!(rout(&folder, &format!("{rules} --format csv")), expected, "{example}");
        // The situation written as a file gives the same answer.
        let situation = rout(&folder, " --as-situation");
        fs::write(folder.path().join("made.toml"), situation).unwrap();
        let again =
            ok(folder.path(), &format!("rout made.toml --boards {}{rules} --format csv", boards()));
        assert_eq!(again, expected, "{example}");
    }
}

#[test]
fn position_of_a_save_is_written_as_a_situation() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", "Russian\tGerman\t3\t4\t4\t2\t2\t\t\t", |draft| {
        // The DM marker covers the lower of two units only.
        stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4"), german(true, "O4")]);
        stack(
            draft,
            "Q5",
            &[marker("Building Level 1", "Q5"), leader("ge", "8-1", "Q5"), marker("Pin", "Q5")],
        );
        stack(
            draft,
            "N3",
            &[russian(false, "N3"), marker("Melee", "N3"), marker("Prep Fire", "N3")],
        );
        draft.piece(&marker("White +3 Smoke", "P4"));
        // A half-squad is a squad's counter that shows another face.
        let mut half = german(false, "T8");
        half.insert(0, layer("", &["ge/ge247H"], &["2-4-7 1hs"], 1));
        half.insert(0, layer("", &["ge/geh6b"], &["broken +"], 1));
        draft.piece(&half);
        stack(
            draft,
            "S6",
            &[
                russian(false, "S6"),
                vec![
                    ("concealment;hunter2;ru".to_string(), String::new()),
                    innermost("ru/ru?", "?", pixel("S6").0, pixel("S6").1),
                ],
            ],
        );
    });
    let text = rout(&folder, " --as-situation");
    for part in [
        "unit = \"german:4-6-7/broken,dm\"\nat = \"yO4\"",
        "unit = \"german:4-6-7/broken\"\nat = \"yO4\"",
        "unit = \"german:8-1/pinned\"\nat = \"yQ5 level 1\"",
        "smoke = [\"yP4\"]",
        "unit = \"german:2-4-7/broken\"\nat = \"yT8\"",
        "melee = true",
        "elr = 4",
        "vasl = \"bdy\"",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("[[enemy]]").count(), 1, "{text}");
    // A board of Open Ground has no building.
    plains(&folder);
    assert_fails(folder.path(), "rout --from-vasl made.vsav", 2, &["level 1"]);
}

#[test]
fn routing_side_is_read_from_the_save_or_requested() {
    let folder = tempdir().unwrap();
    plains(&folder);
    let place = |draft: &mut FileBuilder| {
        stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
        stack(draft, "S6", &[russian(true, "S6"), marker("DM", "S6")]);
        draft.piece(&german(false, "T6"));
        draft.piece(&russian(false, "N3"));
    };
    saved(&folder, "y", NO_INFO, place);
    let report = not_on_plains(&folder, "");
    assert!(
        report.contains("does not give the Player Turn") && report.contains("--side german"),
        "{report}"
    );
    let one = on_plains(&folder, " --side russian --all");
    assert!(one.contains("russian units rout") && one.contains("4-4-7 in yS6"), "{one}");
    // The side that moves first is known from the save.
    saved(&folder, "y", "German\tRussian\t3\t?\t?\t?\t?\t\t\t", place);
    let both = on_plains(&folder, " --all");
    let [first, second] =
        ["russian units rout", "german units rout"].map(|part| both.find(part).unwrap());
    assert!(first < second && both.contains("the other side routs before it"), "{both}");
    for rest in [" --format csv", " --svg a.svg", " --as-situation"] {
        let report = not_on_plains(&folder, rest);
        assert!(report.contains("both sides have broken units"), "{report}");
    }
    assert!(not_on_plains(&folder, " --side germn").contains("german"));
    assert!(not_on_plains(&folder, " --side french").contains("has no visible french unit"));
    saved(&folder, "y", NO_INFO, |draft| drop(draft.piece(&german(false, "O4"))));
    assert!(not_on_plains(&folder, "").contains("no unit routs"));
    assert_fails(folder.path(), "rout made.toml --side german", 2, &["--from-vasl"]);
}

#[test]
fn unknown_pieces_are_noted_and_refused_near_the_rout() {
    let folder = tempdir().unwrap();
    let place = |wire: &'static str| {
        move |draft: &mut FileBuilder| {
            stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
            draft.piece(&russian(false, "N3"));
            draft.piece(&marker("Wire", wire));
        }
    };
    saved(&folder, "y", NO_INFO, place("Z9"));
    assert!(rout(&folder, " --all").contains("note: not understood: Wire in yZ9"));
    saved(&folder, "y", NO_INFO, place("O5"));
    let report = refused(&folder, "");
    assert!(report.contains("Wire in yO5") && report.contains("--anyway"), "{report}");
    assert!(rout(&folder, " --anyway --all").contains("not understood: Wire in yO5"));
    saved(&folder, "y\tOVR\twd1\tC3\tC4", NO_INFO, place("Z9"));
    assert!(refused(&folder, "").contains("overlay wd1 C3 C4 on board y"));
    // A counter missing from the catalogue is named in a request for `--set-unit`. A counter with
    // another printed broken morale keeps it.
    let strange = |draft: &mut FileBuilder| {
        stack(draft, "O4", &[squad("ja", "447", "4-4-7 1sq", 8, true, "O4"), marker("DM", "O4")]);
        draft.piece(&squad("ge", "467", "4-6-7 1sq", 6, true, "N3"));
        draft.piece(&german(false, "N2"));
    };
    saved(&folder, "y", NO_INFO, strange);
    let report = refused(&folder, " --side japanese");
    assert!(report.contains("--set-unit \"japanese:4-4-7 1sq="), "{report}");
    let report = refused(&folder, " --side japanese --set-unit japanese:4-4-8=british:4-4-7");
    assert!(report.contains("did you mean `japanese:4-4-7`"), "{report}");
    assert!(refused(&folder, " --set-unit japanese:4-4-7").contains("a counter, `=`"));
    let text = ok(
        folder.path(),
        &format!(
            "rout --from-vasl made.vsav --boards {} --side japanese --as-situation --set-unit japanese:4-4-7=british:4-4-7/broken-morale=8",
            boards()
        ),
    );
    assert!(text.contains("british:4-4-7/broken-morale=8,broken,dm"), "{text}");
    assert!(text.contains("german:4-6-7/broken,broken-morale=6"), "{text}");
}

#[test]
fn adjacent_and_turned_boards_are_read() {
    let folder = tempdir().unwrap();
    let mut draft = FileBuilder::default()
        .boards(&["0\t0\ty\tVER\t6.3", "1\t0\trz\tVER\t6.1"])
        .command(&format!("INFO\t{NO_INFO}"));
    stack(&mut draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
    let mut across = russian(false, "A1");
    across[2] = innermost("blank", "4-4-7 1sq", 2256, 464);
    draft.piece(&across);
    fs::write(folder.path().join("made.vsav"), draft.bytes(Mask::Bytes(7)).unwrap()).unwrap();
    let text = rout(&folder, " --as-situation");
    for part in ["prefix = \"z\"", "turned = true", "at = \"zFF9\"", "at = \"yO4\""] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    plains(&folder);
    assert!(on_plains(&folder, "").contains("board y, board z (turned)"));
    let report = refused(&folder, " --at-step 3");
    assert!(report.contains("the log has 0 steps"), "{report}");
    // With two boards of one name, a hex is ambiguous.
    let boards = ["0\t0\ty\tVER\t6.3", "1\t0\try\tVER\t6.3"];
    let mut draft = FileBuilder::default().boards(&boards).command(&format!("INFO\t{NO_INFO}"));
    draft.piece(&german(true, "O4"));
    fs::write(folder.path().join("made.vsav"), draft.bytes(Mask::Plain).unwrap()).unwrap();
    let report = refused(&folder, "");
    assert!(report.contains("board y is used twice"), "{report}");
}
