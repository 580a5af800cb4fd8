//! Fields as a file gives them: each value with its place, so that every fault has one.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, Key, in_file_order, in_words, integer, whole_number};
use crate::asl::question::{FieldFault, Value};
use crate::system::form::Form;
use crate::table::{self, Cell};
use crate::text::Fault;

/// A value in the file, with its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub value: Owned,
    pub span: Range<usize>,
}

/// A field with its value.
pub(super) type Field = (String, Placed);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owned {
    Text(String),
    Integer(i64),
    Boolean(bool),
}

impl Owned {
    pub fn value(&self) -> Value<'_> {
        match self {
            Owned::Text(text) => Value::Text(text),
            Owned::Integer(number) => Value::Integer(*number),
            Owned::Boolean(value) => Value::Boolean(*value),
        }
    }

    pub fn cell(&self) -> Cell {
        match self {
            Owned::Text(text) => Cell::Text(text.clone()),
            Owned::Integer(number) => Cell::Integer(*number),
            Owned::Boolean(value) => Cell::Boolean(*value),
        }
    }

    pub fn kind(&self) -> table::Kind {
        match self {
            Owned::Text(_) => table::Kind::Text,
            Owned::Integer(_) => table::Kind::Integer,
            Owned::Boolean(_) => table::Kind::Boolean,
        }
    }
}

impl Placed {
    /// The value of a field; `whole` is the list it stands in, or itself.
    fn read(field: &str, whole: &keys::Value, value: &keys::Value) -> Result<Placed, Fault> {
        let owned = match value.get_ref() {
            DeValue::String(text) => Owned::Text(text.to_string()),
            DeValue::Integer(number) => Owned::Integer(integer(number, &value.span())?),
            DeValue::Boolean(value) => Owned::Boolean(*value),
            DeValue::Array(slots) if field.ends_with(".slots") => {
                let slots: Result<Vec<String>, Fault> =
                    slots.iter().map(|slot| whole_number(slot, "slots", 1, 255).map(|slot| slot.to_string())).collect();
                Owned::Text(slots?.join(","))
            }
            other => {
                let message = format!("`{field}` must be a text, a whole number or true/false, not {}", in_words(other));
                let fault = Fault::new(message, whole.span());
                let dotted =
                    matches!(other, DeValue::Table(_)) && ["sk-", "v2-"].iter().any(|edition| field.starts_with(edition));
                return Err(if dotted {
                    fault.help("put a name with a dot in quotes: \"sk-15.1\" = \"alternative\"")
                } else {
                    fault
                });
            }
        };
        Ok(Placed { value: owned, span: value.span() })
    }

    /// A value of a field, tried on what the file says so far.
    pub fn tried<F: Form>(text: &str, key: &Key, whole: &keys::Value, value: &keys::Value, probe: &F) -> Result<Placed, Fault> {
        let field = key.get_ref();
        let placed = Placed::read(field, whole, value)?;
        probe.clone().set(field, placed.value.value()).map_err(|fault| match probe.knows(field) {
            true => placed.blamed(text, fault),
            false => Fault { span: key.span(), ..fault },
        })?;
        Ok(placed)
    }

    /// A fault of the value, at its place in the file.
    pub fn blamed(&self, text: &str, fault: Fault) -> Fault {
        let Range { start, end } = self.span;
        let quotes = if text[start..end].starts_with("\"\"\"") || text[start..end].starts_with("'''") { 3 } else { 1 };
        let literal = match &self.value {
            Owned::Text(value) => text.get(start + quotes..end.saturating_sub(quotes)) == Some(value.as_str()),
            _ => false,
        };
        let inside = literal && !fault.span.is_empty();
        let span = if inside { start + quotes + fault.span.start..start + quotes + fault.span.end } else { start..end };
        Fault { span, ..fault }
    }
}

/// A form with these fields filled in, in order.
pub(super) fn filled<'a, F: Form>(
    text: &str,
    blank: &F,
    fields: impl Iterator<Item = (&'a str, &'a Placed)>,
) -> Result<F, Fault> {
    let mut form = blank.clone();
    for (field, placed) in fields {
        form.set(field, placed.value.value()).map_err(|fault| placed.blamed(text, fault))?;
    }
    Ok(form)
}

/// A fault of a finished form, at the place in the file to blame.
pub(super) fn blamed(text: &str, fields: &[(&str, &Placed)], error: FieldFault) -> Fault {
    let named = |name: &str| fields.iter().find(|(field, _)| *field == name);
    // Of a field that is missing from a step, the place is that of the step.
    let step = || step_of(&error.field).and_then(|number| named(&format!("{number}.do")));
    match named(&error.field).or_else(step) {
        Some((_, placed)) => placed.blamed(text, error.fault),
        None => Fault { span: 0..0, ..error.fault },
    }
}

/// The entries of a table as they stand in the file; where there are `steps`, those of a table `2 = { fp = 4 }` as `2.fp`.
pub(super) fn field_entries<'a, 'i>(table: Option<&'a DeTable<'i>>, steps: bool) -> Vec<(Key<'i>, &'a keys::Value<'i>)> {
    let mut entries = Vec::new();
    for (key, value) in in_file_order(table) {
        match (key.get_ref().parse::<usize>(), value.get_ref()) {
            (Ok(number), DeValue::Table(fields)) if steps => {
                entries.extend(in_file_order(Some(fields)).into_iter().map(|(field, value)| (in_step(number, field), value)))
            }
            _ => entries.push((key.clone(), value)),
        }
    }
    entries
}

/// The step that a field belongs to.
pub(super) fn step_of(field: &str) -> Option<usize> {
    field.split_once('.')?.0.parse().ok()
}

/// The key of a field with the number of its step in front.
pub(super) fn in_step<'i>(number: usize, field: &Key) -> Key<'i> {
    Spanned::new(field.span(), format!("{number}.{}", field.get_ref()).into())
}
