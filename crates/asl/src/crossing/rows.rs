//! Rows of keys and values, from a text of a notation or from tables of a file.

use std::ops::Range;

use engine::text::{Fault, canonical};
use serde_json::Value;

/// A key of a row with its value, both as text, and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEntry {
    pub key: String,
    pub value: String,
    pub span: Range<usize>,
}

impl RowEntry {
    /// Returns the fault of a value that is not what its key takes.
    pub fn fault(&self, what: &str) -> Fault {
        let message = format!("`{}` must be {what}, not `{}`", self.key, self.value);
        Fault::new(message, self.span.clone())
    }

    /// Reads the value as a whole number between two bounds.
    pub fn number(&self, low: i64, high: i64) -> Result<i64, Fault> {
        let number = self.value.parse().ok().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| self.fault(&format!("a whole number from {low} to {high}")))
    }

    /// Reads the value as true or false.
    pub fn flag(&self) -> Result<bool, Fault> {
        self.value.parse().map_err(|_| self.fault("true or false"))
    }
}

/// Returns the tables of a text that is a list of JSON; `None` for any other text.
pub fn listed(text: &str) -> Option<Result<Vec<Value>, Fault>> {
    let fault = || Fault::new("expected a list of tables", 0..text.len());
    let is_listed = text.trim_start().starts_with(['[', '{']);
    is_listed.then(|| match serde_json::from_str(text) {
        Ok(Value::Array(rows)) => Ok(rows),
        Ok(Value::Object(named)) => Ok(named
            .into_iter()
            .map(|(name, mut row)| {
                if let Value::Object(row) = &mut row {
                    row.insert("name".to_string(), name.into());
                }
                row
            })
            .collect()),
        _ => Err(fault()),
    })
}

/// Formats a plain JSON value as the text of a notation.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_string(),
        value => value.to_string(),
    }
}

/// Returns the entries of a table; those of a table within it have both names: `fire-lane.fp`.
pub fn entries(table: &Value, whole: &str) -> Vec<RowEntry> {
    let mut found = Vec::new();
    collect(table, String::new(), whole, &mut found);
    found
}

fn collect(value: &Value, key: String, whole: &str, found: &mut Vec<RowEntry>) {
    let inner = |name: &str| match key.is_empty() {
        true => canonical(name),
        false => format!("{key}.{}", canonical(name)),
    };
    match value {
        Value::Object(table) => {
            table.iter().for_each(|(name, value)| collect(value, inner(name), whole, found));
        }
        Value::Array(list) => {
            let numbered = (1..).zip(list);
            numbered
                .for_each(|(number, one)| collect(one, inner(&number.to_string()), whole, found));
        }
        value => found.push(RowEntry { key, value: plain(value), span: 0..whole.len() }),
    }
}

/// Splits a text at a separator into its parts without blanks around them, with their places.
pub fn split(text: &str, from: usize, separator: &[char]) -> Vec<(Range<usize>, String)> {
    let mut parts = Vec::new();
    let mut at = from;
    for part in text.split(separator) {
        let start = at + part.len() - part.trim_start().len();
        parts.push((start..start + part.trim().len(), part.trim().to_string()));
        at += part.len() + 1;
    }
    parts
}

/// Returns whether a word has the form of the name of a hex, such as `K5` or `yK5`.
pub fn is_hex_name(word: &str) -> bool {
    let column = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = word.len() - column.len();
    (1..=3).contains(&digits)
        && column.ends_with(|letter: char| letter.is_ascii_alphabetic())
        && column.chars().all(|letter| letter.is_ascii_alphanumeric())
}
