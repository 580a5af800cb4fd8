//! The exact distribution of a process: a forward pass, roll by roll, that merges equal states.
//!
//! Weights are integer numerators over a power of 6 or of 20: the faces of all dice rolled (u128,
//! checked). Where that overflows, the pass continues in f64, with errors below 1e-12 (see
//! [`Odds::arithmetic`]).
//!
//! # Why states may wait for each other
//!
//! States that have rolled equally often advance together, and merge where they are equal. But
//! sequences come to the end of a phase after different numbers of rolls, such as a wound dr, and
//! then have equal futures. So a state past a report, or in a later epoch, waits for all others.
//! This changes no odds:
//!
//! * *The order is free.* The probability of an outcome is a sum over sequences. States are equal
//!   exactly when their futures are; the number of rolls before is no part of them. In any order,
//!   each share of weight takes each transition once. A missed merge only costs work.
//! * *Every state waits long enough.* A waiting state continues when no other can, lowest epoch
//!   first, then lowest report. Neither falls along a sequence, so no state that waits elsewhere is
//!   on its way to it, and all that can merge there has arrived. A sequence may come to the same
//!   report again with further outcomes: its states then wait there again.
//! * *Weights stay integers.* Each share remembers how many dice were rolled for it. Of two shares
//!   one denominator divides the other, since both are powers of the same number. A share is at
//!   most 1. So where the denominator fits into 128 bits, its numerator does.
//!
//! # Why dropped states leave the odds certain
//!
//! Nearly all states of a big process have next to no chance. [`certified_odds`] drops the lightest
//! states of each level. A sequence is then either followed to its end or cut off at a dropped
//! state, and nothing else happens to it. So what an outcome has gathered is too small by at most
//! the chance of all that was dropped before its report (or past it, where sequences come to it
//! again), and never too large. Weights are integers in units of 2^-53, rounded down at each
//! branch. That loses less than one unit for each face of each state worked, which counts as
//! dropped. Their sums are exact, and so are the doubles that they become.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use super::histogram::OUTCOMES;
use super::monitor::Monitor;
use super::order::sort_by;
use super::{EngineError, roll_classes};
use crate::dice::{Base, Dice};
use crate::process::{Due, Process, ReportIndex, Silent};

/// The limits of an exact computation, and its monitor.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// The largest number of distinct states in memory at once, and of distinct outcomes.
    pub alive: usize,
    /// The largest number of states processed in all.
    pub worked: usize,
    /// The monitor, which can cancel the pass. Its progress counts states processed.
    pub watch: Monitor<'a>,
}

impl Bound<'static> {
    /// The default limits: about a second and 100 MB for a stack, some seconds with many choices.
    pub const STANDARD: Bound<'static> =
        Bound { alive: 1 << 17, worked: 1 << 20, watch: Monitor::NONE };
}

impl Bound<'_> {
    /// Replaces the monitor.
    pub fn watched(self, watch: Monitor<'_>) -> Bound<'_> {
        Bound { watch, ..self }
    }
}

/// A fraction in lowest terms, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// The numerator, at most the denominator.
    pub numerator: u128,
    /// The denominator, at least 1.
    pub denominator: u128,
}

impl Fraction {
    /// Creates `numerator / denominator` in lowest terms.
    ///
    /// The denominator must not be 0: debug builds panic, release builds may not return.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_engine::exact::Fraction;
    ///
    /// assert_eq!(Fraction::new(10, 36).to_string(), "5/18");
    /// ```
    pub fn new(numerator: u128, denominator: u128) -> Fraction {
        let divisor = greatest_common_divisor(numerator, denominator);
        // Most fractions are short, and dividing 128-bit numbers is slow.
        match (u64::try_from(numerator), u64::try_from(denominator)) {
            (Ok(n), Ok(d)) => Fraction {
                numerator: (n / divisor as u64).into(),
                denominator: (d / divisor as u64).into(),
            },
            _ => Fraction { numerator: numerator / divisor, denominator: denominator / divisor },
        }
    }

    /// Returns the sum, or `None` if it overflows.
    pub fn checked_add(self, other: Fraction) -> Option<Fraction> {
        let common =
            self.denominator / greatest_common_divisor(self.denominator, other.denominator);
        let denominator = common.checked_mul(other.denominator)?;
        let left = self.numerator.checked_mul(denominator / self.denominator)?;
        let right = other.numerator.checked_mul(denominator / other.denominator)?;
        Some(Fraction::new(left.checked_add(right)?, denominator))
    }

    /// Returns the fraction as a double.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// The arithmetic in which probabilities were computed, the most precise first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arithmetic {
    /// Integers: every probability is an exact fraction.
    Integer,
    /// Doubles: errors are below 1e-12, and there are no fractions.
    Float,
    /// Integers rounded down, without states of little chance: see [`Chance::missing`].
    Certified,
}

/// The probability of one outcome at one report.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance<O> {
    /// The index of the report.
    pub point: ReportIndex,
    pub outcome: O,
    /// The probability, 0 to 1; in [`Arithmetic::Certified`] a lower bound.
    pub probability: f64,
    /// The largest amount by which the probability can exceed `probability`: 0 unless certified.
    pub missing: f64,
    /// The probability as a fraction; `None` in [`Arithmetic::Float`].
    pub fraction: Option<Fraction>,
}

/// The exact probability of every outcome that a process notes, ordered by report and outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds<O> {
    /// The possible outcomes: one entry per report and outcome.
    pub chances: Vec<Chance<O>>,
    /// The arithmetic of the probabilities.
    pub arithmetic: Arithmetic,
    pub states: usize,
}

/// Computes exact probabilities, in integers as long as they fit and in doubles from there on.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`], [`EngineError::TooMuchWork`] or
/// [`EngineError::TooManyOutcomes`] beyond `bound`, with [`EngineError::OpenChoice`] at a choice,
/// and with [`EngineError::Interrupted`] when it is cancelled.
pub fn odds<P: Process>(process: &P, bound: Bound) -> Result<Odds<P::Outcome>, EngineError> {
    Pass::begin(process, Arithmetic::Integer)?.finished(process, bound)
}

/// Computes the probabilities in doubles, with errors below 1e-12.
///
/// # Errors
///
/// Fails in the same cases as [`odds`].
pub fn float_odds<P: Process>(process: &P, bound: Bound) -> Result<Odds<P::Outcome>, EngineError> {
    Pass::begin(process, Arithmetic::Float)?.finished(process, bound)
}

/// Computes lower bounds of the probabilities without the states of least chance. The chance of all
/// that is dropped is at most `allowed`, apart from rounding.
///
/// # Errors
///
/// Fails in the same cases as [`odds`].
pub fn certified_odds<P: Process>(
    process: &P,
    bound: Bound,
    allowed: f64,
) -> Result<Odds<P::Outcome>, EngineError> {
    let mut pass = Pass::begin(process, Arithmetic::Certified)?;
    let mut budget = Budget { allowed: allowed * ONE as f64, share: 1.0, dropped: Vec::new() };
    while !pass.level.is_empty() {
        budget.spend(pass.place.1, &mut pass.level);
        pass.push_level(process, bound)?;
    }
    let (rounded, repeats) = (pass.worked as u64 * u64::from(MOST_FACES), pass.repeats);
    let mut odds = pass.odds(bound.watch)?;
    for chance in &mut odds.chances {
        let point = Some(chance.point);
        let is_before = |passed: Option<ReportIndex>| passed < point || repeats && passed == point;
        let before = budget.dropped.iter().filter(|(passed, _)| is_before(*passed));
        let dropped: u64 = before.map(|(_, units)| units).sum();
        chance.missing = (dropped + rounded) as f64 / ONE as f64;
    }
    Ok(odds)
}

/// The chance that may be dropped from the levels of a certified pass.
struct Budget {
    /// The whole, in units of 2^-53.
    allowed: f64,
    /// The part of `allowed` that is left for later levels.
    share: f64,
    /// The dropped chances, by the report that had been passed.
    dropped: Vec<(Option<ReportIndex>, u64)>,
}

impl Budget {
    /// Drops the lightest states of a level. No level knows how many will follow, so each may
    /// bring the sum to the same part of what is left.
    fn spend<S>(&mut self, passed: Option<ReportIndex>, level: &mut Merged<S, (Share, u8)>) {
        self.share *= 1.0 - PART_OF_A_LEVEL;
        let spent: u64 = self.dropped.iter().map(|(_, units)| units).sum();
        let mut left = ((self.allowed * (1.0 - self.share)) as u64).saturating_sub(spent);
        let mut weights: Vec<u64> = level.values().map(|(share, _)| share.weight as u64).collect();
        weights.sort_unstable();
        let lightest = weights.iter().take_while(|&units| {
            let fits = *units <= left;
            left -= if fits { *units } else { 0 };
            fits
        });
        let Some(&heaviest) = lightest.last() else { return };
        // States as heavy as the heaviest that fits are kept, so that no order of states decides.
        let mut units = 0;
        level.retain(|_, (share, _)| {
            let weight = share.weight as u64;
            units += if weight < heaviest { weight } else { 0 };
            weight >= heaviest
        });
        self.dropped.push((passed, units));
    }
}

/// The part of the budget left that one level of a certified pass may drop.
const PART_OF_A_LEVEL: f64 = 0.05;

/// The largest number of faces of a roll.
const MOST_FACES: u8 = Dice::Dr.faces();

/// A weight is the probability of a state: a numerator, the bits of a double, or a number of units
/// of 2^-53. One type holds all three, so that a pass is compiled once for a process.
type Weight = u128;

/// A certified probability of 1, as a number of units of 2^-53.
const ONE: u64 = 1 << 53;

impl Arithmetic {
    fn one(self) -> Weight {
        match self {
            Arithmetic::Integer => 1,
            Arithmetic::Float => 1f64.to_bits().into(),
            Arithmetic::Certified => ONE.into(),
        }
    }

    /// Returns the weight of `faces_read` of `faces`.
    #[inline]
    fn branch(self, weight: Weight, faces_read: u8, faces: u8) -> Weight {
        match self {
            Arithmetic::Integer => weight * Weight::from(faces_read),
            Arithmetic::Float => bits(double(weight) * f64::from(faces_read) / f64::from(faces)),
            Arithmetic::Certified => {
                (weight as u64 * u64::from(faces_read) / u64::from(faces)).into()
            }
        }
    }

    /// Adds a share of a sequence of `P`.
    #[inline]
    fn add<P: Process>(self, sum: &mut Share, more: Share) {
        let powers = powers_of(P::BASE);
        let scaled =
            |share: Share| share.weight * powers[usize::from(sum.dice.max(more.dice) - share.dice)];
        sum.weight = match self {
            Arithmetic::Float => bits(double(sum.weight) + double(more.weight)),
            _ if sum.dice == more.dice => sum.weight + more.weight,
            _ => scaled(*sum) + scaled(more),
        };
        sum.dice = sum.dice.max(more.dice);
    }

    fn chance<P: Process>(self, Share { weight, dice }: Share) -> (f64, Option<Fraction>) {
        match self {
            Arithmetic::Integer => {
                let denominator = powers_of(P::BASE)[usize::from(dice)];
                let fraction = Fraction::new(weight, denominator);
                (fraction.to_f64(), Some(fraction))
            }
            Arithmetic::Float => (double(weight), None),
            Arithmetic::Certified => (weight as f64 / ONE as f64, None),
        }
    }
}

fn bits(probability: f64) -> Weight {
    probability.to_bits().into()
}

fn double(weight: Weight) -> f64 {
    f64::from_bits(weight as u64)
}

type Merged<K, W> = IndexMap<K, W, FxBuildHasher>;

/// The weight of a state, and the number of dice rolled for it: in integers the weight is a
/// numerator over that power of the faces of a die.
#[derive(Clone, Copy)]
struct Share {
    weight: Weight,
    dice: u8,
}

/// Returns the powers that fit into 128 bits of the faces of a die: of 6 for DR, of 20 for d20.
const fn powers_of(base: Base) -> &'static [u128] {
    match base {
        Base::Dr => &const { powers::<50>(6) },
        Base::D20 => &const { powers::<30>(20) },
    }
}

const fn powers<const N: usize>(of: u128) -> [u128; N] {
    let mut powers = [1; N];
    let mut place = 1;
    while place < N {
        powers[place] = powers[place - 1] * of;
        place += 1;
    }
    powers
}

/// Returns the number of dice in a roll with so many faces.
#[inline]
fn dice_of(faces: u8) -> u8 {
    1 + u8::from(faces == MOST_FACES)
}

/// States with their weights and the number of faces of the die that is due.
type States<P> = Merged<<P as Process>::State, (Share, u8)>;

/// A place in a sequence: the epoch and the last report that was passed. It never falls.
type Place = (u32, Option<ReportIndex>);

/// A forward pass: all weight starts on the first state and moves on one roll at a time.
struct Pass<P: Process> {
    arithmetic: Arithmetic,
    noted: Merged<(ReportIndex, P::Outcome), Share>,
    /// The states being processed: all are at `place`, and have rolled equally often since.
    level: States<P>,
    place: Place,
    next: States<P>,
    /// The states that wait to merge with others at a later place, latest place first.
    waiting: Vec<(Place, States<P>)>,
    spare: States<P>,
    /// The number of states outside the level.
    alive: usize,
    /// True if a state has come again to a report that it had passed.
    repeats: bool,
    worked: usize,
}

impl<P: Process> Pass<P> {
    fn begin(process: &P, arithmetic: Arithmetic) -> Result<Pass<P>, EngineError> {
        let states = || IndexMap::with_capacity_and_hasher(FEW_STATES, FxBuildHasher);
        let mut pass = Pass {
            arithmetic,
            noted: IndexMap::with_capacity_and_hasher(4 * FEW_STATES, FxBuildHasher),
            level: states(),
            place: (0, None),
            next: states(),
            waiting: Vec::new(),
            spare: states(),
            alive: 0,
            repeats: false,
            worked: 0,
        };
        let whole = Share { weight: arithmetic.one(), dice: 0 };
        pass.arrive(process, process.start(&mut Silent), whole)?;
        pass.advance();
        Ok(pass)
    }

    /// Moves all weights forward until every sequence is over.
    fn finished(mut self, process: &P, bound: Bound) -> Result<Odds<P::Outcome>, EngineError> {
        while !self.level.is_empty() {
            self.push_level(process, bound)?;
        }
        self.odds(bound.watch)
    }

    /// Moves the weights of the level forward by the roll that is due, in doubles from the first
    /// denominator that does not fit.
    fn push_level(&mut self, process: &P, bound: Bound) -> Result<(), EngineError> {
        let powers = powers_of(P::BASE);
        let overflows = |&(share, faces): &(Share, u8)| {
            usize::from(share.dice + dice_of(faces)) >= powers.len()
        };
        if self.arithmetic == Arithmetic::Integer && self.level.values().any(overflows) {
            self.turn_to_doubles();
        }
        let arithmetic = self.arithmetic;
        let worked = self.worked;
        self.worked += self.level.len();
        if self.worked > bound.worked {
            return Err(EngineError::TooMuchWork { bound: bound.worked });
        }
        let mut level = std::mem::take(&mut self.level);
        for (place, (state, (share, _))) in level.drain(..).enumerate() {
            bound.watch.state(worked + place)?;
            let Due::Roll(dice, terms) = process.due(&state) else {
                unreachable!("only states that wait for a roll are kept")
            };
            let classes = roll_classes(process, dice, &terms);
            let Some((&last, others)) = classes.split_last() else {
                unreachable!("every die has a face")
            };
            let faces = dice.faces();
            let is_counted = arithmetic == Arithmetic::Integer;
            let dice = if is_counted { share.dice + dice_of(faces) } else { 0 };
            let mut follow = |mut state: P::State, (reading, faces_read)| {
                process.apply(&mut state, reading, &mut Silent);
                let weight = arithmetic.branch(share.weight, faces_read, faces);
                self.arrive(process, state, Share { weight, dice })
            };
            others.iter().try_for_each(|&class| follow(state.clone(), class))?;
            follow(state, last)?;
            if self.alive > bound.alive || self.noted.len() > bound.alive {
                return Err(EngineError::TooManyStates { bound: bound.alive });
            }
            if self.noted.len() > OUTCOMES {
                return Err(EngineError::TooManyOutcomes { bound: OUTCOMES });
            }
        }
        self.level = level;
        self.advance();
        Ok(())
    }

    fn turn_to_doubles(&mut self) {
        let waiting = self.waiting.iter_mut().flat_map(|(_, states)| states.values_mut());
        let states = self.level.values_mut().chain(self.next.values_mut()).chain(waiting);
        for share in self.noted.values_mut().chain(states.map(|(share, _)| share)) {
            let denominator = powers_of(P::BASE)[usize::from(share.dice)];
            *share = Share { weight: bits(share.weight as f64 / denominator as f64), dice: 0 };
        }
        self.arithmetic = Arithmetic::Float;
    }

    /// Notes the reports of an arriving state. Keeps the state unless its sequence is over.
    fn arrive(
        &mut self,
        process: &P,
        mut state: P::State,
        share: Share,
    ) -> Result<(), EngineError> {
        let (_, mut passed) = self.place;
        let faces = loop {
            match process.due(&state) {
                Due::Over => return Ok(()),
                Due::Choice { .. } => return Err(EngineError::OpenChoice),
                Due::Report(point) => {
                    self.repeats |= passed == Some(point);
                    process.report(
                        &state,
                        &mut |outcome| match self.noted.entry((point, outcome)) {
                            Entry::Occupied(mut sum) => {
                                self.arithmetic.add::<P>(sum.get_mut(), share)
                            }
                            Entry::Vacant(new) => drop(new.insert(share)),
                        },
                    );
                    process.pass(&mut state, &mut Silent);
                    passed = Some(point);
                }
                Due::Roll(dice, _) => break dice.faces(),
            }
        };
        let place = (process.epoch(&state), passed);
        let arithmetic = self.arithmetic;
        let states = if place == self.place { &mut self.next } else { self.waiting_at(place) };
        match states.entry(state) {
            Entry::Occupied(mut known) => arithmetic.add::<P>(&mut known.get_mut().0, share),
            Entry::Vacant(new) => {
                new.insert((share, faces));
                self.alive += 1;
            }
        }
        Ok(())
    }

    fn waiting_at(&mut self, place: Place) -> &mut States<P> {
        let index = match self.waiting.binary_search_by(|(other, _)| place.cmp(other)) {
            Ok(index) => index,
            Err(index) => {
                self.waiting.insert(index, (place, std::mem::take(&mut self.spare)));
                index
            }
        };
        &mut self.waiting[index].1
    }

    /// Selects the states that have rolled once more, or else those at the first place.
    fn advance(&mut self) {
        std::mem::swap(&mut self.level, &mut self.next);
        if self.level.is_empty()
            && let Some((place, mut states)) = self.waiting.pop()
        {
            self.place = place;
            std::mem::swap(&mut self.level, &mut states);
            self.spare = states;
        }
        self.alive -= self.level.len();
    }

    fn odds(self, watch: Monitor) -> Result<Odds<P::Outcome>, EngineError> {
        let mut chances = Vec::with_capacity(self.noted.len());
        for ((point, outcome), share) in self.noted {
            watch.check_cancelled()?;
            let (probability, fraction) = self.arithmetic.chance::<P>(share);
            chances.push(Chance { point, outcome, probability, missing: 0.0, fraction });
        }
        sort_by(&mut chances, |a, b| (a.point, &a.outcome).cmp(&(b.point, &b.outcome)));
        Ok(Odds { chances, arithmetic: self.arithmetic, states: self.worked })
    }
}

const FEW_STATES: usize = 14;

/// Computes the divisor by Stein's algorithm, since dividing 128 bits is slow. `b` must not be 0.
fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    if a == 0 {
        return b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(odd_divisor(a, b)) << twos;
        }
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        if b == 0 {
            return a << twos;
        }
    }
}

fn odd_divisor(mut a: u64, mut b: u64) -> u64 {
    while a != b {
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        b >>= b.trailing_zeros();
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Face;
    use crate::process::{Event, Log};

    /// Five dice, whose sum is reported after each of them at one report.
    struct RunningSum;

    impl Process for RunningSum {
        type State = (u8, u8, bool);
        type Terms = ();
        type Reading = u8;
        type Outcome = (u8, u8);

        fn start<L: Log>(&self, _: &mut L) -> (u8, u8, bool) {
            (0, 0, false)
        }
        fn due(&self, &(rolls, _, is_reported): &(u8, u8, bool)) -> Due<()> {
            match rolls {
                1.. if !is_reported => Due::Report(0),
                5 => Due::Over,
                _ => Due::Roll(Dice::One, ()),
            }
        }
        fn read(&self, (): &(), face: Face) -> u8 {
            face.number()
        }
        fn apply<L: Log>(&self, (rolls, sum, is_reported): &mut (u8, u8, bool), dr: u8, _: &mut L) {
            (*rolls, *sum, *is_reported) = (*rolls + 1, *sum + dr, false);
        }
        fn choose<L: Log>(&self, _: &mut (u8, u8, bool), _: usize, _: &mut L) {}
        fn report(&self, &(rolls, sum, _): &(u8, u8, bool), observe: &mut dyn FnMut((u8, u8))) {
            observe((rolls, sum));
        }
        fn pass<L: Log>(&self, (.., is_reported): &mut (u8, u8, bool), _: &mut L) {
            *is_reported = true;
        }
        fn describe(&self, _: &(u8, u8, bool), (): &(), _: Face) -> Event {
            Event { rule: "", text: String::new() }
        }
    }

    /// States dropped past a report count for the outcomes with which sequences come to it again.
    #[test]
    fn dropped_states_count_for_repeated_reports() {
        let exact = odds(&RunningSum, Bound::STANDARD).unwrap();
        let certified = certified_odds(&RunningSum, Bound::STANDARD, 0.3).unwrap();
        let found = |outcome| certified.chances.iter().find(|chance| chance.outcome == outcome);
        let mut most: f64 = 0.0;
        for chance in &exact.chances {
            let Some(found) = found(chance.outcome) else { continue };
            let lacks = chance.probability - found.probability;
            assert!((-1e-15..=found.missing).contains(&lacks), "{chance:?}: {found:?}");
            most = most.max(lacks);
        }
        assert!(most > 1e-6, "{most}");
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        for (numerator, denominator, text) in [
            (10, 36, "5/18"),
            (0, 36, "0/1"),
            (36, 36, "1/1"),
            (7, 7 << 100, "1/1267650600228229401496703205376"),
            (3u128.pow(50), 3u128.pow(52) * 5, "1/45"),
            (u128::MAX, u128::MAX, "1/1"),
        ] {
            assert_eq!(Fraction::new(numerator, denominator).to_string(), text);
        }
        let sum = Fraction::new(1, 6).checked_add(Fraction::new(1, 10)).unwrap();
        assert_eq!(sum, Fraction::new(4, 15));
        assert_eq!(Fraction::new(1, u128::MAX).checked_add(Fraction::new(1, u128::MAX - 1)), None);
    }
}
