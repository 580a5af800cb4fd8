//! A request as it is understood: what means the same is written the same, byte for byte. That is what answers are kept by.
//!
//! Keys come in the order in which fields are declared, then points of the rules in theirs; what is at its default is left out; flags
//! are told by their own name (`hob: false`, not `no-hob: true`); words and names of fields are lower case, with hyphens; units have
//! their nation and conditions filled in, as far as a question tells them ([`Words::understood`](crate::system::Words::understood)).

use serde_json::{Map, Value as Json, json};

use crate::asl::rout::RoutFields;
use crate::files::values::{Owned, Placed};
use crate::files::written::Written;
use crate::system::asking::Asking;
use crate::system::draft::{DO, GIVEN_FIELD, POLICY_FIELD};
use crate::system::field::{Field, Fields as _, Takes};
use crate::system::form::Form;
use crate::system::node::{Entry, Node, Raw, Spanned};
use crate::system::objective::Objective;
use crate::text::canonical;

/// The fields of a question that are not at their default.
pub fn question(written: &Written, question: &dyn Asking) -> Map<String, Json> {
    let fields: Vec<(&str, &Placed)> = written.fields().collect();
    of_fields(written.form(), &fields, question)
}

/// The same of fields by their canonical names, the last of a name counting.
pub fn of_fields(form: &dyn Form, fields: &[(&str, &Placed)], question: &dyn Asking) -> Map<String, Json> {
    let kind = form.kind();
    let declared = kind.fields().chain([&POLICY_FIELD, &GIVEN_FIELD]);
    let mut told = in_order(declared, fields, "", question);
    let steps = form.steps();
    let numbers = (1..).take_while(|number| given(fields, &format!("{number}.{DO}")).is_some());
    let step = |number: usize| {
        let deed = given(fields, &format!("{number}.{DO}")).map_or(String::new(), |deed| canonical(&deed.cell().text()));
        let of_deed = steps.iter().find(|(name, _)| *name == deed).map_or(&[][..], |(_, fields)| fields);
        let mut step = Map::from_iter([(DO.to_string(), json!(deed))]);
        step.extend(in_order(of_deed.iter().copied(), fields, &format!("{number}."), question));
        Json::Object(step)
    };
    let steps: Vec<Json> = numbers.map(step).collect();
    if !steps.is_empty() {
        told.insert("step".to_string(), Json::Array(steps));
    }
    for id in form.settings() {
        if let Some(value) = given(fields, id) {
            let value = match value {
                Owned::Text(text) => json!(canonical(text)),
                other => json!(other.cell()),
            };
            told.insert(id.to_string(), value);
        }
    }
    told
}

/// What is played for, as a request has it: a measure at its own weight by its name, else each with its weight.
pub fn objective(objective: &Objective) -> Json {
    match objective.weights()[..] {
        [(measure, weight)] if weight == measure.weight => json!(measure.name),
        ref weights => weights.iter().map(|(measure, weight)| (measure.name.to_string(), json!(weight))).collect(),
    }
}

/// The fields of a situation as they are written, flags by their own name.
pub fn situation(entries: &[Entry]) -> Map<String, Json> {
    let by_own_name = |(key, node): &Entry| {
        let declared = RoutFields::ALL.iter().find(|field| field.negation == Some(&key.value));
        match (declared, &node.raw) {
            (Some(field), Raw::Boolean(value)) => {
                let key = Spanned { value: field.name.to_string(), place: key.place.clone() };
                (key, Node { raw: Raw::Boolean(!value), ..node.clone() })
            }
            _ => (key.clone(), node.clone()),
        }
    };
    as_written(&entries.iter().map(by_own_name).collect::<Vec<_>>())
}

/// The value given last for a field.
fn given<'a>(fields: &[(&str, &'a Placed)], name: &str) -> Option<&'a Owned> {
    fields.iter().rfind(|(field, _)| *field == name).map(|(_, placed)| &placed.value)
}

/// Those of some declared fields that are not at their default; `before` stands in front of their names.
fn in_order<'a>(
    declared: impl Iterator<Item = &'a Field>,
    fields: &[(&str, &Placed)],
    before: &str,
    question: &dyn Asking,
) -> Map<String, Json> {
    let mut told = Map::new();
    for field in declared {
        let named = |name: &str| given(fields, &format!("{before}{name}")).cloned();
        let value = named(field.name).or_else(|| match named(field.negation?)? {
            Owned::Boolean(value) => Some(Owned::Boolean(!value)),
            other => Some(other),
        });
        let Some(value) = value else { continue };
        let understood = question.words().understood(&format!("{before}{}", field.name));
        let value = understood.map_or_else(|| plain(field.takes, value), Owned::Text);
        let default = match field.takes {
            Takes::Flag => Some(Owned::Boolean(field.default == Some("true"))),
            takes => field.default.map(|text| plain(takes, owned(takes, text))),
        };
        if default.as_ref() != Some(&value) {
            told.insert(field.name.to_string(), json!(value.cell()));
        }
    }
    told
}

/// A default as its value.
fn owned(takes: Takes, text: &str) -> Owned {
    match takes {
        Takes::Number(..) => text.parse().map_or_else(|_| Owned::Text(text.to_string()), Owned::Integer),
        _ => Owned::Text(text.to_string()),
    }
}

/// A value in one spelling.
fn plain(takes: Takes, value: Owned) -> Owned {
    match (takes, value) {
        (Takes::Word(..), Owned::Text(text)) => Owned::Text(canonical(&text)),
        (Takes::Numbers(_), Owned::Text(text)) => {
            let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
            numbers[0].parse().ok().filter(|_| numbers.len() == 1).map_or(Owned::Text(numbers.join(",")), Owned::Integer)
        }
        (Takes::Text(_), Owned::Text(text)) => Owned::Text(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        (_, value) => value,
    }
}

/// What has been read as it stands there, its tables in the order of their keys.
pub fn as_written(entries: &[Entry]) -> Map<String, Json> {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.value.cmp(&b.value));
    entries.into_iter().map(|(key, node)| (key.value.clone(), of_node(node))).collect()
}

/// The same of one value.
pub fn of_node(node: &Node) -> Json {
    match &node.raw {
        Raw::Text(text) => json!(text),
        Raw::Integer(number) => json!(number),
        Raw::Boolean(value) => json!(value),
        Raw::Decimal(number) => json!(number),
        Raw::Other(_) => Json::Null,
        Raw::List(list) => list.iter().map(of_node).collect(),
        Raw::Table(entries) => Json::Object(as_written(entries)),
    }
}
