//! Lists in one text, each level with a letter of its own between items: before that letter inside
//! an item stands a backslash. Backslashes are not doubled; an item that a reader would misread is
//! put in single quotes.

use std::borrow::Cow;

/// The items of a list.
pub fn split(text: &str, between: char) -> Split<'_> {
    Split { rest: Some(text), between }
}

/// The items of a list, one after the other; a text without the letter is one item.
pub struct Split<'a> {
    rest: Option<&'a str>,
    between: char,
}

impl<'a> Split<'a> {
    /// What has not been read, as it stands.
    pub fn rest(&self) -> Option<&'a str> {
        self.rest
    }
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

/// An item without the quotes around it.
fn unquoted(item: Cow<str>) -> Cow<str> {
    let is_quoted = item.len() > 1 && item.starts_with('\'') && item.ends_with('\'');
    match item {
        Cow::Borrowed(text) if is_quoted => Cow::Borrowed(&text[1..text.len() - 1]),
        Cow::Owned(text) if is_quoted => Cow::Owned(text[1..text.len() - 1].to_string()),
        item => item,
    }
}

/// A list of items as one text.
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
    fn items_come_back() {
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
            // Once more inside a list of lists.
            let nested = join([&text, "x"], ';');
            let outer: Vec<_> = split(&nested, ';').collect();
            assert_eq!(outer, [text.as_str(), "x"], "{nested}");
        }
        assert_eq!(join(["a;b", "c"], ';'), "a\\;b;c");
        assert_eq!(split("a;", ';').collect::<Vec<_>>(), ["a", ""]);
    }
}
