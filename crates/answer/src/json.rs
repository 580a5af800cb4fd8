//! The result table as JSON: `{"meta": {...}, "rows": [...]}`, with further lists if there are any.

use std::io::{self, Write};

use serde::ser::{Error as _, SerializeMap as _};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::sheet::{Block, Sheet, SheetSource};

/// Returns the table as an object: cells in column order, then the values that only JSON has. A
/// table without columns has no rows.
///
/// # Errors
///
/// Fails if the metadata cannot be serialised.
pub fn object(sheet: &Sheet) -> serde_json::Result<Map<String, Value>> {
    let mut document = Map::new();
    document.insert("meta".to_string(), serde_json::to_value(&sheet.meta)?);
    if !sheet.columns.is_empty() {
        document.insert("rows".to_string(), rows(sheet).collect());
    }
    document.extend(sheet.lists.iter().map(|(name, list)| (name.to_string(), list.clone())));
    Ok(document)
}

pub(super) fn rows(source: &dyn SheetSource) -> impl Iterator<Item = Value> {
    let row = |block: &Block, place: usize| {
        let cells = source.head().columns.iter().map(|(name, _)| *name).zip(&block.rows[place]);
        let cells = cells.map(|(name, cell)| (name, json!(cell)));
        let further = block.json_only.iter().map(|(name, values)| (*name, values[place].clone()));
        cells.chain(further).map(|(name, value)| (name.to_string(), value)).collect()
    };
    source.blocks().flat_map(move |block| {
        let rows = 0..block.rows.len();
        rows.map(move |place| Value::Object(row(&block, place)))
    })
}

/// Writes the object that [`object`] returns as indented text, row by row.
///
/// # Errors
///
/// Fails if the metadata cannot be serialised, or if the sink cannot be written.
pub fn write(source: &dyn SheetSource, mut sink: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut sink, &Document(source))?;
    sink.write_all(b"\n")
}

struct Document<'a>(&'a dyn SheetSource);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sheet { meta, lists, columns, .. } = self.0.head();
        let mut document = serializer.serialize_map(None)?;
        // The conversion to a value keeps only one of several entries with equal names.
        let meta = serde_json::to_value(meta).map_err(S::Error::custom)?;
        document.serialize_entry("meta", &meta)?;
        if !columns.is_empty() {
            document.serialize_entry("rows", &Rows(self.0))?;
        }
        for (name, list) in lists {
            document.serialize_entry(name, list)?;
        }
        document.end()
    }
}

struct Rows<'a>(&'a dyn SheetSource);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rows(self.0))
    }
}
