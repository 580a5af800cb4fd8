//! A table that is written block by block, because the whole table may not fit into memory.

use std::borrow::Cow;

use serde_json::Value;

use super::table::{Cell, Sheet};

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
