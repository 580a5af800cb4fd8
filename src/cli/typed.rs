//! Values as they are typed, and typed again.

use system::form::Value;

/// An option as it would be typed.
pub fn typed(field: &str, value: &Value) -> String {
    match value {
        Value::Boolean(true) => format!(" --{field}"),
        Value::Boolean(false) => String::new(),
        Value::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        Value::Text(text) => format!(" --{field} {text}"),
        Value::Integer(number) => format!(" --{field} {number}"),
    }
}

/// A word as it would be typed.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}
