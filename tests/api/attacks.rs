//! Attacks by named firers: figures of an independent program, and equality with plain attacks.

use std::collections::BTreeMap;

use crate::random::Rng;
use serde_json::{Map, Value, json};

/// Returns the request of a row of `attacks.csv`. What is a state of the target stands in its stack.
fn request(input: &Map<String, Value>) -> Value {
    let mut request = json!({ "kind": "fire", "hob": false });
    let mut target = Vec::new();
    for (key, value) in input {
        match key.as_str() {
            "concealed" => target.push("concealed"),
            "target_pinned" => target.push("pinned"),
            "target_broken" | "target_shape" => target.push("broken"),
            "wa" => request["wall-advantage"] = value.clone(),
            key => request[key.replace('_', "-")] = value.clone(),
        }
    }
    let slash = if target.is_empty() { "" } else { "/" };
    request["stack"] = format!("russian:4-4-7{slash}{}", target.join(",")).into();
    request
}

fn answer(request: &Value) -> Value {
    let answer = lowcrawl::answer_json(&request.to_string());
    assert!(answer["fault"].is_null() && answer["rows"].is_array(), "{request}: {answer}");
    answer
}

/// Returns SW as the table has them: `hmg B12 ROF3 keep=1/2 broken=1/36 removed=0`.
fn weapons(attack: &Value) -> String {
    let weapon = |weapon: &Value| {
        let number =
            |sign: char, name: &str| weapon[name].as_u64().map(|number| format!("{sign}{number}"));
        let numbers: Vec<String> =
            [number('B', "breakdown"), number('X', "x_number")].into_iter().flatten().collect();
        let text = |name: &str| weapon[name].as_str().unwrap().to_string();
        format!(
            "{} {} ROF{} keep={} broken={} removed={}",
            text("name"),
            numbers.join(" "),
            weapon["rof"],
            text("keeps"),
            text("malfunctions"),
            text("removed")
        )
    };
    attack["weapons"].as_array().unwrap().iter().map(weapon).collect::<Vec<_>>().join("; ")
}

fn residual(of: &Value) -> String {
    let left = of.as_object().into_iter().flatten();
    let mut left: Vec<(u8, &str)> =
        left.map(|(fp, odds)| (fp.parse().unwrap(), odds.as_str().unwrap())).collect();
    left.sort_unstable();
    left.iter().map(|(fp, odds)| format!("{fp}:{odds}")).collect::<Vec<_>>().join(" ")
}

/// The table has cases of 4.43, 4.6, 4.61, 4.62, 7.23, 7.24, 7.25, 7.34, 7.35, 7.351, 7.352, 7.36,
/// 7.52, 7.53, 7.531, 7.6, 8.1, 8.14, 8.2, 8.23, 8.26, 8.3, 8.31, 8.4, 15.23, 19.131, 19.2, 19.33,
/// 25.11, 25.74, A.11, of the works and hexsides of chapter B, and of night.
#[test]
fn attacks_have_the_figures_of_an_independent_program() {
    let mut reader = csv::Reader::from_reader(include_str!("../fixtures/attacks.csv").as_bytes());
    let mut compared = 0;
    for row in reader.deserialize::<BTreeMap<String, String>>() {
        let row = row.unwrap();
        let input: Value = serde_json::from_str(&row["input"]).unwrap();
        let answer = answer(&request(input.as_object().unwrap()));
        let attack = &answer["attack"];
        let shots: Vec<&str> =
            attack["shots"].as_array().unwrap().iter().map(|odds| odds.as_str().unwrap()).collect();
        let mut found = vec![
            ("fp", attack["fp"].as_str().unwrap().to_string()),
            ("column", attack["column"].as_u64().unwrap_or(0).to_string()),
            ("drm", attack["drm"].to_string()),
            ("cowering", attack["cowering"].to_string()),
            ("shots", shots.join(" ")),
            ("sw", weapons(attack)),
            ("residual", residual(&attack["residual"])),
            ("residual_keep", residual(&attack["residual_keep"])),
        ];
        for (column, result) in [
            ("P_KIA", "KIA"),
            ("P_K", "K"),
            ("P_4MC", "4MC"),
            ("P_3MC", "3MC"),
            ("P_2MC", "2MC"),
            ("P_1MC", "1MC"),
            ("P_NMC", "NMC"),
            ("P_PTC", "PTC"),
            ("P_NE", "NE"),
        ] {
            let odds = attack["results"][result].as_str().unwrap_or("0");
            found.push((column, odds.to_string()));
        }
        for (column, found) in found {
            assert_eq!(found, row[column], "{} {column}: {input}", row["id"]);
        }
        compared += 1;
    }
    assert_eq!(compared, 213);
}

/// Each interpretation of fire in both positions: a fact of the attack by default and otherwise.
/// 8.221, 25.35, 25.53 and the rules named by `lowcrawl rules` are behind them.
#[test]
fn interpretations_of_fire_change_the_attack() {
    let first = json!({"phase": "first", "move": "assault"});
    for (switch, by, more, fact, facts) in [
        // 36 FP at +4: an Original 11 has the Final DR 15, a 12 has 16.
        (
            "i70",
            "german:8-0 + 3x german:8-3-8/hmg",
            json!({"drm": 4}),
            "/results/PTC",
            ["\"1/12\"", "\"1/18\""],
        ),
        ("i71", "german:4-6-7 + lmg", json!({}), "/fp", ["\"14\"", "refused"]),
        ("i72", "partisan:3-3-7/lmg", json!({"range": 3}), "/weapons/0/breakdown", ["11", "9"]),
        ("i73", "german:4-6-7 + german:8-3-8", json!({"range": 8}), "/fp", ["\"2\"", "refused"]),
        ("i74=every", "german:6+1 + german:4-6-7", json!({"range": 3}), "/drm", ["0", "1"]),
        ("i74=negative", "german:8-0 + german:4-6-7", json!({"range": 3}), "/cowering", ["0", "1"]),
        ("i75", "german:4-6-7", json!({"terrain": "woods", "works": "wreck"}), "/drm", ["1", "2"]),
        (
            "i76=in-hex",
            "german:4-6-7",
            json!({"terrain": "woods", "hexside": "wall"}),
            "/drm",
            ["2", "1"],
        ),
        (
            "i76=hexside",
            "german:4-6-7",
            json!({"terrain": "stone", "hexside": "hedge"}),
            "/drm",
            ["3", "1"],
        ),
        ("i77", "german:4-6-7", json!({"terrain": "woods", "night": true}), "/drm", ["1", "2"]),
        ("i78", "hero + german:4-6-7", json!({"range": 3}), "/cowering", ["1", "0"]),
        (
            "i79",
            "british:4-4-7 + finnish:4-3-7/fanatic",
            json!({"range": 3}),
            "/cowering",
            ["2", "1"],
        ),
        (
            "i80",
            "hero + german:4-6-7/mmg",
            json!({"range": 3}),
            "/weapons/0/keeps",
            ["\"5/18\"", "\"65/216\""],
        ),
        (
            "i81",
            "german:4-6-7/mmg",
            json!({"range": 3}),
            "/weapons/0/keeps",
            ["\"5/18\"", "\"1/3\""],
        ),
        ("i82", "german:8-0/lmg", json!({"range": 3}), "/weapons/0/rof", ["1", "0"]),
        ("i83", "german:4-3-6/ft,sw-only", json!({}), "/weapons/0/x_number", ["7", "8"]),
        ("i84", "german:8-3-8/ft,sw-only", first.clone(), "/drm", ["-1", "0"]),
        (
            "i85",
            "german:8-3-8/dc,sw-only",
            json!({"phase": "advancing", "level": -1}),
            "/drm",
            ["0", "1"],
        ),
        // A Conscript who fails by more than the ELR is Disrupted: on 10 to 12 against ML 6.
        (
            "i86",
            "german:4-3-6",
            json!({"phase": "fpf", "move": "assault"}),
            "/firers/0/ends/disrupted",
            ["\"1/6\"", "refused"],
        ),
        (
            "i87",
            "german:8-0 + german:4-6-7 + german:2-4-7",
            json!({"phase": "first", "move": "assault", "range": 3}),
            "/residual",
            ["{\"2\":\"1\"}", "{\"3\":\"1\"}"],
        ),
        (
            "i87",
            "german:8-0 + german:4-6-7 + german:2-4-7",
            json!({"phase": "first", "move": "assault", "range": 3, "hindrance": 1}),
            "/residual",
            ["{\"1\":\"1\"}", "{\"2\":\"1\"}"],
        ),
        (
            "i88=none",
            "german:8-0 + german:4-6-7/hmg",
            json!({"phase": "first", "move": "assault", "range": 3}),
            "/residual_keep",
            ["{\"2\":\"19/36\",\"4\":\"17/36\"}", "{\"0\":\"19/36\",\"4\":\"17/36\"}"],
        ),
        (
            "i88=all",
            "german:8-0 + german:4-6-7/hmg",
            json!({"phase": "first", "move": "assault", "range": 3}),
            "/residual_keep",
            ["{\"2\":\"19/36\",\"4\":\"17/36\"}", "{\"4\":\"1\"}"],
        ),
        ("i92", "british:4-5-7", json!({"profile": "aslsk", "range": 3}), "/cowering", ["1", "0"]),
        ("i96", "german:8-0/heroic + german:4-6-7", json!({"range": 3}), "/drm", ["0", "-1"]),
        (
            "i97",
            "german:9-1 + german:4-6-7 + axis-minor:3-4-7",
            json!({"range": 3}),
            "/drm",
            ["0", "-1"],
        ),
        (
            "i98",
            "german:8-0 + german:4-6-7/encircled",
            first,
            "/residual",
            ["{\"2\":\"1\"}", "{\"4\":\"1\"}"],
        ),
        ("i99", "german:4-6-7", json!({"range": 0, "level": 1}), "/fp", ["\"8\"", "\"12\""]),
        ("i100", "german:4-6-7", json!({"level": 2}), "/fp", ["\"8\"", "\"4\""]),
        ("i101", "finnish:6-4-8/lmg", json!({}), "/weapons/0/breakdown", ["11", "12"]),
        ("sk-7", "german:4-6-7", json!({"range": 3, "night": true}), "/drm", ["1", "refused"]),
        ("sk-7.21", "german:4-6-7", json!({"level": -2}), "/fp", ["\"4\"", "\"8\""]),
        // 8 FP with the ATR, 7 without it.
        (
            "sk-8.2",
            "german:8-0 + german:5-4-8/atr + german:2-4-7",
            json!({"phase": "first", "move": "assault", "range": 3}),
            "/residual",
            ["{\"2\":\"1/36\",\"4\":\"35/36\"}", "{\"2\":\"1\"}"],
        ),
    ] {
        let (id, value) = switch.split_once('=').unwrap_or((switch, "alternative"));
        let found = ["default", value].map(|value| {
            let mut request =
                json!({"kind": "fire", "stack": "russian:4-4-7", "hob": false, "by": by});
            more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
            request[id] = value.into();
            let answer = lowcrawl::answer_json(&request.to_string());
            let fact = answer["attack"].pointer(fact);
            fact.map_or("refused".to_string(), Value::to_string)
        });
        assert_eq!(found, facts, "{switch} {by} {more}");
    }
}

/// Returns the fact at a JSON pointer of the attack of these firers on a 4-4-7, or of another
/// request.
fn fact(by: &str, more: Value, pointer: &str) -> String {
    let mut request = json!({"kind": "fire", "stack": "russian:4-4-7", "hob": false, "by": by});
    more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
    let attack = answer(&request);
    attack["attack"].pointer(pointer).unwrap_or(&Value::Null).to_string()
}

/// B9.33, B9.531: of a firer two levels higher than the range is, walls and hedges are lowered.
#[test]
fn height_lowers_walls_and_hedges_only() {
    for (hexside, drm) in [("wall", "0"), ("hedge", "0"), ("bocage", "2"), ("roadblock", "2")] {
        let more = json!({"hexside": hexside, "level": 3});
        assert_eq!(fact("german:4-6-7", more, "/drm"), drm, "{hexside}");
    }
}

/// 15.23, 15.24: at Long Range a hero has no -1, but his MG has its +1.
#[test]
fn hero_has_the_drm_of_his_mg_at_long_range() {
    for (range, drm) in [(8, "0"), (10, "1")] {
        assert_eq!(fact("hero/german:lmg", json!({"range": range}), "/drm"), drm, "{range}");
    }
}

/// 8.15: a unit on a hexside has the TEM of the hexside, none of the hex.
#[test]
fn snap_shots_have_no_in_hex_tem() {
    for (more, drm) in [
        (json!({"terrain": "woods"}), "0"),
        (json!({"tem": 3}), "0"),
        (json!({"works": "foxhole"}), "0"),
        (json!({"terrain": "woods", "hexside": "wall"}), "2"),
    ] {
        let mut request = json!({"phase": "first", "move": "assault", "snap-shot": true});
        more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        assert_eq!(fact("german:4-6-7", request, "/drm"), drm, "{more}");
    }
}

/// 7.3: below 1 FP there is no DR, so that nothing malfunctions or fires again.
#[test]
fn nothing_is_rolled_below_1_fp() {
    for (pointer, expected) in [
        ("/fp", "\"3/4\""),
        ("/weapons/0/keeps", "\"0\""),
        ("/weapons/0/malfunctions", "\"0\""),
        ("/shots", "[\"1\"]"),
    ] {
        assert_eq!(fact("german:8-0/lmg", json!({"range": 12}), pointer), expected, "{pointer}");
    }
}

/// 9.71: one Random Selection decides which SW malfunction and which are removed. Two HMG in
/// Sustained Fire (B10 X12): one of them is out on 6 dice pairs, both on 1/6 of these.
#[test]
fn breakdown_and_removal_share_a_random_selection() {
    let more = json!({"phase": "subsequent", "move": "assault", "range": 3});
    let left = fact("german:8-0 + 2x german:2-4-7/hmg", more, "/residual");
    assert_eq!(left, "{\"0\":\"1/36\",\"1\":\"5/36\",\"2\":\"5/6\"}");
}

/// 9.2, 7.55, 10.7: who fires a later shot decides anew who directs it. The 9-0 directs only the
/// Finns, whose MMG keeps its ROF of 2 on 12 of 36 then, on 65/216 first.
#[test]
fn later_shots_are_reckoned_by_who_fires_then() {
    let by = "finnish:9-0 + axis-minor:2-4-7 + finnish:2-2-7/mmg";
    let shots = fact(by, json!({"range": 3}), "/shots");
    assert_eq!(shots, "[\"1\",\"65/216\",\"65/648\"]");
}

/// 8.26, 22.2: against a FT no hexside could be claimed, so that none reduces its Residual FP.
#[test]
fn hexside_does_not_reduce_residual_fp_of_ft() {
    let more = json!({"phase": "first", "move": "assault", "hexside": "wall"});
    let left = fact("german:8-3-8/ft,sw-only", more, "/residual");
    assert_eq!(left, "{\"0\":\"1/6\",\"8\":\"1/9\",\"12\":\"13/18\"}");
}

/// 8.23: Residual FP is less the FP of the HMG at the class that it is reckoned from, whatever
/// classes before it are alike.
#[test]
fn residual_fp_is_of_the_strongest_class() {
    let stack = "russian:4-4-7/concealed + russian:4-4-7/concealed,pinned + russian:4-4-7";
    let more = json!({"stack": stack, "phase": "first", "move": "assault", "range": 3,
        "terrain": "woods"});
    let left = fact("german:8-0 + german:2-4-7/hmg", more, "/residual_keep");
    assert_eq!(left, "{\"0\":\"19/36\",\"2\":\"17/36\"}");
}

/// Both German 2-3-7 have the same FP, range and class. They differ as targets only.
#[test]
fn counters_that_fire_alike_need_no_choice() {
    assert_eq!(fact("german:2-3-7 + german:8-0", json!({}), "/fp"), "\"4\"");
    let request = json!({"kind": "fire", "stack": "russian:4-4-7", "by": "german:2-3-7"});
    let notes = answer(&request)["notes"].to_string();
    assert!(notes.contains("2-3-7 taken as id:ger_2_237: all fire alike"), "{notes}");
    let request = json!({"kind": "fire", "stack": "german:2-3-7", "fp": 4});
    let fault = lowcrawl::answer_json(&request.to_string()).to_string();
    assert!(fault.contains("several german counters have the printed values"), "{fault}");
}

/// 4.43, I-71: where nobody else is left, two leaders man a SW, at full FP and without directing.
#[test]
fn two_leaders_man_a_loose_mg_together() {
    for (by, fp, note) in [
        ("german:8-1 + german:9-1 + hmg", "7", "the HMG is fired by the 8-1, helped by the 9-1"),
        ("german:8-1 + hmg", "7/2", "the HMG is fired by the 8-1 (I-71)"),
    ] {
        let request = json!({"kind": "fire", "stack": "russian:4-4-7", "by": by, "range": 3});
        let answer = answer(&request);
        assert_eq!(answer["attack"]["fp"], fp, "{by}");
        assert_eq!(answer["attack"]["drm"], 0, "{by}");
        assert!(answer["notes"].to_string().contains(note), "{by}: {}", answer["notes"]);
    }
}

/// Draws a request for an attack without FT and DC. It may be refused.
fn drawn(dice: &mut Rng) -> Value {
    let squads = ["german:4-6-7", "german:5-4-8", "german:4-4-7", "german:4-3-6", "german:2-4-7"];
    let conditions = ["", "", "", "/lmg", "/mmg", "/hmg", "/cx", "/pinned", "/lmg,mmg"];
    let mut by: Vec<String> = (0..dice.between(1, 3))
        .map(|_| format!("{}{}", dice.pick(&squads), dice.pick(&conditions)))
        .collect();
    if dice.percent(50) {
        by.insert(0, dice.pick(&["german:9-2", "german:8-0", "german:6+1", "hero"]).to_string());
    }
    let moves = ["none", "none", "assault", "non-assault", "hazardous"];
    let target = ["8-0 + 2x russian:4-4-7", "russian:6-2-8:e", "russian:8-1 + russian:4-2-6"];
    let states = ["", "", "/concealed", "/pinned"];
    let state = dice.pick(&states);
    let stack: Vec<String> =
        dice.pick(&target).split(" + ").map(|unit| format!("{unit}{state}")).collect();
    json!({
        "kind": "fire", "stack": stack.join(" + "), "by": by.join(" + "),
        "range": dice.between(0, 12), "elr": dice.between(0, 5), "hob": dice.percent(20),
        "terrain": dice.pick(&["open", "woods", "stone", "grain", "orchard"]),
        "move": dice.pick(&moves), "hindrance": dice.between(0, 2),
        "hexside": dice.pick(&["none", "wall", "hedge"]), "level": dice.between(-1, 1),
    })
}

/// The reckoned attack on one class of targets is the plain attack of its column and DRM.
#[test]
fn named_firers_equal_their_fp_and_drm() {
    let mut dice = Rng(43);
    let mut compared = 0;
    while compared < 500 {
        let mut request = drawn(&mut dice);
        let named = lowcrawl::answer_json(&request.to_string());
        let attack = &named["attack"];
        let Some(column) = attack["column"].as_u64() else { continue };
        for key in ["by", "range", "terrain", "move", "hindrance", "hexside", "level"] {
            request.as_object_mut().unwrap().remove(key);
        }
        let stack = request["stack"].as_str().unwrap().replace("/concealed", "");
        request["stack"] = stack.into();
        request["fp"] = column.into();
        request["drm"] = attack["drm"].clone();
        match attack["cowering"].as_u64().unwrap() {
            0 => request["cowering"] = false.into(),
            1 => {}
            _ => request["inexperienced"] = true.into(),
        }
        let plain = answer(&request);
        assert_eq!(named["rows"], plain["rows"], "{request}");
        assert_eq!(attack["results"], plain["attack"]["results"], "{request}");
        compared += 1;
    }
}

#[test]
fn attacks_against_the_rules_are_refused_with_the_rule() {
    for (by, more, expected) in [
        ("german:2-4-7/lmg,mmg", json!({}), "a HS fires one SW (A7.352)"),
        (
            "german:4-6-7/hmg",
            json!({"range": 20}),
            "beyond 16 hexes a MG needs a leader who directs",
        ),
        ("german:4-6-7/broken", json!({}), "broken units do not fire (A10.4)"),
        ("german:8-3-8/ft", json!({}), "a FT attacks alone (A22.31)"),
        ("german:4-6-7", json!({"hindrance": 6}), "+6 or more block the LOS (B.10)"),
        (
            "german:4-6-7",
            json!({"phase": "subsequent", "range": 8}),
            "only within Normal Range (A8.3)",
        ),
        ("german:4-6-7", json!({"fp": 8}), "use either `fp` and what belongs to it, or `by`"),
        ("german:4-6-7/mtr50", json!({}), "a mortar must hit first"),
        ("german:4-6-7/mtr", json!({}), "a mortar must hit first"),
        ("german:4-6-7", json!({"phase": "fpf", "range": 2}), "FPF is at ADJACENT targets"),
        ("german:8-0", json!({}), "nobody fires: leaders have no FP of their own"),
        ("russian:4-4-7/berserk", json!({}), "berserk units do not fire in the PFPh (A15.432)"),
        ("german:4-6-7", json!({"terrain": "pillbox"}), "a pillbox needs its CA or NCA number"),
        ("german:4-6-7", json!({"range": 13}), "nobody reaches the target"),
        ("german:8-3-8/dc,sw-only", json!({}), "a DC that is placed attacks in the AFPh (A23.1)"),
        ("german:8-0/lmg!", json!({}), "a lone SMC does not use Sustained Fire (A9.3)"),
        (
            "german:4-6-7 | 2x german:4-6-7",
            json!({"night": true}),
            "at night units of several Locations form no Fire Group (E1.75)",
        ),
        (
            "german:4-6-7 | german:4-6-7/berserk",
            json!({"phase": "final"}),
            "a berserk unit forms no Fire Group with other Locations (A7.54)",
        ),
    ] {
        let mut request = json!({"kind": "fire", "stack": "russian:4-4-7", "by": by});
        more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        let fault = lowcrawl::answer_json(&request.to_string()).to_string();
        assert!(fault.contains(expected), "{request}: {fault}");
    }
    let fields = [json!({"fp": 8, "range": 3}), json!({"fp": 8, "move": "assault"})];
    for more in fields {
        let mut request = json!({"kind": "fire", "stack": "russian:4-4-7"});
        more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        let fault = lowcrawl::answer_json(&request.to_string()).to_string();
        assert!(fault.contains("this belongs to an attack by named firers"), "{fault}");
    }
    // A MG that may have moved is allowed with a note (4.41).
    let heavy = answer(&json!({"kind": "fire", "stack": "russian:4-4-7",
        "by": "german:4-6-7/hmg", "phase": "advancing"}));
    assert!(heavy["notes"].to_string().contains("does not fire in the AFPh (A4.41)"), "{heavy}");
    let squads = answer(&json!({"kind": "fire", "stack": "russian:4-4-7", "by": "german:4-6-7",
        "rof": 3}));
    let note = "no SW of the firers has a ROF: all fire once (A9.2)";
    assert!(squads["notes"].to_string().contains(note), "{squads}");
    let concealed = json!({"kind": "rally", "stack": "russian:4-4-7/dm,concealed"});
    let fault = lowcrawl::answer_json(&concealed.to_string()).to_string();
    assert!(fault.contains("concealment counts only under fire and in Close Combat"), "{fault}");
}

/// Requests with the profile of the Starter Kit: what it lacks is refused, and what it reads
/// otherwise has its figure (3.2.2, 3.3, 3.5 of its rules).
#[test]
fn starter_kit_attacks_as_it_says() {
    let by_squad = |more: Value| ("german:4-6-7", more);
    for ((by, more), expected) in [
        (by_squad(json!({"night": true})), "the Starter Kit has no night"),
        (by_squad(json!({"phase": "opportunity"})), "the Starter Kit has no Opportunity Fire"),
        (by_squad(json!({"move": "dash"})), "the Starter Kit has no Dash"),
        (by_squad(json!({"move": "hazardous"})), "the Starter Kit has no Hazardous Movement"),
        (by_squad(json!({"snap-shot": true})), "the Starter Kit has no Snap Shots"),
        (by_squad(json!({"mol": true})), "the Starter Kit has no MOL"),
        (
            by_squad(json!({"wall-advantage": "target", "hexside": "wall"})),
            "the Starter Kit has no Wall Advantage",
        ),
        (("russian:6-2-8:e", json!({"spraying": true})), "the Starter Kit has no Spraying Fire"),
        (
            ("german:8-3-8/dc,sw-only", json!({"phase": "final", "dc": "thrown"})),
            "the Starter Kit has no thrown DC",
        ),
        (("hero + german:4-6-7", json!({})), "the Starter Kit has no counter `hero`"),
        (("german:4-6-7/fanatic", json!({})), "the Starter Kit has no fanatic units"),
        (("german:4-6-7/encircled", json!({})), "the Starter Kit has no encircled units"),
        (
            by_squad(json!({"phase": "fpf", "range": 0, "move": "assault"})),
            "in the Starter Kit FPF is at the next hex only",
        ),
        // An attack by two hexes on stone over a Hindrance; Long Range; Green units alone.
        (
            ("american:6-6-6 @1 | american:7-4-7 @2", json!({"terrain": "stone", "hindrance": 1})),
            "\"19\" 16 4",
        ),
        (("9-1 + american:7-4-7", json!({"range": 5, "terrain": "stone"})), "\"7/2\" 2 2"),
        (("american:5-3-6", json!({"terrain": "orchard"})), "\"10\" 8 0"),
        // PBF looks at no level; a British squad Cowers.
        (by_squad(json!({"level": -3})), "\"8\" 8 1"),
        (("british:4-5-7", json!({"range": 3})), "\"4\" 4 0 1"),
    ] {
        let mut request = json!({"kind": "fire", "stack": "russian:4-4-7", "by": by,
            "profile": "aslsk"});
        more.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        let answer = lowcrawl::answer_json(&request.to_string());
        let attack = &answer["attack"];
        let facts = ["fp", "column", "drm", "cowering"].map(|fact| attack[fact].to_string());
        let found = match answer["fault"]["message"].as_str() {
            Some(message) => message.to_string(),
            None => facts.join(" "),
        };
        assert!(found.contains(expected), "{request}: {found}");
    }
}

/// In FPF the firers take a NMC by the DR of their attack (8.31). The 8-1 of 8.41 passes on 7, pins
/// on 8, breaks on 9; his squad of ML 7 passes with him on 7, and checks without him from 8 on.
#[test]
fn firers_check_by_the_dr_of_their_final_protective_fire() {
    let firers = |by: &str| {
        let answer = answer(&json!({
            "kind": "fire", "stack": "russian:6-2-8:e", "by": by, "phase": "fpf", "hob": false,
            "move": "non-assault"
        }));
        let firers = answer["attack"]["firers"].as_array().unwrap().clone();
        let end =
            |firer: &Value, status: &str| firer["ends"][status].as_str().unwrap_or("0").to_string();
        let firer = |firer: &Value| {
            let ends = ["good-order", "pinned", "broken"].map(|status| end(firer, status));
            format!("{} {}", firer["name"].as_str().unwrap(), ends.join(" "))
        };
        firers.iter().map(firer).collect::<Vec<_>>()
    };
    assert_eq!(firers("german:4-6-7"), ["4-6-7 5/12 1/6 5/12"]);
    // The HS that an Original 12 strikes is eliminated.
    assert_eq!(firers("german:2-4-7"), ["2-4-7 5/12 1/6 7/18"]);
    let led = firers("8-1 + german:4-6-7/lmg");
    assert!(led[0].starts_with("8-1 7/12 5/36 "), "{led:?}");
    assert!(led[1].starts_with("4-6-7 7/12 0 "), "{led:?}");
    // Of two HS one at least is struck by an Original 12: 7 of 12 each (A.9).
    assert_eq!(firers("2x german:2-4-7"), vec!["2-4-7 5/12 1/6 173/432"; 2]);
    // Who neither fires nor directs takes no check.
    assert_eq!(firers("german:8-1/no-direct + german:4-6-7").len(), 1);
    let plain = answer(&json!({"kind": "fire", "stack": "russian:4-4-7", "by": "german:4-6-7"}));
    assert!(plain["attack"]["firers"].is_null());
}

/// A KIA on two classes of targets: Random Selection in each apart, or among all (I-91). Of two
/// units one is selected with 7 of 12, of four with 441 of 1296 (A.9).
#[test]
fn random_selection_is_in_each_class_unless_told_otherwise() {
    for (value, expected) in [("default", "7/12"), ("alternative", "49/144")] {
        let answer = answer(&json!({
            "kind": "fire", "stack": "2x russian:4-4-7 + 2x russian:4-4-7/concealed",
            "by": "german:8-0 + 3x german:4-6-7", "range": 4, "hob": false, "given": "1,1",
            "i91": value,
        }));
        let rows = answer["rows"].as_array().unwrap();
        let lost: Vec<&Value> = rows.iter().filter(|row| row["status"] == "eliminated").collect();
        assert_eq!(lost.len(), 4, "{answer}");
        assert!(lost.iter().all(|row| row["fraction"] == expected), "{value}: {lost:?}");
    }
}

/// The page draws its form from the description: firers and every circumstance have a control there.
#[test]
fn fields_of_an_attack_have_a_control_on_the_page() {
    let fire = lowcrawl::api::describe(&crate::GAMES, Some("asl"), Some("fire")).unwrap();
    let fields = fire["fields"].as_array().unwrap();
    for name in ["by", "range", "terrain", "phase", "move", "hexside", "level", "smoke", "night"] {
        let field = fields.iter().find(|field| field["name"] == name).unwrap();
        let sort = field["takes"]["type"].as_str().unwrap();
        assert!(["flag", "number", "word", "text"].contains(&sort), "{field}");
        assert!(!field["about"].as_str().unwrap().is_empty(), "{field}");
    }
    let reckoned: Vec<&Value> =
        fire["reckoned"].as_array().unwrap().iter().map(|number| &number["name"]).collect();
    assert_eq!(reckoned, ["fp", "drm", "column"]);
}

/// The reckoning alone is a request of its own, of kinds that reckon something.
#[test]
fn reckoning_is_a_request() {
    let reckon = |kind: &str, more: &str| {
        let text = format!(r#"{{"request": "reckon", "kind": "{kind}", {more}}}"#);
        lowcrawl::answer_json(&text)
    };
    let attack = r#""stack": "russian:4-4-7", "by": "german:4-6-7/hmg", "range": 3"#;
    let alone = reckon("fire", attack);
    let whole = lowcrawl::answer_json(&format!(r#"{{"kind": "fire", {attack}}}"#));
    assert_eq!(alone["attack"], whole["attack"]);
    assert_eq!(alone["headline"], json!({"fp": 11.0, "drm": 0.0, "column": 8.0}));
    assert!(alone["rows"].is_null() && alone["request"]["request"] == "reckon", "{alone}");
    for (kind, more) in [
        ("check", r#""stack": "russian:4-4-7", "mc": 1"#),
        ("rout", r#""map": {}"#),
        ("sequence", r#""stack": "russian:4-4-7", "step": [{"do": "fire", "fp": 4}]"#),
    ] {
        let message = format!("a `{kind}` reckons nothing before its first roll");
        assert_eq!(reckon(kind, more)["fault"]["message"], message);
    }
}

/// One DR, a Final DR for each class (A.5): the concealed squad is attacked by half, and the odds
/// that it is untouched are those of the halved attack. Random Selection is within the class.
#[test]
fn classes_of_targets_are_attacked_by_one_roll() {
    let both = answer(&json!({
        "kind": "fire", "stack": "russian:4-4-7 + russian:4-4-7/concealed", "hob": false,
        "by": "german:4-6-7", "range": 3, "terrain": "woods", "joint": true
    }));
    let classes = both["attack"]["classes"].as_array().unwrap();
    let fp: Vec<&str> = classes.iter().map(|class| class["fp"].as_str().unwrap()).collect();
    assert_eq!(fp, ["4", "2"]);
    let single = |stack: &str| {
        answer(&json!({
            "kind": "fire", "stack": stack, "by": "german:4-6-7", "range": 3, "terrain": "woods",
            "hob": false
        }))
    };
    let odds = |answer: &Value, slot: usize, status: &str| -> f64 {
        let rows = answer["rows"].as_array().unwrap().iter();
        let ends = |row: &Value| match &row["ends"] {
            Value::Null => row["status"] == status,
            ends => ends[slot]["status"] == status,
        };
        rows.filter(|row| ends(row)).map(|row| row["probability"].as_f64().unwrap()).sum()
    };
    for (slot, stack) in ["russian:4-4-7", "russian:4-4-7/concealed"].into_iter().enumerate() {
        let alone = single(stack);
        for status in ["good-order", "pinned", "broken", "eliminated"] {
            let (one, other) = (odds(&both, slot, status), odds(&alone, 0, status));
            assert!((one - other).abs() < 1e-12, "{stack} {status}: {one} {other}");
        }
    }
}
