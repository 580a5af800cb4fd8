//! What is told of a whole study: how often the last unit ends as is hoped for, by cell.

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::DataFrame;

use super::cases::Cases;
use super::grid::Grid;
use super::run::{floats, integers, texts};
use crate::system::Hope;

/// Adds, by cell, the probability that the last unit of the stack ends in one of the `good` statuses at the last phase.
pub(super) fn add(block: &DataFrame, study: &dyn Grid, hope: Hope, headline: &mut [f64]) {
    let texts = |name: &str| texts(block, name);
    let probabilities = floats(block, "probability");
    let cases = integers(block, "case");
    let slots =
        if block.column("slot").is_ok() { integers(block, "slot") } else { places(&cases, &texts("unit"), &texts("plan")) };
    // The rows of a rout say whether it has come to an end in cover.
    let in_cover = block.column("in_cover").and_then(|column| column.bool().cloned()).ok();
    let is_safe = |row: usize| in_cover.as_ref().is_none_or(|in_cover| in_cover.get(row) == Some(true));
    // A question tells its odds by phase, by step, or once.
    let (phases, steps) = (integers(block, "phase"), integers(block, "step"));
    let number = |of: &[Option<i64>], row: usize| of.get(row).copied().flatten();
    let point = |row: usize| number(&phases, row).or(number(&steps, row)).unwrap_or(0);
    let (units, statuses) = (texts("unit"), texts("status"));
    let last_slots = last_slots(study, &cases);
    // Units created on the way have no starting counter.
    let place = |row: usize| {
        let (case, slot) = (cases[row]? as usize - 1, slots[row]?);
        let is_own = units[row].is_some() && last_slots.get(&case).is_none_or(|last| slot <= *last);
        is_own.then_some((case, (point(row), slot)))
    };
    let mut last: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
    for (case, at) in (0..cases.len()).filter_map(place) {
        let last = last.entry(case).or_insert(at);
        *last = at.max(*last);
    }
    for row in 0..cases.len() {
        let Some((case, at)) = place(row) else { continue };
        if last.get(&case) == Some(&at)
            && is_safe(row)
            && statuses[row].as_deref().is_some_and(|status| hope.statuses.contains(&status))
        {
            headline[case] += probabilities[row];
        }
    }
}

/// The last slots of some cases that are those of their own units, by case from 0.
fn last_slots(study: &dyn Grid, cases: &[Option<i64>]) -> BTreeMap<usize, i64> {
    let cases: BTreeSet<usize> = cases.iter().flatten().map(|case| *case as usize - 1).collect();
    cases.into_iter().filter_map(|case| Some((case, study.last_slot(case)?))).collect()
}

/// The places of the units of a rout in their cells, from 1; nothing for rows of plans that are not a unit's first.
fn places(cases: &[Option<i64>], units: &[Option<String>], plans: &[Option<String>]) -> Vec<Option<i64>> {
    let mut place = 0;
    // Where the unit of the row began.
    let mut first = 0;
    let place_of = |row: usize| {
        if row == 0 || cases[row] != cases[row - 1] {
            (place, first) = (1, row);
        } else if units[row] != units[row - 1] {
            (place, first) = (place + 1, row);
        }
        (plans[row] == plans[first]).then_some(place)
    };
    (0..cases.len()).map(place_of).collect()
}

/// The same by case and by phase or turn.
pub(super) fn by_phase(rows: &DataFrame, study: &Cases) -> Vec<BTreeMap<i64, f64>> {
    let (cases, slots, phases) = (integers(rows, "case"), integers(rows, "slot"), integers(rows, "phase"));
    let statuses = texts(rows, "status");
    let probabilities = floats(rows, "probability");
    let last_slots = last_slots(study, &cases);
    let mut by_phase = vec![BTreeMap::new(); study.cells()];
    for row in 0..cases.len() {
        let Some(case) = cases[row].map(|case| case as usize - 1).filter(|case| last_slots.get(case).copied() == slots[row])
        else {
            continue;
        };
        let Some(hope) = study.hoped(case) else { continue };
        let sum: &mut f64 = by_phase[case].entry(phases[row].unwrap_or(1)).or_default();
        let is_hoped = |status: &str| hope.statuses.contains(&status);
        if statuses[row].as_deref().is_some_and(is_hoped) {
            *sum += probabilities[row];
        }
    }
    by_phase
}
