//! Tables of cases and fields of questions, written as text.
#![allow(dead_code)]

use lowcrawl::schema::RawValue;

/// Returns the rows of a table: one row a line, with its cells between `|`. Empty lines, and lines
/// that begin with `#`, are skipped.
pub fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    let lines = table.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        cells.try_into().unwrap_or_else(|cells| panic!("{cells:?} are not {N} cells"))
    })
}

/// Parses fields such as `leader=8-1; phases=3; hob`. A field without a value is true.
pub fn fields(text: &str) -> Vec<(&str, RawValue<'_>)> {
    let fields = text.split(';').map(str::trim).filter(|field| !field.is_empty());
    fields
        .map(|field| field.split_once('=').unwrap_or((field, "true")))
        .map(|(name, word)| (name, value(word)))
        .collect()
}

/// Parses the value of a field: a Boolean, a whole number, or a text, which may stand in quotes.
pub fn value(word: &str) -> RawValue<'_> {
    match (word, word.parse()) {
        ("true" | "false", _) => RawValue::Boolean(word == "true"),
        (_, Ok(number)) => RawValue::Integer(number),
        _ => RawValue::Text(word.trim_matches('\'')),
    }
}
