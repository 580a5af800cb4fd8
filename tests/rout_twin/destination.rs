//! Legal destinations of a rout (A10.51, rules 17.4), Low Crawl (A10.52), and Interdicted hexes.

use super::geometry::range;
use super::legality::{EnemySet, Ground};
use super::{HexAt, NoFarther};
use std::collections::{BTreeMap, BTreeSet};

pub struct Choice {
    pub cover: BTreeMap<HexAt, i32>,
    pub ignorable: BTreeSet<HexAt>,
    pub destinations: BTreeSet<HexAt>,
    pub free_rout: bool,
}

/// Returns the least cost in half-MF from a hex to every hex by legal steps, up to `limit`. MF that
/// do not count for "nearest" (A10.51) are omitted. If `known` is `None`, routes disregard the
/// enemy (I-13).
pub fn distances(
    ground: &Ground,
    from: HexAt,
    known: Option<EnemySet>,
    limit: i32,
) -> BTreeMap<HexAt, i32> {
    let mut least = BTreeMap::from([(from, 0)]);
    // Costs are lowered until none changes any more.
    loop {
        let mut changed = false;
        for (at, spent) in least.clone() {
            let steps = known.map_or_else(
                || ground.all_steps(at),
                |known| ground.steps(at, known, i32::MAX, false),
            );
            for step in steps {
                let total = spent + step.plain;
                if total <= limit && least.get(&step.to).is_none_or(|&old| total < old) {
                    least.insert(step.to, total);
                    changed = true;
                }
            }
        }
        if !changed {
            return least;
        }
    }
}

/// Returns the destinations of a unit that determines them anew in `at` with `mf` half-MF left.
/// With `here_counts` the unit's own hex is a choice at 0 MF (I-63).
pub fn figure(ground: &Ground, at: HexAt, known: EnemySet, mf: i32, here_counts: bool) -> Choice {
    let mut cover = distances(ground, at, Some(known), mf);
    cover.retain(|&hex, _| ground.is_cover(hex) && (hex != at || here_counts));
    if ground.switches().i13_nearest_over_all_routes {
        let any_route = distances(ground, at, None, mf);
        for (hex, cost) in &mut cover {
            *cost = any_route[hex];
        }
    }
    let ignorable: BTreeSet<HexAt> =
        cover.keys().copied().filter(|&hex| may_ignore(ground, at, known, hex)).collect();
    let least =
        cover.iter().filter(|(hex, _)| !ignorable.contains(hex)).map(|(_, &cost)| cost).min();
    let destinations: BTreeSet<HexAt> = cover
        .iter()
        .filter(|&(hex, &cost)| match least {
            None => true,
            Some(least) if ignorable.contains(hex) => cost <= least,
            Some(least) => cost == least,
        })
        .map(|(&hex, _)| hex)
        .collect();
    // The unit has no destination (17.4.1), or may ignore them all.
    let free_rout = least.is_none();
    Choice { cover, ignorable, destinations, free_rout }
}

pub fn at_start(ground: &Ground) -> Choice {
    figure(ground, ground.start(), ground.seen_from(ground.start()), ground.allotment(), false)
}

/// 10.51: returns whether the unit may ignore this cover hex. The hex must be no farther from a
/// Known enemy than the starting hex, or part of the building there.
fn may_ignore(ground: &Ground, at: HexAt, known: EnemySet, hex: HexAt) -> bool {
    let start = ground.start();
    let building = |place: HexAt| ground.situation.map[&place].building;
    if building(start).is_some() && building(start) == building(hex) && is_multi_hex(ground, start)
    {
        return true;
    }
    // The alternatives of I-38 and I-63 change the hex and the enemies that count.
    let measured_from = if ground.switches().i38_from_refigured_hex { at } else { start };
    let counted =
        if ground.switches().i63_present_keu_only { known & ground.seen_from(at) } else { known };
    let no_farther = |enemy: HexAt| range(hex, enemy) <= range(measured_from, enemy);
    let mut enemies = ground.members(counted).map(|enemy| enemy.at);
    match ground.switches().i14 {
        NoFarther::Any => enemies.any(no_farther),
        NoFarther::All => counted != 0 && enemies.all(no_farther),
        NoFarther::Nearest => {
            let nearest = ground.members(counted).map(|enemy| range(measured_from, enemy.at)).min();
            enemies.any(|enemy| Some(range(measured_from, enemy)) == nearest && no_farther(enemy))
        }
    }
}

fn is_multi_hex(ground: &Ground, hex: HexAt) -> bool {
    let building = ground.situation.map[&hex].building;
    ground.situation.map.values().filter(|data| data.building == building).count() > 1
}

/// A10.52: returns the hexes to which the unit may Low Crawl.
pub fn low_crawls(ground: &Ground, choice: &Choice) -> BTreeSet<HexAt> {
    let unit = &ground.situation.unit;
    let start = unit.at;
    let known = ground.seen_from(start);
    if (unit.disrupted && !unit.fanatic)
        || ground.situation.enemies.iter().any(|enemy| enemy.at == start)
    {
        return BTreeSet::new();
    }
    let steps: BTreeSet<HexAt> = ground
        .steps(start, known, ground.allotment(), ground.dug_in(start, None))
        .into_iter()
        .map(|step| step.to)
        .collect();
    let goals: BTreeSet<HexAt> = if !choice.free_rout {
        choice.destinations.clone()
    } else if ground.switches().i60_crawl_to_nearest {
        let nearest = choice.cover.values().min();
        choice
            .cover
            .iter()
            .filter(|(_, cost)| Some(*cost) == nearest)
            .map(|(&hex, _)| hex)
            .collect()
    } else {
        BTreeSet::new()
    };
    if goals.is_empty() {
        return steps;
    }
    let from_start = distances(ground, start, Some(known), i32::MAX);
    let toward = |to: HexAt| {
        let from_there = distances(ground, to, Some(known), i32::MAX);
        goals.iter().any(|goal| {
            if ground.switches().i12_crawl_by_hexes {
                range(to, *goal) < range(start, *goal)
            } else {
                from_there.get(goal).is_some_and(|cost| *cost < from_start[goal])
            }
        })
    };
    steps.into_iter().filter(|&to| toward(to)).collect()
}

/// Returns the hexes in reach that an enemy would Interdict on entry, judged by enemies Known at
/// the start. Each comes with the hexes of its Interdictors, Known or not.
pub fn interdicted(ground: &Ground) -> BTreeMap<HexAt, BTreeSet<HexAt>> {
    let (start, known, allotment) =
        (ground.start(), ground.seen_from(ground.start()), ground.allotment());
    // The least MF really spent in each hex include those to leave a foxhole.
    let mut spent = BTreeMap::from([(start, 0)]);
    let mut found: BTreeMap<HexAt, BTreeSet<HexAt>> = BTreeMap::new();
    loop {
        let before = (spent.clone(), found.clone());
        for (&at, &paid) in &before.0 {
            for step in
                ground.steps(at, known, allotment - paid, paid == 0 && ground.dug_in(start, None))
            {
                let total = paid + step.cost;
                let least = spent.entry(step.to).or_insert(total);
                *least = total.min(*least);
                let enemies = ground.hexes_of(ground.interdictors(step.to, Some(step.entry)));
                if !enemies.is_empty() {
                    found.entry(step.to).or_default().extend(enemies);
                }
            }
        }
        if before == (spent.clone(), found.clone()) {
            return found;
        }
    }
}
