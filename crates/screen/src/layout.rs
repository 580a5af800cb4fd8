//! Tables for reading: aligned text and Markdown.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Layout, Width};

use super::escape;
use system::table::{Cell, Column, Figure, Sheet, percent_to, points_to};

/// Decimals of percentages told in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(pub usize);

impl Default for Digits {
    fn default() -> Digits {
        Digits(2)
    }
}

impl Digits {
    /// A probability as a percentage.
    pub fn percent(self, probability: f64) -> String {
        percent_to(probability, self.0)
    }

    /// A difference of probabilities, in percentage points.
    pub fn points(self, difference: f64) -> String {
        points_to(difference, self.0)
    }

    /// A figure with its error, or as a fraction where that is short.
    pub fn in_full(self, figure: &Figure) -> String {
        format!("{figure:.*}", self.0)
    }

    /// The odds of what no sequence has shown: below the upper end of their interval.
    pub fn below(self, high: f64) -> String {
        format!("< {}", self.percent(high.max(0.0001)))
    }
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
    let cell = |text: &String| if markdown { escape::text(text) } else { text.clone() };
    layout.load_preset(if markdown { ASCII_MARKDOWN } else { NOTHING });
    layout.set_header(headings.iter().map(cell));
    layout.add_rows(rows.iter().map(|row| row.iter().map(cell)));
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

/// Letters of a line of a screen.
pub const WIDTH: usize = 80;

/// A text in lines of a screen, what goes on below indented; a number keeps its sign.
pub fn paragraph(text: &str) -> String {
    wrapped_at(0, 2, text)
}

/// The same: so many letters to the right, and so many where it goes on below.
pub(super) fn wrapped_at(indent: usize, below: usize, text: &str) -> String {
    let mut lines = " ".repeat(indent);
    let mut length = indent;
    let mut words: Vec<String> = Vec::new();
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(number) if word.starts_with('%') => *number += &format!(" {word}"),
            _ => words.push(word.to_string()),
        }
    }
    for word in words {
        let letters = word.chars().count();
        if length > indent && length + 1 + letters > WIDTH {
            lines += &format!("\n{}", " ".repeat(below));
            length = below;
        } else if length > indent {
            lines.push(' ');
            length += 1;
        }
        lines += &word;
        length += letters;
    }
    lines + "\n"
}

/// Like [`aligned`], in lines of a screen: words go on below, numbers stay whole, and their headings
/// as far as there is room.
pub fn fitted(headings: &[String], rows: &[Vec<String>], right: &[bool]) -> String {
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= WIDTH);
    let text = aligned(headings, rows, right, false);
    if fits(&text) {
        return text;
    }
    let lower = |(heading, right): (&String, &bool)| match right {
        true => heading.replace(' ', "\n"),
        false => heading.clone(),
    };
    let lower: Vec<String> = headings.iter().zip(right).map(lower).collect();
    let ways = [(headings, true), (&lower[..], true), (headings, false)];
    let mut ways = ways.into_iter().map(|(headings, whole)| arranged(headings, rows, right, whole));
    ways.find(fits).unwrap_or_else(|| arranged(&lower, rows, right, false))
}

/// A table whose words have the room that its numbers leave, and stay whole themselves if so wanted.
fn arranged(headings: &[String], rows: &[Vec<String>], right: &[bool], whole: bool) -> String {
    let mut layout = Layout::new();
    layout.load_preset(NOTHING).set_header(headings).add_rows(rows);
    layout.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16 + 2);
    let longest = |place: usize| {
        let cells = rows.iter().filter_map(|row| row.get(place)).chain(headings.get(place));
        let words = cells.flat_map(|cell| cell.split_whitespace());
        words.map(|word| word.chars().count()).max().unwrap_or_default() as u16
    };
    for ((place, column), right) in layout.column_iter_mut().enumerate().zip(right) {
        column.set_padding((0, 2));
        if *right {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        } else if whole {
            let least = Width::Fixed(longest(place) + 2);
            column.set_constraint(ColumnConstraint::LowerBoundary(least));
        }
    }
    lines(&layout)
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
