//! Formats options and words as they are typed on a command line.

use system::form::RawValue;

/// Returns an option with its value; empty for a flag that is false.
pub fn typed(field: &str, value: &RawValue) -> String {
    match value {
        RawValue::Boolean(true) => format!(" --{field}"),
        RawValue::Boolean(false) => String::new(),
        RawValue::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        RawValue::Text(text) => format!(" --{field} {text}"),
        RawValue::Integer(number) => format!(" --{field} {number}"),
    }
}

/// Returns a word, in quotes if it has white space.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}
