//! The result table as a Polars frame, to CSV and to Parquet with its meta as key-value metadata.

use std::io::Write;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{
    BooleanChunked, Column, CsvWriter, DataFrame, Float64Chunked, Int64Chunked, IntoColumn,
    KeyValueMetadata, NewChunkedArray, ParquetCompression, ParquetWriter, PolarsResult, SerWriter,
    StatisticsOptions, StringChunked,
};

use super::{Cell, Column as Type, Sheet};

/// One typed column from cells; a cell of another kind is null.
pub fn column<'a>(name: &str, kind: Type, cells: impl Iterator<Item = &'a Cell>) -> Column {
    let name = name.into();
    match kind {
        Type::Text => {
            let values = cells
                .map(|cell| if let Cell::Text(text) = cell { Some(text.as_str()) } else { None });
            StringChunked::from_iter_options(name, values).into_column()
        }
        Type::Integer => {
            let values = cells
                .map(|cell| if let Cell::Integer(number) = cell { Some(*number) } else { None });
            Int64Chunked::from_iter_options(name, values).into_column()
        }
        Type::Float => {
            let values =
                cells.map(|cell| if let Cell::Float(number) = cell { Some(*number) } else { None });
            Float64Chunked::from_iter_options(name, values).into_column()
        }
        Type::Boolean => {
            let values =
                cells.map(|cell| if let Cell::Boolean(value) = cell { Some(*value) } else { None });
            BooleanChunked::from_iter_options(name, values).into_column()
        }
    }
}

/// A frame of named, typed columns from rows of cells.
pub fn frame(columns: &[(&str, Type)], rows: &[Vec<Cell>]) -> PolarsResult<DataFrame> {
    let column_of = |(place, (name, kind)): (usize, &(&str, Type))| {
        column(name, *kind, rows.iter().map(|row| &row[place]))
    };
    DataFrame::new(rows.len(), columns.iter().enumerate().map(column_of).collect())
}

/// The frame of a table.
pub fn of_sheet(sheet: &Sheet) -> PolarsResult<DataFrame> {
    frame(&sheet.columns, &sheet.rows)
}

/// Writes a frame as CSV: floats as their shortest round trip, nothing for null.
pub fn write_csv(frame: &mut DataFrame, sink: impl Write) -> PolarsResult<()> {
    write_csv_block(frame, true, sink)
}

/// Writes one of several frames of a CSV file, the first with the header.
pub fn write_csv_block(frame: &mut DataFrame, header: bool, sink: impl Write) -> PolarsResult<()> {
    CsvWriter::new(sink).include_header(header).with_float_scientific(Some(false)).finish(frame)
}

/// Rows of a row group.
pub const ROWS: usize = 1 << 20;

/// A Parquet file that is written frame by frame: row groups are cut every [`ROWS`] rows, whatever
/// the frames.
pub struct RowGroups<W: Write> {
    writer: BatchedWriter<W>,
    /// What has no row group yet.
    waiting: DataFrame,
}

impl<W: Write> RowGroups<W> {
    /// A file of these columns, with `meta` as key-value metadata.
    pub fn begin(
        columns: &[(&str, Type)],
        meta: Vec<(String, String)>,
        sink: W,
    ) -> PolarsResult<RowGroups<W>> {
        let waiting = frame(columns, &[])?;
        let meta = KeyValueMetadata::from_static(meta);
        let writer = ParquetWriter::new(sink).with_key_value_metadata(Some(meta));
        Ok(RowGroups { writer: writer.batched(waiting.schema())?, waiting })
    }

    /// Further rows, of the same columns.
    pub fn add(&mut self, rows: DataFrame) -> PolarsResult<()> {
        self.waiting.vstack_mut(&rows)?;
        while self.waiting.height() >= ROWS {
            let rest = self.waiting.slice(ROWS as i64, usize::MAX);
            let whole = std::mem::replace(&mut self.waiting, rest).head(Some(ROWS));
            self.write(whole)?;
        }
        Ok(())
    }

    fn write(&mut self, mut rows: DataFrame) -> PolarsResult<()> {
        // One chunk, since each would be a row group.
        rows.rechunk_mut();
        self.writer.write_batch(&rows)
    }

    /// The last row group, and the end of the file.
    pub fn finish(mut self) -> PolarsResult<()> {
        let rest = std::mem::take(&mut self.waiting);
        if rest.height() > 0 {
            self.write(rest)?;
        }
        self.writer.finish().map(drop)
    }
}

/// Writes a frame as Parquet, with `meta` as key-value metadata.
pub fn write_parquet(
    frame: &mut DataFrame,
    meta: Vec<(String, String)>,
    sink: impl Write,
) -> PolarsResult<()> {
    let meta = KeyValueMetadata::from_static(meta);
    ParquetWriter::new(sink).with_key_value_metadata(Some(meta)).finish(frame).map(drop)
}

/// The same for whoever reads it again soon and throws it away: not compressed, without statistics.
pub fn write_parquet_for_now(
    frame: &mut DataFrame,
    meta: Vec<(String, String)>,
    sink: impl Write,
) -> PolarsResult<()> {
    let writer = ParquetWriter::new(sink)
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(meta)))
        .with_compression(ParquetCompression::Uncompressed)
        .with_statistics(StatisticsOptions::empty());
    writer.finish(frame).map(drop)
}

/// Meta as key-value pairs: texts as they are, all else as JSON.
pub fn meta_pairs(meta: &impl serde::Serialize) -> serde_json::Result<Vec<(String, String)>> {
    let serde_json::Value::Object(meta) = serde_json::to_value(meta)? else {
        return Ok(Vec::new());
    };
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(meta.into_iter().map(|(key, value)| (key, text(value))).collect())
}
