//! Random cases from a fixed seed, as fields of a question and for the slow implementation.

use std::collections::BTreeMap;

use lowcrawl::fortitude::Fortitude;
use lowcrawl::play::Game as _;

pub use crate::random::Rng;

use super::case::{Case, Event, Unit, Who, allows};

pub const KINDS: [&str; 5] = ["test", "recover", "fire", "assault", "sequence"];
const LEVELS: [&str; 4] = ["normal", "hesitant", "shaken", "panicked"];
const ORDERS: [&str; 11] = [
    "none",
    "defend",
    "all-around-defense",
    "fire-ranged-weapons",
    "fire-and-retreat",
    "move-and-fire",
    "assault",
    "march",
    "rest",
    "retreat",
    "run",
];
const SIDES: [&str; 3] = ["front", "flank", "rear"];

/// Returns a random case, as fields of a question and for the slow implementation.
pub fn random_case(rng: &mut Rng, kind: &str) -> (Vec<(String, String)>, Case) {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut case = Case { until: "none".to_string(), ..Case::default() };
    let mut put = |field: &str, value: String| fields.push((field.to_string(), value));
    case.parameters = parameters(rng);
    if kind == "sequence" {
        // A sequence rejects this parameter.
        case.parameters.insert("assault-each-turn".to_string(), "false".to_string());
    }
    for parameter in Fortitude.parameters() {
        let value = case.parameters[parameter.name].clone();
        if value != parameter.default {
            put(parameter.name, value);
        }
    }
    if kind != "test" && rng.one_in(4) {
        case.until = rng.pick(&["normal", "hesitant", "shaken", "routed", "panicked"]).to_string();
        put("until", case.until.clone());
    }
    case.staff_lost[0] = rng.one_in(8) && kind != "test";
    if case.staff_lost[0] {
        put("staff-lost", "true".to_string());
    }
    let own = if matches!(kind, "assault") { 1 } else { 1 + rng.below(2) };
    let mut texts = Vec::new();
    for place in 0..own {
        let staff = place == 0 && own > 1 && !case.staff_lost[0] && kind != "test" && rng.one_in(3);
        let (unit, text) = unit(rng, false, staff, case.staff_lost[0], true);
        case.units.push(unit);
        texts.push(text);
    }
    put("units", texts.join(" + "));
    let turns = 1 + rng.below(2) as u16;
    let order = order(rng, &case.units, &case.parameters);
    let orders = |units: &[Unit], own: &str, enemy: &str| {
        Event::Orders(
            units.iter().map(|unit| if unit.enemy { enemy } else { own }.to_string()).collect(),
        )
    };
    match kind {
        "test" => {
            let cause = rng.pick(&["morale", "flank", "rear", "casualties", "staff-lost"]);
            put("cause", cause.to_string());
            let event = match cause {
                "morale" => Event::MoralePhase,
                "casualties" => {
                    let casualties = 1 + rng.below(2);
                    put("casualties", casualties.to_string());
                    Event::Casualties(casualties)
                }
                "staff-lost" => Event::StaffLost(false),
                side => Event::Test(SIDES.into_iter().find(|other| *other == side).unwrap()),
            };
            if cause != "morale" {
                put("order", order.to_string());
                case.events.push(orders(&case.units, order, ""));
            }
            case.events.extend([event, Event::Report(0)]);
        }
        "recover" => {
            let turns = turns + 1;
            put("turns", turns.to_string());
            if rng.one_in(2) {
                put("just-routed", "true".to_string());
                case.events.push(Event::Retreat);
            }
            (1..=turns).for_each(|turn| {
                case.events.extend([Event::MoralePhase, Event::Retreat, Event::Report(turn)])
            });
        }
        "fire" => {
            put("turns", turns.to_string());
            put("order", order.to_string());
            let attacks = 1 + rng.below(2);
            put("attacks", attacks.to_string());
            let force = force(rng, &mut put);
            case.forces.push(force);
            for turn in 1..=turns {
                case.events.extend((turn > 1).then_some(Event::MoralePhase));
                case.events.push(orders(&case.units, order, ""));
                for at in 0..own {
                    case.events.extend((0..attacks).map(|_| Event::Fire { by: Who::Dice(0), at }));
                }
                case.events.extend([Event::Retreat, Event::Report(turn)]);
            }
        }
        "assault" => {
            put("turns", turns.to_string());
            put("order", order.to_string());
            let sides: Vec<&str> = if rng.one_in(2) {
                vec![rng.pick(&SIDES)]
            } else {
                rng.pick(&[["flank", "flank"], ["flank", "rear"], ["front", "rear"]]).to_vec()
            };
            put("sides", sides.join(","));
            let by: Vec<Who> = if rng.one_in(2) {
                let mut texts = Vec::new();
                for _ in &sides {
                    let (unit, text) = unit(rng, true, false, false, false);
                    case.units.push(unit);
                    texts.push(text);
                }
                put("by", texts.join(" + "));
                (1..=sides.len()).map(Who::Unit).collect()
            } else {
                let force = force(rng, &mut put);
                case.forces = vec![force; sides.len()];
                (0..sides.len()).map(Who::Dice).collect()
            };
            let by: Vec<(Who, &'static str)> = by.into_iter().zip(sides).collect();
            let each = case.parameters["assault-each-turn"] == "true";
            for turn in 1..=turns {
                let assaults = turn == 1 || each;
                case.events.extend((turn > 1).then_some(Event::MoralePhase));
                case.events.push(orders(&case.units, order, if assaults { "assault" } else { "" }));
                case.events.extend(assaults.then(|| Event::Assault {
                    at: 0,
                    by: by.clone(),
                    again: turn > 1,
                }));
                case.events.extend([Event::Melee, Event::Retreat, Event::Report(turn)]);
            }
        }
        _ => {
            let mut texts = Vec::new();
            for place in 0..1 + rng.below(2) {
                let staff = place == 0 && rng.one_in(3);
                let (unit, text) = unit(rng, true, staff, false, true);
                case.units.push(unit);
                texts.push(text);
            }
            put("enemies", texts.join(" + "));
            sequence(rng, &mut case, own, turns, &mut put);
        }
    }
    (fields, case)
}

/// Creates turns with fire, the loss of the staff, and an assault.
fn sequence(
    rng: &mut Rng,
    case: &mut Case,
    own: usize,
    turns: u16,
    put: &mut impl FnMut(&str, String),
) {
    let mut step = 0;
    for turn in 1..=turns {
        step += 1;
        put(&format!("{step}.do"), "turn".to_string());
        let (at, by) = (rng.below(own), own + rng.below(case.units.len() - own));
        let assaults = rng.one_in(2);
        let order = order(rng, &case.units[..own], &case.parameters);
        // Sometimes a unit of the owner assaults as well, before or after the enemy does.
        let back = (assaults && rng.one_in(2))
            .then(|| (rng.below(own), own + rng.below(case.units.len() - own), rng.pick(&SIDES)));
        let first = rng.one_in(2);
        let of_slot = |slot: usize| {
            if back.is_some_and(|(me, ..)| me + 1 == slot) { "assault" } else { order }
        };
        put(
            &format!("{step}.orders"),
            (1..=own).map(|slot| format!("{slot}:{}", of_slot(slot))).collect::<Vec<_>>().join(","),
        );
        let mut orders: Vec<String> =
            case.units.iter().map(|unit| if unit.enemy { "" } else { order }.to_string()).collect();
        if assaults {
            orders[by] = "assault".to_string();
        }
        if let Some((me, ..)) = back {
            orders[me] = "assault".to_string();
        }
        case.events.extend([Event::MoralePhase, Event::Orders(orders)]);
        let mut fire = |by: usize, at: usize| {
            step += 1;
            put(&format!("{step}.do"), "fire".to_string());
            put(&format!("{step}.at"), (at + 1).to_string());
            put(&format!("{step}.by"), (by + 1).to_string());
            case.events.push(Event::Fire { by: Who::Unit(by), at });
        };
        let firing = &case.parameters["orders-that-fire"];
        if rng.one_in(2) && allows(firing, if assaults { "assault" } else { "" }) {
            fire(by, at);
        }
        // The owner fires back if its order allows it.
        if rng.one_in(4) && allows(firing, of_slot(at + 1)) {
            fire(at, by);
        }
        if rng.one_in(4) {
            step += 1;
            put(&format!("{step}.do"), "staff-destroyed".to_string());
            put(&format!("{step}.of"), "enemies".to_string());
            case.events.push(Event::StaffLost(true));
        }
        let mut both: Vec<(usize, usize, &'static str)> = Vec::new();
        if assaults {
            both.push((at, by, rng.pick(&SIDES)));
        }
        if let Some((me, foe, side)) = back {
            both.insert(if first { 0 } else { 1 }, (foe, me, side));
        }
        for (at, by, side) in both {
            step += 1;
            put(&format!("{step}.do"), "assault".to_string());
            put(&format!("{step}.at"), (at + 1).to_string());
            put(&format!("{step}.by"), (by + 1).to_string());
            put(&format!("{step}.sides"), side.to_string());
            case.events.push(Event::Assault { at, by: vec![(Who::Unit(by), side)], again: false });
        }
        case.events.extend([Event::Melee, Event::Retreat, Event::Report(turn)]);
    }
}

/// Returns a random order that all of the units can have.
fn order(rng: &mut Rng, units: &[Unit], parameters: &BTreeMap<String, String>) -> &'static str {
    let order = rng.pick(&ORDERS);
    let infantry_only = matches!(order, "defend" | "all-around-defense");
    let commanded = !allows(&parameters["orders-without-commander"], order);
    let refused = |unit: &Unit| {
        infantry_only && unit.cavalry || commanded && !unit.commander && !unit.is_staff
    };
    if units.iter().any(refused) { "none" } else { order }
}

/// Creates random dice with a value, or fixed casualties.
fn force(rng: &mut Rng, put: &mut impl FnMut(&str, String)) -> (i32, i32) {
    if rng.one_in(3) {
        let casualties = rng.below(3);
        put("casualties", casualties.to_string());
        return (0, casualties);
    }
    let (dice, value) = (1 + rng.below(3), 3 + rng.below(15));
    put("dice", dice.to_string());
    put("value", value.to_string());
    (dice, value)
}

/// Creates a random unit and its notation, at a random level if that is allowed.
fn unit(rng: &mut Rng, enemy: bool, is_staff: bool, staff_lost: bool, any: bool) -> (Unit, String) {
    let level = if any { rng.below(4) } else { rng.below(2) };
    let models = 1 + rng.below(3);
    let mut unit = Unit {
        enemy,
        base: 5 + rng.below(9),
        attack: 4 + rng.below(9),
        attack_cavalry: 4 + rng.below(9),
        defense: rng.below(3),
        models,
        dice: 1,
        cavalry: rng.one_in(4),
        level,
        lost: rng.below(models as usize) as i32,
        fatigue: rng.pick(&[0, 0, 1, 2]),
        commander: rng.one_in(4),
        honor: rng.one_in(4),
        engaged: rng.one_in(6),
        blocked: rng.one_in(6),
        is_staff,
        ..Unit::default()
    };
    unit.staff = (!is_staff && !staff_lost && rng.one_in(2)).then(|| 1 + rng.below(6));
    unit.edge = rng.one_in(2).then(|| 1 + rng.below(6));
    unit.own_edge = unit.edge.filter(|_| rng.one_in(2)).map(|edge| edge + rng.below(5));
    let mut text = format!(
        "unit/base={},attack={},attack-cavalry={},defense={},models={},dice={},casualties={},fatigue={}",
        unit.base,
        unit.attack,
        unit.attack_cavalry,
        unit.defense,
        unit.models,
        unit.dice,
        unit.lost,
        unit.fatigue
    );
    for (holds, word) in [
        (unit.cavalry, "cavalry"),
        (unit.commander, "commander"),
        (unit.honor, "honor"),
        (unit.engaged, "engaged"),
        (unit.blocked, "blocked"),
        (unit.is_staff, "general-staff"),
    ] {
        text += &if holds { format!(",{word}") } else { String::new() };
    }
    if unit.level > 0 {
        text += &format!(",{}", LEVELS[unit.level as usize]);
    }
    text += &unit.staff.map_or(String::new(), |hexes| format!(",staff={hexes}"));
    text += &unit.edge.map_or(String::new(), |hexes| format!(",edge={hexes}"));
    text += &unit.own_edge.map_or(String::new(), |hexes| format!(",own-edge={hexes}"));
    (unit, text)
}

/// Returns all parameters, a few of them with other values than the default.
fn parameters(rng: &mut Rng) -> BTreeMap<String, String> {
    let value = |rng: &mut Rng, default: &str, values: &str| match values {
        _ if !rng.one_in(6) => default.to_string(),
        values if values.starts_with("four numbers") && values.contains("zero") => {
            rng.pick(&["0,-1,-2,-4", "1,zero,-2,zero", "0,-2,zero,-3"]).to_string()
        }
        values if values.starts_with("four numbers") => {
            rng.pick(&["0,-2,-3,-5", "1,0,-1,-2"]).to_string()
        }
        values if values.starts_with("three numbers") => {
            rng.pick(&["0,-2,-3", "1,0,2"]).to_string()
        }
        values if values.starts_with("a whole number from") => {
            let number = default.parse::<i32>().unwrap() + rng.below(3) - 1;
            let low: i32 = values.split(' ').nth(4).unwrap().parse().unwrap();
            number.max(low).to_string()
        }
        // Assaulting units often have no Commander.
        values if values.starts_with("orders") => {
            rng.pick(&["all", "defend,fire-ranged-weapons,assault,rest", default]).to_string()
        }
        words => rng.pick(&words.split(" or ").collect::<Vec<_>>()).to_string(),
    };
    let random_value = |parameter: &lowcrawl::schema::kind::Parameter, rng: &mut Rng| {
        (parameter.name.to_string(), value(rng, parameter.default, parameter.values))
    };
    Fortitude.parameters().iter().map(|parameter| random_value(parameter, rng)).collect()
}
