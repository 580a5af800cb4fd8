//! Answers to one question: exact if the question is small enough, else by Monte Carlo.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use super::answerable::{Answerable, OutcomeOf};
use super::counting::{ClassCounts, CountedReport as Counted, Keeps, OutcomeCounter, Tallied};
use super::counts::UnitCounts;
use super::estimate::{Estimate, MOST_DROPPED, OutcomeEstimate, largest_error_bound};
use super::factored::{self, COURSES, FactoredRequest, Factors, dropping};
use super::mean::Sum;
use super::meta::Meta;
use super::options::{Engine, Options, Trials};
use super::sampling::{Estimates, RunWork, estimates, unseen};
use super::table::{Expected, Row, Shape, Table};
use engine::EngineError;
use engine::exact::{self, Arithmetic, Bound, certified_odds, odds};
use engine::monitor::Monitor;
use engine::order::sort_by;
use engine::process::{Label, Process, ReportIndex};

/// All outcomes of a process, and the metadata of how their probabilities were computed.
pub type Figures<P> = (Vec<OutcomeEstimate<<P as Process>::Outcome>>, Meta);

/// Returns the probability of every outcome of one process, in order, and `meta` completed.
///
/// # Errors
///
/// Fails if the requested engine gives up or is cancelled.
pub fn figures<P: Process>(
    process: &P,
    options: &Options,
    meta: Meta,
) -> Result<Figures<P>, EngineError> {
    let exact = exactly(options.engine, || {
        let mut meta = meta.clone().exact();
        let bound = Bound::STANDARD.watched(options.watch);
        Ok((certain_figures(process, bound, allowed(options.engine), &mut meta)?, meta))
    })?;
    let reason = match exact {
        Ok(figures) => return Ok(figures),
        Err(reason) => reason,
    };
    let Estimates { noted, meta, all_known } =
        estimates(process, options, RunWork { roll: 1, report: 1 }, meta, reason)?;
    let counts =
        noted.iter().map(|((point, _), figure)| (*point, figure.counted().unwrap_or_default().0));
    let unseen = (!all_known).then(|| unseen(meta.trials.unwrap_or_default(), counts));
    Ok((noted, meta.with_unseen(unseen)))
}

/// Answers a question and completes `meta`.
///
/// # Errors
///
/// Fails if the requested engine gives up or is cancelled.
pub fn answer<Q: Answerable>(
    question: &Q,
    options: &Options,
    meta: Meta,
) -> Result<Table, EngineError> {
    let counter = options.counts.and_then(|counting| OutcomeCounter::new(question, counting));
    let mut job = Job { question, options, counter: counter.as_ref(), counts: None };
    let table = match exactly(options.engine, || job.exact(&meta))? {
        Ok(table) => table,
        Err(reason) => {
            job.monte_carlo(&Tallied::plain(question.whole()), Keeps::All, meta, reason)?
        }
    };
    let counts = job.counts;
    let meta = Meta {
        counts: counts.as_ref().map(|counts| counts.footing.clone()),
        error_bound: largest_error_bound(table.rows.iter().map(|row| &row.figure)),
        ..table.meta
    };
    Ok(Table { counts, meta, ..table })
}

/// Returns the exact answer, or why Monte Carlo must replace it; `None` if that was requested.
///
/// # Errors
///
/// Fails if the run is cancelled, or if the exact engine is requested and gives up.
pub fn exactly<T>(
    engine: Engine,
    answer: impl FnOnce() -> Result<T, EngineError>,
) -> Result<Result<T, Option<String>>, EngineError> {
    if engine == Engine::MonteCarlo {
        return Ok(Err(None));
    }
    match answer() {
        Err(too_big) if is_too_big(&too_big) && engine == Engine::Auto => {
            Ok(Err(Some(too_big_to_be_exact(&too_big))))
        }
        answer => answer.map(Ok),
    }
}

/// Returns true if the error says that a process is too big for the exact engine.
pub fn is_too_big(error: &EngineError) -> bool {
    use EngineError::{TooManyOutcomes, TooManyStates, TooMuchWork};
    matches!(error, TooManyStates { .. } | TooMuchWork { .. } | TooManyOutcomes { .. })
}

fn too_big_to_be_exact(error: &EngineError) -> String {
    format!("too big to be exact: {error}")
}

/// Bound for counts and created units, the only results that need the whole process.
const REST: Bound = Bound { alive: 1 << 14, worked: 1 << 17, ..Bound::STANDARD };

/// Bound of the states that are worked for certified odds: half a second.
const CERTIFIED: Bound = Bound { alive: 1 << 16, worked: 1 << 18, ..Bound::STANDARD };

struct Job<'q, Q: Answerable> {
    question: &'q Q,
    options: &'q Options<'q>,
    counter: Option<&'q OutcomeCounter<'q, OutcomeOf<Q>>>,
    counts: Option<UnitCounts>,
}

type Noted<Q> = Vec<OutcomeEstimate<OutcomeOf<Q>>>;

/// What an answer needs beside the odds of the initial units.
struct Rest {
    /// True if the created units are known.
    created: bool,
    /// The first reason why counts or created units are too big.
    too_big: Option<EngineError>,
}

impl Rest {
    fn refuse(&mut self, too_big: EngineError) {
        self.too_big.get_or_insert(too_big);
    }
}

impl<'q, Q: Answerable> Job<'q, Q> {
    fn bound_of_whole(&self) -> Bound<'q> {
        let bound = if self.options.engine == Engine::Exact { Bound::STANDARD } else { REST };
        bound.watched(self.options.watch)
    }

    /// Returns the chance of all that may be dropped; `None` with expected values of amounts that
    /// have no bound.
    fn allowed(&self) -> Option<f64> {
        let words = self.question.words();
        let is_bounded = words.amounts_between().is_some() || words.quantities().is_empty();
        allowed(self.options.engine).filter(|_| is_bounded)
    }

    /// Answers exactly. What is too big for that is certified, and only then played by dice.
    fn exact(&mut self, meta: &Meta) -> Result<Table, EngineError> {
        let factors = self.question.factors();
        let factors = factors.as_deref();
        let of_units = factors.filter(|known| !known.has_parts());
        let units = |job: &mut Self, allowed| job.units(of_units, allowed, meta);
        // Without factors each part is certified as soon as it is too big.
        let first = self.allowed().filter(|_| of_units.is_none());
        let (mut noted, mut meta) = match (units(self, first), self.allowed()) {
            (Err(too_big), Some(allowed)) if of_units.is_some() && is_too_big(&too_big) => {
                // The reason for dice is that of the exact engine.
                units(self, Some(allowed)).map_err(|error| match is_too_big(&error) {
                    true => too_big,
                    false => error,
                })?
            }
            (units, _) => units?,
        };
        let parts = self.question.parts();
        let mut rest = Rest { created: parts.is_whole() || parts.rest.is_none(), too_big: None };
        let rounds = std::iter::once(None).chain(self.allowed().map(Some));
        for allowed in rounds {
            self.created_and_counts(factors, allowed, &mut rest, &mut noted, &mut meta)?;
        }
        let Rest { created, too_big } = rest;
        match (too_big, self.options.engine) {
            (Some(too_big), Engine::Auto) if !created => self.created_by_dice(noted, meta, too_big),
            (Some(too_big), _) if !created => Err(too_big),
            (too_big, _) => {
                self.count_if_too_big(too_big)?;
                table_in_order(self.question, noted, self.options, meta)
            }
        }
    }

    /// Returns the odds of the initial units: from the factorisation, or from single passes. With
    /// `allowed` they are certified where they are not exact.
    fn units(
        &mut self,
        factors: Option<&dyn Factors<OutcomeOf<Q>>>,
        allowed: Option<f64>,
        meta: &Meta,
    ) -> Result<(Noted<Q>, Meta), EngineError> {
        let mut meta = meta.clone().exact();
        if let Some(factors) = factors {
            let every = [FactoredRequest::Rows, FactoredRequest::Created];
            if let Some(noted) = self.factored(factors, &every, allowed, &mut meta)? {
                return Ok((noted, meta));
            }
            // One pass needs far more states than the factorisation.
            if allowed.is_some() {
                return Err(EngineError::TooMuchWork { bound: COURSES.worked });
            }
        }
        let bound = Bound::STANDARD.watched(self.options.watch);
        let parts = self.question.parts();
        if parts.is_whole()
            && let Some(whole) = parts.rest
        {
            // One pass gives the counts too, if they need no states of their own.
            let is_open = self.counts.is_none();
            let counter = self.counter.filter(|counter| is_open && counter.awaited == 0);
            let process = Tallied::counted_by(whole, counter);
            let mut of_whole = Meta::default().exact();
            let figures = certain_figures(&process, bound, allowed, &mut of_whole)?;
            let (noted, tallies) = split_tallies(figures);
            meta.add_part(&of_whole);
            if let Some(counter) = counter {
                self.counts = Some(UnitCounts::new(counter, tallies, &of_whole));
            }
            return Ok((noted, meta));
        }
        let mut noted = Vec::new();
        for part in parts.processes {
            let figures = certain_figures(&Tallied::plain(part), bound, allowed, &mut meta)?;
            noted.extend(split_tallies(figures).0);
        }
        Ok((noted, meta))
    }

    /// Computes the created units and the counts, as far as they are open; certified with
    /// `allowed`.
    fn created_and_counts(
        &mut self,
        factors: Option<&dyn Factors<OutcomeOf<Q>>>,
        allowed: Option<f64>,
        rest: &mut Rest,
        noted: &mut Noted<Q>,
        meta: &mut Meta,
    ) -> Result<(), EngineError> {
        let is_counted = |job: &Self| job.counter.is_none() || job.counts.is_some();
        // Without parts the factorisation has been tried together with the units.
        let is_untried = |known: &&dyn Factors<_>| known.has_parts() || allowed.is_some();
        if let Some(factors) = factors.filter(is_untried)
            && !(rest.created && is_counted(self))
        {
            let open: &[FactoredRequest<_>] =
                if rest.created { &[] } else { &[FactoredRequest::Created] };
            if let Some(created) = self.factored(factors, open, allowed, meta)? {
                rest.created = true;
                noted.extend(created);
            }
        }
        if allowed.is_some() && factors.is_some() {
            return Ok(());
        }
        let bound = self.bound_of_whole();
        if let Some(counter) = self.counter.filter(|_| self.counts.is_none()) {
            let process = Tallied::new(self.question.compact(), counter, Keeps::None);
            let mut meta = Meta::default().exact();
            match figures_within(&process, bound, allowed, &mut meta) {
                Err(too_big) if is_too_big(&too_big) => rest.refuse(too_big),
                tallies => {
                    let (_, tallies) = split_tallies(tallies?);
                    self.counts = Some(UnitCounts::new(counter, tallies, &meta));
                }
            }
        }
        if let Some(created) = self.question.parts().rest.filter(|_| !rest.created) {
            match figures_within(&Tallied::plain(created), bound, allowed, meta) {
                Err(too_big) if is_too_big(&too_big) => rest.refuse(too_big),
                created => {
                    rest.created = true;
                    noted.extend(split_tallies(created?).0);
                }
            }
        }
        Ok(())
    }

    /// Estimates the created units, and the counts with them if they are open.
    fn created_by_dice(
        &mut self,
        noted: Noted<Q>,
        meta: Meta,
        too_big: EngineError,
    ) -> Result<Table, EngineError> {
        let Some(rest) = self.question.parts().rest else { return Err(too_big) };
        let reason = "all units of the stack exactly; units created on the way would need too many \
            states";
        let above = Keeps::Above(self.question.words().facts().units);
        let by_dice = self.counts.is_none();
        let rest = Tallied::plain(rest);
        let Table { rows: created, meta: of_rest, .. } =
            self.monte_carlo(&rest, above, meta.clone(), Some(reason.to_string()))?;
        if let Some(counts) = self.counts.as_mut().filter(|_| by_dice) {
            counts.footing.reason = Some(too_big_to_be_exact(&too_big));
        }
        let meta = Meta { engine: "exact+monte-carlo", arithmetic: meta.arithmetic, ..of_rest };
        let mut table = table_in_order(self.question, noted, self.options, meta)?;
        table.rows.extend(created);
        // Rows of one report keep their order.
        let place = |row: &Row| (row.label.step, row.label.phase);
        sort_by(&mut table.rows, |a, b| place(a).cmp(&place(b)));
        Ok(table)
    }

    /// Estimates the counts if they are too big to be exact or certified.
    fn count_if_too_big(&mut self, too_big: Option<EngineError>) -> Result<(), EngineError> {
        let Some(too_big) = too_big.filter(|_| self.counts.is_none()) else { return Ok(()) };
        match self.options.engine {
            Engine::Auto => self.count_by_dice(Some(too_big_to_be_exact(&too_big))),
            // Beside exact rows, counts that were not requested are omitted if they are not exact.
            _ if self.options.counts.is_some_and(|counts| counts.is_requested) => Err(too_big),
            _ => Ok(()),
        }
    }

    /// Returns the `wanted` odds from the factorisation, and sets the counts; `None` if it cannot
    /// provide the odds.
    fn factored(
        &mut self,
        factors: &dyn Factors<OutcomeOf<Q>>,
        wanted: &[FactoredRequest<OutcomeOf<Q>>],
        allowed: Option<f64>,
        meta: &mut Meta,
    ) -> Result<Option<Noted<Q>>, EngineError> {
        let bound = COURSES.watched(self.options.watch);
        let counter = self.counter.filter(|_| self.counts.is_none());
        let counts = counter.map(FactoredRequest::Counts);
        let wanted: Vec<_> = wanted.iter().copied().chain(counts).collect();
        let dropping = allowed.map(dropping);
        let answers = factors.answers(self.question, &wanted, bound, dropping)?;
        let Some(mut answers) = answers else { return Ok(None) };
        let counted = counter.and_then(|counter| Some((counter, answers.pop()??)));
        if let Some((counter, answer)) = counted {
            let mut meta = Meta::default().exact();
            meta.worked(answer.states);
            let tallies = answer.tallies.iter().map(|(.., figure)| figure);
            meta.computed_in(factored::arithmetic(tallies));
            self.counts = Some(UnitCounts::new(counter, answer.tallies, &meta));
        }
        let Some(answers) = answers.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        if let Some(answer) = answers.first() {
            meta.worked(answer.states);
        }
        let mut noted = Vec::new();
        for answer in answers {
            meta.computed_in(factored::arithmetic(answer.noted.iter().map(|(_, figure)| figure)));
            noted.extend(answer.noted);
        }
        Ok(Some(noted))
    }

    /// Estimates the counts by a run of their own. `reason` says why they are not exact.
    fn count_by_dice(&mut self, reason: Option<String>) -> Result<(), EngineError> {
        let Some(counter) = self.counter else { return Ok(()) };
        let process = Tallied::new(self.question.whole(), counter, Keeps::None);
        let work = self.question.words().facts().run_work();
        let estimates = estimates(&process, self.options, work, Meta::default(), reason)?;
        self.counts =
            Some(UnitCounts::new(counter, split_tallies(estimates.noted).1, &estimates.meta));
        Ok(())
    }

    /// Estimates the rows of `process` by Monte Carlo, and the counts if there is a counter. If one
    /// run gives both, it plays the whole question, and `keeps` selects the outcomes for the rows.
    fn monte_carlo(
        &mut self,
        process: &Tallied<Q::Process>,
        keeps: Keeps,
        meta: Meta,
        reason: Option<String>,
    ) -> Result<Table, EngineError> {
        let (question, options) = (self.question, self.options);
        // A half-width sets the trials, and rows must be equal whether units are counted or not.
        let at_once = !matches!(options.trials, Trials::HalfWidth(_)) && self.counts.is_none();
        let counter = self.counter.filter(|_| at_once);
        let counted = counter.map(|counter| Tallied::new(question.whole(), counter, keeps));
        let facts = question.words().facts();
        let played = counted.as_ref().unwrap_or(process);
        let estimates = estimates(played, options, facts.run_work(), meta, reason.clone())?;
        let Estimates { noted, meta, all_known } = estimates;
        let (noted, tallies) = split_tallies(noted);
        match counter {
            Some(counter) => self.counts = Some(UnitCounts::new(counter, tallies, &meta)),
            None if self.counts.is_none() => self.count_by_dice(reason)?,
            None => {}
        }
        let answer = table_of_odds(question, noted, options, meta)?;
        let count = |Row { label, figure, .. }: &Row| {
            ((label.slot, label.step, label.phase), figure.counted().unwrap_or_default().0)
        };
        let unseen = (!all_known)
            .then(|| unseen(answer.meta.trials.unwrap_or_default(), answer.rows.iter().map(count)));
        Ok(Table { meta: answer.meta.with_unseen(unseen), ..answer })
    }
}

type Odds = (ReportIndex, ClassCounts, Estimate);

fn split_tallies<O>(
    noted: Vec<OutcomeEstimate<Counted<O>>>,
) -> (Vec<OutcomeEstimate<O>>, Vec<Odds>) {
    let (mut own, mut tallies) = (Vec::with_capacity(noted.len()), Vec::new());
    for ((point, noted), figure) in noted {
        match noted {
            Counted::Own(outcome) => own.push(((point, outcome), figure)),
            Counted::Tally(tally) => tallies.push((point, tally, figure)),
        }
    }
    (own, tallies)
}

/// Returns the counts of a process at its last report, by the requested engine.
///
/// # Errors
///
/// Fails if the exact engine is requested and the process is too big, or if the run is cancelled.
pub fn counts<P: Process>(
    counter: &OutcomeCounter<P::Outcome>,
    process: P,
    options: &Options,
) -> Result<UnitCounts, EngineError> {
    let process = Tallied::new(process, counter, Keeps::None);
    let (noted, meta) = figures(&process, options, Meta::default())?;
    let (_, mut tallies) = split_tallies(noted);
    let last = tallies.iter().map(|(point, ..)| *point).max();
    tallies.retain(|(point, ..)| Some(*point) == last);
    Ok(UnitCounts::new(counter, tallies, &meta))
}

fn table_of_odds<Q: Answerable>(
    question: &Q,
    noted: Vec<OutcomeEstimate<OutcomeOf<Q>>>,
    options: &Options,
    meta: Meta,
) -> Result<Table, EngineError> {
    let expected = expected(question, &noted, options.watch)?;
    Ok(Table {
        shape: Shape::from_question(question.words()),
        expected,
        rows: rows(question, noted, options.watch)?,
        counts: None,
        meta,
    })
}

fn table_in_order<Q: Answerable>(
    question: &Q,
    mut noted: Vec<OutcomeEstimate<OutcomeOf<Q>>>,
    options: &Options,
    meta: Meta,
) -> Result<Table, EngineError> {
    sort_by(&mut noted, |(a, _), (b, _)| a.cmp(b));
    table_of_odds(question, noted, options, meta)
}

/// Returns the expected value of every quantity; none under stratified sampling (no known error).
fn expected<Q: Answerable>(
    question: &Q,
    noted: &[OutcomeEstimate<OutcomeOf<Q>>],
    watch: Monitor,
) -> Result<Vec<Expected>, EngineError> {
    let words = question.words();
    let quantities = words.quantities();
    let range = words.amounts_between().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let mut sums: Vec<Sum> = quantities.iter().map(|_| Sum::default()).collect();
    for ((point, outcome), figure) in noted {
        watch.check_cancelled()?;
        question
            .amounts(*point, outcome, &mut |quantity, amount| sums[quantity].add(figure, amount));
    }
    let whole = quantities.into_iter().zip(sums);
    Ok(whole
        .filter_map(|(quantity, sum)| Some(Expected { quantity, mean: sum.mean(range)? }))
        .collect())
}

fn rows<Q: Answerable>(
    question: &Q,
    noted: Vec<OutcomeEstimate<OutcomeOf<Q>>>,
    watch: Monitor,
) -> Result<Vec<Row>, EngineError> {
    let mut rows: IndexMap<Label, Estimate, FxBuildHasher> =
        IndexMap::with_capacity_and_hasher(noted.len(), FxBuildHasher);
    let is_joint = question.words().facts().is_joint;
    for ((point, outcome), figure) in noted {
        watch.check_cancelled()?;
        let label = question.label(point, &outcome);
        // A joint answer has rows for outcomes of all units, not for the place that they are in.
        if is_joint && label.outcome.is_none() {
            continue;
        }
        match rows.entry(label) {
            Entry::Occupied(mut known) => *known.get_mut() = known.get().or(figure),
            Entry::Vacant(new) => drop(new.insert(figure)),
        }
    }
    Ok(rows.into_iter().map(|(label, figure)| Row { case: 1, label, figure }).collect())
}

/// Returns the chance of all that may be dropped from an answer; `None` if it is to be exact.
fn allowed(engine: Engine) -> Option<f64> {
    (engine == Engine::Auto).then_some(MOST_DROPPED)
}

/// Returns the exact probability of every outcome of one process; beyond `bound` the certified one
/// if states of a chance of `allowed` may be dropped.
pub fn certain_figures<P: Process>(
    process: &P,
    bound: Bound,
    allowed: Option<f64>,
    meta: &mut Meta,
) -> Result<Vec<OutcomeEstimate<P::Outcome>>, EngineError> {
    match (exact_figures(process, bound, meta), allowed) {
        (Err(too_big), Some(_)) if is_too_big(&too_big) => {
            let certified = figures_within(process, bound, allowed, meta);
            certified.map_err(|error| if is_too_big(&error) { too_big } else { error })
        }
        (figures, _) => figures,
    }
}

/// Returns the exact probability of every outcome of one process, or the certified one with
/// `allowed`.
pub fn figures_within<P: Process>(
    process: &P,
    bound: Bound,
    allowed: Option<f64>,
    meta: &mut Meta,
) -> Result<Vec<OutcomeEstimate<P::Outcome>>, EngineError> {
    let Some(allowed) = allowed else { return exact_figures(process, bound, meta) };
    let bound = Bound { watch: bound.watch, ..CERTIFIED };
    Ok(figures_of_odds(certified_odds(process, bound, allowed)?, meta))
}

/// Returns the exact probability of every outcome of one process.
pub fn exact_figures<P: Process>(
    process: &P,
    bound: Bound,
    meta: &mut Meta,
) -> Result<Vec<OutcomeEstimate<P::Outcome>>, EngineError> {
    Ok(figures_of_odds(odds(process, bound)?, meta))
}

/// Returns the probability of every outcome that the exact engine has found.
pub fn figures_of_odds<O>(odds: exact::Odds<O>, meta: &mut Meta) -> Vec<OutcomeEstimate<O>> {
    meta.worked(odds.states);
    if !odds.chances.is_empty() {
        meta.computed_in(odds.arithmetic);
    }
    let noted = odds.chances.into_iter().map(|chance| {
        let (probability, missing) = (chance.probability, chance.missing);
        let figure = match odds.arithmetic {
            Arithmetic::Certified => Estimate::Certified { low: probability, missing },
            _ => Estimate::Exact { probability, fraction: chance.fraction },
        };
        ((chance.point, chance.outcome), figure)
    });
    noted.collect()
}
