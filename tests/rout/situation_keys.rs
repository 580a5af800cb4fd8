//! Tests that every key of situation files is declared, and that no other key is accepted.
//! The keys are those of the shipped situations, each also misspelt letter by letter. The
//! declarations serve only to judge the outcome.
#![cfg(feature = "cli")]

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::rulebook::Rulebook;
use lowcrawl::asl::tables::{declared, tables};
use lowcrawl::scenario::{SituationError, as_written, is_situation, read};
use lowcrawl::schema::Takes;
use lowcrawl::study::rout::RoutStudy;
use lowcrawl::text::{Fault, canonical};
use toml::de::{DeTable, DeValue};

const FOLDER: &str = "studies/rout";

/// A situation that uses all keys, except those for boards.
const FULL: &str = r#"
about = "All there is"
profile = "asl-v3"
elr = 2
hob = false
no-quarter = false
night = false
enemy-reveals = true
i11 = "alternative"
"sk-10.41" = "default"

[map]
rows = """
   A  B  C
1  .  w  x
"""
legend = { x = "grain" }
area = "A1-F6"
terrain = "brush"
hexes = { woods = ["D1", "D2"], Orchard = "D3" }
levels = { -1 = ["A4"], 2 = "A5" }
roads = [["A2", "A3"]]
hexsides = { wall = ["A3-A4"], hedge = "B3-B4" }
smoke = "A6"
blaze = "F1"
foxholes = ["F2"]
trenches = ["F3"]
pillboxes = ["F4"]
minefields = ["F5"]
ffe = ["E6"]
prefix = "z"

[[map.building]]
hexes = ["C3", "C4"]
type = "wood"
upper-levels = 1
stairways = ["C3"]
rowhouse = false
factory = false

[los]
others = "computed"
"A1-F6" = 0
"A2-E6" = "blocked"

[[rout]]
name = "Kolb"
unit = "german:4-6-7"
at = "B3"
melee = false
outside = true
emplaced-gun = false
with = "german:8-0"
voluntary-break = true

[[rout]]
name = "Lang"
unit = "german:4-6-7/broken"
at = "C3 level 1"

[[friend]]
name = "Adler"
unit = "german:8-1"
at = "D2"
turn = 2

[[enemy]]
name = "Sherman"
unit = "american:6-6-6"
at = "B4"
fp = 6
range = 4
concealed = false
melee = false
ti = false
spotted-fire = false
moving = false
stunned = false
vehicle = false
unknown-fire = false
holds-fire = true

[enemy.weapon]
fp = 4
range = 10
ca = "n/ne"
malfunctioned = false

[campaign]
turns = 4
begin = "fire"
own-rph = "odd"
enemy-holds-fire = true
created-stay = false
objective = { good-order = 1, cvp = -0.5 }
unit = "Lang"
"#;

/// A situation on boards that uses all keys for them.
const BOARDS: &str = r#"
[[board]]
hexes = "board-01.csv"
los = "los-01.csv"
prefix = "a"
at = [0, 0]
turned = false
part = "A-P"

[[rout]]
unit = "german:4-6-7/broken"
at = "aK5"
"#;

/// A situation on a VASL board.
const OF_VASL: &str = r#"
[[board]]
vasl = "01"
prefix = "a"
crop = [0, 0, 900, 645]

[[rout]]
unit = "german:4-6-7/broken"
at = "aK5"
"#;

/// Returns the shipped situations, and the three above.
fn situations() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let texts = files.map(|path| (path.clone(), fs::read_to_string(path).unwrap()));
    let mut situations: Vec<(PathBuf, String)> =
        texts.filter(|(_, text)| is_situation(text)).collect();
    situations.sort();
    situations.extend(
        [("full", FULL), ("boards", BOARDS), ("vasl", OF_VASL)]
            .map(|(name, text)| (PathBuf::from(name), text.to_string())),
    );
    situations
}

fn fault(text: &str) -> Option<Fault> {
    // The tables made from a VASL board are those of the board with that number.
    let file = |name: &str| match name.split(':').collect::<Vec<_>>()[..] {
        ["vasl", board, "hexes"] => format!("board-{board}.csv"),
        ["vasl", board, which] => format!("{which}-{board}.csv"),
        _ => name.to_string(),
    };
    match read(text, &as_written, &|name| fs::read_to_string(Path::new(FOLDER).join(file(name)))) {
        Ok(_) => None,
        Err(SituationError::Fault(fault)) => Some(fault),
        Err(error) => panic!("{error:?}"),
    }
}

/// Collects the keys of a file, each with the path of its table and its place.
/// In a list of tables, the path contains the number of the table.
fn keys(table: &DeTable, path: &str, found: &mut Vec<(String, String, Range<usize>)>) {
    for (key, value) in table {
        let name = key.get_ref().to_string();
        let at = format!("{path}{name}.");
        found.push((path.to_string(), name, key.span()));
        match value.get_ref() {
            DeValue::Table(table) => keys(table, &at, found),
            DeValue::Array(list) => {
                for (number, value) in (1..).zip(list.iter()) {
                    if let DeValue::Table(table) = value.get_ref() {
                        keys(table, &format!("{at}{number}."), found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns typing errors of a key: a letter omitted, doubled, replaced, capitalised or swapped with
/// the next, and other forms of the word.
fn slips(key: &str) -> Vec<String> {
    let letters: Vec<char> = key.chars().collect();
    let mut slips = vec![
        format!("no-{key}"),
        format!("{key}s"),
        key.replace('-', ""),
        key.replace('-', "_"),
        format!("{key}-x"),
    ];
    for (place, letter) in letters.iter().enumerate() {
        let (before, after) = (
            letters[..place].iter().collect::<String>(),
            letters[place + 1..].iter().collect::<String>(),
        );
        slips.push(format!("{before}{after}"));
        slips.push(format!("{before}{letter}{letter}{after}"));
        slips.push(format!("{before}q{after}"));
        slips.push(format!("{before}{}{after}", letter.to_uppercase()));
        if let Some(next) = letters.get(place + 1) {
            slips.push(format!(
                "{before}{next}{letter}{}",
                letters[place + 2..].iter().collect::<String>()
            ));
        }
    }
    slips.sort();
    slips.dedup();
    slips.retain(|slip| slip != key && !slip.is_empty());
    slips
}

/// Returns true if a key of the table at this path is declared.
/// It may be a field, a key of a table by terrain, hex or level, or an interpretation.
fn is_declared(path: &str, key: &str) -> bool {
    let word = canonical(key);
    match declared(path.trim_end_matches('.')).map(|table| table.takes) {
        None if path.is_empty() => declared(key).is_some() || Rulebook::find(&word).is_some(),
        Some(Takes::Keyed(Takes::Word("TERRAIN", words), ..)) => words().contains(&word.as_str()),
        Some(Takes::Keyed(..)) => true,
        Some(Takes::Text("OBJECTIVE")) => MEASURES.iter().any(|measure| measure.name == word),
        _ => declared(&format!("{path}{key}")).is_some(),
    }
}

#[test]
fn only_declared_keys_are_accepted() {
    let (mut refused, mut accepted, mut tested) = (0, 0, BTreeSet::new());
    for (file, text) in situations() {
        let file = file.display();
        assert_eq!(fault(&text), None, "{file}");
        let mut found = Vec::new();
        keys(DeTable::parse(&text).unwrap().get_ref(), "", &mut found);
        assert!(found.len() > 5, "{file}: {found:?}");
        for (path, key, place) in found {
            assert!(is_declared(&path, &key), "{file}: `{path}{key}` is accepted and not declared");
            tested.insert(format!("{path}{key}").replace(".1.", ".N."));
            for slip in slips(&key) {
                let written = text[place.clone()].replace(&key, &slip);
                let slipped = format!("{}{written}{}", &text[..place.start], &text[place.end..]);
                if DeTable::parse(&slipped).is_err() {
                    continue; // The key is there already.
                }
                let known = is_declared(&path, &slip);
                let Some(fault) = fault(&slipped) else {
                    accepted += 1;
                    assert!(known, "{file}: `{path}{slip}` is accepted and not declared");
                    continue;
                };
                refused += 1;
                if !known {
                    assert_eq!(
                        &slipped[fault.span.clone()],
                        written,
                        "{file}: {path}{slip}: {fault}"
                    );
                    assert_eq!(fault.span.start, place.start, "{file}: {path}{slip}: {fault}");
                    let help = fault.help.as_ref().map(ToString::to_string).unwrap_or_default();
                    let words =
                        help.strip_prefix("did you mean `").or(help.strip_prefix("valid: "));
                    let word = words.and_then(|words| words.split([',', '`']).next());
                    assert!(
                        word.is_some_and(|word| is_declared(&path, word)),
                        "{file}: {path}{slip}: {fault}"
                    );
                }
            }
        }
    }
    assert!(refused > 8_000 && accepted > 20, "{refused} refused, {accepted} accepted");
    // Conversely, every declared key is used and accepted.
    for table in tables() {
        let dot = if table.path.is_empty() { "" } else { "." };
        let paths = table.fields.iter().map(|field| format!("{}{dot}{}", table.path, field.name));
        assert_eq!(
            paths.filter(|path| !tested.contains(path)).collect::<Vec<_>>(),
            [""; 0],
            "[{}]",
            table.path
        );
    }
}

#[test]
fn all_tables_are_listed() {
    let listed: Vec<String> = tables().into_iter().map(|table| table.path).collect();
    let expected = [
        "",
        "",
        "board.N",
        "map",
        "map.legend",
        "map.hexes",
        "map.building.N",
        "map.levels",
        "map.hexsides",
        "los",
        "rout.N",
        "friend.N",
        "enemy.N",
        "enemy.N.weapon",
        "campaign",
    ];
    assert_eq!(listed, expected);
    for table in tables() {
        for field in table.fields {
            assert!(!field.about.is_empty(), "{}.{}", table.path, field.name);
            let path = if table.path.is_empty() {
                field.name.to_string()
            } else {
                format!("{}.{}", table.path, field.name)
            };
            let found = declared(&path.replace('N', "1")).map(|found| found.about);
            assert_eq!(found, Some(field.about), "{path}");
        }
    }
    assert!(declared("map.building.hexes").is_some() && declared("enemy.2.weapon.fp").is_some());
    assert!(
        declared("enemy.weapon.fp.x").is_none()
            && declared("rout.x.at").is_none()
            && declared("map.hexes.woods").is_none()
    );
}

#[test]
fn studies_sweep_exactly_the_declared_fields() {
    let situation = "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n[[friend]]\nunit = \"german:8-1\"\nat = \"A1\"\n\
                     [[enemy]]\nunit = \"american:6-6-6\"\nat = \"C3\"\n";
    let mut swept = 0;
    for (unit, fields) in ["rout", "friend", "enemy"]
        .map(|unit| (unit, tables().into_iter().find(|table| table.path == format!("{unit}.N"))))
    {
        for field in fields.unwrap().fields {
            let values = if field.name == "at" { "[\"B1\"]" } else { "[\"german:4-6-7/dm\"]" };
            let text = format!(
                "question = \"rout\"\n[base]\nsituation = \"x\"\n[grid]\n{unit}.1.{} = {values}\n",
                field.name
            );
            let read = RoutStudy::parse(&text, &|_| Ok(situation.to_string())).map(|_| ());
            swept += usize::from(field.sweeps);
            match read {
                Ok(()) => assert!(field.sweeps, "{unit}.{}", field.name),
                Err(SituationError::Fault(fault)) => {
                    assert!(!field.sweeps, "{unit}.{}: {fault}", field.name);
                    assert!(
                        text[fault.span.clone()].starts_with(if unit == "friend" {
                            unit
                        } else {
                            field.name
                        }),
                        "{fault}"
                    );
                }
                Err(error) => panic!("{error:?}"),
            }
        }
    }
    assert_eq!(swept, 4);
}
