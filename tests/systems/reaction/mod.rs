//! The game Reaction Dice: every worked figure, agreement of the engines and with an independent
//! enumeration, properties, and faults.

mod agreement;
mod decisions;
mod effects;
mod engines;
mod faults;
mod figures;
mod movement;
mod parameters;
mod properties;
mod pulses;
mod random;
mod traces;
mod twin;
mod twin_armies;
mod twin_pulses;

use crate::table::{self, rows};
use lowcrawl::answer::{Answerable as _, QuestionInfo as _};
use lowcrawl::engine::exact::{self, Bound, Fraction, Odds};
use lowcrawl::play::{Form as _, Game as _, Playable as _};
use lowcrawl::process::{Question as _, ReportIndex, WithPolicy};
use lowcrawl::reaction::Reaction;
use lowcrawl::reaction::draft::Draft;
use lowcrawl::reaction::exchange::{End, Exchange, Outcome};
use lowcrawl::reaction::field::{Battlefield, Effect, Status};
use lowcrawl::reaction::kinds::QuestionKind;
use lowcrawl::reaction::question::Question;
use lowcrawl::schema::{FieldFault, RawValue, Settable as _, Word as _};

/// Builds a draft from fields such as `target=panther; dice=4`.
fn draft(kind: &str, fields: &str) -> Draft {
    let ask = QuestionKind::ALL.iter().find(|ask| ask.declared().name == kind).expect("a kind");
    let mut draft = Draft::new(*ask);
    for (field, value) in table::fields(fields) {
        draft.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    draft
}

/// Builds a question from fields.
fn ask(kind: &str, fields: &str) -> Question {
    draft(kind, fields)
        .question()
        .unwrap_or_else(|blame| panic!("{}: {}", blame.field, blame.fault))
}

/// Returns the fault of a question from fields.
fn blame(kind: &str, fields: &str) -> FieldFault {
    draft(kind, fields).question().unwrap_err()
}

/// Returns the 0-based index of a policy.
fn policy(question: &Question, name: &str) -> usize {
    question.policies().iter().find(|known| known.name == name).expect("a policy").place
}

/// Returns the process of a question under a policy.
fn played(question: &Question, policy: usize) -> WithPolicy<'_, Exchange> {
    WithPolicy::new(
        question.whole(),
        move |process: &Exchange, field: &Battlefield, player, options| {
            question.option(policy, process, field, player, options)
        },
    )
}

/// Returns the exact odds of a question under the default policy.
fn odds(question: &Question) -> Odds<Outcome> {
    exact::odds(&played(question, 0), Bound::STANDARD).unwrap()
}

fn last(odds: &Odds<Outcome>) -> ReportIndex {
    odds.chances.iter().map(|chance| chance.point).max().unwrap()
}

const NONE: Fraction = Fraction { numerator: 0, denominator: 1 };

/// Returns the total probability of the outcomes at a report point that pass `holds`.
fn chance_at(odds: &Odds<Outcome>, point: ReportIndex, holds: impl Fn(&[End]) -> bool) -> Fraction {
    let fitting =
        odds.chances.iter().filter(|chance| chance.point == point && holds(chance.outcome.ends()));
    fitting.fold(NONE, |sum, chance| sum.checked_add(chance.fraction.unwrap()).unwrap())
}

/// Returns the total probability of the outcomes at the last report point that pass `holds`.
fn chance(odds: &Odds<Outcome>, holds: impl Fn(&[End]) -> bool) -> Fraction {
    chance_at(odds, last(odds), holds)
}

/// Returns the probability that the unit or army in a slot ends with a status.
fn ends(question: &Question, slot: u8, status: &str) -> Fraction {
    let odds = odds(question);
    let label = |end: &End| question.label(0, &Outcome::One(*end));
    chance(&odds, |ends| {
        ends.iter().any(|end| label(end).slot == Some(slot) && label(end).status == Some(status))
    })
}

/// Returns the expected amount of a quantity at the last report point. It is not negative.
fn expected(question: &Question, quantity: &str) -> Fraction {
    let place = question.quantities().iter().position(|known| known == quantity).expect(quantity);
    let odds = odds(question);
    let last = last(&odds);
    odds.chances.iter().filter(|chance| chance.point == last).fold(NONE, |sum, chance| {
        let mut amount = 0;
        question.amounts(last, &chance.outcome, &mut |quantity, more| {
            amount += if quantity == place { more } else { 0 }
        });
        let Fraction { numerator, denominator } = chance.fraction.unwrap();
        sum.checked_add(Fraction::new(numerator * u128::try_from(amount).unwrap(), denominator))
            .unwrap()
    })
}

/// Returns the final state of the unit with the 0-based index `wanted`.
fn unit_end(ends: &[End], wanted: usize) -> Option<(Status, u8, u16)> {
    ends.iter().find_map(|end| match *end {
        End::Unit { place, status, dp, moved, .. } if usize::from(place) == wanted => {
            Some((status, dp, moved))
        }
        _ => None,
    })
}

/// Panics unless a fraction equals the worked figure.
fn assert_fraction(id: &str, fraction: Fraction, expected: &str) {
    assert_eq!(fraction.to_string(), expected, "{id}");
}
