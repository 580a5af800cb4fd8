//! Builds questions from fields, and computes their exact odds as fractions.

use std::collections::BTreeMap;

use crate::table;
use lowcrawl::engine::exact::{self, Bound, Fraction};
use lowcrawl::fortitude::battle::{Battle, Outcome};
use lowcrawl::fortitude::{Draft, Question, QuestionKind};
use lowcrawl::play::Playable as _;
use lowcrawl::process::{Process, Question as _, ReportIndex, WithPolicy};
use lowcrawl::schema::{FieldFault, Settable as _, Word as _};

pub const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

pub fn blank(kind: &str) -> Draft {
    Draft::new(*QuestionKind::ALL.iter().find(|ask| ask.declared().name == kind).unwrap())
}

/// Builds a question from fields such as `units=unit/shaken; turns=3`, or returns its fault.
pub fn try_ask(kind: &str, fields: &str) -> Result<Question, FieldFault> {
    let mut draft = blank(kind);
    for (field, value) in table::fields(fields) {
        assert!(draft.knows(field), "{field}");
        draft.set(field, value).map_err(FieldFault::in_field(field))?;
    }
    draft.question()
}

pub fn ask(kind: &str, fields: &str) -> Question {
    try_ask(kind, fields)
        .unwrap_or_else(|blame| panic!("{fields}: {}: {}", blame.field, blame.fault))
}

/// Returns the process of a question with a named policy.
pub fn with_policy<'a>(
    question: &'a Question,
    policy: &str,
) -> impl Process<State = <Battle as Process>::State, Outcome = Outcome> + 'a {
    let place = question.policies().iter().position(|known| known.name == policy).unwrap();
    WithPolicy::new(question.whole(), move |process: &Battle, state: &_, player, options| {
        question.option(place, process, state, player, options)
    })
}

/// Returns the exact odds of each outcome at each report point.
pub fn outcomes(
    process: &impl Process<Outcome = Outcome>,
) -> BTreeMap<(ReportIndex, Outcome), Fraction> {
    let odds = exact::odds(process, BOUND).unwrap();
    odds.chances
        .into_iter()
        .map(|chance| ((chance.point, chance.outcome), chance.fraction.expect("an exact answer")))
        .collect()
}

/// Returns every possible outcome at each report point, even if its fraction is too long.
pub fn possible_outcomes(process: &impl Process<Outcome = Outcome>) -> Vec<(ReportIndex, Outcome)> {
    exact::odds(process, BOUND)
        .unwrap()
        .chances
        .into_iter()
        .map(|chance| (chance.point, chance.outcome))
        .collect()
}

/// Returns the total probability of the outcomes that pass `fits`.
pub fn sum(
    odds: &BTreeMap<(ReportIndex, Outcome), Fraction>,
    passes: impl Fn(ReportIndex, &Outcome) -> bool,
) -> Fraction {
    let zero = Fraction { numerator: 0, denominator: 1 };
    let picked = odds.iter().filter(|((point, outcome), _)| passes(*point, outcome));
    picked.fold(zero, |sum, (_, fraction)| sum.checked_add(*fraction).unwrap())
}

/// Returns the probability that the unit of a slot has one of these statuses (separated by ` or `)
/// at a report point.
pub fn status(question: &Question, point: ReportIndex, slot: u8, statuses: &str) -> Fraction {
    let passes = |at: ReportIndex, outcome: &Outcome| {
        let label = question.label(at, outcome);
        at == point
            && label.slot == Some(slot)
            && statuses.split(" or ").any(|status| label.status == Some(status))
    };
    let mut total = Fraction { numerator: 0, denominator: 1 };
    for part in question.parts().all() {
        total = total.checked_add(sum(&outcomes(&part), passes)).unwrap();
    }
    total
}

/// Reads a fraction such as `3/5` or `1`.
pub fn fraction(text: &str) -> Fraction {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    Fraction::new(numerator.parse().unwrap(), denominator.parse().unwrap())
}
