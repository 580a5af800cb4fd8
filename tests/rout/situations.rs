//! Tests of situation files: their contents, and the message and place of every fault.
#![cfg(feature = "cli")]

use crate::table;
use lowcrawl::asl::rout::fields::EnemyTable;
use lowcrawl::board::hex::Hexside;
use lowcrawl::scenario::{Scenario, SituationBuilder, SituationError, as_written, read};
use lowcrawl::{RoutSetters as _, Situation};

fn scenario(text: &str) -> Result<Scenario, SituationError> {
    let open = |name: &str| match name {
        "board.csv" => Ok("hex,terrain\nA1,open\nB0,woods\nB1,building\n".to_string()),
        "bad.csv" => Ok("hex,terrain\nA1,open\nB0,wods\n".to_string()),
        "los.csv" => Ok("a,b,hindrance\nA1,B1,1\n".to_string()),
        _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
    };
    read(text, &as_written, &open)
}

/// Returns the message, with the line and the words that it points at.
fn fault(text: &str) -> String {
    match scenario(text).map(|_| ()).unwrap_err() {
        SituationError::Fault(fault) => {
            let line = text[..fault.span.start].matches('\n').count() + 1;
            format!("{line}: {fault} | {}", &text[fault.span.clone()])
        }
        SituationError::Table { name, text, fault } => {
            let line = text[..fault.span.start].matches('\n').count() + 1;
            format!("{name} {line}: {fault}")
        }
        SituationError::Io { name, error } => format!("{name}: {}", error.kind()),
    }
}

const UNITS: &str = "[[rout]]\nunit = \"german:4-6-7/broken\"\nat = \"A1\"\n";
const AREA: &str = "[map]\narea = \"A1-C3\"";

/// Faults: the file, with a `;` between lines, the message with its line, and the begin of the text
/// that it points at.
const FAULTS: &str = r#"
    UNITS              | 1: the map is missing (write it out in [map], or name a table of hexes: board = { hexes = "board.csv" }) |
    AREA               | 1: no unit routs: `rout` is missing ([[rout]] ; unit = "german:4-6-7/broken,dm" ; at = "K5") |
    AREA ; [[rout]] ; unit = "german:4-6-7/broken" ; at = "K9" | 5: the hex `K9` is not on the map (the map goes from A1 to C3) | K9
    AREA ; [[rout]] ; unit = "german:4-6-7/broken" ; at = "a1" | 5: `a1` is not the name of a hex (did you mean `A1`?) | a1
    AREA ; [[rout]] ; unit = "german:4-6-9/broken" ; at = "A1" | 4: no counter has the printed values `german:4-6-9` (nearest: 4-6-7, 4-6-8 |
    AREA ; UNITS[[enmy]] | 6: a situation has no key `enmy` (did you mean `enemy`?) | enmy
    AREA ; [map.hexes] ; wods = ["A1"] ; UNITS | 4: no terrain is called `wods` (did you mean `woods`?) | wods
    AREA ; [[map.building]] ; hexes = ["A1", "C3"] ; UNITS | 4: C3 is not connected with the rest of the building (the hexes of a building must touch each other; write two buildings as two tables) | "C3"
    AREA ; hexsides = { wall = ["A1-C3"] } ; UNITS | 3: A1 and C3 have no hexside in common (write its two hexes, like `K5-K4`) | "A1-C3"
    AREA ; [los] ; "A1-C3" = 0 ; "C3-A1" = "blocked" ; UNITS | 5: the line C3-A1 has two different values (keep one of them) | "C3-A1"
    AREA ; [[enemy]] ; name = "x" ; unit = "american:6-6-6" ; at = "C3" ; [[friend]] ; name = "x" ; unit = "german:8-1" ; at = "A1" ; UNITS | 4: two units have the name `x` (give each its own name) | "x"
    [map] ; rows = "A B\n1 . x" ; UNITS | 2: B1: no terrain has the letter `x` (. open-ground |
    [board] ; hexes = "none.csv" ; UNITS | none.csv: entity not found |
    [board] ; hexes = "bad.csv" ; UNITS | bad.csv 3: column `terrain`: no terrain is called `wods` (did you mean `woods`?) |
"#;

#[test]
fn faults_point_into_the_file() {
    for [text, message, at] in table::rows(FAULTS) {
        let text = text.replace(" ; ", "\n").replace("AREA", AREA).replace("UNITS", UNITS);
        let found = fault(&text);
        assert!(found.starts_with(&message.replace(" ; ", "\n")), "{found}\n{message}");
        assert!(at.is_empty() || found.ends_with(&format!(" | {at}")), "{found}\n{at}");
    }
}

#[test]
fn map_rows_and_features_are_read() {
    let text = "i11 = \"alternative\"\nnight = true\n[map]\nrows = \"\"\"\n   A  B  C\n1  .  w  B\n2  g  -  m\n\"\"\"\nroads = [\"A1\", \"B1\"]\nhexsides = { wall = \"A1-A2\" }\nlevels = { 2 = [\"C1\"] }\nsmoke = \"A2\"\n";
    let situation =
        scenario(&format!("{text}{UNITS}")).unwrap_or_else(|error| panic!("{error:?}")).situation;
    let ground = |name: &str| situation.map.get(situation.map.parse(name).unwrap()).unwrap();
    assert_eq!(
        ["A1", "B1", "C1", "A2", "C2"].map(|hex| ground(hex).terrain.id.as_str()),
        ["open-ground", "woods", "bldg-stone", "grain", "marsh"]
    );
    assert!(situation.map.parse("B2").is_err());
    assert!(
        ground("A1").side(Hexside::South).is_some() && ground("A2").side(Hexside::North).is_some()
    );
    assert!(ground("A1").road.has(Hexside::Southeast) && ground("B1").road.has(Hexside::Northwest));
    assert_eq!((ground("C1").level, ground("A2").smoke, situation.night), (2, true, true));
    assert_eq!(situation.rulebook.changed().map(|point| point.id).collect::<Vec<_>>(), ["i11"]);
}

#[test]
fn tables_of_a_board_are_read() {
    let text =
        format!("[board]\nprefix = \"y\"\nhexes = \"board.csv\"\nlos = \"los.csv\"\n{UNITS}");
    let situation = scenario(&text).unwrap_or_else(|error| panic!("{error:?}")).situation;
    let site = |name: &str| situation.map.parse_location(name).unwrap();
    assert_eq!(situation.map.location_name(site("yB1")), "yB1");
    assert_eq!(situation.sight.hindrance(&situation.map, site("A1"), site("B1")), Some(1));
    assert_eq!(situation.sight.hindrance(&situation.map, site("A1"), site("B0")), None);
}

#[test]
fn built_situation_equals_the_file() {
    let built = Situation::builder()
        .map("   A  B  C\n1  .  w  B\n2  g  -  m")
        .unit("german:4-6-7/broken,dm", "A1")
        .friend("german:8-1", "B1")
        .enemy("american:6-6-6", "C2")
        .with(EnemyTable::concealed, true)
        .night(true)
        .elr(4);
    let file = "elr = 4\nnight = true\n[map]\nrows = \"\"\"\n   A  B  C\n1  .  w  B\n2  g  -  m\n\"\"\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"A1\"\n[[friend]]\nunit = \"german:8-1\"\nat = \"B1\"\n[[enemy]]\nunit = \"american:6-6-6\"\nat = \"C2\"\nconcealed = true\n";
    let read = scenario(file).unwrap_or_else(|error| panic!("{error:?}")).situation;
    let situation = built.clone().build().unwrap();
    assert_eq!(
        (&situation.routers, &situation.friends, &situation.enemies),
        (&read.routers, &read.friends, &read.enemies)
    );
    assert_eq!((situation.night, situation.elr), (true, 4));
    assert_eq!(situation.map.hexes().count(), read.map.hexes().count());
    let [plans, expected] = [situation, read].map(|situation| {
        let prospects = situation.rout().unwrap();
        prospects[0].courses.iter().map(|course| course.summary()).collect::<Vec<_>>()
    });
    assert_eq!(plans, expected);
    let field = |built: SituationBuilder| built.build().err().unwrap().field;
    assert_eq!(field(built.clone().unit("german:4-6-9", "A1")), "rout.2.unit");
    assert_eq!(field(built.clone().enemy("american:6-6-6", "Z9")), "enemy.2.at");
    assert_eq!(field(built.elr(9)), "elr");
    assert_eq!(field(Situation::builder()), "situation");
}
