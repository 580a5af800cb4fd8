//! Checks that questions wrapped around another keep its factorisation.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use lowcrawl::engine::exact::Bound;
use lowcrawl::engine::factored::{Stop, play};
use lowcrawl::play::{Playable, PolicyQuestion};
use lowcrawl::process::{Factored, Factorization, Process, Question as _, ReportIndex};

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

/// Returns the odds of each outcome of each factor, summed over the paths of the shared state.
fn odds_by_factors<P: Factored<Outcome: Ord>>(
    factorization: &Factorization<P>,
) -> BTreeMap<(ReportIndex, usize, P::Outcome), f64> {
    let mut sums = BTreeMap::new();
    let mut visit = |stop: Stop<P, f64>| {
        for group in stop.groups {
            for (_, state, weight) in stop.spread(group) {
                factorization.factors[group.factor].process.report(state, &mut |outcome| {
                    *sums.entry((stop.point, group.factor, outcome)).or_default() +=
                        stop.chance * weight;
                });
            }
        }
        Ok(())
    };
    play(factorization, BOUND, None, |_, _| None, &mut visit).unwrap();
    sums
}

/// Panics unless a question has the same odds by factors when a policy makes its choices.
/// Returns whether it factorises.
pub fn assert_alike_by_factors<Q>(question: &Arc<Q>, what: &str) -> bool
where
    Q: Playable + Sync + 'static,
    <Q::Factor as Process>::Outcome: Ord + Debug,
{
    let wrapped = PolicyQuestion::by_policy(question.clone(), 0).factorization();
    let [own, wrapped] = [question.factorization(), wrapped]
        .map(|factorization| factorization.as_ref().map(odds_by_factors));
    assert_eq!(wrapped, own, "{what}: by factors");
    own.is_some_and(|odds| !odds.is_empty())
}
