//! Random stacks and questions from a seed.

use std::collections::BTreeMap;

pub use crate::random::Rng as Dice;
use lowcrawl::asl::catalogue::{CATALOGUE, CounterKind};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::nation::Nation;

/// The ids of the counters of each nation that has squads, MMC first and SMC second. Heroes are
/// available to all.
fn counters() -> BTreeMap<Nation, [Vec<&'static str>; 2]> {
    let mut counters: BTreeMap<Nation, [Vec<&str>; 2]> = BTreeMap::new();
    for counter in CATALOGUE.counters().iter().filter(|counter| counter.nation != Nation::Any) {
        let [mmc, smc] = counters.entry(counter.nation).or_default();
        if counter.kind.is_smc() { smc } else { mmc }.push(&counter.id);
    }
    counters.retain(|_, [mmc, smc]| !mmc.is_empty() && !smc.is_empty());
    counters
}

/// Returns a random unit in stack notation. It may be invalid, and its question is then skipped.
fn unit(dice: &mut Dice, [mmc, smc]: &[Vec<&'static str>; 2]) -> String {
    let id = match dice.below(20) {
        0 => "any_hero_149",
        1 => "any_hero_138",
        2..9 => dice.pick(smc),
        _ => dice.pick(mmc),
    };
    let kind = CATALOGUE.find(id).map(|id| CATALOGUE.get(id).kind).unwrap();
    let (smc, leads) = (kind.is_smc(), kind.is_leader());
    let mut words: Vec<&str> = Vec::new();
    let stands = dice.below(20);
    match stands {
        0..4 => words.push("broken"),
        4..8 => words.push("dm"),
        8 => words.push("disrupted"),
        9..11 => words.push("pinned"),
        11 => words.push("berserk"),
        12 if leads => words.push("heroic"),
        _ => {}
    }
    let others = [
        ("wounded", 25, smc && kind != CounterKind::Hero),
        ("fanatic", 15, true),
        ("encircled", 8, true),
        ("unarmed", 5, !smc),
        ("cx", 5, true),
        ("elr=0", 5, true),
        ("morale=6", 4, kind == CounterKind::Squad),
    ];
    let others = others.into_iter().filter(|(_, share, fits)| dice.percent(*share) && *fits);
    words.extend(others.map(|(word, ..)| word));
    let slash = if words.is_empty() { "" } else { "/" };
    format!("id:{id}{slash}{}", words.join(","))
}

/// Returns a random stack of one to four units of one or two nations. Some units are equal.
fn stack(dice: &mut Dice) -> String {
    let nations: Vec<[Vec<&str>; 2]> = counters().into_values().collect();
    let mut of = dice.pick(&nations);
    let mut units: Vec<String> = Vec::new();
    for _ in 0..dice.pick(&[1_usize, 2, 2, 3, 3, 4]) {
        if dice.percent(5) {
            of = dice.pick(&nations);
        }
        match units.last() {
            Some(last) if dice.percent(25) => units.push(last.clone()),
            _ => units.push(unit(dice, &of)),
        }
    }
    units.join(" + ")
}

const LEADERS: [&str; 5] =
    ["id:ger_ldr_8-1", "id:ger_ldr_9-2", "id:rus_ldr_8-0", "id:usa_ldr_9-1", "id:rus_com_9-0"];

/// Returns a random question about a random stack, which may be invalid.
pub fn question(dice: &mut Dice) -> (QuestionKind, String) {
    let mut fields = vec![format!("stack={}", stack(dice)), format!("elr={}", dice.between(0, 5))];
    fields.push(format!("hob={}", dice.percent(50)));
    for (flag, share) in [("captor", 30), ("no-quarter", 10), ("enemy-adjacent", 15)] {
        fields.push(format!("{flag}={}", dice.percent(share)));
    }
    fields.push(format!("keu={}", !dice.percent(15)));
    if dice.percent(8) {
        fields.push(format!("profile={}", dice.pick(&["asl-v2", "aslsk"])));
    }
    let kinds = [
        (QuestionKind::Fire, "fire"),
        (QuestionKind::Check, "check"),
        (QuestionKind::Rally, "rally"),
        (QuestionKind::Interdict, "interdict"),
        (QuestionKind::Sequence, "sequence"),
    ];
    let (ask, name) = dice.pick(&kinds);
    if ask == QuestionKind::Sequence {
        for number in 1..=dice.between(1, 3) {
            let kinds = ["fire", "check", "rally", "break", "eliminate", "dm", "interdict"];
            let kind = dice.pick(&kinds);
            fields.push(format!("{number}.do={kind}"));
            if dice.percent(40) {
                let tests = ["broken", "any unbroken", "all broken", "1 gone", "none pinned"];
                fields.push(format!("{number}.if={}", dice.pick(&tests)));
            }
            fields.extend(step(dice, kind, 1).iter().map(|field| format!("{number}.{field}")));
        }
    } else {
        let phases = dice.pick(&[1, 2, 2, 3, 4]);
        fields.extend(step(dice, name, phases));
    }
    (ask, fields.join("; "))
}

fn step(dice: &mut Dice, kind: &str, phases: i64) -> Vec<String> {
    let leader = dice.percent(50).then(|| format!("leader={}", dice.pick(&LEADERS)));
    let mut fields = match kind {
        "fire" => vec![
            format!("fp={}", dice.between(1, 30)),
            format!("drm={}", dice.between(-3, 3)),
            format!("cowering={}", dice.percent(70)),
            format!("inexperienced={}", dice.percent(15)),
        ],
        "check" if dice.percent(20) => vec!["ptc".to_string()],
        "check" => vec![format!("mc={}", dice.between(0, 4))],
        "rally" => vec![
            format!("phases={phases}"),
            format!("terrain={}", dice.pick(&["open", "woods"])),
            format!("own-rph={}", dice.pick(&["odd", "even", "never"])),
            format!("dm={}", dice.percent(20)),
            format!("keep-dm={}", dice.percent(20)),
        ],
        "interdict" => vec![
            format!("hexes={}", dice.between(1, 3)),
            format!("voluntary-rout={}", dice.percent(25)),
        ],
        "break" | "eliminate" => vec!["slots=1".to_string()],
        _ => Vec::new(),
    };
    let led = kind == "rally" || kind == "interdict";
    fields.extend(leader.filter(|_| led && (kind == "rally" || dice.percent(60))));
    fields
}
