//! Values, lists and tables read from a file in any notation (TOML, JSON), each with its position.

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value as Json;

use super::form::RawValue;
use engine::text::Fault;
use engine::text::notation::Notation;

/// Position of a value in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    pub span: Range<usize>,
    /// Byte offset of spans in the value: a text's first letter, else 0; `None` covers it all.
    from: Option<usize>,
    /// Places of the parts of tables that have been written as one JSON text.
    parts: Option<Arc<[PartPosition]>>,
}

/// A part of tables written as one JSON text: its byte range there, and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PartPosition {
    written: Range<usize>,
    place: SourcePosition,
}

impl SourcePosition {
    /// Creates the position of a value whose faults always cover the whole value.
    pub fn whole(span: Range<usize>) -> SourcePosition {
        SourcePosition { span, from: None, parts: None }
    }

    /// Creates the position of a text in `source`. With escapes, faults cover the whole text.
    pub fn of_text(source: &str, span: Range<usize>, text: &str) -> SourcePosition {
        let raw = source.get(span.clone()).unwrap_or("");
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        // A text in three quotes may begin with a line break, which is not part of the text.
        let begin = [0, 1, 2].map(|line| quotes + line).into_iter().find(|&begin| {
            let inner = raw.get(begin..raw.len().saturating_sub(quotes));
            inner == Some(text)
                && raw[quotes..begin].chars().all(|letter| letter == '\r' || letter == '\n')
        });
        SourcePosition { from: begin.map(|begin| span.start + begin), span, parts: None }
    }

    /// Returns the position of a text that is the whole source.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_schema::node::SourcePosition;
    ///
    /// assert_eq!(SourcePosition::of_argument("two squads").part(4..10), 4..10);
    /// assert_eq!(SourcePosition::whole(7..19).part(4..10), 7..19);
    /// ```
    pub fn of_argument(text: &str) -> SourcePosition {
        SourcePosition { span: 0..text.len(), from: Some(0), parts: None }
    }

    /// Returns the byte range in the file of a part, or of the whole value if unknown.
    pub fn part(&self, part: Range<usize>) -> Range<usize> {
        if let Some(parts) = &self.parts {
            let contains = |one: &&PartPosition| {
                one.written.start <= part.start && part.end <= one.written.end
            };
            let nearest = parts.iter().filter(contains).min_by_key(|one| one.written.len());
            return nearest.map_or(self.span.clone(), |one| {
                // A text begins after its quote.
                let within = |at: usize| at.saturating_sub(one.written.start + 1);
                let is_whole = one.place.parts.is_none() && one.written == part;
                match one.place.from {
                    Some(_) if !is_whole => one.place.part(within(part.start)..within(part.end)),
                    _ => one.place.span.clone(),
                }
            });
        }
        match self.from {
            Some(from) if !part.is_empty() => from + part.start..from + part.end,
            _ => self.span.clone(),
        }
    }

    /// Converts the span of a fault from bytes of the value to bytes of the file.
    pub fn blamed(&self, fault: Fault) -> Fault {
        Fault { span: self.part(fault.span), ..fault }
    }

    /// Creates a fault that covers the whole value.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message, self.span.clone())
    }

    /// Creates the fault that two keys exclude each other, at one of them.
    pub fn either(&self, one: &str, other: &str) -> Fault {
        self.fault(either(one, other)).help("remove one of them")
    }
}

/// Returns the message that two keys or options exclude each other.
pub fn either(one: &str, other: &str) -> String {
    format!("use either `{one}` or `{other}`, not both")
}

/// A value read from a file, with its position.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    pub value: T,
    pub place: SourcePosition,
}

/// A key of a table, and its value.
pub type Entry = (Spanned<String>, Node);

/// A value, list or table of a file, with its position.
#[derive(Clone, Debug)]
pub struct Node {
    pub raw: Raw,
    pub place: SourcePosition,
    /// Header that would start a table at this position: `[map.hexes]`, `[[rout]]`.
    pub title: String,
    pub notation: Notation,
}

/// Content of a value.
#[derive(Clone, Debug)]
pub enum Raw {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Decimal(f64),
    /// A value that no field accepts, such as a date. The text describes its type.
    Other(&'static str),
    List(Vec<Node>),
    /// A table, with its entries in the order of the file.
    Table(Vec<Entry>),
}

impl Node {
    /// Creates a value. For a list or table, `place` is the position of its start.
    pub fn new(raw: Raw, place: SourcePosition, title: String, notation: Notation) -> Node {
        let from = if matches!(raw, Raw::List(_) | Raw::Table(_)) { Some(0) } else { place.from };
        Node { raw, place: SourcePosition { from, ..place }, title, notation }
    }

    /// Returns the value as fields accept it: no lists, tables, decimal numbers or [`Raw::Other`].
    pub fn value(&self) -> Option<RawValue<'_>> {
        match &self.raw {
            Raw::Text(text) => Some(RawValue::Text(text)),
            Raw::Integer(number) => Some(RawValue::Integer(*number)),
            Raw::Boolean(value) => Some(RawValue::Boolean(*value)),
            Raw::Decimal(_) | Raw::Other(_) | Raw::List(_) | Raw::Table(_) => None,
        }
    }

    /// Writes tables as one JSON text, with a position that finds each part in the file.
    pub fn to_json_text(&self) -> (String, SourcePosition) {
        let (mut text, mut parts) = (String::new(), Vec::new());
        self.write_json(&mut text, &mut parts);
        let place =
            SourcePosition { span: self.place.span.clone(), from: None, parts: Some(parts.into()) };
        (text, place)
    }

    fn write_json(&self, text: &mut String, parts: &mut Vec<PartPosition>) {
        let start = text.len();
        match &self.raw {
            Raw::Text(value) => *text += &Json::from(value.as_str()).to_string(),
            Raw::Integer(number) => *text += &number.to_string(),
            Raw::Boolean(value) => *text += &value.to_string(),
            Raw::Decimal(number) => *text += &Json::from(*number).to_string(),
            Raw::Other(kind) => *text += &Json::from(*kind).to_string(),
            Raw::List(nodes) => {
                text.push('[');
                for (place, node) in nodes.iter().enumerate() {
                    if place > 0 {
                        text.push(',');
                    }
                    node.write_json(text, parts);
                }
                text.push(']');
            }
            Raw::Table(entries) => {
                text.push('{');
                for (place, (key, node)) in entries.iter().enumerate() {
                    if place > 0 {
                        text.push(',');
                    }
                    let start = text.len();
                    *text += &Json::from(key.value.as_str()).to_string();
                    let place = SourcePosition { from: None, ..key.place.clone() };
                    parts.push(PartPosition { written: start..text.len(), place });
                    text.push(':');
                    node.write_json(text, parts);
                }
                text.push('}');
            }
        }
        let unescaped = |value: &String| text.len() - start == value.len() + 2;
        let is_plain = matches!(&self.raw, Raw::Text(value) if unescaped(value));
        let from = self.place.from.filter(|_| is_plain);
        let place = SourcePosition { from, ..self.place.clone() };
        parts.push(PartPosition { written: start..text.len(), place });
    }

    /// Returns a description of the value's type: `a whole number`.
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

    /// Returns the values of a list, or a single value as a list of one.
    pub fn each(&self) -> &[Node] {
        match &self.raw {
            Raw::List(nodes) => nodes,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the entries of a table. `field` names the value in the error.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a table.
    pub fn entries(&self, field: &str) -> Result<&[Entry], Fault> {
        match &self.raw {
            Raw::Table(entries) => Ok(entries),
            _ => {
                // The message shows how the notation of the file starts such a table.
                let written = match self.notation {
                    Notation::Toml => format!(" `{}`,", self.title),
                    _ => String::new(),
                };
                let (table, kind) = (self.notation.table(), self.kind());
                Err(self.place.fault(format!("`{field}` must be {table},{written} not {kind}")))
            }
        }
    }
}
