//! The Ambush dr (A11.4).

use super::attack::{is_inexperienced, leadership_of};
use super::counters::counter;
use super::{Case, Man, State};

/// 11.18, 15.432, 19.36, 25.64.
fn is_lax(state: &State, side: usize, man: &Man) -> bool {
    let of = counter(man.counter);
    let is_plain_italian = of.nation == "italian" && of.class != "E" && !of.is_smc();
    man.lax || man.berserk || is_plain_italian || is_inexperienced(state, side, man)
}

/// 11.17, 15.24, 25.7, 25.24.
fn is_stealthy(state: &State, side: usize, man: &Man) -> bool {
    let of = counter(man.counter);
    let is_finn = of.nation == "finnish" && ["E", "1"].contains(&of.class.as_str());
    let is_hero = man.heroic || of.kind == super::counters::Kind::Hero;
    let is_so = man.stealthy || is_finn || is_hero || of.nation == "partisan";
    is_so && !man.broken && !man.berserk && !is_lax(state, side, man)
}

/// 11.4: returns the sum of the drm of a side.
fn drm(state: &State, side: usize) -> i32 {
    let here: Vec<&Man> = state.here(side).into_iter().map(|i| &state.men[side][i]).collect();
    let any = |is: &dyn Fn(&Man) -> bool| i32::from(here.iter().any(|man| is(man)));
    let causes = any(&|man| man.cx)
        + any(&|man| is_lax(state, side, man))
        + any(&|man| man.broken)
        + any(&|man| man.pinned)
        + any(&|man| man.berserk)
        - any(&|man| is_stealthy(state, side, man))
        - 2 * any(&|man| man.concealed);
    if here.len() < 2 || here.iter().any(|man| man.berserk) {
        return causes;
    }
    let leaders =
        here.iter().filter(|man| counter(man.counter).is_leader() && !man.broken && !man.pinned);
    causes + leaders.map(|man| leadership_of(man)).min().unwrap_or(0)
}

/// 11.4: returns who may ambush, with the chances.
pub fn ambushes(case: &Case, state: &State) -> Vec<(f64, Option<usize>)> {
    let is_first = state.turn == 1 && !state.melee;
    let concealed =
        state.men.iter().flatten().any(|man| man.concealed && man.place == super::Place::Here);
    match case.ambush {
        super::Ambush::By(side) if is_first => return vec![(1.0, Some(side))],
        super::Ambush::Roll if is_first && (case.building || concealed) => {}
        _ => return vec![(1.0, None)],
    }
    let drms = [0, 1].map(|side| drm(state, side));
    // E1.77: the ATTACKER at night.
    let margin = [0, 1].map(|side| if case.night && side == case.phasing { 2 } else { 3 });
    let mut found = Vec::new();
    for (ours, theirs) in (1..=6).flat_map(|ours| (1..=6).map(move |theirs| (ours, theirs))) {
        let finals = [ours + drms[0], theirs + drms[1]];
        let by = (0..2).find(|&side| finals[side] + margin[side] <= finals[1 - side]);
        found.push((1.0 / 36.0, by));
    }
    [None, Some(0), Some(1)]
        .map(|by| (found.iter().filter(|one| one.1 == by).map(|one| one.0).sum(), by))
        .into_iter()
        .filter(|(chance, _)| *chance > 0.0)
        .collect()
}
