//! Formats options and words as they are typed on a command line.

use system::form::Value;

/// Returns an option with its value; empty for a flag that is false.
pub fn typed(field: &str, value: &Value) -> String {
    match value {
        Value::Boolean(true) => format!(" --{field}"),
        Value::Boolean(false) => String::new(),
        Value::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        Value::Text(text) => format!(" --{field} {text}"),
        Value::Integer(number) => format!(" --{field} {number}"),
    }
}

/// Returns a word, in quotes if it has white space.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}
