//! Answers to one question: exact if the question is small enough, else by Monte Carlo.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use super::answerable::{Answerable, OutcomeOf};
use super::counting::{ClassCounts, CountedReport as Counted, Keeps, OutcomeCounter, Tallied};
use super::counts::UnitCounts;
use super::estimate::{Estimate, MOST_DROPPED, OutcomeEstimate, largest_error_bound};
use super::factored::{self, COURSES, FactoredRequest, dropping};
use super::mean::Sum;
use super::meta::Meta;
use super::options::{Engine, Options, Trials};
use super::sampling::{Estimates, estimates, unseen};
use super::table::{Expected, Row, Shape, Table};
use engine::EngineError;
use engine::exact::{self, Arithmetic, Bound, certified_odds, odds};
use engine::monitor::Monitor;
use engine::process::{Factorization, Label, Process, ReportIndex};

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
    let Estimates { noted, meta, all_known } = estimates(process, options, 1, meta, reason)?;
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

impl<'q, Q: Answerable> Job<'q, Q> {
    fn bound_of_whole(&self) -> Bound<'q> {
        let bound = if self.options.engine == Engine::Exact { Bound::STANDARD } else { REST };
        bound.watched(self.options.watch)
    }

    /// Returns the chance of all that may be dropped; `None` with expected values, whose amounts
    /// have no bound.
    fn allowed(&self) -> Option<f64> {
        allowed(self.options.engine).filter(|_| self.question.words().quantities().is_empty())
    }

    fn exact(&mut self, meta: &Meta) -> Result<Table, EngineError> {
        let (question, options) = (self.question, self.options);
        let (mut meta, mut noted) = (meta.clone().exact(), Vec::new());
        let factorization = question.factorization();
        let every = [FactoredRequest::Rows, FactoredRequest::Created];
        if let Some(factorization) = &factorization
            && !factorization.has_parts
            && self.answer_factored(factorization, &every, &mut noted, &mut meta)?
        {
            self.count_otherwise()?;
            return table_in_order(question, noted, options, meta);
        }
        let parts = question.parts();
        for part in parts.processes {
            let part = Tallied::plain(part);
            let bound = Bound::STANDARD.watched(options.watch);
            let figures = certain_figures(&part, bound, self.allowed(), &mut meta)?;
            noted.extend(parted(figures).0);
        }
        let further: &[FactoredRequest<OutcomeOf<Q>>] =
            if parts.rest.is_some() { &[FactoredRequest::Created] } else { &[] };
        if let Some(factorization) = &factorization
            && factorization.has_parts
            && self.answer_factored(factorization, further, &mut noted, &mut meta)?
        {
            self.count_otherwise()?;
            return table_in_order(question, noted, options, meta);
        }
        // What is too big for the factorisation is by far too big for one pass.
        let allowed = self.allowed().filter(|_| factorization.is_none());
        let counted = self.count_exactly(allowed)?;
        if let Some(rest) = parts.rest {
            let rest = Tallied::plain(rest);
            match certain_figures(&rest, self.bound_of_whole(), allowed, &mut meta) {
                Err(too_big) if is_too_big(&too_big) && options.engine == Engine::Auto => {
                    let reason = "all units of the stack exactly; units created on the way would \
                        need too many states";
                    let of_created = meta.clone();
                    let reason = Some(reason.to_string());
                    let above = Keeps::Above(question.words().facts().units);
                    let Table { rows: created, meta: of_rest, .. } =
                        self.monte_carlo(&rest, above, of_created, reason)?;
                    if let (Err(too_big), Some(counts)) = (counted, &mut self.counts) {
                        counts.footing.reason = Some(too_big_to_be_exact(&too_big));
                    }
                    meta = Meta {
                        engine: "exact+monte-carlo",
                        arithmetic: meta.arithmetic,
                        ..of_rest
                    };
                    let mut table = table_in_order(question, noted, options, meta)?;
                    table.rows.extend(created);
                    // Rows of one report keep their order.
                    table.rows.sort_by_key(|row| (row.label.step, row.label.phase));
                    return Ok(table);
                }
                figures => noted.extend(parted(figures?).0),
            }
        }
        self.count_if_too_big(counted)?;
        table_in_order(question, noted, options, meta)
    }

    /// Computes the counts by one pass, or estimates them, if the factorisation has not.
    fn count_otherwise(&mut self) -> Result<(), EngineError> {
        if self.counts.is_some() {
            return Ok(());
        }
        let counted = self.count_exactly(None)?;
        self.count_if_too_big(counted)
    }

    /// Estimates the counts if they are too big to be exact.
    fn count_if_too_big(&mut self, counted: Result<(), EngineError>) -> Result<(), EngineError> {
        match (counted, self.options.engine) {
            (Err(too_big), Engine::Auto) => self.count_by_dice(Some(too_big_to_be_exact(&too_big))),
            // Beside exact rows, counts that were not requested are omitted if they are not exact.
            (Err(too_big), _) if self.options.counts.is_some_and(|counts| counts.is_requested) => {
                Err(too_big)
            }
            _ => Ok(()),
        }
    }

    /// Computes counts and the `further` answers by factorisation; false if it cannot provide them.
    fn answer_factored(
        &mut self,
        factorization: &Factorization<Q::Factor>,
        further: &[FactoredRequest<OutcomeOf<Q>>],
        noted: &mut Vec<OutcomeEstimate<OutcomeOf<Q>>>,
        meta: &mut Meta,
    ) -> Result<bool, EngineError> {
        let bound = COURSES.watched(self.options.watch);
        let counts = self.counter.map(FactoredRequest::Counts);
        let wanted: Vec<FactoredRequest<OutcomeOf<Q>>> =
            further.iter().copied().chain(counts).collect();
        let dropping = self.allowed().map(dropping);
        let answers =
            factored::answer_factored(self.question, &wanted, factorization, bound, dropping)?;
        let Some(mut answers) = answers else { return Ok(false) };
        let counted = self.counter.zip(answers.pop_if(|_| self.counter.is_some()).flatten());
        let Some(answers) = answers.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        if let Some(answer) = answers.first() {
            meta.worked(answer.states);
        }
        for answer in answers {
            meta.computed_in(factored::arithmetic(answer.noted.iter().map(|(_, figure)| figure)));
            noted.extend(answer.noted);
        }
        self.counts = counted.map(|(counter, answer)| {
            let mut meta = Meta::default().exact();
            meta.worked(answer.states);
            let tallies = answer.tallies.iter().map(|(.., figure)| figure);
            meta.computed_in(factored::arithmetic(tallies));
            UnitCounts::new(counter, answer.tallies, &meta)
        });
        Ok(true)
    }

    /// Computes the exact counts. The inner error says that they are too big.
    fn count_exactly(
        &mut self,
        allowed: Option<f64>,
    ) -> Result<Result<(), EngineError>, EngineError> {
        let Some(counter) = self.counter else { return Ok(Ok(())) };
        let process = Tallied::new(self.question.whole(), counter, Keeps::None);
        let mut meta = Meta::default().exact();
        match certain_figures(&process, self.bound_of_whole(), allowed, &mut meta) {
            Err(too_big) if is_too_big(&too_big) => Ok(Err(too_big)),
            figures => {
                self.counts = Some(UnitCounts::new(counter, parted(figures?).1, &meta));
                Ok(Ok(()))
            }
        }
    }

    /// Estimates the counts by a run of their own. `reason` says why they are not exact.
    fn count_by_dice(&mut self, reason: Option<String>) -> Result<(), EngineError> {
        let Some(counter) = self.counter else { return Ok(()) };
        let process = Tallied::new(self.question.whole(), counter, Keeps::None);
        let units = self.question.words().facts().units;
        let estimates = estimates(&process, self.options, units, Meta::default(), reason)?;
        self.counts = Some(UnitCounts::new(counter, parted(estimates.noted).1, &estimates.meta));
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
        let units = question.words().facts().units;
        let played = counted.as_ref().unwrap_or(process);
        let estimates = estimates(played, options, units, meta, reason.clone())?;
        let Estimates { noted, meta, all_known } = estimates;
        let (noted, tallies) = parted(noted);
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

fn parted<O>(noted: Vec<OutcomeEstimate<Counted<O>>>) -> (Vec<OutcomeEstimate<O>>, Vec<Odds>) {
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
    let (_, mut tallies) = parted(noted);
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
    noted.sort_by(|(a, _), (b, _)| a.cmp(b));
    table_of_odds(question, noted, options, meta)
}

/// Returns the expected value of every quantity; none under stratified sampling (no known error).
fn expected<Q: Answerable>(
    question: &Q,
    noted: &[OutcomeEstimate<OutcomeOf<Q>>],
    watch: Monitor,
) -> Result<Vec<Expected>, EngineError> {
    let quantities = question.words().quantities();
    let mut sums: Vec<Sum> = quantities.iter().map(|_| Sum::default()).collect();
    for ((point, outcome), figure) in noted {
        watch.check_cancelled()?;
        question
            .amounts(*point, outcome, &mut |quantity, amount| sums[quantity].add(figure, amount));
    }
    let whole = quantities.into_iter().zip(sums);
    Ok(whole
        .filter_map(|(quantity, sum)| Some(Expected { quantity, mean: sum.mean(f64::INFINITY)? }))
        .collect())
}

fn rows<Q: Answerable>(
    question: &Q,
    noted: Vec<OutcomeEstimate<OutcomeOf<Q>>>,
    watch: Monitor,
) -> Result<Vec<Row>, EngineError> {
    let mut rows: IndexMap<Label, Estimate, FxBuildHasher> =
        IndexMap::with_capacity_and_hasher(noted.len(), FxBuildHasher);
    for ((point, outcome), figure) in noted {
        watch.check_cancelled()?;
        match rows.entry(question.label(point, &outcome)) {
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
        (Err(too_big), Some(allowed)) if is_too_big(&too_big) => {
            let bound = Bound { watch: bound.watch, ..CERTIFIED };
            Ok(figures_of_odds(certified_odds(process, bound, allowed)?, meta))
        }
        (figures, _) => figures,
    }
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
