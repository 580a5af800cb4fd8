//! Rally Phases of one Location, with choices by the reference policy (rules section 16, A25.22).

use super::attack::{casualty_reduction, commissar_price};
use super::catalogue::leader_of;
use super::heat;
use super::leaders::{note_loss, settle};
use super::tree::{Branches, Mix, Place, Stack, Tally, roll_die, roll_dr};
use super::unit::{Rout, Unit};
use super::{Odds, Scene, TwinUnit, lent};

struct Question {
    terrain_bonus: bool,
    /// A18.11: true in the RPh of the unit's own side.
    own_rph: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    Commissar(i32),
    Led(i32),
    FirstMmc,
    SelfRally,
}

impl Attempt {
    /// A15.1: returns whether the attempt can bring Heat of Battle; a Self-Rally cannot.
    fn is_led(self) -> bool {
        matches!(self, Attempt::Commissar(_) | Attempt::Led(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Fate,
    Created,
    Rallied,
    Still,
}

/// A10.6 - A10.64, A18.11: returns the odds of Rally Phases by the policy of 16.5, cumulative by
/// phase. `own_rph_odd` is true if odd phases are the side's own RPh, false if even ones are. The
/// leader `lent_leader` is always in Good Order, and has no rows.
pub fn rally(
    stack: &[TwinUnit],
    phases: usize,
    lent_leader: Option<&str>,
    terrain_bonus: bool,
    own_rph_odd: Option<bool>,
    elr: i32,
    scene: Scene,
) -> Odds {
    let ends = rallied(stack, phases, lent_leader, terrain_bonus, own_rph_odd, elr, scene);
    let mut tally = Tally::default();
    for (phase, mix) in (1..).zip(&ends) {
        for (stack, weight) in mix.iter() {
            for (slot, unit) in stack.units.iter().enumerate() {
                tally.add(slot, phase, rally_status(unit), *unit, weight);
            }
        }
    }
    tally.into_odds()
}

/// Returns all possible stacks at the end of each phase.
pub fn rallied(
    stack: &[TwinUnit],
    phases: usize,
    lent_leader: Option<&str>,
    terrain_bonus: bool,
    own_rph_odd: Option<bool>,
    elr: i32,
    scene: Scene,
) -> Vec<Mix> {
    let place = Place { lent: lent(lent_leader), ..Place::calm(elr, scene) };
    let mut mix = Mix::of(Stack::new(stack, place));
    let phase = |phase: usize| {
        let question = Question { terrain_bonus, own_rph: own_rph_odd == Some(phase % 2 == 1) };
        mix = rally_phase(&question, std::mem::take(&mut mix));
        mix.clone()
    };
    (1..=phases).map(phase).collect()
}

/// 16.5: returns all stacks after a phase: attempts one by one, then no DM (A10.62).
fn rally_phase(question: &Question, mix: Mix) -> Mix {
    let mut mix = mix.step(|stack| vec![(begun(stack), 1.0)]);
    while mix.any(|stack| next_attempt(question, stack).is_some()) {
        mix = settle(mix.step(|stack| match next_attempt(question, stack) {
            Some((slot, attempt)) => rally_attempt(question, stack, slot, attempt),
            None => stack.unchanged(),
        }));
    }
    mix.step(|stack| vec![(ended(stack), 1.0)])
}

/// 16.5: returns the stack at the start of a phase, without pins and attempts of the last phase.
fn begun(stack: &Stack) -> Stack {
    let mut fresh = Stack { mmc_tried: false, ..stack.clone() };
    for unit in &mut fresh.units {
        unit.pinned = false;
        unit.tried = false;
        unit.rout = Rout::Going;
    }
    fresh
}

/// A10.62: returns the stack at the end of a phase, without DM.
fn ended(stack: &Stack) -> Stack {
    let mut end = stack.clone();
    end.units.iter_mut().for_each(|unit| unit.dm = false);
    end
}

/// Returns the status of section 21.
pub fn rally_status(unit: &Unit) -> &'static str {
    match unit.status() {
        "good-order" if unit.began_broken => "rallied",
        status => status,
    }
}

/// 16.5: returns the next attempt, in a fixed order of units. Broken Commissars come first, then
/// broken leaders by ML, then MMC as stacked and created units.
fn next_attempt(question: &Question, stack: &Stack) -> Option<(usize, Attempt)> {
    let mut order: Vec<usize> = (0..stack.units.len()).collect();
    order.sort_by_key(|&slot| match &stack.units[slot] {
        unit if unit.is_commissar() => (0, 0),
        unit if unit.is_leader() => (1, -stack.level(slot)),
        _ => (2, 0),
    });
    order.into_iter().find_map(|slot| Some((slot, possible_attempt(question, stack, slot)?)))
}

/// 16.5: returns the attempt that the unit can make, by A10.6, A10.63, A18.11, A19.12, A25.22.
fn possible_attempt(question: &Question, stack: &Stack, slot: usize) -> Option<Attempt> {
    let unit = &stack.units[slot];
    if !unit.in_location() || !unit.broken || unit.tried {
        return None;
    }
    if unit.is_commissar() {
        return Some(Attempt::SelfRally);
    }
    let leaders = || stack.present().filter(|leader| leader.good_order_leader());
    let commissar = leaders().any(Unit::is_commissar).then_some(0);
    let leader = leaders().map(|leader| leader.leadership_for(unit)).min();
    match (commissar, leader) {
        (Some(drm), _) => Some(Attempt::Commissar(drm)),
        (None, Some(drm)) => Some(Attempt::Led(drm)),
        (None, None) if unit.disrupted => None,
        (None, None) if !unit.is_smc() && question.own_rph && !stack.mmc_tried => {
            Some(Attempt::FirstMmc)
        }
        (None, None) if unit.counter().self_rally => Some(Attempt::SelfRally),
        (None, None) => None,
    }
}

/// 16.2: returns the results of the Rally DR, then of Heat of Battle.
fn rally_attempt(question: &Question, stack: &Stack, slot: usize, attempt: Attempt) -> Branches {
    let mut stack = stack.clone();
    stack.units[slot].tried = true;
    stack.mmc_tried |= !stack.units[slot].is_smc();
    let (before, level) = (stack.units[slot], stack.level(slot));
    let mut branches = Branches::new();
    for ((reading, original_2), chance) in readings(question, &stack, slot, attempt) {
        for (mut end, part) in rally_outcome(&stack, slot, attempt, reading) {
            note_loss(&mut end, slot, &before, level);
            let ends = match original_2 && end.units[slot].alive {
                true => heat::heat_of_battle(&end, slot, true),
                false => vec![(end, 1.0)],
            };
            branches.extend(ends.into_iter().map(|(end, last)| (end, chance * part * last)));
        }
    }
    branches
}

/// 16.2: returns the results of the Rally DR; the flag stands for Heat of Battle (Original 2).
fn readings(
    question: &Question,
    stack: &Stack,
    slot: usize,
    attempt: Attempt,
) -> Vec<((Reading, bool), f64)> {
    let unit = &stack.units[slot];
    let desperate = unit.dm && !matches!(attempt, Attempt::Commissar(_));
    let aid = match attempt {
        Attempt::Commissar(leadership) | Attempt::Led(leadership) => leadership,
        Attempt::FirstMmc | Attempt::SelfRally => 1,
    };
    let drm = aid + if desperate { 4 } else { 0 } - i32::from(question.terrain_bonus);
    let heats = attempt.is_led() && stack.place.scene.hob && !heat::is_exempt(unit);
    let read = |dr: i32| match dr {
        12 => Reading::Fate,
        2 if attempt == Attempt::FirstMmc => Reading::Created,
        _ if dr + drm <= stack.level(slot) => Reading::Rallied,
        _ => Reading::Still,
    };
    roll_dr(|dr| (read(dr), heats && dr == 2))
}

/// Returns the effects of a result of the Rally DR, by A10.6, A10.64, A18.2, A25.22, I-51.
fn rally_outcome(stack: &Stack, slot: usize, attempt: Attempt, reading: Reading) -> Branches {
    match (reading, attempt) {
        (Reading::Fate, _) => casualty_reduction(stack, slot),
        (Reading::Created, _) => {
            leader_creation(&stack.with(slot, Unit::restore), &stack.units[slot], stack.level(slot))
        }
        (Reading::Rallied, _) => vec![(stack.with(slot, Unit::restore), 1.0)],
        (Reading::Still, Attempt::Commissar(_)) => commissar_price(stack, slot),
        (Reading::Still, _) => stack.unchanged(),
    }
}

/// A18.2, I-34: returns the results of leader creation. The unit that rolled counts as broken, as
/// it was before.
fn leader_creation(stack: &Stack, creator: &Unit, level: i32) -> Branches {
    let nationality = creator.counter().nationality.as_str();
    if nationality == "finnish" {
        return stack.unchanged();
    }
    let nation_drm = match nationality {
        "american" | "british" | "german" | "german_ss" => -1,
        "russian" | "italian" => 1,
        _ => 0,
    };
    let level_drm = match level {
        ..=6 => 1,
        7 => 0,
        8.. => -1,
    };
    let broken_drm = 1;
    let grades = roll_die(|dr| match dr + nation_drm + level_drm + broken_drm {
        ..=1 => Some("8-1"),
        2 | 3 => Some("8-0"),
        4 | 5 => Some("7-0"),
        6 => Some("6+1"),
        7.. => None,
    });
    let create = |grade: Option<&str>| {
        let mut after = stack.clone();
        let (fanatic, encircled) = (creator.fanatic, creator.encircled);
        after.units.extend(grade.map(|grade| Unit {
            fanatic,
            encircled,
            ..Unit::fresh(leader_of(nationality, grade))
        }));
        after
    };
    grades.into_iter().map(|(grade, chance)| (create(grade), chance)).collect()
}
