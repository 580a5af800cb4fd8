//! TOML as values with their places.

use toml::de::{DeTable, DeValue};

use engine::text::notation::Notation;
use engine::text::{Fault, MOST_FILE, within};
use system::field::Given;
use system::nested::Keyed;
use system::node::{Entry, Node, Place, Raw, Spanned};

/// A table with keys that the kind of question says: fields, and what `F` has beside them.
pub type Asked<F = system::draft::NoFields> = Keyed<String, Node, F>;

/// Reads what a file of that sort can say: `a study`.
pub fn read<G: Given>(source: &str, sort: &str) -> Result<G, Fault> {
    G::read_node(sort, &node(source, sort)?)
}

/// A file of that sort as a table.
pub fn node(source: &str, sort: &str) -> Result<Node, Fault> {
    Ok(Node::new(Raw::Table(file(source)?), Place::whole(0..0), sort.to_string(), Notation::Toml))
}

/// The entries of a file.
pub fn file(source: &str) -> Result<Vec<Entry>, Fault> {
    within("the file", source.len(), MOST_FILE)?;
    let document = DeTable::parse(source);
    let fault = |error: toml::de::Error| {
        Fault::new(error.message().trim().to_string(), error.span().unwrap_or(0..0))
    };
    document.map(|document| entries(source, "", document.get_ref())).map_err(fault)
}

/// The place of a key of a file.
pub fn key(source: &str, name: &str) -> Option<Place> {
    let entries = file(source).ok()?;
    entries.into_iter().find(|(key, _)| key.value == name).map(|(key, _)| key.place)
}

/// The value of a key.
pub fn entry<'a>(entries: &'a [Entry], name: &str) -> Option<&'a Node> {
    entries.iter().find(|(key, _)| key.value == name).map(|(_, node)| node)
}

/// The entries of a table, as they stand in the file; `path` leads to it.
fn entries(source: &str, path: &str, table: &DeTable) -> Vec<Entry> {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let name = key.get_ref().to_string();
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let node = value_of(source, &path, value, format!("[{path}]"));
            (Spanned { value: name, place: Place::whole(key.span()) }, node)
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.place.span.start);
    entries
}

fn value_of(source: &str, path: &str, value: &toml::Spanned<DeValue>, title: String) -> Node {
    let each = |each| value_of(source, path, each, format!("[[{path}]]"));
    let raw = match value.get_ref() {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            i64::from_str_radix(&digits, number.radix())
                .map_or(Raw::Other("a number that is too big"), Raw::Integer)
        }
        DeValue::Float(number) => number
            .as_str()
            .replace('_', "")
            .parse()
            .map_or(Raw::Other("a decimal number"), Raw::Decimal),
        DeValue::Boolean(value) => Raw::Boolean(*value),
        DeValue::Datetime(_) => Raw::Other("a date"),
        DeValue::Array(values) => Raw::List(values.iter().map(each).collect()),
        DeValue::Table(table) => Raw::Table(entries(source, path, table)),
    };
    let place = match &raw {
        Raw::Text(text) => Place::of_text(source, value.span(), text),
        _ => Place::whole(value.span()),
    };
    Node::new(raw, place, title, Notation::Toml)
}
