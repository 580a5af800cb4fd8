//! JSON as values with source positions.
//!
//! A value is first kept as a piece of the whole text, which gives its position.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Entry, Node, Raw, SourcePosition, Spanned};
use super::size::{Part, Size};
use engine::text::notation::Notation;
use engine::text::{Fault, MOST_FILE, within};

/// The largest depth of nested lists and objects. No request needs more than five.
const MOST_DEEP: usize = 32;

/// Parses a JSON text. `title` names the whole value in messages, such as `a request`.
///
/// # Errors
///
/// Fails with a [`Fault`] at the position where the text is too long, not JSON, nested too deeply,
/// or repeats a key.
///
/// # Examples
///
/// ```
/// use lowcrawl_schema::from_json::node;
///
/// assert_eq!(node("[1, 2]", "a request").unwrap().kind(), "a list");
/// assert_eq!(node("[1,, 2]", "a request").unwrap_err().span, 3..4);
/// ```
pub fn node(source: &str, title: &str) -> Result<Node, Fault> {
    within("the request", source.len(), MOST_FILE)?;
    let whole: &RawValue = serde_json::from_str(source).map_err(|error| {
        let start = offset(source, &error);
        let letter = source[start..].chars().next();
        let (message, help) = words(&error, letter, title);
        let fault =
            Fault::new(message, start..letter.map_or(start, |letter| start + letter.len_utf8()));
        if help.is_empty() { fault } else { fault.help(help) }
    })?;
    Reader { source, size: RefCell::default() }.node(whole, "", title, MOST_DEEP)
}

/// Translates an error of serde_json at the character `letter` into a message and advice.
fn words(error: &serde_json::Error, letter: Option<char>, title: &str) -> (String, &'static str) {
    let text = error.to_string();
    let text = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
    let (message, help) = match text {
        text if text.starts_with("EOF") => match text {
            "EOF while parsing a list" => (text, "close it with `]`"),
            "EOF while parsing an object" => (text, "close it with `}`"),
            "EOF while parsing a string" => (text, "close it with `\"`"),
            _ => ("EOF while parsing a value", ""),
        },
        "trailing characters" => {
            return (format!("trailing characters after {title}"), "write one request per line");
        }
        "key must be a string" if letter == Some('}') => ("trailing comma", "remove the comma"),
        "key must be a string" => (text, "{\"kind\": \"rally\"}"),
        "expected value" if letter == Some(']') => ("trailing comma in a list", "remove the comma"),
        "expected value" | "expected ident" => (
            "expected value",
            "a JSON value is a string in double quotes, a number, true, false, null, [...] or {...}",
        ),
        "expected `:`" => ("expected `:` between a key and its value", ""),
        "expected `,` or `}`" => (text, "separate the entries of an object with commas"),
        "expected `,` or `]`" => (text, "separate the values of a list with commas"),
        "invalid escape" => (text, "write a single backslash as `\\\\`"),
        "invalid number" => (
            text,
            "write digits without a leading 0 or +, and at least one before the decimal point",
        ),
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            ("incomplete Unicode escape", "this `\\u` must be followed by a second `\\u`")
        }
        text if text.starts_with("control character") => {
            ("control character in a string", "write a line break as `\\n`")
        }
        text => (text, ""),
    };
    (message.to_string(), help)
}

/// Returns the byte offset of an error in its text, moved back to the start of a character.
fn offset(source: &str, error: &serde_json::Error) -> usize {
    let lines: usize =
        source.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = (lines + error.column().saturating_sub(1)).min(source.len());
    (0..=at).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0)
}

/// The entries of an object in source order, including repeated keys.
struct Pairs<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Pairs<'de>, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    pairs.push((key, value));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

struct Reader<'a> {
    source: &'a str,
    size: RefCell<Size>,
}

impl<'a> Reader<'a> {
    /// Returns the byte range of a piece, which must be a slice of the source.
    fn span(&self, piece: &str) -> Range<usize> {
        let start = piece.as_ptr() as usize - self.source.as_ptr() as usize;
        start..start + piece.len()
    }

    fn node(
        &self,
        value: &'a RawValue,
        path: &str,
        title: &str,
        deep: usize,
    ) -> Result<Node, Fault> {
        let text = value.get();
        let span = self.span(text);
        let part = if text.starts_with('{') { Part::Table } else { Part::Value };
        self.size.borrow_mut().add(part, Notation::Json, span.start..span.start + 1)?;
        let fault =
            |error: serde_json::Error| Fault::new(words(&error, None, title).0, span.clone());
        let raw = match text.as_bytes().first() {
            Some(b'[' | b'{') if deep == 0 => {
                return Err(Fault::new(
                    format!("lists and objects are at most {MOST_DEEP} deep"),
                    span,
                ));
            }
            Some(b'"') => Raw::Text(serde_json::from_str(text).map_err(fault)?),
            Some(b't') => Raw::Boolean(true),
            Some(b'f') => Raw::Boolean(false),
            Some(b'n') => Raw::Other("null"),
            Some(b'[') => {
                let pieces: Vec<&RawValue> = serde_json::from_str(text).map_err(fault)?;
                Raw::List(
                    pieces
                        .into_iter()
                        .map(|piece| self.node(piece, path, title, deep - 1))
                        .collect::<Result<_, _>>()?,
                )
            }
            Some(b'{') => Raw::Table(self.entries(
                serde_json::from_str(text).map_err(fault)?,
                &span,
                path,
                deep - 1,
            )?),
            _ if text.contains(['.', 'e', 'E']) => {
                Raw::Decimal(text.parse().unwrap_or(f64::INFINITY))
            }
            _ => text.parse().map_or(Raw::Other("a number that is too big"), Raw::Integer),
        };
        let place = match &raw {
            Raw::Text(inner) => SourcePosition::of_text(self.source, span, inner),
            _ => SourcePosition::whole(span),
        };
        Ok(Node::new(raw, place, title.to_string(), Notation::Json))
    }

    fn entries(
        &self,
        Pairs(pairs): Pairs<'a>,
        whole: &Range<usize>,
        path: &str,
        deep: usize,
    ) -> Result<Vec<Entry>, Fault> {
        let (mut entries, mut known): (Vec<Entry>, _) = (Vec::new(), HashSet::new());
        for (key, value) in pairs {
            // A key with escapes is no piece of the source, so its table's position is used.
            let place = match key {
                Cow::Borrowed(key) => SourcePosition::whole(self.span(key)),
                Cow::Owned(_) => SourcePosition::whole(whole.clone()),
            };
            if !known.insert(key.to_string()) {
                return Err(place.fault(format!("duplicate key `{key}`")).help("keep one of them"));
            }
            let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            let node = self.node(value, &path, &format!("`{path}`"), deep)?;
            entries.push((Spanned { value: key.into_owned(), place }, node));
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source text at the position of each key of a table, and of its value.
    fn snippets(node: &Node, source: &str) -> Vec<(String, String)> {
        let entries = node.entries("it").unwrap();
        entries
            .iter()
            .map(|(key, node)| {
                (source[key.place.span.clone()].into(), source[node.place.span.clone()].into())
            })
            .collect()
    }

    #[test]
    fn every_value_has_its_place() {
        let source = r#" {"stack": "4-6-7/dm", "mc" : 1, "ptc":false,
            "step": [{"do": "fire", "fp": 4.5}], "none": null, "long": 123456789012345678901}"#;
        let node = node(source, "a request").unwrap();
        let pairs = snippets(&node, source);
        assert_eq!(pairs[0], ("stack".to_string(), "\"4-6-7/dm\"".to_string()));
        assert_eq!(pairs[1], ("mc".to_string(), "1".to_string()));
        let kinds: Vec<&str> =
            node.entries("it").unwrap().iter().map(|(_, node)| node.kind()).collect();
        assert_eq!(
            kinds,
            [
                "a text",
                "a whole number",
                "true or false",
                "a list",
                "null",
                "a number that is too big"
            ]
        );
        let (_, stack) = &node.entries("it").unwrap()[0];
        assert_eq!(&source[stack.place.part(6..8)], "dm");
        let step = &node.entries("it").unwrap()[3].1;
        assert_eq!(self::snippets(&step.each()[0], source)[1].1, "4.5");
        assert_eq!(step.title, "`step`");
    }

    #[test]
    fn invalid_json_is_refused_with_its_place() {
        for (source, message, at) in [
            ("", "EOF while parsing a value", ""),
            ("{\"a\": 1", "EOF while parsing an object", "1"),
            ("{\"a\": 1,}", "trailing comma", "}"),
            ("{\"a\": 1} x", "trailing characters after a request", "x"),
            ("{\"a\": tru}", "expected value", "}"),
            ("{\"a\": 1, \"a\": 2}", "duplicate key `a`", "a"),
            ("{\"ä\": nul}", "expected value", "}"),
        ] {
            let fault = node(source, "a request").unwrap_err();
            assert_eq!((fault.message.as_str(), &source[fault.span]), (message, at), "{source}");
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(
            node(&deep, "a request").unwrap_err().message,
            "lists and objects are at most 32 deep"
        );
    }
}
