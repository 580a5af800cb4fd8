//! Crossings on a map: each equals the same crossing with its path and defenders written out.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::answer_json;
use lowcrawl::asl::board::hex::{Hex, Hexside};
use serde_json::{Value, json};

use super::crossing::{ask, ends, reckoned};

/// Two columns of open ground, with an enemy in A1.
fn lane(features: &str, units: &str) -> String {
    let (map, los) = features.split_once("[los]").unwrap_or((features, ""));
    format!(
        "[map]\narea = \"A1-B6\"\n{map}\n[los]\n{los}\n[[enemy]]\nunit = \"german:4-6-7\"\n\
            at = \"A1\"\n{units}\n"
    )
}

fn friend(at: &str) -> String {
    format!("[[friend]]\nunit = \"russian:4-4-7\"\nat = \"{at}\"\n")
}

/// A crossing on a map, and the same written out.
struct Twin {
    map: String,
    path: &'static str,
    written: [&'static str; 2],
    /// Fields of both.
    also: &'static [(&'static str, &'static str)],
}

impl Twin {
    fn check(&self) {
        let Twin { map, path, written: [locations, defenders], also } = self;
        let stack = ("stack", "8-0 + russian:4-4-7");
        let on_map = [&[stack, ("map", map), ("path", *path)], *also].concat();
        let written = [&[stack, ("path", *locations), ("defender", *defenders)], *also].concat();
        let [on_map, written] = [on_map, written].map(|fields| {
            ask(&fields).unwrap_or_else(|fault| panic!("{path}: {fields:?}: {fault}"))
        });
        assert_eq!(ends(&on_map), ends(&written), "{path}: {map}");
        for name in ["shots", "firers"] {
            assert_eq!(reckoned(&on_map, name), reckoned(&written, name), "{path}: {map}");
        }
        assert_eq!(on_map.texts().in_words, written.texts().in_words);
    }
}

/// Ranges, LOS, Hindrances, hexsides, levels, MF and works of a path are those of the board.
#[test]
fn crossings_on_a_map_equal_written_ones() {
    let twin =
        |features: &str, path, written| Twin { map: lane(features, ""), path, written, also: &[] };
    let twins = [
        twin("", "A4 A3 A2", ["A3=open, A2=open", "A1: german:4-6-7 @ 2, 1"]),
        // The same from a hex of the other column: B2 is 2 hexes from A1.
        twin("", "B4, B3, B2", ["B3=open, B2=open", "A1: german:4-6-7 @ 3, 2"]),
        // Grain is a Hindrance of the LOS over it (B15.2), not of one into it.
        twin(
            "hexes = { grain = [\"A2\", \"A3\"] }",
            "A5 A4 A3",
            ["A4=open, A3=grain", "A1: german:4-6-7 @ 3 hindrance 2, 2 hindrance 1"],
        ),
        // Woods cost 2 MF (B13.4); behind them there is no LOS.
        twin(
            "hexes = { woods = [\"A3\"] }",
            "A5 A4 A3 A2",
            ["A4=open, A3=woods, A2=open", "A1: german:4-6-7 @ none, 2, 1"],
        ),
        // A wall protects the hex behind it (B9.3), and costs 1 MF to cross.
        twin(
            "hexsides = { wall = [\"A2-A1\", \"A3-A4\"] }",
            "A4 A3 A2",
            ["A3=open 2, A2=open", "A1: german:4-6-7 @ 2, 1 hexside wall"],
        ),
        // A LOS through a vertex takes the better of both hexsides (I-59).
        twin(
            "hexsides = { hedge = [\"B2-B1\"], wall = [\"B2-A2\"] }\n[los]\n\"A1-B2\" = 0",
            "B3 B2",
            ["B2=open", "A1: german:4-6-7 @ 2 hexside wall"],
        ),
        // Height Advantage, and double MF uphill (B10.31, B10.4).
        twin(
            "levels = { 1 = [\"A3\"] }",
            "A4 A3 A2",
            ["A3=open 2, A2=open", "A1: german:4-6-7 @ 2 level -1, 1"],
        ),
        twin(
            "levels = { 1 = [\"A1\"] }",
            "A4 A3 A2",
            ["A3=open, A2=open", "A1: german:4-6-7 @ 2 level 1, 1 level 1"],
        ),
        // Foxholes and shellholes shelter who pays 1 MF more (B27.4, B2).
        twin(
            "foxholes = [\"A3\"]",
            "A4 A3 works A2",
            ["A3=open 2 works foxhole, A2=open 2", "A1: german:4-6-7 @ 2, 1"],
        ),
        twin(
            "hexes = { shellhole = [\"A3\"] }",
            "A4 A3 works A2",
            ["A3=open 2 works shellhole, A2=open", "A1: german:4-6-7 @ 2, 1"],
        ),
        twin("hexes = { shellhole = [\"A3\"] }", "A4 A3", ["A3=open 1", "A1: german:4-6-7 @ 2"]),
        // SMOKE costs 1 MF and counts as dispersed, 2 (A24.2).
        twin("smoke = [\"A3\"]", "A4 A3", ["A3=open 2", "A1: german:4-6-7 @ 2 hindrance 2"]),
        // At the road rate a unit is on the road, and not in the grain around it (B3).
        twin(
            "hexes = { grain = [\"A3\"], woods = [\"A4\"] }\nroads = [[\"A5\", \"A4\", \"A3\"]]\n\
                [los]\n\"A1-A4\" = 0",
            "A5 A4 A3",
            ["A4=woods 1, A3=open", "A1: german:4-6-7 @ 3, 2"],
        ),
        // A line that is set by hand wins.
        twin(
            "[los]\n\"A1-A3\" = 3\n\"A1-A2\" = \"blocked\"",
            "A4 A3 A2 B2",
            ["A3=open, A2=open, B2=open", "A1: german:4-6-7 @ 2 hindrance 3, none, 2"],
        ),
    ];
    twins.iter().for_each(Twin::check);
}

/// Units of one Location fire together (A7.55); who is broken, in Melee or holds his fire does not.
/// A `defender` with a hex stands for the enemies there.
#[test]
fn defenders_are_the_enemies_of_each_location() {
    let units = "[[enemy]]\nunit = \"german:8-1\"\nat = \"A1\"\n\
        [[enemy]]\nunit = \"german:2-4-7\"\nat = \"B2\"\n\
        [[enemy]]\nunit = \"german:4-6-7/broken\"\nat = \"B1\"\n\
        [[enemy]]\nunit = \"german:4-6-7\"\nat = \"B1\"\nmelee = true\n\
        [[enemy]]\nunit = \"german:4-6-7\"\nat = \"B1\"\nholds-fire = true\n";
    let two = "A1: german:4-6-7 + german:8-1 @ 3; B2: german:2-4-7 @ 2";
    let map = lane("", units);
    let written = ["A4=open", two];
    Twin { map: map.clone(), path: "A5 A4", written, also: &[("policy", "first")] }.check();
    let also = &[("fire", "B2 A1")];
    Twin { map: map.clone(), path: "A5 A4", written, also }.check();
    // The machine gun has a name only here.
    let armed = map + "[[enemy]]\nat = \"B4\"\nweapon = { fp = 5, range = 12 }\n";
    let (stack, path) = (("stack", "8-0 + russian:4-4-7"), ("path", "A6 A5"));
    let fault = ask(&[stack, ("map", &armed), path]).unwrap_err();
    assert!(fault.starts_with("map: vehicle in B4 sees the path: name the counters"), "{fault}");
    let named = "M: german:4-6-7/mmg @ B4; A1 no-fpf: german:4-6-7 @ A1";
    let question = ask(&[stack, ("map", &armed), path, ("defender", named)]).unwrap();
    let expected = "M: german:4-6-7/mmg @ 1; A1 no-fpf: german:4-6-7 @ 4; B2: german:2-4-7 @ 3";
    let written = ask(&[stack, ("path", "A5=open"), ("defender", expected)]).unwrap();
    assert_eq!(ends(&question), ends(&written));
}

/// 8.3: a Known armed unit of the mover's side that is nearer bars Subsequent First Fire.
#[test]
fn nearer_friends_bar_subsequent_first_fire() {
    let path = "A6 A5 A4";
    for (friends, sights) in [
        (friend("A3"), "4 nearer, 3 nearer"),
        (friend("A4").replace("4-4-7", "4-4-7/unarmed"), "4, 3"),
        // Those who begin where the stack does are the stack.
        (friend("A6"), "4, 3"),
    ] {
        let defenders = format!("A1: german:4-6-7 @ {sights}").leak();
        let written = ["A5=open, A4=open", defenders];
        Twin { map: lane("", &friends), path, written, also: &[] }.check();
    }
}

/// The stack is that of the friends at the start, and the rules are those of the situation.
#[test]
fn situation_gives_the_stack_and_its_rules() {
    let map = format!("elr = 1\nprofile = \"asl-v2\"\n{}", lane("", &friend("A4")));
    let question = ask(&[("map", &map), ("path", "A4 A3")]).unwrap();
    let defender = ("defender", "A1: german:4-6-7 @ 2");
    let written = [("stack", "russian:4-4-7"), ("path", "A3=open"), defender];
    let written = ask(&[&written[..], &[("profile", "asl-v2")]].concat()).unwrap();
    assert_eq!((question.elr, question.stack.to_string().as_str()), (1, "russian:4-4-7"));
    assert_ne!(ends(&question), ends(&written), "ELR 1 is not ELR 3");
    assert!(question.provenance().words.contains("v2"), "{}", question.provenance().words);
    let fault = ask(&[("map", &map), ("path", "A5 A4")]).unwrap_err();
    assert_eq!(fault, "stack: the stack is missing: the situation has no friend in A5");
}

/// 4.1, 4.14, B25.4, B11: what cannot be done on the map is refused in words.
#[test]
fn impossible_paths_are_refused() {
    let features = "hexes = { water = [\"A3\"], woods = [\"B3\", \"B4\", \"B2\"] }\nblaze = [\"B6\"]\n\
        hexsides = { cliff = [\"A5-A4\"] }\nminefields = [\"B5\"]\npillboxes = [\"A2\"]";
    let map = lane(features, &friend("A5"));
    for (path, words) in [
        ("A5 A2", "path: A5 and A2 are not adjacent"),
        ("A4 A3", "path: nobody enters"),
        ("A6 B6", "path: nobody enters the Blaze in B6 (B25.4)"),
        ("A5 A4", "path: a Cliff lies between A5 and A4 (B11)"),
        ("A5 B5", "path: mines and FFE, as in B5, are not played"),
        ("B1 A2 works", "path: the pillbox of A2 is not played"),
        ("A5 A6 works", "path: A6 has neither works nor shellholes"),
        ("A2 A1", "path: 4-6-7 in A1 holds A1: no entry in the MPh (A4.14)"),
        ("A5 B4 B3 B2", "path: the path costs 6 MF, the 4-4-7 has 4 (A4.1)"),
        ("A5 A6 A5", "path: the path enters A5 twice"),
        ("A5 C9", "path: the hex `C9` is not on the map"),
        ("A5", "path: the path enters no hex"),
        ("open, open", "path: a path on a map names its hexes"),
    ] {
        let fields = [("stack", "russian:4-4-7"), ("map", map.as_str()), ("path", path)];
        let fault = ask(&fields).map(|_| ()).unwrap_err();
        assert!(fault.starts_with(words), "{path}: {fault}");
    }
    let stack = ("stack", "russian:4-4-7");
    let open = lane("[los]\nothers = \"blocked\"", "");
    let others = [
        (vec![stack, ("path", "A5 A4")], "path: a hex stands on a map"),
        (vec![stack, ("path", "open"), ("to", "A4")], "to: a hex stands on a map"),
        (vec![stack, ("path", "open"), ("defender", "A: german:4-6-7 @ A1")], "defender: a hex"),
        (vec![stack, ("map", &open), ("path", "A5 A4")], "path: no enemy sees any hex of the path"),
        (vec![stack, ("map", &open)], "path: the path is missing"),
        (vec![stack, ("map", "street.toml")], "`map` must be a situation, not the name of one"),
        (
            vec![stack, ("map", &open), ("path", "A5 A4"), ("defender", "A: german:4-6-7 @ 3")],
            "defender: A has no hex on the map",
        ),
    ];
    for (fields, words) in others {
        let fault = ask(&fields).map(|_| ()).unwrap_err();
        assert!(fault.starts_with(words), "{fields:?}: {fault}");
    }
}

/// A street to cross, with houses, an orchard and a hedge, under three enemies.
const STREET: &str = include_str!("../../studies/rout/street-crossing.toml");

const SQUAD: (&str, &str) = ("stack", "russian:4-4-7");

/// Returns every path from the last hex to the target with its chance.
fn every_path(hexes: &mut Vec<String>, target: &str, found: &mut Vec<(f64, String)>) {
    if hexes.len() > 1 {
        let path = hexes.join(" ");
        match ask(&[SQUAD, ("map", STREET), ("path", &path)]) {
            Ok(question) if hexes.last().unwrap() == target => {
                let ends = ends(&question).into_iter();
                let through = ends.filter(|((_, status, _), _)| status == "through");
                found.push((through.map(|(_, odds)| odds.to_f64()).sum(), path));
                return;
            }
            Err(fault) if !fault.contains("nobody shoots") => return,
            _ => {}
        }
    }
    let last = Hex::parse(hexes.last().unwrap()).unwrap();
    for hex in Hexside::ALL.map(|side| last.neighbour(side).to_string()) {
        if !hexes.contains(&hex) {
            hexes.push(hex);
            every_path(hexes, target, found);
            hexes.pop();
        }
    }
}

/// The safest path to a hex is the best of all paths within the MF, tried one by one.
#[test]
fn safest_path_is_the_best_of_all_paths() {
    for target in ["C2", "D3"] {
        let mut found = Vec::new();
        every_path(&mut vec!["B5".to_string()], target, &mut found);
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let question = ask(&[SQUAD, ("map", STREET), ("path", "B5"), ("to", target)]).unwrap();
        let ranked = &question.safest;
        assert!(ranked.len() > 1 && ranked.is_sorted_by(|a, b| a.arrived >= b.arrived));
        assert!((ranked[0].arrived - found[0].0).abs() < 1e-9, "{target}: {found:?}");
        for path in ranked {
            let (chance, _) = found.iter().find(|(_, hexes)| *hexes == path.hexes).unwrap();
            assert!((path.arrived - chance).abs() < 1e-9, "{path:?}");
        }
        let best = ask(&[SQUAD, ("map", STREET), ("path", &ranked[0].hexes)]).unwrap();
        assert_eq!(ends(&question), ends(&best));
        assert_eq!(reckoned(&question, "paths").as_array().unwrap().len(), ranked.len());
    }
}

/// A search refuses hexes out of reach and moves that have one Location only.
#[test]
fn impossible_searches_are_refused() {
    for (fields, words) in [
        (vec![("to", "F2")], "to: no path leads to F2 within 6 MF (A4.1)"),
        (vec![("to", "B5")], "to: the stack is already there"),
        (vec![("to", "Z9")], "to: the hex `Z9` is not on the map"),
        (vec![("to", "B4"), ("move", "assault")], "to: the safest path is found for Non-Assault"),
        (vec![("to", "B4"), ("fire", "F2")], "to: the plan of `fire` is for one path"),
    ] {
        let fields = [&[("map", STREET), ("path", "B5")], &fields[..]].concat();
        let fault = ask(&fields).map(|_| ()).unwrap_err();
        assert!(fault.starts_with(words), "{fields:?}: {fault}");
    }
}

/// JSON takes the situation under `map`; its request asks the same again, and rows are equal.
#[test]
fn requests_hold_the_situation_under_map() {
    let map = json!({ "map": { "area": "A1-B5", "hexes": { "grain": ["A2"] } },
        "enemy": [{ "unit": "german:4-6-7", "at": "A1" }] });
    let request =
        json!({ "kind": "cross", "stack": "russian:4-4-7", "path": "A4 A3 A2", "map": map });
    let answer = |request: &Value| answer_json(&request.to_string());
    let on_map = answer(&request);
    let written = answer(&json!({ "kind": "cross", "stack": "russian:4-4-7",
        "path": "A3=open, A2=grain", "defender": "A1: german:4-6-7 @ 2 hindrance 1, 1" }));
    for part in ["rows", "shots", "firers"] {
        assert!(!on_map[part].is_null() && on_map[part] == written[part], "{part}: {on_map}");
    }
    assert_eq!(answer(&on_map["request"])["rows"], on_map["rows"]);
    let mut named = request.clone();
    named["map"]["board"] = json!({ "hexes": "board.csv" });
    let fault = answer(&named).to_string();
    assert!(fault.contains("replace `board.csv` with the text of the file"), "{fault}");
}

/// E1.7, E1.1: at night fire has the DRM of Low Visibility, nobody sees beyond the Night Visibility
/// Range, and terrain that hinders LOS costs 1 MF more.
#[test]
fn night_hinders_sight_and_movement() {
    let map = lane("hexes = { grain = [\"A3\"] }", "");
    let written = |defenders: &'static str| ["A4=open, A3=grain 5/2, A2=open", defenders];
    for (nvr, defenders) in
        [("40", "A1: german:4-6-7 @ 3 hindrance 1, 2, 1"), ("2", "A1: german:4-6-7 @ none, 2, 1")]
    {
        let stack = ("stack", "8-0 + russian:4-4-7");
        let night = ("night", "true");
        let on_map = [stack, ("map", map.as_str()), ("path", "A5 A4 A3 A2"), night, ("nvr", nvr)];
        let [locations, defenders] = written(defenders);
        let written = [stack, ("path", locations), ("defender", defenders), night];
        let [on_map, written] = [&on_map[..], &written[..]].map(|fields| ask(fields).unwrap());
        assert_eq!(ends(&on_map), ends(&written), "{nvr}");
        assert_eq!(reckoned(&on_map, "shots"), reckoned(&written, "shots"), "{nvr}");
    }
    let drm = |more: &[(&str, &str)]| {
        let stack = ("stack", "russian:4-4-7");
        let defender = ("defender", "G: german:4-6-7 @ 3");
        let fields = [&[stack, ("path", "open"), defender], more].concat();
        reckoned(&ask(&fields).unwrap(), "shots")[0]["attacks"][0]["drm"].clone()
    };
    let drms = [drm(&[]), drm(&[("night", "true")]), drm(&[("lv", "2")])];
    assert_eq!(drms, [-2, -1, 0]);
    let night = format!("night = true\n{map}");
    let of_map = [("stack", "russian:4-4-7"), ("map", night.as_str()), ("path", "A3 A2")];
    let shots = reckoned(&ask(&of_map).unwrap(), "shots");
    assert_eq!(shots[0]["attacks"][0]["drm"], -1);
    let fault = ask(&[("stack", "russian:4-4-7"), ("path", "open"), ("nvr", "3")]).map(|_| ());
    assert!(fault.unwrap_err().starts_with("nvr: without a map"));
}
