//! TOML as values with source positions.

use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::field::FieldValue;
use super::file_tables::Keyed;
use super::node::{Entry, Node, Raw, SourcePosition, Spanned};
use super::size::{Part, Size};
use engine::text::notation::Notation;
use engine::text::{Fault, MOST_FILE, within};

/// A table with the fields of its kind of question, and the declared fields `F`.
pub type QuestionTable<F = super::field::NoFields> = Keyed<String, Node, F>;

/// Reads a file as a value of type `G`. `sort` names the file in messages, such as `a study`.
///
/// # Errors
///
/// Fails at the position where the file is too long, not TOML, or not a valid `G`.
pub fn read<G: FieldValue>(source: &str, sort: &str) -> Result<G, Fault> {
    G::read_node(sort, &node(source, sort)?)
}

/// Parses a file as one table. `sort` names the file in messages, such as `a study`.
///
/// # Errors
///
/// Fails at the position where the file is too long or not TOML.
pub fn node(source: &str, sort: &str) -> Result<Node, Fault> {
    Ok(Node::new(
        Raw::Table(file(source)?),
        SourcePosition::whole(0..0),
        sort.to_string(),
        Notation::Toml,
    ))
}

/// Parses the entries of a file, in source order.
///
/// # Errors
///
/// Fails at the position where the file is too long or not TOML.
pub fn file(source: &str) -> Result<Vec<Entry>, Fault> {
    within("the file", source.len(), MOST_FILE)?;
    few_enough(source)?;
    let document = DeTable::parse(source);
    let fault = |error: toml::de::Error| {
        Fault::new(error.message().trim().to_string(), error.span().unwrap_or(0..0))
    };
    document.map(|document| entries(source, "", document.get_ref())).map_err(fault)
}

/// Refuses too many tables or values before any is built. A dot in a key may create a table.
fn few_enough(source: &str) -> Result<(), Fault> {
    // The open brackets: `true` for a list, `false` for an inline table.
    let mut open: Vec<bool> = Vec::new();
    let (mut is_value, mut is_header, mut size) = (false, false, Size::default());
    for token in Source::new(source).lex() {
        let part = match token.kind() {
            TokenKind::LeftCurlyBracket => {
                open.push(false);
                is_value = false;
                Some(Part::Table)
            }
            TokenKind::LeftSquareBracket if is_value => {
                open.push(true);
                None
            }
            TokenKind::LeftSquareBracket => {
                (!std::mem::replace(&mut is_header, true)).then_some(Part::Table)
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                open.pop();
                None
            }
            TokenKind::Dot => (!is_value).then_some(Part::Table),
            TokenKind::Equals => {
                is_value = true;
                Some(Part::Value)
            }
            TokenKind::Comma => {
                is_value = open.last() == Some(&true);
                is_value.then_some(Part::Value)
            }
            TokenKind::Newline if open.is_empty() => {
                (is_value, is_header) = (false, false);
                None
            }
            _ => None,
        };
        let span = token.span().start()..token.span().end();
        part.map_or(Ok(()), |part| size.add(part, Notation::Toml, span))?;
    }
    Ok(())
}

/// Returns the position of a key of a file; `None` if the file is invalid or has no such key.
pub fn key(source: &str, name: &str) -> Option<SourcePosition> {
    let entries = file(source).ok()?;
    entries.into_iter().find(|(key, _)| key.value == name).map(|(key, _)| key.place)
}

/// Converts the entries of a table, in source order. `path` is the dotted path of the table.
fn entries(source: &str, path: &str, table: &DeTable) -> Vec<Entry> {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let name = key.get_ref().to_string();
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let node = value_of(source, &path, value, format!("[{path}]"));
            (Spanned { value: name, place: SourcePosition::whole(key.span()) }, node)
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
        Raw::Text(text) => SourcePosition::of_text(source, value.span(), text),
        _ => SourcePosition::whole(value.span()),
    };
    Node::new(raw, place, title, Notation::Toml)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::{MOST_TABLES, MOST_VALUES};

    /// The largest allowed number of tables is accepted in every notation, and one more is refused.
    #[test]
    fn too_many_tables_are_refused() {
        for (begin, table, end) in [
            ("", "[[step]]\nfp = 4.5 # [[step]] {}\n", ""),
            ("", "[ [ 'st.ep' ] ]\nname = \"[[step]] {\"\n", ""),
            ("step = [\n", "{ fp = [4.5, 2.5], own = true },\n", "]\n"),
            ("step = [[", "{},", "], [1.5], 2.5]\n"),
            ("x = { y = [1.5, 2.5], z = [", "{ },", "] }\n"),
            ("", "step = {}\n", ""),
            ("", "step.fp = 4.5\n", ""),
            ("", "text = \"\"\"\n[[step]]\n\"\"\"\nlist = [\n[1.5],\n[2.5]]\n[step]\n", ""),
        ] {
            // One case above has a table around the counted ones.
            let around = usize::from(begin.contains('{'));
            let text = |tables: usize| format!("{begin}{}{end}", table.repeat(tables - around));
            assert_eq!(few_enough(&text(MOST_TABLES)), Ok(()), "{table}");
            let fault = few_enough(&text(MOST_TABLES + 1)).unwrap_err();
            assert_eq!(fault.message, "the file has more than 20000 tables", "{table}");
        }
    }

    #[test]
    fn too_many_values_are_refused() {
        for (begin, value) in [("", "fp = 4\n"), ("fp = [4, ", "4,"), ("fp = [4, ", "[], # 4,\n")] {
            let rest = MOST_VALUES - usize::from(!begin.is_empty()) * 2;
            let text = |values: usize| begin.to_string() + &value.repeat(values);
            assert_eq!(few_enough(&text(rest)), Ok(()), "{value}");
            let fault = few_enough(&text(rest + 1)).unwrap_err();
            assert_eq!(fault.message, "the file has more than 1000000 values", "{value}");
        }
    }
}
