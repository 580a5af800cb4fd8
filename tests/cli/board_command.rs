//! `board check`, and faults of situations and tables: each gives one fault with its place, what
//! was expected, and exit code 2.

use std::fs;
use std::path::Path;

use crate::shell::{fails, names, ok};
use tempfile::{TempDir, tempdir};

const UNITS: &str = r#"
[[rout]]
unit = "german:4-6-7/broken,dm"
at = "A1"
[[enemy]]
unit = "american:6-6-6"
at = "C2"
"#;
const AREA: &str = "[map]\narea = \"A1-C3\"\n";

/// Returns a folder with the boards of the Starter Kit's examples.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout");
    for name in ["board-y.csv", "los-y.csv", "board-z.csv"] {
        fs::copy(studies.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// Returns the error message of `rout` for a bad situation, and checks that the folder is
/// unchanged.
fn fault_of(folder: &Path, situation: impl AsRef<[u8]>) -> String {
    fs::write(folder.join("s.toml"), situation).unwrap();
    let before = names(folder);
    let report = fails(folder, "rout s.toml --out rows.csv", 2);
    assert_eq!(names(folder), before);
    assert_eq!(report.matches("error: ").count(), 1, "{report}");
    report
}

/// Returns the place that a report points to, such as `s.toml:4:7`.
fn place(report: &str) -> &str {
    let line = report.lines().find(|line| line.trim_start().starts_with("--> "));
    line.unwrap_or_else(|| panic!("{report}")).trim_start().trim_start_matches("--> ")
}

/// Checks the place and parts of the message for bad maps with good units.
#[test]
fn bad_maps_are_refused_with_their_place() {
    let folder = folder();
    let area = |rest: &str| format!("{AREA}{rest}\n");
    for (map, at, parts) in [
        (String::new(), "1:1", ["the map is missing", "board = { hexes"]),
        (
            "[map]\nterrain = \"woods\"\n".to_string(),
            "1:1",
            ["the map has no hex", "write it out in [map]"],
        ),
        (
            "[map]\narea = \"C3-A1\"\n".to_string(),
            "2:8",
            ["`C3-A1` is not an area", "like `A1-H8`"],
        ),
        ("[map]\narea = \"A1-GG999\"\n".to_string(), "2:8", ["more than 10000 hexes", ""]),
        (
            "[map]\narea = \"A1-C3\"\nterrain = \"wods\"\n".to_string(),
            "3:12",
            ["no terrain is called `wods`", "did you mean `woods`?"],
        ),
        (
            area("hexes = { foxhole = [\"B2\"] }"),
            "3:11",
            ["`foxhole` is not the terrain of a whole hex", ""],
        ),
        (
            area("hexes = { woods = [\"b2\"] }"),
            "3:20",
            ["`b2` is not the name of a hex", "did you mean `B2`?"],
        ),
        (
            area("hexes = { woods = [\"B2\"], grain = [\"B2\"] }"),
            "3:36",
            ["the terrain of B2 has two different values", "keep one"],
        ),
        (area("hexes = \"B2\""), "3:9", ["must be a table, `[map.hexes]`, not a text", ""]),
        (
            area("levels = { 1 = [\"B2\"], 2 = [\"B2\"] }"),
            "3:29",
            ["the level of B2 has two different values", "keep one"],
        ),
        (area("levels = { 30 = [\"B2\"] }"), "3:12", ["`30` is not a level from -3 to 20", ""]),
        (
            area("smoke = [\"K9\"]"),
            "3:10",
            ["the hex `K9` is not on the map", "the map goes from A1 to C3"],
        ),
        (area("blaze = true"), "3:9", ["a hex must be a text like \"K5\", not true", ""]),
        (area("smok = [\"A1\"]"), "3:1", ["[map] has no key `smok`", "did you mean `smoke`?"]),
        (
            area("foxholes = [\"A2\"]\npillboxes = [\"A2\"]"),
            "4:14",
            ["this hex already has a foxhole", "one kind of fortification"],
        ),
        (area("roads = [[\"A1\", \"C3\"]]"), "3:17", ["no road can lead from A1 to C3", ""]),
        (area("roads = [[\"A1\"]]"), "3:10", ["a road needs at least two hexes", "chain of hexes"]),
        (
            area("roads = \"A1-A2\""),
            "3:9",
            ["a road must be a list of hexes, not a text", "chain of hexes"],
        ),
        (
            area("hexsides = { wal = [\"A1-A2\"] }"),
            "3:14",
            ["no hexside terrain is called `wal`", "did you mean `wall`?"],
        ),
        (
            area("hexsides = { wall = [\"A1-A3\"] }"),
            "3:22",
            ["A1 and A3 have no hexside in common", "like `K5-K4`"],
        ),
        (
            area("hexsides = { wall = [\"A1-A2\"], hedge = [\"A2-A1\"] }"),
            "3:41",
            ["has two different values", "keep one"],
        ),
        (
            area("prefix = \"A\""),
            "3:10",
            ["`A` is not a valid prefix", "lowercase letters and digits"],
        ),
        (
            area("[[map.building]]\nhexes = [\"A1\", \"C3\"]"),
            "4:16",
            ["C3 is not connected with the rest", "write two buildings"],
        ),
        (area("[[map.building]]\nhexes = []"), "3:1", ["the building has no hexes", "hexes = ["]),
        (
            area("[[map.building]]\nhexes = \"B2\"\ntype = \"wod\""),
            "5:8",
            ["unknown building type `wod`", "did you mean `wood`?"],
        ),
        (
            area(
                "[[map.building]]\nhexes = [\"A1\", \"A2\"]\n[[map.building]]\nhexes = [\"A2\", \"A3\"]",
            ),
            "6:10",
            ["A2 belongs to another building", "write each building as one table"],
        ),
        (
            area("[los]\n\"A1-C2\" = 0\n\"C2-A1\" = 1"),
            "5:1",
            ["the line C2-A1 has two different values", "keep one"],
        ),
        (
            area("[los]\n\"A1-C2\" = \"blockd\""),
            "4:11",
            ["a number of Hindrances or \"blocked\", not `blockd`", "did you mean `blocked`?"],
        ),
        (area("[los]\n\"A1-C2\" = 10"), "4:11", ["must be a whole number from 0 to 9", ""]),
        (
            area("[los]\nother = \"blocked\""),
            "4:1",
            ["`other` is not a line", "did you mean `others`?"],
        ),
        (
            "no_quarter = true\n".to_string() + AREA,
            "1:1",
            ["a situation has no key `no_quarter`", "did you mean `no-quarter`?"],
        ),
        (
            "hob = true\nno-hob = true\n".to_string() + AREA,
            "2:10",
            ["`hob` and `no-hob` contradict each other", "keep one"],
        ),
        (
            "i11 = \"alternativ\"\n".to_string() + AREA,
            "1:8",
            ["`i11` has no value `alternativ`", "did you mean `alternative`?"],
        ),
        ("elr = 9\n".to_string() + AREA, "1:7", ["`elr` must be a whole number from 0 to 6", ""]),
        ("[map\n".to_string(), "1:5", ["unclosed table", ""]),
    ] {
        let report = fault_of(folder.path(), map.clone() + UNITS);
        assert_eq!(place(&report), format!("s.toml:{at}"), "{map}\n{report}");
        assert!(parts.iter().all(|part| report.contains(part)), "{map}\n{report}");
    }
}

#[test]
fn bad_rows_are_refused_with_their_place() {
    let folder = folder();
    for (rows, at, message) in [
        ("A B C\n1 . q .\n2 . . .", "3:5", "B1: no terrain has the letter `q`"),
        ("A B C\n1 . .\n2 . . .", "3:1", "row 1 has 2 hexes, but there are 3 columns"),
        ("A B C\n1 . . .\n1 . w .", "4:1", "row 1 is listed twice"),
        ("A B A\n1 . . .\n2 . . .", "2:5", "column A is listed twice"),
        ("A b C\n1 . . .\n2 . . .", "3:5", "`b1` is not the name of a hex"),
        ("A B C\nx . . .\n2 . . .", "3:1", "`x` is not a row number"),
        ("", "1:12", "the map has no rows"),
    ] {
        let report = fault_of(folder.path(), format!("map.rows = \"\"\"\n{rows}\n\"\"\"\n{UNITS}"));
        assert!(
            place(&report) == format!("s.toml:{at}") && report.contains(message),
            "{rows}\n{report}"
        );
    }
}

#[test]
fn bad_units_are_refused_with_their_place() {
    let folder = folder();
    for (from, to, at, parts) in [
        (
            "\"A1\"",
            "\"K9\"",
            "5:7",
            ["the hex `K9` is not on the map", "the map goes from A1 to C3"],
        ),
        ("\"A1\"", "\"a1\"", "5:7", ["`a1` is not the name of a hex", "did you mean `A1`?"]),
        ("\"A1\"", "\"A1 level 1\"", "5:7", ["A1 has no level 1", "it only has the ground level"]),
        ("\"A1\"", "[]", "5:6", ["`at` is an empty list", "at = \"K5\""]),
        ("\"C2\"", "[]", "8:6", ["`at` is an empty list", "at = \"K5\""]),
        ("at = \"A1\"\n", "", "3:1", ["`at` is missing", "at = \"K5\""]),
        (
            "4-6-7/broken,dm",
            "4-6-7/broken,dn",
            "4:29",
            ["no condition is called `dn`", "did you mean `dm`?"],
        ),
        ("german:", "germn:", "4:9", ["no nation is called `germn`", "did you mean `german`?"]),
        (
            "4-6-7",
            "4-6-9",
            "4:9",
            ["no counter has the printed values `german:4-6-9`", "nearest: 4-6-7"],
        ),
        ("\"german:", "\"2x german:", "4:8", ["expected one unit", "at = [\"K5\", \"K5\"]"]),
        ("/broken,dm", "/berserk", "3:1", ["is never broken, so it does not rout", ""]),
        (
            "at = \"A1\"",
            "at = \"A1\"\nwith = \"german:4-6-7\"",
            "6:8",
            ["cannot rout with a unit", "only an unbroken leader"],
        ),
        (
            "at = \"A1\"",
            "at = \"A1\"\nname = \"a,b\"",
            "6:8",
            ["`a,b` is not a valid name", "without commas"],
        ),
        (
            "at = \"C2\"",
            "at = \"C2\"\nconceald = true",
            "9:1",
            ["[[enemy]] has no key `conceald`", "did you mean `concealed`?"],
        ),
        (
            "at = \"C2\"",
            "at = \"C2\"\nconcealed = 1",
            "9:13",
            ["`concealed` must be true or false, not 1", ""],
        ),
        (
            "at = \"C2\"",
            "at = \"C2\"\nrange = 100",
            "9:9",
            ["`range` must be a whole number from 0 to 99", ""],
        ),
        (
            "unit = \"american:6-6-6\"\n",
            "",
            "6:1",
            ["`unit` is missing: the enemy's counter", "`range` or `weapon`"],
        ),
        (
            "at = \"C2\"",
            "at = \"C2\"\nweapon = { fp = 4 }",
            "9:10",
            ["`range` is missing", "weapon = { fp = 4, range = 8 }"],
        ),
        (
            "at = \"C2\"",
            "at = \"C2\"\nweapon = { fp = 4, range = 8, ca = \"n/s\" }",
            "9:36",
            ["`n/s` is not a Covered Arc", "n/ne"],
        ),
        ("[[rout]]", "[[rut]]", "3:3", ["a situation has no key `rut`", "did you mean `rout`?"]),
    ] {
        let text = format!("{AREA}{}", UNITS.trim_start()).replacen(from, to, 1);
        let report = fault_of(folder.path(), &text);
        assert_eq!(place(&report), format!("s.toml:{at}"), "{text}\n{report}");
        assert!(parts.iter().all(|part| report.contains(part)), "{text}\n{report}");
    }
    let twice = UNITS.replace("unit", "name = \"Kolb\"\nunit");
    let report = fault_of(folder.path(), AREA.to_string() + &twice);
    assert!(
        report.contains("two units have the name `Kolb`") && place(&report) == "s.toml:9:8",
        "{report}"
    );
    let report = fault_of(folder.path(), AREA);
    assert!(report.contains("no unit routs: `rout` is missing"), "{report}");
    let crowd = |number: usize| {
        UNITS.replace("at = \"C2\"", &format!("at = [{}]", "\"C2\", ".repeat(number)))
    };
    assert!(
        fault_of(folder.path(), AREA.to_string() + &crowd(65)).contains("more than 64 enemies")
    );
    fs::write(folder.path().join("s.toml"), AREA.to_string() + &crowd(64)).unwrap();
    ok(folder.path(), "rout s.toml");
    assert!(
        fault_of(folder.path(), [b'a', 0xff, b'b'])
            .contains("s.toml: not a text file: byte 1 is not UTF-8")
    );
    assert!(fails(folder.path(), "rout none.toml", 1).contains("none.toml: No such file"));
    assert!(fails(folder.path(), "rout board-y.csv --unit x", 2).contains("board-y.csv:1:"));
}

#[test]
fn situation_file_is_not_overwritten() {
    let folder = folder();
    let text = AREA.to_string() + UNITS;
    fs::write(folder.path().join("s.toml"), &text).unwrap();
    for line in ["--out s.toml", "--out ./s.toml --format csv", "--svg ./s.toml"] {
        let report = fails(folder.path(), &format!("rout s.toml {line}"), 2);
        assert!(
            report.contains("this would overwrite the situation file")
                || report.contains("this command already uses this file"),
            "{line}: {report}"
        );
    }
    assert!(
        fails(folder.path(), "rout s.toml --out nowhere/x.csv", 1)
            .contains("there is no folder `nowhere`")
    );
    assert!(
        fails(folder.path(), "rout s.toml --out x.csv --svg ./x.csv", 2)
            .contains("this command already uses this file")
    );
    assert_eq!(fs::read_to_string(folder.path().join("s.toml")).unwrap(), text);
    assert_eq!(names(folder.path()), ["board-y.csv", "board-z.csv", "los-y.csv", "s.toml"]);
}

#[test]
fn bad_boards_are_refused_with_their_place() {
    let folder = folder();
    fs::write(folder.path().join("big.csv"), "hex,terrain\nA1,open\nR44,woods\n").unwrap();
    fs::write(folder.path().join("bad.csv"), "hex,terrain\nA1,open\nB1,wods\n").unwrap();
    for (board, at, message) in [
        ("[board]\n", "s.toml:1:1", "`hexes` is missing"),
        (
            "[board]\nhexes = \"bad.csv\"\n",
            "bad.csv:3:1",
            "column `terrain`: no terrain is called `wods`",
        ),
        ("[board]\nhexes = \"los-y.csv\"\n", "los-y.csv:1:1", "the column `hex` is missing"),
        (
            "[board]\nhexes = \"board-y.csv\"\nlos = \"board-y.csv\"\n",
            "board-y.csv:1:1",
            "the column `a` is missing",
        ),
        (
            "[board]\nhexes = \"big.csv\"\nturned = true\n",
            "s.toml:1:1",
            "big.csv has R44, which is not a hex of a geomorphic board",
        ),
        (
            "[board]\nhexes = \"board-y.csv\"\nat = \"right\"\n",
            "s.toml:3:6",
            "`at` must be two numbers",
        ),
        (
            "[board]\nhexes = \"board-y.csv\"\nprefix = \"y-\"\n",
            "s.toml:3:10",
            "`y-` is not a valid prefix",
        ),
        (
            "[[board]]\nhexes = \"board-y.csv\"\n[[board]]\nhexes = \"board-z.csv\"\n",
            "s.toml:3:1",
            "two boards have the same prefix",
        ),
        (
            "[[board]]\nhexes = \"board-y.csv\"\n[[board]]\nprefix = \"z\"\nhexes = \"board-z.csv\"\n",
            "s.toml:3:1",
            "two boards have the same position",
        ),
    ] {
        let report = fault_of(folder.path(), board.to_string() + UNITS);
        assert!(place(&report) == at && report.contains(message), "{board}\n{report}");
    }
    fs::write(folder.path().join("s.toml"), format!("[board]\nhexes = \"none.csv\"\n{UNITS}"))
        .unwrap();
    assert!(fails(folder.path(), "rout s.toml", 1).contains("none.csv: No such file"));
    fs::write(folder.path().join("bytes.csv"), [b'a', 0xff]).unwrap();
    let report = fault_of(folder.path(), format!("[board]\nhexes = \"bytes.csv\"\n{UNITS}"));
    assert!(report.contains("bytes.csv: not a text file: byte 1 is not UTF-8"), "{report}");
}

/// `others = "blocked"` blocks every line, also to an upper level.
#[test]
fn others_blocked_blocks_every_unlisted_line() {
    let folder = folder();
    let house = "[[map.building]]\nhexes = [\"C2\"]\nupper-levels = 1\nstairways = [\"C2\"]\n";
    let units = UNITS.replace("\"C2\"", "\"C2 level 1\"");
    let known = |los: &str| {
        fs::write(folder.path().join("s.toml"), format!("{AREA}{house}{los}{units}")).unwrap();
        let output = ok(folder.path(), "rout s.toml --no-map");
        output.lines().find_map(|line| line.strip_prefix("  Known enemies: ")).unwrap().to_string()
    };
    assert_eq!(known(""), "E1 6-6-6 in C2 level 1");
    assert_eq!(known("[los]\nothers = \"blocked\"\n"), "none");
    assert_eq!(
        known("[los]\nothers = \"blocked\"\n\"A1-C2 level 1\" = 0\n"),
        "E1 6-6-6 in C2 level 1"
    );
}

#[test]
fn board_check_counts_agreement_with_known_lines() {
    let folder = folder();
    let table = |rest: &str| -> Vec<Vec<String>> {
        let text =
            ok(folder.path(), &format!("board check --hexes board-y.csv --los los-y.csv{rest}"));
        let cells = |line: &str| {
            line.trim()
                .split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_string)
                .collect()
        };
        text.lines().map(cells).collect()
    };
    let rows = table("");
    assert_eq!(
        rows[0],
        ["range", "pairs", "clear", "agreement", "recall", "precision", "same Hindrances"]
    );
    let number = |cell: &str| cell.parse::<u32>().unwrap();
    let sum = |column: usize| rows[3..].iter().map(|row| number(&row[column])).sum::<u32>();
    assert_eq!(
        (rows[1][0].as_str(), number(&rows[1][1]), number(&rows[1][2])),
        ("all", sum(1), sum(2))
    );
    assert_eq!(rows[3], ["1", "134", "134", "100.00 %", "100.00 %", "100.00 %", "100.00 %"]);
    assert!(number(&table(" --edges")[1][1]) > sum(1));

    fs::write(folder.path().join("bad.csv"), "hex,terrain\nA1,open\nA1,woods\n").unwrap();
    fs::write(folder.path().join("short.csv"), "a,b,hindrance\nA1,A2\n").unwrap();
    fs::write(folder.path().join("many.csv"), "a,b,hindrance\nA1,A2,many\n").unwrap();
    fs::write(folder.path().join("empty.csv"), "").unwrap();
    fs::write(folder.path().join("bytes.csv"), [b'a', 0xff]).unwrap();
    for (hexes, los, code, text) in [
        ("none.csv", "los-y.csv", 1, "none.csv: No such file"),
        ("board-y.csv", "none.csv", 1, "none.csv: No such file"),
        ("los-y.csv", "los-y.csv", 2, "the column `hex` is missing"),
        ("board-y.csv", "board-z.csv", 2, "the column `a` is missing"),
        ("empty.csv", "los-y.csv", 2, "empty.csv: the column `hex` is missing"),
        ("bytes.csv", "los-y.csv", 2, "bytes.csv: not a text file: byte 1 is not UTF-8"),
        ("bad.csv", "los-y.csv", 2, "bad.csv:3:1"),
        ("board-y.csv", "short.csv", 2, "invalid CSV"),
        ("board-y.csv", "many.csv", 2, "column `hindrance`: `many` is not a number of Hindrances"),
    ] {
        let report =
            fails(folder.path(), &format!("board check --hexes {hexes} --los {los}"), code);
        assert!(report.contains(text), "{hexes} {los}: {report}");
    }
    assert!(fails(folder.path(), "board check --hexes board-y.csv", 2).contains("--los <FILE>"));
}
