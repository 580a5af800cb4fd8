//! Random small questions of every kind with random parameters, also for `twin`.

use super::twin::{Army, Parameters, Step, Twin, Unit, World};
use super::*;
pub use crate::random::Rng;

/// A question as fields, and for the twin.
pub struct Case {
    pub kind: &'static str,
    pub fields: Vec<String>,
    pub twin: Twin,
    /// True if inches are reported. Otherwise more states merge.
    pub inches: bool,
    /// True if the effects of volleys are reported.
    pub effects: bool,
    /// The smallest move back, in inches, that has the status `forced-back-far`.
    pub at_least: Option<i64>,
    pub start: World,
    /// The steps, each with its report point, if it has one.
    pub steps: Vec<(Step, Option<u16>)>,
}

/// Returns parameters, some with other values than the default, within limits for small cases.
fn parameters(rng: &mut Rng) -> (Parameters, Vec<String>) {
    let (mut parameters, mut fields) = (Parameters::new(), Vec::new());
    for parameter in Reaction.parameters() {
        if !rng.one_in(6) {
            continue;
        }
        let value = match parameter
            .values
            .strip_prefix("a whole number from ")
            .and_then(|range| range.split_once(" to "))
        {
            Some((low, high)) => {
                let (low, high): (i64, i64) = (low.parse().unwrap(), high.parse().unwrap());
                let dice = parameter.name.ends_with("-dice") || parameter.name.contains("-dice-");
                let most = if dice { high.min(2) } else { high.min(9) };
                rng.between(low.max(-2), most).to_string()
            }
            None => {
                let words: Vec<&str> = parameter.values.split(" or ").collect();
                rng.pick(&words).to_string()
            }
        };
        fields.push(format!("{}={value}", parameter.name));
        parameters.insert(parameter.name, value);
    }
    // The pools of the twin must be small.
    for (name, dice) in [("rally-dice", 2), ("army-morale-dice", 2), ("command-dice", 2)] {
        if !parameters.contains_key(name) {
            parameters.insert(name, dice.to_string());
            fields.push(format!("{name}={dice}"));
        }
    }
    (parameters, fields)
}

/// Returns a random unit, in the notation and for the slow implementation.
fn unit(rng: &mut Rng, enemy_side: bool, twin: &Twin) -> (String, Unit) {
    let cohesion = twin.parameters.get("cohesion").map_or(3, |cohesion| cohesion.parse().unwrap());
    let mut unit = Unit {
        enemy_side,
        reaction: rng.between(0, 3),
        at: rng.between(1, 3),
        cohesion,
        ..Unit::default()
    };
    let mut words = vec![format!("reaction={},at={}", unit.reaction, unit.at)];
    if rng.one_in(4) {
        unit.cohesion = rng.between(1, 4);
        words.push(format!("cohesion={}", unit.cohesion));
    }
    unit.dp = rng.below(unit.cohesion.min(4));
    words.extend((unit.dp > 0).then(|| format!("dp={}", unit.dp)));
    for (word, mark, odds) in [
        ("suppressed", &mut unit.suppressed, 3),
        ("fired", &mut unit.fired, 6),
        ("fast", &mut unit.fast, 3),
    ] {
        *mark = rng.one_in(odds);
        words.extend(mark.then(|| word.to_string()));
    }
    if rng.one_in(3) {
        // Without an edge, cover or a friend may be the farthest item.
        let edge = rng.between(5, 20);
        let has_edge = rng.one_in(2);
        let mut place = |odds| rng.one_in(odds).then(|| rng.between(0, edge));
        (unit.edge, unit.cover, unit.enemy) = (has_edge.then_some(edge), place(2), place(3));
        let from = rng.between(0, edge);
        let to = from + rng.between(1, 3);
        let free = |place: Option<i64>| place.is_none_or(|place| !(from..to).contains(&place));
        unit.friend = (to <= edge && free(unit.cover) && free(unit.enemy)).then_some((from, to));
        words.extend(unit.edge.map(|edge| format!("edge={edge}")));
        words.extend(unit.cover.map(|cover| format!("cover={cover}")));
        words.extend(unit.enemy.map(|enemy| format!("enemy={enemy}")));
        words.extend(unit.friend.map(|(from, to)| format!("friend={from}-{to}")));
    } else if rng.one_in(2) {
        // A unit with a goal has nothing behind it.
        unit.goal = Some(rng.between(0, 16));
        words.extend(unit.goal.map(|goal| format!("goal={goal}")));
    }
    (format!("unit/{}", words.join(",")), unit)
}

/// Returns random modifiers of a shot, as fields and as a step.
fn shot(
    rng: &mut Rng,
    prefix: &str,
    firer: Option<usize>,
    dice: i64,
    target: usize,
) -> (Vec<String>, Step) {
    let [flank, uphill, artillery] = [0; 3].map(|_| rng.one_in(5));
    let range = rng.pick(&["close", "effective", "effective", "long"]);
    let moved = rng.pick(&["single", "single", "double", "triple"]);
    let cover = rng.pick(&["none", "none", "light", "medium", "heavy"]);
    let words = [("range", range), ("move", moved), ("cover", cover)];
    let words = words.map(|(field, word)| format!("{prefix}{field}={word}"));
    let flags = [("flank", flank), ("uphill", uphill), ("artillery", artillery)];
    let flags = flags.map(|(field, flag)| format!("{prefix}{field}={flag}"));
    let step = Step::Volley { firer, dice, target, range, flank, uphill, moved, cover, artillery };
    (words.into_iter().chain(flags).collect(), step)
}

pub fn case(kind: &'static str, rng: &mut Rng) -> Case {
    let (parameters, mut fields) = parameters(rng);
    let read = |name: &str, default: i64| {
        parameters.get(name).map_or(default, |value| value.parse().unwrap())
    };
    let army = Army {
        morale: read("army-morale", 15),
        dice: read("command-dice", 6),
        standing: "holds",
        ..Army::default()
    };
    let mut start = World { armies: [army.clone(), army], ..World::default() };
    let mut twin = Twin {
        parameters: parameters.clone(),
        armies: false,
        two_armies: false,
        staff_used: false,
        first: false,
        rally_dice: [None; 2],
        moves: kind == "sequence",
    };
    let mut steps = Vec::new();
    let orders = |dice| Step::Orders { side: 0, dice: Some(dice), staff: 0, fresh: true };
    match kind {
        "volley" | "volleys" => {
            let (text, unit) = unit(rng, false, &twin);
            start.units = vec![unit];
            let dice = rng.between(1, 3);
            let (shot, step) = shot(rng, "", None, dice, 0);
            fields.extend(shot);
            twin.armies = rng.one_in(2);
            fields.extend([
                format!("target={text}"),
                format!("dice={dice}"),
                format!("army={}", twin.armies),
            ]);
            let wild = [rng.below(4) / 2, rng.below(4) / 2];
            start.armies[0].wild = wild[0];
            start.armies[1].wild = wild[1];
            fields.extend([format!("wild={}", wild[0]), format!("enemy-wild={}", wild[1])]);
            if kind == "volley" {
                steps.push((step, Some(0)));
            } else {
                let (volleys, between) = (rng.between(1, 3), rng.below(4));
                fields.extend([format!("volleys={volleys}"), format!("orders={between}")]);
                for point in 1..=volleys as u16 {
                    steps.extend((point > 1).then(|| (orders(between), None)));
                    steps.push((step.clone(), Some(point)));
                }
            }
        }
        "rally" => {
            let units: Vec<(String, Unit)> =
                (0..rng.between(1, 3)).map(|_| unit(rng, false, &twin)).collect();
            let (between, turns) = (rng.below(4), rng.between(1, 3));
            start.armies[0].wild = rng.below(2);
            let text = units.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" + ");
            fields.extend([
                format!("units={text}"),
                format!("orders={between}"),
                format!("turns={turns}"),
            ]);
            fields.push(format!("wild={}", start.armies[0].wild));
            start.units = units.into_iter().map(|(_, unit)| unit).collect();
            steps.extend((1..=turns as u16).map(|point| (orders(between), Some(point))));
        }
        "command" => {
            let dice = rng.between(1, 4);
            twin.first = rng.one_in(2);
            start.armies[0].dice = dice;
            start.armies[1].dice = if twin.first { rng.between(1, 4) } else { 0 };
            fields.push(format!("dice={dice}"));
            fields.extend(twin.first.then(|| format!("enemy-dice={}", start.armies[1].dice)));
            steps.push((Step::Roll { for_pulses: false }, Some(0)));
        }
        "morale" => {
            let (points, dispersals) = (rng.below(10), rng.between(1, 6));
            start.armies[0].morale = points;
            fields.extend([format!("points={points}"), format!("dispersals={dispersals}")]);
            steps.extend((1..=dispersals as u16).map(|point| (Step::Loss, Some(point))));
        }
        "check" => {
            let dice = rng.between(1, 4);
            fields.push(format!("dice={dice}"));
            steps.push((Step::Check { dice }, Some(0)));
        }
        "move" => {
            let (text, unit) = unit(rng, false, &twin);
            start.units = vec![unit];
            let chain = rng.between(1, 2);
            fields.extend([format!("mover={text}"), format!("dice={chain}")]);
            steps.push((Step::Move { place: 0, chain }, Some(0)));
        }
        _ => {
            let (more, of_steps) = sequence(rng, &mut twin, &mut start);
            fields.extend(more);
            steps.extend((1..).zip(of_steps).map(|(point, step)| (step, Some(point))));
        }
    }
    let may_report = matches!(kind, "volley" | "volleys" | "sequence");
    let inches = kind == "move" || (may_report && rng.one_in(2));
    fields.extend(may_report.then_some(format!("inches={inches}")));
    fields.push("joint".to_string());
    let at_least = (kind == "volley" && rng.one_in(3)).then(|| rng.between(4, 16));
    fields.extend(at_least.map(|inches| format!("at-least={inches}")));
    let effects = matches!(kind, "volleys" | "sequence") && rng.one_in(2);
    fields.extend(effects.then_some("effects".to_string()));
    Case { kind, fields, twin, inches, effects, at_least, start, steps }
}

/// Returns random sides of one or two units, and up to five steps.
fn sequence(rng: &mut Rng, twin: &mut Twin, start: &mut World) -> (Vec<String>, Vec<Step>) {
    let mut fields = Vec::new();
    let mut steps = Vec::new();
    twin.armies = !rng.one_in(4);
    twin.two_armies = twin.armies;
    fields.push(format!("army={}", twin.armies));
    let staff = twin.parameters.get("staff-orders").map_or(4, |staff| staff.parse().unwrap());
    for (side, name) in ["own", "enemy"].into_iter().enumerate() {
        let units: Vec<(String, Unit)> =
            (0..rng.between(1, 2)).map(|_| unit(rng, side == 1, twin)).collect();
        let text = units.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" + ");
        fields.push(format!("{name}={text}"));
        start.units.extend(units.into_iter().map(|(_, unit)| unit));
        let army = &mut start.armies[side];
        (army.morale, army.dice) = (rng.below(5), rng.between(0, 2));
        army.staff = army.dice.min(staff);
        fields.push(format!("{name}-morale={}", army.morale));
        fields.push(format!("{name}-command-dice={}", army.dice));
        twin.rally_dice[side] = rng.one_in(3).then(|| rng.between(0, 3));
        fields.extend(twin.rally_dice[side].map(|dice| format!("{name}-rally-dice={dice}")));
    }
    let own = start.units.iter().filter(|unit| !unit.enemy_side).count();
    let units = start.units.len();
    let (mut rolls, mut rolled) = (false, false);
    // True if pulses use the Command Dice of this turn, false if other steps do.
    let (mut pulses, mut spent) = (false, false);
    let mut roll = 0;
    for step in 1..=rng.between(2, 5) {
        let prefix = format!("{step}.");
        let mut add_step = |step_kind: &str, more: Vec<String>| {
            fields.push(format!("{prefix}do={step_kind}"));
            fields.extend(more);
        };
        let side = rng.below(2) as usize;
        let side_field = format!("{prefix}side={}", ["own", "enemy"][side]);
        let with_goal: Vec<usize> =
            (0..units).filter(|&place| start.units[place].goal.is_some()).collect();
        match rng.below(12) {
            10 | 11 if !with_goal.is_empty() => {
                let (place, chain) = (rng.pick(&with_goal), rng.between(1, 2));
                let numbers = vec![
                    format!("{prefix}slot={}", place as i64 + 1),
                    format!("{prefix}dice={}", chain),
                ];
                // The default policy always moves.
                let may_hold = format!("{prefix}may-hold={}", rng.one_in(3));
                add_step("move", [numbers, vec![may_hold]].concat());
                steps.push(Step::Move { place, chain });
            }
            0..=4 => {
                let target = rng.below(units as i64) as usize;
                let others = if target < own { own..units } else { 0..own };
                let firer = rng.pick(&others.collect::<Vec<_>>());
                let firer = (!rng.one_in(4)).then_some(firer);
                let dice = firer.map_or(2, |firer| start.units[firer].at);
                let (shot, shape) = shot(rng, &prefix, firer, dice, target);
                let who = firer.map_or(format!("{prefix}dice=2"), |firer| {
                    format!("{prefix}firer={}", firer as i64 + 1)
                });
                add_step(
                    "volley",
                    [vec![who, format!("{prefix}target={}", target as i64 + 1)], shot].concat(),
                );
                steps.push(shape);
            }
            5 | 6 => {
                let (dice, staff) = (if pulses { 0 } else { rng.below(3) }, rng.below(2));
                spent |= dice > 0;
                let fresh =
                    twin.parameters.get("activation-limit").is_some_and(|limit| limit == "pulse");
                let numbers = vec![
                    side_field,
                    format!("{prefix}dice={}", dice),
                    format!("{prefix}staff={}", staff),
                ];
                add_step("command", numbers);
                steps.push(Step::Orders { side, dice: Some(dice), staff, fresh });
            }
            7 if !rolls => {
                (rolls, rolled) = (true, true);
                roll = steps.len();
                add_step("roll", Vec::new());
                steps.push(Step::Roll { for_pulses: false });
            }
            7..=9 if rolled && (pulses || !spent) && !rng.one_in(4) => {
                pulses = true;
                let staff = rng.below(3);
                add_step("pulse", vec![format!("{prefix}staff={}", staff)]);
                steps[roll] = Step::Roll { for_pulses: true };
                steps.push(Step::Pulse { staff });
            }
            7 | 8 if rolled && !pulses => {
                spent = true;
                let (chain, sixes) = (rng.between(2, 4), rng.one_in(2));
                let more = vec![
                    side_field,
                    format!("{prefix}dice={}", chain),
                    format!("{prefix}sixes={}", sixes),
                ];
                add_step("restock", more);
                steps.push(Step::Restock { side, chain, sixes });
            }
            _ if rng.one_in(2) => {
                let slot = rng.below(units as i64);
                add_step("disperse", vec![format!("{prefix}slot={}", slot + 1)]);
                steps.push(Step::Disperse(slot as usize));
            }
            _ => {
                (rolled, pulses, spent) = (false, false, false);
                add_step("turn", Vec::new());
                steps.push(Step::Turn);
            }
        }
    }
    let by_steps = steps.iter().any(
        |step| matches!(step, Step::Orders { staff, .. } | Step::Pulse { staff } if *staff > 0),
    );
    twin.staff_used = by_steps || twin.armies && twin.holds("army-morale-check");
    (fields, steps)
}
