//! The result rows of a study in memory, built while they are written.

use std::borrow::Cow;

use serde_json::{Value as Json, json};

use super::list_study::{Answered, Answers};
use super::number::{TELL, number_cells, number_columns};
use answer::table::{columns, expected_in_json, json_only};
use answer::{Block, Cell, Column, Row, Shape, Sheet, SheetSource};

/// The number of cells whose rows are in memory at once.
const CELLS: usize = 16;

/// The result table of all cells of a study in memory. In JSON it also lists the number of each
/// cell. If a measure is requested, each cell has one row with its number instead of its outcomes.
pub struct Listing<'a> {
    answers: &'a Answers,
    head: Sheet,
}

impl<'a> Listing<'a> {
    pub fn new(answers: &'a Answers) -> Listing<'a> {
        let cells = || answers.cells.iter().zip(1..);
        let shape = shape(&answers.cells);
        let mut lists = Vec::new();
        if shape.is_some() {
            lists.push(("told", cells().map(|cell| number_json(answers, cell)).collect()));
        }
        let expected = |(answered, case): (&Answered, i64)| {
            let outcomes = answered.outcomes.as_ref();
            let outcomes = outcomes.filter(|outcomes| !outcomes.expected.is_empty())?;
            let all: Vec<Json> = expected_in_json(&outcomes.expected).collect();
            Some(json!({ "case": case, "expected": all }))
        };
        let expected: Vec<Json> = cells().filter_map(expected).collect();
        lists.extend((!expected.is_empty()).then(|| ("expected", Json::Array(expected))));
        let number = || {
            std::iter::once(("case", Column::Integer))
                .chain([(TELL, Column::Text)])
                .chain(number_columns(answers.meant.style))
                .collect()
        };
        let own = shape.map_or_else(number, columns);
        let columns = answers.fields.iter().copied().chain(own).collect();
        let head = Sheet { lists, ..Sheet::new(columns, Vec::new(), answers.meta.clone()) };
        Listing { answers, head }
    }

    /// Returns the rows of consecutive cells; `first` is the 1-based number of the first cell.
    fn block(&self, cells: &[Answered], first: i64) -> Block<'_> {
        let answers = self.answers;
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        for (answered, case) in cells.iter().zip(first..) {
            let front: Vec<Cell> =
                answered.swept.iter().cloned().chain([Cell::Integer(case)]).collect();
            let Some(own) = &answered.outcomes else {
                rows.push([front, number(answers, answered)].concat());
                continue;
            };
            let of_cell = own.rows(&answers.labels);
            // An answer numbers its only cell 1, so its first column is replaced.
            let row =
                |row: &Row| front.iter().cloned().chain(row.cells(own.shape).into_iter().skip(1));
            rows.extend(of_cell.iter().map(|cells| row(cells).collect::<Vec<Cell>>()));
            outcomes.extend(of_cell);
        }
        let shape = shape(&answers.cells);
        let json_only = shape.map_or_else(Vec::new, |shape| json_only(shape, outcomes.iter()));
        Block { rows: Cow::from(rows), json_only: Cow::from(json_only) }
    }
}

impl SheetSource for Listing<'_> {
    fn head(&self) -> &Sheet {
        &self.head
    }

    fn height(&self) -> usize {
        let rows = |answered: &Answered| {
            answered.outcomes.as_ref().map_or(1, |outcomes| outcomes.figures.len())
        };
        self.answers.cells.iter().map(rows).sum()
    }

    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
        let blocks = self.answers.cells.chunks(CELLS).zip((1..).step_by(CELLS));
        Box::new(blocks.map(|(cells, first)| self.block(cells, first)))
    }
}

/// Returns the columns of outcome rows; `None` if each cell has one row with a number.
fn shape(cells: &[Answered]) -> Option<Shape> {
    Some(cells.first()?.outcomes.as_ref()?.shape)
}

fn number(answers: &Answers, answered: &Answered) -> Vec<Cell> {
    let nothing = || number_columns(answers.meant.style).iter().map(|_| Cell::Null).collect();
    let number = answered.number.as_ref().map_or_else(nothing, number_cells);
    let name = answers.name.clone().map_or(Cell::Null, Cell::Text);
    std::iter::once(name).chain(number).collect()
}

/// Returns the number of a cell (1-based `case`) as JSON, with the values of its varied fields.
fn number_json(
    answers: &Answers,
    (Answered { swept, number, .. }, case): (&Answered, i64),
) -> Json {
    let own = answers.fields.iter().map(|(field, _)| *field).zip(swept.iter().cloned());
    let columns = number_columns(answers.meant.style).into_iter().map(|(name, _)| name);
    let number = number.iter().flat_map(number_cells);
    let entries = own.chain([("case", Cell::Integer(case))]).chain(columns.zip(number));
    Json::Object(entries.map(|(name, cell)| (name.to_string(), json!(cell))).collect())
}
