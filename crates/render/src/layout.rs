//! Layout of tables and paragraphs as aligned text or Markdown.

use std::io::{self, Write};

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Layout, Width};

use super::escape;
use answer::estimate::{percent_to, points_to};
use answer::{Cell, Column, Estimate, SheetSource};
use charts::chart::in_lines;

/// Number of decimals of percentages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(pub usize);

impl Default for Digits {
    fn default() -> Digits {
        Digits(2)
    }
}

impl Digits {
    /// Formats a probability (0 to 1) as a percentage.
    pub fn percent(self, probability: f64) -> String {
        percent_to(probability, self.0)
    }

    /// Formats a difference of probabilities (-1 to 1) in percentage points.
    pub fn points(self, difference: f64) -> String {
        points_to(difference, self.0)
    }

    /// Formats a probability with its error, or with its fraction if that is short.
    pub fn in_full(self, figure: &Estimate) -> String {
        format!("{figure:.*}", self.0)
    }

    /// Formats an outcome that occurred in no sequence as below `high`, the end of its interval.
    pub fn below(self, high: f64) -> String {
        format!("< {}", self.percent(high.max(0.0001)))
    }
}

fn table<H: ToString>(
    headings: &[H],
    rows: impl IntoIterator<Item = Vec<String>>,
    right: impl IntoIterator<Item = bool>,
) -> Layout {
    let mut layout = Layout::new();
    layout.load_preset(NOTHING).add_rows(rows);
    if !headings.is_empty() {
        layout.set_header(headings.iter().map(H::to_string));
    }
    let right = right.into_iter().chain(std::iter::repeat(false));
    for (column, right) in layout.column_iter_mut().zip(right) {
        column.set_padding((0, PADDING));
        column.set_cell_alignment(if right { CellAlignment::Right } else { CellAlignment::Left });
    }
    layout
}

/// Lays out a table as aligned text or as Markdown; `right` marks right-aligned columns.
pub fn aligned(
    headings: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    markdown: bool,
) -> String {
    let right = right.iter().copied();
    let layout = match markdown {
        false => table(headings, rows.iter().cloned(), right),
        true => {
            let escaped = |row: &[String]| row.iter().map(|text| escape::text(text)).collect();
            let headings: Vec<String> = escaped(headings);
            let mut layout = table(&headings, rows.iter().map(|row| escaped(row)), right);
            layout.load_preset(ASCII_MARKDOWN);
            for column in layout.column_iter_mut() {
                column.set_padding((1, 1));
            }
            layout
        }
    };
    without_blank_end(&lines(&layout)).to_string()
}

fn without_blank_end(text: &str) -> &str {
    if text.ends_with("\n\n") { &text[..text.len() - 1] } else { text }
}

const PADDING: u16 = 2;

/// Width of a terminal, in characters.
pub const WIDTH: usize = 80;

const PLUS_MINUS: &str = "+-";

/// Wraps a text to the terminal width, with further lines indented. `5 % +- 1` stays together.
pub fn paragraph(text: &str) -> String {
    wrapped_at(0, 2, text)
}

/// Wraps a text to the terminal width; `indent` and `below` count columns before its lines.
pub(super) fn wrapped_at(indent: usize, below: usize, text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(number)
                if word.starts_with('%')
                    || word == PLUS_MINUS
                    || ["<", ">", PLUS_MINUS].iter().any(|sign| number.ends_with(sign)) =>
            {
                *number += &format!(" {word}");
            }
            _ => words.push(word.to_string()),
        }
    }
    let mut indent = indent;
    let start = |word: &str| vec![" ".repeat(std::mem::replace(&mut indent, below)) + word];
    let fits = |line: &str| line.chars().count() <= WIDTH;
    in_lines(words.iter().map(String::as_str), " ", fits, start).join("\n") + "\n"
}

/// Wraps a text behind `first`, with `below` before its further lines.
pub fn wrapped_behind(first: &str, below: &str, text: &str) -> String {
    let [start, further] = [first, below].map(|prefix| prefix.chars().count());
    let line = |(place, line): (usize, &str)| {
        let (prefix, width) = if place == 0 { (first, start) } else { (below, further) };
        format!("{prefix}{}\n", line.chars().skip(width).collect::<String>())
    };
    wrapped_at(start, further, text).lines().enumerate().map(line).collect()
}

/// Wraps a line that is too wide. Its spaces are kept; further lines begin below its second column,
/// which two or more spaces separate, or two columns below its start.
pub fn wrapped_line(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    if letters.len() <= WIDTH {
        return format!("{line}\n");
    }
    let start = letters.iter().take_while(|letter| **letter == ' ').count();
    let is_gap =
        |place: &usize| letters[*place - 2..*place] == [' ', ' '] && letters[*place] != ' ';
    let second = (start + 3..WIDTH / 2).find(is_gap);
    let below = second.unwrap_or(start + 2);
    let (mut text, mut rest) = (String::new(), &letters[..]);
    let mut indent = 0;
    loop {
        let room = WIDTH - indent;
        let cut = match rest.len() > room {
            true => {
                let mut cuts = (below.saturating_sub(indent).max(1)..=room).rev();
                let blank = cuts.clone().find(|cut| rest[*cut] == ' ');
                blank.or_else(|| cuts.find(|cut| rest[cut - 1] == ',')).unwrap_or(room)
            }
            false => rest.len(),
        };
        let part: String = rest[..cut].iter().collect();
        text += &format!("{}{}\n", " ".repeat(indent), part.trim_end());
        rest = &rest[cut..];
        rest = &rest[rest.iter().take_while(|letter| **letter == ' ').count()..];
        if rest.is_empty() {
            return text;
        }
        indent = below;
    }
}

/// Stands for a blank that does not end a line. Messages have no such character.
const GLUE: &str = "\u{2028}";

/// Wraps the report of a fault to the terminal width. Lines that quote a source or name a place
/// stay as they are; so do words, and commands in backticks, that are longer than a line.
pub fn wrapped_report(text: &str) -> String {
    let is_kept = |line: &str| {
        let start =
            line.trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        start.starts_with(['|', '.']) || start.starts_with("-->") || line.chars().count() <= WIDTH
    };
    let wrapped = |line: &str| {
        if is_kept(line) {
            return format!("{line}\n");
        }
        let start = line.len() - line.trim_start().len();
        let pieces = line.split('`').enumerate().map(|(place, piece)| match place % 2 {
            1 if piece.len() < WIDTH => piece.replace(' ', GLUE),
            _ => piece.to_string(),
        });
        let pieces: Vec<String> = pieces.collect();
        wrapped_at(start, start + 2, &pieces.join("`")).replace(GLUE, " ")
    };
    text.lines().map(wrapped).collect()
}

/// Lays out a table within the terminal width, if possible; text wraps, and headings if they must.
pub fn aligned_to_width(headings: &[String], rows: &[Vec<String>], right: &[bool]) -> String {
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= WIDTH);
    let text = aligned(headings, rows, right, false);
    if fits(&text) {
        return text;
    }
    let lower = |(heading, right): (&String, &bool)| match right {
        true => heading.replace(' ', "\n").replace("\n%", " %"),
        false => heading.clone(),
    };
    let lower: Vec<String> = headings.iter().zip(right).map(lower).collect();
    let lower = &lower[..];
    let ways = [(headings, PADDING), (lower, PADDING), (lower, 1)].into_iter();
    let mut ways = ways.map(|(headings, gap)| arranged(headings, rows, right, true, gap));
    ways.find(fits).unwrap_or_else(|| narrowest(lower, rows, right))
}

/// Lays out a table with intervals over two lines and, if that is still too wide, closer columns.
fn narrowest(headings: &[String], rows: &[Vec<String>], right: &[bool]) -> String {
    let lower = |row: &Vec<String>| row.iter().map(|cell| cell.replace(" to ", "\nto ")).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(lower).collect();
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= WIDTH);
    let ways = [(true, PADDING), (true, 1), (false, PADDING)].into_iter();
    let mut ways = ways.map(|(whole, gap)| arranged(headings, &rows, right, whole, gap));
    ways.find(fits).unwrap_or_else(|| arranged(headings, &rows, right, false, 1))
}

/// Lays out a table; text has the room that numbers leave. `whole` words are not broken. `gap`
/// columns are between two columns of the table.
fn arranged(
    headings: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    whole: bool,
    gap: u16,
) -> String {
    let mut layout = table(headings, rows.iter().cloned(), right.iter().copied());
    layout.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16 + gap);
    for column in layout.column_iter_mut() {
        column.set_padding((0, gap));
    }
    let longest = |place: usize| {
        let cells = rows.iter().filter_map(|row| row.get(place)).chain(headings.get(place));
        let words = cells.flat_map(|cell| cell.split_whitespace());
        words.map(|word| word.chars().count()).max().unwrap_or_default() as u16
    };
    for ((place, column), right) in layout.column_iter_mut().enumerate().zip(right) {
        if *right {
            column.set_constraint(ColumnConstraint::ContentWidth);
        } else if whole || place == 0 {
            let least = Width::Fixed(longest(place) + gap);
            column.set_constraint(ColumnConstraint::LowerBoundary(least));
        }
    }
    lines(&layout)
}

/// Lays out rows without headings within the terminal width; long cells wrap.
pub fn wrapped(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    aligned_to_width(&[], rows, &vec![false; columns])
}

fn lines(layout: &Layout) -> String {
    layout.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Writes a whole table, read once for the widths of columns and once more for the lines.
pub fn write(source: &dyn SheetSource, mut sink: impl Write) -> io::Result<()> {
    let columns = &source.head().columns;
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let layout = |names: &[&str], rows: &[Vec<Cell>]| {
        let is_number = |(_, kind): &(_, _)| matches!(kind, Column::Integer | Column::Float);
        let rows = rows.iter().map(|row| row.iter().map(Cell::text).collect());
        table(names, rows, columns.iter().map(is_number))
    };
    let mut widths = layout(&names, &[]).column_max_content_widths();
    for block in source.blocks() {
        let block = layout(&[], &block.rows).column_max_content_widths();
        widths.iter_mut().zip(block).for_each(|(width, own)| *width = own.max(*width));
    }
    let mut blocks = source.blocks().enumerate().peekable();
    while let Some((number, block)) = blocks.next() {
        let mut layout = layout(if number == 0 { &names } else { &[] }, &block.rows);
        for (column, width) in layout.column_iter_mut().zip(&widths) {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + PADDING)));
        }
        let text = lines(&layout);
        let text = if blocks.peek().is_none() { without_blank_end(&text) } else { &text };
        sink.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Largest number of columns for numbers of units, or for report points, on the first screen.
pub(super) const NUMBERS: usize = 6;

/// Returns places from 0 to below `all`, at most `most` of them, among them the first and the last.
pub(super) fn evenly_spaced(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let columns = all.min(most);
    (0..columns).map(move |column| column * (all - 1) / (columns - 1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
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

    #[test]
    fn wide_line_wraps_below_its_second_column() {
        let words = "word ".repeat(20);
        let text = wrapped_line(&format!(" A10.6  {words}"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!(" A10.6  {}", "word ".repeat(14)).trim_end());
        assert!(lines[1].starts_with("        word") && lines.len() == 2, "{text}");
        assert_eq!(wrapped_line("short  line"), "short  line\n");
        assert!(wrapped_line(&"x".repeat(200)).lines().all(|line| line.len() <= WIDTH));
    }

    #[test]
    fn report_wraps_outside_of_commands_and_quotes() {
        let words = "word ".repeat(11);
        let command = "`lowcrawl fire 4-6-7 --fp 8`";
        let quote = format!("9 | {}", "x".repeat(100));
        let report = format!(
            "error: {words}{command} {words}\n  --> {0}.toml:1:1\n{quote}\n   = help: {words}{words}",
            "y".repeat(90)
        );
        let text = wrapped_report(&report);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("error: {words}").trim_end());
        assert_eq!(lines[1], format!("  {command} {}", "word ".repeat(10)).trim_end());
        assert_eq!(lines[2], "  word");
        assert_eq!((lines[3].len(), lines[4]), (105, quote.as_str()));
        assert_eq!(lines[5], format!("   = help: {}", "word ".repeat(14)).trim_end());
        assert_eq!(lines[6], format!("     {}", "word ".repeat(8)).trim_end());
        assert_eq!(wrapped_report("error: short"), "error: short\n");
    }

    /// What cannot fit is broken, but never in the first column.
    #[test]
    fn first_column_keeps_its_longest_word() {
        let first = "german:4-6-7/broken,dm";
        let numbers = |interval: &str| {
            let numbers = ["-0.1234"; 5].map(str::to_string);
            [vec!["the 9-2".to_string()], numbers.to_vec(), vec![interval.to_string()]].concat()
        };
        let headings = ["course"].into_iter().chain(["difference"; 5]).chain(["95 %"]);
        let headings: Vec<String> = headings.map(str::to_string).collect();
        let right: Vec<bool> = (0..7).map(|column| column > 0).collect();
        let rows = [numbers("-10.3848 to -10.3395"), numbers("")];
        let text = aligned_to_width(&headings, &rows, &right);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("-10.3848\n") && text.contains("to -10.3395\n"), "{text}");
        let row = vec![first.to_string(), "y".repeat(90), "z".repeat(90)];
        let headings = ["unit", "one", "other"].map(str::to_string);
        let text = aligned_to_width(&headings, &[row], &[false; 3]);
        assert!(text.lines().any(|line| line.starts_with(first)), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}
