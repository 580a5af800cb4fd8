//! One attack (A11.11): FP, odds, DRM and results.

use super::counters::{Counter, Kind, below_even, counter, kill_number};
use super::{Case, Man, State};

/// An attack as declared or rolled.
#[derive(Clone, Debug)]
pub struct Attack {
    pub by: usize,
    pub attackers: Vec<usize>,
    pub targets: Vec<usize>,
    pub capture: bool,
    pub original: i32,
    /// The leader whom its Original 2 made.
    pub leader: Option<usize>,
    /// Overstacking of both sides and friends who stay, when the DR was rolled.
    pub overstacked: [i32; 2],
    pub staying: i32,
    pub hits: Vec<(usize, Hit)>,
}

/// What an attack does to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    Dead,
    Reduced,
    Wounded,
    Captured,
    HalfCaptured,
}

impl Hit {
    /// Returns whether nothing of the unit is left.
    pub fn takes_all(self) -> bool {
        matches!(self, Hit::Dead | Hit::Captured)
    }
}

fn printed(man: &Man) -> &'static Counter {
    counter(man.counter)
}

pub fn is_hero(man: &Man) -> bool {
    man.heroic || printed(man).kind == Kind::Hero
}

/// 17.3: a wounded leader is one worse.
pub fn leadership_of(man: &Man) -> i32 {
    printed(man).leadership + i32::from(man.wounded)
}

/// 10.7: the SS are German.
fn is_foreign(one: &Man, other: &Man) -> bool {
    let home = |man: &Man| match printed(man).nation.as_str() {
        "german_ss" => "german".to_string(),
        nation => nation.to_string(),
    };
    let (one, other) = (home(one), home(other));
    one != "any" && other != "any" && one != other
}

/// 19.3, 19.36, 20.5.
pub fn is_inexperienced(state: &State, side: usize, man: &Man) -> bool {
    let of = printed(man);
    let leads = |i: &usize| {
        let other = &state.men[side][*i];
        printed(other).is_leader() && !other.broken
    };
    let is_green = of.class == "G" && !state.here(side).iter().any(leads);
    man.unarmed || !of.is_smc() && (of.class == "C" || is_green)
}

/// 11.11, 11.14, 20.5: returns the FP in eighths.
pub fn strength(man: &Man) -> i64 {
    let of = printed(man);
    8 * if of.is_smc() || man.unarmed { 1 } else { of.fp }
}

/// 11.12, 7.8, 20.52, 11.19: returns the FP of both sides in eighths.
fn factors(state: &State, attack: &Attack) -> (i64, i64) {
    let own = |&i: &usize| {
        let man = &state.men[attack.by][i];
        strength(man) / if man.pinned { 2 } else { 1 } / if man.guard { 2 } else { 1 }
    };
    let targets = attack.targets.iter().map(|&i| &state.men[1 - attack.by][i]);
    let half = if targets.clone().any(|man| man.concealed) { 2 } else { 1 };
    let own: i64 = attack.attackers.iter().map(own).sum();
    (own / half, targets.map(strength).sum())
}

/// 5.1: returns by how many squad-equivalents, FRU, a side is overstacked.
pub fn overstacked(state: &State, side: usize) -> i32 {
    let size = |&i: &usize| match printed(&state.men[side][i]).kind {
        Kind::Squad => 2,
        Kind::HalfSquad | Kind::Crew => 1,
        _ => 0,
    };
    let halves: i32 = state.here(side).iter().map(size).sum();
    ((halves - 6).max(0) + 1) / 2
}

/// 11.2: returns how many friends of withdrawing units stay in the Melee.
pub fn staying(state: &State, side: usize) -> i32 {
    let stays = |&&i: &&usize| {
        let man = &state.men[side][i];
        !man.withdraws && !man.concealed
    };
    state.here(side).iter().filter(stays).count() as i32
}

/// 11.141, 7.831, 15.24, 15.21, 18.12, 25.24: returns the DRM of leader and heroes.
fn direction(state: &State, attack: &Attack) -> i32 {
    let men: Vec<&Man> = attack.attackers.iter().map(|&i| &state.men[attack.by][i]).collect();
    let heroes = men.iter().filter(|man| is_hero(man)).count() as i32;
    if men.len() < 2 || men.iter().any(|man| man.berserk) {
        return -heroes;
    }
    let rating = |i: usize| {
        let man = &state.men[attack.by][i];
        let others = attack.attackers.iter().filter(|&&other| other != i);
        let foreign = others.clone().any(|&o| is_foreign(man, &state.men[attack.by][o]));
        leadership_of(man) + i32::from(foreign)
    };
    if let Some(leader) = attack.leader {
        return rating(leader) - heroes;
    }
    let mut best = -heroes;
    for &i in &attack.attackers {
        let man = &state.men[attack.by][i];
        let partisan = |man: &Man| printed(man).nation == "partisan";
        let mixed = men.iter().any(|other| partisan(other) != partisan(man));
        if printed(man).is_leader() && !man.pinned && !man.broken && !mixed {
            best = best.min(rating(i) - heroes + i32::from(is_hero(man)));
        }
    }
    best
}

fn common_drm(state: &State, attack: &Attack) -> i32 {
    let any = |is: &dyn Fn(&Man) -> bool| {
        i32::from(attack.attackers.iter().any(|&i| is(&state.men[attack.by][i])))
    };
    let ambush = match state.ambusher {
        Some(side) if side == attack.by => -1,
        Some(_) => 1,
        None => 0,
    };
    ambush
        + direction(state, attack)
        + any(&|man| man.cx)
        + any(&|man| man.ti)
        + attack.overstacked[attack.by]
}

fn own_drm(state: &State, attack: &Attack, target: usize) -> i32 {
    let side = 1 - attack.by;
    let man = &state.men[side][target];
    let of = printed(man);
    let capture = match () {
        () if !attack.capture => 0,
        () if is_inexperienced(state, side, man) => -1,
        () if of.nation == "italian" && of.class != "E" && !of.is_smc() => 0,
        () => 1,
    };
    let withdrawal = if man.withdraws { attack.staying - 2 } else { 0 };
    capture + withdrawal
        - 2 * i32::from(man.broken)
        - i32::from(man.cx)
        - i32::from(man.ti)
        - attack.overstacked[side]
}

/// 18.12, 25.71: returns the MMC of an attack that can create a leader.
pub fn creators(case: &Case, state: &State, attack: &Attack) -> Vec<usize> {
    let able = |&i: &usize| {
        let man = &state.men[attack.by][i];
        let of = printed(man);
        !of.is_smc() && !man.unarmed && !man.broken && of.nation != "finnish"
    };
    let able = attack.attackers.iter().copied().filter(able);
    if case.creation { able.collect() } else { Vec::new() }
}

/// I-125: returns the base of the creation.
pub fn base_of(state: &State, attack: &Attack, creators: &[usize]) -> usize {
    let rank = |i: &usize| {
        let of = printed(&state.men[attack.by][*i]);
        let class = "E12GCPN".find(of.class.as_str()).unwrap();
        (class, -of.fp, -of.morale)
    };
    *creators.iter().min_by_key(|i| rank(i)).unwrap()
}

/// 18.2, 25.25: returns the leader whom a dr creates. The odds are those as declared: no leader of
/// this round counts.
pub fn creation(state: &State, attack: &Attack, base: usize, dr: i32) -> Option<usize> {
    let man = &state.men[attack.by][base];
    let of = printed(man);
    let mut declared = attack.clone();
    declared.targets.retain(|&i| !state.men[1 - attack.by][i].new);
    let (own, enemy) = factors(state, &declared);
    let odds = -below_even(own, enemy);
    let level = match (man.berserk, man.fanatic) {
        (true, _) => 10,
        (_, fanatic) => (of.morale + i32::from(fanatic)).min(10),
    };
    let nation = match of.nation.as_str() {
        "american" | "british" | "german" | "german_ss" | "any" => -1,
        "russian" | "italian" => 1,
        _ => 0,
    };
    let drm = match (of.nkvd, level) {
        (true, _) => -i32::from(man.fanatic),
        (_, 8..) => nation - 1,
        (_, 7) => nation,
        _ => nation + 1,
    };
    let grade = super::counters::created(dr + drm + odds, of.nkvd).filter(|g| !g.is_empty())?;
    let nation = if of.nation == "any" { "german" } else { of.nation.as_str() };
    let kind = if of.nkvd { Kind::Commissar } else { Kind::Leader };
    super::counters::all()
        .iter()
        .position(|one| one.kind == kind && one.nation == nation && one.printed == grade)
}

/// A.9: returns the sets that Random Selection picks of `number` units, as bits, with chances.
fn selections(number: u32) -> Vec<(f64, u32)> {
    let mut found = vec![0.0; 1 << number];
    let all = 6u32.pow(number);
    for roll in 0..all {
        let drs: Vec<u32> = (0..number).map(|i| roll / 6u32.pow(i) % 6).collect();
        let best = drs.iter().max();
        let picked = (0..number as usize).filter(|&i| Some(&drs[i]) == best);
        found[picked.map(|i| 1 << i).sum::<usize>()] += 1.0 / f64::from(all);
    }
    let sets = found.into_iter().enumerate().filter(|(_, chance)| *chance > 0.0);
    sets.map(|(set, chance)| (chance, set as u32)).collect()
}

/// 20.22, I-121: returns the unit that its owner gives up.
fn given_up(state: &State, side: usize, candidates: &[usize]) -> usize {
    let rank = |i: &&usize| match printed(&state.men[side][**i]).kind {
        Kind::HalfSquad | Kind::Crew => 0,
        Kind::Squad => 1,
        _ => 2,
    };
    *candidates.iter().min_by_key(rank).unwrap()
}

/// 11.11, 20.22, 17.11: returns the results of a rolled attack with their chances.
pub fn results(case: &Case, state: &State, attack: &Attack) -> Vec<(f64, Vec<(usize, Hit)>)> {
    let side = 1 - attack.by;
    let (own, enemy) = factors(state, attack);
    let attacker = case.attacker(state.turn);
    let is_red =
        case.hand_to_hand && state.turn == 1 && !case.melee && state.ambusher != Some(1 - attacker);
    let kill = kill_number(own, enemy) + if is_red { 2 } else { 0 };
    let common = common_drm(state, attack);
    let (mut hits, mut candidates) = (Vec::new(), Vec::new());
    let here = |&&i: &&usize| state.men[side][i].place == super::Place::Here;
    for &target in attack.targets.iter().filter(here) {
        match attack.original + common + own_drm(state, attack, target) - kill {
            ..0 => hits.push((target, if attack.capture { Hit::Captured } else { Hit::Dead })),
            0 => candidates.push(target),
            _ => {}
        }
    }
    if candidates.is_empty() {
        return vec![(1.0, hits)];
    }
    if attack.capture {
        let unit = given_up(state, side, &candidates);
        let is_squad = printed(&state.men[side][unit]).kind == Kind::Squad;
        hits.push((unit, if is_squad { Hit::HalfCaptured } else { Hit::Captured }));
        return vec![(1.0, hits)];
    }
    let mut found = Vec::new();
    for (chance, set) in selections(candidates.len() as u32) {
        let picked = (0..candidates.len()).filter(|i| set >> i & 1 == 1).map(|i| candidates[i]);
        let mut ways = vec![(chance, hits.clone())];
        for unit in picked {
            let reductions = reductions(&state.men[side][unit]);
            ways = ways
                .into_iter()
                .flat_map(|(chance, hits)| {
                    reductions.iter().map(move |(share, hit)| {
                        let mut hits = hits.clone();
                        hits.push((unit, *hit));
                        (chance * share, hits)
                    })
                })
                .collect();
        }
        found.extend(ways);
    }
    found
}

/// 7.302, 17.11: returns the results of a Casualty Reduction.
fn reductions(man: &Man) -> Vec<(f64, Hit)> {
    match printed(man).kind {
        Kind::Squad => vec![(1.0, Hit::Reduced)],
        Kind::HalfSquad | Kind::Crew => vec![(1.0, Hit::Dead)],
        _ => {
            let dead = if man.wounded { 3.0 } else { 2.0 } / 6.0;
            vec![(dead, Hit::Dead), (1.0 - dead, Hit::Wounded)]
        }
    }
}
