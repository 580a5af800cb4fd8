//! Formats options, words and examples as they are typed on a command line.

use schema::form::RawValue;

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

/// Returns the end of a help text: how the input is written, then the examples.
pub fn with_examples(help: &str, examples: &[impl AsRef<str>]) -> String {
    let lines = examples.iter().map(|line| format!("\n  {}", line.as_ref())).collect::<String>();
    match (help, examples.is_empty()) {
        (help, true) => help.to_string(),
        ("", false) => format!("Examples:{lines}"),
        (help, false) => format!("{help}\n\nExamples:{lines}"),
    }
}
