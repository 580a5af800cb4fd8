//! The order of checks, leadership, and the loss of leaders (rules sections 5 and 6, A25.22).

use super::attack::{Cause, morale_check, task_check};
use super::tree::{Branches, Mix, Stack};
use super::unit::Unit;

/// A10.2: the loss of a leader that was eliminated (LLMC) or broke (LLTC), with the leader's values
/// at its own roll (I-5, I-47).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    pub leader: usize,
    pub eliminated: bool,
    pub level: i32,
    pub drm: i32,
    pub commissar: bool,
}

/// A10.2, A25.22: returns the slots in the order of checks. Commissars come first, then other
/// leaders from the highest ML down, then the rest as stacked.
pub fn checking_order(stack: &Stack) -> Vec<usize> {
    let rank = |slot: usize| match &stack.units[slot] {
        unit if unit.is_commissar() => (0, -stack.level(slot)),
        unit if unit.is_leader() => (1, -stack.level(slot)),
        _ => (2, 0),
    };
    let mut order: Vec<usize> =
        (0..stack.units.len()).filter(|&slot| stack.units[slot].in_location()).collect();
    order.sort_by_key(|&slot| rank(slot));
    order
}

/// A10.21, A10.22, A10.7, A7.831, A15.42, A25.22: returns the best DRM of the leaders that the unit
/// may use; 0 without a leader.
pub fn leadership_drm(stack: &Stack, slot: usize) -> i32 {
    let unit = &stack.units[slot];
    if unit.berserk || unit.is_commissar() {
        return 0;
    }
    let commissar_rules = stack.has_commissar();
    let others =
        (0..stack.units.len()).filter(|&other| other != slot).map(|other| &stack.units[other]);
    let drms = others
        .chain(&stack.place.lent)
        .filter(|leader| leader.gives_leadership())
        .filter(|leader| leader.is_commissar() || !commissar_rules)
        .filter(|leader| !unit.is_leader() || stack.level_of(leader) > stack.level(slot))
        .map(|leader| leader.leadership_for(unit));
    drms.min().unwrap_or(0)
}

/// A10.2, I-5: adds a leader that was eliminated or broke to the queue of losses. `before` and
/// `level` are the leader and its ML before the loss.
pub fn note_loss(stack: &mut Stack, slot: usize, before: &Unit, level: i32) {
    let after = stack.units[slot];
    if before.is_leader() && before.alive && (!after.alive || (after.broken && !before.broken)) {
        let drm = (-before.leadership()).max(0);
        let commissar = before.is_commissar();
        stack.losses.push_back(Loss {
            leader: slot,
            eliminated: !after.alive,
            level,
            drm,
            commissar,
        });
    }
}

/// A10.2: resolves the queue of losses by LLMC and LLTC, in order, until it is empty.
pub fn settle(mut mix: Mix) -> Mix {
    while mix.any(|stack| !stack.losses.is_empty()) {
        mix = mix.step(first_loss);
    }
    mix
}

/// A10.2, A10.21: returns the results of the first loss: one LLMC or LLTC each, leaders first.
fn first_loss(stack: &Stack) -> Branches {
    let mut stack = stack.clone();
    let Some(loss) = stack.losses.pop_front() else {
        return stack.unchanged();
    };
    let order = checking_order(&stack);
    let mut mix = Mix::of(stack);
    for slot in order {
        mix = mix.step(|stack| match is_shaken(stack, slot, &loss) {
            false => stack.unchanged(),
            true if loss.eliminated => morale_check(
                stack,
                slot,
                leader_loss_mc(&stack.units[slot], &loss),
                Cause::LeaderLoss,
            ),
            true => task_check(stack, slot, loss.drm),
        });
    }
    mix.into_branches()
}

/// A10.2, A15.42, A25.22: returns whether the unit must check for the loss of a leader. Its ML must
/// be lower than the leader's, except for leaders when a Commissar is lost. For an LLTC it must
/// also be unbroken and able to pin.
fn is_shaken(stack: &Stack, slot: usize, loss: &Loss) -> bool {
    let unit = &stack.units[slot];
    let exempt = slot == loss.leader || !unit.in_location() || unit.berserk || unit.is_commissar();
    let outranked = stack.level(slot) < loss.level || (loss.commissar && unit.is_leader());
    !exempt && outranked && (loss.eliminated || unit.pinnable())
}

/// A10.2: returns the DRM of an LLMC, which is at most a 1MC for Finns.
fn leader_loss_mc(unit: &Unit, loss: &Loss) -> i32 {
    if unit.finn || unit.counter().nationality == "finnish" { loss.drm.min(1) } else { loss.drm }
}
