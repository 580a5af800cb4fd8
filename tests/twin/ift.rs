//! Fire on the Infantry Fire Table (rules section 3).

use super::attack::{
    Cause, casualty_reduction, eliminated, morale_check, pin_task_check, pin_task_checks,
    stack_checks,
};
use super::leaders::{checking_order, note_loss, settle};
use super::tree::{Branches, Mix, Place, Stack, Tally, roll_dice};
use super::unit::Unit;
use super::{Odds, Scene, TwinUnit};

const COLUMNS: [i32; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// A7.3: the Infantry Fire Table, with rows for a Final DR of 0 to 14 and of 15 or more.
const TABLE: [&str; 16] = [
    "1KIA 2KIA 2KIA 3KIA 3KIA 3KIA 4KIA 4KIA 5KIA 6KIA 7KIA",
    "K/1  1KIA 1KIA 2KIA 2KIA 2KIA 3KIA 3KIA 4KIA 5KIA 6KIA",
    "1MC  K/1  K/2  1KIA 1KIA 1KIA 2KIA 2KIA 3KIA 4KIA 5KIA",
    "1MC  1MC  2MC  K/2  K/2  K/3  1KIA 1KIA 2KIA 3KIA 4KIA",
    "NMC  1MC  1MC  2MC  2MC  3MC  K/3  K/4  1KIA 2KIA 3KIA",
    "PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA 2KIA",
    "-    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA",
    "-    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4",
    "-    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC",
    "-    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC",
    "-    -    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC",
    "-    -    -    -    -    -    PTC  NMC  1MC  1MC  2MC",
    "-    -    -    -    -    -    -    PTC  NMC  1MC  1MC",
    "-    -    -    -    -    -    -    -    PTC  NMC  1MC",
    "-    -    -    -    -    -    -    -    -    PTC  NMC",
    "-    -    -    -    -    -    -    -    -    -    PTC",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Nothing,
    PinTask,
    Morale(i32),
    Casualty(i32),
    Kill(usize),
}

/// A7.3, A7.9: returns the odds of one attack; `cowering` is the number of columns lost on doubles.
pub fn fire(stack: &[TwinUnit], fp: i32, drm: i32, cowering: i32, elr: i32, scene: Scene) -> Odds {
    Tally::of_mix(&attacked(stack, fp, drm, cowering, elr, scene)).into_odds()
}

/// Returns all possible stacks after the attack.
pub fn attacked(
    stack: &[TwinUnit],
    fp: i32,
    drm: i32,
    cowering: i32,
    elr: i32,
    scene: Scene,
) -> Mix {
    let start = Stack::new(stack, Place::under_attack(elr, scene));
    let mut ends = Mix::default();
    for (effect, chance) in roll_dice(|colored, white| effect(fp, drm, cowering, colored, white)) {
        for (end, weight) in settle(struck(&start, effect)).iter() {
            ends.add(end.clone(), chance * weight);
        }
    }
    ends
}

/// A7.3, A7.9: returns the result of the table for one DR.
pub fn effect(fp: i32, drm: i32, cowering: i32, colored: i32, white: i32) -> Effect {
    let shift = if colored == white { cowering } else { 0 };
    let columns_up_to_fp = COLUMNS.iter().filter(|&&column| column <= fp).count() as i32;
    let column = columns_up_to_fp - 1 - shift;
    let row = (colored + white + drm).clamp(0, 15);
    if column < 0 {
        return Effect::Nothing;
    }
    let cell = TABLE[row as usize]
        .split_whitespace()
        .nth(column as usize)
        .expect("a cell for each column");
    read_cell(cell)
}

/// Reads a result as it is printed.
pub fn read_cell(cell: &str) -> Effect {
    let number = |digits: &str| digits.parse::<i32>().expect("a number in the cell");
    match cell {
        "-" => Effect::Nothing,
        "PTC" => Effect::PinTask,
        "NMC" => Effect::Morale(0),
        _ if cell.ends_with("KIA") => Effect::Kill(number(&cell[..1]) as usize),
        _ if cell.starts_with("K/") => Effect::Casualty(number(&cell[2..])),
        _ => Effect::Morale(number(&cell[..1])),
    }
}

/// A7.3, A10.2: returns all stacks after a result of the table, and after the LLMC and LLTC.
pub fn after(start: &Stack, effect: Effect) -> Mix {
    settle(struck(start, effect))
}

/// A.5: returns all stacks after an attack with several classes of targets, each with its slots and
/// its result, and after the LLMC and LLTC. KIA and K strike each class apart (I-91), then all
/// check in one order.
pub fn after_volley(start: &Stack, classes: &[(Vec<usize>, Effect)]) -> Mix {
    let mut all = Mix::default();
    for (picked, chance) in picks(classes) {
        let mut mix = Mix::of(start.clone());
        for ((slots, effect), picked) in classes.iter().zip(&picked) {
            for &slot in slots {
                let is_picked = picked.contains(&slot);
                mix = match effect {
                    Effect::Casualty(_) if is_picked => {
                        mix.step(|stack| with_losses(casualty_reduction(stack, slot), start, slot))
                    }
                    Effect::Kill(_) => mix.step(|stack| killed(stack, start, slot, is_picked)),
                    _ => mix,
                };
            }
        }
        for slot in checking_order(start) {
            let of = classes.iter().zip(&picked).find(|((slots, _), _)| slots.contains(&slot));
            let Some(((_, effect), picked)) = of else { continue };
            let is_spared = picked.contains(&slot) && start.units[slot].is_smc();
            mix = mix.step(|stack| match *effect {
                _ if !stack.units[slot].in_location() => stack.unchanged(),
                Effect::PinTask => pin_task_check(stack, slot),
                Effect::Casualty(mc) | Effect::Morale(mc) if !is_spared => {
                    morale_check(stack, slot, mc, Cause::Attack)
                }
                _ => stack.unchanged(),
            });
        }
        for (end, weight) in settle(mix).iter() {
            all.add(end.clone(), chance * weight);
        }
    }
    all
}

/// Returns every set of units that the Random Selections of all classes take.
fn picks(classes: &[(Vec<usize>, Effect)]) -> Vec<(Vec<Vec<usize>>, f64)> {
    let mut all = vec![(Vec::new(), 1.0)];
    for (slots, effect) in classes {
        let picked = match effect {
            Effect::Casualty(_) => random_selections(slots, 1),
            Effect::Kill(count) => random_selections(slots, *count),
            _ => vec![(Vec::new(), 1.0)],
        };
        let joined = |(known, chance): &(Vec<Vec<usize>>, f64)| {
            let with = |(one, share): &(Vec<usize>, f64)| {
                (known.iter().cloned().chain([one.clone()]).collect(), chance * share)
            };
            picked.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(joined).collect();
    }
    all
}

/// A7.301 - A7.305: returns all stacks after the table's result, before any LLMC and LLTC.
fn struck(start: &Stack, effect: Effect) -> Mix {
    match effect {
        Effect::Nothing => Mix::of(start.clone()),
        Effect::PinTask => pin_task_checks(start),
        Effect::Morale(mc) => stack_checks(Mix::of(start.clone()), &checking_order(start), mc),
        Effect::Casualty(mc) => {
            for_each_selection(start, 1, |picked| casualty_result(start, picked, mc))
        }
        Effect::Kill(count) => {
            for_each_selection(start, count, |picked| kill_result(start, picked))
        }
    }
}

/// A7.302: Reduces the `picked` units; all units but picked SMC take the MC.
fn casualty_result(start: &Stack, picked: &[usize], mc: i32) -> Mix {
    let mut mix = Mix::of(start.clone());
    for &slot in picked {
        mix = mix.step(|stack| with_losses(casualty_reduction(stack, slot), start, slot));
    }
    let mut order = checking_order(start);
    order.retain(|slot| !(picked.contains(slot) && start.units[*slot].is_smc()));
    stack_checks(mix, &order, mc)
}

/// A7.301: returns all stacks after a KIA. The `picked` units are eliminated; the others break or,
/// if they cannot, are Reduced.
fn kill_result(start: &Stack, picked: &[usize]) -> Mix {
    let mut mix = Mix::of(start.clone());
    for slot in 0..start.units.len() {
        mix = mix.step(|stack| killed(stack, start, slot, picked.contains(&slot)));
    }
    mix
}

/// A7.301: returns all stacks after a KIA has struck a unit, which is eliminated if it is picked.
fn killed(stack: &Stack, start: &Stack, slot: usize, is_picked: bool) -> Branches {
    let unit = start.units[slot];
    let ends = match unit {
        _ if !unit.in_location() => stack.unchanged(),
        _ if is_picked => eliminated(stack, slot),
        _ if unit.broken || unit.berserk || unit.is_heroic() || unit.unarmed => {
            casualty_reduction(stack, slot)
        }
        _ => vec![(stack.with(slot, Unit::break_it), 1.0)],
    };
    with_losses(ends, start, slot)
}

/// A10.2, I-5: queues the losses of leaders. All units were hit at once, so a lost leader has its
/// ML from before the result.
fn with_losses(mut ends: Branches, start: &Stack, slot: usize) -> Branches {
    for (end, _) in &mut ends {
        note_loss(end, slot, &start.units[slot], start.level(slot));
    }
    ends
}

/// A.9: returns the results for every possible Random Selection of `count` units, merged.
fn for_each_selection(start: &Stack, count: usize, result: impl Fn(&[usize]) -> Mix) -> Mix {
    let candidates: Vec<usize> =
        (0..start.units.len()).filter(|&slot| start.units[slot].in_location()).collect();
    let mut mix = Mix::default();
    for (picked, chance) in random_selections(&candidates, count) {
        for (end, weight) in result(&picked).iter() {
            mix.add(end.clone(), chance * weight);
        }
    }
    mix
}

/// A.9: returns every Random Selection, by one dr for each candidate. The highest are chosen, with
/// every tie for the last place.
fn random_selections(candidates: &[usize], count: usize) -> Vec<(Vec<usize>, f64)> {
    let throws = 6_usize.pow(candidates.len() as u32);
    let mut selections: Vec<(Vec<usize>, f64)> = Vec::new();
    for throw in 0..throws {
        let dice: Vec<usize> =
            (0..candidates.len()).map(|nth| throw / 6_usize.pow(nth as u32) % 6 + 1).collect();
        let mut falling = dice.clone();
        falling.sort_by_key(|&dr| std::cmp::Reverse(dr));
        let least = falling.get(count - 1).copied().unwrap_or(1);
        let picked: Vec<usize> =
            (0..dice.len()).filter(|&nth| dice[nth] >= least).map(|nth| candidates[nth]).collect();
        match selections.iter_mut().find(|(known, _)| *known == picked) {
            Some((_, ways)) => *ways += 1.0,
            None => selections.push((picked, 1.0)),
        }
    }
    selections.into_iter().map(|(picked, ways)| (picked, ways / throws as f64)).collect()
}
