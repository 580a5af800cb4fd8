//! Canonical form of a question: equivalent questions are equal, byte for byte.
//!
//! Fields come in the order of their declaration, then rule settings, without defaults. Flags use
//! their own name (`hob: false`, not `no-hob: true`). Units have nation and conditions filled in.

use std::collections::HashMap;

use serde_json::{Map, json};

use answer::{Provenance, QuestionInfo};
use schema::form::setting;
use schema::{Field, Json, RawValue};

/// Returns the rule settings that a provenance records as changed, with their values.
pub fn set_by(footing: &Provenance) -> Vec<(String, String)> {
    footing.settings().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Returns the changed rule settings in the order of `names`. The last value of each counts.
pub fn settings(
    names: Vec<&'static str>,
    set: impl IntoIterator<Item = (String, String)>,
) -> impl Iterator<Item = (String, Json)> {
    let set: HashMap<String, String> = set.into_iter().collect();
    names.into_iter().filter_map(move |name| {
        let value = match setting(set.get(name)?) {
            RawValue::Text(text) => json!(text),
            RawValue::Integer(number) => json!(number),
            RawValue::Boolean(value) => json!(value),
        };
        Some((name.to_string(), value))
    })
}

/// Returns the fields that differ from defaults. `values` returns a field's value and default.
pub(super) fn in_order<'a>(
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
