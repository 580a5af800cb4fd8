//! The jobs that the benchmarks share, each with its known answer.
#![allow(dead_code)]

use lowcrawl::asl::campaign::LaneCampaign;
use lowcrawl::asl::question::{Draft, Question, QuestionKind, RawValue};
use lowcrawl::course::campaign::{self, LaneDraft};
use lowcrawl::process::Question as _;
use lowcrawl::schema::Settable as _;

/// Builds a question from valid fields; Heat of Battle is off unless `fields` has `hob`.
pub fn ask(kind: QuestionKind, fields: &[(&str, RawValue)]) -> Question {
    let mut draft = Draft::new(kind);
    draft.set("hob", RawValue::Boolean(false)).unwrap();
    for &(field, value) in fields {
        draft.set(field, value).unwrap();
    }
    draft.question().unwrap()
}

/// Returns reference job R: a DM 4-6-7 beside an 8-1 in woods, over six Rally Phases.
pub fn reference_job() -> Question {
    let text = |text| RawValue::Text(text);
    ask(
        QuestionKind::Rally,
        &[
            ("stack", text("german:4-6-7/broken,dm")),
            ("leader", text("8-1")),
            ("terrain", text("woods")),
            ("phases", RawValue::Integer(6)),
        ],
    )
}

/// Returns a check of two leaders and five squads under a 2MC, with millions of joint states.
pub fn big_stack() -> Question {
    let stack = RawValue::Text("german:9-1 + german:8-0 + 3x german:4-6-7 + 2x german:4-6-8");
    ask(QuestionKind::Check, &[("stack", stack), ("mc", RawValue::Integer(2))])
}

/// Returns an attack of 16 FP on two leaders and five squads, with Heat of Battle.
pub fn big_stack_under_fire() -> Question {
    let stack = RawValue::Text("german:9-1 + german:8-0 + 3x german:4-6-7 + 2x german:4-6-8");
    ask(
        QuestionKind::Fire,
        &[("stack", stack), ("fp", RawValue::Integer(16)), ("hob", RawValue::Boolean(true))],
    )
}

/// Returns the rally of a broken Commissar, two broken leaders and four squads over three Rally
/// Phases, with Heat of Battle.
pub fn big_rally() -> Question {
    let stack = RawValue::Text(
        "commissar:9-0/dm + russian:8-1/dm + russian:8-0/dm + 2x russian:4-4-7/dm + 2x russian:4-5-8/dm",
    );
    ask(
        QuestionKind::Rally,
        &[("stack", stack), ("phases", RawValue::Integer(3)), ("hob", RawValue::Boolean(true))],
    )
}

/// The number of rows of reference job R. Each phase has rows for rallied and broken 4-6-7 and
/// 2-4-7, and eliminated, where possible by then.
pub const ROWS_OF_R: usize = 28;

/// Computes the exact probability that the squad of job R is rallied, whole or reduced, after six
/// phases (A10.6).
pub fn rallied_after_six(question: &Question) -> f64 {
    let odds =
        lowcrawl::engine::exact::odds(&question.whole(), lowcrawl::engine::exact::Bound::STANDARD)
            .unwrap();
    let rallied = odds.chances.iter().filter(|chance| {
        chance.point == 6 && question.label(chance.point, &chance.outcome).status == Some("rallied")
    });
    rallied.map(|chance| chance.probability).sum()
}

/// Returns a campaign: six Player Turns under 6 FP, five Open Ground hexes from a leader in woods.
pub fn lane() -> LaneCampaign {
    let mut draft = LaneDraft::new(campaign::CampaignKind::Campaign);
    for (field, value) in [("unit", "german:4-6-7/broken,dm"), ("leader", "german:8-1")] {
        draft.set(field, RawValue::Text(value)).unwrap();
    }
    for (field, value) in [("fp", 6), ("open", 5), ("interdicted", 2), ("turns", 6)] {
        draft.set(field, RawValue::Integer(value)).unwrap();
    }
    draft.head.campaign(&draft.rules).unwrap()
}
