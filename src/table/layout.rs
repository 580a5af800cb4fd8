//! Tables for reading: aligned text and Markdown.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, ContentArrangement, Table as Layout};

use super::{Cell, Column, Sheet};
pub use system::table::percent;

/// The odds of what no sequence has shown: below the upper end of their interval.
pub fn below(high: f64) -> String {
    format!("< {}", percent(high.max(0.0001)))
}

/// Lays rows of words out under headings; numbers are to be right-aligned by the caller's choice of
/// `right`.
pub fn aligned(
    headings: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    markdown: bool,
) -> String {
    let mut layout = Layout::new();
    layout.load_preset(if markdown { ASCII_MARKDOWN } else { NOTHING });
    layout.set_header(headings);
    layout.add_rows(rows);
    for (column, right) in layout.column_iter_mut().zip(right) {
        if !markdown {
            column.set_padding((0, 2));
        }
        column.set_cell_alignment(if *right { CellAlignment::Right } else { CellAlignment::Left });
    }
    let mut text = lines(&layout);
    if text.ends_with("\n\n") {
        text.pop();
    }
    text
}

/// Rows without headings, in lines of at most so many letters: cells that are too long go on below.
pub fn wrapped(rows: &[Vec<String>], width: u16) -> String {
    let mut layout = Layout::new();
    layout
        .load_preset(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .add_rows(rows);
    for column in layout.column_iter_mut() {
        column.set_padding((0, 2));
    }
    lines(&layout)
}

fn lines(layout: &Layout) -> String {
    layout.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// A whole table, every column.
pub fn tidy(sheet: &Sheet) -> String {
    let headings: Vec<String> = sheet.columns.iter().map(|(name, _)| name.to_string()).collect();
    let right: Vec<bool> = sheet
        .columns
        .iter()
        .map(|(_, kind)| *kind != Column::Text && *kind != Column::Boolean)
        .collect();
    let rows: Vec<Vec<String>> =
        sheet.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect();
    aligned(&headings, &rows, &right, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let rows = [words(&["1", "broken"]), words(&["12", "rallied"])];
        assert_eq!(
            aligned(&words(&["n", "status"]), &rows, &[true, false], false),
            " n  status\n 1  broken\n12  rallied\n"
        );
        assert_eq!(
            aligned(&words(&["n", "status"]), &rows, &[true, false], true),
            "|  n | status  |\n|----|---------|\n|  1 | broken  |\n| 12 | rallied |\n"
        );
    }
}
