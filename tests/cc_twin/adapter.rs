//! Conversion of engagements and of answers for `lowcrawl`.

use super::counters::counter;
use super::{Ambush, Case, Leaving, Man, Place, Plan, PlannedAttack, State, Table};

fn man_text(man: &Man) -> String {
    let of = counter(man.counter);
    let words = [
        (man.concealed, "concealed"),
        (man.broken && !man.disrupted, "broken"),
        (man.disrupted, "disrupted"),
        (man.dm, "dm"),
        (man.pinned, "pinned"),
        (man.wounded && of.id != "any_hero_138", "wounded"),
        (man.fanatic, "fanatic"),
        (man.heroic, "heroic"),
        (man.berserk, "berserk"),
        (man.cx, "cx"),
        (man.ti, "ti"),
        (man.unarmed, "unarmed"),
        (man.guard, "guard"),
        (man.stealthy, "stealthy"),
        (man.lax, "lax"),
        (man.alone, "alone"),
    ];
    let words = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word.to_string());
    let words: Vec<String> =
        words.chain(man.with.map(|with| format!("with={}", with + 1))).collect();
    let slash = if words.is_empty() { "" } else { "/" };
    format!("id:{}{slash}{}", of.id, words.join(","))
}

fn numbers(units: &[usize]) -> String {
    if units.is_empty() {
        return "all".to_string();
    }
    units.iter().map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(",")
}

pub fn plan_text(plan: &Plan) -> String {
    let attack = |(by, at, capture): &PlannedAttack| {
        let capture = if *capture { " !capture" } else { "" };
        format!("{}>{}{capture}", numbers(by), numbers(at))
    };
    match plan {
        Plan::All => "all".to_string(),
        Plan::First => "first".to_string(),
        Plan::Pairs => "pairs".to_string(),
        Plan::Capture => "capture".to_string(),
        Plan::None => "none".to_string(),
        Plan::Withdraw => "withdraw".to_string(),
        Plan::Written { attacks, withdraw } => {
            let leaves = (!withdraw.is_empty()).then(|| format!("withdraw {}", numbers(withdraw)));
            let parts = leaves.into_iter().chain(attacks.iter().map(attack));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Returns the stacks of both sides, and the fields beside them as names and values.
pub fn request(case: &Case) -> ([String; 2], Vec<(&'static str, String)>) {
    let stack = |side: usize| {
        let men = case.sides[side].men.iter().map(man_text);
        men.collect::<Vec<_>>().join(" + ")
    };
    let mut fields = vec![
        ("plan", plan_text(&case.sides[0].plan)),
        ("reply", plan_text(&case.sides[1].plan)),
        ("turns", case.turns.to_string()),
    ];
    let names = ["then", "then-reply"].into_iter().zip(&case.sides);
    fields.extend(names.filter_map(|(name, side)| Some((name, plan_text(side.then.as_ref()?)))));
    let infiltration = ["infiltrate", "their-infiltrate"].into_iter().zip(&case.sides);
    let always = infiltration.filter(|(_, side)| side.infiltrates);
    fields.extend(always.map(|(name, _)| (name, "always".to_string())));
    let exits = case.sides.each_ref().map(|side| if side.has_exit { "yes" } else { "no" });
    if exits.contains(&"no") {
        fields.push(("exits", exits.join(",")));
    }
    let leaving = match case.leaving {
        Leaving::Never => None,
        Leaving::Before => Some("before"),
        Leaving::After => Some("after"),
    };
    fields.extend(leaving.map(|word| ("ambush-withdraw", word.to_string())));
    let ambush = match case.ambush {
        Ambush::Roll => "roll",
        Ambush::No => "no",
        Ambush::By(0) => "ours",
        Ambush::By(_) => "theirs",
    };
    fields.push(("ambush", ambush.to_string()));
    for (holds, name, value) in [
        (case.phasing == 1, "phasing", "theirs"),
        (case.building, "terrain", "building"),
        (case.melee, "melee", "true"),
        (case.hand_to_hand, "hand-to-hand", "true"),
        (case.no_quarter, "no-quarter", "true"),
        (case.night, "night", "true"),
        (!case.creation, "creation", "false"),
    ] {
        if holds {
            fields.push((name, value.to_string()));
        }
    }
    ([stack(0), stack(1)], fields)
}

/// Returns the facts of an end that are compared: one a unit, and one of the Location.
pub fn facts(state: &State) -> Vec<String> {
    let mut facts = Vec::new();
    for (side, men) in state.men.iter().enumerate() {
        for (i, man) in men.iter().enumerate() {
            facts.push(format!("{side} {} {}", i + 1, fact(man)));
        }
    }
    let left = [0, 1].map(|side| !state.here(side).is_empty());
    let left = match left {
        [true, true] => "both",
        [true, false] => "ours-alone",
        [false, true] => "theirs-alone",
        [false, false] => "nobody",
    };
    facts.push(format!("{left} {}", state.lost[1] - state.lost[0]));
    facts
}

fn fact(man: &Man) -> String {
    let status = match man {
        Man { place: Place::Dead, .. } => return "eliminated".to_string(),
        Man { place: Place::Captured, .. } => {
            return format!("captured {}", counter(man.counter).printed);
        }
        Man { disrupted: true, .. } => "disrupted",
        Man { broken: true, .. } => "broken",
        Man { berserk: true, .. } => "berserk",
        Man { pinned: true, .. } => "pinned",
        _ => "good-order",
    };
    let mut fact = format!("{status} {}", counter(man.counter).printed);
    for (holds, word) in [
        (man.wounded, "wounded"),
        (man.place == Place::Away, "away"),
        (man.concealed, "concealed"),
        (man.dm, "dm"),
    ] {
        if holds {
            fact += &format!(" {word}");
        }
    }
    fact
}

/// Returns the largest difference between two tables, and where it is.
pub fn difference(own: &Table, other: &Table) -> (f64, String) {
    let keys = own.keys().chain(other.keys());
    let differences = keys.map(|key| {
        let chance = |table: &Table| table.get(key).copied().unwrap_or(0.0);
        let (own, other) = (chance(own), chance(other));
        ((own - other).abs(), format!("{key:?}: {own} instead of {other}"))
    });
    differences.max_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default()
}
