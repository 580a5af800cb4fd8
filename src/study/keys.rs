//! Keys and values of a TOML file, each with its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::Fault;

/// A key with its place.
pub(super) type Key<'i> = Spanned<std::borrow::Cow<'i, str>>;

/// A value with its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// The value of a key.
pub(super) fn entry<'a, 'i>(table: &'a DeTable<'i>, name: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

/// Whether a table has only keys of a list.
pub(super) fn known_keys(table: &DeTable, known: &[&str], of: &str) -> Result<(), Fault> {
    match table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
        None => Ok(()),
        Some(key) => {
            let fault = Fault::new(format!("{of} has no key `{}`", key.get_ref()), key.span());
            Err(fault.expecting(key.get_ref(), known.iter().copied()))
        }
    }
}

/// A key whose value must be a table.
pub(super) fn sub_table<'a, 'i>(root: &'a DeTable<'i>, name: &str) -> Result<Option<&'a DeTable<'i>>, Fault> {
    match entry(root, name).map(|value| (value.get_ref(), value.span())) {
        None => Ok(None),
        Some((DeValue::Table(table), _)) => Ok(Some(table)),
        Some((other, span)) => Err(Fault::new(format!("`{name}` must be a table, `[{name}]`, not {}", in_words(other)), span)),
    }
}

/// The entries of a table as they stand in the file.
pub(super) fn in_file_order<'a, 'i>(table: Option<&'a DeTable<'i>>) -> Vec<(&'a Key<'i>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.into_iter().flatten().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The kind of a value.
pub(super) fn in_words(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A value that must be a text.
pub(super) fn placed_text(value: &Spanned<DeValue>, name: &str) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => Err(Fault::new(format!("`{name}` must be a text, not {}", in_words(other)), value.span())),
    }
}

/// One of a few words.
pub(super) fn word<T: Copy, const N: usize>(value: &Spanned<DeValue>, name: &str, words: [(&str, T); N]) -> Result<T, Fault> {
    let text = placed_text(value, name)?;
    let found = words.iter().find(|(word, _)| *word == crate::text::canonical(&text));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let fault = Fault::new(format!("`{name}` cannot be `{text}`"), value.span());
        fault.expecting(&text, words.iter().map(|(word, _)| *word))
    })
}

/// A whole number that fits.
pub(super) fn integer(number: &toml::de::DeInteger, span: &Range<usize>) -> Result<i64, Fault> {
    let digits = number.as_str().replace('_', "");
    i64::from_str_radix(&digits, number.radix()).map_err(|_| Fault::new("the number is too big", span.clone()))
}

/// A value that must be a whole number in some range.
pub(super) fn whole_number(value: &Spanned<DeValue>, name: &str, low: i64, high: i64) -> Result<i64, Fault> {
    let fault = || Fault::new(format!("`{name}` must be a whole number from {low} to {high}"), value.span());
    match value.get_ref() {
        DeValue::Integer(number) => {
            let number = integer(number, &value.span())?;
            if (low..=high).contains(&number) { Ok(number) } else { Err(fault()) }
        }
        _ => Err(fault()),
    }
}

/// Reads a TOML text.
pub(super) fn document(text: &str) -> Result<Spanned<DeTable<'_>>, Fault> {
    DeTable::parse(text).map_err(|error| Fault::new(error.message().trim().to_string(), error.span().unwrap_or(0..0)))
}

/// A fault of a text value, at its place in the file: the whole value where the text is escaped.
pub(super) fn within(value: &Value) -> impl FnOnce(Fault) -> Fault {
    let span = value.span();
    let plain = matches!(value.get_ref(), DeValue::String(text) if text.len() + 2 == span.len());
    move |fault| {
        let inner = span.start + 1 + fault.span.start..span.start + 1 + fault.span.end;
        Fault { span: if plain && !fault.span.is_empty() { inner } else { span }, ..fault }
    }
}
