//! `rout --from-vasl` on generated saves.

use std::fs;
use std::path::Path;

use crate::shell::{assert_fails, fails, ok};
use crate::vasl_writer::{FileBuilder, archive, board_bytes, empty_board, innermost, layer, put};
use tempfile::{TempDir, tempdir};
use vasl::ground::raster::Pixel;
use vasl::obfuscation::Mask;

pub type Traits = Vec<(String, String)>;

/// Returns the pixel in the middle of a hex such as `BB8`.
pub fn pixel(hex: &str) -> (i32, i32) {
    let letters = hex.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let row: f64 = hex[letters.len()..].parse().unwrap();
    let column = letters.as_bytes()[0] - b'A';
    let column = f64::from(column) + 26.0 * (letters.len() as f64 - 1.0);
    let half = if column % 2.0 == 0.0 { 0.5 } else { 0.0 };
    let y = 64.5 * (row - if half > 0.0 { 1.0 } else { 0.0 } + half);
    (400 + (56.25 * column) as i32, 400 + y as i32)
}

/// Returns a squad of a nation (two letters), with its printed values, name and broken morale.
pub fn squad(
    of: &str,
    printed: &str,
    name: &str,
    morale: u8,
    is_broken: bool,
    hex: &str,
) -> Traits {
    let (x, y) = pixel(hex);
    let (broken, face) = (format!("{of}/{of}s{morale}b"), format!("{of}/{of}{printed}S"));
    vec![
        layer("BRK", &[&broken], &["broken +"], if is_broken { 1 } else { -1 }),
        layer("SQ", &[&face], &[name], 1),
        innermost("blank", name, x, y),
    ]
}

pub fn leader(of: &str, name: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    let face = format!("{of}/{of}L{}", name.replace(['-', '+'], ""));
    vec![
        layer("BRK", &["x"], &["broken +"], -1),
        layer("", &[&face], &[name], 1),
        innermost("", name, x, y),
    ]
}

pub fn marker(name: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    vec![innermost("MS/x", name, x, y)]
}

/// Adds a stack of pieces in a hex.
pub fn stack(draft: &mut FileBuilder, hex: &str, pieces: &[Traits]) {
    let members: Vec<String> = pieces.iter().map(|piece| draft.piece(piece)).collect();
    let (x, y) = pixel(hex);
    draft.stack(x, y, &members);
}

pub fn german(is_broken: bool, hex: &str) -> Traits {
    squad("ge", "467", "4-6-7 1sq", 7, is_broken, hex)
}

pub fn russian(is_broken: bool, hex: &str) -> Traits {
    squad("ru", "447", "4-4-7 1sq", 7, is_broken, hex)
}

/// Writes a save of one board to a folder.
pub fn saved(folder: &TempDir, board: &str, info: &str, place: impl Fn(&mut FileBuilder)) {
    let mut draft = FileBuilder::default()
        .boards(&[&format!("0\t0\t{board}\tVER\t6.3")])
        .command(&format!("INFO\t{info}"));
    place(&mut draft);
    fs::write(folder.path().join("made.vsav"), draft.bytes(Mask::Digits(0x21)).unwrap()).unwrap();
}

/// Returns the folder of the shipped tables of boards.
pub fn boards() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    folder.display().to_string()
}

/// Writes boards of Open Ground next to the save.
pub fn plains(folder: &TempDir) {
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

pub const NO_INFO: &str = "?\t?\t?\t?\t?\t?\t?\t\t\t";

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
    assert!(rout(&folder, " --anyway=piece:yO5 --all").contains("not understood: Wire in yO5"));
    let report = refused(&folder, " --anyway=piece:yO6");
    assert!(report.contains("did you mean `piece:yO5`"), "{report}");
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

/// Returns a piece of one image: a vehicle, a Gun or a SW.
pub fn plain_piece(image: &str, name: &str, hex: &str) -> Traits {
    let (x, y) = pixel(hex);
    vec![innermost(image, name, x, y)]
}

/// Writes a situation file next to the save, on board y, and returns its answer as CSV.
fn situation(folder: &TempDir, text: &str) -> String {
    let board = "[board]\nvasl = \"bdy\"\nprefix = \"y\"\n";
    fs::write(folder.path().join("own.toml"), board.to_string() + text).unwrap();
    ok(folder.path(), &format!("rout own.toml --boards {} --format csv", boards()))
}

const ROUTER: &str = "[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"yO4\"\n";
const RUSSIAN: &str = "[[enemy]]\nunit = \"russian:4-4-7\"\nat = \"yN3\"\n";

/// Weapons and markers beside a routing unit are no reason to refuse; what is carried is told.
#[test]
fn pieces_that_do_not_affect_a_rout_are_idle() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", NO_INFO, |draft| {
        let mut pieces = vec![german(true, "O4"), marker("DM", "O4")];
        pieces.push(plain_piece("ge/geLMG.svg", "LMG", "O4"));
        pieces.push(plain_piece("ru/ruDC", "DC", "O4"));
        let markers =
            ["RU Sniper: 2", "Axis Control", "GE Control", "RU Acq", "-1 Acq", "Labor -1"];
        let idle = ["Wall Advan", "Skis", "Range 7", "Allied Turn 3 - CCPh", "Motion"];
        pieces.extend(markers.iter().chain(&idle).map(|name| marker(name, "O4")));
        stack(draft, "O4", &pieces);
        draft.piece(&russian(false, "N3"));
    });
    assert_eq!(rout(&folder, " --format csv"), situation(&folder, &format!("{ROUTER}{RUSSIAN}")));
    let text = rout(&folder, " --as-situation");
    for part in ["LMG with the 4-6-7 in yO4", "captured DC with the 4-6-7 in yO4", "Skis with"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("not understood"), "{text}");
}

/// A Pin passes over broken units, a DM over unbroken ones.
#[test]
fn markers_cover_units_that_can_have_them() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", NO_INFO, |draft| {
        let units = [leader("ge", "8-1", "O4"), german(false, "O4"), german(true, "O4")];
        let markers = [marker("DM", "O4"), marker("Pin", "O4")];
        stack(draft, "O4", &[units.to_vec(), markers.to_vec()].concat());
        draft.piece(&russian(false, "N3"));
    });
    let text = rout(&folder, " --as-situation");
    for part in ["german:8-1/pinned", "german:4-6-7/pinned", "german:4-6-7/broken,dm"] {
        assert!(text.contains(&format!("unit = \"{part}\"")), "{part}\n{text}");
    }
    let friends = "[[friend]]\nunit = \"german:8-1/pinned\"\nat = \"yO4\"\n\
        [[friend]]\nunit = \"german:4-6-7/pinned\"\nat = \"yO4\"\n";
    let own = situation(&folder, &format!("{ROUTER}{friends}{RUSSIAN}"));
    assert_eq!(rout(&folder, " --format csv"), own);
    saved(&folder, "y", NO_INFO, |draft| {
        stack(draft, "O4", &[german(true, "O4"), marker("Pin", "O4")]);
    });
    assert!(refused(&folder, "").contains("Pin in yO4"));
}

/// Joins lines to one, with single spaces.
fn words<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Returns the phase wheel, which lies beside the boards.
fn wheel(side: &str) -> Traits {
    vec![
        layer("Player", &["a"], &[&format!("{side} +")], 1),
        layer("PhaseName", &["a", "b"], &["+- RPh", "+- RtPh"], 2),
        layer("TurnName", &["a", "b"], &["Turn 1 ", "Turn 2 "], 2),
        innermost("tables/turn_phase", "Phase Track Axis 1st", 200, 200),
    ]
}

#[test]
fn phase_wheel_says_whose_player_turn_it_is() {
    let folder = tempdir().unwrap();
    plains(&folder);
    let place = |side: &'static str| {
        move |draft: &mut FileBuilder| {
            for (hex, unit) in [("O4", german(true, "O4")), ("S6", russian(true, "S6"))] {
                stack(draft, hex, &[unit, marker("DM", hex)]);
            }
            if !side.is_empty() {
                draft.piece(&wheel(side));
            }
        }
    };
    let first = |side: &'static str, info: &str| {
        saved(&folder, "y", info, place(side));
        let text = words(on_plains(&folder, " --all").lines());
        let places = ["german units rout", "russian units rout"].map(|part| text.find(part));
        (places[0] < places[1], text.contains("the wheel holds"))
    };
    let info = |mover: &str| format!("Axis\t{mover}\t3\t?\t?\t?\t?\t\t\t");
    assert_eq!(first("", &info("Axis")), (true, false));
    assert_eq!(first("", &info("Allied")), (false, false));
    assert_eq!(first("Axis", &info("Axis")), (true, false));
    assert_eq!(first("Allied", &info("Axis")), (false, true));
    assert_eq!(first("Axis", &info("Russian")), (true, true));
    assert_eq!(first("Allied", &info("?")), (false, false));
}

#[test]
fn elr_of_a_side_is_read_from_one_or_both_fields() {
    let folder = tempdir().unwrap();
    let elr = |axis: &str, allied: &str, is_german: bool| {
        let info = format!("Axis\tAxis\t3\t{axis}\t2\t{allied}\t2\t\t\t");
        saved(&folder, "y", &info, |draft| {
            drop(draft.piece(&german(is_german, "O4")));
            drop(draft.piece(&russian(!is_german, "N2")));
        });
        let text = rout(&folder, " --as-situation");
        let line = text.lines().find_map(|line| line.strip_prefix("elr = "));
        (line.map(str::to_string), text.contains("for this side"))
    };
    let of = |elr: &str| Some(elr.to_string());
    assert_eq!(elr("4", "2", true), (of("4"), false));
    assert_eq!(elr("4", "2", false), (of("2"), false));
    assert_eq!(elr("2/4", "?", true), (of("2"), false));
    assert_eq!(elr("2/4", "2/4", false), (of("4"), false));
    assert_eq!(elr("?", "2/4", true), (of("2"), false));
    assert_eq!(elr("2/4", "3", true), (of("2"), true));
    assert_eq!(elr("2/4", "3", false), (of("3"), false));
    assert_eq!(elr("9", "?", true), (None, false));
}

#[test]
fn counters_of_ss_and_of_halves_are_found() {
    let folder = tempdir().unwrap();
    let half = |hex: &str| {
        let mut half = squad("ge", "447", "2-3-7 2hs", 7, true, hex);
        half.insert(0, layer("", &["ge/ge237H"], &["2-3-7 2hs"], 1));
        half
    };
    let squads = |squad: &'static str| {
        move |draft: &mut FileBuilder| {
            drop(draft.piece(&half("O4")));
            let name =
                format!("{} 2sq", squad.split("").collect::<Vec<_>>().join("-").trim_matches('-'));
            if !squad.is_empty() {
                draft.piece(&squad_of(squad, &name, "Z9"));
            }
            draft.piece(&russian(false, "N3"));
        }
    };
    for (squad, id, is_assumed) in
        [("447", "ger_2_237", false), ("537", "ger_2s_237", false), ("", "ger_2_237", true)]
    {
        saved(&folder, "y", NO_INFO, squads(squad));
        let text = rout(&folder, " --as-situation");
        assert!(text.contains(&format!("unit = \"id:{id}/broken")), "{squad}: {text}");
        assert_eq!(text.contains("taken as half of the 4-4-7"), is_assumed, "{text}");
    }
    saved(&folder, "y", NO_INFO, |draft| {
        let (x, y) = pixel("O4");
        draft.piece(&[
            layer("BRK", &["ge/ges9b"], &["broken +"], 1),
            layer("SQ", &["ge/ge468Ss"], &["4-6-8 SSsq"], 1),
            innermost("blank", "4-6-8 SSsq", x, y),
        ]);
        draft.piece(&squad("pa", "127", "1-2-7 hs", 6, false, "N3"));
        draft.piece(&german(false, "Z9"));
    });
    let text = rout(&folder, " --as-situation");
    for part in [
        "unit = \"german-ss:4-6-8/broken\"",
        "unit = \"partisan:1-3-7\"\nat = \"yN3\"\nrange = 2",
        "unit = \"german:4-6-7\"",
        "# 1-2-7 of the Partisans is the 1-3-7",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // The German of the same side is a friend, so the two nations are one side.
    assert_eq!(text.matches("[[friend]]").count(), 1, "{text}");
}

fn squad_of(printed: &str, name: &str, hex: &str) -> Traits {
    squad("ge", printed, name, 7, false, hex)
}

/// An enemy whose fire is not known is a Known enemy, and the answer is at best.
#[test]
fn enemies_of_unknown_fire_make_an_answer_at_best() {
    let folder = tempdir().unwrap();
    let tank = |hex: &'static str| {
        move |draft: &mut FileBuilder| {
            stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
            draft.piece(&russian(false, "N3"));
            draft.piece(&plain_piece("ru/veh/T34M43.svg", "T-34 M43", hex));
        }
    };
    saved(&folder, "y", NO_INFO, tank("P5"));
    let answer = rout(&folder, "");
    let first = words(answer.lines().take(2));
    assert!(
        first.ends_with("at best: the fire of E2 T-34 M43 in yP5 is not reckoned."),
        "{answer}"
    );
    let known = "[[enemy]]\nname = \"T-34 M43 in yP5\"\nat = \"yP5\"\nfp = 0\nrange = 0\n";
    let own = situation(&folder, &format!("{ROUTER}{RUSSIAN}{known}"));
    assert_eq!(rout(&folder, " --format csv"), own);
    let without = situation(&folder, &format!("{ROUTER}{RUSSIAN}"));
    assert_ne!(own, without, "the tank bars hexes next to it");
    // Out of LOS it changes nothing, and the answer is exact.
    saved(&folder, "y", NO_INFO, tank("AA10"));
    assert!(!rout(&folder, "").contains("at best"));
    // A Gun, a hero and an armor leader are the same; a wreck is not understood.
    saved(&folder, "y", NO_INFO, |draft| {
        stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
        draft.piece(&plain_piece("ru/gun/ruAT45L.svg", "45L AT PTP obr. 37", "P5"));
        draft.piece(&plain_piece("ru/ruHero", "Hero", "N3"));
        draft.piece(&plain_piece("ru/ruL91", "9-1 AL", "Z9"));
        draft.piece(&plain_piece("ge/veh/pzivh.svg", "PzKw IVH", "O4"));
        draft.piece(&plain_piece("ru/veh/t34b", "T-34 Wreck", "A1"));
    });
    let text = rout(&folder, " --as-situation");
    assert_eq!(text.matches("unknown-fire = true").count(), 3, "{text}");
    for part in
        ["\"russian:hero\"", "Own vehicles, Guns and others: PzKw IVH in yO4", "T-34 Wreck in yA1"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(rout(&folder, "").contains("at best: the fire of"));
}

/// The player of the enemy keeps his concealed units concealed; others do not hear of them.
#[test]
fn concealed_enemies_stay_concealed_for_their_own_player() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", NO_INFO, |draft| {
        stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
        let (x, y) = pixel("N3");
        let mark = vec![
            ("concealment;hunter2;ru".to_string(), String::new()),
            innermost("ru/ru?", "?", x, y),
        ];
        stack(draft, "N3", &[russian(false, "N3"), mark]);
        draft.piece(&russian(false, "P5"));
    });
    let seen = "[[enemy]]\nunit = \"russian:4-4-7\"\nat = \"yP5\"\n";
    let concealed = format!("{RUSSIAN}concealed = true\n");
    let own = situation(&folder, &format!("{ROUTER}{concealed}{seen}"));
    assert_eq!(rout(&folder, " --mine russian --format csv"), own);
    let without = situation(&folder, &format!("{ROUTER}{seen}"));
    assert_eq!(rout(&folder, " --format csv"), without);
    assert_eq!(rout(&folder, " --mine german --format csv"), without);
}

/// Overlays and changes by SSR are refused only where they touch a way.
#[test]
fn changes_of_boards_are_refused_only_on_the_way() {
    let folder = tempdir().unwrap();
    let place = |draft: &mut FileBuilder| {
        stack(draft, "O4", &[german(true, "O4"), marker("DM", "O4")]);
        draft.piece(&russian(false, "N3"));
    };
    let exact = situation(&folder, &format!("{ROUTER}{RUSSIAN}"));
    for far in
        ["OVR\twd1\tBB3\tBB4", "SSR\tWinter\tNoHillNums", "SSR\tBridgeToFord", "SSR\tNoGrain"]
    {
        saved(&folder, &format!("y\tVER\t6\t{far}"), NO_INFO, place);
        assert_eq!(rout(&folder, " --format csv"), exact, "{far}");
    }
    saved(&folder, "y\tOVR\twd1\tBB3\tBB4", NO_INFO, place);
    assert!(rout(&folder, " --all").contains("overlay wd1 BB3 BB4 on board y"));
    for (near, words) in [
        ("OVR\twd1\tQ5\tQ6", "overlay:yQ5"),
        ("SSR\tOrchardOutOfSeason,Winter", "ssr:OrchardOutOfSeason"),
        ("SSR\tAllStone", "ssr:AllStone"),
        ("SSR\tSomethingNew", "ssr:SomethingNew"),
    ] {
        saved(&folder, &format!("y\tVER\t6\t{near}"), NO_INFO, place);
        let report = refused(&folder, "");
        assert!(report.contains(&format!("--anyway={words}")), "{report}");
        assert_eq!(rout(&folder, &format!(" --format csv --anyway={words}")), exact);
        assert_eq!(rout(&folder, " --format csv --anyway"), exact);
    }
    // One waiver leaves the other change.
    saved(&folder, "y\tVER\t6\tOVR\twd1\tQ5\tQ6\tSSR\tOrchardOutOfSeason", NO_INFO, place);
    let report = refused(&folder, " --anyway=overlay:yQ6");
    assert!(report.contains("OrchardOut") && !report.contains("wd1"), "{report}");
    rout(&folder, " --anyway=overlay:wd1 --anyway=ssr:OrchardOutOfSeason");
    let report = refused(&folder, " --anyway=overlay:yK1");
    assert!(report.contains("nothing in the save is waived by `overlay:yK1`"), "{report}");
}

/// Writes board y with woods and buildings here and there next to the save.
fn patched(folder: &TempDir) {
    let mut board = empty_board(33, 10);
    for number in 0..90 {
        let (x, y) = (number * 7919 % 1800, number * 104_729 % 645);
        let terrain = [60, 60, 41, 24][number as usize % 4];
        for right in -22..=22 {
            for down in -22..=22 {
                put(&mut board, x + right, y + down, Pixel { elevation: 0, terrain });
            }
        }
    }
    let pixels = board_bytes(&board);
    fs::write(folder.path().join("bdy"), archive(&[("LOSData", &pixels)]).unwrap()).unwrap();
}

/// A part of a board gives the answers of a table that lacks the other hexes.
#[test]
fn parts_of_boards_equal_tables_of_their_hexes() {
    let folder = tempdir().unwrap();
    patched(&folder);
    let tables = folder.path().display().to_string();
    ok(folder.path(), "board import bdy --out .");
    let rout = |rest: &str| {
        ok(folder.path(), &format!("rout --from-vasl made.vsav --boards {tables}{rest}"))
    };
    let keep = |file: &str, is_kept: &dyn Fn(&str) -> bool| {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let mut rows = text.lines();
        let head = rows.next().unwrap();
        let rows = rows.filter(|row| is_kept(row));
        std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n") + "\n"
    };
    let column = |hex: &str| {
        let letters = hex.trim_end_matches(|letter: char| letter.is_ascii_digit());
        26 * (letters.len() - 1) + usize::from(letters.as_bytes()[0] - b'A')
    };
    for (crop, columns, unit, enemy) in [
        ("0\t-1\t900\t-1", 0..=15, "O4", "N3"),
        ("0\t-1\t844\t-1", 0..=15, "O4", "N3"),
        ("0\t-1\t956\t-1", 0..=16, "P4", "O4"),
        ("900\t-1\t900\t-1", 16..=32, "R4", "S3"),
        ("844\t-1\t956\t-1", 16..=32, "R4", "S3"),
        ("956\t-1\t844\t-1", 17..=32, "S4", "T3"),
    ] {
        let is_in = |hex: &str| columns.contains(&column(hex));
        let hexes = keep("board-y.csv", &|row| is_in(row.split(',').next().unwrap()));
        let lines = keep("los-y.csv", &|row| row.split(',').take(2).all(is_in));
        fs::write(folder.path().join("hexes.csv"), hexes).unwrap();
        fs::write(folder.path().join("lines.csv"), lines).unwrap();
        let text = |turned: bool| {
            format!(
                "[board]\nprefix = \"y\"\nturned = {turned}\nhexes = \"hexes.csv\"\nlos = \"lines.csv\"\n\
             [[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"y{unit}\"\n\
             [[enemy]]\nunit = \"russian:4-4-7\"\nat = \"y{enemy}\"\n"
            )
        };
        for turned in ["", "r"] {
            fs::write(folder.path().join("own.toml"), text(turned == "r")).unwrap();
            let expected = ok(folder.path(), "rout own.toml --format csv");
            let mut draft = FileBuilder::default()
                .boards(&[&format!("0\t0\t{turned}y\t{crop}\tVER\t6.3")])
                .command(&format!("INFO\t{NO_INFO}"));
            let [left, _, width, _] = {
                let numbers: Vec<i32> =
                    crop.split('\t').map(|number| number.parse().unwrap()).collect();
                [numbers[0], numbers[1], numbers[2], numbers[3]]
            };
            let at = |hex: &str, mut piece: Traits| {
                let (x, y) = pixel(hex);
                let (x, y) = match turned {
                    "" => (x - left, y),
                    _ => (400 + width - (x - 400 - left), 400 + 645 - (y - 400)),
                };
                let last = piece.len() - 1;
                piece[last].1 = format!("Main Map;{x};{y};2/5705");
                piece
            };
            let broken = at(unit, german(true, unit));
            let dm = at(unit, marker("DM", unit));
            let ids = [draft.piece(&broken), draft.piece(&dm)];
            let spot = broken.last().unwrap().1.split(';').map(str::to_string).collect::<Vec<_>>();
            draft.stack(spot[1].parse().unwrap(), spot[2].parse().unwrap(), &ids);
            draft.piece(&at(enemy, russian(false, enemy)));
            let bytes = draft.bytes(Mask::Plain).unwrap();
            fs::write(folder.path().join("made.vsav"), bytes).unwrap();
            assert_eq!(rout(" --format csv"), expected, "{turned}y {crop}");
        }
    }
    let columns = situation(&folder, &format!("part = \"A-P\"\n{ROUTER}{RUSSIAN}"));
    let pixels = situation(&folder, &format!("crop = [0, 0, 900, 645]\n{ROUTER}{RUSSIAN}"));
    assert_eq!(columns, pixels);
    for (wrong, words) in [
        ("part = \"P-A\"", "are no columns of a board"),
        ("part = \"A-HH\"", "are no columns of a board"),
        ("crop = [0, 0, 900]", "must be four numbers"),
        ("crop = [0, 0, 1801, 645]", "1801"),
        ("crop = [1000, 0, 900, 645]", "1800 by 645 pixels"),
        ("part = \"A-P\"\ncrop = [0, 0, 900, 645]", "use either `part` or `crop`"),
        ("part = \"A-M\"", "the hex `yO4` is not on the map"),
    ] {
        let text = format!("[board]\nvasl = \"bdy\"\nprefix = \"y\"\n{wrong}\n{ROUTER}{RUSSIAN}");
        fs::write(folder.path().join("own.toml"), text).unwrap();
        let report = fails(folder.path(), &format!("rout own.toml --boards {}", boards()), 2);
        assert!(report.contains(words), "{wrong}: {report}");
    }
}

#[test]
fn missing_board_names_its_archive_and_where_to_put_it() {
    let folder = tempdir().unwrap();
    saved(&folder, "57", NO_INFO, |draft| drop(draft.piece(&german(true, "O4"))));
    let report = fails(folder.path(), "rout --from-vasl made.vsav --boards nowhere", 2);
    let report = words(report.lines());
    for part in
        ["error: bd57: VASL's archive `bd57`", "looked here and in: nowhere", "--boards DIR"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    // Hexes have the name of their board, even if it is all zeros.
    saved(&folder, "00", NO_INFO, |draft| drop(draft.piece(&german(true, "O4"))));
    let ground = board_bytes(&empty_board(33, 10));
    fs::write(folder.path().join("bd00"), archive(&[("LOSData", &ground)]).unwrap()).unwrap();
    assert!(on_plains(&folder, " --as-situation").contains("at = \"00O4\""));
    assert!(on_plains(&folder, "").contains("4-6-7 in 00O4"));
}

/// Returns the chance that a unit of a stack has rallied by the end of a phase.
fn rallied(folder: &TempDir, line: &str, slot: &str, phase: &str) -> f64 {
    let csv = ok(folder.path(), &format!("rally {line} --format csv"));
    let rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let is_meant = |row: &Vec<&str>| row[1] == slot && row[3] == phase && row[4] == "rallied";
    rows.filter(is_meant).map(|row| row[7].parse::<f64>().unwrap()).sum()
}

/// Every Location with broken units gets the answer of `rally` with what is there.
#[test]
fn rally_attempts_of_a_save_are_those_of_its_locations() {
    let folder = tempdir().unwrap();
    saved(&folder, "y", "Axis\tAxis\t3\t4\t2\t2\t2\t\t\t", |draft| {
        let building = [leader("ge", "8-1", "O6"), leader("ge", "9-2", "O6"), german(true, "O6")];
        stack(draft, "O6", &[building.to_vec(), vec![marker("DM", "O6")]].concat());
        stack(draft, "O5", &[german(true, "O5"), marker("Foxhole 1S", "O5"), german(true, "O5")]);
        stack(draft, "X5", &[russian(true, "X5"), marker("DM", "X5"), russian(false, "X5")]);
    });
    let all = format!("rally made.vsav --from-vasl --boards {} --phases 2 --no-hob", boards());
    let csv = ok(folder.path(), &format!("{all} --format csv"));
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let row = |location: &str| {
        let mut found = rows.iter().filter(|row| row[0].trim_matches('"') == location);
        found.next_back().unwrap_or_else(|| panic!("{location}: {csv}"))
    };
    assert_eq!(rows.len(), 4, "{csv}");
    let rest = "--phases 2 --no-hob --format csv";
    for (location, slot, line) in [
        ("yO6", "1", "german:4-6-7/dm --leader german:9-2 --terrain bldg-stone --elr 4"),
        ("yO5", "2", "german:4-6-7/broken+german:4-6-7/broken --terrain foxhole --elr 4"),
        ("yX5", "1", "russian:4-4-7/dm --elr 2"),
    ] {
        let cells = row(location);
        let chances = &cells[cells.len() - 2..];
        for (phase, chance) in ["1", "2"].into_iter().zip(chances) {
            let line = format!("{line} {}", rest.trim_end_matches(" --format csv"));
            let expected = rallied(&folder, &line, slot, phase);
            let found: f64 = chance.parse().unwrap();
            assert!((found - expected).abs() < 1e-12, "{location} {phase}: {found} {expected}");
        }
    }
    let text = ok(folder.path(), &all);
    for part in ["yO6", "german:9-2", "bldg-stone", "german units rout", "russian units rout"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let one = ok(folder.path(), &format!("{all} --side russian"));
    assert!(one.contains("yX5") && !one.contains("yO6"), "{one}");
    // What the player sets holds for all Locations.
    let led = ok(folder.path(), &format!("{all} --side russian --leader russian:9-2 --format csv"));
    let expected =
        rallied(&folder, "russian:4-4-7/dm --elr 2 --leader 9-2 --phases 2 --no-hob", "1", "1");
    let found = led.lines().nth(1).unwrap().rsplit(',').nth(1).unwrap().parse::<f64>().unwrap();
    assert!((found - expected).abs() < 1e-12, "{led}");
    for wrong in ["--tell \"mmc holds >= 1\"", "--impact", "--counts"] {
        let report = fails(folder.path(), &format!("{all} {wrong}"), 2);
        assert!(report.contains("one table for all Locations"), "{report}");
    }
    fails(folder.path(), "rally made.vsav", 2);
    fails(folder.path(), "rally german:4-6-7/dm --side german", 2);
}

/// A board of 17 by 20 hexes is read from its archive and in a save, turned or not.
#[test]
fn tall_board_is_read_from_a_save() {
    let folder = tempdir().unwrap();
    let mut board = empty_board(17, 20);
    board.width += 1;
    board.pixels.extend(vec![Pixel::default(); board.height]);
    let pixels = board_bytes(&board);
    fs::write(folder.path().join("bd3a"), archive(&[("LOSData", &pixels)]).unwrap()).unwrap();
    for turned in ["", "r"] {
        let mut draft = FileBuilder::default()
            .boards(&[&format!("0\t0\t{turned}3a\tVER\t6")])
            .command(&format!("INFO\t{NO_INFO}"));
        let at = |hex: &str, mut piece: Traits| {
            let (x, y) = pixel(hex);
            let (x, y) = if turned.is_empty() { (x, y) } else { (1701 - x, 2090 - y) };
            let last = piece.len() - 1;
            piece[last].1 = format!("Main Map;{x};{y};2/5705");
            piece
        };
        draft.piece(&at("K18", german(true, "K18")));
        draft.piece(&at("K16", russian(false, "K16")));
        fs::write(folder.path().join("made.vsav"), draft.bytes(Mask::Plain).unwrap()).unwrap();
        let answer = on_plains(&folder, "");
        assert!(answer.contains("4-6-7 in 3aK18") && answer.contains("3aK16"), "{answer}");
    }
}
