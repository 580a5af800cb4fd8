//! Formats options, words and examples as text for a command line.

use std::fmt::Display;

use render::layout::{WIDTH, wrapped_line};

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
    let lines = examples.iter().map(|line| format!("\n  {}", continued(line.as_ref())));
    let lines = lines.collect::<String>();
    // A list hangs in its second column; paragraphs are wrapped with the other help.
    let hung = |line: &str| match line.starts_with(' ') {
        true => wrapped_line(line),
        false => format!("{line}\n"),
    };
    let hung: String = help.lines().map(hung).collect();
    match (hung.trim_end(), examples.is_empty()) {
        (help, true) => help.to_string(),
        ("", false) => format!("Examples:{lines}"),
        (help, false) => format!("{help}\n\nExamples:{lines}"),
    }
}

/// The end of a line of an example that goes on below.
pub const GOES_ON: &str = " \\\n      ";

/// Breaks an example in front of options, so that its lines fit and can be typed as they stand.
fn continued(example: &str) -> String {
    let room = WIDTH - GOES_ON.len();
    let (mut text, mut rest) = (String::new(), example);
    while rest.chars().count() > room {
        let is_outside = |place: &usize| rest[..*place].matches(['"', '\'']).count() % 2 == 0;
        let breaks = rest.match_indices([' ']).map(|(place, _)| place).filter(is_outside);
        let (options, words): (Vec<usize>, Vec<usize>) = breaks
            .filter(|place| *place <= room)
            .partition(|place| rest[*place..].starts_with(" --"));
        let Some(&place) = options.last().or(words.last()) else { break };
        text += &rest[..place];
        text += GOES_ON;
        rest = &rest[place + 1..];
    }
    text + rest
}
