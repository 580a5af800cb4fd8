//! Tests that generated pieces, stacks, boards and logs are read as they were written, and that
//! hidden pieces stay hidden.

use crate::vasl_writer::{FileBuilder, archive, chained, innermost, join, layer, together};
use vasl::obfuscation::Mask;
use vasl::piece::{Piece, Visibility};
use vasl::position::{Heap, Position};
use vasl::saved::Saved;
use vasl::sequence::split;

type Traits = Vec<(String, String)>;

/// Creates a squad with half-squads on its other faces.
fn squad(level: i32, broken: bool, (x, y): (i32, i32)) -> Traits {
    let side = if broken { level } else { -level };
    vec![
        layer("", &["ge/geh7b", "ge/geh6b"], &["broken +", "broken +"], -1),
        layer("", &["ge/ge248H", "ge/ge247H"], &["2-4-8 Ehs", "2-4-7 1hs"], -1),
        layer("BRK", &["ge/ges8b", "ge/ges7b"], &["broken +", "broken +"], side),
        layer("SQ", &["ge/ge468S", "ge/ge467S"], &["4-6-8 Esq", "4-6-7 1sq"], level),
        innermost("blank", "4-6-8 Esq", x, y),
    ]
}

fn leader(broken: bool, (x, y): (i32, i32)) -> Traits {
    vec![
        layer("BRK", &["ru/rul6b.svg"], &["broken +"], if broken { 1 } else { -1 }),
        layer("", &["ru/ruL61.svg"], &["6\\+1"], 1),
        innermost("", "6+1", x, y),
    ]
}

fn marker(image: &str, name: &str, (x, y): (i32, i32)) -> Traits {
    vec![innermost(image, name, x, y)]
}

/// Creates two boards side by side, the second turned. On them are two squads, one of them with DM,
/// a leader, a concealed stack, and a hidden one.
fn draft() -> FileBuilder {
    let mut draft = FileBuilder::default()
        .boards(&["0\t0\ty\tVER\t6.3\tOVR\twd1\tC3\tC4", "1\t0\trz\t-1\t-1\t-1\t-1\tVER\t6.1"])
        .command("INFO\tGerman\tRussian\t3\t3\t4\t2\t ? \t\t\t")
        .command("EXT\tKorea\t1.2")
        .command("PLAYER\thunter2\tAlice\tAxis");
    let i5 = (400 + 450, 400 + 290);
    let low = draft.piece(&squad(2, true, i5));
    let dm = draft.piece(&marker("MS/dm", "DM", i5));
    let high = draft.piece(&squad(1, false, i5));
    draft.stack(i5.0, i5.1, &[low, dm, high, "9999".to_string(), "@@2".to_string()]);
    let seam = (2200, 432);
    draft.piece(&leader(true, seam));
    let hill = (2200 + 56, 400 + 64);
    let under = draft.piece(&leader(false, hill));
    let mark = vec![
        ("concealment;hunter2;ru".to_string(), String::new()),
        innermost("ru/ru?", "?", hill.0, hill.1),
    ];
    let mark = draft.piece(&mark);
    draft.stack(hill.0, hill.1, &[under, mark]);
    let mut hidden = leader(false, (456, 464));
    hidden.insert(0, ("hide;H;hide".to_string(), "hunter2".to_string()));
    draft.piece(&hidden);
    draft
}

fn read(draft: &FileBuilder, mask: Mask) -> Saved {
    Saved::read(&draft.bytes(mask).unwrap()).unwrap()
}

fn known<'a>(heap: &'a Heap, side: Option<&str>) -> Vec<&'a str> {
    heap.known(side).iter().map(|piece| piece.name.as_str()).collect()
}

fn place(heap: &Heap) -> String {
    heap.place.as_ref().map_or(String::new(), |place| format!("{}{}", place.board, place.hex))
}

#[test]
fn save_is_read_as_it_was_written() {
    let draft = draft();
    let masks = [Mask::Plain, Mask::Digits(0xa7), Mask::Bytes(0x3c), Mask::Packed(1)];
    for mask in masks {
        let saved = read(&draft, mask);
        assert_eq!(saved.mask, mask);
        assert_eq!(saved.vassal.as_deref(), Some("3.7.15"));
        assert_eq!(saved.vasl.as_deref(), Some("6.7.0"));
        let position = saved.position(None).unwrap();
        let boards: Vec<(&str, bool)> =
            position.boards.iter().map(|board| (board.name.as_str(), board.is_turned)).collect();
        assert_eq!(boards, [("y", false), ("z", true)]);
        assert_eq!(position.boards[0].overlays, ["wd1 C3 C4"]);
        assert_eq!(position.scenario.turn, "3");
        assert_eq!(position.scenario.allied_san, "");
        assert_eq!(position.extensions["Korea"], "1.2");
        let heaps = position.heaps();
        let all: Vec<(String, Vec<&str>)> =
            heaps.iter().map(|heap| (place(heap), known(heap, None))).collect();
        let expected = [
            ("yB1".to_string(), vec![]),
            ("yI5".to_string(), vec!["broken 4-6-7 1sq", "DM", "4-6-8 Esq"]),
            ("zGG10".to_string(), vec!["broken 6+1"]),
            ("zFF9".to_string(), vec![]),
        ];
        assert_eq!(all, expected);
    }
}

#[test]
fn hidden_pieces_are_shown_to_their_own_side_only() {
    let position = read(&draft(), Mask::Digits(1)).position(None).unwrap();
    let heaps = position.heaps();
    let names_seen_by = |side| heaps.iter().flat_map(|heap| known(heap, side)).collect::<Vec<_>>();
    let open = ["broken 4-6-7 1sq", "DM", "4-6-8 Esq", "broken 6+1"];
    assert_eq!(names_seen_by(None), open);
    assert_eq!(names_seen_by(Some("german")), open);
    assert_eq!(
        names_seen_by(Some("russian")),
        ["6+1", open[0], open[1], open[2], open[3], "6+1", "?"]
    );
}

#[test]
fn faces_give_nation_state_and_morale() {
    let heaps = read(&draft(), Mask::Plain).position(None).unwrap().heaps();
    let unit = |name: &str| -> Piece {
        let all = heaps.iter().flat_map(|heap| &heap.pieces);
        all.clone().find(|piece| piece.name == name).unwrap().clone()
    };
    let broken = unit("broken 4-6-7 1sq");
    assert_eq!(
        (broken.nation(), broken.is_broken, broken.basic.as_str()),
        (Some("german"), true, "4-6-7 1sq")
    );
    assert_eq!(broken.broken_morale(), Some(7));
    assert_eq!(unit("4-6-8 Esq").broken_morale(), None);
    assert_eq!(unit("broken 6+1").nation(), Some("russian"));
    assert_eq!((unit("DM").nation(), unit("DM").sight), (None, Visibility::Open));
}

#[test]
fn log_is_played_up_to_any_step() {
    let mut draft = draft();
    let unit = draft.piece(&squad(2, false, (456, 529)));
    let state = |level: i32| {
        chained(&squad(2, level > 0, (456, 529)).iter().map(|(_, state)| state).collect::<Vec<_>>())
    };
    draft.chat("*** (IFT DR) 3,4 ***   <Alice>      [1 / 1   avg   7 (7)]    (01.02)");
    draft.step(&format!("D/{unit}/{}", state(1)));
    draft.step(&format!("M/{unit}/Main Map/850/690/null/Main Map/456/529/null/hunter2"));
    draft.step(&format!("-/{unit}"));
    let saved = read(&draft, Mask::Digits(9));
    assert_eq!(saved.steps().unwrap(), 4);
    assert_eq!(saved.transcript().unwrap().rolls.len(), 1);
    let at = |steps: usize, hex: &str| {
        let position = saved.position(Some(steps)).unwrap();
        assert_eq!(position.steps, steps);
        let heaps = position.heaps();
        let heap = heaps.iter().find(|heap| place(heap) == hex);
        heap.map_or(Vec::new(), |heap| {
            known(heap, None).iter().map(|name| name.to_string()).collect::<Vec<_>>()
        })
    };
    assert_eq!(at(1, "yB2"), ["4-6-7 1sq"]);
    assert_eq!(at(2, "yB2"), ["broken 4-6-7 1sq"]);
    let stacked = ["broken 4-6-7 1sq", "broken 4-6-7 1sq", "DM", "4-6-8 Esq"];
    assert_eq!((at(3, "yI5"), at(3, "yB2").len()), (stacked.map(str::to_string).to_vec(), 0));
    assert_eq!(at(4, "yI5").len(), 3);
}

#[test]
fn files_that_are_no_save_are_refused() {
    let fault = |bytes: &[u8]| Saved::read(bytes).unwrap_err().to_string();
    assert!(fault(b"").starts_with("not a ZIP archive"), "{}", fault(b""));
    let empty = archive(&[("x", b"")]).unwrap();
    assert!(fault(&empty).contains("no `savedGame`"));
    let other = archive(&[("savedGame", b""), ("moduledata", b"<data><name>Chess</name></data>")]);
    assert!(fault(&other.unwrap()).contains("the game belongs to the module `Chess`"));
    let odd = archive(&[("savedGame", b"!VCSKa71")]).unwrap();
    assert!(fault(&odd).contains("expected two hexadecimal digits at byte 7"), "{}", fault(&odd));
    // A decompression bomb is unpacked only up to the maximum size of a save.
    let bomb = archive(&[("savedGame", &vec![b'0'; 50 << 20])]).unwrap();
    assert!(bomb.len() < 1 << 20);
    assert!(fault(&bomb).contains("at most"), "{}", fault(&bomb));
    let mut deep = "x".to_string();
    for _ in 0..100 {
        deep = together([&deep, "y"]);
    }
    assert!(Position::read(&deep, None).unwrap_err().message.contains("are nested more than"));
}

#[test]
fn joined_items_split_unchanged() {
    let lists: [&[&str]; 8] = [
        &["a", "b"],
        &["a;b", "", "c"],
        &["", ""],
        &["\\", "x"],
        &["'q'", "'"],
        &["a\\", "b"],
        &["\\;", ";", "a;;b"],
        &["one"],
    ];
    for list in lists {
        let text = join(list, ';');
        assert_eq!(split(&text, ';').collect::<Vec<_>>(), *list, "{text}");
        // Nested in another list.
        let nested = join([&text, "x"], ';');
        let outer: Vec<_> = split(&nested, ';').collect();
        assert_eq!(outer, [text.as_str(), "x"], "{nested}");
    }
    assert_eq!(join(["a;b", "c"], ';'), "a\\;b;c");
    assert_eq!(split("a;", ';').collect::<Vec<_>>(), ["a", ""]);
}
