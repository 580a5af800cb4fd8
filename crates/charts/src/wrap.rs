//! Wrapping of texts into lines.

/// Joins words by `gap` into lines, as many in each as `fits` allows. `start` returns the line that
/// begins with a word, or several lines if the word is longer than one.
pub fn in_lines<'a>(
    words: impl IntoIterator<Item = &'a str>,
    gap: &str,
    fits: impl Fn(&str) -> bool,
    mut start: impl FnMut(&str) -> Vec<String>,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line}{gap}{word}")) => *line += &format!("{gap}{word}"),
            _ => lines.extend(start(word)),
        }
    }
    lines
}
