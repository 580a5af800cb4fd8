//! Random crossings for comparisons, and their requests.

use serde_json::{Value, json};

use super::adapter::firer_text;
use super::counters::{Counter, list_mmc, list_weapons, weapon_nation};
use super::crossing::{CrossedLocation, CrossedSight, Crossing, Defender};
use super::{Firer, HeldWeapon, Hexside, Terrain};
use crate::random::Rng;
use crate::twin::TwinUnit;

/// Units that move: nation, factors or rank, the counter of the catalogue.
const MOVERS: [(&str, &str, &str); 8] = [
    ("russian", "4-4-7", "rus_1_447"),
    ("russian", "5-2-7", "rus_1_527"),
    ("russian", "4-5-8", "rus_E_458"),
    ("german", "4-6-7", "ger_1_467"),
    ("german", "5-4-8", "ger_E_548"),
    ("american", "6-6-7", "usa_E_667"),
    ("british", "4-5-7", "bri_1_457"),
    ("british", "4-4-7", "bri_2_447"),
];
/// Their leaders.
const LEADERS: [(&str, &str, &str); 5] = [
    ("russian", "8-0", "rus_ldr_8-0"),
    ("russian", "8-1", "rus_ldr_8-1"),
    ("german", "8-1", "ger_ldr_8-1"),
    ("german", "9-1", "ger_ldr_9-1"),
    ("german", "8-0", "ger_ldr_8-0"),
];
/// MMC that fire. The ML is the last factor.
const FIRERS: [(&str, &str); 8] = [
    ("german", "4-6-7"),
    ("german", "2-4-7"),
    ("german", "5-4-8"),
    ("russian", "4-4-7"),
    ("russian", "6-2-8"),
    ("british", "4-5-7"),
    ("british", "2-3-7"),
    ("american", "6-6-6"),
];

fn mmc(nation: &str, name: &str) -> Counter {
    let is = |counter: &Counter| counter.nation == nation && counter.name == name;
    list_mmc().into_iter().find(is).unwrap()
}

fn draft_stack(rng: &mut Rng) -> Vec<(TwinUnit, Counter)> {
    let squad =
        |(nation, name, id): (&str, &str, &str)| (TwinUnit::good_order(id), mmc(nation, name));
    if rng.percent(55) {
        return vec![squad(rng.pick(&MOVERS))];
    }
    if rng.percent(50) {
        return vec![squad(MOVERS[0]), squad(rng.pick(&MOVERS[..3]))];
    }
    let (nation, rank, id) = rng.pick(&LEADERS);
    let leader = (TwinUnit::good_order(id), Counter::new_leader(nation, rank));
    let own: Vec<_> = MOVERS.into_iter().filter(|(of, ..)| *of == nation).collect();
    vec![leader, squad(rng.pick(&own))]
}

fn draft_defender(rng: &mut Rng, ranges: &[i32]) -> Defender {
    let (nation, name) = rng.pick(&FIRERS);
    let mgs: Vec<_> = list_weapons()
        .into_iter()
        .filter(|w| w.is_mg() && w.nation == weapon_nation(nation) && !w.name.contains(['(', ' ']))
        .collect();
    let mut firer = Firer::new(mmc(nation, name));
    let weapons = if rng.percent(45) { rng.between(1, 2) } else { 0 };
    for _ in 0..weapons.min(if name.starts_with('2') { 1 } else { 2 }) {
        firer.weapons.push(HeldWeapon { weapon: rng.pick(&mgs), is_marked: false });
    }
    let level = |name: &str| name[name.len() - 1..].parse().unwrap();
    let (mut firers, mut morale) = (vec![firer], vec![level(name)]);
    if rng.percent(25) {
        let alike: Vec<_> = FIRERS.into_iter().filter(|(of, _)| *of == nation).collect();
        let (_, name) = rng.pick(&alike);
        firers.push(Firer::new(mmc(nation, name)));
        morale.push(level(name));
    }
    let has_leader = rng.percent(35);
    if has_leader {
        firers.insert(0, Firer::new(Counter::new_leader(nation, rng.pick(&["8-0", "8-1", "9-1"]))));
        morale.insert(0, 8);
    }
    let sight = |range: &i32| {
        let hindrance = i32::from(rng.percent(20));
        let hexside = match rng.percent(20) {
            true => rng.pick(&[Hexside::Wall, Hexside::Hedge]),
            false => Hexside::None,
        };
        (!rng.percent(12)).then_some(CrossedSight { range: *range, hindrance, hexside })
    };
    let sights = ranges.iter().map(sight).collect();
    // The FPF of led units is in the worked cases.
    Defender { firers, morale, sights, uses_fpf: !has_leader }
}

/// Returns a random crossing; equal seeds give equal ones.
pub fn random_crossing(seed: u64) -> Crossing {
    let mut rng = Rng(seed);
    let stack = draft_stack(&mut rng);
    let is_assault = rng.percent(12);
    let locations = if is_assault { 1 } else { rng.between(2, 3) };
    let words = ["open", "open", "woods", "grain", "stone", "brush"];
    let mut left = 4 - i32::from(is_assault);
    let mut path = Vec::new();
    for place in 0..locations {
        let mf = if left as i64 > locations - place && rng.percent(40) { 2 } else { 1 };
        left -= mf;
        path.push(CrossedLocation {
            terrain: Terrain::named(rng.pick(&words)),
            mf,
            smoke: if rng.percent(10) { 2 } else { 0 },
            residual: if rng.percent(20) { rng.pick(&[1, 2, 4, 6]) } else { 0 },
        });
    }
    let count = rng.between(1, 2);
    let defenders: Vec<Defender> = (0..count)
        .map(|_| {
            let last = rng.between(1, 3) as i32;
            let ranges: Vec<i32> =
                (0..locations as i32).map(|place| last + locations as i32 - 1 - place).collect();
            draft_defender(&mut rng, &ranges)
        })
        .collect();
    let fire = (0..path.len())
        .map(|place| {
            let seeing: Vec<usize> = (0..defenders.len())
                .filter(|number| defenders[*number].sights[place].is_some())
                .collect();
            let shots = if seeing.is_empty() { 0 } else { rng.between(0, 3) };
            (0..shots).map(|_| rng.pick(&seeing)).collect()
        })
        .collect();
    Crossing {
        stack,
        path,
        defenders,
        fire,
        is_assault,
        is_concealed: rng.percent(if is_assault { 60 } else { 10 }),
        goes_on_apart: rng.percent(40),
        elr: rng.between(1, 4) as i32,
    }
}

fn name(defender: usize) -> &'static str {
    ["A", "B"][defender]
}

/// Returns the crossing as a request.
pub fn crossing_request(crossing: &Crossing) -> Value {
    let units: Vec<String> = crossing.stack.iter().map(|(_, counter)| counter.text()).collect();
    let location = |of: &CrossedLocation| {
        let CrossedLocation { terrain, mf, smoke, residual } = of;
        format!("{} {mf} smoke {smoke} residual {residual}", terrain.word)
    };
    let path: Vec<String> = crossing.path.iter().map(location).collect();
    let sight = |sight: &Option<CrossedSight>| match sight {
        None => "none".to_string(),
        Some(CrossedSight { range, hindrance, hexside }) => {
            format!("{range} hindrance {hindrance} hexside {}", hexside.word())
        }
    };
    let defender = |(number, of): (usize, &Defender)| {
        let firers: Vec<String> = of.firers.iter().map(firer_text).collect();
        let sights: Vec<String> = of.sights.iter().map(sight).collect();
        let fpf = if of.uses_fpf { "" } else { " no-fpf" };
        format!("{}{fpf}: {} @ {}", name(number), firers.join(" + "), sights.join(", "))
    };
    let defenders: Vec<String> = crossing.defenders.iter().enumerate().map(defender).collect();
    let fire: Vec<Vec<&str>> =
        crossing.fire.iter().map(|shots| shots.iter().map(|shot| name(*shot)).collect()).collect();
    let mut request = json!({ "kind": "cross", "hob": false, "elr": crossing.elr,
        "stack": units.join(" + "), "path": path.join(", "), "defender": defenders.join("; "),
        "fire": fire });
    if crossing.is_assault {
        request["move"] = "assault".into();
    }
    if crossing.is_concealed {
        request["concealed"] = true.into();
    }
    if crossing.goes_on_apart {
        request["then"] = "apart".into();
    }
    request
}
