//! Describes an answer in JSON part by part. Numbers are compared as text, so no parser rounds
//! them.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::store::digest;

/// Keys of `meta` that the description omits, because the command has them or nearly every answer
/// has the same value. The digest includes them.
const USUAL: [(&str, Option<&str>); 4] = [
    ("question", None),
    ("counts", None),
    ("profile", Some("asl-v3")),
    ("arithmetic", Some("integer")),
];

/// Describes a document member by member: the length of a list, a digest of the text, and the meta
/// without what is empty or usual.
pub fn summarize(json: &str) -> String {
    let mut summary = String::new();
    for (name, text) in members(json) {
        let value: Value = serde_json::from_str(text.trim_end().trim_end_matches(','))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let digest = digest(&text);
        let _ = match &value {
            Value::Object(members) if name == "meta" => {
                writeln!(summary, "meta {digest} {}", brief(members))
            }
            Value::Array(rows) => writeln!(summary, "{name} {digest}, {} rows", rows.len()),
            _ => writeln!(summary, "{name} {digest}"),
        };
    }
    summary
}

/// Returns the meta without what is empty or usual.
fn brief(meta: &Map<String, Value>) -> Value {
    let is_kept = |(name, value): &(&String, &Value)| {
        let usual = USUAL.iter().find(|(usual, _)| usual == name);
        let is_usual = usual.is_some_and(|(_, word)| word.is_none() || value.as_str() == *word);
        let is_empty = match value {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        };
        !is_usual && !is_empty
    };
    let kept = meta.iter().filter(is_kept);
    Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Splits a document into its members by name, as they are printed, without version and command.
fn members(json: &str) -> Vec<(String, String)> {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut lines = json.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some((name, rest)) =
            line.strip_prefix("  \"").and_then(|line| line.split_once("\": "))
        {
            members.push((name.to_string(), rest.to_string()));
            continue;
        }
        let Some((name, text)) = members.last_mut() else { continue };
        let changes = ["    \"version\": ", "    \"command\": "];
        let is_left_out = name == "meta" && changes.iter().any(|head| line.starts_with(head));
        let is_end = lines.peek().is_none() && line.starts_with('}');
        if !is_left_out && !is_end {
            *text += line;
        }
    }
    members
}

/// Returns true if the rows of a document equal those of a CSV text. The document may have further
/// columns.
pub fn is_like_csv(json: &str, csv: &str) -> bool {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let Ok(headings) = reader.headers().cloned() else { return false };
    let document: Value = serde_json::from_str(json).expect("an answer is JSON");
    let Some(rows) = document["rows"].as_array() else { return false };
    let records: Vec<_> = reader.records().map_while(Result::ok).collect();
    records.len() == rows.len()
        && records.iter().zip(rows).all(|(record, row)| {
            headings.iter().zip(record).all(|(name, cell)| is_same(&row[name], cell))
        })
}

/// Returns true if a JSON value equals the text of a cell. Numbers must be the same double.
pub fn is_same(value: &Value, cell: &str) -> bool {
    match value {
        Value::Null => cell.is_empty(),
        Value::String(text) => text == cell,
        Value::Bool(flag) => cell == flag.to_string(),
        number => {
            let cell = cell.parse::<f64>().ok();
            number.as_f64().zip(cell).is_some_and(|(a, b)| a.to_bits() == b.to_bits())
        }
    }
}
