//! An answer as JSON, told apart: the meta, the rows, what else there is. Numbers are compared by
//! their text: no reader rounds them.

use std::collections::{BTreeMap, BTreeSet};

/// The parts `meta` (without version and command), `rows` and `lists` of a document. Rows with the
/// figures of the CSV are told by their types and by what the CSV has not.
pub fn parts(json: &str, csv: &str) -> Vec<(&'static str, String)> {
    let mut parts = [("meta", String::new()), ("rows", String::new()), ("lists", String::new())];
    let mut part = 2;
    for line in json.split_inclusive('\n') {
        if line.starts_with("  \"") {
            part = ["  \"meta\"", "  \"rows\""]
                .iter()
                .position(|head| line.starts_with(head))
                .unwrap_or(2);
        }
        let again = part == 0
            && ["    \"version\": ", "    \"command\": "].iter().any(|head| line.starts_with(head));
        if !again && !line.starts_with(['{', '}']) {
            parts[part].1 += line;
        }
    }
    if let Some(told) = like_csv(&parts[1].1, csv) {
        parts[1].1 = told;
    }
    parts.into()
}

/// The types of each column, and the further columns row by row; none where a cell is not as in the
/// CSV.
fn like_csv(rows: &str, csv: &str) -> Option<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers().ok()?.clone();
    let mut cells =
        rows.lines().filter_map(|line| line.strip_prefix("      \"")?.split_once("\": "));
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut further = String::new();
    let mut rest = cells.next();
    for record in reader.records() {
        for (heading, cell) in headings.iter().zip(&record.ok()?) {
            let (name, value) = rest?;
            let value = value.trim_end_matches(',');
            if name != heading || !is_same(value, cell) {
                return None;
            }
            types.entry(name).or_default().insert(type_of(value));
            rest = cells.next();
        }
        while let Some((name, value)) = rest.filter(|(name, _)| Some(*name) != headings.get(0)) {
            further += &format!("{name} {}\n", value.trim_end_matches(','));
            rest = cells.next();
        }
    }
    let told = |(name, types): (&str, BTreeSet<&str>)| {
        format!("{name}: {}", types.into_iter().collect::<Vec<_>>().join(" or "))
    };
    let types: Vec<String> = types.into_iter().map(told).collect();
    rest.is_none().then(|| format!("as CSV; {}\n{further}", types.join(", ")))
}

fn type_of(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'"') => "text",
        Some(b't' | b'f') => "flag",
        Some(b'n') => "null",
        _ => "number",
    }
}

/// Whether a value of JSON is the same as the text of a cell; of numbers, the same double.
fn is_same(value: &str, cell: &str) -> bool {
    match type_of(value) {
        "null" => cell.is_empty(),
        "text" => serde_json::from_str::<String>(value).is_ok_and(|text| text == cell),
        "flag" => value == cell,
        _ => match (value.parse::<f64>(), cell.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        },
    }
}
