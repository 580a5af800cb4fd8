//! Checks that questions wrapped around another keep its factorisation.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use lowcrawl::answer::factored::COURSES;
use lowcrawl::answer::{Answerable, FactoredRequest, OutcomeOf};
use lowcrawl::play::{Playable, PolicyQuestion};
use lowcrawl::process::ReportIndex;

/// Returns the odds of each outcome by the factorisation of a question, if it has one.
fn odds_by_factors<Q: Answerable>(
    question: &Q,
) -> Option<BTreeMap<(ReportIndex, OutcomeOf<Q>), f64>>
where
    OutcomeOf<Q>: Ord,
{
    let wanted = [FactoredRequest::Rows, FactoredRequest::Created];
    let answers = question.factors()?.answers(question, &wanted, COURSES, None).unwrap()?;
    let noted = answers.into_iter().flat_map(|answer| answer.unwrap().noted);
    Some(noted.map(|(noted, figure)| (noted, figure.probability())).collect())
}

/// Panics unless a question has the same odds by factors when a policy makes its choices.
/// Returns whether it factorises.
pub fn assert_alike_by_factors<Q>(question: &Arc<Q>, what: &str) -> bool
where
    Q: Playable + Sync + 'static,
    OutcomeOf<Q>: Ord + Debug,
{
    let own = odds_by_factors(question.as_ref());
    let wrapped = odds_by_factors(&PolicyQuestion::by_policy(question.clone(), 0));
    assert_eq!(wrapped, own, "{what}: by factors");
    own.is_some_and(|odds| !odds.is_empty())
}
