//! Rendering of the agreement between a board's computed lines of sight and a table of them.

use super::document::{Document, aligned};
use super::layout::Digits;
use answer::Cell;
use api::board::Checked;

/// Renders the result of a check.
pub fn render(checked: &Checked, digits: Digits) -> Document {
    let cell = |cell: &Cell| match cell {
        Cell::Float(share) => digits.percent(*share),
        Cell::Null => "-".to_string(),
        other => other.text(),
    };
    let sheet = checked.sheet();
    let rows = sheet.rows.iter().map(|row| row.iter().map(cell).collect());
    let headings =
        ["range", "pairs", "clear", "agreement", "recall", "precision", "same Hindrances"];
    aligned(headings, rows, &[true])
}
