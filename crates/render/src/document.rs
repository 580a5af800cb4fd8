//! A rendered answer as a list of blocks, before an output format lays it out.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde_json::{Value, json};

use super::layout::{self, WIDTH};

/// A rendered answer, as blocks from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    pieces: Vec<Block>,
}

/// A block of a rendered answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph, with the indents of its first and its further lines on a terminal, in columns.
    Text {
        indent: usize,
        below: usize,
        words: String,
        /// True for the answer to the question, which terminals show in bold.
        is_answer: bool,
    },
    /// A line whose spaces are kept. A terminal wraps it if it must.
    Line(String),
    Gap,
    /// A table: `right` marks right-aligned columns, `is_fitted` text that wraps to the terminal.
    Table {
        headings: Vec<String>,
        rows: Vec<Vec<String>>,
        right: Vec<bool>,
        is_fitted: bool,
    },
    /// Lists of outcomes, one for each unit, side by side if they fit.
    Lists(Vec<Bullets>),
    Drawn(String),
}

const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// A heading, with outcomes and their probabilities below.
#[derive(Clone, Debug, PartialEq)]
pub struct Bullets {
    pub heading: String,
    pub rows: Vec<(String, String)>,
}

impl Document {
    /// Returns the blocks, from top to bottom.
    pub fn pieces(&self) -> &[Block] {
        &self.pieces
    }

    /// Returns the blocks as a JSON list of `{"text", "indent", "answer"}`, `{"gap"}`,
    /// `{"table": {"headings", "rows", "right"}}` and `{"drawn"}`. A table row with only its first
    /// cell filled is a heading for the rows below.
    pub fn json(&self) -> Value {
        let table = |headings: &[String], rows: &[Vec<String>], right: &[bool]| json!({ "table": { "headings": headings, "rows": rows, "right": right } });
        let piece = |piece: &Block| match piece {
            Block::Text { indent, words, is_answer, .. } => {
                json!({ "text": words, "indent": indent, "answer": is_answer })
            }
            Block::Line(words) => {
                json!({ "text": words.trim_start(), "indent": 0, "answer": false })
            }
            Block::Gap => json!({ "gap": true }),
            Block::Table { headings, rows, right, .. } => table(headings, rows, right),
            Block::Lists(lists) => {
                let rows = lists.iter().flat_map(|Bullets { heading, rows }| {
                    let row = |(what, odds): &(String, String)| vec![what.clone(), odds.clone()];
                    std::iter::once(vec![heading.clone(), String::new()])
                        .chain(rows.iter().map(row))
                });
                table(&[], &rows.collect::<Vec<_>>(), &[false, true])
            }
            Block::Drawn(letters) => json!({ "drawn": letters }),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Lets the cells of tables wrap to fit a terminal.
    pub fn fitted(mut self) -> Document {
        for piece in &mut self.pieces {
            if let Block::Table { is_fitted, .. } = piece {
                *is_fitted = true;
            }
        }
        self
    }

    /// Removes the gaps at the end.
    pub fn without_gaps(mut self) -> Document {
        while self.pieces.last() == Some(&Block::Gap) {
            self.pieces.pop();
        }
        self
    }

    /// Returns the number of lines on a terminal.
    pub fn lines(&self) -> usize {
        self.to_string().lines().count()
    }

    /// Returns whether every line fits the terminal width.
    pub fn fits(&self) -> bool {
        self.to_string().lines().all(|line| line.chars().count() <= WIDTH)
    }
}

/// Lays out the blocks for a terminal. The alternate form (`{:#}`) has the answer in bold.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Block::Text { indent, below, words, is_answer } => {
                let text = layout::wrapped_at(*indent, *below, words);
                match *is_answer && f.alternate() {
                    true => text.lines().try_for_each(|line| writeln!(f, "{BOLD}{line}{PLAIN}")),
                    false => f.write_str(&text),
                }
            }
            Block::Line(words) => f.write_str(&layout::wrapped_line(words)),
            Block::Gap => writeln!(f),
            Block::Table { headings, rows, right, is_fitted: true } => {
                f.write_str(&layout::aligned_to_width(headings, rows, right))
            }
            Block::Table { headings, rows, right, .. } => {
                f.write_str(&layout::aligned(headings, rows, right, false))
            }
            Block::Lists(lists) => f.write_str(&side_by_side(lists)),
            Block::Drawn(letters) => f.write_str(letters),
        })
    }
}

impl From<Block> for Document {
    fn from(piece: Block) -> Document {
        Document { pieces: vec![piece] }
    }
}

/// Makes each line a block; empty lines become gaps.
impl From<&str> for Document {
    fn from(text: &str) -> Document {
        let piece = |line: &str| match line {
            "" => Block::Gap,
            line => Block::Line(line.to_string()),
        };
        Document { pieces: text.lines().map(piece).collect() }
    }
}

impl From<String> for Document {
    fn from(text: String) -> Document {
        Document::from(text.as_str())
    }
}

impl<T: Into<Document>> AddAssign<T> for Document {
    fn add_assign(&mut self, further: T) {
        self.pieces.extend(further.into().pieces);
    }
}

impl<T: Into<Document>> Add<T> for Document {
    type Output = Document;

    fn add(mut self, further: T) -> Document {
        self += further;
        self
    }
}

impl FromIterator<Document> for Document {
    fn from_iter<I: IntoIterator<Item = Document>>(all: I) -> Document {
        Document { pieces: all.into_iter().flat_map(|document| document.pieces).collect() }
    }
}

/// Creates a paragraph; a text without words has none.
pub fn paragraph(text: &str) -> Document {
    if text.is_empty() { Document::default() } else { indented(0, text) }
}

/// Creates a paragraph indented by `indent` columns; its further lines have two columns more.
pub fn indented(indent: usize, text: &str) -> Document {
    text_at(indent, indent + 2, text)
}

/// Creates one paragraph for each part of a text between empty lines.
pub fn paragraphs(text: &str) -> Document {
    let mut document = Document::default();
    for part in text.trim().split("\n\n") {
        if !document.pieces.is_empty() {
            document += Block::Gap;
        }
        document += text_at(0, 0, part);
    }
    document
}

fn text_at(indent: usize, below: usize, text: &str) -> Document {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Block::Text { indent, below, words, is_answer: false }.into()
}

/// Creates a paragraph that answers the question.
pub fn emphasized(text: &str) -> Document {
    let mut document = paragraph(text);
    for piece in &mut document.pieces {
        if let Block::Text { is_answer, .. } = piece {
            *is_answer = true;
        }
    }
    document
}

/// Creates a table that does not wrap; `right` marks columns of numbers, its last mark all others.
pub fn aligned<H: ToString>(
    headings: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = Vec<String>>,
    right: &[bool],
) -> Document {
    let headings: Vec<String> = headings.into_iter().map(|heading| heading.to_string()).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let last = right.last().copied().unwrap_or_default();
    let columns = rows.iter().map(Vec::len).fold(headings.len(), usize::max);
    let mut right = right.to_vec();
    right.resize(columns, last);
    Block::Table { headings, rows, right, is_fitted: false }.into()
}

/// Lays out lists in one or two columns, as many as fit, with balanced heights.
fn side_by_side(lists: &[Bullets]) -> String {
    let block = |Bullets { heading, rows }: &Bullets| {
        let row = |(what, odds): &(String, String)| (format!("  {what}"), odds.clone());
        std::iter::once((heading.clone(), String::new())).chain(rows.iter().map(row)).collect()
    };
    let blocks: Vec<Vec<(String, String)>> = lists.iter().map(block).collect();
    let lines = || blocks.iter().flatten();
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let with_odds = lines().filter(|(_, odds)| !odds.is_empty());
    let left = widest(&mut with_odds.map(|(name, _)| name));
    let right = widest(&mut lines().map(|(_, odds)| odds));
    let column = widest(&mut lines().map(|(name, _)| name)).max(left + 2 + right);
    let columns = ((WIDTH + 3) / (column + 3)).clamp(1, 2);
    let most = lines().count().div_ceil(columns);
    let mut stacks: Vec<Vec<&(String, String)>> = vec![Vec::new()];
    for block in &blocks {
        let current = stacks.len() - 1;
        let height = stacks[current].len();
        match current + 1 < columns && height > 0 && height + block.len() / 2 > most {
            true => stacks.push(block.iter().collect()),
            false => stacks[current].extend(block),
        }
    }
    let cell = |(name, odds): &(String, String)| match odds.is_empty() {
        true => name.clone(),
        false => format!("{name:left$}  {odds:>right$}"),
    };
    let row = |line: usize| {
        let cells = stacks.iter().map(|stack| stack.get(line).map_or(String::new(), |at| cell(at)));
        let row: String = cells.map(|cell| format!("{cell:column$}   ")).collect();
        row.trim_end().to_string() + "\n"
    };
    let height = stacks.iter().map(Vec::len).max().unwrap_or(0);
    (0..height).map(row).collect()
}
