//! The dice tree: rolls, the state on one path, and the tally of its ends.

use super::unit::Unit;
use super::{Odds, TwinUnit};
use std::collections::{BTreeMap, VecDeque};

/// A10.2: a leader who was eliminated (LLMC) or broke (LLTC), with what counted when he rolled (I-5).
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    pub leader: usize,
    pub eliminated: bool,
    pub level: i32,
    pub drm: i32,
}

/// The Location on one path of the tree; created units stand at the end.
#[derive(Clone, Debug)]
pub struct Stack {
    pub units: Vec<Unit>,
    pub losses: VecDeque<Loss>,
    pub elr: i32,
    pub under_attack: bool,
    /// A18.11: an MMC has attempted Rally in this RPh.
    pub mmc_tried: bool,
}

/// The ways one step may end, with their probabilities.
pub type Branches = Vec<(Stack, f64)>;

/// What follows on every path.
pub type Then<'a> = &'a mut dyn FnMut(&Stack, f64);

impl Stack {
    pub fn new(stack: &[TwinUnit], elr: i32, under_attack: bool) -> Stack {
        let units = stack.iter().map(Unit::new).collect();
        Stack { units, losses: VecDeque::new(), elr, under_attack, mmc_tried: false }
    }

    pub fn level(&self, slot: usize) -> i32 {
        self.units[slot].morale_level(self.under_attack)
    }

    /// This stack with one unit changed.
    pub fn with(&self, slot: usize, change: impl FnOnce(&mut Unit)) -> Stack {
        let mut changed = self.clone();
        change(&mut changed.units[slot]);
        changed
    }
}

/// A.1: a DR; totals that `read` takes alike are one branch.
pub fn roll_dr<T: PartialEq>(read: impl Fn(i32) -> T) -> Vec<(T, f64)> {
    group((2..=12).map(|total| (read(total), f64::from(6 - (7 - total).abs()))), 36.0)
}

/// A.1: a dr.
pub fn roll_die<T: PartialEq>(read: impl Fn(i32) -> T) -> Vec<(T, f64)> {
    group((1..=6).map(|face| (read(face), 1.0)), 6.0)
}

fn group<T: PartialEq>(faces: impl Iterator<Item = (T, f64)>, of: f64) -> Vec<(T, f64)> {
    let mut readings: Vec<(T, f64)> = Vec::new();
    for (reading, weight) in faces {
        match readings.iter_mut().find(|(known, _)| *known == reading) {
            Some((_, sum)) => *sum += weight,
            None => readings.push((reading, weight)),
        }
    }
    readings.into_iter().map(|(reading, weight)| (reading, weight / of)).collect()
}

/// Probabilities summed with compensation, so that millions of paths stay good to 1e-12.
#[derive(Default)]
pub struct Tally {
    ends: BTreeMap<(usize, usize, &'static str, Unit), (f64, f64)>,
}

impl Tally {
    pub fn add(&mut self, slot: usize, phase: usize, status: &'static str, unit: Unit, weight: f64) {
        let (sum, lost) = self.ends.entry((slot + 1, phase, status, unit)).or_default();
        let addend = weight - *lost;
        let total = *sum + addend;
        *lost = (total - *sum) - addend;
        *sum = total;
    }

    pub fn add_stack(&mut self, stack: &Stack, phase: usize, weight: f64) {
        for (slot, unit) in stack.units.iter().enumerate() {
            self.add(slot, phase, unit.status(), *unit, weight);
        }
    }

    pub fn into_odds(self) -> Odds {
        let mut odds = Odds::new();
        for ((slot, phase, status, unit), (sum, _)) in self.ends {
            *odds.entry((slot, phase, status, unit.label(), unit.wounded_column())).or_default() += sum;
        }
        odds
    }
}
