//! Arrow tables, which Polars, pandas, DuckDB and pyarrow read without conversion.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use lowcrawl_answer::{Cell, Column};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

pub fn schema(columns: &[(String, Column)]) -> SchemaRef {
    let field = |(name, column): &(String, Column)| {
        let kind = match column {
            Column::Text => DataType::Utf8,
            Column::Integer => DataType::Int64,
            Column::Float => DataType::Float64,
            Column::Boolean => DataType::Boolean,
        };
        Field::new(name, kind, true)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Builds an Arrow column from the cells of a table. Cells of another type become null.
fn array<'a>(column: Column, cells: impl Iterator<Item = &'a Cell>) -> ArrayRef {
    macro_rules! of {
        ($array:ident, $kind:pat => $value:expr) => {
            Arc::new(
                cells
                    .map(|cell| if let $kind = cell { Some($value) } else { None })
                    .collect::<$array>(),
            )
        };
    }
    match column {
        Column::Text => of!(StringArray, Cell::Text(text) => text.as_str()),
        Column::Integer => of!(Int64Array, Cell::Integer(number) => *number),
        Column::Float => of!(Float64Array, Cell::Float(number) => *number),
        Column::Boolean => of!(BooleanArray, Cell::Boolean(value) => *value),
    }
}

/// Builds one record batch from the rows of a table.
pub fn batch(columns: &[(String, Column)], rows: &[Vec<Cell>]) -> PyResult<RecordBatch> {
    let arrays = columns.iter().enumerate();
    let arrays = arrays.map(|(place, (_, kind))| array(*kind, rows.iter().map(|row| &row[place])));
    RecordBatch::try_new(schema(columns), arrays.collect())
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns a stream of batches in a Python capsule with Arrow's standard name.
pub fn stream<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// Returns a schema in a Python capsule with Arrow's standard name.
pub fn schema_capsule<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}
