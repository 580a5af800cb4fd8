//! Several courses of action, played side by side with common random numbers.
//!
//! In each sequence all courses roll the same dice, epoch by epoch (such as a phase,
//! [`Process::epoch`]). Luck then affects them alike, and the difference between them has a smaller
//! error than that of two independent runs: P. Glasserman, D. D. Yao, *Some Guidelines and
//! Guarantees for Common Random Numbers*, Management Science 38 (1992), 884-908. The odds of each
//! course by itself are the same as in any other run.
//!
//! Sequences are played by the rules with the dice of [`crate::dice::common`], scheme [`SAMPLER`].
//! Sums are combined in the order of chunks of [`CHUNK`] sequences, so threads change no digit.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::EngineError;
use super::histogram::OUTCOMES;
use super::monitor::Sequences;
use super::monte_carlo::{Plan, over_jobs, play};
use crate::dice::common::CommonDice;
pub use crate::dice::common::SAMPLER;
use crate::dice::stream::CHUNK;
use crate::process::{Process, ReportIndex, Silent};
use crate::stats::{Amounts, PairedMean};

/// The result of a paired run: several courses of action played with the same dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired<C> {
    pub courses: Vec<PairedCourse<C>>,
    pub trials: u64,
}

/// The result of one course in a paired run.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedCourse<C> {
    /// The classes of outcomes that any course noted, in order, with their shares in this course.
    pub classes: Vec<(C, Share)>,
    /// The mean and variance of the gain (the value of the outcomes) of one sequence.
    pub gain: Spread,
    /// The gain less that of the first course; `most` is the largest absolute gain of any outcome.
    pub difference: PairedMean,
}

/// The number of sequences in which a course noted a class of outcomes at least once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub count: u64,
    /// The number of sequences in which this course noted the class and the first course did not.
    pub gained: u64,
    /// The number of sequences in which only the first course noted the class.
    pub lost: u64,
}

/// The mean and variance of a number over the sequences of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean; NaN without trials.
    pub mean: f64,
    /// The sample variance of the number; NaN for fewer than two trials.
    pub variance: f64,
}

impl<C: Ord> PairedCourse<C> {
    /// Returns the share of `class`; all zero if no course noted the class.
    pub fn share(&self, class: &C) -> Share {
        let place = self.classes.binary_search_by(|(other, _)| other.cmp(class));
        place.map_or(Share::default(), |place| self.classes[place].1)
    }
}

/// Plays the sequences of `plan` in every course, and compares each course with the first.
///
/// `class` puts an outcome of a course (0-based), noted at a report, into any number of classes.
/// `gain` returns its value; the gains of one sequence add up. Results are cached, so both must
/// depend on their arguments only.
///
/// # Errors
///
/// Fails with [`EngineError::OpenChoice`] if a course leaves a choice open (see
/// [`WithPolicy`](crate::process::WithPolicy)), and with [`EngineError::Interrupted`] when the plan
/// is cancelled.
pub fn run<P: Process, C: Ord + Clone + Send, In: IntoIterator<Item = C>>(
    courses: &[P],
    plan: &Plan,
    class: impl Fn(usize, ReportIndex, &P::Outcome) -> In + Sync,
    gain: impl Fn(usize, ReportIndex, &P::Outcome) -> f64 + Sync,
) -> Result<Paired<C>, EngineError> {
    let starts: Vec<(&P, P::State)> =
        courses.iter().map(|course| (course, course.start(&mut Silent))).collect();
    let played = Sequences::new(plan.watch, plan.trials);
    let judge = |course, point, outcome: &P::Outcome| {
        (class(course, point, outcome), gain(course, point, outcome))
    };
    let tally = over_jobs(
        plan,
        plan.chunks(),
        || Tally::empty(courses.len()),
        |tally, chunk| {
            let first = chunk * CHUNK;
            tally.play_chunk(
                &starts,
                plan.seed,
                first..first + plan.sequences_of(chunk),
                &judge,
                &played,
            )
        },
        |a, b| Ok(Tally::merged(a, b)),
    )?;
    Ok(tally.finish(plan.trials))
}

/// The rows of the classes of an outcome in `Classes`, and the gain of the outcome.
type Judged = (SmallVec<[usize; 2]>, f64);

struct Tally<O, C> {
    classes: Classes<C>,
    known: FxHashMap<(usize, ReportIndex, O), Judged>,
    /// The sums of each course, by the first sequence of the chunk.
    sums: Vec<(u64, Vec<Sums>)>,
    most: f64,
}

impl<O: Eq + Hash, C: Ord + Clone> Tally<O, C> {
    fn empty(courses: usize) -> Self {
        Tally {
            classes: Classes::empty(courses),
            known: FxHashMap::default(),
            sums: Vec::new(),
            most: 0.0,
        }
    }

    fn play_chunk<P: Process<Outcome = O>, In: IntoIterator<Item = C>>(
        &mut self,
        starts: &[(&P, P::State)],
        seed: u64,
        sequences: Range<u64>,
        judge: &impl Fn(usize, ReportIndex, &O) -> (In, f64),
        played: &Sequences,
    ) -> Result<(), EngineError> {
        let mut sums = vec![Sums::default(); starts.len()];
        let chunk = sequences.start;
        for sequence in sequences {
            let dealt = CommonDice::new(P::BASE, seed, sequence);
            let mut first_gained = None;
            for (course, ((process, start), sums)) in starts.iter().zip(&mut sums).enumerate() {
                let (mut dice, mut gained) = (dealt.clone(), 0.0);
                let roll = |state: &P::State, due| dice.roll(process.epoch(state), due);
                play(*process, start.clone(), roll, |point, outcome| {
                    gained += self.note(sequence, course, point, outcome, judge)
                })?;
                sums.add(gained, *first_gained.get_or_insert(gained));
            }
            played.add(1)?;
        }
        self.sums.push((chunk, sums));
        Ok(())
    }

    #[inline]
    fn note<In: IntoIterator<Item = C>>(
        &mut self,
        sequence: u64,
        course: usize,
        point: ReportIndex,
        outcome: O,
        judge: &impl Fn(usize, ReportIndex, &O) -> (In, f64),
    ) -> f64 {
        // Emptying the cache only costs time: classes keep their rows and counts.
        if self.known.len() >= OUTCOMES {
            self.known.clear();
        }
        let (classes, most) = (&mut self.classes, &mut self.most);
        let (rows, gain) =
            self.known.entry((course, point, outcome)).or_insert_with_key(|(_, point, outcome)| {
                let (of_outcome, gain) = judge(course, *point, outcome);
                *most = most.max(gain.abs());
                (of_outcome.into_iter().map(|class| classes.row(class)).collect(), gain)
            });
        rows.iter().for_each(|row| classes.note(*row, course, sequence));
        *gain
    }

    fn merged(mut self, other: Self) -> Self {
        self.classes.add(other.classes);
        self.sums.extend(other.sums);
        self.most = self.most.max(other.most);
        self
    }

    fn finish(mut self, trials: u64) -> Paired<C> {
        self.sums.sort_unstable_by_key(|(chunk, _)| *chunk);
        let course = |place: usize| {
            let Sums { gain, difference, gained, lost } =
                self.sums.iter().fold(Sums::default(), |sum, (_, sums)| sum.joined(sums[place]));
            let Spread { mean, variance } = difference.spread();
            let difference = PairedMean { mean, variance, trials, gained, lost, most: self.most };
            PairedCourse { classes: self.classes.shares(place), gain: gain.spread(), difference }
        };
        Paired { courses: (0..self.classes.courses).map(course).collect(), trials }
    }
}

struct Classes<C> {
    courses: usize,
    rows: BTreeMap<C, usize>,
    /// By class and course: sequences that noted the class, and those where the first did not.
    counts: Vec<[u64; 2]>,
    /// The last sequence that noted the class, counted from 1, in the layout of `counts`.
    last: Vec<u64>,
}

impl<C: Ord + Clone> Classes<C> {
    fn empty(courses: usize) -> Self {
        Classes { courses, rows: BTreeMap::new(), counts: Vec::new(), last: Vec::new() }
    }

    fn row(&mut self, class: C) -> usize {
        let next = self.rows.len();
        let row = *self.rows.entry(class).or_insert(next);
        if row == next {
            self.counts.resize((next + 1) * self.courses, [0; 2]);
            self.last.resize((next + 1) * self.courses, 0);
        }
        row
    }

    fn entries(&self, row: usize) -> Range<usize> {
        row * self.courses..(row + 1) * self.courses
    }

    /// Notes a class of the present sequence, in which the first course is played first.
    fn note(&mut self, row: usize, course: usize, sequence: u64) {
        let entries = self.entries(row);
        let (last, now) = (&mut self.last[entries.clone()], sequence + 1);
        if std::mem::replace(&mut last[course], now) != now {
            let [count, gained] = &mut self.counts[entries][course];
            *count += 1;
            *gained += u64::from(last[0] != now);
        }
    }

    fn add(&mut self, other: Classes<C>) {
        for (class, from) in &other.rows {
            let row = self.row(class.clone());
            let to = self.entries(row);
            let more = &other.counts[other.entries(*from)];
            for ([count, gained], [more, more_gained]) in self.counts[to].iter_mut().zip(more) {
                *count += more;
                *gained += more_gained;
            }
        }
    }

    fn shares(&self, course: usize) -> Vec<(C, Share)> {
        let share = |row: &usize| {
            let counts = &self.counts[self.entries(*row)];
            let ([first, _], [count, gained]) = (counts[0], counts[course]);
            Share { count, gained, lost: first - (count - gained) }
        };
        self.rows.iter().map(|(class, row)| (class.clone(), share(row))).collect()
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    gain: Moments,
    difference: Moments,
    gained: Amounts,
    lost: Amounts,
}

/// The relative size below which a difference in gain counts as a rounding error.
const ROUNDING: f64 = 1e-9;

impl Sums {
    fn add(&mut self, gained: f64, first_gained: f64) {
        let difference = gained - first_gained;
        self.gain.add(gained);
        self.difference.add(difference);
        if difference.abs() > ROUNDING * gained.abs().max(first_gained.abs()) {
            if difference > 0.0 { &mut self.gained } else { &mut self.lost }.add(difference.abs());
        }
    }

    fn joined(self, other: Sums) -> Sums {
        Sums {
            gain: self.gain.joined(other.gain),
            difference: self.difference.joined(other.difference),
            gained: self.gained.joined(other.gained),
            lost: self.lost.joined(other.lost),
        }
    }
}

/// Count, mean and sum of squared deviations, updated stably: B. P. Welford, *Note on a Method for
/// Calculating Corrected Sums of Squares and Products*, Technometrics 4 (1962), 419-420. T. F.
/// Chan, G. H. Golub, R. J. LeVeque, *Algorithms for Computing the Sample Variance*, The American
/// Statistician 37 (1983), 242-247.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    #[inline]
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let deviation = value - self.mean;
        self.mean += deviation / self.count;
        self.squares += deviation * (value - self.mean);
    }

    fn joined(self, other: Moments) -> Moments {
        if self.count == 0.0 {
            return other;
        }
        let count = self.count + other.count;
        let (deviation, share) = (other.mean - self.mean, other.count / count);
        let squares = self.squares + other.squares + deviation * deviation * self.count * share;
        Moments { count, mean: self.mean + deviation * share, squares }
    }

    fn spread(self) -> Spread {
        let mean = if self.count > 0.0 { self.mean } else { f64::NAN };
        let variance = if self.count > 1.0 { self.squares / (self.count - 1.0) } else { f64::NAN };
        Spread { mean, variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        moments
    }

    /// The sum of squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 is 32. An offset of 1e9 tests stability.
    #[test]
    fn moments_match_values_computed_by_hand() {
        for offset in [0.0, 1e9] {
            let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(|value| value + offset);
            for cut in 0..=values.len() {
                let (left, right) = values.split_at(cut);
                let spread = moments(left).joined(moments(right)).spread();
                assert!(
                    (spread.mean - offset - 5.0).abs() < 1e-6
                        && (spread.variance - 32.0 / 7.0).abs() < 1e-5,
                    "{spread:?}"
                );
            }
        }
    }

    #[test]
    fn too_few_numbers_have_no_spread() {
        let (none, one) = (moments(&[]).spread(), moments(&[3.0]).spread());
        assert!(none.mean.is_nan() && none.variance.is_nan());
        assert!(one.mean == 3.0 && one.variance.is_nan());
    }
}
