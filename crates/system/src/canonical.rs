//! Canonical form of a question: equivalent questions are equal, byte for byte.
//!
//! Fields come in the order of their declaration, then rule settings in theirs. Values at their
//! defaults are omitted. Flags use their own name (`hob: false`, not `no-hob: true`). Units have
//! their nation and conditions filled in.

use serde_json::{Map, json};

use super::dyn_question::DynQuestion;
use super::field::{Field, Filled as _, Json, single_spaced};
use super::form::{Form as _, RawValue, setting};
use super::provenance::Provenance;
use super::question_form::{DO, Draft, GIVEN, QuestionForm, Rules as _, StepDraft, Word as _};
use super::{QuestionInfo, form::Settable as _, question_form::POLICY};
use engine::text::canonical;

/// Returns the canonical values of a draft. With `question`, the question's view of fields and
/// rules replaces the draft's spelling.
pub(super) fn canonical_fields<T: QuestionForm>(
    draft: &Draft<T>,
    question: Option<&dyn DynQuestion>,
) -> Map<String, Json> {
    let blank = Draft::<T>::new(draft.ask);
    let words = question.map(DynQuestion::words);
    let mut entries = in_order(draft.kind().fields(), "", words, |name| {
        [draft, &blank].map(|draft| draft.value_json(name))
    });
    entries
        .extend(draft.policy.as_ref().map(|policy| (POLICY.to_string(), json!(canonical(policy)))));
    let given = draft.given.as_deref().map(single_spaced).filter(|given| !given.is_empty());
    entries.extend(given.map(|given| (GIVEN.to_string(), json!(given))));
    if draft.has_steps() {
        let step = |(number, StepDraft { step_kind, fields }): (usize, &StepDraft<T>)| {
            let declared = step_kind.declared();
            let blank = T::Step::with_defaults(*step_kind);
            let mut entries = Map::from_iter([(DO.to_string(), json!(declared.name))]);
            entries.extend(in_order(declared.fields(), &format!("{number}."), words, |name| {
                [fields.value_json(name), blank.value_json(name)]
            }));
            Json::Object(entries)
        };
        entries.insert("step".to_string(), (1..).zip(&draft.steps).map(step).collect());
    }
    let of_draft = || {
        draft.rules.changed().into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    };
    entries.extend(settings(
        draft.settings(),
        words.map_or_else(of_draft, |words| set_by(&words.provenance())),
    ));
    entries
}

/// Returns the rule settings that a provenance records as changed, with their values.
pub fn set_by(footing: &Provenance) -> Vec<(String, String)> {
    footing.settings().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Returns the changed rule settings in the order of `names`. The last value of each counts.
pub fn settings(names: Vec<&'static str>, set: Vec<(String, String)>) -> Vec<(String, Json)> {
    let value = |text: &str| match setting(text) {
        RawValue::Text(text) => json!(text),
        RawValue::Integer(number) => json!(number),
        RawValue::Boolean(value) => json!(value),
    };
    let set = |name: &&str| {
        set.iter()
            .rfind(|(known, _)| known == name)
            .map(|(_, text)| (name.to_string(), value(text)))
    };
    names.iter().filter_map(set).collect()
}

/// Returns the declared fields that differ from their defaults. `values` returns the given value
/// and the default of a field.
fn in_order<'a>(
    declared: impl Iterator<Item = &'a Field>,
    before: &str,
    words: Option<&dyn QuestionInfo>,
    values: impl Fn(&str) -> [Json; 2],
) -> Map<String, Json> {
    let value = |field: &Field| {
        let [written, default] = values(field.name);
        let understood =
            words.and_then(|words| words.canonical_value(&format!("{before}{}", field.name)));
        let current = understood.unwrap_or(written);
        (current != default).then(|| (field.name.to_string(), current))
    };
    declared.filter_map(value).collect()
}
