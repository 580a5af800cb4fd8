//! What only the whole of a question tells, where its units come apart: counts, and the units that
//! appear on the way, from the courses of what is common.

use std::cmp::Ordering;

use engine::EngineError;
use engine::courses::{self, Failure, Lots, Number, Spread, Stop, add};
use engine::exact::{Arithmetic, Bound, Fraction};
use engine::process::{Birth, Limbs, Point, Process};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Asked;
use super::answer::Noted;
use super::count::{Counter, Tally};
use super::ruled::Outcome;
use super::table::Figure;

/// What the whole of a question tells.
pub(super) struct Told<O> {
    /// Outcomes of units that appear on the way.
    pub created: Vec<Noted<O>>,
    pub tallies: Vec<(Point, Tally, Figure)>,
    pub states: usize,
}

/// What is wanted. Created units and counts are asked for one by one, so that what is told of either
/// is the same to the last bit, whether the other is wanted or not.
pub(super) struct Wanted<'a, 'q, Q: Asked> {
    pub question: &'a Q,
    pub counter: Option<&'a Counter<'q, Q>>,
    /// Whether units that appear on the way are told of.
    pub created: bool,
}

/// How far the courses of what is common are followed: those of three leaders in a check fit.
pub(super) const COURSES: Bound = Bound { worked: 1 << 19, ..Bound::STANDARD };

/// How a unit ends, as far as it is told: what it counts, and what appeared out of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct End<O> {
    tally: Tally,
    born: Vec<(Birth, O)>,
}

/// The ends of a unit with their odds; after lots, of one that was not drawn and of one that was.
type Fates<O, W> = Vec<Vec<(End<O>, W)>>;

/// Courses that leave all units alike: what is common counts, with its odds.
type Alike<O, W> = (Vec<Fates<O, W>>, Spread<Tally, W>);

/// What courses that leave all units alike have in common: numbers by their keys.
type Key<O> = (Point, Option<Lots>, Vec<Vec<Vec<(End<O>, (u128, u128))>>>);

type Courses<O, W> = IndexMap<Key<O>, Alike<O, W>, FxBuildHasher>;

/// The answer of a question that comes apart; nothing where that does not tell what is wanted.
///
/// Fails with [`EngineError`] beyond `bound`, and when it is stopped.
pub(super) fn told<Q: Asked, P: Process<Outcome = Outcome<Q>>>(
    wanted: &Wanted<Q>,
    limbs: &Limbs<P>,
    bound: Bound,
) -> Result<Option<Told<Outcome<Q>>>, EngineError> {
    // Who has held at any point so far is known of each unit, where whoever holds holds on.
    if wanted.counter.is_some_and(|counter| counter.awaited() > 0) && !limbs.lasting {
        return Ok(None);
    }
    match worked(wanted, limbs, bound) {
        Ok(told) => Ok(Some(told)),
        Err(Failure::Engine(error)) => Err(error),
        Err(Failure::NotApart | Failure::Overflow) => Ok(None),
    }
}

/// In fractions as far as they fit, each table by itself.
fn worked<Q: Asked, P: Process<Outcome = Outcome<Q>>>(
    wanted: &Wanted<Q>,
    limbs: &Limbs<P>,
    bound: Bound,
) -> Result<Told<Outcome<Q>>, Failure> {
    let played_out = fitting(played::<Q, P, Fraction>(wanted, limbs, bound))?;
    let (all, mut states) = played_out.map_or((None, 0), |(all, states)| (Some(all), states));
    let of_all = all.as_ref();
    let in_fractions = (
        of_all.map_or(Ok(None), |all| fitting(created(wanted, limbs, all, bound)))?,
        of_all.map_or(Ok(None), |all| fitting(tallies(wanted, limbs, all, bound)))?,
    );
    let (created, tallies) = match in_fractions {
        (Some(created), Some(tallies)) => (created, tallies),
        (of_created, of_counts) => {
            let all = match all {
                Some(all) => in_doubles(all),
                None => {
                    let (all, worked) = played::<Q, P, f64>(wanted, limbs, bound)?;
                    states = worked;
                    all
                }
            };
            (
                of_created.map_or_else(|| created(wanted, limbs, &all, bound), Ok)?,
                of_counts.map_or_else(|| tallies(wanted, limbs, &all, bound), Ok)?,
            )
        }
    };
    Ok(Told { created, tallies, states })
}

/// What there is, unless it has outgrown 128 bits.
fn fitting<T>(found: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match found {
        Err(Failure::Overflow) => Ok(None),
        found => found.map(Some),
    }
}

/// How these odds were kept.
pub(super) fn arithmetic<'a>(figures: impl IntoIterator<Item = &'a Figure>) -> Arithmetic {
    let is_whole = |figure: &Figure| matches!(figure, Figure::Exact { fraction: Some(_), .. });
    match figures.into_iter().all(is_whole) {
        true => Arithmetic::Integer,
        false => Arithmetic::Float,
    }
}

/// Every course, those that leave all units alike together.
fn played<Q: Asked, P: Process<Outcome = Outcome<Q>>, W: Number>(
    wanted: &Wanted<Q>,
    limbs: &Limbs<P>,
    bound: Bound,
) -> Result<(Courses<Outcome<Q>, W>, usize), Failure> {
    let mut all: Courses<Outcome<Q>, W> = Courses::default();
    let states = courses::play(limbs, bound, &mut |stop: Stop<P, W>| {
        let own = match (&limbs.common, stop.common) {
            (Some(process), Some(state)) => wanted.end(process, state).tally,
            _ => Tally::default(),
        };
        let mut fates = Vec::with_capacity(stop.limbs.len());
        for (limb, spreads) in limbs.limbs.iter().zip(stop.limbs) {
            let ends = spreads.iter().map(|spread| {
                let mut ends = Spread::default();
                for (state, weight) in spread {
                    add(&mut ends, wanted.end(&limb.process, state), *weight)
                        .ok_or(Failure::Overflow)?;
                }
                let mut ends: Vec<_> = ends.into_iter().collect();
                ends.sort_by(|(one, _), (other, _)| one.cmp(other));
                Ok(ends)
            });
            fates.push(ends.collect::<Result<Vec<_>, Failure>>()?);
        }
        let keys = |ends: &Vec<(End<_>, W)>| {
            ends.iter().map(|(end, weight)| (end.clone(), weight.key())).collect::<Vec<_>>()
        };
        let key = fates.iter().map(|fates| fates.iter().map(keys).collect()).collect();
        let key = (stop.point, stop.lots, key);
        let (_, common) = all.entry(key).or_insert_with(|| (fates, Spread::default()));
        add(common, own, stop.chance).ok_or(Failure::Overflow)
    })?;
    Ok((all, states))
}

fn in_doubles<O: Clone, W: Number>(all: Courses<O, W>) -> Courses<O, f64>
where
    Key<O>: std::hash::Hash + Eq,
{
    let end = |(end, weight): (End<O>, W)| (end, weight.probability());
    let ends = |ends: Vec<(End<O>, W)>| ends.into_iter().map(end).collect();
    let fates = |fates: Fates<O, W>| fates.into_iter().map(ends).collect();
    let course = |(key, (limbs, common)): (Key<O>, Alike<O, W>)| {
        let limbs = limbs.into_iter().map(fates).collect();
        let common = common.into_iter().map(|(tally, weight)| (tally, weight.probability()));
        (key, (limbs, common.collect()))
    };
    all.into_iter().map(course).collect()
}

impl<Q: Asked> Wanted<'_, '_, Q> {
    /// How the unit of a process ends.
    fn end<P: Process<Outcome = Outcome<Q>>>(
        &self,
        process: &P,
        state: &P::State,
    ) -> End<Outcome<Q>> {
        let (mut tally, mut born) = (Tally::default(), Vec::new());
        let units = self.question.words().units();
        process.report(state, &mut |outcome| {
            if let Some(counter) = self.counter {
                counter.add_to(&outcome, &mut tally);
            }
            if self.created && self.question.slot(&outcome) > Some(units) {
                born.push(outcome);
            }
        });
        let births = if born.is_empty() { Default::default() } else { process.births(state) };
        End { tally, born: births.into_iter().zip(born).collect() }
    }
}

/// A joined number.
fn figure<W: Number>(weight: W) -> Figure {
    Figure::Exact { probability: weight.probability(), fraction: weight.fraction() }
}

/// How many of all stand how.
fn tallies<Q: Asked, P, W: Number>(
    wanted: &Wanted<Q>,
    limbs: &Limbs<P>,
    all: &Courses<Outcome<Q>, W>,
    bound: Bound,
) -> Result<Vec<(Point, Tally, Figure)>, Failure> {
    let Some(counter) = wanted.counter else { return Ok(Vec::new()) };
    let slots: Vec<&[u8]> = limbs.limbs.iter().map(|limb| &limb.slots[..]).collect();
    let mut sums: Spread<(Point, Tally), W> = Spread::default();
    for ((point, lots, _), (fates, common)) in all {
        bound.watch.look()?;
        let course = Joined { lots: *lots, fates, slots: &slots };
        let tell = |tally, weight| add(&mut sums, (*point, counter.closed(tally)), weight);
        course.tallies(common, tell).ok_or(Failure::Overflow)?;
    }
    Ok(sums.into_iter().map(|((point, tally), weight)| (point, tally, figure(weight))).collect())
}

/// What appears out of all.
fn created<Q: Asked, P, W: Number>(
    wanted: &Wanted<Q>,
    limbs: &Limbs<P>,
    all: &Courses<Outcome<Q>, W>,
    bound: Bound,
) -> Result<Vec<Noted<Outcome<Q>>>, Failure> {
    let slots: Vec<&[u8]> = limbs.limbs.iter().map(|limb| &limb.slots[..]).collect();
    let first = wanted.question.words().units() + 1;
    let mut sums: Spread<(Point, Outcome<Q>), W> = Spread::default();
    for ((point, lots, _), (fates, common)) in all.iter().filter(|_| wanted.created) {
        bound.watch.look()?;
        let mut chances = common.values();
        let chance = chances.try_fold(W::ZERO, |sum, chance| sum.plus(*chance));
        let course = Joined { lots: *lots, fates, slots: &slots };
        let tell = |outcome: &Outcome<Q>, place: u8, weight| {
            let outcome = wanted.question.in_slot(outcome.clone(), first + place);
            add(&mut sums, (*point, outcome), weight)
        };
        chance.and_then(|chance| course.created(chance, tell)).ok_or(Failure::Overflow)?;
    }
    Ok(sums.into_iter().map(|(noted, weight)| (noted, figure(weight))).collect())
}

/// Units along courses that leave them alike, with the slots of each.
struct Joined<'a, O, W> {
    lots: Option<Lots>,
    fates: &'a [Fates<O, W>],
    slots: &'a [&'a [u8]],
}

impl<O: Clone + Ord, W: Number> Joined<'_, O, W> {
    /// The odds of a set of drawn candidates with so many of these units, if any are drawn.
    fn of_lots(&self, drawn: u8) -> Option<W> {
        self.lots.map_or(Some(W::ONE), |lots| lots.odds(drawn))
    }

    /// Tells how many stand how, all together.
    fn tallies(
        &self,
        common: &Spread<Tally, W>,
        mut tell: impl FnMut(Tally, W) -> Option<()>,
    ) -> Option<()> {
        let mut sums: Spread<(Tally, u8), W> = Spread::from_iter([((Tally::default(), 0), W::ONE)]);
        for (fates, slots) in self.fates.iter().zip(self.slots) {
            // What is born plays no part here.
            let mut ends: Spread<(Tally, u8), W> = Spread::default();
            for (drawn, fate) in (0..).zip(fates) {
                for (end, weight) in fate {
                    add(&mut ends, (end.tally, drawn), *weight)?;
                }
            }
            for _ in *slots {
                let mut next = Spread::default();
                for (&(sum, drawn), weight) in &sums {
                    for (&(tally, more), chance) in &ends {
                        add(&mut next, (sum.with(tally), drawn + more), weight.times(*chance)?)?;
                    }
                }
                sums = next;
            }
        }
        // Sets of drawn candidates by what they come to.
        let mut of_all: Spread<Tally, W> = Spread::default();
        for ((tally, drawn), weight) in sums {
            let of_lots: W = self.of_lots(drawn)?;
            if of_lots != W::ZERO {
                add(&mut of_all, tally, weight.times(of_lots)?)?;
            }
        }
        for (own, chance) in common {
            for (tally, weight) in &of_all {
                tell(own.with(*tally), chance.times(*weight)?)?;
            }
        }
        Some(())
    }

    /// Tells what appears, with its place among all that does: those before it in its own unit, and
    /// those of all other units.
    fn created(&self, chance: W, mut tell: impl FnMut(&O, u8, W) -> Option<()>) -> Option<()> {
        let births = self.fates.iter().flatten().flatten().any(|(end, _)| !end.born.is_empty());
        if !births {
            return Some(());
        }
        for (limb, fates) in self.fates.iter().enumerate() {
            for &slot in self.slots[limb] {
                let mut known: FxHashMap<Vec<Birth>, Spread<(u8, u8), W>> = FxHashMap::default();
                for (drawn, fate) in (0..).zip(fates) {
                    for (end, weight) in fate {
                        let births: Vec<Birth> = end.born.iter().map(|(birth, _)| *birth).collect();
                        for (place, (_, outcome)) in end.born.iter().enumerate() {
                            let line = lineage(&births, place);
                            let before = match known.get(&line) {
                                Some(before) => before,
                                None => {
                                    let before = self.before(slot, &line)?;
                                    known.entry(line).or_insert(before)
                                }
                            };
                            for (&(others, drawn_others), of_others) in before {
                                let lots = self.of_lots(drawn + drawn_others)?;
                                if lots == W::ZERO {
                                    continue;
                                }
                                let odds = weight.times(*of_others)?.times(lots)?.times(chance)?;
                                tell(outcome, place as u8 + others, odds)?;
                            }
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// How many units appear before one of that lineage out of all other units than that in `slot`,
    /// and how many of these are drawn.
    fn before(&self, slot: u8, line: &[Birth]) -> Option<Spread<(u8, u8), W>> {
        let mut sums: Spread<(u8, u8), W> = Spread::from_iter([((0, 0), W::ONE)]);
        for (fates, slots) in self.fates.iter().zip(self.slots) {
            for &other in slots.iter().filter(|&&other| other != slot) {
                let mut ends: Spread<(u8, u8), W> = Spread::default();
                for (drawn, fate) in (0..).zip(fates) {
                    for (end, weight) in fate {
                        let births: Vec<Birth> = end.born.iter().map(|(birth, _)| *birth).collect();
                        let earlier = (0..births.len()).filter(|&place| {
                            order(other, &lineage(&births, place), slot, line).is_lt()
                        });
                        add(&mut ends, (earlier.count() as u8, drawn), *weight)?;
                    }
                }
                let mut next = Spread::default();
                for (&(sum, drawn), weight) in &sums {
                    for (&(earlier, more), chance) in &ends {
                        add(&mut next, (sum + earlier, drawn + more), weight.times(*chance)?)?;
                    }
                }
                sums = next;
            }
        }
        Some(sums)
    }
}

/// A birth and those it comes out of, the last first.
fn lineage(births: &[Birth], place: usize) -> Vec<Birth> {
    std::iter::successors(births.get(place), |birth| births.get(usize::from(birth.out_of?)))
        .copied()
        .collect()
}

/// Which of two units that appear out of units in different slots comes first: in a round, units of
/// the stack have their turns first, in the order of their slots, then those that appeared, in the
/// order in which they did.
fn order(slot: u8, line: &[Birth], other: u8, of_other: &[Birth]) -> Ordering {
    match (line.split_first(), of_other.split_first()) {
        (Some((birth, line)), Some((of, of_other))) => {
            birth.round.cmp(&of.round).then_with(|| order(slot, line, other, of_other))
        }
        (None, None) => slot.cmp(&other),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    }
}
