//! The joint distribution of units that touch each other only through a common cause.
//!
//! In an attack on a stack, leaders lend their leadership, fall and take others along; squads do
//! nothing to anybody. Of two leaders and ten squads the joint ends are beyond count, and yet what
//! hangs together is little: the leaders.
//!
//! # Why the course of the common cause is what counts
//!
//! A question that says how it comes apart ([`Limbs`]) has one process of what is common, and one
//! of each further unit beside it. Two things are asked of these: what is common rolls in all of
//! them alike, whatever the unit beside it does; and a unit's own rolls are compared with what is
//! common and with the unit itself. Then dice, which know nothing of each other, decide apart from
//! each other what is common and, *given its whole course*, each unit. The course is needed, not
//! where it ends: a leader who broke before the squads checked and one who broke after it end
//! alike, and squads remember the difference. So the courses are played out like a tree, roll by
//! roll; along each, every unit is a distribution over its own states, which only its own rolls
//! change; and where outcomes are noted, the joint odds are the products, summed over courses.
//!
//! Random Selection is the one roll of all. Of `n` candidates those whose dr is among the `count`
//! highest are drawn, ties for the last place included. Let `t` be the last dr that is drawn: who
//! is drawn has rolled at least `t`, less than `count` of them more, and nobody else has. So a set
//! of `s >= count` candidates is drawn with the odds
//! `sum over t of (t-1)^(n-s) * sum over k < count of C(s,k) (6-t)^k / 6^n`,
//! which hang on its size only. Sets are played out for what is common; of a unit both fates are
//! kept, and joined when outcomes are noted, where the size is known.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::exact::{Bound, Fraction};
use super::process::{Drawn, Due, Limbs, Point, Process, Silent, Turn};
use super::{EngineError, roll_classes};

/// What probabilities are kept in: fractions as long as they fit, else doubles.
pub trait Number: Copy + PartialEq + Send + Sync {
    const ONE: Self;
    const ZERO: Self;
    fn ratio(numerator: u128, denominator: u128) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn plus(self, other: Self) -> Option<Self>;
    fn probability(self) -> f64;
    fn fraction(self) -> Option<Fraction>;
    /// Equal for equal numbers.
    fn key(self) -> (u128, u128);
}

impl Number for Fraction {
    const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };
    const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    fn ratio(numerator: u128, denominator: u128) -> Option<Fraction> {
        Some(Fraction::new(numerator, denominator))
    }
    fn times(self, other: Fraction) -> Option<Fraction> {
        // In lowest terms crosswise, so that nothing overflows that would fit afterwards.
        let one = Fraction::new(self.numerator, other.denominator);
        let two = Fraction::new(other.numerator, self.denominator);
        Some(Fraction {
            numerator: one.numerator.checked_mul(two.numerator)?,
            denominator: one.denominator.checked_mul(two.denominator)?,
        })
    }
    fn plus(self, other: Fraction) -> Option<Fraction> {
        self.checked_add(other)
    }
    fn probability(self) -> f64 {
        self.to_f64()
    }
    fn fraction(self) -> Option<Fraction> {
        Some(self)
    }
    fn key(self) -> (u128, u128) {
        (self.numerator, self.denominator)
    }
}

impl Number for f64 {
    const ONE: f64 = 1.0;
    const ZERO: f64 = 0.0;

    fn ratio(numerator: u128, denominator: u128) -> Option<f64> {
        Some(numerator as f64 / denominator as f64)
    }
    fn times(self, other: f64) -> Option<f64> {
        Some(self * other)
    }
    fn plus(self, other: f64) -> Option<f64> {
        Some(self + other)
    }
    fn probability(self) -> f64 {
        self
    }
    fn fraction(self) -> Option<Fraction> {
        None
    }
    fn key(self) -> (u128, u128) {
        (self.to_bits().into(), 1)
    }
}

/// A distribution; its probabilities sum to 1.
pub type Spread<K, W> = IndexMap<K, W, FxBuildHasher>;

/// Adds to a distribution; nothing where it overflows.
pub fn add<K: std::hash::Hash + Eq, W: Number>(
    spread: &mut Spread<K, W>,
    key: K,
    weight: W,
) -> Option<()> {
    match spread.entry(key) {
        Entry::Vacant(new) => drop(new.insert(weight)),
        Entry::Occupied(mut sum) => *sum.get_mut() = sum.get().plus(weight)?,
    }
    Some(())
}

/// A Random Selection on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lots {
    /// How many are wanted.
    pub count: u8,
    /// Of how many candidates.
    pub candidates: u8,
    /// How many of what is common were drawn.
    pub common: u8,
}

impl Lots {
    /// The odds of one set of drawn candidates in which so many units stand beside what is common;
    /// nothing where they overflow.
    pub fn odds<W: Number>(self, others: u8) -> Option<W> {
        let drawn = u32::from(self.common + others);
        let left = u32::from(self.candidates) - drawn;
        if drawn < u32::from(self.count) {
            return Some(W::ZERO);
        }
        let mut ways: u128 = 0;
        for last in 1..=6u128 {
            let mut above: u128 = 0;
            let mut choose: u128 = 1;
            for more in 0..u32::from(self.count) {
                above = above.checked_add(choose.checked_mul((6 - last).checked_pow(more)?)?)?;
                choose = choose * u128::from(drawn - more) / u128::from(more + 1);
            }
            ways = ways.checked_add(above.checked_mul((last - 1).checked_pow(left)?)?)?;
        }
        W::ratio(ways, 6u128.checked_pow(self.candidates.into())?)
    }
}

/// How a limb stands; after lots, if it was not drawn and if it was.
pub type Fates<S, W> = SmallVec<[Spread<S, W>; 2]>;

/// Where the courses of a common cause have come to a report.
pub struct Stop<'a, P: Process, W> {
    pub point: Point,
    /// The chance of this course, but for its lots.
    pub chance: W,
    pub lots: Option<Lots>,
    pub common: Option<&'a P::State>,
    /// How each limb stands.
    pub limbs: &'a [Fates<P::State, W>],
}

/// Why a tree of courses has no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Numbers outgrow 128 bits.
    Overflow,
    /// The processes do not come apart as they said.
    NotApart,
    Engine(EngineError),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        match error {
            EngineError::OpenChoice => Failure::NotApart,
            error => Failure::Engine(error),
        }
    }
}

/// Plays out every course, and tells where it comes to a report; the number of states worked
/// through.
pub fn play<P: Process, W: Number>(
    limbs: &Limbs<P>,
    bound: Bound,
    visit: &mut impl FnMut(Stop<P, W>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let start = |process: &P| process.start(&mut Silent);
    let alone = |process: &P| Spread::from_iter([(start(process), W::ONE)]);
    let course = Course {
        chance: W::ONE,
        lots: None,
        common: limbs.common.as_ref().map(start),
        limbs: limbs
            .limbs
            .iter()
            .map(|limb| [alone(&limb.process)].into_iter().collect())
            .collect(),
    };
    let mut tree = Tree { limbs, bound, worked: 0, visit };
    tree.play(course)?;
    Ok(tree.worked)
}

/// One course on its way.
#[derive(Clone)]
struct Course<S, W> {
    chance: W,
    lots: Option<Lots>,
    common: Option<S>,
    limbs: Vec<Fates<S, W>>,
}

struct Tree<'a, P: Process, F> {
    limbs: &'a Limbs<P>,
    bound: Bound<'a>,
    worked: usize,
    visit: &'a mut F,
}

/// What all wait for.
enum Waits {
    Common,
    Lots { count: u8, common: u8 },
    Report(Point),
    Over,
}

impl<P: Process, F> Tree<'_, P, F> {
    fn play<W: Number>(&mut self, mut course: Course<P::State, W>) -> Result<(), Failure>
    where
        F: FnMut(Stop<P, W>) -> Result<(), Failure>,
    {
        loop {
            for (limb, spreads) in self.limbs.limbs.iter().zip(&mut course.limbs) {
                for spread in spreads {
                    *spread = self.played_alone(&limb.process, std::mem::take(spread))?;
                }
            }
            match self.waits(&course)? {
                Waits::Over => return Ok(()),
                Waits::Report(point) => {
                    (self.visit)(Stop {
                        point,
                        chance: course.chance,
                        lots: course.lots,
                        common: course.common.as_ref(),
                        limbs: &course.limbs,
                    })?;
                    self.change(&mut course, |process, state| process.pass(state, &mut Silent))?;
                }
                Waits::Common => return self.branch(&course),
                Waits::Lots { count, common } => return self.draw(&course, count, common),
            }
        }
    }

    /// A limb after all rolls of its own.
    fn played_alone<W: Number>(
        &mut self,
        process: &P,
        spread: Spread<P::State, W>,
    ) -> Result<Spread<P::State, W>, Failure> {
        let mut waiting = Spread::default();
        let mut level = spread;
        while !level.is_empty() {
            let mut next = Spread::default();
            for (state, weight) in level {
                let (dice, terms) = match process.due(&state) {
                    Due::Roll(dice, terms) if process.turn(&state) == Turn::Own => (dice, terms),
                    Due::Choice { .. } => return Err(Failure::NotApart),
                    _ => {
                        add(&mut waiting, state, weight).ok_or(Failure::Overflow)?;
                        continue;
                    }
                };
                self.work()?;
                for (reading, faces) in roll_classes(process, dice, &terms) {
                    let mut after = state.clone();
                    process.apply(&mut after, reading, &mut Silent);
                    let share = W::ratio(faces.into(), dice.faces().into());
                    let share = share.and_then(|share| share.times(weight));
                    let added = share.and_then(|share| add(&mut next, after, share));
                    added.ok_or(Failure::Overflow)?;
                }
            }
            level = next;
        }
        Ok(waiting)
    }

    fn work(&mut self) -> Result<(), Failure> {
        self.bound.watch.state(self.worked)?;
        self.worked += 1;
        match self.worked > self.bound.worked {
            true => Err(EngineError::TooMuchWork { bound: self.bound.worked }.into()),
            false => Ok(()),
        }
    }

    /// What the common process waits for, which all others must wait for as well.
    fn waits<W: Number>(&self, course: &Course<P::State, W>) -> Result<Waits, Failure> {
        let waits = |process: &P, state: &P::State| match process.due(state) {
            Due::Choice { .. } => Err(Failure::NotApart),
            Due::Over => Ok(Waits::Over),
            Due::Report(point) => Ok(Waits::Report(point)),
            Due::Roll(..) => match process.turn(state) {
                Turn::Own => Err(Failure::NotApart),
                Turn::Common => Ok(Waits::Common),
                Turn::Lots { count, common } => Ok(Waits::Lots { count, common }),
            },
        };
        let own = self.limbs.limbs.iter().zip(&course.limbs).flat_map(|(limb, spreads)| {
            spreads.iter().flat_map(|spread| spread.keys()).map(|state| (&limb.process, state))
        });
        let mut all = self.limbs.common.iter().zip(&course.common).chain(own);
        let Some((process, state)) = all.next() else { return Ok(Waits::Over) };
        let first = waits(process, state)?;
        for (process, state) in all {
            match (&first, waits(process, state)?) {
                (Waits::Over, Waits::Over) | (Waits::Common, Waits::Common) => {}
                (Waits::Report(one), Waits::Report(other)) if *one == other => {}
                (Waits::Lots { count, common }, Waits::Lots { count: of, common: others })
                    if (*count, *common) == (of, others) => {}
                _ => return Err(Failure::NotApart),
            }
        }
        Ok(first)
    }

    /// The same for all states of a course.
    fn change<W: Number>(
        &self,
        course: &mut Course<P::State, W>,
        change: impl Fn(&P, &mut P::State),
    ) -> Result<(), Failure> {
        if let (Some(process), Some(state)) = (&self.limbs.common, &mut course.common) {
            change(process, state);
        }
        for (limb, spreads) in self.limbs.limbs.iter().zip(&mut course.limbs) {
            for spread in spreads {
                *spread = changed(spread, |state| change(&limb.process, state))?;
            }
        }
        Ok(())
    }

    /// A roll of what is common.
    fn branch<W: Number>(&mut self, course: &Course<P::State, W>) -> Result<(), Failure>
    where
        F: FnMut(Stop<P, W>) -> Result<(), Failure>,
    {
        let (Some(process), Some(state)) = (&self.limbs.common, &course.common) else {
            return Err(Failure::NotApart);
        };
        let Due::Roll(dice, terms) = process.due(state) else { return Err(Failure::NotApart) };
        self.work()?;
        for (reading, faces) in roll_classes(process, dice, &terms) {
            let share = W::ratio(faces.into(), dice.faces().into());
            let chance = share.and_then(|share| share.times(course.chance));
            let mut next = Course { chance: chance.ok_or(Failure::Overflow)?, ..course.clone() };
            self.change(&mut next, |process, state| process.apply(state, reading, &mut Silent))?;
            self.play(next)?;
        }
        Ok(())
    }

    /// A Random Selection: every set of what is common, and of each limb both fates.
    fn draw<W: Number>(
        &mut self,
        course: &Course<P::State, W>,
        count: u8,
        candidates: u8,
    ) -> Result<(), Failure>
    where
        F: FnMut(Stop<P, W>) -> Result<(), Failure>,
    {
        let others: usize = self.limbs.limbs.iter().map(|limb| limb.slots.len()).sum();
        let all = u8::try_from(others + usize::from(candidates));
        if course.lots.is_some() || candidates > MOST_DRAWN {
            return Err(Failure::NotApart);
        }
        let all = all.map_err(|_| Failure::NotApart)?;
        for common in 0..1u64 << candidates {
            self.work()?;
            let drawn = |own| Drawn { common, own };
            let lots = Lots { count, candidates: all, common: common.count_ones() as u8 };
            let mut next = Course { lots: Some(lots), ..course.clone() };
            if let (Some(process), Some(state)) = (&self.limbs.common, &mut next.common) {
                process.draw(state, drawn(false));
            }
            for (limb, spreads) in self.limbs.limbs.iter().zip(&mut next.limbs) {
                let of = |own| changed(&spreads[0], |state| limb.process.draw(state, drawn(own)));
                *spreads = [of(false)?, of(true)?].into_iter().collect();
            }
            self.play(next)?;
        }
        Ok(())
    }
}

/// Most candidates of what is common.
const MOST_DRAWN: u8 = 12;

/// A distribution after a change of every state.
fn changed<S: Clone + Eq + std::hash::Hash, W: Number>(
    spread: &Spread<S, W>,
    change: impl Fn(&mut S),
) -> Result<Spread<S, W>, Failure> {
    let mut after = Spread::with_capacity_and_hasher(spread.len(), FxBuildHasher);
    for (state, weight) in spread {
        let mut state = state.clone();
        change(&mut state);
        add(&mut after, state, *weight).ok_or(Failure::Overflow)?;
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of drawn candidates, by all their drs.
    #[test]
    fn lots_are_those_of_all_drs() {
        for (candidates, count) in [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (5, 3), (3, 3)] {
            let mut sets = vec![0u128; 1 << candidates];
            for rolls in 0..6u32.pow(candidates) {
                let drs: Vec<u32> = (0..candidates).map(|of| rolls / 6u32.pow(of) % 6).collect();
                let above = |dr: u32| drs.iter().filter(|&&other| other > dr).count();
                let drawn = (0..candidates as usize).filter(|&of| above(drs[of]) < count);
                sets[drawn.map(|of| 1 << of).sum::<usize>()] += 1;
            }
            for (set, ways) in sets.into_iter().enumerate() {
                let of = Lots { count: count as u8, candidates: candidates as u8, common: 0 };
                let odds: Fraction = of.odds(set.count_ones() as u8).unwrap();
                assert_eq!(odds, Fraction::new(ways, 6u128.pow(candidates)), "{set:b} of {count}");
            }
        }
    }
}
