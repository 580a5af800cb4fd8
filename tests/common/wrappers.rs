//! Checks that wrappers do not change the odds of a process, computed as a whole and by factors.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use lowcrawl::answer::counting::{CountedReport, Tallied};
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::engine::factored::{Stop, play};
use lowcrawl::play::compare::Numbered;
use lowcrawl::play::dice_prefix::Conditioned;
use lowcrawl::process::{Factorization, Player, Process, ReportIndex, WithPolicy};

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

/// A policy that takes the first option.
type First<P> = WithPolicy<P, fn(&P, &<P as Process>::State, Player, usize) -> usize>;

fn first_option<P: Process>(process: P) -> First<P> {
    WithPolicy::new(process, |_, _, _, _| 0)
}

fn own<O: Debug>(noted: CountedReport<O>) -> O {
    let CountedReport::Own(outcome) = noted else { panic!("{noted:?} is counted") };
    outcome
}

fn odds<P: Process, O: Ord>(
    process: &P,
    unwrap: impl Fn(P::Outcome) -> O,
) -> BTreeMap<(ReportIndex, O), f64> {
    let chances = exact::odds(process, BOUND).unwrap().chances;
    chances
        .into_iter()
        .map(|chance| ((chance.point, unwrap(chance.outcome)), chance.probability))
        .collect()
}

/// Returns the odds of each outcome of each factor, over all courses of what factors share.
fn odds_by_factors<P: Process, O: Ord>(
    factorization: &Factorization<P>,
    unwrap: impl Fn(P::Outcome) -> O,
) -> BTreeMap<(ReportIndex, usize, O), f64> {
    let mut sums = BTreeMap::new();
    let mut visit = |stop: Stop<P, f64>| {
        for group in stop.groups {
            for (_, state, weight) in stop.spread(group) {
                factorization.factors[group.factor].process.report(state, &mut |outcome| {
                    let key = (stop.point, group.factor, unwrap(outcome));
                    *sums.entry(key).or_default() += stop.chance * weight;
                });
            }
        }
        Ok(())
    };
    play(factorization, BOUND, |_, _| None, &mut visit).unwrap();
    sums
}

/// Panics unless the process has equal odds in every wrapper. Returns whether they were also
/// computed by factors.
pub fn assert_alike_in_every_wrapper<P>(
    process: &P,
    factorization: Option<Factorization<P>>,
    what: &str,
) -> bool
where
    P: Process<Outcome: Debug> + Clone + Send,
{
    let base = first_option(process.clone());
    let expected = odds(&base, |outcome| outcome);
    assert!(!expected.is_empty(), "{what}");
    let wrapped = [
        odds(&Arc::new(base.clone()), |outcome| outcome),
        odds(&Tallied::plain(base.clone()), own),
        odds(&Numbered { number: 7, process: base.clone() }, |(_, outcome)| outcome),
        odds(&Conditioned::from_start(base.clone()), |outcome| outcome),
        odds(&first_option(base), |outcome| outcome),
    ];
    for (number, odds) in wrapped.iter().enumerate() {
        assert_eq!(*odds, expected, "{what}: wrapper {number}");
    }
    let Some(factorization) = factorization else { return false };
    let expected = odds_by_factors(&factorization, |outcome| outcome);
    let wrapped = [
        odds_by_factors(&factorization.clone().map(Arc::new), |outcome| outcome),
        odds_by_factors(&factorization.clone().map(Tallied::plain), own),
        odds_by_factors(
            &factorization.clone().map(|process| Numbered { number: 7, process }),
            |(_, outcome)| outcome,
        ),
        odds_by_factors(
            &factorization.clone().map(|process| Conditioned::from_start(first_option(process))),
            |outcome| outcome,
        ),
        odds_by_factors(&factorization.map(first_option), |outcome| outcome),
    ];
    for (number, odds) in wrapped.iter().enumerate() {
        assert_eq!(*odds, expected, "{what}: wrapper {number} by factors");
    }
    !expected.is_empty()
}
