//! A rout through Interdicted Open Ground, alone or with a leader that goes along (rules sections
//! 17.6, 17.9).

use super::attack::{Cause, morale_check};
use super::leaders::{note_loss, settle};
use super::tree::{Branches, Mix, Place, Stack, Tally};
use super::unit::{Rout, Unit};
use super::{Odds, Scene, TwinUnit, lent};

/// Slots of the routing unit and of the leader that goes along, 0-based.
const UNIT: usize = 0;
const ESCORT: usize = 1;

/// A10.53: returns the odds for a broken unit that enters `hexes` Interdicted Open Ground hexes at
/// 1 MF each. `lent_leader` is a leader who is in every one of them (I-8).
pub fn interdict(
    unit: &TwinUnit,
    hexes: usize,
    lent_leader: Option<&str>,
    elr: i32,
    scene: Scene,
) -> Odds {
    odds(&crossed(unit, hexes, lent_leader, elr, scene))
}

/// Returns all possible stacks after a rout without a leader that goes along.
pub fn crossed(
    unit: &TwinUnit,
    hexes: usize,
    lent_leader: Option<&str>,
    elr: i32,
    scene: Scene,
) -> Mix {
    let place = Place { lent: lent(lent_leader), ..Place::calm(elr, scene) };
    rout(&Stack::new(&[routing(unit)], place), hexes)
}

/// A10.711: returns the odds of a rout with a leader at risk that stays with the unit throughout.
pub fn voluntary_rout(
    unit: &TwinUnit,
    leader: &TwinUnit,
    hexes: usize,
    elr: i32,
    scene: Scene,
) -> Odds {
    let place = Place { escorted: true, ..Place::calm(elr, scene) };
    odds(&rout(&Stack::new(&[routing(unit), leader.clone()], place), hexes))
}

fn routing(unit: &TwinUnit) -> TwinUnit {
    TwinUnit { broken: true, pinned: false, ..unit.clone() }
}

fn rout(start: &Stack, hexes: usize) -> Mix {
    let mut mix = Mix::of(start.clone());
    for _ in 0..hexes {
        mix = settle(mix.step(enter_hex));
    }
    mix
}

fn odds(mix: &Mix) -> Odds {
    let mut tally = Tally::default();
    for (stack, weight) in mix.iter() {
        tally.add(UNIT, 0, rout_status(&stack.units[UNIT]), stack.units[UNIT], weight);
        for (slot, unit) in stack.units.iter().enumerate().skip(1) {
            tally.add(slot, 0, unit.status(), *unit, weight);
        }
    }
    tally.into_odds()
}

/// A10.53, I-9: returns the status of a rout, or of the unit if Heat of Battle ended the rout.
pub fn rout_status(unit: &Unit) -> &'static str {
    match unit.rout {
        _ if !unit.alive || unit.captured => unit.status(),
        Rout::Ended => unit.status(),
        _ if unit.pinned => "pinned",
        Rout::Stopped => "stopped",
        Rout::Going => "through",
    }
}

/// A10.53: returns the results of entering a hex with one NMC, if the rout goes on.
fn enter_hex(stack: &Stack) -> Branches {
    let unit = &stack.units[UNIT];
    if !unit.alive || unit.captured || unit.pinned || unit.rout != Rout::Going {
        return stack.unchanged();
    }
    if stack.spent >= movement_factors(stack) {
        return vec![(stack.with(UNIT, |unit| unit.rout = Rout::Stopped), 1.0)];
    }
    let mut entered = stack.clone();
    entered.spent += 1;
    let company = if stack.place.escorted { 2 } else { 1 };
    entered.units.iter_mut().skip(company).for_each(|created| created.left_behind = true);
    morale_check(&entered, UNIT, 0, Cause::Interdiction)
}

/// A10.5, A17.2, A10.711: returns the allotment: 6 MF, or 3 with a wounded SMC in the company.
fn movement_factors(stack: &Stack) -> usize {
    let company = stack.units.iter().filter(|unit| unit.in_location());
    let lame = company
        .take(if stack.place.escorted { 2 } else { 1 })
        .any(|unit| unit.is_smc() && unit.wounded);
    if lame { 3 } else { 6 }
}

/// A10.53, A17.2, I-10, A10.711, I-7: applies the further effects of a failed NMC, after the
/// Reduction. A wounded SMC may have to stop, and the leader along is eliminated.
pub fn failed(stack: &mut Stack) {
    let spent = stack.spent;
    let unit = &mut stack.units[UNIT];
    if unit.is_smc() && unit.alive {
        unit.pinned |= spent > 3;
        unit.rout = if spent == 3 { Rout::Stopped } else { unit.rout };
    }
    if stack.place.escorted && stack.units[ESCORT].in_location() {
        let (before, level) = (stack.units[ESCORT], stack.level(ESCORT));
        stack.units[ESCORT].eliminate();
        note_loss(stack, ESCORT, &before, level);
    }
}
