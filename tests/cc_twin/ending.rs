//! The results of a CCPh (A7.302, A20.221, A10.62, A11.16, A19.12, A15.46), and the next one.

use super::attack::{Attack, Hit, strength};
use super::counters::{Kind, counter, index};
use super::round::may_leave;
use super::{Case, Leaving, Man, Place, State};

/// 19.12: Disrupted units surrender to Good Order, armed, Known enemies before any CC.
pub fn surrender(case: &Case, state: &mut State) {
    if case.no_quarter || state.melee {
        return;
    }
    let takes = |man: &Man| {
        let is_good_order = !man.broken && !man.berserk;
        man.place == Place::Here && is_good_order && !man.unarmed && !man.concealed
    };
    let takers = [0, 1].map(|side: usize| -> Vec<usize> {
        (0..state.men[side].len()).filter(|&i| takes(&state.men[side][i])).collect()
    });
    for side in 0..2 {
        if takers[1 - side].is_empty() {
            continue;
        }
        let mut prisoners = 0;
        for i in state.here(side) {
            if state.men[side][i].disrupted {
                prisoners += size(&state.men[side][i]);
                lose(state, side, i, Place::Captured);
            }
        }
        appoint(state, 1 - side, &takers[1 - side], prisoners);
    }
}

/// 41.1: removes a unit and counts its CVP.
fn lose(state: &mut State, side: usize, i: usize, place: Place) {
    state.lost[side] += counter(state.men[side][i].counter).points();
    let man = &mut state.men[side][i];
    (man.place, man.concealed, man.dm) = (place, false, false);
}

fn halve(state: &mut State, side: usize, i: usize) {
    let squad = counter(state.men[side][i].counter);
    let half = index(&squad.half_squad);
    state.lost[side] += squad.points() - counter(half).points();
    let man = &mut state.men[side][i];
    (man.counter, man.hurt, man.concealed) = (half, true, false);
}

/// Applies the results of attacks. 20.221: a side wiped out loses its captures of this round.
pub fn apply(mut state: State, attacks: &[Attack], is_simultaneous: bool) -> State {
    let hits: Vec<(usize, usize, Hit)> = attacks
        .iter()
        .flat_map(|attack| attack.hits.iter().map(|&(i, hit)| (1 - attack.by, i, hit)))
        .collect();
    // Units that took part in this round are here, or have Infiltrated just now.
    let survives = [0, 1].map(|side: usize| {
        (0..state.men[side].len()).any(|i| {
            let man = &state.men[side][i];
            let is_gone =
                |&(of, j, hit): &(usize, usize, Hit)| (of, j) == (side, i) && hit.takes_all();
            let took_part = man.place == Place::Here
                || man.place == Place::Away && (man.attacked || attacked(attacks, side, i));
            took_part && !hits.iter().any(is_gone)
        })
    });
    for (side, i, hit) in hits {
        let holds = survives[1 - side] || !is_simultaneous;
        match hit {
            Hit::Dead => lose(&mut state, side, i, Place::Dead),
            Hit::Reduced => halve(&mut state, side, i),
            Hit::Wounded => {
                let man = &mut state.men[side][i];
                (man.wounded, man.hurt, man.concealed) = (true, true, false);
                if counter(man.counter).id == "any_hero_149" {
                    man.counter = index("any_hero_138");
                }
            }
            Hit::Captured if holds => lose(&mut state, side, i, Place::Captured),
            Hit::HalfCaptured if holds => halve(&mut state, side, i),
            Hit::Captured | Hit::HalfCaptured => {}
        }
    }
    for attack in attacks {
        let taken = |&(i, hit): &(usize, Hit)| {
            let holds = survives[attack.by] || !is_simultaneous;
            let is_capture = matches!(hit, Hit::Captured | Hit::HalfCaptured);
            (is_capture && holds).then(|| size(&state.men[1 - attack.by][i]))
        };
        let size: i32 = attack.hits.iter().filter_map(taken).sum();
        appoint(&mut state, attack.by, &attack.attackers, size);
    }
    state
}

/// 20.5: the US#.
fn size(man: &Man) -> i32 {
    match counter(man.counter).kind {
        Kind::Squad => 3,
        Kind::HalfSquad | Kind::Crew => 2,
        _ => 1,
    }
}

/// 20.5, 20.52: makes captors Guards: the weakest who can hold all prisoners, else the largest.
fn appoint(state: &mut State, side: usize, captors: &[usize], mut prisoners: i32) {
    let mut left: Vec<usize> =
        captors.iter().copied().filter(|i| state.here(side).contains(i)).collect();
    while prisoners > 0 && !left.is_empty() {
        let man = |i: usize| &state.men[side][i];
        let able = left.iter().copied().filter(|&i| 5 * size(man(i)) >= prisoners);
        let guard = able
            .min_by_key(|&i| (strength(man(i)), i))
            .or_else(|| left.iter().copied().min_by_key(|&i| (-size(man(i)), i)))
            .unwrap();
        prisoners -= 5 * size(man(guard));
        state.men[side][guard].guard = true;
        left.retain(|&i| i != guard);
    }
}

fn attacked(attacks: &[Attack], side: usize, i: usize) -> bool {
    attacks.iter().any(|attack| attack.by == side && attack.attackers.contains(&i))
}

/// Ends the CCPh.
pub fn finish(case: &Case, mut state: State) -> State {
    if let Some(side) = state.ambusher
        && case.leaving == Leaving::After
        && case.sides[side].has_exit
    {
        for man in &mut state.men[side] {
            if may_leave(man) {
                man.place = Place::Away;
            }
        }
    }
    let is_left = |man: &Man| matches!(man.place, Place::Here | Place::Away);
    for man in state.men.iter_mut().flatten() {
        if man.attacked && man.broken && is_left(man) {
            man.dm = true;
        }
        if man.withdraws && !man.hurt && man.place == Place::Here {
            man.place = Place::Away;
        }
    }
    let met = [0, 1].map(|side: usize| !state.here(1 - side).is_empty());
    for (side, met) in met.into_iter().enumerate() {
        for i in state.here(side) {
            let man = &state.men[side][i];
            let held = state.melee && man.broken && !man.disrupted && !man.guard && !man.concealed;
            if held || man.disrupted && met {
                lose(&mut state, side, i, Place::Dead);
            }
        }
    }
    for side in 0..2 {
        let is_dead = |man: &Man| man.place == Place::Dead;
        if state.here(1 - side).is_empty() && state.men[1 - side].iter().any(is_dead) {
            for i in state.here(side) {
                state.men[side][i].berserk = false;
            }
        }
    }
    let is_held = |man: &Man| man.place == Place::Here && !man.concealed;
    state.melee = (0..2).all(|side| state.men[side].iter().any(is_held));
    for man in state.men.iter_mut().flatten() {
        (man.ti, man.withdraws, man.attacked, man.hurt, man.new) =
            (false, false, false, false, false);
    }
    state.ambusher = None;
    state
}

/// Pins end with the Player Turn (7.8), CX in the owner's next MPh (4.51).
pub fn next_turn(case: &Case, mut state: State) -> State {
    state.turn += 1;
    for man in state.men.iter_mut().flatten() {
        man.pinned = false;
    }
    for man in &mut state.men[case.attacker(state.turn)] {
        man.cx = false;
    }
    // What is lost need not be told apart any more.
    for man in state.men.iter_mut().flatten() {
        if man.place == Place::Dead {
            *man = Man { place: Place::Dead, counter: man.counter, ..Man::default() };
        }
    }
    state
}
