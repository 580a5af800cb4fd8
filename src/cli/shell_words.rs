//! Formats options, words and examples as text for a command line.

use std::fmt::Display;

use schema::RawValue;

/// Returns an option with its value, after a blank; a flag that is false gives an empty text.
pub fn typed(field: &str, value: &RawValue) -> String {
    match value {
        RawValue::Boolean(true) => format!(" --{field}"),
        RawValue::Boolean(false) => String::new(),
        RawValue::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        RawValue::Text(text) => format!(" --{field} {text}"),
        RawValue::Integer(number) => format!(" --{field} {number}"),
    }
}

/// Returns a word, in double quotes if it contains white space.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}

/// Returns an option with each of its values, after blanks. Words are quoted as by [`quoted`].
pub fn repeated<T: Display>(option: &str, values: impl IntoIterator<Item = T>) -> String {
    let word = |value: T| format!(" --{option} {}", quoted(&value.to_string()));
    values.into_iter().map(word).collect()
}

/// Returns the end of a help text: the paragraphs `help`, then the examples.
pub fn with_examples(help: &str, examples: &[impl AsRef<str>]) -> String {
    let lines = examples.iter().map(|line| format!("\n  {}", line.as_ref())).collect::<String>();
    match (help, examples.is_empty()) {
        (help, true) => help.to_string(),
        ("", false) => format!("Examples:{lines}"),
        (help, false) => format!("{help}\n\nExamples:{lines}"),
    }
}
