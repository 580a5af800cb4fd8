//! Result tables as Polars frames, written as CSV, or as Parquet with key-value metadata.

use std::io::{self, Write};

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{
    BooleanChunked, Column, CsvWriter, DataFrame, Float64Chunked, Int64Chunked, IntoColumn,
    KeyValueMetadata, NewChunkedArray, ParquetCompression, ParquetWriter, PolarsError,
    PolarsResult, SerWriter, StatisticsOptions, StringChunked,
};

use answer::{Cell, Column as Type, Sheet, SheetSource};

/// Builds a Polars column of type `kind` from table cells; a cell of another type becomes null.
pub fn column<'a>(name: &str, kind: Type, cells: impl Iterator<Item = &'a Cell>) -> Column {
    macro_rules! values {
        ($chunked:ident, $pattern:pat => $value:expr) => {{
            let value = |cell: &'a Cell| if let $pattern = cell { Some($value) } else { None };
            $chunked::from_iter_options(name.into(), cells.map(value)).into_column()
        }};
    }
    match kind {
        Type::Text => values!(StringChunked, Cell::Text(text) => text.as_str()),
        Type::Integer => values!(Int64Chunked, Cell::Integer(number) => *number),
        Type::Float => values!(Float64Chunked, Cell::Float(number) => *number),
        Type::Boolean => values!(BooleanChunked, Cell::Boolean(value) => *value),
    }
}

/// Builds a frame from rows of cells, with the names and types in `columns`.
pub fn frame(columns: &[(&str, Type)], rows: &[Vec<Cell>]) -> PolarsResult<DataFrame> {
    let column_of = |(place, (name, kind)): (usize, &(&str, Type))| {
        column(name, *kind, rows.iter().map(|row| &row[place]))
    };
    DataFrame::new(rows.len(), columns.iter().enumerate().map(column_of).collect())
}

pub fn as_io(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        error => io::Error::other(error.to_string()),
    }
}

fn frames(source: &dyn SheetSource) -> impl Iterator<Item = PolarsResult<DataFrame>> {
    source.blocks().map(|block| frame(&source.head().columns, &block.rows))
}

/// Writes a table as CSV, block by block.
pub fn write_csv_of(source: &dyn SheetSource, mut sink: impl Write) -> PolarsResult<()> {
    for (number, frame) in frames(source).enumerate() {
        write_csv_block(&mut frame?, number == 0, &mut sink)?;
    }
    Ok(())
}

/// Writes a table as Parquet, in row groups of equal size, as Polars cuts a frame.
pub fn write_parquet_of(source: &dyn SheetSource, sink: impl Write) -> PolarsResult<()> {
    let Sheet { columns, meta, .. } = source.head();
    let meta = meta_pairs(meta).map_err(|error| PolarsError::from(io::Error::from(error)))?;
    let groups = (source.height() / LEAST_ROWS).max(1);
    let first = RowGroups::begin(columns, meta, sink)?;
    let mut parquet = RowGroups { rows: source.height() / groups, left: groups - 1, ..first };
    for frame in frames(source) {
        parquet.add(frame?)?;
    }
    parquet.finish()
}

/// Writes a frame as part of a CSV file. A float has its shortest exact text; null is empty.
pub fn write_csv_block(frame: &mut DataFrame, header: bool, sink: impl Write) -> PolarsResult<()> {
    CsvWriter::new(sink).include_header(header).with_float_scientific(Some(false)).finish(frame)
}

/// Starts Polars' threads, before any answer: Polars panics if the system refuses them.
pub fn start_threads() {
    // Writing any CSV starts the threads; the output of this empty frame is discarded.
    let none = frame(&[("", Type::Integer)], &[]);
    let _ = none.and_then(|mut none| write_csv_block(&mut none, true, io::sink()));
}

pub const ROWS: usize = 1 << 20;
/// The least number of rows in each row group of an answer that has several.
const LEAST_ROWS: usize = 1 << 18;

/// A Parquet file that is written frame by frame, in row groups of a fixed number of rows.
pub struct RowGroups<W: Write> {
    writer: BatchedWriter<W>,
    rows: usize,
    /// The number of full row groups still to be written; the last row group takes all other rows.
    left: usize,
    waiting: DataFrame,
}

impl<W: Write> RowGroups<W> {
    /// Starts a file with `columns`, `meta` as key-value metadata, and row groups of [`ROWS`] rows.
    pub fn begin(
        columns: &[(&str, Type)],
        meta: Vec<(String, String)>,
        sink: W,
    ) -> PolarsResult<RowGroups<W>> {
        let waiting = frame(columns, &[])?;
        let meta = KeyValueMetadata::from_static(meta);
        let writer = ParquetWriter::new(sink).with_key_value_metadata(Some(meta));
        let writer = writer.batched(waiting.schema())?;
        Ok(RowGroups { writer, rows: ROWS, left: usize::MAX, waiting })
    }

    /// Adds rows, which must have the columns of the file.
    pub fn add(&mut self, rows: DataFrame) -> PolarsResult<()> {
        self.waiting.vstack_mut(&rows)?;
        while self.left > 0 && self.waiting.height() >= self.rows {
            let rest = self.waiting.slice(self.rows as i64, usize::MAX);
            let whole = std::mem::replace(&mut self.waiting, rest).head(Some(self.rows));
            self.left -= 1;
            self.write(whole)?;
        }
        Ok(())
    }

    fn write(&mut self, mut rows: DataFrame) -> PolarsResult<()> {
        // Polars writes each chunk as a row group, so the rows must be one chunk.
        rows.rechunk_mut();
        self.writer.write_batch(&rows)
    }

    /// Writes the last row group and the end of the file. Fails if the sink cannot be written.
    pub fn finish(mut self) -> PolarsResult<()> {
        let rest = std::mem::take(&mut self.waiting);
        if rest.height() > 0 {
            self.write(rest)?;
        }
        self.writer.finish().map(drop)
    }
}

/// Writes a frame as temporary Parquet, without compression and statistics.
pub fn write_parquet_for_now(frame: &mut DataFrame, sink: impl Write) -> PolarsResult<()> {
    let writer = ParquetWriter::new(sink).with_compression(ParquetCompression::Uncompressed);
    writer.with_statistics(StatisticsOptions::empty()).finish(frame).map(drop)
}

/// Returns a metadata struct as key-value pairs: text as it is, any other value as JSON.
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use answer::Block;

    use super::*;
    use answer::{Meta, json};
    use render::layout;

    /// A table in blocks of a fixed number of rows.
    struct Parts(Sheet, usize);

    impl SheetSource for Parts {
        fn head(&self) -> &Sheet {
            &self.0
        }

        fn height(&self) -> usize {
            self.0.rows.len()
        }

        fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
            let blocks = self.0.rows.chunks(self.1);
            let block = |rows| Block { rows: Cow::Borrowed(rows), json_only: Cow::default() };
            Box::new(blocks.map(block))
        }
    }

    fn sheet(rows: i64) -> Sheet {
        let row = |number: i64| {
            let text = "x".repeat((number % 15) as usize);
            vec![Cell::Integer(number * number), Cell::Text(text), Cell::Null]
        };
        Sheet {
            columns: vec![("n", Type::Integer), ("text", Type::Text), ("odds", Type::Float)],
            rows: (0..rows).map(row).collect(),
            json_only: Vec::new(),
            lists: vec![("list", serde_json::json!([1, {}]))],
            meta: Meta { question: "all".to_string(), ..Meta::default() },
        }
    }

    #[test]
    fn written_tables_do_not_depend_on_blocks() {
        let ways: [fn(&dyn SheetSource, &mut Vec<u8>); 3] = [
            |source, text| write_csv_of(source, text).unwrap(),
            |source, text| json::write(source, text).unwrap(),
            |source, text| layout::write(source, text).unwrap(),
        ];
        for way in ways {
            let text = |source: &dyn SheetSource| {
                let mut text = Vec::new();
                way(source, &mut text);
                String::from_utf8(text).unwrap()
            };
            assert_eq!(text(&Parts(sheet(70), 3)), text(&sheet(70)));
            assert!(text(&sheet(70)).lines().count() > 70);
        }
        let whole = serde_json::to_string_pretty(&json::object(&sheet(9)).unwrap()).unwrap();
        let mut parts = Vec::new();
        json::write(&Parts(sheet(9), 2), &mut parts).unwrap();
        assert_eq!(String::from_utf8(parts).unwrap(), whole + "\n");
    }

    #[test]
    fn row_groups_equal_those_of_polars() {
        for rows in [0, 5, LEAST_ROWS as i64 - 1, 2 * LEAST_ROWS as i64 + 7, 1_000_003] {
            let sheet = sheet(rows);
            let meta = KeyValueMetadata::from_static(meta_pairs(&sheet.meta).unwrap());
            let (mut whole, mut parts) = (Vec::new(), Vec::new());
            let mut frame = frame(&sheet.columns, &sheet.rows).unwrap();
            let writer = ParquetWriter::new(&mut whole).with_key_value_metadata(Some(meta));
            writer.finish(&mut frame).unwrap();
            write_parquet_of(&Parts(sheet, 10_000), &mut parts).unwrap();
            assert!(whole == parts, "{rows}");
        }
    }
}
