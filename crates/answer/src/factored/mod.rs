//! Answers to a question that factorises: its units are independent given the course of a common
//! part (say, the leaders). They are counts, and outcomes of created units and of single units.

use std::hash::Hash;

mod joined;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::countable::Countable;
use crate::counting::{ClassCounts, OutcomeCounter};
use crate::estimate::{Estimate, OutcomeEstimate, ROUNDING};
use engine::EngineError;
use engine::exact::{Arithmetic, Bound, Fraction};
use engine::factored::{
    AlikeUnits, Distribution, Dropping, Lots, Lotteries, Manner, Number, Past, Played, Same, Stop,
    Trail, TreeError, add,
};
use engine::order::sort_by;
use engine::process::{Factored, Factorization, Process, ReportIndex, Spawn};
use joined::{Joined, LotsOdds, Sums, held, held_by_all};

/// One answer to a question that factorises.
pub struct FactoredAnswer<O> {
    pub noted: Vec<OutcomeEstimate<O>>,
    pub tallies: Vec<(ReportIndex, ClassCounts, Estimate)>,
    pub states: usize,
}

/// The kinds of answers.
pub enum FactoredRequest<'a, 'q, O> {
    /// The outcomes of each unit that the question starts with.
    Rows,
    /// The outcomes of units created on the way.
    Created,
    Counts(&'a OutcomeCounter<'q, O>),
}

impl<O> Clone for FactoredRequest<'_, '_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for FactoredRequest<'_, '_, O> {}

/// Bound on the courses of the common part. A check by three leaders stays below it.
pub const COURSES: Bound = Bound { worked: 1 << 19, ..Bound::STANDARD };

/// Returns the courses of the common part that are dropped where all are too many and the chance of
/// the dropped ones is to be at most `at_most`.
pub fn dropping(at_most: f64) -> Dropping {
    Dropping { below: at_most / 400.0, at_most }
}

/// Bound on states, half a second, where only the factors give the outcomes of single units.
const ALONE: usize = 1 << 16;

/// The data about a unit at a report that one answer needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct End<O> {
    tally: ClassCounts,
    /// Outcomes of the units with which the process of the factor starts.
    own: Vec<O>,
    /// Outcomes of the units created from the factor's unit.
    born: Vec<(Spawn, O)>,
    /// The unit's results in the Random Selections so far.
    fates: Lotteries,
    /// Number of awaited units (not holding at the start) that held at each earlier report.
    held: Trail,
}

impl<O> End<O> {
    fn from_past(past: &Past) -> End<O> {
        End {
            tally: ClassCounts::default(),
            own: Vec::new(),
            born: Vec::new(),
            fates: past.fates.clone(),
            held: past.trail.clone(),
        }
    }
}

type Ends<O, W> = Vec<(End<O>, Same<W>)>;

/// Key under which courses of the common part merge: the report, the Random Selections, and the
/// slots of each group of units with the index of its [`Ends`].
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    point: ReportIndex,
    lots: Vec<Lots>,
    groups: Vec<(Vec<u8>, usize)>,
}

/// All courses of the common part, merged by [`Key`], with the distribution of their ends.
struct Courses<O, W> {
    ends: Vec<Ends<O, W>>,
    all: Vec<(Key, Distribution<End<O>, W>)>,
    played: Played,
}

struct Job<'a, 'q, P: Process> {
    question: &'a dyn Countable<Outcome = P::Outcome>,
    /// Number of units at the start.
    units: u8,
    wanted: FactoredRequest<'a, 'q, P::Outcome>,
    factorization: &'a Factorization<P>,
    bound: Bound<'a>,
    manner: Manner,
}

/// The requested answers in order; `None` for one that is too big or whose numbers overflow.
pub type FactoredAnswers<O> = Vec<Option<FactoredAnswer<O>>>;

/// A factorisation that gives answers about outcomes `O`, whatever the process of its factors.
pub trait Factors<O> {
    /// Returns true if [`engine::process::Question::parts`] splits the question, too.
    fn has_parts(&self) -> bool;
    /// Returns the requested answers, each with its outcomes in order, without the courses that are
    /// dropped. Returns `None` instead of all if the processes do not factorise after all.
    ///
    /// The courses are followed once. No answer depends on what else is requested, to the last bit.
    ///
    /// # Errors
    ///
    /// Fails if the run is cancelled.
    fn followed(
        &self,
        question: &dyn Countable<Outcome = O>,
        wanted: &[FactoredRequest<O>],
        bound: Bound,
        manner: Manner,
    ) -> Result<Option<FactoredAnswers<O>>, EngineError>;

    /// Returns the requested answers as [`Factors::followed`] does: along courses, or in joint
    /// states if courses are too many and nothing else gives the outcomes of single units.
    ///
    /// # Errors
    ///
    /// Fails if the run is cancelled.
    fn answers(
        &self,
        question: &dyn Countable<Outcome = O>,
        wanted: &[FactoredRequest<O>],
        bound: Bound,
        dropping: Option<Dropping>,
    ) -> Result<Option<FactoredAnswers<O>>, EngineError> {
        let is_alone = !self.has_parts();
        let most = if is_alone && dropping.is_none() { ALONE } else { usize::MAX };
        let first = Bound { worked: bound.worked.min(most), ..bound };
        let along_courses = Manner { dropping, joint: false };
        let Some(mut all) = self.followed(question, wanted, first, along_courses)? else {
            return Ok(None);
        };
        let open: Vec<usize> = (0..all.len()).filter(|&place| all[place].is_none()).collect();
        if is_alone && !open.is_empty() {
            let wanted: Vec<_> = open.iter().map(|&place| wanted[place]).collect();
            let jointly = Manner { dropping, joint: true };
            let answers = self.followed(question, &wanted, bound, jointly)?;
            open.into_iter().zip(answers.unwrap_or_default()).for_each(|(at, one)| all[at] = one);
        }
        Ok(Some(all))
    }
}

impl<P: Factored> Factors<P::Outcome> for Factorization<P> {
    fn has_parts(&self) -> bool {
        self.has_parts
    }

    fn followed(
        &self,
        question: &dyn Countable<Outcome = P::Outcome>,
        wanted: &[FactoredRequest<P::Outcome>],
        bound: Bound,
        manner: Manner,
    ) -> Result<Option<FactoredAnswers<P::Outcome>>, EngineError> {
        let units = question.facts().units;
        let job = |place: usize| {
            let wanted = wanted[place];
            Job { question, units, wanted, factorization: self, bound, manner }
        };
        // Answers that track earlier reports merge fewer courses, so they are computed separately.
        let (mut marking, others): (Vec<usize>, Vec<usize>) =
            (0..wanted.len()).partition(|&place| job(place).marks());
        if manner.joint {
            marking.clear();
        }
        let mut all: FactoredAnswers<_> = wanted.iter().map(|_| None).collect();
        for places in [others, marking].into_iter().filter(|places| !places.is_empty()) {
            let jobs: Vec<_> = places.iter().map(|&place| job(place)).collect();
            match worked(&jobs) {
                Ok(answers) => {
                    places.into_iter().zip(answers).for_each(|(at, answer)| all[at] = Some(answer))
                }
                Err(TreeError::Engine(error @ EngineError::Interrupted)) => return Err(error),
                // Where courses are too many, those that merge less are too many as well.
                Err(TreeError::Engine(_) | TreeError::Overflow) => break,
                Err(TreeError::NotFactored) => return Ok(None),
            }
        }
        Ok(Some(all))
    }
}

/// Computes the answers in fractions, or in floating point where fractions overflow.
fn worked<P: Factored>(jobs: &[Job<P>]) -> Result<Vec<FactoredAnswer<P::Outcome>>, TreeError> {
    // Joint states are so many that their fractions would outgrow 128 bits.
    let is_float = jobs.iter().any(|job| job.manner != Manner::default());
    let fractions = if is_float { None } else { unless_too_big(played::<P, Fraction>(jobs))? };
    let Some(all) = fractions else {
        let all = played::<P, f64>(jobs)?;
        return jobs.iter().zip(all).map(|(job, all)| job.joined(&all)).collect();
    };
    let answer =
        |(job, all): (&Job<P>, Courses<_, Fraction>)| match unless_too_big(job.joined(&all))? {
            Some(answer) => Ok(answer),
            None => job.joined(&all.in_doubles()),
        };
    jobs.iter().zip(all).map(answer).collect()
}

/// Follows every course of the common part, and collects what each job needs.
fn played<P: Factored, W: Number>(
    jobs: &[Job<P>],
) -> Result<Vec<Courses<P::Outcome, W>>, TreeError> {
    let Some(Job { factorization, bound, manner, .. }) = jobs.first() else {
        return Ok(Vec::new());
    };
    let mark = |process: &P, state: &P::State| jobs.iter().find_map(|job| job.mark(process, state));
    let mut views: Vec<View<P::Outcome, W>> = jobs.iter().map(|_| View::default()).collect();
    let mut visit = |stop: Stop<P, W>| {
        bound.watch.check_cancelled()?;
        jobs.iter().zip(&mut views).try_for_each(|(job, view)| job.see(&stop, view))
    };
    let played = engine::factored::play(factorization, *bound, *manner, mark, &mut visit)?;
    let courses = |view: View<_, W>| Courses {
        ends: view.ends.into_iter().collect(),
        all: view.all.into_iter().collect(),
        played,
    };
    Ok(views.into_iter().map(courses).collect())
}

/// The courses collected so far for one job.
struct View<O, W: Number> {
    ends: IndexSet<Ends<O, W>, FxBuildHasher>,
    /// Index into `ends`, by the factor and distribution number of a group.
    known: FxHashMap<(usize, u32), usize>,
    all: IndexMap<Key, Distribution<End<O>, W>, FxBuildHasher>,
}

impl<O, W: Number> Default for View<O, W> {
    fn default() -> Self {
        View { ends: IndexSet::default(), known: FxHashMap::default(), all: IndexMap::default() }
    }
}

/// Returns `None` if the fractions outgrew 128 bits.
fn unless_too_big<T>(result: Result<T, TreeError>) -> Result<Option<T>, TreeError> {
    match result {
        Err(TreeError::Overflow) => Ok(None),
        result => result.map(Some),
    }
}

/// Returns the arithmetic that computed these probabilities: integers only if all are fractions.
pub fn arithmetic<'a>(figures: impl IntoIterator<Item = &'a Estimate>) -> Arithmetic {
    let of_one = |figure: &Estimate| match figure {
        Estimate::Exact { fraction: Some(_), .. } => Arithmetic::Integer,
        Estimate::Certified { .. } => Arithmetic::Certified,
        _ => Arithmetic::Float,
    };
    figures.into_iter().map(of_one).max().unwrap_or(Arithmetic::Integer)
}

impl<O: Clone + Ord + Hash> Courses<O, Fraction> {
    fn in_doubles(self) -> Courses<O, f64> {
        let end = |(end, Same(weight)): (End<O>, Same<Fraction>)| (end, Same(weight.probability()));
        let common = |(end, weight): (End<O>, Fraction)| (end, weight.probability());
        let course = |(key, ends): (Key, Distribution<_, Fraction>)| {
            (key, ends.into_iter().map(common).collect())
        };
        Courses {
            ends: self.ends.into_iter().map(|ends| ends.into_iter().map(end).collect()).collect(),
            all: self.all.into_iter().map(course).collect(),
            played: self.played,
        }
    }
}

impl<P: Factored> Job<'_, '_, P> {
    fn see<W: Number>(
        &self,
        stop: &Stop<P, W>,
        view: &mut View<P::Outcome, W>,
    ) -> Result<(), TreeError> {
        let mut groups = Vec::with_capacity(stop.groups.len());
        for group in stop.groups {
            let number = match view.known.get(&(group.factor, group.spread)) {
                Some(number) => *number,
                None => {
                    let new = view.ends.insert_full(self.ends(stop, group)?).0;
                    *view.known.entry((group.factor, group.spread)).or_insert(new)
                }
            };
            groups.push((group.slots.to_vec(), number));
        }
        let key = Key { point: stop.point, lots: stop.lots.to_vec(), groups };
        let past = Past { fates: Lotteries::new(), trail: stop.trail.clone() };
        let common = self.factorization.common.as_ref().zip(stop.common);
        let common = common.map(|(process, state)| self.end(process, state, &past));
        let common = common.unwrap_or_else(|| End::from_past(&past));
        add(view.all.entry(key).or_default(), common, stop.chance).ok_or(TreeError::Overflow)
    }

    fn ends<W: Number>(
        &self,
        stop: &Stop<P, W>,
        group: &AlikeUnits,
    ) -> Result<Ends<P::Outcome, W>, TreeError> {
        let process = &self.factorization.factors[group.factor].process;
        let mut ends: Distribution<End<P::Outcome>, W> = Distribution::default();
        for (past, state, weight) in stop.spread(group) {
            let end = self.end(process, state, past);
            add(&mut ends, end, weight).ok_or(TreeError::Overflow)?;
        }
        let mut ends: Ends<_, W> =
            ends.into_iter().map(|(end, weight)| (end, Same(weight))).collect();
        sort_by(&mut ends, |(one, _), (other, _)| one.cmp(other));
        Ok(ends)
    }

    fn end(&self, process: &P, state: &P::State, past: &Past) -> End<P::Outcome> {
        let mut end = End::from_past(past);
        let units = self.units;
        let mut born = Vec::new();
        process.report(state, &mut |outcome| match self.wanted {
            FactoredRequest::Counts(counter) => counter.add_to(&outcome, &mut end.tally),
            FactoredRequest::Created if self.question.slot(&outcome) > Some(units) => {
                born.push(outcome)
            }
            FactoredRequest::Rows if self.question.slot(&outcome) <= Some(units) => {
                end.own.push(outcome)
            }
            _ => {}
        });
        if !born.is_empty() {
            end.born = process.spawned(state).into_iter().zip(born).collect();
        }
        end
    }

    /// Returns true if the answer depends on earlier reports: awaited units may hold for a while.
    fn marks(&self) -> bool {
        let FactoredRequest::Counts(counter) = self.wanted else { return false };
        counter.awaited > 0 && !self.factorization.is_lasting
    }

    /// Returns the number of awaited units that hold at a report, or `None` if it does not matter.
    fn mark(&self, process: &P, state: &P::State) -> Option<u8> {
        self.marks().then(|| self.end(process, state, &Past::default()).tally.held)
    }

    /// Returns the outcomes with their probability spread evenly over the slots of each factor.
    fn evenly<W: Number>(
        &self,
        noted: Distribution<(ReportIndex, P::Outcome), W>,
    ) -> Option<Distribution<(ReportIndex, P::Outcome), W>> {
        let mut even = Distribution::default();
        for ((point, outcome), weight) in noted {
            let own = self.question.slot(&outcome);
            let own = own.map_or(&[][..], |own| {
                let mut factors = self.factorization.factors.iter().map(|factor| &factor.slots[..]);
                factors.find(|slots| slots.contains(&own)).unwrap_or_default()
            });
            if own.is_empty() {
                add(&mut even, (point, outcome), weight)?;
                continue;
            }
            let share = weight.times(W::ratio(1, own.len() as u128)?)?;
            for &slot in own {
                add(&mut even, (point, self.question.in_slot(outcome.clone(), slot)), share)?;
            }
        }
        Some(even)
    }

    fn joined<W: Number>(
        &self,
        all: &Courses<P::Outcome, W>,
    ) -> Result<FactoredAnswer<P::Outcome>, TreeError> {
        let mut noted: Distribution<(ReportIndex, P::Outcome), W> = Distribution::default();
        let mut tallies: Distribution<(ReportIndex, ClassCounts), W> = Distribution::default();
        let mut sums = Sums::new(&all.ends, |_| (), |_, _| ());
        let mut held = Sums::new(&all.ends, held, held_by_all);
        let mut odds = LotsOdds::default();
        for (key, common) in &all.all {
            self.bound.watch.check_cancelled()?;
            let course = Joined { key, ends: &all.ends, common };
            let odds = &mut odds;
            let mut note = |outcome, weight| add(&mut noted, (key.point, outcome), weight);
            let estimates = match self.wanted {
                FactoredRequest::Rows => {
                    course.rows(&mut sums, odds, |outcome, slot, weight| match slot {
                        Some(slot) => note(self.question.in_slot(outcome.clone(), slot), weight),
                        None => note(outcome.clone(), weight),
                    })
                }
                FactoredRequest::Created => {
                    let first = self.units + 1;
                    course.created(odds, |outcome, place, weight| {
                        note(self.question.in_slot(outcome.clone(), first + place), weight)
                    })
                }
                FactoredRequest::Counts(counter) => {
                    course.tallies(&mut held, odds, |tally, weight| {
                        add(&mut tallies, (key.point, counter.closed(tally)), weight)
                    })
                }
            };
            estimates.ok_or(TreeError::Overflow)?;
        }
        if all.played.is_joint {
            noted = self.evenly(noted).ok_or(TreeError::Overflow)?;
        }
        let figure = |weight: W| match self.manner.dropping {
            None => {
                let (probability, fraction) = (weight.probability(), weight.fraction());
                Estimate::Exact { probability, fraction }
            }
            Some(_) => Estimate::Certified {
                low: weight.probability() * (1.0 - ROUNDING),
                missing: all.played.dropped * (1.0 + ROUNDING) + 2.0 * ROUNDING,
            },
        };
        let tally = |((point, tally), weight)| (point, tally, figure(weight));
        Ok(FactoredAnswer {
            noted: noted.into_iter().map(|(noted, weight)| (noted, figure(weight))).collect(),
            tallies: tallies.into_iter().map(tally).collect(),
            states: all.played.states,
        })
    }
}
