//! Units joined at the end of a course: their outcomes and counts, from the distribution of each.

use std::cmp::Ordering;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{End, Ends, Key};
use crate::counting::ClassCounts;
use engine::factored::{Distribution, Lots, Lotteries, Lottery, Number, Same, Trail, add};
use engine::process::Spawn;

/// A course with the distributions of all units at its end.
pub(super) struct Joined<'a, O, W> {
    pub key: &'a Key,
    pub ends: &'a [Ends<O, W>],
    pub common: &'a Distribution<End<O>, W>,
}

/// The distribution of a sum over several units, together with their results in Random Selections.
type Summed<V, W> = Distribution<(V, Lotteries), W>;

/// The odds of drawn sets in Random Selections, each computed once.
pub(super) struct LotsOdds<W>(FxHashMap<(Lots, Lottery), W>);

impl<W> Default for LotsOdds<W> {
    fn default() -> Self {
        LotsOdds(FxHashMap::default())
    }
}

impl<W: Number> LotsOdds<W> {
    fn odds(&mut self, lots: Lots, others: Lottery) -> Option<W> {
        if let Some(known) = self.0.get(&(lots, others)) {
            return Some(*known);
        }
        let odds = lots.odds(others)?;
        self.0.insert((lots, others), odds);
        Some(odds)
    }
}

/// Returns the distribution of the sum of two independent values; `None` on overflow.
fn convolved<V: Eq + Hash, W: Number>(
    one: &Summed<V, W>,
    other: &Summed<V, W>,
    with: impl Fn(&V, &V) -> V,
) -> Option<Summed<V, W>> {
    let mut sums = Distribution::default();
    for ((sum, fates), weight) in one {
        for ((value, more), chance) in other {
            add(&mut sums, (with(sum, value), together(fates, more)), weight.times(*chance)?)?;
        }
    }
    Some(sums)
}

/// Distributions of sums over units, remembered because many courses share units.
pub(super) struct Sums<'a, O, V, W> {
    ends: &'a [Ends<O, W>],
    of: fn(&End<O>) -> V,
    with: fn(&V, &V) -> V,
    /// The distributions by units: the index of the ends of each, in ascending order.
    known: FxHashMap<Vec<usize>, Rc<Summed<V, W>>>,
    /// The number of probabilities in `known`, at most [`MOST_KEPT`].
    kept: usize,
}

/// The number of probabilities that are remembered, some 20 MB.
const MOST_KEPT: usize = 1 << 17;

impl<'a, O, V: Clone + Default + Eq + Hash, W: Number> Sums<'a, O, V, W> {
    pub fn new(ends: &'a [Ends<O, W>], of: fn(&End<O>) -> V, with: fn(&V, &V) -> V) -> Self {
        Sums { ends, of, with, known: FxHashMap::default(), kept: 0 }
    }

    /// Returns the distribution of the sum over units; `None` on overflow.
    fn over(&mut self, units: &[usize]) -> Option<Rc<Summed<V, W>>> {
        if let Some(known) = self.known.get(units) {
            return Some(known.clone());
        }
        let mut sums = Distribution::default();
        match units {
            [] => add(&mut sums, (V::default(), Lotteries::new()), W::ONE)?,
            [one] => {
                for (end, Same(weight)) in &self.ends[*one] {
                    add(&mut sums, ((self.of)(end), end.fates.clone()), *weight)?;
                }
            }
            [before @ .., last] => {
                let (before, last) = (self.over(before)?, self.over(&[*last])?);
                sums = convolved(&before, &last, self.with)?;
            }
        }
        self.kept += sums.len();
        if self.kept > MOST_KEPT {
            self.known.clear();
            self.kept = sums.len();
        }
        let sums = Rc::new(sums);
        self.known.insert(units.into(), sums.clone());
        Some(sums)
    }
}

/// The number of units in the classes of counts, and the awaited ones that held at each report.
pub(super) type Held = (ClassCounts, Trail);

pub(super) fn held<O>(end: &End<O>) -> Held {
    (end.tally, end.held.clone())
}

pub(super) fn held_by_all((tally, held): &Held, (more, others): &Held) -> Held {
    (tally.with(*more), both(held, others).map(|(one, other)| one + other).collect())
}

impl<O: Clone + Ord, W: Number> Joined<'_, O, W> {
    fn groups(&self) -> impl Iterator<Item = (&[u8], &Ends<O, W>)> {
        self.key.groups.iter().map(|(slots, ends)| (&slots[..], &self.ends[*ends]))
    }

    /// Returns the units outside the common part, each as the index of its ends, without one of the
    /// group `but`.
    fn units(&self, but: Option<usize>) -> Vec<usize> {
        let of_group = |(group, (slots, ends)): (usize, &(Vec<u8>, usize))| {
            std::iter::repeat_n(*ends, slots.len() - usize::from(but == Some(group)))
        };
        let mut units: Vec<usize> = self.key.groups.iter().enumerate().flat_map(of_group).collect();
        units.sort_unstable();
        units
    }

    /// Returns the probability of these results outside the common part; `None` on overflow.
    fn of_lots(&self, lots_odds: &mut LotsOdds<W>, fates: &Lotteries) -> Option<W> {
        let fate = |place: usize| fates.get(place).copied().unwrap_or_default();
        let mut lots = self.key.lots.iter().enumerate();
        lots.try_fold(W::ONE, |all, (place, lots)| all.times(lots_odds.odds(*lots, fate(place))?))
    }

    /// Reports the outcomes of each initial unit; a group does so once for each of its slots.
    pub fn rows(
        &self,
        sums: &mut Sums<O, (), W>,
        odds: &mut LotsOdds<W>,
        mut observe: impl FnMut(&O, Option<u8>, W) -> Option<()>,
    ) -> Option<()> {
        let mut of_all = W::ZERO;
        for ((_, fates), weight) in &*sums.over(&self.units(None))? {
            of_all = of_all.plus(weight.times(self.of_lots(odds, fates)?)?)?;
        }
        for (end, chance) in self.common {
            for outcome in &end.own {
                observe(outcome, None, chance.times(of_all)?)?;
            }
        }
        let mut chances = self.common.values();
        let chance = chances.try_fold(W::ZERO, |sum, chance| sum.plus(*chance))?;
        for (group, (slots, ends)) in self.groups().enumerate() {
            let others = sums.over(&self.units(Some(group)))?;
            // The odds of the selections, by the results of the unit in them.
            let mut of_lots: FxHashMap<&Lotteries, W> = FxHashMap::default();
            for (end, Same(weight)) in ends {
                let lots = match of_lots.get(&end.fates) {
                    Some(known) => *known,
                    None => {
                        let mut sum = W::ZERO;
                        for ((_, fates), of_others) in &*others {
                            let lots = self.of_lots(odds, &together(fates, &end.fates))?;
                            sum = sum.plus(of_others.times(lots)?)?;
                        }
                        *of_lots.entry(&end.fates).or_insert(sum)
                    }
                };
                let odds = lots.times(*weight)?.times(chance)?;
                for (&slot, outcome) in
                    slots.iter().flat_map(|slot| end.own.iter().map(move |own| (slot, own)))
                {
                    if odds != W::ZERO {
                        observe(outcome, Some(slot), odds)?;
                    }
                }
            }
        }
        Some(())
    }

    pub fn tallies(
        &self,
        sums: &mut Sums<O, Held, W>,
        odds: &mut LotsOdds<W>,
        mut observe: impl FnMut(ClassCounts, W) -> Option<()>,
    ) -> Option<()> {
        // Sums over all units, weighted with the probabilities of the Random Selections.
        let mut of_all: Distribution<Held, W> = Distribution::default();
        for ((sum, fates), weight) in &*sums.over(&self.units(None))? {
            let of_lots: W = self.of_lots(odds, fates)?;
            if of_lots != W::ZERO {
                add(&mut of_all, sum.clone(), weight.times(of_lots)?)?;
            }
        }
        for (own, chance) in self.common {
            for (sum, weight) in &of_all {
                let (mut tally, held) = held_by_all(&held(own), sum);
                tally.held = held.into_iter().fold(tally.held, u8::max);
                observe(tally, chance.times(*weight)?)?;
            }
        }
        Some(())
    }

    /// Reports the outcomes of created units, each with the number of units created before it.
    pub fn created(
        &self,
        odds: &mut LotsOdds<W>,
        mut observe: impl FnMut(&O, u8, W) -> Option<()>,
    ) -> Option<()> {
        if self.groups().all(|(_, ends)| ends.iter().all(|(end, _)| end.born.is_empty())) {
            return Some(());
        }
        let mut chances = self.common.values();
        let chance = chances.try_fold(W::ZERO, |sum, chance| sum.plus(*chance))?;
        for (slots, ends) in self.groups() {
            for &slot in slots {
                let mut known: FxHashMap<Vec<Spawn>, Summed<u8, W>> = FxHashMap::default();
                for (end, Same(weight)) in ends {
                    let births = end.births();
                    for (place, (_, outcome)) in end.born.iter().enumerate() {
                        let line = lineage(&births, place);
                        let before = match known.get(&line) {
                            Some(before) => before,
                            None => {
                                let before = self.before(slot, &line)?;
                                known.entry(line).or_insert(before)
                            }
                        };
                        for ((others, fates), of_others) in before {
                            let lots: W = self.of_lots(odds, &together(fates, &end.fates))?;
                            if lots == W::ZERO {
                                continue;
                            }
                            let odds = weight.times(*of_others)?.times(lots)?.times(chance)?;
                            observe(outcome, place as u8 + others, odds)?;
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Returns how many units others create before the one of lineage `line` from `slot`.
    fn before(&self, slot: u8, line: &[Spawn]) -> Option<Summed<u8, W>> {
        let earlier = |other: u8, end: &End<O>| {
            let births = end.births();
            let is_earlier =
                |&place: &usize| order(other, &lineage(&births, place), slot, line).is_lt();
            (0..births.len()).filter(is_earlier).count() as u8
        };
        let mut sums = Distribution::from_iter([((0, Lotteries::new()), W::ONE)]);
        for (slots, ends) in self.groups() {
            for &other in slots.iter().filter(|&&other| other != slot) {
                let mut own = Distribution::default();
                for (end, Same(weight)) in ends {
                    add(&mut own, (earlier(other, end), end.fates.clone()), *weight)?;
                }
                sums = convolved(&sums, &own, |sum, more| sum + more)?;
            }
        }
        Some(sums)
    }
}

impl<O> End<O> {
    fn births(&self) -> Vec<Spawn> {
        self.born.iter().map(|(birth, _)| *birth).collect()
    }
}

fn together(fates: &Lotteries, others: &Lotteries) -> Lotteries {
    both(fates, others).map(|(fate, other)| fate.with(other)).collect()
}

/// Returns the pairs of two lists; what a shorter one lacks is the default value.
fn both<T: Copy + Default>(one: &[T], other: &[T]) -> impl Iterator<Item = (T, T)> {
    let at = |list: &[T], place| list.get(place).copied().unwrap_or_default();
    (0..one.len().max(other.len())).map(move |place| (at(one, place), at(other, place)))
}

/// Returns the creation of a unit and those of its created ancestors, the latest first.
fn lineage(births: &[Spawn], place: usize) -> Vec<Spawn> {
    std::iter::successors(births.get(place), |birth| births.get(usize::from(birth.out_of?)))
        .copied()
        .collect()
}

/// Orders two units from different slots: initial units by slot, then created ones by creation.
fn order(slot: u8, line: &[Spawn], other: u8, of_other: &[Spawn]) -> Ordering {
    match (line.split_first(), of_other.split_first()) {
        (Some((birth, line)), Some((of, of_other))) => {
            birth.round.cmp(&of.round).then_with(|| order(slot, line, other, of_other))
        }
        (None, None) => slot.cmp(&other),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    }
}
