//! Spellings of a request have one canonical form, byte for byte; different requests have different
//! ones.

use lowcrawl::api::{no_files, read};
use serde_json::Value;

use super::{GAMES, canonical};

/// A board of two hexes, as a table of hexes.
const TABLE: &str = "hex,terrain\nA1,woods\nA2,open-ground\n";

/// Checks that all spellings have the canonical form `expected`, which is its own canonical form.
fn assert_canonical(expected: &str, spellings: &[&str]) {
    for spelling in spellings {
        assert_eq!(canonical(spelling).to_string(), expected, "{spelling}");
    }
    assert_eq!(canonical(expected).to_string(), expected);
}

#[test]
fn asl_questions_have_one_canonical_form() {
    assert_canonical(
        r#"{"kind":"rally","stack":"german:4-6-7/broken,dm","leader":"german:8-1","terrain":"woods","hob":false}"#,
        &[
            r#"{"kind": "rally", "stack": "german:4-6-7/dm", "leader": "8-1", "terrain": "woods", "no-hob": true}"#,
            r#"{"hob": false, "terrain": "Woods", "elr": 3, "leader": "german:8-1", "stack": " german:4-6-7/DM ", "kind": "Rally", "joint": false}"#,
            r#"{"system": "asl", "kind": "rally", "stack": "german:4-6-7/broken,dm", "phases": 6, "leader": "8-1", "terrain": "woods", "hob": false, "i01": "default"}"#,
        ],
    );
    assert_canonical(
        r#"{"kind":"sequence","stack":"german:4-6-7","step":[{"do":"fire","fp":4},{"do":"rally","leader":"german:8-1"}]}"#,
        &[
            r#"{"kind": "sequence", "step": [{"fp": 4, "do": "Fire", "drm": 0}, {"do": "rally", "leader": "8-1", "phases": 1}], "stack": "1x german:4-6-7"}"#,
        ],
    );
}

#[test]
fn campaigns_to_solve_have_one_canonical_form() {
    assert_canonical(
        r#"{"request":"solve","kind":"campaign","unit":"german:4-6-7/broken,dm,broken-morale=6","leader":"german:8-1","objective":"good-order"}"#,
        &[
            r#"{"request": "solve", "kind": "campaign", "unit": "german:4-6-7/dm", "broken-morale": 6, "leader": "8-1", "turns": 6, "objective": {"good-order": 1}}"#,
            r#"{"request": "solve", "kind": "campaign", "unit": "german:4-6-7/broken-morale=6,dm", "leader": "german:8-1", "leader-here": "none", "cover": "Woods", "objective": "Good_Order"}"#,
        ],
    );
}

#[test]
fn other_games_have_one_canonical_form() {
    assert_canonical(
        r#"{"system":"fortitude","kind":"recover","units":"ashigaru-archers/shaken,honor + ashigaru-archers/shaken,honor","until":"normal"}"#,
        &[
            r#"{"system": "Fortitude", "kind": "recover", "units": "2x Ashigaru_Archers/Honor,shaken", "until": "Normal"}"#,
            r#"{"until": "normal", "kind": "recover", "units": "1x ashigaru-archers/shaken,honor  +  ashigaru-archers/honor,shaken", "system": "fortitude", "joint": false}"#,
        ],
    );
    assert_canonical(
        r#"{"system":"fortitude","kind":"assault","units":"unit","sides":"front,flank"}"#,
        &[
            r#"{"system": "fortitude", "kind": "assault", "units": "Unit", "sides": " Front, flank"}"#,
        ],
    );
    assert_canonical(
        r#"{"system":"reaction","kind":"volley","target":"panzer-iv/dp=1,fired","dice":4,"cover":"light"}"#,
        &[
            r#"{"system": "reaction", "kind": "volley", "target": "Panzer_IV/fired,dp=1", "dice": 4, "cover": "Light", "range": "effective"}"#,
            r#"{"system": "reaction", "kind": "volley", "target": "1x panzer-iv/dp=1,fired", "wild": 0, "cover": "light", "dice": 4}"#,
        ],
    );
}

#[test]
fn comparisons_have_one_canonical_form() {
    assert_canonical(
        r#"{"request":"compare","kind":"rally","objective":"good-order","course":[{"name":"a","stack":"german:4-6-7/broken","leader":"german:8-1"},{"name":"b","stack":"german:4-6-7/broken"}]}"#,
        &[
            r#"{"request": "compare", "kind": "rally", "objective": "good-order", "base": {"stack": "german:4-6-7"}, "course": [{"name": "a", "leader": "8-1"}, {"name": "b"}]}"#,
            r#"{"course": [{"leader": "8-1", "name": "a"}, {"name": "b", "leader": "none"}], "request": "compare", "base": {"stack": "german:4-6-7/broken", "leader": "9-1"}, "kind": "rally", "objective": {"good-order": 1.0}}"#,
        ],
    );
}

#[test]
fn map_routs_have_one_canonical_form() {
    assert_canonical(
        r#"{"kind":"rout","map":{"rows":"A B C\n1 w . .\n2 . w .\n3 . . .","hexsides":{"wall":["B2-B3"]}},"los":{"A1-C3":0},"rout":[{"unit":"german:4-6-7/broken,dm","at":["B2"]}],"enemy":[{"unit":"american:6-6-6","at":["C3"]}],"hob":false}"#,
        &[
            r#"{"kind": "rout", "map": {"area": "A1-C3", "hexes": {"woods": ["B2", "A1"]}, "hexsides": {"Wall": "B3-B2"}}, "los": {"C3 - A1": 0}, "rout": {"unit": "german:4-6-7/dm", "at": "B2"}, "enemy": [{"at": "C3", "unit": "american:6-6-6", "concealed": false}], "no-hob": true}"#,
            r#"{"elr": 3, "enemy": {"unit": "american:6-6-6", "at": ["C3"]}, "rout": [{"at": "B2", "unit": "german:4-6-7/broken,dm", "melee": false}], "los": {"A1-C3": 0}, "map": {"hexsides": {"wall": ["B2-B3"]}, "hexes": {"Woods": ["A1"], "woods": ["B2", "A1"]}, "area": "A1-C3"}, "kind": "Rout", "hob": false, "orders": false}"#,
        ],
    );
    assert_canonical(
        r#"{"kind":"rout","map":{"rows":"A B\n1 . w"},"rout":[{"name":"a","unit":"german:4-6-7/broken","at":["A1"]},{"name":"b","unit":"german:4-6-7/broken","at":["A1"]}],"order":"b, a"}"#,
        &[
            r#"{"kind": "rout", "map": {"rows": "\n   A  B\n1  .  w\n"}, "rout": [{"name": "a", "unit": "german:4-6-7", "at": "A1"}, {"name": "b", "unit": "german:4-6-7", "at": "A1"}], "order": "b,a"}"#,
        ],
    );
}

#[test]
fn routing_unit_is_found_by_every_spelling_of_its_name() {
    let map = r#""map": {"area": "A1-C3"}, "rout": [{"unit": "german:4-6-7/dm", "at": "A1"}]"#;
    for name in ["A1", "a1", "U1", "u1", "4-6-7 in A1"] {
        let request = format!(r#"{{"kind": "rout", {map}, "unit": "{name}"}}"#);
        assert!(read(&request, &GAMES, &no_files).is_ok(), "{name}");
    }
}

#[test]
fn canonical_form_contains_the_tables() {
    let by_name = r#"{"kind": "rout", "board": {"hexes": "board.csv"}, "rout": [{"unit": "german:4-6-7", "at": "A2"}]}"#;
    let open = |name: &str| match name {
        "board.csv" => Ok(TABLE.replace('\n', "\r\n")),
        other => panic!("{other} is opened"),
    };
    let request = read(by_name, &GAMES, &open).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(request.canonical["board"][0]["hexes"], TABLE);
    // The canonical form needs no file, and is its own canonical form.
    assert_eq!(canonical(&request.canonical.to_string()), request.canonical);
    let in_place: Value = serde_json::json!({ "kind": "rout", "board": { "hexes": TABLE }, "rout": { "unit": "german:4-6-7", "at": "A2" } });
    assert_eq!(canonical(&in_place.to_string()), request.canonical);
    let link = lowcrawl::api::link::line(&request.whole().to_string()).unwrap();
    assert_eq!(canonical(&link), request.canonical);
}

#[test]
fn different_requests_have_different_canonical_forms() {
    let rally = |fields: &str| {
        canonical(&format!(r#"{{"kind": "rally", "stack": "german:4-6-7/dm"{fields}}}"#))
            .to_string()
    };
    let all = [
        "",
        r#", "leader": "8-1""#,
        r#", "leader": "8-0""#,
        r#", "phases": 2"#,
        r#", "i01": "alternative""#,
        r#", "policy": "keep-dm""#,
        r#", "given": "3,4""#,
        r#", "elr": 2"#,
    ];
    let forms: std::collections::BTreeSet<String> =
        all.iter().map(|fields| rally(fields)).collect();
    assert_eq!(forms.len(), all.len(), "{forms:?}");
}
