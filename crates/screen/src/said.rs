//! What an answer says, piece by piece: whoever shows it lays it out.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde_json::{Value, json};

use super::layout::{self, WIDTH};

/// What is said, from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A paragraph, on a terminal so many letters to the right, and so many where it goes on below.
    Text {
        indent: usize,
        below: usize,
        words: String,
    },
    /// A sentence that is one line on every terminal.
    Line(String),
    /// An empty line.
    Gap,
    Table(Tabled),
    /// Units side by side where they fit: a heading, and below it what comes with which odds.
    Lists(Vec<Listed>),
    /// A map or a tree, whose letters stand one below the other.
    Drawn(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tabled {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Which columns are numbers.
    pub right: Vec<bool>,
    /// Words go on below where lines are too long.
    pub is_fitted: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub heading: String,
    pub rows: Vec<(String, String)>,
}

impl Said {
    /// The pieces, from top to bottom.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// As JSON: a list of `{"text", "indent"}`, `{"gap"}`, `{"table": {"headings", "rows",
    /// "right"}}` and `{"drawn"}`. A row of which only the first cell is filled is a heading of
    /// those below it.
    pub fn json(&self) -> Value {
        let table = |headings: &[String], rows: &[Vec<String>], right: &[bool]| json!({ "table": { "headings": headings, "rows": rows, "right": right } });
        let piece = |piece: &Piece| match piece {
            Piece::Text { indent, words, .. } => json!({ "text": words, "indent": indent }),
            Piece::Line(words) => json!({ "text": words.trim_start(), "indent": 0 }),
            Piece::Gap => json!({ "gap": true }),
            Piece::Table(Tabled { headings, rows, right, .. }) => table(headings, rows, right),
            Piece::Lists(lists) => {
                let rows = lists.iter().flat_map(|Listed { heading, rows }| {
                    let row = |(what, odds): &(String, String)| vec![what.clone(), odds.clone()];
                    std::iter::once(vec![heading.clone(), String::new()])
                        .chain(rows.iter().map(row))
                });
                table(&[], &rows.collect::<Vec<_>>(), &[false, true])
            }
            Piece::Drawn(letters) => json!({ "drawn": letters }),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Without the empty lines at its end.
    pub fn trimmed(mut self) -> Said {
        while self.pieces.last() == Some(&Piece::Gap) {
            self.pieces.pop();
        }
        self
    }

    /// Whether every line of it fits a terminal.
    pub fn fits(&self) -> bool {
        self.to_string().lines().all(|line| line.chars().count() <= WIDTH)
    }
}

/// As a terminal has it.
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text { indent, below, words } => {
                f.write_str(&layout::wrapped_at(*indent, *below, words))
            }
            Piece::Line(words) => writeln!(f, "{words}"),
            Piece::Gap => writeln!(f),
            Piece::Table(Tabled { headings, rows, right, is_fitted: true }) => {
                f.write_str(&layout::fitted(headings, rows, right))
            }
            Piece::Table(Tabled { headings, rows, right, .. }) => {
                f.write_str(&layout::aligned(headings, rows, right, false))
            }
            Piece::Lists(lists) => f.write_str(&side_by_side(lists)),
            Piece::Drawn(letters) => f.write_str(letters),
        })
    }
}

impl From<Piece> for Said {
    fn from(piece: Piece) -> Said {
        Said { pieces: vec![piece] }
    }
}

/// Lines as they stand.
impl From<&str> for Said {
    fn from(text: &str) -> Said {
        let piece = |line: &str| match line {
            "" => Piece::Gap,
            line => Piece::Line(line.to_string()),
        };
        Said { pieces: text.lines().map(piece).collect() }
    }
}

impl From<String> for Said {
    fn from(text: String) -> Said {
        Said::from(text.as_str())
    }
}

impl<T: Into<Said>> AddAssign<T> for Said {
    fn add_assign(&mut self, further: T) {
        self.pieces.extend(further.into().pieces);
    }
}

impl<T: Into<Said>> Add<T> for Said {
    type Output = Said;

    fn add(mut self, further: T) -> Said {
        self += further;
        self
    }
}

impl Extend<Said> for Said {
    fn extend<I: IntoIterator<Item = Said>>(&mut self, all: I) {
        all.into_iter().for_each(|further| *self += further);
    }
}

impl FromIterator<Said> for Said {
    fn from_iter<I: IntoIterator<Item = Said>>(all: I) -> Said {
        let mut said = Said::default();
        said.extend(all);
        said
    }
}

/// A paragraph.
pub fn paragraph(text: &str) -> Said {
    indented(0, text)
}

/// The same, so many letters to the right.
pub fn indented(indent: usize, text: &str) -> Said {
    text_at(indent, indent + 2, text)
}

/// The paragraphs of a text, an empty line between two.
pub fn paragraphs(text: &str) -> Said {
    let mut said = Said::default();
    for part in text.trim().split("\n\n") {
        if !said.pieces.is_empty() {
            said += Piece::Gap;
        }
        said += text_at(0, 0, part);
    }
    said
}

fn text_at(indent: usize, below: usize, text: &str) -> Said {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Piece::Text { indent, below, words }.into()
}

/// Rows of words under headings; `right` are the columns of numbers.
pub fn aligned(headings: &[String], rows: &[Vec<String>], right: &[bool]) -> Said {
    table(headings, rows, right, false)
}

/// The same, in lines of a screen: words go on below.
pub fn fitted(headings: &[String], rows: &[Vec<String>], right: &[bool]) -> Said {
    table(headings, rows, right, true)
}

fn table(headings: &[String], rows: &[Vec<String>], right: &[bool], is_fitted: bool) -> Said {
    let (headings, rows, right) = (headings.to_vec(), rows.to_vec(), right.to_vec());
    Piece::Table(Tabled { headings, rows, right, is_fitted }).into()
}

/// Blocks of two columns, in as many columns as fit a line, each as high as it must be.
fn side_by_side(lists: &[Listed]) -> String {
    let block = |Listed { heading, rows }: &Listed| {
        let row = |(what, odds): &(String, String)| (format!("  {what}"), odds.clone());
        std::iter::once((heading.clone(), String::new())).chain(rows.iter().map(row)).collect()
    };
    let blocks: Vec<Vec<(String, String)>> = lists.iter().map(block).collect();
    let letters = |text: &String| text.chars().count();
    let width = |blocks: &[Vec<(String, String)>]| {
        let all = || blocks.iter().flatten();
        let left =
            all().filter(|(_, right)| !right.is_empty()).map(|(left, _)| letters(left)).max();
        let right = all().map(|(_, right)| letters(right)).max().unwrap_or(0);
        let names = all().map(|(left, _)| letters(left)).max().unwrap_or(0);
        let left = left.unwrap_or(0);
        (left, right, names.max(left + 2 + right))
    };
    let (left, right, column) = width(&blocks);
    let columns = ((WIDTH + 3) / (column + 3)).clamp(1, 2);
    let lines: usize = blocks.iter().map(Vec::len).sum();
    let mut stacks: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for block in blocks {
        let height = stacks.last().map_or(0, Vec::len);
        if stacks.len() < columns
            && height > 0
            && height + block.len() / 2 > lines.div_ceil(columns)
        {
            stacks.push(Vec::new());
        }
        if let Some(stack) = stacks.last_mut() {
            stack.extend(block);
        }
    }
    let height = stacks.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let mut row = String::new();
        for stack in &stacks {
            let cell =
                stack.get(line).map_or(String::new(), |(name, figure)| match figure.is_empty() {
                    true => name.clone(),
                    false => format!("{name:left$}  {figure:>right$}"),
                });
            row += &format!("{cell:column$}   ");
        }
        text += row.trim_end();
        text += "\n";
    }
    text
}
