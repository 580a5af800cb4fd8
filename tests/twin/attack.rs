//! Morale and Task Checks of a stack, and what the loss of a leader brings (rules sections 4 - 9, 12, 13).

use super::catalogue::{Kind, Replacement, index_of};
use super::tree::{Branches, Loss, Stack, Then, roll_die, roll_dr};
use super::unit::Unit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Attack,
    LeaderLoss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Clean,
    Pin,
    Fail { elr: bool },
    Casualty { elr: bool },
}

/// A10.2: leaders first, the highest ML before the others, then the rest as stacked.
pub fn checking_order(stack: &Stack) -> Vec<usize> {
    let alive = || (0..stack.units.len()).filter(|&slot| stack.units[slot].alive);
    let mut order: Vec<usize> = alive().filter(|&slot| stack.units[slot].is_leader()).collect();
    order.sort_by_key(|&slot| -stack.level(slot));
    order.extend(alive().filter(|&slot| !stack.units[slot].is_leader()));
    order
}

/// A10.2, A10.21: each unit in turn takes the MC of the attack; losses of leaders wait until all have.
pub fn stack_checks(stack: &Stack, order: &[usize], mc: i32, weight: f64, then: Then) {
    match order.split_first() {
        None => resolve_losses(stack, weight, then),
        Some((&slot, rest)) => {
            for (next, chance) in morale_check(stack, slot, mc, Cause::Attack) {
                stack_checks(&next, rest, mc, weight * chance, then);
            }
        }
    }
}

/// A7.305: units that are neither broken nor pinned take a TC with leadership; failing pins.
pub fn pin_task_checks(stack: &Stack, order: &[usize], weight: f64, then: Then) {
    let Some((&slot, rest)) = order.split_first() else {
        return then(stack, weight);
    };
    let unit = stack.units[slot];
    if !unit.pinnable() || unit.pinned {
        return pin_task_checks(stack, rest, weight, then);
    }
    for (next, chance) in task_check(stack, slot, leadership_drm(stack, slot)) {
        pin_task_checks(&next, rest, weight * chance, then);
    }
}

/// A10.1, I-3: a Task Check; failing pins.
fn task_check(stack: &Stack, slot: usize, drm: i32) -> Branches {
    let level = stack.level(slot);
    roll_dr(|dr| dr + drm <= level)
        .into_iter()
        .map(|(passed, chance)| (stack.with(slot, |unit| unit.pinned |= !passed), chance))
        .collect()
}

/// A10.21, A10.22, A10.7, A7.831, A15.42: the best DRM among the leaders this unit may use, 0 without one.
pub fn leadership_drm(stack: &Stack, slot: usize) -> i32 {
    let unit = &stack.units[slot];
    if unit.berserk {
        return 0;
    }
    let helps = |other: usize| {
        let leader = &stack.units[other];
        other != slot
            && leader.good_order_leader()
            && !leader.pinned
            && (!unit.is_leader() || stack.level(other) > stack.level(slot))
    };
    let drms = (0..stack.units.len()).filter(|&other| helps(other)).map(|other| stack.units[other].leadership_for(unit));
    drms.min().unwrap_or(0)
}

/// A10.1 - A10.31, A7.8, A19.1: one Morale Check with everything that follows from it at once.
pub fn morale_check(stack: &Stack, slot: usize, mc: i32, cause: Cause) -> Branches {
    let before = stack.units[slot];
    let level = stack.level(slot);
    let drm = mc + if cause == Cause::Attack { leadership_drm(stack, slot) } else { 0 };
    let pass_number = level - drm;
    let pins = cause == Cause::Attack && before.pinnable();
    let elr_failure = |dr: i32| can_fail_elr(&before) && dr + drm - level > before.elr(stack.elr);
    let verdicts = roll_dr(|dr| match dr {
        12 => Verdict::Casualty { elr: elr_failure(dr) },
        _ if dr > pass_number => Verdict::Fail { elr: elr_failure(dr) },
        _ if pins && dr == pass_number.min(11) => Verdict::Pin,
        _ => Verdict::Clean,
    });
    let mut branches = Branches::new();
    for (verdict, chance) in verdicts {
        let ends = match verdict {
            Verdict::Clean => vec![(stack.clone(), 1.0)],
            Verdict::Pin => vec![(stack.with(slot, |unit| unit.pinned = true), 1.0)],
            Verdict::Fail { elr } => failed_check(stack, slot, elr),
            Verdict::Casualty { elr } => casualty_check(stack, slot, elr),
        };
        for (mut end, part) in ends {
            note_loss(&mut end, slot, &before);
            branches.push((end, chance * part));
        }
    }
    branches
}

/// A19.11.
fn can_fail_elr(unit: &Unit) -> bool {
    let immune = unit.counter().kind == Kind::Crew || unit.is_heroic();
    !immune && !unit.broken && !unit.berserk
}

/// A10.3, A15.2, A15.42: the check failed with less than an Original 12.
fn failed_check(stack: &Stack, slot: usize, elr: bool) -> Branches {
    let unit = stack.units[slot];
    if unit.broken {
        return casualty_reduction(&stack.with(slot, |unit| unit.dm = true), slot);
    }
    if unit.is_heroic() {
        return if unit.wounded { vec![(eliminated(stack, slot), 1.0)] } else { wound(stack, slot, 0) };
    }
    if unit.berserk {
        return casualty_reduction(stack, slot);
    }
    let mut after = stack.with(slot, Unit::break_it);
    if elr {
        replace(&mut after, slot);
    }
    vec![(after, 1.0)]
}

/// A10.31: the Casualty MC.
fn casualty_check(stack: &Stack, slot: usize, elr: bool) -> Branches {
    let unit = stack.units[slot];
    if unit.is_heroic() {
        return if unit.wounded { vec![(eliminated(stack, slot), 1.0)] } else { wound(stack, slot, 1) };
    }
    match unit.counter().kind {
        Kind::Leader if unit.berserk => wound(stack, slot, 1),
        Kind::Leader if !unit.broken => {
            let mut after = stack.with(slot, Unit::break_it);
            if elr {
                replace(&mut after, slot);
            }
            wound(&after, slot, 0)
        }
        Kind::Squad if !unit.broken && !unit.berserk => {
            let mut after = stack.with(slot, Unit::break_it);
            casualty_half_squad(&mut after.units[slot], elr);
            vec![(after, 1.0)]
        }
        _ => vec![(eliminated(stack, slot), 1.0)],
    }
}

/// A10.31, I-24, I-53: what an Original 12 leaves of an unbroken squad, the ELR failure first.
fn casualty_half_squad(unit: &mut Unit, elr: bool) {
    let counter = unit.counter();
    let own_half = index_of(&counter.half_squad);
    unit.index = own_half;
    if !elr {
        return;
    }
    match (&counter.replacement, counter.lesser_half_squad()) {
        (_, Some(lesser)) => unit.index = lesser,
        (Replacement::Lower(lower), None) => {
            unit.index = index_of(lower);
            unit.index = index_of(&unit.counter().half_squad);
        }
        (Replacement::TwoHalfSquads(_) | Replacement::Disrupted, None) => unit.disrupted = !unit.fanatic,
        (Replacement::OnlyBroken | Replacement::Immune, None) => {}
    }
}

/// A19.13, A19.12: Replacement of a unit already turned to its broken side.
fn replace(stack: &mut Stack, slot: usize) {
    let unit = &mut stack.units[slot];
    match &unit.counter().replacement {
        Replacement::Lower(lower) => unit.index = index_of(lower),
        Replacement::TwoHalfSquads(half) => {
            unit.index = index_of(half);
            let second = *unit;
            stack.units.push(second);
        }
        Replacement::Disrupted => unit.disrupted = !unit.fanatic,
        Replacement::OnlyBroken | Replacement::Immune => {}
    }
}

/// A7.302.
pub fn casualty_reduction(stack: &Stack, slot: usize) -> Branches {
    let counter = stack.units[slot].counter();
    match counter.kind {
        Kind::Squad => vec![(stack.with(slot, |unit| unit.index = index_of(&counter.half_squad)), 1.0)],
        Kind::HalfSquad | Kind::Crew => vec![(eliminated(stack, slot), 1.0)],
        Kind::Leader | Kind::Hero => wound(stack, slot, 0),
    }
}

/// A17.11: the Wound Severity dr.
pub fn wound(stack: &Stack, slot: usize, bonus: i32) -> Branches {
    let again = i32::from(stack.units[slot].wounded);
    roll_die(|dr| dr + bonus + again >= 5)
        .into_iter()
        .map(|(mortal, chance)| match mortal {
            true => (eliminated(stack, slot), chance),
            false => (stack.with(slot, |unit| unit.wounded = true), chance),
        })
        .collect()
}

fn eliminated(stack: &Stack, slot: usize) -> Stack {
    stack.with(slot, |unit| unit.alive = false)
}

/// A10.2, I-5: a leader who died, or else broke, is queued with the ML and DRM he had before the DR.
pub fn note_loss(stack: &mut Stack, slot: usize, before: &Unit) {
    let after = stack.units[slot];
    if before.is_leader() && (!after.alive || (after.broken && !before.broken)) {
        let level = before.morale_level(stack.under_attack);
        let drm = (-before.leadership()).max(0);
        stack.losses.push_back(Loss { leader: slot, eliminated: !after.alive, level, drm });
    }
}

/// A10.2: the queue of LLMC and LLTC, in the order the leaders were lost.
pub fn resolve_losses(stack: &Stack, weight: f64, then: Then) {
    let mut stack = stack.clone();
    let Some(loss) = stack.losses.pop_front() else {
        return then(&stack, weight);
    };
    loss_checks(&stack, &loss, &checking_order(&stack), weight, then);
}

/// A10.2, A15.42: a lower ML than the leader's; for the LLTC also unbroken and able to pin.
fn is_shaken(stack: &Stack, slot: usize, loss: &Loss) -> bool {
    let unit = &stack.units[slot];
    slot != loss.leader && unit.alive && !unit.berserk && stack.level(slot) < loss.level && (loss.eliminated || unit.pinnable())
}

/// A10.2, A10.21: one LLMC or LLTC for each unit, without leadership.
fn loss_checks(stack: &Stack, loss: &Loss, order: &[usize], weight: f64, then: Then) {
    let Some((&slot, rest)) = order.split_first() else {
        return resolve_losses(stack, weight, then);
    };
    if !is_shaken(stack, slot, loss) {
        return loss_checks(stack, loss, rest, weight, then);
    }
    let branches = match loss.eliminated {
        true => morale_check(stack, slot, leader_loss_mc(&stack.units[slot], loss), Cause::LeaderLoss),
        false => task_check(stack, slot, loss.drm),
    };
    for (next, chance) in branches {
        loss_checks(&next, loss, rest, weight * chance, then);
    }
}

/// A10.2: never more than a 1MC for Finns.
fn leader_loss_mc(unit: &Unit, loss: &Loss) -> i32 {
    if unit.counter().nationality == "finnish" { loss.drm.min(1) } else { loss.drm }
}
