//! Any table to be written: typed columns and rows, all at once or block by block.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::estimate::Estimate;
use super::meta::Meta;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Null,
}

impl Cell {
    pub fn optional<T>(value: Option<T>, cell: impl Fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Null, cell)
    }

    /// Returns the value as printed. Floats have their shortest round-trip form; null is empty.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Float(number) => number.to_string(),
            Cell::Boolean(value) => value.to_string(),
            Cell::Null => String::new(),
        }
    }
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Text,
    Integer,
    Float,
    Boolean,
}

/// A table to be written: typed columns, rows, and what is needed to reproduce it.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub columns: Vec<(&'static str, Column)>,
    pub rows: Vec<Vec<Cell>>,
    /// Further columns for JSON only, one value per row.
    pub json_only: Vec<(&'static str, Vec<serde_json::Value>)>,
    /// Further lists in addition to the rows, for JSON only.
    pub lists: Vec<(&'static str, serde_json::Value)>,
    pub meta: Meta,
}

impl Sheet {
    /// Creates a table without values that only JSON has.
    pub fn new(columns: Vec<(&'static str, Column)>, rows: Vec<Vec<Cell>>, meta: Meta) -> Sheet {
        Sheet { columns, rows, json_only: Vec::new(), lists: Vec::new(), meta }
    }
}

/// Returns the columns of a probability, in order.
pub fn figure_columns() -> [(&'static str, Column); 8] {
    [
        ("probability", Column::Float),
        ("std_error", Column::Float),
        ("ci_low", Column::Float),
        ("ci_high", Column::Float),
        ("count", Column::Integer),
        ("trials", Column::Integer),
        ("fraction", Column::Text),
        ("error_bound", Column::Float),
    ]
}

/// Returns the cells of a probability, in the order of [`figure_columns`].
pub fn figure_cells(figure: &Estimate) -> [Cell; 8] {
    let interval = figure.interval();
    let (count, trials) = figure.counted().unzip();
    let fraction = if let Estimate::Exact { fraction, .. } = figure { *fraction } else { None };
    let integer =
        |number: Option<u64>| Cell::optional(number, |number| Cell::Integer(number as i64));
    [
        Cell::Float(figure.probability()),
        Cell::optional(figure.std_error(), Cell::Float),
        Cell::optional(interval, |(low, _)| Cell::Float(low)),
        Cell::optional(interval, |(_, high)| Cell::Float(high)),
        integer(count),
        integer(trials),
        Cell::optional(fraction, |fraction| Cell::Text(fraction.to_string())),
        Cell::optional(figure.error_bound(), Cell::Float),
    ]
}

/// A table whose rows can be computed while it is written.
pub trait SheetSource {
    /// Returns a sheet with the columns, lists and metadata. The rows of that sheet are ignored.
    fn head(&self) -> &Sheet;

    /// Returns the number of rows.
    fn height(&self) -> usize;

    /// Returns the rows in order, in blocks.
    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_>;
}

/// Some consecutive rows of a table, with the values of these rows that only JSON has.
pub struct Block<'a> {
    pub rows: Cow<'a, [Vec<Cell>]>,
    pub json_only: Cow<'a, [(&'static str, Vec<Value>)]>,
}

impl SheetSource for Sheet {
    fn head(&self) -> &Sheet {
        self
    }

    fn height(&self) -> usize {
        self.rows.len()
    }

    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
        let block = Block { rows: Cow::from(&self.rows), json_only: Cow::from(&self.json_only) };
        Box::new(std::iter::once(block))
    }
}
