//! The switches of Snipers, platoons and firefights in both positions, with figures worked out by
//! hand. Unless a test says otherwise there is no Heat of Battle, and the question is one Player
//! Turn.

use serde_json::{Value, json};

/// The largest difference from a fraction.
const ROUNDING: f64 = 1e-12;

/// A fraction.
type Odds = (u32, u32);

/// The chance that a squad with ML 7 fails no MC if 4 FP at +2 fire that may Cower: a 1MC on an
/// Original 2 or 3 (3/36 * 21/36), a NMC on 3,1 (2/36 * 15/36).
const UNHARMED_BY_FOUR_FP: Odds = (401, 432);

fn answer(request: &Value) -> Value {
    let mut request = request.clone();
    request["options"] = json!({ "engine": "exact" });
    lowcrawl::answer_json(&request.to_string())
}

/// Sets a switch to its alternative: `i153`, or the value behind `=`.
fn with_alternative(request: &Value, switch: &str) -> Value {
    let (name, value) = switch.split_once('=').unwrap_or((switch, "alternative"));
    let mut request = request.clone();
    request[name] = value.into();
    request
}

fn assert_figure(answer: &Value, figure: impl Fn(&Value) -> f64, (part, whole): Odds) {
    assert!(answer["rows"].is_array(), "{answer}");
    let (found, expected) = (figure(answer), f64::from(part) / f64::from(whole));
    let command = &answer["meta"]["command"];
    assert!((found - expected).abs() < ROUNDING, "{command}: {found}, expected {expected}");
}

/// Compares the figure of a request with those of the default and of the alternative of a switch.
fn assert_figures(
    request: &Value,
    switch: &str,
    figure: impl Fn(&Value) -> f64,
    default: Odds,
    alternative: Odds,
) {
    assert_ne!(default, alternative, "{switch}");
    assert_figure(&answer(request), &figure, default);
    assert_figure(&answer(&with_alternative(request, switch)), &figure, alternative);
}

/// Returns a mean number after the first Player Turn, such as `MMC lost`.
fn mean(quantity: &str) -> impl Fn(&Value) -> f64 {
    let quantity = format!("{quantity} after Player Turn 1");
    move |answer| {
        let of_quantity = |expected: &&Value| expected["quantity"] == *quantity;
        let expected = answer["expected"].as_array().unwrap().iter().find(of_quantity);
        expected.unwrap_or_else(|| panic!("{quantity}"))["value"].as_f64().unwrap()
    }
}

/// Returns the chance of the ends of a unit that fit.
fn chance(answer: &Value, fits: impl Fn(&Value) -> bool) -> f64 {
    let of_unit = |row: &&Value| row["slot"].is_number() && fits(row);
    let rows = answer["rows"].as_array().unwrap().iter().filter(of_unit);
    rows.map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// Returns the chance that the unit of a platoon ends in a kind of place.
fn chance_in(place: &str) -> impl Fn(&Value) -> f64 {
    move |answer| chance(answer, |row| row["place"] == place)
}

/// Returns the chance that the broken squad of a side is not Reduced.
fn chance_of_whole(side: &str, squad: &str) -> impl Fn(&Value) -> f64 {
    let fits = move |row: &Value| {
        let counter = row["counter"].as_str().unwrap_or_default();
        row["side"] == side && row["status"] == "broken" && counter.starts_with(squad)
    };
    move |answer| chance(answer, fits)
}

/// Builds a Location, whose units may be none.
fn location(name: &str, terrain: &str, units: &str) -> Value {
    match units {
        "" => json!({ "name": name, "terrain": terrain }),
        _ => json!({ "name": name, "terrain": terrain, "units": units }),
    }
}

fn platoon(begins: &str, side: Value) -> Value {
    json!({ "kind": "platoon", "turns": 1, "begins": begins, "hob": false, "side": [side] })
}

fn firefight(begins: &str, range: u8, german: Value, russian: Value) -> Value {
    json!({ "kind": "firefight", "turns": 1, "begins": begins, "range": range, "hob": false,
        "side": [german, russian] })
}

/// A side in one Location, of which nobody leaves.
fn holding(name: &str, terrain: &str, units: &str) -> Value {
    json!({ "name": name, "policy": "hold", "location": [location("post", terrain, units)] })
}

/// A side in Open Ground, with woods behind it beyond so many Interdicted hexes.
fn in_the_open(units: &str, behind: &str, interdicted: u8) -> Value {
    json!({ "name": "german", "policy": "hold",
        "location": [location("field", "open", units), location("rear", "woods", behind)],
        "link": [{ "from": "field", "to": "rear", "interdicted": interdicted }] })
}

/// 14.3, 17.11: a Sniper dr of 1 eliminates a hero. Wounded instead he survives on a severity dr of
/// 1 to 4.
#[test]
fn sniper_eliminates_or_wounds_a_hero() {
    let request = json!({ "kind": "sniper", "stack": "hero", "dr": 1 });
    let wounded = |answer: &Value| chance(answer, |row| row["wounded"] == true);
    assert_figures(&request, "i130", wounded, (0, 1), (2, 3));
}

/// 10.62, 18.11: of 2 FP at +3 only an Original 2 (1/36) is a NMC, which the broken 4-6-7 survives
/// whole on 7 or less (21/36). In the next RPh it rallies on 3 or less (1/12) with DM, else on 7.
#[test]
fn possible_or_actual_result_gives_dm() {
    let mut request = platoon("enemy", holding("german", "woods", "german:4-6-7/broken"));
    request["turns"] = 2.into();
    request["attack"] =
        json!([{ "at": "post", "fp": 2, "drm": 2, "no-cowering": true, "when": [1] }]);
    let rallied = |answer: &Value| {
        chance(answer, |row| {
            row["phase"] == 2 && row["status"] == "good-order" && row["counter"] == "4-6-7"
        })
    };
    // DM always: (35/36 + 1/36 * 21/36) * 1/12, or only after the NMC: 35/36 * 21/36 and the rest.
    assert_figures(&request, "i150=result", rallied, (1_281, 15_552), (8_841, 15_552));
}

/// 18.11, 10.61: of two broken 4-6-7 in different woods one tries, and rallies on 7 or less
/// (21/36). If each Location has a first MMC, both do.
#[test]
fn first_mmc_of_side_or_of_location_self_rallies() {
    let mut side = holding("german", "woods", "german:4-6-7/broken");
    let mut other = location("other", "woods", "german:4-6-7/broken");
    other["front"] = true.into();
    side["location"].as_array_mut().unwrap().push(other);
    let request = platoon("own", side);
    assert_figures(&request, "i151=location", mean("MMC in Good Order"), (7, 12), (7, 6));
}

/// 10.53, 10.5: a broken 4-6-7 routs from Open Ground and is pinned on an Original 7 (6/36). It
/// lies on the way, or is back in the front.
#[test]
fn unit_pinned_by_interdiction_lies_there_or_is_back() {
    let request = platoon("enemy", in_the_open("german:4-6-7/broken", "", 1));
    assert_figures(&request, "i153", mean("MMC on the way"), (1, 6), (0, 1));
    assert_figures(&request, "i153", mean("MMC broken in front"), (0, 1), (1, 6));
}

/// 8.1, 10.21, 7.9: 1 FP at +1 gives a NMC on an Original 3 (2/36) and a PTC on 3,1 (2/36); doubles
/// Cower. The NMC breaks on 15/36 and pins on 6/36, the PTC pins on 15/36. On the way lie only the
/// pinned, because the broken go on to the rear.
#[test]
fn mover_under_fire_is_where_it_began_or_on_the_way() {
    let side = json!({ "name": "german",
        "location": [location("front", "woods", ""), location("rear", "woods", "german:4-6-7")],
        "link": [{ "from": "front", "to": "rear", "fire": 1, "fire-drm": 1 }] });
    let request = platoon("own", side);
    assert_figures(&request, "i154", chance_in("rear"), (1, 18), (5, 216));
    assert_figures(&request, "i154", chance_in("way"), (0, 1), (7, 216));
}

/// 7.55, 7.5, 7.9: two squads at Long Range have 4 FP at +2 together. Apart they have 2 FP twice,
/// each a NMC on an Original 2 or 3 (3/36), which breaks the 4-4-7 on 8 or more (15/36).
#[test]
fn separate_fire_is_refused_or_two_attacks() {
    let german = holding("german", "woods", "2x german:4-6-7");
    let russian = holding("russian", "wooden-building", "russian:4-4-7");
    let mut request = firefight("own", 8, german, russian);
    let unbroken = mean("russian: MMC in Good Order");
    assert_figure(&answer(&request), &unbroken, UNHARMED_BY_FOUR_FP);
    request["side"][0]["group"] = "separate".into();
    let fault = &answer(&request)["fault"];
    assert_eq!(fault["message"], "units of one Location fire at one target as one group (A7.55)");
    assert!(fault["help"].as_str().unwrap().contains("i155"), "{fault}");
    let apart = (139 * 139, 144 * 144);
    assert_figure(&answer(&with_alternative(&request, "i155")), &unbroken, apart);
}

/// 3.2, 7.53, 7.9: an 8-0 who will go to the rear directs nothing, so the 4 FP at +2 of his squad
/// Cower. Directed they are a 1MC on 2 or 3 (3/36), a NMC on 4 (3/36).
#[test]
fn leader_who_will_move_directs_prep_fire_or_not() {
    let german = json!({ "name": "german", "leader": "rear", "location": [
            location("front", "woods", "german:8-0 + german:4-6-7"),
            location("rear", "woods", ""),
        ], "link": [{ "from": "front", "to": "rear" }] });
    let russian = holding("russian", "wooden-building", "russian:4-4-7");
    let request = firefight("own", 6, german, russian);
    let unbroken = mean("russian: MMC in Good Order");
    assert_figures(&request, "i156", unbroken, UNHARMED_BY_FOUR_FP, (11, 12));
}

/// 26.1, 10.6: beside an 8-0 a broken 4-6-7 in woods rallies on 8 or less (26/36) and holds the
/// position. If any unit does, the 8-0 holds it.
#[test]
fn position_is_held_by_an_mmc_or_any_unit() {
    let side = holding("german", "woods", "german:8-0 + german:4-6-7/broken");
    let request = platoon("own", side);
    assert_figures(&request, "i157=any", mean("position held"), (13, 18), (1, 1));
}

/// 15.43, 15.1: 1 FP at 0 is a MC on 4 or less (6/36). An Original 2 in it (1/36) sends a 4-6-7
/// berserk on 9 to 11 (9/36), at once or only in its next MPh, which is after this Player Turn.
#[test]
fn berserk_unit_leaves_at_once_or_in_its_next_movement() {
    let mut request = platoon("own", holding("german", "woods", "german:4-6-7"));
    request["hob"] = true.into();
    request["attack"] = json!([{ "at": "post", "fp": 1, "drm": -1, "no-cowering": true }]);
    assert_figures(&request, "i158=stays", mean("MMC berserk"), (1, 864), (0, 1));
}

/// 10.532, 10.53: a pinned crew at range 2 cannot Interdict the broken 4-6-7, which must rout and
/// would be pinned on an Original 7 (6/36). A second crew, at range 4, Interdicts beyond its Normal
/// Range, or only within it. None of them has 1 FP, so nobody fires.
#[test]
fn able_enemies_near_enemies_or_all_interdict() {
    let german = in_the_open("german:4-6-7/broken", "", 1);
    let near = holding("russian", "woods", "russian:1-2-7/pinned");
    let always = firefight("enemy", 2, german, near);
    let on_way = mean("german: MMC on the way");
    assert_figures(&always, "i159=always", &on_way, (0, 1), (1, 6));
    let mut both = always;
    let mut far = location("far", "woods", "russian:1-2-7");
    far["front"] = true.into();
    both["side"][1]["location"].as_array_mut().unwrap().push(far);
    both.as_object_mut().unwrap().remove("range");
    both["ranges"] = json!({ "field-post": 2, "field-far": 4 });
    assert_figures(&both, "i159=normal-range", &on_way, (1, 6), (0, 1));
}

/// 10.5: a hero at range 6, beyond his Normal Range of 4, forces no rout from Open Ground unless
/// Long Range counts. He has less than 1 FP there.
#[test]
fn normal_or_long_range_forces_a_rout() {
    let german = in_the_open("german:4-6-7/broken", "", 0);
    let request = firefight("enemy", 6, german, holding("russian", "woods", "russian:hero"));
    let in_front = mean("german: MMC broken in front");
    assert_figures(&request, "i160=long-range", in_front, (1, 1), (0, 1));
}

/// 7.1, 7.302, 7.9: 4 FP at +2 Reduce a broken 4-6-7 that fails their MC. If nobody fires at broken
/// units it stays whole.
#[test]
fn broken_units_are_fired_at_or_not() {
    let german = holding("german", "wooden-building", "german:4-6-7/broken");
    let request = firefight("enemy", 4, german, holding("russian", "woods", "russian:4-4-7"));
    let whole = chance_of_whole("german", "4-6-7");
    assert_figures(&request, "i161", whole, UNHARMED_BY_FOUR_FP, (1, 1));
}

/// 4.7, 3.3, 10.61: a broken 4-6-7 rallies in woods on 7 or less (21/36) and moves one Location. If
/// it also advances it is in the front.
#[test]
fn unit_moves_or_moves_and_advances() {
    let side = json!({ "name": "german", "location": [
            location("front", "woods", ""),
            location("yard", "woods", ""),
            location("rear", "woods", "german:4-6-7/broken"),
        ], "link": [
            { "from": "front", "to": "yard", "move": "advance" },
            { "from": "yard", "to": "rear" },
        ] });
    let request = platoon("own", side);
    assert_figures(&request, "i162", mean("MMC in Good Order in front"), (0, 1), (7, 12));
}

/// 7.24, 7.9: a 4-6-7 that has moved to the front holds its fire. In the AFPh its 2 FP at +2 are a
/// NMC on an Original 2 or 3 (3/36), which Reduces a broken 4-4-7 on 8 or more (15/36).
#[test]
fn units_that_moved_hold_their_fire_or_fire() {
    let german = json!({ "name": "german",
        "location": [location("front", "woods", ""), location("rear", "woods", "german:4-6-7")],
        "link": [{ "from": "front", "to": "rear" }] });
    let russian = holding("russian", "wooden-building", "russian:4-4-7/broken");
    let request = firefight("own", 4, german, russian);
    assert_figures(&request, "i163", chance_of_whole("russian", "4-4-7"), (1, 1), (139, 144));
}

/// 17.2, 17.11, 10.53, 10.64: an 8-0 fails to rally on 8 to 11 (14/36) and is pinned on 8 (5/36);
/// Fate on 12 wounds him lightly (1/36 * 4/6), and he is pinned on 7 (6/36). Wounded on the way by
/// a higher DR (9/36 * 4/6, or again 14/36 * 3/6) he goes on, or lies there too.
#[test]
fn wounded_leader_goes_on_or_lies_on_the_way() {
    let request = platoon("enemy", in_the_open("german:8-0/broken", "", 1));
    // 14/36 * 5/36 + 1/54 * 6/36, or 14/36 * 11/36 + 1/54 * 13/36.
    assert_figures(&request, "i164", chance_in("way"), (37, 648), (61, 486));
}

/// 4.44, 10.6: with an 8-0 a broken 4-6-7 in woods rallies on 8 or less (26/36). At 13 hexes only
/// its HMG fires, 6 FP at +2: an Original 2 is a 2MC, 3 or 4 a 1MC, 5 a NMC, which break a 4-4-7 in
/// 191 of 1296 cases. A squad that has rallied fires in both Player Turns, or recovers the HMG in
/// the second RPh on a dr of 5 or less.
#[test]
fn machine_gun_is_fired_by_the_next_squad_or_recovered() {
    let mut german = holding("german", "woods", "german:8-0 + german:4-6-7/broken");
    german["location"][0]["weapons"] = json!(["german:hmg"]);
    let russian = holding("russian", "wooden-building", "russian:4-4-7");
    let mut request = firefight("russian", 13, german, russian);
    request["turns"] = 2.into();
    let unbroken = |answer: &Value| {
        chance(answer, |row| {
            row["phase"] == 2 && row["side"] == "russian" && row["status"] == "good-order"
        })
    };
    // It rallies at once, or in the second RPh, after an Original 12 as a HS on 7 or less (10.64):
    // 26/36 (1105/1296)^2 + 9/36 (26/36 1105/1296 + 10/36) + 1/36 (21/36 1105/1296 + 15/36).
    let default = (23_394_715, 30_233_088);
    // 26/36 (1/6 + 5/6 1105/1296) + 10/36.
    let alternative = (127_553, 139_968);
    assert_figures(&request, "i165=recovered", unbroken, default, alternative);
}

/// 5.1, 10.5: a broken 4-6-7 must rout from Open Ground to woods with three squads. If a full
/// Location is closed it is lost.
#[test]
fn full_location_is_open_or_closed_to_a_rout() {
    let side = in_the_open("german:4-6-7/broken", "3x german:4-6-7", 0);
    let request = platoon("enemy", side);
    assert_figures(&request, "i166", mean("MMC lost"), (0, 1), (1, 1));
    assert_figures(&request, "i166", mean("MMC broken behind"), (1, 1), (0, 1));
}

/// Sets a field that is named by its place, such as `side.1.elr`.
fn put(request: &mut Value, name: &str, value: &Value) {
    let mut at = request;
    for word in name.split('.') {
        at = match word.parse::<usize>() {
            Ok(number) => &mut at[number - 1],
            Err(_) => &mut at[word],
        };
    }
    *at = value.clone();
}

/// Returns the questions of a study, one for each combination of the values of its grid.
fn cells(study: &Value) -> Vec<Value> {
    let mut cells = vec![study["base"].clone()];
    for (name, values) in study["grid"].as_object().unwrap() {
        let values = values.as_array().unwrap();
        let with = |(cell, value): (&Value, &Value)| {
            let mut cell = cell.clone();
            put(&mut cell, name, value);
            cell
        };
        let pairs = cells.iter().flat_map(|cell| values.iter().map(move |value| (cell, value)));
        cells = pairs.map(with).collect();
    }
    for cell in &mut cells {
        cell["kind"] = study["question"].clone();
    }
    cells
}

/// Returns the requests that a file stands for: a platoon, a firefight, a comparison or a study.
fn requests_of(file: &Value) -> Vec<Value> {
    if file["grid"].is_object() {
        return cells(file);
    }
    let mut request = file.clone();
    if file["course"].is_array() {
        request["request"] = "compare".into();
        request["kind"] = request.as_object_mut().unwrap().remove("question").unwrap();
    } else {
        let sides = file["side"].as_array().unwrap().len();
        request["kind"] = if sides == 2 { "firefight" } else { "platoon" }.into();
    }
    vec![request]
}

#[test]
fn all_files_of_platoons_are_answered() {
    let mut answered = 0;
    for entry in std::fs::read_dir("tests/fixtures/platoon/files").unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: Value = toml::from_str(&text).unwrap();
        for mut request in requests_of(&file) {
            request["options"] = json!({ "engine": "monte-carlo", "trials": 100, "seed": 1 });
            let answer = lowcrawl::answer_json(&request.to_string());
            let rows = answer["rows"].as_array().map_or(0, Vec::len);
            assert!(rows > 0, "{}: {answer}", path.display());
            answered += 1;
        }
    }
    // Five questions, a comparison, and a study of nine.
    assert_eq!(answered, 15);
}
