//! The result table as JSON: `{"meta": {...}, "rows": [...]}`, and further lists where a question
//! has them.

use serde::ser::SerializeMap;
use serde::{Serialize as _, Serializer};
use serde_json::{Map, Value, json};

use super::table::{Cell, Expected, Mean, Sheet};
use super::{Fact, Footing};

/// The table in the order of its columns, with what only JSON has at the end of each row.
pub fn object(sheet: &Sheet) -> serde_json::Result<Map<String, Value>> {
    let row = |(place, cells): (usize, &Vec<Cell>)| {
        let cells = sheet.columns.iter().map(|(name, _)| *name).zip(cells);
        let cells = cells.map(|(name, cell)| (name, json!(cell)));
        let further = sheet.json_only.iter().map(|(name, values)| (*name, values[place].clone()));
        cells.chain(further).map(|(name, value)| (name.to_string(), value)).collect()
    };
    let rows: Vec<Value> = sheet.rows.iter().enumerate().map(row).collect();
    let mut document = Map::new();
    document.insert("meta".to_string(), serde_json::to_value(&sheet.meta)?);
    document.insert("rows".to_string(), Value::Array(rows));
    document.extend(sheet.lists.iter().map(|(name, list)| (name.to_string(), list.clone())));
    Ok(document)
}

/// The same as text.
pub fn text(sheet: &Sheet) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Value::Object(object(sheet)?)).map(|text| text + "\n")
}

/// Expected values of quantities.
pub fn expected(all: &[Expected]) -> impl Iterator<Item = Value> {
    all.iter().map(|Expected { quantity, mean: Mean { value, fraction, std_error } }| {
        json!({ "quantity": quantity, "value": value, "fraction": fraction.map(|fraction| fraction.to_string()),
            "std_error": std_error })
    })
}

/// The facts of a footing as entries of the object it stands in.
pub fn facts<S: Serializer>(footing: &Footing, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(footing.facts.len()))?;
    for (name, fact) in &footing.facts {
        map.serialize_entry(name, &fact_value(fact))?;
    }
    map.end()
}

/// A word, or null where there is none.
pub fn or_null<S: Serializer>(word: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(word).filter(|word| !word.is_empty()).serialize(serializer)
}

/// A fact as JSON has it.
pub fn fact_value(fact: &Fact) -> Value {
    match fact {
        Fact::Text(text) => json!(text),
        Fact::Integer(number) => json!(number),
        Fact::Boolean(value) => json!(value),
        Fact::Settings(settings) => json!(settings),
        Fact::Swept(settings) => json!(settings),
    }
}
