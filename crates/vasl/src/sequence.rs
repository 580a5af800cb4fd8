//! Nested lists in one text. Each level has its own separator, which a backslash escapes in an
//! item. Backslashes are not doubled. Items that would be misread are put in single quotes.

use std::borrow::Cow;

use engine::text::Fault;

/// Splits a list into its items.
///
/// # Examples
///
/// ```
/// use lowcrawl_vasl::sequence::split;
///
/// assert_eq!(split(r"a\;b;c", ';').collect::<Vec<_>>(), ["a;b", "c"]);
/// ```
pub fn split(text: &str, between: char) -> Split<'_> {
    Split { rest: Some(text), between }
}

/// An iterator over the items of a list. A text without the separator is one item.
pub struct Split<'a> {
    rest: Option<&'a str>,
    between: char,
}

impl<'a> Iterator for Split<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Cow<'a, str>> {
        let text = self.rest.take()?;
        let mut item: Cow<str> = Cow::Borrowed("");
        let mut from = 0;
        for (at, letter) in text.match_indices(self.between) {
            if !text[..at].ends_with('\\') {
                self.rest = Some(&text[at + letter.len()..]);
                item += &text[from..at];
                return Some(unquoted(item));
            }
            item += &text[from..at - 1];
            from = at;
        }
        item += &text[from..];
        Some(unquoted(item))
    }
}

fn unquoted(item: Cow<str>) -> Cow<str> {
    let is_quoted = item.len() > 1 && item.starts_with('\'') && item.ends_with('\'');
    match item {
        Cow::Borrowed(text) if is_quoted => Cow::Borrowed(&text[1..text.len() - 1]),
        Cow::Owned(text) if is_quoted => Cow::Owned(text[1..text.len() - 1].to_string()),
        item => item,
    }
}

const BETWEEN: char = '\u{1b}';
/// The prefix of a command that a log plays.
const LOGGED: &str = "LOG\t";
/// The maximum nesting of commands; real files have three levels.
const DEEPEST: usize = 64;

/// Calls `take` with each command of a text. The flag is true for commands that a log plays.
///
/// # Errors
///
/// Fails if the commands are nested too deeply.
pub fn each(text: &str, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    each_within(text, 0, take)
}

fn each_within(text: &str, depth: usize, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    if depth > DEEPEST {
        return Err(Fault::new(
            format!("the saved game is damaged: commands are nested more than {DEEPEST} deep"),
            0..0,
        ));
    }
    let mut parts = split(text, BETWEEN);
    let first = parts.next().unwrap_or_default();
    if first == text {
        match text.strip_prefix(LOGGED) {
            Some(logged) => take(logged, true),
            None if !text.is_empty() => take(text, false),
            None => {}
        }
        return Ok(());
    }
    std::iter::once(first).chain(parts).try_for_each(|part| each_within(&part, depth + 1, take))
}
