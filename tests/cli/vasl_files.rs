//! `luck`, `vasl show` and `board import` on generated files.

use std::fs;
use std::path::Path;

use crate::shell::{Sheet, assert_fails, fails, json, lowcrawl, names, ok, texts};
use crate::vasl_writer::{FileBuilder, archive, board_bytes, empty_board, innermost, layer, put};
use serde_json::Value;
use tempfile::{TempDir, tempdir};
use vasl::ground::raster::{Pixel, Raster};
use vasl::obfuscation::Mask;

/// The password of the owner of hidden pieces; no output may contain it.
const PASSWORD: &str = "hunter2";

fn roll(player: &str, kind: &str, dice: &str, nth: usize) -> String {
    format!(
        "*** ({kind}) {dice} ***   <{player}>      [1 / {nth}   avg   7,00 (7,00)]    (01.{nth:02})"
    )
}

/// Returns a position with a broken squad on I5, a leader below a `?` on B1, and a hidden one on
/// B2.
fn position() -> FileBuilder {
    let mut draft = FileBuilder::default()
        .boards(&["0\t0\ty\tVER\t6.3\tOVR\twd1\tC3\tC4"])
        .command("INFO\tGerman\tRussian\t3\t3\t4\t2\t2\t\t\t")
        .command(&format!("PLAYER\t{PASSWORD}\tAlice\tAxis"));
    let squad = draft.piece(&[
        layer("BRK", &["ge/ges8b", "ge/ges7b"], &["broken +", "broken +"], 2),
        layer("SQ", &["ge/ge468S", "ge/ge467S"], &["4-6-8 Esq", "4-6-7 1sq"], 2),
        innermost("blank", "4-6-8 Esq", 850, 690),
    ]);
    let dm = draft.piece(&[innermost("MS/dm", "DM", 850, 690)]);
    draft.stack(850, 690, &[squad, dm]);
    let leader =
        |x: i32, y: i32| vec![layer("", &["ge/geL81"], &["8-1"], 1), innermost("", "8-1", x, y)];
    let below = draft.piece(&leader(456, 464));
    let mark = (format!("concealment;{PASSWORD};ge"), String::new());
    let mark = draft.piece(&[mark, innermost("ge/ge?", "?", 456, 464)]);
    draft.stack(456, 464, &[below, mark]);
    let hidden = ("hide;H;hide".to_string(), PASSWORD.to_string());
    draft.piece(&[vec![hidden], leader(456, 529)].concat());
    draft
}

/// Returns the lines of a game of `rolls` rolls, by two players in turn; `which` selects its dice.
fn game(which: usize, rolls: usize) -> Vec<String> {
    let roll = |number: usize| {
        let dice = format!("{},{}", (which + number * 7) % 6 + 1, (which + number * 5 / 3) % 6 + 1);
        let kind = ["IFT DR", "MC DR", "Rally DR"][number / 2 % 3];
        roll(["Alice", "Bob"][number % 2], kind, &dice, number / 2 + 1)
    };
    (0..rolls).map(roll).collect()
}

/// Returns a log with these lines.
fn log(lines: &[String]) -> Vec<u8> {
    let mut draft = position();
    lines.iter().for_each(|line| draft.chat(line));
    draft.bytes(Mask::Digits(0x11)).unwrap()
}

/// Returns a board with woods around the middle of K5, and a Wall between K5 and K6.
fn board() -> Raster {
    let mut raster = empty_board(33, 10);
    for (x, y) in (543..583).flat_map(|x| (270..310).map(move |y| (x, y))) {
        put(&mut raster, x, y, Pixel { elevation: 0, terrain: 60 });
    }
    for (x, y) in (545..580).flat_map(|x| (321..325).map(move |y| (x, y))) {
        put(&mut raster, x, y, Pixel { elevation: 0, terrain: 72 });
    }
    raster
}

fn packed(raster: &Raster) -> Vec<u8> {
    archive(&[("LOSData", &board_bytes(raster)), ("BoardMetadata.xml", b"<boardMetadata/>")])
        .unwrap()
}

/// Writes every VASL file that an example of the help names.
pub fn made(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("turn-3.vsav", &position().bytes(Mask::Digits(0x4e)).unwrap());
    write("game-1.vlog", &log(&game(0, 90)));
    write("game-2.vlog", &log(&game(1, 7)));
    write("chat.txt", (roll("Alice", "IFT DR", "3,4", 1) + "\n").as_bytes());
    write("bdy", &packed(&board()));
    fs::create_dir(folder.join("archives")).unwrap();
    write("archives/bd01", &packed(&empty_board(33, 10)));
    let terrain = "<terrainType name=\"Open Ground\" typeCode=\"0\" LOSCategory=\"OPEN\" height=\"0\"/>\
        <terrainType name=\"Woods\" typeCode=\"60\" LOSCategory=\"WOODS\" height=\"1\" isLOSObstacle=\"TRUE\"/>\
        <terrainType name=\"Wall\" typeCode=\"72\" LOSCategory=\"HEXSIDE\" height=\"0\" isLOSObstacle=\"TRUE\" isHalfLevelHeight=\"TRUE\"/>\
        <terrainType name=\"New Thing\" typeCode=\"230\" LOSCategory=\"OTHER\" height=\"1\" isLOSObstacle=\"TRUE\"/>";
    let table = format!("<board><terrainTypes>{terrain}</terrainTypes></board>");
    write(
        "VASL.vmod",
        &archive(&[("boardData/SharedBoardMetadata.xml", table.as_bytes())]).unwrap(),
    );
}

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    made(folder.path());
    folder
}

#[test]
fn luck_is_the_same_in_every_format() {
    let folder = folder();
    let run = |rest: &str| ok(folder.path(), &format!("luck game-1.vlog game-2.vlog{rest}"));
    let words = run("");
    for part in ["Alice: 49 DR where low is good", "Bob: 48 DR", "good as that", "Of 6 kinds"] {
        assert!(words.contains(part), "{part}\n{words}");
    }
    let round = run(" --digits 0");
    let shares: Vec<&str> =
        round.split(" %").map(|text| text.rsplit(' ').next().unwrap()).collect();
    assert!(shares.len() > 20 && shares[..20].iter().all(|share| !share.contains('.')), "{round}");
    let csv = Sheet::of_csv(run(" --format csv").as_bytes());
    assert_eq!(csv.rows.len(), 10);
    let json: Value = serde_json::from_str(&run(" --format json")).unwrap();
    let rolls: Vec<f64> =
        json["rows"].as_array().unwrap().iter().map(|row| row["rolls"].as_f64().unwrap()).collect();
    let of_csv: Vec<f64> = csv.column("rolls").iter().map(crate::shell::Cell::number).collect();
    assert_eq!(rolls, of_csv);
    assert_eq!(json["missing"], serde_json::json!([]));
    run(" --out luck.parquet");
    assert_eq!(Sheet::of_parquet(&folder.path().join("luck.parquet")).rows, csv.rows);
    let markdown = run(" --format markdown");
    assert!(
        markdown.starts_with("**the dice of game-1.vlog, game-2.vlog.** Alice: 49 DR"),
        "{markdown}"
    );
    assert!(markdown.contains("`lowcrawl luck game-1.vlog game-2.vlog`"));
    // Articles show the table and the chart.
    let article = "```lowcrawl chart\nluck game-1.vlog\n```\n\n```lowcrawl table\nluck game-1.vlog --anonymous\n```\n";
    fs::write(folder.path().join("a.md"), article).unwrap();
    ok(folder.path(), "article a.md --out built");
    let built = fs::read_to_string(folder.path().join("built/a.md")).unwrap();
    assert!(built.contains("| Player A | IFT"), "{built}");
    assert!(names(&folder.path().join("built")).contains(&"a-1.svg".to_string()));
}

#[test]
fn anonymous_option_hides_all_player_names() {
    let folder = folder();
    for rest in ["", " --format json", " --format csv", " --format markdown", " --plot"] {
        let line = format!("luck game-1.vlog --anonymous --chart run.svg{rest}");
        let (stdout, stderr) = texts(&lowcrawl(folder.path(), &line).output().unwrap());
        assert_eq!(stderr, "chart: run.svg\n");
        let chart = fs::read_to_string(folder.path().join("run.svg")).unwrap();
        for name in ["Alice", "Bob", PASSWORD] {
            assert!(!stdout.contains(name) && !chart.contains(name), "{rest}: {name}");
        }
        assert!(stdout.contains("Player B"), "{stdout}");
    }
}

#[test]
fn luck_reports_missing_rolls_and_refuses_repeated_files() {
    let folder = folder();
    let few = ok(folder.path(), "luck game-2.vlog");
    assert!(few.contains("fewer than 30, so no conclusion"), "{few}");
    let lines = [1, 2, 5].map(|nth| roll("Alice", "IFT DR", "3,4", nth)).join("\n");
    fs::write(folder.path().join("gaps.txt"), lines).unwrap();
    let gaps = ok(folder.path(), "luck --chat gaps.txt");
    let note = "Alice: 2 numbers are missing from gaps.txt; this can be due to another session.";
    assert!(gaps.contains(note), "{gaps}");
    assert_fails(folder.path(), "luck turn-3.vsav", 2, &["the logs have no rolls"]);
    fs::copy(folder.path().join("game-1.vlog"), folder.path().join("again.vlog")).unwrap();
    let message = fails(folder.path(), "luck game-1.vlog again.vlog", 2);
    assert!(message.contains("this file has the same content as game-1.vlog"), "{message}");
    fs::copy(folder.path().join("chat.txt"), folder.path().join("again.txt")).unwrap();
    let message = fails(folder.path(), "luck --chat chat.txt --chat again.txt", 2);
    assert!(message.contains("this file has the same content as chat.txt"), "{message}");
    assert_fails(folder.path(), "luck chat.txt", 2, &["expected a log of VASL"]);
    fails(folder.path(), "luck none.vlog", 2);
}

/// Returns the number of DR of each player that `luck` counts in files, and its JSON.
fn rolls_of(folder: &Path, files: &str) -> (Vec<f64>, Value) {
    let json: Value = json(folder, &format!("luck {files}"));
    let rows = json["rows"].as_array().unwrap();
    let all = rows.iter().filter(|row| row["kind"] == "all DR");
    (all.map(|row| row["rolls"].as_f64().unwrap()).collect(), json)
}

#[test]
fn rolls_in_several_logs_are_counted_once() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let lines = game(0, 22);
    // Both players logged the game, one from the start and one to the end; the chat has all of it.
    write("a.vlog", &log(&lines[..18]));
    write("b.vlog", &log(&lines[6..]));
    write("c.txt", lines.join("\n").as_bytes());
    for (files, counted) in [
        ("a.vlog", [9.0, 9.0]),
        ("a.vlog b.vlog", [11.0, 11.0]),
        ("b.vlog a.vlog", [11.0, 11.0]),
        ("a.vlog b.vlog --chat c.txt", [11.0, 11.0]),
        ("--chat c.txt b.vlog a.vlog", [11.0, 11.0]),
    ] {
        let (rolls, json) = rolls_of(folder.path(), files);
        assert_eq!(rolls, counted, "{files}");
        // The files complete each other, so no roll is missing.
        assert_eq!(json["missing"], serde_json::json!([]), "{files}");
    }
    let words = ok(folder.path(), "luck a.vlog b.vlog");
    let note = "Rolls in both a.vlog and b.vlog: 12. They are counted once.";
    assert!(words.contains(note), "{words}");
    let (_, json) = rolls_of(folder.path(), "a.vlog b.vlog");
    let pair =
        serde_json::json!([{ "first": "a.vlog", "log": "b.vlog", "same": 12, "different": 0 }]);
    assert_eq!(json["repeated"], pair);
    // The second log continues the first, and so do its numbers.
    write("d.vlog", &log(&lines[18..]));
    assert_eq!(rolls_of(folder.path(), "a.vlog d.vlog").0, [11.0, 11.0]);
    assert!(!ok(folder.path(), "luck a.vlog d.vlog").contains("counted once"));
    // The chat contains the second half of the game twice.
    write("e.txt", [&lines[..], &lines[16..]].concat().join("\n").as_bytes());
    assert_eq!(rolls_of(folder.path(), "--chat e.txt").0, [11.0, 11.0]);
    let words = ok(folder.path(), "luck --chat e.txt");
    assert!(words.contains("Rolls twice in e.txt: 6."), "{words}");
}

#[test]
fn games_with_equal_roll_numbers_are_kept_apart() {
    let folder = folder();
    // The first roll of both games is equal by chance; all others have equal numbers only.
    let mut other = game(3, 22);
    other[0] = game(0, 1).remove(0);
    fs::write(folder.path().join("one.vlog"), log(&game(0, 22))).unwrap();
    fs::write(folder.path().join("other.vlog"), log(&other)).unwrap();
    assert_eq!(rolls_of(folder.path(), "one.vlog other.vlog").0, [22.0, 22.0]);
    let words = ok(folder.path(), "luck one.vlog other.vlog");
    assert!(words.contains("Rolls in both one.vlog and other.vlog: 1."), "{words}");
    assert!(words.contains("these\n  are two sessions"), "{words}");
    // A log with one changed roll is still the same game.
    let mut changed = game(0, 22);
    changed[4] = changed[4].replace(") 5,", ") 1,");
    assert_ne!(changed, game(0, 22));
    fs::write(folder.path().join("changed.vlog"), log(&changed)).unwrap();
    assert_eq!(rolls_of(folder.path(), "one.vlog changed.vlog").0, [12.0, 11.0]);
    let words = ok(folder.path(), "luck one.vlog changed.vlog");
    assert!(words.contains("the same number but different dice: 1; both are counted"), "{words}");
    // Rolls from before the dice bot have no numbers.
    let old = |name: &str| {
        let lines = ["*** DR = 3,4 *** <Alice>".to_string()];
        fs::write(folder.path().join(name), log(&lines)).unwrap();
    };
    old("old.vlog");
    fs::write(folder.path().join("old.txt"), "*** DR = 3,4 *** <Alice>").unwrap();
    let words = ok(folder.path(), "luck old.vlog --chat old.txt");
    assert!(words.contains("Rolls without a number from the dice bot: 2."), "{words}");
}

#[test]
fn chat_is_read_in_every_encoding_and_layout() {
    let folder = folder();
    let lines = game(0, 22);
    let plain = lines.join("\n");
    let utf16 = |unit: fn(u16) -> [u8; 2]| plain.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let stamped = |stamp: &str| lines.iter().map(|line| format!("{stamp}{line}\n")).collect();
    let stamped: Vec<String> = [
        "[21:04:17] ",
        "2026-11-25T21:04:17Z ",
        "25 Nov 2026, 9:04 pm - ",
        "(21:04)\t",
        "17: ",
        "> ",
        "\u{a0}",
    ]
    .map(stamped)
    .to_vec();
    let mut files = vec![
        ("UTF-8 with a mark", [b"\xef\xbb\xbf", plain.as_bytes()].concat()),
        ("Windows lines", plain.replace('\n', "\r\n").into_bytes()),
        ("lines of an old Macintosh", plain.replace('\n', "\r").into_bytes()),
        ("UTF-16 LE with a mark", [&b"\xff\xfe"[..], &utf16(u16::to_le_bytes)].concat()),
        ("UTF-16 BE with a mark", [&b"\xfe\xff"[..], &utf16(u16::to_be_bytes)].concat()),
        ("UTF-16 LE", utf16(u16::to_le_bytes)),
        ("UTF-16 BE", utf16(u16::to_be_bytes)),
    ];
    files.extend(stamped.iter().map(|text| (text.as_str(), text.clone().into_bytes())));
    for (what, bytes) in files {
        fs::write(folder.path().join("saved.txt"), bytes).unwrap();
        assert_eq!(rolls_of(folder.path(), "--chat saved.txt").0, [11.0, 11.0], "{what}");
        let words = ok(folder.path(), "luck --chat saved.txt");
        assert!(!words.contains("not read"), "{what}: {words}");
    }
    // A name in the Windows code page is read as the name in a log.
    let named = roll("J\u{f6}rg", "IFT DR", "3,4", 1);
    let bytes: Vec<u8> = named.chars().map(|letter| letter as u8).collect();
    fs::write(folder.path().join("ansi.txt"), bytes).unwrap();
    assert!(ok(folder.path(), "luck --chat ansi.txt").contains("J\u{f6}rg: 1 DR"));
    assert_fails(folder.path(), "luck --chat game-1.vlog", 2, &["without `--chat`"]);
    fs::write(folder.path().join("zeros.txt"), [b'*'; 9].map(|_| 0)).unwrap();
    assert_fails(folder.path(), "luck --chat zeros.txt", 2, &["not a text file"]);
}

#[test]
fn unread_lines_that_look_like_rolls_are_reported() {
    let folder = folder();
    let good = roll("Alice", "IFT DR", "3,4", 1);
    let bad = [
        roll("Alice", "IFT DR", "3,7", 2),
        format!("<Bob> - {}", roll("Alice", "IFT DR", "6,6", 1)),
        format!("{} {}", roll("Bob", "MC DR", "1,1", 1), roll("Bob", "MC DR", "1,2", 2)),
        "(MC DR) 1,2 <Bob>".to_string(),
    ];
    let other = ["<Bob> - a DR) of 3", "!!<html>(IFT DR) 3,4", "* New: Axis Turn 1 - PFPh *"];
    let lines = [&[good], &bad[..], &other.map(str::to_string)].concat();
    fs::write(folder.path().join("mixed.txt"), lines.join("\n")).unwrap();
    let words = ok(folder.path(), "luck --chat mixed.txt");
    let note = "Unreadable lines in mixed.txt that look like rolls: 4. The first is line 2: `***\n  (IFT DR) 3,7 ***";
    assert!(words.contains(note), "{words}");
    let quiet = ok(folder.path(), "luck --chat mixed.txt --anonymous");
    assert!(quiet.contains("The first is line 2.\n") && !quiet.contains("<Alice>"), "{quiet}");
    let json = ok(folder.path(), "luck --chat mixed.txt --anonymous --format json");
    assert!(!json.contains("Alice"), "{json}");
    // In a log the place is a step. If no roll could be read, the note is part of the error.
    fs::write(folder.path().join("bad.vlog"), log(&bad[..2])).unwrap();
    let parts = ["the logs have no rolls", "rolls: 2. The first is step 1: `*** (IFT"];
    assert_fails(folder.path(), "luck bad.vlog", 2, &parts);
}

#[test]
fn show_prints_public_information_only() {
    let folder = folder();
    let words = ok(folder.path(), "vasl show turn-3.vsav");
    for part in [
        "A save: VASL 6.7.0",
        "Boards: y, overlays wd1 C3 C4.",
        "turn 3",
        "broken 4-6-7 1sq",
        "yI5",
    ] {
        assert!(words.contains(part), "{part}\n{words}");
    }
    for part in ["8-1", PASSWORD, "Alice", "16000000"] {
        assert!(!words.contains(part), "{part}\n{words}");
    }
    let rows = |rest: &str| {
        Sheet::of_csv(
            ok(folder.path(), &format!("vasl show turn-3.vsav --format csv{rest}")).as_bytes(),
        )
    };
    // A concealed stack is one `?` to others.
    assert_eq!(rows("").rows.len(), 3);
    assert_eq!(rows(" --mine german").rows.len(), 5);
    assert_eq!(rows(" --mine ru").rows.len(), 3);
    let answer = json(folder.path(), "vasl show turn-3.vsav");
    assert_eq!(answer["rows"][0]["piece"], "?", "{answer}");
    assert_eq!(
        (&answer["rows"][0]["hex"], &answer["rows"][0]["nation"]),
        (&"B1".into(), &"german".into())
    );
    let board = &answer["boards"][0];
    assert_eq!((&board["name"], &board["turned"]), (&"y".into(), &false.into()), "{answer}");
    assert_eq!(board["overlays"][0], serde_json::json!({ "name": "wd1", "hexes": ["C3", "C4"] }));
    assert_eq!(answer["scenario"]["axis_elr"], "3", "{answer}");
    assert_eq!(answer["versions"]["vasl"], "6.7.0", "{answer}");
    let log = ok(folder.path(), "vasl show game-1.vlog --at-step 3");
    assert!(log.contains("A log of 90 steps with 90 rolls, at step 3"), "{log}");
    assert_fails(folder.path(), "vasl show game-1.vlog --at-step 91", 2, &["the log has 90 steps"]);
    assert_fails(folder.path(), "vasl show turn-3.vsav --mine germn", 2, &["german"]);
}

#[test]
fn imported_boards_are_tables_that_situations_read() {
    let folder = folder();
    let text = ok(folder.path(), "board import bdy bd01 --boards archives --out boards");
    assert!(text.contains("y: 346 hexes in") && text.contains("01: 346 hexes in"), "{text}");
    assert_eq!(
        names(&folder.path().join("boards")),
        ["board-01.csv", "board-y.csv", "los-01.csv", "los-y.csv"]
    );
    // A foreign table is overwritten only with `--replace`.
    let [path, line] = ["boards/board-y.csv", "board import bdy --boards archives --out boards"];
    fs::write(folder.path().join(path), "precious").unwrap();
    assert_fails(folder.path(), line, 2, &[&format!("{path}: lowcrawl did not write this file")]);
    assert_eq!(fs::read(folder.path().join(path)).unwrap(), b"precious");
    ok(folder.path(), &format!("{line} --replace"));
    let hexes = fs::read_to_string(folder.path().join("boards/board-y.csv")).unwrap();
    let row = |hex: &str| hexes.lines().find(|line| line.starts_with(&format!("{hex},"))).unwrap();
    assert!(row("K5").starts_with("K5,woods,0,,,0,0,0,,,,,Wall,,,,,"), "{}", row("K5"));
    assert!(row("K6").starts_with("K6,open,0,,,0,0,0,,Wall,,,,,,,,"), "{}", row("K6"));
    let situation = "board = { hexes = \"boards/board-y.csv\", los = \"boards/los-y.csv\" }\n\
        [[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"K6\"\n\
        [[enemy]]\nunit = \"russian:4-4-7\"\nat = \"K8\"\n";
    fs::write(folder.path().join("s.toml"), situation).unwrap();
    let rout = ok(folder.path(), "rout s.toml");
    assert!(rout.contains("K5"), "{rout}");
    // The board may be named as VASL does, next to the situation or in a folder of boards.
    let by_name = |board: &str| {
        situation.replace(
            "{ hexes = \"boards/board-y.csv\", los = \"boards/los-y.csv\" }",
            &format!("{{ vasl = \"{board}\" }}"),
        )
    };
    fs::write(folder.path().join("v.toml"), by_name("bdy")).unwrap();
    assert_eq!(ok(folder.path(), "rout v.toml"), rout);
    fs::write(folder.path().join("v.toml"), by_name("01")).unwrap();
    let found = lowcrawl(folder.path(), "rout v.toml")
        .env("LOWCRAWL_VASL_BOARDS", folder.path().join("archives"))
        .output()
        .unwrap();
    let (stdout, stderr) = texts(&found);
    assert!(found.status.success() && stdout.contains("K6"), "{stdout}{stderr}");
    fs::write(folder.path().join("v.toml"), by_name("bd77")).unwrap();
    assert_fails(
        folder.path(),
        "rout v.toml",
        2,
        &["of the board was not found", "LOWCRAWL_VASL_BOARDS"],
    );
    let both = situation.replace("los = ", "vasl = ");
    fs::write(folder.path().join("v.toml"), both).unwrap();
    assert_fails(folder.path(), "rout v.toml", 2, &["either `vasl`"]);
    let check = ok(
        folder.path(),
        "board check --hexes boards/board-01.csv --los boards/los-01.csv --format csv",
    );
    assert!(check.lines().nth(1).unwrap().starts_with("all,59429,59429,1,1,1,1"), "{check}");
}

#[test]
fn unreadable_boards_are_refused_with_a_reason() {
    let folder = folder();
    let parts = ["of the board was not found", "archives"];
    assert_fails(folder.path(), "board import bd99 --boards archives --out boards", 2, &parts);
    let mut strange = board();
    put(&mut strange, 560, 290, Pixel { elevation: 0, terrain: 230 });
    fs::write(folder.path().join("bd02"), packed(&strange)).unwrap();
    let parts = ["unknown terrain code 230 in K5", "--module"];
    assert_fails(folder.path(), "board import bd02 --out boards", 2, &parts);
    assert!(!folder.path().join("boards").exists());
    // With the module that defines the terrain, its name is printed.
    let text = ok(folder.path(), "board import bd02 --module VASL.vmod --out boards");
    assert!(text.contains("lines over New Thing (K5)"), "{text}");
    fs::write(folder.path().join("bd03"), archive(&[("x", b"")]).unwrap()).unwrap();
    let message = fails(folder.path(), "board import bd03 --out boards", 2);
    assert!(message.contains("the board has no `LOSData`"), "{message}");
    let message = fails(folder.path(), "board import bdy --module chat.txt --out boards", 2);
    assert!(message.contains("SharedBoardMetadata.xml"), "{message}");
    let write = |name: &str, raster: &Raster| {
        fs::write(folder.path().join(name), packed(raster)).unwrap();
    };
    write("bd04", &empty_board(41, 10));
    let parts = ["a board of 41 by 10 hexes: at most 40 by 40 are supported", "take too long"];
    assert_fails(folder.path(), "board import bd04 --out large", 2, &parts);
    assert!(!folder.path().join("large").exists());
    // Each finished board is reported before the next one starts. A missing board is reported
    // before all.
    write("bd05", &empty_board(3, 2));
    let import = |boards: &str| {
        let line = format!("board import {boards} --out small");
        texts(&lowcrawl(folder.path(), &line).output().unwrap())
    };
    let (stdout, stderr) = import("bd05 bd99");
    assert!(stdout.is_empty() && stderr.contains("of the board was not found"), "{stdout}{stderr}");
    assert!(!folder.path().join("small").exists());
    let (stdout, stderr) = import("bd05 bd04");
    assert!(
        stdout.starts_with("05: 7 hexes in") && stderr.contains("41 by 10"),
        "{stdout}{stderr}"
    );
    assert_eq!(names(&folder.path().join("small")), ["board-05.csv", "los-05.csv"]);
}

#[test]
fn text_in_place_of_a_log_is_given_as_chat() {
    let folder = tempdir().unwrap();
    let lines: String = (1..40).map(|nth| roll("Alice", "IFT DR", "1,1", nth) + "\n").collect();
    fs::write(folder.path().join("chat.txt"), &lines).unwrap();
    let report = fails(folder.path(), "luck chat.txt", 2);
    assert!(report.contains("`lowcrawl luck --chat chat.txt`"), "{report}");
    // No dice have a sum below so many 2s, so this sum or a higher one is certain.
    let csv = ok(folder.path(), "luck --chat chat.txt --format csv");
    let row = csv.lines().find(|line| line.contains("low DR")).unwrap();
    assert_eq!(row.split(',').nth(8), Some("1"), "{csv}");
    let answer = json(folder.path(), "luck --chat chat.txt");
    assert_eq!(answer["rows"][0]["at_least"], 1.0, "{answer}");
}

/// Slopes and hillocks have no rule: a board says so on import, and wherever it is used. Walls of
/// rowhouses are in the table of the board, and no unit crosses them.
#[test]
fn boards_say_what_their_lines_of_sight_ignore() {
    let folder = tempdir().unwrap();
    let mut raster = empty_board(33, 10);
    // K5 is a hillock; the wall of a rowhouse lies between K7 and K8.
    let fill = |raster: &mut Raster, (x, y): (i32, i32), (wide, high): (i32, i32), terrain: u8| {
        for (x, y) in (x - wide..=x + wide).flat_map(|x| (y - high..=y + high).map(move |y| (x, y)))
        {
            put(raster, x, y, Pixel { elevation: 0, terrain });
        }
    };
    fill(&mut raster, (562, 290), (10, 10), 105);
    fill(&mut raster, (562, 451), (18, 2), 77);
    let about = b"<board><slopes><slope hex=\"M3\" slope=\"14\"/></slopes></board>";
    let bytes = archive(&[("LOSData", &board_bytes(&raster)), ("BoardMetadata.xml", about)]);
    fs::write(folder.path().join("bdq"), bytes.unwrap()).unwrap();
    let report = ok(folder.path(), "board import bdq --out tables");
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["slope of M3 is ignored in lines of sight", "hillock of K5 is ignored"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let table = fs::read_to_string(folder.path().join("tables/board-q.csv")).unwrap();
    assert!(table.lines().next().unwrap().ends_with(",confidence,ignored"), "{table}");
    let row = |hex: &str| table.lines().find(|row| row.starts_with(&format!("{hex},"))).unwrap();
    assert!(row("M3").ends_with(",slope") && row("K5").ends_with(",hillock"), "{}", row("K5"));
    assert!(row("K7").contains("\"Rowhouse Wall, 1 Level\""), "{}", row("K7"));
    let text = "[board]\nvasl = \"bdq\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"K7\"\n\
        [[enemy]]\nunit = \"russian:4-4-7\"\nat = \"K4\"\n";
    fs::write(folder.path().join("q.toml"), text).unwrap();
    for folders in ["", " --boards tables"] {
        let answer = ok(folder.path(), &format!("rout q.toml --all{folders}"));
        for note in ["lines of sight ignore the slope of M3", "ignore the hillock of K5"] {
            assert!(answer.contains(note), "{folders} {note}: {answer}");
        }
        let csv = ok(folder.path(), &format!("rout q.toml --format csv{folders}"));
        let steps = csv.lines().skip(1).map(|row| row.split(',').nth(4).unwrap());
        let (across, others): (Vec<&str>, Vec<&str>) =
            steps.partition(|route| route.trim_matches('"').starts_with("K8"));
        assert!(across.is_empty() && !others.is_empty(), "{csv}");
    }
}

#[test]
fn folder_and_pattern_stand_for_their_logs() {
    let folder = folder();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    for name in ["game-1.vlog", "game-2.vlog"] {
        fs::copy(folder.path().join(name), games.join(name)).unwrap();
    }
    fs::write(games.join("notes.txt"), "no log").unwrap();
    let rows = |files: &str| {
        let csv = ok(folder.path(), &format!("luck {files} --format csv"));
        csv.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let both = rows("game-1.vlog game-2.vlog");
    assert_eq!(rows("games"), both);
    // The test calls no shell, so the program reads the pattern.
    assert_eq!(rows("game-*.vlog"), both);
    assert_eq!(rows("games/*1.vlog"), rows("game-1.vlog"));
    assert_fails(folder.path(), "luck archives", 2, &["no log fits", ".vlog"]);
    assert_fails(folder.path(), "luck x*.vlog", 2, &["no log fits"]);
}

/// The report is one page that needs no other file, with the numbers of the rolls.
#[test]
fn report_of_luck_is_one_page() {
    let folder = tempdir().unwrap();
    let mut chat = String::new();
    let mut nth = 0;
    let mut roll = |chat: &mut String, player: &str, dice: &str, rof: &str| {
        nth += 1;
        *chat += &format!(
            "*** (IFT DR) {dice} ***   <{player}>      [1 / {nth}   avg   7 (7)]    (01.{nth:02}){rof}\n"
        );
    };
    chat += "* New: Axis Turn 1 - PFPh *\n";
    for _ in 0..20 {
        roll(&mut chat, "Al|<img x", "3,4", "");
        roll(&mut chat, "Bob", "1,1", " ROF die: 5");
    }
    chat += "* New: Allied Turn 2 - DFPh *\n";
    for _ in 0..20 {
        roll(&mut chat, "Al|<img x", "1,2", "");
    }
    fs::write(folder.path().join("chat.txt"), chat).unwrap();
    let line = "luck --chat chat.txt --report luck.html";
    let output = lowcrawl(folder.path(), line).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "report: luck.html\n");
    let page = fs::read_to_string(folder.path().join("luck.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for part in [
        "<h2>Totals</h2>",
        "<h2>Sums so far</h2>",
        "<h2>By kind</h2>",
        "<h2>By turn and phase</h2>",
        "<h2>Streaks</h2>",
        "<h2>Dice for the Rate of Fire</h2>",
        "turn 2</td>",
        "DFPh</td>",
        // Twenty DR of 3 in a row, and twenty dice of 5.
        "6 or less</td><td class=\"right\">20</td>",
        "Bob</th><td class=\"right\">20</td><td class=\"right\">5.00</td>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    // Nothing is loaded, and names are text.
    for part in ["<script", "src=", "href=", "<img"] {
        assert!(!page.contains(part), "{part}");
    }
    let anonymous = format!("{line} --anonymous");
    assert!(lowcrawl(folder.path(), &anonymous).output().unwrap().status.success());
    let page = fs::read_to_string(folder.path().join("luck.html")).unwrap();
    assert!(page.contains("Player A") && !page.contains("Bob") && !page.contains("Al|"));
    for wrong in ["luck.txt", "-", "chat.txt"] {
        let report = fails(folder.path(), &format!("luck --chat chat.txt --report {wrong}"), 2);
        assert!(report.contains("--report"), "{report}");
    }
}

/// The axis of the chart of means fits them.
#[test]
fn axis_of_the_means_leaves_out_what_is_far_from_them() {
    let folder = tempdir().unwrap();
    let line = |nth: usize| {
        let dice = if nth.is_multiple_of(2) { "3,4" } else { "2,4" };
        format!("*** (IFT DR) {dice} ***   <A>      [1 / {nth}   avg   7 (7)]    (01.02)\n")
    };
    let chat: String = (1..=240).map(line).collect();
    fs::write(folder.path().join("chat.txt"), chat).unwrap();
    let run = lowcrawl(folder.path(), "luck --chat chat.txt --chart run.svg").output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let picture = fs::read_to_string(folder.path().join("run.svg")).unwrap();
    let ticks: Vec<f64> = picture
        .split("class='label end'")
        .skip(1)
        .filter_map(|rest| rest.split(['>', '<']).nth(1)?.parse().ok())
        .collect();
    assert!(ticks.len() > 2 && ticks.iter().all(|tick| (4.0..=10.0).contains(tick)), "{ticks:?}");
}

/// Articles claim numbers of a report on luck by player, kind and column, and write no files.
#[test]
fn articles_claim_numbers_of_luck() {
    let folder = tempdir().unwrap();
    let rolls = [("Alice", "3,3"), ("Alice", "1,2"), ("Bob", "6,5")];
    let chat =
        |(number, (player, dice)): (usize, (&str, &str))| roll(player, "IFT DR", dice, number);
    let chat: Vec<String> = (1..).zip(rolls).map(chat).collect();
    fs::write(folder.path().join("chat.txt"), chat.join("\n")).unwrap();
    let article = |claim: &str| {
        let fence = "```lowcrawl nothing\nluck --chat chat.txt --report luck.html\n```\n";
        fs::write(
            folder.path().join("a.md"),
            format!("{fence}\n```lowcrawl assert\n{claim}\n```\n"),
        )
        .unwrap();
    };
    for claim in [
        "Alice, low DR, mean = 4.50",
        "Alice, low DR, mean < 7",
        "Bob, IFT, so high < 10 %",
        "Alice, IFT, rolls = 2",
    ] {
        article(claim);
        ok(folder.path(), "article a.md --out built");
    }
    article("Bob, IFT, mean < 7");
    let report = fails(folder.path(), "article a.md --out built", 1);
    assert!(report.contains("11.00"), "{report}");
    assert!(!folder.path().join("luck.html").exists());
}
