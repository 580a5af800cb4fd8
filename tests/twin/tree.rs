//! The tree of dice: rolls, the state on one path, all stacks after a step, and their odds.

use super::leaders::Loss;
use super::unit::Unit;
use super::{Odds, Scene, TwinUnit};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub elr: i32,
    pub scene: Scene,
    /// A7.7: true if Encirclement counts.
    pub under_attack: bool,
    /// A leader from outside the stack, always in Good Order and never at risk.
    pub lent: Option<Unit>,
    /// A10.711: true if the leader in slot 2 routs along with the unit in slot 1.
    pub escorted: bool,
}

impl Place {
    pub fn under_attack(elr: i32, scene: Scene) -> Place {
        Place { under_attack: true, ..Place::calm(elr, scene) }
    }

    pub fn calm(elr: i32, scene: Scene) -> Place {
        Place { elr, scene, under_attack: false, lent: None, escorted: false }
    }
}

/// The units in the Location on one path of the tree; created units come last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stack {
    pub units: Vec<Unit>,
    pub losses: VecDeque<Loss>,
    /// A18.11: true after an MMC's attempt to rally in this RPh.
    pub mmc_tried: bool,
    /// A10.5: the MF spent in this rout.
    pub spent: usize,
    pub place: Place,
}

/// The possible results of one step, with their probabilities.
pub type Branches = Vec<(Stack, f64)>;

impl Stack {
    pub fn new(stack: &[TwinUnit], place: Place) -> Stack {
        let units = stack.iter().map(Unit::new).collect();
        Stack { units, losses: VecDeque::new(), mmc_tried: false, spent: 0, place }
    }

    /// A10.1, A25.22: returns the ML of a unit for checks in this Location.
    pub fn level(&self, slot: usize) -> i32 {
        self.level_of(&self.units[slot])
    }

    pub fn level_of(&self, unit: &Unit) -> i32 {
        unit.morale_level(self.place.under_attack, self.has_commissar())
    }

    /// Returns all units in the Location, including the leader from outside.
    pub fn present(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| unit.in_location()).chain(&self.place.lent)
    }

    /// A25.22: returns whether an unbroken, unpinned Commissar that is not berserk is present.
    pub fn has_commissar(&self) -> bool {
        self.present().any(|unit| unit.is_commissar() && unit.gives_leadership())
    }

    pub fn with(&self, slot: usize, change: impl FnOnce(&mut Unit)) -> Stack {
        let mut changed = self.clone();
        change(&mut changed.units[slot]);
        changed
    }

    pub fn unchanged(&self) -> Branches {
        vec![(self.clone(), 1.0)]
    }
}

/// A.1: rolls a DR. Totals for which `read` returns equal values are one branch.
pub fn roll_dr<T: PartialEq>(read: impl Fn(i32) -> T) -> Vec<(T, f64)> {
    group((2..=12).map(|total| (read(total), f64::from(6 - (7 - total).abs()))), 36.0)
}

/// A.1: rolls a DR; `read` receives the face of each die.
pub fn roll_dice<T: PartialEq>(read: impl Fn(i32, i32) -> T) -> Vec<(T, f64)> {
    group((0..36).map(|face| (read(face / 6 + 1, face % 6 + 1), 1.0)), 36.0)
}

/// A.1: rolls a dr.
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

/// A compensated (Kahan) sum, which keeps a precision of 1e-12 over millions of terms.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, weight: f64) {
        let addend = weight - self.lost;
        let total = self.total + addend;
        self.lost = (total - self.total) - addend;
        self.total = total;
    }
}

/// All stacks that are possible after a step, with their probabilities. Equal stacks are merged.
#[derive(Clone, Debug, Default)]
pub struct Mix(BTreeMap<Stack, Sum>);

impl Mix {
    pub fn of(stack: Stack) -> Mix {
        let mut mix = Mix::default();
        mix.add(stack, 1.0);
        mix
    }

    pub fn add(&mut self, stack: Stack, weight: f64) {
        self.0.entry(stack).or_default().add(weight);
    }

    /// Replaces each stack by the results of its next step.
    pub fn step(self, advance: impl Fn(&Stack) -> Branches) -> Mix {
        let mut next = Mix::default();
        for (stack, weight) in self.iter() {
            for (end, chance) in advance(stack) {
                next.add(end, weight * chance);
            }
        }
        next
    }

    pub fn any(&self, holds: impl Fn(&Stack) -> bool) -> bool {
        self.0.keys().any(holds)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Stack, f64)> {
        self.0.iter().map(|(stack, sum)| (stack, sum.total))
    }

    pub fn into_branches(self) -> Branches {
        self.0.into_iter().map(|(stack, sum)| (stack, sum.total)).collect()
    }
}

/// Sums of probabilities by slot, phase, status and unit.
#[derive(Default)]
pub struct Tally(BTreeMap<(usize, usize, &'static str, Unit), Sum>);

impl Tally {
    pub fn of_mix(mix: &Mix) -> Tally {
        let mut tally = Tally::default();
        for (stack, weight) in mix.iter() {
            tally.add_stack(stack, weight);
        }
        tally
    }

    pub fn add(
        &mut self,
        slot: usize,
        phase: usize,
        status: &'static str,
        unit: Unit,
        weight: f64,
    ) {
        self.0.entry((slot + 1, phase, status, unit)).or_default().add(weight);
    }

    pub fn add_stack(&mut self, stack: &Stack, weight: f64) {
        for (slot, unit) in stack.units.iter().enumerate() {
            self.add(slot, 0, unit.status(), *unit, weight);
        }
    }

    pub fn into_odds(self) -> Odds {
        let mut sums: BTreeMap<_, Sum> = BTreeMap::new();
        for ((slot, phase, status, unit), sum) in self.0 {
            sums.entry((slot, phase, status, unit.label(), unit.wounded_column()))
                .or_default()
                .add(sum.total);
        }
        sums.into_iter().map(|(row, sum)| (row, sum.total)).collect()
    }
}
