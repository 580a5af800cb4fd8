//! Tables as the value of one field of a question: lists of tables, and tables with free keys.
//!
//! A form takes values as texts. Tables of a file become JSON, whose parts keep their places in the
//! file ([`Node::to_json_text`]). One value inside is set by its path: `side.german.elr`.

use serde_json::Value as Json;

use super::field::{Field, FieldValue, Takes};
use super::form::RawValue;
use super::from_json;
use super::node::Node;
use engine::text::{Fault, canonical};

/// A value read from tables, with the JSON from which it was read.
#[derive(Clone, Debug, Default)]
pub struct Nested<T> {
    pub value: T,
    source: Json,
}

impl<T: FieldValue> FieldValue for Nested<T> {
    const TAKES: Takes = T::TAKES;

    fn read(field: &str, value: RawValue) -> Result<Nested<T>, Fault> {
        let RawValue::Text(text) = value else {
            let message = format!("`{field}` must be {}, not {value}", T::TAKES.in_words());
            return Err(Fault::new(message, value.span()));
        };
        Nested::read_node(field, &from_json::node(text, field)?)
    }

    fn read_node(field: &str, node: &Node) -> Result<Nested<T>, Fault> {
        Ok(Nested { value: T::read_node(field, node)?, source: node.to_json() })
    }

    fn to_json(&self) -> Json {
        self.value.to_json()
    }

    fn set_part(&mut self, field: &str, path: &str, value: RawValue) -> Result<(), Fault> {
        let mut source = self.source.clone();
        let json = match value {
            RawValue::Text(text) => Json::from(text),
            RawValue::Integer(number) => Json::from(number),
            RawValue::Boolean(value) => Json::from(value),
        };
        set(&mut source, path, json)
            .map_err(|message| Fault::new(format!("{message} in `{field}.{path}`"), 0..0))?;
        let read = Nested::read(field, RawValue::Text(&source.to_string()));
        *self = read.map_err(|fault| Fault { span: value.span(), ..fault })?;
        Ok(())
    }
}

/// Sets a value at a path. A list is entered by a number from 1, or by the `name` of its tables.
fn set(at: &mut Json, path: &str, value: Json) -> Result<(), String> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let next = match at {
        Json::Array(list) => {
            let is_called = |one: &Json| {
                one.get("name").and_then(Json::as_str).is_some_and(|name| canonical(name) == first)
            };
            let numbered = first.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let place = numbered.or_else(|| list.iter().position(is_called));
            let length = list.len();
            place.and_then(|place| list.get_mut(place)).ok_or_else(|| match length {
                0 => format!("there is no `{first}`: nothing is given"),
                1 => format!("there is no `{first}`: there is one, number 1"),
                _ => format!("there is no `{first}`: there are {length}, from 1 to {length}"),
            })?
        }
        Json::Object(table) => {
            let known = table.keys().find(|key| canonical(key) == first).cloned();
            let key = known.unwrap_or_else(|| first.to_string());
            table.entry(key).or_insert(Json::Null)
        }
        Json::Null => {
            *at = Json::Object(Default::default());
            return set(at, path, value);
        }
        _ => return Err(format!("there is nothing called `{first}`")),
    };
    match rest {
        Some(rest) => set(next, rest, value),
        None => {
            *next = value;
            Ok(())
        }
    }
}

/// Creates the field of a value under a free key. The table checks the key and the value.
const fn under_free_key(takes: Takes) -> Field {
    Field {
        name: "",
        negation: None,
        takes,
        default: None,
        about: "",
        rule: None,
        is_narrow: false,
        sweeps: true,
    }
}

static NUMBER: Field = under_free_key(Takes::Number(i64::MIN, i64::MAX));
static TEXT: Field = under_free_key(Takes::Text("TEXT"));

/// Returns the field at a path within a field of tables: `german.elr` within `side`. A table of a
/// list has a number or a name in front.
pub fn part(takes: Takes, path: &str) -> Option<&'static Field> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    match takes {
        Takes::List(each @ Takes::Table(_)) => part(*each, rest?),
        Takes::Table(fields) | Takes::Keyed(_, _, fields) => {
            match (fields().iter().find(|field| field.is_called(first)), rest, takes) {
                (Some(field), None, _) => Some(field),
                (Some(field), Some(rest), _) => part(field.takes, rest),
                (None, None, Takes::Keyed(_, Takes::Number(..), _)) => Some(&NUMBER),
                (None, None, Takes::Keyed(_, Takes::Text(_), _)) => Some(&TEXT),
                (None, ..) => None,
            }
        }
        _ => None,
    }
}

/// Returns whether values of this type are tables.
pub const fn is_nested(takes: Takes) -> bool {
    matches!(takes, Takes::List(Takes::Table(_)) | Takes::Table(_) | Takes::Keyed(..))
}
