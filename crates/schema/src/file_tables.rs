//! Tables within files: each is read into a struct of fields, and all can be listed by their paths.

use std::collections::BTreeMap;

use serde_json::json;

use super::field::{Field, FieldValue, Fields, Json, NoFields, Takes};
use super::form::RawValue;
use super::node::{Node, Raw, SourcePosition, Spanned};
use engine::text::Fault;
use engine::text::notation::Notation;

/// A table with free keys, such as hexes by their terrain. It may have declared fields too.
#[derive(Clone, Debug)]
pub struct Keyed<K, V, F = NoFields> {
    pub fields: F,
    pub entries: Vec<(Spanned<K>, V)>,
}

impl<K, V, F: Default> Default for Keyed<K, V, F> {
    fn default() -> Keyed<K, V, F> {
        Keyed { fields: F::default(), entries: Vec::new() }
    }
}

impl<K: FieldValue, V: FieldValue, F: Fields> FieldValue for Keyed<K, V, F> {
    const TAKES: Takes = Takes::Keyed(&K::TAKES, &V::TAKES, || F::ALL);

    fn read(field: &str, value: RawValue) -> Result<Keyed<K, V, F>, Fault> {
        Err(no_table(field, value))
    }

    fn read_node(field: &str, node: &Node) -> Result<Keyed<K, V, F>, Fault> {
        let mut table: Keyed<K, V, F> = Keyed::default();
        for (key, node) in node.entries(field)? {
            if F::knows(&key.value) {
                table.fields.set_node(&key.value, node)?;
                continue;
            }
            let value = K::read(field, RawValue::Text(&key.value))
                .map_err(|fault| Fault { span: key.place.span.clone(), ..fault })?;
            let known = Spanned { value, place: key.place.clone() };
            table.entries.push((known, V::read_node(&key.value, node)?));
        }
        Ok(table)
    }

    /// Merges the lists of equivalent keys.
    fn to_json(&self) -> Json {
        let mut entries = self.fields.values_json();
        let mut others: BTreeMap<String, Json> = BTreeMap::new();
        for (key, value) in &self.entries {
            let name = match key.value.to_json() {
                Json::String(name) => name,
                other => other.to_string(),
            };
            match (others.get_mut(&name), value.to_json()) {
                (Some(Json::Array(all)), Json::Array(more)) => {
                    all.extend(more);
                    all.sort_by_key(Json::to_string);
                    all.dedup();
                }
                (_, value) => drop(others.insert(name, value)),
            }
        }
        entries.extend(others.into_iter().filter(|(_, value)| !value.is_null()));
        Json::Object(entries)
    }
}

impl<F: Fields> FieldValue for F {
    const TAKES: Takes = Takes::Table(|| F::ALL);

    fn read(field: &str, value: RawValue) -> Result<F, Fault> {
        Err(no_table(field, value))
    }

    /// Reads a table. The fault of an unknown key has the position of the key.
    fn read_node(field: &str, node: &Node) -> Result<F, Fault> {
        let mut fields = F::default();
        for (key, value) in node.entries(field)? {
            if !F::knows(&key.value) {
                let fault = key.place.fault(format!("{} has no key `{}`", node.title, key.value));
                return Err(fault.expecting(&key.value, F::ALL.iter().map(|field| field.name)));
            }
            fields.set_node(&key.value, value)?;
        }
        Ok(fields)
    }

    fn to_json(&self) -> Json {
        Json::Object(self.values_json())
    }
}

/// One value, or a list of values.
impl<G: FieldValue> FieldValue for Vec<G> {
    const TAKES: Takes = Takes::List(&G::TAKES);

    fn read(field: &str, value: RawValue) -> Result<Vec<G>, Fault> {
        G::read(field, value).map(|one| vec![one])
    }

    fn read_node(field: &str, node: &Node) -> Result<Vec<G>, Fault> {
        node.each().iter().map(|node| G::read_node(field, node)).collect()
    }

    fn to_json(&self) -> Json {
        if self.is_empty() { Json::Null } else { self.iter().map(G::to_json).collect() }
    }
}

impl<G: FieldValue> FieldValue for Spanned<G> {
    const TAKES: Takes = G::TAKES;
    const WHOLE: bool = G::WHOLE;

    fn read(field: &str, value: RawValue) -> Result<Spanned<G>, Fault> {
        G::read(field, value)
            .map(|read| Spanned { value: read, place: SourcePosition::whole(value.span()) })
    }

    fn read_node(field: &str, node: &Node) -> Result<Spanned<G>, Fault> {
        G::read_node(field, node).map(|value| Spanned { value, place: node.place.clone() })
    }

    fn to_json(&self) -> Json {
        self.value.to_json()
    }
}

/// Placeholder for a value of any type.
pub const ANYTHING: &str = "VALUE";

/// A value to be read later, when other parts of the file are known.
impl FieldValue for Node {
    const TAKES: Takes = Takes::Text(ANYTHING);

    fn read(_: &str, value: RawValue) -> Result<Node, Fault> {
        let raw = match value {
            RawValue::Text(text) => Raw::Text(text.to_string()),
            RawValue::Integer(number) => Raw::Integer(number),
            RawValue::Boolean(value) => Raw::Boolean(value),
        };
        Ok(Node::new(raw, SourcePosition::whole(value.span()), String::new(), Notation::Words))
    }

    fn read_node(_: &str, node: &Node) -> Result<Node, Fault> {
        Ok(node.clone())
    }

    /// Returns the value unchanged, except that tables are sorted by key.
    fn to_json(&self) -> Json {
        match &self.raw {
            Raw::Text(text) => json!(text),
            Raw::Integer(number) => json!(number),
            Raw::Boolean(value) => json!(value),
            Raw::Decimal(number) => json!(number),
            Raw::Other(_) => Json::Null,
            Raw::List(list) => list.iter().map(Node::to_json).collect(),
            Raw::Table(entries) => {
                let entries: BTreeMap<_, _> =
                    entries.iter().map(|(key, node)| (key.value.clone(), node.to_json())).collect();
                Json::Object(entries.into_iter().collect())
            }
        }
    }
}

fn no_table(field: &str, value: RawValue) -> Fault {
    Fault::new(format!("`{field}` must be a table, not {value}"), value.span())
}

/// A table that a file can have.
#[derive(Clone, Debug)]
pub struct FileTable {
    /// Path of the table. `N` stands for the number of one of several tables: `enemy.N.weapon`.
    pub path: String,
    pub fields: &'static [Field],
    /// Types of the free keys and of their values; `None` if there are no free keys.
    pub keyed: Option<(Takes, Takes)>,
}

/// Returns the table of these fields at `path`, and all tables in it.
pub fn tables(path: &str, fields: &'static [Field]) -> Vec<FileTable> {
    let mut all = vec![FileTable { path: path.to_string(), fields, keyed: None }];
    for field in fields {
        let at =
            if path.is_empty() { field.name.to_string() } else { format!("{path}.{}", field.name) };
        match field.takes {
            Takes::Table(fields) => all.extend(tables(&at, fields())),
            Takes::List(Takes::Table(fields)) => all.extend(tables(&format!("{at}.N"), fields())),
            Takes::Keyed(key, value, fields) => {
                all.push(FileTable { path: at, fields: fields(), keyed: Some((*key, *value)) })
            }
            _ => {}
        }
    }
    all
}

/// Returns the field at a path such as `rout.1.at`, if any; the number of a table may be omitted.
pub fn declared(fields: &'static [Field], path: &str) -> Option<&'static Field> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let field = fields.iter().find(|field| field.is_called(name))?;
    match (field.takes, rest) {
        (_, None) => Some(field),
        (Takes::Table(fields) | Takes::Keyed(_, _, fields), Some(rest)) => declared(fields(), rest),
        (Takes::List(Takes::Table(fields)), Some(rest)) => {
            let (number, field) = rest.split_once('.').unwrap_or(("", rest));
            let counts = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
            declared(fields(), if counts { field } else { rest })
        }
        _ => None,
    }
}
