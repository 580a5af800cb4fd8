//! Formats options, words and examples as text for a command line.

use std::fmt::Display;

/// Returns an option with its value, after a blank.
pub fn typed(option: &str, text: &str) -> String {
    if text.contains(' ') {
        format!(" --{option} \"{text}\"")
    } else {
        format!(" --{option} {text}")
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
