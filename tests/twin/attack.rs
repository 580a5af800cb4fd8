//! Morale and Task Checks, Casualty Reduction, Replacement and wounds (rules sections 4, 7 - 9, 12,
//! 13).

use super::catalogue::{Kind, Replacement, index_of};
use super::heat;
use super::interdiction;
use super::leaders::{checking_order, leadership_drm, note_loss};
use super::tree::{Branches, Mix, Stack, roll_die, roll_dr};
use super::unit::Unit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Attack,
    LeaderLoss,
    Interdiction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Clean,
    Pin,
    Fail { elr: bool },
    Casualty { elr: bool },
}

/// A10.2, A10.21: returns all stacks after the MC of an attack, taken in this `order` of slots.
pub fn stack_checks(mut mix: Mix, order: &[usize], mc: i32) -> Mix {
    for &slot in order {
        mix = mix.step(|stack| match stack.units[slot].in_location() {
            true => morale_check(stack, slot, mc, Cause::Attack),
            false => stack.unchanged(),
        });
    }
    mix
}

/// A7.305: units that are neither broken nor pinned take a TC with leadership; a failure pins.
pub fn pin_task_checks(start: &Stack) -> Mix {
    let mut mix = Mix::of(start.clone());
    for slot in checking_order(start) {
        mix = mix.step(|stack| pin_task_check(stack, slot));
    }
    mix
}

/// A7.305: returns the results of the PTC of one unit.
pub fn pin_task_check(stack: &Stack, slot: usize) -> Branches {
    match stack.units[slot] {
        unit if unit.pinnable() && !unit.pinned => {
            task_check(stack, slot, leadership_drm(stack, slot))
        }
        _ => stack.unchanged(),
    }
}

/// A10.1, I-3: returns the results of a Task Check. A failure pins.
pub fn task_check(stack: &Stack, slot: usize, drm: i32) -> Branches {
    let level = stack.level(slot);
    roll_dr(|dr| dr + drm <= level)
        .into_iter()
        .map(|(passed, chance)| (stack.with(slot, |unit| unit.pinned |= !passed), chance))
        .collect()
}

/// A10.1 - A10.31, A7.8, A19.1, A15.1: returns the results of one Morale Check, with all immediate
/// effects in the order of 4.3.
pub fn morale_check(stack: &Stack, slot: usize, mc: i32, cause: Cause) -> Branches {
    let (before, level) = (stack.units[slot], stack.level(slot));
    let heats = stack.place.scene.hob && !heat::is_exempt(&before);
    let mut branches = Branches::new();
    for ((verdict, original_2), chance) in verdicts(stack, slot, mc, cause, heats) {
        for (mut end, part) in outcome(stack, slot, verdict) {
            note_loss(&mut end, slot, &before, level);
            if cause == Cause::Interdiction
                && matches!(verdict, Verdict::Fail { .. } | Verdict::Casualty { .. })
            {
                interdiction::failed(&mut end);
            }
            let ends = match original_2 && end.units[slot].alive {
                true => heat::heat_of_battle(&end, slot, before.broken),
                false => vec![(end, 1.0)],
            };
            branches.extend(ends.into_iter().map(|(end, last)| (end, chance * part * last)));
        }
    }
    branches
}

/// 4.1 - 4.3: returns the results of the DR; the flag stands for Heat of Battle (Original 2).
fn verdicts(
    stack: &Stack,
    slot: usize,
    mc: i32,
    cause: Cause,
    heats: bool,
) -> Vec<((Verdict, bool), f64)> {
    let (unit, level) = (&stack.units[slot], stack.level(slot));
    let drm = mc + if cause == Cause::LeaderLoss { 0 } else { leadership_drm(stack, slot) };
    let pass_number = level - drm;
    let pins = match cause {
        Cause::Attack => unit.pinnable(),
        Cause::LeaderLoss => false,
        Cause::Interdiction => !unit.is_heroic() && !unit.berserk,
    };
    let elr_failure = |dr: i32| can_fail_elr(unit) && dr + drm - level > unit.elr(stack.place.elr);
    let verdict = |dr: i32| match dr {
        12 => Verdict::Casualty { elr: elr_failure(dr) },
        _ if dr > pass_number => Verdict::Fail { elr: elr_failure(dr) },
        _ if pins && dr == pass_number.min(11) => Verdict::Pin,
        _ => Verdict::Clean,
    };
    roll_dr(|dr| (verdict(dr), heats && dr == 2))
}

/// A19.11: returns whether the unit can suffer an ELR failure.
fn can_fail_elr(unit: &Unit) -> bool {
    let immune = matches!(unit.counter().kind, Kind::Crew | Kind::Commissar)
        || unit.is_heroic()
        || unit.unarmed;
    !immune && !unit.broken && !unit.berserk
}

fn outcome(stack: &Stack, slot: usize, verdict: Verdict) -> Branches {
    match verdict {
        Verdict::Clean => stack.unchanged(),
        Verdict::Pin => vec![(stack.with(slot, |unit| unit.pinned = true), 1.0)],
        Verdict::Fail { elr } => failed_check(stack, slot, elr),
        Verdict::Casualty { elr } => casualty_check(stack, slot, elr),
    }
}

/// A10.3, A15.2, A15.42, A20.5: returns the results of a failed check, except on an Original 12.
fn failed_check(stack: &Stack, slot: usize, elr: bool) -> Branches {
    match stack.units[slot] {
        unit if unit.is_heroic() && unit.wounded => eliminated(stack, slot),
        unit if unit.is_heroic() => wound(stack, slot, 0),
        unit if unit.broken => casualty_reduction(&stack.with(slot, |unit| unit.dm = true), slot),
        unit if unit.berserk || unit.unarmed => casualty_reduction(stack, slot),
        _ => vec![(broken(stack, slot, elr), 1.0)],
    }
}

/// A10.3, A10.62, A19.1: returns the stack after the unit breaks; an ELR failure Replaces the unit.
fn broken(stack: &Stack, slot: usize, elr: bool) -> Stack {
    let mut after = stack.with(slot, Unit::break_it);
    if elr {
        replace(&mut after, slot);
    }
    after
}

/// A10.31, section 8: returns the results of an Original 12 in a MC.
fn casualty_check(stack: &Stack, slot: usize, elr: bool) -> Branches {
    match stack.units[slot] {
        unit if unit.is_heroic() && unit.wounded => eliminated(stack, slot),
        unit if unit.is_heroic() => wound(stack, slot, 1),
        unit if unit.berserk && unit.is_leader() => wound(stack, slot, 1),
        unit if unit.berserk || unit.broken || unit.unarmed => eliminated(stack, slot),
        unit if unit.is_leader() => wound(&broken(stack, slot, elr), slot, 0),
        unit if unit.counter().kind == Kind::Squad => {
            let mut after = stack.with(slot, Unit::break_it);
            casualty_half_squad(&mut after, slot, elr);
            vec![(after, 1.0)]
        }
        _ => eliminated(stack, slot),
    }
}

/// A10.31, I-24, I-53: reduces an unbroken squad to the half-squad that an Original 12 leaves.
/// An ELR failure applies first.
fn casualty_half_squad(stack: &mut Stack, slot: usize, elr: bool) {
    let counter = stack.units[slot].counter();
    let disrupts = elr && can_be_disrupted(stack, slot);
    let unit = &mut stack.units[slot];
    unit.index = index_of(&counter.half_squad);
    if !elr {
        return;
    }
    match (&counter.replacement, counter.lesser_half_squad()) {
        (_, Some(lesser)) => unit.index = lesser,
        (Replacement::Lower(lower), None) => {
            unit.index = index_of(lower);
            unit.index = index_of(&unit.counter().half_squad);
        }
        (Replacement::TwoHalfSquads(_) | Replacement::Disrupted, None) => unit.disrupted = disrupts,
        (Replacement::OnlyBroken | Replacement::Immune, None) => {}
    }
}

/// A19.12: returns whether the rules let the unit be Disrupted: not Fanatics, and not SS facing
/// Russians. The catalogue has the other exceptions.
fn can_be_disrupted(stack: &Stack, slot: usize) -> bool {
    let unit = &stack.units[slot];
    let facing_russians =
        unit.counter().nationality == "german_ss" && stack.place.scene.against_russians;
    !unit.fanatic && !facing_russians
}

/// A19.13, A19.12: Replaces a unit that is already on its broken side.
fn replace(stack: &mut Stack, slot: usize) {
    let disrupts = can_be_disrupted(stack, slot);
    let unit = &mut stack.units[slot];
    match &unit.counter().replacement {
        Replacement::Lower(lower) => unit.index = index_of(lower),
        Replacement::TwoHalfSquads(half) => two_half_squads(stack, slot, half),
        Replacement::Disrupted => unit.disrupted = disrupts,
        Replacement::OnlyBroken | Replacement::Immune => {}
    }
}

/// A19.13: Replaces a squad by two half-squads: one keeps the slot, the other gets a new one.
fn two_half_squads(stack: &mut Stack, slot: usize, half: &str) {
    stack.units[slot].index = index_of(half);
    stack.units.push(Unit { began_broken: true, ..stack.units[slot] });
}

/// A25.22, I-50: returns the results of a failed Rally led by a Commissar. The unit stays broken,
/// and is not Disrupted.
pub fn commissar_price(stack: &Stack, slot: usize) -> Branches {
    let mut after = stack.clone();
    let counter = stack.units[slot].counter();
    match &counter.replacement {
        Replacement::Lower(lower) => after.units[slot].index = index_of(lower),
        Replacement::TwoHalfSquads(half) => two_half_squads(&mut after, slot, half),
        _ if counter.kind == Kind::Squad => return casualty_reduction(stack, slot),
        _ => return eliminated(stack, slot),
    }
    vec![(after, 1.0)]
}

/// A7.302: returns the results of Casualty Reduction.
pub fn casualty_reduction(stack: &Stack, slot: usize) -> Branches {
    let unit = stack.units[slot];
    match unit.counter().kind {
        Kind::Squad => {
            vec![(stack.with(slot, |unit| unit.index = index_of(&unit.counter().half_squad)), 1.0)]
        }
        Kind::HalfSquad | Kind::Crew => eliminated(stack, slot),
        Kind::Leader | Kind::Commissar | Kind::Hero => wound(stack, slot, 0),
    }
}

/// A17.11: returns the results of the Wound Severity dr, with `bonus` as its drm.
fn wound(stack: &Stack, slot: usize, bonus: i32) -> Branches {
    let again = i32::from(stack.units[slot].wounded);
    let survives = |mortal: bool| {
        stack.with(slot, |unit| if mortal { unit.eliminate() } else { unit.wounded = true })
    };
    roll_die(|dr| dr + bonus + again >= 5)
        .into_iter()
        .map(|(mortal, chance)| (survives(mortal), chance))
        .collect()
}

pub fn eliminated(stack: &Stack, slot: usize) -> Branches {
    vec![(stack.with(slot, Unit::eliminate), 1.0)]
}
