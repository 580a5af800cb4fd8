//! One CCPh: declarations, attacks in order, Leader Creation and Infiltration.

use super::ambush::ambushes;
use super::attack::{Attack, Hit, base_of, creation, creators, overstacked, results, staying};
use super::counters::counter;
use super::ending::{apply, finish, surrender};
use super::{Case, Leaving, Man, Mix, Place, Plan, State};

/// The 36 DR as totals with chances.
fn totals() -> impl Iterator<Item = (f64, i32)> {
    (2..=12).map(|total| (f64::from(6 - (total - 7i32).abs()) / 36.0, total))
}

/// Returns all ends of the CCPh of a Player Turn.
pub fn round(case: &Case, mut state: State) -> Mix {
    surrender(case, &mut state);
    if (0..2).any(|side| state.here(side).is_empty()) {
        return vec![(1.0, finish(case, state))];
    }
    let mut mix = Mix::new();
    for (chance, by) in ambushes(case, &state) {
        let mut state = state.clone();
        state.ambusher = by;
        let ends = match by {
            None => simultaneous(case, state),
            Some(side) => sequential(case, state, side),
        };
        mix.extend(ends.into_iter().map(|(share, end)| (chance * share, finish(case, end))));
    }
    mix
}

/// 11.2, 11.16: marks who withdraws.
fn withdrawals(case: &Case, state: &mut State) {
    for side in 0..2 {
        let plan = case.plan(side, state.turn).clone();
        for i in 0..state.men[side].len() {
            let man = &state.men[side][i];
            let wants = match &plan {
                Plan::Withdraw => true,
                Plan::Written { withdraw, .. } => withdraw.contains(&i),
                _ => false,
            };
            let may = state.melee && case.sides[side].has_exit && may_leave(man);
            let goes = may && !man.concealed && (wants || man.broken && !man.guard);
            state.men[side][i].withdraws = goes;
        }
    }
}

/// 11.2, 11.22, 11.41: not pinned, berserk or Disrupted.
pub fn may_leave(man: &Man) -> bool {
    man.place == Place::Here && !man.pinned && !man.berserk && !man.disrupted
}

/// 11.14: puts SMC with MMC, and takes `?` from those stacked with Known units.
fn restack(state: &mut State) {
    for side in 0..2 {
        let heads: Vec<usize> =
            (0..state.men[side].len()).map(|i| head(&state.men[side], i)).collect();
        for (man, head) in state.men[side].iter_mut().zip(heads) {
            man.head = head;
        }
        for i in state.here(side) {
            let of = |j: &usize| state.men[side][*j].head == state.men[side][i].head;
            let known = |j: usize| !state.men[side][j].concealed;
            if state.here(side).into_iter().filter(of).any(known) {
                state.men[side][i].concealed = false;
            }
        }
    }
}

fn head(men: &[Man], i: usize) -> usize {
    let man = &men[i];
    if !counter(man.counter).is_smc() || man.alone || man.place != Place::Here {
        return i;
    }
    let fits = |j: &usize| {
        let other = &men[*j];
        let is_mmc = !counter(other.counter).is_smc();
        other.place == Place::Here && is_mmc && other.withdraws == man.withdraws
    };
    let whole = |j: &usize| !men[*j].broken;
    let named = man.with.filter(|j| fits(j) && whole(j));
    let first = (0..men.len()).filter(fits).find(whole);
    let broken = (0..men.len()).find(fits).filter(|_| man.broken);
    named.or(first).or(broken).unwrap_or(i)
}

/// Returns the blocks among some units, by their heads in order of appearance.
pub fn blocks(men: &[Man], units: &[usize]) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for &i in units {
        match blocks.iter_mut().find(|block| men[block[0]].head == men[i].head) {
            Some(block) => block.push(i),
            None => blocks.push(vec![i]),
        }
    }
    blocks
}

/// 11.12: returns the attacks of a side by its plan.
fn declared(case: &Case, state: &State, side: usize) -> Vec<Attack> {
    let can = |&i: &usize| !state.men[side][i].broken && !state.men[side][i].withdraws;
    let able: Vec<usize> = state.here(side).into_iter().filter(can).collect();
    let here = state.here(1 - side);
    let targets = blocks(&state.men[1 - side], &here);
    let own = blocks(&state.men[side], &able);
    let of_blocks = |blocks: &[Vec<usize>], men: &[Man], named: &[usize], all: &[usize]| {
        let here = named.iter().filter(|&&i| men[i].place == Place::Here);
        let heads: Vec<usize> = here.map(|&i| men[i].head).collect();
        let of = blocks.iter().filter(|block| heads.contains(&men[block[0]].head));
        if named.is_empty() { all.to_vec() } else { of.flatten().copied().collect() }
    };
    let plans: Vec<(Vec<usize>, Vec<usize>, bool)> = match case.plan(side, state.turn) {
        Plan::None | Plan::Withdraw => vec![],
        Plan::All => vec![(able, here, false)],
        Plan::Capture => vec![(able, here, true)],
        Plan::First => vec![(able, targets[0].clone(), false)],
        Plan::Pairs => (0..targets.len())
            .map(|t| {
                let by = own.iter().skip(t).step_by(targets.len()).flatten().copied();
                (by.collect(), targets[t].clone(), false)
            })
            .collect(),
        Plan::Written { attacks, .. } => attacks
            .iter()
            .map(|(by, at, capture)| {
                let by = of_blocks(&own, &state.men[side], by, &able);
                (by, of_blocks(&targets, &state.men[1 - side], at, &here), *capture)
            })
            .collect(),
    };
    let berserk = |side: usize, units: &[usize]| units.iter().any(|&i| state.men[side][i].berserk);
    plans
        .into_iter()
        .filter(|(by, at, _)| !by.is_empty() && !at.is_empty())
        .map(|(mut attackers, mut targets, capture)| {
            attackers.sort();
            targets.sort();
            let capture = capture && !berserk(side, &attackers) && !berserk(1 - side, &targets);
            let (overstacked, staying, hits) = ([0; 2], 0, vec![]);
            let (by, original, leader) = (side, 0, None);
            Attack { by, attackers, targets, capture, original, leader, overstacked, staying, hits }
        })
        .collect()
}

/// A round in play: attacks in order, of which the first `rolled` are rolled.
#[derive(Clone, Debug)]
struct Play {
    state: State,
    attacks: Vec<Attack>,
    rolled: usize,
}

fn is_out(play: &Play, side: usize, unit: usize) -> bool {
    let dead = play.state.men[side][unit].place == Place::Dead;
    let hit = |attack: &Attack| {
        attack.by != side && attack.hits.iter().any(|(i, hit)| *i == unit && hit.takes_all())
    };
    dead || play.attacks.iter().any(hit)
}

/// 34.1: all results are applied together.
fn simultaneous(case: &Case, mut state: State) -> Mix {
    withdrawals(case, &mut state);
    restack(&mut state);
    let phasing = case.attacker(state.turn);
    let mut attacks = declared(case, &state, phasing);
    attacks.extend(declared(case, &state, 1 - phasing));
    for attack in &attacks {
        for &i in &attack.attackers {
            state.men[attack.by][i].concealed = false;
        }
    }
    let mut ends = Mix::new();
    let play = Play { state, attacks, rolled: 0 };
    play_on(case, 1.0, play, false, &mut |chance, play: Play| {
        ends.push((chance, apply(play.state, &play.attacks, true)));
    });
    ends
}

/// 34.2: the attacks of the ambushers, each applied at once, then those of the others.
fn sequential(case: &Case, mut state: State, side: usize) -> Mix {
    for man in &mut state.men[1 - side] {
        man.concealed = false;
    }
    withdrawals(case, &mut state);
    restack(&mut state);
    if case.leaving == Leaving::Before && case.sides[side].has_exit {
        for man in &mut state.men[side] {
            if may_leave(man) {
                man.place = Place::Away;
            }
        }
    }
    let attacks = declared(case, &state, side);
    let mut half = Mix::new();
    let play = Play { state, attacks, rolled: 0 };
    play_on(case, 1.0, play, true, &mut |chance, play: Play| half.push((chance, play.state)));
    let mut ends = Mix::new();
    for (chance, mut state) in half {
        if state.here(side).is_empty() {
            ends.push((chance, state));
            continue;
        }
        restack(&mut state);
        let attacks = declared(case, &state, 1 - side);
        let play = Play { state, attacks, rolled: 0 };
        play_on(case, chance, play, true, &mut |chance, play: Play| {
            ends.push((chance, play.state))
        });
    }
    ends
}

/// Rolls the attacks that are left, and passes each end on.
fn play_on(
    case: &Case,
    chance: f64,
    mut play: Play,
    is_sequential: bool,
    end: &mut dyn FnMut(f64, Play),
) {
    let Some(mut attack) = play.attacks.get(play.rolled).cloned() else {
        return end(chance, play);
    };
    let place = play.rolled;
    play.rolled += 1;
    let here = |side: usize, units: &[usize]| -> Vec<usize> {
        let is_here = |&i: &usize| play.state.men[side][i].place == Place::Here;
        units.iter().copied().filter(is_here).collect()
    };
    attack.attackers = here(attack.by, &attack.attackers);
    attack.targets = here(1 - attack.by, &attack.targets);
    attack.overstacked = [0, 1].map(|side| overstacked(&play.state, side));
    attack.staying = staying(&play.state, 1 - attack.by);
    if attack.attackers.is_empty() || attack.targets.is_empty() {
        return play_on(case, chance, play, is_sequential, end);
    }
    for &i in &attack.targets {
        play.state.men[1 - attack.by][i].attacked = true;
    }
    for (share, original) in totals() {
        attack.original = original;
        let mut play = play.clone();
        play.attacks[place] = attack.clone();
        for (way, play) in leaders(case, play, place) {
            let chance = chance * share * way;
            for (way, play) in after_roll(case, play, place, is_sequential) {
                play_on(case, chance * way, play, is_sequential, end);
            }
        }
    }
}

/// 18.12: returns what an attack is after the Leader Creation that its DR may bring.
fn leaders(case: &Case, play: Play, place: usize) -> Vec<(f64, Play)> {
    let attack = &play.attacks[place];
    let able = creators(case, &play.state, attack);
    if attack.original != 2 || able.is_empty() {
        return vec![(1.0, play)];
    }
    let base = base_of(&play.state, attack, &able);
    // The enemy attack, if any, of which each MMC is a target.
    let treated = |i: usize| {
        let at = |other: &Attack| other.by != attack.by && other.targets.contains(&i);
        play.attacks.iter().position(at)
    };
    let is_alike = able.iter().all(|&i| treated(i) == treated(base));
    let bases = if is_alike { vec![base] } else { able.clone() };
    let mut found = Vec::new();
    for dr in 1..=6 {
        let Some(grade) = creation(&play.state, attack, base, dr) else {
            found.push((1.0 / 6.0, play.clone()));
            continue;
        };
        for &with in &bases {
            let mut play = play.clone();
            let creator = play.state.men[attack.by][with].clone();
            let leader = play.state.men[attack.by].len();
            play.state.men[attack.by].push(Man {
                counter: grade,
                fanatic: creator.fanatic,
                concealed: creator.concealed,
                head: with,
                new: true,
                ..Man::default()
            });
            play.attacks[place].attackers.push(leader);
            play.attacks[place].leader = Some(leader);
            found.push((1.0 / 6.0 / bases.len() as f64, play));
        }
    }
    found
}

/// Resolves a rolled attack, lets units Infiltrate, and works out again what a leader changes.
fn after_roll(case: &Case, play: Play, place: usize, is_sequential: bool) -> Vec<(f64, Play)> {
    let mut found = Vec::new();
    let attack = play.attacks[place].clone();
    for (share, hits) in results(case, &play.state, &attack) {
        let mut play = play.clone();
        play.attacks[place].hits = hits;
        infiltrate(case, &mut play, place);
        if is_sequential {
            let attack = play.attacks[place].clone();
            play.state = apply(play.state, std::slice::from_ref(&attack), false);
            play.attacks[place].hits.clear();
            let men = &play.state.men[1 - attack.by];
            let left = |&i: &usize| matches!(men[i].place, Place::Here | Place::Away);
            if attack.targets.iter().any(left) {
                for &i in &attack.attackers {
                    play.state.men[attack.by][i].concealed = false;
                }
            }
            found.push((share, play));
        } else {
            found.extend(join(case, play, place).into_iter().map(|(way, p)| (share * way, p)));
        }
    }
    found
}

/// 11.22: by a 2 attackers leave, by a 12 targets.
fn infiltrate(case: &Case, play: &mut Play, place: usize) {
    let attack = play.attacks[place].clone();
    let (side, units) = match attack.original {
        2 => (attack.by, &attack.attackers),
        12 => (1 - attack.by, &attack.targets),
        _ => return,
    };
    if !case.sides[side].infiltrates || !case.sides[side].has_exit {
        return;
    }
    let goes = |i: usize| may_leave(&play.state.men[side][i]) && !is_out(play, side, i);
    let own_leader = attack.leader.filter(|_| side == attack.by);
    let mut leaving: Vec<usize> =
        units.iter().copied().filter(|&i| Some(i) != own_leader && goes(i)).collect();
    leaving.extend(own_leader.filter(|&i| leaving.contains(&play.state.men[side][i].head)));
    for i in leaving {
        play.state.men[side][i].place = Place::Away;
    }
}

/// 18.12: makes a new leader a target of enemy attacks on his MMC, which are worked out again.
fn join(case: &Case, mut play: Play, place: usize) -> Vec<(f64, Play)> {
    let by = play.attacks[place].by;
    let leader = play.attacks[place].leader;
    let stays = |&i: &usize| play.state.men[by][i].place == Place::Here;
    let Some(leader) = leader.filter(stays) else { return vec![(1.0, play)] };
    let head = play.state.men[by][leader].head;
    let on = |attack: &Attack| attack.by != by && attack.targets.contains(&head);
    let Some(other) = play.attacks.iter().position(on) else { return vec![(1.0, play)] };
    play.attacks[other].targets.push(leader);
    if play.attacks[other].original == 0 {
        return vec![(1.0, play)];
    }
    play.state.men[by][leader].attacked = true;
    // Units that have left keep their results.
    let mut attack = play.attacks[other].clone();
    let is_away = |(i, _): &(usize, Hit)| play.state.men[by][*i].place != Place::Here;
    let kept: Vec<(usize, Hit)> = attack.hits.iter().copied().filter(is_away).collect();
    attack.hits.clear();
    results(case, &play.state, &attack)
        .into_iter()
        .map(|(share, mut hits): (f64, Vec<(usize, Hit)>)| {
            let mut play = play.clone();
            hits.extend(kept.iter().copied());
            play.attacks[other].hits = hits;
            (share, play)
        })
        .collect()
}
