//! Nested lists in one text. Each level has its own separator, and a separator inside an item is
//! escaped by a backslash. Backslashes are not doubled. An item that would be misread is put in
//! single quotes.

use std::borrow::Cow;

/// Splits a list into its items.
///
/// # Examples
///
/// ```
/// use lowcrawl_vasl::sequence::{join, split};
///
/// let text = join(["a;b", "c"], ';');
/// assert_eq!(text, r"a\;b;c");
/// assert_eq!(split(&text, ';').collect::<Vec<_>>(), ["a;b", "c"]);
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

/// Joins items to a list.
pub fn join<T: AsRef<str>>(items: impl IntoIterator<Item = T>, between: char) -> String {
    let escaped = format!("\\{between}");
    let item = |item: T| {
        let item = item.as_ref();
        let text = item.replace(between, &escaped);
        let is_misread = item.starts_with('\\')
            || item.ends_with('\\')
            || item.starts_with('\'') && item.ends_with('\'');
        if is_misread { format!("'{text}'") } else { text }
    };
    items.into_iter().map(item).collect::<Vec<_>>().join(&between.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_items_split_unchanged() {
        let lists: [&[&str]; 8] = [
            &["a", "b"],
            &["a;b", "", "c"],
            &["", ""],
            &["\\", "x"],
            &["'q'", "'"],
            &["a\\", "b"],
            &["\\;", ";", "a;;b"],
            &["one"],
        ];
        for list in lists {
            let text = join(list, ';');
            assert_eq!(split(&text, ';').collect::<Vec<_>>(), *list, "{text}");
            // Nested in another list.
            let nested = join([&text, "x"], ';');
            let outer: Vec<_> = split(&nested, ';').collect();
            assert_eq!(outer, [text.as_str(), "x"], "{nested}");
        }
        assert_eq!(join(["a;b", "c"], ';'), "a\\;b;c");
        assert_eq!(split("a;", ';').collect::<Vec<_>>(), ["a", ""]);
    }
}
