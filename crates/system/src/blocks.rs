//! A table as it is written: block by block, since the whole of it may be too much to hold.

use std::borrow::Cow;

use serde_json::Value;

use super::table::{Cell, Sheet};

/// A table whose rows are made while it is written.
pub trait SheetSource {
    /// Its columns, lists and meta; the rows of this one are not looked at.
    fn head(&self) -> &Sheet;

    /// Number of rows.
    fn height(&self) -> usize;

    /// Its rows, in order.
    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_>;
}

/// Some rows of a table, with what only JSON has of them.
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
