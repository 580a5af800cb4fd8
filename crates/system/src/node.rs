//! A file as it is read, whatever notation it is in: values, lists and tables, each with its place.

use std::ops::Range;

use super::form::Value;
use engine::text::Fault;
use engine::text::notation::Notation;

/// Where something stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub span: Range<usize>,
    /// Where the places of faults in it are counted from: of a text that stands in the file as it
    /// is read its first letter, of lists and tables the file itself. Of all else faults have the
    /// whole.
    from: Option<usize>,
}

impl Place {
    /// Of something that is blamed as a whole.
    pub fn whole(span: Range<usize>) -> Place {
        Place { span, from: None }
    }

    /// Of a text in the file `source`: of one that is escaped there parts have no place.
    pub fn of_text(source: &str, span: Range<usize>, text: &str) -> Place {
        let raw = source.get(span.clone()).unwrap_or("");
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        // The first line of a text in three quotes may be empty, and is left out.
        let begin = [0, 1, 2].map(|line| quotes + line).into_iter().find(|&begin| {
            let inner = raw.get(begin..raw.len().saturating_sub(quotes));
            inner == Some(text)
                && raw[quotes..begin].chars().all(|letter| letter == '\r' || letter == '\n')
        });
        Place { from: begin.map(|begin| span.start + begin), span }
    }

    /// Of a text by itself, each of its parts where it stands.
    pub fn of_argument(text: &str) -> Place {
        Place { span: 0..text.len(), from: Some(0) }
    }

    /// The place of a part of it.
    pub fn part(&self, part: Range<usize>) -> Range<usize> {
        match self.from {
            Some(from) if !part.is_empty() => from + part.start..from + part.end,
            _ => self.span.clone(),
        }
    }

    /// A fault of it or in it, at its place in the file.
    pub fn blamed(&self, fault: Fault) -> Fault {
        Fault { span: self.part(fault.span), ..fault }
    }

    /// A fault of the whole.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message, self.span.clone())
    }
}

/// Something read from a file, with its place.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    pub value: T,
    pub place: Place,
}

/// A key with its value.
pub type Entry = (Spanned<String>, Node);

/// A value of a file.
#[derive(Clone, Debug)]
pub struct Node {
    pub raw: Raw,
    pub place: Place,
    /// What a table in its place is called: `[map.hexes]`, `[[rout]]`.
    pub title: String,
    /// What it is read from.
    pub notation: Notation,
}

/// What stands in a file.
#[derive(Clone, Debug)]
pub enum Raw {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Decimal(f64),
    /// What no field takes, in words.
    Other(&'static str),
    List(Vec<Node>),
    /// As its entries stand in the file.
    Table(Vec<Entry>),
}

impl Node {
    /// A value; `place` is that of a text or a number, or where a list or table begins.
    pub fn new(raw: Raw, place: Place, title: String, notation: Notation) -> Node {
        let from = if matches!(raw, Raw::List(_) | Raw::Table(_)) { Some(0) } else { place.from };
        Node { raw, place: Place { from, ..place }, title, notation }
    }

    /// The value as a field takes it; none of lists, tables and what no field takes.
    pub fn value(&self) -> Option<Value<'_>> {
        match &self.raw {
            Raw::Text(text) => Some(Value::Text(text)),
            Raw::Integer(number) => Some(Value::Integer(*number)),
            Raw::Boolean(value) => Some(Value::Boolean(*value)),
            Raw::Decimal(_) | Raw::Other(_) | Raw::List(_) | Raw::Table(_) => None,
        }
    }

    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self.raw {
            Raw::Text(_) => "a text",
            Raw::Integer(_) => "a whole number",
            Raw::Boolean(_) => "true or false",
            Raw::Decimal(_) => "a decimal number",
            Raw::Other(kind) => kind,
            Raw::List(_) => "a list",
            Raw::Table(_) => self.notation.table(),
        }
    }

    /// The values of a list, or the one value.
    pub fn each(&self) -> &[Node] {
        match &self.raw {
            Raw::List(nodes) => nodes,
            _ => std::slice::from_ref(self),
        }
    }

    /// The entries of a table, which must be one.
    pub fn entries(&self, field: &str) -> Result<&[Entry], Fault> {
        match &self.raw {
            Raw::Table(entries) => Ok(entries),
            _ => {
                // It is told how a file writes the table.
                let written = if self.notation == Notation::Toml {
                    format!(" `{}`,", self.title)
                } else {
                    String::new()
                };
                let table = self.notation.table();
                Err(self
                    .place
                    .fault(format!("`{field}` must be {table},{written} not {}", self.kind())))
            }
        }
    }
}
