//! Rally Phases of one Location under the reference policy (rules section 16).

use super::attack::{casualty_reduction, note_loss, resolve_losses};
use super::catalogue::leader_of;
use super::tree::{Branches, Stack, Tally, roll_die, roll_dr};
use super::unit::Unit;
use super::{Odds, TwinUnit, lent};

struct Question {
    phases: usize,
    lent_leader: Option<Unit>,
    terrain_bonus: bool,
    own_rph_odd: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    Led(i32),
    FirstMmc,
    SelfRally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Fate,
    Created,
    Rallied,
    Still,
}

/// A10.6 - A10.64, A18.11 by the policy of 16.5; `own_rph_odd` says which phases are the side's own RPh, if any.
/// A lent leader is in Good Order there all the time and has no rows. Rows are cumulative by phase.
pub fn rally(
    stack: &[TwinUnit],
    phases: usize,
    lent_leader_id: Option<&str>,
    terrain_bonus: bool,
    own_rph_odd: Option<bool>,
    elr: i32,
) -> Odds {
    let question = Question { phases, lent_leader: lent(lent_leader_id), terrain_bonus, own_rph_odd };
    let mut tally = Tally::default();
    rally_phase(&question, &Stack::new(stack, elr, false), 1, 1.0, &mut tally);
    tally.into_odds()
}

/// 16.5: pins of the last Player Turn are gone, nobody has tried yet.
fn rally_phase(question: &Question, stack: &Stack, phase: usize, weight: f64, tally: &mut Tally) {
    if phase > question.phases {
        return;
    }
    let mut fresh = stack.clone();
    fresh.mmc_tried = false;
    for unit in &mut fresh.units {
        unit.pinned = false;
        unit.tried = false;
    }
    attempts(question, &fresh, phase, weight, tally);
}

/// 16.5: one attempt after the other while anybody can; then DM goes (A10.62).
fn attempts(question: &Question, stack: &Stack, phase: usize, weight: f64, tally: &mut Tally) {
    let Some((slot, attempt)) = next_attempt(question, stack, phase) else {
        let mut end = stack.clone();
        end.units.iter_mut().for_each(|unit| unit.dm = false);
        for (slot, unit) in end.units.iter().enumerate() {
            tally.add(slot, phase, rally_status(unit), *unit, weight);
        }
        return rally_phase(question, &end, phase + 1, weight, tally);
    };
    for (next, chance) in rally_attempt(question, stack, slot, attempt) {
        resolve_losses(&next, weight * chance, &mut |end, weight| attempts(question, end, phase, weight, tally));
    }
}

/// Section 21.
fn rally_status(unit: &Unit) -> &'static str {
    match unit.status() {
        "good-order" if unit.began_broken => "rallied",
        status => status,
    }
}

/// 16.5: broken leaders by ML, then MMC as stacked, created units behind them.
fn next_attempt(question: &Question, stack: &Stack, phase: usize) -> Option<(usize, Attempt)> {
    let mut order: Vec<usize> = (0..stack.units.len()).collect();
    order.sort_by_key(|&slot| match stack.units[slot].is_leader() {
        true => (0, -stack.level(slot)),
        false => (1, 0),
    });
    order.into_iter().find_map(|slot| Some((slot, possible_attempt(question, stack, slot, phase)?)))
}

/// A10.6, A10.63, A18.11, A19.12.
fn possible_attempt(question: &Question, stack: &Stack, slot: usize, phase: usize) -> Option<Attempt> {
    let unit = &stack.units[slot];
    if !unit.alive || !unit.broken || unit.tried {
        return None;
    }
    let leaders = stack.units.iter().chain(&question.lent_leader).filter(|leader| leader.good_order_leader());
    let own_rph = question.own_rph_odd == Some(phase % 2 == 1);
    match leaders.map(|leader| leader.leadership_for(unit)).min() {
        Some(drm) => Some(Attempt::Led(drm)),
        None if unit.disrupted => None,
        None if !unit.is_smc() && own_rph && !stack.mmc_tried => Some(Attempt::FirstMmc),
        None if unit.counter().self_rally => Some(Attempt::SelfRally),
        None => None,
    }
}

/// 16.2: the Rally DR.
fn rally_attempt(question: &Question, stack: &Stack, slot: usize, attempt: Attempt) -> Branches {
    let mut stack = stack.clone();
    stack.units[slot].tried = true;
    stack.mmc_tried |= !stack.units[slot].is_smc();
    let before = stack.units[slot];
    let aid = match attempt {
        Attempt::Led(leadership) => leadership,
        Attempt::FirstMmc | Attempt::SelfRally => 1,
    };
    let drm = aid + if before.dm { 4 } else { 0 } - i32::from(question.terrain_bonus);
    let readings = roll_dr(|dr| match dr {
        12 => Reading::Fate,
        2 if attempt == Attempt::FirstMmc => Reading::Created,
        _ if dr + drm <= stack.level(slot) => Reading::Rallied,
        _ => Reading::Still,
    });
    let mut branches = Branches::new();
    for (reading, chance) in readings {
        let ends = match reading {
            Reading::Still => vec![(stack.clone(), 1.0)],
            Reading::Rallied => vec![(stack.with(slot, rallied), 1.0)],
            Reading::Created => leader_creation(&stack.with(slot, rallied), &before),
            Reading::Fate => casualty_reduction(&stack, slot),
        };
        for (mut end, part) in ends {
            note_loss(&mut end, slot, &before);
            branches.push((end, chance * part));
        }
    }
    branches
}

fn rallied(unit: &mut Unit) {
    unit.broken = false;
    unit.dm = false;
    unit.disrupted = false;
}

/// A18.2, I-34: the creator counts as it was when it rolled, broken.
fn leader_creation(stack: &Stack, creator: &Unit) -> Branches {
    let nationality = creator.counter().nationality.as_str();
    if nationality == "finnish" {
        return vec![(stack.clone(), 1.0)];
    }
    let nation_drm = match nationality {
        "american" | "british" | "german" | "german_ss" => -1,
        "russian" | "italian" => 1,
        _ => 0,
    };
    let level_drm = match creator.morale_level(false) {
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
        after.units.extend(grade.map(|grade| new_leader(leader_of(nationality, grade), creator)));
        after
    };
    grades.into_iter().map(|(grade, chance)| (create(grade), chance)).collect()
}

fn new_leader(index: usize, creator: &Unit) -> Unit {
    Unit {
        index,
        broken: false,
        dm: false,
        pinned: false,
        disrupted: false,
        wounded: false,
        tried: false,
        began_broken: false,
        ..*creator
    }
}
