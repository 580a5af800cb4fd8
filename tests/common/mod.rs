//! What several test files share: questions from words, and odds as a map.
#![allow(dead_code)]

use std::collections::BTreeMap;

use lowcrawl::asl::engagement::Engagement;
use lowcrawl::asl::question::{Draft, Kind, Question, Value};
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::process::{Label, Question as _};

/// Slot, phase (0 without phases), status, counter ("" when eliminated), wounded.
pub type Row = (usize, usize, String, String, Option<bool>);

/// A question from fields; without Heat of Battle unless a field says `hob`.
pub fn ask(kind: Kind, fields: &[(&str, Value)]) -> Question {
    let mut draft = Draft::new(kind);
    draft.set("hob", Value::Boolean(false)).unwrap();
    for &(field, value) in fields {
        draft.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    draft.finish().unwrap_or_else(|blame| panic!("{}: {}", blame.field, blame.fault))
}

/// The row of a label.
pub fn row(label: &Label) -> Row {
    (
        label.slot.map_or(0, usize::from),
        label.phase.map_or(0, usize::from),
        label.status.unwrap_or_default().to_string(),
        label.counter.clone().unwrap_or_default(),
        label.wounded,
    )
}

/// Exact odds of some processes of one question.
pub fn odds_of(question: &Question, processes: &[Engagement]) -> BTreeMap<Row, f64> {
    let mut odds = BTreeMap::new();
    for process in processes {
        for chance in exact::odds(process, Bound { alive: 1 << 20, worked: 1 << 24 }).unwrap().chances {
            *odds.entry(row(&question.label(chance.point, &chance.outcome))).or_default() += chance.probability;
        }
    }
    odds
}

/// Exact odds of a question, part by part.
pub fn odds(question: &Question) -> BTreeMap<Row, f64> {
    odds_of(question, &question.parts().all().collect::<Vec<_>>())
}

/// Panics unless both maps agree to `tolerance`, a missing row counting as 0.
pub fn assert_close(actual: &BTreeMap<Row, f64>, expected: &BTreeMap<Row, f64>, tolerance: f64, what: &str) {
    for key in actual.keys().chain(expected.keys()) {
        let (a, e) = (actual.get(key).copied().unwrap_or(0.0), expected.get(key).copied().unwrap_or(0.0));
        assert!((a - e).abs() <= tolerance, "{what}: {key:?}: {a} instead of {e}");
    }
}
