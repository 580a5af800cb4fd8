//! The result table as JSON: `{"meta": {...}, "rows": [...]}`.

use serde_json::{Map, Value, json};

use super::{Cell, Row, Table, columns};

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Integer(number) => json!(number),
        Cell::Float(number) => json!(number),
        Cell::Boolean(value) => json!(value),
        Cell::Null => Value::Null,
    }
}

/// The table in the order of its columns, with `unit_id` at the end of each row.
pub fn text(table: &Table) -> serde_json::Result<String> {
    let columns = columns(table.joint);
    let row = |row: &Row| {
        let mut object: Map<String, Value> =
            columns.iter().zip(row.cells(table.joint)).map(|((name, _), cell)| (name.to_string(), value(&cell))).collect();
        object.insert("unit_id".to_string(), json!(row.label.unit_id));
        Value::Object(object)
    };
    let rows: Vec<Value> = table.rows.iter().map(row).collect();
    let mut document = Map::new();
    document.insert("meta".to_string(), serde_json::to_value(&table.meta)?);
    document.insert("rows".to_string(), Value::Array(rows));
    serde_json::to_string_pretty(&Value::Object(document)).map(|text| text + "\n")
}
